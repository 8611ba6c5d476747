// Whether a line that was begun is one that is there already: its first events are those with which another one goes
// on from the same place.
//
// Of any number of lines, those that begin at this place with such an event are found at once: lines are filed by
// parent, place and first event when the next one begins.
//
// A move that is played again enters its line afterwards: its events happen as any others, in a new line, and are
// shown. Then they are compared, and the new line is dropped if one has the same events. So rules, hooks and reactions
// need not know of lines.

#include "history/digest.h"
#include "history/lines.h"
#include "wire/buffer.h"

static bool is_same_mark(kifu__mark a, kifu__mark b)
{
    return a.cause == b.cause && a.player == b.player && a.flags == b.flags;
}

// One of a line's own events; NULL: it has no such event.
static const kifu__segment *segment_of(const kifu__line *line, uint32_t index, uint32_t *slot)
{
    const kifu__branch *branch = line->branch;
    if (index < line->from || index >= branch->end)
        return NULL;
    const kifu__segment *segment = kifu__segment_with(branch->segments, branch->segment_count, index);
    *slot = index - segment->first;
    return segment;
}

// Whether event number `index` is the same in the current line and in another one. False without memory, too.
static bool is_same(const kifu_timeline *timeline, const kifu__line *other, uint32_t index)
{
    uint32_t slot, slot_here;
    const kifu__segment *there = segment_of(other, index, &slot);
    const kifu__segment *here = kifu__log_segment_of(&timeline->log, index);
    slot_here = index - here->first;
    if (!there || here->types[slot_here] != there->types[slot] ||
        !is_same_mark(here->marks[slot_here], there->marks[slot]) || here->rules_version != there->rules_version)
        return false;
    kifu__blob a = {.memory = &timeline->memory}, b = {.memory = &timeline->memory};
    const bool same = !kifu__blob_of(timeline->rules, here, slot_here, &a) &&
                      !kifu__blob_of(timeline->rules, there, slot, &b) && a.size == b.size &&
                      !memcmp(a.bytes, b.bytes, a.size);
    kifu__free(&timeline->memory, a.bytes);
    kifu__free(&timeline->memory, b.bytes);
    return same;
}

// Whether all events of the new line are those with which another one goes on from there.
static bool goes_on_so(const kifu_timeline *timeline, const kifu__lines *lines, uint32_t id)
{
    const kifu__line *line = &lines->items[id], *fresh = &lines->items[lines->current];
    const bool from_there = id == fresh->parent || (line->parent == fresh->parent && line->from == fresh->from);
    if (!from_there) // The same hash, of another place.
        return false;
    for (uint32_t event = fresh->from; event < timeline->executed; event++) {
        if (!is_same(timeline, line, event))
            return false;
    }
    return true;
}

// --- Lines that are filed --------------------------------------------------------------------------------------------

// Puts a line first into its file.
static void enter(kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    uint32_t *file = &lines->files[line->begins % lines->file_count];
    line->next = *file;
    *file = id;
}

// As many files as lines, or half as many. False without memory.
static bool make_files(const kifu_timeline *timeline, kifu__lines *lines)
{
    if (lines->count <= 2 * (uint64_t)lines->file_count)
        return true;
    uint32_t *files = (uint32_t *)kifu__new(&timeline->memory, lines->capacity * sizeof *files);
    if (!files)
        return false;
    kifu__free(&timeline->memory, lines->files);
    memset(files, 0, lines->capacity * sizeof *files);
    lines->files = files;
    lines->file_count = lines->capacity;
    for (uint32_t id = 1; id < lines->filed; id++) {
        if (!lines->items[id].deleted)
            enter(lines, id);
    }
    return true;
}

// Where and with what a line begins, in `line->begins`. False: it has no event, or there is no memory.
static bool find_beginning(const kifu_timeline *timeline, kifu__line *line, kifu__blob *blob)
{
    uint32_t slot;
    const kifu__segment *segment = segment_of(line, line->from, &slot);
    line->begins = (uint64_t)line->parent << 32 | line->from;
    return segment && !kifu__digest_slot(timeline, segment, slot, blob, &line->begins);
}

// All but the current one, which is the last.
static void file_lines(const kifu_timeline *timeline, kifu__lines *lines, kifu__blob *blob)
{
    for (; lines->filed < lines->current; lines->filed++) {
        kifu__line *line = &lines->items[lines->filed];
        if (!lines->filed || line->deleted || line->from >= kifu__line_end(line))
            continue;
        if (!find_beginning(timeline, line, blob)) // Without memory: the next time.
            return;
        enter(lines, lines->filed);
    }
}

// The first one of those that begin there; 0: none does. Those that are deleted leave the file on the way.
static uint32_t find_beside(const kifu_timeline *timeline, kifu__lines *lines)
{
    const uint64_t begins = lines->items[lines->current].begins;
    uint32_t found = 0, *place = &lines->files[begins % lines->file_count];
    while (*place) {
        kifu__line *line = &lines->items[*place];
        if (line->deleted) {
            *place = line->next;
            continue;
        }
        if (line->begins == begins && goes_on_so(timeline, lines, *place))
            found = *place; // The file is in descending order.
        place = &line->next;
    }
    return found;
}

uint32_t kifu__line_same(const kifu_timeline *timeline, kifu__lines *lines)
{
    kifu__line *fresh = &lines->items[lines->current];
    if (goes_on_so(timeline, lines, fresh->parent))
        return fresh->parent;
    if (!make_files(timeline, lines))
        return KIFU_NONE;
    kifu__blob blob = {.memory = &timeline->memory};
    file_lines(timeline, lines, &blob);
    const uint32_t found = find_beginning(timeline, fresh, &blob) ? find_beside(timeline, lines) : 0;
    kifu__free(&timeline->memory, blob.bytes);
    return found ? found : KIFU_NONE;
}
