"""Fills the templates."""

from struct import unpack

from . import GENERATED_VERSION, counts, defaults, enum_names, text
from .bodies import Bodies
from .descriptions import Descriptions
from .files import Files, sealed
from .model import STRING_VECTOR, TABLE, TABLE_VECTOR
from .signatures import Signatures, submit_doc
from .templates import environment, render
from .uses import args_tables, described, recursive, used, with_inner


class Emitter:
    """What the templates need besides the model: C that depends on line width or on several parts of it."""

    def __init__(self, game, schema, stem, sources):
        self.game = game
        self.schema = schema
        self.stem = stem
        self.headers = Files(game, sources, stem)
        self.args_tables = args_tables(game)
        self.signatures = Signatures(game)
        self.bodies = Bodies(game)
        self.descriptions = Descriptions(game)

    def layouts(self):
        """The structs that are saved, but for the runtime's own, whose places it asserts itself (core/layout.c)."""
        structs = with_inner([self.game.model] + self.game.structs + used(self.game)[1])
        return [each for each in structs + self.game.tables if not each.ours]

    def context(self):
        """What all templates use."""
        signatures, bodies = self.signatures, self.bodies
        return {
            "game": self.game, "schema": self.schema, "version": GENERATED_VERSION, "comment": text.comment,
            "section": text.section, "constant": text.constant, "pack": text.pack, "assign": text.assign,
            "declare": lambda member: text.declare(member.c_type, member.name) + (
                "[%s]" % (member.count_name or member.count) if member.count else ""),
            "signature": lambda head, items, tail="", indent=0: text.pack(head + "(", items, ")" + tail, indent, call=False),
            "conditions": lambda conditions: text.pack("return ", conditions.split(" && "), ";", 4, " &&", False),
            "returns": lambda call, items, tail, indent=4: text.pack("return " + call, items, tail, indent),
            "row": lambda head, values, tail: text.row(head, [str(each) for each in values], tail),
            "submit_params": signatures.submit_params,
            "submit_arguments": signatures.submit_arguments, "check_params": signatures.check_params,
            "do_params": signatures.do_params, "upcast_params": signatures.upcast_params, "act_params": signatures.act_params,
            "subjects_params": signatures.subjects_params,
            "named_params": signatures.named_params, "named_arguments": signatures.named_arguments,
            "build_params": signatures.build_params, "build_items": signatures.build_items,
            "add_params": signatures.add_params, "add_items": signatures.add_items, "list_params": signatures.list_params, "sees_params": signatures.sees_params,
            "args_members": signatures.args_members,
            "variable": bodies.variable, "from_arguments": bodies.from_arguments, "is_short": bodies.is_short, "valid": bodies.valid,
            "field_params": signatures.field_params, "field_arguments": signatures.field_arguments, "filled": bodies.filled, "child": bodies.child, "adder": bodies.adder,
            "act_call": bodies.act_call, "submit_doc": submit_doc, "counts": counts, "defaults": defaults,
            "enum_names": enum_names,
        }

    def source_context(self, bfbs, unity):
        """What the source uses besides."""
        game, descriptions, bodies = self.game, self.descriptions, self.bodies
        vtables = sum(len(table.vtable) for table in game.tables)
        padding = -vtables % 4
        built = [event.table for event in game.events if event.submitted] + self.args_tables
        fields = [field for table in built for field in table.stored]
        enums, structs = described(game)
        blob = bfbs + bytes(-len(bfbs) % 8)
        words = ["0x%016x," % each for each in unpack("<%dQ" % (len(blob) // 8), blob)]
        return {
            "unity": unity, "header": self.headers.game_header.path, "turns_record": descriptions.turns_record,
            "args_tables": self.args_tables, "recursive": recursive(self.args_tables),
            "description": descriptions.description, "values": descriptions.values,
            "labels": descriptions.labels, "enum_record": descriptions.enum_record,
            "checks": descriptions.checks, "check_record": descriptions.check_record,
            "member_record": descriptions.member_record, "struct_record": descriptions.struct_record, "field_record": descriptions.field_record,
            "table_record": descriptions.table_record, "type_record": descriptions.type_record,
            "string_vectors": any(field.kind == STRING_VECTOR for field in fields),
            "vectors": [field.table for field in fields if field.kind == TABLE_VECTOR],
            "single": [field.table for field in fields if field.kind == TABLE],
            "quoted": lambda items: ['"%s"' % each.label for each in items],
            "hidden_record": descriptions.hidden_record, "seen_by_record": descriptions.seen_by_record,
            "hiding_record": descriptions.hiding_record, "masking": bodies.masking, "seeing": bodies.seeing,
            "transients": any(event.transient for event in game.events), "layouts": self.layouts(),
            "vtable_padding": padding, "vtables_size": 2 * (vtables + padding), "described_enums": enums,
            "described_structs": structs, "bfbs_size": len(bfbs),
            "bfbs": [" ".join(words[i:i + 6]).rstrip() for i in range(0, len(words), 6)],
        }

    def names(self):
        """Those of `files`."""
        return [header.path for header in self.headers.all] + [self.stem + ".c"]

    def files(self, bfbs, unity=False):
        """The generated headers and source: name below the output folder, and content. `unity`: the game's functions are
        compiled with the source."""
        templates = environment(self.context())
        result = {}
        for header in self.headers.all:
            filled = render(templates, header.template, {
                **header.content, "guard": header.guard or "@GUARD@", "kifu": header.kifu, "includes": header.lines()})
            result[header.path] = filled if header.guard else sealed(filled, header)
        result[self.stem + ".c"] = render(templates, "game.c.j2", self.source_context(bfbs, unity))
        return result

    def stub(self, event, missing):
        """Functions that the game writes for an event: those named in `missing`."""
        return render(environment(self.context()), "stub_upcast.c.j2" if event.successor else "stub.c.j2",
                      {"header": self.headers.event, "event": event, "missing": missing})

    def sees(self, hidden):
        """The function that says who sees a hidden field of the state."""
        return render(environment(self.context()), "stub_sees.c.j2", {"hidden": hidden})

    def act(self, event):
        """An Act that shows nothing yet."""
        return render(environment(self.context()), "stub_act.c.j2", {"event": event})

    def act_words(self, events, there=()):
        """Acts that print: the headers that they need, and their code. `there`: functions that are there already."""
        from . import printing  # Only `kifuc stubs` needs it.
        printed = printing.Printed(events)
        return (["<inttypes.h>"] if printing.uses_64_bits(events, printed) else []) + ["<stdio.h>"], render(
            environment(self.context()), "act_words.c.j2",
            {"printing": printing, "printed": printed, "events": events, "there": there})

    def view(self, events, quiet):
        """The file of a view that prints, the game's from then on."""
        headers, code = self.act_words(events)
        return render(environment(self.context()), "view.c.j2", {
            "system_headers": headers, "header": self.headers.game_header.path, "quiet": quiet, "acts": code})
