"""A reader of packed frames, written from schema/FORMAT.md, with no line of Kifu's. For test_flatc_roundtrip.py and
save_frames.py."""

import struct

SEGMENT, PENDING = 2, 5
OF_SEGMENTS = {SEGMENT, PENDING, 256 + SEGMENT, 256 + PENDING}


def unpack_runs(data, size):
    """The codec of the tests, run_codec.h."""
    out, at = b"", 0
    while at < len(data):
        if data[at] >= 128:
            out += data[at + 1 : at + 2] * (data[at] - 125)
            at += 2
        else:
            out += data[at + 1 : at + 2 + data[at]]
            at += 2 + data[at]
    assert len(out) == size
    return out


def field(table, payload, number):
    """Where a field of the root table is."""
    (soffset,) = struct.unpack_from("<i", payload, table)
    (entry,) = struct.unpack_from("<H", payload, table - soffset + 4 + 2 * number)
    return table + entry


def follow(place, payload):
    """First element and length of the vector that an offset leads to."""
    target = place + struct.unpack_from("<I", payload, place)[0]
    return target + 4, struct.unpack_from("<I", payload, target)[0]


def unpack_frame(payload):
    """(kind, payload) of the frame in a packed frame."""
    (table,) = struct.unpack_from("<I", payload)
    kind, size = (struct.unpack_from("<I", payload, field(table, payload, i))[0] for i in (0, 1))
    name, length = follow(field(table, payload, 2), payload)
    assert payload[name : name + length] == b"runs"
    parts, count = follow(field(table, payload, 3), payload)
    at, length = follow(field(table, payload, 4), payload)
    end, out = at + length, b""
    for i in range(count):
        part, packed = struct.unpack_from("<II", payload, parts + 8 * i)
        here = payload[at : at + packed]
        out += here if part == packed else unpack_runs(here, part)
        at += packed
    assert len(out) == size and at == end
    return kind, segment_of(out) if kind in OF_SEGMENTS else out


class Strand:
    """The columns of one type of event, from `at`."""

    def __init__(self, columns, entry, at):
        self.type, self.align, self.lanes, self.flags, self.inline, self.count, self.tail_bytes = struct.unpack(
            "<BBBBIII", entry)
        self.done = self.tails_done = 0

        def rows(number):
            nonlocal at
            taken = [columns[at + k * self.count : at + (k + 1) * self.count] for k in range(number)]
            at += number * self.count
            return [bytes(row) for row in zip(*taken)]

        self.marks, self.tables = rows(4), rows(self.inline)
        self.lengths = [struct.unpack("<I", row)[0] * 4 for row in rows(4)] if self.flags & 1 else [0] * self.count
        lane = self.tail_bytes // self.lanes
        lanes = [columns[at + k * lane : at + (k + 1) * lane] for k in range(self.lanes)]
        self.tails = bytes(byte for row in zip(*lanes) for byte in row)
        at += self.tail_bytes
        self.heads = columns[at : at + self.tail_bytes // 4] if self.flags & 2 else bytes(self.tail_bytes // 4)
        self.end = at + (len(self.heads) if self.flags & 2 else 0)

    def take(self):
        """Mark, words of the next event, and whether each is the first of a table."""
        i, start = self.done, self.tails_done
        self.done, self.tails_done = i + 1, start + self.lengths[i]
        words = self.tables[i] + self.tails[start : self.tails_done]
        heads = b"\1" + bytes(self.inline // 4 - 1) + self.heads[start // 4 : self.tails_done // 4]
        return self.marks[i], words, heads


def places(count, vtables_size):
    """Where a segment's offsets, types, vtables and events begin."""
    offsets = 40 + 4 * count + 4
    types = offsets + 4 * count + 4
    block = types + (count + 3) // 4 * 4
    return offsets, types, block, (block + vtables_size + 7) // 8 * 8


def head_of_segment(marks, types, starts, vtables, rules_version):
    """All that is in front of the events, which begin at `starts` behind it."""
    count = len(types)
    offsets_at, types_at, block, start = places(count, len(vtables))
    offsets = b"".join(struct.pack("<I", start + at - (offsets_at + 4 * i)) for i, at in enumerate(starts))
    length = struct.pack("<I", count)
    head = struct.pack("<I6H", 16, 12, 20, 4, 8, 12, 16)
    head += struct.pack("<IIIII", 12, types_at - 24, offsets_at - 28, 40 - 32, rules_version)
    head += length + marks + length + offsets + length + types
    head += bytes(block - len(head)) + vtables
    return head + bytes(start - len(head))


def segment_of(columns):
    """The FlatBuffer that columns stand for, in the layout that Kifu writes."""
    count, rules_version, vtables_size, kinds = struct.unpack_from("<IIII", columns)
    at = 16 + 16 * kinds
    vtables, types = columns[at : at + vtables_size], columns[at + vtables_size : at + vtables_size + count]
    at, strands = at + vtables_size + count, {}
    for i in range(kinds):
        strand = Strand(columns, columns[16 + 16 * i : 32 + 16 * i], at)
        strands[strand.type], at = strand, strand.end
    assert at == len(columns)

    _, _, block, start = places(count, vtables_size)
    body, marks, starts = b"", b"", []
    for i, type in enumerate(types):
        strand = strands[type]
        body += bytes(-len(body) % strand.align)
        position = start + len(body)
        mark, words, heads = strand.take()
        event = bytearray(words)
        for k, head in enumerate(heads):
            (value,) = struct.unpack_from("<I", event, 4 * k)
            if head and value < 2**31:
                struct.pack_into("<i", event, 4 * k, position + 4 * k - (block + value))
        body += event
        marks += mark
        starts.append(position - start)
    for strand in strands.values():
        assert strand.done == strand.count and strand.tails_done == strand.tail_bytes
    return head_of_segment(marks, types, starts, vtables, rules_version) + body
