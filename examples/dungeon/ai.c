// A monster submits what the hero would: a step towards somebody, the use of an item. What comes of it, a blow or an
// opened door, is found out by the actions. What cannot be done is refused, and costs nothing; then the next idea is
// tried. So nothing here asks what is allowed.

#include "ai.h"

#include "kinds.h"
#include "map.h"
#include "rules.h"

enum { CASTING_DISTANCE = 6, MONSTER_PACK = 2 };

typedef struct thought {
    kifu_timeline *timeline;
    const dungeon_state *state;
    kifu_handle actor;
    const dungeon_being *being;
    const being_kind *kind;
    uint16_t steps[MAP_CELLS]; // to the hero
} thought;

static kifu_ticket move(const thought *thought, int dx, int dy)
{
    return dungeon_submit_p_move(thought->timeline, -1, thought->actor, (int8_t)dx, (int8_t)dy, 0);
}

// A number that is the same whenever the same game comes here. `kifu_random` would be misuse: this is no Do function.
static uint32_t whim(const thought *thought, uint32_t attempt, uint32_t bound)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, kifu_event_count(thought->timeline), thought->actor + attempt);
    return kifu_rng_below(&rng, bound);
}

static bool can_pass(const void *context, const dungeon_state *state, int x, int y)
{
    const being_kind *kind = context;
    dungeon_tile tile = map_tile(state, x, y);
    return tiles[tile].open || (tile == DUNGEON_TILE_DOOR && kind->hands);
}

// The step that leads nearest to the hero; the second best, the third with each attempt.
static kifu_ticket hunt(const thought *thought, uint32_t rank)
{
    const dungeon_being *being = thought->being;
    uint32_t order[9], count = 0;
    for (uint32_t i = 0; i < 9; i++) {
        int x = being->x + (int)(i % 3) - 1, y = being->y + (int)(i / 3) - 1;
        if (i == 4 || !map_inside(x, y) || thought->steps[map_index(x, y)] == MAP_FAR)
            continue;
        uint32_t distance = thought->steps[map_index(x, y)], at = count++;
        for (; at > 0 && order[at - 1] / 9 > distance; at--)
            order[at] = order[at - 1];
        order[at] = distance * 9 + i;
    }
    if (rank >= count)
        return move(thought, 0, 0);
    uint32_t i = order[rank] % 9;
    return move(thought, (int)(i % 3) - 1, (int)(i / 3) - 1);
}

// The first thing in the pack that is good for something now.
static kifu_handle useful_item(const thought *thought)
{
    const dungeon_being *being = thought->being;
    for (uint32_t place = 0;; place++) {
        kifu_handle item = map_item_of(thought->state, thought->actor, place);
        if (!item)
            return item;
        dungeon_thing thing = dungeon_get_items(thought->state, item)->thing;
        if ((thing == DUNGEON_THING_HEALING && 2 * being->hp <= being->most_hp) || thing == DUNGEON_THING_SPEED ||
            (things[thing].use == USE_WEAPON && !being->weapon) || (things[thing].use == USE_ARMOUR && !being->armour))
            return item;
    }
}

// What comes before walking: 0, when there is nothing.
static kifu_ticket use_hands(const thought *thought)
{
    const dungeon_state *state = thought->state;
    kifu_handle item = useful_item(thought);
    if (item)
        return dungeon_submit_p_use(thought->timeline, -1, thought->actor, item);
    if (map_item_at(state, thought->being->x, thought->being->y) &&
        !map_item_of(state, thought->actor, MONSTER_PACK - 1))
        return dungeon_submit_p_pick_up(thought->timeline, -1, thought->actor);
    return 0;
}

static kifu_ticket cast(const thought *thought)
{
    kifu_handle enemy = rules_nearest_enemy(thought->state, thought->actor);
    const dungeon_being *target = dungeon_get_actors(thought->state, enemy);
    if (!target || map_distance(thought->being->x, thought->being->y, target->x, target->y) > CASTING_DISTANCE)
        return 0;
    return dungeon_submit_p_cast(thought->timeline, -1, thought->actor, DUNGEON_SPELL_SPARK, enemy, KIFU_NO_HANDLE);
}

kifu_ticket dungeon_decide(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor,
                           uint32_t attempt)
{
    (void)context;
    thought thought = {.timeline = timeline, .state = state, .actor = actor};
    const dungeon_being *hero = map_hero(state);
    thought.being = dungeon_get_actors(state, actor);
    thought.kind = &beings[thought.being->kind];
    if (actor == thought.state->hero)
        return 0;
    kifu_ticket ticket = 0;
    if (attempt == 0 && thought.kind->hands)
        ticket = use_hands(&thought);
    if (!ticket && attempt == 0 && thought.kind->casts)
        ticket = cast(&thought);
    if (!ticket && thought.kind->flies && whim(&thought, attempt, 2)) {
        uint32_t where = whim(&thought, attempt + 1, 9);
        ticket = move(&thought, (int)(where % 3) - 1, (int)(where / 3) - 1);
    }
    if (!ticket) {
        map_measure(state, hero->x, hero->y, can_pass, thought.kind, thought.steps);
        ticket = hunt(&thought, attempt > 0 && (thought.kind->casts || thought.kind->hands) ? attempt - 1 : attempt);
    }
    return ticket;
}
