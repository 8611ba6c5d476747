// What can be seen of a timeline, as a tree.

#include <kifu/forget.h>
#include <stdlib.h>
#include <string.h>

#include "tree_inside.h"

// --- Digests --------------------------------------------------------------------------------------------------------

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

uint64_t walk_content_of(const kifu_rules *rules, uint32_t type, const void *table)
{
    return mix_table(type, rules->types[type].table, table);
}

static walk_event event_of(const kifu_timeline *timeline, const kifu_event *event)
{
    return (walk_event){
        .content = walk_content_of(kifu_timeline_rules(timeline), event->type, event->table),
        .cause = event->cause,
        .rules_version = event->rules_version,
        .type = (uint8_t)event->type,
        .flags = event->flags,
        .player = (int8_t)event->player,
    };
}

// --- Observing ------------------------------------------------------------------------------------------------------

static bool observe_line(kifu_timeline *timeline, walk_tree *tree, const kifu_line *line, const char **why)
{
    kifu_event event;
    if (line->count > MOST_ABSURD || line->from > MOST_ABSURD || line->id >= MOST_ABSURD) {
        *why = walk_say_why("line %u has %u events from %u on", line->id, line->count, line->from);
        return false;
    }
    walk_line *own = &tree->lines[line->id];
    *own = (walk_line){.alive = true, .parent = line->parent, .from = line->from, .end = line->from + line->count};
    own->left = KIFU_NONE;
    own->events = (walk_event *)walk_alloc(line->count * sizeof *own->events);
    for (uint32_t i = 0; i < line->count; i++) {
        if (!kifu_line_event(timeline, line->id, line->from + i, &event)) {
            *why = walk_say_why("event %u of line %u cannot be had", line->from + i, line->id);
            return false;
        }
        if (event.index != line->from + i || !event.type || event.type > kifu_timeline_rules(timeline)->type_count) {
            *why = walk_say_why("event %u of line %u is number %u, type %u", line->from + i, line->id, event.index,
                                event.type);
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
        *why = walk_say_why("there are %u lines", count);
        return false;
    }
    tree->line_count = line.id + 1;
    tree->lines = (walk_line *)walk_alloc(tree->line_count * sizeof *tree->lines);
    uint32_t currents = 0, mains = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!kifu_line_at(timeline, i, &line) || line.id >= tree->line_count || tree->lines[line.id].alive) {
            *why = walk_say_why("line %u of %u cannot be had", i, count);
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
        *why = walk_say_why("%u lines are the current one, %u the main one", currents, mains);
        return false;
    }
    for (uint32_t i = 0; i < tree->line_count; i++) {
        const walk_line *own = &tree->lines[i], *above = own->alive ? &tree->lines[own->parent] : own;
        if (own->alive && own->parent != i &&
            (own->parent > i || !above->alive || own->from > above->end || own->from < above->from)) {
            *why = walk_say_why("line %u begins after %u events of line %u, which has them from %u to %u", i, own->from,
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
        *why = walk_say_why("%u events have happened, %u are forgotten, and line %u ends after %u", tree->place,
                            tree->first, tree->current, tree->lines[tree->current].end);
        return false;
    }
    for (uint32_t i = tree->first; i < tree->place; i++) {
        const walk_event *own = walk_event_of(tree, tree->current, i);
        if (!own || !kifu_event_at(timeline, i, &event)) {
            *why = walk_say_why("event %u cannot be had", i);
            return false;
        }
        const walk_event there = event_of(timeline, &event);
        if (!walk_same_event(&there, own, 0)) {
            *why = walk_say_why("event %u is another one in the log (%s) than in its line", i, event.name);
            return false;
        }
    }
    tree->waiting.count = kifu_pending_count(timeline);
    if (tree->waiting.count > MOST_ABSURD) {
        *why = walk_say_why("%u proposals wait", tree->waiting.count);
        return false;
    }
    tree->waiting.items = (uint64_t *)walk_alloc(tree->waiting.count * sizeof *tree->waiting.items);
    for (uint32_t i = 0; i < tree->waiting.count; i++) {
        if (!kifu_pending_at(timeline, i, &event)) {
            *why = walk_say_why("proposal %u of %u cannot be had", i, tree->waiting.count);
            return false;
        }
        walk_event waits = event_of(timeline, &event);
        waits.cause = waits.cause != KIFU_NONE && waits.cause < tree->first ? KIFU_NONE : waits.cause;
        const uint32_t facts[] = {waits.type, waits.flags, (uint32_t)waits.player, waits.cause, waits.rules_version};
        tree->waiting.items[i] = walk_mix(waits.content, facts, sizeof facts);
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
