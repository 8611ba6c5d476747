/// What people write about a game: notes at its moves. PGN, the view and the keys use the same ones.
#ifndef REMARKS_H
#define REMARKS_H

#include <stddef.h>

#include <kifu/kifu.h>

/// The keys of the notes. Each has any number of comments, with line breaks between them, or any number of glyphs, with
/// spaces between them. At the set-up, the first two stand before the game.
#define REMARK_COMMENT KIFU_NOTE_COMMENT   ///< Behind the move.
#define REMARK_GLYPH KIFU_NOTE_GLYPH       ///< "!?", "$14".
#define REMARK_BEFORE "comment before"     ///< Before the move, where a variation begins.
#define REMARK_GLYPH_BEFORE "glyph before" ///< The same.
#define REMARK_BEHIND "comment behind"     ///< Behind the variation that begins with the move.
#define REMARK_REST "unread"               ///< What follows the move in the text and is no chess, for `pgn_write`.
#define REMARK_TAG "tag "                  ///< At the set-up: and a tag's name.
#define REMARK_REVIEW "review"             ///< Before the first event: the game is looked at, not played.

enum { GLYPH_LENGTH = 8, GLYPHS = 256 };

/// Reads a glyph, "!?", "$14" or "+-": its number in PGN; -1: this is none.
int glyph_read(const char *word, size_t length);

/// How many bytes at the end of a word are a sign such as "+-", not counting those of `glyph_write`; 0: none.
size_t glyph_suffix(const char *word, size_t length);

/// Writes a glyph, and a NUL; `word` has room for GLYPH_LENGTH.
void glyph_write(int glyph, char *word);

#endif
