"""What kifuc has to say about a schema: errors and warnings, each with its place."""

import sys

from . import paths


class Stop(Exception):
    """Ends the run; what is wrong has been reported, or is the exception's text."""


class Report:
    """Collects errors, so that one run shows them all, and writes warnings and errors as `file:line: error: …`."""

    def __init__(self, stream=None):
        self.stream = stream or sys.stderr
        self.absolute = False  # Show absolute paths: where the user gave one.
        self.errors = []
        self.warnings = []

    def path(self, path):
        """`path` as the user would write it."""
        return path if self.absolute else paths.shown(path)

    def error(self, place, message):
        if (place, message) not in self.errors:
            self.errors.append((place, message))

    def warning(self, place, message):
        self.warnings.append((place, message))

    def flush(self):
        """Writes what was collected, by file and line; raises Stop if there are errors."""
        for kind, entries in (("warning", self.warnings), ("error", self.errors)):
            for (file, line), message in sorted(entries, key=lambda each: each[0]):
                print("%s:%d: %s: %s" % (self.path(file), line, kind, message), file=self.stream)
        failed = bool(self.errors)
        self.warnings, self.errors = [], []
        if failed:
            raise Stop()
