"""The lock file: what the saves of a released game depend on.

A line at the margin opens a section (`table nim.PTake`); the indented ones are what is in it, each with the number by which
saves know it: a union member's or a field's id, an enum's value, a struct member's offset.
"""

import os
import re
from dataclasses import dataclass, field
from typing import List

from . import names, reflection as r
from .report import Stop

_SCALARS = {r.BOOL: "bool", r.BYTE: "byte", r.UBYTE: "ubyte", r.SHORT: "short", r.USHORT: "ushort", r.INT: "int",
            r.UINT: "uint", r.LONG: "long", r.ULONG: "ulong", r.FLOAT: "float", r.DOUBLE: "double"}
_SECTION = re.compile(r"(game|rules_version|union|table|struct|enum) ([\w.]+)(?:: (.+))?")
_ENTRY = re.compile(r"  (-?\d+) ([\w.]+)(?:: (\S+))?(?: = (\S+))?(?: \(([a-z, ]+)\))?")
_HEAD = """# What saves of this game depend on, as of its last release: kifuc refuses changes of {schema} that would misread them.
# Commit this file, and renew it with each release: kifuc lock {schema}
"""


@dataclass
class Entry:
    number: int
    name: str
    type: str = ""
    default: str = ""  # "null" of an optional field; empty of what is no scalar.
    flags: List[str] = field(default_factory=list)
    member: str = ""  # Its name in the schema's text.
    line: int = 0  # In the lock file.

    def text(self):
        return "  %d %s%s%s%s" % (self.number, self.name, ": " + self.type if self.type else "",
                                  " = " + self.default if self.default else "",
                                  " (%s)" % ", ".join(self.flags) if self.flags else "")


@dataclass
class Section:
    kind: str
    name: str
    about: str = ""
    entries: List[Entry] = field(default_factory=list)
    line: int = 0

    def text(self):
        head = "%s %s%s" % (self.kind, self.name, ": " + self.about if self.about else "")
        return "\n".join([head] + [each.text() for each in self.entries]) + "\n"


# --- From the schema -------------------------------------------------------------------------------------------------

class _Describer:
    def __init__(self, schema):
        self.schema = schema
        self.found = {}
        self.waiting = []

    def type(self, source):
        """A type's name in the language of schemas; what it names will have a section, too."""
        base = source.element if source.base in (r.VECTOR, r.ARRAY) else source.base
        if base in _SCALARS:
            name = self.found_name(self.schema.enums[source.index]) if source.index >= 0 else _SCALARS[base]
        else:
            name = "string" if base == r.STRING else self.found_name(self.schema.objects[source.index])
        length = ":%d" % source.fixed_length if source.base == r.ARRAY else ""
        return name if base == source.base else "[%s%s]" % (name, length)

    def found_name(self, item):
        if item.name not in self.found:
            self.found[item.name] = None  # Its turn comes.
            self.waiting.append(item)
        return item.name

    def default(self, source):
        base = source.type.base
        if base not in _SCALARS:
            return ""
        if source.optional:
            return "null"
        if base in (r.FLOAT, r.DOUBLE):
            return repr(source.default_real)
        if base == r.BOOL and source.type.index < 0:
            return "true" if source.default_integer else "false"
        return str(_unsigned(source.default_integer, base))

    def section(self, item):
        if isinstance(item, r.Enum):
            base = item.underlying.base
            flags = ", bit_flags" if "bit_flags" in item.attributes else ""
            return Section("enum", item.name, _SCALARS[base] + flags, [
                Entry(_unsigned(each.value, base), each.name, member=each.name) for each in item.values])
        if item.is_struct:
            return Section("struct", item.name, "%d bytes, aligned to %d" % (item.bytesize, item.minalign), [
                Entry(each.offset, each.name, self.type(each.type), member=each.name) for each in item.fields])
        result = Section("table", item.name)
        for each in item.fields:
            flags = [name for name in ("required", "deprecated", "transient") if name in each.attributes]
            # What is never saved brings no types with it.
            kind = _Describer(self.schema).type(each.type) if "transient" in flags else self.type(each.type)
            result.entries.append(Entry(each.id, each.name, kind, self.default(each), flags, each.name))
        return result


def _unsigned(value, base):
    return value & 2 ** 64 - 1 if base == r.ULONG else value


def describe(schema, union):
    """The sections of a schema, by name: reachable from the union, in the order of first use, and by kind."""
    describer = _Describer(schema)
    game = Section("game", names.split(union.name)[0])
    version = Section("rules_version", union.attributes.get("rules_version", "1"))
    events = Section("union", union.name, "", [
        Entry(each.value, describer.found_name(schema.objects[each.type.index]), member=each.name)
        for each in union.values if each.value])
    events.entries.sort(key=lambda each: each.number)
    sections = []
    while describer.waiting:
        sections.append(describer.section(describer.waiting.pop(0)))
    sections.sort(key=lambda each: ("table", "struct", "enum").index(each.kind))
    return [game, version, events] + sections


# --- The file --------------------------------------------------------------------------------------------------------

def render(sections, schema):
    """A lock file's text. `schema` is the name of the schema's file."""
    texts = [each.text() for each in sections]
    return _HEAD.format(schema=schema) + "\n" + texts[0] + texts[1] + "\n" + "\n".join(texts[2:])


def read(path, report):
    """The sections of a lock file; None: there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            lines = stream.read().splitlines()
    except FileNotFoundError:
        return None
    sections = []
    for number, line in enumerate(lines, 1):
        head, entry = _SECTION.fullmatch(line), _ENTRY.fullmatch(line)
        if head:
            sections.append(Section(head.group(1), head.group(2), head.group(3) or "", [], number))
        elif entry and sections:
            flags = entry.group(5).split(", ") if entry.group(5) else []
            sections[-1].entries.append(Entry(int(entry.group(1)), entry.group(2), entry.group(3) or "",
                                              entry.group(4) or "", flags, "", number))
        elif line.strip() and not line.startswith("#"):
            report.error((path, number), "this is not a line of a lock file: restore the file that was committed; only kifuc "
                                         "writes it")
    kinds = [each.kind for each in sections]
    tables = {each.name for each in sections if each.kind == "table"}
    if not report.errors and (kinds[:3] != ["game", "rules_version", "union"] or not sections[1].name.isdigit()
                              or not {each.name for each in sections[2].entries} <= tables):
        report.error((path, 1), "this is not a whole lock file: restore the file that was committed; only kifuc writes it")
    report.flush()
    return sections


def write(path, text):
    """Writes a lock file if it changes; says what it did."""
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            if stream.read() == text:
                return "left  %s: it is as it should be" % path
    except (FileNotFoundError, UnicodeDecodeError):
        pass
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise Stop("%s: there is no such folder" % os.path.dirname(path))
    with open(path, "w", encoding="utf-8", newline="") as stream:
        stream.write(text)
    return "wrote %s" % path
