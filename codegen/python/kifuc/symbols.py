"""The C names that a game's header declares at file scope: no two alike."""

from . import counts, defaults, enum_names, names, words
from .model import STRING, STRING_VECTOR, VECTORS

# What the generated source calls its own, behind the game's prefix, and behind the name of a type.
OF_THE_SOURCE = ("add_strings act call_superseded calls check do_event name_subjects replay schema scopes state tags turns "
                 "types upcast vtables hidden hiding mask seen_by visible").split()
OF_TYPES = "enum values labels struct members checks table fields scopes".split()


def accessors(table):
    """Names of the functions that read a table's references."""
    result = []
    for field in table.stored:
        name = "%s_%s" % (table.c_name, field.name)
        if field.reference:
            result.append((name, field))
        if field.kind in VECTORS:
            result.append((name + "_count", field))
        if field.kind in (STRING, STRING_VECTOR):
            result.append((name + "_length", field))
    return result


def _declared(game, headers):
    """Every name with what declares it in the schema: (C name, declaration, member). Each file is one, too."""
    for enum in game.enums:
        yield enum.c_name, enum.name, ""
        for value in enum.values:
            yield value.name, enum.name, ""
        yield enum_names.function(enum), enum.name, ""
    for struct in game.structs:
        yield struct.c_name, struct.name, ""
        for field, count in counts.of(game, struct):
            yield count, struct.name, field.label
    for table in game.tables:
        if not table.ours:
            yield table.c_name, table.name, ""
            for name, field in accessors(table):
                yield name, table.name, field.label
    for table in game.tables:
        if not table.ours:
            yield table.c_name + "_args", table.name, ""
            yield defaults.function(table), table.name, ""
    scopes, tags = [], []
    for event in game.events:
        name = event.table.name
        yield event.id_name, name, ""
        if event.submitted:
            yield event.submit, name, ""
        for verb in event.verbs:
            yield event.function(verb) + "_args", name, ""
            if verb not in ("submit", "add"):
                yield event.function(verb), name, ""
        if event.successor:
            yield event.upcast, name, ""
            continue
        yield "%s_view.act_%s" % (game.prefix, event.short), name, ""
        if event.has_check:
            yield event.check, name, ""
        yield event.do, name, ""
        yield event.act, name, ""
        if event.listed:
            yield event.list, name, ""
            yield event.add, name, ""
        if event.transient:
            yield event.transient_type, name, ""
        if event.scopes:
            yield event.subjects_type, name, ""
            yield event.subjects, name, ""
        for scope in event.scopes:
            if scope not in scopes:
                scopes.append(scope)
                yield game.constant_of(scope), name, ""
        for tag in event.tags:
            if tag not in tags:
                tags.append(tag)
                yield game.constant_of(tag), name, ""
    for pool in game.pools:
        for verb in ("_spawn", "_despawn", "_get", "_next", "__pool"):
            yield "%s%s_%s" % (game.prefix, verb, pool.field.name), game.state.name, pool.field.label
    for edit in game.edits:
        yield edit.name, game.state.name, ""
    for hidden in game.hiding.fields if game.hiding else []:
        if not hidden.secret:
            yield game.sees(hidden), hidden.path[-1][0].name, hidden.field.label
    if game.hiding:
        yield game.prefix + "_seen", game.union, ""
    for name in ("view", "text_view", "rules", "get_state"):
        yield "%s_%s" % (game.prefix, name), game.union, ""
    yield game.acts_macro, game.union, ""
    for header in headers.all:
        for name in filter(None, (header.path, header.guard)):
            yield name, header.of, ""
    yield from _of_the_source(game)


def _of_the_source(game):
    """The names that the generated source has to itself, of those that a type or a function could have, too."""
    for name in OF_THE_SOURCE:
        yield "%s__%s" % (game.prefix, name), game.union, ""
    for event in game.current:
        yield "%s__call_%s" % (game.prefix, event.short), event.table.name, ""
        yield "%s__play_%s" % (game.prefix, event.short), event.table.name, ""
    for kind, items in (("enum values labels", game.enums), ("struct members checks", game.structs),
                        ("table fields checks scopes", [each for each in game.tables if not each.ours])):
        for item in items:
            for what in kind.split():
                yield "%s__%s" % (item.c_name, what), item.name, ""
    for table in game.nested:
        for ending in ("", "_vector"):
            yield names.adder(table.name, game.prefix) + ending, table.name, ""


def check(game, headers, sources, report):
    """Reports names that would be declared twice."""
    def shown(declaration, member):
        return "%s.%s" % (declaration, member) if member else declaration

    seen, pairs = {}, set()
    all_declared = list(_declared(game, headers))
    taken = words.of_the_library(each[0] for each in all_declared)
    for name, *declared in all_declared:
        if name in taken:
            report.error(sources.place(*declared), "`%s` would be `%s` in C, which is a name of the C library; rename it" %
                         (shown(*declared), name))
        if name not in seen:
            seen[name] = declared
            continue
        what, other, place = shown(*declared), shown(*seen[name]), sources.place(*seen[name])
        if (what, other) not in pairs:
            pairs.add((what, other))
            report.error(sources.place(*declared),
                         "`%s` and `%s` (%s:%d) would both declare `%s` in C; rename one" %
                         (what, other, report.path(place[0]), place[1], name) if what != other else
                         "two parts of `%s` would both declare `%s` in C; rename one" % (what, name))
    report.flush()
