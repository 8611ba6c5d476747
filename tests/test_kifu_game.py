"""The command kifu inside of a game's own program, which executes saves."""

import json
import re
import shutil
import unittest

from kifu_help import Command, OLD_REVERSI, REVERSI, REVERSI_TOOL, STORM, kifu
from terminal import Terminal


@unittest.skipUnless(REVERSI.exists(), "Reversi was not built")
class InAGame(Command):
    def tool(self, *words, status=0, **options):
        result = kifu(*words, program=(REVERSI, "tool"), **options)
        self.assertEqual(result.status, status, result.out + result.error)
        return result.out + result.error

    def test_K08_the_same_commands(self):
        self.assertIn("a game of reversi", self.tool("info", OLD_REVERSI))
        self.assertIn("a game of camp", self.tool("info", STORM))
        self.assertIn("usage: reversi tool COMMAND", self.tool("help"))
        self.assertIn("bisect", self.tool("help"))
        self.assertIn("reversi tool: ", self.tool("frobnicate", status=2))

    def test_K08_the_state_at_any_event(self):
        self.assertIn("phase SETUP", self.tool("state", OLD_REVERSI, "--at", "0"))
        self.assertIn("phase PLAY", self.tool("state", OLD_REVERSI, "--at", "20"))
        state = json.loads(self.tool("state", OLD_REVERSI, "--at", "20", "--json"))
        self.assertEqual(len(state["board"]), 64)
        self.assertIn("it has only 176 events", self.tool("state", OLD_REVERSI, "--at", "177", status=2))
        self.assertIn("save of the game 'camp'", self.tool("state", STORM, status=2))

    def current(self, name, change=lambda game: None):
        """A save by the rules and the schema of now: of a game that Reversi itself began."""
        played = self.path("played.kifu")
        if not played.exists():
            terminal = Terminal(REVERSI, "--two", played)
            terminal.wait_for(b"player 1")
            terminal.press(b"q")
            self.assertEqual(terminal.wait(), 0)
            terminal.close()
        game = json.loads(self.well("json", played))
        change(game)
        return self.save_of(game, name)

    def test_K08_bisect_finds_the_event(self):
        good = self.current("good.kifu")
        self.assertRegex(self.tool("bisect", good), r"^all \d+ events lead to the states that the save says\n$")
        places = []

        def change(game):
            self.assertGreaterEqual(len(game["hashes"]), 3)
            for each in game["hashes"][2:]:
                each["hash"] = str(int(each["hash"]) ^ 1)
            places.extend(each["events"] for each in game["hashes"][1:3])

        bad = self.current("bad.kifu", change)
        said = self.tool("bisect", bad, status=1)
        found = json.loads(self.tool("bisect", "--json", bad, status=1))
        self.assertEqual([found["first"], found["event"] + 1], places)
        self.assertRegex(said, r"event")
        self.assertIn("another version of the game wrote it", self.tool("bisect", OLD_REVERSI, status=2))

    def test_K08_bisect_names_the_field(self):
        """By the next state in the save; of the hashes, the first may be far before that."""
        def change(game):
            game["state"]["game"]["turn"] ^= 1
            game.pop("hash")

        def change_hashes(game):
            change(game)
            for each in game["hashes"][2:]:
                each["hash"] = str(int(each["hash"]) ^ 1)

        for name, changed in (("end.kifu", change), ("before.kifu", change_hashes)):
            bad = self.current(name, changed)
            last = len(json.loads(self.well("json", bad))["events"]) - 1
            said = self.tool("bisect", bad, status=1)
            field = re.search(r"^after event (\d+), game.turn was (\d) and is now (\d)$", said, re.M)
            self.assertIsNotNone(field, said)
            self.assertEqual(int(field[1]), last)
            found = json.loads(self.tool("bisect", "--json", bad, status=1))
            self.assertEqual((found["field"], found["expected"], found["actual"]), ("game.turn", field[2], field[3]))
            self.assertEqual(found["after"], last)
            self.assertEqual(found["event"] == last, name == "end.kifu", found)

    def test_K08_bisect_compares_the_end_though_redo_could_bring_more_back(self):
        def change(game):
            count = len(game["events"])
            game["hashes"].append({"events": count, "hash": game["hash"]})
            game["executed"], game["undone"] = count - 1, [{"executed": count}]
            game["hash"] = str(int(game["hash"]) ^ 1)
            game.pop("state", None)

        self.assertIn("event", self.tool("bisect", self.current("end.kifu", change), status=1))

    def test_K08_check_saves(self):
        saves = self.path("saves")
        saves.mkdir()
        shutil.copy(self.current("good.kifu"), saves / "a.kifu")

        def change(game):
            game["hashes"][-1]["hash"] = "1"

        shutil.copy(self.current("bad.kifu", change), saves / "b.kifu")
        shutil.copy(STORM, saves / "c.kifu")
        out = self.tool("check-saves", saves, status=1)
        self.assertRegex(out, r"b.kifu: .*now leads? to another state than in the save")
        self.assertRegex(out, r"c.kifu: this is a save of the game 'camp'")
        self.assertIn("2 of 3 saves do not load as before", out)
        self.assertEqual(self.tool("check-saves", saves / "a.kifu"), "1 save loads as before\n")
        data = (saves / "b.kifu").read_bytes()
        self.assertRegex(self.tool("check-saves", "-", status=1, stdin=data), r"-: .*leads to another state than in the save")

    def test_K08_json_is_not_executed(self):
        self.path("game.json").write_text(self.well("json", self.current("good.kifu")), encoding="utf-8")
        for words in (("state", "--at", "3"), ("bisect",)):
            said = self.tool(*words, self.path("game.json"), status=2)
            self.assertIn("first make a save of it with `json`", said)

    def test_K08_verify_executes_the_games_own_saves(self):
        def change(game):
            game["hashes"][-1]["hash"] = "1"

        bad = self.current("bad.kifu", change)
        self.assertEqual(self.well("verify", bad), "1 save is valid\n")
        self.assertIn("leads to another state", self.tool("verify", bad, status=1))

    def test_F60_verify_and_check_saves_say_what_a_load_says(self):
        """Of a save that another version wrote."""
        game = json.loads(self.well("json", OLD_REVERSI))
        good = self.save_of(game, "good.kifu")
        game["state"]["game"]["turn"] ^= 1
        game.pop("hash")
        bad = self.save_of(game, "bad.kifu")
        for command in ("verify", "check-saves"):
            self.tool(command, good)
            said = self.tool(command, bad, status=1)
            self.assertRegex(said, r"to another state than in the save: game.turn was \d and is now \d. If you changed")
            found = json.loads(kifu(command, "--json", bad, program=REVERSI_TOOL).out)
            self.assertIn("leads to another state", found[0]["problem"])

    def test_F60_check_saves_counts_what_has_nothing_to_compare(self):
        game = json.loads(self.well("json", OLD_REVERSI))
        for member in ("state", "hash"):
            game.pop(member, None)
        game["hashes"] = []
        self.assertEqual(self.tool("check-saves", self.save_of(game, "bare.kifu")),
                         "1 save loads; it has no state or hash to compare with\n")
        self.save_of(game, "other.kifu")
        self.current("good.kifu")
        names = [self.path(name) for name in ("bare.kifu", "other.kifu", "good.kifu")]
        self.assertEqual(self.tool("check-saves", *names), "all 3 saves load; 2 have no state or hash to compare with\n")
        self.assertEqual(self.tool("check-saves", *names[1:]), "all 2 saves load; 1 has no state or hash to compare with\n")
        self.path("bad.kifu").write_text("no save")
        self.assertRegex(self.tool("check-saves", *names, self.path("bad.kifu"), status=1),
                         "\n1 of 4 saves does not load as before; 2 have no state or hash to compare with\n$")

    def test_F60_verify_executes_json_and_standard_input(self):
        def change(game):
            game["hashes"][-1]["hash"] = "1"

        bad = self.current("bad.kifu", change)
        self.path("bad.json").write_text(self.well("json", bad), encoding="utf-8")
        self.assertIn("leads to another state", self.tool("verify", self.path("bad.json"), status=1))
        self.assertIn("leads to another state", self.tool("verify", "-", status=1, stdin=bad.read_bytes()))

    def test_F66_verify_asks_the_checks_if_it_shall(self):
        """A player puts a piece where none may be, in a save that nothing else in it contradicts."""
        game = json.loads(self.well("json", OLD_REVERSI))
        self.tool("verify", "--checks", OLD_REVERSI)
        place = next(each for each in game["events"] if each["number"] > 6 and each["type"] == "reversi.PPlace")
        place["fields"]["square"] = 0
        for member in ("state", "hash"):
            game.pop(member, None)
        game["hashes"] = []
        bad = self.save_of(game, "bad.kifu")
        self.path("bad.json").write_text(json.dumps(game), encoding="utf-8")
        for file in (bad, self.path("bad.json")):
            self.tool("verify", file)
            said = self.tool("verify", "--checks", file, status=1)
            self.assertIn("the rules refuse event %d (reversi.PPlace) of player %d: " % (place["number"], place["player"]), said)
        self.assertIn("--checks", self.tool("help", "verify"))
        self.assertNotIn("--checks", self.well("help", "verify"))


if __name__ == "__main__":
    unittest.main()
