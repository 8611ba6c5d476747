// Another version of a game never changes an old game unseen: a load compares what both have, and fails where it
// differs, unless the rules were raised or the caller allows it.

#include "log_file_help.h"
#include "run_codec.h"
#include "suite.h"

// --- Another version of the lab --------------------------------------------------------------------------------------

static uint32_t other_event = 19; // In other rules, its Do writes another digit.

static kifu_result do_other(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                            void *transient)
{
    const kifu_result result = lab_rules.do_event(timeline, type, state, event, transient);
    if (((kifu__core *)timeline)->event == other_event)
        *lab_edit_trace(timeline, 3) = 1;
    return result;
}

static kifu_result replay_other(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                uint32_t *done)
{
    const kifu_result result = lab_rules.replay(timeline, run, state, transient, done);
    if (run->first <= other_event && run->first + *done > other_event)
        *lab_edit_trace(timeline, 3) = 1;
    return result;
}

// One field of its state has another name, so that no hash can be compared. `other`: its rules are others, too.
static kifu_rules version(bool other)
{
    static kifu__member members[16];
    static kifu__struct state;
    kifu_rules rules = lab_rules;
    state = *lab_rules.state;
    memcpy(members, state.members, state.member_count * sizeof *members);
    members[state.member_count - 1].name = "luck";
    state.members = members;
    rules.state = &state;
    rules.fingerprint++;
    if (other) {
        rules.do_event = do_other;
        rules.replay = replay_other;
    }
    return rules;
}

static kifu_timeline *add(int count)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 1; i <= count; i++)
        lab_submit_p_add(lab, 0, i);
    lab_must(lab, kifu_run(lab));
    return lab;
}

// The timeline, or NULL with the error.
static kifu_timeline *load_as(const kifu_rules *rules, const save *save, const kifu_load_options *options,
                              kifu_error *error)
{
    kifu_timeline *timeline;
    const kifu_result result = kifu_load_from_memory(rules, save->bytes, save->size, NULL, options, &timeline, error);
    ck_assert(!result == !!timeline);
    return timeline;
}

static void must_load(const kifu_rules *rules, const save *save, const kifu_load_options *options)
{
    kifu_error error;
    kifu_timeline *timeline = load_as(rules, save, options, &error);
    ck_assert_msg(timeline != NULL, "%s", error.message);
    kifu_destroy(timeline);
}

// --- Loads -----------------------------------------------------------------------------------------------------------

START_TEST(F60_a_load_by_another_version_that_differs_fails)
{
    kifu_timeline *lab = add(40);
    const kifu_rules same = version(false), other = version(true);
    const kifu_save_options packed = {.codec = &run_codec};
    kifu_difference changed;
    for (int way = 0; way < 4; way++) {
        const kifu_load_options options = {
            .codec = &run_codec, .changed = way % 2 ? &changed : NULL, .fast = way % 2 == 0};
        save save = save_of(lab, way < 2 ? NULL : &packed);
        kifu_error error;
        must_load(&same, &save, &options);
        if (way % 2) {
            ck_assert_uint_eq(changed.event, KIFU_NONE);
            ck_assert_uint_eq(changed.first, 40); // All were compared.
        }
        ck_assert_ptr_null(load_as(&other, &save, &options, &error));
        ck_assert_int_eq(error.result, KIFU_DIVERGED);
        ck_assert_uint_eq(error.event, 39);
        ck_assert_uint_ne(error.offset, UINT64_MAX);
        ck_assert_str_eq(error.message,
                         "one of the events 0 to 39 now leads to another state than in the save: trace[3] was 0 and is "
                         "now 1. If you changed the rules, raise rules_version, or load with "
                         "kifu_load_options.allow_changed. If not, see runtime/docs/troubleshooting.md, \"When a game "
                         "diverges\"");
        if (way % 2) {
            ck_assert_uint_eq(changed.event, 39);
            ck_assert_uint_eq(changed.first, 0);
            ck_assert_str_eq(changed.name, "lab.PAdd");
            ck_assert_str_eq(changed.field, "trace[3]");
            ck_assert_str_eq(changed.expected, "0");
            ck_assert_str_eq(changed.actual, "1");
        }
        free(save.bytes);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(F60_a_difference_is_loaded_if_the_caller_or_the_rules_allow_it)
{
    kifu_timeline *lab = add(40);
    kifu_rules other = version(true), raised = version(true), own = lab_rules;
    raised.rules_version++;
    own.do_event = do_other; // Even if the schema is the same, and hashes would be compared.
    own.replay = replay_other;
    const kifu_rules *const rules[] = {&other, &raised, &own};
    save save = save_of(lab, NULL);
    for (int i = 0; i < 3; i++) {
        kifu_difference changed;
        for (int way = 0; way < 2; way++) {
            const kifu_load_options options = {.allow_changed = i != 1, .changed = way ? &changed : NULL};
            kifu_error error;
            kifu_timeline *loaded = load_as(rules[i], &save, &options, &error);
            ck_assert_msg(loaded != NULL, "%s", error.message);
            ck_assert_uint_eq(lab_get_state(loaded)->trace[3], 1);
            lab_must(loaded, kifu_verify_replay(loaded, NULL)); // It has no hash of the other game.
            kifu_destroy(loaded);
        }
        ck_assert_uint_eq(changed.event, 39);
        ck_assert_str_eq(changed.field, "trace[3]");
    }
    kifu_error error; // Without the permission, not.
    ck_assert_ptr_null(load_as(&own, &save, NULL, &error));
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// With the permission, a fast load is still a fast one.
START_TEST(F60_a_fast_load_that_allows_changes_begins_at_the_snapshot)
{
    kifu_timeline *lab = add(40);
    kifu_rules own = lab_rules;
    own.do_event = do_other;
    own.replay = replay_other;
    save save = save_of(lab, NULL);
    const kifu_load_options options = {.fast = true, .allow_changed = true};
    kifu_error error;
    kifu_timeline *loaded = load_as(&own, &save, &options, &error);
    ck_assert_ptr_nonnull(loaded);
    ck_assert_uint_eq(lab_get_state(loaded)->trace[3], 0);
    kifu_destroy(loaded);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(F60_nothing_to_compare_is_no_difference)
{
    static const kifu_save_options without[] = {{.without_schema = true}, {.without_snapshot = true}};
    kifu_timeline *lab = add(40);
    const kifu_rules other = version(true);
    for (int i = 0; i < 2; i++) {
        save save = save_of(lab, &without[i]);
        kifu_difference changed;
        const kifu_load_options options = {.changed = &changed};
        must_load(&other, &save, &options);
        ck_assert_uint_eq(changed.event, KIFU_NONE);
        ck_assert_uint_eq(changed.first, KIFU_NONE); // It says so.
        free(save.bytes);
    }
    kifu_destroy(lab);
}
END_TEST

// Line 0 has events 0 to 29; line 1 branches off behind event 9, and has 20 events fewer.
static kifu_timeline *two_lines(const kifu_options *keeping)
{
    kifu_timeline *lab = lab_new(keeping);
    for (int i = 1; i <= 30; i++)
        lab_submit_p_add(lab, 0, i);
    lab_must(lab, kifu_run(lab));
    for (int i = 0; i < 20; i++)
        lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 0, 99);
    lab_must(lab, kifu_run(lab));
    return lab;
}

// Lines that the load did not execute are compared when they are entered; with the permission, they are not.
START_TEST(F60_lines_may_differ_if_the_caller_allows_it)
{
    const kifu_options keeping = {.keep_variations = kifu_keep_variations};
    kifu_timeline *lab = two_lines(&keeping), *loaded; // Event 19 is in line 0.
    kifu_rules own = lab_rules;
    own.do_event = do_other;
    own.replay = replay_other;
    save save = save_of(lab, NULL);
    for (int allow = 0; allow < 2; allow++) {
        const kifu_load_options options = {.allow_changed = allow};
        ck_assert_int_eq(kifu_load_from_memory(&own, save.bytes, save.size, &keeping, &options, &loaded, NULL),
                         KIFU_OK);
        ck_assert_int_eq(kifu_go_to(loaded, 0, 30, false), allow ? KIFU_OK : KIFU_DIVERGED);
        kifu_destroy(loaded);
    }
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// A version that saves a line which it has not entered does not say that the line's hashes are its own.
START_TEST(M08_F60_hashes_of_a_line_that_was_not_entered_stay_those_of_their_version)
{
    const kifu_options keeping = {.keep_variations = kifu_keep_variations};
    const kifu_rules later = version(true); // It plays event 19, which is in line 0, in another way.
    kifu_timeline *timeline = two_lines(&keeping);
    for (int saves = 0; saves < 3; saves++) {
        save save = save_of(timeline, NULL);
        kifu_destroy(timeline);
        kifu_error error;
        const kifu_result result =
            kifu_load_from_memory(&later, save.bytes, save.size, &keeping, NULL, &timeline, &error);
        ck_assert_msg(!result, "%s", error.message);
        free(save.bytes);
    }
    lab_must(timeline, kifu_go_to(timeline, 0, 30, false));
    kifu_destroy(timeline);
}
END_TEST

// --- Log files -------------------------------------------------------------------------------------------------------

static kifu_result recover_as(const kifu_rules *rules, const char *path, bool allow, kifu_difference *changed,
                              kifu_error *error)
{
    kifu_recovery recovery;
    const kifu_load_options options = {
        .recover = kifu_recover, .recovery = &recovery, .allow_changed = allow, .changed = changed};
    kifu_timeline *timeline;
    const kifu_result result = kifu_load(rules, path, NULL, &options, &timeline, error);
    kifu_destroy(timeline);
    return result;
}

// Appends until the file has so many bytes more.
static void append_bytes(kifu_timeline *lab, const char *path, size_t more)
{
    const size_t from = size_of(path);
    while (size_of(path) < from + more) {
        for (int i = 0; i < 20; i++)
            lab_submit_p_add(lab, 0, 1);
        lab_must(lab, kifu_run(lab));
        lab_must(lab, kifu_log_append(lab));
    }
}

// After how many events the file has the state, each time.
static bool has_state(const save_frame *commit)
{
    const uint32_t size = lab_rules.state_size;
    const unsigned char *end = commit->payload + commit->size;
    // A record of kind 15 at the end: 3 bytes of kind and length, the hash, the state.
    return commit->size > size + 15 && end[-(int)(size + 8 + 3)] == 15 && size + 8 > 127 &&
           (end[-(int)(size + 8 + 2)] & 127U) + ((uint32_t)end[-(int)(size + 8 + 1)] << 7) == size + 8;
}

// Of the game in these bytes of a log file.
static uint32_t events_in(const unsigned char *bytes, size_t size)
{
    kifu_timeline *lab;
    const kifu_load_options options = {.recover = kifu_recover};
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, NULL, &options, &lab, NULL), KIFU_OK);
    const uint32_t events = kifu_event_count(lab);
    kifu_destroy(lab);
    return events;
}

static int states_in(const char *path, uint32_t *counts, int most)
{
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    uint64_t offset = FILE_HEAD;
    int count = 0;
    save_frame frame;
    while (offset < size && count < most) {
        frame = read_frame(bytes, size, &offset);
        if (frame.kind == FRAME_COMMIT && has_state(&frame))
            counts[count++] = events_in(bytes, (size_t)offset);
    }
    free(bytes);
    return count;
}

START_TEST(F60_a_log_file_has_a_state_after_256_KiB)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *lab = add(25);
    uint32_t counts[8];
    lab_must(lab, kifu_log_open(lab, path, NULL));
    ck_assert_int_eq(states_in(path, counts, 8), 1);
    append_bytes(lab, path, (1 << 18) - 20000);
    ck_assert_int_eq(states_in(path, counts, 8), 1);
    append_bytes(lab, path, 24000);
    ck_assert_int_eq(states_in(path, counts, 8), 2);
    const uint32_t second = counts[1];
    append_bytes(lab, path, (1 << 18) - 20000);
    ck_assert_int_eq(states_in(path, counts, 8), 2);
    append_bytes(lab, path, 24000);
    ck_assert_int_eq(states_in(path, counts, 8), 3);
    const uint32_t third = counts[2];
    // The range ends at the first state that differs, and begins behind the last one that does not.
    const kifu_rules same = version(false), other = version(true);
    kifu_difference changed;
    kifu_error error;
    kifu_result result = recover_as(&same, path, false, &changed, &error);
    ck_assert_msg(!result, "%s", error.message);
    ck_assert_uint_eq(changed.event, KIFU_NONE);
    ck_assert_uint_eq(changed.first, third);
    other_event = second + 10;
    for (int allow = 0; allow < 2; allow++) {
        result = recover_as(&other, path, allow, &changed, &error);
        ck_assert_int_eq(result, allow ? KIFU_OK : KIFU_DIVERGED);
        ck_assert_uint_eq(changed.first, second);
        ck_assert_uint_eq(changed.event, third - 1);
        ck_assert_str_eq(changed.field, "trace[3]");
    }
    char range[100];
    snprintf(range, sizeof range, "one of the events %u to %u now leads", second, third - 1);
    ck_assert_msg(strstr(error.message, range) != NULL, "%s", error.message);
    // What comes behind the last state, nothing can be said of.
    other_event = third + 10;
    ck_assert_int_eq(recover_as(&other, path, false, NULL, &error), KIFU_OK);
    other_event = 19;
    lab_must(lab, kifu_log_close(lab, NULL));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(F60_a_log_file_without_snapshot_has_no_states)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *lab = add(25);
    uint32_t counts[8];
    const kifu_save_options options = {.without_snapshot = true};
    lab_must(lab, kifu_log_open(lab, path, &options));
    append_bytes(lab, path, 1 << 19);
    ck_assert_int_eq(states_in(path, counts, 8), 0);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// After an undo, an append is a row of frames, of which the state is the last. An undo itself is no event.
START_TEST(F60_an_append_of_several_frames_has_the_state_once)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *lab = add(25), *found;
    uint32_t counts[8];
    lab_must(lab, kifu_log_open(lab, path, NULL));
    append_bytes(lab, path, (1 << 18) - 20000);
    for (int i = 0; i < 300; i++) {
        lab_must(lab, i % 2 ? kifu_redo(lab) : kifu_undo(lab));
        lab_must(lab, kifu_log_append(lab));
    }
    ck_assert_int_eq(states_in(path, counts, 8), 1);
    for (int i = 0; i < 100; i++) {
        lab_must(lab, kifu_undo(lab));
        for (int k = 0; k < 60; k++)
            lab_submit_p_add(lab, 0, 1);
        lab_must(lab, kifu_run(lab));
        lab_must(lab, kifu_log_append(lab));
    }
    ck_assert_int_eq(states_in(path, counts, 8), 2);
    found = recover(path, NULL);
    ck_assert_uint_eq(kifu_event_count(found), kifu_event_count(lab));
    ck_assert_uint_eq(kifu_state_hash(found), kifu_state_hash(lab));
    kifu_destroy(found);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// --- Higher rules versions -------------------------------------------------------------------------------------------

START_TEST(F61_a_save_of_a_higher_rules_version_is_refused_in_words)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_rules newer = lab_rules;
    newer.rules_version += 2;
    const kifu_save_options packed = {.codec = &run_codec};
    kifu_timeline *lab, *timeline;
    ck_assert_int_eq(kifu_create(&newer, NULL, &lab, NULL), KIFU_OK);
    lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
    const unsigned own = (unsigned)lab_rules.rules_version;
    char words[200];
    snprintf(words, sizeof words,
             "this save is of rules version %u of lab, and this program has rules version %u: update the program",
             own + 2, own);
    for (int way = 0; way < 4; way++) {
        save save = save_of(lab, way % 2 ? &packed : NULL);
        const kifu_load_options options = {.codec = &run_codec, .fast = way > 1, .allow_changed = way > 1};
        kifu_error error;
        ck_assert_ptr_null(load_as(&lab_rules, &save, &options, &error));
        ck_assert_int_eq(error.result, KIFU_NEWER_GAME);
        ck_assert_str_eq(error.message, words);
        free(save.bytes);
    }
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_submit_p_add(lab, 0, 2);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_log_append(lab));
    kifu_error error;
    ck_assert_int_eq(recover_as(&lab_rules, path, true, NULL, &error), KIFU_NEWER_GAME);
    ck_assert_str_eq(error.message, words);
    ck_assert_int_eq(kifu_load(&newer, path, NULL, &(kifu_load_options){.recover = kifu_recover}, &timeline, NULL),
                     KIFU_OK);
    kifu_destroy(timeline);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(F61_bytes_and_changes_of_a_higher_rules_version_are_refused_in_words)
{
    kifu_rules newer = lab_rules;
    newer.rules_version += 2;
    kifu_timeline *lab, *old = lab_new(NULL);
    ck_assert_int_eq(kifu_create(&newer, NULL, &lab, NULL), KIFU_OK);
    kifu_buffer buffer = {0};
    char words[200];
    const unsigned own = (unsigned)lab_rules.rules_version;
    for (int way = 0; way < 2; way++) { // one that needs no verifier, and one with a string
        const lab_p_do_args args = {.script = "+", .times = 1};
        if (way)
            lab_must(lab, lab_build_p_do(lab, &buffer, &args));
        else
            lab_must(lab, lab_build_p_add(lab, &buffer, 5));
        ck_assert_int_eq(kifu_submit_bytes(old, 0, buffer.data, buffer.size, NULL), KIFU_NEWER_GAME);
        snprintf(words, sizeof words,
                 "the bytes are of rules version %u of lab, and this program has rules version %u: update the program",
                 own + 2, own);
        ck_assert_str_eq(kifu_last_error(old)->message, words);
        ck_assert_uint_eq(kifu_pending_count(old), 0);
        lab_must(lab, kifu_submit_bytes(lab, 0, buffer.data, buffer.size, NULL));
    }
    lab_must(lab, kifu_run(lab));
    kifu_changes changes;
    lab_must(lab, kifu_changes_since(lab, NULL, &changes));
    ck_assert_int_eq(kifu_apply_changes(old, changes.bytes, changes.size), KIFU_NEWER_GAME);
    kifu_free_bytes(lab, changes.bytes);
    snprintf(words, sizeof words,
             "these changes are of rules version %u of a game, and this program has rules version %u of lab: update "
             "the program",
             own + 2, own);
    ck_assert_str_eq(kifu_last_error(old)->message, words);
    ck_assert_uint_eq(kifu_event_count(old), 0);
    kifu_free_buffer(&buffer);
    kifu_destroy(old);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F60_a_load_by_another_version_that_differs_fails,
        F60_a_difference_is_loaded_if_the_caller_or_the_rules_allow_it,
        F60_a_fast_load_that_allows_changes_begins_at_the_snapshot,
        F60_nothing_to_compare_is_no_difference,
        F60_lines_may_differ_if_the_caller_allows_it,
        M08_F60_hashes_of_a_line_that_was_not_entered_stay_those_of_their_version,
        F60_a_log_file_has_a_state_after_256_KiB,
        F60_a_log_file_without_snapshot_has_no_states,
        F60_an_append_of_several_frames_has_the_state_once,
        F61_a_save_of_a_higher_rules_version_is_refused_in_words,
        F61_bytes_and_changes_of_a_higher_rules_version_are_refused_in_words,
    };
    return run_suite("versions", tests, sizeof tests / sizeof *tests);
}
