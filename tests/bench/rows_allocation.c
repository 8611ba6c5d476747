/// Allocations per event, once a game is under way.
#include <stdlib.h>

#include "contest.h"
#include "measure.h"

typedef struct counter {
    uint32_t calls;
} counter;

static void *count_calls(void *context, void *block, size_t size)
{
    counter *counter = context;
    if (size) {
        counter->calls++;
        return realloc(block, size);
    }
    free(block);
    return NULL;
}

void allocation_rows(const scale *scale)
{
    counter counter = {0};
    const kifu_options options = {.allocate = count_calls, .allocate_context = &counter};
    const uint32_t half = scale->events / 2;
    item *items = malloc(scale->events * sizeof *items);
    must(items, "out of memory");
    make_mix(items, scale->events, 20);
    heading("Allocations, in a game that is under way");
    kifu_timeline *timeline = play(&options, items, half);

    counter.calls = 0;
    play_on(timeline, items + half, half);
    const double per_event = (double)counter.calls / half;
    goal_row("append, per event", per_event, true, 0.001, "%8.5f (%u in %u events: new segments, hashes along the log)",
             per_event, counter.calls, half);

    const uint32_t chains = half / 4;
    must(!kifu_undo(timeline) && !kifu_redo(timeline), "undo and redo");
    counter.calls = 0;
    for (uint32_t i = 0; i < chains; i++)
        must(!kifu_undo(timeline) && !kifu_redo(timeline), "undo and redo");
    goal_row("undo and redo of a chain", counter.calls, true, 0, "%8u in %u of each", counter.calls, chains);

    counter.calls = 0;
    replay_all(timeline);
    goal_row("replay", counter.calls, true, 0, "%8u in %u events", counter.calls, kifu_event_count(timeline));
    kifu_destroy(timeline);
    free(items);
}
