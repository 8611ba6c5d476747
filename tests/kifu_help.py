"""The command kifu, called as people and programs do it: what the suites of it share."""

import json
import os
import pty
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path


SOURCE = Path(os.environ["KIFU_SOURCE_DIR"])
BUILD = Path(os.environ["KIFU_BINARY_DIR"])
KIFU = BUILD / "runtime" / "tool" / "kifu"
TOOL = SOURCE / "runtime" / "tool"
SAVES = SOURCE / "tests" / "compat"
STORM = SAVES / "v3" / "storm.kifu"
OLD_REVERSI = SOURCE / "examples" / "reversi" / "v1" / "game.kifu"
REVERSI = BUILD / "examples" / "reversi" / "reversi"
REVERSI_TOOL = (REVERSI, "tool")


class Result:
    def __init__(self, status, out, error):
        self.status, self.out, self.error = status, out, error


def kifu(*words, stdin=b"", program=(KIFU,), **options):
    done = subprocess.run(
        [*program, *words], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False, **options
    )
    return Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def on_terminal(*words, interrupted_at=None):
    """What the command prints on a terminal, both outputs. Ctrl-C comes as soon as it has printed `interrupted_at`."""
    try:
        main, side = pty.openpty()
    except OSError as error:  # as in some containers
        raise unittest.SkipTest("no pseudo-terminal: %s; mount devpts at /dev/pts" % error) from None
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen([KIFU, *words], stdin=side, stdout=side, stderr=side, env=environment) as process:
        os.close(side)
        printed = b""
        try:
            while piece := os.read(main, 4096):
                printed += piece
                if interrupted_at and interrupted_at in printed:
                    process.send_signal(signal.SIGINT)
                    interrupted_at = None
        except OSError:
            pass
        process.wait()
    os.close(main)
    return Terminal(printed.decode("utf-8"), process.returncode)


class Terminal(str):
    """What was printed, and the exit status."""

    def __new__(cls, printed, status):
        self = super().__new__(cls, printed)
        self.status = status
        return self


@unittest.skipUnless(KIFU.exists(), "the command was not built: cJSON is missing")
class Command(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="kifu-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def well(self, *words, **options):
        result = kifu(*words, **options)
        self.assertEqual((result.status, result.error), (0, ""), result.out)
        return result.out

    def refused(self, *words, status=2, **options):
        """What it says on standard error."""
        result = kifu(*words, **options)
        self.assertEqual(result.status, status, result.out + result.error)
        self.assertTrue(result.error.startswith("kifu: "), result.error)
        return result.error

    def path(self, name):
        return self.folder / name

    def save_of(self, game, name):
        """A save of JSON, as an object or as text."""
        text = game if isinstance(game, str) else json.dumps(game)
        self.path(name + ".json").write_text(text, encoding="utf-8")
        self.well("json", self.path(name + ".json"), "-o", self.path(name))
        return self.path(name)

    def storm(self):
        return json.loads(self.well("json", STORM))
