"""Fields of events and of nested tables."""

from case import GAME, accepted, refused, renamed

# --- Fields -----------------------------------------------------------------------------------------------------------

accepted("a field at the end", [("sum: int (transient);", "sum: int (transient); price: uint = 7;")],
         new={"price": "7"})
accepted("an optional field at the end", [("sum: int (transient);", "sum: int (transient); price: uint = null;")])
accepted("fields that lead elsewhere at the end",
         [("sum: int (transient);",
           "sum: int (transient); more: string; bag: [Item]; sack: Item; marks: [Spot]; kinds: [Kind];")])
accepted("a struct at the end", [("sum: int (transient);", "sum: int (transient); spot: Spot;")],
         new={"spot": "struct nim.Spot", "x": "0", "y": "0", "kind": "FOOD", "z": "0"})
accepted("a field of a nested table", [("count: ushort = 1; }", "count: ushort = 1; rare: bool = true; }")],
         new={"rare": "true"})
refused("a field taken from the end", "nim.EGone.why", [("{ why: string; }", "{}")])
refused("a field taken from the middle", "nim.PTake", [("  note: string;\n", "")])
refused("a field put into the middle", "nim.PTake", [("  note: string;\n", "  seconds: ushort;\n  note: string;\n")])
accepted("a field put into the middle with ids",
         [("{ sides: int = 6; }", "{ eyes: int (id: 1); sides: int = 6 (id: 0); }")],
         new={"eyes": "0"})
refused("fields in another order", "nim.PTake.heap",
        [("  heap: ubyte;\n  count: ushort = 4;", "  count: ushort = 4;\n  heap: ubyte;")])
renamed("a field renamed", {"note": "remark"}, [("note: string;", "remark: string;")])
refused("a field replaced", "load", [("note: string;", "words: [string];")])
accepted("a field deprecated", [("note: string;", "note: string (deprecated);")], gone=["note"])
accepted("a number deprecated, of which no Do knows", [("heap: ubyte;", "heap: ubyte (deprecated);")], gone=["heap"],
         unread=["heap"])
accepted("a field deprecated and back", [("note: string;", "note: string (deprecated);")], [(" (deprecated)", "")],
         gone=["note"])
accepted("a nested table deprecated", [("best: Item;", "best: Item (deprecated);")], gone=["best"])
refused("another type of the same size", "nim.ERoll.sides", [("sides: int = 6", "sides: uint = 6")])
refused("a float of the same size", "nim.ERoll.sides", [("sides: int = 6", "sides: float = 6")])
refused("a wider type", "nim.PTake.heap", [("heap: ubyte;", "heap: uint;")])
refused("a narrower type", "nim.PTake.count", [("count: ushort = 4;", "count: ubyte = 4;")])
refused("an enum became a number", "PTake.kind: WOOD -> 1", [("kind: Kind = WOOD;", "kind: ubyte = 1;")])
refused("a number became an enum", "load", [("heap: ubyte;", "heap: Kind;")])
refused("another enum", "nim.PTake.kind", [("kind: Kind = WOOD;", "kind: Season = WINTER;")])
refused("a bool became a number", "nim.PTake.done", [("done: bool;", "done: ubyte;")])
refused("one became a vector", "load", [("note: string;", "note: [string];")])
refused("text became bytes", "nim.PTake.note", [("note: string;", "note: [ubyte];")])
refused("a vector of another type", "nim.EDeal.stones", [("stones: [ushort];", "stones: [short];")])
refused("a vector of wider numbers", "nim.EDeal", [("stones: [ushort];", "stones: [uint];")])
refused("another struct of the same layout", "nim.PTake.at", [("at: Spot;", "at: Place;"),
         ("table Item", "struct Place { x: ubyte; y: ubyte; kind: Kind; z: uint; }\ntable Item")])
refused("another nested table", "nim.EDeal.best",
        [("best: Item;", "best: Other;"), ("table Item", "table Other { text: string; }\ntable Item")])
refused("a struct became a table", "load", [("struct Spot {", "table Spot {")])

# --- Defaults, optional, required -------------------------------------------------------------------------------------

OLDER = [("table ERoll (engine) { sides: int = 6; }", "table ERoll (engine) { sides: int = 6; eyes: int = 4; }")]
refused("another default", "eyes: 4 -> 5", OLDER, [("eyes: int = 4", "eyes: int = 5")], new={"eyes": "4"})
refused("F24 another default by way of deprecation", "eyes: 4 -> 5", OLDER,
        [("eyes: int = 4", "eyes: int = 5 (deprecated)")], [(" (deprecated)", "")], judged=2)
accepted("F24 the same default by way of deprecation", OLDER, [("eyes: int = 4", "eyes: int = 4 (deprecated)")],
         [(" (deprecated)", "")], unread=["eyes"], gone=["eyes"])
refused("a default that became optional", "eyes: 4 ->None", OLDER, [("eyes: int = 4", "eyes: int = null")])
refused("an optional field that got a default", "luck:None -> 0", [("luck: int = null", "luck: int")])
refused("another default of an enum", "kind: FOOD -> STONE",
        [("{ sides: int = 6; }", "{ sides: int = 6; kind: Kind; }")],
        [("sides: int = 6; kind: Kind;", "sides: int = 6; kind: Kind = STONE;")])
refused("a field that became required", "load", [("note: string;", "note: string (required);")])
refused("a new required field", "load", [("sum: int (transient);", "sum: int (transient); word: string (required);")])
accepted("required taken away", [("why: string (required);", "why: string;")],
         game=GAME.replace("why: string;", "why: string (required);"))
refused("a field that became transient", "nim.PTake.heap", [("heap: ubyte;", "heap: ubyte (transient);")])
accepted("a transient field is saved", [("sum: int (transient);", "sum: int = 5;")], new={"sum": "5"})
accepted("a transient field of another type", [("sum: int (transient);", "sum: [Spot];")])
accepted("a transient field taken from the end", [("  sum: int (transient);\n", "")])
refused("a transient field taken from the middle", "nim.PTake",
        [("sum: int (transient);", "sum: int (transient); price: uint;")], [("sum: int (transient); ", "")])
