"""Does what README.md says, with the very blocks that it shows."""

import re
import unittest

import blocks
import installed
import snippets


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

    def test_every_snippet_does_what_it_says(self):
        """The unnamed C blocks: all compile, with every warning; statements run, succeed, and print what is shown."""
        folder = self.home.path / "snippets"
        (folder / "saves").mkdir(parents=True)
        for block in blocks.section("Tutorial: Nim from an empty folder"):
            if block.file in ("nim.fbs", "do_e_deal.c", "do_p_take.c") and block.language != "diff":
                self.home.write_block(block, folder)
        has_zstd = self.has_zstd()
        found = snippets.read(without=() if has_zstd else ("kifu/zstd.h",))
        schema, names = snippets.add_to_schema((folder / "nim.fbs").read_text(encoding="utf-8"))
        (folder / "nim.fbs").write_text(schema, encoding="utf-8")
        status, printed = self.home.run("kifuc stubs nim.fbs", folder)
        self.assertEqual(status, 0, printed)
        written = "".join(each.definitions for each in found)
        for name in names:
            event = f"{name[0].lower()}_{name[1:].lower()}"
            if f"nim_do_{event}(" in written:
                (folder / f"do_{event}.c").unlink()
        for file, text in snippets.program(found, names, ("kifu/zstd.h",) if has_zstd else ()).items():
            (folder / file).write_text(text, encoding="utf-8")
        [crypt] = [block for block in blocks.section(snippets.TURNS) if block.file]
        self.home.write_block(crypt, folder)
        (folder / "turns.c").write_text(snippets.turns_program(found), encoding="utf-8")
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(snippets C)\nfind_package(kifu REQUIRED)\n"
            "kifu_add_game(nim SCHEMA nim.fbs)\nfile(GLOB dos do_*.c)\ntarget_sources(nim PRIVATE ${dos})\n"
            "add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wmissing-prototypes -Werror)\n"
            "add_library(first OBJECT first.c)\ntarget_link_libraries(first PRIVATE nim)\n"
            "add_executable(snippets snippets.c)\n"
            f"target_link_libraries(snippets PRIVATE nim kifu::kifu {'zstd' if has_zstd else ''})\n"
            "kifu_add_game(crypt SCHEMA crypt.fbs)\n"
            "add_executable(turns turns.c)\ntarget_link_libraries(turns PRIVATE crypt kifu::kifu)\n",
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
        """The CMake lines of "Determinism", with the tutorial's game."""
        folder = self.home.path / "fuzz"
        folder.mkdir()
        for block in blocks.section("Tutorial: Nim from an empty folder"):
            if block.file in ("nim.fbs", "do_e_deal.c", "do_p_take.c") and block.language != "diff":
                self.home.write_block(block, folder)
        [lines] = [block for block in blocks.section("Determinism") if block.language == "cmake"]
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(fuzz C)\nfind_package(kifu REQUIRED)\n"
            + lines.text,
            encoding="utf-8",
        )
        status, printed = self.home.run(
            "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure", folder
        )
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
