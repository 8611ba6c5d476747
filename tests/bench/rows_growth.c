/// What must not grow faster than its work: each at n, 2n and 4n.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contest.h"
#include "hooked.h"
#include "measure.h"

typedef struct growth {
    double (*run)(uint32_t count); ///< Nanoseconds for so many.
    uint32_t count;
} growth;

static double run_once(void *context)
{
    const growth *growth = context;
    return growth->run(growth->count);
}

static double run_twice(void *context)
{
    const growth *growth = context;
    return growth->run(2 * growth->count);
}

static double run_four_times(void *context)
{
    const growth *growth = context;
    return growth->run(4 * growth->count);
}

void grows(const char *what, double (*run)(uint32_t count), uint32_t count, const scale *scale)
{
    growth growth = {.run = run, .count = count < scale->events ? count : scale->events};
    contender contenders[] = {{"n", run_once, 0}, {"2n", run_twice, 0}, {"4n", run_four_times, 0}};
    compare(contenders, 3, &growth, scale->rounds, growth.count);
    const double twice = last_ratio(1, 0), four_times = last_ratio(2, 0);
    goal_row(what, four_times, true, 5, "%7.1f ns each of %5u; twice as many: %4.2f x, 4 times: %4.2f x",
             contenders[0].ns, growth.count, twice, four_times);
}

static kifu_timeline *begin(bool recorded)
{
    const kifu_options options = {.quiet = true, .record_inputs = recorded ? kifu_record_inputs : NULL};
    kifu_timeline *timeline;
    must(!kifu_create(&hooked_rules, &options, &timeline, NULL), "no timeline");
    return timeline;
}

static void submit_many(kifu_timeline *timeline, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        hooked_submit_e_step(timeline, (uint16_t)(i & 15), 1);
}

// --- What waits ------------------------------------------------------------------------------------------------------

static double run_pending(uint32_t count)
{
    kifu_timeline *timeline = begin(false);
    kifu_event event;
    uint32_t steps = 0;
    submit_many(timeline, count);
    double start = now();
    for (uint32_t i = 0; i < count; i++)
        steps += kifu_pending_at(timeline, i, &event) && event.type == HOOKED_E_STEP;
    double time = now() - start;
    must(steps == count, "not all of them wait");
    kifu_destroy(timeline);
    return time;
}

static double run_override(uint32_t count)
{
    kifu_timeline *timeline = begin(false);
    double start = now();
    for (uint32_t i = 0; i < count; i++)
        must(!kifu_override(timeline, hooked_submit_e_step(timeline, (uint16_t)(i & 15), 1), true, false), "no flags");
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double run_postpone(uint32_t count)
{
    kifu_timeline *timeline = begin(false);
    double start = now();
    for (uint32_t i = 0; i < count; i++)
        must(!kifu_postpone(timeline, hooked_submit_e_step(timeline, (uint16_t)(i & 15), 1), 1, i), "not postponed");
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

// --- Transactions and undo -------------------------------------------------------------------------------------------

static double run_nested(uint32_t count, unsigned flags, bool waits)
{
    kifu_timeline *timeline = begin(false);
    double start = now();
    for (uint32_t i = 0; i < count; i++) {
        must(!kifu_begin(timeline, flags), "no transaction");
        submit_many(timeline, 1);
        must(waits || !kifu_run(timeline), "an event did not happen");
    }
    for (uint32_t i = 0; i < count; i++)
        must(!kifu_roll_back(timeline), "not rolled back");
    double time = now() - start;
    must(!kifu_event_count(timeline), "events are left");
    kifu_destroy(timeline);
    return time;
}

static double run_transactions(uint32_t count)
{
    return run_nested(count, 0, false);
}

static double run_searches(uint32_t count)
{
    return run_nested(count, KIFU_SEARCH, false);
}

static double run_waiting_transactions(uint32_t count)
{
    return run_nested(count, 0, true);
}

static double run_verify_rules(uint32_t count)
{
    kifu_timeline *timeline = begin(true);
    for (uint32_t i = 0; i < count; i++) {
        must(!kifu_override(timeline, hooked_submit_e_step(timeline, (uint16_t)(i & 15), 1), true, false), "no flags");
        must(!kifu_run(timeline), "an event did not happen");
    }
    for (uint32_t i = 0; i < count; i++)
        must(!kifu_undo(timeline), "not undone");
    for (uint32_t i = 0; i < count / 2; i++)
        must(!kifu_redo(timeline), "not redone");
    double start = now();
    must(!kifu_verify_rules(timeline, NULL, NULL, NULL), "the rules differ");
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

// --- The past --------------------------------------------------------------------------------------------------------

static double run_cursor(uint32_t count)
{
    kifu_timeline *timeline = begin(false);
    kifu_cursor *past;
    submit_many(timeline, count);
    must(!kifu_run(timeline), "an event did not happen");
    double start = now();
    must(!kifu_cursor_open(timeline, KIFU_PRESENT, &past), "no cursor");
    while (kifu_cursor_position(past) > 0)
        must(!kifu_cursor_back(past), "not back");
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

// --- Hooks -----------------------------------------------------------------------------------------------------------

static kifu_verdict pass(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    (void)context;
    (void)timeline;
    (void)state;
    (void)proposed;
    return kifu_accept();
}

/// As many events as hooks: each hook is of another subject, or all are of another type.
static double run_hooked(uint32_t count, uint32_t type)
{
    kifu_timeline *timeline = begin(false);
    for (uint32_t i = 0; i < count; i++)
        must(!kifu_observe(timeline,
                           &(kifu_observer){
                               .hook = pass, .type = type, .scope = HOOKED_SCOPE_HEAP, .subject = i, .name = "pass"}),
             "no hook");
    double start = now();
    for (uint32_t i = 0; i < count; i++) {
        hooked_submit_e_hookable(timeline, (uint16_t)i, 1);
        must(!kifu_run(timeline), "an event did not happen");
    }
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double run_other_subjects(uint32_t count)
{
    return run_hooked(count, HOOKED_E_HOOKABLE);
}

static double run_other_types(uint32_t count)
{
    return run_hooked(count, HOOKED_E_OTHER);
}

// --- Log files -------------------------------------------------------------------------------------------------------

/// A log file that `end_log` removes.
typedef struct logged {
    char path[40];
    kifu_timeline *timeline;
    off_t size; ///< At the beginning of what counts.
    double start;
} logged;

static off_t size_now(const logged *logged)
{
    struct stat info;
    must(stat(logged->path, &info) == 0, "the log file is gone");
    return info.st_size;
}

static void append(const logged *logged)
{
    must(!kifu_log_append(logged->timeline), "not appended");
}

static void begin_log(logged *logged)
{
    strcpy(logged->path, "/tmp/kifu_bench_XXXXXX");
    int file = mkstemp(logged->path);
    must(file >= 0, "no temporary file");
    close(file);
    logged->timeline = begin(false);
    must(!kifu_log_open(logged->timeline, logged->path, &(kifu_save_options){.without_schema = true}), "no log file");
    submit_many(logged->timeline, 1);
    must(!kifu_run(logged->timeline), "an event did not happen");
    append(logged); // with what is written once
}

static void start_log(logged *logged)
{
    logged->size = size_now(logged);
    logged->start = now();
}

/// Bytes of each append, of the last run.
static double append_bytes;

static double end_log(logged *logged, uint32_t count)
{
    const double time = now() - logged->start;
    append_bytes = (double)(size_now(logged) - logged->size) / count;
    kifu_destroy(logged->timeline);
    unlink(logged->path);
    return time;
}

static double run_log_events(uint32_t count)
{
    logged logged;
    begin_log(&logged);
    start_log(&logged);
    for (uint32_t i = 0; i < count; i++) {
        submit_many(logged.timeline, 1);
        must(!kifu_run(logged.timeline), "an event did not happen");
        append(&logged);
    }
    return end_log(&logged, count);
}

static double run_log_redo(uint32_t count)
{
    logged logged;
    begin_log(&logged);
    for (uint32_t i = 0; i < count; i++) {
        must(!kifu_override(logged.timeline, hooked_submit_e_step(logged.timeline, 0, 1), true, false), "no flags");
        must(!kifu_run(logged.timeline), "an event did not happen");
    }
    for (uint32_t i = 0; i < count; i++)
        must(!kifu_undo(logged.timeline), "not undone");
    append(&logged);
    start_log(&logged);
    for (uint32_t i = 0; i < count; i++) {
        must(!kifu_redo(logged.timeline), "not redone");
        append(&logged);
    }
    return end_log(&logged, count);
}

static double run_log_waiting(uint32_t count)
{
    logged logged;
    begin_log(&logged);
    submit_many(logged.timeline, count);
    append(&logged);
    start_log(&logged);
    for (uint32_t i = 0; i < count; i++) {
        must(!kifu_step(logged.timeline), "an event did not happen");
        append(&logged);
    }
    return end_log(&logged, count);
}

static void log_grows(const char *what, double (*run)(uint32_t count), uint32_t count, const scale *scale)
{
    grows(what, run, count, scale);
    row("    bytes of each, with its event", "%7.1f", append_bytes);
}

void growth_rows(const scale *scale)
{
    heading("Growth: at most as fast as the work; 4 times as many may take 5 times as long");
    grows("kifu_pending_at over what waits", run_pending, 2000, scale);
    grows("submit and kifu_override", run_override, 2000, scale);
    grows("submit and kifu_postpone", run_postpone, 2000, scale);
    grows("nested kifu_begin, an event in each", run_transactions, 25000, scale);
    grows("nested searches, an event in each", run_searches, 2000, scale);
    grows("nested kifu_begin, one more waits in each", run_waiting_transactions, 2000, scale);
    grows("kifu_verify_rules, undo and redo", run_verify_rules, 2000, scale);
    grows("a cursor back over the whole game", run_cursor, 20000, scale);
    log_grows("append an event to a log file (F47)", run_log_events, 2000, scale);
    log_grows("append each of as many redos (F42)", run_log_redo, 2000, scale);
    log_grows("append each while the rest waits (F41)", run_log_waiting, 2000, scale);
    grows("events with as many hooks, of other subjects", run_other_subjects, 1000, scale);
    grows("events with as many hooks, of another type", run_other_types, 1000, scale);
}
