"""A reader and a writer of a save's frames, packed or not, written from schema/FORMAT.md, with no line of Kifu's."""

import struct

from event_rows import Bytes
from packed_save import unpack_runs

HEADER, SEGMENT, COMMIT, PACKED, SCHEMA, ROOT = range(1, 7)  # kinds of frames
LINKS = {COMMIT: 0, PACKED: 4, ROOT: 4}  # where payloads have the link of the chain
VERSION = 5
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


def read_frames(save):
    """The (kind, payload) of each frame."""
    assert save[:8] == MAGIC and struct.unpack_from("<II", save, 8) == (VERSION, 0)
    frames, at, heads = [], 16, b""
    while at < len(save):
        length, crc, kind, zero = struct.unpack_from("<IIII", save, at)
        payload = save[at + 16 : at + 16 + length]
        assert zero == 0 and crc == crc32c(save[at + 8 : at + 16] + payload)
        frames.append((kind, payload))
        if kind in LINKS:
            assert struct.unpack_from("<I", payload, LINKS[kind]) == (crc32c(heads),)
        heads += save[at : at + 16]
        at += 16 + (length + 7) // 8 * 8
    assert frames[0][1][4:8] == b"LINK"
    return frames


def write_frames(frames):
    """A save of these frames, with links that are right."""
    save, heads = MAGIC + struct.pack("<II", VERSION, 0), b""
    for kind, payload in frames:
        if kind in LINKS:
            at = LINKS[kind]
            payload = payload[:at] + struct.pack("<I", crc32c(heads)) + payload[at + 4 :]
        rest = struct.pack("<II", kind, 0) + payload
        heads += struct.pack("<II", len(payload), crc32c(rest)) + rest[:8]
        save += heads[-16:-8] + rest + bytes(-len(payload) % 8)
    return save


def unpack_frames(payload):
    """The (kind, payload) of each frame in a packed frame."""
    (size,) = struct.unpack_from("<I", payload)
    source = Bytes(payload[8:])
    name = source.take(source.number())
    assert name in (b"", b"runs")
    block = Bytes(unpack_runs(source.rest(), size) if name else source.rest())
    assert len(block.data) == size
    while block.more():
        kind, length = block.number(), block.number()
        assert not any(block.take(-block.at % 8))
        yield kind, block.take(length)


def unpack(frames):
    """The same frames, also those in a packed one."""
    for kind, payload in frames:
        if kind == PACKED:
            yield from unpack_frames(payload)
        else:
            yield kind, payload
