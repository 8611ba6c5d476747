// Reactions and triggers: the rules' own answers to events and to changes of the state.

#include "observe/observers.h"

typedef struct reactions {
    kifu__part part;
    kifu__observers all;
    unsigned char *values; // Room for a trigger's part of the state, before and after.
    uint32_t values_size;  // Of one of the two.
} reactions;

static kifu_result pull_trigger(kifu_timeline *timeline, const reactions *reactions, const kifu_observer *each,
                                const kifu_event *event)
{
    const kifu__journal *journal = &timeline->journal;
    const kifu__core *core = &timeline->core;
    if (!kifu__touches(kifu__journal_start(journal, core, event->index),
                       kifu__journal_start(journal, core, event->index + 1), each))
        return KIFU_OK;
    unsigned char *before = reactions->values, *after = before + reactions->values_size;
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
    if (!kifu__find_span(&change))
        return KIFU_OK;
    return each->trigger(each->context, timeline, core->state, event, &change);
}

static kifu_result react(kifu_timeline *timeline, kifu__part *part, uint32_t event)
{
    const reactions *reactions = (struct reactions *)(void *)part;
    kifu_event shown;
    if (!reactions->all.count || !kifu_event_at(timeline, event, &shown))
        return KIFU_OK;
    timeline->phase = KIFU__REACTING;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < reactions->all.count && !result && !timeline->fault.result; i++) {
        const kifu_observer *each = &reactions->all.items[i];
        if (each->type && each->type != shown.type)
            continue;
        result = each->trigger ? pull_trigger(timeline, reactions, each, &shown)
                               : each->react(each->context, timeline, timeline->core.state, &shown);
    }
    timeline->phase = KIFU__IDLE;
    timeline->tell->ran(timeline, event, "a reaction or trigger", "");
    return result;
}

static void freed(kifu_timeline *timeline, kifu__part *part)
{
    reactions *reactions = (struct reactions *)(void *)part;
    kifu__free(&timeline->memory, reactions->all.items);
    kifu__free(&timeline->memory, reactions->values);
}

static const kifu__part_table table = {
    .size = sizeof(reactions), .order = KIFU__REACTIONS, .live = true, .reacts = react, .freed = freed};

static bool reserve_values(kifu_timeline *timeline, reactions *reactions, uint32_t size)
{
    if (size <= reactions->values_size)
        return true;
    const uint32_t room = (size + 7) & ~UINT32_C(7);
    unsigned char *values = (unsigned char *)kifu__new(&timeline->memory, 2 * (size_t)room);
    if (!values)
        return false;
    kifu__free(&timeline->memory, reactions->values);
    reactions->values = values;
    reactions->values_size = room;
    return true;
}

kifu_result kifu__add_reaction(kifu_timeline *timeline, const kifu_observer *reaction)
{
    reactions *reactions = (struct reactions *)(void *)kifu__attach(timeline, &table);
    if (!reactions || !reserve_values(timeline, reactions, reaction->trigger ? reaction->size : 0))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a reaction or trigger");
    return kifu__observers_add(&reactions->all, timeline, reaction);
}

void kifu__remove_reactions(kifu_timeline *timeline, const void *context)
{
    reactions *reactions = (struct reactions *)(void *)kifu__part_of(timeline, &table);
    if (reactions)
        kifu__observers_remove(&reactions->all, context);
}
