// Where a save, a log file or a stream does another thing from some size on, it does so from that very size on: each
// bound is met exactly, and missed by the least that is possible.

#include <kifu/changes.h>

#include "log_file_help.h"
#include "suite.h"

int __wrap_fsync(int file);

// No power fails here, and disks are slow.
int __wrap_fsync(int file)
{
    (void)file;
    return 0;
}

static const kifu_options noting = {.keep_notes = kifu_keep_notes, .note_limit = 64 << 20};

static void set_note(kifu_timeline *lab, const char *key, size_t size)
{
    static unsigned char number;
    unsigned char *bytes = (unsigned char *)calloc(size + 1, 1);
    ck_assert_ptr_nonnull(bytes);
    *bytes = ++number; // A note that stays as it is would not be written.
    lab_must(lab, kifu_set_note_bytes(lab, 0, KIFU_BEFORE_FIRST, key, bytes, (uint32_t)size));
    free(bytes);
}

// --- Commits of a whole save -----------------------------------------------------------------------------------------

enum { ENOUGH = 1 << 16 };

// Returns whether a commit has just as many bytes as are enough.
static bool look_at_commits(const save *save)
{
    bool exactly = false;
    const frames frames = frames_of(save);
    int commits = 0;
    for (int i = 0; i < frames.count; i++) {
        if (frames.all[i].kind != FRAME_COMMIT || !commits++ || i + 1 == frames.count)
            continue;
        const records records = records_of(&frames.all[i]);
        const int last = records.count - 1 - (records.all[records.count - 1].kind == RECORD_STAND);
        const unsigned char *begin = frames.all[i].payload, *end = records.all[last].body + records.all[last].size;
        const unsigned char *before = records.all[last - 1].body + records.all[last - 1].size;
        ck_assert_int_ge(end - begin, ENOUGH);
        ck_assert_int_lt(before - begin, ENOUGH);
        exactly |= end - begin == ENOUGH;
    }
    ck_assert_int_ge(commits, 2);
    return exactly;
}

START_TEST(M08_S01_a_commit_of_a_save_ends_once_it_has_64_KiB)
{
    kifu_timeline *lab = lab_started(&noting);
    bool exactly = false;
    char key[10];
    for (int i = 0; i < 320; i++) {
        snprintf(key, sizeof key, "b%04d", i);
        set_note(lab, key, 500);
    }
    for (uint32_t size = 200; size < 720; size++) {
        set_note(lab, "a", size);
        save save = save_of(lab, NULL);
        exactly |= look_at_commits(&save);
        free(save.bytes);
    }
    ck_assert(exactly);
    kifu_destroy(lab);
}
END_TEST

// --- Log files -------------------------------------------------------------------------------------------------------

// By how much the file grows.
static size_t append_note(kifu_timeline *lab, const char *path, size_t size)
{
    const size_t before = size_of(path);
    set_note(lab, "a", size);
    lab_must(lab, kifu_log_append(lab));
    return size_of(path) - before;
}

// It has reached a size that is just allowed, or is 8 bytes longer.
static void grow_long(const char *path, size_t more)
{
    enum { LARGE = 1 << 20, LONG_FILE = 16 << 20 };
    kifu_timeline *lab = lab_started(&noting);
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.overwrite = true}));
    const size_t most = LONG_FILE + 4 * size_of(path) + more;
    size_t grown = append_note(lab, path, LARGE);
    while (most - size_of(path) > 2 * grown)
        grown = append_note(lab, path, LARGE);
    set_note(lab, "a", LARGE + (most - size_of(path)) - grown);
    lab_must(lab, kifu_log_append(lab));
    if (more)
        ck_assert_uint_lt(size_of(path), 4 * LARGE);
    else
        ck_assert_uint_eq(size_of(path), most);
    kifu_destroy(lab);
}

START_TEST(M08_R03_a_log_file_is_written_anew_above_16_MiB_and_four_times_what_it_began_with)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    grow_long(path, 0);
    grow_long(path, 8);
    remove_folder(folder);
}
END_TEST

// Plays an event with a text of so many letters. Returns by how much the file grows.
static size_t append_event(kifu_timeline *lab, const char *path, size_t size)
{
    const size_t before = size_of(path);
    char *script = (char *)malloc(size + 1);
    ck_assert_ptr_nonnull(script);
    memset(script, 'x', size);
    script[size] = '\0';
    lab_do(lab, 0, script, 0);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_log_append(lab));
    free(script);
    return size_of(path) - before;
}

static bool last_has_state(const char *path)
{
    save save = {.bytes = NULL};
    save.bytes = read_bytes(path, &save.size);
    save_frame frame = {.kind = 0};
    for (uint64_t offset = FILE_HEAD; offset < save.size;)
        frame = read_frame(save.bytes, save.size, &offset);
    const records records = records_of(&frame);
    const bool has = records.all[records.count - 1].size > 8;
    free(save.bytes);
    return has;
}

// Events are appended of so many bytes in all, less a few; notes do not count.
static void append_up_to(const char *path, size_t less)
{
    enum { STATE_AFTER = 1 << 18, LARGE = 20000 };
    kifu_timeline *lab = lab_started(&noting);
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.overwrite = true}));
    append_event(lab, path, LARGE); // The first one names its shape, and is not counted.
    lab_must(lab, kifu_log_close(lab, NULL));
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.overwrite = true}));
    size_t all = 0, each = 0;
    for (; all + 2 * each < STATE_AFTER; all += each)
        each = append_event(lab, path, LARGE);
    append_note(lab, path, 3000);
    all += append_event(lab, path, LARGE + STATE_AFTER - less - all - each);
    ck_assert_uint_eq(all, STATE_AFTER - less);
    ck_assert(!last_has_state(path));
    append_event(lab, path, 8);
    ck_assert(last_has_state(path) == !less);
    append_event(lab, path, 8);
    ck_assert(last_has_state(path) == !!less);
    append_event(lab, path, 8);
    ck_assert(!last_has_state(path));
    kifu_destroy(lab);
}

START_TEST(M08_F60_a_log_file_has_a_state_once_256_KiB_of_events_were_appended)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    append_up_to(path, 0);
    append_up_to(path, 8);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {M08_S01_a_commit_of_a_save_ends_once_it_has_64_KiB,
                                  M08_R03_a_log_file_is_written_anew_above_16_MiB_and_four_times_what_it_began_with,
                                  M08_F60_a_log_file_has_a_state_once_256_KiB_of_events_were_appended};
    return run_suite("save_bounds", tests, sizeof tests / sizeof *tests);
}
