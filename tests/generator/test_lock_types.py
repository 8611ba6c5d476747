"""Enums, structs and nested tables that events have: which changes the lock refuses."""

import os

import tools
from locked import SCHEMA, Locked


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

    def with_defaults(self):
        """Kind and Traits also stand where each of their mistakes has consequences: in defaults and in a struct."""
        text = SCHEMA
        for old, new in (("  kind: Kind;\n", "  kind: Kind = WOOD;\n"), ("  traits: Traits;", "  traits: Traits = STRONG;"),
                         ("{ FOOD, WOOD }", "{ FOOD, WOOD, STONE }"), ("x: ubyte; kind: Kind", "x: ubyte; kind: Kind; t: Traits")):
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.write(text)
        self.run_kifuc("lock", "nim.fbs", "--force")
        return text

    def test_F33_cause_only(self):
        """One line for each mistake in an enum; none for what follows from it."""
        text = self.with_defaults()
        for old, new, expected in (
                ("{ FOOD, WOOD, STONE }", "{ IRON, FOOD, WOOD, STONE }", ["`IRON` is new, and takes the number 0"]),
                ("{ FOOD, WOOD, STONE }", "{ FOOD, IRON, WOOD, STONE }", ["`IRON` is new, and takes the number 1"]),
                ("{ FOOD, WOOD, STONE }", "{ FOOD, WOOD = 5, STONE }", ["`WOOD` is 1"]),
                ("{ FOOD, WOOD, STONE }", "{ FOOD, STONE, WOOD }", ["`STONE` is 2", "`WOOD` is 1"]),
                ("{ FOOD, WOOD, STONE }", "{ FOOD, WOOD }", ["`STONE = 2` is gone"]),
                ("Kind: ubyte", "Kind: ushort", ["the values of nim.Kind were of type ubyte"]),
                ("Kind: ubyte", "Kind: ubyte (bit_flags)", ["nim.Kind is bit_flags now"]),
                (" (bit_flags)", "", ["nim.Traits was bit_flags"]),
                ("{ FAST, STRONG }", "{ SLOW, FAST, STRONG }", ["`SLOW` is new, and takes the number 0"]),
                ("{ FAST, STRONG }", "{ FAST, STRONG = 4 }", ["`STRONG` is 1 in old saves (nim.fbs.lock:50), and 4 here"])):
            self.assertIn(old, text)
            self.write(text.replace(old, new, 1))
            status, said = self.run_kifuc("gen", "nim.fbs", "-o", "out")
            with self.subTest(old=old, new=new):
                self.assertEqual(1, status)
                self.assertEqual(len(expected), len(said.splitlines()), said)
                for line, wanted in zip(sorted(each.split(": ", 2)[2] for each in said.splitlines()), expected):
                    self.assertTrue(line.startswith(wanted), line)

    def test_F33_defaults_by_name(self):
        text = self.with_defaults()
        for old, new, expected in (("= WOOD", "= STONE", "`kind` is STONE by default now, and was WOOD"),
                                   ("= STRONG", '= "FAST STRONG"', '`traits` is "FAST STRONG" by default now, and was STRONG'),
                                   ("= STRONG", "", "`traits` is 0 by default now, and was STRONG")):
            self.write(text.replace(old, new, 1))
            status, said = self.run_kifuc("gen", "nim.fbs", "-o", "out")
            self.assertEqual((1, 1), (status, len(said.splitlines())), said)
            self.assertIn(expected, said)
            self.assertIn("write `%s` again" % old, said)

    def test_struct_in_a_renamed_event(self):
        """The event may have another name; that its struct is another one is said of the struct."""
        text = SCHEMA.replace("  kind: Kind;\n", "  spot: Spot;\n")
        self.write(text)
        self.run_kifuc("lock", "nim.fbs", "--force")
        self.write(text.replace("PTake", "PGrab").replace("z: uint", "z: ulong"))
        status, said = self.run_kifuc("gen", "nim.fbs", "-o", "out")
        warning, error = said.splitlines()
        self.assertTrue(warning.startswith("nim.fbs:28: warning: nim.PGrab was called nim.PTake"), warning)
        self.assertTrue(error.startswith("nim.fbs:6: error: the struct nim.Spot has changed: `z` was uint"), error)
        self.assertEqual(1, status)

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
                     "one, and add fields of that at the tables' ends" % (line, what))

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
