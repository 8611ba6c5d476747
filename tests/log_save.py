"""A reader of log files, written from schema/FORMAT.md, with no line of Kifu's. For test_flatc_roundtrip.py; the
records of a game with lines are read by tree_save.py."""

import struct

from event_rows import Bytes, segment_of
from packed_save import field, follow

COMMIT = 18
(STAND, EVENTS, CUT, HASHES, QUEUE, ACTIONS, KEPT, BRANCH, RETURNED, DELETED, LEFT, TREE, BEGUN, NOTE,
 HASH, POSITION, SHAPES) = range(1, 18)  # kinds of records


def scalar(payload, number, form="<I", default=0):
    """A field of the root table."""
    (table,) = struct.unpack_from("<I", payload)
    (soffset,) = struct.unpack_from("<i", payload, table)
    (size,) = struct.unpack_from("<H", payload, table - soffset)
    place = field(table, payload, number) if 4 + 2 * number < size else table
    return struct.unpack_from(form, payload, place)[0] if place != table else default


def vector(payload, number):
    """The bytes of a vector of bytes; b"": it is absent."""
    (table,) = struct.unpack_from("<I", payload)
    place = field(table, payload, number) if scalar(payload, number, default=None) is not None else table
    if place == table:
        return b""
    at, length = follow(place, payload)
    return payload[at : at + length]


def records_of(payload):
    """The kind and body of each record of a commit."""
    commit, kind = Bytes(payload[4:]), 0
    while commit.more():
        kind, size = commit.number(), commit.number()
        yield kind, Bytes(commit.take(size))
    assert kind == HASH


def frame_ends(log):
    """Where each frame ends that is there as a whole."""
    at, ends = 16, []
    while at + 16 <= len(log):
        at += 16 + (struct.unpack_from("<I", log, at)[0] + 7) // 8 * 8
        if at > len(log):
            break
        ends.append(at)
    return ends


class OneLine:
    """Of a log file without lines: the segments, each with the number of its first event; and the place."""

    def __init__(self, payloads):
        self.segments, self.end, self.executed, self.waiting, self.shapes = [], 0, 0, 0, []
        for payload in payloads:
            for kind, body in records_of(payload):
                self.take(kind, body)
                assert not body.more()

    def take(self, kind, body):
        if kind == STAND:
            assert body.number() == 0
            self.executed = body.number()
        elif kind in (EVENTS, CUT):
            self.segments = [(first, segment) for first, segment in self.segments if first < self.executed]
            if kind == EVENTS:
                self.segments.append((self.executed, segment_of(self.shapes, body)))
                self.executed += struct.unpack_from("<I", self.segments[-1][1], 36)[0]
            self.end = self.executed
        elif kind == SHAPES:
            self.shapes.clear()
        elif kind == QUEUE:
            gone = body.number() + body.number()
            assert gone <= self.waiting
            self.waiting -= gone
            if body.more():
                (count,) = struct.unpack_from("<I", segment_of(self.shapes, body), 36)
                self.waiting += count
        else:
            assert kind in (HASHES, HASH, POSITION)
            body.rest()
