/// Games as text: PGN, with tags, variations, comments and glyphs, which become lines and notes of the game.
#ifndef PGN_H
#define PGN_H

#include "game.h"
#include "pgn_games.h"

/// What of a text is no chess, or says nothing, and how it was read all the same. Nothing is lost by that: `pgn_write`
/// writes moves that could not be played as they stood.
typedef struct pgn_report {
    uint32_t count;                                  ///< So many places.
    fault first;                                     ///< The first of them.
    void (*tell)(void *context, const fault *fault); ///< Called for each; may be NULL.
    void *context;
} pgn_report;

/// Opens the next game of `*text`, as `kifu_load` opens one of a save, and moves `*text` behind it. The timeline keeps
/// variations and notes, whatever `options` (may be NULL) says; player 0 has white. What the text calls the game is the
/// main line. Where its result says who won, and the position does not, the other player resigns; where it says that
/// the game was drawn, the players agree. What is no legal move is left out, with what follows it in its line: null
/// moves, wrong ones, and those behind an end of which the players did not know. `report` (may be NULL) says so.
/// Errors: KIFU_REJECTED (the text is wrong, or no move of it is legal), or as `kifu_play`; `fault` says why, and where
/// in the text. Then there is no game, and `*text` is where it was; `pgn_end` knows where the next one begins.
kifu_result pgn_read(const char **text, const kifu_options *options, kifu_timeline **timeline, pgn_report *report,
                     fault *fault);

/// The timeline's last game, as the PGN standard wants it exported. The caller frees it; NULL: no game has begun, or
/// memory ran out.
char *pgn_write(kifu_timeline *timeline);

/// What a tag of the game says, "White"; NULL: there is none. The tags for the result and the first position belong to
/// the game itself.
const char *pgn_tag(const kifu_timeline *timeline, const char *name);

/// Sets a tag of the game; NULL removes it. Results as `kifu_set_note`.
kifu_result pgn_set_tag(kifu_timeline *timeline, const char *name, const char *value);

#endif
