"""Reads the pages as the tests need them: as lists of fenced blocks, each under its heading."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(os.environ["KIFU_SOURCE_DIR"])
FRONT = "README.md"
TUTORIAL = "examples/nim/README.md"
GUIDES = sorted(str(path.relative_to(SOURCE)) for path in (SOURCE / "runtime" / "docs").glob("*.md"))
PAGES = [FRONT, TUTORIAL] + GUIDES


@dataclass
class Block:
    page: str  # its path from SOURCE
    section: str  # the `##` heading it stands under
    language: str  # "c", "console", …
    file: str  # from a line before the block that ends in "`name`:"; "" where there is none
    text: str
    line: int  # of the block's first line, in the page


def read_blocks(page):
    """All fenced blocks of a page, in order."""
    blocks, section, file, current = [], "", "", None
    for number, line in enumerate((SOURCE / page).read_text(encoding="utf-8").splitlines(), 1):
        if current is not None:
            if line == "```":
                blocks.append(current)
                current, file = None, ""
            else:
                current.text += line + "\n"
        elif line.startswith("```"):
            current = Block(page, section, line[3:].strip(), file, "", number + 1)
        elif line.startswith("## "):
            section = line[3:]
        elif line.strip():
            named = re.search(r"`([^`]+)`:$", line)
            file = named.group(1) if named else ""
    return blocks


def section(page, name):
    """The blocks under one `##` heading of a page."""
    found = [block for block in read_blocks(page) if block.section == name]
    if not found:
        raise KeyError(f"{page} has no section {name!r} with blocks")
    return found


def apply_change(old, change):
    """`old` after a ```diff block: lines that begin with ' ' or '-' are found in `old`, in a row, and replaced by those
    that begin with ' ' or '+'. '…' alone separates places; each lies behind the one before."""
    done = ""
    for place in re.split(r"(?m)^…\n", change):
        lines = place.splitlines()
        if any(line[:1] not in "+- " for line in lines if line):
            raise ValueError("a line of a diff block begins with '+', '-' or ' '")
        before = "".join(line[1:] + "\n" for line in lines if line[:1] != "+")
        after = "".join(line[1:] + "\n" for line in lines if line[:1] != "-")
        if old.count(before) < 1:
            raise ValueError("not found in the file:\n" + before)
        head, old = old.split(before, 1)
        done += head + after
    return done + old


def write(block, folder):
    """Does to `folder` what a block that names a file says: writes it, or, for a ```diff block, changes it."""
    path = folder / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    text = block.text
    if block.language == "diff":
        text = apply_change(path.read_text(encoding="utf-8"), text)
    path.write_text(text, encoding="utf-8")


def commands(console):
    """The commands of a ```console block, each with the output shown: lines that begin with '$ ', and with '> ' where a
    command goes on."""
    found = []
    for line in console.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif line.startswith("> ") and not found[-1][1]:
            found[-1][0] += "\n" + line[2:]
        else:
            found[-1][1] += line + "\n"
    return found


def matches(shown, printed):
    """Whether `printed` is what `shown` says; a line '…' in `shown` stands for any lines, '…' within a line for any
    text."""
    pattern = re.escape(shown).replace(re.escape("…") + "\\\n", "(?:.*\n)*").replace(re.escape("…"), ".*")
    return re.fullmatch(pattern, printed) is not None
