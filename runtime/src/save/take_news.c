// What can fail is done first, and beside what is there: the events are added to the log behind those that stay, and
// executed on a copy of the state. Then the state goes back to the last event that both have in common, and forward.

#include "save/read_news.h"

#include <inttypes.h>

#include "core/go.h"
#include "save/saved.h"

typedef struct taking {
    kifu_timeline *timeline;
    const kifu__news *news;
    uint32_t common;               // So many of the executed events stay.
    uint32_t executed;             // So many were executed before.
    unsigned how;                  // How the state goes there.
    kifu__standing waited;         // What waited before,
    kifu__log_tail tail;           // the events that are replaced,
    kifu__checkpoint *checkpoints; // and the hashes along the log.
    uint32_t checkpoint_count, checkpoint_capacity;
    uint32_t hashes; // So many of them stay.
} taking;

static kifu_result no_memory(kifu_timeline *timeline)
{
    return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a game's news; nothing was changed");
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// --- The log ---------------------------------------------------------------------------------------------------------

static kifu_result append(kifu__log *log, const kifu__segment *segment, uint32_t slot, kifu__blob *blob)
{
    const void *table;
    const kifu_result result = kifu__blob_of(log->rules, segment, slot, blob);
    if (result)
        return result;
    return kifu__log_append(log, segment->types[slot], blob->bytes, blob->size, segment->marks[slot], &table);
}

// The events of earlier rules, from `slot` on, stay in a segment of their own.
static kifu_result adopt(kifu__log *log, const kifu__segment *segment, uint32_t slot, kifu__blob *blob)
{
    kifu__segment copy;
    kifu_result result =
        kifu__segment_new(&log->memory, log->rules, segment->rules_version, segment->count - slot, 0, &copy);
    if (result)
        return result;
    for (; slot < segment->count && !result; slot++) {
        result = kifu__blob_of(log->rules, segment, slot, blob);
        if (!result)
            result = kifu__segment_add(&copy, &log->memory, log->rules, segment->types[slot], blob->bytes, blob->size,
                                       segment->marks[slot], INT32_MAX);
    }
    if (!result)
        result = kifu__log_adopt(log, &copy);
    if (result)
        kifu__segment_free(&copy, &log->memory);
    return result;
}

// With memory from the budget.
static kifu_result append_all(const taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    const kifu__log *from = &taking->news->stage->log;
    kifu__blob blob = {.memory = &taking->news->memory};
    timeline->log.memory = taking->news->memory;
    kifu_result result = KIFU_OK;
    for (uint32_t event = taking->news->same; event < from->event_count && !result;) {
        const kifu__segment *segment = kifu__log_segment_of(from, event);
        const bool today = segment->rules_version == timeline->rules->rules_version;
        const uint32_t slot = event - segment->first;
        result = today ? append(&timeline->log, segment, slot, &blob) : adopt(&timeline->log, segment, slot, &blob);
        event = today ? event + 1 : segment->first + segment->count;
    }
    kifu__free(blob.memory, blob.bytes);
    timeline->log.memory = timeline->memory;
    if (result)
        kifu__error(&timeline->error, result, "%s for the events of a game's news; nothing was changed",
                    kifu_result_text(result));
    return result;
}

// --- Beside the state ------------------------------------------------------------------------------------------------

static kifu_result diverged(const taking *taking, uint32_t from, uint32_t to)
{
    const uint32_t last = to ? to - 1 : 0;
    return kifu__error_of_event(&taking->timeline->error, KIFU_DIVERGED, to ? last : KIFU_NONE,
                                "one of the events %" PRIu32 " to %" PRIu32
                                " in the news leads to another state here; nothing was changed. See "
                                "runtime/docs/troubleshooting.md, \"When a game diverges\"",
                                from < last ? from : last, last);
}

// Executes the new events on `state`, which is that after `from` events, and compares it with the hashes in the news.
static kifu_result compare(const taking *taking, unsigned char *state, uint32_t from)
{
    const kifu_timeline *stage = taking->news->stage;
    const uint32_t size = stage->rules->state_size;
    uint32_t agreed = from;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i <= stage->checkpoint_count && !result; i++) {
        const bool last = i == stage->checkpoint_count || stage->checkpoints[i].event_count >= stage->executed;
        const uint32_t to = last ? stage->executed : stage->checkpoints[i].event_count;
        if (to < from)
            continue;
        result = kifu__replay_into(taking->timeline, state, from, to);
        from = to;
        if (!result && kifu__hash_state(state, size) != (last ? taking->news->hash : stage->checkpoints[i].hash))
            result = diverged(taking, agreed, to);
        agreed = to;
        if (last)
            break;
    }
    return result;
}

// A model outside the state cannot be executed beside it.
static kifu_result try_beside(const taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    if (timeline->options.reset)
        return KIFU_OK;
    unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
    if (!state)
        return no_memory(timeline);
    uint32_t from = taking->common;
    if (!kifu__journal_state_at(timeline, from, state))
        from = kifu__nearest_state(timeline, from, state);
    const kifu_result result = compare(taking, state, from);
    kifu__free(&timeline->memory, state);
    return result;
}

// --- There -----------------------------------------------------------------------------------------------------------

// One event that is new here, as a film shows it. A fault is the view's.
static kifu_result show_next(kifu_timeline *timeline, kifu_error *fault)
{
    const uint32_t event = timeline->executed;
    timeline->core.player = kifu__log_mark(&timeline->log, event)->player;
    const kifu_result result = kifu__go(timeline, event + 1, KIFU__TOLD);
    if (result)
        return result;
    kifu__show(timeline, kifu__log_type(&timeline->log, event), kifu__log_table(&timeline->log, event));
    if (kifu__hears(timeline, ran))
        timeline->tell->ran(timeline, event, "Act", "");
    if (kifu__take_fault(timeline) && !fault->result)
        *fault = timeline->error;
    return KIFU_OK;
}

// Back to what both have in common, then by what was undone here, then by what is new.
static kifu_result go(const taking *taking, kifu_error *fault)
{
    kifu_timeline *timeline = taking->timeline;
    const uint32_t end = taking->news->stage->executed;
    const uint32_t known = taking->news->whole ? end : least(end, taking->news->same);
    const bool moves = timeline->executed != known;
    kifu_result result = KIFU_OK;
    if (timeline->executed > taking->common)
        result = kifu__go(timeline, taking->common, taking->how);
    if (!result && timeline->executed < known)
        result = kifu__go(timeline, known, taking->how);
    if (!result && taking->news->whole)
        kifu__moved(timeline, KIFU__JUMPED);
    if (!result && (moves || taking->news->whole) && kifu__show_anew(timeline, KIFU_OK))
        *fault = timeline->error;
    while (!result && timeline->executed < end)
        result = show_next(timeline, fault);
    if (!result && kifu_state_hash(timeline) != taking->news->hash)
        result = diverged(taking, taking->common, end);
    return result;
}

// What waits in the news waits in the parts.
static bool take_parts(const taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    if (kifu__hears(timeline, returns))
        (void)timeline->tell->give_back(timeline, NULL);
    return kifu__parts_copy(taking->news->stage, timeline);
}

// --- As it was -------------------------------------------------------------------------------------------------------

static void bring_back_log(taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    kifu__log_bring_back(&timeline->log, taking->news->same, &taking->tail);
}

// After it was gone there, or a part of the way.
static void return_back(taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    const kifu_error error = timeline->error;
    kifu_result result = KIFU_OK;
    if (timeline->executed > taking->common)
        result = kifu__go(timeline, taking->common, taking->how);
    kifu__drop_records(timeline, taking->news->same);
    kifu__free(&timeline->memory, timeline->checkpoints);
    timeline->checkpoints = taking->checkpoints;
    timeline->checkpoint_count = taking->checkpoint_count;
    timeline->checkpoint_capacity = taking->checkpoint_capacity;
    taking->checkpoints = NULL;
    bring_back_log(taking);
    kifu__find_due(timeline);
    if (!result && timeline->executed < taking->executed)
        result = kifu__go(timeline, taking->executed, taking->how);
    if (taking->news->whole)
        kifu__moved(timeline, KIFU__JUMPED);
    (void)kifu__show_anew(timeline, result);
    timeline->error = error;
}

// --- All of it -------------------------------------------------------------------------------------------------------

// The hashes up to where the news begin, and those in the news, in place of all.
static bool take_hashes(taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    const kifu_timeline *stage = taking->news->stage;
    uint32_t capacity = 0;
    taking->hashes = kifu__checkpoints_up_to(timeline, taking->common);
    const uint64_t count = (uint64_t)taking->hashes + stage->checkpoint_count + 1;
    kifu__checkpoint *made = (kifu__checkpoint *)kifu__grow(&timeline->memory, NULL, &capacity, count, sizeof *made);
    if (!made)
        return false;
    taking->checkpoints = timeline->checkpoints;
    taking->checkpoint_count = timeline->checkpoint_count;
    taking->checkpoint_capacity = timeline->checkpoint_capacity;
    kifu__drop_records(timeline, taking->news->same);
    if (taking->hashes) // else there may be none to copy from
        memcpy(made, timeline->checkpoints, taking->hashes * sizeof *made);
    timeline->checkpoints = made;
    timeline->checkpoint_count = taking->hashes;
    timeline->checkpoint_capacity = capacity;
    return true;
}

// On the way, some may have been recorded that the other timeline does not have. Of the news, those count with which a
// state was compared: of events before them the timeline has its own, and those behind are recorded by redo.
static void end_hashes(const taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    const kifu_timeline *stage = taking->news->stage;
    const uint32_t first = kifu__checkpoints_up_to(stage, taking->common);
    const uint32_t count = kifu__checkpoints_up_to(stage, stage->executed) - first;
    timeline->checkpoint_count = taking->hashes + count;
    if (count)
        memcpy(timeline->checkpoints + taking->hashes, stage->checkpoints + first, count * sizeof *stage->checkpoints);
}

// What parts have in saves: lines, notes.
static void adopt_parts(const taking *taking)
{
    for (kifu__part *part = taking->timeline->parts; part; part = part->next) {
        if (part->table->saved && part->table->saved->adopt)
            part->table->saved->adopt(taking->timeline, part, taking->news);
    }
}

// Nothing fails any more.
static void take_rest(taking *taking)
{
    kifu_timeline *timeline = taking->timeline, *stage = taking->news->stage;
    const kifu__queue consequences = timeline->consequences, inputs = timeline->inputs;
    kifu__kept *const kept = timeline->kept;
    timeline->consequences = stage->consequences;
    timeline->inputs = stage->inputs;
    timeline->kept = stage->kept;
    stage->consequences = consequences;
    stage->inputs = inputs;
    stage->kept = kept;
    timeline->last_ticket = stage->last_ticket;
    timeline->delay = 0;
    end_hashes(taking);
    adopt_parts(taking);
    kifu__find_due(timeline);
    kifu__find_input(timeline);
    kifu__changed(timeline);
    if (kifu__hears(timeline, dropped))
        timeline->tell->dropped(timeline, 0);
}

static kifu_result take(taking *taking, kifu_error *fault)
{
    kifu_timeline *timeline = taking->timeline;
    kifu_result result = append_all(taking);
    if (!result)
        result = try_beside(taking);
    if (!result && !take_parts(taking))
        result = no_memory(timeline);
    if (!result && !take_hashes(taking))
        result = no_memory(timeline);
    if (result) {
        bring_back_log(taking);
        kifu__bring_back(timeline, &taking->waited);
        return result;
    }
    if (kifu__hears(timeline, called))
        timeline->tell->called(timeline, KIFU__CALL_OTHER, NULL, 0);
    result = go(taking, fault);
    if (!result) {
        take_rest(taking);
        return KIFU_OK;
    }
    return_back(taking);
    kifu__bring_back(timeline, &taking->waited);
    return result;
}

kifu_result kifu__take_news(kifu_timeline *timeline, const kifu__news *news)
{
    taking taking = {
        .timeline = timeline,
        .news = news,
        .common = least(least(timeline->executed, news->stage->executed), news->same),
        .executed = timeline->executed,
        .how = news->whole ? KIFU__SILENT : KIFU__TOLD,
    };
    kifu_error fault = {.result = KIFU_OK};
    kifu_result result = KIFU_OK;
    kifu__tell_notes(timeline, settle(timeline));
    if (!kifu__keep(timeline, &taking.waited) || !kifu__log_set_aside(&timeline->log, news->same, &taking.tail))
        result = no_memory(timeline);
    else
        result = take(&taking, &fault);
    if (result) // The events are there again.
        kifu__tell_notes(timeline, ignore(timeline));
    kifu__log_tail_free(&timeline->log, &taking.tail);
    kifu__standing_free(&taking.waited, &timeline->memory);
    kifu__free(&timeline->memory, taking.checkpoints);
    if (result || !fault.result)
        return result;
    timeline->error = fault;
    return fault.result;
}
