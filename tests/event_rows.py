"""A reader of rows, written from schema/FORMAT.md, with no line of Kifu's: what they become is a segment."""

import struct

from packed_save import head_of_segment, places


class Bytes:
    """Bytes that are read from the front."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        self.at += size
        assert self.at <= len(self.data)
        return self.data[self.at - size : self.at]

    def peek(self):
        return self.data[self.at]

    def number(self):
        value = shift = 0
        while True:
            (byte,) = self.take(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                assert value < 2**32
                return value

    def rest(self):
        return self.take(len(self.data) - self.at)

    def more(self):
        return self.at < len(self.data)


class Shape:
    """What a stream says of a table."""

    def __init__(self, source):
        self.type, self.flags = source.number(), source.number()
        fields, self.size = source.number(), source.number()
        at = [source.number() for _ in range(fields)]
        self.vtable = struct.pack(f"<{2 + fields}H", 4 + 2 * fields, self.size, *at)


def shape_of(shapes, source):
    number = source.number()
    assert number <= len(shapes)
    if number == len(shapes):
        shapes.append(Shape(source))
    return shapes[number]


def row_of(shapes, source):
    """Mark, words, and the tables in them with their shapes; the first is the event's own."""
    shape = shape_of(shapes, source)
    assert shape.type
    said = source.number()
    cause = source.number() if said & 1 else 0
    player = struct.unpack("<b", source.take(1))[0] if said & 2 else -1
    words = source.number() if shape.flags & 2 else shape.size // 4
    event = bytes(4) + source.take(4 * words - 4)
    tables = [(0, shape)]
    for _ in range(source.number() if shape.flags & 4 else 0):
        tables.append((4 * source.number(), shape_of(shapes, source)))
    return struct.pack("<HbB", cause, player, said >> 2), event, tables


def segment_of(shapes, source):
    """The FlatBuffer that a run of rows stands for. The shapes that are new are added."""
    count, rules_version = source.number(), source.number()
    rows = [row_of(shapes, source) for _ in range(count)]
    vtables, block_of = b"", {}
    for _, _, tables in rows:
        for _, shape in tables:
            if shape not in block_of:
                block_of[shape] = len(vtables)
                vtables += shape.vtable
    _, _, block, start = places(count, len(vtables))
    body, marks, types, starts = b"", b"", b"", []
    for mark, words, tables in rows:
        body += bytes(-len(body) % (8 if tables[0][1].flags & 1 else 4))
        event = bytearray(words)
        for at, shape in tables:
            struct.pack_into("<i", event, at, start + len(body) + at - (block + block_of[shape]))
        starts.append(len(body))
        types += bytes([tables[0][1].type])
        body += event
        marks += mark
    return head_of_segment(marks, types, starts, vtables, rules_version) + body
