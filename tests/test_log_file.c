// Log files: what has happened is in the file as soon as it was appended.

#include "log_file_help.h"
#include "suite.h"

// --- What is in the file ---------------------------------------------------------------------------------------------

START_TEST(S03_what_was_appended_is_there_after_a_kill)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    expect_in_file(lab, path);
    lab_must(lab, lab_play(lab, "+(+)"));
    append(lab, path);
    lab_do(lab, 0, "+(2(3))(4)", 1);
    append(lab, path); // it waits
    lab_must(lab, kifu_step(lab));
    append(lab, path); // with two consequences that wait
    lab_must(lab, kifu_run(lab));
    append(lab, path);
    lab_must(lab, kifu_undo(lab));
    append(lab, path);
    lab_must(lab, kifu_undo(lab));
    append(lab, path);
    lab_must(lab, kifu_redo(lab));
    append(lab, path); // one undo is left to be redone
    lab_must(lab, kifu_redo(lab));
    append(lab, path);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    append(lab, path); // another end
    lab_do(lab, 1, "5(6)", 1);
    lab_submit_p_add(lab, 1, 2);
    lab_must(lab, kifu_step(lab));
    append(lab, path);
    lab_must(lab, kifu_undo(lab)); // with what waits
    append(lab, path);
    lab_must(lab, kifu_redo(lab));
    append(lab, path);
    kifu_destroy(lab); // as a killed process leaves it

    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "kifu_load_options.recover"));
    ck_assert_ptr_null(loaded);
    kifu_recovery recovery;
    loaded = recover(path, &recovery);
    ck_assert_int_eq(recovery.why.result, KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(recovery.why.message, "was not closed"));
    ck_assert_uint_eq(kifu_pending_count(loaded), 2);
    kifu_destroy(loaded);
    remove_folder(folder);
}
END_TEST

// clang's UBSan stops where something is added to NULL.
START_TEST(F94_what_waits_before_the_first_event_is_appended)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_uint_eq(count_hashes(lab), 0);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_do(lab, 0, "+", 1);
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S03_a_closed_log_file_is_a_plain_save)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu"), *other = in_folder(folder, "b.kifu");
    static const char *const players[] = {"Ann", "Bob"};
    const kifu_save_options options = {.title = "Round 3", .players = players, .player_count = 2};
    kifu_timeline *lab = waiting_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, &options));
    lab_must(lab, lab_play(lab, "+(-)"));
    lab_must(lab, kifu_log_append(lab));
    lab_must(lab, kifu_log_close(lab, NULL));
    lab_must(lab, kifu_save(lab, other, &options));
    size_t size, expected_size;
    unsigned char *bytes = read_bytes(path, &size), *expected = read_bytes(other, &expected_size);
    ck_assert_uint_eq(size, expected_size);
    memset(bytes + 0x40, 0, 64); // the header's table: `saved_at`, by the clock
    memset(expected + 0x40, 0, 64);
    memset(bytes + 20, 0, 4); // and its checksum
    memset(expected + 20, 0, 4);
    ck_assert_mem_eq(bytes, expected, size);
    free(bytes);
    free(expected);
    kifu_timeline *loaded;
    kifu_recovery recovery = {.dropped = 1};
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, NULL), KIFU_OK);
    expect_same(lab, loaded);
    kifu_destroy(loaded);
    loaded = recover(path, &recovery);
    ck_assert_int_eq(recovery.why.result, KIFU_OK);
    ck_assert_uint_eq(recovery.dropped, 0);
    kifu_destroy(loaded);
    ck_assert_int_eq(count_files(folder), 2);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

typedef struct seen {
    char title[50];
    uint32_t events;
    int count;
} seen;

static bool see(void *context, const kifu_save_info *info)
{
    seen *seen = context;
    ck_assert_ptr_null(info->error);
    snprintf(seen->title, sizeof seen->title, "%s", info->title ? info->title : "");
    seen->events = info->event_count;
    seen->count++;
    return true;
}

START_TEST(S07_a_log_file_is_listed_and_may_be_named_by_the_time)
{
    char *folder = new_folder();
    kifu_timeline *lab = lab_new(NULL);
    char title[] = "Ann";
    seen seen = {.count = 0};
    lab_must(lab, kifu_log_open(lab, folder, &(kifu_save_options){.title = title}));
    strcpy(title, "---"); // it was copied
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab));
    ck_assert_int_eq(kifu_list_saves(folder, see, &seen, NULL, NULL), KIFU_OK);
    ck_assert_int_eq(seen.count, 1);
    ck_assert_str_eq(seen.title, "Ann");
    ck_assert_uint_eq(seen.events, 0);
    lab_must(lab, kifu_log_close(lab, &(kifu_save_options){.title = "Bob"}));
    ck_assert_int_eq(kifu_list_saves(folder, see, &seen, NULL, NULL), KIFU_OK);
    ck_assert_int_eq(seen.count, 2);
    ck_assert_str_eq(seen.title, "Bob");
    ck_assert_uint_eq(seen.events, 1);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S03_what_waits_is_appended_when_only_its_flags_change)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    kifu_ticket ticket = lab_do(lab, 0, "+", 1);
    append(lab, path);
    size_t size = size_of(path);
    append(lab, path);
    ck_assert_uint_eq(size_of(path), size); // it waits as before
    lab_must(lab, kifu_override(lab, ticket, false, false));
    append(lab, path);
    ck_assert_uint_gt(size_of(path), size);
    lab_submit_e_mood(lab, 3); // breaks its schema, so no save has it
    append(lab, path);
    lab_must(lab, kifu_step(lab));
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// An event that submits its like: what waits has the same bytes after each step, for it says by how many events its
// cause lies back.
// It is none of those that the file has, whether it waits in front of the others or behind.
START_TEST(S03_what_waits_and_breaks_its_schema_is_not_counted)
{
    static const uint8_t moods[][3] = {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {3, 0, 3}, {3, 3, 3}};
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    for (size_t i = 0; i < sizeof moods / sizeof *moods; i++) {
        kifu_timeline *lab = lab_started(NULL);
        lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.overwrite = true}));
        for (int k = 0; k < 3; k++) {
            lab_submit_e_mood(lab, moods[i][k]);
            append(lab, path);
            const size_t size = size_of(path);
            append(lab, path);
            ck_assert_uint_eq(size_of(path), size);
        }
        for (int k = 0; k < 4; k++) {
            (void)!kifu_step(lab);
            append(lab, path);
        }
        kifu_destroy(lab);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(S03_what_waits_has_its_own_cause)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_do(lab, 0, "l", 1);
    for (uint32_t events = 1; events < 5; events++) {
        kifu_event waits;
        lab_must(lab, kifu_step(lab));
        append(lab, path);
        kifu_timeline *found = recover(path, NULL);
        ck_assert(kifu_pending_at(found, 0, &waits));
        ck_assert_uint_eq(waits.cause, events - 1);
        kifu_destroy(found);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Between two appends the game goes somewhere else and comes back to where it seems to have been.
START_TEST(S03_redo_has_what_it_had_though_it_looks_the_same)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "1"));
    lab_must(lab, lab_play(lab, "2"));
    lab_must(lab, kifu_undo(lab));
    append(lab, path);
    lab_must(lab, kifu_redo(lab));
    lab_submit_p_add(lab, 0, 5);
    lab_must(lab, kifu_undo(lab)); // now with something that waited
    append(lab, path);
    lab_must(lab, kifu_begin(lab, 0));
    lab_must(lab, lab_play(lab, "3"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_commit(lab)); // another event can be redone
    append(lab, path);
    lab_must(lab, lab_play(lab, "4"));
    lab_must(lab, kifu_undo(lab));
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

static bool all_fails;

static kifu_result fail_or_do(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                              void *transient)
{
    return all_fails ? kifu_fail(timeline, "so it is") : lab_rules.do_event(timeline, type, state, event, transient);
}

static kifu_result fail_or_replay(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                  uint32_t *done)
{
    *done = 0;
    return all_fails ? KIFU_FAILED : lab_rules.replay(timeline, run, state, transient, done);
}

static bool fails_from_reset; // All fails once the game is executed from its beginning.

static void forget(void *context)
{
    (void)context;
    all_fails |= fails_from_reset;
}

// Then less is executed than before, and nothing was undone.
START_TEST(S03_a_log_that_cannot_be_executed_again_is_in_the_file_as_far_as_it_can)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_rules rules = lab_rules;
    rules.do_event = fail_or_do;
    rules.replay = fail_or_replay;
    kifu_timeline *lab;
    ck_assert_int_eq(kifu_create(&rules, &(kifu_options){.reset = forget}, &lab, NULL), KIFU_OK);
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    all_fails = true;
    ck_assert_int_eq(kifu_redo(lab), KIFU_FAILED);
    all_fails = false;
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    append(lab, path);
    lab_must(lab, kifu_redo(lab));
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// The append is in the file, but the past that was shown cannot be shown any more.
START_TEST(S03_an_append_that_cannot_go_back_to_the_past_says_so)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_rules rules = lab_rules;
    rules.do_event = fail_or_do;
    rules.replay = fail_or_replay;
    kifu_timeline *lab;
    ck_assert_int_eq(kifu_create(&rules, &(kifu_options){.reset = forget}, &lab, NULL), KIFU_OK);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_seek(lab, 1));
    fails_from_reset = true;
    ck_assert_int_eq(kifu_log_append(lab), KIFU_FAILED);
    fails_from_reset = all_fails = false;
    lab_must(lab, kifu_seek(lab, KIFU_PRESENT));
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Events of earlier rules stay what they were, also where they are appended once more.
START_TEST(S03_events_of_earlier_rules_keep_their_version)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = NULL;
    kifu_event event;
    const kifu_load_options recovering = {.recover = kifu_recover};
    for (uint32_t version = 0; version < 4; version++) {
        kifu_rules rules = lab_rules;
        rules.rules_version = version / 2;
        kifu_error error = {.message = ""};
        if (version)
            ck_assert_msg(!kifu_load(&rules, path, NULL, &recovering, &lab, &error), "%s", error.message);
        else
            ck_assert_int_eq(kifu_create(&rules, NULL, &lab, NULL), KIFU_OK);
        lab_must(lab, kifu_log_open(lab, path, NULL));
        for (int i = 0; i < 3; i++) {
            lab_must(lab, lab_play(lab, "+"));
            lab_must(lab, kifu_log_append(lab));
        }
        kifu_destroy(lab);
    }
    lab = recover(path, NULL);
    for (uint32_t i = 0; i < 12; i++) {
        ck_assert(kifu_event_at(lab, i, &event));
        ck_assert_uint_eq(event.rules_version, i / 6);
    }
    for (int i = 0; i < 8; i++)
        lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 8; i++) {
        lab_must(lab, kifu_redo(lab));
        append(lab, path);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// A search for a move goes away and comes back.
START_TEST(nothing_is_new_after_a_search)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 4; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int undone = 0; undone < 3; undone++) {
        size_t size = size_of(path);
        lab_must(lab, kifu_begin(lab, KIFU_SEARCH));
        lab_must(lab, lab_play(lab, "-"));
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_begin(lab, KIFU_SEARCH));
        lab_must(lab, lab_play(lab, "2"));
        lab_must(lab, kifu_roll_back(lab));
        lab_must(lab, kifu_roll_back(lab));
        append(lab, path);
        ck_assert_uint_eq(size_of(path), size);
        lab_must(lab, kifu_undo(lab));
        append(lab, path);
    }
    lab_must(lab, kifu_begin(lab, 0));
    lab_must(lab, lab_play(lab, "3"));
    lab_must(lab, kifu_commit(lab));
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Each redo appends what is left to be redone once more.
START_TEST(a_way_back_and_forth_does_not_grow_without_end)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    enum { MOVES = 900 };
    for (int i = 1; i <= MOVES; i++) {
        lab_submit_p_add(lab, 0, i);
        lab_must(lab, kifu_run(lab));
    }
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < MOVES; i++) {
            lab_must(lab, way ? kifu_redo(lab) : kifu_undo(lab));
            lab_must(lab, kifu_log_append(lab));
        }
    }
    ck_assert_uint_lt(size_of(path), 18 << 20);
    kifu_timeline *found = recover(path, NULL);
    ck_assert_uint_eq(kifu_event_count(found), MOVES);
    ck_assert_mem_eq(kifu_state(found), kifu_state(lab), sizeof(lab_state));
    kifu_destroy(found);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(an_append_is_small)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 100; i++) { // in segments of any size
        size_t before = size_of(path);
        lab_submit_p_add(lab, 0, i + 1);
        lab_must(lab, kifu_run(lab));
        lab_must(lab, kifu_log_append(lab));
        ck_assert_uint_le(size_of(path) - before, 352);
        before = size_of(path);
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_log_append(lab));
        ck_assert_uint_le(size_of(path) - before, 128);
        lab_must(lab, kifu_redo(lab));
        lab_must(lab, kifu_log_append(lab));
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// To be told of it, the first undo has room since the file was opened.
START_TEST(S03_after_an_undo_with_little_memory_the_file_goes_on)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    bool failed = true;
    for (long at = 0; failed; at++) {
        test_memory memory = {.until_failure = -1, .for_ever = true};
        kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
        lab_must(lab, kifu_log_open(lab, path, NULL));
        for (int i = 0; i < 10; i++) {
            lab_submit_p_add(lab, 0, i + 1);
            lab_must(lab, kifu_run(lab));
            lab_must(lab, kifu_log_append(lab));
        }
        size_t before, after;
        unsigned char *const old = read_bytes(path, &before);
        lab_submit_p_add(lab, 0, 1); // What waits is kept where it waited.
        memory.until_failure = at;
        const kifu_result result = kifu_undo(lab);
        failed = memory.failed;
        memory.until_failure = -1;
        memory.failed = false;
        ck_assert(!result || (failed && result == KIFU_NO_MEMORY));
        lab_must(lab, kifu_log_append(lab));
        unsigned char *const now = read_bytes(path, &after);
        ck_assert(after >= before && !memcmp(now, old, before));
        free(old);
        free(now);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
    remove_folder(folder);
}
END_TEST

// --- By chance -------------------------------------------------------------------------------------------------------

// Returns false where there is to be no append.
static void random_step(kifu_timeline *lab, uint32_t choice)
{
    uint32_t kind = (choice >> 4) % 16;
    bool open = kifu_open_transactions(lab) > 0;
    if (kind == 0)
        (void)!kifu_begin(lab, 0);
    else if (kind == 1)
        (void)!kifu_begin(lab, KIFU_SEARCH);
    else if (kind == 2 && !open)
        (void)!kifu_seek(lab, choice % (kifu_event_count(lab) + 1));
    else if (kind < 5 && open)
        (void)!kifu_commit(lab);
    else if (kind < 7 && open)
        lab_must(lab, kifu_roll_back(lab));
    else {
        if (choice & 1)
            (void)!kifu_seek(lab, KIFU_PRESENT);
        random_lab_step(lab, choice >> 3);
    }
}

START_TEST(S03_random_games_are_in_the_file)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    unsigned long steps = fuzz_steps(3000);
    unsigned appended = 0;
    for (uint32_t number = (uint32_t)fuzz_seed(); steps; number++) {
        uint32_t seed = number;
        const kifu_options options = {.max_consequences = 20, .hash_interval = 1 + number % 9};
        kifu_timeline *lab = lab_new(&options);
        for (int i = 0; i < 3; i++)
            random_lab_step(lab, next_random(&seed));
        lab_must(lab, kifu_log_open(lab, path, NULL));
        const uint32_t rate = 1 + number % 8;
        for (int step = 0; step < 200 && steps; step++, steps--) {
            random_step(lab, next_random(&seed));
            if (next_random(&seed) % 8 >= rate)
                continue;
            uint32_t shown = kifu_position(lab);
            lab_must(lab, kifu_log_append(lab));
            ck_assert_uint_eq(kifu_position(lab), shown);
            if (kifu_open_transactions(lab))
                continue;
            expect_in_file(lab, path);
            appended++;
            if (next_random(&seed) % 30 == 0) { // killed; the game goes on from the file
                kifu_destroy(lab);
                lab = recover(path, NULL);
                lab_must(lab, kifu_log_open(lab, path, NULL));
                expect_in_file(lab, path);
            }
        }
        while (kifu_open_transactions(lab))
            lab_must(lab, kifu_roll_back(lab));
        append(lab, path);
        lab_must(lab, kifu_log_close(lab, NULL));
        kifu_timeline *loaded;
        ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, NULL), KIFU_OK);
        kifu_destroy(loaded);
        kifu_destroy(lab);
    }
    ck_assert_uint_gt(appended, 100);
    remove_folder(folder);
}
END_TEST

static bool count_events(void *count, const kifu_save_info *info)
{
    *(uint32_t *)count = info->event_count;
    return true;
}

START_TEST(S04_a_file_that_was_removed_or_emptied_is_written_anew)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+"));
    unlink(path);
    append(lab, path);
    uint32_t count = 0;
    ck_assert_int_eq(kifu_read_save_info(path, count_events, &count, NULL, NULL), KIFU_OK);
    ck_assert_uint_eq(count, kifu_event_count(lab));
    save_over_open(lab, path); // by the game itself
    lab_must(lab, lab_play(lab, "+(+)"));
    lab_must(lab, kifu_seek(lab, 2));
    append(lab, path);
    lab_must(lab, kifu_seek(lab, KIFU_PRESENT));
    lab_must(lab, lab_play(lab, "3"));
    append(lab, path);
    ck_assert_int_eq(truncate(path, 0), 0); // in place
    lab_must(lab, lab_play(lab, "4"));
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// By another save of its name, by one that was copied into it, by one that is shorter.
START_TEST(F82_a_file_that_was_replaced_is_not_overwritten)
{
    for (int way = 0; way < 6; way++) {
        char *folder = new_folder();
        const char *path = in_folder(folder, "a.kifu"), *aside = in_folder(folder, "theirs");
        kifu_timeline *lab = rich_game(NULL), *other = lab_new(NULL);
        lab_must(lab, kifu_log_open(lab, path, NULL));
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_log_append(lab));
        if (way % 3 == 0) {
            if (!save_over_open(other, path)) {
                ck_assert_int_eq(rename(path, in_folder(folder, "moved")), 0);
                lab_must(other, kifu_save(other, path, NULL));
            }
        } else if (way % 3 == 1)
            write_bytes(path, "another", 7);
        else
            ck_assert_int_eq(truncate(path, (off_t)size_of(path) - 1), 0);
        size_t size, later;
        unsigned char *bytes = read_bytes(path, &size);
        lab_must(lab, lab_play(lab, "-"));
        ck_assert_int_eq(way < 3 ? kifu_log_append(lab) : kifu_log_close(lab, NULL), KIFU_CHANGED);
        must_say(lab, path);
        must_say(lab, "move it away");
        ck_assert_int_eq(kifu_save(lab, path, NULL), KIFU_CHANGED);
        must_say(lab, "kifu_save_options.overwrite");
        unsigned char *now = read_bytes(path, &later);
        ck_assert_uint_eq(later, size);
        ck_assert_mem_eq(now, bytes, size);
        free(now);
        free(bytes);
        ck_assert_int_eq(rename(path, aside), 0); // as the message says
        append(lab, path);
        lab_must(lab, kifu_log_close(lab, NULL));
        kifu_destroy(other);
        kifu_destroy(lab);
        remove_folder(folder);
    }
}
END_TEST

START_TEST(S03_a_log_file_of_a_game_that_another_one_has_replaced_is_written_anew)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL), *other = lab_new(NULL), *loaded;
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab));
    kifu_destroy(lab);
    const kifu_load_options options = {.recover = kifu_recover};
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, &options, &loaded, NULL), KIFU_OK);
    lab_must(other, lab_play(other, "-"));
    kifu_changes changes;
    lab_must(other, kifu_changes_since(other, NULL, &changes));
    lab_must(loaded, kifu_apply_changes(loaded, changes.bytes, changes.size));
    kifu_free_bytes(other, changes.bytes);
    lab_must(loaded, kifu_log_open(loaded, path, NULL));
    lab_must(loaded, kifu_log_close(loaded, NULL));
    kifu_destroy(loaded);
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, NULL), KIFU_OK);
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(other));
    kifu_destroy(loaded), kifu_destroy(other);
    remove_folder(folder);
}
END_TEST

START_TEST(F82_what_cannot_be_read_is_not_appended_to)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu"), *aside = in_folder(folder, "aside");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    ck_assert_int_eq(rename(path, aside), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    lab_must(lab, lab_play(lab, "+"));
    ck_assert_int_eq(kifu_log_append(lab), KIFU_IO);
    must_say(lab, path);
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(rename(aside, path), 0);
    append(lab, path);
    lab_must(lab, kifu_log_close(lab, NULL));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S04_a_relative_path_means_one_file)
{
    char *folder = new_folder(), here[4096];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(chdir(folder), 0);
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, "a.kifu", NULL));
    ck_assert_int_eq(chdir(here), 0);
    lab_must(lab, lab_play(lab, "+"));
    append(lab, in_folder(folder, "a.kifu"));
    lab_must(lab, kifu_log_close(lab, NULL));
    ck_assert_int_eq(count_files(folder), 1);
    ck_assert(!(access("a.kifu", F_OK) == 0));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// --- Where something else is going on --------------------------------------------------------------------------------

START_TEST(P05_a_transaction_is_appended_when_it_has_ended)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    size_t size = size_of(path);
    for (int commit = 0; commit < 2; commit++) {
        kifu_timeline *before = recover(path, NULL);
        lab_must(lab, kifu_begin(lab, 0));
        lab_must(lab, lab_play(lab, "+(-)"));
        lab_must(lab, lab_play(lab, "+"));
        ck_assert_int_eq(kifu_log_open(lab, path, NULL), KIFU_MISUSE);
        ck_assert_int_eq(kifu_log_close(lab, NULL), KIFU_MISUSE);
        must_say(lab, "commit or roll back first");
        lab_must(lab, kifu_log_append(lab));
        ck_assert_uint_eq(size_of(path), size);
        lab_must(lab, commit ? kifu_commit(lab) : kifu_roll_back(lab));
        append(lab, path);
        if (!commit)
            expect_same(lab, before);
        size = size_of(path);
        kifu_destroy(before);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S03_appending_while_the_past_is_shown_leaves_it_shown)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+(+)"));
    kifu_timeline *present = reload(lab, NULL);
    lab_must(lab, kifu_seek(lab, 1));
    lab_must(lab, kifu_log_append(lab));
    ck_assert_uint_eq(kifu_position(lab), 1);
    size_t size = size_of(path);
    lab_must(lab, kifu_log_append(lab));
    ck_assert_uint_eq(size_of(path), size);
    kifu_timeline *found = recover(path, NULL);
    expect_same(found, present);
    lab_must(lab, kifu_log_close(lab, NULL));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    ck_assert_uint_eq(kifu_position(lab), 1);
    kifu_destroy(found);
    found = recover(path, NULL);
    expect_same(found, present);
    kifu_destroy(found);
    kifu_destroy(present);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

static kifu_result append_in_reaction(void *context, kifu_timeline *timeline, const void *state,
                                      const kifu_event *event)
{
    (void)state;
    (void)event;
    *(kifu_result *)context = kifu_log_append(timeline);
    return KIFU_OK;
}

START_TEST(log_files_ask_for_the_right_moment)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    must_refuse(lab, kifu_log_append(lab));
    must_refuse(lab, kifu_log_close(lab, NULL));
    ck_assert_int_eq(kifu_log_open(lab, "/nowhere/at/all.kifu", NULL), KIFU_IO);
    must_say(lab, ON_WINDOWS ? "\\nowhere\\at\\" : "/nowhere/at/");
    ck_assert_int_eq(kifu_log_open(lab, "", NULL), KIFU_IO);
    lab_must(lab, kifu_begin(lab, 0));
    must_refuse(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, kifu_roll_back(lab));
    ck_assert_int_eq(count_files(folder), 0);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    must_refuse(lab, kifu_log_open(lab, path, NULL));
    kifu_result inside = KIFU_OK;
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = append_in_reaction, .context = &inside}));
    ck_assert_int_eq(lab_play(lab, "+"), KIFU_MISUSE);
    ck_assert_int_eq(inside, KIFU_MISUSE);
    append(lab, path);
    const kifu_codec bare = {.name = "bare"};
    ck_assert_int_eq(kifu_log_close(lab, &(kifu_save_options){.codec = &bare}), KIFU_MISUSE);
    must_say(lab, "set kifu_codec.packing to &kifu_packing");
    append(lab, path);                                      // It is still open.
    kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL); // it has no log file
    must_refuse(fork, kifu_log_append(fork));
    kifu_destroy(fork);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_what_was_appended_is_there_after_a_kill,
        F94_what_waits_before_the_first_event_is_appended,
        S03_a_closed_log_file_is_a_plain_save,
        S07_a_log_file_is_listed_and_may_be_named_by_the_time,
        S03_what_waits_is_appended_when_only_its_flags_change,
        S03_what_waits_and_breaks_its_schema_is_not_counted,
        S03_what_waits_has_its_own_cause,
        S03_redo_has_what_it_had_though_it_looks_the_same,
        S03_a_log_that_cannot_be_executed_again_is_in_the_file_as_far_as_it_can,
        S03_an_append_that_cannot_go_back_to_the_past_says_so,
        S03_events_of_earlier_rules_keep_their_version,
        nothing_is_new_after_a_search,
        a_way_back_and_forth_does_not_grow_without_end,
        an_append_is_small,
        S03_after_an_undo_with_little_memory_the_file_goes_on,
        S03_random_games_are_in_the_file,
        S04_a_file_that_was_removed_or_emptied_is_written_anew,
        F82_a_file_that_was_replaced_is_not_overwritten,
        F82_what_cannot_be_read_is_not_appended_to,
        S03_a_log_file_of_a_game_that_another_one_has_replaced_is_written_anew,
        S04_a_relative_path_means_one_file,
        P05_a_transaction_is_appended_when_it_has_ended,
        S03_appending_while_the_past_is_shown_leaves_it_shown,
        log_files_ask_for_the_right_moment,
    };
    return run_suite("log file", tests, sizeof tests / sizeof *tests);
}
