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

kifu__note *kifu__note_after(kifu__note *top, uint32_t line, uint32_t place, const char *key)
{
    kifu__note *found = NULL;
    while (top) {
        const bool behind = note_order(top, line, place, key) > 0;
        found = behind ? top : found;
        top = behind ? top->left : top->right;
    }
    return found;
}

kifu__note *kifu__note_at(kifu__note *top, uint32_t line, uint32_t place, const char *key)
{
    int order;
    while (top && (order = note_order(top, line, place, key)) != 0)
        top = order > 0 ? top->left : top->right;
    return top;
}
