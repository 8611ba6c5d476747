"""Versions of tiny games: each is generated, compiled with any_game.h's code, run; its lock file is renewed."""

import os
import re
import subprocess
import sys

SOURCE = os.environ.get("KIFU_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
BINARY = os.environ.get("KIFU_BINARY_DIR", os.path.join(SOURCE, "build", "gcc"))
sys.path.insert(0, os.path.join(SOURCE, "tests", "generator"))
import tools  # noqa: E402

tools.find_python(sys.argv[0])
tools.keep_compiled()
from kifuc import attributes  # noqa: E402,F401

MAIN = "nim.fbs"


class Failed(Exception):
    """Something that no case expects."""


def kifuc(folder, *arguments):
    """Returns whether kifuc was content, and what it said."""
    status, said = tools.kifuc(*arguments, folder=folder)
    return status == 0, said


class Version:
    """A game: its schema (or several files, the first of which is the game's), and C that it needs besides stubs."""

    def __init__(self, schema, code="", unread=()):
        files = schema if isinstance(schema, dict) else {MAIN: schema}
        self.files, self.code, self.unread = files, code, unread
        self.main = next(iter(files))
        self.folder = ""
        self.compiling = None

    def key(self):
        return repr((list(self.files.items()), self.code, self.unread))

    def write_files(self, folder):
        for name, text in self.files.items():
            tools.write(os.path.join(folder, name), text)

    # --- Its program ---

    def generate(self, folder):
        """Without a lock file: the lock overridden."""
        self.folder = folder
        self.write_files(folder)
        for command in (["gen", self.main, "-o", "out"], ["stubs", self.main, "-o", "out/stubs"]):
            good, said = kifuc(folder, *command)
            if not good:
                raise Failed(said)
        stem = os.path.splitext(os.path.basename(self.main))[0]
        with open(os.path.join(folder, "out", stem + ".c"), encoding="utf-8") as stream:
            rules = re.search(r"(?m)^const kifu_rules (\w+)", stream.read()).group(1)
        stubs = sorted(os.listdir(os.path.join(folder, "out", "stubs")))
        written = [each for each in stubs if "_%s(" % os.path.splitext(each)[0] not in self.code]
        tools.write(os.path.join(folder, "program.c"), "".join(
            ['#include "%s.c"\n' % stem] + ['#include "stubs/%s"\n' % each for each in written] +
            ['#include "any_game.h"\n', self.code, "const kifu_rules *const game_rules = &%s;\n" % rules,
             'const char *const game_unread = " %s ";\n' % " ".join(self.unread)]))

    def compile(self):
        here = os.path.join(SOURCE, "tests", "lock")
        folders = [os.path.join(self.folder, "out"), here, os.path.join(SOURCE, "runtime", "include")]
        command = [os.environ.get("CC", "cc"), "-std=c11", "-O0", "-w"] + ["-I" + each for each in folders]
        command += [os.path.join(self.folder, "program.c"), os.path.join(BINARY, "tests", "lock", "libany_game.a"),
                    os.path.join(BINARY, "runtime", "libkifu.a"), "-o", os.path.join(self.folder, "program")]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            raise Failed(done.stdout.decode("utf-8", "replace"))

    def run(self, command, folder):
        self.compiling.result()
        done = subprocess.run([os.path.join(self.folder, "program"), command, folder], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode:
            raise Failed("%s: status %d: %s" % (command, done.returncode, done.stderr.decode("utf-8", "replace")))
        return done.stdout.decode("utf-8", "replace")

    def saves(self):
        """The folder of what it saved."""
        folder = os.path.join(self.folder, "saves")
        if not os.path.isdir(folder):
            os.makedirs(folder)
            self.run("write", folder)
        return folder

    def meaning_of(self, other):
        """What it makes of another version's saves: path → value."""
        lines = self.run("read", other.saves()).splitlines()
        return dict(line.split(" =", 1) for line in lines)

    # --- Its lock file ---

    def lock(self, folder):
        """Releases it in a folder where the versions before were released."""
        self.write_files(folder)
        return kifuc(folder, "lock", self.main)
