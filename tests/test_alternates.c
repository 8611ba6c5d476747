// What is tried instead: from a check, from a Do; for inputs and for consequences. (From hooks: test_hooks.c.)

#include "corridor_help.h"
#include "suite.h"

static kifu_event event_of(const kifu_timeline *corridor, uint32_t index)
{
    kifu_event event;
    must_be(kifu_event_at(corridor, index, &event));
    return event;
}

START_TEST(L05_success_failure_or_an_alternate)
{
    kifu_timeline *corridor = corridor_new(NULL);
    told told;
    const uint32_t from = kifu_event_count(corridor);
    must(corridor, corridor_run(corridor, corridor_submit_p_move(corridor, 2, 0, 1), &told));
    ck_assert(told.calls == 1 && told.outcome.result == KIFU_OK && told.outcome.event == from);
    ck_assert(told.outcome.type == CORRIDOR_P_MOVE && !told.outcome.error && told.outcome.scope == KIFU_NONE);
    must(corridor, corridor_run(corridor, corridor_submit_p_move(corridor, 2, 0, 1), &told)); // a door
    ck_assert(told.calls == 1 && told.outcome.result == KIFU_OK && told.outcome.event == from + 1);
    ck_assert_uint_eq(told.outcome.type, CORRIDOR_P_OPEN);
    ck_assert_int_eq(event_of(corridor, from + 1).player, 2);
    ck_assert_uint_eq(corridor_person_at(corridor, 0)->cell, 3);
    for (int i = 0; i < 2; i++)
        must(corridor, corridor_run(corridor, corridor_submit_p_move(corridor, 2, 0, 1), &told));
    must(corridor, corridor_run(corridor, corridor_submit_p_move(corridor, 2, 0, 1), &told)); // somebody
    ck_assert_uint_eq(told.outcome.type, CORRIDOR_E_STRIKE);
    ck_assert_int_lt(corridor_person_at(corridor, 1)->hp, 20);
    must(corridor, corridor_run(corridor, corridor_submit_p_move(corridor, 2, 0, 0), &told)); // nowhere
    ck_assert_uint_eq(told.outcome.type, CORRIDOR_P_REST);
    ck_assert_str_eq(corridor_log(corridor, from), "PMove POpen PMove PMove EStrike EDamage PRest");
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_move(corridor, 2, 0, -5), &told), KIFU_REJECTED);
    ck_assert(told.outcome.result == KIFU_REJECTED && told.outcome.event == KIFU_NONE);
    ck_assert_str_eq(told.message, "corridor.PMove was rejected: there is a wall");
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(L12_a_door_that_is_locked_refuses_what_was_a_step)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const corridor_moment before = corridor_now(corridor);
    told told;
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_move(corridor, 0, 1, 2), &told), KIFU_REJECTED);
    must_say(corridor, "corridor.POpen was rejected: it is locked");
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(corridor)), "it is locked");
    ck_assert(told.outcome.type == CORRIDOR_P_OPEN && told.outcome.result == KIFU_REJECTED);
    must_be_then(corridor, &before);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(M07_X03_what_would_be_tried_instead_is_asked_too)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const corridor_moment before = corridor_now(corridor);
    ck_assert(!corridor_can_p_move(corridor, 0, 1, 2)); // a door that is locked
    ck_assert_int_eq(kifu_last_error(corridor)->result, KIFU_REJECTED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(corridor)), "it is locked");
    ck_assert(!corridor_can_p_move(corridor, 0, 0, -5)); // a wall
    ck_assert(corridor_can_p_move(corridor, 0, 0, 2));   // a door
    ck_assert(corridor_can_p_move(corridor, 0, 0, 0));   // nowhere: a rest
    ck_assert(corridor_can_p_use(corridor, 0, 0, 2));    // Its Do alone knows what it is.
    must_be_then(corridor, &before);
    kifu_destroy(corridor);
}
END_TEST

static kifu_verdict heal_instead(kifu_timeline *corridor, int32_t number)
{
    return kifu_instead(corridor_submit_e_heal(corridor, 0, (int16_t)number));
}

static kifu_verdict refuse_to_heal(void *context, kifu_timeline *corridor, const void *state, kifu_proposed *proposed)
{
    (void)context, (void)corridor, (void)state, (void)proposed;
    return kifu_reject("no healing here");
}

// It has no check of its own.
START_TEST(M08_X03_hooks_of_what_would_be_tried_instead_are_asked_too)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const uint8_t what = corridor_what(heal_instead, NULL);
    ck_assert(corridor_can_p_any(corridor, 0, what, 1));
    must(corridor, kifu_observe(corridor, &(kifu_observer){.hook = refuse_to_heal,
                                                           .name = "the healer",
                                                           .type = CORRIDOR_E_HEAL,
                                                           .scope = CORRIDOR_SCOPE_TARGET,
                                                           .subject = KIFU_ANY_SUBJECT}));
    ck_assert(!corridor_can_p_any(corridor, 0, what, 1));
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(corridor)), "no healing here");
    kifu_destroy(corridor);
}
END_TEST

static const char *long_reason;

static kifu_verdict refuse_at_length(kifu_timeline *corridor, int32_t number)
{
    (void)corridor;
    (void)number;
    return kifu_reject(long_reason);
}

// A reason that the message has no room for is cut off; then the whole message is for the player.
START_TEST(L12_a_reason_of_any_length_is_told_as_far_as_there_is_room)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const uint8_t what = corridor_what(refuse_at_length, NULL);
    char numbers[1001];
    for (int i = 0; i < 200; i++)
        snprintf(numbers + 5 * i, 6, "%04d ", i);
    static const struct {
        int length;
        bool fits;
    } cases[] = {{1, true}, {100, true}, {490, false}, {499, false}, {500, false}, {1000, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char reason[1001];
        snprintf(reason, sizeof reason, "%.*s", cases[i].length, numbers);
        long_reason = reason;
        corridor_submit_p_any(corridor, 0, what, 0);
        ck_assert_int_eq(kifu_run(corridor), KIFU_REJECTED);
        const char *told = kifu_error_reason(kifu_last_error(corridor));
        ck_assert_ptr_nonnull(strstr(kifu_last_error(corridor)->message, "corridor.PAny was rejected: 0"));
        if (cases[i].fits)
            ck_assert_str_eq(told, reason);
        else
            ck_assert_ptr_eq(told, kifu_last_error(corridor)->message);
    }
    kifu_destroy(corridor);
}
END_TEST

START_TEST(L05_a_do_finds_out_late_what_it_is)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const corridor_state before = *corridor_get_state(corridor);
    const uint32_t from = kifu_event_count(corridor);
    told told;
    must(corridor, corridor_run(corridor, corridor_submit_p_use(corridor, 1, 0, 1), &told));
    ck_assert(told.calls == 1 && told.outcome.type == CORRIDOR_E_HEAL && told.outcome.event == from);
    ck_assert_str_eq(corridor_log(corridor, from), "EHeal");
    corridor_state expected = before; // and nothing of PUse: no number drawn, nothing counted, nothing queued
    expected.people[0].hp += 3;
    expected.trace[before.traced % 16] = -3;
    expected.traced++;
    ck_assert(!memcmp(&expected, corridor_get_state(corridor), sizeof expected));
    // Through two Do functions and two checks: a use, a step, a door.
    *(corridor_state *)&expected = *corridor_get_state(corridor);
    must(corridor, corridor_run(corridor, corridor_submit_p_use(corridor, 1, 0, 2), &told));
    must(corridor, corridor_run(corridor, corridor_submit_p_use(corridor, 1, 0, 2), &told));
    ck_assert(told.calls == 1 && told.outcome.type == CORRIDOR_P_OPEN);
    ck_assert_str_eq(corridor_log(corridor, from), "EHeal PMove POpen");
    ck_assert_int_eq(event_of(corridor, from + 2).player, 1);
    ck_assert(!memcmp(&expected.game.rng, &corridor_get_state(corridor)->game.rng, sizeof expected.game.rng));
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(L06_what_failed_leaves_nothing)
{
    kifu_timeline *corridor = corridor_new(NULL);
    told told;
    corridor_submit_p_rest(corridor, 0, 0);
    must(corridor, kifu_run(corridor));
    corridor_submit_p_rest(corridor, 0, 0);
    must(corridor, kifu_run(corridor));
    must(corridor, kifu_undo(corridor));
    must_be(kifu_can_redo(corridor, NULL) == 1);
    corridor_moment before = corridor_now(corridor);
    // A check that refuses, also after alternates, leaves even redo.
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_move(corridor, 0, 1, 2), &told), KIFU_REJECTED);
    must_be_then(corridor, &before);
    // A Do ends redo, as every new event; nothing else.
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_use(corridor, 0, 0, 3), &told), KIFU_FAILED);
    ck_assert(told.calls == 1 && told.outcome.result == KIFU_FAILED && told.outcome.event == KIFU_NONE);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(corridor)), "it is broken");
    before.redo = 0;
    must_be_then(corridor, &before);
    // A use becomes a step, which becomes a door that is locked: both are taken back.
    for (int i = 0; i < 2; i++)
        corridor_submit_p_use(corridor, 0, 1, 2);
    must(corridor, kifu_step(corridor));
    before = corridor_now(corridor);
    before.pending = 0;
    ck_assert_int_eq(kifu_run(corridor), KIFU_REJECTED);
    must_say(corridor, "it is locked");
    must_be_then(corridor, &before);
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

// --- Cycles ----------------------------------------------------------------------------------------------------------

static uint8_t a_check, b_check;

static kifu_verdict b_instead(kifu_timeline *corridor, int32_t number)
{
    return kifu_instead(corridor_submit_e_any(corridor, b_check, number + 1));
}

static kifu_verdict a_instead(kifu_timeline *corridor, int32_t number)
{
    return kifu_instead(corridor_submit_p_any(corridor, kifu_player(corridor), a_check, number + 1));
}

static kifu_result rather_an_any(kifu_timeline *corridor, int32_t number)
{
    return kifu_fail_instead(corridor, corridor_submit_e_any(corridor, 0, number + 1));
}

// The sync test executes the Do again, and submits nothing then.
START_TEST(L05_an_alternate_of_a_do_passes_the_sync_test)
{
    kifu_timeline *corridor = corridor_new(&(kifu_options){.sync_test = kifu_sync_test});
    const uint32_t from = kifu_event_count(corridor);
    corridor_submit_p_any(corridor, 0, corridor_what(NULL, rather_an_any), 1);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(corridor_log(corridor, from), "EAny");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(L05_a_cycle_of_alternates_stops_with_an_error)
{
    kifu_timeline *corridor = corridor_new(NULL);
    told told;
    a_check = corridor_what(b_instead, NULL); // a PAny is rather an EAny,
    b_check = corridor_what(a_instead, NULL); // and that rather a PAny
    const corridor_moment before = corridor_now(corridor);
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_any(corridor, 3, a_check, 0), &told), KIFU_RUNAWAY);
    must_say(corridor, "corridor.PAny did not happen: more than 16 events were tried in its place, at last "
                       "corridor.EAny -> corridor.PAny -> corridor.EAny -> corridor.PAny -> corridor.EAny;");
    ck_assert(told.calls == 1 && told.outcome.result == KIFU_RUNAWAY && told.outcome.event == KIFU_NONE);
    must_be_then(corridor, &before);
    // From a Do, too.
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_use(corridor, 3, 0, 5), &told), KIFU_RUNAWAY);
    must_say(corridor, "corridor.PUse did not happen");
    must_be_then(corridor, &before);
    corridor_submit_p_rest(corridor, 0, 0);
    must(corridor, kifu_run(corridor));
    kifu_destroy(corridor);
}
END_TEST

// A message holds as much of it as there is room for.
START_TEST(L05_a_cycle_of_alternates_with_long_names_stops_with_an_error)
{
    char name[321];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    kifu__table table = *corridor_rules.types[CORRIDOR_P_ANY].table;
    table.name = name;
    kifu__type types[256];
    memcpy(types, corridor_rules.types, (corridor_rules.type_count + 1) * sizeof *types);
    types[CORRIDOR_P_ANY].table = &table;
    kifu_rules rules = corridor_rules;
    rules.types = types;
    const kifu_options options = {.user = &test_plan};
    kifu_timeline *corridor;
    ck_assert_int_eq(kifu_create(&rules, &options, &corridor, NULL), KIFU_OK);
    a_check = corridor_what(b_instead, NULL);
    b_check = corridor_what(a_instead, NULL);
    for (int i = 0; i < 2; i++) {
        if (i)
            corridor_submit_e_any(corridor, b_check, 0);
        else
            corridor_submit_p_any(corridor, 0, a_check, 0);
        ck_assert_int_eq(kifu_run(corridor), KIFU_RUNAWAY);
        must_say(corridor, " did not happen: more than 16 events were tried in its place, at last ");
        must_say(corridor, "nnnnnnnn");
        ck_assert_uint_eq(kifu_event_count(corridor), 0);
    }
    kifu_destroy(corridor);
}
END_TEST

static int32_t links;

static kifu_verdict count_down(kifu_timeline *corridor, int32_t number)
{
    return number < links ? kifu_instead(corridor_submit_e_any(corridor, a_check, number + 1)) : kifu_accept();
}

START_TEST(L05_as_many_alternates_as_the_options_say)
{
    for (uint32_t most = 1; most < 20; most += most == 1 ? 4 : 11) {
        const kifu_options options = {.max_alternates = most == 16 ? 0 : most};
        kifu_timeline *corridor = corridor_new(&options);
        a_check = corridor_what(count_down, NULL);
        links = (int32_t)most;
        corridor_submit_p_any(corridor, 0, a_check, 0);
        must(corridor, kifu_run(corridor));
        ck_assert_int_eq(corridor_get_state(corridor)->trace[1], links);
        links++;
        const corridor_moment before = corridor_now(corridor);
        corridor_submit_p_any(corridor, 0, a_check, 0);
        ck_assert_int_eq(kifu_run(corridor), KIFU_RUNAWAY);
        must_be_then(corridor, &before);
        kifu_destroy(corridor);
    }
}
END_TEST

// --- In its place ----------------------------------------------------------------------------------------------------

static kifu_result one_after_the_other(kifu_timeline *corridor, int32_t number)
{
    corridor_submit_e_move(corridor, 0, 0);
    corridor_submit_e_move(corridor, 0, 1);
    corridor_submit_e_any(corridor, 0, number);
    return KIFU_OK;
}

START_TEST(L05_an_alternate_of_a_consequence_comes_in_its_place)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const uint32_t from = kifu_event_count(corridor);
    corridor_submit_p_any(corridor, 4, corridor_what(NULL, one_after_the_other), 5);
    corridor_submit_p_rest(corridor, 1, 0);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(corridor_log(corridor, from), "PAny PRest EMove EAny PRest");
    kifu_event event = event_of(corridor, from + 1);
    ck_assert(event.cause == from && event.player == -1); // that of the EMove
    ck_assert_uint_eq(event_of(corridor, from + 4).cause, KIFU_NONE);
    // A Do pushes somebody into a door.
    corridor_submit_p_use(corridor, 0, 1, 4);
    corridor_submit_p_use(corridor, 0, 1, 4);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(corridor_log(corridor, from + 5), "PUse EHeal EMove PUse EHeal POpen");
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(L05_flags_of_an_alternate)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const uint32_t from = kifu_event_count(corridor);
    // Undo stops where a player decided, whatever came of it.
    corridor_submit_p_use(corridor, 0, 0, 1);
    must(corridor, kifu_run(corridor));
    ck_assert_uint_eq(event_of(corridor, from).flags, KIFU_UNDOABLE);
    ck_assert_uint_eq(kifu_can_undo(corridor, NULL), 1);
    // What was overridden goes over.
    must(corridor, kifu_override(corridor, corridor_submit_p_move(corridor, 0, 0, 0), false, true));
    must(corridor, kifu_run(corridor));
    ck_assert_uint_eq(event_of(corridor, from + 1).flags, KIFU_CONTINUE_UNDO);
    ck_assert_uint_eq(kifu_can_undo(corridor, NULL), 0);
    // An alternate of the rules' own event, too.
    corridor_submit_e_move(corridor, 0, 0);
    must(corridor, kifu_run(corridor));
    ck_assert_uint_eq(event_of(corridor, from + 2).flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO);
    kifu_destroy(corridor);
}
END_TEST

static kifu_result say_instead_overridden(kifu_timeline *corridor, int32_t number)
{
    const kifu_ticket ticket = corridor_submit_p_say(corridor, 0, 0, "well");
    must(corridor, kifu_override(corridor, ticket, number & 1, number & 2));
    return kifu_fail_instead(corridor, ticket);
}

// What the Do says of the alternate counts, but not more than what the player's event was told.
START_TEST(U02_an_alternate_has_the_flags_that_a_do_gives_it)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const uint8_t what = corridor_what(NULL, say_instead_overridden);
    static const uint8_t flags[] = {0, KIFU_UNDOABLE, KIFU_CONTINUE_UNDO, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO};
    for (int32_t i = 0; i < 4; i++) {
        const uint32_t event = kifu_event_count(corridor);
        corridor_submit_p_any(corridor, 0, what, i);
        must(corridor, kifu_run(corridor));
        ck_assert_str_eq(corridor_log(corridor, event), "PSay");
        ck_assert_uint_eq(event_of(corridor, event).flags, flags[i]);
    }
    const uint32_t event = kifu_event_count(corridor);
    must(corridor, kifu_override(corridor, corridor_submit_p_any(corridor, 0, what, 3), true, false));
    must(corridor, kifu_run(corridor));
    ck_assert_uint_eq(event_of(corridor, event).flags, KIFU_UNDOABLE);
    kifu_destroy(corridor);
}
END_TEST

static kifu_verdict for_somebody_else(kifu_timeline *corridor, int32_t number)
{
    return kifu_instead(corridor_submit_p_rest(corridor, (int8_t)number, 0));
}

START_TEST(L12_what_a_players_action_becomes_is_the_players)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const uint32_t from = kifu_event_count(corridor);
    corridor_submit_p_any(corridor, 2, corridor_what(for_somebody_else, NULL), 5);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(corridor_log(corridor, from), "PRest");
    ck_assert_int_eq(event_of(corridor, from).player, 2);
    kifu_destroy(corridor);
}
END_TEST

static kifu_verdict by_player_one(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    return kifu_instead(corridor_submit_p_rest(corridor, 1, 0));
}

// The rules' own event is nobody's: what is tried in its place is the player's that it was submitted for.
START_TEST(F10_what_an_engine_event_becomes_is_its_own_players)
{
    kifu_timeline *corridor = corridor_new(NULL);
    for (uint8_t i = 0; i < 2; i++)
        corridor_submit_e_add_player(corridor, i, 0);
    must(corridor, kifu_run(corridor));
    const uint32_t from = kifu_event_count(corridor);
    corridor_submit_e_any(corridor, corridor_what(by_player_one, NULL), 5);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(corridor_log(corridor, from), "PRest");
    ck_assert_int_eq(event_of(corridor, from).player, 1);
    kifu_destroy(corridor);
}
END_TEST

static kifu_verdict seal_instead(kifu_timeline *corridor, int32_t number)
{
    return kifu_instead(corridor_submit_e_seal(corridor, number));
}

START_TEST(L05_what_is_never_undoable_is_not_as_an_alternate)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const uint32_t from = kifu_event_count(corridor);
    kifu_ticket ticket = corridor_submit_p_any(corridor, 0, corridor_what(seal_instead, NULL), 0);
    must(corridor, kifu_override(corridor, ticket, true, false));
    must(corridor, kifu_run(corridor));
    ck_assert_uint_eq(event_of(corridor, from).flags, 0);
    ck_assert_int_eq(kifu_undo(corridor), KIFU_NOT_UNDOABLE);
    kifu_destroy(corridor);
}
END_TEST

// --- With everything else --------------------------------------------------------------------------------------------

static kifu_result count_reactions(void *context, kifu_timeline *corridor, const void *state, const kifu_event *event)
{
    (void)state;
    ++*(int *)context;
    if (event->type == CORRIDOR_P_OPEN)
        corridor_submit_e_any(corridor, 0, 77);
    return KIFU_OK;
}

// Some of everything; the same whatever watches.
static uint64_t play_some(kifu_timeline *corridor)
{
    int reactions = 0;
    must(corridor, kifu_observe(corridor, &(kifu_observer){.react = count_reactions, .context = &reactions}));
    for (uint8_t i = 0; i < 12; i++) {
        corridor_submit_p_use(corridor, 0, i % 2, i % 6);
        corridor_submit_p_move(corridor, 1, i % 2, (int8_t)(i % 3 - 1));
        for (int result = 1; result;)
            result = kifu_run(corridor) != KIFU_OK;
    }
    must(corridor, kifu_remove_observers(corridor, &reactions));
    return kifu_state_hash(corridor);
}

START_TEST(L05_alternates_under_the_sync_test)
{
    const kifu_options options = {.sync_test = kifu_sync_test, .hash_interval = 1};
    kifu_timeline *plain = corridor_new(NULL), *corridor = corridor_new(&options);
    ck_assert_uint_eq(play_some(corridor), play_some(plain));
    ck_assert_uint_eq(kifu_event_count(corridor), kifu_event_count(plain));
    ck_assert_uint_gt(kifu_event_count(plain), 20);
    must(corridor, kifu_verify_replay(corridor, NULL));
    must_replay(plain);
    kifu_destroy(plain);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(L05_alternates_in_transactions_and_marks)
{
    kifu_timeline *corridor = corridor_new(NULL), *plain = corridor_new(NULL);
    follower eye;
    follow_state(&eye, corridor);
    const corridor_moment before = corridor_now(corridor);
    must(corridor, kifu_begin(corridor, 0));
    play_some(corridor);
    must_have_followed(&eye, corridor);
    must(corridor, kifu_roll_back(corridor));
    must_have_followed(&eye, corridor);
    must_be_then(corridor, &before);
    must(corridor, kifu_begin(corridor, KIFU_SEARCH));
    play_some(corridor);
    must(corridor, kifu_roll_back(corridor));
    must_be_then(corridor, &before);
    must(corridor, kifu_begin(corridor, 0));
    ck_assert_uint_eq(play_some(corridor), play_some(plain));
    must(corridor, kifu_commit(corridor));
    must_replay(corridor);
    kifu_destroy(corridor);
    kifu_destroy(plain);
}
END_TEST

START_TEST(L05_deferred_reactions_hear_of_the_alternate_alone)
{
    kifu_timeline *corridor = corridor_new(NULL);
    int reactions = 0;
    must(corridor, kifu_observe(corridor, &(kifu_observer){.react = count_reactions, .context = &reactions}));
    const uint32_t from = kifu_event_count(corridor);
    must(corridor, kifu_begin(corridor, KIFU_DEFERRED));
    corridor_submit_p_use(corridor, 0, 0, 2); // a step
    corridor_submit_p_use(corridor, 0, 0, 2); // a door
    must(corridor, kifu_run(corridor));
    ck_assert_int_eq(reactions, 0);
    must(corridor, kifu_commit(corridor));
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(corridor_log(corridor, from), "PMove POpen EAny");
    ck_assert_int_eq(reactions, 3);
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

static kifu_result refuse_doors(void *context, kifu_timeline *corridor, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    (void)event;
    return kifu_fail(corridor, "no doors today");
}

START_TEST(T05_a_reaction_takes_an_alternate_back)
{
    kifu_timeline *corridor = corridor_new(NULL);
    must(corridor, kifu_observe(corridor, &(kifu_observer){.react = refuse_doors, .type = CORRIDOR_P_OPEN}));
    corridor_submit_p_move(corridor, 0, 0, 1);
    must(corridor, kifu_run(corridor));
    const corridor_moment before = corridor_now(corridor);
    told told;
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_use(corridor, 0, 0, 2), &told), KIFU_FAILED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(corridor)), "no doors today");
    ck_assert(told.calls == 1 && told.outcome.type == CORRIDOR_P_OPEN && told.outcome.result == KIFU_FAILED);
    must_be_then(corridor, &before);
    kifu_destroy(corridor);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

// The log at the end, with as much memory as there is.
static void live(test_memory *memory, char *log)
{
    const kifu_options options = {.allocate = test_allocate, .allocate_context = memory};
    long limit = memory->until_failure;
    memory->until_failure = -1;
    kifu_timeline *corridor = corridor_new(&options);
    memory->until_failure = limit;
    const uint32_t from = kifu_event_count(corridor);
    static const int8_t steps[] = {1, 1, 1, 1, 1, 0};
    for (size_t i = 0; i < 2 * sizeof steps; i++) {
        const uint32_t before = kifu_event_count(corridor);
        for (int tries = 0; kifu_event_count(corridor) == before; tries++) {
            must_be(tries < 3);
            const corridor_moment then = corridor_now(corridor);
            if (!kifu_pending_count(corridor)) {
                if (i % 2)
                    corridor_submit_p_use(corridor, 0, 0, 2);
                else
                    corridor_submit_p_move(corridor, 0, 0, steps[i / 2]);
            }
            kifu_result result = kifu_run(corridor);
            if (result == KIFU_NO_MEMORY && kifu_event_count(corridor) == before)
                must_be(!memcmp(&then.state, corridor_get_state(corridor), sizeof then.state));
            must_be(result == KIFU_OK || (result == KIFU_NO_MEMORY && memory->failed) || result == KIFU_REJECTED);
            if (result == KIFU_REJECTED)
                break;
        }
        must(corridor, kifu_run(corridor));
    }
    strcpy(log, corridor_log(corridor, from));
    memory->until_failure = -1;
    must_replay(corridor);
    kifu_destroy(corridor);
    ck_assert_int_eq(memory->blocks, 0);
}

START_TEST(L06_every_allocation_may_fail)
{
    char expected[8000], log[8000];
    test_memory enough = {.until_failure = 100000};
    live(&enough, expected);
    bool failed = true;
    for (long i = 0; failed; i++) {
        test_memory memory = {.until_failure = i};
        live(&memory, log);
        failed = memory.failed;
        // One input may be lost where an EDamage was: the blow happened, and not the harm.
        if (strlen(log) == strlen(expected))
            ck_assert_str_eq(log, expected);
    }
}
END_TEST

START_TEST(L05_an_input_waits_until_there_is_memory_for_what_it_becomes)
{
    bool failed = true;
    for (long i = 0; failed; i++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *corridor = corridor_new(&options);
        corridor_submit_p_move(corridor, 0, 1, -2); // into a door
        memory.until_failure = i;
        const kifu_result result = kifu_run(corridor);
        failed = memory.failed;
        if (failed) {
            ck_assert_int_eq(result, KIFU_NO_MEMORY);
            ck_assert_uint_eq(kifu_pending_count(corridor), 1);
        }
        must(corridor, kifu_run(corridor));
        ck_assert_uint_eq(corridor_get_state(corridor)->acted, 1);
        kifu_destroy(corridor);
        must_be(memory.blocks == 0);
    }
}
END_TEST

enum { LONG_TEXT = 1000 };

static kifu_result say_much_instead(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    char text[LONG_TEXT + 1];
    memset(text, 'a', LONG_TEXT);
    text[LONG_TEXT] = '\0';
    return kifu_fail_instead(corridor, corridor_submit_p_say(corridor, 0, 0, text));
}

// By then the Do of the event has run, which no longer waits. The alternate needs more room in the log than it did.
START_TEST(L06_an_event_without_memory_for_what_its_do_wants_instead_is_gone)
{
    unsigned lost = 0;
    bool failed = true;
    for (long i = 0; failed; i++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *corridor = corridor_new(&options);
        const corridor_moment before = corridor_now(corridor);
        kifu_ticket ticket = corridor_submit_p_any(corridor, 0, corridor_what(NULL, say_much_instead), 0);
        told told = {.calls = 0};
        must(corridor, kifu_follow(corridor, ticket, keep_outcome, &told));
        memory.until_failure = i;
        const kifu_result result = kifu_run(corridor);
        failed = memory.failed;
        ck_assert(result == KIFU_OK || (failed && result == KIFU_NO_MEMORY)); // It can do without some memory.
        if (result && told.calls) {
            lost += strstr(told.message, "the event is gone") != NULL;
            ck_assert(told.outcome.result == KIFU_NO_MEMORY && told.outcome.event == KIFU_NONE);
            ck_assert_str_eq(told.message, kifu_last_error(corridor)->message);
            must_be_then(corridor, &before);
        }
        ck_assert_uint_eq(kifu_pending_count(corridor), !told.calls);
        must(corridor, kifu_run(corridor));
        ck_assert_uint_eq(told.calls, 1);
        kifu_destroy(corridor);
        must_be(memory.blocks == 0);
    }
    ck_assert_uint_ge(lost, 1);
}
END_TEST

START_TEST(L05_alternates_allocate_nothing_in_steady_state)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {
        .allocate = test_allocate, .allocate_context = &memory, .quiet = true, .keyframe_bytes = 1};
    kifu_timeline *corridor = corridor_new(&options);
    long calls = 0;
    for (int round = 0; round < 3; round++) {
        calls = memory.calls;
        must(corridor, kifu_begin(corridor, KIFU_SEARCH));
        play_some(corridor);
        must(corridor, kifu_roll_back(corridor));
    }
    ck_assert_int_eq(memory.calls, calls);
    kifu_destroy(corridor);
}
END_TEST

// --- Misuse ----------------------------------------------------------------------------------------------------------

static kifu_ticket foreign;

static kifu_verdict a_foreign_ticket(kifu_timeline *corridor, int32_t number)
{
    (void)corridor;
    (void)number;
    return kifu_instead(foreign);
}

static kifu_verdict two_submits(kifu_timeline *corridor, int32_t number)
{
    corridor_submit_e_any(corridor, 0, number);
    return kifu_instead(corridor_submit_e_any(corridor, 0, number));
}

static kifu_verdict a_lost_submit(kifu_timeline *corridor, int32_t number)
{
    corridor_submit_e_any(corridor, 0, number);
    return number ? kifu_reject("and yet") : kifu_accept();
}

static kifu_verdict an_edit(kifu_timeline *corridor, int32_t number)
{
    *corridor_edit_level(corridor) = (uint32_t)number;
    return kifu_accept();
}

static kifu_verdict a_random_number(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    kifu_random_below(corridor, 6);
    return kifu_accept();
}

static kifu_verdict a_run(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    ck_assert_int_eq(kifu_run(corridor), KIFU_MISUSE);
    return kifu_accept();
}

static kifu_verdict an_undo(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    ck_assert_int_eq(kifu_undo(corridor), KIFU_MISUSE);
    return kifu_accept();
}

static kifu_verdict a_late_failure(kifu_timeline *corridor, int32_t number)
{
    ck_assert_int_eq(kifu_fail_instead(corridor, corridor_submit_e_any(corridor, 0, number)), KIFU_FAILED);
    return kifu_accept();
}

static kifu_verdict an_overriding(kifu_timeline *corridor, int32_t number)
{
    kifu_ticket ticket = corridor_submit_e_any(corridor, 0, number);
    ck_assert_int_eq(kifu_override(corridor, ticket, false, false), KIFU_MISUSE);
    return kifu_instead(ticket);
}

static kifu_verdict an_invalid_alternate(kifu_timeline *corridor, int32_t number)
{
    return kifu_instead(corridor_submit_e_strike(corridor, 0, 1, 1, (corridor_manner)(2 + number)));
}

START_TEST(L05_misuse_in_a_check_is_told)
{
    static corridor_in_check *const misused[] = {
        a_foreign_ticket, two_submits,    a_lost_submit, an_edit, a_random_number, a_run,
        an_undo,          a_late_failure, an_overriding,
    };
    kifu_timeline *corridor = corridor_new(NULL);
    const corridor_moment before = corridor_now(corridor);
    for (size_t i = 0; i < 2 * sizeof misused / sizeof *misused; i++) {
        test_plan.in_check[1] = misused[i / 2];
        kifu_ticket ticket = corridor_submit_p_any(corridor, 0, 1, i % 2);
        foreign = corridor_submit_e_any(corridor, 0, 5); // it waits elsewhere
        told told;
        ck_assert_int_eq(corridor_run(corridor, ticket, &told), KIFU_MISUSE);
        ck_assert_uint_gt(strlen(kifu_last_error(corridor)->message), 40);
        ck_assert(told.calls == 1 && told.outcome.result == KIFU_MISUSE && told.outcome.event == KIFU_NONE);
        ck_assert_uint_eq(kifu_pending_count(corridor), 1);
        must(corridor, kifu_run(corridor));
        must(corridor, kifu_undo(corridor) == KIFU_NOTHING_TO_UNDO ? KIFU_OK : KIFU_FAILED);
    }
    ck_assert_uint_eq(kifu_event_count(corridor), before.count + 18); // those that waited elsewhere
    // Nothing to try is a rejection.
    test_plan.in_check[1] = a_foreign_ticket;
    foreign = 0;
    corridor_submit_p_any(corridor, 0, 1, 0);
    ck_assert_int_eq(kifu_run(corridor), KIFU_REJECTED);
    must_say(corridor, "the event to try instead could not be submitted");
    test_plan.in_check[1] = an_invalid_alternate;
    corridor_submit_p_any(corridor, 0, 1, 0);
    ck_assert_int_eq(kifu_run(corridor), KIFU_INVALID_EVENT);
    must_say(corridor, "manner");
    kifu_destroy(corridor);
}
END_TEST

static kifu_result instead_of_do(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    corridor_submit_e_any(corridor, 0, 9);
    return kifu_fail_instead(corridor, foreign);
}

static kifu_result not_instead_after_all(kifu_timeline *corridor, int32_t number)
{
    (void)!kifu_fail_instead(corridor, corridor_submit_e_any(corridor, 0, number));
    return KIFU_OK;
}

static kifu_result fail_without_words(kifu_timeline *corridor, int32_t number)
{
    (void)corridor;
    (void)number;
    return KIFU_FAILED;
}

START_TEST(L05_an_event_that_fails_without_words_has_no_alternate_of_an_earlier_one)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const uint32_t from = kifu_event_count(corridor);
    corridor_submit_p_any(corridor, 0, corridor_what(NULL, not_instead_after_all), 1);
    must(corridor, kifu_run(corridor));
    corridor_submit_p_any(corridor, 0, corridor_what(NULL, fail_without_words), 1);
    ck_assert_int_eq(kifu_run(corridor), KIFU_FAILED);
    must_say(corridor, kifu_result_text(KIFU_FAILED));
    ck_assert_str_eq(corridor_log(corridor, from), "PAny EAny");
    kifu_destroy(corridor);
}
END_TEST

static kifu_result then_rather_fail(kifu_timeline *corridor, int32_t number)
{
    if (kifu_fail_instead(corridor, corridor_submit_e_any(corridor, 0, number)) == KIFU_FAILED)
        return kifu_fail(corridor, "no, nothing at all");
    return KIFU_OK;
}

static kifu_result then_go_on(kifu_timeline *corridor, int32_t number)
{
    (void)!kifu_fail_instead(corridor, corridor_submit_e_any(corridor, 0, number));
    return KIFU_OK;
}

// Two ways to end in failure at once: the one that the Do returns counts.
static kifu_result then_end_otherwise(kifu_timeline *corridor, int32_t number)
{
    (void)!kifu_fail_instead(corridor, corridor_submit_e_any(corridor, 0, number));
    return KIFU_REJECTED;
}

START_TEST(L05_a_do_that_returns_another_result_has_no_alternate)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const corridor_moment before = corridor_now(corridor);
    corridor_submit_p_any(corridor, 0, corridor_what(NULL, then_end_otherwise), 4);
    ck_assert_int_eq(kifu_run(corridor), KIFU_FAILED);
    must_say(corridor, "(corridor.PAny) was taken back: ");
    must_say(corridor, kifu_result_text(KIFU_REJECTED));
    must_be_then(corridor, &before);
    kifu_destroy(corridor);
}
END_TEST

static kifu_result remember(kifu_timeline *corridor, int32_t number)
{
    foreign = corridor_submit_e_any(corridor, 0, number);
    if (number == 1)
        corridor_submit_p_any(corridor, 0, corridor_what(NULL, instead_of_do), 0);
    return KIFU_OK;
}

static kifu_result react_instead(void *context, kifu_timeline *corridor, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    (void)event;
    return kifu_fail_instead(corridor, corridor_submit_e_any(corridor, 0, 4));
}

START_TEST(L05_misuse_in_a_do_is_told)
{
    kifu_timeline *corridor = corridor_new(NULL);
    const uint8_t what = corridor_what(NULL, instead_of_do);
    const uint32_t from = kifu_event_count(corridor);
    told told;
    foreign = 4711;
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_any(corridor, 0, what, 0), &told), KIFU_MISUSE);
    must_say(corridor, "ticket 4711");
    ck_assert(told.calls == 1 && told.outcome.result == KIFU_MISUSE);
    foreign = 0;
    corridor_submit_p_any(corridor, 0, what, 0);
    ck_assert_int_eq(kifu_run(corridor), KIFU_FAILED);
    must_say(corridor, "could not be submitted");
    // What another event submitted, and still waits.
    corridor_submit_p_any(corridor, 0, corridor_what(NULL, remember), 1);
    must(corridor, kifu_step(corridor));
    ck_assert_uint_eq(kifu_pending_count(corridor), 2);
    must(corridor, kifu_step(corridor)); // EAny
    ck_assert_int_eq(kifu_step(corridor), KIFU_MISUSE);
    // What this one said last counts.
    corridor_submit_p_any(corridor, 0, corridor_what(NULL, then_rather_fail), 0);
    ck_assert_int_eq(kifu_run(corridor), KIFU_FAILED);
    must_say(corridor, "no, nothing at all");
    corridor_submit_p_any(corridor, 0, corridor_what(NULL, then_go_on), 0);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(corridor_log(corridor, from), "PAny EAny PAny EAny");
    must(corridor, kifu_observe(corridor, &(kifu_observer){.react = react_instead, .type = CORRIDOR_P_REST}));
    corridor_submit_p_rest(corridor, 0, 0);
    ck_assert_int_eq(kifu_run(corridor), KIFU_MISUSE);
    must_say(corridor, "kifu_fail_instead");
    ck_assert_uint_eq(kifu_pending_count(corridor), 0);
    kifu_destroy(corridor);
}
END_TEST

static kifu_result waiting_before(kifu_timeline *corridor, int32_t number)
{
    if (number) {
        corridor_submit_p_any(corridor, 0, corridor_what(NULL, instead_of_do), 0);
        foreign = corridor_submit_e_any(corridor, 0, 3);
    }
    return KIFU_OK;
}

START_TEST(L05_another_events_consequence_is_no_alternate)
{
    kifu_timeline *corridor = corridor_new(NULL);
    corridor_submit_p_any(corridor, 0, corridor_what(NULL, waiting_before), 1);
    must(corridor, kifu_step(corridor));
    ck_assert_int_eq(kifu_step(corridor), KIFU_MISUSE);
    ck_assert_uint_eq(kifu_pending_count(corridor), 1); // It happens once, when its turn has come.
    must(corridor, kifu_run(corridor));
    kifu_destroy(corridor);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        L05_success_failure_or_an_alternate,
        L12_a_door_that_is_locked_refuses_what_was_a_step,
        M07_X03_what_would_be_tried_instead_is_asked_too,
        M08_X03_hooks_of_what_would_be_tried_instead_are_asked_too,
        L12_a_reason_of_any_length_is_told_as_far_as_there_is_room,
        L05_a_do_finds_out_late_what_it_is,
        L06_what_failed_leaves_nothing,
        L05_a_cycle_of_alternates_stops_with_an_error,
        L05_an_event_that_fails_without_words_has_no_alternate_of_an_earlier_one,
        L05_an_alternate_of_a_do_passes_the_sync_test,
        L05_a_cycle_of_alternates_with_long_names_stops_with_an_error,
        L05_as_many_alternates_as_the_options_say,
        L05_an_alternate_of_a_consequence_comes_in_its_place,
        L12_what_a_players_action_becomes_is_the_players,
        L05_flags_of_an_alternate,
        U02_an_alternate_has_the_flags_that_a_do_gives_it,
        F10_what_an_engine_event_becomes_is_its_own_players,
        L05_what_is_never_undoable_is_not_as_an_alternate,
        L05_alternates_under_the_sync_test,
        L05_alternates_in_transactions_and_marks,
        L05_deferred_reactions_hear_of_the_alternate_alone,
        T05_a_reaction_takes_an_alternate_back,
        L06_every_allocation_may_fail,
        L05_an_input_waits_until_there_is_memory_for_what_it_becomes,
        L06_an_event_without_memory_for_what_its_do_wants_instead_is_gone,
        L05_alternates_allocate_nothing_in_steady_state,
        L05_misuse_in_a_check_is_told,
        L05_misuse_in_a_do_is_told,
        L05_a_do_that_returns_another_result_has_no_alternate,
        L05_another_events_consequence_is_no_alternate,
    };
    return run_suite("alternates", tests, sizeof tests / sizeof *tests);
}
