"""A pseudo-terminal, in which tests play the examples."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import tempfile
import termios
import time
import unittest

BUILD = os.path.join(os.environ["KIFU_BINARY_DIR"], "examples")
GAMES = ("reversi", "duel", "dungeon", "chess", "go")
SECONDS = 60  # A machine may be busy.
RESTORED = b"\x1b[?1049l"  # Back to the screen that was there before.


def program(game):
    path = os.path.join(BUILD, game, game)
    if not os.path.exists(path):
        raise unittest.SkipTest("%s is not built: there is no curses library" % game)
    return path


def open_terminal():
    """Both ends of a pseudo-terminal. A system without /dev/pts, as some containers are, has none."""
    try:
        return pty.openpty()
    except OSError as error:
        raise unittest.SkipTest("no pseudo-terminal: %s; mount devpts at /dev/pts" % error) from None


class Terminal:
    """A program whose output, and for want of another `stdin` its input, is a terminal of its own."""

    def __init__(self, *command, stdin=None, size=(120, 40)):
        self.master, slave = open_terminal()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS")}
        environment.update(TERM="xterm", LC_ALL="C")

        def take_terminal():  # Now Ctrl-C and the end of the terminal are signals.
            os.setsid()
            fcntl.ioctl(1, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(command, stdin=slave if stdin is None else stdin, stdout=slave, stderr=slave,
                                        env=environment, preexec_fn=take_terminal)
        os.close(slave)
        self.output = b""

    def read(self, seconds):
        """What is written within this time; False: the terminal is closed."""
        if select.select([self.master], [], [], seconds)[0]:
            try:
                more = os.read(self.master, 65536)
            except OSError:
                more = b""
            self.output += more
            return bool(more)
        return True

    def wait_for(self, text, after=b""):
        end = time.monotonic() + SECONDS
        while text not in self.output.rpartition(after)[2] if after else text not in self.output:
            if time.monotonic() > end or not self.read(1):
                raise AssertionError("%r did not appear in %r" % (text, self.output[-3000:]))

    def press(self, keys, answer=None):
        """Types, and waits for a text that is shown after it."""
        self.output = b""
        os.write(self.master, keys)
        if answer:
            self.wait_for(answer)

    def wait(self):
        """Its exit status, when all that it wrote was read."""
        end = time.monotonic() + SECONDS
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise AssertionError("it has not ended after %d seconds" % SECONDS)
            self.read(0.05)
        while self.read(0) and select.select([self.master], [], [], 0)[0]:
            pass
        return self.process.returncode

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()
        if self.master >= 0:
            os.close(self.master)
        self.master = -1


class TerminalTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kifu-terminal-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def save(self, game):
        return os.path.join(self.folder, game + ".kifu")

    def start(self, game, *arguments, **options):
        terminal = Terminal(program(game), *arguments, self.save(game), **options)
        self.addCleanup(terminal.close)
        return terminal
