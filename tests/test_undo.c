// Undo and redo: whole chains, refused whole, at the cost of the chain.

#include "history_help.h"
#include "lab_help.h"
#include "model.h"
#include "suite.h"

#define ck_assert_text(error, text) ck_assert_msg(strstr((error)->message, text), "%s", (error)->message)

START_TEST(U01_undo_on_an_empty_log_says_so)
{
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOTHING_TO_UNDO);
    ck_assert_text(kifu_last_error(lab), "nothing to undo");
    ck_assert_int_eq(kifu_redo(lab), KIFU_NOTHING_TO_REDO);
    kifu_destroy(lab);
}
END_TEST

START_TEST(U02_an_instance_overrides_its_flags)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1"));
    kifu_ticket ticket = lab_do(lab, 0, "2", 1);
    lab_must(lab, kifu_override(lab, ticket, true, true)); // undo goes on to the event before
    lab_must(lab, kifu_run(lab));
    kifu_event event;
    kifu_event_at(lab, 1, &event);
    ck_assert_uint_eq(event.flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO);
    lab_must(lab, kifu_undo(lab));
    ck_assert_str_eq(lab_trace(lab), "");

    ticket = lab_do(lab, 0, "3", 1);
    lab_must(lab, kifu_override(lab, ticket, false, false));
    lab_must(lab, kifu_run(lab));
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOT_UNDOABLE);
    ck_assert_int_eq(kifu_override(lab, ticket, true, false), KIFU_MISUSE); // it waits no more
    ck_assert_text(kifu_last_error(lab), "ticket");

    unsigned char *bytes;
    size_t size;
    lab_must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    kifu_timeline *loaded;
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, NULL, NULL, &loaded, NULL), KIFU_OK);
    kifu_event_at(loaded, 0, &event);
    ck_assert_uint_eq(event.flags, 0); // what was saved is the instance's
    kifu_free_bytes(lab, bytes);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

START_TEST(U03_defaults_of_engine_and_player_events)
{
    ck_assert_uint_eq(lab_rules.types[LAB_P_DO].flags, KIFU_UNDOABLE);
    ck_assert_uint_eq(lab_rules.types[LAB_E_DO].flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO);
    ck_assert_uint_eq(lab_rules.types[LAB_E_SEAL].flags, KIFU_CONTINUE_UNDO);
    ck_assert_uint_eq(lab_rules.types[LAB_E_ADD_PLAYER].flags, 0);
}
END_TEST

START_TEST(U04_undo_takes_back_one_chain)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1(2)"));
    lab_picture before = lab_look(lab);
    lab_must(lab, lab_play(lab, "3(4(6))(5)"));
    ck_assert_str_eq(lab_trace(lab), "123456");
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 4);
    lab_must(lab, kifu_undo(lab));
    lab_same(lab, &before);
    lab_must(lab, kifu_undo(lab));
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M04_U02_a_do_says_that_undo_continues_past_its_event)
{
    for (int how = 0; how < 4; how++) {
        kifu_timeline *lab = lab_new(NULL), *loaded;
        kifu_event event;
        unsigned char *bytes;
        size_t size;
        lab_must(lab, lab_play(lab, "1"));
        const lab_p_do_args args = {.script = "2w(3)", .times = 1};
        if (how == 3) { // directly
            lab_must(lab, lab_play_p_do(lab, 0, &args));
        } else {
            const kifu_ticket ticket = lab_submit_p_do(lab, 0, &args);
            if (how == 1) // What Do says counts more.
                lab_must(lab, kifu_override(lab, ticket, true, false));
            lab_must(lab, kifu_run(lab));
        }
        ck_assert(kifu_event_at(lab, 1, &event) && event.flags == (KIFU_UNDOABLE | KIFU_CONTINUE_UNDO));
        ck_assert_uint_eq(kifu_can_undo(lab, NULL), 3);
        ck_assert_uint_eq(kifu_chain_start(lab, 2), 0);
        if (how == 2) { // A replay takes it from the log,
            lab_must(lab, kifu_undo(lab));
            lab_must(lab, kifu_redo(lab));
            ck_assert_uint_eq(kifu_event_count(lab), 3);
        }
        lab_must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size)); // and so does a load.
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, NULL, NULL, &loaded, NULL), KIFU_OK);
        ck_assert_uint_eq(kifu_can_undo(loaded, NULL), 3);
        kifu_free_bytes(lab, bytes);
        kifu_destroy(loaded);
        lab_must(lab, lab_play(lab, "4")); // It is of that event alone.
        ck_assert_uint_eq(kifu_can_undo(lab, NULL), 1);
        kifu_continue_undo(lab);
        ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
        ck_assert_text(kifu_last_error(lab), "kifu_continue_undo was called outside of a Do function");
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(F68_the_event_that_began_a_chain_is_found)
{
    kifu_timeline *lab = lab_started(NULL);
    ck_assert_uint_eq(kifu_chain_start(lab, 0), KIFU_NONE); // the setup
    ck_assert_uint_eq(kifu_chain_start(lab, 1), KIFU_NONE); // There is none.
    ck_assert_uint_eq(kifu_chain_start(lab, KIFU_NONE), KIFU_NONE);
    lab_must(lab, lab_play(lab, "1(2)"));
    lab_must(lab, lab_play(lab, "3(4(6))@(5)"));
    const uint32_t count = kifu_event_count(lab);
    ck_assert_uint_eq(count, 8);
    ck_assert_uint_eq(kifu_chain_start(lab, 2), 1);
    ck_assert_uint_eq(kifu_chain_start(lab, 4), 3);
    ck_assert_uint_eq(kifu_chain_start(lab, kifu_position(lab) - 1), 3); // what cannot be undone has a beginning, too
    lab_must(lab, kifu_seek(lab, 3));
    ck_assert_uint_eq(kifu_chain_start(lab, kifu_position(lab) - 1), 1);
    lab_must(lab, kifu_seek(lab, KIFU_PRESENT));
    kifu_destroy(lab);

    lab = lab_new(NULL);
    ck_assert_uint_eq(kifu_chain_start(lab, kifu_position(lab) - 1), KIFU_NONE); // nothing has happened
    lab_submit_e_do(lab, "1");
    lab_must(lab, kifu_run(lab));
    ck_assert_uint_eq(kifu_chain_start(lab, 0), KIFU_NONE); // no one has begun it
    kifu_destroy(lab);
}
END_TEST

START_TEST(U05_a_chain_with_a_non_undoable_event_is_refused_whole)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1(2)@(3)")); // ESeal lies in the middle of the chain
    lab_picture before = lab_look(lab);
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOT_UNDOABLE);
    ck_assert_uint_eq(kifu_last_error(lab)->event, 2);
    ck_assert_text(kifu_last_error(lab), "lab.ESeal");
    lab_same(lab, &before);
    kifu_destroy(lab);
}
END_TEST

START_TEST(U05_undo_right_after_setup_is_refused)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_reset_game(lab);
    lab_submit_e_add_player(lab, 0, 0xff0000);
    lab_submit_e_initialize(lab, SEEDED(3));
    lab_submit_e_start_round(lab); // undoable and continue, as every engine event
    lab_must(lab, kifu_run(lab));
    lab_picture before = lab_look(lab);
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOTHING_TO_UNDO);
    lab_same(lab, &before);
    kifu_destroy(lab);

    lab = lab_new(NULL); // and where the chain meets the beginning
    lab_submit_e_do(lab, "1");
    lab_must(lab, kifu_run(lab));
    before = lab_look(lab);
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOTHING_TO_UNDO);
    lab_same(lab, &before);
    lab_must(lab, kifu_override(lab, lab_do(lab, 0, "2", 1), true, true));
    lab_must(lab, kifu_run(lab));
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOT_UNDOABLE);
    ck_assert_text(kifu_last_error(lab), "beginning");
    kifu_destroy(lab);
}
END_TEST

// Undo is refused with `result`, and these words are for a player.
static void must_say_to_player(kifu_timeline *lab, kifu_result result, const char *reason)
{
    ck_assert_int_eq(kifu_undo(lab), result);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(lab)), reason);
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_int_eq(error.result, result);
    ck_assert_str_eq(kifu_error_reason(&error), reason);
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 0);
}

START_TEST(F09_where_all_is_setup_there_is_nothing_to_undo)
{
    static const char nothing[] = "there is nothing to undo";
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_add_player(lab, 0, 0xff0000);
    lab_submit_e_initialize(lab, SEEDED(3));
    lab_submit_e_seal(lab); // as a game's own ESetup may be
    lab_must(lab, kifu_run(lab));
    must_say_to_player(lab, KIFU_NOTHING_TO_UNDO, nothing);
    ck_assert_text(kifu_last_error(lab), "event 2 (lab.ESeal) cannot be undone");
    lab_submit_e_do(lab, "1(2)");
    lab_must(lab, kifu_run(lab));
    must_say_to_player(lab, KIFU_NOTHING_TO_UNDO, nothing);

    // What a player did, and undo took back, is there no more; what cannot be taken back is.
    lab_must(lab, lab_play(lab, "3"));
    lab_must(lab, kifu_undo(lab));
    must_say_to_player(lab, KIFU_NOTHING_TO_UNDO, nothing);
    lab_must(lab, lab_play(lab, "3@4"));
    must_say_to_player(lab, KIFU_NOT_UNDOABLE, "what was done is final");
    kifu_destroy(lab);
}
END_TEST

// A decision of a player's may be an engine's event in the log.
START_TEST(F09_an_event_at_which_undo_stops_is_not_setup)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_override(lab, lab_submit_e_do(lab, "1"), true, false));
    lab_must(lab, kifu_run(lab));
    lab_submit_e_seal(lab);
    lab_must(lab, kifu_run(lab));
    must_say_to_player(lab, KIFU_NOT_UNDOABLE, "what was done is final");
    kifu_destroy(lab);

    lab = lab_new(NULL);
    lab_must(lab, kifu_override(lab, lab_submit_e_do(lab, "1"), false, false));
    lab_must(lab, kifu_run(lab));
    must_say_to_player(lab, KIFU_NOT_UNDOABLE, "what was done is final");
    kifu_destroy(lab);
}
END_TEST

START_TEST(U06_undo_empties_the_queues)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_do(lab, 0, "1(2)(3)", 1);
    lab_do(lab, 0, "4", 1);
    lab_must(lab, kifu_step(lab));
    lab_must(lab, kifu_step(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 2);
    lab_must(lab, kifu_undo(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 0);
    lab_must(lab, kifu_run(lab));
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    kifu_destroy(lab);
}
END_TEST

START_TEST(U07_redo_brings_back_state_log_and_pending)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1"));
    lab_do(lab, 0, "2(3)(4)", 1);
    lab_do(lab, 0, "5", 1);
    lab_must(lab, kifu_step(lab));
    lab_must(lab, kifu_step(lab)); // "4" and "5" still wait
    lab_picture middle = lab_look(lab);
    lab_must(lab, kifu_undo(lab));
    lab_picture after_one = lab_look(lab);
    lab_must(lab, kifu_undo(lab));
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), 1);
    lab_must(lab, kifu_redo(lab));
    lab_same(lab, &after_one);
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), 2);
    lab_must(lab, kifu_redo(lab));
    lab_same(lab, &middle);
    ck_assert_int_eq(kifu_redo(lab), KIFU_NOTHING_TO_REDO);
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "12345");
    lab_must(lab, kifu_undo(lab)); // what came back can be undone again
    lab_must(lab, kifu_undo(lab));
    ck_assert_str_eq(lab_trace(lab), "1");
    kifu_destroy(lab);
}
END_TEST

START_TEST(U07_without_memory_nothing_is_redone)
{
    kifu_timeline *lab = lab_new(NULL), *loaded;
    lab_must(lab, lab_play(lab, "1"));
    lab_do(lab, 0, "2", 1);
    lab_must(lab, kifu_undo(lab));
    unsigned char *save;
    size_t size;
    lab_must(lab, kifu_save_to_memory(lab, NULL, &save, &size));
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, save, size, &options, NULL, &loaded, NULL), KIFU_OK);
    for (long failing = 0;; failing++) {
        memory.until_failure = failing;
        const kifu_result result = kifu_redo(loaded);
        memory.until_failure = -1;
        if (!result)
            break;
        ck_assert_int_eq(result, KIFU_NO_MEMORY);
        ck_assert_str_eq(lab_trace(loaded), "");
        ck_assert_uint_eq(kifu_pending_count(loaded), 0);
    }
    ck_assert_str_eq(lab_trace(loaded), "1");
    ck_assert_uint_eq(kifu_pending_count(loaded), 1);
    lab_must(loaded, kifu_run(loaded));
    ck_assert_str_eq(lab_trace(loaded), "12");
    free(save);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

START_TEST(U07_a_new_input_ends_redo)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1"));
    lab_must(lab, kifu_undo(lab));
    ck_assert_int_eq(lab_play(lab, "!"), KIFU_REJECTED); // a rejected one does not
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), 1);
    lab_do(lab, 0, "2", 1);
    kifu_error error;
    ck_assert_uint_eq(kifu_can_redo(lab, &error), 0);
    ck_assert_text(&error, "an input waits");
    lab_must(lab, kifu_run(lab));
    ck_assert_int_eq(kifu_redo(lab), KIFU_NOTHING_TO_REDO);
    ck_assert_str_eq(lab_trace(lab), "2");
    kifu_destroy(lab);
}
END_TEST

START_TEST(U08_can_undo_and_can_redo_have_no_side_effects)
{
    kifu_timeline *lab = lab_new(NULL);
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOTHING_TO_UNDO);
    ck_assert_uint_eq(kifu_can_redo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOTHING_TO_REDO);
    lab_must(lab, lab_play(lab, "1(2)(3)"));
    lab_picture before = lab_look(lab);
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 3);
    lab_same(lab, &before);
    lab_must(lab, kifu_undo(lab));
    before = lab_look(lab);
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), 3);
    lab_same(lab, &before);
    kifu_destroy(lab);
}
END_TEST

// Counts what the allocator is asked for.
static void *count_calls(void *context, void *block, size_t size)
{
    ++*(unsigned long *)context;
    if (size)
        return realloc(block, size);
    free(block);
    return NULL;
}

// Time is for the benchmarks. What would make undo depend on the length of the log is executing events again, or asking
// for memory: it does neither.
START_TEST(U09_undo_costs_what_the_chain_changed)
{
    unsigned long allocations = 0, dos = 0;
    kifu_options options = {.allocate = count_calls, .allocate_context = &allocations, .user = &dos, .quiet = true};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 20000; i++) {
        lab_submit_p_add(lab, 0, 1);
        lab_must(lab, kifu_run(lab));
    }
    ck_assert_uint_eq(dos, 20000);
    for (int round = 0; round < 2; round++) {
        unsigned long before = allocations;
        dos = 0;
        for (int i = 0; i < 50; i++)
            lab_must(lab, kifu_undo(lab));
        ck_assert_uint_eq(dos, 0);
        ck_assert_int_eq(lab_get_state(lab)->total, 20000 - 50);
        for (int i = 0; i < 50; i++)
            lab_must(lab, kifu_redo(lab));
        ck_assert_uint_eq(dos, 50);
        if (round) // the first round made room for what redo needs
            ck_assert_uint_eq(allocations, before);
    }
    ck_assert_int_eq(lab_get_state(lab)->total, 20000);
    kifu_destroy(lab);
}
END_TEST

static const model *play_outside(kifu_timeline *outside, int number)
{
    outside_submit_p_push(outside, 0, number);
    ck_assert_int_eq(kifu_run(outside), KIFU_OK);
    return (const model *)kifu_user(outside);
}

START_TEST(U12_a_game_with_its_own_model_gets_undo)
{
    model list = {0};
    kifu_options options = {.reset = model_reset, .user = &list};
    kifu_timeline *outside;
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &outside, NULL), KIFU_OK);
    play_outside(outside, 1);
    play_outside(outside, 2);
    play_outside(outside, 3);
    ck_assert_int_eq(list.first->number, 3);
    int resets = list.resets;
    ck_assert_int_eq(kifu_undo(outside), KIFU_OK);
    ck_assert_int_eq(list.first->number, 2);
    ck_assert_int_eq(list.resets, resets + 1);
    ck_assert_int_eq(kifu_undo(outside), KIFU_OK);
    ck_assert_int_eq(kifu_redo(outside), KIFU_OK);
    ck_assert_int_eq(list.first->number, 2);
    ck_assert_int_eq(list.first->next->number, 1);
    ck_assert_ptr_null(list.first->next->next);

    // A failed Do has changed the model half: it is reset and executed again.
    outside_submit_p_break(outside, 0, 4);
    ck_assert_int_eq(kifu_run(outside), KIFU_FAILED);
    ck_assert_text(kifu_last_error(outside), "it broke");
    ck_assert_int_eq(list.first->number, 2);
    ck_assert_int_eq(list.first->next->number, 1);
    ck_assert_uint_eq(kifu_event_count(outside), 2);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

START_TEST(U13_undo_from_inside_is_refused)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1"));
    lab_picture before = lab_look(lab);
    ck_assert_int_eq(lab_play(lab, "2u3"), KIFU_MISUSE); // in Do; view callbacks: T06
    ck_assert_text(kifu_last_error(lab), "kifu_undo");
    lab_same(lab, &before);
    kifu_destroy(lab);
}
END_TEST

typedef struct two_tickets {
    kifu_ticket other; // of what waits already
    kifu_result of_other, of_own;
} two_tickets;

static kifu_result override_both(void *context, kifu_timeline *lab, const void *state, const kifu_event *event)
{
    (void)state;
    two_tickets *tickets = context;
    if (event->index != 1)
        return KIFU_OK;
    tickets->of_other = kifu_override(lab, tickets->other, false, false);
    tickets->of_own = kifu_override(lab, lab_submit_e_do(lab, "3"), false, true);
    return KIFU_OK;
}

START_TEST(U02_a_running_event_overrides_only_what_it_submitted)
{
    kifu_timeline *lab = lab_new(NULL);
    two_tickets tickets = {0};
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = override_both, .type = LAB_P_DO, .context = &tickets}));
    lab_do(lab, 0, "1", 1);
    lab_must(lab, kifu_run(lab));
    lab_do(lab, 0, "2", 1);
    tickets.other = lab_do(lab, 0, "4", 1);
    lab_must(lab, kifu_run(lab));
    ck_assert_int_eq(tickets.of_other, KIFU_MISUSE);
    ck_assert_int_eq(tickets.of_own, KIFU_OK);
    kifu_event event;
    ck_assert(kifu_event_at(lab, 2, &event));
    ck_assert_uint_eq(event.flags, KIFU_CONTINUE_UNDO);
    ck_assert(kifu_event_at(lab, 3, &event));
    ck_assert_uint_eq(event.flags, KIFU_UNDOABLE);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        U02_a_running_event_overrides_only_what_it_submitted,
        U01_undo_on_an_empty_log_says_so,
        U02_an_instance_overrides_its_flags,
        U03_defaults_of_engine_and_player_events,
        U04_undo_takes_back_one_chain,
        M04_U02_a_do_says_that_undo_continues_past_its_event,
        F68_the_event_that_began_a_chain_is_found,
        U05_a_chain_with_a_non_undoable_event_is_refused_whole,
        U05_undo_right_after_setup_is_refused,
        F09_where_all_is_setup_there_is_nothing_to_undo,
        F09_an_event_at_which_undo_stops_is_not_setup,
        U06_undo_empties_the_queues,
        U07_redo_brings_back_state_log_and_pending,
        U07_without_memory_nothing_is_redone,
        U07_a_new_input_ends_redo,
        U08_can_undo_and_can_redo_have_no_side_effects,
        U09_undo_costs_what_the_chain_changed,
        U12_a_game_with_its_own_model_gets_undo,
        U13_undo_from_inside_is_refused,
    };
    return run_suite("undo", tests, sizeof tests / sizeof *tests);
}
