// Followers: whoever submitted something learns what became of it.

#include "corridor_help.h"
#include "suite.h"

START_TEST(H04_a_follower_learns_once_what_happened)
{
    kifu_timeline *corridor = corridor_new(NULL);
    told first, second;
    first.calls = second.calls = 0;
    const uint32_t from = kifu_event_count(corridor);
    kifu_ticket use = corridor_submit_p_use(corridor, 0, 0, 0), move = corridor_submit_p_move(corridor, 0, 0, 0);
    must(corridor, kifu_follow(corridor, move, keep_outcome, &second));
    must(corridor, kifu_follow(corridor, use, keep_outcome, &first));
    must(corridor, kifu_step(corridor));
    ck_assert(first.calls == 1 && second.calls == 0); // before its consequences
    ck_assert_uint_eq(kifu_event_count(corridor), from + 1);
    ck_assert(first.outcome.ticket == use && first.outcome.event == from && first.outcome.type == CORRIDOR_P_USE);
    must(corridor, kifu_run(corridor));
    ck_assert(first.calls == 1 && second.calls == 1);
    ck_assert(second.outcome.ticket == move && second.outcome.event == from + 2);
    ck_assert_uint_eq(second.outcome.type, CORRIDOR_P_REST);
    must(corridor, kifu_undo(corridor));
    must(corridor, kifu_redo(corridor));
    ck_assert(first.calls == 1 && second.calls == 1);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H04_two_may_follow_the_same)
{
    kifu_timeline *corridor = corridor_new(NULL);
    told first, second;
    first.calls = 0;
    kifu_ticket ticket = corridor_submit_p_use(corridor, 0, 0, 3);
    must(corridor, kifu_follow(corridor, ticket, keep_outcome, &first));
    ck_assert_int_eq(corridor_run(corridor, ticket, &second), KIFU_FAILED);
    ck_assert(first.calls == 1 && second.calls == 1);
    ck_assert_str_eq(first.message, second.message);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H04_any_number_may_follow)
{
    static told all[100];
    kifu_timeline *corridor = corridor_new(NULL);
    const kifu_ticket ticket = corridor_submit_p_move(corridor, 0, 0, 0);
    for (int i = 0; i < 100; i++)
        must(corridor, kifu_follow(corridor, ticket, keep_outcome, &all[i]));
    must(corridor, kifu_run(corridor));
    for (int i = 0; i < 100; i++)
        ck_assert(all[i].calls == 1 && all[i].outcome.ticket == ticket);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H04_each_kind_of_end)
{
    kifu_timeline *corridor = corridor_new(NULL);
    told told;
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_move(corridor, 0, 0, -9), &told), KIFU_REJECTED);
    ck_assert(told.calls == 1 && told.outcome.result == KIFU_REJECTED && told.outcome.type == CORRIDOR_P_MOVE);
    ck_assert(told.outcome.scope == KIFU_NONE && told.outcome.subject == KIFU_NO_SUBJECT); // no hook
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_use(corridor, 0, 0, 3), &told), KIFU_FAILED);
    ck_assert(told.calls == 1 && told.outcome.result == KIFU_FAILED);
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_e_strike(corridor, 0, 1, 1, (corridor_manner)1), &told),
                     KIFU_INVALID_EVENT);
    ck_assert(told.calls == 1 && told.outcome.result == KIFU_INVALID_EVENT && told.outcome.event == KIFU_NONE);
    ck_assert_uint_gt(strlen(told.message), 20);
    kifu_destroy(corridor);
}
END_TEST

static kifu_verdict no_door_here(void *context, kifu_timeline *corridor, const void *state, kifu_proposed *proposed)
{
    (void)context, (void)corridor, (void)state, (void)proposed;
    return kifu_reject("not today");
}

// Whoever submitted finds the very proposal that was refused, whichever waits beside it.
START_TEST(F16_rejected_is_given_the_ticket)
{
    told told = {.calls = 0};
    const corridor_view view = {.base = {.context = &told, .rejected = keep_outcome}};
    const kifu_options options = {.view = &view.base};
    kifu_timeline *corridor = corridor_new(&options);
    corridor_submit_p_move(corridor, 0, 0, 0);
    const kifu_ticket wall = corridor_submit_p_move(corridor, 0, 0, -9);
    corridor_submit_p_move(corridor, 0, 0, 0);
    ck_assert_int_eq(kifu_run(corridor), KIFU_REJECTED);
    ck_assert_uint_eq(told.calls, 1);
    ck_assert(told.outcome.ticket == wall && told.outcome.type == CORRIDOR_P_MOVE);
    ck_assert(told.outcome.result == KIFU_REJECTED && told.outcome.event == KIFU_NONE);
    ck_assert(told.outcome.scope == KIFU_NONE && told.outcome.subject == KIFU_NO_SUBJECT); // no hook
    ck_assert_str_eq(told.message, kifu_last_error(corridor)->message);
    must(corridor, kifu_run(corridor));
    ck_assert_uint_eq(told.calls, 1);

    const kifu_observer hook = {
        .hook = no_door_here,
        .type = CORRIDOR_E_STRIKE,
        .scope = CORRIDOR_SCOPE_TARGET,
        .subject = 1,
        .name = "the door",
    };
    must(corridor, kifu_observe(corridor, &hook));
    const kifu_ticket strike = corridor_submit_e_strike(corridor, 0, 1, 1, CORRIDOR_MANNER_GENTLE);
    ck_assert_int_eq(kifu_run(corridor), KIFU_REJECTED);
    ck_assert_uint_eq(told.calls, 2);
    ck_assert(told.outcome.ticket == strike && told.outcome.type == CORRIDOR_E_STRIKE);
    ck_assert(told.outcome.scope == CORRIDOR_SCOPE_TARGET && told.outcome.subject == 1);
    ck_assert_ptr_nonnull(strstr(told.message, "rejected by the door (scope target): not today"));

    const kifu_ticket broken = corridor_submit_e_strike(corridor, 0, 1, 1, (corridor_manner)1);
    ck_assert_int_eq(kifu_run(corridor), KIFU_INVALID_EVENT);
    ck_assert(told.calls == 3 && told.outcome.ticket == broken && told.outcome.result == KIFU_INVALID_EVENT);
    kifu_destroy(corridor);
}
END_TEST

static kifu_result without_end(kifu_timeline *corridor, int32_t number)
{
    corridor_submit_e_any(corridor, corridor_what(NULL, without_end), number + 1);
    return KIFU_OK;
}

START_TEST(T10_a_runaway_is_told_of_what_ran)
{
    const kifu_options options = {.max_consequences = 50};
    kifu_timeline *corridor = corridor_new(&options);
    const corridor_moment before = corridor_now(corridor);
    told told;
    const uint8_t what = corridor_what(NULL, without_end);
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_any(corridor, 0, what, 0), &told), KIFU_RUNAWAY);
    must_be_then(corridor, &before);
    ck_assert_uint_eq(told.calls, 1); // It had happened.
    kifu_destroy(corridor);
}
END_TEST

// --- What a follower may do ------------------------------------------------------------------------------------------

static void submit_more(void *context, kifu_timeline *corridor, const kifu_outcome *outcome)
{
    (void)outcome;
    if (--*(int *)context > 0) {
        kifu_ticket ticket = corridor_submit_p_move(corridor, 0, 0, 0);
        ck_assert_uint_ne(ticket, 0);
        must(corridor, kifu_follow(corridor, ticket, submit_more, context));
    }
}

START_TEST(H04_a_follower_submits_inputs)
{
    for (int sync = 0; sync < 2; sync++) {
        const kifu_options options = {.sync_test = sync ? kifu_sync_test : NULL};
        kifu_timeline *corridor = corridor_new(&options);
        const uint32_t from = kifu_event_count(corridor);
        int left = 4;
        must(corridor, kifu_follow(corridor, corridor_submit_p_use(corridor, 0, 0, 0), submit_more, &left));
        must(corridor, kifu_run(corridor));
        ck_assert_str_eq(corridor_log(corridor, from), "PUse EHeal PRest PRest PRest");
        kifu_event event;
        ck_assert(kifu_event_at(corridor, from + 2, &event) && event.cause == KIFU_NONE);
        kifu_destroy(corridor);
    }
}
END_TEST

// A follower that does what it may not.
#define FOLLOWER(name, statement)                                                                                      \
    static void name(void *context, kifu_timeline *corridor, const kifu_outcome *outcome)                              \
    {                                                                                                                  \
        (void)outcome;                                                                                                 \
        (void)context;                                                                                                 \
        statement;                                                                                                     \
    }
FOLLOWER(run_in_follower, ck_assert_int_eq(kifu_run(corridor), KIFU_MISUSE))
FOLLOWER(undo_in_follower, ck_assert_int_eq(kifu_undo(corridor), KIFU_MISUSE))
FOLLOWER(edit_in_follower, *corridor_edit_level(corridor) = 99)
FOLLOWER(write_in_follower, ((corridor_state *)(uintptr_t)corridor_get_state(corridor))->level = 99)

START_TEST(H04_misuse_in_a_follower_is_told)
{
    static kifu_follower *const misused[] = {run_in_follower, undo_in_follower, edit_in_follower, write_in_follower};
    const kifu_options options = {.sync_test = kifu_sync_test};
    for (size_t i = 0; i < 8; i++) {
        const bool refused = i % 2;
        kifu_timeline *corridor = corridor_new(&options);
        const uint32_t count = kifu_event_count(corridor);
        must(corridor,
             kifu_follow(corridor, corridor_submit_p_use(corridor, 0, 0, refused ? 3 : 0), misused[i / 2], NULL));
        kifu_result result = kifu_run(corridor);
        if (refused) { // Why it did not happen comes first.
            ck_assert_int_eq(result, KIFU_FAILED);
            must_say(corridor, "it is broken");
            result = kifu_run(corridor);
        }
        ck_assert_int_eq(result, i / 2 == 3 ? KIFU_DIVERGED : KIFU_MISUSE);
        must_say(corridor, "a follower");
        must(corridor, kifu_run(corridor));
        ck_assert_uint_eq(corridor_get_state(corridor)->level, 1);
        ck_assert_uint_eq(kifu_event_count(corridor), refused || i == 6 ? count : count + 2);
        kifu_destroy(corridor);
    }
}
END_TEST

FOLLOWER(fail_in_follower, must_refuse(corridor, kifu_follow(corridor, 4711, keep_outcome, NULL)))

START_TEST(H04_what_one_follower_fails_at_is_not_told_to_the_next)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const kifu_ticket use = corridor_submit_p_use(corridor, 0, 0, 3);
    must(corridor, kifu_follow(corridor, use, fail_in_follower, NULL));
    told told;
    ck_assert_int_eq(corridor_run(corridor, use, &told), KIFU_FAILED);
    must_say(corridor, "it is broken");
    ck_assert_str_eq(told.message, kifu_last_error(corridor)->message);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H04_the_misuse_of_the_first_follower_is_told)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const kifu_ticket use = corridor_submit_p_use(corridor, 0, 0, 0);
    must(corridor, kifu_follow(corridor, use, undo_in_follower, NULL));
    must(corridor, kifu_follow(corridor, use, edit_in_follower, NULL));
    ck_assert_int_eq(kifu_run(corridor), KIFU_MISUSE);
    const char *said = strstr(kifu_last_error(corridor)->message, "a follower of corridor.PUse: kifu_undo");
    ck_assert_ptr_nonnull(said);
    ck_assert_ptr_eq(said, strstr(kifu_last_error(corridor)->message, "a follower"));
    must(corridor, kifu_run(corridor));
    ck_assert_uint_eq(corridor_get_state(corridor)->level, 1);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H04_what_cannot_be_followed)
{
    kifu_timeline *corridor = corridor_new(NULL);
    told told;
    must_refuse(corridor, kifu_follow(corridor, 0, keep_outcome, &told));
    must_refuse(corridor, kifu_follow(corridor, 4711, keep_outcome, &told));
    kifu_ticket ticket = corridor_submit_p_move(corridor, 0, 0, 0);
    must_refuse(corridor, kifu_follow(corridor, ticket, NULL, &told));
    must(corridor, kifu_run(corridor));
    must_refuse(corridor, kifu_follow(corridor, ticket, keep_outcome, &told));
    kifu_destroy(corridor);
}
END_TEST

// --- What is forgotten -----------------------------------------------------------------------------------------------

static told told_of_consequence;

static kifu_result follow_consequence(kifu_timeline *corridor, int32_t number)
{
    kifu_ticket ticket = corridor_submit_e_move(corridor, 0, 0);
    if (ticket) // Not in a replay.
        must(corridor, kifu_follow(corridor, ticket, keep_outcome, &told_of_consequence));
    return number ? kifu_fail(corridor, "and all that") : KIFU_OK;
}

START_TEST(H04_a_do_follows_its_consequence)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const uint32_t from = kifu_event_count(corridor);
    const uint8_t what = corridor_what(NULL, follow_consequence);
    corridor_submit_p_any(corridor, 0, what, 1);
    ck_assert_int_eq(kifu_run(corridor), KIFU_FAILED); // The consequence is gone with it.
    ck_assert_uint_eq(told_of_consequence.calls, 0);
    corridor_submit_p_any(corridor, 0, what, 0);
    must(corridor, kifu_run(corridor));
    ck_assert(told_of_consequence.calls == 1 && told_of_consequence.outcome.event == from + 1);
    ck_assert_uint_eq(told_of_consequence.outcome.type, CORRIDOR_P_REST);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H04_undo_and_roll_back_forget)
{
    kifu_timeline *corridor = corridor_new(NULL);
    told told = {.calls = 0};
    corridor_submit_p_move(corridor, 0, 0, 0);
    must(corridor, kifu_run(corridor));
    must(corridor, kifu_follow(corridor, corridor_submit_p_move(corridor, 0, 0, 0), keep_outcome, &told));
    must(corridor, kifu_undo(corridor));
    must(corridor, kifu_redo(corridor)); // It waits again.
    ck_assert_uint_eq(kifu_pending_count(corridor), 1);
    must(corridor, kifu_run(corridor));
    ck_assert_uint_eq(told.calls, 0);
    // What waited before a transaction waits after it, and is followed still.
    must(corridor, kifu_follow(corridor, corridor_submit_p_move(corridor, 0, 0, 0), keep_outcome, &told));
    must(corridor, kifu_begin(corridor, 0));
    kifu_ticket ticket = corridor_submit_p_move(corridor, 0, 0, 0);
    must(corridor, kifu_follow(corridor, ticket, keep_outcome, &told));
    must(corridor, kifu_roll_back(corridor));
    must(corridor, kifu_run(corridor));
    ck_assert_uint_eq(told.calls, 1);
    ck_assert_uint_lt(told.outcome.ticket, ticket);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H08_who_follows_what_is_gone_takes_no_room)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *corridor = corridor_new(&options);
    const uint8_t what = corridor_what(NULL, follow_consequence);
    long calls = 0;
    for (int i = 0; i < 500; i++) {
        if (i == 50)
            calls = memory.calls;
        corridor_submit_p_any(corridor, 0, what, 1);
        ck_assert_int_eq(kifu_run(corridor), KIFU_FAILED);
    }
    for (int i = 0; i < 500; i++) {
        told dropped = {.calls = 0};
        must(corridor, kifu_follow(corridor, corridor_submit_p_rest(corridor, 0, 0), keep_outcome, &dropped));
        must(corridor, kifu_drop_inputs(corridor));
        ck_assert_uint_eq(dropped.calls, 0);
    }
    ck_assert_int_eq(memory.calls, calls);
    for (int i = 0; i < 500; i++) {
        told gone = {.calls = 0};
        if (i == 50)
            calls = memory.calls;
        must(corridor, kifu_begin(corridor, 0));
        must(corridor, kifu_follow(corridor, corridor_submit_p_rest(corridor, 0, 0), keep_outcome, &gone));
        must(corridor, kifu_roll_back(corridor));
        ck_assert_uint_eq(gone.calls, 0);
    }
    ck_assert_int_eq(memory.calls, calls);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H04_following_in_little_memory)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *corridor = corridor_new(&options);
    told told = {.calls = 0};
    kifu_ticket ticket = corridor_submit_p_move(corridor, 0, 0, 0);
    memory.until_failure = 0;
    ck_assert_int_eq(kifu_follow(corridor, ticket, keep_outcome, &told), KIFU_NO_MEMORY);
    must(corridor, kifu_follow(corridor, ticket, keep_outcome, &told));
    must(corridor, kifu_run(corridor));
    ck_assert_uint_eq(told.calls, 1);
    kifu_destroy(corridor);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        H04_a_follower_learns_once_what_happened,
        H04_two_may_follow_the_same,
        H04_any_number_may_follow,
        H04_each_kind_of_end,
        F16_rejected_is_given_the_ticket,
        T10_a_runaway_is_told_of_what_ran,
        H04_a_follower_submits_inputs,
        H04_misuse_in_a_follower_is_told,
        H04_what_one_follower_fails_at_is_not_told_to_the_next,
        H04_the_misuse_of_the_first_follower_is_told,
        H04_what_cannot_be_followed,
        H04_a_do_follows_its_consequence,
        H04_undo_and_roll_back_forget,
        H08_who_follows_what_is_gone_takes_no_room,
        H04_following_in_little_memory,
    };
    return run_suite("follow", tests, sizeof tests / sizeof *tests);
}
