"""Where declarations stand in the .fbs texts. A .bfbs has no line numbers; kifuc's errors do.

The scanner trusts flatc to have refused what is no schema, so it only has to find names.
"""

import os
import re
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

_TOKEN = re.compile(r"""\n|//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|"""
                    r"[A-Za-z_][A-Za-z0-9_]*|\S", re.S)
_ESCAPE = r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)"
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass
class Declaration:
    """A type in a text."""
    kind: str  # table, struct, enum, union
    name: str  # With its namespace.
    line: int
    members: Dict[str, int] = field(default_factory=dict)  # Name → line.
    attributes: Dict[Tuple[str, str], int] = field(default_factory=dict)  # (member or "", attribute) → line.
    types: Dict[str, str] = field(default_factory=dict)  # Of a struct: member → its type, of an array that of the elements.
    defaults: Dict[str, str] = field(default_factory=dict)  # Of a table: member → its default, as the text says it.


@dataclass
class File:
    """A text, as it was scanned."""
    path: str
    declarations: List[Declaration] = field(default_factory=list)
    includes: List[Tuple[str, int]] = field(default_factory=list)  # Name, line.
    text: str = ""
    fault: Optional[Tuple[int, str]] = None  # Why it is no text: line and message.


def _tokens(text):
    """Each with its line."""
    line = 1
    for token in _TOKEN.findall(text):
        if not token.startswith(("\n", "//", "/*")):
            yield token, line
        line += token.count("\n")


def _fault(data):
    """Why a file is no text that flatc can read: line and message; None: it is one."""
    try:
        data.decode("utf-8")
        at, what = data.find(b"\0"), "a zero byte"
    except UnicodeDecodeError as error:
        at, what = error.start, "a byte (0x%02x) that is not UTF-8" % data[error.start]
    return None if at < 0 else (data.count(b"\n", 0, at) + 1, "here is %s: save the file as UTF-8 text" % what)


def _unquoted(token):
    """What a quoted string says."""
    return token[1:-1] if "\\" not in token else re.sub(
        _ESCAPE, lambda match: chr(int(match.group(1)[1:], 16)) if len(match.group(1)) > 1
        else _ESCAPES.get(match.group(1), match.group(1)), token[1:-1])


def scan(path):
    """Scans one file."""
    with open(path, "rb") as stream:
        data = stream.read()
    result = File(path, text=data.decode("utf-8-sig", "replace"), fault=_fault(data))
    tokens = list(_tokens(result.text))
    namespace = ""
    at = 0

    def token(index):
        return tokens[index][0] if index < len(tokens) else ""

    while at < len(tokens):
        word, line = tokens[at][0], tokens[at][1]
        if word == "include" and token(at + 1)[:1] in ('"', "'"):
            result.includes.append((_unquoted(token(at + 1)), line))
            at += 2
        elif word == "namespace":
            at += 1
            parts = []
            while at < len(tokens) and token(at) != ";":
                parts.append(token(at))
                at += 1
            namespace = "".join(parts)
        elif word in ("table", "struct", "enum", "union") and at + 1 < len(tokens):
            name = token(at + 1)
            declaration = Declaration(word, namespace + "." + name if namespace else name, tokens[at + 1][1])
            result.declarations.append(declaration)
            at = _body(tokens, at + 2, declaration)
        else:
            at += 1
    return result


def _body(tokens, at, declaration):
    """Reads from behind the name to behind the closing brace."""
    depth = 0  # Of braces and brackets.
    member = ""
    expect = False  # A member's name may come.
    separator = ";" if declaration.kind in ("table", "struct") else ","
    in_attributes = False
    while at < len(tokens):
        word, line = tokens[at][0], tokens[at][1]
        follows = tokens[at + 1][0] if at + 1 < len(tokens) else ""
        if word == "(":
            in_attributes = True
        elif word == ")":
            in_attributes = False
        elif in_attributes:
            if tokens[at - 1][0] in ("(", ",") and (word[0].isalpha() or word[0] in "_'\""):
                declaration.attributes[(member, word.strip("'\""))] = line
        elif word == "{":
            depth += 1
            expect = True
        elif word == "}":
            return at + 1
        elif depth and word == separator:
            expect = True
        elif word == "=" and declaration.kind == "table":
            declaration.defaults[member] = _default(tokens, at + 1)
        elif depth and expect and (word[0].isalpha() or word[0] == "_"):
            # A union's member may have a namespace: `kifu.EResetGame`; flatc calls it kifu_EResetGame.
            name = word
            while separator == "," and follows == "." and at + 2 < len(tokens):
                name += "_" + tokens[at + 2][0]
                at += 2
                follows = tokens[at + 1][0] if at + 1 < len(tokens) else ""
            member = name
            declaration.members[name] = line
            expect = False
            if declaration.kind == "struct":
                declaration.types[name] = _type(tokens, at + 2)
        at += 1
    return at


def _type(tokens, at):
    """The name of a type that begins at a token, without the brackets of an array."""
    name = ""
    while at < len(tokens) and re.fullmatch(r"[\w.\[]+", tokens[at][0]):
        name += tokens[at][0].strip("[")
        at += 1
    return name


def _default(tokens, at):
    """The default that begins at a token."""
    text = ""
    while at < len(tokens) and tokens[at][0] not in (";", "("):
        text += tokens[at][0]
        at += 1
    return text


class Sources:
    """The schema's files: the given one and all that it includes."""

    def __init__(self, path, include_dirs):
        self.main = os.path.realpath(path)
        self.include_dirs = include_dirs
        self.files = {}  # In the order in which flatc reads them to the end: what is included first.
        self.declarations = {}
        self.missing = []  # Includes of which no file can be read: path, line, name, and why.
        self._add(self.main, scan(self.main), set())

    def resolve(self, path, name):
        """The file that an include names: beside the including file, or in an include directory. None: not there."""
        for folder in [os.path.dirname(path)] + self.include_dirs:
            candidate = os.path.join(folder, name)
            if "\0" not in name and os.path.isfile(candidate):
                return os.path.realpath(candidate)
        return None

    def _add(self, path, file, seen):
        seen.add(path)
        for name, line in file.includes:
            target = self.resolve(path, name)
            if not target:
                self.missing.append((path, line, name, None))
            elif target not in seen:
                try:
                    self._add(target, scan(target), seen)
                except OSError as error:
                    self.missing.append((path, line, name, error.strerror))
        self.files[path] = file
        for declaration in file.declarations:
            self.declarations.setdefault(declaration.name, (path, declaration))

    def order(self, name):
        """Sorts declarations as a reader meets them."""
        if name not in self.declarations:
            return (len(self.files), 0)
        path, declaration = self.declarations[name]
        return (list(self.files).index(path), declaration.line)

    def place(self, name, member="", attribute=""):
        """File and line of a declaration, of its member, or of an attribute of either."""
        if name not in self.declarations:
            return (self.main, 1)
        path, declaration = self.declarations[name]
        line = declaration.members.get(member, declaration.line)
        return (path, declaration.attributes.get((member, attribute), line))
