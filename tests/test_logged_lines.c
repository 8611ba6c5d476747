// Lines and notes in log files: random games, whose files are loaded again and again, beside the games themselves.

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "save_help.h"
#include "suite.h"
#include "tally_tree_help.h"

static char path[64];

static const kifu_options keeping = {
    .keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes, .hash_interval = 3};
static const kifu_options current_only = {.keep_notes = kifu_keep_notes, .hash_interval = 3};

static kifu_timeline *new_tally(const kifu_options *options)
{
    kifu_timeline *timeline;
    kifu_error error;
    snprintf(path, sizeof path, "logged_lines_%d.kifu", (int)getpid());
    ck_assert_msg(!kifu_create(&tally_rules, options, &timeline, &error), "%s", error.message);
    return timeline;
}

static kifu_timeline *load_log(const kifu_options *options, kifu_recovery *recovery)
{
    kifu_timeline *timeline;
    kifu_error error;
    kifu_recovery unread;
    const kifu_load_options ways = {.recover = kifu_recover, .recovery = recovery ? recovery : &unread};
    const kifu_result result = kifu_load(&tally_rules, path, options, &ways, &timeline, &error);
    ck_assert_msg(!result, "%s", error.message);
    return timeline;
}

static void play(kifu_timeline *timeline, int amount, const char *note)
{
    tally_submit_p_add(timeline, 0, amount, note);
    must(timeline, kifu_run(timeline));
}

// --- Random games ----------------------------------------------------------------------------------------------------

static uint32_t any_line(const kifu_timeline *timeline, kifu_rng *rng, kifu_line *line)
{
    must_be(kifu_line_at(timeline, kifu_rng_below(rng, kifu_line_count(timeline)), line));
    return line->id;
}

static void write_note(kifu_timeline *timeline, kifu_rng *rng)
{
    static const char *const keys[] = {KIFU_NOTE_COMMENT, KIFU_NOTE_CLOCK, "other"};
    kifu_line line;
    const uint32_t id = any_line(timeline, rng, &line);
    const uint32_t event = kifu_rng_below(rng, line.from + line.count + 1) - 1;
    char text[12];
    sprintf(text, "%u", (unsigned)kifu_rng_below(rng, 1000));
    must(timeline,
         kifu_set_line_note(timeline, id, event, keys[kifu_rng_below(rng, 3)], kifu_rng_below(rng, 4) ? text : NULL));
}

static void transact(kifu_timeline *timeline, kifu_rng *rng)
{
    must(timeline, kifu_begin(timeline, kifu_rng_below(rng, 3) ? 0 : KIFU_SEARCH));
    for (uint32_t i = kifu_rng_below(rng, 3); i > 0; i--)
        play(timeline, 50 + (int)i, NULL);
    if (kifu_rng_below(rng, 2) || kifu_commit(timeline))
        must(timeline, kifu_roll_back(timeline));
}

static void step(kifu_timeline *timeline, kifu_rng *rng)
{
    const uint32_t what = kifu_rng_below(rng, 26);
    kifu_line line;
    if (what < 8) {
        play(timeline, 1 + (int)kifu_rng_below(rng, 3), kifu_rng_below(rng, 3) ? NULL : "a note");
    } else if (what < 13) {
        (void)kifu_undo(timeline);
    } else if (what < 15) {
        (void)kifu_redo(timeline);
    } else if (what < 18) {
        any_line(timeline, rng, &line);
        (void)kifu_go_to(timeline, line.id, kifu_rng_below(rng, line.from + line.count + 1), false);
    } else if (what == 18) {
        (void)kifu_go_to(timeline, any_line(timeline, rng, &line), KIFU_WHERE_LEFT, false);
    } else if (what == 19) {
        (void)kifu_delete_line(timeline, any_line(timeline, rng, &line));
    } else if (what == 20) {
        must(timeline, kifu_promote_line(timeline, any_line(timeline, rng, &line)));
    } else if (what == 21) {
        transact(timeline, rng);
    } else if (what == 22) { // It waits.
        tally_submit_p_add(timeline, 0, 7, "with a bonus");
    } else {
        write_note(timeline, rng);
    }
}

START_TEST(V09_log_files_lead_to_the_same_tree)
{
    const unsigned long games = fuzz_steps(6000) / 100;
    for (unsigned long i = 0; i < games; i++) {
        kifu_rng rng;
        kifu_rng_seed(&rng, fuzz_seed() * 1000003 + i, 11);
        kifu_timeline *timeline = new_tally(&keeping), *loaded;
        for (uint32_t k = kifu_rng_below(&rng, 2) * 40; k > 0; k--)
            step(timeline, &rng);
        must(timeline, kifu_log_open(timeline, path, NULL));
        for (uint32_t k = 0; k < 60; k++) {
            for (uint32_t more = kifu_rng_below(&rng, 4); more > 0; more--)
                step(timeline, &rng);
            must(timeline, kifu_log_append(timeline));
            if (k % 4)
                continue;
            loaded = load_log(&keeping, NULL);
            expect_same_tree(timeline, loaded);
            kifu_destroy(loaded);
        }
        loaded = load_log(&keeping, NULL);
        expect_same_tree(timeline, loaded);
        expect_same_lines(timeline, loaded);
        kifu_destroy(loaded);
        kifu_destroy(timeline);
        ck_assert_int_eq(remove(path), 0);
    }
}
END_TEST

// --- A small game ----------------------------------------------------------------------------------------------------

enum { MOST_APPENDS = 16 };

// What the file had after each append, and a save of the game as it was then.
typedef struct appended {
    size_t sizes[MOST_APPENDS];
    save saves[MOST_APPENDS];
    uint32_t count;
} appended;

// Step `number` of it; false: it has no more.
static bool small_step(kifu_timeline *timeline, uint32_t number)
{
    switch (number) {
    case 0: // Another line begins,
        must(timeline, kifu_undo(timeline));
        play(timeline, 3, "with a bonus");
        return true;
    case 1: // and a third one from that.
        must(timeline, kifu_set_line_note(timeline, 0, 1, KIFU_NOTE_COMMENT, "better"));
        must(timeline, kifu_set_note(timeline, 1, KIFU_NOTE_COMMENT, "worse"));
        must(timeline, kifu_set_note(timeline, KIFU_BEFORE_FIRST, "event", "A friendly game"));
        play(timeline, 4, NULL);
        must(timeline, kifu_undo(timeline));
        play(timeline, 5, NULL);
        return true;
    case 2: // Only notes, of three lines,
        for (uint32_t line = 0; line < 3; line++)
            must(timeline, kifu_set_line_note(timeline, line, line ? line : 0, KIFU_NOTE_GLYPH, "!?"));
        return true;
    case 3: // only the main line,
        must(timeline, kifu_promote_line(timeline, 2));
        return true;
    case 4: // only another place,
        must(timeline, kifu_go_to(timeline, 0, 1, false));
        return true;
    case 5: // and then two lines fewer.
        must(timeline, kifu_delete_line(timeline, 2));
        must(timeline, kifu_delete_line(timeline, 1));
        must(timeline, kifu_set_note(timeline, 1, KIFU_NOTE_COMMENT, NULL));
        return true;
    case 6:
        play(timeline, 6, NULL);
        must(timeline, kifu_undo(timeline));
        must(timeline, kifu_go_to(timeline, 0, 2, false));
        must(timeline, kifu_set_note(timeline, 1, KIFU_NOTE_COMMENT, "good"));
        tally_submit_p_add(timeline, 0, 7, NULL); // It waits.
        return true;
    case 7: // There, where this line is left.
        must(timeline, kifu_go_to(timeline, 3, KIFU_WHERE_LEFT, false));
        return true;
    case 8:
        play(timeline, 8, "with a bonus");
        must(timeline, kifu_undo(timeline));
        tally_submit_p_add(timeline, 0, 9, NULL);
        must(timeline, kifu_go_to(timeline, 0, 0, false));
        return true;
    default:
        return false;
    }
}

static kifu_timeline *small_game(const kifu_options *options)
{
    kifu_timeline *timeline = new_tally(options);
    play(timeline, 1, NULL);
    play(timeline, 2, NULL);
    must(timeline, kifu_set_note(timeline, 0, KIFU_NOTE_COMMENT, "the first"));
    return timeline;
}

static void note_append(appended *appended, kifu_timeline *timeline)
{
    free(read_bytes(path, &appended->sizes[appended->count]));
    appended->saves[appended->count++] = save_of(timeline, NULL);
}

// The bytes of its log file; the caller's.
static save log_of(appended *appended)
{
    kifu_timeline *timeline = small_game(&keeping);
    save file;
    must(timeline, kifu_log_open(timeline, path, &(kifu_save_options){.without_schema = true}));
    note_append(appended, timeline);
    for (uint32_t i = 0; small_step(timeline, i); i++) {
        must(timeline, kifu_log_append(timeline));
        note_append(appended, timeline);
    }
    file.bytes = read_bytes(path, &file.size);
    kifu_destroy(timeline);
    ck_assert_int_eq(remove(path), 0);
    return file;
}

static void free_saves(appended *appended)
{
    while (appended->count)
        free(appended->saves[--appended->count].bytes);
}

static kifu_timeline *load_bytes(const save *save, size_t size, const kifu_load_options *ways)
{
    kifu_timeline *timeline;
    kifu_error error;
    const kifu_result result =
        kifu_load_from_memory(&tally_rules, save->bytes, size, &keeping, ways, &timeline, &error);
    ck_assert_msg(!result, "%zu bytes: %s", size, error.message);
    return timeline;
}

START_TEST(V09_a_log_file_that_was_cut_off_has_its_last_whole_append)
{
    appended appended = {.count = 0};
    save file = log_of(&appended);
    for (size_t size = appended.sizes[0], last = 0; size <= file.size; size++) {
        while (last + 1 < appended.count && appended.sizes[last + 1] <= size)
            last++;
        kifu_recovery recovery;
        const kifu_load_options ways = {.recover = kifu_recover, .recovery = &recovery, .fast = size % 2};
        kifu_timeline *expected = load_bytes(&appended.saves[last], appended.saves[last].size, NULL);
        kifu_timeline *loaded = load_bytes(&file, size, &ways);
        ck_assert_msg(recovery.dropped == size - appended.sizes[last], "%zu bytes, of append %zu: %llu are dropped",
                      size - appended.sizes[last], last + 1, (unsigned long long)recovery.dropped);
        expect_same_tree(expected, loaded);
        if (size == appended.sizes[last] || size == file.size)
            expect_same_lines(expected, loaded);
        kifu_destroy(loaded);
        kifu_destroy(expected);
    }
    // Before the first one is whole, something is there, or nothing.
    for (size_t size = 0; size < appended.sizes[0]; size++) {
        const kifu_load_options ways = {.recover = kifu_recover};
        kifu_timeline *loaded;
        (void)!kifu_load_from_memory(&tally_rules, file.bytes, size, &keeping, &ways, &loaded, NULL);
        kifu_destroy(loaded);
    }
    free(file.bytes);
    free_saves(&appended);
}
END_TEST

// All that was loaded is read, saved and played on.
static void use_all(kifu_timeline *timeline)
{
    kifu_line line;
    kifu_event event;
    kifu_note note = {0};
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++) {
        for (uint32_t k = line.from; k < line.from + line.count; k++)
            must_be(kifu_line_event(timeline, line.id, k, &event));
    }
    while (kifu_next_note(timeline, &note))
        must_be(note.size == 0 || note.bytes);
    (void)kifu_drop_inputs(timeline);
    tally_submit_p_add(timeline, 0, 1, NULL);
    (void)!kifu_run(timeline);
    unsigned char *bytes = NULL;
    size_t size;
    (void)!kifu_save_to_memory(timeline, NULL, &bytes, &size);
    kifu_free_bytes(timeline, bytes);
    const uint32_t lines = kifu_line_count(timeline); // More may begin.
    for (uint32_t i = 0; i < lines && kifu_line_at(timeline, i, &line);
         i++) { // A line may be refused; the game stays then.
        (void)!kifu_go_to(timeline, line.id, KIFU_WHERE_LEFT, true);
        while (!kifu_redo(timeline)) {
        }
        (void)!kifu_undo(timeline);
        tally_submit_p_add(timeline, 0, 2, NULL);
        (void)!kifu_run(timeline);
        (void)kifu_drop_inputs(timeline);
    }
}

// One to three bytes of a frame change, or one number, and all checksums are right.
START_TEST(V09_changed_log_files_are_refused_or_loaded)
{
    appended appended = {.count = 0};
    save file = log_of(&appended);
    const kifu_load_options ways[] = {{.recover = kifu_recover}, {.recover = kifu_recover, .fast = true}};
    const unsigned long steps = fuzz_steps(20000);
    unsigned long count = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 5);
    save copy = {(unsigned char *)malloc(file.size), file.size};
    for (unsigned long i = 0; i < steps; i++) {
        memcpy(copy.bytes, file.bytes, file.size);
        frames frames = frames_of(&copy);
        for (uint32_t k = kifu_rng_below(&rng, 3) + 1; k > 0; k--) {
            const save_frame *frame = &frames.all[1 + kifu_rng_below(&rng, (uint32_t)frames.count - 1)];
            unsigned char *payload = (unsigned char *)(uintptr_t)frame->payload;
            if (frame->size >= 4 && kifu_rng_below(&rng, 2))
                set32(payload + kifu_rng_below(&rng, frame->size / 4) * 4, kifu_rng_below(&rng, 12));
            else if (frame->size)
                payload[kifu_rng_below(&rng, frame->size)] ^= (unsigned char)(1 << kifu_rng_below(&rng, 8));
        }
        save bad = save_of_frames(&frames);
        memcpy(bad.bytes, file.bytes, FILE_HEAD);
        kifu_timeline *loaded;
        kifu_error error = {.result = KIFU_OK};
        const kifu_options *options = i % 3 ? &keeping : &current_only;
        if (!kifu_load_from_memory(&tally_rules, bad.bytes, bad.size, options, &ways[i % 2], &loaded, &error)) {
            use_all(loaded);
            count++;
        }
        kifu_destroy(loaded);
        free(bad.bytes);
    }
    ck_assert(count > steps / 20 && count < steps);
    free(copy.bytes);
    free(file.bytes);
    free_saves(&appended);
}
END_TEST

// Each allocation of every append fails in turn. The file has what was appended before, and the next append mends it.
START_TEST(V09_an_append_without_memory_is_mended_by_the_next_one)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = keeping;
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    bool failed = true;
    for (long fail_at = 0; failed; fail_at++) {
        kifu_timeline *timeline = small_game(&options), *loaded;
        must(timeline, kifu_log_open(timeline, path, NULL));
        failed = false;
        for (uint32_t i = 0; small_step(timeline, i); i++) {
            kifu_timeline *before = load_log(&keeping, NULL);
            memory.failed = false;
            memory.until_failure = fail_at;
            const kifu_result result = kifu_log_append(timeline);
            memory.until_failure = -1;
            ck_assert(!result || (result == KIFU_NO_MEMORY && memory.failed));
            loaded = load_log(&keeping, NULL);
            expect_same_tree(result ? before : timeline, loaded);
            kifu_destroy(before);
            kifu_destroy(loaded);
            must(timeline, kifu_log_append(timeline));
            loaded = load_log(&keeping, NULL);
            expect_same_tree(timeline, loaded);
            kifu_destroy(loaded);
            failed |= memory.failed;
        }
        kifu_destroy(timeline);
        ck_assert_int_eq(memory.blocks, 0);
        ck_assert_int_eq(remove(path), 0);
    }
}
END_TEST

static bool is_frame(const save *save, uint64_t wanted)
{
    uint64_t offset = FILE_HEAD;
    while (offset < wanted && offset < save->size)
        (void)read_frame(save->bytes, save->size, &offset);
    return offset == wanted;
}

START_TEST(V09_a_load_without_memory_leaves_nothing)
{
    appended appended = {.count = 0};
    save file = log_of(&appended);
    for (uint32_t k = 0; k < 2 * appended.count; k++) {
        const uint32_t i = k / 2;
        test_memory memory = {.failed = true};
        for (long fail_at = 0; memory.failed; fail_at++) {
            memory = (test_memory){.until_failure = fail_at};
            kifu_options options = k % 2 ? current_only : keeping;
            options.allocate = test_allocate;
            options.allocate_context = &memory;
            const kifu_load_options ways = {.recover = kifu_recover};
            kifu_timeline *loaded;
            kifu_error error = {.message = ""};
            const kifu_result result = kifu_load_from_memory(&tally_rules, file.bytes, appended.sizes[i], &options,
                                                             &ways, &loaded, fail_at % 2 ? NULL : &error);
            ck_assert(!result || (result == KIFU_NO_MEMORY && memory.failed));
            if (fail_at % 2 == 0) // In no frame, or in one of the file.
                ck_assert_msg(error.result == result && !strstr(error.message, "memory") == !result &&
                                  (!result || error.offset == UINT64_MAX || is_frame(&file, error.offset)),
                              "%ld: %s", fail_at, error.message);
            if (!result) {
                kifu_timeline *expected = load_bytes(&appended.saves[i], appended.saves[i].size, NULL);
                if (k % 2)
                    expect_same_place(expected, loaded);
                else
                    expect_same_tree(expected, loaded);
                kifu_destroy(expected);
            }
            kifu_destroy(loaded);
            ck_assert_int_eq(memory.blocks, 0);
        }
    }
    free(file.bytes);
    free_saves(&appended);
}
END_TEST

// Nobody can compare what other rules give, and no hash of theirs is kept.
START_TEST(V09_another_version_of_the_rules_reads_the_lines)
{
    appended appended = {.count = 0};
    save file = log_of(&appended);
    kifu_rules later = tally_rules;
    later.rules_version++;
    test_memory memory = {.until_failure = -1};
    kifu_options options = keeping;
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    const kifu_load_options ways = {.recover = kifu_recover};
    kifu_timeline *loaded;
    kifu_line line;
    ck_assert_int_eq(kifu_load_from_memory(&later, file.bytes, file.size, &options, &ways, &loaded, NULL), KIFU_OK);
    ck_assert_uint_gt(kifu_line_count(loaded), 1);
    for (uint32_t i = 0; kifu_line_at(loaded, i, &line); i++)
        must(loaded, kifu_go_to(loaded, line.id, line.from + line.count, true));
    kifu_destroy(loaded);
    ck_assert_int_eq(memory.blocks, 0);
    free(file.bytes);
    free_saves(&appended);
}
END_TEST

START_TEST(V07_a_note_that_does_not_change_is_appended_once)
{
    static const char text[] = "once and for all";
    kifu_timeline *timeline = new_tally(&keeping);
    must(timeline, kifu_log_open(timeline, path, NULL));
    for (int i = 0; i < 4; i++) {
        play(timeline, i + 1, NULL);
        if (i == 1)
            must(timeline, kifu_set_note(timeline, 0, KIFU_NOTE_COMMENT, text));
        if (i == 3)
            must(timeline, kifu_set_note(timeline, 1, KIFU_NOTE_COMMENT, "another one"));
        must(timeline, kifu_log_append(timeline));
    }
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    uint32_t count = 0;
    for (size_t at = 0; at + sizeof text <= size; at++)
        count += !memcmp(bytes + at, text, sizeof text - 1);
    ck_assert_uint_eq(count, 1);
    free(bytes);
    kifu_destroy(timeline);
    ck_assert_int_eq(remove(path), 0);
}
END_TEST

// What the next append has to tell takes no room that notes could have.
START_TEST(V07_removed_notes_do_not_count)
{
    kifu_options options = keeping;
    options.note_limit = 80;
    kifu_timeline *timeline = new_tally(&options), *loaded;
    play(timeline, 1, NULL);
    must(timeline, kifu_log_open(timeline, path, NULL));
    for (int i = 0; i < 10; i++) {
        const char key[2] = {(char)('a' + i), 0};
        must(timeline, kifu_set_note(timeline, 0, key, "fifteen letters"));
        ck_assert_int_eq(kifu_set_note(timeline, 0, "more", ""), KIFU_TOO_LARGE);
        if (i % 3 == 0)
            must(timeline, kifu_log_append(timeline));
        must(timeline, kifu_set_note(timeline, 0, key, NULL));
    }
    must(timeline, kifu_set_note(timeline, 0, "z", "the last one"));
    must(timeline, kifu_log_append(timeline));
    loaded = load_log(&options, NULL);
    expect_same_tree(timeline, loaded);
    kifu_destroy(loaded);
    kifu_destroy(timeline);
    ck_assert_int_eq(remove(path), 0);
}
END_TEST

static kifu_verdict raise_amount(kifu_timeline *timeline, uint32_t type, const void *state, void *event)
{
    if (type == TALLY_P_ADD)
        ((tally_p_add *)event)->amount++;
    return tally_rules.check(timeline, type, state, event);
}

// Its check has changed what waits, and then there is no memory for it to happen.
START_TEST(M08_R02_what_waits_is_appended_as_its_check_has_left_it)
{
    char large[6000] = {0};
    memset(large, 'x', sizeof large - 1);
    kifu_rules rules = tally_rules;
    rules.check = raise_amount;
    long refused = 0;
    for (long failures = 0, failed = 1; failed; failures++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *timeline, *loaded;
        snprintf(path, sizeof path, "logged_lines_%d.kifu", (int)getpid());
        ck_assert_int_eq(kifu_create(&rules, &options, &timeline, NULL), KIFU_OK);
        must(timeline, kifu_log_open(timeline, path, NULL));
        tally_submit_p_add(timeline, 0, 1, large);
        must(timeline, kifu_log_append(timeline));
        memory.until_failure = failures;
        const kifu_result result = kifu_step(timeline);
        memory.until_failure = -1;
        failed = memory.failed;
        ck_assert(!result || (failed && result == KIFU_NO_MEMORY));
        refused += kifu_pending_count(timeline) == 1 && !kifu_event_count(timeline);
        must(timeline, kifu_log_append(timeline));
        const kifu_load_options ways = {.recover = kifu_recover};
        ck_assert_int_eq(kifu_load(&rules, path, NULL, &ways, &loaded, NULL), KIFU_OK);
        must(timeline, kifu_run(timeline));
        must(loaded, kifu_run(loaded));
        ck_assert_int_eq(tally_get_state(loaded)->total, tally_get_state(timeline)->total);
        kifu_destroy(loaded);
        kifu_destroy(timeline);
        ck_assert_int_eq(memory.blocks, 0);
        ck_assert_int_eq(remove(path), 0);
    }
    ck_assert_int_gt(refused, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V09_log_files_lead_to_the_same_tree,
        V09_a_log_file_that_was_cut_off_has_its_last_whole_append,
        V09_changed_log_files_are_refused_or_loaded,
        V09_an_append_without_memory_is_mended_by_the_next_one,
        V09_a_load_without_memory_leaves_nothing,
        V07_a_note_that_does_not_change_is_appended_once,
        V09_another_version_of_the_rules_reads_the_lines,
        V07_removed_notes_do_not_count,
        M08_R02_what_waits_is_appended_as_its_check_has_left_it,
    };
    return run_suite("logged lines", tests, sizeof tests / sizeof *tests);
}
