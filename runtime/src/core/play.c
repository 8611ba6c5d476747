// The short way of an input through check → seal → Do, for a timeline where no part asks or listens. It does what
// run.c does, in the same order, and hands over to it where there is more to do.
//
// The event is written where it will lie in the log: no queue, no copy. `core.slow` has a bit for each reason against
// that: parts that ask or follow, the past, a redo that the event would end, a fault, something that waits. Listeners
// and a view are none: they are called after the Do.
// What may change one of these sets a bit for "look again", so the answer is never wrong in the dangerous direction,
// and looking costs 25 instructions once. What was begun here and does not happen goes on in the long way from where it
// is: no check runs twice. An input that was submitted, and waits alone when the game runs, goes the same way.

#include "core/attempt.h"

#include "wire/buffer.h"

// --- Whether this way can be taken -----------------------------------------------------------------------------------

// Whether the core asks more than the check of an event of this type.
static inline bool is_asked_more(const kifu_timeline *timeline, const kifu__type *type, int player)
{
    const kifu_game *game = kifu__game(timeline);
    const uint32_t count = game->player_count;
    if ((uint32_t)player >= count && (player < -1 || player > INT8_MAX || (type->is_player && count)))
        return true;
    return (type->is_player && game->phase == KIFU_PHASE_GAME_OVER) ||
           (type->scope_count && kifu__is_hooked(timeline, (uint32_t)(type - timeline->rules->types)));
}

bool kifu__play_look(const kifu__type *type, const void *event)
{
    const kifu__table *table = type->table;
    if (table->flat)
        return kifu__checks_hold(table->checks, table->check_count, (const unsigned char *)event, NULL);
    kifu_error error;
    return kifu__is_whole(table, event) && !kifu__check_proposal(table, event, &error);
}

static inline bool is_valid(const kifu__type *type, const void *event)
{
    return (type->table->flat && !type->table->check_count) || kifu__play_look(type, event);
}

// --- What inputs and what waits share --------------------------------------------------------------------------------

// Whether the Do that has returned `result` has left nothing to do but what waits.
static inline bool is_done(const kifu_timeline *timeline, kifu_result result)
{
    return !result && !kifu__is_slow(timeline) && timeline->executed + 1 != timeline->due.at;
}

// The Do has left more to do. `original`: of the event that runs.
static kifu_result end_slowly(kifu_timeline *timeline, const kifu__proposal *original, kifu__moment before,
                              kifu_result result)
{
    kifu__attempt attempt = {
        .popped = true, .executed = before.executed, .original = *original, .type = original->type};
    const void *event = kifu__log_table(&timeline->log, before.executed);
    if (kifu__has_handler(timeline, do_ends))
        timeline->dispatch->end_do(timeline, result);
    kifu__leave(timeline);
    result = kifu__attempt_end(timeline, &attempt, event, &before, result);
    return kifu__attempt_go_on(timeline, &attempt, result);
}

// --- An input that is played directly --------------------------------------------------------------------------------

// Where `core.slow` is not zero.
static KIFU__COLD void *open_anew(kifu_timeline *timeline, const kifu__type *type, int player)
{
    if (timeline->core.phase != KIFU__IDLE)
        return NULL;
    kifu__find_slow(timeline);
    if (kifu__is_busy(timeline))
        return NULL;
    return kifu__play_open(timeline, type, player);
}

// Where the event will lie, for its check to look at. NULL: this way is not for it.
static KIFU__HOT void *open_event(kifu_timeline *timeline, const kifu__type *type, uint32_t size, int player)
{
    kifu__core *core = &timeline->core;
    void *event = kifu__log_room(&timeline->log, size, type->align);
    if (!event || is_asked_more(timeline, type, player))
        return NULL;
    timeline->played.size = size;
    core->player = player;
    core->event = timeline->executed;
    core->phase = KIFU__CHECKING;
    return event;
}

void *kifu__play_open(kifu_timeline *timeline, const kifu__type *type, int player)
{
    if (kifu__is_busy(timeline) || timeline->core.phase)
        return open_anew(timeline, type, player);
    void *event = open_event(timeline, type, type->size, player);
    if (!event)
        return NULL;
    timeline->played.ticket = timeline->last_ticket = kifu__next_ticket(timeline);
    return event;
}

// The log's open segment has what it has.
static void *no_more(void *context, void *block, size_t size)
{
    (void)context;
    (void)block;
    (void)size;
    return NULL;
}

void *kifu__play_begin(kifu_timeline *timeline, const kifu__type *type, int player)
{
    static const kifu__memory none = {.allocate = no_more};
    const kifu_ticket ticket = timeline->last_ticket;
    unsigned char *event = (unsigned char *)kifu__play_open(timeline, type, player);
    if (!event)
        return NULL;
    timeline->last_ticket = ticket; // It may have to be submitted after all.
    timeline->core.phase = KIFU__IDLE;
    const kifu__segment *segment = timeline->log.open;
    const uint32_t start = (uint32_t)(event - segment->bytes);
    timeline->building.blob = (kifu__blob){.memory = &none,
                                           .bytes = segment->bytes,
                                           .size = start + type->size,
                                           .capacity = segment->capacity,
                                           .start = start};
    return event;
}

bool kifu__play_built(kifu_timeline *timeline, const kifu__type *type, const void *event)
{
    kifu__blob *built = &timeline->building.blob;
    kifu__build(built, 0, NULL, 0, 4);
    if (built->result || !kifu__play_look(type, event))
        return false;
    timeline->played.size = built->size - built->start;
    timeline->last_ticket = timeline->played.ticket;
    timeline->core.phase = KIFU__CHECKING;
    return true;
}

// Seals what is in its place, unless the check has not simply accepted it: false.
static KIFU__HOT bool accept_event(kifu_timeline *timeline, const kifu__type *type, void *event, kifu_verdict verdict)
{
    kifu__core *core = &timeline->core;
    core->phase = KIFU__IDLE;
    if (verdict.reason || verdict.instead || kifu__is_busy(timeline))
        return false;
    kifu__begin_input(timeline);
    if (!kifu__journal_open(&timeline->journal, core, &timeline->memory, timeline->running.input_first))
        return false;
    const kifu__mark mark = {.player = (int8_t)core->player, .flags = type->flags};
    kifu__log_seal(&timeline->log, type, event, timeline->played.size, mark);
    core->phase = KIFU__DOING;
    return true;
}

bool kifu__play_accept(kifu_timeline *timeline, const kifu__type *type, void *event, kifu_verdict verdict)
{
    return accept_event(timeline, type, event, verdict);
}

// As it was submitted.
static KIFU__APART kifu__proposal proposal_of(const kifu_timeline *timeline, const kifu__type *type)
{
    return (kifu__proposal){
        .size = timeline->played.size,
        .cause = KIFU_NONE,
        .ticket = timeline->played.ticket,
        .type = type->id,
        .player = (int8_t)timeline->core.player,
        .flags = type->flags,
    };
}

kifu_result kifu__play_refuse(kifu_timeline *timeline, const kifu__type *type, const void *event, kifu_verdict verdict)
{
    const kifu__proposal proposal = proposal_of(timeline, type);
    timeline->core.phase = KIFU__IDLE;
    if (!kifu__queue_push(&timeline->inputs, &timeline->memory, &proposal, event))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory: the event was not submitted");
    kifu__changed(timeline);
    timeline->played.asked = type->has_check ? &verdict : NULL;
    const kifu_result result = kifu__run_one(timeline);
    timeline->played.asked = NULL;
    return kifu__run_rest(timeline, result);
}

static KIFU__COLD kifu_result end_anew(kifu_timeline *timeline, kifu_result result)
{
    const kifu__moment before = {.executed = timeline->executed};
    const uint32_t type = kifu__log_type(&timeline->log, before.executed);
    const kifu__proposal proposal = proposal_of(timeline, &timeline->rules->types[type]);
    return kifu__run_rest(timeline, end_slowly(timeline, &proposal, before, result));
}

// It is shown, and what waits runs.
static KIFU__COLD kifu_result play_rest(kifu_timeline *timeline)
{
    const uint32_t number = timeline->executed - 1;
    kifu_result result = KIFU_OK;
    if (kifu__must_show(timeline))
        result = kifu__show_live(timeline, kifu__log_type(&timeline->log, number),
                                 kifu__log_table(&timeline->log, number), number);
    return kifu__run_rest(timeline, result);
}

kifu_result kifu__play_end(kifu_timeline *timeline, kifu_result result)
{
    if (!is_done(timeline, result))
        return end_anew(timeline, result);
    kifu__leave(timeline);
    if (KIFU__QUICK && timeline->core.slow == KIFU__HEARD && !kifu__must_show(timeline)) {
        timeline->delay = 0;
        return KIFU_OK;
    }
    return timeline->core.slow ? play_rest(timeline) : KIFU_OK;
}

// --- An input that waits alone ---------------------------------------------------------------------------------------

kifu_result kifu__play_waiting(kifu_timeline *timeline)
{
    kifu__core *core = &timeline->core;
    kifu__queue *inputs = &timeline->inputs;
    kifu__proposal *proposal = (kifu__proposal *)(void *)(inputs->bytes + inputs->head);
    const kifu__type *type = &timeline->rules->types[proposal->type];
    const void *blob = kifu__proposal_blob(proposal);
    // Where it is refused, it goes back to the queue as it was submitted: only what is not held for a roll-back may.
    if (proposal->overridden || proposal->flags != type->flags || inputs->head < inputs->base || !is_valid(type, blob))
        return kifu__run_rest(timeline, KIFU_OK);
    void *event = open_event(timeline, type, proposal->size, proposal->player);
    if (!event)
        return kifu__run_rest(timeline, KIFU_OK);
    timeline->played.ticket = proposal->ticket;
    timeline->delay = 0;
    kifu__copy_blob(event, blob, proposal->size);
    kifu_verdict verdict = kifu_accept();
    bool valid = true;
    if (type->has_check) {
        verdict = timeline->rules->check(timeline, type->id, core->state, event);
        valid = is_valid(type, event);
    }
    kifu__queue_clear(inputs);
    core->slow &= ~(uint32_t)KIFU__WAITS;
    if (!valid || !(KIFU__QUICK ? accept_event(timeline, type, event, verdict)
                                : kifu__play_accept(timeline, type, event, verdict)))
        return kifu__play_refuse(timeline, type, event, verdict);
    return kifu__play_end(timeline,
                          timeline->rules->do_event(timeline, type->id, core->state, event, timeline->transient));
}

kifu_result kifu__play(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size)
{
    const kifu_rules *rules = timeline->rules;
    const kifu__type *description = &rules->types[type];
    void *event = description->table->flat ? kifu__play_open(timeline, description, player) : NULL;
    if (!event) {
        kifu__submit(timeline, type, player, table, size);
        return kifu_run(timeline);
    }
    memcpy(event, table, size);
    kifu_verdict verdict = kifu_accept();
    if (description->has_check && !is_valid(description, event))
        return kifu__play_refuse(timeline, description, event, verdict);
    if (description->has_check)
        verdict = rules->check(timeline, type, timeline->core.state, event);
    if (!is_valid(description, event) || !kifu__play_accept(timeline, description, event, verdict))
        return kifu__play_refuse(timeline, description, event, verdict);
    return kifu__play_end(timeline, rules->do_event(timeline, type, timeline->core.state, event, timeline->transient));
}
