"""The command kifu on files that are not valid, on log files, and on folders: verify, recover, pack."""

import json
import os
import re
import shutil
import unittest

from kifu_help import Command, OLD_REVERSI, REVERSI_TOOL, SAVES, STORM, kifu, on_terminal
from page_help import built, random_game
from save_frames import read_frames, write_frames


RECORD_STAND = 1


def frames_of(data):
    """Where each frame of a save begins, and its bytes."""
    at = 16
    while at < len(data):
        size = 16 + (int.from_bytes(data[at:at + 4], "little") + 7) // 8 * 8
        yield at, size
        at += size


# A log file of a game that goes on, or was killed.
@unittest.skipUnless(built(), "an example was not built")
class LogFile(Command):
    COMMANDS = (("tree",), ("events",), ("events", "--json", "--undone"), ("json",), ("html",), ("diff", STORM), ("pack",))
    SAID = "the save is a log file that was not closed; all that was written to it is there"

    def setUp(self):
        super().setUp()
        self.log = random_game("reversi", self.path("log.kifu"), 3, 40, 5, unclosed=True)
        kifu("recover", self.log, "-o", self.path("whole.kifu"))
        self.whole = self.path("whole.kifu")

    def shown(self, path, words, **options):
        result = kifu(*words, path, **options)
        return result, result.out.replace(str(path), "FILE")

    def test_K02_each_command_reads_one_that_was_not_closed(self):
        for words in self.COMMANDS[:5]:
            result, out = self.shown(self.log, words)
            self.assertEqual((result.status, result.error.splitlines()[0]), (0, f"kifu: {self.log}: {self.SAID}"), words)
            self.assertEqual(out, self.shown(self.whole, words)[1])
        verified = kifu("verify", self.log)
        self.assertEqual((verified.status, verified.out), (0, "1 save is valid\n"))
        self.assertEqual(verified.error, f"kifu: {self.log}: {self.SAID}\n")
        self.assertIn("o ", self.well("tree", self.whole))
        self.assertEqual(kifu("diff", self.log, self.whole).status, 0)
        piped = kifu("tree", "-", stdin=self.log.read_bytes())
        self.assertEqual((piped.status, piped.error), (0, f"kifu: standard input: {self.SAID}\n"))
        self.assertEqual(piped.out, self.well("tree", self.whole))
        self.assertEqual(kifu("pack", self.log, "-o", self.path("packed.kifu")).status, 0)
        self.assertEqual(self.well("tree", self.path("packed.kifu")), piped.out)

    def test_K02_one_that_was_cut_off_says_what_is_missing(self):
        data = self.log.read_bytes()
        self.log.write_bytes(data[:-40])
        for words in self.COMMANDS[:5]:
            result, out = self.shown(self.log, words)
            said = rf"^kifu: .*/log.kifu: the last \d+ bytes of the save, from byte \d+ on, were dropped: the save was cut off"
            self.assertEqual(result.status, 0)
            self.assertRegex(result.error, said)
            self.assertNotEqual(out, self.shown(self.whole, words)[1])
        said = "it is a log file that was not closed, and it ends inside of what was appended last"
        self.assertIn(said, kifu("info", self.log).out)
        self.assertIn(said, kifu("verify", self.log).out)

    def test_F65_a_save_without_its_end_is_no_log_file(self):
        """Damaged, cut inside of a frame, or cut between two of them."""
        data = OLD_REVERSI.read_bytes()
        frames = [at for at, _ in frames_of(data)]
        middle = frames[1] + 40  # in the events
        flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1:]
        for what in (flipped, data[:-300], data[:-3], data[:frames[-1]], data[:frames[-2]]):
            self.path("a.kifu").write_bytes(what)
            result = kifu("info", self.path("a.kifu"))
            self.assertEqual(result.status, 1)
            self.assertIn("bytes, plain, format 1.0\n", result.out)
            self.assertRegex(result.out, r"problem +.*(damaged|cut off)")
            self.assertNotIn("log file", result.out)
            [known] = json.loads(kifu("info", "--json", self.path("a.kifu")).out)
            self.assertEqual(known["kind"], "plain")
            self.assertIn("problem", known)
            self.assertEqual(kifu("verify", self.path("a.kifu")).status, 1)
            self.assertNotIn("log file", kifu("recover", self.path("a.kifu"), "-o", self.path("b.kifu")).error)
        self.assertIn("a log file that was not closed", self.well("info", self.log))
        self.log.write_bytes(self.log.read_bytes()[:-40])
        self.assertIn("a log file that was not closed", kifu("info", self.log).out)

    def test_K02_of_one_that_is_damaged_nothing_is_shown(self):
        data = bytearray(self.log.read_bytes())
        data[-100] ^= 1
        self.log.write_bytes(data)
        for words in self.COMMANDS:
            said = self.refused(*words, self.log)
            self.assertRegex(said, r"the frame at byte \d+ is damaged: its checksum is wrong; get another copy of the save; "
                             "`kifu recover` saves what is whole$")

    def problem(self, *words, path=None):
        """What a command says is wrong with a log file."""
        result = kifu(*words, path or self.log)
        self.assertNotEqual(result.status, 0)
        return " ".join(f"{result.out} {result.error}".split())

    def test_K05_F65_commits_that_are_missing_repeated_or_moved_are_told(self):
        """By every command and by the game's own program: where, and what to do."""
        data = random_game("reversi", self.log, 3, 40, 20, unclosed=True).read_bytes()
        frames = list(frames_of(data))
        self.assertGreater(len(frames), 9)
        whole = [data[at:at + size] for at, size in frames]
        middle = len(frames) // 2
        head, (cut, _) = data[:16], frames[middle]
        missing = whole[:middle] + whole[middle + 1:]
        twice = whole[:middle + 1] + whole[middle:]
        moved = [*whole[:middle], whole[middle + 1], whole[middle], *whole[middle + 2:]]
        for good, changed in ((cut, missing), (cut + len(whole[middle]), twice), (cut, moved)):
            self.log.write_bytes(head + b"".join(changed))
            said = (f"a frame of the save is missing, repeated or moved, between byte {good} and the frame at byte {good}; "
                    "get another copy of the save; `kifu recover` saves what is whole")
            for words in (("verify",), ("info",), *self.COMMANDS[:5]):
                self.assertIn(said, self.problem(*words))
            self.assertNotIn("not closed", self.problem("verify"))
            for words in ("state",), ("bisect",), ("check-saves",), ("verify",):
                result = kifu(*words, self.log, program=REVERSI_TOOL)
                self.assertNotEqual(result.status, 0)
                self.assertIn(said, result.out + result.error)
            recovered = kifu("recover", self.log, "-o", self.path("part.kifu"))
            self.assertEqual(recovered.status, 0)
            self.assertIn(f"from byte {good} on, were dropped: a frame of the save is missing", recovered.error)
            self.assertEqual(kifu("verify", self.path("part.kifu")).status, 0)

    def test_K05_F65_a_log_file_with_wrong_contents_is_not_only_one_that_was_not_closed(self):
        """Its frames are good, and so is their chain: what is in them, only reading it says."""
        frames = read_frames(self.log.read_bytes())
        kind, payload = frames[-1]
        self.log.write_bytes(write_frames([*frames[:-1], (kind, payload[:4] + bytes([RECORD_STAND, 2, 99, 0]) + payload[4:])]))
        for words in (("verify",), ("info",), ("tree",), ("pack", "-i")):
            said = self.problem(*words)
            self.assertRegex(said, r"the commit at byte \d+ has a record 'stand' that goes to a line that is not there")
            self.assertIn("nothing of this one can be recovered", said)
        self.assertNotEqual(kifu("recover", self.log, "-o", self.path("part.kifu")).status, 0)

    def test_K06_none_is_replaced_while_somebody_may_write_it(self):
        data = self.log.read_bytes()
        self.assertIn("it is a log file that was not closed; `kifu recover` saves what is whole",
                      self.refused("pack", "-i", self.log))
        self.assertEqual(self.log.read_bytes(), data)

    def test_K08_the_games_own_program_reads_it_too(self):
        for words in (("state", "--json"), ("state", "--json", "--at", "30", "--line", "1"), ("bisect",)):
            result = kifu(*words, self.log, program=REVERSI_TOOL)
            self.assertEqual((result.status, result.error), (0, f"reversi tool: {self.log}: {self.SAID}\n"), words)
            self.assertEqual(result.out, kifu(*words, self.whole, program=REVERSI_TOOL).out)
        page = kifu("html", self.log, program=REVERSI_TOOL)
        self.assertEqual(page.status, 0)
        self.assertEqual(page.out.replace("log.kifu", "whole.kifu"), kifu("html", self.whole, program=REVERSI_TOOL).out)


class Verify(Command):
    def test_K05_folders_and_what_is_wrong_in_them(self):
        inner = self.path("more")
        inner.mkdir()
        data = OLD_REVERSI.read_bytes()
        self.path("good.kifu").write_bytes(data)
        (inner / "good.kifu").write_bytes(data)
        (inner / "cut.kifu").write_bytes(data[:-200])
        (inner / "notes.txt").write_text("no save")
        self.path("flipped.kifu").write_bytes(data[:3000] + bytes([data[3000] ^ 1]) + data[3001:])
        result = kifu("verify", self.folder)
        self.assertEqual(result.status, 1, result.error)
        *lines, last = result.out.splitlines()
        self.assertEqual(last, "2 of 4 saves are not valid")
        self.assertEqual([line.split(":")[0].rpartition("/")[2] for line in lines], ["flipped.kifu", "cut.kifu"])
        found = json.loads(kifu("verify", "--json", self.folder).out)
        self.assertEqual(len(found), 2)
        self.assertEqual(kifu("verify", "-q", self.path("good.kifu")).out, "")
        self.assertEqual(self.well("verify", self.path("good.kifu")), "1 save is valid\n")
        result = kifu("verify", inner, self.path("nosuch"), self.path("good.kifu"))  # All that is there is looked at.
        self.assertEqual(result.status, 2)
        self.assertIn("nosuch: there is no such file or folder", result.error)
        self.assertEqual(result.out.splitlines()[-1], "1 of 3 saves is not valid")
        self.assertEqual(kifu("verify", self.path("nosuch")).out, "")
        self.assertEqual(self.well("verify", self.path("good.kifu"), inner / "good.kifu"), "all 2 saves are valid\n")
        (inner / "cut.kifu").unlink()
        for name in "back", "again":  # A folder that a link leads to is not looked into: it may be the same one.
            (inner / name).symlink_to(self.folder)
        self.assertEqual(self.well("verify", inner), "1 save is valid\n")
        self.path("empty").mkdir()
        self.assertEqual(self.well("verify", self.path("empty")), "there are no saves\n")

    def test_K05_without_schema_or_codec_the_checksums_count(self):
        result = kifu("verify", SAVES / "v1", SAVES / "v2", SAVES / "v4")
        self.assertEqual(result.status, 0, result.error)
        self.assertRegex(result.out, r"^all \d+ saves are valid; of \d+ only the checksums were verified, because the schema or the codec is missing\n$")
        bare = next(path for path in SAVES.glob("v*/*.kifu") if "only" in kifu("verify", path).out)
        self.assertEqual(self.well("verify", bare), "1 save is valid; only its checksums were verified, because the schema or "
                         "the codec is missing\n")
        packed = bytearray((SAVES / "v3" / "packed.kifu").read_bytes())
        packed[-60] ^= 1
        self.path("packed.kifu").write_bytes(packed)
        self.assertEqual(kifu("verify", self.folder).status, 1)

    def test_K05_a_bar_of_progress_on_a_terminal(self):
        self.path("good.kifu").write_bytes(OLD_REVERSI.read_bytes())
        self.path("more.kifu").write_bytes(OLD_REVERSI.read_bytes())
        printed = on_terminal("verify", str(self.folder))
        self.assertIn("[..............................] 0 of 2", printed)
        self.assertIn("[###############...............] 1 of 2", printed)
        self.assertNotIn("[", on_terminal("verify", "-q", str(self.folder)))

    def long_save(self, name, events=30000):
        game = self.storm()
        for member in ("state", "hash", "hashes", "undone", "undo", "executed", "waiting", "actions"):
            game.pop(member, None)
        first = {name: value for name, value in game["events"][1].items() if name not in ("number", "cause")}
        game["events"] = game["events"][:1] + [first] * events
        return self.save_of(game, name)

    def test_K05_a_long_save_has_a_bar_of_its_own(self):
        path = self.long_save("long.kifu")
        printed = on_terminal("info", str(path))
        self.assertRegex(printed, r"\[#+\.+\] \d+ %  \S*long.kifu")
        self.assertIn("\r\033[K" + str(path) + ": a game of camp", re.sub(r"\033\[\d?m", "", printed))
        self.assertNotIn("%", kifu("info", path).error)

    def test_B07_ctrl_c_cancels_and_leaves_nothing(self):
        path = self.long_save("long.kifu")
        printed = on_terminal("verify", *[str(path)] * 2000, interrupted_at=b"[#")
        self.assertEqual(printed.status, 130, printed[-200:])
        self.assertIn("interrupted", printed)
        self.assertNotIn("valid", printed)
        self.assertEqual([name.name for name in self.folder.iterdir() if name.suffix != ".json"], ["long.kifu"])

    def test_B08_a_file_takes_no_more_memory_than_it_may(self):
        path = self.long_save("long.kifu", 3000)
        packed = self.path("packed.kifu")
        self.well("pack", path, "-o", packed)
        words = self.refused("events", "--memory", "40K", packed)
        self.assertRegex(words, r"needs \d+ bytes of memory or more, and --memory allows 40960: raise it")
        self.well("events", "--memory=1M", packed)
        words = self.refused("json", "--memory", "1M", self.path("long.kifu.json"), "-o", self.path("x.kifu"))
        self.assertIn("--memory allows 1048576", words)
        self.assertFalse(self.path("x.kifu").exists())
        self.assertIn("--memory takes a number of bytes", self.refused("info", "--memory", "much", packed))

    def test_K05_what_is_not_there(self):
        self.assertIn("there is no such file", self.refused("verify", self.path("nothing")))


class Repair(Command):
    def test_K06_recover(self):
        data = OLD_REVERSI.read_bytes()
        self.path("cut.kifu").write_bytes(data[:-300])
        self.assertIn("`kifu recover` saves what is whole", self.refused("events", self.path("cut.kifu")))
        result = kifu("recover", self.path("cut.kifu"), "-o", self.path("new.kifu"))
        self.assertEqual(result.status, 0)
        self.assertRegex(result.error, r"bytes of the save, from byte \d+ on, were dropped: ")
        self.assertRegex(result.error, r"; \d+ events were recovered \(lines: 1, notes: 0\)")
        self.assertNotIn("get a whole copy", result.error)  # It is what is done without one.
        self.assertEqual(self.well("verify", self.path("new.kifu")), "1 save is valid\n")
        rows = self.well("events", self.path("new.kifu")).splitlines()
        self.assertEqual(rows, self.well("events", OLD_REVERSI).splitlines()[: len(rows)])
        self.assertGreater(len(rows), 100)
        whole = kifu("recover", OLD_REVERSI, "-o", self.path("whole.kifu"))
        self.assertIn("nothing is wrong with it", whole.error)
        self.well("diff", OLD_REVERSI, self.path("whole.kifu"))

    def test_K06_nothing_is_left(self):
        data = OLD_REVERSI.read_bytes()
        header = 16 + 16 + (int.from_bytes(data[16:20], "little") + 7) // 8 * 8
        for size in (0, 8, 100, header, header + 20):
            self.path("cut.kifu").write_bytes(data[:size])
            said = self.refused("recover", self.path("cut.kifu"), "-o", self.path("new.kifu"))
            self.assertNotIn("recover", said.partition("cut.kifu: ")[2])  # That is what was tried.
            self.assertFalse(self.path("new.kifu").exists())
            verified = kifu("verify", self.path("cut.kifu"))
            self.assertEqual(verified.status, 1)
            self.assertNotIn("kifu recover", verified.out)
            self.assertRegex(verified.out, "another|a whole copy of it")

    def test_K06_recovery_is_advised_where_it_gives_something(self):
        """By every command that reads a save: what `recover` does then is what they say."""
        data = OLD_REVERSI.read_bytes()
        frames = [at for at, _ in frames_of(data)]
        flipped = [data[:at + 40] + bytes([data[at + 40] ^ 1]) + data[at + 41:] for at in frames]
        (kind, first), (segment, events), *others = read_frames(data)
        wrong = [write_frames([(kind, first[:3] + b"\xff" + first[4:]), (segment, events), *others]),
                 write_frames([(kind, first), (segment, events[:3] + b"\xff" + events[4:]), *others])]
        given = []
        for what in [data[:8], *(data[:at + more] for at in frames for more in (0, 20)), *flipped, *wrong]:
            self.path("bad.kifu").write_bytes(what)
            recovered = kifu("recover", self.path("bad.kifu"), "-o", self.path("new.kifu")).status == 0
            given.append(recovered)
            for words in (("verify",), ("info",), ("events",)):
                result = kifu(*words, self.path("bad.kifu"))
                said = " ".join(f"{result.out} {result.error}".split())
                self.assertEqual("`kifu recover` saves what is whole" in said, recovered, said)
                self.assertEqual("nothing of this one can be recovered" in said or
                                 "nothing of this save can be recovered: get another copy of it" in said, not recovered, said)
        self.assertEqual(set(given), {False, True})

    def test_K06_pack_and_unpack(self):
        self.well("pack", OLD_REVERSI, "-o", self.path("packed.kifu"))
        self.assertLess(self.path("packed.kifu").stat().st_size, OLD_REVERSI.stat().st_size)
        self.assertRegex(self.well("info", self.path("packed.kifu")), r"packed by zstd, format 1.0\n")
        self.well("diff", OLD_REVERSI, self.path("packed.kifu"))
        self.assertEqual(self.well("json", OLD_REVERSI), self.well("json", self.path("packed.kifu")))
        shutil.copy(self.path("packed.kifu"), self.path("plain.kifu"))
        self.well("unpack", "--in-place", self.path("plain.kifu"))
        self.assertIn("plain, format 1.0", self.well("info", self.path("plain.kifu")))
        self.assertEqual(self.well("json", OLD_REVERSI), self.well("json", self.path("plain.kifu")))
        self.well("pack", OLD_REVERSI, "--level", "19", "-o", self.path("smaller.kifu"))
        self.assertLessEqual(self.path("smaller.kifu").stat().st_size, self.path("packed.kifu").stat().st_size)

    def test_M06_pack_without_a_compressor(self):
        self.well("pack", OLD_REVERSI, "--level", "0", "-o", self.path("compact.kifu"))
        self.assertLess(self.path("compact.kifu").stat().st_size, OLD_REVERSI.stat().st_size)
        self.assertIn("compact, format 1.0\n", self.well("info", self.path("compact.kifu")))
        self.assertEqual(self.well("json", OLD_REVERSI), self.well("json", self.path("compact.kifu")))

    def test_R08_saves_of_before_1_0_are_refused_in_words_that_say_what_to_do(self):
        for name in "v3-undone", "v3-log", "v3-packed", "trees-forgotten":
            old, new = SAVES / "before_1.0" / f"{name}.kifu", self.path("new.kifu")
            for words in (("info",), ("json",), ("events",), ("tree",), ("recover", "-o", new), ("pack", "-o", new)):
                said = self.refused(words[0], old, *words[1:])
                self.assertIn("is of a program with Kifu 0.2 or before", said)
                self.assertIn("convert it with the command `kifu json` of that version", said)
            self.assertFalse(new.exists())
            game = SAVES / "json" / f"{name}.json"
            self.well("json", game, "-o", new)
            self.well("diff", game, new)
            new.unlink()

    def test_K06_where_to_write(self):
        self.assertIn("either --output or --in-place", self.refused("pack", STORM, "-i", "-o", "x"))
        self.assertIn("cannot be replaced", self.refused("pack", "-", "-i"))
        self.assertIn("no text for a terminal", on_terminal("pack", str(STORM)))
        self.assertIn("No such file", self.refused("unpack", STORM, "-o", self.path("no/where.kifu")))

    def test_K06_no_command_writes_over_what_it_reads(self):
        data = OLD_REVERSI.read_bytes()
        path, link = self.path("game.kifu"), self.path("link.kifu")
        path.write_bytes(data)
        link.symlink_to(path)
        for command in ("json", "html", "recover", "pack", "unpack"):
            for to in (path, link, self.folder / "." / "game.kifu"):
                error = self.refused(command, path, "-o", to)
                self.assertIn("this would replace the file that is read", error)
                self.assertEqual("--in-place" in error, command in ("pack", "unpack"))
                self.assertEqual(path.read_bytes(), data)

    def test_K06_only_files_are_replaced(self):
        os.mkfifo(self.path("pipe"))
        for command in ("json", "html", "recover", "pack", "unpack"):
            for name in ("pipe", "."):
                error = self.refused(command, OLD_REVERSI, "-o", self.path(name))
                self.assertIn("is no file but a folder or a device", error)
            self.assertEqual([each.name for each in self.folder.iterdir()], ["pipe"])

    def test_K06_a_packed_schema_that_cannot_be_read(self):
        packed = self.path("packed.kifu")
        self.well("pack", OLD_REVERSI, "-o", packed)
        error = self.refused("events", "--memory", "1K", packed)
        self.assertRegex(error, r"needs \d+ bytes of memory or more, and --memory allows 1024")


if __name__ == "__main__":
    unittest.main()
