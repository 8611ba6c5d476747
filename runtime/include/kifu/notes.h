/// Notes: what players write about a game: a comment, a glyph, a clock, an author, or anything else that a game stores.
///
///     kifu_options options = {.keep_notes = kifu_keep_notes};
///     kifu_set_note(timeline, event, KIFU_NOTE_COMMENT, "White could have castled.");
///
/// A note belongs to an event of a line, or to the place before the first event of the game. It has a key and a text,
/// or bytes. Notes are outside of the state and its hash, and no undo or redo changes them: an event that was undone
/// keeps its notes, and redo shows them again. A note is deleted when its event is gone for good: when a new event
/// replaces the event and there are no variations, when its line is deleted, and when a roll-back takes back the event.
/// A note that was set inside a transaction, at an event from before it, stays.
///
/// Each event belongs to one line (variations.h): those before the place where a line branches off belong to its
/// ancestors. Their notes are found from every line that goes through them. When a new line turns out to begin with the
/// events of an existing line, its notes move to those events. A timeline without variations has line 0 only. A fork
/// gets the notes of the current line.
///
/// Nothing of this file is linked into a program that does not call it.
#ifndef KIFU_NOTES_H
#define KIFU_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// For `kifu_options.keep_notes`.
kifu_result kifu_keep_notes(kifu_timeline *timeline);

/// As an event's number: before the first event of the game. It belongs to line 0, also when there is no line 0 any
/// more (forget.h), and is found from all lines.
#define KIFU_BEFORE_FIRST KIFU_NONE

// Keys for what players write. A game may use any others: they are UTF-8, and not empty.

#define KIFU_NOTE_COMMENT "comment" ///< Words about the event.
#define KIFU_NOTE_GLYPH "glyph"     ///< A judgement as a few signs: "!?".
#define KIFU_NOTE_CLOCK "clock"     ///< The time that the player had left after it: "1:30:05".
#define KIFU_NOTE_AUTHOR "author"   ///< Who wrote the comment.

/// A note.
typedef struct kifu_note {
    uint32_t line;     ///< The line to which its event belongs.
    uint32_t event;    ///< Number of its event, or KIFU_BEFORE_FIRST.
    const char *key;   ///< Valid until the note changes or is deleted, like the next two.
    const char *text;  ///< With a 0 behind it. NULL: it has bytes.
    const void *bytes; ///< Those of the text, or its bytes.
    uint32_t size;     ///< How many.
} kifu_note;

/// Sets the note with this key at event number `event` of the current line, or before the first event. It replaces the
/// one that was there. `text` NULL removes it. Kifu copies key and text. Errors: KIFU_MISUSE (the timeline keeps no
/// notes; there is no such event; the key is empty; key or text are not UTF-8; an event runs; a try or a search is
/// open), KIFU_TOO_LARGE (more than `kifu_options.note_limit`), KIFU_NO_MEMORY. After an error all notes are as they
/// were.
kifu_result kifu_set_note(kifu_timeline *timeline, uint32_t event, const char *key, const char *text);

/// The same at an event of any line. `event` may be one of its ancestors': then the note is theirs.
kifu_result kifu_set_line_note(kifu_timeline *timeline, uint32_t line, uint32_t event, const char *key,
                               const char *text);

/// The same with any bytes; `bytes` NULL removes the note.
kifu_result kifu_set_note_bytes(kifu_timeline *timeline, uint32_t line, uint32_t event, const char *key,
                                const void *bytes, uint32_t size);

/// The text of the note with this key at an event of the current line. NULL: there is none, or it has bytes.
const char *kifu_note_at(const kifu_timeline *timeline, uint32_t event, const char *key);

/// Finds the note with this key at an event of any line; false: there is none, or the event lies behind the place where
/// an open search began, as for `kifu_line_event`. The same holds for `kifu_note_at` and `kifu_next_note`.
bool kifu_find_note(const kifu_timeline *timeline, uint32_t line, uint32_t event, const char *key, kifu_note *note);

/// Moves to the next note, in the order of lines by number, then events, then keys. To begin with the first note, pass
/// a `*note` of zeros; to begin at an event, one with its line, its number and the key "". False: there is no other. No
/// note may change during the iteration.
bool kifu_next_note(const kifu_timeline *timeline, kifu_note *note);

#ifdef __cplusplus
}
#endif

#endif
