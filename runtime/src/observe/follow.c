// Following a proposal: what became of it.

#include "core/timeline.h"

typedef struct follower {
    kifu_ticket ticket;
    kifu_follower *call;
    void *context;
} follower;

typedef struct followers {
    kifu__part part;
    follower *items;
    uint32_t count;
    uint32_t capacity;
} followers;

// Whether it was submitted before the search that is open: what becomes of it there is not what will have happened.
static bool is_searched(const kifu_timeline *timeline, kifu_ticket ticket)
{
    return timeline->transactions.search_from &&
           ticket - timeline->transactions.search_from > UINT32_MAX / 2; // Tickets begin anew.
}

static void followed_ended(kifu_timeline *timeline, kifu__part *part, const kifu_outcome *outcome)
{
    followers *all = (followers *)part;
    if (!all->count || is_searched(timeline, outcome->ticket))
        return;
    const kifu_error error = timeline->error; // A follower may make calls that fail.
    kifu_outcome told = *outcome;
    told.error = outcome->error ? &error : NULL;
    for (uint32_t i = 0; i < all->count;) {
        const follower each = all->items[i];
        if (each.ticket != outcome->ticket) {
            i++;
            continue;
        }
        all->items[i] = all->items[--all->count];
        const kifu_result before = timeline->fault.result;
        timeline->core.phase = KIFU__TELLING;
        each.call(each.context, timeline, &told);
        timeline->core.phase = KIFU__IDLE;
        if (!before && timeline->fault.result)
            kifu__fault_in(timeline, "a follower of ", timeline->rules->types[outcome->type].table->name);
        if (kifu__has_handler(timeline, ran))
            timeline->dispatch->ran(timeline, outcome->event, "a follower", "");
    }
    timeline->error = error;
}

static void followed_dropped(kifu_timeline *timeline, kifu__part *part, kifu_ticket running)
{
    followers *all = (followers *)part;
    for (uint32_t i = 0; i < all->count;) {
        const kifu_ticket ticket = all->items[i].ticket;
        if (ticket == running || kifu__waits(timeline, ticket) || is_searched(timeline, ticket))
            i++;
        else
            all->items[i] = all->items[--all->count];
    }
}

static void free_followers(kifu_timeline *timeline, kifu__part *part)
{
    kifu__free(&timeline->memory, ((followers *)part)->items);
}

static const kifu__part_table followers_table = {.size = sizeof(followers),
                                                 .order = KIFU__FOLLOWERS,
                                                 .ended = followed_ended,
                                                 .dropped = followed_dropped,
                                                 .freed = free_followers};

kifu_result kifu_follow(kifu_timeline *timeline, kifu_ticket ticket, kifu_follower *follower, void *context)
{
    if (!follower || !kifu__waits(timeline, ticket))
        return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_follow: %s",
                           follower ? "no event with this ticket waits; call it right after the submit"
                                    : "the follower is NULL: give a function");
    followers *all = (followers *)kifu__attach(timeline, &followers_table);
    struct follower *items = NULL;
    if (all)
        items = (struct follower *)kifu__grow(&timeline->memory, all->items, &all->capacity, (uint64_t)all->count + 1,
                                              sizeof *items);
    if (!items)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for following an event");
    all->items = items;
    items[all->count++] = (struct follower){ticket, follower, context};
    return KIFU_OK;
}
