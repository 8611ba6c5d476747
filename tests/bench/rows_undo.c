/// Undo: one chain taken back, in logs of very different lengths.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contest.h"
#include "measure.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <x86intrin.h>
/// Finer than `now`: one undo takes about as long as reading the system's clock does.
static double tick(void)
{
    unsigned processor;
    return (double)__rdtscp(&processor);
}
#else
static double tick(void)
{
    return now();
}
#endif

enum { CHAINS = 20000, TAIL = 64, BEGINNING = 7, DEEP = 1000 };

static double ticks_to_ns(void)
{
    double ticks = tick(), start = now();
    while (now() - start < 2e7) {
    }
    return (now() - start) / (tick() - ticks);
}

/// What two readings of the clock cost with nothing between them.
static double clock_cost(void)
{
    double costs[1001];
    for (uint32_t i = 0; i < 1001; i++) {
        double start = tick();
        costs[i] = tick() - start;
    }
    return quantile(costs, 1001, 0.5);
}

typedef struct undo_time {
    double median, p99, redo_median;
} undo_time;

/// Undo and redo of single chains near the end of a log of `length` events. The last events are the same whatever the
/// length, so that the same chains are undone.
static undo_time measure_chains(const item *items, uint32_t count, uint32_t length, double *undos, double *redos,
                                uint32_t chains)
{
    const uint32_t tail = TAIL;
    kifu_timeline *timeline = play(NULL, items, length - BEGINNING - tail);
    play_on(timeline, items + count - tail, tail);
    must(kifu_event_count(timeline) == length, "a log of another length");
    const double unit = ticks_to_ns(), cost = clock_cost();
    for (uint32_t done = 0; done < chains;) {
        uint32_t depth = 0;
        for (; depth < 16 && done + depth < chains; depth++) {
            double start = tick();
            kifu_result result = kifu_undo(timeline);
            undos[done + depth] = (tick() - start - cost) * unit;
            must(!result, "an undo was refused");
        }
        for (uint32_t i = 0; i < depth; i++) {
            double start = tick();
            kifu_result result = kifu_redo(timeline);
            redos[done + i] = (tick() - start - cost) * unit;
            must(!result, "a redo was refused");
        }
        done += depth;
    }
    must(kifu_event_count(timeline) == length, "redo did not bring everything back");
    kifu_destroy(timeline);
    undo_time time = {.median = quantile(undos, chains, 0.5), .redo_median = quantile(redos, chains, 0.5)};
    time.p99 = quantile(undos, chains, 0.99);
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

void undo_rows(const scale *scale)
{
    const uint32_t lengths[] = {100, scale->events / 100, scale->events};
    uint32_t chains = scale->events < CHAINS ? scale->events : CHAINS;
    item *items = malloc(scale->events * sizeof *items);
    double *undos = malloc(chains * sizeof *undos), *redos = malloc(chains * sizeof *redos);
    undo_time first = {0};
    char text[100];
    must(items && undos && redos, "out of memory");
    make_mix(items, scale->events, 20);
    heading("Undo: one chain (1.6 events on average) at the end of the log, whatever its length");
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t length = lengths[i] < 100 ? 100 : lengths[i];
        // Three times, of which the quickest counts: a neighbour on the machine only ever adds.
        undo_time best = {0};
        for (uint32_t round = 0; round < 3; round++) {
            undo_time time = measure_chains(items, scale->events, length, undos, redos, chains);
            if (round == 0 || time.median < best.median)
                best = time;
        }
        if (i == 0)
            first = best;
        snprintf(text, sizeof text, "undo at %u events", length);
        goal_row(text, best.median / first.median, true, 2, "%6.1f ns, p99 %8.1f: %5.2f x that at 100 (p99 %.2f x)",
                 best.median, best.p99, best.median / first.median, best.p99 / first.p99);
        snprintf(text, sizeof text, "redo at %u events", length);
        row(text, "%6.1f ns: %.2f x that at 100", best.redo_median, best.redo_median / first.redo_median);
    }
    uint32_t deep = scale->events / 4 < DEEP ? scale->events / 4 : DEEP;
    snprintf(text, sizeof text, "%u chains undone in a row at %u events", deep, scale->events);
    row(text, "%6.1f ns each", measure_deep(items, scale->events, deep));
    free(items);
    free(undos);
    free(redos);
}
