#!/usr/bin/env python3
"""Two processes: one plays Duel and takes moves back, the other one follows it by its changes, over a pipe."""

import os
import subprocess
import tempfile
import unittest

BUILD = os.environ["KIFU_BINARY_DIR"]
PROGRAM = os.path.join(BUILD, "examples", "duel", "duel_follow")


class FollowDuel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.played, self.followed = (os.path.join(folder.name, name) for name in ("played.kifu", "followed.kifu"))

    def test_B04_a_process_follows_another_one_over_a_pipe(self):
        player = subprocess.Popen([PROGRAM, "play", self.played], stdout=subprocess.PIPE)
        with player, player.stdout:
            follower = subprocess.run([PROGRAM, "follow", self.followed], stdin=player.stdout, capture_output=True,
                                      text=True, check=True)
        self.assertEqual(player.returncode, 0)
        lines = follower.stdout.splitlines()
        self.assertGreater(len(lines), 30)
        self.assertTrue(lines[-1].endswith("events"), lines[-1])
        self.assertTrue(any("taken back" in line for line in lines))
        compared = subprocess.run([os.path.join(BUILD, "runtime", "tool", "kifu"), "diff", self.played, self.followed],
                                  capture_output=True, text=True)
        self.assertEqual((compared.returncode, compared.stdout), (0, ""), compared.stderr)

    def test_B04_changes_that_are_cut_off_are_told(self):
        changes = subprocess.run([PROGRAM, "play", self.played], capture_output=True, check=True).stdout
        follower = subprocess.run([PROGRAM, "follow", self.followed], input=changes[:-1], capture_output=True)
        self.assertEqual(follower.returncode, 1)
        self.assertFalse(os.path.exists(self.followed))


if __name__ == "__main__":
    unittest.main()
