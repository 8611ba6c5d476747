"""Saves and stock flatc: what flatc prints of a save, and what it makes of its own print, is the same game."""

import base64
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

import records
from records import Events, as_plain, plain_commit, records_of
from save_frames import COMMIT, HEADER, PACKED, ROOT, SCHEMA, SEGMENT, read_frames, unpack, write_frames

SOURCE = Path(os.environ.get("KIFU_SOURCE_DIR", Path(__file__).resolve().parents[1]))
BINARY = Path(os.environ.get("KIFU_BINARY_DIR", SOURCE / "build" / "gcc"))

# kifu.Segment, as FORMAT.md has it.
SEGMENT_SCHEMA = """include "{0}.fbs";
namespace kifu;
table Segment {{ events: [{0}.Event]; marks: [kifu.Mark]; rules_version: uint; }}
root_type Segment;
"""

def hash_of(state):
    """As FORMAT.md says."""
    value = 0
    for (word,) in struct.iter_unpack("<Q", state):
        value = (value ^ word) * 0x9E3779B97F4A7C15 % 2**64
        value ^= value >> 32
    return value


# What tests/write_bytes.c built.
EVENTS_AS_BYTES = {
    "EEmpty": {},
    "EFlat": {"a": 200, "d": 2**64 - 1, "f": -0.5, "b": 500, "h": True},
    "EOneEnum": {"colour": "BLUE", "n": 7},
    "EChecks": {"colour": "BLUE", "flag": True, "traits": 513, "distance": "FAR",
                "point": {"x": -3, "y": 70000, "colour": "GREEN"}},
    "EOptional": {"b": 5, "d": False, "always": 7},
    "EText": {"name": "a name"},
    "EVectors": {"doubles": [1.5, -2.5], "strings": ["one", ""], "colours": ["RED", "BLUE"],
                 "plains": [{"a": 1, "b": 2}, {"a": 3, "b": 40}]},
    "ENested": {
        "must": {"a": 9, "b": 40},
        "branch": {
            "leaves": [{"colour": "GREEN", "weight": 0.0, "note": "a leaf"}],
            "next": {"main": {"colour": "GREEN", "weight": 0.0, "note": "a leaf"}, "level": "HIGH"},
            "level": "HIGH",
        },
    },
    "EChanged": {"kept": 3, "number": -5},
}


class Flatc(unittest.TestCase):
    def setUp(self):
        self.flatc = shutil.which("flatc")
        self.assertIsNotNone(self.flatc, "flatc is not installed (Debian: flatbuffers-compiler)")
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_flatc(self, *arguments):
        done = subprocess.run([self.flatc, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def frames_of(self, name):
        return read_frames((SOURCE / "tests" / "compat" / name).read_bytes())

    def print_payload(self, payload, *schema):
        (self.folder / "payload.bin").write_bytes(payload)
        self.run_flatc("--json", "--raw-binary", "--strict-json", *schema, "--", "payload.bin")
        return json.loads((self.folder / "payload.json").read_text())

    def print_save_frame(self, payload, table):
        return self.print_payload(payload, "--root-type", f"kifu.save.{table}", SOURCE / "schema" / "save.fbs")

    def schema_of(self, frames):
        header = self.print_save_frame(frames[0][1], "Header")
        (self.folder / "game.bfbs").write_bytes(bytes(header["schema"]))
        return "game.bfbs"

    def test_flatc_prints_the_header(self):
        kind, payload = self.frames_of("v3/undone.kifu")[0]
        self.assertEqual(kind, HEADER)
        header = self.print_save_frame(payload, "Header")
        self.assertEqual(header["game"], "camp")
        self.assertEqual(header["union_name"], "camp.Event")
        self.assertEqual(header["rules_version"], 2)
        self.assertEqual(header["event_count"], 9)
        self.assertEqual(header["saved_at"], 1700000000)
        self.assertEqual(header["players"], ["Ann", "Bob"])
        self.assertEqual(header["title"], "undone")

    def test_flatc_prints_a_root(self):
        frames = self.frames_of("trees/forgotten.kifu")
        self.assertEqual([kind for kind, _ in frames[:2]], [HEADER, ROOT])
        self.assertEqual(self.print_save_frame(frames[0][1], "Header")["first_event"], 8)
        root = self.print_save_frame(frames[1][1], "Root")
        self.assertEqual((root["event_count"], hash_of(bytes(root["state"]))), (8, root["hash"]))

    def test_flatc_prints_the_segments_of_lines(self):
        """Those of the current line come first, and then what others have besides."""
        frames = self.frames_of("trees/plain.kifu")
        bfbs = self.schema_of(frames)
        source, found = Events(), []
        for kind, payload in frames:
            if kind == SEGMENT:
                source.segments.append(payload)
            for record, _, segments in plain_commit(source, payload) if kind == COMMIT else ():
                printed = [self.print_payload(each, bfbs)["events_type"] for each in segments]
                found += [sum(printed, [])] if record == records.EVENTS else []
        text = (SOURCE / "tests" / "compat" / "trees" / "tree.txt").read_text(encoding="utf-8")
        counts = [int(count) for count in re.findall(r"(?m)^line \d .*, (\d+) events", text)]
        self.assertEqual([len(each) for each in found], [8, counts[4], counts[0] - 8, *counts[1:4]])
        self.assertIn("EStorm", found[3])

    def test_states_and_hashes_are_in_records(self):
        hashes, state = [], None
        for kind, body in records_of(dict(self.frames_of("v3/hashed.kifu"))[COMMIT]):
            data = body.rest()
            if kind == records.HASHES:
                hashes = list(struct.iter_unpack("<BQ", data))  # distances below 128
            elif kind == records.HASH:
                state = struct.unpack_from("<Q", data)[0], data[8:]
        self.assertEqual([distance for distance, _ in hashes], [1, 1, 2, 2, 2, 2])
        self.assertEqual(hash_of(state[1]), state[0])

    def test_R10_flatc_prints_every_event_with_the_schema_in_the_save(self):
        frames = self.frames_of("v3/undone.kifu")
        bfbs = self.schema_of(frames)
        segments = [self.print_payload(payload, bfbs) for kind, payload in frames if kind == SEGMENT]
        types, events, marks = (sum((segment[name] for segment in segments), [])
                                for name in ("events_type", "events", "marks"))
        standard = ["kifu_EResetGame", "kifu_EAddPlayer", "kifu_EAddPlayer", "kifu_EInitialize"]
        self.assertEqual(types, standard + "PGather EEat PGather EEat PFind PGather EEat".split())
        self.assertEqual(events[3], {"seed": 42, "starting_player": -1})
        self.assertEqual(events[4], {"kind": "FOOD", "amount": 5, "skill": 4, "luck": 8})
        self.assertEqual(events[6], {"kind": "WOOD", "amount": 3, "skill": 5})
        find = events[8]
        self.assertEqual([item.get("name") for item in find["items"]], ["berries", None])
        self.assertEqual(find["mate"], {"name": "Ada", "level": 2})
        self.assertEqual(find["route"], [1, 2, 3])
        self.assertEqual([segment["rules_version"] for segment in segments], [2] * len(segments))
        self.assertEqual(marks[5]["cause"], 1)

    def test_flatc_makes_a_save_that_loads_with_the_same_events(self):
        frames = self.frames_of("v3/undone.kifu")
        bfbs = self.schema_of(frames)
        remade = []
        for kind, payload in frames:
            if kind == SEGMENT:
                self.print_payload(payload, bfbs)
                (self.folder / "payload.bin").unlink()
                self.run_flatc("-b", bfbs, "payload.json")
                self.assertNotEqual((self.folder / "payload.bin").read_bytes(), payload)
                payload = (self.folder / "payload.bin").read_bytes()
            remade.append((kind, payload))
        self.assertEqual(self.compare("v3/undone.kifu", remade), "9 equal events\n")

    def test_a_packed_save_can_be_read_by_the_format_alone(self):
        for version in "v1", "v2", "v3":
            frames = self.frames_of(f"{version}/packed.kifu")
            self.assertEqual([kind for kind, _ in frames], [HEADER, PACKED])
            plain = list(as_plain(unpack(frames)))
            self.assertEqual([kind for kind, _ in plain], [HEADER, SCHEMA, SEGMENT, COMMIT])
            (self.folder / "game.bfbs").write_bytes(plain[1][1])
            segment = self.print_payload(plain[2][1], "game.bfbs")
            frames = self.frames_of(f"{version}/undone.kifu")
            bfbs = self.schema_of(frames)
            original = [self.print_payload(payload, bfbs) for kind, payload in frames if kind == SEGMENT]
            for name in "events_type", "events":
                self.assertEqual(segment[name], sum((each[name] for each in original), []))
            self.assertEqual(self.compare(f"{version}/packed.kifu", plain), "9 equal events\n")

    def compare(self, name, plain):
        """With a plain save of these frames."""
        (self.folder / "plain.kifu").write_bytes(write_frames(plain))
        compare = BINARY / "tests" / "compat" / "camp_compare"
        done = subprocess.run([compare, SOURCE / "tests" / "compat" / name, self.folder / "plain.kifu"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_B01_flatc_prints_events_as_bytes(self):
        writer = BINARY / "tests" / "write_bytes"
        subprocess.run([writer, self.folder], check=True)
        schema = BINARY / "tests" / "wire" / "wire.bfbs"
        for name, fields in EVENTS_AS_BYTES.items():
            with self.subTest(name):
                printed = self.print_payload((self.folder / name).read_bytes(), schema)
                event = printed["events"][0]
                self.assertEqual({field: event[field] for field in fields}, fields)
                del printed["events"]
                mark = {"cause": 0, "player": -1, "flags": 0}
                self.assertEqual(printed, {"events_type": [name], "marks": [mark], "rules_version": 1})

    def test_W06_flatc_prints_and_makes_a_batch(self):
        writer = BINARY / "tests" / "write_bytes"
        subprocess.run([writer, self.folder], check=True)
        schema = BINARY / "tests" / "wire" / "wire.bfbs"
        batch = (self.folder / "Batch").read_bytes()
        printed = self.print_payload(batch, schema)
        self.assertEqual(printed["events_type"], "EChecks EText ENested".split())
        for name, event in zip(printed["events_type"], printed["events"]):
            fields = EVENTS_AS_BYTES[name]
            self.assertEqual({field: event[field] for field in fields}, fields)
        self.assertEqual(printed["marks"], [{"cause": 0, "player": -1, "flags": 0}] * 3)
        (self.folder / "payload.bin").unlink()
        self.run_flatc("-b", schema, "payload.json")
        made = (self.folder / "payload.bin").read_bytes()
        root, = struct.unpack_from("<I", made)
        made = struct.pack("<I", root + 8) + batch[4:8] + made  # as FORMAT.md says
        self.assertNotEqual(made, batch)
        (self.folder / "made").write_bytes(made)
        done = subprocess.run([writer, self.folder, self.folder / "made"], check=True, capture_output=True, text=True)
        self.assertEqual(done.stdout, "3 events\n")
        self.assertEqual((self.folder / "Again").read_bytes(), batch)

    def test_M06_a_compact_save_can_be_read_by_the_format_alone(self):
        frames = self.frames_of("v3/small.kifu")
        self.assertEqual([kind for kind, _ in frames], [HEADER, PACKED])
        self.assertEqual(self.compare("v3/small.kifu", as_plain(unpack(frames))), "9 equal events\n")

    def test_F54_saves_of_today_are_chained_and_read_as_those_of_before(self):
        subprocess.run([BINARY / "tests" / "compat" / "camp_write_v3", self.folder], check=True)
        for name, count in ("undone", 9), ("waiting", 10), ("packed", 9), ("small", 9), ("log", 11):
            with self.subTest(name):
                before = self.frames_of(f"v3/{name}.kifu")
                frames = read_frames((self.folder / f"{name}.kifu").read_bytes())
                self.assertEqual([kind for kind, _ in frames], [kind for kind, _ in before])
                self.assertEqual(self.compare(f"v3/{name}.kifu", as_plain(unpack(frames))), f"{count} equal events\n")

    def kifu(self, *words):
        done = subprocess.run([BINARY / "runtime" / "tool" / "kifu", *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_M05_a_save_with_flatcs_own_schema_is_read_as_the_same(self):
        for game in "nim", "dungeon":
            writer = BINARY / "tests" / f"page_game_{game}"
            if not writer.exists():
                self.skipTest("the command was not built: cJSON is missing")
            subprocess.run([writer, "7", "60", self.folder / "own.kifu"], check=True)
            (self.folder / "segment.fbs").write_text(SEGMENT_SCHEMA.format(game))
            folders = SOURCE / "schema", SOURCE / "examples" / game
            self.run_flatc("-b", "--schema", *[part for each in folders for part in ("-I", each)], "segment.fbs")
            text = json.loads(self.kifu("json", "own.kifu"))
            own, flatcs = base64.b64decode(text["schema"]), (self.folder / "segment.bfbs").read_bytes()
            self.assertLess(len(own) * 3, len(flatcs) * 2)
            text["schema"] = base64.b64encode(flatcs).decode()
            (self.folder / "flatcs.json").write_text(json.dumps(text))
            self.kifu("json", "flatcs.json", "-o", "flatcs.kifu")
            for words in ("json", "--no-schema"), ("info",), ("events",):
                one, other = (self.kifu(*words, name) for name in ("own.kifu", "flatcs.kifu"))
                one, other = (re.sub("own|flatcs|[0-9]+ bytes, plain", "", each) for each in (one, other))
                self.assertEqual(one, other)
                self.assertGreater(len(one), 200)
            (self.folder / "own.bfbs").write_bytes(own)
            segments = [payload for kind, payload in read_frames((self.folder / "own.kifu").read_bytes()) if kind == SEGMENT]
            self.assertTrue(segments)
            for each in segments:
                self.assertEqual(self.print_payload(each, "own.bfbs"), self.print_payload(each, "segment.bfbs"))

    def test_the_frames_are_as_the_format_says(self):
        save = (SOURCE / "tests" / "compat" / "v3" / "undone.kifu").read_bytes()
        self.assertEqual(write_frames(read_frames(save)), save)


if __name__ == "__main__":
    unittest.main()
