"""What is said of a schema's texts before flatc reads them, which would say it in terms of its own, or not at all."""

import os
import re

from . import SCHEMA, names

# Headers of the C library: a generated file of that name would hide one where its folder is searched.
_HEADERS = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string strings tgmath threads time uchar
wchar wctype features alloca endian fcntl malloc memory pthread sched unistd""".split()


def check_files(sources, report):
    """Whether flatc can read them."""
    for file in sources.files.values():
        if file.fault:
            report.error((file.path, file.fault[0]), file.fault[1])
    report.flush()  # The rest would follow from it.
    for path, line, name, why in sources.missing:
        report.error((path, line), "`%s` cannot be read: %s; change its permissions" % (_shown(name), why) if why else
                     "there is no file `%s` beside this one, nor in a folder that is given with -I; correct the name, or add a "
                     "folder" % _shown(name))
    _check_file_names(sources, report)
    report.flush()


def check(sources, report):
    """Whether the files are those of a game."""
    check_files(sources, report)
    includes = [name for file in sources.files.values() for name, _ in file.includes]
    if not any(name.rpartition("/")[2] == "kifu.fbs" for name in includes):
        report.error((sources.main, 1), 'the schema does not include Kifu\'s: write include "kifu.fbs"; at the top')
    told, ours = set(), os.path.realpath(SCHEMA)
    for path, each in sources.declarations.values():
        if each.kind == "union" and names.split(each.name)[1] == "Event" and len(each.members) > 255:
            report.error((path, each.line), "%d event types, and Kifu allows 255: give one type a field that says which of "
                                            "several things happens" % len(each.members))
        namespace = names.split(each.name)[0]
        if os.path.dirname(path) != ours and (path, namespace) not in told:
            told.add((path, namespace))
            _check_namespace((path, each.line), namespace, report)
        if each.kind == "struct":
            _check_order(sources, path, each, report)
    report.flush()


def _shown(name):
    """A name from a schema, as text that a terminal can show."""
    return "".join(each if each.isprintable() else "\\x%02x" % ord(each) for each in name)


def _check_file_names(sources, report):
    """The names of files stand in C, in a Makefile rule, and in other schemas."""
    for path in sources.files:
        stem = os.path.splitext(os.path.basename(path))[0]
        ours = os.path.dirname(path) == os.path.realpath(SCHEMA)
        if not ours and stem + ".fbs" in os.listdir(SCHEMA):
            report.error((path, 1), "this file is called as one of Kifu's own, and is found in place of it; rename it")
        elif re.search(r'[\\"]|\?\?', stem) or not stem.isprintable():
            report.error((path, 1), "this file's name has a quote, a backslash, ?? or a character that cannot be shown, and "
                                    "generated files are called after it: rename it")
        elif "\\" in path or not _is_text(path):
            report.error((path, 1), "flatc cannot read a file whose path has a backslash, or bytes that are not UTF-8: rename "
                                    "the folder")
        elif path == sources.main and stem in _HEADERS:
            report.error((path, 1), "the generated file %s.h would hide a header of the C library; rename this file" % stem)


def _is_text(path):
    try:
        path.encode("utf-8")
        return True
    except UnicodeEncodeError:
        return False


def _check_namespace(place, namespace, report):
    prefix = names.prefix(namespace)
    if prefix == "kifu" or prefix.startswith("kifu_"):
        report.error(place, "the namespace %s is the library's: give the game its own" % namespace)
    elif prefix.startswith("_"):
        report.error(place, "names in C that begin with an underscore are the compiler's: begin the namespace %s with a "
                            "letter" % namespace)


def _check_order(sources, path, struct, report):
    """flatc must know what is in a struct before it reads the struct."""
    for member, name in struct.types.items():
        found = [sources.declarations[each] for each in names.candidates(struct.name, name) if each in sources.declarations]
        here = sources.order(struct.name)
        if any(sources.order(each.name) < here for _, each in found):
            continue
        for where, each in found[:1]:
            place = (path, struct.members[member])
            if each is struct:
                report.error(place, "a struct cannot hold itself; hold an index instead")
            elif each.kind in ("struct", "enum"):
                report.error(place, "`%s` is declared below (%s:%d), and a struct can hold only what is declared above it: move "
                             "`%s %s` above `struct %s`" % (name, report.path(where), each.line, each.kind,
                                                           names.split(each.name)[1], names.split(struct.name)[1]))
            else:
                report.error(place, "`%s` is a %s, and a struct holds only numbers, enums and structs: make it a struct" %
                             (name, each.kind))
