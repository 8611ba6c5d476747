#!/usr/bin/env python3
"""The chess example as an engine: what it answers to a GUI, by UCI."""

import os
import queue
import subprocess
import threading
import time
import unittest

PROGRAM = os.path.join(os.environ["KIFU_BINARY_DIR"], "examples", "chess", "chess_uci")
SECONDS = 60  # A machine may be busy.
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class Engine:
    """The program, whose lines are read by a thread, so that a test can wait for one of them for a while."""

    def __init__(self):
        self.process = subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, *commands):
        self.process.stdin.write("".join(command + "\n" for command in commands))
        self.process.stdin.flush()

    def line(self):
        line = self.lines.get(timeout=SECONDS)
        if line is None:
            raise AssertionError("the engine has ended")
        return line

    def until(self, begin):
        """All lines up to the first that begins so."""
        lines = [self.line()]
        while not lines[-1].startswith(begin):
            lines.append(self.line())
        return lines

    def ask(self, *commands):
        """What it says to these commands."""
        self.send(*commands, "isready")
        return self.until("readyok")[:-1]

    def wait(self):
        self.process.stdin.close()
        status = self.process.wait(SECONDS)
        self.reader.join()
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdin.close()
        self.process.stdout.close()


class Uci(unittest.TestCase):
    def setUp(self):
        self.engine = Engine()
        self.addCleanup(self.engine.close)

    def fen(self):
        shown = [line for line in self.engine.ask("d") if line.startswith("Fen: ")]
        return shown[0].removeprefix("Fen: ")

    def best(self, *commands):
        self.engine.send(*commands)
        return self.engine.until("bestmove")[-1].split()[1]

    def test_C10_it_introduces_itself(self):
        self.engine.send("uci")
        lines = self.engine.until("uciok")
        self.assertIn("id name Kifu chess", lines)
        self.assertTrue(any(line.startswith("option name Level type spin") for line in lines))

    def test_C10_positions(self):
        start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        self.assertEqual(start, self.fen())
        self.assertEqual([], self.engine.ask("position startpos moves e2e4 c7c5 g1f3"))
        self.assertEqual("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", self.fen())
        self.assertEqual([], self.engine.ask("position fen " + KIWIPETE + " moves e1g1 h3g2"))
        self.assertEqual("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/PPPBBPpP/R4RK1 w kq - 0 2", self.fen())
        self.assertEqual([], self.engine.ask("position fen 7k/P7/8/8/8/8/8/K7 w - - moves a7a8n"))
        self.assertEqual("N6k/8/8/8/8/8/8/K7 b - - 0 1", self.fen())
        self.assertEqual([], self.engine.ask("ucinewgame"))
        self.assertEqual(start, self.fen())

    def test_C10_what_is_wrong_is_told_and_changes_nothing(self):
        self.engine.ask("position fen " + KIWIPETE)
        cases = (
            ("position startpos moves e2e4 e7e6 e4e6",
             "info string position: move 3, e4e6: that piece does not move there"),
            ("position startpos moves e2e4 e9e6",
             "info string position: move 2, e9e6: a move is written as e2e4, or e7e8q"),
            ("position startpos moves f2f3 e7e5 g2g4 d8h4 a2a3",
             "info string position: move 5, a2a3: the game is over"),
            ("position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
             "info string position: FEN, column 19: this rank has more than eight squares"),
            ("position fen", "info string position: FEN, column 1: this rank has fewer than eight squares"),
            ("position", "info string position: startpos or fen comes behind it"),
            ("position fen " + "8/" * 500, "info string position: FEN, column 16: there are more than eight ranks"),
            ("setoption name Hash value 16", "info string setoption: there is one option: name Level"),
            ("setoption name Level value 11", "info string setoption: Level is a number from 1 to 10"),
            ("go perft 0", "info string go perft: its depth is a number from 1 to 12"),
            ("castle", "info string castle: this is no command that I know"),
        )
        for command, answer in cases:
            with self.subTest(command=command):
                answers = self.engine.ask(command)
                self.assertEqual(1, len(answers), answers)
                self.assertTrue(answers[0].startswith(answer), answers)
                self.assertEqual(KIWIPETE, self.fen())

    def test_C10_perft_with_divide(self):
        answers = self.engine.ask("position fen " + KIWIPETE, "go perft 2")
        self.assertIn("e1g1: 43", answers)
        self.assertEqual(48, sum(": " in line and not line.startswith("Nodes") for line in answers))
        self.assertEqual("Nodes searched: 2039", answers[-1])

    def test_C10_it_finds_mates_and_says_so(self):
        self.engine.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go depth 4")
        lines = self.engine.until("bestmove")
        self.assertEqual("bestmove a1a8", lines[-1])
        self.assertIn(" score mate 1 ", lines[-2])
        self.engine.send("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1", "go depth 5")
        self.assertIn(" score mate 2 ", self.engine.until("bestmove")[-2])

    def test_C10_limits_of_time_and_tries(self):
        for limit in ("movetime 50", "nodes 3000", "depth 2", "wtime 2000 btime 1000 winc 10 binc 10",
                      "wtime 30 btime 30 movestogo 1", "mate 1"):
            with self.subTest(limit=limit):
                begin = time.monotonic()
                self.assertRegex(self.best("position startpos moves e2e4", "go " + limit), "^[a-h][1-8][a-h][1-8]$")
                self.assertLess(time.monotonic() - begin, SECONDS / 2)

    def test_F92_limits_that_are_no_counts_are_none(self):
        """A negative number of tries is none, and one second is the limit then."""
        for limit in ("nodes -5", "nodes nan", "depth -1", "depth 1e300 nodes 1000", "mate -3", "mate 1e300 nodes 1000"):
            with self.subTest(limit=limit):
                self.assertRegex(self.best("position startpos moves e2e4", "go " + limit), "^[a-h][1-8][a-h][1-8]$")

    def test_F78_only_the_moves_that_are_asked_for_are_searched(self):
        mate = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
        self.assertEqual("a1a8", self.best(mate, "go depth 3"))
        self.assertEqual("e1e2", self.best(mate, "go searchmoves e1e2 e1e2 depth 3"))
        self.assertIn(self.best(mate, "go depth 3 searchmoves e1e2 a1a3"), ("e1e2", "a1a3"))
        self.engine.send("go searchmoves a1h8 e1f1 depth 2")
        lines = self.engine.until("bestmove")
        self.assertIn("info string searchmoves: a1h8: that piece does not move there", lines)
        self.assertEqual("bestmove e1f1", lines[-1])

    def test_F78_a_fen_without_its_last_fields_is_read(self):
        for fields in ("w", "w -", "w - -", "w - - 0", "w - - 0 1"):
            self.assertEqual([], self.engine.ask("position fen 7k/P7/8/8/8/8/8/K7 " + fields))
            self.assertEqual("7k/P7/8/8/8/8/8/K7 w - - 0 1", self.fen())
        self.assertEqual(["info string position: FEN, column 22: castling Q was left out: "
                          "it needs king and rook where they began"],
                         self.engine.ask("position fen k7/8/8/8/8/8/8/K6R w Q - 0 1"))

    def test_C10_the_level_limits_the_depth(self):
        self.engine.ask("setoption name Level value 2")
        self.engine.send("go movetime 60000")
        lines = [line for line in self.engine.until("bestmove") if line.startswith("info depth")]
        self.assertEqual(2, len(lines))

    def test_C10_stop(self):
        self.engine.send("go infinite")
        self.engine.until("info depth 2")
        self.engine.ask()  # It answers while it thinks.
        self.assertRegex(self.best("stop"), "^[a-h][1-8][a-h][1-8]$")
        # It does not answer before "stop", also where there is nothing to find any more.
        self.engine.ask("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go infinite")
        self.assertEqual("a1a8", self.best("stop"))

    def test_C10_who_cannot_move(self):
        self.assertEqual("0000", self.best("position fen k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", "go depth 3"))

    def test_C10_commands_wait_for_the_best_move(self):
        self.engine.send("go depth 3", "position startpos moves e2e4", "go depth 1", "quit")
        self.engine.until("bestmove")
        self.engine.until("bestmove")
        self.assertEqual(0, self.engine.wait())

    def test_C10_quitting(self):
        for commands in (("quit",), (), ("go infinite", "quit"), ("go infinite",)):
            with self.subTest(commands=commands):
                engine = Engine()
                self.addCleanup(engine.close)
                engine.send(*commands)
                self.assertEqual(0, engine.wait())

    def test_C10_it_plays_a_game_against_itself(self):
        moves = []
        for _ in range(30):
            best = self.best("position startpos moves " + " ".join(moves) if moves else "position startpos",
                             "go depth 1")
            if best == "0000":
                break
            moves.append(best)
        self.assertEqual([], self.engine.ask("position startpos moves " + " ".join(moves)))


if __name__ == "__main__":
    unittest.main()
