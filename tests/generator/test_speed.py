"""How much work kifuc does, by the number of its calls: the same on every machine, however busy. `./dev bench generate`
measures the time."""

import cProfile
import os
import pstats
import tempfile
import unittest

import tools

EVENT = "table P%d (player) { amount: uint = 1; at: Place; mood: Mood; text: string; items: [Item]; counts: [ushort]; }\n"
GAME = """include "kifu.fbs";
namespace many;
enum Mood: ubyte { CALM, ANGRY }
struct Place { x: short; y: short; }
struct State (state) { game: kifu.Game; at: [Place: 9]; }
table Item { name: string; price: uint = 3; }
%sunion Event { %s }
"""


class Speed(unittest.TestCase):
    def calls(self, count):
        with tempfile.TemporaryDirectory(prefix="kifu-speed-") as folder:
            tools.write(os.path.join(folder, "many.fbs"), GAME % (
                "".join(EVENT % i for i in range(count)), ", ".join("P%d" % i for i in range(count))))
            profile = cProfile.Profile()
            status, said = profile.runcall(tools.kifuc, "gen", "many.fbs", "-o", "out", folder=folder)
            self.assertEqual((0, ""), (status, said))
            return pstats.Stats(profile).total_calls

    def test_work_grows_with_the_number_of_events_and_templates_are_compiled_once(self):
        self.calls(1)  # Compiles the templates.
        few, more, most = (self.calls(count) for count in (1, 101, 201))
        self.assertLess(few, 60000)
        self.assertLess(more - few, 100 * 9000)
        self.assertLess(most - more, 1.3 * (more - few))


if __name__ == "__main__":
    unittest.main()
