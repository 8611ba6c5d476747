"""The shared library of a game: found beside the module, compared with it, and called."""

import ctypes
import os

_NAMES = ("lib%s.so", "lib%s.dylib", "lib%s.dll", "%s.dll")


class Error(Exception):
    """A call that the game or Kifu refused. Nothing has changed, unless the comment of that call in C says otherwise."""

    def __init__(self, message, result="KIFU_MISUSE", reason=None, event=None, offset=None):
        super().__init__(message)
        self.result = result  # "KIFU_REJECTED": the name in C.
        self.reason = message if reason is None else reason  # The words for a player.
        self.event = event  # Number of the event that it concerns, or None.
        self.offset = offset  # Byte of the file that it concerns, or None.


class Rejected(Error):
    """The rules refuse the event: KIFU_REJECTED."""


class CError(ctypes.Structure):
    """kifu_error"""
    _fields_ = [("result", ctypes.c_int), ("event", ctypes.c_uint32), ("offset", ctypes.c_uint64), ("reason", ctypes.c_uint32),
                ("message", ctypes.c_char * 500)]


class CEvent(ctypes.Structure):
    """kifu_event"""
    _fields_ = [("index", ctypes.c_uint32), ("type", ctypes.c_uint32), ("name", ctypes.c_void_p), ("table", ctypes.c_void_p),
                ("cause", ctypes.c_uint32), ("player", ctypes.c_int), ("flags", ctypes.c_uint8),
                ("rules_version", ctypes.c_uint32)]


class CMove(ctypes.Structure):
    """kifu_move"""
    _fields_ = [("table", ctypes.c_void_p), ("size", ctypes.c_uint32), ("type", ctypes.c_uint32), ("player", ctypes.c_int)]


class CMoves(ctypes.Structure):
    """kifu_moves"""
    _fields_ = [("items", ctypes.c_void_p), ("count", ctypes.c_uint32), ("timeline", ctypes.c_void_p),
                ("player", ctypes.c_int), ("added", ctypes.c_uint32), ("kept", ctypes.c_void_p)]


class CLine(ctypes.Structure):
    """kifu_line"""
    _fields_ = [("id", ctypes.c_uint32), ("parent", ctypes.c_uint32), ("from_", ctypes.c_uint32), ("count", ctypes.c_uint32),
                ("main", ctypes.c_bool), ("current", ctypes.c_bool)]


class CRow(ctypes.Structure):
    """kifu__foreign_row"""
    _fields_ = [("table", ctypes.c_uint64), ("file", ctypes.c_uint32), ("event", ctypes.c_uint32), ("player", ctypes.c_int32),
                ("cause", ctypes.c_uint32), ("rules_version", ctypes.c_uint32), ("flags", ctypes.c_uint32)]


REACTION = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(CEvent))

_PLACE, _NUMBER, _BIG, _SIZE, _TEXT, _DATA = (
    ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p)
_ERROR = ctypes.POINTER(CError)
# What a call returns, and what it takes.
_CALLS = {
    "kifu__foreign_create": (ctypes.c_int, _PLACE, _NUMBER, _BIG, _PLACE, _ERROR),
    "kifu__foreign_load": (ctypes.c_int, _PLACE, _TEXT, _TEXT, _SIZE, _NUMBER, _PLACE, _ERROR),
    "kifu__foreign_read": (ctypes.c_int, _PLACE, _TEXT, _NUMBER, _PLACE, _ERROR),
    "kifu__foreign_save": (ctypes.c_int, _PLACE, _TEXT, _TEXT, _NUMBER, _PLACE, _PLACE),
    "kifu__foreign_react": (ctypes.c_int, _PLACE, REACTION, _PLACE),
    "kifu__foreign_rows": (_SIZE, _PLACE, _NUMBER, _DATA, _DATA, _SIZE),
    "kifu__foreign_states": (ctypes.c_int, _PLACE, _NUMBER, _NUMBER, _DATA),
    "kifu__foreign_result_name": (_TEXT, ctypes.c_int),
    "kifu_destroy": (None, _PLACE),
    "kifu_close_save": (None, _PLACE),
    "kifu_free_bytes": (None, _PLACE, _PLACE),
    "kifu_last_error": (_ERROR, _PLACE),
    "kifu_run": (ctypes.c_int, _PLACE),
    "kifu_step": (ctypes.c_int, _PLACE),
    "kifu_update": (ctypes.c_int, _PLACE, ctypes.c_double),
    "kifu_drop_inputs": (ctypes.c_int, _PLACE),
    "kifu_undo": (ctypes.c_int, _PLACE),
    "kifu_redo": (ctypes.c_int, _PLACE),
    "kifu_can_undo": (_NUMBER, _PLACE, _PLACE),
    "kifu_can_redo": (_NUMBER, _PLACE, _PLACE),
    "kifu_seek": (ctypes.c_int, _PLACE, _NUMBER),
    "kifu_go_to": (ctypes.c_int, _PLACE, _NUMBER, _NUMBER, ctypes.c_bool),
    "kifu_line_count": (_NUMBER, _PLACE),
    "kifu_line_at": (ctypes.c_bool, _PLACE, _NUMBER, ctypes.POINTER(CLine)),
    "kifu_line_event": (ctypes.c_bool, _PLACE, _NUMBER, _NUMBER, ctypes.POINTER(CEvent)),
    "kifu_state": (_PLACE, _PLACE),
    "kifu_state_at": (ctypes.c_int, _PLACE, _NUMBER, _DATA, _SIZE),
    "kifu_state_hash": (_BIG, _PLACE),
    "kifu_first_event": (_NUMBER, _PLACE),
    "kifu_event_count": (_NUMBER, _PLACE),
    "kifu_event_at": (ctypes.c_bool, _PLACE, _NUMBER, ctypes.POINTER(CEvent)),
    "kifu_position": (_NUMBER, _PLACE),
    "kifu_pending_count": (_NUMBER, _PLACE),
    "kifu_is_running": (ctypes.c_bool, _PLACE),
    "kifu_fail": (ctypes.c_int, _PLACE, _TEXT),
    "kifu_fork": (ctypes.c_int, _PLACE, _NUMBER, _PLACE, _PLACE, _ERROR),
    "kifu_verify_replay": (ctypes.c_int, _PLACE, _PLACE),
    "kifu_list_moves": (ctypes.c_int, _PLACE, ctypes.c_int, ctypes.POINTER(CMoves)),
    "kifu_free_moves": (None, ctypes.POINTER(CMoves)),
    "kifu_take_back": (ctypes.c_int, _PLACE),
    "kifu_open_tries": (_NUMBER, _PLACE),
}


def places(tables, structs):
    """The sizes of a game's structs and the places of their members, as the C compiler must have found them."""
    for c_name, each in structs:
        yield "sizeof " + c_name, each._size
        for field in each._fields:
            yield "%s.%s" % (c_name, field[0]), field[2]
    for each in tables:
        yield from each.layout()


class Library:
    """A game: its library and what the schema says. A game holds Python's lock during a call, so that two threads that use one
    game by mistake wait for each other."""

    def __init__(self, module, stem, prefix, fingerprint, tables, structs, state, events):
        folder = os.path.dirname(os.path.abspath(module))
        self.path = next((each for each in (os.path.join(folder, name % stem) for name in _NAMES) if os.path.exists(each)), None)
        if not self.path:
            raise ImportError("there is no lib%s.so in %s: build the game's target …_python, and import the module from the "
                              "build folder or from its wheel" % (stem, folder))
        self.tables = {each.python: each for each in tables}
        for each in tables:
            each.tables = self.tables
        self.state = state
        self.events = events  # By type.
        self.by_class = {each.table.python: each for each in events if each}
        try:
            self.c = ctypes.PyDLL(self.path)
            self._compare(prefix, fingerprint, tables, structs)
            self.rules = ctypes.addressof(ctypes.c_char.in_dll(self.c, prefix + "_rules"))
            for name, (result, *arguments) in _CALLS.items():
                function = getattr(self.c, name)
                function.restype, function.argtypes = result, arguments
            for each in self.by_class.values():
                each.bind(self)
        except (OSError, AttributeError, ValueError) as error:  # No library; one without a symbol.
            raise ImportError("%s is no library of this module: %s; build both again" % (self.path, error)) from error

    def _compare(self, prefix, fingerprint, tables, structs):
        """Refuses a library that was built from another schema, by another compiler's layout, or with another Kifu."""
        found = ctypes.c_uint64.in_dll(self.c, prefix + "__foreign_fingerprint").value
        if found != fingerprint:
            raise ImportError("%s was built from another schema (fingerprint %016x) than this module (%016x): build both "
                              "again" % (self.path, found, fingerprint))
        own = []
        for each in (CError, CEvent, CMove, CMoves, CLine, CRow):
            own.append(("sizeof " + each.__doc__, ctypes.sizeof(each)))
            own += [("%s.%s" % (each.__doc__, name), getattr(each, name).offset) for name, *_ in each._fields_[1:]]
        self._compare_layout("kifu__foreign_layout", own)
        self._compare_layout(prefix + "__foreign_layout", places(tables, structs))

    def _compare_layout(self, symbol, expected):
        expected = list(expected)
        count = ctypes.c_uint32.in_dll(self.c, symbol + "_count").value
        found = (ctypes.c_uint32 * count).in_dll(self.c, symbol)
        if count != len(expected):
            raise ImportError("%s has %d sizes and places of structs, this module %d: build both again" %
                              (self.path, count, len(expected)))
        for (name, place), other in zip(expected, found):
            if place != other:
                raise ImportError("%s: %s is %d there, and %d for this module: build both again" % (self.path, name, other, place))

    def error(self, found):
        """The exception for a kifu_error."""
        result = self.c.kifu__foreign_result_name(found.result).decode()
        message = found.message.decode("utf-8", "replace")
        kind = Rejected if result == "KIFU_REJECTED" else Error
        return kind(message, result, found.message[found.reason:].decode("utf-8", "replace"),
                    None if found.event == 0xFFFFFFFF else found.event,
                    None if found.offset == 0xFFFFFFFFFFFFFFFF else found.offset)
