"""Numbers of fixed types: their formats are those of the module struct."""

import ctypes
import operator
import struct

C_TYPES = {
    "?": ctypes.c_bool, "b": ctypes.c_int8, "B": ctypes.c_uint8, "h": ctypes.c_int16, "H": ctypes.c_uint16,
    "i": ctypes.c_int32, "I": ctypes.c_uint32, "q": ctypes.c_int64, "Q": ctypes.c_uint64, "f": ctypes.c_float,
    "d": ctypes.c_double,
}
SIZES = {each: struct.calcsize("<" + each) for each in C_TYPES}


def _range(number_format):
    bits = 8 * SIZES[number_format]
    return (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if number_format.islower() else (0, 2 ** bits - 1)


_RANGES = {each: (0, 1) if each == "?" else _range(each) for each in C_TYPES if each not in "fd"}


def checked(value, number_format, where):
    """`value`, if it is such a number; `where` is its place, for the error."""
    if number_format in "fd":
        try:
            return struct.unpack("<" + number_format, struct.pack("<" + number_format, value))[0]
        except (struct.error, TypeError):
            raise TypeError("%s: %s is no number" % (where, _shown(value))) from None
        except OverflowError:
            raise ValueError("%s: %r is too large for a float" % (where, value)) from None
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError("%s: %s is no integer" % (where, _shown(value))) from None
    low, high = _RANGES[number_format]
    if not low <= number <= high:
        raise ValueError("%s: %d is not in %d to %d" % (where, number, low, high))
    return number


def packed(values, number_format, where):
    """The bytes of many of them."""
    try:
        values = list(values)
    except TypeError:
        raise TypeError("%s: %s is no sequence of numbers" % (where, _shown(values))) from None
    return struct.pack("<%d%s" % (len(values), number_format),
                       *[checked(value, number_format, "%s[%d]" % (where, i)) for i, value in enumerate(values)])


def _shown(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
