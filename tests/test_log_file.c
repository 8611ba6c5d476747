// Log files: what has happened is in the file as soon as it was appended, whatever becomes of the process, the disk or
// the file's tail.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "history_help.h"
#include "regroup.h"
#include "save_help.h"
#include "suite.h"
#include "timeline_impl.h"

// --- The operating system, with faults at its calls (the linker puts these in its place) -----------------------------

// Which call is to fail: 0 none, else its number from now on; all behind it, too, with `for_ever`. What happens then:
// an error number, or 0 to die.
static int fault_at;
static int fault_code;
static bool fault_for_ever;
static int calls;
static int syncs;
static int appends;

static bool fault(void)
{
    calls++;
    if (!fault_at || calls < fault_at || (calls > fault_at && !fault_for_ever))
        return false;
    if (!fault_code)
        _exit(99);
    errno = fault_code;
    return true;
}

static void arm(int at, int code, bool for_ever)
{
    fault_at = at;
    fault_code = code;
    fault_for_ever = for_ever;
    calls = 0;
}

int __real_open(const char *path, int flags, ...);
int __real_fcntl(int file, int command, ...);
ssize_t __real_write(int file, const void *bytes, size_t size);
ssize_t __real_pwrite(int file, const void *bytes, size_t size, off_t offset);
int __real_ftruncate(int file, off_t size);
int __real_close(int file);
int __real_rename(const char *from, const char *to);

int __wrap_open(const char *path, int flags, ...);
int __wrap_fcntl(int file, int command, ...);
ssize_t __wrap_write(int file, const void *bytes, size_t size);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t offset);
int __wrap_ftruncate(int file, off_t size);
int __wrap_fsync(int file);
int __wrap_close(int file);
int __wrap_rename(const char *from, const char *to);

int __wrap_open(const char *path, int flags, ...)
{
    return strncmp(path, "/dev/", 5) && fault() ? -1 : __real_open(path, flags, 0666);
}

int __wrap_fcntl(int file, int command, ...)
{
    return fault() ? -1 : __real_fcntl(file, command, 0);
}

ssize_t __wrap_write(int file, const void *bytes, size_t size)
{
    return fault() ? -1 : __real_write(file, bytes, size);
}

// Half of it, so that the file is torn.
ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    appends++;
    if (fault_at == calls + 1)
        __real_pwrite(file, bytes, size / 2, offset);
    return fault() ? -1 : __real_pwrite(file, bytes, size > 1000 ? 1000 : size, offset); // short ones are gone on with
}

int __wrap_ftruncate(int file, off_t size)
{
    return fault() ? -1 : __real_ftruncate(file, size);
}

// No power fails here, and disks are slow.
int __wrap_fsync(int file)
{
    (void)file;
    syncs++;
    return fault() ? -1 : 0;
}

int __wrap_close(int file)
{
    bool bad = fault();
    int result = __real_close(file);
    return bad ? -1 : result;
}

int __wrap_rename(const char *from, const char *to)
{
    return fault() ? -1 : __real_rename(from, to);
}

// --- Looking into the file -------------------------------------------------------------------------------------------

static size_t size_of(const char *path)
{
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    return (size_t)info.st_size;
}

static kifu_timeline *recover(const char *path, kifu_recovery *recovery)
{
    kifu_recovery unused;
    const kifu_options options = {.recover = recovery ? recovery : &unused};
    kifu_timeline *timeline;
    kifu_error error;
    kifu_result result = kifu_load(&lab_rules, path, &options, &timeline, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    return timeline;
}

static kifu_result recover_bytes(const void *bytes, size_t size, kifu_timeline **timeline, kifu_recovery *recovery,
                                 kifu_error *error)
{
    const kifu_options options = {.recover = recovery};
    return kifu_load_from_memory(&lab_rules, bytes, size, &options, timeline, error);
}

// Both go the same way back and forth. They are no more what they were.
static void expect_same_ways(kifu_timeline *one, kifu_timeline *other)
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

// What the file tells, if the process were killed now, is what a save would.
static void expect_in_file(kifu_timeline *lab, const char *path)
{
    kifu_recovery recovery;
    kifu_timeline *saved = reload(lab, NULL), *found = recover(path, &recovery);
    ck_assert_uint_eq(recovery.dropped, 0);
    ck_assert_uint_eq(recovery.why.offset, size_of(path));
    // Of what redo can bring back it may have some that the game has forgotten in a transaction.
    ck_assert_uint_ge(found->checkpoint_count, saved->checkpoint_count);
    for (uint32_t i = 0, j = 0; i < saved->checkpoint_count; i++, j++) {
        const kifu__checkpoint *each = &saved->checkpoints[i];
        while (found->checkpoints[j].event_count > saved->executed &&
               found->checkpoints[j].event_count < each->event_count)
            j++;
        ck_assert_uint_lt(j, found->checkpoint_count);
        ck_assert_uint_eq(found->checkpoints[j].event_count, each->event_count);
        ck_assert_uint_eq(found->checkpoints[j].hash, each->hash);
    }
    expect_same_ways(saved, found);
    kifu_destroy(found);
    kifu_destroy(saved);

    const kifu_options fast = {.recover = &recovery, .fast_load = true};
    ck_assert_int_eq(kifu_load(&lab_rules, path, &fast, &found, NULL), KIFU_OK);
    saved = reload(lab, NULL);
    expect_same_ways(saved, found);
    kifu_destroy(found);
    kifu_destroy(saved);
}

static void append(kifu_timeline *lab, const char *path)
{
    lab_must(lab, kifu_log_append(lab));
    expect_in_file(lab, path);
}

// --- What is in the file ---------------------------------------------------------------------------------------------

START_TEST(S03_what_was_appended_is_there_after_a_kill)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    expect_in_file(lab, path);
    lab_must(lab, lab_play(lab, "+(+)"));
    append(lab, path);
    lab_submit_p_do(lab, 0, "+(2(3))(4)", 1);
    append(lab, path); // it waits
    lab_must(lab, kifu_step(lab));
    append(lab, path); // with two consequences that wait
    lab_must(lab, kifu_run(lab));
    append(lab, path);
    lab_must(lab, kifu_undo(lab));
    append(lab, path);
    lab_must(lab, kifu_undo(lab));
    append(lab, path);
    lab_must(lab, kifu_redo(lab));
    append(lab, path); // one undo is left to be redone
    lab_must(lab, kifu_redo(lab));
    append(lab, path);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    append(lab, path); // another end
    lab_submit_p_do(lab, 1, "5(6)", 1);
    lab_submit_p_add(lab, 1, 2);
    lab_must(lab, kifu_step(lab));
    append(lab, path);
    lab_must(lab, kifu_undo(lab)); // with what waits
    append(lab, path);
    lab_must(lab, kifu_redo(lab));
    append(lab, path);
    kifu_destroy(lab); // as a killed process leaves it

    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, &loaded, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "kifu_options.recover"));
    ck_assert_ptr_null(loaded);
    kifu_recovery recovery;
    loaded = recover(path, &recovery);
    ck_assert_int_eq(recovery.why.result, KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(recovery.why.message, "was not closed"));
    ck_assert_uint_eq(kifu_pending_count(loaded), 2);
    kifu_destroy(loaded);
    remove_folder(folder);
}
END_TEST

START_TEST(S03_a_closed_log_file_is_a_plain_save)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu"), *other = in_folder(folder, "b.kifu");
    static const char *const players[] = {"Ann", "Bob"};
    const kifu_save_options options = {.title = "Round 3", .players = players, .player_count = 2};
    kifu_timeline *lab = waiting_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, &options));
    lab_must(lab, lab_play(lab, "+(-)"));
    lab_must(lab, kifu_log_append(lab));
    lab_must(lab, kifu_log_close(lab, NULL));
    lab_must(lab, kifu_save(lab, other, &options));
    size_t size, expected_size;
    unsigned char *bytes = read_bytes(path, &size), *expected = read_bytes(other, &expected_size);
    ck_assert_uint_eq(size, expected_size);
    memset(bytes + 0x40, 0, 64); // the header's table: `saved_at`, by the clock
    memset(expected + 0x40, 0, 64);
    memset(bytes + 20, 0, 4); // and its checksum
    memset(expected + 20, 0, 4);
    ck_assert_mem_eq(bytes, expected, size);
    free(bytes);
    free(expected);
    kifu_timeline *loaded;
    kifu_recovery recovery = {.dropped = 1};
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, &loaded, NULL), KIFU_OK);
    expect_same(lab, loaded);
    kifu_destroy(loaded);
    loaded = recover(path, &recovery);
    ck_assert_int_eq(recovery.why.result, KIFU_OK);
    ck_assert_uint_eq(recovery.dropped, 0);
    kifu_destroy(loaded);
    ck_assert_int_eq(count_files(folder), 2);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

typedef struct seen {
    char title[50];
    uint32_t events;
    int count;
} seen;

static bool see(void *context, const kifu_save_info *info)
{
    seen *seen = context;
    ck_assert_ptr_null(info->error);
    snprintf(seen->title, sizeof seen->title, "%s", info->title ? info->title : "");
    seen->events = info->event_count;
    seen->count++;
    return true;
}

START_TEST(S07_a_log_file_is_listed_and_may_be_named_by_the_time)
{
    char *folder = new_folder();
    kifu_timeline *lab = lab_new(NULL);
    char title[] = "Ann";
    seen seen = {.count = 0};
    lab_must(lab, kifu_log_open(lab, folder, &(kifu_save_options){.title = title}));
    strcpy(title, "---"); // it was copied
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab));
    ck_assert_int_eq(kifu_list_saves(folder, see, &seen, NULL, NULL, NULL), KIFU_OK);
    ck_assert_int_eq(seen.count, 1);
    ck_assert_str_eq(seen.title, "Ann");
    ck_assert_uint_eq(seen.events, 0);
    lab_must(lab, kifu_log_close(lab, &(kifu_save_options){.title = "Bob"}));
    ck_assert_int_eq(kifu_list_saves(folder, see, &seen, NULL, NULL, NULL), KIFU_OK);
    ck_assert_int_eq(seen.count, 2);
    ck_assert_str_eq(seen.title, "Bob");
    ck_assert_uint_eq(seen.events, 1);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S03_what_waits_is_appended_when_only_its_flags_change)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    kifu_ticket ticket = lab_submit_p_do(lab, 0, "+", 1);
    append(lab, path);
    size_t size = size_of(path);
    append(lab, path);
    ck_assert_uint_eq(size_of(path), size); // it waits as before
    lab_must(lab, kifu_override(lab, ticket, false, false));
    append(lab, path);
    ck_assert_uint_gt(size_of(path), size);
    lab_submit_e_mood(lab, 3); // breaks its schema, so no save has it
    append(lab, path);
    lab_must(lab, kifu_step(lab));
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// An event that submits its like: what waits has the same bytes after each step, for it says by how many events its
// cause lies back.
START_TEST(S03_what_waits_has_its_own_cause)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_submit_p_do(lab, 0, "l", 1);
    for (uint32_t events = 1; events < 5; events++) {
        kifu_event waits;
        lab_must(lab, kifu_step(lab));
        append(lab, path);
        kifu_timeline *found = recover(path, NULL);
        ck_assert(kifu_pending_at(found, 0, &waits));
        ck_assert_uint_eq(waits.cause, events - 1);
        kifu_destroy(found);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Between two appends the game goes somewhere else and comes back to where it seems to have been.
START_TEST(S03_redo_has_what_it_had_though_it_looks_the_same)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "1"));
    lab_must(lab, lab_play(lab, "2"));
    lab_must(lab, kifu_undo(lab));
    append(lab, path);
    lab_must(lab, kifu_redo(lab));
    lab_submit_p_add(lab, 0, 5);
    lab_must(lab, kifu_undo(lab)); // now with something that waited
    append(lab, path);
    lab_must(lab, kifu_begin(lab));
    lab_must(lab, lab_play(lab, "3"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_commit(lab)); // another event can be redone
    append(lab, path);
    lab_must(lab, lab_play(lab, "4"));
    lab_must(lab, kifu_undo(lab));
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

static bool all_fails;

static kifu_result fail_or_do(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                              void *transient)
{
    return all_fails ? kifu_fail(timeline, "so it is") : lab_rules.do_event(timeline, type, state, event, transient);
}

static kifu_result fail_or_replay(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                  uint32_t *done)
{
    *done = 0;
    return all_fails ? KIFU_FAILED : lab_rules.replay(timeline, run, state, transient, done);
}

static void forget(void *context)
{
    (void)context;
}

// Then less is executed than before, and nothing was undone.
START_TEST(S03_a_log_that_cannot_be_executed_again_is_in_the_file_as_far_as_it_can)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_rules rules = lab_rules;
    rules.do_event = fail_or_do;
    rules.replay = fail_or_replay;
    kifu_timeline *lab;
    ck_assert_int_eq(kifu_create(&rules, &(kifu_options){.reset = forget}, &lab, NULL), KIFU_OK);
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    all_fails = true;
    ck_assert_int_eq(kifu_redo(lab), KIFU_FAILED);
    all_fails = false;
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    append(lab, path);
    lab_must(lab, kifu_redo(lab));
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Events of earlier rules stay what they were, also where they are appended once more.
START_TEST(S03_events_of_earlier_rules_keep_their_version)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 12; i++) {
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_log_append(lab));
    }
    kifu_destroy(lab);
    save file;
    file.bytes = read_bytes(path, &file.size);
    frames frames = frames_of(&file);
    uint32_t version = 0;
    for (int i = 0; i < frames.count; i++) {
        unsigned char *payload = file.bytes + (frames.all[i].payload - file.bytes);
        if (frames.all[i].kind != KIFU__FRAME_SEGMENT)
            continue;
        uint32_t earlier = version++ / 3;
        memcpy(payload + 32, &earlier, sizeof earlier);
    }
    save patched = save_of_frames(&frames);
    write_bytes(path, patched.bytes, patched.size);
    free(patched.bytes);
    free(file.bytes);
    lab = recover(path, NULL);
    kifu_event event;
    for (uint32_t i = 0; i < 12; i++) {
        ck_assert(kifu_event_at(lab, i, &event));
        ck_assert_uint_eq(event.rules_version, i / 3);
    }
    for (int i = 0; i < 4; i++)
        lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 4; i++) {
        lab_must(lab, kifu_redo(lab));
        append(lab, path);
    }
    kifu_destroy(lab);
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
    ck_assert_int_eq(appends, 1); // all frames in one call
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// A search for a move goes away and comes back.
START_TEST(nothing_is_new_after_a_search)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 4; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int undone = 0; undone < 3; undone++) {
        size_t size = size_of(path);
        lab_must(lab, kifu_mark(lab));
        lab_must(lab, lab_play(lab, "-"));
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_mark(lab));
        lab_must(lab, lab_play(lab, "2"));
        lab_must(lab, kifu_rewind(lab));
        lab_must(lab, kifu_rewind(lab));
        append(lab, path);
        ck_assert_uint_eq(size_of(path), size);
        lab_must(lab, kifu_undo(lab));
        append(lab, path);
    }
    lab_must(lab, kifu_begin(lab));
    lab_must(lab, lab_play(lab, "3"));
    lab_must(lab, kifu_commit(lab));
    append(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Each redo appends what is left to be redone once more.
START_TEST(a_way_back_and_forth_does_not_grow_without_end)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    enum { MOVES = 900 };
    for (int i = 1; i <= MOVES; i++) {
        lab_submit_p_add(lab, 0, i);
        lab_must(lab, kifu_run(lab));
    }
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < MOVES; i++) {
            lab_must(lab, way ? kifu_redo(lab) : kifu_undo(lab));
            lab_must(lab, kifu_log_append(lab));
        }
    }
    ck_assert_uint_lt(size_of(path), 18 << 20);
    kifu_timeline *found = recover(path, NULL);
    ck_assert_uint_eq(kifu_event_count(found), MOVES);
    ck_assert_mem_eq(kifu_state(found), kifu_state(lab), sizeof(lab_state));
    kifu_destroy(found);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(an_append_is_small)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 100; i++) { // in segments of any size
        size_t before = size_of(path);
        lab_submit_p_add(lab, 0, i + 1);
        lab_must(lab, kifu_run(lab));
        lab_must(lab, kifu_log_append(lab));
        ck_assert_uint_le(size_of(path) - before, 352);
        before = size_of(path);
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_log_append(lab));
        ck_assert_uint_le(size_of(path) - before, 128);
        lab_must(lab, kifu_redo(lab));
        lab_must(lab, kifu_log_append(lab));
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// --- By chance -------------------------------------------------------------------------------------------------------

// Returns false where there is to be no append.
static void random_step(kifu_timeline *lab, uint32_t choice)
{
    uint32_t kind = (choice >> 4) % 16;
    bool open = kifu_open_transactions(lab) > 0;
    if (kind == 0)
        (void)!kifu_begin(lab);
    else if (kind == 1)
        (void)!kifu_mark(lab);
    else if (kind == 2 && !open)
        (void)!kifu_seek(lab, choice % (kifu_present(lab) + 1));
    else if (kind < 5 && open)
        (void)!kifu_commit(lab);
    else if (kind < 7 && open && kifu_roll_back(lab))
        lab_must(lab, kifu_rewind(lab));
    else {
        if (choice & 1)
            (void)!kifu_seek(lab, KIFU_PRESENT);
        random_lab_step(lab, choice >> 3);
    }
}

START_TEST(S03_random_games_are_in_the_file)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    unsigned long steps = fuzz_steps(3000);
    unsigned appended = 0;
    for (uint32_t number = (uint32_t)fuzz_seed(); steps; number++) {
        uint32_t seed = number;
        const kifu_options options = {.max_consequences = 20, .hash_interval = 1 + number % 9};
        kifu_timeline *lab = lab_new(&options);
        for (int i = 0; i < 3; i++)
            random_lab_step(lab, next_random(&seed));
        lab_must(lab, kifu_log_open(lab, path, NULL));
        const uint32_t rate = 1 + number % 8;
        for (int step = 0; step < 200 && steps; step++, steps--) {
            random_step(lab, next_random(&seed));
            if (next_random(&seed) % 8 >= rate)
                continue;
            uint32_t shown = kifu_event_count(lab);
            lab_must(lab, kifu_log_append(lab));
            ck_assert_uint_eq(kifu_event_count(lab), shown);
            if (kifu_open_transactions(lab))
                continue;
            expect_in_file(lab, path);
            appended++;
            if (next_random(&seed) % 30 == 0) { // killed; the game goes on from the file
                kifu_destroy(lab);
                lab = recover(path, NULL);
                lab_must(lab, kifu_log_open(lab, path, NULL));
                expect_in_file(lab, path);
            }
        }
        while (kifu_open_transactions(lab)) {
            if (kifu_roll_back(lab))
                lab_must(lab, kifu_rewind(lab));
        }
        append(lab, path);
        lab_must(lab, kifu_log_close(lab, NULL));
        kifu_timeline *loaded;
        ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, &loaded, NULL), KIFU_OK);
        kifu_destroy(loaded);
        kifu_destroy(lab);
    }
    ck_assert_uint_gt(appended, 100);
    remove_folder(folder);
}
END_TEST

// --- Torn and damaged tails ------------------------------------------------------------------------------------------

enum { MOST_MOMENTS = 24 };

// A log file as its appends left it, one after the other.
typedef struct growth {
    unsigned char *bytes;
    size_t sizes[MOST_MOMENTS];
    kifu_timeline *then[MOST_MOMENTS];
    int count;
} growth;

static void note(growth *growth, kifu_timeline *lab, const char *path)
{
    lab_must(lab, kifu_log_append(lab));
    ck_assert_int_lt(growth->count, MOST_MOMENTS);
    growth->sizes[growth->count] = size_of(path);
    growth->then[growth->count++] = reload(lab, NULL);
}

static growth grow(void)
{
    growth growth = {.count = 0};
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.without_schema = true}));
    note(&growth, lab, path);
    lab_must(lab, kifu_redo(lab));
    note(&growth, lab, path);
    lab_submit_p_do(lab, 0, "+(1)(2)", 1);
    note(&growth, lab, path);
    lab_must(lab, kifu_step(lab));
    note(&growth, lab, path);
    lab_must(lab, kifu_step(lab));
    note(&growth, lab, path);
    lab_must(lab, kifu_run(lab));
    note(&growth, lab, path);
    lab_must(lab, lab_play(lab, "r(p)"));
    lab_must(lab, kifu_undo(lab));
    note(&growth, lab, path);
    lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 2, 7);
    note(&growth, lab, path);
    lab_must(lab, kifu_run(lab));
    lab_submit_p_add(lab, 2, 8);
    note(&growth, lab, path);
    size_t size;
    growth.bytes = read_bytes(path, &size);
    kifu_destroy(lab);
    remove_folder(folder);
    return growth;
}

static void free_growth(growth *growth)
{
    for (int i = 0; i < growth->count; i++)
        kifu_destroy(growth->then[i]);
    free(growth->bytes);
}

// The last append that is whole in the first `size` bytes, or -1.
static int moment_at(const growth *growth, size_t size)
{
    int last = -1;
    while (last + 1 < growth->count && growth->sizes[last + 1] <= size)
        last++;
    return last;
}

static void expect_recovered(const growth *growth, const void *bytes, size_t size, size_t good)
{
    kifu_timeline *loaded;
    kifu_error error;
    kifu_recovery recovery;
    int moment = moment_at(growth, good);
    kifu_result result = recover_bytes(bytes, size, &loaded, &recovery, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    ck_assert_uint_eq(recovery.dropped, size - growth->sizes[moment]);
    ck_assert_uint_eq(recovery.why.offset, growth->sizes[moment]);
    ck_assert_int_eq(recovery.why.result, KIFU_DAMAGED);
    char number[30];
    snprintf(number, sizeof number, "the last %zu bytes", size - growth->sizes[moment]);
    ck_assert_ptr_nonnull(strstr(recovery.why.message, recovery.dropped ? number : "not closed"));
    expect_same(loaded, growth->then[moment]);
    kifu_destroy(loaded);
}

START_TEST(S05_a_tail_torn_at_any_byte_is_cut_at_the_last_whole_append)
{
    growth growth = grow();
    for (size_t size = growth.sizes[0]; size <= growth.sizes[growth.count - 1]; size++)
        expect_recovered(&growth, growth.bytes, size, size);
    free_growth(&growth);
}
END_TEST

START_TEST(S05_a_damaged_byte_of_the_tail_costs_what_follows_and_no_more)
{
    growth growth = grow();
    size_t size = growth.sizes[growth.count - 1];
    for (size_t at = growth.sizes[0]; at < size; at++) {
        growth.bytes[at] ^= (unsigned char)(1u << at % 8);
        expect_recovered(&growth, growth.bytes, size, at);
        growth.bytes[at] ^= (unsigned char)(1u << at % 8);
    }
    free_growth(&growth);
}
END_TEST

START_TEST(S05_bytes_behind_the_last_append_are_dropped)
{
    growth growth = grow();
    size_t size = growth.sizes[growth.count - 1];
    uint32_t seed = 1;
    unsigned char *bytes = malloc(size + 100);
    memcpy(bytes, growth.bytes, size);
    for (size_t more = 1; more <= 100; more++) {
        for (size_t i = 0; i < more; i++) // zeros, as a power cut leaves them, or anything
            bytes[size + i] = more % 2 ? (unsigned char)next_random(&seed) : 0;
        expect_recovered(&growth, bytes, size + more, size);
    }
    free(bytes);
    free_growth(&growth);
}
END_TEST

// What is found must have been so once: the events before an input, and nothing else.
static void expect_beginning_of(kifu_timeline *loaded, kifu_timeline *whole)
{
    kifu_event event;
    uint32_t count = kifu_event_count(loaded);
    ck_assert_uint_gt(count, 0);
    ck_assert_uint_eq(kifu_pending_count(loaded), 0);
    ck_assert_uint_eq(kifu_can_redo(loaded, NULL), 0);
    lab_state state;
    kifu_timeline *all = reload(whole, NULL);
    while (kifu_event_count(all) < count)
        lab_must(all, kifu_redo(all));
    ck_assert(kifu_event_at(all, count, &event));
    ck_assert_uint_eq(event.cause, KIFU_NONE);
    lab_must(all, kifu_state_at(all, count, &state, sizeof state));
    ck_assert_mem_eq(&state, kifu_state(loaded), sizeof state);
    kifu_destroy(all);
}

START_TEST(S05_of_a_plain_save_that_is_damaged_the_events_are_recovered)
{
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    save save = save_of(lab, &(kifu_save_options){.without_schema = true});
    frames frames = frames_of(&save);
    size_t snapshot = (size_t)frames.all[frames.count - 1].offset; // where it ends
    size_t segment = (size_t)frames.all[find_frame(&frames, KIFU__FRAME_SEGMENT)].offset;
    unsigned recovered = 0;
    for (int way = 0; way < 2; way++) {
        for (size_t at = 0; at < save.size; at++) {
            kifu_recovery recovery = {.dropped = 77};
            kifu_error error;
            save.bytes[at] ^= (unsigned char)way;
            kifu_result result = recover_bytes(save.bytes, way ? save.size : at, &loaded, &recovery, &error);
            save.bytes[at] ^= (unsigned char)way;
            if (result) {
                ck_assert_ptr_null(loaded);
                ck_assert_uint_eq(recovery.dropped, at < KIFU__FILE_HEAD ? 77 : 0);
                ck_assert_uint_lt(at, segment + 2000);
                ck_assert_uint_gt(strlen(error.message), 20);
                continue;
            }
            recovered++;
            ck_assert_int_eq(recovery.why.result, KIFU_DAMAGED);
            ck_assert_uint_ge(at, segment);
            if (at >= snapshot)
                expect_same(loaded, lab);
            else
                expect_beginning_of(loaded, lab);
            kifu_destroy(loaded);
        }
    }
    ck_assert_uint_gt(recovered, 500);
    ck_assert_int_eq(recover_bytes(save.bytes, save.size, &loaded, &(kifu_recovery){0}, NULL), KIFU_OK);
    kifu_destroy(loaded);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// Whoever wrote such a frame meant it: nobody tore it.
START_TEST(S05_recovery_is_not_for_wrong_contents)
{
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    save save = save_of(lab, NULL);
    frames frames = frames_of(&save);
    const unsigned char nonsense[20] = {1, 2, 3};
    insert_frame(&frames, frames.count - 1, KIFU__FRAME_SEGMENT, nonsense, sizeof nonsense);
    struct save other = save_of_frames(&frames);
    kifu_recovery recovery;
    kifu_error error;
    ck_assert_int_eq(recover_bytes(other.bytes, other.size, &loaded, &recovery, &error), KIFU_DAMAGED);
    ck_assert_ptr_null(loaded);
    ck_assert_ptr_nonnull(strstr(error.message, "kifu.Segment"));
    free(other.bytes);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// Right checksums, wrong contents, and a tail that is torn as well. The sanitizers watch.
START_TEST(S05_hostile_log_files_do_no_harm)
{
    growth growth = grow();
    const save original = {growth.bytes, growth.sizes[growth.count - 1]};
    uint32_t seed = (uint32_t)fuzz_seed() * 7919;
    unsigned long steps = fuzz_steps(2000), loaded_count = 0;
    for (unsigned long i = 0; i < steps; i++) {
        save mutant = {malloc(original.size), original.size};
        memcpy(mutant.bytes, original.bytes, original.size);
        frames frames = frames_of(&mutant);
        const kifu__frame *frame = &frames.all[next_random(&seed) % (uint32_t)frames.count];
        mutant.bytes[frame->offset + KIFU__FRAME_HEAD + next_random(&seed) % frame->size] ^=
            (unsigned char)(1u << next_random(&seed) % 8);
        if (i % 3 == 0) // or frames in another order
            frames.all[next_random(&seed) % (uint32_t)frames.count] =
                frames.all[next_random(&seed) % (uint32_t)frames.count];
        save sealed = save_of_frames(&frames);
        kifu_timeline *timeline;
        kifu_recovery recovery;
        kifu_error error = {0};
        size_t size = sealed.size - next_random(&seed) % (i % 2 ? 1 : 400);
        if (recover_bytes(sealed.bytes, size, &timeline, &recovery, &error))
            ck_assert_uint_gt(strlen(error.message), 20);
        else {
            loaded_count++;
            for (int step = 0; step < 6; step++)
                random_lab_step(timeline, next_random(&seed));
            kifu_destroy(reload(timeline, NULL));
            kifu_destroy(timeline);
        }
        free(sealed.bytes);
        free(mutant.bytes);
    }
    ck_assert_uint_gt(loaded_count, 0);
    free_growth(&growth);
}
END_TEST

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
                ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, path));
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
    lab_submit_p_do(lab, 0, script, 0);
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
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S04_open_and_close_fail_whole)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    for (int way = 0; way < 2; way++) {
        bool reached = true;
        int failures = 0;
        for (int at = 1; reached; at++) {
            kifu_timeline *old = lab_new(NULL), *lab = waiting_game(NULL);
            lab_must(old, lab_play(old, "+"));
            lab_must(old, kifu_save(old, path, NULL));
            if (way)
                lab_must(lab, kifu_log_open(lab, path, NULL));
            arm(at, ENOSPC, false);
            kifu_result result = way ? kifu_log_close(lab, NULL) : kifu_log_open(lab, path, NULL);
            reached = calls >= at;
            arm(0, 0, false);
            failures += result != KIFU_OK;
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
            }
            kifu_destroy(lab);
            kifu_destroy(old);
        }
        ck_assert_int_gt(failures, 6);
    }
    remove_folder(folder);
}
END_TEST

// One at a time, and all from one on.
START_TEST(S04_memory_may_end_at_any_allocation)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    for (int way = 0; way < 6; way++) {
        bool failed = true;
        for (long at = 0; failed; at++) {
            test_memory memory = {.until_failure = -1, .for_ever = way & 1};
            const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
            kifu_timeline *lab = rich_game(&options);
            if (way > 1)
                lab_must(lab, kifu_log_open(lab, path, NULL));
            lab_submit_p_do(lab, 0, "+(r)(-)", 1);
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
    remove_folder(folder);
}
END_TEST

START_TEST(S05_memory_may_end_while_a_file_is_recovered)
{
    growth growth = grow();
    bool failed = true;
    for (long at = 0; failed; at++) {
        test_memory memory = {.until_failure = at};
        kifu_recovery recovery;
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .recover = &recovery};
        kifu_timeline *loaded;
        kifu_result result = kifu_load_from_memory(&lab_rules, growth.bytes, growth.sizes[growth.count - 1] - 1,
                                                   &options, &loaded, NULL);
        failed = memory.failed;
        ck_assert(result == KIFU_OK || result == KIFU_NO_MEMORY);
        ck_assert(failed || !result);
        if (!result)
            expect_same(loaded, growth.then[growth.count - 2]);
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
    }
    free_growth(&growth);
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

// --- Going on --------------------------------------------------------------------------------------------------------

START_TEST(S05_a_recovered_game_goes_on_and_stays_small)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    const kifu_save_options options = {.without_schema = true};
    kifu_timeline *sitting = lab_new(NULL), *lab = lab_new(NULL);
    for (int day = 0; day < 20; day++) { // each ends in a kill, with a torn tail
        lab_must(lab, kifu_log_open(lab, path, &options));
        for (int turn = 0; turn < 100; turn++) {
            lab_must(lab, lab_play(lab, "+"));
            lab_must(sitting, lab_play(sitting, "+"));
            lab_must(lab, kifu_log_append(lab));
        }
        kifu_destroy(lab);
        FILE *file = fopen(path, "ab");
        fputs("torn", file);
        fclose(file);
        lab = recover(path, NULL);
    }
    expect_same_long(lab, sitting);
    lab_must(lab, kifu_log_open(lab, path, &options));
    lab_must(lab, kifu_log_close(lab, &options));
    save save = save_of(sitting, &options);
    ck_assert_uint_le(size_of(path), save.size + save.size / 4);
    free(save.bytes);
    kifu_destroy(lab);
    kifu_destroy(sitting);
    remove_folder(folder);
}
END_TEST

// Runs of small segments of several rules versions, as no game makes them: each run becomes one.
START_TEST(S05_runs_of_small_segments_are_joined)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL), *loaded;
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 9; i++) {
        lab_must(lab, lab_play(lab, i % 2 ? "+(2)" : "3"));
        lab_must(lab, kifu_log_append(lab));
    }
    lab_picture picture = lab_look(lab);
    save original = {.bytes = NULL};
    original.bytes = read_bytes(path, &original.size);
    frames frames = frames_of(&original);
    static const uint32_t versions[9] = {7, 7, 0, 0, 7, 7, 7, 0, 7};
    uint32_t version[20], count = 0;
    for (int i = 0, segment = 0; i < frames.count; i++) {
        if (frames.all[i].kind != KIFU__FRAME_SEGMENT)
            continue;
        memcpy(original.bytes + frames.all[i].offset + KIFU__FRAME_HEAD + KIFU__SEGMENT_HEAD - 4, &versions[segment],
               4);
        version[count++] = versions[segment];
        if (segment % 2)
            version[count++] = versions[segment];
        segment++;
    }
    ck_assert_uint_eq(count, picture.events);
    save sealed = save_of_frames(&frames);
    kifu_recovery recovery;
    ck_assert_int_eq(recover_bytes(sealed.bytes, sealed.size, &loaded, &recovery, NULL), KIFU_OK);
    lab_same(loaded, &picture);
    ck_assert_uint_eq(loaded->log.segment_count, 5);
    for (uint32_t i = 0; i < count; i++) {
        kifu_event event;
        ck_assert(kifu_event_at(loaded, i, &event));
        ck_assert_uint_eq(event.rules_version, version[i]);
    }
    while (kifu_can_undo(loaded, NULL)) {
        lab_must(loaded, kifu_undo(loaded));
        lab_must(lab, kifu_undo(lab));
        picture = lab_look(lab);
        lab_same(loaded, &picture);
    }
    free(original.bytes);
    free(sealed.bytes);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Another writer may let events share their strings; each that is copied has its own.
START_TEST(S05_what_shares_its_parts_is_not_joined)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    enum { LONG = 60000 };
    static char script[LONG + 1];
    for (int i = 0; i < LONG; i++)
        script[i] = i % 2 ? '-' : '+';
    kifu_timeline *lab = lab_new(NULL), *loaded;
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 21; i++) {
        lab_must(lab, lab_play(lab, i % 7 == 6 ? script : "+-"));
        if (i % 7 == 6)
            lab_must(lab, kifu_log_append(lab));
    }
    save original = {.bytes = NULL};
    original.bytes = read_bytes(path, &original.size);
    frames found = frames_of(&original), frames = {.all = {found.all[0], [4] = found.all[found.count - 1]}, .count = 5};
    kifu_timeline *whole = recover(path, NULL);
    kifu__segment copies[3];
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_int_eq(kifu__copy_events(&whole->log, &whole->log.segments[0], 7 * i, 7, &copies[i]), KIFU_OK);
        const uint32_t *offsets = copies[i].offsets;
        unsigned char *end = (unsigned char *)(uintptr_t)lab_p_do_script(kifu__segment_table(&copies[i], 6)) - 4;
        for (uint32_t slot = 0; slot < 6; slot++) {
            unsigned char *ref =
                (unsigned char *)(uintptr_t)&offsets[slot] + offsets[slot] + offsetof(lab_p_do, script);
            uint32_t offset = (uint32_t)(end - ref);
            memcpy(ref, &offset, sizeof offset);
        }
        frames.all[1 + i] =
            (kifu__frame){.kind = KIFU__FRAME_SEGMENT, .size = copies[i].size, .payload = copies[i].bytes};
    }
    save sealed = save_of_frames(&frames);
    kifu_recovery recovery;
    kifu_error error;
    kifu_result result = recover_bytes(sealed.bytes, sealed.size, &loaded, &recovery, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    ck_assert_uint_eq(kifu_event_count(loaded), 21);
    kifu_event event;
    ck_assert(kifu_event_at(loaded, 0, &event));
    ck_assert_str_eq(lab_p_do_script(event.table), script);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < loaded->log.segment_count; i++)
        bytes += loaded->log.segments[i].size;
    ck_assert_uint_le(bytes, 2 * (uint64_t)sealed.size);
    lab_must(loaded, lab_play(loaded, "+"));
    for (uint32_t i = 0; i < 3; i++)
        kifu__free(&whole->memory, copies[i].bytes);
    kifu_destroy(whole);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    free(original.bytes);
    free(sealed.bytes);
    remove_folder(folder);
}
END_TEST

START_TEST(S04_a_file_that_was_removed_or_replaced_is_written_anew)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL), *other = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+"));
    unlink(path);
    append(lab, path);
    lab_must(other, kifu_save(other, path, NULL));
    lab_must(lab, lab_play(lab, "-"));
    append(lab, path);
    lab_must(lab, kifu_save(lab, path, NULL)); // by the game itself
    lab_must(lab, lab_play(lab, "+(+)"));
    lab_must(lab, kifu_seek(lab, 2));
    append(lab, path);
    lab_must(lab, kifu_seek(lab, KIFU_PRESENT));
    lab_must(lab, lab_play(lab, "3"));
    append(lab, path);
    for (size_t size = 0; size < 2; size++) { // emptied in place, and another save copied over it
        if (size)
            write_bytes(path, "another", 7);
        else
            ck_assert_int_eq(truncate(path, 0), 0);
        lab_must(lab, lab_play(lab, "4"));
        append(lab, path);
    }
    kifu_destroy(other);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S04_a_relative_path_means_one_file)
{
    char *folder = new_folder(), here[4096];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(chdir(folder), 0);
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, "a.kifu", NULL));
    ck_assert_int_eq(chdir(here), 0);
    lab_must(lab, lab_play(lab, "+"));
    append(lab, in_folder(folder, "a.kifu"));
    lab_must(lab, kifu_log_close(lab, NULL));
    ck_assert_int_eq(count_files(folder), 1);
    ck_assert(!kifu__os_exists("a.kifu"));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// --- Where something else is going on --------------------------------------------------------------------------------

START_TEST(P05_a_transaction_is_appended_when_it_has_ended)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    size_t size = size_of(path);
    for (int commit = 0; commit < 2; commit++) {
        kifu_timeline *before = recover(path, NULL);
        lab_must(lab, kifu_begin(lab));
        lab_must(lab, lab_play(lab, "+(-)"));
        lab_must(lab, lab_play(lab, "+"));
        ck_assert_int_eq(kifu_log_open(lab, path, NULL), KIFU_MISUSE);
        ck_assert_int_eq(kifu_log_close(lab, NULL), KIFU_MISUSE);
        must_say(lab, "commit or roll back first");
        lab_must(lab, kifu_log_append(lab));
        ck_assert_uint_eq(size_of(path), size);
        lab_must(lab, commit ? kifu_commit(lab) : kifu_roll_back(lab));
        append(lab, path);
        if (!commit)
            expect_same(lab, before);
        size = size_of(path);
        kifu_destroy(before);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S03_appending_while_the_past_is_shown_leaves_it_shown)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+(+)"));
    kifu_timeline *present = reload(lab, NULL);
    lab_must(lab, kifu_seek(lab, 1));
    lab_must(lab, kifu_log_append(lab));
    ck_assert_uint_eq(kifu_event_count(lab), 1);
    size_t size = size_of(path);
    lab_must(lab, kifu_log_append(lab));
    ck_assert_uint_eq(size_of(path), size);
    kifu_timeline *found = recover(path, NULL);
    expect_same(found, present);
    lab_must(lab, kifu_log_close(lab, NULL));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    ck_assert_uint_eq(kifu_event_count(lab), 1);
    kifu_destroy(found);
    found = recover(path, NULL);
    expect_same(found, present);
    kifu_destroy(found);
    kifu_destroy(present);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

static kifu_result append_in_reaction(void *context, kifu_timeline *timeline, const void *state,
                                      const kifu_event *event)
{
    (void)state;
    (void)event;
    *(kifu_result *)context = kifu_log_append(timeline);
    return KIFU_OK;
}

START_TEST(log_files_ask_for_the_right_moment)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    must_refuse(lab, kifu_log_append(lab));
    must_refuse(lab, kifu_log_close(lab, NULL));
    ck_assert_int_eq(kifu_log_open(lab, "/nowhere/at/all.kifu", NULL), KIFU_IO);
    must_say(lab, "/nowhere/at/all.kifu");
    ck_assert_int_eq(kifu_log_open(lab, "", NULL), KIFU_IO);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    must_refuse(lab, kifu_log_open(lab, path, NULL));
    kifu_result inside = KIFU_OK;
    lab_must(lab, kifu_add_reaction(lab, 0, KIFU_ORDINARY, append_in_reaction, &inside));
    ck_assert_int_eq(lab_play(lab, "+"), KIFU_MISUSE);
    ck_assert_int_eq(inside, KIFU_MISUSE);
    append(lab, path);
    kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL); // it has no log file
    must_refuse(fork, kifu_log_append(fork));
    kifu_destroy(fork);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_what_was_appended_is_there_after_a_kill,
        S03_a_closed_log_file_is_a_plain_save,
        S07_a_log_file_is_listed_and_may_be_named_by_the_time,
        S03_what_waits_is_appended_when_only_its_flags_change,
        S03_what_waits_has_its_own_cause,
        S03_redo_has_what_it_had_though_it_looks_the_same,
        S03_a_log_that_cannot_be_executed_again_is_in_the_file_as_far_as_it_can,
        S03_events_of_earlier_rules_keep_their_version,
        nothing_new_writes_nothing,
        nothing_is_new_after_a_search,
        a_way_back_and_forth_does_not_grow_without_end,
        an_append_is_small,
        S03_random_games_are_in_the_file,
        S05_a_tail_torn_at_any_byte_is_cut_at_the_last_whole_append,
        S05_a_damaged_byte_of_the_tail_costs_what_follows_and_no_more,
        S05_bytes_behind_the_last_append_are_dropped,
        S05_of_a_plain_save_that_is_damaged_the_events_are_recovered,
        S05_recovery_is_not_for_wrong_contents,
        S05_hostile_log_files_do_no_harm,
        S04_an_append_that_fails_leaves_game_and_file_and_is_made_up_for,
        S04_a_torn_append_that_cannot_be_cut_off_is_written_anew,
        S04_after_a_failed_sync_the_file_is_written_anew,
        S04_open_and_close_fail_whole,
        S04_memory_may_end_at_any_allocation,
        S05_memory_may_end_while_a_file_is_recovered,
        durable_appends_are_on_the_disk,
        S04_a_process_that_dies_at_any_call_leaves_what_was_appended,
        S04_a_killed_process_loses_nothing_that_was_appended,
        S05_a_recovered_game_goes_on_and_stays_small,
        S05_runs_of_small_segments_are_joined,
        S05_what_shares_its_parts_is_not_joined,
        S04_a_file_that_was_removed_or_replaced_is_written_anew,
        S04_a_relative_path_means_one_file,
        P05_a_transaction_is_appended_when_it_has_ended,
        S03_appending_while_the_past_is_shown_leaves_it_shown,
        log_files_ask_for_the_right_moment,
    };
    return run_suite("log file", tests, sizeof tests / sizeof *tests);
}
