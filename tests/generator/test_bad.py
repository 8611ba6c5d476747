"""Schemas that are refused, or accepted with a warning: bad/*.fbs, each with what kifuc says of it in its last comments.

    // expect: bad/who.fbs:4: error: …
"""

import os
import tempfile
import unittest

import tools

FOLDER = os.path.join(tools.HERE, "bad")
MARK = "// expect: "


def _expected(path):
    with open(path, encoding="utf-8") as stream:
        return "".join(line[len(MARK):] for line in stream if line.startswith(MARK))


def _rewrite(path, said):
    with open(path, encoding="utf-8") as stream:
        lines = [line for line in stream if not line.startswith(MARK)]
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(lines + [MARK + line + "\n" for line in said.splitlines()])


class Bad(unittest.TestCase):
    maxDiff = 4000


def _add(name):
    path = os.path.join(FOLDER, name)

    def test(self):
        with tempfile.TemporaryDirectory(prefix="kifu-bad-") as folder:
            status, said = tools.kifuc("gen", "bad/" + name, "-o", os.path.join(folder, "out"), folder=tools.HERE)
            if tools.REWRITE:
                _rewrite(path, said)
            self.assertEqual(_expected(path), said)
            self.assertNotEqual("", said)
            refused = "error: " in said
            self.assertEqual(1 if refused else 0, status)
            self.assertEqual(refused, not os.path.exists(os.path.join(folder, "out")), "nothing is written on an error")

    setattr(Bad, "test_" + os.path.splitext(name)[0], test)


for _name in sorted(os.listdir(FOLDER)):
    if _name.endswith(".fbs"):
        _add(_name)
