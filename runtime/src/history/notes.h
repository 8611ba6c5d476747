/// The notes of a timeline: a tree of them, in the order of line, event and key.
#ifndef KIFU_SRC_NOTES_H
#define KIFU_SRC_NOTES_H

#include <kifu/kifu.h>

#include "core/timeline.h"
#include "history/watch.h"

/// A note. It moves in the tree when its events move, which takes no memory.
typedef struct kifu__note {
    struct kifu__note *left, *right;
    uint32_t level;    ///< In the tree: see note_tree.c.
    uint32_t line;     ///< From KIFU__NOTES_ASIDE on: its event is set aside there.
    uint32_t place;    ///< Its event's number plus 1; 0: before the first one.
    uint32_t key_size; ///< Without the 0 behind it.
    uint32_t size;
    bool is_text;
    char key[]; ///< And behind its 0 the text or bytes, with a 0.
} kifu__note;

#define KIFU__NOTES_ASIDE UINT32_C(0x80000000)

/// The part of a timeline that keeps notes.
typedef struct kifu__notes {
    kifu__part part;
    kifu__note *top;
    kifu__watcher watcher;
    size_t used; ///< As `note_limit` counts.
} kifu__notes;

/// Negative, 0 or positive.
int kifu__note_order(const kifu__note *note, uint32_t line, uint32_t place, const char *key);

/// Adds a note that the tree does not have, and takes out one that it has. Both return the new top.
kifu__note *kifu__note_insert(kifu__note *top, kifu__note *note);
kifu__note *kifu__note_remove(kifu__note *top, const kifu__note *note);

/// The first note that is there or behind, and the first one behind; NULL: there is none.
kifu__note *kifu__note_from(kifu__note *top, uint32_t line, uint32_t place, const char *key);
kifu__note *kifu__note_after(kifu__note *top, uint32_t line, uint32_t place, const char *key);

#endif
