#!/usr/bin/env python3
"""beside.py LIBRARY AMALGAMATED FILES: what undo and tries take with kifu.c beside the library, both compiled with -O3; and the
size of the smallest game. `./dev amalgamate --budgets` makes the three folders. The game's code is the same, in files of its own."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
import budgets

MOST = 0.85  # of the library's instructions
PATHS = {"live": None, "try": MOST, "try_legal": MOST, "undo": MOST, "redo": None, "replay": None}


def smallest(library, files):
    """Bytes of code of the smallest game with each of the two, without what it does not call."""
    bench = library / "tests" / "bench"
    options = "-std=c11 -Os -DNDEBUG -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables".split()
    compiled, program = files / "small.o", files / "link_small"
    subprocess.run(["gcc", *options, "-c", files / "kifu" / "kifu.c", "-o", compiled], check=True)
    objects = [*(bench / "CMakeFiles" / "link_small.dir").glob("*.o"), *(bench / "CMakeFiles" / "small.dir").rglob("*.o")]
    subprocess.run(["gcc", *objects, compiled, "-Wl,--gc-sections", "-o", program], check=True)
    return [int(subprocess.run(["size", path], check=True, capture_output=True, text=True).stdout.splitlines()[1].split()[0])
            for path in (bench / "link_small", program)]


def main():
    library, amalgamated, files = map(Path, sys.argv[1:])
    over = []
    print("instructions for each event:   library  kifu.c")
    for path, most in PATHS.items():
        counts = [budgets.count(str(build / "tests" / "bench" / "kifu_budget"), path) for build in (library, amalgamated)]
        part = counts[1] / counts[0]
        print(f"{path:28} {counts[0]:10.1f} {counts[1]:7.1f}  {100 * part:5.1f} %" + (f", at most {100 * most:.0f} %" if most else ""))
        if most and part > most:
            over.append(path)
    print("bytes of the smallest game:    %d, with kifu.c %d" % tuple(smallest(library, files)))
    if over:
        sys.exit("more than it may be: " + ", ".join(over))


if __name__ == "__main__":
    main()
