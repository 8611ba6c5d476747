// Upcasting: a save of the quay is loaded by the harbour, its third release. Whatever was superseded is there as if the
// harbour had been played all along.

#include "old_text_help.h"
#include "suite.h"
#include "upcast_help.h"

// --- One event at a time ---------------------------------------------------------------------------------------------

START_TEST(S03_an_old_event_is_a_new_one_after_load)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_p_take(quay, 3, &(quay_p_take_args){.heap = 4, .count = 6, .note = "stones"});
    quay_submit_p_take(quay, 5, &(quay_p_take_args){.heap = 4, .count = 2, .note = NULL});
    must(quay, kifu_run(quay));
    kifu_timeline *harbour = brought_up(quay, NULL);
    ck_assert_uint_eq(kifu_event_count(harbour), 4);
    kifu_event event = event_of(harbour, 0);
    ck_assert_str_eq(event.name, "harbour.PMove");
    ck_assert_uint_eq(event.type, HARBOUR_P_MOVE);
    ck_assert_int_eq(event.player, 3);
    ck_assert_uint_eq(event.flags, KIFU_UNDOABLE);
    ck_assert_uint_eq(event.rules_version, 2);
    const harbour_p_move *move = event.table;
    ck_assert_uint_eq(move->from, 4);
    ck_assert_uint_eq(move->to, 7);
    ck_assert_uint_eq(move->halves, 12);
    ck_assert_uint_eq(harbour_p_move_why_count(move), 1);
    ck_assert_str_eq(harbour_p_move_why(move, 0), "stones");
    event = event_of(harbour, 1);
    ck_assert_str_eq(event.name, "harbour.ENothing");
    ck_assert_uint_eq(event.cause, 0);
    event = event_of(harbour, 2);
    ck_assert_uint_eq(harbour_p_move_why_count(event.table), 0);
    ck_assert_uint_eq(harbour_get_state(harbour)->heaps[4], UINT32_MAX - 7);
    ck_assert_uint_eq(harbour_get_state(harbour)->heaps[7], 8);
    // New events go on in segments of the new rules.
    harbour_submit_p_wait(harbour, 0);
    must(harbour, kifu_run(harbour));
    ck_assert_uint_eq(event_of(harbour, 4).rules_version, 4);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

START_TEST(F52_an_old_event_keeps_a_string_that_is_no_text)
{
    static old_rules old;
    const kifu_rules rules = quay_as_released();
    make_old(&old, &rules);
    kifu_timeline *quay = new_game(&old.rules, NULL);
    quay_submit_p_take(quay, 3, &(quay_p_take_args){.heap = 4, .count = 6, .note = "\xE9t\xE9"});
    must(quay, kifu_run(quay));
    kifu_timeline *harbour = brought_up(quay, NULL);
    ck_assert_str_eq(harbour_p_move_why(event_of(harbour, 0).table, 0), "\xE9t\xE9");
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

START_TEST(S03_an_event_superseded_twice_goes_through_both_upcasts)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_e_bell(quay, 41);
    must(quay, kifu_run(quay));
    kifu_timeline *harbour = brought_up(quay, NULL);
    kifu_event event = event_of(harbour, 0);
    ck_assert_str_eq(event.name, "harbour.ERing");
    ck_assert_uint_eq(harbour_e_ring_numbers_count(event.table), 1);
    ck_assert_uint_eq(harbour_e_ring_numbers(event.table)[0], 41);
    ck_assert_str_eq(harbour_e_ring_text(event.table), "ding");
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

START_TEST(S03_an_upcast_knows_the_rules_version_of_the_old_event)
{
    kifu_rules rules = quay_as_released();
    rules.rules_version = 1; // when a count was in dozens
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_p_take(quay, 0, &(quay_p_take_args){.heap = 2, .count = 3, .note = NULL});
    must(quay, kifu_run(quay));
    kifu_timeline *harbour = brought_up(quay, NULL);
    ck_assert_uint_eq(event_of(harbour, 0).rules_version, 1);
    ck_assert_uint_eq(harbour_get_state(harbour)->heaps[7], 36);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

// The player is what the upcast submits; cause and undo are as they were.
START_TEST(T12_who_made_it_happen_is_for_the_upcast_to_say)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_p_hail(quay, 1);
    quay_submit_e_push(quay, 3);
    must(quay, kifu_postpone(quay, quay_submit_e_push(quay, 2), 1, 0));
    must(quay, kifu_run(quay));
    quay_submit_e_push(quay, 4);
    kifu_timeline *harbour = brought_up(quay, NULL);
    kifu_event event = event_of(harbour, 0);
    ck_assert_uint_eq(event.type, HARBOUR_E_HAIL);
    ck_assert_int_eq(event.player, -1);
    ck_assert_uint_eq(event.flags, KIFU_UNDOABLE);
    event = event_of(harbour, 1);
    ck_assert_uint_eq(event.type, HARBOUR_P_PUSH);
    ck_assert_int_eq(event.player, 3);
    ck_assert_uint_eq(event.flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO);
    ck_assert_uint_eq(harbour_get_state(harbour)->heaps[5], 3);
    ck_assert_uint_eq(kifu_can_undo(harbour, NULL), 3);
    ck_assert(kifu_pending_at(harbour, 0, &event));
    ck_assert_uint_eq(event.type, HARBOUR_P_PUSH);
    ck_assert_int_eq(event.player, 4);
    harbour_submit_e_begin_turn(harbour);
    must(harbour, kifu_run(harbour));
    event = event_of(harbour, 5);
    ck_assert_uint_eq(event.type, HARBOUR_P_PUSH);
    ck_assert_int_eq(event.player, 2);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

START_TEST(what_is_superseded_cannot_happen_anew)
{
    kifu_timeline *harbour = new_game(&harbour_rules, NULL);
    kifu_ticket ticket = harbour_submit_e_toll(harbour, 1, "a mistake");
    ck_assert_uint_ne(ticket, 0);
    // Only an upcast may submit what is superseded itself.
    ck_assert_int_eq(kifu_run(harbour), KIFU_FAILED);
    must_say(harbour, "harbour.EToll");
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(harbour)),
                     "it is superseded: submit the event that supersedes it");
    ck_assert_uint_eq(kifu_event_count(harbour), 0);
    kifu_destroy(harbour);
}
END_TEST

// --- What an upcast may do -------------------------------------------------------------------------------------------

static uint32_t upcasts; // How many mistakes were made.

static kifu_result look_around(kifu_timeline *timeline, uint8_t what)
{
    static const harbour_state nothing;
    kifu_event event;
    upcasts++;
    ck_assert_uint_eq(what, 9);
    ck_assert_mem_eq(harbour_get_state(timeline), &nothing, sizeof nothing);
    ck_assert_uint_eq(kifu_event_count(timeline), 0);
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
    ck_assert(!kifu_event_at(timeline, 0, &event));
    ck_assert_ptr_null(kifu_user(timeline));
    ck_assert_int_eq(kifu_player(timeline), -1);
    ck_assert_uint_eq(kifu_rules_version(timeline), 2);
    ck_assert(!kifu_is_replaying(timeline));
    harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
    return KIFU_OK;
}

START_TEST(S03_an_upcast_has_nothing_to_depend_on_but_the_old_event)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_p_wait(quay, 1);
    quay_submit_e_bad(quay, 9);
    quay_submit_e_bad(quay, 9);
    must(quay, kifu_run(quay));
    harbour_in_upcast_bad = look_around;
    int user = 0;
    const kifu_options options = {.user = &user};
    kifu_timeline *harbour = brought_up(quay, &options);
    ck_assert_uint_eq(upcasts, 2);
    ck_assert_ptr_eq(kifu_user(harbour), &user);
    // Once: not in a save of what was loaded, nor in undo and redo.
    save save = save_of(harbour, NULL);
    kifu_timeline *again = load(&save, NULL, false);
    ck_assert_uint_eq(upcasts, 2);
    must(again, kifu_undo(again));
    must(again, kifu_redo(again));
    must(again, kifu_verify_replay(again, NULL));
    ck_assert_uint_eq(upcasts, 2);
    free(save.bytes);
    kifu_destroy(again);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

static kifu_result mistake(kifu_timeline *timeline, uint8_t what)
{
    switch (what) {
    case 1:
        return kifu_fail(timeline, "nobody knows what that was");
    case 2:
        return KIFU_OK;
    case 3:
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        return KIFU_OK;
    case 4:
        harbour_submit_e_nothing(timeline);
        return KIFU_OK;
    case 5:
        harbour_submit_e_good(timeline, 9);
        return KIFU_OK;
    case 6:
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        *harbour_edit_words(timeline) = 5;
        return KIFU_OK;
    case 7:
        harbour_submit_e_good(timeline, (harbour_kind)(kifu_random_between(timeline, 0, 2)));
        return KIFU_OK;
    case 8:
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        (void)!kifu_run(timeline);
        return KIFU_OK;
    case 9:
        (void)!kifu_override(timeline, harbour_submit_e_good(timeline, HARBOUR_KIND_SALT), true, false);
        return KIFU_OK;
    case 10:
        (void)!kifu_postpone(timeline, harbour_submit_e_good(timeline, HARBOUR_KIND_SALT), 3, 0);
        return KIFU_OK;
    case 11:
        kifu_reveal(timeline);
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        return KIFU_OK;
    case 12:
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        return KIFU_REJECTED;
    case 13:
        harbour_submit_p_push(timeline, 400);
        return KIFU_OK;
    case 14:
        return KIFU_FAILED;
    default: // It was good after all.
        (void)!kifu_fail(timeline, "or was it");
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        return KIFU_OK;
    }
}

START_TEST(S05_an_upcast_that_makes_a_mistake_refuses_the_save)
{
    static const char *const reasons[] = {
        "",
        "nobody knows what that was",
        "submitted no event; if the old event means nothing any more, submit one that changes nothing",
        "submitted 2 events; it must submit one",
        "submitted harbour.ENothing",
        "harbour.EGood has a wrong field, kind: value 9 is not in enum harbour.Kind",
        "the state was edited",
        "a random number was drawn",
        "kifu_run was called while an event runs",
        "kifu_override was called from a check",
        "submitted kifu.ESchedule",
        "kifu_reveal was called outside of a Do function",
        "the event was rejected",
        "player 400",
        "a function of the game failed",
    };
    const kifu_rules rules = quay_as_released();
    harbour_in_upcast_bad = mistake;
    for (uint8_t what = 0; what < sizeof reasons / sizeof *reasons; what++) {
        for (int way = 0; way < 6; way++) {
            kifu_timeline *quay = new_game(&rules, NULL);
            quay_submit_p_take(quay, 3, &(quay_p_take_args){.heap = 1, .count = 9, .note = "first"});
            must(quay, kifu_run(quay));
            const uint32_t first = kifu_event_count(quay) + 1;
            if (way != 1)
                quay_submit_e_bad(quay, 99);
            kifu_ticket ticket = quay_submit_e_bad(quay, what);
            if (way == 4 || way == 5)
                must(quay, kifu_postpone(quay, ticket, 2, 0));
            if (way == 5)
                must(quay, kifu_postpone(quay, ticket, 1, 0));
            if (way != 1)
                must(quay, kifu_run(quay));
            if (way == 2 || way == 3)
                must(quay, kifu_undo(quay));
            save save = save_of(quay, NULL);
            test_memory memory = {.until_failure = -1};
            const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
            const kifu_load_options load_options = {.fast = way == 3};
            kifu_timeline *harbour = NULL;
            kifu_error error = {.result = KIFU_OK};
            kifu_result result =
                kifu_load_from_memory(&harbour_rules, save.bytes, save.size, &options, &load_options, &harbour, &error);
            if (!what) {
                ck_assert_msg(result == KIFU_OK, "%s", error.message);
                kifu_destroy(harbour);
            } else {
                ck_assert_msg(result == KIFU_FAILED, "%d, way %d: %s", what, way, kifu_result_text(result));
                ck_assert_ptr_null(harbour);
                ck_assert_int_eq(error.result, KIFU_FAILED);
                if (!strstr(error.message, reasons[what]) ||
                    !strstr(error.message, "(harbour.EBad) could not become harbour.EGood: "))
                    ck_abort_msg("'%s' is not in '%s'", reasons[what], error.message);
                ck_assert_uint_eq(error.event, way == 1 ? KIFU_NONE : first);
                ck_assert_uint_gt(error.offset, FILE_HEAD);
                ck_assert_uint_lt(error.offset, save.size);
                char start[60];
                snprintf(start, sizeof start, "%sevent %u (",
                         way == 1   ? "waiting "
                         : way >= 4 ? "the event timed by "
                                    : "",
                         way == 1 ? 0 : (unsigned)first);
                ck_assert_msg(strncmp(error.message, start, strlen(start)) == 0, "%s", error.message);
                if (what == 1)
                    ck_assert_str_eq(kifu_error_reason(&error), reasons[1]);
                ck_assert_int_eq(kifu_load_from_memory(&harbour_rules, save.bytes, save.size, &options, &load_options,
                                                       &harbour, NULL),
                                 KIFU_FAILED);
            }
            ck_assert_int_eq(memory.blocks, 0);
            free(save.bytes);
            kifu_destroy(quay);
        }
    }
}
END_TEST

static kifu_result depend_on_a_counter(kifu_timeline *timeline, uint8_t what)
{
    static int calls;
    calls++;
    harbour_submit_e_good(timeline, what == 1 && calls % 2 ? HARBOUR_KIND_WOOD : HARBOUR_KIND_GRAIN);
    return KIFU_OK;
}

START_TEST(the_sync_test_finds_an_upcast_that_depends_on_something_else)
{
    const kifu_rules rules = quay_as_released();
    const kifu_options options = {.sync_test = kifu_sync_test};
    harbour_in_upcast_bad = depend_on_a_counter;
    for (uint8_t what = 0; what < 2; what++) {
        kifu_timeline *quay = new_game(&rules, NULL), *harbour;
        kifu_error error;
        quay_submit_e_bell(quay, 3);
        quay_submit_e_bad(quay, what);
        must(quay, kifu_run(quay));
        save save = save_of(quay, NULL);
        kifu_result result =
            kifu_load_from_memory(&harbour_rules, save.bytes, save.size, &options, NULL, &harbour, &error);
        ck_assert_int_eq(result, what ? KIFU_DIVERGED : KIFU_OK);
        if (what) {
            ck_assert_uint_eq(error.event, 1);
            ck_assert_ptr_nonnull(strstr(error.message, "depends on something besides the old event"));
        }
        free(save.bytes);
        kifu_destroy(harbour);
        kifu_destroy(quay);
    }
}
END_TEST

// What is different when a PTake is upcast once more.
static enum { SAME, FIELD, PLAYER, LENGTH, RESULT } difference;
static int takes;

static kifu_result upcast_take(kifu_timeline *timeline, uint32_t type, const void *event)
{
    if (type != P_TAKE)
        return harbour_rules.upcast(timeline, type, event);
    const bool again = takes++ > 0;
    const char *why = again && difference == LENGTH ? "and why not" : "why";
    if (again && difference == RESULT)
        return kifu_fail(timeline, "not twice");
    harbour_submit_p_move(timeline, again && difference == PLAYER ? 2 : 3, 0, again && difference == FIELD ? 6 : 7, 2,
                          &why, 1);
    return KIFU_OK;
}

START_TEST(the_sync_test_finds_each_way_in_which_an_upcast_may_differ)
{
    static const struct {
        kifu_result result;
        const char *words;
    } expected[] = {
        [SAME] = {KIFU_OK, ""},
        [FIELD] = {KIFU_DIVERGED, "submitted something else when it was called again"},
        [PLAYER] = {KIFU_DIVERGED, "submitted something else when it was called again"},
        [LENGTH] = {KIFU_DIVERGED, "submitted something else when it was called again"},
        [RESULT] = {KIFU_FAILED, "not twice"},
    };
    const kifu_rules released = quay_as_released();
    kifu_timeline *quay = new_game(&released, NULL), *harbour;
    quay_submit_p_take(quay, 3, &(quay_p_take_args){.heap = 1, .count = 9, .note = "first"});
    must(quay, kifu_run(quay));
    save save = save_of(quay, NULL);
    for (difference = SAME; difference <= RESULT; difference++) {
        kifu_rules rules = harbour_rules;
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {
            .sync_test = kifu_sync_test, .allocate = test_allocate, .allocate_context = &memory};
        kifu_error error = {.message = ""};
        rules.upcast = upcast_take;
        takes = 0;
        kifu_result result = kifu_load_from_memory(&rules, save.bytes, save.size, &options, NULL, &harbour, &error);
        ck_assert_msg(result == expected[difference].result, "%s", error.message);
        ck_assert_msg(strstr(error.message, expected[difference].words) != NULL, "%s", error.message);
        kifu_destroy(harbour);
        ck_assert_int_eq(memory.blocks, 0);
    }
    free(save.bytes);
    kifu_destroy(quay);
}
END_TEST

// --- Saves that no release wrote -------------------------------------------------------------------------------------

static kifu_result do_as_new(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                             void *transient)
{
    if (type == P_TAKE) {
        const harbour_p_take *take = event;
        *harbour_edit_heaps(timeline, take->heap) -= take->count;
        *harbour_edit_heaps(timeline, 7) += take->count;
        *harbour_edit_words(timeline) = (uint32_t)((harbour_get_state(timeline)->words ^ 2) * 16777619u);
        return KIFU_OK;
    }
    return harbour_rules.do_event(timeline, type, state, event, transient);
}

static kifu_result do_otherwise(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                                void *transient)
{
    return type == P_TAKE ? KIFU_OK : harbour_rules.do_event(timeline, type, state, event, transient);
}

// A save of the harbour's own schema, with its fingerprint and hashes, that has an event which is superseded there.
START_TEST(S05_an_old_event_in_a_save_of_now_is_upcast)
{
    for (int way = 0; way < 6; way++) {
        kifu_rules rules = harbour_rules;
        rules.do_event = way < 4 ? do_as_new : do_otherwise;
        const kifu_options recording = {.hash_interval = 1};
        kifu_timeline *forged = new_game(&rules, &recording);
        const harbour_p_take take = {.heap = 2, .count = 5};
        kifu__submit_begin(forged, P_TAKE, 6, &take, sizeof take);
        (void)kifu__submit_end(forged);
        harbour_submit_p_wait(forged, 1);
        must(forged, kifu_run(forged));
        if (way % 2) {
            kifu__submit_begin(forged, P_TAKE, 2, &take, sizeof take);
            (void)kifu__submit_end(forged);
        }
        save save = save_of(forged, NULL);
        const kifu_load_options options = {.fast = way / 2 == 1};
        kifu_timeline *harbour;
        kifu_error error;
        kifu_result result =
            kifu_load_from_memory(&harbour_rules, save.bytes, save.size, NULL, &options, &harbour, &error);
        if (way >= 4) { // It said what became of that, and this is not it.
            ck_assert_int_eq(result, KIFU_DIVERGED);
        } else {
            ck_assert_msg(result == KIFU_OK, "%s", error.message);
            ck_assert_uint_eq(event_of(harbour, 0).type, HARBOUR_P_MOVE);
            ck_assert_int_eq(event_of(harbour, 0).player, 6);
            ck_assert_uint_eq(harbour_get_state(harbour)->heaps[7], 5);
            kifu_event event;
            ck_assert(kifu_pending_at(harbour, 0, &event) == way % 2);
            if (way % 2)
                ck_assert_uint_eq(event.type, HARBOUR_P_MOVE);
            no_old_ones(harbour);
            kifu_destroy(harbour);
        }
        free(save.bytes);
        kifu_destroy(forged);
    }
}
END_TEST

// Nobody can write these, but a file may have them: a timed event that cannot be read is told when its turn comes.
START_TEST(S05_a_timed_old_event_that_cannot_be_read_stays_until_its_turn)
{
    const kifu_rules rules = quay_as_released();
    for (uint8_t kind = 0; kind < 3; kind++) {
        kifu_timeline *quay = new_game(&rules, NULL);
        const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
        quay_submit_e_schedule(quay, &(kifu_e_schedule_args){.turn = 1,
                                                             .key = 0,
                                                             .type = kind == 2 ? 200 : E_BELL,
                                                             .player = kind == 1 ? -2 : 0,
                                                             .event = bytes,
                                                             .event_count = sizeof bytes});
        must(quay, kifu_run(quay));
        kifu_timeline *harbour = brought_up(quay, NULL);
        ck_assert_uint_eq(event_of(harbour, 0).type, HARBOUR_E_SCHEDULE);
        harbour_submit_e_begin_turn(harbour);
        ck_assert_int_eq(kifu_run(harbour), KIFU_FAILED);
        must_say(harbour, "the event that event 0 timed cannot happen");
        harbour_submit_e_begin_turn(harbour);
        must(harbour, kifu_run(harbour));
        ck_assert_uint_eq(kifu_event_count(harbour), 2);
        kifu_destroy(harbour);
        kifu_destroy(quay);
    }
}
END_TEST

// Timed to be timed to be timed …: too deep to be reached, it cannot happen when its turn comes.
START_TEST(S05_events_timed_too_deep_are_not_looked_for)
{
    const kifu_rules rules = quay_as_released();
    for (uint32_t depth = 60; depth < 70; depth++) {
        kifu_timeline *quay = new_game(&rules, NULL);
        kifu_ticket ticket = quay_submit_e_bell(quay, 5);
        for (uint32_t i = 0; i < depth; i++)
            must(quay, kifu_postpone(quay, ticket, 1, 0));
        must(quay, kifu_run(quay));
        kifu_timeline *harbour = brought_up(quay, NULL);
        kifu_result result = KIFU_OK;
        for (uint32_t turn = 0; turn < depth && !result; turn++) {
            harbour_submit_e_begin_turn(harbour);
            result = kifu_run(harbour);
        }
        ck_assert_int_eq(result, depth <= 64 ? KIFU_OK : KIFU_FAILED);
        if (result)
            must_say(harbour, "harbour.EBell");
        else
            ck_assert_uint_eq(event_of(harbour, kifu_event_count(harbour) - 1).type, HARBOUR_E_RING);
        kifu_destroy(harbour);
        kifu_destroy(quay);
    }
}
END_TEST

START_TEST(S05_hostile_old_saves_do_no_harm)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL), *harbour = new_game(&harbour_rules, NULL);
    begin(quay, harbour);
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 33);
    play_same(quay, harbour, &rng, 60);
    const kifu_save_options options = {.without_schema = true};
    save original = save_of(quay, &options);
    const unsigned long steps = fuzz_steps(3000);
    unsigned long count = 0;
    for (unsigned long step = 0; step < steps; step++) {
        save mutant = {malloc(original.size), original.size};
        ck_assert_ptr_nonnull(mutant.bytes);
        memcpy(mutant.bytes, original.bytes, original.size);
        frames frames = frames_of(&mutant);
        for (uint32_t change = 0; change < 1 + step % 3; change++) {
            const save_frame *frame = &frames.all[kifu_rng_below(&rng, (uint32_t)frames.count)];
            unsigned char *byte = mutant.bytes + frame->offset + FRAME_HEAD + kifu_rng_below(&rng, frame->size);
            *byte = (unsigned char)(kifu_rng_below(&rng, 2) ? kifu_rng_below(&rng, 24) : kifu_rng_below(&rng, 256));
        }
        save sealed = save_of_frames(&frames);
        kifu_timeline *loaded;
        kifu_error error = {.message = ""};
        if (!kifu_load_from_memory(&harbour_rules, sealed.bytes, sealed.size, NULL, NULL, &loaded, &error)) {
            count++;
            for (uint32_t i = 0; i < 6; i++)
                (void)!move(loaded, kifu_rng_below(&rng, 6));
            save again = save_of(loaded, NULL);
            free(again.bytes);
            kifu_destroy(loaded);
        } else {
            must_be(strlen(error.message) > 20);
        }
        free(sealed.bytes);
        free(mutant.bytes);
    }
    ck_assert_uint_gt(count, 0);
    free(original.bytes);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

static kifu_result wait_otherwise(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                                  void *transient)
{
    const kifu_result result = harbour_rules.do_event(timeline, type, state, event, transient);
    if (type == HARBOUR_P_WAIT)
        *harbour_edit_heaps(timeline, 1) += 1;
    return result;
}

static kifu_result replay_otherwise(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                    uint32_t *done)
{
    const kifu_result result = harbour_rules.replay(timeline, run, state, transient, done);
    for (uint32_t i = 0; i < *done; i++)
        *harbour_edit_heaps(timeline, 1) += run->types[i] == HARBOUR_P_WAIT;
    return result;
}

// The layout of the state is the same, so hashes are compared; but not behind an event that was upcast.
START_TEST(F60_nothing_is_compared_behind_an_upcast)
{
    kifu_rules released = quay_as_released(), other = harbour_rules;
    released.rules_version = harbour_rules.rules_version;
    released.bfbs = harbour_rules.bfbs; // The names of its types are other ones only in this test.
    released.bfbs_size = harbour_rules.bfbs_size;
    other.do_event = wait_otherwise;
    other.replay = replay_otherwise;
    for (int way = 0; way < 4; way++) { // An event that is upcast comes never, behind, at the end, or first.
        const kifu_options recording = {.hash_interval = 1};
        kifu_timeline *quay = new_game(&released, &recording), *harbour;
        if (way == 3)
            quay_submit_e_bell(quay, 3);
        quay_submit_p_wait(quay, 1);
        if (way == 1)
            quay_submit_e_bell(quay, 3);
        must(quay, kifu_run(quay));
        if (way == 2)
            quay_submit_e_bell(quay, 3); // It waits.
        save save = save_of(quay, NULL);
        kifu_error error;
        kifu_difference changed;
        const kifu_load_options how = {.changed = &changed};
        const kifu_result result = kifu_load_from_memory(&other, save.bytes, save.size, NULL, &how, &harbour, &error);
        ck_assert_int_eq(result, way < 3 ? KIFU_DIVERGED : KIFU_OK);
        ck_assert_uint_eq(changed.event, way < 3 ? 0 : KIFU_NONE);
        kifu_destroy(harbour);
        free(save.bytes);
        kifu_destroy(quay);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_an_old_event_is_a_new_one_after_load,
        F52_an_old_event_keeps_a_string_that_is_no_text,
        S03_an_event_superseded_twice_goes_through_both_upcasts,
        S03_an_upcast_knows_the_rules_version_of_the_old_event,
        T12_who_made_it_happen_is_for_the_upcast_to_say,
        what_is_superseded_cannot_happen_anew,
        S03_an_upcast_has_nothing_to_depend_on_but_the_old_event,
        S05_an_upcast_that_makes_a_mistake_refuses_the_save,
        the_sync_test_finds_an_upcast_that_depends_on_something_else,
        the_sync_test_finds_each_way_in_which_an_upcast_may_differ,
        S05_an_old_event_in_a_save_of_now_is_upcast,
        F60_nothing_is_compared_behind_an_upcast,
        S05_a_timed_old_event_that_cannot_be_read_stays_until_its_turn,
        S05_events_timed_too_deep_are_not_looked_for,
        S05_hostile_old_saves_do_no_harm,
    };
    return run_suite("upcast", tests, sizeof tests / sizeof *tests);
}
