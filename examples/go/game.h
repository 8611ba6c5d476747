/// How a game of Go begins, and how it ended.
#ifndef GAME_H
#define GAME_H

#include "board.h"

typedef struct go_setup {
    go_terms terms;                ///< `terms.handicap` says how many of the black stones white is paid for.
    const uint16_t *black, *white; ///< Where the first stones stand.
    uint32_t black_count, white_count;
    go_stone first;   ///< Who plays first; GO_STONE_NONE is white if there is a handicap, otherwise black.
    int black_player; ///< Player 0 or 1 has black.
    const uint64_t *seed;
} go_setup;

/// What clubs agree on: 19 lines, 6.5 points of komi, positional superko, territory counting.
go_terms go_usual_terms(void);

/// Begins a game with two players on a timeline. Results as `kifu_run`; KIFU_REJECTED: it cannot be set up so, and the
/// game that was there goes on.
kifu_result go_begin(kifu_timeline *timeline, const go_setup *setup);

/// Somebody plays on a point (NO_POINT: passes), whose turn it need not be: as programs and records may say it. Then
/// an edit makes it that player's turn, which is no pass, and one undo takes back both. KIFU_REJECTED: it is not legal,
/// and nothing has happened.
kifu_result go_play_as(kifu_timeline *timeline, go_stone stone, uint32_t point);

/// Where the stones of a fixed handicap stand, as the Go Text Protocol says (version 2, section 4.1.1): 2 to 9 stones
/// where there is a star in the middle, otherwise 2 to 4. Returns `stones`, or 0: this board has no such handicap.
uint32_t go_handicap(uint32_t size, uint32_t stones, uint16_t points[9]);

enum { RESULT_LENGTH = 16 };

/// The result as SGF and GTP write it: "B+3.5", "W+R", "0" (a draw), or "?" while the game goes on.
void go_result(const go_state *state, char text[RESULT_LENGTH]);

#endif
