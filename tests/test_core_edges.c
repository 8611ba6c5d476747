// Where the runtime's parts meet: calls that fail half way, limits, calls from the wrong place.

#include <stdlib.h>

#include "cards_help.h"
#include "lab_help.h"
#include "save_help.h"
#include "suite.h"

#define ck_assert_text(error, part)                                                                                    \
    ck_assert_msg(strstr((error)->message, (part)) != NULL, "'%s' is not in '%s'", (part), (error)->message)

typedef struct allocator {
    long until_failure; // 0: from here on all fail; negative: none does
} allocator;

static void *allocate(void *context, void *block, size_t size)
{
    allocator *memory = (allocator *)context;
    if (size == 0) {
        free(block);
        return NULL;
    }
    if (memory->until_failure == 0)
        return NULL;
    if (memory->until_failure > 0)
        memory->until_failure--;
    return realloc(block, size);
}

static kifu_timeline *loaded_from(kifu_timeline *timeline, const kifu_options *options)
{
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    kifu_error error;
    lab_must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    kifu_result result =
        kifu_load_from_memory(kifu_timeline_rules(timeline), bytes, size, options, NULL, &loaded, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    kifu_free_bytes(timeline, bytes);
    return loaded;
}

// --- A submit that failed, before undo or redo -----------------------------------------------------------------------

START_TEST(a_submit_that_failed_is_told_before_an_undo_and_changes_nothing)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1"));
    lab_must(lab, lab_play(lab, "2"));
    lab_picture before = lab_look(lab);
    ck_assert_uint_eq(lab_do(lab, 1000, "3", 1), 0);
    ck_assert_uint_eq(lab_submit_p_add(lab, 0, 1), 0); // nor any other, before it is told
    ck_assert_int_eq(kifu_undo(lab), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "player 1000");
    ck_assert(kifu_last_error(lab)->event == KIFU_NONE && kifu_last_error(lab)->offset == UINT64_MAX);
    lab_same(lab, &before);
    lab_must(lab, kifu_undo(lab));
    ck_assert_uint_eq(lab_do(lab, 1000, "3", 1), 0);
    ck_assert_int_eq(kifu_redo(lab), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "player 1000");
    lab_must(lab, kifu_redo(lab));
    lab_same(lab, &before);
    kifu_destroy(lab);
}
END_TEST

// --- No memory -------------------------------------------------------------------------------------------------------

START_TEST(P01_no_memory_for_the_journal_leaves_the_state_closed)
{
    allocator memory = {.until_failure = -1};
    kifu_options options = {.allocate = allocate, .allocate_context = &memory};
    kifu_timeline *lab = lab_new(&options);
    lab_do(lab, 0, "+", 1);
    memory.until_failure = 1; // the journal needs two
    ck_assert_int_eq(kifu_run(lab), KIFU_NO_MEMORY);
    memory.until_failure = -1;
    *lab_edit_total(lab) = 1000; // from outside
    ck_assert_int_eq(lab_get_state(lab)->total, 0);
    ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
    lab_must(lab, kifu_run(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 1);
    lab_must(lab, kifu_undo(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 0);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P01_after_a_jump_to_the_past_the_state_is_closed)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 3000; i++) // more than the journal reaches back
        lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_seek(lab, 0));
    *lab_edit_total(lab) = 1000;
    ck_assert_int_eq(lab_get_state(lab)->total, 0);
    ck_assert_int_eq(kifu_seek(lab, KIFU_PRESENT), KIFU_MISUSE);
    lab_must(lab, kifu_seek(lab, KIFU_PRESENT));
    ck_assert_int_eq(lab_get_state(lab)->total, 3000);
    kifu_destroy(lab);
}
END_TEST

// 2,000 events that change much, and one chain that is longer than what a load journals.
static kifu_timeline *long_game(void)
{
    kifu_options options = {.quiet = true};
    kifu_timeline *lab = lab_new(&options);
    const uint64_t seed = 7;
    lab_submit_e_initialize(lab, SEEDED(seed));
    for (int i = 0; i < 2000; i++)
        lab_do(lab, 0, "+r+r+r+r", 3);
    lab_must(lab, kifu_run(lab));
    return lab;
}

static void play_long_chain(kifu_timeline *lab)
{
    static char script[3 * 1100 + 1];
    for (int i = 0; i < 1100; i++)
        memcpy(script + 3 * i, "(+)", 3);
    lab_must(lab, lab_play(lab, script));
}

START_TEST(U10_an_undo_past_the_journal_needs_no_memory_for_another)
{
    kifu_timeline *lab = long_game();
    uint64_t before = kifu_state_hash(lab);
    play_long_chain(lab);
    uint64_t after = kifu_state_hash(lab);
    allocator memory = {.until_failure = -1};
    kifu_options options = {.allocate = allocate, .allocate_context = &memory};
    kifu_timeline *loaded = loaded_from(lab, &options);
    memory.until_failure = 1; // for what redo needs
    lab_must(loaded, kifu_undo(loaded));
    ck_assert_uint_eq(kifu_state_hash(loaded), before);
    ck_assert_uint_eq(kifu_event_count(loaded), 2001);
    memory.until_failure = -1;
    lab_must(loaded, kifu_redo(loaded));
    ck_assert_uint_eq(kifu_state_hash(loaded), after);
    for (int i = 0; i < 2; i++) {
        lab_must(loaded, kifu_undo(loaded));
        lab_must(lab, kifu_undo(lab));
    }
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(lab));
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

// --- What a failure says, and what it leaves behind ------------------------------------------------------------------

static void ask_for_player(void *context, kifu_timeline *lab, const void *state, const kifu_change *change)
{
    (void)state;
    (void)change;
    *(int *)context = kifu_player(lab);
}

START_TEST(T12_nobody_is_the_player_when_the_first_call_after_a_load_is_undo)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_do(lab, 5, "+", 1);
    lab_must(lab, kifu_run(lab));
    kifu_timeline *loaded = loaded_from(lab, NULL);
    int player = 7;
    const kifu_observer observer = {.listen = ask_for_player, KIFU_PART(lab_state, total), .context = &player};
    lab_must(loaded, kifu_observe(loaded, &observer));
    lab_must(loaded, kifu_undo(loaded));
    ck_assert_int_eq(player, -1);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

static void draw_player(void *context, kifu_timeline *lab)
{
    *(int *)context = kifu_player(lab);
}

START_TEST(T12_nobody_is_the_player_when_the_view_draws_anew)
{
    int player = 7;
    const lab_view view = {.base = {.context = &player, .redraw = draw_player}};
    kifu_timeline *lab = lab_new(&(kifu_options){.view = &view.base});
    lab_do(lab, 5, "+", 1);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_undo(lab));
    ck_assert_int_eq(player, -1);
    kifu_destroy(lab);
}
END_TEST

static void ask_for_the_future(void *context, kifu_timeline *lab, const void *state, const kifu_change *change)
{
    (void)context;
    (void)change;
    lab_state then = *(const lab_state *)state;
    must_be(kifu_state_at(lab, 1000000, &then, sizeof then) == KIFU_MISUSE);
}

START_TEST(T10_a_listener_that_is_refused_something_does_not_hide_why_an_input_is_taken_back)
{
    kifu_timeline *lab = lab_new(&(kifu_options){.max_consequences = 20});
    const kifu_observer observer = {.listen = ask_for_the_future, KIFU_PART(lab_state, total)};
    lab_must(lab, kifu_observe(lab, &observer));
    ck_assert_int_eq(lab_play(lab, "+l"), KIFU_RUNAWAY);
    ck_assert_text(kifu_last_error(lab), "the input had more than 20 consequences and was taken back");
    kifu_destroy(lab);
}
END_TEST

static void submit_while_drawing(void *context, kifu_timeline *lab)
{
    (void)context;
    ck_assert_uint_eq(lab_submit_p_add(lab, 0, 1), 0);
}

START_TEST(T10_a_view_that_misuses_redraw_does_not_hide_why_an_input_is_taken_back)
{
    const lab_view view = {.base = {.redraw = submit_while_drawing}};
    kifu_timeline *lab = lab_new(&(kifu_options){.view = &view.base, .max_consequences = 20});
    ck_assert_int_eq(lab_play(lab, "+l"), KIFU_RUNAWAY);
    ck_assert_text(kifu_last_error(lab), "the input had more than 20 consequences and was taken back");
    lab_must(lab, lab_play(lab, "+"));
    kifu_destroy(lab);
}
END_TEST

START_TEST(T12_nobody_is_the_player_when_no_event_runs)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_do(lab, 5, "!", 1);
    ck_assert_int_eq(kifu_run(lab), KIFU_REJECTED);
    ck_assert_int_eq(kifu_player(lab), -1);
    lab_do(lab, 5, "f", 1);
    ck_assert_int_eq(kifu_run(lab), KIFU_FAILED);
    ck_assert_int_eq(kifu_player(lab), -1);
    kifu_destroy(lab);
}
END_TEST

static kifu_result fails_without_a_word(void *context, kifu_timeline *timeline, const void *state,
                                        const kifu_event *event)
{
    (void)context;
    (void)timeline;
    (void)state;
    (void)event;
    return KIFU_FAILED;
}

START_TEST(T05_a_failure_without_a_reason_does_not_have_an_older_one)
{
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_int_eq(lab_play(lab, "f"), KIFU_FAILED);
    ck_assert_text(kifu_last_error(lab), "the script says so");
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = fails_without_a_word}));
    ck_assert_int_eq(lab_play(lab, "1"), KIFU_FAILED);
    ck_assert_ptr_null(strstr(kifu_last_error(lab)->message, "the script says so"));
    ck_assert_text(kifu_last_error(lab), kifu_result_text(KIFU_FAILED));
    kifu_destroy(lab);
}
END_TEST

static kifu_result rejects_itself(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)context;
    if (any->number)
        (void)!kifu_fail(timeline, "a reason for something else");
    return KIFU_REJECTED;
}

// It is a failure all the same, for which the words of that result stand.
START_TEST(T05_a_do_may_return_any_result)
{
    cards_hooks hooks = {.in_do = rejects_itself};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
    for (int number = 0; number < 2; number++) {
        cards_submit_p_any(cards, 0, number);
        ck_assert_int_eq(kifu_run(cards), KIFU_FAILED);
        ck_assert_str_eq(kifu_error_reason(kifu_last_error(cards)), kifu_result_text(KIFU_REJECTED));
        ck_assert_uint_eq(kifu_event_count(cards), 2);
    }
    kifu_destroy(cards);
}
END_TEST

static kifu_result submits_and_fails(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    (void)event;
    for (int i = 0; i < 100; i++)
        lab_submit_e_do(timeline, "a script that is longer than usual, so that the queue has to grow");
    return kifu_fail(timeline, "the reaction says so");
}

START_TEST(T05_a_reaction_that_fails_takes_back_what_it_submitted)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1"));
    lab_do(lab, 0, "2(3)(4)", 1);
    lab_do(lab, 0, "5", 1);
    lab_must(lab, kifu_step(lab));
    lab_must(lab, kifu_step(lab));
    lab_picture before = lab_look(lab);
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = submits_and_fails, .type = LAB_E_DO}));
    ck_assert_int_eq(kifu_step(lab), KIFU_FAILED);
    ck_assert_text(kifu_last_error(lab), "the reaction says so");
    before.pending--;
    lab_same(lab, &before);
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "1235");
    kifu_destroy(lab);
}
END_TEST

// --- From the wrong place --------------------------------------------------------------------------------------------

typedef struct meddler {
    kifu_timeline *lab;
    kifu_ticket ticket;
} meddler;

static double act_overrides(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_add *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    meddler *view = (meddler *)context;
    if (view->ticket)
        ck_assert_int_eq(kifu_override(view->lab, view->ticket, false, false), KIFU_MISUSE);
    view->ticket = 0;
    return 0;
}

START_TEST(T06_a_view_that_overrides_a_waiting_event_is_reported)
{
    meddler meddler = {0};
    lab_view view = {.base = {.context = &meddler}, .act_p_add = act_overrides};
    kifu_options options = {.view = &view.base};
    kifu_timeline *lab = meddler.lab = lab_new(&options);
    lab_submit_p_add(lab, 0, 1);
    meddler.ticket = lab_submit_p_add(lab, 0, 2);
    ck_assert_int_eq(kifu_step(lab), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "kifu_override");
    kifu_event event;
    ck_assert(kifu_pending_at(lab, 0, &event));
    ck_assert_uint_eq(event.flags, KIFU_UNDOABLE);
    lab_must(lab, kifu_run(lab));
    kifu_destroy(lab);
}
END_TEST

static void submit_because_of_a_rejection(void *context, kifu_timeline *lab, const kifu_outcome *outcome)
{
    (void)outcome;
    *(kifu_ticket *)context = lab_submit_p_add(lab, 0, 1);
}

START_TEST(T06_a_view_that_submits_because_of_a_rejection_is_reported)
{
    kifu_ticket ticket = 1;
    const lab_view view = {.base = {.context = &ticket, .rejected = submit_because_of_a_rejection}};
    kifu_timeline *lab = lab_new(&(kifu_options){.view = &view.base});
    ck_assert_int_eq(lab_play(lab, "!"), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "was submitted from a view function");
    ck_assert(!ticket && !kifu_pending_count(lab));
    kifu_destroy(lab);
}
END_TEST

static void draw_in_check(void *context, kifu_timeline *cards)
{
    (void)context;
    (void)kifu_random(cards);
}

START_TEST(T06_misuse_in_a_check_names_the_check)
{
    cards_hooks hooks = {.in_check = draw_in_check};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
    cards_submit_p_any(cards, 0, 1);
    ck_assert_int_eq(kifu_run(cards), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(cards), "in the check of cards.PAny: a random number was drawn");
    kifu_destroy(cards);
}
END_TEST

// As if it had never been: no slot of the log has the remains of an event.
START_TEST(S01_what_was_taken_back_leaves_nothing_in_a_save)
{
    kifu_timeline *lab = lab_started(NULL);
    lab_must(lab, lab_play(lab, "1(2)"));
    save before = save_of(lab, NULL);
    for (int i = 0; i < 3; i++) {
        lab_must(lab, kifu_begin(lab, 0));
        lab_must(lab, lab_play(lab, "3(4)(5r)"));
        lab_must(lab, kifu_roll_back(lab));
        ck_assert_int_eq(lab_play(lab, "6f"), KIFU_FAILED);
    }
    save after = save_of(lab, NULL);
    expect_same_bytes(&before, &after);
    free(before.bytes);
    free(after.bytes);
    kifu_destroy(lab);
}
END_TEST

static kifu_result turn_quiet(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)context;
    if (any->number == 1)
        kifu_set_quiet(timeline, true);
    return KIFU_OK;
}

static double count_any(void *context, kifu_timeline *timeline, const cards_state *state, const cards_p_any *any,
                        const cards_p_any_transient *transient)
{
    (void)timeline;
    (void)state;
    (void)any;
    (void)transient;
    ++*(int *)context;
    return 0;
}

START_TEST(T06_rules_that_would_be_quiet_are_refused_and_shown)
{
    int shown = 0;
    cards_hooks hooks = {.in_do = turn_quiet};
    const cards_view view = {.base = {.context = &shown}, .act_p_any = count_any};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks, .view = &view.base});
    cards_submit_p_any(cards, 0, 1);
    ck_assert_int_eq(kifu_run(cards), KIFU_MISUSE);
    cards_submit_p_any(cards, 0, 2);
    lab_must(cards, kifu_run(cards));
    ck_assert_int_eq(shown, 1);
    kifu_destroy(cards);
}
END_TEST

static double act_turns_quiet(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_add *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    kifu_set_quiet(((meddler *)context)->lab, true);
    return 5;
}

START_TEST(T08_a_view_that_turns_quiet_waits_no_more)
{
    meddler meddler = {0};
    lab_view view = {.base = {.context = &meddler}, .act_p_add = act_turns_quiet};
    kifu_options options = {.view = &view.base};
    kifu_timeline *lab = meddler.lab = lab_new(&options);
    lab_submit_p_add(lab, 0, 1);
    lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_update(lab, 0));
    ck_assert(kifu_is_idle(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 2);
    kifu_destroy(lab);
}
END_TEST

// --- Limits ----------------------------------------------------------------------------------------------------------

enum { MOST_CONSEQUENCES = 65535 };

// An event that submits `count` others.
static void submit_many(kifu_timeline *lab, int count)
{
    char *script = malloc(3 * (size_t)count + 1);
    for (int i = 0; i < count; i++)
        memcpy(script + 3 * i, "(+)", 3);
    script[3 * count] = '\0';
    lab_do(lab, 0, script, 1);
    free(script);
}

START_TEST(T12_the_last_of_65535_consequences_knows_its_cause)
{
    kifu_options options = {.max_consequences = MOST_CONSEQUENCES, .quiet = true};
    kifu_timeline *lab = lab_new(&options);
    submit_many(lab, MOST_CONSEQUENCES);
    for (int i = 0; i < 100; i++)
        lab_must(lab, kifu_step(lab));
    kifu_timeline *loaded = loaded_from(lab, &options);
    lab_must(lab, kifu_run(lab));
    lab_must(loaded, kifu_run(loaded));
    kifu_event event;
    ck_assert(kifu_event_at(lab, MOST_CONSEQUENCES, &event));
    ck_assert_uint_eq(event.cause, 0);
    ck_assert(kifu_event_at(loaded, MOST_CONSEQUENCES, &event));
    ck_assert_uint_eq(event.cause, 0);
    lab_must(loaded, kifu_undo(loaded));
    ck_assert_uint_eq(kifu_event_count(loaded), 0);
    submit_many(lab, MOST_CONSEQUENCES + 1);
    ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY);
    ck_assert_uint_eq(kifu_event_count(lab), MOST_CONSEQUENCES + 1);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

// Kifu writes no such save. A cause that is too far back when its event's turn comes is none, and no other event.
START_TEST(T12_a_cause_too_far_back_for_a_mark_is_none)
{
    kifu_options options = {.quiet = true};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < MOST_CONSEQUENCES; i++)
        lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
    lab_do(lab, 0, "(1)(2)(3)", 1);
    lab_must(lab, kifu_step(lab));
    lab_submit_p_add(lab, 0, 1);
    save save = save_of(lab, NULL);
    frames frames = frames_of(&save);
    int pending = find_frame(&frames, FRAME_COMMIT) - 1;
    unsigned char *segment = save.bytes + (frames.all[pending].payload - save.bytes);
    for (uint32_t i = 0; i < 4; i++)
        memset(segment + mark_in(segment, i), 0xff, 2);
    struct save changed = save_of_frames(&frames);
    kifu_timeline *loaded = load_again(&changed);
    lab_must(loaded, kifu_run(loaded));
    for (uint32_t i = 0; i < 4; i++) {
        kifu_event event;
        ck_assert(kifu_event_at(loaded, MOST_CONSEQUENCES + 1 + i, &event));
        ck_assert_uint_eq(event.cause, i ? KIFU_NONE : 1);
    }
    free(save.bytes);
    free(changed.bytes);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

// Nor such a one. It counts as if nothing had followed from its input yet.
START_TEST(T10_a_consequence_without_a_cause_may_have_consequences)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_do(lab, 0, "(1(2))", 1);
    lab_must(lab, kifu_step(lab));
    save save = save_of(lab, NULL);
    frames frames = frames_of(&save);
    int pending = find_frame(&frames, FRAME_COMMIT) - 1;
    unsigned char *segment = save.bytes + (frames.all[pending].payload - save.bytes);
    memset(segment + mark_in(segment, 0), 0, 2);
    struct save changed = save_of_frames(&frames);
    kifu_timeline *loaded = load_again(&changed);
    lab_must(loaded, kifu_run(loaded));
    ck_assert_str_eq(lab_trace(loaded), "12");
    free(save.bytes);
    free(changed.bytes);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

// --- All of it at random ---------------------------------------------------------------------------------------------

static unsigned next(uint64_t *random, unsigned bound)
{
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(*random >> 33) % bound;
}

static void random_step(kifu_timeline *lab, uint64_t *random)
{
    static const char *const scripts[] = {"+",          "+(+)(-r)",    "(+f)(+)",     "!",
                                          "[!][+]+",    "r(+(+(+)))",  "+(+[+l])",    "+f",
                                          "(+)(+)(+o)", "([!])(+)(+)", "+(+)(+u)(+)", "(-r)@(+)"};
    switch (next(random, 8)) {
    case 0:
    case 1:
        (void)kifu_run(lab);
        break;
    case 2:
        (void)kifu_undo(lab);
        break;
    case 3:
        (void)kifu_redo(lab);
        break;
    case 4:
        lab_do(lab, next(random, 50) ? 1 : 1000, scripts[next(random, 12)], (uint8_t)(1 + next(random, 3)));
        (void)kifu_run(lab);
        break;
    case 5:
        lab_submit_p_add(lab, 0, (int32_t)next(random, 5));
        (void)kifu_step(lab);
        break;
    default:
        lab_do(lab, 1, scripts[next(random, 12)], 1);
        for (unsigned i = next(random, 4); i > 0; i--)
            (void)kifu_step(lab);
    }
}

// What can be undone and redone is the same, too.
static void same_in_depth(kifu_timeline *lab, kifu_timeline *other)
{
    lab_picture here = lab_look(lab);
    lab_same(other, &here);
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), kifu_can_undo(other, NULL));
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), kifu_can_redo(other, NULL));
}

START_TEST(S03_a_game_short_of_memory_is_at_any_time_what_its_save_says)
{
    uint64_t random = fuzz_seed();
    for (unsigned long game = 0; game < fuzz_steps(3600) / 60; game++) {
        allocator memory = {.until_failure = -1};
        kifu_options options = {.allocate = allocate, .allocate_context = &memory, .max_consequences = 30};
        const kifu_options short_chains = {.max_consequences = 30};
        kifu_timeline *lab = lab_new(&options);
        const uint64_t seed = game;
        lab_submit_e_initialize(lab, SEEDED(seed));
        lab_must(lab, kifu_run(lab));
        for (unsigned step = 0; step < 60; step++) {
            memory.until_failure = next(&random, 3) ? -1 : (long)next(&random, 4);
            random_step(lab, &random);
            memory.until_failure = -1;
            ck_assert_int_ne(kifu_begin(lab, UINT32_MAX),
                             KIFU_OK); // It tells what failed in a submit, if anything did.
            kifu_timeline *loaded = loaded_from(lab, &short_chains);
            same_in_depth(lab, loaded);
            if (step % 4 == 0) { // and on from both, in step
                uint64_t same = random;
                for (int i = 0; i < 3; i++) {
                    uint64_t before = same;
                    random_step(lab, &same);
                    random_step(loaded, &before);
                }
                random = same;
                same_in_depth(lab, loaded);
            }
            kifu_destroy(loaded);
        }
        kifu_destroy(lab);
    }
}
END_TEST

static kifu_result fail_without_a_word(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)context;
    (void)any;
    return kifu_fail(timeline, NULL);
}

START_TEST(T05_a_do_that_fails_without_a_reason_is_reported)
{
    cards_hooks hooks = {.in_do = fail_without_a_word};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
    cards_submit_p_any(cards, 0, 1);
    ck_assert_int_eq(kifu_run(cards), KIFU_FAILED);
    ck_assert_text(kifu_last_error(cards), "no reason given");
    kifu_destroy(cards);
}
END_TEST

static kifu_result return_number(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)timeline;
    (void)any;
    return (kifu_result) * (int *)context;
}

START_TEST(T05_a_do_that_returns_no_kifu_result_is_told_which_number)
{
    const int numbers[] = {77, 27, -1, INT32_MAX};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int number = numbers[i];
        char words[200];
        cards_hooks hooks = {.context = &number, .in_do = return_number};
        kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
        cards_submit_p_any(cards, 0, 1);
        ck_assert_int_eq(kifu_run(cards), KIFU_FAILED);
        snprintf(words, sizeof words,
                 "(cards.PAny) was taken back: its Do or a reaction returned %d, which is no kifu_result: return "
                 "KIFU_OK or kifu_fail",
                 number);
        ck_assert_text(kifu_last_error(cards), words);
        number = KIFU_REJECTED; // It is a result.
        cards_submit_p_any(cards, 0, 1);
        ck_assert_int_eq(kifu_run(cards), KIFU_FAILED);
        ck_assert_text(kifu_last_error(cards), "was taken back: the event was rejected");
        kifu_destroy(cards);
    }
}
END_TEST

static kifu_result draw_of_all_numbers(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)any;
    for (int i = 0; i < 64; i++) {
        const int32_t number = kifu_random_between(timeline, INT32_MIN, INT32_MAX);
        *(int32_t *)context |= number;
        ck_assert_int_eq(kifu_random_between(timeline, number, number), number);
    }
    return KIFU_OK;
}

START_TEST(a_number_between_the_least_and_the_largest)
{
    int32_t bits = 0;
    cards_hooks hooks = {.context = &bits, .in_do = draw_of_all_numbers};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
    cards_submit_p_any(cards, 0, 1);
    must(cards, kifu_run(cards));
    ck_assert_int_eq(bits, -1); // Each bit was set now and then.
    kifu_destroy(cards);
}
END_TEST

START_TEST(a_vector_without_elements_where_some_were_promised_is_refused)
{
    kifu_timeline *cards = cards_new(NULL);
    ck_assert_uint_eq(cards_submit_p_attack(cards, 1, NULL, 2), 0);
    ck_assert_int_eq(kifu_run(cards), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(cards), "a vector of 2 elements of cards.PAttack was submitted as a null pointer");
    ck_assert_uint_eq(kifu_pending_count(cards), 0);
    kifu_destroy(cards);
}
END_TEST

// What is held for a roll-back is copied before it changes: here, where there is no room for a copy.
START_TEST(M08_without_memory_what_waited_before_a_transaction_stays_as_it_is)
{
    allocator memory = {.until_failure = -1};
    kifu_timeline *lab = lab_new(&(kifu_options){.allocate = allocate, .allocate_context = &memory});
    kifu_ticket ticket = 0;
    for (int i = 0; i < 12; i++)
        ticket = lab_do(lab, 0, "++++++++++++++++++++++++++++++++", 1);
    lab_must(lab, kifu_begin(lab, 0)); // which makes room for what waits,
    for (int i = 0; i < 12; i++)
        lab_do(lab, 0, "++++++++++++++++++++++++++++++++", 1); // and here that goes
    kifu_event before, after;
    ck_assert(kifu_pending_at(lab, 11, &before));
    memory.until_failure = 0;
    ck_assert_int_eq(kifu_override(lab, ticket, false, false), KIFU_NO_MEMORY);
    ck_assert_text(kifu_last_error(lab), "kifu_override; nothing was changed");
    ck_assert(kifu_pending_at(lab, 11, &after));
    ck_assert_uint_eq(after.flags, before.flags);
    memory.until_failure = -1;
    lab_must(lab, kifu_override(lab, ticket, false, false));
    ck_assert(kifu_pending_at(lab, 11, &after));
    ck_assert_uint_ne(after.flags, before.flags);
    lab_must(lab, kifu_roll_back(lab));
    ck_assert(kifu_pending_at(lab, 11, &after));
    ck_assert_uint_eq(after.flags, before.flags);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_X06_without_memory_a_play_that_would_be_rejected_does_not_wait)
{
    allocator memory = {.until_failure = -1};
    kifu_timeline *lab = lab_new(&(kifu_options){.allocate = allocate, .allocate_context = &memory});
    lab_must(lab, lab_play(lab, "+"));
    kifu_timeline *fork;
    lab_must(lab, kifu_fork(lab, KIFU_PRESENT, NULL, &fork, NULL)); // It has no queue yet.
    lab_must(fork, kifu_run(fork));
    memory.until_failure = 0;
    ck_assert_int_eq(lab_play_p_add(fork, 0, 0), KIFU_NO_MEMORY);
    ck_assert_text(kifu_last_error(fork), "memory");
    ck_assert_uint_eq(kifu_pending_count(fork), 0);
    memory.until_failure = -1;
    ck_assert_int_eq(lab_play_p_add(fork, 0, 0), KIFU_REJECTED);
    ck_assert_int_eq(lab_get_state(fork)->total, 1);
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

// Up to the last byte of each segment of the log, an event that is played directly finds its place.
START_TEST(M08_X06_a_text_for_which_the_segment_has_no_room_begins_another)
{
    static char text[241];
    memset(text, '+', sizeof text - 1);
    kifu_timeline *directly = lab_new(NULL), *submitted = lab_new(NULL);
    for (int i = 0; i < 1500; i++) {
        const lab_p_do_args args = {.script = text + i % 40, .times = 1};
        lab_must(directly, lab_play_p_do(directly, 0, &args));
        lab_submit_p_do(submitted, 0, &args);
        lab_must(submitted, kifu_run(submitted));
    }
    kifu_event one, other;
    for (uint32_t i = 0; kifu_event_at(submitted, i, &one); i++) {
        ck_assert(kifu_event_at(directly, i, &other));
        ck_assert_str_eq(lab_p_do_script(one.table), lab_p_do_script(other.table));
    }
    ck_assert_uint_eq(kifu_state_hash(directly), kifu_state_hash(submitted));
    kifu_destroy(directly);
    kifu_destroy(submitted);
}
END_TEST

START_TEST(M08_X06_a_play_of_no_player_that_there_can_be_is_misuse)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play_p_add(lab, 0, 1));
    for (int i = 0; i < 4; i++) {
        const int player = (const int[]){-2, INT8_MAX + 1, -1, INT8_MAX}[i];
        ck_assert_int_eq(lab_play_p_add(lab, player, 1), i < 2 ? KIFU_MISUSE : KIFU_OK);
        ck_assert(i > 1 || strstr(kifu_last_error(lab)->message, "a player's number is 0 to 127"));
    }
    ck_assert_uint_eq(kifu_event_count(lab), 3);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_a_submit_that_failed_is_told_before_anything_is_forgotten_or_left)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1"));
    lab_must(lab, lab_play(lab, "2"));
    lab_submit_p_add(lab, 1000, 1);
    ck_assert_int_eq(kifu_forget(lab, 1), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "player 1000");
    ck_assert_uint_eq(kifu_first_event(lab), 0);
    lab_submit_p_add(lab, 1000, 1);
    ck_assert_int_eq(kifu_go_to(lab, 0, 1, false), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "player 1000");
    ck_assert_uint_eq(kifu_event_count(lab), 2);
    lab_must(lab, kifu_go_to(lab, 0, 1, false));
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_submit_that_failed_is_told_before_an_undo_and_changes_nothing,
        P01_no_memory_for_the_journal_leaves_the_state_closed,
        P01_after_a_jump_to_the_past_the_state_is_closed,
        U10_an_undo_past_the_journal_needs_no_memory_for_another,
        T12_nobody_is_the_player_when_the_first_call_after_a_load_is_undo,
        T12_nobody_is_the_player_when_the_view_draws_anew,
        T10_a_listener_that_is_refused_something_does_not_hide_why_an_input_is_taken_back,
        T10_a_view_that_misuses_redraw_does_not_hide_why_an_input_is_taken_back,
        T12_nobody_is_the_player_when_no_event_runs,
        T05_a_failure_without_a_reason_does_not_have_an_older_one,
        T05_a_do_may_return_any_result,
        T05_a_reaction_that_fails_takes_back_what_it_submitted,
        T06_a_view_that_overrides_a_waiting_event_is_reported,
        T06_a_view_that_submits_because_of_a_rejection_is_reported,
        T06_misuse_in_a_check_names_the_check,
        S01_what_was_taken_back_leaves_nothing_in_a_save,
        T06_rules_that_would_be_quiet_are_refused_and_shown,
        T08_a_view_that_turns_quiet_waits_no_more,
        T12_the_last_of_65535_consequences_knows_its_cause,
        T12_a_cause_too_far_back_for_a_mark_is_none,
        T10_a_consequence_without_a_cause_may_have_consequences,
        S03_a_game_short_of_memory_is_at_any_time_what_its_save_says,
        T05_a_do_that_fails_without_a_reason_is_reported,
        T05_a_do_that_returns_no_kifu_result_is_told_which_number,
        a_number_between_the_least_and_the_largest,
        a_vector_without_elements_where_some_were_promised_is_refused,
        M08_without_memory_what_waited_before_a_transaction_stays_as_it_is,
        M08_X06_without_memory_a_play_that_would_be_rejected_does_not_wait,
        M08_X06_a_text_for_which_the_segment_has_no_room_begins_another,
        M08_X06_a_play_of_no_player_that_there_can_be_is_misuse,
        M08_a_submit_that_failed_is_told_before_anything_is_forgotten_or_left,
    };
    return run_suite("core_edges", tests, sizeof tests / sizeof *tests);
}
