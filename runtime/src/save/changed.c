// Whether today's rules lead an old save to the state that it was saved with.
//
// What of the saved state has a field in the compiled one is copied over the state of today: then a difference is one
// of two states of this version, which the schema's words describe.

#include "save/reader.h"

#include "wire/difference.h"
#include "wire/schema.h"

// The newest on the way; NULL: none has a state.
static const kifu__saved_snapshot *find_snapshot(const kifu__reader *reader)
{
    for (uint32_t i = reader->snapshot_count; i-- > 0;) {
        const kifu__saved_snapshot *snapshot = &reader->snapshots[i];
        if (snapshot->state && snapshot->event_count && snapshot->event_count <= reader->timeline->executed)
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
    kifu_result result = kifu_state_at(timeline, snapshot->event_count, actual, rules->state_size);
    if (!result && snapshot->state_size == kifu__schema_size(schema, structure)) {
        memcpy(expected, actual, rules->state_size);
        kifu__schema_bring(schema, structure, snapshot->state, rules->state, expected);
        if (kifu__describe_difference(rules, expected, actual, changed)) {
            changed->event = snapshot->event_count - 1;
            changed->first = 0;
            changed->name = kifu__name_of(timeline, changed->event);
        }
    }
    return result;
}

kifu_result kifu__find_changed(const kifu__reader *reader, kifu_difference *changed)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu_rules *rules = timeline->rules;
    const kifu__saved_snapshot *snapshot = find_snapshot(reader);
    *changed = (kifu_difference){.event = KIFU_NONE, .first = KIFU_NONE};
    kifu__schema schema;
    if (timeline->options.reset || !snapshot || !kifu__schema_open(&schema, reader->schema, reader->schema_size))
        return KIFU_OK;
    const uint32_t structure = kifu__schema_struct(&schema, rules->state->name);
    if (!structure)
        return KIFU_OK;
    unsigned char *room = (unsigned char *)kifu__new(&timeline->memory, 2 * kifu__state_room(rules));
    kifu_result result = room ? compare(reader, &schema, structure, snapshot, room, changed) : KIFU_NO_MEMORY;
    kifu__free(&timeline->memory, room);
    return result ? kifu__error(&timeline->error, result, "%s while the state in the save was compared",
                                kifu_result_text(result))
                  : KIFU_OK;
}
