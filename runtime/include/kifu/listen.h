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

/// A change of a part of the state by one event: by all that its Do changed, together.
typedef struct kifu_change {
    uint32_t offset;    ///< Of the part, as in the observer.
    uint32_t size;      ///< Of the part, in bytes.
    const void *before; ///< The part's bytes as they were: `*(const int16_t *)change->before`. Valid during the call.
    const void *after;  ///< As they are now.
    uint32_t first;     ///< The changed span: its first byte, counted from the part's first,
    uint32_t length;    ///< and how many bytes it has.
    uint32_t event;     ///< Number of the event; KIFU_NONE where several were taken back or caught up with at once.
    bool undone;        ///< The event was taken back: `before` is what it had made.
} kifu_change;

/// A function of the rules that follows events: it may submit, and may not edit. `KIFU_FAILED` (by
/// `return kifu_fail(…)`) takes the event back as a failed Do does.
typedef kifu_result kifu_reaction(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event);

/// The same, that follows a part of the state.
typedef kifu_result kifu_trigger(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                 const kifu_change *change);

/// A function of the view that follows a part of the state: it may look, and may not submit.
typedef void kifu_listener(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change);

/// In a listener or Act: `kifu_update` waits `seconds` more before the next event. Elsewhere it is misuse, reported by
/// the running call.
void kifu_hold(kifu_timeline *timeline, double seconds);

#ifdef __cplusplus
}
#endif

#endif
