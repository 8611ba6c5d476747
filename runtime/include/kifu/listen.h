/// Functions that follow what happens: reactions and triggers for the rules, listeners for the view. `kifu_observe`
/// (observe.h) adds them, and says when they run.
#ifndef KIFU_LISTEN_H
#define KIFU_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How one event changed a part of the state: all edits of its Do together.
typedef struct kifu_change {
    uint32_t offset;    ///< Where the part begins in the state, as in the observer.
    uint32_t size;      ///< How many bytes the part has.
    const void *before; ///< The part's bytes as they were: `*(const int16_t *)change->before`. Valid during the call.
    const void *after;  ///< The part's bytes as they are now.
    uint32_t first;     ///< The first byte that changed, counted from the beginning of the part.
    uint32_t length;    ///< How many bytes the changed span has.
    uint32_t event;     ///< Number of the event; KIFU_NONE if this is the change of several events at once.
    bool undone;        ///< The event was taken back: `before` is what the event had made.
} kifu_change;

/// A function of the rules that follows events. It may submit, and may not edit. If it fails, by `return kifu_fail(…)`,
/// Kifu takes the event back as if its Do had failed.
typedef kifu_result kifu_reaction(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event);

/// The same for a part of the state.
typedef kifu_result kifu_trigger(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                 const kifu_change *change);

/// A function of the view that follows a part of the state. It may look, and may not submit.
typedef void kifu_listener(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change);

/// In a listener or Act: `kifu_update` waits `seconds` longer before the next event. Elsewhere it is misuse, which the
/// running call returns.
void kifu_hold(kifu_timeline *timeline, double seconds);

#ifdef __cplusplus
}
#endif

#endif
