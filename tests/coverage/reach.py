"""Which lines and branches of the runtime each suite reaches, by gcov, from a build folder that instrument.cmake has
instrumented. A suite runs again when its program has changed."""

import concurrent.futures
import json
import os
import shutil
import subprocess
import tempfile

import suites

# In the time that a suite may take; the slowest takes 20 s, more on a busy machine.
SECONDS = 600


class File:
    """How often each line of a file was reached: number → times; and branches: number → [times, …]."""

    def __init__(self):
        self.lines = {}
        self.branches = {}
        self.functions = {}  # line → the name of the function that has it

    def add(self, other):
        for line, times in other.lines.items():
            self.lines[line] = self.lines.get(line, 0) + times
        for line, branches in other.branches.items():
            # An inline function of a header is in several objects, in each with the same branches.
            mine = self.branches.setdefault(line, [0] * len(branches))
            mine.extend([0] * (len(branches) - len(mine)))
            for i, times in enumerate(branches):
                mine[i] += times
        self.functions.update(other.functions)


def _of_gcov(shown, root, files):
    """Adds what one document of gcov's JSON says of the sources below `root` to `files`: path → File."""
    for each in shown["files"]:
        path = os.path.normpath(os.path.join(shown["current_working_directory"], each["file"]))
        if not path.startswith(root + os.sep):
            continue
        found = File()
        for line in each["lines"]:
            number = line["line_number"]
            # Of a function that was compiled in several versions there are several lines.
            one = File()
            one.lines[number] = line["count"]
            if line["branches"]:
                one.branches[number] = [branch["count"] for branch in line["branches"]]
            one.functions[number] = line.get("function_name", "")
            found.add(one)
        files.setdefault(os.path.relpath(path, root), File()).add(found)


def _gcov(folder, names, root):
    files = {}
    for at in range(0, len(names), 50):
        done = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout"] + names[at:at + 50],
                              cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in done.stdout.splitlines():
            if line.strip():
                _of_gcov(json.loads(line), root, files)
    return files


def _store(path, digest, files):
    text = {name: [file.lines, file.branches, file.functions] for name, file in files.items()}
    with open(path + ".new", "w", encoding="utf-8") as stream:
        json.dump({"digest": digest, "files": text}, stream)
    os.replace(path + ".new", path)


def _load(path, digest=None):
    """None where there is nothing, or something of another digest."""
    try:
        with open(path, encoding="utf-8") as stream:
            stored = json.load(stream)
    except (OSError, ValueError):
        return None
    if digest and stored["digest"] != digest:
        return None
    files = {}
    for name, members in stored["files"].items():
        file = files[name] = File()
        file.lines, file.branches, file.functions = ({int(line): value for line, value in each.items()}
                                                     for each in members)
    return files


class Reached:
    """What a build folder's suites reach: `suites` name → {path below runtime/src → File}; `all` is their sum."""

    def __init__(self):
        self.suites = {}
        self.all = {}
        self.failed = []

    def add(self, name, files):
        self.suites[name] = files
        for path, file in files.items():
            self.all.setdefault(path, File()).add(file)

    def suites_of(self, path, lines):
        """The suites that reach one of these lines."""
        return {name for name, files in self.suites.items()
                if path in files and any(files[path].lines.get(line, 0) for line in lines)}


def _notes(build):
    """gcov's notes about each object that the build has now; others may lie about from a build before."""
    shown = subprocess.run(["ninja", "-C", build, "--quiet", "-t", "compdb"], check=True, stdout=subprocess.PIPE)
    outputs = {each.get("output", "") for each in json.loads(shown.stdout)}
    notes = [os.path.join(build, output[:-len(".o")] + ".gcno") for output in sorted(outputs) if output.endswith(".o")]
    return [note for note in notes if os.path.exists(note)]


def _reach_one(suite, build, notes, root, store):
    """Runs one suite; its counts are in a folder of its own. Returns why it failed, or None."""
    with tempfile.TemporaryDirectory(prefix="kifu-reach-") as folder:
        counts = os.path.join(folder, "counts")
        work = os.path.join(folder, "work")
        os.mkdir(work)
        strip = os.path.realpath(build).count(os.sep)
        fault, _, output = suites.run(suite, work, SECONDS, {"GCOV_PREFIX": counts, "GCOV_PREFIX_STRIP": str(strip)})
        if fault:
            return "%s\n%s%s" % (fault, output, suite.name)
        names = []
        for note in notes:
            name = os.path.relpath(note, build)
            data = os.path.join(counts, name[:-len(".gcno")] + ".gcda")
            if os.path.exists(data):
                shutil.copy(note, os.path.dirname(data))
                names.append(data)
        _store(os.path.join(store, suite.name + ".json"), suite.digest(), _gcov(folder, names, root))
    return None


def reach(build, root, again=False, workers=2, say=print):
    """Runs the suites of `build` that changed, and returns a Reached of the sources below `root`."""
    build = os.path.realpath(build)
    root = os.path.realpath(root)
    store = os.path.join(build, "reached")
    os.makedirs(store, exist_ok=True)
    notes = _notes(build)
    result = Reached()
    with tempfile.TemporaryDirectory(prefix="kifu-reach-") as folder:  # gcov takes notes without counts for all zero
        names = []
        for i, note in enumerate(notes):
            names.append(os.path.join(folder, "%d.gcno" % i))
            shutil.copy(note, names[-1])
        result.all = _gcov(folder, names, root)
    found = suites.of_build(build)
    stored = lambda suite: _load(os.path.join(store, suite.name + ".json"), suite.digest())  # noqa: E731
    changed = [suite for suite in found if again or stored(suite) is None]
    if changed:
        say("Running %d of %d suites …" % (len(changed), len(found)))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for suite, fault in zip(changed, pool.map(lambda suite: _reach_one(suite, build, notes, root, store), changed)):
            if fault:
                result.failed.append((suite.name, fault))
    broken = {name for name, _ in result.failed}
    for suite in found:
        if suite.name not in broken:
            result.add(suite.name, stored(suite))
    return result
