#include "json/game.h"

#include "save/write_commit.h"

void kifu__close_game(kifu__game_file *file)
{
    kifu_destroy(file->timeline);
    kifu__arena_free(&file->arena);
    file->timeline = NULL;
}

kifu_save_options kifu__options_of(const kifu__game_file *file)
{
    return (kifu_save_options){
        .title = file->title,
        .players = file->player_count ? file->players : NULL,
        .player_count = file->player_count,
        .thumbnail = file->thumbnail,
        .thumbnail_size = file->thumbnail_size,
    };
}

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

kifu_result kifu__make_save(kifu__game_file *file, kifu__file_bytes *bytes, kifu_error *error)
{
    kifu__plan plan = kifu__plan_game(file, NULL, true);
    *bytes = (kifu__file_bytes){NULL, 0};
    const kifu_result result = kifu__plan_to_memory(&plan, &bytes->at, &bytes->size);
    if (result)
        *error = file->timeline->error;
    kifu__plan_drop(&plan);
    return result;
}
