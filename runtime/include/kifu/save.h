/// Saves: writing, loading, listing. The format is schema/FORMAT.md.
///
/// A load replaces each event of a superseded type (`superseded_by` in the schema) by another event, which the game's
/// upcast function submits. If that function fails, or submits anything else, the load returns KIFU_FAILED.
#ifndef KIFU_SAVE_H
#define KIFU_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec.h"
#include "history.h"
#include "progress.h"
#include "result.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How to save, and what a save says about itself. Every member may be zero.
typedef struct kifu_save_options {
    const char *title;          ///< For lists of saves, in UTF-8. NULL: none.
    const char *const *players; ///< Names, by player number, in UTF-8.
    uint32_t player_count;      ///< How many names.
    const void *thumbnail;      ///< An image, or any bytes.
    uint32_t thumbnail_size;    ///< In bytes.
    bool without_schema;        ///< Leave the schema out, so that the save is smaller. FlatBuffers tools then need the
                                ///< .bfbs from elsewhere. The save still has the schema's fingerprint.
    bool without_snapshot; ///< Leave the state out, so that the save is smaller; it still has the state's hash. Such a
                           ///< save has no fast load (`kifu_load_options.fast`), and if its replay gives another state,
                           ///< no error names the field. The state is always left out if the model is outside it.
    bool durable;          ///< Of a log file (log_file.h): each append waits until the disk has stored it, so that a
                           ///< power cut loses nothing either. It takes as long as the disk does. A save always waits.
                           ///< Plain C cannot wait for a disk: there, a log file refuses this (KIFU_UNSUPPORTED),
                           ///< and a save does not wait.
    /// Pack the save: leave out what repeats in each event, and let the codec compress the rest: `kifu_zstd()` of
    /// zstd.h, or `&kifu_compact`, which compresses nothing. A packed save takes longer to write and to read, and
    /// nothing can be recovered from one that was cut off. A load needs the same codec (`kifu_load_options.codec`); a
    /// listing needs none. NULL: a plain save, which any FlatBuffers tool can read.
    const kifu_codec *codec;
    /// Replaces the file even if another program has written it, and keeps no copy of a file from which the load left
    /// something out: see `kifu_save`. What only that file has is then lost.
    bool overwrite;
} kifu_save_options;

/// Saves the timeline: the log, what waits, what redo can bring back, the schema, the members of `options`, hashes of
/// the state along the log, and the state. While `kifu_seek` shows the past, it saves the present. It leaves out
/// proposals that break their schema, because they could only be rejected.
///
/// It replaces `path` as a whole: whatever happens, the file is the old one or the new one. If `path` ends in '/', it
/// is a folder, which is made if it is missing. The file's name there is the local time, `yyyy_MM_dd_HH_mm_ss.kifu`
/// (with `_2`, `_3`, … before the ending if that file exists).
///
/// The new file is written beside the old one, as `.kifu-….tmp`, and then renamed. If a process is killed during the
/// call, a later save in that folder removes the temporary file when it needs the name. Two kinds of such files stay,
/// and you may delete them: those of plain C, where Kifu cannot know whether a file is still in use, and those of Kifu
/// 0.1, whose names are random. If `path` is a symbolic link, the file that it leads to is replaced, and the link
/// stays. Owner, group and permissions of the old file stay, as far as the system lets this process set them. Hard
/// links are broken: another name of the old file keeps the old bytes.
///
/// If `path` is where the timeline was loaded from, the call looks at the file there first, unless
/// `kifu_save_options.overwrite` is set:
///
/// - If the file is not the one that this timeline loaded or wrote last, another program has written it, and the call
///   returns KIFU_CHANGED. Load that file and play on there, save to another path, or set `overwrite`. A file counts as
///   the same if it has the same length and the same checksum of its frames' heads, which contain the checksums of all
///   their bytes; its name on the disk and its time do not matter. If the file is gone, it is written again.
/// - If recovery dropped bytes of the file, or the load left out variations, notes, or what only a newer version of the
///   game knows, the old file stays beside the new one, as `path` (or what that links to) with `.kept` behind it.
///   `kifu_kept_path` returns this name. If a file of this name exists already, it stays, and no second copy is kept.
///   Listings do not show the copy.
///
/// Kifu compares paths by folder and name after it has followed symbolic links; in plain C, by `path` itself. A file
/// from which the timeline was not loaded is replaced without a look at it; a fork was loaded from no file.
///
/// Errors: KIFU_IO, KIFU_CHANGED, KIFU_NO_MEMORY, KIFU_TOO_LARGE, KIFU_MISUSE (an event runs; a transaction is open;
/// the title or a name is not UTF-8), any result of the codec. While `kifu_seek` shows the past also those of
/// `kifu_seek`.
KIFU_WARN_UNUSED kifu_result kifu_save(kifu_timeline *timeline, const char *path, const kifu_save_options *options);

/// Path of the file that `kifu_save` or `kifu_log_open` has kept, because the load had not taken all of it: see
/// `kifu_save`. Valid as long as the timeline; NULL: there is none.
const char *kifu_kept_path(const kifu_timeline *timeline);

/// Writes the same bytes to memory. `*bytes` comes from the timeline's allocator: free it with `kifu_free_bytes`.
KIFU_WARN_UNUSED kifu_result kifu_save_to_memory(kifu_timeline *timeline, const kifu_save_options *options,
                                                 unsigned char **bytes, size_t *size);

/// Frees what `kifu_save_to_memory` returned.
void kifu_free_bytes(kifu_timeline *timeline, unsigned char *bytes);

/// What recovery found in a file.
typedef struct kifu_recovery {
    kifu_error why;   ///< KIFU_OK: the file is whole. KIFU_DAMAGED: what is wrong, and at which byte reading ended.
    uint64_t dropped; ///< How many bytes from there on were not used. 0: a log file that was not closed.
} kifu_recovery;

struct kifu__reader;

/// The type of `kifu_load_options.recover`.
typedef kifu_result kifu_recoverer(struct kifu__reader *reader, kifu_recovery *recovery);

/// For `kifu_load_options.recover`; a game does not call it. Only a program that names it links recovery.
kifu_result kifu_recover(struct kifu__reader *reader, kifu_recovery *recovery);

/// What a load left out, because the timeline keeps no variations or no notes, or because it could not be read.
typedef struct kifu_left_out {
    uint32_t lines; ///< Lines besides the current one.
    uint32_t notes; ///< Notes; of a log file, each as often as it was written. 0: none.
    uint32_t newer; ///< Events, and tables in them, with fields that a newer version of the game wrote: without these.
    kifu_error why; ///< Of lines that could not be read: why the first one could not. KIFU_OK: there were none.
} kifu_left_out;

/// A state that another version of the game has saved, read by the schema in the save.
typedef struct kifu_old_state kifu_old_state;

/// Reads an integer field of the old state, such as "gold" or "heaps[2].count"; of an enum, its number. True: the field
/// counts as carried over. False: there is no such field, or it is no integer.
bool kifu_old_integer(kifu_old_state *old, const char *field, int64_t *value);

/// The same for a field of any number type.
bool kifu_old_number(kifu_old_state *old, const char *field, double *value);

/// The rules version of the game that saved it.
uint32_t kifu_old_rules_version(const kifu_old_state *old);

/// The type of `kifu_load_options.carry_state`. `state` is the game's state struct. Any result but KIFU_OK fails the
/// load.
typedef kifu_result kifu_carry(kifu_old_state *old, void *state, void *context);

/// How to load. Every member may be zero. The struct is needed during the load only.
typedef struct kifu_load_options {
    /// Takes the state from the newest snapshot in the save, if this version of the game wrote it. The events before
    /// the snapshot are executed only when undo or seek need them. Use it for saves that you trust, because the load
    /// verifies the snapshot's bytes, but not that the events lead to it. false: the load executes all events, and
    /// compares the state with the hashes in the save.
    bool fast;
    /// Loads a game even if today's rules lead to another state than the rules of the program that saved it; the game
    /// is then as today's rules play it. false: such a load fails (KIFU_DIVERGED), unless your game's `rules_version`
    /// was raised since. See `kifu_load`.
    bool allow_changed;
    /// Unpacks a packed save: the codec that packed it, `kifu_zstd()` of zstd.h for instance. NULL: only plain saves
    /// can be loaded.
    const kifu_codec *codec;
    /// `kifu_recover`: loads what is good in a file that was cut off or damaged. Use it for log files (log_file.h): a
    /// killed process leaves a log file without an end, and the load gives the game of the last whole
    /// `kifu_log_append`. If a save is damaged before its snapshot, the load takes the events before the last input
    /// that it finds, and nothing that waits or was undone. It refuses a file in which nothing is left, and a file with
    /// any other fault: of another game, with an unknown event, or with a frame that has the right checksum and wrong
    /// contents.
    kifu_recoverer *recover;
    /// With `recover`: reports which bytes of the file were not used. NULL: no report.
    kifu_recovery *recovery;
    /// The most bytes of memory that the load may take for the file. A file that would need more is refused with
    /// KIFU_TOO_LARGE, before the memory is allocated. The file's own bytes do not count, nor do the state, its
    /// keyframes and its journal, which the game needs in any case, nor the codec's own memory. 0: 64 MiB plus 64 times
    /// the file's size.
    uint64_t memory;
    /// Reports what the load left out: all variations, unless `kifu_options.keep_variations` is set, and those with
    /// events that this version of the game cannot read; the same for notes; and fields of a newer version. NULL: no
    /// report.
    kifu_left_out *left_out;
    /// Converts the state of a save that begins from a state (forget.h) and that another version of the game wrote:
    /// fields that were renamed or divided, enums with other numbers. Before the call, Kifu has carried over each field
    /// that has the same name and fits; the rest of `state` is 0. `carry_state` must ask for every other value that is
    /// not 0; otherwise the load fails (KIFU_UNSUPPORTED), and the error names the field. NULL: Kifu carries over by
    /// name only.
    kifu_carry *carry_state;
    void *carry_context;     ///< Passed to `carry_state`.
    kifu_progress *progress; ///< Gets how far the load is, and may cancel it (progress.h). NULL: none.
    void *context;           ///< Passed to `progress`.
    /// Reports where today's rules play the game differently than the program that saved it, even if the load therefore
    /// fails. NULL: no report. The first field that differs is in `field`, `expected` (in the save) and `actual`; "" if
    /// the save has only a hash there. One of the events number `first` to `event` caused the difference. If nothing
    /// differs, `event` is KIFU_NONE, and the events before number `first` lead to the states in the save; `first` is
    /// KIFU_NONE if there was nothing to compare.
    kifu_difference *changed;
} kifu_load_options;

/// Makes a timeline from a save: verifies all of it, converts what another version of the game wrote, executes the log
/// again, and restores the queues. Meanwhile, it compares the state with the hashes and states in the save. If they
/// differ, it returns KIFU_DIVERGED. The error names the range of events in which the difference arose (`error->event`
/// is the last of them) and, if the save has a state there, the first field that differs, with both values.
///
/// If the layout of the state and the rules version have not changed since the save, the load compares hashes.
/// Otherwise it compares the fields that both versions have, by name, with the states in the save. A whole save has its
/// state at the end; a log file has a state now and then, and the events behind the last state are not compared. It
/// compares nothing behind an event that was upcast, nor if the save has no schema or no state, if the model is outside
/// the state, or if `carry_state` made the state with which the save begins. If the save is of a lower rules version
/// than your game, a difference does not fail the load, because you have said that the rules changed; nor does it with
/// `allow_changed`. A save of a higher rules version is refused (KIFU_NEWER_GAME).
///
/// `options` are as for `kifu_create`; `load_options` say how to load; both may be NULL. The file is mapped into memory
/// if possible. Do not change it in place while the timeline lives; you may replace it, as `kifu_save` does. If the
/// load fails, `*timeline` is NULL and `error` (may be NULL) says why: KIFU_NOT_FOUND (there is no such file: only then
/// begin a new game at this path), KIFU_IO (it cannot be read), KIFU_NO_MEMORY, KIFU_NOT_A_SAVE, KIFU_NEWER_FORMAT,
/// KIFU_NEWER_GAME, KIFU_OTHER_GAME, KIFU_UNKNOWN_EVENT, KIFU_DAMAGED, KIFU_FAILED, KIFU_DIVERGED, KIFU_TOO_LARGE,
/// KIFU_NO_CODEC (the save is packed, and `kifu_load_options.codec` is not the codec that packed it; the message names
/// that codec), KIFU_CANCELLED, KIFU_MISUSE and the results of `kifu_options.prepare`, as `kifu_create`.
KIFU_WARN_UNUSED kifu_result kifu_load(const kifu_rules *rules, const char *path, const kifu_options *options,
                                       const kifu_load_options *load_options, kifu_timeline **timeline,
                                       kifu_error *error);

/// The same from memory. The call copies `bytes`, which may have any alignment.
KIFU_WARN_UNUSED kifu_result kifu_load_from_memory(const kifu_rules *rules, const void *bytes, size_t size,
                                                   const kifu_options *options, const kifu_load_options *load_options,
                                                   kifu_timeline **timeline, kifu_error *error);

/// What a save says about itself. All pointers are valid during the visit only.
typedef struct kifu_save_info {
    const char *path;           ///< Path of the file.
    const char *game;           ///< `kifu_rules.name` of the game that wrote it.
    const char *title;          ///< As in `kifu_save_options`; NULL: none.
    const char *const *players; ///< Names, by player number.
    uint32_t player_count;      ///< How many names.
    const void *thumbnail;      ///< NULL: none.
    uint32_t thumbnail_size;    ///< In bytes.
    uint32_t rules_version;     ///< Of the game that wrote it.
    uint32_t event_count;       ///< How many events had happened.
    uint32_t first_event;       ///< Number of the first that is in it: not 0 where it begins from a state (forget.h).
    uint64_t fingerprint;       ///< Of the schema it was written with.
    int64_t saved_at;           ///< Seconds since 1970-01-01 UTC.
    const void *schema;         ///< The .bfbs in the header; NULL if it is not there, as in a packed save.
    uint32_t schema_size;       ///< In bytes.
    const kifu_error *error;    ///< Why this file cannot be read as a save; NULL if it can.
} kifu_save_info;

/// Called for each save. Return false to end the listing.
typedef bool kifu_save_visitor(void *context, const kifu_save_info *info);

/// How to list. Every member may be zero.
typedef struct kifu_list_options {
    kifu_allocate *allocate; ///< As in `kifu_options`.
    void *allocate_context;  ///< Passed to `allocate`.
    /// How many bytes of memory each file may take. A file whose header would need more is refused with KIFU_TOO_LARGE,
    /// before it is read. 0: 64 MiB, however large the file is: a header is never packed.
    uint64_t memory;
    kifu_progress *progress; ///< Gets before each file how many were visited, and may cancel the listing (progress.h).
    void *context;           ///< Passed to `progress`.
} kifu_list_options;

/// Visits the saves (`*.kifu`) of a folder in the order of their names, and reads only their headers. A file that
/// cannot be read is visited with `error` set. `options` may be NULL. Errors: KIFU_NOT_FOUND (there is no such folder),
/// KIFU_IO, KIFU_NO_MEMORY, KIFU_CANCELLED, KIFU_UNSUPPORTED (plain C has no folders).
KIFU_WARN_UNUSED kifu_result kifu_list_saves(const char *directory, kifu_save_visitor *visit, void *context,
                                             const kifu_list_options *options, kifu_error *error);

/// Reads one file's header, as `kifu_list_saves` does. KIFU_NOT_FOUND: there is no such file.
KIFU_WARN_UNUSED kifu_result kifu_read_save_info(const char *path, kifu_save_visitor *visit, void *context,
                                                 const kifu_list_options *options, kifu_error *error);

#ifdef __cplusplus
}
#endif

#endif
