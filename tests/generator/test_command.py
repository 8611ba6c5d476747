"""The command line: what is missing is named, stubs are never overwritten, a new game compiles."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import tools

NIM = os.path.join(tools.HERE, "schemas", "nim", "nim.fbs")


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kifu-command-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def fails(self, *arguments):
        status, said = tools.kifuc(*arguments, folder=self.folder)
        self.assertEqual(1, status, said)
        self.assertEqual([], [each for each in os.listdir(self.folder) if each == "out"])
        return said

    def test_help(self):
        for arguments in (["--help"], ["gen", "--help"], ["stubs", "--help"], ["lock", "--help"], ["new", "--help"],
                          ["tables", "--help"], ["python", "--help"], ["wheel", "--help"]):
            status, said = tools.kifuc(*arguments)
            self.assertEqual(0, status)
            self.assertIn("kifuc", said)
        self.assertIn("example: kifuc gen nim.fbs", tools.kifuc("gen", "--help")[1])

    def test_no_command(self):
        self.assertEqual(2, tools.kifuc()[0])

    def test_module(self):
        done = subprocess.run([sys.executable, "-m", "kifuc", "--help"], env=dict(os.environ, PYTHONPATH=tools.PACKAGE),
                              stdout=subprocess.DEVNULL, check=False)
        self.assertEqual(0, done.returncode)

    def test_no_such_file(self):
        for command in ("gen", "python"):
            self.assertEqual("kifuc: error: nowhere.fbs: there is no such file\n", self.fails(command, "nowhere.fbs", "-o", "out"))

    def test_Y08_a_schema_called_as_a_keyword_of_python(self):
        path = os.path.join(self.folder, "lambda.fbs")
        tools.write(path, 'include "kifu.fbs";\nnamespace odd;\ntable EGo (engine) {}\nunion Event { EGo }\n')
        self.assertIn("lambda.fbs: a Python module cannot be called lambda; rename the schema", self.fails("python", path, "-o", "out"))

    def test_no_such_folder(self):
        self.assertIn("nowhere: there is no such folder (-I)", self.fails("gen", NIM, "-o", "out", "-I", "nowhere"))

    def test_no_schema(self):
        tools.write(os.path.join(self.folder, "nim.txt"), "")
        self.assertIn("nim.txt: a schema's name ends in .fbs", self.fails("gen", "nim.txt", "-o", "out"))

    def test_no_flatc(self):
        said = self.fails("gen", NIM, "-o", "out", "--flatc", "/nowhere/flatc")
        self.assertIn("there is no /nowhere/flatc", said)
        self.assertIn("apt install flatbuffers-compiler", said)

    def test_flatc_that_does_not_run(self):
        path = os.path.join(self.folder, "flatc")
        tools.write(path, "nonsense")
        os.chmod(path, 0o755)
        self.assertIn("cannot run " + path, self.fails("gen", NIM, "-o", "out", "--flatc", path))

    def test_no_module(self):
        """A Python without Jinja: a module that cannot be imported stands in its way."""
        tools.write(os.path.join(self.folder, "none", "jinja2.py"), "raise ImportError('none')\n")
        path = os.pathsep.join([os.path.join(self.folder, "none"), tools.PACKAGE])
        for command in ([sys.executable, "-m", "kifuc", "gen", NIM, "-o", os.path.join(self.folder, "out")],
                        [tools.KIFUC, "--help"]):
            done = subprocess.run(command, env=dict(os.environ, PYTHONPATH=path, KIFU_PYTHON=""), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False)
            self.assertEqual(1, done.returncode)
            self.assertIn("apt install python3-jinja2", done.stdout.decode())
            self.assertNotIn("Traceback", done.stdout.decode())

    def test_the_first_python_that_can(self):
        """One without Jinja, one that is too old: kifuc goes on to the next, unless KIFU_PYTHON names it. What it says
        itself is said once."""
        for name, line in (("python3", "exit 99"), ("python", 'exec "%s" "$@"' % sys.executable)):
            tools.write(os.path.join(self.folder, name), "#!/bin/sh\n%s\n" % line)
            os.chmod(os.path.join(self.folder, name), 0o755)
        path = self.folder + os.pathsep + os.environ["PATH"]
        done = subprocess.run([tools.KIFUC, "gen", "nowhere.fbs", "-o", "out"], stdout=subprocess.PIPE, check=False,
                              stderr=subprocess.STDOUT, env=dict(os.environ, PATH=path, KIFU_PYTHON=sys.executable))
        self.assertEqual((1, b"kifuc: error: nowhere.fbs: there is no such file\n"), (done.returncode, done.stdout))
        for named in "nowhere", os.path.join(self.folder, "python3"), "":
            done = subprocess.run([tools.KIFUC, "--help"], stdout=subprocess.PIPE, check=False, stderr=subprocess.STDOUT,
                                  env=dict(os.environ, PATH=path, KIFU_PYTHON=named))
            self.assertEqual(1 if named else 0, done.returncode, done.stdout)
            self.assertIn(b"KIFU_PYTHON is " + named.encode() if named else b"usage: kifuc", done.stdout)

    def test_too_many_events(self):
        names = ["P%d" % i for i in range(256)]
        path = os.path.join(self.folder, "many.fbs")
        text = 'include "kifu.fbs";\nnamespace many;\n%sunion Event { %%s }\n' % "".join(
            "table %s (player) {}\n" % each for each in names)
        tools.write(path, text % ", ".join(names))
        self.assertTrue(self.fails("gen", "many.fbs", "-o", "out").startswith(
            "many.fbs:259: error: 256 event types, and Kifu allows 255"))
        tools.write(path, text % ", ".join(names[:255]))
        status, said = tools.kifuc("gen", "many.fbs", "-o", "out", folder=self.folder)
        self.assertEqual(0, status, said)
        self.assertIn("P255 is not in `union Event`", said)

    def test_output_that_cannot_be_written(self):
        tools.write(os.path.join(self.folder, "file"), "")
        self.assertIn("kifuc: error: file", self.fails("gen", NIM, "-o", "file"))

    def test_absolute_paths_are_shown_where_one_was_given(self):
        path = os.path.join(self.folder, "bad.fbs")
        tools.write(path, 'include "kifu.fbs";\nnamespace bad;\ntable P (player) { __int: int; }\nunion Event { P }\n')
        self.assertTrue(self.fails("gen", "bad.fbs", "-o", "out").startswith("bad.fbs:3: error"))
        self.assertTrue(self.fails("gen", path, "-o", "out").startswith(path + ":3: error"))

    def test_depfile(self):
        schema, includes = tools.SCHEMAS["realms"]
        out = os.path.join(self.folder, "out put")
        status, said = tools.kifuc("gen", schema, "-o", out, "-I", includes[0], "--depfile",
                                   os.path.join(out, "game.d"), "--stamp", os.path.join(out, "stamp"))
        self.assertEqual(0, status, said)
        rule = tools.read(os.path.join(out, "game.d")).decode().replace("\\\n", " ")
        self.assertTrue(rule.startswith(os.path.join(out, "stamp").replace(" ", "\\ ") + ":"))
        for each in ("realms.fbs", "combat.fbs", "units.fbs", "kifu.fbs", "game.c.j2", "emit.py"):
            self.assertIn("/" + each, rule)
        self.assertTrue(os.path.exists(os.path.join(out, "stamp")))

    def test_files_are_written_only_when_they_change(self):
        out = os.path.join(self.folder, "out")
        tools.kifuc("gen", NIM, "-o", out)
        for each in tools.files(out):
            os.utime(os.path.join(out, each), (1, 1))
        tools.kifuc("gen", NIM, "-o", out)
        self.assertEqual({1}, {os.stat(os.path.join(out, each)).st_mtime for each in tools.files(out)})

    def test_files_that_are_no_longer_generated_are_removed(self):
        out = os.path.join(self.folder, "out")
        schema = os.path.join(self.folder, "nim.fbs")
        tools.write(schema, tools.read(NIM).decode())
        tools.kifuc("gen", schema, "-o", out)
        before = set(tools.files(out))
        tools.write(os.path.join(out, "nim", "mine.h"), "")
        tools.write(schema, tools.read(NIM).decode().replace("PTake", "PGrab"))
        tools.kifuc("gen", schema, "-o", out)
        self.assertEqual(before - {"nim/p_take.h"} | {"nim/p_grab.h", "nim/mine.h"}, set(tools.files(out)))
        listed = tools.read(os.path.join(out, "nim.files")).decode().splitlines()
        self.assertEqual(set(tools.files(out)) - {"nim/mine.h", "nim.files"}, set(listed))

    def test_new(self):
        status, said = tools.kifuc("new", "checkers", folder=self.folder)
        self.assertEqual(0, status, said)
        game = os.path.join(self.folder, "checkers")
        self.assertEqual([".gitignore", "CMakeLists.txt", "README.md", "checkers.fbs", "main.c", "rules.c", "view.c"],
                         sorted(os.listdir(game)))
        status, said = tools.kifuc("gen", "checkers.fbs", "-o", "out", folder=game)
        self.assertEqual((0, ""), (status, said))
        for each in ("main.c", "rules.c", "view.c"):
            self.assertEqual("", tools.compile_only(tools.compilers("c")[0], os.path.join(game, each), "-std=c11",
                                                    "-Wmissing-prototypes", "-I" + os.path.join(game, "out")))
        # No event without its functions, and its Act.
        for options in [], ["--view"], ["--acts"]:
            self.assertEqual("nothing is missing\n", tools.kifuc("stubs", *options, "checkers.fbs", folder=game)[1])
        self.assertIn("checkers is there already", tools.kifuc("new", "checkers", folder=self.folder)[1])

    def test_new_writes_all_or_nothing(self):
        path, os.environ["PATH"] = os.environ["PATH"], self.folder
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        self.addCleanup(os.environ.update, {key: os.environ.pop(key) for key in ["KIFU_FLATC"] if key in os.environ})
        self.assertIn("apt install flatbuffers-compiler", self.fails("new", "checkers"))
        self.assertEqual([], os.listdir(self.folder))

    def test_new_with_a_name_that_cannot_be(self):
        for name in ("Checkers", "my-game", "9lives", "int", "class", "test", "kifu", "a__b"):
            self.assertIn("name", self.fails("new", name))


class Meaning(unittest.TestCase):
    """The fingerprint says whether two schemas mean the same."""

    def fingerprint(self, old="", new=""):
        text = tools.read(NIM).decode()
        self.assertIn(old, text)
        with tempfile.TemporaryDirectory(prefix="kifu-meaning-") as folder:
            tools.write(os.path.join(folder, "nim.fbs"), text.replace(old, new, 1))
            status, said = tools.kifuc("gen", "nim.fbs", "-o", ".", folder=folder)
            self.assertEqual(0, status, said)
            return re.search(r"\.fingerprint = (.*),", tools.read(os.path.join(folder, "nim.c")).decode()).group(1)

    def test_comments_mean_nothing(self):
        self.assertEqual(self.fingerprint(), self.fingerprint("/// The heaps are laid out.", "/// Something else."))

    def test_G06_tags_mean_nothing(self):
        """No save and no replay depends on them."""
        self.assertEqual(self.fingerprint(), self.fingerprint("(engine)", '(engine, tags: "setup")'))

    def test_the_rest_does(self):
        seen = [self.fingerprint()]
        for old, new in (("count: ushort;", "count: ushort = 1;"), ("count: ushort;", "count: uint;"),
                         ("count: ushort;", "number: ushort;"), ("[ushort:4]", "[ushort:5]"), ("(engine)", "(player)"),
                         ("EDeal, PTake", "PTake, EDeal"), ("(engine)", '(engine, superseded_by: "PTake")'),
                         ("(player)", '(player, superseded_by: "EDeal")'), ("union Event {", 'union Event (rules_version: "2") {')):
            seen.append(self.fingerprint(old, new))
        self.assertEqual(len(seen), len(set(seen)))
