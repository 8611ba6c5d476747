// A line that was loaded is compared with the hashes in its save when it is entered: redo compares none.

#include "history/hashes.h"
#include "history/lines.h"

#include "core/go.h"

typedef struct checking {
    kifu__walk walk;
    uint64_t tip_hash; // of the state at the end; 0: unknown, or it is compared
    uint32_t compared; // So many events led to the state that they should.
} checking;

static void look(kifu__walk *walk, kifu__place *place)
{
    checking *checking = (struct checking *)walk;
    const uint32_t end = walk->path->end;
    if (!checking->tip_hash || place->count < end)
        return;
    *place = (kifu__place){.count = end, .has_hash = true, .hash = checking->tip_hash};
    checking->tip_hash = 0;
}

static kifu_result execute(kifu__walk *walk, uint32_t count)
{
    return kifu__replay_into(walk->timeline, walk->path, walk->state, walk->count, count);
}

static void agreed(kifu__walk *walk, const kifu__place *place)
{
    if (place->has_hash)
        ((checking *)walk)->compared = place->count;
}

static kifu_result check(kifu_timeline *timeline, const kifu__line *line, unsigned char *state, uint32_t id)
{
    const uint32_t first = timeline->executed;
    kifu__branch *path = timeline->log.branch;
    checking checking = {{timeline, path, state, first, first, 0, 1, look, execute, agreed}, line->tip_hash, first};
    kifu__place place;
    memcpy(state, timeline->core.state, timeline->rules->state_size);
    const kifu_result result = kifu__walk_to(&checking.walk, path->end, &place);
    if (result != KIFU_DIVERGED)
        return result;
    return kifu__error(&timeline->error, KIFU_DIVERGED,
                       "one of the events %u to %u of line %u leads to another state than in the save. If you changed "
                       "the rules, raise rules_version, or load with kifu_load_options.allow_changed. If not, see "
                       "runtime/docs/troubleshooting.md, \"When a game diverges\"",
                       (unsigned)checking.compared, (unsigned)(place.count - 1), (unsigned)id);
}

kifu_result kifu__line_check(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    kifu_result result = KIFU_OK;
    if (!line->unchecked)
        return KIFU_OK;
    // A model outside the state is not in the copy.
    if (line->comparable && !timeline->options.reset && timeline->executed < timeline->log.branch->end) {
        unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
        result = state ? check(timeline, line, state, id)
                       : kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory to check line %u", (unsigned)id);
        kifu__free(&timeline->memory, state);
    }
    line->unchecked = result != KIFU_OK;
    return result;
}
