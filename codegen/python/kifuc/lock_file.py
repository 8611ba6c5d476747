"""The lock file: finding, reading and writing it.

A line at the margin opens a section; the indented ones are its entries. `lines` says how many lines the file must have, so
that one that was cut off or merged wrongly is refused. The files of before have no such line.
"""

import os
import re

from . import names
from .lock import Entry, Section
from .output import Output
from .report import Stop

_LINES = r"lines (\d{1,9})"
_SECTION = r"(game|rules_version|union|table|struct|enum) ([\w.]+)(?:: (.+))?"
_ENTRY = r"  (-?\d{1,20}) ([\w.]+)(?:: (\S+))?(?: = (\S+))?(?: \(([a-z, ]+)\))?"
_ENDING = ".fbs.lock"
_HEAD = """# What saves of this game depend on, as of its last release: kifuc refuses changes of {schema} that would misread them.
# Commit this file, and renew it with each release: kifuc lock {schema}
"""
_RESTORE = "restore the file that was committed; only kifuc writes it"


def render(sections, schema):
    """A lock file's text. `schema` is the name of the schema's file."""
    texts = [each.text() for each in sections]
    body = texts[0] + texts[1] + "\n" + "\n".join(texts[2:])
    return _HEAD.format(schema=schema) + "\nlines %d\n" % _count(body) + body


def _says_something(line):
    return line.strip() and not line.startswith("#")


def _count(text):
    return sum(1 for line in text.splitlines() if _says_something(line))


# --- Reading ---------------------------------------------------------------------------------------------------------

class _Reader:
    def __init__(self, path, text, report):
        self.path, self.text, self.report = path, text, report
        self.sections = []
        self.lines = None  # How many there must be, and where that is said.

    def error(self, line, message, *values):
        self.report.error((self.path, line), message % values)

    def read(self):
        for number, line in enumerate(self.text.splitlines(), 1):
            if _says_something(line):
                self.take(number, line)
        if not self.report.errors:
            self.check_lines()
        if not self.report.errors:
            self.check_whole()
        self.report.flush()
        return self.sections

    def take(self, number, line):
        lines, head, entry = (re.fullmatch(each, line) for each in (_LINES, _SECTION, _ENTRY))
        if lines and not self.sections and not self.lines:
            self.lines = (int(lines.group(1)), number)
        elif head:
            self.section(Section(head.group(1), head.group(2), head.group(3) or "", [], number))
        elif entry and self.sections:
            flags = entry.group(5).split(", ") if entry.group(5) else []
            self.entry(Entry(int(entry.group(1)), entry.group(2), entry.group(3) or "", entry.group(4) or "", flags, "",
                             number))
        else:
            self.error(number, "this is not a line of a lock file: " + _RESTORE)

    def section(self, section):
        for each in self.sections[2:]:
            if each.name == section.name:
                self.error(section.line, "%s stands here, and in line %d, too: %s", section.name, each.line, _RESTORE)
        self.sections.append(section)

    def entry(self, entry):
        entries = self.sections[-1].entries
        for each in entries:
            if each.name == entry.name or each.number == entry.number:
                self.error(entry.line, "this line says something else than line %d: %s", each.line, _RESTORE)
                return
        entries.append(entry)

    def check_lines(self):
        """A file that was cut off inside its last line does not end in a line break."""
        there = _count(self.text) - 1
        if self.lines and self.lines[0] != there:
            self.error(self.lines[1], "below this line there must be %d others, empty ones and comments aside, and there are "
                                      "%d: %s. (If you merged two lock files: look at the result, and write the right "
                                      "number)", self.lines[0], there, _RESTORE.partition(";")[0])
        elif self.lines and not self.text.endswith("\n"):
            self.error(len(self.text.splitlines()), "this line of the lock file was cut off: " + _RESTORE)

    def check_whole(self):
        kinds = [each.kind for each in self.sections]
        tables = {each.name for each in self.sections if each.kind == "table"}
        if (kinds[:3] != ["game", "rules_version", "union"] or not re.fullmatch(r"\d{1,20}", self.sections[1].name)
                or set(kinds[3:]) & set(kinds[:3]) or not {each.name for each in self.sections[2].entries} <= tables):
            self.error(1, "this is not a whole lock file: " + _RESTORE)


def _text(path):
    with open(path, encoding="utf-8", errors="replace", newline="") as stream:
        return stream.read()


def read(path, report):
    """The sections of a lock file; None: there is none."""
    if os.path.isdir(path):
        raise Stop("%s: this is a folder, and the lock file is to be here; rename the folder" % path)
    return _Reader(path, _text(path), report).read() if os.path.isfile(path) else None


# --- Finding ---------------------------------------------------------------------------------------------------------

def _events(union):
    return {names.split(each)[1] for each in union if not names.is_ours(each)}


def _is_of(path, sections):
    """Whether a lock file is that of a game: of the same name, or with the same events and others."""
    text = _text(path)
    game = re.search(r"(?m)^game ([\w.]+)", text)
    union = re.search(r"(?m)^union \S+\r?\n((?:  .*\n)*)", text)
    if game and game.group(1) == sections[0].name:
        return True
    events = _events(re.findall(r"(?m)^  \d+ ([\w.]+)", union.group(1))) if union else set()
    return bool(events) and events <= _events(each.name for each in sections[2].entries)


def find(schema, sections):
    """The lock file of a schema: the one with its name. Otherwise one that the same game had when its schema had another
    name: it lies beside the schema, and the schema whose name it has is gone."""
    own = schema + ".lock"
    folder = os.path.dirname(schema)
    if os.path.lexists(own):
        return own
    others = [os.path.join(folder, name) for name in sorted(os.listdir(folder or ".")) if name.endswith(_ENDING)]
    others = [path for path in others if os.path.isfile(path) and not os.path.exists(path[:-len(".lock")])
              and _is_of(path, sections)]
    if len(others) > 1:
        raise Stop("%s may each be the lock file of %s, which was renamed: rename the newest to %s, and remove the others" %
                   (" and ".join(others), os.path.basename(schema), os.path.basename(own)))
    return others[0] if others else own


# --- Writing ---------------------------------------------------------------------------------------------------------

def write(path, text):
    """Writes a lock file if it changes, whole or not at all; says what it did."""
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise Stop("%s: there is no such folder" % folder)
    output = Output()
    output.add(path, text)
    return "wrote %s" % path if output.write() else "left  %s: it is as it should be" % path
