// Followers whose process is killed, whose disk is full, or who have another version of the game than their leader.

#include <kifu/changes.h>
#include <signal.h>
#include <sys/wait.h>

#include "faulty_os.h"
#include "log_file_help.h"
#include "suite.h"
#include "tally.h"
#include "tally2.h"

int __wrap_fsync(int file);

// No power fails here, and disks are slow.
int __wrap_fsync(int file)
{
    (void)file;
    return fault() ? -1 : 0;
}

static kifu_changes since(kifu_timeline *from, const kifu_stream_position *at)
{
    kifu_changes changes;
    const kifu_result result = kifu_changes_since(from, at, &changes);
    ck_assert_msg(!result, "%s", kifu_last_error(from)->message);
    return changes;
}

static void step(kifu_timeline *lab, uint32_t i)
{
    lab_must(lab, i % 5 == 3 ? kifu_undo(lab) : lab_play(lab, i % 2 ? "+(-)" : "-"));
}

// --- Killed ----------------------------------------------------------------------------------------------------------

enum { MESSAGES = 24 };

// What a leader tells: first the whole game. And the hash of its state behind each message.
typedef struct told {
    kifu_changes all[MESSAGES];
    uint64_t hashes[MESSAGES];
} told;

static void tell(kifu_timeline *lab, told *told)
{
    for (uint32_t i = 0; i < MESSAGES; i++) {
        if (i)
            step(lab, i);
        told->all[i] = since(lab, i ? &told->all[i - 1].until : NULL);
        ck_assert(told->all[i].whole == !i && told->all[i].size);
        told->hashes[i] = kifu_state_hash(lab);
    }
}

// A process that follows: it goes on from its own file, applies a message, saves, says so, and so on.
static void follow_until_killed(const told *told, const char *path, bool logs, int acknowledge)
{
    kifu_timeline *copy;
    const kifu_load_options how = {.recover = kifu_recover};
    kifu_result result = kifu_load(&lab_rules, path, NULL, &how, &copy, NULL);
    if (result == KIFU_NOT_FOUND)
        result = kifu_create(&lab_rules, NULL, &copy, NULL);
    if (!result && logs)
        result = kifu_log_open(copy, path, NULL);
    for (uint32_t i = 0; i < MESSAGES && !result; i++) {
        result = kifu_apply_changes(copy, told->all[i].bytes, told->all[i].size);
        if (!result)
            result = logs ? kifu_log_append(copy) : kifu_save(copy, path, NULL);
        if (!result && write(acknowledge, &i, sizeof i) != sizeof i)
            result = KIFU_IO;
    }
    if (result)
        _exit(1);
    for (;;)
        pause();
}

// Kills it once it has acknowledged so many, and a little later. Returns which was the last one; -1: none.
static int kill_after(pid_t child, int from, int count, uint32_t later)
{
    int last = -1;
    uint32_t i;
    while (last + 1 < count && read(from, &i, sizeof i) == sizeof i)
        last = (int)i;
    usleep(later);
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    while (read(from, &i, sizeof i) == sizeof i)
        last = (int)i;
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status), "the follower failed");
    return last;
}

// After each death its file has what it acknowledged, or the message behind that. It follows on from there.
static void kill_followers(bool logs, uint32_t kills)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "copy.kifu");
    kifu_timeline *lab = lab_started(NULL);
    uint64_t before = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, 24, logs);
    for (uint32_t round = 0; round < kills; round++) {
        told told;
        int ends[2];
        tell(lab, &told);
        ck_assert_int_eq(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0)
            follow_until_killed(&told, path, logs, ends[1]);
        close(ends[1]);
        const int last = kill_after(child, ends[0], (int)kifu_rng_below(&rng, MESSAGES), kifu_rng_below(&rng, 1500));
        close(ends[0]);
        kifu_timeline *copy;
        kifu_error error;
        const kifu_load_options how = {.recover = kifu_recover};
        const kifu_result result = kifu_load(&lab_rules, path, NULL, &how, &copy, &error);
        ck_assert_msg(!result || (last < 0 && !before && result == KIFU_NOT_FOUND), "%s", error.message);
        if (result) // It had no time for its first save.
            ck_assert_int_eq(kifu_create(&lab_rules, NULL, &copy, NULL), KIFU_OK);
        const uint64_t hash = kifu_state_hash(copy);
        ck_assert_msg(
            result || (last < 0 ? !before || hash == before || hash == told.hashes[0]
                                : hash == told.hashes[last] || (last + 1 < MESSAGES && hash == told.hashes[last + 1])),
            "round %u: %d were acknowledged", round, last);
        const kifu_stream_position at = kifu_followed(copy);
        kifu_changes changes = since(lab, &at);
        ck_assert(changes.whole); // A save does not say what it follows.
        lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        expect_same(lab, copy);
        step(lab, round);
        kifu_free_bytes(lab, changes.bytes);
        const kifu_stream_position then = kifu_followed(copy);
        changes = since(lab, &then);
        ck_assert(!changes.whole);
        lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        expect_same(lab, copy);
        kifu_free_bytes(lab, changes.bytes);
        before = result ? 0 : hash;
        kifu_destroy(copy);
        for (uint32_t i = 0; i < MESSAGES; i++)
            kifu_free_bytes(lab, told.all[i].bytes);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}

START_TEST(R06_a_follower_that_is_killed_has_what_it_saved_and_follows_on)
{
    kill_followers(false, 30);
    kill_followers(true, 30);
}
END_TEST

// --- A disk that is full ---------------------------------------------------------------------------------------------

START_TEST(R04_a_follower_whose_disk_is_full_goes_on_and_saves_later)
{
    char *folder = new_folder();
    const char *log = in_folder(folder, "log.kifu");
    for (int at = 1; at <= 4; at++) {
        kifu_timeline *lab = lab_started(NULL), *copy = lab_new(NULL), *found;
        lab_must(copy, kifu_log_open(copy, log, &(kifu_save_options){.overwrite = true}));
        kifu_changes changes = since(lab, NULL);
        lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        kifu_free_bytes(lab, changes.bytes);
        lab_must(copy, kifu_log_append(copy));
        kifu_timeline *before = reload(lab, NULL);
        int failed = 0;
        for (uint32_t i = 0; i < 12; i++) {
            step(lab, i);
            const kifu_stream_position followed = kifu_followed(copy);
            changes = since(lab, &followed);
            arm(at, ENOSPC, true);
            const kifu_result applied = kifu_apply_changes(copy, changes.bytes, changes.size);
            const int needed = calls;
            const kifu_result result = kifu_log_append(copy);
            arm(0, 0, false);
            kifu_free_bytes(lab, changes.bytes);
            lab_must(copy, applied);
            ck_assert_int_eq(needed, 0); // Following needs no disk.
            if (result)
                ck_assert_ptr_nonnull(strstr(kifu_last_error(copy)->message, "the disk is full: free some space"));
            failed += result != KIFU_OK;
            expect_same(lab, copy);
            found = recover(log, NULL); // What was there, or all.
            expect_same(found, result ? before : lab);
            kifu_destroy(found);
            if (!result) {
                kifu_destroy(before);
                before = reload(lab, NULL);
            }
        }
        if (at == 1)
            ck_assert_int_eq(failed, 12);
        lab_must(copy, kifu_log_append(copy)); // There is room again.
        found = recover(log, NULL);
        expect_same(found, lab);
        kifu_destroy(found);
        kifu_destroy(before);
        kifu_destroy(copy);
        kifu_destroy(lab);
    }
    remove_folder(folder);
}
END_TEST

// --- Another version of the game -------------------------------------------------------------------------------------

// The next release of tally, under the same name: its state and events have more fields.
static kifu_rules upgraded(void)
{
    kifu_rules rules = tally2_rules;
    rules.name = tally_rules.name;
    rules.union_name = tally_rules.union_name;
    rules.rules_version = tally_rules.rules_version + 1;
    return rules;
}

static kifu_timeline *tally_of(const kifu_rules *rules)
{
    kifu_timeline *tally;
    ck_assert_int_eq(kifu_create(rules, NULL, &tally, NULL), KIFU_OK);
    return tally;
}

static void play(kifu_timeline *tally, int amount)
{
    tally_submit_p_add(tally, 0, amount, NULL);
    ck_assert_int_eq(kifu_run(tally), KIFU_OK);
}

static void play_upgraded(kifu_timeline *tally, int amount)
{
    tally2_submit_p_add(tally, 0, &(tally2_p_add_args){.amount = amount, .weight = 2});
    ck_assert_int_eq(kifu_run(tally), KIFU_OK);
}

static void must_follow(kifu_timeline *leader, kifu_timeline *follower)
{
    const kifu_stream_position at = kifu_followed(follower);
    kifu_changes changes = since(leader, &at);
    const kifu_result result = kifu_apply_changes(follower, changes.bytes, changes.size);
    ck_assert_msg(!result, "%s", kifu_last_error(follower)->message);
    kifu_free_bytes(leader, changes.bytes);
    ck_assert_uint_eq(kifu_state_hash(leader), kifu_state_hash(follower));
    ck_assert_uint_eq(kifu_event_count(leader), kifu_event_count(follower));
}

// The changes since its position, and the whole game: both in the same words, and nothing is changed.
static void expect_refused(kifu_timeline *leader, kifu_timeline *follower, kifu_result why, const char *words)
{
    const kifu_stream_position at = kifu_followed(follower);
    const uint64_t hash = kifu_state_hash(follower);
    const uint32_t count = kifu_event_count(follower);
    for (int whole = 0; whole < 2; whole++) {
        kifu_changes changes = since(leader, whole ? NULL : &at);
        ck_assert_int_eq(kifu_apply_changes(follower, changes.bytes, changes.size), why);
        ck_assert_msg(strstr(kifu_last_error(follower)->message, words) != NULL, "%s",
                      kifu_last_error(follower)->message);
        kifu_free_bytes(leader, changes.bytes);
        const kifu_stream_position now = kifu_followed(follower);
        ck_assert(now.stream == at.stream && now.commit == at.commit && now.checksum == at.checksum);
        ck_assert_uint_eq(kifu_state_hash(follower), hash);
        ck_assert_uint_eq(kifu_event_count(follower), count);
    }
}

// The same process with the other version: it loads what the first one had.
static kifu_timeline *upgrade(kifu_timeline *tally, const kifu_rules *rules)
{
    unsigned char *bytes;
    size_t size;
    kifu_timeline *now;
    kifu_error error;
    ck_assert_int_eq(kifu_save_to_memory(tally, NULL, &bytes, &size), KIFU_OK);
    const kifu_result result = kifu_load_from_memory(rules, bytes, size, NULL, NULL, &now, &error);
    ck_assert_msg(!result, "%s", error.message);
    ck_assert_uint_eq(kifu_event_count(now), kifu_event_count(tally));
    kifu_free_bytes(tally, bytes);
    kifu_destroy(tally);
    return now;
}

START_TEST(R05_a_leader_that_is_upgraded_before_its_followers_or_after_them)
{
    const kifu_rules newer = upgraded();
    for (int first = 0; first < 2; first++) {
        kifu_timeline *leader = tally_of(&tally_rules), *follower = tally_of(&tally_rules);
        play(leader, 5);
        must_follow(leader, follower);
        play(leader, 3);
        must_follow(leader, follower);
        if (first) { // The leader.
            leader = upgrade(leader, &newer);
            play_upgraded(leader, 2);
            expect_refused(leader, follower, KIFU_NEWER_GAME,
                           "these changes are of rules version 2 of a game, and this program has rules version 1 of "
                           "tally: update the program");
            follower = upgrade(follower, &newer);
        } else {
            follower = upgrade(follower, &newer);
            play(leader, 2);
            expect_refused(leader, follower, KIFU_OTHER_GAME, "of another game than tally");
            leader = upgrade(leader, &newer);
        }
        must_follow(leader, follower); // The whole game.
        ck_assert(kifu_followed(follower).stream != 0);
        play_upgraded(leader, 7);
        must_follow(leader, follower);
        kifu_destroy(leader);
        kifu_destroy(follower);
    }
}
END_TEST

// Behind the commit with the state, one has a note alone, and a hash of the same place.
START_TEST(R08_a_later_version_reads_a_log_file_with_notes_behind_its_state)
{
    const kifu_rules newer = upgraded();
    const kifu_options options = {.keep_notes = kifu_keep_notes};
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *tally, *now;
    kifu_error error;
    ck_assert_int_eq(kifu_create(&tally_rules, &options, &tally, NULL), KIFU_OK);
    play(tally, 5);
    ck_assert_int_eq(kifu_log_open(tally, path, NULL), KIFU_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(kifu_set_note(tally, 0, KIFU_NOTE_COMMENT, i ? "two" : "one"), KIFU_OK);
        ck_assert_int_eq(kifu_log_append(tally), KIFU_OK);
    }
    kifu_difference changed;
    const kifu_load_options how = {.recover = kifu_recover, .changed = &changed};
    const kifu_result result = kifu_load(&newer, path, &options, &how, &now, &error);
    ck_assert_msg(!result, "%s", error.message);
    ck_assert_uint_eq(changed.event, KIFU_NONE);
    ck_assert_uint_eq(kifu_event_count(now), 1);
    kifu_destroy(now);
    kifu_destroy(tally);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {R06_a_follower_that_is_killed_has_what_it_saved_and_follows_on,
                                  R04_a_follower_whose_disk_is_full_goes_on_and_saves_later,
                                  R05_a_leader_that_is_upgraded_before_its_followers_or_after_them,
                                  R08_a_later_version_reads_a_log_file_with_notes_behind_its_state};
    return run_suite("follower_faults", tests, sizeof tests / sizeof *tests);
}
