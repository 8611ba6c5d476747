/// Undo: one chain taken back, in logs of very different lengths.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contest.h"
#include "measure.h"

// Chains are timed by the batch: reading the clock takes longer than an undo.
enum { BATCH = 16, BATCHES = 3000, TAIL = 64, BEGINNING = 7, DEEP = 1000 };

/// What two readings of the clock cost with nothing between them.
static double clock_cost(void)
{
    double costs[1001];
    for (uint32_t i = 0; i < 1001; i++) {
        double start = wall_clock();
        costs[i] = wall_clock() - start;
    }
    return quantile(costs, 1001, 0.5);
}

typedef struct undo_time {
    double undo, redo; ///< Medians over the batches, of one chain.
    double p99;        ///< Of the undos' batches.
} undo_time;

/// Undo and redo of single chains near the end of a log of `length` events. The last events are the same whatever the
/// length, so that the same chains are undone.
static undo_time measure_chains(const item *items, uint32_t count, uint32_t length)
{
    double undos[BATCHES], redos[BATCHES];
    kifu_timeline *timeline = play(NULL, items, length - BEGINNING - TAIL);
    play_on(timeline, items + count - TAIL, TAIL);
    must(kifu_event_count(timeline) == length, "a log of another length");
    const double cost = clock_cost();
    for (uint32_t batch = 0; batch < BATCHES; batch++) {
        double start = wall_clock();
        for (uint32_t i = 0; i < BATCH; i++)
            must(!kifu_undo(timeline), "an undo was refused");
        undos[batch] = (wall_clock() - start - cost) / BATCH;
        start = wall_clock();
        for (uint32_t i = 0; i < BATCH; i++)
            must(!kifu_redo(timeline), "a redo was refused");
        redos[batch] = (wall_clock() - start - cost) / BATCH;
    }
    must(kifu_event_count(timeline) == length, "redo did not bring everything back");
    kifu_destroy(timeline);
    undo_time time = {.undo = quantile(undos, BATCHES, 0.5),
                      .redo = quantile(redos, BATCHES, 0.5),
                      .p99 = quantile(undos, BATCHES, 0.99)};
    return time;
}

/// Undo of many chains in a row, so that each meets memory that has not been touched for long.
static double measure_deep(const item *items, uint32_t length, uint32_t chains)
{
    kifu_timeline *timeline = play(NULL, items, length - BEGINNING);
    double start = now();
    for (uint32_t i = 0; i < chains; i++)
        must(!kifu_undo(timeline), "an undo was refused");
    double time = (now() - start) / chains;
    kifu_destroy(timeline);
    return time;
}

// --- Beyond the journal ----------------------------------------------------------------------------------------------

typedef struct depths {
    kifu_timeline *timeline;
    uint32_t back[3];             ///< How many events are undone, the first within the journal.
    double worst[3][MOST_ROUNDS]; ///< The slowest undo of each run.
    uint32_t runs[3];
} depths;

/// Undoes that many events, chain by chain; returns the time for each. Redo brings them back.
static double undo_back(depths *depths, uint32_t which)
{
    kifu_timeline *timeline = depths->timeline;
    const uint32_t count = kifu_event_count(timeline), end = count - depths->back[which];
    double worst = 0, start = wall_clock(), last = start;
    while (kifu_event_count(timeline) > end) {
        must(!kifu_undo(timeline), "an undo was refused");
        double time = wall_clock();
        worst = time - last > worst ? time - last : worst;
        last = time;
    }
    double per_event = (last - start) / (count - kifu_event_count(timeline));
    while (kifu_event_count(timeline) < count)
        must(!kifu_redo(timeline), "a redo was refused");
    depths->worst[which][depths->runs[which]++ % MOST_ROUNDS] = worst;
    return per_event;
}

static double undo_within(void *context)
{
    return undo_back(context, 0);
}

static double undo_behind(void *context)
{
    return undo_back(context, 1);
}

static double undo_far(void *context)
{
    return undo_back(context, 2);
}

static void beyond_rows(const item *items, const scale *scale)
{
    const uint32_t most = scale->events / 2;
    depths depths = {.timeline = play(NULL, items, scale->events - BEGINNING),
                     .back = {most < 500 ? most : 500, most < 2000 ? most : 2000, most < 20000 ? most : 20000}};
    contender contenders[] = {{"within", undo_within, 0}, {"behind", undo_behind, 0}, {"far", undo_far, 0}};
    char text[100];
    const uint64_t hash = kifu_state_hash(depths.timeline);
    compare(contenders, 3, &depths, scale->rounds, 1);
    must(kifu_state_hash(depths.timeline) == hash, "redo did not bring the state back");
    for (uint32_t i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%u events undone, from %u", depths.back[i], scale->events);
        row(text, "%6.1f ns per event: %5.2f x that within the journal; slowest undo %.1f us", contenders[i].ns,
            last_ratio(i, 0), quantile(depths.worst[i], depths.runs[i], 0.5) / 1e3);
    }
    kifu_destroy(depths.timeline);
}

void undo_rows(const scale *scale)
{
    const uint32_t lengths[] = {100, scale->events / 100, scale->events};
    item *items = malloc(scale->events * sizeof *items);
    undo_time first = {0};
    char text[100];
    must(items, "out of memory");
    make_mix(items, scale->events, 20);
    heading("Undo: one chain (1.6 events on average) near the end of the log, whatever its length");
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t length = lengths[i] < 100 ? 100 : lengths[i];
        // Three times, of which the quickest counts: a neighbour on the machine only ever adds.
        undo_time best = {0};
        for (uint32_t round = 0; round < 3; round++) {
            undo_time time = measure_chains(items, scale->events, length);
            if (round == 0 || time.undo < best.undo)
                best = time;
        }
        if (i == 0)
            first = best;
        snprintf(text, sizeof text, "undo at %u events", length);
        goal_row(text, best.undo / first.undo, true, 2, "%6.1f ns, p99 %8.1f: %6.2f x that at 100 (p99 %.2f x)",
                 best.undo, best.p99, best.undo / first.undo, best.p99 / first.p99);
        snprintf(text, sizeof text, "redo at %u events", length);
        row(text, "%6.1f ns: %.2f x that at 100", best.redo, best.redo / first.redo);
    }
    uint32_t deep = scale->events / 4 < DEEP ? scale->events / 4 : DEEP;
    snprintf(text, sizeof text, "%u chains undone in a row at %u events", deep, scale->events);
    row(text, "%6.1f ns each", measure_deep(items, scale->events, deep));
    beyond_rows(items, scale);
    free(items);
}
