// Lines, in whole saves: the current one, of which the frames before have all but its place in the tree; the lines on
// the way from it to line 0; then the others, by number. So a reader knows of each from where it branches off.

#include "save/line_frames.h"

#include "core/go.h"
#include "save/waiting.h"

// The state at a line's end is executed anew for its hash, where nobody knows it, unless that takes more events.
enum { MOST_REPLAYED = 4096 };

// --- The end of a line -----------------------------------------------------------------------------------------------

// Adds a segment to a log, with its events up to number `end`. Of two that begin together, whoever looks finds the
// later one, which has more of it.
static void add_segment(kifu__log *log, const kifu__segment *segment, uint32_t end)
{
    if (!segment->count || segment->first >= end)
        return;
    kifu__segment *added = &log->segments[log->segment_count++];
    *added = *segment;
    if (end - segment->first < segment->count)
        added->count = end - segment->first;
}

static void add_tail(kifu__log *log, const kifu__line *line, uint32_t end)
{
    kifu__segment shared = line->shared;
    shared.count = line->tail.last_count; // as it was, with the line's events
    if (shared.first + shared.count > line->at)
        add_segment(log, &shared, end);
    for (uint32_t i = 0; i < line->tail.segment_count; i++)
        add_segment(log, &line->tail.segments[i], end);
}

// The lines from `id` up to the first on the way from the current line to line 0, which is the last. How many they are;
// 0: too many.
static uint32_t way_up(const kifu__lines *lines, uint32_t id, uint32_t way[MOST_REPLAYED])
{
    uint32_t count = 0;
    for (; !lines->items[id].on_way; id = lines->items[id].parent) {
        if (count == MOST_REPLAYED - 1)
            return 0;
        way[count++] = id;
    }
    way[count++] = id;
    return count;
}

// A log of all events up to the end of the line way[0]. NULL segments without memory.
static kifu__log log_of(const kifu_timeline *timeline, const kifu__lines *lines, const uint32_t *way, uint32_t count)
{
    const kifu__log *all = &timeline->log;
    kifu__log log = {.memory = all->memory, .rules = all->rules, .begin = all->begin};
    size_t most = 1 + all->segment_count;
    for (uint32_t i = 0; i < count; i++)
        most += 1 + lines->items[way[i]].tail.segment_count;
    log.segments = (kifu__segment *)kifu__new(&timeline->memory, most * sizeof *log.segments);
    if (!log.segments)
        return log;
    const kifu__line *top = &lines->items[way[count - 1]];
    uint32_t end = count > 1 ? lines->items[way[count - 2]].from : kifu__line_end(timeline, top);
    const uint32_t in_log = top->split && top->at < end ? top->at : end;
    for (uint32_t i = 0; i < all->segment_count; i++)
        add_segment(&log, &all->segments[i], in_log);
    for (uint32_t i = count; i-- > 0;) {
        end = i ? lines->items[way[i - 1]].from : kifu__line_end(timeline, &lines->items[way[0]]);
        if (lines->items[way[i]].split)
            add_tail(&log, &lines->items[way[i]], end);
    }
    log.event_count = end;
    return log;
}

// Executes up to the end of a line, beside the game.
static kifu_result find_hash(kifu_timeline *timeline, const kifu__lines *lines, uint32_t id, uint64_t *hash)
{
    uint32_t way[MOST_REPLAYED];
    const uint32_t count = way_up(lines, id, way), end = kifu__line_end(timeline, &lines->items[id]);
    const uint32_t fork = count > 1 ? lines->items[way[count - 2]].from : end;
    const kifu__line *top = count ? &lines->items[way[count - 1]] : NULL;
    unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
    if (!state)
        return KIFU_NO_MEMORY;
    const uint32_t known = count ? (top->split && top->at < fork ? top->at : fork) : 0;
    const bool near = kifu__journal_state_at(timeline, known, state);
    const uint32_t first = near ? known : kifu__nearest_state(timeline, known, state);
    kifu_result result = KIFU_OK;
    if (count && end - first <= MOST_REPLAYED && timeline->log.segment_count <= MOST_REPLAYED) {
        const kifu__log log = timeline->log;
        const kifu_error error = timeline->error;
        kifu__log other = log_of(timeline, lines, way, count);
        timeline->log = other.segments ? other : log;
        result = other.segments ? kifu__replay_into(timeline, state, first, end) : KIFU_NO_MEMORY;
        timeline->log = log;
        kifu__free(&timeline->memory, other.segments);
        if (!result)
            *hash = kifu__hash_state(state, timeline->rules->state_size);
        else if (result != KIFU_NO_MEMORY) { // Nobody knows it.
            timeline->error = error;
            result = KIFU_OK;
        }
    }
    kifu__free(&timeline->memory, state);
    return result;
}

// Finds the hash of the state at the end of a line that is not the current one, if nobody knows it yet.
static kifu_result know_hash(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    const uint32_t end = kifu__line_end(timeline, line);
    if (line->tip_hash || line->tip_sought || line->unchecked || end == line->at || timeline->options.reset)
        return KIFU_OK;
    const kifu__checkpoint *last = line->hash_count ? &line->hashes[line->hash_count - 1] : NULL;
    if (last && last->event_count == end) {
        line->tip_hash = last->hash;
        return KIFU_OK;
    }
    const kifu_result result = find_hash(timeline, lines, id, &line->tip_hash);
    line->tip_sought = !result;
    return result;
}

// --- Frames ----------------------------------------------------------------------------------------------------------

// Where its frames leave a line that ends after `end` events, unless it was left before that.
static uint32_t last_place(const kifu__line *line, uint32_t end)
{
    for (const kifu__kept *kept = line->kept; kept; kept = kept->next)
        end = kept->executed;
    return end;
}

static void add_line(kifu__plan *plan, const kifu__lines *lines, uint32_t id, uint32_t next)
{
    const kifu_timeline *timeline = plan->timeline;
    const kifu__line *line = &lines->items[id];
    const kifu_rules *rules = timeline->rules;
    const bool known = line->tip_hash && id != lines->current;
    const bool beginning = timeline->settle_line && id + 1 == lines->count;
    const uint32_t end = kifu__line_end(timeline, line), left = line->left < end ? line->left : end;
    const kifu__save_line fields = {
        .id = id,
        .parent = line->parent,
        .from = line->from,
        .count = end - line->from,
        .flags = (id == lines->main ? KIFU__MAIN_LINE : 0U) | (beginning ? KIFU__BEGINNING_LINE : 0U),
        .before = beginning ? lines->before_last : 0,
        .next = next,
        .left = id != lines->current && left > last_place(line, end) ? left : 0,
        .tip_hash = known ? line->tip_hash : 0,
        .fingerprint = !known            ? 0
                       : line->unchecked ? line->fingerprint
                                         : rules->fingerprint,
        .rules_version = !known            ? 0
                         : line->unchecked ? line->rules_version
                                           : rules->rules_version,
    };
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_line_table, &fields);
    if (kifu__payload_end(plan, &kifu__save_line_table, &payload))
        kifu__plan_add(plan, KIFU__FRAME_LINE, payload.bytes, payload.size, true);
}

// The frames of a line that is not the current one: as those of a save, of a timeline that has only its events.
static void add_frames(kifu__plan *plan, const kifu__line *line)
{
    kifu_timeline *timeline = plan->timeline, other = *timeline;
    const uint32_t first = plan->count;
    kifu__written written = {.begun = true, .events = line->at, .executed = line->at};
    other.log =
        (kifu__log){.memory = timeline->memory, .rules = timeline->rules, .event_count = line->tail.event_count};
    other.log.unchanged = KIFU_NONE;
    other.log.segments =
        (kifu__segment *)kifu__new(&timeline->memory, (1 + (size_t)line->tail.segment_count) * sizeof(kifu__segment));
    if (!other.log.segments) {
        kifu__plan_fail(plan, KIFU_NO_MEMORY);
        return;
    }
    add_tail(&other.log, line, other.log.event_count);
    other.checkpoints = line->hashes;
    other.checkpoint_count = line->hash_count;
    plan->timeline = &other;
    if (other.log.event_count > line->at)
        kifu__plan_log(plan, &written);
    kifu__plan_kept(plan, &written, line->kept, 0);
    if (line->left < written.executed)
        kifu__plan_place(plan, &written, line->kept, line->left);
    plan->timeline = timeline;
    if (plan->result)
        timeline->error = other.error;
    kifu__free(&timeline->memory, other.log.segments);
    for (uint32_t i = first; i < plan->count; i++)
        plan->pieces[i].kind += KIFU__OF_LINE;
}

void kifu__plan_line(kifu__plan *plan, kifu__lines *lines, uint32_t id, uint32_t next)
{
    kifu__plan_fail(plan, know_hash(plan->timeline, lines, id));
    if (!plan->result)
        add_line(plan, lines, id, next);
    if (!plan->result)
        add_frames(plan, &lines->items[id]);
}

void kifu__mark_way(kifu__lines *lines, bool on_way)
{
    for (uint32_t id = lines->current; lines->items[id].on_way != on_way; id = lines->items[id].parent)
        lines->items[id].on_way = on_way;
}

void kifu__plan_lines(kifu__plan *plan, kifu__part *part, kifu__saving what)
{
    (void)part;
    kifu__lines *lines = kifu__lines_of(plan->timeline);
    if (!lines) // They could not be kept without memory.
        return;
    if (what == KIFU__LOG_LINES || what == KIFU__LOG_WRITTEN)
        kifu__append_lines(plan, lines, what);
    if (what == KIFU__SOME_NEWS)
        kifu__plan_news_lines(plan, lines);
    if (what != KIFU__WHOLE_SAVE || (lines->count == 1 && !lines->current))
        return;
    kifu__log_show(&plan->timeline->log);
    kifu__mark_way(lines, true);
    add_line(plan, lines, lines->current, lines->count);
    for (uint32_t id = lines->current; lines->items[id].parent != id && !plan->result;) {
        id = lines->items[id].parent;
        kifu__plan_line(plan, lines, id, 0);
    }
    for (uint32_t i = 0; i < lines->listed_count && !plan->result; i++) {
        if (!lines->items[lines->listed[i]].on_way)
            kifu__plan_line(plan, lines, lines->listed[i], 0);
    }
    kifu__mark_way(lines, false);
}
