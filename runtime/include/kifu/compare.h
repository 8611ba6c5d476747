/// Comparing two games: where two machines, two saves or two versions of a game part.
#ifndef KIFU_COMPARE_H
#define KIFU_COMPARE_H

#include <stdint.h>

#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What differs first.
typedef enum kifu_compared {
    KIFU_GAMES_EQUAL,    ///< Nothing does.
    KIFU_STATES_DIFFER,  ///< The events so far are equal, but lead to different states.
    KIFU_EVENTS_DIFFER,  ///< The same number stands for another event.
    KIFU_EVENT_MISSING,  ///< One game ends, and the other goes on.
    KIFU_WAITING_DIFFERS ///< The same has happened; what waits, or what redo would bring back, differs.
} kifu_compared;

/// What `kifu_compare` found. Fields and values are in the words of the schema, as `kifu_text_event` has them.
typedef struct kifu_comparison {
    kifu_compared what; ///< What differs first.
    uint32_t event;   ///< Number of the event that differs, is missing, or after which the states differ; or KIFU_NONE.
    uint32_t first;   ///< KIFU_STATES_DIFFER: any event from `first` to `event` may have done it.
    const char *name; ///< Type of the event, in the game that has it; NULL: no event.
    char field[200];  ///< What of it differs first: "count", "player", "type", or a field of the state; "": unknown.
    char a[120];      ///< Its value in the one game,
    char b[120];      ///< and in the other; "absent" if a game has none.
    char message[700]; ///< All of this as English sentences, with what to do.
} kifu_comparison;

/// Compares two timelines, event by event, then states, then what waits and what redo would bring back. The versions of
/// the game may differ: then what both have is compared, by the names in the schema. The states of two versions are
/// compared only at the end, and the recorded hashes not at all.
///
/// States are compared by the hashes that both have recorded (`kifu_options.hash_interval`), and where the hashes say
/// that they differ, by `kifu_state_at`. Both must show the present, and be idle. Errors: KIFU_MISUSE, KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_compare(kifu_timeline *a, kifu_timeline *b, kifu_comparison *comparison);

#ifdef __cplusplus
}
#endif

#endif
