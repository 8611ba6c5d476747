"""What the tests of the generator share."""

import atexit
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PACKAGE = os.path.join(ROOT, "codegen", "python")
KIFUC = os.path.join(ROOT, "codegen", "kifuc")
REWRITE = False

sys.path.insert(0, PACKAGE)
from kifuc import cli  # noqa: E402

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
# The games that several tests generate: name → schema, include folders.
SCHEMAS = {
    "nim": ("tests/generator/schemas/nim/nim.fbs", []),
    "everything": ("tests/generator/schemas/everything/everything.fbs", []),
    "dungeon": ("tests/generator/schemas/dungeon/dungeon.fbs", []),
    "realms": ("tests/generator/schemas/realms/realms.fbs", ["tests/generator/schemas/realms/include"]),
    "saga": ("tests/generator/schemas/saga/saga.fbs", []),
    "vault": ("tests/games/vault/vault.fbs", []),
    "reversi": ("examples/reversi/reversi.fbs", []),
}


def find_python(script):
    """Starts a script anew with a Python that has what kifuc imports: a machine may have several."""
    try:
        import jinja2  # noqa: F401
    except ImportError:
        other = os.environ.get("KIFU_PYTHON", "/usr/bin/python3")
        if os.path.realpath(other) == os.path.realpath(sys.executable) or os.environ.get("KIFU_RETRIED"):
            raise
        os.environ["KIFU_RETRIED"] = "1"
        os.execv(other, [other, os.path.abspath(script)] + sys.argv[1:])


def keep_compiled():
    """What Python and Jinja compile is kept for this run."""
    folder = tempfile.mkdtemp(prefix="kifu-cache-")
    atexit.register(shutil.rmtree, folder, True)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = folder
    sys.dont_write_bytecode = False


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def files(folder):
    """All files below a folder."""
    return sorted(os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names)


def kifuc(*arguments, folder=ROOT):
    """Runs kifuc inside this process; returns its status and what it wrote to both streams."""
    before = os.getcwd()
    out = io.StringIO()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                status = cli.main(list(arguments))
            except SystemExit as end:
                status = end.code
    finally:
        os.chdir(before)
    return status, out.getvalue()


def generate(name, output):
    """Generates one of SCHEMAS into a folder."""
    schema, includes = SCHEMAS[name]
    return kifuc("gen", schema, "-o", output, *[part for each in includes for part in ("-I", each)])


def compilers(language):
    """The compilers that this machine has: gcc and clang, both if possible."""
    names = {"c": ("gcc", "clang"), "c++": ("g++", "clang++")}[language]
    return [each for each in names if shutil.which(each)]


def compile_only(compiler, *paths_and_flags):
    """Checks files with all warnings on; returns what the compiler says, '' when it is content."""
    done = subprocess.run([compiler, *WARNINGS, "-I", os.path.join(ROOT, "runtime", "include"), "-fsyntax-only",
                           *sorted(paths_and_flags, key=os.path.isabs)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    text = done.stdout.decode("utf-8", "replace")
    return text or ("" if done.returncode == 0 else "failed")


def assembly(compiler, source, folders):
    """What a file is compiled to, optimized."""
    includes = ["-I" + each for each in [os.path.join(ROOT, "runtime", "include")] + folders]
    return subprocess.run([compiler, "-std=c11", "-O2", "-DNDEBUG", "-S", "-o", "-", *includes, source], check=True,
                          capture_output=True, text=True).stdout


def faults(out, stem, stubs):
    """What the compilers say of generated files in all the languages that Kifu promises; '' when they are content."""
    write(os.path.join(out, "all.cpp"), '#include "%s.h"\n' % stem)
    # In one file, which is quicker; the stubs first, so that nothing of theirs shadows what the source has to itself.
    write(os.path.join(out, "all.c"), "".join('#include "%s"\n' % each for each in [
        os.path.join(stubs, name) for name in sorted(os.listdir(stubs))] + [stem + ".c"]))
    runs = [(each, "all.c", standard) for each in compilers("c") for standard in ("c11", "gnu11")]
    runs += [(each, "all.cpp", "c++17") for each in compilers("c++")]
    for compiler, name, standard in runs:
        said = compile_only(compiler, os.path.join(out, name), "-std=" + standard, "-I" + out)
        if said:
            return "%s -std=%s:\n%s" % (compiler, standard, said)
    return ""
