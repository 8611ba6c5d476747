// A game out of a file as a save again.

#include "tool/game_file.h"

#include <stddef.h>
#include <stdio.h>

#include "save/packing.h"
#include "save/save_tables.h"
#include "save/saved.h"
#include "save/waiting.h"
#include "save/writer.h"

static void add_payload(kifu__plan *plan, uint32_t kind, const kifu__table *table, kifu__blob *payload)
{
    const kifu_result result = kifu__build_end(payload, NULL, table);
    if (!result)
        kifu__plan_add(plan, kind, payload->bytes, payload->size, true);
    else
        kifu__free(payload->memory, payload->bytes);
    kifu__plan_fail(plan, result);
}

static void add_snapshot(kifu__plan *plan, const kifu__game_file *file, const kifu__state_there *at)
{
    const kifu__save_snapshot snapshot = {.event_count = at->events, .hash = at->hash};
    kifu__blob payload = {.memory = &file->timeline->memory, .link = KIFU__LINK_SIZE};
    kifu__build_root(&payload, NULL, &kifu__save_snapshot_table, &snapshot, sizeof snapshot);
    if (at->state)
        kifu__build_vector(&payload, offsetof(kifu__save_snapshot, state), at->state, file->rules->state_size,
                           file->rules->state_size, 8);
    add_payload(plan, KIFU__FRAME_SNAPSHOT, &kifu__save_snapshot_table, &payload);
}

// --- States on the way -----------------------------------------------------------------------------------------------

// To any place, also forward: a rewind does that in a save, too. What is kept at the place is pending there again.
static void move_to(kifu__plan *plan, kifu__written *written, uint32_t count)
{
    const kifu__save_rewind rewind = {.count = count};
    kifu__blob payload = {.memory = &plan->timeline->memory, .link = KIFU__LINK_SIZE};
    if (count == written->executed)
        return;
    kifu__build_root(&payload, NULL, &kifu__save_rewind_table, &rewind, sizeof rewind);
    add_payload(plan, KIFU__FRAME_REWIND, &kifu__save_rewind_table, &payload);
    *written = (kifu__written){.begun = written->begun, .events = written->events, .executed = count};
    const kifu__kept *kept = kifu__kept_along(plan->timeline->log.branch, count, count).kept;
    if (plan->result || !kept || kept->executed != count)
        return;
    kifu__plan_waiting(plan, written, &kept->consequences, &kept->inputs, count);
    kifu__plan_actions(plan, written, kept);
}

// As kifu__plan_changes of a whole game, with the snapshots of a log file behind all that is kept: a reader drops those
// that lie behind a place to which it goes back.
static void plan_with_snapshots(kifu__plan *plan, const kifu__game_file *file)
{
    kifu_timeline *timeline = plan->timeline;
    const uint32_t executed = kifu_event_count(timeline);
    kifu__written written = {.begun = false};
    if (timeline->log.begin) {
        kifu__plan_root(plan);
        written.events = written.executed = timeline->log.begin;
    }
    kifu__plan_log(plan, &written);
    kifu__plan_kept(plan, &written);
    for (uint32_t i = 0; i < file->snapshot_count && !plan->result; i++) {
        move_to(plan, &written, file->snapshots[i].events);
        add_snapshot(plan, file, &file->snapshots[i]);
    }
    move_to(plan, &written, executed);
    kifu__plan_waiting(plan, &written, &timeline->consequences, &timeline->inputs, executed);
    kifu__plan_actions(plan, &written, NULL);
}

// --- A save ----------------------------------------------------------------------------------------------------------

static void add_end(kifu__plan *plan)
{
    static const kifu__save_end end = {0};
    kifu__blob payload = {.memory = &plan->timeline->memory, .link = KIFU__LINK_SIZE};
    kifu__build_root(&payload, NULL, &kifu__save_end_table, &end, sizeof end);
    add_payload(plan, KIFU__FRAME_END, &kifu__save_end_table, &payload);
}

static kifu_result write_to_stdout(void *context, const void *bytes, size_t size, kifu_error *error)
{
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? KIFU_OK
                                                  : kifu__error(error, KIFU_IO, "standard output cannot be written");
}

kifu__plan kifu__plan_game(kifu__game_file *file, const kifu_codec *codec, bool with_schema)
{
    kifu__plan plan = {.timeline = file->timeline};
    kifu__written nothing = {0};
    kifu_save_options options = kifu__options_of(file);
    options.without_schema = !with_schema;
    options.codec = codec;
    kifu__plan_header(&plan, &options, file->saved_at);
    if (file->snapshot_count)
        plan_with_snapshots(&plan, file);
    else
        kifu__plan_changes(&plan, &nothing);
    if (file->has_hash) // It may be known without the state, and perhaps neither is.
        add_snapshot(&plan, file, &(kifu__state_there){kifu_event_count(file->timeline), file->hash, file->state});
    kifu__plan_parts(&plan, KIFU__WHOLE_SAVE);
    add_end(&plan);
    if (!plan.result && codec)
        kifu__plan_fail(&plan, codec->packing->pack(&plan, codec));
    return plan;
}

kifu_result kifu__write_game(kifu__game_file *file, const char *path, const kifu_codec *codec, bool with_schema,
                             kifu_error *error)
{
    kifu_timeline *timeline = file->timeline;
    kifu__plan plan = kifu__plan_game(file, codec, with_schema);
    kifu__sink sink = {.write = write_to_stdout, .error = &timeline->error};
    kifu_result result = plan.result;
    if (!result)
        result = strcmp(path, "-") != 0 ? kifu__plan_save(&plan, path) : kifu__plan_write(&plan, &sink, true);
    if (result)
        *error = timeline->error;
    kifu__plan_drop(&plan);
    return result;
}

static kifu_result write_to_bytes(void *context, const void *from, size_t size, kifu_error *error)
{
    kifu__file_bytes *bytes = (kifu__file_bytes *)context;
    (void)error;
    bytes->at = (unsigned char *)kifu__must_grow(bytes->at, bytes->size + size);
    memcpy(bytes->at + bytes->size, from, size);
    bytes->size += size;
    return KIFU_OK;
}

kifu_result kifu__make_save(kifu__game_file *file, kifu__file_bytes *bytes, kifu_error *error)
{
    kifu_timeline *timeline = file->timeline;
    kifu__plan plan = kifu__plan_game(file, NULL, true);
    kifu__sink sink = {.write = write_to_bytes, .context = bytes, .error = &timeline->error};
    *bytes = (kifu__file_bytes){NULL, 0};
    const kifu_result result = plan.result ? plan.result : kifu__plan_write(&plan, &sink, true);
    if (result)
        *error = timeline->error;
    kifu__plan_drop(&plan);
    return result;
}
