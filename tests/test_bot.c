// Bots: which move they choose.

#include "bot_help.h"
#include "nim.h"
#include "suite.h"

// --- Hazard ----------------------------------------------------------------------------------------------------------

// Sure moves are the first four of the list, dares the next four, guesses the last ten.
static void judge_dice(const kifu_timeline *timeline, double *worth)
{
    worth[0] = hazard_get_state(timeline)->score[0] / 5.0;
}

START_TEST(X05_dice_fall_anew_in_each_try)
{
    const kifu_bot bot = {.judge = judge_dice, .depth = KIFU_AT_ONCE};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        kifu_timeline *timeline = hazard_new(seed, NULL);
        kifu__tree tree = grow(timeline, &bot, 2000);
        const kifu__edge *dare = tree.root->first;
        for (uint32_t i = 0; i < 8; i++, dare = dare->next) {
            if (i < 4)
                continue;
            const double average = (double)dare->worth / 65536 / dare->visits;
            ck_assert_uint_eq(dare->type, HAZARD_P_DARE);
            ck_assert_uint_gt(dare->visits, 8);
            ck_assert_msg(average > 0.2 && average < 0.8, "%f", average); // of 0 to 5, in fifths
        }
        cut_down(&tree);
        kifu_destroy(timeline);
    }
}
END_TEST

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

// --- What cannot be seen ---------------------------------------------------------------------------------------------

START_TEST(X05_hidden_numbers_and_dice_to_come_are_not_known)
{
    for (uint64_t seed = 1; seed <= 15; seed++) {
        kifu_timeline *timeline = hazard_new(seed, NULL);
        for (uint32_t turn = 0; turn < 6; turn++) {
            kifu_timeline *other;
            ck_assert(!kifu_fork(timeline, KIFU_PRESENT, NULL, &other, NULL));
            hazard_submit_e_imagine(other, (uint8_t)current(timeline));
            must(other, kifu_run(other));
            same_thoughts(timeline, other, &fair, 100);
            kifu_destroy(other);
            hazard_submit_p_sure(timeline, current(timeline), NULL);
            must(timeline, kifu_run(timeline));
        }
        kifu_destroy(timeline);
    }
}
END_TEST

// --- Nim -------------------------------------------------------------------------------------------------------------

// Whoever leaves heaps whose xor is 0 wins.
static void judge_nim(const kifu_timeline *timeline, double *worth)
{
    worth[current(timeline)] = 1;
}

static kifu_timeline *nim_new(const uint16_t heaps[4])
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

static unsigned done_as_checked, done_unchecked;

static void list_some(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)timeline, (void)player;
    for (int32_t number = 0; number < 3; number++)
        hazard_add_p_any(moves, number);
}

// In some deals it changes the event.
static kifu_verdict change_if_odd(kifu_timeline *timeline, hazard_p_any *any)
{
    if (hazard_get_state(timeline)->hidden[1] % 2)
        any->number += 100;
    return kifu_accept();
}

static kifu_result count_unchecked(kifu_timeline *timeline, const hazard_p_any *any)
{
    *(hazard_get_state(timeline)->hidden[1] % 2 == any->number / 100 ? &done_as_checked : &done_unchecked) += 1;
    return KIFU_OK;
}

START_TEST(X05_a_move_that_its_check_changes_in_some_deals_is_checked_in_each)
{
    kifu_timeline *timeline = hazard_new(3, NULL);
    const kifu_bot bot = {.judge = judge_points, .deal = deal_numbers, .depth = KIFU_AT_ONCE};
    hazard_test.list = list_some;
    hazard_test.check = change_if_odd;
    hazard_test.act = count_unchecked;
    kifu__tree tree = grow(timeline, &bot, 300);
    ck_assert_uint_gt(done_as_checked, 20);
    ck_assert_uint_eq(done_unchecked, 0);
    cut_down(&tree);
    kifu_destroy(timeline);
}
END_TEST

static void list_either_way(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player;
    const bool back = hazard_get_state(timeline)->hidden[1] % 2;
    for (int32_t number = 0; number < 4; number++)
        hazard_add_p_any(moves, back ? 3 - number : number);
}

START_TEST(X05_moves_in_another_order_in_each_deal_are_the_same_moves)
{
    kifu_timeline *timeline = hazard_new(3, NULL);
    const kifu_bot bot = {.judge = judge_points, .deal = deal_numbers, .depth = KIFU_AT_ONCE};
    hazard_test.list = list_either_way;
    kifu__tree tree = grow(timeline, &bot, 300);
    uint32_t branches = 0;
    for (const kifu__edge *i = tree.root->first; i; i = i->next)
        branches++;
    ck_assert_uint_eq(branches, 18 + 4);
    cut_down(&tree);
    kifu_destroy(timeline);
}
END_TEST

static void list_another_in_front(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player;
    if (hazard_get_state(timeline)->hidden[1] % 2)
        hazard_add_p_any(moves, 9);
    for (int32_t number = 0; number < 4; number++)
        hazard_add_p_any(moves, number);
}

static uint32_t count_branches(const kifu__edge *at)
{
    uint32_t count = 1;
    for (const kifu__edge *i = at->first; i; i = i->next)
        count += count_branches(i);
    return count;
}

START_TEST(X05_a_move_of_some_deals_takes_no_other_ones_place)
{
    kifu_timeline *timeline = hazard_new(3, NULL);
    const kifu_bot bot = {.judge = judge_points, .deal = deal_numbers, .depth = KIFU_AT_ONCE};
    hazard_test.list = list_another_in_front;
    kifu__tree tree = grow(timeline, &bot, 300);
    ck_assert_uint_eq(count_branches(tree.root), tree.branch_count); // None has lost its place.
    cut_down(&tree);
    kifu_destroy(timeline);
}
END_TEST

// All numbers are integers. Whoever changes how a bot thinks writes down the new ones.
START_TEST(X05_every_machine_makes_the_same_tries)
{
    static const uint32_t visits[18] = {126, 148, 196, 242, 197, 225, 187, 217, 153,
                                        178, 115, 166, 152, 156, 143, 137, 128, 134};
    kifu_timeline *timeline = hazard_new(3, NULL);
    kifu__tree tree = grow(timeline, &fair, 3000);
    uint32_t move = 0;
    for (const kifu__edge *i = tree.root->first; i; i = i->next, move++) {
        ck_assert_uint_lt(move, 18);
        ck_assert_uint_eq(i->visits, visits[move]);
    }
    cut_down(&tree);
    kifu_destroy(timeline);
}
END_TEST

// Of so many visits the root is in no table, and behind the table lies something else.
START_TEST(M08_X05_what_lies_behind_a_tree_changes_no_try)
{
    struct {
        kifu__tree tree;
        uint32_t behind[2];
    } places[2];
    const kifu_bot bot = {.judge = judge_nim};
    kifu_timeline *timeline = nim_new((const uint16_t[]){1, 1, 0, 0});
    uint32_t most = 0;
    for (uint32_t i = 0; i < 2; i++) {
        memset(places[i].behind, i ? 0xFF : 0, sizeof places[i].behind);
        grow_at(&places[i].tree, timeline, &bot, 2100);
        ck_assert_uint_eq(places[i].behind[0], i ? UINT32_MAX : 0);
    }
    same_branches(places[0].tree.root, places[1].tree.root);
    for (const kifu__edge *i = places[0].tree.root->first; i; i = i->next)
        most = i->visits > most ? i->visits : most;
    ck_assert_uint_gt(most, KIFU__ROOTS);
    for (uint32_t i = 0; i < 2; i++)
        cut_down(&places[i].tree);
    kifu_destroy(timeline);
}
END_TEST

static void list_by_dice(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player;
    hazard_add_p_any(moves, hazard_get_state(timeline)->score[0] % 2);
}

START_TEST(X05_behind_dice_all_moves_that_some_throw_allows_are_found)
{
    kifu_timeline *timeline = hazard_new(3, NULL);
    const kifu_bot bot = {.judge = judge_points, .depth = KIFU_AT_ONCE};
    hazard_test.list = list_by_dice;
    kifu__tree tree = grow(timeline, &bot, 600);
    uint32_t dares = 0;
    for (const kifu__edge *at = tree.root->first; at; at = at->next) {
        uint32_t found = 0;
        for (const kifu__edge *i = at->first; i; i = i->next)
            found += i->type == HAZARD_P_ANY;
        dares += at->type == HAZARD_P_DARE && found == 2;
        ck_assert(at->type != HAZARD_P_SURE || found == 1);
    }
    ck_assert_uint_eq(dares, 4);
    cut_down(&tree);
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

START_TEST(X05_what_can_still_be_a_tie_is_not_decided)
{
    kifu__edge less = {.visits = 1}, more = {.visits = 3, .next = &less}, root = {.first = &more};
    const kifu__tree tree = {.root = &root};
    ck_assert(!kifu__tree_is_decided(&tree, 2));
    ck_assert(kifu__tree_is_decided(&tree, 1));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X05_dice_fall_anew_in_each_try,
        X05_without_a_deal_a_bot_sees_everything,
        X05_hidden_numbers_and_dice_to_come_are_not_known,
        X05_it_plays_small_games_of_nim_as_well_as_can_be,
        F69_X05_one_call_plays_the_best_move,
        F69_X05_the_bot_says_whose_move_it_plays,
        X05_a_move_that_fails_is_not_chosen,
        X05_of_two_moves_the_one_that_happens_is_chosen_and_of_equal_ones_the_first,
        X05_a_move_that_its_check_changes_in_some_deals_is_checked_in_each,
        X05_moves_in_another_order_in_each_deal_are_the_same_moves,
        X05_a_move_of_some_deals_takes_no_other_ones_place,
        X05_every_machine_makes_the_same_tries,
        M08_X05_what_lies_behind_a_tree_changes_no_try,
        X05_behind_dice_all_moves_that_some_throw_allows_are_found,
        X05_of_moves_that_were_tried_as_often_the_best_is_chosen,
        X05_it_ends_when_no_other_move_can_win_any_more,
        X05_what_can_still_be_a_tie_is_not_decided,
    };
    return run_suite("bot", tests, sizeof tests / sizeof *tests);
}
