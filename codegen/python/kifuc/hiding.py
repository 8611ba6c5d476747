"""What a game hides: fields of its state and of its events, and who sees them."""

from . import names, words
from .layout import checks_of
from .model import BOOL, SCALAR, SECRECIES, Hidden, Hiding
from .pools import holds_game

# What Kifu itself reads of every state.
_NEEDED = ["kifu." + each for each in ("Game", "Turns", "Slot", "Actor", "Timer")]
# Names that the generated functions have besides indices.
_TAKEN = {"state", "seen", "viewer", "bits", "value", "of", "to"}
_INTEGERS = {"int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"}


def secrecy(source):
    """What a field's declaration says: "hidden", "secret", or ""."""
    return next((each for each in SECRECIES if each in source.attributes), "")


def of(schema, sources, report, state, pools, events):
    """What the game hides; None: nothing of its own. `state`: the struct, or None."""
    finder = _Finder(schema, sources, report)
    finder.check_structs(state, pools)
    for event in events:
        if not event.successor:
            finder.event(event)
    fields = finder.fields(state) if state and not report.errors else []
    own = any(each.secrecy for event in events if not event.table.ours for each in event.table.fields)
    return Hiding(fields) if fields or own else None


class _Finder:
    def __init__(self, schema, sources, report):
        self.schema = schema
        self.sources = sources
        self.report = report
        self.declared = {each.name: each for each in schema.objects}

    def error(self, name, member, message, attribute=""):
        self.report.error(self.sources.place(name, member, attribute), message)

    def without_zero(self, inline):
        """The first enum in a type that has no value 0, or None."""
        checks = [inline.enum] if inline.enum else [each.enum for each in checks_of(inline.struct)] if inline.struct else []
        return next((each for each in checks if each is not BOOL and not each.has(0)), None)

    # --- The state ---------------------------------------------------------------------------------------------------

    def check_structs(self, state, pools):
        if not state and self.state_is_unmarked():
            return
        inside, waiting = [], [state] if state else []
        for struct in waiting:  # Grows.
            inside.append(struct)
            waiting += [each.type.struct for each in struct.fields if each.type.struct and each.type.struct not in waiting]
        for source in self.declared.values():
            if not source.is_struct or names.is_ours(source.name):
                continue
            struct = next((each for each in inside if each.name == source.name), None)
            for field in source.fields:
                if secrecy(field):
                    self.check_struct_field(source, field, struct, pools)

    def state_is_unmarked(self):
        """Whether the state is there and not marked; says so where it hides something."""
        structs = [each for each in self.declared.values() if each.is_struct and not names.is_ours(each.name)]
        state = next((each for each in structs if holds_game(self.schema, each)), None)
        hides = next(((each, field) for each in structs for field in each.fields if secrecy(field)), None)
        if state and hides:
            self.error(hides[0].name, hides[1].name, "`%s` is %s, which is for the game's state, and (state) is missing: write "
                       "`struct %s (state)`" % (hides[1].name, secrecy(hides[1]), names.split(state.name)[1]),
                       secrecy(hides[1]))
        return bool(state)

    def check_struct_field(self, source, field, struct, pools):
        attribute = secrecy(field)

        def error(message):
            self.error(source.name, field.name, message, attribute)

        if all(each in field.attributes for each in SECRECIES):
            error("`%s` is hidden and secret: no one sees a secret, and a function of the game says who sees what is hidden; "
                  "keep one of the two" % field.name)
        if not struct:
            if self.sources.place(source.name)[0] == self.sources.main:
                error("%s is no part of the game's state, and `%s` is for fields of the state and of events; remove it here, "
                      "and write it behind the events' fields that shall be %s" % (source.name, attribute, attribute))
            return
        inner = next(each for each in struct.fields if each.label == field.name)
        if inner.type.struct and inner.type.struct.name in _NEEDED or any(each.field is inner for each in pools):
            error("Kifu itself needs `%s`, also on the machine of who does not see it; write `%s` behind fields of the "
                  "game's own" % (field.name, attribute))
            return
        enum = self.without_zero(inner.type)
        if enum:
            error("`%s` is 0 for who does not see it, and the enum %s has no value 0; give it one, as NONE or UNKNOWN" % (
                field.name, enum.name))

    def fields(self, state):
        """The values of the state that are hidden or secret, each by the way to it."""
        result = []

        def visit(path, within):
            field = path[-1][1]
            if field.secrecy == "hidden" and within:
                self.error(path[-1][0].name, field.label, "`%s` is hidden, and `%s`, which contains it, is hidden, too; "
                           "remove one of the two" % (field.label, within.label), "hidden")
            if field.secrecy:
                result.append(Hidden(list(path), field.secrecy == "secret", _indices(path)))
            if field.secrecy != "secret":
                walk(path, field.type.struct, field if field.secrecy else within)

        def walk(path, struct, within):
            if struct and not struct.ours:
                for inner in struct.fields:
                    visit(path + [(struct, inner)], within)

        walk([], state, None)
        first = 0
        for each in result:
            if not each.secret:
                each.first = first
                first += each.value_count
        return result

    # --- Events ------------------------------------------------------------------------------------------------------

    def event(self, event):
        table, source = event.table, self.declared[event.table.name]
        declared = {each.name: each for each in source.fields}
        for field in table.fields:
            self.check_event_field(table, field, declared[field.label])
        hidden = [each for each in table.fields if each.secrecy == "hidden"]
        wanted = source.attributes.get("seen_by")
        if hidden and wanted is None:
            self.error(table.name, hidden[0].label, "nothing says who sees `%s`: add `seen_by` to %s, as in (seen_by: "
                       "\"player\"); if no one sees it, it is (secret)" % (hidden[0].label, table.name), "hidden")
        elif wanted is not None and not hidden:
            self.error(table.name, "", "%s has no hidden field, so `seen_by` says nothing: write (hidden) behind a field, or "
                       "remove `seen_by`" % table.name, "seen_by")
        elif hidden and wanted != "0":  # Without a value: attributes.py reports it.
            event.seen_by = self.seen_by(event, wanted)

    def seen_by(self, event, wanted):
        """The field with the player's number; "" is the player who submitted the event."""
        table = event.table
        field = next((each for each in table.fields if each.label == wanted), None)
        if not field and wanted == "player" and event.is_player:
            return ""
        if field and field.kind == SCALAR and field.stored and not field.optional and (
                field.inline.enum.c_type if field.inline.enum else field.inline.c_type) in _INTEGERS:
            return field
        self.error(table.name, "", "`seen_by` names `%s`, which is no field with a player's number; name an integer field of "
                   "%s that is always there%s" % (wanted, table.name, "" if not event.is_player else
                                                  ", or, for who submitted it, \"player\""), "seen_by")
        return None

    def check_event_field(self, table, field, source):
        attribute = secrecy(source)

        def error(message, place=attribute):
            self.error(table.name, field.label, message, place)

        if not attribute:
            leak = self.leak(field)
            if leak:
                error("`%s` would show %s, which is %s in the state, to all; write (hidden) or (secret) behind `%s`, or leave "
                      "it out of the event" % (field.label, leak[0], leak[1], field.label))
            return
        if all(each in source.attributes for each in SECRECIES):
            error("`%s` is hidden and secret: no one sees a secret, and `seen_by` says who sees what is hidden; keep one of "
                  "the two" % field.label)
        if field.required:
            error("who does not see `%s` gets the event without it, so it cannot be required; remove `required`" % field.label)
        if field.transient:
            error("no viewer gets a transient field, so `%s` need not be %s; remove `%s`" % (field.label, attribute, attribute))
        enum = self.without_zero(field.inline) if field.inline and field.inline.struct and field.kind == "KIFU__STRUCT" else None
        if enum:
            error("`%s` is 0 for who does not see it, and the enum %s has no value 0; give it one, as NONE or UNKNOWN" % (
                field.label, enum.name))

    def leak(self, field):
        """What a field of an event, or what is in it, shows: the name and the secrecy of a struct's field."""
        seen, waiting = [], [field]
        for each in waiting:  # Grows.
            if each.inline and each.inline.struct:
                found = _first_secret(each.inline.struct)
                if found:
                    return found
            if each.table and each.table not in seen:
                seen.append(each.table)
                waiting += each.table.stored
        return None


def _first_secret(struct):
    for field in struct.fields:
        if field.secrecy and not struct.ours:
            return "%s.%s" % (struct.name, field.label), field.secrecy
        found = _first_secret(field.type.struct) if field.type.struct else None
        if found:
            return found
    return None


def _singular(name):
    """What an element of an array is called."""
    for ending, length, instead in (("ies", 3, "y"), ("xes", 2, ""), ("ches", 2, ""), ("shes", 2, ""), ("sses", 2, "")):
        if name.endswith(ending) and len(name) > len(ending):
            return name[:-length] + instead
    return name[:-1] if len(name) > 2 and name[-1] == "s" and name[-2:] not in ("ss", "us", "is") else name + "_index"


def _indices(path):
    """Names of what chooses an element, of each array on the way."""
    result = []
    for _, field in path:
        if field.count:
            name = _singular(field.name)
            if words.reserved(name) or name in _TAKEN:
                name = field.name + "_index"
            while name in result:
                name += "_"
            result.append(name)
    return result
