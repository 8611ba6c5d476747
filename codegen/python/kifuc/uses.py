"""What leads to what: the enums, structs and tables that others need."""

from .layout import checks_of
from .model import BOOL


def with_inner(structs):
    """Structs with those they hold, each behind what it holds."""
    result = []

    def add(struct):
        if struct in result:
            return
        for field in struct.fields:
            if field.type.struct:
                add(field.type.struct)
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
        for check in checks_of(struct):
            add(check.enum, enums)
    return enums, structs


# What the library describes itself (core/layout.c), of what a game may use.
_IN_LIBRARY = ["kifu." + each for each in ("Phase", "Rng", "Player", "Game", "Slot", "Turns", "Actor", "Timer")]


def in_library(item):
    return item.name in _IN_LIBRARY


def described(game):
    """Enums and structs that the generated C describes: those of tables and of the state, structs behind what they hold."""
    enums, structs = used(game)
    structs = with_inner([game.model] + structs)
    for struct in structs:
        for field in struct.fields:
            # A member says that it is a bool; only checks need the enum that bools are, too.
            if field.type.enum and field.type.enum is not BOOL and field.type.enum not in enums:
                enums.append(field.type.enum)
    return [each for each in enums if not in_library(each)], [each for each in structs if not in_library(each)]


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


def recursive(tables):
    """Whether a table leads to itself or to a later one: then the functions that add them need prototypes."""
    return any(field.table in tables[i:] for i, table in enumerate(tables) for field in table.stored if field.table)
