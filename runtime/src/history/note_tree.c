// A balanced tree of notes (an AA tree: a binary tree with levels, in which a note has the level of its right child's
// at most once in a row, and is above its left one's). It needs no memory beside the notes.

#include "history/notes.h"

int kifu__note_order(const kifu__note *note, uint32_t line, uint32_t place, const char *key)
{
    if (note->line != line)
        return note->line < line ? -1 : 1;
    if (note->place != place)
        return note->place < place ? -1 : 1;
    return strcmp(note->key, key);
}

static uint32_t level_of(const kifu__note *note)
{
    return note ? note->level : 0;
}

// A left child of the same level goes up.
static kifu__note *skew(kifu__note *top)
{
    kifu__note *left = top ? top->left : NULL;
    if (!left || left->level != top->level)
        return top;
    top->left = left->right;
    left->right = top;
    return left;
}

// Of three of the same level in a row to the right, the middle one goes up a level.
static kifu__note *split_notes(kifu__note *top)
{
    kifu__note *right = top ? top->right : NULL;
    if (!right || level_of(right->right) != top->level)
        return top;
    top->right = right->left;
    right->left = top;
    right->level++;
    return right;
}

kifu__note *kifu__note_insert(kifu__note *top, kifu__note *note)
{
    if (!top) {
        note->left = note->right = NULL;
        note->level = 1;
        return note;
    }
    if (kifu__note_order(top, note->line, note->place, note->key) > 0)
        top->left = kifu__note_insert(top->left, note);
    else
        top->right = kifu__note_insert(top->right, note);
    return split_notes(skew(top));
}

// After a note below has been taken out.
static kifu__note *lower(kifu__note *top)
{
    const uint32_t left = level_of(top->left), right = level_of(top->right);
    const uint32_t most = 1 + (left < right ? left : right);
    if (most < top->level) {
        top->level = most;
        if (most < right)
            top->right->level = most;
    }
    top = skew(top);
    top->right = skew(top->right);
    if (top->right)
        top->right->right = skew(top->right->right);
    top = split_notes(top);
    top->right = split_notes(top->right);
    return top;
}

static kifu__note *take_first_note(kifu__note *top, kifu__note **first)
{
    if (!top->left) {
        *first = top;
        return top->right;
    }
    top->left = take_first_note(top->left, first);
    return lower(top);
}

kifu__note *kifu__note_remove(kifu__note *top, const kifu__note *note)
{
    if (top == note && !top->right)
        return NULL; // It has no left child either.
    if (top == note) {
        kifu__note *next, *right = take_first_note(top->right, &next);
        next->left = top->left;
        next->right = right;
        next->level = top->level;
        top = next;
    } else if (kifu__note_order(top, note->line, note->place, note->key) > 0)
        top->left = kifu__note_remove(top->left, note);
    else
        top->right = kifu__note_remove(top->right, note);
    return lower(top);
}

// The first note that is there or behind, or with `behind` the first one behind.
static kifu__note *find_in_notes(kifu__note *top, uint32_t line, uint32_t place, const char *key, bool behind)
{
    kifu__note *found = NULL;
    while (top) {
        const int order = kifu__note_order(top, line, place, key);
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
    return found && !kifu__note_order(found, line, place, key) ? found : NULL;
}
