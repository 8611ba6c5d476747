"""Whether types are still what a lock file says."""

import re

from . import names
from .differences import compare
from .evolution_findings import Findings


def inner(kind):
    """A type without brackets and length."""
    return re.sub(r"\W*([\w.]+).*", r"\1", kind)


class Types(Findings):
    """`table` is what compares tables."""

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
        if any(inner(each.type) in self.changed for each in old.entries):
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
                       "another one, and add fields of that at the tables' ends" % (
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
