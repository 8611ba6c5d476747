"""The runtime's rooms as its built objects show them: who refers to whose symbols."""

import functools
import os
import re
import subprocess
from pathlib import Path

# Arrows go down: each room may know those before it; those of the last number do not know each other.
ORDER = {"base": 0, "wire": 1, "core": 2, "history": 3, "save": 4, "observe": 4, "turns": 4, "check": 4, "text": 4, "search": 4,
         "bytes": 4, "seen": 4}


def objects(build):
    """The built objects of the library by name, "core/log". Some are of sources that went or moved: they do not count."""
    folder = Path(build) / "runtime" / "CMakeFiles" / "kifu.dir" / "src"
    sources = Path(os.environ["KIFU_SOURCE_DIR"]) / "runtime" / "src"
    found = {str(path.relative_to(folder)).removesuffix(".c.o"): path for path in sorted(folder.rglob("*.c.o"))}
    return {name: path for name, path in found.items() if (sources / (name + ".c")).exists()}


def symbols(paths):
    """{object: (the symbols that it defines, and those that it refers to)}, by one call of nm for all."""
    found = {str(path): (set(), set()) for path in paths}
    printed = subprocess.run([os.environ.get("NM", "nm"), "-A", "-g", *found], check=True, capture_output=True, text=True)
    for line in printed.stdout.splitlines():
        path, _, symbol = line.partition(".o:")
        *_, kind, name = symbol.split()
        defined, used = found[path + ".o"]
        (used if kind in "Uw" else defined).add(name)
    return found


@functools.lru_cache
def arrows(build):
    """{object: {object it refers to: names of the symbols}}."""
    built = objects(build)
    by_path = symbols(built.values())
    known = {name: by_path[str(path)] for name, path in built.items()}
    home = {symbol: name for name, (defined, _) in known.items() for symbol in defined}
    found = {}
    for name, (_, used) in known.items():
        found[name] = {}
        for symbol in sorted(used):
            if home.get(symbol, name) != name:
                found[name].setdefault(home[symbol], []).append(symbol)
    return found


def room(name):
    return name.split("/")[0]


def linked(map_file, build):
    """The runtime's objects that a program has taken from its archive, by the linker's map of it."""
    by_member = {name.split("/")[1] + ".c.o": name for name in objects(build)}
    with open(map_file, encoding="utf-8") as text:
        members = re.findall(r"^\S*libkifu\w*\.a\((.*?)\)$", text.read(), re.MULTILINE)
    return sorted({by_member[member] for member in members})


def upward(found):
    """Arrows between rooms that do not go down, as (from, to, symbols)."""
    return [
        (name, other, names)
        for name, others in found.items()
        for other, names in others.items()
        if room(name) != room(other) and ORDER[room(other)] >= ORDER[room(name)]
    ]


def circles(found):
    """Groups of more than one object that all lead to each other, the largest first (Tarjan)."""
    index, low, stack, on_stack, groups = {}, {}, [], set(), []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        on_stack.add(name)
        for other in found[name]:
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in on_stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            group = []
            while not group or group[-1] != name:
                group.append(stack.pop())
                on_stack.discard(group[-1])
            groups.append(sorted(group))

    for name in found:
        if name not in index:
            visit(name)
    return sorted((group for group in groups if len(group) > 1), key=len, reverse=True)
