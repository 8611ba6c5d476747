#include "history/hashes.h"

// The next hash that is not compared yet. Executing may have added hashes before it.
static kifu__place next_hash(kifu__walk *walk)
{
    const kifu__checkpoint *all = walk->timeline->checkpoints;
    const uint32_t count = walk->timeline->checkpoint_count;
    uint32_t at = walk->checkpoint;
    while (at < count && (all[at].event_count < walk->count || all[at].event_count <= walk->hashed))
        at++;
    walk->checkpoint = at;
    kifu__place place = {.count = KIFU_NONE};
    if (at < count)
        place = (kifu__place){.count = all[at].event_count, .has_hash = true, .hash = all[at].hash};
    return place;
}

static kifu__place next_place(kifu__walk *walk, uint32_t end)
{
    const kifu__place hash = next_hash(walk);
    kifu__place place = hash;
    if (hash.count > end)
        place = (kifu__place){.count = end};
    walk->look(walk, &place);
    if (place.count == hash.count && place.hash == hash.hash)
        walk->hashed = place.count;
    return place;
}

static bool agrees(const kifu__walk *walk, const kifu__place *place)
{
    const uint32_t size = walk->timeline->rules->state_size;
    if (place->has_hash && kifu__hash_state(walk->state, size) != place->hash)
        return false;
    return !place->state || memcmp(walk->state, place->state, size) == 0;
}

kifu_result kifu__walk_to(kifu__walk *walk, uint32_t end, kifu__place *place)
{
    do {
        *place = next_place(walk, end);
        kifu_result result = walk->execute(walk, place->count);
        if (result)
            return result;
        walk->count = place->count;
        if (!agrees(walk, place))
            return KIFU_DIVERGED;
        walk->agreed(walk, place);
    } while (walk->count < end || place->has_hash || place->state); // There may be more than one thing at the end.
    return KIFU_OK;
}
