/// What the suites of bots share.
#ifndef TESTS_BOT_HELP_H
#define TESTS_BOT_HELP_H

#include "bot.h"
#include "hazard_help.h"
#include "nim.h"
#include "sanitizers.h"

// Sanitizers take their time.
#ifdef HAS_SHADOW
enum { SLOW = 1 };
#else
enum { SLOW = 0 };
#endif

static inline kifu_timeline *create(const kifu_rules *rules, const kifu_options *options)
{
    kifu_timeline *timeline;
    kifu_error error;
    const kifu_options quiet = {.quiet = true};
    ck_assert_msg(!kifu_create(rules, options ? options : &quiet, &timeline, &error), "%s", error.message);
    return timeline;
}

// A share of all points; before the end, too.
static inline void judge_points(const kifu_timeline *timeline, double *worth)
{
    const hazard_state *state = hazard_get_state(timeline);
    for (int i = 0; i < 3; i++)
        worth[i] = state->score[i] / 60.0;
}

static inline kifu_result deal_numbers(kifu_timeline *timeline, int player)
{
    return hazard_try_e_imagine(timeline, (uint8_t)player);
}

static const kifu_bot fair = {.judge = judge_points, .deal = deal_numbers};
static const kifu_bot cheat = {.judge = judge_points, .depth = KIFU_AT_ONCE};

// What the bot chooses: the move's type and number.
static inline uint32_t choice(kifu_timeline *timeline, const kifu_bot *bot, const kifu_thinking *thinking)
{
    kifu_moves moves = {0};
    const kifu_move *move;
    must(timeline, kifu_choose_move(timeline, current(timeline), bot, thinking, &moves, &move));
    ck_assert_ptr_nonnull(move);
    ck_assert(move >= moves.items && move < moves.items + moves.count);
    const uint32_t number = (uint32_t)(move - moves.items);
    kifu_free_moves(&moves);
    return number;
}

// Whoever leaves heaps whose xor is 0 wins.
static inline void judge_nim(const kifu_timeline *timeline, double *worth)
{
    worth[current(timeline)] = 1;
}

static inline kifu_timeline *nim_new(const uint16_t heaps[4])
{
    const kifu_e_initialize_args initialize = {.has_seed = true, .seed = 1};
    kifu_timeline *timeline = create(&nim_rules, NULL);
    nim_submit_e_reset_game(timeline);
    nim_submit_e_add_player(timeline, 0, 0);
    nim_submit_e_add_player(timeline, 1, 0);
    nim_submit_e_initialize(timeline, &initialize);
    nim_submit_e_deal(timeline, heaps, 4);
    nim_submit_e_start_round(timeline);
    must(timeline, kifu_run(timeline));
    return timeline;
}

static inline kifu_timeline *reversi_new(uint64_t seed)
{
    kifu_timeline *timeline = create(&reversi_rules, NULL);
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    initialize.has_seed = true;
    initialize.seed = seed;
    reversi_submit_e_reset_game(timeline);
    reversi_submit_e_add_player(timeline, 0, 0);
    reversi_submit_e_add_player(timeline, 1, 0);
    reversi_submit_e_initialize(timeline, &initialize);
    reversi_submit_e_set_up_board(timeline);
    reversi_submit_e_start_round(timeline);
    must(timeline, kifu_run(timeline));
    return timeline;
}

static inline void list_one(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)timeline, (void)player;
    hazard_add_p_any(moves, 1);
}

static inline void only_any(const kifu_timeline *timeline, const void *state, int player, kifu_moves *moves)
{
    hazard_list_p_any(timeline, state, player, moves);
}

static inline void judge_nothing(const kifu_timeline *timeline, double *worth)
{
    (void)timeline;
    worth[0] = 0.5;
}

#endif
