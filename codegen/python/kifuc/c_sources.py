"""What a game's C files have already: which functions they define, and what they include. Other files are not read."""

import os
import re

_ENDINGS = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".inc", ".m")
_NO_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.M)


class CFile:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as stream:
            self.bytes = stream.read()
        self.text = self.bytes.decode("utf-8", "surrogateescape")
        self.code = _NO_CODE.sub(" ", self.text)
        self.functions = set(_defined(self.code))
        self.includes = set(_INCLUDE.findall(self.text))

    def has_include(self, header):
        return any(each == header or each.endswith("/" + header) for each in self.includes)

    def has_word(self, word):
        """Whether its code uses a name: to define a macro is no use."""
        return re.search(r"(?<!#define )\b%s\b" % word, self.code) is not None

    def has_member(self, name):
        """Whether an initialiser names a member."""
        return re.search(r"\.%s\s*=(?!=)" % name, self.code) is not None


def _defined(code):
    """The functions whose bodies are there: a name, parameters in round brackets, and a brace."""
    for match in re.finditer(r"\b([A-Za-z_]\w*)\s*\(", code):
        end, depth = match.end(), 1
        for bracket in re.compile(r"[(){};]").finditer(code, end):
            if bracket.group() not in "()":
                break
            depth += 1 if bracket.group() == "(" else -1
            if depth == 0:
                if re.compile(r"[\s\w]*\{").match(code, bracket.end()):
                    yield match.group(1)
                break


def path_in(folder, name):
    """As people write it: without "./"."""
    return name if folder == "." else os.path.join(folder, name)


def read(places):
    """The C files in `places`, which are files and folders (without the folders in them), each once."""
    paths = []
    for place in places:
        paths += [path_in(place, name) for name in sorted(os.listdir(place))
                  if name.endswith(_ENDINGS)] if os.path.isdir(place) else [place]
    found = {os.path.realpath(path): path for path in reversed(paths) if os.path.isfile(path)}
    return [CFile(path) for path in sorted(found.values())]
