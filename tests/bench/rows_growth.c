/// What must not grow faster than its work: each at n, 2n and 4n.
#include <stdio.h>

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

static void grows(const char *what, double (*run)(uint32_t count), uint32_t count, const scale *scale)
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
}
