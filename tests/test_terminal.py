#!/usr/bin/env python3
"""The example games in a terminal: how they end, what they leave behind, and their keys."""

import os
import resource
import signal
import subprocess
import time
import unittest

from terminal import BUILD, GAMES, RESTORED, SECONDS, TerminalTest, open_terminal


class EndOfInput(TerminalTest):
    def must_end(self, game, terminal):
        self.assertEqual(0, terminal.wait(), terminal.output[-1000:])
        self.assertIn(RESTORED, terminal.output)
        self.assertTrue(os.path.exists(self.save(game)), "they save on leaving")
        os.remove(self.save(game))

    def F05_of_nothing(self):
        for game in GAMES:
            with self.subTest(game=game):
                self.must_end(game, self.start(game, stdin=subprocess.DEVNULL))

    def F05_of_a_pipe_that_is_closed(self):
        for game in GAMES:
            with self.subTest(game=game):
                terminal = self.start(game, stdin=subprocess.PIPE)
                terminal.wait_for(game.capitalize().encode())
                terminal.process.stdin.close()
                self.must_end(game, terminal)

    def F05_of_a_terminal_that_is_closed(self):
        for game in GAMES:
            with self.subTest(game=game):
                master, slave = open_terminal()  # Not the one that it is run from, which would be a signal.
                terminal = self.start(game, stdin=slave)
                os.close(slave)
                terminal.wait_for(game.capitalize().encode())
                os.close(master)
                self.must_end(game, terminal)


class Reversi(TerminalTest):
    """Whichever way it ends, the game goes on where it was."""

    MOVE = b"black d3"

    def play(self):
        terminal = self.start("reversi", "--two")
        terminal.wait_for(b"Black to move")
        terminal.press(b"\r", self.MOVE)
        return terminal

    def must_go_on(self):
        again = self.start("reversi", "--two")
        again.wait_for(self.MOVE)
        again.press(b"Q")
        self.assertEqual(0, again.wait())

    def F06_quitting_saves(self):
        terminal = self.play()
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        self.assertIn(RESTORED, terminal.output)
        self.must_go_on()

    def F06_a_signal_loses_nothing(self):
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"):
            with self.subTest(signal=name):
                terminal = self.play()
                terminal.process.send_signal(getattr(signal, name))
                terminal.wait()
                if name in ("SIGINT", "SIGTERM"):
                    self.assertIn(RESTORED, terminal.output)
                self.must_go_on()
                os.remove(self.save("reversi"))

    def F06_control_c_loses_nothing(self):
        terminal = self.play()
        terminal.press(b"\x03")
        terminal.wait()
        self.assertIn(RESTORED, terminal.output)
        self.must_go_on()

    def F06_a_closed_terminal_loses_nothing(self):
        terminal = self.play()
        os.close(terminal.master)
        terminal.master = -1
        terminal.process.wait(SECONDS)
        self.must_go_on()

    def F06_escape_does_not_quit(self):
        terminal = self.play()
        terminal.press(b"\x1b", b"Q saves the game and quits.")
        self.assertIsNone(terminal.process.poll())

    def F06_a_new_game_is_asked_for_twice(self):
        terminal = self.play()
        terminal.press(b"N", b"Press N again; this one will be lost.")
        terminal.press(b"\x1b", b"Q saves")  # Any other key: not a new game.
        terminal.press(b"N", b"A new game?")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        self.must_go_on()

        terminal = self.start("reversi", "--two")
        terminal.wait_for(self.MOVE)
        terminal.press(b"N", b"Press N again")
        terminal.press(b"N", b"Black   2")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        terminal = self.start("reversi", "--two")
        terminal.wait_for(b"Black to move")
        self.assertNotIn(self.MOVE, terminal.output)

    def F06_a_small_window_says_its_size(self):
        for game in GAMES:
            with self.subTest(game=game):
                terminal = self.start(game, size=(61, 17))
                terminal.wait_for(b"it is 61 x 17")
                terminal.close()


class Unreadable(TerminalTest):
    """Only where there is no save does a new game begin; anything else is said, and stays as it is."""

    def test_F63_a_save_that_cannot_be_read_is_not_replaced(self):
        for game in GAMES:
            with self.subTest(game=game):
                os.symlink(game + ".kifu", self.save(game))  # It leads to itself: no permission stops root.
                terminal = self.start(game)
                self.assertEqual(1, terminal.wait(), terminal.output[-1000:])
                self.assertIn(b"Too many levels of symbolic links", terminal.output)
                self.assertEqual([game + ".kifu"], os.listdir(self.folder))
                os.remove(self.save(game))

    def test_F82_a_game_that_another_program_plays_is_not_begun_again(self):
        for game in GAMES:
            if game == "duel":
                continue  # It saves when it is asked to.
            with self.subTest(game=game):
                first = self.start(game)
                first.wait_for(game.capitalize().encode())
                while not os.path.exists(self.save(game)):
                    first.read(0.05)
                second = self.start(game)
                self.assertEqual(1, second.wait(), second.output[-1000:])
                self.assertIn(b"is open as a log file already", second.output)
                first.process.kill()
                first.wait()
                again = self.start(game)
                again.wait_for(b"where you left it")
                again.close()

    def test_F64_what_could_not_be_read_stays(self):
        terminal = self.start("reversi", "--two")
        terminal.wait_for(b"Black to move")
        terminal.press(b"\r", b"black d3")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        with open(self.save("reversi"), "rb") as file:
            data = file.read()[:-40]
        with open(self.save("reversi"), "wb") as file:
            file.write(data)
        terminal = self.start("reversi", "--two")
        terminal.wait_for(b"Not all of the save could be read")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        with open(self.save("reversi") + ".kept", "rb") as file:
            self.assertEqual(data, file.read())

    def test_F63_the_tutorials_game_overwrites_no_other_save(self):
        nim = os.path.join(BUILD, "nim_app")
        path = os.path.join(self.folder, "nim.kifu")

        def play(typed):
            done = subprocess.run([nim, path], input=typed, capture_output=True, text=True, check=False)
            return done.returncode, done.stdout

        self.assertEqual(0, play("take 3 6\nsave\n")[0])
        self.assertIn("heaps 1 3 5 1", play("")[1])
        with open(path, "wb") as file:
            file.write(b"Dear diary")
        status, said = play("take 3 6\nsave\n")
        self.assertEqual(1, status)
        self.assertIn("this is not a Kifu save", said)
        os.remove(path)
        os.symlink("nim.kifu", path)
        self.assertEqual(1, play("take 3 6\nsave\n")[0])
        self.assertEqual(["nim.kifu"], os.listdir(self.folder))


class Keys(TerminalTest):
    def test_F81_a_question_mark_shows_the_keys(self):
        for game in ("reversi", "duel", "chess", "go"):
            with self.subTest(game=game):
                terminal = self.start(game, "--two") if game != "duel" else self.start(game)
                terminal.wait_for(b"eys")
                terminal.press(b"?", b"these keys")
                terminal.press(b"x")
                terminal.press(b"q" if game != "chess" else b"Q")
                self.assertEqual(0, terminal.wait())

    def test_F81_control_c_says_what_is_saved(self):
        for game in ("chess", "go"):
            with self.subTest(game=game):
                terminal = self.start(game, "--two")
                terminal.wait_for(b"to move")
                terminal.press(b"e2\re4\r" if game == "chess" else b"e5\r", b"e4" if game == "chess" else b"plays E5")
                terminal.press(b"\x03", b"Saved as")
                self.assertEqual(0, terminal.wait())
                self.assertIn(RESTORED, terminal.output)
                again = self.start(game, "--two")
                again.wait_for(b"where you left it")
                again.close()
        shown = {"reversi": (["--two"], b"Black to move"), "duel": ([], b"press Enter"), "dungeon": ([], b"x: explore")}
        for game, (arguments, text) in shown.items():
            with self.subTest(game=game):
                terminal = self.start(game, *arguments)
                terminal.wait_for(text)
                terminal.press(b"\x03", b"Saved as " + self.save(game).encode())
                self.assertEqual(0, terminal.wait())
                self.assertIn(RESTORED, terminal.output)
                self.assertTrue(os.path.exists(self.save(game)))

    def test_F81_a_new_game_of_duel_does_not_replace_the_one_that_is_saved(self):
        terminal = self.start("duel")
        terminal.wait_for(b"press Enter")
        terminal.press(b"q", b"Saved as")
        self.assertEqual(0, terminal.wait())
        with open(self.save("duel"), "rb") as file:
            saved = file.read()
        for keys, text in ((b"xq", b"This game is not saved: "), (b"\x03", b"This game is not saved: "),
                           (b"xsq", b"Saved as")):
            terminal = self.start("duel")
            terminal.wait_for(b"press Enter")
            terminal.press(b"n?", b"these keys")
            terminal.press(keys, text)
            self.assertEqual(0, terminal.wait())
            with open(self.save("duel"), "rb") as file:
                self.assertEqual(keys != b"xsq", file.read() == saved)

    def test_F81_small_letters_are_commands_too(self):
        terminal = self.start("chess", "--two")
        terminal.wait_for(b"White to move")
        terminal.press(b"d", b"d once more is the key D")
        terminal.press(b"d", b"offers a draw")
        terminal.press(b"gg", b"resigns")
        terminal.press(b"q")
        self.assertEqual(0, terminal.wait())
        terminal = self.start("go", "--two")
        terminal.wait_for(b"Black to move")
        terminal.press(b"p", b"passes")  # No line of this board.
        terminal.press(b"g", b"g once more is the key G")
        terminal.press(b"g", b"resigned")
        terminal.press(b"q")
        self.assertEqual(0, terminal.wait())

    def test_F81_a_computer_that_thinks_can_be_left(self):
        terminal = self.start("chess", "--level", "6")
        terminal.wait_for(b"White to move")
        terminal.press(b"e2\r", b"Where to?")
        terminal.press(b"e4\r", b"(thinking...)")
        begin = time.monotonic()
        terminal.press(b"d2\rd4\rUUQ")
        self.assertEqual(0, terminal.wait())
        self.assertLess(time.monotonic() - begin, 4, "it thinks for five seconds")

    def test_F81_the_bots_stop_thinking_at_once(self):
        """Counted in seconds of the processor, because the machine may be busy."""
        for game, arguments, key in (("reversi", ("--watch", "--level", "7"), b"q"), ("chess", ("--level", "1"), b"Q"),
                                     ("duel", ("--watch", "--level", "5"), b"q"), ("chess", ("--level", "1"), b"\x03"),
                                     ("reversi", ("--watch", "--level", "7"), b"\x03")):
            with self.subTest(game=game, key=key):
                terminal = self.start(game, *arguments)
                if game == "chess":
                    terminal.wait_for(b"White to move")
                    terminal.press(b"e2\r", b"Where to?")
                    terminal.press(b"e4\r")
                terminal.wait_for(b"thinks ..." if game == "duel" else b"(thinking...)")
                used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                terminal.press(key, b"Saved as")
                self.assertEqual(0, terminal.wait())
                used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used
                self.assertLess(used, 0.4)
                os.remove(self.save(game))

    def test_F81_keys_that_are_typed_while_it_thinks_are_not_played_later(self):
        terminal = self.start("chess", "--level", "5")
        terminal.wait_for(b"White to move")
        terminal.press(b"e2\r", b"Where to?")
        terminal.press(b"e4\r", b"(thinking...)")
        terminal.press(b"UG")
        terminal.wait_for(b"<-", after=b"(thinking...)")
        terminal.press(b"\x1b", b"Q saves")
        self.assertNotIn(b"resigns", terminal.output)
        terminal.press(b"U", b"aken back")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())


class Journeys(TerminalTest):
    """Dungeon's actions of several turns."""

    def test_G09_exploring_running_and_resting(self):
        terminal = self.start("dungeon", "--seed", "21")
        terminal.wait_for(b"x: explore")
        terminal.press(b"x", b"3 potion of speed")
        terminal.press(b"\x1b[1;2C", b"the way ends here.")  # Shift and an arrow
        terminal.press(b"z", b"Undone")
        terminal.press(b"R", b"all wounds are healed.")
        terminal.press(b"w", b"no way to there is known.")
        terminal.press(b"q")
        self.assertEqual(0, terminal.wait())


if __name__ == "__main__":
    unittest.defaultTestLoader.testMethodPrefix = ("test", "F")  # Findings have their ids in front.
    unittest.main()
