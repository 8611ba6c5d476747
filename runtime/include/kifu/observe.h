/// Observers: functions that a timeline calls around events.
///
/// | | follows | runs | may |
/// |---|---|---|---|
/// | hook (hooks.h) | a proposal, before it happens | live | change it, reject it, replace it, submit |
/// | reaction (listen.h) | an event that happened | live | submit |
/// | trigger (listen.h) | a change of a part of the state | live | submit |
/// | listener (listen.h) | a change of a part of the state | live, undo, redo, roll-back, film | look, `kifu_hold` |
/// | listener of elements (listen.h) | an element changed | as above; load, fork, seek | look, `kifu_hold` |
///
/// Live: when an event happens for the first time. A load and a seek call no observers but the listeners of elements.
/// The verification of a replay calls none.
/// Inside a transaction with KIFU_DEFERRED, reactions and triggers wait for its commit.
///
/// The order for one event: hooks; its Do; reactions and triggers; listeners; Act. Within each of these, the observers
/// of KIFU_RANK_INTERNAL run first, then those of KIFU_RANK_ORDINARY, each in the order in which they were added.
///
/// A save or a fork does not contain observers. `kifu_options.observers` adds them to every timeline that you create,
/// load or fork with these options:
///
///     static const kifu_observer observers[] = {
///         {.react = on_take, .type = NIM_P_TAKE},
///         {.trigger = on_empty_heap, KIFU_PART(nim_state, heaps)},
///     };
///     const kifu_options options = {.observers = KIFU_OBSERVERS(observers)};
///
/// If you know the context only later: `kifu_observe(timeline, &(kifu_observer){.listen = heaps_changed,
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

/// Which observers run first: INTERNAL for the game's own rules, ORDINARY for what cards, items and scripts add.
typedef enum kifu_rank { KIFU_RANK_ORDINARY, KIFU_RANK_INTERNAL } kifu_rank;

/// One function, and when Kifu calls it. Set exactly one of the five functions, and the members that belong to it. All
/// other members are zero.
typedef struct kifu_observer {
    kifu_reaction *react;  ///< Called after each event of `type`, or of `tags`.
    kifu_trigger *trigger; ///< Called after each event that changed the part of the state.
    kifu_listener *listen; ///< For the view. Called as a trigger, and also when such an event is taken back.
    /// For the view, and an array of the state. Called as a listener, but once for each element that changed, and also
    /// when a load or a seek changed it.
    kifu_element_listener *listen_each;
    kifu_hook *hook; ///< Called before each event of `type`, or of `tags`, whose `scope` has the `subject`.
    /// Of a reaction or hook: the event's id, NIM_P_TAKE for instance. 0: `tags` says which events.
    uint32_t type;
    /// Of a reaction or hook: every event type with one of these tags, `<GAME>_TAG_…`; the schema says which these are:
    /// `table EBurn (engine, tags: "magic fire")`. If `type` is 0, too: all events.
    uint64_t tags;
    uint32_t offset;  ///< Of a trigger or listener: where the part of the state begins. KIFU_PART sets it,
    uint32_t size;    ///< and how many bytes the part has. For `listen_each`, the part is a whole array.
    uint32_t scope;   ///< Of a hook: `<GAME>_SCOPE_…`.
    uint64_t subject; ///< Of a hook: the subject of that scope, or KIFU_ANY_SUBJECT. 0 is a subject like others.
    const char *name; ///< Of a hook: its name, for the message when it rejects an event. The string must outlive
                      ///< the timeline; a literal does.
    kifu_rank rank;   ///< KIFU_RANK_ORDINARY (0) or KIFU_RANK_INTERNAL.
    void *context;    ///< Passed to the function. `kifu_remove_observers` finds the observer by it.
} kifu_observer;

/// The members `offset` and `size` of an observer, for a field of the state or a part of one: `KIFU_PART(nim_state,
/// heaps)`, `KIFU_PART(nim_state, heaps[2])`.
#define KIFU_PART(state_type, member)                                                                                  \
    .offset = (uint32_t)offsetof(state_type, member), .size = (uint32_t)sizeof(((state_type *)0)->member)

/// A constant array of observers, for `kifu_options`. KIFU_OBSERVERS makes one.
typedef struct kifu_observers {
    /// `kifu_observe_all`. It is a pointer, so that a program without observers does not link their code.
    kifu_result (*add)(kifu_timeline *timeline, const kifu_observer *observers, uint32_t count);
    const kifu_observer *items; ///< The array.
    uint32_t count;             ///< How many observers are in it.
} kifu_observers;

/// An initializer of a `kifu_observers`, for an array of observers.
#define KIFU_OBSERVERS(array)                                                                                          \
    {                                                                                                                  \
        kifu_observe_all, array, sizeof(array) / sizeof *(array)                                                       \
    }

/// Adds an observer. The timeline copies the struct. While the timeline is quiet, Kifu calls no listener; the next
/// event that is shown brings all changes since then in one call, perhaps also some before a listener was added. A load
/// and a seek call the listeners of elements, for each element that differs from what they saw last (in a load and a
/// fork: nothing), and then `kifu_view.redraw`. Errors: KIFU_NO_MEMORY; KIFU_MISUSE (an event runs; not exactly one
/// function is set; there is no such event type or scope; the part is not inside the state, or, for `listen_each`, is
/// not a whole array; a hook has no name, or KIFU_NO_SUBJECT; there are no such tags, or no event with one of them has
/// the scope; both `type` and `tags` are set; `type`, `tags` or a part is set although the function does not use it).
KIFU_WARN_UNUSED kifu_result kifu_observe(kifu_timeline *timeline, const kifu_observer *observer);

/// Adds `count` observers, in their order. Errors: those of `kifu_observe`, for the first observer that it could not
/// add. The timeline then has those before it.
KIFU_WARN_UNUSED kifu_result kifu_observe_all(kifu_timeline *timeline, const kifu_observer *observers, uint32_t count);

/// Removes all observers that were added with `context` (NULL: all that were added with NULL). To remove one observer
/// alone, give it a context of its own. Errors: KIFU_MISUSE (an event runs).
kifu_result kifu_remove_observers(kifu_timeline *timeline, const void *context);

#ifdef __cplusplus
}
#endif

#endif
