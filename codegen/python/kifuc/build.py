"""From flatc's reflection to the game: what a schema may say is turned into C's terms, the rest is refused."""

import contextlib
import re
import struct as binary

from . import attributes, counts, edits, hiding, hooks, layout, names, pools, reflection as r, symbols, tags, upcasts, words
from .model import (BOOL, REFERENCES, SCALAR, STRING, STRING_VECTOR, STRUCT, TABLE, TABLE_VECTOR, VECTOR, VECTORS,
                    Constant, Enum, Event, Field, Game, Inline, Struct, StructField, Table)
from .names import is_ours

_C_TYPES = {r.BOOL: "bool", r.BYTE: "int8_t", r.UBYTE: "uint8_t", r.SHORT: "int16_t", r.USHORT: "uint16_t",
            r.INT: "int32_t", r.UINT: "uint32_t", r.LONG: "int64_t", r.ULONG: "uint64_t", r.FLOAT: "float",
            r.DOUBLE: "double"}
# What schema/kifu.fbs declares and the runtime's headers define under another name than the rule gives.
_OURS = {"kifu.Player": "kifu_player_info", "kifu.Mark": "kifu__mark", "kifu.MarkFlags": "uint8_t"}
# Of a struct: a save holds the whole state in one FlatBuffer, with room for what else is in it.
_MOST_BYTES = 10 ** 9
_DEEPEST = 64
# Names of parameters and variables in generated functions.
_TAKEN = {"timeline", "player", "state", "transient", "context", "index", "subjects", "verdict",
          "result", "tried", "none", "is_short"}
# Those of functions that try an event.
_OF_TRIES = ("verdict", "tried", "none", "is_short")

# What else there is in C under the name of a table, besides functions that read its fields.
_OF_TABLES = {"args", "defaults", "transient", "subjects"}


def find_union(schema, sources, report):
    """The union that is the game: the one called Event, of several that of the given file."""
    unions = [each for each in schema.enums if each.is_union and names.split(each.name)[1] == "Event"]
    here = [each for each in unions if sources.place(each.name)[0] == sources.main]
    if len(here) > 1 or (not here and len(unions) > 1):
        for each in here or unions:
            report.error(sources.place(each.name), "there are several unions called Event, and a game has one: keep one in "
                                                   "the file given to kifuc")
    elif not unions:
        report.error((sources.main, 1), "there is no `union Event`: it lists the game's events, as in\n"
                                        "    union Event { kifu.EResetGame, kifu.EAddPlayer, PTake }")
    report.flush()
    union = (here or unions)[0]
    if "." not in union.name:
        report.error(sources.place(union.name), "`union Event` is in no namespace: the game is called by it. Write "
                                                "`namespace your_game;` above")
    elif not any(each.value for each in union.values):
        report.error(sources.place(union.name), "`union Event` is empty: list the game's events, as in\n"
                                                "    union Event { kifu.EResetGame, kifu.EAddPlayer, PTake }")
    if not any(each.name == "kifu.Mark" for each in schema.objects):
        report.error((sources.main, 1), "the kifu.fbs that this includes is not Kifu's; give your file another name")
    report.flush()
    return union


class Builder:
    def __init__(self, schema, sources, report, prefix=""):
        """`prefix`: of the game's names in C."""
        self.schema = schema
        self.prefix = prefix
        self.sources = sources
        self.report = report
        self.enums, self.structs, self.tables = {}, {}, {}
        self.scopes, self.tags = {}, {}  # By name in C, in the order of first use.
        self.depth = 0  # How many types are being built, each inside the one before.
        self.taken = self.declared() | {"vtable_"}

    def error(self, name, member, message, attribute=""):
        self.report.error(self.sources.place(name, member, attribute), message)

    def declared(self):
        """Names in C that no field has, because functions with a parameter for each field use them."""
        result = {"%s_%s" % (self.prefix, each) for each in ("view", "rules")}
        result |= {"%s__%s" % (self.prefix, each) for each in symbols.OF_THE_SOURCE}
        for each in self.schema.objects + self.schema.enums:
            name = self.c_name(each.name)
            result |= {name, name + "_args", name + "_transient", name + "_subjects"}
            result |= {"%s__%s" % (name, each) for each in symbols.OF_TYPES}
            adder = names.adder(each.name, self.prefix)
            result |= {adder, adder + "_vector"}
        return result

    @contextlib.contextmanager
    def inside(self, source):
        """While a type is built: refuses types that hold each other too deeply."""
        if self.depth == _DEEPEST:
            self.error(source.name, "", "this is inside %d other types, each in the next, and Kifu allows %d; put some of them "
                                        "beside each other" % (_DEEPEST, _DEEPEST))
            self.report.flush()
        self.depth += 1
        yield
        self.depth -= 1

    # --- Types ---

    def c_name(self, name):
        """The C name of a type."""
        if name in _OURS:
            return _OURS[name]
        result = names.in_c(name, self.prefix)
        if name.startswith("kifu.") and name.count(".") > 1:  # The runtime's own, as schema/save.fbs has them.
            result = result.replace("kifu_", "kifu__", 1)
        return result

    def enum(self, index):
        source = self.schema.enums[index]
        if source.name not in self.enums:
            base = source.underlying.base
            prefix = self.c_name(source.name).upper()
            values = [Constant("%s_%s" % (prefix, names.snake(each.name).upper()), each.name, each.value,
                               each.documentation) for each in source.values]
            if base == r.ULONG:
                for each in values:
                    each.value &= 2 ** 64 - 1
            self.enums[source.name] = Enum(
                source.name, self.c_name(source.name), "uint8_t" if base == r.BOOL else _C_TYPES[base], r.SIZES[base],
                base in r.SIGNED, "bit_flags" in source.attributes, values, source.documentation, is_ours(source.name))
        return self.enums[source.name]

    def scalar(self, base, index):
        enum = self.enum(index) if index >= 0 else BOOL if base == r.BOOL else None
        return Inline(enum.c_name if enum else _C_TYPES[base], r.SIZES[base], r.SIZES[base], enum)

    def inline(self, base, index):
        """The type of a scalar or struct; None for anything else."""
        if base in r.SCALARS:
            return self.scalar(base, index)
        if base == r.OBJ and self.schema.objects[index].is_struct:
            struct = self.struct(self.schema.objects[index])
            return Inline(struct.c_name, struct.size, struct.align, None, struct)
        return None

    def struct(self, source):
        if source.name in self.structs:
            return self.structs[source.name]
        struct = Struct(source.name, self.c_name(source.name), [], source.bytesize, source.minalign, source.documentation,
                        is_ours(source.name))
        natural = 1
        for each in source.fields:
            array = each.type.base == r.ARRAY
            with self.inside(source):
                inner = self.inline(each.type.element if array else each.type.base, each.type.index)
            struct.fields.append(StructField(self.member_name(source.name, each.name), each.name, inner,
                                             each.type.fixed_length if array else 0, each.offset, each.documentation,
                                             hiding.secrecy(each)))
            natural = max(natural, inner.align)
        if natural != source.minalign:
            self.error(source.name, "", "`force_align: %d` is more than the members need, which Kifu does not support; "
                                        "remove it" % source.minalign, "force_align")
        if source.bytesize > _MOST_BYTES and all(each.type.size <= _MOST_BYTES for each in struct.fields):
            self.error(source.name, "", "this struct has %s bytes, and Kifu allows %s, so that a state fits into a save; make "
                       "its arrays shorter" % (format(source.bytesize, ","), format(_MOST_BYTES, ",")))
        layout.lay_out_struct(struct)
        self.unique_members(source.name, struct.members)
        self.structs[source.name] = struct
        return struct

    def table(self, source):
        if source.name in self.tables:
            return self.tables[source.name]
        table = Table(source.name, self.c_name(source.name), [], source.documentation, is_ours(source.name))
        table.variable = names.unused(names.variable(names.split(source.name)[1]), self.taken, _TAKEN)
        self.tables[source.name] = table  # Before its fields: tables may hold themselves.
        with self.inside(source):
            table.fields = [each for each in (self.field(source, field) for field in source.fields) if each]
        if not self.report.errors:
            layout.lay_out_table(table)
            self.unique_members(source.name, table.members)
            if table.size > 65535:
                self.error(source.name, "", "this table's inline part is %d bytes, and FlatBuffers allows 65,535; put the "
                                            "large part into a vector" % table.size)
            if len(table.vtable) > 32767:
                self.error(source.name, "", "this table has %d fields, and FlatBuffers allows 32,765; put some of them into a "
                                            "table of their own" % (len(table.vtable) - 2))
        return table

    # --- Fields ---

    def member_name(self, owner, name, kind=None):
        """The name in C of a field, of a table if it has a kind."""
        result = names.member(name, self.taken)
        counted = kind in VECTORS and result + "_count" in self.taken
        if counted or kind in REFERENCES and result in _OF_TABLES:
            result += "_"
        if words.of_compilers(result):
            self.error(owner, name, "`%s` begins with two underscores, as only names of compilers do; begin it with a letter" %
                       name)
        return result

    def unique_members(self, owner, members):
        seen = set()
        for each in members:
            if each.name in seen:
                self.error(owner, each.name, "two members of this are called `%s` in C (fields become snake_case; has_… "
                                             "is Kifu's); rename one" % each.name)
            seen.add(each.name)

    def field(self, owner, source):
        def error(message):
            self.error(owner.name, source.name, message)

        base, element = source.type.base, source.type.element
        kind, inline, target = None, self.inline(base, source.type.index), None
        if inline:
            kind = STRUCT if inline.struct else SCALAR
        elif base == r.STRING:
            kind = STRING
        elif base == r.OBJ:
            kind = TABLE
        elif base == r.VECTOR:
            inline = self.inline(element, source.type.index) if element not in (r.UTYPE, r.UNION) else None
            kind = VECTOR if inline else {r.STRING: STRING_VECTOR, r.OBJ: TABLE_VECTOR}.get(element)
        if base in (r.UTYPE, r.UNION) or element in (r.UTYPE, r.UNION):
            if base == r.UNION or element == r.UNION:
                error("`%s` is a union, and an event cannot hold one; use a table with one field per case, or an event "
                      "type per case" % source.name)
            return None
        if not kind:
            error("`%s` is of a type that Kifu does not support; use scalars, enums, structs, strings, tables, and vectors "
                  "of these" % source.name)
            return None
        if inline and inline.size > 65535:
            error("the struct of `%s` is %d bytes, and Kifu allows 65,535 in an event; use a vector" %
                  (source.name, inline.size))
        if kind in (TABLE, TABLE_VECTOR):
            nested = self.schema.objects[source.type.index]
            for attribute in ("engine", "player"):
                if attribute in nested.attributes:
                    error("`%s` is an event (%s), and events do not hold events; submit it as a consequence, or give the "
                          "common part a table of its own" % (nested.name, attribute))
                    return None
            target = self.table(nested)
        transient = "transient" in source.attributes
        name = names.snake(source.name) if source.deprecated else self.member_name(owner.name, source.name, kind)
        result = Field(name, source.name, kind, inline, target, source.id,
                       kind == SCALAR and source.optional, source.required, source.deprecated, transient, 0, 0,
                       source.documentation, hiding.secrecy(source))
        if kind == SCALAR:
            self.default(owner, result, source)
        if source.required and source.deprecated:
            error("`%s` is deprecated and required: new events cannot have it, and would be invalid without it; remove "
                  "`required`" % source.name)
        if "force_align" in source.attributes:
            error("`force_align` on a vector is not supported; remove it")
        if transient:
            self.check_transient(owner, result, error)
        if result.secrecy and not _is_event(owner):
            self.error(owner.name, source.name, "`%s` is for a whole field of an event, and %s is a table in one; write it "
                       "behind the event's field that contains it" % (result.secrecy, owner.name), result.secrecy)
        return result

    def default(self, owner, field, source):
        inline = field.inline
        if source.type.base in (r.FLOAT, r.DOUBLE):
            field.default = source.default_real
            try:
                field.default_bits = int.from_bytes(binary.pack("<f" if inline.size == 4 else "<d", field.default), "little")
            except OverflowError:
                self.error(owner.name, source.name, "%r is more than a float can be (3.4e38): use a double" % field.default)
            return
        if source.type.base == r.BOOL and source.default_integer not in (0, 1):
            self.error(owner.name, source.name, "a bool is true or false, and not %d" % source.default_integer)
        field.default = source.default_integer
        if source.type.base == r.ULONG and not field.default and not field.optional:
            self.check_lost_default(owner, source, inline.enum)
        if field.optional and inline.enum and not inline.enum.has(0):
            field.default = inline.enum.values[0].value  # What the member holds while has_… is false must be valid, too.
        field.default_bits = field.default & (2 ** (8 * inline.size) - 1)

    def check_lost_default(self, owner, source, enum):
        """Of a ulong's default above 2^63 - 1, flatc 2.0.8 makes 0."""
        said = self.sources.declarations[owner.name][1].defaults.get(source.name, "0")
        large = {each.label for each in enum.values if each.value >= 2 ** 63} if enum else set()
        if large & set(re.findall(r"\w+", said)) or re.fullmatch(r"(0[xX])?[0-9a-fA-F]*[1-9a-fA-F][0-9a-fA-F]*", said):
            self.error(owner.name, source.name, "flatc reads this default as 0: of a ulong, it can be at most "
                       "9,223,372,036,854,775,807. Write `= null`, and let Do use %s where the field is absent" % said)

    def check_transient(self, owner, field, error):
        if field.kind not in (SCALAR, STRUCT):
            error("`%s` is transient, and must be a scalar, an enum or a struct, because nothing would free other types"
                  % field.label)
        elif field.deprecated or field.required or field.optional:
            error("`%s` is transient: never saved, and zero until Do sets it. Remove `%s`" %
                  (field.label, "deprecated" if field.deprecated else "required" if field.required else "= null"))
        elif field.default_bits:
            error("`%s` is transient: it is zero until Do sets it. Remove its default" % field.label)
        if not ("engine" in owner.attributes or "player" in owner.attributes):
            error("`%s` is transient, but `%s` is no event: only an event's own fields can be" % (field.label, owner.name))

    # --- The game ---

    def game(self, union):
        attributes.check_all(self.report, self.sources, self.schema)
        namespace = names.split(union.name)[0]
        overrides = self.overrides(union)
        events = [each for each in (self.event(union, value, overrides) for value in union.values if value.value) if each]
        self.check_members(union)
        upcasts.resolve(self.schema, events, self.report, self.sources)
        tags.warn_of_misspelt(events, self.sources, self.report)
        source = self.state()
        state = self.struct(source) if source else None
        pools.check_places(self.schema, source, self.report, self.sources)
        its_pools = pools.of(self.schema, source, state, self.report, self.sources) if source else []
        turns = pools.turn_rules(self.schema, source, its_pools, union, events, self.report, self.sources)
        hides = hiding.of(self.schema, self.sources, self.report, state, its_pools, events)
        model = state or self.struct(next(each for each in self.schema.objects if each.name == "kifu.Game"))
        # All enums and structs of the game's own files, used in an event or not: they are its vocabulary.
        for each in self.schema.objects:
            if each.is_struct and not is_ours(each.name):
                self.struct(each)
        for index, each in enumerate(self.schema.enums):
            if not each.is_union and not is_ours(each.name):
                self.enum(index)
        version = union.attributes.get("rules_version", "1")
        if not version.isdigit() or not 0 < int(version) < 2 ** 32:
            self.error(union.name, "", '`rules_version` is a number from 1, not "%s"' % version, "rules_version")
        most = union.attributes.get("max_players", "16")
        if most != "0" and (not most.isdigit() or not 0 < int(most) <= 16):  # "0" has no value: attributes.py reports it.
            self.error(union.name, "", '`max_players` is a number from 1 to 16, not "%s"' % most, "max_players")
        self.report.flush()

        tables = list(dict.fromkeys(event.table for event in events))
        for table in tables:  # Grows.
            tables += dict.fromkeys(field.table for field in table.fields if field.table and field.table not in tables)
        self.check_required(tables)
        layout.align_deeply(tables)
        for event in events:
            if not event.successor:  # Nobody fills them any more.
                layout.lay_out_transient(event)
            size = sum(each.size for each in event.transient)
            if size > 65535:
                self.error(event.table.name, "", "the transient fields of this event are %d bytes, and Kifu allows 65,535; "
                                                 "tell Act where in the state to look instead" % size)
        self.report.flush()
        players = {event.table for event in events if event.is_player}
        listed = {event.table for event in events if event.listed}
        built = {event.table for event in events}
        for table in tables:
            self.arguments(table, ("timeline",) + _OF_TRIES + (("player",) if table in players else ()) +
                           (("into",) if table in built else ()) + (("moves",) if table in listed else ()))
        order = self.sources.order
        game = Game(namespace, names.prefix(namespace), union.name, int(version), int(most),
                    sorted((each for each in self.enums.values() if not each.ours), key=lambda each: order(each.name)),
                    self.sorted_structs(), tables, events, state, model, pools=its_pools, turns=turns,
                    scopes=list(self.scopes.values()), tags=list(self.tags.values()),
                    hiding=hides)
        counts.name_all(game)
        if state:
            game.edits = edits.of(game)
        return game

    def sorted_structs(self):
        """Each behind those it holds, otherwise as in the schema."""
        result = []

        def add(struct):
            for field in struct.fields:
                if field.type.struct:
                    add(field.type.struct)
            if struct not in result and not struct.ours:
                result.append(struct)

        for struct in sorted(self.structs.values(), key=lambda each: self.sources.order(each.name)):
            add(struct)
        return result

    def overrides(self, union):
        result = [each for each in union.attributes.get("overrides", "").split() if each != "0"]
        members = [self.schema.objects[each.type.index].name for each in union.values
                   if each.type and each.type.base == r.OBJ]
        for name in result:
            if "kifu." + name not in [each.name for each in self.schema.objects if _is_event(each)]:
                self.error(union.name, "", "`overrides` names `%s`, which is no standard event; they are %s" % (
                    name, ", ".join(names.split(each.name)[1] for each in self.schema.objects
                                    if is_ours(each.name) and _is_event(each))), "overrides")
            elif "kifu." + name not in members:
                self.error(union.name, "", "`overrides` names `%s`, which is not in the union; add kifu.%s at its end" %
                           (name, name), "overrides")
        return result

    def event(self, union, value, overrides):
        if value.type.base != r.OBJ or self.schema.objects[value.type.index].is_struct:
            what, name = ("a string", value.name) if value.type.base != r.OBJ else (
                "a struct", self.schema.objects[value.type.index].name)
            self.error(union.name, value.name, "`%s` is %s, and an event is a table; write table %s (engine) { … }" %
                       (name, what, names.split(name)[1]))
            return None
        source = self.schema.objects[value.type.index]
        namespace, base = names.split(source.name)
        if is_ours(source.name) and not _is_event(source):
            self.error(union.name, value.name, "`%s` is no event; the standard events are %s" % (source.name, ", ".join(
                each.name for each in self.schema.objects if is_ours(each.name) and _is_event(each))))
            return None
        is_player, flags, never, check = attributes.event_flags(
            self.report, lambda attribute: self.sources.place(source.name, "", attribute), source.attributes)
        if base[:1] in ("E", "P") and base[1:2].isupper() and (base[0] == "P") != is_player and _is_event(source):
            self.report.warning(self.sources.place(source.name), "%s is %s event, and %s… is the prefix of the other kind; "
                                "call it %s%s, or change the attribute" % (
                                    base, "a player" if is_player else "an engine", base[0], "P" if is_player else "E",
                                    base[1:]))
        table = self.table(source)
        game = names.split(union.name)[0]
        own = is_ours(source.name) or namespace in ("", game)
        short = names.snake(base) if own else table.c_name
        scopes = hooks.scopes_of(source, self.sources.place(source.name, "", "hooks"), self.report, self.scopes)
        its_tags = tags.tags_of(source, self.sources.place(source.name, "", "tags"), self.report, self.tags)
        return Event(table, value.value, names.prefix(game), short, is_player, flags, never, check,
                     is_ours(source.name) and base not in overrides, table.variable, scopes, its_tags,
                     listed="listed" in source.attributes)

    def check_members(self, union):
        seen = set()
        for value in union.values:
            if not value.value or value.type.base != r.OBJ:
                continue
            name = self.schema.objects[value.type.index].name
            if name in seen:
                self.error(union.name, value.name, "%s is in the union twice, and an event has one id; remove one" % name)
            seen.add(name)
        for source in self.schema.objects:
            if source.is_struct or is_ours(source.name):
                continue
            if _is_event(source) and source.name not in seen:
                self.warn_of_unused(source, names.split(union.name)[0])
            elif "hooks" in source.attributes and source.name not in seen:
                self.error(source.name, "", "%s is no event, so nothing calls its hooks; remove `hooks`" % source.name, "hooks")
            elif "tags" in source.attributes and source.name not in seen:
                self.error(source.name, "", "%s is no event, so nothing follows its tags; remove `tags`" % source.name, "tags")
            elif "listed" in source.attributes and source.name not in seen:
                self.error(source.name, "", "%s is no event, so it cannot be listed; remove `listed`" % source.name, "listed")
            elif "seen_by" in source.attributes and source.name not in seen:
                self.error(source.name, "", "%s is no event; write `seen_by` behind the event that contains it" %
                           source.name, "seen_by")

    def warn_of_unused(self, event, namespace):
        """Warns of an event that is not in the union. Of a file that several games include, each game may have others."""
        place = self.sources.place(event.name)
        if place[0] == self.sources.main or names.split(event.name)[0] == namespace:
            kind = "player" if "player" in event.attributes else "engine"
            self.report.warning(place, "%s is not in `union Event`, so it can never happen: if it is new, add it at the union's "
                                "end; if it was there before, put it back in its old place; if it is no event, remove (%s)" %
                                (event.name, kind))

    def state(self):
        """The declaration of the state; None: there is none."""
        states = [each for each in self.schema.objects if "state" in each.attributes and each.is_struct
                  and not is_ours(each.name)]
        here = [each for each in states if self.sources.place(each.name)[0] == self.sources.main]
        chosen = here or states
        for each in chosen[1:]:
            self.error(each.name, "", "a game has one state, and %s is (state), too; remove one" % chosen[0].name, "state")
        if not chosen:
            self.warn_of_unmarked_state()
            return None
        source = chosen[0]
        first = source.fields[0]
        if first.name != "game" or first.type.base != r.OBJ or self.schema.objects[first.type.index].name != "kifu.Game":
            self.error(source.name, first.name, "the first field of the state must be `game: kifu.Game;`")
        return source

    def warn_of_unmarked_state(self):
        for each in self.schema.objects:
            if each.is_struct and not is_ours(each.name) and pools.holds_game(self.schema, each):
                tell = self.report.error if any("pool" in field.attributes for field in each.fields) \
                    else self.report.warning
                tell(self.sources.place(each.name), "%s holds a kifu.Game, and is not the game's state: "
                     "write `struct %s (state)`" % (each.name, each.name.split(".")[-1]))

    def check_required(self, tables):
        """Refuses a table that requires one of its own kind, or of a kind that does: it would have no end."""
        def needed(table):
            return [field.table for field in table.stored if field.required and field.kind == TABLE]

        for table in tables:
            for field in table.stored:
                reached = [field.table] if field.required and field.kind == TABLE else []
                for each in reached:  # Grows.
                    reached += [inner for inner in needed(each) if inner not in reached]
                if table in reached:
                    self.error(table.name, field.label, "a %s would need another one in its `%s`, and that one, too, without an "
                                                        "end; remove `required`" % (table.name, field.label))
        self.report.flush()

    def arguments(self, table, others):
        """Names of the arguments of a submit function, which has `others` besides, or of the members of an _args struct."""
        taken = {}
        for field in table.stored:
            field.argument = field.name + "_" if field.name in others else field.name
            wanted = [field.argument]
            if field.kind in VECTORS:
                wanted.append(field.argument + "_count")
            if field.optional:
                wanted.append("has_" + field.name)
            for name in wanted:
                if name in taken:
                    self.error(table.name, field.label, "two arguments would be called `%s`: a vector `x` comes with its "
                               "length `x_count`, an optional number with `has_x`; rename `%s`" % (name, field.label))
                taken[name] = field
        table.variable = names.unused(table.variable, self.taken, _TAKEN, taken)
        self.report.flush()


def _is_event(source):
    return "engine" in source.attributes or "player" in source.attributes

