// The events of a save without playing them (kifu/read.h).

#include "log_file_help.h"
#include "model.h"
#include "outside.h"
#include "run_codec.h"
#include "suite.h"

static const kifu_options keeping = {
    .keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes, .from_state = kifu_begin_from_state};

// --- A lab in which nothing can be executed --------------------------------------------------------------------------

static kifu_result do_nothing(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                              void *transient)
{
    (void)timeline, (void)type, (void)state, (void)event, (void)transient;
    ck_abort_msg("an event was executed");
}

static kifu_result replay_nothing(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                  uint32_t *done)
{
    (void)timeline, (void)run, (void)state, (void)transient, (void)done;
    ck_abort_msg("events were executed");
}

static kifu_rules unplayable(const kifu_rules *own)
{
    kifu_rules rules = *own;
    rules.do_event = do_nothing;
    rules.replay = replay_nothing;
    return rules;
}

// With lines, notes, a forgotten past, undone events and one that waits.
static kifu_timeline *varied_lab(void)
{
    kifu_timeline *lab = lab_started(&keeping);
    for (int i = 1; i < 6; i++) {
        lab_submit_p_add(lab, 0, i);
        lab_must(lab, kifu_run(lab));
    }
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "+(1)(2)"));
    lab_must(lab, kifu_set_note(lab, 3, KIFU_NOTE_COMMENT, "why?"));
    lab_must(lab, lab_play(lab, "7"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_forget(lab, 2));
    ck_assert_uint_eq(kifu_first_event(lab), 2);
    lab_submit_p_add(lab, 0, 9);
    return lab;
}

static void expect_same_event(const kifu_timeline *save, const kifu_event *a, const kifu_event *b)
{
    char text[2][1000];
    ck_assert(a->index == b->index && a->type == b->type && a->player == b->player && a->cause == b->cause);
    ck_assert(a->flags == b->flags && a->rules_version == b->rules_version);
    ck_assert_str_eq(a->name, b->name);
    kifu_event_text(save, a, text[0], sizeof text[0]);
    kifu_event_text(save, b, text[1], sizeof text[1]);
    ck_assert_str_eq(text[0], text[1]);
}

// All that can be seen but the state.
static void expect_in_save(const kifu_timeline *save, const kifu_timeline *lab)
{
    kifu_line one, other;
    kifu_event a, b;
    kifu_note here = {0}, there = {0};
    ck_assert_uint_eq(kifu_first_event(save), kifu_first_event(lab));
    ck_assert_uint_eq(kifu_event_count(save), kifu_event_count(lab));
    ck_assert_uint_eq(kifu_line_count(save), kifu_line_count(lab));
    for (uint32_t i = kifu_first_event(lab); kifu_event_at(lab, i, &b); i++) {
        ck_assert(kifu_event_at(save, i, &a));
        expect_same_event(save, &a, &b);
        ck_assert_uint_eq(kifu_chain_start(save, i), kifu_chain_start(lab, i));
    }
    for (uint32_t i = 0; kifu_line_at(lab, i, &other); i++) {
        ck_assert(kifu_line_at(save, i, &one) && one.id == other.id && one.parent == other.parent);
        ck_assert(one.from == other.from && one.count == other.count && one.current == other.current);
        for (uint32_t k = other.from; k < other.from + other.count; k++) {
            ck_assert(kifu_line_event(save, one.id, k, &a) && kifu_line_event(lab, one.id, k, &b));
            expect_same_event(save, &a, &b);
        }
    }
    while (kifu_next_note(lab, &there))
        ck_assert(kifu_next_note(save, &here) && here.line == there.line && here.event == there.event &&
                  !strcmp(here.text, there.text));
    ck_assert(!kifu_next_note(save, &here));
    for (uint32_t i = 0; kifu_pending_at(lab, i, &b); i++) {
        ck_assert(kifu_pending_at(save, i, &a));
        expect_same_event(save, &a, &b);
    }
    ck_assert_uint_eq(kifu_pending_count(save), kifu_pending_count(lab));
}

START_TEST(M03_a_save_shows_its_events_and_executes_none)
{
    const kifu_rules rules = unplayable(&lab_rules);
    kifu_timeline *lab = varied_lab();
    const kifu_save_options ways[] = {{.without_schema = false}, {.without_snapshot = true}, {.codec = &run_codec}};
    const kifu_load_options how = {.codec = &run_codec};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        save bytes = save_of(lab, &ways[i]);
        const kifu_timeline *save;
        kifu_error error;
        ck_assert_msg(!kifu_read_save_from_memory(&rules, bytes.bytes, bytes.size, NULL, &how, &save, &error), "%s",
                      error.message);
        free(bytes.bytes); // It was copied.
        expect_in_save(save, lab);
        kifu_close_save(save);
    }
    kifu_close_save(NULL);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M03_a_log_file_shows_its_events_while_it_is_open)
{
    const kifu_rules rules = unplayable(&lab_rules);
    char *folder = new_folder();
    const char *path = in_folder(folder, "lab.kifu");
    kifu_timeline *lab = varied_lab();
    const kifu_timeline *save;
    kifu_error error;
    kifu_recovery recovery;
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, kifu_run(lab));
    lab_must(lab, lab_play(lab, "8"));
    lab_must(lab, kifu_log_append(lab));
    const kifu_load_options how = {.recover = kifu_recover, .recovery = &recovery};
    ck_assert_int_eq(kifu_read_save(&rules, path, NULL, NULL, &save, &error), KIFU_DAMAGED);
    ck_assert_ptr_null(save);
    ck_assert_msg(!kifu_read_save(&rules, path, NULL, &how, &save, &error), "%s", error.message);
    ck_assert(recovery.why.result == KIFU_DAMAGED && recovery.dropped == 0);
    expect_in_save(save, lab);
    kifu_close_save(save);
    lab_must(lab, kifu_log_close(lab, NULL));
    ck_assert_int_eq(kifu_read_save(&rules, path, NULL, NULL, &save, &error), KIFU_OK);
    kifu_close_save(save);
    ck_assert_int_eq(kifu_read_save(&rules, in_folder(folder, "none"), NULL, NULL, &save, &error), KIFU_NOT_FOUND);
    const kifu_load_options alone = {.recovery = &recovery};
    ck_assert_int_eq(kifu_read_save(&rules, path, NULL, &alone, &save, NULL), KIFU_MISUSE);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(M03_a_model_outside_the_state_is_left_alone)
{
    const kifu_rules rules = unplayable(&outside_rules);
    model list = {NULL, 0};
    const kifu_options options = {.reset = model_reset, .user = &list};
    kifu_timeline *outside;
    const kifu_timeline *save;
    kifu_error error;
    kifu_event event;
    unsigned char *bytes;
    size_t size;
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &outside, &error), KIFU_OK);
    outside_submit_p_push(outside, 0, 7);
    lab_must(outside, kifu_run(outside));
    lab_must(outside, kifu_save_to_memory(outside, NULL, &bytes, &size));
    ck_assert_int_eq(kifu_read_save_from_memory(&rules, bytes, size, &options, NULL, &save, &error), KIFU_OK);
    ck_assert(kifu_event_at(save, 0, &event) && event.type == OUTSIDE_P_PUSH && kifu_event_count(save) == 1);
    ck_assert_int_eq(list.first->number, 7);
    kifu_close_save(save);
    kifu_free_bytes(outside, bytes);
    model_reset(&list);
    kifu_destroy(outside);
}
END_TEST

START_TEST(M03_a_save_that_is_read_cannot_be_played)
{
    kifu_timeline *lab = varied_lab(), *fork;
    save bytes = save_of(lab, NULL);
    const kifu_timeline *save;
    kifu_error error;
    ck_assert_int_eq(kifu_read_save_from_memory(&lab_rules, bytes.bytes, bytes.size, NULL, NULL, &save, &error),
                     KIFU_OK);
    kifu_timeline *timeline = (kifu_timeline *)(uintptr_t)save;
    ck_assert_int_eq(kifu_fork(save, KIFU_PRESENT, NULL, &fork, &error), KIFU_MISUSE);
    ck_assert_int_eq(kifu_run(timeline), KIFU_MISUSE);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_MISUSE);
    ck_assert_int_eq(kifu_seek(timeline, 3), KIFU_MISUSE);
    ck_assert_int_eq(kifu_save(timeline, "/tmp/never", NULL), KIFU_MISUSE);
    expect_in_save(save, lab);
    kifu_close_save(save);
    free(bytes.bytes);
    kifu_destroy(lab);
}
END_TEST

// A counting allocator that fails after `left` calls.
typedef struct larder {
    long left;
    size_t now, most;
} larder;

static void *allocate(void *context, void *block, size_t size)
{
    larder *larder = (struct larder *)context;
    size_t *old = block ? (size_t *)block - 2 : NULL;
    if (size && larder->left >= 0 && !larder->left--)
        return NULL;
    larder->now -= old ? *old : 0;
    if (!size) {
        free(old);
        return NULL;
    }
    size_t *made = (size_t *)realloc(old, size + 2 * sizeof *made);
    *made = size;
    larder->now += size;
    larder->most = larder->now > larder->most ? larder->now : larder->most;
    return made + 2;
}

START_TEST(M03_a_long_save_is_read_where_it_lies)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "lab.kifu");
    kifu_timeline *lab = lab_started(NULL);
    for (int i = 0; i < 200000; i++) {
        lab_submit_p_add(lab, 0, 1 + i % 7);
        lab_must(lab, kifu_run(lab));
    }
    lab_must(lab, kifu_save(lab, path, NULL));
    larder larder = {.left = -1};
    const kifu_options options = {.allocate = allocate, .allocate_context = &larder};
    const kifu_timeline *save;
    kifu_error error;
    kifu_event event;
    ck_assert_int_eq(kifu_read_save(&lab_rules, path, &options, NULL, &save, &error), KIFU_OK);
    uint32_t count = 0;
    while (kifu_event_at(save, count, &event))
        count++;
    ck_assert_uint_eq(count, 200001);
    const size_t copied = ON_WINDOWS ? size_of(path) : 0; // There, files are read and not mapped.
    ck_assert_msg(larder.most < copied + size_of(path) / 4, "%zu bytes of memory for a file of %zu", larder.most,
                  size_of(path));
    kifu_close_save(save);
    ck_assert_uint_eq(larder.now, 0);
    const kifu_save_options packed = {.codec = &run_codec};
    const kifu_load_options tight = {.codec = &run_codec, .memory = 1 << 16};
    lab_must(lab, kifu_save(lab, path, &packed));
    ck_assert_int_eq(kifu_read_save(&lab_rules, path, NULL, &tight, &save, &error), KIFU_TOO_LARGE);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Cut off anywhere, and with any byte changed: what a load says.
START_TEST(M03_a_damaged_save_gives_the_error_of_a_load)
{
    kifu_timeline *lab = varied_lab(), *loaded;
    const kifu_timeline *save;
    struct save bytes = save_of(lab, NULL);
    kifu_error error, wanted;
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 5);
    unsigned same = 0;
    for (unsigned long i = fuzz_steps(3000); i > 0; i--) {
        const uint32_t at = kifu_rng_below(&rng, (uint32_t)bytes.size);
        const size_t size = kifu_rng_below(&rng, 3) ? bytes.size : at;
        const unsigned char bit = (unsigned char)(1U << kifu_rng_below(&rng, 8));
        bytes.bytes[at] ^= bit;
        const kifu_result result =
            kifu_load_from_memory(&lab_rules, bytes.bytes, size, &keeping, NULL, &loaded, &wanted);
        const kifu_result got = kifu_read_save_from_memory(&lab_rules, bytes.bytes, size, NULL, NULL, &save, &error);
        bytes.bytes[at] ^= bit;
        if (result != KIFU_DIVERGED && result != KIFU_FAILED) {
            ck_assert_msg(got == result, "byte %u of %zu: %s", (unsigned)at, size, got ? error.message : "read");
            ck_assert(!result || !strcmp(error.message, wanted.message));
            same += result != KIFU_OK;
        }
        kifu_destroy(loaded);
        kifu_close_save(save);
    }
    ck_assert_uint_gt(same, fuzz_steps(3000) / 2);
    free(bytes.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M03_memory_that_runs_out_for_a_save_leaves_nothing)
{
    kifu_timeline *lab = varied_lab();
    struct save bytes = save_of(lab, NULL);
    bool done = false;
    for (long left = 0; !done; left++) {
        larder larder = {.left = left};
        const kifu_options options = {.allocate = allocate, .allocate_context = &larder};
        const kifu_timeline *save;
        kifu_error error;
        done = !kifu_read_save_from_memory(&lab_rules, bytes.bytes, bytes.size, &options, NULL, &save, &error);
        ck_assert_msg(done || error.result == KIFU_NO_MEMORY, "%s", error.message);
        kifu_close_save(save);
        ck_assert_uint_eq(larder.now, 0);
    }
    free(bytes.bytes);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        M03_a_save_shows_its_events_and_executes_none,
        M03_a_log_file_shows_its_events_while_it_is_open,
        M03_a_model_outside_the_state_is_left_alone,
        M03_a_save_that_is_read_cannot_be_played,
        M03_a_long_save_is_read_where_it_lies,
        M03_a_damaged_save_gives_the_error_of_a_load,
        M03_memory_that_runs_out_for_a_save_leaves_nothing,
    };
    return run_suite("read", tests, sizeof tests / sizeof *tests);
}
