"""What would misread the events of old saves is refused, with the line and the way to do it right; the rest passes."""

from locked import NEVER, SCHEMA, Locked


class LockEvents(Locked):
    def test_removed_from_the_end(self):
        self.refused([("PTake,\n  EGone", "PTake"), ("table EGone (engine) {}", "")],
                     "28: nim.EGone is gone from the union, and old saves have it as number 4 %s: put it back in its place. "
                     "Nothing has to submit it any more, and with `superseded_by` it needs no Do" % self.line("  4 nim.EGone (engine)", "union nim.Event"))

    def test_removed_from_the_union_alone(self):
        """Two messages, and both say to put it back."""
        self.change(("PTake,\n  EGone", "PTake"))
        said = self.run_kifuc("gen", "nim.fbs", "-o", "out")[1].splitlines()
        self.assertEqual(2, len(said), said)
        self.assertIn("if it was there before, put it back in its old place", said[0])
        self.assertIn("is gone from the union, and old saves have it as number 4", said[1])
        self.assertIn("put it back in its place", said[1])

    def test_removed_before_the_end(self):
        self.refused([("  EDeal,\n", ""), ("table EDeal (engine)", "table Deal")],
                     "26: nim.EDeal is gone from the union, and old saves have it as number 2 %s: put it back in its place. "
                     "Nothing has to submit it any more, and with `superseded_by` it needs no Do" % self.line("  2 nim.EDeal (engine)", "union nim.Event"))

    def test_inserted(self):
        self.refused([("  EDeal,\n", "  ENew,\n  EDeal,\n"), ("union", "table ENew (engine) {}\nunion")],
                     "28: nim.ENew is new, and takes the number 2, which is nim.EDeal in old saves %s: move it to the union's "
                     "end" % self.line("  2 nim.EDeal (engine)", "union nim.Event"))

    def test_reordered(self):
        self.refused([("  EDeal,\n  PTake,\n", "  PTake,\n  EDeal,\n")],
                     "27: nim.PTake is number 3 in old saves %s, and 2 here: put the union's members back in their order; new "
                     "ones go to its end" % self.line("  3 nim.PTake (player)", "union nim.Event"),
                     "28: nim.EDeal is number 2 in old saves %s, and 3 here: put the union's members back in their order; new "
                     "ones go to its end" % self.line("  2 nim.EDeal (engine)", "union nim.Event"))

    def test_replaced(self):
        """By another event, while the table of the old one is still there; by one that reads other bytes."""
        at = self.line("  4 nim.EGone (engine)", "union nim.Event")
        self.refused([("PTake,\n  EGone", "PTake,\n  ENew"), ("EGone (engine) {}", "ENew (engine) {} table EGone {}")],
                     "29: number 4 is nim.EGone in old saves %s, and nim.ENew is something else: put nim.EGone back; new events "
                     "go to the union's end" % at)

    def test_replaced_by_another_shape(self):
        self.refused([("  PTake,", "  PGive,"), ("table PTake", "table PGive"), ("count: ushort = 1", "count: uint = 1")],
                     "28: number 3 is nim.PTake in old saves %s, and nim.PGive is something else: put nim.PTake back; new "
                     "events go to the union's end" % self.line("  3 nim.PTake (player)", "union nim.Event"))

    def test_renamed(self):
        self.warned([("  EGone\n", "  EAway\n"), ("table EGone", "table EAway")],
                    "29: nim.EAway was called nim.EGone %s: what old saves have under that name becomes this. If only the name is new, "
                    "`kifuc lock nim.fbs` records it; if not, put nim.EGone back, and this at the union's end" %
                    self.line("  4 nim.EGone (engine)", "union nim.Event"))

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
                     "16: `heap` was ubyte %s, and is ushort now: keep it as it was, for the Do of old events, and add a "
                     "new field at the table's end" % self.line("  0 heap: ubyte = 0"))

    def test_F23_engine_became_player(self):
        at = self.line("  4 nim.EGone (engine)", "union nim.Event")
        self.change(("table EGone (engine)", "table EGone (\n  player)"))
        status, said = self.run_kifuc("lock", "nim.fbs")
        self.assertEqual(1, status)
        self.assertIn("nim.fbs:25: error: nim.EGone is (player) now, and was (engine) %s: its events in old saves have no player, "
                      "and its Do would get player -1. Write (engine) again; if it must be (player), add another event at the "
                      "union's end, and mark this one `superseded_by`\n" % at, said)

    def test_F23_player_became_engine(self):
        at = self.line("  3 nim.PTake (player)", "union nim.Event")
        self.change(("table PTake (player)", "table PTake (engine, check)"))
        status, said = self.run_kifuc("gen", "nim.fbs", "-o", "out")
        self.assertEqual(1, status)
        self.assertIn("nim.fbs:15: error: nim.PTake is (engine) now, and was (player) %s: its events in old saves have a player, "
                      "and those that wait would happen without the check of a player's event. Write (player) again; if it "
                      "must be (engine), add another event at the union's end, and mark this one `superseded_by`\n" % at, said)

    def test_F23_renamed_and_another_kind(self):
        self.change(("table EGone (engine)", "table PGone (player)"), ("  EGone\n", "  PGone\n"))
        status, said = self.run_kifuc("lock", "nim.fbs")
        self.assertEqual(1, status)
        self.assertIn("nim.PGone is (player) now", said)

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
                       "(deprecated) if no Do needs it for old events" % (name, number, self.line(line)) for name, number, line in (
                           ("note", 3, "  3 note: string"), ("kind", 4, "  4 kind: nim.Kind = 0"),
                           ("traits", 5, "  5 traits: nim.Traits = 0"))])

    def test_removed_before_the_end(self):
        self.refused([("  count: ushort = 1;\n", "")],
                     "16: `count` is gone from nim.PTake, and old saves have it as field 1 %s: put it back, and mark it "
                     "(deprecated) if no Do needs it for old events" % self.line("  1 count: ushort = 1"))

    def test_replaced(self):
        self.refused([("  note: string;", "  words: [string];")],
                     "19: field 3 is `note` in old saves %s, and `words` is something else: put `note` back "
                     "as it was, and add `words` behind the last field" % self.line("  3 note: string"))

    def test_renamed(self):
        self.warned([("  note: string;", "  remark: string;")],
                    "19: `remark` was called `note` %s: what old saves have under that name becomes this. If only the name is new, "
                    "`kifuc lock nim.fbs` records it; if not, put `note` back as it was, and this at the table's "
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

    def test_F24_default_through_deprecated(self):
        """A field may be deprecated and come back; its default stays."""
        at = self.line("  1 count: ushort = 1")
        again = "because it may come back some day, and events that are older than the field have that"
        self.refused([("ushort = 1", "ushort = 2 (deprecated)")],
                     "17: `count` is 2 by default now, and was 1 %s: write `= 1` again, %s" % (at, again))

    def test_F24_deprecated_and_back(self):
        self.passes(("ushort = 1", "ushort = 1 (deprecated)"))
        self.refused([("ushort = 1", "ushort = 2")],
                     "17: `count` is 2 by default now, and was 1 %s, which events that are older than the field have: write "
                     "`= 1` again. New events have what their submit passes" % self.line("  1 count: ushort = 1 (deprecated)"))

    def test_F24_deprecated_and_back_as_it_was(self):
        self.passes(("ushort = 1", "ushort = 1 (deprecated)"))
        self.passes(("note: string", "note: string"))

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
        for line in ("  5 nim.ENew (engine)", "  8 price: uint = 7", "  3 note: string (deprecated)", "  2 STONE", "  4 WISE",
                     "  0 words: [string] (required)"):
            self.assertIn("\n" + line + "\n", lock)

    def test_required_taken_back_and_transient_ones(self):
        self.write(SCHEMA.replace("note: string", "note: string (required)"))
        self.run_kifuc("lock", "nim.fbs", "--force")
        self.passes()
        self.passes(("sum: int (transient)", "other: long = 5"))

    def test_transient_at_the_end_may_go(self):
        self.passes(("  sum: int (transient);\n", ""))
