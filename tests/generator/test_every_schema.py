"""Every schema that flatc accepts becomes C without a warning, or kifuc refuses it in words (G01)."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock

import fuzz
import modules
import tools
from kifuc import words

HEAD = 'include "kifu.fbs";\nnamespace nim;\n'
# Fields that C, C++, the library or the generated code could take for something else.
NAMES = words.KEYWORDS + words.MACROS + """__func uint8_t size_t kifu_timeline kifu_ref kifu__submit nim_item nim_item_args nim_e_go nim__add_item nim__add_strings
nim_submit_e_go timeline player state event the_event go item table at args ref count index handle offset transient context base
view type core check act replay types schema vtables calls _2 a__b _ _x memset kifu_""".split()
NAMES.remove("__func")

# Schemas that become C: name → the text of each file; the game is the first.
WORKS = {
    "F21_arguments_called_as_the_event": {
        "f21.fbs": HEAD + "table Go { go: int; event: int; the_event: [int]; the_event_: string; }\n"
                          "table EGo (engine) { go: Go; event: int; the_event: int; table: [Go]; }\nunion Event { EGo }\n"},
    "F25_types_in_no_namespace": {
        "f25.fbs": 'include "kifu.fbs";\nenum register: byte { INT8_MIN, int }\nstruct pos { x: byte; y: byte; }\n'
                   "table index { a: int; }\nnamespace nim;\n"
                   "table PGo (player) { i: register; at: pos; many: [index]; more: [pos]; }\n"
                   "struct State (state) { game: kifu.Game; board: [pos:9]; int: int; }\nunion Event { PGo }\n"},
    "F26_nested_tables_without_fields": {
        "f26.fbs": HEAD + "table Nothing {}\ntable Gone { a: int (deprecated); b: string (deprecated); }\n"
                          "table PTake (player) { nothing: Nothing; gone: [Gone]; }\nunion Event { PTake }\n"},
    "F27_fields_called_as_something_else": {
        "2048.fbs": HEAD + "table Item { %s }\nstruct GoCount { x: int; }\nstruct Two { %s }\n" % (
            " ".join("%s: int;" % each for each in NAMES), " ".join("%s: ubyte;" % each for each in NAMES)) +
        "table EGo (engine) { %s }\ntable E_2 (engine) { item: Item; nim_go: [int]; }\ntable P_ (player) { two: Two; }\n" % " ".join(
            "%s: int = null;" % each for each in NAMES) +
        "table EWords (engine) { %s }\n" % " ".join("%s: string;" % each for each in NAMES) +
        'table EHook (engine, hooks: "%s") {}\n' % " ".join(words.KEYWORDS[:8]) +
        "struct State (state) { game: kifu.Game; %s twos: [Two:3]; }\nunion Event { EGo, E_2, P_, EWords, EHook }\n" % " ".join(
            "%s: [ushort:2];" % each for each in NAMES)},
    "F28_namespaces_that_generated_code_uses": {
        "f28.fbs": 'include "kifu.fbs";\nnamespace call;\ntable EGo (engine) { x: [string]; }\nunion Event { EGo }\n'},
    "F28_a_namespace_that_the_stub_of_a_view_uses": {
        "f28.fbs": 'include "kifu.fbs";\nnamespace act;\ntable EGo (engine) { x: [string]; }\nunion Event { EGo }\n'},
    "F30_includes_in_other_quotes": {
        "f30.fbs": "include 'kifu.fbs';\ninclude \"more\\/x.fbs\";\nnamespace nim;\ntable PGo (player) { x: X; }\n"
                   "union Event { PGo }\n",
        "more/x.fbs": "namespace nim;\nstruct X { x: int; }\n"},
}

# Schemas that are refused: name → the files, and what kifuc says of them.
REFUSED = {
    "F22_float": ({"a.fbs": HEAD + "table P_ (player) {\n a: float = 1e39;\n}\nunion Event { P_ }\n"},
                  "a.fbs:4: error: 1e+39 is more than a float can be (3.4e38): use a double"),
    "F22_bool": ({"a.fbs": HEAD + "table P_ (player) {\n a: bool = 2;\n}\nunion Event { P_ }\n"},
                 "a.fbs:4: error: a bool is true or false, and not 2"),
    "F22_empty": ({"a.fbs": HEAD + "union Event {}\n"}, "a.fbs:3: error: `union Event` is empty: list the game's events"),
    "F22_byte": ({"a.fbs": HEAD.encode() + b"// \xe4\nunion Event {}\n"},
                 "a.fbs:3: error: here is a byte (0xe4) that is not UTF-8: save the file as UTF-8 text"),
    "F22_zero": ({"a.fbs": HEAD + "// \0\nunion Event {}\n"}, "a.fbs:3: error: here is a zero byte: "),
    "F27_of_compilers": ({"a.fbs": HEAD + "table P_ (player) {\n __func__: int;\n}\nunion Event { P_ }\n"},
                         "a.fbs:4: error: `__func__` begins with two underscores"),
    "F28_in_the_view": ({"a.fbs": 'include "kifu.fbs";\nnamespace combat;\ntable EStrike (engine) {}\nnamespace nim;\n'
                                  "table CombatEStrike (engine) {}\nunion Event { combat.EStrike, CombatEStrike }\n"},
                        "a.fbs:5: error: `nim.CombatEStrike` and `combat.EStrike` (a.fbs:3) would both declare `"),
    "F28_namespace": ({"a.fbs": 'include "kifu.fbs";\nnamespace Kifu;\ntable P_ (player) {}\nunion Event { P_ }\n'},
                      "a.fbs:3: error: the namespace Kifu is the library's: give the game its own"),
    "F28_of_the_library": ({"a.fbs": 'include "kifu.fbs";\nnamespace int8;\ntable T (player) {}\nunion Event { T }\n'},
                           "a.fbs:3: error: `int8.T` would be `int8_t` in C, which is a name of the C library; rename it"),
    "F30_header": ({"string.fbs": HEAD + "table P_ (player) {}\nunion Event { P_ }\n"},
                   "string.fbs:1: error: the generated file string.h would hide a header of the C library; rename this file"),
    "F30_path": ({"a\\b.fbs": HEAD}, "a\\b.fbs:1: error: this file's name has a quote, a backslash, "),
    "F30_missing": ({"a.fbs": HEAD + "include 'x.fbs';\n"}, "a.fbs:3: error: there is no file `x.fbs` beside this one, nor in "),
    "F30_ours": ({"a.fbs": HEAD, "kifu.fbs": ""}, "kifu.fbs:1: error: this file is called as one of Kifu's own, "),
    "G01_fields": ({"a.fbs": HEAD + "table P_ (player) {\n%s x: int; }\nunion Event { P_ }\n" % "".join(
        "f%d: int (deprecated); " % i for i in range(32765))},
                   "a.fbs:3: error: this table has 32766 fields, and FlatBuffers allows 32,765"),
    "G01_required": ({"a.fbs": HEAD + "table A { b: B; }\ntable B {\n a: A (required);\n c: [C] (required);\n}\ntable C {\n"
                                      " d: D (required);\n}\ntable D { c: C (required); }\ntable P_ (player) { b: B; }\n"
                                      "union Event { P_ }\n"},
                     "a.fbs:9: error: a nim.C would need another one in its `d`, and that one, too, without an end; remove "),
    "G01_transient": ({"a.fbs": HEAD + "struct S { s: [ubyte:65535]; }\ntable P_ (player) {\n s: S (transient);\n"
                                       " b: bool (transient);\n}\nunion Event { P_ }\n"},
                      "a.fbs:4: error: the transient fields of this event are 65536 bytes, and Kifu allows 65,535"),
    "F32_order": ({"a.fbs": HEAD + "struct State (state) {\n game: kifu.Game;\n cells: [Cell:4];\n}\nstruct Cell { a: int; }\n"},
                  "a.fbs:5: error: `Cell` is declared below (a.fbs:7), and a struct can hold only what is declared above it: "
                  "move `struct Cell` above `struct State`"),
    "F32_table": ({"a.fbs": HEAD + "struct S {\n t: T;\n}\ntable T {}\n"},
                  "a.fbs:4: error: `T` is a table, and a struct holds only numbers, enums and structs"),
    "F32_itself": ({"a.fbs": HEAD + "struct Cell {\n cell: Cell;\n}\n"}, "a.fbs:4: error: a struct cannot hold itself"),
}


class Schemas(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kifu-schema-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, files):
        for name, text in files.items():
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as stream:
                stream.write(text if isinstance(text, bytes) else text.encode())
        return next(iter(files))

    def works(self, files):
        schema = self.write(files)
        out = os.path.join(self.folder, "out")
        for arguments in (["gen", schema, "-o", "out"], ["stubs", schema, "-o", "stubs"], ["python", schema, "-o", "python"]):
            status, said = tools.kifuc(*arguments, folder=self.folder)
            self.assertEqual(0, status, said)
        self.assertEqual("", tools.faults(out, schema[:-len(".fbs")], os.path.join(self.folder, "stubs")))
        self.assertEqual("", modules.faults(os.path.join(self.folder, "python"), schema[:-len(".fbs")], out))

    @unittest.skipUnless(shutil.which("gcc"), "there is no gcc")
    def test_M07_G01_random_schemas_become_C_without_a_warning_or_are_refused(self):
        """As ./dev fuzz does with thousands. What fuzz.py calls wrong is shown by a kifuc that is."""
        became = []
        for seed in range(1000, 1004):
            with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                became.append(fuzz.check(fuzz.files_of(seed), folder, seed))
        self.assertEqual({True, False}, set(became))
        good = {"a.fbs": HEAD + "table EGo (engine) { a: int = 3; }\nunion Event { EGo }\n"}
        for wrong, said in ((lambda table: ["int unused;"], "unused"), (lambda table: [][0], "IndexError")):
            with tempfile.TemporaryDirectory(dir=self.folder) as folder, unittest.mock.patch(
                    "kifuc.defaults.assignments", wrong), self.assertRaises(fuzz.Wrong) as caught:
                fuzz.check(good, folder, 1)
            self.assertIn(said, str(caught.exception))

    @unittest.skipUnless(shutil.which("gcc"), "there is no gcc")
    def test_F27_every_macro_of_the_headers_is_known(self):
        """And every name with an underscore, which a namespace and a name in it could become."""
        for standard in ("c11", "gnu11", "gnu2x"):
            for flags, pattern in ((["-dM"], r"(?m)^#define (\w+)"), (["-P"], r"\w+")):
                done = subprocess.run(["gcc", "-std=" + standard, "-I", os.path.join(tools.ROOT, "runtime", "include"), "-E",
                                       *flags, "-"], input=b"#include <string.h>\n#include <kifu/result.h>\n",
                                      stdout=subprocess.PIPE, check=True)
                for name in set(re.findall(pattern, done.stdout.decode())):
                    if re.match("_|kifu|KIFU|[0-9]|warn_unused_result$", name) or flags == ["-P"] and "_" not in name:
                        continue
                    if "_" in name:
                        self.assertTrue(words.of_the_library([name]), name)
                    elif name == name.lower():
                        self.assertIsNotNone(words.reserved(name), name)

    @unittest.skipUnless(shutil.which("gcc"), "there is no gcc")
    def test_Y08_modules_expect_what_the_compiler_finds(self):
        for name, (schema, includes) in tools.SCHEMAS.items():
            with self.subTest(name):
                out, python = (os.path.join(self.folder, name, each) for each in ("out", "python"))
                words_ = [os.path.join(tools.ROOT, schema)] + [
                    each for folder in includes for each in ("-I", os.path.join(tools.ROOT, folder))]
                for command, place in (("gen", out), ("python", python)):
                    self.assertEqual((0, ""), tools.kifuc(command, *words_, "-o", place))
                stem = os.path.basename(schema)[:-len(".fbs")]
                self.assertEqual("", modules.faults(python, stem, out))
        path = os.path.join(python, stem + "_foreign.c")
        tools.kifuc("python", *words_, "-o", python)
        text = tools.read(path).decode()
        tools.write(path, text.replace("offsetof(reversi_state, board),", "offsetof(reversi_state, resigned),"))
        self.assertIn("static assertion failed", modules.faults(python, stem, out))


def _add(name, test):
    setattr(Schemas, "test_" + name, test)


for _name, _files in WORKS.items():
    _add(_name, lambda self, files=_files: self.works(files))


def _refused(name, files, expected):
    def test(self):
        schema = self.write(files)
        status, said = tools.kifuc("gen", schema, "-o", "out", folder=self.folder)
        self.assertEqual(1, status)
        self.assertTrue(said.startswith(expected), said)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out")))

    _add(name, test)


for _name, (_files, _expected) in REFUSED.items():
    _refused(_name, _files, _expected)
