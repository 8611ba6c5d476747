"""The schema's defaults, as the `_defaults` functions of _args structs set them."""

import math

from . import text
from .model import BOOL


def function(table):
    """The function's name in C."""
    return table.c_name + "_defaults"


def assignments(table):
    """The statements for the members of a table's _args that are not zero by default."""
    for field in table.stored:
        if field.default_bits and not field.optional:
            if isinstance(field.default, float) and not math.isfinite(field.default):
                # C has no constants for these without <math.h>, and a NaN has a sign.
                bits = "default_%s" % field.name
                yield "const uint%d_t %s = 0x%x;" % (8 * field.inline.size, bits, field.default_bits)
                yield "memcpy(&args.%s, &%s, sizeof %s);" % (field.name, bits, bits)
            else:
                yield "args.%s = %s;" % (field.name, value(field))


def value(field):
    """A scalar field's default in C."""
    enum = field.inline.enum
    if enum is BOOL:
        return "true" if field.default else "false"
    if enum:
        return _enum_value(enum, field.default)
    if field.inline.c_type in ("float", "double"):
        return _real(field.default, field.inline.c_type == "float")
    return text.constant(field.default)


def _enum_value(enum, number):
    chosen = [each.name for each in enum.values if each.value == number]
    if not chosen and enum.bit_flags:
        chosen = [" | ".join(each.name for each in enum.values if each.value & number)]
    return chosen[0]


def _real(number, single):
    digits = _shortest(number) if single else repr(number)
    if "." not in digits and "e" not in digits:
        digits += ".0"
    return digits + "f" if single else digits


def _shortest(number):
    """The shortest decimal that a float reads as the same number."""
    shorter = ("%.*g" % (digits, number) for digits in range(1, 9))
    return next((each for each in shorter if _single(float(each)) == number), "%.9g" % number)


def _single(number):
    """The float next to a number."""
    import ctypes  # Few schemas need it.
    return ctypes.c_float(number).value
