"""The command line."""

import argparse
import errno
import os
import sys

# What only some runs need is imported by them: imports take a tenth of the time.
from . import (FOREIGN, SCHEMA, TEMPLATES, VERSION, build, embedded, emit, fingerprint, flatc, lock, lock_file, names, paths,
               reflection, symbols, texts)
from .output import Output
from .report import Report, Stop
from .source import Sources


def _check_path(path):
    """Of a schema."""
    if "\0" in path or not os.path.lexists(path):
        raise Stop("%s: there is no such file" % (path.replace("\0", "\\x00") or "''"))
    if not os.path.isfile(path):
        raise Stop("%s: this is no file; give the path of a schema" % path)
    if not path.endswith(".fbs"):
        raise Stop("%s: a schema's name ends in .fbs" % path)


class Schema:
    """A schema that was read and found good."""

    def __init__(self, path, include_dirs, flatc_path, report):
        _check_path(path)
        for folder in include_dirs:
            if not os.path.isdir(folder):
                raise Stop("%s: there is no such folder (-I)" % (folder or "''"))
        report.absolute = os.path.isabs(path)
        self.stem = os.path.splitext(os.path.basename(path))[0]
        self.file = os.path.basename(path)
        folders = include_dirs + [SCHEMA]
        self.sources = Sources(path, folders)
        texts.check(self.sources, report)
        self.reflected = reflected = reflection.read(flatc.Flatc(flatc_path, folders, report).reflect(path))
        self._check_files(reflected)
        union = build.find_union(reflected, self.sources, report)
        prefix = names.prefix(names.split(union.name)[0])
        self.game = build.Builder(reflected, self.sources, report, prefix).game(union)
        self.game.fingerprint = fingerprint.of(self.game)
        self.emitter = emit.Emitter(self.game, self.file, self.stem, self.sources)
        symbols.check(self.game, self.emitter.headers, self.sources, report)
        self.locked = lock.describe(reflected, union, self.game)

    def _check_files(self, reflected):
        """flatc and the scanner must have read the same files: each file's lines and copies depend on it."""
        read = {paths.of_flatc(each) for each in reflected.files}
        if read != set(self.sources.files):
            raise Stop("flatc and kifuc found different files for an include: %s. Name it so that only one file fits" %
                       ", ".join(sorted(read ^ set(self.sources.files))))

    def find_lock(self, path, report):
        """The schema's lock file, which may still have the name that the schema had before; where none is, its place."""
        found = lock_file.find(path, self.locked)
        if found != path + ".lock":
            report.warning((found, 1), "there is no %s any more, so this is taken for the lock file of %s: rename it to "
                           "%s.lock" % (os.path.basename(found)[:-len(".lock")], self.file, self.file))
        return found

    def check_lock(self, path, report):
        """Compares with the lock file at `path`; returns whether there is one."""
        old = lock_file.read(path, report)
        if old is not None:
            from . import evolution
            evolution.check(old, self.locked, self.sources, path, report)
            report.flush()
        return old is not None

    def bfbs(self):
        return embedded.write(self.reflected, self.game.union, self.game.model.name)


def _generate(options, report):
    schema = Schema(options.schema, options.include, options.flatc, report)
    lock_path = schema.find_lock(options.schema, report)
    locks = [os.path.realpath(lock_path)] if schema.check_lock(lock_path, report) else []
    if options.list:
        output = Output()
        output.add_list(options.output, schema.stem + ".files", schema.emitter.names() + [
            schema.stem + end for end in [".bfbs"] + (["_fuzz.c"] if options.fuzz else [])])
        output.write()
        return
    bfbs = schema.bfbs()
    files = schema.emitter.files(bfbs, options.unity)
    if options.fuzz:
        from . import fuzz
        files[schema.stem + "_fuzz.c"] = fuzz.source(schema.game, schema.file, schema.stem, options.fuzz == "hooks")
    files[schema.stem + ".bfbs"] = bfbs
    _write(options, schema, files, locks, schema.stem + ".h")


def _write(options, schema, files, others, target):
    """Writes what was generated, and says what it depends on, if that is asked for: also `others`."""
    output = Output()
    output.add_all(options.output, schema.stem + ".files", files)
    target = options.stamp or os.path.join(options.output, target)
    if options.depfile:
        output.add(options.depfile, _depfile(target, list(schema.sources.files) + others + _own_files()))
    if options.stamp:
        output.add(options.stamp, b"")
    output.write()
    if options.stamp:
        os.utime(options.stamp)


def _python(options, report):
    from . import python
    schema = Schema(options.schema, options.include, options.flatc, report)
    report.flush()
    module = python.Module(schema.emitter, schema.file, schema.stem)
    _write(options, schema, module.files(), [os.path.join(FOREIGN, "python", each) for each in python.common()],
           "%s/__init__.py" % module.package)


def _wheel(options, _report):
    from . import wheel
    print("wrote %s" % wheel.write(options.folder, options.name, options.version, options.output))


def _stubs(options, report):
    from . import stubs
    schema = Schema(options.schema, options.include, options.flatc, report)
    report.flush()
    plan = stubs.Stubs(schema.emitter, options.output, os.path.dirname(options.schema) or ".", options.source)
    in_the_way, new = None, []
    if options.view:
        in_the_way = plan.add_view()
    elif options.acts:
        plan.add_acts(plan.file)
    else:
        new = plan.add_rules()
        if plan.uses_acts(plan.own):
            plan.add_acts()
    output = Output()
    for path, content in plan.files().items():
        output.add(path, content)
    grown = [path for path in output.files if os.path.lexists(path)]
    for path in output.write():
        print("added to %s: %s" % (path, ", ".join(plan.parts[path][2])) if path in grown else "wrote %s" % path)
    for path, names in plan.left_over().items():
        print("%s has functions of events that are gone; rename or delete them: %s" % (path, ", ".join(names)))
    if in_the_way:
        print("left  %s, which has no %s_text_view; -o FILE.c names another file" % (in_the_way, schema.game.prefix))
    elif not output.files:
        print("nothing is missing")
    _show_acts(plan, options.acts or options.view and grown, new)


def _show_acts(plan, is_asked, new):
    """What a view needs that is elsewhere, or lists its Acts itself: kifuc changes no table."""
    if is_asked and plan.game.own and not plan.uses_acts():
        print("\nName them in the view:\n    const %s_view view = {%s};" % (plan.game.prefix, plan.members()))
    elif new:
        file, code, members = plan.acts_to_copy(new)
        if code:
            print("\nTo show %s, copy this to %s%s\n\n%s" % (
                "it" if len(new) == 1 else "them", file.path,
                ", and to its view: %s" % " ".join(members) if members else "", code), end="")


def _lock(options, report):
    schema = Schema(options.schema, options.include, options.flatc, report)
    path = options.output or options.schema + ".lock"
    old = path if options.output else lock_file.find(options.schema, schema.locked)
    if not options.force:
        schema.check_lock(old, report)
    report.flush()
    print(lock_file.write(path, lock_file.render(schema.locked, schema.file)))
    if old != path:
        os.remove(old)
        print("removed %s: its schema is %s now" % (old, schema.file))


def _tables(options, report):
    from . import tables
    _check_path(options.schema)
    stem = os.path.splitext(os.path.basename(options.schema))[0] + "_tables"
    output = Output()
    for name, content in tables.files(options.schema, stem, options.flatc, report).items():
        output.add(os.path.join(options.output, name), content)
    output.write()


def _new(options, report):
    from . import project, stubs
    project.write(options.name, options.output or options.name,
                  lambda path: stubs.new_view(Schema(path, [], None, report).emitter))


def _own_files():
    """kifuc's modules and templates: what it writes depends on them, too."""
    folders = [os.path.dirname(os.path.realpath(__file__)), TEMPLATES]
    return sorted(os.path.join(folder, name) for folder in folders for name in os.listdir(folder)
                  if name.endswith((".py", ".j2")))


def _depfile(target, dependencies):
    def escape(name):
        return name.replace("\\", "\\\\").replace(" ", "\\ ").replace("#", "\\#").replace("$", "$$")

    return os.fsencode("%s: \\\n  %s\n" % (escape(target), " \\\n  ".join(escape(each) for each in dependencies)))


def _schema_options(parser, output, metavar="DIR"):
    parser.add_argument("schema", metavar="SCHEMA", help="the game's schema, as nim.fbs; it includes \"kifu.fbs\", which "
                                                         "is found without -I")
    parser.add_argument("-o", "--output", metavar=metavar, required=output is None,
                        help=output or "the folder to write to, made if missing")
    parser.add_argument("-I", "--include", metavar="DIR", action="append", default=[],
                        help="a folder to look for included schemas in; may be given several times")
    parser.add_argument("--flatc", metavar="PATH", help="flatc, 2.0.8 or later; otherwise $KIFU_FLATC, or that of $PATH")


def _build_options(parser):
    parser.add_argument("--depfile", metavar="FILE", help="write a Makefile rule with all files that were read")
    parser.add_argument("--stamp", metavar="FILE", help="touch this file when done; it is the target of the depfile")


def _gen_parser(commands):
    parser = commands.add_parser(
        "gen", help="generate a game's C", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Writes the C of a game. For nim.fbs:\n\n"
                    "  DIR/nim.h           includes all other headers\n"
                    "  DIR/nim/state.h     the state, its types, and the edits\n"
                    "  DIR/nim/p_take.h    for each event: struct, submit function, and what the game has to write\n"
                    "  DIR/nim/view.h      the view and the rules\n"
                    "  DIR/nim.c           compile it, and link it with libkifu\n"
                    "  DIR/nim.bfbs        the compiled schema, as in saves: for flatc --json\n"
                    "  DIR/nim.files       the list of these files\n\n"
                    "A file is written only when its content changes, and removed when it is no longer generated. CMake\n"
                    "projects call kifu_add_game instead.",
        epilog="example: kifuc gen nim.fbs -o build/generated")
    _schema_options(parser, None)
    _build_options(parser)
    parser.add_argument("--fuzz", nargs="?", choices=["plain", "hooks"], const="plain",
                        help="also write DIR/<schema>_fuzz.c, the main of a program that fuzzes the game; it is linked "
                             "with codegen/fuzz/*.c, which includes kifu_fuzz.h. hooks: the game defines what that calls "
                             "<game>_fuzz_hooks")
    parser.add_argument("--unity", action="store_true",
                        help="the game's Do functions will be compiled in one translation unit with DIR/<schema>.c, which "
                             "then asks the compiler to inline them where events are replayed")
    parser.add_argument("--list", action="store_true",
                        help="write DIR/<schema>.files alone, the list of what would be written: for a build that has to know "
                             "the names first, in half the time")
    parser.set_defaults(run=_generate)


def _stubs_parser(commands):
    parser = commands.add_parser(
        "stubs", help="write the functions that a game still lacks, for you to fill in",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Writes the functions that a game's events need and its C files do not have yet: Do, and check, list\n"
                    "and subjects where the event has them. They do nothing yet and accept everything; the upcast of a\n"
                    "superseded event fails until you fill it in, and what is hidden is hidden from all. What you wrote is\n"
                    "never changed. Run it again after each change of the schema.\n\n"
                    "A file for each event: do_<event>.c, or upcast_<event>.c. With -o FILE.c: all in this file, at its end.\n"
                    "Without -o, a new event's functions go where those of the event before it are.\n\n"
                    "An Act shows an event. --view writes view.c, in which each Act prints its event in words; --acts writes\n"
                    "act_<event>.c for each event. Both are for a view with <GAME>_ACTS, as in view.c. In a game that has\n"
                    "one, the Act of a new event is written with its Do, where the Acts are. If a view names its Acts one by\n"
                    "one, kifuc prints that of a new event for you to copy.\n\n"
                    "kifuc looks for functions in the C files of the folder that it writes to, and where -s says.",
        epilog="examples: kifuc stubs nim.fbs\n          kifuc stubs -o rules.c nim.fbs\n"
               "          kifuc stubs --view nim.fbs")
    _schema_options(parser, "a folder, made if missing, or a file that ends in .c; by default the folder of the schema",
                    "PLACE")
    parser.add_argument("-s", "--source", metavar="PLACE", action="append", default=[],
                        help="a C file, or a folder of them, that has functions of the game, too; it is only read; may be "
                             "given several times")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--view", action="store_true", help="write a view that prints each event in words, view.c or PLACE, "
                                                           "or add the Acts that it lacks")
    which.add_argument("--acts", action="store_true", help="write the Acts that the game lacks, act_<event>.c or PLACE")
    parser.set_defaults(run=_stubs)


def _python_parser(commands):
    parser = commands.add_parser(
        "python", help="generate a game's Python module", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Writes a Python module that plays the game and reads its saves. For nim.fbs:\n\n"
                    "  DIR/nim/            the module; the game's shared library belongs into this folder, as libnim.so\n"
                    "  DIR/nim_foreign.c   compile it for that library, with codegen/foreign/*.c, nim.c, the game's functions\n"
                    "                      and Kifu\n\n"
                    "CMake projects write kifu_add_game(nim SCHEMA nim.fbs PYTHON) instead, which builds all that.",
        epilog="example: kifuc python nim.fbs -o build/python")
    _schema_options(parser, None)
    _build_options(parser)
    parser.set_defaults(run=_python)


def _wheel_parser(commands):
    parser = commands.add_parser(
        "wheel", help="pack a game's Python module with its library, for pip",
        description="Writes a wheel of the folder that has a game's module and its shared library. It needs no network and no "
                    "other package. CMake projects that call kifu_add_game(nim … PYTHON) build the target nim_wheel instead.",
        epilog="example: kifuc wheel build/nim_python/nim --version 1.2 -o dist; python3 -m pip install dist/nim-1.2-*.whl")
    parser.add_argument("folder", metavar="FOLDER", help="the folder of the module")
    parser.add_argument("--name", metavar="NAME", help="what pip calls it; by default as the folder")
    parser.add_argument("--version", metavar="VERSION", default="0", help="its version; by default 0")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder to write to, made if missing")
    parser.set_defaults(run=_wheel)


def _lock_parser(commands):
    parser = commands.add_parser(
        "lock", help="at a release, record what its saves depend on", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Writes SCHEMA.lock, a text file for you to commit: the ids, types and numbers on which the saves of\n"
                    "the released game depend. From then on, gen (and so kifu_add_game) refuses a schema that would\n"
                    "misread them, and says how to make the change instead. Run it again at each release; between two\n"
                    "releases, what the file does not contain yet may still change. kifuc refuses to renew the file after\n"
                    "a change that would misread saves. If you renamed the schema, it renames the file, too.",
        epilog="example: kifuc lock nim.fbs")
    _schema_options(parser, "the file to write; by default SCHEMA.lock, where gen looks for it", "FILE")
    parser.add_argument("--force", action="store_true", help="renew it whatever has changed; old saves are lost, so "
                                                             "this is for a game that was never released")
    parser.set_defaults(run=_lock)


def _tables_parser(commands):
    parser = commands.add_parser(
        "tables", help="(for Kifu itself) generate the runtime's own tables",
        description="Writes DIR/<schema>_tables.h and .c: structs and descriptions of all tables of a schema that is no "
                    "game's. Kifu's own schema/save.fbs becomes runtime/src/save/save_tables.h and .c, which are "
                    "committed.",
        epilog="example: codegen/kifuc tables schema/save.fbs -o runtime/src/save")
    parser.add_argument("schema", metavar="SCHEMA")
    parser.add_argument("-o", "--output", metavar="DIR", required=True)
    parser.add_argument("--flatc", metavar="PATH", help="as for gen")
    parser.set_defaults(run=_tables)


def _new_parser(commands):
    parser = commands.add_parser(
        "new", help="start a new game", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Writes a folder with a small complete game, for you to change into yours: schema, Do functions, main,\n"
                    "view, CMakeLists.txt, README.md. It builds and runs at once, and can undo, save and load.",
        epilog="example: kifuc new checkers")
    parser.add_argument("name", metavar="NAME", help="the game's name: lower-case letters, digits and underscores")
    parser.add_argument("-o", "--output", metavar="DIR", help="the folder to make; by default NAME")
    parser.set_defaults(run=_new)


_COMMANDS = {"gen": _gen_parser, "stubs": _stubs_parser, "python": _python_parser, "wheel": _wheel_parser,
             "lock": _lock_parser, "tables": _tables_parser, "new": _new_parser}


def _parser(arguments):
    """Of the command that the arguments begin with, or of all."""
    parser = argparse.ArgumentParser(
        prog="kifuc", description="Kifu's generator: from a game's FlatBuffers schema to the C of its events.",
        epilog="kifuc COMMAND --help says more. The schema's own language is FlatBuffers; Kifu's attributes are "
               "documented in schema/kifu.fbs.")
    parser.add_argument("--version", action="version", version="kifuc " + VERSION)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, add in _COMMANDS.items():
        if name in arguments[:1] or not _COMMANDS.keys() & arguments[:1]:
            add(commands)
    return parser


def main(arguments=None):
    """Runs kifuc; returns its exit status: 0, 1 for a schema that is refused, 2 for a wrong command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # A terminal may not know every character of a path.
    arguments = sys.argv[1:] if arguments is None else arguments
    options = _parser(arguments).parse_args(arguments)
    report = Report()
    try:
        options.run(options, report)
        report.flush()
        sys.stdout.flush()
    except Stop as stop:
        if str(stop):
            print("kifuc: error: %s" % stop, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1
    except OSError as error:
        print("kifuc: error: %s: %s; %s" % (error.filename or options.output, error.strerror, _advice(error.errno)),
              file=sys.stderr)
        return 1
    except (RecursionError, MemoryError):
        print("kifuc: error: %s: its types are nested too deeply, or are too large; put one thing beside the other, not into "
              "it" % options.schema, file=sys.stderr)
        return 1
    return 0


def _advice(number):
    """What to do about a fault of the system."""
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "change its permissions, or give another path"
    if number in (errno.ENOSPC, errno.EDQUOT):
        return "make room on the disk"
    return "give another path"
