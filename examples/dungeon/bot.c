#include "bot.h"

#include "game.h"
#include "kinds.h"
#include "map.h"
#include "way.h"

enum { RESTED_PERCENT = 85, WOUNDED_PERCENT = 40, HOPELESS_PERCENT = 25, PATIENCE = 20 };

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

// --- What to do ------------------------------------------------------------------------------------------------------

// The nearest one in sight who is awake, or who sleeps at arm's length; NULL: there is none.
static const dungeon_being *enemy_of(const dungeon_state *state, const dungeon_being *hero)
{
    const dungeon_being *nearest = NULL;
    int least = MAP_WIDTH;
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_actors(state, handle))) {
        const dungeon_being *being = dungeon_get_actors(state, handle);
        const int distance = map_distance(hero->x, hero->y, being->x, being->y);
        if (handle != state->hero && being->hp > 0 && distance < least && map_hero_sees(state, being->x, being->y) &&
            (being->actor.speed > 0 || distance == 1)) {
            nearest = being;
            least = distance;
        }
    }
    return nearest;
}

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
    int8_t dx, dy;
    const bool waits = state->turns.turn % PATIENCE < PATIENCE * 3 / 4;
    if (waits || way_step(state, state->hero, enemy->x, enemy->y, true, &dx, &dy) <= 0)
        return '.'; // let it come; but perhaps it cannot
    return step_towards(hero, hero->x + dx, hero->y + dy);
}

// A step towards what can be reached only through somebody who sleeps in the way; 0: there is nothing.
static char step_through(const dungeon_state *state, const dungeon_being *hero)
{
    static way_goal *const goals[] = {way_is_worth_taking, way_is_new, way_is_stairs};
    for (int i = 0; i < 3; i++) {
        int x, y;
        int8_t dx = 0, dy = 0;
        if (way_find(state, state->hero, goals[i], true, &x, &y) &&
            way_step(state, state->hero, x, y, true, &dx, &dy) > 0)
            return step_towards(hero, hero->x + dx, hero->y + dy);
    }
    return 0;
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
    const dungeon_being *enemy = enemy_of(state, hero);
    char command = 0;
    if (enemy) {
        command = fight(state, hero, enemy);
        if (!is_blocked(state, hero, command))
            return command;
        command = 0;
    }
    int x, y;
    if (is_below(hero, RESTED_PERCENT))
        return 'R';
    command = dress(state, hero);
    if (!command && (way_is_worth_taking(state, hero->x, hero->y) ||
                     way_find(state, state->hero, way_is_worth_taking, false, &x, &y) ||
                     way_find(state, state->hero, way_is_new, false, &x, &y)))
        return 'x';
    if (!command && way_is_stairs(state, hero->x, hero->y))
        return '>';
    if (!command && way_find(state, state->hero, way_is_stairs, false, &x, &y))
        return 'w';
    if (!command)
        command = step_through(state, hero);
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
