"""Names and layouts, in small."""

import os
import tempfile
import unittest

import tools
from kifuc import cli, flatc, layout, names, reflection, report, source, text
from kifuc.uses import in_library, with_inner
from kifuc.model import BOOL, SCALAR, Field, Inline, Struct, StructField, Table


def _table(*fields):
    """A table of scalars: 'name:size' or 'name:size?' for an optional one."""
    made = []
    for i, each in enumerate(fields):
        name, size = each.rstrip("?").split(":")
        made.append(Field(name, name, SCALAR, Inline("t", int(size), int(size)), None, i, each.endswith("?"), False,
                          name.startswith("old"), False, 0, 0, []))
    table = Table("t", "t", made, [], False)
    layout.lay_out_table(table)
    return table


class Layout(unittest.TestCase):
    def members(self, table):
        return ["%s@%d" % (each.name, each.offset) for each in table.members]

    def test_largest_alignment_first_holes_are_members(self):
        table = _table("a:1", "b:8", "c:2")
        self.assertEqual(["vtable_@0", "c@4", "a@6", "padding_@7", "b@8"], self.members(table))
        self.assertEqual((16, 8), (table.size, table.align))
        self.assertEqual([10, 16, 6, 8, 4], table.vtable)

    def test_ties_by_id(self):
        self.assertEqual(["vtable_@0", "a@4", "b@6", "c@8", "padding_@10"], self.members(_table("a:2", "b:2", "c:2")))

    def test_empty(self):
        table = _table()
        self.assertEqual((4, 4, [4, 4]), (table.size, table.align, table.vtable))

    def test_optional(self):
        table = _table("a:8?")
        self.assertEqual(["vtable_@0", "has_a@4", "padding_@5", "a@8"], self.members(table))
        self.assertFalse(table.flat)
        self.assertEqual([6, 16, 8], table.vtable)

    def test_deprecated_fields_take_no_room(self):
        table = _table("old:8", "b:2", "older:4")
        self.assertEqual(["vtable_@0", "b@4", "padding_@6"], self.members(table))
        self.assertEqual([8, 8, 0, 4], table.vtable)


def _struct(size, *fields):
    """A struct of bools and structs: (name, what, how many of them or 0, offset)."""
    made = [StructField(name, name, Inline("t", what.size, 1, None, what) if what else Inline("bool", 1, 1, BOOL), count,
                        offset, []) for name, what, count, offset in fields]
    struct = Struct("s", "s", made, size, 1, [], False)
    layout.lay_out_struct(struct)
    return struct


class Checks(unittest.TestCase):
    """Which bytes a struct's checks look at, in how few rows."""

    def rows(self, struct):
        return [(each.path, each.offset, each.count, each.stride) for each in layout.checks_of(struct)]

    def bytes(self, struct):
        return sorted(each.offset + i * each.stride for each in layout.checks_of(struct) for i in range(each.count))

    def test_one_in_each_of_several(self):
        inner = _struct(4, ("a", None, 0, 2))
        self.assertEqual([("in.a", 8 + 2, 5, 4)], self.rows(_struct(28, ("in", inner, 5, 8))))
        self.assertEqual([("in.a", 8 + 2, 1, 1)], self.rows(_struct(12, ("in", inner, 0, 8))))

    def test_rows_that_touch_are_one(self):
        cells = _struct(8, ("cells", None, 8, 0))
        board = _struct(64, ("rows", cells, 8, 0))
        self.assertEqual([("boards.rows.cells", 3, 640, 1)], self.rows(_struct(643, ("boards", board, 10, 3))))

    def test_the_shorter_array_counts(self):
        inner = _struct(4, ("a", None, 2, 1))
        many = _struct(400, ("in", inner, 100, 0))
        self.assertEqual([("in.a", 1, 100, 4), ("in.a", 2, 100, 4)], self.rows(many))
        self.assertEqual(sorted([4 * i + 1 for i in range(100)] + [4 * i + 2 for i in range(100)]), self.bytes(many))
        few = _struct(200, ("in", _struct(100, ("a", None, 90, 5)), 2, 0))
        self.assertEqual([("in.a", 5, 90, 1), ("in.a", 105, 90, 1)], self.rows(few))


_OURS = """include "kifu.fbs";
include "kifu_turns.fbs";
namespace all;
struct Actor { slot: kifu.Slot; actor: kifu.Actor; }
struct State (state) {
  game: kifu.Game;
  turns: kifu.Turns;
  actors: [Actor: 2] (pool, actors);
  timers: [kifu.Timer: 2] (pool);
}
union Event {
  kifu.EResetGame, kifu.EAddPlayer, kifu.EInitialize, kifu.EStartRound, kifu.EEndGame, kifu.EBeginTurn,
  kifu.ESpendEnergy, kifu.ESchedule, kifu.ECancel
}
"""


class Library(unittest.TestCase):
    """The types of Kifu's own schemas, which the runtime's headers define by hand."""

    @classmethod
    def setUpClass(cls):
        cls.source = "".join(tools.read(os.path.join(tools.ROOT, "runtime", "src", "core", name)).decode()
                             for name in ("layout.c", "layout_turns.c"))
        with tempfile.TemporaryDirectory(prefix="kifu-ours-") as folder:
            path = os.path.join(folder, "all.fbs")
            tools.write(path, _OURS)
            cls.schema = cli.Schema(path, [], None, report.Report())

    def test_F36_the_library_asserts_the_places_of_its_own_members(self):
        lines = []
        for each in with_inner([self.schema.game.state]) + self.schema.game.tables:
            if each.ours:
                lines.append('_Static_assert(sizeof(%s) == %d, "size of %s");' % (each.c_name, each.size, each.c_name))
                lines += ['_Static_assert(offsetof(%s, %s) == %d, "offset of %s.%s");' % (
                    each.c_name, member.name, member.offset, each.c_name, member.name)
                    for member in each.members if not member.padding]
        self.assertEqual(lines, [line for line in self.source.splitlines() if line.startswith("_Static_assert")])

    def test_F36_the_library_describes_its_own_structs(self):
        descriptions = self.schema.emitter.descriptions
        for struct in with_inner([self.schema.game.state]):
            if struct.ours:
                self.assertTrue(in_library(struct), struct.name)
                members = "\n".join([descriptions.member_record(field) for field in struct.fields] + ["};"])
                self.assertIn("static const kifu__member %s[] = {\n%s\n" % (
                    descriptions.description(struct, "members"), members), self.source)
                self.assertIn("\n" + descriptions.struct_record(struct)[len("static "):] + "\n", self.source)
                for check in descriptions.checks(struct):
                    self.assertIn(descriptions.check_record(check), self.source)
                for enum in [field.type.enum for field in struct.fields if field.type.enum]:
                    self.assertIn("\n" + descriptions.enum_record(enum)[len("static "):] + "\n", self.source)


class Reflection(unittest.TestCase):
    def test_F20_offsets_and_sizes_are_those_of_flatc_where_it_does_not_cut_them_off(self):
        compiler = flatc.Flatc(None, [os.path.join(tools.ROOT, "schema")], report.Report())
        large = 0
        for path in ("tests/games/vast/vast.fbs", "tests/games/shapes/shapes.fbs", "examples/dungeon/dungeon.fbs"):
            data = compiler.reflect(os.path.join(tools.ROOT, path))
            structs = {each.name: each for each in reflection.read(data).objects if each.is_struct}
            root = reflection._Table(data, int.from_bytes(data[:4], "little"))
            for told in root.tables(4):
                if not told.bool(8):
                    continue
                struct = structs[told.string(4)]
                self.assertEqual(told.i32(12), struct.bytesize, struct.name)
                offsets = {each.string(4): each.u16(10) for each in told.tables(6)}
                self.assertEqual(offsets, {each.name: each.offset & 0xFFFF for each in struct.fields}, struct.name)
                large += sum(each.offset > 0xFFFF for each in struct.fields)
        self.assertEqual(4, large)


class Names(unittest.TestCase):
    def test_snake_case(self):
        for name, expected in (("PTake", "p_take"), ("HTTPServer", "http_server"), ("EAddPlayer", "e_add_player"),
                               ("already_snake", "already_snake"), ("Level2Boss", "level2_boss"), ("A", "a"),
                               ("darkBlue", "dark_blue"), ("GAME_OVER", "game_over")):
            self.assertEqual(expected, names.snake(name))

    def test_F36_variables(self):
        for name, expected in (("PTake", "take"), ("EAddPlayer", "add_player"), ("PPickUp", "pick_up"), ("Take", "take"),
                               ("P_take_", "take"), ("E", "e"), ("P_2", "event"), ("_", "event"), ("PInt", "event")):
            self.assertEqual(expected, names.variable(name))

    def test_prefix(self):
        self.assertEqual("board_my_realms", names.prefix("board.myRealms"))


class Text(unittest.TestCase):
    def test_comments(self):
        self.assertEqual("///  - as it is\n///\n/// x\n", text.comment(["  - as it is", "", "x", ""]))
        self.assertEqual("/// no continuation\n", text.comment([" no continuation \\", " ??/"]))
        self.assertNotRegex(text.comment([" x\u202ey\x0b" + "word ??/ \\ " * 60]), r"(?m)(\?\?/|\\)$|[\u202e\x0b]")
        for line in text.comment([" " + "word " * 60, " and more"], 4).splitlines():
            self.assertLessEqual(len(line), 120)
            self.assertTrue(line.startswith("    /// "))

    def test_pack(self):
        self.assertEqual("f(a, b);", text.pack("f(", ["a", "b"], ");"))
        self.assertEqual("f();", text.pack("f(", [], ");"))
        self.assertEqual("f(%s,\n  b);" % ("a" * 115), text.pack("f(", ["a" * 115, "b"], ");"))

    def test_row(self):
        self.assertEqual("x = {1, 2};", text.row("x = ", ["1", "2"], ";"))
        long = ['"%s"' % (each * 130) for each in "ab"]  # Whole, however long.
        self.assertEqual("// clang-format off\nx = {\n    %s,\n    %s\n};\n// clang-format on" % tuple(long),
                         text.row("x = ", long, ";"))


class Scanner(unittest.TestCase):
    def test_places(self):
        import os
        import tempfile
        with tempfile.TemporaryDirectory(prefix="kifu-scan-") as folder:
            path = os.path.join(folder, "a.fbs")
            tools.write(path, '// table No {}\nnamespace a . b;\n/* struct No {\n */ table\nYes (engine,\n  undoable: "table '
                              'No { }") {\n  x: int = 3;\n  /// y: z;\n  y: [ubyte] (transient,\n required); z: Kind = A;\n}\n'
                              'enum Kind: ubyte { A = 1, B,\n C }\nunion Event { kifu.EOne, a.b.Yes,\n alias: Yes }\n')
            sources = source.Sources(path, [])
        self.assertEqual(["a.b.Yes", "a.b.Kind", "a.b.Event"], list(sources.declarations))
        for expected, place in ((5, ("a.b.Yes",)), (5, ("a.b.Yes", "", "engine")), (6, ("a.b.Yes", "", "undoable")),
                                (7, ("a.b.Yes", "x")), (9, ("a.b.Yes", "y")), (9, ("a.b.Yes", "y", "transient")),
                                (10, ("a.b.Yes", "y", "required")), (10, ("a.b.Yes", "z")), (13, ("a.b.Kind", "C")),
                                (12, ("a.b.Kind", "A")), (14, ("a.b.Event", "kifu_EOne")),
                                (14, ("a.b.Event", "a_b_Yes")), (15, ("a.b.Event", "alias"))):
            self.assertEqual(expected, sources.place(*place)[1], place)
