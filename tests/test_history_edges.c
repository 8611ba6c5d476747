// What only odd sequences show: callbacks that look at the past while it is being left, calls between a failure and
// what puts it right, many transactions at once.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "suite.h"

// --- Looking at the past from a callback -----------------------------------------------------------------------------

// Events with a transaction inside, more of them than the journal reaches back.
static kifu_timeline *long_game(const kifu_options *options)
{
    kifu_timeline *lab = lab_new(options);
    for (int i = 0; i < 3000; i++)
        lab_do(lab, 0, "b+c", 1);
    must(lab, kifu_run(lab));
    return lab;
}

// A listener that asks for a state which only a replay can tell, when an event is taken back.
static void look_back(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)state;
    lab_state then;
    if (!change->undone)
        return;
    must_be(!kifu_state_at(timeline, 10, &then, sizeof then));
    must_be(then.total == 10);
    ++*(unsigned *)context;
}

START_TEST(P04_a_listener_may_look_at_the_past_while_events_are_taken_back)
{
    for (int roll_back = 0; roll_back < 2; roll_back++) {
        follower eye;
        unsigned looks = 0;
        kifu_timeline *lab = long_game(NULL);
        must(lab, kifu_observe(lab, &(kifu_observer){.listen = look_back,
                                                     KIFU_PART(lab_state, total),
                                                     .rank = KIFU_RANK_INTERNAL,
                                                     .context = &looks}));
        follow_state(&eye, lab);
        if (roll_back)
            must(lab, kifu_begin(lab, 0));
        must(lab, lab_play(lab, "1+"));
        must_have_followed(&eye, lab);
        lab_picture before = lab_look(lab);
        must(lab, lab_play(lab, "2+"));
        must(lab, kifu_undo(lab));
        must_have_followed(&eye, lab);
        lab_same(lab, &before);
        must(lab, kifu_redo(lab));
        must_have_followed(&eye, lab);
        must(lab, roll_back ? kifu_roll_back(lab) : kifu_undo(lab));
        must_have_followed(&eye, lab);
        ck_assert_uint_ge(looks, 2);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(P05_many_transactions_roll_back_while_a_listener_looks_at_the_past)
{
    unsigned looks = 0;
    test_memory memory = {.until_failure = -1}; // Blocks that grow move.
    kifu_timeline *lab = long_game(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = look_back,
                                                 KIFU_PART(lab_state, total),
                                                 .rank = KIFU_RANK_INTERNAL,
                                                 .context = &looks}));
    for (int open = 1; open < 70; open++) {
        lab_picture before = lab_look(lab);
        must(lab, kifu_begin(lab, 0));
        must(lab, lab_play(lab, "+1"));
        must(lab, kifu_roll_back(lab));
        lab_same(lab, &before);
        must(lab, kifu_begin(lab, 0));
    }
    ck_assert_uint_eq(looks, 69);
    kifu_destroy(lab);
}
END_TEST

// --- Misuse by a listener --------------------------------------------------------------------------------------------

static void undo_it(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    (void)state;
    (void)change;
    kifu_undo(*(kifu_timeline **)context);
}

START_TEST(P02_misuse_by_a_listener_is_no_failure_of_the_events_that_are_redone)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "+(+)(+)"));
    lab_picture after = lab_look(lab);
    must(lab, kifu_undo(lab));
    must(lab,
         kifu_observe(lab, &(kifu_observer){.listen = undo_it, KIFU_PART(lab_state, total), .context = (void *)&lab}));
    must_refuse(lab, kifu_redo(lab));
    must_say(lab, "kifu_undo was called while an event runs");
    lab_same(lab, &after);
    kifu_destroy(lab);
}
END_TEST

// --- Time for what is shown ------------------------------------------------------------------------------------------

static void hold(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)context;
    (void)state;
    (void)change;
    kifu_hold(timeline, 0.5);
}

START_TEST(P02_a_listener_holds_in_a_roll_back_too)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = hold, KIFU_PART(lab_state, total)}));
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_roll_back(lab));
    ck_assert(kifu_delay(lab) == 0.5);
    kifu_destroy(lab);
}
END_TEST

START_TEST(T07_a_seek_keeps_the_delay_of_the_present_for_it)
{
    unsigned shown = 0;
    const lab_view view = {.base = {.context = &shown}, .act_p_do = lab_takes_time};
    kifu_timeline *lab = lab_new(&(kifu_options){.view = &view.base});
    lab_do(lab, 0, "+", 1);
    must(lab, kifu_update(lab, 0));
    ck_assert(kifu_delay(lab) == 1.5);
    must(lab, kifu_seek(lab, 0));
    ck_assert(kifu_delay(lab) == 0);
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    ck_assert(kifu_delay(lab) == 1.5);
    kifu_destroy(lab);
}
END_TEST

START_TEST(V03_who_goes_elsewhere_does_not_wait_for_what_was_shown)
{
    unsigned shown = 0;
    const lab_view view = {.base = {.context = &shown}, .act_p_do = lab_takes_time};
    kifu_timeline *lab = lab_new(&(kifu_options){.view = &view.base});
    lab_do(lab, 0, "+", 1);
    must(lab, kifu_update(lab, 0));
    ck_assert(kifu_delay(lab) == 1.5);
    must(lab, kifu_go_to(lab, 0, 0, false));
    ck_assert(kifu_delay(lab) == 0);
    kifu_destroy(lab);
}
END_TEST

// --- A way that ends -------------------------------------------------------------------------------------------------

// It stands for a model that has nothing in it.
static void empty(void *context)
{
    (void)context;
}

// 1: it is refused something, and goes on. 2: it fails where the test wants it to.
static kifu_result refused_or_fails(void *context, kifu_timeline *cards, const cards_p_any *any)
{
    if (any->number == 1)
        must_be(kifu_override(cards, 1000000, false, false) == KIFU_MISUSE);
    return any->number == 2 && *(const bool *)context ? kifu_fail(cards, "it fails now") : KIFU_OK;
}

// The model outside is made anew, for which the first event is executed again; it has an error of its own.
START_TEST(P02_a_redo_or_a_film_that_fails_says_why_whatever_the_way_back_is_refused)
{
    bool fails = false;
    cards_hooks hooks = {.context = &fails, .in_do = refused_or_fails};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks, .reset = empty});
    for (int number = 1; number <= 2; number++)
        cards_submit_p_any(cards, 0, number);
    must(cards, kifu_run(cards));
    must(cards, kifu_undo(cards));
    fails = true;
    ck_assert_int_eq(kifu_redo(cards), KIFU_FAILED);
    must_say(cards, "event 3 (cards.PAny) could not be replayed: it fails now");
    fails = false;
    must(cards, kifu_redo(cards));
    must(cards, kifu_seek(cards, 2));
    must(cards, kifu_play(cards, 1));
    fails = true;
    ck_assert_int_eq(kifu_update(cards, 1), KIFU_FAILED);
    must_say(cards, "event 3 (cards.PAny) could not be replayed: it fails now");
    ck_assert_uint_eq(kifu_position(cards), 3);
    ck_assert_int_eq(kifu_seek(cards, KIFU_PRESENT), KIFU_FAILED);
    must_say(cards, "event 3 (cards.PAny) could not be replayed: it fails now");
    kifu_destroy(cards);
}
END_TEST

START_TEST(M08_V03_a_way_that_fails_says_why_whatever_the_way_back_is_refused)
{
    bool fails = false;
    cards_hooks hooks = {.context = &fails, .in_do = refused_or_fails};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks, .keep_variations = kifu_keep_variations});
    for (int number = 1; number <= 2; number++)
        cards_submit_p_any(cards, 0, number);
    must(cards, kifu_run(cards));
    must(cards, kifu_go_to(cards, 0, 2, false));
    cards_submit_p_any(cards, 1, 1);
    must(cards, kifu_run(cards));
    fails = true;
    ck_assert_int_eq(kifu_go_to(cards, 0, 4, false), KIFU_FAILED);
    must_say(cards, "event 3 (cards.PAny) could not be replayed: it fails now");
    ck_assert_uint_eq(kifu_current_line(cards), 1);
    ck_assert_uint_eq(kifu_event_count(cards), 3);
    kifu_destroy(cards);
}
END_TEST

static void play_any(kifu_timeline *cards, int number)
{
    cards_submit_p_any(cards, 0, number);
    must(cards, kifu_run(cards));
}

// Numbers above 2 fail where the test wants it.
static kifu_result fails_from_3(void *context, kifu_timeline *cards, const cards_p_any *any)
{
    return any->number > 2 && *(const bool *)context ? kifu_fail(cards, "it fails now") : KIFU_OK;
}

// The way back fails, too, at a place where so much waits that there is no memory for it: it waits there still.
START_TEST(M08_V03_what_waits_where_the_way_back_ends_is_not_lost_without_memory)
{
    enum { WAITING = 2000, NONE_WAITS = 5, ENDS = 4 };
    bool fails = false;
    cards_hooks hooks = {.context = &fails, .in_do = fails_from_3};
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.user = &hooks,
                                  .keep_variations = kifu_keep_variations,
                                  .quiet = true,
                                  .allocate = test_allocate,
                                  .allocate_context = &memory};
    kifu_timeline *cards = cards_new(&options), *loaded;
    play_any(cards, 1);
    play_any(cards, 2);
    play_any(cards, 3); // Line 0: events 2, 3 and 4.
    must(cards, kifu_undo(cards));
    for (int i = 0; i < WAITING; i++)
        cards_submit_p_any(cards, 0, 1);
    must(cards, kifu_go_to(cards, 0, 2, false));
    play_any(cards, 4); // Line 1.
    must(cards, kifu_go_to(cards, 0, NONE_WAITS, false));
    unsigned char *bytes;
    size_t size;
    must(cards, kifu_save_to_memory(cards, NULL, &bytes, &size));
    unsigned refused = 0;
    for (long n = 0, more = 1; more; n++) {
        kifu_error error;
        ck_assert_msg(!kifu_load_from_memory(&cards_rules, bytes, size, &options, NULL, &loaded, &error), "%s",
                      error.message);
        must(loaded, kifu_go_to(loaded, 1, 3, false)); // So it is compared.
        must(loaded, kifu_go_to(loaded, 0, NONE_WAITS, false));
        fails = true;
        memory.until_failure = n;
        memory.failed = false;
        const kifu_result result = kifu_go_to(loaded, 1, 3, false);
        memory.until_failure = -1;
        more = memory.failed;
        fails = false;
        must_be(result == KIFU_FAILED || (more && result == KIFU_NO_MEMORY));
        if (kifu_event_count(loaded) == ENDS && !kifu_pending_count(loaded)) {
            refused++;
            must(loaded, kifu_redo(loaded));
            must(loaded, kifu_go_to(loaded, 0, ENDS - 1, false));
            must(loaded, kifu_redo(loaded));
        }
        if (kifu_event_count(loaded) == ENDS)
            ck_assert_uint_eq(kifu_pending_count(loaded), WAITING);
        kifu_destroy(loaded);
    }
    ck_assert_uint_gt(refused, 0);
    kifu_free_bytes(cards, bytes);
    kifu_destroy(cards);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// --- Triggers that waited --------------------------------------------------------------------------------------------

static kifu_result count_change(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                const kifu_change *change)
{
    (void)timeline;
    (void)state;
    (void)event;
    must_be(*(const int64_t *)change->after == *(const int64_t *)change->before + 1);
    ++*(unsigned *)context;
    return KIFU_OK;
}

START_TEST(P06_a_commit_reacts_to_each_of_thousands_of_events_after_an_undo)
{
    const kifu_options outside = {.reset = empty};
    for (int kind = 0; kind < 2; kind++) {
        unsigned changes = 0;
        kifu_timeline *lab = lab_new(kind ? &outside : NULL);
        must(lab, kifu_observe(lab, &(kifu_observer){
                                        .trigger = count_change, KIFU_PART(lab_state, total), .context = &changes}));
        must(lab, kifu_begin(lab, KIFU_DEFERRED));
        for (int i = 0; i < 3000; i++)
            lab_do(lab, 0, "+", 1);
        must(lab, kifu_run(lab));
        must(lab, kifu_undo(lab));
        must(lab, kifu_commit(lab));
        ck_assert_uint_eq(changes, 2999);
        kifu_destroy(lab);
    }
}
END_TEST

// --- Messages --------------------------------------------------------------------------------------------------------

START_TEST(U12_undo_in_a_search_says_how_to_leave_it)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_begin(lab, KIFU_SEARCH));
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOT_UNDOABLE);
    must_say(lab, "where a search began, or a transaction in one: end that first");
    must(lab, kifu_roll_back(lab));
    must(lab, kifu_begin(lab, 0));
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOT_UNDOABLE);
    must_say(lab, "roll it back");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_a_do_function_that_ends_what_it_did_not_begin_is_told_so)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int kind = 0; kind < 4; kind++) {
        if (kind == 2)
            must(lab, kifu_begin(lab, 0));
        ck_assert_int_eq(lab_play(lab, kind % 2 ? "k" : "c"), KIFU_MISUSE);
        must_say(lab, kind % 2 ? "kifu_roll_back" : "kifu_commit");
        must_say(lab, "begun");
    }
    ck_assert_uint_eq(kifu_open_transactions(lab), 1);
    kifu_destroy(lab);
}
END_TEST

static void ask_wrongly(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)outcome;
    ck_assert_int_eq(kifu_state_at(timeline, 99, context, sizeof(lab_state)), KIFU_MISUSE);
}

START_TEST(U02_what_the_view_asks_does_not_hide_why_an_event_was_rejected)
{
    lab_state then;
    const lab_view view = {.base = {.context = &then, .rejected = ask_wrongly}};
    const kifu_options options = {.view = &view.base};
    kifu_timeline *lab = lab_new(&options);
    ck_assert_int_eq(lab_play(lab, "!"), KIFU_REJECTED);
    ck_assert_int_eq(kifu_last_error(lab)->result, KIFU_REJECTED);
    must_say(lab, "forbidden by its first letter");
    kifu_destroy(lab);
}
END_TEST

// --- Listeners of a timeline that has a past
// --------------------------------------------------------------------------

static follower prepared;

static kifu_result prepare(kifu_timeline *timeline)
{
    follow_state(&prepared, timeline);
    return KIFU_OK;
}

START_TEST(P02_a_listener_that_prepare_added_knows_the_state_of_a_load_and_of_a_fork)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1+2"));
    for (int way = 0; way < 6; way++) {
        const bool quiet = way % 2;
        const kifu_options options = {.prepare = prepare, .quiet = quiet};
        kifu_timeline *each = way < 4 ? reload_fast(lab, &options, way / 2 == 1) : fork_of(lab, KIFU_PRESENT, &options);
        if (!quiet) // It is drawn anew.
            memcpy(prepared.state, kifu_state(each), prepared.size);
        kifu_set_quiet(each, false);
        must(each, lab_play(each, "+"));
        must_have_followed(&prepared, each);
        ck_assert_uint_eq(prepared.calls, 1);
        kifu_destroy(each);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(S03_a_submit_into_the_past_does_not_harm_a_save)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_seek(lab, 1));
    lab_do(lab, 0, "3", 1);
    kifu_timeline *loaded = reload(lab, NULL);
    ck_assert_str_eq(lab_trace(loaded), "12");
    ck_assert_uint_eq(kifu_position(lab), 1);
    must_refuse(lab, kifu_run(lab));
    must_say(lab, "lab.PDo was submitted while the past is shown");
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

START_TEST(P05_transactions_that_end_redo_cost_no_more_memory_than_their_events)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 300; i++) {
        must(lab, lab_play(lab, "+"));
        must(lab, lab_play(lab, "-"));
        must(lab, kifu_undo(lab));
        must(lab, kifu_begin(lab, 0));
        must(lab, lab_play(lab, "-"));
        must(lab, kifu_commit(lab));
    }
    ck_assert_uint_eq(kifu_event_count(lab), 600);
    ck_assert_uint_lt(memory.bytes, 1000000);
    kifu_destroy(lab);
}
END_TEST

// --- A Do function of a later version
// ---------------------------------------------------------------------------------

static kifu_result leave_open(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                              uint32_t *done)
{
    kifu__core *core = (kifu__core *)timeline;
    kifu_result result = KIFU_OK;
    for (*done = 0; *done < run->count && !result; ++*done) {
        kifu__run one = {run->types + *done, run->offsets + *done, 1, run->first + *done};
        uint32_t ignored = 0;
        result = lab_rules.replay(timeline, &one, state, transient, &ignored);
        if (core->event == 5)
            result = kifu_begin(timeline, 0);
    }
    return result;
}

START_TEST(P05_a_transaction_left_open_in_a_replay_is_told_of_the_event_that_began_it)
{
    kifu_rules rules = lab_rules;
    rules.replay = leave_open;
    const kifu_options options = {.keyframe_bytes = 1};
    kifu_timeline *lab;
    lab_state then;
    ck_assert_int_eq(kifu_create(&rules, &options, &lab, NULL), KIFU_OK);
    for (int i = 0; i < 4000; i++)
        lab_do(lab, 0, "+", 1);
    must(lab, kifu_run(lab));
    ck_assert_int_eq(kifu_state_at(lab, 100, &then, sizeof then), KIFU_FAILED);
    ck_assert_uint_eq(kifu_last_error(lab)->event, 5);
    must_say(lab, "event 5 (lab.PDo)");
    must_say(lab, "began a transaction and did not end it");
    ck_assert_int_eq(kifu_seek(lab, 1900), KIFU_FAILED); // most of it without a journal
    must_say(lab, "event 5 (lab.PDo)");
    ck_assert_uint_eq(kifu_position(lab), 5);
    ck_assert_int_eq(lab_get_state(lab)->total, 5);
    kifu_destroy(lab);
}
END_TEST

// The events of a new line fail together, when the line that was left for it is gone.
START_TEST(M08_V03_from_a_line_that_fails_no_way_leads_to_a_deleted_one)
{
    kifu_timeline *lab =
        lab_new(&(kifu_options){.keep_variations = kifu_keep_variations, .max_consequences = 2, .quiet = true});
    for (int i = 0; i < 2; i++) {
        lab_must(lab, lab_play(lab, i ? "2" : "1"));
        lab_must(lab, kifu_undo(lab));
    }
    lab_do(lab, 0, "((3)(4)(5))", 1);
    lab_must(lab, kifu_step(lab));
    ck_assert_uint_eq(kifu_current_line(lab), 2);
    lab_must(lab, kifu_delete_line(lab, 1));
    ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY);
    ck_assert_uint_eq(kifu_current_line(lab), 0);
    lab_must(lab, kifu_redo(lab));
    ck_assert_str_eq(lab_trace(lab), "1");
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P04_a_listener_may_look_at_the_past_while_events_are_taken_back,
        P05_many_transactions_roll_back_while_a_listener_looks_at_the_past,
        P02_misuse_by_a_listener_is_no_failure_of_the_events_that_are_redone,
        P02_a_listener_holds_in_a_roll_back_too,
        T07_a_seek_keeps_the_delay_of_the_present_for_it,
        V03_who_goes_elsewhere_does_not_wait_for_what_was_shown,
        P02_a_redo_or_a_film_that_fails_says_why_whatever_the_way_back_is_refused,
        M08_V03_a_way_that_fails_says_why_whatever_the_way_back_is_refused,
        M08_V03_what_waits_where_the_way_back_ends_is_not_lost_without_memory,
        P06_a_commit_reacts_to_each_of_thousands_of_events_after_an_undo,
        U12_undo_in_a_search_says_how_to_leave_it,
        P05_a_do_function_that_ends_what_it_did_not_begin_is_told_so,
        U02_what_the_view_asks_does_not_hide_why_an_event_was_rejected,
        P02_a_listener_that_prepare_added_knows_the_state_of_a_load_and_of_a_fork,
        S03_a_submit_into_the_past_does_not_harm_a_save,
        P05_transactions_that_end_redo_cost_no_more_memory_than_their_events,
        P05_a_transaction_left_open_in_a_replay_is_told_of_the_event_that_began_it,
        M08_V03_from_a_line_that_fails_no_way_leads_to_a_deleted_one,
    };
    return run_suite("history_edges", tests, sizeof tests / sizeof *tests);
}
