#include "rules.h"

static const char *fault_of(const go_e_set_up *set_up)
{
    const go_terms *terms = &set_up->terms;
    if (terms->size < LEAST_LINES || terms->size > MOST_LINES)
        return "a board has 9 to 19 lines";
    if (set_up->first != GO_STONE_BLACK && set_up->first != GO_STONE_WHITE)
        return "black or white plays first";
    const uint16_t *lists[2] = {go_e_set_up_black(set_up), go_e_set_up_white(set_up)};
    const uint32_t counts[2] = {go_e_set_up_black_count(set_up), go_e_set_up_white_count(set_up)};
    bool taken[MOST_POINTS] = {false};
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < counts[i]; k++) {
            const uint32_t point = lists[i][k];
            if (point >= point_count(terms) || taken[point])
                return "each first stone needs a point of its own on the board";
            taken[point] = true;
        }
    }
    return NULL;
}

/// What nobody may agree on.
kifu_verdict go_check_e_set_up(kifu_timeline *timeline, const go_state *state, go_e_set_up *set_up)
{
    (void)timeline;
    (void)state;
    const char *fault = fault_of(set_up);
    return fault ? kifu_reject(fault) : kifu_accept();
}

static uint64_t put_stones(kifu_timeline *timeline, go_stone stone, const uint16_t *points, uint32_t count)
{
    uint64_t key = 0;
    for (uint32_t i = 0; i < count; i++) {
        *go_edit_board(timeline, points[i]) = stone;
        key ^= stone_key(stone, points[i]);
    }
    return key;
}

/// The first stones stand.
kifu_result go_do_e_set_up(kifu_timeline *timeline, const go_state *state, const go_e_set_up *set_up)
{
    (void)state;
    const char *fault = fault_of(set_up);
    if (fault) // in a save that somebody has written by hand
        return kifu_fail(timeline, fault);
    const uint64_t key =
        put_stones(timeline, GO_STONE_BLACK, go_e_set_up_black(set_up), go_e_set_up_black_count(set_up)) ^
        put_stones(timeline, GO_STONE_WHITE, go_e_set_up_white(set_up), go_e_set_up_white_count(set_up));
    *go_edit_terms(timeline) = set_up->terms;
    *go_edit_keys(timeline, 0) = key | set_up->first;
    *go_edit_last(timeline) = NO_POINT;
    *kifu_edit_turn(timeline) = set_up->first == GO_STONE_WHITE;
    return KIFU_OK;
}
