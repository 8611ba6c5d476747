#!/usr/bin/env python3
"""C++: the public headers and generated code without a warning, and a game (Y08)."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(os.environ["KIFU_SOURCE_DIR"]), pathlib.Path(os.environ["KIFU_BINARY_DIR"])
INCLUDE = SOURCE / "runtime" / "include"
GAMES = {"nim": BUILD / "tests/nim", "wire": BUILD / "tests/wire", "crawl": BUILD / "tests/crawl",
         "duel": BUILD / "examples/duel/duel_rules", "dungeon": BUILD / "examples/dungeon/dungeon_rules"}
# What of clang's -Weverything does not count, and why not.
LEFT_OUT = {
    "c++98-compat-pedantic": "the list of results ends in a comma, which C++98 does not have",
    "documentation-unknown-command": "an address of a server has an @ in it",
    "old-style-cast": "the same inline functions are C, which has no other casts",
    "padded": "structs are as compilers lay them out",
    "reserved-identifier": "names with two underscores are Kifu's own; C allows them",
    "reserved-macro-identifier": "the same, of macros",
    "zero-as-null-pointer-constant": "the same inline functions are C, whose null pointer is NULL",
}
# Of compilers that are newer than those at hand.
NEWER = {
    "unsafe-buffer-usage": "C has pointers to many elements",
    "pre-c11-compat": "the headers are C11",
}


def compiler(test, name):
    """The compiler, or the test is skipped."""
    if not shutil.which(name):
        test.skipTest("there is no %s (Debian: %s)" % (name, {"clang++": "clang", "g++": "g++"}[name]))
    return name


def compiled(words, text):
    """What a compiler says of C++17."""
    done = subprocess.run([*words, "-x", "c++", "-std=c++17", "-fsyntax-only", "-I", INCLUDE, "-"], check=False, input=text,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def everything():
    """All public headers, and each game's after them."""
    headers = "".join('#include "kifu/%s"\n' % path.name for path in sorted(INCLUDE.glob("kifu/*.h")))
    yield [], headers
    for game, folder in GAMES.items():
        yield ["-I", str(folder)], '#include "%s.h"\n' % game


class Cpp(unittest.TestCase):
    def test_Y08_headers_and_generated_code_are_silent_under_all_warnings(self):
        words = [compiler(self, "clang++"), "-Weverything", "-Wno-unknown-warning-option"]
        words += ["-Wno-" + each for each in [*LEFT_OUT, *NEWER]]
        for folders, text in everything():
            self.assertEqual((0, ""), compiled(words + folders, text), text)

    def test_Y08_what_is_left_out_is_there(self):
        words, found = [compiler(self, "clang++"), "-Weverything"], set()
        for folders, text in everything():
            found.update(re.findall(r"\[-W([^\]]+)\]", compiled(words + folders, text)[1]))
        self.assertEqual(set(LEFT_OUT), found - set(NEWER))

    def test_Y08_headers_and_generated_code_are_silent_under_gcc(self):
        words = [compiler(self, "g++"), "-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Wconversion"]
        for folders, text in everything():
            self.assertEqual((0, ""), compiled(words + folders, text), text)

    def test_Y08_a_game_in_cpp(self):
        for name in ("g++", "clang++"):
            if not shutil.which(name):
                continue
            with self.subTest(name), tempfile.TemporaryDirectory(prefix="kifu-cpp-") as folder:
                warnings = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
                if name == "clang++":
                    more = ["c++98-compat", "unknown-warning-option", *LEFT_OUT, *NEWER]
                    warnings += ["-Weverything"] + ["-Wno-" + each for each in more]
                subprocess.run([name, "-std=c++17", *warnings, "-I", INCLUDE, "-I", GAMES["nim"], SOURCE / "tests/nim_in_cpp.cpp",
                                "-o", folder + "/nim", BUILD / "tests/libnim.a", BUILD / "runtime/libkifu.a"], check=True)
                done = subprocess.run([folder + "/nim", folder + "/game.kifu"], check=True, stdout=subprocess.PIPE, text=True)
                self.assertEqual("there are not that many stones\n1 3 5 1 shown 2\n", done.stdout)
                self.assertGreater(os.path.getsize(folder + "/game.kifu"), 1000)
        if not shutil.which("g++") and not shutil.which("clang++"):
            self.skipTest("there is no compiler of C++ (Debian: g++)")


if __name__ == "__main__":
    unittest.main()
