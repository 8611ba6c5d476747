"""The parameters of generated functions, and the members of _args structs."""

from functools import lru_cache

from . import defaults
from .model import SCALAR, STRING, STRING_VECTOR, STRUCT, TABLE, TABLE_VECTOR, VECTOR, VECTORS
from .text import declare


def ahead(table):
    """The types of other tables, and of itself, that a table's header names before they are defined."""
    others = [field.table.c_name for field in table.stored if field.table and field.table is not table]
    held = [field.table.c_name + "_args" for field in table.stored if field.table]
    return list(dict.fromkeys(others + held))


def submit_doc(event):
    """The comment at a submit function."""
    paragraphs = [event.table.doc] if event.table.doc else []
    if event.successor:
        paragraphs.append([" Superseded by %s: only an upcast function submits it." % event.successor.table.name])
    if event.table.by_name:
        paragraphs.append([" `args` begins as %s(); NULL stands for that." % defaults.function(event.table)])
    elif any(field.kind != SCALAR or field.optional for field in event.table.stored):
        paragraphs.append([" If a pointer is NULL, the field is absent (an optional number is null, a struct is all zeros)."])
    return [line for i, lines in enumerate(paragraphs) for line in ([""] if i else []) + lines]


@lru_cache(maxsize=None)
def _name(param):
    """A parameter without its type."""
    return param[max(param.rfind(" "), param.rfind("*")) + 1:]


class Signatures:
    def __init__(self, game):
        self.game = game

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
        if field.kind in VECTORS:
            yield "uint32_t %s_count" % name

    @lru_cache(maxsize=None)
    def submit_params(self, event):
        return (["kifu_timeline *timeline"] + (["int player"] if event.is_player else []) + (
            ["const %s_args *args" % event.table.c_name] if event.table.by_name else list(self.arguments(event.table))))

    @staticmethod
    def named_params(event, verb):
        """The parameters of the function that takes its _args."""
        first = "kifu_moves *moves" if verb == "add" else "kifu_timeline *timeline"
        middle = ["kifu_buffer *into"] if verb == "build" else ["int player"] if event.is_player and verb != "add" else []
        return [first] + middle + ["const %s_args *args" % event.table.c_name]

    def named_arguments(self, event, verb):
        """What that passes to the one that takes its fields."""
        return [_name(each) for each in self.named_params(event, verb)[:-1]] + self.members(event.table)

    @lru_cache(maxsize=None)
    def members(self, table):
        """The members of its _args struct as arguments."""
        return ["args"] if table.by_name else [each for field in table.stored for each in self.member(field)]

    @staticmethod
    def member(field):
        """The member of an _args struct as an argument."""
        name = "args->" + field.name
        if field.kind == STRUCT or field.kind == SCALAR and field.optional:
            yield "args->has_%s ? &%s : NULL" % (field.name, name) if field.optional else "&" + name
        else:
            yield name
        if field.kind in VECTORS:
            yield name + "_count"

    @lru_cache(maxsize=None)
    def submit_arguments(self, event):
        """The names of these."""
        return [_name(each) for each in self.submit_params(event)]

    def field_params(self, event):
        """Those of them that are fields."""
        return self.submit_params(event)[2 if event.is_player else 1:]

    def field_arguments(self, event):
        return self.submit_arguments(event)[2 if event.is_player else 1:]

    def build_params(self, event):
        return ["kifu_timeline *timeline", "kifu_buffer *into"] + self.field_params(event)

    def build_items(self, event):
        """What it passes to the submit function: bytes do not say who plays."""
        return ["timeline"] + (["-1"] if event.is_player else []) + self.field_arguments(event)

    def add_params(self, event):
        return ["kifu_moves *moves"] + self.submit_params(event)[2:]

    def add_items(self, event):
        """What it passes to the submit function."""
        return ["kifu__add(moves)", "moves->player"] + self.submit_arguments(event)[2:]

    def list_params(self):
        return ["const kifu_timeline *timeline", self.state_param(), "int player", "kifu_moves *moves"]

    def sees_params(self, hidden):
        return [self.state_param()] + ["uint32_t " + each for each in hidden.indices] + ["int viewer"]

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

    def args_members(self, table):
        """Members of an _args struct, with their comments."""
        for field in table.stored:
            if field.kind in (SCALAR, STRUCT):
                if field.optional:
                    yield "bool has_%s" % field.name, [" Whether `%s` is there." % field.name]
                yield declare(field.inline.c_type, field.name), field.doc
            else:
                lines = list(self.argument(field, field.name))
                yield lines[0], field.doc
                for line in lines[1:]:
                    yield line, []
