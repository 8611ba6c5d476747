"""A reader of log files, written from schema/FORMAT.md, with no line of Kifu's. For test_flatc_roundtrip.py."""

import struct

from packed_save import field, follow, head_of_segment

SEGMENT, SNAPSHOT, REWIND, PENDING, GO, APPEND = 2, 3, 4, 5, 14, 15


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


def whole_segment(brief, vtables, rules_version):
    """The FlatBuffer that a brief segment stands for."""
    marks, types, words, at, more = b"", b"", [], 0, 1
    while more:
        mark, type, more, length = struct.unpack_from("<4sBBH", brief, at)
        marks, types, at = marks + mark, types + bytes([type]), at + 8
        words.append(length)
    assert at + 4 * sum(words) == len(brief)
    offsets, start = [], 0
    for length in words:
        offsets.append(start)
        start += 4 * length
    return head_of_segment(marks, types, offsets, vtables, rules_version) + brief[at:]


def follow_log(frames, rules_version):
    """Segments of the events that are executed in the end, each with the number of its first event; and how many."""
    segments, executed, undone, vtables = [], 0, [], b""
    for kind, payload in frames:
        segment = payload if kind == SEGMENT else None
        if kind == APPEND:
            vtables = vector(payload, 3) or vtables
            brief = vector(payload, 0)
            segment = whole_segment(brief, vtables, rules_version) if brief else None
        if segment is not None:
            segments = [(first, each) for first, each in segments if first < executed]
            undone = []
            (count,) = struct.unpack_from("<I", segment, 36)
            segments.append((executed, segment))
            executed += count
        elif kind == REWIND:
            undone.append(executed)
            executed = scalar(payload, 0)
        elif kind == GO:
            executed = scalar(payload, 1)
            undone = undone[: undone.index(executed)]
        elif kind == SNAPSHOT:
            assert scalar(payload, 0) == executed
    return segments, executed, undone
