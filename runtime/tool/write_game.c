// A game out of a file as a save again.

#include "tool/game_file.h"

#include <stdio.h>

#include "save/write_commit.h"

// What the file says of states, on the way and at the end. They may be known by their hashes alone, and perhaps nothing
// is.
static void add_states(kifu__plan *plan, bool last)
{
    const kifu__game_file *file = (const kifu__game_file *)plan->context;
    for (uint32_t i = 0; i < file->snapshot_count && !last; i++) {
        const kifu__state_there *at = &file->snapshots[i];
        kifu__commit_stand(plan->commit, kifu__owner(plan->timeline->log.branch, at->events, NULL)->number, at->events);
        kifu__commit_hash(plan->commit, at->hash, at->state);
    }
    if (last && file->has_hash)
        kifu__commit_hash(plan->commit, file->hash, file->state);
}

static kifu_result write_to_stdout(void *context, const void *bytes, size_t size, kifu_error *error)
{
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? KIFU_OK
                                                  : kifu__error(error, KIFU_IO, "standard output cannot be written");
}

kifu__plan kifu__plan_game(kifu__game_file *file, const kifu_codec *codec, bool with_schema)
{
    kifu__plan plan = {.timeline = file->timeline, .states = add_states, .context = file};
    kifu_save_options options = kifu__options_of(file);
    options.without_schema = !with_schema;
    options.codec = codec;
    kifu__plan_header(&plan, &options, file->saved_at);
    kifu__plan_rest(&plan, true, codec);
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
