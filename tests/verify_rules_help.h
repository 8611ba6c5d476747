/// What the suites of kifu_verify_rules share: rules that a test may change, and games to verify.
#ifndef TESTS_VERIFY_RULES_HELP_H
#define TESTS_VERIFY_RULES_HELP_H

#include "corridor_help.h"

// --- The rules of a test, which may change ---------------------------------------------------------------------------

static bool weak_shield, no_shield, strict_check, no_reaction, late_trigger, roughly;

// A shield takes 1 from a blow; an amulet turns a curse (a blow of 9) into healing, and shines.
static inline kifu_verdict shield(void *context, kifu_timeline *corridor, const void *state, kifu_proposed *proposed)
{
    (void)context;
    (void)state;
    (void)corridor;
    corridor_e_damage *damage = (corridor_e_damage *)proposed->event;
    damage->amount = (int16_t)(damage->amount - (weak_shield ? 0 : 1));
    return kifu_accept();
}

static inline kifu_verdict amulet(void *context, kifu_timeline *corridor, const void *state, kifu_proposed *proposed)
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

static inline kifu_result echo(void *context, kifu_timeline *corridor, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    corridor_submit_e_any(corridor, 0, (int32_t)event->index);
    return KIFU_OK;
}

static inline kifu_result bell(void *context, kifu_timeline *corridor, const void *state, const kifu_event *event,
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

static inline kifu_result prepare(void *context, kifu_timeline *corridor)
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

static inline kifu_verdict small_enough(kifu_timeline *corridor, int32_t number)
{
    (void)corridor;
    return number > (strict_check ? 5 : 50) ? kifu_reject("too large") : kifu_accept();
}

static inline kifu_timeline *game(void)
{
    const kifu_options options = {.record_inputs = kifu_record_inputs};
    test_plan.in_check[1] = small_enough;
    kifu_options with_plan = options;
    with_plan.user = &test_plan;
    kifu_timeline *corridor;
    ck_assert_int_eq(kifu_create(&corridor_rules, &with_plan, &corridor, NULL), KIFU_OK);
    must(corridor, prepare(NULL, corridor));
    corridor_submit_e_initialize(corridor, NULL); // The seed is chosen when it happens.
    corridor_submit_e_build(corridor);
    corridor_submit_e_seal(corridor, 0);
    must(corridor, kifu_run(corridor));
    return corridor;
}

static inline void verify(kifu_timeline *corridor)
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
static inline void run(kifu_timeline *corridor)
{
    while (kifu_pending_count(corridor))
        (void)!kifu_run(corridor);
}

static inline void strike(kifu_timeline *corridor, int16_t damage)
{
    corridor_submit_e_strike(corridor, 0, 1, damage, CORRIDOR_MANNER_GENTLE);
    run(corridor);
}

static inline void play(kifu_timeline *corridor)
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

/// A Do of three consequences; with `number`, undo stops before the first.
static inline kifu_result only_a_part(kifu_timeline *corridor, int32_t number)
{
    kifu_ticket ticket = corridor_submit_e_any(corridor, 0, 1);
    corridor_submit_e_any(corridor, 0, 2);
    corridor_submit_e_any(corridor, 0, 3);
    return number ? kifu_override(corridor, ticket, true, false) : KIFU_OK;
}

static inline kifu_difference must_differ(kifu_timeline *corridor)
{
    kifu_difference difference;
    const corridor_moment before = corridor_now(corridor);
    ck_assert_int_eq(kifu_verify_rules(corridor, prepare, NULL, &difference), KIFU_DIVERGED);
    must_be_then(corridor, &before);
    ck_assert_uint_eq(kifu_last_error(corridor)->event, difference.event);
    ck_assert_int_eq(kifu_verify_rules(corridor, prepare, NULL, NULL), KIFU_DIVERGED);
    return difference;
}

#endif
