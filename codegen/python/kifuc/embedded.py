"""Writes the binary schema (.bfbs) that a game embeds, and that stands in its saves.

flatc's own is two to three times as large. This one has what readers of a save use, each equal part once: no comments, no
files, no attribute that only kifuc reads, and no type to which neither an event nor the state leads. It is the same with
every flatc.
"""

from struct import pack

from . import reflection as r

# Those that kifu::json reads (runtime/json/rules.c, rules_types.c, rules_tables.c).
_ATTRIBUTES = ("actors", "check", "continue_undo", "player", "pool", "reveals", "state", "transient", "undoable")

# What a field of a table may be, as `pack` says it; I is the distance to a string, a vector or a table.
_SIZES = {"B": 1, "H": 2, "i": 4, "q": 8, "d": 8, "I": 4}


class _Writer:
    """Writes a FlatBuffer from its end, equal parts once. A part is known by its distance from the end."""

    def __init__(self):
        self.chunks = []
        self.size = 0
        self.parts = {}

    def _put(self, content, align=4, at=0):
        """In front of all that is there. The byte `at` of it is aligned."""
        padding = -(self.size + len(content) - at) % align
        self.chunks += [bytes(padding), content]
        self.size += padding + len(content)
        return self.size

    def _once(self, key, write, *arguments):
        if key not in self.parts:
            self.parts[key] = write(*arguments)
        return self.parts[key]

    def string(self, text):
        return self._once(("string", text), self._put_string, text)

    def _put_string(self, text):
        content = text.encode("utf-8")
        return self._put(pack("<I", len(content)) + content + b"\0")

    def vector(self, parts):
        return self._once(("vector", *parts), self._put_vector, parts)

    def _put_vector(self, parts):
        first = self._put(b"") + 4 * len(parts)
        offsets = [first - 4 * i - part for i, part in enumerate(parts)]
        return self._put(pack("<%dI" % (1 + len(parts)), len(parts), *offsets))

    def table(self, forms, *values):
        """Of each field its form and its value; None: it is absent."""
        return self._once((forms, *values), self._put_table, forms, values)

    def _put_table(self, forms, values):
        present = sorted((-_SIZES[forms[i]], i) for i, value in enumerate(values) if value is not None)
        places, length = [0] * (1 + max(i for _, i in present)), 4
        for size, i in present:
            places[i] = length
            length -= size
        vtable = pack("<%dH" % (2 + len(places)), 4 + 2 * len(places), length, *places)
        align = max(4, -present[0][0])  # Of the first field, the largest.
        start = self.size + length + -(self.size + length - 4) % align
        content = pack("<i" + "".join([forms[i] for _, i in present]), self.parts.get(vtable, start + len(vtable)) - start,
                       *[start - places[i] - values[i] if forms[i] == "I" else values[i] for _, i in present])
        self._put(content, align, 4)
        self._once(vtable, self._put, vtable, 2)
        return start

    def finish(self, root):
        self._put(b"", 8)
        self.chunks.append(pack("<I4s", self.size + 8 - root, b"BFBS"))
        return b"".join(reversed(self.chunks))


def _segment(union, mark):
    """The root of a segment of the log, the form in which a save contains events: schema/FORMAT.md."""
    types = {"events_type": r.Type(r.VECTOR, r.UTYPE, union, 0), "events": r.Type(r.VECTOR, r.UNION, union, 0),
             "marks": r.Type(r.VECTOR, r.OBJ, mark, 0), "rules_version": r.Type(r.UINT, 0, -1, 0)}
    fields = [r.Field(name=name, type=type_, id=i, offset=0, default_integer=0, default_real=0.0, deprecated=False,
                      required=False, key=False, optional=type_.base == r.VECTOR, attributes={}, documentation=[])
              for i, (name, type_) in enumerate(types.items())]
    return r.Object("kifu.Segment", fields, False, 0, 0, {}, [])


class _Embedded(_Writer):
    """Writes the tables of FlatBuffers' reflection.fbs."""

    def __init__(self, schema, union, state):
        super().__init__()
        self.schema = schema
        objects, enums = ([each.name for each in items] for items in (schema.objects, schema.enums))
        found = {}
        self._find(_segment(enums.index(union), objects.index("kifu.Mark")), found)
        self._find(schema.objects[objects.index(state)], found)
        names = sorted(found, key=lambda each: each.encode("utf-8"))  # Readers search by name.
        self.objects, self.enums = ([found[each] for each in names if isinstance(found[each], kind)]
                                    for kind in (r.Object, r.Enum))
        self.numbers = {each.name: i for kept in (self.objects, self.enums) for i, each in enumerate(kept)}

    def _target(self, type_):
        """What a type is of: an object, an enum, or None."""
        if type_ is None or type_.index < 0:
            return None
        inner = type_.element if type_.base in (r.VECTOR, r.ARRAY) else type_.base
        return (self.schema.objects if inner == r.OBJ else self.schema.enums)[type_.index]

    def _find(self, item, found):
        """Adds an object or enum with all to which it leads."""
        waiting = [item]
        while waiting:
            item = waiting.pop()
            if item and item.name not in found:
                found[item.name] = item
                members = item.values if isinstance(item, r.Enum) else item.fields
                waiting += [self._target(each.type) for each in members]

    def _type(self, type_):
        key = type_.base, type_.element, type_.index, type_.fixed_length
        return self._once(key, self._put_type, type_)

    def _put_type(self, type_):
        target = self._target(type_)
        return self.table("BBiH", type_.base, type_.element, self.numbers[target.name] if target else None, type_.fixed_length)

    def _attribute(self, pair):
        name, value = pair
        return self.table("II", self.string(name), None if value == "0" else self.string(value))  # flatc's for no value.

    def _attributes(self, item):
        kept = item.attributes and sorted(each for each in item.attributes.items() if each[0] in _ATTRIBUTES)
        return self.vector([self._attribute(each) for each in kept]) if kept else None

    def _field(self, field, is_struct):
        offset = field.offset & 0xffff if is_struct else 4 + 2 * field.id
        return self.table(
            "IIHHqdBBBIIB", self.string(field.name), self._type(field.type), field.id, offset, field.default_integer or None,
            field.default_real or None, field.deprecated or None, field.required or None, field.key or None,
            self._attributes(field), None, field.optional or None)

    def _object(self, item):
        name = self.string(item.name)
        fields = sorted(item.fields, key=lambda each: each.name.encode("utf-8"))
        fields = self.vector([self._field(each, item.is_struct) for each in fields])
        return self.table("IIBiiI", name, fields, item.is_struct or None, item.minalign if item.is_struct else None,
                          item.bytesize or None, self._attributes(item))

    def _value(self, value):
        is_member = value.type is not None and value.type.base != r.NONE
        return self.table("IqII", self.string(value.name), value.value or None, None,
                          self._type(value.type) if is_member else None)

    def _enum(self, item):
        return self.table("IIBI", self.string(item.name), self.vector([self._value(each) for each in item.values]),
                          item.is_union or None, self._type(item.underlying))

    def write(self):
        objects = [self._object(each) for each in self.objects]
        enums = self.vector([self._enum(each) for each in self.enums])
        segment = objects[self.numbers["kifu.Segment"]]
        return self.finish(self.table("IIIII", self.vector(objects), enums, None, None, segment))


def write(schema, union, state):
    """The bytes, of a schema that was read (reflection.py). `union`: the events; `state`: the struct that is saved."""
    return _Embedded(schema, union, state).write()
