// Where undo, redo and kifu_go_to lead to, and what waits there.

#include <stdlib.h>
#include <string.h>

#include "tree_inside.h"

// --- What waits by place --------------------------------------------------------------------------------------------

walk_line *walk_line_of(const walk_tree *tree, uint32_t line, uint32_t place)
{
    return &tree->lines[walk_owner(tree, line, place ? place - 1 : 0)];
}

walk_kept *walk_kept_at(const walk_tree *tree, uint32_t line, uint32_t place)
{
    const walk_line *own = walk_line_of(tree, line, place);
    for (uint32_t i = 0; i < own->kept_count; i++) {
        if (own->kept[i].place == place)
            return &own->kept[i];
    }
    return NULL;
}

static void forget_kept(walk_tree *tree, uint32_t line, uint32_t place)
{
    const walk_kept *kept = walk_kept_at(tree, line, place);
    walk_line *own = walk_line_of(tree, line, place);
    if (kept)
        walk_drop_kept(own, (uint32_t)(kept - own->kept));
}

static void set_waiting(walk_tree *tree, const walk_queue *queue)
{
    free(tree->waiting.items);
    tree->waiting = walk_copy_queue(queue);
}

void walk_add_kept(walk_line *line, walk_kept kept)
{
    line->kept = (walk_kept *)realloc(line->kept, (line->kept_count + 1) * sizeof *line->kept);
    if (!line->kept)
        abort();
    kept.queue = walk_copy_queue(&kept.queue);
    line->kept[line->kept_count++] = kept;
}

// The game goes back from the place where it is: what waits is kept there.
static void leave(walk_tree *tree)
{
    forget_kept(tree, tree->current, tree->place);
    if (tree->waiting.count || tree->hides)
        walk_add_kept(walk_line_of(tree, tree->current, tree->place),
                      (walk_kept){.place = tree->place, .doubtful = !tree->waiting.count, .queue = tree->waiting});
    set_waiting(tree, &(walk_queue){.count = 0});
}

// It arrives where `got` is. Forward or sideways, what was kept there waits again; else it is gone.
static const char *arrive(walk_tree *tree, const walk_tree *got, bool back)
{
    const walk_kept *kept = walk_kept_at(tree, got->current, got->place);
    const walk_queue none = {.count = 0}, *queue = kept && !back ? &kept->queue : &none;
    if (!(kept && kept->any && !back) && !walk_same_queue(queue, &got->waiting))
        return walk_say_why("%u proposals wait after event %u of line %u, where %u did, or other ones",
                            got->waiting.count, got->place, got->current, queue->count);
    tree->current = got->current;
    tree->place = got->place;
    set_waiting(tree, &got->waiting);
    forget_kept(tree, tree->current, tree->place);
    return NULL;
}

// --- Going ----------------------------------------------------------------------------------------------------------

uint32_t walk_undo_count(const walk_tree *tree, const kifu_rules *rules, uint32_t floor)
{
    bool unless = false, random = false;
    for (uint32_t event = tree->place; event > floor && event > tree->first;) {
        const walk_event *last = walk_event_of(tree, tree->current, --event);
        if (!last || !(last->flags & KIFU_UNDOABLE) || rules->types[last->type].never_undoable ||
            last->flags & KIFU_REVEALS)
            return 0;
        unless |= (last->flags & KIFU_UNLESS_RANDOM) != 0;
        random |= (last->flags & KIFU_RANDOM) != 0;
        if (unless && random)
            return 0;
        if (!(last->flags & KIFU_CONTINUE_UNDO))
            return tree->place - event;
    }
    return 0;
}

// Where the next redo stops: the last of these, or one before it where the model does not know whether something waits.
static uint32_t redo_stops(const walk_tree *tree, uint32_t *stops, uint32_t room)
{
    const uint32_t end = tree->lines[tree->current].end;
    uint32_t count = 0;
    for (uint32_t place = tree->place + 1; place <= end && count < room; place++) {
        const walk_kept *kept = walk_kept_at(tree, tree->current, place);
        const bool stop = place == end || !walk_goes_on(tree, tree->current, place) || (kept && !kept->doubtful);
        if (stop || kept)
            stops[count++] = place;
        if (stop)
            break;
    }
    return count;
}

const char *walk_may_redo(const walk_tree *tree, const walk_tree *got)
{
    uint32_t stops[64];
    const uint32_t count = redo_stops(tree, stops, 64);
    if (!count || tree->waiting.count)
        return got->can_redo ? walk_say_why("redo brings back %u events, where it can bring back none", got->can_redo)
                             : NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (got->can_redo == stops[i] - tree->place)
            return NULL;
    }
    return walk_say_why("redo brings back %u events, not %u", got->can_redo, stops[count - 1] - tree->place);
}

const char *walk_undone(walk_tree *tree, const walk_tree *got, const kifu_rules *rules, uint32_t floor)
{
    const uint32_t count = walk_undo_count(tree, rules, floor), place = tree->place - count;
    if (got->place != place || got->current != tree->current)
        return walk_say_why("an undo of %u events led to event %u of line %u, not %u of line %u", count, got->place,
                            got->current, place, tree->current);
    leave(tree);
    return arrive(tree, got, true);
}

const char *walk_redone(walk_tree *tree, const walk_tree *got)
{
    uint32_t stops[64];
    const uint32_t count = redo_stops(tree, stops, 64);
    for (uint32_t i = 0; i < count; i++) {
        if (stops[i] == got->place && got->current == tree->current)
            return arrive(tree, got, false);
    }
    return walk_say_why("a redo led to event %u of line %u, not %u of line %u", got->place, got->current,
                        count ? stops[count - 1] : tree->place, tree->current);
}

const char *walk_went(walk_tree *tree, const walk_tree *got, uint32_t line, uint32_t count)
{
    const uint32_t from = tree->place, old = tree->current, shared = walk_shared(tree, old, line),
                   to = walk_end_of_chain(tree, line, count);
    if (line == old && count == from && got->current == line && got->place == count)
        return NULL; // It is there, be it inside a chain.
    if (got->current != line || got->place != to)
        return walk_say_why("a go to event %u of line %u led to event %u of line %u, not %u", count, line, got->place,
                            got->current, to);
    // Where the way turns: chains of the line that it leaves are whole, but where the lines part.
    const uint32_t chain = count < shared ? walk_end_of_chain(tree, old, count) : shared;
    const uint32_t turn = chain < shared ? chain : shared, back = turn < from ? turn : from;
    if (line != old)
        tree->lines[old].left = from;
    if (back < from)
        leave(tree);
    if (to > back || back < from)
        return arrive(tree, got, to == back);
    tree->current = line; // It is the same place.
    return NULL;
}
