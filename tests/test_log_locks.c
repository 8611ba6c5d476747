// One program at a time has a log file open.

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "log_file_help.h"
#include "suite.h"

static bool without_locks;

int __real_flock(int file, int operation);
int __wrap_flock(int file, int operation);
int __wrap_flock(int file, int operation)
{
    if (without_locks)
        errno = ENOLCK;
    return without_locks ? -1 : __real_flock(file, operation);
}

static bool has_lock(const char *folder)
{
    return access(in_folder(folder, ".a.kifu.lock"), F_OK) == 0;
}

START_TEST(F82_one_timeline_at_a_time_has_a_log_file)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu"), *link = stay_at(folder, OTHER_NAME);
    const int files = open_files();
    kifu_timeline *lab = lab_new(NULL), *other = rich_game(NULL);
    make_other_name(link);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    ck_assert(has_lock(folder));
    for (int i = 0; i < 4; i++) {
        const char *by = i & 1 ? link : path;
        ck_assert_int_eq(kifu_log_open(other, by, NULL), KIFU_IN_USE);
        ck_assert(names_path(kifu_last_error(other)->message, by));
        ck_assert_int_eq(kifu_log_open(other, by, &(kifu_save_options){.overwrite = true}), KIFU_IN_USE);
        ck_assert_int_eq(kifu_log_append(other), KIFU_MISUSE);
        lab_must(lab, lab_play(lab, "+"));
        append(lab, path);
        const int lock = open(in_folder(folder, ".a.kifu.lock"), O_RDWR); // This would end a lock of fcntl.
        ck_assert(ON_WINDOWS ? lock < 0 : lock >= 0);                     // There, nobody else can open it.
        if (lock >= 0)
            close(lock);
    }
    lab_must(other, kifu_log_open(other, in_folder(folder, "b.kifu"), NULL));
    lab_must(other, kifu_log_close(other, NULL));
    lab_must(lab, kifu_log_close(lab, NULL));
    ck_assert(!has_lock(folder));
    lab_must(other, kifu_log_open(other, link, NULL));
    ck_assert(has_lock(folder));
    ck_assert_int_eq(kifu_log_open(lab, path, NULL), KIFU_IN_USE);
    kifu_destroy(other); // without a close
    ck_assert(!has_lock(folder));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    kifu_destroy(lab);
    ck_assert_int_eq(open_files(), files);
    remove_folder(folder);
}
END_TEST

// A process that has the log file open, until it is killed or gets a byte. In `ends`, it says that it has.
static pid_t hold_elsewhere(const char *path, int ends[2])
{
    int told[2];
    char byte = 0;
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pipe(told), 0);
    const pid_t child = fork();
    if (child == 0) {
        kifu_timeline *lab = rich_game(NULL);
        kifu_result result = kifu_log_open(lab, path, NULL);
        (void)!write(told[1], &byte, 1);
        close(ends[1]);
        (void)!read(ends[0], &byte, 1);
        _exit(result || kifu_log_close(lab, NULL) ? 1 : 0);
    }
    ck_assert_int_eq(read(told[0], &byte, 1), 1);
    close(told[0]);
    close(told[1]);
    close(ends[0]);
    return child;
}

static bool note_path(void *seen, const kifu_save_info *info)
{
    snprintf((char *)seen, 700, "%s", info->error ? "an error" : info->path);
    return true;
}

START_TEST(F82_one_process_at_a_time_has_a_log_file)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu");
    for (int killed = 0; killed < 2; killed++) {
        int ends[2], status;
        const pid_t child = hold_elsewhere(path, ends);
        kifu_timeline *lab = rich_game(NULL);
        ck_assert_int_eq(kifu_log_open(lab, path, NULL), KIFU_IN_USE);
        kifu_timeline *reader = recover(path, NULL); // Readers never wait, and see no lock.
        char seen[700] = "";
        ck_assert_int_eq(kifu_list_saves(folder, note_path, seen, NULL, NULL), KIFU_OK);
        ck_assert_str_eq(seen, path);
        kifu_destroy(reader);
        if (killed)
            ck_assert_int_eq(kill(child, SIGKILL), 0);
        close(ends[1]);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(killed ? WIFSIGNALED(status) : WIFEXITED(status) && !WEXITSTATUS(status));
        ck_assert_int_eq(has_lock(folder), killed);
        lab_must(lab, kifu_log_open(lab, path, NULL));
        lab_must(lab, kifu_log_close(lab, NULL));
        ck_assert(!has_lock(folder)); // also what the killed one left
        kifu_destroy(lab);
    }
    remove_folder(folder);
}
END_TEST

// A child shares the lock, and what it closes stays open here.
START_TEST(F82_a_child_does_not_end_the_lock)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL), *other = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    const pid_t child = fork();
    if (child == 0) {
        kifu_destroy(lab);
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(has_lock(folder));
    ck_assert_int_eq(kifu_log_open(other, path, NULL), KIFU_IN_USE);
    kifu_destroy(lab);
    lab_must(other, kifu_log_open(other, path, NULL));
    kifu_destroy(other);
    remove_folder(folder);
}
END_TEST

// Each removes the file of its lock when it ends, while others wait for it.
START_TEST(F82_processes_that_come_and_go_never_have_it_together)
{
    enum { PROCESSES = 4, OPENED = 60 };
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu");
    int *inside = (int *)mmap(NULL, sizeof *inside, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(inside, MAP_FAILED);
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] != 0)
            continue;
        kifu_timeline *lab = lab_new(NULL);
        bool alone = true;
        for (int opened = 0; opened < OPENED;) {
            kifu_result result = kifu_log_open(lab, path, NULL);
            if (result == KIFU_IN_USE)
                continue;
            alone = alone && !result && __atomic_add_fetch(inside, 1, __ATOMIC_SEQ_CST) == 1;
            opened++;
            __atomic_sub_fetch(inside, 1, __ATOMIC_SEQ_CST);
            kifu_destroy(lab);
            lab = lab_new(NULL);
        }
        _exit(alone ? 0 : 1);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %d", i);
    }
    ck_assert(!has_lock(folder));
    munmap(inside, sizeof *inside);
    remove_folder(folder);
}
END_TEST

START_TEST(F82_where_there_are_no_locks_log_files_open)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu");
    const int files = open_files();
    kifu_timeline *lab = rich_game(NULL);
    without_locks = true;
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+"));
    append(lab, path);
    without_locks = false;
    lab_must(lab, kifu_log_close(lab, NULL));
    ck_assert_int_eq(open_files(), files);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// As long as a name may be.
START_TEST(F82_a_long_name_has_a_lock)
{
    char *folder = new_folder(), name[256];
    memset(name, 'n', 255);
    memcpy(name + 250, ".kifu", 6);
    const char *path = stay_at(folder, name);
    kifu_timeline *lab = rich_game(NULL), *other = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    ck_assert_int_eq(kifu_log_open(other, path, NULL), KIFU_IN_USE);
    lab_must(lab, kifu_log_close(lab, NULL));
    lab_must(other, kifu_log_open(other, path, NULL));
    kifu_destroy(other);
    kifu_destroy(lab);
    ck_assert_int_eq(count_files(folder), 1);
    remove_folder(folder);
}
END_TEST

// A file that is open to all others, or not a file at all, is no reason to go on without a lock.
START_TEST(F82_a_lock_that_cannot_be_made_is_an_error)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu"), *lock = stay_at(folder, ".a.kifu.lock");
    kifu_timeline *lab = rich_game(NULL);
    ck_assert_int_eq(ON_WINDOWS ? mkdir(lock, 0700) : symlink("elsewhere", lock), 0);
    ck_assert_int_eq(kifu_log_open(lab, path, NULL), KIFU_IO);
    must_say(lab, ".a.kifu.lock");
    ck_assert_int_eq(access(path, F_OK), -1);
    ck_assert_int_eq(ON_WINDOWS ? rmdir(lock) : unlink(lock), 0);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F82_one_timeline_at_a_time_has_a_log_file,   F82_one_process_at_a_time_has_a_log_file,
        F82_a_child_does_not_end_the_lock,           F82_processes_that_come_and_go_never_have_it_together,
        F82_where_there_are_no_locks_log_files_open, F82_a_long_name_has_a_lock,
        F82_a_lock_that_cannot_be_made_is_an_error,
    };
    return run_suite("log locks", tests, sizeof tests / sizeof *tests);
}
