/// The notes of a timeline: a tree of them, in the order of line, event and key.
#ifndef KIFU_SRC_NOTES_H
#define KIFU_SRC_NOTES_H

#include <kifu/kifu.h>

#include "core/timeline.h"

/// A note. It moves in the tree when its events move, which takes no memory.
typedef struct kifu__note {
    struct kifu__note *left, *right;
    struct kifu__note *older, *newer; ///< Those that changed before it and after it.
    uint64_t change;                  ///< Which change of notes it was.
    uint32_t weight;                  ///< In the tree: see note_tree.c.
    uint32_t line;                    ///< The number of the branch to which its event belongs.
    uint32_t place;                   ///< Its event's number plus 1; 0: before the first one.
    uint32_t key_size;                ///< Without the 0 behind it.
    uint32_t size;
    bool is_text;
    bool removed; ///< It is there only to tell the stream.
    char key[];   ///< And behind its 0 the text or bytes, with a 0.
} kifu__note;

static inline const char *kifu__note_value(const kifu__note *note)
{
    return note->key + note->key_size + 1;
}

/// The part of a timeline that keeps notes.
typedef struct kifu__notes {
    kifu__part part;
    kifu__note *top;
    kifu_rng weights;
    size_t used; ///< As `note_limit` counts.
    kifu__note *newest;
    uint64_t changes; ///< How many there were,
    uint64_t written; ///< and of these, how many the stream has said.
    bool followed;    ///< There is a stream.
} kifu__notes;

/// Makes the part, if there is none. KIFU_NO_MEMORY.
kifu_result kifu__notes_begin(kifu_timeline *timeline);

/// NULL: the timeline keeps none.
kifu__notes *kifu__notes_of(const kifu_timeline *timeline);

/// The line to which event number `event` of a line belongs; KIFU_NONE: there is no such line or event.
uint32_t kifu__note_owner(const kifu_timeline *timeline, uint32_t line, uint32_t event);

/// Sets or removes a note that is verified, whatever all may take. KIFU_NO_MEMORY.
kifu_result kifu__note_put(kifu_timeline *timeline, const kifu_note *wanted);

/// Adds a note that is no timeline's.
void kifu__note_add(kifu_timeline *timeline, kifu__notes *notes, kifu__note *note);

/// Takes out a note. The caller owns it then.
void kifu__note_take(kifu__notes *notes, kifu__note *note);

/// How much all may take.
size_t kifu__note_limit(const kifu_timeline *timeline);

void kifu__note_drop(kifu_timeline *timeline, kifu__notes *notes, kifu__note *note);

// --- The tree (note_tree.c) ------------------------------------------------------------------------------------------

/// Adds a note that the tree does not have, whose weight is set; and takes out one that it has.
void kifu__note_insert(kifu__note **top, kifu__note *note);
void kifu__note_remove(kifu__note **top, const kifu__note *note);

/// The first note behind that; with an empty key, which no note has, the first one of that place or behind. NULL: there
/// is none.
kifu__note *kifu__note_after(kifu__note *top, uint32_t line, uint32_t place, const char *key);

/// The note that is there; NULL: there is none.
kifu__note *kifu__note_at(kifu__note *top, uint32_t line, uint32_t place, const char *key);

#endif
