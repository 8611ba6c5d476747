// The turn loop, timers and followers where they meet transactions, searches and each other.

#include "crawl_help.h"
#include "suite.h"

// --- Postponing ------------------------------------------------------------------------------------------------------

static kifu_result postpone_in_transaction(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    kifu_ticket bell = crawl_submit_e_bell(crawl, 1);
    kifu_result result = kifu_begin(crawl, 0);
    if (!result)
        result = kifu_postpone(crawl, bell, 5, 0);
    if (result)
        return result;
    return number ? kifu_commit(crawl) : kifu_roll_back(crawl);
}

START_TEST(H07_what_waited_before_a_transaction_is_not_postponed_in_it)
{
    kifu_timeline *crawl = crawl_new(NULL);
    for (int32_t number = 0; number < 2; number++) {
        const uint32_t events = kifu_event_count(crawl);
        ck_assert_int_eq(crawl_do(crawl, postpone_in_transaction, KIFU_NO_HANDLE, number), KIFU_MISUSE);
        must_say(crawl, "kifu_postpone: ticket");
        ck_assert_uint_eq(kifu_event_count(crawl), events);
        ck_assert_uint_eq(kifu_pending_count(crawl), 0);
    }
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

static kifu_ticket kept;

static kifu_result keep_ticket(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    crawl_submit_e_any(crawl, number, (uint8_t)number);
    kept = crawl_submit_e_bell(crawl, 1);
    return KIFU_OK;
}

static kifu_result postpone_kept(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    (void)number;
    kifu_result result = kifu_postpone(crawl, kept, 5, 0);
    return result ? result : kifu_fail(crawl, "it is taken back");
}

START_TEST(H07_what_another_event_submitted_is_not_postponed)
{
    kifu_timeline *crawl = crawl_new(NULL);
    ck_assert_int_eq(crawl_do(crawl, keep_ticket, KIFU_NO_HANDLE, crawl_what(postpone_kept)), KIFU_MISUSE);
    must_say(crawl, "kifu_postpone: ticket");
    kifu_event event;
    ck_assert_uint_eq(kifu_pending_count(crawl), 1);
    ck_assert(kifu_pending_at(crawl, 0, &event));
    ck_assert_str_eq(event.name, "crawl.EBell");
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(crawl_get_state(crawl)->bells[0], 1);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// --- Followers -------------------------------------------------------------------------------------------------------

static void submit_and_override(void *context, kifu_timeline *crawl, const kifu_outcome *outcome)
{
    (void)outcome;
    kifu_ticket bell = crawl_submit_e_bell(crawl, 2);
    *(kifu_result *)context = kifu_override(crawl, bell, true, false);
}

START_TEST(H04_a_follower_overrides_what_it_submits)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_result result = KIFU_MISUSE;
    must(crawl, kifu_follow(crawl, crawl_submit_e_bell(crawl, 1), submit_and_override, &result));
    must(crawl, kifu_run(crawl));
    ck_assert_int_eq(result, KIFU_OK);
    ck_assert_uint_eq(kifu_can_undo(crawl, NULL), 1);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// --- The loop --------------------------------------------------------------------------------------------------------

static kifu_result never_ends(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    crawl_submit_e_any(crawl, number, (uint8_t)number);
    return KIFU_OK;
}

// Looks ahead with the loop itself, and does what never ends.
static kifu_ticket search_in_vain(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                                  uint32_t attempt)
{
    (void)state;
    (void)attempt;
    unsigned *asked = context;
    ++*asked;
    kifu_turn turn;
    must(crawl, kifu_begin(crawl, KIFU_SEARCH));
    for (int i = 0; i < 4; i++) {
        must(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
        must(crawl, kifu_run(crawl));
    }
    must(crawl, kifu_roll_back(crawl));
    const uint8_t what = crawl_what(never_ends);
    return crawl_submit_p_any(crawl, -1, actor, what, what);
}

START_TEST(L08_who_searches_with_the_loop_rests_at_last_too)
{
    const kifu_options options = {.max_consequences = 20};
    kifu_timeline *crawl = crawl_new(&options);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    crawl_add(crawl, CRAWL_KIND_RAT, 2, 1, 100);
    crawl_until(crawl, crawl_rest, KIFU_TURN_BEGAN);
    unsigned asked = 0;
    kifu_turn turn = {.status = KIFU_TURN_ACTED};
    for (int i = 0; i < 20 && turn.status == KIFU_TURN_ACTED; i++) {
        must(crawl, kifu_take_turn(crawl, search_in_vain, &asked, &turn));
        ck_assert_uint_eq(turn.actor, rat);
        ck_assert_int_eq(kifu_run(crawl), turn.status == KIFU_TURN_ACTED ? KIFU_RUNAWAY : KIFU_OK);
    }
    ck_assert_int_eq(turn.status, KIFU_TURN_RESTED);
    ck_assert_uint_eq(asked, 8);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// Blocks, and submits more than there may be.
static kifu_verdict block_and_submit(void *context, kifu_timeline *crawl, const void *state, kifu_proposed *proposed)
{
    (void)context;
    (void)state;
    (void)proposed;
    for (uint32_t i = 0; i < 30; i++)
        crawl_submit_e_bell(crawl, i);
    return kifu_reject("it is too loud");
}

static kifu_ticket do_without_end(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                                  uint32_t attempt)
{
    (void)state;
    (void)attempt;
    ++*(unsigned *)context;
    const uint8_t what = crawl_what(never_ends);
    return crawl_submit_p_any(crawl, -1, actor, what, what);
}

START_TEST(L08_what_a_hook_takes_back_counts_too)
{
    const kifu_options options = {.max_consequences = 20};
    kifu_timeline *crawl = crawl_new(&options);
    must(crawl, kifu_observe(crawl, &(kifu_observer){.hook = block_and_submit,
                                                     .type = CRAWL_E_ANY,
                                                     .scope = CRAWL_SCOPE_NUMBER,
                                                     .subject = KIFU_ANY_SUBJECT,
                                                     .name = "the bells",
                                                     .rank = KIFU_RANK_INTERNAL}));
    crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    crawl_until(crawl, crawl_rest, KIFU_TURN_BEGAN);
    unsigned asked = 0;
    kifu_turn turn = {.status = KIFU_TURN_ACTED};
    for (int i = 0; i < 20 && turn.status == KIFU_TURN_ACTED; i++) {
        must(crawl, kifu_take_turn(crawl, do_without_end, &asked, &turn));
        ck_assert_int_eq(kifu_run(crawl), turn.status == KIFU_TURN_ACTED ? KIFU_RUNAWAY : KIFU_OK);
    }
    ck_assert_int_eq(turn.status, KIFU_TURN_RESTED);
    ck_assert_uint_eq(asked, 8);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_what_cannot_be_read_is_told_after_a_search_too)
{
    kifu_timeline *crawl = crawl_new(NULL);
    const uint8_t bytes[8] = {0};
    crawl_submit_e_schedule(crawl, 1, 0, 200, -1, bytes, sizeof bytes); // A type that nobody knows.
    must(crawl, kifu_run(crawl));
    must(crawl, kifu_begin(crawl, KIFU_SEARCH));
    crawl_submit_e_begin_turn(crawl);
    ck_assert_int_eq(kifu_run(crawl), KIFU_FAILED);
    must(crawl, kifu_roll_back(crawl));
    crawl_submit_e_begin_turn(crawl);
    ck_assert_int_eq(kifu_run(crawl), KIFU_FAILED);
    must_say(crawl, "the event that event 1 timed cannot happen");
    crawl_submit_e_begin_turn(crawl);
    must(crawl, kifu_run(crawl));
    kifu_destroy(crawl);
}
END_TEST

// --- A model outside the state ---------------------------------------------------------------------------------------

static void count_redraw(void *context, kifu_timeline *crawl)
{
    (void)crawl;
    ++*(unsigned *)context;
}

// As if there were one.
static void reset(void *user)
{
    (void)user;
}

START_TEST(L05_a_model_that_an_alternate_has_made_anew_is_shown_anew)
{
    unsigned redraws = 0;
    const crawl_view view = {.base = {.context = &redraws, .redraw = count_redraw}};
    const kifu_options options = {.view = &view.base, .reset = reset};
    kifu_timeline *crawl = crawl_new(&options);
    crawl_submit_e_spawn(crawl, CRAWL_KIND_HERO, CRAWL_ITEM_POTION, 1, 1, 5, 100, 0);
    must(crawl, kifu_run(crawl));
    kifu_handle hero = crawl_who(crawl_get_state(crawl), 1, 1);
    const uint32_t from = kifu_event_count(crawl);
    crawl_submit_p_use(crawl, 0, hero);
    must(crawl, kifu_run(crawl));
    ck_assert_str_eq(crawl_log(crawl, from), "EDrink");
    ck_assert_uint_eq(redraws, 1);
    kifu_destroy(crawl);
}
END_TEST

// --- Verifying the rules ---------------------------------------------------------------------------------------------

static void ring_once_more(void *context, kifu_timeline *crawl, const kifu_outcome *outcome)
{
    (void)context;
    (void)outcome;
    crawl_submit_e_bell(crawl, 2);
}

static kifu_result follow_bell(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    (void)number;
    kifu_ticket bell = crawl_submit_e_bell(crawl, 1);
    return bell ? kifu_follow(crawl, bell, ring_once_more, NULL) : KIFU_OK;
}

START_TEST(H06_what_a_follower_submits_is_played_once)
{
    const kifu_options options = {.record_inputs = kifu_record_inputs};
    kifu_timeline *crawl = crawl_new(&options);
    for (int i = 0; i < 3; i++)
        must(crawl, crawl_do(crawl, follow_bell, KIFU_NO_HANDLE, 0));
    ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, 6);
    must(crawl, kifu_verify_rules(crawl, NULL, NULL, NULL));
    kifu_destroy(crawl);
}
END_TEST

// --- What is forgotten -----------------------------------------------------------------------------------------------

static void count_call(void *context, kifu_timeline *crawl, const kifu_outcome *outcome)
{
    (void)crawl;
    (void)outcome;
    ++*(unsigned *)context;
}

START_TEST(H08_who_follows_an_action_that_is_replaced_takes_no_room)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *crawl = crawl_new(&options);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    unsigned told = 0;
    long calls = 0;
    for (int i = 0; i < 500; i++) {
        if (i == 50)
            calls = memory.calls;
        kifu_ticket rest = crawl_submit_p_rest(crawl, 0, hero);
        must(crawl, kifu_follow(crawl, rest, count_call, &told));
        must(crawl, kifu_set_action(crawl, hero, rest));
    }
    ck_assert_int_eq(memory.calls, calls);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_ACTED);
    ck_assert_uint_eq(told, 1);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H04_undo_forgets_who_follows_an_action)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    unsigned told = 0;
    kifu_ticket rest = crawl_submit_p_rest(crawl, 0, hero);
    must(crawl, kifu_follow(crawl, rest, count_call, &told));
    must(crawl, kifu_set_action(crawl, hero, rest));
    must(crawl, kifu_begin(crawl, 0));
    crawl_submit_p_bell(crawl, 0, 1);
    must(crawl, kifu_run(crawl));
    must(crawl, kifu_undo(crawl));
    must(crawl, kifu_roll_back(crawl)); // It is set again, as an input would wait again.
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_ACTED);
    ck_assert_uint_eq(told, 0);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H04_what_was_followed_before_a_mark_is_told_when_it_really_happens)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    unsigned before = 0, within = 0;
    kifu_ticket move = crawl_submit_p_move(crawl, 0, hero, 1, 0);
    must(crawl, kifu_follow(crawl, move, count_call, &before));
    must(crawl, kifu_set_action(crawl, hero, move));
    for (unsigned i = 1; i <= 3; i++) { // Somebody searches, even with undo and what fails.
        must(crawl, kifu_begin(crawl, KIFU_SEARCH));
        ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_ACTED);
        if (i == 2)
            must(crawl, kifu_undo(crawl));
        must(crawl, kifu_begin(crawl, KIFU_SEARCH));
        must(crawl, kifu_follow(crawl, crawl_submit_e_bell(crawl, 1), count_call, &within));
        crawl_submit_e_open(crawl, hero, 64);
        must(crawl, kifu_step(crawl));
        ck_assert_int_eq(kifu_step(crawl), KIFU_FAILED);
        must(crawl, kifu_roll_back(crawl));
        must(crawl, kifu_roll_back(crawl));
        ck_assert_uint_eq(before, 0);
        ck_assert_uint_eq(within, i);
    }
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_ACTED);
    ck_assert_uint_eq(before, 1);
    kifu_destroy(crawl);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        H07_what_waited_before_a_transaction_is_not_postponed_in_it,
        H07_what_another_event_submitted_is_not_postponed,
        H04_a_follower_overrides_what_it_submits,
        L08_who_searches_with_the_loop_rests_at_last_too,
        L08_what_a_hook_takes_back_counts_too,
        H07_what_cannot_be_read_is_told_after_a_search_too,
        L05_a_model_that_an_alternate_has_made_anew_is_shown_anew,
        H06_what_a_follower_submits_is_played_once,
        H08_who_follows_an_action_that_is_replaced_takes_no_room,
        H04_undo_forgets_who_follows_an_action,
        H04_what_was_followed_before_a_mark_is_told_when_it_really_happens,
    };
    return run_suite("turns_edges", tests, sizeof tests / sizeof *tests);
}
