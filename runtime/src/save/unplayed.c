#include "save/unplayed.h"

#include <kifu/read.h>

// Reads all frames, and leaves nothing to execute.
static kifu_result take_unplayed(kifu__reader *reader, kifu_recovery *recovery)
{
    kifu__unplayed *unplayed = (struct kifu__unplayed *)(void *)recovery;
    kifu_timeline *timeline = reader->timeline;
    const kifu_result result =
        unplayed->recover ? unplayed->recover(reader, &unplayed->recovery) : kifu__read_frames(reader);
    if (result)
        return result;
    unplayed->executed = timeline->executed;
    if (unplayed->see)
        unplayed->see(unplayed, reader);
    timeline->executed = timeline->log.begin;
    reader->snapshot_count = 0;
    return KIFU_OK;
}

kifu_result kifu__load_unplayed(const kifu_rules *rules, const char *path, const void *bytes, size_t size,
                                const kifu_options *options, const kifu_load_options *load_options,
                                kifu__unplayed *unplayed, kifu_timeline **timeline, kifu_error *error)
{
    // A game may have more to say to its timelines than a look into a save can bear.
    const kifu_options quiet = {
        .allocate = options ? options->allocate : NULL,
        .allocate_context = options ? options->allocate_context : NULL,
        .user = options ? options->user : NULL,
        .quiet = true,
        .keep_variations = kifu_keep_variations,
        .keep_notes = kifu_keep_notes,
        .note_limit = SIZE_MAX,
        .from_state = kifu_begin_from_state,
    };
    kifu_load_options how = load_options ? *load_options : (kifu_load_options){0};
    kifu_recovery *const recovery = how.recovery;
    unplayed->recover = how.recover;
    if (how.recover || !recovery) { // Else the load refuses it.
        how.recover = take_unplayed;
        how.recovery = &unplayed->recovery;
    }
    const kifu_result result = path ? kifu_load(rules, path, &quiet, &how, timeline, error)
                                    : kifu_load_from_memory(rules, bytes, size, &quiet, &how, timeline, error);
    if (recovery)
        *recovery = unplayed->recovery;
    if (!result)
        (*timeline)->executed = unplayed->executed;
    return result;
}

// --- For a game ------------------------------------------------------------------------------------------------------

static kifu_result read_save(const kifu_rules *rules, const char *path, const void *bytes, size_t size,
                             const kifu_options *options, const kifu_load_options *load_options,
                             const kifu_timeline **save, kifu_error *error)
{
    kifu__unplayed unplayed = {.executed = 0};
    kifu_timeline *timeline;
    const kifu_result result =
        kifu__load_unplayed(rules, path, bytes, size, options, load_options, &unplayed, &timeline, error);
    if (!result)
        timeline->core.phase = KIFU__SHOWING; // Calls that change it refuse.
    *save = timeline;
    return result;
}

kifu_result kifu_read_save(const kifu_rules *rules, const char *path, const kifu_options *options,
                           const kifu_load_options *load_options, const kifu_timeline **save, kifu_error *error)
{
    return read_save(rules, path, NULL, 0, options, load_options, save, error);
}

kifu_result kifu_read_save_from_memory(const kifu_rules *rules, const void *bytes, size_t size,
                                       const kifu_options *options, const kifu_load_options *load_options,
                                       const kifu_timeline **save, kifu_error *error)
{
    return read_save(rules, NULL, bytes, size, options, load_options, save, error);
}

void kifu_close_save(const kifu_timeline *save)
{
    kifu_timeline *timeline = (kifu_timeline *)(uintptr_t)save;
    if (timeline)
        timeline->core.phase = KIFU__IDLE;
    kifu_destroy(timeline);
}
