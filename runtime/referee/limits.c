// How many requests a second are let in: a bucket for each peer, and one for each seat.

#include "referee/referee.h"

enum { REQUEST = 1000, PROBES = 8 };

// What was spent by now: it falls by the rate, in thousandths a millisecond.
static void refill(const kifu_referee *referee, kifu__limit *limit)
{
    const uint64_t back = (referee->now - limit->at) * referee->options.requests_per_second;
    limit->spent = back < limit->spent ? limit->spent - (uint32_t)back : 0;
    limit->at = referee->now;
}

bool kifu__limit_lets_in(const kifu_referee *referee, kifu__limit *limit)
{
    refill(referee, limit);
    if (limit->spent + REQUEST > 2 * REQUEST * (uint64_t)referee->options.requests_per_second)
        return false;
    limit->spent += REQUEST;
    limit->told = false;
    return true;
}

// A peer that has spent nothing needs no bucket, so its place is free for another.
bool kifu__peer_lets_in(kifu_referee *referee, uint64_t peer, kifu__limit **limit)
{
    const uint32_t begin = (uint32_t)(peer * 0x9E3779B97F4A7C15U >> 32);
    kifu__peer_limit *free = NULL;
    for (uint32_t i = 0; i < PROBES; i++) {
        kifu__peer_limit *at = &referee->limits[(begin + i) % referee->options.peers];
        refill(referee, &at->limit);
        if (at->peer == peer && at->limit.spent) {
            *limit = &at->limit;
            return kifu__limit_lets_in(referee, &at->limit);
        }
        if (!free && !at->limit.spent)
            free = at;
    }
    *limit = free ? &free->limit : NULL;
    if (!free)
        return false;
    free->peer = peer;
    return kifu__limit_lets_in(referee, &free->limit);
}
