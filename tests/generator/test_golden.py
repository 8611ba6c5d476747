"""The files of one game, whole, are kept in golden/; test_excerpts.py has pieces of others."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

import tools

GOLDEN_GAME = "nim"
GOLDEN = os.path.join(tools.HERE, "golden", GOLDEN_GAME)
MODULE = os.path.join(tools.HERE, "golden", "python")


BY_NAME = """#include "everything.h"
kifu_ticket number(kifu_timeline *timeline, int player)
{
    auto charm = everything_charm_defaults();
    charm.power = 2;
    auto item = everything_item_defaults();
    item.name = "ring";
    item.charm = &charm;
    item.where.x = 3;
    everything_submit_p_trade(timeline, player, &item, nullptr, 0, nullptr);
    auto args = everything_p_numbers_defaults();
    args.side = EVERYTHING_SIDE_RIGHT;
    args.traits = EVERYTHING_TRAITS_FAST | EVERYTHING_TRAITS_WISE;
    return everything_submit_p_numbers(timeline, player, &args);
}
static_assert(EVERYTHING_LETTERS_COUNT == 26, "an array of the state");
const char *side(void) { return everything_side_name(EVERYTHING_SIDE_LEFT); }
"""


class Golden(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="kifu-golden-")
        cls.addClassCleanup(cls.folder.cleanup)
        for name in tools.SCHEMAS:
            status, said = tools.generate(name, os.path.join(cls.folder.name, name))
            assert status == 0, said
        if tools.REWRITE:
            shutil.rmtree(GOLDEN, ignore_errors=True)
            for path in cls.generated(GOLDEN_GAME):
                target = os.path.join(GOLDEN, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(os.path.join(cls.folder.name, GOLDEN_GAME, path), target)

    @classmethod
    def generated(cls, name):
        """The C files of a game, below its folder."""
        return [path for path in tools.files(os.path.join(cls.folder.name, name)) if path.endswith((".h", ".c"))]

    def test_Y08_the_python_module_is_the_golden_one(self):
        """The module but for what all games' modules share, and its C."""
        folder = os.path.join(self.folder.name, "python")
        self.assertEqual((0, ""), tools.kifuc("python", os.path.join(tools.ROOT, tools.SCHEMAS[GOLDEN_GAME][0]), "-o", folder))
        for name in ("nim/__init__.py", "nim_foreign.c"):
            text = tools.read(os.path.join(folder, name)).decode()
            if tools.REWRITE:
                tools.write(os.path.join(MODULE, name), text)
            self.assertEqual(tools.read(os.path.join(MODULE, name)).decode(), text, name)

    def test_files_are_the_golden_ones(self):
        self.assertEqual(tools.files(GOLDEN), self.generated(GOLDEN_GAME))
        for path in self.generated(GOLDEN_GAME):
            with self.subTest(file=path):
                made = tools.read(os.path.join(self.folder.name, GOLDEN_GAME, path))
                self.assertEqual(tools.read(os.path.join(GOLDEN, path)), made,
                                 "if this is right, run tests/generator/run.py --rewrite")

    def test_the_runtimes_own_tables_are_those_of_the_schema(self):
        committed = os.path.join(tools.ROOT, "runtime", "src", "save")
        folder = committed if tools.REWRITE else self.folder.name
        self.assertEqual((0, ""), tools.kifuc("tables", "schema/save.fbs", "-o", folder))
        for name in "save_tables.h", "save_tables.c":
            self.assertEqual(tools.read(os.path.join(committed, name)), tools.read(os.path.join(folder, name)),
                             "if this is right, run codegen/kifuc tables schema/save.fbs -o runtime/src/save")

    def test_no_warning_of_any_compiler(self):
        for compiler in tools.compilers("c"):
            for name in tools.SCHEMAS:
                with self.subTest(compiler=compiler, name=name):
                    self.assertEqual("", tools.compile_only(compiler, os.path.join(self.folder.name, name, name + ".c"),
                                                            "-std=c11", "-Wmissing-prototypes"))

    def test_unity_is_one_translation_unit_without_a_warning(self):
        """The source inlines the Do functions into its replay, and is as it is formatted. It calls them by name there."""
        for name, (schema, include) in tools.SCHEMAS.items():
            folder = os.path.join(self.folder.name, "unity", name)
            options = [option for path in include for option in ("-I", path)]
            self.assertEqual((0, ""), tools.kifuc("gen", schema, "-o", folder, "--unity", *options))
            self.assertEqual(0, tools.kifuc("stubs", schema, "-o", folder, *options)[0])
            stubs = sorted(each for each in os.listdir(folder) if each.startswith(("do_", "upcast_")))
            tools.write(os.path.join(folder, "all.c"), "".join('#include "%s"\n' % each for each in stubs + [name + ".c"]))
            for compiler in tools.compilers("c"):
                with self.subTest(compiler=compiler, name=name):
                    self.assertEqual("", tools.compile_only(compiler, os.path.join(folder, "all.c"), "-std=c11",
                                                            "-I" + folder))
            replay = tools.read(os.path.join(folder, name + ".c")).decode().split("__replay(")[1].split("\n}\n")[0]
            own = [each[len("do_"):-len(".c")] for each in stubs if each.startswith("do_")]
            self.assertEqual(len(own), len(re.findall(r"result = \w+_do_\w+\(", replay)), (own, replay))
            if shutil.which("clang-format"):
                subprocess.run(["clang-format", "--style=file:" + os.path.join(tools.ROOT, ".clang-format"), "--dry-run",
                                "-Werror", name + ".c"], cwd=folder, check=True)

    def test_G06_sixty_four_tags(self):
        """So many that they are no constants of an enum any more, and do not fit on a line."""
        labels = ["double", "int"] + ["T%d" % i for i in range(3, 65)]
        folder = os.path.join(self.folder.name, "tagged")
        tools.write(os.path.join(folder, "tagged.fbs"), 'include "kifu.fbs";\nnamespace tagged;\n'
                    'table EOne (engine, tags: "%s") {}\ntable ETwo (engine, tags: "T64 int") {}\n'
                    'union Event { EOne, ETwo }\n' % " ".join(labels))
        self.assertEqual((0, ""), tools.kifuc("gen", "tagged.fbs", "-o", ".", folder=folder))
        use = os.path.join(folder, "use.c")
        tools.write(use, '#include "tagged.c"\n_Static_assert(TAGGED_TAG_T64 == UINT64_C(1) << 63, "the last bit");\n'
                         '_Static_assert(TAGGED_TAG_DOUBLE == 1, "the first bit");\nint main(void)\n{\n'
                         '    const kifu__type *all = tagged_rules.types;\n'
                         '    return all[1].tags != UINT64_MAX || all[2].tags != (TAGGED_TAG_T64 | TAGGED_TAG_INT) ||\n'
                         '           tagged_rules.tag_count != 64 || tagged_rules.tags[1][0] != \'i\';\n}\n')
        for compiler in tools.compilers("c"):
            self.assertEqual("", tools.compile_only(compiler, use, "-std=c11", "-I" + folder))
        if shutil.which("clang-format"):
            subprocess.run(["clang-format", "--style=file:" + os.path.join(tools.ROOT, ".clang-format"), "--dry-run",
                            "-Werror", "tagged.c", "tagged.h", "tagged/state.h"], cwd=folder, check=True)

    def test_headers_are_cpp_too(self):
        for compiler in tools.compilers("c++"):
            for name in tools.SCHEMAS:
                with self.subTest(compiler=compiler, name=name):
                    path = os.path.join(self.folder.name, name, "all.cpp")
                    tools.write(path, '#include "%s.h"\n#include "%s/state.h"\n' % (name, name))
                    self.assertEqual("", tools.compile_only(compiler, path, "-std=c++11"))

    def test_G04_a_submit_by_name_is_cpp_too(self):
        for compiler in tools.compilers("c++"):
            for standard in "-std=c++17", "-std=c++20":
                with self.subTest(compiler=compiler, standard=standard):
                    path = os.path.join(self.folder.name, "everything", "by_name.cpp")
                    tools.write(path, BY_NAME)
                    self.assertEqual("", tools.compile_only(compiler, path, standard, "-Wshadow"))

    @unittest.skipUnless(shutil.which("nm"), "there is no nm")
    def test_G07_names_cost_nothing_where_nobody_asks(self):
        """Not even without optimization: an object has what its own code calls."""
        for compiler in tools.compilers("c"):
            with self.subTest(compiler=compiler), tempfile.TemporaryDirectory(prefix="kifu-names-") as folder:
                sizes = []
                for call in "0", "everything_side_name(value)[0]":
                    path = os.path.join(folder, "use.c")
                    tools.write(path, '#include "everything.h"\nint use(int8_t value);\nint use(int8_t value)\n{\n'
                                      '    (void)value;\n    return %s;\n}\n' % call)
                    subprocess.run([compiler, "-O0", "-I", os.path.join(self.folder.name, "everything"), "-I",
                                    os.path.join(tools.ROOT, "runtime", "include"), "-c", path, "-o", path + ".o"], check=True)
                    sizes.append(subprocess.run(["nm", path + ".o"], stdout=subprocess.PIPE, check=True).stdout.count(b"\n"))
                self.assertEqual(1, sizes[0])
                self.assertGreater(sizes[1], 2)

    def test_each_header_needs_no_other_before_it(self):
        for name in tools.SCHEMAS:
            with self.subTest(name=name):
                paths = [os.path.join(self.folder.name, name, path) for path in self.generated(name) if path.endswith(".h")]
                self.assertEqual("", tools.compile_only(tools.compilers("c")[0], *paths, "-std=c11", "-x", "c"))

    @unittest.skipUnless(shutil.which("clang-format"), "there is no clang-format")
    def test_formatted_as_emitted(self):
        for name in tools.SCHEMAS:
            with self.subTest(name=name):
                done = subprocess.run(["clang-format", "--style=file:" + os.path.join(tools.ROOT, ".clang-format"),
                                       "--dry-run", "-Werror"] + self.generated(name), check=False,
                                      cwd=os.path.join(self.folder.name, name), stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT)
                self.assertEqual("", done.stdout.decode("utf-8"))

    def test_stubs_compile_and_are_formatted(self):
        for name in tools.SCHEMAS:
            schema, includes = tools.SCHEMAS[name]
            folder = os.path.join(self.folder.name, name)
            stubs = os.path.join(self.folder.name, "stubs of " + name)
            status, said = tools.kifuc("stubs", schema, "-o", stubs, *[p for each in includes for p in ("-I", each)])
            self.assertEqual(0, status, said)
            self.assertEqual(0, tools.kifuc("stubs", "--view", schema, "-o", stubs,
                                            *[p for each in includes for p in ("-I", each)])[0])
            files = sorted(os.listdir(stubs))
            # As one: quicker.
            tools.write(os.path.join(stubs, "all.c"), "".join('#include "%s"\n' % each for each in files))
            with self.subTest(name=name):
                self.assertEqual("", tools.compile_only(tools.compilers("c")[0], os.path.join(stubs, "all.c"), "-std=c11",
                                                        "-Wmissing-prototypes", "-I" + folder))
                if shutil.which("clang-format"):
                    subprocess.run(["clang-format", "--style=file:" + os.path.join(tools.ROOT, ".clang-format"),
                                    "--dry-run", "-Werror", *[os.path.join(stubs, each) for each in files]], check=True)

    def test_same_bytes_everywhere(self):
        """Again, from a copy elsewhere, given by an absolute path, into another folder, in other processes."""
        for name, (schema, includes) in tools.SCHEMAS.items():
            with self.subTest(name=name), tempfile.TemporaryDirectory(prefix="kifu elsewhere ") as other:
                copy = os.path.join(other, "a", "b")
                shutil.copytree(os.path.dirname(os.path.join(tools.ROOT, schema)), copy)
                inner = [os.path.join(copy, os.path.relpath(each, os.path.dirname(schema))) for each in includes]
                out = os.path.join(other, "out")
                environment = dict(os.environ, PYTHONHASHSEED="77")
                done = subprocess.run(
                    [tools.KIFUC, "gen", os.path.join(copy, os.path.basename(schema)), "-o", out]
                    + [part for each in inner for part in ("-I", each)],
                    cwd=other, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                self.assertEqual((0, b""), (done.returncode, done.stdout))
                self.assertIn(name + ".bfbs", tools.files(out))
                for path in tools.files(out):
                    self.assertEqual(tools.read(os.path.join(self.folder.name, name, path)),
                                     tools.read(os.path.join(out, path)))


