// Lines, in whole saves: the current one, of which the frames before have all but its place in the tree; the lines on
// the way from it to line 0; then the others, by number. So a reader knows of each from where it branches off.
//
// A save has the hash at a line's end, for which it executes at most 4,096 events of each line, once; without it a
// reader has the hashes along the line. The header says nothing of lines: a save of one line would have other bytes
// than before.

#include "save/line_frames.h"

#include "core/go.h"
#include "save/waiting.h"

// The state at a line's end is executed anew for its hash, where that is unknown, unless that takes more events.
enum { MOST_REPLAYED = 4096 };

// --- The end of a line -----------------------------------------------------------------------------------------------

// Executes up to the end of a line, beside the game.
static kifu_result find_hash(kifu_timeline *timeline, const kifu__line *line, uint64_t *hash)
{
    const uint32_t shared = kifu__common(timeline->log.branch, line->branch), end = kifu__line_end(line);
    const uint32_t known = shared < timeline->executed ? shared : timeline->executed;
    unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
    if (!state)
        return KIFU_NO_MEMORY;
    const bool near = kifu__journal_state_at(timeline, known, state);
    const uint32_t first = near ? known : kifu__nearest_state(timeline, known, state);
    kifu_result result = KIFU_OK;
    if (end - first <= MOST_REPLAYED) {
        const kifu_error error = timeline->error;
        result = kifu__replay_into(timeline, line->branch, state, first, end);
        if (!result)
            *hash = kifu__hash_state(state, timeline->rules->state_size);
        else if (result != KIFU_NO_MEMORY) { // The hash stays unknown.
            timeline->error = error;
            result = KIFU_OK;
        }
    }
    kifu__free(&timeline->memory, state);
    return result;
}

// Finds the hash of the state at the end of a line that is not the current one, if it is unknown.
static kifu_result know_hash(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    const uint32_t end = kifu__line_end(line);
    if (line->tip_hash || line->tip_sought || line->unchecked || timeline->options.reset ||
        end <= kifu__line_at(lines, id))
        return KIFU_OK;
    const kifu__checkpoint *last = end ? kifu__next_checkpoint(line->branch, end - 1) : NULL;
    if (last) {
        line->tip_hash = last->hash;
        return KIFU_OK;
    }
    const kifu_result result = find_hash(timeline, line, &line->tip_hash);
    line->tip_sought = !result;
    return result;
}

// --- Frames ----------------------------------------------------------------------------------------------------------

// Where its frames leave a line, which tell of what waits behind `at`, unless it was left before that.
static uint32_t last_place(const kifu__line *line, uint32_t at)
{
    uint32_t place = kifu__line_end(line);
    for (const kifu__kept *kept = line->branch->kept; kept && kept->executed > at; kept = kept->next)
        place = kept->executed;
    return place;
}

static void add_line(kifu__plan *plan, const kifu__lines *lines, uint32_t id, uint32_t next)
{
    const kifu_timeline *timeline = plan->timeline;
    const kifu__line *line = &lines->items[id];
    const kifu_rules *rules = timeline->rules;
    const uint32_t at = kifu__line_at(lines, id);
    const bool hashed = line->tip_hash || (line->unchecked && kifu__next_checkpoint(line->branch, at));
    const bool known = hashed && id != lines->current && (!line->unchecked || line->fingerprint); // Else of no version.
    const bool beginning = kifu__hears(timeline, settles) && id + 1 == lines->count;
    const uint32_t end = kifu__line_end(line), left = line->left < end ? line->left : end;
    const kifu__save_line fields = {
        .id = id,
        .parent = line->parent,
        .from = line->from,
        .count = end - line->from,
        .flags = (id == lines->main ? KIFU__MAIN_LINE : 0U) | (beginning ? KIFU__BEGINNING_LINE : 0U),
        .before = beginning ? lines->before_last : 0,
        .next = next,
        .left = id != lines->current && left > last_place(line, at) ? left : 0,
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

// The frames of a line that is not the current one: as those of a save, of a game that has only its events.
static void add_frames(kifu__plan *plan, const kifu__lines *lines, uint32_t id)
{
    const kifu__line *line = &lines->items[id];
    const uint32_t at = kifu__line_at(lines, id), first = plan->count;
    kifu__written written = {.begun = true, .events = at, .executed = at};
    plan->path = line->branch;
    plan->least = at + 1;
    if (kifu__line_end(line) > at)
        kifu__plan_log(plan, &written);
    kifu__plan_kept(plan, &written);
    if (line->left < written.executed)
        kifu__plan_place(plan, &written, line->left);
    plan->path = NULL;
    plan->least = 0;
    for (uint32_t i = first; i < plan->count; i++)
        plan->pieces[i].kind += KIFU__OF_LINE;
}

void kifu__plan_line(kifu__plan *plan, kifu__lines *lines, uint32_t id, uint32_t next)
{
    const kifu__line *line = &lines->items[id];
    if (line->unchecked && !line->fingerprint) // Hashes that are of no version compare to nothing.
        line->branch->checkpoint_count = kifu__checkpoints_up_to(line->branch, kifu__line_at(lines, id));
    kifu__plan_fail(plan, know_hash(plan->timeline, lines, id));
    if (!plan->result)
        add_line(plan, lines, id, next);
    if (!plan->result)
        add_frames(plan, lines, id);
}

void kifu__plan_lines(kifu__plan *plan, kifu__part *part, kifu__saving what)
{
    (void)part;
    kifu__lines *lines = kifu__lines_of(plan->timeline);
    if (!lines) // They could not be kept without memory.
        return;
    if (what == KIFU__LOG_LINES || what == KIFU__LOG_APPEND || what == KIFU__LOG_WRITTEN)
        kifu__commit_lines(plan, lines, what);
    if (what != KIFU__WHOLE_SAVE || (lines->count == 1 && !lines->current))
        return;
    kifu__log_show(&plan->timeline->log);
    add_line(plan, lines, lines->current, lines->count);
    for (uint32_t id = lines->current; lines->items[id].parent != id && !plan->result;) {
        id = lines->items[id].parent;
        kifu__plan_line(plan, lines, id, 0);
    }
    for (uint32_t i = 0; i < lines->listed_count && !plan->result; i++) {
        const uint32_t id = lines->listed[i];
        if (!kifu__leads_through(lines->items[lines->current].branch, lines->items[id].branch))
            kifu__plan_line(plan, lines, id, 0);
    }
}
