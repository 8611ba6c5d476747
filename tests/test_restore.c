// From a save to its state: by replay, compared with the hashes in the save, or from the save's snapshot.

#include "history_help.h"
#include "model.h"
#include "run_codec.h"
#include "save_help.h"
#include "save/save_tables.h"
#include "suite.h"
#include "core/timeline.h"

static const kifu_load_options fast = {.fast = true};

// --- Both ways -------------------------------------------------------------------------------------------------------

static void free_save(save *save)
{
    free(save->bytes);
}

// The saved game, and the save loaded in both ways, undone all the way and redone, each step the same; and the loaded
// games give the same save, too.
static void expect_both_ways(kifu_timeline *lab)
{
    save original = save_of(lab, NULL);
    kifu_timeline *all[] = {lab, load_again(&original), load_with(&original, &fast)};
    int undone = 0;
    for (int i = 1; i < 3; i++)
        expect_same_long(lab, all[i]);
    for (; kifu_can_undo(lab, NULL); undone++) {
        for (int i = 0; i < 3; i++) {
            lab_must(all[i], kifu_undo(all[i]));
            ck_assert_uint_eq(kifu_event_count(all[i]), kifu_event_count(lab));
            ck_assert_uint_eq(kifu_state_hash(all[i]), kifu_state_hash(lab));
        }
    }
    for (; undone; undone--) {
        for (int i = 0; i < 3; i++) {
            lab_must(all[i], kifu_redo(all[i]));
            ck_assert_uint_eq(kifu_state_hash(all[i]), kifu_state_hash(lab));
        }
    }
    save replayed = save_of(all[1], NULL), restored = save_of(all[2], NULL), untouched = save_of(lab, NULL);
    expect_same_bytes(&replayed, &restored);
    expect_same_bytes(&original, &untouched);
    for (int i = 1; i < 3; i++) {
        expect_same_long(lab, all[i]);
        kifu_destroy(all[i]);
    }
    free_save(&original);
    free_save(&untouched);
    free_save(&replayed);
    free_save(&restored);
}

START_TEST(S03_both_ways_to_load_end_in_the_same)
{
    static const uint32_t intervals[] = {0, 1, 2, 5};
    for (int i = 0; i < 4; i++) {
        const kifu_options options = {.hash_interval = intervals[i]};
        kifu_timeline *rich = rich_game(&options), *waiting = waiting_game(&options), *empty = lab_new(&options);
        expect_both_ways(rich);
        expect_both_ways(waiting);
        expect_both_ways(empty);
        kifu_destroy(rich);
        kifu_destroy(waiting);
        kifu_destroy(empty);
    }
}
END_TEST

static kifu_timeline *long_game(const kifu_options *options, int inputs)
{
    kifu_timeline *lab = lab_new(options);
    for (int i = 0; i < inputs; i++) {
        lab_do(lab, i % 3, i % 5 ? "+" : "(+)-", (uint8_t)(1 + i % 2));
        if (i % 4 == 0)
            lab_submit_p_add(lab, 0, i + 1);
    }
    lab_must(lab, kifu_run(lab));
    return lab;
}

// Longer than the journal reaches: undo needs keyframes, and what the fast way left out.
START_TEST(S03_both_ways_to_load_a_long_game)
{
    kifu_timeline *lab = long_game(NULL, 4000);
    expect_both_ways(lab);
    for (int i = 0; i < 1500; i++)
        lab_must(lab, kifu_undo(lab));
    expect_both_ways(lab);
    kifu_destroy(lab);
}
END_TEST

START_TEST(S03_a_game_loaded_in_either_way_goes_on_as_the_saved_one)
{
    uint32_t seed = (uint32_t)fuzz_seed() + 77;
    unsigned long steps = fuzz_steps(1500);
    static const kifu_options saved = {.hash_interval = 3};
    kifu_timeline *lab = lab_new(&saved), *loaded = lab_new(&saved);
    for (unsigned long i = 0; i < steps; i++) {
        uint32_t choice = next_random(&seed);
        random_lab_step(lab, choice);
        random_lab_step(loaded, choice);
        expect_same(lab, loaded);
        if (next_random(&seed) % 16 == 0) {
            const kifu_options options = {.hash_interval = 3};
            const kifu_load_options load_options = {.fast = next_random(&seed) % 3 != 0};
            save save = save_of(loaded, NULL);
            kifu_destroy(loaded);
            loaded = load_by(&save, &options, &load_options);
            expect_same(lab, loaded);
            free_save(&save);
        }
        if (kifu_event_count(lab) > 120) {
            kifu_destroy(lab);
            kifu_destroy(loaded);
            lab = lab_new(&saved);
            loaded = lab_new(&saved);
        }
    }
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

// --- What the fast way executes --------------------------------------------------------------------------------------

// The log's first segment has 16 of them.
static kifu_timeline *adding_game(int count)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 1; i <= count; i++)
        lab_submit_p_add(lab, 0, i);
    lab_must(lab, kifu_run(lab));
    return lab;
}

static kifu_timeline *load_counting(const save *save, bool is_fast, unsigned long *calls)
{
    *calls = 0;
    const kifu_options options = {.user = calls};
    return load_by(save, &options, is_fast ? &fast : NULL);
}

static void expect_calls(const save *save, bool is_fast, unsigned long expected, int64_t total)
{
    unsigned long calls;
    kifu_timeline *loaded = load_counting(save, is_fast, &calls);
    ck_assert_uint_eq(calls, expected);
    ck_assert_int_eq(lab_get_state(loaded)->total, total);
    kifu_destroy(loaded);
}

START_TEST(S03_the_fast_way_executes_nothing_until_undo_needs_it)
{
    kifu_timeline *lab = adding_game(30);
    save save = save_of(lab, NULL);
    expect_calls(&save, false, 30, 465);
    expect_calls(&save, true, 0, 465);
    unsigned long calls;
    kifu_timeline *loaded = load_counting(&save, true, &calls);
    lab_must(loaded, kifu_undo(loaded));
    ck_assert_uint_eq(calls, 29);
    ck_assert_int_eq(lab_get_state(loaded)->total, 435);
    for (int i = 0; i < 10; i++)
        lab_must(loaded, kifu_undo(loaded));
    ck_assert_uint_eq(calls, 29); // the journal has them now
    lab_must(loaded, kifu_seek(loaded, 3));
    ck_assert_int_eq(lab_get_state(loaded)->total, 6);
    kifu_destroy(loaded);
    free_save(&save);
    kifu_destroy(lab);
}
END_TEST

START_TEST(S03_the_fast_way_begins_at_a_full_table_too)
{
    kifu_timeline *lab = lab_new(NULL);
    for (uint8_t i = 0; i < KIFU_MAX_PLAYERS; i++)
        lab_submit_e_add_player(lab, i, 0xff0000);
    lab_submit_p_add(lab, KIFU_MAX_PLAYERS - 1, 5);
    lab_must(lab, kifu_run(lab));
    save save = save_of(lab, NULL);
    expect_calls(&save, true, 0, 5);
    expect_calls(&save, false, 1, 5);
    free_save(&save);
    kifu_destroy(lab);
}
END_TEST

START_TEST(F11_the_fast_way_needs_the_same_layout_of_the_state_and_the_same_rules)
{
    kifu_timeline *lab = adding_game(30), *timeline;
    save whole = save_of(lab, NULL);
    const kifu_save_options options = {.without_snapshot = true};
    save without = save_of(lab, &options);
    ck_assert_uint_le(without.size + sizeof(lab_state), whole.size + 16);
    expect_calls(&without, true, 30, 465);
    const kifu_save_options lean = {.without_schema = true}; // The fingerprint says it, too.
    save bare = save_of(lab, &lean);
    expect_calls(&bare, true, 0, 465);
    free_save(&bare);

    // What decides is the layout of the state, as the save's schema has it, and the rules version (F11).
    for (int way = 0; way < 5; way++) {
        const kifu_save_options leaner = {.without_schema = true};
        struct save save = save_of(lab, way == 1 ? &leaner : NULL);
        kifu__struct state = *lab_rules.state;
        kifu_rules other = lab_rules;
        other.fingerprint++;
        other.rules_version += way == 2;
        state.member_count -= way == 3;
        state.name = way == 4 ? "lab.World" : state.name;
        other.state = &state;
        unsigned long calls = 0;
        const kifu_options counting = {.user = &calls};
        ck_assert_int_eq(kifu_load_from_memory(&other, save.bytes, save.size, &counting, &fast, &timeline, NULL),
                         KIFU_OK);
        ck_assert_uint_eq(calls, way ? 30 : 0);
        kifu_destroy(timeline);
        free_save(&save);
    }
    free_save(&whole);
    free_save(&without);
    kifu_destroy(lab);
}
END_TEST

// The fingerprint is the same, because it does not contain names; the schema is another one.
static unsigned long calls_of_other_names(const save *save, bool swapped, uint32_t schema_size)
{
    enum { MOOD = 4 };
    static const char *const labels[] = {"ANGRY", "CALM"};
    kifu__member members[6];
    memcpy(members, lab_rules.state->members, sizeof members);
    kifu__enum mood = *members[MOOD].values;
    mood.labels = swapped ? labels : mood.labels;
    members[MOOD].values = &mood;
    kifu__struct state = *lab_rules.state;
    state.members = members;
    unsigned char *schema = malloc(lab_rules.bfbs_size);
    ck_assert_ptr_nonnull(schema);
    memcpy(schema, lab_rules.bfbs, lab_rules.bfbs_size);
    schema[lab_rules.bfbs_size - 1] ^= 1;
    kifu_rules other = lab_rules;
    other.state = &state;
    other.bfbs = schema;
    other.bfbs_size = schema_size;
    unsigned long calls = 0;
    const kifu_options counting = {.user = &calls};
    kifu_timeline *timeline;
    ck_assert_int_eq(kifu_load_from_memory(&other, save->bytes, save->size, &counting, &fast, &timeline, NULL),
                     KIFU_OK);
    kifu_destroy(timeline);
    free(schema);
    return calls;
}

START_TEST(G03_the_fast_way_needs_enums_whose_numbers_have_the_same_names)
{
    kifu_timeline *lab = adding_game(30);
    save save = save_of(lab, NULL);
    ck_assert_uint_eq(calls_of_other_names(&save, false, lab_rules.bfbs_size), 0);
    ck_assert_uint_eq(calls_of_other_names(&save, true, lab_rules.bfbs_size), 30);
    ck_assert_uint_eq(calls_of_other_names(&save, true, lab_rules.bfbs_size - 1), 30);
    const kifu_save_options lean = {.without_schema = true}; // Then only the fingerprint can say it.
    struct save bare = save_of(lab, &lean);
    ck_assert_uint_eq(calls_of_other_names(&bare, true, lab_rules.bfbs_size), 0);
    free_save(&bare);
    free_save(&save);
    kifu_destroy(lab);
}
END_TEST

START_TEST(U12_a_model_outside_the_state_is_never_in_a_snapshot)
{
    model list = {NULL, 0}, loaded_list = {NULL, 0};
    const kifu_options options = {.reset = model_reset, .user = &list};
    const kifu_options loaded_options = {.reset = model_reset, .user = &loaded_list};
    kifu_timeline *outside, *loaded;
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &outside, NULL), KIFU_OK);
    for (int i = 1; i <= 3; i++)
        outside_submit_p_push(outside, 0, i);
    ck_assert_int_eq(kifu_run(outside), KIFU_OK);
    save save;
    ck_assert_int_eq(kifu_save_to_memory(outside, NULL, &save.bytes, &save.size), KIFU_OK);
    frames frames = frames_of(&save);
    const records records = first_records(&frames);
    ck_assert_uint_eq(records.all[find_record(&records, RECORD_HASH)].size, 8);
    kifu_error error = {.message = ""};
    ck_assert_msg(kifu_load_from_memory(&outside_rules, save.bytes, save.size, &loaded_options, &fast, &loaded,
                                        &error) == KIFU_OK,
                  "%s", error.message);
    ck_assert_int_eq(loaded_list.first->number, 3);
    kifu_destroy(loaded);
    kifu_difference changed = {.event = 1}; // Nor is it compared.
    const kifu_load_options comparing = {.changed = &changed};
    ck_assert_int_eq(
        kifu_load_from_memory(&outside_rules, save.bytes, save.size, &loaded_options, &comparing, &loaded, &error),
        KIFU_OK);
    ck_assert_uint_eq(changed.event, KIFU_NONE);
    kifu_destroy(loaded);
    kifu_free_bytes(outside, save.bytes);
    kifu_destroy(outside);
    model_reset(&list);
    model_reset(&loaded_list);
}
END_TEST

// A save of 16 events, their state, 14 more, and theirs.
typedef struct two_saves {
    save early, late;
    frames frames;
    records records;
    int commit;
} two_saves;

static const unsigned char one_segment[] = {0, 1};

static two_saves two_saves_of(void)
{
    kifu_timeline *early = adding_game(16), *late = adding_game(30);
    two_saves two = {.early = save_of(early, NULL), .late = save_of(late, NULL)};
    const frames frames = frames_of(&two.early);
    const records records = first_records(&frames);
    const record hash = records.all[find_record(&records, RECORD_HASH)];
    two.frames = frames_of(&two.late);
    two.commit = find_frame(&two.frames, FRAME_COMMIT);
    two.records = first_records(&two.frames);
    record *events = &two.records.all[0];
    ck_assert(events->kind == RECORD_EVENTS && events->body[1] == 2);
    events->body = one_segment;
    insert_record(&two.records, 1, RECORD_HASH, hash.body, hash.size);
    insert_record(&two.records, 2, RECORD_EVENTS, one_segment, sizeof one_segment);
    kifu_destroy(early);
    kifu_destroy(late);
    return two;
}

static void expect_calls_of(two_saves *two, unsigned long fast_calls, unsigned long slow_calls, int64_t total)
{
    save whole = save_of_records(&two->frames, two->commit, &two->records);
    expect_calls(&whole, true, fast_calls, total);
    expect_calls(&whole, false, slow_calls, total);
    free_save(&whole);
}

START_TEST(S03_the_newest_snapshot_on_the_branch_is_taken)
{
    two_saves two = two_saves_of();
    expect_calls_of(&two, 0, 30, 465);
    const int end = two.records.count - 1;
    ck_assert_uint_eq(two.records.all[end - 1].kind, RECORD_HASH); // the state of all

    // Back to 16 events: the newer snapshot is not of the branch that is executed.
    static const unsigned char back[] = {0, 16}, further[] = {0, 15};
    insert_record(&two.records, end, RECORD_STAND, back, sizeof back);
    expect_calls_of(&two, 0, 16, 136);
    // Further back than any.
    two.records.all[end].body = further;
    expect_calls_of(&two, 15, 15, 120);

    remove_record(&two.records, end);
    remove_record(&two.records, end - 1);
    expect_calls_of(&two, 14, 30, 465);
    free_save(&two.early);
    free_save(&two.late);
}
END_TEST

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
        ck_assert_uint_eq(all[i]->log.branch->checkpoint_count, 2 + 15); // 1 and 2, and each fourth
        ck_assert_uint_eq(all[i]->log.branch->checkpoints[16].event_count, 60);
        ck_assert_uint_eq(all[i]->log.branch->checkpoints[16].hash, lab->log.branch->checkpoints[16].hash);
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

static kifu_timeline *load_changed(const kifu_rules *rules, const save *save, kifu_difference *changed)
{
    const kifu_load_options options = {.changed = changed, .codec = &run_codec};
    kifu_timeline *timeline;
    kifu_error error;
    memset(changed, 1, sizeof *changed);
    ck_assert_msg(kifu_load_from_memory(rules, save->bytes, save->size, NULL, &options, &timeline, &error) == KIFU_OK,
                  "%s", error.message);
    return timeline;
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
    ck_assert_uint_eq(lab->log.branch->checkpoint_count, sizeof places / sizeof *places);
    for (uint32_t i = 0; i < lab->log.branch->checkpoint_count; i++)
        ck_assert_uint_eq(lab->log.branch->checkpoints[i].event_count, places[i]);
    while (kifu_can_undo(lab, NULL))
        lab_must(lab, kifu_undo(lab));
    while (kifu_can_redo(lab, NULL))
        lab_must(lab, kifu_redo(lab));
    ck_assert_uint_eq(lab->log.branch->checkpoint_count, sizeof places / sizeof *places);
    for (int i = 0; i < 297; i++)
        lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
    ck_assert_uint_eq(lab->log.branch->checkpoint_count, 3);
    ck_assert_uint_eq(lab->log.branch->checkpoints[2].hash, kifu_state_hash(lab));
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
    ck_assert_uint_eq(timeline->log.branch->checkpoint_count, 8); // 1, 2, 4, 8, 16, 24, 32, 40
    ck_assert_uint_eq(timeline->log.branch->checkpoints[4].hash, lab->log.branch->checkpoints[4].hash);
    ck_assert_uint_ne(timeline->log.branch->checkpoints[5].hash, lab->log.branch->checkpoints[5].hash);
    kifu_destroy(timeline);
    free_save(&save);
    kifu_destroy(lab);
}
END_TEST

// --- Hashes along the log --------------------------------------------------------------------------------------------

// A record of these hashes. The caller's.
static unsigned char *hashes_record(const kifu__checkpoint *all, uint32_t count, uint32_t *size)
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

static save save_with_hashes(const save *save, const kifu__checkpoint *all, uint32_t count)
{
    uint32_t size;
    unsigned char *body = hashes_record(all, count, &size);
    struct save changed = save_with_body(save, RECORD_HASHES, body, size);
    free(body);
    return changed;
}

static void expect_checkpoints(kifu_timeline *lab, uint32_t first, uint32_t second, kifu_result expected)
{
    kifu__checkpoint changed[2] = {{.event_count = first}, {.event_count = second}};
    for (int i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < lab->log.branch->checkpoint_count; k++) {
            if (lab->log.branch->checkpoints[k].event_count == changed[i].event_count)
                changed[i].hash = lab->log.branch->checkpoints[k].hash;
        }
    }
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
        const kifu__checkpoint last = {.event_count = 16, .hash = kifu_state_hash(lab) ^ wrong};
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
    for (int way = 0; way < 2; way++) {
        kifu_timeline *loaded = load_with(&original, way ? &fast : NULL);
        ck_assert_uint_eq(loaded->log.branch->checkpoint_count, 6); // 1, 2, 4, 6, 8, 10
        for (uint32_t i = 0; i < 6; i++) {
            ck_assert_uint_eq(loaded->log.branch->checkpoints[i].event_count,
                              lab->log.branch->checkpoints[i].event_count);
            ck_assert_uint_eq(loaded->log.branch->checkpoints[i].hash, lab->log.branch->checkpoints[i].hash);
        }
        lab_submit_p_add(loaded, 0, 1); // ends redo
        lab_must(loaded, kifu_run(loaded));
        ck_assert_uint_eq(loaded->log.branch->checkpoint_count, 3);
        kifu_destroy(loaded);
    }
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
    ck_assert_uint_eq(loaded->log.branch->checkpoint_count, 70000);
    expect_same_long(lab, loaded);
    free_save(&save);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

// --- Snapshots that cannot be ----------------------------------------------------------------------------------------

// A save whose snapshot has `state` instead, and its right hash but for `hash_error`.
static save with_state(kifu_timeline *lab, const void *state, uint32_t size, uint64_t hash_error)
{
    save original = save_of(lab, NULL);
    const uint64_t hash = kifu__hash_state(state, size & ~UINT32_C(7)) ^ hash_error;
    unsigned char *body = malloc(8 + size);
    memcpy(body, &hash, 8);
    memcpy(body + 8, state, size);
    save whole = save_with_body(&original, RECORD_HASH, body, 8 + size);
    free(body);
    free_save(&original);
    return whole;
}

static void expect_result(save *save, kifu_result expected, const char *words)
{
    for (int way = 0; way < 2; way++) {
        kifu_timeline *timeline;
        kifu_error error = {.message = ""};
        kifu_result result =
            kifu_load_from_memory(&lab_rules, save->bytes, save->size, NULL, way ? &fast : NULL, &timeline, &error);
        ck_assert_msg(result == expected, "%s", error.message);
        ck_assert_ptr_null(timeline);
        ck_assert_uint_ne(error.offset, UINT64_MAX);
        ck_assert_msg(strstr(error.message, words) != NULL, "%s", error.message);
    }
    free_save(save);
}

// Another version cannot tell whether the state is right, only whether the schema in the save means it.
START_TEST(F12_a_state_of_another_size_than_the_schema_says_is_not_compared)
{
    kifu_timeline *lab = adding_game(10);
    unsigned char state[sizeof(lab_state)] = {0}; // The total is another.
    kifu_rules next = lab_rules;
    next.rules_version++;
    for (uint32_t less = 0; less <= 8; less += 4) {
        save save = with_state(lab, state, (uint32_t)sizeof state - less, 0);
        kifu_difference changed;
        kifu_destroy(load_changed(&next, &save, &changed));
        ck_assert_str_eq(changed.field, less ? "" : "total");
        free_save(&save);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(S05_a_snapshot_has_the_size_and_the_hash_that_it_must_have)
{
    kifu_timeline *lab = adding_game(10);
    unsigned char state[sizeof(lab_state) + 8] = {0};
    memcpy(state, lab_get_state(lab), sizeof(lab_state));
    uint32_t size = sizeof(lab_state);
    save wrong = with_state(lab, state, size - 8, 0);
    expect_result(&wrong, KIFU_DAMAGED, "state of");
    wrong = with_state(lab, state, size - 1, 0);
    expect_result(&wrong, KIFU_DAMAGED, "state of");
    wrong = with_state(lab, state, size + 8, 0);
    expect_result(&wrong, KIFU_DAMAGED, "state of");
    wrong = with_state(lab, state, size, 1);
    expect_result(&wrong, KIFU_DAMAGED, "do not belong together");
    kifu_destroy(lab);
}
END_TEST

// What the runtime takes for granted of a state is looked at before it begins there. The log tells what is wrong.
START_TEST(S05_a_snapshot_that_no_game_could_make_is_not_taken)
{
    kifu_timeline *lab = adding_game(10);
    for (int change = 0; change < 7; change++) {
        lab_state state = *lab_get_state(lab);
        kifu_game *game = &state.game;
        static const char *const fields[] = {"game.player_count", "game.turn", "game.order[15]",
                                             "game.phase",        "mood",      "game.rng.increment",
                                             "game.player_count"};
        game->player_count = change == 0 ? 17 : change == 6 ? 3 : 0;
        game->turn = change == 1 ? 1 : change == 6 ? 3 : 0;
        game->order[15] = change == 2 ? 16 : 0;
        game->phase = change == 3 ? 3 : 0;
        state.mood = change == 4 ? 1 : 0;
        game->rng.increment = change == 5 ? 2 : 0;
        save hostile = with_state(lab, &state, sizeof state, 0);
        expect_result(&hostile, KIFU_DIVERGED, fields[change]);
    }
    // One that could be, but is not, is believed by the fast way only.
    lab_state state = *lab_get_state(lab);
    state.total += 1;
    save lie = with_state(lab, &state, sizeof state, 0);
    kifu_timeline *loaded = load_with(&lie, &fast);
    ck_assert_int_eq(lab_get_state(loaded)->total, 56);
    kifu_destroy(loaded);
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, lie.bytes, lie.size, NULL, NULL, &loaded, &error),
                     KIFU_DIVERGED);
    ck_assert_ptr_nonnull(strstr(error.message, "total was 56 and is now 55"));
    free_save(&lie);
    kifu_destroy(lab);
}
END_TEST

// In every game the state begins with zeros.
START_TEST(S05_a_game_that_had_another_beginning_is_refused)
{
    kifu_timeline *lab = lab_new(NULL), *timeline;
    const lab_state state = {.total = 3};
    save lie = with_state(lab, &state, sizeof state, 0);
    for (int way = 0; way < 2; way++) {
        kifu_error error;
        ck_assert_int_eq(
            kifu_load_from_memory(&lab_rules, lie.bytes, lie.size, NULL, way ? &fast : NULL, &timeline, &error),
            KIFU_DIVERGED);
        ck_assert_ptr_nonnull(strstr(
            error.message, "the game now begins with another state than in the save: total was 3 and is now 0."));
        ck_assert_uint_eq(error.event, KIFU_NONE);
    }
    free_save(&lie);
    kifu_destroy(lab);
}
END_TEST

// Bytes that no field has are in the hash, too.
START_TEST(S05_a_state_that_differs_in_no_field_is_refused)
{
    kifu_timeline *lab = adding_game(10), *timeline;
    lab_state state = *lab_get_state(lab);
    state.padding_[0] = 1;
    save lie = with_state(lab, &state, sizeof state, 0);
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, lie.bytes, lie.size, NULL, NULL, &timeline, &error),
                     KIFU_DIVERGED);
    ck_assert_ptr_nonnull(strstr(error.message, "padding at byte 242 was 0x01 and is now 0x00."));
    free_save(&lie);
    kifu_destroy(lab);
}
END_TEST

// Of several snapshots of the same events the one that has a state names the field, wherever it is among them.
START_TEST(S05_the_snapshot_with_a_state_names_the_field)
{
    kifu_timeline *lab = adding_game(10), *timeline;
    lab_state state = *lab_get_state(lab);
    state.total++;
    save lie = with_state(lab, &state, sizeof state, 0);
    const uint64_t bare = kifu__hash_state((const unsigned char *)&state, sizeof state);
    // A later snapshot with a state, which is right, does not take its place.
    save truth = with_state(lab, lab_get_state(lab), sizeof state, 0);
    frames frames = frames_of(&lie), right = frames_of(&truth);
    const records right_records = first_records(&right);
    const record *other = &right_records.all[find_record(&right_records, RECORD_HASH)];
    for (int way = 0; way < 3; way++) {
        records records = first_records(&frames);
        const int at = find_record(&records, RECORD_HASH);
        if (way < 2)
            insert_record(&records, at + way, RECORD_HASH, (const unsigned char *)&bare, sizeof bare);
        else
            insert_record(&records, at + 1, RECORD_HASH, other->body, other->size);
        save whole = save_of_records(&frames, find_frame(&frames, FRAME_COMMIT), &records);
        kifu_error error;
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, whole.bytes, whole.size, NULL, NULL, &timeline, &error),
                         KIFU_DIVERGED);
        ck_assert_ptr_nonnull(strstr(error.message, "total was 56 and is now 55."));
        free_save(&whole);
    }
    free_save(&truth);
    free_save(&lie);
    kifu_destroy(lab);
}
END_TEST

// Whoever writes a save with right checksums, right hashes and wrong contents gets a reason, or a game; never a crash.
START_TEST(S05_hostile_snapshots_do_no_harm)
{
    const kifu_options options = {.hash_interval = 3};
    kifu_timeline *lab = waiting_game(&options);
    uint32_t seed = (uint32_t)fuzz_seed() * 104729;
    unsigned long steps = fuzz_steps(2000), loaded_count = 0;
    for (unsigned long i = 0; i < steps; i++) {
        lab_state state = *lab_get_state(lab);
        unsigned char *bytes = (unsigned char *)&state;
        int changes = 1 + (int)(next_random(&seed) % 4);
        for (int change = 0; change < changes; change++) {
            static const unsigned char values[] = {0, 1, 2, 4, 0x7F, 0x80, 0xFE, 0xFF};
            // The length of the trace is an index that the game's own Do trusts.
            size_t at = next_random(&seed) % sizeof state;
            if (at != offsetof(lab_state, length))
                bytes[at] = next_random(&seed) % 2 ? values[next_random(&seed) % 8] : (unsigned char)next_random(&seed);
        }
        save hostile = with_state(lab, &state, sizeof state, 0);
        kifu_timeline *timeline;
        kifu_error error = {.message = ""};
        kifu_result result =
            kifu_load_from_memory(&lab_rules, hostile.bytes, hostile.size, NULL, &fast, &timeline, &error);
        if (result == KIFU_OK) {
            loaded_count++;
            for (int step = 0; step < 8; step++)
                random_lab_step(timeline, next_random(&seed));
            (void)!kifu_seek(timeline, kifu_event_count(timeline) / 2);
            (void)!kifu_verify_replay(timeline, NULL);
            unsigned char *again;
            size_t size; // The way from the snapshot to the present may not be one that can be gone.
            if (kifu_save_to_memory(timeline, NULL, &again, &size) == KIFU_OK)
                kifu_free_bytes(timeline, again);
            kifu_destroy(timeline);
        } else {
            ck_assert_int_eq(result, KIFU_DIVERGED);
            ck_assert_uint_gt(strlen(error.message), 20);
        }
        free_save(&hostile);
    }
    ck_assert_uint_gt(loaded_count, 0);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_both_ways_to_load_end_in_the_same,
        S03_both_ways_to_load_a_long_game,
        S03_a_game_loaded_in_either_way_goes_on_as_the_saved_one,
        S03_the_fast_way_executes_nothing_until_undo_needs_it,
        S03_the_fast_way_begins_at_a_full_table_too,
        F11_the_fast_way_needs_the_same_layout_of_the_state_and_the_same_rules,
        G03_the_fast_way_needs_enums_whose_numbers_have_the_same_names,
        U12_a_model_outside_the_state_is_never_in_a_snapshot,
        S03_the_newest_snapshot_on_the_branch_is_taken,
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
        F12_a_state_of_another_size_than_the_schema_says_is_not_compared,
        S05_a_snapshot_has_the_size_and_the_hash_that_it_must_have,
        S05_a_snapshot_that_no_game_could_make_is_not_taken,
        S05_a_game_that_had_another_beginning_is_refused,
        S05_a_state_that_differs_in_no_field_is_refused,
        S05_the_snapshot_with_a_state_names_the_field,
        S05_hostile_snapshots_do_no_harm,
    };
    return run_suite("restore", tests, sizeof tests / sizeof *tests);
}
