"""kifuc stubs: what a game lacks is written, wherever it has its functions; what its author wrote stays."""

import os
import re
import tempfile
import unittest

import tools

NIM = os.path.join(tools.HERE, "schemas", "nim", "nim.fbs")
SCHEMA = """include "kifu.fbs";
namespace town;
struct State (state) { game: kifu.Game; gold: uint; }
table EBuild (engine) { lot: ubyte; }
table PGive (player) { gold: uint; }
%s
union Event { kifu.EResetGame, kifu.EEndGame, EBuild, PGive%s }
"""
NEW = "table PSell (player) { lot: ubyte; }"
ACT = "double town_act_%s(void *context, kifu_timeline *timeline, const town_state *state, const town_%s *%s)\n{\n"


class Stubs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kifu-stubs-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("town.fbs", SCHEMA % ("", ""))

    def write(self, name, text):
        tools.write(os.path.join(self.folder, name), text)

    def read(self, name):
        return tools.read(os.path.join(self.folder, name)).decode("utf-8", "surrogateescape")

    def add_event(self, table=NEW, name="PSell"):
        self.write("town.fbs", SCHEMA % (table, ", " + name))

    def stubs(self, *arguments):
        status, said = tools.kifuc("stubs", "town.fbs", *arguments, folder=self.folder)
        self.assertEqual(0, status, said)
        return said

    def files(self):
        return [each for each in tools.files(self.folder) if each.endswith(".c") and not each.startswith("gen/")]

    def compiles(self, *more):
        """With -Wall and -Wextra, and what the game does not define is what Kifu does, or it would not link."""
        self.assertEqual((0, ""), tools.kifuc("gen", "town.fbs", "-o", "gen", folder=self.folder))
        paths = [os.path.join(self.folder, each) for each in self.files() + list(more)]
        for compiler in tools.compilers("c"):
            self.assertEqual("", tools.compile_only(compiler, *paths, "-std=c11", "-Wmissing-prototypes",
                                                    "-I" + os.path.join(self.folder, "gen")))

    # --- Do, check and the like --------------------------------------------------------------------------------------

    def test_M02_a_file_for_each_event(self):
        self.assertEqual("wrote do_e_build.c\nwrote do_p_give.c\n", self.stubs())
        self.assertEqual(["do_e_build.c", "do_p_give.c"], self.files())
        self.assertTrue(self.read("do_p_give.c").startswith('#include "town/p_give.h"\n'))
        self.assertEqual("nothing is missing\n", self.stubs())
        self.add_event()
        self.assertEqual("wrote do_p_sell.c\n", self.stubs())
        self.compiles()

    def test_M02_one_file_for_several_events(self):
        self.assertEqual("wrote rules.c\n", self.stubs("-o", "rules.c"))
        self.assertEqual(["rules.c"], self.files())
        before = self.read("rules.c")
        self.assertTrue(before.startswith('#include "town.h"\n'))
        self.assertEqual("nothing is missing\n", self.stubs("-o", "rules.c"))
        self.add_event()
        self.assertEqual("added to rules.c: town_check_p_sell, town_do_p_sell\n", self.stubs(), "where the others are")
        after = self.read("rules.c")
        self.assertTrue(after.startswith(before + "\n/// Check: "))
        self.assertEqual(1, after.count("#include"))
        self.assertEqual(1, after.count("#pragma"))
        self.compiles()

    def test_M02_a_file_is_named_for_new_events_only(self):
        self.write("do_p_give.c", "kifu_verdict town_check_p_give(void) {}\nkifu_result town_do_p_give() {}\n")
        self.assertEqual("wrote rules.c\n", self.stubs("-o", "rules.c"))
        self.assertNotIn("p_give", self.read("rules.c"))

    def test_M02_a_file_for_each_group_of_events(self):
        """The first one has all events that there are; a later one includes the headers of its own, so it is compiled again
        when one of these changes."""
        self.stubs("-o", "town_rules.c")
        self.stubs("--acts", "-o", "town_acts.c")
        self.add_event("table PSell (player) {} table PBuy (player) {}", "PSell, PBuy")
        for option, name in ((), "trade.c"), (("--acts",), "shown.c"):
            self.assertIn("wrote %s\n" % name, self.stubs(*option, "-o", name))
            self.assertTrue(self.read(name).startswith('#include "town/p_sell.h"\n#include "town/p_buy.h"\n\n#pragma'))
        self.assertTrue(self.read("town_acts.c").startswith('#include "town.h"\n'))
        self.compiles()

    def test_M02_stubs_are_where_those_of_the_event_before_are(self):
        self.write("buildings.c", "kifu_result town_do_e_build(kifu_timeline *a) {\n}\n")
        self.write("do_p_give.c", "void town_check_p_give(int a)\n{\n}\nvoid town_do_p_give(int a)\n{\n}\n")
        self.add_event()
        self.assertEqual("wrote do_p_sell.c\n", self.stubs())
        self.add_event('table ESell (engine, superseded_by: "PGive") {}', "ESell")
        self.assertEqual("wrote upcast_e_sell.c\ndo_p_sell.c has functions of events that are gone; rename or delete them: "
                         "town_check_p_sell, town_do_p_sell\n", self.stubs())
        for name in "do_p_sell.c", "do_p_give.c":
            os.remove(os.path.join(self.folder, name))
        self.assertEqual("added to buildings.c: town_check_p_give, town_do_p_give\n", self.stubs())

    def test_M02_functions_of_events_that_are_gone_are_named(self):
        self.stubs("-o", "rules.c")
        self.write("rules.c", self.read("rules.c") + "static void town_do_p_give_all(void) {}\n")  # a helper's
        self.write("town.fbs", self.read("town.fbs").replace("PGive", "PLend"))
        self.assertEqual("added to rules.c: town_check_p_lend, town_do_p_lend\n"
                         "rules.c has functions of events that are gone; rename or delete them: town_check_p_give, "
                         "town_do_p_give, town_do_p_give_all\n", self.stubs())

    def test_M02_what_the_author_wrote_stays(self):
        mine = b"\xff \r\nvoid town_do_e_build()\r\n{\r\n}\r\n// mine"  # No UTF-8, another end of lines, none at the end.
        with open(os.path.join(self.folder, "mine.c"), "wb") as stream:
            stream.write(mine)
        os.chmod(os.path.join(self.folder, "mine.c"), 0o640)
        self.stubs()
        after = tools.read(os.path.join(self.folder, "mine.c"))
        self.assertTrue(after.startswith(mine + b'\r\n\r\n#include "town/p_give.h"\r\n'))
        self.assertNotIn(b"\n", after[len(mine):].replace(b"\r\n", b""))
        self.assertEqual(0o640, os.stat(os.path.join(self.folder, "mine.c")).st_mode & 0o777)

    def test_M02_an_event_that_gets_a_check_or_a_list_gets_its_function(self):
        self.stubs()
        old = self.read("town.fbs")
        self.write("town.fbs", old.replace("(engine)", '(engine, check, hooks: "lot")').replace("(player)", "(player, listed)"))
        self.assertEqual("added to do_e_build.c: town_subjects_e_build, town_check_e_build\n"
                         "added to do_p_give.c: town_list_p_give\n", self.stubs())
        self.compiles()

    def test_M02_what_is_no_definition_is_missing(self):
        self.write("mine.c", """// kifu_result town_do_e_build() {}
/* kifu_result town_do_e_build() {} */
kifu_result town_do_e_build(kifu_timeline *timeline);
const char *s = "town_do_e_build() {";
int f() { return town_do_e_build(0) + '"'; }
#define X town_do_e_build(0)
""")
        self.assertIn("do_e_build.c", self.stubs())

    def test_M02_what_is_a_definition_is_there(self):
        for text in ("static kifu_result\ntown_do_e_build(kifu_timeline *timeline, // {\n int (*f)(int)) // ;\n{\n}\n",
                     "auto town_do_e_build (int a) noexcept {}\n"):
            self.write("mine.cpp", text)
            self.assertNotIn("build", self.stubs("-o", "more.c"))
            os.remove(os.path.join(self.folder, "more.c"))

    def test_M02_other_sources_are_only_read(self):
        self.stubs("-o", "one/rules.c")
        self.add_event()
        self.assertEqual("wrote two/do_p_sell.c\n", self.stubs("-o", "two", "-s", "one"))
        self.assertEqual("nothing is missing\n", self.stubs("-o", "three.c", "-s", "one/rules.c", "-s", "two"))
        self.assertEqual("wrote three/do_e_build.c\nwrote three/do_p_give.c\nwrote three/do_p_sell.c\n", self.stubs("-o", "three"))
        status, said = tools.kifuc("stubs", "town.fbs", "-s", "nowhere", folder=self.folder)
        self.assertEqual((1, "kifuc: error: nowhere: there is no such file\n"), (status, said))

    def test_what_is_superseded_gets_the_stub_of_an_upcast(self):
        status, said = tools.kifuc("stubs", tools.SCHEMAS["saga"][0], "-o", self.folder)
        self.assertEqual(0, status, said)
        self.assertEqual(["do_p_go.c", "upcast_e_over.c", "upcast_p_move.c", "upcast_p_take.c"], self.files())
        self.assertIn("saga_submit_p_move(timeline", self.read("upcast_p_take.c"))

    # --- Who sees what -----------------------------------------------------------------------------------------------

    def hide(self, more=""):
        text = (SCHEMA % ("", "")).replace("gold: uint;", "gold: uint (hidden); %s houses: [ushort: 9] (hidden);" % more, 1)
        self.write("town.fbs", text)

    def test_W01_who_sees_what_is_hidden_is_beside_the_files_of_events(self):
        self.hide()
        self.assertEqual("wrote do_e_build.c\nwrote do_p_give.c\nwrote sees.c\n", self.stubs())
        sees = self.read("sees.c")
        self.assertTrue(sees.startswith('#include "town/state.h"\n'))
        self.assertIn("bool town_sees_gold(const town_state *state, int viewer)\n{\n", sees)
        self.assertIn("bool town_sees_houses(const town_state *state, uint32_t house, int viewer)\n{\n", sees)
        self.assertEqual(2, sees.count("    return false;\n"), "hidden from all")
        self.assertEqual("nothing is missing\n", self.stubs())
        self.hide("ore: uint (hidden);")
        self.assertEqual("added to sees.c: town_sees_ore\n", self.stubs())
        self.compiles()

    def test_W01_who_sees_what_is_hidden_is_with_the_rules_of_several_events(self):
        self.stubs("-o", "rules.c")
        self.hide()
        self.assertEqual("added to rules.c: town_sees_gold, town_sees_houses\n", self.stubs())
        self.compiles()

    def test_W01_who_sees_what_is_hidden_is_where_the_game_has_it(self):
        self.hide()
        self.stubs("-o", "rules.c")
        self.write("eyes.c", '#include "town.h"\nbool town_sees_gold(const town_state *state, int viewer)\n{\n'
                             '    return state->gold == 7 && viewer == 0;\n}\n')
        self.write("rules.c", self.read("rules.c").split("/// Sees")[0])
        self.assertEqual("added to eyes.c: town_sees_houses\n", self.stubs())
        self.compiles()

    def test_W01_nothing_for_what_is_secret(self):
        self.write("town.fbs", (SCHEMA % ("", "")).replace("gold: uint;", "gold: uint (secret);", 1))
        self.assertNotIn("sees", self.stubs())
        self.compiles()

    def test_nothing_for_the_standard_events(self):
        """Their Do functions come with the library."""
        tools.kifuc("stubs", NIM, "-o", self.folder)
        self.assertEqual(["do_e_deal.c", "do_p_take.c"], self.files())

    def test_M02_no_line_is_there_for_the_compiler_alone(self):
        """Bodies as an author writes them, which use some parameters or none."""
        self.stubs("-o", "rules.c")
        self.stubs("--acts", "-o", "acts.c")
        self.compiles()
        self.assertNotIn("(void)", self.read("rules.c") + self.read("acts.c"))
        self.write("rules.c", self.read("rules.c").replace("    return KIFU_OK;", "    *town_edit_gold(timeline) += 1;\n"
                                                           "    return KIFU_OK;"))
        self.compiles()

    # --- Acts --------------------------------------------------------------------------------------------------------

    def test_M02_an_act_in_a_file_for_each_event(self):
        self.stubs()
        self.assertEqual("wrote act_e_build.c\nwrote act_p_give.c\n\nName them in the view:\n"
                         "    const town_view view = {TOWN_ACTS};\n", self.stubs("--acts"))
        self.assertTrue(self.read("act_p_give.c").startswith('#include "town/p_give.h"\n'))
        self.write("main.c", '#include "town.h"\nextern const town_view view;\nconst town_view view = {TOWN_ACTS};\n')
        self.add_event()
        self.assertEqual("wrote do_p_sell.c\nwrote act_p_sell.c\n", self.stubs(), "by the same command")
        self.assertEqual("nothing is missing\n", self.stubs())
        self.compiles()

    def test_M02_an_act_where_the_others_are(self):
        self.stubs("-o", "rules.c")
        self.stubs("--acts", "-o", "screen.c")
        self.write("screen.c", self.read("screen.c") + "\nconst town_view view = {TOWN_ACTS};\n")
        before = self.read("screen.c")
        self.add_event()
        self.assertEqual("added to rules.c: town_check_p_sell, town_do_p_sell\nadded to screen.c: town_act_p_sell\n",
                         self.stubs())
        self.assertTrue(self.read("screen.c").startswith(before + "\n/// Act: how is it shown?"))

    def test_M02_an_act_does_not_go_to_the_file_for_rules(self):
        self.stubs("--view")
        self.assertEqual("wrote rules.c\n", self.stubs("-o", "rules.c"))
        self.add_event()
        self.assertEqual("added to rules.c: town_check_p_sell, town_do_p_sell\nadded to view.c: town_act_p_sell\n",
                         self.stubs("-o", "rules.c"))

    def test_M02_an_act_to_copy_where_a_view_names_its_acts(self):
        """It need not name all, so kifuc does not know which it shall."""
        self.stubs()
        main = "static double act_p_give(void)\n{\n}\nconst town_view view = {.act_p_give = act_p_give};\n"
        self.write("main.c", main)
        self.assertEqual("nothing is missing\n", self.stubs(), "EBuild is not shown, and not new")
        self.add_event()
        said = self.stubs()
        self.assertIn("To show it, copy this to main.c, and to its view: .act_p_sell = town_act_p_sell,\n\n", said)
        self.assertIn(ACT % ("p_sell", "p_sell", "sell"), said)
        self.assertEqual(main, self.read("main.c"))

    def test_M02_a_view_may_name_acts_of_any_name(self):
        self.stubs()
        self.write("main.c", "const town_view view = {.act_p_give = show_gift};\n")
        self.add_event()
        self.assertIn("to its view: .act_p_sell = town_act_p_sell,\n", self.stubs())

    def test_M02_an_act_to_copy_where_the_view_is_elsewhere(self):
        self.stubs("-o", "rules")
        self.stubs("--acts", "-o", "screen/acts.c")
        self.write("screen/view.c", "const town_view view = {TOWN_ACTS};\n")
        self.add_event()
        said = self.stubs("-o", "rules", "-s", "screen")
        self.assertTrue(said.startswith("wrote rules/do_p_sell.c\n\nTo show it, copy this to screen/acts.c\n\n"), said)
        self.assertEqual("added to screen/acts.c: town_act_p_sell\n", self.stubs("--acts", "-o", "screen"))

    def test_M02_a_game_without_a_view_gets_no_act(self):
        self.stubs("-o", "rules.c")
        self.add_event()
        self.assertNotIn("act", self.stubs())

    def test_M02_the_view_is_compiled_only_with_all_acts(self):
        """A missing one is an error, as a missing Do is; an Act of a standard event is one that the view names."""
        self.stubs("-o", "rules.c")
        self.compiles()
        header = self.read("gen/town.h")
        self.assertEqual(["e_build", "p_give"], re.findall(r"\.act_(\w+) = town_act_\1\b", header))
        self.assertIn("double town_act_e_end_game(", self.read("gen/town/e_end_game.h"))

    def test_M02_a_game_of_standard_events_alone_has_no_acts_to_name(self):
        self.write("town.fbs", 'include "kifu.fbs";\nnamespace town;\nunion Event { kifu.EResetGame, kifu.EEndGame }\n')
        self.assertEqual("nothing is missing\n", self.stubs("--acts"))
        self.stubs("--view")
        self.compiles()

    def test_M02_a_new_event_of_a_new_game_needs_no_other_file(self):
        self.assertEqual(0, tools.kifuc("new", "town", "-o", "game", folder=self.folder)[0])
        self.folder = os.path.join(self.folder, "game")
        self.write("town.fbs", self.read("town.fbs").replace("union", NEW + "\nunion").replace("ENextTurn\n", "ENextTurn, PSell\n"))
        self.assertEqual("added to rules.c: town_check_p_sell, town_do_p_sell\nadded to view.c: town_act_p_sell\n",
                         self.stubs())
        self.compiles()

    # --- The view that prints ----------------------------------------------------------------------------------------

    def test_G05_a_view_is_written_once(self):
        self.assertEqual("wrote view.c\n", self.stubs("--view"))
        self.assertEqual(["view.c"], self.files())
        view = self.read("view.c")
        self.assertIn("    TOWN_ACTS,\n    .act_e_reset_game = town_act_e_reset_game,\n", view)
        self.assertEqual("nothing is missing\n", self.stubs("--view"))
        self.assertEqual(view, self.read("view.c"))
        self.write("view.c", "mine\n")
        self.assertEqual("left  view.c, which has no town_text_view; -o FILE.c names another file\n", self.stubs("--view"))
        self.assertEqual("mine\n", self.read("view.c"))
        self.assertEqual("wrote text.c\n", self.stubs("--view", "-o", "text.c"))

    def test_G05_the_view_prints_colors_as_the_command_does(self):
        self.add_event("struct Dot { color: uint; colors: uint; }\ntable EPaint (engine) { color: uint; back_colour: uint; "
                       "dots: [Dot]; colors: [uint]; multicolor: uint; color_count: uint; }", "EPaint")
        self.stubs("--view")
        view = self.read("view.c")
        self.assertIn('printf("paint, color 0x%06X, back colour 0x%06X, dots", paint->color, paint->back_colour', view)
        self.assertIn('printf("(color 0x%06X, colors %u)", value->color, value->colors);', view)
        self.assertIn('multicolor %u, color count %u\\n", ', view)
        self.stubs("-o", "rules.c")
        self.compiles()

    def test_M02_the_view_of_an_older_kifuc_names_its_acts(self):
        self.write("view.c", "static double act_e_build() {}\nstatic double act_p_give() {}\n"
                             "const town_view town_text_view = {.act_e_build = act_e_build, .act_p_give = act_p_give};\n")
        self.assertEqual("nothing is missing\n", self.stubs("--view"))
        self.add_event()
        said = self.stubs("--view")
        self.assertEqual("added to view.c: town_act_p_sell\n\nName them in the view:\n"
                         "    const town_view view = {…, .act_p_sell = town_act_p_sell};\n", said)

    def test_G05_the_view_gets_what_a_new_event_needs(self):
        self.stubs("-o", "rules.c")
        self.stubs("--view")
        before = self.read("view.c")
        self.add_event("struct Spot { x: int; y: int; }\nenum Mood: ubyte (bit_flags) { GLAD }\n"
                       "table Tale { said: string; next: [Tale]; }\ntable Bag { tales: [Tale]; }\n"
                       "table PSell (player) { spot: Spot; mood: Mood; tale: Tale; bag: Bag; says: string (required); "
                       "price: ulong; }")
        self.assertEqual("added to rules.c: town_check_p_sell, town_do_p_sell\nadded to view.c: town_act_p_sell\n",
                         self.stubs())
        self.assertTrue(self.read("view.c").startswith(before + "\n#include <inttypes.h>\n"))
        self.compiles()
        once = self.read("view.c")
        self.write("town.fbs", self.read("town.fbs").replace("PSell }", "PSell, PBuy }").replace(
            "union", "table PBuy (player) { spot: Spot; mood: Mood; tale: Tale; says: string (required); price: ulong; }\nunion"))
        self.stubs()
        self.assertEqual(once.count("static"), self.read("view.c").count("static"), "what prints a type is there already")
        self.compiles()


if __name__ == "__main__":
    unittest.main()
