/// Properties of SGF as notes (kifu/notes.h). C, AN, TE and its like, and the clock of who has moved are notes with
/// Kifu's own keys: comment, author, glyph, clock. Any other property is a note as it stands: its name is the key, and
/// its values with their brackets are the text. A note that is no property at all is written as KIFU[key:text].
#ifndef SGF_NOTES_H
#define SGF_NOTES_H

#include "go.h"
#include "sgf_values.h"

/// Makes a note of a property at an event of the current line. `stone`: who has moved there; may be GO_STONE_NONE.
/// Results as `kifu_set_note`.
kifu_result sgf_note_take(kifu_timeline *timeline, uint32_t event, go_stone stone, const sgf_property *property);

/// Appends all notes at an event of a line as properties. `root`: it is the game's first node.
void sgf_notes_put(buffer *buffer, const kifu_timeline *timeline, uint32_t line, uint32_t event, go_stone stone,
                   bool root);

/// Whether there is any note that `sgf_notes_put` could write.
bool sgf_has_notes(const kifu_timeline *timeline, uint32_t line, uint32_t event);

#endif
