// How a tree may change: by playing, deleting, forgetting, and in a load with fewer options.

#include <stdlib.h>
#include <string.h>

#include "tree_inside.h"

// --- Playing --------------------------------------------------------------------------------------------------------

// What the timeline does not show of a line, and the model knows; of its events, up to number `end`.
static void carry_over(walk_line *to, walk_line *from, uint32_t end)
{
    for (uint32_t i = to->from > from->from ? to->from : from->from; i < to->end && i < from->end && i < end; i++) {
        to->events[i - to->from].hash = from->events[i - from->from].hash;
        to->events[i - to->from].hashed = from->events[i - from->from].hashed;
    }
    to->left = from->left;
    to->kept = from->kept;
    to->kept_count = from->kept_count;
    from->kept = NULL;
    from->kept_count = 0;
}

// A number that was given to a line may be taken back if its events are now those of another one, or if it has none.
static const char *may_vanish(const walk_tree *tree, const walk_tree *got, uint32_t id, bool variations)
{
    const walk_line *own = &tree->lines[id];
    if (id + 1 < tree->line_count)
        return walk_say_why("line %u is lost", id);
    for (uint32_t i = own->from; i < own->end; i++) {
        const walk_event *there = walk_event_of(got, got->current, i);
        if (variations && (!there || !walk_same_event(&own->events[i - own->from], there, got->first)))
            return walk_say_why("line %u is lost, with event %u", id, i);
    }
    return NULL;
}

static const char *notes_grew(const walk_tree *tree, const walk_tree *got, bool variations)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < tree->note_count; i++) {
        const walk_note *note = &tree->notes[i];
        if (note->event != KIFU_NONE && (note->line >= got->line_count || !got->lines[note->line].alive ||
                                         note->event >= got->lines[note->line].end))
            continue; // Its event is gone.
        const bool found = at < got->note_count && !memcmp(note, &got->notes[at], sizeof *note);
        at += found;
        const bool may_go = !variations && note->event != KIFU_NONE && note->event >= tree->place;
        if (!found && !may_go)
            return walk_say_why("the note at event %u of line %u is lost or changed", note->event, note->line);
    }
    return at < got->note_count ? walk_say_why("there are %u notes more", got->note_count - at) : NULL;
}

static const char *old_lines_grew(const walk_tree *tree, const walk_tree *got, const walk_growth *how, bool *vanished)
{
    for (uint32_t id = 0; id < tree->line_count; id++) {
        const walk_line *own = &tree->lines[id];
        if (!own->alive)
            continue;
        const walk_line *now = id < got->line_count && got->lines[id].alive ? &got->lines[id] : NULL;
        if (!now || now->parent != own->parent || now->from != own->from) {
            const char *why = may_vanish(tree, got, id, how->variations && own->end > own->from);
            if (why)
                return why;
            *vanished = true;
            continue;
        }
        const uint32_t least = how->variations ? own->end : id == tree->current ? tree->place : own->end;
        if (now->end < least)
            return walk_say_why("line %u ends after event %u, and had %u", id, now->end, own->end);
        for (uint32_t i = own->from; i < own->end && i < now->end && (how->variations || i < tree->place); i++) {
            if (!walk_same_event(&own->events[i - own->from], &now->events[i - own->from], got->first))
                return walk_say_why("event %u of line %u has become another one", i, id);
        }
    }
    return NULL;
}

// Playing the events with which a line begins enters that line, and begins no other.
static const char *is_double(const walk_tree *got, uint32_t id)
{
    const walk_line *fresh = &got->lines[id];
    if (walk_is_root(got, id) || fresh->end == fresh->from || id != got->current || got->place != fresh->end)
        return NULL;
    for (uint32_t other = 0; other < got->line_count; other++) {
        const walk_line *line = &got->lines[other];
        const bool beside = line->alive && line->parent == fresh->parent && line->from == fresh->from;
        if (other == id || !line->alive || !(other == fresh->parent || beside))
            continue;
        uint32_t i = fresh->from;
        for (; i < fresh->end && i < line->end; i++) {
            if (!walk_same_event(&line->events[i - line->from], &fresh->events[i - fresh->from], got->first))
                break;
        }
        if (i == fresh->end)
            return walk_say_why("line %u was begun, and line %u has its events", id, other);
    }
    return NULL;
}

static bool is_same_line(const walk_line *a, const walk_line *b)
{
    return a->parent == b->parent && a->from == b->from;
}

// Whether the current line goes on behind the place as it did.
static bool goes_on_alike(const walk_tree *tree, const walk_tree *got)
{
    const uint32_t end = tree->lines[tree->current].end;
    for (uint32_t i = tree->place; i < end; i++) {
        const walk_event *now = walk_event_of(got, got->current, i);
        if (!now || !walk_same_event(walk_event_of(tree, tree->current, i), now, got->first))
            return false;
    }
    return got->lines[got->current].end == end;
}

static const char *main_grew(const walk_tree *tree, const walk_tree *got, const walk_growth *how)
{
    const uint32_t was = tree->main;
    // A line that had only begun may have turned out to be another one, and its number may have been given anew.
    const bool stays =
        was < got->line_count && got->lines[was].alive && is_same_line(&tree->lines[was], &got->lines[was]);
    if (how->promotes && how->variations && got->place > tree->place && got->main != got->current)
        return walk_say_why("line %u is played, and line %u is the main one", got->current, got->main);
    if (stays && got->main != was && !(how->promotes && got->main == got->current))
        return walk_say_why("line %u became the main one, and was not promoted", got->main);
    return NULL;
}

const char *walk_grew(walk_tree *tree, const walk_tree *got, const walk_growth *how)
{
    bool vanished = false;
    const char *why = old_lines_grew(tree, got, how, &vanished);
    if (why)
        return why;
    for (uint32_t i = tree->first; i < tree->place; i++) {
        const walk_event *was = walk_event_of(tree, tree->current, i), *now = walk_event_of(got, got->current, i);
        if (!now || !walk_same_event(was, now, got->first))
            return walk_say_why("event %u of the game is lost or changed", i);
    }
    if (got->place < tree->place)
        return walk_say_why("%u events have happened, and %u had", got->place, tree->place);
    why = main_grew(tree, got, how);
    if (!why && !vanished)
        why = notes_grew(tree, got, how->variations);
    if (!why && how->one_input && how->variations && !how->starved && !got->waiting.count &&
        !got->first && // An event whose cause is forgotten looks like one that has none.
        got->current >= tree->line_count)
        why = is_double(got, got->current);
    if (why)
        return why;

    walk_tree next;
    walk_copy(&next, got);
    next.first_hash = tree->first_hash;
    next.first_hashed = tree->first_hashed;
    const bool moved = got->current != tree->current || got->place != tree->place;
    next.hides = tree->hides;
    uint32_t lowest = tree->place; // Of the events that were played, or that the game has found again.
    for (uint32_t id = 0; id < tree->line_count; id++) {
        const walk_line *was = &tree->lines[id];
        const bool there = id < next.line_count && next.lines[id].alive && is_same_line(was, &next.lines[id]);
        if (was->alive && there)
            carry_over(&next.lines[id], &tree->lines[id],
                       how->variations || id != tree->current ? KIFU_NONE : tree->place);
        else if (was->alive && was->from < lowest)
            lowest = was->from;
    }
    // Without variations, what was undone inside of a transaction takes the place of what was behind.
    const bool other = !how->variations && (moved || !goes_on_alike(tree, got));
    for (uint32_t id = 0; id < next.line_count; id++) {
        walk_line *own = &next.lines[id];
        for (uint32_t i = own->kept_count; i-- > 0;) {
            if (own->kept[i].place > own->end || (other && own->kept[i].place > tree->place))
                walk_drop_kept(own, i);
            else if (!how->variations && how->commit && own->kept[i].place > tree->place)
                own->kept[i].doubtful = own->kept[i].any = true; // As below, with the same events as before.
        }
    }
    for (uint32_t place = lowest + 1; place <= got->place; place++) {
        const walk_kept *kept = walk_kept_at(&next, next.current, place);
        walk_line *own = walk_line_of(&next, next.current, place);
        if (kept)
            walk_drop_kept(own, (uint32_t)(kept - own->kept));
    }
    for (uint32_t place = got->place + 1; how->commit && place <= next.lines[next.current].end; place++) {
        if (!walk_kept_at(&next, next.current, place)) // It may have been undone inside of the transaction.
            walk_add_kept(walk_line_of(&next, next.current, place),
                          (walk_kept){.place = place, .doubtful = true, .any = true});
    }
    if (got->current != tree->current && tree->current < next.line_count)
        next.lines[tree->current].left = how->one_input ? tree->place : KIFU_NONE;
    for (uint32_t id = 0; (vanished || !how->one_input) && moved && id < next.line_count; id++)
        next.lines[id].left = KIFU_NONE; // The game may have been in it on the way.
    walk_drop(tree);
    *tree = next;
    return NULL;
}

// --- Changing the tree ----------------------------------------------------------------------------------------------

void walk_project(walk_tree *to, const walk_tree *from)
{
    walk_copy(to, from);
    walk_line only = {.alive = true, .from = from->first, .end = from->lines[from->current].end, .left = KIFU_NONE};
    only.events = (walk_event *)walk_alloc((only.end - only.from) * sizeof *only.events);
    for (uint32_t i = only.from; i < only.end; i++)
        only.events[i - only.from] = *walk_event_of(from, from->current, i);
    for (uint32_t place = from->first; place <= only.end; place++) {
        const walk_kept *kept = walk_kept_at(from, from->current, place);
        if (kept)
            walk_add_kept(&only, *kept);
    }
    uint32_t notes = 0;
    for (uint32_t i = 0; i < to->note_count; i++) {
        walk_note note = to->notes[i];
        if (note.event != KIFU_NONE &&
            (note.event >= only.end || note.line != walk_owner(from, from->current, note.event)))
            continue;
        note.line = 0;
        to->notes[notes++] = note;
    }
    to->note_count = notes;
    for (uint32_t i = 0; i < to->line_count; i++)
        walk_drop_line(&to->lines[i]);
    to->lines[0] = only;
    to->line_count = 1;
    to->current = to->main = 0;
}

void walk_delete(walk_tree *tree, uint32_t line)
{
    const uint32_t parent = tree->lines[line].parent;
    if (tree->main == line)
        tree->main = parent;
    walk_drop_line(&tree->lines[line]);
    for (uint32_t id = line + 1; id < tree->line_count; id++) {
        if (!tree->lines[id].alive || tree->lines[tree->lines[id].parent].alive)
            continue;
        if (tree->main == id)
            tree->main = parent;
        walk_drop_line(&tree->lines[id]);
    }
    uint32_t notes = 0;
    for (uint32_t i = 0; i < tree->note_count; i++) {
        if (tree->notes[i].event == KIFU_NONE || tree->lines[tree->notes[i].line].alive)
            tree->notes[notes++] = tree->notes[i];
    }
    tree->note_count = notes;
}

static uint32_t line_at(const walk_tree *tree, uint32_t id, uint32_t root)
{
    while (tree->lines[id].from >= root && !walk_is_root(tree, id))
        id = tree->lines[id].parent;
    return id;
}

void walk_forget(walk_tree *tree, uint32_t root)
{
    const uint32_t first = line_at(tree, tree->current, root);
    const walk_event *last = walk_event_of(tree, tree->current, root - 1);
    tree->first_hashed = last && last->hashed;
    tree->first_hash = last ? last->hash : 0;
    if (line_at(tree, tree->main, root) != first)
        tree->main = first;
    bool gone[MOST_ABSURD / 100] = {false};
    for (uint32_t id = 0; id < tree->line_count; id++)
        gone[id] = tree->lines[id].alive && line_at(tree, id, root) != first;
    for (uint32_t id = 0; id < tree->line_count; id++) {
        walk_line *own = &tree->lines[id];
        if (gone[id])
            walk_drop_line(own);
        if (own->alive && own->left != KIFU_NONE && own->left < root)
            own->left = root;
    }
    walk_line *own = &tree->lines[first];
    if (own->from < root) {
        memmove(own->events, own->events + (root - own->from), (own->end - root) * sizeof *own->events);
        own->from = root;
    }
    own->parent = first;
    for (uint32_t id = 0; id < tree->line_count; id++) {
        walk_line *each = &tree->lines[id];
        for (uint32_t i = each->alive ? each->kept_count : 0; i-- > 0;) {
            if (each->kept[i].place <= root)
                walk_drop_kept(each, i);
        }
    }
    tree->first = root;
    uint32_t notes = 0;
    for (uint32_t i = 0; i < tree->note_count; i++) {
        const walk_note *note = &tree->notes[i];
        if (note->event == KIFU_NONE || (tree->lines[note->line].alive && note->event >= root))
            tree->notes[notes++] = *note;
    }
    tree->note_count = notes;
}
