/// Games as text: PGN, the tags and the moves that were played. Variations and comments are left out.
#ifndef PGN_H
#define PGN_H

#include "game.h"

enum { PGN_TAG = 80 }; ///< Room for a tag's value, and its NUL; what is longer is cut.

/// The tags that every game has, "" where one is not known. Its result is the game's own.
typedef struct pgn_tags {
    char event[PGN_TAG], site[PGN_TAG], date[PGN_TAG], round[PGN_TAG], white[PGN_TAG], black[PGN_TAG];
} pgn_tags;

/// Plays the next game of `*text` on a timeline, as `chess_begin` begins one, and moves `*text` behind it. Player 0 has
/// white. Where the text says who won, and the position does not, the other player resigns; where it says that the game
/// was drawn, the players agree. KIFU_REJECTED: the text is wrong, `fault` says why and where. Other results as
/// `kifu_run`. `tags` may be NULL.
kifu_result pgn_read(kifu_timeline *timeline, const char **text, pgn_tags *tags, fault *fault);

/// Whether another game begins in `text`.
bool pgn_has_more(const char *text);

/// Writes the timeline's last game, and a NUL, in at most `room` bytes; returns the length of all of it, as snprintf
/// does. `tags` may be NULL.
size_t pgn_write(const kifu_timeline *timeline, const pgn_tags *tags, char *text, size_t room);

#endif
