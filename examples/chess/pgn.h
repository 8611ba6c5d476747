/// Games as text: PGN, with tags, variations, comments and glyphs, which become lines and notes of the game.
#ifndef PGN_H
#define PGN_H

#include "game.h"

/// Opens the next game of `*text`, as `kifu_load` opens one of a save, and moves `*text` behind it. The timeline keeps
/// variations and notes, whatever `options` (may be NULL) says; player 0 has white. What the text calls the game is the
/// main line. Where its result says who won, and the position does not, the other player resigns; where it says that
/// the game was drawn, the players agree. Errors: KIFU_REJECTED (the text is wrong), or as `kifu_play`; `fault` says
/// why, and where in the text. Then there is no game, and `*text` is where it was.
kifu_result pgn_read(const char **text, const kifu_options *options, kifu_timeline **timeline, fault *fault);

/// Whether another game begins in `text`.
bool pgn_has_more(const char *text);

/// The timeline's last game, as the PGN standard wants it exported. The caller frees it; NULL: no game has begun, or
/// memory ran out.
char *pgn_write(kifu_timeline *timeline);

/// What a tag of the game says, "White"; NULL: there is none. The tags for the result and the first position belong to
/// the game itself.
const char *pgn_tag(const kifu_timeline *timeline, const char *name);

/// Sets a tag of the game; NULL removes it. Results as `kifu_set_note`.
kifu_result pgn_set_tag(kifu_timeline *timeline, const char *name, const char *value);

#endif
