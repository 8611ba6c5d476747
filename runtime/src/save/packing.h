/// Packing, for saves and loads: all frames of a save but the first become one, with events as rows, and a codec makes
/// that smaller. Only a codec names it (`kifu_codec.packing`), so a program without one does not link it.
///
/// One block, because a compressor finds nothing in many small ones (docs/decisions/2026-11-24-packed-saves.md).
#ifndef KIFU_SRC_PACKING_H
#define KIFU_SRC_PACKING_H

#include <kifu/codec.h>

#include "save/budget.h"
#include "save/writer.h"

struct kifu_packing {
    /// Adds all that follows the header to a plan, packed; or plain, if it is too small or unpacks to too much.
    /// KIFU_NO_MEMORY, what the codec returns.
    kifu_result (*pack)(kifu__plan *plan, const kifu_codec *codec, bool with_state);
    /// Does what the frames in a packed frame do: that of a load, which has this codec.
    kifu_result (*take)(struct kifu__reader *reader, const kifu__frame *frame, const kifu__packed *packed);
};

/// A codec without packing is misuse (reader.c).
kifu_result kifu__require_packing(const kifu_codec *codec, kifu_error *error);

/// Whether this is the codec by which a frame is packed. A frame that is packed by none, any may unpack.
bool kifu__is_codec_of(const kifu_codec *codec, const kifu__packed *packed);

/// What is done with a frame that was in a packed one. Its payload lies in the block; its place is that of the outer
/// one.
typedef kifu_result kifu__take_inner(void *context, const kifu__frame *inner);

/// Unpacks a frame by its codec to `*block`, new memory, also after a failure. KIFU_NO_MEMORY, KIFU_DAMAGED, what
/// `take` returns.
kifu_result kifu__unpack(const kifu_codec *codec, const kifu__memory *memory, const kifu__frame *frame,
                         const kifu__packed *packed, unsigned char **block, kifu__take_inner *take, void *context,
                         kifu_error *error);

// --- For the tests of the bound --------------------------------------------------------------------------------------

/// To so many bytes a packed frame may unpack, and so many times its own. What would be more, the writer leaves plain,
/// so that a load has memory for the block, the frames in it and what they are converted to (budget.h).
#define KIFU__UNPACKED_FREE (KIFU__BUDGET_LEAST / 2)
enum { KIFU__UNPACKED_TIMES = KIFU__BUDGET_TIMES / 2 };

#endif
