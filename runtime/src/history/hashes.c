#include "history/hashes.h"

#include "core/keyframes.h"

// The next hash that is not compared yet. Executing may have added hashes before it.
static kifu__place next_hash_of_walk(kifu__walk *walk)
{
    const uint32_t least = walk->hashed < walk->count ? walk->count - 1 : walk->hashed;
    const kifu__checkpoint *next = kifu__next_checkpoint(walk->path, least);
    kifu__place place = {.count = KIFU_NONE};
    if (next)
        place = (kifu__place){.count = next->event_count, .has_hash = true, .hash = next->hash};
    return place;
}

static kifu__place next_place_of_walk(kifu__walk *walk, uint32_t end)
{
    const kifu__place hash = next_hash_of_walk(walk);
    kifu__place place = hash;
    if (hash.count > end)
        place = (kifu__place){.count = end};
    walk->next(walk, &place);
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

// The progress function is called after so many events.
enum { WALK_TELL_AFTER = 16384 };

static kifu_result report_progress(const kifu__walk *walk, uint32_t end)
{
    const uint64_t done = (uint64_t)walk->count * walk->half / end;
    return kifu__tick(walk->timeline, walk->half + done, 2 * (uint64_t)walk->half);
}

kifu_result kifu__walk_to(kifu__walk *walk, uint32_t end, kifu__place *place)
{
    uint32_t told = walk->half ? walk->count : end;
    do {
        const uint32_t stop = end - told > WALK_TELL_AFTER ? told + WALK_TELL_AFTER : end;
        *place = next_place_of_walk(walk, stop);
        kifu_result result = walk->execute(walk, place->count);
        if (result)
            return result;
        walk->count = place->count;
        if (!agrees(walk, place))
            return KIFU_DIVERGED;
        walk->matched(walk, place);
        if (walk->count == stop && stop < end) {
            told = stop;
            result = report_progress(walk, end);
            if (result)
                return result;
        }
    } while (walk->count < end || place->has_hash || place->state); // There may be more than one thing at the end.
    return KIFU_OK;
}

// --- Hashes that were loaded -----------------------------------------------------------------------------------------

// The game goes on as the rules of today play it.
static void differ_from_loaded(kifu_timeline *timeline)
{
    const uint32_t before = timeline->executed - 1;
    if (before >= timeline->due.held) {
        kifu__drop_keyframes(timeline, before);
        kifu__forget_hashes(timeline->log.branch, before);
        timeline->tree.hashes++;
    }
    kifu__fault(timeline, KIFU_DIVERGED, KIFU__ANOTHER_STATE, "redo leads to", "");
}

uint32_t kifu__compare_loaded(kifu_timeline *timeline, uint32_t to)
{
    uint32_t at = timeline->executed - 1;
    kifu__checkpoint *next;
    while ((next = kifu__next_checkpoint(timeline->log.branch, at)) != NULL && next->event_count <= to) {
        at = next->event_count;
        if (!next->loaded)
            continue;
        if (at > timeline->executed)
            return at;
        next->loaded = next->hash != kifu_state_hash(timeline);
        if (next->loaded)
            differ_from_loaded(timeline);
    }
    return KIFU_NONE;
}
