// Submitting: a proposal is built in place behind the tail of its queue, and becomes part of it when it is whole.

#include "core/timeline.h"

// The queue that a proposal of another time than a Do, or rest, goes to; NULL where there is none, with the reason
// remembered unless this is a replay.
static KIFU__COLD kifu__queue *other_queue(kifu_timeline *timeline, uint32_t type)
{
    const char *name = timeline->rules->types[type].table->name;
    switch (timeline->core.phase) {
    case KIFU__IDLE:
    case KIFU__TELLING:
        if (timeline->fault.result)
            return NULL;
        if (!timeline->past.shown)
            return &timeline->inputs;
        kifu__fault(timeline, KIFU_MISUSE, "%s was submitted while the past is shown: %s", name, kifu__back_to_present);
        return NULL;
    case KIFU__DOING:
    case KIFU__REACTING:
        kifu__fault(timeline, KIFU_RUNAWAY, "%s is one consequence too many", name);
        return NULL;
    case KIFU__REPLAYING:
        return NULL;
    case KIFU__CHECKING: // It is not said yet what is to become of it.
        return &timeline->aside;
    case KIFU__LISTING:
        return timeline->building.list;
    case KIFU__TRYING:
        kifu__fault(timeline, KIFU_MISUSE, "%s was submitted while %s", name, kifu__try_is_open);
        return NULL;
    case KIFU__SHOWING:
    default:
        kifu__fault(timeline, KIFU_MISUSE,
                    "%s was submitted from a view function: submit from outside, between calls of kifu_update", name);
        return NULL;
    }
}

// The queue that a proposal of now goes to, or NULL.
static inline kifu__queue *queue_of_now(kifu_timeline *timeline, uint32_t type)
{
    const kifu__phase phase = timeline->core.phase;
    if (KIFU__QUICK && phase == KIFU__IDLE && !kifu__is_slow(timeline))
        return &timeline->inputs;
    if ((phase == KIFU__DOING || phase == KIFU__REACTING) &&
        timeline->running.consequence_count < timeline->options.max_consequences)
        return &timeline->consequences;
    return other_queue(timeline, type);
}

static const char no_memory_to_submit[] = "out of memory: the event was not submitted";

static KIFU__COLD void *not_submitted(kifu_timeline *timeline, uint32_t type, int player)
{
    if (player < -1 || player > INT8_MAX)
        kifu__fault(timeline, KIFU_MISUSE,
                    "%s was submitted for player %d: a player's number is 0 to 127, or -1 for none",
                    timeline->rules->types[type].table->name, player);
    else
        kifu__fault(timeline, KIFU_NO_MEMORY, no_memory_to_submit);
    return NULL;
}

static inline void write_head(const kifu_timeline *timeline, uint32_t type, int player, uint32_t size, uint32_t cause,
                              kifu__proposal *head)
{
    head->size = size;
    head->cause = cause;
    head->ticket = kifu__next_ticket(timeline);
    head->type = (uint8_t)type;
    head->player = (int8_t)player;
    head->flags = timeline->rules->types[type].flags;
    head->overridden = head->whole = false;
}

// The head of a new proposal, behind the tail of `*queue`, and room for the `size` bytes of its table; NULL: there is
// none. At a watcher, one field more is behind them, which is absent (seen/watch_rules.c).
static inline kifu__proposal *open_proposal(kifu_timeline *timeline, uint32_t type, int player, uint32_t size,
                                            kifu__queue **queue)
{
    const kifu__type *description = &timeline->rules->types[type];
    const uint32_t given = size;
    size = size < description->size ? description->size : size;
    *queue = queue_of_now(timeline, type);
    if (!*queue)
        return NULL;
    kifu__proposal *head =
        player < -1 || player > INT8_MAX
            ? NULL
            : (kifu__proposal *)(void *)kifu__queue_room(*queue, &timeline->memory, 0, (uint32_t)sizeof *head + size);
    if (!head)
        return (kifu__proposal *)not_submitted(timeline, type, player);
    const uint32_t cause = *queue == &timeline->inputs ? KIFU_NONE : kifu__event(&timeline->core);
    write_head(timeline, type, player, size, cause, head);
    if (size != given)
        memset((unsigned char *)kifu__proposal_blob(head) + given, 0, sizeof(kifu_ref));
    return head;
}

static KIFU__APART kifu_ticket commit(kifu_timeline *timeline, kifu__queue *queue, const kifu__proposal *head)
{
    timeline->core.slow |= queue == &timeline->aside ? KIFU__UNSURE : KIFU__WAITS;
    if (queue == &timeline->consequences)
        timeline->running.consequence_count++;
    timeline->last_ticket = head->ticket;
    kifu__queue_commit(queue, head->size);
    return timeline->last_ticket;
}

static KIFU__CALLED kifu_ticket submit_anywhere(kifu_timeline *timeline, uint32_t type, int player, const void *table,
                                                uint32_t size)
{
    kifu__queue *queue;
    kifu__proposal *head = open_proposal(timeline, type, player, size, &queue);
    if (!head)
        return 0;
    kifu__copy_blob(kifu__proposal_blob(head), table, size);
    return commit(timeline, queue, head);
}

// Into a queue with room it takes half as many instructions: no call needs registers saved.
static inline bool is_quick(const kifu_timeline *timeline, const kifu__queue *queue, uint32_t type, int player,
                            uint32_t size)
{
    return player >= -1 && player <= INT8_MAX && size >= timeline->rules->types[type].size &&
           kifu__queue_fits(queue, (uint32_t)sizeof(kifu__proposal) + size);
}

static inline kifu_ticket submit_quickly(kifu_timeline *timeline, kifu__queue *queue, uint32_t cause, uint32_t type,
                                         int player, const void *table, uint32_t size)
{
    kifu__proposal *head = (kifu__proposal *)(void *)(queue->bytes + queue->tail);
    write_head(timeline, type, player, size, cause, head);
    const kifu_ticket ticket = commit(timeline, queue, head);
    kifu__copy_blob(kifu__proposal_blob(head), table, size);
    return ticket;
}

static inline kifu_ticket submit_from_do(kifu_timeline *timeline, uint32_t type, int player, const void *table,
                                         uint32_t size)
{
    kifu__queue *queue = &timeline->consequences;
    if (!KIFU__QUICK || timeline->core.phase != KIFU__DOING ||
        timeline->running.consequence_count >= timeline->options.max_consequences ||
        !is_quick(timeline, queue, type, player, size))
        return submit_anywhere(timeline, type, player, table, size);
    return submit_quickly(timeline, queue, timeline->executed, type, player, table, size);
}

static KIFU__CALLED kifu_ticket submit_inside(kifu_timeline *timeline, uint32_t type, int player, const void *table,
                                              uint32_t size)
{
    return submit_from_do(timeline, type, player, table, size);
}

kifu_ticket kifu__submit(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size)
{
    kifu__queue *queue = &timeline->inputs;
    if (!KIFU__QUICK || timeline->core.phase != KIFU__IDLE || kifu__is_slow(timeline) ||
        !is_quick(timeline, queue, type, player, size))
        return submit_inside(timeline, type, player, table, size);
    return submit_quickly(timeline, queue, KIFU_NONE, type, player, table, size);
}

void kifu__submit_timed(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size)
{
    if (!submit_from_do(timeline, type, player, table, size))
        return;
    const kifu__queue *queue = &timeline->consequences;
    kifu__proposal *head = (kifu__proposal *)(void *)(queue->bytes + queue->tail - kifu__proposal_size(size));
    memset(kifu__proposal_blob(head), 0, sizeof(kifu_ref)); // A proposal leads to no vtable yet.
    if (timeline->rules->types[type].is_player)
        head->flags |= KIFU_CONTINUE_UNDO;
}

// --- Proposals with references ---------------------------------------------------------------------------------------

// In the queue's own bytes, which it takes back at the end.
void kifu__submit_begin(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size)
{
    timeline->building.queue = NULL;
    timeline->building.blob = (kifu__blob){.result = KIFU_MISUSE}; // Nothing can be added.
    kifu__queue *queue;
    kifu__proposal *head = open_proposal(timeline, type, player, size, &queue);
    if (!head)
        return;
    kifu__copy_blob(kifu__proposal_blob(head), table, size);
    const uint32_t start = queue->tail + (uint32_t)sizeof *head;
    timeline->building.queue = queue;
    timeline->building.blob = (kifu__blob){.memory = &timeline->memory,
                                           .bytes = queue->bytes,
                                           .size = start + head->size,
                                           .capacity = queue->capacity,
                                           .start = start};
}

uint32_t kifu__submit_vector(kifu_timeline *timeline, uint32_t ref, const void *elements, uint32_t count, uint32_t size,
                             uint32_t align)
{
    if (elements)
        return kifu__build_vector(&timeline->building.blob, ref, elements, count, (uint64_t)count * size, align);
    kifu__blob *blob = &timeline->building.blob;
    if (count && !blob->result) {
        const kifu__proposal *head = (const kifu__proposal *)(const void *)(blob->bytes + blob->start) - 1;
        kifu__fault(timeline, KIFU_MISUSE, "a vector of %u elements of %s was submitted as a null pointer",
                    (unsigned)count, timeline->rules->types[head->type].table->name);
        blob->result = KIFU_MISUSE;
    }
    return 0;
}

void kifu__submit_string(kifu_timeline *timeline, uint32_t ref, const char *string)
{
    kifu__build_string(&timeline->building.blob, ref, string);
}

uint32_t kifu__submit_references(kifu_timeline *timeline, uint32_t ref, uint32_t count)
{
    return kifu__build_vector(&timeline->building.blob, ref, NULL, count, (uint64_t)count * 4, 4);
}

uint32_t kifu__submit_table(kifu_timeline *timeline, uint32_t ref, const void *table, uint32_t size, uint32_t align)
{
    return kifu__build_table(&timeline->building.blob, ref, table, size, align);
}

kifu_ticket kifu__submit_end(kifu_timeline *timeline)
{
    kifu__queue *queue = timeline->building.queue;
    kifu__blob *built = &timeline->building.blob;
    if (!queue)
        return 0;
    const uint32_t size = (built->size - built->start + 3) & ~UINT32_C(3);
    kifu__build(built, 0, NULL, 0, 8); // where the next proposal starts
    queue->bytes = built->bytes;
    queue->capacity = built->capacity;
    if (built->result == KIFU_NO_MEMORY)
        kifu__fault(timeline, KIFU_NO_MEMORY, no_memory_to_submit);
    else if (built->result == KIFU_TOO_LARGE)
        kifu__fault(timeline, KIFU_TOO_LARGE, "an event of more than 1 GiB was submitted");
    if (built->result)
        return 0;
    kifu__proposal *head = (kifu__proposal *)(void *)(queue->bytes + queue->tail);
    head->size = size;
    return commit(timeline, queue, head);
}

// --- Waiting proposals -----------------------------------------------------------------------------------------------

bool kifu__is_own(const kifu_timeline *timeline, const kifu__proposal *proposal)
{
    if (timeline->core.phase == KIFU__IDLE || timeline->core.phase == KIFU__CHECKING) // where it goes aside
        return true;
    if (timeline->core.phase == KIFU__TELLING) // an input
        return proposal->cause == KIFU_NONE;
    const kifu__queue *queue = &timeline->consequences;
    const unsigned char *at = (const unsigned char *)proposal;
    return proposal->cause == kifu__event(&timeline->core) &&
           at >= queue->bytes + queue->head + timeline->transactions.own_from;
}

bool kifu__waits(kifu_timeline *timeline, kifu_ticket ticket)
{
    return kifu__queue_find(&timeline->inputs, ticket) || kifu__queue_find(&timeline->consequences, ticket) ||
           (kifu__has_handler(timeline, holds) && timeline->dispatch->hold(timeline, ticket));
}

kifu_result kifu_override(kifu_timeline *timeline, kifu_ticket ticket, bool undoable, bool continue_undo)
{
    if (!ticket)
        return KIFU_OK;
    if (timeline->core.phase == KIFU__CHECKING || timeline->core.phase == KIFU__SHOWING)
        return kifu__misuse(timeline,
                            "kifu_override was called from a check or a view function: call it right after the submit");
    const bool outside = timeline->core.phase == KIFU__IDLE || timeline->core.phase == KIFU__TELLING;
    kifu__queue *first = outside ? &timeline->inputs : &timeline->consequences; // where what was submitted last waits
    kifu__queue *second = outside ? &timeline->consequences : &timeline->inputs;
    kifu__queue *queue = first;
    kifu__proposal *proposal = kifu__queue_find(queue, ticket);
    if (!proposal)
        proposal = kifu__queue_find(queue = second, ticket);
    if (!proposal)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_override: no event with ticket %u waits; call it right after the submit",
                           (unsigned)ticket);
    if (!kifu__is_own(timeline, proposal))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_override: a running event may change only what it submitted itself, in the same "
                           "transaction; call it right after the submit");
    const kifu__type *type = &timeline->rules->types[proposal->type];
    if (type->never_undoable && undoable)
        return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_override: the schema says that %s is never undoable",
                           type->table->name);
    if (!kifu__queue_own(queue, &timeline->memory, &proposal))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for kifu_override; nothing was changed");
    kifu__queue_change(queue, proposal);
    proposal->overridden = true;
    proposal->flags = (uint8_t)((undoable ? KIFU_UNDOABLE : 0) | (continue_undo ? KIFU_CONTINUE_UNDO : 0));
    if (kifu__has_handler(timeline, called) && timeline->core.phase == KIFU__IDLE)
        timeline->dispatch->called(timeline, KIFU__CALL_OVERRIDE, proposal, 0);
    return KIFU_OK;
}

kifu_result kifu_drop_inputs(kifu_timeline *timeline)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_drop_inputs");
    if (result)
        return result;
    kifu__queue_cut(&timeline->inputs, 0, 0);
    if (kifu__has_handler(timeline, dropped))
        timeline->dispatch->dropped(timeline, 0);
    return kifu__report_fault(timeline);
}

uint32_t kifu_pending_count(const kifu_timeline *timeline)
{
    return timeline->consequences.count + timeline->inputs.count;
}

bool kifu_pending_at(const kifu_timeline *timeline, uint32_t index, kifu_event *event)
{
    kifu_timeline *own = (kifu_timeline *)(uintptr_t)timeline; // A queue remembers where its last look led to.
    kifu__queue *queue = &own->consequences;
    if (index >= queue->count) {
        index -= queue->count;
        queue = &own->inputs;
    }
    if (index >= queue->count)
        return false;
    kifu__proposal *proposal = kifu__queue_at(queue, index);
    *event = (kifu_event){
        .index = KIFU_NONE,
        .type = proposal->type,
        .name = timeline->rules->types[proposal->type].table->name,
        .table = kifu__proposal_blob(proposal),
        .cause = proposal->cause,
        .player = proposal->player,
        .flags = proposal->flags,
        .rules_version = timeline->rules->rules_version,
    };
    return true;
}
