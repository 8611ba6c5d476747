"""kifuc's paths by the rules of Windows, and of other systems."""

import ntpath
import os
import posixpath
import unittest

import tools  # noqa: F401: it finds kifuc
from kifuc import paths


class Paths(unittest.TestCase):
    def test_Y01_only_names_below_a_folder_are_removed(self):
        for rules in (ntpath, posixpath):
            for name in ("nim.c", "nim/p_take.h", "shared/x..h"):
                self.assertTrue(paths.is_below(name, rules), name)
            for name in ("/nim.c", "../nim.c", "nim/../../x", "a\0b"):
                self.assertFalse(paths.is_below(name, rules), name)
        for name in ("C:/nim.c", "C:nim.c", "..\\nim.c", "\\nim.c", "nim\\..\\..\\x", "\\\\server\\share\\x"):
            self.assertFalse(paths.is_below(name, ntpath), name)

    def test_Y01_names_of_flatc_are_paths(self):
        self.assertEqual(paths.of_flatc("//C:/games/nim.fbs", ntpath).replace("\\", "/").lstrip("/"), "C:/games/nim.fbs")
        self.assertEqual(paths.of_flatc("//games/nim.fbs", posixpath), "/games/nim.fbs")

    def test_Y01_a_path_on_another_drive_is_shown_whole(self):
        class OtherDrive:
            @staticmethod
            def relpath(path):
                return ntpath.relpath(path, "D:\\games")

        self.assertEqual(paths.shown("C:\\nim.fbs", OtherDrive), "C:\\nim.fbs")
        self.assertEqual(paths.shown("D:\\games\\nim.fbs", OtherDrive), "nim.fbs")
        self.assertEqual(paths.shown(os.path.join(os.getcwd(), "nim.fbs")), "nim.fbs")


if __name__ == "__main__":
    unittest.main()
