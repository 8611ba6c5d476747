// Whether a line that was begun is one that is there already: its first events are those with which another one goes
// on from the same place.
//
// Of any number of lines, those that begin at this place with such an event are found at once: a hash index has lines
// by parent, place and first event. A line enters it when the next one begins.
//
// A move that is played again enters its line afterwards: its events happen as any others, in a new line, and are
// shown. Then they are compared, and the new line is dropped if one has the same events. So rules, hooks and reactions
// need not know of lines.

#include "history/lines.h"
#include "wire/table.h"

// One of a line's own events; NULL: it has no such event.
static const kifu__segment *segment_of_line(const kifu__line *line, uint32_t index, uint32_t *slot)
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
    const kifu__segment *there = segment_of_line(other, index, &slot);
    const kifu__segment *here = kifu__log_segment_of(&timeline->log, index);
    slot_here = index - here->first;
    if (!there || here->types[slot_here] != there->types[slot] ||
        memcmp(&here->marks[slot_here], &there->marks[slot], sizeof *here->marks) ||
        here->rules_version != there->rules_version)
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

// --- The hash index --------------------------------------------------------------------------------------------------

// Puts a line first into its bucket.
static void add_to_index(kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    uint32_t *bucket = &lines->buckets[line->begins % lines->bucket_count];
    line->next = *bucket;
    *bucket = id;
}

// As many buckets as lines, or half as many. False without memory.
static bool make_buckets(const kifu_timeline *timeline, kifu__lines *lines)
{
    if (lines->count <= 2 * (uint64_t)lines->bucket_count)
        return true;
    uint32_t *buckets = (uint32_t *)kifu__new(&timeline->memory, lines->capacity * sizeof *buckets);
    if (!buckets)
        return false;
    kifu__free(&timeline->memory, lines->buckets);
    memset(buckets, 0, lines->capacity * sizeof *buckets);
    lines->buckets = buckets;
    lines->bucket_count = lines->capacity;
    for (uint32_t id = 1; id < lines->indexed; id++) {
        if (lines->items[id].branch)
            add_to_index(lines, id);
    }
    return true;
}

// Where and with what a line begins, in `line->begins`. False: it has no event, or there is no memory.
static bool find_beginning(const kifu_timeline *timeline, kifu__line *line, kifu__blob *blob)
{
    uint32_t slot;
    const kifu__segment *segment = segment_of_line(line, line->from, &slot);
    if (!segment || kifu__blob_of(timeline->rules, segment, slot, blob))
        return false;
    kifu__build(blob, 0, NULL, 0, 8); // The hash wants whole words.
    if (blob->result)
        return false;
    const uint64_t all[] = {(uint64_t)line->parent << 32 | line->from,
                            (uint64_t)segment->types[slot] << 32 | segment->rules_version,
                            kifu__hash_state(blob->bytes, blob->size)};
    line->begins = kifu__hash_state((const unsigned char *)all, sizeof all);
    return true;
}

// All but the current one, which is the last.
static void index_lines(const kifu_timeline *timeline, kifu__lines *lines, kifu__blob *blob)
{
    for (; lines->indexed < lines->current; lines->indexed++) {
        kifu__line *line = &lines->items[lines->indexed];
        if (!lines->indexed || !line->branch || line->from >= line->branch->end)
            continue;
        if (!find_beginning(timeline, line, blob)) // Without memory: the next time.
            return;
        add_to_index(lines, lines->indexed);
    }
}

// The first one of those that begin there; 0: none does. Those that are deleted leave the index on the way.
static uint32_t find_same_line(const kifu_timeline *timeline, kifu__lines *lines)
{
    const uint64_t begins = lines->items[lines->current].begins;
    uint32_t found = 0, *place = &lines->buckets[begins % lines->bucket_count];
    while (*place) {
        kifu__line *line = &lines->items[*place];
        if (!line->branch) {
            *place = line->next;
            continue;
        }
        if (line->begins == begins && goes_on_so(timeline, lines, *place))
            found = *place; // The bucket is in descending order.
        place = &line->next;
    }
    return found;
}

uint32_t kifu__line_same(const kifu_timeline *timeline, kifu__lines *lines)
{
    kifu__line *fresh = &lines->items[lines->current];
    if (goes_on_so(timeline, lines, fresh->parent))
        return fresh->parent;
    if (!make_buckets(timeline, lines))
        return KIFU_NONE;
    kifu__blob blob = {.memory = &timeline->memory};
    index_lines(timeline, lines, &blob);
    const uint32_t found = find_beginning(timeline, fresh, &blob) ? find_same_line(timeline, lines) : 0;
    kifu__free(&timeline->memory, blob.bytes);
    return found ? found : KIFU_NONE;
}
