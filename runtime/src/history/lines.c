// Lines: which events are in the log, and which are set aside.
//
// A redo, a transaction's tail and a line are one mechanism: events behind the executed ones, with the moments that
// redo brings back. The current line has its own in the log and in `timeline->redo`. A line and its parent share the
// events before `from`; to switch from one to the other, the events and moments from there on change places. So the way
// to any line leads over a row of such switches, up to a common ancestor and down again.

#include "history/lines.h"

#include "core/go.h"
#include "wire/buffer.h"

static const kifu__part_table table;

static void settle(kifu_timeline *timeline);

kifu__lines *kifu__lines_of(const kifu_timeline *timeline)
{
    return (kifu__lines *)(void *)kifu__part_of(timeline, &table);
}

uint32_t kifu__line_end(const kifu_timeline *timeline, const kifu__line *line)
{
    return line->split ? line->tail.event_count : timeline->log.event_count;
}

const kifu__segment *kifu__line_segment(const kifu_timeline *timeline, const kifu__line *line, uint32_t index,
                                        uint32_t *slot)
{
    if (line->deleted || index < line->from || index >= kifu__line_end(timeline, line))
        return NULL;
    const kifu__segment *segment = &line->shared;
    if (!line->split || index < line->at) {
        // In a search, the log goes on with events of no line.
        if (index >= (timeline->searching ? timeline->journal.keep_from : timeline->log.event_count))
            return NULL;
        segment = kifu__log_segment_of(&timeline->log, index);
    } else {
        for (uint32_t i = 0; i < line->tail.segment_count && line->tail.segments[i].first <= index; i++)
            segment = &line->tail.segments[i];
    }
    *slot = index - segment->first;
    return segment;
}

// --- Switching -------------------------------------------------------------------------------------------------------

// Whether `redo` has room for `more` moments besides those that it has.
static bool make_room(const kifu_timeline *timeline, kifu__redo *redo, uint32_t more)
{
    kifu__kept *items = (kifu__kept *)kifu__grow(&timeline->memory, redo->items, &redo->capacity,
                                                 (uint64_t)redo->made + more, sizeof *items);
    if (items)
        redo->items = items;
    return items != NULL;
}

// Of the moments, how many lie behind event `at`: they come first.
static uint32_t count_behind(const kifu__redo *redo, uint32_t at)
{
    uint32_t count = 0;
    while (count < redo->count && redo->items[count].executed > at)
        count++;
    return count;
}

// Moves the moments from number `first` on behind those of `to`, which has room.
static void move_moments(kifu__redo *from, uint32_t first, kifu__redo *to)
{
    const uint32_t count = from->count - first;
    // Those behind the last one of `to` have memory still: they stay in use.
    memmove(&to->items[to->count + count], &to->items[to->count], (to->made - to->count) * sizeof *to->items);
    memcpy(&to->items[to->count], &from->items[first], count * sizeof *to->items);
    memmove(&from->items[first], &from->items[from->count], (from->made - from->count) * sizeof *from->items);
    to->count += count;
    to->made += count;
    from->count -= count;
    from->made -= count;
}

static void take_hashes(kifu_timeline *timeline, uint32_t at, kifu__line *line)
{
    const uint32_t first = kifu__checkpoints_up_to(timeline, at), count = timeline->checkpoint_count - first;
    line->hashes = count ? (kifu__checkpoint *)kifu__new(&timeline->memory, count * sizeof *line->hashes) : NULL;
    line->hash_count = line->hashes ? count : 0; // Fewer hashes show less.
    if (line->hashes)
        memcpy(line->hashes, &timeline->checkpoints[first], count * sizeof *line->hashes);
    kifu__drop_records(timeline, at);
}

static void give_hashes(kifu_timeline *timeline, kifu__line *line)
{
    for (uint32_t i = 0; i < line->hash_count; i++)
        kifu__add_checkpoint(timeline, line->hashes[i].event_count, line->hashes[i].hash);
    kifu__free(&timeline->memory, line->hashes);
    line->hashes = NULL;
    line->hash_count = 0;
}

// The line's events from number `at` on leave the log. False without memory, with nothing changed.
static bool set_aside(kifu_timeline *timeline, kifu__line *line, uint32_t at)
{
    if (!kifu__log_set_aside(&timeline->log, at, &line->tail))
        return false;
    line->split = true;
    line->at = at;
    line->tip_hash = line->unchecked ? line->tip_hash : 0;
    take_hashes(timeline, at, line);
    if (timeline->log.segment_count) { // Nothing is appended to it: several lines may go on from there.
        kifu__segment *last = &timeline->log.segments[timeline->log.segment_count - 1];
        line->shared = *last;
        last->closed = true;
        timeline->log.open = NULL;
    }
    return true;
}

static void bring_back(kifu_timeline *timeline, kifu__line *line)
{
    if (!line->tail.last_count && line->at > timeline->log.begin) { // It was loaded, and goes on behind that event.
        line->tail.last_count = line->at - kifu__log_segment_of(&timeline->log, line->at - 1)->first;
        line->tail.last_closed = true;
    }
    kifu__log_bring_back(&timeline->log, line->at, &line->tail);
    kifu__log_tail_free(&timeline->log, &line->tail);
    kifu__log_changed(&timeline->log, line->at); // A log file may have another line there.
    line->split = false;
    give_hashes(timeline, line);
}

// To the parent of the current line, or to a line of which it is the parent. False without memory, with nothing
// changed.
static bool switch_to(kifu_timeline *timeline, kifu__lines *lines, uint32_t to)
{
    kifu__line *old = &lines->items[lines->current], *next = &lines->items[to];
    const uint32_t at = next->parent == lines->current ? next->from : old->from;
    const uint32_t behind = count_behind(&timeline->redo, at);
    if (!make_room(timeline, &next->redo, timeline->redo.count - behind) || !set_aside(timeline, old, at))
        return false;
    if (!old->unchecked && lines->tip == old->tail.event_count)
        old->tip_hash = lines->tip_hash;
    lines->tip = KIFU_NONE;
    bring_back(timeline, next);
    move_moments(&timeline->redo, behind, &next->redo);
    old->redo = timeline->redo;
    timeline->redo = next->redo;
    next->redo = (kifu__redo){0};
    lines->current = to;
    return true;
}

// --- Ways between lines ----------------------------------------------------------------------------------------------

static uint32_t depth_of(const kifu__lines *lines, uint32_t id)
{
    uint32_t depth = 0;
    for (; lines->items[id].parent != id; id = lines->items[id].parent)
        depth++;
    return depth;
}

// Up from line `id`, whose depth is `*depth`; no more events than up to there are shared.
static uint32_t step_up(const kifu__lines *lines, uint32_t id, uint32_t *depth, uint32_t *shared)
{
    const kifu__line *line = &lines->items[id];
    *shared = line->from < *shared ? line->from : *shared;
    --*depth;
    return line->parent;
}

uint32_t kifu__line_common(const kifu__lines *lines, uint32_t a, uint32_t b, uint32_t *shared)
{
    uint32_t depth_a = depth_of(lines, a), depth_b = depth_of(lines, b);
    *shared = KIFU_NONE;
    while (a != b) {
        if (depth_a >= depth_b)
            a = step_up(lines, a, &depth_a, shared);
        else
            b = step_up(lines, b, &depth_b, shared);
    }
    return a;
}

bool kifu__line_enter(kifu_timeline *timeline, kifu__lines *lines, uint32_t to)
{
    uint32_t shared;
    const uint32_t common = kifu__line_common(lines, lines->current, to, &shared);
    while (lines->current != common) {
        if (!switch_to(timeline, lines, lines->items[lines->current].parent))
            return false;
    }
    while (lines->current != to) {
        uint32_t next = to;
        while (lines->items[next].parent != lines->current)
            next = lines->items[next].parent;
        if (!switch_to(timeline, lines, next))
            return false;
    }
    return true;
}

// --- Beginning a line ------------------------------------------------------------------------------------------------

static bool make_room_for(kifu_timeline *timeline, kifu__lines *lines, uint64_t count)
{
    kifu__line *items =
        (kifu__line *)kifu__grow(&timeline->memory, lines->items, &lines->capacity, count, sizeof *items);
    if (items)
        lines->items = items;
    uint32_t *listed =
        (uint32_t *)kifu__grow(&timeline->memory, lines->listed, &lines->listed_capacity, count, sizeof *listed);
    if (listed)
        lines->listed = listed;
    return items && listed;
}

static bool add_line(kifu_timeline *timeline, kifu__lines *lines)
{
    if (!make_room_for(timeline, lines, (uint64_t)lines->count + 1))
        return false;
    lines->listed[lines->listed_count++] = lines->count;
    lines->items[lines->count++] = (kifu__line){.parent = lines->current, .from = timeline->executed};
    return true;
}

bool kifu__lines_reach(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    if (id >= lines->count && !make_room_for(timeline, lines, (uint64_t)id + 1))
        return false;
    while (lines->count <= id)
        lines->items[lines->count++] = (kifu__line){.deleted = true};
    return true;
}

void kifu__lines_list(kifu__lines *lines)
{
    lines->listed_count = 0;
    for (uint32_t id = 0; id < lines->count; id++) {
        if (!lines->items[id].deleted)
            lines->listed[lines->listed_count++] = id;
    }
}

// The last one goes, before anything has happened in it.
static void drop_line(kifu__lines *lines)
{
    lines->count--;
    lines->listed_count--;
}

// Up to the line to which the last executed event belongs.
static bool go_up(kifu_timeline *timeline, kifu__lines *lines)
{
    bool good = true;
    for (uint32_t parent; good && (parent = lines->items[lines->current].parent) != lines->current &&
                          timeline->executed <= lines->items[lines->current].from;)
        good = switch_to(timeline, lines, parent);
    return good;
}

// What redo could bring back becomes the rest of its line, and what comes now begins a new one.
static bool branch(kifu_timeline *timeline)
{
    kifu__lines *lines = kifu__lines_of(timeline);
    const uint32_t left = lines->current;
    if (timeline->open) // It leaves no lines.
        return kifu__redo_drop(timeline), true;
    const bool added = go_up(timeline, lines) && add_line(timeline, lines);
    kifu__line *old = &lines->items[lines->current];
    if (!added || !set_aside(timeline, old, timeline->executed)) {
        if (added)
            drop_line(lines);
        (void)kifu__line_enter(timeline, lines, left);
        return false;
    }
    old->redo = timeline->redo;
    lines->items[left].left = timeline->executed;
    timeline->redo = (kifu__redo){0};
    lines->current = lines->count - 1;
    lines->before_last = left;
    timeline->settle_line = settle;
    if (kifu__hears(timeline, cut))
        timeline->tell->cut(timeline);
    return true;
}

// --- Entering a line that is there -----------------------------------------------------------------------------------

static bool is_same_mark(kifu__mark a, kifu__mark b)
{
    return a.cause == b.cause && a.player == b.player && a.flags == b.flags;
}

// Whether event number `index` is the same in the current line and in another one. False without memory, too.
static bool is_same(const kifu_timeline *timeline, const kifu__line *other, uint32_t index)
{
    uint32_t slot, slot_here;
    const kifu__segment *there = kifu__line_segment(timeline, other, index, &slot);
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
    if (line->deleted || !from_there || id == lines->current)
        return false;
    for (uint32_t event = fresh->from; event < timeline->executed; event++) {
        if (!is_same(timeline, line, event))
            return false;
    }
    return true;
}

// The new line goes. In its place `to`, which has its events, is entered, or the line that was left last, if that has
// them, too.
static void enter_instead(kifu_timeline *timeline, kifu__lines *lines, uint32_t to)
{
    const uint32_t parent = lines->items[lines->current].parent;
    uint32_t shared;
    kifu__line_common(lines, lines->before_last, to, &shared);
    if (shared >= timeline->executed && !lines->items[lines->before_last].deleted)
        to = lines->before_last;
    kifu__redo old = timeline->redo;
    kifu__drop_records(timeline, lines->items[lines->current].from);
    bring_back(timeline, &lines->items[parent]);
    drop_line(lines);
    lines->current = parent;
    timeline->redo = lines->items[parent].redo;
    lines->items[parent].redo = (kifu__redo){0};
    kifu__redo_free(&old, &timeline->memory);
    (void)kifu__line_enter(timeline, lines, to); // Without memory, the game goes on in the parent, or near it.
    if (kifu__line_check(timeline, lines, lines->current)) // Redo leads on, and compares nothing.
        kifu__fault(timeline, timeline->error.result, "%s", timeline->error.message);
    while (timeline->redo.count && timeline->redo.items[timeline->redo.count - 1].executed <= timeline->executed)
        timeline->redo.count--;
    kifu__find_due(timeline);
    kifu__changed(timeline);
}

// The events that follow from the input with which a new line begins have happened.
static void settle(kifu_timeline *timeline)
{
    if (timeline->open || timeline->consequences.count || timeline->core.phase != KIFU__IDLE)
        return;
    kifu__lines *lines = kifu__lines_of(timeline);
    timeline->settle_line = NULL;
    if (timeline->redo.count || lines->current + 1 != lines->count)
        return;                                                    // It was undone, or left, before it was all there.
    if (timeline->executed == lines->items[lines->current].from) { // The event failed.
        enter_instead(timeline, lines, lines->before_last);
        return;
    }
    for (uint32_t id = 0; id + 1 < lines->count; id++) {
        if (goes_on_so(timeline, lines, id)) {
            enter_instead(timeline, lines, id);
            return;
        }
    }
}

void kifu__line_begun(kifu_timeline *timeline)
{
    timeline->settle_line = settle;
}

// --- The part --------------------------------------------------------------------------------------------------------

void kifu__line_free(kifu_timeline *timeline, kifu__line *line)
{
    kifu__log_tail_free(&timeline->log, &line->tail);
    kifu__redo_free(&line->redo, &timeline->memory);
    kifu__free(&timeline->memory, line->hashes);
    line->hashes = NULL;
    line->hash_count = 0;
}

static void freed(kifu_timeline *timeline, kifu__part *part)
{
    kifu__lines *lines = (kifu__lines *)(void *)part;
    for (uint32_t i = 0; i < lines->count; i++)
        kifu__line_free(timeline, &lines->items[i]);
    kifu__free(&timeline->memory, lines->items);
    kifu__free(&timeline->memory, lines->listed);
}

static const kifu__part_table table = {
    .size = sizeof(kifu__lines), .order = KIFU__LINES, .forgets = kifu__lines_forget, .freed = freed};

kifu_result kifu__lines_begin(kifu_timeline *timeline)
{
    kifu__lines *lines = (kifu__lines *)(void *)kifu__attach(timeline, &table);
    if (!lines || (!lines->count && !add_line(timeline, lines)))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for variations");
    lines->items[0].from = timeline->log.begin;
    lines->tip = KIFU_NONE;
    timeline->branch = branch;
    return KIFU_OK;
}
