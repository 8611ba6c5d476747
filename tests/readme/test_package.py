"""Kifu as a package: the shared library, what it exports and what programs expect of it; pkg-config, a package that was
moved, the sources inside of a project; one version everywhere; little-endian machines only.

    test_package.py --rewrite      writes exports.txt and abi.txt anew: after a change on purpose, see README.md
"""

import fnmatch
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
os.environ.setdefault("KIFU_SOURCE_DIR", str(HERE.parent.parent))  # --rewrite, by hand
os.environ.setdefault("KIFU_BINARY_DIR", "")

import abi  # noqa: E402 they want it
import blocks  # noqa: E402
import installed  # noqa: E402

BUILD = Path(os.environ["KIFU_BINARY_DIR"])
PAGE = "runtime/docs/packages.md"
MOVES = "printf 'take 3 6\\ntake 2 5\\nundo\\nredo\\nsave\\n' |"


def names_of(printed):
    """The symbols that `nm -D` lists; the absolute one is the name of the version."""
    return sorted(line.split()[2].split("@")[0] for line in printed.splitlines() if " A " not in line)


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
        self.well("cmake -S kifu -B shared -DBUILD_SHARED_LIBS=ON -DKIFU_BUILD_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=Plain -DCMAKE_C_FLAGS=-DNDEBUG")
        self.well("cmake --build shared --parallel 2 && cmake --install shared --prefix ~/.local && rm -r shared")

    def move(self):
        """Another folder with what was installed, as if it had been moved there; its path."""
        moved = self.home.path / "elsewhere"
        if not moved.exists():
            self.install_shared()
            shutil.copytree(self.home.path / ".local", moved, symlinks=True)
        return moved

    def nim(self, name):
        """A folder of that name with the tutorial's game."""
        folder = self.home.path / name
        shutil.copytree(blocks.SOURCE / "examples" / "nim", folder)
        return folder

    def test_F58_a_shared_library(self):
        """It is installed, found and linked; the tutorial's game plays as with the static one, and so do the tools."""
        self.install_shared()
        folder = self.nim("nim")
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

    def test_Y04_the_shared_library_exports_what_games_call(self):
        self.install_shared()
        printed = self.well("nm -D --defined-only .local/lib*/libkifu.so")
        exported = names_of(printed)
        self.assertEqual(exported, (HERE / "exports.txt").read_text(encoding="utf-8").split(), "test_package.py --rewrite")
        # A name of the inside is only there because a public header has it.
        headers = "".join(path.read_text(encoding="utf-8") for path in blocks.SOURCE.glob("runtime/include/kifu/**/*.h"))
        named = set(re.findall(r"\bkifu_\w+", headers))
        self.assertEqual([name for name in exported if name not in named], [])
        self.assertGreater(len([name for name in exported if name.startswith("kifu__")]), 20)

    def test_Y04_programs_that_were_built_before_still_run(self):
        """abi.txt is what the last release has; nothing of that is missing or different, unless the soname is."""
        if platform.machine() != "x86_64" or not shutil.which("clang") or "gcc" not in os.environ["CC"]:
            self.skipTest("abi.txt is for x86_64, and gcc and clang read the headers")
        said, *before = (HERE / "abi.txt").read_text(encoding="utf-8").splitlines()
        series = self.version.rsplit(".", 1)[0]
        self.assertEqual(said, f"libkifu.so.{series}", "another soname: after the release, test_package.py --rewrite")
        with tempfile.TemporaryDirectory() as folder:
            now = abi.read(blocks.SOURCE / "runtime" / "include", folder, os.environ["CC"])
        missing = sorted(set(before) - set(now))
        new = sorted(set(now) - set(before))
        self.assertEqual(missing, [], f"Programs that were built with libkifu.so.{series} would break. Leave as it was what "
                         f"they use, or raise the minor version; README.md says more. Instead there is: {new}")

    def test_Y06_each_installed_file_is_in_one_debian_package(self):
        self.install_shared()
        lists = {path.name: path.read_text(encoding="utf-8").split()
                 for path in (blocks.SOURCE / "runtime" / "package" / "debian").glob("*.install")}
        self.assertEqual(len(lists), 4)
        for path in sorted((self.home.path / ".local").rglob("*")):
            if path.is_dir() or path.parent.name == "__pycache__":
                continue
            name = "usr/" + str(path.relative_to(self.home.path / ".local"))
            name = re.sub(r"^usr/lib\w*/", "usr/lib/machine/", name)
            found = [each for each, patterns in lists.items()
                     if any(fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(name, pattern + "/*") for pattern in patterns)]
            self.assertEqual(len(found), 1, f"{name}: runtime/package/debian/*.install {found}")

    def test_Y05_pages_that_messages_name_are_installed(self):
        self.install_shared()
        named = {page for source in blocks.SOURCE.glob("runtime/**/*.c")
                 for page in re.findall(r"runtime/docs/[\w-]+\.md", source.read_text(encoding="utf-8"))}
        self.assertIn("runtime/docs/troubleshooting.md", named)
        for page in named:
            self.assertTrue((self.home.path / ".local" / "share" / "kifu" / page).exists(), page)

    def test_Y05_F83_the_package_may_be_moved(self):
        """No installed file names a folder of this machine; find_package finds it elsewhere, and a game plays."""
        moved = self.move()
        folders = [str(path).encode() for path in (self.home.path, blocks.SOURCE, BUILD)]
        for path in moved.rglob("*"):
            if path.is_file() and path.parent.name != "__pycache__":  # The generator made those.
                self.assertFalse([name for name in folders if name in path.read_bytes()], path)
        folder = self.nim("moved")
        path = os.environ["PATH"]  # without the folder of what was installed first; the Python with Jinja2 may be anywhere
        self.well(f"PATH='{path}' CMAKE_PREFIX_PATH=../elsewhere cmake -S . -B build", folder)
        self.assertIn(f"{moved}/lib", self.well("grep kifu_DIR build/CMakeCache.txt", folder))
        played = self.well(f"cmake --build build >../log && {MOVES} build/nim_app game.kifu", folder)
        self.assertIn("player 1 takes 6 from heap 3", played)
        if (moved / "bin" / "kifu").exists():  # It names no folder, so it has the same bytes wherever it was built.
            self.assertNotIn("PATH", self.well("readelf -d elsewhere/bin/kifu"))
            self.assertIn("a game of nim", self.well("../elsewhere/bin/kifu info game.kifu", folder))

    def test_Y05_pkg_config(self):
        if not shutil.which("pkg-config"):
            self.skipTest("there is no pkg-config")
        moved = self.move()
        folder = self.nim("pkg-config")
        [found] = moved.glob("lib*/**/pkgconfig")
        before = dict(self.home.environment)
        self.addCleanup(setattr, self.home, "environment", before)
        self.home.environment = {**before, "PATH": f"{moved}/bin:{os.environ['PATH']}", "PKG_CONFIG_PATH": str(found)}
        self.assertEqual(self.well("pkg-config --modversion kifu"), f"{self.version}\n")
        [shown] = [block for block in blocks.read_blocks(PAGE) if block.language == "console"]
        self.home.run_block(shown, folder)
        build = blocks.commands(shown.text)[1][0]
        self.well(build.replace("-o nim_app", "-o static -static").replace("pkg-config", "pkg-config --static"), folder)
        self.assertIn("libkifu.so", self.well("readelf -d nim_app", folder))
        self.assertIn("no dynamic section", self.well("readelf -d static", folder))
        played = self.well(f"{MOVES} LD_LIBRARY_PATH={found.parent} ./nim_app game.kifu", folder)
        self.assertIn("player 1 takes 6 from heap 3", played)
        self.assertEqual(played, self.well(f"{MOVES} ./static other.kifu", folder))

    def test_Y05_FetchContent(self):
        """Of sources that are here already; without the command."""
        folder = self.nim("fetched")
        lists = (folder / "CMakeLists.txt").read_text(encoding="utf-8")
        [shown] = [block for block in blocks.read_blocks(PAGE) if block.language == "cmake"]
        (folder / "CMakeLists.txt").write_text(lists.replace("find_package(kifu REQUIRED)\n", shown.text), encoding="utf-8")
        self.well("cmake -S . -B build -DKIFU_BUILD_TOOL=OFF -DKIFU_WEB=OFF -DCMAKE_C_FLAGS=-O0", folder)
        self.well("cmake --build build --target nim_app --parallel 2", folder)
        self.assertIn("player 1 takes 6 from heap 3", self.well(f"{MOVES} build/nim_app game.kifu", folder))
        self.assertNotIn("nim_tool", self.well("cmake --build build --target help", folder))
        self.assertNotIn("-O2", self.well("cat build/_deps/kifu-build/runtime/CMakeFiles/kifu.dir/flags.make", folder))

    def test_F83_M03_libraries_are_found_where_the_package_is_used(self):
        """It names no path of another library, and says whether a part is there."""
        self.install_shared()
        for path in (self.home.path / ".local").glob("**/*.cmake"):
            for word in ("cjson", "nats", "zstd"):
                self.assertNotRegex(path.read_text(encoding="utf-8"), rf"/[^\"; ]*lib{word}", path.name)
        # A game that asks for no part needs no other library; the tutorial's has no nim_tool then.
        folder = self.nim("alone")
        self.well("cmake -S . -B build -DKIFU_CJSON= -DKIFU_ZSTD= -DKIFU_LIBNATS=", folder)
        self.assertNotIn("nim_tool", self.well("cmake --build build --target help", folder))
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


def rewrite():
    """With gcc and clang on x86_64, and a shared library that is built in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["-DBUILD_SHARED_LIBS=ON", "-DKIFU_BUILD_EXAMPLES=OFF", "-DCMAKE_BUILD_TYPE=Plain"]
        subprocess.run(["cmake", "-S", blocks.SOURCE, "-B", folder, *options], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", folder, "--target", "kifu"], check=True, stdout=subprocess.DEVNULL)
        [library] = Path(folder).glob("runtime/libkifu.so.*.*.*")
        printed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
        exported = names_of(printed)
        (HERE / "exports.txt").write_text("".join(f"{name}\n" for name in exported), encoding="utf-8")
        lines = [library.name.rsplit(".", 1)[0]] + abi.read(blocks.SOURCE / "runtime" / "include", folder, "gcc")
        (HERE / "abi.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--rewrite"]:
        rewrite()
    else:
        unittest.main()
