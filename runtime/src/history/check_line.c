// A line that was loaded is compared with the hashes in its save when it is entered, or looked at: redo compares none.

#include "history/lines.h"

#include "core/go.h"

static kifu_result check_line(kifu_timeline *timeline, const kifu__line *line, unsigned char *state, uint32_t id,
                              uint32_t known)
{
    enum { TELL_AFTER = 16384 };
    const uint32_t end = line->branch->end, size = timeline->rules->state_size;
    uint32_t at = kifu__known_state(timeline, line->branch, known < end ? known : end, state), compared = at, told = at;
    kifu_result result = KIFU_OK;
    while (at < end && !result) {
        const kifu__checkpoint *next = kifu__next_checkpoint(line->branch, at);
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
        if (at == to && ((next && hash != next->hash) || (at == end && line->tip_hash && hash != line->tip_hash)))
            return kifu__error(
                &timeline->error, KIFU_DIVERGED,
                "one of the events %u to %u of line %u leads to another state than in the save. If you changed "
                "the rules, raise rules_version, or load with kifu_load_options.allow_changed. If not, see "
                "runtime/docs/troubleshooting.md, \"When a game diverges\"",
                (unsigned)compared, (unsigned)(at - 1), (unsigned)id);
        compared = at == to ? at : compared;
    }
    return result;
}

kifu_result kifu__line_check(kifu_timeline *timeline, kifu__lines *lines, uint32_t id, uint32_t known)
{
    kifu__line *line = &lines->items[id];
    kifu_result result = KIFU_OK;
    if (!line->unchecked)
        return KIFU_OK;
    // A model outside the state is not in the copy.
    if (line->comparable && !timeline->options.reset) {
        unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
        result = state ? check_line(timeline, line, state, id, known)
                       : kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory to check line %u", (unsigned)id);
        kifu__free(&timeline->memory, state);
    }
    line->unchecked = result != KIFU_OK;
    return result;
}

bool kifu__line_agrees(const kifu__branch *line, const kifu__branch *played)
{
    const uint32_t first = kifu__checkpoints_up_to(line, played->from);
    for (uint32_t i = first; i < line->checkpoint_count && line->checkpoints[i].event_count <= played->end; i++) {
        const kifu__checkpoint *checkpoint = &line->checkpoints[i];
        const uint32_t same = kifu__checkpoints_up_to(played, checkpoint->event_count - 1);
        if (same == played->checkpoint_count || played->checkpoints[same].event_count != checkpoint->event_count ||
            played->checkpoints[same].hash != checkpoint->hash)
            return false;
    }
    return true;
}
