// What calls on saves, log files and changes cost: how often they ask for memory, how many events they execute or undo,
// how many bytes they hash and check, and with how much memory a load or changes succeed. All of it is pinned: a call
// that begins to do more than before, or to remember less, is seen, though what comes of it is the same.

#include "core/go.h"
#include "core/keyframes.h"
#include "core/timeline.h"
#include "pinned_help.h"

// --- Counting --------------------------------------------------------------------------------------------------------

static struct {
    unsigned long events, hashed, checked;
} cost;

kifu_result __real_kifu__go(kifu_timeline *timeline, uint32_t count, unsigned how);
kifu_result __wrap_kifu__go(kifu_timeline *timeline, uint32_t count, unsigned how);
kifu_result __wrap_kifu__go(kifu_timeline *timeline, uint32_t count, unsigned how)
{
    const uint32_t before = timeline->executed;
    const kifu_result result = __real_kifu__go(timeline, count, how);
    cost.events += before < timeline->executed ? timeline->executed - before : before - timeline->executed;
    return result;
}

kifu_result __real_kifu__replay_into(kifu_timeline *timeline, kifu__branch *path, unsigned char *state, uint32_t from,
                                     uint32_t to);
kifu_result __wrap_kifu__replay_into(kifu_timeline *timeline, kifu__branch *path, unsigned char *state, uint32_t from,
                                     uint32_t to);
kifu_result __wrap_kifu__replay_into(kifu_timeline *timeline, kifu__branch *path, unsigned char *state, uint32_t from,
                                     uint32_t to)
{
    cost.events += to - from;
    return __real_kifu__replay_into(timeline, path, state, from, to);
}

uint64_t __real_kifu__hash_state(const unsigned char *state, uint32_t size);
uint64_t __wrap_kifu__hash_state(const unsigned char *state, uint32_t size);
uint64_t __wrap_kifu__hash_state(const unsigned char *state, uint32_t size)
{
    cost.hashed += size;
    return __real_kifu__hash_state(state, size);
}

uint32_t __real_kifu__crc32c(uint32_t before, const void *bytes, size_t size);
uint32_t __wrap_kifu__crc32c(uint32_t before, const void *bytes, size_t size);
uint32_t __wrap_kifu__crc32c(uint32_t before, const void *bytes, size_t size)
{
    cost.checked += size;
    return __real_kifu__crc32c(before, bytes, size);
}

static void begin_cost(void)
{
    memset(&cost, 0, sizeof cost);
    record_memory.calls = 0;
}

static void end_cost(report *report, const char *what, uint64_t size)
{
    say(report, "%s, %llu: %ld allocations, %lu events, %lu bytes hashed, %lu checked", what, (unsigned long long)size,
        record_memory.calls, cost.events, cost.hashed, cost.checked);
}

// How much memory the message of a refusal asks for.
static uint64_t needed(const kifu_error *error)
{
    const char *at = strstr(error->message, " need");
    ck_assert_msg(error->result == KIFU_TOO_LARGE && at, "%s", error->message);
    return strtoull(at + strcspn(at, "0123456789"), NULL, 10);
}

// --- Calls -----------------------------------------------------------------------------------------------------------

static void save_by(report *report, kifu_timeline *timeline, const char *what, const kifu_save_options *options)
{
    unsigned char *bytes;
    size_t size;
    begin_cost();
    must(timeline, kifu_save_to_memory(timeline, options, &bytes, &size));
    end_cost(report, what, size);
    kifu_free_bytes(timeline, bytes);
}

static void append_to_log(report *report, kifu_timeline *timeline)
{
    begin_cost();
    must(timeline, kifu_log_append(timeline));
    end_cost(report, "append", 0);
}

// With the memory for which it asks when it has too little.
static void follow_on(report *report, kifu_timeline *from, kifu_timeline *to)
{
    const kifu_stream_position at = kifu_followed(to);
    kifu_changes changes;
    kifu_result result = KIFU_TOO_LARGE;
    begin_cost();
    must(from, kifu_changes_since(from, &at, &changes));
    end_cost(report, "changes", changes.whole ? 0 : changes.size); // The whole game has its time.
    for (to->options.changes_memory = 1; changes.size && result;) {
        begin_cost();
        result = kifu_apply_changes(to, changes.bytes, changes.size);
        if (result) {
            const uint64_t bytes = needed(kifu_last_error(to));
            ck_assert_uint_gt(bytes, to->options.changes_memory);
            to->options.changes_memory = bytes;
        }
    }
    end_cost(report, "apply", to->options.changes_memory);
    kifu_free_bytes(from, changes.bytes);
}

static kifu_timeline *load_by_least(report *report, const subject *subject, const save *file, bool less,
                                    kifu_load_options how)
{
    const kifu_options options = options_of(subject, less);
    kifu_timeline *loaded;
    kifu_error error;
    kifu_result result = KIFU_TOO_LARGE;
    for (how.memory = 1; result;) {
        begin_cost();
        result = kifu_load_from_memory(subject->rules, file->bytes, file->size, &options, &how, &loaded, &error);
        if (result) {
            const uint64_t bytes = needed(&error);
            ck_assert_uint_gt(bytes, how.memory);
            how.memory = bytes;
        }
    }
    end_cost(report, "load", how.memory);
    return loaded;
}

// And what the game that was loaded costs then.
static void load_in_all_ways(report *report, const subject *subject, const save *file, bool log)
{
    for (int way = 0; way < 4; way++) {
        const kifu_load_options how = {.fast = way / 2, .recover = log ? kifu_recover : NULL, .codec = &kifu_compact};
        kifu_timeline *loaded = load_by_least(report, subject, file, way % 2, how);
        for (int i = 0; i < 2; i++)
            save_by(report, loaded, "save what was loaded", NULL);
        subject->submit(loaded, way % 2);
        begin_cost();
        say(report, "run: %s", kifu_result_text(kifu_run(loaded)));
        end_cost(report, "run", 0);
        begin_cost();
        say(report, "undo: %s", kifu_result_text(kifu_undo(loaded)));
        end_cost(report, "undo", 0);
        kifu_destroy(loaded);
    }
}

static bool say_info(void *context, const kifu_save_info *info)
{
    say((report *)context, "%u events, %d", info->event_count, info->error != NULL);
    return true;
}

static void look_into(report *report, const subject *subject, const char *path)
{
    const kifu_list_options few = {.allocate = test_allocate, .allocate_context = &record_memory, .memory = 1 << 20};
    const kifu_options options = options_of(subject, false);
    const kifu_timeline *read;
    begin_cost();
    ck_assert_int_eq(kifu_read_save_info(path, say_info, report, &few, NULL), KIFU_OK);
    end_cost(report, "info", 0);
    begin_cost();
    ck_assert_int_eq(kifu_read_save(subject->rules, path, &options, NULL, &read, NULL), KIFU_OK);
    end_cost(report, "read", 0);
    kifu_close_save(read);
}

// --- All -------------------------------------------------------------------------------------------------------------

typedef struct game {
    const subject *subject;
    kifu_timeline *timeline, *follower, *other; // The other one keeps no lines.
    const char *log, *path;
} game;

static void write_all(report *report, const game *game)
{
    static const kifu_save_options packed = {.codec = &kifu_compact}, brief = {.without_snapshot = true};
    kifu_timeline *timeline = game->timeline;
    for (int i = 0; i < 2; i++) {
        append_to_log(report, timeline);
        follow_on(report, timeline, game->follower);
        follow_on(report, timeline, game->other);
        save_by(report, timeline, "plain", NULL);
        save_by(report, timeline, "packed", &packed);
        save_by(report, timeline, "without snapshot", &brief);
        begin_cost();
        must(timeline, kifu_save(timeline, game->path, NULL));
        end_cost(report, "file", 0);
        say(report, "so much has changed: %llu", (unsigned long long)kifu_change_count(timeline));
    }
}

static void load_all(report *report, const game *game)
{
    save files[3];
    files[0] = save_of(game->timeline, NULL);
    files[1] = save_of(game->timeline, &(kifu_save_options){.codec = &kifu_compact});
    files[2].bytes = read_bytes(game->log, &files[2].size);
    for (int i = 0; i < 3; i++) {
        load_in_all_ways(report, game->subject, &files[i], i == 2);
        free(files[i].bytes);
    }
    look_into(report, game->subject, game->path);
}

static void go_through(report *report, const subject *subject)
{
    char *folder = new_folder();
    const kifu_options options = options_of(subject, false), less = options_of(subject, true);
    game game = {.subject = subject,
                 .timeline = subject->begin(&options),
                 .log = in_folder(folder, "log.kifu"),
                 .path = in_folder(folder, "game.kifu")};
    ck_assert_int_eq(kifu_create(subject->rules, &options, &game.follower, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_create(subject->rules, &less, &game.other, NULL), KIFU_OK);
    fixed_time = 1700000000;
    must(game.timeline, kifu_log_open(game.timeline, game.log, &(kifu_save_options){.without_schema = true}));
    for (uint32_t step = 0; step < STEPS; step++) {
        subject->step(game.timeline, step);
        report->number = 0; // With sanitizers, too: each step follows those before.
        (void)begin_group(report, "%s, step %u, writing", subject->name, step);
        write_all(report, &game);
        end_group(report);
        report->number = 0;
        (void)begin_group(report, "%s, step %u, loading", subject->name, step);
        load_all(report, &game);
        end_group(report);
    }
    kifu_destroy(game.timeline);
    kifu_destroy(game.follower);
    kifu_destroy(game.other);
    remove_folder(folder);
}

START_TEST(M08_B08_what_saves_log_files_and_changes_cost)
{
    report report = open_report("save_costs");
    for (uint32_t i = 0; i < SUBJECTS; i++)
        go_through(&report, &subjects[i]);
    close_report(&report);
}
END_TEST

// --- Long calls ------------------------------------------------------------------------------------------------------

static bool say_progress(void *context, uint64_t done, uint64_t total)
{
    say((report *)context, "%llu of %llu", (unsigned long long)done, (unsigned long long)total);
    return true;
}

static void load_long(report *report, const char *what, const save *file, kifu_load_options how)
{
    kifu_timeline *loaded;
    how.codec = &kifu_compact;
    how.progress = say_progress;
    how.context = report;
    say(report, "%s%s%s", what, how.fast ? ", fast" : "", how.recover ? ", recovered" : "");
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, file->bytes, file->size, NULL, &how, &loaded, NULL), KIFU_OK);
    kifu_destroy(loaded);
}

// More than 2 × 65,536 events, and 1 MiB.
static kifu_timeline *play_long(void)
{
    enum { LONG = 140000 };
    kifu_timeline *lab = begin_lab(&(kifu_options){.quiet = true});
    for (int i = 0; i < LONG; i++) {
        lab_submit_p_add(lab, 0, 1 + i % 5);
        if (i % 1000 == 999)
            lab_must(lab, kifu_run(lab));
    }
    return lab;
}

START_TEST(M08_B07_how_far_long_calls_say_that_they_are)
{
    report report = open_report("save_progress");
    grows_fast = true;
    kifu_timeline *lab = play_long();
    (void)begin_group(&report, "long calls");
    kifu_set_progress(lab, say_progress, &report);
    const save files[] = {save_of(lab, NULL), save_of(lab, &(kifu_save_options){.codec = &kifu_compact})};
    kifu_set_progress(lab, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        const char *what = i ? "packed" : "plain";
        load_long(&report, what, &files[i], (kifu_load_options){.fast = false});
        load_long(&report, what, &files[i], (kifu_load_options){.fast = true});
        load_long(&report, what, &files[i], (kifu_load_options){.fast = true, .recover = kifu_recover});
        free(files[i].bytes);
    }
    end_group(&report);
    close_report(&report);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {M08_B08_what_saves_log_files_and_changes_cost,
                                  M08_B07_how_far_long_calls_say_that_they_are};
    return run_suite("save_costs", tests, sizeof tests / sizeof *tests);
}
