// kifu_verify_rules: the game played again from what came from outside, with all checks, hooks, reactions and triggers.

#include "corridor_help.h"
#include "suite.h"
#include "core/timeline.h"

#include <time.h>

// --- The rules of a test, which may change ---------------------------------------------------------------------------

static bool weak_shield, no_shield, strict_check, no_reaction, late_trigger, roughly;

// A shield takes 1 from a blow; an amulet turns a curse (a blow of 9) into healing, and shines.
static kifu_verdict shield(void *context, kifu_timeline *corridor, const void *state, kifu_proposed *proposed)
{
    (void)context;
    (void)state;
    (void)corridor;
    corridor_e_damage *damage = (corridor_e_damage *)proposed->event;
    damage->amount = (int16_t)(damage->amount - (weak_shield ? 0 : 1));
    return kifu_accept();
}

static kifu_verdict amulet(void *context, kifu_timeline *corridor, const void *state, kifu_proposed *proposed)
{
    (void)context;
    (void)state;
    corridor_e_strike *strike = (corridor_e_strike *)proposed->event;
    if (roughly)
        strike->manner = CORRIDOR_MANNER_ROUGH;
    if (strike->damage == 8)
        return kifu_reject("it is not afraid");
    if (strike->damage < 9)
        return kifu_accept();
    corridor_submit_e_any(corridor, 0, 1000); // it shines
    return strike->damage > 9 ? kifu_reject("too much")
                              : kifu_instead(corridor_submit_e_heal(corridor, strike->target, 1));
}

static kifu_result echo(void *context, kifu_timeline *corridor, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    corridor_submit_e_any(corridor, 0, (int32_t)event->index);
    return KIFU_OK;
}

static kifu_result bell(void *context, kifu_timeline *corridor, const void *state, const kifu_event *event,
                        const kifu_change *change)
{
    (void)context;
    (void)state;
    (void)event;

    const int16_t now = ((const corridor_person *)change->after)->hp;
    if (now < (late_trigger ? 10 : 15))
        corridor_submit_e_heal(corridor, 1, 5);
    return KIFU_OK;
}

static kifu_result prepare(void *context, kifu_timeline *corridor)
{
    static int own;
    kifu_result result = KIFU_OK;
    if (!no_shield)
        result = kifu_observe(corridor, &(kifu_observer){.hook = shield,
                                                         .type = CORRIDOR_E_DAMAGE,
                                                         .scope = CORRIDOR_SCOPE_TARGET,
                                                         .subject = 1,
                                                         .name = "a shield",
                                                         .context = &own});
    if (!result)
        result = kifu_observe(corridor, &(kifu_observer){.hook = amulet,
                                                         .type = CORRIDOR_E_STRIKE,
                                                         .scope = CORRIDOR_SCOPE_PERFORMER,
                                                         .subject = KIFU_ANY_SUBJECT,
                                                         .name = "an amulet",
                                                         .rank = KIFU_RANK_INTERNAL,
                                                         .context = &own});
    if (!result && !no_reaction)
        result = kifu_observe(corridor, &(kifu_observer){.react = echo, .type = CORRIDOR_P_OPEN, .context = &own});
    if (!result)
        result = kifu_observe(corridor,
                              &(kifu_observer){.trigger = bell, KIFU_PART(corridor_state, people[1]), .context = &own});
    if (!result && context)
        ++*(int *)context;
    return result;
}

static kifu_verdict small_enough(kifu_timeline *corridor, int32_t number)
{
    (void)corridor;
    return number > (strict_check ? 5 : 50) ? kifu_reject("too large") : kifu_accept();
}

static kifu_timeline *game(void)
{
    const kifu_options options = {.record_inputs = kifu_record_inputs};
    test_plan.in_check[1] = small_enough;
    kifu_options with_plan = options;
    with_plan.user = &test_plan;
    kifu_timeline *corridor;
    ck_assert_int_eq(kifu_create(&corridor_rules, &with_plan, &corridor, NULL), KIFU_OK);
    must(corridor, prepare(NULL, corridor));
    corridor_submit_e_initialize(corridor, NULL, KIFU_BY_LOT); // The seed is chosen when it happens.
    corridor_submit_e_build(corridor);
    corridor_submit_e_seal(corridor, 0);
    must(corridor, kifu_run(corridor));
    return corridor;
}

static void verify(kifu_timeline *corridor)
{
    int prepared = 0;
    kifu_difference difference;
    const corridor_moment before = corridor_now(corridor);
    must(corridor, kifu_verify_rules(corridor, prepare, &prepared, &difference));
    ck_assert_int_eq(prepared, 1);
    ck_assert_uint_eq(difference.event, KIFU_NONE);
    ck_assert(!difference.name && !difference.field[0]);
    must_be_then(corridor, &before);
}

// Runs until idle, whatever is refused.
static void run(kifu_timeline *corridor)
{
    while (kifu_pending_count(corridor))
        (void)!kifu_run(corridor);
}

static void strike(kifu_timeline *corridor, int16_t damage)
{
    corridor_submit_e_strike(corridor, 0, 1, damage, CORRIDOR_MANNER_GENTLE);
    run(corridor);
}

static void play(kifu_timeline *corridor)
{
    for (int8_t i = 0; i < 8; i++) {
        corridor_submit_p_use(corridor, 1, 0, (uint8_t)i % 6);
        corridor_submit_p_move(corridor, 1, 0, (int8_t)(i % 3));
        run(corridor);
        strike(corridor, (int16_t)(i + 3));
        corridor_submit_p_any(corridor, 2, 1, 10 * i);
        corridor_submit_p_say(corridor, 3, 0, i % 2 ? "hello" : NULL);
        run(corridor);
    }
}

// --- Honest games ----------------------------------------------------------------------------------------------------

START_TEST(H06_an_honest_game)
{
    kifu_timeline *corridor = game();
    verify(corridor);
    play(corridor);
    verify(corridor);
    strike(corridor, 10); // blocked, and what it submitted stands for itself
    strike(corridor, 8);
    verify(corridor);
    // What waits has not happened.
    corridor_submit_p_move(corridor, 1, 0, 0);
    corridor_submit_p_use(corridor, 1, 0, 0);
    must(corridor, kifu_step(corridor));
    verify(corridor);
    must(corridor, kifu_step(corridor));
    verify(corridor);
    kifu_destroy(corridor);
}
END_TEST

// What the rules did not write.
START_TEST(H06_a_mark_that_was_changed_is_found_and_named)
{
    static const struct {
        const char *what, *expected, *actual;
        kifu__mark change; // What is added to the mark.
    } cases[] = {{"its player", "1", "0", {.player = 1}},
                 {"the number of its cause", NULL, "4294967295", {.cause = 1}},
                 {"its flags", NULL, NULL, {.flags = KIFU_CONTINUE_UNDO}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *corridor = game();
        const uint32_t event = kifu_event_count(corridor);
        corridor_submit_p_move(corridor, 0, 0, 0);
        run(corridor);
        kifu__segment *segment = &corridor->log.segments[corridor->log.segment_count - 1];
        kifu__mark *mark = &segment->marks[event - segment->first];
        mark->player = (int8_t)(mark->player + cases[i].change.player);
        mark->cause = (uint16_t)(mark->cause + cases[i].change.cause);
        mark->flags ^= cases[i].change.flags;
        kifu_difference difference;
        ck_assert_int_eq(kifu_verify_rules(corridor, prepare, NULL, &difference), KIFU_DIVERGED);
        ck_assert_uint_eq(difference.event, event);
        must_say(corridor, cases[i].what);
        if (cases[i].expected)
            ck_assert_str_eq(difference.expected, cases[i].expected);
        if (cases[i].actual)
            ck_assert_str_eq(difference.actual, cases[i].actual);
        kifu_destroy(corridor);
    }
}
END_TEST

START_TEST(H06_an_honest_game_with_undo)
{
    kifu_timeline *corridor = game();
    for (int round = 0; round < 12; round++) {
        play(corridor);
        for (int i = 0; i < round; i++)
            must(corridor, kifu_undo(corridor));
        verify(corridor);
        if (round % 3 == 0)
            must(corridor, round ? kifu_redo(corridor) : KIFU_OK);
        verify(corridor);
        strike(corridor, 8); // refused, between undo and what comes next
        verify(corridor);
        if (round % 4 == 1 && kifu_can_redo(corridor, NULL)) {
            must(corridor, kifu_redo(corridor));
            verify(corridor);
        }
        // In the middle of the consequences: what waits is gone.
        corridor_submit_p_use(corridor, 1, 0, 4);
        must(corridor, kifu_step(corridor));
        must(corridor, kifu_step(corridor));
        if (round % 2) {
            must(corridor, kifu_undo(corridor));
            verify(corridor);
            if (round % 3) {
                must(corridor, kifu_redo(corridor));
                verify(corridor);
            }
        }
        run(corridor);
        verify(corridor);
    }
    while (kifu_can_undo(corridor, NULL))
        must(corridor, kifu_undo(corridor));
    verify(corridor);
    while (kifu_can_redo(corridor, NULL))
        must(corridor, kifu_redo(corridor));
    verify(corridor);
    kifu_destroy(corridor);
}
END_TEST

static kifu_result only_a_part(kifu_timeline *corridor, int32_t number)
{
    kifu_ticket ticket = corridor_submit_e_any(corridor, 0, 1);
    corridor_submit_e_any(corridor, 0, 2);
    corridor_submit_e_any(corridor, 0, 3);
    return number ? kifu_override(corridor, ticket, true, false) : KIFU_OK;
}

START_TEST(H06_undo_of_a_part_of_an_input)
{
    kifu_timeline *corridor = game();
    test_plan.in_do[2] = only_a_part;
    const uint32_t from = kifu_event_count(corridor);
    corridor_submit_p_any(corridor, 0, 2, 1);
    must(corridor, kifu_step(corridor));
    must(corridor, kifu_step(corridor));
    must(corridor, kifu_undo(corridor)); // EAny 1; EAny 2 and 3 will never be
    ck_assert_uint_eq(kifu_event_count(corridor), from + 1);
    verify(corridor);
    corridor_submit_p_move(corridor, 0, 0, 0);
    run(corridor);
    ck_assert_str_eq(corridor_log(corridor, from), "PAny PRest");
    verify(corridor);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_an_honest_game_with_transactions)
{
    kifu_timeline *corridor = game();
    for (int way = 0; way < 12; way++) {
        play(corridor);
        must(corridor, kifu_begin(corridor, way % 2 ? KIFU_DEFERRED : 0));
        if (way % 3) {
            strike(corridor, 8); // refused
            corridor_submit_p_use(corridor, 1, 0, 3);
            run(corridor); // it fails
        }
        must(corridor, kifu_begin(corridor, 0));
        play(corridor);
        if (way % 4 == 3) {
            must(corridor, kifu_undo(corridor));
            strike(corridor, 5);
        }
        if (way % 4 == 2)
            must(corridor, kifu_roll_back(corridor));
        else
            must(corridor, kifu_commit(corridor));
        strike(corridor, 6);
        must_refuse(corridor, kifu_verify_rules(corridor, prepare, NULL, NULL)); // not before its end
        must(corridor, way < 8 ? kifu_commit(corridor) : kifu_roll_back(corridor));
        run(corridor);
        verify(corridor);
        if (way % 5 == 4) {
            must(corridor, kifu_undo(corridor));
            verify(corridor);
            strike(corridor, 4);
            verify(corridor);
        }
        must(corridor, kifu_begin(corridor, KIFU_SEARCH));
        play(corridor);
        must(corridor, kifu_roll_back(corridor));
        verify(corridor);
    }
    // Nothing but a refusal, and nothing at all, in one.
    must(corridor, kifu_begin(corridor, 0));
    strike(corridor, 8);
    must(corridor, kifu_commit(corridor));
    must(corridor, kifu_begin(corridor, 0));
    must(corridor, kifu_commit(corridor));
    strike(corridor, 4);
    verify(corridor);
    must(corridor, kifu_undo(corridor));
    verify(corridor);
    kifu_destroy(corridor);
}
END_TEST

// An undo to where a transaction ended, or began.
START_TEST(H06_undo_beside_a_transaction)
{
    kifu_timeline *corridor = game();
    corridor_submit_p_move(corridor, 0, 0, 0);
    run(corridor);
    must(corridor, kifu_begin(corridor, KIFU_DEFERRED));
    corridor_submit_p_move(corridor, 0, 0, 0);
    run(corridor);
    must(corridor, kifu_commit(corridor));
    corridor_submit_p_move(corridor, 0, 0, 0);
    run(corridor);
    must(corridor, kifu_undo(corridor)); // It has ended still: reactions run.
    corridor_submit_p_move(corridor, 0, 0, 1);
    corridor_submit_p_move(corridor, 0, 0, 1); // a door, and its echo
    run(corridor);
    verify(corridor);
    must(corridor, kifu_undo(corridor));
    must(corridor, kifu_begin(corridor, KIFU_DEFERRED));
    must(corridor, kifu_begin(corridor, 0));
    must(corridor, kifu_commit(corridor));
    corridor_submit_p_move(corridor, 0, 0, 0);
    run(corridor);
    must(corridor, kifu_commit(corridor));
    must(corridor, kifu_undo(corridor)); // It is as if it had never begun.
    corridor_submit_p_move(corridor, 0, 0, 1);
    run(corridor);
    verify(corridor);
    kifu_destroy(corridor);
}
END_TEST

// Inside an outer transaction, undo may take back a part of an inner one, which has ended still.
START_TEST(H06_undo_of_a_part_of_an_inner_transaction)
{
    for (int way = 0; way < 4; way++) {
        kifu_timeline *corridor = game();
        corridor_submit_p_move(corridor, 0, 0, 0);
        run(corridor);
        must(corridor, kifu_begin(corridor, 0));
        must(corridor, kifu_begin(corridor, way % 2 ? KIFU_DEFERRED : 0));
        corridor_submit_p_move(corridor, 0, 0, 1); // a door, and its echo
        corridor_submit_p_move(corridor, 0, 0, 1);
        corridor_submit_p_move(corridor, 0, 0, 0);
        run(corridor);
        must(corridor, kifu_commit(corridor));
        run(corridor);
        for (int undo = 0; undo < 1 + way / 2; undo++)
            must(corridor, kifu_undo(corridor));
        corridor_submit_p_move(corridor, 0, 0, 0);
        run(corridor);
        must(corridor, kifu_commit(corridor));
        verify(corridor);
        must(corridor, kifu_undo(corridor));
        verify(corridor);
        must(corridor, kifu_undo(corridor)); // of what came before both
        verify(corridor);
        kifu_destroy(corridor);
    }
}
END_TEST

static kifu_result without_end(kifu_timeline *corridor, int32_t number)
{
    corridor_submit_e_any(corridor, 3, number + 1);
    return KIFU_OK;
}

START_TEST(H06_an_input_with_too_many_consequences)
{
    kifu_timeline *corridor = game();
    test_plan.in_do[3] = without_end;
    play(corridor);
    for (int i = 0; i < 2; i++) {
        corridor_submit_p_any(corridor, 0, 3, 0);
        ck_assert_int_eq(kifu_run(corridor), KIFU_RUNAWAY);
        verify(corridor);
        strike(corridor, 5);
        verify(corridor);
    }
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_rules_that_misuse_do_it_again)
{
    kifu_timeline *corridor = game();
    corridor_submit_p_any(corridor, 0, 1, -1);
    run(corridor);
    corridor_submit_p_use(corridor, 0, 0, 5); // too many alternates
    run(corridor);
    corridor_submit_e_strike(corridor, 0, 1, 4, (corridor_manner)2); // no such manner
    run(corridor);
    strike(corridor, 4);
    verify(corridor);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_while_the_past_is_shown_and_after_it)
{
    kifu_timeline *corridor = game();
    play(corridor);
    must(corridor, kifu_seek(corridor, 5));
    must_refuse(corridor, kifu_verify_rules(corridor, prepare, NULL, NULL));
    must(corridor, kifu_play(corridor, 1));
    must(corridor, kifu_update(corridor, 1));
    verify(corridor);
    kifu_destroy(corridor);
}
END_TEST

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
    corridor_submit_e_initialize(corridor, NULL, KIFU_BY_LOT);
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
    const clock_t few = time_of(4000), many = time_of(64000);
    ck_assert_msg(many < 64 * few, "%ld and %ld", (long)few, (long)many); // 256 times, where each goes over all before
}
END_TEST

// --- What is found ---------------------------------------------------------------------------------------------------

static kifu_difference must_differ(kifu_timeline *corridor)
{
    kifu_difference difference;
    const corridor_moment before = corridor_now(corridor);
    ck_assert_int_eq(kifu_verify_rules(corridor, prepare, NULL, &difference), KIFU_DIVERGED);
    must_be_then(corridor, &before);
    ck_assert_uint_eq(kifu_last_error(corridor)->event, difference.event);
    ck_assert_int_eq(kifu_verify_rules(corridor, prepare, NULL, NULL), KIFU_DIVERGED);
    return difference;
}

START_TEST(H06_a_hook_that_changed)
{
    kifu_timeline *corridor = game();
    play(corridor);
    verify(corridor);
    uint32_t first = 0;
    kifu_event event;
    while (kifu_event_at(corridor, first, &event) && event.type != CORRIDOR_E_DAMAGE)
        first++;
    const int amount = ((const corridor_e_damage *)event.table)->amount;
    weak_shield = true;
    kifu_difference difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, first);
    ck_assert_str_eq(difference.name, "corridor.EDamage");
    ck_assert_str_eq(difference.field, "amount");
    ck_assert_int_eq(atoi(difference.expected), amount);
    ck_assert_int_eq(atoi(difference.actual), amount + 1);
    must_say(corridor, "(corridor.EDamage): its field amount was ");
    // And one that is missing.
    weak_shield = false;
    no_shield = true;
    difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, first);
    ck_assert_str_eq(difference.field, "amount");
    no_shield = false;
    verify(corridor);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_a_check_that_changed)
{
    kifu_timeline *corridor = game();
    corridor_submit_p_any(corridor, 2, 1, 4);
    run(corridor);
    const uint32_t event = kifu_event_count(corridor);
    corridor_submit_p_any(corridor, 2, 1, 40);
    strike(corridor, 4);
    verify(corridor);
    strict_check = true; // It refuses now.
    kifu_difference difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, event);
    ck_assert_str_eq(difference.expected, "corridor.PAny");
    must_say(corridor, "too large");
    kifu_destroy(corridor);
    // It allows what it refused, right before the same was allowed.
    corridor = game();
    const uint32_t first = kifu_event_count(corridor);
    corridor_submit_p_any(corridor, 2, 1, 40);
    run(corridor);
    corridor_submit_p_any(corridor, 2, 1, 4);
    run(corridor);
    verify(corridor);
    strict_check = false;
    difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, first);
    kifu_destroy(corridor);
    // The very last was refused.
    strict_check = true;
    corridor = game();
    corridor_submit_p_any(corridor, 2, 1, 40);
    run(corridor);
    strict_check = false;
    difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, kifu_event_count(corridor));
    ck_assert_str_eq(difference.actual, "corridor.PAny");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_a_reaction_that_changed)
{
    kifu_timeline *corridor = game();
    corridor_submit_p_move(corridor, 1, 0, 1);
    corridor_submit_p_move(corridor, 1, 0, 1); // a door, and its echo
    corridor_submit_p_move(corridor, 1, 0, 1);
    run(corridor);
    verify(corridor);
    const uint32_t last = kifu_event_count(corridor) - 1;
    no_reaction = true;
    kifu_difference difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, last - 1);
    ck_assert_str_eq(difference.expected, "corridor.EAny");
    kifu_destroy(corridor);
    // Now it is new.
    corridor = game();
    corridor_submit_p_move(corridor, 1, 0, 1);
    corridor_submit_p_move(corridor, 1, 0, 1);
    run(corridor);
    verify(corridor);
    corridor_submit_p_move(corridor, 1, 0, 1);
    run(corridor);
    verify(corridor);
    no_reaction = false;
    difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, last - 1);
    ck_assert_str_eq(difference.actual, "corridor.EAny");
    kifu_destroy(corridor);
    // And new for the very last event.
    no_reaction = true;
    corridor = game();
    corridor_submit_p_move(corridor, 1, 0, 1);
    corridor_submit_p_move(corridor, 1, 0, 1);
    run(corridor);
    verify(corridor);
    no_reaction = false;
    difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, kifu_event_count(corridor));
    ck_assert_str_eq(difference.actual, "corridor.EAny");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_a_trigger_that_changed)
{
    kifu_timeline *corridor = game();
    while (corridor_person_at(corridor, 1)->hp > 15)
        strike(corridor, 4);
    strike(corridor, 4);
    verify(corridor);
    late_trigger = true;
    const kifu_difference difference = must_differ(corridor);
    ck_assert_str_eq(difference.expected, "corridor.EHeal");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_a_check_that_changed_for_what_was_undone)
{
    kifu_timeline *corridor = game();
    const uint32_t event = kifu_event_count(corridor);
    corridor_submit_p_any(corridor, 2, 1, 40);
    run(corridor);
    must(corridor, kifu_undo(corridor));
    corridor_submit_p_any(corridor, 2, 1, 4);
    run(corridor);
    verify(corridor);
    strict_check = true;
    kifu_difference difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, event);
    ck_assert_str_eq(difference.expected, "an event that was undone later");
    must_say(corridor, "too large");
    kifu_destroy(corridor);
    // It was refused; the undo was of what came before.
    corridor = game();
    const uint32_t first = kifu_event_count(corridor) + 1;
    corridor_submit_p_any(corridor, 2, 1, 4);
    corridor_submit_p_any(corridor, 2, 1, 40);
    run(corridor);
    must(corridor, kifu_undo(corridor));
    verify(corridor);
    strict_check = false;
    difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, first);
    ck_assert_str_eq(difference.actual, "corridor.PAny");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_a_check_that_changed_inside_a_transaction)
{
    kifu_timeline *corridor = game();
    must(corridor, kifu_begin(corridor, 0));
    for (int i = 0; i < 4; i++)
        corridor_submit_p_any(corridor, 2, 1, i);
    run(corridor);
    const uint32_t event = kifu_event_count(corridor);
    corridor_submit_p_any(corridor, 2, 1, 40);
    corridor_submit_p_any(corridor, 2, 1, 4);
    run(corridor);
    must(corridor, kifu_commit(corridor)); // Now all are one chain
    verify(corridor);
    strict_check = true;
    const kifu_difference difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, event);
    ck_assert_str_eq(difference.actual, "no event at all");
    kifu_destroy(corridor);
}
END_TEST

static bool no_taboo;

static kifu_result taboo(void *context, kifu_timeline *corridor, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    (void)event;
    return no_taboo ? KIFU_OK : kifu_fail(corridor, "taboo");
}

static kifu_result prepare_taboo(void *context, kifu_timeline *corridor)
{
    (void)context;
    return kifu_observe(corridor, &(kifu_observer){.react = taboo, .type = CORRIDOR_P_SAY});
}

START_TEST(H06_a_call_that_is_refused_now)
{
    kifu_timeline *corridor = corridor_new(&(kifu_options){.record_inputs = kifu_record_inputs});
    must(corridor, prepare_taboo(NULL, corridor));
    no_taboo = true;
    must(corridor, kifu_begin(corridor, KIFU_DEFERRED));
    corridor_submit_p_say(corridor, 3, 0, "hello");
    run(corridor);
    must(corridor, kifu_commit(corridor));
    must(corridor, kifu_verify_rules(corridor, prepare_taboo, NULL, NULL));
    no_taboo = false;
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_rules(corridor, prepare_taboo, NULL, &difference), KIFU_DIVERGED);
    ck_assert_str_eq(difference.actual, "refused");
    must_say(corridor, "kifu_commit was done and is now refused");
    must_say(corridor, "taboo");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(F16_a_difference_shows_the_words_of_the_schema)
{
    kifu_timeline *corridor = game();
    corridor_submit_e_strike(corridor, 0, 1, 4, CORRIDOR_MANNER_GENTLE);
    run(corridor);
    roughly = true;
    const kifu_difference difference = must_differ(corridor);
    ck_assert_str_eq(difference.field, "manner");
    ck_assert_str_eq(difference.expected, "GENTLE (0)");
    ck_assert_str_eq(difference.actual, "ROUGH (3)");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_a_state_that_was_changed)
{
    kifu_timeline *corridor = game();
    play(corridor);
    ((corridor_state *)(uintptr_t)corridor_get_state(corridor))->level = 7;
    const kifu_difference difference = must_differ(corridor);
    ck_assert_str_eq(difference.field, "level");
    ck_assert_str_eq(difference.expected, "7");
    ck_assert_str_eq(difference.actual, "1");
    kifu_destroy(corridor);
}
END_TEST

static kifu_result count_calls(kifu_timeline *corridor, int32_t number)
{
    static uint8_t calls;
    (void)number;
    *corridor_edit_level(corridor) = ++calls;
    return KIFU_OK;
}

START_TEST(H06_a_do_that_remembers)
{
    kifu_timeline *corridor = game();
    test_plan.in_do[3] = count_calls;
    play(corridor);
    const uint32_t event = kifu_event_count(corridor);
    corridor_submit_e_any(corridor, 3, 0);
    run(corridor);
    play(corridor);
    const kifu_difference difference = must_differ(corridor); // the events are the same: not the last one is to blame
    ck_assert_uint_eq(difference.event, event);
    ck_assert_str_eq(difference.name, "corridor.EAny");
    ck_assert_str_eq(difference.field, "level");
    test_plan.in_do[3] = NULL;
    kifu_destroy(corridor);
}
END_TEST

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
    kifu_destroy(other);
    other = fork_of(corridor, KIFU_PRESENT, &options);
    must_refuse(other, kifu_verify_rules(other, prepare, NULL, NULL));
    kifu_destroy(other);
    other = fork_of(corridor, 0, &options); // from its very beginning
    must(other, prepare(NULL, other));
    corridor_submit_e_initialize(other, NULL, KIFU_BY_LOT);
    corridor_submit_e_build(other);
    play(other);
    verify(other);
    kifu_destroy(other);
    kifu_destroy(corridor);
}
END_TEST

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
        corridor_submit_e_initialize(corridor, NULL, KIFU_BY_LOT);
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
        if (result == KIFU_NO_MEMORY)
            must(corridor, kifu_verify_rules(corridor, prepare, NULL, NULL));
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
        H06_an_honest_game,
        H06_an_honest_game_with_undo,
        H06_undo_of_a_part_of_an_input,
        H06_an_honest_game_with_transactions,
        H06_undo_beside_a_transaction,
        H06_undo_of_a_part_of_an_inner_transaction,
        H06_an_input_with_too_many_consequences,
        H06_rules_that_misuse_do_it_again,
        H06_while_the_past_is_shown_and_after_it,
        H06_what_an_override_changed_from_outside,
        H06_a_consequence_that_failed_before_a_transaction,
        H06_what_is_rolled_back_needs_no_memory,
        H06_after_a_log_that_could_not_be_executed_again,
        F41_verifying_takes_time_for_each_undo_alone,
        H06_a_hook_that_changed,
        H06_a_check_that_changed,
        H06_a_check_that_changed_for_what_was_undone,
        H06_a_check_that_changed_inside_a_transaction,
        H06_a_call_that_is_refused_now,
        F16_a_difference_shows_the_words_of_the_schema,
        H06_a_reaction_that_changed,
        H06_a_trigger_that_changed,
        H06_a_state_that_was_changed,
        H06_a_do_that_remembers,
        H06_what_cannot_be_verified,
        H06_a_consequence_that_waited_for_memory,
        H06_every_allocation_may_fail,
        H06_a_mark_that_was_changed_is_found_and_named,
    };
    return run_suite("verify_rules", tests, sizeof tests / sizeof *tests);
}
