// Saves and log files on Windows, with real processes: each is this program again, with words that say what it does.
// It builds for Windows alone; `./dev windows` runs it under wine.

#include "log_file_help.h"
#include "suite.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

// --- Processes -------------------------------------------------------------------------------------------------------

static char self[MAX_PATH];

// "WHAT PATH NUMBER".
static HANDLE start(const char *what, const char *path, int number)
{
    char words[6000];
    STARTUPINFOA how = {.cb = sizeof how};
    PROCESS_INFORMATION process;
    snprintf(words, sizeof words, "\"%s\" %s %s %d", self, what, path, number);
    ck_assert(CreateProcessA(self, words, NULL, NULL, FALSE, 0, NULL, NULL, &how, &process));
    CloseHandle(process.hThread);
    return process.hProcess;
}

static DWORD end_of(HANDLE process)
{
    DWORD status = STILL_ACTIVE;
    ck_assert_int_eq(WaitForSingleObject(process, 120000), WAIT_OBJECT_0);
    ck_assert(GetExitCodeProcess(process, &status));
    CloseHandle(process);
    return status;
}

// What `start` calls says that it is so far by a file.
static void wait_for(const char *file)
{
    for (int i = 0; i < 6000 && GetFileAttributesA(file) == INVALID_FILE_ATTRIBUTES; i++)
        Sleep(10);
    ck_assert(GetFileAttributesA(file) != INVALID_FILE_ATTRIBUTES);
}

// --- Killed at every call --------------------------------------------------------------------------------------------

static int calls, die_at;

// The process ends here, as if it were killed: nothing is closed or written by it any more.
static void count_call(void)
{
    if (++calls == die_at)
        TerminateProcess(GetCurrentProcess(), 99);
}

#define STAND_IN(type, call, parameters, words)                                                                        \
    extern __typeof__(&call) __real___imp_##call;                                                                      \
    static type WINAPI die_in_##call parameters                                                                        \
    {                                                                                                                  \
        count_call();                                                                                                  \
        return __real___imp_##call words;                                                                              \
    }                                                                                                                  \
    extern __typeof__(&call) __wrap___imp_##call;                                                                      \
    __typeof__(&call) __wrap___imp_##call = die_in_##call

STAND_IN(HANDLE, CreateFileW,
         (const wchar_t *path, DWORD access, DWORD share, SECURITY_ATTRIBUTES *security, DWORD how, DWORD flags,
          HANDLE template),
         (path, access, share, security, how, flags, template));
STAND_IN(WINBOOL, WriteFile, (HANDLE file, const void *bytes, DWORD size, DWORD *written, OVERLAPPED *place),
         (file, bytes, size, written, place));
STAND_IN(WINBOOL, FlushFileBuffers, (HANDLE file), (file));
STAND_IN(WINBOOL, CloseHandle, (HANDLE file), (file));
STAND_IN(WINBOOL, SetFileInformationByHandle, (HANDLE file, FILE_INFO_BY_HANDLE_CLASS what, void *info, DWORD size),
         (file, what, info, size));

static kifu_timeline *game_of(int moves)
{
    kifu_timeline *lab = lab_started(NULL);
    for (int i = 0; i < moves; i++)
        lab_must(lab, lab_play(lab, "+"));
    return lab;
}

enum { OLD_MOVES = 1, NEW_MOVES = 3 };

// `how` 0: a save, else a log file with an append.
static int save_until_killed(const char *path, int at, bool logs)
{
    kifu_timeline *lab = game_of(NEW_MOVES);
    die_at = at;
    calls = 0;
    kifu_result result = logs ? kifu_log_open(lab, path, NULL) : kifu_save(lab, path, NULL);
    if (logs && !result)
        result = kifu_log_append(lab);
    if (logs && !result)
        result = kifu_log_close(lab, NULL);
    return result ? 1 : calls < at ? 0 : 2;
}

static void expect_old_or_new(const char *path)
{
    kifu_timeline *found, *old = game_of(OLD_MOVES), *new = game_of(NEW_MOVES);
    kifu_error error;
    const kifu_load_options how = {.recover = kifu_recover};
    ck_assert_msg(kifu_load(&lab_rules, path, NULL, &how, &found, &error) == KIFU_OK, "%s", error.message);
    ck_assert(kifu_state_hash(found) == kifu_state_hash(old) || kifu_state_hash(found) == kifu_state_hash(new));
    kifu_destroy(found);
    kifu_destroy(old);
    kifu_destroy(new);
}

static void kill_at_each_call(const char *what)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    DWORD status = 99;
    int deaths = 0;
    for (int at = 1; status == 99; at++) {
        kifu_timeline *old = game_of(OLD_MOVES);
        lab_must(old, kifu_save(old, path, &(kifu_save_options){.overwrite = true}));
        ck_assert_int_eq(count_files(folder), 1); // What the last one left is gone.
        kifu_destroy(old);
        status = end_of(start(what, path, at));
        ck_assert(status == 99 || status == 0);
        deaths += status == 99;
        expect_old_or_new(path);
    }
    ck_assert_int_gt(deaths, 5);
    remove_folder(folder);
}

START_TEST(Y01_a_save_that_is_killed_at_any_call_leaves_the_old_or_the_new)
{
    kill_at_each_call("save");
}
END_TEST

START_TEST(Y01_a_log_file_whose_process_is_killed_at_any_call_has_what_it_had_or_more)
{
    kill_at_each_call("log");
}
END_TEST

// --- What another process has open -----------------------------------------------------------------------------------

// Without letting others remove it, as most programs open files; until a file `path`.go is there.
static int hold(const char *path, int share)
{
    char told[6000];
    const HANDLE file = CreateFileA(path, GENERIC_READ, (DWORD)share, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return 1;
    snprintf(told, sizeof told, "%s.held", path);
    write_bytes(told, "", 0);
    snprintf(told, sizeof told, "%s.go", path);
    wait_for(told);
    return 0;
}

static int hold_log(const char *path)
{
    char told[6000];
    kifu_timeline *lab = game_of(NEW_MOVES);
    if (kifu_log_open(lab, path, NULL))
        return 1;
    snprintf(told, sizeof told, "%s.held", path);
    write_bytes(told, "", 0);
    snprintf(told, sizeof told, "%s.go", path);
    wait_for(told);
    return kifu_log_close(lab, NULL) ? 1 : 0;
}

START_TEST(Y01_a_file_that_another_process_holds_open_is_not_replaced_and_the_message_says_so)
{
    char *folder = new_folder();
    char path[1000], held[1000], go[1000];
    snprintf(path, sizeof path, "%s", in_folder(folder, "a.kifu"));
    snprintf(held, sizeof held, "%s.held", path);
    snprintf(go, sizeof go, "%s.go", path);
    kifu_timeline *old = game_of(OLD_MOVES), *new = game_of(NEW_MOVES), *loaded;
    lab_must(old, kifu_save(old, path, NULL));
    const HANDLE process = start("hold", path, FILE_SHARE_READ);
    wait_for(held);
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, NULL), KIFU_OK); // It can be read.
    ck_assert_int_eq(kifu_save(new, path, &(kifu_save_options){.overwrite = true}), KIFU_IO);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(new)->message, "another program has"));
    ck_assert_ptr_nonnull(strstr(kifu_last_error(new)->message, path));
    ck_assert_int_eq(count_files(folder), 2); // nothing but what the other process wrote
    expect_old_or_new(path);
    write_bytes(go, "", 0);
    ck_assert_int_eq(end_of(process), 0);
    lab_must(new, kifu_save(new, path, &(kifu_save_options){.overwrite = true}));
    kifu_destroy(loaded);
    kifu_destroy(old);
    kifu_destroy(new);
    remove_folder(folder);
}
END_TEST

START_TEST(Y01_one_process_at_a_time_has_a_log_file_also_when_it_is_killed)
{
    for (int killed = 0; killed < 2; killed++) {
        char *folder = new_folder();
        char path[1000], held[1000], go[1000];
        snprintf(path, sizeof path, "%s", in_folder(folder, "a.kifu"));
        snprintf(held, sizeof held, "%s.held", path);
        snprintf(go, sizeof go, "%s.go", path);
        const HANDLE process = start("hold_log", path, 0);
        wait_for(held);
        kifu_timeline *lab = game_of(OLD_MOVES);
        ck_assert_int_eq(kifu_log_open(lab, path, &(kifu_save_options){.overwrite = true}), KIFU_IN_USE);
        if (killed)
            ck_assert(TerminateProcess(process, 99));
        else
            write_bytes(go, "", 0);
        ck_assert_int_eq(end_of(process), killed ? 99 : 0);
        lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.overwrite = true}));
        lab_must(lab, kifu_log_close(lab, NULL));
        kifu_destroy(lab);
        remove_folder(folder);
    }
}
END_TEST

// Again and again; `path`.inside is there while it has the log file.
static int open_often(const char *path)
{
    enum { OPENED = 30 };
    char inside[6000];
    snprintf(inside, sizeof inside, "%s.inside", path);
    for (int opened = 0; opened < OPENED;) {
        kifu_timeline *lab = game_of(NEW_MOVES);
        const kifu_result result = kifu_log_open(lab, path, &(kifu_save_options){.overwrite = true});
        if (!result) {
            const HANDLE file =
                CreateFileA(inside, GENERIC_WRITE | DELETE, 0, NULL, CREATE_NEW, FILE_FLAG_DELETE_ON_CLOSE, NULL);
            if (file == INVALID_HANDLE_VALUE || !CloseHandle(file))
                return 1;
            opened++;
        }
        kifu_destroy(lab);
        if (result && result != KIFU_IN_USE)
            return 2;
    }
    return 0;
}

START_TEST(Y01_processes_that_come_and_go_never_have_a_log_file_together)
{
    enum { PROCESSES = 3 };
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    HANDLE processes[PROCESSES];
    for (int i = 0; i < PROCESSES; i++)
        processes[i] = start("come_and_go", path, 0);
    for (int i = 0; i < PROCESSES; i++)
        ck_assert_int_eq(end_of(processes[i]), 0);
    ck_assert_int_eq(count_files(folder), 1);
    remove_folder(folder);
}
END_TEST

// Some of them at the same path, each many times.
static int save_often(const char *path, int number)
{
    kifu_timeline *lab = game_of(NEW_MOVES);
    char name[6000];
    snprintf(name, sizeof name, "%s%d.kifu", path, number % 2);
    for (int i = 0; i < 10; i++)
        if (kifu_save(lab, name, &(kifu_save_options){.overwrite = true}))
            return 1;
    return 0;
}

START_TEST(Y01_saves_of_several_processes_at_once_leave_each_other_alone)
{
    enum { PROCESSES = 4 };
    char *folder = new_folder();
    HANDLE processes[PROCESSES];
    for (int i = 0; i < PROCESSES; i++)
        processes[i] = start("often", folder, i);
    for (int i = 0; i < PROCESSES; i++)
        ck_assert_int_eq(end_of(processes[i]), 0);
    ck_assert_int_eq(count_files(folder), 2);
    expect_old_or_new(in_folder(folder, "0.kifu"));
    expect_old_or_new(in_folder(folder, "1.kifu"));
    remove_folder(folder);
}
END_TEST

// --- Files of this process -------------------------------------------------------------------------------------------

START_TEST(Y01_a_save_over_the_file_that_was_loaded_and_over_the_own_log_file)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = game_of(OLD_MOVES), *loaded;
    lab_must(lab, kifu_save(lab, path, NULL));
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, NULL), KIFU_OK);
    for (int i = 0; i < 3; i++) {
        lab_must(loaded, lab_play(loaded, "+"));
        lab_must(loaded, kifu_save(loaded, path, NULL));
    }
    lab_must(loaded, kifu_log_open(loaded, path, NULL));
    lab_must(loaded, lab_play(loaded, "+"));
    append(loaded, path);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    ck_assert_int_eq(count_files(folder), 1);
    remove_folder(folder);
}
END_TEST

// As on other systems, the game goes on in a new file.
START_TEST(Y01_a_log_file_that_is_deleted_while_it_is_open_is_written_anew)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = game_of(OLD_MOVES);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+"));
    append(lab, path);
    ck_assert(DeleteFileA(path));
    lab_must(lab, lab_play(lab, "+"));
    append(lab, path);
    lab_must(lab, kifu_log_close(lab, NULL));
    ck_assert_int_eq(count_files(folder), 1);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

static bool note_path(void *seen, const kifu_save_info *info)
{
    snprintf((char *)seen, 6000, "%s", info->error ? "an error" : info->path);
    return true;
}

// Paths are UTF-8, whatever the character set of the system is; and longer than the 260 characters of old.
START_TEST(Y01_paths_are_utf8_and_may_be_long)
{
    enum { DEPTH = 8 };
    char *folder = new_folder();
    char path[6000], seen[6000] = "";
    wchar_t wide[DEPTH][3000];
    snprintf(path, sizeof path, "%s", folder);
    for (int i = 0; i < DEPTH; i++) {
        strcat(path, "ゲーム-Männchen-♞-0123456789-0123456789-0123456789");
        wchar_t given[3000], whole[3000];
        MultiByteToWideChar(CP_UTF8, 0, path, -1, given, 3000);
        GetFullPathNameW(given, 3000, whole, NULL);
        _snwprintf(wide[i], 3000, L"\\\\?\\%ls", whole);
        ck_assert(CreateDirectoryW(wide[i], NULL));
        strcat(path, "/");
        kifu_timeline *lab = game_of(NEW_MOVES);
        char file[6000];
        snprintf(file, sizeof file, "%sй.kifu", path);
        lab_must(lab, kifu_save(lab, file, NULL));
        lab_must(lab, kifu_log_open(lab, file, NULL));
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_log_append(lab));
        lab_must(lab, kifu_log_close(lab, NULL));
        ck_assert_int_eq(kifu_list_saves(path, note_path, seen, NULL, NULL), KIFU_OK);
        ck_assert_str_eq(seen, file);
        kifu_destroy(lab);
    }
    ck_assert_int_gt(strlen(path), 400);
    kifu_timeline *lab = game_of(1);
    ck_assert_int_eq(kifu_save(lab, "a\xff.kifu", NULL), KIFU_IO);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "UTF-8"));
    kifu_destroy(lab);
    for (int i = DEPTH; i-- > 0;) {
        wchar_t file[3000];
        _snwprintf(file, 3000, L"%ls\\й.kifu", wide[i]);
        DeleteFileW(file);
        RemoveDirectoryW(wide[i]);
    }
    remove_folder(folder);
}
END_TEST

int main(int argc, char **argv)
{
    GetModuleFileNameA(NULL, self, sizeof self);
    if (argc == 4) {
        const int number = atoi(argv[3]);
        return !strcmp(argv[1], "save")          ? save_until_killed(argv[2], number, false)
               : !strcmp(argv[1], "log")         ? save_until_killed(argv[2], number, true)
               : !strcmp(argv[1], "hold")        ? hold(argv[2], number)
               : !strcmp(argv[1], "often")       ? save_often(argv[2], number)
               : !strcmp(argv[1], "come_and_go") ? open_often(argv[2])
                                                 : hold_log(argv[2]);
    }
    const TTest *const tests[] = {
        Y01_a_save_that_is_killed_at_any_call_leaves_the_old_or_the_new,
        Y01_a_log_file_whose_process_is_killed_at_any_call_has_what_it_had_or_more,
        Y01_a_file_that_another_process_holds_open_is_not_replaced_and_the_message_says_so,
        Y01_one_process_at_a_time_has_a_log_file_also_when_it_is_killed,
        Y01_processes_that_come_and_go_never_have_a_log_file_together,
        Y01_saves_of_several_processes_at_once_leave_each_other_alone,
        Y01_a_save_over_the_file_that_was_loaded_and_over_the_own_log_file,
        Y01_a_log_file_that_is_deleted_while_it_is_open_is_written_anew,
        Y01_paths_are_utf8_and_may_be_long,
    };
    return run_suite("windows", tests, sizeof tests / sizeof *tests);
}
