/// Random play of one example, by the hooks of its fuzzer.
#ifndef TESTS_RANDOM_GAME_H
#define TESTS_RANDOM_GAME_H

#include "kifu_fuzz.h"

/// A likely input: by the hook, or one of the moves that the game lists.
static inline void submit_something(kifu_timeline *timeline, const kifu_fuzz_hooks *hooks, kifu_rng *rng)
{
    kifu_moves moves = {0};
    if (hooks->input) {
        hooks->input(timeline, rng);
        return;
    }
    const int player = kifu_current_player(kifu_get_game(timeline));
    if (!kifu_list_moves(timeline, player, &moves) && moves.count)
        kifu_submit_move(timeline, &moves.items[kifu_rng_below(rng, moves.count)]);
    kifu_free_moves(&moves);
}

/// Some may be refused: the game is what it is after them.
static inline void do_something(kifu_timeline *timeline, const kifu_fuzz_hooks *hooks, kifu_rng *rng)
{
    kifu_turn turn;
    kifu_result ignored = KIFU_OK;
    const uint32_t what = kifu_rng_below(rng, 12);
    if (what == 0)
        ignored = kifu_undo(timeline);
    else if (what == 1)
        ignored = kifu_redo(timeline);
    else if (hooks->decide && what < 8)
        ignored = kifu_take_turn(timeline, hooks->decide, rng, &turn);
    else
        submit_something(timeline, hooks, rng);
    if (what != 11 || kifu_rng_below(rng, 4)) // Sometimes it waits.
        ignored = kifu_run(timeline);
    else
        ignored = kifu_step(timeline);
    (void)ignored;
}

#endif
