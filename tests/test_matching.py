"""`./dev test PATTERN` builds and runs what is named like that, in a project of two suites and a script."""

import os
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["KIFU_SOURCE_DIR"]

PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(kifu LANGUAGES C)
enable_testing()
find_package(PkgConfig REQUIRED)
pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)
include_directories(%s/tests)
foreach(name test_fruit test_fruit_salad)
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} PRIVATE PkgConfig::CHECK)
  add_test(NAME ${name} COMMAND ${name})
endforeach()
add_test(NAME test_basket COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/test_basket.py)
add_custom_target(test_basket COMMAND touch ${CMAKE_BINARY_DIR}/basket_is_built)
add_test(NAME test_kitchen COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/kitchen/run.py)
add_custom_target(test_kitchen)
set_tests_properties(test_basket PROPERTIES ENVIRONMENT "BASKET=full;SIZE=a=b")
""" % SOURCE

SUITE = """
#include "suite.h"
START_TEST(T05_%(name)s_is_ripe) {} END_TEST
START_TEST(T06_%(name)s_is_cut) { ck_assert(%(cut)s); } END_TEST
START_TEST(T07_%(name)s_is_eaten) {} END_TEST
int main(void)
{
    const TTest *const tests[] = {T05_%(name)s_is_ripe, T06_%(name)s_is_cut, T07_%(name)s_is_eaten};
    return run_suite("%(name)s", tests, 3);
}
"""

SCRIPT = """
import os, unittest
class Basket(unittest.TestCase):
    def test_T05_is_full(self):
        self.assertEqual(("full", "a=b"), (os.environ["BASKET"], os.environ["SIZE"]))
    def test_has_a_handle(self):
        pass
unittest.main()
"""

RUN = """
import unittest
from test_oven import Oven
unittest.main()
"""
OVEN = """
import unittest
class Oven(unittest.TestCase):
    def test_it_is_hot(self):
        pass
"""


class Matching(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="kifu-matching-")
        cls.addClassCleanup(folder.cleanup)
        cls.prepared = folder.name
        os.mkdir(os.path.join(cls.prepared, "tests"))
        os.mkdir(os.path.join(cls.prepared, "kitchen"))
        shutil.copy(os.path.join(SOURCE, "dev"), cls.prepared)
        shutil.copy(os.path.join(SOURCE, "tests", "matching.py"), os.path.join(cls.prepared, "tests"))
        cls.write("CMakeLists.txt", PROJECT)
        cls.write("test_fruit.c", SUITE % {"name": "fruit", "cut": 1})
        cls.write("test_fruit_salad.c", SUITE % {"name": "salad", "cut": 0})
        cls.write("test_basket.py", SCRIPT)
        cls.write("kitchen/run.py", RUN)
        cls.write("kitchen/test_oven.py", OVEN)
        subprocess.run(["cmake", "-S", cls.prepared, "-B", cls.path("build", "gcc"), "-G", "Ninja"], check=True,
                       stdout=subprocess.DEVNULL)

    @classmethod
    def path(cls, *names):
        return os.path.join(cls.prepared, *names)

    @classmethod
    def write(cls, name, text):
        with open(cls.path(name), "w", encoding="utf-8") as stream:
            stream.write(text)

    def said(self, status, *patterns):
        """What the command prints, without the seconds."""
        done = subprocess.run([self.path("dev"), "test", *patterns], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", check=False)
        self.assertEqual(status, done.returncode, done.stdout)
        return [line.rpartition(",")[0] if line.endswith(" s") else line for line in done.stdout.splitlines()]

    def test_a_suite_by_its_name_and_nothing_else_is_built(self):
        shutil.rmtree(self.path("build", "gcc", "CMakeFiles", "test_fruit_salad.dir"), ignore_errors=True)
        for program in "test_fruit", "test_fruit_salad":
            if os.path.exists(self.path("build", "gcc", program)):
                os.remove(self.path("build", "gcc", program))
        self.assertEqual(["test_fruit: 3 passed"], self.said(0, "fruit$"))
        self.assertFalse(os.path.exists(self.path("build", "gcc", "test_fruit_salad")))

    def test_functions_alone_in_suites_and_scripts(self):
        self.assertEqual({"test_fruit: 1 passed", "test_fruit_salad: 1 passed", "test_basket: 1 passed"},
                         set(self.said(0, "T05_")))
        self.assertEqual(["test_fruit: 1 passed"], self.said(0, "T0._fruit_is_cut"))
        self.assertEqual(["test_fruit_salad: 2 passed"], self.said(0, "salad_is_[re]"))

    def test_a_script_and_what_it_needs(self):
        self.assertEqual(["test_basket: 2 passed"], self.said(0, "basket"))
        self.assertTrue(os.path.exists(self.path("build", "gcc", "basket_is_built")))

    def test_functions_of_the_tests_beside_a_script_that_runs_them(self):
        self.assertEqual(["test_kitchen: 1 passed"], self.said(0, "it_is_hot"))

    def test_a_failure_is_shown(self):
        lines = self.said(1, "T06_")
        self.assertIn("test_fruit: 1 passed", lines)
        self.assertIn("test_fruit_salad: 1 ran, failed", lines)
        self.assertIn("T06_salad_is_cut", "\n".join(lines))

    def test_several_patterns_and_one_that_finds_nothing(self):
        self.assertEqual(["test_basket: 2 passed", "test_fruit: 1 passed"], self.said(0, "basket", "T05_fruit"))
        self.assertEqual(["test_fruit: 3 passed"], self.said(0, "T05_fruit", "fruit$"))
        self.assertEqual(["dev: no test is named like 'plum': no program, no script, and no function in them"],
                         self.said(1, "basket", "plum"))

    def test_a_suite_that_was_added_since(self):
        self.write("test_plum.c", SUITE % {"name": "plum", "cut": 1})
        self.write("CMakeLists.txt", PROJECT.replace("test_fruit test", "test_plum test_fruit test"))
        try:
            self.assertEqual(["test_plum: 3 passed"], self.said(0, "plum"))
        finally:
            self.write("CMakeLists.txt", PROJECT)

    def test_what_does_not_compile_is_shown(self):
        self.write("test_fruit.c", "no C")
        try:
            self.assertIn("this failed", self.said(1, "fruit$")[-1])
        finally:
            self.write("test_fruit.c", SUITE % {"name": "fruit", "cut": 1})


if __name__ == "__main__":
    unittest.main()
