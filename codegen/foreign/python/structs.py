"""Structs of a schema, as read-only views of their bytes: a field is read where it lies, when it is asked for."""

import re
import struct

from . import numbers


class Struct:
    """A struct. It never changes, so it stays what it was whatever the game does. Its fields are attributes: numbers are int,
    float or bool (an enum is its number), an array of numbers is a memoryview, an array of structs a sequence."""

    __slots__ = ("_bytes",)
    _fields = ()  # (name, format or Struct class, offset, count; 0: no array)
    _names = {}
    _size = 0

    def __init_subclass__(cls):
        cls._names = {each[0]: each for each in cls._fields}
        for name, kind, offset, count in cls._fields:
            setattr(cls, name, property(_reader(kind, offset, count)))

    def __init__(self, **values):
        """The fields by name; those that are left out are zero."""
        data = bytearray(self._size)
        for name, value in values.items():
            if name not in self._names:
                raise TypeError("%s has no field %s; its fields are %s" % (type(self).__name__, name, ", ".join(self._names)))
            _pack(data, self._names[name], value, "%s.%s" % (type(self).__name__, name))
        self._bytes = memoryview(bytes(data))

    @classmethod
    def _of(cls, data):
        """The struct that lies in a memoryview of its bytes."""
        result = cls.__new__(cls)
        result._bytes = data
        return result

    @classmethod
    def _restored(cls, data):
        return cls._of(memoryview(data))

    def __reduce__(self):
        return self._restored, (bytes(self._bytes),)

    def __bytes__(self):
        return bytes(self._bytes)

    def __eq__(self, other):
        return self._bytes == other._bytes if type(other) is type(self) else NotImplemented

    def __hash__(self):
        return hash(bytes(self._bytes))

    def __repr__(self):
        return "%s(%s)" % (type(self).__name__, ", ".join(
            "%s=%s" % (each[0], _shown(getattr(self, each[0]))) for each in self._fields))

    def _asdict(self):
        """The fields as a dictionary, with lists and dictionaries in it."""
        return {each[0]: _plain(getattr(self, each[0])) for each in self._fields}


class Structs:
    """Consecutive structs of one kind: a sequence, and columns."""

    __slots__ = ("_kind", "_bytes")

    def __init__(self, kind, data):
        self._kind = kind
        self._bytes = memoryview(data)

    def __len__(self):
        return len(self._bytes) // self._kind._size

    def __getitem__(self, index):
        size = self._kind._size
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                return Structs(self._kind, self._bytes[start * size:max(start, stop) * size])
            return [self[i] for i in range(start, stop, step)]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError("there are %d, and so no number %d" % (len(self), index))
        return self._kind._of(self._bytes[place * size:(place + 1) * size])

    def __eq__(self, other):
        if isinstance(other, Structs):
            return self._kind is other._kind and self._bytes == other._bytes
        return list(self) == list(other) if isinstance(other, (list, tuple)) else NotImplemented

    __hash__ = None

    def __repr__(self):
        return repr(list(self))

    def __reduce__(self):
        return Structs, (self._kind, bytes(self._bytes))

    def column(self, path):
        """One number of each, "game.round" or "heaps[2]", as a memoryview that copies nothing."""
        return column(self._bytes, self._kind, path, 0, self._kind._size)

    def numpy(self):
        """All of them as a structured array of NumPy, which copies nothing."""
        return array(self._bytes, dtype(self._kind))


def column(data, kind, path, start, stride):
    """The numbers at `path` of structs that lie `stride` bytes apart, the first at `start`."""
    number_format, offset = _find(kind, path)
    size = numbers.SIZES[number_format]
    return data.cast(number_format)[(start + offset) // size::stride // size]


def dtype(kind):
    """The type of a struct for NumPy."""
    import numpy

    return numpy.dtype(dtype_of(kind._fields, kind._size))


def dtype_of(fields, size, start=0):
    """The same as NumPy describes it, without NumPy."""
    def part(each):
        _, inner, _, count = each
        found = dtype_of(inner._fields, inner._size) if isinstance(inner, type) else "<" + inner if inner != "?" else "?"
        return (found, (count,)) if count else found

    return {"names": [each[0] for each in fields], "formats": [part(each) for each in fields],
            "offsets": [start + each[2] for each in fields], "itemsize": size}


def array(data, kind):
    import numpy

    return numpy.frombuffer(data, kind)


def _find(kind, path):
    """Format and offset of the number at a path."""
    offset, inner = 0, kind
    for part in path.split("."):
        match = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", part)
        if not match or not isinstance(inner, type) or match.group(1) not in inner._names:
            raise KeyError("%s has no %s" % (kind.__name__, path))
        _, inner_kind, place, count = inner._names[match.group(1)]
        index = match.group(2)
        if bool(count) != (index is not None) or index is not None and int(index) >= count:
            raise KeyError("%s: %s of %s is %s" % (
                path, match.group(1), inner.__name__,
                "an array of %d: name one element, as %s[0]" % (count, match.group(1)) if count else "no array"))
        offset += place + int(index or 0) * (inner_kind._size if isinstance(inner_kind, type) else numbers.SIZES[inner_kind])
        inner = inner_kind
    if isinstance(inner, type):
        raise KeyError("%s is a struct: name one of its fields, as %s.%s" % (path, path, inner._fields[0][0]))
    return inner, offset


def _reader(kind, offset, count):
    if isinstance(kind, type):
        size = kind._size
        if count:
            return lambda self: Structs(kind, self._bytes[offset:offset + count * size])
        return lambda self: kind._of(self._bytes[offset:offset + size])
    if count:
        end = offset + count * numbers.SIZES[kind]
        return lambda self: self._bytes[offset:end].cast(kind)
    unpack = struct.Struct("<" + kind).unpack_from
    return lambda self: unpack(self._bytes, offset)[0]


def _pack(data, field, value, where):
    _, kind, offset, count = field
    if not isinstance(kind, type):
        found = numbers.packed(value if count else [value], kind, where) if count else struct.pack(
            "<" + kind, numbers.checked(value, kind, where))
        wanted = (count or 1) * numbers.SIZES[kind]
    else:
        found = of_structs(kind, value if count else [value], where)
        wanted = (count or 1) * kind._size
    if len(found) != wanted:
        raise ValueError("%s: it has %d elements, not %d" % (where, count, len(value)))
    data[offset:offset + wanted] = found


def of_structs(kind, values, where):
    """The bytes of structs of one kind."""
    if isinstance(values, Structs) and values._kind is kind:
        return bytes(values._bytes)
    try:
        values = list(values)
    except TypeError:
        raise TypeError("%s: %r is no sequence of %s" % (where, values, kind.__name__)) from None
    for value in values:
        if type(value) is not kind:
            raise TypeError("%s: %r is no %s" % (where, value, kind.__name__))
    return b"".join(value._bytes for value in values)


def _plain(value):
    if isinstance(value, Struct):
        return value._asdict()
    return [each._asdict() for each in value] if isinstance(value, Structs) else (
        value.tolist() if isinstance(value, memoryview) else value)


def _shown(value):
    return repr(value.tolist() if isinstance(value, memoryview) else value)
