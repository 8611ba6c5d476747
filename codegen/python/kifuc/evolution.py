"""Whether a schema still reads the saves that depend on a lock file, and what to do where it does not."""

import re

from .differences import compare
from .evolution_types import Types, inner
from .lock import Section


class _Check(Types):
    def run(self):
        (game, version, union), (new_game, new_version, new_union) = self.heads
        if game.name != new_game.name:
            self.error(new_union, "", "the game was called %s %s, and refuses the saves of any other: keep its namespace" %
                       (game.name, self.at(game)))
        else:
            if int(new_version.name) < int(version.name):
                self.error(new_union, "", "`rules_version` was %s %s, and never goes down: old saves would say that they are "
                           "newer than the game" % (version.name, self.at(version)), "rules_version")
            self.actors(game, new_game, new_union)
            self.union(union, new_union)
        for _, place, message in self.errors:
            self.report.error(place, message)
        for place, message in self.warnings:
            self.report.warning(place, message)

    def actors(self, old, new, union):
        """Old saves know an actor by its handle, which counts in one pool."""
        before, now = old.about.partition("actors ")[2], new.about.partition("actors ")[2]
        if not before or before == now:
            return
        place = Section("struct", now.rpartition(".")[0] or union.name)
        if not now:
            self.error(place, "", "`%s` was (pool, actors) %s, and nothing is now: actions that are set in old saves would be "
                       "lost. Write (pool, actors) again" % (before, self.at(old)))
        elif self.gone(*before.rpartition(".")[::2]):
            self.renamed(place, now.rpartition(".")[2], "the pool `%s`" % now, "`%s`" % before, old,
                         "put `%s` back as (pool, actors)" % before)
        else:
            self.error(place, now.rpartition(".")[2], "the actors are in `%s` now, and were in `%s` %s: old saves have them "
                       "by their handles. Write (pool, actors) there again, and only (pool) here" % (
                           now, before, self.at(old)), "actors")

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
            new_table = self.new[now.name]
            if not self.gone(before.name) or not self.fits(new_table, self.table, self.old[before.name], new_table):
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
                           "back, and mark it (deprecated) if no Do needs it for old events" % (each.name, new.name, each.number, self.at(each)))
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
                self.error(new, now.member, "field %d is `%s` in old saves %s, and `%s` is something else: put `%s` back "
                           "as it was, and add `%s` behind the last field" % (
                               before.number, before.name, self.at(before), now.name, before.name, now.name))
            elif "transient" not in before.flags:
                self.renamed(new, now.member, "`%s`" % now.name, "`%s`" % before.name, before,
                             "put `%s` back as it was, and this at the table's end" % before.name)
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

        instead = "keep it as it was, for the Do of old events, and add a new field at the table's end"
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
        if old.default == new.default or inner(old.type) in self.renumbered:
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
        name = inner(entry.type)
        return entry.type if entry.type != other.type or name not in sections else "a " + sections[name].kind


def check(old, new, sources, path, report):
    """Reports what of a schema's sections would misread the saves that depend on `old`, those of the lock file at `path`."""
    _Check(old, new, sources, path, report).run()
