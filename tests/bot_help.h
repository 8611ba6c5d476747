/// What the suites of bots share.
#ifndef TESTS_BOT_HELP_H
#define TESTS_BOT_HELP_H

#include "bot.h"
#include "hazard_help.h"
#include "sanitizers.h"

#include "search/tree.h"

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

// A tree of some tries, to look into; cut it down.
static inline void grow_within(uint64_t limit, kifu__tree *tree, kifu_timeline *timeline, const kifu_bot *bot,
                               uint32_t tries)
{
    kifu_moves moves = {0};
    memset(tree, 0, sizeof *tree);
    tree->bot = bot;
    tree->player = current(timeline);
    tree->limit = limit;
    ck_assert(!kifu_fork(timeline, KIFU_PRESENT, NULL, &tree->fork, NULL));
    must(tree->fork, kifu_begin(tree->fork, KIFU_SEARCH));
    must(timeline, kifu_list_moves(timeline, tree->player, &moves));
    must(tree->fork, kifu__tree_begin(tree, &moves, 7));
    for (uint32_t n = 0; n < tries; n++)
        must(tree->fork, kifu__tree_try(tree));
    kifu_free_moves(&moves);
}

static inline void grow_at(kifu__tree *tree, kifu_timeline *timeline, const kifu_bot *bot, uint32_t tries)
{
    grow_within(UINT64_MAX, tree, timeline, bot, tries);
}

static inline kifu__tree grow(kifu_timeline *timeline, const kifu_bot *bot, uint32_t tries)
{
    kifu__tree tree;
    grow_at(&tree, timeline, bot, tries);
    return tree;
}

static inline void cut_down(kifu__tree *tree)
{
    kifu__tree_free(tree);
    kifu_destroy(tree->fork);
}

static inline void same_branches(const kifu__edge *here, const kifu__edge *there)
{
    for (; here && there; here = here->next, there = there->next) {
        ck_assert_uint_eq(here->visits, there->visits);
        ck_assert_uint_eq(here->worth, there->worth);
        ck_assert_uint_eq(here->size, there->size);
        ck_assert_mem_eq(kifu__edge_event(here), kifu__edge_event(there), here->size);
        same_branches(here->first, there->first);
    }
    ck_assert(!here && !there);
}

// Whether a bot finds the same on both, in each branch of its tree.
static inline void same_thoughts(kifu_timeline *one, kifu_timeline *two, const kifu_bot *bot, uint32_t tries)
{
    kifu__tree trees[] = {grow(one, bot, tries), grow(two, bot, tries)};
    same_branches(trees[0].root, trees[1].root);
    cut_down(&trees[0]);
    cut_down(&trees[1]);
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
