// The file of a save: it replaces the old one whole or not at all, and is read, whatever the system refuses; and its
// name.

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "faulty_os.h"
#include "history_help.h"
#include "save_help.h"
#include "suite.h"

// --- The operating system -------------------------------------------------------------------------------------------

int __real_fsync(int file);
int __real_fstat(int file, struct stat *info);
ssize_t __real_read(int file, void *bytes, size_t size);
void *__real_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
DIR *__real_opendir(const char *path);
struct dirent *__real_readdir(DIR *stream);

int __wrap_fsync(int file);
int __wrap_fstat(int file, struct stat *info);
ssize_t __wrap_read(int file, void *bytes, size_t size);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir(DIR *stream);

int __wrap_fsync(int file)
{
    struct stat info;
    if (fault())
        return -1;
    if (!__real_fstat(file, &info))
        trace_sync(&info);
    return __real_fsync(file);
}

int __wrap_fstat(int file, struct stat *info)
{
    return fault() ? -1 : __real_fstat(file, info);
}

ssize_t __wrap_read(int file, void *bytes, size_t size)
{
    return fault() ? moved_nothing() : __real_read(file, bytes, size > 1000 ? 1000 : size);
}

static bool cannot_map;
static int maps, maps_ever; // So many files are mapped now, and were ever.

int __real_munmap(void *address, size_t size);
int __wrap_munmap(void *address, size_t size);

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    void *map = cannot_map || fault() ? MAP_FAILED : __real_mmap(address, size, protection, flags, file, offset);
    maps += map != MAP_FAILED;
    maps_ever += map != MAP_FAILED;
    return map;
}

int __wrap_munmap(void *address, size_t size)
{
    maps--;
    return __real_munmap(address, size);
}

DIR *__wrap_opendir(const char *path)
{
    return fault() ? NULL : __real_opendir(path);
}

struct dirent *__wrap_readdir(DIR *stream)
{
    return fault() ? NULL : __real_readdir(stream);
}

static bool without_clock;

int __real_timespec_get(struct timespec *now, int base);
int __wrap_timespec_get(struct timespec *now, int base);

int __wrap_timespec_get(struct timespec *now, int base)
{
    return without_clock ? 0 : __real_timespec_get(now, base);
}

// --- Replacing the old file ------------------------------------------------------------------------------------------

// The old save has one event, the new one the rich game's.
static void expect_old_or_new(const char *path, uint32_t new_count, bool must_be_old)
{
    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_msg(kifu_load(&lab_rules, path, NULL, NULL, &loaded, &error) == KIFU_OK, "%s", error.message);
    uint32_t count = kifu_event_count(loaded);
    ck_assert(count == 1 || (count == new_count && !must_be_old));
    kifu_destroy(loaded);
}

static void must_have_new(const char *path, uint32_t new_count)
{
    kifu_timeline *loaded;
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, NULL), KIFU_OK);
    ck_assert_uint_eq(kifu_event_count(loaded), new_count);
    kifu_destroy(loaded);
}

static void write_old(const char *path)
{
    kifu_timeline *old = lab_new(NULL);
    lab_must(old, lab_play(old, "+"));
    lab_must(old, kifu_save(old, path, NULL));
    kifu_destroy(old);
}

static bool count_visits(void *context, const kifu_save_info *info)
{
    (void)info;
    ++*(int *)context;
    return true;
}

START_TEST(S04_a_process_that_dies_at_any_step_leaves_the_old_or_the_new)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    bool done = false;
    int steps = 0;
    for (int at = 1; !done; at++) {
        write_old(path);
        pid_t child = fork();
        if (child == 0) {
            arm(at, 0, false);
            _exit(kifu_save(lab, path, NULL) == KIFU_OK ? 0 : 1);
        }
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFEXITED(status));
        done = WEXITSTATUS(status) == 0;
        ck_assert(done || WEXITSTATUS(status) == 99);
        expect_old_or_new(path, kifu_event_count(lab), false);
        steps++;
    }
    ck_assert_int_gt(steps, 8); // open, writes, fsync, close, rename, and the folder's open, fsync, close
    expect_old_or_new(path, kifu_event_count(lab), false);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// A power cut may come between any two: the file must be whole on the disk before it takes the old one's name, and the
// new name must be there when kifu_save returns.
START_TEST(F03_a_save_is_on_the_disk_before_it_has_its_name)
{
    kifu_timeline *lab = rich_game(NULL);
    char *folder = new_folder();
    for (int i = 0; i < 2; i++) { // without an old file, and with one
        arm(0, 0, false);
        lab_must(lab, kifu_save(lab, in_folder(folder, "game.kifu"), NULL));
        ck_assert_str_eq(trace, "write, fsync of the file, rename, fsync of the folder");
    }
    remove_folder(folder);
    kifu_destroy(lab);
}
END_TEST

START_TEST(S04_a_call_that_fails_leaves_the_old_and_no_rubbish)
{
    static const int codes[] = {ENOSPC, EIO, EACCES, EPERM, EINVAL, ENOTSUP};
    static const char *const told[] = {"creating a file in the folder of '",
                                       "write of '",
                                       "fsync of '",
                                       "close of '",
                                       "replacing of '",
                                       "the new file is there, but open of '",
                                       "the new file is there, but fsync of '"};
    enum { CODES = sizeof codes / sizeof *codes, TOLD = sizeof told / sizeof *told };
    bool was_told[CODES][TOLD] = {{false}};
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    for (int i = 0; i < CODES; i++) {
        kifu_result result = KIFU_IO;
        for (int at = 1; result; at++) {
            write_old(path);
            arm(at, codes[i], false);
            result = kifu_save(lab, path, NULL);
            bool none_failed = calls < at;
            arm(0, 0, false);
            ck_assert_int_eq(count_files(folder), 1);
            const char *message = kifu_last_error(lab)->message;
            // A folder that cannot be synced: the new file is there. Who may not open it is not told.
            bool is_new = !result || strstr(message, "the new file is there");
            expect_old_or_new(path, kifu_event_count(lab), !is_new);
            if (result) {
                ck_assert_int_eq(result, KIFU_IO);
                ck_assert(names_path(message, is_new ? folder : path));
                ck_assert_ptr_nonnull(strstr(message, strerror(codes[i])));
                for (int k = 0; k < TOLD; k++)
                    was_told[i][k] |= !strncmp(message, told[k], strlen(told[k]));
            } else if (!none_failed)
                result = KIFU_IO; // a failure that does not matter: go on to the next
        }
    }
    for (int i = 0; i < CODES; i++) {
        for (int k = 0; k < TOLD; k++) {
            const bool may_not = k == 5 && (codes[i] == EACCES || codes[i] == EPERM);
            const bool cannot = k == 6 && (codes[i] == EINVAL || codes[i] == ENOTSUP);
            if (ON_WINDOWS) { // One file is closed, late; a denied replacement is tried again; there is no folder to
                              // open.
                const bool denied = codes[i] == EACCES || codes[i] == EPERM;
                ck_assert_msg(was_told[i][k] != (k == 3 || k == 5 || (k == 4 && denied)), "%s: %s", strerror(codes[i]),
                              told[k]);
                continue;
            }
            ck_assert_msg(was_told[i][k] != (may_not || cannot), "%s: %s", strerror(codes[i]), told[k]);
        }
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S04_a_full_disk_is_named_with_what_to_do)
{
    static const int codes[] = {ENOSPC, NOTHING};
    char *folder = new_folder();
    kifu_timeline *lab = waiting_game(NULL);
    for (int i = 0; i < 2; i++) {
        const char *message = "";
        for (int at = 1; !strstr(message, "write"); at++) {
            arm(at, codes[i], false);
            kifu_result result = kifu_save(lab, in_folder(folder, "a.kifu"), NULL);
            arm(0, 0, false);
            message = result ? kifu_last_error(lab)->message : "";
            ck_assert_int_lt(at, 100);
            unlink(result ? "" : in_folder(folder, "a.kifu"));
        }
        ck_assert_ptr_nonnull(strstr(message, "the disk is full: free some space"));
    }
    ck_assert_int_eq(count_files(folder), 0);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// The file is written under a name of its own, beside the old one; somebody may have left a file of that name.
START_TEST(S04_a_temporary_name_that_is_taken_is_tried_again_ten_times_at_most)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    enum { TRY = 2 }; // opening it to write and to lock it
    write_old(path);
    arm(1, EEXIST, true);
    ck_assert_int_eq(kifu_save(lab, path, NULL), KIFU_IO);
    ck_assert_int_eq(calls, ON_WINDOWS ? 100 * TRY : 1000 * TRY); // names that all processes share
    arm(0, 0, false);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, strerror(EEXIST)));
    expect_old_or_new(path, kifu_event_count(lab), true);
    arm(1, EEXIST, false);
    lab_must(lab, kifu_save(lab, path, NULL));
    arm(0, 0, false);
    must_have_new(path, kifu_event_count(lab));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S04_where_a_temporary_name_is_taken_the_next_one_serves)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    write_old(path);
    char taken[4][40];
    for (int i = 0; i < 4; i++) {
        snprintf(taken[i], sizeof taken[i], ".kifu-%016x.tmp", (unsigned)i);
        ck_assert_int_eq(mkdir(in_folder(folder, taken[i]), 0700), 0);
    }
    without_random = without_clock = true; // No name is made up.
    lab_must(lab, kifu_save(lab, path, NULL));
    without_random = without_clock = false;
    must_have_new(path, kifu_event_count(lab));
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(rmdir(in_folder(folder, taken[i])), 0);
    ck_assert_int_eq(count_files(folder), 1);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(without_random_numbers_and_clock_a_game_needs_a_seed)
{
    kifu_timeline *lab = lab_new(NULL);
    without_random = without_clock = true;
    lab_submit_e_initialize(lab, NULL);
    ck_assert_int_eq(kifu_run(lab), KIFU_REJECTED);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "set kifu_options.seed"));
    without_clock = false;
    without_random = !ON_WINDOWS; // There, the clock gives no seed.
    lab_submit_e_initialize(lab, NULL);
    lab_must(lab, kifu_run(lab));
    kifu_destroy(lab);
}
END_TEST

START_TEST(S04_each_refusal_of_the_system_comes_with_what_to_do)
{
    static const struct {
        int code;
        const char *what;
    } cases[] = {{EROFS, "choose another place"},      {EPERM, "the permissions"},
                 {ENOTDIR, "which part of the path"},  {EISDIR, "which part of the path"},
                 {ENAMETOOLONG, "a shorter name"},     {EMFILE, "too many files are open"},
                 {ENFILE, "too many files are open"},  {EIO, "the disk may be failing"},
                 {ENXIO, "the path, the permissions"}, {-7, "failed: error -7; check"}};
    char *folder = new_folder();
    kifu_timeline *lab = lab_new(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int code = cases[i].code;
        if (ON_WINDOWS && (code == ENOTDIR || code == EISDIR || code == ENFILE || code == -7)) // not told apart there
            continue;
        arm(3, cases[i].code, false); // the first two are of the name's random number
        ck_assert_int_eq(kifu_save(lab, in_folder(folder, "a.kifu"), NULL), KIFU_IO);
        arm(0, 0, false);
        ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, cases[i].what));
    }
    ck_assert_int_eq(count_files(folder), 0);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Of reads, writes and syncs. A program that catches signals need not know.
START_TEST(S04_a_call_that_a_signal_interrupts_is_made_again)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    kifu_error error;
    int again = 0;
    bool reached = true;
    for (int at = 1; reached; at++) {
        write_old(path);
        arm(at, EINTR, false);
        const kifu_result saved = kifu_save(lab, path, NULL);
        reached = calls >= at;
        again += reached && !saved;
        const char *message = saved ? kifu_last_error(lab)->message : "";
        ck_assert_msg(!strstr(message, "write of '") && !strstr(message, "fsync of '"), "%s", message);
        arm(0, 0, false);
        expect_old_or_new(path, kifu_event_count(lab), false);
    }
    ck_assert_int_ge(again, 3);
    cannot_map = true; // so it is read
    again = 0;
    reached = true;
    for (int at = 1; reached; at++) {
        arm(at, EINTR, false);
        const kifu_result result = kifu_load(&lab_rules, path, NULL, NULL, &loaded, &error);
        reached = calls >= at;
        again += reached && !result;
        arm(0, 0, false);
        ck_assert_msg(!result || !strstr(error.message, "read of '"), "%s", error.message);
        if (!result)
            kifu_destroy(loaded);
    }
    cannot_map = false;
    ck_assert_int_ge(again, 1);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S04_a_loaded_game_saves_over_the_file_it_came_from)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL), *loaded;
    for (int i = 0; i < 20000; i++)
        lab_do(lab, 0, "+", 1);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_save(lab, path, NULL));
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, NULL), KIFU_OK);
    for (int i = 0; i < 3; i++) {
        lab_must(loaded, lab_play(loaded, "-"));
        lab_must(loaded, kifu_save(loaded, path, NULL));
    }
    ck_assert_int_eq(lab_get_state(loaded)->total, 19997);
    kifu_event event;
    ck_assert(kifu_event_at(loaded, 11111, &event));
    ck_assert_str_eq(lab_p_do_script(event.table), "+");
    kifu_destroy(lab);
    kifu_destroy(loaded);
    remove_folder(folder);
}
END_TEST

// The next file that is opened has the number 0.
START_TEST(S04_a_process_without_standard_input_saves_and_loads)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    close(0);
    without_clock = true; // so the system's random numbers are needed
    const int before = open_files();
    for (int i = 0; i < 2; i++) {
        lab_must(lab, kifu_save(lab, path, NULL));
        must_have_new(path, kifu_event_count(lab));
        cannot_map = !i;
        int count = 0;
        ck_assert_int_eq(kifu_read_save_info(path, count_visits, &count, NULL, NULL), KIFU_OK);
        ck_assert_int_eq(count, 1);
        ck_assert_int_eq(open_files(), before);
    }
    ck_assert_int_eq(count_files(folder), 1);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S04_permissions_stay_as_they_were)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    struct stat info;
    write_old(path);
    static const mode_t modes[] = {0640, 0600, 0622};
    for (int i = 0; i < 3; i++) {
        const mode_t mode = modes[i];
        if (i == 2) // 0622 needs more than the umask allows, and the file becomes number 0.
            ck_assert_int_eq(close(STDIN_FILENO), 0);
        ck_assert_int_eq(chmod(path, mode), 0);
        write_old(path);
        ck_assert_uint_eq(created_mode, mode & 0700); // from the beginning, so that nobody else ever has it open
        ck_assert_int_eq(stat(path, &info), 0);
        ck_assert_uint_eq(info.st_mode & 0777, mode);
    }
    remove_folder(folder);
}
END_TEST

// --- Reading under faults --------------------------------------------------------------------------------------------

START_TEST(a_file_that_cannot_be_mapped_is_read)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    lab_must(lab, kifu_save(lab, path, NULL));
    lab_picture before = lab_look(lab);
    cannot_map = true;
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, NULL), KIFU_OK);
    cannot_map = false;
    lab_same(loaded, &before);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(a_load_maps_the_file_and_a_listing_reads_its_beginning)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    int visits = 0;
    lab_must(lab, kifu_save(lab, path, NULL));
    maps_ever = 0;
    ck_assert_int_eq(kifu_list_saves(folder, count_visits, &visits, NULL, NULL), KIFU_OK);
    ck_assert_int_eq(visits, 1);
    ck_assert_int_eq(maps_ever, 0);
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, NULL), KIFU_OK);
    ck_assert_int_eq(maps_ever, ON_WINDOWS ? 0 : 1); // There, a mapped file could not be replaced.
    kifu_destroy(loaded);
    ck_assert_int_eq(maps, 0);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(a_call_that_fails_while_reading_is_told)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    lab_must(lab, kifu_save(lab, path, NULL));
    int failures = 0;
    for (int way = 0; way < 4; way++) {
        bool reached = true;
        for (int at = 1; reached; at++) {
            kifu_timeline *loaded = NULL;
            kifu_error error = {0};
            int visits = 0;
            cannot_map = way == 1;
            arm(at, EIO, false);
            kifu_result result = way < 2    ? kifu_load(&lab_rules, path, NULL, NULL, &loaded, &error)
                                 : way == 2 ? kifu_read_save_info(path, count_visits, &visits, NULL, &error)
                                            : kifu_list_saves(folder, count_visits, &visits, NULL, &error);
            reached = calls >= at;
            arm(0, 0, false);
            cannot_map = false;
            ck_assert(result == KIFU_OK || result == KIFU_IO);
            if (result) {
                failures++;
                ck_assert_ptr_null(loaded);
                ck_assert(names_path(error.message, folder));
                ck_assert_ptr_nonnull(strstr(error.message, strerror(EIO)));
            } else if (way < 2)
                kifu_destroy(loaded);
            else
                ck_assert_int_eq(visits, 1);
        }
    }
    ck_assert_int_gt(failures, 10);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(whatever_fails_no_file_stays_open_or_mapped)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    lab_must(lab, kifu_save(lab, path, NULL));
    const int before = open_files();
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    for (int way = 0; way < 5; way++) {
        bool reached = true;
        for (int at = 1; reached; at++) {
            kifu_timeline *loaded = NULL;
            int visits = 0;
            cannot_map = way == 1;
            arm(at, EIO, false);
            if (way < 2)
                (void)!kifu_load(&lab_rules, path, &options, NULL, &loaded, NULL);
            else if (way == 2)
                (void)!kifu_read_save_info(path, count_visits, &visits, LIST_WITH(&memory), NULL);
            else if (way == 3)
                (void)!kifu_list_saves(folder, count_visits, &visits, LIST_WITH(&memory), NULL);
            else
                (void)!kifu_save(lab, path, NULL);
            reached = calls >= at;
            arm(0, 0, false);
            kifu_destroy(loaded);
            ck_assert_int_eq(open_files(), before);
            ck_assert_int_eq(maps, 0);
            ck_assert_int_eq(memory.blocks, 0);
        }
    }
    cannot_map = false;
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Another process may cut it off.
START_TEST(a_file_that_becomes_shorter_while_it_is_read_is_damaged)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    kifu_error error;
    lab_must(lab, kifu_save(lab, path, NULL));
    cannot_map = true;
    arm(4, NOTHING, false); // open, fstat, the first thousand bytes
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, &error), KIFU_DAMAGED);
    ck_assert_int_eq(calls, 5);
    ck_assert_uint_le(error.offset, 1000);
    cannot_map = false;
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// --- Names -----------------------------------------------------------------------------------------------------------

START_TEST(S07_a_folder_gives_the_name_by_local_time)
{
    setenv("TZ", "UTC", 1);
    tzset();
    char *folder = new_folder();
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 3; i++)
        lab_must(lab, save_at(lab, folder, NULL, 1700000000));
    ck_assert_int_eq(count_files(folder), 3);
    ck_assert_int_eq(access(in_folder(folder, "2023_11_14_22_13_20.kifu"), R_OK), 0);
    ck_assert_int_eq(access(in_folder(folder, "2023_11_14_22_13_20_2.kifu"), R_OK), 0);
    ck_assert_int_eq(access(in_folder(folder, "2023_11_14_22_13_20_3.kifu"), R_OK), 0);
    lab_must(lab, kifu_save(lab, folder, NULL));
    ck_assert_int_eq(count_files(folder), 4);
    setenv("TZ", "XYZ-5", 1);
    tzset();
    lab_must(lab, save_at(lab, folder, NULL, 1700000000));
    ck_assert_int_eq(access(in_folder(folder, "2023_11_15_03_13_20.kifu"), R_OK), 0);
    const int64_t year_10000 = 253402300800;
    lab_must(lab, save_at(lab, folder, NULL, year_10000));
    ck_assert_int_eq(access(in_folder(folder, "0000_00_00_00_00_00.kifu"), R_OK), 0);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(M04_S07_a_folder_that_is_missing_is_made)
{
    char *folder = new_folder(), path[4000];
    kifu_timeline *lab = lab_new(NULL);
    snprintf(path, sizeof path, "%s", in_folder(folder, "saves/"));
    lab_must(lab, kifu_save(lab, path, NULL));
    lab_must(lab, kifu_save(lab, path, NULL)); // now it is there
    ck_assert_int_eq(count_files(path), 2);
    snprintf(path, sizeof path, "%s", in_folder(folder, "log/"));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, kifu_log_close(lab, NULL));
    ck_assert_int_eq(count_files(path), 1);
    snprintf(path, sizeof path, "%s", in_folder(folder, "none/a.kifu")); // this names no folder to be made
    ck_assert_int_eq(kifu_save(lab, path, NULL), KIFU_IO);
    kifu_destroy(lab);
    snprintf(path, sizeof path, "%s", in_folder(folder, "saves/"));
    remove_folder(strdup(path));
    snprintf(path, sizeof path, "%s", in_folder(folder, "log/"));
    remove_folder(strdup(path));
    remove_folder(folder);
}
END_TEST

START_TEST(a_name_alone_is_of_a_file_in_the_working_folder)
{
    char *folder = new_folder();
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_int_eq(chdir(folder), 0);
    arm(0, 0, false);
    lab_must(lab, kifu_save(lab, "a.kifu", NULL));
    ck_assert_str_eq(trace, "write, fsync of the file, rename, fsync of the folder");
    ck_assert_int_eq(count_files(folder), 1);
    must_have_new(in_folder(folder, "a.kifu"), 0);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(a_path_that_leads_nowhere_is_named)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    ck_assert_int_eq(kifu_save(lab, "/nowhere/at/all.kifu", NULL), KIFU_IO);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "/nowhere/at/all.kifu"));
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "check the path"));
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "the file or a folder in it is not there"));
    ck_assert_int_eq(kifu_save(lab, "/nowhere/at/", NULL), KIFU_IO);
    ck_assert_int_eq(kifu_save(lab, "", NULL), KIFU_IO);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S04_a_process_that_dies_at_any_step_leaves_the_old_or_the_new,
        F03_a_save_is_on_the_disk_before_it_has_its_name,
        S04_a_call_that_fails_leaves_the_old_and_no_rubbish,
        S04_a_full_disk_is_named_with_what_to_do,
        S04_a_temporary_name_that_is_taken_is_tried_again_ten_times_at_most,
        S04_where_a_temporary_name_is_taken_the_next_one_serves,
        without_random_numbers_and_clock_a_game_needs_a_seed,
        S04_a_loaded_game_saves_over_the_file_it_came_from,
        S04_a_process_without_standard_input_saves_and_loads,
        S04_permissions_stay_as_they_were,
        a_file_that_cannot_be_mapped_is_read,
        a_load_maps_the_file_and_a_listing_reads_its_beginning,
        a_call_that_fails_while_reading_is_told,
        whatever_fails_no_file_stays_open_or_mapped,
        a_file_that_becomes_shorter_while_it_is_read_is_damaged,
        S07_a_folder_gives_the_name_by_local_time,
        M04_S07_a_folder_that_is_missing_is_made,
        a_name_alone_is_of_a_file_in_the_working_folder,
        a_path_that_leads_nowhere_is_named,
        S04_each_refusal_of_the_system_comes_with_what_to_do,
        S04_a_call_that_a_signal_interrupts_is_made_again,
    };
    return run_suite("save faults", tests, sizeof tests / sizeof *tests);
}
