"""Fills the templates."""

import hashlib
import re

from . import GENERATED_VERSION, TEMPLATES, names, text
from .model import BOOL, FLAGS, REFERENCES, SCALAR, STRING, STRING_VECTOR, STRUCT, TABLE, TABLE_VECTOR, VECTOR
from .report import Stop


# kifu__scalar of a C type.
SCALARS = {"bool": "KIFU__BOOL", "int8_t": "KIFU__I8", "uint8_t": "KIFU__U8", "int16_t": "KIFU__I16",
           "uint16_t": "KIFU__U16", "int32_t": "KIFU__I32", "uint32_t": "KIFU__U32", "int64_t": "KIFU__I64",
           "uint64_t": "KIFU__U64", "float": "KIFU__F32", "double": "KIFU__F64"}


def environment():
    try:
        import jinja2
    except ImportError as error:
        raise Stop("this Python has no Jinja2: install it (Debian, Ubuntu: apt install python3-jinja2; elsewhere: "
                   "python3 -m pip install jinja2)") from error
    return jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), undefined=jinja2.StrictUndefined,
                              keep_trailing_newline=True, autoescape=False)


def render(templates, name, context):
    """A filled template. Parts of it that came out empty leave no more than one blank line."""
    return re.sub(r"\n{3,}", "\n\n", templates.get_template(name).render(context))


def declare(c_type, name):
    """`int x`, `char *x`."""
    return c_type + ("" if c_type.endswith("*") else " ") + name


def constant(value):
    """An integer constant of C."""
    if value == -2 ** 63:
        return "INT64_MIN"
    return "0x%x" % value if value > 2 ** 31 else str(value)


def fingerprint(game):
    """The first 8 bytes of a SHA-256 over the schema's meaning: all that saves and replays depend on, and no comment."""
    lines = ["kifu 1", "union " + game.union, "rules_version %d" % game.rules_version]

    def inline(each):
        kind = each.enum.name if each.enum else each.struct.name if each.struct else each.c_type
        return "%s %d %d" % (kind, each.size, each.align)

    def describe_struct(struct):
        result = ["struct %s %d %d" % (struct.name, struct.size, struct.align)]
        for field in struct.fields:
            result.append("  %s %d %d %s" % (field.label, field.offset, field.count, inline(field.type)))
        return result

    enums, structs = used(game)
    if game.state:
        for struct in with_inner([game.state]):
            if struct not in structs:
                structs.append(struct)
            for field in struct.fields:
                if field.type.enum and field.type.enum not in enums:
                    enums.append(field.type.enum)
    for enum in sorted(enums, key=lambda each: each.name):
        lines.append("enum %s %d %d %d %s" % (enum.name, enum.size, enum.signed, enum.bit_flags, " ".join(
            str(each.value) for each in enum.values)))
    for struct in sorted(structs, key=lambda each: each.name):
        lines += describe_struct(struct)
    for table in game.tables:
        lines.append("table %s %d" % (table.name, table.size))
        for field in table.fields:
            target = inline(field.inline) if field.inline else field.table.name if field.table else "-"
            lines.append("  %s %s %s %d %d %d%d%d%d %d" % (
                field.label, field.kind, target, field.offset, field.has, field.optional, field.required, field.deprecated,
                field.transient, field.default_bits))
    for event in game.events:
        lines.append("event %d %s %d %d%d%d" % (event.id, event.table.name, event.flags, event.never_undoable,
                                                event.is_player, event.has_check))
        if event.successor:
            lines.append("  superseded by %d" % event.successor.id)
    lines.append("state " + (game.state.name if game.state else "kifu.Game"))
    digest = hashlib.sha256("\n".join(lines).encode("utf-8")).digest()
    return int.from_bytes(digest[:8], "little")


def with_inner(structs):
    """Structs with those they hold, each behind what it holds."""
    result = []

    def add(struct):
        for field in struct.fields:
            if field.type.struct:
                add(field.type.struct)
        if struct not in result:
            result.append(struct)

    for struct in structs:
        add(struct)
    return result


def used(game):
    """Enums and structs that the description of a table needs, in the order of first use."""
    enums, structs = [], []

    def add(item, to):
        if item and item not in to:
            to.append(item)

    for table in game.tables:
        for field in table.fields:
            if field.inline:
                add(field.inline.struct, structs)
                add(field.inline.enum, enums)
        for check in table.checks:
            add(check.enum, enums)
    for struct in structs:
        for check in struct.checks:
            add(check.enum, enums)
    return enums, structs


def described(game):
    """Enums and structs that the generated C describes: those of tables and of the state, structs behind what they hold."""
    enums, structs = used(game)
    structs = with_inner([game.model] + structs)
    for struct in structs:
        for field in struct.fields:
            if field.type.enum and field.type.enum not in enums:
                enums.append(field.type.enum)
    return enums, structs


class Emitter:
    """What the templates need besides the model: C that depends on line width or on several parts of it."""

    def __init__(self, game, schema, stem, bfbs):
        self.game = game
        self.schema = schema
        self.stem = stem
        self.bfbs = bfbs
        self.guard = "".join(each if each.isalnum() else "_" for each in stem).upper() + "_GENERATED_H"
        self.args_tables = args_tables(game)

    # --- Signatures ---

    def arguments(self, table):
        for field in table.stored:
            yield from self.argument(field, field.argument)

    @staticmethod
    def argument(field, name):
        if field.kind == SCALAR:
            yield declare("const %s *" % field.inline.c_type if field.optional else field.inline.c_type, name)
        elif field.kind in (STRUCT, VECTOR):
            yield declare("const %s *" % field.inline.c_type, name)
        elif field.kind in (TABLE, TABLE_VECTOR):
            yield "const %s_args *%s" % (field.table.c_name, name)
        else:
            yield ("const char *" if field.kind == STRING else "const char *const *") + name
        if field.kind in (VECTOR, STRING_VECTOR, TABLE_VECTOR):
            yield "uint32_t %s_count" % name

    def submit_params(self, event):
        return (["kifu_timeline *timeline"] + (["int player"] if event.is_player else [])
                + list(self.arguments(event.table)))

    def state_param(self):
        return "const %s *state" % self.game.state_type

    def check_params(self, event):
        return ["kifu_timeline *timeline", self.state_param(),
                "%s *%s" % (event.table.c_name, event.variable)]

    def do_params(self, event):
        return ["kifu_timeline *timeline", self.state_param(), "const %s *%s" % (event.table.c_name, event.variable)] + (
            ["%s *transient" % event.transient_type] if event.transient else [])

    @staticmethod
    def upcast_params(event):
        return ["kifu_timeline *timeline", "const %s *%s" % (event.table.c_name, event.variable)]

    def act_params(self, event):
        return ["void *context", "kifu_timeline *timeline", self.state_param(),
                "const %s *%s" % (event.table.c_name, event.variable)] + (
                    ["const %s *transient" % event.transient_type] if event.transient else [])

    def subjects_params(self, event):
        return ["const kifu_timeline *timeline", self.state_param(), "const %s *%s" % (event.table.c_name, event.variable),
                "%s *subjects" % event.subjects_type]

    @staticmethod
    def edit_params(edit):
        return ["kifu_timeline *timeline"] + (["kifu_handle handle"] if edit.pool else []) + ["uint32_t " + index.name for index in edit.indices]

    def args_members(self, table):
        """Members of an _args struct, with their comments."""
        for field in table.stored:
            if field.kind == SCALAR:
                if field.optional:
                    yield "bool has_%s" % field.name, [" Whether `%s` is there." % field.name]
                yield declare(field.inline.c_type, field.name), field.doc
            else:
                lines = list(self.argument(field, field.name))
                yield lines[0], field.doc
                for line in lines[1:]:
                    yield line, []

    # --- Bodies ---

    @staticmethod
    def variable(table, source, name):
        """The table's struct, filled from arguments (`source` "") or from an _args struct ("args->")."""
        members = []
        for field in table.stored:
            if field.kind != SCALAR:
                continue
            argument = source + field.name if source else field.argument
            if not field.optional:
                members.append((field.name, argument))
                continue
            absent = constant(field.default) if field.default_bits else "0"
            if source:
                members.append(("has_" + field.name, "%shas_%s" % (source, field.name)))
                members.append((field.name, "%shas_%s ? %s : %s" % (source, field.name, argument, absent)))
            else:
                members.append(("has_" + field.name, argument + " != NULL"))
                members.append((field.name, "%s ? *%s : %s" % (argument, argument, absent)))
        fixed = "" if any(field.kind == STRUCT for field in table.stored) else "const "
        head = "%s%s %s = " % (fixed, table.c_name, name)
        return text.record(members, 4, ";", head) if members else "    %s{0};" % head

    def child(self, table, field, source):
        """The call that adds what a reference leads to."""
        place = "offsetof(%s, %s)" % (table.c_name, field.name)
        value = source + field.name if source else field.argument
        items = ["timeline", "at + (uint32_t)" + place if source else place, value]
        if field.kind in (VECTOR, STRING_VECTOR, TABLE_VECTOR):
            items.append(value + "_count")
        if field.kind == STRING:
            call = "kifu__submit_string("
        elif field.kind == VECTOR:
            call = "kifu__submit_vector("
            # FlatBuffers' alignment, not C's: i386 aligns 8-byte numbers to 4.
            items += ["sizeof(%s)" % field.inline.c_type, str(field.inline.align)]
        elif field.kind == STRING_VECTOR:
            call = self.game.prefix + "__add_strings("
        else:
            call = self.adder(field.table) + ("(" if field.kind == TABLE else "_vector(")
        return text.pack(call, items, ");", 4)

    @staticmethod
    def adder(table):
        namespace, base = names.split(table.name)
        return "%s__add_%s" % (names.prefix(namespace) if namespace else "", names.snake(base))

    def edit_call(self, edit):
        """The call at the end of an edit function: what it is called with."""
        items = ["timeline"]
        if edit.pool:
            items += ["&" + self.pool(edit.pool), "handle"]
        owner = edit.pool.field.type.c_type if edit.pool else self.game.state_type
        items += ["(uint32_t)offset" if edit.offset else "offsetof(%s, %s)" % (owner, edit.member), edit.size]
        call = {(False, False): "kifu__edit_bytes", (False, True): "kifu__edit_scalar", (True, False): "kifu__pool_edit",
                (True, True): "kifu__pool_edit_scalar"}[edit.pool is not None, edit.scalar]
        return text.pack("return (%s *)%s(" % (edit.c_type, call), items, ");", 4)

    def pool(self, pool):
        """The name of a pool's description."""
        return "%s__pool_%s" % (self.game.prefix, pool.field.name)

    @staticmethod
    def act_call(event):
        member = "view->act_" + event.slot
        items = ["base->context", "timeline", "state", "event"] + (["transient"] if event.transient else [])
        line = "        return %s ? %s(%s) : 0;" % (member, member, ", ".join(items))
        if len(line) <= text.WIDTH:
            return line
        return "        if (!%s)\n            return 0;\n%s" % (member, text.pack("return %s(" % member, items, ");", 8))

    # --- Descriptions ---

    @staticmethod
    def description(item, what):
        return "%s__%s" % (item.name.replace(".", "_") if item.name == "bool" else
                           "_".join(names.snake(part) for part in item.name.split(".")), what)

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

    def struct_record(self, struct):
        members = [("name", '"%s"' % struct.name), ("size", struct.size), ("align", struct.align)]
        if struct.checks:
            members += [("checks", self.description(struct, "checks")), ("check_count", len(struct.checks))]
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
        if field.default_bits:
            members.append(("default_bits", constant(field.default_bits)))
        if field.inline and field.inline.enum:
            members.append(("values", "&" + self.description(field.inline.enum, "enum")))
        if field.inline and field.inline.struct:
            members.append(("structure", "&" + self.description(field.inline.struct, "struct")))
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
        members.append(("vtable", "vtables." + table.c_name))
        return text.record_definition("static const kifu__table " + self.description(table, "table"), members)

    def type_record(self, event):
        members = [("table", "&" + self.description(event.table, "table"))]
        if event.transient:
            members.append(("transient_size", "sizeof(%s)" % event.transient_type))
        if event.successor:
            return text.record(members + [("superseded_by", event.successor.id_name)])
        flags = [name for name, bit in FLAGS.items() if event.flags & bit]
        if flags:
            members.append(("flags", " | ".join(flags)))
        members += [(name, "true") for name in ("never_undoable", "is_player", "has_check") if getattr(event, name)]
        if event.scopes:
            members += [("scope_count", len(event.scopes)), ("scopes", self.description(event.table, "scopes"))]
        if event.tags:
            tags = " | ".join(self.tag(each) for each in event.tags)
            members.append(("tags", tags if len(tags) < 90 else "0x%x" % sum(1 << each.index for each in event.tags)))
        return text.record(members)

    def scope(self, scope):
        return ("%s_SCOPE_%s" % (self.game.prefix, scope.name)).upper()

    def tag(self, tag):
        return ("%s_TAG_%s" % (self.game.prefix, tag.name)).upper()

    def turns_record(self):
        turns, members = self.game.turns, []
        if turns.actors:
            members += [("actors", "&" + self.pool(turns.actors)),
                        ("actor_offset", "offsetof(%s, actor)" % turns.actors.field.type.c_type)]
        members += [("turns_offset", "offsetof(%s, turns)" % self.game.state_type), ("begin_turn", turns.ids["EBeginTurn"])]
        if turns.actors:
            members.append(("spend_energy", turns.ids["ESpendEnergy"]))
        if turns.timers:
            members += [("timers", "&" + self.pool(turns.timers)), ("schedule", turns.ids["ESchedule"])]
        members.append(("timed", "&kifu__timed"))
        return text.record_definition("static const kifu__turn_rules turns", members)

    # --- Files ---

    def reading(self):
        return [table for table in self.game.tables if not table.ours and any(field.reference for field in table.stored)]

    def layouts(self):
        """Size and places of every struct that is saved, the runtime's handwritten ones included."""
        structs = with_inner([self.game.model] + self.game.structs + used(self.game)[1])
        result = [(each.c_name, each.size, [m for m in each.members if not m.padding]) for each in structs]
        result += [(each.c_name, each.size, [m for m in each.members if not m.padding]) for each in self.game.tables]
        return result

    def context(self):
        game = self.game
        vtables = sum(len(table.vtable) for table in game.tables)
        padding = -vtables % 4
        built = [event.table for event in game.events if event.submitted] + self.args_tables
        fields = [field for table in built for field in table.stored]
        ahead = args_ahead(self.args_tables)
        enums, structs = described(game)
        blob = self.bfbs + bytes(-len(self.bfbs) % 8)
        words = ["0x%016x," % int.from_bytes(blob[i:i + 8], "little") for i in range(0, len(blob), 8)]
        return {
            "game": game, "schema": self.schema, "header": self.stem + ".h", "guard": self.guard,
            "version": GENERATED_VERSION, "comment": text.comment, "section": text.section, "constant": constant, "pack": text.pack,
            "declare": lambda member: declare(member.c_type, member.name) + ("[%d]" % member.count if member.count else ""),
            "signature": lambda head, items, tail="", indent=0: text.pack(head + "(", items, ")" + tail, indent, call=False),
            "returns": lambda call, items, tail, indent=4: text.pack("return " + call, items, tail, indent),
            "row": lambda head, values, tail: text.row(head, [str(each) for each in values], tail),
            "reading": self.reading, "submit_params": self.submit_params, "check_params": self.check_params,
            "edit_call": self.edit_call, "pool": self.pool, "scope": self.scope, "tag": self.tag, "tag_labels": ['"%s"' % each.label for each in game.tags], "subjects_params": self.subjects_params,
            "turns_record": self.turns_record, "do_params": self.do_params,
            "upcast_params": self.upcast_params, "act_params": self.act_params, "edit_params": self.edit_params,
            "args_tables": self.args_tables, "args_ahead": ahead, "args_members": self.args_members,
            "recursive": bool(ahead), "variable": self.variable, "child": self.child,
            "adder": self.adder, "act_call": self.act_call, "description": self.description, "values": self.values,
            "labels": self.labels, "enum_record": self.enum_record, "check_record": self.check_record,
            "member_record": self.member_record, "struct_record": self.struct_record,
            "field_record": self.field_record, "table_record": self.table_record, "type_record": self.type_record,
            "string_vectors": any(field.kind == STRING_VECTOR for field in fields),
            "vectors": [field.table for field in fields if field.kind == TABLE_VECTOR],
            "single": [field.table for field in fields if field.kind == TABLE],
            "transients": any(event.transient for event in game.events), "layouts": self.layouts(),
            "vtable_padding": padding, "vtables_size": 2 * (vtables + padding), "described_enums": enums,
            "described_structs": structs, "bfbs_size": len(self.bfbs),
            "bfbs": [" ".join(words[i:i + 6]).rstrip() for i in range(0, len(words), 6)],
        }

    def files(self):
        """The generated header and source."""
        templates = environment()
        context = self.context()
        return {self.stem + ending: render(templates, "game%s.j2" % ending, context) for ending in (".h", ".c")}

    def stubs(self):
        """A file for each event whose Do, or upcast, the game writes: name and content."""
        templates = environment()
        context = self.context()
        files = {"do_%s.c" % event.slot: render(templates, "stub.c.j2", dict(context, event=event))
                 for event in self.game.current if not event.library_do}
        for event in self.game.superseded:
            files["upcast_%s.c" % event.slot] = render(templates, "stub_upcast.c.j2", dict(context, event=event))
        return files


def args_tables(game):
    """Tables that are submitted as part of another one, what they hold first."""
    result, open_ = [], []

    def add(table):
        if table in result or table in open_:
            return
        open_.append(table)
        for field in table.stored:
            if field.table:
                add(field.table)
        open_.remove(table)
        result.append(table)

    for event in game.events:
        for field in event.table.stored if event.submitted else []:
            if field.table:
                add(field.table)
    return result


def args_ahead(tables):
    """_args structs that are named before they are defined."""
    result = []
    for i, table in enumerate(tables):
        for field in table.stored:
            if field.table and field.table in tables[i:] and field.table.c_name + "_args" not in result:
                result.append(field.table.c_name + "_args")
    return result
