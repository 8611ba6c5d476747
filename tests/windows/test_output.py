"""The command kifu on Windows writes what it writes elsewhere, byte for byte. `./dev windows` runs this by wine; the
environment's KIFU_WINE, KIFU_WINDOWS and KIFU_NATIVE say where wine and the two commands are."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
SAVES = os.path.join(ROOT, "tests", "compat")
COMMANDS = [["info", "v1/undone.kifu"], ["info", "v3/undone.kifu", "v1/packed.kifu"], ["events", "v4/undone.kifu"],
            ["json", "v4/undone.kifu"], ["html", "v4/undone.kifu"], ["tree", "v4/undone.kifu"],
            ["diff", "v4/undone.kifu", "v4/waiting.kifu"], ["info", "none.kifu"], ["nonsense"], ["help"], ["--version"],
            ["events", "v4/undone.kifu", "--from=1", "--to=3"], ["events", "v4/undone.kifu", "--from=4294967295"]]


class Output(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.native, cls.windows, cls.wine = (os.environ.get("KIFU_" + name) for name in ("NATIVE", "WINDOWS", "WINE"))
        for path in (cls.native, cls.windows, cls.wine):
            if not path or not os.path.exists(path):
                raise unittest.SkipTest("there is no %s: `./dev windows` builds and runs this" % (path or "KIFU_WINE"))

    def both(self, words, folder, given=b""):
        results = []
        for command in ([self.native], [self.wine, self.windows]):
            done = subprocess.run(command + words, cwd=folder, input=given, capture_output=True, check=False,
                                  env=dict(os.environ, LC_ALL="C.UTF-8"))
            results.append((done.returncode, done.stdout, done.stderr))
        return results

    def test_Y01_output_is_the_same_byte_for_byte(self):
        for words in COMMANDS:
            with self.subTest(" ".join(words)):
                there, here = self.both(words, SAVES)
                self.assertEqual(there[0], here[0])
                self.assertEqual(there[1], here[1])
                if there[0] == 0 or words[-1] != "none.kifu":  # The system's own words differ.
                    self.assertEqual(there[2], here[2])

    def test_Y01_words_are_utf8_and_standard_input_is_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            name = "ゲーム ♞ é.kifu"
            shutil.copy(os.path.join(SAVES, "v4", "undone.kifu"), os.path.join(folder, name))
            there, here = self.both(["info", name], folder)
            self.assertIn(name.encode(), there[1])
            self.assertEqual(there, here)
            with open(os.path.join(folder, name), "rb") as stream:
                save = stream.read()
            there, here = self.both(["json", "-"], folder, save)
            self.assertEqual(there, here)


if __name__ == "__main__":
    unittest.main()
