"""Pools of the state, and what the turn loop and timed events need of it."""

from . import names, reflection as r
from .model import Pool, TurnRules

_NOT_HERE = "a pool is an array of structs that is itself a field of the state, not of a struct in it, as in\n" \
            "    monsters: [Monster: 64] (pool);"


_MARKS = ("pool", "actors")


def of(schema, source, state, report, sources):
    """The pools of the state, whose declaration is `source`."""
    pools = []

    def error(field, message, attribute="pool"):
        report.error(sources.place(source.name, field.name, attribute), message)

    for field in source.fields:
        if "actors" in field.attributes and "pool" not in field.attributes:
            error(field, "only entities of a pool can take turns: write (pool, actors)", "actors")
        if "pool" not in field.attributes:
            continue
        if field.type.base != r.ARRAY or field.type.element != r.OBJ:
            error(field, "`%s` is no array of structs: %s" % (field.name, _NOT_HERE))
            continue
        element = schema.objects[field.type.index]
        first = element.fields[0]
        if first.name != "slot" or not _is(schema, first, "kifu.Slot"):
            error(field, "the elements of `%s` are in a pool, so their struct %s must begin with `slot: kifu.Slot;`" %
                  (field.name, element.name))
            continue
        if "actors" in field.attributes and not any(each.name == "actor" and _is(schema, each, "kifu.Actor")
                                                    for each in element.fields):
            error(field, "the entities of `%s` take turns, so their struct %s must have a field `actor: kifu.Actor;` "
                  "(include \"kifu_turns.fbs\")" % (field.name, element.name), "actors")
        pools.append(Pool(next(each for each in state.fields if each.label == field.name), "actors" in field.attributes))
    for what, some in (("`actors`", [each for each in pools if each.actors]),
                       ("a pool of kifu.Timer", [each for each in pools if each.timers])):
        for each in some[1:]:
            report.error(sources.place(source.name, each.field.label, "actors" if each.actors else "pool"),
                         "a state has %s at most once, and `%s` is the first" % (what, some[0].field.label))
    return pools


def turn_rules(schema, source, pools, union, events, report, sources):
    """What the runtime must know of the game for the turn loop and timed events; None: it has neither. `source` declares
    the state; None: there is none."""
    actors = next((each for each in pools if each.actors), None)
    timers = next((each for each in pools if each.timers), None)
    turns = bool(source) and any(each.name == "turns" and _is(schema, each, "kifu.Turns") for each in source.fields)
    present = {names.split(each.table.name)[1]: each for each in events if each.table.ours}
    wanted = sum(any(mark in each.attributes for mark in _MARKS) for each in source.fields) if source else 0
    if wanted != len(pools) or not source and report.errors:
        return None  # Why a pool is none has been told; the rest would follow from it.
    # What the library's own Do of each event needs.
    told = not turns and (actors or timers)
    for event, pool, line in (("EBeginTurn", True, ""), ("ESpendEnergy", actors, "monsters: [Monster: 64] (pool, actors);"),
                              ("ESchedule", timers, "timers: [kifu.Timer: 32] (pool);"),
                              ("ECancel", timers, "timers: [kifu.Timer: 32] (pool);")):
        if event in present and present[event].library_do and not (pool and turns) and not told:
            told = not turns
            report.error(sources.place(union.name, "kifu_" + event), "kifu.%s needs a state with `%s`; add it, or remove "
                         "the event" % (event, line if turns else "turns: kifu.Turns;"))
    # What the pools need.
    for pool, attribute, needed in ((actors, "actors", ("EBeginTurn", "ESpendEnergy")),
                                    (timers, "pool", ("EBeginTurn", "ESchedule", "ECancel"))):
        if not pool:
            continue
        place = sources.place(source.name, pool.field.label, attribute)
        what = "entities that take turns" if pool is actors else "timed events"
        if not turns and (pool is actors or not actors):
            report.error(place, "`%s` has %s, so the state must have a field `turns: kifu.Turns;`" % (pool.field.label,
                                                                                                   what))
        missing = ["kifu." + each for each in needed if each not in present]
        if missing:
            report.error(place, "`%s` has %s, so `union Event` must have %s; add %s at its end" % (
                pool.field.label, what, " and ".join(missing), "it" if len(missing) == 1 else "them"))
    if report.errors or not turns or "EBeginTurn" not in present:
        return None
    return TurnRules(actors, timers, {name: event.id_name for name, event in present.items()})


def check_places(schema, state, report, sources):
    """Reports `pool` and `actors` in structs that are not the state."""
    for each in schema.objects:
        if not each.is_struct or names.is_ours(each.name) or state and each.name == state.name:
            continue
        if not state and holds_game(schema, each):
            continue  # It is told to be the state.
        for field in each.fields:
            for attribute in _MARKS:
                if attribute in field.attributes:
                    report.error(sources.place(each.name, field.name, attribute),
                                 "`%s` does not belong in %s, which is not the state: %s" % (attribute, each.name, _NOT_HERE))
                    break


def holds_game(schema, struct):
    return any(_is(schema, field, "kifu.Game") for field in struct.fields)


def _is(schema, field, name):
    return field.type.base == r.OBJ and schema.objects[field.type.index].name == name
