"""The page of `kifu html`, without a browser: what is in it, what is not, and what the command says."""

import base64
import hashlib
import json
import os
import pty
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

from page_help import (BUILD, EXAMPLES, KIFU, SOURCE, STORM, Page, built, hostile_game, many_events, output,
                       program, random_game, run, state_at)

SVG = "{http://www.w3.org/2000/svg}"
KINDS = ("PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN", "KING")
OLD_REVERSI = SOURCE / "examples" / "reversi" / "v1" / "game.kifu"
HIDDEN = "the page shows all that the game knows, hidden hands included\n"


@unittest.skipUnless(built(), "the command or an example was not built")
class Html(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="kifu-page-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def page(self, path, *words, game=None, status=0):
        """A page to standard output, and what the command said."""
        done = run(*(program(game) if game else [KIFU]), "html", path, *words)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return Page(done.stdout.decode("utf-8")), done.stderr.decode("utf-8")

    def save_of(self, game, name):
        path = self.folder / name
        text = game if isinstance(game, str) else json.dumps(game)
        (self.folder / "game.json").write_text(text, encoding="utf-8")
        output(KIFU, "json", self.folder / "game.json", "-o", path)
        return path

    # --- What is in it -----------------------------------------------------------------------------------------------

    def test_K07_the_events_are_those_of_the_game(self):
        names = ["UNDOABLE", "CONTINUE_UNDO", "CONSEQUENCE", "RANDOM", "REVEALS", "UNLESS_RANDOM"]
        for path in (STORM, random_game("duel", self.folder / "duel.kifu", 5, 200)):
            expected = json.loads(output(KIFU, "json", path))
            page, _ = self.page(path)
            found = page.game
            self.assertEqual(len(found["events"]), len(expected["events"]))
            for number, (event, wanted) in enumerate(zip(found["events"], expected["events"])):
                kind, flags, player, back, *fields = event
                self.assertEqual(found["types"][kind], wanted["type"])
                flags = " ".join(name for bit, name in enumerate(names) if flags >> bit & 1)
                self.assertEqual(flags, wanted["flags"])
                self.assertEqual(player, wanted.get("player", -1))
                self.assertEqual(number - back if back else None, wanted.get("cause"))
                self.assertEqual(fields, [wanted["fields"]] if "fields" in wanted else [])
            for name in ("game", "title", "players", "saved_at"):
                self.assertEqual(found.get(name), expected.get(name))
            self.assertEqual(found["executed"], expected.get("executed", len(expected["events"])))
            self.assertEqual(page.title, expected["title"])

    def test_K07_states_replayed_from_changes_are_those_of_the_game(self):
        for number, game in enumerate(EXAMPLES * 2):
            path = random_game(game, self.folder / "game.kifu", 11 + number, 150)
            page, said = self.page(path, game=game)
            self.assertIn("the state after each", said)
            states = dict(page.states.replay())
            count = page.game["executed"]
            self.assertEqual(sorted(states), list(range(count + 1)))
            self.assertEqual(page.states.about, {"shown": count, "executes": True, "capped": False,
                                                 "most": str(32 << 20), "why": ""})
            for at in sorted({0, 1, 2, count // 3, count // 2, count - 1, count}):
                self.assertEqual(states[at], state_at(game, path, at), (game, at))

    def test_K07_without_the_games_program_the_state_at_the_end(self):
        path = random_game("reversi", self.folder / "game.kifu", 3, 100)
        page, said = self.page(path)
        self.assertIn(" events, the state at the end; ", said)
        ((count, state),) = page.states.replay()
        self.assertEqual((count, page.states.about["executes"]), (page.game["executed"], False))
        self.assertEqual(state, json.loads(output(KIFU, "state", path, "--json")))
        less = self.save_of(output(KIFU, "json", "--no-state", path), "less.kifu")
        page, said = self.page(less)
        self.assertIn(" events, no states; ", said)
        self.assertEqual(page.states.structs, [])

    def test_K07_a_save_of_an_older_version_and_one_of_another_game(self):
        page, _ = self.page(OLD_REVERSI, game="reversi")
        self.assertEqual(page.states.about["shown"], 176)
        states = dict(page.states.replay())
        self.assertEqual(states[40], state_at("reversi", OLD_REVERSI, 40))
        page, said = self.page(STORM, game="reversi")
        self.assertEqual((page.game["game"], page.states.about["executes"]), ("camp", False))
        self.assertIn("10 events", said)

    def test_K07_events_that_fail_leave_their_states_out(self):
        game = json.loads(output(KIFU, "json", random_game("nim", self.folder / "game.kifu", 1, 3)))
        for name in ("hash", "hashes", "state"):
            game.pop(name, None)
        player = game["events"][1]
        game["events"] = [game["events"][0]] + [{**player, "number": 1 + i} for i in range(20)]
        page, said = self.page(self.save_of(game, "wrong.kifu"), game="nim")
        self.assertIn("no state after event 0: ", said)
        self.assertIn(page.states.about["why"], said)
        self.assertEqual(len(page.game["events"]), len(game["events"]))

    # --- How much ----------------------------------------------------------------------------------------------------

    def test_K07_the_states_may_be_capped(self):
        path = random_game("duel", self.folder / "game.kifu", 2, 200)
        whole, _ = self.page(path, game="duel")
        page, said = self.page(path, "--states", "6K", game="duel")
        about = page.states.about
        self.assertTrue(0 < about["shown"] < page.game["executed"])
        self.assertTrue(about["capped"])
        self.assertLess(len(page.block("states-data")), 7 << 10)
        self.assertIn(f"the states only of the first {about['shown']}, because --states is 6144 bytes", said)
        self.assertEqual(list(page.states.replay()), list(whole.states.replay())[:about["shown"] + 1])
        for size, capped in (("100", True), ("0", False)):
            page, said = self.page(path, "--states", size, game="duel")
            self.assertEqual((page.states.structs, page.states.about["capped"]), ([], capped))
        self.assertIn("no states", said)
        for size in ("", "-1", "1X", "1KB", "99999999999G", "K"):
            done = run(*program("duel"), "html", path, "--states", size)
            self.assertEqual(done.returncode, 2, size)
            self.assertIn(b"--states takes a number of bytes, as 500K or 32M", done.stderr)

    def test_K07_long_games(self):
        """So long that the load tells how far it is."""
        game = json.loads(output(KIFU, "json", random_game("nim", self.folder / "game.kifu", 4, 200)))
        path = self.save_of(many_events(game, 3000), "long.kifu")
        page, _ = self.page(path, game="nim")
        count = 3000 * len(game["events"])
        self.assertEqual(page.states.about["shown"], count)
        *_, (last, state) = page.states.replay()
        self.assertEqual((last, state), (count, state_at("nim", path, count)))

    # --- How it looks ------------------------------------------------------------------------------------------------

    def drawn(self, text):
        """A picture, which must be well-formed."""
        self.assertTrue(text.startswith("<svg "), text[:40])
        return xml.etree.ElementTree.fromstring(text)

    def test_F70_there_is_a_board_at_every_place_and_it_shows_the_state(self):
        path = random_game("chess", self.folder / "chess.kifu", 3, 300)
        page, said = self.page(path, game="chess")
        self.assertIn("the state after each, all drawn; ", said)
        states, drawings = dict(page.states.replay()), dict(page.drawings.replay())
        self.assertEqual(list(drawings), list(states))
        pieces = ["NONE", *("WHITE_" + each for each in KINDS), "", "", *("BLACK_" + each for each in KINDS)]
        for count, text in drawings.items():
            board = ["NONE"] * 64
            for use in self.drawn(text).iter(SVG + "use"):
                column, row = (int(use.get("x")) - 24) // 40, (int(use.get("y")) - 8) // 40
                board[8 * (7 - row) + column] = pieces[int(use.get("href")[2:])]
            self.assertEqual(board, states[count]["position"]["board"], count)

    def test_F70_all_examples_are_drawn_well_formed(self):
        for game in EXAMPLES:
            page, _ = self.page(random_game(game, self.folder / "game.kifu", 31, 150), game=game)
            drawings = dict(page.drawings.replay())
            self.assertEqual(list(drawings), list(range(page.game["executed"] + 1)), game)
            pictures = [text for text in drawings.values() if text.startswith("<svg")]
            self.assertEqual(len(pictures) > 0, game not in ("nim", "dungeon"), game)
            for text in pictures:
                self.drawn(text)
            self.assertGreater(len(set(drawings.values())), 5, game)

    def test_F70_every_line_is_drawn(self):
        for game in ("reversi", "duel"):
            path = random_game(game, self.folder / "lines.kifu", 7, 60, 12)
            page, _ = self.page(path, game=game)
            found, drawings = page.game, page.drawings
            others = {each[0]: each for each in drawings.about["others"]}
            for number, (_, begin, count, _, parent, *_, flags) in enumerate(found["tree"]):
                if flags & 2 and begin + count <= found["executed"]:
                    self.assertNotIn(number, others)
                elif count:
                    _, begin, _, length = others[number]
                    self.assertEqual(length, found["tree"][number][1] + count - begin)

    def test_F70_the_line_of_the_game_stays_where_it_was(self):
        """The other lines are executed for their states, and then for their drawings."""
        path = random_game("reversi", self.folder / "lines.kifu", 7, 60, 12)
        page, _ = self.page(path, game="reversi")
        current = page.game["line"]
        for count, text in page.drawings.replay():
            board = state_at("reversi", path, count, current)["board"]
            if count in (0, 1, page.game["executed"] // 2, page.game["executed"]):
                discs = [each for each in self.drawn(text).iter(SVG + "circle") if each.get("r") == "16"]
                self.assertEqual(len(discs), 64 - board.count("NONE"))

    def test_F70_a_chess_game_of_200_moves_is_a_page_of_less_than_400_kb(self):
        path = random_game("chess", self.folder / "chess.kifu", 1, 1500)
        done = run(*program("chess"), "html", path, "-o", self.folder / "chess.html")
        self.assertIn(b"all drawn", done.stderr)
        page = Page((self.folder / "chess.html").read_text(encoding="utf-8"))
        moves = sum(page.game["types"][event[0]] == "chess.PMove" for event in page.game["events"])
        self.assertGreater(moves, 400)
        self.assertLess((self.folder / "chess.html").stat().st_size, 400_000)
        self.assertLess(len(page.block("drawings-data")), 150 * moves)

    def test_F70_if_all_are_too_many_the_ends_of_turns_are_drawn(self):
        path = random_game("reversi", self.folder / "game.kifu", 22, 200)
        whole = dict(self.page(path, game="reversi")[0].drawings.replay())
        size = len(self.page(path, game="reversi")[0].block("drawings-data"))
        page, said = self.page(path, "--drawings", str(size * 7 // 8), game="reversi")
        self.assertIn(f", drawn after each turn, because --drawings is {size * 7 // 8} bytes", said)
        self.assertTrue(page.drawings.about["turns"] and not page.drawings.about["capped"])
        self.assertLess(len(page.block("drawings-data")), size * 7 // 8)
        events = page.game["events"]
        for count, text in page.drawings.replay():
            ends = count == 0 or count == len(events) or not events[count][1] & 2
            self.assertEqual(text, whole[count] if ends else None, count)
        page, said = self.page(path, "--drawings", "20K", game="reversi")
        shown = page.drawings.about["shown"]
        self.assertTrue(0 < shown < len(events) and page.drawings.about["capped"])
        self.assertIn(f", the first {shown} drawn, because --drawings is 20480 bytes", said)
        self.assertLess(len(page.block("drawings-data")), 21000)
        for limit in ("0", "100"):
            page, said = self.page(path, "--drawings", limit, game="reversi")
            self.assertEqual(page.drawings.lines, [])
        self.assertNotIn("drawn", self.page(path)[1])
        done = run(KIFU, "html", path, "--drawings", "1K")
        self.assertEqual(done.returncode, 2)

    def test_F70_hostile_players_are_text_in_a_picture(self):
        game = json.loads(output(KIFU, "json", random_game("duel", self.folder / "game.kifu", 9, 60)))
        game["players"] = ["</text><script>window.hacked = 1</script>", "a&b\u2028\x1b\u202e<!--"]
        page, _ = self.page(self.save_of(game, "hostile.kifu"), game="duel")
        self.assertNotRegex(page.block("drawings-data"), "[<>&\u2028\u2029]")
        *_, (_, text) = page.drawings.replay()
        words = "".join(each.text or "" for each in self.drawn(text).iter(SVG + "text"))
        self.assertIn(game["players"][0], words)
        self.assertIn("a&b???<!--", words)

    # --- Nothing runs ------------------------------------------------------------------------------------------------

    def strict(self, page):
        policy = next(attributes["content"] for tag, attributes in page.elements
                      if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy")
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        self.assertEqual((rules["default-src"], rules["base-uri"], rules["form-action"]), ("'none'",) * 3)
        self.assertEqual(rules["require-trusted-types-for"], "'script'")
        self.assertNotIn("unsafe", policy)
        self.assertNotIn("http", policy)
        (script,) = [text for tag, attributes, text in page.texts if tag == "script" and "type" not in attributes]
        (style,) = [text for tag, _, text in page.texts if tag == "style"]
        for text, rule in ((script, "script-src"), (style, "style-src")):
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            self.assertEqual(rules[rule], f"'sha256-{digest}'")
        return script, style

    def test_K07_the_policy_allows_the_pages_own_script_and_style_only(self):
        page, _ = self.page(STORM)
        script, style = self.strict(page)
        self.assertEqual([attributes.get("type") for tag, attributes in page.elements if tag == "script"],
                         ["application/json", "application/jsonl", "application/jsonl", None])
        for tag, attributes in page.elements:
            for name, value in attributes.items():
                self.assertFalse(name.startswith("on") or name == "style", (tag, name))
                if name in ("src", "href", "action", "data"):
                    self.assertEqual(value, "data:,")
        for text in (script, style):
            self.assertNotRegex(text, r"https?://(?!www\.w3\.org/2000/svg)|@import|url\(")
        self.assertNotRegex(script, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function")

    def test_K07_hostile_names_stay_text(self):
        text = hostile_game(output(KIFU, "json", STORM))
        path = self.save_of(text, "hostile.kifu")
        page, _ = self.page(path)
        game = json.loads(text)
        self.strict(page)
        self.assertEqual(page.game["title"], game["title"])
        self.assertEqual(page.title, game["title"])
        self.assertEqual(page.game["players"], game["players"])
        self.assertEqual(page.game["events"][5][4]["who"], game["events"][5]["fields"]["who"])
        self.assertIn("<hr/>", json.dumps(page.game["events"]))
        self.assertIn("<b/>", json.dumps(page.game["events"]))
        for name in ("game-data", "states-data"):
            self.assertNotRegex(page.block(name), "[<>&\u2028\u2029]")
        plain, _ = self.page(STORM)
        self.assertEqual([tag for tag, _ in page.elements], [tag for tag, _ in plain.elements])

    def test_K07_what_is_escaped_may_lie_anywhere(self):
        """Also where one piece of the output ends and the next begins."""
        for length in range(0, 3000, 7):
            title = "x" * length + "\u2028</script>\u2027\u2029" * 3
            done = run(KIFU, "html", "-q", STORM, "--title", title)
            page = Page(done.stdout.decode("utf-8"))
            self.assertEqual(page.game["title"], title)
            self.assertNotRegex(page.block("game-data"), "[<>&\u2028\u2029]")

    def test_K07_bytes_that_are_no_text(self):
        game = json.loads(output(KIFU, "json", STORM))
        game["events"][5]["fields"]["who"] = {"base64": "/wA8"}
        page, _ = self.page(self.save_of(game, "bytes.kifu"))
        self.assertEqual(page.game["events"][5][4]["who"], {"base64": "/wA8"})

    # --- The command -------------------------------------------------------------------------------------------------

    def test_K07_the_command_says_which_states_the_page_has(self):
        game = json.loads(output(KIFU, "json", STORM))
        del game["state"], game["hash"], game["hashes"]
        done = run(KIFU, "html", self.save_of(game, "bare.kifu"), "-o", self.folder / "bare.html")
        self.assertIn(": 10 events, no states; ", done.stderr.decode())

    def test_K07_where_the_page_goes(self):
        path = self.folder / "game.html"
        path.write_text("old")
        done = run(KIFU, "html", STORM, "-o", path)
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertEqual(done.stderr.decode(), f"kifu: {path}: 10 events, the state at the end; {HIDDEN}")
        text = path.read_text(encoding="utf-8")
        self.assertEqual(text, output(KIFU, "html", "-", stdin=STORM.read_bytes()))
        self.assertEqual(text, output(KIFU, "html", STORM, "-o", "-"))
        self.assertEqual(run(KIFU, "html", STORM, "-q").stderr, b"")
        done = run(KIFU, "html", STORM, "-o", self.folder / "no" / "where.html")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"No such file", done.stderr)
        self.assertEqual(run(KIFU, "html", self.folder / "nothing.kifu", "-o", path).returncode, 2)
        self.assertEqual(path.read_text(encoding="utf-8"), text)
        self.assertEqual(sorted(os.listdir(self.folder)), ["game.html"])

    def test_K07_not_to_a_terminal_nor_to_a_full_disk(self):
        try:
            main, side = pty.openpty()
        except OSError as error:
            self.skipTest("no pseudo-terminal: %s" % error)
        done = subprocess.run([KIFU, "html", STORM], stdout=side, stderr=subprocess.PIPE, check=False)
        os.close(side)
        os.close(main)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"say where to write it with --output FILE", done.stderr)
        with open("/dev/full", "wb") as full:
            done = subprocess.run([KIFU, "html", STORM], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"disk full", done.stderr)

    def test_K07_the_demo_ends_with_the_command_and_says_where_the_page_lies(self):
        demo = BUILD / "examples" / "reversi" / "reversi_demo"
        said = output(demo)
        for words in ("info", "events", "verify", "html"):
            self.assertIn("$ reversi tool " + words, said)
        path = Path(re.search(r"file://(/.*\.html)\n", said).group(1))
        page = Page(path.read_text(encoding="utf-8"))
        self.assertEqual(page.title, "The game of ./dev demo")
        self.assertEqual(page.states.about["shown"], len(page.game["events"]))

    def test_K07_another_title_and_json(self):
        page, _ = self.page(STORM, "--title", "Ours & <theirs>")
        self.assertEqual((page.title, page.game["title"]), ("Ours & <theirs>",) * 2)
        (self.folder / "storm.json").write_text(output(KIFU, "json", STORM), encoding="utf-8")
        page, _ = self.page(self.folder / "storm.json")
        self.assertEqual(page.game["events"], self.page(STORM)[0].game["events"])

    def test_K07_help_and_page_say_that_nothing_is_hidden(self):
        self.assertIn("hidden hands included", output(KIFU, "help", "html"))
        self.assertIn("hidden hands included", output(KIFU, "html", "-q", STORM))
        manual = (SOURCE / "runtime" / "tool" / "kifu.1").read_text()
        self.assertRegex(manual, r"(?s)\.BI html.*hidden hands")


if __name__ == "__main__":
    unittest.main()
