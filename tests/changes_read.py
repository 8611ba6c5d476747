"""A reader of changes, written from schema/FORMAT.md, with no line of Kifu's."""

import struct

from event_rows import Bytes
from records import HASH
from save_frames import TABLE
from tree_save import Reader, read_whole


def checksum(data, before=0):
    """CRC-32C, going on."""
    crc = before ^ 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def number(message):
    return struct.unpack("<I", message.take(4))[0]


class Follower:
    """Its tree, and where it is in the stream: stream, commit, checksum."""

    def __init__(self):
        self.reader, self.position = Reader(), None

    def take(self, data):
        message = Bytes(data)
        magic, position = message.take(4), (message.take(8), message.number(), number(message))
        message.number(), message.take(4)  # the rules version, and the check of the game
        if magic == b"KfCw":
            assert message.number() in (0, 1)
            head, said = data[: message.at], number(message)
            self.whole(message.rest(), head, said)
            self.position = position
            return
        assert magic == b"KfCh" and position == self.position
        while message.more():
            records, (stream, commit, before) = message.take(message.number()), self.position
            assert number(message) == checksum(records, before)
            assert self.reader.commit(bytes(4) + records) == HASH  # without the link of a frame
            self.position = stream, commit + 1, checksum(records, before)

    def whole(self, save, head, said):
        assert said == checksum(save, checksum(head))
        self.reader = read_whole(save)
        self.reader.source.shapes.clear()


def read_changes(told):
    """What a follower has in the end that is told all that, each with its length in front."""
    follower, messages = Follower(), Bytes(told)
    while messages.more():
        follower.take(messages.take(number(messages)))
    return follower.reader.tree
