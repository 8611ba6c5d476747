/// Comparing two games: where two machines, two saves or two versions of a game part.
#ifndef KIFU_COMPARE_H
#define KIFU_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What differs first.
typedef enum kifu_compared {
    KIFU_GAMES_EQUAL,    ///< Nothing differs.
    KIFU_STATES_DIFFER,  ///< The events so far are equal, but lead to different states.
    KIFU_EVENTS_DIFFER,  ///< The same number stands for another event.
    KIFU_EVENT_MISSING,  ///< One game ends, and the other goes on.
    KIFU_WAITING_DIFFERS ///< Events and states are equal; what waits, or what redo would bring back, differs.
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

/// Compares the current lines of two timelines, event by event, then states, then what waits and what redo would bring
/// back. The versions of the game may differ: then Kifu compares what both versions have, by the names in the schema.
/// The states of two versions are compared only at the end, and the recorded hashes not at all. Games that have
/// forgotten their past (forget.h) are compared from where both begin. If one has ended there, `what` is
/// KIFU_EVENT_MISSING, `event` is KIFU_NONE, and the message says that nothing could be compared.
///
/// States are compared by the hashes that both games have recorded (`kifu_options.hash_interval`) and, where the hashes
/// differ, by `kifu_state_at`. Both games must show the present, and be idle. Errors: KIFU_MISUSE, KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_compare(kifu_timeline *a, kifu_timeline *b, kifu_comparison *comparison);

/// How two trees of lines differ.
typedef enum kifu_tree_compared {
    KIFU_LINE_MISSING,      ///< One game has a line, or the rest of one, that the other lacks.
    KIFU_LINES_DIFFER,      ///< Two lines go on with different events.
    KIFU_MAIN_LINES_DIFFER, ///< A line that both games have is the main line in only one of them.
    KIFU_NOTES_DIFFER       ///< An event that both games have, or the whole game, has another note.
} kifu_tree_compared;

/// One difference that `kifu_compare_trees` found. Its pointers are valid until the called function returns.
typedef struct kifu_tree_difference {
    kifu_tree_compared what; ///< The kind of difference.
    uint32_t line_a;         ///< Number of the line to which the note or the event belongs, in the one game,
    uint32_t line_b;         ///< and in the other. KIFU_NONE: the game has no such line, event or note.
    uint32_t event;    ///< Number of the first event that differs, or that one game lacks; of the note's event, or
                       ///< KIFU_BEFORE_FIRST.
    bool current;      ///< Of events: the current lines lead through them, so `kifu_compare` may have said the same.
    const char *name;  ///< Type of the event, in a game that has it; NULL: there is no event.
    const char *key;   ///< Key of the note; NULL: a line differs, and no note.
    char field[200];   ///< KIFU_LINES_DIFFER: as in `kifu_comparison`.
    char a[120];       ///< The value, text or event in the one game,
    char b[120];       ///< and in the other; "absent" if a game has none.
    char message[700]; ///< All of this as an English sentence.
} kifu_tree_difference;

/// Called for each difference. Return false to end the comparison.
typedef bool kifu_tree_tell(void *context, const kifu_tree_difference *difference);

/// Compares all lines of two games (variations.h), and their notes (notes.h). It does not compare states:
/// `kifu_compare` does, and looks at the current lines only. There are two calls because a program that calls only
/// `kifu_compare` does not link variations.
///
/// Lines are found by their events: the number of a line may be another one in the other game. If only one game has a
/// line, `tell` gets its first event, and how many lines branch off behind it. The notes there are not compared.
/// Errors: KIFU_MISUSE, KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_compare_trees(kifu_timeline *a, kifu_timeline *b, kifu_tree_tell *tell,
                                                void *context);

#ifdef __cplusplus
}
#endif

#endif
