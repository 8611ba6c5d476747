/// What being told costs each event.
#include <stdlib.h>

#include "contest.h"
#include "measure.h"

enum { LISTENERS = 20 };

typedef struct listening {
    item *items;
    uint32_t count;
    uint32_t told;
} listening;

static void hear(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    listening *listening = context;
    (void)timeline;
    (void)state;
    listening->told += change->length != 0;
}

static void hear_each(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    listening *listening = context;
    (void)timeline;
    (void)state;
    listening->told += change->index == 0;
}

static double play_to(listening *listening, uint32_t strangers, bool concerned)
{
    kifu_timeline *timeline = play_begin(NULL);
    kifu_set_quiet(timeline, false);
    listening->told = 0;
    for (uint32_t i = 0; i < strangers; i++) // of units that do not move
        must(!kifu_observe(timeline,
                           &(kifu_observer){.listen = hear, KIFU_PART(mix_state, units[1 + i]), .context = listening}),
             "no listener");
    if (concerned)
        must(!kifu_observe(timeline,
                           &(kifu_observer){.listen = hear, KIFU_PART(mix_state, units[0]), .context = listening}),
             "no listener");
    double start = now();
    play_on(timeline, listening->items, listening->count);
    double time = now() - start;
    must(concerned ? listening->told > listening->count / 2 : !listening->told, "listeners heard of something else");
    kifu_destroy(timeline);
    return time;
}

static double run_none(void *context)
{
    return play_to(context, 0, false);
}

static double run_one(void *context)
{
    return play_to(context, 1, false);
}

static double run_many(void *context)
{
    return play_to(context, LISTENERS, false);
}

static double run_one_concerned(void *context)
{
    return play_to(context, 0, true);
}

static double run_many_one_concerned(void *context)
{
    return play_to(context, LISTENERS - 1, true);
}

// To one that is told which of all units it is.
static double run_each(void *context)
{
    listening *listening = context;
    kifu_timeline *timeline = play_begin(NULL);
    kifu_set_quiet(timeline, false);
    listening->told = 0;
    must(!kifu_observe(timeline,
                       &(kifu_observer){.listen_each = hear_each, KIFU_PART(mix_state, units), .context = listening}),
         "no listener");
    double start = now();
    play_on(timeline, listening->items, listening->count);
    double time = now() - start;
    must(listening->told > listening->count / 2, "the listener was not told of each");
    kifu_destroy(timeline);
    return time;
}

void listen_rows(const scale *scale)
{
    listening listening = {.count = scale->events / 2};
    listening.items = malloc(listening.count * sizeof *listening.items);
    must(listening.items, "out of memory");
    make_moves(listening.items, listening.count, 20);
    for (uint32_t i = 0; i < listening.count; i++)
        listening.items[i].as.move.unit = 0;
    heading("Listeners: moves of one unit, submitted and done, shown to listeners that each follow one unit");
    contender contenders[] = {{"none", run_none, 0},
                              {"one", run_one, 0},
                              {"twenty", run_many, 0},
                              {"one, concerned", run_one_concerned, 0},
                              {"twenty, one concerned", run_many_one_concerned, 0},
                              {"each", run_each, 0}};
    compare(contenders, 6, &listening, scale->rounds, listening.count);
    row("no listener", "%6.1f ns", contenders[0].ns);
    const char *const names[] = {"1 listener, of another unit", "20 listeners, of other units",
                                 "1 listener, of this unit", "20 listeners, one of this unit",
                                 "1 listener of each of all units"};
    for (uint32_t i = 0; i < 2; i++)
        goal_row(names[i], last_ratio(i + 1, 0), true, 1.3, "%6.1f ns: %5.2f x that without", contenders[i + 1].ns,
                 last_ratio(i + 1, 0));
    for (uint32_t i = 2; i < 5; i++)
        row(names[i], "%6.1f ns: %5.2f x that without", contenders[i + 1].ns, last_ratio(i + 1, 0));
    free(listening.items);
}
