/// Loading: reads a file, frame by frame and commit by commit, into an empty timeline, and then makes its state: by
/// executing the log and comparing the hashes on the way, or from a snapshot in the save.
#ifndef KIFU_SRC_READER_H
#define KIFU_SRC_READER_H

#include <kifu/save.h>

#include "base/os.h"
#include "core/timeline.h"
#include "save/frame.h"
#include "save/packing.h"
#include "save/read_commit.h"
#include "save/save_tables.h"
#include "core/upcast.h"
#include "wire/schema.h"

#define KIFU__NO_END UINT64_MAX

/// What it counts for a kifu_progress to read all frames, and to execute all events.
enum { KIFU__HALF = 500 };

/// The memory in which the borrowed segments of a loaded game are.
typedef struct kifu__loaded {
    kifu__lender lender; ///< Of the timeline's log, and those of its forks.
    kifu__file file;
} kifu__loaded;

/// A snapshot on the branch of the log that is executed.
typedef struct kifu__saved_snapshot {
    uint64_t offset; ///< Of its frame in the file.
    uint64_t hash;
    uint32_t event_count;
    uint32_t state_size;
    const unsigned char *state; ///< In the file, or in what was unpacked from it; NULL: it has none.
} kifu__saved_snapshot;

/// What only log files need (recover.c).
typedef struct kifu__log_reader {
    /// Finds the way to where the game is.
    kifu_result (*find_way)(kifu__commits *commits);
    /// Of a timeline with one branch: a line begins, of which the way is known.
    kifu_result (*begin_line)(kifu__commits *commits, uint32_t number, uint32_t parent, uint32_t from);
    /// It was loaded as it is: a log file that is opened now goes on.
    void (*end)(kifu_timeline *timeline);
} kifu__log_reader;

typedef struct kifu__reader kifu__reader;
struct kifu__reader {
    kifu_timeline *timeline;
    kifu_error *error;
    kifu__loaded *loaded;    ///< What becomes of the file.
    kifu_left_out *left_out; ///< Where to count what is left out; NULL: a follower reads, and counts nothing.

    // What was read:
    const kifu__save_header *header;
    const unsigned char *schema; ///< The .bfbs of the save; NULL when it has none.
    uint32_t schema_size;
    bool ended;
    bool comparable; ///< States and hashes in the save are valid for the version of the game that loads it.
    bool half;       ///< Up to `end`, the last input may not be whole.
    kifu__saved_snapshot *snapshots; ///< `event_count` never descends.
    uint32_t snapshot_count;
    uint32_t snapshot_capacity;
    kifu__frame *segments; ///< Those that were read, for the next commit,
    uint32_t segment_count, segment_capacity;
    uint32_t segment_taken; ///< which has taken so many of them.
    uint32_t borrowed;      ///< How many of them are in use where they lie in the file.

    // How to read:
    const kifu_load_options *options;         ///< Not of a follower.
    const struct kifu__log_reader *log_calls; ///< NULL: the save must be no log file.
    uint64_t end;              ///< Where to stop, or KIFU__NO_END: with the record `end`, which must be the last.
    const char *memory_option; ///< The name of the option that limits its memory.

    // How far it is:
    uint64_t read;     ///< Up to where the file was read,
    uint64_t used;     ///< how many bytes its segments have that were taken,
    uint64_t unpacked; ///< how many were unpacked,
    uint64_t told;     ///< and how much that was at the last call of the progress function.
    uint32_t returned; ///< How many numbers of no line were given anew.

    kifu__blob room;      ///< Where the header is if it had to be converted.
    unsigned char *block; ///< What was packed.
    kifu__upcaster upcaster;
    kifu__commits commits;
};

/// One number more of no line is given anew: it was left out, or the line was deleted. No game does that. A stream
/// could leave out and return as many as there is room for, again and again, and each would cost a step: few are let
/// pass.
static inline bool kifu__returns_too_many(kifu__reader *reader)
{
    return ++reader->returned > 4096;
}

#define KIFU__TOO_MANY_RETURNED "returns too many numbers that no line has"

// --- All of it (load.c) ----------------------------------------------------------------------------------------------

/// For whom a whole game is loaded that takes the place of another.
typedef struct kifu__whole_game {
    kifu_ticket last_ticket;   ///< What waits gets tickets behind this.
    const char *memory_option; ///< The name of the option that limits its memory.
} kifu__whole_game;

/// As kifu_load_from_memory, for a follower.
kifu_result kifu__load_whole(const kifu_rules *rules, const void *bytes, size_t size, const kifu_options *options,
                             const kifu_load_options *load_options, const kifu__whole_game *whole,
                             kifu_timeline **timeline, kifu_error *error);

// --- Frames (reader.c, read_segment.c) -------------------------------------------------------------------------------

/// Verifies a frame's segment of events, which follow (or, pending, wait behind) the `first` events of the log. On
/// success `segment` is a part of the file, or owned where it had to be converted.
kifu_result kifu__read_segment(kifu__reader *reader, const kifu__frame *frame, uint32_t first, bool pending,
                               kifu__segment *segment);

/// Takes what waits, a frame's segment, into the queues, and frees the segment. `keys` NULL, or one for each proposal:
/// its cause.
kifu_result kifu__queue_proposals(kifu__reader *reader, const kifu__frame *frame, const kifu__segment *segment,
                                  const uint32_t *keys, kifu__queue *consequences, kifu__queue *inputs);

/// Remembers a snapshot. KIFU_NO_MEMORY; KIFU_DAMAGED: its state has another size or hash than it must have.
kifu_result kifu__take_snapshot(kifu__reader *reader, const kifu__saved_snapshot *snapshot);

/// What any frame does.
kifu_result kifu__load_frame(kifu__reader *reader, const kifu__frame *frame);

/// Adds to the message of the error, if the caller has one.
void kifu__add_words(const kifu__reader *reader, const char *before, uint64_t number, const char *behind);

/// KIFU_NO_CODEC: a packed frame, and the codec of the load, as `given` says, is not the one that packed it.
kifu_result kifu__refuse_codec(const kifu__reader *reader, const kifu__frame *frame, const kifu__packed *packed,
                               const char *given);

/// What messages call the codec without a name, kifu_compact.
extern const char kifu__compact_name[];

/// A commit, and what is to be done when all were read (read_commit.c).
kifu_result kifu__read_commit(kifu__reader *reader, const kifu__frame *frame);
kifu_result kifu__end_commits(kifu__reader *reader);

/// Says how far it is, where it has read up to `offset`. KIFU_CANCELLED.
kifu_result kifu__report_read(kifu__reader *reader, uint64_t offset);

/// Copies the events of a segment of the log, from `slot` on, into a new one without room for more. KIFU_NO_MEMORY,
/// KIFU_TOO_LARGE: there is no copy.
kifu_result kifu__copy_events(const kifu__log *log, const kifu__segment *segment, uint32_t slot, kifu__segment *copy);

/// What a load does with the segments it has found: the last one, while it is small, moves to where there is room
/// behind it, so that the game goes on in it; `*borrowed` is one less then. False without memory: the log is whole
/// still.
bool kifu__log_regroup(kifu__log *log, uint32_t *borrowed);

// --- A whole load ----------------------------------------------------------------------------------------------------

/// Reads the frames of the file, whose file header is verified. `executed` of the timeline says afterwards how many
/// events are to be executed.
kifu_result kifu__read_frames(kifu__reader *reader);

/// The same with memory from the budget, or as the options want it, and all that is to be done then.
kifu_result kifu__read_all(kifu__reader *reader);

/// KIFU_DAMAGED: bytes follow the frame with the record `end`, which ends at `offset`.
kifu_result kifu__bytes_behind(uint64_t offset, kifu_error *error);

/// Brings the state to `timeline->executed`, which so far says only how many events are to be executed, and compares it
/// on the way. `changed` (may be NULL) is as in kifu_load_options. KIFU_DIVERGED, KIFU_FAILED, KIFU_NO_MEMORY.
kifu_result kifu__restore_state(const kifu__reader *reader, kifu_difference *changed);

/// Carries the state with which a save of another version of the game begins over, field by field and by name, into
/// `state`, which is zeros (carry.c). KIFU_DAMAGED; KIFU_UNSUPPORTED: a field has no place in this version; what the
/// game's `carry_state` returns.
kifu_result kifu__carry_state(kifu__reader *reader, const kifu__frame *frame, const kifu__save_root *fields,
                              unsigned char *state);

#endif
