// Messages inside one process: a list by the time of arrival.

#include <stdlib.h>
#include <string.h>

#include <kifu/loopback.h>
#include <kifu/random.h>

typedef struct message {
    struct message *next; ///< By the time of arrival.
    uint64_t from, to, at;
    size_t size;
    unsigned char bytes[];
} message;

struct kifu_loopback {
    kifu_loopback_faults faults;
    kifu_rng rng;
    message *first, *taken;
};

kifu_loopback *kifu_loopback_create(const kifu_loopback_faults *faults)
{
    kifu_loopback *loopback = (kifu_loopback *)calloc(1, sizeof *loopback);
    if (!loopback)
        return NULL;
    loopback->faults = *faults;
    if (!faults->room)
        loopback->faults.room = 1024;
    kifu_rng_seed(&loopback->rng, faults->seed, 1);
    return loopback;
}

void kifu_loopback_destroy(kifu_loopback *loopback)
{
    if (!loopback)
        return;
    for (message *at = loopback->first, *next; at; at = next) {
        next = at->next;
        free(at);
    }
    free(loopback->taken);
    free(loopback);
}

static void add(kifu_loopback *loopback, message *made)
{
    message **at = &loopback->first;
    while (*at && (*at)->at <= made->at)
        at = &(*at)->next;
    made->next = *at;
    *at = made;
}

bool kifu_loopback_send(kifu_loopback *loopback, uint64_t from, uint64_t to, const void *bytes, size_t size,
                        uint64_t now)
{
    const kifu_loopback_faults *faults = &loopback->faults;
    uint32_t waiting = 0;
    for (const message *at = loopback->first; at; at = at->next)
        waiting += at->to == to;
    if (waiting >= faults->room)
        return false;
    if (kifu_rng_below(&loopback->rng, 1000) < faults->lost)
        return true; // it looks as if it were sent
    uint32_t copies = kifu_rng_below(&loopback->rng, 1000) < faults->doubled ? 2 : 1;
    while (copies--) {
        message *made = (message *)malloc(sizeof *made + size);
        if (!made)
            return false;
        *made = (message){.from = from, .to = to, .size = size};
        made->at = now + kifu_rng_below(&loopback->rng, faults->late_ms + 1);
        memcpy(made->bytes, bytes, size);
        add(loopback, made);
    }
    return true;
}

bool kifu_loopback_receive(kifu_loopback *loopback, uint64_t to, uint64_t now, kifu_arrival *arrival)
{
    message **at = &loopback->first;
    while (*at && (*at)->at <= now && to != UINT64_MAX && (*at)->to != to)
        at = &(*at)->next;
    if (!*at || (*at)->at > now)
        return false;
    free(loopback->taken);
    loopback->taken = *at;
    *at = loopback->taken->next;
    const message *taken = loopback->taken;
    *arrival = (kifu_arrival){taken->from, taken->to, taken->bytes, taken->size};
    return true;
}

uint64_t kifu_loopback_next(const kifu_loopback *loopback)
{
    return loopback->first ? loopback->first->at : UINT64_MAX;
}
