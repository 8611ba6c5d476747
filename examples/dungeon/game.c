#include "game.h"

#include <string.h>

#include "ai.h"
#include "kinds.h"
#include "map.h"
#include "rules.h"
#include "way.h"

kifu_result dungeon_begin(kifu_timeline *timeline, const uint64_t *seed)
{
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    initialize.has_seed = seed != NULL;
    initialize.seed = seed ? *seed : 0;
    dungeon_submit_e_reset_game(timeline);
    dungeon_submit_e_add_player(timeline, 0, 0xffffff);
    dungeon_submit_e_initialize(timeline, &initialize);
    dungeon_submit_e_start_round(timeline);
    dungeon_submit_e_enter(timeline);
    dungeon_submit_e_descend(timeline);
    return kifu_run(timeline);
}

static const char directions[] = "yku"
                                 "h.l"
                                 "bjn";

static const char runs[] = "YKU"
                           "H L"
                           "BJN";

bool dungeon_is_command(int command)
{
    return command > 0 && command < 128 &&
           strchr("yku"
                  "h.l"
                  "bjn"
                  "YKU"
                  "HL"
                  "BJN"
                  "g>12345678Rxw",
                  command) != NULL;
}

// To those that the hero has seen; else to where nobody can go, which is refused.
static kifu_ticket submit_walk_to_stairs(kifu_timeline *timeline, const dungeon_state *state)
{
    int x = 0, y = 0;
    for (uint32_t i = 0; i < MAP_CELLS; i++) {
        const int column = (int)(i % MAP_WIDTH), row = (int)(i / MAP_WIDTH);
        if (map_is_seen(state, column, row) && way_is_stairs(state, column, row)) {
            x = column;
            y = row;
        }
    }
    return dungeon_submit_p_walk(timeline, HERO_PLAYER, state->hero, (uint8_t)x, (uint8_t)y);
}

kifu_ticket dungeon_submit_command(kifu_timeline *timeline, char command, bool final)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    const char *direction = command ? strchr(directions, command) : NULL, *run = command ? strchr(runs, command) : NULL;
    kifu_ticket ticket = 0;
    if (direction) {
        int way = (int)(direction - directions);
        ticket =
            dungeon_submit_p_move(timeline, HERO_PLAYER, state->hero, (int8_t)(way % 3 - 1), (int8_t)(way / 3 - 1), 0);
    } else if (run && command != ' ') {
        int way = (int)(run - runs);
        ticket =
            dungeon_submit_p_run(timeline, HERO_PLAYER, state->hero, (int8_t)(way % 3 - 1), (int8_t)(way / 3 - 1), 0);
    } else if (command == 'R') {
        ticket = dungeon_submit_p_recover(timeline, HERO_PLAYER, state->hero);
    } else if (command == 'x') {
        ticket = dungeon_submit_p_explore(timeline, HERO_PLAYER, state->hero);
    } else if (command == 'w') {
        ticket = submit_walk_to_stairs(timeline, state);
    } else if (command == 'g') {
        ticket = dungeon_submit_p_pick_up(timeline, HERO_PLAYER, state->hero);
    } else if (command == '>') {
        ticket = dungeon_submit_p_descend(timeline, HERO_PLAYER, state->hero);
    } else if (command >= '1' && command < '1' + PACK_SIZE) {
        kifu_handle item = map_item_of(state, state->hero, (uint32_t)(command - '1'));
        ticket = dungeon_submit_p_use(timeline, HERO_PLAYER, state->hero, item);
    }
    if (ticket && final)
        kifu_override(timeline, ticket, false, false);
    return ticket;
}

kifu_result dungeon_go_on(kifu_timeline *timeline)
{
    kifu_result result;
    kifu_turn turn;
    do {
        result = kifu_run(timeline);
        if (!result)
            result = kifu_take_turn(timeline, dungeon_decide, NULL, &turn);
    } while (!result && turn.status != KIFU_TURN_NEEDS_INPUT && turn.status != KIFU_TURN_NO_ACTORS);
    return result;
}

kifu_result dungeon_play(kifu_timeline *timeline, char command)
{
    kifu_result result = dungeon_go_on(timeline);
    if (result)
        return result;
    const dungeon_state *state = dungeon_get_state(timeline);
    kifu_turn turn;
    result = kifu_set_action(timeline, state->hero, dungeon_submit_command(timeline, command, false));
    if (!result)
        result = kifu_take_turn(timeline, dungeon_decide, NULL, &turn);
    if (!result && turn.status == KIFU_TURN_REFUSED)
        return kifu_last_error(timeline)->result;
    return result ? result : dungeon_go_on(timeline);
}

bool dungeon_is_over(const dungeon_state *state)
{
    return state->game.phase == KIFU_PHASE_GAME_OVER;
}
