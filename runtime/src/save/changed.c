// What of the saved state has a field in the compiled one is copied over the state of today: then a difference is one
// of two states of this version, which the schema's words describe.

#include "save/changed.h"

#include "wire/difference.h"
#include "wire/schema.h"

// The newest on the way; NULL: none has a state.
static const kifu__saved_snapshot *find_snapshot(const kifu__reader *reader)
{
    const kifu__saved_states *states = &reader->states;
    for (uint32_t i = states->snapshot_count; i-- > 0;) {
        const kifu__saved_snapshot *snapshot = &states->snapshots[i];
        if (snapshot->has_state && snapshot->event_count && snapshot->event_count <= reader->timeline->executed)
            return snapshot;
    }
    return NULL;
}

static kifu_result compare(const kifu__reader *reader, const kifu__schema *schema, uint32_t structure,
                           const kifu__saved_snapshot *snapshot, unsigned char *room, kifu_difference *changed)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu_rules *rules = timeline->rules;
    unsigned char *expected = room, *actual = room + kifu__state_room(rules);
    const kifu__buffer buffer = {.bytes = snapshot->frame.payload, .size = snapshot->frame.size};
    kifu__blob rebuilt = {.memory = &timeline->memory};
    const void *read;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_snapshot_table, &rebuilt, &read);
    if (!result)
        result = kifu_state_at(timeline, snapshot->event_count, actual, rules->state_size);
    const kifu_ref *state = result ? NULL : &((const kifu__save_snapshot *)read)->state;
    if (state && kifu__length(state) == kifu__schema_size(schema, structure)) {
        memcpy(expected, actual, rules->state_size);
        kifu__schema_bring(schema, structure, (const unsigned char *)kifu__elements(state), rules->state, expected);
        if (kifu__describe_difference(rules, expected, actual, changed)) {
            changed->event = snapshot->event_count - 1;
            changed->first = 0;
            changed->name = kifu__name_of(timeline, changed->event);
        }
    }
    kifu__free(&timeline->memory, rebuilt.bytes);
    return result;
}

kifu_result kifu__find_changed(const kifu__reader *reader, kifu_difference *changed)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu_rules *rules = timeline->rules;
    const kifu__saved_snapshot *snapshot = find_snapshot(reader);
    *changed = (kifu_difference){.event = KIFU_NONE, .first = KIFU_NONE};
    kifu__schema schema;
    if (reader->states.comparable || timeline->options.reset || !snapshot ||
        !kifu__schema_open(&schema, reader->schema, reader->schema_size))
        return KIFU_OK;
    const uint32_t structure = kifu__schema_struct(&schema, rules->state->name);
    if (!structure)
        return KIFU_OK;
    unsigned char *room = (unsigned char *)kifu__new(&timeline->memory, 2 * kifu__state_room(rules));
    kifu_result result = room ? compare(reader, &schema, structure, snapshot, room, changed) : KIFU_NO_MEMORY;
    kifu__free(&timeline->memory, room);
    return result ? kifu__error(reader->error, result, "%s for the state of a save to compare with",
                                kifu_result_text(result))
                  : KIFU_OK;
}
