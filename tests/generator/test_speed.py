"""How much work kifuc does, by the number of its calls: the same on every machine, however busy. `./dev bench generate`
measures the time."""

import cProfile
import os
import pstats
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

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
    def generate(self, count, fields, run):
        """With more fields in the first event; `run` calls what it is given, with its arguments."""
        with tempfile.TemporaryDirectory(prefix="kifu-speed-") as folder:
            events = [EVENT % i for i in range(count)]
            events[0] = events[0].replace("{", "{ " + "".join("f%d: int; " % i for i in range(fields)))
            tools.write(os.path.join(folder, "many.fbs"), GAME % ("".join(events), ", ".join("P%d" % i for i in range(count))))
            self.assertEqual((0, ""), run(tools.kifuc, "gen", "many.fbs", "-o", "out", folder=folder))

    def calls(self, count):
        profile = cProfile.Profile()
        self.generate(count, 0, profile.runcall)
        return pstats.Stats(profile).total_calls

    def lines(self, fields):
        """Each turn of a loop counts, also of one that calls nothing."""
        count = 0

        def trace(_, what, __):
            nonlocal count
            count += what == "line"
            return trace

        def run(function, *arguments, **named):
            before = sys.gettrace()
            sys.settrace(trace)
            try:
                return function(*arguments, **named)
            finally:
                sys.settrace(before)

        self.generate(1, fields, run)
        return count

    def test_flatc_runs_once_and_templates_are_compiled_once(self):
        def run(function, *arguments, **named):
            return function(*arguments, **named)

        self.generate(1, 0, run)
        with mock.patch("subprocess.run", wraps=subprocess.run) as flatc, mock.patch("jinja2.Environment.compile") as compile_:
            self.generate(2, 0, run)
        self.assertEqual((1, 0), (flatc.call_count, compile_.call_count))

    def test_work_grows_with_the_number_of_events(self):
        self.calls(1)  # Compiles the templates.
        few, more, most = (self.calls(count) for count in (1, 101, 201))
        self.assertLess(few, 34000)
        self.assertLess(more - few, 100 * 4300)
        self.assertLess(most - more, 1.1 * (more - few))

    def test_work_grows_with_the_number_of_fields(self):
        self.lines(0)
        few, more, most = (self.lines(fields) for fields in (0, 300, 600))
        self.assertLess(most - more, 1.05 * (more - few))


if __name__ == "__main__":
    unittest.main()
