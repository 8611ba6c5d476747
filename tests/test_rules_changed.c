// kifu_verify_rules on rules that changed since, or that depend on what they must not: it names event and field.

#include "suite.h"
#include "verify_rules_help.h"

// --- Rules that changed ----------------------------------------------------------------------------------------------

// Rules of PAny: the number says which.
static bool heals, shouts, tells_more, does_less;

static kifu_verdict take_detour(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    return kifu_instead(heals ? corridor_submit_e_heal(corridor, 0, 1) : corridor_submit_e_any(corridor, 0, 1));
}

static kifu_result speak(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    corridor_submit_p_say(corridor, 0, 0, shouts ? "HELLO" : tells_more ? "hello, you there" : "hello");
    return KIFU_OK;
}

static kifu_result do_three_things(kifu_timeline *corridor, int32_t number)
{
    for (int i = 0; i < (does_less ? 1 : 3); i++)
        corridor_submit_e_any(corridor, 0, number);
    return KIFU_OK;
}

static void play_any(kifu_timeline *corridor, int32_t number)
{
    corridor_submit_p_any(corridor, 2, 1, number);
    run(corridor);
}

static void play_4_40(kifu_timeline *corridor)
{
    play_any(corridor, 4);
    play_any(corridor, 40);
    strike(corridor, 4);
}

static void play_40_4(kifu_timeline *corridor)
{
    play_any(corridor, 40);
    play_any(corridor, 4);
}

static void play_40(kifu_timeline *corridor)
{
    play_any(corridor, 40);
}

static void play_40_undone_4(kifu_timeline *corridor)
{
    play_any(corridor, 40);
    must(corridor, kifu_undo(corridor));
    play_any(corridor, 4);
}

static void play_4_40_undone(kifu_timeline *corridor)
{
    play_any(corridor, 4);
    play_any(corridor, 40);
    must(corridor, kifu_undo(corridor));
}

static void play_in_transaction(kifu_timeline *corridor)
{
    must(corridor, kifu_begin(corridor, 0));
    for (int i = 0; i < 4; i++)
        play_any(corridor, i);
    play_40_4(corridor);
    must(corridor, kifu_commit(corridor)); // Now all are one chain
}

// A door, and its echo.
static void play_door(kifu_timeline *corridor)
{
    corridor_submit_p_move(corridor, 1, 0, 1);
    corridor_submit_p_move(corridor, 1, 0, 1);
    run(corridor);
}

static void play_door_and_step(kifu_timeline *corridor)
{
    play_door(corridor);
    corridor_submit_p_move(corridor, 1, 0, 1);
    run(corridor);
}

static void play_blow(kifu_timeline *corridor)
{
    strike(corridor, 4);
}

// 12 to 14 of 20 points are left: the bell rings.
static void play_heavy_blow(kifu_timeline *corridor)
{
    strike(corridor, 7);
}

static void play_detour(kifu_timeline *corridor)
{
    test_plan.in_check[4] = take_detour;
    corridor_submit_p_any(corridor, 0, 4, 0);
    run(corridor);
}

static void play_speech(kifu_timeline *corridor)
{
    test_plan.in_do[5] = speak;
    corridor_submit_p_any(corridor, 0, 5, 0);
    run(corridor);
}

static void play_override(kifu_timeline *corridor)
{
    test_plan.in_do[6] = do_three_things;
    const kifu_ticket ticket = corridor_submit_p_any(corridor, 0, 6, 0);
    must(corridor, kifu_step(corridor));
    must(corridor, kifu_override(corridor, ticket + 3, true, false));
    run(corridor);
}

static const struct {
    bool *rule; // which is `then` when the game is played, and the other way round when it is verified
    bool then;
    void (*play)(kifu_timeline *corridor);
    uint32_t event; // counted from where `play` begins
    const char *name, *field, *expected, *actual;
    const char *says;
} changes[] = {
    // Hooks
    {&weak_shield, false, play_blow, 1, "corridor.EDamage", "amount", NULL, NULL,
     "(corridor.EDamage), which event 3 (corridor.EStrike) caused: its field amount was "},
    {&no_shield, false, play_blow, 1, "corridor.EDamage", "amount", NULL, NULL, "its field amount was "},
    {&no_shield, true, play_blow, 1, "corridor.EDamage", "amount", NULL, NULL, "its field amount was "},
    {&roughly, false, play_blow, 0, "corridor.EStrike", "manner", "GENTLE (0)", "ROUGH (3)", "its field manner"},
    // A check that refuses now, and one that allows now: in the middle, and as the very last
    {&strict_check, false, play_4_40, 1, "corridor.PAny", "", "corridor.PAny", "no event at all",
     "last: corridor.PAny was rejected: too large"},
    {&strict_check, true, play_40_4, 0, "corridor.PAny", "", "no event at all", "corridor.PAny", "its type"},
    {&strict_check, true, play_40, 0, "corridor.PAny", "", "no event at all", "corridor.PAny", "its type"},
    // The same for what was undone, or for what came before that
    {&strict_check, false, play_40_undone_4, 0, NULL, "", "an event that was undone later", "no event at all",
     "too large"},
    {&strict_check, true, play_4_40_undone, 1, "corridor.PAny", "", "no event at all", "corridor.PAny", "its type"},
    {&strict_check, false, play_in_transaction, 4, "corridor.PAny", "", "corridor.PAny", "no event at all",
     "too large"},
    // A reaction that is missing, or new: in the middle, and for the very last event
    {&no_reaction, false, play_door_and_step, 2, "corridor.EAny", "", "corridor.EAny", "no event at all", "its type"},
    {&no_reaction, true, play_door_and_step, 2, "corridor.EAny", "", "no event at all", "corridor.EAny", "its type"},
    {&no_reaction, true, play_door, 2, "corridor.EAny", "", "no event at all", "corridor.EAny", "its type"},
    // A trigger
    {&late_trigger, false, play_heavy_blow, 2, "corridor.EHeal", "", "corridor.EHeal", "no event at all", "its type"},
    // What a check tries instead, and what a Do submits
    {&heals, false, play_detour, 0, "corridor.EAny", "", "corridor.EAny", "corridor.EHeal", "its type"},
    {&shouts, false, play_speech, 1, "corridor.PSay", "", NULL, NULL, "the size or content of its strings"},
    {&tells_more, false, play_speech, 1, "corridor.PSay", "", NULL, NULL, "the size or content of its strings"},
    {&does_less, false, play_override, 2, "corridor.EAny", "", "corridor.EAny", "no event at all", "its type"},
};

START_TEST(H06_the_values_then_and_now_are_named)
{
    kifu_timeline *corridor = game();
    play_blow(corridor);
    kifu_event event;
    ck_assert(kifu_event_at(corridor, kifu_event_count(corridor) - 1, &event));
    const int amount = ((const corridor_e_damage *)event.table)->amount;
    weak_shield = true;
    const kifu_difference difference = must_differ(corridor);
    ck_assert_uint_eq(difference.event, event.index);
    ck_assert_int_eq(atoi(difference.expected), amount);
    ck_assert_int_eq(atoi(difference.actual), amount + 1);
    char says[80];
    snprintf(says, sizeof says, "its field amount was %d and is now %d.", amount, amount + 1);
    must_say(corridor, says);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_a_rule_that_changed_is_found_at_the_first_event_that_differs)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        *changes[i].rule = changes[i].then;
        kifu_timeline *corridor = game();
        const uint32_t from = kifu_event_count(corridor);
        changes[i].play(corridor);
        verify(corridor);
        *changes[i].rule = !changes[i].then;
        const kifu_difference difference = must_differ(corridor);
        must_say(corridor, changes[i].says);
        *changes[i].rule = changes[i].then;
        verify(corridor);
        *changes[i].rule = false;
        ck_assert_msg(difference.event == from + changes[i].event, "change %zu: event %u", i, difference.event - from);
        ck_assert_uint_eq(difference.first, difference.event);
        ck_assert_pstr_eq(difference.name, changes[i].name);
        ck_assert_str_eq(difference.field, changes[i].field);
        if (changes[i].expected) {
            ck_assert_str_eq(difference.expected, changes[i].expected);
            ck_assert_str_eq(difference.actual, changes[i].actual);
        }
        kifu_destroy(corridor);
    }
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
    ck_assert_uint_eq(difference.event, kifu_event_count(corridor) - 1);
    ck_assert_str_eq(difference.name, "corridor.PSay");
    ck_assert_str_eq(difference.actual, "refused");
    must_say(corridor, "kifu_commit was done and is now refused");
    must_say(corridor, "taboo");
    kifu_destroy(corridor);
}
END_TEST

static unsigned calls;

static kifu_result fail_the_fourth_time(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    return ++calls == 4 ? kifu_fail(corridor, "once too often") : KIFU_OK;
}

START_TEST(H06_a_call_that_is_refused_before_any_event)
{
    const kifu_options options = {.record_inputs = kifu_record_inputs, .user = &test_plan};
    kifu_timeline *corridor;
    ck_assert_int_eq(kifu_create(&corridor_rules, &options, &corridor, NULL), KIFU_OK);
    test_plan.in_do[2] = fail_the_fourth_time;
    corridor_submit_p_any(corridor, 0, 2, 0);
    run(corridor);
    must(corridor, kifu_undo(corridor));
    must(corridor, kifu_redo(corridor));
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_rules(corridor, NULL, NULL, &difference), KIFU_DIVERGED);
    ck_assert_uint_eq(difference.event, KIFU_NONE);
    ck_assert_ptr_null(difference.name);
    must_say(corridor, "kifu_redo was done and is now refused");
    must_say(corridor, "once too often");
    kifu_destroy(corridor);
}
END_TEST

static kifu_result prepare_nothing(kifu_timeline *corridor)
{
    (void)corridor;
    return KIFU_OK;
}

static kifu_result prepare_nothing_now(void *context, kifu_timeline *corridor)
{
    (void)context;
    return prepare_nothing(corridor);
}

// Where nobody has said what hooks, reactions and triggers there were, that may be why.
START_TEST(H06_hooks_that_were_not_given_are_thought_of)
{
    static const kifu_observer observers[] = {{.react = echo, .type = CORRIDOR_P_OPEN}};
    static const struct {
        kifu_options options;
        kifu_result (*prepare)(void *context, kifu_timeline *timeline);
        bool thought_of;
    } cases[] = {{.thought_of = true},
                 {.prepare = prepare_nothing_now},
                 {.options.prepare = prepare_nothing},
                 {.options.observers = KIFU_OBSERVERS(observers)}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_options options = cases[i].options;
        options.record_inputs = kifu_record_inputs;
        shouts = false;
        kifu_timeline *corridor = corridor_new(&options);
        play_speech(corridor);
        shouts = true;
        ck_assert_int_eq(kifu_verify_rules(corridor, cases[i].prepare, NULL, NULL), KIFU_DIVERGED);
        const char *says = strstr(kifu_last_error(corridor)->message, "were added: give them");
        ck_assert((says != NULL) == cases[i].thought_of);
        kifu_destroy(corridor);
    }
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

static kifu_result differ_the_second_time(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    *corridor_edit_level(corridor) = ++calls == 2 ? 9 : 3;
    return KIFU_OK;
}

START_TEST(H06_a_do_that_a_replay_acquits)
{
    kifu_timeline *corridor = game();
    test_plan.in_do[3] = differ_the_second_time;
    play(corridor);
    corridor_submit_e_any(corridor, 3, 0);
    run(corridor);
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_rules(corridor, prepare, NULL, &difference), KIFU_DIVERGED);
    ck_assert_uint_eq(difference.event, kifu_event_count(corridor) - 1);
    ck_assert_str_eq(difference.name, "corridor.EAny");
    must_say(corridor, "after it the state's level was 3 and is now 9");
    kifu_destroy(corridor);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        H06_the_values_then_and_now_are_named,
        H06_a_rule_that_changed_is_found_at_the_first_event_that_differs,
        H06_a_call_that_is_refused_now,
        H06_a_call_that_is_refused_before_any_event,
        H06_hooks_that_were_not_given_are_thought_of,
        H06_a_state_that_was_changed,
        H06_a_do_that_remembers,
        H06_a_do_that_a_replay_acquits,
    };
    return run_suite("rules changed", tests, sizeof tests / sizeof *tests);
}
