"""Building again does what a change makes necessary, and nothing else: with Make and with Ninja."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import tools

# Two games, code that uses each header, and programs; no runtime, since nothing is run.
PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(rebuild C)
add_library(kifu INTERFACE)
add_library(kifu::kifu ALIAS kifu)
target_include_directories(kifu INTERFACE include)
include({root}/codegen/KifuAddGame.cmake)
kifu_add_game(one SCHEMA one.fbs INCLUDES common)
kifu_add_game(two SCHEMA two.fbs)
foreach(game one two)
  target_sources(${{game}} PRIVATE do_${{game}}.c)
  add_executable(app_${{game}} main.c)
  target_link_libraries(app_${{game}} PRIVATE ${{game}})
  target_link_options(app_${{game}} PRIVATE -Wl,--unresolved-symbols=ignore-all)
endforeach()
"""
SCHEMA = """include "kifu.fbs";
%s
namespace %s;
/// A move.
table PMove (player) { x: ubyte; }
union Event { kifu.EEndGame, PMove }
"""


class Calls(unittest.TestCase):
    """Calls of kifu_add_game that are wrong: CMake alone, without a compiler."""

    def test_what_is_wrong_is_named(self):
        for call, said in (("nim SCHEMA nim.fbs rules.c draw.c", "(nim): `rules.c draw.c` does not belong here; C files go into "
                                                                 "target_sources(nim PRIVATE …). Call it so: "),
                           ("nim nim.fbs", "(nim): Call it so: kifu_add_game(<target> SCHEMA <file.fbs> ")):
            with tempfile.TemporaryDirectory(prefix="kifu call ") as folder:
                tools.write(os.path.join(folder, "CMakeLists.txt"), "cmake_minimum_required(VERSION 3.20)\nproject(call NONE)\n"
                            "include(%s/codegen/KifuAddGame.cmake)\nkifu_add_game(%s)\n" % (tools.ROOT, call))
                done = subprocess.run(["cmake", "-S", folder, "-B", folder + "/build"], stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, check=False)
                self.assertNotEqual(0, done.returncode)
                self.assertIn(said, " ".join(done.stdout.decode().split()))


class Project(unittest.TestCase):
    """A folder with a CMake project, and what a build of it makes anew."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kifu rebuild ")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.before = {}
        shutil.copytree(os.path.join(tools.ROOT, "runtime", "include"), os.path.join(self.folder, "include"))

    def configure(self, generator):
        build = os.path.join(self.folder, "build")
        os.makedirs(build)
        os.symlink(sys.pycache_prefix, os.path.join(build, "kifuc.cache"))  # kifuc is compiled once for all tests.
        self.run_command(["cmake", "-S", ".", "-B", "build", "-G", generator, "-DKIFU_PYTHON=" + sys.executable])

    def write(self, name, text):
        tools.write(os.path.join(self.folder, name), text)

    def run_command(self, command, fails=False):
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(fails, done.returncode != 0, done.stdout.decode())
        return done.stdout.decode()

    def kifuc(self, *arguments):
        status, said = tools.kifuc(*arguments, folder=self.folder)
        self.assertEqual(0, status, said)

    def build(self):
        """Builds, and returns which products are newer than before."""
        time.sleep(0.02)
        self.run_command(["cmake", "--build", "build"])
        times = {}
        for folder, _, files in os.walk(os.path.join(self.folder, "build")):
            for name in files:
                if name.endswith((".o", ".a", ".h", ".c", ".bfbs", ".stamp")) or name.startswith("app_"):
                    if "CompilerId" not in folder:
                        path = os.path.join(folder, name)
                        of_game = os.path.relpath(path, os.path.join(self.folder, "build")).partition("/")[2]
                        times[of_game if name.endswith(".h") else name] = os.stat(path).st_mtime_ns
        changed = {name for name, when in times.items() if self.before.get(name) != when}
        self.before = times
        return changed

    def touch(self, name):
        time.sleep(0.02)  # later than what was built: a file's time is as coarse as the kernel's clock
        os.utime(os.path.join(self.folder, name))

    def edit(self, name, old, new):
        text = tools.read(os.path.join(self.folder, name)).decode()
        self.assertIn(old, text)
        time.sleep(0.02)
        self.write(name, text.replace(old, new, 1))


class Rebuild(Project):
    def make(self, generator):
        self.write("CMakeLists.txt", PROJECT.format(root=tools.ROOT))
        self.write("one.fbs", SCHEMA % ('include "pieces.fbs";', "one"))
        self.write("two.fbs", SCHEMA % ("", "two"))
        self.write("common/pieces.fbs", "namespace pieces;\n/// A piece.\nstruct Piece { x: ubyte; }\n")
        self.write("main.c", "int main(void)\n{\n    return 0;\n}\n")
        for game in ("one", "two"):
            self.write("do_%s.c" % game, '#include "%s.h"\nconst int %s_dummy = sizeof(%s_p_move);\n' % (game, game, game))
        self.configure(generator)
        self.build()

    def test_another_build_folder_takes_what_was_generated(self):
        self.make("Ninja")
        other = ["cmake", "-S", ".", "-B", "other", "-G", "Ninja", "-DKIFU_PYTHON=" + sys.executable]
        said = self.run_command([*other, "-DKIFU_GENERATED_IN=../nowhere"], fails=True)
        self.assertIn("build kifu_generated there first", " ".join(said.split()))
        self.run_command([*other, "-DKIFU_GENERATED_IN=../build"])
        self.run_command(["cmake", "--build", "other"])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "other", "one")))
        self.edit("one.fbs", "x: ubyte;", "x: ubyte; y: ubyte;")
        self.run_command(["cmake", "--build", "build", "--target", "kifu_generated"])
        compiled = self.run_command(["cmake", "--build", "other", "--verbose"])
        self.assertIn("do_one.c.o", compiled)
        self.assertNotIn("do_two.c.o", compiled)

    def go_through(self, generator):
        self.make(generator)
        self.assertEqual(set(), self.build(), "nothing changed")

        self.touch("one.fbs")
        self.assertEqual({"one.stamp"}, self.build(), "touched: looked at, and nothing compiled")
        self.assertEqual(set(), self.build())

        library = {"libone.a", "app_one"}
        self.edit("one.fbs", "/// A move.", "/// Another move.")
        self.assertEqual({"one.stamp", "one/p_move.h", "one.c.o", "do_one.c.o"} | library, self.build(),
                         "a comment is in one header alone; the other game stays")

        self.edit("one.fbs", "(player)", '(player, undoable: "false")')
        self.assertEqual({"one.stamp", "one.c", "one.bfbs", "one.c.o"} | library, self.build(),
                         "a flag is no part of a header: what includes it stays")

        self.edit("one.fbs", "x: ubyte;", "x: ubyte; y: ubyte;")
        self.assertEqual({"one.stamp", "one/p_move.h", "one.c", "one.bfbs", "one.c.o", "do_one.c.o"} | library, self.build())

        self.edit("common/pieces.fbs", "/// A piece.", "/// Another piece.")
        self.assertEqual({"one.stamp", "one/shared/pieces.h", "one.c.o", "do_one.c.o"} | library, self.build(),
                         "an included file")

        self.touch("two.fbs")
        self.assertEqual({"two.stamp"}, self.build())

        # What was there is gone: it is made again, and no more than that.
        os.remove(os.path.join(self.folder, "build", "two", "two.h"))
        self.touch("two.fbs")
        self.assertIn("two.h", self.build())
        self.assertEqual(set(), self.build())

    def go_on(self):
        """The lock file: nothing at first; then what it says is looked at."""
        self.kifuc("lock", "two.fbs")
        self.assertEqual(set(), self.build())
        self.touch("two.fbs")
        self.assertEqual({"two.stamp"}, self.build())
        self.touch("two.fbs.lock")
        self.assertEqual({"two.stamp"}, self.build())
        self.edit("two.fbs.lock", "x: ubyte", "x: uint")
        said = self.run_command(["cmake", "--build", "build"], fails=True)
        self.assertIn("two.fbs:5: error: `x` was uint", said)
        self.assertIn("two.fbs.lock:15)", said)
        os.remove(os.path.join(self.folder, "two.fbs.lock"))
        self.assertEqual({"two.stamp"}, self.build())

        # The schema gets another name: nothing of the old one stays.
        os.rename(os.path.join(self.folder, "two.fbs"), os.path.join(self.folder, "second.fbs"))
        self.edit("CMakeLists.txt", "SCHEMA two.fbs", "SCHEMA second.fbs")
        self.edit("do_two.c", "two.h", "second.h")
        self.assertIn("second/p_move.h", self.build())
        self.assertEqual([], [path for path in tools.files(os.path.join(self.folder, "build", "two"))
                              if path.startswith("two") and ".stamp" not in path])

    @unittest.skipUnless(shutil.which("cmake") and shutil.which("make"), "there is no cmake or no make")
    def test_make(self):
        self.go_through("Unix Makefiles")

    @unittest.skipUnless(shutil.which("cmake") and shutil.which("ninja"), "there is no cmake or no ninja")
    def test_ninja(self):
        self.go_through("Ninja")
        self.go_on()


# A game of many events: a file of rules for each group of ten, as `kifuc stubs` begins it, and a main that includes all.
MANY = """
cmake_minimum_required(VERSION 3.20)
project(many C)
add_library(kifu INTERFACE)
add_library(kifu::kifu ALIAS kifu)
target_include_directories(kifu INTERFACE include)
include({root}/codegen/KifuAddGame.cmake)
kifu_add_game(rules SCHEMA many.fbs)
file(GLOB files CONFIGURE_DEPENDS do_*.c rules_*.c)
target_sources(rules PRIVATE ${{files}})
add_executable(app all.c view.c)
target_link_libraries(app PRIVATE rules)
target_link_options(app PRIVATE -Wl,--unresolved-symbols=ignore-all)
"""


@unittest.skipUnless(shutil.which("cmake") and shutil.which("ninja"), "there is no cmake or no ninja")
class ManyEvents(Project):
    """What is compiled again after a change of one of thirty events."""

    def objects(self):
        return sorted(name[:-2] for name in self.build() if name.endswith(".o"))

    def write_schema(self, count):
        events = ["PEvent%d" % i for i in range(count)]
        self.write("many.fbs", 'include "kifu.fbs";\nnamespace many;\nstruct State (state) { game: kifu.Game; sum: int; }\n%s'
                   "union Event { %s }\n" % ("".join("table %s (player) { x: int; }\n" % each for each in events),
                                             ", ".join(events)))

    def write_game(self, count):
        self.write_schema(count)
        self.write("CMakeLists.txt", MANY.format(root=tools.ROOT))
        self.write("view.c", '#include "many/view.h"\nconst int view_dummy = sizeof(many_view);\n')
        self.write("all.c", '#include "many.h"\nint main(void)\n{\n    return many_rules.name != NULL;\n}\n')
        self.kifuc("stubs", "many.fbs")

    def test_what_a_change_of_one_event_compiles(self):
        for group in range(3):
            self.write_schema(10 * (group + 1))
            self.kifuc("stubs", "many.fbs", "-o", "rules_%d.c" % group)
        self.write_game(30)
        self.configure("Ninja")
        self.assertEqual(["all.c", "many.c", "rules_0.c", "rules_1.c", "rules_2.c", "view.c"], self.objects())

        # The first group's file had all events when it was written, and so includes all headers.
        self.edit("rules_0.c", '#include "many.h"', "".join('#include "many/p_event%d.h"\n' % i for i in range(10)))
        self.assertEqual(["rules_0.c"], self.objects())
        self.edit("many.fbs", "PEvent15 (player) { x: int;", "PEvent15 (player) { x: int; y: int;")
        self.assertEqual({"many.stamp", "many.bfbs", "many.c", "many/p_event15.h", "many.c.o", "rules_1.c.o", "all.c.o",
                          "librules.a"}, self.build(), "a new field")

        self.edit("many.fbs", "union", "table PNew (player) {}\nunion")
        self.edit("many.fbs", "PEvent29 }", "PEvent29, PNew }")
        self.kifuc("stubs", "many.fbs", "-o", "do_p_new.c")
        self.assertEqual(["all.c", "do_p_new.c", "many.c", "view.c"], self.objects(), "a new event")
        self.build()  # CMake has seen the new list.
        self.assertEqual([], self.objects())
        self.edit("many.fbs", "PNew (player) {", "PNew (player) { z: int;")
        self.assertEqual(["all.c", "do_p_new.c", "many.c"], self.objects(), "its header is known")

        self.edit("many.fbs", "PNew (player)", "PNewest (player)")
        self.edit("many.fbs", "PEvent29, PNew }", "PEvent29, PNewest }")
        said = self.run_command(["cmake", "--build", "build"], fails=True)
        self.assertIn("many/p_new.h", said, "a file that includes the header of an event that is gone")

    def test_a_schema_that_is_wrong_at_first(self):
        """It can be configured; the build says what is wrong, and goes on when that is mended."""
        self.write_game(2)
        self.edit("many.fbs", "x: int;", "x: integer;")
        self.configure("Ninja")
        self.assertIn("many.fbs:4", self.run_command(["cmake", "--build", "build"], fails=True))
        self.edit("many.fbs", "x: integer;", "x: int;")
        self.assertEqual(["all.c", "do_p_event0.c", "do_p_event1.c", "many.c", "view.c"], self.objects())
        self.build()  # CMake has seen the list.
        self.edit("many.fbs", "PEvent1 (player) { x: int;", "PEvent1 (player) { y: int;")
        self.assertEqual(["all.c", "do_p_event1.c", "many.c"], self.objects())


class FindPython(unittest.TestCase):
    """CMake takes the first Python that has the modules, and says what to install when none has."""

    def configure(self, *options, **environment):
        folder = tempfile.TemporaryDirectory(prefix="kifu-python-")
        self.addCleanup(folder.cleanup)
        tools.write(os.path.join(folder.name, "CMakeLists.txt"),
                    "cmake_minimum_required(VERSION 3.20)\nproject(p NONE)\ninclude(%s/codegen/KifuAddGame.cmake)\n"
                    'kifu_find_python()\nset(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH ${PATHS})\n'
                    'set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH ${PATHS})\nkifu_find_flatc()\n'
                    'message(STATUS "took ${KIFU_PYTHON}")\n' % tools.ROOT)
        done = subprocess.run(["cmake", "-S", folder.name, "-B", folder.name + "/build", "-DPATHS=ON", *options],
                              env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False)
        return done.returncode, " ".join(done.stdout.decode().split())

    def test_a_python_that_is_too_old_or_has_no_jinja_is_passed_over(self):
        too_old = 'exec "%s" -c "import sys; sys.version_info = (3, 8); sys.executable = \'/bin/sh\'; exec(sys.argv[1])" "$2"'
        for line in "exit 1", too_old % sys.executable:
            with self.subTest(line=line), tempfile.TemporaryDirectory(prefix="kifu-path-") as folder:
                tools.write(os.path.join(folder, "python3"), "#!/bin/sh\n%s\n" % line)
                os.chmod(os.path.join(folder, "python3"), 0o755)
                os.symlink(sys.executable, os.path.join(folder, "python3.9"))
                status, said = self.configure(PATH=folder + os.pathsep + os.environ["PATH"])
                self.assertEqual(0, status, said)
                self.assertNotIn("took %s/python3 " % folder, said + " ")
                self.assertNotIn("took /bin/sh ", said + " ")

    def test_of_a_script_that_finds_a_python_the_python(self):
        with tempfile.TemporaryDirectory(prefix="kifu-path-") as folder:
            tools.write(os.path.join(folder, "python3"), '#!/bin/sh\nexec "%s" "$@"\n' % sys.executable)
            os.chmod(os.path.join(folder, "python3"), 0o755)
            status, said = self.configure(PATH=folder + os.pathsep + os.environ["PATH"])
            self.assertEqual(0, status, said)
            self.assertIn("took %s " % sys.executable, said + " ")

    def test_none_at_all(self):
        with tempfile.TemporaryDirectory(prefix="kifu-path-") as folder:
            tools.write(os.path.join(folder, "jinja2.py"), "raise ImportError\n")
            status, said = self.configure(PYTHONPATH=folder)
            self.assertNotEqual(0, status)
            self.assertIn("apt install python3-jinja2;", said)
            status, said = self.configure("-DKIFU_PYTHON=" + sys.executable, PYTHONPATH=folder)
            self.assertNotEqual(0, status)
            self.assertIn("KIFU_PYTHON is " + sys.executable, said)

    def test_no_flatc(self):
        status, said = self.configure("-DPATHS=OFF", "-DKIFU_PYTHON=" + sys.executable)
        self.assertNotEqual(0, status)
        self.assertIn("apt install flatbuffers-compiler", said)
