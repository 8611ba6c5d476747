// A model outside the state: undo, redo, roll-back and load build it again from the log, which may fail.

#include "cards_help.h"
#include "history_help.h"
#include "model.h"
#include "suite.h"

static kifu_timeline *outside_new(model *list, const kifu_options *more)
{
    kifu_options options = more ? *more : (kifu_options){0};
    options.reset = model_reset;
    options.user = list;
    kifu_timeline *outside;
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &outside, NULL), KIFU_OK);
    return outside;
}

static void push(kifu_timeline *outside, int number)
{
    outside_submit_p_push(outside, 0, number);
    must(outside, kifu_run(outside));
}

static void pop(kifu_timeline *outside)
{
    outside_submit_e_pop(outside);
    must(outside, kifu_run(outside));
}

static int length_of(const model *list)
{
    int length = 0;
    for (const node *at = list->first; at; at = at->next)
        length++;
    return length;
}

// --- Undo and redo ---------------------------------------------------------------------------------------------------

START_TEST(U12_a_submit_that_failed_does_not_spoil_the_undo_of_a_model_outside)
{
    model list = {0};
    kifu_timeline *outside = outside_new(&list, NULL);
    for (int i = 0; i < 3; i++)
        push(outside, i);
    ck_assert_uint_eq(outside_submit_p_push(outside, 1000, 3), 0);
    ck_assert_int_eq(kifu_undo(outside), KIFU_MISUSE);
    ck_assert_int_eq(length_of(&list), 3);
    ck_assert_uint_eq(kifu_event_count(outside), 3);
    must(outside, kifu_undo(outside));
    ck_assert_int_eq(length_of(&list), 2);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

START_TEST(U12_a_redo_without_memory_leaves_the_model_outside_as_it_was)
{
    model list = {0}, again = {0};
    kifu_timeline *outside = outside_new(&list, NULL);
    for (int i = 0; i < 16; i++)
        push(outside, i);
    outside_submit_e_pop(outside); // undone together with the last push
    must(outside, kifu_run(outside));
    must(outside, kifu_undo(outside));

    test_memory memory = {.until_failure = -1, .for_ever = true};
    kifu_options short_of = {
        .reset = model_reset, .user = &again, .allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *loaded = reload(outside, &short_of);
    ck_assert_int_eq(length_of(&again), 15);
    memory.until_failure = 0;
    ck_assert_int_eq(kifu_redo(loaded), KIFU_NO_MEMORY);
    ck_assert_uint_eq(kifu_event_count(loaded), 15);
    ck_assert_int_eq(length_of(&again), 15);
    memory.until_failure = -1;
    must(loaded, kifu_redo(loaded));
    ck_assert_uint_eq(kifu_event_count(loaded), 17);
    ck_assert_int_eq(length_of(&again), 15);
    kifu_destroy(loaded);
    kifu_destroy(outside);
    model_reset(&list);
    model_reset(&again);
}
END_TEST

// --- What cannot be executed again -----------------------------------------------------------------------------------

// A node that no event put into the model: taken off live, it is not there when the log is executed again.
static void put_behind_its_back(model *list, int number)
{
    node *added = malloc(sizeof *added);
    *added = (node){list->first, number};
    list->first = added;
}

START_TEST(T05_a_log_that_cannot_be_executed_again_ends_where_it_can)
{
    model list = {0};
    put_behind_its_back(&list, 100);
    kifu_timeline *outside = outside_new(&list, NULL);
    push(outside, 1);
    pop(outside);
    pop(outside); // the one that no event had put there
    push(outside, 2);
    outside_submit_p_break(outside, 0, 3);
    ck_assert_int_eq(kifu_run(outside), KIFU_FAILED);
    must_say(outside, "event 2 (outside.EPop) could not be replayed");
    ck_assert_uint_eq(kifu_event_count(outside), 2);
    ck_assert_int_eq(length_of(&list), 0);

    push(outside, 4); // and goes on from there
    kifu_event event;
    ck_assert(kifu_event_at(outside, 2, &event));
    ck_assert_uint_eq(event.type, OUTSIDE_P_PUSH);
    ck_assert_int_eq(((const outside_p_push *)event.table)->number, 4);
    model again = {0};
    kifu_options other = {.reset = model_reset, .user = &again};
    kifu_timeline *loaded = reload(outside, &other);
    ck_assert_uint_eq(kifu_event_count(loaded), 3);
    ck_assert_int_eq(length_of(&again), 1);
    kifu_destroy(loaded);
    kifu_destroy(outside);
    model_reset(&list);
    model_reset(&again);
}
END_TEST

START_TEST(U12_an_undo_that_cannot_execute_the_log_again_can_be_redone_from_where_it_stopped)
{
    model list = {0};
    put_behind_its_back(&list, 100);
    kifu_timeline *outside = outside_new(&list, NULL);
    push(outside, 1);
    pop(outside);
    pop(outside);
    push(outside, 2);
    ck_assert_int_eq(kifu_undo(outside), KIFU_FAILED);
    must_say(outside, "event 2 (outside.EPop) could not be replayed");
    ck_assert_uint_eq(kifu_event_count(outside), 2);
    ck_assert_int_eq(length_of(&list), 0);
    put_behind_its_back(&list, 100);
    ck_assert_uint_eq(kifu_can_redo(outside, NULL), 1); // To the end of the chain, as of any.
    must(outside, kifu_redo(outside));
    must(outside, kifu_redo(outside));
    ck_assert_int_eq(length_of(&list), 1);
    ck_assert_int_eq(list.first->number, 2);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

// Half of the Do that fails has happened to the model.
START_TEST(U12_a_do_that_fails_in_a_replay_leaves_nothing_in_the_model_outside)
{
    model list = {0};
    kifu_timeline *outside = outside_new(&list, NULL);
    push(outside, 1);
    push(outside, -2);
    push(outside, 3);
    ck_assert_int_eq(kifu_undo(outside), KIFU_FAILED);
    must_say(outside, "negative numbers are pushed once");
    ck_assert_uint_eq(kifu_event_count(outside), 1);
    ck_assert_int_eq(length_of(&list), 1);
    ck_assert_int_eq(kifu_redo(outside), KIFU_FAILED);
    ck_assert_uint_eq(kifu_event_count(outside), 1);
    ck_assert_int_eq(length_of(&list), 1);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

static void count_redraw(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    ++*(int *)context;
}

// The first time with the node that no event put there, then without.
static void reset_with_node_once(void *context)
{
    model *list = (model *)context;
    model_reset(list);
    if (list->resets == 1)
        put_behind_its_back(list, 100);
}

START_TEST(U12_a_redo_that_fails_where_the_way_back_fails_too)
{
    model list = {0};
    int redraws = 0;
    const outside_view view = {.base = {.context = &redraws, .redraw = count_redraw}};
    put_behind_its_back(&list, 100);
    kifu_timeline *outside;
    ck_assert_int_eq(kifu_create(&outside_rules,
                                 &(kifu_options){.view = &view.base, .user = &list, .reset = reset_with_node_once},
                                 &outside, NULL),
                     KIFU_OK);
    pop(outside);
    push(outside, 1);
    push(outside, -2); // fails when it is executed again
    must(outside, kifu_undo(outside));
    ck_assert_int_eq(kifu_redo(outside), KIFU_FAILED);
    must_say(outside, "event 0 (outside.EPop) could not be replayed");
    ck_assert_uint_eq(kifu_event_count(outside), 0);
    ck_assert_int_eq(redraws, 2);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

START_TEST(U10_an_undo_that_fails_shows_what_it_led_to)
{
    model list = {0};
    int redraws = 0;
    const outside_view view = {.base = {.context = &redraws, .redraw = count_redraw}};
    kifu_timeline *outside = outside_new(&list, &(kifu_options){.view = &view.base});
    push(outside, 1);
    push(outside, -2); // fails when it is executed again
    push(outside, 3);
    ck_assert_int_eq(kifu_undo(outside), KIFU_FAILED);
    must_say(outside, "could not be replayed");
    ck_assert_uint_eq(kifu_event_count(outside), 1);
    ck_assert_int_eq(redraws, 1);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

// --- Transactions ----------------------------------------------------------------------------------------------------

START_TEST(U12_transactions_with_a_model_outside)
{
    model list = {0};
    kifu_timeline *outside = outside_new(&list, NULL);
    push(outside, 1);
    for (int way = 0; way < 2; way++) {
        must(outside, kifu_begin(outside, way ? KIFU_SEARCH : 0));
        outside_submit_p_push(outside, 0, 2);
        outside_submit_p_push(outside, 0, 3);
        outside_submit_p_push(outside, 0, 4);
        must(outside, kifu_step(outside));
        must(outside, kifu_step(outside));
        ck_assert_int_eq(list.first->number, 3);
        must(outside, kifu_undo(outside));
        ck_assert_int_eq(list.first->number, 2);
        must(outside, kifu_roll_back(outside));
        ck_assert_int_eq(list.first->number, 1);
        ck_assert_ptr_null(list.first->next);
        ck_assert_uint_eq(kifu_pending_count(outside), 0);
    }
    must(outside, kifu_begin(outside, 0));
    outside_submit_p_push(outside, 0, 5);
    push(outside, 6);
    outside_submit_p_break(outside, 0, 1);
    ck_assert_int_eq(kifu_run(outside), KIFU_FAILED);
    ck_assert_int_eq(list.first->number, 6);
    must(outside, kifu_commit(outside));
    must(outside, kifu_undo(outside));
    ck_assert_int_eq(list.first->number, 1);
    must(outside, kifu_redo(outside));
    ck_assert_int_eq(list.first->number, 6);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

// What cannot be executed again is gone, as it is for undo; the transactions around it end there, too.
START_TEST(U12_a_roll_back_that_cannot_execute_the_log_again)
{
    for (int way = 0; way < 6; way++) {
        model list = {0};
        kifu_timeline *outside = outside_new(&list, NULL);
        outside_submit_p_push(outside, 0, 1);
        push(outside, -2); // fails when it is executed again
        uint32_t open = way < 2 ? 1 : 2;
        for (uint32_t i = 0; i < open; i++) {
            must(outside, kifu_begin(outside, i == 1 && way == 3 ? KIFU_SEARCH : 0));
            push(outside, 3);
        }
        if (way == 1) { // a failing Do inside, first
            outside_submit_p_break(outside, 0, 4);
            ck_assert_int_eq(kifu_run(outside), KIFU_FAILED);
            must_say(outside, "could not be replayed");
            ck_assert_uint_eq(kifu_event_count(outside), 1);
            ck_assert_int_eq(list.first->number, 1);
        }
        while (kifu_open_transactions(outside) > 0) {
            kifu_result result = kifu_roll_back(outside);
            ck_assert(result == KIFU_FAILED || result == KIFU_OK);
            ck_assert_uint_eq(kifu_event_count(outside), 1);
            ck_assert_int_eq(list.first->number, 1);
            ck_assert_ptr_null(list.first->next);
            open--;
            ck_assert_uint_eq(kifu_open_transactions(outside), open);
        }
        push(outside, 5);
        must(outside, kifu_undo(outside));
        must(outside, kifu_redo(outside));
        ck_assert_int_eq(list.first->number, 5);
        ck_assert_uint_eq(kifu_event_count(outside), 2);
        kifu_destroy(outside);
        model_reset(&list);
    }
}
END_TEST

// The same with a commit at the end.
START_TEST(U12_a_commit_of_what_could_not_be_executed_again)
{
    model list = {0};
    kifu_timeline *outside = outside_new(&list, NULL);
    outside_submit_p_push(outside, 0, 1);
    push(outside, -2);
    must(outside, kifu_begin(outside, 0));
    outside_submit_p_push(outside, 0, 3);
    outside_submit_p_break(outside, 0, 4);
    ck_assert_int_eq(kifu_run(outside), KIFU_FAILED);
    ck_assert_uint_eq(kifu_event_count(outside), 1);
    ck_assert_uint_eq(kifu_can_undo(outside, NULL), 0); // a transaction began after it
    outside_submit_p_push(outside, 0, 5);
    outside_submit_p_push(outside, 0, 6);
    push(outside, 7);
    must(outside, kifu_commit(outside));
    while (kifu_can_undo(outside, NULL))
        must(outside, kifu_undo(outside));
    ck_assert_uint_eq(kifu_event_count(outside), 0);
    ck_assert_ptr_null(list.first);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

START_TEST(P05_a_transaction_inside_one_whose_beginning_is_lost)
{
    for (int keep = 0; keep < 2; keep++) {
        model list = {0};
        kifu_timeline *outside = outside_new(&list, NULL);
        push(outside, 1);
        push(outside, -2);
        for (int i = 0; i < 40; i++)
            push(outside, i);
        must(outside, kifu_begin(outside, 0));
        push(outside, 3);
        ck_assert_int_eq(kifu_undo(outside), KIFU_FAILED);
        ck_assert_uint_eq(kifu_event_count(outside), 1);
        must(outside, kifu_begin(outside, 0));
        push(outside, 4);
        must(outside, keep ? kifu_commit(outside) : kifu_roll_back(outside));
        ck_assert_uint_eq(kifu_event_count(outside), keep ? 2 : 1);
        must(outside, kifu_roll_back(outside));
        ck_assert_uint_eq(kifu_event_count(outside), 1);
        ck_assert_int_eq(list.first->number, 1);
        push(outside, 5);
        ck_assert_int_eq(list.first->number, 5);
        kifu_destroy(outside);
        model_reset(&list);
    }
}
END_TEST

static kifu_result begins_in_do(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)context;
    (void)any;
    ck_assert_int_eq(kifu_begin(timeline, 0), KIFU_MISUSE);
    return KIFU_OK;
}

static void no_reset(void *context)
{
    (void)context;
}

START_TEST(U12_no_transaction_in_a_do_with_a_model_outside)
{
    cards_hooks hooks = {.in_do = begins_in_do};
    kifu_options options = {.user = &hooks, .reset = no_reset};
    kifu_timeline *cards = cards_new(&options);
    cards_submit_p_any(cards, 0, 1);
    ck_assert_int_eq(kifu_run(cards), KIFU_MISUSE);
    must_say(cards, "outside the state");
    ck_assert_uint_eq(kifu_event_count(cards), 2);
    ck_assert_uint_eq(kifu_open_transactions(cards), 0);
    kifu_destroy(cards);
}
END_TEST

// --- All of it at random ---------------------------------------------------------------------------------------------

static void random_step(kifu_timeline *outside, kifu_rng *rng)
{
    switch (kifu_rng_below(rng, 8)) {
    case 0:
        (void)kifu_undo(outside);
        break;
    case 1:
        (void)kifu_redo(outside);
        break;
    case 2:
        outside_submit_e_pop(outside);
        break;
    case 3:
        outside_submit_p_break(outside, 0, 1);
        break;
    case 4:
        outside_submit_p_push(outside, kifu_rng_below(rng, 5) ? 1 : 1000, 2);
        break;
    default:
        outside_submit_p_push(outside, 0, (int32_t)kifu_rng_below(rng, 1000));
        (void)kifu_run(outside);
    }
    if (kifu_rng_below(rng, 2))
        (void)kifu_step(outside);
}

START_TEST(U12_a_model_outside_short_of_memory_is_at_any_time_what_its_save_says)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 1);
    for (unsigned long game = 0; game < fuzz_steps(6000) / 100; game++) {
        model list = {0}, again = {0};
        test_memory memory = {.until_failure = -1, .for_ever = true};
        kifu_options other = {.reset = model_reset, .user = &again};
        kifu_timeline *outside =
            outside_new(&list, &(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
        for (unsigned step = 0; step < 100; step++) {
            memory.until_failure = kifu_rng_below(&rng, 3) ? -1 : (long)kifu_rng_below(&rng, 3);
            random_step(outside, &rng);
            memory.until_failure = -1;
            kifu_timeline *loaded = reload(outside, &other);
            ck_assert_uint_eq(kifu_event_count(loaded), kifu_event_count(outside));
            ck_assert_uint_eq(kifu_pending_count(loaded), kifu_pending_count(outside));
            ck_assert_uint_eq(kifu_can_redo(loaded, NULL), kifu_can_redo(outside, NULL));
            const node *one = list.first, *two = again.first;
            for (; one && two; one = one->next, two = two->next)
                ck_assert_int_eq(one->number, two->number);
            ck_assert(!one && !two);
            kifu_destroy(loaded);
        }
        kifu_destroy(outside);
        model_reset(&list);
        model_reset(&again);
    }
}
END_TEST

static void judge(const kifu_timeline *outside, double *worth)
{
    (void)outside;
    worth[0] = 1;
}

START_TEST(M08_what_looks_beside_the_game_is_refused_with_a_model_outside)
{
    model list = {0}, other = {0};
    kifu_timeline *outside = outside_new(&list, NULL), *fork;
    push(outside, 1);
    kifu_cursor *cursor;
    must_refuse(outside, kifu_cursor_open(outside, 0, &cursor));
    ck_assert_ptr_null(cursor);
    kifu_moves moves = {0};
    const kifu_move *move;
    const kifu_bot bot = {.judge = judge};
    must_refuse(outside, kifu_choose_move(outside, 0, &bot, &(kifu_thinking){.tries = 1}, &moves, &move));
    must_say(outside, "has its model outside");
    kifu_free_moves(&moves);
    kifu_error error;
    const kifu_options options = {.reset = model_reset, .user = &other};
    ck_assert_int_eq(kifu_fork(outside, KIFU_WITHOUT_PAST, &options, &fork, &error), KIFU_MISUSE);
    ck_assert_msg(strstr(error.message, "KIFU_WITHOUT_PAST") != NULL, "%s", error.message);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        U12_a_submit_that_failed_does_not_spoil_the_undo_of_a_model_outside,
        U12_a_redo_without_memory_leaves_the_model_outside_as_it_was,
        T05_a_log_that_cannot_be_executed_again_ends_where_it_can,
        U12_an_undo_that_cannot_execute_the_log_again_can_be_redone_from_where_it_stopped,
        U12_a_do_that_fails_in_a_replay_leaves_nothing_in_the_model_outside,
        U12_a_redo_that_fails_where_the_way_back_fails_too,
        U10_an_undo_that_fails_shows_what_it_led_to,
        U12_transactions_with_a_model_outside,
        U12_a_roll_back_that_cannot_execute_the_log_again,
        U12_a_commit_of_what_could_not_be_executed_again,
        P05_a_transaction_inside_one_whose_beginning_is_lost,
        U12_no_transaction_in_a_do_with_a_model_outside,
        U12_a_model_outside_short_of_memory_is_at_any_time_what_its_save_says,
        M08_what_looks_beside_the_game_is_refused_with_a_model_outside,
    };
    return run_suite("outside", tests, sizeof tests / sizeof *tests);
}
