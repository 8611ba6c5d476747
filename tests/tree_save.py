"""A reader of whole trees in plain, packed and log files, written from schema/FORMAT.md, with no line of Kifu's. Its
events are those of the game `tally`."""

import struct

import log_save
from event_rows import segment_of
from log_save import COMMIT, frame_ends, records_of, scalar, vector
from packed_save import field, follow
from save_frames import LINE, NOTES, OF_LINE, PENDING, REWIND, ROOT, SEGMENT, SNAPSHOT, read_frames, unpack
from tally_events import Waiting, events_of

MAIN = 1  # a flag of a line


# --- Lines -----------------------------------------------------------------------------------------------------------


class Line:
    """`events`: all up to its end, its ancestors' included. `kept`: what waits by its place, behind one of its own
    events."""

    def __init__(self, parent, start, events):
        self.parent, self.start, self.events, self.kept, self.left = parent, start, events, {}, start


class Tree:
    def __init__(self):
        self.begin, self.lines, self.current, self.main, self.notes = 0, {0: Line(0, 0, [])}, 0, 0, {}
        self.executed, self.waiting = 0, Waiting()
        self.frames_of = None  # in a whole save: the line whose frames follow

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


# --- Log files -------------------------------------------------------------------------------------------------------


class Log:
    """What records do to a tree. It stands in a line, after so many events."""

    def __init__(self, tree):
        self.tree, self.shapes, self.next = tree, [], 1
        self.line, self.count = 0, tree.begin
        tree.lines[0].left = 0

    def commit(self, payload):
        for kind, body in records_of(payload):
            READERS[kind](self, body)
            assert not body.more()

    def position(self, body):
        body.take(8), body.number(), body.take(4)

    def forget_shapes(self, body):
        """It has no body."""
        self.shapes.clear()

    def events_in(self, body):
        return list(events_of(segment_of(self.shapes, body))) if body.more() else []

    def stand(self, body):
        self.line, self.count = body.number(), body.number()

    def cut(self, body):
        """It has no body."""
        tree, line = self.tree, self.tree.lines[self.line]
        others = [other.start for other in tree.lines.values() if other is not line and other.parent == self.line]
        assert max(others, default=0) <= self.count >= line.start
        del line.events[self.count - tree.begin :]
        line.kept = {place: waiting for place, waiting in line.kept.items() if place <= self.count}
        tree.notes = {(id, event, key): note for (id, event, key), note in tree.notes.items()
                      if id != self.line or event < self.count or event == -1}

    def events(self, body):
        self.cut(body)
        events = self.events_in(body)
        self.tree.lines[self.line].events += events
        self.count += len(events)

    def hashes(self, body):
        line, count = self.tree.lines[self.line], 0
        while body.more():
            more = body.number()
            count += more
            assert more and line.start < count <= self.tree.begin + len(line.events)
            body.take(8)

    def queue(self, body):
        waiting = self.tree.waiting
        for queue in waiting.inputs, waiting.consequences:
            gone = body.number()
            assert gone <= len(queue)
            del queue[:gone]
        waiting.add(self.events_in(body))

    def actions(self, body):
        body.rest()

    def kept(self, body):
        line, place = self.tree.lines[body.number()], body.number()
        body.take(body.number())  # actions that are set
        waiting = self.events_in(body)
        assert place <= self.tree.begin + len(line.events)
        line.kept.pop(place, None)
        if waiting:
            line.kept[place] = Waiting(waiting)

    def branch(self, body):
        id, parent, start = body.number(), body.number(), body.number()
        if id == parent:
            assert self.tree.lines.keys() == {0} and not self.tree.lines[0].events
            self.tree.lines, self.tree.main = {}, id
        assert id not in self.tree.lines and id >= parent
        events = self.tree.lines[parent].events[: start - self.tree.begin] if id != parent else []
        self.tree.lines[id] = Line(parent, start, events)
        self.tree.lines[id].left = 0
        self.next = max(self.next, id + 1)
        self.line, self.count = id, start

    def lose(self, id):
        assert all(line.parent != id for line in self.tree.lines.values())
        del self.tree.lines[id]
        self.tree.notes = {place: note for place, note in self.tree.notes.items() if place[0] != id}

    def returned(self, body):
        first = body.number()
        assert 0 < first <= self.next
        for id in sorted(self.tree.lines, reverse=True):
            if id >= first:
                self.lose(id)
        self.next = first

    def deleted(self, body):
        self.lose(body.number())

    def left(self, body):
        line = self.tree.lines[body.number()]
        line.left = body.number()
        assert line.left <= self.tree.begin + len(line.events)

    def main(self, body):
        self.tree.main, next = body.number(), body.number()
        assert self.tree.main in self.tree.lines and next >= self.next
        self.next = next

    def begun(self, body):
        body.number()

    def note(self, body):
        self.note_at(body.number(), body.number() - 1, body)

    def note_at(self, line, event, body):
        kind, key, value = body.number(), body.take(body.number()).decode(), body.rest()
        self.tree.notes.pop((line, event, key), None)
        if kind:
            self.tree.notes[line, event, key] = value.decode() if kind == 1 else value

    def hash(self, body):
        tree = self.tree
        tree.current, tree.executed = self.line, self.count
        assert tree.begin <= self.count <= tree.begin + len(tree.lines[self.line].events)
        body.take(8)
        body.rest()  # the state


READERS = dict(enumerate((Log.stand, Log.events, Log.cut, Log.hashes, Log.queue, Log.actions, Log.kept, Log.branch,
                          Log.returned, Log.deleted, Log.left, Log.main, Log.begun, Log.note, Log.hash,
                          Log.position, Log.forget_shapes), 1))


class Way(Log):
    """What records do to the one line of a reader without variations. `commits` is read twice."""

    def __init__(self, tree, commits):
        super().__init__(tree)
        self.born = {0: 0}  # the record `branch` by which a line began last
        self.find(commits)
        self.born = {0: 0}
        for number, kind, body in commits():
            self.take(number, kind, body)
        tree.executed = self.count

    def find(self, commits):
        """`until`: of each line on the way, where the next one begins."""
        lines, line = {0: (0, 0)}, 0
        for number, kind, body in commits():
            if kind == log_save.STAND:
                line = body.number()
            elif kind == log_save.BRANCH:
                line, parent, start = body.number(), body.number(), body.number()
                lines = {} if line == parent else lines
                lines[line], self.born[line] = (parent, start), number
            elif kind in (log_save.RETURNED, log_save.DELETED):
                gone = body.number()
                lines = {id: lines[id] for id in lines if id < gone or (id > gone and kind == log_save.DELETED)}
        self.until, end = {(line, self.born[line]): 2**32}, 2**32
        while lines[line][0] != line:
            line, end = lines[line][0], min(end, lines[line][1])
            self.until[line, self.born[line]] = end

    def end_of(self, line):
        """Up to where a line is on the way; -1: it is not."""
        return self.until.get((line, self.born.get(line)), -1)

    def drop(self):
        tree, line, until = self.tree, self.tree.lines[0], self.end_of(self.line)
        if self.count < until:
            del line.events[self.count - tree.begin :]
            line.kept = {place: waiting for place, waiting in line.kept.items() if place <= self.count}
            tree.notes = {place: note for place, note in tree.notes.items() if place[1] < self.count}

    def take(self, number, kind, body):
        tree, line = self.tree, self.tree.lines[0]
        if kind == log_save.STAND:
            self.line, self.count = body.number(), body.number()
        elif kind == log_save.CUT:
            self.drop()
        elif kind == log_save.EVENTS:
            events = self.events_in(body)
            self.drop()
            line.events += events[: max(self.end_of(self.line) - self.count, 0)]
            self.count += len(events)
        elif kind == log_save.SHAPES:
            self.shapes.clear()
        elif kind == log_save.QUEUE:
            self.queue(body)
        elif kind == log_save.KEPT:
            id, place = body.number(), body.number()
            body.take(body.number())
            waiting = self.events_in(body)
            if place <= self.end_of(id):
                line.kept.pop(place, None)
                line.kept.update({place: Waiting(waiting)} if waiting else {})
        elif kind == log_save.BRANCH:
            self.line, _, self.count = body.number(), body.number(), body.number()
            self.born[self.line] = number
        elif kind == log_save.NOTE:
            id, event = body.number(), body.number() - 1
            if id == 0 if event == -1 else event < self.end_of(id):
                self.note_at(0, event, body)


# --- Files -----------------------------------------------------------------------------------------------------------

LINE_FIELDS = "id", "parent", "from", "count", "flags", "next", "left"


def take(tree, kind, payload):
    if kind == ROOT:
        tree.begin = tree.executed = tree.lines[0].start = scalar(payload, 0)
    elif kind == LINE:
        tree.take_line({name: scalar(payload, i) for i, name in enumerate(LINE_FIELDS)})
    elif kind in (SEGMENT, OF_LINE + SEGMENT):
        tree.take_events(events_of(payload))
    elif kind in (REWIND, OF_LINE + REWIND):
        tree.rewind(scalar(payload, 0))
    elif kind in (PENDING, OF_LINE + PENDING):
        tree.waiting = Waiting(events_of(payload))
    elif kind == NOTES:
        tree.take_notes(payload)
    elif kind == SNAPSHOT:
        assert scalar(payload, 0) == tree.executed


def read_tree(save):
    tree, log = Tree(), None
    for kind, payload in unpack(read_frames(save, struct.unpack_from("<I", save, 8)[0])):
        if kind == COMMIT:
            log = log or Log(tree)
            log.commit(payload)
        else:
            take(tree, kind, payload)
    tree.end()
    return tree


def read_line(save):
    """Of a log file, what a reader without variations has."""
    tree, commits = Tree(), []
    for kind, payload in read_frames(save, 3):
        if kind == COMMIT:
            commits.append(payload)
        else:
            take(tree, kind, payload)

    def records():
        number = 0
        for payload in commits:
            for kind, body in records_of(payload):
                number += 1
                yield number, kind, body

    Way(tree, records)
    return tree


def read_log(log):
    """Of a log file, as much as has come."""
    return read_tree(log[: frame_ends(log)[-1]])
