"""The page of `kifu html` in a real browser: headless Chromium, driven by puppeteer. `./dev browser` installs both."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

from page_help import (EXAMPLES, KIFU, SOURCE, STORM, Page, built, hostile_game, many_events, output, program, random_game,
                       state_at)

CLIENT = Path(os.environ.get("KIFU_BROWSER_CLIENT", SOURCE / "build" / "browser" / "node_modules"))
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LONG = 100000
HOSTILE = (
    "<svg onload=\"window.hacked = 1\" style=\"display: none\" class=\"icon\"><script>window.hacked = 1</script>"
    "<image href=\"http://example.com/x.png\"/><a href=\"javascript:window.hacked = 1\"><rect/></a>"
    "<foreignObject><b onclick=\"window.hacked = 1\">x</b></foreignObject><use href=\"http://example.com/x.svg#a\"/>"
    "<rect id=\"list\" onclick=\"window.hacked = 1\" fill=\"url(http://example.com/)\"/><set attributeName=\"onload\"/></svg>"
)


def browser():
    return os.environ.get("KIFU_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)


def missing():
    """Why this cannot be tested here; None: it can."""
    if not built():
        return "the command or an example was not built"
    if not browser():
        return "there is no Chromium (`./dev browser` installs it)"
    if not shutil.which("node"):
        return "there is no node (`./dev browser` installs it)"
    if not (CLIENT / "puppeteer-core").exists():
        return "puppeteer-core is not in build/browser (`./dev browser` installs it)"
    return None


def places(count):
    """After how many events states are compared: some, with those right before them."""
    some = (1, 5, count // 3, count // 2, count)
    return sorted({at for each in some for at in (each - 1, each) if 0 <= at <= count})


class Plan:
    """Pages for the browser, and what they must show."""

    def __init__(self, folder):
        self.folder, self.pages = folder, {}

    def add(self, name, save, *words, game=None):
        path = self.folder / (name + ".html")
        output(*(program(game) if game else [KIFU]), "html", "-q", save, "-o", path, *words)
        said = json.loads(output(KIFU, "json", save))
        states = {}
        if game:
            states = {at: state_at(game, save, at) for at in places(said.get("executed", len(said["events"])))}
        self.pages[name] = {"path": str(path), "events": said["events"], "title": said.get("title"), "states": states,
                            "players": said.get("players", []), "count": len(said["events"])}

    def add_lines(self, name, save, game, most):
        """Of so many lines: their events with notes, and some of their states."""
        self.add(name, save, game=game)
        tree = json.loads(output(KIFU, "tree", save, "--json"))
        numbers = sorted({stretch["line"] for stretch in tree["stretches"]})
        lines = {}
        for line in numbers[:: max(1, len(numbers) // most)]:
            events = json.loads(output(KIFU, "events", save, "--line", str(line), "--undone", "--json"))
            states = {at: state_at(game, save, at, line) for at in (len(events), len(events) // 2, len(events) - 3)}
            lines[line] = {"events": events, "states": states}
        self.pages[name].update({"lines": lines, "tree": tree, "line_count": len(numbers)})

    def save_of(self, name, text):
        path = self.folder / (name + ".kifu")
        (self.folder / "game.json").write_text(text, encoding="utf-8")
        output(KIFU, "json", self.folder / "game.json", "-o", path)
        return path

    def look(self, name):
        """What the browser must show of drawings: a text, or how many elements a picture has, and its words."""
        looks = {}
        page = Page(Path(self.pages[name]["path"]).read_text(encoding="utf-8"))
        for count, text in page.drawings.replay():
            looks[count] = {"text": text}
            if text and text.startswith("<svg"):
                whole = xml.etree.ElementTree.fromstring(text)
                looks[count] = {"elements": len(list(whole.iter())) - 1, "words": "".join("".join(whole.itertext()).split())}
        self.pages[name]["looks"] = looks

    def edit(self, name, new, change):
        """A page whose drawings or notes are other ones."""
        text = Path(self.pages[name]["path"]).read_text(encoding="utf-8")
        path = self.folder / (new + ".html")
        path.write_text(change(text), encoding="utf-8")
        self.pages[new] = {**self.pages[name], "path": str(path)}

    def fill(self):
        for number, game in enumerate(EXAMPLES):
            save = random_game(game, self.folder / (game + ".kifu"), 21 + number, 40)
            self.add(game, save, game=game)
            self.look(game)
        self.add("capped", random_game("duel", self.folder / "capped.kifu", 2, 200), "--states", "6K", game="duel")
        self.add("storm", STORM)
        self.add("hostile", self.save_of("hostile", hostile_game(output(KIFU, "json", STORM))))
        nim = json.loads(output(KIFU, "json", self.folder / "nim.kifu"))
        long = many_events(nim, -(-LONG // len(nim["events"])))
        self.add("long", self.save_of("long", json.dumps(long)), game="nim")
        del self.pages["long"]["events"]
        self.add_lines("lines", random_game("reversi", self.folder / "lines.kifu", 5, 60, 60), "reversi", 8)
        self.add_lines("many", random_game("reversi", self.folder / "many.kifu", 6, 40, 1000), "reversi", 2)
        size = len(Page(Path(self.pages["reversi"]["path"]).read_text(encoding="utf-8")).block("drawings-data"))
        self.add("turns", self.folder / "reversi.kifu", "--drawings", str(size * 9 // 10), game="reversi")
        self.look("turns")
        self.add("few", self.folder / "reversi.kifu", "--drawings", "14K", game="reversi")
        hostile = json.dumps(HOSTILE)[1:-1].replace("<", "\\u003c").replace(">", "\\u003e")
        self.edit("reversi", "trick", lambda text: text.replace("\\u003c/g\\u003e", "\\u003c/g\\u003e" + hostile))
        self.edit("reversi", "broken", lambda text: text.replace('"\\u003c/svg\\u003e"', '"\\u003c/g\\u003e"'))
        long = {"Better was something else.": "Better was that. " * 9, "Two lines": "Two lines, or some " * 9}
        self.edit("lines", "talk", lambda text: re.sub("|".join(long), lambda found: long[found[0]], text))
        timed = many_events(nim, 2)
        for number, event in enumerate(each for each in timed["events"] if each["type"] == "nim.PTake"):
            event["fields"] = {**event["fields"], "seconds": 60 if number == 3 else number % 4}
        self.add("clock", self.save_of("clock", json.dumps(timed)), game="nim")
        self.add("empty", self.save_of("empty", json.dumps({**many_events(nim, 0), "title": "Nothing"})), game="nim")


@unittest.skipIf(missing(), missing())
class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = Path(tempfile.mkdtemp(prefix="kifu-browser-"))
        cls.addClassCleanup(shutil.rmtree, folder)
        plan = Plan(folder)
        plan.fill()
        path = folder / "plan.json"
        path.write_text(json.dumps({
            "browser": browser(), "client": str(CLIENT) + "/", "examples": EXAMPLES, "pages": plan.pages,
            "pictures": os.environ.get("KIFU_PICTURES"),
        }))
        done = subprocess.run(["node", SOURCE / "tests" / "page_browser.mjs", path], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=600, check=False)
        if done.returncode:
            raise AssertionError(done.stderr.decode())
        cls.results = json.loads(done.stdout.decode("utf-8"))

    def holds(self, *names):
        for name in names:
            self.assertIn(name, self.results)
            self.assertIsNone(self.results[name], name + ": " + str(self.results[name]))

    def test_K07_opens_and_walks_every_example_with_the_right_fields_and_states(self):
        self.holds(*("walks " + game for game in EXAMPLES))

    def test_K07_fits_a_phone_a_tablet_and_a_desk_in_light_and_dark(self):
        self.holds(*("fits " + game for game in EXAMPLES))

    def test_K07_is_walked_by_keyboard_mouse_and_touch(self):
        self.holds("keys", "mouse", "touch", "tree")

    def test_K07_a_strip_shows_where_things_happen(self):
        self.holds("strip")

    def test_F70_shows_every_board_in_the_same_room(self):
        self.holds(*("board " + game for game in EXAMPLES), "cells stay")

    def test_F70_a_drawing_does_nothing_but_draw(self):
        self.holds("tricks", "broken")

    def test_F70_says_which_places_are_not_drawn(self):
        self.holds("turns", "few", "no board")

    def test_F70_notes_are_beside_the_moves_that_they_are_about(self):
        self.holds("notes", "the whole game's comment")

    def test_F70_set_up_colours_numbers(self):
        self.holds("set-up", "colours", "numbers at lines")

    def test_K07_is_searched(self):
        self.holds("search")

    def test_K07_hostile_names_run_nothing(self):
        self.holds("hostile", "policy")

    def test_K07_draws_what_is_seen_of_100000_events(self):
        self.holds("long")

    def test_K07_shows_the_events_notes_and_states_of_every_line(self):
        self.holds("lines", "walks lines", "fits lines")

    def test_K07_a_tree_of_1000_variations_is_drawn_and_walked(self):
        self.holds("many lines", "fits many")

    def test_K07_lines_are_walked_by_keys_and_by_buttons_and_searched(self):
        self.holds("tree by keys", "lines by buttons", "search in all lines")

    def test_K07_says_where_there_is_no_state(self):
        self.holds("capped", "empty", "undone, and without states")


if __name__ == "__main__":
    unittest.main()
