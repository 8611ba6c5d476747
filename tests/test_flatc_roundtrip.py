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

import log_save
from save_frames import (CHECKPOINTS, COMMIT, END, HEADER, LINE, OF_LINE, PACKED, PENDING, REWIND, SCHEMA, SEGMENT,
                         SNAPSHOT, crc32c, is_chained, read_frames, unpack, write_frames)

SOURCE = Path(os.environ.get("KIFU_SOURCE_DIR", Path(__file__).resolve().parents[1]))
BINARY = Path(os.environ.get("KIFU_BINARY_DIR", SOURCE / "build" / "gcc"))

# kifu.Segment, as FORMAT.md has it.
SEGMENT_SCHEMA = """include "{0}.fbs";
namespace kifu;
table Segment {{ events: [{0}.Event]; marks: [kifu.Mark]; rules_version: uint; }}
root_type Segment;
"""

END_PAYLOAD = struct.pack("<IHHI", 8, 4, 4, 4)


def unchained(payload):
    """A header that does not say that the frames behind it have links."""
    return (HEADER, payload[:4] + bytes(4) + payload[8:])


def example_frames(title):
    """The (kind, payload) of each frame of a block of hex in FORMAT.md."""
    text = (SOURCE / "schema" / "FORMAT.md").read_text(encoding="utf-8").split(f"## {title}\n")[1]
    rows = [row.split("|")[0].split()[1:] for row in text.split("```hex\n")[1].split("```")[0].splitlines()]
    data, frames, at = bytes.fromhex("".join("".join(row) for row in rows)), [], 0
    while at < len(data):
        length, crc, kind, zero = struct.unpack_from("<IIII", data, at)
        payload = data[at + 16 : at + 16 + length]
        assert zero == 0 and crc == crc32c(data[at + 8 : at + 16] + payload)
        frames.append((kind, payload))
        at += 16 + (length + 7) // 8 * 8
    return frames


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

    def test_flatc_prints_the_other_frames(self):
        frames = self.frames_of("v3/undone.kifu")
        payloads = dict(frames)
        self.assertEqual(frames[-1][0], END)
        self.assertEqual(self.print_save_frame(payloads[REWIND], "Rewind"), {"count": 9})
        self.assertEqual(self.print_save_frame(payloads[SNAPSHOT], "Snapshot")["event_count"], 9)
        self.assertEqual(self.print_save_frame(payloads[END], "End"), {})

    def test_flatc_prints_lines(self):
        """The worked example of FORMAT.md."""
        frames = example_frames("Lines in hex")
        self.assertEqual([kind for kind, _ in frames],
                         [LINE, LINE, OF_LINE + SEGMENT, OF_LINE + CHECKPOINTS, OF_LINE + REWIND, END])
        current, other = (self.print_save_frame(payload, "Line") for kind, payload in frames if kind == LINE)
        self.assertEqual({**current, **{"id": 1, "from": 1, "count": 1, "next": 2}}, current)
        self.assertEqual({**other, **{"count": 3, "flags": 1, "rules_version": 1}}, other)
        payloads = dict(frames)
        hashes = self.print_save_frame(payloads[OF_LINE + CHECKPOINTS], "Checkpoints")["checkpoints"]
        self.assertEqual([each["event_count"] for each in hashes], [2])
        self.assertEqual(self.print_save_frame(payloads[OF_LINE + REWIND], "Rewind"), {"count": current["from"]})
        segment = payloads[OF_LINE + SEGMENT]  # its root has three vectors, of as many events as are the line's own
        root = struct.unpack_from("<I", segment)[0]
        vtable = root - struct.unpack_from("<i", segment, root)[0]
        for place in struct.unpack_from("<3H", segment, vtable + 4):
            vector = root + place + struct.unpack_from("<I", segment, root + place)[0]
            self.assertEqual(struct.unpack_from("<I", segment, vector)[0], other["count"] - current["from"])

    def test_flatc_prints_states_and_hashes(self):
        payloads = dict(self.frames_of("v3/hashed.kifu"))
        checkpoints = self.print_save_frame(payloads[CHECKPOINTS], "Checkpoints")["checkpoints"]
        self.assertEqual([each["event_count"] for each in checkpoints], [2, 4, 6, 8, 10])
        snapshot = self.print_save_frame(payloads[SNAPSHOT], "Snapshot")
        state, value = bytes(snapshot["state"]), 0
        for (word,) in struct.iter_unpack("<Q", state):  # as FORMAT.md says
            value = (value ^ word) * 0x9E3779B97F4A7C15 % 2**64
            value ^= value >> 32
        self.assertEqual(value, snapshot["hash"])

    def test_flatc_prints_every_event_with_the_schema_in_the_save(self):
        frames = self.frames_of("v3/undone.kifu")
        bfbs = self.schema_of(frames)
        segments = [self.print_payload(payload, bfbs) for kind, payload in frames if kind == SEGMENT]
        types, events, marks = (sum((segment[name] for segment in segments), [])
                                for name in ("events_type", "events", "marks"))
        standard = ["kifu_EResetGame", "kifu_EAddPlayer", "kifu_EAddPlayer", "kifu_EInitialize"]
        self.assertEqual(types, standard + "PGather EEat PGather EEat PFind PGather EEat".split())
        self.assertEqual(events[3], {"seed": 42})
        self.assertEqual(events[4], {"kind": "FOOD", "amount": 5, "skill": 4, "luck": 8})
        self.assertEqual(events[6], {"kind": "WOOD", "amount": 3, "skill": 5})
        find = events[8]
        self.assertEqual([item.get("name") for item in find["items"]], ["berries", None])
        self.assertEqual(find["mate"], {"name": "Ada", "level": 2})
        self.assertEqual(find["route"], [1, 2, 3])
        self.assertEqual([segment["rules_version"] for segment in segments], [2] * len(segments))
        self.assertEqual(marks[5]["cause"], 1)

    def test_flatc_makes_a_save_that_loads_with_the_same_events(self):
        original = SOURCE / "tests" / "compat" / "v3" / "undone.kifu"
        frames = self.frames_of("v3/undone.kifu")
        bfbs = self.schema_of(frames)
        remade = []
        for kind, payload in frames:
            if kind in (SEGMENT, PENDING):
                self.print_payload(payload, bfbs)
                (self.folder / "payload.bin").unlink()
                self.run_flatc("-b", bfbs, "payload.json")
                self.assertNotEqual((self.folder / "payload.bin").read_bytes(), payload)
                payload = (self.folder / "payload.bin").read_bytes()
            remade.append((kind, payload))
        (self.folder / "remade.kifu").write_bytes(write_frames(remade))
        compare = BINARY / "tests" / "compat" / "camp_compare"
        done = subprocess.run([compare, original, self.folder / "remade.kifu"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "9 equal events\n"), done.stdout + done.stderr)

    def test_a_packed_save_can_be_read_by_the_format_alone(self):
        compare = BINARY / "tests" / "compat" / "camp_compare"
        for version in "v1", "v2", "v3":
            packed = (SOURCE / "tests" / "compat" / version / "packed.kifu").read_bytes()
            frames = read_frames(packed, 4)
            self.assertEqual([kind for kind, _ in frames], [HEADER, PACKED, END])
            plain = list(unpack(frames))
            self.assertEqual([kind for kind, _ in plain if kind != CHECKPOINTS],
                             [HEADER, SCHEMA, SEGMENT, REWIND, SNAPSHOT, END])
            (self.folder / "game.bfbs").write_bytes(plain[1][1])
            segment = self.print_payload(plain[2][1], "game.bfbs")
            frames = self.frames_of(f"{version}/undone.kifu")
            bfbs = self.schema_of(frames)
            original = [self.print_payload(payload, bfbs) for kind, payload in frames if kind == SEGMENT]
            for name in "events_type", "events":
                self.assertEqual(segment[name], sum((each[name] for each in original), []))
            plain[0] = unchained(plain[0][1])
            (self.folder / "plain.kifu").write_bytes(write_frames(plain))
            done = subprocess.run([compare, SOURCE / "tests" / "compat" / version / "packed.kifu",
                                   self.folder / "plain.kifu"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, "9 equal events\n"), done.stdout + done.stderr)

    def compare(self, name, frames):
        (self.folder / "plain.kifu").write_bytes(write_frames(frames))
        compare = BINARY / "tests" / "compat" / "camp_compare"
        done = subprocess.run([compare, SOURCE / "tests" / "compat" / "v3" / name, self.folder / "plain.kifu"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def read_small(self, frames):
        self.assertEqual([kind for kind, _ in frames], [HEADER, PACKED, END])
        plain = list(unpack(frames))
        self.assertEqual([kind for kind, _ in plain if kind != SCHEMA],
                         [HEADER, SEGMENT, CHECKPOINTS, REWIND, SNAPSHOT, END])
        plain[0] = unchained(plain[0][1])
        self.assertEqual(self.compare("small.kifu", plain), "9 equal events\n")

    def read_log(self, frames):
        self.assertEqual({kind for kind, _ in frames}, {HEADER, COMMIT})
        log = log_save.OneLine(payload for kind, payload in frames if kind == COMMIT)
        self.assertEqual((log.executed, log.end, log.waiting), (11, 13, 0))
        plain = [unchained(frames[0][1]), *((SEGMENT, segment) for _, segment in log.segments)]
        plain += [(REWIND, struct.pack("<IHHHHII", 12, 6, 8, 4, 0, 8, log.executed)), (END, END_PAYLOAD)]
        self.assertEqual(self.compare(self.folder / "log.kifu", plain), "11 equal events\n")

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

    def test_M06_a_compact_save_can_be_read_by_the_format_alone(self):
        self.read_small(read_frames((SOURCE / "tests" / "compat" / "v3" / "small.kifu").read_bytes(), 4))

    def test_F54_saves_of_today_are_chained_and_read_as_those_of_before(self):
        subprocess.run([BINARY / "tests" / "compat" / "camp_write_v3", self.folder], check=True)
        frames = {}
        for name, version in ("undone", 1), ("waiting", 1), ("packed", 4), ("small", 4), ("log", 3):
            frames[name] = read_frames((self.folder / f"{name}.kifu").read_bytes(), version)
            self.assertTrue(is_chained(frames[name]), name)
        self.assertEqual(self.print_save_frame(frames["undone"][0][1], "Header")["title"], "undone")
        for kind, table in (SNAPSHOT, "Snapshot"), (REWIND, "Rewind"), (END, "End"), (CHECKPOINTS, "Checkpoints"):
            self.print_save_frame(dict(frames["undone"])[kind], table)
        self.read_small(frames["small"])
        self.read_log(frames["log"])

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
