/// The moves of a game, as the log has them: it is the game's record.
#ifndef RECORD_H
#define RECORD_H

#include "position.h"

/// A walk through the moves of a timeline's last game.
typedef struct record {
    const kifu_timeline *timeline;
    const char *fen;         ///< What the game was set up with; NULL: as always.
    uint32_t next;           ///< The number of the event to look at.
    chess_move move;         ///< The move that `record_next` has found; `from` equals `to` where there is none.
    chess_position position; ///< Before this move.
} record;

/// Begins before the first move.
record record_begin(const kifu_timeline *timeline);

/// Goes on to the next move; false: there is none, and `position` is the present one.
bool record_next(record *record);

#endif
