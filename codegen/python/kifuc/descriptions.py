"""The description of a game for the runtime: the constant tables of detail/rules.h."""

from itertools import accumulate

from . import names, text
from .layout import checks_of
from .model import BOOL, FLAGS, REFERENCES, SECRECIES, STRING, STRING_VECTOR, VECTOR
from .text import constant
from .uses import in_library, used

# kifu__scalar of a C type.
SCALARS = {"bool": "KIFU__BOOL", "int8_t": "KIFU__I8", "uint8_t": "KIFU__U8", "int16_t": "KIFU__I16",
           "uint16_t": "KIFU__U16", "int32_t": "KIFU__I32", "uint32_t": "KIFU__U32", "int64_t": "KIFU__I64",
           "uint64_t": "KIFU__U64", "float": "KIFU__F32", "double": "KIFU__F64"}


class Descriptions:
    def __init__(self, game):
        self.game = game
        self.checked = used(game)[1]
        sizes = [2 * len(table.vtable) for table in game.tables]
        self.vtables_at = dict(zip(game.tables, accumulate(sizes, initial=0)))

    def description(self, item, what):
        return "%s__%s" % (item.name if item is BOOL else names.in_c(item.name, self.game.prefix), what)

    @staticmethod
    def wire_values(enum):
        """The values as 64 bits with a sign, as the runtime compares them."""
        return sorted({(each.value + 2 ** 63) % 2 ** 64 - 2 ** 63 for each in enum.values})

    def labels(self, enum):
        """The values' names as C strings, in the order of `values`; of flags the lowest bit first."""
        result = {}
        for each in enum.values if enum is not BOOL else []:
            value = each.value if enum.bit_flags else (each.value + 2 ** 63) % 2 ** 64 - 2 ** 63
            result.setdefault(value, '"%s"' % each.label)
        return [result[value] for value in sorted(result)]

    def values(self, enum):
        wire = self.wire_values(enum)
        return [] if enum.bit_flags or wire[-1] - wire[0] + 1 == len(wire) else [constant(each) for each in wire]

    def enum_record(self, enum):
        wire = self.wire_values(enum)
        members = [("name", '"%s"' % enum.name), ("size", enum.size)]
        if enum.signed:
            members.append(("is_signed", "true"))
        if enum.bit_flags:
            members += [("bit_flags", "true"), ("mask", constant(enum.mask))]
        else:
            members += [("low", constant(wire[0])), ("high", constant(wire[-1]))]
        if self.values(enum):
            members += [("values", self.description(enum, "values")), ("value_count", len(wire))]
        if self.labels(enum):
            members += [("labels", self.description(enum, "labels")), ("label_count", len(self.labels(enum)))]
        return text.record_definition("static const kifu__enum " + self.description(enum, "enum"), members)

    def check_record(self, check):
        return text.record([("field", '"%s"' % check.path), ("values", "&" + self.description(check.enum, "enum")),
                            ("offset", check.offset), ("count", check.count), ("stride", check.stride)])

    @staticmethod
    def scalar(inline):
        return SCALARS[inline.enum.c_type if inline.enum else inline.c_type]

    def member_record(self, field):
        members = [("name", '"%s"' % field.label), ("offset", field.offset), ("size", field.type.size)]
        if field.count:
            members.append(("count", field.count))
        if any(each.field is field for each in self.game.pools):
            members.append(("pool", "true"))
        if field.type.struct:
            members.append(("structure", "&" + self.description(field.type.struct, "struct")))
        else:
            enum = field.type.enum
            members.append(("scalar", self.scalar(field.type)))
            if enum and enum is not BOOL:
                members.append(("values", "&" + self.description(enum, "enum")))
        return text.record(members)

    def checks(self, struct):
        """Those of a struct in an event. The state is verified by its members."""
        return checks_of(struct) if struct in self.checked or in_library(struct) else []

    def struct_record(self, struct):
        members = [("name", '"%s"' % struct.name), ("size", struct.size), ("align", struct.align)]
        if self.checks(struct):
            members += [("checks", self.description(struct, "checks")), ("check_count", len(self.checks(struct)))]
        members += [("members", self.description(struct, "members")), ("member_count", len(struct.fields))]
        return text.record_definition("static const kifu__struct " + self.description(struct, "struct"), members)

    def field_record(self, table, field):
        size, align = (4, 4) if field.kind in REFERENCES and field.kind != VECTOR else (field.inline.size,
                                                                                        field.inline.align)
        members = [("name", '"%s"' % field.label), ("kind", field.kind), ("align", align), ("size", size)]
        if field.stored:
            members.append(("offset", "offsetof(%s, %s)" % (table.c_name, field.name)))
        if field.has:
            members.append(("has", "offsetof(%s, has_%s)" % (table.c_name, field.name)))
        if field.required:
            members.append(("required", "true"))
        if field.inline and not field.inline.struct:
            members.append(("scalar", self.scalar(field.inline)))
        if field.secrecy:
            members.append(("secrecy", SECRECIES[field.secrecy]))
        if field.default_bits:
            members.append(("default_bits", constant(field.default_bits)))
        if field.inline and field.inline.enum:
            members.append(("values", "&" + self.description(field.inline.enum, "enum")))
        if field.inline and field.inline.struct:
            members.append(("structure", "&" + self.description(field.inline.struct, "struct")))
        if field.kind in (STRING, STRING_VECTOR) and field.stored and self.game.events:
            members.append(("texts", "kifu__texts_hold"))
        if field.table:
            members.append(("table", "&" + self.description(field.table, "table")))
        return text.record(members)

    def table_record(self, table):
        members = [("name", '"%s"' % table.name), ("size", "sizeof(%s)" % table.c_name), ("align", table.deep_align)]
        if table.flat:
            members.append(("flat", "true"))
        if table.fields:
            members += [("field_count", len(table.fields)), ("fields", self.description(table, "fields"))]
        if table.checks:
            members += [("check_count", len(table.checks)), ("checks", self.description(table, "checks"))]
        members.append(("vtable", self.game.prefix + "__vtables." + table.c_name))
        return text.record_definition("static const kifu__table " + self.description(table, "table"), members)

    def type_record(self, event):
        members = [("table", "&" + self.description(event.table, "table"))]
        if event.transient:
            members.append(("transient_size", "sizeof(%s)" % event.transient_type))
        layout = [("id", event.id_name), ("align", event.table.deep_align), ("size", "sizeof(%s)" % event.table.c_name),
                  ("vtable_at", self.vtables_at[event.table])]
        if event.successor:
            members.append(("superseded_by", event.successor.id_name))
            return text.record(members + ([("is_player", "true")] if event.is_player else []) + layout)
        flags = [name for name, bit in FLAGS.items() if event.flags & bit]
        if flags:
            members.append(("flags", " | ".join(flags)))
        members += [(name, "true") for name in ("never_undoable", "is_player", "has_check") if getattr(event, name)]
        if event.scopes:
            members += [("scope_count", len(event.scopes)), ("scopes", self.description(event.table, "scopes"))]
        if event.tags:
            tags = " | ".join(self.game.constant_of(each) for each in event.tags)
            members.append(("tags", tags if len(tags) < 90 else "0x%x" % sum(1 << each.index for each in event.tags)))
        return text.record(members + layout)

    def hidden_record(self, hidden):
        members = [("field", '"%s"' % hidden.label), ("offset", hidden.offset), ("size", hidden.field.type.size)]
        if hidden.dimensions:
            rows = ", ".join("{%d, %d}" % each[2:] for each in hidden.dimensions)
            members += [("dimensions", "(const kifu__dimension[]){%s}" % rows), ("dimension_count", len(hidden.dimensions))]
        members.append(("secret", "true") if hidden.secret else ("first", hidden.first))
        return text.record(members)

    def seen_by_record(self, event):
        field, members = event.seen_by, [("kind", 1)]
        if field:
            members = [("kind", 2), ("scalar", self.scalar(field.inline)),
                       ("offset", "offsetof(%s, %s)" % (event.table.c_name, field.name))]
        return text.record(members, head="[%s] = " % event.id_name)

    def hiding_record(self):
        hiding, own = self.game.hiding, self.game.prefix + "__"
        members = [("mask", own + "mask"), ("visible", own + "visible")]
        if hiding.fields:
            members += [("fields", own + "hidden"), ("field_count", len(hiding.fields)), ("value_count", hiding.value_count)]
        return text.record_definition("static const kifu__hiding %shiding" % own, members + [("seen_by", own + "seen_by")])

    def turns_record(self):
        turns, members = self.game.turns, []
        if turns.actors:
            members += [("actors", "&" + self.game.description_of(turns.actors.field)),
                        ("actor_offset", "offsetof(%s, actor)" % turns.actors.field.type.c_type)]
        members += [("turns_offset", "offsetof(%s, turns)" % self.game.state_type), ("begin_turn", turns.ids["EBeginTurn"])]
        if turns.actors:
            members.append(("spend_energy", turns.ids["ESpendEnergy"]))
        if turns.timers:
            members += [("timers", "&" + self.game.description_of(turns.timers.field)), ("schedule", turns.ids["ESchedule"])]
        members.append(("timed", "&kifu__timed"))
        if turns.actors:
            members.append(("frames", "&kifu__action_frames"))
        return text.record_definition("static const kifu__turn_rules %s__turns" % self.game.prefix, members)
