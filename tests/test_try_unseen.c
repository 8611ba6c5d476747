// What is seen of a try, and after it: nothing.

#include "try_help.h"

typedef struct heard {
    unsigned acts, redraws, rejections, listens, outcomes, reactions;
} heard;

static double act_p_add(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_add *add)
{
    (void)timeline;
    (void)state;
    (void)add;
    ((heard *)context)->acts++;
    return 1;
}

static void redraw(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    ((heard *)context)->redraws++;
}

static void rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline;
    (void)outcome;
    ((heard *)context)->rejections++;
}

static void listen(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    (void)state;
    (void)change;
    ((heard *)context)->listens++;
}

static void follow(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline;
    (void)outcome;
    ((heard *)context)->outcomes++;
}

static kifu_result react(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    ((heard *)context)->reactions++;
    if (event->type == LAB_P_ADD)
        lab_submit_e_do(timeline, "9");
    return KIFU_OK;
}

// With reactions, a try takes the long way.
static void try_unheard(bool reacting)
{
    heard heard = {0};
    unsigned long calls = 0;
    lab_view view = {.base = {.context = &heard, .redraw = redraw, .rejected = rejected}, .act_p_add = act_p_add};
    kifu_timeline *lab = lab_started(
        &(kifu_options){.view = &view.base, .user = &calls, .record_inputs = kifu_record_inputs, .hash_interval = 1});
    const kifu_observer observers[] = {
        {.context = &heard, .listen = listen, KIFU_PART(lab_state, total)},
        {.context = &heard, .react = react},
    };
    lab_must(lab, kifu_observe_all(lab, observers, reacting ? 2 : 1));
    lab_submit_p_add(lab, 0, 1);
    lab_submit_p_add(lab, 0, 2);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_undo(lab));
    const kifu_ticket ticket = lab_submit_p_add(lab, 0, 50);
    lab_must(lab, kifu_follow(lab, ticket, follow, &heard));
    const lab_picture before = lab_look(lab);
    const uint32_t redo = kifu_can_redo(lab, NULL), hashes = lab->log.branch->checkpoint_count,
                   keyframes = lab->keyframes.count;
    heard = (struct heard){0};
    for (int i = 0; i < 300; i++) {
        lab_must(lab, lab_try_p_add(lab, 0, 10));
        ck_assert_int_eq((int)lab_get_state(lab)->total, 11);
        ck_assert_int_eq(lab_try_p_add(lab, i % 2 ? 300 : -2, 10), KIFU_MISUSE);
        lab_must(lab, kifu_take_back(lab));
    }
    ck_assert(heard.reactions == (reacting ? 600 : 0)); // the rules hear of it
    heard.reactions = 0;
    ck_assert_mem_eq(&heard, &(struct heard){0}, sizeof heard);
    lab_same(lab, &before);
    ck_assert(lab->log.branch->checkpoint_count == hashes && lab->keyframes.count == keyframes);
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), redo);
    lab_must(lab, kifu_run(lab));
    ck_assert(heard.acts == 1 && heard.listens == 1 && heard.outcomes == 1);
    lab_must(lab, kifu_verify_replay(lab, NULL));
    kifu_destroy(lab);
}

START_TEST(X01_nobody_hears_of_a_try)
{
    try_unheard(false);
    try_unheard(true);
}
END_TEST

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

START_TEST(M08_X01_after_a_try_the_journal_may_forget_again)
{
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true}), *lab = lab_started(NULL);
    ck_assert_uint_eq(lab->journal.keep_from, KIFU_NONE);
    lab_must(lab, lab_try_legal_p_add(lab, 0, 1)); // a short one, in which the next one makes it an ordinary one
    lab_must(lab, try_built(lab, maker, "+(1)", true));
    ck_assert_uint_eq(lab->journal.keep_from, 1);
    lab_must(lab, kifu_take_back(lab));
    lab_must(lab, kifu_take_back(lab));
    ck_assert_uint_eq(lab->journal.keep_from, KIFU_NONE);
    lab_must(lab, try_built(lab, maker, "+(1)", true));
    ck_assert_uint_eq(lab->journal.keep_from, 1);
    lab_must(lab, kifu_take_back(lab));
    ck_assert_uint_eq(lab->journal.keep_from, KIFU_NONE);
    kifu_destroy(lab);
    kifu_destroy(maker);
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
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true});
    kifu_timeline *lab = lab_started(&(kifu_options){.view = &view.base});
    for (unsigned i = 0; i < 2; i++) {
        lab_must(lab, try_built(lab, maker, "+(1)", true));
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, lab_play_p_add(lab, 0, 5));
        ck_assert_uint_eq(shown, i + 1);
    }
    kifu_destroy(lab);
    kifu_destroy(maker);
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

START_TEST(M08_X01_after_a_try_hashes_are_recorded_as_before)
{
    kifu_timeline *lab = lab_started(&(kifu_options){.hash_interval = 1});
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    for (int redo = 0; redo < 2; redo++) {
        if (redo) // Beside it, what is tried is in a hidden part of the log.
            lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_try_p_add(lab, 0, 1));
        ck_assert_int_eq(lab_try_p_do(lab, 0, &(lab_p_do_args){.script = "f", .times = 1}), KIFU_FAILED);
        lab_must(lab, lab_try_p_add(lab, 0, 1));
        ck_assert_uint_eq(lab->log.branch->checkpoint_count, 0); // none of what is only tried
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, kifu_undo(lab));
        for (int i = 0; i < 3; i++)
            lab_must(lab, lab_play(lab, "+"));
        ck_assert_uint_eq(lab->log.branch->checkpoint_count, kifu_event_count(lab));
    }
    lab_must(lab, kifu_verify_replay(lab, NULL));
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_X01_a_cursor_in_a_try_that_is_taken_back_is_lost)
{
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true}), *lab = lab_started(NULL);
    kifu_cursor *cursor, *earlier;
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &earlier));
    lab_must(lab, try_built(lab, maker, "1(2)", true));
    lab_must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &cursor));
    lab_must(lab, kifu_take_back(lab));
    lab_must(lab, lab_play(lab, "3(4)"));
    ck_assert_int_eq(kifu_cursor_back(cursor), KIFU_MISUSE);
    ck_assert_text(lab, "were taken back");
    lab_must(lab, kifu_cursor_forward(earlier));
    kifu_cursor_close(cursor);
    kifu_cursor_close(earlier);
    kifu_destroy(lab);
    kifu_destroy(maker);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X01_nobody_hears_of_a_try,
        X01_redo_is_there_after_a_try,
        M08_X01_after_a_try_the_journal_may_forget_again,
        M08_X01_while_a_try_is_open_lines_show_nothing_and_no_player_acts,
        M08_X01_what_is_played_after_a_try_is_shown,
        M08_X01_a_try_does_not_end_the_time_for_which_an_event_is_shown,
        M08_X01_after_a_try_hashes_are_recorded_as_before,
        M08_X01_a_cursor_in_a_try_that_is_taken_back_is_lost,
    };
    return run_suite("try unseen", tests, sizeof tests / sizeof *tests);
}
