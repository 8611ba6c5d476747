"""What is found when a schema is compared with its lock file."""

import os


class Findings:
    def __init__(self, old, new, sources, path, report):
        self.old, self.new = ({each.name: each for each in sections[2:]} for sections in (old, new))
        self.heads = old[:3], new[:3]
        self.sources, self.path, self.report = sources, path, report
        self.command = "`kifuc lock %s`" % os.path.basename(sources.main)
        self.errors, self.warnings = [], []
        self.seen = set()
        self.changed = set()  # Old structs and enums whose bytes are others now.
        self.renumbered = set()  # Old enums of which an error was reported.

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

    def gone(self, name, member=""):
        """Whether the schema does not declare this any more."""
        return name not in self.sources.declarations or \
            bool(member) and member not in self.sources.declarations[name][1].members

    def before(self, section, entry):
        """Where something stood that is gone: at what is before it now."""
        earlier = [each for each in section.entries if each.number < entry.number]
        return max(earlier, key=lambda each: each.number).member if earlier else ""
