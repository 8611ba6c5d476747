"""The names that C sources declare at file scope: no two files of the runtime may share one, so that they can be one file."""

import re

_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\\\n', re.DOTALL)


def stripped(text):
    """Without comments and attributes, and with nothing in its strings."""
    text = _NOISE.sub(lambda found: '""' if found.group()[0] in "\"'" else " ", text)
    return re.sub(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)", "", text)


def _declarations(text):
    """What stands at file scope, without what is in its braces and parentheses."""
    depth, declaration = 0, ""
    for piece in re.split(r"([{}();])", text):
        depth -= piece in ("}", ")")
        if not depth and piece == ";":
            yield declaration
            declaration = ""
        elif not depth:
            declaration += piece
        if not depth and piece == "}" and re.search(r"\)\s*\{\}$", declaration):  # of a function
            yield declaration
            declaration = ""
        depth += piece in ("{", "(")


def macros(text):
    return set(re.findall(r"(?m)^ *# *define (\w+)", text))


def declared(text):
    """Functions, variables, types, enum constants and macros of a stripped text. A `struct x;` declares nothing."""
    found = macros(text)
    text = re.sub(r"(?m)^ *#.*$", "", text)
    for constants in re.findall(r"(?m)^(?:typedef )?enum(?: \w+)? \{(.*?)\}", text, re.DOTALL):
        found |= set(re.findall(r"(\w+)(?:\s*=[^,]*)?\s*(?:,|$)", constants))
    found |= set(re.findall(r"(?m)^typedef [^;{}(]*\(\*(\w+)\)\(", text))
    found |= set(re.findall(r"(?m)^(?:typedef |static |const )*(?:struct|union|enum) (\w+) \{", text))
    for declaration in _declarations(text):
        head = " ".join(declaration.split("=")[0].split())
        name = re.search(r"(\w+) ?\(\)(?! ?\()", head) or re.search(r"(\w+)(?: ?\[[^=]*)?$", head)
        if name and not re.match(r"(struct|union|enum) \w+$|_Static_assert", head):
            found.add(name.group(1))
    return found
