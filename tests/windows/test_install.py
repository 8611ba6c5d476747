"""What `cmake --install` puts on a Windows machine: the DLL, with which a program of another folder is built and runs, and
kifuc.bat. `./dev windows` runs this by wine; the environment's KIFU_WINE says where wine is."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
EXPORTS = pathlib.Path(ROOT, "tests", "readme", "exports.txt")  # of libkifu.so
BUILD = os.path.join(ROOT, "build", "windows_dll")
TOOLS = "-DCMAKE_TOOLCHAIN_FILE=" + os.path.join(ROOT, "tests", "windows", "mingw.cmake")
COMPILER = "x86_64-w64-mingw32-gcc"

PROGRAM = r"""
#include <kifu/kifu.h>
#include <stdio.h>

int main(void)
{
    kifu_error error;
    const kifu_result result = kifu_read_save_info("nowhere.kifu", NULL, NULL, NULL, &error);
    printf("%s: %s\n", kifu_result_text(result), error.message);
    return result == KIFU_NOT_FOUND ? 3 : 1;
}
"""
PROJECT = """
cmake_minimum_required(VERSION 3.18)
project(program C)
find_package(kifu REQUIRED)
add_executable(program program.c)
target_link_libraries(program kifu::kifu)
"""
PYTHON = r"""
#include <stdio.h>

int main(int count, char **words) // It is called with -c first, when kifuc.bat looks for it.
{
    for (int i = 1; i < count; i++)
        printf("[%s]", words[i]);
    return count == 3 ? 0 : 7;
}
"""


def write(path, text):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def exports_of(dll):
    printed = subprocess.run(["x86_64-w64-mingw32-objdump", "-p", dll], stdout=subprocess.PIPE, text=True, check=True).stdout
    table = printed[printed.index("[Ordinal/Name Pointer] Table"):]
    return sorted(re.findall(r"^\t\[ *\d+\] (\w+)$", table, re.MULTILINE))


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.wine = os.environ.get("KIFU_WINE")
        if not cls.wine or not os.path.exists(cls.wine) or not shutil.which(COMPILER):
            raise unittest.SkipTest("there is no wine or no mingw-w64: `./dev windows` installs both and runs this")

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def must(self, *words):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])

    def in_wine(self, *words, **environment):
        return subprocess.run([self.wine] + list(words), cwd=self.folder, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, **environment))

    def test_F83_a_program_uses_the_installed_dll(self):
        installed, other = os.path.join(self.folder, "installed"), os.path.join(self.folder, "build")
        self.must("cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", TOOLS, "-DCMAKE_BUILD_TYPE=Release", "-DKIFU_STRICT=OFF",
                  "-DBUILD_SHARED_LIBS=ON", "-DKIFU_BUILD_TESTS=OFF", "-DKIFU_BUILD_EXAMPLES=OFF", "-DKIFU_BUILD_TOOL=OFF")
        self.must("cmake", "--build", BUILD)
        self.must("cmake", "--install", BUILD, "--prefix", installed)
        self.assertEqual(exports_of(os.path.join(installed, "bin", "libkifu.dll")), EXPORTS.read_text(encoding="utf-8").split())
        write(os.path.join(self.folder, "program.c"), PROGRAM)
        write(os.path.join(self.folder, "CMakeLists.txt"), PROJECT)
        self.must("cmake", "-S", self.folder, "-B", other, "-G", "Ninja", TOOLS,
                  "-Dkifu_DIR=" + os.path.join(installed, "lib", "cmake", "kifu"))
        self.must("cmake", "--build", other)
        shutil.copy(os.path.join(installed, "bin", "libkifu.dll"), other)
        done = self.in_wine(os.path.join(other, "program.exe"))
        self.assertEqual(done.returncode, 3, done)
        self.assertIn("nowhere.kifu", done.stdout)
        self.assertTrue(os.path.exists(os.path.join(installed, "bin", "kifuc.bat")))

    def test_Y01_kifuc_bat_finds_python_and_passes_words_and_status(self):
        write(os.path.join(self.folder, "python.c"), PYTHON)
        python = os.path.join(self.folder, "python.exe")
        self.must(COMPILER, "-o", python, python[:-3] + "c")
        command = ["cmd", "/c", "Z:" + os.path.join(ROOT, "codegen", "kifuc.bat").replace("/", "\\")]
        words = ["gen", "a b.fbs", "-o", "c"]
        for how in ({"KIFU_PYTHON": "Z:" + python.replace("/", "\\")},
                    {"WINEPATH": "Z:" + self.folder.replace("/", "\\")}):
            done = self.in_wine(*command, *words, **how)
            self.assertEqual((done.returncode, done.stdout), (7, "[-m][kifuc][gen][a b.fbs][-o][c]"), done)
        done = self.in_wine(*command, *words)
        self.assertEqual(done.returncode, 1)
        self.assertIn("KIFU_PYTHON", done.stderr)


if __name__ == "__main__":
    unittest.main()
