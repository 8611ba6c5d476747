#!/usr/bin/env python3
"""`./dev coverage`: how many lines and branches of the runtime the suites reach, by file and in all, and which they do
not reach. Branches are counted as gcov counts them: two for each condition."""

import argparse
import os
import sys

import reach
import reasons


class Figures:
    def __init__(self):
        self.lines = self.reached_lines = self.reasoned_lines = 0
        self.branches = self.reached_branches = self.reasoned_branches = 0

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def describe_branch(index, branches, text):
    if text.startswith("switch") or len(branches) % 2:
        return "branch %d of %d" % (index + 1, len(branches))
    pair = index // 2
    which = "the condition" if len(branches) == 2 else "condition %d of %d" % (pair + 1, len(branches) // 2)
    return which + (" always goes the same way" if branches[index ^ 1] else " is not evaluated")


def look_at(path, file, source, known):
    """The Figures of one file, and what is not reached: [(line, function, text, what)]."""
    figures = Figures()
    missing = []
    for line in sorted(file.lines):
        text = reasons.squeeze(source[line - 1])
        function = file.functions.get(line, "")
        figures.lines += 1
        branches = file.branches.get(line, [])
        figures.branches += len(branches)
        figures.reached_branches += sum(1 for times in branches if times)
        if not file.lines[line]:
            if known.of(function, text) is None:
                missing.append((line, function, text, "not reached"))
            else:
                figures.reasoned_lines += 1
                figures.reasoned_branches += len(branches)
            continue
        figures.reached_lines += 1
        open_ones = [index for index, times in enumerate(branches) if not times]
        if not open_ones:
            continue
        # The number is part of what the reason is for: one more is not reached for another reason.
        if known.of(function, "%s [%d]" % (text, len(open_ones))) is not None:
            figures.reasoned_branches += len(open_ones)
            continue
        what = []
        for index in open_ones:
            words = describe_branch(index, branches, text)
            if words not in what:
                what.append(words)
        missing.append((line, function, text, "[%d] %s" % (len(open_ones), ", ".join(what))))
    return figures, [(path,) + each for each in missing]


def row(name, figures):
    return "%-28s %6d of %6d lines  %6.2f %%   %6d of %6d branches  %6.2f %%" % (
        name, figures.reached_lines, figures.lines, percent(figures.reached_lines, figures.lines),
        figures.reached_branches, figures.branches, percent(figures.reached_branches, figures.branches))


def main(arguments):
    parser = argparse.ArgumentParser(prog="./dev coverage", description=__doc__)
    parser.add_argument("--build", required=True, help="the build folder")
    parser.add_argument("--root", required=True, help="the folder of the sources that count")
    parser.add_argument("--reasons", required=True, help="the list of what cannot be reached")
    parser.add_argument("--lines", type=float, default=99.5, help="the goal for lines, in percent")
    parser.add_argument("--branches", type=float, default=97, help="the goal for branches, in percent")
    parser.add_argument("--again", action="store_true", help="run all suites, whether they changed or not")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    reached = reach.reach(options.build, options.root, options.again, options.workers)
    for name, fault in reached.failed:
        print("%s: %s" % (name, fault), file=sys.stderr)
    known = reasons.Reasons(options.reasons)
    total = Figures()
    missing = []
    for path in sorted(reached.all):
        with open(os.path.join(options.root, path), encoding="utf-8") as stream:
            figures, open_ones = look_at(path, reached.all[path], stream.read().splitlines(), known)
        print(row(path, figures))
        total.add(figures)
        missing += open_ones
    print(row("in all", total))
    reasoned = [percent(total.reached_lines + total.reasoned_lines, total.lines),
                percent(total.reached_branches + total.reasoned_branches, total.branches)]
    print("with those that have a reason: %.2f %% of the lines, %.2f %% of the branches" % tuple(reasoned))
    if missing:
        print("Not reached, and without a reason in %s:" % options.reasons)
    for path, line, function, text, what in missing:
        print("%s:%d: %s: %s\n    %s" % (os.path.join(options.root, path), line, function, text, what))
    for entry in known.unused():
        print("%s: %s: %s: this line is gone, or is reached" % (options.reasons, *entry))
    for fault in known.faults:
        print(fault)
    good = (percent(total.reached_lines, total.lines) >= options.lines and
            percent(total.reached_branches, total.branches) >= options.branches)
    if not good:
        print("The goal is %g %% of the lines and %g %% of the branches." % (options.lines, options.branches))
    return 0 if good and not reached.failed and not known.faults else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
