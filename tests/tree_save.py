"""A reader of whole trees in plain, packed and log files, written from schema/FORMAT.md, with no line of Kifu's. Its
events are those of the game `tally`."""

import struct

from log_save import scalar, vector, whole_segment
from packed_save import field, follow
from save_frames import (APPEND, GO, HEADER, LINE, NOTES, OF_LINE, PENDING, REWIND, ROOT, SEGMENT, SNAPSHOT, read_frames,
                         unpack)
from tally_events import Waiting, events_of

MAIN, DELETED, LOGGED, LEFT, UNDONE = 1, 2, 8, 16, 32  # flags of a line


# --- Lines -----------------------------------------------------------------------------------------------------------


class Line:
    """`events`: all up to its end, its ancestors' included. `kept`: what waits by its place, behind one of its own
    events."""

    def __init__(self, parent, start, events):
        self.parent, self.start, self.events, self.kept, self.left = parent, start, events, {}, start


class Tree:
    def __init__(self):
        self.begin, self.lines, self.current, self.main, self.notes = 0, {0: Line(0, 0, [])}, 0, 0, {}
        self.executed, self.waiting, self.vtables, self.rules = 0, Waiting(), b"", 0
        self.frames_of = None  # in a whole save: the line whose frames follow
        self.deleted = set()

    def path(self, id):
        """The lines from the first one to this, each with the place where the next one begins."""
        path, end = [], 2**32
        while True:
            line = self.lines[id]
            path.insert(0, (line, end))
            if line.parent == id:
                return path
            id, end = line.parent, min(end, line.start)

    def owner(self, place):
        """Of the current line and its ancestors, the one whose events lead to a place."""
        if self.frames_of is not None:
            return self.lines[self.current]
        for line, end in self.path(self.current):
            if place <= end:
                return line

    def kept(self, id):
        """On the way to the end of a line."""
        found = {}
        for line, end in self.path(id):
            found.update((place, waiting) for place, waiting in line.kept.items() if place <= end)
        return found

    # What frames do.

    def take_events(self, events):
        line, at = self.lines[self.current], self.executed - self.begin
        for place in [place for place in line.kept if place > self.executed]:
            del line.kept[place]
        self.notes = {(id, event, key): note for (id, event, key), note in self.notes.items()
                      if id != self.current or event < self.executed or event == -1}
        line.events = line.events[:at] + list(events)
        self.executed = self.begin + len(line.events)

    def put_away(self):
        kept = self.owner(self.executed).kept
        kept.pop(self.executed, None)
        if self.waiting.inputs or self.waiting.consequences:
            kept[self.executed] = self.waiting

    def arrive(self, count):
        self.executed, self.waiting = count, Waiting()
        self.owner(count).kept.pop(count, None)

    def rewind(self, count):
        assert self.begin <= count <= self.begin + len(self.lines[self.current].events) and count != self.executed
        self.put_away()
        self.arrive(count)

    def back_to(self, count):
        if count < self.executed:
            self.put_away()
            self.executed = count

    def shared(self, id):
        """How many events the current line and another one have in common."""
        other, shared = self.current, 2**32
        while id != other:
            if id > other:
                id, other = other, id
            shared, other = min(shared, self.lines[other].start), self.lines[other].parent
        return shared

    def go(self, id, count):
        left, old = self.executed, self.current
        self.back_to(min(count, self.shared(id)))
        if id != old:
            self.lines[old].left = left
        self.current = id
        self.arrive(count)

    def take_append(self, payload):
        vtables, events, waiting = vector(payload, 3), vector(payload, 0), vector(payload, 4)
        self.vtables = vtables or self.vtables
        del self.waiting.inputs[: scalar(payload, 5)]
        del self.waiting.consequences[: scalar(payload, 6)]
        if events:
            self.take_events(events_of(whole_segment(events, self.vtables, self.rules)))
        if waiting:
            self.waiting.add(events_of(whole_segment(waiting, self.vtables, self.rules)))

    def take_notes(self, payload):
        (table,) = struct.unpack_from("<I", payload)
        line, bytes, keys = scalar(payload, 0), vector(payload, 3), []
        at, count = follow(field(table, payload, 1), payload)
        for i in range(count):
            place, length = follow(at + 4 * i, payload)
            keys.append(payload[place : place + length].decode())
        at, count = follow(field(table, payload, 2), payload)
        for i in range(count):
            event, key, kind, size = struct.unpack_from("<4I", payload, at + 16 * i)
            self.notes.pop((line, event - 1, keys[key]), None)
            if kind:
                self.notes[line, event - 1, keys[key]] = bytes[:size].decode() if kind == 1 else bytes[:size]
            bytes = bytes[size:]
        assert not bytes

    # Lines of a log file.

    def take_logged_line(self, fields):
        id, flags = fields["id"], fields["flags"]
        if id in self.deleted:
            return
        if id not in self.lines and id == fields["parent"]:
            self.lines = {id: Line(id, self.begin, [])}
            self.current = self.main = id
        elif id not in self.lines:
            self.go(fields["parent"], fields["from"])
            events = self.lines[self.current].events[: fields["from"] - self.begin]
            self.lines[id] = Line(fields["parent"], fields["from"], events)
            self.current = id
        if flags & MAIN:
            self.main = id
        if flags & LEFT:
            self.lines[id].left = fields["left"]
        if flags & DELETED:
            self.delete(id)
        if flags & UNDONE:
            self.begin_undone(id, fields)

    def begin_undone(self, id, fields):
        """The frames that follow tell of what waits in a line, behind the place where the current one leaves it."""
        line = self.lines[id]
        self.before = max(line.start, self.shared(id))
        line.kept = {place: waiting for place, waiting in line.kept.items() if place <= self.before}
        self.stays = self.current, self.executed, self.waiting
        self.current, self.frames_of = id, fields
        self.executed, self.waiting = self.begin + len(line.events), Waiting()

    def end_undone(self):
        self.back_to(self.before)
        self.frames_of = None
        self.current, self.executed, self.waiting = self.stays

    def delete(self, id):
        self.deleted.add(id)
        line = self.lines.pop(id)
        self.main = line.parent if self.main == id else self.main
        self.notes = {place: note for place, note in self.notes.items() if place[0] != id}
        for other in [other for other, line in self.lines.items() if line.parent == id]:
            self.delete(other)

    # Lines of a whole save.

    def take_line(self, fields):
        if self.frames_of is None:
            self.begin_lines(fields)
        else:
            self.end_line()
            self.begin_line(fields)
        if fields["flags"] & MAIN:
            self.main = fields["id"]

    def begin_lines(self, fields):
        """The current line, of which everything is there but its place."""
        id, only = fields["id"], self.lines.pop(self.current)
        self.lines[id] = Line(fields["parent"], fields["from"], only.events)
        self.stays = id, self.executed, self.waiting, only.kept
        self.current, self.frames_of, self.main, self.up = id, fields, None, fields

    def begin_line(self, fields):
        """The events that it shares with the current line, or with its parent, are its first ones."""
        id, parent, self.before = fields["id"], fields["parent"], fields["from"]
        if self.up and self.up["id"] != self.up["parent"]:
            assert id == self.up["parent"]
            parent, self.before, self.up = self.stays[0], self.up["from"], fields
        events = self.lines[parent].events[: self.before - self.begin]
        self.lines[id] = Line(fields["parent"], fields["from"], events)
        self.current, self.frames_of, self.executed, self.waiting = id, fields, self.before, Waiting()

    def end_line(self):
        if self.frames_of["id"] == self.stays[0]:
            return
        line = self.lines[self.current]
        assert self.begin + len(line.events) == self.frames_of["from"] + self.frames_of["count"]
        line.left = max(self.executed, self.frames_of["left"])
        self.back_to(self.before)

    def end(self):
        """The current line is that again, and what waits is kept by the line whose events lead there."""
        if self.frames_of is None:
            return
        self.end_line()
        assert self.up["id"] == self.up["parent"]
        self.main = self.up["id"] if self.main is None else self.main
        self.frames_of = None
        self.current, self.executed, self.waiting, kept = self.stays
        for place, waiting in kept.items():
            self.owner(place).kept[place] = waiting


LINE_FIELDS = "id", "parent", "from", "count", "flags", "next", "left"


def take(tree, kind, payload):
    if tree.frames_of and tree.frames_of["flags"] & UNDONE and kind < OF_LINE:
        tree.end_undone()
    if kind == HEADER:
        tree.rules = scalar(payload, 2)
    elif kind == ROOT:
        tree.begin = tree.executed = tree.lines[0].start = scalar(payload, 0)
    elif kind == LINE:
        fields = {name: scalar(payload, i) for i, name in enumerate(LINE_FIELDS)}
        tree.take_logged_line(fields) if fields["flags"] & LOGGED else tree.take_line(fields)
    elif kind in (SEGMENT, OF_LINE + SEGMENT):
        tree.take_events(events_of(payload))
    elif kind in (REWIND, OF_LINE + REWIND):
        tree.rewind(scalar(payload, 0))
    elif kind in (PENDING, OF_LINE + PENDING):
        tree.waiting = Waiting(events_of(payload))
    elif kind == GO:
        tree.go(scalar(payload, 0), scalar(payload, 1))
    elif kind == APPEND:
        tree.take_append(payload)
    elif kind == NOTES:
        tree.take_notes(payload)
    elif kind == SNAPSHOT:
        assert scalar(payload, 0) == tree.executed


def read_tree(save):
    tree = Tree()
    for kind, payload in unpack(read_frames(save, struct.unpack_from("<I", save, 8)[0])):
        take(tree, kind, payload)
    tree.end()
    return tree
