// Log files where the operating system fails, memory ends or the process dies: nothing that was appended is lost.

#include <kifu/changes.h>
#include <signal.h>
#include <sys/wait.h>

#include "faulty_os.h"
#include "log_file_help.h"
#include "suite.h"

// --- The operating system -------------------------------------------------------------------------------------------

static int syncs;

int __real_ftruncate(int file, off_t size);
int __wrap_ftruncate(int file, off_t size);
int __wrap_fsync(int file);

int __wrap_ftruncate(int file, off_t size)
{
    return fault() ? -1 : __real_ftruncate(file, size);
}

int __real_fstat(int file, struct stat *info);
int __real_stat(const char *path, struct stat *info);
char *__real_getcwd(char *folder, size_t size);
int __wrap_fstat(int file, struct stat *info);
int __wrap_stat(const char *path, struct stat *info);
char *__wrap_getcwd(char *folder, size_t size);

int __wrap_fstat(int file, struct stat *info)
{
    return fault() ? -1 : __real_fstat(file, info);
}

static bool on_another_disk; // Files have the numbers there that they had on the first.

int __wrap_stat(const char *path, struct stat *info)
{
    const int result = __real_stat(path, info);
    info->st_dev += on_another_disk;
    return result;
}

static bool without_folder;

char *__wrap_getcwd(char *folder, size_t size)
{
    return without_folder ? NULL : __real_getcwd(folder, size);
}

// No power fails here, and disks are slow.
int __wrap_fsync(int file)
{
    struct stat info;
    syncs++;
    if (fault())
        return -1;
    if (!__real_fstat(file, &info))
        trace_sync(&info);
    return 0;
}

// --- Disks and memory that fail --------------------------------------------------------------------------------------

// A game before and after something happened, of which the file has one or the other.
static void expect_either(const char *path, kifu_timeline *before, kifu_timeline *after)
{
    kifu_timeline *found = recover(path, NULL);
    uint32_t count = kifu_event_count(found);
    expect_same(found, count == kifu_event_count(after) ? after : before);
    kifu_destroy(found);
}

START_TEST(S04_an_append_that_fails_leaves_game_and_file_and_is_made_up_for)
{
    static const int codes[] = {ENOSPC, EIO};
    char *folder = new_folder();
    const int files = open_files();
    const char *path = in_folder(folder, "a.kifu");
    for (int way = 0; way < 8; way++) { // which code, whether all that follows fails, durable or not
        bool reached = true;
        for (int at = 1; reached; at++) {
            kifu_timeline *lab = rich_game(NULL);
            lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.durable = way & 4}));
            kifu_timeline *before = reload(lab, NULL);
            lab_must(lab, lab_play(lab, "+(+)(-)(+(+)(+))"));
            kifu_timeline *after = reload(lab, NULL);
            arm(at, codes[way & 1], way & 2);
            kifu_result result = kifu_log_append(lab);
            reached = calls >= at;
            arm(0, 0, false);
            expect_same(lab, after);
            ck_assert_int_eq(count_files(folder), 1);
            expect_either(path, before, after);
            if (result) {
                ck_assert_int_eq(result, KIFU_IO);
                ck_assert(names_path(kifu_last_error(lab)->message, path));
                ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, strerror(codes[way & 1])));
            } else
                expect_in_file(lab, path);
            append(lab, path);
            lab_must(lab, lab_play(lab, "2"));
            append(lab, path);
            ck_assert_int_eq(count_files(folder), 1);
            lab_must(lab, kifu_log_close(lab, NULL));
            kifu_destroy(lab);
            kifu_destroy(before);
            kifu_destroy(after);
            ck_assert_int_eq(open_files(), files);
        }
    }
    remove_folder(folder);
}
END_TEST

START_TEST(S04_a_torn_append_that_cannot_be_cut_off_is_written_anew)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    char script[1501];
    memset(script, '0', 1500);
    script[1500] = '\0';
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_do(lab, 0, script, 0);
    lab_must(lab, kifu_run(lab));
    arm(1, ENOSPC, true);
    ck_assert_int_eq(kifu_log_append(lab), KIFU_IO);
    arm(0, 0, false);
    must_say(lab, "the disk is full: free some space");
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "+")); // which is shorter than what is behind the file's end
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S04_a_file_of_the_same_number_on_another_disk_is_another_file)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+"));
    arm(0, 0, false);
    on_another_disk = true;
    lab_must(lab, kifu_log_append(lab));
    on_another_disk = false;
    ck_assert_ptr_nonnull(strstr(trace, "rename")); // It is written anew
    expect_in_file(lab, path);
    arm(0, 0, false);
    lab_must(lab, lab_play(lab, "+"));
    append(lab, path);
    ck_assert_str_eq(trace, "write");
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S04_a_working_folder_without_a_name_still_holds_the_file)
{
    char *folder = new_folder();
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_int_eq(chdir(folder), 0);
    without_folder = true;
    lab_must(lab, kifu_log_open(lab, "a.kifu", NULL));
    without_folder = false;
    lab_must(lab, lab_play(lab, "+"));
    append(lab, in_folder(folder, "a.kifu"));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// It has become long, and is written anew; where that cannot be, it grows on.
START_TEST(S04_a_long_file_that_cannot_be_written_anew_grows_on)
{
    enum { LONG = 1 << 20 };
    char *folder = new_folder(), *script = malloc(LONG + 1);
    const char *path = in_folder(folder, "a.kifu");
    memset(script, 'x', LONG);
    script[LONG] = '\0';
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_do(lab, 0, script, 0);
    lab_must(lab, kifu_run(lab));
    while (size_of(path) < (16 << 20)) {
        lab_must(lab, kifu_log_append(lab));
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_log_append(lab));
        lab_do(lab, 0, script, 0);
        lab_must(lab, kifu_run(lab));
    }
    const size_t before = size_of(path);
    arm(1, EACCES, false); // The new file cannot be made.
    kifu_result result = kifu_log_append(lab);
    arm(0, 0, false);
    lab_must(lab, result);
    ck_assert_uint_gt(size_of(path), before);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_log_append(lab));
    ck_assert_uint_lt(size_of(path), 2 * LONG);
    expect_in_file(lab, path);
    const size_t anew = size_of(path);
    size_t longest = anew;
    script[LONG / 16] = '\0';
    for (;; longest = size_of(path)) { // Long is four times as long as then, besides the 16 MiB.
        lab_do(lab, 0, script, 0);
        lab_must(lab, kifu_run(lab));
        lab_must(lab, kifu_log_append(lab));
        if (size_of(path) < longest)
            break;
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_log_append(lab));
    }
    ck_assert_uint_gt(longest, (16 << 20) + 4 * anew - LONG / 8);
    ck_assert_uint_le(longest, (16 << 20) + 4 * anew);
    kifu_destroy(lab);
    free(script);
    remove_folder(folder);
}
END_TEST

// The next file that is opened has the number 0.
START_TEST(S04_a_process_without_standard_input_has_log_files)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    close(0);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+"));
    append(lab, path);
    lab_must(lab, kifu_log_close(lab, NULL));
    errno = 0;
    ck_assert(ON_WINDOWS || (fcntl(0, F_GETFD) == -1 && errno == EBADF)); // Files have no numbers there.
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// The system may take what it could not write for written.
START_TEST(S04_after_a_failed_sync_the_file_is_written_anew)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    struct stat before, after;
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.durable = true}));
    ck_assert_int_eq(stat(path, &before), 0);
    lab_must(lab, lab_play(lab, "+"));
    arm(2, EIO, false);
    ck_assert_int_eq(kifu_log_append(lab), KIFU_IO);
    arm(0, 0, false);
    must_say(lab, "fsync");
    append(lab, path);
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert(before.st_ino != after.st_ino);
    lab_must(lab, lab_play(lab, "+"));
    append(lab, path);
    ck_assert_int_eq(stat(path, &before), 0); // From there on it grows again
    ck_assert(before.st_ino == after.st_ino);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

static kifu_stream_position followed_to; // By whom `expect_followed` got the game for.

// Others get its changes: all of it, or, where they have followed it, what has happened since.
static void expect_followed(kifu_timeline *lab, bool since)
{
    kifu_changes changes;
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_changes_since(lab, since ? &followed_to : NULL, &changes));
    ck_assert_int_eq(changes.whole, !since);
    ck_assert_uint_gt(changes.size, 0);
    followed_to = changes.until;
    kifu_free_bytes(lab, changes.bytes);
}

// After a restart, the commits since a follower's position are in the file alone.
START_TEST(M08_R06_where_the_file_cannot_be_read_its_commits_are_told_later)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    kifu_changes changes;
    lab_must(lab, kifu_log_open(lab, path, NULL));
    expect_followed(lab, false);
    append(lab, path);
    lab_must(lab, lab_play(lab, "-"));
    append(lab, path);
    const uint64_t hash = kifu_state_hash(lab);
    kifu_destroy(lab);
    bool reached = true;
    int failures = 0;
    for (int at = 1; reached; at++) {
        loaded = recover(path, NULL);
        lab_must(loaded, kifu_log_open(loaded, path, NULL));
        arm(at, EIO, false);
        const kifu_result result = kifu_changes_since(loaded, &followed_to, &changes);
        reached = calls >= at;
        arm(0, 0, false);
        failures += result != KIFU_OK;
        if (result) {
            ck_assert_int_eq(result, KIFU_IO);
            ck_assert(
                names_path(kifu_last_error(loaded)->message, path)); // A message has room for a part of a long one.
            lab_must(loaded, kifu_changes_since(loaded, &followed_to, &changes));
        }
        ck_assert(changes.size && !changes.whole);
        ck_assert_uint_eq(kifu_state_hash(loaded), hash);
        kifu_free_bytes(loaded, changes.bytes);
        kifu_destroy(loaded);
    }
    ck_assert_int_gt(failures, 0);
    remove_folder(folder);
}
END_TEST

// It is written anew where it can be read, but not be opened to go on.
START_TEST(M08_R06_a_log_file_that_was_loaded_stays_as_it_is_where_it_cannot_be_read)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *lab = lab_started(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab));
    kifu_destroy(lab);
    size_t size, now_size;
    unsigned char *bytes = read_bytes(path, &size);
    int anew = 0, refused = 0, failed = 1;
    for (int at = 1; failed; at++) {
        lab = recover(path, NULL);
        arm(at, EIO, false);
        const kifu_result result = kifu_log_open(lab, path, NULL);
        failed = calls >= at;
        arm(0, 0, false);
        unsigned char *now = read_bytes(path, &now_size);
        const bool same = size == now_size && !memcmp(bytes, now, size);
        must_be(!result || (result == KIFU_IO && same && failed));
        anew += !same;
        refused += result != KIFU_OK;
        free(now);
        kifu_destroy(lab);
        write_bytes(path, bytes, size);
    }
    ck_assert_int_eq(anew, 2);
    ck_assert_int_ge(refused, 1);
    free(bytes);
    remove_folder(folder);
}
END_TEST

START_TEST(S04_open_and_close_fail_whole)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    const int before_all = open_files();
    bool told_of_fstat = false;
    for (int way = 0; way < 2; way++) {
        bool reached = true;
        int failures = 0;
        for (int at = 1; reached; at++) {
            kifu_timeline *old = lab_new(NULL), *lab = waiting_game(NULL);
            lab_must(old, lab_play(old, "+"));
            lab_must(old, kifu_save(old, path, NULL));
            if (way)
                lab_must(lab, kifu_log_open(lab, path, NULL));
            else if (at % 2)
                expect_followed(lab, false);
            arm(at, ENOSPC, false);
            kifu_result result = way ? kifu_log_close(lab, NULL) : kifu_log_open(lab, path, NULL);
            reached = calls >= at;
            arm(0, 0, false);
            failures += result != KIFU_OK;
            told_of_fstat |= result && strstr(kifu_last_error(lab)->message, "fstat of '");
            ck_assert_int_eq(count_files(folder), 1);
            expect_either(path, way ? lab : old, lab);
            if (way ? result : !result) { // it is open
                ck_assert_int_eq(kifu_log_open(lab, path, NULL), KIFU_MISUSE);
                lab_must(lab, lab_play(lab, "+"));
                append(lab, path);
                lab_must(lab, kifu_log_close(lab, NULL));
            } else {
                ck_assert_int_eq(kifu_log_append(lab), KIFU_MISUSE);
                ck_assert_int_eq(kifu_log_close(lab, NULL), KIFU_MISUSE);
                expect_followed(lab, way == 0 && at % 2);
            }
            kifu_destroy(lab);
            kifu_destroy(old);
            ck_assert_int_eq(open_files(), before_all);
        }
        ck_assert_int_gt(failures, 6);
    }
    ck_assert(told_of_fstat);
    remove_folder(folder);
}
END_TEST

// One at a time, and all from one on.
START_TEST(S04_memory_may_end_at_any_allocation)
{
    char *folder = new_folder();
    const char *path = "a.kifu"; // a path that is to be made longer
    ck_assert_int_eq(chdir(folder), 0);
    for (int way = 0; way < 6; way++) {
        bool failed = true;
        for (long at = 0; failed; at++) {
            test_memory memory = {.until_failure = -1, .for_ever = way & 1};
            const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
            kifu_timeline *lab = rich_game(&options);
            if (way > 1)
                lab_must(lab, kifu_log_open(lab, path, NULL));
            lab_do(lab, 0, "+(r)(-)", 1);
            lab_must(lab, kifu_step(lab));
            if (way > 3) {
                lab_submit_p_add(lab, 0, 3);
                lab_must(lab, kifu_undo(lab));
            }
            memory.until_failure = at;
            kifu_result result = way > 1 ? kifu_log_append(lab) : kifu_log_open(lab, path, NULL);
            failed = memory.failed;
            memory.until_failure = -1;
            memory.failed = memory.for_ever = false;
            ck_assert_int_eq(result, failed ? KIFU_NO_MEMORY : KIFU_OK);
            if (way < 2 && result)
                lab_must(lab, kifu_log_open(lab, path, NULL));
            append(lab, path);
            kifu_destroy(lab);
            ck_assert_int_eq(memory.blocks, 0);
        }
    }
    ck_assert_int_eq(chdir("/"), 0);
    remove_folder(folder);
}
END_TEST

START_TEST(F03_a_log_file_is_on_the_disk_before_it_has_its_name)
{
    kifu_timeline *lab = rich_game(NULL);
    char *folder = new_folder();
    const char *const expected = "write, fsync of the file, rename, fsync of the folder";
    arm(0, 0, false);
    lab_must(lab, kifu_log_open(lab, in_folder(folder, "log.kifu"), NULL));
    ck_assert_str_eq(trace, expected);
    arm(0, 0, false);
    lab_must(lab, kifu_log_close(lab, NULL));
    ck_assert_str_eq(trace, expected);
    remove_folder(folder);
    kifu_destroy(lab);
}
END_TEST

START_TEST(durable_appends_are_on_the_disk)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    for (int durable = 0; durable < 2; durable++) {
        kifu_timeline *lab = lab_new(NULL);
        lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.durable = durable}));
        syncs = 0;
        for (int i = 0; i < 5; i++) {
            lab_must(lab, lab_play(lab, "+"));
            lab_must(lab, kifu_log_append(lab));
        }
        ck_assert_int_eq(syncs, durable ? 5 : 0);
        kifu_destroy(lab);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(nothing_new_writes_nothing)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, kifu_log_append(lab));
    arm(0, 0, false);
    for (int i = 0; i < 100; i++) {
        lab_must(lab, kifu_log_append(lab));
        lab_must(lab, kifu_update(lab, 0.01));
    }
    ck_assert_int_eq(calls, 0);
    lab_must(lab, kifu_redo(lab));
    lab_must(lab, kifu_log_append(lab));
    ck_assert_int_eq(calls, 2); // all frames in one write, and how the file is then
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// --- Processes that die ----------------------------------------------------------------------------------------------

START_TEST(S04_a_process_that_dies_at_any_call_leaves_what_was_appended)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    bool done = false;
    int deaths = 0;
    for (int at = 1; !done; at++) {
        kifu_timeline *lab = rich_game(NULL);
        lab_must(lab, kifu_log_open(lab, path, NULL));
        kifu_timeline *before = reload(lab, NULL);
        lab_must(lab, lab_play(lab, "+(+(+)(-))(-)"));
        pid_t child = fork();
        if (child == 0) {
            arm(at, 0, false);
            kifu_result result = kifu_log_append(lab);
            if (!result) {
                (void)!kifu_redo(lab);
                result = kifu_log_append(lab);
            }
            _exit(result || kifu_log_close(lab, NULL) ? 1 : 0);
        }
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFEXITED(status));
        done = WEXITSTATUS(status) == 0;
        deaths += !done;
        ck_assert(done || WEXITSTATUS(status) == 99);
        expect_either(path, before, lab);
        kifu_destroy(before);
        kifu_destroy(lab);
    }
    ck_assert_int_gt(deaths, 6);
    remove_folder(folder);
}
END_TEST

// The child tells after each append how many there were, until it is killed.
static void play_until_killed(const char *path, int tell)
{
    kifu_timeline *lab = lab_new(NULL);
    if (kifu_log_open(lab, path, NULL))
        _exit(1);
    for (uint32_t count = 1;; count++) {
        lab_submit_p_add(lab, 0, 1);
        if (kifu_run(lab) || kifu_log_append(lab) || write(tell, &count, sizeof count) != sizeof count)
            _exit(1);
    }
}

START_TEST(S04_a_killed_process_loses_nothing_that_was_appended)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    for (uint32_t round = 1; round <= 10; round++) {
        int ends[2];
        ck_assert_int_eq(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0)
            play_until_killed(path, ends[1]);
        close(ends[1]);
        uint32_t told = 0, last = 0;
        while (told < round * 37 && read(ends[0], &told, sizeof told) == sizeof told)
            last = told;
        ck_assert_int_eq(kill(child, SIGKILL), 0);
        while (read(ends[0], &told, sizeof told) == sizeof told)
            last = told;
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status));
        close(ends[0]);
        kifu_timeline *found = recover(path, NULL);
        uint32_t count = kifu_event_count(found);
        ck_assert_uint_ge(last, round * 37);
        ck_assert(count == last || count == last + 1); // it may have been killed before it could tell
        ck_assert_int_eq(lab_get_state(found)->total, count);
        kifu_destroy(found);
    }
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S04_an_append_that_fails_leaves_game_and_file_and_is_made_up_for,
        S04_a_torn_append_that_cannot_be_cut_off_is_written_anew,
        S04_a_file_of_the_same_number_on_another_disk_is_another_file,
        S04_a_working_folder_without_a_name_still_holds_the_file,
        S04_a_long_file_that_cannot_be_written_anew_grows_on,
        S04_a_process_without_standard_input_has_log_files,
        S04_after_a_failed_sync_the_file_is_written_anew,
        M08_R06_where_the_file_cannot_be_read_its_commits_are_told_later,
        M08_R06_a_log_file_that_was_loaded_stays_as_it_is_where_it_cannot_be_read,
        S04_open_and_close_fail_whole,
        S04_memory_may_end_at_any_allocation,
        F03_a_log_file_is_on_the_disk_before_it_has_its_name,
        durable_appends_are_on_the_disk,
        nothing_new_writes_nothing,
        S04_a_process_that_dies_at_any_call_leaves_what_was_appended,
        S04_a_killed_process_loses_nothing_that_was_appended,
    };
    return run_suite("log file faults", tests, sizeof tests / sizeof *tests);
}
