#include "bot.h"

#include "game.h"
#include "kinds.h"
#include "map.h"
#include "rules.h"

enum { RESTED_PERCENT = 85, WOUNDED_PERCENT = 40, HOPELESS_PERCENT = 25 };

static char step_towards(const dungeon_being *from, int x, int y)
{
    static const char ways[] = "ykuh.lbjn";
    int dx = (x > from->x) - (x < from->x), dy = (y > from->y) - (y < from->y);
    return ways[(dy + 1) * 3 + dx + 1];
}

static bool is_below(const dungeon_being *hero, int percent)
{
    return 100 * hero->hp < percent * hero->most_hp;
}

// --- The pack --------------------------------------------------------------------------------------------------------

// The command that uses such a thing; 0: there is none.
static char use_of(const dungeon_state *state, dungeon_thing thing)
{
    for (uint32_t place = 0; place < PACK_SIZE; place++) {
        const dungeon_item *item = dungeon_get_items(state, map_item_of(state, state->hero, place));
        if (item && item->thing == thing)
            return (char)('1' + place);
    }
    return 0;
}

static int worth(const dungeon_state *state, kifu_handle handle)
{
    const dungeon_item *item = dungeon_get_items(state, handle);
    return item ? things[item->thing].damage + 2 * things[item->thing].protection : 0;
}

// Puts on what is better than what is worn.
static char dress(const dungeon_state *state, const dungeon_being *hero)
{
    for (uint32_t place = 0; place < PACK_SIZE; place++) {
        kifu_handle handle = map_item_of(state, state->hero, place);
        const dungeon_item *item = dungeon_get_items(state, handle);
        if (!item)
            break;
        item_use use = things[item->thing].use;
        if ((use == USE_WEAPON && worth(state, handle) > worth(state, hero->weapon)) ||
            (use == USE_ARMOUR && worth(state, handle) > worth(state, hero->armour)))
            return (char)('1' + place);
    }
    return 0;
}

// --- Ways ------------------------------------------------------------------------------------------------------------

static bool can_go(const void *context, const dungeon_state *state, int x, int y)
{
    (void)context;
    dungeon_tile tile = map_tile(state, x, y);
    return map_is_seen(state, x, y) && (tiles[tile].open || tile == DUNGEON_TILE_DOOR);
}

// Something unseen is next to it, or it is a door nobody has opened.
static bool is_frontier(const dungeon_state *state, int x, int y)
{
    if (map_tile(state, x, y) == DUNGEON_TILE_DOOR)
        return true;
    for (int i = 0; i < 9; i++) {
        if (map_inside(x + i % 3 - 1, y + i / 3 - 1) && !map_is_seen(state, x + i % 3 - 1, y + i / 3 - 1))
            return true;
    }
    return false;
}

static bool is_worth_taking(const dungeon_state *state, int x, int y)
{
    const dungeon_item *item = dungeon_get_items(state, map_item_at(state, x, y));
    if (!item)
        return false;
    return item->thing == DUNGEON_THING_AMULET || !map_item_of(state, state->hero, PACK_SIZE - 1);
}

static bool is_stairs(const dungeon_state *state, int x, int y)
{
    return map_tile(state, x, y) == DUNGEON_TILE_STAIRS;
}

// The first step of the shortest way to a cell of some sort; 0: there is no way.
static char walk_to(const dungeon_state *state, const dungeon_being *hero,
                    bool is_goal(const dungeon_state *state, int x, int y))
{
    uint16_t steps[MAP_CELLS];
    uint32_t goal = MAP_CELLS;
    map_measure(state, hero->x, hero->y, can_go, NULL, steps);
    for (uint32_t i = 0; i < MAP_CELLS; i++) {
        if (steps[i] != MAP_FAR && steps[i] > 0 && (goal == MAP_CELLS || steps[i] < steps[goal]) &&
            is_goal(state, (int)(i % MAP_WIDTH), (int)(i / MAP_WIDTH)))
            goal = i;
    }
    if (goal == MAP_CELLS)
        return 0;
    // Back from the goal: the hero's neighbour that is nearest to it.
    map_measure(state, (int)(goal % MAP_WIDTH), (int)(goal / MAP_WIDTH), can_go, NULL, steps);
    uint32_t best = map_index(hero->x, hero->y);
    for (int i = 0; i < 9; i++) {
        int x = hero->x + i % 3 - 1, y = hero->y + i / 3 - 1;
        if (map_inside(x, y) && steps[map_index(x, y)] < steps[best])
            best = map_index(x, y);
    }
    return step_towards(hero, (int)(best % MAP_WIDTH), (int)(best / MAP_WIDTH));
}

// --- What to do ------------------------------------------------------------------------------------------------------

static char fight(const dungeon_state *state, const dungeon_being *hero, const dungeon_being *enemy)
{
    char use = 0;
    bool silent = state->level == 2;
    int distance = map_distance(hero->x, hero->y, enemy->x, enemy->y);
    if (is_below(hero, WOUNDED_PERCENT))
        use = use_of(state, DUNGEON_THING_HEALING);
    if (!use && !silent && is_below(hero, HOPELESS_PERCENT))
        use = use_of(state, DUNGEON_THING_BLINK);
    if (!use && !silent && beings[enemy->kind].hp > 9)
        use = use_of(state, DUNGEON_THING_FIRE);
    if (!use && beings[enemy->kind].hp > 13 && !hero->fast)
        use = use_of(state, DUNGEON_THING_SPEED);
    if (use)
        return use;
    if (distance == 1 || beings[enemy->kind].casts || enemy->actor.speed == 0)
        return step_towards(hero, enemy->x, enemy->y);
    return '.'; // let it come
}

// Whether `command` is a step that would go into a wall: then it is no good.
static bool is_blocked(const dungeon_state *state, const dungeon_being *hero, char command)
{
    for (int i = 0; i < 9; i++) {
        int x = hero->x + i % 3 - 1, y = hero->y + i / 3 - 1;
        if (step_towards(hero, x, y) == command)
            return !map_is_open(state, x, y) && map_tile(state, x, y) != DUNGEON_TILE_DOOR;
    }
    return false;
}

char bot_command(const dungeon_state *state)
{
    const dungeon_being *hero = map_hero(state);
    const dungeon_being *enemy = dungeon_get_actors(state, rules_nearest_enemy(state, state->hero));
    char command = 0;
    if (enemy && (enemy->actor.speed > 0 || map_distance(hero->x, hero->y, enemy->x, enemy->y) == 1)) {
        command = fight(state, hero, enemy);
        if (!is_blocked(state, hero, command))
            return command;
        command = 0;
    }
    if (is_below(hero, RESTED_PERCENT))
        return '.';
    if (is_worth_taking(state, hero->x, hero->y))
        return 'g';
    command = dress(state, hero);
    if (!command)
        command = walk_to(state, hero, is_worth_taking);
    if (!command)
        command = walk_to(state, hero, is_frontier);
    if (!command && is_stairs(state, hero->x, hero->y))
        command = '>';
    if (!command)
        command = walk_to(state, hero, is_stairs);
    return command ? command : '.';
}

kifu_result bot_play(kifu_timeline *timeline, uint32_t most, char *commands, uint32_t *count)
{
    kifu_result result = dungeon_go_on(timeline);
    const dungeon_state *state = dungeon_get_state(timeline);
    uint32_t done = 0;
    for (; !result && done < most && !dungeon_is_over(state); done++) {
        char command = bot_command(state);
        result = dungeon_play(timeline, command);
        if (result == KIFU_REJECTED) // what it thought of cannot be done: it waits
            result = dungeon_play(timeline, command = '.');
        if (commands)
            commands[done] = command;
    }
    if (commands)
        commands[done] = '\0';
    if (count)
        *count = done;
    return result;
}
