// Saves, log files and changes for which memory runs out, at each allocation in turn: the call says so, all is as it
// was, and the same call then gives what it gives where memory never ran out.

#include "later_games.h"
#include "record_games.h"

static test_memory memory;

#ifdef SUITE_PART // With sanitizers, all of them would take twenty seconds.
enum { EACH = SUITE_PART };
#else
enum { EACH = 1 };
#endif

static kifu_options counted(const subject *subject, bool less)
{
    kifu_options options = options_of(subject, less);
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    return options;
}

// What the game is, and what it has followed.
static uint32_t sum_of_all(kifu_timeline *timeline)
{
    const kifu_stream_position at = kifu_followed(timeline);
    const uint32_t sum = sum_of_game(timeline), numbers[] = {at.commit, at.checksum};
    return sum_of(sum, numbers, sizeof numbers);
}

// A call is made twice: where each allocation is refused in turn, and where none is.
typedef struct call {
    const char *what;
    kifu_result (*make)(struct call *call, kifu_timeline *timeline);
    uint32_t step;
    kifu_stream_position since;
    kifu_changes *changes; ///< To be applied, or what was made.
    const char *path;
    uint32_t sum; ///< Of what it made.
} call;

// Refuses each allocation until the call succeeds: one, or all behind it, too.
static void refuse_each(call *call, kifu_timeline *timeline, bool for_ever)
{
    const uint32_t before = sum_of_all(timeline);
    kifu_result result = KIFU_NO_MEMORY;
    for (long number = 0; result; number++) {
        memory.until_failure = number;
        memory.for_ever = for_ever;
        memory.failed = false;
        result = call->make(call, timeline);
        memory.until_failure = -1;
        ck_assert_msg(!result || (result == KIFU_NO_MEMORY && memory.failed), "%s, step %u, allocation %ld: %s",
                      call->what, call->step, number, kifu_last_error(timeline)->message);
        ck_assert_msg(!result || sum_of_all(timeline) == before, "%s, step %u, allocation %ld: the game has changed",
                      call->what, call->step, number);
    }
}

static void make_twice(call *call, kifu_timeline *one, kifu_timeline *other, bool for_ever)
{
    must(one, call->make(call, one));
    const uint32_t expected = call->sum;
    refuse_each(call, other, for_ever);
    ck_assert_msg(call->sum == expected, "%s, step %u: other bytes", call->what, call->step);
    ck_assert_msg(sum_of_all(one) == sum_of_all(other), "%s, step %u: another game", call->what, call->step);
}

// --- Whole saves -----------------------------------------------------------------------------------------------------

static kifu_result save_by(call *call, kifu_timeline *timeline, const kifu_save_options *options)
{
    unsigned char *bytes;
    size_t size;
    const kifu_result result = kifu_save_to_memory(timeline, options, &bytes, &size);
    must_be(!result == (bytes != NULL) && !result == (size != 0));
    call->sum = sum_of(0, bytes, size);
    kifu_free_bytes(timeline, bytes);
    return result;
}

static kifu_result save_plain(call *call, kifu_timeline *timeline)
{
    static const char *const players[] = {"Ann", "Bob"};
    return save_by(call, timeline, &(kifu_save_options){.title = "game", .players = players, .player_count = 2});
}

static kifu_result save_packed(call *call, kifu_timeline *timeline)
{
    return save_by(call, timeline, &(kifu_save_options){.codec = &kifu_compact});
}

static kifu_result save_short(call *call, kifu_timeline *timeline)
{
    return save_by(call, timeline, &(kifu_save_options){.without_schema = true, .without_snapshot = true});
}

static kifu_result save_file(call *call, kifu_timeline *timeline)
{
    const kifu_result result = kifu_save(timeline, call->path, NULL);
    size_t size;
    unsigned char *bytes = result ? NULL : read_bytes(call->path, &size);
    call->sum = result ? 0 : sum_of(0, bytes, size);
    free(bytes);
    return result;
}

static void save_while_memory_runs_out(const subject *subject, bool for_ever)
{
    static const call calls[] = {{.what = "plain", .make = save_plain},
                                 {.what = "packed", .make = save_packed},
                                 {.what = "short", .make = save_short},
                                 {.what = "file", .make = save_file}};
    char *folder = new_folder();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const kifu_options plain = options_of(subject, false), options = counted(subject, false);
        kifu_timeline *one = subject->begin(&plain), *other = subject->begin(&options);
        for (uint32_t step = 0; step < STEPS; step++) {
            call call = calls[i];
            call.step = step;
            call.path = in_folder(folder, "game.kifu");
            subject->step(one, step);
            subject->step(other, step);
            make_twice(&call, one, other, for_ever);
        }
        kifu_destroy(one);
        kifu_destroy(other);
        ck_assert_int_eq(memory.blocks, 0);
    }
    ck_assert_int_eq(count_files(folder), 1);
    remove_folder(folder);
}

START_TEST(S04_a_save_for_which_memory_runs_out_is_made_later)
{
    fixed_time = 1700000000;
    for (int i = 0; i < 2 * SUBJECTS; i += EACH)
        save_while_memory_runs_out(&subjects[i / 2], i % 2);
}
END_TEST

// --- Log files -------------------------------------------------------------------------------------------------------

static uint32_t sum_of_file(const char *path)
{
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    const uint32_t sum = sum_of(0, bytes, size);
    free(bytes);
    return sum;
}

// Each timeline has a file of its own.
typedef struct logged {
    kifu_timeline *timeline;
    const char *path;
} logged;

static kifu_result open_log(const logged *log)
{
    return kifu_log_open(log->timeline, log->path, &(kifu_save_options){.without_schema = true});
}

static kifu_result append_log(const logged *log)
{
    return kifu_log_append(log->timeline);
}

static kifu_result close_log(const logged *log)
{
    return kifu_log_close(log->timeline, &(kifu_save_options){.codec = &kifu_compact});
}

// What is in the file stays there until the call succeeds.
static void write_twice(kifu_result (*make)(const logged *log), const logged *one, const logged *other, uint32_t step,
                        bool for_ever)
{
    must(one->timeline, make(one));
    const uint32_t before = sum_of_all(other->timeline), file = step ? sum_of_file(other->path) : 0;
    kifu_result result = KIFU_NO_MEMORY;
    for (long number = 0; result; number++) {
        memory.until_failure = number;
        memory.for_ever = for_ever;
        memory.failed = false;
        result = make(other);
        memory.until_failure = -1;
        ck_assert_msg(!result || (result == KIFU_NO_MEMORY && memory.failed), "step %u, allocation %ld: %s", step,
                      number, kifu_last_error(other->timeline)->message);
        must_be(!result || sum_of_all(other->timeline) == before);
        must_be(!result || (step ? sum_of_file(other->path) == file : access(other->path, F_OK) != 0));
    }
    ck_assert_msg(sum_of_file(one->path) == sum_of_file(other->path), "step %u: other bytes", step);
}

static void log_while_memory_runs_out(const subject *subject, bool for_ever)
{
    char *folder = new_folder();
    const kifu_options plain = options_of(subject, false), options = counted(subject, false);
    const logged one = {subject->begin(&plain), in_folder(folder, "one.kifu")};
    const logged other = {subject->begin(&options), in_folder(folder, "other.kifu")};
    write_twice(open_log, &one, &other, 0, for_ever);
    for (uint32_t step = 0; step < STEPS; step++) {
        subject->step(one.timeline, step);
        subject->step(other.timeline, step);
        write_twice(append_log, &one, &other, 1 + step, for_ever);
    }
    write_twice(close_log, &one, &other, 1 + STEPS, for_ever);
    kifu_destroy(one.timeline);
    kifu_destroy(other.timeline);
    ck_assert_int_eq(memory.blocks, 0);
    remove_folder(folder);
}

START_TEST(R03_a_log_file_for_which_memory_runs_out_is_written_later)
{
    fixed_time = 1700000000;
    for (int i = 0; i < 2 * SUBJECTS; i += EACH)
        log_while_memory_runs_out(&subjects[i / 2], i % 2);
}
END_TEST

// The file was loaded, and is opened again: it goes on.
static void go_on_while_memory_runs_out(const subject *subject, bool for_ever)
{
    char *folder = new_folder();
    const kifu_options options = counted(subject, false);
    logged log = {subject->begin(&options), in_folder(folder, "log.kifu")};
    must(log.timeline, open_log(&log));
    for (uint32_t step = 0; step < STEPS; step++) {
        subject->step(log.timeline, step);
        must(log.timeline, append_log(&log));
    }
    kifu_destroy(log.timeline);
    const uint32_t file = sum_of_file(log.path);
    kifu_result result = KIFU_NO_MEMORY;
    for (long number = 0; result; number++) {
        const kifu_load_options how = {.recover = kifu_recover};
        ck_assert_int_eq(kifu_load(subject->rules, log.path, &options, &how, &log.timeline, NULL), KIFU_OK);
        memory.until_failure = number;
        memory.for_ever = for_ever;
        memory.failed = false;
        result = open_log(&log);
        memory.until_failure = -1;
        ck_assert_msg(!result || (result == KIFU_NO_MEMORY && memory.failed), "allocation %ld: %s", number,
                      kifu_last_error(log.timeline)->message);
        must_be(sum_of_file(log.path) == file);
        kifu_destroy(log.timeline);
    }
    ck_assert_int_eq(memory.blocks, 0);
    remove_folder(folder);
}

START_TEST(R06_a_log_file_that_was_loaded_goes_on_once_there_is_memory)
{
    fixed_time = 1700000000;
    for (int i = 0; i < 2; i++)
        go_on_while_memory_runs_out(&subjects[0], i % 2);
}
END_TEST

// --- Changes ---------------------------------------------------------------------------------------------------------

static kifu_result tell(call *call, kifu_timeline *timeline)
{
    kifu_changes changes;
    const kifu_result result = kifu_changes_since(timeline, call->step ? &call->since : NULL, &changes);
    must_be(!result == (changes.bytes != NULL));
    call->sum = sum_of(0, changes.bytes, changes.size);
    if (!result)
        *call->changes = changes;
    return result;
}

static kifu_result apply(call *call, kifu_timeline *timeline)
{
    return kifu_apply_changes(timeline, call->changes->bytes, call->changes->size);
}

// Those of each step. Where there was no room to remember them, they are the whole game.
static void tell_twice(const subject *subject, kifu_changes *told, bool for_ever)
{
    const kifu_options plain = options_of(subject, false), options = counted(subject, false);
    kifu_timeline *one = subject->begin(&plain), *other = subject->begin(&options), *follower;
    bool same = true; // A whole game names the shapes of events, and so does what comes behind it.
    ck_assert_int_eq(kifu_create(subject->rules, &plain, &follower, NULL), KIFU_OK);
    for (uint32_t step = 0; step < STEPS; step++) {
        kifu_changes own;
        subject->step(one, step);
        subject->step(other, step);
        call call = {.what = "changes", .make = tell, .step = step, .changes = &told[step]};
        call.since = step ? told[step - 1].until : call.since;
        must(one, tell(&call, one));
        const uint32_t expected = call.sum;
        call.changes = &own;
        call.since = step ? kifu_followed(follower) : call.since;
        refuse_each(&call, other, for_ever);
        same = same && own.whole == !step;
        must_be(!same || call.sum == expected);
        must_be(own.until.commit == told[step].until.commit);
        must(follower, kifu_apply_changes(follower, own.bytes, own.size));
        must_be(sum_of_game(follower) == sum_of_game(one) && sum_of_game(other) == sum_of_game(one));
        kifu_free_bytes(other, own.bytes);
    }
    kifu_destroy(follower);
    kifu_destroy(one);
    kifu_destroy(other);
    ck_assert_int_eq(memory.blocks, 0);
}

static void follow_while_memory_runs_out(const subject *subject, kifu_changes *told, bool less, bool for_ever)
{
    const kifu_options plain = options_of(subject, less), options = counted(subject, less);
    kifu_timeline *one, *other;
    ck_assert_int_eq(kifu_create(subject->rules, &plain, &one, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_create(subject->rules, &options, &other, NULL), KIFU_OK);
    for (uint32_t step = 0; step < STEPS; step++) {
        call call = {.what = less ? "a follower without lines" : "a follower",
                     .make = apply,
                     .step = step,
                     .changes = &told[step]};
        make_twice(&call, one, other, for_ever);
    }
    kifu_destroy(one);
    kifu_destroy(other);
    ck_assert_int_eq(memory.blocks, 0);
}

START_TEST(R04_changes_for_which_memory_runs_out_are_made_and_followed_later)
{
    fixed_time = 1700000000;
    for (int i = 0; i < 4 * SUBJECTS; i += EACH) {
        const subject *subject = &subjects[i / 4];
        kifu_changes told[STEPS];
        tell_twice(subject, told, i % 2);
        follow_while_memory_runs_out(subject, told, i / 2 % 2, i % 2);
        for (uint32_t step = 0; step < STEPS; step++)
            (void)test_allocate(&record_memory, told[step].bytes, 0);
    }
}
END_TEST

// --- Loads -----------------------------------------------------------------------------------------------------------

static void load_while_memory_runs_out(const subject *subject, const save *file, bool less, kifu_load_options how,
                                       bool for_ever)
{
    const kifu_options plain = options_of(subject, less), options = counted(subject, less);
    kifu_timeline *one, *other;
    kifu_error error;
    kifu_result result = kifu_load_from_memory(subject->rules, file->bytes, file->size, &plain, &how, &one, &error);
    if (result == KIFU_UNSUPPORTED) // The later release has no place for its state.
        return;
    ck_assert_msg(!result, "%s", error.message);
    result = KIFU_NO_MEMORY;
    for (long number = 0; result; number++) {
        memory.until_failure = number;
        memory.for_ever = for_ever;
        memory.failed = false;
        result = kifu_load_from_memory(subject->rules, file->bytes, file->size, &options, &how, &other, &error);
        memory.until_failure = -1;
        ck_assert_msg(!result || (result == KIFU_NO_MEMORY && memory.failed && !other && !memory.blocks),
                      "allocation %ld of a load: %s", number, error.message);
        must_be(!result || (error.result == result && strlen(error.message) > 20));
    }
    must_be(sum_of_all(one) == sum_of_all(other));
    kifu_destroy(one);
    kifu_destroy(other);
    ck_assert_int_eq(memory.blocks, 0);
}

// In all ways, a file that was made at each step.
static void load_in_all_ways(const subject *subject, const save *file, bool log, bool for_ever)
{
    for (int way = 0; way < 4; way++) {
        const kifu_load_options how = {.fast = way / 2, .recover = log ? kifu_recover : NULL, .codec = &kifu_compact};
        load_while_memory_runs_out(subject, file, way % 2, how, for_ever);
    }
}

// Behind each step, or some of them.
static void load_each(const subject *subject, bool for_ever, uint32_t some)
{
    grows_fast = for_ever; // Once is enough of these, which take longer.
    char *folder = new_folder();
    const kifu_options options = options_of(subject, false);
    const logged log = {subject->begin(&options), in_folder(folder, "log.kifu")};
    must(log.timeline, open_log(&log));
    for (uint32_t step = 0; step < STEPS; step++) {
        subject->step(log.timeline, step);
        must(log.timeline, kifu_log_append(log.timeline));
        if (step % some)
            continue;
        save files[3];
        files[0] = save_of(log.timeline, NULL);
        files[1] = save_of(log.timeline, &(kifu_save_options){.codec = &kifu_compact});
        files[2].bytes = read_bytes(log.path, &files[2].size);
        for (int i = 0; i < 3; i++) {
            load_in_all_ways(subject, &files[i], i == 2, for_ever);
            free(files[i].bytes);
        }
    }
    kifu_destroy(log.timeline);
    grows_fast = false;
    remove_folder(folder);
}

START_TEST(S03_a_load_for_which_memory_runs_out_leaves_nothing)
{
    for (int i = 0; i < 2 * SUBJECTS; i += EACH)
        load_each(&subjects[i / 2], i % 2, 1);
}
END_TEST

START_TEST(R08_a_load_by_a_later_release_for_which_memory_runs_out_leaves_nothing)
{
    for (int i = 0; i < 2 * LATER_SUBJECTS; i++)
        load_each(&later_subjects[i / 2], i % 2, 3);
}
END_TEST

// --- Listings --------------------------------------------------------------------------------------------------------

static bool count_infos(void *context, const kifu_save_info *info)
{
    *(int *)context += !info->error;
    return true;
}

START_TEST(S07_a_listing_for_which_memory_runs_out_says_so)
{
    static const char *const players[] = {"Ann", "Bob"};
    char *folder = new_folder();
    const kifu_options options = options_of(&subjects[0], false);
    kifu_timeline *lab = subjects[0].begin(&options);
    for (int i = 0; i < 2; i++)
        must(lab, kifu_save(lab, in_folder(folder, i ? "b.kifu" : "a.kifu"),
                            &(kifu_save_options){.players = players, .player_count = 2}));
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        kifu_result result = KIFU_NO_MEMORY;
        for (long number = 0; result; number++) {
            kifu_error error = {.result = KIFU_OK};
            int count = 0;
            memory.until_failure = number;
            memory.for_ever = for_ever;
            memory.failed = false;
            result = kifu_list_saves(folder, count_infos, &count, LIST_WITH(&memory), &error);
            memory.until_failure = -1;
            ck_assert_int_eq(memory.blocks, 0);
            must_be(result ? result == KIFU_NO_MEMORY && memory.failed && count < 2 : count == 2);
            must_be(error.result == result && (!result || strlen(error.message) > 20));
        }
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    memory.until_failure = -1;
    const TTest *const tests[] = {S04_a_save_for_which_memory_runs_out_is_made_later,
                                  R03_a_log_file_for_which_memory_runs_out_is_written_later,
                                  R06_a_log_file_that_was_loaded_goes_on_once_there_is_memory,
                                  R04_changes_for_which_memory_runs_out_are_made_and_followed_later,
                                  S03_a_load_for_which_memory_runs_out_leaves_nothing,
                                  R08_a_load_by_a_later_release_for_which_memory_runs_out_leaves_nothing,
                                  S07_a_listing_for_which_memory_runs_out_says_so};
    return run_suite("save_memory", tests, sizeof tests / sizeof *tests);
}
