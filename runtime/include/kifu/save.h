/// Saves: writing, loading, listing. The format is schema/FORMAT.md.
///
/// An event of a type that is superseded by now (`superseded_by` in the schema) becomes another one while it is loaded:
/// the game's upcast function submits that. Where it fails, or submits anything else, the load is KIFU_FAILED.
#ifndef KIFU_SAVE_H
#define KIFU_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec.h"
#include "history.h"
#include "result.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a save says of itself besides the game. Every member may be zero.
typedef struct kifu_save_options {
    const char *title;          ///< For a list of saves. NULL: none.
    const char *const *players; ///< Names, by player number.
    uint32_t player_count;      ///< How many names.
    const void *thumbnail;      ///< An image, or any bytes.
    uint32_t thumbnail_size;    ///< In bytes.
    bool without_schema;        ///< Leave the schema out: smaller by about its size; only its fingerprint stays. Stock
                                ///< FlatBuffers tools then need the .bfbs from elsewhere.
    bool without_snapshot; ///< Leave the state's bytes out: smaller by the size of the state; only its hash stays. Such
                           ///< a save has no fast load (`kifu_load_options.fast`), and when its replay gives another
                           ///< state, nothing can name the field. A game with its model outside the state never has
                           ///< them.
    bool durable;          ///< Of a log file (log_file.h): each append waits until the disk has it, so that a power cut
                           ///< loses nothing either. Takes as long as the disk does. A save always waits.
    /// Pack the save: its events are taken apart into columns, and these, the schema and the state made small by the
    /// codec. Takes longer to write and to read. Whoever loads it must be given the same codec
    /// (`kifu_load_options.codec`); listings need none. NULL: a plain save, which any FlatBuffers tool can read.
    const kifu_codec *codec;
} kifu_save_options;

/// Saves the timeline: log, queues, redo possibilities, schema, metadata, hashes of the state along the log and the
/// state itself. While `kifu_seek` shows the past it saves the present. Replaces `path` atomically: whatever happens,
/// the file is the old one or the new one. A `path` that ends in '/' is a directory: the file there is named after the
/// local time, `yyyy_MM_dd_HH_mm_ss.kifu` (with `_2`, `_3`, … before the ending where that exists already). A
/// process that is killed in the middle may leave a file `.kifu-….tmp` beside it, which can be deleted. A waiting
/// proposal that breaks its schema is left out: it could only be refused when its turn came.
///
/// Errors: KIFU_IO, KIFU_NO_MEMORY, KIFU_TOO_LARGE, KIFU_MISUSE (while an event runs; inside a transaction: commit or
/// roll back first), what the codec returns. While `kifu_seek` shows the past also those of `kifu_seek`.
KIFU_WARN_UNUSED kifu_result kifu_save(kifu_timeline *timeline, const char *path, const kifu_save_options *options);

/// The same bytes in memory. `*bytes` is from the timeline's allocator: free it with `kifu_free_bytes`.
KIFU_WARN_UNUSED kifu_result kifu_save_to_memory(kifu_timeline *timeline, const kifu_save_options *options,
                                                 unsigned char **bytes, size_t *size);

/// Frees what `kifu_save_to_memory` returned.
void kifu_free_bytes(kifu_timeline *timeline, unsigned char *bytes);

/// What `kifu_load` found in a file that is not whole.
typedef struct kifu_recovery {
    kifu_error why;   ///< KIFU_OK: the file is whole. KIFU_DAMAGED: what is wrong, and at which byte reading ended.
    uint64_t dropped; ///< How many bytes behind that place were not used. 0: a log file that was not closed.
} kifu_recovery;

typedef struct kifu__reader kifu__reader;

/// The type of `kifu_load_options.recover`.
typedef kifu_result kifu_recoverer(kifu__reader *reader, kifu_recovery *recovery);

/// For `kifu_load_options.recover`. A game does not call it; a program that does not name it does not link recovery.
kifu_result kifu_recover(kifu__reader *reader, kifu_recovery *recovery);

/// How to load. Every member may be zero, and all of it is needed during the load only.
typedef struct kifu_load_options {
    /// Takes the state from the newest snapshot in the save that this version of the game wrote, where there is one.
    /// The events before it are executed only when undo or seek need them. Use it for saves that you trust: a load
    /// verifies the snapshot's bytes, but not that its events lead to it. false: all events are executed, and the
    /// state is compared with the hashes in the save.
    bool fast;
    /// Unpacks a packed save: the codec that `kifu_save_options.codec` named, `kifu_zstd()` of zstd.h for instance.
    /// NULL: only plain saves are loaded.
    const kifu_codec *codec;
    /// `kifu_recover`: loads what is good of a file that was cut off or damaged. Use it for log files (log_file.h):
    /// that of a killed process has no end, and is loaded as the last whole `kifu_log_append` left it. Of a save whose
    /// frames are damaged before its snapshot, the load takes the events before the last input that is there, with
    /// nothing waiting or undone. A file of which nothing is left is refused. So is a file with anything else wrong: of
    /// another game, with an unknown event, or with a frame whose checksum is right and whose contents are not.
    kifu_recoverer *recover;
    /// With `recover`, where not NULL: reports what was not used of the file.
    kifu_recovery *recovery;
    /// Not NULL: reports whether the game's rules changed since the save was written. A load by another version of the
    /// game executes all events by today's rules and cannot compare hashes. Here it compares the fields of the state
    /// that both versions have, by name, with the state in the save, and stores the first that differs, with both
    /// values: `expected` is the save's. `changed->event` is the last event, or KIFU_NONE where no field differs or
    /// nothing could be compared (no schema or no state in the save, a model outside the state). The load succeeds
    /// either way: the game decides.
    kifu_difference *changed;
} kifu_load_options;

/// Makes a timeline from a save: verifies all of it, converts what another version of the game wrote, executes the log
/// again, restores the queues. Where this version of the game wrote the save, the state is compared with the hashes
/// in it: KIFU_DIVERGED names the events after one of which the state differs, and, when only the end shows it, the
/// first field that differs.
///
/// `options` as for `kifu_create`; `load_options` say how to load; both may be NULL. The file is mapped where that is
/// possible and must not be changed in place while the timeline lives (replacing it, as `kifu_save` does, is fine). On
/// failure `*timeline` is NULL and `error`, where not NULL, says why: KIFU_IO, KIFU_NO_MEMORY, KIFU_NOT_A_SAVE,
/// KIFU_NEWER_FORMAT, KIFU_OTHER_GAME, KIFU_UNKNOWN_EVENT, KIFU_DAMAGED, KIFU_FAILED, KIFU_DIVERGED, KIFU_TOO_LARGE,
/// KIFU_NO_CODEC (the save is packed, and `kifu_load_options.codec` is not the codec that packed it: the message names
/// that one), KIFU_MISUSE and those of `kifu_options.prepare`, as `kifu_create`.
KIFU_WARN_UNUSED kifu_result kifu_load(const kifu_rules *rules, const char *path, const kifu_options *options,
                                       const kifu_load_options *load_options, kifu_timeline **timeline,
                                       kifu_error *error);

/// The same from memory; `bytes` is copied, and may have any alignment.
KIFU_WARN_UNUSED kifu_result kifu_load_from_memory(const kifu_rules *rules, const void *bytes, size_t size,
                                                   const kifu_options *options, const kifu_load_options *load_options,
                                                   kifu_timeline **timeline, kifu_error *error);

/// What a save says of itself. All pointers are valid during the visit only.
typedef struct kifu_save_info {
    const char *path;           ///< Of the file.
    const char *game;           ///< `kifu_rules.name` of the game that wrote it.
    const char *title;          ///< As in `kifu_save_options`; NULL: none.
    const char *const *players; ///< Names, by player number.
    uint32_t player_count;      ///< How many names.
    const void *thumbnail;      ///< NULL: none.
    uint32_t thumbnail_size;    ///< In bytes.
    uint32_t rules_version;     ///< Of the game that wrote it.
    uint32_t event_count;       ///< How many events had happened.
    uint64_t fingerprint;       ///< Of the schema it was written with.
    int64_t saved_at;           ///< Seconds since 1970-01-01 UTC.
    const void *schema;         ///< The .bfbs in the header, or NULL: in a packed save it is elsewhere.
    uint32_t schema_size;       ///< In bytes.
    const kifu_error *error;    ///< NULL, or why this file is not a save that can be read.
} kifu_save_info;

/// Called for each save; false ends the listing.
typedef bool kifu_save_visitor(void *context, const kifu_save_info *info);

/// Visits the saves (`*.kifu`) of a directory, ordered by name, reading their headers only. Files that are no readable
/// saves are visited with `error` set. `allocate` as in `kifu_options`; NULL: malloc. Errors: KIFU_IO, KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_list_saves(const char *directory, kifu_save_visitor *visit, void *context,
                                             kifu_allocate *allocate, void *allocate_context, kifu_error *error);

/// Reads one file's header, as `kifu_list_saves` does.
KIFU_WARN_UNUSED kifu_result kifu_read_save_info(const char *path, kifu_save_visitor *visit, void *context,
                                                 kifu_allocate *allocate, void *allocate_context, kifu_error *error);

#ifdef __cplusplus
}
#endif

#endif
