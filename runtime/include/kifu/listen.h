/// Being told of what happens: reactions and triggers for the rules, listeners for the view.
///
/// | | told of | runs | may |
/// |---|---|---|---|
/// | reaction | an event | live, forward only | submit |
/// | trigger | a change of a field | live, forward only | submit |
/// | listener | a change of a field | forward and backward: events, redo, undo, roll-back | look, `kifu_hold` |
///
/// Live: when an event happens for the first time. Inside a deferred transaction reactions and triggers wait for its
/// commit.
///
/// Order for one event: Do; reactions and triggers, the internal ones first, then in the order added; listeners, in the
/// same way; Act. A timeline that was loaded or forked has none of them: let
/// `kifu_options.prepare` add them to each.
#ifndef KIFU_LISTEN_H
#define KIFU_LISTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Who runs first: the engine's own bookkeeping, or what cards and scripts add.
#define KIFU_ORDINARY KIFU_RANK_ORDINARY
#define KIFU_INTERNAL KIFU_RANK_INTERNAL
typedef enum kifu_rank { KIFU_RANK_ORDINARY, KIFU_RANK_INTERNAL } kifu_rank;

/// The arguments `offset, size` of a field of the state, or of a part of it: `KIFU_FIELD(nim_state, heaps)`,
/// `KIFU_FIELD(nim_state, heaps[2])`.
#define KIFU_FIELD(type, member) (uint32_t) offsetof(type, member), (uint32_t)sizeof(((type *)0)->member)

/// A change of a part of the state by one event: by all that its Do changed, together.
typedef struct kifu_change {
    uint32_t offset; ///< Of the part, as it was given when the listener was added.
    uint32_t size;
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
typedef void kifu_listener(void *context, const kifu_timeline *timeline, const void *state, const kifu_change *change);

/// In a listener or Act: `kifu_update` waits `seconds` more before the next event. Elsewhere it is misuse, reported by
/// the running call.
void kifu_hold(const kifu_timeline *timeline, double seconds);

#ifdef __cplusplus
}
#endif

#endif
