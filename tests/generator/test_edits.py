"""The edit functions of a state, however deep it is."""

import os
import re
import tempfile
import unittest

import tools

_SCHEMA = """include "kifu.fbs";
namespace deep;
%s
struct State (state) { game: kifu.Game; top: %s; }
table PTake (player) {}
union Event { PTake }
"""


def _edits(levels):
    """The edits of a state with so many levels of structs, each with two fields of the next one."""
    structs = ["struct L0 { x: int; y: [int: 3]; }"] + [
        "struct L%d { left: L%d; right: [L%d: 2]; }" % (i, i - 1, i - 1) for i in range(1, levels)]
    with tempfile.TemporaryDirectory(prefix="kifu-edits-") as folder:
        schema = os.path.join(folder, "deep.fbs")
        tools.write(schema, _SCHEMA % ("\n".join(structs), "L%d" % (levels - 1)))
        status, said = tools.kifuc("gen", schema, "-o", folder)
        assert status == 0, said
        for compiler in tools.compilers("c"):
            said = tools.compile_only(compiler, os.path.join(folder, "deep.c"), "-std=c11", "-I" + folder)
            assert not said, said
        header = tools.read(os.path.join(folder, "deep", "state.h")).decode()
    return re.findall(r"\bdeep_edit_\w+", header)


class Edits(unittest.TestCase):
    def test_F31_a_level_more_is_one_function_more(self):
        edits = [_edits(levels) for levels in (9, 10, 16)]
        self.assertLess(len(edits[0]), 30)
        self.assertEqual([1, 7], [len(edits[1]) - len(edits[0]), len(edits[2]) - len(edits[0])])
        self.assertIn("deep_edit_top_right_left", edits[0])
        self.assertEqual(["deep_edit_l%d_at" % i for i in (5, 4, 3, 2, 1, 0)], edits[0][-6:])

    def test_F31_at_most_three_names_need_no_pointer(self):
        edits = _edits(2)
        self.assertEqual(["deep_edit_top", "deep_edit_top_left", "deep_edit_top_left_x", "deep_edit_top_left_y_all",
                          "deep_edit_top_left_y", "deep_edit_top_right_all", "deep_edit_top_right",
                          "deep_edit_top_right_x", "deep_edit_top_right_y_all", "deep_edit_top_right_y"], edits)
