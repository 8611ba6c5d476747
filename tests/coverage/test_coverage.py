"""`./dev coverage` finds what a toy's suite does not reach."""

import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import toy  # noqa: E402

SOURCE = os.path.join(toy.ROOT, "room", "toy.c")
DIVIDES = """\
toy_divide: if (!b) [1]
toy_divide: return 0;
    Nobody divides by 0.
"""


class Coverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="kifu-coverage-")
        cls.addClassCleanup(cls.folder.cleanup)
        toy.build_counting(cls.folder.name)

    def coverage(self, reasons, *options):
        path = os.path.join(self.folder.name, "reasons.txt")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(reasons)
        return toy.run(sys.executable, os.path.join(HERE, "coverage.py"), "--build", self.folder.name, "--root",
                       toy.ROOT, "--reasons", path, *options)

    def test_what_is_not_reached_is_listed(self):
        status, said = self.coverage("")
        self.assertEqual(1, status, said)
        self.assertRegex(said, r"room/toy.c +12 of +16 lines +75.00 % +5 of +6 branches +83.33 %\n")
        self.assertRegex(said, r"room/toy.h +2 of +2 lines +100.00 % +0 of +0 branches")
        self.assertRegex(said, r"in all +14 of +18 lines")
        self.assertIn("%s:12: toy_divide: if (!b)\n    [1] the condition always goes the same way\n" % SOURCE, said)
        self.assertIn("%s:13: toy_divide: return 0;\n    not reached\n" % SOURCE, said)
        self.assertIn("%s:27: toy_forgotten: *number = 1;\n    not reached\n" % SOURCE, said)
        self.assertNotIn("toy_sum", said)
        self.assertIn("The goal is 99.5 % of the lines and 97 % of the branches.", said)

    def test_what_has_a_reason_is_not(self):
        status, said = self.coverage(DIVIDES + "toy_forgotten: *\n    Nobody calls it.\n")
        self.assertEqual(1, status, said)  # It is not reached for all that.
        self.assertRegex(said, r"in all +14 of +18 lines")
        self.assertIn("with those that have a reason: 100.00 % of the lines, 100.00 % of the branches", said)
        self.assertNotIn("toy_", said)

    def test_the_goals(self):
        self.assertEqual(0, self.coverage("", "--lines", "77", "--branches", "83")[0])
        self.assertEqual(1, self.coverage("", "--lines", "78", "--branches", "83")[0])
        self.assertEqual(1, self.coverage("", "--lines", "77", "--branches", "84")[0])

    def test_a_reason_of_what_is_gone(self):
        said = self.coverage("toy_sum: sum = 1;\n    It was there once.\n")[1]
        self.assertIn("toy_sum: sum = 1;: this line is gone, or is reached", said)
        self.assertIn("no reason", self.coverage("toy_divide: return 0;\n")[1])

    def test_suites_run_again_only_when_they_changed(self):
        self.coverage("")
        self.assertNotIn("Running", self.coverage("")[1])
        self.assertIn("Running 1 of 1", self.coverage("", "--again")[1])


if __name__ == "__main__":
    unittest.main()
