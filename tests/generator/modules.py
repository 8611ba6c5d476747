"""Whether a schema's Python module and its C are right, without a library: the compiler confirms each size and place that the
module expects of one."""

import importlib.util
import itertools
import os
import re
import sys

import tools

_numbers = itertools.count()


def faults(python, stem, generated):
    """What is wrong with what `kifuc python` wrote to the folder `python`; '' if nothing is. `generated`: the folder of `gen`."""
    [package] = [each for each in os.listdir(python) if os.path.isdir(os.path.join(python, each))]
    expected = [place for _, place in _places(os.path.join(python, package))]
    path = os.path.join(python, stem + "_foreign.c")
    text = tools.read(path).decode()
    asked = re.findall(r"(?m)^    (\w+\(.*\)),$", text)
    if len(asked) != len(expected):
        return "the module expects %d sizes and places, and the library has %d" % (len(expected), len(asked))
    tools.write(path, text + "".join('_Static_assert(%s == %d, "%s");\n' % (each, place, each)
                                     for each, place in zip(asked, expected)))
    for compiler in tools.compilers("c"):
        said = tools.compile_only(compiler, path, "-std=c11", "-I" + generated, "-Wno-keyword-macro", "-Wno-missing-prototypes")
        if said:
            return "%s:\n%s" % (compiler, said)
    return ""


def _places(folder):
    """Imports a module whose library always fits; returns what it would have compared with one."""
    name = "module_%d" % next(_numbers)
    spec = importlib.util.spec_from_file_location(name, os.path.join(folder, "__init__.py"),
                                                  submodule_search_locations=[folder])
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        library, found = importlib.import_module(name + "._kifu.library"), []
        library.Library = lambda _path, _stem, _prefix, _fingerprint, tables, structs, *_: found.extend(
            library.places(tables, structs))
        spec.loader.exec_module(module)
        return found
    finally:
        for each in [each for each in sys.modules if each.split(".")[0] == name]:
            del sys.modules[each]
