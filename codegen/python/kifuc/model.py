"""The game that a schema describes, in terms of the C that becomes of it. Filled by build.py, laid out by layout.py."""

from dataclasses import field
from functools import cached_property
from typing import List, Optional

from .reflection import record

# Kinds of fields, as kifu__kind in detail/rules.h.
SCALAR, STRUCT, STRING, VECTOR, STRING_VECTOR, TABLE, TABLE_VECTOR = (
    "KIFU__SCALAR", "KIFU__STRUCT", "KIFU__STRING", "KIFU__VECTOR", "KIFU__STRING_VECTOR", "KIFU__TABLE",
    "KIFU__TABLE_VECTOR")
# Flags of an event type, as in event.h: which bit is which.
FLAGS = {"KIFU_UNDOABLE": 1, "KIFU_CONTINUE_UNDO": 2, "KIFU_REVEALS": 16, "KIFU_UNLESS_RANDOM": 32}
REFERENCES = (STRING, VECTOR, STRING_VECTOR, TABLE, TABLE_VECTOR)
VECTORS = (VECTOR, STRING_VECTOR, TABLE_VECTOR)
# What a field may be besides open, as kifu__secrecy in detail/rules.h.
SECRECIES = {"hidden": "KIFU__CONCEALED", "secret": "KIFU__SECRET"}


@record
class Constant:
    """A value of an enum."""
    name: str  # In C.
    label: str  # In the schema.
    value: int
    doc: List[str]


@record
class Enum:
    """An enum of the schema."""
    name: str
    c_name: str
    c_type: str  # The integer type under it.
    size: int
    signed: bool
    bit_flags: bool
    values: List[Constant]
    doc: List[str]
    ours: bool  # Declared by the runtime's headers.

    @property
    def low(self):
        return min(each.value for each in self.values)

    @property
    def high(self):
        return max(each.value for each in self.values)

    @property
    def mask(self):
        bits = 0
        for each in self.values:
            bits |= each.value & (2 ** (8 * self.size) - 1)
        return bits

    @property
    def is_int(self):
        """Whether its values are what an enumeration constant of C11 may be."""
        return -2 ** 31 <= self.low and self.high < 2 ** 31

    def has(self, value):
        return value & ~self.mask == 0 if self.bit_flags else any(each.value == value for each in self.values)


BOOL = Enum("bool", "bool", "bool", 1, False, False,
            [Constant("false", "false", 0, []), Constant("true", "true", 1, [])], [], True)


@record
class Inline:
    """The type of an inline value or element."""
    c_type: str
    size: int
    align: int
    enum: Optional[Enum] = None
    struct: Optional["Struct"] = None


@record
class Check:
    """An enum or a row of them in inline bytes: kifu__check."""
    path: str
    enum: Enum
    offset: int
    count: int
    stride: int


@record
class Member:
    """A member of a C struct."""
    name: str
    c_type: str
    offset: int
    size: int
    doc: List[str]
    count: int = 0  # Of an array; 0: none.
    padding: bool = False
    count_name: str = ""  # The constant of that size, where it has one.


@record
class StructField:
    """A field of a struct."""
    name: str  # In C.
    label: str  # In the schema.
    type: Inline
    count: int  # Of a fixed array; 0: none.
    offset: int
    doc: List[str]
    secrecy: str = ""  # Of SECRECIES.


@record
class Struct:
    """A struct of the schema."""
    name: str
    c_name: str
    fields: List[StructField]
    size: int
    align: int
    doc: List[str]
    ours: bool
    members: List[Member] = field(default_factory=list)
    checks: Optional[List[Check]] = None  # `layout.checks_of` fills them in: a large state would have very many.


@record
class Field:
    """A field of a table."""
    name: str  # In C.
    label: str  # In the schema.
    kind: str
    inline: Optional[Inline]  # Scalars and structs, and the elements of a VECTOR.
    table: Optional["Table"]
    id: int
    optional: bool
    required: bool
    deprecated: bool
    transient: bool
    default: object  # int or float.
    default_bits: int
    doc: List[str]
    secrecy: str = ""  # Of SECRECIES.
    argument: str = ""  # Its name among the arguments of a submit function.
    offset: int = 0
    has: int = 0

    @property
    def stored(self):
        return not self.deprecated and not self.transient

    @property
    def reference(self):
        return self.kind in REFERENCES

    @property
    def slot(self):
        """Size and alignment of what the table holds of it."""
        return (4, 4) if self.reference else (self.inline.size, self.inline.align)


@record
class Table:
    """A table: an event, or what one contains."""
    name: str
    c_name: str
    fields: List[Field]
    doc: List[str]
    ours: bool
    variable: str = ""
    size: int = 0
    align: int = 4
    deep_align: int = 4
    vtable: List[int] = field(default_factory=list)
    members: List[Member] = field(default_factory=list)
    checks: List[Check] = field(default_factory=list)

    @cached_property
    def stored(self):
        return [each for each in self.fields if each.stored]

    @cached_property
    def references(self):
        return [each for each in self.stored if each.reference]

    @property
    def holds_itself(self):
        return any(each.table is self for each in self.references)

    @cached_property
    def flat(self):
        return not self.references and not any(each.optional for each in self.stored)

    @cached_property
    def playable(self):
        """Whether an event can be written where it will lie: besides its fields it has strings and vectors of these at most."""
        return not any(each.optional or each.kind in (TABLE, TABLE_VECTOR, STRING_VECTOR) for each in self.stored)

    @cached_property
    def by_name(self):
        """Whether an event with these fields is submitted by naming them, not by their order."""
        return len(self.stored) > 4 or any(each.default_bits and not each.optional for each in self.stored)


@record
class Scope:
    """A role in an event, for which hooks run: the level, the target."""
    name: str  # In C.
    label: str  # In the schema.
    index: int  # Among those of the game.


@record
class Tag:
    """A kind of events: magic, fire."""
    name: str  # In C.
    label: str  # In the schema.
    index: int  # Among those of the game: which bit it is.


@record
class Event:
    """A member of the union."""
    table: Table
    id: int
    prefix: str  # Of its id, submit, Do and check: the game's.
    short: str  # p_take; of another namespace combat_e_strike
    is_player: bool
    flags: int  # Of FLAGS.
    never_undoable: bool
    has_check: bool
    library_do: bool  # The runtime's own Do.
    variable: str = "event"
    scopes: List[Scope] = field(default_factory=list)
    tags: List[Tag] = field(default_factory=list)
    transient: List[Member] = field(default_factory=list)
    successor: Optional["Event"] = None  # What it becomes when a save is loaded.
    listed: bool = False  # The game lists its moves of this kind.
    seen_by: object = None  # The field with the number of who sees what is hidden in it; "": who submitted it.
    submitted: bool = True  # By the game, or, superseded, by the upcast function of an older one.

    @property
    def id_name(self):
        return ("%s_%s" % (self.prefix, self.short)).upper()

    @property
    def submit(self):
        return "%s_submit_%s" % (self.prefix, self.short)

    @property
    def list(self):
        """The function that lists moves of this kind, and `add` what it calls for each."""
        return "%s_list_%s" % (self.prefix, self.short)

    @property
    def add(self):
        return "%s_add_%s" % (self.prefix, self.short)

    @property
    def play(self):
        return "%s_play_%s" % (self.prefix, self.short)

    @property
    def build(self):
        return "%s_build_%s" % (self.prefix, self.short)

    @property
    def verbs(self):
        """What the game can do with one: the functions that take its fields. Each has another that takes its _args."""
        searches = ("try", "try_legal", "can") if self.has_check else ("try",)
        return ("submit", "play") + searches + ("build",) + (("add",) if self.listed else ()) if self.tried else ()

    def function(self, verb):
        return "%s_%s_%s" % (self.prefix, verb, self.short)

    @property
    def tried(self):
        """Whether it can be tried and asked for: what the game itself submits."""
        return self.submitted and not self.successor

    def of_search(self, verb):
        """The name of one of its functions for searches: `verb` is try, try_legal or can."""
        return "%s_%s_%s" % (self.prefix, verb, self.short)

    @property
    def do(self):
        return "kifu_do_" + self.short if self.library_do else "%s_do_%s" % (self.prefix, self.short)

    @property
    def check(self):
        # Only the check of a standard event comes with the library, overridden Do or not.
        return "%s_check_%s" % ("kifu" if self.table.ours else self.prefix, self.short)

    @property
    def upcast(self):
        return "%s_upcast_%s" % (self.prefix, self.short)

    @property
    def act(self):
        return "%s_act_%s" % (self.prefix, self.short)

    @property
    def main(self):
        """The function without which it does not link."""
        return self.upcast if self.successor else self.do

    @property
    def written(self):
        """The functions that the game writes for it, in the order of its stub; `main` is the last."""
        if self.successor:
            return [self.upcast]
        if self.library_do:
            return []
        return ([self.subjects] if self.scopes else []) + ([self.check] if self.has_check and not self.table.ours else []) + (
            [self.list] if self.listed else []) + [self.do]

    @property
    def transient_type(self):
        return "%s_%s_transient" % (self.prefix, self.short)

    @property
    def subjects(self):
        """The function that names them."""
        return "%s_subjects_%s" % (self.prefix, self.short)

    @property
    def subjects_type(self):
        return "%s_%s_subjects" % (self.prefix, self.short)


@record
class Pool:
    """An array of the state in which entities come and go."""
    field: StructField
    actors: bool  # They take turns.

    @property
    def timers(self):
        return self.field.type.struct.name == "kifu.Timer"


@record
class TurnRules:
    """What the turn loop and timed events need: kifu__turn_rules."""
    actors: Optional[Pool]
    timers: Optional[Pool]
    ids: dict  # Names of the ids of the standard events that there are, by name in the schema.


@record
class Edit:
    """A function that opens one place of the state to change, or that such functions find it with."""
    name: str
    doc: List[str]
    c_type: str  # It returns a pointer to this.
    params: List[str]
    body: List[str]  # Statements.


@record
class Hidden:
    """A hidden or secret field of the state: its values, one for each element of the arrays on the way to it."""
    path: list  # Of (struct, its field).
    secret: bool
    indices: List[str]  # Names of what chooses an element.
    first: int = 0  # The number of the first value among those that are hidden and not secret.

    @property
    def field(self):
        return self.path[-1][1]

    @property
    def label(self):
        return ".".join(field.label for _, field in self.path)

    @property
    def name(self):
        return "_".join(field.name for _, field in self.path)

    @property
    def place(self):
        """One value, as C has it."""
        indices = iter(self.indices)
        return ".".join(field.name + ("[%s]" % next(indices) if field.count else "") for _, field in self.path)

    @property
    def offset(self):
        return sum(field.offset for _, field in self.path)

    @property
    def dimensions(self):
        """(index, constant of its count, count, bytes from one to the next), from outside."""
        arrays = [(next(each for each in struct.members if each.name == field.name), field)
                  for struct, field in self.path if field.count]
        return [(index, member.count_name or member.count, field.count, field.type.size)
                for index, (member, field) in zip(self.indices, arrays)]

    @property
    def value_count(self):
        result = 1
        for _, _, count, _ in self.dimensions:
            result *= count
        return result


@record
class Hiding:
    """What a game hides of its own."""
    fields: List[Hidden]

    @property
    def seen(self):
        """Those that some viewer may see."""
        return [each for each in self.fields if not each.secret]

    @property
    def value_count(self):
        return sum(each.value_count for each in self.seen)


@record
class Game:
    """All that the templates are filled from."""
    name: str  # Namespace.
    prefix: str
    union: str
    rules_version: int
    max_players: int
    enums: List[Enum]
    structs: List[Struct]
    tables: List[Table]  # All, in the order of the vtable block.
    events: List[Event]
    state: Optional[Struct]
    model: Struct  # What the state's bytes are: `state`, or kifu.Game where there is none.
    edits: List[Edit] = field(default_factory=list)
    pools: List[Pool] = field(default_factory=list)
    turns: Optional[TurnRules] = None
    scopes: List[Scope] = field(default_factory=list)
    tags: List[Tag] = field(default_factory=list)
    fingerprint: int = 0
    hiding: Optional[Hiding] = None

    def sees(self, hidden):
        """The function that says who sees it, which the game writes."""
        return "%s_sees_%s" % (self.prefix, hidden.name)

    @property
    def state_type(self):
        return self.model.c_name

    def constant_of(self, item):
        """The constant of a tag or scope."""
        return ("%s_%s_%s" % (self.prefix, type(item).__name__, item.name)).upper()

    def description_of(self, pool):
        """The name of a pool's description, by the field of the state that is the pool."""
        return "%s__pool_%s" % (self.prefix, pool.name)

    @property
    def current(self):
        """The events that can happen."""
        return [event for event in self.events if not event.successor]

    @property
    def own(self):
        """Those of them whose Do the game writes."""
        return [event for event in self.current if not event.library_do]

    @property
    def acts_macro(self):
        """What lists their Acts, in a view."""
        return "%s_ACTS" % self.prefix.upper()

    @property
    def superseded(self):
        return [event for event in self.events if event.successor]

    @property
    def listed(self):
        return [event for event in self.events if event.listed]

    @property
    def nested(self):
        events = {event.table for event in self.events}
        return [table for table in self.tables if table not in events]
