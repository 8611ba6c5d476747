// Actions of actors: the one that is being run, and those that are set for when their turn comes, or go on then.
//
// An action of several turns is an action that stays set. Its check says that it goes on (kifu_go_on), and the
// proposal, with the fields that the check left, waits for the actor's next turn. So it needs no event to begin or end
// it, no field in the state and no other save format. An undo removes what waits, so a hero whose step is undone stands
// still. A flag of the proposal (bit 8) tells it from an order that has not begun, which kifu_interrupt must not
// remove.
//
// A roll-back or rewind brings back the action that was set, because a search may take turns. If memory runs out, the
// action stays set; as a plain input it would cost no energy.

#include "turns/turns.h"

// The action of an actor has happened: submits what it costs.
static void acted(kifu_timeline *timeline, kifu__part *part, kifu_result result)
{
    kifu__turns *turns = (kifu__turns *)part;
    if (!result)
        kifu__submit_cost(timeline, timeline->running.acting, turns->has_cost ? &turns->cost : NULL);
    turns->has_cost = false;
}

// A step whose consequences never end is not tried again.
static void actions_ran_away(kifu_timeline *timeline, kifu__part *part, uint32_t first)
{
    (void)timeline;
    kifu__turns *turns = (kifu__turns *)part;
    if (turns->kept.begun_at == first) {
        turns->kept.runaways++;
        kifu__remove_action(turns, turns->kept.next);
    }
    turns->interrupting = 0;
}

// A Do that failed has interrupted nothing.
static void actions_fail(kifu_timeline *timeline, kifu__part *part, bool done)
{
    kifu__turns *turns = (kifu__turns *)part;
    if (!done && turns->interrupting == timeline->core.event + 1) {
        const kifu__queue interrupted = turns->actions;
        turns->actions = turns->before;
        turns->before = interrupted;
    }
    turns->interrupting = 0;
}

// Of events that are gone, nothing was reported.
static void cut_actions(kifu_timeline *timeline, kifu__part *part)
{
    kifu__turns *turns = (kifu__turns *)part;
    kifu__turns_kept *kept = &turns->kept;
    kept->told = kept->told < timeline->executed ? kept->told : timeline->executed;
}

static bool holds_action(kifu__part *part, kifu_ticket ticket)
{
    kifu__queue *actions = &((kifu__turns *)part)->actions;
    return ticket ? kifu__queue_find(actions, ticket) != NULL : actions->count > 0;
}

static void clear_actions(kifu__part *part)
{
    kifu__turns *turns = (kifu__turns *)part;
    kifu__queue_cut(&turns->actions, 0, 0);
    turns->interrupting = 0;
}

static void keep_turns(const kifu__part *part, kifu__blob *blob)
{
    const kifu__turns *turns = (const kifu__turns *)part;
    const kifu__queue *actions = &turns->actions;
    kifu__turns_kept head = turns->kept;
    head.action_count = actions->count;
    kifu__build(blob, 0, &head, sizeof head, 8);
    const unsigned char *first = actions->count ? actions->bytes + actions->head : NULL;
    kifu__build(blob, 0, first, actions->tail - actions->head, 8);
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
static bool return_turns(kifu_timeline *timeline, kifu__part *part, const unsigned char *bytes, uint32_t size)
{
    kifu__turns *turns = (kifu__turns *)part;
    const kifu__queue actions = kept_actions(bytes, size);
    turns->kept = (kifu__turns_kept){0};
    turns->interrupting = 0;
    if (bytes)
        memcpy(&turns->kept, bytes, sizeof turns->kept);
    return kifu__queue_copy(&actions, &timeline->memory, &turns->actions);
}

static void free_turns(kifu_timeline *timeline, kifu__part *part)
{
    kifu__turns *turns = (kifu__turns *)part;
    kifu__queue_free(&turns->actions, &timeline->memory);
    kifu__queue_free(&turns->before, &timeline->memory);
    kifu__free(&timeline->memory, turns->room.bytes);
    kifu__free(&timeline->memory, turns->proposal.bytes);
}

static const kifu__part_table turns_table = {
    .size = sizeof(kifu__turns),
    .order = KIFU__TURNS,
    .acted = acted,
    .fails = actions_fail,
    .ran_away = actions_ran_away,
    .holds = holds_action,
    .cut = cut_actions,
    .clears = clear_actions,
    .keeps = keep_turns,
    .returns = return_turns,
    .freed = free_turns,
};

kifu__turns *kifu__turns_of(const kifu_timeline *timeline)
{
    return (kifu__turns *)kifu__part_of(timeline, &turns_table);
}

kifu__turns *kifu__turns_attach(kifu_timeline *timeline)
{
    return (kifu__turns *)kifu__attach(timeline, &turns_table);
}

kifu__queue kifu__actions(const kifu_timeline *timeline, const kifu__kept *kept)
{
    const kifu__turns *turns = kifu__turns_of(timeline);
    if (!kept)
        return turns ? turns->actions : (kifu__queue){0};
    uint32_t size = 0;
    const unsigned char *bytes = kifu__kept_by(&turns_table, kept->parts, &size);
    return kept_actions(bytes, size);
}

// What was final when it was saved is final again, whatever it becomes.
bool kifu__set_actions(kifu_timeline *timeline, const kifu__queue *actions)
{
    kifu__turns *turns = kifu__turns_attach(timeline);
    if (!turns || !kifu__queue_copy(actions, &timeline->memory, &turns->actions))
        return false;
    kifu__proposal *at = kifu__queue_first(&turns->actions);
    for (; at; at = kifu__queue_next(&turns->actions, at))
        at->overridden = timeline->rules->types[at->type].flags & ~at->flags & KIFU_UNDOABLE;
    return true;
}

void kifu__exchange_actions(kifu_timeline *timeline, kifu__queue *others)
{
    kifu__turns *turns = kifu__turns_of(timeline);
    if (!turns)
        return;
    const kifu__queue actions = turns->actions;
    turns->actions = *others;
    turns->interrupting = 0;
    *others = actions;
}

// --- The action that runs --------------------------------------------------------------------------------------------

void kifu__begin_action(kifu_timeline *timeline, kifu__turns *turns, kifu_handle actor)
{
    turns->kept.actor = timeline->running.acting = actor;
    turns->kept.begun_at = timeline->executed;
    turns->kept.next = 0;
    if (timeline->alternate.count) // kifu_go_on: the input is tried, as long as nothing is there.
        kifu__queue_cut(&timeline->alternate, 0, 0);
    timeline->handlers |= KIFU__HANDLER(acted);
}

bool kifu__begin_recorded(kifu_timeline *timeline, kifu_handle actor)
{
    kifu__turns *turns = kifu__turns_attach(timeline);
    if (turns) {
        kifu__queue_cut(&turns->actions, 0, 0); // What goes on was recorded.
        kifu__begin_action(timeline, turns, actor);
    }
    return turns != NULL;
}

void kifu__end_action(kifu_timeline *timeline)
{
    timeline->running.acting = KIFU_NO_HANDLE;
    timeline->handlers &= ~KIFU__HANDLER(acted);
}

void kifu_set_cost(kifu_timeline *timeline, uint32_t cost)
{
    if (timeline->core.phase != KIFU__DOING && timeline->core.phase != KIFU__REPLAYING)
        kifu__fault(timeline, KIFU_MISUSE,
                    "kifu_set_cost was called outside of a Do function: call it in the Do of an action");
    else if (timeline->core.phase == KIFU__DOING && timeline->running.acting) { // Otherwise it is no actor's action.
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

void kifu__remove_action(kifu__turns *turns, kifu_ticket ticket)
{
    kifu__proposal *action = ticket ? kifu__queue_find(&turns->actions, ticket) : NULL;
    if (action)
        kifu__queue_remove(&turns->actions, action);
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
    if (!turns || (input && (!kifu__queue_own(&timeline->inputs, &timeline->memory, &input) ||
                             !kifu__queue_room(actions, &timeline->memory, 0, kifu__proposal_size(input->size)))))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for an action; it waits as an input");
    remove_actions(timeline, actions, actor);
    if (input) { // There is room.
        kifu__proposal head = *input;
        head.cause = actor;
        (void)kifu__queue_push(actions, &timeline->memory, &head, kifu__proposal_blob(input));
        kifu__queue_remove(&timeline->inputs, input);
    }
    timeline->tree.waits++;
    timeline->dispatch->dropped(timeline, 0); // what was set before
    return KIFU_OK;
}

// --- Actions that go on ----------------------------------------------------------------------------------------------

void kifu_go_on(kifu_timeline *timeline, kifu_undo_by undo)
{
    if (timeline->core.phase != KIFU__CHECKING) {
        kifu__fault(timeline, KIFU_MISUSE, "kifu_go_on was called outside of a check: call it in the action's check");
        return;
    }
    if (!timeline->running.acting) // It is no actor's action.
        return;
    kifu__turns *turns = kifu__turns_of(timeline);
    kifu__proposal *tried = kifu__queue_first(timeline->alternate.count ? &timeline->alternate : &timeline->inputs);
    kifu__proposal head = *tried;
    head.cause = timeline->running.acting;
    head.ticket = timeline->last_ticket = kifu__next_ticket(timeline);
    head.flags |= (uint8_t)(KIFU__GOES_ON | (undo == KIFU_UNDO_BY_ACTION ? KIFU_CONTINUE_UNDO : 0));
    kifu__remove_action(turns, turns->kept.next); // of what was tried before
    turns->kept.next = head.ticket;
    if (!kifu__queue_push(&turns->actions, &timeline->memory, &head, kifu__proposal_blob(tried)))
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for an action that goes on");
}

static kifu__proposal *find_going(const kifu__turns *turns, kifu_handle actor)
{
    kifu__proposal *action = turns ? kifu__queue_first(&turns->actions) : NULL;
    while (action && (action->cause != actor || !(action->flags & KIFU__GOES_ON)))
        action = kifu__queue_next(&turns->actions, action);
    return action;
}

// What a Do that fails has interrupted goes on. False, with a fault remembered, without memory.
static bool keep_interrupted(kifu_timeline *timeline, kifu__turns *turns)
{
    if (turns->interrupting == timeline->core.event + 1)
        return true;
    if (!kifu__queue_copy(&turns->actions, &timeline->memory, &turns->before)) {
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for interrupting an action");
        return false;
    }
    turns->interrupting = timeline->core.event + 1;
    return true;
}

void kifu_interrupt(kifu_timeline *timeline, kifu_handle actor)
{
    if (timeline->core.phase == KIFU__REPLAYING)
        return;
    if (timeline->core.phase != KIFU__DOING) {
        kifu__fault(timeline, KIFU_MISUSE,
                    "kifu_interrupt was called outside of a Do function: there, call kifu_set_action with ticket 0");
        return;
    }
    kifu__turns *turns = kifu__turns_of(timeline);
    for (kifu__proposal *action; (action = find_going(turns, actor)) && keep_interrupted(timeline, turns);)
        kifu__queue_remove(&turns->actions, action); // The step that runs is one of them.
}

bool kifu_goes_on(const kifu_timeline *timeline, kifu_handle actor)
{
    kifu__turns *turns = kifu__turns_of(timeline);
    if (timeline->running.acting && timeline->running.acting == actor) // In Act: not the step that runs.
        return turns->kept.next && kifu__queue_find(&turns->actions, turns->kept.next);
    return find_going(turns, actor) != NULL;
}
