// Notes, as frames: those of one line together, up to so many.

#include <stddef.h>

#include "history/lines.h"
#include "save/line_frames.h"
#include "save/note_frames.h"

enum { MOST_NOTES = 4096, MOST_KEYS = 32, ENOUGH_BYTES = 1 << 20 };

// Those of one frame.
typedef struct group {
    const kifu__note *notes[MOST_NOTES];
    uint32_t key_of[MOST_NOTES];
    uint32_t count;
    const char *keys[MOST_KEYS];
    uint32_t key_count;
    uint64_t bytes;
    uint32_t kind; // Of the frame.
} group;

// Which one of the group's keys it is, or `key_count`.
static uint32_t find_key(const group *group, const char *key)
{
    uint32_t at = group->key_count;
    while (at && strcmp(group->keys[at - 1], key) != 0)
        at--;
    return at ? at - 1 : group->key_count;
}

static void add_vectors(const group *group, kifu__blob *payload)
{
    const uint32_t refs = kifu__build_vector(payload, offsetof(kifu__save_notes, keys), NULL, group->key_count,
                                             (uint64_t)group->key_count * 4, 4);
    for (uint32_t i = 0; i < group->key_count && !payload->result; i++)
        kifu__build_string(payload, refs + 4 * i, group->keys[i]);
    const uint32_t first = kifu__build_vector(payload, offsetof(kifu__save_notes, notes), NULL, group->count,
                                              (uint64_t)group->count * sizeof(kifu__save_note), 4);
    for (uint32_t i = 0; i < group->count && !payload->result; i++) {
        const kifu__note *note = group->notes[i];
        const uint32_t kind = note->removed ? KIFU__NO_NOTE : note->is_text ? KIFU__TEXT_NOTE : KIFU__BYTES_NOTE;
        const kifu__save_note saved = {note->place, group->key_of[i], kind, note->size};
        memcpy((kifu__save_note *)kifu__built(payload, first) + i, &saved, sizeof saved);
    }
    uint32_t at =
        kifu__build_vector(payload, offsetof(kifu__save_notes, bytes), NULL, (uint32_t)group->bytes, group->bytes, 1);
    for (uint32_t i = 0; i < group->count && !payload->result; i++) {
        if (group->notes[i]->size)
            memcpy(kifu__built(payload, at), kifu__note_value(group->notes[i]), group->notes[i]->size);
        at += group->notes[i]->size;
    }
}

static void end_group(kifu__plan *plan, group *group)
{
    if (!group->count)
        return;
    const kifu__save_notes fields = {.line = group->notes[0]->line};
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_notes_table, &fields);
    if (group->bytes < KIFU__MOST_BUILT)
        add_vectors(group, &payload);
    else
        payload.result = KIFU_TOO_LARGE;
    if (kifu__payload_end(plan, &kifu__save_notes_table, &payload))
        kifu__plan_add(plan, group->kind, payload.bytes, payload.size, true);
    group->count = group->key_count = 0;
    group->bytes = 0;
}

static void add(kifu__plan *plan, group *group, const kifu__note *note)
{
    uint32_t key = find_key(group, note->key);
    if (group->count == MOST_NOTES || key == MOST_KEYS || (group->count && group->notes[0]->line != note->line) ||
        (group->count && group->bytes + note->size > ENOUGH_BYTES)) {
        end_group(plan, group);
        key = 0;
    }
    if (key == group->key_count)
        group->keys[group->key_count++] = note->key;
    group->key_of[group->count] = key;
    group->notes[group->count++] = note;
    group->bytes += note->size;
}

// As a record of a log file.
static void add_record(kifu__commit *commit, const kifu__note *note)
{
    kifu__blob *body = &commit->body;
    kifu__begin_record(commit);
    kifu__add_number(body, note->line);
    kifu__add_number(body, note->place);
    kifu__add_number(body, note->removed ? KIFU__NO_NOTE : note->is_text ? KIFU__TEXT_NOTE : KIFU__BYTES_NOTE);
    kifu__add_number(body, note->key_size);
    kifu__build(body, 0, note->key, note->key_size, 1);
    if (note->size)
        kifu__build(body, 0, kifu__note_value(note), note->size, 1);
    kifu__end_record(commit, KIFU__NOTE);
}

// Those that the log file does not have.
static void add_changed(kifu__plan *plan, const kifu__notes *notes)
{
    kifu__stream *stream = plan->commit->stream;
    const uint64_t since = stream->begun ? stream->notes : 0;
    for (const kifu__note *note = notes->newest; note && note->change > since && !plan->result; note = note->older) {
        if (stream->begun || !note->removed)
            add_record(plan->commit, note);
    }
    stream->notes = notes->changes;
}

static void add_all(kifu__plan *plan, group *group, const kifu__notes *notes)
{
    const kifu__note *note = kifu__note_from(notes->top, 0, 0, "");
    for (; note && note->line < KIFU__HIDDEN && !plan->result;
         note = kifu__note_after(notes->top, note->line, note->place, note->key)) {
        if (!note->removed)
            add(plan, group, note);
    }
}

// --- Some of them ----------------------------------------------------------------------------------------------------

static void add_notes(kifu__plan *plan, kifu__notes *notes)
{
    kifu_timeline *timeline = plan->timeline;
    group *group = notes->top ? (struct group *)kifu__new(&timeline->memory, sizeof *group) : NULL;
    if (!group) {
        kifu__plan_fail(plan, notes->top ? KIFU_NO_MEMORY : KIFU_OK);
        return;
    }
    group->count = group->key_count = 0;
    group->bytes = 0;
    group->kind = KIFU__FRAME_NOTES;
    add_all(plan, group, notes);
    if (!plan->result)
        end_group(plan, group);
    kifu__free(&timeline->memory, group);
}

// Those that are removed are needed no more.
static void remember(kifu_timeline *timeline, kifu__notes *notes, uint64_t written, bool followed)
{
    kifu__note *older;
    for (kifu__note *note = notes->newest; note && note->change > notes->written; note = older) {
        older = note->older;
        if (note->removed)
            kifu__note_drop(timeline, notes, note);
    }
    notes->written = written;
    notes->followed = followed;
}

void kifu__plan_notes(kifu__plan *plan, kifu__part *part, kifu__saving what)
{
    (void)part;
    kifu_timeline *timeline = plan->timeline;
    kifu__notes *notes = kifu__notes_of(timeline);
    if (!notes) // They could not be kept without memory.
        return;
    if (what == KIFU__LOG_WRITTEN || what == KIFU__LOG_CLOSED)
        remember(timeline, notes, what == KIFU__LOG_CLOSED ? 0 : plan->stream->notes, what == KIFU__LOG_WRITTEN);
    else if (what == KIFU__LOG_APPEND)
        add_changed(plan, notes);
    else if (what != KIFU__LOG_LINES)
        add_notes(plan, notes);
}
