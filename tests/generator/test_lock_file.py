"""The lock file itself: how it reads, that it is whole, and where it is."""

import io
import os
import shutil
import tempfile
import unittest

import tools
from kifuc import lock_file
from kifuc.report import Report, Stop
from locked import SCHEMA, Locked


class LockFile(Locked):
    def test_reads_well(self):
        lock = self.read_lock()
        self.assertTrue(lock.startswith(
            "# What saves of this game depend on, as of its last release: kifuc refuses changes of nim.fbs that would misread "
            "them.\n# Commit this file, and renew it with each release: kifuc lock nim.fbs\n\nlines 35\ngame nim\nrules_version 1\n\n"
            "union nim.Event\n  1 kifu.EAddPlayer (engine)\n  2 nim.EDeal (engine)\n  3 nim.PTake (player)\n"))
        self.assertIn("\ntable nim.PTake\n  0 heap: ubyte = 0\n  1 count: ushort = 1\n  2 luck: int = null\n  3 note: string\n",
                      lock)
        self.assertNotIn("State", lock, "it is computed anew")

    def test_same_bytes_everywhere(self):
        for name, (schema, includes) in tools.SCHEMAS.items():
            options = [part for each in includes for part in ("-I", os.path.join(tools.ROOT, each))]
            path = os.path.join(tools.ROOT, schema)
            with self.subTest(name=name):
                for each in ("a", "b"):
                    status, said = self.run_kifuc("lock", path if each == "a" else os.path.relpath(path, self.folder), *options,
                                                  "-o", each + name)
                    self.assertEqual((0, "wrote %s%s\n" % (each, name)), (status, said))
                first = tools.read(os.path.join(self.folder, "a" + name))
                self.assertEqual(first, tools.read(os.path.join(self.folder, "b" + name)))
                self.assertNotIn(b"/", first)
                # It is compared with itself, all of it.
                status, said = self.run_kifuc("lock", path, *options, "-o", "a" + name)
                self.assertEqual((0, "left  a%s: it is as it should be\n" % name), (status, said))

    def test_broken_file(self):
        lock = os.path.join(self.folder, "nim.fbs.lock")
        tools.write(lock, self.read_lock().replace("  0 heap: ubyte = 0", "<<<<<<<"))
        number = self.read_lock().splitlines().index("<<<<<<<") + 1
        self.assertEqual((1, "nim.fbs.lock:%d: error: this is not a line of a lock file: restore the file that was committed; only "
                             "kifuc writes it\n" % number), self.run_kifuc("gen", "nim.fbs", "-o", "out"))
        for text in ("", "game nim\n", "game nim\nrules_version x\nunion nim.Event\n",
                     "game nim\nrules_version 1\nunion nim.Event\n  1 nim.PTake\n"):
            tools.write(lock, text)
            status, said = self.run_kifuc("gen", "nim.fbs", "-o", "out")
            self.assertEqual(1, status)
            self.assertIn("nim.fbs.lock:1: error: this is not a whole lock file", said)
        self.assertEqual((0, "wrote nim.fbs.lock\n"), self.run_kifuc("lock", "nim.fbs", "--force"))

    def test_depfile_names_it_where_it_is(self):
        for there in (True, False):
            self.run_kifuc("gen", "nim.fbs", "-o", "out", "--depfile", "out/d")
            self.assertEqual(there, "/nim.fbs.lock" in tools.read(os.path.join(self.folder, "out", "d")).decode())
            if there:
                os.remove(os.path.join(self.folder, "nim.fbs.lock"))

    def test_no_folder(self):
        self.assertEqual((1, "kifuc: error: nowhere: there is no such folder\n"),
                         self.run_kifuc("lock", "nim.fbs", "-o", "nowhere/nim.lock"))


class F33Whole(Locked):
    """A lock file that lost a line protects less than it seems to."""

    def said_of(self, text):
        tools.write(os.path.join(self.folder, "nim.fbs.lock"), text)
        return self.run_kifuc("gen", "nim.fbs", "-o", "out")

    def refusal(self, text):
        """What a reader says of a lock file; "" if it takes it."""
        path, said = os.path.join(self.folder, "other.lock"), io.StringIO()
        tools.write(path, text)
        try:
            lock_file.read(path, Report(said))
        except Stop:
            return said.getvalue()
        return ""

    def test_F33_any_line_lost(self):
        """All but the one that says how many there are; without it nothing is missing."""
        whole = self.read_lock().splitlines(keepends=True)
        for i, line in enumerate(whole):
            said = self.refusal("".join(whole[:i] + whole[i + 1:]))
            with self.subTest(line=line):
                if not line.strip() or line.startswith(("#", "lines")):
                    self.assertEqual("", said)
                else:
                    self.assertRegex(said, r"other.lock:\d+: error: .*restore the file")

    def test_F33_last_line_lost(self):
        text = self.read_lock()
        at = text.splitlines().index("lines 35") + 1
        self.assertEqual((1, "nim.fbs.lock:%d: error: below this line there must be 35 others, empty ones and comments aside, "
                             "and there are 34: restore the file that was committed. (If you merged two lock files: look at "
                             "the result, and write the right number)\n" % at),
                         self.said_of(text[:text.rindex("  2 STRONG")]))

    def test_F33_cut_off_anywhere(self):
        text = self.read_lock()
        for length in range(0, len(text)):
            with self.subTest(end=text[max(0, length - 20):length]):
                self.assertRegex(self.refusal(text[:length]), r"other.lock:\d+: error: .*restore the file")

    def test_F33_said_twice(self):
        text = self.read_lock()
        twice = text.replace("lines 35", "lines 36").replace("  1 count: ushort = 1\n", "  1 count: ushort = 1\n" * 2)
        line = twice.splitlines().index("  1 count: ushort = 1") + 1
        self.assertEqual((1, "nim.fbs.lock:%d: error: this line says something else than line %d: restore the file that was "
                             "committed; only kifuc writes it\n" % (line + 1, line)), self.said_of(twice))
        twice = text.replace("lines 35", "lines 36") + "table nim.EGone\n"
        status, said = self.said_of(twice)
        self.assertEqual(1, status)
        self.assertIn("nim.EGone stands here, and in line", said)

    def test_F33_comments_and_line_ends(self):
        """Those of another system, or of a developer, take nothing away."""
        self.assertEqual((0, ""), self.said_of("# Released in June.\n" + self.read_lock().replace("\n", "\r\n")))

    def test_F33_locks_of_before(self):
        """They have no count, and do not say who makes an event happen."""
        for name, schema in (("reversi", "examples/reversi/reversi.fbs"), ("dungeon", "examples/dungeon/dungeon.fbs")):
            old = tools.read(os.path.join(tools.HERE, "locks", name + ".fbs.lock")).decode()
            schema = os.path.basename(shutil.copy(os.path.join(tools.ROOT, schema), self.folder))
            path = os.path.join(self.folder, schema + ".lock")
            tools.write(path, old)
            with self.subTest(name=name):
                self.assertEqual((0, ""), self.run_kifuc("gen", schema, "-o", "out"))
                self.assertEqual((0, "wrote %s.lock\n" % schema), self.run_kifuc("lock", schema))
                self.assertIn("\nlines ", tools.read(path).decode())
                tools.write(path, old.replace("  1 color: uint = 0", "  1 color: int = 0"))
                status, said = self.run_kifuc("gen", schema, "-o", "out")
                self.assertEqual(1, status)
                self.assertIn("`color` was int (%s.lock:" % schema, said)

    def test_nothing_half_written(self):
        os.remove(os.path.join(self.folder, "nim.fbs.lock"))
        os.mkdir(os.path.join(self.folder, "nim.fbs.lock"))
        self.assertEqual((1, "kifuc: error: nim.fbs.lock: this is a folder, and the lock file is to be here; rename the "
                             "folder\n"), self.run_kifuc("lock", "nim.fbs"))
        self.assertEqual(["nim.fbs", "nim.fbs.lock"], sorted(os.listdir(self.folder)))


class F33Renamed(Locked):
    """The schema has another name now; its lock file still has the old one."""

    def setUp(self):
        super().setUp()
        self.rename("nim.fbs", "heaps.fbs")

    def rename(self, old, new):
        os.rename(os.path.join(self.folder, old), os.path.join(self.folder, new))

    def write_schema(self, name, text):
        tools.write(os.path.join(self.folder, name), text)

    def test_F33_found(self):
        said = "nim.fbs.lock:1: warning: there is no nim.fbs any more, so this is taken for the lock file of heaps.fbs: " \
               "rename it to heaps.fbs.lock\n"
        self.assertEqual((0, said), self.run_kifuc("gen", "heaps.fbs", "-o", "out", "--depfile", "out/d"))
        self.assertIn("/nim.fbs.lock", tools.read(os.path.join(self.folder, "out", "d")).decode())
        self.write_schema("heaps.fbs", SCHEMA.replace("heap: ubyte", "heap: ushort"))
        status, errors = self.run_kifuc("gen", "heaps.fbs", "-o", "out")
        self.assertEqual(1, status)
        self.assertIn("heaps.fbs:16: error: `heap` was ubyte (nim.fbs.lock:", errors)
        self.assertEqual((1, errors.replace(said, "")), self.run_kifuc("lock", "heaps.fbs"))

    def test_F33_renamed_by_kifuc(self):
        self.assertEqual((0, "wrote heaps.fbs.lock\nremoved nim.fbs.lock: its schema is heaps.fbs now\n"),
                         self.run_kifuc("lock", "heaps.fbs"))
        self.assertEqual(["heaps.fbs", "heaps.fbs.lock"], sorted(os.listdir(self.folder)))
        self.assertEqual((0, ""), self.run_kifuc("gen", "heaps.fbs", "-o", "out"))

    def test_F33_renamed_with_the_game(self):
        """Then its events tell."""
        self.write_schema("heaps.fbs", SCHEMA.replace("namespace nim", "namespace heaps"))
        status, said = self.run_kifuc("gen", "heaps.fbs", "-o", "out")
        self.assertEqual(1, status)
        self.assertIn("heaps.fbs:25: error: the game was called nim (nim.fbs.lock:5), and refuses the saves of any other: keep "
                      "its namespace\n", said)

    def test_F33_not_of_another_game(self):
        """Neither the lock file of a game that is gone, nor that of one that is there."""
        other = SCHEMA.replace("namespace nim", "namespace chess").replace("PTake", "PMove")
        self.write_schema("heaps.fbs", other)
        self.assertEqual((0, ""), self.run_kifuc("gen", "heaps.fbs", "-o", "out"))
        self.write_schema("nim.fbs", SCHEMA)
        self.write_schema("heaps.fbs", SCHEMA)
        self.assertEqual((0, ""), self.run_kifuc("gen", "heaps.fbs", "-o", "out"))

    def test_F33_several(self):
        shutil.copy(os.path.join(self.folder, "nim.fbs.lock"), os.path.join(self.folder, "piles.fbs.lock"))
        said = "kifuc: error: nim.fbs.lock and piles.fbs.lock may each be the lock file of heaps.fbs, which was renamed: " \
               "rename the newest to heaps.fbs.lock, and remove the others\n"
        for command in (["gen", "-o", "out"], ["lock"]):
            self.assertEqual((1, said), self.run_kifuc(*command, "heaps.fbs"))
        self.rename("piles.fbs.lock", "heaps.fbs.lock")
        self.assertEqual((0, ""), self.run_kifuc("gen", "heaps.fbs", "-o", "out"))


class LockVersions(unittest.TestCase):
    """The games of this repository that have several versions: each fits the lock of the one before."""

    def go_through(self, *schemas):
        with tempfile.TemporaryDirectory(prefix="kifu-versions-") as folder:
            for path in schemas:
                name = os.path.basename(path)
                shutil.copy(os.path.join(tools.ROOT, path), folder)
                self.assertEqual((0, "wrote %s.lock\n" % name), tools.kifuc("lock", name, folder=folder))
                beside = os.path.join(tools.ROOT, path + ".lock")
                if os.path.exists(beside):
                    self.assertEqual(tools.read(beside), tools.read(os.path.join(folder, name + ".lock")))
            # And not backwards.
            shutil.copy(os.path.join(tools.ROOT, schemas[0]), folder)
            status, said = tools.kifuc("lock", name, folder=folder)
            self.assertEqual(1, status)
            return said

    def test_reversi(self):
        said = self.go_through("examples/reversi/v1/reversi.fbs", "examples/reversi/reversi.fbs")
        self.assertIn("reversi.PResign is gone from the union", said)
        self.assertIn("`seconds` is gone from reversi.PPlace", said)
        self.assertTrue(os.path.exists(os.path.join(tools.ROOT, "examples", "reversi", "reversi.fbs.lock")))

    def test_camp(self):
        said = self.go_through(*["tests/compat/v%d/camp.fbs" % each for each in (1, 2, 3, 4)])
        self.assertIn("camp.EStorm is gone from the union", said)
        self.assertIn("camp.PHarvest is gone from the union", said)
        self.assertIn("`STONE = 2` is gone from camp.Kind", said)
