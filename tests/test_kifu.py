"""The command kifu, as people and programs call it: output, exit statuses, damaged and hostile files."""

import base64
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

import test_terminal
from page_help import EXAMPLES, built, random_game, state_at

SOURCE = Path(os.environ["KIFU_SOURCE_DIR"])
BUILD = Path(os.environ["KIFU_BINARY_DIR"])
KIFU = BUILD / "runtime" / "tool" / "kifu"
TOOL = SOURCE / "runtime" / "tool"
SAVES = SOURCE / "tests" / "compat"
STORM = SAVES / "v3" / "storm.kifu"
OLD_REVERSI = SOURCE / "examples" / "reversi" / "v1" / "game.kifu"
REVERSI = BUILD / "examples" / "reversi" / "reversi"
REVERSI_TOOL = (REVERSI, "tool")


class Result:
    def __init__(self, status, out, error):
        self.status, self.out, self.error = status, out, error


def kifu(*words, stdin=b"", program=(KIFU,), **options):
    done = subprocess.run(
        [*program, *words], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False, **options
    )
    return Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def on_terminal(*words, interrupted_at=None):
    """What the command prints on a terminal, both outputs. Ctrl-C comes as soon as it has printed `interrupted_at`."""
    try:
        main, side = pty.openpty()
    except OSError as error:  # as in some containers
        raise unittest.SkipTest("no pseudo-terminal: %s; mount devpts at /dev/pts" % error) from None
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen([KIFU, *words], stdin=side, stdout=side, stderr=side, env=environment) as process:
        os.close(side)
        printed = b""
        try:
            while piece := os.read(main, 4096):
                printed += piece
                if interrupted_at and interrupted_at in printed:
                    process.send_signal(signal.SIGINT)
                    interrupted_at = None
        except OSError:
            pass
        process.wait()
    os.close(main)
    return Terminal(printed.decode("utf-8"), process.returncode)


class Terminal(str):
    """What was printed, and the exit status."""

    def __new__(cls, printed, status):
        self = super().__new__(cls, printed)
        self.status = status
        return self


@unittest.skipUnless(KIFU.exists(), "the command was not built: cJSON is missing")
class Command(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="kifu-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def well(self, *words, **options):
        result = kifu(*words, **options)
        self.assertEqual((result.status, result.error), (0, ""), result.out)
        return result.out

    def refused(self, *words, status=2, **options):
        """What it says on standard error."""
        result = kifu(*words, **options)
        self.assertEqual(result.status, status, result.out + result.error)
        self.assertTrue(result.error.startswith("kifu: "), result.error)
        return result.error

    def path(self, name):
        return self.folder / name

    def save_of(self, game, name):
        """A save of JSON, as an object or as text."""
        text = game if isinstance(game, str) else json.dumps(game)
        self.path(name + ".json").write_text(text, encoding="utf-8")
        self.well("json", self.path(name + ".json"), "-o", self.path(name))
        return self.path(name)

    def storm(self):
        return json.loads(self.well("json", STORM))


class Info(Command):
    def test_K01_info_says_what_a_save_is(self):
        out = self.well("info", STORM, OLD_REVERSI)
        for words in ("storm.kifu: a game of camp\n", "title      storm\n", "players    Ann, Bob\n",
                      "saved      2023-11-14 22:13:20 UTC\n", "events     10, and 2 undone\n",
                      "file       5752 bytes, plain, format 5\n", "a game of reversi\n", "state      in the file, 232 bytes"):
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
                self.assertEqual(self.well("verify", bad), "1 save, 0 not sound\n")  # It has no rules.

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
        self.assertEqual((verified.status, verified.out), (0, "1 save, 0 not sound\n"))
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
        frames, at = [], 16
        while at < len(data):
            frames.append(at)
            at += 16 + (int.from_bytes(data[at:at + 4], "little") + 7) // 8 * 8
        middle = frames[1] + 40  # in the events
        flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1:]
        for what in (flipped, data[:-300], data[:-3], data[:frames[-1]], data[:frames[-2]]):
            self.path("a.kifu").write_bytes(what)
            result = kifu("info", self.path("a.kifu"))
            self.assertEqual(result.status, 1)
            self.assertIn("bytes, plain, format 5\n", result.out)
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
            self.assertIn("`kifu recover` saves what is whole", said)

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
            (lambda game: game.update(schema="AAAA"), "no .bfbs"),
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
        self.assertEqual(last, "4 saves, 2 not sound")
        self.assertEqual([line.split(":")[0].rpartition("/")[2] for line in lines], ["flipped.kifu", "cut.kifu"])
        found = json.loads(kifu("verify", "--json", self.folder).out)
        self.assertEqual(len(found), 2)
        self.assertEqual(kifu("verify", "-q", self.path("good.kifu")).out, "")
        self.assertEqual(self.well("verify", self.path("good.kifu")), "1 save, 0 not sound\n")
        result = kifu("verify", inner, self.path("nosuch"), self.path("good.kifu"))  # All that is there is looked at.
        self.assertEqual(result.status, 2)
        self.assertIn("nosuch: there is no such file or folder", result.error)
        self.assertEqual(result.out.splitlines()[-1], "3 saves, 1 not sound")
        self.assertEqual(kifu("verify", self.path("nosuch")).out, "")

    def test_K05_without_schema_or_codec_the_checksums_count(self):
        result = kifu("verify", SAVES / "v1", SAVES / "v2", SAVES / "v4")
        self.assertEqual(result.status, 0, result.error)
        self.assertRegex(result.out, r"^\d+ saves, 0 not sound, \d+ verified by checksums only")
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
        self.assertNotIn("not sound", printed)
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
        self.assertEqual(self.well("verify", self.path("new.kifu")), "1 save, 0 not sound\n")
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

    def test_K06_pack_and_unpack(self):
        self.well("pack", OLD_REVERSI, "-o", self.path("packed.kifu"))
        self.assertLess(self.path("packed.kifu").stat().st_size, OLD_REVERSI.stat().st_size)
        self.assertRegex(self.well("info", self.path("packed.kifu")), r"packed by zstd, format 5\n")
        self.well("diff", OLD_REVERSI, self.path("packed.kifu"))
        self.assertEqual(self.well("json", OLD_REVERSI), self.well("json", self.path("packed.kifu")))
        shutil.copy(self.path("packed.kifu"), self.path("plain.kifu"))
        self.well("unpack", "--in-place", self.path("plain.kifu"))
        self.assertIn("plain, format 5", self.well("info", self.path("plain.kifu")))
        self.assertEqual(self.well("json", OLD_REVERSI), self.well("json", self.path("plain.kifu")))
        self.well("pack", OLD_REVERSI, "--level", "19", "-o", self.path("smaller.kifu"))
        self.assertLessEqual(self.path("smaller.kifu").stat().st_size, self.path("packed.kifu").stat().st_size)

    def test_M06_pack_without_a_compressor(self):
        self.well("pack", OLD_REVERSI, "--level", "0", "-o", self.path("compact.kifu"))
        self.assertLess(self.path("compact.kifu").stat().st_size, OLD_REVERSI.stat().st_size)
        self.assertIn("compact, format 5\n", self.well("info", self.path("compact.kifu")))
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
            terminal = test_terminal.Terminal(REVERSI, "--two", played)
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
        self.assertIn("3 saves, 2 changed", out)
        self.assertEqual(self.tool("check-saves", saves / "a.kifu"), "1 save, 0 changed\n")
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
        self.assertEqual(self.well("verify", bad), "1 save, 0 not sound\n")
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
                         "1 save, 0 changed, 1 without a state or hash to compare with\n")

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


del Command  # Its own tests are those of the others.

if __name__ == "__main__":
    unittest.main()
