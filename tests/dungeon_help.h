/// What the suites of the Dungeon example share. They link the rules, the monsters and the bot, no view.
#ifndef DUNGEON_HELP_H
#define DUNGEON_HELP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "ai.h"
#include "game.h"
#include "hooks.h"
#include "kinds.h"
#include "map.h"
#include "rules.h"
#include "way.h"

static inline void must(const kifu_timeline *timeline, kifu_result result)
{
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
}

static inline void add_hooks(kifu_timeline *timeline)
{
    must(timeline, kifu_observe_all(timeline, dungeon_hooks.items, dungeon_hooks.count));
}

static inline kifu_timeline *new_game(uint64_t seed, const kifu_options *options)
{
    const kifu_options quiet = {.quiet = true};
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_create(&dungeon_rules, options ? options : &quiet, &timeline, &error), "%s", error.message);
    add_hooks(timeline);
    must(timeline, dungeon_begin(timeline, &seed));
    must(timeline, dungeon_go_on(timeline));
    return timeline;
}

static inline kifu_timeline *reload(kifu_timeline *timeline, const kifu_options *options)
{
    const kifu_options quiet = {.quiet = true};
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    kifu_error error;
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    ck_assert_msg(
        !kifu_load_from_memory(&dungeon_rules, bytes, size, options ? options : &quiet, NULL, &loaded, &error), "%s",
        error.message);
    kifu_free_bytes(timeline, bytes);
    return loaded;
}

static inline const dungeon_being *hero_of(const kifu_timeline *timeline)
{
    return map_hero(dungeon_get_state(timeline));
}

static inline kifu_handle handle_of_hero(const kifu_timeline *timeline)
{
    return dungeon_get_state(timeline)->hero;
}

/// The hero's own action with all that follows from it; monsters do not reply yet.
static inline kifu_turn_status act(kifu_timeline *timeline, char command)
{
    kifu_turn turn;
    must(timeline,
         kifu_set_action(timeline, handle_of_hero(timeline), dungeon_submit_command(timeline, command, false)));
    must(timeline, kifu_take_turn(timeline, dungeon_decide, NULL, &turn));
    ck_assert_uint_eq(turn.actor, handle_of_hero(timeline));
    if (turn.status != KIFU_TURN_REFUSED)
        must(timeline, kifu_run(timeline));
    return turn.status;
}

/// The hero's action happens.
static inline void must_act(kifu_timeline *timeline, char command)
{
    ck_assert_int_eq(act(timeline, command), KIFU_TURN_ACTED);
}

/// It does not, for a `reason` (NULL: any), and leaves nothing behind.
static inline void must_not_act(kifu_timeline *timeline, char command, const char *reason)
{
    const uint32_t count = kifu_event_count(timeline);
    const uint64_t hash = kifu_state_hash(timeline);
    ck_assert_int_eq(act(timeline, command), KIFU_TURN_REFUSED);
    if (reason)
        ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), reason);
    ck_assert_uint_eq(kifu_event_count(timeline), count);
    ck_assert_uint_eq(kifu_state_hash(timeline), hash);
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
}

/// The names of events begin so.
static inline void must_begin(const char *names, const char *beginning)
{
    ck_assert_msg(!strncmp(names, beginning, strlen(beginning)), "'%s' does not begin with '%s'", names, beginning);
}

/// Which way to a neighbour of some being, as a command.
static inline char way(const dungeon_being *from, int x, int y)
{
    return "ykuh.lbjn"[(y - from->y + 1) * 3 + x - from->x + 1];
}

/// Whether a cell beside the hero is of such a tile, with nobody on it.
static inline bool is_beside(const kifu_timeline *timeline, dungeon_tile tile, int *x, int *y)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    const dungeon_being *hero = map_hero(state);
    for (int i = 0; i < 9; i++) {
        *x = hero->x + i % 3 - 1;
        *y = hero->y + i / 3 - 1;
        if (map_tile(state, *x, *y) == tile && !map_being_at(state, *x, *y))
            return true;
    }
    return false;
}

/// Puts the hero beside such a tile, by spells: engine events ask nobody. What sleeps around there stays asleep.
static inline char go_beside(kifu_timeline *timeline, dungeon_tile tile)
{
    int x, y;
    for (int i = 0; i < 10000; i++) {
        const dungeon_being *hero = hero_of(timeline);
        if (map_tile(dungeon_get_state(timeline), hero->x, hero->y) != tile && is_beside(timeline, tile, &x, &y))
            return way(hero, x, y);
        dungeon_submit_e_blink(timeline, handle_of_hero(timeline));
        must(timeline, kifu_run(timeline));
    }
    ck_abort_msg("there is no such place");
    return 0;
}

/// A monster that is awake, beside the hero.
static inline kifu_handle put_beside(kifu_timeline *timeline, dungeon_kind kind)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    int x, y;
    while (!is_beside(timeline, DUNGEON_TILE_FLOOR, &x, &y)) {
        dungeon_submit_e_blink(timeline, state->hero);
        must(timeline, kifu_run(timeline));
    }
    dungeon_submit_e_appear(timeline, kind, (uint8_t)x, (uint8_t)y);
    must(timeline, kifu_run(timeline));
    kifu_handle monster = map_being_at(state, x, y);
    ck_assert_uint_ne(monster, KIFU_NO_HANDLE);
    return monster;
}

static inline char way_to(const kifu_timeline *timeline, kifu_handle being)
{
    const dungeon_being *to = dungeon_get_actors(dungeon_get_state(timeline), being);
    return way(hero_of(timeline), to->x, to->y);
}

/// Somebody has such a thing; its handle.
static inline kifu_handle give(kifu_timeline *timeline, kifu_handle owner, dungeon_thing thing)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    dungeon_submit_e_give(timeline, owner, thing);
    must(timeline, kifu_run(timeline));
    kifu_handle item = KIFU_NO_HANDLE, found = KIFU_NO_HANDLE;
    while ((item = dungeon_next_items(state, item))) {
        if (dungeon_get_items(state, item)->owner == owner && dungeon_get_items(state, item)->thing == thing)
            found = item;
    }
    ck_assert_uint_ne(found, KIFU_NO_HANDLE);
    return found;
}

/// The command with which the hero uses it.
static inline char use(const kifu_timeline *timeline, kifu_handle item)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    for (uint32_t place = 0; place < PACK_SIZE; place++) {
        if (map_item_of(state, state->hero, place) == item)
            return (char)('1' + place);
    }
    ck_abort_msg("the hero does not have it");
    return 0;
}

/// Makes it a monster's turn, and lets it try `ticket`. Others stand still meanwhile.
static inline kifu_turn_status act_as(kifu_timeline *timeline, kifu_handle actor, kifu_ticket ticket)
{
    kifu_turn turn;
    kifu_result result = kifu_set_action(timeline, actor, ticket);
    must(timeline, result);
    for (int i = 0; i < 1000; i++) {
        must(timeline, kifu_take_turn(timeline, NULL, NULL, &turn));
        if (turn.status == KIFU_TURN_NEEDS_INPUT) { // not yet
            kifu_ticket rest =
                dungeon_submit_p_move(timeline, turn.actor == handle_of_hero(timeline) ? 0 : -1, turn.actor, 0, 0, 0);
            must(timeline, kifu_set_action(timeline, turn.actor, rest));
            continue;
        }
        if (turn.actor == actor && turn.status == KIFU_TURN_REFUSED)
            return turn.status;
        must(timeline, kifu_run(timeline));
        if (turn.actor == actor)
            return turn.status;
    }
    ck_abort_msg("its turn never came");
    return KIFU_TURN_BUSY;
}

/// The names of the events from number `first` on, without their namespaces: "PStrike EAttempt".
static inline const char *names_from(const kifu_timeline *timeline, uint32_t first)
{
    static char names[2000];
    kifu_event event;
    names[0] = '\0';
    for (uint32_t i = first; kifu_event_at(timeline, i, &event) && strlen(names) + 100 < sizeof names; i++) {
        strcat(names, i == first ? "" : " ");
        strcat(names, strchr(event.name, '.') + 1);
    }
    return names;
}

static inline uint32_t count_from(const kifu_timeline *timeline, uint32_t first, uint32_t type)
{
    uint32_t count = 0;
    kifu_event event;
    for (uint32_t i = first; kifu_event_at(timeline, i, &event); i++)
        count += event.type == type;
    return count;
}

#endif
