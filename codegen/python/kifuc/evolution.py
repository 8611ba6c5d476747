"""Whether a schema still reads the saves that depend on a lock file, and what to do where it does not."""

import os
import re

from . import names
from .differences import compare


def _inner(kind):
    """A type without brackets and length."""
    return re.sub(r"\W*([\w.]+).*", r"\1", kind)


class _Check:
    def __init__(self, old, new, sources, path, report):
        self.old, self.new = ({each.name: each for each in sections[2:]} for sections in (old, new))
        self.heads = old[:3], new[:3]
        self.sources, self.path, self.report = sources, path, report
        self.command = "`kifuc lock %s`" % os.path.basename(sources.main)
        self.errors, self.warnings = [], []
        self.seen = set()
        self.changed = set()  # Old structs and enums whose bytes are others now.
        self.renumbered = set()  # Old enums of which an error was reported.

    def run(self):
        (game, version, union), (new_game, new_version, new_union) = self.heads
        if game.name != new_game.name:
            self.error(new_union, "", "the game was called %s %s, and refuses the saves of any other: keep its namespace" %
                       (game.name, self.at(game)))
        else:
            if int(new_version.name) < int(version.name):
                self.error(new_union, "", "`rules_version` was %s %s, and never goes down: old saves would say that they are "
                           "newer than the game" % (version.name, self.at(version)), "rules_version")
            self.union(union, new_union)
        for _, place, message in self.errors:
            self.report.error(place, message)
        for place, message in self.warnings:
            self.report.warning(place, message)

    # --- What is said ---

    def at(self, item):
        return "(%s:%d)" % (self.report.path(self.path), item.line)

    def error(self, section, member, message, attribute=""):
        self.errors.append((section.name, self.sources.place(section.name, member, attribute), message))

    def renamed(self, section, member, new, old, item, otherwise):
        self.warnings.append((self.sources.place(section.name, member), "%s was called %s %s: what old saves have under "
                              "that name becomes this. If only the name is new, %s records it; if not, %s" % (
                                  new, old, self.at(item), self.command, otherwise)))

    def fits(self, section, compare_them, *values):
        """Whether a comparison finds nothing wrong in `section` itself. If it does, all that it found is forgotten."""
        errors, warnings = len(self.errors), len(self.warnings)
        kept = set(self.seen), set(self.changed), set(self.renumbered)
        compare_them(*values)
        if all(name != section.name for name, _, _ in self.errors[errors:]):
            return True
        del self.errors[errors:], self.warnings[warnings:]
        self.seen, self.changed, self.renumbered = kept
        return False

    def before(self, section, entry):
        """Where something stood that is gone: at what is before it now."""
        earlier = [each for each in section.entries if each.number < entry.number]
        return max(earlier, key=lambda each: each.number).member if earlier else ""

    # --- What is compared ---

    def gone(self, name):
        return name not in self.sources.declarations

    def union(self, old, new):
        changes = compare(old.entries, new.entries)
        for each in changes.removed:
            self.error(new, self.before(new, each), "%s is gone from the union, and old saves have it as number %d %s: put "
                       "it back in its place. Nothing has to submit it any more, and with `superseded_by` it needs no Do" %
                       (each.name, each.number, self.at(each)))
        for each in changes.inserted:
            there = next(one for one in old.entries if one.number == each.number)
            self.error(new, each.member, "%s is new, and takes the number %d, which is %s in old saves %s: move it to the "
                       "union's end" % (each.name, each.number, there.name, self.at(there)))
        for before, now in changes.moved:
            self.error(new, now.member, "%s is number %d in old saves %s, and %d here: put the union's members back in "
                       "their order; new ones go to its end" % (now.name, before.number, self.at(before), now.number))
        for before, now in changes.renamed:
            if not self.gone(before.name) or not self.fits(self.new[now.name], self.table, self.old[before.name], self.new[now.name]):
                self.error(new, now.member, "number %d is %s in old saves %s, and %s is something else: put %s back; new "
                           "events go to the union's end" % (before.number, before.name, self.at(before), now.name,
                                                             before.name))
            else:
                self.renamed(new, now.member, now.name, before.name, before,
                             "put %s back, and this at the union's end" % before.name)
        for before, now in changes.pairs + changes.renamed:
            self.who(before, now)
        for before, now in changes.pairs:
            self.table(self.old[before.name], self.new[now.name])

    def who(self, old, new):
        """The player of each event is in the save; an engine event has none. (The first lock files do not say who.)"""
        if old.flags and old.flags != new.flags:
            meaning = "have no player, and its Do would get player -1" if new.flags == ["player"] else \
                "have a player, and those that wait would happen without the check of a player's event"
            self.error(self.new[new.name], "", "%s is (%s) now, and was (%s) %s: its events in old saves %s. Write (%s) again; "
                       "if it must be (%s), add another event at the union's end, and mark this one `superseded_by`" % (
                           new.name, new.flags[0], old.flags[0], self.at(old), meaning, old.flags[0], new.flags[0]),
                       new.flags[0])

    def table(self, old, new):
        if (old.name, new.name) in self.seen:
            return
        self.seen.add((old.name, new.name))
        changes = compare(old.entries, new.entries)
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
            if not self.fits(new, self.field, new, before, now):
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
        if old.default == new.default or _inner(old.type) in self.renumbered:
            return
        before, now = self.value(old, self.old), self.value(new, self.new)
        if old.default == "null":
            error("was optional %s, and is not now: where old saves have none, it would become %s. Write `= null` again, "
                  "or %s", self.at(old), now, instead)
        elif new.default == "null":
            error("is optional now, and was not %s: old events without it had %s. Write `= %s` again, or %s", self.at(old),
                  before, before, instead)
        elif "deprecated" in new.flags:
            error("is %s by default now, and was %s %s: write `= %s` again, because it may come back some day, and events "
                  "that are older than the field have that", now, before, self.at(old), before)
        else:
            error("is %s by default now, and was %s %s, which events that are older than the field have: write `= %s` "
                  "again. New events have what their submit passes", now, before, self.at(old), before)

    @staticmethod
    def value(entry, sections):
        """A default as the schema has it: of an enum, the names."""
        section = sections.get(entry.type)
        if not section or not re.fullmatch(r"-?\d{1,20}", entry.default):
            return entry.default
        number = int(entry.default)
        names_of = [each.name for each in section.entries if each.number == number or
                    ("bit_flags" in section.about and each.number & number)]
        return entry.default if not names_of else names_of[0] if len(names_of) == 1 else '"%s"' % " ".join(names_of)

    @staticmethod
    def kind(entry, other, sections):
        """An entry's type; where another of the same name is meant, what it is."""
        name = _inner(entry.type)
        return entry.type if entry.type != other.type or name not in sections else "a " + sections[name].kind

    def same_type(self, old, new):
        """Whether two entries are of one type; a mistake inside a type with its old name is reported there."""
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
        changes = compare(old.entries, new.entries)
        what = None
        for before, now in changes.pairs + changes.renamed:
            if not self.same_type(before, now):
                what = what or (now.member, "`%s` was %s %s, and is %s now" % (now.name, before.type, self.at(before),
                                                                               now.type))
        if any(_inner(each.type) in self.changed for each in old.entries):
            self.changed.add(old.name)
            return  # It holds one that has changed: that is said there.
        if changes.removed:
            each = changes.removed[0]
            what = self.before(new, each), "`%s` is gone %s" % (each.name, self.at(each))
        elif changes.inserted or changes.added:
            each = (changes.inserted + changes.added)[0]
            what = each.member, "`%s` is new %s" % (each.name, self.at(old))
        elif changes.moved and not what:
            before, now = changes.moved[0]
            what = now.member, "`%s` was at byte %d %s, and is at %d now" % (now.name, before.number, self.at(before),
                                                                             now.number)
        elif not what and old.about != new.about:
            what = "", "it was of %s %s" % (old.about, self.at(old))
        if what:
            self.changed.add(old.name)
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
        errors = len(self.errors)
        if old.about != new.about:
            self.kind_of_enum(old, new)
        else:
            self.values(old, new)
        if len(self.errors) > errors:
            self.renumbered.add(old.name)

    def kind_of_enum(self, old, new):
        before, now = old.about.split(", "), new.about.split(", ")
        if before[0] != now[0]:
            self.changed.add(old.name)
            self.error(new, "", "the values of %s were of type %s %s, and are %s now: write `enum %s: %s` again" % (
                new.name, before[0], self.at(old), now[0], names.split(new.name)[1], before[0]))
        elif len(now) > 1:
            self.error(new, "", "%s is bit_flags now, and was not %s: old values would change their meaning. Remove "
                       "(bit_flags)" % (new.name, self.at(old)))
        else:
            self.error(new, "", "%s was bit_flags %s, and is not now: old values would change their meaning. Write "
                       "(bit_flags) again" % (new.name, self.at(old)))

    def values(self, old, new):
        def number(entry):
            """As the schema has it: of bit_flags, which bit."""
            return entry.number.bit_length() - 1 if "bit_flags" in old.about else entry.number

        changes = compare(old.entries, new.entries)
        for each in changes.removed:
            self.error(new, self.before(new, each), "`%s = %d` is gone from %s, and old saves may have it %s: put it "
                       "back" % (each.name, number(each), new.name, self.at(each)))
        for each in changes.inserted:
            there = next(one for one in old.entries if one.number == each.number)
            self.error(new, each.member, "`%s` is new, and takes the number %d, which is `%s` in old saves %s: move it to "
                       "the enum's end" % (each.name, number(each), there.name, self.at(there)))
        moved_by = 0
        for before, now in sorted(changes.moved, key=lambda each: each[1].number):
            if number(now) - number(before) != moved_by:  # Those behind it are moved with it.
                self.error(new, now.member, "`%s` is %d in old saves %s, and %d here: give it its number back" % (
                    now.name, number(before), self.at(before), number(now)))
            moved_by = number(now) - number(before)
        for before, now in changes.renamed:
            self.renamed(new, now.member, "`%s`" % now.name, "`%s`" % before.name, before,
                         "put `%s` back, and this at the enum's end" % before.name)


def check(old, new, sources, path, report):
    """Reports what of a schema's sections would misread the saves that depend on `old`, those of the lock file at `path`."""
    _Check(old, new, sources, path, report).run()
