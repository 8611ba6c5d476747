// Loading: what comes back. What is refused is in test_load_refused.c.

#include "model.h"
#include "history_help.h"
#include "save_help.h"
#include "suite.h"

// --- What comes back -------------------------------------------------------------------------------------------------

static kifu_timeline *copy_of(kifu_timeline *timeline)
{
    save save = save_of(timeline, NULL);
    kifu_timeline *loaded = load_again(&save);
    free(save.bytes);
    return loaded;
}

START_TEST(S02_waiting_consequences_happen_after_load_with_theirs)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_do(lab, 1, "1(2(3)(4))(5)", 1);
    lab_must(lab, kifu_step(lab));
    lab_do(lab, 0, "6", 1);
    kifu_timeline *loaded = copy_of(lab);
    ck_assert_str_eq(lab_trace(loaded), "1");
    ck_assert_uint_eq(kifu_pending_count(loaded), 3);
    lab_must(loaded, kifu_run(loaded));
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(loaded), "125346");
    expect_same(lab, loaded);
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

START_TEST(S02_a_runaway_begun_before_the_save_is_taken_back_whole)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "+"));
    lab_do(lab, 0, "+l", 1); // 'l' submits itself for ever
    lab_must(lab, kifu_step(lab));
    lab_must(lab, kifu_step(lab));
    kifu_timeline *loaded = copy_of(lab);
    ck_assert_int_eq(kifu_run(loaded), KIFU_RUNAWAY);
    ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY);
    ck_assert_uint_eq(kifu_event_count(loaded), 1);
    ck_assert_int_eq(lab_get_state(loaded)->total, 1);
    expect_same(lab, loaded);
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

START_TEST(S03_redo_after_load_brings_back_what_waited)
{
    kifu_timeline *lab = rich_game(NULL);
    kifu_timeline *loaded = copy_of(lab);
    for (int i = 0; i < 2; i++) {
        expect_same(lab, loaded);
        lab_must(lab, kifu_redo(lab));
        lab_must(loaded, kifu_redo(loaded));
    }
    expect_same(lab, loaded);
    ck_assert_uint_eq(kifu_pending_count(loaded), 3);
    lab_must(lab, kifu_run(lab));
    lab_must(loaded, kifu_run(loaded));
    expect_same(lab, loaded);
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

START_TEST(S03_a_new_input_ends_redo_after_load_too)
{
    kifu_timeline *lab = rich_game(NULL);
    kifu_timeline *loaded = copy_of(lab);
    ck_assert_uint_gt(kifu_can_redo(loaded, NULL), 0);
    lab_must(loaded, lab_play(loaded, "+"));
    ck_assert_uint_eq(kifu_can_redo(loaded, NULL), 0);
    kifu_timeline *again = copy_of(loaded);
    expect_same(loaded, again);
    kifu_destroy(lab);
    kifu_destroy(loaded);
    kifu_destroy(again);
}
END_TEST

// Flags of one event each: that it drew, that it showed what was hidden, that undo depends on the first.
START_TEST(U11_what_holds_undo_back_is_saved_with_the_event)
{
    enum { DREW = KIFU_UNDOABLE | KIFU_RANDOM | KIFU_UNLESS_RANDOM, SHOWED = KIFU_UNDOABLE | KIFU_REVEALS };
    const uint64_t seed = 7;
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, SEEDED(seed));
    for (int i = 0; i < 3; i++)
        lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
    lab_submit_p_add(lab, 0, 1); // waits
    lab_submit_p_add(lab, 0, 1);
    save original = save_of(lab, NULL);
    frames frames = frames_of(&original);
    const save_frame *events = &frames.all[find_frame(&frames, FRAME_SEGMENT)];
    const save_frame *waiting = &frames.all[find_frame(&frames, FRAME_COMMIT) - 1];
    kifu__mark *marks = (kifu__mark *)(void *)(original.bytes + events->offset + FRAME_HEAD + 40);
    marks[1].flags = SHOWED;
    marks[2].flags = DREW;
    marks = (kifu__mark *)(void *)(original.bytes + waiting->offset + FRAME_HEAD + 40);
    marks[0].flags = KIFU_UNDOABLE | KIFU_REVEALS;
    marks[1].flags = KIFU_UNDOABLE | KIFU_UNLESS_RANDOM | KIFU_RANDOM; // the last makes no sense before it happened
    save changed = save_of_frames(&frames);
    kifu_timeline *loaded = load_again(&changed);
    for (int round = 0; round < 2; round++) {
        kifu_event event;
        ck_assert(kifu_event_at(loaded, 1, &event));
        ck_assert_uint_eq(event.flags, SHOWED);
        ck_assert(kifu_event_at(loaded, 2, &event));
        ck_assert_uint_eq(event.flags, DREW);
        ck_assert(kifu_pending_at(loaded, 0, &event));
        ck_assert_uint_eq(event.flags, KIFU_UNDOABLE | KIFU_REVEALS);
        ck_assert(kifu_pending_at(loaded, 1, &event));
        ck_assert_uint_eq(event.flags, KIFU_UNDOABLE | KIFU_UNLESS_RANDOM);
        kifu_timeline *again = copy_of(loaded);
        kifu_destroy(loaded);
        loaded = again;
    }
    ck_assert_uint_eq(kifu_can_undo(loaded, NULL), 1);
    lab_must(loaded, kifu_undo(loaded));
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(loaded, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOT_UNDOABLE);
    free(original.bytes);
    free(changed.bytes);
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

START_TEST(S03_an_empty_timeline_comes_back)
{
    kifu_timeline *lab = lab_new(NULL);
    kifu_timeline *loaded = copy_of(lab);
    expect_same(lab, loaded);
    lab_must(loaded, lab_play(loaded, "+"));
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

START_TEST(S03_a_loaded_game_goes_on_as_the_saved_one)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    unsigned long steps = fuzz_steps(1500);
    kifu_timeline *lab = lab_new(NULL), *loaded = lab_new(NULL);
    for (unsigned long i = 0; i < steps; i++) {
        uint32_t choice = next_random(&seed);
        random_lab_step(lab, choice);
        random_lab_step(loaded, choice);
        expect_same(lab, loaded);
        if (next_random(&seed) % 16 == 0) {
            kifu_timeline *again = copy_of(loaded);
            kifu_destroy(loaded);
            loaded = again;
            expect_same(lab, loaded);
        }
        if (kifu_event_count(lab) > 120) {
            kifu_destroy(lab);
            kifu_destroy(loaded);
            lab = lab_new(NULL);
            loaded = lab_new(NULL);
        }
    }
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

// More than one segment, more than the journal keeps after a load; undone into a segment that is a part of the file.
START_TEST(S03_a_long_game_is_undone_redone_and_saved_after_load)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 12000; i++)
        lab_do(lab, i % 3, i % 7 ? "+" : NULL, (uint8_t)(1 + i % 2));
    lab_must(lab, kifu_run(lab));
    kifu_timeline *loaded = copy_of(lab);
    expect_same_long(lab, loaded);
    for (int i = 0; i < 5000; i++) {
        lab_must(lab, kifu_undo(lab));
        if (i < 3 || i > 4996)
            lab_must(loaded, kifu_undo(loaded));
    }
    for (int i = 0; i < 3; i++)
        lab_must(loaded, kifu_undo(loaded));
    ck_assert_uint_eq(kifu_event_count(loaded), 11991);
    kifu_destroy(loaded);

    loaded = copy_of(lab); // 5000 undone
    expect_same_long(lab, loaded);
    for (int i = 0; i < 100; i++) {
        lab_must(lab, kifu_redo(lab));
        lab_must(loaded, kifu_redo(loaded));
    }
    expect_same_long(lab, loaded);
    lab_must(loaded, lab_play(loaded, "-")); // cuts a loaded segment
    lab_must(lab, lab_play(lab, "-"));
    expect_same_long(lab, loaded);
    kifu_timeline *again = copy_of(loaded);
    expect_same_long(lab, again);
    kifu_destroy(lab);
    kifu_destroy(loaded);
    kifu_destroy(again);
}
END_TEST

START_TEST(U12_a_model_outside_the_state_is_built_again)
{
    model list = {NULL, 0}, loaded_list = {NULL, 0};
    const kifu_options options = {.reset = model_reset, .user = &list};
    const kifu_options loaded_options = {.reset = model_reset, .user = &loaded_list};
    kifu_timeline *outside, *loaded;
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &outside, NULL), KIFU_OK);
    for (int i = 1; i <= 3; i++)
        outside_submit_p_push(outside, 0, i);
    outside_submit_e_pop(outside);
    ck_assert_int_eq(kifu_run(outside), KIFU_OK);
    unsigned char *bytes;
    size_t size;
    ck_assert_int_eq(kifu_save_to_memory(outside, NULL, &bytes, &size), KIFU_OK);
    ck_assert_int_eq(kifu_load_from_memory(&outside_rules, bytes, size, &loaded_options, NULL, &loaded, NULL), KIFU_OK);
    ck_assert_int_eq(loaded_list.first->number, 2);
    ck_assert_int_eq(loaded_list.first->next->number, 1);
    ck_assert_ptr_null(loaded_list.first->next->next);
    ck_assert_int_eq(kifu_undo(loaded), KIFU_OK);
    ck_assert_int_eq(loaded_list.first->number, 2);
    ck_assert_ptr_eq(list.first->next->next, NULL);
    model_reset(&list);
    model_reset(&loaded_list);
    kifu_free_bytes(outside, bytes);
    kifu_destroy(outside);
    kifu_destroy(loaded);
}
END_TEST

static void count_refresh(void *context, kifu_timeline *timeline)
{
    ck_assert_uint_gt(kifu_event_count(timeline), 0);
    ++*(int *)context;
}

static double never_act(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)context;
    (void)timeline;
    (void)state;
    (void)event;
    ck_abort_msg("a replay shows nothing");
    return 0;
}

START_TEST(T03_a_load_shows_the_state_once_and_no_event)
{
    kifu_timeline *lab = rich_game(NULL), *loaded;
    save save = save_of(lab, NULL);
    int refreshes = 0;
    const lab_view view = {.base = {.context = &refreshes, .redraw = count_refresh}, .act_p_do = never_act};
    const kifu_options options = {.view = &view.base};
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, save.bytes, save.size, &options, NULL, &loaded, NULL), KIFU_OK);
    ck_assert_int_eq(refreshes, 1);
    free(save.bytes);
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

static void count_resets(void *user)
{
    ++*(int *)user;
}

// To come back to the present, all would have to be executed again.
START_TEST(U12_a_model_outside_the_state_is_not_built_again_to_save)
{
    int resets = 0;
    const kifu_options options = {.reset = count_resets, .user = &resets};
    kifu_timeline *lab = lab_new(&options);
    lab_must(lab, lab_play(lab, "+"));
    resets = 0;
    save save = save_of(lab, NULL);
    ck_assert_int_eq(resets, 0);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

static void play_in_redraw(void *context, kifu_timeline *timeline)
{
    (void)context;
    (void)!kifu_run(timeline);
}

START_TEST(a_view_that_plays_while_it_redraws_fails_the_load)
{
    kifu_timeline *lab = rich_game(NULL), *loaded;
    save save = save_of(lab, NULL);
    const lab_view view = {.base = {.redraw = play_in_redraw}};
    const kifu_options options = {.view = &view.base};
    kifu_error error;
    for (int way = 0; way < 2; way++) {
        ck_assert_int_eq(
            kifu_load_from_memory(&lab_rules, save.bytes, save.size, &options, NULL, &loaded, way ? &error : NULL),
            KIFU_MISUSE);
        ck_assert_ptr_null(loaded);
    }
    ck_assert_int_eq(error.result, KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(error.message, "kifu_run was called while an event runs"));
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(bytes_in_memory_may_lie_anywhere)
{
    kifu_timeline *lab = waiting_game(NULL);
    save save = save_of(lab, NULL);
    unsigned char *bytes = malloc(save.size + 8);
    for (int shift = 1; shift < 8; shift++) {
        kifu_timeline *loaded;
        memcpy(bytes + shift, save.bytes, save.size);
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes + shift, save.size, NULL, NULL, &loaded, NULL),
                         KIFU_OK);
        memset(bytes, 0xEE, save.size + 8); // they were copied
        expect_same(lab, loaded);
        kifu_destroy(loaded);
    }
    free(bytes);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S02_waiting_consequences_happen_after_load_with_theirs,
        S02_a_runaway_begun_before_the_save_is_taken_back_whole,
        S03_redo_after_load_brings_back_what_waited,
        S03_a_new_input_ends_redo_after_load_too,
        U11_what_holds_undo_back_is_saved_with_the_event,
        S03_an_empty_timeline_comes_back,
        S03_a_loaded_game_goes_on_as_the_saved_one,
        S03_a_long_game_is_undone_redone_and_saved_after_load,
        U12_a_model_outside_the_state_is_built_again,
        T03_a_load_shows_the_state_once_and_no_event,
        U12_a_model_outside_the_state_is_not_built_again_to_save,
        a_view_that_plays_while_it_redraws_fails_the_load,
        bytes_in_memory_may_lie_anywhere,
    };
    return run_suite("load", tests, sizeof tests / sizeof *tests);
}
