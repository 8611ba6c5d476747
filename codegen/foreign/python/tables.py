"""Tables of a schema, the events among them: how a value in Python becomes the C that is submitted, and how what lies in a log
becomes a value."""

import ctypes
import struct

from . import numbers, structs

# Kinds of fields.
SCALAR, STRUCT, STRING, VECTOR, STRINGS, TABLE, TABLES = range(7)
_ALIGNED = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}


class Field:
    """A field of a table, in the order of the schema's ids."""

    def __init__(self, name, kind, of, offset, has=0, align=1):
        self.name = name
        self.kind = kind
        self.of = of  # The format of a number, a Struct class, or the Python class of a table.
        self.offset = offset  # In the event's struct.
        self.has = has  # Where the byte lies that says whether an optional number is there; 0: it is not optional.
        self.align = align  # Of a struct.


class Table:
    """A table. `python` is the NamedTuple of its values."""

    def __init__(self, c_name, python, size, fields):
        self.c_name = c_name
        self.python = python
        self.name = python.__name__
        self.size = size
        self.fields = fields
        self.is_flat = all(each.kind in (SCALAR, STRUCT) and not each.has for each in fields)
        self.tables = None  # By Python class.
        self.args = type("Args", (ctypes.Structure,), {"_fields_": list(self._members()) or [("unused", ctypes.c_char)]})
        parts, places, end = ["<"], [], 0
        for offset, each in sorted((each.offset, i) for i, each in enumerate(fields)):
            field = fields[each]
            code = field.of if field.kind == SCALAR else "%ds" % field.of._size if field.kind == STRUCT else "I"
            parts.append("%dx%s" % (offset - end, code))
            end = offset + struct.calcsize("<" + code)
            places.append(each)
        self._unpack = struct.Struct("".join(parts)).unpack_from
        self._order = [places.index(i) for i in range(len(fields))]

    def _members(self):
        """Of the C struct that is submitted, `…_args`."""
        for each in self.fields:
            if each.has:
                yield "has_" + each.name, ctypes.c_bool
            if each.kind == SCALAR:
                yield each.name, numbers.C_TYPES[each.of]
            elif each.kind == STRUCT:
                yield each.name, _ALIGNED[each.align] * (each.of._size // each.align)
            else:
                yield each.name, ctypes.c_void_p
                if each.kind in (VECTOR, STRINGS, TABLES):
                    yield each.name + "_count", ctypes.c_uint32

    def layout(self):
        """What the C compiler must have found: size and offsets of both structs."""
        yield "sizeof " + self.c_name, self.size
        for each in self.fields:
            yield "%s.%s" % (self.c_name, each.name), each.offset
        yield "sizeof %s_args" % self.c_name, ctypes.sizeof(self.args)
        if self.fields:
            for name, _ in self.args._fields_:
                yield "%s_args.%s" % (self.c_name, name), getattr(self.args, name).offset

    # --- To C ------------------------------------------------------------------------------------------------------------

    def encode(self, value, kept, args=None):
        """The C struct to submit for a value. What it points to is added to `kept`, and must live as long."""
        args = self.args() if args is None else args
        for each, item in zip(self.fields, value):
            where = "%s.%s" % (self.name, each.name)
            if each.kind == SCALAR:
                if each.has:
                    setattr(args, "has_" + each.name, item is not None)
                    item = 0 if item is None else item
                setattr(args, each.name, numbers.checked(item, each.of, where))
            elif item is None:
                continue  # It is absent.
            elif each.kind == STRUCT:
                data = structs.of_structs(each.of, [item], where)
                ctypes.memmove(ctypes.addressof(args) + getattr(self.args, each.name).offset, data, len(data))
            elif each.kind == STRING:
                setattr(args, each.name, _keep(_text(item, where), kept))
            elif each.kind == TABLE:
                setattr(args, each.name, ctypes.addressof(self.tables[each.of].nested([item], kept, where)))
            else:
                self._encode_vector(args, each, item, kept, where)
        return args

    def _encode_vector(self, args, field, items, kept, where):
        if field.kind == VECTOR and not isinstance(field.of, type):
            count, data = None, numbers.packed(items, field.of, where)
            count = len(data) // numbers.SIZES[field.of]
            place = _keep(data, kept)
        elif field.kind == VECTOR:
            data = structs.of_structs(field.of, items, where)
            count, place = len(data) // field.of._size, _keep(data, kept)
        else:
            if isinstance(items, str):
                raise TypeError("%s: %r is no sequence" % (where, items))
            try:
                items = list(items)
            except TypeError:
                raise TypeError("%s: %r is no sequence" % (where, items)) from None
            count = len(items)
            if field.kind == STRINGS:
                pointers = (ctypes.c_void_p * (count + 1))(*[
                    _keep(_text(item, "%s[%d]" % (where, i)), kept) for i, item in enumerate(items)])
                kept.append(pointers)
                place = ctypes.addressof(pointers)
            else:
                place = ctypes.addressof(self.tables[field.of].nested(items, kept, where))
        setattr(args, field.name, place)
        setattr(args, field.name + "_count", count)

    def nested(self, items, kept, where):
        """An array of the C structs of nested tables."""
        array = (self.args * (len(items) + 1))()
        kept.append(array)
        for item, args in zip(items, array):
            if not isinstance(item, self.python):
                raise TypeError("%s: %r is no %s" % (where, item, self.name))
            self.encode(item, kept, args)
        return array

    # --- From C ----------------------------------------------------------------------------------------------------------

    def decode(self, memory, place=0):
        """The value of the table at `place` of `memory`."""
        found = self._unpack(memory, place)
        if self.is_flat:
            return self.python._make([
                found[i] if each.kind == SCALAR else each.of._restored(found[i])
                for i, each in zip(self._order, self.fields)])
        return self.python._make([self._decode_field(memory, place, each, found[i])
                                  for i, each in zip(self._order, self.fields)])

    def _decode_field(self, memory, place, field, found):
        if field.kind == SCALAR:
            return found if not field.has or memory[place + field.has] != b"\0" else None
        if field.kind == STRUCT:
            return field.of._restored(found)
        if not found:
            return None
        target = place + field.offset + found
        if field.kind == TABLE:
            return self.tables[field.of].decode(memory, target)
        count, first = struct.unpack_from("<I", memory, target)[0], target + 4
        if field.kind == STRING:
            return memory[first:first + count].decode("utf-8")
        if field.kind == VECTOR:
            if not isinstance(field.of, type):
                return struct.unpack_from("<%d%s" % (count, field.of), memory, first)
            return tuple(structs.Structs(field.of, memory[first:first + count * field.of._size]))
        places = [first + 4 * i + each for i, each in enumerate(struct.unpack_from("<%dI" % count, memory, first))]
        if field.kind == TABLES:
            return tuple(self.tables[field.of].decode(memory, each) for each in places)
        return tuple(memory[each + 4:each + 4 + struct.unpack_from("<I", memory, each)[0]].decode("utf-8") for each in places)


def memory_at(address):
    """All that lies behind an address: what refers to a place outside of an event, Kifu has refused."""
    return (ctypes.c_char * 0x7FFFFFFF).from_address(address)


def _keep(data, kept):
    """The address of bytes."""
    place = ctypes.create_string_buffer(data, len(data) + 1)
    kept.append(place)
    return ctypes.addressof(place)


def _text(value, where):
    if not isinstance(value, str):
        raise TypeError("%s: %r is no string" % (where, value))
    if "\0" in value:
        raise ValueError("%s: a string has no character 0" % where)
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("%s: %r has characters that are no text" % (where, value)) from None
