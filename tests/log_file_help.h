/// What the suites of log files and recovery share.
#ifndef TESTS_LOG_FILE_HELP_H
#define TESTS_LOG_FILE_HELP_H

#include <sys/stat.h>

#include "history_help.h"
#include "save_help.h"
#include "suite.h"

static inline size_t size_of(const char *path)
{
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    return (size_t)info.st_size;
}

/// A save over a log file that is open. Where the system cannot replace one (Windows before 10, wine before 9), the
/// save says so, and false is returned.
static inline bool save_over_open(kifu_timeline *lab, const char *path)
{
    const kifu_result result = kifu_save(lab, path, NULL);
    if (ON_WINDOWS && result == KIFU_IO) {
        must_say(lab, "whether another program has it open");
        return false;
    }
    lab_must(lab, result);
    return true;
}

static inline kifu_timeline *recover(const char *path, kifu_recovery *recovery)
{
    const kifu_load_options options = {.recover = kifu_recover, .recovery = recovery};
    kifu_timeline *timeline;
    kifu_error error;
    kifu_result result = kifu_load(&lab_rules, path, NULL, &options, &timeline, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    return timeline;
}

static inline kifu_result recover_bytes(const void *bytes, size_t size, kifu_timeline **timeline,
                                        kifu_recovery *recovery, kifu_error *error)
{
    const kifu_load_options options = {.recover = kifu_recover, .recovery = recovery};
    return kifu_load_from_memory(&lab_rules, bytes, size, NULL, &options, timeline, error);
}

/// Both go the same way back and forth. They are no more what they were.
static inline void expect_same_ways(kifu_timeline *one, kifu_timeline *other)
{
    expect_same(one, other);
    while (kifu_can_redo(one, NULL)) {
        lab_must(one, kifu_redo(one));
        lab_must(other, kifu_redo(other));
        expect_same(one, other);
    }
    while (kifu_can_undo(one, NULL)) {
        lab_must(one, kifu_undo(one));
        lab_must(other, kifu_undo(other));
        expect_same(one, other);
    }
}

/// What the file tells, if the process were killed now, is what a save would.
static inline void expect_in_file(kifu_timeline *lab, const char *path)
{
    kifu_recovery recovery;
    kifu_timeline *saved = reload(lab, NULL), *found = recover(path, &recovery);
    ck_assert_uint_eq(recovery.dropped, 0);
    ck_assert_uint_eq(recovery.why.offset, size_of(path));
    // Of what redo can bring back it may have some that the game has forgotten in a transaction.
    uint32_t saved_count, found_count;
    saved_hash *in_save = hashes_of(saved, &saved_count), *in_file = hashes_of(found, &found_count);
    ck_assert_uint_ge(found_count, saved_count);
    for (uint32_t i = 0, j = 0; i < saved_count; i++, j++) {
        while (in_file[j].event_count > kifu_event_count(saved) && in_file[j].event_count < in_save[i].event_count)
            j++;
        ck_assert_uint_lt(j, found_count);
        ck_assert_uint_eq(in_file[j].event_count, in_save[i].event_count);
        ck_assert(in_file[j].hash == in_save[i].hash);
    }
    free(in_save), free(in_file);
    expect_same_ways(saved, found);
    kifu_destroy(found);
    kifu_destroy(saved);

    const kifu_load_options fast = {.fast = true, .recover = kifu_recover, .recovery = &recovery};
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, &fast, &found, NULL), KIFU_OK);
    saved = reload(lab, NULL);
    expect_same_ways(saved, found);
    kifu_destroy(found);
    kifu_destroy(saved);
}

static inline void append(kifu_timeline *lab, const char *path)
{
    lab_must(lab, kifu_log_append(lab));
    expect_in_file(lab, path);
}

// Of a file in a folder, until the next test.
static inline const char *stay_at(const char *folder, const char *file)
{
    static char paths[16][800];
    static unsigned turn;
    return strcpy(paths[turn++ % 16], in_folder(folder, file));
}

// A second name for a.kifu: a link, or, where links take special rights, the same name in other letters.
#define OTHER_NAME (ON_WINDOWS ? "A.KIFU" : "link.kifu")

static inline void make_other_name(const char *path)
{
    ck_assert_int_eq(ON_WINDOWS ? 0 : symlink("a.kifu", path), 0);
}

#endif
