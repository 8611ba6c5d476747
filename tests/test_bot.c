// Bots: which move they choose.

#include "bot_help.h"
#include "suite.h"

// --- Hazard ----------------------------------------------------------------------------------------------------------

START_TEST(X05_without_a_deal_a_bot_sees_everything)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        kifu_timeline *timeline = hazard_new(seed, NULL);
        const uint32_t hidden = hazard_get_state(timeline)->hidden[1];
        ck_assert_uint_eq(choice(timeline, &cheat, &(kifu_thinking){.tries = 800}), 8 + hidden);
        kifu_destroy(timeline);
    }
}
END_TEST

// --- Nim -------------------------------------------------------------------------------------------------------------

START_TEST(X05_it_plays_small_games_of_nim_as_well_as_can_be)
{
    static const uint16_t heaps[][4] = {{1, 2, 2, 0}, {3, 3, 0, 4}, {2, 3, 4, 0}, {0, 5, 1, 0}, {1, 1, 1, 0}};
    for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i++) {
        const kifu_bot bot = {.judge = judge_nim};
        kifu_timeline *timeline = nim_new(heaps[i]);
        kifu_moves moves = {0};
        const kifu_move *move;
        must(timeline,
             kifu_choose_move(timeline, current(timeline), &bot, &(kifu_thinking){.tries = 6000}, &moves, &move));
        kifu_submit_move(timeline, move);
        must(timeline, kifu_run(timeline));
        const uint16_t *left = nim_get_state(timeline)->heaps;
        ck_assert_msg((left[0] ^ left[1] ^ left[2] ^ left[3]) == 0, "%u %u %u %u", left[0], left[1], left[2], left[3]);
        kifu_free_moves(&moves);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(F69_X05_one_call_plays_the_best_move)
{
    const uint16_t heaps[] = {2, 3, 4, 0};
    const kifu_bot bot = {.judge = judge_nim};
    kifu_timeline *timeline = nim_new(heaps);
    const int player = current(timeline);
    must(timeline, kifu_play_best(timeline, &bot, &(kifu_thinking){.tries = 6000}));
    const uint16_t *left = nim_get_state(timeline)->heaps;
    ck_assert_uint_eq(left[0] ^ left[1] ^ left[2] ^ left[3], 0);
    ck_assert_int_ne(current(timeline), player);
    kifu_event last;
    ck_assert(kifu_event_at(timeline, kifu_event_count(timeline) - 1, &last));
    ck_assert_int_eq(last.player, player);

    nim_submit_p_resign(timeline, current(timeline)); // What waits comes first, and then no one is to move.
    ck_assert_int_eq(kifu_play_best(timeline, &bot, NULL), KIFU_REJECTED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), "there is no move");
    ck_assert_uint_eq(kifu_get_game(timeline)->phase, KIFU_PHASE_GAME_OVER);
    ck_assert_int_eq(kifu_play_best(timeline, &(kifu_bot){.judge = NULL}, NULL), KIFU_MISUSE);
    kifu_destroy(timeline);
}
END_TEST

// To move is whom the bot says.
static int no_one(const kifu_timeline *timeline)
{
    (void)timeline;
    return -1;
}

START_TEST(F69_X05_the_bot_says_whose_move_it_plays)
{
    const uint16_t heaps[] = {1, 0, 0, 0};
    kifu_timeline *timeline = nim_new(heaps);
    const uint32_t count = kifu_event_count(timeline);
    ck_assert_int_eq(kifu_play_best(timeline, &(kifu_bot){.judge = judge_nim, .to_move = no_one}, NULL), KIFU_REJECTED);
    nim_submit_p_take(timeline, current(timeline), 0, 7, 0); // It is rejected, so nothing is chosen.
    ck_assert_int_eq(kifu_play_best(timeline, &(kifu_bot){.judge = judge_nim}, NULL), KIFU_REJECTED);
    ck_assert_uint_eq(kifu_event_count(timeline), count);
    kifu_destroy(timeline);
}
END_TEST

// --- Moves that are none ---------------------------------------------------------------------------------------------

static kifu_result fail_to_do_one(kifu_timeline *timeline, const hazard_p_any *any)
{
    return any->number == 1 ? kifu_fail(timeline, "not this one") : KIFU_OK;
}

static void list_two(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)timeline, (void)player;
    hazard_add_p_any(moves, 1);
    hazard_add_p_any(moves, 2);
}

static kifu_result fail_to_act(kifu_timeline *timeline, const hazard_p_any *any)
{
    return kifu_fail(timeline, any->number == 1 ? "not this one" : "nor this one");
}

START_TEST(X05_a_move_that_fails_is_not_chosen)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    hazard_test = (hazard_hooks){.list = list_two, .act = fail_to_act};
    ck_assert_uint_lt(choice(timeline, &fair, &(kifu_thinking){.tries = 300}), 18);
    ck_assert_uint_lt(choice(timeline, &cheat, &(kifu_thinking){.tries = 300}), 18);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(X05_of_two_moves_the_one_that_happens_is_chosen_and_of_equal_ones_the_first)
{
    kifu_rules rules = hazard_rules;
    rules.list = only_any;
    kifu_timeline *timeline;
    ck_assert(!kifu_create(&rules, NULL, &timeline, NULL));
    must(timeline, hazard_begin(timeline, 1));
    hazard_test.list = list_two;
    const kifu_bot bot = {.judge = judge_nothing, .depth = KIFU_AT_ONCE};
    ck_assert_uint_eq(choice(timeline, &bot, &(kifu_thinking){.tries = 10}), 0);
    hazard_test.act = fail_to_do_one;
    ck_assert_uint_eq(choice(timeline, &bot, &(kifu_thinking){.tries = 10}), 1);
    kifu_destroy(timeline);
}
END_TEST

static unsigned judged;

static void judge_sure_moves(const kifu_timeline *timeline, double *worth)
{
    worth[0] = hazard_get_state(timeline)->score[0] == 3;
    judged++;
}

// Each move is tried once: the third sure one, which is worth most, comes before what dice may make as good.
START_TEST(X05_of_moves_that_were_tried_as_often_the_best_is_chosen)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    const kifu_bot bot = {.judge = judge_sure_moves, .depth = KIFU_AT_ONCE};
    ck_assert_uint_eq(choice(timeline, &bot, &(kifu_thinking){.tries = 18}), 3);
    ck_assert_uint_eq(judged, 18);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(X05_it_ends_when_no_other_move_can_win_any_more)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    const kifu_bot bot = {.judge = judge_sure_moves, .depth = KIFU_AT_ONCE};
    (void)choice(timeline, &bot, &(kifu_thinking){.tries = 1000});
    ck_assert_uint_ge(judged, 500);
    ck_assert_uint_lt(judged, 990);
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X05_without_a_deal_a_bot_sees_everything,
        X05_it_plays_small_games_of_nim_as_well_as_can_be,
        F69_X05_one_call_plays_the_best_move,
        F69_X05_the_bot_says_whose_move_it_plays,
        X05_a_move_that_fails_is_not_chosen,
        X05_of_two_moves_the_one_that_happens_is_chosen_and_of_equal_ones_the_first,
        X05_of_moves_that_were_tried_as_often_the_best_is_chosen,
        X05_it_ends_when_no_other_move_can_win_any_more,
    };
    return run_suite("bot", tests, sizeof tests / sizeof *tests);
}
