#!/usr/bin/env python3
"""Feeds kifuc with random schemas (random_schema.py): it must make clean C of each, or refuse it in words (G01).

    tests/generator/fuzz.py                          100 schemas, each drawn from its seed: 1, 2, …
    tests/generator/fuzz.py --seed 7 --count 1       one of them
    tests/generator/fuzz.py --seconds 3600           for an hour, from a seed of the clock
    tests/generator/fuzz.py --seed 7 --count 1 --keep DIR   also leaves the schema in DIR
"""

import argparse
import os
import re
import signal
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
import modules  # noqa: E402
import random_schema  # noqa: E402
import tools  # noqa: E402

tools.find_python(__file__)
tools.keep_compiled()
LIMIT = 120  # Seconds for one schema: kifuc takes one or two.
_LINE = re.compile(r"\S[^:\n]*\.fbs(?:\.lock)?:\d+:( \d+:)? (error|warning): \S.*|    .*")


class Late(Exception):
    """kifuc took too long."""


def _late(*_):
    raise Late()


def files_of(seed):
    """The files of a schema; every fourth has a mistake in it."""
    files = random_schema.Maker(seed).files()
    return random_schema.spoiled(files, seed) if seed % 4 == 0 else files


class Wrong(Exception):
    """What kifuc did wrong."""


def answer(folder, *arguments):
    """Runs kifuc; returns whether it succeeded."""
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(LIMIT)
    try:
        status, said = tools.kifuc(*arguments, folder=folder)
    except Exception as error:
        raise Wrong(traceback.format_exc()) from error
    finally:
        signal.alarm(0)
    lines = said.splitlines()
    for line in lines:
        if not _LINE.fullmatch(line) and not line.startswith(("wrote ", "left ")):
            raise Wrong("not `file:line: error: …`: " + line)
    if status not in (0, 1) or (status == 1) != any(" error: " in line for line in lines):
        raise Wrong("%s: status %s, and it says: %s" % (arguments[0], status, said))
    return status == 0


def check(files, folder, seed):
    """Whether a schema became C; raises Wrong."""
    for name, text in files.items():
        tools.write(os.path.join(folder, name), text)
    schema = next(iter(files))
    out, stubs = os.path.join(folder, "out"), os.path.join(folder, "stubs")
    if not answer(folder, "gen", schema, "-o", "out"):
        if os.path.exists(out):
            raise Wrong("it left something behind")
        return False
    if not answer(folder, "stubs", schema, "-o", "stubs"):
        raise Wrong("no stubs of a good schema")
    if not answer(folder, "stubs", "--view", schema, "-o", "stubs"):
        raise Wrong("no view of a good schema")
    said = tools.faults(out, schema[:-len(".fbs")], stubs)
    if said:
        raise Wrong(said)
    check_module(schema, folder, out)
    if seed % 3 == 0:
        check_lock(schema, folder, seed)
    return True


def check_module(schema, folder, out):
    """Its Python module."""
    if not answer(folder, "python", schema, "-o", "python"):
        raise Wrong("no module of a good schema")
    try:
        said = modules.faults(os.path.join(folder, "python"), schema[:-len(".fbs")], out)
    except Exception as error:
        raise Wrong(traceback.format_exc()) from error
    if said:
        raise Wrong(said)


def check_lock(schema, folder, seed):
    """A lock file with a mistake in it is understood or refused."""
    path = os.path.join(folder, schema + ".lock")
    if not answer(folder, "lock", schema) or not answer(folder, "gen", schema, "-o", "out"):
        raise Wrong("no lock of a good schema")
    text = tools.read(path).decode()
    tools.write(path, random_schema.spoiled({path: text}, seed)[path])
    answer(folder, "gen", schema, "-o", "out")
    answer(folder, "lock", schema)


def play(seed, keep=None):
    """Tries one schema; returns what is wrong, and whether it became C."""
    files = files_of(seed)
    with tempfile.TemporaryDirectory(prefix="kifu-fuzz-") as folder:
        try:
            return "", check(files, keep or folder, seed)
        except Wrong as wrong:
            return str(wrong), False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--keep", metavar="DIR")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else 4 * (int(time.time()) % 10 ** 8) if options.seconds else 1
    count = options.count or (10 ** 9 if options.seconds else 100)
    end = time.monotonic() + (options.seconds or 10 ** 9)
    tried = became = failed = 0
    stopped = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.append(True))
    while tried < count and time.monotonic() < end and not stopped:
        wrong, is_c = play(seed, options.keep)
        tried, became = tried + 1, became + is_c
        if wrong and not stopped:
            failed += 1
            print("seed %d: %s\n" % (seed, "\n".join(wrong.splitlines()[:30])), flush=True)
        seed += 1
    print("%d schemas: %d became C, %d were refused, %d failed" % (tried, became, tried - became, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
