// Notes, as frames: those of one line together, up to so many.

#include <stddef.h>

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
        const kifu__save_note saved = {note->place, group->key_of[i],
                                       note->is_text ? KIFU__TEXT_NOTE : KIFU__BYTES_NOTE, note->size};
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
        kifu__plan_add(plan, KIFU__FRAME_NOTES, payload.bytes, payload.size, true);
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

void kifu__plan_notes(kifu__plan *plan, kifu__part *part, kifu__saving what)
{
    (void)part;
    kifu_timeline *timeline = plan->timeline;
    kifu__notes *notes = kifu__notes_of(timeline);
    timeline->notes->settle(timeline);
    kifu__note *note = kifu__note_from(notes->top, 0, 0, "");
    group *group =
        what == KIFU__WHOLE_SAVE && note ? (struct group *)kifu__new(&timeline->memory, sizeof *group) : NULL;
    if (!group) {
        if (what == KIFU__WHOLE_SAVE && note)
            kifu__plan_fail(plan, KIFU_NO_MEMORY);
        return;
    }
    group->count = group->key_count = 0;
    group->bytes = 0;
    for (; note && note->line < KIFU__NOTES_ASIDE && !plan->result;
         note = kifu__note_after(notes->top, note->line, note->place, note->key))
        add(plan, group, note);
    if (!plan->result)
        end_group(plan, group);
    kifu__free(&timeline->memory, group);
}
