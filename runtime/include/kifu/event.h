/// Events as they lie in the log: FlatBuffers tables whose inline part is a C struct. And the names that most headers
/// need.
#ifndef KIFU_EVENT_H
#define KIFU_EVENT_H

#include <stdbool.h>
#include <stdint.h>

// If a compiler does not define this, kifu_create checks the byte order.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "This machine is not little-endian. Kifu runs on little-endian machines only: events and states are their bytes."
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// One game: its log, its state, and the proposals that wait. See timeline.h.
typedef struct kifu_timeline kifu_timeline;

/// A game: its events, its state, its Do functions. Generated as `const kifu_rules <game>_rules`.
typedef struct kifu_rules kifu_rules;

/// The number that names a proposal while it waits. It is never 0 for a proposal that waits.
typedef uint32_t kifu_ticket;

/// A FlatBuffers offset inside an event's struct: to a string, a vector or a nested table. Read it with the generated
/// accessor. It is 0 if the field is absent.
typedef struct kifu_ref {
    uint32_t offset; ///< In bytes, from this member to its target.
} kifu_ref;

/// Flags of one event, as `kifu.MarkFlags` in schema/kifu.fbs.
enum {
    KIFU_UNDOABLE = 1,      ///< Undo may take this event back.
    KIFU_CONTINUE_UNDO = 2, ///< Undo then also takes back the event before this one.
    KIFU_RANDOM = 8,        ///< The event drew random numbers, or seeded them.
    KIFU_REVEALS = 16,      ///< The event showed hidden information: undo refuses to take it back.
    KIFU_UNLESS_RANDOM = 32 ///< Undo may take it back only if no event of its chain drew a random number.
};

/// One event of the log, as `kifu_event_at` shows it.
typedef struct kifu_event {
    uint32_t index;         ///< Its number in the log.
    uint32_t type;          ///< Its id: the position in the game's `union Event`, from 1.
    const char *name;       ///< The type's name in the schema, "nim.PTake".
    const void *table;      ///< The event's generated struct. Valid while the event is in the log.
    uint32_t cause;         ///< Number of the event that submitted this one, or KIFU_NONE.
    int player;             ///< The player who submitted it, or -1.
    uint8_t flags;          ///< KIFU_UNDOABLE and the flags after it.
    uint32_t rules_version; ///< The game's `rules_version` when the event was recorded.
} kifu_event;

#ifdef __cplusplus
}
#endif

#endif
