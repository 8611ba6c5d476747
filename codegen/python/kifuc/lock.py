"""What the saves of a released game depend on.

Sections (`table nim.PTake`), each with entries: the numbers by which saves know what is in it. They are a union member's or
a field's id, an enum's value, a struct member's offset. lock_file.py writes them to the lock file.
"""

from dataclasses import dataclass, field
from typing import List

from . import reflection as r

_SCALARS = {r.BOOL: "bool", r.BYTE: "byte", r.UBYTE: "ubyte", r.SHORT: "short", r.USHORT: "ushort", r.INT: "int",
            r.UINT: "uint", r.LONG: "long", r.ULONG: "ulong", r.FLOAT: "float", r.DOUBLE: "double"}


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

    def event(self, member):
        table = self.schema.objects[member.type.index]
        who = [name for name in ("engine", "player") if name in table.attributes]
        return Entry(member.value, self.found_name(table), flags=who, member=member.name)

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


def describe(schema, union, game):
    """The sections of a schema, by name: reachable from the union, in the order of first use, and by kind."""
    describer = _Describer(schema)
    actors = ["actors %s.%s" % (game.state.name, each.field.label) for each in game.pools if each.actors]
    head = Section("game", game.name, "".join(actors))
    version = Section("rules_version", union.attributes.get("rules_version", "1"))
    events = Section("union", union.name, "", [describer.event(each) for each in union.values if each.value])
    events.entries.sort(key=lambda each: each.number)
    sections = []
    while describer.waiting:
        sections.append(describer.section(describer.waiting.pop(0)))
    sections.sort(key=lambda each: ("table", "struct", "enum").index(each.kind))
    return [head, version, events] + sections
