// A timeline's life, and looking at it.

#include "timeline_impl.h"

#include <stdarg.h>
#include <stdio.h>

enum { DEFAULT_MAX_CONSEQUENCES = 10000, MOST_CONSEQUENCES = 65535 };

static uint32_t most_transient_bytes(const kifu_rules *rules)
{
    uint32_t most = 8;
    for (uint32_t type = 1; type <= rules->type_count; type++) {
        if (rules->types[type].transient_size > most)
            most = rules->types[type].transient_size;
    }
    return most;
}

kifu_result kifu_create(const kifu_rules *rules, const kifu_options *options, kifu_timeline **timeline,
                        kifu_error *error)
{
    static const kifu_options defaults = {0};
    *timeline = NULL;
    if (!options)
        options = &defaults;
    if (options->max_consequences > MOST_CONSEQUENCES)
        return kifu__error(error, KIFU_MISUSE, "kifu_options.max_consequences is %u; it may be at most %u",
                           (unsigned)options->max_consequences, (unsigned)MOST_CONSEQUENCES);
    uint16_t one = 1;
    unsigned char first_byte;
    memcpy(&first_byte, &one, 1);
    if (first_byte != 1)
        return kifu__error(error, KIFU_MISUSE, "this machine is big-endian; Kifu runs on little-endian machines only");

    kifu__memory memory = kifu__memory_of(options->allocate, options->allocate_context);
    size_t state_size = ((size_t)rules->state_size + 7) & ~(size_t)7;
    kifu_timeline *made = (kifu_timeline *)kifu__new(&memory, sizeof *made);
    unsigned char *state = (unsigned char *)kifu__new(&memory, state_size);
    unsigned char *scratch = (unsigned char *)kifu__new(&memory, state_size);
    void *transient = kifu__new(&memory, most_transient_bytes(rules));
    if (!made || !state || !scratch || !transient) {
        kifu__free(&memory, made);
        kifu__free(&memory, state);
        kifu__free(&memory, scratch);
        kifu__free(&memory, transient);
        return kifu__error(error, KIFU_NO_MEMORY, "out of memory for a new timeline");
    }
    memset(state, 0, state_size);
    memset(scratch, 0, state_size);
    *made = (kifu_timeline){
        .core = {.state = state},
        .rules = rules,
        .memory = memory,
        .options = *options,
        .quiet = options->quiet,
        .running_player = -1,
        .scratch = scratch,
        .transient = transient,
    };
    if (!made->options.max_consequences)
        made->options.max_consequences = DEFAULT_MAX_CONSEQUENCES;
    kifu__log_open(&made->log, rules, &memory);
    *timeline = made;
    return KIFU_OK;
}

void kifu_destroy(kifu_timeline *timeline)
{
    if (!timeline)
        return;
    KIFU_ASSERT(timeline->phase == KIFU__IDLE);
    kifu__memory memory = timeline->memory;
    for (uint32_t i = 0; i < timeline->undone_count; i++) {
        kifu__queue_free(&timeline->undone[i].consequences, &memory);
        kifu__queue_free(&timeline->undone[i].inputs, &memory);
    }
    kifu__free(&memory, timeline->undone);
    kifu__queue_free(&timeline->consequences, &memory);
    kifu__queue_free(&timeline->inputs, &memory);
    kifu__log_close(&timeline->log);
    kifu__os_release(&timeline->file, &memory);
    kifu__journal_free(&timeline->journal, &memory);
    kifu__free(&memory, timeline->reactions);
    kifu__free(&memory, timeline->transient);
    kifu__free(&memory, timeline->scratch);
    kifu__free(&memory, timeline->core.state);
    kifu__free(&memory, timeline);
}

// --- Faults ----------------------------------------------------------------------------------------------------------

void kifu__fault(kifu_timeline *timeline, kifu_result result, const char *format, ...)
{
    if (timeline->fault.result)
        return;
    bool running =
        timeline->phase == KIFU__DOING || timeline->phase == KIFU__REACTING || timeline->phase == KIFU__REPLAYING;
    timeline->fault.result = result;
    timeline->fault.event = running ? timeline->core.event : KIFU_NONE;
    timeline->fault.offset = UINT64_MAX;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(timeline->fault.message, sizeof timeline->fault.message, format, arguments);
    va_end(arguments);
}

kifu_result kifu__take_fault(kifu_timeline *timeline)
{
    kifu_result result = timeline->fault.result;
    if (result) {
        timeline->error = timeline->fault;
        timeline->fault.result = KIFU_OK;
    }
    return result;
}

kifu_result kifu__require_idle(kifu_timeline *timeline, const char *call)
{
    if (timeline->phase == KIFU__IDLE)
        return KIFU_OK;
    kifu__fault(timeline, KIFU_MISUSE,
                "%s was called while an event runs (from Do, a check, a reaction or a view "
                "callback): call it from outside",
                call);
    return kifu__error(&timeline->error, KIFU_MISUSE, "%s was called while an event runs: call it from outside", call);
}

kifu_result kifu_fail(kifu_timeline *timeline, const char *reason)
{
    snprintf(timeline->fail_reason, sizeof timeline->fail_reason, "%s", reason ? reason : "no reason given");
    return KIFU_FAILED;
}

// --- Looking ---------------------------------------------------------------------------------------------------------

uint32_t kifu_event_count(const kifu_timeline *timeline)
{
    return timeline->executed;
}

bool kifu_event_at(const kifu_timeline *timeline, uint32_t index, kifu_event *event)
{
    if (index >= timeline->executed)
        return false;
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, index);
    uint32_t slot = index - segment->first;
    kifu__mark mark = segment->marks[slot];
    *event = (kifu_event){
        .index = index,
        .type = segment->types[slot],
        .name = timeline->rules->types[segment->types[slot]].table->name,
        .table = kifu__segment_table(segment, slot),
        .cause = mark.cause ? index - mark.cause : KIFU_NONE,
        .player = mark.player,
        .flags = mark.flags,
        .rules_version = segment->rules_version,
    };
    return true;
}

const kifu_rules *kifu_timeline_rules(const kifu_timeline *timeline)
{
    return timeline->rules;
}

const kifu_error *kifu_last_error(const kifu_timeline *timeline)
{
    return &timeline->error;
}

int kifu_player(const kifu_timeline *timeline)
{
    if (timeline->phase == KIFU__IDLE)
        return -1;
    if (timeline->phase != KIFU__REPLAYING)
        return timeline->running_player;
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, timeline->core.event);
    return segment->marks[timeline->core.event - segment->first].player;
}

uint32_t kifu_rules_version(const kifu_timeline *timeline)
{
    if (timeline->phase != KIFU__REPLAYING)
        return timeline->rules->rules_version;
    return kifu__log_segment_of(&timeline->log, timeline->core.event)->rules_version;
}

bool kifu_is_replaying(const kifu_timeline *timeline)
{
    return timeline->phase == KIFU__REPLAYING;
}

void *kifu_user(const kifu_timeline *timeline)
{
    return timeline->options.user;
}

bool kifu_is_idle(const kifu_timeline *timeline)
{
    return !timeline->consequences.count && !timeline->inputs.count && timeline->delay <= 0;
}

double kifu_delay(const kifu_timeline *timeline)
{
    return timeline->delay;
}

void kifu_set_quiet(kifu_timeline *timeline, bool quiet)
{
    timeline->quiet = quiet;
    if (quiet)
        timeline->delay = 0;
}

kifu_result kifu_add_reaction(kifu_timeline *timeline, uint32_t type, kifu_rank rank, kifu_reaction *reaction,
                              void *context)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_add_reaction");
    if (result)
        return result;
    if (!reaction || type > timeline->rules->type_count)
        return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_add_reaction: %s",
                           reaction ? "there is no such event type: give one of the game's, or 0 for all"
                                    : "the reaction is NULL: give a function");
    kifu__reaction_entry *reactions =
        (kifu__reaction_entry *)kifu__grow(&timeline->memory, timeline->reactions, &timeline->reaction_capacity,
                                           (uint64_t)timeline->reaction_count + 1, sizeof *reactions);
    if (!reactions)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a reaction");
    (void)rank;
    timeline->reactions = reactions;
    reactions[timeline->reaction_count++] = (kifu__reaction_entry){type, reaction, context};
    return KIFU_OK;
}

void kifu__refresh_view(kifu_timeline *timeline)
{
    const kifu_view *view = timeline->options.view;
    if (!view || !view->redraw || timeline->quiet)
        return;
    timeline->running_player = -1;
    timeline->phase = KIFU__SHOWING;
    view->redraw(view->context, timeline);
    timeline->phase = KIFU__IDLE;
}
