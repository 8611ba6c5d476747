// A tree of notes that is balanced by chance: each has a random weight, and those below it have smaller ones (a treap).
// So no order in which notes come makes it deep. It needs no memory beside the notes.

#include "history/notes.h"

// Negative, 0 or positive.
static int note_order(const kifu__note *note, uint32_t line, uint32_t place, const char *key)
{
    if (note->line != line)
        return note->line < line ? -1 : 1;
    if (note->place != place)
        return note->place < place ? -1 : 1;
    return strcmp(note->key, key);
}

static bool is_behind(const kifu__note *one, const kifu__note *other)
{
    return note_order(one, other->line, other->place, other->key) > 0;
}

void kifu__note_insert(kifu__note **top, kifu__note *note)
{
    while (*top && (*top)->weight > note->weight)
        top = is_behind(*top, note) ? &(*top)->left : &(*top)->right;
    kifu__note *below = *top, **before = &note->left, **behind = &note->right;
    *top = note;
    while (below) { // It parts where the note stands.
        if (is_behind(below, note)) {
            *behind = below;
            behind = &below->left;
            below = below->left;
        } else {
            *before = below;
            before = &below->right;
            below = below->right;
        }
    }
    *before = *behind = NULL;
}

void kifu__note_remove(kifu__note **top, const kifu__note *note)
{
    while (*top != note)
        top = is_behind(*top, note) ? &(*top)->left : &(*top)->right;
    kifu__note *before = note->left, *behind = note->right;
    while (before && behind) { // What was below it joins.
        if (before->weight > behind->weight) {
            *top = before;
            top = &before->right;
            before = before->right;
        } else {
            *top = behind;
            top = &behind->left;
            behind = behind->left;
        }
    }
    *top = before ? before : behind;
}

// The first note that is there or behind, or with `behind` the first one behind.
static kifu__note *find_in_notes(kifu__note *top, uint32_t line, uint32_t place, const char *key, bool behind)
{
    kifu__note *found = NULL;
    while (top) {
        const int order = note_order(top, line, place, key);
        const bool before = behind ? order <= 0 : order < 0;
        if (!before)
            found = top;
        top = before ? top->right : top->left;
    }
    return found;
}

kifu__note *kifu__note_from(kifu__note *top, uint32_t line, uint32_t place, const char *key)
{
    return find_in_notes(top, line, place, key, false);
}

kifu__note *kifu__note_after(kifu__note *top, uint32_t line, uint32_t place, const char *key)
{
    return find_in_notes(top, line, place, key, true);
}

kifu__note *kifu__note_at(kifu__note *top, uint32_t line, uint32_t place, const char *key)
{
    kifu__note *found = kifu__note_from(top, line, place, key);
    return found && !note_order(found, line, place, key) ? found : NULL;
}
