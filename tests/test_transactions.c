// Transactions: around events or inside a Do, kept or taken back whole.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "suite.h"

// --- Around events ---------------------------------------------------------------------------------------------------

START_TEST(P05_transactions_nest_around_events)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, lab_play(lab, "1"));
    ck_assert_uint_eq(kifu_open_transactions(lab), 0);
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "2r"));
    lab_picture two = lab_look(lab);
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "3(4)r"));
    must(lab, kifu_begin(lab, 0));
    ck_assert_uint_eq(kifu_open_transactions(lab), 3);
    must(lab, lab_play(lab, "5r"));
    must(lab, kifu_commit(lab));
    ck_assert_str_eq(lab_trace(lab), "12345");
    must(lab, kifu_roll_back(lab)); // with what was committed inside
    ck_assert_uint_eq(kifu_open_transactions(lab), 1);
    lab_same(lab, &two);
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "6"));
    must(lab, kifu_commit(lab));
    must(lab, kifu_commit(lab));
    ck_assert_uint_eq(kifu_open_transactions(lab), 0);
    ck_assert_str_eq(lab_trace(lab), "126");
    must_refuse(lab, kifu_commit(lab));
    must_refuse(lab, kifu_roll_back(lab));
    must_refuse(lab, kifu_begin(lab, KIFU_DEFERRED | KIFU_SEARCH));
    must_say(lab, "give 0 or one of KIFU_DEFERRED, KIFU_SEARCH");
    ck_assert_str_eq(lab_trace(lab), "126");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_a_commit_makes_one_undo_chain)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, lab_play(lab, "1"));
    lab_picture before = lab_look(lab);
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "2(3)"));
    must(lab, lab_play(lab, "4"));
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 1); // until then each is its own
    must(lab, lab_play(lab, "5(6)"));
    must(lab, kifu_commit(lab));
    lab_picture after = lab_look(lab);
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 5);
    must(lab, lab_play(lab, "7"));
    must(lab, kifu_undo(lab));
    for (int way = 0; way < 3; way++) {
        kifu_timeline *each = way == 0 ? lab : way == 1 ? reload(lab, NULL) : fork_of(lab, KIFU_PRESENT, NULL);
        ck_assert_uint_eq(kifu_can_undo(each, NULL), 5);
        must(each, kifu_undo(each));
        lab_same(each, &before);
        ck_assert_uint_eq(kifu_can_undo(each, NULL), 1);
        ck_assert_uint_eq(kifu_can_redo(each, NULL), 5);
        must(each, kifu_redo(each));
        lab_same(each, &after);
        if (each != lab)
            kifu_destroy(each);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_a_commit_of_what_still_runs)
{
    kifu_timeline *lab = lab_started(NULL);
    lab_picture before = lab_look(lab);
    lab_do(lab, 0, "1(2)(3(5))(4)", 1);
    must(lab, kifu_step(lab));
    must(lab, kifu_begin(lab, 0)); // in the middle of an input
    must(lab, kifu_step(lab));
    must(lab, kifu_step(lab));
    must(lab, kifu_commit(lab)); // and again
    ck_assert_uint_eq(kifu_pending_count(lab), 2);
    must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "12345");
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 5);
    must(lab, kifu_undo(lab));
    lab_same(lab, &before);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_a_roll_back_restores_queues_and_counts)
{
    for (int enough = 4; enough <= 5; enough++) { // the input below has 5 consequences
        kifu_options options = {.max_consequences = (uint32_t)enough};
        kifu_timeline *lab = lab_started(&options);
        lab_do(lab, 2, "1r(2(3r)(4))(5)", 1);
        kifu_ticket ticket = lab_do(lab, 1, "6p(7)", 1);
        must(lab, kifu_override(lab, ticket, true, true));
        must(lab, kifu_step(lab));
        lab_picture before = lab_look(lab);
        for (int way = 0; way < 5; way++) {
            must(lab, kifu_begin(lab, 0));
            if (way == 1)
                must(lab, kifu_step(lab));
            if (way >= 2)
                must(lab, kifu_run(lab));
            if (way == 3)
                must(lab, lab_play(lab, "(8)(8)(8)"));
            if (way == 4) {
                must(lab, lab_play(lab, "8"));
                lab_do(lab, 0, "9", 1);
                must(lab, kifu_undo(lab)); // empties the queues
            }
            must(lab, kifu_roll_back(lab));
            lab_same(lab, &before);
            kifu_event event;
            ck_assert(kifu_pending_at(lab, 2, &event));
            ck_assert_uint_eq(event.flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO);
            ck_assert_int_eq(event.player, 1);
        }
        must(lab, kifu_run(lab));
        ck_assert_uint_eq(kifu_event_count(lab), 8);
        ck_assert_uint_eq(lab_get_state(lab)->trace[5], 6);
        kifu_destroy(lab);

        lab = lab_started(&options); // one more than four is one too many, begun or not
        lab_do(lab, 0, "(1)(2)(3(4(5)))", 1);
        must(lab, kifu_step(lab));
        must(lab, kifu_begin(lab, 0));
        must(lab, kifu_step(lab));
        must(lab, kifu_step(lab));
        must(lab, kifu_roll_back(lab));
        ck_assert_int_eq(kifu_run(lab), enough == 4 ? KIFU_RUNAWAY : KIFU_OK);
        ck_assert_uint_eq(kifu_event_count(lab), enough == 4 ? 1 : 7);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(P05_a_roll_back_restores_redo)
{
    for (int way = 0; way < 6; way++) {
        kifu_timeline *lab = lab_started(NULL);
        must(lab, lab_play(lab, "1"));
        must(lab, lab_play(lab, "2(3)"));
        lab_do(lab, 0, "4(5)(6)", 1);
        lab_do(lab, 0, "7", 1);
        must(lab, kifu_step(lab));
        must(lab, kifu_step(lab));
        lab_picture end = lab_look(lab);
        must(lab, kifu_undo(lab));
        must(lab, kifu_undo(lab));
        lab_picture start = lab_look(lab);
        must(lab, kifu_begin(lab, way == 5 ? KIFU_SEARCH : 0));
        if (way > 0)
            for (int i = 0; i < 40; i++) // over the events that redo would bring back, and beyond
                must(lab, lab_play(lab, "+(-)"));
        if (way == 2)
            for (int i = 0; i < 30; i++)
                must(lab, kifu_undo(lab));
        if (way == 3)
            ck_assert_int_eq(lab_play(lab, "f"), KIFU_FAILED);
        if (way == 4) {
            must(lab, kifu_begin(lab, 0));
            must(lab, kifu_undo(lab) == KIFU_NOT_UNDOABLE ? KIFU_OK : KIFU_MISUSE);
            must(lab, lab_play(lab, "8"));
            must(lab, kifu_commit(lab));
        }
        must(lab, kifu_roll_back(lab));
        lab_same(lab, &start);
        kifu_timeline *loaded = reload(lab, NULL);
        for (int i = 0; i < 2; i++) {
            kifu_timeline *each = i ? loaded : lab;
            ck_assert_uint_eq(kifu_can_redo(each, NULL), 2);
            must(each, kifu_redo(each));
            must(each, kifu_redo(each));
            lab_same(each, &end);
            must(each, kifu_run(each));
            ck_assert_str_eq(lab_trace(each), "1234567");
            kifu_destroy(each);
        }
    }
}
END_TEST

START_TEST(P05_an_empty_transaction_changes_nothing)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_undo(lab));
    lab_picture picture = lab_look(lab);
    for (int way = 0; way < 4; way++) {
        must(lab, kifu_begin(lab, way == 3 ? KIFU_SEARCH : way == 2 ? KIFU_DEFERRED : 0));
        must(lab, way % 2 ? kifu_roll_back(lab) : kifu_commit(lab));
        lab_same(lab, &picture);
        ck_assert_uint_eq(kifu_can_undo(lab, NULL), 1);
        ck_assert_uint_eq(kifu_can_redo(lab, NULL), 1);
    }
    must(lab, kifu_redo(lab));
    ck_assert_str_eq(lab_trace(lab), "12");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_what_waited_before_a_transaction_happens_after_its_commit)
{
    for (int inputs = 0; inputs < 2; inputs++) {
        kifu_timeline *lab = lab_started(NULL);
        lab_do(lab, 0, "(7)(8)", 1);
        if (!inputs)
            must(lab, kifu_step(lab));
        const uint32_t waits = kifu_pending_count(lab);
        ck_assert_uint_eq(waits, inputs ? 1 : 2);
        must(lab, kifu_begin(lab, 0));
        must(lab, kifu_commit(lab)); // Nothing has happened in it.
        ck_assert_uint_eq(kifu_pending_count(lab), waits);
        must(lab, kifu_begin(lab, 0));
        must(lab, kifu_step(lab)); // What waited happens in it, and the rest afterwards.
        must(lab, kifu_commit(lab));
        must(lab, kifu_run(lab));
        ck_assert_uint_eq(kifu_pending_count(lab), 0);
        ck_assert_str_eq(lab_trace(lab), "78");
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(P05_undo_inside_stops_at_the_beginning)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, kifu_begin(lab, 0));
    lab_picture start = lab_look(lab);
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOT_UNDOABLE);
    must_say(lab, "transaction");
    must(lab, lab_play(lab, "2(3)"));
    must(lab, lab_play(lab, "4"));
    lab_picture end = lab_look(lab);
    must(lab, kifu_undo(lab));
    must(lab, kifu_undo(lab));
    lab_same(lab, &start);
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOT_UNDOABLE);
    must(lab, kifu_redo(lab));
    must(lab, kifu_redo(lab));
    lab_same(lab, &end);
    must(lab, kifu_begin(lab, 0));
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 0);
    must(lab, kifu_commit(lab));
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 1);
    must(lab, kifu_undo(lab));
    must(lab, kifu_commit(lab));
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 2);
    must(lab, kifu_undo(lab));
    ck_assert_str_eq(lab_trace(lab), "1");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_only_the_outermost_commit_makes_a_chain)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, kifu_begin(lab, 0));
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_commit(lab));
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 1); // inside, each step is taken back by itself
    must(lab, kifu_undo(lab));
    ck_assert_str_eq(lab_trace(lab), "1");
    must(lab, lab_play(lab, "3"));
    must(lab, kifu_commit(lab));
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 2);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_a_transaction_longer_than_the_journal_is_one_chain)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, lab_play(lab, "1+"));
    follower eye;
    follow_state(&eye, lab);
    lab_picture before = lab_look(lab);
    must(lab, kifu_begin(lab, 0));
    for (int i = 0; i < 3000; i++)
        must(lab, lab_play(lab, "+r(-r)+"));
    must(lab, kifu_commit(lab));
    uint64_t hash = kifu_state_hash(lab);
    kifu_timeline *loaded = reload(lab, NULL);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(kifu_can_undo(lab, NULL), 6000);
        must(lab, kifu_undo(lab));
        lab_same(lab, &before);
        must_have_followed(&eye, lab);
        must(lab, kifu_redo(lab));
        ck_assert_uint_eq(kifu_state_hash(lab), hash);
        must_have_followed(&eye, lab);
    }
    must(loaded, kifu_undo(loaded));
    lab_same(loaded, &before);
    must(loaded, kifu_redo(loaded));
    ck_assert_uint_eq(kifu_state_hash(loaded), hash);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_no_saving_and_seeking_inside)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, lab_play(lab, "1"));
    for (int way = 0; way < 3; way++) {
        must(lab, kifu_begin(lab, way == 0 ? 0 : way == 1 ? KIFU_DEFERRED : KIFU_SEARCH));
        must(lab, lab_play(lab, "2"));
        lab_picture picture = lab_look(lab);
        unsigned char *bytes;
        size_t size;
        must_refuse(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
        must_refuse(lab, kifu_save(lab, "/nowhere/at/all.kifu", NULL));
        must_refuse(lab, kifu_seek(lab, 0));
        must_refuse(lab, kifu_seek(lab, KIFU_PRESENT));
        lab_same(lab, &picture);
        kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL); // a fork is what it is now, with nothing open
        lab_same(fork, &picture);
        ck_assert_uint_eq(kifu_open_transactions(fork), 0);
        must(fork, lab_play(fork, "3"));
        must(fork, kifu_undo(fork));
        must(fork, kifu_undo(fork));
        ck_assert_str_eq(lab_trace(fork), "1");
        kifu_destroy(fork);
        must(lab, kifu_roll_back(lab));
        ck_assert_str_eq(lab_trace(lab), "1");
        must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
        kifu_free_bytes(lab, bytes);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(T07_a_roll_back_restores_the_delay)
{
    unsigned acts = 0;
    lab_view view = {.base = {.context = &acts}, .act_p_do = lab_takes_time};
    kifu_options options = {.view = &view.base};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 5; i++)
        lab_do(lab, 0, "1", 1);
    must(lab, kifu_update(lab, 0));
    must(lab, kifu_update(lab, 0.5));
    ck_assert_double_eq_tol(kifu_delay(lab), 1, 1e-9);
    for (int way = 0; way < 2; way++) {
        must(lab, kifu_begin(lab, way ? KIFU_SEARCH : 0));
        must(lab, kifu_run(lab));
        ck_assert_uint_eq(acts, 5); // a search shows nothing
        must(lab, kifu_roll_back(lab));
        ck_assert_double_eq_tol(kifu_delay(lab), 1, 1e-9);
        ck_assert_uint_eq(kifu_event_count(lab), 1);
        ck_assert_uint_eq(kifu_pending_count(lab), 4);
    }
    must(lab, kifu_begin(lab, KIFU_SEARCH));
    must(lab, kifu_update(lab, 0)); // a search waits for no view
    ck_assert_uint_eq(kifu_event_count(lab), 5);
    must(lab, kifu_roll_back(lab));
    must(lab, kifu_update(lab, 0.9));
    ck_assert_uint_eq(kifu_event_count(lab), 1);
    must(lab, kifu_update(lab, 0.2));
    ck_assert_uint_eq(kifu_event_count(lab), 2);
    kifu_destroy(lab);
}
END_TEST

START_TEST(T05_a_failing_event_inside_is_taken_back_alone)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "1r"));
    must(lab, kifu_begin(lab, 0));
    lab_picture inside = lab_look(lab);
    ck_assert_int_eq(lab_play(lab, "2rb3b4(5)rc(6)f"), KIFU_FAILED); // in the middle of its own transaction
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(lab)), "the script says so");
    lab_same(lab, &inside);
    ck_assert_uint_eq(kifu_open_transactions(lab), 2);
    ck_assert_int_eq(lab_play(lab, "2(3f)(4)"), KIFU_FAILED);
    must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "124");
    must(lab, kifu_roll_back(lab));
    lab_same(lab, &inside);
    ck_assert_int_eq(lab_play(lab, "2b3o"), KIFU_MISUSE);
    must_say(lab, "trace[64]");
    lab_same(lab, &inside);
    must(lab, kifu_commit(lab));
    must(lab, kifu_undo(lab));
    kifu_destroy(lab);
}
END_TEST

// What a submit could not do is told by the next call, which then does nothing.
START_TEST(T05_a_submit_that_failed_is_told_first)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, lab_play(lab, "1"));
    for (int way = 0; way < 7; way++) {
        if (way == 4)
            must(lab, kifu_begin(lab, 0));
        lab_do(lab, 200, "9", 1);
        kifu_result result = way == 0   ? kifu_begin(lab, 0)
                             : way == 1 ? kifu_begin(lab, KIFU_DEFERRED)
                             : way == 2 ? kifu_begin(lab, KIFU_SEARCH)
                             : way == 3 ? kifu_seek(lab, 0)
                             : way == 4 ? kifu_commit(lab)
                             : way == 5 ? kifu_undo(lab)
                                        : kifu_redo(lab);
        ck_assert_int_eq(result, KIFU_MISUSE);
        must_say(lab, "player 200");
        ck_assert_uint_eq(kifu_open_transactions(lab), way == 4);
        ck_assert_str_eq(lab_trace(lab), "1");
        if (way == 4)
            must(lab, kifu_commit(lab));
        must(lab, kifu_run(lab));
    }
    must(lab, kifu_begin(lab, 0)); // with the transaction the failed submit is taken back
    lab_do(lab, 200, "9", 1);
    must(lab, kifu_roll_back(lab));
    must(lab, kifu_run(lab));
    must(lab, kifu_begin(lab, KIFU_SEARCH));
    lab_do(lab, 200, "9", 1);
    must(lab, kifu_roll_back(lab));
    must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "1");
    kifu_destroy(lab);
}
END_TEST

START_TEST(T10_a_runaway_inside_ends_before_its_input)
{
    kifu_options options = {.max_consequences = 50};
    kifu_timeline *lab = lab_started(&options);
    must(lab, lab_play(lab, "1"));
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "2"));
    lab_picture inside = lab_look(lab);
    ck_assert_int_eq(lab_play(lab, "3l"), KIFU_RUNAWAY);
    lab_same(lab, &inside);
    ck_assert_uint_eq(kifu_open_transactions(lab), 1);
    must(lab, kifu_roll_back(lab));
    ck_assert_str_eq(lab_trace(lab), "1");

    // An input that began before the transaction is taken back no further than to it, and the rest by roll back.
    lab_do(lab, 0, "4l", 1);
    must(lab, kifu_step(lab));
    lab_picture middle = lab_look(lab);
    must(lab, kifu_begin(lab, 0));
    ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY);
    ck_assert_uint_eq(kifu_open_transactions(lab), 1);
    must(lab, lab_play(lab, "5"));
    must(lab, kifu_roll_back(lab));
    lab_same(lab, &middle);
    ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY);
    ck_assert_str_eq(lab_trace(lab), "1");
    kifu_destroy(lab);
}
END_TEST

static kifu_result fail_if_told(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    (void)event;
    return *(const bool *)context ? kifu_fail(timeline, "not yet") : KIFU_OK;
}

START_TEST(T10_a_commit_does_not_hide_where_an_input_began)
{
    for (int way = 0; way < 2; way++) {
        kifu_options options = {.max_consequences = 10};
        kifu_timeline *lab = lab_started(&options);
        bool fail = false;
        must(lab, kifu_observe(lab, &(kifu_observer){.react = fail_if_told, .context = &fail}));
        lab_picture before = lab_look(lab);
        lab_do(lab, 0, "1(2)(3)(l)", 1);
        must(lab, kifu_step(lab));
        must(lab, kifu_begin(lab, way ? KIFU_DEFERRED : 0));
        must(lab, kifu_step(lab));
        must(lab, kifu_commit(lab));
        ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY);
        lab_same(lab, &before);
        // and how many it has had
        lab_do(lab, 0, "(1)(1)(1)(1)(1)(1(1)(1)(1)(1)(1))", 1);
        for (int i = 0; i < 3; i++)
            must(lab, kifu_step(lab));
        must(lab, kifu_begin(lab, way ? KIFU_DEFERRED : 0));
        must(lab, kifu_step(lab));
        fail = true;
        ck_assert_int_eq(kifu_commit(lab), way ? KIFU_FAILED : KIFU_OK);
        fail = false;
        if (way)
            must(lab, kifu_commit(lab));
        ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY); // eleven
        lab_same(lab, &before);
        kifu_destroy(lab);
    }
}
END_TEST

static int resets;

static void count_reset(void *context)
{
    (void)context;
    resets++;
}

enum { ONCE = 1, FOR_EVER };

static kifu_result once_or_for_ever(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)context;
    if (any->number == ONCE && resets)
        return kifu_fail(timeline, "not a second time");
    if (any->number == FOR_EVER)
        cards_submit_p_any(timeline, 0, FOR_EVER);
    return KIFU_OK;
}

// The log ends before where the transaction began: it begins at the log's end now.
START_TEST(T10_a_runaway_in_a_transaction_whose_beginning_is_lost)
{
    resets = 0;
    cards_hooks hooks = {.in_do = once_or_for_ever};
    const kifu_options options = {.user = &hooks, .reset = count_reset, .max_consequences = 5};
    kifu_timeline *cards = cards_new(&options);
    static const int numbers[] = {0, ONCE, 0, 0, 0};
    for (int i = 0; i < 5; i++)
        cards_submit_p_any(cards, 0, numbers[i]);
    must(cards, kifu_run(cards));
    must(cards, kifu_begin(cards, 0));
    cards_submit_p_any(cards, 0, 0);
    must(cards, kifu_run(cards));
    ck_assert_int_eq(kifu_undo(cards), KIFU_FAILED);
    ck_assert_uint_eq(kifu_event_count(cards), 3);
    cards_submit_p_any(cards, 0, FOR_EVER);
    ck_assert_int_eq(kifu_run(cards), KIFU_RUNAWAY);
    ck_assert_uint_eq(kifu_event_count(cards), 3);
    cards_submit_p_any(cards, 0, 0);
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(kifu_can_undo(cards, NULL), 1); // back to where it begins now
    must(cards, kifu_roll_back(cards));
    ck_assert_uint_eq(kifu_event_count(cards), 3);
    kifu_destroy(cards);
}
END_TEST

enum { PARENT = 3, CHILD, OTHER_PARENT, OTHER_CHILD };

static kifu_result fails_in_time(void *context, kifu_timeline *cards, const cards_p_any *any)
{
    const bool lost = *(const bool *)context;
    for (int i = 0; any->number == PARENT && i < 2; i++)
        cards_submit_p_any(cards, 0, CHILD);
    if (any->number == OTHER_PARENT)
        cards_submit_p_any(cards, 0, OTHER_CHILD);
    return lost && (any->number == ONCE || any->number == CHILD) ? kifu_fail(cards, "not a second time") : KIFU_OK;
}

// What it has set aside goes, and what waited because of events that are gone.
START_TEST(P05_a_transaction_whose_beginning_is_lost_keeps_nothing_of_what_was_before)
{
    for (int waits = 0; waits < 2; waits++) {
        bool lost = false;
        test_memory memory = {.until_failure = -1};
        cards_hooks hooks = {.context = &lost, .in_do = fails_in_time};
        kifu_timeline *cards = cards_new(&(kifu_options){
            .user = &hooks, .reset = count_reset, .allocate = test_allocate, .allocate_context = &memory});
        const uint32_t before = kifu_event_count(cards);
        for (int i = 0; i < 200; i++)
            cards_submit_p_any(cards, 0, i ? 0 : ONCE);
        must(cards, kifu_run(cards));
        for (int i = 0; i < 150 && !waits; i++)
            must(cards, kifu_undo(cards));
        cards_submit_p_any(cards, 0, PARENT);
        must(cards, waits ? kifu_step(cards) : kifu_drop_inputs(cards));
        must(cards, kifu_begin(cards, 0));
        lost = true;
        if (!waits)
            cards_submit_p_any(cards, 0, CHILD);
        ck_assert_int_eq(kifu_step(cards), KIFU_FAILED);
        ck_assert_uint_eq(kifu_event_count(cards), before);
        ck_assert_uint_eq(kifu_pending_count(cards), 0);
        must(cards, kifu_roll_back(cards));
        ck_assert_uint_eq(kifu_event_count(cards), before);
        ck_assert_uint_eq(kifu_pending_count(cards), 0);
        ck_assert_uint_eq(kifu_can_redo(cards, NULL), 0);
        kifu_event event; // What had waited does not come in the place of what waits now.
        cards_submit_p_any(cards, 0, OTHER_PARENT);
        must(cards, kifu_run(cards));
        ck_assert(kifu_event_at(cards, kifu_event_count(cards) - 1, &event));
        ck_assert_int_eq(((const cards_p_any *)event.table)->number, OTHER_CHILD);
        kifu_destroy(cards);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

static kifu_result submits_one(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    (void)event;
    cards_submit_p_any(timeline, 0, 0);
    return KIFU_OK;
}

static kifu_result with_reaction(kifu_timeline *timeline)
{
    return kifu_observe(timeline, &(kifu_observer){.react = submits_one});
}

START_TEST(P06_a_fork_reacts_to_all_since_a_deferred_transaction_whose_beginning_is_lost)
{
    resets = 0;
    cards_hooks hooks = {.in_do = once_or_for_ever}, other = hooks;
    kifu_options options = {.user = &hooks, .reset = count_reset};
    kifu_timeline *cards = cards_new(&options);
    for (int i = 0; i < 5; i++)
        cards_submit_p_any(cards, 0, i == 1 ? ONCE : 0);
    must(cards, kifu_run(cards));
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    cards_submit_p_any(cards, 0, 0);
    must(cards, kifu_run(cards));
    ck_assert_int_eq(kifu_undo(cards), KIFU_FAILED);
    const uint32_t begins = kifu_event_count(cards);
    for (int i = 0; i < 2; i++)
        cards_submit_p_any(cards, 0, 0);
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(kifu_event_count(cards), begins + 2);
    kifu_timeline *fork;
    kifu_error error;
    options.prepare = with_reaction;
    options.user = &other;
    ck_assert_msg(!kifu_fork(cards, KIFU_PRESENT, &options, &fork, &error), "%s", error.message);
    ck_assert_uint_eq(kifu_pending_count(fork), 2);
    kifu_destroy(fork);
    kifu_destroy(cards);
}
END_TEST

// --- Inside a Do -----------------------------------------------------------------------------------------------------

// What a script leaves: the total, the trace.
static const struct {
    const char *script;
    int total;
    const char *trace;
} in_do[] = {
    {"b+k", 0, ""},
    {"b+c", 1, ""},
    {"+b+k", 1, ""},
    {"+b+k+", 2, ""},
    {"+b+c+", 3, ""},
    {"+b+b+k+c+", 4, ""},
    {"+b+b+c+k+", 2, ""},
    {"+b+b+k+k+", 2, ""},
    {"b1b2k3c4", 0, "134"},
    {"1b2b3c4k5", 0, "15"},
    {"b(5)k(6)", 0, "6"},
    {"b(5)(7)c(6)", 0, "576"},
    {"b(5)b(7)k(8)c", 0, "58"},
    {"(1)b(2)(3)b[4]c(5)k[6]", 0, "16"},
    {"b+1kb+2kb+3c", 1, "3"},
    {"bk", 0, ""},
    {"bbbbbbbbbb+1cccccccccc", 1, "1"},
    {"bbbbbbbbbb+1ccccckkkkk2", 0, "2"},
    {"b1234567890123456789012345678901234567890kb(1)k-", -1, ""},
    {"b+(b+k-(b7k8))c(b9c)", 0, "98"},
};

START_TEST(P05_transactions_nest_inside_one_do)
{
    for (unsigned i = 0; i < sizeof in_do / sizeof *in_do; i++)
        for (unsigned outer = 0; outer < 2; outer++) {
            kifu_timeline *lab = lab_started(NULL);
            if (outer)
                must(lab, kifu_begin(lab, 0));
            must(lab, lab_play(lab, in_do[i].script));
            ck_assert_msg(lab_get_state(lab)->total == in_do[i].total && !strcmp(lab_trace(lab), in_do[i].trace),
                          "%s: %d '%s'", in_do[i].script, (int)lab_get_state(lab)->total, lab_trace(lab));
            ck_assert_uint_eq(kifu_open_transactions(lab), outer);
            if (outer)
                must(lab, kifu_commit(lab));
            lab_picture picture = lab_look(lab);
            must(lab, kifu_undo(lab)); // by the journal
            ck_assert_uint_eq(kifu_event_count(lab), 1);
            ck_assert_int_eq(lab_get_state(lab)->total, 0);
            must(lab, kifu_redo(lab)); // executed again, with a journal
            lab_same(lab, &picture);
            must(lab, kifu_verify_replay(lab, NULL));
            for (int j = 0; j < 1100; j++)
                must(lab, lab_play(lab, "r"));
            kifu_options none = {.keyframe_bytes = 1};
            kifu_timeline *loaded = reload(lab, &none); // executed again, without
            ck_assert_mem_eq(lab_get_state(loaded), lab_get_state(lab), sizeof(lab_state));
            must(loaded, kifu_seek(loaded, picture.events));
            ck_assert_mem_eq(lab_get_state(loaded), &picture.state, sizeof picture.state);
            lab_state state;
            must(lab, kifu_state_at(lab, picture.events, &state, sizeof state));
            ck_assert_mem_eq(&state, &picture.state, sizeof picture.state);
            kifu_destroy(loaded);
            kifu_destroy(lab);
        }
}
END_TEST

START_TEST(P05_a_roll_back_in_do_restores_the_random_numbers)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, lab_play(lab, "r"));
    lab_state expected = *lab_get_state(lab);
    must(lab, kifu_undo(lab));
    must(lab, lab_play(lab, "brrrbrkrkr"));
    ck_assert_mem_eq(lab_get_state(lab), &expected, sizeof expected);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_limits_count_what_stays)
{
    kifu_options options = {.max_consequences = 4};
    kifu_timeline *lab = lab_started(&options);
    must(lab, lab_play(lab, "b(1)(2)(3)kb(1)(2)k(4)(5)(6)(7)"));
    ck_assert_str_eq(lab_trace(lab), "4567");
    ck_assert_int_eq(lab_play(lab, "b(1)(2)(3)c(4)(5)"), KIFU_RUNAWAY);
    ck_assert_str_eq(lab_trace(lab), "4567");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_a_transaction_left_open_in_do_is_misuse)
{
    static const char *const scripts[] = {"b", "b+1", "+bb+c1", "(2)b(3)", "bkbcb"};
    for (unsigned outer = 0; outer < 2; outer++) {
        kifu_timeline *lab = lab_started(NULL);
        must(lab, lab_play(lab, "r"));
        if (outer)
            must(lab, kifu_begin(lab, 0));
        lab_picture picture = lab_look(lab);
        for (unsigned i = 0; i < sizeof scripts / sizeof *scripts; i++) {
            ck_assert_int_eq(lab_play(lab, scripts[i]), KIFU_MISUSE);
            must_say(lab, "transaction");
            lab_same(lab, &picture);
            ck_assert_uint_eq(kifu_open_transactions(lab), outer);
        }
        must(lab, lab_play(lab, "b1kr+"));
        must(lab, kifu_undo(lab));
        if (outer)
            must(lab, kifu_roll_back(lab));
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(P05_do_ends_only_what_it_began)
{
    for (int way = 0; way < 4; way++) {
        kifu_timeline *lab = lab_started(NULL);
        must(lab, lab_play(lab, "1"));
        if (way)
            must(lab, kifu_begin(lab, way == 1 ? 0 : way == 2 ? KIFU_DEFERRED : KIFU_SEARCH));
        must(lab, lab_play(lab, "2"));
        lab_picture picture = lab_look(lab);
        static const char *const scripts[] = {"3k", "3c", "3bkk", "3b+cc"};
        for (int i = 0; i < 4; i++) {
            ck_assert_int_eq(lab_play(lab, scripts[i]), KIFU_MISUSE);
            must_say(lab, i % 2 ? "kifu_commit" : "kifu_roll_back");
            lab_same(lab, &picture);
            ck_assert_uint_eq(kifu_open_transactions(lab), way > 0);
        }
        if (way)
            must(lab, kifu_roll_back(lab));
        ck_assert_str_eq(lab_trace(lab), way ? "1" : "12");
        kifu_destroy(lab);
    }
}
END_TEST

// --- No memory, and what a commit or a roll-back leaves --------------------------------------------------------------

START_TEST(without_memory_nothing_is_begun_and_nothing_lost)
{
    for (int kind = 0; kind < 3; kind++)
        for (int ever = 0; ever < 2; ever++)
            for (long n = 0, more = 1; more; n++) {
                test_memory memory = {.until_failure = -1};
                kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
                kifu_timeline *lab = lab_started(&options);
                for (int i = 0; i < 20; i++)
                    must(lab, lab_play(lab, "+r"));
                lab_do(lab, 0, "1(2)(3)", 1);
                lab_do(lab, 0, "4", 1);
                must(lab, kifu_step(lab));
                lab_picture end = lab_look(lab);
                must(lab, kifu_undo(lab));
                lab_do(lab, 0, "5", 1); // something waits, something can be redone
                lab_picture before = lab_look(lab);
                memory.until_failure = n;
                memory.for_ever = ever;
                kifu_result result = kifu_begin(lab, kind == 0 ? 0 : kind == 1 ? KIFU_DEFERRED : KIFU_SEARCH);
                more = memory.failed;
                memory.until_failure = -1;
                lab_same(lab, &before);
                ck_assert_uint_eq(kifu_open_transactions(lab), !result);
                if (result) {
                    ck_assert_int_eq(result, KIFU_NO_MEMORY);
                    must_say(lab, "memory");
                    must(lab, kifu_begin(lab, kind == 2 ? KIFU_SEARCH : 0));
                }
                must(lab, lab_play(lab, "6"));
                memory.until_failure = 0; // what must go back can go back without
                memory.for_ever = true;
                must(lab, kifu_roll_back(lab));
                memory.until_failure = -1;
                lab_same(lab, &before);
                must(lab, kifu_begin(lab, 0)); // empty the queue in a transaction that is taken back
                must(lab, kifu_roll_back(lab));
                kifu_timeline *loaded = reload(lab, NULL);
                must(loaded, kifu_run(loaded));
                ck_assert_str_eq(lab_trace(loaded), "5");
                kifu_destroy(loaded);
                kifu_destroy(lab);
                ck_assert_int_eq(memory.blocks, 0);
                ck_assert_uint_gt(end.events, before.events);
            }
}
END_TEST

// Redo's events are the whole second segment of the log: a list of one is needed to set it aside.
START_TEST(without_memory_for_what_redo_can_bring_back_nothing_is_begun)
{
    enum { FIRST_SLOTS = 16 }; // So many events has the first segment of a log.
    for (long n = 0, more = 1; more; n++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *lab = lab_new(&options);
        for (int i = 0; i < FIRST_SLOTS + 3; i++)
            must(lab, lab_play(lab, "+"));
        const lab_picture end = lab_look(lab);
        for (int i = 0; i < 3; i++)
            must(lab, kifu_undo(lab));
        ck_assert_uint_eq(kifu_event_count(lab), FIRST_SLOTS);
        memory.until_failure = n;
        const kifu_result result = kifu_begin(lab, 0);
        more = memory.failed;
        memory.until_failure = -1;
        ck_assert_int_eq(result, more ? KIFU_NO_MEMORY : KIFU_OK);
        ck_assert_uint_eq(kifu_open_transactions(lab), !more);
        if (!more) {
            must(lab, lab_play(lab, "-"));
            must(lab, kifu_roll_back(lab));
        }
        for (int i = 0; i < 3; i++)
            must(lab, kifu_redo(lab));
        lab_same(lab, &end);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// The events of a transaction are one chain; what redo can bring back of it is one of its own.
START_TEST(P05_a_commit_leaves_what_was_undone_inside)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, kifu_begin(lab, 0));
    for (int i = 1; i <= 3; i++)
        must(lab, lab_play(lab, i == 1 ? "1" : i == 2 ? "2" : "3"));
    must(lab, kifu_undo(lab));
    must(lab, kifu_commit(lab));
    must(lab, kifu_redo(lab));
    ck_assert_str_eq(lab_trace(lab), "123");
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 1);
    must(lab, kifu_undo(lab));
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 2);
    must(lab, kifu_undo(lab));
    ck_assert_str_eq(lab_trace(lab), "");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_a_roll_back_drops_what_was_undone_inside)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = lab_started(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_undo(lab));
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "3"));
    must(lab, kifu_undo(lab));
    must(lab, kifu_roll_back(lab));
    must(lab, kifu_redo(lab)); // what was undone before
    ck_assert_str_eq(lab_trace(lab), "12");
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), 0);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static kifu_result submits_five(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    for (int i = 0; event->type == LAB_P_DO && i < 5; i++)
        lab_submit_e_do(timeline, "+");
    return context ? fail_if_told(context, timeline, state, event) : KIFU_OK;
}

START_TEST(P06_what_reactions_submit_at_a_commit_counts_by_itself)
{
    kifu_timeline *lab = lab_new(&(kifu_options){.max_consequences = 8});
    must(lab, kifu_observe(lab, &(kifu_observer){.react = submits_five}));
    must(lab, kifu_begin(lab, KIFU_DEFERRED));
    must(lab, lab_play(lab, "(1)(2)(3)(4)(5)(6)(7)(8)"));
    must(lab, kifu_commit(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 5);
    must(lab, kifu_run(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 5);
    kifu_destroy(lab);
}
END_TEST

// Three wait already, and eight may follow from one input.
START_TEST(P06_what_reactions_submit_at_a_commit_that_fails_does_not_count)
{
    kifu_timeline *lab = lab_new(&(kifu_options){.max_consequences = 8});
    bool fail = true;
    must(lab, kifu_observe(lab, &(kifu_observer){.react = submits_five, .context = &fail}));
    must(lab, kifu_begin(lab, KIFU_DEFERRED));
    lab_do(lab, 0, "(1)(2)(3)", 1);
    must(lab, kifu_step(lab));
    ck_assert_int_eq(kifu_commit(lab), KIFU_FAILED);
    ck_assert_uint_eq(kifu_pending_count(lab), 3);
    fail = false;
    must(lab, kifu_commit(lab));
    must(lab, kifu_run(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 5);
    ck_assert_str_eq(lab_trace(lab), "123");
    kifu_destroy(lab);
}
END_TEST

static kifu_result submits_without_end(void *context, kifu_timeline *timeline, const void *state,
                                       const kifu_event *event)
{
    (void)context;
    (void)state;
    if (event->type == LAB_P_DO)
        lab_submit_e_do(timeline, "l");
    return KIFU_OK;
}

// What follows from reactions at a commit is taken back with all to which they reacted.
START_TEST(T10_a_runaway_behind_a_commit_ends_where_the_transaction_began)
{
    kifu_timeline *lab = lab_new(&(kifu_options){.max_consequences = 8});
    must(lab, lab_play(lab, "1"));
    must(lab, kifu_observe(lab, &(kifu_observer){.react = submits_without_end}));
    must(lab, kifu_begin(lab, KIFU_DEFERRED));
    must(lab, lab_play(lab, "2"));
    must(lab, lab_play(lab, "3"));
    must(lab, kifu_commit(lab));
    ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY);
    ck_assert_str_eq(lab_trace(lab), "1");
    kifu_destroy(lab);
}
END_TEST

START_TEST(T10_a_runaway_behind_a_commit_that_failed_ends_before_its_input)
{
    bool fail = true;
    kifu_timeline *lab = lab_new(&(kifu_options){.max_consequences = 8});
    must(lab, kifu_observe(lab, &(kifu_observer){.react = fail_if_told, .context = &fail}));
    must(lab, kifu_begin(lab, KIFU_DEFERRED));
    must(lab, lab_play(lab, "1"));
    lab_do(lab, 0, "2(l)", 1);
    must(lab, kifu_step(lab));
    ck_assert_int_eq(kifu_commit(lab), KIFU_FAILED);
    ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY);
    ck_assert_str_eq(lab_trace(lab), "1");
    kifu_destroy(lab);
}
END_TEST

static kifu_result overrides_behind_a_transaction(void *context, kifu_timeline *cards, const cards_p_any *any)
{
    (void)context;
    if (kifu_is_replaying(cards) || !any->number)
        return KIFU_OK;
    const kifu_ticket before = cards_submit_p_any(cards, 0, 0);
    must_be(kifu_begin(cards, 0) == KIFU_OK);
    must_be(kifu_begin(cards, 0) == KIFU_OK);
    must_be(kifu_commit(cards) == KIFU_OK);
    must_be(kifu_override(cards, before, false, false) == KIFU_MISUSE); // inside it is another's
    must_be(kifu_commit(cards) == KIFU_OK);
    return kifu_override(cards, before, false, false);
}

START_TEST(T06_what_was_submitted_before_a_transaction_in_do_is_overridden_behind_it)
{
    cards_hooks hooks = {.in_do = overrides_behind_a_transaction};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
    cards_submit_p_any(cards, 0, 1);
    must(cards, kifu_run(cards));
    kifu_event event;
    ck_assert(kifu_event_at(cards, kifu_event_count(cards) - 1, &event));
    ck_assert_uint_eq(event.flags & KIFU_UNDOABLE, 0);
    kifu_destroy(cards);
}
END_TEST

START_TEST(P05_only_flags_that_there_are_begin_a_transaction)
{
    static const unsigned flags[] = {KIFU_DEFERRED | KIFU_SEARCH, 8, KIFU_SEARCH | KIFU_UNCHAINED, 7, 1u << 31};
    kifu_timeline *lab = lab_started(NULL);
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
        char words[80];
        snprintf(words, sizeof words, "flags %u: give 0 or one of KIFU_DEFERRED, KIFU_SEARCH", flags[i]);
        must_refuse(lab, kifu_begin(lab, flags[i]));
        must_say(lab, words);
        ck_assert_uint_eq(kifu_open_transactions(lab), 0);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(without_memory_a_do_with_transactions_is_taken_back)
{
    for (long n = 0, more = 1; more; n++) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *lab = lab_started(&options);
        lab_picture before = lab_look(lab);
        lab_do(lab, 0, "+b1b+(2)rc(3)b+kk(4)bbbb5cccc", 1);
        memory.until_failure = n;
        kifu_result result = kifu_run(lab);
        more = memory.failed;
        memory.until_failure = -1;
        ck_assert_uint_eq(kifu_open_transactions(lab), 0);
        if (result) {
            ck_assert_int_eq(result, KIFU_NO_MEMORY);
            if (kifu_event_count(lab) == 1)
                ck_assert_mem_eq(lab_get_state(lab), &before.state, sizeof before.state);
        }
        must(lab, kifu_run(lab));
        if (kifu_event_count(lab) == 1)
            must(lab, lab_play(lab, "+b1b+(2)rc(3)b+kk(4)bbbb5cccc"));
        ck_assert_str_eq(lab_trace(lab), "54");
        ck_assert_int_eq(lab_get_state(lab)->total, 1);
        must(lab, kifu_undo(lab));
        lab_same(lab, &before);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// What waited before a transaction is held in the queue, in front of what waited when the undo took it away.
START_TEST(P05_redo_inside_needs_no_memory_for_what_waited)
{
    char note[600];
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = lab_started(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    memset(note, '1', sizeof note);
    note[sizeof note - 1] = '\0';
    lab_do(lab, 0, "1", 1);
    lab_do(lab, 0, note, 1);
    must(lab, kifu_begin(lab, 0));
    must(lab, kifu_step(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 1);
    must(lab, kifu_undo(lab));
    memory.until_failure = 0;
    memory.for_ever = true;
    must(lab, kifu_redo(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 1);
    kifu_destroy(lab);
}
END_TEST

START_TEST(a_timeline_can_be_destroyed_with_transactions_open)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = lab_started(&options);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_undo(lab));
    lab_do(lab, 0, "3(4)", 1);
    must(lab, kifu_begin(lab, 0));
    must(lab, kifu_step(lab));
    must(lab, kifu_undo(lab));
    must(lab, kifu_begin(lab, KIFU_DEFERRED));
    must(lab, lab_play(lab, "5"));
    must(lab, kifu_begin(lab, KIFU_SEARCH));
    must(lab, lab_play(lab, "6"));
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P05_transactions_nest_around_events,
        P05_a_commit_makes_one_undo_chain,
        P05_a_commit_of_what_still_runs,
        P05_a_roll_back_restores_queues_and_counts,
        P05_a_roll_back_restores_redo,
        P05_an_empty_transaction_changes_nothing,
        P05_what_waited_before_a_transaction_happens_after_its_commit,
        P05_undo_inside_stops_at_the_beginning,
        P05_only_the_outermost_commit_makes_a_chain,
        P05_a_transaction_longer_than_the_journal_is_one_chain,
        P05_no_saving_and_seeking_inside,
        T07_a_roll_back_restores_the_delay,
        T05_a_failing_event_inside_is_taken_back_alone,
        T05_a_submit_that_failed_is_told_first,
        T10_a_runaway_inside_ends_before_its_input,
        T10_a_commit_does_not_hide_where_an_input_began,
        T10_a_runaway_in_a_transaction_whose_beginning_is_lost,
        P05_a_transaction_whose_beginning_is_lost_keeps_nothing_of_what_was_before,
        P06_a_fork_reacts_to_all_since_a_deferred_transaction_whose_beginning_is_lost,
        P05_transactions_nest_inside_one_do,
        P05_a_roll_back_in_do_restores_the_random_numbers,
        P05_limits_count_what_stays,
        P05_a_transaction_left_open_in_do_is_misuse,
        P05_do_ends_only_what_it_began,
        without_memory_nothing_is_begun_and_nothing_lost,
        without_memory_for_what_redo_can_bring_back_nothing_is_begun,
        P05_a_commit_leaves_what_was_undone_inside,
        P05_a_roll_back_drops_what_was_undone_inside,
        P06_what_reactions_submit_at_a_commit_counts_by_itself,
        P06_what_reactions_submit_at_a_commit_that_fails_does_not_count,
        T10_a_runaway_behind_a_commit_ends_where_the_transaction_began,
        T10_a_runaway_behind_a_commit_that_failed_ends_before_its_input,
        T06_what_was_submitted_before_a_transaction_in_do_is_overridden_behind_it,
        P05_only_flags_that_there_are_begin_a_transaction,
        without_memory_a_do_with_transactions_is_taken_back,
        P05_redo_inside_needs_no_memory_for_what_waited,
        a_timeline_can_be_destroyed_with_transactions_open,
    };
    return run_suite("transactions", tests, sizeof tests / sizeof *tests);
}
