// Actions of actors: the one that is being run, and those that are set for when their turn comes.

#include "turns/turns.h"

// The action of an actor has happened: submits what it costs.
static void acted(kifu_timeline *timeline, kifu__part *part, const kifu__live *live)
{
    kifu__turns *turns = (kifu__turns *)part;
    if (!live->result)
        kifu__submit_cost(timeline, timeline->acting, turns->has_cost ? &turns->cost : NULL);
    turns->has_cost = false;
}

static void ran_away(kifu_timeline *timeline, kifu__part *part, uint32_t first)
{
    (void)timeline;
    kifu__turns *turns = (kifu__turns *)part;
    turns->kept.runaways += turns->kept.begun_at == first;
}

// Of events that are gone, nothing was reported.
static void cut(kifu_timeline *timeline, kifu__part *part)
{
    kifu__turns_kept *kept = &((kifu__turns *)part)->kept;
    kept->told = kept->told < timeline->executed ? kept->told : timeline->executed;
}

static bool holds(const kifu__part *part, kifu_ticket ticket)
{
    return kifu__queue_find(&((const kifu__turns *)part)->actions, ticket) != NULL;
}

static void clear(kifu__part *part)
{
    kifu__queue_cut(&((kifu__turns *)part)->actions, 0, 0);
}

static void keep(const kifu__part *part, kifu__blob *blob)
{
    const kifu__turns *turns = (const kifu__turns *)part;
    const kifu__queue *actions = &turns->actions;
    kifu__turns_kept head = turns->kept;
    head.action_count = actions->count;
    kifu__build(blob, 0, &head, sizeof head, 8);
    kifu__build(blob, 0, actions->bytes + actions->head, actions->tail - actions->head, 8);
}

// Those of a moment, where they lie; `bytes` NULL: it has none.
static kifu__queue kept_actions(const unsigned char *bytes, uint32_t size)
{
    kifu__turns_kept head;
    if (!bytes)
        return (kifu__queue){0};
    memcpy(&head, bytes, sizeof head);
    size -= (uint32_t)sizeof head;
    return (kifu__queue){
        .bytes = (unsigned char *)(uintptr_t)bytes + sizeof head,
        .tail = size,
        .capacity = size,
        .count = head.action_count,
    };
}

// The queue had room for all of it; in a fork it makes some.
static bool take_back(kifu_timeline *timeline, kifu__part *part, const unsigned char *bytes, uint32_t size)
{
    kifu__turns *turns = (kifu__turns *)part;
    const kifu__queue actions = kept_actions(bytes, size);
    turns->kept = (kifu__turns_kept){0};
    if (bytes)
        memcpy(&turns->kept, bytes, sizeof turns->kept);
    return kifu__queue_copy(&actions, &timeline->memory, &turns->actions);
}

static void freed(kifu_timeline *timeline, kifu__part *part)
{
    kifu__turns *turns = (kifu__turns *)part;
    kifu__queue_free(&turns->actions, &timeline->memory);
    kifu__free(&timeline->memory, turns->room.bytes);
    kifu__free(&timeline->memory, turns->proposal.bytes);
}

static const kifu__part_table table = {
    .size = sizeof(kifu__turns),
    .order = KIFU__TURNS,
    .acted = acted,
    .ran_away = ran_away,
    .holds = holds,
    .cut = cut,
    .clears = clear,
    .keeps = keep,
    .returns = take_back,
    .freed = freed,
};

kifu__turns *kifu__turns_of(const kifu_timeline *timeline)
{
    return (kifu__turns *)kifu__part_of(timeline, &table);
}

kifu__turns *kifu__turns_attach(kifu_timeline *timeline)
{
    return (kifu__turns *)kifu__attach(timeline, &table);
}

kifu__queue kifu__actions(const kifu_timeline *timeline, const kifu__kept *kept)
{
    const kifu__turns *turns = kifu__turns_of(timeline);
    if (!kept)
        return turns ? turns->actions : (kifu__queue){0};
    uint32_t size = 0;
    const unsigned char *bytes = kifu__kept_by(&table, kept->parts, &size);
    return kept_actions(bytes, size);
}

bool kifu__set_actions(kifu_timeline *timeline, const kifu__queue *actions)
{
    kifu__turns *turns = kifu__turns_attach(timeline);
    return turns && kifu__queue_copy(actions, &timeline->memory, &turns->actions);
}

// --- The action that runs --------------------------------------------------------------------------------------------

void kifu__begin_action(kifu_timeline *timeline, kifu__turns *turns, kifu_handle actor)
{
    turns->kept.actor = timeline->acting = actor;
    turns->kept.begun_at = timeline->executed;
    timeline->heard |= KIFU__HEARS(acted);
}

bool kifu__begin_recorded(kifu_timeline *timeline, kifu_handle actor)
{
    kifu__turns *turns = kifu__turns_attach(timeline);
    if (turns)
        kifu__begin_action(timeline, turns, actor);
    return turns != NULL;
}

void kifu__end_action(kifu_timeline *timeline)
{
    timeline->acting = KIFU_NO_HANDLE;
    timeline->heard &= ~KIFU__HEARS(acted);
}

void kifu_set_cost(kifu_timeline *timeline, uint32_t cost)
{
    if (timeline->phase != KIFU__DOING && timeline->phase != KIFU__REPLAYING)
        kifu__fault(timeline, KIFU_MISUSE,
                    "kifu_set_cost was called outside of a Do function: call it in the Do of an action");
    else if (timeline->phase == KIFU__DOING && timeline->acting) { // Otherwise it is no actor's action.
        kifu__turns *turns = kifu__turns_of(timeline);
        turns->has_cost = true;
        turns->cost = cost;
    }
}

// --- Actions that are set --------------------------------------------------------------------------------------------

kifu__proposal *kifu__find_action(const kifu__turns *turns, kifu_handle actor)
{
    kifu__proposal *action = kifu__queue_first(&turns->actions);
    while (action && action->cause != actor)
        action = kifu__queue_next(&turns->actions, action);
    return action;
}

// Removes what was set for `actor`, and for actors that are gone.
static void remove_actions(kifu_timeline *timeline, kifu__queue *actions, kifu_handle actor)
{
    for (kifu__proposal *at = kifu__queue_first(actions); at;) {
        if (at->cause == actor || !kifu__pool_get(timeline->core.state, timeline->rules->turns->actors, at->cause)) {
            kifu__queue_remove(actions, at);
            at = kifu__queue_first(actions);
        } else
            at = kifu__queue_next(actions, at);
    }
}

kifu_result kifu_set_action(kifu_timeline *timeline, kifu_handle actor, kifu_ticket ticket)
{
    kifu_result result = kifu__require_turns(timeline, "kifu_set_action");
    if (result)
        return result;
    kifu__proposal *input = ticket ? kifu__queue_find(&timeline->inputs, ticket) : NULL;
    if (ticket && !input)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_set_action: no input with ticket %u waits; call it right after the submit",
                           (unsigned)ticket);
    if (!kifu__pool_get(timeline->core.state, timeline->rules->turns->actors, actor))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_set_action: handle 0x%08x names no actor; the actor may be gone", (unsigned)actor);
    kifu__turns *turns = kifu__turns_attach(timeline);
    kifu__queue *actions = turns ? &turns->actions : NULL;
    if (!turns || (input && !kifu__queue_room(actions, &timeline->memory, 0, kifu__proposal_size(input->size))))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for an action; it waits as an input");
    remove_actions(timeline, actions, actor);
    if (input) { // There is room.
        kifu__proposal head = *input;
        head.cause = actor;
        (void)kifu__queue_push(actions, &timeline->memory, &head, kifu__proposal_blob(input));
        kifu__queue_remove(&timeline->inputs, input);
    }
    timeline->tell->dropped(timeline, 0); // what was set before
    return KIFU_OK;
}
