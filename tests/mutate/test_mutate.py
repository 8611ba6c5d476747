"""`./dev mutate` plants what it says, and tells a fault that a toy's suite notices from one that it does not."""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(TESTS, "coverage")]

import mutate  # noqa: E402
import plant  # noqa: E402
import planted  # noqa: E402
import reach  # noqa: E402
import reasons  # noqa: E402
import suites  # noqa: E402
import toy  # noqa: E402

SAMPLE = """\
#define TWICE(a) ((a) + (a)) // no function
static const int sizes[] = {1 + 2};

static bool sync_all(int *file, const char *name) /* { */
{
    const char *text = "a < b; {";
    int count = 0;
    (void)name;
    for (int i = 0; i < 4; i++)
        *file = (int){count + 1};
    switch (count) {
    case 1:
        count = text ? 2 : 3;
        break;
    default:
        return false;
    }
    if (count && !fsync(*file))
        kifu__free(text);
    do
        count--;
    while (count >= 1 << 2);
    return kifu__os_flush(file);
}
"""

EXPECTED = """\
10 statement *file = (int){count + 1};  =>  ;
13 statement count = text ? 2 : 3;  =>  ;
14 statement break;  =>  ;
16 statement return false;  =>  ;
19 call kifu__free(text);  =>  ;
21 statement count--;  =>  ;
9 condition for (int i = 0; i < 4; i++)  =>  for (int i = 0; !(i < 4); i++)
13 condition count = text ? 2 : 3;  =>  count = !(text) ? 2 : 3;
18 condition if (count && !fsync(*file))  =>  if (!(count && !fsync(*file)))
18 condition if (count && !fsync(*file))  =>  if (!(count) && !fsync(*file))
18 condition if (count && !fsync(*file))  =>  if (count && !(!fsync(*file)))
22 condition while (count >= 1 << 2);  =>  while (!(count >= 1 << 2));
9 bound for (int i = 0; i < 4; i++)  =>  for (int i = 0; i <= 4; i++)
9 bound for (int i = 0; i < 4; i++)  =>  for (int i = 0; i < 5; i++)
9 bound for (int i = 0; i < 4; i++)  =>  for (int i = 0; i < 3; i++)
10 bound *file = (int){count + 1};  =>  *file = (int){count + 2};
10 bound *file = (int){count + 1};  =>  *file = (int){count + 0};
22 bound while (count >= 1 << 2);  =>  while (count > 1 << 2);
22 bound while (count >= 1 << 2);  =>  while (count >= 2 << 2);
22 bound while (count >= 1 << 2);  =>  while (count >= 0 << 2);
18 call if (count && !fsync(*file))  =>  if (count && !0)
23 call return kifu__os_flush(file);  =>  return 1;
"""


class Plant(unittest.TestCase):
    def test_the_faults_of_a_function(self):
        faults = plant.faults_of(SAMPLE)
        found = "".join("%d %s %s\n" % (fault.line, fault.kind, fault.what()) for fault in faults)
        self.assertEqual(sorted(EXPECTED.splitlines()), sorted(found.splitlines()))
        self.assertEqual({"sync_all"}, {fault.function for fault in faults})

    def test_a_fault_moves_no_line(self):
        source = "int f(int a)\n{\n    g(a,\n      a);\n    return a;\n}\n"
        fault = plant.faults_of(source)[0]
        self.assertEqual("int f(int a)\n{\n    ;\n\n    return a;\n}\n", fault.plant(source))
        self.assertEqual("g(a, a);  =>  ;", fault.what())
        self.assertEqual((3, 4), (fault.line, fault.last_line))

    def test_M08_a_bound_at_which_both_sides_are_the_same_is_not_moved(self):
        for words, count in (("a < b ? a : b", 0), ("a >= b ? b : a", 0), ("a > b ? a - b : 0", 0), ("a < b ? b : 0", 1),
                             ("g(a[1], a[1] > b ? a[1] : b)", 0), ("a < b && b ? a : b", 1),
                             ("a - b < 7 ? a : b + 7", 4), ("a - b < c ? a : b + c", 0), ("a - b < c ? a : b - c", 1)):
            faults = plant.faults_of("int f(int a, int b)\n{\n    return %s;\n}\n" % words)
            self.assertEqual(count, len([fault for fault in faults if fault.kind == "bound"]), words)


    def test_M08_more_room_than_needed_is_no_fault(self):
        for words, count in (("kifu__grow(m, a, &c, (uint64_t)(a + 2) + 1, 4)", 2), ("g(kifu__new(m, a), a + 1)", 2),
                             ("kifu__new(m, g(a) + (a + 1))", 1), ("kifu__new(m, a - 1)", 2)):
            faults = plant.faults_of("int f(int a)\n{\n    return %s;\n}\n" % words)
            self.assertEqual(count, len([fault for fault in faults if fault.kind == "bound"]), words)


class Suites(unittest.TestCase):
    def test_M08_a_line_that_gcov_does_not_count_is_reached_with_the_function_or_the_line_before(self):
        run = mutate.Run.__new__(mutate.Run)
        run.suites, run.times = {"one": "one", "two": "two"}, {"one": 1, "two": 2}
        run.reached = reach.Reached()
        for name, lines in (("one", {3: 1, 5: 0, 8: 0}), ("two", {3: 0, 5: 0, 8: 1})):
            file = reach.File()
            file.lines, file.functions = lines, {3: "", 5: "", 8: "named"}
            run.reached.add(name, {"a.c": file})
        def suites_for(line, function):
            return run.suites_for("a.c", unittest.mock.Mock(line=line, last_line=line, function=function))
        self.assertEqual(["one"], suites_for(3, "inlined"))
        self.assertEqual(["one"], suites_for(4, "inlined"))
        self.assertEqual([], suites_for(5, "inlined"))
        self.assertEqual(["two"], suites_for(7, "named"))


class Sources(unittest.TestCase):
    """A suite with a fault in its library writes where it likes: to no source."""

    def test_suites_read_a_copy_of_the_sources(self):
        with tempfile.TemporaryDirectory(prefix="kifu-mutate-") as folder:
            sources = os.path.join(folder, "sources")
            os.makedirs(os.path.join(sources, "build"))
            with open(os.path.join(sources, "a.txt"), "w", encoding="utf-8") as stream:
                stream.write("a")
            copies = {}
            for _ in range(2):
                apart = planted.with_copies({"SOURCES": sources, "OTHER": "1"}, folder, copies)
                self.assertEqual({"SOURCES": os.path.join(folder, "copy0"), "OTHER": "1"}, apart)
            self.assertEqual(["a.txt"], os.listdir(apart["SOURCES"]))

    def test_no_copy_of_the_build_is_made_in_the_build(self):
        with tempfile.TemporaryDirectory(prefix="kifu-mutate-") as build:
            folder, copies = os.path.join(build, "kifu-mutate", "0"), {}
            os.makedirs(folder)
            self.assertEqual({"BUILD": build}, planted.with_copies({"BUILD": build}, folder, copies))
            self.assertEqual({}, copies)

    @unittest.skipUnless("KIFU_BINARY_DIR" in os.environ, "ctest says where the suites are")
    def test_a_suite_knows_no_path_of_a_source(self):
        build = os.path.realpath(os.environ["KIFU_BINARY_DIR"])
        with tempfile.TemporaryDirectory(prefix="kifu-mutate-") as folder:
            for suite in suites.of_build(build):
                if not suite.program.startswith(build) or suite.name == "reversi_demo":
                    continue  # a script, or the program that shows its schema
                stripped = os.path.join(folder, "stripped")
                subprocess.run(["strip", "-o", stripped, suite.program], check=True)
                with open(stripped, "rb") as stream:
                    self.assertFalse(os.path.dirname(TESTS).encode() + b"/" in stream.read(), suite.name)


class Lists(unittest.TestCase):
    """Of this project: either command ends at once if its list is not as reasons.py says."""

    def test_each_entry_is_there_once_and_has_a_reason(self):
        for path in (os.path.join(HERE, "accepted.txt"), os.path.join(TESTS, "coverage", "not_reached.txt")):
            self.assertEqual([], reasons.Reasons(path).faults)

    def test_each_accepted_fault_can_be_planted(self):
        planted = set()
        for folder, _, names in os.walk(os.path.join(os.path.dirname(TESTS), "runtime", "src")):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as stream:
                    faults = plant.faults_of(stream.read())
                planted.update((fault.function, reasons.squeeze(fault.what())) for fault in faults)
        self.assertEqual([], sorted(set(reasons.Reasons(os.path.join(HERE, "accepted.txt")).entries) - planted))


class Mutate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="kifu-mutate-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.build, cls.counting = (os.path.join(cls.folder.name, name) for name in ("mutate", "coverage"))
        toy.build(cls.build, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1")
        toy.build_counting(cls.counting)

    def mutate(self, *arguments, accepted=""):
        path = os.path.join(self.folder.name, "accepted.txt")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(accepted)
        return toy.run(sys.executable, os.path.join(HERE, "mutate.py"), "--build", self.build, "--coverage",
                       self.counting, "--root", toy.ROOT, "--accepted", path, "--seconds", "1", "--verbose", *arguments)

    def test_all_that_can_be_planted(self):
        status, said = self.mutate("1000")
        self.assertEqual(1, status, said)
        survivors = re.findall(r"^%s/room/(toy.*): (.*)\n    (.*)$" % re.escape(toy.ROOT), said, re.MULTILINE)
        unnoticed = {(where, what) for where, what, why in survivors if why == "1 suites did not notice"}
        unreached = {(where, what) for where, what, why in survivors if why == "no suite reaches this line"}
        self.assertIn(("toy.c:5: toy_clamp", "if (number > 9)  =>  if (number > 10)"), unnoticed)
        self.assertEqual({("toy.c:13: toy_divide", "return 0;  =>  ;"),
                          ("toy.c:27: toy_forgotten", "*number = 1;  =>  ;")}, unreached)
        self.assertEqual(len(survivors), len(unnoticed) + len(unreached))
        for caught in ("if (number > 9)  =>  if (!(number > 9))", "if (!b)  =>  if (!(!b))",
                       "i < count; i++)  =>  for (int i = 0; i <= count; i++)", "sum += toy_twice(numbers[i]);  =>  ;"):
            self.assertRegex(said, "(?m)^caught: .*%s\n    test_toy failed" % re.escape(caught))
        # With >= 9 is clamped to 9: the compiler knows that this is the same.
        self.assertNotIn(">=", said)
        self.assertRegex(said, r"(?m)^room +caught [0-9]+ of [0-9]+, ")

    def test_a_seed_chooses_the_same_faults_again(self):
        def once(seed):
            return sorted(self.mutate("2", "room/toy.c", "--seed", seed, "--workers", "1")[1].splitlines())
        self.assertEqual(once("3"), once("3"))
        self.assertGreater(len({"\n".join(once(str(seed))) for seed in range(6)}), 1)

    def test_accepted_faults_do_not_count(self):
        entry = "toy_clamp: if (number > 9)  =>  if (number > 10)\n    Nobody has ten.\n"
        said = self.mutate("1000", accepted=entry)[1]
        self.assertNotIn("number > 10", said)
        self.assertIn("1 are accepted", said)

    def test_a_place_that_is_not_there(self):
        status, said = self.mutate("1", "nowhere")
        self.assertEqual(1, status)
        self.assertIn("nothing can be planted in nowhere", said)


class Surroundings(unittest.TestCase):
    """What the environment says of compilers and temporary files changes nothing (M08)."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="kifu-mutate-")
        cls.addClassCleanup(cls.folder.cleanup)

    def run_both(self, name):
        """Both commands on the toy, built under this environment; what they say of it."""
        build, counting = (os.path.join(self.folder.name, name, each) for each in ("mutate", "coverage"))
        toy.build(build, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1")
        toy.build_counting(counting)
        empty = os.path.join(self.folder.name, "empty.txt")
        with open(empty, "w", encoding="utf-8"):
            pass
        status, said = toy.run(sys.executable, os.path.join(TESTS, "coverage", "coverage.py"), "--build", counting,
                               "--root", toy.ROOT, "--reasons", empty, "--lines", "77", "--branches", "83")
        self.assertEqual(0, status, said)
        self.assertRegex(said, r"in all +14 of +18 lines")
        status, said = toy.run(sys.executable, os.path.join(HERE, "mutate.py"), "--build", build, "--coverage", counting,
                               "--root", toy.ROOT, "--accepted", empty, "--seconds", "1", "8", "room/toy.c")
        self.assertRegex(said, r"(?m)^room/toy\.c +caught [0-9] of 8, .*; besides, [0-3] did not compile")
        self.assertEqual(["CMakeCache.txt"], [each for each in os.listdir(build) if each.startswith(("CMakeC", "kifu-"))])

    def test_M08_the_compiler_may_be_behind_a_launcher(self):
        launcher = os.path.join(self.folder.name, "launcher")
        with open(launcher, "w", encoding="utf-8") as stream:
            stream.write('#!/bin/sh\ncase $1 in -*) exit 1 ;; esac\nexec "$@"\n')  # as ccache, which has options, too
        os.chmod(launcher, 0o755)
        with unittest.mock.patch.dict(os.environ, {"CMAKE_C_COMPILER_LAUNCHER": launcher}):
            self.run_both("launched")
        with open(os.path.join(self.folder.name, "launched", "mutate", "CMakeCache.txt"), encoding="utf-8") as stream:
            self.assertIn(launcher, stream.read())

    @staticmethod
    def strange_folders(stack):
        """A long one with spaces, which its owner alone may enter; and one on another file system."""
        for root in (None, "/dev/shm"):
            if root is None or os.access(root, os.W_OK):
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="a space ", dir=root))
                folder = os.path.join(folder, *(["kifu-test- it's long"] * 18))
                os.makedirs(folder, 0o700)
                yield folder

    def test_M08_temporary_files_may_be_anywhere(self):
        with contextlib.ExitStack() as stack:
            for i, folder in enumerate(self.strange_folders(stack)):
                with unittest.mock.patch.dict(os.environ, {"TMPDIR": folder}):
                    self.run_both("anywhere%d" % i)

    @unittest.skipUnless("KIFU_BINARY_DIR" in os.environ, "ctest says where the suites are")
    def test_M08_suites_pass_where_temporary_files_are_anywhere(self):
        concerned = {"test_load_refused", "test_log_file_faults", "test_overwritten", "test_replace", "test_save_faults"}
        found = [each for each in suites.of_build(os.environ["KIFU_BINARY_DIR"]) if each.name in concerned]
        self.assertEqual(concerned, {each.name for each in found})
        with contextlib.ExitStack() as stack:
            for folder in self.strange_folders(stack):
                for suite in found:
                    work = os.path.join(folder, suite.name)
                    os.mkdir(work, 0o700)
                    fault, _, said = suites.run(suite, work, 300)
                    self.assertIsNone(fault, said)


if __name__ == "__main__":
    unittest.main()
