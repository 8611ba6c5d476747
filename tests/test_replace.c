// Whose place a save takes: links are followed, group and permissions stay, and what killed saves left goes away.

#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "log_file_help.h"
#include "suite.h"

// --- The operating system --------------------------------------------------------------------------------------------

static bool dies_at_write, dies_at_rename;
static int gate[2] = {-1, -1}; // A save waits there for a byte.

// Saves to one path, each of which begins where the one before it writes first. Each second one then finds no room.
enum { AT_ONCE = 6 };
static struct {
    const char *path;
    char *folder;
    kifu_timeline *labs[AT_ONCE];
    int begun, current, most_files; ///< How many there are, and which one is being written.
} at_once;

static void save_at_once(void)
{
    const int outer = at_once.current, own = at_once.begun++;
    at_once.current = own;
    ck_assert_int_eq(kifu_save(at_once.labs[own], at_once.path, NULL), own % 2 ? KIFU_IO : KIFU_OK);
    at_once.current = outer;
}

ssize_t __real_pwrite(int file, const void *bytes, size_t size, off_t offset);
int __real_rename(const char *from, const char *to);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t offset);
int __wrap_rename(const char *from, const char *to);

ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    if (dies_at_write)
        _exit(99);
    if (at_once.path) {
        if (at_once.begun == at_once.current + 1 && at_once.begun < AT_ONCE)
            save_at_once();
        else if (at_once.begun == AT_ONCE && count_files(at_once.folder) > at_once.most_files)
            at_once.most_files = count_files(at_once.folder);
        if (at_once.current % 2) {
            errno = ENOSPC;
            return -1;
        }
    }
    return __real_pwrite(file, bytes, size, offset);
}

int __wrap_rename(const char *from, const char *to)
{
    char byte;
    if (dies_at_rename)
        _exit(99);
    if (gate[0] >= 0)
        (void)!read(gate[0], &byte, 1);
    return __real_rename(from, to);
}

static void must_load(const char *path, const kifu_timeline *lab)
{
    kifu_timeline *loaded;
    kifu_error error = {.message = ""};
    ck_assert_msg(kifu_load(&lab_rules, path, NULL, NULL, &loaded, &error) == KIFU_OK, "%s", error.message);
    ck_assert_uint_eq(kifu_event_count(loaded), kifu_event_count(lab));
    kifu_destroy(loaded);
}

// --- Links -----------------------------------------------------------------------------------------------------------

static void make_link(const char *to, const char *path)
{
    ck_assert_int_eq(symlink(to, path), 0);
}

static bool is_link(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

START_TEST(F53_a_symbolic_link_is_followed)
{
    char *folder = new_folder(), *other = new_folder();
    char whole[5000], relative[200];
    snprintf(whole, sizeof whole, "%starget.kifu", other);
    snprintf(relative, sizeof relative, "../%starget.kifu", other + strlen(other) - strlen("kifu-test-XXXXXX/"));
    const char *const links[] = {whole, relative, "first.kifu"}; // the last one to another link
    kifu_timeline *lab = waiting_game(NULL);
    for (int there = 0; there < 2; there++) { // the target is not there yet, or it is
        for (int i = 0; i < 3; i++) {
            const char *path = in_folder(folder, "a.kifu");
            if (i == 2)
                make_link(relative, in_folder(folder, "first.kifu"));
            make_link(links[i], path);
            if (there)
                write_bytes(whole, "old", 3);
            lab_must(lab, kifu_save(lab, path, NULL));
            ck_assert(is_link(path));
            ck_assert(!is_link(whole));
            must_load(whole, lab);
            ck_assert_int_eq(count_files(other), 1);
            lab_must(lab, kifu_log_open(lab, path, NULL));
            lab_must(lab, lab_play(lab, "+"));
            lab_must(lab, kifu_log_append(lab));
            lab_must(lab, kifu_log_close(lab, NULL));
            ck_assert(is_link(path));
            must_load(path, lab);
            ck_assert_int_eq(count_files(other), 1);
            ck_assert_int_eq(count_files(folder), i == 2 ? 2 : 1);
            unlink(path);
            unlink(whole);
            unlink(in_folder(folder, "first.kifu"));
        }
    }
    kifu_destroy(lab);
    remove_folder(folder);
    remove_folder(other);
}
END_TEST

START_TEST(F53_a_link_that_leads_nowhere_is_named)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu"), *back = in_folder(folder, "b.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    make_link("b.kifu", path);
    make_link("a.kifu", back);
    ck_assert_int_eq(kifu_save(lab, path, NULL), KIFU_IO);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, strerror(ELOOP)));
    ck_assert(is_link(path) && is_link(back));
    unlink(path);
    make_link("none/at/all.kifu", path);
    ck_assert_int_eq(kifu_save(lab, path, NULL), KIFU_IO);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, strerror(ENOENT)));
    ck_assert(is_link(path));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// A folder, a device, a pipe: as root, /dev/null itself would become a save.
START_TEST(F53_what_is_no_file_is_not_replaced)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu"), *link = in_folder(folder, "b.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    if (!ON_WINDOWS)
        make_link("a.kifu", link);
    for (int what = 0; what < (ON_WINDOWS ? 1 : 2); what++) {
        struct stat before, after;
        ck_assert_int_eq(what ? mkfifo(path, 0600) : mkdir(path, 0700), 0);
        ck_assert_int_eq(stat(path, &before), 0);
        for (int way = 0; way < 3; way++) {
            const char *to = way == 1 && !ON_WINDOWS ? link : path;
            ck_assert_int_eq(way == 2 ? kifu_log_open(lab, to, NULL) : kifu_save(lab, to, NULL), KIFU_IO);
            ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "is no file but a folder or a device"));
            ck_assert_int_eq(stat(path, &after), 0);
            ck_assert_uint_eq(before.st_ino, after.st_ino);
            ck_assert_int_eq(count_files(folder), ON_WINDOWS ? 1 : 2);
        }
        ck_assert_int_eq(what || !ON_WINDOWS ? remove(path) : rmdir(path), 0);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// --- Group and permissions -------------------------------------------------------------------------------------------

// As another user, whose only group is its own: in a process of its own, which is in the folder already, because that
// user may not be allowed to enter the folders above it.
static void save_as(unsigned user, const char *folder)
{
    kifu_timeline *lab = waiting_game(NULL);
    if (chdir(folder) || setgid(user) || setuid(user))
        _exit(2);
    _exit(kifu_save(lab, "a.kifu", NULL) ? 1 : 0);
}

START_TEST(F53_group_and_permissions_stay_where_the_system_lets_them)
{
    enum { USER = 54321, GROUP = 12345 };
    static const struct {
        unsigned user, group, saved_by, then_group, mode, then_mode;
    } cases[] = {
        {0, GROUP, 0, GROUP, 0640, 0640},
        {USER, GROUP, 0, GROUP, 0664, 0664},
        {USER, USER, USER, USER, 0640, 0640},
        {USER, GROUP, USER, USER, 0640, 0600}, // It may not give the file to that group: no other one may read it.
        {USER, GROUP, USER, USER, 0664, 0644},
    };
    if (geteuid() != 0) // Only root can make these files.
        return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *folder = new_folder();
        const char *path = in_folder(folder, "a.kifu");
        struct stat info;
        ck_assert_int_eq(chmod(folder, 0777), 0);
        write_bytes(path, "old", 3);
        ck_assert_int_eq(chown(path, cases[i].user, cases[i].group), 0);
        ck_assert_int_eq(chmod(path, cases[i].mode), 0);
        const pid_t child = fork();
        if (child == 0)
            save_as(cases[i].saved_by, folder);
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        ck_assert_int_eq(stat(path, &info), 0);
        ck_assert_uint_eq(info.st_uid, cases[i].user);
        ck_assert_uint_eq(info.st_gid, cases[i].then_group);
        ck_assert_uint_eq(info.st_mode & 0777, cases[i].then_mode);
        ck_assert_int_gt(info.st_size, 3);
        remove_folder(folder);
    }
}
END_TEST

// --- What killed saves leave -----------------------------------------------------------------------------------------

// A process that dies in a save, before its file has a name; how many files there are then.
static int die(char *folder, const char *path, bool late)
{
    const pid_t child = fork();
    if (child == 0) {
        kifu_timeline *lab = waiting_game(NULL);
        dies_at_write = !late;
        dies_at_rename = late;
        _exit(kifu_save(lab, path, NULL) ? 1 : 0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 99);
    return count_files(folder);
}

START_TEST(F55_the_next_save_removes_what_a_killed_one_left)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    for (int late = 0; late < 2; late++) {
        lab_must(lab, kifu_save(lab, path, NULL));
        for (int kills = 0; kills < 5; kills++)
            ck_assert_int_eq(die(folder, path, late), 2); // They do not add up either.
        lab_must(lab, kifu_save(lab, path, NULL));
        ck_assert_int_eq(count_files(folder), 1);
        die(folder, path, late);
        lab_must(lab, kifu_log_open(lab, path, NULL));
        ck_assert_int_eq(count_files(folder), 1);
        lab_must(lab, kifu_log_close(lab, NULL));
        ck_assert_int_eq(count_files(folder), 1);
        die(folder, path, late);
        lab_must(lab, kifu_save(lab, in_folder(folder, "other.kifu"), NULL)); // of any name
        ck_assert_int_eq(count_files(folder), 2);
        unlink(in_folder(folder, "other.kifu"));
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(F55_saves_of_several_processes_at_once_leave_each_other_alone)
{
    enum { PROCESSES = 7 }; // more than there are names that all share
    char *folder = new_folder();
    kifu_timeline *lab = waiting_game(NULL);
    pid_t children[PROCESSES];
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    for (int i = 0; i < PROCESSES; i++) {
        char name[20];
        snprintf(name, sizeof name, "%d.kifu", i % 3); // some of them at the same path
        children[i] = fork();
        if (children[i] == 0) {
            gate[0] = ends[0];
            _exit(kifu_save(lab, in_folder(folder, name), NULL) ? 1 : 0);
        }
        for (int wait = 0; count_files(folder) <= i && wait < 1000; wait++)
            usleep(10000);
        ck_assert_int_eq(count_files(folder), i + 1);
    }
    lab_must(lab, kifu_save(lab, in_folder(folder, "mine.kifu"), NULL)); // while all of them wait
    ck_assert_int_eq(count_files(folder), PROCESSES + 1);
    ck_assert_int_eq(write(ends[1], "1234567", PROCESSES), PROCESSES);
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %d", i);
    }
    ck_assert_int_eq(count_files(folder), 4);
    must_load(in_folder(folder, "0.kifu"), lab);
    close(ends[0]);
    close(ends[1]);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Threads of one process are as processes: each has a file of its own.
START_TEST(F55_two_saves_of_one_process_at_once_leave_each_other_alone)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu");
    const int files = open_files();
    at_once.folder = folder;
    for (int i = 0; i < AT_ONCE; i++) {
        at_once.labs[i] = lab_new(NULL);
        for (int k = 0; k <= i; k++)
            lab_must(at_once.labs[i], lab_play(at_once.labs[i], "+"));
    }
    at_once.path = path;
    at_once.current = -1;
    save_at_once();
    at_once.path = NULL;
    ck_assert_int_eq(at_once.begun, AT_ONCE);
    ck_assert_int_eq(at_once.most_files, AT_ONCE);
    ck_assert_int_eq(count_files(folder), 1);
    ck_assert_int_eq(open_files(), files);
    must_load(path, at_once.labs[0]); // It ended last.
    for (int i = 0; i < AT_ONCE; i++)
        kifu_destroy(at_once.labs[i]);
    remove_folder(folder);
}
END_TEST

// Only an own file that nobody uses, and that has no other name, was left by a save.
START_TEST(F55_nothing_that_is_not_ours_is_removed)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    const char *taken = in_folder(folder, ".kifu-0000000000000000.tmp");
    const char *other = in_folder(folder, "other");
    for (int what = 0; what < 6; what++) {
        int file = -1;
        struct stat before, after;
        if (ON_WINDOWS && what != 0 && what != 3) // a folder, and a file that has another name
            continue;
        if (what == 0)
            ck_assert_int_eq(mkdir(taken, 0700), 0);
        else if (what == 1)
            ck_assert_int_eq(mkfifo(taken, 0600), 0);
        else if (what == 2)
            make_link("other", taken);
        else
            write_bytes(taken, "mine", 4);
        if (what == 2 || what == 3)
            ck_assert_int_eq(what == 2 ? (write_bytes(other, "x", 1), 0) : link(taken, other), 0);
        else if (what == 4 && geteuid() == 0)
            ck_assert_int_eq(chown(taken, 54321, 54321), 0);
        else if (what >= 4) {
            file = open(taken, O_RDWR);
            ck_assert_int_eq(flock(file, LOCK_EX), 0);
        }
        ck_assert_int_eq(lstat(taken, &before), 0);
        lab_must(lab, kifu_save(lab, path, NULL));
        ck_assert_int_eq(lstat(taken, &after), 0);
        ck_assert_uint_eq(before.st_ino, after.st_ino);
        must_load(path, lab);
        ck_assert_int_eq(what || !ON_WINDOWS ? remove(taken) : rmdir(taken), 0);
        unlink(other);
        ck_assert_int_eq(count_files(folder), 1);
        if (file >= 0)
            close(file);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F53_a_symbolic_link_is_followed,
        F53_a_link_that_leads_nowhere_is_named,
        F53_what_is_no_file_is_not_replaced,
        F53_group_and_permissions_stay_where_the_system_lets_them,
        F55_the_next_save_removes_what_a_killed_one_left,
        F55_saves_of_several_processes_at_once_leave_each_other_alone,
        F55_two_saves_of_one_process_at_once_leave_each_other_alone,
        F55_nothing_that_is_not_ours_is_removed,
    };
    return run_suite("replace", tests, sizeof tests / sizeof *tests);
}
