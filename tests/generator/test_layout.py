"""Names and layouts, in small."""

import unittest

import tools  # noqa: F401
from kifuc import layout, names, source, text
from kifuc.model import SCALAR, Field, Inline, Table


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


class Names(unittest.TestCase):
    def test_snake_case(self):
        for name, expected in (("PTake", "p_take"), ("HTTPServer", "http_server"), ("EAddPlayer", "e_add_player"),
                               ("already_snake", "already_snake"), ("Level2Boss", "level2_boss"), ("A", "a"),
                               ("darkBlue", "dark_blue"), ("GAME_OVER", "game_over")):
            self.assertEqual(expected, names.snake(name))

    def test_variables(self):
        self.assertEqual("take", names.last_word("PTake"))
        self.assertEqual("player", names.last_word("EAddPlayer"))

    def test_prefix(self):
        self.assertEqual("board_my_realms", names.prefix("board.myRealms"))


class Text(unittest.TestCase):
    def test_comments(self):
        self.assertEqual("///  - as it is\n///\n/// x\n", text.comment(["  - as it is", "", "x", ""]))
        self.assertEqual("/// no continuation\n", text.comment([" no continuation \\", " ??/"]))
        for line in text.comment([" " + "word " * 60, " and more"], 4).splitlines():
            self.assertLessEqual(len(line), 120)
            self.assertTrue(line.startswith("    /// "))

    def test_pack(self):
        self.assertEqual("f(a, b);", text.pack("f(", ["a", "b"], ");"))
        self.assertEqual("f();", text.pack("f(", [], ");"))
        self.assertEqual("f(%s,\n  b);" % ("a" * 115), text.pack("f(", ["a" * 115, "b"], ");"))


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
