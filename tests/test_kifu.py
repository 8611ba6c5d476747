"""The command kifu on one save: what it says of it, its events, its words, options and help."""

import json
import os
import re
import shutil
import subprocess
import unittest

from kifu_help import Command, KIFU, OLD_REVERSI, SAVES, STORM, TOOL, kifu, on_terminal
from page_help import EXAMPLES, built, random_game


class Info(Command):
    def test_K01_info_says_what_a_save_is(self):
        out = self.well("info", STORM, OLD_REVERSI)
        for words in ("storm.kifu: a game of camp\n", "title      storm\n", "players    Ann, Bob\n",
                      "saved      2023-11-14 22:13:20 UTC\n", "events     10, and 2 undone\n",
                      "file       5752 bytes, plain, format 1.0\n", "a game of reversi\n", "state      in the file, 232 bytes"):
            self.assertIn(words, out)

    def test_K01_info_for_programs(self):
        one, other = json.loads(self.well("info", "--json", STORM, OLD_REVERSI))
        self.assertEqual((one["game"], one["events"], one["undone"], one["players"]), ("camp", 10, 2, ["Ann", "Bob"]))
        self.assertEqual((other["has_state"], other["kind"], other["fingerprint"]), (True, "plain", str(0x53c9c0c9991b2fe9)))

    def test_K01_of_what_is_not_there_nothing_is_known(self):
        [it] = json.loads(kifu("info", "--json", self.path("nothing")).out)
        self.assertIn("No such file", it["problem"])
        self.assertNotIn("kind", it)

    def test_K01_standard_input(self):
        self.assertIn("standard input: a game of camp", self.well("info", "-", stdin=STORM.read_bytes()))

    def test_K01_what_is_no_save_is_refused_in_words(self):
        self.path("empty").write_bytes(b"")
        self.path("text").write_bytes(b"hello, this is no save at all")
        self.path("other.json").write_text('{"name": "something else"}')
        self.path("newer").write_bytes(STORM.read_bytes()[:8] + b"\x63\0\0\0" + STORM.read_bytes()[12:])
        for name, words in (("empty", "not a Kifu save"), ("text", "not a Kifu save"),
                            ("other.json", 'the member "kifu" is not there'), ("newer", "newer"),
                            ("nothing", "No such file")):
            self.assertIn(words, self.refused("info", self.path(name)), name)
        self.assertIn("folder", self.refused("info", self.folder))

    def test_K01_of_a_damaged_save_what_its_header_says(self):
        data = bytearray(OLD_REVERSI.read_bytes())
        data[-100] ^= 1
        self.path("damaged.kifu").write_bytes(data)
        result = kifu("info", self.path("damaged.kifu"))
        self.assertEqual(result.status, 1)
        self.assertIn("a game of reversi", result.out)
        self.assertIn("problem", result.out)
        self.assertIn("checksum", result.out)

    def test_K01_a_packed_save_without_its_codec_and_one_without_its_schema(self):
        for path, words in ((SAVES / "v3" / "packed.kifu", "packed by the codec 'runs'"),
                            (SAVES / "v3" / "waiting.kifu", "--schema FILE.bfbs")):
            result = kifu("info", path)
            self.assertEqual(result.status, 1)
            self.assertIn("a game of camp", result.out)
            self.assertIn("as the header says", result.out)
            self.assertIn(words, result.out)
            self.assertIn(words, self.refused("events", path))

    def test_K09_nothing_from_a_file_reaches_the_terminal_unescaped(self):
        game = self.storm()
        game["title"] = "\x1b[31mred\x07\x9b1m"
        game["players"] = ["\x1b]0;owned\x07"]
        game["events"][8]["fields"]["place"] = "\x1b[2J"
        path = self.save_of(game, "hostile.kifu")
        for words in (("info", path), ("events", path), ("info", "--json", path), ("events", "--json", path),
                      ("json", path)):
            self.assertNotRegex(self.well(*words), "[\x00-\x09\x0b-\x1f\x7f\x80-\x9f]")
        game["union"] = "\x1b[31mcamp.Event"
        path = self.path("other.json")
        path.write_text(json.dumps(game))
        self.assertNotIn("\x1b", kifu("info", path).out)
        self.assertNotIn("\x1b", self.refused("events", path))

    def test_F94_nothing_from_a_file_changes_the_direction_of_text_or_ends_a_line(self):
        signs = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\x85"
        shown = "\u200d\u2010\u2027\u202f\u2065\u206a\u061b\u061d\u20ac\U0001f600"  # their neighbours are as they were
        game = self.storm()
        game["title"] = "of " + signs + shown
        game["players"] = ["Ann" + signs, "Bob"]
        game["events"][8]["fields"]["place"] = signs + shown
        game["notes"] = [{"line": 0, "event": 8, "key": "comment", "text": signs}]
        path = self.save_of(game, signs + ".kifu")
        game["events"][8]["fields"]["place"] = "elsewhere"
        game["notes"][0]["text"] += "."
        other = self.save_of(game, "other.kifu")
        escapes = "".join("\\u%04x" % ord(each) for each in signs)
        said = {words: self.well(*words, path) for words in (
            ("info",), ("info", "--json"), ("events",), ("events", "--json"), ("tree",), ("tree", "--json"), ("json",))}
        differ = [kifu("diff", path, other), kifu("diff", "--json", path, other)]
        for out in [*said.values(), *(each.out for each in differ)]:
            self.assertNotRegex(out, "[%s]" % signs)
            self.assertIn(escapes, out)
        self.assertEqual([1, 1], [each.status for each in differ])
        self.assertIn("of " + escapes + shown, said["info",])
        self.assertEqual("of " + signs + shown, json.loads(said["json",])["title"])
        self.assertNotRegex(self.refused("info", self.path("not" + signs)), "[%s]" % signs)


class Events(Command):
    def rows(self, *words):
        return self.well("events", *words).splitlines()[1:]

    def test_K02_a_table_of_events(self):
        lines = self.rows(STORM)
        self.assertEqual(len(lines), 10)
        self.assertRegex(lines[0], r"^ +0 \* +! +- +- kifu.EResetGame *$")
        self.assertRegex(lines[4], r"^ +4 \* +0 +- camp.PGather +kind FOOD, amount 5, skill 4, luck 8$")
        self.assertRegex(lines[5], r'^ +5 \| +- +4 camp.EEat +amount 1, who "all"$')

    def test_K02_some_of_them(self):
        def numbers(*words):
            return [int(line.split()[0]) for line in self.rows(STORM, *words)]

        self.assertEqual(numbers("--from", "3", "--to", "5"), [3, 4, 5])
        self.assertEqual(numbers("--player", "1"), [6])
        self.assertEqual(numbers("--type", "PGather"), numbers("--type=camp.PGather"))
        self.assertEqual(numbers("--type", "PGather"), [4, 6])
        self.assertIn("the game camp has no event type 'Gather'", self.refused("events", STORM, "--type", "Gather"))
        self.assertEqual(numbers("--undone", "--from", "9"), [9, 10, 11])
        self.assertEqual(numbers("--player", "-1", "--to", "1"), [0, 1])

    def test_K02_for_programs(self):
        events = json.loads(self.well("events", "--json", STORM, "--player", "0"))
        self.assertEqual([each["type"] for each in events], ["camp.PGather", "camp.PFind"])
        self.assertEqual(json.loads(self.well("events", "--json", STORM, "--player", "9")), [])


@unittest.skipUnless(built(), "an example was not built")
class Columns(Command):
    """Events for programs that make columns of them."""

    KEYS = ["number", "line", "type", "player", "cause", "flags", "undone", "rules_version", "fields", "notes"]

    def types_in(self, value, place, types):
        """Notes which type each place has, the elements of lists together."""
        types.setdefault(place, set()).add(type(value).__name__)
        if isinstance(value, list):
            for each in value:
                self.types_in(each, place + "[]", types)
        elif isinstance(value, dict):
            for name, each in value.items():
                self.types_in(each, f"{place}.{name}", types)

    def test_F73_each_key_is_always_there_and_of_one_type_in_random_games_of_all_examples(self):
        types, flags = {}, set()
        for game in EXAMPLES:
            for seed in range(1, 5):
                save = random_game(game, self.path("game.kifu"), seed, 60, seed % 3)
                for row in self.well("events", "--json-lines", "--undone", save).splitlines():
                    event = json.loads(row)
                    self.assertEqual(list(event), self.KEYS)
                    flags.add(event["flags"])
                    for key in self.KEYS[:-2]:
                        self.types_in(event[key], key, types)
                    self.types_in(event["fields"], event["type"], types)
        self.assertEqual({place: found for place, found in types.items() if len(found) > 1}, {})
        self.assertEqual([*types["player"], *types["cause"], *types["flags"], *types["undone"]], ["int", "int", "str", "bool"])
        self.assertEqual(types["kifu.EInitialize.seed"], {"str"})
        self.assertIn("", flags)
        self.assertIn("UNDOABLE CONTINUE_UNDO", flags)

    def test_F73_a_line_for_each_event_says_what_the_array_says(self):
        save = random_game("reversi", self.path("game.kifu"), 2, 30, 2)
        for words in ((), ("--player", "0"), ("--undone", "--line", "1")):
            rows = self.well("events", "--json-lines", save, *words).splitlines()
            self.assertEqual([json.loads(row) for row in rows], json.loads(self.well("events", "--json", save, *words)))
        self.assertEqual(self.well("events", "--json-lines", STORM, "--player", "9"), "")
        self.assertIn("has no option --json-lines", self.refused("tree", "--json-lines", STORM))

    def test_F73_what_was_undone_is_said(self):
        undone = [each["undone"] for each in json.loads(self.well("events", "--json", "--undone", STORM))]
        self.assertEqual(undone, 10 * [False] + 2 * [True])

    def test_F73_whole_floats_and_values_without_a_name_keep_their_type(self):
        text = self.well("events", "--json", STORM)
        self.assertIn('"weight": 2.0', text)
        self.assertIn('"weight": 0.25', text)
        self.assertIn("weight 2}", self.well("events", STORM))

    def test_F73_colours_are_written_as_the_schema_writes_them_for_people(self):
        self.assertRegex(self.well("events", OLD_REVERSI), r"position 0, color 0x202020\n")
        self.assertIn("{color 0x202020, position 0}", self.well("state", OLD_REVERSI))
        self.assertIn('"color": 2105376', self.well("events", "--json", OLD_REVERSI))

    def test_F73_JSON_of_before_is_read(self):
        """Flags and values without a name as numbers, whole floats without a point."""
        text = self.well("json", STORM)
        old = text.replace('"flags": ""', '"flags": 0').replace('"weight": 2.0', '"weight": 2')
        self.assertNotEqual(old, text)
        self.assertEqual(self.well("json", self.save_of(old, "old.kifu")), text)


class Lines(Command):
    def test_K09_mistakes_in_the_command(self):
        for words, said in (
            (("frobnicate",), "there is no command `frobnicate`"),
            (("info",), "usage: kifu info"),
            (("diff", STORM), "usage: kifu diff"),
            (("info", "--from", "3", STORM), "info has no option --from"),
            (("events", "--from", "x", STORM), "--from takes a number from 0"),
            (("events", "--from"), "--from takes a N"),
            (("events", "--json=1", STORM), "--json takes no value"),
            (("pack", "--level", "20", STORM), "--level takes a number from 0 to 19"),
            (("bisect", STORM), "only the game's own program has it"),
            (("state", "--at", "3", STORM), "only the game's own program has it"),
            (("events", "--memory", "1", STORM), "--memory"),
            (("help", "frobnicate"), "there is no command"),
        ):
            self.assertIn(said, self.refused(*words))
        self.assertEqual(kifu().status, 2)
        self.assertIn("usage", kifu().error)

    def test_K09_help_and_version(self):
        self.assertIn("usage: kifu COMMAND", self.well("help"))
        self.assertEqual(self.well("help"), self.well("--help"))
        self.assertIn("--type NAME", self.well("help", "events"))
        self.assertEqual(self.well("help", "events"), self.well("events", "--help"))
        self.assertRegex(self.well("--version"), r"^kifu \d+\.\d+\.\d+\n$")

    def test_K09_colours_on_a_terminal_only(self):
        self.assertIn("\x1b[1m", on_terminal("events", str(STORM)))
        self.assertNotIn("\x1b", self.well("events", STORM))

    def test_K09_a_full_disk_is_noticed(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        for words in (("json", STORM), ("events", STORM), ("info", STORM), ("help",)):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([KIFU, *words], stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(b"disk full", done.stderr)

    def test_K09_the_manual_and_the_completions_know_every_command_and_option(self):
        commands = re.findall(r"(?m)^  (\w[\w-]*) +[A-Z]", self.well("help"))
        self.assertGreater(len(commands), 8)
        manual = (TOOL / "kifu.1").read_text().replace("\\-", "-")
        for name in ("kifu.bash", "_kifu", "kifu.fish", None):
            text = (TOOL / "completion" / name).read_text() if name else manual
            for command in commands:
                self.assertRegex(text, rf"\b{command}\b", (name, command))
                for option in re.findall(r"--[a-z-]+", self.well("help", command)):
                    wanted = rf"-l {option[2:]}\b" if name == "kifu.fish" else rf"{option}\b"
                    self.assertRegex(text, wanted, (name, command))

    def test_K09_bash_completes(self):
        script = f"""source {TOOL}/completion/kifu.bash
COMP_WORDS=(kifu ev) COMP_CWORD=1; _kifu; echo "${{COMPREPLY[*]}}"
COMP_WORDS=(kifu events --pl) COMP_CWORD=2; _kifu; echo "${{COMPREPLY[*]}}"
COMP_WORDS=(kifu info {SAVES}/v3/st) COMP_CWORD=2; _kifu; echo "${{COMPREPLY[*]}}" """
        printed = subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")
        self.assertEqual(printed[:2], ["events", "--player"])
        self.assertIn("storm.kifu", printed[2])

    def test_K09_the_manual_is_well_formed(self):
        if not shutil.which("man"):
            self.skipTest("there is no man")
        done = subprocess.run(["man", "--warnings", "-l", TOOL / "kifu.1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "MANWIDTH": "80"}, check=True)
        self.assertEqual(done.stderr, b"")
        self.assertIn(b"EXIT STATUS", done.stdout)

    def test_K09_hostile_files_never_crash_it(self):
        """Every 97th byte of a save and of its JSON changed, one at a time."""
        for data, name, words in ((STORM.read_bytes(), "x.kifu", ("events",)),
                                  (self.well("json", STORM).encode(), "x.json", ("info",))):
            for at in range(0, len(data), 97):
                changed = bytearray(data)
                changed[at] ^= 1 << at % 8
                self.path(name).write_bytes(changed)
                self.assertIn(kifu(*words, self.path(name)).status, (0, 1, 2), at)


if __name__ == "__main__":
    unittest.main()
