"""Whatever kifuc is given, it says in words what is wrong with it, and leaves nothing half written."""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

import tools

HEAD = 'include "kifu.fbs";\nnamespace nim;\n'
NIM = HEAD + "table PTake (player) { heap: ubyte; }\nunion Event { PTake }\n"

# The arguments, and what kifuc says. nim.fbs is a schema, folder.fbs and nim.c are folders, fifo.fbs is a pipe, broken.fbs and
# locked.fbs are schemas with a broken lock file, and with a folder in place of one.
CASES = (
    (["gen", "", "-o", "out"], "kifuc: error: '': there is no such file"),
    (["gen", "a\0b.fbs", "-o", "out"], "kifuc: error: a\\x00b.fbs: there is no such file"),
    (["gen", "folder.fbs", "-o", "out"], "kifuc: error: folder.fbs: this is no file; give the path of a schema"),
    (["gen", "fifo.fbs", "-o", "out"], "kifuc: error: fifo.fbs: this is no file; give the path of a schema"),
    (["gen", "nim.fbs", "-o", "out", "-I", "nim.fbs"], "kifuc: error: nim.fbs: there is no such folder (-I)"),
    (["gen", "nim.fbs", "-o", "nim.fbs"], "kifuc: error: nim.fbs: this is no folder, and files are to be written into it"),
    (["gen", "nim.fbs", "-o", "/dev/null/x"], "kifuc: error: /dev/null: this is no folder, and files are to be written into it"),
    (["gen", "nim.fbs", "-o", "/proc/x"], "kifuc: error: /proc/x"),
    (["gen", "nim.fbs", "-o", "."], "kifuc: error: ./nim.c: this is a folder, and a file is to be written here; remove it"),
    (["gen", "nim.fbs", "-o", "x" * 300], "kifuc: error: " + "x" * 300),
    (["gen", "nim.fbs", "-o", "out", "--depfile", "/dev/full"], "kifuc: error: /dev/full: No space left on device; make room"),
    (["gen", "nim.fbs", "-o", "out", "--stamp", "folder.fbs"], "kifuc: error: folder.fbs: this is a folder"),
    (["gen", "nim.fbs", "-o", "out", "--flatc", "/bin/true"], "kifuc: error: flatc wrote no .bfbs"),
    (["gen", "nim.fbs", "-o", "out", "--flatc", "/bin/false"], "kifuc: error: /bin/false ended without a word (status 1)"),
    (["gen", "broken.fbs", "-o", "out"], "broken.fbs.lock:1: error: this is not a line of a lock file"),
    (["gen", "locked.fbs", "-o", "out"], "kifuc: error: locked.fbs.lock: this is a folder, and the lock file is to be here"),
    (["gen", "deep.fbs", "-o", "out"], "deep.fbs:72: error: this is inside 64 other types, each in the next"),
    (["lock", "nim.fbs", "-o", "nowhere/x"], "kifuc: error: nowhere: there is no such folder"),
    (["lock", "nim.fbs", "-o", "/dev/full"], "kifuc: error: /dev/full: No space left on device; make room on the disk"),
    (["stubs", "nim.fbs", "-o", "nim.fbs"], "kifuc: error: nim.fbs: this is no folder, and files are to be written into it"),
    (["new", "go", "-o", "/proc/x"], "kifuc: error: /proc/x"),
    (["tables", "bytes.fbs", "-o", "out"], "bytes.fbs:2: error: here is a byte (0xe4) that is not UTF-8"),
    (["tables", "nowhere.fbs", "-o", "out"], "kifuc: error: nowhere.fbs: there is no such file"),
)


def seen_by_others(path):
    """Whether a user who is not root gets to a folder."""
    while os.stat(path).st_mode & 0o005 == 0o005:
        if os.path.dirname(path) == path:
            return True
        path = os.path.dirname(path)
    return False


class BadInput(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kifu-input-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name in ("nim.fbs", "broken.fbs", "locked.fbs"):
            tools.write(os.path.join(self.folder, name), NIM)
        tools.write(os.path.join(self.folder, "broken.fbs.lock"), "\0\ufffd\n")
        tools.write(os.path.join(self.folder, "deep.fbs"), HEAD + "".join(
            "table T%d { %s: T%d; }\n" % (i, "ab"[i % 2], i + 1) for i in range(70)) +
            "table T70 {}\ntable PGo (player) { x: T6; }\nunion Event { PGo }\n")
        with open(os.path.join(self.folder, "bytes.fbs"), "wb") as stream:
            stream.write(b"namespace a;\n/// \xe4\ntable X {}\n")
        for name in ("folder.fbs", "locked.fbs.lock", "nim.c"):
            os.mkdir(os.path.join(self.folder, name))
        os.mkfifo(os.path.join(self.folder, "fifo.fbs"))
        self.before = self.everything()

    def everything(self):
        return sorted(os.path.join(where, name) for where, folders, files in os.walk(self.folder) for name in folders + files)

    def test_it_says_what_is_wrong(self):
        for arguments, expected in CASES:
            with self.subTest(arguments=arguments):
                status, said = tools.kifuc(*arguments, folder=self.folder)
                self.assertEqual(1, status)
                self.assertTrue(said.startswith(expected), said)
                self.assertEqual(self.before, self.everything(), "something was left behind")

    def command(self, *arguments, **options):
        environment = {**os.environ, "PYTHONPATH": tools.PACKAGE, "PYTHONDONTWRITEBYTECODE": "1", **options.pop("env", {})}
        return subprocess.Popen([sys.executable, "-m", "kifuc", *arguments], cwd=self.folder, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)

    @unittest.skipIf(os.name != "posix" or os.geteuid() != 0, "only root can become somebody who may not read a file")
    def test_what_may_not_be_read_or_written(self):
        if not seen_by_others(tools.ROOT):
            self.skipTest("only root may look into the folder of this test")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        tools.write(os.path.join(self.folder, "a.fbs"), 'include "kifu.fbs";\ninclude "nim.fbs";\n')
        os.chmod(self.folder, 0o755)
        os.mkdir(os.path.join(self.folder, "closed"), 0o700)
        os.chmod(os.path.join(self.folder, "nim.fbs"), 0o000)
        for arguments, expected in (
                (["gen", "nim.fbs", "-o", "closed"], "/nim.fbs: Permission denied; change its permissions, or give another path"),
                (["gen", "a.fbs", "-o", "closed"], "a.fbs:2: error: `nim.fbs` cannot be read: Permission denied"),
                (["lock", "deep.fbs", "-o", "closed/x"], "deep.fbs:72: error: "),
                (["gen", "broken.fbs", "-o", "closed"], "broken.fbs.lock:1: error: "),
                (["new", "go", "-o", "closed/go"], "closed/go"), (["new", "go"], "go")):
            with self.subTest(arguments=arguments):
                os.seteuid(65534)
                try:
                    status, said = tools.kifuc(*arguments, folder=self.folder)
                finally:
                    os.seteuid(0)
                self.assertEqual(1, status, said)
                self.assertIn(expected, said)

    def test_a_full_disk_leaves_nothing(self):
        """No file may have more than 8 KB: nim.c has more, and is written behind nim.h."""
        process = self.command("gen", "nim.fbs", "-o", "out", preexec_fn=lambda: (
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))))
        said = process.communicate()[0].decode()
        self.assertEqual(1, process.returncode, said)
        self.assertNotIn("Traceback", said)
        self.assertEqual(self.before, self.everything())

    def test_a_terminal_that_knows_no_unicode(self):
        process = self.command("gen", "nim.fbs", "-o", "\u00e4\u00e4", env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
        self.assertEqual((b"", None), process.communicate())
        process = self.command("gen", "\u00e4.fbs", "-o", "out", env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
        self.assertIn(b".fbs: there is no such file", process.communicate()[0])

    def test_an_interrupted_kifuc_leaves_nothing(self):
        """A pipe in place of a file: kifuc waits in it, with its other files half written."""
        os.mkdir(os.path.join(self.folder, "out"))
        os.mkfifo(os.path.join(self.folder, "out", "nim.files"))
        process = self.command("gen", "nim.fbs", "-o", "out")
        out = os.path.join(self.folder, "out")
        while not any(name.startswith(".kifuc-") for name in os.listdir(out)) and process.poll() is None:
            pass
        process.terminate()
        try:
            said = process.communicate(timeout=20)[0].decode()
        except subprocess.TimeoutExpired:  # The signal came just before it waited: only the next one wakes it.
            process.terminate()
            said = process.communicate()[0].decode()
        self.assertNotIn("Traceback", said)
        self.assertEqual(["nim.files"], os.listdir(out))
