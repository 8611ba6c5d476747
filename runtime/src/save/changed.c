// Whether today's rules lead an old save to the state that it was saved with.
//
// What of the saved state has a field in the compiled one is copied over the state of today: then a difference is one
// of two states of this version, which the schema's words describe.

#include "save/reader.h"

#include "wire/difference.h"

// A function of the game that carried over the state with which the save begins may have changed any field.
bool kifu__find_saved_struct(const kifu__reader *reader, kifu__schema *schema, uint32_t *structure)
{
    const kifu_timeline *timeline = reader->timeline;
    const bool carried = timeline->log.begin && !reader->comparable && reader->carry_state;
    *structure = 0;
    if (!timeline->options.reset && !carried && kifu__schema_open(schema, reader->schema, reader->schema_size))
        *structure = kifu__schema_struct(schema, timeline->rules->state->name);
    return *structure != 0;
}

bool kifu__find_changed(kifu_timeline *timeline, const kifu__schema *schema, uint32_t structure,
                        const unsigned char *saved, kifu_difference *changed)
{
    const kifu_rules *rules = timeline->rules;
    memcpy(timeline->scratch, timeline->core.state, rules->state_size);
    kifu__schema_bring(schema, structure, saved, rules->state, timeline->scratch);
    return kifu__describe_difference(rules, timeline->scratch, timeline->core.state, changed);
}
