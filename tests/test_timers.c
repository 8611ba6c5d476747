// When timed events happen, from where they may be timed, and how many.

#include "crawl_help.h"
#include "suite.h"

// --- When they happen ------------------------------------------------------------------------------------------------

START_TEST(H07_doors_open_after_20_turns)
{
    kifu_timeline *crawl = crawl_new(NULL);
    crawl_submit_e_build(crawl);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 3, 100);
    const crawl_state *state = crawl_get_state(crawl);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    must(crawl, kifu_set_action(crawl, hero, crawl_submit_p_pull(crawl, 0, hero, 20)));
    uint32_t from = kifu_event_count(crawl);
    while (state->turns.turn < 20)
        crawl_step(crawl, crawl_rest);
    ck_assert_int_eq(state->tiles[28], CRAWL_TILE_DOOR);
    ck_assert_uint_eq(timer_count(crawl), 1);
    crawl_until(crawl, crawl_rest, KIFU_TURN_BEGAN);
    ck_assert_uint_eq(state->turns.turn, 21);
    ck_assert_int_eq(state->tiles[28], CRAWL_TILE_FLOOR);
    ck_assert_uint_eq(timer_count(crawl), 0);
    kifu_event event = last_event(crawl);
    ck_assert_str_eq(event.name, "crawl.EOpenAll");
    ck_assert_uint_eq(event.cause, kifu_event_count(crawl) - 2);
    ck_assert(kifu_event_at(crawl, from + 1, &event));
    ck_assert_str_eq(event.name, "kifu.ESchedule");
    ck_assert_uint_eq(event.cause, from);
    must_replay(crawl);
    // One undo goes back to before the lever was pulled: all since was by those who decide for themselves.
    must(crawl, kifu_undo(crawl));
    ck_assert_uint_eq(kifu_event_count(crawl), from);
    ck_assert_uint_eq(timer_count(crawl), 0);
    must(crawl, kifu_redo(crawl));
    ck_assert_int_eq(state->tiles[28], CRAWL_TILE_FLOOR);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_they_happen_in_the_order_in_which_they_were_timed)
{
    kifu_timeline *crawl = crawl_new(NULL);
    bell_at(crawl, 1, 3, 0);
    bell_at(crawl, 2, 5, 0);
    bell_at(crawl, 3, 5, 0);
    bell_at(crawl, 4, 3, 0);
    must(crawl, kifu_run(crawl));
    go_to_turn(crawl, 3);
    ck_assert_str_eq(bells(crawl), "1 4");
    bell_at(crawl, 5, 5, 0); // In the slot of the first.
    bell_at(crawl, 6, 2, 0); // It is past: with the next.
    bell_at(crawl, 7, 0, 0);
    bell_at(crawl, 8, 3, 0); // This turn has begun.
    bell_at(crawl, 9, UINT32_MAX, 0);
    must(crawl, kifu_run(crawl));
    go_to_turn(crawl, 4);
    ck_assert_str_eq(bells(crawl), "1 4 6 7 8");
    go_to_turn(crawl, 5);
    ck_assert_str_eq(bells(crawl), "1 4 6 7 8 2 3 5");
    go_to_turn(crawl, 50);
    ck_assert_uint_eq(timer_count(crawl), 1);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_a_postponed_event_keeps_its_place)
{
    kifu_timeline *crawl = crawl_new(NULL);
    crawl_submit_e_bell(crawl, 1);
    kifu_ticket ticket = crawl_submit_p_bell(crawl, 3, 2);
    must(crawl, kifu_postpone(crawl, ticket, 1, 77));
    crawl_submit_e_bell(crawl, 3);
    kifu_event event;
    ck_assert_uint_eq(kifu_pending_count(crawl), 3);
    ck_assert(kifu_pending_at(crawl, 1, &event));
    ck_assert_str_eq(event.name, "kifu.ESchedule");
    ck_assert_int_eq(event.player, 3);
    ck_assert_int_eq(event.flags, KIFU_UNDOABLE); // A player decided it: undo stops there.
    const kifu_e_schedule *schedule = event.table;
    ck_assert_uint_eq(schedule->turn, 1);
    ck_assert_uint_eq(schedule->key, 77);
    ck_assert_int_eq(schedule->player, 3);
    ck_assert_uint_eq(schedule->type, CRAWL_P_BELL);
    must_refuse(crawl, kifu_postpone(crawl, ticket, 1, 77)); // It is not the last any more.
    must(crawl, kifu_override(crawl, ticket, true, true));   // It is the same proposal still.
    must(crawl, kifu_run(crawl));
    ticket = crawl_submit_e_bell(crawl, 4);
    must(crawl, kifu_override(crawl, ticket, true, false));
    must(crawl, kifu_postpone(crawl, ticket, 9, 77));
    must(crawl, kifu_run(crawl));
    ck_assert_int_eq(last_event(crawl).flags, KIFU_UNDOABLE);
    ck_assert_str_eq(bells(crawl), "1 3");
    go_to_turn(crawl, 1);
    ck_assert_str_eq(bells(crawl), "1 3 4002"); // By player 3.
    event = last_event(crawl);
    ck_assert_int_eq(event.player, 3);
    ck_assert_int_eq(event.flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO); // Undo does not stop where it happens.
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_checks_are_asked_when_it_happens)
{
    kifu_timeline *crawl = crawl_new(NULL);
    bell_at(crawl, 1, 1, 0);
    must(crawl, kifu_postpone(crawl, crawl_submit_p_bell(crawl, 0, 13), 1, 0)); // Rejected, then.
    bell_at(crawl, 2, 1, 0);
    must(crawl, kifu_run(crawl));
    go_to_turn(crawl, 1);
    ck_assert_str_eq(bells(crawl), "1 2");
    ck_assert_uint_eq(timer_count(crawl), 0);
    must(crawl, kifu_postpone(crawl, crawl_submit_p_bell(crawl, 0, 5), 2, 0));
    crawl_submit_e_end_game(crawl);
    must(crawl, kifu_run(crawl));
    go_to_turn(crawl, 3);
    ck_assert_str_eq(bells(crawl), "1 2");
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_a_cancelled_event_never_happens)
{
    kifu_timeline *crawl = crawl_new(NULL);
    for (uint32_t i = 0; i < 6; i++)
        bell_at(crawl, i, 3, i % 2);
    must(crawl, kifu_run(crawl));
    crawl_submit_e_cancel(crawl, 1);
    crawl_submit_e_cancel(crawl, 99);
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(timer_count(crawl), 3);
    must(crawl, kifu_undo(crawl) == KIFU_NOTHING_TO_UNDO ? KIFU_OK : KIFU_FAILED); // Engine events, all of them.
    go_to_turn(crawl, 3);
    ck_assert_str_eq(bells(crawl), "0 2 4");
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_too_many_timers_fail)
{
    kifu_timeline *crawl = crawl_new(NULL);
    for (uint32_t i = 0; i < 8; i++)
        bell_at(crawl, i, 2, 0);
    must(crawl, kifu_run(crawl));
    bell_at(crawl, 8, 2, 0);
    ck_assert_int_eq(kifu_run(crawl), KIFU_FAILED);
    must_say(crawl, "too many events are timed");
    go_to_turn(crawl, 2);
    ck_assert_str_eq(bells(crawl), "0 1 2 3 4 5 6 7");
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// --- From where ------------------------------------------------------------------------------------------------------

// Number 0: as it should be. The others are misuse.
static kifu_result postpone_in_do(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    kifu_ticket first = crawl_submit_e_bell(crawl, 1);
    kifu_ticket last = number == 1 ? crawl_submit_e_bell(crawl, 2) : first;
    kifu_ticket wrong = number == 2 ? 4711 : first;
    if (number == 3)
        *crawl_edit_words(crawl) = 1;
    kifu_result result = kifu_postpone(crawl, wrong, 2, 0);
    must_be(kifu_is_replaying(crawl) || (result == KIFU_OK) == (number != 1 && number != 2));
    (void)last;
    return KIFU_OK;
}

static kifu_result react(void *context, kifu_timeline *crawl, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    if (event->type == CRAWL_E_BELL)
        return kifu_postpone(crawl, crawl_submit_e_any(crawl, 0, 15), 3, 5);
    return KIFU_OK;
}

static void tell(void *context, kifu_timeline *crawl, const kifu_outcome *outcome)
{
    kifu_ticket *other = context;
    ck_assert_int_eq(outcome->result, KIFU_OK);
    ck_assert_uint_eq(outcome->type, CRAWL_E_SCHEDULE);
    must(crawl, kifu_postpone(crawl, crawl_submit_e_bell(crawl, 9), 2, 0));
    must_refuse(crawl, kifu_postpone(crawl, *other, 3, 0)); // It is not the last one any more.
}

// A check that has it later.
static kifu_verdict not_now(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    if (number != 6)
        return kifu_accept();
    kifu_ticket ticket = crawl_submit_p_any(crawl, 0, actor, 7, 15);
    ck_assert_int_eq(kifu_postpone(crawl, ticket, 1, 0), KIFU_OK);
    return kifu_instead(ticket);
}

START_TEST(H07_from_do_a_check_a_reaction_and_a_follower)
{
    kifu_timeline *crawl = crawl_new(NULL);
    must(crawl, crawl_do(crawl, postpone_in_do, KIFU_NO_HANDLE, 0));
    ck_assert_uint_eq(timer_count(crawl), 1);
    must(crawl, kifu_observe(crawl, &(kifu_observer){.react = react, .type = CRAWL_E_BELL}));
    kifu_ticket ticket = crawl_submit_e_bell(crawl, 4);
    must(crawl, kifu_postpone(crawl, ticket, 1, 0));
    kifu_ticket other = crawl_submit_e_cancel(crawl, 1000);
    must(crawl, kifu_follow(crawl, ticket, tell, &other));
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(timer_count(crawl), 3);
    go_to_turn(crawl, 2);
    ck_assert_str_eq(bells(crawl), "4 1 9");
    ck_assert_uint_eq(timer_count(crawl), 3); // Of the reactions.
    go_to_turn(crawl, 3);
    test_hooks.in_check = not_now;
    uint32_t from = kifu_event_count(crawl);
    crawl_submit_p_any(crawl, 0, KIFU_NO_HANDLE, 6, 15);
    must(crawl, kifu_run(crawl));
    ck_assert_str_eq(crawl_log(crawl, from), "ESchedule");
    go_to_turn(crawl, 4);
    ck_assert_uint_eq(last_event(crawl).type, CRAWL_P_ANY);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

static void postpone_in_listener(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)state;
    (void)change;
    kifu_timeline *crawl = *(kifu_timeline **)context;
    ck_assert_ptr_eq(crawl, timeline);
    ck_assert_int_eq(kifu_postpone(crawl, 1, 1, 1), KIFU_MISUSE);
}

START_TEST(H07_misuse_is_told)
{
    kifu_timeline *crawl = crawl_new(NULL);
    must_refuse(crawl, kifu_postpone(crawl, 4711, 1, 1));
    must_say(crawl, "ticket 4711 is not of the event that was submitted last");
    must(crawl, kifu_postpone(crawl, 0, 1, 1)); // A submit in a replay.
    kifu_ticket first = crawl_submit_e_bell(crawl, 1);
    crawl_submit_e_bell(crawl, 2);
    must_refuse(crawl, kifu_postpone(crawl, first, 1, 1));
    must(crawl, kifu_run(crawl)); // Both happen now.
    ck_assert_str_eq(bells(crawl), "1 2");
    const uint32_t events = kifu_event_count(crawl);
    for (int32_t number = 1; number <= 2; number++) { // In Do it fails, whatever Do makes of it.
        ck_assert_int_eq(crawl_do(crawl, postpone_in_do, KIFU_NO_HANDLE, number), KIFU_MISUSE);
        ck_assert_uint_eq(kifu_event_count(crawl), events);
        ck_assert_uint_eq(kifu_pending_count(crawl), 0);
    }
    // What cannot be recorded is told at once, and waits as it was.
    const crawl_kind wrong = (crawl_kind)9;
    kifu_ticket ticket = crawl_submit_e_words(crawl, &(crawl_e_words_args){.far = 1, .title = "x", .kind = wrong});
    ck_assert_int_eq(kifu_postpone(crawl, ticket, 1, 1), KIFU_INVALID_EVENT);
    ck_assert_uint_eq(kifu_pending_count(crawl), 1);
    ck_assert_int_eq(kifu_run(crawl), KIFU_INVALID_EVENT);
    must(crawl, kifu_observe(crawl, &(kifu_observer){.listen = postpone_in_listener, .size = 1000, .context = &crawl}));
    crawl_submit_e_bell(crawl, 3);
    must_refuse(crawl, kifu_run(crawl));
    kifu_destroy(crawl);
}
END_TEST

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

// --- How many --------------------------------------------------------------------------------------------------------

static kifu_result rings(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    for (int32_t i = 0; i < number; i++)
        crawl_submit_e_bell(crawl, (uint32_t)i);
    return KIFU_OK;
}

// Eight timers for the next game turn, each with `number` consequences, behind a player's event.
static kifu_timeline *eight_timers(const kifu_options *options, int32_t number)
{
    kifu_timeline *crawl = crawl_new(options);
    crawl_submit_p_any(crawl, 0, 0, 0, crawl_what(rings));
    for (int i = 0; i < 8; i++)
        must(crawl, kifu_postpone(crawl, crawl_submit_e_any(crawl, number, crawl_what(rings)), 1, 0));
    must(crawl, kifu_run(crawl));
    crawl_submit_e_begin_turn(crawl);
    return crawl;
}

static const kifu_options at_most_three = {.max_consequences = 3, .user = &test_hooks};

START_TEST(F18_each_timed_event_has_consequences_of_its_own)
{
    kifu_timeline *crawl = eight_timers(&at_most_three, 3);
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, 24);
    must_replay(crawl);
    kifu_destroy(crawl);

    // What is not honest is taken back whole.
    crawl = eight_timers(&at_most_three, 4);
    const uint32_t before = kifu_event_count(crawl);
    ck_assert_int_eq(kifu_run(crawl), KIFU_RUNAWAY);
    ck_assert_uint_eq(kifu_event_count(crawl), before);
    ck_assert_uint_eq(timer_count(crawl), 8);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(F18_also_after_a_load_or_redo_in_the_middle_of_the_turn)
{
    for (uint32_t steps = 1; steps < 33; steps++) {
        kifu_timeline *crawl = eight_timers(&at_most_three, 3);
        for (uint32_t i = 0; i < steps; i++)
            must(crawl, kifu_step(crawl));
        ck_assert_uint_eq(kifu_pending_count(crawl), steps < 9 ? 8 - (steps - 1) + 3 * (steps - 1) : 33 - steps);
        kifu_timeline *loaded = reload(crawl, &at_most_three);
        must(loaded, kifu_run(loaded));
        ck_assert_uint_eq(crawl_get_state(loaded)->bell_count, 24);
        kifu_destroy(loaded);
        must(crawl, kifu_undo(crawl));
        ck_assert_uint_eq(timer_count(crawl), 0);
        must(crawl, kifu_redo(crawl));
        must(crawl, kifu_run(crawl));
        ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, 24);
        kifu_destroy(crawl);

        crawl = eight_timers(&at_most_three, 4);
        for (uint32_t i = 0; i < steps && i < 6; i++)
            must(crawl, kifu_step(crawl));
        loaded = reload(crawl, &at_most_three);
        ck_assert_int_eq(kifu_run(loaded), KIFU_RUNAWAY);
        kifu_destroy(loaded);
        kifu_destroy(crawl);
    }
}
END_TEST

static kifu_result fails(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    (void)number;
    return kifu_fail(crawl, "not now");
}

START_TEST(F18_what_failed_in_the_turn_is_not_counted_after_a_redo)
{
    static const kifu_result results[] = {[6] = KIFU_OK, [7] = KIFU_RUNAWAY}; // 3 of the turn's and 3 of the timer's.
    for (int32_t number = 6; number <= 7; number++) {
        kifu_timeline *crawl = crawl_new(&at_most_three);
        crawl_submit_p_any(crawl, 0, 0, 0, crawl_what(rings));
        must(crawl, kifu_postpone(crawl, crawl_submit_e_any(crawl, 0, crawl_what(fails)), 1, 0));
        must(crawl, kifu_postpone(crawl, crawl_submit_e_any(crawl, number, crawl_what(rings)), 1, 0));
        must(crawl, kifu_run(crawl));
        crawl_submit_e_begin_turn(crawl);
        must(crawl, kifu_step(crawl));
        ck_assert_int_eq(kifu_step(crawl), KIFU_FAILED);
        must(crawl, kifu_undo(crawl));
        must(crawl, kifu_redo(crawl));
        ck_assert_int_eq(kifu_run(crawl), results[number]);
        kifu_destroy(crawl);
    }
}
END_TEST

static kifu_result begin_turn(void *context, kifu_timeline *crawl, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    (void)event;
    crawl_submit_e_begin_turn(crawl);
    return KIFU_OK;
}

START_TEST(F18_what_the_input_itself_timed_has_no_consequences_of_its_own)
{
    static const kifu_result results[] = {[1] = KIFU_OK, [2] = KIFU_RUNAWAY}; // The turn, what was timed, one bell.
    for (int32_t number = 1; number <= 2; number++) {
        kifu_timeline *crawl = crawl_new(&at_most_three);
        must(crawl, kifu_observe(crawl, &(kifu_observer){.react = begin_turn, .type = CRAWL_E_SCHEDULE}));
        must(crawl, kifu_postpone(crawl, crawl_submit_e_any(crawl, number, crawl_what(rings)), 1, 0));
        ck_assert_int_eq(kifu_run(crawl), results[number]);
        kifu_destroy(crawl);
    }
}
END_TEST

static kifu_result times_itself(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    const uint32_t turn = crawl_get_state(crawl)->turns.turn;
    kifu_result result = kifu_postpone(crawl, crawl_submit_e_any(crawl, number, (uint8_t)number), turn + 1, 0);
    crawl_submit_e_begin_turn(crawl);
    return result;
}

START_TEST(F18_a_timed_event_that_begins_turns_for_itself_comes_to_an_end)
{
    kifu_timeline *crawl = crawl_new(&at_most_three);
    const uint8_t what = crawl_what(times_itself);
    must(crawl, kifu_postpone(crawl, crawl_submit_e_any(crawl, what, what), 1, 0));
    must(crawl, kifu_run(crawl));
    crawl_submit_e_begin_turn(crawl);
    ck_assert_int_eq(kifu_run(crawl), KIFU_RUNAWAY);
    kifu_destroy(crawl);
}
END_TEST

static kifu_result do_nothing(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)crawl;
    (void)actor;
    (void)number;
    return KIFU_OK;
}

static kifu_result again_and_again(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    crawl_submit_e_any(crawl, number, crawl_what(again_and_again));
    return KIFU_OK;
}

// Nothing of what an input led to was fired by a timer.
START_TEST(T10_a_fork_of_a_game_with_turns_and_no_timers_counts_consequences)
{
    kifu__turn_rules turns = *crawl_rules.turns;
    turns.timers = NULL;
    kifu_rules rules = crawl_rules;
    rules.turns = &turns;
    const kifu_options options = {.max_consequences = 10, .user = &test_hooks};
    kifu_timeline *crawl;
    ck_assert_int_eq(kifu_create(&rules, &options, &crawl, NULL), KIFU_OK);
    must(crawl, crawl_do(crawl, do_nothing, KIFU_NO_HANDLE, 0));
    crawl_submit_p_any(crawl, 0, KIFU_NO_HANDLE, 1, crawl_what(again_and_again));
    for (int i = 0; i < 6; i++)
        must(crawl, kifu_step(crawl));
    kifu_timeline *fork = fork_of(crawl, KIFU_PRESENT, NULL);
    for (int i = 0; i < 4; i++)
        must(fork, kifu_step(fork));
    ck_assert_int_eq(kifu_step(fork), KIFU_RUNAWAY);
    must_say(fork, "the input had more than 10 consequences");
    ck_assert_uint_eq(kifu_event_count(fork), 1);
    kifu_destroy(fork);
    kifu_destroy(crawl);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        H07_doors_open_after_20_turns,
        H07_they_happen_in_the_order_in_which_they_were_timed,
        H07_a_postponed_event_keeps_its_place,
        H07_checks_are_asked_when_it_happens,
        H07_a_cancelled_event_never_happens,
        H07_too_many_timers_fail,
        H07_from_do_a_check_a_reaction_and_a_follower,
        H07_misuse_is_told,
        H07_what_waited_before_a_transaction_is_not_postponed_in_it,
        H07_what_another_event_submitted_is_not_postponed,
        F18_each_timed_event_has_consequences_of_its_own,
        F18_also_after_a_load_or_redo_in_the_middle_of_the_turn,
        F18_what_failed_in_the_turn_is_not_counted_after_a_redo,
        F18_what_the_input_itself_timed_has_no_consequences_of_its_own,
        F18_a_timed_event_that_begins_turns_for_itself_comes_to_an_end,
        T10_a_fork_of_a_game_with_turns_and_no_timers_counts_consequences,
    };
    return run_suite("timers", tests, sizeof tests / sizeof *tests);
}
