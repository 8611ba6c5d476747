"""Which header declares what: headers of several games in one file of C, and names that would meet."""

import os
import tempfile
import unittest

import tools

TWINS = os.path.join(tools.ROOT, "tests", "games", "twins")
GAME = """include "kifu.fbs";
%s
namespace %s;
table PMove (player) { to: %s; }
union Event { PMove }
"""


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kifu-files-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def generate(self, schema, target, *options):
        status, said = tools.kifuc("gen", schema, "-o", target, *options, folder=self.folder)
        self.assertEqual((0, ""), (status, said))

    def test_the_list_alone_is_the_one_of_all_files(self):
        for name, (schema, includes) in tools.SCHEMAS.items():
            options = ["--fuzz"] + [part for each in includes for part in ("-I", each)]
            with self.subTest(name=name), tempfile.TemporaryDirectory() as folder:
                lists = []
                for more in ["--list"], []:
                    self.assertEqual((0, ""), tools.kifuc("gen", schema, "-o", folder, *options, *more))
                    lists.append(tools.read(os.path.join(folder, name + ".files")).decode().split())
                    self.assertEqual(sorted((lists[-1] if not more else []) + [name + ".files"]), tools.files(folder))
                self.assertEqual(*lists)

    def test_the_list_alone_leaves_no_file_of_an_event_that_is_gone(self):
        for event in "PMove", "PStep":
            tools.write(os.path.join(self.folder, "game.fbs"), (GAME % ("", "game", "int")).replace("PMove", event))
            self.generate("game.fbs", "out", *([] if event == "PMove" else ["--list"]))
        there = tools.files(os.path.join(self.folder, "out"))
        self.assertNotIn("game/p_move.h", there)
        self.assertIn("game/state.h", there)

    def compile(self, *headers):
        """In C and in C++, in both orders."""
        for language, standard, ending in (("c", "c11", "c"), ("c++", "c++17", "cpp")):
            for order in headers, headers[::-1]:
                path = os.path.join(self.folder, "all." + ending)
                tools.write(path, "".join('#include "%s"\n' % each for each in order))
                for compiler in tools.compilers(language):
                    self.assertEqual("", tools.compile_only(compiler, path, "-std=" + standard, "-Wshadow"))

    def test_F29_two_games_that_share_a_file_in_one_file_of_c(self):
        for game in "left", "right":
            self.generate(os.path.join(TWINS, game, "game.fbs"), game, "-I", TWINS)
        shared = [{path for path in tools.files(os.path.join(self.folder, game)) if "/shared/" in path}
                  for game in ("left", "right")]
        both = sorted(shared[0] & shared[1])
        self.assertEqual(["game/shared/combat.h", "game/shared/combat/combat_blow.h", "game/shared/combat/combat_e_strike.h",
                          "game/shared/combat/combat_p_taunt.h"], both)
        for each in both:
            self.assertEqual(*[tools.read(os.path.join(self.folder, game, each)) for game in ("left", "right")])
        self.compile("left/game.h", "right/game.h")

    def test_included_files_of_one_name_and_different_content(self):
        for game in "one", "two":
            tools.write(os.path.join(self.folder, game, "units.fbs"), "namespace of_%s; struct Place { %s: int; }" % (game, game))
            tools.write(os.path.join(self.folder, game, "game.fbs"), GAME % ('include "units.fbs";', game, "of_%s.Place" % game))
            self.generate(game + "/game.fbs", "out/" + game)
        self.compile("out/one/game.h", "out/two/game.h")

    def test_one_game_includes_two_files_of_one_name(self):
        tools.write(os.path.join(self.folder, "a", "units.fbs"), "namespace a; struct Place { x: int; }")
        tools.write(os.path.join(self.folder, "b", "units.fbs"),
                    'include "../a/units.fbs"; namespace b; struct Unit { at: a.Place; }')
        tools.write(os.path.join(self.folder, "game.fbs"), GAME % ('include "b/units.fbs";', "game", "b.Unit"))
        self.generate("game.fbs", "out")
        self.assertIn("game/shared/units_2.h", tools.files(os.path.join(self.folder, "out")))
        # A game that includes only one of them sees the same.
        tools.write(os.path.join(self.folder, "other.fbs"), GAME % ('include "a/units.fbs";', "other", "a.Place"))
        self.generate("other.fbs", "out")
        self.compile("out/game.h", "out/other.h")

    def test_an_event_that_is_called_like_a_header(self):
        tools.write(os.path.join(self.folder, "game.fbs"), GAME.replace("PMove", "State") % ("", "game", "int"))
        status, said = tools.kifuc("gen", "game.fbs", "-o", "out", folder=self.folder)
        self.assertEqual(1, status)
        self.assertIn("game.fbs:4: error: `game.State` and `game.Event` (game.fbs:5) would both declare `game/state.h`", said)
