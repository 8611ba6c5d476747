/// A game that is played again from its inputs, on another timeline: comparing its events, for kifu_verify_rules and
/// kifu_verify_checks.
#ifndef KIFU_SRC_PLAYED_AGAIN_H
#define KIFU_SRC_PLAYED_AGAIN_H

#include "core/timeline.h"
#include "wire/table.h"

/// The caller's own struct begins with one.
typedef struct kifu__played_again {
    kifu_timeline *timeline; ///< The game,
    kifu_timeline *again;    ///< played again.
    kifu_difference *difference;
    bool bare; ///< Nothing adds hooks and so on to `again`.
    kifu__blob expected, actual;
} kifu__played_again;

/// KIFU_MISUSE, naming `call`, where a game cannot be played again: an event runs, the model is outside the state, the
/// past is shown, a transaction is open.
kifu_result kifu__require_played_again(kifu_timeline *timeline, const char *call);

/// Fills in the error. `expected` is the event that differs; its `name` NULL: there is none. `what`: "its player". The
/// values are in the difference already. KIFU_DIVERGED.
kifu_result kifu__differs(kifu__played_again *played, const kifu_event *expected, const char *what);
kifu_result kifu__differs_in_words(kifu__played_again *played, const kifu_event *expected, const char *what,
                                   const char *was, const char *is);
kifu_result kifu__differs_in_number(kifu__played_again *played, const kifu_event *expected, const char *what,
                                    int64_t was, int64_t is);

/// Compares an event of the game, which is in `slot` of a segment, with the event of that number in `again`: type,
/// player, cause and fields. KIFU_DIVERGED, KIFU_NO_MEMORY.
kifu_result kifu__compare_event(kifu__played_again *played, const kifu_event *expected, const kifu__segment *segment,
                                uint32_t slot);

/// Frees what it has, and the other timeline.
void kifu__played_again_free(kifu__played_again *played);

#endif
