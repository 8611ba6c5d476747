/// What random games of Go begin with, and what a likely input is: see kifu_fuzz.h.
#include "game.h"
#include "kifu_fuzz.h"
#include "rules.h"

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    const uint64_t seed = kifu_rng_next(rng);
    uint16_t points[9];
    go_setup setup = {.terms = {.size = 9, .komi = 11, .ko = (go_ko)kifu_rng_below(rng, 3)}, .black = points};
    setup.terms.counting = (go_counting)kifu_rng_below(rng, 2);
    setup.black_count = go_handicap(9, kifu_rng_below(rng, 6), points);
    setup.terms.handicap = (uint8_t)setup.black_count;
    setup.black_player = (int)kifu_rng_below(rng, 2);
    setup.seed = &seed;
    (void)go_begin(timeline, &setup); // a game can be refused as well as an input
}

static kifu_ticket input_counting(kifu_timeline *timeline, kifu_rng *rng, int player)
{
    switch (kifu_rng_below(rng, 4)) {
    case 0:
        return go_submit_p_agree(timeline, player);
    case 1:
        return go_submit_p_play_on(timeline, player);
    default:
        return go_submit_p_mark(timeline, player, (uint16_t)kifu_rng_below(rng, 81));
    }
}

static kifu_ticket input_edit(kifu_timeline *timeline, kifu_rng *rng)
{
    const uint16_t points[3] = {(uint16_t)kifu_rng_below(rng, 40), (uint16_t)(40 + kifu_rng_below(rng, 41)),
                                (uint16_t)kifu_rng_below(rng, 81)};
    go_p_edit_args edit = go_p_edit_defaults();
    edit.black = points;
    edit.black_count = kifu_rng_below(rng, 3);
    *(kifu_rng_below(rng, 2) ? &edit.white_count : &edit.empty_count) = kifu_rng_below(rng, 2) ? 0 : 1;
    edit.white = edit.empty = points + 2;
    edit.first = (go_stone)kifu_rng_below(rng, 3);
    return go_submit_p_edit(timeline, (int)kifu_rng_below(rng, 2), &edit);
}

// A small part of the board, so that much is captured.
static kifu_ticket input(kifu_timeline *timeline, kifu_rng *rng)
{
    const go_state *state = go_get_state(timeline);
    const int player = kifu_current_player(&state->game);
    if (state->stage == GO_STAGE_COUNTING)
        return input_counting(timeline, rng, (int)kifu_rng_below(rng, 2));
    switch (kifu_rng_below(rng, 20)) {
    case 0:
    case 1:
        return go_submit_p_pass(timeline, player);
    case 2:
        return kifu_rng_below(rng, 20) ? 0 : go_submit_p_resign(timeline, player);
    case 3:
        return kifu_rng_below(rng, 4) ? 0 : input_edit(timeline, rng);
    default:
        return go_submit_p_play(timeline, player, (uint16_t)(kifu_rng_below(rng, 5) * 9 + kifu_rng_below(rng, 5)));
    }
}

const kifu_fuzz_hooks go_fuzz_hooks = {.begin = begin, .input = input};
