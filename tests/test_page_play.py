"""Pages of `html --play`: what the programs write and refuse, and how they play in headless Chromium."""

import base64
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import test_page_browser
from page_help import BUILD, KIFU, SOURCE, STORM, Page, built, output, program, random_game, run

sys.path.insert(0, str(SOURCE / "tests" / "readme"))
import blocks  # noqa: E402 it lies there

GAMES = ("reversi", "duel", "dungeon", "chess", "go", "backgammon", "eights")
PLAYED = (*GAMES, "nim")
OLD_REVERSI = SOURCE / "examples" / "reversi" / "v1" / "game.kifu"
NO_MODULE = "there was no emcc when the examples were built (`./dev browser` installs it), or KIFU_WEB is OFF"


def modules():
    """Whether the examples have their rules as WebAssembly."""
    return all(module_of(game).exists() for game in GAMES)


def module_of(game):
    return BUILD / "examples" / game / (game + "_rules_web") / (game + ".wasm")


@unittest.skipUnless(built(), "the command or an example was not built")
class Play(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="kifu-play-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def refused(self, *words):
        path = self.folder / "page.html"
        done = run(*words, "-o", path)
        self.assertEqual(done.returncode, 2)
        self.assertFalse(path.exists())
        return done.stderr.decode()

    @unittest.skipUnless(modules(), NO_MODULE)
    def test_Y03_without_play_the_page_is_the_same_to_the_byte(self):
        for game in GAMES:
            save = random_game(game, self.folder / "game.kifu", 3, 30, 4)
            plain = output(*program(game), "html", "-q", save)
            playing = output(*program(game), "html", "-q", "--play", save)
            page = Page(playing)
            (policy,) = [element["content"] for name, element in page.elements if "content" in element
                         and element.get("http-equiv") == "Content-Security-Policy"]
            self.assertIn("'wasm-unsafe-eval'", policy)
            self.assertNotIn("wasm-unsafe-eval", plain)
            style, script = page.texts[1][2], page.texts[-1][2]
            for hashed in (style, script):
                found = f" 'sha256-{test_hash(hashed)}'"
                self.assertIn(found, policy)
                playing = playing.replace(found, "", 1)
            for part in (" 'wasm-unsafe-eval'", f"<style>{style}</style>\n", f"<script>{script}</script>\n"):
                self.assertEqual(playing.count(part), 1)
                playing = playing.replace(part, "")
            for name in ("module-data", "save-data"):
                part = f'<script type="application/json" id="{name}">{page.block(name)}</script>\n'
                self.assertEqual(playing.count(part), 1)
                playing = playing.replace(part, "")
            self.assertEqual(playing, plain)

    @unittest.skipUnless(modules(), NO_MODULE)
    def test_Y03_the_page_has_the_save_and_the_rules(self):
        save = random_game("duel", self.folder / "game.kifu", 4, 60, 5)
        packed, text = self.folder / "packed.kifu", self.folder / "game.json"
        output(KIFU, "pack", save, "-o", packed)
        output(KIFU, "json", save, "-o", text)
        for path in (save, packed, text):
            done = run(*program("duel"), "html", "--play", path)
            self.assertIn("and has the save and the rules\n", done.stderr.decode())
            page = Page(done.stdout.decode())
            copy = self.folder / "copy.kifu"
            copy.write_bytes(base64.b64decode(json.loads(page.block("save-data"))))
            self.assertEqual(run(KIFU, "diff", save, copy).returncode, 0)
            module = gzip.decompress(base64.b64decode(json.loads(page.block("module-data"))))
            self.assertEqual(module, module_of("duel").read_bytes())

    def test_Y03_play_is_refused_in_words(self):
        save = random_game("reversi", self.folder / "game.kifu", 5, 20)
        self.assertIn("--play executes the game, so only the game's own program has it",
                      self.refused(KIFU, "html", "--play", save))
        self.assertIn("this program has no rules for a page that plays (--play): see kifu_add_game(... WEB ...)",
                      self.refused(*program("nim"), "html", "--play", save))
        if not modules():
            self.assertIn("it was built without Emscripten (emcc; Debian, Ubuntu: apt install "
                          "emscripten", self.refused(*program("reversi"), "html", "--play", save))
        else:
            self.assertIn("it is a game of camp, so this program has no rules",
                          self.refused(*program("reversi"), "html", "--play", STORM))


def test_hash(text):
    import hashlib

    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def guides_nim(folder):
    """The guide's changes of the tutorial's game, in a folder of its own, with an installed Kifu; its program's words."""
    output("cmake", "--install", BUILD, "--prefix", folder / "installed")
    shutil.copytree(SOURCE / "examples" / "nim", folder / "nim")
    for block in blocks.section("runtime/docs/pages.md", "A page that plays"):
        blocks.write(block, folder / "nim")
    output("cmake", "-S", folder / "nim", "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={folder}/installed")
    output("cmake", "--build", folder / "build", "--target", "nim_tool")
    return [folder / "build" / "nim_tool"]


def missing():
    return test_page_browser.missing() or (None if modules() else NO_MODULE)


class Plan:
    """Pages for the browser, and what they must show."""

    def __init__(self, folder):
        self.folder, self.pages, self.wrong = folder, {}, {}

    def add(self, name, save, words):
        path = self.folder / (name + ".html")
        output(*words, "html", "-q", "--play", save, "-o", path)
        said = json.loads(output(KIFU, "json", save))
        events = said["events"]
        begin = next((i for i, event in enumerate(events) if event.get("player", -1) >= 0), len(events))
        self.pages[name] = {"path": str(path), "from": begin, "hash": f"{int(said['hash']):016x}" if "hash" in said else ""}

    def break_page(self, name, block, change, words):
        """A page of reversi whose module or save is another one."""
        text = Path(self.pages["reversi"]["path"]).read_text(encoding="utf-8")
        old = Page(text).block(block)
        path = self.folder / "wrong.html"
        path = self.folder / (name.replace(" ", "-") + ".html")
        path.write_text(text.replace(old, "\n" + change(json.loads(old)) + "\n", 1), encoding="utf-8")
        self.pages[name] = {"path": str(path)}
        self.wrong[name] = words

    def fill(self):
        for number, game in enumerate(GAMES):
            self.add(game, random_game(game, self.folder / (game + ".kifu"), 31 + number, 30, 3), program(game))
        self.add("nim", random_game("nim", self.folder / "nim.kifu", 31, 10, 3), guides_nim(self.folder))
        self.add("older", OLD_REVERSI, program("reversi"))

        def edited(at):
            def edit(text):
                data = bytearray(base64.b64decode(text))
                data[at % len(data)] ^= 1
                return json.dumps(base64.b64encode(data).decode())
            return edit

        cannot = "cannot be played on"
        self.break_page("a damaged save", "save-data", edited(-200), [cannot, "checksum"])
        self.break_page("a save that is cut off", "save-data", lambda text: json.dumps(text[:1000]), [cannot])
        self.break_page("no save", "save-data", lambda text: "nothing", [cannot, "The save in this page is damaged"])
        self.break_page("no base64", "save-data", lambda text: '"%%"', [cannot, "The save in this page is damaged"])
        storm = base64.b64encode(STORM.read_bytes()).decode()
        self.break_page("another game", "save-data", lambda text: json.dumps(storm), [cannot, "camp"])
        self.break_page("a damaged module", "module-data", edited(5000), [cannot, "The rules in this page cannot be read"])


@unittest.skipIf(missing(), missing())
class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="kifu-play-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        plan = Plan(cls.folder)
        plan.fill()
        path = cls.folder / "plan.json"
        path.write_text(json.dumps({
            "browser": test_page_browser.browser(), "client": str(test_page_browser.CLIENT) + "/", "games": PLAYED,
            "pages": plan.pages, "wrong": plan.wrong, "folder": str(cls.folder),
            "pictures": os.environ.get("KIFU_PICTURES"),
        }))
        cls.wrong = plan.wrong
        done = subprocess.run(["node", SOURCE / "tests" / "play_browser.mjs", path], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=600, check=False)
        if done.returncode:
            raise AssertionError(done.stderr.decode())
        said = json.loads(done.stdout.decode("utf-8"))
        cls.results, cls.found = said["results"], said["found"]

    def holds(self, *names):
        for name in names:
            self.assertIn(name, self.results)
            self.assertIsNone(self.results[name], name + ": " + str(self.results[name]))

    def test_Y03_each_example_verifies_plays_undoes_and_saves(self):
        self.holds(*("plays " + game for game in PLAYED))

    def test_Y03_the_native_program_loads_what_was_played_with_the_same_hash(self):
        for game in PLAYED:
            self.holds("plays " + game)
            before, path = self.folder / (game + ".kifu"), self.folder / (game + ".played.kifu")
            self.assertEqual(output(*program(game), "verify", path), "1 save is valid\n")
            said, was = (json.loads(output(KIFU, "json", each)) for each in (path, before))
            self.assertEqual(f"{int(said['hash']):016x}", self.found[game]["hash"])
            self.assertEqual((said["title"], said["players"]), (was["title"], was["players"]))
            tree, old = (json.loads(output(KIFU, "tree", "--json", each)) for each in (path, before))
            self.assertGreaterEqual({each["line"] for each in tree["stretches"]}, {each["line"] for each in old["stretches"]})

    def test_Y03_clicks_on_a_board_and_keys(self):
        self.holds("clicks reversi", "clicks chess", "keys", "filter", "moves back to a move that was played")

    def test_Y03_fits_a_phone_a_tablet_and_a_desk(self):
        self.holds(*("fits " + game for game in PLAYED))

    def test_Y03_what_is_wrong_is_said_in_words(self):
        self.holds("a damaged save", "a save that is cut off", "no save", "no base64", "another game", "a damaged module")

    def test_Y03_a_save_of_an_older_version_is_played_on(self):
        self.holds("an older version")

    def test_Y03_out_of_memory_and_traps(self):
        self.holds("out of memory", "a trap")


if __name__ == "__main__":
    unittest.main()
