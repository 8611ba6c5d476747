"""The lock file: what the saves of a released game depend on, and whether a schema still fits it.

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
            report.error((path, number), "this is no line of a lock file: take the file as it was committed; only kifuc "
                                         "writes it")
    kinds = [each.kind for each in sections]
    tables = {each.name for each in sections if each.kind == "table"}
    if not report.errors and (kinds[:3] != ["game", "rules_version", "union"] or not sections[1].name.isdigit()
                              or not {each.name for each in sections[2].entries} <= tables):
        report.error((path, 1), "this is not a whole lock file: take the file as it was committed; only kifuc writes it")
    report.flush()
    return sections


# --- The comparison --------------------------------------------------------------------------------------------------

@dataclass
class _Changes:
    """How two lists of entries differ. What is renamed keeps its number; of what else is wrong, only the cause is told."""
    pairs: list
    renamed: list
    removed: list
    inserted: list
    moved: list
    added: list


def _compare(old, new):
    by_name, by_number = {each.name: each for each in new}, {each.number: each for each in new}
    known, numbers = {each.name for each in old}, {each.number for each in old}
    result = _Changes([(each, by_name[each.name]) for each in old if each.name in by_name], [], [], [], [], [])
    result.moved = [(a, b) for a, b in result.pairs if a.number != b.number]
    for each in old:
        there = by_number.get(each.number)
        if each.name in by_name:
            continue
        if there and there.name not in known and not result.moved:
            result.renamed.append((each, there))
        else:
            result.removed.append(each)
    new_names = [b for _, b in result.renamed]
    for each in new:
        if each.name not in known and each not in new_names:
            (result.inserted if each.number in numbers else result.added).append(each)
    if result.removed:
        result.inserted, result.moved = [], []
    elif result.inserted:
        result.moved = []
    return result


class _Check:
    def __init__(self, old, new, sources, path, report):
        self.old, self.new = ({each.name: each for each in sections[2:]} for sections in (old, new))
        self.heads = old[:3], new[:3]
        self.sources, self.path, self.report = sources, path, report
        self.command = "`kifuc lock %s`" % os.path.basename(sources.main)
        self.errors, self.warnings = [], []
        self.seen = set()

    def run(self):
        (game, version, union), (new_game, new_version, new_union) = self.heads
        if game.name != new_game.name:
            self.error(new_union, "", "the game was called %s %s, and refuses the saves of any other: keep its namespace" %
                       (game.name, self.at(game)))
        else:
            if int(new_version.name) < int(version.name):
                place = self.sources.place(new_union.name, "", "rules_version")
                self.errors.append((place, "`rules_version` was %s %s, and never goes down: old saves would say that they are "
                                           "newer than the game" % (version.name, self.at(version))))
            self.union(union, new_union)
        for place, message in self.errors:
            self.report.error(place, message)
        for place, message in self.warnings:
            self.report.warning(place, message)

    # --- What is said ---

    def at(self, item):
        return "(%s:%d)" % (self.report.path(self.path), item.line)

    def error(self, section, member, message):
        self.errors.append((self.sources.place(section.name, member), message))

    def renamed(self, section, member, new, old, item, otherwise):
        self.warnings.append((self.sources.place(section.name, member), "%s was called %s %s: what old saves have of it "
                              "becomes this. If only the name is new, %s records it; if not, %s" % (
                                  new, old, self.at(item), self.command, otherwise)))

    def fits(self, compare, *values):
        """Whether a comparison finds no error; if it does, nothing is said of it."""
        errors, warnings = len(self.errors), len(self.warnings)
        compare(*values)
        if len(self.errors) == errors:
            return True
        del self.errors[errors:], self.warnings[warnings:]
        return False

    def before(self, section, entry):
        """Where something stood that is gone: at what is before it now."""
        earlier = [each for each in section.entries if each.number < entry.number]
        return max(earlier, key=lambda each: each.number).member if earlier else ""

    # --- What is compared ---

    def gone(self, name):
        return name not in self.sources.declarations

    def union(self, old, new):
        changes = _compare(old.entries, new.entries)
        for each in changes.removed:
            self.error(new, self.before(new, each), "%s is gone from the union, and old saves have it as number %d %s: put "
                       "it back in its place. Nothing needs to submit it any more" % (each.name, each.number, self.at(each)))
        for each in changes.inserted:
            there = next(one for one in old.entries if one.number == each.number)
            self.error(new, each.member, "%s is new, and takes the number %d, which is %s in old saves %s: move it to the "
                       "union's end" % (each.name, each.number, there.name, self.at(there)))
        for before, now in changes.moved:
            self.error(new, now.member, "%s is number %d in old saves %s, and %d here: put the union's members back in "
                       "their order; new ones go to its end" % (now.name, before.number, self.at(before), now.number))
        for before, now in changes.renamed:
            if not self.gone(before.name) or not self.fits(self.table, self.old[before.name], self.new[now.name]):
                self.error(new, now.member, "number %d is %s in old saves %s, and %s is something else: put %s back; new "
                           "events go to the union's end" % (before.number, before.name, self.at(before), now.name,
                                                             before.name))
            else:
                self.renamed(new, now.member, now.name, before.name, before,
                             "put %s back, and this at the union's end" % before.name)
        for before, now in changes.pairs:
            self.table(self.old[before.name], self.new[now.name])

    def table(self, old, new):
        if (old.name, new.name) in self.seen:
            return
        self.seen.add((old.name, new.name))
        changes = _compare(old.entries, new.entries)
        for each in changes.removed:
            # Of a transient field at the table's end, no save knows.
            if "transient" not in each.flags or any(a.number != b.number for a, b in changes.pairs):
                self.error(new, self.before(new, each), "`%s` is gone from %s, and old saves have it as field %d %s: put it "
                           "back, and mark it (deprecated)" % (each.name, new.name, each.number, self.at(each)))
        for each in changes.inserted:
            there = next(one for one in old.entries if one.number == each.number)
            self.error(new, each.member, "`%s` is new, and takes the id %d, which is `%s` in old saves %s: move it to the "
                       "table's end, or number all its fields, as in `%s: … (id: %d)`" % (
                           each.name, each.number, there.name, self.at(there), there.name, there.number))
        for before, now in changes.moved:
            self.error(new, now.member, "`%s` is field %d in old saves %s, and %d here: put the fields back in their order, "
                       "or number all of them, as in `%s: … (id: %d)`" % (
                           now.name, before.number, self.at(before), now.number, now.name, before.number))
        for before, now in changes.renamed:
            if not self.fits(self.field, new, before, now):
                self.error(new, now.member, "field %d is `%s` in old saves %s, and `%s` is something else: put `%s` back, "
                           "marked (deprecated), and add `%s` behind the last field" % (
                               before.number, before.name, self.at(before), now.name, before.name, now.name))
            elif "transient" not in before.flags:
                self.renamed(new, now.member, "`%s`" % now.name, "`%s`" % before.name, before,
                             "put `%s` back, marked (deprecated), and this at the table's end" % before.name)
        for before, now in changes.pairs:
            self.field(new, before, now)
        for each in changes.added:
            if "required" in each.flags:
                self.error(new, each.member, "`%s` is new and required, and the %s of old saves have none: remove `required`"
                           % (each.name, new.name))

    def field(self, table, old, new):
        """One field; `table` is that of the new one."""
        def error(message, *values):
            self.error(table, new.member, ("`%s` " % new.name) + message % values)

        instead = "keep it as it was, mark it (deprecated), and add a new field at the table's end"
        if "required" in new.flags and ("required" not in old.flags or {"deprecated", "transient"} & set(old.flags)):
            error("is required now, and was not %s: old saves may be without. Remove `required`", self.at(old))
        if "transient" in old.flags:
            return  # No save has it.
        if "transient" in new.flags:
            error("is transient now, and was not %s: what old saves say would be lost; %s that is transient", self.at(old),
                  instead)
            return
        if not self.same_type(old, new):
            error("was %s %s, and is %s now: %s", self.kind(old, new, self.old), self.at(old),
                  self.kind(new, old, self.new), instead)
            return
        if "deprecated" in new.flags or old.default == new.default:
            return
        if old.default == "null":
            error("was optional %s, and is not now: where old saves have none, it would become %s. Write `= null` again, or %s",
                  self.at(old), new.default, instead)
        elif new.default == "null":
            error("is optional now, and was not %s: old events without it had %s. Write `= %s` again, or %s", self.at(old),
                  old.default, old.default, instead)
        else:
            error("is %s by default now, and was %s %s, which events that are older than the field have: write `= %s` again. "
                  "What new events have is up to whoever submits them", new.default, old.default, self.at(old), old.default)

    @staticmethod
    def kind(entry, other, sections):
        """An entry's type; where another of the same name is meant, what it is."""
        name = entry.type.strip("[]")
        return entry.type if entry.type != other.type or name not in sections else "a " + sections[name].kind

    def same_type(self, old, new):
        """Whether two entries are of one type; what is wrong inside a type that has kept its name is told there."""
        shape = re.compile(r"(\[?)([\w.]+)(.*)")
        before, now = shape.fullmatch(old.type), shape.fullmatch(new.type)
        if not before or before.group(1, 3) != now.group(1, 3):
            return False
        a, b = self.old.get(before.group(2)), self.new.get(now.group(2))
        if not a or not b:
            return before.group(2) == now.group(2)
        if a.kind != b.kind or (a.name != b.name and (not self.gone(a.name) or b.name in self.old)):
            return False
        if a.name != b.name and (a.name, b.name) not in self.seen:
            self.renamed(b, "", b.name, a.name, a, "keep %s, and declare this besides" % a.name)
        {"table": self.table, "struct": self.struct, "enum": self.enum}[a.kind](a, b)
        return True

    def struct(self, old, new):
        if (old.name, new.name) in self.seen:
            return
        self.seen.add((old.name, new.name))
        changes = _compare(old.entries, new.entries)
        what = None
        if changes.removed:
            each = changes.removed[0]
            what = self.before(new, each), "`%s` is gone %s" % (each.name, self.at(each))
        elif changes.inserted or changes.added:
            each = (changes.inserted + changes.added)[0]
            what = each.member, "`%s` is new %s" % (each.name, self.at(old))
        elif changes.moved:
            before, now = changes.moved[0]
            what = now.member, "`%s` was at byte %d %s, and is at %d now" % (now.name, before.number, self.at(before),
                                                                             now.number)
        for before, now in changes.pairs + changes.renamed:
            if not what and not self.same_type(before, now):
                what = now.member, "`%s` was %s %s, and is %s now" % (now.name, before.type, self.at(before), now.type)
        if not what and old.about != new.about:
            what = "", "it was of %s %s" % (old.about, self.at(old))
        if what:
            self.error(new, what[0], "the struct %s has changed: %s. A struct stays as it is for ever: put it back, declare "
                       "another one, add fields of that at the tables' ends, and mark those of this (deprecated)" % (
                           new.name, what[1]))
            return
        for before, now in changes.renamed:
            self.renamed(new, now.member, "`%s`" % now.name, "`%s`" % before.name, before,
                         "put `%s` back, and declare another struct" % before.name)

    def enum(self, old, new):
        if (old.name, new.name) in self.seen:
            return
        self.seen.add((old.name, new.name))
        if old.about != new.about:
            before, now = old.about.split(", "), new.about.split(", ")
            if before[0] != now[0]:
                self.error(new, "", "the values of %s were of type %s %s, and are %s now: write `enum %s: %s` again" % (
                    new.name, before[0], self.at(old), now[0], names.split(new.name)[1], before[0]))
            else:
                self.error(new, "", "%s %s: its values would mean others. %s" % (
                    new.name, ("is bit_flags now, and was not " if len(now) > 1 else "was bit_flags ") + self.at(old) +
                    ("" if len(now) > 1 else ", and is not now"),
                    "Remove (bit_flags)" if len(now) > 1 else "Write (bit_flags) again"))
            return
        changes = _compare(old.entries, new.entries)
        for each in changes.removed:
            self.error(new, self.before(new, each), "`%s = %d` is gone from %s, and old saves may have it %s: put it back" % (
                each.name, each.number, new.name, self.at(each)))
        for each in changes.inserted:
            there = next(one for one in old.entries if one.number == each.number)
            self.error(new, each.member, "`%s` is new, and takes the number %d, which is `%s` in old saves %s: move it to the "
                       "enum's end" % (each.name, each.number, there.name, self.at(there)))
        for before, now in changes.moved:
            self.error(new, now.member, "`%s` is %d in old saves %s, and %d here: give it its number back" % (
                now.name, before.number, self.at(before), now.number))
        for before, now in changes.renamed:
            self.renamed(new, now.member, "`%s`" % now.name, "`%s`" % before.name, before,
                         "put `%s` back, and this at the enum's end" % before.name)


def check(old, new, sources, path, report):
    """Reports what in a schema's sections would misread the saves that depend on those of the lock file at `path`."""
    _Check(old, new, sources, path, report).run()


def write(path, text):
    """Writes a lock file where it changes; says what it did."""
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
