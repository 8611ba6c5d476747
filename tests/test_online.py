#!/usr/bin/env python3
"""Duel and Reversi between programs in terminals, over a real message server (W10)."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from terminal import BUILD, SECONDS, Terminal, program

SERVER = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")
ROWS, COLUMNS = 40, 120


class Screen:
    """What a terminal shows: as much of xterm as curses uses."""

    STEP = re.compile(rb"\x1b\[([?>]?[0-9;]*)([A-Za-z@])|\x1b([()].|[=>78M])|([\r\n\b\t\x0f])|([\x20-\x7e\x80-\xff]+)", re.S)

    def __init__(self):
        self.rest = b""
        self.y = self.x = 0
        self.top, self.bottom = 0, ROWS - 1
        self.rows = [[" "] * COLUMNS for _ in range(ROWS)]

    def scroll(self, first, count):
        """Lines from `first` to the end of the region go up; down, if `count` is negative."""
        for _ in range(abs(count)):
            gone, new = (first, self.bottom) if count > 0 else (self.bottom, first)
            del self.rows[gone]
            self.rows.insert(new, [" "] * COLUMNS)

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.rows)

    def write(self, more):
        data, at = self.rest + more, 0
        while True:
            step = self.STEP.match(data, at)
            if not step:
                break
            at = step.end()
            if step.group(2):
                self.control(step.group(1), step.group(2).decode())
            elif step.group(3) == b"M":
                if self.y == self.top:
                    self.scroll(self.top, -1)
                else:
                    self.y -= 1
            elif step.group(4):
                self.move(step.group(4))
            elif step.group(5):
                for letter in step.group(5).decode("latin-1"):
                    self.put(letter)
        self.rest = data[at:]

    def put(self, letter):
        if self.x < COLUMNS:
            self.rows[self.y][self.x] = self.last = letter
        self.x += 1

    def move(self, letter):
        if letter == b"\r":
            self.x = 0
        elif letter == b"\n":
            if self.y == self.bottom:
                self.scroll(self.top, 1)
            else:
                self.y = min(self.y + 1, ROWS - 1)
        elif letter == b"\b":
            self.x = max(self.x - 1, 0)
        elif letter == b"\t":
            self.x = (self.x // 8 + 1) * 8

    def control(self, numbers, letter):
        values = [int(number or 0) for number in numbers.decode().split(";")] if numbers[:1] not in (b"?", b">") else []
        first = values[0] if values else 0
        count = max(first, 1)
        row = self.rows[self.y]
        if letter == "H":
            self.y, self.x = max(first, 1) - 1, (max(values[1], 1) if len(values) > 1 else 1) - 1
        elif letter == "d":
            self.y = count - 1
        elif letter == "G":
            self.x = count - 1
        elif letter in "ABCD":
            self.y += {"A": -count, "B": count}.get(letter, 0)
            self.x += {"C": count, "D": -count}.get(letter, 0)
        elif letter == "K":
            begin, end = (self.x, COLUMNS) if first == 0 else (0, self.x + 1)
            row[begin:end] = [" "] * (end - begin)
        elif letter == "J":
            row[self.x:] = [" "] * (COLUMNS - self.x)
            for below in range(0 if first == 2 else self.y + 1, ROWS):
                self.rows[below] = [" "] * COLUMNS
        elif letter in "LM":
            self.scroll(self.y, count if letter == "M" else -count)
        elif letter in "ST":
            self.scroll(self.top, count if letter == "S" else -count)
        elif letter == "r":
            self.top, self.bottom = max(first, 1) - 1, (values[1] if len(values) > 1 else ROWS) - 1
            self.y = self.x = 0
        elif letter == "X":
            row[self.x:self.x + count] = [" "] * count
        elif letter == "b":
            for _ in range(count):
                self.put(self.last)
        elif letter == "P":
            del row[self.x:self.x + count]
            row += [" "] * count
        elif letter == "@":
            row[self.x:self.x] = [" "] * count
            del row[COLUMNS:]


class Player(Terminal):
    """A program in a terminal, and what that shows."""

    def __init__(self, *command):
        super().__init__(*command, size=(COLUMNS, ROWS))
        self.screen, self.seen = Screen(), 0

    def shows(self):
        while self.read(0.01):
            if len(self.output) == self.seen:
                break
            self.screen.write(self.output[self.seen:])
            self.seen = len(self.output)
        return self.screen.text()

    def until(self, *texts, without=()):
        """Waits until the screen shows these texts, and returns all of it."""
        end = time.monotonic() + SECONDS
        while True:
            shown = self.shows()
            if all(text in shown for text in texts) and not any(text in shown for text in without):
                return shown
            if time.monotonic() > end or self.process.poll() is not None:
                raise AssertionError("%r did not appear in\n%s" % (texts, shown))
            time.sleep(0.02)

    def type(self, keys):
        os.write(self.master, keys)


def find_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@unittest.skipUnless(SERVER, "nats-server is not installed")
class OnlineTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kifu-online-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.port = find_port()
        self.url = "nats://127.0.0.1:%d" % self.port
        self.programs = []
        self.addCleanup(self.end_programs)

    def end_programs(self):
        for one in reversed(self.programs):
            if one.poll() is None:
                one.kill()
            one.wait()
            if one.stdout:
                one.stdout.close()

    def start_server(self, *more):
        self.programs.append(subprocess.Popen(
            [SERVER, "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", os.path.join(self.folder, "server"), *more],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.02)
        self.fail("nats-server does not start")

    @staticmethod
    def path(game):
        return os.path.join(BUILD, "nim_online") if game == "nim" else program(game)

    def command(self, game, command, *names):
        return [self.path(game), command, *names, "--server", self.url, "--data", os.path.join(self.folder, "data")]

    def require(self, game):
        if not os.path.exists(self.path(game)):
            self.skipTest("%s is built without NATS's library" % game)
        help_of = subprocess.run([self.path(game), "join", "--help"], capture_output=True, text=True, check=False)
        if help_of.returncode:
            self.skipTest("%s is built without NATS's library" % game)
        self.assertIn("--server URL", help_of.stdout)

    def serve(self, game, *names):
        """Starts the program that owns the games."""
        self.require(game)
        host = subprocess.Popen(self.command(game, "serve", *names), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True)
        self.programs.append(host)
        line = host.stdout.readline()
        if "waits" in line:  # for the end of the lease of one that was killed
            line = host.stdout.readline()
        self.assertIn("Serving", line)
        return host

    def start(self, game, command, *names):
        player = Player(*self.command(game, command, *names))
        self.addCleanup(player.close)
        return player

    def run_command(self, game, command, *names):
        done = subprocess.run(self.command(game, command, *names), capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=SECONDS)
        return done.returncode, done.stdout, done.stderr

    # --- Games -------------------------------------------------------------------------------------------------------

    def start_duel(self):
        """Red, Blue and a spectator."""
        players = []
        for name in ("Red", "Blue"):
            players.append(self.start("duel", "join"))
            players[-1].until("%s (you)" % name)
        return (*players, self.start("duel", "watch"))

    CARDS = ("Field", "Healer", "Martyr", "Vampire", "Briar", "Blight", "Spark", "Insight", "Rite", "Growth")

    @classmethod
    def hand_of(cls, shown):
        """How many cards of the lower hand are shown."""
        below = re.split(r"\n.* \(you\).*\n|\n Red  .*\n", shown)[-1].split("\n\n")[0]
        return sum(below.count(card) for card in cls.CARDS)

    def test_W10_duel_is_played_in_two_terminals(self):
        self.start_server()
        self.serve("duel")
        red, blue, spectator = self.start_duel()
        seen = spectator.until("turn 1", "a hidden card")
        for card in self.CARDS:
            self.assertNotIn(card, seen)
        self.assertNotIn("(you)", seen)
        for player, name in ((red, "Red"), (blue, "Blue")):
            shown = player.until("turn 1", "%s (you)" % name)
            self.assertNotIn("a hidden card", shown)
            self.assertGreaterEqual(self.hand_of(shown), 4, shown)
        first, second = (red, blue) if "turn 1: Red" in seen else (blue, red)
        names = ("Red", "Blue") if first is red else ("Blue", "Red")
        second.type(b"e")  # It is not his turn.
        first.until("%s: play cards" % names[0])
        first.type(b"e")
        for one in (first, second, spectator):
            one.until("turn 2: %s" % names[1])
        second.until("%s: play cards" % names[1])
        second.type(b"e")
        for one in (first, second, spectator):
            one.until("turn 3: %s" % names[0])
        first.until("%s: play cards" % names[0])
        first.type(b"G")
        for one in (first, second, spectator):
            one.until("The game is over: %s has won." % names[1])
        self.assertIn("duel             0 of 2 seats free, over\n", self.run_command("duel", "games")[1])
        for one in (first, second, spectator):
            one.type(b"q")
            self.assertEqual(0, one.wait())

    def test_W10_a_card_that_is_paid_in_steps_is_one_move(self):
        self.start_server()
        self.serve("duel")
        red, blue, spectator = self.start_duel()
        first, second = (red, blue) if "turn 1: Red" in spectator.until("turn 1") else (blue, red)
        name = "Red" if first is red else "Blue"
        played, turn = None, 1
        while not played:  # A land comes, and a card that costs something.
            first.until("turn %d" % turn, "%s: play cards" % name)
            played = self.play_a_card(first, name)
            if not played:
                first.type(b"e")
                second.until("turn %d" % (turn + 1), ": play cards")
                second.type(b"e")
                turn += 2
        for one in (second, spectator):
            one.until(played)
        first.type(b"u")
        self.assertRegex(first.until("No: "), "No: [^\n]+")

    def play_a_card(self, player, name):
        """Plays lands, and the first card that can be paid; returns what the log says of it."""
        for _ in range(8):
            player.type(b"\t")
            time.sleep(0.2)
            if "Enter: play it." not in player.until("%s: play cards" % name):
                return None
            player.type(b"\r")
            time.sleep(0.3)
            player.type(b"p")
            time.sleep(0.5)
            shown = player.shows()
            if "choose where it goes" in shown:
                player.type(b"\t\r")
            elif "to pay" in shown:
                player.type(b"\x1b")
            player.until("%s: play cards" % name)
            played = re.search(r"%s plays (?!Field)\w+" % name, player.shows())
            if played:
                return played.group(0)
        return None

    def test_W10_reversi_with_undo_by_consent(self):
        self.start_server()
        self.serve("reversi", "evening")
        one, two = self.start("reversi", "join", "evening"), None
        one.until("Moves", "you")
        two = self.start("reversi", "join", "evening")
        spectator = self.start("reversi", "watch", "evening")
        two.until("Moves", "you")
        spectator.until("Moves", "player 1", "player 2")
        black, white = (one, two) if "Black to move: you" in one.shows() else (two, one)
        black.until("Black to move: you")
        white.type(b"d3\r")  # It is not White's turn.
        black.type(b"d3\r")
        for player in (black, white, spectator):
            player.until("1. black d3", "White to move")
        white.type(b"c3\r")
        for player in (black, white, spectator):
            player.until("2. white c3", "Black to move")
        white.type(b"U")
        white.until("The other players are asked.")
        black.until("asks to take the last move back. Do you agree? (Y or N)")
        black.type(b"n")
        white.until("No: the other players do not agree.")
        white.type(b"U")
        black.until("asks to take the last move back. Do you agree? (Y or N)")
        black.type(b"y")
        for player in (black, white, spectator):
            player.until("1. black d3", "White to move", without=("2. white",))
        self.assertIn("is to move", self.run_command("reversi", "games")[1])

    def test_W10_a_game_without_a_loop_is_played_by_numbers(self):
        self.start_server()
        self.serve("nim")
        players = []
        for _ in range(2):
            players.append(self.start("nim", "join"))
            players[-1].wait_for(b"heaps 1 3 5 7: player ")
        spectator = self.start("nim", "watch")
        spectator.wait_for(b"heaps 1 3 5 7: player ")
        starts = int(re.search(rb"7: player (\d)", spectator.output).group(1))
        first, second = players[starts], players[1 - starts]
        first.wait_for(b"The number of a move, u (undo) or q (quit):")
        first.press(b"1\n", b"heaps 0 3 5 7: player %d is to move" % (1 - starts))
        second.wait_for(b"The number of a move, u (undo) or q (quit):")
        spectator.wait_for(b"heaps 0 3 5 7")
        first.press(b"1\n", b"There is no such move.")
        first.press(b"u\n", b"The other players are asked.")
        second.wait_for(b"Do you agree? (y or n)")
        second.press(b"y\n", b"heaps 1 3 5 7")
        first.press(b"q\n")
        self.assertEqual(0, first.wait())
        self.assertIn("nim              0 of 2 seats free, player %d is to move\n" % starts,
                      self.run_command("nim", "games")[1])

    def test_W10_a_player_and_the_host_are_killed_and_come_again(self):
        self.start_server()
        host = self.serve("duel")
        red, blue, spectator = self.start_duel()
        first, second = (red, blue) if "turn 1: Red" in spectator.until("turn 1") else (blue, red)
        names = ("Red", "Blue") if first is red else ("Blue", "Red")
        hand = re.search(r"\n %s \(you\)[^\n]*\n([^|\n]*)" % names[1], second.until("%s (you)" % names[1])).group(1)
        second.process.send_signal(signal.SIGKILL)
        second.wait()
        first.until("%s: play cards" % names[0])
        first.type(b"e")
        first.until("turn 2")
        again = self.start("duel", "join")
        shown = again.until("turn 2: %s" % names[1], "%s (you)" % names[1], "%s: play cards" % names[1])
        self.assertIn(hand.strip(), shown)
        host.kill()
        host.wait()
        again.type(b"e")  # It happens here at once, as far as it can be known.
        again.until("turn 3: %s" % names[0], "There is no answer: your request is repeated until there is one.")
        self.assertIn("turn 2: %s" % names[1], first.shows())
        self.serve("duel")
        for one in (first, spectator):
            one.until("turn 3: %s" % names[0])
        first.until("%s: play cards" % names[0])
        first.type(b"e")
        for one in (again, first, spectator):
            one.until("turn 4: %s" % names[1])

    # --- Words -------------------------------------------------------------------------------------------------------

    def test_W10_trouble_is_said_in_words(self):
        self.require("duel")
        status, out, errors = self.run_command("duel", "join")
        self.assertEqual((1, ""), (status, out))
        self.assertIn("no server is there: start nats-server", errors)
        self.start_server()
        status, _, errors = self.run_command("duel", "join")
        self.assertEqual(1, status)
        self.assertRegex(errors, "no program answers for duel there: start one with '.*duel serve'")
        self.serve("duel")
        self.assertRegex(self.run_command("duel", "games")[1], "^duel +2 of 2 seats free, (Red|Blue) is to move\n$")
        for command in ("join", "watch"):
            status, _, errors = self.run_command("duel", command, "nothing")
            self.assertEqual(1, status)
            self.assertRegex(errors, "there is no game 'nothing': '.*duel games' lists")
        status, _, errors = self.run_command("duel", "join", "No Name")
        self.assertEqual(2, status)
        self.assertIn("'No Name' is no name of a game", errors)
        status, _, errors = self.run_command("duel", "join", "--sever")
        self.assertEqual(2, status)
        self.assertIn("'--sever' is no option", errors)
        self.start_duel()[2].until("turn 1")
        status, _, errors = self.run_command("duel", "join")
        self.assertEqual(1, status)
        self.assertIn("all seats of 'duel' are taken; to look on:", errors)

    def test_W10_a_seat_that_is_gone_is_taken_anew(self):
        self.start_server()
        self.serve("duel")
        folder = os.path.join(self.folder, "data", "duel")
        with open(os.path.join(folder, "duel@127.0.0.1:%d.1" % self.port), "w", encoding="ascii") as file:
            file.write("0" + "f" * 32)
        self.start("duel", "join").until("Red (you)")
        self.assertIn(" 1 of 2 seats free", self.run_command("duel", "games")[1])
        for file in os.listdir(folder):
            mode = os.stat(os.path.join(folder, file)).st_mode & 0o077
            self.assertTrue(mode == 0 or "@" in file, "%s can be read by others: %o" % (file, mode))

    def test_W10_users_need_no_more_rights_than_players_have(self):
        rights = os.path.join(self.folder, "server.conf")
        with open(rights, "w", encoding="ascii") as file:
            file.write("""authorization { users: [
                { user: referee, password: "r" }
                { user: alice, password: "a"
                  permissions: { publish: "kifu.nim.in.alice.*", subscribe: "kifu.nim.seen.alice" } } ] }\n""")
        self.start_server("-c", rights)
        plain = self.url
        self.url = plain.replace("//", "//alice:wrong@")
        self.require("nim")
        status, _, errors = self.run_command("nim", "join")
        self.assertEqual(1, status)
        self.assertIn("the server does not know this user and password", errors)
        self.assertNotIn("wrong", errors, "a password is not printed")
        self.url = plain.replace("//", "//referee:r@")
        self.serve("nim")
        self.url = plain.replace("//", "//alice:a@")
        self.start("nim", "join").wait_for(b"heaps 1 3 5 7: player ")
        self.assertIn("1 of 2 seats free", self.run_command("nim", "games")[1])

    def test_W10_a_second_host_waits(self):
        self.start_server()
        first = self.serve("duel")
        self.require("duel")
        second = subprocess.Popen(self.command("duel", "serve"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True)
        self.programs.append(second)
        self.assertIn("another program serves duel there: this one waits", second.stdout.readline())
        first.terminate()
        self.assertEqual(0, first.wait())
        self.assertIn("Serving 1 game ", second.stdout.readline())


if __name__ == "__main__":
    unittest.main()
