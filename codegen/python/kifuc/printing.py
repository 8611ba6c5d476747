"""The C of `kifuc stubs --view`: how an event is printed in words."""

import re

from . import enum_names, names, text
from .model import BOOL, SCALAR, STRING, STRING_VECTOR, STRUCT, TABLE

# What printf needs for a type; all others are "%d".
_FORMATS = {"int64_t": '%" PRId64 "', "uint64_t": '%" PRIu64 "', "float": "%g", "double": "%g", "uint8_t": "%u",
            "uint16_t": "%u", "uint32_t": "%u"}


# A number called so is a color, 0xRRGGBB, here as in the command kifu (runtime/src/text/values_text.c).
_COLOR = re.compile(r"(?:\b|_)colou?r(?:\[\w+\])?$")


def words(name):
    """PickUp → pick up."""
    return names.snake(name).strip("_").replace("_", " ")


def event_words(event):
    """PPickUp → pick up."""
    name = words(names.split(event.table.name)[1])
    return name[2:] if name[1:2] == " " and len(name) > 2 else name


class Lines:
    """Statements that print. What follows each other goes into one printf, as far as it fits on a line."""

    def __init__(self, indent=4):
        self.indent = indent
        self.lines = []
        self.format, self.values = "", []

    def _call(self, values, form):
        form = ('"' + form + '"').replace(' ""', "")
        return text.pack("printf(", [form] + values, ");", self.indent)

    def print(self, form, *values):
        together = self._call(self.values + list(values), self.format + form)
        if self.format and ("\n" in together or len(together) > text.WIDTH):
            self._flush()
        self.format += form
        self.values += values

    def _flush(self):
        if self.format:
            self.lines += self._call(self.values, self.format).split("\n")
        self.format, self.values = "", []

    def call(self, function, *items):
        self._flush()
        self.lines += text.pack(function + "(", list(items), ");", self.indent).split("\n")

    def line(self, statement):
        self._flush()
        self.lines.append(" " * self.indent + statement)

    def block(self, head, body):
        """`head` and, under it, what `body` prints."""
        inner = Lines(self.indent + 4)
        body(inner)
        inner._flush()
        self._flush()
        lead = " " * self.indent
        braces = len(inner.lines) > 1
        self.lines.append(lead + head + (" {" if braces else ""))
        self.lines += inner.lines + ([lead + "}"] if braces else [])

    def text(self):
        self._flush()
        return "\n".join(self.lines)


def printer(item):
    """The function that prints a struct, a nested table or flags."""
    return "print_" + item.c_name


def _value(lines, before, inline, value):
    """Prints `before` and an inline value, a C expression."""
    if inline.struct:
        lines.print(before)
        lines.call(printer(inline.struct), "&" + value)
    elif inline.enum is BOOL:
        lines.print(before + "%s", value + ' ? "true" : "false"')
    elif inline.enum and inline.enum.bit_flags:
        lines.print(before)
        lines.call(printer(inline.enum), value)
    elif inline.enum:
        lines.print(before + "%s", "%s(%s)" % (enum_names.function(inline.enum), value))
    else:
        is_color = inline.c_type == "uint32_t" and _COLOR.search(value)
        lines.print(before + ("0x%06X" if is_color else _FORMATS.get(inline.c_type, "%d")), value)


def _each(lines, index, count, element):
    """A loop; `element` prints one, and a space before it."""
    lines.block("for (uint32_t %s = 0; %s < %s; %s++)" % (index, index, count, index), element)


def struct_body(struct):
    lines = Lines()
    constants = {member.name: member.count_name for member in struct.members}
    for i, field in enumerate(struct.fields):
        value, before = "value->" + field.name, ("(" if i == 0 else ", ") + words(field.label)
        if field.count:
            lines.print(before)
            count = constants[field.name] or field.count
            _each(lines, "i", count, lambda inner: _value(inner, " ", field.type, value + "[i]"))
        else:
            _value(lines, before + " ", field.type, value)
    lines.print(")")
    return lines.text()


def table_body(table):
    lines = Lines()
    lines.print("(" + words(names.split(table.name)[1]))
    for field in table.stored:
        _field(lines, table, field, "value")
    lines.print(")")
    return lines.text()


def event_body(event):
    lines = Lines()
    if event.is_player:
        lines.print("player %d: ", "kifu_player(timeline)")
    lines.print(event_words(event))
    for field in event.table.stored:
        if not (event.table.ours and field.reference):  # What kifu.ESchedule times is no text.
            _field(lines, event.table, field, event.variable)
    for field in event.table.fields:
        if field.transient:
            _value(lines, ", %s " % words(field.label), field.inline, "transient->" + field.name)
    lines.print("\\n")
    return lines.text()


def _field(lines, table, field, variable):
    reader = "%s_%s" % (table.c_name, field.name)
    value = "%s(%s)" % (reader, variable) if field.reference else "%s->%s" % (variable, field.name)
    before = ", %s " % words(field.label)

    def named(inner):
        if field.kind in (SCALAR, STRUCT):
            _value(inner, before, field.inline, value)
        elif field.kind == STRING and not field.required:
            inner.print(before + '\\"%s\\"', value)
        elif field.kind == STRING:
            inner.print(before)
            inner.call("print_text", value)
        else:
            inner.print(before)
            inner.call(printer(field.table), value)

    if field.kind in (SCALAR, STRUCT, STRING, TABLE):
        there = "%s->has_%s" % (variable, field.name) if field.optional else value
        if field.optional or field.reference and not field.required:
            lines.block("if (%s)" % there, named)
        else:
            named(lines)
        return
    index = "i" if variable != "i" else "j"

    def element(inner):
        if field.table:
            inner.print(" ")
            inner.call(printer(field.table), "%s(%s, %s)" % (reader, variable, index))
        elif field.kind == STRING_VECTOR:
            inner.print(" ")
            inner.call("print_text", "%s(%s, %s)" % (reader, variable, index))
        else:
            _value(inner, " ", field.inline, "%s[%s]" % (value, index))

    lines.print(before.rstrip())
    _each(lines, index, "%s_count(%s)" % (reader, variable), element)


class Printed:
    """What a game's view prints with functions of their own: each behind what it calls, but for tables."""

    def __init__(self, events):
        self.flags, self.structs, self.tables, self.texts = [], [], [], False
        for event in events:
            self._add_fields([each for each in event.table.fields if each.stored or each.transient])

    def _add_fields(self, fields):
        for field in fields:
            self.texts |= field.kind == STRING_VECTOR or field.kind == STRING and field.required
            if field.inline:
                self._add(field.inline)
            if field.table and field.table not in self.tables:
                self.tables.append(field.table)
                self._add_fields(field.table.stored)

    def _add(self, inline):
        if inline.enum and inline.enum.bit_flags and inline.enum not in self.flags:
            self.flags.append(inline.enum)
        if inline.struct and inline.struct not in self.structs:
            for field in inline.struct.fields:
                self._add(field.type)
            self.structs.append(inline.struct)


def uses_64_bits(events, printed):
    """Whether a number needs a format of <inttypes.h>."""
    inlines = [field.inline for table in [event.table for event in events] + printed.tables for field in table.fields
               if field.inline and (field.stored or field.transient)]
    inlines += [field.type for struct in printed.structs for field in struct.fields]
    return any(not each.enum and each.c_type in ("int64_t", "uint64_t") for each in inlines)
