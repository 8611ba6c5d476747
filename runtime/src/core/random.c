// Random numbers: PCG32, ranges, shuffle.
//
// A Do that opens the generator says so, and only then the runtime compares it with what it was before. So an event
// that draws nothing pays nothing, and one that draws in a transaction that it rolls back is not marked. The event's
// mark stores whether it drew, together with *reveals* and *unless random*: a replay need not find it out again, and a
// schema that changes does not change old events.

#include "core/timeline.h"

void kifu_rng_seed(kifu_rng *rng, uint64_t seed, uint64_t sequence)
{
    rng->state = 0;
    rng->increment = sequence << 1 | 1;
    kifu_rng_next(rng);
    rng->state += seed;
    kifu_rng_next(rng);
}

uint32_t kifu_rng_next(kifu_rng *rng)
{
    uint64_t old = rng->state;
    rng->state = old * UINT64_C(6364136223846793005) + rng->increment;
    uint32_t shifted = (uint32_t)((old >> 18 ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return shifted >> turn | shifted << (-turn & 31);
}

uint32_t kifu_rng_below(kifu_rng *rng, uint32_t bound)
{
    if (!bound)
        return 0;
    // The 2^32 mod bound smallest numbers are drawn again, so that each remainder is equally likely.
    uint32_t threshold = -bound % bound;
    for (;;) {
        uint32_t number = kifu_rng_next(rng);
        if (number >= threshold)
            return number % bound;
    }
}

// The game's generator, open for an edit; NULL, with a fault remembered, where it may not be used.
static kifu_rng *open_rng(kifu_timeline *timeline)
{
    const kifu_rng *rng = &kifu_get_game(timeline)->rng;
    kifu__open_rng(timeline);
    void *edited = kifu__edit_scalar(timeline, offsetof(kifu_game, rng) + offsetof(kifu_rng, state));
    if (edited == timeline->scratch)
        return NULL;
    if (!rng->increment) {
        kifu__fault(timeline, KIFU_MISUSE, "a random number was drawn before EInitialize: submit that event first");
        return NULL;
    }
    return (kifu_rng *)(void *)timeline->core.state;
}

_Static_assert(offsetof(kifu_game, rng) == 0, "the generator is the first thing in every state");

uint32_t kifu_random(kifu_timeline *timeline)
{
    kifu_rng *rng = open_rng(timeline);
    return rng ? kifu_rng_next(rng) : 0;
}

uint32_t kifu_random_below(kifu_timeline *timeline, uint32_t bound)
{
    kifu_rng *rng = open_rng(timeline);
    return rng ? kifu_rng_below(rng, bound) : 0;
}

int32_t kifu_random_between(kifu_timeline *timeline, int32_t low, int32_t high)
{
    if (high <= low)
        return low;
    uint32_t span = (uint32_t)high - (uint32_t)low + 1;
    uint32_t number = span ? kifu_random_below(timeline, span) : kifu_random(timeline);
    return (int32_t)((int64_t)low + number);
}

static void exchange_elements(void *elements, uint32_t one, uint32_t other, uint32_t size)
{
    unsigned char *a = (unsigned char *)elements + (size_t)one * size;
    unsigned char *b = (unsigned char *)elements + (size_t)other * size;
    for (uint32_t i = 0; i < size; i++) {
        const unsigned char byte = b[i];
        b[i] = a[i];
        a[i] = byte;
    }
}

void kifu_shuffle(kifu_timeline *timeline, void *elements, uint32_t count, uint32_t size)
{
    for (uint32_t left = count; left > 1; left--)
        exchange_elements(elements, left - 1, kifu_random_below(timeline, left), size);
}

bool kifu_entropy(void *bytes, size_t size)
{
    return kifu__os_entropy(bytes, size);
}

void kifu_shuffle_by(const uint64_t *draws, void *elements, uint32_t count, uint32_t size)
{
    for (uint32_t left = count; left > 1; left--)
        exchange_elements(elements, left - 1, (uint32_t)(*draws++ % left), size);
}
