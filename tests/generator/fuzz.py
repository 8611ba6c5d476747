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
import random_schema  # noqa: E402
import tools  # noqa: E402

tools.find_python(__file__)
LIMIT = 120  # Seconds for one schema: kifuc takes one or two.
_LINE = re.compile(r"\S[^:\n]*\.fbs:\d+:( \d+:)? (error|warning): \S.*|    .*")


class Late(Exception):
    """kifuc took too long."""


def _late(*_):
    raise Late()


def files_of(seed):
    """The files of a schema; every fourth has a mistake in it."""
    files = random_schema.Maker(seed).files()
    return random_schema.spoiled(files, seed) if seed % 4 == 0 else files


def check(files, folder):
    """What is wrong with kifuc's answer to a schema; '': nothing. And whether it became C."""
    for name, text in files.items():
        tools.write(os.path.join(folder, name), text)
    schema = next(iter(files))
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(LIMIT)
    try:
        status, said = tools.kifuc("gen", schema, "-o", "out", folder=folder)
        stubs = tools.kifuc("stubs", schema, "-o", "stubs", folder=folder) if status == 0 else None
    except Exception:  # pylint: disable=broad-except
        return traceback.format_exc(), False
    finally:
        signal.alarm(0)
    lines = said.splitlines()
    for line in lines:
        if not _LINE.fullmatch(line):
            return "not `file:line: error: …`: " + line, False
    if status:
        if status != 1 or not any(" error: " in line for line in lines):
            return "status %s, and no error: %s" % (status, said), False
        return "it left something behind" if os.path.exists(os.path.join(folder, "out")) else "", False
    if " error: " in said or stubs[0]:
        return "an error, and still a success: %s%s" % (said, stubs[1]), True
    return tools.faults(os.path.join(folder, "out"), schema[:-len(".fbs")], os.path.join(folder, "stubs")), True


def play(seed, keep=None):
    """Tries one schema; returns what is wrong, and whether it became C."""
    files = files_of(seed)
    with tempfile.TemporaryDirectory(prefix="kifu-fuzz-") as folder:
        wrong, became = check(files, keep or folder)
    return wrong, became


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
    while tried < count and time.monotonic() < end:
        wrong, is_c = play(seed, options.keep)
        tried, became = tried + 1, became + is_c
        if wrong:
            failed += 1
            print("seed %d: %s\n" % (seed, wrong), flush=True)
        seed += 1
    print("%d schemas: %d became C, %d were refused, %d failed" % (tried, became, tried - became, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
