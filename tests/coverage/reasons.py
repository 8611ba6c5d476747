"""Reads the lists of what no suite reaches or catches for a reason.

An entry begins with the name of a function, a colon, and what it is about; the reason follows, indented:

    kifu__os_replace_write: if (written == 0) [1]
    kifu__os_replace_write: errno = ENOSPC;
        No system that we know writes nothing and calls it no error.

Entries that follow one another share the reason. `*` is about the whole function. Line numbers and names of files are not in it: it stays true when lines move.
"""


def squeeze(text):
    return " ".join(text.split())


class Reasons:
    def __init__(self, path):
        self.path = path
        self.entries = {}  # (function, what) → reason
        self.used = set()
        self.faults = []
        with open(path, encoding="utf-8") as stream:
            self._read(stream)

    def _read(self, lines):
        heads, reasoned = [], False
        for number, line in enumerate(lines, 1):
            place = "%s:%d" % (self.path, number)
            if line.startswith("#") or not line.strip():
                continue
            if line[0].isspace():
                if not heads:
                    self.faults.append("%s: a reason of nothing" % place)
                for entry in heads:
                    self.entries[entry] = (self.entries[entry] + " " + line.strip()).strip()
                reasoned = True
                continue
            if reasoned:
                heads, reasoned = [], False
            function, _, what = line.partition(":")
            heads.append((function.strip(), squeeze(what)))
            if heads[-1] in self.entries:
                self.faults.append("%s: this is there twice" % place)
            self.entries[heads[-1]] = ""
        self.faults += ["%s: %s: %s: no reason" % (self.path, *entry)
                        for entry, reason in self.entries.items() if not reason]

    def of(self, function, what):
        """The reason, or None; and remembers that it was asked for."""
        for entry in ((function, squeeze(what)), (function, "*")):
            if entry in self.entries:
                self.used.add(entry)
                return self.entries[entry]
        return None

    def unused(self):
        return [entry for entry in self.entries if entry not in self.used]
