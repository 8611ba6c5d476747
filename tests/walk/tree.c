#include "tree.h"

#include <kifu/forget.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Memory ----------------------------------------------------------------------------------------------------------

void *walk_alloc(size_t size)
{
    void *block = calloc(1, size ? size : 1);
    if (!block)
        abort();
    return block;
}

static void *copy_of(const void *items, size_t size)
{
    void *copy = walk_alloc(size);
    if (size)
        memcpy(copy, items, size);
    return copy;
}

static walk_queue copy_queue(const walk_queue *queue)
{
    return (walk_queue){(uint64_t *)copy_of(queue->items, queue->count * sizeof *queue->items), queue->count};
}

static void drop_kept(walk_line *line, uint32_t index)
{
    free(line->kept[index].queue.items);
    line->kept_count--;
    memmove(&line->kept[index], &line->kept[index + 1], (line->kept_count - index) * sizeof *line->kept);
}

static void drop_line(walk_line *line)
{
    while (line->kept_count)
        drop_kept(line, line->kept_count - 1);
    free(line->kept);
    free(line->events);
    *line = (walk_line){.alive = false};
}

void walk_drop(walk_tree *tree)
{
    for (uint32_t i = 0; i < tree->line_count; i++)
        drop_line(&tree->lines[i]);
    free(tree->lines);
    free(tree->waiting.items);
    free(tree->notes);
    *tree = (walk_tree){.lines = NULL};
}

static void copy_line(walk_line *to, const walk_line *from)
{
    *to = *from;
    to->events = (walk_event *)copy_of(from->events, (from->end - from->from) * sizeof *from->events);
    to->kept = (walk_kept *)copy_of(from->kept, from->kept_count * sizeof *from->kept);
    for (uint32_t i = 0; i < from->kept_count; i++)
        to->kept[i].queue = copy_queue(&from->kept[i].queue);
}

void walk_copy(walk_tree *to, const walk_tree *from)
{
    *to = *from;
    to->lines = (walk_line *)walk_alloc(from->line_count * sizeof *to->lines);
    for (uint32_t i = 0; i < from->line_count; i++)
        copy_line(&to->lines[i], &from->lines[i]);
    to->waiting = copy_queue(&from->waiting);
    to->notes = (walk_note *)copy_of(from->notes, from->note_count * sizeof *from->notes);
}

// --- Digests ---------------------------------------------------------------------------------------------------------

uint64_t walk_mix(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return (hash ^ size) * UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t mix_number(uint64_t hash, uint64_t number)
{
    return walk_mix(hash, &number, sizeof number);
}

static uint64_t mix_table(uint64_t hash, const kifu__table *table, const void *at);

// Elements of a vector, or what they refer to.
static uint64_t mix_elements(uint64_t hash, const kifu__field *field, const kifu_ref *ref)
{
    const uint32_t count = kifu__length(ref);
    const unsigned char *elements = (const unsigned char *)kifu__elements(ref);
    hash = mix_number(hash, count);
    if (field->kind == KIFU__VECTOR)
        return elements ? walk_mix(hash, elements, (size_t)count * field->size) : hash;
    for (uint32_t i = 0; i < count; i++) {
        const kifu_ref *each = (const kifu_ref *)(const void *)(elements + 4 * (size_t)i);
        if (field->table)
            hash = mix_table(hash, field->table, kifu__follow(each));
        else
            hash = walk_mix(hash, kifu__elements(each), kifu__length(each));
    }
    return hash;
}

static uint64_t mix_field(uint64_t hash, const kifu__field *field, const unsigned char *at)
{
    if (field->kind == KIFU__SCALAR && field->has && !at[field->has])
        return hash;
    if (field->kind == KIFU__SCALAR || field->kind == KIFU__STRUCT)
        return walk_mix(hash, at + field->offset, field->size);
    const kifu_ref *ref = (const kifu_ref *)(const void *)(at + field->offset);
    if (!ref->offset)
        return hash;
    if (field->kind == KIFU__STRING)
        return walk_mix(hash, kifu__elements(ref), kifu__length(ref));
    if (field->kind == KIFU__TABLE)
        return mix_table(hash, field->table, kifu__follow(ref));
    return mix_elements(hash, field, ref);
}

static uint64_t mix_table(uint64_t hash, const kifu__table *table, const void *at)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        if (table->fields[i].offset)
            hash = mix_field(mix_number(hash, i), &table->fields[i], (const unsigned char *)at);
    }
    return hash;
}

static walk_event event_of(const kifu_timeline *timeline, const kifu_event *event)
{
    return (walk_event){
        .content = mix_table(event->type, kifu_timeline_rules(timeline)->types[event->type].table, event->table),
        .cause = event->cause,
        .rules_version = event->rules_version,
        .type = (uint8_t)event->type,
        .flags = event->flags,
        .player = (int8_t)event->player,
    };
}

// --- Observing -------------------------------------------------------------------------------------------------------

static const char *say(const char *format, ...)
{
    static char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}

static bool observe_line(kifu_timeline *timeline, walk_tree *tree, const kifu_line *line, const char **why)
{
    kifu_event event;
    if (line->count > MOST_ABSURD || line->from > MOST_ABSURD || line->id >= MOST_ABSURD) {
        *why = say("line %u has %u events from %u on", line->id, line->count, line->from);
        return false;
    }
    walk_line *own = &tree->lines[line->id];
    *own = (walk_line){.alive = true, .parent = line->parent, .from = line->from, .end = line->from + line->count};
    own->left = KIFU_NONE;
    own->events = (walk_event *)walk_alloc(line->count * sizeof *own->events);
    for (uint32_t i = 0; i < line->count; i++) {
        if (!kifu_line_event(timeline, line->id, line->from + i, &event)) {
            *why = say("event %u of line %u cannot be had", line->from + i, line->id);
            return false;
        }
        if (event.index != line->from + i || !event.type || event.type > kifu_timeline_rules(timeline)->type_count) {
            *why = say("event %u of line %u is number %u, type %u", line->from + i, line->id, event.index, event.type);
            return false;
        }
        own->events[i] = event_of(timeline, &event);
    }
    return true;
}

static bool observe_lines(kifu_timeline *timeline, walk_tree *tree, const char **why)
{
    kifu_line line;
    const uint32_t count = kifu_line_count(timeline);
    if (!count || !kifu_line_at(timeline, count - 1, &line) || line.id > MOST_ABSURD) {
        *why = say("there are %u lines", count);
        return false;
    }
    tree->line_count = line.id + 1;
    tree->lines = (walk_line *)walk_alloc(tree->line_count * sizeof *tree->lines);
    uint32_t currents = 0, mains = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!kifu_line_at(timeline, i, &line) || line.id >= tree->line_count || tree->lines[line.id].alive) {
            *why = say("line %u of %u cannot be had", i, count);
            return false;
        }
        if (!observe_line(timeline, tree, &line, why))
            return false;
        currents += line.current;
        mains += line.main;
        tree->current = line.current ? line.id : tree->current;
        tree->main = line.main ? line.id : tree->main;
    }
    if (currents != 1 || mains != 1 || tree->current != kifu_current_line(timeline) ||
        tree->main != kifu_main_line(timeline)) {
        *why = say("%u lines are the current one, %u the main one", currents, mains);
        return false;
    }
    for (uint32_t i = 0; i < tree->line_count; i++) {
        const walk_line *own = &tree->lines[i], *above = own->alive ? &tree->lines[own->parent] : own;
        if (own->alive && own->parent != i &&
            (own->parent > i || !above->alive || own->from > above->end || own->from < above->from)) {
            *why = say("line %u begins after %u events of line %u, which has them from %u to %u", i, own->from,
                       own->parent, above->from, above->end);
            return false;
        }
    }
    return true;
}

// The current line, event by event, as the rest of the library sees it.
static bool observe_place(kifu_timeline *timeline, walk_tree *tree, const char **why)
{
    kifu_event event;
    tree->first = kifu_first_event(timeline);
    tree->place = kifu_event_count(timeline);
    if (tree->place > tree->lines[tree->current].end || tree->place < tree->first) {
        *why = say("%u events have happened, %u are forgotten, and line %u ends after %u", tree->place, tree->first,
                   tree->current, tree->lines[tree->current].end);
        return false;
    }
    for (uint32_t i = tree->first; i < tree->place; i++) {
        const walk_event *own = walk_event_of(tree, tree->current, i);
        if (!own || !kifu_event_at(timeline, i, &event)) {
            *why = say("event %u cannot be had", i);
            return false;
        }
        const walk_event there = event_of(timeline, &event);
        if (memcmp(&there, own, sizeof there)) {
            *why = say("event %u is another one in the log (%s) than in its line", i, event.name);
            return false;
        }
    }
    tree->waiting.count = kifu_pending_count(timeline);
    if (tree->waiting.count > MOST_ABSURD) {
        *why = say("%u proposals wait", tree->waiting.count);
        return false;
    }
    tree->waiting.items = (uint64_t *)walk_alloc(tree->waiting.count * sizeof *tree->waiting.items);
    for (uint32_t i = 0; i < tree->waiting.count; i++) {
        if (!kifu_pending_at(timeline, i, &event)) {
            *why = say("proposal %u of %u cannot be had", i, tree->waiting.count);
            return false;
        }
        walk_event waits = event_of(timeline, &event);
        waits.cause = waits.cause != KIFU_NONE && waits.cause < tree->first ? KIFU_NONE : waits.cause;
        tree->waiting.items[i] = walk_mix(waits.content, &waits, sizeof waits);
    }
    return true;
}

static void observe_notes(const kifu_timeline *timeline, walk_tree *tree)
{
    kifu_note note = {0};
    uint32_t room = 0;
    while (kifu_next_note(timeline, &note)) {
        if (tree->note_count == room) {
            room = 2 * room + 8;
            tree->notes = (walk_note *)realloc(tree->notes, room * sizeof *tree->notes);
            if (!tree->notes)
                abort();
        }
        tree->notes[tree->note_count++] = (walk_note){
            .line = note.line,
            .event = note.event,
            .key = walk_mix(1, note.key, strlen(note.key)),
            .content = walk_mix(note.text ? 2 : 3, note.bytes, note.size),
        };
    }
}

bool walk_observe(kifu_timeline *timeline, walk_tree *tree, const char **why)
{
    *tree = (walk_tree){.lines = NULL};
    *why = NULL;
    if (!observe_lines(timeline, tree, why) || !observe_place(timeline, tree, why))
        return false;
    observe_notes(timeline, tree);
    tree->can_undo = kifu_can_undo(timeline, NULL);
    tree->can_redo = kifu_can_redo(timeline, NULL);
    tree->hash = kifu_state_hash(timeline);
    return true;
}

// --- The way to a line -----------------------------------------------------------------------------------------------

static bool is_root(const walk_tree *tree, uint32_t line)
{
    return tree->lines[line].parent == line;
}

uint32_t walk_owner(const walk_tree *tree, uint32_t line, uint32_t index)
{
    while (index < tree->lines[line].from && !is_root(tree, line))
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

static bool goes_on(const walk_tree *tree, uint32_t line, uint32_t index)
{
    const walk_event *event = index > tree->first ? walk_event_of(tree, line, index) : NULL;
    return event && event->flags & KIFU_CONTINUE_UNDO;
}

uint32_t walk_end_of_chain(const walk_tree *tree, uint32_t line, uint32_t place)
{
    while (goes_on(tree, line, place))
        place++;
    return place;
}

// --- Comparing -------------------------------------------------------------------------------------------------------

static bool same_queue(const walk_queue *a, const walk_queue *b)
{
    return a->count == b->count && !memcmp(a->items, b->items, a->count * sizeof *a->items);
}

// Causes that are forgotten are none.
static uint32_t cause_since(const walk_event *event, uint32_t first)
{
    return event->cause != KIFU_NONE && event->cause < first ? KIFU_NONE : event->cause;
}

static bool same_shape(const walk_event *a, const walk_event *b, uint32_t first)
{
    return a->type == b->type && a->player == b->player && a->flags == b->flags &&
           cause_since(a, first) == cause_since(b, first);
}

bool walk_same_event(const walk_event *a, const walk_event *b, uint32_t first)
{
    return same_shape(a, b, first) && a->content == b->content && a->rules_version == b->rules_version;
}

static const char *line_differs(const walk_tree *want, const walk_tree *got, uint32_t id, bool shape)
{
    const walk_line none = {.alive = false};
    const walk_line *a = id < want->line_count ? &want->lines[id] : &none;
    const walk_line *b = id < got->line_count ? &got->lines[id] : &none;
    if (a->alive != b->alive)
        return say("line %u is %s", id, a->alive ? "lost" : "new");
    if (!a->alive)
        return NULL;
    if (a->parent != b->parent || a->from != b->from || a->end != b->end)
        return say("line %u goes from event %u of line %u to %u, not from %u of line %u to %u", id, b->from, b->parent,
                   b->end, a->from, a->parent, a->end);
    for (uint32_t i = a->from; i < a->end; i++) {
        const walk_event *one = &a->events[i - a->from], *other = &b->events[i - a->from];
        if (!(shape ? same_shape : walk_same_event)(one, other, got->first))
            return say("event %u of line %u is another one: type %u flags %u player %d cause %u content %llx version "
                       "%u, not type %u flags %u player %d cause %u content %llx version %u",
                       i, id, other->type, other->flags, other->player, other->cause,
                       (unsigned long long)other->content, other->rules_version, one->type, one->flags, one->player,
                       one->cause, (unsigned long long)one->content, one->rules_version);
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
        return say("line %u is the current one, not line %u", got->current, want->current);
    if (want->main != got->main)
        return say("line %u is the main one, not line %u", got->main, want->main);
    if (want->first != got->first)
        return say("%u events are forgotten, not %u", got->first, want->first);
    if (want->place != got->place)
        return say("%u events have happened, not %u", got->place, want->place);
    return NULL;
}

static const char *notes_differ(const walk_tree *want, const walk_tree *got)
{
    if (want->note_count != got->note_count)
        return say("there are %u notes, not %u", got->note_count, want->note_count);
    for (uint32_t i = 0; i < want->note_count; i++) {
        if (memcmp(&want->notes[i], &got->notes[i], sizeof *want->notes))
            return say("note %u is at event %u of line %u, not at event %u of line %u, or says another thing", i,
                       got->notes[i].event, got->notes[i].line, want->notes[i].event, want->notes[i].line);
    }
    return NULL;
}

// Of the state where the game stands.
static const char *hash_differs(const walk_tree *want, const walk_tree *got)
{
    const walk_event *last = got->place > got->first ? walk_event_of(want, got->current, got->place - 1) : NULL;
    if (last ? last->hashed && last->hash != got->hash : want->first_hashed && want->first_hash != got->hash)
        return say("the state after event %u of line %u is not what it was", got->place, got->current);
    return NULL;
}

const char *walk_differs(const walk_tree *want, const walk_tree *got)
{
    const char *why = lines_differ(want, got, false);
    if (!why)
        why = notes_differ(want, got);
    if (!why && !same_queue(&want->waiting, &got->waiting))
        why = say("%u proposals wait, not %u, or other ones", got->waiting.count, want->waiting.count);
    if (!why)
        why = hash_differs(want, got);
    if (!why && want->can_undo != got->can_undo)
        why = say("undo takes back %u events, not %u", got->can_undo, want->can_undo);
    if (!why && want->can_redo != got->can_redo)
        why = say("redo brings back %u events, not %u", got->can_redo, want->can_redo);
    return why;
}

const char *walk_shape_differs(const walk_tree *want, const walk_tree *got)
{
    return lines_differ(want, got, true);
}

// --- What waits by place ---------------------------------------------------------------------------------------------

// Whether the way to line `a` and that to line `b` have the same events up to a place.
static bool same_place(const walk_tree *tree, uint32_t a, uint32_t b, uint32_t place)
{
    return a == b || place <= tree->first || walk_shared(tree, a, b) >= place;
}

// Whether a line begins behind this place of the current one.
static bool parts_at(const walk_tree *tree, uint32_t place)
{
    for (uint32_t id = 0; id < tree->line_count; id++) {
        const walk_line *own = &tree->lines[id];
        if (own->alive && own->from == place && !is_root(tree, id) && same_place(tree, id, tree->current, place))
            return true;
    }
    return false;
}

// What may wait at a place of the current line. The first is what is sure to, if there is something of that kind.
typedef struct candidates {
    walk_kept *items[64];
    uint32_t count;
    bool sure; ///< The first one waits there.
} candidates;

static candidates kept_at(const walk_tree *tree, uint32_t line, uint32_t place)
{
    candidates found = {.count = 0};
    const uint32_t exact = walk_event_of(tree, line, place) ? walk_owner(tree, line, place) : line;
    for (uint32_t id = 0; id < tree->line_count; id++) {
        walk_line *own = &tree->lines[id];
        for (uint32_t i = 0; own->alive && i < own->kept_count && found.count < 64; i++) {
            if (own->kept[i].place != place || !same_place(tree, line, id, place))
                continue;
            found.items[found.count++] = &own->kept[i];
            if (id == exact && !own->kept[i].doubtful) {
                found.sure = true;
                found.items[found.count - 1] = found.items[0];
                found.items[0] = &own->kept[i];
            }
        }
    }
    found.sure = found.sure && !parts_at(tree, place); // What was kept may have gone along with another line.
    return found;
}

// What was kept at a place is gone.
static void forget_kept(walk_tree *tree, uint32_t line, uint32_t place)
{
    for (uint32_t id = 0; id < tree->line_count; id++) {
        walk_line *own = &tree->lines[id];
        for (uint32_t i = own->alive ? own->kept_count : 0; i-- > 0;) {
            if (own->kept[i].place == place && same_place(tree, line, id, place))
                drop_kept(own, i);
        }
    }
}

// What was kept between two places may be gone.
static void pass_kept(walk_tree *tree, uint32_t line, uint32_t from, uint32_t to)
{
    for (uint32_t id = 0; id < tree->line_count; id++) {
        walk_line *own = &tree->lines[id];
        for (uint32_t i = 0; own->alive && i < own->kept_count; i++) {
            if (own->kept[i].place > from && own->kept[i].place < to && same_place(tree, line, id, own->kept[i].place))
                own->kept[i].doubtful = true;
        }
    }
}

static void set_waiting(walk_tree *tree, const walk_queue *queue)
{
    free(tree->waiting.items);
    tree->waiting = copy_queue(queue);
}

static void add_kept(walk_line *line, uint32_t place, bool doubtful, const walk_queue *queue)
{
    line->kept = (walk_kept *)realloc(line->kept, (line->kept_count + 1) * sizeof *line->kept);
    if (!line->kept)
        abort();
    line->kept[line->kept_count++] = (walk_kept){place, doubtful, copy_queue(queue)};
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
    add_kept(own, tree->place, !tree->waiting.count, &tree->waiting); // Redo may stop there if nothing waits, too.
}

// It arrives where `got` is, forward or sideways: what waited there waits again.
static const char *arrive(walk_tree *tree, const walk_tree *got)
{
    const candidates found = kept_at(tree, got->current, got->place);
    bool good = (!got->waiting.count && !found.sure) || tree->unsure;
    for (uint32_t i = 0; i < (found.sure ? 1 : found.count) && !good; i++)
        good = same_queue(&found.items[i]->queue, &got->waiting);
    if (!good)
        return say("%u proposals wait after event %u of line %u, where %u did, or other ones", got->waiting.count,
                   got->place, got->current, found.count ? found.items[0]->queue.count : 0);
    forget_kept(tree, got->current, got->place);
    tree->current = got->current;
    tree->place = got->place;
    set_waiting(tree, &got->waiting);
    return NULL;
}

// --- Going -----------------------------------------------------------------------------------------------------------

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
        const candidates found = kept_at(tree, tree->current, place);
        const bool stop = place == end || !goes_on(tree, tree->current, place) || found.sure;
        if (stop || found.count || tree->unsure || (!walk_strict && parts_at(tree, place)))
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
        return got->can_redo ? say("redo brings back %u events, where it can bring back none", got->can_redo) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (got->can_redo == stops[i] - tree->place)
            return NULL;
    }
    return say("redo brings back %u events, not %u", got->can_redo, stops[count - 1] - tree->place);
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
               : say("an undo of %u events led to event %u of line %u, not %u of line %u", count, got->place,
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
    return say("a redo led to event %u of line %u, not %u of line %u", got->place, got->current,
               count ? stops[count - 1] : tree->place, tree->current);
}

const char *walk_went(walk_tree *tree, const walk_tree *got, uint32_t line, uint32_t count)
{
    const uint32_t shared = walk_shared(tree, tree->current, line), to = walk_end_of_chain(tree, line, count);
    if (line == tree->current && count == tree->place && got->current == line && got->place == count)
        return NULL; // It is there, be it inside a chain.
    if (got->current != line || got->place != to)
        return say("a go to event %u of line %u led to event %u of line %u, not %u", count, line, got->place,
                   got->current, to);
    const uint32_t from = tree->place, old = tree->current;
    const bool back = to <= shared && to < from; // It lies on the way to where the game was.
    leave(tree);
    if (line != old)
        tree->lines[old].left = from;
    if (back) { // What was kept there is gone; lines that part there may have it.
        const candidates found = kept_at(tree, line, to);
        for (uint32_t i = 0; i < found.count; i++)
            found.items[i]->doubtful = true;
        if (line == old)
            forget_kept(tree, line, to);
    }
    pass_kept(tree, line, 0, to);
    return arrive(tree, got);
}

// --- Playing ---------------------------------------------------------------------------------------------------------

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
        return say("line %u is lost", id);
    for (uint32_t i = own->from; i < own->end; i++) {
        const walk_event *there = walk_event_of(got, got->current, i);
        if (variations && (!there || !walk_same_event(&own->events[i - own->from], there, got->first)))
            return say("line %u is lost, with event %u", id, i);
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
            return say("the note at event %u of line %u is lost or changed", note->event, note->line);
    }
    return at < got->note_count ? say("there are %u notes more", got->note_count - at) : NULL;
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
            return say("line %u ends after event %u, and had %u", id, now->end, own->end);
        for (uint32_t i = own->from; i < own->end && i < now->end && (how->variations || i < tree->place); i++) {
            if (!walk_same_event(&own->events[i - own->from], &now->events[i - own->from], got->first))
                return say("event %u of line %u has become another one", i, id);
        }
    }
    return NULL;
}

// Playing the events with which a line begins enters that line, and begins no other.
static const char *is_double(const walk_tree *got, uint32_t id)
{
    const walk_line *fresh = &got->lines[id];
    if (is_root(got, id) || fresh->end == fresh->from || id != got->current || got->place != fresh->end)
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
            return say("line %u was begun, and line %u has its events", id, other);
    }
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
            return say("event %u of the game is lost or changed", i);
    }
    if (got->place < tree->place)
        return say("%u events have happened, and %u had", got->place, tree->place);
    why = vanished ? NULL : notes_grew(tree, got, how->variations);
    if (!why && how->one_input && how->variations && !how->starved && !got->waiting.count &&
        got->current >= tree->line_count)
        why = is_double(got, got->current);
    if (why)
        return why;

    walk_tree next;
    walk_copy(&next, got);
    next.first_hash = tree->first_hash;
    next.first_hashed = tree->first_hashed;
    const bool moved = got->current != tree->current || got->place != tree->place;
    next.unsure = tree->unsure || (how->commit && got->can_redo);
    for (uint32_t id = 0; id < tree->line_count && id < next.line_count; id++) {
        walk_line *own = &next.lines[id];
        if (!own->alive || !tree->lines[id].alive)
            continue;
        carry_over(own, &tree->lines[id], how->variations || id != tree->current ? KIFU_NONE : tree->place);
        for (uint32_t i = own->kept_count; i-- > 0;) {
            if (!how->variations && id == tree->current && got->place > tree->place && own->kept[i].place > tree->place)
                drop_kept(own, i);
            else if (vanished || (moved && own->kept[i].place <= got->place) || own->kept[i].place == tree->place)
                own->kept[i].doubtful = true;
        }
    }
    if (got->current != tree->current && tree->current < next.line_count)
        next.lines[tree->current].left = how->one_input ? tree->place : KIFU_NONE;
    for (uint32_t id = 0; (vanished || !how->one_input) && moved && id < next.line_count; id++)
        next.lines[id].left = KIFU_NONE; // The game may have been in it on the way.
    walk_drop(tree);
    *tree = next;
    return NULL;
}

// --- Changing the tree -----------------------------------------------------------------------------------------------

void walk_project(walk_tree *to, const walk_tree *from)
{
    walk_copy(to, from);
    walk_line only = {.alive = true, .from = from->first, .end = from->lines[from->current].end, .left = KIFU_NONE};
    only.events = (walk_event *)walk_alloc((only.end - only.from) * sizeof *only.events);
    for (uint32_t i = only.from; i < only.end; i++)
        only.events[i - only.from] = *walk_event_of(from, from->current, i);
    // Where redo stops: what waits behind the place.
    for (uint32_t place = from->place + 1; place <= only.end; place++) {
        const candidates found = kept_at(from, from->current, place);
        for (uint32_t i = 0; i < found.count; i++)
            add_kept(&only, place, !found.sure || i, &found.items[i]->queue);
        if (!walk_strict && parts_at(from, place))
            add_kept(&only, place, true, &(walk_queue){.count = 0});
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
        drop_line(&to->lines[i]);
    to->lines[0] = only;
    to->line_count = 1;
    to->current = to->main = 0;
}

// A line goes. What waits where it begins may have gone along with others, and a redo may go on to stop there.
static void give_to_parent(walk_tree *tree, uint32_t id)
{
    walk_line *own = &tree->lines[id], *above = &tree->lines[own->parent];
    if (walk_strict || !above->alive)
        return;
    add_kept(above, own->from, true, &(walk_queue){.count = 0});
    for (uint32_t i = 0; i < own->kept_count; i++) {
        if (own->kept[i].place <= own->from)
            add_kept(above, own->kept[i].place, true, &own->kept[i].queue);
    }
}

void walk_delete(walk_tree *tree, uint32_t line)
{
    give_to_parent(tree, line);
    if (tree->main == line)
        tree->main = tree->lines[line].parent;
    drop_line(&tree->lines[line]);
    for (uint32_t id = line + 1; id < tree->line_count; id++) {
        if (!tree->lines[id].alive || tree->lines[tree->lines[id].parent].alive)
            continue;
        if (tree->main == id)
            tree->main = tree->lines[line].parent;
        drop_line(&tree->lines[id]);
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
    while (tree->lines[id].from >= root && !is_root(tree, id))
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
            drop_line(own);
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
            if (each->kept[i].place < root)
                drop_kept(each, i);
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
