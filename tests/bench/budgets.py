#!/usr/bin/env python3
"""Counts the instructions of Kifu's main paths with callgrind, and compares them with the budgets in budgets.txt.

`./dev bench --budgets` runs this for gcc and for clang. A path that takes more than 2 % more than its budget is over it. One that takes
more than 2 % less has a budget that hides the next loss: `./dev bench --budgets --write` writes what was counted. Some paths are
also compared with others: instructions show what the caches of the machine hide in times.
"""

import argparse
import re
import subprocess
import sys

MARGIN = 0.02
# A path with one of these at its end may take so many times what it takes without: with four times as many lines in the
# game, and with variations in it.
COMPARED = {"_x4": 1.05, "_tree": 1.05}
HEAD = """# Instructions for each event on Kifu's main paths, as callgrind counts them. `./dev bench --budgets` compares, and
# `./dev bench --budgets --write` writes this file anew. A line: compiler and processor, path, instructions.
"""


def parse(text):
    """{compiler: {path: instructions}} of the text of budgets.txt."""
    budgets = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            *compiler, path, count = line.split()
            budgets.setdefault(" ".join(compiler), {})[path] = float(count)
    return budgets


def write(budgets):
    """The text of budgets.txt."""
    lines = ["%-22s %-18s %10.1f" % (compiler, path, count) for compiler in sorted(budgets)
             for path, count in budgets[compiler].items()]
    return HEAD + "\n" + "\n".join(lines) + "\n"


def judge(counted, budget):
    """What to say of a path, and whether it is within its budget."""
    if budget is None:
        return "no budget yet: --write adds it", False
    change = counted / budget - 1
    if change > MARGIN:
        return "%+.1f %%: over its budget" % (100 * change), False
    if change < -MARGIN:
        return "%+.1f %%: lower the budget with --write" % (100 * change), False
    return "%+.1f %%" % (100 * change), True


def compare(path, counted):
    """What to say of a path beside another one, and whether it takes no more than it may. `counted`: of all paths."""
    for ending, most in COMPARED.items():
        if path.endswith(ending):
            other = path[:-len(ending)]
            ratio = counted[path] / counted[other]
            return "; %.2f x %s%s" % (ratio, other, "" if ratio <= most else ": more than %.2f" % most), ratio <= most
    return "", True


def instructions(report):
    """The sum in what callgrind reports."""
    return int(re.search(r"Collected : (\d+)", report).group(1))


def count(program, path):
    """Instructions for each event of one path."""
    ran = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=measured",
                          program, path], check=True, capture_output=True, text=True)
    return instructions(ran.stderr) / int(ran.stdout)


def ask(program, what):
    return subprocess.run([program, what], check=True, capture_output=True, text=True).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--budgets", required=True, help="the file with the budgets")
    parser.add_argument("--write", action="store_true", help="write what was counted into it")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM", help="kifu_budget, as each compiler built it")
    options = parser.parse_args()
    with open(options.budgets, encoding="utf-8") as stream:
        budgets = parse(stream.read())
    good = True
    for program in options.programs:
        compiler = ask(program, "--compiler")
        known = budgets.get(compiler)
        if known is None and not options.write:
            print("%s: budgets.txt has no budgets for it; these are the counts:" % compiler)
        counted = {path: count(program, path) for path in ask(program, "--paths").split()}
        for path, number in counted.items():
            said, fine = judge(number, (known or {}).get(path))
            beside, no_more = compare(path, counted)
            print("%-22s %-18s %10.1f  %s%s" % (compiler, path, number, said, beside))
            good = good and (fine or known is None) and no_more
        if options.write:
            budgets[compiler] = counted
    if options.write:
        with open(options.budgets, "w", encoding="utf-8") as stream:
            stream.write(write(budgets))
        return 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
