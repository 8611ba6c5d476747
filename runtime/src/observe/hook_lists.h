/// The hooks that concern each event type, found by scope and subject: so an event asks no hook of other events, or of
/// other subjects, however many there are.
///
/// A type's table is brought up to date when such an event is asked about, so adding a hook costs nothing more.
/// Removing hooks, or adding an internal one, makes the tables anew, each at its next use.
#ifndef KIFU_SRC_HOOK_LISTS_H
#define KIFU_SRC_HOOK_LISTS_H

#include "observe/observers.h"

/// As kifuc allows.
enum { KIFU__MOST_SCOPES = 8 };

typedef struct kifu__hook_link {
    uint32_t hook; ///< Its place among the timeline's hooks.
    uint32_t next; ///< In its chain; KIFU_NONE: it is the last.
} kifu__hook_link;

/// Of one event type: a hash table by scope and subject. A chain has its hooks in the order in which they are called.
typedef struct kifu__hook_list {
    kifu__hook_link *links; ///< `room` links, one for each hook, and behind them `room` chains. Its own memory.
    uint32_t room;          ///< 0, or a power of two.
    uint32_t count;         ///< Of the hooks in it.
    uint32_t looked_at;     ///< So many of the timeline's hooks were looked at,
    uint32_t moved;         ///< which had been moved so often.
    uint8_t wanted;         ///< A bit for each scope of the type that some hook is for.
} kifu__hook_list;

/// Whether it may be called for events of this type, which has the number.
bool kifu__hook_is_for(const kifu_observer *hook, uint32_t number, const kifu__type *type);

/// Looks at the hooks that were added since the last time. False without memory.
bool kifu__hook_list_update(kifu__hook_list *list, const kifu__observers *hooks, const kifu__memory *memory,
                            uint32_t number, const kifu__type *type);

/// A way along the hooks of one scope and subject.
typedef struct kifu__hook_walk {
    const kifu__hook_list *list;
    const kifu_observer *hooks;
    uint32_t scope;
    uint64_t subject;
    uint32_t own, any; ///< The next links in the chains of the subject, and of all subjects; KIFU_NONE: no more.
} kifu__hook_walk;

kifu__hook_walk kifu__hook_walk_begin(const kifu__hook_list *list, const kifu__observers *hooks, uint32_t scope,
                                      uint64_t subject);

/// The next hook in the order in which they are called; NULL: there is none.
const kifu_observer *kifu__hook_walk_next(kifu__hook_walk *walk);

#endif
