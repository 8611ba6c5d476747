"""The runtime is a house of rooms (runtime/README.md): the symbols of its built objects say whether it still is."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import house
import names


def members_of(header, start):
    """The names that a struct declares, also where a declaration has several."""
    text = header.read_text(encoding="utf-8")
    body = re.sub(r"///?.*", "", text[text.index(start):].split("{", 1)[1].split("\n}", 1)[0])
    return {re.search(r"(\w+)\W*$", re.sub(r"\[.*?\]", "", name)).group(1)
            for declaration in body.split(";") if declaration.strip() for name in declaration.split(",")}


class House(unittest.TestCase):
    def setUp(self):
        self.found = house.arrows(os.environ["KIFU_BINARY_DIR"])
        self.assertGreater(len(self.found), 40, "the objects of the library were not found")

    def test_every_file_is_in_a_room(self):
        self.assertEqual([name for name in self.found if house.room(name) not in house.ORDER], [])

    def test_arrows_between_rooms_go_down(self):
        wrong = [f"{name} -> {other}: {', '.join(names)}" for name, other, names in house.upward(self.found)]
        self.assertEqual(wrong, [], "\n".join(wrong))

    def test_no_circle_is_larger_than_three_files(self):
        self.assertEqual([group for group in house.circles(self.found) if len(group) > 3], [])

    def linked(self, program):
        path = os.path.join(os.environ["KIFU_BINARY_DIR"], "tests", "bench", program + ".map")
        if not os.path.exists(path):
            self.skipTest("the benchmark's small programs are not built here")
        found = house.linked(path, os.environ["KIFU_BINARY_DIR"])
        self.assertIn("core/run", found)
        return found

    def rooms_linked(self, program):
        return {house.room(name) for name in self.linked(program)}

    def test_the_smallest_game_links_no_part(self):
        self.assertEqual(self.rooms_linked("link_small") - {"base", "wire", "core", "history"}, set())

    def test_a_game_with_saves_links_no_other_part(self):
        self.assertEqual(self.rooms_linked("link_small_save") - {"base", "wire", "core", "history"}, {"save"})

    def test_a_game_without_variations_links_nothing_of_them(self):
        """Not even where it verifies its replay or compares two games, which both look at lines."""
        tree = re.compile(r"line|way$|draw_tree|compare_tree|variations|note")
        self.assertIn("history/draw_tree", self.found)
        self.assertIn("check/verify_replay", self.linked("link_small_compare"))
        self.assertIn("text/compare", self.linked("link_small_compare"))
        for program in ("link_small", "link_small_save", "link_small_compare"):
            found = [name for name in self.linked(program) if tree.search(name) and name != "core/timeline"]
            self.assertEqual(found, [], program)

    def test_small_programs_stay_small(self):
        """By the compiler with which the limits were set; others make programs of other sizes."""
        asked = [subprocess.run([os.environ["CC"], word], check=True, capture_output=True, text=True).stdout
                 for word in ("-dumpfullversion", "-dumpmachine")]  # Given both, gcc answers one.
        if not (asked[0].startswith("12.") and asked[1].startswith("x86_64")):
            self.skipTest("the limits are for gcc 12 on x86_64")
        for program, limit in (("link_small", 34), ("link_small_save", 80)):
            self.rooms_linked(program)  # skips where it is not built
            path = os.path.join(os.environ["KIFU_BINARY_DIR"], "tests", "bench", program)
            sizes = subprocess.run(["size", path], check=True, capture_output=True, text=True).stdout
            self.assertLessEqual(int(sizes.splitlines()[1].split()[0]), limit * 1024, program)

    def sources_with(self, pattern):
        source = pathlib.Path(os.environ["KIFU_SOURCE_DIR"]) / "runtime" / "src"
        return {f"{path.parent.name}/{path.name}" for path in source.rglob("*.[ch]")
                if re.search(pattern, path.read_text(encoding="utf-8"))}

    def test_R01_no_log_and_no_state_is_swapped_to_look_elsewhere(self):
        """Path and state are arguments. Only what executes events beside the game's own state shows them theirs as the game's."""
        found = self.sources_with(r"->log = |\blog(\.|->)branch = |\bkifu_timeline \w+ = \*\w+;|\bcore\.state = ")
        self.assertEqual(found, {"core/log.c", "core/go.c", "check/sync.c",
                                 "history/exchange.c"})  # Two compare it with what it was; one exchanges whole records.

    def test_M08_a_timeline_that_is_only_looked_at_is_not_written(self):
        """Several threads may fork one. Of these, one closes a save; two write where their last look led to, and no fork calls
        them."""
        self.assertEqual(self.sources_with(r"\(kifu_timeline \*\)\(uintptr_t\)"),
                         {"core/submit.c", "seen/watching.c", "save/unplayed.c"})

    def test_the_struct_of_the_timeline_says_who_owns_what(self):
        """It has groups, and what a room above the core writes of it is listed here: a longer list needs a reason."""
        source = pathlib.Path(os.environ["KIFU_SOURCE_DIR"]) / "runtime" / "src"
        members = members_of(source / "core" / "timeline.h", "struct kifu_timeline {")
        self.assertIn("log", members)
        self.assertLessEqual(len(members), 40)
        for room, most in (("history", 15), ("search", 17), ("save", 13), ("check", 9), ("turns", 4), ("bytes", 3),
                           ("observe", 4), ("text", 0), ("seen", 4)):
            written = set()
            for path in (source / room).glob("*.c"):
                written |= set(re.findall(r"\b(?:timeline|fork|stage|again)->(\w+)[\w.\[\]]* *(?:[-+|&]?=(?!=)|\+\+|--)",
                                          path.read_text(encoding="utf-8")))
            self.assertLessEqual(len((written & members) - {"error", "fault"}), most, (room, sorted(written & members)))

    def test_a_branch_and_its_line_have_at_most_20_members_each(self):
        source = pathlib.Path(os.environ["KIFU_SOURCE_DIR"]) / "runtime" / "src"
        for header, start, one in (("core/branch.h", "struct kifu__branch {", "segments"),
                                   ("history/lines.h", "typedef struct kifu__line {", "tip_hash")):
            members = members_of(source / header, start)
            self.assertIn(one, members)
            self.assertLessEqual(len(members), 20, sorted(members))

    def test_no_file_is_longer_than_450_lines(self):
        source = os.path.join(os.environ["KIFU_SOURCE_DIR"], "runtime", "src")
        long = []
        for folder, _, files in os.walk(source):
            for file in files:
                with open(os.path.join(folder, file), encoding="utf-8") as text:
                    count = sum(1 for _ in text)
                if count > 450:
                    long.append((file, count))
        self.assertEqual(long, [])


class Names(unittest.TestCase):
    def test_F75_each_id_in_the_name_of_a_test_is_explained(self):
        tests = pathlib.Path(os.environ["KIFU_SOURCE_DIR"], "tests")
        used = {}
        for path in [*tests.rglob("*.c"), *tests.rglob("*.py")]:
            for name in re.findall(r"(?m)^(?:START_TEST\(| +def test_)((?:[A-Z]\d\d_)+)", path.read_text(encoding="utf-8")):
                for each in name.split("_")[:-1]:
                    used.setdefault(each, path.name)
        self.assertGreater(len(used), 150)
        explained = re.findall(r"(?m)^- ([A-Z]\d\d) \S", (tests / "ids.md").read_text(encoding="utf-8"))
        self.assertEqual({}, {each: name for each, name in used.items() if each not in explained},
                         "say in tests/ids.md what these mean")
        self.assertEqual([], [each for each in explained if each not in used], "no test has these")
        self.assertEqual(sorted(set(explained)), sorted(explained), "each once")

    def test_each_suite_that_looks_inside_is_listed_with_its_reason(self):
        tests = pathlib.Path(os.environ["KIFU_SOURCE_DIR"], "tests")
        marked = re.findall(r"(?m)^ *kifu_test\((\w+) PRIVATE\b", (tests / "CMakeLists.txt").read_text(encoding="utf-8"))
        page = (tests / "README.md").read_text(encoding="utf-8").split("\n## Suites that look inside\n")[1].split("\n## ")[0]
        self.assertEqual(sorted(marked), sorted(re.findall(r"`(test_\w+)`", page)))


class FileScope(unittest.TestCase):
    """The runtime can be one file (`./dev amalgamate`), because no two of its files share a name at file scope."""

    @classmethod
    def setUpClass(cls):
        source = pathlib.Path(os.environ["KIFU_SOURCE_DIR"], "runtime", "src")
        cls.texts = {str(path.relative_to(source)): names.stripped(path.read_text(encoding="utf-8"))
                     for path in sorted(source.rglob("*.[ch]"))}

    def test_Y07_each_name_is_declared_in_one_file(self):
        """Names that begin with kifu are the linker's matter."""
        owners = {}
        for path, text in self.texts.items():
            for name in names.declared(text):
                owners.setdefault(name, []).append(path)
        self.assertGreater(len(owners), 2000)
        self.assertEqual({}, {name: paths for name, paths in owners.items()
                              if len(paths) > 1 and (not name.lower().startswith("kifu") or name.endswith("_H"))})

    def test_Y07_a_macro_of_one_file_is_no_word_of_another(self):
        words = {path: set(re.findall(r"\w+", text)) for path, text in self.texts.items()}
        self.assertEqual([], [(name, path, other) for path, text in self.texts.items() if path.endswith(".c")
                              for name in names.macros(text) for other in words if other != path and name in words[other]])

    def test_names_are_found(self):
        text = """
            #define LIMIT 3
            enum { FIRST = 1, // no name
                   SECOND };
            typedef struct pair { int one; } pair;
            typedef enum color { RED, BLUE } color;
            typedef bool (*visitor)(void *context, struct other *other);
            struct later;
            static const char text[] = "static int not_here;", *const more = 0;
            static const int numbers[2][3] = {{1}};
            static bool declared(int argument) __attribute__((format(printf, 1, 2)));
            static inline struct pair *of(int argument)
            {
                enum { INNER = 1 };
                int local = 1;
                return f(local);
            }
            int kifu__x;
        """
        text = re.sub(r"(?m)^ {12}", "", text)
        self.assertEqual({"LIMIT", "FIRST", "SECOND", "pair", "color", "RED", "BLUE", "visitor", "text", "numbers", "declared", "of",
                          "kifu__x"}, names.declared(names.stripped(text)))


class Pages(unittest.TestCase):
    """The pages for those who change the runtime."""

    def setUp(self):
        self.runtime = pathlib.Path(os.environ["KIFU_SOURCE_DIR"], "runtime")

    def test_F75_each_source_says_at_its_top_what_it_is_for(self):
        """A header, or a source that has none of its own."""
        silent = []
        for path in [*self.runtime.joinpath("src").rglob("*.[ch]"), *self.runtime.joinpath("tool").rglob("*.[ch]"),
                     *self.runtime.joinpath("json").rglob("*.[ch]"),
                     *self.runtime.joinpath("referee").rglob("*.[ch]"),
                     *self.runtime.joinpath("nats").rglob("*.[ch]"),
                     *self.runtime.joinpath("include").rglob("*.h")]:
            begins = "/// " if path.suffix == ".h" else "// "
            if not path.read_text(encoding="utf-8").startswith(begins) and not path.with_suffix(".h").exists():
                silent.append(str(path.relative_to(self.runtime)))
        self.assertEqual([], silent)

    def test_F75_the_runtimes_page_is_short_and_names_what_is_there(self):
        page = (self.runtime / "README.md").read_text(encoding="utf-8")
        self.assertLess(page.count("\n"), 200)
        notes = sorted(self.runtime.joinpath("docs", "decisions").glob("*.md"))
        self.assertEqual([note.name for note in notes], sorted(re.findall(r"\(docs/decisions/(\S+\.md)\)", page)))
        for text in [page, *(note.read_text(encoding="utf-8") for note in notes)]:
            for name in re.findall(r"`((?:[\w-]+/)*[\w-]+\.(?:[ch]|md|fbs|py))`", text):
                tops = [self.runtime.parent, self.runtime.parent / "codegen", self.runtime, self.runtime / "src",
                        self.runtime / "include", self.runtime / "include" / "kifu",
                        *self.runtime.joinpath("src").iterdir()]
                self.assertTrue(any((top / name).exists() for top in tops), name)

    def test_R03_the_format_the_code_and_the_independent_reader_have_the_same_records(self):
        top = self.runtime.parent
        page = (top / "schema" / "FORMAT.md").read_text(encoding="utf-8")
        table = page.split("| kind | name | in | body | meaning |\n|---|---|---|---|---|\n")[1].split("\n\n")[0]
        rows = [[cell.strip() for cell in row.split("|")[1:6]] for row in table.splitlines()]
        self.assertEqual([], [name for _, name, _, _, meaning in rows if not meaning])
        records = [(int(kind), name) for kind, name, *_ in rows]
        header = (self.runtime / "src" / "save" / "records.h").read_text(encoding="utf-8")
        kinds = header.split("typedef enum kifu__record {")[1].split("KIFU__RECORD_KINDS")[0]
        code = re.findall(r"(?m)^ +KIFU__(\w+)( = 1)?,", kinds)
        self.assertEqual([(i, name.lower()) for i, (name, _) in enumerate(code, 1)], records)
        self.assertEqual([bool(one) for _, one in code], [True] + [False] * (len(code) - 1))
        reader = (self.runtime / "src" / "save" / "read_commit.c").read_text(encoding="utf-8")
        kinds = re.findall(r'\[KIFU__(\w+)\] = \{"(\w+)", ([\w |]+), (\d), (\w+)\}, +// (.+)', reader)
        self.assertEqual([(name, name.lower()) for name, _ in code], [kind[:2] for kind in kinds])
        words = {"ANYWHERE": "all", "IN_SAVES": "saves", "IN_LOGS": "logs", "IN_LOGS | IN_CHANGES": "logs, changes"}
        self.assertEqual([where for _, _, where, _, _ in rows], [words[kind[2]] for kind in kinds])
        for (*_, body, _), kind in zip(rows, kinds):  # What is not named otherwise is a number.
            parts = [part.strip() for part in body.split(",") if part.strip()]
            others = [part for part in parts if re.search(r"bytes|hash|key|value|events|perhaps|often|`|distance", part)]
            first = parts.index(others[0]) if others else len(parts)
            self.assertEqual(first if kind[0] != "POSITION" else 0, int(kind[3]), body)
        self.assertEqual({kind[0]: set(kind[5].split(", ")) for kind in kinds}, self.writers_of_records())
        self.assertEqual({"64"}, set(re.findall(r"skip kinds from (\d+) on", page)))
        self.assertIn("KIFU__SKIPPED_RECORDS = 64 ", header)
        script = (top / "tests" / "records.py").read_text(encoding="utf-8")
        names = re.search(r"\(([\w, \n]+)\) = range\(1, (\d+)\)  # kinds of records", script)
        self.assertEqual([name.upper() for _, name in records], re.split(r",\s+", names.group(1)))

    def writers_of_records(self):
        """Of each kind of records, the functions that add one to a commit."""
        writers = {}
        for path in self.runtime.joinpath("src", "save").glob("*.c"):
            source = path.read_text(encoding="utf-8")
            for name, body in re.findall(r"(?ms)^[\w *]+?(\w+)\([^;{]*?\)\n\{\n(.*?)^\}", source):
                for kind in re.findall(r"kifu__(?:end|add)_record\(&?\w+, KIFU__(\w+)", body):
                    writers.setdefault(kind, set()).add(name)
        return writers

    def test_R03_the_format_the_code_and_the_independent_readers_have_the_same_frames(self):
        top = self.runtime.parent
        page = (top / "schema" / "FORMAT.md").read_text(encoding="utf-8")
        table = page.split("| kind | payload | meaning |\n|---|---|---|\n")[1].split("\n\n")[0]
        rows = [[cell.strip() for cell in row.split("|")[1:4]] for row in table.splitlines()]
        header = (self.runtime / "src" / "save" / "frame.h").read_text(encoding="utf-8")
        code = re.findall(r"(?m)^ +KIFU__FRAME_(\w+) = (\d+), +///<", header.split("KIFU__FRAME_HEAD = 16")[1])
        self.assertEqual([number for number, _, _ in rows], [number for _, number in code])
        self.assertEqual([str(i) for i in range(1, len(rows) + 1)], [number for number, _, _ in rows])
        for (name, _), (_, payload, meaning) in zip(code, rows):
            self.assertIn(name.lower(), f"{payload} {meaning}".lower())
        self.assertIn("KIFU__SKIPPED_FRAMES = 64 ", header)
        help_c = (top / "tests" / "frame_help.h").read_text(encoding="utf-8")
        names = re.search(r"enum \{ FRAME_HEADER = 1, (.+), FRAME_SKIPPED = 64 \};", help_c).group(1)
        self.assertEqual([f"FRAME_{name}" for name, _ in code[1:]], names.split(", "))
        script = (top / "tests" / "save_frames.py").read_text(encoding="utf-8")
        names = re.search(r"([\w, ]+) = range\(1, 7\)  # kinds of frames", script).group(1)
        self.assertEqual([name for name, _ in code], names.split(", "))


class Headers(unittest.TestCase):
    """The public headers, as games include them."""

    def setUp(self):
        runtime = pathlib.Path(os.environ["KIFU_SOURCE_DIR"], "runtime")
        self.headers = {path: path.read_text(encoding="utf-8")
                        for path in sorted(runtime.joinpath("include").rglob("*.h"))}
        self.sources = [path.read_text(encoding="utf-8") for path in sorted(runtime.joinpath("src").rglob("*.c"))]
        self.include = runtime / "include"

    def must_compile(self, compiler, headers):
        """Without a warning, with some that are in no -Wall."""
        words = [compiler, "-x", "c++", "-std=c++11"] if compiler.endswith("++") else [compiler, "-x", "c", "-std=c11"]
        words += "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wimplicit-fallthrough -Wundef -Werror".split()
        if compiler == "clang":
            words.append("-Wdocumentation")
        names = [path.relative_to(self.include) for path in headers]
        text = "".join(f'#include "{name}"\n' for name in names) + "extern int not_empty;\n"
        done = subprocess.run([*words, "-fsyntax-only", "-I", self.include, "-"], check=False, input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((0, ""), (done.returncode, done.stdout), f"{compiler}: {', '.join(map(str, names))}")

    def test_F74_compilers_have_nothing_to_say(self):
        """Of each header alone to one compiler, and of all together to the others."""
        compilers = [name for name in ("gcc", "clang", "g++", "clang++") if shutil.which(name)]
        self.assertTrue(compilers)
        headers = [path for path in self.headers if path.name != "zstd.h" or os.path.exists("/usr/include/zstd.h")]
        for path in headers:
            self.must_compile(compilers[0], [path])
        for compiler in compilers:
            self.must_compile(compiler, headers)

    @staticmethod
    def functions(text, end):
        """Public functions and the types of their parameters, as they are written."""
        found = {}
        for name, parameters in re.findall(r"^[a-zA-Z_][\w *]*?(kifu_[a-z]\w*)\(([^;{}]*?)\)" + end, text, re.MULTILINE):
            found[name] = [" ".join(re.sub(r"^struct |\w+$", "", each.strip()).split()) for each in parameters.split(",")]
        return found

    def test_F74_functions_are_defined_as_they_are_declared(self):
        defined = {}
        for text in self.sources:
            defined.update(self.functions(text, r"\n\{"))
        declared = {}
        for text in self.headers.values():
            declared.update(self.functions(text, ";"))
        both = declared.keys() & defined.keys()
        self.assertGreater(len(both), 130)
        self.assertEqual({name: declared[name] for name in both}, {name: defined[name] for name in both})

    def test_what_only_generated_code_calls_is_in_detail(self):
        """A reader of the API meets a library, and not its machinery: functions and types of its own."""
        public = {path: text for path, text in self.headers.items() if path.parent.name != "detail"}
        self.assertGreater(len(public), 25)
        own = re.compile(r"(?m)^[a-z][\w *]*?\b(kifu__\w+)\(|^(?:typedef )?(?:struct|enum|union) (kifu__\w+) \{|"
                         r"^typedef [^({\n]*?(kifu__\w+);")
        self.assertGreater(len(own.findall("".join(self.headers.values()))), 60)
        self.assertEqual({}, {path.name: own.findall(text) for path, text in public.items() if own.search(text)})

    def test_F74_lists_and_tables_in_comments_are_whole(self):
        """clang-format joins and breaks lines that are too long: then what is left is no list any more."""
        for path, text in self.headers.items():
            lines = text.splitlines()
            for number, line in enumerate(lines):
                with self.subTest(place=f"{path.name}:{number + 1}"):
                    if line.startswith("/// |"):
                        self.assertTrue(line.endswith("|"), line)
                    if re.match(r"/// {3}\S", line):
                        self.assertRegex(lines[number - 1], r"^/// (-|  )")


class Graph(unittest.TestCase):
    """What the test above relies on."""

    def test_a_circle_is_found(self):
        found = {"core/a": {"core/b": []}, "core/b": {"core/c": []}, "core/c": {"core/a": []}, "core/d": {"core/a": []}}
        self.assertEqual(house.circles(found), [["core/a", "core/b", "core/c"]])

    def test_an_arrow_up_or_to_a_neighbour_is_found(self):
        found = {"core/a": {"save/b": ["x"], "base/c": ["y"]}, "save/b": {"turns/d": ["z"]}, "base/c": {}, "turns/d": {}}
        self.assertEqual(house.upward(found), [("core/a", "save/b", ["x"]), ("save/b", "turns/d", ["z"])])


if __name__ == "__main__":
    unittest.main()
