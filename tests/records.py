"""A reader of commits and their records, in whole saves, log files and changes, written from schema/FORMAT.md, with no
line of Kifu's; and a writer, for test_flatc_roundtrip.py."""

from event_rows import Bytes, segment_of
from save_frames import COMMIT, SEGMENT

(STAND, EVENTS, CUT, HASHES, QUEUE, ACTIONS, KEPT, BRANCH, RETURNED, DELETED, LEFT, TREE, BEGUN, NOTE, HASH, POSITION,
 SHAPES, TIP, END) = range(1, 20)  # kinds of records
SKIPPED = 64


def records_of(payload):
    """The kind and body of each record of a commit that a reader must know."""
    commit = Bytes(payload[4:])
    while commit.more():
        kind, size = commit.number(), commit.number()
        body = Bytes(commit.take(size))
        if kind < SKIPPED:
            yield kind, body
            assert not body.more()


class Events:
    """Events as commits have them: in segments in front, or as rows."""

    def __init__(self):
        self.segments, self.shapes = [], []

    def next_segment(self):
        return self.segments.pop(0)

    def happened(self, body):
        """The segments of a record `events`."""
        if body.peek():
            return [segment_of(self.shapes, body)]
        body.number()
        return [self.next_segment() for _ in range(body.number())]

    def waiting(self, body):
        """The segments at the end of a record: one or none."""
        if not body.more():
            return []
        if body.peek():
            return [segment_of(self.shapes, body)]
        body.number()
        return [self.next_segment()]


def number(value):
    """A number as records have it."""
    digits = []
    while value > 127:
        digits.append(value & 127 | 128)
        value >>= 7
    return bytes([*digits, value])


def as_plain(frames):
    """The frames of a plain whole save that says what those of a packed one or of a log file say."""
    events, commits = Events(), []
    for kind, payload in frames:
        if kind == SEGMENT:
            events.segments.append(payload)
        elif kind == COMMIT:
            commits.append(list(plain_commit(events, payload)))
        else:
            yield kind, payload
    for records in commits:
        for _, _, segments in records:
            yield from ((SEGMENT, segment) for segment in segments)
        ended = any(kind == END for kind, _, _ in records)
        last = number(END) + number(0) if records is commits[-1] and not ended else b""
        yield COMMIT, bytes(4) + b"".join(number(kind) + number(len(body)) + body for kind, body, _ in records) + last


def plain_commit(events, payload):
    """The kind, body and segments of each record."""
    for kind, body in records_of(payload):
        if kind == EVENTS:
            segments = events.happened(body)
            yield kind, number(0) + number(len(segments)), segments
        elif kind in (QUEUE, KEPT):
            body.number(), body.number()
            if kind == KEPT:
                body.take(body.number())
            before, segments = body.data[: body.at], events.waiting(body)
            yield kind, before + number(0) * len(segments), segments
        elif kind == SHAPES:
            events.shapes.clear()
        else:
            rest = body.rest()
            if kind != POSITION:
                yield kind, rest, []
