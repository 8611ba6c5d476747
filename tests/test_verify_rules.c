// kifu_verify_rules on honest games: played again from what came from outside, with all checks, hooks, reactions and
// triggers, they are the same. What it finds is in test_rules_changed.c, what is recorded for it in test_records.c.

#include "lab.h"
#include "suite.h"
#include "verify_rules_help.h"

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

static void count_change(void *context, kifu_timeline *corridor, const void *state, const kifu_change *change)
{
    (void)corridor;
    (void)state;
    (void)change;
    ++*(int *)context;
}

START_TEST(H06_the_view_sees_nothing_of_it)
{
    static int changes;
    static const kifu_observer observers[] = {
        {.listen = count_change, KIFU_PART(corridor_state, people[1]), .context = &changes}};
    const kifu_options options = {.record_inputs = kifu_record_inputs, .observers = KIFU_OBSERVERS(observers)};
    kifu_timeline *corridor;
    ck_assert_int_eq(kifu_create(&corridor_rules, &options, &corridor, NULL), KIFU_OK);
    corridor_submit_e_build(corridor);
    strike(corridor, 4);
    ck_assert_int_gt(changes, 0);
    const int before = changes;
    must(corridor, kifu_verify_rules(corridor, NULL, NULL, NULL));
    ck_assert_int_eq(changes, before);
    kifu_destroy(corridor);
}
END_TEST

static double count_acts(void *context, kifu_timeline *lab, const lab_state *state, const lab_p_add *add)
{
    (void)lab;
    (void)state;
    (void)add;
    ++*(int *)context;
    return 0;
}

static kifu_result turn_loud(void *context, kifu_timeline *lab)
{
    (void)context;
    kifu_set_quiet(lab, false);
    return KIFU_OK;
}

START_TEST(H06_each_event_happens_once_more_and_is_not_shown)
{
    unsigned long dos = 0;
    int acts = 0;
    const lab_view view = {.base = {.context = &acts}, .act_p_add = count_acts};
    const kifu_options options = {
        .view = &view.base, .user = &dos, .record_inputs = kifu_record_inputs, .sync_test = kifu_sync_test};
    kifu_timeline *lab;
    ck_assert_int_eq(kifu_create(&lab_rules, &options, &lab, NULL), KIFU_OK);
    for (int i = 0; i < 10; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    ck_assert(acts == 10 && dos == 20); // twice because of the sync test
    must(lab, kifu_verify_rules(lab, turn_loud, NULL, NULL));
    ck_assert(acts == 10 && dos == 30);
    kifu_destroy(lab);
}
END_TEST

static int prepared_by_options;

static kifu_result prepare_by_options(kifu_timeline *corridor)
{
    prepared_by_options++;
    return prepare(NULL, corridor);
}

START_TEST(H06_one_of_two_prepares_the_game_that_is_played_again)
{
    const kifu_options options = {.record_inputs = kifu_record_inputs, .prepare = prepare_by_options};
    kifu_timeline *corridor;
    ck_assert_int_eq(kifu_create(&corridor_rules, &options, &corridor, NULL), KIFU_OK);
    corridor_submit_e_build(corridor);
    strike(corridor, 4);
    ck_assert_int_eq(prepared_by_options, 1);
    must(corridor, kifu_verify_rules(corridor, NULL, NULL, NULL));
    ck_assert_int_eq(prepared_by_options, 2);
    verify(corridor);
    ck_assert_int_eq(prepared_by_options, 2);
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

static void count_changes(void *context, kifu_timeline *corridor, const void *state, const kifu_change *change)
{
    (void)corridor;
    (void)state;
    (void)change;
    ++*(int *)context;
}

START_TEST(H06_no_listener_hears_the_second_game)
{
    int heard = 0;
    const kifu_observer listeners[] = {{.listen = count_changes, KIFU_PART(corridor_state, level), .context = &heard}};
    const kifu_options options = {.record_inputs = kifu_record_inputs, .observers = KIFU_OBSERVERS(listeners)};
    kifu_timeline *corridor = corridor_new(&options);
    const int before = heard;
    ck_assert_int_gt(before, 0);
    must(corridor, kifu_verify_rules(corridor, NULL, NULL, NULL));
    ck_assert_int_eq(heard, before);
    kifu_destroy(corridor);
}
END_TEST

static int prepared;

static kifu_result count_prepared(kifu_timeline *corridor)
{
    (void)corridor;
    prepared++;
    return KIFU_OK;
}

START_TEST(H06_prepare_is_called_in_place_of_that_of_the_options)
{
    int instead = 0;
    kifu_timeline *corridor =
        corridor_new(&(kifu_options){.record_inputs = kifu_record_inputs, .prepare = count_prepared});
    must(corridor, kifu_verify_rules(corridor, NULL, NULL, NULL));
    ck_assert_int_eq(prepared, 2);
    must(corridor, kifu_verify_rules(corridor, prepare, &instead, NULL));
    ck_assert_int_eq(prepared, 2);
    ck_assert_int_eq(instead, 1);
    kifu_destroy(corridor);
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
        H06_the_view_sees_nothing_of_it,
        H06_each_event_happens_once_more_and_is_not_shown,
        H06_one_of_two_prepares_the_game_that_is_played_again,
        H06_while_the_past_is_shown_and_after_it,
        H06_no_listener_hears_the_second_game,
        H06_prepare_is_called_in_place_of_that_of_the_options,
    };
    return run_suite("verify rules", tests, sizeof tests / sizeof *tests);
}
