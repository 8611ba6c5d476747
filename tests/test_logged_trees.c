// Log files of trees that were played in every way there is: each line comes back with what waits on it, and with the
// same steps of redo.

#include <stdio.h>
#include <string.h>

#include "suite.h"
#include "tree_help.h"

static const kifu_load_options recovering = {.recover = kifu_recover};

static kifu_options all_options(void)
{
    kifu_options options = keeping;
    options.keep_notes = kifu_keep_notes;
    return options;
}

static kifu_timeline *load_log(const char *path)
{
    const kifu_options options = all_options();
    kifu_timeline *timeline;
    kifu_error error;
    const kifu_result result = kifu_load(&lab_rules, path, &options, &recovering, &timeline, &error);
    ck_assert_msg(!result, "%s", error.message);
    return timeline;
}

// --- Comparing -------------------------------------------------------------------------------------------------------

static void expect_same_notes(const kifu_timeline *one, const kifu_timeline *other)
{
    kifu_note note = {0}, read = {0};
    while (kifu_next_note(one, &note)) {
        must_be(kifu_next_note(other, &read));
        must_be(note.line == read.line && note.event == read.event && !strcmp(note.key, read.key));
        must_be(note.size == read.size && !memcmp(note.bytes, read.bytes, note.size));
    }
    must_be(!kifu_next_note(other, &read));
}

static void expect_same_all(kifu_timeline *one, kifu_timeline *other)
{
    expect_same_tree(one, other);
    expect_same_notes(one, other);
    must_be(kifu_first_event(one) == kifu_first_event(other));
}

// Where each line was left, and along it. Both games end elsewhere.
static void tour(kifu_timeline *one, kifu_timeline *other)
{
    kifu_line line;
    for (uint32_t i = 0; kifu_line_at(one, i, &line); i++) {
        const kifu_result result = kifu_go_to(one, line.id, KIFU_WHERE_LEFT, true);
        must_be(kifu_go_to(other, line.id, KIFU_WHERE_LEFT, true) == result);
        expect_same(one, other);
        while (!result) {
            (void)kifu_drop_inputs(one);
            (void)kifu_drop_inputs(other);
            const kifu_result redone = kifu_redo(one);
            must_be(kifu_redo(other) == redone);
            expect_same(one, other);
            if (redone)
                break;
        }
    }
}

// --- Random games ----------------------------------------------------------------------------------------------------

static void write_note(kifu_timeline *lab, uint32_t choice)
{
    static const char *const keys[] = {KIFU_NOTE_COMMENT, KIFU_NOTE_CLOCK, "other"};
    kifu_line line;
    const uint32_t id = pick_line(lab, choice >> 8, &line);
    char text[12];
    snprintf(text, sizeof text, "%u", (unsigned)(choice % 1000));
    (void)!kifu_set_line_note(lab, id, (choice >> 4) % (line.from + line.count + 1) - 1, keys[choice % 3],
                              choice & 12 ? text : NULL);
}

// A cut anywhere in what the last append wrote leaves what was there before.
static void expect_cut(const char *path, const save *before, kifu_timeline *was, uint32_t choice)
{
    const kifu_options options = all_options();
    save file;
    file.bytes = read_bytes(path, &file.size);
    const bool grown = file.size > before->size && !memcmp(file.bytes, before->bytes, before->size);
    if (grown) {
        const save cut = {file.bytes, before->size + choice % (file.size - before->size)};
        kifu_timeline *loaded = load_by(&cut, &options, &recovering);
        expect_same_all(was, loaded);
        kifu_destroy(loaded);
    }
    free(file.bytes);
}

// Without variations, it is the current line, as of a whole save: with its notes, and what redo brings back.
static void expect_current_line(const char *path, kifu_timeline *lab)
{
    kifu_options options = all_options();
    options.keep_variations = NULL;
    save whole = save_of(lab, NULL);
    kifu_timeline *expected = load_by(&whole, &options, NULL), *loaded;
    kifu_left_out left_out;
    kifu_error error;
    const kifu_load_options how = {.recover = kifu_recover, .left_out = &left_out};
    const kifu_result result = kifu_load(&lab_rules, path, &options, &how, &loaded, &error);
    ck_assert_msg(!result, "%s", error.message);
    ck_assert_uint_eq(left_out.lines, kifu_line_count(lab) - 1);
    expect_same_all(expected, loaded);
    do {
        (void)kifu_drop_inputs(expected);
        (void)kifu_drop_inputs(loaded);
        expect_same(expected, loaded);
    } while (!kifu_redo(expected) && !kifu_redo(loaded));
    expect_same(expected, loaded);
    kifu_destroy(expected);
    kifu_destroy(loaded);
    free(whole.bytes);
}

START_TEST(V03_log_files_have_what_waits_on_every_line)
{
    const kifu_options options = all_options();
    const unsigned long games = 1 + fuzz_steps(2000) / 100;
    char *folder = new_folder();
    const char *path = in_folder(folder, "tree.kifu");
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        kifu_timeline *lab = lab_new(&options), *was;
        for (uint32_t k = next_random(&seed) % 40; k > 0; k--)
            (void)!walk_trees(lab, next_random(&seed));
        lab_must(lab, kifu_log_open(lab, path, NULL));
        was = load_log(path);
        for (int k = 0; k < 100; k++) {
            save before;
            before.bytes = read_bytes(path, &before.size);
            for (uint32_t more = next_random(&seed) % 4; more > 0; more--) {
                (void)!walk_trees(lab, next_random(&seed));
                if (next_random(&seed) % 4 == 0)
                    write_note(lab, next_random(&seed));
            }
            lab_must(lab, kifu_log_append(lab));
            kifu_timeline *loaded = load_log(path);
            expect_same_all(lab, loaded);
            expect_current_line(path, lab);
            expect_cut(path, &before, was, next_random(&seed));
            free(before.bytes);
            kifu_destroy(was);
            if (next_random(&seed) % 6 == 0) {
                tour(lab, loaded);
                expect_same_all(lab, loaded);
                kifu_destroy(loaded);
                loaded = load_log(path);
            }
            was = loaded;
            if (next_random(&seed) % 20)
                continue;
            kifu_destroy(lab); // The program is killed, and goes on with what the file has.
            lab = load_log(path);
            lab_must(lab, kifu_log_open(lab, path, NULL));
        }
        kifu_destroy(was);
        kifu_destroy(lab);
    }
    remove_folder(folder);
}
END_TEST

// --- By hand ---------------------------------------------------------------------------------------------------------

// What waits on a line that was left: an input, and what follows from one that was undone half-way.
START_TEST(V03_what_waits_on_another_line_comes_back_from_a_log_file)
{
    const kifu_options options = all_options();
    char *folder = new_folder();
    const char *path = in_folder(folder, "tree.kifu");
    kifu_timeline *lab = lab_new(&options), *loaded;
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    lab_must(lab, lab_play(lab, "-"));
    lab_must(lab, kifu_go_to(lab, 0, 3, true));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_do(lab, 0, "5(6)(7)", 1);
    lab_must(lab, kifu_step(lab));
    lab_must(lab, kifu_step(lab));
    lab_must(lab, kifu_undo(lab)); // with a consequence waiting
    lab_do(lab, 0, "8", 1);        // It waits where the line is left.
    lab_must(lab, kifu_log_append(lab));
    lab_must(lab, kifu_go_to(lab, 1, KIFU_WHERE_LEFT, true));
    lab_must(lab, kifu_log_append(lab));
    for (int i = 0; i < 2; i++) { // Another line is left, too: the first one's moments are written again.
        loaded = load_log(path);
        expect_same_all(lab, loaded);
        lab_must(loaded, kifu_go_to(loaded, 0, KIFU_WHERE_LEFT, true));
        ck_assert_uint_eq(kifu_event_count(loaded), 3);
        ck_assert_uint_eq(kifu_pending_count(loaded), 1);
        (void)kifu_drop_inputs(loaded);
        ck_assert_uint_eq(kifu_can_redo(loaded, NULL), 2);
        lab_must(loaded, kifu_redo(loaded));
        ck_assert_uint_eq(kifu_pending_count(loaded), 1);
        lab_must(loaded, kifu_run(loaded));
        ck_assert_str_eq(lab_trace(loaded), "567");
        kifu_destroy(loaded);
        lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
        lab_must(lab, kifu_go_to(lab, 1, KIFU_WHERE_LEFT, true));
        lab_must(lab, kifu_log_append(lab));
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Of each place once, by line and then by place, however the game went there.
START_TEST(M08_V03_an_append_says_in_order_what_waits_elsewhere)
{
    static const uint32_t visits[][2] = {{2, 2}, {0, 3}, {1, 2}, {0, 2}, {2, 3},
                                         {0, 3}, {0, 2}, {2, 2}, {1, 3}, {0, 0}},
                          said[][2] = {{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 2}, {2, 3}};
    const kifu_options options = all_options();
    char *folder = new_folder();
    const char *path = in_folder(folder, "tree.kifu");
    kifu_timeline *lab = lab_new(&options);
    for (uint32_t line = 0; line < 3; line++) {
        if (line)
            lab_must(lab, kifu_go_to(lab, 0, 1, true));
        for (int i = 0; i < 3; i++)
            lab_must(lab, lab_play(lab, line == 0 ? "+" : line == 1 ? "-" : "++"));
    }
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (size_t i = 0; i < sizeof visits / sizeof *visits; i++) {
        lab_must(lab, kifu_go_to(lab, visits[i][0], visits[i][1], true));
        if (visits[i][1])
            lab_do(lab, 0, "5", 1);
    }
    lab_must(lab, kifu_log_append(lab));
    save file;
    file.bytes = read_bytes(path, &file.size);
    const frames frames = frames_of(&file);
    const records records = records_of(&frames.all[frames.count - 1]);
    int at = -1;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        at = next_record(&records, at + 1, RECORD_KEPT);
        ck_assert_int_ge(at, 0);
        const unsigned char *body = records.all[at].body;
        const uint32_t line = number_at(&body), place = number_at(&body);
        ck_assert_msg(line == said[i][0] && place == said[i][1], "number %zu: line %u, place %u", i, line, place);
    }
    ck_assert_int_eq(next_record(&records, at + 1, RECORD_KEPT), -1);
    kifu_timeline *loaded = load_log(path);
    expect_same_all(lab, loaded);
    kifu_destroy(loaded);
    free(file.bytes);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Without variations: what waits, redo and the notes of the current line, and how much else there is.
START_TEST(V06_without_variations_a_log_file_has_the_current_line_and_counts_the_others)
{
    kifu_options options = all_options();
    char *folder = new_folder();
    const char *path = in_folder(folder, "tree.kifu");
    for (uint32_t current = 0; current < 4; current++) {
        kifu_timeline *lab = small_tree(current), *loaded;
        lab_must(lab, kifu_log_open(lab, path, NULL));
        for (uint32_t i = 1; i < 5; i++) {
            lab_must(lab, kifu_go_to(lab, (current + i) % 4, KIFU_WHERE_LEFT, true));
            lab_must(lab, lab_play(lab, "4"));
            lab_must(lab, kifu_log_append(lab));
        }
        for (int notes = 0; notes < 2; notes++) {
            kifu_left_out left_out = {.lines = 77};
            const kifu_load_options how = {.recover = kifu_recover, .left_out = &left_out};
            options.keep_variations = NULL;
            options.keep_notes = notes ? kifu_keep_notes : NULL;
            kifu_error error;
            const kifu_result result = kifu_load(&lab_rules, path, &options, &how, &loaded, &error);
            ck_assert_msg(!result, "%s", error.message);
            expect_same(lab, loaded);
            ck_assert_uint_eq(kifu_line_count(loaded), 1);
            ck_assert_uint_eq(left_out.lines, kifu_line_count(lab) - 1);
            ck_assert_int_eq(left_out.why.result, KIFU_OK);
            kifu_destroy(loaded);
        }
        kifu_destroy(lab);
    }
    remove_folder(folder);
}
END_TEST

// --- What is cut off -------------------------------------------------------------------------------------------------

// A tree of which the beginning is forgotten, with a note at each end.
static kifu_timeline *forgotten_tree(const kifu_options *options, bool lines)
{
    kifu_timeline *lab = lab_new(options);
    kifu_line line;
    for (int i = 0; i < 6; i++)
        lab_must(lab, lab_play(lab, "+"));
    for (uint32_t i = 0; i < 3 && lines; i++) {
        lab_must(lab, kifu_go_to(lab, 0, 3 + i, true));
        lab_must(lab, lab_play(lab, i ? "-" : "++"));
        lab_must(lab, lab_play(lab, "-"));
        lab_do(lab, 0, "5", 1);
    }
    lab_must(lab, kifu_go_to(lab, lines, KIFU_WHERE_LEFT, true));
    lab_must(lab, kifu_forget(lab, 2));
    for (uint32_t i = 0; kifu_line_at(lab, i, &line); i++)
        lab_must(lab, kifu_set_line_note(lab, line.id, line.from + line.count - 1, "where", "the end"));
    return lab;
}

// Each line that is there is as it was, and so is each note. How many are there?
static uint32_t count_whole(kifu_timeline *lab, kifu_timeline *part)
{
    kifu_line line, was;
    kifu_note note = {0}, old;
    uint32_t count = kifu_line_count(part);
    for (uint32_t i = 0; kifu_line_at(part, i, &line); i++) {
        for (uint32_t k = 0; kifu_line_at(lab, k, &was) && was.id != line.id; k++) {
        }
        must_be(was.id == line.id && was.from == line.from && was.count >= line.count);
        expect_same_line(lab, part, &line);
    }
    for (; kifu_next_note(part, &note); count++)
        must_be(kifu_find_note(lab, note.line, note.event, note.key, &old));
    return count;
}

START_TEST(V11_what_is_cut_off_of_a_save_that_begins_from_a_state_is_recovered)
{
    for (int lines = 0; lines < 2; lines++) {
        kifu_options options = all_options();
        options.keep_variations = lines ? kifu_keep_variations : NULL;
        kifu_timeline *lab = forgotten_tree(&options, lines), *part;
        save whole = save_of(lab, &(kifu_save_options){.without_schema = true});
        const frames frames = frames_of(&whole);
        const uint64_t behind = frames.all[find_frame(&frames, FRAME_COMMIT) + 1].offset;
        uint32_t last = 0;
        for (size_t size = (size_t)behind; size <= whole.size; size++) {
            const save cut = {whole.bytes, size};
            part = load_by(&cut, &options, &recovering);
            expect_same(lab, part);
            last = count_whole(lab, part);
            must_be(size == whole.size || last == (lines ? 2 : 1)); // The lines on the way.
            kifu_destroy(part);
        }
        ck_assert_uint_eq(last, lines ? 4 + 4 : 1 + 1);
        kifu_destroy(lab);
        free(whole.bytes);
    }
}
END_TEST

// --- Notes -----------------------------------------------------------------------------------------------------------

// The log file is told that a note was removed; until then, and when the file is closed, it takes no room.
START_TEST(V07_a_removed_note_takes_no_room)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = all_options();
    options.note_limit = 100;
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    char *folder = new_folder();
    const char *path = in_folder(folder, "notes.kifu"), *keys[] = {"one", "two"};
    kifu_timeline *lab = lab_new(&options), *loaded;
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int closed = 0; closed < 2; closed++) {
        const long blocks = memory.blocks;
        for (int i = 0; i < 4; i++) {
            lab_must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, keys[i % 2], "a text of 24 bytes, about"));
            ck_assert_int_eq(kifu_set_note(lab, KIFU_BEFORE_FIRST, keys[(i + 1) % 2], "more"), KIFU_TOO_LARGE);
            if (i == 1 && !closed)
                lab_must(lab, kifu_log_append(lab));
            lab_must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, keys[i % 2], NULL));
        }
        if (closed) {
            ck_assert_int_eq(memory.blocks, blocks);
            break;
        }
        lab_must(lab, kifu_log_append(lab));
        loaded = load_log(path);
        expect_same_notes(lab, loaded);
        kifu_destroy(loaded);
        lab_must(lab, kifu_log_close(lab, NULL));
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(V06_each_beginning_of_a_log_file_is_recovered)
{
    const kifu_options options = all_options();
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *lab = lab_new(&options), *loaded;
    static const char *const steps[] = {"+", "1", NULL, "+", "+", "+", NULL};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        lab_must(lab, steps[i] ? lab_play(lab, steps[i]) : kifu_undo(lab));
    lab_must(lab, kifu_go_to(lab, 1, 2, true));
    lab_must(lab, lab_play(lab, "-"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    save file = {.bytes = NULL};
    file.bytes = read_bytes(path, &file.size);
    uint32_t refused = 0;
    for (uint64_t end = FILE_HEAD; end < file.size;) {
        read_frame(file.bytes, file.size, &end);
        const bool good =
            !kifu_load_from_memory(&lab_rules, file.bytes, (size_t)end, &options, &recovering, &loaded, NULL);
        refused += !good;
        if (good)
            kifu_destroy(loaded);
    }
    ck_assert_uint_eq(refused, 1); // Without a commit.
    free(file.bytes);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(V02_a_log_file_gives_no_number_again)
{
    const kifu_options options = all_options();
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *lab = lab_new(&options);
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "1"));
    lab_must(lab, kifu_go_to(lab, 1, 2, true));
    lab_must(lab, kifu_delete_line(lab, 2)); // No append has said that it was there.
    lab_must(lab, kifu_log_append(lab));
    kifu_timeline *loaded = load_log(path);
    kifu_timeline *both[] = {lab, loaded};
    for (int i = 0; i < 2; i++) {
        lab_must(both[i], kifu_undo(both[i]));
        lab_must(both[i], lab_play(both[i], "2"));
        ck_assert_uint_eq(kifu_current_line(both[i]), 3);
        kifu_destroy(both[i]);
    }
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V03_log_files_have_what_waits_on_every_line,
        V03_what_waits_on_another_line_comes_back_from_a_log_file,
        M08_V03_an_append_says_in_order_what_waits_elsewhere,
        V06_without_variations_a_log_file_has_the_current_line_and_counts_the_others,
        V11_what_is_cut_off_of_a_save_that_begins_from_a_state_is_recovered,
        V07_a_removed_note_takes_no_room,
        V06_each_beginning_of_a_log_file_is_recovered,
        V02_a_log_file_gives_no_number_again,
    };
    return run_suite("logged trees", tests, sizeof tests / sizeof *tests);
}
