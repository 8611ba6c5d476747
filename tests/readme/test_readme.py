"""Does what README.md says, with the very blocks that it shows."""

import re
import unittest

import blocks
import installed


class Readme(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = installed.Home()
        cls.addClassCleanup(cls.home.remove)
        cls.home.install()

    def follow(self, section):
        """Goes through a section from an empty folder, and returns that folder."""
        folder = self.home.path / re.sub(r"\W+", "-", section.lower())
        folder.mkdir()
        for block in blocks.section(section):
            if block.file:
                self.home.write_block(block, folder)
            elif block.language == "console":
                self.home.run_block(block, folder)
        return folder

    def test_tutorial(self):
        self.follow("Tutorial: Nim from an empty folder")

    def test_kifuc_new(self):
        self.follow("A new game in one command")

    def test_every_snippet_compiles(self):
        """The unnamed C blocks of the first screen and of "Concepts": functions as they are, statements inside a
        function."""
        folder = self.home.path / "snippets"
        folder.mkdir()
        tutorial = blocks.section("Tutorial: Nim from an empty folder")
        for name in ("nim.fbs", "do_e_deal.c", "do_p_take.c"):
            for block in tutorial:
                if block.file == name and block.language != "diff":
                    self.home.write_block(block, folder)
        parts = ['#include <stdio.h>\n#include "nim.h"\n']
        snippets = [
            block
            for block in blocks.section("") + blocks.section("Concepts")
            if block.language == "c" and not block.file
        ]
        for number, block in enumerate(snippets):
            at = f'#line {block.line} "README.md"\n'
            if re.search(r"(?m)^\{", block.text):
                parts.append(at + block.text)
            else:
                parts.append(
                    f"kifu_result snippet_{number}(kifu_timeline *timeline, int player);\n"
                    f"kifu_result snippet_{number}(kifu_timeline *timeline, int player)\n"
                    "{\nkifu_result result = KIFU_OK;\nkifu_error error;\nuint8_t heap = 0;\nuint16_t count = 1;\n"
                    "(void)player, (void)error, (void)heap, (void)count;\n"
                    f"{at}{block.text}(void)timeline;\nreturn result;\n}}\n"
                )
        (folder / "snippets.c").write_text("".join(parts), encoding="utf-8")
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(snippets C)\nfind_package(kifu REQUIRED)\n"
            "kifu_add_game(nim SCHEMA nim.fbs)\nadd_library(snippets snippets.c)\n"
            "target_compile_options(snippets PRIVATE -Wall -Wextra -Werror -Wno-unused-variable -Wno-unused-function)\n"
            "target_link_libraries(snippets PRIVATE nim kifu::kifu)\n",
            encoding="utf-8",
        )
        status, printed = self.home.run("cmake -S . -B build && cmake --build build", folder)
        self.assertEqual(status, 0, printed)

    def test_the_first_schema_is_one(self):
        folder = self.home.path / "first"
        folder.mkdir()
        [schema] = [block for block in blocks.section("") if block.language == "fbs"]
        (folder / "nim.fbs").write_text(schema.text, encoding="utf-8")
        status, printed = self.home.run("kifuc gen nim.fbs -o out", folder)
        self.assertEqual((status, printed), (0, ""))

    def test_sources_in_a_subfolder(self):
        """Use by add_subdirectory: the other CMakeLists.txt of "In your own project", with the tutorial's game."""
        folder = self.home.path / "subfolder"
        folder.mkdir()
        for block in blocks.section("Tutorial: Nim from an empty folder"):
            if block.file and block.language != "diff" and block.file != "CMakeLists.txt":
                self.home.write_block(block, folder)
        (folder / "kifu").symlink_to(blocks.SOURCE)
        [lists] = [block for block in blocks.section("In your own project") if "add_subdirectory" in block.text]
        self.home.write_block(lists, folder)
        status, printed = self.home.run("cmake -S . -B build && cmake --build build", folder)
        self.assertEqual(status, 0, printed)
        status, printed = self.home.run("build/nim_app </dev/null", folder)
        self.assertEqual(status, 0, printed)
        self.assertIn("heaps 1 3 5 7", printed)

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
        text = (blocks.SOURCE / "README.md").read_text(encoding="utf-8")
        for command in sorted(set(re.findall(r"\./dev (\w+)", printed))):
            self.assertIn(f"`./dev {command}", text)


class Blocks(unittest.TestCase):
    """The reader of README.md itself."""

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
    unittest.main()
