// From a save to its state: each replay is compared with the hashes and the state in the save.

#include "restore_help.h"

// --- A Do that changed its mind --------------------------------------------------------------------------------------

// What PAdd does with this amount is another thing today.
static kifu_result cheat(kifu_timeline *timeline, uint32_t type, const void *state, const void *event, void *transient)
{
    if (type == LAB_P_ADD && ((const lab_p_add *)event)->amount == 20)
        *lab_edit_trace(timeline, 3) += 1;
    return lab_rules.do_event(timeline, type, state, event, transient);
}

static kifu_result cheat_replay(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                uint32_t *done)
{
    kifu_result result = lab_rules.replay(timeline, run, state, transient, done);
    if (run->first <= 19 && run->first + *done > 19)
        *lab_edit_trace(timeline, 3) += 1;
    return result;
}

static kifu_error load_cheating(kifu_timeline *lab, const kifu_options *options)
{
    save save = save_of(lab, NULL);
    kifu_rules cheating = lab_rules;
    cheating.do_event = cheat;
    cheating.replay = cheat_replay;
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&cheating, save.bytes, save.size, options, NULL, &timeline, &error),
                     KIFU_DIVERGED);
    ck_assert_ptr_null(timeline);
    ck_assert_int_eq(error.result, KIFU_DIVERGED);

    // Another version of the rules may well come to another state.
    cheating.rules_version++;
    ck_assert_int_eq(kifu_load_from_memory(&cheating, save.bytes, save.size, options, NULL, &timeline, &error),
                     KIFU_OK);
    ck_assert_uint_eq(lab_get_state(timeline)->trace[3], 1);
    kifu_destroy(timeline);
    free_save(&save);
    return error;
}

static kifu_timeline *add_with_hashes(uint32_t interval, int count)
{
    const kifu_options options = {.hash_interval = interval};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 1; i <= count; i++)
        lab_submit_p_add(lab, 0, i);
    lab_must(lab, kifu_run(lab));
    return lab;
}

// Where hashes are recorded from there on does not depend on the way to load.
START_TEST(S03_both_ways_go_on_recording_hashes)
{
    const kifu_options options = {.hash_interval = 4};
    kifu_timeline *lab = add_with_hashes(4, 30);
    save save = save_of(lab, NULL);
    kifu_timeline *all[] = {lab, load_by(&save, &options, NULL), load_by(&save, &options, &fast)};
    for (int i = 0; i < 3; i++) {
        for (int amount = 1; amount <= 30; amount++)
            lab_submit_p_add(all[i], 0, amount);
        lab_must(all[i], kifu_run(all[i]));
        uint32_t count;
        saved_hash *hashes = hashes_of(all[i], &count);
        ck_assert_uint_eq(count, 2 + 15); // 1 and 2, and each fourth
        ck_assert_uint_eq(hashes[16].event_count, 60);
        must_be(hashes[16].hash == kifu_state_hash(lab));
        free(hashes);
    }
    free_save(&save);
    for (int i = 0; i < 3; i++)
        kifu_destroy(all[i]);
}
END_TEST

// A new event, say: the schema is another, but what it says of the state is not. So hashes are compared.
START_TEST(F11_a_new_event_does_not_end_the_comparing_of_hashes)
{
    kifu_timeline *lab = add_with_hashes(8, 40), *timeline;
    const kifu_save_options packed = {.codec = &run_codec}; // There, the schema is a frame of its own.
    const kifu_load_options unpacking = {.codec = &run_codec};
    for (int way = 0; way < 2; way++) {
        save save = save_of(lab, way ? &packed : NULL);
        kifu_rules cheating = lab_rules;
        cheating.do_event = cheat;
        cheating.replay = cheat_replay;
        cheating.fingerprint++;
        kifu_error error;
        ck_assert_int_eq(kifu_load_from_memory(&cheating, save.bytes, save.size, NULL, &unpacking, &timeline, &error),
                         KIFU_DIVERGED);
        ck_assert_uint_eq(error.event, 23);
        free_save(&save);
    }
    kifu_destroy(lab);
}
END_TEST

// --- Rules that changed ----------------------------------------------------------------------------------------------

// The lab's next version, of which event 19 does another thing.
static kifu_rules next_version(void)
{
    kifu_rules rules = lab_rules;
    rules.do_event = cheat;
    rules.replay = cheat_replay;
    rules.rules_version++;
    return rules;
}

static void expect_changed(const kifu_rules *rules, kifu_timeline *lab, const kifu_save_options *options,
                           bool is_changed)
{
    save save = save_of(lab, options);
    kifu_difference changed;
    kifu_destroy(load_changed(rules, &save, &changed));
    ck_assert_uint_eq(changed.event, is_changed ? 39 : KIFU_NONE);
    ck_assert_str_eq(changed.field, is_changed ? "trace[3]" : "");
    ck_assert_str_eq(changed.expected, is_changed ? "0" : "");
    ck_assert_str_eq(changed.actual, is_changed ? "1" : "");
    if (is_changed)
        ck_assert_str_eq(changed.name, "lab.PAdd");
    else
        ck_assert_ptr_null(changed.name);
    free_save(&save);
}

START_TEST(F12_rules_that_changed_are_reported)
{
    kifu_timeline *lab = add_with_hashes(8, 40);
    const kifu_rules next = next_version();
    kifu_rules same = lab_rules; // another version, and the same rules for these events
    same.rules_version++;
    const kifu_save_options packed = {.codec = &run_codec}, no_schema = {.without_schema = true},
                            no_state = {.without_snapshot = true};
    expect_changed(&next, lab, NULL, true);
    expect_changed(&next, lab, &packed, true);
    expect_changed(&next, lab, &no_schema, false);
    expect_changed(&next, lab, &no_state, false);
    expect_changed(&same, lab, NULL, false);
    expect_changed(&lab_rules, lab, NULL, false);
    kifu__struct renamed = *lab_rules.state; // The save has no state of this name.
    kifu_rules other = next;
    renamed.name = "lab.World";
    other.state = &renamed;
    expect_changed(&other, lab, NULL, false);
    kifu_destroy(lab);
    lab = lab_new(NULL);
    expect_changed(&next, lab, NULL, false); // Nothing has happened yet.
    kifu_destroy(lab);
}
END_TEST

START_TEST(F12_no_memory_at_any_allocation_leaks_nothing)
{
    kifu_timeline *lab = add_with_hashes(1000, 40);
    const kifu_rules next = next_version();
    save save = save_of(lab, NULL);
    bool failed = true;
    for (long at = 0; failed; at++) {
        test_memory memory = {.until_failure = at};
        kifu_difference changed;
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        const kifu_load_options load_options = {.changed = &changed};
        kifu_timeline *loaded;
        kifu_error error;
        kifu_result result =
            kifu_load_from_memory(&next, save.bytes, save.size, &options, &load_options, &loaded, &error);
        failed = memory.failed;
        ck_assert_int_eq(result, result ? KIFU_NO_MEMORY : KIFU_OK);
        ck_assert(!result || strstr(error.message, "out of memory"));
        ck_assert(result || !strcmp(changed.field, "trace[3]"));
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
    }
    free_save(&save);
    kifu_destroy(lab);
}
END_TEST

static int replays_of_the_first;

static kifu_result replay_first_once(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                     uint32_t *done)
{
    if (run->first == 0 && replays_of_the_first++)
        return kifu_fail(timeline, "not twice");
    return lab_rules.replay(timeline, run, state, transient, done);
}

// The journal does not reach back to the snapshot. It is compared on the way.
START_TEST(F12_no_event_is_executed_twice_to_compare_states)
{
    kifu_timeline *early = adding_game(16), *late = adding_game(5000), *timeline;
    save early_save = save_of(early, NULL), late_save = save_of(late, NULL);
    frames frames = frames_of(&late_save), early_frames = frames_of(&early_save);
    records records = first_records(&frames), early_records = first_records(&early_frames);
    const record state = early_records.all[find_record(&early_records, RECORD_HASH)];
    remove_record(&records, find_record(&records, RECORD_HASH));
    ck_assert_uint_eq(records.all[0].kind, RECORD_EVENTS);
    const unsigned char rest[] = {0, (unsigned char)(records.all[0].body[1] - 1)};
    records.all[0].body = one_segment;
    insert_record(&records, 1, RECORD_HASH, state.body, state.size);
    insert_record(&records, 2, RECORD_EVENTS, rest, sizeof rest);
    save whole = save_of_records(&frames, find_frame(&frames, FRAME_COMMIT), &records);
    kifu_rules rules = lab_rules;
    rules.rules_version++;
    rules.replay = replay_first_once;
    const kifu_options options = {.keyframe_bytes = 1};
    kifu_difference changed;
    const kifu_load_options load_options = {.changed = &changed};
    kifu_error error;
    ck_assert_msg(kifu_load_from_memory(&rules, whole.bytes, whole.size, &options, &load_options, &timeline, &error) ==
                      KIFU_OK,
                  "%s", error.message);
    ck_assert_uint_eq(changed.event, KIFU_NONE);
    ck_assert_uint_eq(changed.first, 16);
    ck_assert_int_eq(replays_of_the_first, 1);
    kifu_destroy(timeline);
    free_save(&whole);
    free_save(&early_save);
    free_save(&late_save);
    kifu_destroy(early);
    kifu_destroy(late);
}
END_TEST

// What was undone is not in the state; and a log file has its state at the place where it was opened.
START_TEST(F12_the_state_is_compared_where_it_was_saved)
{
    kifu_timeline *lab = add_with_hashes(8, 25), *timeline;
    const kifu_rules next = next_version();
    for (int i = 0; i < 5; i++)
        lab_must(lab, kifu_undo(lab));
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 1; i <= 3; i++)
        lab_submit_p_add(lab, 0, i);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_log_append(lab));
    kifu_difference changed;
    kifu_recovery recovery;
    const kifu_load_options options = {.recover = kifu_recover, .recovery = &recovery, .changed = &changed};
    ck_assert_int_eq(kifu_load(&next, path, NULL, &options, &timeline, NULL), KIFU_OK);
    ck_assert_uint_eq(kifu_event_count(timeline), 23);
    ck_assert_uint_eq(changed.event, 19);
    ck_assert_str_eq(changed.field, "trace[3]");
    kifu_destroy(timeline);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab)); // event 19
    save save = save_of(lab, NULL);
    kifu_destroy(load_changed(&next, &save, &changed));
    ck_assert_uint_eq(changed.event, KIFU_NONE);
    free_save(&save);
    remove_folder(folder);
    kifu_destroy(lab);
}
END_TEST

// Event 19 adds 20. Of long games the larger part is executed without a journal.
static void expect_range(int count, uint32_t interval, uint32_t last, const char *words)
{
    kifu_timeline *lab = add_with_hashes(interval, count);
    save save = save_of(lab, NULL);
    kifu_rules cheating = lab_rules;
    cheating.do_event = cheat;
    cheating.replay = cheat_replay;
    static const uint32_t loading[] = {0, 1, 7};
    for (int i = 0; i < 3; i++) { // whatever the loaded timeline's own interval is
        const kifu_options options = {.hash_interval = loading[i]};
        kifu_timeline *timeline;
        kifu_error error;
        ck_assert_int_eq(kifu_load_from_memory(&cheating, save.bytes, save.size, &options, NULL, &timeline, &error),
                         KIFU_DIVERGED);
        ck_assert_ptr_null(timeline);
        ck_assert_uint_eq(error.event, last);
        ck_assert_msg(strstr(error.message, words) != NULL, "%s", error.message);
    }
    free_save(&save);
    kifu_destroy(lab);
}

START_TEST(S05_a_replay_that_differs_names_the_events)
{
    expect_range(40, 8, 23, "one of the events 16 to 23 now leads to another state than in the save. If");
    expect_range(40, 1, 19, "event 19 (lab.PAdd) now leads to another state than in the save. If");
    expect_range(40, 20, 19, "one of the events 16 to 19 now leads");
    expect_range(5000, 8, 23, "one of the events 16 to 23 now leads");
    expect_range(5000, 1, 19, "event 19 (lab.PAdd) now leads");
}
END_TEST

// No event is named where one of several did it: the last one is as likely as the others.
START_TEST(F72_a_range_blames_no_event)
{
    kifu_timeline *lab = add_with_hashes(8, 40);
    const kifu_error error = load_cheating(lab, NULL);
    ck_assert_ptr_nonnull(strstr(error.message, "one of the events 16 to 23 "));
    ck_assert_ptr_null(strstr(error.message, "PAdd"));
    ck_assert_ptr_nonnull(strstr(error.message, "runtime/docs/troubleshooting.md, \"When a game diverges\""));
    ck_assert_uint_lt(strlen(error.message), 300);
    kifu_destroy(lab);
}
END_TEST

// A game that is shorter than the first regular place of a hash (here after 100 events) names few events, too.
START_TEST(F13_a_short_game_that_differs_names_a_narrow_range)
{
    expect_range(40, 100, 31, "one of the events 16 to 31 now leads");
    expect_range(33, 0, 31, "one of the events 16 to 31 now leads");
    kifu_timeline *lab = add_with_hashes(100, 300);
    static const uint32_t places[] = {1, 2, 4, 8, 16, 32, 64, 100, 200, 300};
    uint32_t count;
    saved_hash *hashes = hashes_of(lab, &count);
    ck_assert_uint_eq(count, sizeof places / sizeof *places);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_eq(hashes[i].event_count, places[i]);
    free(hashes);
    while (kifu_can_undo(lab, NULL))
        lab_must(lab, kifu_undo(lab));
    while (kifu_can_redo(lab, NULL))
        lab_must(lab, kifu_redo(lab));
    ck_assert_uint_eq(count_hashes(lab), sizeof places / sizeof *places);
    for (int i = 0; i < 297; i++)
        lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
    hashes = hashes_of(lab, &count);
    ck_assert_uint_eq(count, 3);
    must_be(hashes[2].hash == kifu_state_hash(lab));
    free(hashes);
    kifu_destroy(lab);
}
END_TEST

static void drop_hash(records *records)
{
    remove_record(records, find_record(records, RECORD_HASH));
}

// There is no snapshot, only hashes along the log.
START_TEST(S05_a_replay_that_differs_is_found_without_a_snapshot)
{
    kifu_timeline *lab = add_with_hashes(8, 40), *timeline;
    save original = save_of(lab, NULL), whole = save_with_records(&original, drop_hash);
    kifu_rules cheating = lab_rules;
    cheating.do_event = cheat;
    cheating.replay = cheat_replay;
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&cheating, whole.bytes, whole.size, NULL, NULL, &timeline, &error),
                     KIFU_DIVERGED);
    ck_assert_uint_eq(error.event, 23);
    ck_assert_uint_eq(error.offset, UINT64_MAX);
    free_save(&whole);
    free_save(&original);
    kifu_destroy(lab);
}
END_TEST

// At the end there is the state itself, so that the field is known.
START_TEST(S05_a_replay_that_differs_names_the_field)
{
    expect_range(
        30, 100, 29,
        "one of the events 16 to 29 now leads to another state than in the save: trace[3] was 0 and is now 1. If "
        "you changed the rules, raise rules_version, or load with kifu_load_options.allow_changed. If not, see "
        "runtime/docs/troubleshooting.md, \"When a game diverges\"");
    expect_range(40, 32, 31, "one of the events 16 to 31 now leads");
    kifu_timeline *lab = add_with_hashes(64, 30);
    kifu_error error = load_cheating(lab, NULL);
    ck_assert_uint_eq(error.event, 29);
    ck_assert_uint_ne(error.offset, UINT64_MAX); // of the snapshot
    kifu_destroy(lab);
}
END_TEST

static kifu_result refuse_replay(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                 uint32_t *done)
{
    kifu__run before = *run;
    if (run->first + run->count <= 19)
        return lab_rules.replay(timeline, run, state, transient, done);
    before.count = 19 - run->first;
    kifu_result result = lab_rules.replay(timeline, &before, state, transient, done);
    return result ? result : kifu_fail(timeline, "not in my house");
}

// Far from the end, where nothing is journaled.
START_TEST(S05_a_do_that_fails_far_back_is_named)
{
    kifu_timeline *lab = add_with_hashes(8, 3000), *timeline;
    save save = save_of(lab, NULL);
    kifu_rules refusing = lab_rules;
    refusing.replay = refuse_replay;
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&refusing, save.bytes, save.size, NULL, NULL, &timeline, &error),
                     KIFU_FAILED);
    ck_assert_ptr_null(timeline);
    ck_assert_uint_eq(error.event, 19);
    ck_assert_ptr_nonnull(strstr(error.message, "event 19 (lab.PAdd) could not be replayed: not in my house"));
    ck_assert_int_eq(kifu_load_from_memory(&refusing, save.bytes, save.size, NULL, NULL, &timeline, NULL), KIFU_FAILED);
    free_save(&save);
    kifu_destroy(lab);
}
END_TEST

START_TEST(a_version_that_differs_records_hashes_of_its_own)
{
    kifu_timeline *lab = add_with_hashes(8, 40), *timeline;
    save save = save_of(lab, NULL);
    kifu_rules cheating = lab_rules;
    cheating.do_event = cheat;
    cheating.replay = cheat_replay;
    cheating.rules_version++;
    const kifu_options options = {.hash_interval = 8};
    ck_assert_int_eq(kifu_load_from_memory(&cheating, save.bytes, save.size, &options, NULL, &timeline, NULL), KIFU_OK);
    uint32_t count, of_lab;
    saved_hash *hashes = hashes_of(timeline, &count), *others = hashes_of(lab, &of_lab);
    ck_assert_uint_eq(count, 8); // 1, 2, 4, 8, 16, 24, 32, 40
    ck_assert_uint_eq(of_lab, 8);
    must_be(hashes[4].hash == others[4].hash && hashes[5].hash != others[5].hash);
    free(hashes);
    free(others);
    kifu_destroy(timeline);
    free_save(&save);
    kifu_destroy(lab);
}
END_TEST

// --- Hashes along the log --------------------------------------------------------------------------------------------

// A record of these hashes. The caller's.
static unsigned char *hashes_record(const saved_hash *all, uint32_t count, uint32_t *size)
{
    unsigned char *body = malloc(count * (size_t)13 + 1), *at = body;
    for (uint32_t i = 0; i < count; i++) {
        at = put_number(at, all[i].event_count - (i ? all[i - 1].event_count : 0));
        memcpy(at, &all[i].hash, 8);
        at += 8;
    }
    *size = (uint32_t)(at - body);
    return body;
}

static save save_with_hashes(const save *save, const saved_hash *all, uint32_t count)
{
    uint32_t size;
    unsigned char *body = hashes_record(all, count, &size);
    struct save changed = save_with_body(save, RECORD_HASHES, body, size);
    free(body);
    return changed;
}

static void expect_checkpoints(kifu_timeline *lab, uint32_t first, uint32_t second, kifu_result expected)
{
    saved_hash changed[2] = {{.event_count = first}, {.event_count = second}};
    uint32_t count;
    saved_hash *hashes = hashes_of(lab, &count);
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < count; k++) {
            if (hashes[k].event_count == changed[i].event_count)
                changed[i].hash = hashes[k].hash;
        }
    }
    free(hashes);
    save original = save_of(lab, NULL), whole = save_with_hashes(&original, changed, 2);
    struct frames written = frames_of(&whole);
    for (int way = 0; way < 2; way++) {
        kifu_timeline *timeline;
        kifu_error error = {.message = ""};
        kifu_result result =
            kifu_load_from_memory(&lab_rules, whole.bytes, whole.size, NULL, way ? &fast : NULL, &timeline, &error);
        ck_assert_msg(result == expected, "%u %u: %s", first, second, error.message);
        if (result) {
            ck_assert_uint_eq(error.offset, written.all[find_frame(&written, FRAME_COMMIT)].offset);
            ck_assert_ptr_nonnull(strstr(error.message, "hash"));
        }
        kifu_destroy(timeline);
    }
    free_save(&whole);
    free_save(&original);
}

START_TEST(S05_checkpoints_ascend_and_lie_in_the_log)
{
    kifu_timeline *lab = add_with_hashes(1, 10);
    for (int i = 0; i < 4; i++)
        lab_must(lab, kifu_undo(lab)); // also of what redo can bring back
    expect_checkpoints(lab, 1, 10, KIFU_OK);
    expect_checkpoints(lab, 3, 4, KIFU_OK);
    expect_checkpoints(lab, 0, 4, KIFU_DAMAGED);
    expect_checkpoints(lab, 4, 4, KIFU_DAMAGED);
    expect_checkpoints(lab, 4, 3, KIFU_DAMAGED);
    expect_checkpoints(lab, 4, 11, KIFU_DAMAGED);
    expect_checkpoints(lab, 4, UINT32_MAX, KIFU_DAMAGED);
    kifu_destroy(lab);
}
END_TEST

// The snapshot agrees, and a hash of the same number of events does not.
START_TEST(S05_a_hash_at_the_very_end_is_compared_beside_the_snapshot)
{
    kifu_timeline *lab = add_with_hashes(8, 16);
    save original = save_of(lab, NULL);
    for (uint64_t wrong = 0; wrong < 2; wrong++) {
        const saved_hash last = {.event_count = 16, .hash = kifu_state_hash(lab) ^ wrong};
        save whole = save_with_hashes(&original, &last, 1);
        kifu_timeline *loaded;
        kifu_error error;
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, whole.bytes, whole.size, NULL, NULL, &loaded, &error),
                         wrong ? KIFU_DIVERGED : KIFU_OK);
        if (wrong)
            ck_assert_uint_eq(error.event, 15);
        kifu_destroy(loaded);
        free_save(&whole);
    }
    free_save(&original);
    kifu_destroy(lab);
}
END_TEST

START_TEST(what_was_undone_keeps_its_hashes_in_a_save)
{
    kifu_timeline *lab = add_with_hashes(2, 10);
    for (int i = 0; i < 5; i++)
        lab_must(lab, kifu_undo(lab));
    save original = save_of(lab, NULL);
    uint32_t count;
    saved_hash *hashes = hashes_of(lab, &count);
    ck_assert_uint_eq(count, 6); // 1, 2, 4, 6, 8, 10
    for (int way = 0; way < 2; way++) {
        kifu_timeline *loaded = load_with(&original, way ? &fast : NULL);
        saved_hash *others = hashes_of(loaded, &count);
        ck_assert_uint_eq(count, 6);
        for (uint32_t i = 0; i < 6; i++)
            must_be(others[i].event_count == hashes[i].event_count && others[i].hash == hashes[i].hash);
        free(others);
        lab_submit_p_add(loaded, 0, 1); // ends redo
        lab_must(loaded, kifu_run(loaded));
        ck_assert_uint_eq(count_hashes(loaded), 3);
        kifu_destroy(loaded);
    }
    free(hashes);
    free_save(&original);
    kifu_destroy(lab);
}
END_TEST

START_TEST(all_hashes_of_a_long_game_come_back)
{
    const kifu_options options = {.hash_interval = 1};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 70000; i++)
        lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
    save save = save_of(lab, NULL);
    kifu_timeline *loaded = load_again(&save);
    ck_assert_uint_eq(count_hashes(loaded), 70000);
    expect_same_long(lab, loaded);
    free_save(&save);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_both_ways_go_on_recording_hashes,
        F11_a_new_event_does_not_end_the_comparing_of_hashes,
        F12_rules_that_changed_are_reported,
        F12_no_memory_at_any_allocation_leaks_nothing,
        F12_no_event_is_executed_twice_to_compare_states,
        F12_the_state_is_compared_where_it_was_saved,
        S05_a_replay_that_differs_names_the_events,
        F72_a_range_blames_no_event,
        F13_a_short_game_that_differs_names_a_narrow_range,
        S05_a_replay_that_differs_is_found_without_a_snapshot,
        S05_a_replay_that_differs_names_the_field,
        S05_a_do_that_fails_far_back_is_named,
        a_version_that_differs_records_hashes_of_its_own,
        S05_checkpoints_ascend_and_lie_in_the_log,
        S05_a_hash_at_the_very_end_is_compared_beside_the_snapshot,
        what_was_undone_keeps_its_hashes_in_a_save,
        all_hashes_of_a_long_game_come_back,
    };
    return run_suite("restore, compared", tests, sizeof tests / sizeof *tests);
}
