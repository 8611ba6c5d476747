"""The runtime as two files. `./dev amalgamate --test` runs all suites of public headers with them; here are a few."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE, BUILD = Path(os.environ["KIFU_SOURCE_DIR"]), Path(os.environ["KIFU_BINARY_DIR"])
AMALGAMATE = [os.environ["PYTHON"], SOURCE / "runtime" / "amalgamate.py"]
# With the games that they play.
SUITES = {"test_undo": ["lab", "outside"], "test_transactions": ["lab", "cards"], "test_tree_limits": ["lab"], "test_listen": ["lab", "cards"]}
STRICT = ["-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror"]


class Amalgamation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="kifu-amalgamation-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        subprocess.run([*AMALGAMATE, cls.folder], check=True, stdout=subprocess.DEVNULL)
        cls.texts = {name: (cls.folder / "kifu" / name).read_text(encoding="utf-8") for name in ("kifu.c", "kifu.h")}

    def test_Y07_they_need_no_other_file_and_are_the_same_each_time(self):
        self.assertEqual(["kifu.c", "kifu.h"], sorted(os.listdir(self.folder / "kifu")))
        self.assertEqual(["kifu.h"], re.findall(r'(?m)^ *# *include "(.*)"', self.texts["kifu.c"]))
        self.assertEqual([], re.findall(r'(?m)^ *# *include (?:"|<kifu).*', self.texts["kifu.h"]))
        again = self.folder / "again"
        subprocess.run([*AMALGAMATE, again], check=True, cwd="/", stdout=subprocess.DEVNULL)
        for name, text in self.texts.items():
            self.assertEqual(text.encode(), (again / "kifu" / name).read_bytes())
            self.assertIn("Permission is hereby granted", text)
            self.assertNotIn(str(SOURCE), text)

    def test_Y07_all_sources_of_the_library_and_their_public_headers_are_in_them(self):
        sources = sorted(str(path.relative_to(SOURCE / "runtime")) for path in (SOURCE / "runtime" / "src").rglob("*.[ch]"))
        inside = re.findall(r"(?m)^/\* --- (\S+) --- \*/$", self.texts["kifu.c"])
        self.assertEqual(sources, sorted(inside))
        apart = {"client", "json", "loopback", "main", "nats", "online", "referee", "web", "zstd"}  # Other libraries implement these.
        headers = re.findall(r"(?m)^/\* --- include/kifu/(\w+)\.h --- \*/$", self.texts["kifu.h"])
        public = {path.stem for path in (SOURCE / "runtime" / "include" / "kifu").glob("*.h")}
        self.assertEqual(sorted(public - apart), sorted(headers))

    def test_Y07_what_is_missing_is_named(self):
        copy = self.folder / "copy"
        shutil.copytree(SOURCE / "runtime" / "src", copy / "runtime" / "src")
        shutil.copytree(SOURCE / "runtime" / "include", copy / "runtime" / "include")
        for name in ("runtime/amalgamate.py", "runtime/CMakeLists.txt", "LICENSE"):
            shutil.copy(SOURCE / name, copy / name)
        (copy / "runtime" / "src" / "core" / "kept.h").unlink()
        ran = subprocess.run([AMALGAMATE[0], copy / "runtime" / "amalgamate.py", self.folder / "none"], check=False,
                             capture_output=True, text=True)
        self.assertEqual(1, ran.returncode)
        self.assertIn("there is no header core/kept.h", ran.stderr)

    def passes(self, compiler, options):
        if not shutil.which(compiler):
            self.skipTest(f"{compiler} is not installed (Debian: {compiler})")
        compiled = self.folder / f"{compiler}.o"
        done = subprocess.run([compiler, *options, "-c", "kifu/kifu.c", "-o", compiled], check=False, cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((0, ""), (done.returncode, done.stdout))
        check = subprocess.run(["pkg-config", "--libs", "check"], check=True, capture_output=True, text=True).stdout.split()
        for suite, games in SUITES.items():
            program = self.folder / f"{suite}_{compiler}"
            libraries = [BUILD / "tests" / f"lib{game}.a" for game in games]
            subprocess.run([os.environ["CC"], BUILD / "tests" / "CMakeFiles" / f"{suite}.dir" / f"{suite}.c.o", *libraries, compiled,
                            *check, "-Wl,-z,noexecstack", "-o", program], check=True)
            ran = subprocess.run([program], check=False, capture_output=True, text=True)
            self.assertEqual(0, ran.returncode, f"{suite}: {ran.stdout}")
            self.assertRegex(ran.stdout, "100%: Checks: [1-9]")

    def test_Y07_suites_pass_when_gcc_compiles_them_without_a_warning(self):
        self.passes("gcc", STRICT)

    def test_Y07_suites_pass_when_clang_compiles_them_without_a_warning(self):
        self.passes("clang", STRICT)

    def test_Y07_suites_pass_when_tcc_compiles_them(self):
        self.passes("tcc", ["-std=c11", "-Wall"])


if __name__ == "__main__":
    unittest.main()
