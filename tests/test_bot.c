// Bots.

#include <stdio.h>
#include <time.h>

#include "bot_help.h"
#include "history_help.h"
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

// --- Threads ---------------------------------------------------------------------------------------------------------

extern int threads_left; // few_threads.c

// Where no thread can be made, this one does all.
START_TEST(X05_without_threads_the_choice_is_the_same)
{
    kifu_timeline *timeline = reversi_new(1);
    kifu_thinking thinking = {.tries = 18100, .threads = 4};
    const uint32_t with = choice(timeline, &reversi_bot, &thinking);
    for (int some = 0; some < 3; some++) {
        threads_left = some;
        ck_assert_uint_eq(choice(timeline, &reversi_bot, &thinking), with);
    }
    threads_left = -1;
    kifu_destroy(timeline);
}
END_TEST

// --- Progress and its end --------------------------------------------------------------------------------------------

typedef struct reports {
    uint32_t count, stop_after, a_thousandth;
    uint64_t last;
} reports;

static bool note(void *context, uint64_t done, uint64_t total)
{
    reports *reports = context;
    ck_assert_uint_eq(total, 1000);
    ck_assert_uint_ge(done, reports->last);
    ck_assert_uint_le(done, total);
    reports->last = done;
    return ++reports->count != reports->stop_after;
}

START_TEST(X05_progress_is_reported_and_ends_the_thinking)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    reports reports = {0};
    choice(timeline, &fair, &(kifu_thinking){.tries = 9000, .progress = note, .context = &reports});
    ck_assert_uint_eq(reports.count, 9000);
    ck_assert_uint_eq(reports.last, 1000);

    reports = (struct reports){.stop_after = 10};
    choice(timeline, &fair, &(kifu_thinking){.tries = 9000, .progress = note, .context = &reports});
    ck_assert_uint_eq(reports.count, 10);
    ck_assert_uint_lt(reports.last, 600);

    reports = (struct reports){.stop_after = 1};
    choice(timeline, &fair, &(kifu_thinking){.seconds = 1e9, .threads = 3, .progress = note, .context = &reports});
    ck_assert_uint_eq(reports.count, 1);

    reports = (struct reports){.stop_after = 1};
    choice(timeline, &fair, &(kifu_thinking){.seconds = 5, .progress = note, .context = &reports});
    ck_assert_uint_lt(reports.last, 500); // Most of the time is left.

    reports = (struct reports){0};
    choice(timeline, &fair, &(kifu_thinking){.seconds = 0.02, .progress = note, .context = &reports});
    ck_assert_uint_gt(reports.last, 0);
    choice(timeline, &fair, &(kifu_thinking){.seconds = 1e-9}); // no time at all is one try
    kifu_destroy(timeline);
}
END_TEST

// How much is done is told to the thousandth of all tries that are to be made.
static bool count_along(void *context, uint64_t done, uint64_t total)
{
    reports *reports = context;
    const uint64_t exact = (uint64_t)++reports->count / reports->a_thousandth;
    ck_assert_uint_eq(total, 1000);
    ck_assert(done <= exact && done + 1 >= exact);
    return true;
}

START_TEST(M08_X05_progress_is_the_share_of_the_tries_that_were_made)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    reports reports = {.a_thousandth = 8};
    choice(timeline, &fair, &(kifu_thinking){.tries = 8000, .progress = count_along, .context = &reports});
    ck_assert_uint_eq(reports.count, 8000);
    reports = (struct reports){0}; // About half are of the other thread, which reports nothing.
    choice(timeline, &fair, &(kifu_thinking){.tries = 8000, .threads = 2, .progress = note, .context = &reports});
    ck_assert_uint_ge(reports.count, 3900);
    ck_assert_uint_le(reports.count, 5000);
    ck_assert_uint_eq(reports.last, 1000);
    kifu_destroy(timeline);
}
END_TEST

// A clock that runs only while it is looked at, so that nothing depends on the machine: test_bot is linked with
// --wrap=clock_gettime.
static double clock_step; // 0: that of the machine.
static double clock_now;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    if (clock_step == 0)
        return __real_clock_gettime(clock, now);
    clock_now += clock_step;
    now->tv_sec = (time_t)clock_now;
    now->tv_nsec = (long)((clock_now - (double)now->tv_sec) * 1e9);
    return 0;
}

#if ON_WINDOWS
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

extern __typeof__(&QueryPerformanceCounter) __real___imp_QueryPerformanceCounter, __wrap___imp_QueryPerformanceCounter;

static WINBOOL WINAPI count_time(LARGE_INTEGER *now)
{
    LARGE_INTEGER second;
    if (clock_step == 0)
        return __real___imp_QueryPerformanceCounter(now);
    clock_now += clock_step;
    QueryPerformanceFrequency(&second);
    now->QuadPart = (LONGLONG)(clock_now * (double)second.QuadPart);
    return TRUE;
}

__typeof__(&QueryPerformanceCounter) __wrap___imp_QueryPerformanceCounter = count_time;
#endif

static uint32_t reports_in(kifu_timeline *timeline, const kifu_thinking *thinking)
{
    reports reports = {0};
    kifu_thinking counted = *thinking;
    counted.progress = note;
    counted.context = &reports;
    clock_now = 1000;
    clock_step = 0.0625; // of which there is a whole number in what follows
    choice(timeline, &fair, &counted);
    clock_step = 0;
    return reports.count;
}

START_TEST(M08_X05_a_bot_thinks_as_long_as_it_may_and_as_often)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    // Each try looks at the clock to report, and to go on.
    ck_assert_uint_eq(reports_in(timeline, &(kifu_thinking){.seconds = 0.05}), 1); // It is over when it is told.
    ck_assert_uint_eq(reports_in(timeline, &(kifu_thinking){.seconds = 0.5}), 4);
    ck_assert_uint_eq(reports_in(timeline, &(kifu_thinking){.seconds = 2}), 16);
    ck_assert_uint_eq(reports_in(timeline, &(kifu_thinking){.seconds = 2000}), 16000); // more than the usual tries
    ck_assert_uint_eq(reports_in(timeline, &(kifu_thinking){.seconds = 2, .tries = 100}), 16);
    ck_assert_uint_eq(reports_in(timeline, &(kifu_thinking){.seconds = 2000, .tries = 8000}), 8000);
    kifu_destroy(timeline);
}
END_TEST

// What is further, the time or the tries, is what is done.
START_TEST(M08_X05_progress_is_that_of_the_time_or_of_the_tries)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    reports reports = {.stop_after = 8};
    kifu_thinking thinking = {.seconds = 2, .tries = 100, .progress = note, .context = &reports};
    clock_now = 1000;
    clock_step = 0.0625;
    choice(timeline, &fair, &thinking);
    ck_assert_uint_eq(reports.last, 15 * 1000 / 32); // The time: it was looked at 15 times behind the beginning.
    clock_now = 0; // The machine was started just now, and the time ends before its first second.
    reports = (struct reports){0};
    thinking.seconds = 0.75;
    choice(timeline, &fair, &thinking);
    ck_assert_uint_eq(reports.count, 6);
    ck_assert_uint_eq(reports.last, 11 * 1000 / 12);
    reports = (struct reports){.stop_after = 8};
    thinking.seconds = 200;
    choice(timeline, &fair, &thinking);
    clock_step = 0;
    ck_assert_uint_eq(reports.last, 80);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(M08_X05_a_bot_makes_no_more_threads_than_it_may)
{
    static const struct {
        uint32_t tries, threads;
        int least, most;
    } cases[] = {{1000, 4, 0, 0}, {2000, 0, 0, 0},   {2000, 1, 0, 0}, {2000, 2, 1, 1},
                 {2000, 5, 4, 4}, {2000, 40, 5, 15}, {0, 5, 4, 4}};
    kifu_timeline *timeline = hazard_new(1, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reports second = {.stop_after = 257}; // in the second round
        threads_left = 100;
        choice(timeline, &fair,
               &(kifu_thinking){.tries = cases[i].tries,
                                .seconds = 1e9,
                                .threads = cases[i].threads,
                                .progress = note,
                                .context = &second});
        ck_assert_int_ge(100 - threads_left, cases[i].least);
        ck_assert_int_le(100 - threads_left, cases[i].most);
    }
    threads_left = -1;
    kifu_destroy(timeline);
}
END_TEST

START_TEST(M08_X05_with_no_number_of_tries_a_bot_makes_the_usual_ones)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    reports usual = {0}, thousand = {0};
    choice(timeline, &fair, &(kifu_thinking){.progress = note, .context = &usual});
    choice(timeline, &fair, &(kifu_thinking){.tries = 1000, .progress = note, .context = &thousand});
    ck_assert_uint_eq(usual.count, thousand.count);
    kifu_destroy(timeline);
}
END_TEST

// --- Moves that are none ---------------------------------------------------------------------------------------------

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

static void list_one(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)timeline, (void)player;
    hazard_add_p_any(moves, 1);
}

static void only_any(const kifu_timeline *timeline, const void *state, int player, kifu_moves *moves)
{
    hazard_list_p_any(timeline, state, player, moves);
}

static kifu_result fail_to_do_one(kifu_timeline *timeline, const hazard_p_any *any)
{
    return any->number == 1 ? kifu_fail(timeline, "not this one") : KIFU_OK;
}

static void judge_nothing(const kifu_timeline *timeline, double *worth)
{
    (void)timeline;
    worth[0] = 0.5;
}

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

START_TEST(X05_the_only_move_needs_no_thought)
{
    kifu_rules rules = hazard_rules;
    rules.list = only_any;
    kifu_timeline *timeline = create(&rules, NULL);
    must(timeline, hazard_begin(timeline, 1));
    reports reports = {0};
    const kifu_thinking thinking = {.progress = note, .context = &reports};
    kifu_moves moves = {0};
    const kifu_move *move = (const kifu_move *)&moves;
    must(timeline, kifu_choose_move(timeline, 0, &fair, &thinking, &moves, &move)); // there is none
    ck_assert_ptr_null(move);
    hazard_test.list = list_one;
    must(timeline, kifu_choose_move(timeline, 0, &fair, &thinking, &moves, &move));
    ck_assert_ptr_eq(move, moves.items);
    ck_assert_uint_eq(reports.count, 0);
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 1);
    must(timeline, kifu_choose_any_move(timeline, 0, &rng, &moves, &move));
    ck_assert_ptr_eq(move, moves.items);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

// --- Misuse ----------------------------------------------------------------------------------------------------------

static kifu_result refuse_to_deal(kifu_timeline *timeline, int player)
{
    return hazard_try_p_sure(timeline, player + 1, NULL);
}

static kifu_verdict choose_in_check(kifu_timeline *timeline, hazard_p_any *any)
{
    (void)any;
    kifu_moves moves = {0};
    const kifu_move *move;
    ck_assert_int_eq(kifu_choose_move(timeline, 0, &fair, NULL, &moves, &move), KIFU_MISUSE);
    return kifu_accept();
}

static void refused(kifu_timeline *timeline, const kifu_bot *bot, kifu_result expected, const char *text)
{
    kifu_moves moves = {0};
    const kifu_move *move = (const kifu_move *)&moves;
    ck_assert_int_eq(kifu_choose_move(timeline, 0, bot, NULL, &moves, &move), expected);
    ck_assert_text(timeline, text);
    ck_assert_ptr_null(move);
    ck_assert_uint_eq(moves.count, 0);
    kifu_free_moves(&moves);
}

START_TEST(X05_misuse_is_reported)
{
    const kifu_bot judged = {.judge = judge_points}, no_deal = {.judge = judge_points, .deal = refuse_to_deal};
    kifu_timeline *timeline = hazard_new(1, NULL);
    refused(timeline, &(kifu_bot){.deal = deal_numbers}, KIFU_MISUSE, "kifu_bot.judge is NULL");
    refused(timeline, &no_deal, KIFU_REJECTED, "the cards of a bot were not dealt: hazard.PSure was rejected");
    hazard_submit_p_sure(timeline, 0, NULL);
    refused(timeline, &judged, KIFU_MISUSE, "something waits");
    must(timeline, kifu_run(timeline));
    must(timeline, kifu_seek(timeline, 3));
    refused(timeline, &judged, KIFU_MISUSE, "the past is shown");
    must(timeline, kifu_seek(timeline, KIFU_PRESENT));
    must(timeline, hazard_try_p_sure(timeline, 1, NULL));
    refused(timeline, &judged, KIFU_MISUSE, "a try is open");
    must(timeline, kifu_take_back(timeline));
    hazard_test.check = choose_in_check;
    hazard_submit_p_any(timeline, 1, 0);
    ck_assert_int_eq(kifu_run(timeline), KIFU_MISUSE);
    ck_assert_text(timeline, "kifu_choose_move was called while an event runs");
    kifu_destroy(timeline);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

START_TEST(X05_without_memory_nothing_is_chosen_and_nothing_lost)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *timeline = hazard_new(1, &options);
    const uint64_t hash = kifu_state_hash(timeline);
    kifu_moves moves = {0};
    const kifu_move *move;
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    const long blocks = memory.blocks;
    long failures = 0;
    threads_left = 0; // because test_allocate is not for several threads
    for (bool failed = true; failed; failures += failed) {
        ck_assert_int_eq(kifu_commit(timeline), KIFU_MISUSE); // So what is said afterwards is about the bot.
        memory.until_failure = failures;
        memory.failed = false;
        const kifu_thinking thinking = {.tries = 8000, .threads = 2};
        const kifu_result result = kifu_choose_move(timeline, 0, &fair, &thinking, &moves, &move);
        failed = memory.failed;
        memory.until_failure = -1;
        ck_assert_msg(!result || (result == KIFU_NO_MEMORY && failed), "%s", kifu_last_error(timeline)->message);
        ck_assert(!result == (move != NULL));
        ck_assert_msg(!result || strstr(kifu_last_error(timeline)->message, "memory"), "%s",
                      kifu_last_error(timeline)->message);
        ck_assert_int_eq(memory.blocks, blocks);
        ck_assert_uint_eq(kifu_state_hash(timeline), hash);
    }
    ck_assert_int_gt(failures, 20);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static void list_at_first(const kifu_timeline *timeline, const void *state, int player, kifu_moves *moves)
{
    if (player == 0)
        hazard_list_p_sure(timeline, state, player, moves);
}

// A player without a move ends a try; the bot goes on with the others.
START_TEST(M08_X05_a_try_ends_where_a_player_has_no_move)
{
    kifu_rules rules = hazard_rules;
    rules.list = list_at_first;
    kifu_timeline *timeline = create(&rules, NULL);
    must(timeline, hazard_begin(timeline, 1));
    const kifu_bot bot = {.judge = judge_points};
    ck_assert_uint_eq(choice(timeline, &bot, &(kifu_thinking){.tries = 1000}), 3); // the one that scores most
    kifu_destroy(timeline);
}
END_TEST

static kifu_result undo_inside(kifu_timeline *timeline, const hazard_p_any *any)
{
    return any->number == 1 ? kifu_undo(timeline) : KIFU_OK;
}

START_TEST(M08_X05_misuse_in_a_move_that_is_tried_ends_the_thinking)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    kifu_moves moves = {0};
    const kifu_move *move;
    hazard_test = (hazard_hooks){.list = list_one, .act = undo_inside};
    ck_assert_int_eq(kifu_choose_move(timeline, 0, &cheat, &(kifu_thinking){.tries = 100}, &moves, &move), KIFU_MISUSE);
    ck_assert_ptr_null(move);
    ck_assert_text(timeline, "kifu_undo");
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

static void list_one_and_two(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)timeline, (void)player;
    hazard_add_p_any(moves, 1);
    hazard_add_p_any(moves, 2);
}

static kifu_verdict turn_two_into_points(kifu_timeline *timeline, hazard_p_any *any)
{
    if (any->number != 2)
        return kifu_accept();
    return kifu_instead(hazard_submit_p_sure(timeline, kifu_player(timeline), &(hazard_p_sure_args){.sure = 3}));
}

START_TEST(M08_X05_what_a_check_wants_instead_of_a_move_is_what_is_tried)
{
    kifu_rules rules = hazard_rules;
    rules.list = only_any;
    kifu_timeline *timeline = create(&rules, NULL);
    must(timeline, hazard_begin(timeline, 1));
    hazard_test = (hazard_hooks){.list = list_one_and_two, .check = turn_two_into_points};
    const kifu_bot bot = {.judge = judge_points, .depth = KIFU_AT_ONCE};
    ck_assert_uint_eq(choice(timeline, &bot, &(kifu_thinking){.tries = 50}), 1);
    kifu_destroy(timeline);
}
END_TEST

static kifu_result count_up(kifu_timeline *timeline, const hazard_p_any *any)
{
    (void)any;
    *hazard_edit_moves(timeline) += 1;
    return KIFU_OK;
}

static void list_two_and_then_one(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player;
    hazard_add_p_any(moves, 1);
    if (hazard_get_state(timeline)->moves == 0)
        hazard_add_p_any(moves, 2);
}

// Each try goes one move deeper; test_allocate sees what is written behind a block.
START_TEST(M08_X05_a_tree_may_be_as_deep_as_there_are_tries)
{
    test_memory memory = {.until_failure = -1};
    kifu_rules rules = hazard_rules;
    rules.list = only_any;
    kifu_timeline *timeline =
        create(&rules, &(kifu_options){.quiet = true, .allocate = test_allocate, .allocate_context = &memory});
    must(timeline, hazard_begin(timeline, 1));
    hazard_test = (hazard_hooks){.list = list_two_and_then_one, .act = count_up};
    threads_left = 0; // because test_allocate is not for several threads
    const kifu_bot bot = {.judge = judge_nothing, .depth = KIFU_AT_ONCE};
    ck_assert_uint_eq(choice(timeline, &bot, &(kifu_thinking){.tries = 90}), 0);
    threads_left = -1;
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static void judge_and_submit(const kifu_timeline *timeline, double *worth)
{
    worth[0] = 0.5;
    hazard_submit_p_any((kifu_timeline *)(uintptr_t)timeline, 0, 1);
}

START_TEST(M08_X05_a_judge_that_submits_is_misuse_at_the_first_try)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    kifu_moves moves = {0};
    const kifu_move *move;
    const kifu_bot bot = {.judge = judge_and_submit, .depth = KIFU_AT_ONCE};
    ck_assert_int_eq(kifu_choose_move(timeline, 0, &bot, &(kifu_thinking){.tries = 1}, &moves, &move), KIFU_MISUSE);
    ck_assert_text(timeline, "was submitted while a try is open");
    ck_assert_ptr_null(move);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

static unsigned judges_called;

static void judge_and_submit_at_first(const kifu_timeline *timeline, double *worth)
{
    if (!judges_called++)
        judge_and_submit(timeline, worth);
}

START_TEST(M08_X05_after_an_error_no_more_is_tried)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    kifu_moves moves = {0};
    const kifu_move *move;
    const kifu_bot bot = {.judge = judge_and_submit_at_first, .depth = KIFU_AT_ONCE};
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert_uint_eq(moves.count, 18);
    threads_left = 0; // One after the other.
    const kifu_thinking thinking = {.tries = 18000, .threads = 3};
    ck_assert_int_eq(kifu_choose_move(timeline, 0, &bot, &thinking, &moves, &move), KIFU_MISUSE);
    threads_left = -1;
    ck_assert_text(timeline, "was submitted while a try is open");
    ck_assert_uint_eq(judges_called, 1);
    ck_assert_ptr_null(move);
    ck_assert_uint_eq(moves.count, 0);
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert_int_eq(kifu_choose_move(timeline, 0, &(kifu_bot){0}, &thinking, &moves, &move), KIFU_MISUSE);
    ck_assert_uint_eq(moves.count, 0);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

static void reset_nothing(void *context)
{
    (void)context;
}

START_TEST(M08_X05_a_game_with_its_model_outside_has_no_bot)
{
    kifu_timeline *timeline = hazard_new(1, &(kifu_options){.reset = reset_nothing});
    refused(timeline, &cheat, KIFU_MISUSE, "this game has its model outside");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(M08_X05_where_there_is_no_move_none_is_drawn_by_lot)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    kifu_moves moves = {0};
    const kifu_move *move = (const kifu_move *)&moves;
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 1);
    const kifu_rng before = rng;
    must(timeline, kifu_choose_any_move(timeline, 1, &rng, &moves, &move)); // It is not their turn.
    ck_assert_ptr_null(move);
    ck_assert_mem_eq(&rng, &before, sizeof rng);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

static unsigned attached, seen;

static kifu_result attach_nothing(kifu_timeline *timeline)
{
    (void)timeline;
    attached++;
    return KIFU_OK;
}

static void see(void *context, kifu_timeline *timeline)
{
    (void)context, (void)timeline;
    seen++;
}

static double see_act(void *context, kifu_timeline *timeline, const hazard_state *state, const hazard_p_any *any)
{
    (void)context, (void)timeline, (void)state, (void)any;
    seen++;
    return 0;
}

static void hear(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)context, (void)timeline, (void)state, (void)change;
    seen++;
}

START_TEST(M08_X05_a_bot_thinks_on_copies_that_show_and_record_nothing)
{
    static const kifu_observer heard[] = {{.listen = hear, KIFU_PART(hazard_state, score)}};
    const hazard_view view = {.base.redraw = see, .act_p_any = see_act};
    kifu_timeline *timeline = hazard_new(1, &(kifu_options){.view = &view.base,
                                                            .observers = KIFU_OBSERVERS(heard),
                                                            .sync_test = attach_nothing,
                                                            .keep_variations = attach_nothing,
                                                            .keep_notes = attach_nothing,
                                                            .record_inputs = attach_nothing});
    attached = seen = 0;
    hazard_test.list = list_one_and_two;
    choice(timeline, &cheat, &(kifu_thinking){.tries = 100});
    ck_assert_uint_eq(attached, 0);
    ck_assert_uint_eq(seen, 0);
    kifu_destroy(timeline);
}
END_TEST

static void see_rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)context, (void)timeline, (void)outcome;
    seen++;
}

static kifu_result throw_in_answer(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context, (void)state, (void)event;
    hazard_submit_e_throw(timeline, 2);
    hazard_submit_p_sure(timeline, 2, NULL); // It is not their turn.
    return KIFU_OK;
}

static int to_move_in_play(const kifu_timeline *timeline)
{
    ck_assert_int_ne(kifu_get_game(timeline)->phase, KIFU_PHASE_GAME_OVER);
    return current(timeline);
}

START_TEST(M08_X05_whose_turn_it_is_is_not_asked_when_the_game_is_over)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    const kifu_bot bot = {.judge = judge_points, .to_move = to_move_in_play};
    choice(timeline, &bot, &(kifu_thinking){.tries = 50});
    kifu_destroy(timeline);
}
END_TEST

static uint32_t events_before;

static void judge_what_was_thrown(const kifu_timeline *timeline, double *worth)
{
    ck_assert_uint_ge(kifu_event_count(timeline), events_before + 2); // the throw, and the move
    ck_assert_uint_eq(kifu_open_transactions(timeline), 1);           // the search
    worth[0] = 0.5;
    judged++;
}

START_TEST(M08_X05_a_bot_thinks_behind_what_waits_for_a_commit_and_in_a_search)
{
    static const kifu_observer watching[] = {{.react = throw_in_answer, .type = HAZARD_P_ANY},
                                             {.listen = hear, KIFU_PART(hazard_state, score)}};
    const hazard_view view = {.base.rejected = see_rejected};
    kifu_timeline *timeline = hazard_new(1, &(kifu_options){.view = &view.base, .observers = KIFU_OBSERVERS(watching)});
    must(timeline, kifu_begin(timeline, KIFU_DEFERRED));
    hazard_submit_p_any(timeline, 0, 1);
    must(timeline, kifu_run(timeline));
    judged = seen = 0;
    events_before = kifu_event_count(timeline);
    const kifu_bot bot = {.judge = judge_what_was_thrown, .depth = KIFU_AT_ONCE};
    choice(timeline, &bot, &(kifu_thinking){.tries = 20});
    ck_assert_uint_eq(judged, 20);
    ck_assert_uint_eq(seen, 0);
    ck_assert_uint_eq(kifu_event_count(timeline), events_before);
    must(timeline, kifu_commit(timeline));
    must(timeline, kifu_run(timeline));
    ck_assert_uint_eq(kifu_event_count(timeline), events_before + 1);
    ck_assert_uint_gt(seen, 0);
    kifu_destroy(timeline);
}
END_TEST

static void judge_three_points(const kifu_timeline *timeline, double *worth)
{
    worth[1] = hazard_get_state(timeline)->score[1] > 2;
}

START_TEST(M08_X05_a_bot_thinks_for_the_player_who_asks)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    hazard_submit_p_sure(timeline, 0, NULL);
    must(timeline, kifu_run(timeline));
    ck_assert_int_eq(current(timeline), 1);
    const kifu_bot bot = {.judge = judge_three_points, .deal = deal_numbers, .depth = KIFU_AT_ONCE};
    ck_assert_uint_eq(choice(timeline, &bot, &(kifu_thinking){.tries = 400}), 3); // three points for sure
    kifu_destroy(timeline);
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
        X05_without_threads_the_choice_is_the_same,
        X05_progress_is_reported_and_ends_the_thinking,
        M08_X05_progress_is_the_share_of_the_tries_that_were_made,
        M08_X05_a_bot_thinks_as_long_as_it_may_and_as_often,
        M08_X05_progress_is_that_of_the_time_or_of_the_tries,
        M08_X05_a_bot_makes_no_more_threads_than_it_may,
        M08_X05_with_no_number_of_tries_a_bot_makes_the_usual_ones,
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
        X05_the_only_move_needs_no_thought,
        X05_misuse_is_reported,
        X05_without_memory_nothing_is_chosen_and_nothing_lost,
        M08_X05_a_try_ends_where_a_player_has_no_move,
        M08_X05_misuse_in_a_move_that_is_tried_ends_the_thinking,
        M08_X05_what_a_check_wants_instead_of_a_move_is_what_is_tried,
        M08_X05_a_tree_may_be_as_deep_as_there_are_tries,
        M08_X05_a_judge_that_submits_is_misuse_at_the_first_try,
        M08_X05_after_an_error_no_more_is_tried,
        M08_X05_a_game_with_its_model_outside_has_no_bot,
        M08_X05_where_there_is_no_move_none_is_drawn_by_lot,
        M08_X05_a_bot_thinks_on_copies_that_show_and_record_nothing,
        M08_X05_a_bot_thinks_behind_what_waits_for_a_commit_and_in_a_search,
        M08_X05_whose_turn_it_is_is_not_asked_when_the_game_is_over,
        M08_X05_a_bot_thinks_for_the_player_who_asks,
    };
    return run_suite("bot", tests, sizeof tests / sizeof *tests);
}
