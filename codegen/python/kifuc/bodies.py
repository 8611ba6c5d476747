"""What generated functions do, where it depends on line width or on several parts of the model."""

from . import defaults, names, text
from .model import BOOL, SCALAR, STRING, STRING_VECTOR, STRUCT, TABLE, VECTOR, VECTORS
from .text import constant


def _within(place, enum):
    """The condition that an integer is a value of an enum; "" if each is, None if there are holes."""
    if enum.bit_flags:
        return "!(%s & ~0x%xu)" % (place, enum.mask)
    if len({each.value for each in enum.values}) != enum.high - enum.low + 1:
        return None
    least, most = (-2 ** (8 * enum.size - 1), 2 ** (8 * enum.size - 1) - 1) if enum.signed else (0, 2 ** (8 * enum.size) - 1)
    return " && ".join((["%s >= %d" % (place, enum.low)] if enum.low > least else []) +
                       (["%s <= %d" % (place, enum.high)] if enum.high < most else []))


class Bodies:
    def __init__(self, game):
        self.game = game

    @staticmethod
    def members(table, source):
        """The members of the table's struct, from arguments (`source` "") or from an _args struct ("args->"); a struct that
        is an argument is none of them, because it may be NULL."""
        members = []
        for field in table.stored:
            argument = source + field.name if source else field.argument
            if field.kind == STRUCT and source:
                members.append((field.name, argument))
            if field.kind != SCALAR:
                continue
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
        return members

    def variable(self, table, source, name):
        """The table's struct as a variable."""
        members = self.members(table, source)
        fixed = "" if not source and any(field.kind == STRUCT for field in table.stored) else "const "
        head = "%s%s %s = " % (fixed, table.c_name, name)
        return text.record(members, 4, ";", head) if members else "    %s{0};" % head

    @staticmethod
    def _loops(dimensions, step, body):
        """A loop for each array, with the statements `body(indentation)` inside. `step`: what the innermost one does, too."""
        lines = body(4 * len(dimensions) + 4)
        braces = len(lines) > 1
        for depth, (index, count, _, _) in reversed(list(enumerate(dimensions))):
            pad = " " * (4 * depth + 4)
            last = depth == len(dimensions) - 1
            head = "%sfor (uint32_t %s = 0; %s < %s; %s++%s)" % (pad, index, index, count, index, step if last else "")
            lines = [head + (" {" if braces else "")] + lines + ([pad + "}"] if braces else [])
            braces = True
        return lines

    def _sees(self, hidden, head, tail, indent):
        """A call of the game's function."""
        return text.pack(head + self.game.sees(hidden) + "(", ["state"] + hidden.indices + ["viewer"], tail, indent)

    def masking(self, hidden):
        """The statements that clear what a viewer does not see of a field."""
        field, dimensions, place = hidden.field, hidden.dimensions, "seen->" + hidden.place
        if field.type.struct and field.type.struct.name == "kifu.Rng":
            clear = "%s = (kifu_rng){.increment = 1}; // It must be odd." % place
        elif hidden.secret and field.count:  # The whole array.
            dimensions, place = dimensions[:-1], place[:place.rindex("[")]
            clear = "memset(%s, 0, sizeof %s);" % (place, place)
        elif field.type.struct:
            clear = "memset(&%s, 0, sizeof %s);" % (place, place)
        else:
            clear = place + " = 0;"

        def body(indent):
            if hidden.secret:
                return [" " * indent + clear]
            return [self._sees(hidden, "if (!", "))", indent), " " * (indent + 4) + clear]

        return self._loops(dimensions, "", body)

    def seeing(self, hidden):
        """The statements that set the bits of the values of a field that a viewer sees."""
        lines = self._loops(hidden.dimensions, ", value++", lambda indent: [
            self._sees(hidden, "bits[value / 64] |= (uint64_t)", ") << value % 64;", indent)])
        return lines + ([] if hidden.dimensions else ["    value++;"])

    @staticmethod
    def is_short(event):
        """Whether its Do can be called where the event is tried: see KIFU__MOST_SHORT in kifu/detail/search.h."""
        return event.table.flat and event.table.size <= 40 and not event.transient and not event.table.ours

    @staticmethod
    def valid(table, name):
        """The condition under which the enums of a flat table hold values of theirs, in C: "" if there are none, and None
        if it is not said in a few words. Bools that were not read from bytes are 0 or 1."""
        conditions = []
        for check in table.checks:
            if check.enum is BOOL:
                continue
            members = [field.name for field in table.stored if field.label == check.path]
            condition = _within("%s->%s" % (name, members[0]), check.enum) if members and check.enum.size < 8 else None
            if condition is None:
                return None
            conditions.append(condition)
        return " && ".join(each for each in conditions if each)

    @staticmethod
    def from_arguments(table, name):
        """Statements that fill the struct of a flat event from the arguments of its submit, in C++, too."""
        source = "args->" if table.by_name else ""
        if source:
            yield "const %s_args defaults = %s();" % (table.c_name, defaults.function(table))
            yield "if (!args)"
            yield "    args = &defaults;"
        yield "memset(%s, 0, sizeof *%s);" % (name, name)
        for field in table.stored:
            if source or field.kind == SCALAR:
                yield "%s->%s = %s;" % (name, field.name, source + field.name if source else field.argument)
            else:
                yield "if (%s)" % field.argument
                yield "    %s->%s = *%s;" % (name, field.name, field.argument)

    def filled(self, table, source, name, indent=4):
        """Fills the table's struct where it lies: `name` is a pointer to it."""
        members = self.members(table, source)
        head = "*%s = (%s)" % (name, table.c_name)
        return text.record(members, indent, ";", head) if members else "%s%s{0};" % (" " * indent, head)

    def child(self, table, field, source, nested, indent=4):
        """The call that adds what a reference leads to; `nested`: of a table at `at`, not of the event."""
        place = "offsetof(%s, %s)" % (table.c_name, field.name)
        value = source + field.name if source else field.argument
        items = ["timeline", "at + (uint32_t)" + place if nested else place, value]
        if field.kind in VECTORS:
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
        return text.pack(call, items, ");", indent)

    def adder(self, table):
        return names.adder(table.name, self.game.prefix)

    @staticmethod
    def act_call(event):
        member = "view->act_" + event.short
        items = ["base->context", "timeline", "state", "event"] + (["transient"] if event.transient else [])
        line = "        return %s ? %s(%s) : 0;" % (member, member, ", ".join(items))
        if len(line) <= text.WIDTH:
            return line
        return "        if (!%s)\n            return 0;\n%s" % (member, text.pack("return %s(" % member, items, ");", 8))
