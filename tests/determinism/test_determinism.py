"""The same bytes from every compiler, optimisation, word size and processor: play.c, built by each compiler that is there,
prints what expected.txt says.

    tests/determinism/test_determinism.py               builds, plays and compares
    tests/determinism/test_determinism.py --rewrite     writes what the first compiler's program prints into expected.txt
"""

import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get("KIFU_SOURCE_DIR", Path(__file__).resolve().parents[2]))
BINARY = Path(os.environ.get("KIFU_BINARY_DIR", SOURCE / "build" / "gcc"))
EXPECTED = SOURCE / "tests" / "determinism" / "expected.txt"
ARM = "aarch64-linux-gnu"

# Compiler with options, and the program that runs what it makes.
COMBINATIONS = [
    ("gcc -O0", ""),
    ("gcc -O3", ""),
    ("clang -O0", ""),
    ("clang -O3", ""),
    ("gcc -m32 -O1", ""),
    ("clang -m32 -O0", ""),
    (f"{ARM}-gcc -static -O1", "qemu-aarch64"),
    (f"{ARM}-gcc -static -O0 -march=armv8-a+crc", "qemu-aarch64"),  # with the processor's checksum instruction
    (f"clang -static -O0 --target={ARM}", "qemu-aarch64"),
]
# This one takes the library that was built here, which is compiled as games have it.
BUILT = "gcc -O3"
# These compile all of the runtime, although play.c needs less.
WHOLE = ("gcc -m32 -O1", f"{ARM}-gcc -static -O1")
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wmissing-prototypes -Werror".split()

# What the program is made of: generated C, folders with headers, sources.
GENERATED = ["tests/lab/lab.c", "tests/shapes/shapes.c", "tests/wire/wire.c", "tests/compat/camp_v4/camp.c",
             "examples/reversi/reversi_rules/reversi.c"]
FOLDERS = ["runtime/include", "runtime/src", "examples/reversi", "tests/games/lab", "tests/games/wire"]
RUNTIME = "runtime/src/*/*.c"
PATTERNS = ["tests/games/lab/*.c", "tests/games/shapes/*.c", "tests/games/wire/*.c",
            "tests/compat/v4/*.c", "examples/reversi/do_*.c", "examples/reversi/board.c", "examples/reversi/game.c",
            "examples/reversi/perft.c", "tests/determinism/play.c"]


class Missing(Exception):
    """Something is not on this machine."""


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def compiler(command, folder):
    """The command as a list, with what it takes to compile and link a program with it."""
    words = command.split()
    if not shutil.which(words[0]):
        raise Missing(f"there is no {words[0]}")
    probe = folder / "probe.c"
    probe.write_text("#include <errno.h>\n#include <stdio.h>\n#include <sys/mman.h>\nint main(void) { return 0; }\n")
    attempts = [words]
    if "-m32" in words:  # Debian keeps the kernel's headers, good for both, where -m32 does not look.
        attempts += [words + ["-idirafter", os.path.dirname(found)] for found in glob.glob("/usr/include/*-linux-gnu/asm")]
    for attempt in attempts:
        if run([*attempt, str(probe), "-o", str(folder / "probe")]).returncode == 0:
            return attempt
    raise Missing(f"`{command}` cannot make programs: what its machine needs is not installed")


def found(pattern):
    return sorted(glob.glob(str(SOURCE / pattern)))


def together(sources, file):
    """A source that includes these of the runtime, whose names all differ: so the compiler reads their headers once."""
    file.write_text("".join(f'#include "{header}"\n' for header in ("base/os_system.h", *sources)))
    return file


def build(words, program, *runtime):
    sources = [str(BINARY / name) for name in GENERATED] + [each for pattern in PATTERNS for each in found(pattern)]
    folders = [SOURCE / name for name in FOLDERS] + [(BINARY / name).parent for name in GENERATED]
    built = run([*words, "-std=c11", *WARNINGS, *(f"-I{each}" for each in folders), *sources, *runtime, "-o", program])
    if built.returncode:
        raise AssertionError(f"does not compile:\n{built.stdout}")


def needed(folder):
    """The runtime's sources that play.c needs: what the linker takes from the library that was built here."""
    link_map = folder / "map"
    build(["gcc", "-O0"], folder / "needs", BINARY / "runtime" / "libkifu.a", f"-Wl,-Map={link_map}")
    members = set(re.findall(r"libkifu\.a\((\w+\.c)\.o\)", link_map.read_text()))
    return [source for source in found(RUNTIME) if Path(source).name in members]


def play(command, runner, folder, sources):
    """Builds play.c and returns what it prints: what is pinned, and all."""
    words = compiler(command, folder)
    runners = [runner, runner + "-static"] if runner else []
    runner = [path for path in map(shutil.which, runners) if path][:1]
    if runners and not runner:
        raise Missing(f"there is no {runners[0]}")
    try:
        run([*runner, str(folder / "probe")])
    except OSError as error:  # A system for 64 bits alone has the compiler for 32, too.
        raise Missing(f"this machine does not run what `{command}` makes: {error.strerror}") from error
    program = str(folder / "play")
    build(words, program, BINARY / "runtime" / "libkifu.a" if command == BUILT else together(sources, folder / "runtime.c"))
    if command in WHOLE:
        others = together([each for each in found(RUNTIME) if each not in sources], folder / "others.c")
        checked = run([*words, "-std=c11", *WARNINGS, *(f"-I{SOURCE / name}" for name in FOLDERS), "-fsyntax-only", others])
        if checked.returncode:
            raise AssertionError(f"does not compile:\n{checked.stdout}")
    saves = folder / "saves"
    saves.mkdir()
    with open(saves / "large", "wb") as file:  # a hole: it takes no room
        file.truncate(3 << 30)
    printed = []
    for arguments in [], ["all"]:
        played = run([*runner, program, str(SOURCE), str(saves), *arguments])
        if played.returncode:
            raise AssertionError(f"play failed ({played.returncode}):\n{played.stdout}")
        printed.append(played.stdout)
    shutil.rmtree(folder)
    return printed


class Determinism(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        folder = Path(tempfile.mkdtemp(prefix="kifu-determinism-"))
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        pool = concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1))
        cls.addClassCleanup(pool.shutdown)
        sources = needed(folder)
        cls.results = {}
        for number, (command, runner) in enumerate(COMBINATIONS):
            place = folder / str(number)
            place.mkdir()
            cls.results[command] = pool.submit(play, command, runner, place, sources)

    def result(self, command):
        try:
            return self.results[command].result()
        except Missing as missing:
            self.skipTest(str(missing))

    def check(self, command):
        pinned, everything = self.result(command)
        self.assertEqual(EXPECTED.read_text().splitlines(), pinned.splitlines())
        # Some of it is only the same on this machine and today, such as the bytes that this flatc makes of a schema.
        for other in self.results.values():
            if not other.exception():
                self.assertEqual(other.result()[1].splitlines(), everything.splitlines())
                return


def add(command, number):
    def test(self):
        self.check(command)

    test.__doc__ = command
    setattr(Determinism, f"test_{number:02}_{command.replace(' ', '_')}", test)


for index, (name, _) in enumerate(COMBINATIONS):
    add(name, index + 1)


def rewrite():
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "play"
        place.mkdir()
        EXPECTED.write_text(play(*COMBINATIONS[0], place, needed(place.parent))[0])


if __name__ == "__main__":
    if "--rewrite" in sys.argv:
        rewrite()
    else:
        unittest.main()
