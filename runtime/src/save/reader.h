/// The reader of all saves: frame by frame, from a file into a timeline that has nothing in it yet.
#ifndef KIFU_SRC_READER_H
#define KIFU_SRC_READER_H

#include <kifu/save.h>

#include "core/timeline.h"
#include "save/frame.h"
#include "save/loaded.h"
#include "save/packing.h"
#include "save/restore.h"
#include "save/save_tables.h"
#include "save/upcast.h"

#define KIFU__NO_END UINT64_MAX

struct kifu__reader {
    kifu_timeline *timeline;
    kifu_error *error;
    kifu__loaded *loaded;    ///< What becomes of the file.
    const kifu_codec *codec; ///< NULL: there is none.
    uint64_t end;            ///< Where to stop, or KIFU__NO_END: with the end frame, which must be the last.
    bool half;               ///< Up to there, the last input may not be whole.

    // What was read:
    const kifu__save_header *header;
    kifu__blob header_room;
    const unsigned char *schema; ///< The .bfbs of the save; NULL when it has none.
    uint32_t schema_size;
    kifu__saved_states states;
    bool ended;

    kifu__upcaster upcaster;
    kifu__packed_sum packed;
};

/// Reads the frames of the file, whose file header was verified. `executed` of the timeline says afterwards
/// how many events are to be executed.
kifu_result kifu__read_frames(kifu__reader *reader);

/// KIFU_DAMAGED: bytes follow the end frame, which ends at `offset`.
kifu_result kifu__bytes_behind(uint64_t offset, kifu_error *error);

void kifu__reader_close(kifu__reader *reader);

#endif
