/// The games of a text of PGN: where each begins and ends, and what its tags say. No move is read for that, so a game
/// that is wrong hides no other one, and a thousand games are passed over in no time.
#ifndef PGN_GAMES_H
#define PGN_GAMES_H

#include <stdbool.h>
#include <stddef.h>

/// Where the game that begins in `text` ends: behind its result, or where the tags of the next one begin. It is whole
/// if something follows, or if nothing can.
const char *pgn_end(const char *text);

/// Whether another game begins in `text`.
bool pgn_has_more(const char *text);

/// What a tag of the game says that begins in `text`; "" if it is not there. `value` has room for `room` bytes.
void pgn_look(const char *text, const char *name, char *value, size_t room);

/// A result as the standard writes it, from one that people write: "1/2", "1–0". NULL: this is none.
const char *pgn_result(const char *word, size_t length);

#endif
