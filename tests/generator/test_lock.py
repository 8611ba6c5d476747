"""The lock file: what would misread old saves is refused, with the line and the way to do it right; the rest passes."""

import os
import shutil
import tempfile
import unittest

import tools

NEVER = "keep it as it was, mark it (deprecated), and add a new field at the table's end"
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


class LockEvents(Locked):
    def test_removed_from_the_end(self):
        self.refused([("PTake,\n  EGone", "PTake"), ("table EGone (engine) {}", "")],
                     "28: nim.EGone is gone from the union, and old saves have it as number 4 %s: put it back in its place. "
                     "Nothing has to submit it any more, and with `superseded_by` it needs no Do" % self.line("  4 nim.EGone", "union nim.Event"))

    def test_removed_before_the_end(self):
        self.refused([("  EDeal,\n", ""), ("table EDeal (engine)", "table Deal")],
                     "26: nim.EDeal is gone from the union, and old saves have it as number 2 %s: put it back in its place. "
                     "Nothing has to submit it any more, and with `superseded_by` it needs no Do" % self.line("  2 nim.EDeal", "union nim.Event"))

    def test_inserted(self):
        self.refused([("  EDeal,\n", "  ENew,\n  EDeal,\n"), ("union", "table ENew (engine) {}\nunion")],
                     "28: nim.ENew is new, and takes the number 2, which is nim.EDeal in old saves %s: move it to the union's "
                     "end" % self.line("  2 nim.EDeal", "union nim.Event"))

    def test_reordered(self):
        self.refused([("  EDeal,\n  PTake,\n", "  PTake,\n  EDeal,\n")],
                     "27: nim.PTake is number 3 in old saves %s, and 2 here: put the union's members back in their order; new "
                     "ones go to its end" % self.line("  3 nim.PTake", "union nim.Event"),
                     "28: nim.EDeal is number 2 in old saves %s, and 3 here: put the union's members back in their order; new "
                     "ones go to its end" % self.line("  2 nim.EDeal", "union nim.Event"))

    def test_replaced(self):
        """By another event, while the table of the old one is still there; by one that reads other bytes."""
        at = self.line("  4 nim.EGone", "union nim.Event")
        self.refused([("PTake,\n  EGone", "PTake,\n  ENew"), ("EGone (engine) {}", "ENew (engine) {} table EGone {}")],
                     "29: number 4 is nim.EGone in old saves %s, and nim.ENew is something else: put nim.EGone back; new events "
                     "go to the union's end" % at)

    def test_replaced_by_another_shape(self):
        self.refused([("  PTake,", "  PGive,"), ("table PTake", "table PGive"), ("count: ushort = 1", "count: uint = 1")],
                     "28: number 3 is nim.PTake in old saves %s, and nim.PGive is something else: put nim.PTake back; new "
                     "events go to the union's end" % self.line("  3 nim.PTake", "union nim.Event"))

    def test_renamed(self):
        self.warned([("  EGone\n", "  EAway\n"), ("table EGone", "table EAway")],
                    "29: nim.EAway was called nim.EGone %s: what old saves have under that name becomes this. If only the name is new, "
                    "`kifuc lock nim.fbs` records it; if not, put nim.EGone back, and this at the union's end" %
                    self.line("  4 nim.EGone", "union nim.Event"))

    def test_superseded(self):
        """It stays where and what it is; the lock says nothing of it."""
        self.passes(("EGone (engine) {}", 'EGone (engine, superseded_by: "EDone") {} table EDone (engine) {}'),
                    ("PTake,\n  EGone", "PTake,\n  EGone,\n  EDone"))
        before = self.read_lock()
        self.passes(("EGone (engine) {}", "EGone (engine) {} table EDone (engine) {}"),
                    ("PTake,\n  EGone", "PTake,\n  EGone,\n  EDone"))
        self.assertEqual(before, self.read_lock())
        more = [("EGone (engine) {}", 'EGone (engine) {} table EDone (engine) {}'),
                ("PTake,\n  EGone", "PTake,\n  EGone,\n  EDone"),
                ("table PTake (player) {", 'table PTake (player, superseded_by: "EDone") {')]
        self.passes(*more)
        self.refused(more + [("  heap: ubyte;", "  heap: ushort;")],
                     "16: `heap` was ubyte %s, and is ushort now: keep it as it was, mark it (deprecated), and add a new "
                     "field at the table's end" % self.line("  0 heap: ubyte = 0"))

    def test_namespace(self):
        self.refused([("namespace nim", "namespace nims")],
                     "25: the game was called nim %s, and refuses the saves of any other: keep its namespace" %
                     self.line("game nim", "game nim"))

    def test_rules_version(self):
        self.passes(("union Event", 'union Event (rules_version: "3")'))
        self.refused([("union Event", 'union Event (rules_version: "2")')],
                     "25: `rules_version` was 3 %s, and never goes down: old saves would say that they are newer than the game"
                     % self.line("rules_version 3", "game nim"))


class LockFields(Locked):
    def test_removed(self):
        self.refused([("  note: string;\n  kind: Kind;\n  traits: Traits;\n  sum: int (transient);\n", "")],
                     *["18: `%s` is gone from nim.PTake, and old saves have it as field %d %s: put it back, and mark it "
                       "(deprecated)" % (name, number, self.line(line)) for name, number, line in (
                           ("note", 3, "  3 note: string"), ("kind", 4, "  4 kind: nim.Kind = 0"),
                           ("traits", 5, "  5 traits: nim.Traits = 0"))])

    def test_removed_before_the_end(self):
        self.refused([("  count: ushort = 1;\n", "")],
                     "16: `count` is gone from nim.PTake, and old saves have it as field 1 %s: put it back, and mark it "
                     "(deprecated)" % self.line("  1 count: ushort = 1"))

    def test_replaced(self):
        self.refused([("  note: string;", "  words: [string];")],
                     "19: field 3 is `note` in old saves %s, and `words` is something else: put `note` back, marked "
                     "(deprecated), and add `words` behind the last field" % self.line("  3 note: string"))

    def test_renamed(self):
        self.warned([("  note: string;", "  remark: string;")],
                    "19: `remark` was called `note` %s: what old saves have under that name becomes this. If only the name is new, "
                    "`kifuc lock nim.fbs` records it; if not, put `note` back, marked (deprecated), and this at the table's "
                    "end" % self.line("  3 note: string"))

    def test_inserted(self):
        self.refused([("  count:", "  seconds: ushort;\n  count:")],
                     "17: `seconds` is new, and takes the id 1, which is `count` in old saves %s: move it to the table's end, "
                     "or number all its fields, as in `count: … (id: 1)`" % self.line("  1 count: ushort = 1"))

    def test_inserted_with_ids(self):
        self.passes(("  stones: [ushort];\n  items: [Item];",
                     "  stones: [ushort] (id: 0);\n  more: int (id: 2);\n  items: [Item] (id: 1);"))

    def test_reordered(self):
        self.refused([("  name: string;\n  spot: Spot;", "  spot: Spot;\n  name: string;")],
                     *["%d: `%s` is field %d in old saves %s, and %d here: put the fields back in their order, or number all of "
                       "them, as in `%s: … (id: %d)`" % (line, name, before, self.line(text, "table nim.Item"), 1 - before,
                                                        name, before)
                       for line, name, before, text in ((8, "spot", 1, "  1 spot: nim.Spot"),
                                                        (9, "name", 0, "  0 name: string"))])

    def type_changed(self, old, new, line, text, before, now, table="table nim.PTake"):
        self.refused([(old, new)], "%d: `%s` was %s %s, and is %s now: %s" % (
            line, old.split(":")[0], before, self.line(text, table), now, NEVER))

    def test_scalar_changed(self):
        self.type_changed("count: ushort", "count: uint", 17, "  1 count: ushort = 1", "ushort", "uint")

    def test_enum_became_a_number(self):
        self.type_changed("kind: Kind;\n  traits", "kind: ubyte;\n  traits", 20, "  4 kind: nim.Kind = 0", "nim.Kind", "ubyte")

    def test_one_became_a_vector(self):
        self.type_changed("note: string", "note: [string]", 19, "  3 note: string", "string", "[string]")

    def test_other_enum(self):
        self.type_changed("kind: Kind;\n  traits", "kind: Traits;\n  traits", 20, "  4 kind: nim.Kind = 0", "nim.Kind",
                          "nim.Traits")

    def test_struct_became_a_table(self):
        self.change(("struct Spot", "table Spot"))
        self.assertEqual((1, "nim.fbs:9: error: `spot` was a struct %s, and is a table now: %s\n" % (
            self.line("  1 spot: nim.Spot", "table nim.Item"), NEVER)), self.run_kifuc("lock", "nim.fbs"))

    def test_default(self):
        self.refused([("ushort = 1", "ushort = 2")],
                     "17: `count` is 2 by default now, and was 1 %s, which events that are older than the field have: write "
                     "`= 1` again. New events have what their submit passes" % self.line("  1 count: ushort = 1"))

    def test_optional(self):
        self.refused([("ushort = 1", "ushort = null")],
                     "17: `count` is optional now, and was not %s: old events without it had 1. Write `= 1` again, or %s" %
                     (self.line("  1 count: ushort = 1"), NEVER))

    def test_no_longer_optional(self):
        self.refused([("int = null", "int")],
                     "18: `luck` was optional %s, and is not now: where old saves have none, it would become 0. Write `= null` "
                     "again, or %s" % (self.line("  2 luck: int = null"), NEVER))

    def test_required(self):
        self.refused([("note: string", "note: string (required)")],
                     "19: `note` is required now, and was not %s: old saves may be without. Remove `required`" %
                     self.line("  3 note: string"))

    def test_new_and_required(self):
        self.refused([("(transient);\n", "(transient);\n  word: string (required);\n")],
                     "23: `word` is new and required, and the nim.PTake of old saves have none: remove `required`")

    def test_saved_became_transient(self):
        self.refused([("luck: int = null", "luck: int (transient)")],
                     "18: `luck` is transient now, and was not %s: what old saves say would be lost; %s that is transient" %
                     (self.line("  2 luck: int = null"), NEVER))

    def test_compatible(self):
        self.assertEqual("wrote nim.fbs.lock\n", self.passes(
            ("int (transient);\n", "int (transient);\n  word: string;\n  price: uint = 7;\n"),
            ("note: string;", "note: string (deprecated);"),
            ("count: ushort = 1;", "count: ushort = 1 (deprecated);"),
            ("{ FOOD, WOOD }", "{ FOOD, WOOD, STONE }"), ("FAST, STRONG", "FAST, STRONG, WISE"),
            ("union", "table New { words: [string] (required); }\ntable ENew (engine) { item: New (required); }\nunion"),
            ("EGone\n}", "EGone, ENew\n}"), ("[ushort: 4]", "[uint: 40]"),
            ("table PTake", "/// A comment.\ntable PTake")))
        lock = self.read_lock()
        for line in ("  5 nim.ENew", "  8 price: uint = 7", "  3 note: string (deprecated)", "  2 STONE", "  4 WISE",
                     "  0 words: [string] (required)"):
            self.assertIn("\n" + line + "\n", lock)

    def test_required_taken_back_and_transient_ones(self):
        self.write(SCHEMA.replace("note: string", "note: string (required)"))
        self.run_kifuc("lock", "nim.fbs", "--force")
        self.passes()
        self.passes(("sum: int (transient)", "other: long = 5"))

    def test_transient_at_the_end_may_go(self):
        self.passes(("  sum: int (transient);\n", ""))


class LockTypes(Locked):
    def test_enum_value_removed(self):
        self.refused([("{ FOOD, WOOD }", "{ FOOD }")],
                     "3: `WOOD = 1` is gone from nim.Kind, and old saves may have it %s: put it back" %
                     self.line("  1 WOOD", "enum nim.Kind: ubyte"))

    def test_enum_value_inserted(self):
        self.refused([("{ FOOD, WOOD }", "{ FOOD,\nSTONE, WOOD }")],
                     "4: `STONE` is new, and takes the number 1, which is `WOOD` in old saves %s: move it to the enum's end" %
                     self.line("  1 WOOD", "enum nim.Kind: ubyte"))

    def test_enum_value_renumbered(self):
        self.refused([("{ FOOD, WOOD }", "{ FOOD, WOOD = 7 }")],
                     "3: `WOOD` is 1 in old saves %s, and 7 here: give it its number back" %
                     self.line("  1 WOOD", "enum nim.Kind: ubyte"))

    def test_enum_value_renamed(self):
        self.warned([("{ FOOD, WOOD }", "{ FOOD, TIMBER }")],
                    "3: `TIMBER` was called `WOOD` %s: what old saves have under that name becomes this. If only the name is new, `kifuc "
                    "lock nim.fbs` records it; if not, put `WOOD` back, and this at the enum's end" %
                    self.line("  1 WOOD", "enum nim.Kind: ubyte"))

    def test_underlying_type(self):
        at = self.line("enum nim.Traits: ubyte, bit_flags")
        self.refused([("Traits: ubyte", "Traits: ushort")],
                     "4: the values of nim.Traits were of type ubyte %s, and are ushort now: write `enum Traits: ubyte` again" %
                     at)

    def test_bit_flags(self):
        self.refused([("Kind: ubyte", "Kind: ubyte (bit_flags)")],
                     "3: nim.Kind is bit_flags now, and was not %s: old values would change their meaning. Remove (bit_flags)" %
                     self.line("enum nim.Kind: ubyte"))

    def test_no_bit_flags(self):
        self.refused([(" (bit_flags)", "")],
                     "4: nim.Traits was bit_flags %s, and is not now: old values would change their meaning. Write (bit_flags) again" %
                     self.line("enum nim.Traits: ubyte, bit_flags"))

    def struct_changed(self, new, what, line=6):
        self.refused([("x: ubyte; kind: Kind; z: uint;", new)],
                     "%d: the struct nim.Spot has changed: %s. A struct stays as it is for ever: put it back, declare another "
                     "one, add fields of that at the tables' ends, and mark those of this (deprecated)" % (line, what))

    def at_spot(self, text):
        return self.line(text, "struct nim.Spot: 8 bytes, aligned to 4")

    def test_struct_longer(self):
        self.struct_changed("x: ubyte; kind: Kind; z: uint;\n w: uint;",
                            "`w` is new %s" % self.at_spot("struct nim.Spot: 8 bytes, aligned to 4"), 7)

    def test_struct_shorter(self):
        self.struct_changed("x: ubyte; kind: Kind;", "`z` is gone %s" % self.at_spot("  4 z: uint"))

    def test_struct_reordered(self):
        self.struct_changed("kind: Kind; x: ubyte; z: uint;",
                            "`x` was at byte 0 %s, and is at 1 now" % self.at_spot("  0 x: ubyte"))

    def test_struct_member_of_another_type(self):
        self.struct_changed("x: ubyte; kind: Kind; z: float;", "`z` was uint %s, and is float now" %
                            self.at_spot("  4 z: uint"))

    def test_struct_member_that_moves_others(self):
        self.struct_changed("x: uint; kind: Kind; z: uint;", "`x` was ubyte %s, and is uint now" % self.at_spot("  0 x: ubyte"))

    def test_struct_in_a_struct(self):
        """Said of the inner one alone."""
        self.change(("  spot: Spot;\n", "  spot: Spot;\n  area: Area;\n"),
                    ("table Item", "struct Area { s: [Spot: 2]; }\ntable Item"))
        self.run_kifuc("lock", "nim.fbs")
        text = tools.read(os.path.join(self.folder, "nim.fbs")).decode()
        self.write(text.replace("z: uint", "z: ulong"))
        status, said = self.run_kifuc("lock", "nim.fbs")
        self.assertEqual((1, 1), (status, len(said.splitlines())), said)
        self.assertIn("the struct nim.Spot has changed: `z` was uint", said)

    def test_types_renamed(self):
        text = SCHEMA
        for old, new in (("Spot", "Place"), ("Kind", "Sort"), ("Item", "Thing")):
            text = text.replace(old, new)
        self.write(text)
        status, said = self.run_kifuc("gen", "nim.fbs", "-o", "out")
        self.assertEqual(0, status)
        self.assertEqual(["nim.fbs:%d: warning: nim.%s was called nim.%s" % each for each in (
            (3, "Sort", "Kind"), (6, "Place", "Spot"), (7, "Thing", "Item"))],
            [each.split(" (")[0] for each in said.splitlines()])

    def test_many_at_once(self):
        self.change(("{ FOOD, WOOD }", "{ FOOD }"), ("ushort = 1", "ushort = 2"), ("z: uint", "z: int"))
        status, said = self.run_kifuc("gen", "nim.fbs", "-o", "out")
        self.assertEqual(1, status)
        self.assertEqual(["3", "6", "17"], [each.split(":")[1] for each in said.splitlines()])


class LockFile(Locked):
    def test_reads_well(self):
        lock = self.read_lock()
        self.assertTrue(lock.startswith(
            "# What saves of this game depend on, as of its last release: kifuc refuses changes of nim.fbs that would misread "
            "them.\n# Commit this file, and renew it with each release: kifuc lock nim.fbs\n\ngame nim\nrules_version 1\n\n"
            "union nim.Event\n  1 kifu.EAddPlayer\n  2 nim.EDeal\n"))
        self.assertIn("\ntable nim.PTake\n  0 heap: ubyte = 0\n  1 count: ushort = 1\n  2 luck: int = null\n  3 note: string\n",
                      lock)
        self.assertNotIn("State", lock, "it is computed anew")

    def test_same_bytes_everywhere(self):
        for name, (schema, includes) in tools.SCHEMAS.items():
            options = [part for each in includes for part in ("-I", os.path.join(tools.ROOT, each))]
            path = os.path.join(tools.ROOT, schema)
            with self.subTest(name=name):
                for each in ("a", "b"):
                    status, said = self.run_kifuc("lock", path if each == "a" else os.path.relpath(path, self.folder), *options,
                                                  "-o", each + name)
                    self.assertEqual((0, "wrote %s%s\n" % (each, name)), (status, said))
                first = tools.read(os.path.join(self.folder, "a" + name))
                self.assertEqual(first, tools.read(os.path.join(self.folder, "b" + name)))
                self.assertNotIn(b"/", first)
                # It is compared with itself, all of it.
                status, said = self.run_kifuc("lock", path, *options, "-o", "a" + name)
                self.assertEqual((0, "left  a%s: it is as it should be\n" % name), (status, said))

    def test_broken_file(self):
        lock = os.path.join(self.folder, "nim.fbs.lock")
        tools.write(lock, self.read_lock().replace("  0 heap: ubyte = 0", "<<<<<<<"))
        number = self.read_lock().splitlines().index("<<<<<<<") + 1
        self.assertEqual((1, "nim.fbs.lock:%d: error: this is not a line of a lock file: restore the file that was committed; only "
                             "kifuc writes it\n" % number), self.run_kifuc("gen", "nim.fbs", "-o", "out"))
        for text in ("", "game nim\n", "game nim\nrules_version x\nunion nim.Event\n",
                     "game nim\nrules_version 1\nunion nim.Event\n  1 nim.PTake\n"):
            tools.write(lock, text)
            status, said = self.run_kifuc("gen", "nim.fbs", "-o", "out")
            self.assertEqual(1, status)
            self.assertIn("nim.fbs.lock:1: error: this is not a whole lock file", said)
        self.assertEqual((0, "wrote nim.fbs.lock\n"), self.run_kifuc("lock", "nim.fbs", "--force"))

    def test_depfile_names_it_where_it_is(self):
        for there in (True, False):
            self.run_kifuc("gen", "nim.fbs", "-o", "out", "--depfile", "out/d")
            self.assertEqual(there, "/nim.fbs.lock" in tools.read(os.path.join(self.folder, "out", "d")).decode())
            if there:
                os.remove(os.path.join(self.folder, "nim.fbs.lock"))

    def test_no_folder(self):
        self.assertEqual((1, "kifuc: error: nowhere: there is no such folder\n"),
                         self.run_kifuc("lock", "nim.fbs", "-o", "nowhere/nim.lock"))


class LockVersions(unittest.TestCase):
    """The games of this repository that have several versions: each fits the lock of the one before."""

    def go_through(self, *schemas):
        with tempfile.TemporaryDirectory(prefix="kifu-versions-") as folder:
            for path in schemas:
                name = os.path.basename(path)
                shutil.copy(os.path.join(tools.ROOT, path), folder)
                self.assertEqual((0, "wrote %s.lock\n" % name), tools.kifuc("lock", name, folder=folder))
                beside = os.path.join(tools.ROOT, path + ".lock")
                if os.path.exists(beside):
                    self.assertEqual(tools.read(beside), tools.read(os.path.join(folder, name + ".lock")))
            # And not backwards.
            shutil.copy(os.path.join(tools.ROOT, schemas[0]), folder)
            status, said = tools.kifuc("lock", name, folder=folder)
            self.assertEqual(1, status)
            return said

    def test_reversi(self):
        said = self.go_through("examples/reversi/v1/reversi.fbs", "examples/reversi/reversi.fbs")
        self.assertIn("reversi.PResign is gone from the union", said)
        self.assertIn("`seconds` is gone from reversi.PPlace", said)
        self.assertTrue(os.path.exists(os.path.join(tools.ROOT, "examples", "reversi", "reversi.fbs.lock")))

    def test_camp(self):
        said = self.go_through(*["tests/compat/v%d/camp.fbs" % each for each in (1, 2, 3, 4)])
        self.assertIn("camp.EStorm is gone from the union", said)
        self.assertIn("camp.PHarvest is gone from the union", said)
        self.assertIn("`STONE = 2` is gone from camp.Kind", said)
