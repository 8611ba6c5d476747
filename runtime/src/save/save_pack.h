/// Packing the frames of a save, before they are written.
#ifndef KIFU_SRC_SAVE_PACK_H
#define KIFU_SRC_SAVE_PACK_H

#include <kifu/codec.h>

#include "save/plan.h"

/// Packs what can be packed and gets smaller by it. On failure a part of it may be packed. KIFU_NO_MEMORY, what the
/// codec returns.
kifu_result kifu__plan_pack(kifu__plan *plan, const kifu_codec *codec);

#endif
