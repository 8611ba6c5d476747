/// Observers: the functions that a timeline calls around events.
///
/// | | is called for | runs | may |
/// |---|---|---|---|
/// | hook (hooks.h) | an event, before it happens | live | change it, block it, replace it, submit |
/// | reaction (listen.h) | an event that happened | live | submit |
/// | trigger (listen.h) | a change of a part of the state | live | submit |
/// | listener (listen.h) | a change of a part of the state | forward and backward | look, `kifu_hold` |
///
/// Live: when an event happens for the first time; redo, load, seek and verification of a replay call none. Inside a
/// transaction with KIFU_DEFERRED reactions and triggers wait for its commit.
///
/// Order for one event: hooks; its Do; reactions and triggers; listeners; Act. Within each of these, the observers of
/// KIFU_RANK_INTERNAL come first, then those of KIFU_RANK_ORDINARY, each in the order added.
///
/// No save contains observers, and no fork copies them. `kifu_options.observers` adds them to every timeline that is
/// made with these options, by create, load or fork:
///
///     static const kifu_observer observers[] = {
///         {.react = on_take, .type = NIM_P_TAKE},
///         {.trigger = on_empty_heap, KIFU_PART(nim_state, heaps)},
///     };
///     const kifu_options options = {.observers = KIFU_OBSERVERS(observers)};
///
/// One whose context is known later: `kifu_observe(timeline, &(kifu_observer){.listen = heaps_changed,
/// KIFU_PART(nim_state, heaps), .context = view})`.
#ifndef KIFU_OBSERVE_H
#define KIFU_OBSERVE_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "hooks.h"
#include "listen.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Who comes first: the game's own rules, or what cards, items and scripts add.
typedef enum kifu_rank { KIFU_RANK_ORDINARY, KIFU_RANK_INTERNAL } kifu_rank;

/// One function and when it is called. Set exactly one of the four functions, and what belongs to it; all else is zero.
typedef struct kifu_observer {
    kifu_reaction *react;  ///< After each event of `type`.
    kifu_trigger *trigger; ///< After each event that changed the part of the state.
    kifu_listener *listen; ///< The same, and also when such an event is taken back: for the view.
    kifu_hook *hook;       ///< Before each event of `type` whose `scope` has the `subject`.
    uint32_t type;         ///< Of a reaction or hook: the event's id, NIM_P_TAKE for instance. 0: all.
    uint32_t offset;       ///< Of a trigger or listener: where the part of the state begins. KIFU_PART sets it,
    uint32_t size;         ///< and how many bytes the part has.
    uint32_t scope;        ///< Of a hook: `<GAME>_SCOPE_…`.
    uint64_t subject;      ///< Of a hook: the subject of that scope, or KIFU_ANY_SUBJECT. 0 is a subject like others.
    const char *name;      ///< Of a hook: who it is, for the message when it blocks. A string that outlives the
                           ///< timeline, a literal usually.
    kifu_rank rank;        ///< KIFU_RANK_ORDINARY (0) or KIFU_RANK_INTERNAL.
    void *context;         ///< Given to the function. `kifu_remove_observers` finds the observer by it.
} kifu_observer;

/// The members `offset` and `size` of an observer, for a field of the state or a part of one:
/// `KIFU_PART(nim_state, heaps)`, `KIFU_PART(nim_state, heaps[2])`.
#define KIFU_PART(state_type, member)                                                                                  \
    .offset = (uint32_t)offsetof(state_type, member), .size = (uint32_t)sizeof(((state_type *)0)->member)

/// A constant array of observers, as `kifu_options` wants it. KIFU_OBSERVERS makes one.
typedef struct kifu_observers {
    /// `kifu_observe_all`. It is a pointer so that a program which has no observers does not link their code.
    kifu_result (*add)(kifu_timeline *timeline, const kifu_observer *observers, uint32_t count);
    const kifu_observer *items; ///< The array.
    uint32_t count;             ///< How many observers are in it.
} kifu_observers;

/// An initializer of a `kifu_observers`, for an array of observers.
#define KIFU_OBSERVERS(array)                                                                                          \
    {                                                                                                                  \
        kifu_observe_all, array, sizeof(array) / sizeof *(array)                                                       \
    }

/// Adds an observer, of which the timeline keeps a copy. A listener learns nothing while the timeline is quiet, and is
/// then called once for all that changed meanwhile, with the next event that is shown; a load or a seek is shown by
/// `kifu_view.redraw` alone. Errors: KIFU_NO_MEMORY; KIFU_MISUSE (while an event runs; not exactly one function is set;
/// no such event type or scope; the part is not inside the state; a hook without a name or for KIFU_NO_SUBJECT; `type`
/// or a part given where it has no meaning).
KIFU_WARN_UNUSED kifu_result kifu_observe(kifu_timeline *timeline, const kifu_observer *observer);

/// Adds `count` observers, in their order. Errors: those of `kifu_observe`, for the first that could not be added;
/// those before it are added then.
KIFU_WARN_UNUSED kifu_result kifu_observe_all(kifu_timeline *timeline, const kifu_observer *observers, uint32_t count);

/// Removes all observers that were added with `context` (NULL: all that were added with NULL), so give each that is to
/// be removed alone a context of its own. Errors: KIFU_MISUSE (while an event runs).
kifu_result kifu_remove_observers(kifu_timeline *timeline, const void *context);

#ifdef __cplusplus
}
#endif

#endif
