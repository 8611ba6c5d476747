// The frames of a save. What a file says so far is compared with what there is, and the difference becomes frames; a
// snapshot behind them says that they belong together, since recovery uses nothing behind the last one.
//
// Where events are gone: a rewind to before them, and a segment, perhaps an empty one, that takes their place. What
// waits elsewhere: the file stands there, says it, and goes on to the next place. So nothing in a file is ever changed
// in place.

#include "save/writer.h"

#include <stddef.h>

#include "history/seek.h"
#include "save/packing.h"
#include "save/regroup.h"
#include "save/saved.h"
#include "save/waiting.h"
#include "wire/buffer.h"

// The most checkpoints of one frame: one MiB.
enum { MOST_CHECKPOINTS = 65536 };

// --- A plan ----------------------------------------------------------------------------------------------------------

void kifu__plan_fail(kifu__plan *plan, kifu_result result)
{
    if (result && !plan->result)
        plan->result = kifu__error(&plan->timeline->error, result,
                                   "%s while a save was put together; nothing was written", kifu_result_text(result));
}

void kifu__plan_add(kifu__plan *plan, uint32_t kind, unsigned char *payload, uint32_t size, bool owned)
{
    const kifu__memory *memory = &plan->timeline->memory;
    kifu__piece *pieces =
        (kifu__piece *)kifu__grow(memory, plan->pieces, &plan->capacity, (uint64_t)plan->count + 1, sizeof *pieces);
    if (pieces) {
        plan->pieces = pieces;
        pieces[plan->count++] = (kifu__piece){.kind = kind, .size = size, .payload = payload, .owned = owned};
        plan->size += kifu__frame_size(size);
        return;
    }
    if (owned)
        kifu__free(memory, payload);
    kifu__plan_fail(plan, KIFU_NO_MEMORY);
}

kifu_result kifu__plan_write(kifu__plan *plan, kifu__sink *sink, bool new_file)
{
    const uint32_t version = plan->version ? plan->version : KIFU__PLAIN_VERSION;
    kifu_result result = new_file ? kifu__write_file_header(sink, version) : KIFU_OK;
    sink->chain = plan->chain;
    for (uint32_t i = 0; i < plan->count && !result; i++) {
        const kifu__piece *piece = &plan->pieces[i];
        kifu__put_link(sink, piece->kind, piece->payload);
        result = kifu__write_frame(sink, piece->kind, piece->payload, piece->size);
    }
    plan->chain = sink->chain;
    return result ? result : kifu__flush(sink);
}

void kifu__plan_drop(kifu__plan *plan)
{
    const kifu__memory *memory = &plan->timeline->memory;
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].owned)
            kifu__free(memory, plan->pieces[i].payload);
    }
    kifu__free(memory, plan->pieces);
}

// --- Payloads --------------------------------------------------------------------------------------------------------

kifu__blob kifu__payload_begin(const kifu__plan *plan, const kifu__table *table, const void *fields)
{
    kifu__blob payload = {.memory = &plan->timeline->memory, .link = KIFU__LINK_SIZE};
    kifu__build_root(&payload, NULL, table, fields, table->size);
    return payload;
}

bool kifu__payload_end(kifu__plan *plan, const kifu__table *table, kifu__blob *payload)
{
    const kifu_result result = kifu__build_end(payload, NULL, table);
    if (result)
        kifu__free(payload->memory, payload->bytes);
    kifu__plan_fail(plan, result);
    return !result;
}

static void add_payload(kifu__plan *plan, uint32_t kind, const kifu__table *table, kifu__blob *payload)
{
    if (kifu__payload_end(plan, table, payload))
        kifu__plan_add(plan, kind, payload->bytes, payload->size, true);
}

// Bytes start 8-aligned: what they hold (the .bfbs is a FlatBuffer) can be used in place. NULL: the field is absent.
static void add_bytes(kifu__blob *payload, size_t ref, const void *bytes, uint32_t size)
{
    if (bytes)
        kifu__build_vector(payload, (uint32_t)ref, bytes, size, size, 8);
}

static void add_strings(kifu__blob *payload, size_t ref, const char *const *texts, uint32_t count)
{
    if (!texts)
        return;
    const uint32_t first = kifu__build_vector(payload, (uint32_t)ref, NULL, count, (uint64_t)count * 4, 4);
    for (uint32_t i = 0; i < count && !payload->result; i++)
        kifu__build_string(payload, first + 4 * i, texts[i] ? texts[i] : "");
}

void kifu__plan_header(kifu__plan *plan, const kifu_save_options *options, int64_t saved_at)
{
    const kifu_rules *rules = plan->timeline->rules;
    const kifu__save_header header = {
        .fingerprint = rules->fingerprint,
        .saved_at = saved_at,
        .rules_version = rules->rules_version,
        .event_count = kifu_event_count(plan->timeline),
    };
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_header_table, &header);
    kifu__build_string(&payload, offsetof(kifu__save_header, game), rules->name);
    kifu__build_string(&payload, offsetof(kifu__save_header, union_name), rules->union_name);
    kifu__build_string(&payload, offsetof(kifu__save_header, title), options->title);
    add_strings(&payload, offsetof(kifu__save_header, players), options->players, options->player_count);
    add_bytes(&payload, offsetof(kifu__save_header, thumbnail), options->thumbnail, options->thumbnail_size);
    if (!options->without_schema && !options->codec)
        add_bytes(&payload, offsetof(kifu__save_header, schema), rules->bfbs, rules->bfbs_size);
    add_payload(plan, KIFU__FRAME_HEADER, &kifu__save_header_table, &payload);
    // Where it can be packed; the header cannot.
    if (!options->without_schema && options->codec)
        kifu__plan_add(plan, KIFU__FRAME_SCHEMA, (unsigned char *)(uintptr_t)rules->bfbs, rules->bfbs_size, false);
}

// --- What happened ---------------------------------------------------------------------------------------------------

static void add_copy(kifu__plan *plan, const kifu__segment *segment, uint32_t slot)
{
    kifu__segment copy;
    kifu_result result = kifu__copy_events(&plan->timeline->log, segment, slot, &copy);
    if (result)
        kifu__plan_fail(plan, result);
    else
        kifu__plan_add(plan, KIFU__FRAME_SEGMENT, copy.bytes, copy.size, true);
}

// The events from number `first` on. Where there are none, an empty segment: they are gone that the file has there.
// What is appended needs no room for more; a new file has the segments as they are in memory, but for one of which
// events are gone or belong to another line.
static void add_events(kifu__plan *plan, uint32_t first, bool new_file)
{
    kifu__branch *path = kifu__plan_path(plan);
    static const kifu__segment none = {.count = 0};
    kifu__log_show(&plan->timeline->log);
    if (first == path->end)
        add_copy(plan, &none, 0);
    for (uint32_t event = first, end; event < path->end && !plan->result; event = end) {
        kifu__segment segment = *kifu__path_segment(path, event, &end);
        segment.count = end - segment.first;
        const uint32_t slot = event - segment.first;
        if (new_file && !slot && segment.count == segment.offsets[-1]) // the vector's length
            kifu__plan_add(plan, KIFU__FRAME_SEGMENT, segment.bytes, segment.size, false);
        else
            add_copy(plan, &segment, slot);
    }
}

// From `*next` on, which is moved behind them.
static void add_checkpoints_frame(kifu__plan *plan, const kifu__checkpoint **next, uint32_t count)
{
    const kifu__save_checkpoints fields = {0};
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_checkpoints_table, &fields);
    const uint32_t first = kifu__build_vector(&payload, offsetof(kifu__save_checkpoints, checkpoints), NULL, count,
                                              (uint64_t)count * sizeof(kifu__save_checkpoint), 8);
    for (uint32_t i = 0; i < count; i++) {
        kifu__save_checkpoint *saved =
            payload.result ? NULL : (kifu__save_checkpoint *)kifu__built(&payload, first) + i;
        if (saved)
            *saved = (kifu__save_checkpoint){.hash = (*next)->hash, .event_count = (*next)->event_count};
        *next = kifu__next_checkpoint(kifu__plan_path(plan), (*next)->event_count);
    }
    add_payload(plan, KIFU__FRAME_CHECKPOINTS, &kifu__save_checkpoints_table, &payload);
}

// Those of more than `events` events, of what redo can bring back as well.
static void add_checkpoints(kifu__plan *plan, uint32_t events)
{
    const kifu__checkpoint *next = kifu__next_checkpoint(kifu__plan_path(plan), events);
    uint32_t count = kifu__count_checkpoints(kifu__plan_path(plan), events);
    for (; count; count -= count < MOST_CHECKPOINTS ? count : MOST_CHECKPOINTS)
        add_checkpoints_frame(plan, &next, count < MOST_CHECKPOINTS ? count : MOST_CHECKPOINTS);
}

// --- What changed ----------------------------------------------------------------------------------------------------

static void nothing_waits(kifu__written *written)
{
    written->consequences = written->inputs = (kifu__queued){0};
    written->actions.bytes = NULL;
}

static void rewind_to(kifu__plan *plan, kifu__written *written, uint32_t count)
{
    const kifu__save_rewind rewind = {.count = count};
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_rewind_table, &rewind);
    written->executed = count;
    nothing_waits(written);
    add_payload(plan, KIFU__FRAME_REWIND, &kifu__save_rewind_table, &payload);
}

// What waited where the game is, or nothing.
static void plan_kept(kifu__plan *plan, kifu__written *written, const kifu__kept *kept)
{
    kifu__plan_waiting(plan, written, &kept->consequences, &kept->inputs, written->executed);
    kifu__plan_actions(plan, written, kept);
}

void kifu__plan_nothing(kifu__plan *plan, kifu__written *written)
{
    static const kifu__kept nothing = {.next = NULL};
    plan_kept(plan, written, &nothing);
}

// What waits at a place of the path; NULL: nothing does.
static const kifu__kept *find_kept(const kifu__plan *plan, uint32_t place)
{
    const kifu__kept *kept = kifu__kept_along(kifu__plan_path(plan), place, place).kept;
    return kept && kept->executed == place && place >= plan->least ? kept : NULL;
}

void kifu__plan_place(kifu__plan *plan, kifu__written *written, uint32_t count)
{
    const bool keeps = find_kept(plan, written->executed) != NULL;
    if (count == written->executed)
        return;
    if (!keeps)
        kifu__plan_nothing(plan, written);
    rewind_to(plan, written, count);
}

void kifu__plan_kept(kifu__plan *plan, kifu__written *written)
{
    const uint32_t from = plan->timeline->log.keeps_from, least = plan->least > from ? plan->least : from;
    kifu__kept_at at = kifu__kept_along(kifu__plan_path(plan), KIFU_NONE, least);
    for (; at.kept && at.kept->executed >= least && !plan->result; kifu__kept_before(&at)) {
        kifu__plan_place(plan, written, at.kept->executed);
        plan_kept(plan, written, at.kept);
    }
}

uint32_t kifu__plan_log(kifu__plan *plan, kifu__written *written)
{
    const kifu__branch *path = kifu__plan_path(plan);
    const uint32_t first = written->events;
    if (first < written->executed)
        rewind_to(plan, written, first); // What waits there goes with the events.
    add_events(plan, first, !written->begun);
    add_checkpoints(plan, first);
    written->events = written->executed = path->end;
    return first;
}

void kifu__plan_changes(kifu__plan *plan, kifu__written *written)
{
    const kifu_timeline *timeline = plan->timeline;
    const kifu__branch *path = timeline->log.branch;
    if (!written->begun && timeline->log.begin) {
        kifu__plan_root(plan);
        written->events = written->executed = timeline->log.begin;
    }
    const uint32_t executed = kifu_event_count(timeline);
    if (path->end != written->events)
        kifu__plan_log(plan, written);
    kifu__plan_kept(plan, written);
    kifu__plan_place(plan, written, executed);
    kifu__plan_waiting(plan, written, &timeline->consequences, &timeline->inputs, executed);
    kifu__plan_actions(plan, written, NULL);
    written->begun = true;
}

// --- The state, and the end ------------------------------------------------------------------------------------------

// One without a state, as it ends the appends that are no kifu.save.Append: the builder would make it longer.
static const kifu__table bare_snapshot = {
    .name = "kifu.save.Snapshot", .size = 16, .align = 8, .flat = true, .vtable = (const uint16_t[]){8, 16, 4, 8}};

// A model outside the state is not in the state's bytes: nothing could begin from them.
static void add_snapshot(kifu__plan *plan, bool with_state)
{
    const kifu_timeline *timeline = plan->timeline;
    const kifu__save_snapshot snapshot = {
        .event_count = timeline->executed,
        .hash = kifu_state_hash(timeline),
    };
    with_state &= !timeline->options.reset;
    const kifu__table *table = with_state ? &kifu__save_snapshot_table : &bare_snapshot;
    kifu__blob payload = kifu__payload_begin(plan, table, &snapshot);
    if (with_state)
        add_bytes(&payload, offsetof(kifu__save_snapshot, state), timeline->core.state, timeline->rules->state_size);
    add_payload(plan, KIFU__FRAME_SNAPSHOT, table, &payload);
}

void kifu__plan_present(kifu__plan *plan, bool with_state, void (*add)(kifu__plan *plan, bool with_state))
{
    kifu_timeline *timeline = plan->timeline;
    const bool sought = timeline->past.shown;
    const uint32_t shown = timeline->executed;
    if (!plan->result && sought)
        plan->result = kifu__seek_quietly(timeline, KIFU_PRESENT);
    if (!plan->result)
        add(plan, with_state);
    const kifu_error error = timeline->error;
    const kifu_result back = sought ? kifu__seek_quietly(timeline, shown) : KIFU_OK;
    if (plan->result)
        timeline->error = error;
    else
        plan->result = back;
}

void kifu__plan_snapshot(kifu__plan *plan, bool with_state)
{
    kifu__plan_present(plan, with_state, add_snapshot);
}

void kifu__plan_rest(kifu__plan *plan, bool with_state, const kifu_codec *codec)
{
    static const kifu__save_end end = {0};
    kifu__written nothing = {0};
    if (!plan->result)
        plan->result = kifu__require_packing(codec, &plan->timeline->error);
    if (plan->result)
        return;
    kifu__plan_changes(plan, &nothing);
    kifu__plan_snapshot(plan, with_state);
    kifu__plan_parts(plan, KIFU__WHOLE_SAVE);
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_end_table, &end);
    add_payload(plan, KIFU__FRAME_END, &kifu__save_end_table, &payload);
    if (!plan->result && codec)
        kifu__plan_fail(plan, codec->packing->pack(plan, codec));
}
