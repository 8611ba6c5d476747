#!/usr/bin/env python3
"""PGN that others have written: whatever files this machine's packages ship, through the chess example and out again.

Debian's pychess and pgn-extract have some, with comments and variations. Other folders: KIFU_PGN_FILES."""

import os
import re
import subprocess
import unittest

PROGRAM = os.path.join(os.environ["KIFU_BINARY_DIR"], "examples", "chess", "chess_pgn")
FOLDERS = ["/usr/share", "/usr/local/share"] + os.environ.get("KIFU_PGN_FILES", "").split(":")
MOST_BYTES = 4 << 20
SUFFIXES = {"!": "$1", "?": "$2", "!!": "$3", "??": "$4", "!?": "$5", "?!": "$6"}
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
TOKEN = re.compile(r"""(?P<escaped>^%[^\n]*)|(?P<brace>\{[^}]*\})|(?P<rest>;[^\n]*)|(?P<tag>\[\s*\w+\s*"[^\n]*?"\s*\])
    |(?P<bracket>[()])|(?P<glyph>\$\d+)|(?P<number>\d+\.+|\d+(?=\s))|(?P<word>[^\s.{}();$\[\]]+)|(?P<space>\s+)""", re.M | re.X)


def files():
    found = []
    for folder in filter(None, FOLDERS):
        for path, _, names in os.walk(folder):
            found += [os.path.join(path, name) for name in names if name.endswith(".pgn")]
    return sorted(path for path in found if os.path.getsize(path) <= MOST_BYTES)


def read(data):
    """PGN is older than UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def words_of(match):
    """What a token says, however it is written: glyphs as numbers, and no sign of check or promotion in a move."""
    kind, text = match.lastgroup, match.group()
    if kind == "brace":
        yield "{" + re.sub("\r\n|\r|\n", " ", text[1:-1])
    elif kind == "rest":
        yield "{" + text[1:].rstrip("\r")
    elif kind == "glyph":
        yield "$%d" % int(text[1:])
    elif kind == "bracket" or text in RESULTS:
        yield text
    elif kind == "word":
        move, glyph = re.fullmatch("(.*?)([!?]*)", text).groups()
        if move:
            yield re.sub("[+#=x-]", "", move.replace("0-0-0", "O-O-O").replace("0-0", "O-O"))
        if glyph:
            yield SUFFIXES[glyph]


def in_order(words):
    """The export format puts glyphs before comments, and behind their move."""
    ordered = []
    for word in words:
        at = len(ordered)
        while word[0] == "$" and at and ordered[at - 1][0] == "{":
            at -= 1
        ordered.insert(at, word)
    return ordered


def games_of(text):
    """Tags and words of each game."""
    games, tags, words = [], {}, []
    for match in TOKEN.finditer(text):
        if match.lastgroup == "tag":
            name, value = re.fullmatch(r'\[\s*(\w+)\s*"(.*)"\s*\]', match.group(), re.S).groups()
            tags[name] = re.sub(r'\\(["\\])', r"\1", value)
        elif match.lastgroup not in ("space", "escaped", "number"):
            words += words_of(match)
        if words and words[-1] in RESULTS:
            games.append((tags, in_order(words)))
            tags, words = {}, []
    return games


def is_same(before, after):
    """A move may name its square more exactly than it must."""
    return before == after or (len(after) >= 3 and before[0] == after[0] and before[-2:] == after[-2:] and
                               len(before) > len(after))


def convert(data):
    done = subprocess.run([PROGRAM], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode().splitlines()
    return done.stdout, [line for line in said if ": refused: " in line], said


class Files(unittest.TestCase):
    def must_be_same(self, before, after):
        for name, value in before[0].items():
            if name not in ("Result", "SetUp"):
                self.assertEqual(value, after[0].get(name), before[0])
        self.assertEqual(len(before[1]), len(after[1]), before)
        for old, new in zip(before[1], after[1]):
            self.assertTrue(is_same(old, new), (old, new, before))

    def test_C13_files_that_packages_ship(self):
        found = files()
        if not found:
            self.skipTest("no PGN files are on this machine: Debian's pychess and pgn-extract have some")
        games = annotated = refused = left = 0
        for path in found:
            with self.subTest(path=path), open(path, "rb") as file:
                data = file.read()
                written, faults, said = convert(data)
                again, none, _ = convert(written)
                self.assertEqual((written, []), (again, none))
                left += len([line for line in said[:-1] if ": refused: " not in line])
                refused += len(faults)
                before, after = games_of(read(data)), games_of(read(written))
                self.assertEqual(len(before), len(after) + len(faults))
                if said:
                    continue  # Which games those were is not worth a second way to count lines.
                for pair in zip(before, after):
                    self.must_be_same(*pair)
                    games += 1
                    annotated += any(word[0] in "{(" for word in pair[0][1])
        print("%d files; compared: %d games, %d with comments or variations; in the others, %d games were refused, and "
              "%d places left out" % (len(found), games, annotated, refused, left))


if __name__ == "__main__":
    unittest.main()
