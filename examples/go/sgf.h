/// Games as text: the Smart Game Format, FF[4] (red-bean.com/sgf), with variations, markup and comments. Each node is a
/// step of the game (steps.h). Each variation is a line (kifu/variations.h), the first ones everywhere are line 0. What
/// is neither a move nor a stone is a note (sgf_notes.h), so properties that nobody knows stay as they are.
#ifndef SGF_H
#define SGF_H

#include "fault.h"
#include "game.h"

/// Plays a game of a text on a new timeline. `game`: which of those in the text, from 1. Variations and notes are kept,
/// whatever `options` say. Player 0 has black. The rules (RU) decide on ko and counting; unknown ones are taken for
/// simple ko and territory. If the text says that somebody has resigned, the player resigns at the end of the main
/// line, where the game then stands. The text is UTF-8, or ISO 8859-1.
///
/// KIFU_NOT_FOUND: the text has fewer games. KIFU_REJECTED: it is wrong, or a move is not legal; `fault` says where.
/// Other results as `kifu_create` and `kifu_run`, with `fault->line` 0. After an error there is no timeline, and
/// `fault->message` says why.
kifu_result sgf_read(const char *text, uint32_t game, const kifu_options *options, kifu_timeline **timeline,
                     fault *fault);

/// Writes the timeline's last game with all its variations, the main line first, and all its notes. `tree` false: only
/// the moves that are played now, with their notes. Free the text. NULL: memory ran out.
///
/// A step that SGF does not know (stones are marked, a player agrees or resigns) becomes a node only if it has notes.
char *sgf_write(const kifu_timeline *timeline, bool tree);

#endif
