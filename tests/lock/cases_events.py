"""Events: their places in the union, their attributes, their files."""

from case import GAME, MAIN, accepted, refused, renamed

# --- Events -----------------------------------------------------------------------------------------------------------

accepted("an event at the end",
         [("ERoll, EGone }", "ERoll, EGone, ENew }"), ("union", "table ENew (engine) {}\nunion")])
accepted("a standard event at the end", [("ERoll, EGone }", "ERoll, EGone, kifu.EEndGame }")])
refused("an event taken from the end", "nim.EGone",
        [("ERoll, EGone }", "ERoll }"), ("table EGone (engine)", "table EGone")])
refused("an event taken from the middle", "nim.EGone",
        [("ERoll, EGone }", "EGone }"), ("table ERoll (engine)", "table ERoll")])
refused("an event put into the middle", "nim.ENew",
        [("ERoll, EGone }", "ERoll, ENew, EGone }"), ("union", "table ENew (engine) {}\nunion")])
refused("events in another order", "nim.EDeal", [("EDeal, PTake,", "PTake, EDeal,")])
refused("a standard event taken from the front", "load", [("kifu.EResetGame, ", "")])
renamed("an event renamed", {"nim.PTake": "nim.PGrab"},
        [("table PTake", "table PGrab"), ("EDeal, PTake,", "EDeal, PGrab,")])
refused("an event replaced by one of another shape", "load",
        [("table EGone (engine) { why: string; }", "table EOther (engine) { other: [uint]; }"),
         ("ERoll, EGone }", "ERoll, EOther }")])
renamed("an event moved to another namespace", {"nim.EGone": "forest.EGone"},
        [("table EGone (engine) {", "namespace forest; table EGone (engine) {"),
         ("union Event", "namespace nim; union Event"),
         ("ERoll, EGone }", "ERoll, forest.EGone }")])
refused("the game's namespace", "load", [("namespace nim;", "namespace heaps;")])

# --- Who makes an event happen, and its other attributes --------------------------------------------------------------

refused("an engine event became a player's", "nim.EGone player", [("table EGone (engine)", "table EGone (player)")])
# A player's event that waits when the game ends is rejected.
refused("a player's event became the engine's", "ran .* nim.PTake: ?None -> table",
        [("table PTake (player)", "table PTake (engine)")],
        game=GAME.replace("EDeal, PTake,", "EDeal, kifu.EEndGame, PTake,"))
accepted("a check", [("table EGone (engine)", "table EGone (engine, check)")])
accepted("a check taken away", [("table EGone (engine)", "table EGone (engine, check)")],
         [("(engine, check)", "(engine)")])
accepted("undoable became false", [("table ERoll (engine)", 'table ERoll (engine, undoable: "false")')])
accepted("undoable became unless_random",
         [("table ERoll (engine)", 'table ERoll (engine, undoable: "unless_random")')])
accepted("undoable was unless_random", [("table ERoll (engine)", 'table ERoll (engine, undoable: "unless_random")')],
         [('(engine, undoable: "unless_random")', "(engine)")])
accepted("undoable was false", [("table ERoll (engine)", 'table ERoll (engine, undoable: "false")')],
         [('(engine, undoable: "false")', "(engine)")])
accepted("undoable became never", [("table ERoll (engine)", 'table ERoll (engine, undoable: "never")')],
         gone=["undo"])
accepted("undoable was never", [("table ERoll (engine)", 'table ERoll (engine, undoable: "never")')],
         [('(engine, undoable: "never")', "(engine)")], gone=["undo"])
accepted("continue_undo", [("table ERoll (engine)", 'table ERoll (engine, continue_undo: "false")')])
accepted("continue_undo of a player's event",
         [("table PTake (player)", 'table PTake (player, continue_undo: "true")')])
accepted("reveals", [("table ERoll (engine)", "table ERoll (engine, reveals)")])
accepted("reveals taken away", [("table ERoll (engine)", "table ERoll (engine, reveals)")],
         [("(engine, reveals)", "(engine)")])
accepted("hooks", [("table PTake (player)", 'table PTake (player, hooks: "cell target")')])
accepted("other hooks", [("table PTake (player)", 'table PTake (player, hooks: "cell target")')],
         [("cell target", "target")])
HIDDEN = [("table PTake (player)", 'table PTake (player, seen_by: "player")'), ("note: string;", "note: string (hidden);")]
accepted("hidden fields", HIDDEN)
accepted("hidden fields shown", HIDDEN, [(', seen_by: "player"', ""), (" (hidden)", "")])
accepted("a secret field", [("note: string;", "note: string (secret);")])
accepted("tags", [("table PTake (player)", 'table PTake (player, tags: "fire sweet")')])
accepted("other tags", [("table PTake (player)", 'table PTake (player, tags: "fire sweet")')], [("fire sweet", "sweet")])
accepted("listed", [("table PTake (player)", "table PTake (player, listed)")])
accepted("max_players", [("union Event", 'union Event (max_players: "1")')])
OVERRIDE = """kifu_result nim_do_e_start_round(kifu_timeline *timeline, const nim_state *state,
                                 const kifu_e_start_round *event)
{
    return kifu_do_e_start_round(timeline, &state->game, event);
}
"""
accepted("a standard event overridden", [("union Event", 'union Event (overrides: "EStartRound")')], code=OVERRIDE,
         uses="overrides")
accepted("rules_version up", [("union Event", 'union Event (rules_version: "2")')],
         gone=["(waits|ran) .* rules_version"])
refused("rules_version down", "rules_version: 2 -> 1", [("union Event", 'union Event (rules_version: "2")')],
        [('"2"', '"1"')])

# --- Files ------------------------------------------------------------------------------------------------------------

ITEM = "table Item { name: string; spot: Spot; count: ushort = 1; }\n"
SPOT = "struct Spot { x: ubyte; y: ubyte; kind: Kind; z: uint; }\n"
KIND = "enum Kind: ubyte { FOOD, WOOD, STONE }\n"
accepted("types moved to another file",
         {
    MAIN: 'include "things.fbs";\n' + GAME.replace(ITEM, "").replace(SPOT, "").replace(KIND, ""),
    "things.fbs": "namespace nim;\n" + KIND + SPOT + ITEM})
accepted("F33 a schema renamed", {"heaps.fbs": GAME})
refused("F33 a schema renamed and changed", "nim.PTake.heap",
        {"heaps.fbs": GAME.replace("heap: ubyte;", "heap: uint;")})
accepted("comments",
         [("table PTake", "/// Takes stones.\ntable PTake"), ("  heap: ubyte;", "  /// From here.\n  heap: ubyte;")])

# --- Superseded -------------------------------------------------------------------------------------------------------

UPCAST = """kifu_result nim_upcast_e_gone(kifu_timeline *timeline, const nim_e_gone *gone)
{
    nim_submit_e_left(timeline, nim_e_gone_why(gone));
    return KIFU_OK;
}
"""
SUPERSEDED = [("table EGone (engine)", 'table EGone (engine, superseded_by: "ELeft")'),
              ("union", "table ELeft (engine) { why: string; }\nunion"),
              ("ERoll, EGone }", "ERoll, EGone, ELeft }")]
accepted("an event superseded", SUPERSEDED, code=UPCAST, uses="superseded_by", renames={"nim.EGone": "nim.ELeft"},
         gone=["id"])
accepted("an event superseded no more", SUPERSEDED, [('(engine, superseded_by: "ELeft")', "(engine)")], code=UPCAST,
         uses="superseded_by", renames={"nim.ELeft": "nim.EGone"}, gone=["id"])
