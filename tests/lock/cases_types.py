"""Enums, structs, nested tables, the state."""

from case import GAME, accepted, refused, renamed

# --- Enums, structs, nested tables ------------------------------------------------------------------------------------

accepted("an enum's value at the end", [("{ FOOD, WOOD, STONE }", "{ FOOD, WOOD, STONE, IRON }")])
accepted("a flag at the end", [("{ FAST, STRONG, WISE }", "{ FAST, STRONG, WISE, OLD }")])
refused("an enum's value taken away", "load", [("{ FOOD, WOOD, STONE }", "{ FOOD, WOOD }")])
refused("a flag taken away", "load", [("{ FAST, STRONG, WISE }", "{ FAST, STRONG }")])
refused("an enum's value put into the middle", "STONE", [("{ FOOD, WOOD, STONE }", "{ FOOD, IRON, WOOD, STONE }")])
refused("an enum in another order", "WOOD -> FOOD", [("{ FOOD, WOOD, STONE }", "{ WOOD, FOOD, STONE }")],
        game=GAME.replace("kind: Kind = WOOD", "kind: Kind"))
refused("flags in another order", "FAST -> STRONG", [("{ FAST, STRONG, WISE }", "{ STRONG, FAST, WISE }")])
refused("an enum's number", "load", [("{ FOOD, WOOD, STONE }", "{ FOOD, WOOD, STONE = 7 }")])
renamed("an enum's value renamed", {"WOOD": "TIMBER"},
        [("{ FOOD, WOOD, STONE }", "{ FOOD, TIMBER, STONE }"), ("Kind = WOOD", "Kind = TIMBER")])
renamed("a flag renamed", {"STRONG": "TOUGH"}, [("{ FAST, STRONG, WISE }", "{ FAST, TOUGH, WISE }")])
renamed("an enum renamed", {"nim.Kind": "nim.Sort"}, [("enum Kind", "enum Sort"),
         ("; kind: Kind; z", "; kind: Sort; z"), ("[Kind]", "[Sort]"), ("kind: Kind = WOOD", "kind: Sort = WOOD")])
refused("an enum of a wider type", "nim.", [("enum Kind: ubyte", "enum Kind: ushort")])
refused("an enum that became bit_flags", "load", [("enum Kind: ubyte", "enum Kind: ubyte (bit_flags)")])
refused("an enum that was bit_flags", "nim.PTake.traits", [("enum Traits: ubyte (bit_flags)", "enum Traits: ubyte")])
refused("a struct that is longer", "nim.EDeal", [("kind: Kind; z: uint; }", "kind: Kind; z: uint; w: uint; }")])
refused("a struct that is shorter", "nim.EDeal.spots", [("kind: Kind; z: uint; }", "kind: Kind; }")])
refused("a struct in another order", ".x", [("x: ubyte; y: ubyte;", "y: ubyte; x: ubyte;")])
refused("a struct's member of another type", ".z", [("z: uint; }", "z: int; }")])
refused("a struct's member in its padding", ".w", [("kind: Kind; z: uint; }", "kind: Kind; w: ubyte; z: uint; }")])
renamed("a struct's member renamed", {"z": "height"}, [("z: uint; }", "height: uint; }")])
renamed("a struct renamed", {"nim.Spot": "nim.Place"}, [("struct Spot", "struct Place"),
         ("spot: Spot", "spot: Place"), ("[Spot]", "[Place]"), ("at: Spot", "at: Place")])
renamed("a nested table renamed", {"nim.Item": "nim.Thing"},
        [("table Item", "table Thing"), ("[Item]", "[Thing]"), ("best: Item", "best: Thing")])
renamed("types moved to another namespace", {"nim.Spot": "map.Spot"},
        [("struct Spot {", "namespace map; struct Spot {"), ("y: ubyte; kind: Kind;", "y: ubyte; kind: nim.Kind;"),
         ("table Item", "namespace nim; table Item"),
         ("spot: Spot", "spot: map.Spot"), ("[Spot]", "[map.Spot]"), ("at: Spot", "at: map.Spot")])
refused("a nested table's fields in another order", "load",
        [("{ name: string; spot: Spot;", "{ spot: Spot; name: string;")])

# --- The state --------------------------------------------------------------------------------------------------------

accepted("the state in another order", [("digest: ulong; season: Season;", "season: Season; digest: ulong;")])
accepted("a state with more in it", [("traits: Traits; }", "traits: Traits; heaps: [ushort: 40]; }")],
         new={"heaps": "0"})
accepted("an enum of the state in another order", [("{ SUMMER, WINTER }", "{ WINTER, SUMMER }")])
accepted("an enum's value in the middle, in the state", [("{ SUMMER, WINTER }", "{ SUMMER, AUTUMN, WINTER }")])
accepted("the state under another name", [("struct State", "struct Board")], renames={"nim.State": "nim.Board"})
