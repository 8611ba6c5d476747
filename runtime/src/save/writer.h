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
    uint64_t events; ///< So many are in it.

    // For log files and changes:
    bool anew;                   ///< The file must be written anew.
    bool all;                    ///< It has all of the game.
    struct kifu__stream *stream; ///< What the file will say.
} kifu__plan;

/// How many proposals wait in a queue, and how many of them are in the file.
typedef struct kifu__queued {
    uint32_t count, sound;
} kifu__queued;

/// The actions that were written, of the stream.
typedef struct kifu__said {
    unsigned char *bytes; ///< NULL: nothing.
    uint32_t size;
} kifu__said;

// --- To make a plan (writer.c) ---------------------------------------------------------------------------------------

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

// --- To save it (save.c) ---------------------------------------------------------------------------------------------

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

#endif
