"""Kifu as a package: as a shared library, with one version everywhere, and for little-endian machines only."""

import os
import re
import shutil
import unittest
from pathlib import Path

import blocks
import installed

BUILD = Path(os.environ["KIFU_BINARY_DIR"])
MOVES = "printf 'take 3 6\\ntake 2 5\\nundo\\nredo\\nsave\\n' |"


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = installed.Home()
        cls.addClassCleanup(cls.home.remove)
        cls.version = re.search(r"(?m)^CMAKE_PROJECT_VERSION:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text()).group(1)

    def well(self, command, folder=None):
        status, printed = self.home.run(command, folder or self.home.path)
        self.assertEqual(status, 0, f"{command}\n{printed}")
        return printed

    def refused(self, command):
        status, printed = self.home.run(command, self.home.path)
        self.assertNotEqual(status, 0, command)
        return " ".join(printed.split())

    def install_shared(self):
        if (self.home.path / ".local").exists():
            return
        self.well("cmake -S kifu -B shared -DBUILD_SHARED_LIBS=ON -DKIFU_BUILD_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=Debug")
        self.well("cmake --build shared --parallel 2 && cmake --install shared --prefix ~/.local && rm -r shared")

    def test_F58_a_shared_library(self):
        """It is installed, found and linked; the tutorial's game plays as with the static one, and so do the tools."""
        self.install_shared()
        self.assertEqual(list((self.home.path / ".local").glob("**/libkifu.a")), [])
        folder = self.home.path / "nim"
        shutil.copytree(blocks.SOURCE / "examples" / "nim", folder)
        with (folder / "CMakeLists.txt").open("a", encoding="utf-8") as lists:
            lists.write('\nmessage(STATUS "found ${kifu_VERSION}")\n')
        self.assertIn(f"-- found {self.version}\n", self.well("cmake -S . -B build && cmake --build build", folder))
        soname = "libkifu.so." + self.version.rsplit(".", 1)[0]
        self.assertIn(soname, self.well("objdump -p build/nim_app", folder))
        played = self.well(f"{MOVES} build/nim_app game.kifu", folder)
        self.assertIn("player 1 takes 6 from heap 3", played)
        self.assertEqual(played, self.well(f"{MOVES} {BUILD}/examples/nim_app other.kifu", folder))
        self.assertEqual(self.well("kifuc --version"), f"kifuc {self.version}\n")
        if not (self.home.path / ".local/bin/kifu").exists():
            return  # cJSON is missing.
        self.assertEqual(self.well("kifu --version"), f"kifu {self.version}\n")
        self.assertIn("a game of nim", self.well("kifu info game.kifu", folder))
        self.assertIn("lead to the states that the save says", self.well("build/nim_tool bisect game.kifu", folder))

    def test_F83_M03_libraries_are_found_where_the_package_is_used(self):
        """It names no path of another library, and says whether a part is there."""
        self.install_shared()
        for path in (self.home.path / ".local").glob("**/*.cmake"):
            for word in ("cjson", "nats", "zstd"):
                self.assertNotRegex(path.read_text(encoding="utf-8"), rf"/[^\"; ]*lib{word}", path.name)
        folder = self.home.path / "json"
        folder.mkdir()
        lists = (
            "cmake_minimum_required(VERSION 3.20)\nproject(json C)\nfind_package(kifu REQUIRED COMPONENTS %s)\n"
            "add_executable(json main.c)\ntarget_link_libraries(json PRIVATE kifu::json)\n"
        )
        (folder / "CMakeLists.txt").write_text(lists % "nothing", encoding="utf-8")
        self.assertIn("Kifu has no component nothing.", self.refused("cmake -S json -B json/build"))
        (folder / "CMakeLists.txt").write_text((lists % "referee").replace("::json", "::referee"), encoding="utf-8")
        (folder / "main.c").write_text(
            "#include <kifu/referee.h>\n#include <stdio.h>\nint main(void)\n{\n"
            "    return puts(kifu_answer_text(KIFU_ANSWER_STALE)) < 0;\n}\n",
            encoding="utf-8",
        )
        self.well("cmake -S json -B json/referee -DKIFU_CJSON= && cmake --build json/referee")
        self.assertEqual(self.well("json/referee/json"), "the game has gone on\n")
        if list((self.home.path / ".local").glob("**/libkifu_nats.a")):
            (folder / "CMakeLists.txt").write_text((lists % "nats").replace("::json", "::nats"), encoding="utf-8")
            said = self.refused("cmake -S json -B json/nats -DKIFU_LIBNATS=")
            self.assertIn("kifu::nats needs NATS's library (Debian: libnats-dev).", said)
        if not (self.home.path / ".local/bin/kifu").exists():
            return  # cJSON is missing.
        (folder / "CMakeLists.txt").write_text(lists % "json tool", encoding="utf-8")
        (folder / "main.c").write_text(
            "#include <kifu/json.h>\n#include <stdio.h>\nint main(void)\n{\n    kifu_rules rules = {.name = \"nim\"};\n"
            "    kifu_timeline *timeline;\n    kifu_error error;\n"
            "    return !kifu_game_from_json(&rules, \"{\", 1, NULL, NULL, &timeline, &error) || puts(error.message) < 0;\n}\n",
            encoding="utf-8",
        )
        self.well("cmake -S json -B json/build && cmake --build json/build")
        self.assertIn("line 1, column 1: this is not JSON", self.well("json/build/json"))
        said = self.refused("cmake -S json -B json/other -DKIFU_CJSON=")
        self.assertIn("kifu::json needs cJSON (Debian: libcjson-dev).", said)

    def test_F58_tests_need_the_static_library(self):
        said = self.refused("cmake -S kifu -B refused -DBUILD_SHARED_LIBS=ON -DKIFU_BUILD_TESTS=ON")
        self.assertIn("Configure with -DKIFU_BUILD_TESTS=OFF, or without BUILD_SHARED_LIBS.", said)

    def test_F58_one_version_everywhere(self):
        major, minor, patch = map(int, self.version.split("."))
        (self.home.path / "version.c").write_text(
            "#include <stdio.h>\n#include <kifu/kifu.h>\n"
            f"#if KIFU_VERSION != {major * 10000 + minor * 100 + patch}\n#error another version\n#endif\n"
            "int main(void) { puts(KIFU_VERSION_STRING); return 0; }\n",
            encoding="utf-8",
        )
        self.assertEqual(self.well("${CC:-cc} -I kifu/runtime/include version.c && ./a.out"), self.version + "\n")
        self.assertEqual(self.well("kifu/codegen/kifuc --version"), f"kifuc {self.version}\n")

    def test_F58_big_endian_machines_are_refused(self):
        """The program includes what a game includes; the compiler is told that it compiles for another machine."""
        (self.home.path / "game.c").write_text("#include <kifu/kifu.h>\n", encoding="utf-8")
        compiled = "${CC:-cc} -fsyntax-only -I kifu/runtime/include -U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_%s_ENDIAN__ %s"
        for file in ("game.c", "kifu/runtime/src/core/timeline.c -I kifu/runtime/src"):
            self.well(compiled % ("LITTLE", file))
            self.assertIn("Kifu runs on little-endian machines only", self.refused(compiled % ("BIG", file)))


if __name__ == "__main__":
    unittest.main()
