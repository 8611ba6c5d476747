#!/usr/bin/env python3
"""`./dev mutate N [WHERE]`: plants N faults into the runtime, one at a time, and lists those that no suite notices."""

import argparse
import concurrent.futures
import json
import os
import random
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "coverage"))

import plant  # noqa: E402
import planted  # noqa: E402
import reach  # noqa: E402
import reasons  # noqa: E402
import suites  # noqa: E402

# Of 100 faults so many are of a kind, where there are as many.
SHARES = {"statement": 40, "condition": 30, "bound": 20, "call": 10}
GOAL = 95


def choose(sources, where, seed):
    """All faults of a room, in an order by the seed, with the shares of the kinds."""
    dice = random.Random(seed)
    by_kind = {kind: [] for kind in plant.KINDS}
    for path, text in sorted(sources.items()):
        if path == where or path.startswith(where.rstrip("/") + "/"):
            for fault in plant.faults_of(text):
                by_kind[fault.kind].append((path, fault))
    for each in by_kind.values():
        dice.shuffle(each)
    chosen, taken = [], {kind: 0 for kind in plant.KINDS}
    while any(by_kind.values()):
        # The kind that lags behind its share most.
        kind = min((kind for kind in plant.KINDS if by_kind[kind]), key=lambda kind: (taken[kind] + 1) / SHARES[kind])
        taken[kind] += 1
        chosen.append(by_kind[kind].pop())
    return chosen


class Counts:
    def __init__(self):
        self.planted = self.caught = self.same = self.refused = self.accepted = 0


class Run:
    """One run of the command."""

    def __init__(self, options, build, reached, times, known):
        self.options = options
        self.build = build
        self.reached = reached
        self.times = times
        self.known = known
        self.suites = {suite.name: suite for suite in suites.of_build(build.folder)}
        self.lock = threading.Lock()
        self.survivors = []

    def suites_for(self, path, fault):
        """The suites that run a line of the fault, the quickest first. gcov may have no count for the line: then those
        that reach the function, or, where that is always inlined and so has no name, the line before."""
        lines = set(range(fault.line, fault.last_line + 1))
        file = self.reached.all.get(path)
        if file and not lines & set(file.lines):
            lines = {line for line, function in file.functions.items() if function == fault.function}
            lines = lines or {max((line for line in file.lines if line < fault.line), default=0)}
        names = self.reached.suites_of(path, lines) & set(self.times)
        return [self.suites[name] for name in sorted(names, key=self.times.get)]

    def read(self, path):
        with open(os.path.join(self.options.root, path), encoding="utf-8") as stream:
            return stream.read()

    def try_fault(self, worker, path, fault, counts):
        """Returns what became of it, in a word, and whether it counts."""
        known = self.known.of(fault.function, fault.what())
        if known is not None:
            return "accepted"
        built = worker.plant(path, fault.plant(self.read(path)))
        if built != "planted":
            return built
        concerned = self.suites_for(path, fault)
        caught = None
        for suite in concerned:
            why = worker.run(suite, max(self.options.seconds, 10 * self.times[suite.name]))
            if why:
                caught = "%s %s" % (suite.name, why)
                break
        with self.lock:
            counts.planted += 1
            if caught:
                counts.caught += 1
            else:
                words = "%s/%s:%d: %s: %s" % (self.options.root, path, fault.line, fault.function, fault.what())
                ran = "no suite reaches this line" if not concerned else "%d suites did not notice" % len(concerned)
                self.survivors.append(words)
                print("%s\n    %s" % (words, ran), flush=True)
            if self.options.verbose and caught:
                print("caught: %s:%d: %s: %s\n    %s" % (path, fault.line, fault.function, fault.what(), caught),
                      flush=True)
        return "planted"

    def try_room(self, workers, faults, count):
        """Plants `count` of the faults; those that do not compile or change nothing are replaced by others."""
        counts = Counts()
        faults = iter(faults)
        taking = threading.Lock()
        begun = [0]

        def take():
            with taking:
                if begun[0] >= count:
                    return None
                fault = next(faults, None)
                begun[0] += fault is not None
                return fault

        def work(worker):
            for fault in iter(take, None):
                result = self.try_fault(worker, *fault, counts)
                if result != "planted":
                    with taking:
                        begun[0] -= 1
                        setattr(counts, result, getattr(counts, result) + 1)

        each_works(work, workers)
        return counts

    def try_all(self, workers):
        """Returns whether enough was caught in each room."""
        sources = {}
        for folder, _, names in sorted(os.walk(self.options.root)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.options.root)
                if self.build.objects_of(path):
                    sources[path] = self.read(path)
        rooms = [self.options.where] if self.options.where else sorted({path.split("/")[0] for path in sources})
        faults = {room: choose(sources, room, self.options.seed) for room in rooms}
        whole = sum(map(len, faults.values()))
        if not whole:
            sys.exit("mutate: nothing can be planted in %s" % self.options.where)
        lines, good = [], True
        for room in rooms:
            counts = self.try_room(workers, faults[room], -(-self.options.count * len(faults[room]) // whole))
            share = 100.0 * counts.caught / counts.planted if counts.planted else 100.0
            good = good and share >= GOAL
            lines.append("%-24s caught %d of %d, %.1f %%; besides, %d did not compile, %d compiled to the same, %d are "
                         "accepted" % (room, counts.caught, counts.planted, share, counts.refused, counts.same,
                                       counts.accepted))
            print(lines[-1], flush=True)
        if len(lines) > 1:
            print("\n".join(lines))
        return good


def each_works(work, workers):
    """Calls work(worker) for all workers at once."""
    with concurrent.futures.ThreadPoolExecutor(len(workers)) as pool:
        for done in [pool.submit(work, worker) for worker in workers]:
            done.result()


def measure(build, workers):
    """Suite → its seconds without a fault; measured where its program has changed. Ends the program where one fails."""
    path = os.path.join(build.folder, "times.json")
    stored = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as stream:
            stored = json.load(stream)
    found = [suite for suite in suites.of_build(build.folder) if suite.program in build.programs]
    digests = {suite.name: suite.digest() for suite in found}
    changed = [suite for suite in found if stored.get(suite.name, [""])[0] != digests[suite.name]]
    if changed:
        print("Running %d of %d suites without a fault …" % (len(changed), len(found)), flush=True)
    rest = iter(changed)
    taking = threading.Lock()

    def work(worker):
        while True:
            with taking:
                suite = next(rest, None)
            if suite is None:
                return
            started = time.monotonic()
            fault = worker.run(suite, 600)
            if fault:
                raise RuntimeError("without any fault planted, %s %s" % (suite.name, fault))
            stored[suite.name] = [digests[suite.name], time.monotonic() - started]

    each_works(work, workers)
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(stored, stream)
    return {suite.name: stored[suite.name][1] for suite in found}


def main(arguments):
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__)
    parser.add_argument("count", type=int, help="how many faults to plant, in all")
    parser.add_argument("where", nargs="?", default="", help="a room (core), or a file (core/run.c); all of them otherwise")
    parser.add_argument("--seed", type=int, default=1, help="another seed plants others")
    parser.add_argument("--verbose", action="store_true", help="tell what was caught, too, and by what")
    parser.add_argument("--seconds", type=int, default=10, help="a suite that takes longer, and ten times as long as "
                        "without the fault, is in a loop, which counts as caught")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sanitized", action="store_true", help="the build folder is built with sanitizers")
    parser.add_argument("--build", required=True, help="the build folder whose suites run")
    parser.add_argument("--coverage", required=True, help="the build folder that counts which suite reaches what")
    parser.add_argument("--root", required=True, help="the folder of the sources: a folder for each room")
    parser.add_argument("--accepted", required=True, help="the list of faults that change nothing")
    options = parser.parse_args(arguments)
    known = reasons.Reasons(options.accepted)
    for fault in known.faults:
        sys.exit(fault)

    reached = reach.reach(options.coverage, options.root, workers=options.workers)
    if reached.failed:
        sys.exit("%s: %s" % reached.failed[0])

    build = planted.Build(options.build, options.root)
    # In the build folder, because there programs may run; in TMPDIR perhaps not.
    with tempfile.TemporaryDirectory(prefix="kifu-mutate-", dir=build.folder) as folder:
        workers = [planted.Worker(build, os.path.join(folder, str(i)), options.sanitized) for i in range(options.workers)]
        run = Run(options, build, reached, measure(build, workers), known)
        return 0 if run.try_all(workers) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
