"""The codec of the tests, and places in FlatBuffers, written from schema/FORMAT.md, with no line of Kifu's."""

import struct


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


def scalar(payload, number, form="<I", default=0):
    """A field of the root table."""
    (table,) = struct.unpack_from("<I", payload)
    (soffset,) = struct.unpack_from("<i", payload, table)
    (size,) = struct.unpack_from("<H", payload, table - soffset)
    place = field(table, payload, number) if 4 + 2 * number < size else table
    return struct.unpack_from(form, payload, place)[0] if place != table else default


def follow(place, payload):
    """First element and length of the vector that an offset leads to."""
    target = place + struct.unpack_from("<I", payload, place)[0]
    return target + 4, struct.unpack_from("<I", payload, target)[0]


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
