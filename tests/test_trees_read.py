"""Random trees, read by FORMAT.md alone: what the reader says of each file, the game says, too."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from changes_read import read_changes
from tree_save import frame_ends, read_line_of_log, read_line_of_save, read_log, read_tree
from tree_text import say_tree

SOURCE = Path(os.environ.get("KIFU_SOURCE_DIR", Path(__file__).resolve().parents[1]))
BINARY = Path(os.environ.get("KIFU_BINARY_DIR", SOURCE / "build" / "gcc"))
TREES = int(os.environ.get("KIFU_TREES", "40"))  # more of them find more


class Trees(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        subprocess.run([BINARY / "tests" / "write_trees", cls.folder, str(TREES)], check=True)

    def read(self, kind, reader=read_tree, text="txt"):
        for number in range(TREES):
            with self.subTest(kind=kind, tree=number):
                said = (self.folder / f"{number}.{text}").read_text(encoding="utf-8").splitlines()
                read = list(say_tree(reader((self.folder / f"{number}.{kind}").read_bytes())))
                self.assertEqual(read, said)

    def test_V06_plain_saves_have_the_tree(self):
        self.read("plain")

    def test_V06_packed_saves_have_the_tree(self):
        self.read("packed")

    def test_V06_compact_saves_have_the_tree(self):
        self.read("small")

    def test_V06_log_files_have_the_tree(self):
        self.read("log", read_log)

    def test_R09_changes_lead_to_the_tree(self):
        self.read("changes", read_changes)

    def test_V06_without_variations_log_files_have_the_current_line(self):
        self.read("log", read_line_of_log, "line")

    def test_V06_without_variations_saves_have_the_current_line(self):
        for kind in "plain", "packed", "small":
            self.read(kind, read_line_of_save, "line")

    def test_R03_of_a_log_file_that_was_cut_whole_commits_are_read(self):
        for earlier in sorted(self.folder.glob("*.earlier"))[:10]:
            log = earlier.with_suffix(".log").read_bytes()
            ends = frame_ends(log)[1:]  # the first is the header's
            with self.subTest(log=earlier.stem):
                read = [list(say_tree(read_log(log[:end]))) for end in ends]
                self.assertIn(earlier.read_text(encoding="utf-8").splitlines(), read)
                for begin, end, said in zip(ends, ends[1:], read):
                    for cut in range(begin, end, 1 if end == ends[-1] else 37):
                        self.assertEqual(list(say_tree(read_log(log[:cut]))), said)


if __name__ == "__main__":
    unittest.main()
