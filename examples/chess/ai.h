/// A computer player: it looks ahead by moves that are tried on a copy of the game and taken back.
#ifndef AI_H
#define AI_H

#include "position.h"

enum { AI_MOST_DEPTH = 40, AI_MATE = 30000 };

/// What it has found so far.
typedef struct ai_report {
    uint32_t depth; ///< In half-moves, before captures are looked at further.
    int score;      ///< For the player to move, in hundredths of a pawn; AI_MATE - n: mate in n half-moves.
    uint64_t tries;
    double seconds;
    chess_move line[AI_MOST_DEPTH]; ///< The moves that it expects, the best one first.
    uint32_t line_length;
} ai_report;

/// When it stops, but not before it has looked one half-move ahead. Zero: no limit; there should be one.
typedef struct ai_limits {
    uint32_t depth;
    uint64_t tries;
    double seconds;
    const chess_move *only; ///< Only these moves, if `only_count` is not 0; they are legal.
    uint32_t only_count;
    bool (*stop)(void *context);                            ///< Asked now and then; NULL: nobody asks.
    void (*report)(void *context, const ai_report *report); ///< Called for each depth; may be NULL.
    void *context;
} ai_limits;

/// Finds a move for the player whose turn it is. The timeline is only looked at. The same position, depth and tries
/// give the same move. Errors, in `error`: those of `kifu_fork` and of tries; KIFU_MISUSE when nobody can move.
KIFU_WARN_UNUSED kifu_result ai_choose(const kifu_timeline *timeline, const ai_limits *limits, chess_move *best,
                                       kifu_error *error);

#endif
