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
    const uint32_t id = any_line(lab, choice >> 8, &line);
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
    const unsigned long games = 1 + fuzz_steps(4000) / 100;
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

int main(void)
{
    const TTest *const tests[] = {
        V03_log_files_have_what_waits_on_every_line,
        V07_a_removed_note_takes_no_room,
    };
    return run_suite("logged trees", tests, sizeof tests / sizeof *tests);
}
