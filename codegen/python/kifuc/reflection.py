"""Reads a binary schema (.bfbs, flatc's reflection) into plain objects.

Only what kifuc uses is read. The numbers are the fields' places in the vtables of FlatBuffers' reflection.fbs.
"""

from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import Dict, List, Optional

NONE, UTYPE, BOOL, BYTE, UBYTE, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, DOUBLE, STRING, VECTOR, OBJ, UNION, \
    ARRAY = range(18)

SCALARS = range(BOOL, DOUBLE + 1)
SIZES = {UTYPE: 1, BOOL: 1, BYTE: 1, UBYTE: 1, SHORT: 2, USHORT: 2, INT: 4, UINT: 4, LONG: 8, ULONG: 8, FLOAT: 4,
         DOUBLE: 8}
SIGNED = (BYTE, SHORT, INT, LONG)

_I8, _U16, _I32, _U32, _I64, _F64 = (Struct("<" + each).unpack_from for each in "bHiIqd")

# A data class that is neither compared nor printed: Python makes it in half the time.
record = dataclass(eq=False, repr=False)


@record
class Type:
    """What a field or value is of."""
    base: int
    element: int
    index: int
    fixed_length: int


@record
class Field:
    """A field of a table or struct."""
    name: str
    type: Type
    id: int
    offset: int  # In a struct.
    default_integer: int
    default_real: float
    deprecated: bool
    required: bool
    key: bool
    optional: bool
    attributes: Dict[str, str]
    documentation: List[str]


@record
class Object:
    """A table or struct."""
    name: str
    fields: List[Field]  # By id.
    is_struct: bool
    minalign: int
    bytesize: int  # Of a struct.
    attributes: Dict[str, str]
    documentation: List[str]


@record
class Value:
    """A value of an enum, or a member of a union."""
    name: str
    value: int
    type: Optional[Type]
    documentation: List[str]


@record
class Enum:
    """An enum or union."""
    name: str
    values: List[Value]
    is_union: bool
    underlying: Type
    attributes: Dict[str, str]
    documentation: List[str]


@record
class Schema:
    """A whole .bfbs."""
    objects: List[Object]
    enums: List[Enum]
    files: List[str]


@lru_cache(maxsize=None)
def _offsets(data, vtable):
    """Where the fields of tables with this vtable are, by slot."""
    return {slot: _U16(data, vtable + slot)[0] for slot in range(4, _U16(data, vtable)[0], 2)}


class _Table:
    """One table of the buffer. flatc has just written it, so nothing is verified."""

    def __init__(self, data, position):
        self.data = data
        self.position = position
        self.vtable = position - _I32(data, position)[0]
        self.offsets = _offsets(data, self.vtable)

    def _place(self, slot):
        """Where the value of a field is; 0: it is absent."""
        offset = self.offsets.get(slot)
        return self.position + offset if offset else 0

    def _number(self, slot, form, default=0):
        offset = self.offsets.get(slot)
        return form(self.data, self.position + offset)[0] if offset else default

    def byte(self, slot):
        return self._number(slot, _I8)

    def bool(self, slot):
        return self._number(slot, _I8) != 0

    def u16(self, slot):
        return self._number(slot, _U16)

    def i32(self, slot, default=0):
        return self._number(slot, _I32, default)

    def i64(self, slot):
        return self._number(slot, _I64)

    def f64(self, slot):
        return self._number(slot, _F64, 0.0)

    def _follow(self, place):
        return place + _U32(self.data, place)[0]

    def _text(self, place):
        start = self._follow(place)
        return self.data[start + 4:start + 4 + _U32(self.data, start)[0]].decode("utf-8")

    def string(self, slot):
        place = self._place(slot)
        return self._text(place) if place else ""

    def child(self, slot):
        place = self._place(slot)
        return _Table(self.data, self._follow(place)) if place else None

    def _elements(self, slot):
        place = self._place(slot)
        if not place:
            return ()
        start = self._follow(place)
        return range(start + 4, start + 4 + 4 * _U32(self.data, start)[0], 4)

    def tables(self, slot):
        return [_Table(self.data, self._follow(at)) for at in self._elements(slot)]

    def strings(self, slot):
        return [self._text(at) for at in self._elements(slot)]


def _type(table):
    if table is None:
        return None
    return Type(table.byte(4), table.byte(6), table.i32(8, -1), table.u16(10))


def _attributes(table, slot):
    return {pair.string(4): pair.string(6) for pair in table.tables(slot)}


def _field(table):
    return Field(table.string(4), _type(table.child(6)), table.u16(8), 0, table.i64(12), table.f64(14), table.bool(16),
                 table.bool(18), table.bool(20), table.bool(26), _attributes(table, 22), table.strings(24))


def _object(table):
    fields = sorted((_field(each) for each in table.tables(6)), key=lambda each: each.id)
    return Object(table.string(4), fields, table.bool(8), table.i32(10), 0, _attributes(table, 14), table.strings(16))


def _lay_out(struct, objects):
    """Sets the offsets and the size of a struct, by FlatBuffers' rules. A .bfbs has only the low 16 bits of an offset, and
    the low 32 of a size."""
    if struct.bytesize:
        return
    end = 0
    for each in struct.fields:
        inner = each.type.element if each.type.base == ARRAY else each.type.base
        size = align = SIZES.get(inner)
        if inner == OBJ:
            nested = objects[each.type.index]
            _lay_out(nested, objects)
            size, align = nested.bytesize, nested.minalign
        each.offset = -(-end // align) * align
        end = each.offset + size * (each.type.fixed_length or 1)
    struct.bytesize = -(-end // struct.minalign) * struct.minalign


def _value(table):
    return Value(table.string(4), table.i64(6), _type(table.child(10)), table.strings(12))


def _enum(table):
    return Enum(table.string(4), [_value(each) for each in table.tables(6)], table.bool(8), _type(table.child(10)),
                _attributes(table, 12), table.strings(14))


def read(data):
    """Reads the bytes of a .bfbs file."""
    root = _Table(data, _U32(data, 0)[0])
    objects = [_object(each) for each in root.tables(4)]
    for each in objects:
        if each.is_struct:
            _lay_out(each, objects)
    return Schema(objects, [_enum(each) for each in root.tables(6)], [each.string(4) for each in root.tables(18)])
