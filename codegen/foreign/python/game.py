"""A game in Python: a timeline, its events, its states."""

import ctypes
import os
from typing import NamedTuple, Optional

from . import numbers, structs, tables
from .library import REACTION, CError, CEvent, CLine, CMove, CMoves, Error, Library, Rejected

VARIATIONS, NOTES, FAST, ALLOW_CHANGED, RECOVER, OVERWRITE, PACKED = (1 << each for each in range(7))
PRESENT = 0xFFFFFFFF


class Event(NamedTuple):
    """An event that happened."""
    index: int  # Its number.
    player: int  # Who submitted it; -1: no player.
    cause: Optional[int]  # Number of the event that submitted it.
    flags: int  # KIFU_UNDOABLE (1) and the flags after it.
    rules_version: int  # Under which it was recorded.
    fields: tuple  # Its value: a PTake, say.


class Line(NamedTuple):
    """A line of a game with variations: see kifu/variations.h."""
    id: int
    parent: int
    first: int  # Number of its first event.
    count: int  # How many events of its own it has.
    main: bool
    current: bool


class Type:
    """An event type: its table, and the C functions that take one."""

    def __init__(self, table, number, functions, is_player):
        self.table = table
        self.number = number
        self.functions = functions  # By verb: submit, play, try, try_legal, can.
        self.is_player = is_player

    def bind(self, library):
        first = [ctypes.c_void_p] + ([ctypes.c_int] if self.is_player else []) + [ctypes.c_void_p]
        for verb, name in self.functions.items():
            function = getattr(library.c, name)
            function.argtypes = first
            function.restype = {"submit": ctypes.c_uint32, "can": ctypes.c_bool}.get(verb, ctypes.c_int)
            self.functions[verb] = function


class Game:
    """One game. Close it, or let Python do so. What it gave stays valid then: events and states are values."""

    _library: Library = None
    _timeline = None

    def __init__(self, seed=0, variations=False, notes=False):
        """An empty game: play a reset_game, players, and so on, as in C. `seed`: of the random numbers; 0: a new one.
        `variations`: undone events stay as variations; `notes`: notes at events are kept."""
        seed = numbers.checked(seed, "Q", "seed")
        self._begin("kifu__foreign_create", self._library.rules, _flags(variations, notes), seed)

    @classmethod
    def load(cls, path, variations=False, notes=False, fast=False, allow_changed=False, recover=False):
        """The game of a save or a log file: see kifu_load. `fast`, `allow_changed` and `recover` are as in
        kifu_load_options."""
        game = cls.__new__(cls)
        game._begin("kifu__foreign_load", cls._library.rules, _path(path), None, 0,
                    _flags(variations, notes, fast, allow_changed, recover))
        return game

    @classmethod
    def from_bytes(cls, data, variations=False, notes=False, fast=False, allow_changed=False, recover=False):
        """The game of a save in memory."""
        data = bytes(memoryview(data))
        game = cls.__new__(cls)
        game._begin("kifu__foreign_load", cls._library.rules, None, data, len(data),
                    _flags(variations, notes, fast, allow_changed, recover))
        return game

    def _begin(self, call, *arguments):
        self._raised = None
        self._reactions = []
        timeline, error = ctypes.c_void_p(), CError()
        if getattr(self._library.c, call)(*arguments, ctypes.byref(timeline), ctypes.byref(error)):
            raise self._library.error(error)
        self._timeline = timeline.value

    # --- Its life --------------------------------------------------------------------------------------------------------

    @property
    def _open(self):
        if not self._timeline:
            raise Error("the game is closed")
        return self._timeline

    def close(self):
        """Frees the game. Every call afterwards raises an Error; closing it again does nothing."""
        if self._timeline:
            if self._library.c.kifu_is_running(self._timeline):
                raise Error("a function that an event calls cannot close its game")
            self._library.c.kifu_destroy(self._timeline)
            self._timeline = None

    def __del__(self):
        if self._timeline and not self._library.c.kifu_is_running(self._timeline):
            self._library.c.kifu_destroy(self._timeline)
            self._timeline = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __reduce__(self):
        raise TypeError("a game is no value to copy or to pickle: use fork(), or to_bytes() and from_bytes()")

    def __repr__(self):
        if not self._timeline:
            return "<a game that is closed>"
        return "<a game of %d events>" % self._library.c.kifu_event_count(self._timeline)

    def _done(self, result):
        """Raises what a call has reported: an exception of a function that it called comes first."""
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        if result:
            raise self._library.error(self._library.c.kifu_last_error(self._timeline).contents)

    # --- Playing ---------------------------------------------------------------------------------------------------------

    def _call(self, verb, event, player):
        kind = self._library.by_class.get(type(event))
        if kind is None:
            raise TypeError("%r is no event of this game" % (event,))
        if verb not in kind.functions:
            raise TypeError("%s has no check: it cannot be asked for" % kind.table.name)
        if kind.is_player and player is None:
            raise TypeError("%s is an event of a player: say which, player=0" % kind.table.name)
        if not kind.is_player and player is not None:
            raise TypeError("%s is no event of a player: leave player out" % kind.table.name)
        kept = []
        args = kind.table.encode(event, kept)
        who = [numbers.checked(player, "i", "player")] if kind.is_player else []
        return kind.functions[verb](self._open, *who, ctypes.addressof(args))

    def play(self, event, player=None):
        """Submits an event, and runs it with all that follows from it: `game.play(nim.PTake(heap=3, count=6), player=1)`.
        Raises Rejected if the rules refuse it."""
        self._done(self._call("play", event, player))

    def submit(self, event, player=None):
        """Submits an event; `run` lets it happen."""
        if not self._call("submit", event, player):
            if self._library.c.kifu_is_running(self._timeline):
                raise self._library.error(self._library.c.kifu_last_error(self._timeline).contents)
            self._done(self._library.c.kifu_update(self._timeline, 0))

    def run(self):
        """Runs until nothing waits. Raises at the first event that does not happen; the rest waits on."""
        self._done(self._library.c.kifu_run(self._open))

    def step(self):
        """Runs one event."""
        self._done(self._library.c.kifu_step(self._open))

    def drop_inputs(self):
        """Drops the inputs that wait."""
        self._done(self._library.c.kifu_drop_inputs(self._open))

    def can(self, event, player=None):
        """Whether an event may be played now."""
        return self._call("can", event, player)

    def why_not(self, event, player=None):
        """Why it may not be played, in words for a player; None if it may."""
        try:
            with self.trying(event, player):
                return None
        except Rejected as error:
            return error.reason

    def trying(self, event, player=None):
        """Tries an event: `with game.trying(event, player=0): …` sees the game as it is then, and takes the event back."""
        return _Try(self, event, player)

    def moves(self, player):
        """The moves that a player may play now, of the events that are `(listed)`: events for `play`."""
        player = numbers.checked(player, "i", "player")
        found = CMoves()
        try:
            self._done(self._library.c.kifu_list_moves(self._open, player, ctypes.byref(found)))
            items = (CMove * found.count).from_address(found.items) if found.count else ()
            return [self._library.events[each.type].table.decode(tables.memory_at(each.table)) for each in items]
        finally:
            self._library.c.kifu_free_moves(ctypes.byref(found))

    def react(self, function):
        """Calls `function(game, event)` after each new event, also after those of a try. It may `submit`. If it raises, the
        event is taken back as if its Do had failed, and the call that played raises that exception."""
        def react(_context, _timeline, _state, event):
            try:
                function(self, self._event(event.contents))
                return 0
            except BaseException as error:  # Goes on behind the C.
                self._raised = error if self._raised is None else self._raised
                text = ("%s: %s" % (type(error).__name__, error)).encode("utf-8", "replace").replace(b"\0", b"?")
                return self._library.c.kifu_fail(self._timeline, text)

        if not callable(function):
            raise TypeError("%r is no function" % (function,))
        kept = REACTION(react)
        self._done(self._library.c.kifu__foreign_react(self._open, kept, None))
        self._reactions.append(kept)

    # --- History ---------------------------------------------------------------------------------------------------------

    def undo(self):
        """Takes back the last move, with the events that it caused."""
        self._done(self._library.c.kifu_undo(self._open))

    def redo(self):
        """Brings back what was undone last."""
        self._done(self._library.c.kifu_redo(self._open))

    @property
    def can_undo(self):
        """How many events undo would take back."""
        return self._library.c.kifu_can_undo(self._open, None)

    @property
    def can_redo(self):
        """How many events redo would bring back."""
        return self._library.c.kifu_can_redo(self._open, None)

    def seek(self, count=None):
        """Shows the game as it was after its first `count` events; None: the present."""
        self._done(self._library.c.kifu_seek(self._open, _count(count)))

    def go_to(self, line, count=None, force=False):
        """Goes to a line, after its first `count` events; None: where it was left. `force`: also past events that may not be
        undone."""
        self._done(self._library.c.kifu_go_to(self._open, numbers.checked(line, "I", "line"), _count(count), bool(force)))

    @property
    def lines(self):
        """All lines, in the order of their numbers."""
        found, line = [], CLine()
        for place in range(self._library.c.kifu_line_count(self._open)):
            self._library.c.kifu_line_at(self._timeline, place, ctypes.byref(line))
            found.append(Line(line.id, line.parent, line.from_, line.count, line.main, line.current))
        return found

    def line_event(self, line, index):
        """Event number `index` of a line, also if it is undone."""
        event = CEvent()
        if not self._library.c.kifu_line_event(self._open, numbers.checked(line, "I", "line"),
                                               numbers.checked(index, "I", "index"), ctypes.byref(event)):
            raise IndexError("line %d has no event %d" % (line, index))
        return self._event(event)

    def fork(self, count=None):
        """A game of its own, from the first `count` events; None: from all, and what waits."""
        game = type(self).__new__(type(self))
        game._begin("kifu_fork", self._open, _count(count), None)
        return game

    def verify(self):
        """Executes the whole log again, and compares: raises an Error if the game is not what its log says."""
        self._done(self._library.c.kifu_verify_replay(self._open, None))

    # --- Looking ---------------------------------------------------------------------------------------------------------

    @property
    def state(self):
        """The state that is shown: a copy."""
        place = self._library.c.kifu_state(self._open)
        return self._library.state._restored(ctypes.string_at(place, self._library.state._size))

    def state_at(self, count):
        """The state after the first `count` events."""
        data = ctypes.create_string_buffer(self._library.state._size)
        self._done(self._library.c.kifu_state_at(self._open, _count(count), data, len(data)))
        return self._library.state._restored(data.raw)

    def states(self, first=0, count=None):
        """Many states in one block: after the first `first` events, after `first` + 1, and so on; None: to the last."""
        first, last = numbers.checked(first, "I", "first"), self._library.c.kifu_event_count(self._open)
        count = max(last - first + 1, 0) if count is None else numbers.checked(count, "I", "count")
        if first + count > last + 1:
            raise IndexError("there are %d events, and so no state after %d" % (last, first + count - 1))
        data = bytearray(count * self._library.state._size)
        self._done(self._library.c.kifu__foreign_states(self._timeline, first, count, _address(data)))
        return structs.Structs(self._library.state, memoryview(data).toreadonly())

    @property
    def events(self):
        """The events of the current line, as a sequence: `game.events[-1]`."""
        return Events(self)

    def _event(self, event):
        return Event(event.index, event.player, None if event.cause == PRESENT else event.cause, event.flags,
                     event.rules_version, self._library.events[event.type].table.decode(tables.memory_at(event.table)))

    @property
    def position(self):
        """How many events led to the state that is shown."""
        return self._library.c.kifu_position(self._open)

    @property
    def waiting(self):
        """How many events wait for `run`."""
        return self._library.c.kifu_pending_count(self._open)

    @property
    def hash(self):
        """Hash of the state's bytes."""
        return self._library.c.kifu_state_hash(self._open)

    # --- Saves -----------------------------------------------------------------------------------------------------------

    def save(self, path, title=None, packed=False, overwrite=False):
        """Saves the game: see kifu_save."""
        self._done(self._library.c.kifu__foreign_save(self._open, _path(path), _title(title), _save_flags(packed, overwrite),
                                                      None, None))

    def to_bytes(self, title=None, packed=False):
        """A save in memory."""
        place, size = ctypes.c_void_p(), ctypes.c_size_t()
        self._done(self._library.c.kifu__foreign_save(self._open, None, _title(title), _save_flags(packed, False),
                                                      ctypes.byref(place), ctypes.byref(size)))
        try:
            return ctypes.string_at(place, size.value)
        finally:
            self._library.c.kifu_free_bytes(self._timeline, place)


class _Try:
    def __init__(self, game, event, player):
        self._game, self._event, self._player = game, event, player

    def __enter__(self):
        self._game._done(self._game._call("try", self._event, self._player))
        return self._game

    def __exit__(self, *_):
        if self._game._timeline:  # Closed in between, nothing is open.
            self._game._done(self._game._library.c.kifu_take_back(self._game._timeline))


class Events:
    """The events of a game: each is read when it is asked for, so this is of no use after the game is closed."""

    def __init__(self, game):
        self._game = game

    def __len__(self):
        return self._game._library.c.kifu_event_count(self._game._open)

    def __getitem__(self, index):
        count = len(self)
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(count))]
        place = index + count if index < 0 else index
        event = CEvent()
        if not 0 <= place < count or not self._game._library.c.kifu_event_at(self._game._timeline, place, ctypes.byref(event)):
            raise IndexError("the game has no event %d" % index)
        return self._game._event(event)

    def __iter__(self):
        place = self._game._library.c.kifu_first_event(self._game._open)
        while place < len(self):
            yield self[place]
            place += 1

    def __repr__(self):
        return "<%d events>" % len(self)


def _address(data):
    return ctypes.addressof((ctypes.c_char * len(data)).from_buffer(data)) if data else None


def _count(count):
    return PRESENT if count is None else min(numbers.checked(count, "I", "count"), PRESENT - 2)


def _flags(*options):
    return sum(flag for flag, option in zip((VARIATIONS, NOTES, FAST, ALLOW_CHANGED, RECOVER), options) if option)


def _save_flags(packed, overwrite):
    return (PACKED if packed else 0) + (OVERWRITE if overwrite else 0)


def _path(path):
    path = os.fsencode(path)
    if b"\0" in path:
        raise ValueError("a path has no character 0")
    return path


def _title(title):
    return None if title is None else tables._text(title, "title")
