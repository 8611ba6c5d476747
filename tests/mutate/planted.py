"""Planted faults: builds the library with one, and runs the suites on it."""

import json
import os
import shlex
import shutil
import subprocess

import suites

MEGABYTES = 4096


class Step:
    """A command of the build that makes `output`: an object of one of the runtime's sources, or a program."""

    def __init__(self, commands, output):
        self.commands = commands
        self.output = output

    def run(self, build, renamed, extra=()):
        """With other files than the build's: `renamed`, a dictionary. Returns whether it worked, and what it said."""
        for command in self.commands:
            # What is added comes last: the compiler may be behind a launcher (CMAKE_C_COMPILER_LAUNCHER).
            words = [renamed.get(word, word) for word in command] + list(extra)
            done = subprocess.run(words, cwd=build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            if done.returncode:
                return False, done.stdout.decode("utf-8", "replace")
        return True, ""


def split_command(text):
    """`: && gcc … && :`, as ninja writes it, to lists of words."""
    commands, words = [], []
    for word in shlex.split(text) + ["&&"]:
        if word != "&&":
            words.append(word)
            continue
        if words and words != [":"]:
            commands.append(words)
        words = []
    return commands


class Build:
    """What ninja knows of a build folder: how the runtime's objects are made, and how each suite's program is linked."""

    def __init__(self, folder, root):
        self.folder = os.path.realpath(folder)
        self.root = os.path.realpath(root)
        self.objects = {}   # output → (source below root, Step)
        self.programs = {}  # output → Step
        self.library = None
        members = set()
        for each in json.loads(self._ninja("-t", "compdb")):
            source = os.path.realpath(os.path.join(each["directory"], each["file"]))
            output = each.get("output", "")
            step = Step(split_command(each["command"]), output)
            if output.endswith(".o") and source.startswith(self.root + os.sep):
                self.objects[output] = (os.path.relpath(source, self.root), step)
            elif step.commands and os.path.basename(output) == "libkifu.a":
                self.library = output
                members = {word for command in step.commands for word in command if word.endswith(".o")}
            elif step.commands and "-o" in step.commands[0] and not output.endswith(".o"):
                self.programs[os.path.join(self.folder, output)] = step
        self.members = sorted(members)
        self.headers = self._headers()

    def _ninja(self, *arguments):
        return subprocess.run(["ninja", "-C", self.folder, "--quiet", *arguments], check=True,
                              stdout=subprocess.PIPE).stdout.decode()

    def _headers(self):
        """Header below root → the objects that read it."""
        found = {}
        output = None
        for line in self._ninja("-t", "deps").splitlines():
            if not line.startswith(" "):
                output = line.partition(":")[0]
            elif output in self.objects:
                path = os.path.realpath(os.path.join(self.folder, line.strip()))
                if path.startswith(self.root + os.sep):
                    found.setdefault(os.path.relpath(path, self.root), set()).add(output)
        return found

    def objects_of(self, source):
        own = {output for output, (each, _) in self.objects.items() if each == source}
        return sorted(own or self.headers.get(source, ()))


NO_SOURCES = (".git", "build")


def holds(tree, folder):
    """Whether a copy of `tree` would have `folder` in it."""
    way = os.path.relpath(os.path.realpath(folder), os.path.realpath(tree)).split(os.sep)
    return way[0] != ".." and not set(NO_SOURCES) & set(way)


def with_copies(environment, folder, copies):
    """The environment of a suite with copies, made in `folder`, for the folders in it. A suite knows no path in the
    sources but these: with a fault in the library, it may write to any path that it has come across. The build folder,
    in which `folder` is, is no source, and no copy of it could be in itself."""
    apart = {}
    for name, value in environment.items():
        if os.path.isdir(value) and not holds(value, folder) and value not in copies:
            copies[value] = os.path.join(folder, "copy%d" % len(copies))
            shutil.copytree(value, copies[value], symlinks=True, ignore=shutil.ignore_patterns(*NO_SOURCES))
        apart[name] = copies.get(value, value)
    return apart


class Worker:
    """A folder in which one fault at a time is built and run."""

    def __init__(self, build, folder, sanitized):
        self.build = build
        self.folder = folder
        self.sanitized = sanitized
        self.copies = {}    # folder of the sources → what the suites read instead
        self.sources = os.path.join(folder, "src")
        self.original = {}  # object → its bytes without a fault
        self.renamed = {}   # what the programs are linked with instead of the build's files
        shutil.copytree(build.root, self.sources)

    def _compile(self, outputs):
        """Object → bytes, from this folder's sources; None where the compiler refuses one."""
        compiled = {}
        for output in outputs:
            source, step = self.build.objects[output]
            target = os.path.join(self.folder, output.replace("/", "__"))
            renamed = {os.path.join(self.build.root, source): os.path.join(self.sources, source), output: target,
                       "-I" + self.build.root: "-I" + self.sources}
            renamed[output + ".d"] = target + ".d"
            worked, _ = step.run(self.build.folder, renamed, ["-Werror=return-type"])
            if not worked:
                return None
            with open(target, "rb") as stream:
                compiled[output] = stream.read()
        return compiled

    def plant(self, source, text):
        """Builds the library with another text of `source`. Returns "refused", "same" or "planted"."""
        path = os.path.join(self.sources, source)
        outputs = self.build.objects_of(source)
        if any(output not in self.original for output in outputs):
            self.original.update(self._compile(outputs))
        with open(path, encoding="utf-8") as stream:
            before = stream.read()
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        try:
            compiled = self._compile(outputs)
        finally:
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(before)
        if compiled is None:
            return "refused"
        if all(self.original[output] == compiled[output] for output in outputs):
            return "same"
        self.renamed = {output: os.path.join(self.folder, output.replace("/", "__")) for output in outputs}
        library = os.path.join(self.folder, "libkifu.a")
        if os.path.exists(library):
            os.remove(library)
        subprocess.run(["ar", "qc", library] + [self.renamed.get(each, each) for each in self.build.members],
                       cwd=self.build.folder, check=True)
        self.renamed[self.build.library] = library
        return "planted"

    def run(self, suite, seconds):
        """Why the suite fails, or None."""
        program = os.path.join(self.folder, "suite")
        step = self.build.programs[suite.program]
        worked, said = step.run(self.build.folder, {**self.renamed, step.output: program})
        if not worked:
            return "does not link: " + said
        work = os.path.join(self.folder, "work")
        shutil.rmtree(work, ignore_errors=True)
        os.mkdir(work)
        planted = suites.Suite(suite.name, [program] + suite.command[1:],
                               with_copies(suite.environment, self.folder, self.copies))
        fault, _, _ = suites.run(planted, work, seconds, megabytes=0 if self.sanitized else MEGABYTES)
        os.remove(program)
        return fault
