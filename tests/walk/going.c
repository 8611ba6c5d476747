// Where undo, redo and kifu_go_to lead to, and what waits there.

#include <stdlib.h>
#include <string.h>

#include "tree_inside.h"

// --- What waits by place --------------------------------------------------------------------------------------------

// Whether the way to line `a` and that to line `b` have the same events up to a place.
bool walk_same_place(const walk_tree *tree, uint32_t a, uint32_t b, uint32_t place)
{
    return a == b || place <= tree->first || walk_shared(tree, a, b) >= place;
}

// Whether a line begins behind this place of the current one.
bool walk_parts_at(const walk_tree *tree, uint32_t place)
{
    for (uint32_t id = 0; id < tree->line_count; id++) {
        const walk_line *own = &tree->lines[id];
        if (own->alive && own->from == place && !walk_is_root(tree, id) &&
            walk_same_place(tree, id, tree->current, place))
            return true;
    }
    return false;
}

walk_candidates walk_kept_at(const walk_tree *tree, uint32_t line, uint32_t place)
{
    walk_candidates found = {.count = 0};
    const uint32_t exact = walk_event_of(tree, line, place) ? walk_owner(tree, line, place) : line;
    for (uint32_t id = 0; id < tree->line_count; id++) {
        walk_line *own = &tree->lines[id];
        for (uint32_t i = 0; own->alive && i < own->kept_count && found.count < 64; i++) {
            if (own->kept[i].place != place || !walk_same_place(tree, line, id, place))
                continue;
            found.items[found.count++] = &own->kept[i];
            if (id == exact && !own->kept[i].doubtful) {
                found.sure = true;
                found.items[found.count - 1] = found.items[0];
                found.items[0] = &own->kept[i];
            }
        }
    }
    found.sure = found.sure && !walk_parts_at(tree, place); // What was kept may have gone along with another line.
    return found;
}

// What was kept at a place is gone.
static void forget_kept(walk_tree *tree, uint32_t line, uint32_t place)
{
    for (uint32_t id = 0; id < tree->line_count; id++) {
        walk_line *own = &tree->lines[id];
        for (uint32_t i = own->alive ? own->kept_count : 0; i-- > 0;) {
            if (own->kept[i].place == place && walk_same_place(tree, line, id, place))
                walk_drop_kept(own, i);
        }
    }
}

// What was kept between two places may be gone.
static void pass_kept(walk_tree *tree, uint32_t line, uint32_t from, uint32_t to)
{
    for (uint32_t id = 0; id < tree->line_count; id++) {
        walk_line *own = &tree->lines[id];
        for (uint32_t i = 0; own->alive && i < own->kept_count; i++) {
            if (own->kept[i].place > from && own->kept[i].place < to &&
                walk_same_place(tree, line, id, own->kept[i].place))
                own->kept[i].doubtful = true;
        }
    }
}

static void set_waiting(walk_tree *tree, const walk_queue *queue)
{
    free(tree->waiting.items);
    tree->waiting = walk_copy_queue(queue);
}

void walk_add_kept(walk_line *line, uint32_t place, bool doubtful, const walk_queue *queue)
{
    line->kept = (walk_kept *)realloc(line->kept, (line->kept_count + 1) * sizeof *line->kept);
    if (!line->kept)
        abort();
    line->kept[line->kept_count++] = (walk_kept){place, doubtful, walk_copy_queue(queue)};
}

// The game leaves the place where it is.
static void leave(walk_tree *tree)
{
    const uint32_t exact =
        walk_event_of(tree, tree->current, tree->place) ? walk_owner(tree, tree->current, tree->place) : tree->current;
    walk_line *own = &tree->lines[exact];
    forget_kept(tree, tree->current, tree->place);
    if (!tree->waiting.count && walk_strict)
        return;
    walk_add_kept(own, tree->place, !tree->waiting.count, &tree->waiting); // Redo may stop there if nothing waits, too.
}

// It arrives where `got` is, forward or sideways: what waited there waits again.
static const char *arrive(walk_tree *tree, const walk_tree *got)
{
    const walk_candidates found = walk_kept_at(tree, got->current, got->place);
    bool good = (!got->waiting.count && !found.sure) || tree->unsure;
    for (uint32_t i = 0; i < (found.sure ? 1 : found.count) && !good; i++)
        good = walk_same_queue(&found.items[i]->queue, &got->waiting);
    if (!good)
        return walk_say_why("%u proposals wait after event %u of line %u, where %u did, or other ones",
                            got->waiting.count, got->place, got->current,
                            found.count ? found.items[0]->queue.count : 0);
    forget_kept(tree, got->current, got->place);
    tree->current = got->current;
    tree->place = got->place;
    set_waiting(tree, &got->waiting);
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

bool walk_strict;

// Where the next redo may stop; each place but the last is doubtful. 0: nothing is behind the place.
static uint32_t redo_stops(const walk_tree *tree, uint32_t *stops, uint32_t room)
{
    const uint32_t end = tree->lines[tree->current].end;
    uint32_t count = 0;
    for (uint32_t place = tree->place + 1; place <= end && count < room; place++) {
        const walk_candidates found = walk_kept_at(tree, tree->current, place);
        const bool stop = place == end || !walk_goes_on(tree, tree->current, place) || found.sure;
        if (stop || found.count || tree->unsure || (!walk_strict && walk_parts_at(tree, place)))
            stops[count++] = place;
        if (stop && walk_strict && !tree->unsure)
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
    const uint32_t count = walk_undo_count(tree, rules, floor);
    leave(tree);
    tree->place -= count;
    forget_kept(tree, tree->current, tree->place);
    set_waiting(tree, &(walk_queue){.count = 0});
    return got->place == tree->place && got->current == tree->current
               ? NULL
               : walk_say_why("an undo of %u events led to event %u of line %u, not %u of line %u", count, got->place,
                              got->current, tree->place, tree->current);
}

const char *walk_redone(walk_tree *tree, const walk_tree *got)
{
    uint32_t stops[64];
    const uint32_t count = redo_stops(tree, stops, 64);
    for (uint32_t i = 0; i < count; i++) {
        if (stops[i] == got->place && got->current == tree->current) {
            leave(tree);
            pass_kept(tree, tree->current, tree->place, got->place);
            return arrive(tree, got);
        }
    }
    return walk_say_why("a redo led to event %u of line %u, not %u of line %u", got->place, got->current,
                        count ? stops[count - 1] : tree->place, tree->current);
}

const char *walk_went(walk_tree *tree, const walk_tree *got, uint32_t line, uint32_t count)
{
    const uint32_t shared = walk_shared(tree, tree->current, line), to = walk_end_of_chain(tree, line, count);
    if (line == tree->current && count == tree->place && got->current == line && got->place == count)
        return NULL; // It is there, be it inside a chain.
    if (got->current != line || got->place != to)
        return walk_say_why("a go to event %u of line %u led to event %u of line %u, not %u", count, line, got->place,
                            got->current, to);
    const uint32_t from = tree->place, old = tree->current;
    const bool back = to <= shared && to < from; // It lies on the way to where the game was.
    leave(tree);
    if (line != old)
        tree->lines[old].left = from;
    if (back) { // What was kept there is gone; lines that part there may have it.
        const walk_candidates found = walk_kept_at(tree, line, to);
        for (uint32_t i = 0; i < found.count; i++)
            found.items[i]->doubtful = true;
        if (line == old)
            forget_kept(tree, line, to);
    }
    pass_kept(tree, line, 0, to);
    return arrive(tree, got);
}
