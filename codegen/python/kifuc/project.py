"""kifuc new: a folder with a complete little game."""

import os
import re
import shlex
import tempfile

from . import ROOT, TEMPLATES, words
from .output import Output
from .report import Stop
from .templates import environment, render

# Names that CMake or the build tools keep for themselves.
_TARGETS = {"all", "clean", "depend", "edit_cache", "help", "install", "kifu", "package", "rebuild_cache", "test"}


def _check(name):
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name.endswith("_") or "__" in name:
        raise Stop("`%s` cannot be a game's name: take lower-case letters, digits and single underscores, with a letter in "
                   "front" % name)
    why = words.reserved(name) or ("a name that CMake or Kifu keeps for itself" if name in _TARGETS else None)
    if why:
        raise Stop("`%s` is %s; choose another name" % (name, why))


def write(name, folder, view_of):
    """Writes the game `name` into `folder`, which is made, or there and empty. `view_of` returns the file of the view
    for a schema."""
    _check(name)
    if os.path.exists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        raise Stop("%s is there already; give another folder with -o, or another name" % folder)
    # Out of Kifu's sources, nothing is installed for the game to find.
    option = " -DKIFU_DIR=" + shlex.quote(ROOT) if os.path.exists(os.path.join(ROOT, "runtime")) else ""
    output = Output()
    for file, content in sorted(_files(name, view_of).items()):
        output.add(os.path.join(folder, file), content)
    for path in output.write(new=True):
        print("wrote %s" % path)
    here = shlex.quote(folder)
    build = shlex.quote(os.path.join(folder, "build"))
    print("\nBuild and play it:\n  cmake -S %s -B %s%s\n  cmake --build %s\n  %s" % (
        here, build, option, build, shlex.quote(os.path.join(folder, "build", name))))


def _files(name, view_of):
    """The game's files: name and content."""
    templates = environment()
    schema = name + ".fbs"
    files = {template[:-3].replace("game.fbs", schema): render(templates, "new/" + template, {"name": name})
             for template in os.listdir(os.path.join(TEMPLATES, "new")) if template.endswith(".j2")}
    with tempfile.TemporaryDirectory(prefix="kifuc-") as folder:
        path = os.path.join(folder, schema)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(files[schema])
        return {**files, **view_of(path)}
