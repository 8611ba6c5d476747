/// The writer of all files: a plan has their frames. All are made first, so that one that cannot be made leaves the
/// file as it is, and packing can join them.
#ifndef KIFU_SRC_WRITER_H
#define KIFU_SRC_WRITER_H

#include <kifu/save.h>

#include "base/os.h"
#include "core/timeline.h"
#include "save/frame.h"
#include "save/save_tables.h"

/// A frame, before it is written.
typedef struct kifu__piece {
    uint32_t kind;
    uint32_t size;
    unsigned char *payload;
    bool owned; ///< By the plan; else a part of the log, or of another owner.
} kifu__piece;

/// The frames of a save, or of what is appended to a log file.
typedef struct kifu__plan {
    kifu_timeline *timeline;
    kifu_result result; ///< The first failure, which is in `timeline->error`, too: the plan is only to be dropped then.
    kifu__piece *pieces;
    uint32_t count;
    uint32_t capacity;
    uint64_t size;               ///< Of all frames.
    uint32_t chain;              ///< Checksum of the heads of all frames before, and then also of its own.
    bool overwrite;              ///< Whatever the file is that is replaced, it may be overwritten.
    struct kifu__commit *commit; ///< That is being made.

    /// Adds to the commit what the caller knows of states, on the way and then at the end. NULL: the hash of now.
    void (*states)(struct kifu__plan *plan, bool last);
    void *context;   ///< For that.
    uint64_t events; ///< So many are in its commits.

    // For log files and changes:
    bool anew; ///< The file must be written anew.
    bool all;  ///< It has all of the game.
} kifu__plan;

/// How many proposals wait in a queue, and how many of them are in the file.
typedef struct kifu__queued {
    uint32_t count, sound;
} kifu__queued;

// --- To make a plan (save.c) -----------------------------------------------------------------------------------------

/// Adds a frame. An owned payload is freed even when it cannot be added.
void kifu__plan_add(kifu__plan *plan, uint32_t kind, unsigned char *payload, uint32_t size, bool owned);

/// Remembers `result`, if it is an error: this plan fails.
void kifu__plan_fail(kifu__plan *plan, kifu_result result);

/// The header of a file, and the schema in a frame of its own where the options have a codec.
void kifu__plan_header(kifu__plan *plan, const kifu_save_options *options, int64_t saved_at);

/// Begins the payload of a frame with its table's struct, as kifu__build_short.
kifu__blob kifu__payload_begin(const kifu__plan *plan, const kifu__table *table, const void *fields);

/// False, with nothing left of it, when it could not be built.
bool kifu__payload_end(kifu__plan *plan, kifu__blob *payload);

/// Adds all that follows the header of a whole save (write_whole.c); packed, unless `codec` is NULL.
void kifu__plan_rest(kifu__plan *plan, bool with_state, const kifu_codec *codec);

/// Writes all frames, and before them the file header of a new file.
kifu_result kifu__plan_write(kifu__plan *plan, kifu__sink *sink, bool new_file);

void kifu__plan_drop(kifu__plan *plan);

// --- To save it ------------------------------------------------------------------------------------------------------

/// As kifu_save and kifu_save_to_memory; `saved_at` in seconds since 1970-01-01 UTC: the tests of the format need it.
kifu_result kifu__save_at(kifu_timeline *timeline, const char *path, const kifu_save_options *options,
                          int64_t saved_at);
kifu_result kifu__save_to_memory_at(kifu_timeline *timeline, const kifu_save_options *options, int64_t saved_at,
                                    unsigned char **bytes, size_t *size);

/// KIFU_MISUSE, naming `call`, while an event runs or inside a transaction, and for texts in `options` (or NULL) that
/// are not UTF-8.
kifu_result kifu__require_savable(kifu_timeline *timeline, const char *call, const kifu_save_options *options);

/// KIFU_MISUSE, naming `call`: the game begins from a state, which the timeline cannot save.
kifu_result kifu__require_root(kifu_timeline *timeline, const char *call);

/// The path of a save: a copy of `path`, with a name by the time behind it where that is a folder. The caller's, also
/// after a failure.
kifu_result kifu__save_path(kifu_timeline *timeline, const char *path, int64_t saved_at, char **whole);

/// Begins to replace the file at `path`, and writes all of the new one. On success the caller ends the replacement.
kifu_result kifu__plan_replace(kifu__plan *plan, const char *path, kifu__replacement *replacement);

/// Replaces the file at `path`, unless the plan has failed.
kifu_result kifu__plan_save(kifu__plan *plan, const char *path);

/// Writes a file to new memory, unless the plan has failed. Then the bytes stay as they are.
kifu_result kifu__plan_to_memory(kifu__plan *plan, unsigned char **bytes, size_t *size);

// --- What waits (write_records.c) ------------------------------------------------------------------------------------

/// The proposals of a queue, from one on.
typedef struct kifu__row {
    const kifu__queue *queue;
    kifu__proposal *first; ///< NULL: there are none.
} kifu__row;

/// All of them.
static inline kifu__row kifu__row_of(const kifu__queue *queue)
{
    return (kifu__row){queue, kifu__queue_first(queue)};
}

/// Seals what waits after `executed` events: first consequences, then inputs. What breaks its schema is left out. False
/// where it could not be made.
bool kifu__seal_waiting(kifu__plan *plan, kifu__row consequences, kifu__row inputs, uint32_t executed,
                        kifu__segment *segment);

/// How many of these can be in a save. What breaks its schema cannot; it would be refused when its turn came.
uint32_t kifu__count_sound(const kifu_rules *rules, kifu__row row);

// --- What a save must not overwrite ----------------------------------------------------------------------------------

/// A number for what a file contains: its length, and the checksum of the heads of its frames, which have the checksums
/// of all the rest. 0: nothing.
static inline uint64_t kifu__contents(uint64_t size, uint32_t heads)
{
    return size << 32 | heads;
}

/// The same of the bytes of a file.
uint64_t kifu__contents_of(const kifu__file *file);

/// What the timeline knows of the file at a place; NULL: nothing.
kifu__known *kifu__find_known(kifu_timeline *timeline, uint32_t place);

/// Before the file at `path` is written anew: KIFU_CHANGED, where it is another one than is known; and keeps one that
/// the load did not take all of. `advice`: what to do. Also KIFU_IO and KIFU_NO_MEMORY.
kifu_result kifu__guard(kifu_timeline *timeline, const kifu__known *known, const char *path, const char *advice);

/// Ends the replacement of a file, or abandons it where the plan may not overwrite that. `file` as in
/// `kifu__os_replace_commit`.
kifu_result kifu__plan_commit(kifu__plan *plan, kifu__replacement *replacement, kifu__open_file *file);

#endif
