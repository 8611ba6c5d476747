// Playing directly: the short way of an input through check → seal → Do, for a timeline where nobody else asks or is
// told. It does what `kifu_run` does, in the same order, and hands over to it where there is more to do.

#include "core/attempt.h"

#include "wire/buffer.h"

enum {
    WATCHED = 2, // Parts ask, follow, react, listen or record.
    SHOWN = 4,   // The view shows each event.
    PAST = 8,    // The past is shown.
    WAITS = 16,  // Something waits already: it runs first.
    REDO = 32,   // The new event ends redo.
    FAULT = 64   // A submit has failed.
};

// Finds out whether there is a reason to take the long way. What it drops and resets, `kifu_run` would.
static bool is_slow(kifu_timeline *timeline)
{
    const kifu__core *core = &timeline->core;
    if (core->phase != KIFU__IDLE)
        return true;
    timeline->core.slow = (timeline->heard & KIFU__LIVE ? WATCHED : 0U) |
                          (timeline->options.view && !timeline->quiet ? SHOWN : 0U) | (timeline->sought ? PAST : 0U) |
                          (timeline->consequences.count || timeline->inputs.count ? WAITS : 0U) |
                          (timeline->redo.count ? REDO : 0U) | (timeline->fault.result ? FAULT : 0U);
    if (core->slow)
        return true;
    timeline->delay = 0;
    kifu__queue_cut(&timeline->aside, 0, 0);
    return false;
}

// Whether the core asks more than the check of an input of this type.
static bool is_asked_more(const kifu_timeline *timeline, const kifu__type *type, int player)
{
    const kifu_game *game = kifu__game(timeline);
    const uint32_t count = game->player_count;
    if ((uint32_t)player >= count && (player < -1 || player > INT8_MAX || (type->is_player && count)))
        return true;
    return (type->is_player && game->phase == KIFU_PHASE_GAME_OVER) || (type->scope_count && timeline->hooked);
}

void *kifu__play_open(kifu_timeline *timeline, uint32_t type, int player)
{
    kifu__core *core = &timeline->core;
    const kifu__type *description = &timeline->rules->types[type];
    if ((core->slow || core->phase) && is_slow(timeline))
        return NULL;
    if (is_asked_more(timeline, description, player))
        return NULL;
    void *event = kifu__log_room(&timeline->log, description->table->size, description->table->align);
    if (!event)
        return NULL;
    timeline->last_ticket = kifu__next_ticket(timeline);
    core->player = player;
    core->event = timeline->executed;
    core->phase = KIFU__CHECKING;
    return event;
}

bool kifu__play_look(const kifu_timeline *timeline, uint32_t type, const void *event)
{
    const kifu__table *table = timeline->rules->types[type].table;
    return kifu__checks_hold(table->checks, table->check_count, (const unsigned char *)event, NULL);
}

bool kifu__play_accept(kifu_timeline *timeline, uint32_t type, void *event, kifu_verdict verdict)
{
    kifu__core *core = &timeline->core;
    const kifu__type *description = &timeline->rules->types[type];
    core->phase = KIFU__IDLE;
    if (verdict.reason || verdict.instead || core->slow)
        return false;
    if (description->table->check_count && !kifu__play_look(timeline, type, event))
        return false;
    if (!kifu__journal_open(&timeline->journal, core, &timeline->memory))
        return false;
    const kifu__mark mark = {.player = (int8_t)core->player, .flags = description->flags};
    kifu__log_enter(&timeline->log, event, type, mark);
    timeline->played = timeline->last_ticket;
    kifu__begin_input(timeline);
    kifu__running(timeline);
    core->phase = KIFU__DOING;
    return true;
}

// An attempt at what was played. It is in no queue.
static kifu__attempt attempt_of(const kifu_timeline *timeline, uint32_t type, kifu_ticket ticket)
{
    const kifu__type *description = &timeline->rules->types[type];
    return (kifu__attempt){
        .popped = true,
        .type = type,
        .original = {.size = description->table->size,
                     .cause = KIFU_NONE,
                     .ticket = ticket,
                     .type = (uint8_t)type,
                     .player = (int8_t)timeline->core.player,
                     .flags = description->flags},
    };
}

// From here on it goes the long way: as an input whose check has run.
kifu_result kifu__play_refuse(kifu_timeline *timeline, uint32_t type, const void *event, kifu_verdict verdict)
{
    kifu__queue *inputs = &timeline->inputs;
    kifu__attempt attempt = attempt_of(timeline, type, timeline->last_ticket);
    timeline->core.phase = KIFU__IDLE;
    if (!kifu__queue_push(inputs, &timeline->memory, &attempt.original, event))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory: the event was not submitted");
    attempt.queue = inputs;
    attempt.popped = false;
    kifu__begin_input(timeline);
    timeline->asked = timeline->rules->types[type].has_check ? &verdict : NULL;
    kifu_result result = kifu__attempt_run(timeline, &attempt, kifu__queue_first(inputs), KIFU_OK);
    timeline->asked = NULL;
    return kifu__run_rest(timeline, result);
}

static kifu_result end_slowly(kifu_timeline *timeline, kifu_result result)
{
    const uint32_t number = timeline->core.event;
    if (timeline->end_of_do)
        timeline->end_of_do(timeline, result);
    timeline->core.phase = KIFU__IDLE;
    kifu__journal_close(&timeline->core);
    timeline->executed++;
    kifu__attempt attempt = attempt_of(timeline, kifu__log_type(&timeline->log, number), timeline->played);
    const kifu__moment before = {.executed = number};
    const void *event = kifu__log_table(&timeline->log, number);
    result = kifu__attempt_end(timeline, &attempt, event, before, result);
    return kifu__run_rest(timeline, kifu__attempt_run(timeline, &attempt, NULL, result));
}

kifu_result kifu__play_end(kifu_timeline *timeline, kifu_result result)
{
    kifu__core *core = &timeline->core;
    const uint32_t executed = timeline->executed + 1;
    if (result || core->slow || executed == timeline->due)
        return end_slowly(timeline, result);
    timeline->executed = executed;
    core->phase = KIFU__IDLE;
    kifu__journal_close(core);
    return KIFU_OK;
}

kifu_result kifu__play(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size)
{
    const kifu_rules *rules = timeline->rules;
    const kifu__type *description = &rules->types[type];
    void *event = description->table->flat ? kifu__play_open(timeline, type, player) : NULL;
    if (!event) {
        kifu__submit(timeline, type, player, table, size);
        return kifu_run(timeline);
    }
    memcpy(event, table, size);
    kifu_verdict verdict = kifu_accept();
    if (description->has_check) {
        if (!kifu__play_look(timeline, type, event))
            return kifu__play_refuse(timeline, type, event, verdict);
        verdict = rules->check(timeline, type, timeline->core.state, event);
    }
    if (!kifu__play_accept(timeline, type, event, verdict))
        return kifu__play_refuse(timeline, type, event, verdict);
    return kifu__play_end(timeline, rules->do_event(timeline, type, timeline->core.state, event, timeline->transient));
}
