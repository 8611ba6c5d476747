// Bots: how long they think, on what, and how that ends.

#include <stdio.h>
#include <time.h>

#include "bot_help.h"
#include "history_help.h"
#include "suite.h"

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

// --- Memory, and what a bot thinks on --------------------------------------------------------------------------------

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
    for (bool failed = true; failed; failures += failed ? (SLOW ? 7 : 2) : 0) {
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

static uint32_t events_before, judged;

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
        X05_without_threads_the_choice_is_the_same,
        X05_progress_is_reported_and_ends_the_thinking,
        M08_X05_progress_is_the_share_of_the_tries_that_were_made,
        M08_X05_a_bot_thinks_as_long_as_it_may_and_as_often,
        M08_X05_progress_is_that_of_the_time_or_of_the_tries,
        M08_X05_a_bot_makes_no_more_threads_than_it_may,
        M08_X05_with_no_number_of_tries_a_bot_makes_the_usual_ones,
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
        X05_the_only_move_needs_no_thought,
    };
    return run_suite("bot thinking", tests, sizeof tests / sizeof *tests);
}
