"""Events of the game `tally`, read from segments, written from schema/FORMAT.md, with no line of Kifu's."""

import struct

from packed_save import field, follow, scalar

CONTINUE, CONSEQUENCE = 2, 4  # flags of an event
NAMES = {1: "tally.PAdd", 2: "tally.EBonus"}


class Event:
    """One event of a segment: its table is at `table`."""

    def __init__(self, segment, table, type, mark, rules):
        (soffset,) = struct.unpack_from("<i", segment, table)
        (size,) = struct.unpack_from("<H", segment, table - soffset)
        places = struct.unpack_from(f"<{size // 2 - 2}H", segment, table - soffset + 4) + (0, 0)
        self.amount = struct.unpack_from("<i", segment, table + places[0])[0] if places[0] else 0
        self.note = None
        if type == 1 and places[1]:
            at, length = follow(table + places[1], segment)
            self.note = segment[at : at + length].decode()
        self.type, self.rules = type, rules
        self.cause, self.player, self.flags = struct.unpack("<HbB", mark)

    def say(self):
        note = "" if self.note is None else f" '{self.note}'"
        return f"{NAMES[self.type]} {self.amount} by {self.player}{note}"


def events_of(segment):
    (root,) = struct.unpack_from("<I", segment)
    (types, count), (offsets, _), (marks, _) = (follow(field(root, segment, i), segment) for i in range(3))
    rules = scalar(segment, 3)
    for i in range(count):
        table = offsets + 4 * i + struct.unpack_from("<I", segment, offsets + 4 * i)[0]
        yield Event(segment, table, segment[types + i], segment[marks + 4 * i : marks + 4 * i + 4], rules)


class Waiting:
    """What waits: consequences, and inputs behind them."""

    def __init__(self, events=()):
        self.consequences, self.inputs = [], []
        self.add(events)

    def add(self, events):
        for event in events:
            (self.consequences if event.flags & CONSEQUENCE else self.inputs).append(event)

    def say(self):
        return "".join(f", waits: {event.say()}" for event in self.consequences + self.inputs)
