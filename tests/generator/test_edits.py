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


_CELLS = """include "kifu.fbs";
namespace cells;
struct State (state) { game: kifu.Game; bytes: [ubyte: 64]; words: [uint: 64]; }
table PTake (player) {}
union Event { PTake }
"""


def _functions(compiler, source, folders):
    """For each function of a compiled C file: the names of its instructions, and the functions that it calls."""
    found, name = {}, None
    for line in tools.assembly(compiler, source, folders).splitlines():
        label = re.match(r"(\w+):", line)
        name = label.group(1) if label else name
        said = re.match(r"\t([a-z][\w.]*)\s*(.*)", line)
        if said and name:
            instructions, calls = found.setdefault(name, ([], []))
            instructions.append(said.group(1))
            calls += re.findall(r"\b(kifu\w+|mem\w+)", said.group(2))
    return found


def _probe(field, count):
    """A function with so many edits, each of another place."""
    edits = "".join("    *cells_edit_%s(t, %d) = %d;\n" % (field, 8 * i, i) for i in range(count))
    return "void %s_%d(kifu_timeline *t);\nvoid %s_%d(kifu_timeline *t)\n{\n%s}\n" % (field, count, field, count, edits)


class Costs(unittest.TestCase):
    """An edit and the state's hash take the same few instructions for each place, with no call."""

    def test_F43_an_edit_of_a_byte_costs_no_more_than_one_of_a_word(self):
        with tempfile.TemporaryDirectory(prefix="kifu-edits-") as folder:
            schema, source = os.path.join(folder, "cells.fbs"), os.path.join(folder, "probe.c")
            tools.write(schema, _CELLS)
            self.assertEqual(0, tools.kifuc("gen", schema, "-o", folder)[0])
            tools.write(source, '#include "cells/state.h"\n' + "".join(
                _probe(field, count) for field in ("bytes", "words") for count in (2, 6)))
            for compiler in tools.compilers("c"):
                found = _functions(compiler, source, [folder])
                byte, word = [len(found[field + "_6"][0]) - len(found[field + "_2"][0]) for field in ("bytes", "words")]
                self.assertLessEqual(byte, word + 4, compiler)
                self.assertLessEqual(byte, 4 * 20, compiler)  # with the way out where the journal is full
                self.assertEqual({"kifu__edit_slow"}, set(found["bytes_6"][1]), compiler)

    def test_F43_the_hash_of_the_state_calls_nothing(self):
        source = os.path.join(tools.ROOT, "runtime", "src", "core", "state.c")
        for compiler in tools.compilers("c"):
            found = _functions(compiler, source, [os.path.join(tools.ROOT, "runtime", "src")])
            instructions, calls = found["kifu__hash_state"]
            self.assertEqual([], calls, compiler)
            self.assertLessEqual(len(instructions), 80, compiler)
