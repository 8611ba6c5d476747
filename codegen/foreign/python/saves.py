"""Many events as a table: of one game, or of the saves of a folder."""

import ctypes
import heapq
import operator
import os
from typing import NamedTuple, Optional

from . import numbers, structs, tables
from .game import RECOVER, _path
from .library import CError, CRow, Error

_HEADER = ctypes.sizeof(CRow)
_COLUMNS = {name: ({ctypes.c_uint32: "I", ctypes.c_int32: "i", ctypes.c_uint64: "Q"}[kind], getattr(CRow, name).offset)
            for name, kind in CRow._fields_ if name != "table"}
NO_CAUSE = 0xFFFFFFFF


class Row(NamedTuple):
    """An event of a table."""
    file: int  # Number of its file in `Table.files`.
    event: int  # Number of the event in its game.
    player: int  # Who submitted it; -1: no player.
    cause: Optional[int]  # Number of the event that submitted it.
    rules_version: int
    flags: int
    fields: tuple  # Its value: a PTake, say.


class Refused(NamedTuple):
    """A file that is no save of this game, or is damaged."""
    path: str
    error: Error


class Rows:
    """The events of one type, ordered by file and event number: a sequence of rows, and columns."""

    def __init__(self, table):
        self._table = table
        self._data = bytearray()
        self._view = None
        self._values = []  # Of a type whose events refer to strings and the like: those lie elsewhere.
        self.stride = _HEADER + (table.size + 7) // 8 * 8

    def _add(self, data):
        """Rows that the library has written; what they refer to is there only now."""
        self._data += data
        if not self._table.is_flat:
            for address in data.cast("Q")[::self.stride // 8]:
                self._values.append(self._table.decode(tables.memory_at(address)))

    def _end(self):
        self._view = memoryview(bytes(self._data))
        self._data = None

    def __len__(self):
        return len(self._view) // self.stride

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError("there are %d events of this type, and so no number %d" % (len(self), index))
        start = place * self.stride
        row = CRow.from_buffer_copy(self._view, start)
        fields = self._table.decode(self._view, start + _HEADER) if self._table.is_flat else self._values[place]
        return Row(row.file, row.event, row.player, None if row.cause == NO_CAUSE else row.cause, row.rules_version,
                   row.flags, fields)

    def column(self, name):
        """A column: "file", "event", "player", "cause" (4294967295: none), "rules_version", "flags", or a field, such as "heap",
        or "point.x" of a struct; ".event" is a field of that name. Numbers are a memoryview, which copies nothing, and which
        array.array, NumPy and others take. Of what is no number, or may be absent, the column is a list."""
        if name in _COLUMNS:
            number_format, offset = _COLUMNS[name]
            return self._numbers(number_format, offset)
        first, _, rest = name.lstrip(".").partition(".")
        field = next((each for each in self._table.fields if each.name == first), None)
        if field is None:
            raise KeyError("%s has no %s; there are %s" % (
                self._table.name, name, ", ".join(list(_COLUMNS) + [each.name for each in self._table.fields])))
        if field.kind == tables.STRUCT and rest:
            return structs.column(self._view, field.of, rest, _HEADER + field.offset, self.stride)
        if field.kind == tables.SCALAR and not field.has and not rest:
            return self._numbers(field.of, _HEADER + field.offset)
        if rest:
            raise KeyError("%s has no %s" % (self._table.name, name))
        take = operator.attrgetter(first)
        return [take(row.fields) for row in self] if self._table.is_flat else [take(each) for each in self._values]

    def _numbers(self, number_format, offset):
        size = numbers.SIZES[number_format]
        return self._view.cast(number_format)[offset // size::self.stride // size]

    def numpy(self):
        """The rows as a structured array of NumPy, which copies nothing: file, event, player, cause, rules_version, flags, and
        the fields that are numbers and structs; a field with the name of one of the first has an underscore behind it."""
        header = [(name, number_format, offset, 0) for name, (number_format, offset) in _COLUMNS.items()]
        fields = [(each.name + "_" if each.name in _COLUMNS else each.name, each.of, _HEADER + each.offset, 0)
                  for each in self._table.fields if each.kind in (tables.SCALAR, tables.STRUCT)]
        import numpy

        return structs.array(self._view, numpy.dtype(structs.dtype_of(header + fields, self.stride)))


class Table:
    """Events by type: `table[nim.PTake].column("heap")`. Iterating over it gives all rows, ordered by file and event."""

    def __init__(self, library):
        self._library = library
        self._rows = {each.table.python: Rows(each.table) for each in library.events if each}
        self._counts = (ctypes.c_uint32 * len(library.events))()
        self._buffer = bytearray(1 << 16)
        self.files = []  # Paths, by number.
        self.refused = []  # Files that could not be read: Refused.

    def _add(self, timeline):
        """The events of a timeline."""
        call, place = self._library.c.kifu__foreign_rows, (ctypes.c_char * len(self._buffer)).from_buffer(self._buffer)
        needed = call(timeline, len(self.files), self._counts, place, len(self._buffer))
        if needed > len(self._buffer):
            self._buffer = bytearray(2 * needed)
            place = (ctypes.c_char * len(self._buffer)).from_buffer(self._buffer)
            call(timeline, len(self.files), self._counts, place, len(self._buffer))
        start, view = 0, memoryview(self._buffer)
        for kind, count in zip(self._library.events, self._counts):
            if count:
                rows = self._rows[kind.table.python]
                rows._add(view[start:start + count * rows.stride])
                start += count * rows.stride

    def _end(self):
        self._buffer = None
        for each in self._rows.values():
            each._end()
        return self

    def __getitem__(self, event):
        try:
            return self._rows[event]
        except (KeyError, TypeError):
            raise KeyError("%r is no event of this game" % (event,)) from None

    def __len__(self):
        return sum(map(len, self._rows.values()))

    def __iter__(self):
        return heapq.merge(*self._rows.values(), key=operator.itemgetter(0, 1))

    def __repr__(self):
        return "<%d events of %d files>" % (len(self), len(self.files))


def read_saves(library, paths, recover=False):
    """The events of many saves and log files, without playing them: of a folder all `*.kifu`, or a list of paths. A file that
    cannot be read is in `refused` of the table, with its error. `recover`: reads what is good in a damaged file."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        paths = sorted(each.path for each in os.scandir(paths) if os.fsdecode(each.name).endswith(".kifu"))
    table = Table(library)
    save, error = ctypes.c_void_p(), CError()
    for path in paths:
        if library.c.kifu__foreign_read(library.rules, _path(path), RECOVER if recover else 0, ctypes.byref(save),
                                        ctypes.byref(error)):
            table.refused.append(Refused(os.fsdecode(path), library.error(error)))
            continue
        try:
            table._add(save)
        finally:
            library.c.kifu_close_save(save)
        table.files.append(os.fsdecode(path))
    return table._end()


def of_game(game):
    """The events of one game."""
    table = Table(game._library)
    table._add(game._open)
    table.files.append("")
    return table._end()
