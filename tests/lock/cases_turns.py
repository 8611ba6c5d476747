"""What the turn loop and timers save."""

from case import accepted, refused, renamed

TIMED = """include "kifu.fbs";
include "kifu_turns.fbs";
namespace nim;
struct State (state) { game: kifu.Game; digest: ulong; turns: kifu.Turns; timers: [kifu.Timer: 8] (pool); }
table EBloom (engine) { count: ushort = 4; note: string; }
table PSow (player) { seeds: ubyte; }
union Event { kifu.EResetGame, kifu.EAddPlayer, kifu.EInitialize, kifu.EStartRound, kifu.EBeginTurn,
              kifu.ESchedule, kifu.ECancel, EBloom, PSow }
"""

# --- Events inside events: what is timed ------------------------------------------------------------------------------

accepted("a field of a timed event", [("note: string; }", "note: string; more: int = 3; }")], game=TIMED,
         new={"more": "3"})
renamed("a timed event renamed", {"nim.EBloom": "nim.EFlower"},
        [("table EBloom", "table EFlower"), ("EBloom, PSow", "EFlower, PSow")], game=TIMED)
refused("a field of a timed event of another type", "nim.EBloom.count", [("count: ushort = 4", "count: short = 4")],
        game=TIMED)
refused("timed events in another order", "turn", [("EBloom, PSow", "PSow, EBloom")], game=TIMED)

# --- Pools and actors -------------------------------------------------------------------------------------------------

ACTORS = """include "kifu.fbs";
include "kifu_turns.fbs";
namespace nim;
struct Being { slot: kifu.Slot; hp: short; actor: kifu.Actor; }
struct State (state) {
  game: kifu.Game;
  digest: ulong;
  turns: kifu.Turns;
  heroes: [Being: 2] (pool, actors);
  rats: [Being: 2] (pool);
}
table EEnter (engine) { hp: short = 9; }
table PRest (player) { times: ubyte; }
union Event {
  kifu.EResetGame, kifu.EAddPlayer, kifu.EInitialize, kifu.EStartRound, kifu.EBeginTurn, kifu.ESpendEnergy,
  EEnter, PRest
}
"""
ENTER = """kifu_result nim_do_e_enter(kifu_timeline *timeline, const nim_state *state, const nim_e_enter *enter)
{
    kifu_handle hero = nim_spawn_heroes(timeline), rat = nim_spawn_rats(timeline);
    if (hero)
        *nim_edit_heroes_actor_speed(timeline, hero) = 100;
    if (rat)
        *nim_edit_rats_actor_speed(timeline, rat) = 100;
    return KIFU_OK;
}
"""
accepted("a pool that grew", [("rats: [Being: 2]", "rats: [Being: 5]")], gone=[r"rats\[[234]"], game=ACTORS,
         code=ENTER, uses="EEnter")
accepted("another pool", [("rats: [Being: 2] (pool);", "rats: [Being: 2] (pool); dogs: [Being: 2] (pool);")],
         gone=["dogs"], game=ACTORS, code=ENTER, uses="EEnter")
refused("actors in another pool", "state.rats.0..actor.energy",
        [("(pool, actors)", "(pool)"), ("rats: [Being: 2] (pool)", "more: int; rats: [Being: 2] (pool, actors)")],
        game=ACTORS, code=ENTER, uses="EEnter")
refused("actors no more", "turn",
        [("(pool, actors)", "(pool)"), ("union Event {", 'union Event (overrides: "ESpendEnergy") {')], game=ACTORS,
        code=ENTER, uses="EEnter")
renamed("the actors' pool renamed", {"heroes": "knights"}, [("heroes:", "knights:")], game=ACTORS, code=ENTER,
        uses="EEnter")
