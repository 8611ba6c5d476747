"""budgets.py: what it says of a count, and its file."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import budgets


class Budgets(unittest.TestCase):
    def test_a_count_is_judged_within_two_per_cent(self):
        for counted, budget, words, fine in (
                (100.0, 100.0, "+0.0 %", True),
                (101.9, 100.0, "+1.9 %", True),
                (102.5, 100.0, "over its budget", False),
                (98.1, 100.0, "-1.9 %", True),
                (97.0, 100.0, "lower the budget", False),
                (5.0, None, "no budget yet", False)):
            said, good = budgets.judge(counted, budget)
            self.assertIn(words, said)
            self.assertEqual(good, fine)

    def test_what_grows_faster_than_its_work_is_found(self):
        for path, counted, words, fine in (
                ("lines_x4", 104.0, "; 1.04 x lines", True),
                ("lines_x4", 106.0, "; 1.06 x lines: more than 1.05", False),
                ("lines_tree", 106.0, "; 1.06 x lines: more than 1.05", False),
                ("lines", 100.0, "", True)):
            self.assertEqual(budgets.compare(path, {"lines": 100.0, path: counted}), (words, fine))

    def test_the_file_is_read_as_it_was_written(self):
        known = {"gcc 12.2 x86_64": {"live": 210.5, "undo": 31.0}, "clang 14.0 x86_64": {"live": 200.0}}
        self.assertEqual(budgets.parse(budgets.write(known)), known)

    def test_callgrind_s_sum_is_found(self):
        report = "==7== Events    : Ir\n==7== Collected : 1234567\n==7==\n==7== I   refs:      1,234,567\n"
        self.assertEqual(budgets.instructions(report), 1234567)

    def test_the_committed_budgets_are_for_gcc_and_clang_and_the_same_paths(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "budgets.txt"), encoding="utf-8") as stream:
            known = budgets.parse(stream.read())
        self.assertEqual({name.split()[0] for name in known}, {"gcc", "clang"})
        paths = [set(counts) for counts in known.values()]
        self.assertTrue(all(each == paths[0] for each in paths))


if __name__ == "__main__":
    unittest.main()
