"""Generated code as a reviewer wants it (F36)."""

import os
import re
import tempfile
import unittest

import tools

_SCHEMA = """include "kifu.fbs";
namespace town;
enum Kind: ubyte { FIELD, HOUSE }
struct Lot { kind: Kind; owner: byte; height: ushort; shops: [ubyte: 3]; }
struct State (state) { game: kifu.Game; lots: [Lot: 40]; heaps: [ushort: 4]; }
table EGrant (engine) { player: ubyte; lot: ubyte; }
table PGive (player) { player: ubyte; lot: ubyte; }
table EPickUp (engine, check) { lot: ubyte; }
union Event { kifu.EResetGame, kifu.EAddPlayer, EGrant, PGive, EPickUp }
"""


class Generated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory(prefix="kifu-generated-") as folder:
            schema = os.path.join(folder, "town.fbs")
            tools.write(schema, _SCHEMA)
            status, said = tools.kifuc("gen", schema, "-o", folder)
            assert status == 0, said
            cls.source = tools.read(os.path.join(folder, "town.c")).decode()
            cls.files = {name: tools.read(os.path.join(folder, "town", name)).decode()
                         for name in os.listdir(os.path.join(folder, "town"))}
        cls.state = cls.files["state.h"]

    def test_F36_an_array_has_one_check_of_its_index(self):
        for array, count in (("lots", 40), ("lots.shops", 3), ("heaps", 4)):
            self.assertEqual(1, self.state.count('kifu__index(timeline, "%s", ' % array), array)
            self.assertIn(", %d);" % count, self.state)
        self.assertEqual(7, len(re.findall(r"\btown_edit_lots", self.state)))

    def test_F36_a_field_player_keeps_its_name_where_no_parameter_has_it(self):
        self.assertIn("town_submit_e_grant(kifu_timeline *timeline, uint8_t player, uint8_t lot);", self.files["e_grant.h"])
        self.assertIn("town_submit_p_give(kifu_timeline *timeline, int player, uint8_t player_, uint8_t lot);",
                      self.files["p_give.h"])

    def test_F36_a_variable_is_the_events_name(self):
        self.assertIn("const town_e_pick_up *pick_up);", self.files["e_pick_up.h"])
        self.assertIn("const kifu_e_add_player *add_player);", self.files["view.h"])

    def test_F36_comments_say_what_do_and_check_and_edits_are_for(self):
        check, do = (re.search(r"((?:///.*\n)+)%s town_%s_e_pick_up" % each, self.files["e_pick_up.h"]).group(1)
                     for each in (("kifu_verdict", "check"), ("kifu_result", "do")))
        self.assertIn("it may change `pick_up`", check)
        self.assertIn("by edits alone", do)
        self.assertRegex(self.state, r"(?s)An edit journals .*until Do returns.*town_edit_lots")

    def test_F36_one_assertion_for_each_struct_and_none_for_kifus_own(self):
        asserted = re.findall(r"^_Static_assert\(sizeof\((\w+)\)", self.source, re.M)
        self.assertEqual(["town_lot", "town_state", "town_e_grant", "town_p_give", "town_e_pick_up"], asserted)
        self.assertNotIn("_Static_assert(offsetof", self.source)
        block = re.search(r"(?:^_Static_assert.*\n){5}", self.source, re.M)
        self.assertIsNotNone(block)
