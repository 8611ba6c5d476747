"""Which attributes stand where, and what they say."""

from .model import FLAGS
from .names import is_ours
from .report import Report

# Kifu's, as schema/kifu.fbs declares them: where each belongs.
KIFU = {"engine": "event", "player": "event", "undoable": "event", "continue_undo": "event", "reveals": "event",
        "check": "event", "hooks": "event", "tags": "event", "listed": "event",
        "superseded_by": "event", "transient": "field", "seen_by": "event", "hidden": "part", "secret": "part", "state": "struct", "pool": "member", "actors": "member",
        "overrides": "union", "max_players": "union", "rules_version": "union"}
WHERE = {"event": "a table that is a member of `union Event`", "field": "a field of an event",
         "part": "a field of an event, or of the game's state or a struct in it",
         "struct": "the struct that is the game's state", "member": "an array of structs in the game's state",
         "union": "`union Event`"}
PLAIN = ("engine", "player", "reveals", "check", "listed", "transient", "state", "pool", "actors", "hidden",
         "secret")  # These take no value.

VALUES = {"undoable": "false", "continue_undo": "true", "hooks": "place", "tags": "draw", "superseded_by": "PMove",
          "seen_by": "player", "overrides": "EStartRound", "max_players": "2"}  # An example of each.

# FlatBuffers' own. These change nothing for Kifu …
HARMLESS = {"id", "deprecated", "required", "bit_flags", "original_order", "private", "hash", "shared", "csharp_partial",
            "cpp_type", "cpp_ptr_type", "cpp_ptr_type_get", "cpp_str_type", "cpp_str_flex_ctor", "native_inline",
            "native_default", "native_custom_alloc", "native_type", "native_type_pack_name", "streaming", "idempotent",
            "force_align"}
# … and these mean what Kifu does not have.
REFUSED = {
    "key": "`key` promises a sorted vector, and Kifu keeps elements in the order given; remove it",
    "nested_flatbuffer": "an event cannot hold a nested buffer; make it a table, or a plain [ubyte] whose meaning is the "
                         "game's own",
    "flexbuffer": "an event cannot hold a flexbuffer; make it a table, or a plain [ubyte] whose meaning is the game's own",
}


def check_all(report: Report, sources, schema):
    """Attributes that are not known, not allowed, or stand where they mean nothing."""
    for each in schema.objects:
        if is_ours(each.name):
            continue
        here = "struct" if each.is_struct else "event"
        _check(report, sources, each.name, "", each.attributes, here)
        for field in each.fields:
            _check(report, sources, each.name, field.name, field.attributes, "member" if each.is_struct else "field")
    for each in schema.enums:
        if not is_ours(each.name):
            _check(report, sources, each.name, "", each.attributes, "union" if each.is_union else "enum")


def _check(report, sources, name, member, attributes, here):
    for attribute, value in attributes.items():
        place = sources.place(name, member, attribute)
        if attribute in KIFU:
            belongs = "part" if here in ("member", "field") and KIFU[attribute] == "part" else here
            if KIFU[attribute] != belongs:
                report.error(place, "`%s` does not belong here: it is for %s" % (attribute, WHERE[KIFU[attribute]]))
            elif attribute in PLAIN and value != "0":
                report.error(place, "`%s` takes no value; write (%s)" % (attribute, attribute))
            elif attribute not in PLAIN and value == "0" and attribute != "rules_version":
                report.error(place, "`%s` needs a value, as in (%s: \"%s\"); kifu.fbs explains it" %
                             (attribute, attribute, VALUES[attribute]))
        elif attribute in REFUSED:
            report.error(place, REFUSED[attribute])
        elif attribute not in HARMLESS:
            report.error(place, "unknown attribute `%s`; remove it (Kifu's are: %s)" % (attribute, ", ".join(KIFU)))


def event_flags(report, place, attributes):
    """(is_player, flags, never, has_check) of an event. `place` gives an attribute's place."""
    engine, player = "engine" in attributes, "player" in attributes
    if engine and player:
        report.error(place("player"), "either the engine or a player makes an event happen: keep one of (engine) and "
                                      "(player)")
    if not engine and not player:
        report.error(place(""), "nothing says who makes this event happen: add (engine) if the rules do, (player) if a "
                                "player does")
    if player and "check" in attributes:
        report.error(place("check"), "a player event always has a check; remove `check`")
    if "listed" in attributes and not player and "superseded_by" not in attributes:
        report.error(place("listed"), "players choose among their own moves: remove `listed`, or make this a (player) event")
    undoable = attributes.get("undoable", "true")
    if undoable not in ("true", "false", "unless_random", "never", "0"):
        report.error(place("undoable"), '`undoable` is "true", "false", "unless_random" or "never", not "%s"' % undoable)
    goes_on = attributes.get("continue_undo", "false" if player else "true")
    if goes_on not in ("true", "false", "0"):
        report.error(place("continue_undo"), '`continue_undo` is "true" or "false", not "%s"' % goes_on)
    if undoable in ("false", "never") and attributes.get("continue_undo") == "true":
        report.error(place("continue_undo"), "undo never takes this event back, so it cannot continue past it: remove "
                                             "`continue_undo`, or make the event undoable")
    if undoable in ("false", "never") and "reveals" in attributes:
        report.error(place("reveals"), "undo never takes this event back, so it stops here anyway: remove `reveals`, or "
                                       "make the event undoable")
    wanted = {"KIFU_UNDOABLE": undoable in ("true", "unless_random"), "KIFU_CONTINUE_UNDO": goes_on == "true",
              "KIFU_REVEALS": "reveals" in attributes, "KIFU_UNLESS_RANDOM": undoable == "unless_random"}
    flags = sum(FLAGS[name] for name, set_ in wanted.items() if set_)
    return player, flags, undoable == "never", player or "check" in attributes
