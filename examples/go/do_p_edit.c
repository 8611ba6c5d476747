#include "rules.h"

// The stones that it puts, and the number of points that it names, for each content of a point.
typedef struct change {
    go_stone stone;
    const uint16_t *points;
    uint32_t count;
} change;

static void list_changes(const go_p_edit *edit, change changes[3])
{
    changes[0] = (change){GO_STONE_BLACK, go_p_edit_black(edit), go_p_edit_black_count(edit)};
    changes[1] = (change){GO_STONE_WHITE, go_p_edit_white(edit), go_p_edit_white_count(edit)};
    changes[2] = (change){GO_STONE_NONE, go_p_edit_empty(edit), go_p_edit_empty_count(edit)};
}

static const char *fault_of(const go_state *state, const go_p_edit *edit)
{
    bool taken[MOST_POINTS] = {false};
    change changes[3];
    list_changes(edit, changes);
    if (state->plays >= MOST_PLAYS)
        return "the game has too many moves: nothing can be edited";
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < changes[i].count; k++) {
            const uint32_t point = changes[i].points[k];
            if (point >= point_count(&state->terms))
                return "there is no such point on this board";
            if (taken[point])
                return "a point cannot be edited twice at once";
            taken[point] = true;
        }
    }
    return NULL;
}

/// Any position can be edited until the game is over.
kifu_verdict go_check_p_edit(kifu_timeline *timeline, const go_state *state, go_p_edit *edit)
{
    const char *fault = rules_stage_fault(state, kifu_player(timeline), state->stage, false);
    if (!fault)
        fault = fault_of(state, edit);
    return fault ? kifu_reject(fault) : kifu_accept();
}

// Returns the number of the position that is there then, without the player who is to move.
static uint64_t put_stones(kifu_timeline *timeline, const go_state *state, const go_p_edit *edit)
{
    uint64_t key = state->keys[state->plays] & ~KEY_TURNS;
    change changes[3];
    list_changes(edit, changes);
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < changes[i].count; k++) {
            const uint32_t point = changes[i].points[k];
            key ^= state->board[point] ? stone_key(state->board[point], point) : 0;
            key ^= changes[i].stone ? stone_key(changes[i].stone, point) : 0;
            *go_edit_board(timeline, point) = changes[i].stone;
        }
    }
    return key;
}

/// The position is another one, as if it had been played to. What only carries notes changes nothing.
kifu_result go_do_p_edit(kifu_timeline *timeline, const go_state *state, const go_p_edit *edit)
{
    const uint32_t stones = go_p_edit_black_count(edit) + go_p_edit_white_count(edit) + go_p_edit_empty_count(edit);
    const go_stone first = edit->first ? edit->first : rules_to_move(&state->game);
    const char *fault = fault_of(state, edit);
    if (fault) // in a save that somebody has written by hand
        return kifu_fail(timeline, fault);
    if (!stones && !edit->first)
        return KIFU_OK;
    const uint32_t plays = state->plays + (stones ? 1u : 0u);
    const uint64_t key = put_stones(timeline, state, edit);
    *go_edit_keys(timeline, plays) = stones ? key | first : state->keys[plays] | first;
    *go_edit_plays(timeline) = (uint16_t)plays;
    *go_edit_last(timeline) = NO_POINT;
    rules_stop_counting(timeline, state);
    *kifu_edit_turn(timeline) = first == GO_STONE_WHITE;
    return KIFU_OK;
}
