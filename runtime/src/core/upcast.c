// Upcasting: the game's function is called with the old event and submits the new one. It does so on a stage, a
// timeline of its own with nothing in it, so that there is nothing to depend on but the old event; and nothing to undo.

#include "core/upcast.h"

#include <stdio.h>

enum { MOST_NESTED = 64 }; // Timed events inside timed events, which no game has any use for.

// What is being upcast: for messages.
typedef struct subject {
    kifu__upcaster *upcaster;
    uint32_t index; // In its segment.
    uint32_t depth; // So many events around it time it.
} subject;

static const kifu__type *types_of(const kifu__upcaster *upcaster)
{
    return upcaster->timeline->rules->types;
}

// `own`: the reason is the game's own words.
static kifu_result refuse_upcast(const subject *subject, uint32_t type, kifu_result result, const char *reason,
                                 bool own)
{
    const kifu__upcaster *upcaster = subject->upcaster;
    const kifu__type *old = &types_of(upcaster)[type], *new = &types_of(upcaster)[old->superseded_by];
    const uint32_t number = upcaster->first + subject->index;
    char name[16] = "the event";
    if (!upcaster->alone)
        snprintf(name, sizeof name, "event %u", (unsigned)number);
    kifu_error *error = upcaster->error;
    kifu__error_at(error, result, upcaster->offset, "%s%s%s (%s) could not become %s: %s",
                   subject->depth ? "the event timed by " : "", upcaster->pending ? "waiting " : "", name,
                   old->table->name, new->table->name, reason);
    if (error && !upcaster->pending && !upcaster->alone)
        error->event = number;
    if (error && own)
        kifu__error_ends_in(error, reason);
    return result;
}

static kifu_result open_stage(kifu__upcaster *upcaster)
{
    const kifu_options *options = &upcaster->timeline->options;
    const kifu_options own = {.allocate = options->allocate, .allocate_context = options->allocate_context};
    return upcaster->stage ? KIFU_OK : kifu_create(&upcaster->rules, &own, &upcaster->stage, NULL);
}

// Why what the game's function submitted, the first of `aside`, is not what it has to be; NULL: it is.
static const char *find_fault(const kifu__queue *aside, const kifu_rules *rules, uint32_t wanted, char *text,
                              size_t size)
{
    const kifu__proposal *made = kifu__queue_first(aside);
    if (!made)
        return "its upcast function submitted no event; if the old event means nothing any more, submit one that "
               "changes nothing";
    if (aside->count > 1) {
        snprintf(text, size, "its upcast function submitted %u events; it must submit one", (unsigned)aside->count);
        return text;
    }
    if (made->type != wanted) {
        snprintf(text, size, "its upcast function submitted %s instead", rules->types[made->type].table->name);
        return text;
    }
    return NULL;
}

// Lets the game's function submit what the event at `old` has become.
static kifu_result submit_upcast(const subject *subject, uint32_t type, int player, const void *old,
                                 kifu__proposal **made)
{
    kifu_timeline *stage = subject->upcaster->stage;
    const kifu_rules *rules = stage->rules;
    const uint32_t wanted = rules->types[type].superseded_by;
    kifu__queue_cut(&stage->aside, 0, 0);
    stage->fail_reason[0] = '\0';
    stage->core.player = player;
    stage->core.phase = KIFU__CHECKING; // It may look, and submit.
    kifu_result result = rules->upcast(stage, type, old);
    stage->core.phase = KIFU__IDLE;
    const kifu_result fault = kifu__report_fault(stage);
    if (fault == KIFU_NO_MEMORY)
        return fault;
    if (fault)
        return refuse_upcast(subject, type, KIFU_FAILED, stage->error.message, false);
    if (result) {
        bool told = result == KIFU_FAILED && stage->fail_reason[0];
        return refuse_upcast(subject, type, KIFU_FAILED, told ? stage->fail_reason : kifu_result_text(result), true);
    }
    char text[200];
    const char *reason = find_fault(&stage->aside, rules, wanted, text, sizeof text);
    *made = kifu__queue_first(&stage->aside);
    if (!reason && kifu__check_bytes(rules->types[wanted].table, kifu__proposal_blob(*made), true, &stage->error))
        reason = stage->error.message;
    return reason ? refuse_upcast(subject, type, KIFU_FAILED, reason, false) : KIFU_OK;
}

static bool copy_to_blob(const void *bytes, uint32_t size, kifu__blob *blob)
{
    kifu__build_anew(blob, blob->memory);
    kifu__build(blob, 0, bytes, size, 1);
    return !blob->result;
}

// For the sync test: the same once more.
static kifu_result submit_again(const subject *subject, uint32_t type, int player, const void *old,
                                kifu__proposal **made)
{
    const int before = (*made)->player;
    kifu__blob first = {.memory = &subject->upcaster->timeline->memory};
    if (!copy_to_blob(kifu__proposal_blob(*made), (*made)->size, &first))
        return KIFU_NO_MEMORY;
    kifu_result result = submit_upcast(subject, type, player, old, made);
    if (!result && ((*made)->player != before || (*made)->size != first.size ||
                    memcmp(kifu__proposal_blob(*made), first.bytes, first.size) != 0))
        result = refuse_upcast(subject, type, KIFU_DIVERGED,
                               "its upcast function submitted something else when it was called again: it depends on "
                               "something besides the old event (a clock, an address, memory never set)",
                               false);
    kifu__free(first.memory, first.bytes);
    return result;
}

// --- Timed events ----------------------------------------------------------------------------------------------------

static bool is_schedule(const kifu_rules *rules, uint32_t type)
{
    return rules->turns && type == rules->turns->schedule; // 0: there are no timed events
}

static bool times_superseded(const kifu_rules *rules, const kifu_e_schedule *schedule)
{
    const uint32_t type = schedule->type;
    return type && type <= rules->type_count && (rules->types[type].superseded_by || is_schedule(rules, type));
}

static kifu_result upcast_blob(const subject *subject, uint32_t *type, int8_t *player, kifu__blob *blob);

// Puts the ESchedule that times the event in `event` for when `old` did into `blob`, where that one is.
static kifu_result schedule_anew(kifu_timeline *stage, const kifu__blob *event, uint32_t type, int8_t player,
                                 const kifu_e_schedule *old, kifu__blob *blob)
{
    const kifu__proposal head = {.size = event->size, .ticket = 1, .type = (uint8_t)type, .player = player};
    kifu__queue *inputs = &stage->inputs;
    bool made = kifu__queue_push(inputs, &stage->memory, &head, event->bytes) &&
                !stage->rules->turns->timed->schedule(stage, head.ticket, old->turn, old->key);
    if (made) {
        kifu__proposal *schedule = kifu__queue_first(inputs);
        made = copy_to_blob(kifu__proposal_blob(schedule), schedule->size, blob);
    }
    kifu__queue_cut(inputs, 0, 0);
    return made ? KIFU_OK : KIFU_NO_MEMORY;
}

// The event inside the ESchedule in `blob`. One that cannot be read stays: its game turn will report the error.
static kifu_result upcast_timed(const subject *outer, kifu__blob *blob)
{
    kifu__upcaster *upcaster = outer->upcaster;
    const kifu_e_schedule *schedule = (const kifu_e_schedule *)(const void *)blob->bytes;
    const subject inner = {.upcaster = upcaster, .index = outer->index, .depth = outer->depth + 1};
    if (inner.depth > MOST_NESTED || !times_superseded(&upcaster->rules, schedule))
        return KIFU_OK;
    kifu__blob read, event = {.memory = blob->memory};
    kifu_result result = open_stage(upcaster);
    if (result)
        return result;
    result = upcaster->rules.turns->timed->read(upcaster->stage, schedule, &read, NULL);
    if (result)
        return result == KIFU_NO_MEMORY ? result : KIFU_OK;
    uint32_t type = schedule->type;
    int8_t player = schedule->player;
    result = copy_to_blob(read.bytes, read.size, &event) ? upcast_blob(&inner, &type, &player, &event) : KIFU_NO_MEMORY;
    if (!result)
        result = schedule_anew(upcaster->stage, &event, type, player, schedule, blob);
    kifu__free(event.memory, event.bytes);
    return result;
}

// --- The whole -------------------------------------------------------------------------------------------------------

static kifu_result upcast_blob(const subject *subject, uint32_t *type, int8_t *player, kifu__blob *blob)
{
    kifu__upcaster *upcaster = subject->upcaster;
    const kifu__type *types = types_of(upcaster);
    // What was superseded twice becomes what it was in between first.
    while (types[*type].superseded_by) {
        kifu__proposal *made;
        kifu_result result = open_stage(upcaster);
        if (!result)
            result = submit_upcast(subject, *type, *player, blob->bytes, &made);
        if (!result && upcaster->timeline->options.sync_test)
            result = submit_again(subject, *type, *player, blob->bytes, &made);
        if (!result && !copy_to_blob(kifu__proposal_blob(made), made->size, blob))
            result = KIFU_NO_MEMORY;
        if (result)
            return result;
        *type = made->type;
        *player = made->player;
        const uint32_t number = upcaster->first + subject->index + 1;
        if (!upcaster->pending && (!upcaster->upcast || number < upcaster->upcast))
            upcaster->upcast = number;
    }
    return is_schedule(&upcaster->rules, *type) ? upcast_timed(subject, blob) : KIFU_OK;
}

static kifu_result upcast_event(kifu__upcaster *upcaster, uint32_t index, uint32_t *type, int8_t *player,
                                kifu__blob *blob)
{
    const subject subject = {.upcaster = upcaster, .index = index};
    return upcast_blob(&subject, type, player, blob);
}

static bool is_needed(const kifu_rules *rules, const kifu__segment *segment)
{
    for (uint32_t i = 0; i < segment->count; i++) {
        const uint32_t type = segment->types[i];
        if (rules->types[type].superseded_by ||
            (is_schedule(rules, type) &&
             times_superseded(rules, (const kifu_e_schedule *)kifu__segment_table(segment, i))))
            return true;
    }
    return false;
}

static void begin_upcast(kifu__upcaster *upcaster, const kifu_timeline *timeline, const kifu__segment *segment,
                         bool pending, kifu__buffer *buffer)
{
    upcaster->timeline = timeline;
    upcaster->offset = buffer->offset;
    upcaster->first = pending ? 0 : segment->first;
    upcaster->pending = pending;
    upcaster->error = buffer->error;
    upcaster->rules = *timeline->rules;
    upcaster->rules.rules_version = segment->rules_version;
    buffer->upcast = upcast_event;
    buffer->upcaster = upcaster;
}

static void end_upcast(kifu__upcaster *upcaster)
{
    kifu_destroy(upcaster->stage);
}

const struct kifu__upcasting kifu__upcasting = {.is_needed = is_needed, .begin = begin_upcast, .end = end_upcast};
