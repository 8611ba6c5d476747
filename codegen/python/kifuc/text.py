"""Text as clang-format (the repository's .clang-format) leaves it: 120 columns, arguments packed."""

import re

WIDTH = 120
# Compilers take some of these for the end of the line, and warn of the ones that change the direction of writing.
_UNSEEN = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"


def unseen(line):
    """A line without the characters that would end it, or are not to be seen."""
    return line if line.isprintable() else re.sub(_UNSEEN, " ", line)


def declare(c_type, name):
    """`int x`, `char *x`."""
    return c_type + ("" if c_type.endswith("*") else " ") + name


def constant(value):
    """An integer constant of C."""
    if value == -2 ** 63:
        return "INT64_MIN"
    return "0x%x" % value if value > 2 ** 31 else str(value)


def section(title):
    """The line above a part of a file."""
    return ("// --- %s " % title).ljust(WIDTH - 1, "-")


def _ended(line):
    """A line without what would continue the comment on the next line of C."""
    while line.endswith(("\\", "??/")):
        line = line[:-1 if line.endswith("\\") else -3].rstrip()
    return line


def _clean(line):
    """A line of documentation, with a space in front."""
    line = _ended(unseen(line.expandtabs(4)).rstrip())
    return " " + line if line and not line[0].isspace() else line


def _wrap(text, lead):
    """A paragraph as lines that begin with `lead`. Where a line goes on, words stay as far apart as they were."""
    lines = []
    while len(lead) + len(text) > WIDTH:
        end = text.rfind(" ", 0, WIDTH - len(lead) + 1)
        if end < 0:  # A word that is longer than a line.
            end = text.find(" ")
        if end < 0:
            break
        lines.append(lead + text[:end].rstrip(" "))
        text = text[end:].lstrip(" ")
    return lines + [lead + text]


def comment(lines, indent=0):
    """A schema's documentation as `///` lines. A paragraph with a line that is too long is filled anew."""
    if not lines:
        return ""
    lead = " " * indent + "///"
    result, paragraph = [], []
    lines = [_clean(each) for each in lines]
    if len(lines) == 1 and 0 < len(lines[0]) <= WIDTH - len(lead):
        return lead + lines[0] + "\n"

    def end():
        if len(lead) + max(map(len, paragraph), default=0) > WIDTH:
            first = paragraph[0]
            margin = first[:len(first) - len(first.lstrip())]
            text = " ".join(line.strip() for line in paragraph)
            result.extend(_ended(line) for line in _wrap(text, lead + margin))
        else:
            result.extend([lead + line for line in paragraph])
        paragraph.clear()

    for line in lines:
        if not line:
            end()
            result.append(lead)
            continue
        if line.lstrip()[0] in "-*@\\":
            end()  # An item of a list begins.
        paragraph.append(line)
    end()
    while result and result[-1] == lead:
        result.pop()
    return "\n".join(result + [""])


def pack(head, items, tail, indent=0, separator=",", call=True):
    """`head` + items joined by `separator` + `tail`, broken before the first item that does not fit; items stand below
    each other, or, in a call that takes fewer lines so, all below the head."""
    lead = " " * indent + head
    line = lead + (separator + " ").join(items) + tail
    if len(line) <= WIDTH:
        return line
    pieces = [item + separator for item in items[:-1]] + [items[-1] + tail] if items else [tail]
    beside = _fill(lead, len(lead), pieces)
    fits = max(len(line) for line in beside) <= WIDTH
    if not lead.endswith("(") or not call and fits:
        return "\n".join(beside)
    below = [lead] + _fill(" " * (indent + 4), indent + 4, pieces)
    return "\n".join(below if not fits or len(below) < len(beside) else beside)


def assign(head, call, items, indent=4):
    """The statement `head` = call(items);, broken behind the `=` where it then fits."""
    line = "%s%s = %s%s);" % (" " * indent, head, call, ", ".join(items))
    if len(line) <= WIDTH:
        return line
    behind = "%s%s%s);" % (" " * (indent + 4), call, ", ".join(items))
    if len(behind) <= WIDTH:
        return "%s%s =\n%s" % (" " * indent, head, behind)
    return pack("%s = %s" % (head, call), items, ");", indent)


def _fill(line, column, pieces):
    lines = []
    for i, piece in enumerate(pieces):
        if i and len(line) + 1 + len(piece) > WIDTH:
            lines.append(line)
            line = " " * column + piece
        else:
            line += (" " if i else "") + piece
    return lines + [line]


def record(members, indent=4, after=",", head=""):
    """A designated initialiser `{.a = 1, .b = 2}`: one line where it fits, else one member per line."""
    pad = " " * indent
    parts = [".%s = %s" % each for each in members]
    line = pad + head + "{" + ", ".join(parts) + "}" + after
    if len(line) <= WIDTH:
        return line
    return pad + head + "{\n" + "".join([pad + "    " + each + ",\n" for each in parts]) + pad + "}" + after


def record_definition(declaration, members):
    """A definition of a structure, `declaration` = { … };"""
    return record(members, 0, ";", declaration + " = ")


def row(head, values, tail):
    """`head` + `{1, 2, 3}` + `tail` on one line, or, where that is too long, on lines that clang-format is told to
    leave."""
    line = head + "{" + ", ".join(values) + "}" + tail
    if len(line) <= WIDTH:
        return line
    pad = " " * (len(head) - len(head.lstrip()) + 4)
    body = _wrap(", ".join(values), pad)
    outer = pad[4:]
    return "%s// clang-format off\n%s{\n%s\n%s}%s\n%s// clang-format on" % (outer, head, "\n".join(body), outer, tail, outer)
