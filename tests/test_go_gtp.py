#!/usr/bin/env python3
"""The Go example as an engine: what it answers, by GTP; and whole games beside GNU Go, where that is installed."""

import gzip
import os
import random
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.environ["KIFU_BINARY_DIR"]
PROGRAM = os.path.join(BUILD, "examples", "go", "go_gtp")
GNUGO = shutil.which("gnugo") or shutil.which("/usr/games/gnugo")
WRITE_SGF = os.path.join(BUILD, "tests", "write_sgf")  # random games with variations
GAMES = int(os.environ.get("KIFU_GO_GAMES", "6"))
LETTERS = "ABCDEFGHJKLMNOPQRST"


class Engine:
    """A program that speaks GTP."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command):
        """The answer, and whether it was one."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError(f"{command}: the engine has ended")
            if line == "\n" and lines:
                break
            lines.append(line.rstrip("\n"))
        first, _, rest = lines[0].partition(" ")
        return "\n".join([rest] + lines[1:]).strip(), first.startswith("=")

    def __call__(self, command):
        answer, good = self.ask(command)
        if not good:
            raise AssertionError(f"{command}: {answer}")
        return answer

    def close(self):
        self.ask("quit")
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Protocol(unittest.TestCase):
    def setUp(self):
        self.go = Engine(PROGRAM, "--tries", "200")
        self.addCleanup(self.go.close)
        self.go("boardsize 9")

    def play(self, moves):
        for number, point in enumerate(moves.split()):
            self.go(f"play {'bw'[number % 2]} {point}")

    def test_answers_carry_the_id_of_the_command(self):
        process = subprocess.run([PROGRAM], input="7 name\n# a comment\n\n8 nonsense\n9 quit\n", text=True,
                                 stdout=subprocess.PIPE, check=True)
        self.assertEqual(process.stdout, "=7 Kifu Go\n\n?8 unknown command\n\n=9 \n\n")

    def test_every_command_it_lists_is_known(self):
        for command in self.go("list_commands").split():
            self.assertEqual(self.go(f"known_command {command}"), "true")
        self.assertEqual(self.go("known_command dance"), "false")

    def test_a_stone_without_liberties_is_captured(self):
        self.play("d5 e5 f5 pass e4 pass e6")
        self.assertEqual(self.go("list_stones white"), "")
        self.assertEqual(self.go("captures black"), "1")
        self.go("undo")
        self.assertEqual(self.go("list_stones white"), "E5")
        self.go("kifu-redo")
        self.assertEqual(self.go("captures black"), "1")

    def test_illegal_moves_say_why(self):
        self.play("b1 e5 a2 e6")
        cases = {"play w a1": "no liberty", "play b e5": "a stone already", "play b j10": "invalid",
                 "play b i1": "invalid", "play x a1": "invalid"}
        for command, reason in cases.items():
            answer, good = self.go.ask(command)
            self.assertFalse(good, command)
            self.assertIn(reason, answer)

    def test_a_ko_may_not_be_retaken_at_once(self):
        self.play("d5 e5 e6 f6 e4 f4 pass g5 f5")
        self.assertEqual(self.go("captures black"), "1")
        self.assertEqual(self.go("is_legal w e5"), "0")
        answer, good = self.go.ask("play w e5")
        self.assertFalse(good)
        self.assertIn("ko", answer)

    def test_one_color_may_play_twice_and_one_undo_takes_it_back(self):
        self.go("play b e5")
        before = self.go("printsgf")
        self.go("play b c3")
        self.assertEqual(self.go("list_stones black"), "E5 C3")
        self.go("undo")
        self.assertEqual(self.go("printsgf"), before)
        answer, good = self.go.ask("play b e5")
        self.assertFalse(good, answer)
        self.assertEqual(self.go("printsgf"), before, "what is refused leaves nothing behind")

    def test_undo_goes_to_before_the_last_move(self):
        answer, good = self.go.ask("undo")
        self.assertEqual((answer, good), ("cannot undo", False), "the board stays")
        self.play("e5 pass pass")
        self.go("kifu-mark e5")
        self.go("undo")
        self.assertEqual(self.go("kifu-marked"), "")
        self.go("undo")
        self.go("undo")
        self.assertEqual(self.go("list_stones black"), "")
        self.assertFalse(self.go.ask("undo")[1])
        for stones in ("kifu-redo", "kifu-redo"):
            self.go(stones)
        self.assertEqual(self.go("list_stones black"), "E5")
        self.load("(;SZ[9]AB[aa];W[bb];C[a node without a move];AB[cc])")
        self.go("undo")
        self.assertEqual((self.go("list_stones black"), self.go("list_stones white")), ("A9", ""))
        self.assertFalse(self.go.ask("undo")[1])

    def test_commands_of_other_engines_are_unknown(self):
        for command in ("kgs-genmove_cleanup w", "kgs-game_over", "time_left b 10 1", "reg_genmove b", "PLAY b a1"):
            self.assertEqual(self.go.ask(command), ("unknown command", False))
            self.assertEqual(self.go("known_command " + command.split()[0]), "false")

    def test_a_handicap_stands_before_the_first_move(self):
        self.assertEqual(self.go("place_free_handicap 50"), "C3 G7 C7 G3 C5 G5 E3 E7 E5")
        self.go("clear_board")
        self.assertEqual(self.go("set_free_handicap a1 b2 c3"), "")
        self.assertEqual(sorted(self.go("list_stones black").split()), ["A1", "B2", "C3"])
        for command, reason in {"set_free_handicap a1 a1": "a point of its own", "fixed_handicap 10": "invalid number of stones",
                                "place_free_handicap 1": "invalid number of stones",
                                "set_free_handicap a1 pass": "vertex"}.items():
            answer, good = self.go.ask(command)
            self.assertFalse(good, command)
            self.assertIn(reason, answer)
        self.go("play w e5")
        answer, good = self.go.ask("fixed_handicap 2")
        self.assertFalse(good)
        self.assertIn("not empty", answer)

    def test_it_answers_a_whole_game(self):
        color = "b"
        for _ in range(12):
            self.go(f"genmove {color}")
            color = "w" if color == "b" else "b"
        self.assertEqual(len((self.go("list_stones black") + " " + self.go("list_stones white")).split()) +
                         int(self.go("captures black")) + int(self.go("captures white")), 12)

    def test_a_game_goes_to_sgf_and_back(self):
        self.go("komi 5.5")
        self.go("fixed_handicap 3")
        self.go("play w e5")
        self.go("play b f5")
        self.go("play w pass")
        text = self.go("printsgf")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "game.sgf")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.go("clear_board")
            self.go(f"loadsgf {path}")
            self.assertEqual(self.go("printsgf"), text)
            self.go(f"loadsgf {path} 2")
            self.assertEqual(self.go("list_stones white"), "E5")

    def load(self, text, *move):
        with tempfile.NamedTemporaryFile("w", suffix=".sgf", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            return self.go.ask(" ".join(["loadsgf", file.name, *move]))

    def test_variations_are_kept_and_the_current_one_is_printed(self):
        root = "(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[0]RU[Chinese]"
        text = root + "\n;B[ee]C[good]\n(;W[cc];B[])\n(;W[dd]))\n"
        self.assertTrue(self.load(text)[1])
        self.assertEqual(self.go("kifu-sgf") + "\n", text)
        self.assertEqual(self.go("printsgf"), root + "\n;B[ee]C[good];W[cc];B[])")
        self.load(text, "3")
        self.assertEqual(self.go("printsgf"), root + "\n;B[ee]C[good];W[cc])")
        self.load(text, "2")
        self.go("play w a1")
        self.assertEqual(self.go("printsgf"), root + "\n;B[ee]C[good];W[ai])")
        self.assertEqual(self.go("kifu-sgf"), text[:-2] + "\n(;W[ai]))")

    def test_an_empty_line_in_a_comment_does_not_end_the_answer(self):
        self.load("(;SZ[9]C[a\n\nb];B[aa])")
        self.assertIn("C[a\n \nb]", self.go("printsgf"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "game.sgf")
            self.assertEqual(self.go(f"printsgf {path}"), "")
            with open(path, encoding="utf-8") as file:
                self.assertIn("C[a\n\nb]", file.read())

    def test_a_text_that_is_refused_leaves_the_game_as_it_is(self):
        self.play("e5 c3")
        before = self.go("printsgf")
        answer, good = self.load("(;SZ[13];B[aa]\n;W[aa])")
        self.assertFalse(good)
        self.assertEqual(answer, "cannot load file: line 2, column 4: there is a stone already")
        answer, good = self.go.ask("loadsgf /nowhere.sgf")
        self.assertFalse(good)
        self.assertIn("No such file", answer)
        self.assertEqual(self.go("printsgf"), before)

    def test_F79_two_moves_of_one_color_are_no_pass_of_the_other(self):
        self.go("play b e5")
        self.go("play b pass")
        self.assertNotEqual(self.go("genmove w"), "pass")  # The game has not ended.
        self.go("clear_board")
        self.assertEqual(len({self.go("genmove b") for _ in range(3)} - {"pass"}), 3)
        self.assertEqual(len(self.go("list_stones black").split()), 3)
        self.assertNotIn("W[", self.go("printsgf").partition("\n")[2])
        self.go("undo")
        self.assertEqual(len(self.go("list_stones black").split()), 2)

    def test_marked_stones_count_as_dead(self):
        self.go("komi 0.5")
        self.play("c9 g9 c8 g8 c7 g7 c6 g6 c5 g5 c4 g4 c3 g3 c2 g2 c1 g1 a1 h5")
        self.go("play b h1")
        self.assertEqual(self.go("kifu-score"), "B+17.5")
        self.go("play w pass")
        self.go("play b pass")
        self.assertEqual(self.go("kifu-marked"), "")
        self.go("kifu-mark h1")
        for command in ("kifu-marked", "final_status_list dead"):
            self.assertEqual(self.go(command), "H1")
        for command in ("kifu-score", "final_score"):
            self.assertEqual(self.go(command), "W+0.5")

    def F80_fight(self, stones, counting="area"):
        self.go("kifu-counting " + counting)
        self.go("komi 0.5")
        self.play(stones)

    def test_F80_the_computer_knows_what_is_dead(self):
        self.F80_fight("c9 g9 c8 g8 c7 g7 c6 g6 c5 g5 c4 g4 c3 g3 c2 g2 c1 g1 a1 h5 h1 b8")
        self.assertEqual(sorted(self.go("final_status_list dead").split()), ["B8", "H1"])
        self.assertEqual(self.go("kifu-marked"), "", "it is an opinion, and no event")

    def test_F80_the_computer_that_is_ahead_answers_a_pass_by_a_pass(self):
        self.F80_fight(" ".join(f"{x}{y} {z}{y}" for x, z in ("de", "bh") for y in range(1, 10)), "territory")
        self.go("play b pass")
        self.assertEqual(self.go("genmove w").lower(), "pass")
        self.assertEqual(self.go("final_status_list dead"), "")
        self.assertEqual(self.go("final_score"), "W+9.5")

    def test_F80_the_computer_makes_no_move_in_a_lost_game(self):
        self.F80_fight(" ".join(f"{x}{y} pass" for y in (3, 5, 7) for x in "abcdefghj"))
        self.assertIn(self.go("genmove w").lower(), ("resign", "pass"))

    def test_F80_the_computer_beats_who_plays_by_lot(self):
        lot = random.Random(5)
        last = ""
        for _ in range(60):
            answer = self.go("genmove w").lower()
            points = [x + str(y) for x in LETTERS[:9] for y in range(1, 10)]
            lot.shuffle(points)
            mine = next((point for point in points if self.go.ask("play b " + point)[1]), "pass")
            if answer in ("pass", "resign") and last == answer:
                break
            last = answer
        self.assertTrue(self.go("final_score").startswith("W+"))


@unittest.skipUnless(GNUGO, "GNU Go is not installed (Debian: gnugo)")
class BesideGnuGo(unittest.TestCase):
    """Both play the same moves; boards, captures and scores must agree."""

    def setUp(self):
        self.random = random.Random(7)

    def begin(self, size, rules, handicap):
        self.size = size
        self.moves = []
        self.color = "white" if handicap else "black"
        self.gnu = Engine(GNUGO, "--mode", "gtp", "--level", "1", "--seed", "1", "--positional-superko", "--never-resign",
                          f"--{rules}-rules")
        self.kifu = Engine(PROGRAM)
        for engine in (self.gnu, self.kifu):
            self.addCleanup(engine.close)
            engine(f"boardsize {size}")
            engine("komi 6.5")
        self.kifu("kifu-counting " + ("area" if rules == "chinese" else "territory"))
        if handicap:
            self.assertEqual(set(self.both(f"fixed_handicap {handicap}")), set(self.gnu("list_stones black").split()))

    def both(self, command):
        answers = [sorted(engine(command).split()) for engine in (self.kifu, self.gnu)]
        self.assertEqual(answers[0], answers[1], f"{command} after {self.moves[-4:]}")
        return answers[0]

    def compare(self):
        for color in ("black", "white"):
            self.both(f"list_stones {color}")
            self.both(f"captures {color}")

    def play(self, point):
        command = f"play {self.color} {point}"
        self.kifu(command)
        self.gnu(command)
        self.moves.append(point)
        self.color = "white" if self.color == "black" else "black"

    def random_point(self):
        """A point near others, where much is captured; GNU Go must agree whether it is legal."""
        side = min(self.size, 6)
        point = self.random.choice(LETTERS[:side]) + str(1 + self.random.randrange(side))
        return point if self.both(f"is_legal {self.color} {point}") == ["1"] else None

    def go_back_and_forth(self):
        count = self.random.randrange(1, 1 + min(6, len(self.moves)))
        for _ in range(count):
            self.gnu("undo")
            self.kifu("undo")
        self.compare()
        color = self.color if count % 2 == 0 else ("white" if self.color == "black" else "black")
        for point in self.moves[-count:]:
            self.kifu("kifu-redo")
            self.gnu(f"play {color} {point}")
            color = "white" if color == "black" else "black"
        self.compare()

    def play_randomly(self, count):
        for _ in range(count):
            point = self.random_point()
            if point:
                self.play(point)
                self.compare()
            if self.moves and self.random.random() < 0.06:
                self.go_back_and_forth()

    def play_to_the_end(self):
        for _ in range(3 * self.size * self.size):
            self.play(self.gnu(f"reg_genmove {self.color}"))
            self.compare()
            if self.moves[-2:] == ["PASS", "PASS"]:
                return
        self.fail("the game does not end")

    def count(self):
        for point in self.gnu("final_status_list dead").split():
            if point not in self.kifu("kifu-marked").split():
                self.kifu(f"kifu-mark {point}")
        self.assertEqual(self.kifu("kifu-score"), self.gnu("final_score"), self.moves[-4:])

    def test_random_moves(self):
        for game in range(GAMES):
            with self.subTest(game=game):
                self.begin(9 + self.random.randrange(11), "chinese", 0)
                self.play_randomly(150)

    def test_whole_games_are_counted_alike(self):
        for game in range(GAMES):
            with self.subTest(game=game):
                rules = ("chinese", "japanese")[game % 2]
                self.begin(9, rules, (0, 2, 3)[game % 3])
                self.play_randomly(self.random.randrange(8))
                self.play_to_the_end()
                self.count()

    def load(self, folder, text, *move):
        path = os.path.join(folder, "tree.sgf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        for engine in (self.gnu, self.kifu):
            engine(" ".join(["loadsgf", path, *move]))

    def test_main_lines_of_trees(self):
        """GNU Go takes the first of all variations, too."""
        for game in range(2 * GAMES):
            size = 9 + game % 11
            text = subprocess.run([WRITE_SGF, str(game), str(size), "150", "plain"], check=True, text=True,
                                  stdout=subprocess.PIPE).stdout
            with self.subTest(game=game), tempfile.TemporaryDirectory() as folder:
                self.begin(size, "chinese", 0)
                self.load(folder, text)
                self.kifu(f"kifu-sgf {folder}/again.sgf")
                with open(os.path.join(folder, "again.sgf"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), text)
                self.compare()
                for move in range(1, 60, 7):
                    self.load(folder, text, str(move))
                    self.compare()

    def play_elsewhere(self):
        """A move in another one's place begins a variation. Either color may play. Returns the command, or None."""
        self.color = color = self.random.choice(("black", "white"))
        point = self.random_point()
        if point:
            self.play(point)
            self.compare()
        return f"play {color} {point}" if point else None

    def test_undo_redo_and_other_moves_in_trees(self):
        for game in range(GAMES):
            size = 9 + game % 11
            text = subprocess.run([WRITE_SGF, str(100 + game), str(size), "150", "plain"], check=True, text=True,
                                  stdout=subprocess.PIPE).stdout
            with self.subTest(game=game), tempfile.TemporaryDirectory() as folder:
                self.begin(size, "chinese", 0)
                self.load(folder, text, "30")
                for _ in range(40):
                    for _ in range(self.random.randrange(4)):
                        if self.gnu.ask("undo")[1]:
                            self.kifu("undo")
                    self.compare()
                    commands = [self.play_elsewhere() for _ in range(self.random.randrange(5))]
                    if any(commands):  # the last of them again
                        self.gnu("undo")
                        self.kifu("undo")
                        self.compare()
                        self.kifu("kifu-redo")
                        self.gnu([command for command in commands if command][-1])
                        self.compare()
                tree = self.kifu("kifu-sgf")
                self.assertGreater(tree.count("\n("), text.count("\n(") + 20, "variations were begun")
                self.load(folder, tree + "\n")
                self.assertEqual(self.kifu("kifu-sgf"), tree)
                self.compare()

    def test_what_gnu_go_writes_is_read(self):
        for game in range(GAMES):
            with self.subTest(game=game), tempfile.TemporaryDirectory() as folder:
                self.begin(9 + self.random.randrange(11), "chinese", 0)
                self.play_randomly(60)
                path = os.path.join(folder, "game.sgf")
                self.gnu(f"printsgf {path}")  # stones without the moves
                self.kifu(f"loadsgf {path}")
                for color in ("black", "white"):
                    self.both(f"list_stones {color}")


class FilesOfOthers(unittest.TestCase):
    """What the machine's packages ship. A game is read, and then the same after it was written, or refused clearly."""

    def files(self):
        for top in ("/usr/share", "/usr/lib", "/usr/games", "/opt"):
            for folder, _, names in os.walk(top):
                yield from (os.path.join(folder, name) for name in names if name.endswith((".sgf", ".sgf.gz")))

    def unpacked(self, path, folder):
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            content = file.read()
        copy = os.path.join(folder, "copy.sgf")
        with open(copy, "wb") as file:
            file.write(content)
        return copy

    def test_files_of_packages(self):
        paths = list(self.files())[:2000]
        if not paths:
            self.skipTest("no package here ships SGF files")
        go = Engine(PROGRAM)
        self.addCleanup(go.close)
        read = 0
        with tempfile.TemporaryDirectory() as folder:
            for path in paths:
                answer, good = go.ask("loadsgf " + self.unpacked(path, folder))
                if not good:
                    self.assertRegex(answer, "line [0-9]+, column [0-9]+: ", path)
                    continue
                read += 1
                text = go("kifu-sgf")
                with open(os.path.join(folder, "again.sgf"), "w", encoding="utf-8") as file:
                    file.write(text)
                go("loadsgf " + os.path.join(folder, "again.sgf"))
                self.assertEqual(go("kifu-sgf"), text, path)
        print(f"{len(paths)} SGF files, {read} read")
        self.assertGreater(2 * read, len(paths), "most files of others are refused")


if __name__ == "__main__":
    unittest.main()
