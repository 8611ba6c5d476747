/// Pools, against arrays as one would use them by hand.
#include "contest.h"
#include "crowd.h"
#include "hooked.h"
#include "measure.h"

enum { THINGS = 64, MOST = 1000 };

typedef struct pooling {
    uint32_t count; ///< Of events, each of which does the same to 64 things.
} pooling;

static double time_work(void *context, hooked_work fill, hooked_work work)
{
    const pooling *pooling = context;
    const kifu_options options = {.quiet = true};
    kifu_timeline *timeline;
    must(!kifu_create(&hooked_rules, &options, &timeline, NULL), "no timeline");
    hooked_submit_e_work(timeline, fill);
    must(!kifu_run(timeline), "no things");
    double start = now();
    for (uint32_t i = 0; i < pooling->count; i++) {
        hooked_submit_e_work(timeline, work);
        must(!kifu_run(timeline), "an event did not happen");
    }
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double run_pool_replace(void *context)
{
    return time_work(context, HOOKED_WORK_POOL_REPLACE, HOOKED_WORK_POOL_REPLACE);
}

static double run_array_replace(void *context)
{
    return time_work(context, HOOKED_WORK_ARRAY_REPLACE, HOOKED_WORK_ARRAY_REPLACE);
}

static double run_pool_edit(void *context)
{
    return time_work(context, HOOKED_WORK_POOL_REPLACE, HOOKED_WORK_POOL_EDIT);
}

static double run_array_edit(void *context)
{
    return time_work(context, HOOKED_WORK_ARRAY_REPLACE, HOOKED_WORK_ARRAY_EDIT);
}

static double run_pool_each(void *context)
{
    return time_work(context, HOOKED_WORK_POOL_REPLACE, HOOKED_WORK_POOL_EACH);
}

static double run_array_each(void *context)
{
    return time_work(context, HOOKED_WORK_ARRAY_REPLACE, HOOKED_WORK_ARRAY_EACH);
}

static void rows(const char *what, contender_run *pool, contender_run *array, pooling *pooling, const scale *scale)
{
    contender contenders[] = {{"pool", pool, 0}, {"array", array, 0}};
    compare(contenders, 2, pooling, scale->rounds, pooling->count * THINGS);
    goal_row(what, last_ratio(0, 1), true, 1.5, "%6.1f ns, by hand %6.1f: %6.2f x its time", contenders[0].ns,
             contenders[1].ns, last_ratio(0, 1));
}

static double run_last(void *context)
{
    const pooling *pooling = context;
    const kifu_options options = {.quiet = true};
    kifu_timeline *timeline;
    must(!kifu_create(&crowd_rules, &options, &timeline, NULL), "no timeline");
    crowd_submit_e_people(timeline, MOST);
    must(!kifu_run(timeline), "nobody came");
    double start = now();
    for (uint32_t i = 0; i < pooling->count; i++) {
        const uint32_t generation = crowd_get_state(timeline)->beings[MOST - 1].slot.generation;
        crowd_submit_e_replace(timeline, (MOST - 1) | generation << 16);
        must(!kifu_run(timeline), "an event did not happen");
    }
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

void pool_rows(const scale *scale)
{
    pooling pooling = {.count = scale->events / 4 / THINGS};
    heading("Pools: 64 things in each event, each with a handle in the state; per thing");
    rows("despawn, spawn, edit two fields", run_pool_replace, run_array_replace, &pooling, scale);
    rows("get and edit by handle", run_pool_edit, run_array_edit, &pooling, scale);
    rows("go over all, get and edit", run_pool_each, run_array_each, &pooling, scale);
    pooling.count = pooling.count / 16 + 1;
    contender last[] = {{"last", run_last, 0}};
    compare(last, 1, &pooling, scale->rounds, pooling.count * THINGS);
    row("despawn and spawn behind 999 others", "%6.1f ns", last[0].ns);
}
