/// Drawing a state that need not be the timeline's own.
#ifndef KIFU_SRC_DRAWING_H
#define KIFU_SRC_DRAWING_H

#include <kifu/drawing.h>

#include "core/timeline.h"

/// Why a drawing is not whole.
const char *kifu__draw_text(kifu_result result);

/// Draws `state`, to which `move` led (its `type` is 0: no player did anything). The options have a function to draw.
kifu_result kifu__draw(const kifu_timeline *timeline, const void *state, const kifu_event *move, kifu_drawing *drawing);

#endif
