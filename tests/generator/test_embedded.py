"""The binary schema that games embed, beside flatc's own of the same."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from types import SimpleNamespace

import tools
from kifuc import embedded, reflection

# What kifu.Segment is (schema/FORMAT.md).
SEGMENT = """include "%s";
namespace kifu;
table Segment {
  events: [%s];
  marks: [kifu.Mark];
  rules_version: uint;
}
root_type Segment;
"""
UNIONS = {"realms": "board.realms.Event"}
NIM = """{
  "events_type": ["kifu_EResetGame", "kifu_EAddPlayer", "kifu_EInitialize", "EDeal", "PTake"],
  "events": [{}, {"position": 1, "color": 16711680}, {"starting_player": 1}, {"stones": [3, 4, 500]},
             {"heap": 2, "count": 7}],
  "marks": [{"cause": 0, "player": -1, "flags": 0}, {"cause": 1, "player": -1, "flags": 2},
            {"cause": 1, "player": -1, "flags": 9}, {"cause": 1, "player": 0, "flags": "UNDOABLE"},
            {"cause": 0, "player": 1, "flags": "UNDOABLE CONTINUE_UNDO"}],
  "rules_version": 1
}"""
EVERYTHING = """{
  "events_type": ["PNumbers", "EOptional", "PStructs", "EVectors", "PTrade", "EMove", "ENothing"],
  "events": [{"b": 7, "h": 18446744073709551615}, {"a": -3, "h": 0},
             {"from": {"x": 1, "side": "LEFT", "heights": [1.5, -2.0], "open": true}, "timeline": 4},
             {"text": "a \\u00fc", "bools": [true, false], "words": ["one", ""], "longs": [1, 18446744073709551615]},
             {"give": {"name": "ring"}, "take": [{"name": ""}, {"name": "x"}]}, {"distance": 5, "hard": true}, {}],
  "marks": [], "rules_version": 12
}"""


class Embedded(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="kifu-embedded-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.schemas = dict(tools.SCHEMAS)
        for name in "chess", "duel", "go":
            cls.schemas[name] = ("examples/%s/%s.fbs" % (name, name), [])
        cls.schemas["tutorial"] = ("examples/nim/nim.fbs", [])
        cls.schemas["small"] = ("tests/bench/small.fbs", [])
        cls.schemas["outside"] = ("tests/games/outside/outside.fbs", [])
        cls.own, cls.flatcs = {}, {}
        for name, (schema, includes) in cls.schemas.items():
            cls.own[name] = cls.embed(name, schema, includes)
            cls.flatcs[name] = cls.compile(name, schema, includes)

    @classmethod
    def embed(cls, name, schema, includes):
        out = os.path.join(cls.folder, name)
        status, said = tools.kifuc("gen", schema, "-o", out, *[part for each in includes for part in ("-I", each)])
        assert status == 0, said
        return tools.read(os.path.join(out, os.path.basename(schema)[:-4] + ".bfbs"))

    @classmethod
    def compile(cls, name, schema, includes):
        stem = os.path.basename(schema)[:-4]
        out = os.path.join(cls.folder, name + "_flatc")
        union = UNIONS.get(name, stem + ".Event")
        tools.write(os.path.join(out, "segment.fbs"), SEGMENT % (os.path.basename(schema), union))
        folders = [os.path.dirname(os.path.join(tools.ROOT, schema)), os.path.join(tools.ROOT, "schema"),
                   *[os.path.join(tools.ROOT, each) for each in includes]]
        subprocess.run([shutil.which("flatc"), "-b", "--schema", *[part for each in folders for part in ("-I", each)],
                        "-o", out, os.path.join(out, "segment.fbs")], check=True, capture_output=True)
        return tools.read(os.path.join(out, "segment.bfbs"))

    def flatc(self, *arguments):
        done = subprocess.run([shutil.which("flatc"), *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, text=True)
        self.assertEqual((0, ""), (done.returncode, done.stdout))

    def test_W01_saves_do_not_depend_on_what_is_hidden(self):
        """Neither the embedded schema, nor the fingerprint, nor the lock file."""
        found = []
        for name in "shown", "hides":
            text = tools.read(os.path.join(tools.ROOT, "tests", "games", "vault", "vault.fbs")).decode()
            if name == "shown":
                text = re.sub(r" \((hidden|secret)\)|, seen_by: \"\w+\"", "", text)
                self.assertNotRegex(text, "hidden\\)|secret\\)|seen_by")
            folder = os.path.join(self.folder, name)
            tools.write(os.path.join(folder, "vault.fbs"), text)
            for command in ("gen", "vault.fbs", "-o", "."), ("lock", "vault.fbs"):
                self.assertEqual(0, tools.kifuc(*command, folder=folder)[0])
            source = tools.read(os.path.join(folder, "vault.c")).decode()
            self.assertEqual(name == "hides", "vault__hiding" in source)
            found.append((tools.read(os.path.join(folder, "vault.bfbs")), re.search("fingerprint = .*", source).group(),
                          tools.read(os.path.join(folder, "vault.fbs.lock"))))
        self.assertEqual(*found)

    def test_M05_it_is_small(self):
        sizes = {name: len(self.own[name]) for name in ("tutorial", "small")}
        self.assertLessEqual(sizes["tutorial"], 3 * 1024)
        self.assertLessEqual(sizes["small"], 2 * 1024)
        for name in self.schemas:
            with self.subTest(name=name):
                self.assertLessEqual(len(self.own[name]) * 3, len(self.flatcs[name]) * 2)

    def test_M05_flatc_prints_the_same_with_it(self):
        for name, text in ("tutorial", NIM), ("everything", EVERYTHING):
            printed, built = [], []
            for which, schema in ("own", self.own[name]), ("flatcs", self.flatcs[name]):
                with open(os.path.join(self.folder, which + ".bfbs"), "wb") as stream:
                    stream.write(schema)
                tools.write(os.path.join(self.folder, "segment.json"), text)
                self.flatc("-b", which + ".bfbs", "segment.json")
                built.append(tools.read(os.path.join(self.folder, "segment.bin")))
                for more in [], ["--defaults-json"]:
                    self.flatc("--json", "--raw-binary", "--strict-json", *more, which + ".bfbs", "--", "segment.bin")
                    printed.append(tools.read(os.path.join(self.folder, "segment.json")))
            self.assertEqual(built[0], built[1])
            self.assertEqual(printed[:2], printed[2:])
            self.assertIn(b"PTake" if name == "tutorial" else b"LEFT", printed[0])

    def least(self, attributes, state):
        """nim's schema as kifuc writes it, without some of what readers of saves need."""
        write, kept = embedded.write, embedded._ATTRIBUTES
        try:
            embedded._ATTRIBUTES = attributes
            embedded.write = lambda schema, union, name: write(schema, union, name if state else "kifu.Mark")
            return self.embed("least", *self.schemas["tutorial"])
        finally:
            embedded.write, embedded._ATTRIBUTES = write, kept

    def test_M05_flatc_needs_two_thirds_of_it_to_print_events(self):
        kept = embedded._ATTRIBUTES
        self.assertEqual([3056, 2208, 2840, 2024], [len(self.least(attributes, state))
                                                    for attributes in (kept, ()) for state in (True, False)])
        tools.write(os.path.join(self.folder, "least.json"), NIM)
        with open(os.path.join(self.folder, "least.bfbs"), "wb") as stream:
            stream.write(self.least((), False))
        self.flatc("-b", "least.bfbs", "least.json")
        self.flatc("--json", "--raw-binary", "--strict-json", "least.bfbs", "--", "least.bin")
        self.assertIn(b"PTake", tools.read(os.path.join(self.folder, "least.json")))

    def kept_attributes(self):
        """Those for which kifu::json asks."""
        folder = os.path.join(tools.ROOT, "runtime", "json")
        text = b"".join(tools.read(os.path.join(folder, each)) for each in os.listdir(folder) if each.endswith(".c"))
        return set(re.findall(r'(?:kifu__r_attribute|says)\([^"]*?, "(\w+)"', text.decode()))

    def named(self, schema):
        """A schema's objects and enums by name, with types that name what they are of, as a reader of saves needs them."""
        kept = self.kept_attributes()

        def type_(each):
            if each is None or each.base == reflection.NONE:
                return None
            of = schema.objects if reflection.OBJ in (each.base, each.element) else schema.enums
            return SimpleNamespace(**{**vars(each), "index": of[each.index].name if each.index >= 0 else None})

        def bare(each, **more):
            if hasattr(each, "attributes"):
                more["attributes"] = {name: "" if value == "0" else value for name, value in each.attributes.items()
                                      if name in kept}
            return SimpleNamespace(**{**vars(each), "documentation": [], **more})

        result = {each.name: bare(each, minalign=each.minalign if each.is_struct else 0, fields=[
            bare(field, type=type_(field.type)) for field in each.fields]) for each in schema.objects}
        result.update({each.name: bare(each, underlying=type_(each.underlying), values=[
            bare(value, type=type_(value.type)) for value in each.values]) for each in schema.enums})
        return result

    def test_M05_it_has_what_is_reachable_and_nothing_else(self):
        left_out = set()
        for name in self.schemas:
            own, flatcs = (self.named(reflection.read(each[name])) for each in (self.own, self.flatcs))
            states = [each.name for each in flatcs.values() if "state" in each.attributes]
            reached = {"kifu.Segment", *(states or ["kifu.Game"])}
            while True:
                members = [member for each in reached
                           for member in getattr(flatcs[each], "fields", ()) or getattr(flatcs[each], "values", ())]
                more = {each.type.index for each in members if each.type and each.type.index}
                if more <= reached:
                    break
                reached |= more
            left_out |= set(flatcs) - reached
            self.assertEqual(sorted(reached), sorted(own), name)
            for each in reached:
                self.assertEqual(flatcs[each], own[each], name)
        self.assertIn("kifu.Slot", left_out)  # The tutorial has no pool.
        self.assertIn("kifu.EResetGame", left_out)  # The smallest game has no standard events.

    def test_M05_attributes_that_tools_read_are_there_and_no_others(self):
        kept = self.kept_attributes()
        self.assertLessEqual({"player", "state", "pool", "transient"}, kept)
        found = set()
        for name, data in self.own.items():
            schema = reflection.read(data)
            owners = schema.objects + schema.enums + [field for each in schema.objects for field in each.fields]
            found |= {attribute for each in owners for attribute in each.attributes}
        self.assertEqual(found, kept)

    def test_M05_it_has_no_comments_and_no_files(self):
        for name, data in self.own.items():
            self.assertEqual([], reflection.read(data).files, name)
            for text in ".fbs", "A player joins", "Nothing at all", tools.ROOT:
                self.assertNotIn(text.encode(), data, name)

    def test_M05_readers_find_types_and_fields_by_search(self):
        for name, data in self.own.items():
            self.assertEqual(data[4:8], b"BFBS")
            root = reflection._Table(data, int.from_bytes(data[:4], "little"))
            for row in [root.tables(4), root.tables(6), *[each.tables(6) for each in root.tables(4)]]:
                names = [each.string(4) for each in row]
                self.assertEqual(names, sorted(names), name)
            self.assertEqual(root.child(12).string(4), "kifu.Segment")

    def test_M05_equal_parts_are_there_once(self):
        for name, data in self.own.items():
            root = reflection._Table(data, int.from_bytes(data[:4], "little"))
            objects, enums = root.tables(4), root.tables(6)
            fields = [field for each in objects for field in each.tables(6)]
            values = [value for each in enums for value in each.tables(6)]
            vtables, types, names = {}, {}, {}
            for each in [root, *objects, *enums, *fields, *values]:
                size = int.from_bytes(data[each.vtable:each.vtable + 2], "little")
                vtables.setdefault(data[each.vtable:each.vtable + size], set()).add(each.vtable)
            for each in objects + enums + fields + values:
                place = each._follow(each._place(4))
                names.setdefault(each.string(4), set()).add(place)
            for each in [*[field.child(6) for field in fields], *[enum.child(10) for enum in enums]]:
                types.setdefault((each.byte(4), each.byte(6), each.i32(8, -1), each.u16(10)), set()).add(each.position)
            for found in vtables, types, names:
                self.assertEqual([], [each for each, places in found.items() if len(places) > 1], name)
            self.assertLess(len(types), len(fields))


if __name__ == "__main__":
    unittest.main()
