"""The command kifu on games with variations, and on those that begin from a state."""

import base64
import json
import re
import unittest

from kifu_help import Command, REVERSI_TOOL, SAVES, STORM, kifu, on_terminal
from page_help import built, random_game, state_at


@unittest.skipUnless(built(), "an example was not built")
class Tree(Command):
    def setUp(self):
        super().setUp()
        self.save = random_game("reversi", self.path("tree.kifu"), 3, 40, 5)
        self.tree = json.loads(self.well("tree", "--json", self.save))

    def test_K02_a_tree_has_each_event_once(self):
        stretches = self.tree["stretches"]
        places = [(each["line"], each["from"] + i) for each in stretches for i in range(each["count"])]
        self.assertEqual(len(places), len(set(places)))
        self.assertEqual({each["line"] for each in stretches}, set(range(6)))
        rows = [row for row in self.well("tree", self.save).splitlines() if " line " in row]
        self.assertEqual(len(rows), len(stretches))
        for each in stretches:
            place = str(each["from"]) + (f"-{each['from'] + each['count'] - 1}" if each["count"] > 1 else "")
            mark = r"\*" if each["current"] else "o"
            words = "  main" if each["main"] else ""
            found = [row for row in rows if re.search(rf"{mark} +{place}  line {each['line']} ", row)]
            self.assertEqual(len(found), 1, each)
            self.assertEqual(found[0].index(found[0].strip("|- ")[0]), 2 * each["depth"], found[0])
            self.assertIn(words, found[0])
        here = [row for row in rows if "now after" in row]
        self.assertEqual(len(here), 1)
        self.assertIn(f"now after {self.tree['executed']}", here[0])

    def shown(self, *words):
        """The moves of a tree, in the order of the text: as [number, words] of each stretch by its line and begin."""
        moves, stretch = {}, None
        for row in self.well("tree", *words).splitlines():
            head = re.match(r"[| ]*(?:\|-)?[o*] +(\d+)(?:-\d+)?  line (\d+)", row)
            if head:
                stretch = moves.setdefault((int(head[2]), int(head[1])), [])
            elif re.match(r"[| ]*    \d+ ", row):
                stretch += [each.split(" ", 1) for each in row.lstrip("| ").rstrip(";").split("; ")]
        return moves

    def test_F71_each_stretch_shows_its_moves_and_counts_their_consequences(self):
        shown = self.shown(self.save)
        everything = self.shown("--all", self.save)
        for each in self.tree["stretches"]:
            place = (each["line"], each["from"])
            events = json.loads(self.well("events", "--json", "--undone", "--line", str(each["line"]), self.save))
            events = events[each["from"]:each["from"] + each["count"]]
            self.assertEqual([int(number) for number, _ in everything[place]], [event["number"] for event in events])
            moves = {int(number): words for number, words in shown[place]}
            for event in events:
                if event["player"] < 0 or event["cause"] >= 0:
                    continue
                words = moves[event["number"]]
                self.assertRegex(words, rf"^p{event['player']} {event['type'].split('.')[1]}\b")
                if event["type"] == "reversi.PPlace":
                    self.assertIn(f"square {event['fields']['square']}", words)
            counted = sum(int(words.split("(+")[1].rstrip(")")) for words in moves.values() if "(+" in words)
            self.assertEqual(len(moves) + counted, each["count"], shown[place])
        self.assertIn("(+", self.well("tree", self.save))
        self.assertNotIn("(+", self.well("tree", "--all", self.save))

    def test_F71_a_game_is_read_from_its_tree(self):
        self.assertIn("""\
      3 EInitialize seed 42; 4 p0 PGather kind FOOD amount 5 skill 4 luck 8 (+1);
      6 p1 PGather kind WOOD amount 3 skill 5 (+1);
""", self.well("tree", STORM))

    def test_F71_what_a_reader_cannot_know_is_shown_though_it_is_a_consequence(self):
        save = random_game("duel", self.path("duel.kifu"), 3, 40)
        text = self.well("tree", save)
        drawn = [each for each in json.loads(self.well("events", "--json", save)) if each["type"] == "duel.EDraw"]
        self.assertTrue(any(each["cause"] >= 0 for each in drawn))
        for each in drawn:
            self.assertRegex(text, rf"[ ;] {each['number']} EDraw player {each['fields']['player']}\b")

    def test_F71_defaults_flags_that_are_not_set_and_NONE_are_left_out(self):
        save = random_game("chess", self.path("chess.kifu"), 3, 60)
        self.assertIn('"promotion": "NONE"', self.well("events", "--json", save))
        text = self.well("tree", save)
        self.assertNotIn("NONE", text)
        self.assertRegex(text, r"\d+ p[01] PMove from \d+ to \d+[;\n]")

    def test_F71_a_type_keeps_its_namespace_if_another_one_is_called_so(self):
        game = self.storm()
        schema = base64.b64decode(game["schema"])
        self.assertIn(b"camp.EStorm\0", schema)
        other = base64.b64encode(schema.replace(b"camp.EStorm\0", b"camp2.PFind\0")).decode()
        text = json.dumps(game).replace(game["schema"], other).replace("camp.EStorm", "camp2.PFind")
        self.assertIn("9 camp2.PFind strength 2;", self.well("tree", self.save_of(text, "other.kifu")))

    def test_K02_notes_stand_below_their_events(self):
        shown = self.well("tree", self.save)
        self.assertIn('before the first event: "A random game & its lines"', shown.splitlines()[0])
        for line in range(6):
            events = json.loads(self.well("events", "--json", "--undone", "--line", str(line), self.save))
            self.assertEqual([each["number"] for each in events], list(range(len(events))))
            for each in events:
                comment = each["notes"].get("comment")
                if comment:
                    said = rf"  {each['number']} {each['type']}: .*{re.escape(json.dumps(comment, ensure_ascii=False))}"
                    self.assertRegex(shown, said)
            listed = self.well("events", "--line", str(line), self.save)
            noted = sum(bool(each["notes"]) for each in events)
            self.assertEqual(len(listed.splitlines()), 2 + len(events) + noted)

    def test_K02_one_line_and_what_follows_it(self):
        rows = self.well("tree", "--line", "1", self.save).splitlines()
        shown = json.loads(self.well("tree", "--json", "--line", "1", self.save))
        inside = shown["stretches"]
        follows = {each["stretch"] for each in inside}
        self.assertTrue(all(each["line"] == 1 or each["follows"] in follows for each in inside))
        self.assertEqual(sum(" line " in row for row in rows), len(inside))
        notes = json.loads(self.well("json", self.save))["notes"]
        self.assertEqual(self.tree["notes"], notes)
        places = {(each["line"], each["from"] + i) for each in inside for i in range(each["count"])}
        self.assertEqual(shown.get("notes", []), [each for each in notes if (each["line"], each.get("event")) in places])
        self.assertEqual(self.refused("tree", "--line", "99", self.save),
                         f"kifu: {self.save}: there is no line 99; `kifu tree` shows the lines\n")

    def test_F71_moves_go_on_in_the_next_row_where_the_terminal_ends(self):
        rows = [re.sub("\x1b\\[[0-9;]*m", "", row) for row in on_terminal("tree", self.save).splitlines()]
        for row in rows:
            self.assertLessEqual(len(row), 80, row)
        moves = [re.sub(r"^[| ]+", "", row) for row in rows if re.match(r"[| ]*    \d+ ", row)]
        self.assertGreater(len(moves), len(self.tree["stretches"]))
        piped = [re.sub(r"^[| ]+", "", row) for row in self.well("tree", self.save).splitlines()
                 if re.match(r"[| ]*    \d+ ", row)]
        self.assertEqual(" ".join(moves), " ".join(piped))
        self.assertLess(len(piped), len(moves))
        self.assertTrue(any(len(row) > 80 for row in self.well("tree", self.save).splitlines()))

    def test_K01_info_counts_lines_and_notes(self):
        (told,) = json.loads(self.well("info", "--json", self.save))
        self.assertEqual(told["lines"], 6)
        self.assertGreater(told["notes"], 1)
        self.assertIn("6, and line %d is the current one" % self.tree["current"], self.well("info", self.save))

    def test_K08_the_state_of_any_line(self):
        for line in range(6):
            count = len(json.loads(self.well("events", "--json", "--undone", "--line", str(line), self.save)))
            state_at("reversi", self.save, count, line)

    def test_B06_lines_and_notes_go_there_and_back(self):
        text = self.well("json", self.save)
        again = self.save_of(text, "again.kifu")
        self.assertEqual(self.well("json", again), text)
        self.assertEqual(json.loads(self.well("tree", "--json", again)), self.tree)
        self.assertEqual(kifu("verify", again, program=REVERSI_TOOL).status, 0)

    def test_K08_verify_names_line_and_event_of_a_line_that_is_not_sound(self):
        def replace(line):
            fields = line["events"][1]["fields"]
            fields["square"] = 5 if fields["square"] != 5 else 6

        for number in range(1, 6):
            for change in replace, lambda line: line.update(tip_hash="5"):
                game = json.loads(self.well("json", self.save))
                line, events = game["lines"][number], game["lines"][number]["events"]
                change(line)
                bad = self.save_of(game, "bad.kifu")
                result = kifu("verify", bad, program=REVERSI_TOOL)
                self.assertEqual(result.status, 1)
                (first, last, id), = re.findall(r"one of the events (\d+) to (\d+) of line (\d+) .*another state", result.out)
                self.assertEqual((int(id), int(last)), (line["line"], events[-1]["number"]))
                self.assertLessEqual(int(first), events[0]["number"] + 1)
                self.assertEqual(self.well("verify", bad), "1 save is valid\n")  # It has no rules.

    def test_B06_lines_that_do_not_fit_together_are_refused(self):
        game = json.loads(self.well("json", self.save))

        def bare(line):
            for name in ("events", "undone", "hashes", "tip_hash", "fingerprint", "rules_version"):
                line.pop(name, None)
            return line

        def beside(lines):
            """A line begins with its parent, which is not the first one."""
            parents = {each["line"]: each for each in lines}
            line = next(each for each in lines[1:] if each["parent"] != 0 and each["at"] == each["from"])
            bare(line).update({name: parents[line["parent"]]["from"] for name in ("from", "at", "left")})

        def alone(line):
            """A second line that is its own parent."""
            line.update({"parent": line["line"], "from": 0, "at": 0, "left": 0})

        changes = (
            ("branch off", lambda game: game["lines"][1].update(parent=99)),
            ("is there twice", lambda game: game["lines"].append(game["lines"][-1])),
            ("is not there", lambda game: [each.update(line=9 + each["line"]) for each in game["lines"][2:]]),
            ("begins where its parent has no event", lambda game: beside(game["lines"])),
            ("an array", lambda game: game.update(lines=[])),
            ("from", lambda game: game["lines"][-1].pop("from")),
            ("is not where the next one begins", lambda game: game["lines"][1].update(at=1)),
            ("this is event number ", lambda game: game["lines"][1]["events"][0].update(number=1)),
            ('no array "events"', lambda game: game.pop("events")),
            ('no array "events"', lambda game: game.update(events={"0": game["events"][0]})),
            ('no array "events"', lambda game: game["lines"][1].update(events={"0": game["lines"][1]["events"][0]})),
            ("branches off from no line", lambda game: alone(bare(game["lines"][-1]))),
            ("from which the current one branches off", lambda game: bare(game["lines"][1]).update(at=1)),
            ("a line has no field 'colour'", lambda game: game["lines"][1].update(colour="red")),
            (": there is no line 9 with an event 9", lambda game: game["notes"].append({"line": 9, "event": 9, "key": "a", "text": ""})),
            ("either", lambda game: game["notes"].append({"key": "comment"})),
        )
        for number, (words, change) in enumerate(changes):
            wrong = json.loads(json.dumps(game))
            change(wrong)
            path = self.path(f"wrong{number}.json")
            path.write_text(json.dumps(wrong))
            said = self.refused("json", path, "-o", self.path("never.kifu"))
            self.assertRegex(said, r"line \d+, column \d+|lines", said)
            self.assertIn(words, said)
            self.assertFalse(self.path("never.kifu").exists())

    def test_K02_a_game_of_one_line(self):
        self.assertRegex(self.well("tree", STORM), r"^\* +0-11  line 0 +now after 10  12 events\n")


class Forgotten(Command):
    """A game that begins from a state."""

    SAVE = SAVES / "trees" / "forgotten.kifu"

    def test_K02_its_events_and_lines_are_shown(self):
        rows = self.well("events", self.SAVE).splitlines()
        self.assertTrue(any(re.match(r" +8 +\d+ \*", row) for row in rows), rows)
        self.assertFalse(any(re.match(r" +[0-7] +\d+ ", row) for row in rows), rows)
        self.assertRegex(self.well("tree", self.SAVE), r"(?m)^[o*] +8-\d+ +line ")
        self.assertIn("lines      5", self.well("info", self.SAVE))
        self.well("state", self.SAVE)
        self.well("verify", self.SAVE)

    def test_K02_a_note_before_the_first_event_is_shown_though_line_0_is_gone(self):
        game = json.loads(self.well("json", self.SAVE))
        game["lines"] = [{**game["lines"][0], "parent": 4, "main": True}]  # Line 4, the current one, is left.
        game["notes"] = [each for each in game["notes"] if each["line"] == 4 or "event" not in each]
        save = self.save_of(game, "noted.kifu")
        shown = json.loads(self.well("tree", "--json", save))
        self.assertEqual([each["line"] for each in shown["stretches"]], [4])
        self.assertEqual(shown["notes"], game["notes"])
        self.assertIn('before the first event: place "In the woods"', self.well("tree", save).splitlines()[0])

    def test_K06_it_becomes_other_saves_that_are_equal(self):
        for words in (("pack", self.SAVE), ("recover", self.SAVE)):
            self.assertEqual(kifu(*words, "-o", self.path("other.kifu")).status, 0)
            self.well("diff", self.SAVE, self.path("other.kifu"))
            self.assertEqual(self.well("tree", self.SAVE), self.well("tree", self.path("other.kifu")))

    def test_K04_a_game_that_ends_before_it_begins_is_not_compared(self):
        game = json.loads(self.well("json", SAVES / "trees" / "plain.kifu"))
        for name in ("hashes", "hash", "state", "executed", "undone", "lines", "notes", "inputs"):
            game.pop(name, None)
        del game["events"][5:]
        short = self.save_of(game, "short.kifu")
        said = ("the first game has 10 events, of which the first 8 are forgotten; the second game has 5 events: "
                "nothing could be compared, because no event is in both")
        result = kifu("diff", self.SAVE, short)
        self.assertEqual((result.status, result.out.splitlines()[0]), (1, said), result.error)
        found = json.loads(kifu("diff", "--json", self.SAVE, short).out)
        self.assertEqual((found["differ"], found["message"], "event" in found), ("missing", said, False))

    def test_K03_a_page_has_no_place_for_it(self):
        said = self.refused("html", self.SAVE, "-o", self.path("none"))
        self.assertIn("has forgotten its first 8 events", said)
        self.assertFalse(self.path("none").exists())

    def test_B06_it_goes_to_json_and_back(self):
        text, save = self.path("game.json"), self.path("game.kifu")
        self.well("json", self.SAVE, "-o", text)
        self.well("json", text, "-o", save)
        self.well("diff", self.SAVE, save)
        self.assertEqual(self.well("json", save), text.read_text())
        self.assertIn("of which the first 8 are forgotten", self.well("info", save))

    def test_B06_a_root_that_cannot_be_is_refused(self):
        game = json.loads(self.well("json", self.SAVE))
        root = game["root"]
        for wrong, words in (
            ({"state": root["state"]}, 'there is no "events"'),
            ({"events": 8}, 'there is no "state"'),
            ({**root, "events": 0}, "a whole number from 1 to"),
            ({**root, "events": 7}, "line 0 does not begin where the game begins"),
            ({**root, "state": {**root["state"], "food": "none"}}, "a whole number"),
            ({**root, "timed": 1}, '"timed" is an array'),
            ({**root, "timed": [{"type": "camp.EEat"}]}, 'there is no "number"'),
            ({**root, "timed": [{"number": 8, "type": "camp.EEat"}]}, "a whole number from 0 to 7"),
            ({**root, "timed": [{"number": 3, "type": "camp.EEat", "fields": {}}]}, "no timer can refer to this event"),
        ):
            self.path("wrong.json").write_text(json.dumps({**game, "root": wrong}))
            self.assertIn(words, self.refused("json", self.path("wrong.json"), "-o", self.path("none")), wrong)


if __name__ == "__main__":
    unittest.main()
