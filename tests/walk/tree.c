// The tree itself: its memory, the way to a line, comparing.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree_inside.h"

const char *walk_say_why(const char *format, ...)
{
    static char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}

// --- Memory ---------------------------------------------------------------------------------------------------------

void *walk_alloc(size_t size)
{
    void *block = calloc(1, size ? size : 1);
    if (!block)
        abort();
    return block;
}

void *walk_copy_of(const void *items, size_t size)
{
    void *copy = walk_alloc(size);
    if (size)
        memcpy(copy, items, size);
    return copy;
}

walk_queue walk_copy_queue(const walk_queue *queue)
{
    return (walk_queue){(uint64_t *)walk_copy_of(queue->items, queue->count * sizeof *queue->items), queue->count};
}

void walk_drop_kept(walk_line *line, uint32_t index)
{
    free(line->kept[index].queue.items);
    line->kept_count--;
    memmove(&line->kept[index], &line->kept[index + 1], (line->kept_count - index) * sizeof *line->kept);
}

void walk_drop_line(walk_line *line)
{
    while (line->kept_count)
        walk_drop_kept(line, line->kept_count - 1);
    free(line->kept);
    free(line->events);
    *line = (walk_line){.alive = false};
}

void walk_drop(walk_tree *tree)
{
    for (uint32_t i = 0; i < tree->line_count; i++)
        walk_drop_line(&tree->lines[i]);
    free(tree->lines);
    free(tree->waiting.items);
    free(tree->notes);
    *tree = (walk_tree){.lines = NULL};
}

static void copy_line(walk_line *to, const walk_line *from)
{
    *to = *from;
    to->events = (walk_event *)walk_copy_of(from->events, (from->end - from->from) * sizeof *from->events);
    to->kept = (walk_kept *)walk_copy_of(from->kept, from->kept_count * sizeof *from->kept);
    for (uint32_t i = 0; i < from->kept_count; i++)
        to->kept[i].queue = walk_copy_queue(&from->kept[i].queue);
}

void walk_copy(walk_tree *to, const walk_tree *from)
{
    *to = *from;
    to->lines = (walk_line *)walk_alloc(from->line_count * sizeof *to->lines);
    for (uint32_t i = 0; i < from->line_count; i++)
        copy_line(&to->lines[i], &from->lines[i]);
    to->waiting = walk_copy_queue(&from->waiting);
    to->notes = (walk_note *)walk_copy_of(from->notes, from->note_count * sizeof *from->notes);
}

// --- The way to a line ----------------------------------------------------------------------------------------------

bool walk_is_root(const walk_tree *tree, uint32_t line)
{
    return tree->lines[line].parent == line;
}

uint32_t walk_owner(const walk_tree *tree, uint32_t line, uint32_t index)
{
    while (index < tree->lines[line].from && !walk_is_root(tree, line))
        line = tree->lines[line].parent;
    return line;
}

walk_event *walk_event_of(const walk_tree *tree, uint32_t line, uint32_t index)
{
    if (index < tree->first || line >= tree->line_count)
        return NULL;
    const walk_line *own = &tree->lines[walk_owner(tree, line, index)];
    return index >= own->from && index < own->end ? &own->events[index - own->from] : NULL;
}

uint32_t walk_shared(const walk_tree *tree, uint32_t a, uint32_t b)
{
    uint32_t shared = KIFU_NONE;
    while (a != b) {
        uint32_t *larger = a > b ? &a : &b;
        const walk_line *line = &tree->lines[*larger];
        shared = line->from < shared ? line->from : shared;
        if (line->parent == *larger)
            return 0;
        *larger = line->parent;
    }
    return shared;
}

uint32_t walk_nth(const walk_tree *tree, uint32_t place)
{
    place %= walk_alive(tree);
    for (uint32_t i = 0;; i++) {
        if (tree->lines[i].alive && !place--)
            return i;
    }
}

bool walk_goes_on(const walk_tree *tree, uint32_t line, uint32_t index)
{
    const walk_event *event = index > tree->first ? walk_event_of(tree, line, index) : NULL;
    return event && event->flags & KIFU_CONTINUE_UNDO;
}

uint32_t walk_end_of_chain(const walk_tree *tree, uint32_t line, uint32_t place)
{
    while (walk_goes_on(tree, line, place))
        place++;
    return place;
}

// --- Comparing ------------------------------------------------------------------------------------------------------

bool walk_same_queue(const walk_queue *a, const walk_queue *b)
{
    return a->count == b->count && (!a->count || !memcmp(a->items, b->items, a->count * sizeof *a->items));
}

// Causes that are forgotten are none.
static uint32_t cause_since(const walk_event *event, uint32_t first)
{
    return event->cause != KIFU_NONE && event->cause < first ? KIFU_NONE : event->cause;
}

bool walk_same_shape(const walk_event *a, const walk_event *b, uint32_t first)
{
    return a->type == b->type && a->player == b->player && a->flags == b->flags &&
           cause_since(a, first) == cause_since(b, first);
}

bool walk_same_event(const walk_event *a, const walk_event *b, uint32_t first)
{
    return walk_same_shape(a, b, first) && a->content == b->content && a->rules_version == b->rules_version;
}

static const char *line_differs(const walk_tree *want, const walk_tree *got, uint32_t id, bool shape)
{
    const walk_line none = {.alive = false};
    const walk_line *a = id < want->line_count ? &want->lines[id] : &none;
    const walk_line *b = id < got->line_count ? &got->lines[id] : &none;
    if (a->alive != b->alive)
        return walk_say_why("line %u is %s", id, a->alive ? "lost" : "new");
    if (!a->alive)
        return NULL;
    if (a->parent != b->parent || a->from != b->from || a->end != b->end)
        return walk_say_why("line %u goes from event %u of line %u to %u, not from %u of line %u to %u", id, b->from,
                            b->parent, b->end, a->from, a->parent, a->end);
    for (uint32_t i = a->from; i < a->end; i++) {
        const walk_event *one = &a->events[i - a->from], *other = &b->events[i - a->from];
        if (!(shape ? walk_same_shape : walk_same_event)(one, other, got->first))
            return walk_say_why(
                "event %u of line %u is another one: type %u flags %u player %d cause %u content %llx version "
                "%u, not type %u flags %u player %d cause %u content %llx version %u",
                i, id, other->type, other->flags, other->player, other->cause, (unsigned long long)other->content,
                other->rules_version, one->type, one->flags, one->player, one->cause, (unsigned long long)one->content,
                one->rules_version);
    }
    return NULL;
}

static const char *lines_differ(const walk_tree *want, const walk_tree *got, bool shape)
{
    const uint32_t count = want->line_count > got->line_count ? want->line_count : got->line_count;
    for (uint32_t id = 0; id < count; id++) {
        const char *why = line_differs(want, got, id, shape);
        if (why)
            return why;
    }
    if (want->current != got->current)
        return walk_say_why("line %u is the current one, not line %u", got->current, want->current);
    if (want->main != got->main)
        return walk_say_why("line %u is the main one, not line %u", got->main, want->main);
    if (want->first != got->first)
        return walk_say_why("%u events are forgotten, not %u", got->first, want->first);
    if (want->place != got->place)
        return walk_say_why("%u events have happened, not %u", got->place, want->place);
    return NULL;
}

static const char *notes_differ(const walk_tree *want, const walk_tree *got)
{
    if (want->note_count != got->note_count)
        return walk_say_why("there are %u notes, not %u", got->note_count, want->note_count);
    for (uint32_t i = 0; i < want->note_count; i++) {
        if (memcmp(&want->notes[i], &got->notes[i], sizeof *want->notes))
            return walk_say_why("note %u is at event %u of line %u, not at event %u of line %u, or says another thing",
                                i, got->notes[i].event, got->notes[i].line, want->notes[i].event, want->notes[i].line);
    }
    return NULL;
}

// Of the state where the game stands.
static const char *hash_differs(const walk_tree *want, const walk_tree *got)
{
    const walk_event *last = got->place > got->first ? walk_event_of(want, got->current, got->place - 1) : NULL;
    if (last ? last->hashed && last->hash != got->hash : want->first_hashed && want->first_hash != got->hash)
        return walk_say_why("the state after event %u of line %u is not what it was", got->place, got->current);
    return NULL;
}

const char *walk_differs(const walk_tree *want, const walk_tree *got)
{
    const char *why = lines_differ(want, got, false);
    if (!why)
        why = notes_differ(want, got);
    if (!why && !walk_same_queue(&want->waiting, &got->waiting))
        why = walk_say_why("%u proposals wait, not %u, or other ones", got->waiting.count, want->waiting.count);
    if (!why)
        why = hash_differs(want, got);
    if (!why && want->can_undo != got->can_undo)
        why = walk_say_why("undo takes back %u events, not %u", got->can_undo, want->can_undo);
    if (!why && want->can_redo != got->can_redo)
        why = walk_say_why("redo brings back %u events, not %u", got->can_redo, want->can_redo);
    return why;
}

const char *walk_shape_differs(const walk_tree *want, const walk_tree *got)
{
    return lines_differ(want, got, true);
}
