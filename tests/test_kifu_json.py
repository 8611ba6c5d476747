"""The command kifu: a game as JSON and back, and where two games part."""

import base64
import json
import re
import subprocess
import unittest

from kifu_help import Command, KIFU, OLD_REVERSI, SAVES, STORM, kifu, on_terminal
from page_help import built, random_game


class Json(Command):
    def test_K03_there_and_back(self):
        for number, path in enumerate([STORM, OLD_REVERSI, SAVES / "v3" / "undone.kifu", SAVES / "v1" / "undone.kifu"]):
            first = self.well("json", path)
            again = self.save_of(first, f"{number}.kifu")
            self.assertEqual(self.well("json", again), first)
            self.well("json", again, "-o", self.path("b.json"))
            self.well("json", self.path("b.json"), "-o", self.path("b.kifu"))
            self.assertEqual(again.read_bytes(), self.path("b.kifu").read_bytes())
            self.well("diff", path, again)

    def test_K03_through_pipes(self):
        text = self.well("json", STORM)
        done = subprocess.run([KIFU, "json", "-"], input=text.encode(), stdout=subprocess.PIPE, check=True)
        self.assertEqual(self.well("json", "-", stdin=done.stdout), text)

    def test_K03_by_the_rules_of_json(self):
        game = self.storm()
        self.assertEqual(game["events"][3]["fields"]["seed"], "42")
        self.assertEqual(game["events"][8]["fields"]["items"][0]["weight"], 0.25)

    def test_K03_without_the_schema(self):
        text = self.well("json", "--no-schema", "--no-state", OLD_REVERSI)
        self.assertNotIn('"schema"', text)
        self.assertNotIn('"state"', text)
        self.path("less.json").write_text(text)
        self.assertIn("--schema", self.refused("json", self.path("less.json"), "-o", self.path("less.kifu")))
        import base64
        schema = base64.b64decode(json.loads(self.well("json", OLD_REVERSI))["schema"])
        self.path("reversi.bfbs").write_bytes(schema)
        self.well("json", self.path("less.json"), "--schema", self.path("reversi.bfbs"), "-o", self.path("less.kifu"))
        self.well("diff", OLD_REVERSI, self.path("less.kifu"))

    def test_B06_errors_are_told_with_line_and_column(self):
        text = self.well("json", STORM)
        lines = text.split("\n")
        row = next(i for i, line in enumerate(lines) if "camp.PFind" in line)

        def wrong(old, new):
            changed = list(lines)
            self.assertIn(old, lines[row])
            changed[row] = lines[row].replace(old, new, 1)
            self.path("wrong.json").write_text("\n".join(changed))
            return self.refused("json", self.path("wrong.json"), "-o", self.path("wrong.kifu"))

        def at(what, after=0):
            return f"line {row + 1}, column {lines[row].index(what) + 1 + after}: "

        for old, new, place, words in (
            ('"kind": "FOOD"', '"kind": "FOOT"', at('"FOOD"'), "'FOOT' is not in enum camp.Kind, which has FOOD, WOOD"),
            ('"count": 2', '"count": -1', at('"count": 2', 9), "a whole number from 0 to 65535"),
            ('"count": 2', '"count": 2.5', at('"count": 2', 9), "a whole number"),
            ('"weight": 0.25', '"weight": "much"', at("0.25"), "a number of 32 bits"),
            ('"name": "berries"', '"nome": "berries"', at('"berries"'), "camp.Item has no field 'nome'; its fields are kind"),
            ('"name": "berries"', '"count": 2', at('"berries"', 1), "the field 'count' stands here for the second time"),
            ('"berries"', '["berries"]', at('"berries"'), "here belongs a string"),
            ('"berries"', '"a\\u0000b"', at('"berries"', 2), "cannot contain a NUL"),
            ('"berries"', '"berries', "line ", "not JSON"),
            ('"route": [1, 2, 3]', '"route": [1, "x", 3]', at("[1, 2, 3]", 4), "a whole number from"),
            ('"camp.PFind"', '"camp.PFound"', at('"camp.PFind"'), "'camp.PFound' is no event of camp.Event"),
            ('"number": 8', '"number": 7', at("8"), "this is event number 8"),
            ('"player": 0', '"player": 200', at('"player": 0', 10), "a whole number from -1 to 127"),
            ('"flags": "', '"flags": "SHINY ', at('"UNDOABLE'), "'SHINY' is not in enum kifu.MarkFlags"),
            ('"player": 0', '"cause": 8', at('"player": 0', 9), "a whole number from 0 to 7"),
        ):
            said = wrong(old, new)
            self.assertIn(place, said, new)
            self.assertIn(words, said, new)
            self.assertFalse(self.path("wrong.kifu").exists())

    def test_B06_a_column_is_a_character(self):
        game = self.well("json", STORM).replace('"title": "storm"', '"title": "st\u00f6rm \U0001f3b2", "titel": 1')
        self.path("wrong.json").write_text(game, encoding="utf-8")
        self.assertIn('line 8, column 32: ', self.refused("json", self.path("wrong.json"), "-o", self.path("x")))
        self.path("wrong.json").write_bytes(game.encode("latin-1", "replace"))
        self.assertIn("line 8, column 15: this byte is not UTF-8", self.refused("info", self.path("wrong.json")))

    def test_B06_what_does_not_fit_together_is_refused(self):
        for change, words in (
            (lambda game: game.update(hash="1"), "this is not the hash of the state"),
            (lambda game: (game.pop("state"), game.update(hash="1")), None),
            (lambda game: game.update(executed=99), "a whole number from 0 to 12"),
            (lambda game: game.update(kept=[{"executed": 99}]), "a whole number from 0 to 12"),
            (lambda game: game.update(kept=[{"count": 9}]), "a place has no field 'count'"),
            (lambda game: game.update(undone=[{"executed": 9}]), None),  # of 0.2
            (lambda game: game.update(hashes=[{"events": 0, "hash": "1"}]), "a whole number from 1 to 12"),
            (lambda game: game.update(hashes=[{"events": 1}]), 'a hash has "events"'),
            (lambda game: game.pop("game"), 'there is no "game"'),
            (lambda game: game.pop("events"), 'no array "events"'),
            (lambda game: game.update(kifu=2), "a newer version of Kifu"),
            (lambda game: game.update(schema="AAAA"), 'no .bfbs, or is damaged: give the one that kifu_add_game makes'),
            (lambda game: game.update(game="other"),
             "wrong.json: line 1, column 21: the events are those of camp.Event, which is not of this game"),
            (lambda game: game.update(game=""), "line 1, column 21: the events are those of camp.Event, which"),
            (lambda game: game.update(game="camp.Event"), "which is not of this game"),
            (lambda game: game.update(union="Event"), "the events are those of Event, which is not of this game"),
            (lambda game: game.update(union=".Event", game=""), "the schema of the save is none"),
            (lambda game: game.update(schema="A"), "base64"),
            (lambda game: game.update(more=1), "a game has no field 'more'"),
            (lambda game: game.update(actions=[]), "nobody takes turns"),
            (lambda game: game.update(inputs=[{"type": "camp.EEat", "flags": "RANDOM"}]), "these flags are not allowed"),
        ):
            game = self.storm()
            change(game)
            self.path("wrong.json").write_text(json.dumps(game))
            result = kifu("json", self.path("wrong.json"), "-o", self.path("wrong.kifu"))
            if words:
                self.assertEqual(result.status, 2, words)
                self.assertIn(words, result.error)
            else:
                self.assertEqual(result.status, 0, result.error)

    def test_K03_a_changed_state_needs_its_hash(self):
        game = json.loads(self.well("json", OLD_REVERSI))
        game["state"]["game"]["round"] += 1
        self.path("wrong.json").write_text(json.dumps(game))
        self.assertIn("this is not the hash of the state", self.refused("json", self.path("wrong.json"), "-o", "-"))
        del game["hash"]
        self.assertIn("\nround", "\n" + "\n".join(re.findall(r"round \d+", self.well(
            "state", self.save_of(game, "changed.kifu")))))

    def test_K03_a_save_is_not_written_to_a_terminal(self):
        self.path("game.json").write_text(self.well("json", STORM))
        self.assertIn("no text for a terminal", on_terminal("json", str(self.path("game.json"))))


class Diff(Command):
    def differ(self, change, path=OLD_REVERSI):
        game = json.loads(self.well("json", path))
        change(game)
        result = kifu("diff", path, self.save_of(game, "other.kifu"))
        self.assertEqual(result.status, 1, result.out + result.error)
        return result.out

    def test_K04_equal_games(self):
        self.assertEqual(self.well("diff", STORM, STORM), "")

    def test_K04_the_first_event_that_differs(self):
        def change(game):
            game["events"][8]["fields"]["place"] = "hill"

        out = self.differ(change, STORM)
        self.assertIn("event 8, camp.PFind, differs: place is", out)
        self.assertIn('place is "river" in the one game', out)
        self.assertIn('storm.kifu: place "river"\n', out)
        self.assertIn('other.kifu: place "hill"\n', out)

    def test_K04_one_that_ends_earlier(self):
        def change(game):
            del game["events"][100:]
            for name in ("hashes", "hash", "state", "executed", "undone"):
                game.pop(name, None)

        self.assertIn("the second game ends after 100 events", self.differ(change))

    def test_K04_hashes_that_differ(self):
        def change(game):
            game["hashes"][-1]["hash"] = "1"

        out = self.differ(change)
        self.assertIn("lead to different states after one of the events", out)
        self.assertIn("hash_interval = 1", out)

    def test_K04_states_that_differ(self):
        def change(game):
            game["state"]["board"][0] = 2
            del game["hash"]

        self.assertIn("board[0]", self.differ(change))

    def test_K04_other_lines_and_notes(self):
        if not built():
            self.skipTest("an example was not built")
        tree = random_game("reversi", self.path("tree.kifu"), 3, 40, 5)
        game = json.loads(self.well("json", tree))
        game["notes"][0]["text"] = 'an"other\n'
        parents = {each["parent"] for each in game["lines"]}
        other = next(each for each in game["lines"][1:] if len(each["events"]) > 1 and each["line"] not in parents)
        del other["events"][1:]
        for name in ("tip_hash", "fingerprint", "rules_version", "hashes", "undone"):
            other.pop(name, None)
        other["left"] = other["at"]
        kept = other["at"] + 1
        game["notes"] = [each for each in game["notes"] if each["line"] != other["line"] or each["event"] < kept]
        changed = self.save_of(game, "changed.kifu")
        result = kifu("diff", tree, changed)
        self.assertEqual((result.status, result.error), (1, ""))
        said = f"line {other['line']} goes on with event {kept}, "
        self.assertIn(said, result.out)
        self.assertIn("only in the first game", result.out)
        self.assertIn("the note 'comment' before the first event differs: it is ", result.out)
        self.assertIn('changed.kifu: comment "an\\"other\\n"\n', result.out)
        self.assertIn('and "an\\"other\\n" in the other\n', result.out)
        found = json.loads(kifu("diff", "--json", tree, changed).out)
        self.assertEqual(found["differ"], "equal")  # the current lines
        self.assertEqual(found["tree"][0]["b"], '"an\\"other\\n"')
        missing = [each for each in found["tree"] if each["differ"] == "missing"]
        self.assertEqual([(each["line_a"], each["event"], "line_b" in each) for each in missing],
                         [(other["line"], kept, False)])
        self.assertEqual([each["differ"] for each in found["tree"]], ["note", "missing"])
        self.well("diff", tree, tree)
        self.assertNotIn("tree", json.loads(self.well("diff", "--json", tree, tree)))

    def test_K04_what_was_said_of_the_current_lines_is_not_said_again(self):
        if not built():
            self.skipTest("an example was not built")
        tree = random_game("reversi", self.path("tree.kifu"), 3, 40, 5)
        game = json.loads(self.well("json", tree))
        executed = reversed(game["events"][: game.get("executed")])
        last = next(each for each in executed if each["type"] == "reversi.PPlace")
        last["fields"]["square"] = (last["fields"]["square"] + 1) % 64
        for name in ("state", "hash", "hashes"):
            game.pop(name, None)
        for each in game["lines"]:
            each.pop("tip_hash", None)
        out = kifu("diff", tree, self.save_of(game, "other.kifu")).out
        self.assertEqual(out.count("square is"), 1, out)
        self.assertIn("; all events before it are equal\n", out.splitlines(True)[0])

    def test_K04_two_versions_of_a_game(self):
        result = kifu("diff", SAVES / "v1" / "undone.kifu", SAVES / "v3" / "undone.kifu")
        self.assertIn(result.status, (0, 1), result.error)

    def test_K04_for_programs_and_of_other_games(self):
        found = json.loads(kifu("diff", "--json", SAVES / "v3" / "undone.kifu", STORM).out)
        self.assertEqual((found["differ"], found["event"], found["type"]), ("missing", 9, "camp.EStorm"))
        self.assertIn("there is nothing to compare", self.refused("diff", STORM, OLD_REVERSI))
        self.assertEqual(json.loads(self.well("diff", "--json", STORM, STORM))["differ"], "equal")


if __name__ == "__main__":
    unittest.main()
