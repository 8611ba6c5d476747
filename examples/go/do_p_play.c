#include "rules.h"

/// Asked before the event happens, and never again: what is in the log was legal.
kifu_verdict go_check_p_play(kifu_timeline *timeline, const go_state *state, go_p_play *play)
{
    points captured;
    uint64_t key;
    const char *fault = rules_stage_fault(state, kifu_player(timeline), GO_STAGE_PLAYING, true);
    if (!fault)
        fault = rules_fault(state, rules_to_move(&state->game), play->point, &captured, &key);
    return fault ? kifu_reject(fault) : kifu_accept();
}

/// All empty points: the check knows which of them are suicide, or ko.
void go_list_p_play(const kifu_timeline *timeline, const go_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    if (state->stage != GO_STAGE_PLAYING || player != kifu_current_player(&state->game))
        return;
    for (uint32_t point = 0; point < point_count(&state->terms); point++) {
        if (state->board[point] == GO_STONE_NONE)
            go_add_p_play(moves, (uint16_t)point);
    }
}

/// The stone stands, and what has no liberty any more is captured.
kifu_result go_do_p_play(kifu_timeline *timeline, const go_state *state, const go_p_play *play,
                         go_p_play_transient *transient)
{
    const go_stone stone = rules_to_move(&state->game);
    points captured;
    uint64_t key;
    if (rules_fault(state, stone, play->point, &captured, &key)) // in a save that somebody has written by hand
        return kifu_fail(timeline, "that is no legal play");
    const uint32_t plays = state->plays + 1u, loser = stone == GO_STONE_BLACK;
    *go_edit_board(timeline, play->point) = stone;
    for (uint32_t i = 0; i < captured.count; i++)
        *go_edit_board(timeline, captured.items[i]) = GO_STONE_NONE;
    if (captured.count)
        *go_edit_lost(timeline, loser) = (uint16_t)(state->lost[loser] + captured.count);
    *go_edit_keys(timeline, plays) = key;
    *go_edit_plays(timeline) = (uint16_t)plays;
    *go_edit_last(timeline) = play->point;
    *go_edit_passes(timeline) = 0;
    *kifu_edit_turn(timeline) = stone == GO_STONE_BLACK;
    transient->captured = (uint16_t)captured.count;
    return KIFU_OK;
}
