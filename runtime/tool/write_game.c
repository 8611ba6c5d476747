// A game out of a file as a save again.

#include "tool/game_file.h"

#include <stddef.h>
#include <stdio.h>

#include "save/packing.h"
#include "save/save_tables.h"
#include "save/writer.h"
#include "save/saved.h"

static void add_payload(kifu__plan *plan, uint32_t kind, const kifu__table *table, kifu__blob *payload)
{
    const kifu_result result = kifu__build_end(payload, NULL, table);
    if (!result)
        kifu__plan_add(plan, kind, payload->bytes, payload->size, true);
    else
        kifu__free(payload->memory, payload->bytes);
    kifu__plan_fail(plan, result);
}

// The hash is known without the state, and perhaps neither is.
static void add_snapshot(kifu__plan *plan, const kifu__game_file *file)
{
    const kifu__save_snapshot snapshot = {.event_count = kifu_event_count(file->timeline), .hash = file->hash};
    kifu__blob payload = {.memory = &file->timeline->memory, .link = KIFU__LINK_SIZE};
    if (!file->has_hash)
        return;
    kifu__build_root(&payload, NULL, &kifu__save_snapshot_table, &snapshot, sizeof snapshot);
    if (file->state)
        kifu__build_vector(&payload, offsetof(kifu__save_snapshot, state), file->state, file->rules->state_size,
                           file->rules->state_size, 8);
    add_payload(plan, KIFU__FRAME_SNAPSHOT, &kifu__save_snapshot_table, &payload);
}

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
    kifu__plan_changes(&plan, &nothing);
    add_snapshot(&plan, file);
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
    kifu__bytes *bytes = (kifu__bytes *)context;
    (void)error;
    bytes->at = (unsigned char *)kifu__must_grow(bytes->at, bytes->size + size);
    memcpy(bytes->at + bytes->size, from, size);
    bytes->size += size;
    return KIFU_OK;
}

kifu_result kifu__make_save(kifu__game_file *file, kifu__bytes *bytes, kifu_error *error)
{
    kifu_timeline *timeline = file->timeline;
    kifu__plan plan = kifu__plan_game(file, NULL, true);
    kifu__sink sink = {.write = write_to_bytes, .context = bytes, .error = &timeline->error};
    *bytes = (kifu__bytes){NULL, 0};
    const kifu_result result = plan.result ? plan.result : kifu__plan_write(&plan, &sink, true);
    if (result)
        *error = timeline->error;
    kifu__plan_drop(&plan);
    return result;
}
