"""The fuzzer of a game finds what is wrong with it, says so in few steps, and can do it again."""

import glob
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = os.environ["KIFU_SOURCE_DIR"]
BUILD = os.path.join(os.environ["KIFU_BINARY_DIR"], "tests", "fuzz")
FUZZ = os.path.join(SOURCE, "codegen", "fuzz")
NIM = os.path.join(SOURCE, "tests", "generator", "schemas", "nim", "nim.fbs")


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kifu-fuzz-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_in_folder(self, command, fault):
        environment = dict(os.environ, PLANTED=fault, TMPDIR=self.folder)
        done = subprocess.run(command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", check=False, timeout=300)
        self.assertEqual([], [each for each in os.listdir(self.folder) if each.startswith("kifu-fuzz-")])
        return done

    def finds(self, fault, *says, game="planted", steps=3000):
        """Finds it for each of several seeds; returns the last report."""
        program = os.path.join(BUILD, "fuzz_%s_fuzz" % game)
        for seed in ("1", "2"):
            done = self.run_in_folder([program, "--steps", str(steps), "--seed", seed, "--quiet"], fault)
            self.assertEqual(1, done.returncode, done.stdout)
            for each in says:
                self.assertRegex(done.stdout, each)
            command = re.search(r"Run it again:\n  (.*)\n", done.stdout).group(1)
            again = self.run_in_folder(command.split() + ["--quiet"], fault)
            self.assertEqual(1, again.returncode, again.stdout)
            first = re.search(r"^%s: game [0-9]+, step [0-9]+ " % game, again.stdout, re.MULTILINE).group(0)
            self.assertIn(first, done.stdout)
            save = re.search(r"The game before that: (.*\.kifu)\n", done.stdout).group(1)
            self.assertTrue(os.path.getsize(os.path.join(self.folder, save)) > 0)
        return done.stdout

    def test_cast(self):
        """A Do writes past the edit functions."""
        report = self.finds("cast", "next (is|was) [0-9]+|sync test")
        self.assertRegex(report, r"planted\.PAdd")

    def test_counter(self):
        """A Do depends on how often it was called."""
        self.finds("counter")

    def test_check_that_writes(self):
        self.finds("check that writes")

    def test_check_that_remembers(self):
        """What a check depends on, no replay sees: playing what was tried does, and kifu_verify_rules."""
        self.finds("check that remembers", r"is another one than in play|kifu_verify_rules: .*planted.PAdd.*amount",
                   steps=10000)

    def test_replay(self):
        """A Do does otherwise in a replay."""
        self.finds("replay")

    def test_overflow(self):
        """A Do writes behind a field."""
        self.finds("overflow")

    def test_address(self):
        self.finds("address")

    def test_crash(self):
        report = self.finds("crash", r"crashed with signal|ended the program with status")
        steps = int(re.search(r"that was found, ([0-9]+) steps", report).group(1))
        self.assertLessEqual(steps, 3, report)

    def finds_once(self, fault, *options):
        program = os.path.join(BUILD, "fuzz_planted_fuzz")
        done = self.run_in_folder([program, "--steps", "3000", "--seed", "1", "--quiet", *options], fault)
        self.assertEqual(1, done.returncode, done.stdout)
        # Of all processes so far, in KiB; a game may take 2048 MiB of addresses.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 2 << 20)
        return done.stdout

    def test_F62_a_do_that_draws_for_ever_is_named_and_takes_little_memory(self):
        report = self.finds_once("draw", "--step-seconds", "1")
        self.assertIn("the Do function of planted.PAdd did not end: a step may take 1 second of processor time", report)
        self.assertRegex(report, r"Run it again:\n  .* --step-seconds 1\b")

    def test_F62_a_do_that_takes_memory_for_ever_is_named(self):
        report = self.finds_once("eat")
        self.assertRegex(report, r"the Do function of planted\.PAdd crashed with signal [0-9]+")

    def test_F62_a_crash_names_the_event(self):
        report = self.finds_once("crash")
        self.assertRegex(report, r"the Do function of planted\.PBuy (crashed with signal|ended the program with status)")

    def test_model_outside_the_state(self):
        self.finds("remember", game="stack")

    def leaks(self, fault, *says):
        report = self.finds(fault, *says, game="leaky", steps=10000)
        self.assertRegex(report, r"unseen(, | by (player [01]|a spectator), )cards\.face of \[\d+\] is that of \[\d+\]")
        self.assertLess(int(re.search(r"was found, (\d+) steps", report).group(1)), 40, report)

    def test_W03_an_event_without_its_mask_is_found(self):
        self.leaks("event", r"gets another message after leaky\.PPass of player [01] .*event \d+ \(leaky\.ENote\) has other fields")

    def test_W03_a_size_that_depends_on_a_hidden_value_is_found(self):
        self.leaks("size", r"another message after leaky\.PPass of player [01] \(\d+ bytes, and \d+\) .*leaky\.ENote\) has other "
                           r"fields")

    def test_W03_a_hash_of_the_whole_state_is_found(self):
        self.leaks("hash", r"another message after .*after event \d+ \(leaky\.PPass\), total is \d+, and \d+ expected")

    def test_W03_a_refusal_in_words_that_tell_is_found(self):
        self.leaks("words", r'leaky\.POpen of player [01] is answered ".*it is a \w+", and ".*it is a \w+" where')

    def test_W03_a_list_of_moves_that_tells_is_found(self):
        self.leaks("list", r"player [01] has other moves where")

    def test_W03_a_flag_that_tells_is_found(self):
        self.leaks("flag", r"leaky\.PPass\) has other flags")

    def test_W03_leaks_of_fields_outside_of_arrays_are_found(self):
        """Of two of one type, of the only one of its type, and of an array of numbers."""
        for fault in ("lone", "only", "order"):
            report = self.finds(fault, r"another message after .*leaky\.ENote\) has other fields", game="leaky")
            self.assertLess(int(re.search(r"was found, (\d+) steps", report).group(1)), 40, report)

    def test_W03_thousands_of_worlds_look_the_same(self):
        """Nearly all of them are compared to the end. `--steps 15000` are ten thousand."""
        duel = os.path.join(os.environ["KIFU_BINARY_DIR"], "examples", "duel", "duel_rules_fuzz")
        for program, least in (duel, 10000), (os.path.join(BUILD, "fuzz_leaky_fuzz"), 5000):
            done = self.run_in_folder([program, "--worlds", "--steps", "15000"], "")
            self.assertEqual(0, done.returncode, done.stdout)
            pairs, whole, moved = re.search(r"^(\d+) pairs of worlds, (\d+) of them compared to the end, with ([\d.]+) hidden",
                                            done.stdout, re.MULTILINE).groups()
            self.assertGreater(int(pairs), least, done.stdout)
            self.assertGreater(int(whole), 0.95 * int(pairs), done.stdout)
            self.assertGreater(float(moved), 5)
        self.assertEqual(2, self.run_in_folder([os.path.join(BUILD, "fuzz_wire_fuzz"), "--worlds"], "").returncode)

    def test_W05_events_that_show_something_are_listed(self):
        done = self.run_in_folder([os.path.join(BUILD, "fuzz_leaky_fuzz"), "--steps", "3000"], "")
        self.assertRegex(done.stdout, r"showed a player something hidden: \d+ × leaky\.POpen, \d+ × leaky\.PTell\.")
        self.assertRegex(done.stdout, r"\(reveals\) of leaky\.POpen was needless in \d+ of \d+ events: the masks say so\.")
        self.assertNotIn("(reveals) of leaky.PTell", done.stdout, "no mask says what it tells")

    def test_no_fault(self):
        for game in ("planted", "stack", "wire"):
            program = os.path.join(BUILD, "fuzz_%s_fuzz" % game)
            done = subprocess.run([program, "--steps", "5000", "--quiet"], stdout=subprocess.PIPE, check=False)
            self.assertEqual((0, b""), (done.returncode, done.stdout))

    def test_same_seed_same_games(self):
        program = os.path.join(BUILD, "fuzz_planted_fuzz")
        said = [subprocess.run([program, "--steps", "2000", "--seed", "9"], stdout=subprocess.PIPE, check=True).stdout
                for _ in range(2)]
        self.assertEqual(said[0], said[1])
        self.assertIn(b"Nothing was found", said[0])

    def generate(self, *options):
        """The folder with the C of Nim."""
        command = [sys.executable, "-m", "kifuc", "gen", NIM, "-o", self.folder, *options]
        environment = dict(os.environ, PYTHONPATH=os.path.join(SOURCE, "codegen", "python"))
        done = subprocess.run(command, env=environment, check=False)
        self.assertEqual(0, done.returncode)
        return self.folder

    def compile(self, name):
        command = [os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror",
                   "-fsyntax-only", "-I", self.folder, "-I", FUZZ, "-I", os.path.join(SOURCE, "runtime", "include"),
                   os.path.join(self.folder, name)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        self.assertEqual(0, done.returncode, done.stdout)

    def test_the_header_s_example_compiles(self):
        with open(os.path.join(FUZZ, "kifu_fuzz.h"), encoding="utf-8") as stream:
            header = stream.read()
        lines = re.search(r"///     #include \"kifu_fuzz.h\"\n.*?nim_fuzz_hooks = .*?\n", header, re.DOTALL).group(0)
        with open(os.path.join(self.generate(), "fuzz.c"), "w", encoding="utf-8") as stream:
            stream.write(re.sub(r"^/// {0,5}", "", lines, flags=re.MULTILINE))
        self.compile("fuzz.c")

    def test_the_main_is_generated_on_request(self):
        self.assertFalse(os.path.exists(os.path.join(self.generate(), "nim_fuzz.c")))
        for option, hooks in (("--fuzz", False), ("--fuzz=plain", False), ("--fuzz=hooks", True)):
            with open(os.path.join(self.generate(option), "nim_fuzz.c"), encoding="utf-8") as stream:
                self.assertEqual(hooks, "nim_fuzz_hooks" in stream.read())
            self.compile("nim_fuzz.c")

    def test_who_stops_it_finds_no_files(self):
        program = os.path.join(BUILD, "fuzz_wire_fuzz")
        with subprocess.Popen([program, "--steps", "100000000"], cwd=self.folder, env=dict(os.environ, TMPDIR=self.folder)) as run:
            while not glob.glob(os.path.join(self.folder, "kifu-fuzz-*", "game.kifu")):
                self.assertIsNone(run.poll())
                time.sleep(0.01)
            run.terminate()
            self.assertEqual(-signal.SIGTERM, run.wait())
        self.assertEqual([], os.listdir(self.folder))

    def test_command_line(self):
        program = os.path.join(BUILD, "fuzz_planted_fuzz")
        for wrong in (["--step", "3"], ["--steps"], ["--steps", "x"], ["--game-length", "0"], ["--only", "a"], ["3"]):
            done = subprocess.run([program] + wrong, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            self.assertEqual(2, done.returncode, wrong)
            self.assertIn(b"--", done.stderr)
        self.assertIn(b"--game-length", subprocess.run([program, "--help"], stdout=subprocess.PIPE, check=True).stdout)


if __name__ == "__main__":
    unittest.main()
