// What is seen of a try, and after it: nothing.

#include "try_help.h"

START_TEST(X01_redo_is_there_after_a_try)
{
    kifu_timeline *timeline = reversi_new(1), *untouched;
    reversi_play_recorded(timeline, 0, 9);
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_undo(timeline));
    for (int square = 0; square < 64; square++) {
        if (try_place(timeline, reversi_current(timeline), square) == KIFU_OK)
            must(timeline, kifu_take_back(timeline));
    }
    must(timeline, kifu_redo(timeline));
    must(timeline, kifu_redo(timeline));
    untouched = reversi_new(1);
    reversi_play_recorded(untouched, 0, 9);
    must_be_same(timeline, untouched);
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(untouched);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(M08_X01_while_a_try_is_open_lines_show_nothing_and_no_player_acts)
{
    kifu_timeline *lab = lab_started(NULL);
    kifu_event event;
    lab_must(lab, lab_play(lab, "1"));
    ck_assert(kifu_line_event(lab, 0, 1, &event));
    ck_assert(!kifu_line_event(lab, 1, 1, &event)); // There is no such line.
    lab_must(lab, lab_try_p_add(lab, 0, 1));
    ck_assert(!kifu_line_event(lab, 0, 1, &event));
    ck_assert_int_eq(kifu_player(lab), -1);
    lab_must(lab, kifu_take_back(lab));
    ck_assert(kifu_line_event(lab, 0, 1, &event));
    kifu_destroy(lab);
}
END_TEST

static double count_shown(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_add *add)
{
    (void)timeline, (void)state, (void)add;
    ++*(unsigned *)context;
    return 0;
}

START_TEST(M08_X01_what_is_played_after_a_try_is_shown)
{
    unsigned shown = 0;
    const lab_view view = {.base.context = &shown, .act_p_add = count_shown};
    kifu_timeline *lab = lab_started(&(kifu_options){.view = &view.base});
    for (unsigned i = 0; i < 2; i++) {
        lab_must(lab, try_built(lab, "+(1)", true));
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, lab_play_p_add(lab, 0, 5));
        ck_assert_uint_eq(shown, i + 1);
    }
    kifu_destroy(lab);
}
END_TEST

static double show_for_a_second(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_add *add)
{
    (void)context, (void)timeline, (void)state, (void)add;
    return 1;
}

START_TEST(M08_X01_a_try_does_not_end_the_time_for_which_an_event_is_shown)
{
    const lab_view view = {.act_p_add = show_for_a_second};
    kifu_timeline *lab = lab_started(&(kifu_options){.view = &view.base});
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = react_to_nothing, .type = LAB_E_DO}));
    lab_submit_p_add(lab, 0, 1);
    lab_submit_p_add(lab, 0, 2);
    lab_must(lab, kifu_update(lab, 0));
    ck_assert_int_eq((int)lab_get_state(lab)->total, 1);
    lab_must(lab, lab_try_p_add(lab, 0, 50));
    lab_must(lab, kifu_take_back(lab));
    ck_assert(lab_can_p_add(lab, 0, 50));
    lab_must(lab, kifu_update(lab, 0.5));
    ck_assert_int_eq((int)lab_get_state(lab)->total, 1);
    lab_must(lab, kifu_update(lab, 0.75));
    ck_assert_int_eq((int)lab_get_state(lab)->total, 3);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_X01_a_cursor_in_a_try_that_is_taken_back_is_lost)
{
    kifu_timeline *lab = lab_started(NULL);
    kifu_cursor *cursor, *earlier;
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &earlier));
    lab_must(lab, try_built(lab, "1(2)", true));
    lab_must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &cursor));
    lab_must(lab, kifu_take_back(lab));
    lab_must(lab, lab_play(lab, "3(4)"));
    ck_assert_int_eq(kifu_cursor_back(cursor), KIFU_MISUSE);
    ck_assert_text(lab, "were taken back");
    lab_must(lab, kifu_cursor_forward(earlier));
    kifu_cursor_close(cursor);
    kifu_cursor_close(earlier);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X01_redo_is_there_after_a_try,
        M08_X01_while_a_try_is_open_lines_show_nothing_and_no_player_acts,
        M08_X01_what_is_played_after_a_try_is_shown,
        M08_X01_a_try_does_not_end_the_time_for_which_an_event_is_shown,
        M08_X01_a_cursor_in_a_try_that_is_taken_back_is_lost,
    };
    return run_suite("try unseen", tests, sizeof tests / sizeof *tests);
}
