// A game that others follow ends, and goes on from its log file: in another process, after a power cut, or by another
// version of the program.

#include <kifu/changes.h>

#include "lab_help.h"
#include "save_help.h"
#include "suite.h"

static const kifu_load_options recovering = {.recover = kifu_recover};

static kifu_timeline *restarted(const char *path)
{
    kifu_timeline *lab;
    kifu_error error;
    ck_assert_msg(!kifu_load(&lab_rules, path, NULL, &recovering, &lab, &error), "%s", error.message);
    return lab;
}

// What the follower asks for. Returns how many bytes it was, and whether it was the whole game.
static size_t pass_on(kifu_timeline *from, kifu_timeline *to, bool *whole)
{
    const kifu_stream_position at = kifu_followed(to);
    kifu_changes changes;
    lab_must(from, kifu_changes_since(from, &at, &changes));
    *whole = changes.whole;
    if (changes.size)
        lab_must(to, kifu_apply_changes(to, changes.bytes, changes.size));
    kifu_free_bytes(from, changes.bytes);
    ck_assert_str_eq(lab_log(from), lab_log(to));
    ck_assert_uint_eq(kifu_state_hash(from), kifu_state_hash(to));
    ck_assert_uint_eq(kifu_can_redo(from, NULL), kifu_can_redo(to, NULL));
    return changes.size;
}

START_TEST(R06_a_restarted_game_goes_on_where_it_was)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *lab = lab_started(NULL), *copy = lab_new(NULL), *late = lab_new(NULL);
    bool whole;
    lab_must(lab, kifu_log_open(lab, path, NULL));
    (void)pass_on(lab, copy, &whole);
    ck_assert(whole);
    (void)pass_on(lab, late, &whole);
    for (int i = 0; i < 200; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab));
    (void)pass_on(lab, copy, &whole);
    ck_assert(!whole);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_log_append(lab)); // It is not told yet.
    for (int restart = 0; restart < 3; restart++) {
        kifu_destroy(lab);
        lab = restarted(path);
        lab_must(lab, kifu_begin(lab, restart ? KIFU_SEARCH : 0));
        lab_must(lab, kifu_roll_back(lab)); // Nothing has happened.
        const kifu_stream_position before = kifu_followed(copy);
        size_t size;
        unsigned char *bytes = read_bytes(path, &size);
        lab_must(lab, kifu_log_open(lab, path, NULL));
        size_t size_then;
        unsigned char *bytes_then = read_bytes(path, &size_then);
        ck_assert(size == size_then && !memcmp(bytes, bytes_then, size)); // It was not written anew.
        free(bytes);
        free(bytes_then);
        const size_t told = pass_on(lab, copy, &whole);
        ck_assert_msg(!whole, "after restart %d", restart);
        ck_assert_uint_le(told, 100);
        ck_assert_uint_eq(before.stream, kifu_followed(copy).stream);
        lab_must(lab, lab_play(lab, restart ? "-" : "+(2)"));
        ck_assert_uint_le(pass_on(lab, copy, &whole), 200);
        ck_assert(!whole);
        if (restart == 1) { // It was at the beginning.
            (void)pass_on(lab, late, &whole);
            ck_assert(!whole);
        }
    }
    kifu_destroy(lab);
    lab = restarted(path);
    ck_assert_str_eq(lab_log(lab), lab_log(copy));
    kifu_destroy(lab);
    kifu_destroy(copy);
    kifu_destroy(late);
    remove_folder(folder);
}
END_TEST

// The file has lost what was told already: the follower gets the whole game, and not another end for its own.
// However it ends, also where an input waits, or where events were undone, and the game keeps lines.
START_TEST(R06_an_empty_transaction_is_nothing)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    for (int way = 0; way < 16; way++) {
        const kifu_options options = {.keep_variations = way & 1 ? kifu_keep_variations : NULL};
        kifu_timeline *lab = lab_new(&options);
        kifu_error error;
        lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.overwrite = true}));
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, lab_play(lab, "-"));
        if (way & 2)
            lab_must(lab, kifu_undo(lab));
        if (way & 4)
            lab_do(lab, 0, "+", 1);
        lab_must(lab, kifu_log_append(lab));
        kifu_destroy(lab);
        ck_assert_msg(!kifu_load(&lab_rules, path, &options, &recovering, &lab, &error), "%s", error.message);
        for (int i = 0; i < 2; i++) { // before the file is open, and behind that
            lab_must(lab, kifu_begin(lab, 0));
            lab_must(lab, way & 8 ? kifu_commit(lab) : kifu_roll_back(lab));
            lab_must(lab, kifu_begin(lab, KIFU_SEARCH));
            lab_must(lab, kifu_roll_back(lab));
            size_t size, size_then;
            unsigned char *const bytes = read_bytes(path, &size);
            lab_must(lab, i ? kifu_log_append(lab) : kifu_log_open(lab, path, NULL));
            unsigned char *const then = read_bytes(path, &size_then);
            ck_assert_msg(i || size == size_then, "way %d", way);
            ck_assert_msg(size <= size_then && !memcmp(bytes, then, size), "way %d", way); // It was not written anew.
            free(bytes);
            free(then);
        }
        kifu_destroy(lab);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(R06_what_a_power_cut_has_taken_is_seen)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *lab = lab_started(NULL), *copy = lab_new(NULL);
    bool whole;
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+"));
    (void)pass_on(lab, copy, &whole);
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    lab_must(lab, lab_play(lab, "-"));
    lab_must(lab, lab_play(lab, "-"));
    (void)pass_on(lab, copy, &whole);
    kifu_destroy(lab);
    write_bytes(path, bytes, size);
    free(bytes);
    lab = restarted(path);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    kifu_stream_position at = {0};
    kifu_changes changes;
    lab_must(lab, kifu_changes_since(lab, NULL, &changes));
    at = changes.until;
    kifu_free_bytes(lab, changes.bytes);
    kifu_result result = KIFU_OK;
    for (int i = 0; i < 4 && !result; i++) { // It tells as it did before.
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_changes_since(lab, &at, &changes));
        ck_assert(!changes.whole);
        result = kifu_apply_changes(copy, changes.bytes, changes.size);
        at = changes.until;
        kifu_free_bytes(lab, changes.bytes);
    }
    ck_assert_int_eq(result, KIFU_OTHER_STREAM);
    (void)pass_on(lab, copy, &whole);
    ck_assert(whole);
    lab_must(lab, lab_play(lab, "+"));
    (void)pass_on(lab, copy, &whole);
    ck_assert(!whole);
    kifu_destroy(lab);
    kifu_destroy(copy);
    remove_folder(folder);
}
END_TEST

// Whatever is not as it was in the file: then it is written anew, in another stream or behind the same, and nothing is
// lost.
START_TEST(R06_a_file_that_cannot_go_on_is_written_anew)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    for (int how = 0; how < 5; how++) {
        kifu_timeline *lab = lab_started(NULL), *copy = lab_new(NULL);
        bool whole;
        lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.overwrite = true}));
        lab_must(lab, lab_play(lab, "+"));
        (void)pass_on(lab, copy, &whole);
        kifu_destroy(lab);
        lab = restarted(path);
        if (how == 0)
            lab_must(lab, lab_play(lab, "-"));
        else if (how == 1)
            lab_must(lab, kifu_undo(lab));
        else if (how == 2)
            lab_do(lab, 0, "+", 1);
        else if (how == 3) {
            lab_must(lab, kifu_undo(lab));
            lab_must(lab, kifu_redo(lab));
            lab_must(lab, kifu_undo(lab));
            lab_must(lab, lab_play(lab, "+"));
        }
        lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.title = how == 4 ? "another" : NULL}));
        lab_must(lab, lab_play(lab, "-"));
        (void)pass_on(lab, copy, &whole);
        ck_assert_msg(whole, "way %d", how);
        kifu_destroy(lab);
        lab = restarted(path);
        ck_assert_str_eq(lab_log(lab), lab_log(copy));
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R06_a_restarted_game_goes_on_where_it_was,
        R06_an_empty_transaction_is_nothing,
        R06_what_a_power_cut_has_taken_is_seen,
        R06_a_file_that_cannot_go_on_is_written_anew,
    };
    return run_suite("restart", tests, sizeof tests / sizeof *tests);
}
