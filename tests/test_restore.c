// From a save to its state: by replay, or from the save's snapshot.

#include "restore_help.h"

// --- Both ways -------------------------------------------------------------------------------------------------------

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

// --- Snapshots that cannot be ----------------------------------------------------------------------------------------

// A save whose snapshot has `state` instead, and its right hash but for `hash_error`.
static save with_state(kifu_timeline *lab, const void *state, uint32_t size, uint64_t hash_error)
{
    save original = save_of(lab, NULL);
    const uint64_t hash = hash_of_state(state, size & ~UINT32_C(7)) ^ hash_error;
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
    const uint64_t bare = hash_of_state(&state, sizeof state);
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
