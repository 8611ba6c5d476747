"""Runs flatc."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from . import attributes
from .report import Stop

_NO_FLATC = "%s. flatc reads the schema: install it (Debian, Ubuntu: apt install flatbuffers-compiler), or say where it " \
            "is with --flatc"


_TYPES = "bool byte ubyte short ushort int uint long ulong float double string".split()
_OTHER_NAMES = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64".split()
_TYPES_HINT = "FlatBuffers' own types are " + ", ".join(_TYPES)
# What to do about some of flatc's errors.
_HINTS = (
    ("attributes must be declared before use: ", "kifu.fbs lists Kifu's"),
    ("Cannot assign token starting with .* to value of <> type", "an attribute's value stands in quotes, (undoable: \"false\")"),
    ("structs may contain only scalar or struct fields",
     "is the type's file included (kifu.Actor, kifu.Turns, kifu.Timer: \"kifu_turns.fbs\")? An array needs a size: [ushort: 4]. A "
     "string or vector can be in no struct: [ubyte: 32]"),
    ("default values are not supported for struct fields", "the state begins as zeros: let a Do set the field"),
    ("Default values for strings and vectors are not supported", "an absent one is NULL: let Do choose what it means"),
    ("type mismatch: expecting: , found", _TYPES_HINT),
    ("type referenced but not defined", "declare it, or include the file that does; " + _TYPES_HINT),
)


# A line of flatc's that speaks of a type: file, line, and perhaps its name.
_OF_A_TYPE = (r"(.*?\.fbs):\s*(\d+).*(?:structs may contain only scalar or struct fields|"
              r"type referenced but not defined .*: ([\w.]*\w))\.?")


def _meant(path, line, name):
    """What a type was probably to be called that is not there: `name`, or the one of the field in that line. Or None."""
    import difflib  # Few need it.

    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    except OSError:
        return None
    field = re.search(r":\s*\[?\s*([\w.]+)", text.splitlines()[int(line) - 1])
    name = name or field and field.group(1)
    known = _TYPES + _OTHER_NAMES + re.findall(r"(?m)^\s*(?:struct|table|enum|union)\s+(\w+)", text)
    near = [] if not name or name in known else difflib.get_close_matches(name, known, 1)
    return "`%s` is no type: did you mean `%s`?" % (name, near[0]) if near else None


def _meant_attribute(line):
    """What an attribute that is not there was probably to be called. Or None."""
    import difflib

    name = re.search(r"attributes must be declared before use: (\w+)", line)
    near = difflib.get_close_matches(name.group(1).lower(), attributes.KIFU, 1) if name else []
    return "did you mean `%s`? kifu.fbs lists Kifu's" % near[0] if near else None


def _with_hint(line):
    """A line of flatc's, and what to do about it."""
    of_a_type = re.fullmatch(_OF_A_TYPE, line)
    hint = of_a_type and _meant(*of_a_type.groups()) or _meant_attribute(line) or next((hint for said, hint in _HINTS if re.search(said, line)), None)
    return line.rstrip(".") + "; " + hint if hint else line


def find(path):
    """flatc's path: the one given, that of the environment's KIFU_FLATC, or the first in PATH."""
    wanted = path or os.environ.get("KIFU_FLATC") or "flatc"
    found = shutil.which(wanted)
    if not found:
        raise Stop(_NO_FLATC % ("there is no " + wanted))
    return found


class Flatc:
    def __init__(self, path, include_dirs, report):
        self.path = find(path)
        self.include_dirs = include_dirs
        self.report = report

    def _run(self, arguments, show):
        try:
            done = subprocess.run([self.path] + arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        except OSError as error:
            raise Stop(_NO_FLATC % ("cannot run %s: %s" % (self.path, error.strerror))) from error
        if not done.returncode and not done.stdout:
            return
        text = done.stdout.decode("utf-8", "replace")
        # flatc names files by absolute paths, and puts a line "error:" in front.
        text = re.sub(r"(?m)^\s*(?:error|warning):\s*\n\s*", "", text)
        text = re.sub(r"(?m)(^\s*|originally at: )(/.*?\.fbs)(?=:\s*\d)", lambda match: match.group(1) + show(match.group(2)), text)
        # Of a type that is not there, it names the end of the file first.
        text = re.sub(r"(?m)^.*?: (error: type referenced .*?), originally at: (.*)$", r"\2: \1", text.strip())
        text = "\n".join(_with_hint(line) for line in text.split("\n"))
        if text:
            print(text, file=sys.stderr if done.returncode else self.report.stream)
        if done.returncode and not text:
            raise Stop("%s ended without a word (status %d) while it read the schema; is something nested very deeply in it?" %
                       (self.path, done.returncode))
        if done.returncode:
            raise Stop()

    def reflect(self, schema):
        """The .bfbs of a schema with everything in it: comments and FlatBuffers' own attributes."""
        with tempfile.TemporaryDirectory(prefix="kifuc-") as folder:
            arguments = ["-b", "--schema", "--bfbs-comments", "--bfbs-builtins", "--bfbs-filenames", "/", "-o", folder]
            for each in self.include_dirs:
                arguments += ["-I", os.path.abspath(each)]
            self._run(arguments + [os.path.abspath(schema)], self.report.path)
            return _only_bfbs(folder)


def _only_bfbs(folder):
    for name in os.listdir(folder):
        if name.endswith(".bfbs"):
            with open(os.path.join(folder, name), "rb") as stream:
                return stream.read()
    raise Stop("flatc wrote no .bfbs; kifuc needs flatc 2.0.8 or later")
