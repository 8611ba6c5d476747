"""A reader of whole trees in plain, packed and log files, written from schema/FORMAT.md, with no line of Kifu's. Its
events are those of the game `tally`."""

import struct

from packed_save import scalar
from records import BRANCH, DELETED, END, HASH, POSITION, RETURNED, STAND, TREE, Events, records_of
from save_frames import COMMIT, ROOT, SEGMENT, read_frames, unpack
from tally_events import Waiting, events_of


class Line:
    """`events`: all up to its end, its ancestors' included. `kept`: what waits by its place, behind one of its own
    events."""

    def __init__(self, parent, start, events):
        self.parent, self.start, self.events, self.kept, self.left = parent, start, events, {}, 0

    def cut(self, begin, count):
        del self.events[count - begin :]
        self.kept = {place: waiting for place, waiting in self.kept.items() if place <= count}


class Tree:
    def __init__(self):
        self.begin, self.lines, self.current, self.main, self.notes = 0, {0: Line(0, 0, [])}, 0, 0, {}
        self.executed, self.waiting = 0, Waiting()

    def end(self, id):
        return self.begin + len(self.lines[id].events)

    def path(self, id):
        """The lines from the first one to this, each with the place where the next one begins."""
        path, end = [], 2**32
        while True:
            line = self.lines[id]
            path.insert(0, (line, end))
            if line.parent == id:
                return path
            id, end = line.parent, min(end, line.start)

    def kept(self, id):
        """On the way to the end of a line."""
        found = {}
        for line, end in self.path(id):
            found.update((place, waiting) for place, waiting in line.kept.items() if place <= end)
        return found

    def shared(self, id):
        """How many events the current line and another one have in common."""
        other, shared = self.current, 2**32
        while id != other:
            if id > other:
                id, other = other, id
            shared, other = min(shared, self.lines[other].start), self.lines[other].parent
        return shared


class Reader:
    """What commits do to a tree. It stands in a line, after so many events."""

    def __init__(self, is_log=False):
        self.tree, self.source, self.next, self.line, self.count = Tree(), Events(), 1, 0, 0
        self.is_log = is_log

    def root(self, count):
        self.tree.begin = self.tree.executed = self.tree.lines[0].start = self.count = count

    def commit(self, payload):
        """Returns the kind of the last record."""
        for kind, body in records_of(payload):
            getattr(self, RECORDS[kind])(body)
        assert not self.source.segments
        self.arrive()
        return kind

    def arrive(self):
        self.tree.current, self.tree.executed = self.line, self.count
        assert self.tree.begin <= self.count <= self.tree.end(self.line)

    def nothing(self, body):
        """It has no body."""

    def position(self, body):
        body.take(8), body.number(), body.take(4)

    def shapes(self, body):
        """It has no body."""
        self.source.shapes.clear()

    def waiting(self, body):
        return [event for segment in self.source.waiting(body) for event in events_of(segment)]

    def stand(self, body):
        self.line, self.count = body.number(), body.number()

    def cut(self, body):
        """It has no body."""
        tree, line = self.tree, self.tree.lines[self.line]
        others = [other.start for other in tree.lines.values() if other is not line and other.parent == self.line]
        assert max(others, default=0) <= self.count >= line.start
        line.cut(tree.begin, self.count)
        tree.notes = {(id, event, key): note for (id, event, key), note in tree.notes.items()
                      if id != self.line or event < self.count or event == -1}

    def events(self, body):
        self.cut(body)
        for segment in self.source.happened(body):
            events = list(events_of(segment))
            self.tree.lines[self.line].events += events
            self.count += len(events)

    def hashes(self, body):
        line, count = self.tree.lines[self.line], 0
        while body.more():
            more = body.number()
            count += more
            assert more and line.start < count <= self.tree.end(self.line)
            body.take(8)

    def queue(self, body):
        waiting = self.tree.waiting
        for queue in waiting.inputs, waiting.consequences:
            gone = body.number()
            assert gone <= len(queue)
            del queue[:gone]
        waiting.add(self.waiting(body))

    def actions(self, body):
        body.rest()

    def kept(self, body):
        id, place = body.number(), body.number()
        body.take(body.number())  # actions that are set
        waiting, kept = self.waiting(body), self.tree.lines[id].kept
        assert place <= self.tree.end(id)
        kept.pop(place, None)
        if waiting:
            kept[place] = Waiting(waiting)

    def branch(self, body):
        id, parent, start = body.number(), body.number(), body.number()
        if id == parent:
            assert self.tree.lines.keys() == {0} and not self.tree.lines[0].events
            self.tree.lines, self.tree.main = {}, id
        assert id not in self.tree.lines and id >= parent
        assert not self.is_log or id >= self.next
        events = self.tree.lines[parent].events[: start - self.tree.begin] if id != parent else []
        self.tree.lines[id] = Line(parent, start, events)
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
        id = body.number()
        self.tree.lines[id].left = body.number()
        assert self.tree.lines[id].left <= self.tree.end(id)

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
        assert self.count <= self.tree.end(self.line)
        body.take(8)
        body.rest()  # the state

    def tip(self, body):
        assert body.number() in self.tree.lines
        body.take(8), body.take(8), body.number()


RECORDS = dict(enumerate(("stand", "events", "cut", "hashes", "queue", "actions", "kept", "branch", "returned",
                          "deleted", "left", "main", "begun", "note", "hash", "position", "shapes", "tip", "nothing"), 1))


class Way(Reader):
    """What commits do to the one line of a reader without variations. It finds the way in those of `payloads`."""

    def __init__(self, payloads):
        super().__init__()
        self.begins = 0  # how many records `branch` there were,
        self.born = {0: 0}  # and by which of them a line began last
        self.find(payloads)
        self.begins, self.born = 0, {0: 0}

    def find(self, payloads):
        """`until`: of each line on the way, where the next one begins."""
        lines, line, next = {0: (0, 0)}, 0, 1
        for kind, body in (record for payload in payloads for record in records_of(payload)):
            if kind == STAND:
                line = body.number()
            elif kind == BRANCH:
                line, parent, start = body.number(), body.number(), body.number()
                assert next <= line and (line != parent or lines == {0: (0, 0)})
                next = line + 1
                lines = {} if line == parent else lines
                lines[line] = parent, start
                self.begin(line)
            elif kind in (RETURNED, DELETED):
                gone = body.number()
                next = gone if kind == RETURNED else next
                lines = {id: lines[id] for id in lines if id < gone or (id > gone and kind == DELETED)}
            elif kind == TREE:
                _, next = body.number(), body.number()
            body.rest()
        self.until, end = {(line, self.born[line]): 2**32}, 2**32
        while lines[line][0] != line:
            line, end = lines[line][0], min(end, lines[line][1])
            self.until[line, self.born[line]] = end

    def begin(self, line):
        self.begins += 1
        self.born[line] = self.begins

    def end_of(self, line):
        """Up to where a line is on the way; -1: it is not."""
        return self.until.get((line, self.born.get(line)), -1)

    def arrive(self):
        self.tree.executed = self.count

    def cut(self, body):
        if self.count < self.end_of(self.line):
            self.tree.lines[0].cut(self.tree.begin, self.count)
            self.tree.notes = {place: note for place, note in self.tree.notes.items() if place[1] < self.count}

    def events(self, body):
        self.cut(body)
        for segment in self.source.happened(body):
            events = list(events_of(segment))
            self.tree.lines[0].events += events[: max(self.end_of(self.line) - self.count, 0)]
            self.count += len(events)

    def kept(self, body):
        id, place = body.number(), body.number()
        body.take(body.number())
        waiting, kept = self.waiting(body), self.tree.lines[0].kept
        if place <= self.end_of(id):
            kept.pop(place, None)
            kept.update({place: Waiting(waiting)} if waiting else {})

    def branch(self, body):
        self.line, _, self.count = body.number(), body.number(), body.number()
        self.begin(self.line)

    def note(self, body):
        id, event = body.number(), body.number() - 1
        if id == 0 if event == -1 else event < self.end_of(id):
            self.note_at(0, event, body)
        else:
            body.rest()

    def skip(self, body):
        body.rest()

    hashes = returned = deleted = left = main = begun = hash = tip = skip


# --- Files -----------------------------------------------------------------------------------------------------------


def read_with(reader, frames):
    """Returns the kind of the last record."""
    last = None
    for kind, payload in frames:
        assert last != END
        if kind == ROOT:
            reader.root(scalar(payload, 0))
        elif kind == SEGMENT:
            reader.source.segments.append(payload)
        elif kind == COMMIT:
            last = reader.commit(payload)
    assert not reader.source.segments
    return last


def read_whole(save):
    """The reader of a whole save."""
    reader = Reader()
    assert read_with(reader, unpack(read_frames(save))) == END
    return reader


def read_tree(save):
    return read_whole(save).tree


def read_line_of_save(save):
    """What a reader without variations has: the first commit leads to where the game is."""
    frames = list(unpack(read_frames(save)))
    reader = Way([next(payload for kind, payload in frames if kind == COMMIT)])
    assert read_with(reader, frames) == END
    return reader.tree


def frame_ends(log):
    """Where each frame ends that is there as a whole."""
    at, ends = 16, []
    while at + 16 <= len(log):
        at += 16 + (struct.unpack_from("<I", log, at)[0] + 7) // 8 * 8
        if at > len(log):
            break
        ends.append(at)
    return ends


def read_commits(log, reader_of):
    """What becomes of the commits of a log file that are there as a whole."""
    frames = read_frames(log[: frame_ends(log)[-1]])
    commits = [payload for kind, payload in frames if kind == COMMIT]
    assert not commits or next(records_of(commits[0]))[0] == POSITION
    reader = reader_of(commits)
    assert read_with(reader, frames) in (HASH, None)
    return reader.tree


def read_log(log):
    return read_commits(log, lambda commits: Reader(is_log=True))


def read_line_of_log(log):
    """The same: all commits together lead there."""
    return read_commits(log, Way)
