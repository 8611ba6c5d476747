// Reactions and triggers: the rules' own answers to events and to changes of the state.

#include "observe/observers.h"

typedef struct reactions {
    kifu__observers all;
    unsigned char *values; // Room for any trigger's part of the state, before and after.
    uint32_t values_size;
} reactions;

// Of a trigger's part in `values`.
static uint32_t room_of(const kifu_observer *trigger)
{
    return (trigger->size + 7) & ~UINT32_C(7);
}

static kifu_result pull_trigger(kifu_timeline *timeline, const reactions *reactions, const kifu_observer *each,
                                const kifu_event *event)
{
    const kifu__journal *journal = &timeline->journal;
    const kifu__core *core = &timeline->core;
    if (!kifu__touches(kifu__journal_start(journal, core, event->index),
                       kifu__journal_start(journal, core, event->index + 1), each))
        return KIFU_OK;
    unsigned char *before = reactions->values, *after = before + room_of(each);
    memcpy(after, core->state + each->offset, each->size);
    kifu__journal_look_back(journal, core, event->index + 1, each->offset, each->size, after);
    memcpy(before, core->state + each->offset, each->size);
    kifu__journal_look_back(journal, core, event->index, each->offset, each->size, before);
    kifu_change change = {
        .offset = each->offset,
        .size = each->size,
        .before = before,
        .after = after,
        .event = event->index,
    };
    return kifu__find_span(&change) ? each->trigger(each->context, timeline, core->state, event, &change) : KIFU_OK;
}

static kifu_result react_to_event(kifu_timeline *timeline, kifu__part *part, uint32_t event)
{
    const reactions *reactions = (struct reactions *)part;
    kifu_event shown;
    kifu_event_at(timeline, event, &shown); // It has happened.
    const uint64_t tags = timeline->rules->types[shown.type].tags;
    timeline->core.phase = KIFU__REACTING;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < reactions->all.count && !result && !timeline->fault.result; i++) {
        const kifu_observer *each = &reactions->all.items[i];
        if (!kifu__concerns(each, shown.type, tags))
            continue;
        result = each->trigger ? pull_trigger(timeline, reactions, each, &shown)
                               : each->react(each->context, timeline, timeline->core.state, &shown);
    }
    timeline->core.phase = KIFU__IDLE;
    if (kifu__has_handler(timeline, ran))
        timeline->dispatch->ran(timeline, event, "a reaction or trigger", "");
    return result;
}

static void free_reactions(kifu_timeline *timeline, kifu__part *part)
{
    kifu__free(&timeline->memory, ((reactions *)part)->values);
    kifu__observers_free(timeline, part);
}

static const kifu__part_table reactions_table = {
    .size = sizeof(reactions), .order = KIFU__REACTIONS, .reacts = react_to_event, .freed = free_reactions};

kifu_result kifu__add_reaction(kifu_timeline *timeline, const kifu_observer *observer)
{
    reactions *reactions = (struct reactions *)kifu__attach(timeline, &reactions_table);
    if (reactions && observer->trigger) {
        unsigned char *values = (unsigned char *)kifu__grow(
            &timeline->memory, reactions->values, &reactions->values_size, 2 * (uint64_t)room_of(observer), 1);
        if (!values)
            return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a trigger");
        reactions->values = values;
    }
    return kifu__observers_add(reactions ? &reactions->all : NULL, timeline, observer);
}
