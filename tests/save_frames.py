"""A reader and a writer of a save's frames, packed or not, written from schema/FORMAT.md, with no line of Kifu's."""

import struct

from event_rows import Bytes, segment_of
from packed_save import unpack_runs

HEADER, SEGMENT, SNAPSHOT, REWIND, PENDING, END, CHECKPOINTS, PACKED, SCHEMA, LINE, NOTES = range(1, 12)
ROOT, COMMIT, OF_LINE = 13, 18, 256
LINKED = {3, 4, 6, 7, 8, 10, 11, 12, 13, 18}
MAGIC = b"\x89KIFU\r\n\x1a"


def make_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = make_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def is_chained(frames):
    return frames[0][1][4:8] == b"LINK"


def read_frames(save, version=1):
    """The (kind, payload) of each frame."""
    assert save[:8] == MAGIC and struct.unpack_from("<II", save, 8) == (version, 0)
    frames, at, heads = [], 16, b""
    while at < len(save):
        length, crc, kind, zero = struct.unpack_from("<IIII", save, at)
        payload = save[at + 16 : at + 16 + length]
        assert zero == 0 and crc == crc32c(save[at + 8 : at + 16] + payload)
        frames.append((kind, payload))
        if kind in LINKED and is_chained(frames):
            assert struct.unpack_from("<I", payload, 0 if kind == COMMIT else 4) == (crc32c(heads),)
        heads += save[at : at + 16]
        at += 16 + (length + 7) // 8 * 8
    return frames


def write_frames(frames, version=1):
    save = MAGIC + struct.pack("<II", version, 0)
    for kind, payload in frames:
        rest = struct.pack("<II", kind, 0) + payload
        save += struct.pack("<II", len(payload), crc32c(rest)) + rest + bytes(-len(payload) % 8)
    return save


def unpack_frames(payload):
    """The (kind, payload) of each frame in a packed frame."""
    size, _, _ = struct.unpack_from("<III", payload)
    source = Bytes(payload[12:])
    name = source.take(source.number())
    assert name in (b"", b"runs")
    source = Bytes(unpack_runs(source.rest(), size) if name else source.rest())
    assert len(source.data) == size
    shapes = []
    while source.more():
        kind = source.number()
        rows = kind % OF_LINE in (SEGMENT, PENDING)
        yield kind, segment_of(shapes, source) if rows else source.take(source.number())


def unpack(frames):
    """The same frames, as a plain save would have them."""
    for kind, payload in frames:
        if kind == PACKED:
            yield from unpack_frames(payload)
        else:
            yield kind, payload
