"""What asks the system compiles for macOS, against headers that hide what Apple's hide (tests/macos/include). It was
not run there."""

import glob
import os
import subprocess
import unittest

ROOT = os.environ["KIFU_SOURCE_DIR"]
FLAGS = ["-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-U__linux__", "-U__unix__", "-D__APPLE__", "-D__MACH__",
         "-I", os.path.join(ROOT, "tests", "macos", "include"), "-I", os.path.join(ROOT, "runtime", "include"),
         "-I", os.path.join(ROOT, "runtime", "src")]


def compile_for_macos(path, *flags):
    return subprocess.run([os.environ.get("CC", "cc"), *FLAGS, *flags, path], capture_output=True, text=True, check=False)


class Macos(unittest.TestCase):
    def test_Y02_what_asks_the_system_compiles(self):
        for path in sorted(glob.glob(os.path.join(ROOT, "runtime", "src", "base", "*.c"))):
            with self.subTest(os.path.basename(path)):
                self.assertEqual(compile_for_macos(path).stderr, "")

    def test_Y02_locks_and_full_syncs_are_there(self):
        for name, words in (("os_posix.c", ("flock", "51")), ("os_lock.c", ("flock",))):
            done = compile_for_macos(os.path.join(ROOT, "runtime", "src", "base", name), "-E")
            for word in words:  # An -fsyntax-only behind -E changes nothing.
                self.assertRegex(done.stdout, r"fcntl\(file, %s\)" % word if word == "51" else word + r"\(file, ")


if __name__ == "__main__":
    unittest.main()
