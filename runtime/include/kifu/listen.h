/// Functions that follow what happens: reactions and triggers for the rules, listeners for the view. `kifu_observe`
/// (observe.h) adds them, and says when they run.
#ifndef KIFU_LISTEN_H
#define KIFU_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

#include <stddef.h>
#include <string.h>

#include "event.h"
#include "pool.h"
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

/// How one element of an array of the state changed: of a pool, what became of one entity.
///
/// A listener never sees an entity that comes and goes within one event. If another entity took its slot within one
/// event, there are two calls: one that the old entity went, then one that the new entity came. When an event is taken
/// back, the entity that it had made goes, and the one that it had removed comes again, with the same handle.
typedef struct kifu_element_change {
    uint32_t offset;    ///< Where the array begins in the state, as in the observer.
    uint32_t index;     ///< Which element of the array.
    kifu_handle handle; ///< The entity. KIFU_NO_HANDLE if the array is no pool.
    const void *before; ///< The element as it was: `const duel_card *card = change->before`. Valid during the call.
                        ///< NULL: the entity came.
    const void *after;  ///< The element as it is now, in the state. NULL: the entity went.
    uint32_t event;     ///< Number of the event; KIFU_NONE if this is the change of several events at once.
    bool undone;        ///< The event was taken back: `before` is what the event had made.
    bool jumped;        ///< By a load, a fork or a seek: nothing happened, something else is shown.
    const struct kifu__struct *structure; ///< For `kifu_changed_field`: of an element. NULL: it is a number.
} kifu_element_change;

/// Whether the `size` bytes at `offset` of the element changed. If an entity came or went, all of it did.
static inline bool kifu_element_changed(const kifu_element_change *change, size_t offset, size_t size)
{
    if (!change->before || !change->after)
        return true;
    return memcmp((const char *)change->before + offset, (const char *)change->after + offset, size) != 0;
}

/// The same for a field, or a part of one: `KIFU_CHANGED(change, duel_card, tapped)`.
#define KIFU_CHANGED(change, element_type, member)                                                                     \
    kifu_element_changed(change, offsetof(element_type, member), sizeof(((element_type *)0)->member))

/// The names of the fields that changed, as the schema has them, in its order; NULL after the last one. If an entity
/// came or went, these are all fields. An array of numbers has no fields.
///
///     const char *field;
///     for (uint32_t next = 0; (field = kifu_changed_field(change, &next)) != NULL;)
///         printf(" %s", field);
const char *kifu_changed_field(const kifu_element_change *change, uint32_t *next);

/// A function of the rules that follows events. It may submit, and may not edit. If it fails, by `return kifu_fail(…)`,
/// Kifu takes the event back as if its Do had failed.
typedef kifu_result kifu_reaction(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event);

/// The same for a part of the state.
typedef kifu_result kifu_trigger(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                 const kifu_change *change);

/// A function of the view that follows a part of the state. It may look, and may not submit.
typedef void kifu_listener(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change);

/// A function of the view that follows each element of an array of the state, or each entity of a pool. It is called
/// once for each element that changed, in the order of the array. It may look, and may not submit.
typedef void kifu_element_listener(void *context, kifu_timeline *timeline, const void *state,
                                   const kifu_element_change *change);

/// In a listener or Act: `kifu_update` waits `seconds` longer before the next event. Elsewhere it is misuse, which the
/// running call returns. During a load or a seek it has no effect.
void kifu_hold(kifu_timeline *timeline, double seconds);

#ifdef __cplusplus
}
#endif

#endif
