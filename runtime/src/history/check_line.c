// A line that was loaded is compared with the hashes in its save when it is entered, or looked at. What the game was in
// when it was loaded is compared as redo leads through it (keyframes.c).

#include "history/lines.h"

#include <stdio.h>

#include "core/go.h"
#include "history/hashes.h"

// One of the events that come after the first `first` ones, up to number `last`.
static kifu_result differs(kifu_timeline *timeline, uint32_t id, uint32_t first, uint32_t last)
{
    char events[100];
    snprintf(events, sizeof events, "one of the events %u to %u of line %u leads to", (unsigned)first, (unsigned)last,
             (unsigned)id);
    return kifu__error(&timeline->error, KIFU_DIVERGED, KIFU__ANOTHER_STATE, events, "");
}

static kifu_result check_line(kifu_timeline *timeline, const kifu__line *line, unsigned char *state, uint32_t id,
                              uint32_t known, uint32_t *agreed)
{
    enum { TELL_AFTER = 16384 };
    const uint32_t end = line->branch->end, size = timeline->rules->state_size;
    uint32_t at = kifu__known_state(timeline, line->branch, known < end ? known : end, state), compared = at, told = at;
    kifu_result result = KIFU_OK;
    while (at < end && !result) {
        kifu__checkpoint *next = kifu__next_checkpoint(line->branch, at);
        const uint32_t to = next ? next->event_count : end;
        const bool long_way = to - told > TELL_AFTER;
        const uint32_t stop = long_way ? told + TELL_AFTER : to;
        result = kifu__replay_into(timeline, line->branch, state, at, stop);
        at = stop;
        if (!result && long_way)
            result = kifu__tick(timeline, at, end);
        told = long_way ? at : told;
        if (result)
            continue;
        const uint64_t hash = at == to ? kifu__hash_state(state, size) : 0;
        if (next && at == to)
            next->loaded = next->loaded && hash != next->hash;
        if (at == to && ((next && hash != next->hash) || (at == end && line->tip_hash && hash != line->tip_hash)))
            return differs(timeline, id, compared, at - 1);
        compared = at == to ? at : compared;
        *agreed = next && at == to ? at : *agreed;
    }
    return result;
}

kifu_result kifu__line_check(kifu_timeline *timeline, kifu__lines *lines, uint32_t id, uint32_t known,
                             uint32_t *compared)
{
    uint32_t unwanted;
    kifu__line *line = &lines->items[id];
    kifu_result result = KIFU_OK;
    if (!line->unchecked)
        return KIFU_OK;
    if (line->comparable && !timeline->options.reset) { // A model outside is in no copy: redo compares it.
        unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
        result = state ? check_line(timeline, line, state, id, known, compared ? compared : &unwanted)
                       : kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory to check line %u", (unsigned)id);
        kifu__free(&timeline->memory, state);
    }
    line->unchecked = result != KIFU_OK;
    return result;
}

kifu_result kifu__line_agrees(kifu_timeline *timeline, const kifu__lines *lines, uint32_t id, uint32_t *compared,
                              bool *all)
{
    const kifu__branch *played = lines->items[lines->current].branch;
    kifu__checkpoint *next = kifu__next_checkpoint(lines->items[id].branch, played->from);
    *compared = played->from;
    *all = true;
    for (; next && next->event_count <= played->end && *all;
         next = kifu__next_checkpoint(lines->items[id].branch, next->event_count)) {
        const uint32_t at = kifu__checkpoints_up_to(played, next->event_count - 1);
        const bool has = at < played->checkpoint_count && played->checkpoints[at].event_count == next->event_count;
        if (next->loaded && has && played->checkpoints[at].hash != next->hash)
            return differs(timeline, id, *compared, next->event_count - 1);
        *all = has || !next->loaded;
        *compared = *all ? next->event_count : *compared;
        next->loaded = next->loaded && !has;
    }
    return KIFU_OK;
}
