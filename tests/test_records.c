// The calls from outside, recorded for kifu_verify_rules: what they hold, what they cost, and when they are lost.

#include "suite.h"
#include "verify_rules_help.h"

#include <time.h>

#include "model.h"

// --- Every call from outside -----------------------------------------------------------------------------------------

START_TEST(H06_what_an_override_changed_from_outside)
{
    kifu_timeline *corridor = game();
    test_plan.in_do[2] = only_a_part;
    const uint32_t from = kifu_event_count(corridor);
    for (kifu_ticket next = 1; next < 4; next++) {
        const kifu_ticket ticket = corridor_submit_p_any(corridor, 0, 2, 0);
        must(corridor, kifu_step(corridor));
        must(corridor, kifu_override(corridor, ticket + next, true, false)); // Undo stops there
        run(corridor);
        verify(corridor);
        must(corridor, kifu_undo(corridor));
        ck_assert_uint_eq(kifu_event_count(corridor), from + next);
        verify(corridor);
        must(corridor, kifu_undo(corridor));
        ck_assert_uint_eq(kifu_event_count(corridor), from);
        verify(corridor);
    }
    kifu_destroy(corridor);
}
END_TEST

static kifu_ticket consequence;

static kifu_result one_consequence(kifu_timeline *corridor, int32_t number)
{
    consequence = corridor_submit_e_any(corridor, 3, number);
    return KIFU_OK;
}

static kifu_verdict rather_another(kifu_timeline *corridor, int32_t number)
{
    return kifu_instead(corridor_submit_e_any(corridor, 0, number));
}

// What happens in its place has its flags.
START_TEST(H06_an_override_from_outside_of_what_is_replaced)
{
    kifu_timeline *corridor = game();
    test_plan.in_do[2] = one_consequence;
    test_plan.in_check[3] = rather_another;
    corridor_submit_p_any(corridor, 0, 2, 0);
    must(corridor, kifu_step(corridor));
    must(corridor, kifu_override(corridor, consequence, false, true));
    run(corridor);
    kifu_event event;
    ck_assert(kifu_event_at(corridor, kifu_event_count(corridor) - 1, &event));
    ck_assert_uint_eq(event.flags, KIFU_CONTINUE_UNDO);
    verify(corridor);
    kifu_destroy(corridor);
}
END_TEST

static kifu_result transact_if_asked(kifu_timeline *corridor, int32_t number)
{
    if (number)
        corridor_submit_e_any(corridor, 2, 0);
    return number || kifu_begin(corridor, 0) ? KIFU_OK : kifu_commit(corridor);
}

START_TEST(H06_a_consequence_that_memory_was_too_short_for_is_no_part_of_the_record)
{
    test_memory memory = {.until_failure = -1};
    test_plan.in_do[2] = transact_if_asked;
    kifu_timeline *corridor;
    const kifu_options options = {.record_inputs = kifu_record_inputs,
                                  .user = &test_plan,
                                  .allocate = test_allocate,
                                  .allocate_context = &memory};
    ck_assert_int_eq(kifu_create(&corridor_rules, &options, &corridor, NULL), KIFU_OK);
    corridor_submit_p_any(corridor, -1, 2, 1);
    must(corridor, kifu_step(corridor));
    memory.until_failure = 0;
    ck_assert_int_eq(kifu_step(corridor), KIFU_NO_MEMORY);
    ck_assert_uint_eq(kifu_pending_count(corridor), 0);
    must_refuse(corridor, kifu_verify_rules(corridor, NULL, NULL, NULL));
    must_say(corridor, "not all inputs were recorded");
    kifu_destroy(corridor);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(H06_recording_that_begins_in_a_transaction_comes_too_late)
{
    kifu_timeline *corridor;
    ck_assert_int_eq(kifu_create(&corridor_rules, &(kifu_options){.user = &test_plan}, &corridor, NULL), KIFU_OK);
    must(corridor, kifu_begin(corridor, 0));
    must(corridor, kifu_record_inputs(corridor));
    must(corridor, kifu_commit(corridor));
    must_refuse(corridor, kifu_verify_rules(corridor, NULL, NULL, NULL));
    must_say(corridor, "not all inputs were recorded");
    kifu_destroy(corridor);
}
END_TEST

static kifu_result dislike(void *context, kifu_timeline *corridor, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    return ((const corridor_e_any *)event->table)->number == 1 ? kifu_fail(corridor, "not that") : KIFU_OK;
}

static kifu_result prepare_dislike(void *context, kifu_timeline *corridor)
{
    kifu_result result = prepare(context, corridor);
    return result ? result : kifu_observe(corridor, &(kifu_observer){.react = dislike, .type = CORRIDOR_E_ANY});
}

// What comes to nothing leaves no event, but whether it ran before or in the transaction makes a difference.
START_TEST(H06_a_consequence_that_failed_before_a_transaction)
{
    kifu_timeline *corridor = game();
    must(corridor, kifu_observe(corridor, &(kifu_observer){.react = dislike, .type = CORRIDOR_E_ANY}));
    test_plan.in_do[2] = only_a_part;
    corridor_submit_p_any(corridor, 0, 2, 0);
    must(corridor, kifu_step(corridor));
    ck_assert_int_eq(kifu_step(corridor), KIFU_FAILED); // In a deferred transaction it would stay
    must(corridor, kifu_begin(corridor, KIFU_DEFERRED));
    must(corridor, kifu_run(corridor));
    must(corridor, kifu_commit(corridor));
    must(corridor, kifu_verify_rules(corridor, prepare_dislike, NULL, NULL));
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_what_is_rolled_back_needs_no_memory)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.record_inputs = kifu_record_inputs,
                                  .allocate = test_allocate,
                                  .allocate_context = &memory,
                                  .user = &test_plan};
    kifu_timeline *corridor;
    ck_assert_int_eq(kifu_create(&corridor_rules, &options, &corridor, NULL), KIFU_OK);
    corridor_submit_e_initialize(corridor, NULL);
    corridor_submit_e_build(corridor);
    size_t bytes = 0;
    for (int i = 0; i < 1000; i++) {
        must(corridor, i % 2 ? kifu_begin(corridor, KIFU_SEARCH) : kifu_begin(corridor, 0));
        play(corridor);
        must(corridor, kifu_begin(corridor, 0));
        play(corridor);
        must(corridor, i % 4 < 2 ? kifu_commit(corridor) : kifu_roll_back(corridor));
        must(corridor, i % 2 ? kifu_roll_back(corridor) : kifu_roll_back(corridor));
        if (i == 10)
            bytes = memory.bytes;
    }
    ck_assert_uint_eq(memory.bytes, bytes);
    must(corridor, kifu_verify_rules(corridor, NULL, NULL, NULL));
    kifu_destroy(corridor);
}
END_TEST

static kifu_result once(kifu_timeline *corridor, int32_t number)
{
    for (int32_t i = 0; i < number; i++)
        corridor_submit_e_any(corridor, 0, i);
    return kifu_is_replaying(corridor) && !number ? kifu_fail(corridor, "once is enough") : KIFU_OK;
}

static void must_be_lost(kifu_timeline *corridor)
{
    ck_assert_int_eq(kifu_verify_rules(corridor, prepare, NULL, NULL), KIFU_MISUSE);
    must_say(corridor, "could not be executed again");
    kifu_destroy(corridor);
}

// What such an undo or redo did depends on more than the calls.
START_TEST(H06_after_a_log_that_could_not_be_executed_again)
{
    test_plan.in_do[2] = once;
    kifu_timeline *corridor = game();
    corridor_submit_p_any(corridor, 0, 2, 0);
    run(corridor);
    must(corridor, kifu_undo(corridor));
    ck_assert_int_eq(kifu_redo(corridor), KIFU_FAILED);
    must_be_lost(corridor);
    corridor = game();
    corridor_submit_p_any(corridor, 0, 2, 0);
    corridor_submit_p_any(corridor, 0, 2, 3000); // More than the journal holds
    run(corridor);
    verify(corridor);
    ck_assert_int_eq(kifu_undo(corridor), KIFU_FAILED);
    must_be_lost(corridor);
}
END_TEST

static clock_t time_of(uint32_t undos)
{
    kifu_timeline *corridor = game();
    for (uint32_t i = 0; i < undos; i++) {
        corridor_submit_p_any(corridor, 0, 0, 1);
        corridor_submit_p_any(corridor, 0, 0, 2);
        run(corridor);
        must(corridor, kifu_undo(corridor));
    }
    const clock_t start = clock();
    must(corridor, kifu_verify_rules(corridor, prepare, NULL, NULL));
    const clock_t time = clock() - start;
    kifu_destroy(corridor);
    return time;
}

START_TEST(F41_verifying_takes_time_for_each_undo_alone)
{
    clock_t few = 0;
    for (int i = 0; i < 16; i++)
        few += time_of(4000);
    const clock_t many = time_of(64000);
    ck_assert_msg(many < 4 * few, "%ld and %ld", (long)few, (long)many); // 16 times, where each goes over all before
}
END_TEST

// --- Where there is nothing to play again ----------------------------------------------------------------------------

static kifu_result cannot(void *context, kifu_timeline *corridor)
{
    (void)context;
    return kifu_observe(corridor, &(kifu_observer){.hook = shield, .scope = 99, .subject = 0, .name = "x"});
}

START_TEST(H06_what_cannot_be_verified)
{
    kifu_timeline *corridor = corridor_new(NULL);
    must_refuse(corridor, kifu_verify_rules(corridor, prepare, NULL, NULL));
    must_say(corridor, "record_inputs");
    kifu_destroy(corridor);
    corridor = game();
    play(corridor);
    must_refuse(corridor, kifu_verify_rules(corridor, cannot, NULL, NULL));
    must_say(corridor, "scope");
    const kifu_options options = {.record_inputs = kifu_record_inputs, .user = &test_plan};
    kifu_timeline *other = reload(corridor, &options);
    must_refuse(other, kifu_verify_rules(other, prepare, NULL, NULL));
    must_say(other, "loaded or forked");
    must(other, kifu_record_inputs(other)); // It is too late for that.
    must_refuse(other, kifu_verify_rules(other, prepare, NULL, NULL));
    kifu_destroy(other);
    for (int past = 0; past < 2; past++) {
        other = fork_of(corridor, past ? KIFU_PRESENT : KIFU_WITHOUT_PAST, &options);
        must_refuse(other, kifu_verify_rules(other, prepare, NULL, NULL));
        must_say(other, "loaded or forked");
        kifu_destroy(other);
    }
    must(corridor, kifu_forget(corridor, 0)); // Nothing is before.
    verify(corridor);
    for (int forgets = 0; forgets < 2; forgets++) {
        other = game();
        play(other);
        must(other, forgets ? kifu_forget(other, KIFU_PRESENT) : kifu_go_to(other, 0, 2, true));
        must_refuse(other, kifu_verify_rules(other, prepare, NULL, NULL));
        must_say(other, "not all inputs were recorded");
        kifu_destroy(other);
    }
    kifu_timeline *unplayed;
    ck_assert_int_eq(kifu_create(&corridor_rules, &options, &unplayed, NULL), KIFU_OK);
    corridor_submit_e_build(unplayed); // What waits was submitted elsewhere.
    other = fork_of(unplayed, KIFU_PRESENT, &options);
    must_refuse(other, kifu_verify_rules(other, prepare, NULL, NULL));
    kifu_destroy(other);
    kifu_destroy(unplayed);
    other = fork_of(corridor, 0, &options); // from its very beginning
    must(other, prepare(NULL, other));
    corridor_submit_e_initialize(other, NULL);
    corridor_submit_e_build(other);
    play(other);
    verify(other);
    kifu_destroy(other);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_a_model_outside_the_state_cannot_be_verified)
{
    model model = {0};
    const kifu_options options = {.reset = model_reset, .user = &model, .record_inputs = kifu_record_inputs};
    kifu_timeline *outside;
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &outside, NULL), KIFU_OK);
    must_refuse(outside, kifu_verify_rules(outside, NULL, NULL, NULL));
    must_say(outside, "outside the state");
    kifu_destroy(outside);
}
END_TEST

static kifu_result verify_inside(void *context, kifu_timeline *corridor, const void *state, const kifu_event *event)
{
    (void)state;
    (void)event;
    *(kifu_result *)context = kifu_verify_rules(corridor, NULL, NULL, NULL);
    return KIFU_OK;
}

START_TEST(H06_what_is_happening_cannot_be_verified)
{
    kifu_timeline *corridor = game();
    kifu_result inside = KIFU_OK;
    must(corridor,
         kifu_observe(corridor, &(kifu_observer){.react = verify_inside, .type = CORRIDOR_P_SAY, .context = &inside}));
    corridor_submit_p_say(corridor, 3, 0, "hello");
    ck_assert_int_eq(kifu_run(corridor), KIFU_MISUSE);
    ck_assert_int_eq(inside, KIFU_MISUSE);
    must_say(corridor, "kifu_verify_rules");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_recording_begins_before_the_first_event_or_never)
{
    kifu_timeline *corridor = corridor_new(NULL);
    must(corridor, kifu_record_inputs(corridor));
    must_refuse(corridor, kifu_verify_rules(corridor, prepare, NULL, NULL));
    must_say(corridor, "not all inputs were recorded");
    kifu_destroy(corridor);
    ck_assert_int_eq(kifu_create(&corridor_rules, &(kifu_options){.user = &test_plan}, &corridor, NULL), KIFU_OK);
    must(corridor, kifu_record_inputs(corridor));
    corridor_submit_e_build(corridor);
    run(corridor);
    must(corridor, kifu_verify_rules(corridor, NULL, NULL, NULL));
    kifu_destroy(corridor);
}
END_TEST

// --- Without memory --------------------------------------------------------------------------------------------------

static kifu_result long_speech(kifu_timeline *corridor, int32_t number)
{
    static char text[100000];
    memset(text, 'a', sizeof text - 1);
    corridor_submit_p_say(corridor, 0, 0, text);
    corridor_submit_e_any(corridor, 0, number);
    corridor_submit_e_any(corridor, 0, number);
    return KIFU_OK;
}

START_TEST(H06_a_consequence_that_waited_for_memory)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.record_inputs = kifu_record_inputs,
                                  .allocate = test_allocate,
                                  .allocate_context = &memory,
                                  .user = &test_plan};
    test_plan.in_do[2] = long_speech;
    kifu_timeline *corridor;
    ck_assert_int_eq(kifu_create(&corridor_rules, &options, &corridor, NULL), KIFU_OK);
    corridor_submit_p_any(corridor, 0, 2, 0);
    must(corridor, kifu_step(corridor));
    memory.until_failure = 0;
    ck_assert_int_eq(kifu_step(corridor), KIFU_NO_MEMORY);
    ck_assert_uint_eq(kifu_pending_count(corridor), 3);
    must(corridor, kifu_step(corridor));
    must(corridor, kifu_begin(corridor, 0));
    must(corridor, kifu_run(corridor));
    must(corridor, kifu_commit(corridor));
    must(corridor, kifu_verify_rules(corridor, NULL, NULL, NULL));
    kifu_destroy(corridor);
}
END_TEST

// Whatever memory there is: it is verified, or not, and never wrong.
START_TEST(H06_every_allocation_may_fail)
{
    bool failed = true;
    for (long i = 0; failed; i++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.record_inputs = kifu_record_inputs,
                                      .allocate = test_allocate,
                                      .allocate_context = &memory,
                                      .user = &test_plan};
        kifu_timeline *corridor;
        ck_assert_int_eq(kifu_create(&corridor_rules, &options, &corridor, NULL), KIFU_OK);
        must(corridor, prepare(NULL, corridor));
        corridor_submit_e_initialize(corridor, NULL);
        corridor_submit_e_build(corridor);
        must(corridor, kifu_run(corridor));
        memory.until_failure = i;
        for (int step = 0; step < 30; step++) {
            corridor_submit_p_use(corridor, 1, 0, (uint8_t)(step % 6));
            corridor_submit_e_strike(corridor, 0, 1, (int16_t)(step % 12), CORRIDOR_MANNER_GENTLE);
            while (kifu_pending_count(corridor))
                (void)!kifu_run(corridor);
            if (step % 7 == 6)
                (void)!kifu_undo(corridor);
            if (step % 14 == 6)
                (void)!kifu_redo(corridor);
            if (step % 5 == 4) { // in the middle of an input
                corridor_submit_p_use(corridor, 1, 0, 4);
                (void)!kifu_step(corridor);
                (void)!kifu_step(corridor);
                (void)!kifu_begin(corridor, 0);
                run(corridor);
                while (kifu_open_transactions(corridor))
                    (void)!kifu_commit(corridor);
            }
        }
        kifu_result result = kifu_verify_rules(corridor, prepare, NULL, NULL);
        failed = memory.failed;
        memory.until_failure = -1;
        if (result && !(failed && (result == KIFU_NO_MEMORY || result == KIFU_MISUSE)))
            ck_abort_msg("%ld: %s", i, kifu_last_error(corridor)->message);
        if (result == KIFU_NO_MEMORY) {
            ck_assert_int_eq(kifu_last_error(corridor)->result, KIFU_NO_MEMORY);
            must(corridor, kifu_verify_rules(corridor, prepare, NULL, NULL));
        }
        if (result == KIFU_MISUSE)
            must_say(corridor, "memory ran out");
        kifu_destroy(corridor);
        must_be(memory.blocks == 0);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        H06_what_an_override_changed_from_outside,
        H06_an_override_from_outside_of_what_is_replaced,
        H06_a_consequence_that_memory_was_too_short_for_is_no_part_of_the_record,
        H06_recording_that_begins_in_a_transaction_comes_too_late,
        H06_a_consequence_that_failed_before_a_transaction,
        H06_what_is_rolled_back_needs_no_memory,
        H06_after_a_log_that_could_not_be_executed_again,
        F41_verifying_takes_time_for_each_undo_alone,
        H06_what_cannot_be_verified,
        H06_a_model_outside_the_state_cannot_be_verified,
        H06_what_is_happening_cannot_be_verified,
        H06_recording_begins_before_the_first_event_or_never,
        H06_a_consequence_that_waited_for_memory,
        H06_every_allocation_may_fail,
    };
    return run_suite("records", tests, sizeof tests / sizeof *tests);
}
