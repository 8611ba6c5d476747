// The tree is drawn, and its stretches are executed depth first. Where lines part, the state is copied for all that
// follow but the last. So the copies are as many as lines are nested.

#include "history/verify_lines.h"

#include "base/scribble.h"
#include "core/go.h"

// --- Views -----------------------------------------------------------------------------------------------------------

static bool add_segment(const kifu__others *others, kifu__view *view, kifu__segment segment, uint32_t from,
                        uint32_t end)
{
    kifu__segment *last = view->segment_count ? &view->segments[view->segment_count - 1] : NULL;
    if (segment.first + segment.count <= from)
        return true;
    if (segment.first + segment.count > end)
        segment.count = end - segment.first;
    if (last && last->first == segment.first) { // Several lines go on in it.
        *last = segment;
        return true;
    }
    kifu__segment *grown =
        (kifu__segment *)kifu__grow(&others->timeline->memory, view->segments, &view->segment_capacity,
                                    (uint64_t)view->segment_count + 1, sizeof *grown);
    if (!grown)
        return false;
    view->segments = grown;
    grown[view->segment_count++] = segment;
    return true;
}

static bool add_hash(const kifu__others *others, kifu__view *view, const kifu__checkpoint *hash)
{
    kifu__checkpoint *grown = (kifu__checkpoint *)kifu__grow(
        &others->timeline->memory, view->hashes, &view->hash_capacity, (uint64_t)view->hash_count + 1, sizeof *grown);
    if (!grown)
        return false;
    view->hashes = grown;
    grown[view->hash_count++] = *hash;
    return true;
}

// The first segment, or hash, that ends behind event `from`.
static uint32_t find_segment(const kifu__segment *segments, uint32_t count, uint32_t from)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (segments[middle].first + segments[middle].count > from)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint32_t find_hash(const kifu__checkpoint *hashes, uint32_t count, uint32_t from)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (hashes[middle].event_count > from)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// Adds the events from number `from` to `end` - 1 that these have, and the hashes behind each. False without memory.
static bool add(const kifu__others *others, kifu__view *view, const kifu__segment *segments, uint32_t segment_count,
                const kifu__checkpoint *hashes, uint32_t hash_count, uint32_t from, uint32_t end)
{
    bool good = true;
    for (uint32_t i = find_segment(segments, segment_count, from); i < segment_count && segments[i].first < end && good;
         i++)
        good = add_segment(others, view, segments[i], from, end);
    for (uint32_t i = find_hash(hashes, hash_count, from); i < hash_count && hashes[i].event_count <= end && good; i++)
        good = add_hash(others, view, &hashes[i]);
    return good;
}

static bool add_logged(const kifu__others *others, kifu__view *view, uint32_t from, uint32_t end)
{
    const kifu_timeline *timeline = others->timeline;
    return add(others, view, timeline->log.segments, timeline->log.segment_count, timeline->checkpoints,
               timeline->checkpoint_count, from, end);
}

// The same of a line's own events.
static bool add_events(const kifu__others *others, kifu__view *view, uint32_t id, uint32_t from, uint32_t end)
{
    const kifu__line *line = &others->lines->items[id];
    const uint32_t split = !line->split || line->at > end ? end : line->at < from ? from : line->at;
    kifu__segment shared = line->shared;
    shared.count = shared.bytes ? line->tail.last_count : 0;
    if (from < split && !add_logged(others, view, from, split))
        return false;
    if (split == end)
        return true;
    const bool known = !line->unchecked || line->comparable; // Else another version of the game found the hashes.
    if (!add_segment(others, view, shared, split, end) ||
        !add(others, view, line->tail.segments, line->tail.segment_count, line->hashes, known ? line->hash_count : 0,
             split, end))
        return false;
    const kifu__checkpoint tip = {.event_count = end, .hash = line->tip_hash};
    const bool at_tip = known && line->tip_hash && end == line->tail.event_count;
    const bool is_there = view->hash_count && view->hashes[view->hash_count - 1].event_count == end;
    return !at_tip || is_there || add_hash(others, view, &tip);
}

// The whole way to the end of a line.
static bool add_way(const kifu__others *others, kifu__view *view, uint32_t id)
{
    const kifu__line *items = others->lines->items;
    uint32_t from = others->timeline->log.begin;
    bool good = true;
    for (uint32_t at = others->lines->listed[0]; good; from = items[at].from) {
        uint32_t next = id;
        while (next != at && items[next].parent != at)
            next = items[next].parent;
        if (next == at)
            return add_events(others, view, id, from, kifu__line_end(others->timeline, &items[id]));
        good = add_events(others, view, at, from, items[next].from);
        at = next;
    }
    return false;
}

static void show(kifu_timeline *timeline, const kifu__view *view)
{
    const kifu__segment *last = view->segment_count ? &view->segments[view->segment_count - 1] : NULL;
    timeline->log.segments = view->segments;
    timeline->log.segment_count = view->segment_count;
    timeline->log.event_count = last ? last->first + last->count : timeline->log.begin;
    timeline->log.open = NULL;
    timeline->executed = timeline->log.event_count;
}

// --- Executing -------------------------------------------------------------------------------------------------------

static bool fail(kifu__others *others, kifu_result result, uint32_t line, uint32_t count, bool failed)
{
    others->result = result;
    others->line = line;
    others->count = count;
    others->failed = failed;
    return false;
}

static bool execute(kifu__others *others, uint32_t line, unsigned char *state, uint32_t from, uint32_t to)
{
    const kifu_result result = kifu__replay_into(others->timeline, state, from, to);
    others->untold += to - from;
    if (result == KIFU_NO_MEMORY)
        return fail(others, result, line, from, false);
    return !result || fail(others, KIFU_DIVERGED, line, others->timeline->error.event + 1, true);
}

// What no hash vouches for is executed a second time, with other leftovers on the stack.
static bool execute_again(kifu__others *others, uint32_t line, uint32_t from, uint32_t to)
{
    if (from == to)
        return true;
    kifu__scribble(0xa5);
    if (!execute(others, line, others->good, from, to))
        return false;
    return !memcmp(others->good, others->now, others->timeline->rules->state_size) ||
           fail(others, KIFU_DIVERGED, line, to, false);
}

// The events of the view, with `now`.
static bool run_view(kifu__others *others, uint32_t line, uint32_t from, uint32_t end)
{
    const size_t size = others->timeline->rules->state_size;
    uint32_t good_at = from;
    memcpy(others->good, others->now, size);
    kifu__scribble(0x5a);
    for (uint32_t i = 0; i < others->view.hash_count; i++) {
        const kifu__checkpoint *hash = &others->view.hashes[i];
        if (!execute(others, line, others->now, good_at, hash->event_count))
            return false;
        good_at = hash->event_count;
        if (kifu__hash_state(others->now, (uint32_t)size) != hash->hash)
            return fail(others, KIFU_DIVERGED, line, good_at, false);
        memcpy(others->good, others->now, size);
    }
    return execute(others, line, others->now, good_at, end) && execute_again(others, line, good_at, end);
}

static bool run_stretch(kifu__others *others, uint32_t place, uint32_t from)
{
    enum { TELL_AFTER = 16384 };
    kifu_timeline *timeline = others->timeline;
    const kifu_stretch *stretch = &others->stretches[place];
    const uint32_t end = stretch->from + stretch->count;
    others->view.hash_count = 0;
    if (!add_events(others, &others->view, stretch->line, from, end))
        return fail(others, KIFU_NO_MEMORY, stretch->line, from, false);
    const kifu__log log = timeline->log;
    const uint32_t executed = timeline->executed;
    show(timeline, &others->view);
    const bool good = run_view(others, stretch->line, from, end);
    timeline->log = log;
    timeline->executed = executed;
    if (!good || others->untold < TELL_AFTER)
        return good;
    others->untold = 0;
    const kifu_result told = kifu__tick(timeline, others->viewed, executed);
    return !told || fail(others, told, stretch->line, end, false);
}

// `now` is where lines part: the others follow later.
static bool wait(kifu__others *others, uint32_t first)
{
    kifu_timeline *timeline = others->timeline;
    const size_t size = kifu__state_room(timeline->rules);
    kifu__parting *partings =
        (kifu__parting *)kifu__grow(&timeline->memory, others->partings, &others->parting_capacity,
                                    (uint64_t)others->parting_count + 1, sizeof *partings);
    if (!partings)
        return false;
    others->partings = partings;
    kifu__parting *made = &partings[others->parting_count];
    if (others->parting_count == others->parting_made) {
        made->state = (unsigned char *)kifu__new(&timeline->memory, size);
        if (!made->state)
            return false;
        others->parting_made++;
    }
    memcpy(made->state, others->now, timeline->rules->state_size);
    made->way = others->view.segment_count;
    made->first = first;
    made->next = others->stretches[first].next;
    others->parting_count++;
    return true;
}

// The next stretch to be executed, with `now` before it; KIFU_NONE: there is none.
static uint32_t next_stretch(kifu__others *others)
{
    if (!others->parting_count)
        return KIFU_NONE;
    kifu__parting *last = &others->partings[others->parting_count - 1];
    const uint32_t place = last->next;
    memcpy(others->now, last->state, others->timeline->rules->state_size);
    others->view.segment_count = last->way;
    last->next = others->stretches[place].next == KIFU_NONE ? last->first : others->stretches[place].next;
    others->parting_count -= place == last->first;
    return place;
}

// A stretch from event `from` on, and all that follows it.
static void run_from(kifu__others *others, uint32_t place, uint32_t from, const unsigned char *state)
{
    const uint32_t way = others->view.segment_count;
    memcpy(others->now, state, others->timeline->rules->state_size);
    while (place != KIFU_NONE && !others->result) {
        if (!run_stretch(others, place, from))
            break;
        const uint32_t parts = others->stretches[place].parts;
        if (parts > 1 && !wait(others, place + 1))
            fail(others, KIFU_NO_MEMORY, others->stretches[place].line, from, false);
        place = parts == 1 ? place + 1 : next_stretch(others);
        from = place == KIFU_NONE ? 0 : others->stretches[place].from;
    }
    others->view.segment_count = way;
}

// --- Beside the current line -----------------------------------------------------------------------------------------

// The current line is executed up to the end of this stretch, or within it to its own end.
static void enter(kifu__others *others, uint32_t place)
{
    const kifu_stretch *stretch = &others->stretches[place];
    const uint32_t end = stretch->from + stretch->count;
    others->at = place;
    others->fork = stretch->parts && end <= others->timeline->executed ? end : KIFU_NONE;
}

static void run_others(kifu__others *others, uint32_t count, const unsigned char *state)
{
    uint32_t next = others->at, along = KIFU_NONE;
    if (others->fork != count) // What redo would bring back.
        run_from(others, next, count, state);
    else
        next = next + 1;
    for (; others->fork == count && next != KIFU_NONE; next = others->stretches[next].next) {
        const kifu_stretch *follows = &others->stretches[next];
        if (follows->current && follows->from < others->timeline->executed)
            along = next;
        else if (!others->result)
            run_from(others, next, follows->from, state);
    }
    others->fork = KIFU_NONE;
    if (along != KIFU_NONE)
        enter(others, along);
}

static void run(kifu__others *others, uint32_t count, const unsigned char *state)
{
    const kifu_stretch *at = others->stretches ? &others->stretches[others->at] : NULL;
    if (!at || (count != others->fork && count >= at->from + at->count))
        return;
    if (others->result)
        others->fork = KIFU_NONE; // It need not stop any more.
    else if (add_logged(others, &others->view, others->viewed, count)) {
        others->viewed = count;
        run_others(others, count, state);
    } else
        fail(others, KIFU_NO_MEMORY, at->line, count, false);
}

static kifu_result begin(kifu__others *others)
{
    kifu_timeline *timeline = others->timeline;
    const size_t size = kifu__state_room(timeline->rules);
    const uint32_t room = 2 * others->lines->listed_count;
    uint32_t count;
    others->fork = KIFU_NONE;
    others->viewed = timeline->log.begin;
    others->now = (unsigned char *)kifu__new(&timeline->memory, 2 * size);
    others->stretches = (kifu_stretch *)kifu__new(&timeline->memory, room * sizeof *others->stretches);
    if (!others->now || !others->stretches)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for executing the lines again");
    others->good = others->now + size;
    const kifu_result result = kifu__lines_draw(timeline, others->lines, others->stretches, &count, &timeline->error);
    if (!result)
        enter(others, 0);
    return result;
}

static void end(kifu__others *others)
{
    const kifu__memory *memory = &others->timeline->memory;
    for (uint32_t i = 0; i < others->parting_made; i++)
        kifu__free(memory, others->partings[i].state);
    kifu__free(memory, others->partings);
    kifu__free(memory, others->view.segments);
    kifu__free(memory, others->view.hashes);
    kifu__free(memory, others->stretches);
    kifu__free(memory, others->now);
}

// --- Another line in its place ---------------------------------------------------------------------------------------

static kifu_result show_wrong(kifu__others *others)
{
    kifu_timeline *timeline = others->timeline;
    others->view.segment_count = others->view.hash_count = 0;
    if (!add_way(others, &others->view, others->line))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for executing line %u again",
                           (unsigned)others->line);
    others->log = timeline->log;
    others->checkpoints = timeline->checkpoints;
    others->checkpoint_count = timeline->checkpoint_count;
    others->keyframe_count = timeline->keyframes.count;
    others->journal = timeline->journal;
    others->executed = timeline->executed;
    show(timeline, &others->view);
    timeline->checkpoints = others->view.hashes;
    timeline->checkpoint_count = others->view.hash_count;
    timeline->keyframes.count = 0;
    timeline->journal = (kifu__journal){.first_event = KIFU_NONE}; // It reaches nothing.
    return KIFU_OK;
}

static void hide(kifu__others *others)
{
    kifu_timeline *timeline = others->timeline;
    timeline->log = others->log;
    timeline->checkpoints = others->checkpoints;
    timeline->checkpoint_count = others->checkpoint_count;
    timeline->keyframes.count = others->keyframe_count;
    timeline->journal = others->journal;
    timeline->executed = others->executed;
}

const kifu__others_calls kifu__verify_lines = {begin, end, run, show_wrong, hide};
