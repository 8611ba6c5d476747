#!/usr/bin/env python3
"""Chess and Go in a terminal: games with variations and notes, and files of other programs."""

import os
import re
import signal
import subprocess
import time
import unittest

from terminal import SECONDS, Terminal, TerminalTest, program


class Chess(TerminalTest):
    """Typed squares, arrows, a promotion, undo, and the PGN of it all."""

    def start_chess(self, *arguments):
        terminal = self.start("chess", *arguments)
        terminal.wait_for(b"White to move")
        return terminal

    def move(self, terminal, name, answer):
        terminal.press(name[:2] + b"\r", b"Where to?")
        terminal.press(name[2:] + b"\r", answer)

    def test_C12_a_short_game(self):
        terminal = self.start_chess("--two")
        for name, san in ((b"f2f3", b"f3"), (b"e7e5", b"e5"), (b"g2g4", b"g4")):
            self.move(terminal, name, san)
        terminal.press(b"e4\r", b"Choose one of your own pieces.")
        self.move(terminal, b"d8d3", b"Not possible: that piece does not move there.")
        self.move(terminal, b"d8h4", b"Qh4#")
        terminal.wait_for(b"mate: black wins.")
        terminal.press(b"W", b"The moves are in")
        with open(self.save("chess")[:-5] + ".pgn") as file:
            self.assertIn("1. f3 e5 2. g4 Qh4# 0-1\n", file.read())
        terminal.press(b"U", b"aken back.")
        terminal.press(b"D", b"offers a draw.")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())

    def test_C12_the_computer_answers_and_the_game_goes_on(self):
        terminal = self.start_chess("--level", "1")
        self.move(terminal, b"e2e4", b"(thinking...)")
        terminal.wait_for(b"<-", after=b"(thinking...)")  # It is white's turn again.
        terminal.press(b"C", b"This key is for a review. Tab begins one.")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        again = self.start_chess("--level", "1")
        again.wait_for(b"1.e4")
        again.press(b"U", b"aken back.")
        again.press(b"G", b"White resigns: black wins.")
        again.press(b"Q")
        self.assertEqual(0, again.wait())

    def play_and_review(self):
        terminal = self.start_chess("--two")
        for name, san in ((b"e2e4", b"1.e4"), (b"e7e5", b"e5"), (b"g1f3", b"2.Nf3"), (b"b8c6", b"Nc6")):
            self.move(terminal, name, san)
        terminal.press(b"\t", b"Walk the moves.")
        return terminal

    LEFT, RIGHT, UP, DOWN, HOME, END = b"\x1bOD", b"\x1bOC", b"\x1bOA", b"\x1bOB", b"\x1bOH", b"\x1bOF"

    def moves(self, terminal):
        """What W writes, without the tags."""
        path = self.save("chess")[:-5] + ".pgn"
        end = time.monotonic() + SECONDS
        text = ""
        terminal.press(b"W")
        while not text.endswith("*\n") and time.monotonic() < end:
            terminal.read(0.05)
            if os.path.exists(path):
                with open(path) as file:
                    text = file.read()
        os.remove(path)
        return text.split("\n\n")[1].replace("\n", " ").strip()

    def test_C13_a_review_makes_a_tree(self):
        terminal = self.play_and_review()
        terminal.press(self.LEFT + self.LEFT)
        self.move(terminal, b"f2f4", b"(2.f4)")
        self.move(terminal, b"e5f4", b"exf4")
        terminal.press(self.LEFT)
        self.move(terminal, b"d7d5", b"d5")
        self.assertEqual("1. e4 e5 2. Nf3 (2. f4 exf4 (2... d5)) 2... Nc6 *", self.moves(terminal))
        terminal.press(self.UP + b"C", b"Comment on this move")
        terminal.press(b"Ana\x7fccepted\r", b"Anccepted")
        terminal.press(b"C\x7f\x1b", b"Anccepted")  # Escape: it stays.
        terminal.press(b"!", b"Glyph: ")
        terminal.press(b"!? $14\r", b"!?{}")
        terminal.press(b"!", b"Glyph: ")
        terminal.press(b" $256\r", b"This is no glyph")
        terminal.press(self.UP, b"no other variation before this move.")
        self.assertEqual("1. e4 e5 2. Nf3 (2. f4 exf4 $5 $14 {Anccepted} (2... d5)) 2... Nc6 *", self.moves(terminal))
        terminal.press(b"M", b"main line now.")
        self.assertEqual("1. e4 e5 2. f4 (2. Nf3 Nc6) 2... exf4 $5 $14 {Anccepted} (2... d5) *", self.moves(terminal))
        terminal.press(self.DOWN + b"X", b"X again")
        terminal.press(b"X", b"is deleted.")
        self.assertEqual("1. e4 e5 2. f4 (2. Nf3 Nc6) 2... exf4 $5 $14 {Anccepted} *", self.moves(terminal))
        terminal.press(self.HOME + b"C", b"Comment on the game")
        terminal.press(b"Well }\r", b"Well }")
        self.assertTrue(self.moves(terminal).startswith(";Well } 1. e4 e5"))
        terminal.press(self.LEFT, b"begins here.")
        terminal.press(self.END + self.RIGHT, b"ends here.")
        moves = self.moves(terminal)
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        again = self.start("chess")
        again.wait_for(b"Chess: review")  # The computer lets the game be.
        self.assertEqual(moves, self.moves(again))
        again.press(b"Q")
        self.assertEqual(0, again.wait())

    def kill_review(self, terminal):
        """The program is killed and opens the game again. The same moves are there, with all variations."""
        moves = self.moves(terminal)
        terminal.process.send_signal(signal.SIGKILL)
        terminal.wait()
        terminal = self.start("chess", "--two")
        terminal.wait_for(b"Chess: review")
        self.assertEqual(moves, self.moves(terminal))
        return terminal, moves

    def test_C13_a_review_that_is_killed_is_saved(self):
        terminal = self.play_and_review()
        terminal.press(self.LEFT)
        self.move(terminal, b"a7a6", b"(2...a6)")
        terminal.press(b"!", b"Glyph: ")
        terminal.press(b"?!\r", b"?!")
        terminal, moves = self.kill_review(terminal)
        self.assertEqual("1. e4 e5 2. Nf3 Nc6 (2... a6 $6) *", moves)
        for keys, expected in ((b"", "Nc6 (2... a6 $6) *"),  # It was only looked at.
                               (b"M", "a6 $6 (2... Nc6) *"),
                               (b"CWhy\r", "a6 $6 {Why} (2... Nc6) *"),
                               (self.LEFT + b"h7\rh6\r", "a6 $6 {Why} (2... Nc6) (2... h6) *"),
                               (b"C\x7f?\r!!\r", "a6 $6 {Why} (2... Nc6) (2... h6 $1 {?}) *"),
                               (b"XX", "a6 $6 {Why} (2... Nc6) *")):
            terminal.press(keys)
            terminal, moves = self.kill_review(terminal)
            self.assertEqual("1. e4 e5 2. Nf3 " + expected, moves)
        terminal.press(self.HOME)
        terminal, _ = self.kill_review(terminal)
        terminal.press(b"C", b"Comment on the game")  # It was left at its beginning.
        terminal.press(b"\x1bQ")
        self.assertEqual(0, terminal.wait())

    def test_C13_a_review_is_appended_to_its_log_file(self):
        terminal = self.play_and_review()
        with open(self.save("chess"), "rb") as file:
            length = os.fstat(file.fileno()).st_size
            terminal.press(self.LEFT)
            self.move(terminal, b"a7a6", b"(2...a6)")
            terminal.press(b"MCWhy\r", b"{}")
            self.moves(terminal)
            status = os.fstat(file.fileno())
            self.assertEqual(1, status.st_nlink, "no other file took its place")
            self.assertGreater(status.st_size, length)
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())

    def test_C13_what_cannot_be_deleted(self):
        terminal = self.play_and_review()
        terminal.press(b"X", b"with this line: it stays.")
        terminal.press(self.LEFT)
        self.move(terminal, b"a7a6", b"(2...a6)")
        terminal.press(b"X", b"X again")
        terminal.press(self.LEFT + b"X", b"with this line: it stays.")  # This move belongs to both.
        terminal.press(self.RIGHT + b"X", b"X again")
        terminal.press(self.RIGHT, b"ends here.")  # Any other key in between: not deleted.
        terminal.press(b"X", b"X again")
        self.assertEqual("1. e4 e5 2. Nf3 Nc6 (2... a6) *", self.moves(terminal))
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())

    def test_C13_a_pgn_file_opens(self):
        path = os.path.join(self.folder, "two.pgn")
        with open(path, "w") as file:
            file.write('[White "Anna"]\n\n1. e4 *\n\n[White "Berta"]\n\n{why} 1. d4 (1. c4! d5) d5?? *\n')
        terminal = self.start_file(path, "--game", "2")
        terminal.wait_for(b"(1.c4! d5)")
        terminal.wait_for(b"Berta")
        terminal.wait_for(b"why")  # It stands at its beginning.
        terminal.press(self.LEFT, b"begins here.")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        self.assertFalse(os.path.exists(os.path.join(self.folder, "two-2.kifu")), "nothing was changed")
        for arguments, fault in ((("--game", "3"), b"this file has fewer games"), ((), b"game 1, line 3, column 4: move 1")):
            with open(path, "w" if not arguments else "a") as file:
                file.write("" if arguments else "\n\n1. e5 *")
            terminal = self.start_file(path, *arguments)
            terminal.wait_for(fault)
            self.assertEqual(1, terminal.wait())

    def test_C13_after_a_line_is_deleted_the_main_line_goes_on(self):
        path = os.path.join(self.folder, "lines.pgn")
        with open(path, "w", encoding="utf-8") as file:
            file.write("1. e4 e5 (1... c5 2. Nf3 (2. c3)) (1... d5) *\n")
        terminal = self.start_file(path)
        terminal.wait_for(b"(1...d5)")
        terminal.press(b">" + self.DOWN + b"M", b"main line now.")  # 1... c5
        terminal.press(self.DOWN + self.DOWN + self.DOWN, b"no other variation behind this move.")
        terminal.press(b"XX", b"is deleted.")  # 1... d5
        terminal.press(self.RIGHT + b"!$7\r", b"$7")
        terminal.press(self.RIGHT + b"!$8\r", b"$8")
        terminal.press(b"WW", b"The moves are in")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        with open(path, encoding="utf-8") as file:
            self.assertIn("1. e4 c5 $7 (1... e5) 2. Nf3 $8 (2. c3) *", file.read())

    def test_C13_a_pgn_file_is_written_when_asked(self):
        path = os.path.join(self.folder, "one.pgn")
        with open(path, "w", encoding="utf-8") as file:
            file.write("1. e4 *\n")
        for keys in (b">!!\r", b""):
            terminal = self.start_file(path)
            terminal.wait_for(b"Here are your changes" if not keys else b"Changes go to")
            terminal.press(keys + b"N", b"A new game has a file of its own")
            if keys:
                terminal.process.send_signal(signal.SIGKILL)
                terminal.wait()
        terminal.press(b"W", b"Press W again")
        with open(path, encoding="utf-8") as file:
            self.assertEqual("1. e4 *\n", file.read())
        terminal.press(b"W", b"The moves are in")
        with open(path, encoding="utf-8") as file:
            self.assertIn("1. e4 $1 *\n", file.read())
        terminal.press(b"Q", b"has the whole game")
        self.assertEqual(0, terminal.wait())
        self.assertEqual(["one.pgn"], os.listdir(self.folder))

    def start_file(self, path, *arguments):
        terminal = Terminal(program("chess"), *arguments, path)
        self.addCleanup(terminal.close)
        return terminal


class Go(TerminalTest):
    """Typed points, the tree, comments, counting, and the SGF of it all."""

    LEFT, RIGHT, UP, DOWN = b"\x1bOD", b"\x1bOC", b"\x1bOA", b"\x1bOB"

    def comment(self, terminal, text):
        terminal.press(b"C", b"keep it")
        terminal.press(text + b"\r", b"kept.")

    def sgf(self, path):
        with open(path, encoding="utf-8") as file:
            return re.sub(r"DT\[[0-9-]*\]", "", file.read())

    def steps(self, terminal):
        """What W writes, without the first node and the first move."""
        path = self.save("go")[:-5] + ".sgf"
        end = time.monotonic() + SECONDS
        text = ""
        terminal.press(b"W")
        while not text.endswith(")\n") and time.monotonic() < end:
            terminal.read(0.05)
            text = self.sgf(path) if os.path.exists(path) else ""
        os.remove(path)
        return text.partition(";B[ee]\n")[2]

    def walk(self, terminal, keys):
        """Goes along the game, which clears the message, so that the next one is written whole."""
        terminal.press(keys + b"\x1b", b"Q saves the game and quits.")

    def test_a_game_with_variations(self):
        terminal = self.start("go", "--two")
        terminal.wait_for(b"Black to move")
        terminal.press(b"e5\r", b"Black plays E5.")
        terminal.press(b"c3\r", b"C3")
        terminal.press(b"e5\r", b"there is a stone already.")
        terminal.press(b"X", b"This key is for a review. Tab begins one.")
        terminal.press(b"\t", b"in another one's place begins a variation.")
        self.walk(terminal, self.LEFT)
        terminal.press(b"g7\r", b"G7")
        self.comment(terminal, b"a corne\xc3\xa9\x7fr")  # the last character is taken back
        terminal.press(b"X", b"Delete the variation that begins with G7? Press X again.")
        self.walk(terminal, self.UP)  # C3
        self.comment(terminal, b"another\x1bOBone")  # arrow down
        terminal.press(b"X", b"began with this line: it stays.")
        terminal.press(self.UP, b"no other variation before this move.")
        self.walk(terminal, self.DOWN)  # G7
        terminal.press(self.DOWN, b"no other variation behind this move.")
        terminal.press(b"M", b"main line now.")
        terminal.press(b"d4\r", b"D4")
        terminal.press(b"a1\r", b"A1")
        self.walk(terminal, self.LEFT)
        terminal.press(b"a2\r", b"A2")  # a third line, which goes again
        terminal.press(b"X", b"X again.")
        terminal.press(b"X", b"is deleted.")
        terminal.press(b"G", b"is is a review.")
        terminal.press(b"P", b"passes.")
        terminal.press(b"P", b"oth have passed.")
        terminal.press(b"e5\rA", b"W+7.5")  # E5 is dead
        terminal.press(b"M", b"main line now.")
        terminal.press(b"W", b"go.sgf")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        text = self.sgf(self.save("go")[:-5] + ".sgf")
        self.assertEqual(text,
                         "(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[6.5]RU[superko, territory]RE[W+7.5]PB[player 1]PW[player 2]\n"
                         ";B[ee]\n(;W[gc]C[a corner];B[df]\n(;W[];B[])\n(;W[ai]))\n(;W[cg]C[another\none]))\n")
        os.remove(self.save("go")[:-5] + ".sgf")
        again = self.start("go", "--two")
        again.wait_for(b"Game over: W+7.5")
        again.wait_for(b"Go: review")
        again.press(b"W", b"go.sgf")
        self.assertEqual(self.sgf(self.save("go")[:-5] + ".sgf"), text, "the save has all of it")
        again.press(b"Q")
        self.assertEqual(0, again.wait())

    def test_a_game_with_variations_that_is_killed_is_saved(self):
        terminal = self.start("go", "--two")
        terminal.wait_for(b"Black to move")
        terminal.press(b"e5\r", b"Black plays E5.")
        terminal.press(b"c3\r", b"C3")
        terminal.press(b"\t", b"in another one's place begins a variation.")
        self.walk(terminal, self.LEFT)
        terminal.press(b"g7\r", b"G7")
        self.comment(terminal, b"a corner")
        for keys, expected in ((b"", "(;W[cg])\n(;W[gc]C[a corner]))\n"),  # It was only looked at.
                               (b"M", "(;W[gc]C[a corner])\n(;W[cg]))\n"),
                               (b"d4\r", "(;W[gc]C[a corner];B[df])\n(;W[cg]))\n"),
                               (b"Cdeep\r", "(;W[gc]C[a corner];B[df]C[deep])\n(;W[cg]))\n"),
                               (self.LEFT + b"a1\r", "(;W[gc]C[a corner]\n(;B[df]C[deep])\n(;B[ai]))\n(;W[cg]))\n"),
                               (b"XX", "(;W[gc]C[a corner];B[df]C[deep])\n(;W[cg]))\n")):
            terminal.press(keys)
            self.assertEqual(expected, self.steps(terminal))
            terminal.process.send_signal(signal.SIGKILL)
            terminal.wait()
            terminal = self.start("go", "--two")
            terminal.wait_for(b"The game goes on where you left it")
            self.assertEqual(expected, self.steps(terminal))
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())

    def test_the_computer_answers_but_not_who_reviews(self):
        terminal = self.start("go", "--tries", "50")
        terminal.wait_for(b"Black to move")
        terminal.press(b"e5\r", b"(thinking...)")
        terminal.wait_for(b"> Black", after=b"(thinking...)")
        terminal.press(b"\t", b"in another one's place begins a variation.")
        self.comment(terminal, b"the answer")
        self.walk(terminal, self.LEFT)
        terminal.press(b"\t", b"The game goes on from here")
        terminal.wait_for(b"> Black")  # The computer has moved again.
        terminal.press(b"U", b"Taken back.")
        terminal.press(b"U", b"here is no move of yours to take back.")
        terminal.press(b"R", b"Played again.")
        terminal.press(b"G", b"The game is over: W+R (resigned).")
        terminal.press(b"W", b"go.sgf")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        self.assertRegex(self.sgf(self.save("go")[:-5] + ".sgf"), r"PB\[you\]PW\[computer\]\n;B\[ee\].*C\[the answer\]")

    def start_sgf(self, text, *arguments):
        path = os.path.join(self.folder, "game.sgf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        terminal = Terminal(program("go"), *arguments, path)
        self.addCleanup(terminal.close)
        return terminal, path

    def test_sgf_is_looked_at_and_written_when_asked(self):
        text = "(;SZ[9]PB[Me];B[ee](;W[cc]C[One comment])(;W[dd]LB[aa:Q]TR[ff]AR[aa:ii]))"
        terminal, path = self.start_sgf(text)
        terminal.wait_for(b"Changes go to")
        terminal.press(b">", b"One comment")
        terminal.press(self.DOWN, b"A9-J1")
        self.walk(terminal, b"<")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        self.assertEqual(os.listdir(self.folder), ["game.sgf"], "nothing was changed, so no save stays")
        terminal, path = self.start_sgf(text)
        terminal.wait_for(b"Me")
        self.comment(terminal, b"The beginning")
        terminal.press(b"W", b"Press W again")
        terminal.press(b"\x1bW", b"Press W again")  # Any other key in between: it is not written.
        self.assertEqual(self.sgf(path), text)
        terminal.press(b"W", b"game is in")
        self.assertIn("C[The beginning]PB[Me]\n;B[ee]\n(;W[cc]C[One comment])\n(;W[dd]AR", self.sgf(path))
        self.comment(terminal, b" of it")
        terminal.press(b"W", b"game is in")  # Once is enough.
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        self.assertIn("C[The beginning of it]", self.sgf(path))
        self.assertEqual(os.listdir(self.folder), ["game.sgf"])

    def test_changes_of_sgf_survive_a_kill(self):
        text = "(;SZ[9];B[ee](;W[cc])(;W[dd]))"
        terminal, path = self.start_sgf(text)
        terminal.press(self.RIGHT + b"g7\r", b"White plays G7.")
        self.comment(terminal, b"new")
        terminal.press(b"!!?\r", b"The glyph is kept.")
        terminal.process.send_signal(signal.SIGKILL)
        terminal.wait()
        self.assertEqual(self.sgf(path), text)
        terminal, path = self.start_sgf(text)
        terminal.wait_for(b"Here are your changes to")
        terminal.press(b"N", b"A new game has a file of its own")
        terminal.press(b"Q", b"Saved as")
        self.assertEqual(0, terminal.wait())
        self.assertEqual(self.sgf(path), text, "it is written only by W")
        terminal, path = self.start_sgf(text)
        terminal.press(b"W", b"Press W again")
        terminal.press(b"W", b"game is in")
        self.assertIn("(;W[cc])\n(;W[dd])\n(;W[gc]C[new]IT[]))\n", self.sgf(path))
        terminal.press(b"Q", b"has the whole game")
        self.assertEqual(0, terminal.wait())

    def test_a_game_of_a_collection_leaves_the_others(self):
        text = "(;SZ[9];B[ee])(;SZ[9];B[cc])"
        terminal, path = self.start_sgf(text, "--game", "2")
        terminal.wait_for(b"Game 2 of")
        self.comment(terminal, b"the second")
        terminal.press(b"W", b"game-2.sgf")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())
        self.assertEqual(self.sgf(path), text)
        self.assertIn("C[the second]", self.sgf(os.path.join(self.folder, "game-2.sgf")))

    def test_points_are_marked(self):
        terminal, path = self.start_sgf("(;SZ[9];B[ee]TR[aa:ba]LB[ii:A])")
        terminal.press(self.RIGHT + b"b9", b"[")
        terminal.press(b"Tc3TTd3TTTe3TTTTf3TTTTTg3TTTTTh3TTTTTT", b"another mark")
        terminal.press(b"W\x1b", b"Q saves")
        terminal.press(b"W", b"Press W again")
        terminal.press(b"W", b"game is in")
        self.assertIn(";B[ee]CR[dg]LB[ii:A][fg:B][gg:C]MA[eg]SQ[ba][cg]TR[aa])", self.sgf(path))
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())

    def test_after_a_line_is_deleted_the_main_line_goes_on(self):
        terminal, _ = self.start_sgf("(;SZ[9];B[ee](;W[cc])(;W[dd](;B[aa])(;B[ba]))(;W[gg]))")
        terminal.press(self.RIGHT + self.RIGHT + self.DOWN + b"M", b"main line now.")  # D6
        terminal.press(self.DOWN + self.DOWN + b"XX", b"is deleted.")  # G3
        terminal.press(self.RIGHT, b"W D6")
        self.walk(terminal, self.RIGHT)
        terminal.press(self.RIGHT, b"This line ends here.")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())

    def test_wrong_sgf_says_where(self):
        terminal, _ = self.start_sgf("(;SZ[9];B[ee]\n;W[ee])")
        self.assertEqual(1, terminal.wait())
        self.assertIn(b"line 2, column 4: there is a stone already", terminal.output)


class FilesOfGames(TerminalTest):
    """The next game of a file, the one before, and a list of all."""

    CHESS = '[White "Anna"]\n\n1. e4 *\n\n[White "Wrong"]\n\n1. e5 {\n\n[Event "x"]\n[White "Berta"]\n\n1. d4 (1. --) d5 1-0\n'
    GO = "(;SZ[9]PB[Anna];B[ee])(;SZ[9]PB[Wrong];B[zz])(;SZ[9]PB[Berta]RE[W+R];B[cc])"

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def open(self, game, *arguments):
        terminal = Terminal(program(game), *arguments)
        self.addCleanup(terminal.close)
        return terminal

    def test_F76_games_are_listed(self):
        for game, name, text in (("chess", "games.pgn", self.CHESS), ("go", "games.sgf", self.GO)):
            done = subprocess.run([program(game), "--list", self.write(name, text)], capture_output=True, text=True,
                                  check=True)
            lines = done.stdout.splitlines()
            self.assertEqual(3, len(lines))
            for line, player in zip(lines, ("Anna", "Wrong", "Berta")):
                self.assertIn(player, line)

    def test_F76_the_next_game_and_the_one_before(self):
        for game, name, text in (("chess", "games.pgn", self.CHESS), ("go", "games.sgf", self.GO)):
            with self.subTest(game=game):
                path = self.write(name, text)
                terminal = self.open(game, path)
                terminal.wait_for(b"Anna")
                terminal.press(b"[", b"no game before this one")
                terminal.press(b">C", b"omment" if game == "chess" else b"comment")
                terminal.press(b"kept here\r", b"kept here" if game == "chess" else b"is kept.")
                terminal.press(b"]", b"Passed over: game 2")
                terminal.wait_for(b"Berta")
                terminal.press(b"\x1b[6~", b"no game behind this one")
                terminal.press(b"\x1b[5~", b"Game 1. Passed over: game 2")
                terminal.wait_for(b"Anna")
                terminal.press(b"L", b"3 games")
                terminal.wait_for(b"Wrong")
                terminal.press(b"\x1bOB\r", b"game 2")  # It cannot be read, so the first one stays.
                terminal.press(b"L", b"3 games")
                terminal.press(b"\x1bOB\x1bOB\r", b"Berta")
                terminal.press(b"Q", b"has the whole game")
                self.assertEqual(0, terminal.wait())
                kept = [file for file in os.listdir(self.folder) if file.endswith(".kifu")]
                self.assertEqual(["games.kifu"], kept, "only the first game was changed")
                os.remove(os.path.join(self.folder, "games.kifu"))

    def test_F77_what_was_left_out_is_said(self):
        terminal = self.open("chess", "--game", "3", self.write("games.pgn", self.CHESS))
        terminal.wait_for(b"Left out at 1 place; line 12, column 11: move 1. --")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())

    def test_F76_a_game_is_found_before_the_whole_file_was_read(self):
        path = os.path.join(self.folder, "pipe.pgn")
        os.mkfifo(path)
        terminal = self.open("chess", "--game", "2", path)
        with open(path, "wb", buffering=0) as pipe:
            pipe.write(b"1. e5 *\n\n[White \"Second\"]\n\n1. e4 *\n\n" + b"1. d4 *\n" * 20)
            try:
                while b"Second" not in terminal.output:
                    pipe.write(b"1. e5 *\n" * 1000)
            except BrokenPipeError:  # It has read enough.
                pass
        terminal.wait_for(b"Second")
        terminal.press(b"Q")
        self.assertEqual(0, terminal.wait())


if __name__ == "__main__":
    unittest.defaultTestLoader.testMethodPrefix = ("test", "F")  # Findings have their ids in front.
    unittest.main()
