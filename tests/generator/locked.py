"""What the tests of the lock file share: a game that was released, and a schema that changes."""

import os
import shutil
import tempfile
import unittest

import tools

NEVER = "keep it as it was, for the Do of old events, and add a new field at the table's end"
SCHEMA = """include "kifu.fbs";
namespace nim;
enum Kind: ubyte { FOOD, WOOD }
enum Traits: ubyte (bit_flags) { FAST, STRONG }
struct State (state) { game: kifu.Game; heaps: [ushort: 4]; }
struct Spot { x: ubyte; kind: Kind; z: uint; }
table Item {
  name: string;
  spot: Spot;
}
table EDeal (engine) {
  stones: [ushort];
  items: [Item];
}
table PTake (player) {
  heap: ubyte;
  count: ushort = 1;
  luck: int = null;
  note: string;
  kind: Kind;
  traits: Traits;
  sum: int (transient);
}
table EGone (engine) {}
union Event {
  kifu.EAddPlayer,
  EDeal,
  PTake,
  EGone
}
"""


class Locked(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kifu-lock-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write(SCHEMA)
        self.assertEqual((0, "wrote nim.fbs.lock\n"), self.run_kifuc("lock", "nim.fbs"))

    def write(self, text):
        tools.write(os.path.join(self.folder, "nim.fbs"), text)

    def run_kifuc(self, *arguments):
        return tools.kifuc(*arguments, folder=self.folder)

    def read_lock(self):
        return tools.read(os.path.join(self.folder, "nim.fbs.lock")).decode()

    def line(self, text, start="table nim.PTake"):
        """The reference to the first line of the lock file that is `text`, behind the one that is `start`."""
        lines = self.read_lock().splitlines()
        return "(nim.fbs.lock:%d)" % (lines.index(text, lines.index(start)) + 1)

    def change(self, *changes):
        text = SCHEMA
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.write(text)

    def refused(self, changes, *expected):
        """`expected` are lines, as in "15: `heap` is …"."""
        self.change(*changes)
        before = self.read_lock()
        shutil.rmtree(os.path.join(self.folder, "out"), ignore_errors=True)
        said = "".join("nim.fbs:%s\n" % each.replace(":", ": error:", 1) for each in expected)
        self.assertEqual((1, said), self.run_kifuc("gen", "nim.fbs", "-o", "out"))
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out")), "nothing is written")
        self.assertEqual((1, said), self.run_kifuc("lock", "nim.fbs"))
        self.assertEqual(before, self.read_lock())
        # For games never released.
        self.assertEqual((0, "wrote nim.fbs.lock\n"), self.run_kifuc("lock", "nim.fbs", "--force"))
        self.assertEqual((0, ""), self.run_kifuc("gen", "nim.fbs", "-o", "out"))

    def passes(self, *changes):
        """Compatible: gen says nothing, before the lock is renewed and after."""
        self.change(*changes)
        self.assertEqual((0, ""), self.run_kifuc("gen", "nim.fbs", "-o", "out"))
        status, said = self.run_kifuc("lock", "nim.fbs")
        self.assertEqual(0, status)
        self.assertEqual((0, ""), self.run_kifuc("gen", "nim.fbs", "-o", "out"))
        return said

    def warned(self, changes, *expected):
        """A new name: said until the lock is renewed."""
        self.change(*changes)
        said = "".join("nim.fbs:%s\n" % each.replace(":", ": warning:", 1) for each in expected)
        self.assertEqual((0, said), self.run_kifuc("gen", "nim.fbs", "-o", "out"))
        self.assertEqual((0, said + "wrote nim.fbs.lock\n"), self.run_kifuc("lock", "nim.fbs"))
        self.assertEqual((0, ""), self.run_kifuc("gen", "nim.fbs", "-o", "out"))
