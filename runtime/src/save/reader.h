/// Loading: reads a file frame by frame into an empty timeline, and then makes its state: by executing the log and
/// comparing the hashes on the way, or from a snapshot in the save.
#ifndef KIFU_SRC_READER_H
#define KIFU_SRC_READER_H

#include <kifu/save.h>

#include "base/os.h"
#include "core/timeline.h"
#include "save/frame.h"
#include "save/packing.h"
#include "save/save_tables.h"
#include "save/upcast.h"

#define KIFU__NO_END UINT64_MAX

/// The memory in which the borrowed segments of a loaded log are.
typedef struct kifu__loaded {
    kifu__file file; ///< The file,
    void **blocks;   ///< and what was unpacked from it, piece by piece.
    uint32_t count;
    uint32_t capacity;
    kifu__holders *holders; ///< The timeline, and its forks.
} kifu__loaded;

/// A snapshot on the branch of the log that is executed.
typedef struct kifu__saved_snapshot {
    uint64_t offset; ///< Of its frame in the file.
    uint64_t hash;
    uint32_t event_count;
    uint32_t state_size;
    const unsigned char *state; ///< In the file, or in what was unpacked from it; NULL: it has none.
} kifu__saved_snapshot;

struct kifu__reader {
    kifu_timeline *timeline;
    kifu_error *error;
    kifu__loaded *loaded;    ///< What becomes of the file.
    const kifu_codec *codec; ///< NULL: there is none.
    uint64_t end;            ///< Where to stop, or KIFU__NO_END: with the end frame, which must be the last.
    bool half;               ///< Up to there, the last input may not be whole.
    bool fast;               ///< The state may be taken from a snapshot.

    // What was read:
    const kifu__save_header *header;
    kifu__blob header_room;
    kifu__blob room;             ///< For the payload at hand.
    const unsigned char *schema; ///< The .bfbs of the save; NULL when it has none.
    uint32_t schema_size;
    bool ended;
    bool comparable; ///< States and hashes in the save are valid for the version of the game that loads it.
    kifu__saved_snapshot *snapshots; ///< `event_count` never descends.
    uint32_t snapshot_count;
    uint32_t snapshot_capacity;

    kifu__upcaster upcaster;
    kifu__packed_sum packed;
};

/// Reads the frames of the file, whose file header was verified. `executed` of the timeline says afterwards how many
/// events are to be executed.
kifu_result kifu__read_frames(kifu__reader *reader);

/// KIFU_DAMAGED: bytes follow the end frame, which ends at `offset`.
kifu_result kifu__bytes_behind(uint64_t offset, kifu_error *error);

/// Verifies a snapshot against the frames before it, and remembers it. `fields` is its kifu__save_snapshot.
/// KIFU_DAMAGED, KIFU_NO_MEMORY.
kifu_result kifu__take_snapshot(kifu__reader *reader, const kifu__frame *frame, const void *fields);

/// Brings the state to `timeline->executed`, which so far says only how many events are to be executed. KIFU_DIVERGED,
/// KIFU_FAILED, KIFU_NO_MEMORY.
kifu_result kifu__restore_state(const kifu__reader *reader);

/// Compares the fields that the state of another version of the game and the compiled one both have, by name, after the
/// events up to the last snapshot in the save that has a state. `changed` says the first that differs, if any. The
/// timeline is loaded, and the file still mapped. KIFU_NO_MEMORY.
kifu_result kifu__find_changed(const kifu__reader *reader, kifu_difference *changed);

#endif
