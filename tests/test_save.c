// Saving: what a save holds, and that it replaces the old file whole or not at all.

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

// --- What a save holds -----------------------------------------------------------------------------------------------

typedef struct seen {
    int count;
    char title[50];
    char names[300];
    uint32_t player_count;
    uint32_t thumbnail_size;
    unsigned char thumbnail[4];
    uint32_t event_count;
    uint32_t rules_version;
    uint64_t fingerprint;
    uint32_t schema_size;
    int64_t saved_at;
} seen;

static bool see(void *context, const kifu_save_info *info)
{
    seen *seen = context;
    ck_assert_ptr_null(info->error);
    ck_assert_str_eq(info->game, "lab");
    seen->count++;
    snprintf(seen->title, sizeof seen->title, "%s", info->title ? info->title : "(none)");
    for (uint32_t i = 0; i < info->player_count; i++)
        strcat(strcat(seen->names, info->players[i]), ",");
    seen->player_count = info->player_count;
    seen->thumbnail_size = info->thumbnail_size;
    if (info->thumbnail_size)
        memcpy(seen->thumbnail, info->thumbnail, 4);
    seen->event_count = info->event_count;
    seen->rules_version = info->rules_version;
    seen->fingerprint = info->fingerprint;
    seen->schema_size = info->schema_size;
    seen->saved_at = info->saved_at;
    if (info->schema) {
        ck_assert_uint_eq(info->schema_size, lab_rules.bfbs_size);
        ck_assert_mem_eq(info->schema, lab_rules.bfbs, info->schema_size);
    }
    return true;
}

START_TEST(S01_a_save_holds_log_queues_schema_and_metadata)
{
    static const char *const players[] = {"Ann", "Bob"};
    static const unsigned char thumbnail[] = {1, 0, 255, 3};
    const kifu_save_options options = {
        .title = "Round 3", .players = players, .player_count = 2, .thumbnail = thumbnail, .thumbnail_size = 4};
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    lab_must(lab, kifu_save(lab, path, &options));

    seen info = {0};
    ck_assert_int_eq(kifu_read_save_info(path, see, &info, NULL, NULL), KIFU_OK);
    ck_assert_int_eq(info.count, 1);
    ck_assert_str_eq(info.title, "Round 3");
    ck_assert_str_eq(info.names, "Ann,Bob,");
    ck_assert_uint_eq(info.thumbnail_size, 4);
    ck_assert_mem_eq(info.thumbnail, thumbnail, 4);
    ck_assert_uint_eq(info.event_count, kifu_event_count(lab));
    ck_assert_uint_eq(info.rules_version, lab_rules.rules_version);
    ck_assert_uint_eq(info.fingerprint, lab_rules.fingerprint);
    ck_assert_uint_eq(info.schema_size, lab_rules.bfbs_size);
    ck_assert_int_gt(info.saved_at, 1700000000);

    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_msg(kifu_load(&lab_rules, path, NULL, NULL, &loaded, &error) == KIFU_OK, "%s", error.message);
    lab_picture before = lab_look(lab);
    lab_same(loaded, &before);
    ck_assert_uint_eq(kifu_pending_count(loaded), 4);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S01_metadata_and_schema_may_be_left_out)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    const kifu_save_options options = {.without_schema = true};
    lab_must(lab, kifu_save(lab, path, &options));
    seen info = {0};
    ck_assert_int_eq(kifu_read_save_info(path, see, &info, NULL, NULL), KIFU_OK);
    ck_assert_str_eq(info.title, "(none)");
    ck_assert_uint_eq(info.player_count, 0);
    ck_assert_uint_eq(info.thumbnail_size, 0);
    ck_assert_uint_eq(info.schema_size, 0);
    ck_assert_uint_eq(info.fingerprint, lab_rules.fingerprint);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S01_a_player_without_a_name_has_an_empty_one)
{
    static const char *const players[] = {NULL, "Bob"};
    const kifu_save_options options = {.players = players, .player_count = 2};
    char *folder = new_folder();
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_save(lab, in_folder(folder, "a.kifu"), &options));
    seen info = {0};
    ck_assert_int_eq(kifu_read_save_info(in_folder(folder, "a.kifu"), see, &info, NULL, NULL), KIFU_OK);
    ck_assert_uint_eq(info.player_count, 2);
    ck_assert_str_eq(info.names, ",Bob,");
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S01_metadata_may_be_of_any_length)
{
    kifu_timeline *lab = rich_game(NULL);
    for (uint32_t size = 0; size < 9; size++) {
        const kifu_save_options options = {.thumbnail = "12345678", .thumbnail_size = size, .without_schema = true};
        save save = save_of(lab, &options);
        kifu_destroy(load_again(&save));
        free(save.bytes);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(S01_a_save_of_ten_events_is_small)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 10; i++)
        lab_submit_p_add(lab, 0, i + 1);
    lab_must(lab, kifu_run(lab));
    const kifu_save_options options = {.without_schema = true};
    save save = save_of(lab, &options);
    ck_assert_uint_lt(save.size, 1000);
    free(save.bytes);
    const kifu_save_options smaller = {.without_schema = true, .without_snapshot = true};
    save = save_of(lab, &smaller);
    ck_assert_uint_lt(save.size, 750);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// --- While there is more than the present ----------------------------------------------------------------------------

START_TEST(S03_a_save_while_the_past_is_shown_is_of_the_present)
{
    kifu_timeline *lab = waiting_game(NULL);
    save expected = save_of(lab, NULL);
    lab_picture present = lab_look(lab);
    for (uint32_t count = 0; count <= kifu_event_count(lab); count++) {
        lab_must(lab, kifu_seek(lab, count));
        lab_picture shown = lab_look(lab);
        save save = save_of(lab, NULL);
        expect_same_bytes(&expected, &save);
        free(save.bytes);
        lab_same(lab, &shown);
        ck_assert_uint_eq(kifu_event_count(lab), present.events);
    }
    lab_must(lab, kifu_seek(lab, KIFU_PRESENT));
    lab_same(lab, &present);
    free(expected.bytes);
    kifu_destroy(lab);
}
END_TEST

static bool refuses;

static kifu_result do_or_refuse(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                                void *transient)
{
    return refuses && lab_get_state(timeline)->total >= 5 ? kifu_fail(timeline, "not in my house")
                                                          : lab_rules.do_event(timeline, type, state, event, transient);
}

START_TEST(S03_a_save_that_does_not_reach_the_present_leaves_the_past_shown)
{
    kifu_rules rules = lab_rules;
    rules.do_event = do_or_refuse;
    kifu_timeline *lab;
    unsigned char *bytes;
    size_t size;
    ck_assert_int_eq(kifu_create(&rules, NULL, &lab, NULL), KIFU_OK);
    for (int i = 0; i < 10; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_seek(lab, 2));
    lab_picture shown = lab_look(lab);
    refuses = true;
    ck_assert_int_eq(kifu_save_to_memory(lab, NULL, &bytes, &size), KIFU_FAILED);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "not in my house"));
    ck_assert_uint_eq(kifu_position(lab), 2);
    lab_same(lab, &shown);
    refuses = false;
    lab_must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    kifu_free_bytes(lab, bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_there_is_no_saving_inside_a_transaction)
{
    char *folder = new_folder();
    kifu_timeline *lab = rich_game(NULL);
    unsigned char *bytes;
    size_t size;
    lab_must(lab, kifu_begin(lab, 0));
    ck_assert_int_eq(kifu_save(lab, in_folder(folder, "a.kifu"), NULL), KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "commit or roll back first"));
    ck_assert_int_eq(kifu_save_to_memory(lab, NULL, &bytes, &size), KIFU_MISUSE);
    ck_assert_ptr_null(bytes);
    ck_assert_int_eq(count_files(folder), 0);
    lab_must(lab, kifu_roll_back(lab));
    lab_must(lab, kifu_begin(lab, KIFU_SEARCH));
    ck_assert_int_eq(kifu_save(lab, in_folder(folder, "a.kifu"), NULL), KIFU_MISUSE);
    lab_must(lab, kifu_roll_back(lab));
    lab_must(lab, kifu_save(lab, in_folder(folder, "a.kifu"), NULL));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(the_same_game_gives_the_same_bytes)
{
    kifu_timeline *one = waiting_game(NULL), *two = waiting_game(NULL);
    save first = save_of(one, NULL), second = save_of(two, NULL);
    ck_assert_uint_eq(first.size, second.size);
    ck_assert_mem_eq(first.bytes, second.bytes, first.size);
    kifu_timeline *loaded = load_again(&first);
    save third = save_of(loaded, NULL);
    ck_assert_uint_eq(first.size, third.size);
    ck_assert_mem_eq(first.bytes, third.bytes, first.size);
    kifu_destroy(loaded);
    kifu_destroy(one);
    kifu_destroy(two);
    free(first.bytes);
    free(second.bytes);
    free(third.bytes);
}
END_TEST

START_TEST(a_file_has_the_bytes_that_memory_has)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    save expected = save_of(lab, NULL);
    lab_must(lab, save_at(lab, path, NULL, 1700000000));
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    ck_assert_uint_eq(size, expected.size);
    ck_assert_mem_eq(bytes, expected.bytes, size);
    free(bytes);
    free(expected.bytes);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Such a proposal would be refused when its turn came; in the file it would be damage.
START_TEST(a_waiting_proposal_that_breaks_its_schema_is_left_out)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_do(lab, 0, "+", 1);
    lab_submit_e_mood(lab, 3);
    lab_submit_e_mood(lab, LAB_MOOD_ANGRY);
    save save = save_of(lab, NULL);
    kifu_timeline *loaded = load_again(&save);
    ck_assert_uint_eq(kifu_pending_count(loaded), 2);
    lab_must(loaded, kifu_run(loaded));
    ck_assert_uint_eq(lab_get_state(loaded)->mood, LAB_MOOD_ANGRY);
    free(save.bytes);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

// Each of its turns is loaded, played and saved by itself. That must not cost more room than one long sitting.
START_TEST(a_game_by_mail_stays_small)
{
    const kifu_save_options options = {.without_schema = true};
    kifu_timeline *sitting = lab_new(NULL), *mail = lab_new(NULL);
    for (int turn = 0; turn < 300; turn++) {
        lab_do(sitting, turn % 2, "+", 1);
        lab_must(sitting, kifu_run(sitting));
        save save = save_of(mail, &options);
        kifu_destroy(mail);
        mail = load_again(&save);
        free(save.bytes);
        lab_do(mail, turn % 2, "+", 1);
        lab_must(mail, kifu_run(mail));
    }
    save one = save_of(sitting, &options), other = save_of(mail, &options);
    ck_assert_uint_le(other.size, one.size + one.size / 4);
    lab_picture picture = lab_look(sitting);
    ck_assert_uint_eq(kifu_event_count(mail), 300);
    ck_assert_mem_eq(kifu_state(mail), &picture.state, sizeof picture.state);
    free(one.bytes);
    free(other.bytes);
    kifu_destroy(sitting);
    kifu_destroy(mail);
}
END_TEST

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
        seen info = {0};
        ck_assert_int_eq(kifu_read_save_info(path, see, &info, NULL, NULL), KIFU_OK);
        ck_assert_int_eq(info.count, 1);
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

static bool count_visits(void *context, const kifu_save_info *info)
{
    (void)info;
    ++*(int *)context;
    return true;
}

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

// --- Where saving is not allowed -------------------------------------------------------------------------------------

static kifu_result save_in_reaction(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    (void)event;
    unsigned char *bytes = NULL;
    size_t size = 1;
    *(kifu_result *)context = kifu_save_to_memory(timeline, NULL, &bytes, &size);
    ck_assert_ptr_null(bytes);
    ck_assert_uint_eq(size, 0);
    return KIFU_OK;
}

START_TEST(saving_while_an_event_runs_is_misuse)
{
    kifu_timeline *lab = lab_new(NULL);
    kifu_result inside = KIFU_OK;
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = save_in_reaction, .context = &inside}));
    ck_assert_int_eq(lab_play(lab, "+"), KIFU_MISUSE);
    ck_assert_int_eq(inside, KIFU_MISUSE);
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    kifu_destroy(lab);
}
END_TEST

// --- No memory -------------------------------------------------------------------------------------------------------

START_TEST(no_memory_at_any_allocation_of_a_save_leaks_nothing)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = waiting_game(&options);
    lab_must(lab, kifu_undo(lab)); // What waits is longer than a proposal mostly is.
    lab_do(lab, 0, "1(a consequence that says a lot more than what it does: there must be room for that)", 1);
    lab_must(lab, kifu_step(lab));
    static const char *const players[] = {"Ann", "Bob", "Cid"};
    const kifu_save_options with_players = {.players = players, .player_count = 3};
    long blocks = memory.blocks;
    for (int way = 0; way < 4; way++) {
        kifu_result result = KIFU_NO_MEMORY;
        if (way == 3) // While the past is shown.
            lab_must(lab, kifu_seek(lab, 2));
        for (long at = 0; result; at++) {
            unsigned char *bytes = NULL;
            size_t size;
            memory.until_failure = at;
            result = way == 0   ? kifu_save(lab, path, NULL)
                     : way == 1 ? kifu_save(lab, folder, NULL)
                                : kifu_save_to_memory(lab, &with_players, &bytes, &size);
            memory.until_failure = -1;
            if (result) {
                ck_assert_int_eq(result, KIFU_NO_MEMORY);
                ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "out of memory"));
                ck_assert_int_eq(count_files(folder), way == 0 ? 0 : way == 1 ? 1 : 2);
            }
            kifu_free_bytes(lab, bytes);
            ck_assert_int_eq(memory.blocks, blocks);
        }
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
    remove_folder(folder);
}
END_TEST

START_TEST(no_memory_for_many_frames_leaks_nothing)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 1; i <= 600; i++)
        lab_submit_p_add(lab, 0, i);
    lab_must(lab, kifu_run(lab));
    const long blocks = memory.blocks;
    kifu_result result = KIFU_NO_MEMORY;
    for (long at = 0; result; at++) {
        unsigned char *bytes = NULL;
        size_t size;
        memory.until_failure = at;
        result = kifu_save_to_memory(lab, NULL, &bytes, &size);
        memory.until_failure = -1;
        ck_assert_int_eq(result, result ? KIFU_NO_MEMORY : KIFU_OK);
        kifu_free_bytes(lab, bytes);
        ck_assert_int_eq(memory.blocks, blocks);
    }
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S01_a_save_holds_log_queues_schema_and_metadata,
        S01_metadata_and_schema_may_be_left_out,
        S01_a_player_without_a_name_has_an_empty_one,
        S01_metadata_may_be_of_any_length,
        S01_a_save_of_ten_events_is_small,
        S03_a_save_while_the_past_is_shown_is_of_the_present,
        S03_a_save_that_does_not_reach_the_present_leaves_the_past_shown,
        P05_there_is_no_saving_inside_a_transaction,
        the_same_game_gives_the_same_bytes,
        a_file_has_the_bytes_that_memory_has,
        a_waiting_proposal_that_breaks_its_schema_is_left_out,
        a_game_by_mail_stays_small,
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
        saving_while_an_event_runs_is_misuse,
        S04_each_refusal_of_the_system_comes_with_what_to_do,
        S04_a_call_that_a_signal_interrupts_is_made_again,
        no_memory_at_any_allocation_of_a_save_leaks_nothing,
        no_memory_for_many_frames_leaks_nothing,
    };
    return run_suite("save", tests, sizeof tests / sizeof *tests);
}
