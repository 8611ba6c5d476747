#!/usr/bin/env python3
"""amalgamate.py FOLDER: writes the runtime as two files, FOLDER/kifu/kifu.c and FOLDER/kifu/kifu.h.

They are the sources of the library `kifu` one after the other, as runtime/CMakeLists.txt lists them, and the public headers that
these implement. Each header comes where the first `#include` of it stood; nothing is renamed.
"""

import argparse
import re
from pathlib import Path

RUNTIME = Path(__file__).resolve().parent
INCLUDE = re.compile(r'^#include (?:<(kifu/\S+)>|"(\S+)").*\n', re.MULTILINE)


class Amalgam:
    """One of the two files."""

    def __init__(self, roots, name="", there=()):
        self.roots = roots  # Where its headers are looked for.
        self.include = f'#include "{name}"\n'  # Of the file that has the headers in `there`.
        self.there = there
        self.headers = []

    def _header(self, name, folder):
        found = next((path for path in [folder / name, *(root / name for root in self.roots)] if path.exists()), None)
        if found is None:
            raise SystemExit(f"amalgamate.py: {folder}: there is no header {name}")
        return found.resolve()

    def expand(self, path):
        """Its text, with headers of Kifu in the place of what includes them first."""
        def header(match):
            found = self._header(match[1] or match[2], path.parent)
            if found in self.there:
                include, self.include = self.include, ""
                return include
            if found in self.headers:
                return ""
            self.headers.append(found)
            return self.expand(found)

        text = INCLUDE.sub(header, path.read_text(encoding="utf-8"))
        return f"\n/* --- {path.relative_to(RUNTIME)} --- */\n\n{text.strip()}\n"


def version():
    text = (RUNTIME / "include" / "kifu" / "version.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"KIFU_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def sources():
    """In the order of CMake's list; last those that include much of the system, with names and macros of its own."""
    listed = (RUNTIME / "CMakeLists.txt").read_text(encoding="utf-8").split("add_library(kifu ")[1].split(")\n")[0]
    found = [RUNTIME / name for name in re.findall(r"(?m)^ +(src/\S+\.c)\b", listed)]
    return sorted(found, key=lambda path: '#include "base/os_system.h"' in path.read_text(encoding="utf-8"))


def amalgamate(folder):
    licence = (RUNTIME.parent / "LICENSE").read_text(encoding="utf-8").strip()
    head = f"/* Kifu {version()}, the runtime in two files: %s. Made by `./dev amalgamate`.\n\n{licence}\n*/\n"
    include = RUNTIME / "include"
    public = Amalgam([include])
    public.headers.append(include / "kifu" / "kifu.h")
    declared = public.expand(public.headers[0])
    private = Amalgam([RUNTIME / "src", include], "kifu.h", public.headers)
    system = RUNTIME / "src" / "base" / "os_system.h"  # It says which parts of the C library are there.
    private.headers.append(system)
    defined = [private.expand(path) for path in [system, *sources()]]
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("kifu.h", declared), ("kifu.c", "".join(defined))):
        text = re.sub(r"\n{3,}", "\n\n", head % name + text)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder / "kifu"
    amalgamate(folder)
    print(f"{folder / 'kifu.c'} and kifu.h: the runtime")


if __name__ == "__main__":
    main()
