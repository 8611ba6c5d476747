// Where the past is shown: what may be done there, what is told, and what the way there finds wrong.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "model.h"
#include "past_help.h"
#include "suite.h"

// --- In the past -----------------------------------------------------------------------------------------------------

START_TEST(U10_seek_to_the_beginning_the_present_and_beyond)
{
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    must(lab, kifu_seek(lab, 0));
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    lab_state zero;
    memset(&zero, 0, sizeof zero);
    must(lab, lab_play(lab, "1(2)3@"));
    lab_picture picture = lab_look(lab);
    ck_assert_uint_eq(kifu_event_count(lab), 3);
    must_refuse(lab, kifu_seek(lab, 4));
    lab_same(lab, &picture);

    must(lab, kifu_seek(lab, 0)); // past an ESeal that undo stops at
    ck_assert_uint_eq(kifu_position(lab), 0);
    ck_assert_uint_eq(kifu_event_count(lab), 3);
    ck_assert_mem_eq(lab_get_state(lab), &zero, sizeof zero);
    must_refuse(lab, kifu_seek(lab, 4));
    ck_assert_uint_eq(kifu_position(lab), 0);
    must(lab, kifu_seek(lab, 1));
    ck_assert_str_eq(lab_trace(lab), "13");
    must(lab, kifu_seek(lab, 3)); // the number of the present is the present
    lab_same(lab, &picture);
    must(lab, lab_play(lab, "4"));
    ck_assert_str_eq(lab_trace(lab), "1324");
    kifu_destroy(lab);
}
END_TEST

START_TEST(U10_nothing_happens_in_the_past)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_undo(lab));
    lab_picture picture = lab_look(lab);
    must(lab, kifu_seek(lab, 0));
    lab_picture past = lab_look(lab);

    ck_assert_uint_eq(lab_do(lab, 0, "9", 1), 0);
    ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
    must_say(lab, "PDo");
    ck_assert_uint_eq(lab_submit_p_add(lab, 0, 9), 0);
    ck_assert_int_eq(kifu_update(lab, 1), KIFU_MISUSE);
    must(lab, kifu_run(lab));
    must(lab, kifu_step(lab));
    must(lab, kifu_update(lab, 10));
    lab_same(lab, &past);
    must_refuse(lab, kifu_undo(lab));
    must_refuse(lab, kifu_redo(lab));
    must_refuse(lab, kifu_begin(lab, 0));
    must_refuse(lab, kifu_begin(lab, KIFU_DEFERRED));
    must_refuse(lab, kifu_begin(lab, KIFU_SEARCH));
    must_refuse(lab, kifu_commit(lab));
    must_refuse(lab, kifu_roll_back(lab));
    ck_assert_uint_eq(kifu_open_transactions(lab), 0);
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_MISUSE);
    ck_assert_uint_eq(kifu_can_redo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_MISUSE);
    *lab_edit_total(lab) = 77; // from outside
    ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
    lab_same(lab, &past);

    must(lab, kifu_seek(lab, KIFU_PRESENT));
    lab_same(lab, &picture);
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 1);
    must(lab, kifu_redo(lab));
    ck_assert_str_eq(lab_trace(lab), "12");
    kifu_destroy(lab);
}
END_TEST

START_TEST(U10_what_waits_goes_on_waiting)
{
    kifu_options options = {.max_consequences = 4};
    kifu_timeline *lab = lab_new(&options);
    kifu_timeline *straight = lab_new(&options);
    for (int i = 0; i < 2; i++) {
        kifu_timeline *each = i ? straight : lab;
        lab_submit_e_initialize(each, SEEDED(seed));
        lab_do(each, 2, "1r(2(3r)p)(4)", 1);
        lab_do(each, 0, "(5)(6)(7)(8)(9)", 1); // one too many
        lab_do(each, 0, "8", 1);
        for (int j = 0; j < 3; j++)
            must(each, kifu_step(each));
    }
    lab_picture picture = lab_look(lab);
    ck_assert_uint_eq(picture.pending, 4);
    for (uint32_t i = 0; i < 3; i++) {
        must(lab, kifu_seek(lab, i));
        ck_assert_uint_eq(kifu_pending_count(lab), 4);
        must(lab, kifu_run(lab));
        must(lab, kifu_step(lab));
        must(lab, kifu_update(lab, 5));
        ck_assert_uint_eq(kifu_pending_count(lab), 4);
        ck_assert_uint_eq(kifu_position(lab), i);
    }
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    lab_same(lab, &picture);
    for (int i = 0; i < 2; i++) {
        kifu_timeline *each = i ? straight : lab;
        ck_assert_int_eq(kifu_run(each), KIFU_RUNAWAY);
        must(each, kifu_run(each));
    }
    picture = lab_look(straight);
    lab_same(lab, &picture);
    kifu_destroy(straight);
    kifu_destroy(lab);
}
END_TEST

static unsigned redraws;

static void count_redraws(void *context, kifu_timeline *timeline)
{
    (void)context;
    (void)timeline;
    redraws++;
}

static double act_for_a_second(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    ++*(unsigned *)context;
    (void)timeline;
    (void)state;
    (void)event;
    return 1.0;
}

START_TEST(U10_a_seek_is_told_by_one_redraw)
{
    unsigned acts = 0;
    lab_view view = {.base = {.context = &acts, .redraw = count_redraws}, .act_p_do = act_for_a_second};
    kifu_options options = {.view = &view.base};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 20; i++)
        lab_do(lab, 0, "+", 1);
    must(lab, kifu_update(lab, 0));
    must(lab, kifu_update(lab, 9));
    ck_assert_int_eq(lab_get_state(lab)->total, 10);
    ck_assert_double_eq_tol(kifu_delay(lab), 1, 1e-9);
    follower eye;
    follow_state(&eye, lab);
    redraws = acts = 0;
    must(lab, kifu_seek(lab, 3));
    ck_assert_uint_eq(redraws, 1);
    must(lab, kifu_update(lab, 100)); // no time passes
    ck_assert_int_eq(lab_get_state(lab)->total, 3);
    must(lab, kifu_seek(lab, 7));
    ck_assert_uint_eq(redraws, 2);
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    ck_assert_uint_eq(redraws, 3);
    ck_assert_uint_eq(acts, 0);
    ck_assert_uint_eq(eye.calls, 0);
    must_have_followed(&eye, lab);
    ck_assert_double_eq_tol(kifu_delay(lab), 1, 1e-9);
    must(lab, kifu_update(lab, 1));
    ck_assert_uint_eq(eye.calls, 1);
    must_have_followed(&eye, lab);
    ck_assert_int_eq(lab_get_state(lab)->total, 11);
    kifu_destroy(lab);
}
END_TEST

START_TEST(S03_a_save_made_in_the_past_is_of_the_present)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2(3)"));
    must(lab, lab_play(lab, "4"));
    must(lab, kifu_undo(lab));
    lab_do(lab, 0, "5(6)", 1);
    lab_do(lab, 0, "7", 1);
    must(lab, kifu_step(lab));
    lab_picture picture = lab_look(lab);
    ck_assert_uint_eq(picture.pending, 2);
    for (int fast = 0; fast < 2; fast++) {
        must(lab, kifu_seek(lab, 1));
        kifu_timeline *loaded = reload_fast(lab, NULL, fast);
        ck_assert_str_eq(lab_trace(lab), "1"); // where it was
        lab_same(loaded, &picture);
        must(loaded, kifu_run(loaded));
        ck_assert_str_eq(lab_trace(loaded), "123567");
        kifu_destroy(loaded);
    }
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    must(lab, kifu_undo(lab));
    lab_picture undone = lab_look(lab);
    must(lab, kifu_seek(lab, 0));
    for (int fast = 0; fast < 2; fast++) {
        kifu_timeline *loaded = reload_fast(lab, NULL, fast);
        lab_same(loaded, &undone);
        ck_assert_uint_eq(kifu_can_redo(loaded, NULL), 1);
        must(loaded, kifu_redo(loaded));
        lab_same(loaded, &picture);
        kifu_destroy(loaded);
    }
    kifu_destroy(lab);
}
END_TEST

// --- Undo and redo ---------------------------------------------------------------------------------------------------

START_TEST(U07_a_walk_through_the_past_leaves_redo_and_what_waits)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, SEEDED(seed));
    must(lab, kifu_run(lab));
    must(lab, lab_play(lab, "1r"));
    lab_do(lab, 0, "2(3r)(4)", 1);
    lab_do(lab, 0, "5", 1);
    must(lab, kifu_step(lab));
    must(lab, kifu_step(lab));
    lab_picture end = lab_look(lab);
    must(lab, kifu_undo(lab));
    lab_picture one = lab_look(lab);
    must(lab, kifu_undo(lab));
    for (uint32_t i = 0; i <= kifu_event_count(lab); i++)
        must(lab, kifu_seek(lab, i));
    ck_assert_uint_eq(kifu_event_count(lab), 1);
    must(lab, kifu_seek(lab, 0));
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    must(lab, kifu_redo(lab));
    lab_same(lab, &one);
    must(lab, kifu_redo(lab));
    lab_same(lab, &end);
    must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "12345");
    kifu_destroy(lab);
}
END_TEST

START_TEST(U08_can_undo_says_what_stands_in_the_way)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    kifu_error error;
    must(lab, kifu_begin(lab, 0));
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_msg(strstr(error.message, "transaction") != NULL, "%s", error.message);
    must(lab, lab_play(lab, "2"));
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 1);
    must(lab, kifu_commit(lab));
    must(lab, lab_play(lab, "v"));
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOT_UNDOABLE);
    ck_assert_uint_eq(error.event, 2);
    ck_assert_msg(strstr(error.message, "reveal") != NULL, "%s", error.message);
    must(lab, kifu_seek(lab, 1));
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_MISUSE);
    ck_assert_msg(strstr(error.message, "kifu_seek") != NULL, "%s", error.message);
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), 0);
    kifu_destroy(lab);
}
END_TEST

START_TEST(E07_random_numbers_are_the_same_whichever_way_one_came)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, SEEDED(seed));
    must(lab, kifu_run(lab));
    must(lab, lab_play(lab, "r"));
    kifu_timeline *straight = fork_of(lab, KIFU_PRESENT, NULL);
    must(straight, lab_play(straight, "rr"));
    uint32_t expected = lab_get_state(straight)->random;
    for (int way = 0; way < 8; way++) {
        if (way == 1 || way == 4)
            must(lab, kifu_seek(lab, 0));
        if (way == 2 || way == 4)
            must(lab, kifu_seek(lab, KIFU_PRESENT));
        if (way == 1)
            must(lab, kifu_seek(lab, KIFU_PRESENT));
        if (way == 3) {
            must(lab, kifu_begin(lab, 0));
            must(lab, lab_play(lab, "rrr"));
            must(lab, kifu_roll_back(lab));
        }
        if (way == 5) {
            must(lab, kifu_begin(lab, KIFU_SEARCH));
            must(lab, lab_play(lab, "rrrr"));
            must(lab, kifu_roll_back(lab));
        }
        if (way == 6)
            ck_assert_int_eq(lab_play(lab, "rrf"), KIFU_FAILED);
        if (way == 7) {
            must(lab, lab_play(lab, "brrkrr"));
            ck_assert_uint_eq(lab_get_state(lab)->random, expected);
            must(lab, kifu_undo(lab));
        }
        must(lab, lab_play(lab, "rr"));
        ck_assert_uint_eq(lab_get_state(lab)->random, expected);
        must(lab, kifu_undo(lab));
        must(lab, kifu_redo(lab));
        ck_assert_uint_eq(lab_get_state(lab)->random, expected);
        must(lab, kifu_undo(lab));
    }
    kifu_destroy(straight);
    kifu_destroy(lab);
}
END_TEST

// --- Counting --------------------------------------------------------------------------------------------------------

// Whoever looks sees as many events as are counted, and no more.
static void must_count(const kifu_timeline *timeline, uint32_t count, uint32_t position)
{
    kifu_event event;
    ck_assert_uint_eq(kifu_event_count(timeline), count);
    ck_assert_uint_eq(kifu_position(timeline), position);
    ck_assert(!count || kifu_event_at(timeline, count - 1, &event));
    ck_assert(!kifu_event_at(timeline, count, &event));
    ck_assert(!kifu_event_at(timeline, KIFU_NONE, &event));
}

static uint32_t done[64]; // how often each event was executed

// A Do sees the events before its own, live and in a replay.
static kifu_result count_in_do(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)context;
    const uint32_t before = (uint32_t)any->number;
    must_count(timeline, before, before);
    done[before]++;
    return KIFU_OK;
}

START_TEST(F15_event_at_reaches_exactly_event_count_events)
{
    memset(done, 0, sizeof done);
    cards_hooks hooks = {.in_do = count_in_do};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks, .keyframe_bytes = 1});
    const uint32_t first = kifu_event_count(cards), count = 20;
    for (uint32_t i = first; i < count; i++) {
        cards_submit_p_any(cards, 0, (int32_t)i);
        must(cards, kifu_run(cards));
        must_count(cards, i + 1, i + 1);
    }
    for (uint32_t i = 0; i <= count; i++) {
        must(cards, kifu_seek(cards, i));
        must_count(cards, count, i);
    }
    must(cards, kifu_seek(cards, 0));
    must(cards, kifu_play(cards, 1));
    must(cards, kifu_update(cards, 1));
    must_count(cards, count, count);
    must(cards, kifu_undo(cards)); // What was undone has not happened,
    must_count(cards, count - 1, count - 1);
    must(cards, kifu_seek(cards, 3));
    must_count(cards, count - 1, 3); // wherever seek has gone.
    ck_assert_uint_gt(done[first], 1);
    kifu_destroy(cards);
}
END_TEST

// --- A Do that changed its mind --------------------------------------------------------------------------------------

static bool fails_now;

static kifu_result fail_now(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)context;
    *cards_edit_life(timeline, 1) += 1;
    return fails_now && any->number == 7 ? kifu_fail(timeline, "not any more") : KIFU_OK;
}

START_TEST(T05_a_do_that_fails_now_leaves_the_state_before_it)
{
    for (int events = 4; events < 5000; events += 4000) // with a journal, and without
        for (int way = 0; way < 5; way++) {
            fails_now = false;
            cards_hooks hooks = {.in_do = fail_now};
            kifu_options options = {.user = &hooks, .keyframe_bytes = 1};
            kifu_timeline *cards = cards_new(&options);
            cards_submit_p_any(cards, 0, 1);
            cards_submit_p_any(cards, 0, 7); // event 3
            for (int i = 0; i < events; i++)
                cards_submit_p_any(cards, 0, 1);
            must(cards, kifu_run(cards));
            cards_state end = *cards_get_state(cards), then;
            uint32_t present = kifu_event_count(cards);
            must(cards, kifu_state_at(cards, 3, &then, sizeof then));
            ck_assert_int_eq(then.life[1], 21);
            kifu_timeline *fork;
            kifu_error error = {0};
            kifu_result result = KIFU_OK;
            switch (way) {
            case 0: // seek
                must(cards, kifu_seek(cards, 2));
                fails_now = true;
                result = kifu_seek(cards, KIFU_PRESENT);
                ck_assert_uint_eq(kifu_position(cards), 3);
                ck_assert_mem_eq(cards_get_state(cards), &then, sizeof then);
                ck_assert_uint_eq(kifu_event_count(cards), present);
                break;
            case 1: // redo, chain by chain
                while (kifu_can_undo(cards, NULL))
                    must(cards, kifu_undo(cards));
                must(cards, kifu_redo(cards));
                fails_now = true;
                result = kifu_redo(cards);
                ck_assert_uint_eq(kifu_event_count(cards), 3);
                ck_assert_mem_eq(cards_get_state(cards), &then, sizeof then);
                break;
            case 2: // a look
                fails_now = true;
                must(cards, kifu_state_at(cards, 3, &then, sizeof then));
                result = kifu_state_at(cards, 4, &then, sizeof then);
                if (events == 4) // the journal needs no Do
                    result = KIFU_FAILED;
                break;
            case 3: // a fork
                fails_now = true;
                result = kifu_fork(cards, 4, NULL, &fork, &error);
                if (events == 4) {
                    ck_assert_int_eq(result, KIFU_OK);
                    kifu_destroy(fork);
                    result = KIFU_FAILED;
                } else
                    ck_assert_ptr_null(fork);
                break;
            default: // a proof
                fails_now = true;
                result = kifu_verify_replay(cards, NULL);
                ck_assert_int_ne(result, KIFU_OK);
                result = KIFU_FAILED;
            }
            ck_assert_int_eq(result, KIFU_FAILED);
            fails_now = false;
            if (way == 0)
                must(cards, kifu_seek(cards, KIFU_PRESENT));
            while (way == 1 && kifu_can_redo(cards, NULL))
                must(cards, kifu_redo(cards));
            ck_assert_uint_eq(kifu_event_count(cards), present);
            ck_assert_mem_eq(cards_get_state(cards), &end, sizeof end);
            must(cards, kifu_verify_replay(cards, NULL));
            kifu_destroy(cards);
        }
}
END_TEST

// --- A model outside the state ---------------------------------------------------------------------------------------

static kifu_timeline *outside_new(model *list)
{
    kifu_options options = {.reset = model_reset, .user = list};
    kifu_timeline *outside;
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &outside, NULL), KIFU_OK);
    return outside;
}

static void push(kifu_timeline *outside, int number)
{
    outside_submit_p_push(outside, 0, number);
    must(outside, kifu_run(outside));
}

static void must_hold(const model *list, int count) // the numbers from `count` down to 1
{
    const node *node = list->first;
    for (; count > 0; count--, node = node->next) {
        ck_assert_ptr_nonnull(node);
        ck_assert_int_eq(node->number, count);
    }
    ck_assert_ptr_null(node);
}

START_TEST(U12_seek_executes_the_log_for_a_model_outside)
{
    model list = {0};
    kifu_timeline *outside = outside_new(&list);
    for (int i = 1; i <= 6; i++)
        push(outside, i);
    must(outside, kifu_undo(outside));
    outside_submit_p_push(outside, 0, 6);
    for (uint32_t i = 0; i <= 5; i++) {
        must(outside, kifu_seek(outside, i));
        must_hold(&list, (int)i);
        must(outside, kifu_seek(outside, 5 - i));
        must_hold(&list, 5 - (int)i);
    }
    must(outside, kifu_seek(outside, 2));
    must(outside, kifu_run(outside));
    must_hold(&list, 2);
    must(outside, kifu_seek(outside, KIFU_PRESENT));
    must_hold(&list, 5);
    must(outside, kifu_run(outside));
    must_hold(&list, 6);
    kifu_game state;
    must_refuse(outside, kifu_state_at(outside, 1, &state, sizeof state));
    ck_assert_int_eq(kifu_verify_replay(outside, NULL), KIFU_MISUSE);
    must_hold(&list, 6);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

START_TEST(U12_a_seek_over_a_do_that_fails_now_shows_what_came_before)
{
    model list = {0};
    kifu_timeline *outside = outside_new(&list);
    push(outside, 1);
    push(outside, 2);
    push(outside, -3); // fails when it is executed again
    push(outside, 4);
    must(outside, kifu_seek(outside, 1));
    must_hold(&list, 1);
    ck_assert_int_eq(kifu_seek(outside, 4), KIFU_FAILED);
    must_say(outside, "negative numbers are pushed once");
    ck_assert_uint_eq(kifu_last_error(outside)->event, 2);
    must_hold(&list, 2);
    ck_assert_uint_eq(kifu_position(outside), 2);
    ck_assert_uint_eq(kifu_event_count(outside), 4);
    must(outside, kifu_seek(outside, 1));
    must_hold(&list, 1);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

START_TEST(U12_a_film_ends_before_a_do_that_fails_now)
{
    model list = {0};
    kifu_timeline *outside = outside_new(&list);
    push(outside, 1);
    push(outside, -2);
    push(outside, 3);
    must(outside, kifu_seek(outside, 0));
    must(outside, kifu_play(outside, 1));
    ck_assert_int_eq(kifu_update(outside, 1), KIFU_FAILED);
    must_say(outside, "negative numbers are pushed once");
    ck_assert_uint_eq(kifu_last_error(outside)->event, 1);
    ck_assert_uint_eq(kifu_position(outside), 1);
    must_hold(&list, 1);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

typedef struct meddler {
    kifu_timeline *timeline;
    bool submits;
} meddler;

static void reset_and_submit(void *context)
{
    meddler *meddler = (struct meddler *)context;
    if (meddler->submits)
        lab_submit_p_add(meddler->timeline, 1000, 1);
}

// No event of the log is to blame, and all can be executed again.
START_TEST(U12_a_reset_that_misuses_the_timeline_is_reported)
{
    meddler meddler = {0};
    kifu_timeline *lab = meddler.timeline = lab_new(&(kifu_options){.reset = reset_and_submit, .user = &meddler});
    for (int i = 0; i < 1200; i++)
        lab_submit_e_show(lab, 1);
    must(lab, kifu_run(lab));
    for (uint32_t back = 1; back < 1200; back += 1100) { // without a journal, and most of it with one
        meddler.submits = true;
        const kifu_result result = kifu_seek(lab, 1200 - back);
        meddler.submits = false;
        ck_assert_int_eq(result, KIFU_FAILED);
        must_say(lab, "lab.PAdd was submitted for player 1000");
        ck_assert_uint_le(kifu_position(lab), 1);
        ck_assert_int_eq(lab_get_state(lab)->total, kifu_position(lab));
        must(lab, kifu_seek(lab, KIFU_PRESENT));
        ck_assert_int_eq(lab_get_state(lab)->total, 1200);
    }
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F15_event_at_reaches_exactly_event_count_events,
        U10_seek_to_the_beginning_the_present_and_beyond,
        U10_nothing_happens_in_the_past,
        U10_what_waits_goes_on_waiting,
        U10_a_seek_is_told_by_one_redraw,
        S03_a_save_made_in_the_past_is_of_the_present,
        U07_a_walk_through_the_past_leaves_redo_and_what_waits,
        U08_can_undo_says_what_stands_in_the_way,
        E07_random_numbers_are_the_same_whichever_way_one_came,
        T05_a_do_that_fails_now_leaves_the_state_before_it,
        U12_seek_executes_the_log_for_a_model_outside,
        U12_a_seek_over_a_do_that_fails_now_shows_what_came_before,
        U12_a_film_ends_before_a_do_that_fails_now,
        U12_a_reset_that_misuses_the_timeline_is_reported,
    };
    return run_suite("seek", tests, sizeof tests / sizeof *tests);
}
