#!/usr/bin/env python3
"""A game as a Python module (Y08): nim, tally (variations) and wire (fields of every kind)."""

import array
import copy
import ctypes
import gc
import json
import math
import os
import pickle
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SOURCE, BUILD = os.environ["KIFU_SOURCE_DIR"], os.environ["KIFU_BINARY_DIR"]
MODULES = {game: os.path.join(BUILD, "tests", game + "_python") for game in ("nim", "tally", "wire")}
DEBIAN = "/usr/bin/python3"
sys.path[:0] = MODULES.values()

import nim
import tally
import wire

def new_nim(**options):
    """Nim of 1, 3, 5 and 7 stones; and whose turn it is."""
    game = nim.Game(seed=1, **options)
    for event in (nim.EResetGame(), nim.EAddPlayer(position=0, color=0xFF0000), nim.EAddPlayer(position=1, color=0xFF),
                  nim.EInitialize(seed=7), nim.EDeal(stones=[1, 3, 5, 7]), nim.EStartRound()):
        game.play(event)
    return game, turn(game)


def turn(game):
    state = game.state.game
    return state.order[state.turn]


def play_random(game, number):
    """A game of Nim to its end: the moves depend on `number`."""
    while game.state.game.phase != nim.Phase.GAME_OVER:
        moves = game.moves(turn(game))
        game.play(moves[number % len(moves)], turn(game))
        number = number * 7 + 3


def run(code, python=sys.executable, modules=MODULES.values(), **more):
    """Runs Python in another process; its status and what it printed."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(modules), **more)
    done = subprocess.run([python, "-c", code], env=environment, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=300, check=False)
    return done.returncode, done.stdout


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="kifu-python-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)


class Play(unittest.TestCase):
    def test_Y08_events_have_keyword_arguments_and_defaults(self):
        self.assertEqual(nim.PTake(heap=3, count=6), nim.PTake(3, 6, 0))
        self.assertEqual(wire.EFlat(), wire.EFlat(a=0, b=500, c=-1, d=0, e=1.5, f=0.0, g=0, h=True))
        self.assertIn("takes stones from one heap", nim.PTake.__doc__)
        with self.assertRaises(TypeError):
            nim.PTake(heaps=3)

    def test_Y08_an_event_is_played_and_changes_the_state(self):
        game, player = new_nim()
        game.play(nim.PTake(heap=3, count=6), player=player)
        self.assertEqual([1, 3, 5, 1], list(game.state.heaps))
        self.assertEqual(nim.Event(6, player, None, 1, 1, nim.PTake(3, 6, 0)), game.events[-1])
        self.assertEqual(1 - player, turn(game))

    def test_Y08_a_refusal_is_an_exception_with_the_words_of_the_rules(self):
        game, player = new_nim()
        before = game.to_bytes()
        with self.assertRaises(nim.Rejected) as caught:
            game.play(nim.PTake(heap=3, count=8), player=player)
        self.assertEqual("KIFU_REJECTED", caught.exception.result)
        self.assertEqual("there are not that many stones", caught.exception.reason)
        self.assertIn("nim.PTake was rejected", str(caught.exception))
        self.assertEqual(before, game.to_bytes())

    def test_Y08_it_says_what_may_be_played_and_why_not(self):
        game, player = new_nim()
        self.assertTrue(game.can(nim.PTake(3, 7), player))
        self.assertIsNone(game.why_not(nim.PTake(3, 7), player))
        self.assertFalse(game.can(nim.PTake(3, 8), player))
        self.assertEqual("there are not that many stones", game.why_not(nim.PTake(3, 8), player))
        self.assertEqual([nim.PTake(heap, count, 0) for heap, stones in enumerate((1, 3, 5, 7))
                          for count in range(1, stones + 1)], game.moves(player))
        self.assertEqual([], game.moves(1 - player))

    def test_Y08_a_try_is_taken_back(self):
        game, player = new_nim()
        with game.trying(nim.PTake(3, 7), player):
            self.assertEqual(0, game.state.heaps[3])
            with game.trying(nim.PTake(2, 5), 1 - player):
                self.assertEqual([1, 3, 0, 0], game.state.heaps.tolist())
        self.assertEqual([1, 3, 5, 7], game.state.heaps.tolist())
        with self.assertRaises(nim.Rejected), game.trying(nim.PTake(3, 7), 1 - player):
            self.fail("it is the other player's turn")

    def test_Y08_submitted_events_wait_until_the_game_runs(self):
        game, player = new_nim()
        game.submit(nim.PTake(3, 1), player)
        game.submit(nim.PTake(3, 1), 1 - player)
        self.assertEqual((2, 7), (game.waiting, game.state.heaps[3]))
        game.step()
        self.assertEqual((1, 6), (game.waiting, game.state.heaps[3]))
        game.run()
        self.assertEqual((0, 5), (game.waiting, game.state.heaps[3]))
        game.submit(nim.PTake(3, 1), player)
        game.drop_inputs()
        self.assertEqual(0, game.waiting)

    def test_Y08_undo_redo_seek_and_past_states(self):
        game, player = new_nim()
        with self.assertRaises(nim.Error) as caught:
            game.undo()
        self.assertEqual(("KIFU_NOTHING_TO_UNDO", "there is nothing to undo"),
                         (caught.exception.result, caught.exception.reason))
        game.play(nim.PTake(3, 1), player)
        game.play(nim.PTake(3, 2), 1 - player)
        after = game.hash
        self.assertEqual((1, 0), (game.can_undo, game.can_redo))
        game.undo()
        self.assertEqual((6, 7, 1), (game.state.heaps[3], len(game.events), game.can_redo))
        game.redo()
        self.assertEqual((4, after), (game.state.heaps[3], game.hash))
        self.assertEqual([7, 6, 4], [game.state_at(count).heaps[3] for count in (6, 7, 8)])
        game.seek(6)
        self.assertEqual((6, 7), (game.position, game.state.heaps[3]))
        with self.assertRaises(nim.Error):
            game.play(nim.PTake(3, 1), player)
        game.seek()
        self.assertEqual(8, game.position)
        game.verify()

    def test_Y08_it_goes_to_places_of_other_lines(self):
        game = tally.Game(variations=True)
        game.play(tally.PAdd(amount=1), 0)
        game.play(tally.PAdd(amount=2), 0)
        game.undo()
        game.play(tally.PAdd(amount=30), 0)
        self.assertEqual([(0, 0, False), (1, 1, True)], [(each.id, each.first, each.current) for each in game.lines])
        self.assertEqual(2, game.line_event(0, 1).fields.amount)
        game.go_to(0)
        self.assertEqual(1, game.state.total)
        game.redo()
        self.assertEqual(3, game.state.total)
        game.go_to(1, 2)
        self.assertEqual(31, game.state.total)
        with self.assertRaises(IndexError):
            game.line_event(5, 0)
        with self.assertRaises(tally.Error) as caught:
            game.go_to(9)
        self.assertEqual("KIFU_MISUSE", caught.exception.result)
        loaded = tally.from_bytes(game.to_bytes(), variations=True)
        self.assertEqual(game.lines, loaded.lines)

    def test_Y08_a_fork_plays_on_by_itself(self):
        game, player = new_nim()
        fork = game.fork()
        fork.play(nim.PTake(3, 7), player)
        self.assertEqual((7, 0), (game.state.heaps[3], fork.state.heaps[3]))
        game.close()
        self.assertEqual(0, fork.state.heaps[3])

    def test_Y08_a_function_follows_each_event_and_may_submit(self):
        game, player = new_nim()
        seen = []
        game.react(lambda game, event: seen.append((event.index, type(event.fields).__name__, game.state.heaps[3])))
        game.play(nim.PTake(3, 2), player)
        self.assertEqual([(6, "PTake", 5)], seen)
        tallied = tally.Game()
        tallied.react(lambda game, event: isinstance(event.fields, tally.PAdd) and game.submit(tally.EBonus(amount=100)))
        tallied.play(tally.PAdd(amount=1), 0)
        self.assertEqual((101, 0), (tallied.state.total, tallied.events[-1].cause))


class Values(unittest.TestCase):
    POINT = wire.Point(x=-3, y=1 << 20, colour=wire.Colour.BLUE)
    GRID = wire.Grid(cells=[0, 1, 2, 1, 0], points=[POINT, wire.Point()], traits=wire.Trait.SHINY, ratio=0.5)
    LEAF = wire.Leaf(colour=2, weight=1.5, note="Größe ☃")
    BRANCH = wire.Branch(leaves=(LEAF, LEAF), main=LEAF, next=wire.Branch(tags=("a", "", "ccc")), tags=("x",),
                         level=wire.Level.LOW, age=2 ** 64 - 1)
    EVENTS = (
        wire.EEmpty(), wire.EFlat(), wire.EFlat(a=255, b=0, c=-2 ** 31, d=2 ** 64 - 1, e=0.25, f=1e300, g=-128, h=False),
        wire.EOneEnum(colour=1, n=2 ** 32 - 1),
        wire.EChecks(colour=2, flag=True, level=wire.Level.HIGH, traits=wire.Trait.SHINY | wire.Trait.CURSED,
                     distance=wire.Distance.FAR, point=POINT, grid=GRID),
        wire.EOptional(), wire.EOptional(a=0, b=1, c=-100, d=False, e=2.5, distance=1),
        wire.EText(text=None, name="é"), wire.EText(text="", name=""),
        wire.EVectors(),
        wire.EVectors(bytes=(97, 0), shorts=(1, -2), doubles=(1.0, 2.5), colours=(0, 2), levels=(-100,), flags=(True, False),
                      points=(POINT, POINT), grids=(GRID, GRID), strings=("a", "", "bb"), plains=(wire.Plain(1), wire.Plain())),
        wire.EVectors(bytes=(), strings=(), plains=()),
        wire.ENested(branch=BRANCH, branches=(BRANCH, wire.Branch()), must=wire.Plain(a=3)),
        wire.EChanged(kept=9, text="t", place=POINT, number=-2 ** 63),
    )

    @classmethod
    def setUpClass(cls):
        cls.game = wire.Game()
        for event in cls.EVENTS:
            cls.game.play(event)

    def test_Y08_what_was_played_is_read_again(self):
        for played, event in zip(self.EVENTS, self.game.events):
            zero = {each.name: each.of() for each in wire.Game._library.tables[type(played)].fields
                    if each.kind == 1 and getattr(played, each.name) is None}
            self.assertEqual(played._replace(**zero), event.fields)

    def test_Y08_sequences_of_any_kind_are_vectors(self):
        game = wire.Game()
        for items in (b"ab", bytearray(b"ab"), [97, 98], array.array("B", b"ab"), memoryview(b"ab"), iter((97, 98))):
            game.play(wire.EVectors(bytes=items))
            self.assertEqual((97, 98), game.events[-1].fields.bytes)

    def test_Y08_the_command_reads_the_same(self):
        """A reader that knows only the schema in the save."""
        command = os.path.join(BUILD, "runtime", "tool", "kifu")
        if not os.path.exists(command):
            self.skipTest("the command kifu was not built: cJSON is missing (Debian: libcjson-dev)")
        with tempfile.NamedTemporaryFile(suffix=".kifu") as file:
            self.game.save(file.name, overwrite=True)
            lines = subprocess.run([command, "events", "--json-lines", file.name], check=True, stdout=subprocess.PIPE).stdout
        found = [json.loads(each) for each in lines.splitlines()]
        self.assertEqual(len(self.EVENTS), len(found))
        for event, other in zip(self.game.events, found):
            self.assertEqual("wire." + type(event.fields).__name__, other["type"])
            self.compare(event.fields, other["fields"])

    def compare(self, value, other):
        if isinstance(value, (wire._structs.Struct, wire._structs.Structs)) or hasattr(value, "_asdict"):
            value = value._asdict()
        if isinstance(value, dict):
            for name, item in value.items():
                if name in other or item not in (None, 0, False, ""):
                    self.compare(item, other.get(name))
        elif isinstance(value, (tuple, list)):
            self.assertEqual(len(value), len(other))
            for mine, their in zip(value, other):
                self.compare(mine, their)
        elif isinstance(other, str) and not isinstance(value, str):
            if not other.lstrip("-").isdigit():  # An enum's name, or several of flags.
                enums = (wire.Colour, wire.Level, wire.Distance, wire.Trait)
                names = {each.name for enum in enums for each in enum}
                self.assertLessEqual(set(other.split()), names)
                self.assertIn(value, [sum(getattr(enum, name) for name in other.split()) for enum in enums
                                      if all(name in enum.__members__ for name in other.split())])
            else:
                self.assertEqual(value, int(other))
        elif value is not None:
            self.assertTrue(value == other or math.isclose(value, other), (value, other))

    def test_Y08_structs_never_change_and_are_values(self):
        with self.assertRaises(AttributeError):
            self.POINT.x = 5
        with self.assertRaises(TypeError):
            self.GRID.cells[0] = 1
        self.assertEqual(self.POINT, wire.Point(x=-3, y=1 << 20, colour=2))
        self.assertEqual(1, len({self.POINT, wire.Point(x=-3, y=1 << 20, colour=2)}))
        self.assertEqual({"x": -3, "y": 1 << 20, "colour": 2}, self.POINT._asdict())
        self.assertEqual(self.GRID, pickle.loads(pickle.dumps(self.GRID)))
        self.assertEqual("Point(x=-3, y=1048576, colour=2)", repr(self.POINT))
        self.assertEqual([self.POINT], list(self.GRID.points[:1]))
        self.assertEqual([-3, 0], self.GRID.points.column("x").tolist())

    def test_Y08_wrong_values_are_exceptions_in_words(self):
        before = self.game.to_bytes()
        for wrong, words in (
                (lambda: wire.EFlat(a=256), "EFlat.a: 256 is not in 0 to 255"), (lambda: wire.EFlat(c=2 ** 31), "EFlat.c"),
                (lambda: wire.EFlat(a=-1), "not in 0"), (lambda: wire.EFlat(a=None), "EFlat.a: None is no integer"),
                (lambda: wire.EFlat(a=1.5), "1.5 is no integer"), (lambda: wire.EFlat(a="1"), "'1' is no integer"),
                (lambda: wire.EFlat(e=1e300), "too large for a float"), (lambda: wire.EFlat(f="x"), "'x' is no number"),
                (lambda: wire.EFlat(h=2), "EFlat.h: 2 is not in 0 to 1"), (lambda: wire.EOptional(a=256), "EOptional.a"),
                (lambda: wire.EOneEnum(colour=7), "value 7 is not in enum wire.Colour"),
                (lambda: wire.EText(name=None), "name: it is required, and absent"), (lambda: wire.EText(name=b"x"), "no string"),
                (lambda: wire.EText(name="a\0b"), "no character 0"), (lambda: wire.EText(name="\ud800"), "no text"),
                (lambda: wire.EVectors(bytes=[1, 256]), "EVectors.bytes[1]: 256"), (lambda: wire.EVectors(bytes=5), "no sequence"),
                (lambda: wire.EVectors(bytes="abc"), "'a' is no integer"), (lambda: wire.EVectors(strings="abc"), "no sequence"),
                (lambda: wire.EVectors(strings=[None]), "EVectors.strings[0]: None"), (lambda: wire.EVectors(strings=3), "no seq"),
                (lambda: wire.EVectors(points=[1]), "1 is no Point"), (lambda: wire.EVectors(plains=[None]), "None is no Plain"),
                (lambda: wire.ENested(must=3), "3 is no Plain"), (lambda: wire.EChanged(place=self.GRID), "no Point"),
                (lambda: (1, 2), "(1, 2) is no event of this game"), (lambda: None, "None is no event"),
                (lambda: nim.PTake(), "no event of this game"), (lambda: wire.Plain(), "no event of this game"),
                (lambda: wire.Point(z=1), "Point has no field z"), (lambda: wire.Point(x=2 ** 15), "Point.x: 32768"),
                (lambda: wire.Grid(cells=[1]), "it has 5 elements, not 1"), (lambda: wire.Grid(points=[1, 2]), "no Point")):
            with self.subTest(words), self.assertRaises((TypeError, ValueError, wire.Error)) as caught:
                self.game.play(wrong())
            self.assertIn(words, str(caught.exception))
        leaves = []
        leaves.append(wire.Branch(leaves=leaves))
        with self.assertRaises((RecursionError, TypeError)):
            self.game.play(wire.ENested(branch=wire.Branch(next=leaves[0])))
        self.assertEqual(before, self.game.to_bytes())

    def test_Y08_wrong_players_and_numbers_are_exceptions_in_words(self):
        game, player = new_nim()
        for wrong, words in (
                (lambda: game.play(nim.PTake(3, 1)), "say which, player=0"),
                (lambda: game.play(nim.PTake(3, 1), "0"), "no integer"),
                (lambda: game.play(nim.PTake(3, 1), 2 ** 32), "player: 4294967296"), (lambda: game.play(nim.PTake(3, 1), 99), ""),
                (lambda: game.play(nim.EDeal(), 0), "leave player out"), (lambda: game.moves(None), "no integer"),
                (lambda: game.moves(2 ** 40), "player: "), (lambda: game.state_at(-1), "count: -1"),
                (lambda: game.state_at(99), "only 6 have happened"), (lambda: game.states(3, 5), "no state after 7"),
                (lambda: game.seek(99), ""), (lambda: game.fork(2 ** 32 - 2), ""), (lambda: game.can(nim.EDeal()), "no check"),
                (lambda: game.events[6], "no event 6"), (lambda: game.events[-7], "no event -7"),
                (lambda: game.events["0"], ""), (lambda: game.react(3), "no function"), (lambda: nim.Game(seed=-1), "seed"),
                (lambda: game.save("a\0b"), "no character 0"), (lambda: game.save(None), ""), (lambda: nim.load(3), ""),
                (lambda: game.to_bytes(title=3), "title"), (lambda: nim.from_bytes("x"), ""),
                (lambda: nim.from_bytes(b"xyz"), "not a Kifu save"), (lambda: nim.load("/nowhere/x.kifu"), "No such file")):
            with self.subTest(words), self.assertRaises((TypeError, ValueError, IndexError, nim.Error)) as caught:
                wrong()
            self.assertIn(words, str(caught.exception))
        self.assertTrue(game.can(nim.PTake(3, 1), player))


class Rows(Folder):
    def test_Y08_states_are_a_block_with_columns(self):
        game, player = new_nim()
        game.play(nim.PTake(3, 2), player)
        game.play(nim.PTake(0, 1), 1 - player)
        states = game.states(5)
        self.assertEqual([7, 7, 5, 5], states.column("heaps[3]").tolist())
        self.assertEqual([1, 1, 1, 0], [state.heaps[0] for state in states])
        self.assertEqual([game.state_at(count) for count in range(5, 9)], list(states))
        self.assertEqual(0xFF0000, game.states(8, 1).column("game.players[0].color")[0])
        self.assertEqual(0, len(game.states(9)))
        for wrong, words in (("heaps", "an array of 4: name one element, as heaps[0]"), ("heaps[4]", "an array of 4"),
                             ("game", "game.rng"), ("game.round[0]", "no array"), ("nothing", "no nothing"), ("", "no ")):
            with self.subTest(wrong), self.assertRaises(KeyError) as caught:
                states.column(wrong)
            self.assertIn(words, str(caught.exception))

    def test_Y08_ten_thousand_saves_are_one_table(self):
        games, total = [], 0
        for number in range(10):
            game, _ = new_nim()
            play_random(game, number)
            games.append([event for event in game.events])
            first = self.path("%05d.kifu" % number)
            game.save(first)
            for i in range(number + 10, 10000, 10):
                os.link(first, self.path("%05d.kifu" % i))
            total += 1000 * len(games[-1])
        start = time.perf_counter()
        table = nim.read_saves(self.folder)
        seconds = time.perf_counter() - start
        print("10,000 saves, %d events: %.2f s" % (total, seconds), file=sys.stderr)
        self.assertLess(seconds, 60)
        self.assertEqual((10000, [], total), (len(table.files), table.refused, len(table)))
        takes = table[nim.PTake]
        self.assertEqual([event.fields.count for i in range(10000) for event in games[i % 10]
                          if isinstance(event.fields, nim.PTake)], takes.column("count").tolist())
        for name, number_format in (("heap", "B"), ("count", "H"), ("file", "I"), ("player", "i")):
            column = takes.column(name)
            self.assertEqual((number_format, len(takes)), (column.format, len(column)))
        self.assertEqual([(1, 3, 5, 7)] * 10000, table[nim.EDeal].column("stones"))
        last = games[9][-1]
        self.assertEqual(nim.Row(9999, last.index, last.player, last.cause, last.rules_version, last.flags, last.fields),
                         list(table)[-1])
        self.assertEqual(array.array("H", takes.column("count").tolist()), array.array("H", takes.column("count")))

    def test_Y08_rows_come_by_file_and_event(self):
        game, player = new_nim()
        game.play(nim.PTake(3, 2), player)
        for name in ("a", "b"):
            game.save(self.path(name + ".kifu"), packed=name == "b")
        table = nim.read_saves([self.path("b.kifu"), self.path("a.kifu")])
        self.assertEqual([(file, event) for file in (0, 1) for event in range(7)], [row[:2] for row in table])
        self.assertEqual([event.fields for event in game.events] * 2, [row.fields for row in table])
        self.assertEqual(nim.PTake(3, 2, 0), table[nim.PTake][-1].fields)
        self.assertEqual(2, len(table[nim.PTake][0:5]))
        self.assertEqual([event.fields for event in game.events], [row.fields for row in nim.table(game)])
        for wrong in (lambda: table[nim.PTake].column("nothing"), lambda: table[nim.PTake].column("heap.x"),
                      lambda: table[wire.EFlat], lambda: table[0], lambda: table[[]]):
            with self.assertRaises(KeyError):
                wrong()
        with self.assertRaises(IndexError):
            table[nim.PTake][2]

    def test_Y08_a_file_that_is_no_save_is_named(self):
        game, _ = new_nim()
        game.save(self.path("good.kifu"))
        data = game.to_bytes()
        for name, bad in (("cut.kifu", data[:-60]), ("empty.kifu", b""), ("other.kifu", wire.Game().to_bytes())):
            with open(self.path(name), "wb") as file:
                file.write(bad)
        table = nim.read_saves(self.folder)
        self.assertEqual([self.path("good.kifu")], table.files)
        self.assertEqual([("cut.kifu", "KIFU_DAMAGED"), ("empty.kifu", "KIFU_NOT_A_SAVE"), ("other.kifu", "KIFU_OTHER_GAME")],
                         [(os.path.basename(path), error.result) for path, error in table.refused])
        self.assertEqual(2, len(nim.read_saves(self.folder, recover=True).files))
        with self.assertRaises(OSError):
            nim.read_saves(self.path("nowhere"))

    def test_Y08_columns_of_every_kind(self):
        table = wire.table(Values.game if hasattr(Values, "game") else _played())
        self.assertEqual([-3], table[wire.EChecks].column("point.x").tolist())
        self.assertEqual([1 << 20], table[wire.EChecks].column("grid.points[0].y").tolist())
        self.assertEqual([Values.GRID], table[wire.EChecks].column("grid"))
        self.assertEqual(["é", ""], table[wire.EText].column("name"))
        self.assertEqual([None, ""], table[wire.EText].column("text"))
        self.assertEqual([None, 0], table[wire.EOptional].column("a"))
        self.assertEqual([7, 7], table[wire.EOptional].column("always").tolist())
        self.assertEqual([None, (1, -2), None], table[wire.EVectors].column("shorts"))
        self.assertEqual([True, False], table[wire.EFlat].column("h").tolist())
        self.assertEqual([2 ** 64 - 1], table[wire.EFlat].column("d").tolist()[1:])
        self.assertEqual([1 << 20], table[wire.EChanged].column("place.y").tolist())

    def test_Y08_numpy_takes_tables_and_states_where_it_is(self):
        python = next((each for each in (sys.executable, DEBIAN)
                       if os.path.exists(each) and run("import numpy", each)[0] == 0), None)
        if not python:
            self.skipTest("there is no NumPy (Debian: python3-numpy)")
        game, player = new_nim()
        game.play(nim.PTake(3, 2), player)
        game.save(self.path("game.kifu"))
        status, printed = run("""
import numpy, nim, wire
table = nim.read_saves(%r)
takes = table[nim.PTake].numpy()
assert takes.dtype["count"] == numpy.uint16 and takes["count"].tolist() == [2] and takes["event"].tolist() == [6], takes
assert numpy.asarray(table[nim.PTake].column("heap")).tolist() == [3]
states = nim.load(table.files[0]).states().numpy()
assert states["heaps"].shape == (8, 4) and states["heaps"][-1].tolist() == [1, 3, 5, 5], states
assert states["game"]["players"]["color"][-1][0] == 0xFF0000
game = wire.Game()
game.play(wire.EVectors(shorts=numpy.array([1, -2], numpy.int16)))
game.play(wire.EFlat(a=numpy.uint8(7), e=numpy.float32(0.5)))
assert game.events[0].fields.shorts == (1, -2) and game.events[1].fields.e == 0.5
print("good")
""" % self.folder, python)
        self.assertEqual((0, "good\n"), (status, printed))

    def test_Y08_a_save_there_and_back(self):
        game, player = new_nim()
        game.play(nim.PTake(3, 2), player)
        for packed in (False, True):
            path = self.path("game%d.kifu" % packed)
            game.save(path, title="Größe", packed=packed)
            loaded = nim.load(path)
            self.assertEqual((game.hash, list(game.events), game.state), (loaded.hash, list(loaded.events), loaded.state))
            self.assertEqual(game.hash, nim.from_bytes(game.to_bytes(packed=packed)).hash)
        with open(self.path("game0.kifu"), "r+b") as file:
            file.truncate(os.path.getsize(file.name) - 40)
        with self.assertRaises(nim.Error) as caught:
            nim.load(self.path("game0.kifu"))
        self.assertEqual("KIFU_DAMAGED", caught.exception.result)
        self.assertIsInstance(caught.exception.offset, int)
        self.assertEqual(list(game.events)[:6], list(nim.load(self.path("game0.kifu"), recover=True).events))


def _played():
    Values.setUpClass()
    return Values.game


class Lifetime(unittest.TestCase):
    def test_Y08_a_closed_game_raises_and_its_values_stay(self):
        game, player = new_nim()
        events, state, event, states, table = game.events, game.state, game.events[4], game.states(), nim.table(game)
        moves = game.moves(player)
        iterator = iter(events)
        next(iterator)
        game.close()
        game.close()
        gc.collect()
        for wrong in (lambda: events[0], lambda: len(events), lambda: next(iterator), lambda: list(events), lambda: game.state,
                      lambda: game.play(nim.PTake(3, 1), player), lambda: game.undo(), lambda: game.hash, lambda: game.lines,
                      lambda: game.can(nim.PTake(3, 1), player), lambda: game.moves(player), lambda: game.fork(),
                      lambda: game.save("x"), lambda: game.to_bytes(), lambda: game.states(), lambda: nim.table(game),
                      lambda: game.submit(nim.PTake(3, 1), player), lambda: game.react(print), lambda: repr(events)):
            with self.assertRaises(nim.Error) as caught:
                wrong()
            self.assertEqual("the game is closed", str(caught.exception))
        self.assertEqual(((1, 3, 5, 7), 7, 7), (event.fields.stones, state.heaps[3], states[-1].heaps[3]))
        self.assertEqual((nim.PTake(0, 1, 0), 6), (moves[0], len(list(table))))
        self.assertIn("closed", repr(game))

    def test_Y08_a_view_of_a_state_stays_what_it_was(self):
        game, player = new_nim()
        heaps = game.state.heaps
        game.play(nim.PTake(3, 2), player)
        del game
        gc.collect()
        self.assertEqual(7, heaps[3])

    def test_Y08_a_game_is_closed_by_with_and_by_the_collector(self):
        with nim.Game() as game:
            pass
        self.assertRaises(nim.Error, lambda: game.hash)
        before = _memory()
        for _ in range(2000):
            game = new_nim()[0]
            game.react(lambda game, event: None)
            game.me = game  # A cycle.
        del game
        gc.collect()
        self.assertLess(_memory() - before, 60 << 20)

    def test_Y08_a_game_is_not_copied(self):
        game, _ = new_nim()
        for wrong in (lambda: copy.copy(game), lambda: copy.deepcopy(game), lambda: pickle.dumps(game)):
            with self.assertRaises(TypeError) as caught:
                wrong()
            self.assertIn("fork()", str(caught.exception))
        self.assertRaises(nim.Error, lambda: nim.Game.__new__(nim.Game).state)

    def test_Y08_an_exception_of_a_function_takes_the_event_back(self):
        game, player = new_nim()

        def refuse(_game, event):
            raise LookupError("not heap %d" % event.fields.heap)

        game.react(refuse)
        before = game.to_bytes()
        with self.assertRaises(LookupError) as caught:
            game.play(nim.PTake(3, 1), player)
        self.assertEqual("not heap 3", str(caught.exception))
        self.assertEqual(before, game.to_bytes())
        with self.assertRaises(LookupError), game.trying(nim.PTake(3, 1), player):
            self.fail("it was refused")
        self.assertEqual([1, 3, 5, 7], game.state.heaps.tolist())

    def test_Y08_a_function_that_calls_what_it_may_not(self):
        game, player = new_nim()
        caught = []

        def meddle(game, _event):
            for call in (game.close, game.undo, game.redo, game.run, game.to_bytes, lambda: game.play(nim.PTake(3, 1), player),
                         lambda: game.react(print), lambda: game.seek(0), lambda: game.submit("x")):
                try:
                    call()
                    caught.append(None)
                except (nim.Error, TypeError) as error:
                    caught.append(error)
            game.events[0], game.state, game.hash, len(game.events)

        game.react(meddle)
        with self.assertRaises(nim.Error):
            game.play(nim.PTake(3, 1), player)
        self.assertEqual((9, 0), (len(caught), caught.count(None)))
        self.assertEqual([1, 3, 5, 7], game.state.heaps.tolist())
        game.verify()

    def test_Y08_a_try_of_a_game_that_is_closed(self):
        game, player = new_nim()
        with game.trying(nim.PTake(3, 1), player):
            game.close()
        self.assertRaises(nim.Error, lambda: game.state)

    def test_Y08_threads_that_share_a_game_by_mistake_do_not_end_the_process(self):
        game = tally.Game()
        game.react(lambda game, event: time.sleep(0))
        errors = []

        def play():
            for i in range(300):
                try:
                    game.play(tally.PAdd(amount=1, note="x" * i), 0)
                    game.undo()
                    list(game.events)
                except tally.Error as error:
                    errors.append(error)
                except IndexError:  # Another thread has undone the event.
                    pass

        threads = [threading.Thread(target=play) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertLessEqual({each.result for each in errors}, {
            "KIFU_MISUSE", "KIFU_NOTHING_TO_UNDO", "KIFU_FAILED", "KIFU_OK"})
        tally.from_bytes(game.to_bytes())


def _memory():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Random(unittest.TestCase):
    """Calls with values of all kinds, drawn by lot: each works, or raises what the guide says."""

    NASTY = (None, True, -1, 0, 1, 2, 3, 255, 2 ** 16, 2 ** 31, 2 ** 32 - 1, 2 ** 40, -2 ** 63, 2 ** 64, 1.5, float("nan"), 1e300,
             "", "x", "\0", "\ud800", "ü" * 300, b"", b"abc", [], [1, 2], [None], ["a", "b"], (), {}, object(), print, int)
    CALLS = ("play submit can why_not run step drop_inputs undo redo seek state_at states go_to line_event fork moves react save "
             "to_bytes from_bytes trying_").split()

    def value(self, lot, kind=None, depth=0):
        """A value for a field, often one of the right kind."""
        if kind is not None and depth < 4 and lot.random() < 0.9:
            fields = kind._fields
            names = [each if isinstance(each, str) else each[0] for each in fields]
            table = wire.Game._library.tables.get(kind) or tally.Game._library.tables.get(kind)
            kinds = [each.of if isinstance(each.of, type) else None for each in table.fields] if table else [
                each[1] if isinstance(each[1], type) else None for each in fields]
            chosen = {name: self.value(lot, inner, depth + 1) for name, inner in zip(names, kinds) if lot.random() < 0.5}
            try:
                return kind(**chosen)
            except (TypeError, ValueError):
                return kind()
        value = lot.choice(self.NASTY)
        return [value] * lot.randrange(3) if lot.random() < 0.2 else value

    def some_calls(self, module, number, steps):
        lot = random.Random(number)
        library = module.Game._library
        classes = [each.table.python for each in library.events if each]
        game, worked = module.Game(variations=number % 2 == 0), 0
        data = game.to_bytes()
        for _ in range(steps):
            call = lot.choice(self.CALLS)
            event = self.value(lot, lot.choice(classes))
            player = lot.choice((None, 0, 0, 1, lot.choice(self.NASTY)))
            some = [lot.choice(self.NASTY[:14]) for _ in range(2)]
            try:
                if call in ("play", "submit", "can", "why_not"):
                    getattr(game, call)(event, player)
                elif call == "trying_":
                    with game.trying(event, player):
                        game.state, game.events[-1:], game.hash
                elif call in ("state_at", "moves", "fork"):
                    getattr(game, call)(some[0])
                elif call in ("states", "line_event", "go_to"):
                    getattr(game, call)(*some)
                elif call == "seek":
                    game.seek(some[0])
                    game.seek()
                elif call == "react":
                    game.react(lot.choice((None, lambda game, event: event, lambda game, event: lot.random() < 0.1 and 1 / 0)))
                elif call == "save":
                    game.save(lot.choice((None, 3, "", "\0", "/nowhere/x")), title=lot.choice(self.NASTY))
                elif call == "to_bytes":
                    data = game.to_bytes(title=lot.choice((None, "x", 3)), packed=lot.random() < 0.5)
                elif call == "from_bytes":
                    hurt = bytearray(data)
                    hurt[lot.randrange(len(hurt))] ^= lot.choice((0, 0, 1, 255))
                    game = module.from_bytes(hurt, variations=True, recover=lot.random() < 0.5)
                else:
                    getattr(game, call)()
                worked += 1
            except (TypeError, ValueError, IndexError, ZeroDivisionError, module.Error):
                pass
            if not game._timeline:
                game = module.Game()
            if lot.random() < 0.05:
                table = module.table(game)
                self.assertEqual(len(table), len(list(game.events)))
        game.verify()
        return worked

    def test_Y08_random_calls_work_or_raise(self):
        for module in (wire, tally, nim):
            self.assertGreater(sum(self.some_calls(module, number, 150) for number in range(12)), 300)


class Libraries(Folder):
    def module(self):
        """A copy of Nim's module that may be changed."""
        shutil.copytree(os.path.join(MODULES["nim"], "nim"), self.path("nim"), ignore=shutil.ignore_patterns("__pycache__"))
        return self.path("nim/__init__.py")

    def refused(self, *words):
        status, printed = run("import nim", modules=[self.folder])
        self.assertEqual(1, status, printed)
        for each in words:
            self.assertIn(each, printed.splitlines()[-1])

    def change(self, old, new):
        path = self.module()
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))

    def test_Y08_a_library_of_another_schema_is_refused(self):
        self.change("0x%016x" % _fingerprint(), "0x%016x" % (_fingerprint() ^ 1))
        self.refused("ImportError", "libnim.so was built from another schema", "build both again")

    def test_Y08_a_struct_that_lies_elsewhere_is_refused(self):
        self.change('("heap", 0, "B", 8, 0, 1)', '("heap", 0, "B", 9, 0, 1)')
        self.refused("ImportError", "nim_p_take.heap is 8 there, and 9 for this module: build both again")

    def test_Y08_arguments_of_another_type_are_refused(self):
        self.change('("heap", 0, "B", 8, 0, 1)', '("heap", 0, "Q", 8, 0, 1)')
        self.refused("ImportError", "sizeof nim_p_take_args is 6 there, and 16 for this module")

    def test_Y08_a_missing_function_is_refused(self):
        self.change("nim_play_p_take_args", "nim_play_p_take_argv")
        self.refused("ImportError", "is no library of this module", "nim_play_p_take_argv", "build both again")

    def test_Y08_a_missing_member_is_refused(self):
        self.change('        ("heaps", "H", 168, 4),\n', "")
        self.refused("ImportError", "build both again")

    def test_Y08_no_library_or_a_wrong_one_is_refused(self):
        self.module()
        library = self.path("nim/libnim.so")
        os.remove(library)
        self.refused("ImportError", "there is no libnim.so", "build the game's target")
        with open(library, "wb") as file:
            file.write(b"\x7fELF and nothing else")
        self.refused("ImportError", "is no library of this module")
        shutil.copy(os.path.join(MODULES["wire"], "wire/libwire.so"), library)
        self.refused("ImportError", "is no library of this module", "nim__foreign_fingerprint")

    def test_Y08_inline_functions_are_symbols_of_the_shared_library(self):
        """All that kifu.h and nim.h have, and no other than those of Kifu and the game."""
        exported = set(re.findall(r" [TDRBV] (\w+)$", subprocess.run(
            ["nm", "-D", "--defined-only", os.path.join(MODULES["nim"], "nim/libnim.so")], check=True, stdout=subprocess.PIPE,
            text=True).stdout, re.M))
        inline = re.compile(r"^static inline [^;={}()]*?\b(\w+)\(", re.M)
        wanted = set()
        for folder in (os.path.join(SOURCE, "runtime/include/kifu"), os.path.join(BUILD, "tests/nim/nim")):
            for name in os.listdir(folder):
                if name.endswith(".h") and name != "zstd.h":
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        wanted.update(inline.findall(file.read()))
        self.assertGreater(len(wanted), 60)
        self.assertEqual(set(), wanted - exported)
        self.assertEqual(set(), {each for each in exported if not re.match(r"_?(kifu_|nim_)", each)})
        library = ctypes.CDLL(os.path.join(MODULES["nim"], "nim/libnim.so"))
        library.kifu_phase_name.restype = ctypes.c_char_p
        self.assertEqual(b"GAME_OVER", library.kifu_phase_name(2))

    def test_Y08_names_that_python_does_not_allow(self):
        with open(self.path("odd-names.fbs"), "w", encoding="utf-8") as file:
            file.write('include "kifu.fbs";\nnamespace odd;\nenum None: ubyte { mro, True, name, A }\n'
                       'struct State (state) { game: kifu.Game; from: int; lambda: None; }\n'
                       '/// Says """ and \\\\ and more.\n'
                       'table Event_ (engine) { in: ubyte; _class: string; del: [None]; int: int; }\n'
                       'table Line (engine) { x: float = 1.5; pass: bool = true; }\ntable print (engine) {}\n'
                       "union Event { Event_, print, Line }\n")
        kifuc = os.path.join(SOURCE, "codegen/kifuc")
        done = subprocess.run([kifuc, "python", self.path("odd-names.fbs"), "-o", self.path("out")], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(0, done.returncode, done.stdout)
        with open(self.path("out/odd_names/__init__.py"), encoding="utf-8") as file:
            text = file.read()
        compile(text, "odd_names", "exec")
        for each in ("class None_(IntEnum)", "mro_ = 0", "True_ = 1", '("from_", "i"', "in_: int = 0", "class Line_(",
                     "class print_(NamedTuple)"):
            self.assertIn(each, text)


def _fingerprint():
    return ctypes.c_uint64.in_dll(nim.Game._library.c, "nim__foreign_fingerprint").value


class Wheels(Folder):
    def kifuc(self, *words):
        return subprocess.run([os.path.join(SOURCE, "codegen/kifuc"), "wheel", *words], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_Y08_a_wheel_is_installed_without_a_network_and_plays(self):
        if subprocess.run([sys.executable, "-m", "pip", "--version"], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE).returncode:
            self.skipTest("this Python has no pip (Debian: python3-pip)")
        done = self.kifuc(os.path.join(MODULES["nim"], "nim"), "--version", "1.2", "-o", self.path("dist"))
        self.assertEqual(0, done.returncode, done.stdout)
        wheel = re.fullmatch(r"wrote (.*/nim-1\.2-py3-none-\w+\.whl)\n", done.stdout).group(1)
        with open(wheel, "rb") as file:
            first = file.read()
        self.kifuc(os.path.join(MODULES["nim"], "nim"), "--version", "1.2", "-o", self.path("dist"))
        with open(wheel, "rb") as file:
            self.assertEqual(first, file.read())
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.path("venv")], check=True)
        python = self.path("venv/bin/python")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python]
        for words, says, code in (
                (["install", "--no-index", wheel], "Successfully installed nim-1.2",
                 "import nim, importlib.metadata as m; g = nim.Game(seed=1); g.play(nim.EResetGame()); "
                 "assert 'venv' in nim.__file__; print(len(g.events), m.version('nim'))"),
                (["uninstall", "-y", "nim"], "Successfully uninstalled nim-1.2",
                 "import importlib.util as u; print(u.find_spec('nim'))")):
            done = subprocess.run(pip + words, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(0, done.returncode, done.stdout)
            self.assertIn(says, done.stdout)
            self.assertEqual((0, "1 1.2\n" if words[0] == "install" else "None\n"), run(code, python, modules=[]))

    def test_Y08_a_wheel_that_cannot_be_is_refused(self):
        os.mkdir(self.path("empty"))
        os.mkdir(self.path("alone"))
        with open(self.path("alone/__init__.py"), "w", encoding="utf-8"):
            pass
        folder = os.path.join(MODULES["nim"], "nim")
        for words, text in (((self.path("empty"),), "there is no Python module; `kifuc python` writes one"),
                            ((self.path("alone"),), "there is no shared library of the game"),
                            ((folder, "--version", "one"), "no version of a Python package; write it as 1.2"),
                            ((folder, "--name", "a b"), "a package cannot be called so")):
            done = self.kifuc(*words, "-o", self.path("dist"))
            self.assertEqual(1, done.returncode)
            self.assertIn(text, done.stdout)
        self.assertFalse(os.path.exists(self.path("dist")))


if __name__ == "__main__":
    unittest.main()
