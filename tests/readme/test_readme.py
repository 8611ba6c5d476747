"""Does what the pages say (README.md, the tutorial, the guides), with the very blocks that they show.

With --rewrite, examples/nim becomes what the tutorial arrives at.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import unittest

import blocks
import installed
import snippets

TESTING = "runtime/docs/determinism-and-testing.md"
DICE = "runtime/docs/dice-and-review.md"
NETWORK = "runtime/docs/network.md"
PAGE = "runtime/docs/pages.md"
PYTHON = "runtime/docs/python.md"
SECRETS = "runtime/docs/secrets.md"
WATCHING = "runtime/docs/watching.md"
TOOLS = "runtime/docs/tools-and-exchange.md"
REWRITE = "--rewrite" in sys.argv


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = installed.Home()
        cls.addClassCleanup(cls.home.remove)
        cls.home.install()

    def follow(self, name, some_blocks):
        """Does what the blocks say in a new folder, and returns that folder."""
        folder = self.home.path / name
        folder.mkdir()
        for block in some_blocks:
            if block.file:
                blocks.write(block, folder)
            elif block.language == "console":
                self.home.run_block(block, folder)
        return folder

    def write_first_nim(self, folder):
        """The tutorial's game before its second version."""
        for block in blocks.read_blocks(blocks.TUTORIAL):
            if block.file in ("nim.fbs", "rules.c") and block.language != "diff":
                blocks.write(block, folder)

    def test_tutorial(self):
        """Step by step from an empty folder; the end is what lies beside the page, as a folder to copy."""
        folder = self.follow("tutorial", blocks.read_blocks(blocks.TUTORIAL))
        finished = (blocks.SOURCE / blocks.TUTORIAL).parent
        names = sorted({block.file for block in blocks.read_blocks(blocks.TUTORIAL) if block.file} | {"nim.fbs.lock"})
        for name in names:
            if REWRITE:
                shutil.copy(folder / name, finished / name)
            self.assertEqual(
                (folder / name).read_text(encoding="utf-8"), (finished / name).read_text(encoding="utf-8"), name
            )
        others = {"README.md", "nim_online.c"}  # The second is about networks (network.md).
        self.assertEqual(sorted(path.name for path in finished.iterdir() if path.name not in others), names)

    def test_tools(self):
        """The commands of the guide on tools, on a save of Reversi and one that was cut off."""
        if not (self.home.path / ".local/bin/kifu").exists():
            self.skipTest("the command was not built: cJSON is missing")
        folder = self.home.path / "tools"
        (folder / "saves").mkdir(parents=True)
        save = (blocks.SOURCE / "examples/reversi/v1/game.kifu").read_bytes()
        for name, data in (("game.kifu", save), ("saves/whole.kifu", save), ("saves/cut.kifu", save[:-100])):
            (folder / name).write_bytes(data)
        for block in blocks.read_blocks(TOOLS):
            if block.language == "console":
                for command, shown in blocks.commands(block.text):
                    status, printed = self.home.run(command, folder)
                    self.assertEqual(status, 1 if "verify" in command else 0, printed)
                    self.assertTrue(blocks.matches(shown, printed), f"{command}\n{shown}\n{printed}")

    def test_dice_and_review(self):
        """The guide quotes the example, and does its commands in a copy of it."""
        example = blocks.SOURCE / "examples/backgammon"
        folder = self.home.path / "backgammon"
        shutil.copytree(example, folder)
        for block in blocks.read_blocks(DICE):
            if block.file:
                self.assertIn(block.text, (example / block.file).read_text(encoding="utf-8"), f"{DICE}:{block.line}")
            elif block.language == "console":
                self.home.run_block(block, folder)

    def test_W01_secrets(self):
        """The guide quotes Duel."""
        example = blocks.SOURCE / "examples/duel"
        quoted = [block for block in blocks.read_blocks(SECRETS) if block.file]
        self.assertEqual(["duel.fbs", "rules.c"], [block.file for block in quoted])
        for block in quoted:
            self.assertIn(block.text, (example / block.file).read_text(encoding="utf-8"), f"{SECRETS}:{block.line}")

    def test_W09_network(self):
        """The guide's referee and two of its players, on a server with its configuration, but for the port."""
        server = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")
        if not server or not list((self.home.path / ".local").glob("**/libkifu_nats.a")):
            self.skipTest("nats-server or libnats-dev is missing")
        folder = self.home.path / "network"
        shutil.copytree(blocks.SOURCE / "examples/nim", folder)
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = str(probe.getsockname()[1])
        for block in blocks.read_blocks(NETWORK):
            if block.file:
                block.text = block.text.replace("4222", port).replace("/var/lib/nats", str(folder / "store"))
                blocks.write(block, folder)
        status, printed = self.home.run("cmake -S . -B build && cmake --build build", folder)
        self.assertEqual(status, 0, printed)

        def start(*words):
            process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.addCleanup(process.stdout.close)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            return process

        start(server, "-c", "server.conf", "-l", "server.log")
        for _ in range(100):
            time.sleep(0.1)
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", int(port))):
                break
        referee = start("build/serve")
        tokens = [referee.stdout.readline().strip() for _ in range(2)]
        self.assertEqual([33, 33], [len(token) for token in tokens], tokens)
        players = [start("build/join", f"nats://{user}:{user}-password@127.0.0.1:{port}", user, token)
                   for user, token in zip(("alice", "bob"), tokens)]
        for seat, player in enumerate(players):
            self.assertEqual((f"seat {seat}: the game is over\n", None), player.communicate(timeout=60))

    def test_W02_watching(self):
        """The guide quotes a program of Duel."""
        program = (blocks.SOURCE / "examples/duel/watch.c").read_text(encoding="utf-8")
        quoted = blocks.read_blocks(WATCHING)
        self.assertEqual(["watch.c"] * 3, [block.file for block in quoted])
        for block in quoted:
            self.assertIn(block.text, program, f"{WATCHING}:{block.line}")

    def test_Y03_a_page_that_plays(self):
        """The guide's changes of the tutorial's game; an installed Kifu that was built without KIFU_WEB has no module."""
        if not (self.home.path / ".local/bin/kifu").exists():
            self.skipTest("the command was not built: cJSON is missing")
        folder = self.home.path / "web"
        shutil.copytree(blocks.SOURCE / "examples/nim", folder)
        for block in blocks.section(PAGE, "A page that plays"):
            blocks.write(block, folder)
        play = "printf 'take 3 6\\nsave\\n' | build/nim_app game.kifu"
        status, printed = self.home.run("cmake -S . -B build && cmake --build build && " + play, folder)
        self.assertEqual(status, 0, printed)
        status, printed = self.home.run("build/nim_tool html --play game.kifu -o page.html", folder)
        self.assertEqual(status, 2, printed)
        self.assertIn("it was built without Emscripten (emcc; Debian, Ubuntu: apt install emscripten), with KIFU_WEB=OFF, or with a Kifu that was", printed)

    def test_Y08_python(self):
        """The guide's module of the tutorial's game; its Python in one process, and its wheel."""
        folder = self.home.path / "python"
        shutil.copytree(blocks.SOURCE / "examples/nim", folder)
        found = blocks.read_blocks(PYTHON)
        script = ""
        for block in found:
            if block.file:
                blocks.write(block, folder)
            elif block.language == "python":
                script += f'print("== {block.line}")\n{block.text}'
        (folder / "page.py").write_text(script, encoding="utf-8")
        has_pip = self.home.run("python3 -m ensurepip --version", folder)[0] == 0
        printed = ""
        for before, block in zip([None] + found, found):
            if block.language == "console" and (has_pip or "venv" not in block.text):
                self.home.run_block(block, folder)
            elif block.language == "python" and not printed:
                status, printed = self.home.run("PYTHONPATH=build/nim_python python3 page.py", folder)
                self.assertEqual(status, 0, printed)
                outputs = dict(part.split("\n", 1) for part in printed.split("== ")[1:])
            elif block.language == "text":
                self.assertTrue(blocks.matches(block.text, outputs[str(before.line)]), f"{PYTHON}:{block.line}\n{printed}")
        if not has_pip:
            self.skipTest("the wheel is not installed: this Python has no pip for a venv (Debian: python3-venv)")

    def test_kifuc_new(self):
        self.follow("new", blocks.section(blocks.FRONT, "A new game in one command"))

    def test_F63_a_new_game_does_not_replace_a_save_that_cannot_be_read(self):
        folder = self.home.path / "unread"
        folder.mkdir()
        command = "kifuc new checkers && cmake -S checkers -B build && cmake --build build && printf '3\\ns\\n' | build/checkers"
        status, printed = self.home.run(command, folder)
        self.assertEqual(status, 0, printed)
        save = folder / "checkers.kifu"
        self.assertIn("3, player", self.home.run("build/checkers </dev/null", folder)[1])
        save.unlink()
        save.symlink_to("checkers.kifu")  # It leads to itself: no permission stops root.
        status, printed = self.home.run("printf '3\\ns\\n' | build/checkers", folder)
        self.assertEqual(status, 1, printed)
        self.assertIn("checkers.kifu stays as it is; move it away to begin a new game.", printed)
        self.assertTrue(save.is_symlink())

    def test_every_snippet_does_what_it_says(self):
        """The unnamed C blocks: all compile, with every warning; statements run, succeed, and print what is shown."""
        folder = self.home.path / "snippets"
        (folder / "saves").mkdir(parents=True)
        self.write_first_nim(folder)
        has_zstd = self.has_zstd()
        has_json = bool(list((self.home.path / ".local").glob("**/libkifu_json.a")))
        optional = {"kifu/zstd.h": has_zstd, "kifu/json.h": has_json}
        found = snippets.read(without=[header for header, there in optional.items() if not there])
        schema, names = snippets.add_to_schema((folder / "nim.fbs").read_text(encoding="utf-8"))
        (folder / "nim.fbs").write_text(schema, encoding="utf-8")
        status, printed = self.home.run("kifuc stubs -o stubs -s . nim.fbs", folder)
        self.assertEqual(status, 0, printed)
        written = "".join(each.definitions for each in found)
        events = [f"{name[0].lower()}_{name[1:].lower()}" for name in names]
        filled_in = [event for event in events if f"nim_do_{event}(" in written]
        for event in filled_in:
            (folder / "stubs" / f"do_{event}.c").unlink()
        left_out = [event for event in filled_in if f"nim_check_{event}(" not in written]
        headers = ["sys/socket.h", "kifu/client.h", "kifu/loopback.h"] + [header for header, there in optional.items() if there]
        nim = snippets.program(snippets.NIM, found, headers, more=snippets.checks(left_out))
        crypt = snippets.program(snippets.CRYPT, found)
        for file, text in (nim | crypt).items():
            (folder / file).write_text(text, encoding="utf-8")
        [schema] = [block for block in blocks.read_blocks(snippets.CRYPT_PAGE) if block.file]
        blocks.write(schema, folder)
        programs = " ".join(file for file in nim if file != "nim_first.c")
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(snippets C)\nfind_package(kifu REQUIRED)\n"
            "set(CMAKE_C_STANDARD 11)\nset(CMAKE_C_EXTENSIONS OFF)\n"  # It is strict: each block says what else it needs.
            "kifu_add_game(nim SCHEMA nim.fbs)\nfile(GLOB dos stubs/do_*.c)\ntarget_sources(nim PRIVATE rules.c ${dos})\n"
            "add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wmissing-prototypes -Werror)\n"
            "add_library(first OBJECT nim_first.c)\ntarget_link_libraries(first PRIVATE nim)\n"
            f"add_executable(snippets {programs})\n"
            "target_link_libraries(snippets PRIVATE nim kifu::referee "
            f"{'zstd' if has_zstd else ''} {'kifu::json' if has_json else ''})\n"
            "kifu_add_game(crypt SCHEMA crypt.fbs)\n"
            f"add_executable(turns {' '.join(crypt)})\ntarget_link_libraries(turns PRIVATE crypt kifu::kifu)\n",
            encoding="utf-8",
        )
        status, printed = self.home.run("cmake -S . -B build && cmake --build build", folder)
        self.assertEqual(status, 0, printed)
        status, printed = self.home.run("build/snippets && build/turns", folder)
        self.assertEqual(status, 0, printed)
        outputs = dict(part.split("\n", 1) for part in printed.split("== ")[1:])
        for each in found:
            if each.shown:
                self.assertEqual(outputs[each.name], each.shown, each.name)

    def has_zstd(self):
        """Packed saves need it; their snippet is left out where it is not."""
        program = "#include <zstd.h>\\nint main(void) { return !ZSTD_versionNumber(); }\\n"
        return self.home.run(f"printf '{program}' | ${{CC:-cc}} -x c - -o has_zstd -lzstd", self.home.path)[0] == 0

    def test_the_fuzzer(self):
        """The CMake lines of "Fuzz your game", with the tutorial's game, in a project that makes one source of many."""
        folder = self.home.path / "fuzz"
        folder.mkdir()
        self.write_first_nim(folder)
        [lines] = [block for block in blocks.read_blocks(TESTING) if block.language == "cmake"]
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(fuzz C)\nfind_package(kifu REQUIRED)\n"
            + lines.text,
            encoding="utf-8",
        )
        status, printed = self.home.run(
            "cmake -S . -B build -DCMAKE_UNITY_BUILD=ON && cmake --build build && ctest --test-dir build --output-on-failure", folder
        )
        self.assertEqual(status, 0, printed)

    def test_the_first_schema_is_one(self):
        folder = self.home.path / "first"
        folder.mkdir()
        [schema] = [block for block in blocks.section(blocks.FRONT, "") if block.language == "fbs"]
        (folder / "nim.fbs").write_text(schema.text, encoding="utf-8")
        status, printed = self.home.run("kifuc gen nim.fbs -o out", folder)
        self.assertEqual((status, printed), (0, ""))

    def test_Y05_ways_to_use_kifu_in_a_project(self):
        """The lines of "In your own project", with the tutorial's game: two files, the installed package, the sources."""
        found = blocks.section(blocks.FRONT, "In your own project")
        self.assertEqual(["console", "cmake"], [block.language for block in found])
        [two_files, lists] = found
        self.assertIn(" -O3 ", two_files.text)
        two_files.text = two_files.text.replace(" -O3 ", " -O0 ")  # It takes half a minute less.
        for way in ("two_files", "find_package(kifu REQUIRED)", "add_subdirectory(kifu)"):
            with self.subTest(way):
                folder = self.home.path / way.split("(")[0]
                folder.mkdir()
                self.write_first_nim(folder)
                tutorial = blocks.read_blocks(blocks.TUTORIAL)
                for program in [b for b in tutorial if b.file in ("main.c", "draw.c") and b.language == "c"]:
                    blocks.write(program, folder)
                if way == "two_files":
                    self.home.run_block(two_files, folder)
                else:
                    self.assertIn(f"`{way}`", (blocks.SOURCE / blocks.FRONT).read_text(encoding="utf-8"))
                    (folder / "kifu").symlink_to(blocks.SOURCE)
                    blocks.write(lists, folder)
                    (folder / "CMakeLists.txt").write_text(lists.text.replace("find_package(kifu REQUIRED)", way), encoding="utf-8")
                    status, printed = self.home.run("cmake -S . -B build && cmake --build build && mv build/nim_app .", folder)
                    self.assertEqual(status, 0, printed)
                status, printed = self.home.run("./nim_app </dev/null", folder)
                self.assertEqual(status, 0, printed)
                self.assertIn("heaps 1 3 5 7", printed)
                if way == "add_subdirectory":  # Without a build type, the library is optimised, and only it.
                    flags = self.home.run("cat build/kifu/runtime/CMakeFiles/kifu.dir/flags.make", folder)[1]
                    self.assertIn(" -O2", flags)
                    self.assertNotIn("-O", self.home.run("cat build/CMakeFiles/nim.dir/flags.make", folder)[1])

    def test_found_package_of_another_version_is_refused(self):
        folder = self.home.path / "version"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(version C)\nfind_package(kifu 99 REQUIRED)\n",
            encoding="utf-8",
        )
        status, printed = self.home.run("cmake -S . -B build", folder)
        self.assertNotEqual(status, 0)
        self.assertIn("99", printed)

    def test_every_command_of_dev_is_listed(self):
        status, printed = self.home.run("kifu/dev help", self.home.path)
        self.assertEqual(status, 0)
        text = (blocks.SOURCE / blocks.FRONT).read_text(encoding="utf-8")
        for command in sorted(set(re.findall(r"\./dev (\w+)", printed))):
            self.assertIn(f"`./dev {command}", text)


    def test_the_reference_is_complete(self):
        """What `./dev docs` writes: every public item has a comment, and no comment names what is not there."""
        if not shutil.which("doxygen"):
            self.skipTest("there is no doxygen")
        status, printed = self.home.run(
            f"mkdir {self.home.path}/reference\n"
            f"(cat runtime/docs/Doxyfile; echo OUTPUT_DIRECTORY={self.home.path}/reference) | doxygen -",
            blocks.SOURCE,
        )
        self.assertEqual(status, 0, printed)


class Shape(unittest.TestCase):
    """What is true of every page."""

    def test_every_block_is_run(self):
        """No block escapes the tests above."""
        followed = [(blocks.TUTORIAL, None), (DICE, None), (TESTING, "Fuzz your game"), (snippets.CRYPT_PAGE, "The game of this page")]
        followed += [(SECRETS, None), (WATCHING, None), (NETWORK, None), (PYTHON, None)]
        followed += [(PAGE, "A page that plays"), ("runtime/docs/packages.md", None)]  # test_package.py
        followed += [(blocks.FRONT, each) for each in ("Install", "A new game in one command", "In your own project")]
        tools = ("Look at a save", "A page to look at", "A game as JSON", "Where two games part")
        followed += [(TOOLS, each) for each in tools]
        for page in blocks.PAGES:
            before = None
            for block in blocks.read_blocks(page):
                is_run = (
                    (page, None) in followed
                    or (page, block.section) in followed
                    or (block.language in ("c", "fbs") and not block.file)
                    or (block.language == "text" and before and before.language == "c" and not before.file)
                )
                self.assertTrue(is_run, f"{page}:{block.line}: no test runs this block")
                before = block

    def test_pages_are_short(self):
        for page in [blocks.FRONT] + blocks.GUIDES:
            lines = (blocks.SOURCE / page).read_text(encoding="utf-8").count("\n")
            self.assertLessEqual(lines, 300, page)

    def test_the_glossary_is_short(self):
        text = (blocks.SOURCE / "runtime/docs/concepts.md").read_text(encoding="utf-8")
        glossary = text.split("## Glossary\n")[1].split("\n## ")[0]
        words = re.findall(r"(?m)^\| \*\*", glossary)
        self.assertTrue(10 <= len(words) <= 25, len(words))

    def test_links_lead_somewhere(self):
        for page in blocks.PAGES:
            text = (blocks.SOURCE / page).read_text(encoding="utf-8")
            for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text):
                path = ((blocks.SOURCE / page).parent / target) if target else blocks.SOURCE / page
                self.assertTrue(path.exists(), f"{page}: {target}")
                if anchor:
                    headings = re.findall(r"(?m)^#+ (.*)$", path.read_text(encoding="utf-8"))
                    self.assertIn(anchor, [anchor_of(heading) for heading in headings], f"{page}: {target}#{anchor}")

    def test_names_exist(self):
        """Every name of the API that a page mentions is there. (changes.md names what is gone, too.)"""
        headers = [*(blocks.SOURCE / "runtime/include/kifu").glob("*.h"), *(blocks.SOURCE / "codegen").glob("**/*")]
        known = "".join(path.read_text(encoding="utf-8") for path in headers if path.is_file() and path.suffix != ".pyc")
        known = set(re.findall(r"\b(?:kifu|KIFU)_\w+", known))
        for page in blocks.PAGES:
            if page == "runtime/docs/changes.md":
                continue
            text = (blocks.SOURCE / page).read_text(encoding="utf-8")
            for name in sorted(set(re.findall(r"\b(?:kifu|KIFU)_\w+", text))):
                self.assertTrue(name in known, f"{page}: {name}")

    def test_every_guide_is_linked_from_the_front(self):
        text = (blocks.SOURCE / blocks.FRONT).read_text(encoding="utf-8")
        for page in blocks.PAGES[1:]:
            self.assertIn(f"]({page}", text)


def anchor_of(heading):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Blocks(unittest.TestCase):
    """The reader of the pages itself."""

    def test_dots_stand_for_anything(self):
        self.assertTrue(blocks.matches("a\n…\nb\n", "a\n1\n2\nb\n"))
        self.assertTrue(blocks.matches("a\n…\nb\n", "a\nb\n"))
        self.assertTrue(blocks.matches("took … s\n", "took 3 s\n"))
        self.assertFalse(blocks.matches("a\n", "a\nb\n"))

    def test_commands_and_what_they_print(self):
        self.assertEqual(
            blocks.commands("$ one\nx\n$ two \\\n> three\ny\nz\n"), [["one", "x\n"], ["two \\\nthree", "y\nz\n"]]
        )

    def test_changes(self):
        self.assertEqual(blocks.apply_change("a\nb\nc\nd\n", " a\n-b\n+x\n…\n+y\n d\n"), "a\nx\nc\ny\nd\n")
        with self.assertRaises(ValueError):
            blocks.apply_change("a\n", "-b\n")


if __name__ == "__main__":
    unittest.main(argv=[each for each in sys.argv if each != "--rewrite"])
