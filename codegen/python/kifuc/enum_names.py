"""The functions that return the names of enum values."""

from . import text


def function(enum):
    """The function's name in C."""
    return enum.c_name + "_name"


def comment(enum):
    if enum.bit_flags:
        return [" The name of one flag of %s in the schema; \"?\" for anything else." % enum.name]
    return [" The name of a value of %s in the schema; \"?\" for a number that is none." % enum.name]


def body(enum):
    """An array where hardly a number is missing between the values, otherwise a switch."""
    values = {}
    for each in enum.values:  # FlatBuffers allows two names for one value: the first counts.
        values.setdefault(each.value, each)
    low, high = min(values), max(values)
    if enum.bit_flags or high - low >= 2 * len(values) or high >= 2 ** 63:
        return _switch(values.values())
    names = ['"%s"' % values[value].label if value in values else '"?"' for value in range(low, high + 1)]
    index = "(uint64_t)value"
    if low:
        index += " %s %d" % ("+" if low < 0 else "-", abs(low))
    return "%s\n    return kifu__name(names, %d, %s);" % (
        text.row("    static const char *const names[] = ", names, ";"), len(names), index)


def _switch(values):
    cases = "".join('    case %s:\n        return "%s";\n' % (each.name, each.label) for each in values)
    return "    switch (value) {\n%s    default:\n        return \"?\";\n    }" % cases
