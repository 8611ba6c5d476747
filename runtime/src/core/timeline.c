// A timeline's life, and looking at it.

#include "core/timeline.h"

#include <stdarg.h>
#include <stdio.h>

enum { DEFAULT_MAX_CONSEQUENCES = 10000, MOST_CONSEQUENCES = 65535, DEFAULT_MAX_ALTERNATES = 16 };

static uint32_t most_transient_bytes(const kifu_rules *rules)
{
    uint32_t most = 8;
    for (uint32_t type = 1; type <= rules->type_count; type++) {
        if (rules->types[type].transient_size > most)
            most = rules->types[type].transient_size;
    }
    return most;
}

static kifu_result prepare(kifu_timeline *timeline, kifu_error *error)
{
    const kifu_observers *observers = &timeline->options.observers;
    kifu_result result = observers->add ? observers->add(timeline, observers->items, observers->count) : KIFU_OK;
    if (!result && timeline->options.prepare)
        result = timeline->options.prepare(timeline);
    if (!result && timeline->inputs.count)
        result =
            kifu__error(&timeline->error, KIFU_MISUSE,
                        "kifu_options.prepare submitted an event: it only adds observers; submit when the timeline is "
                        "made");
    if (result && result != timeline->error.result) // a result of its own
        kifu__error(&timeline->error, result, "kifu_options.prepare failed: %s", kifu_result_text(result));
    if (result && error)
        *error = timeline->error;
    return result;
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
    if (options->sync_test && options->reset)
        return kifu__error(error, KIFU_MISUSE,
                           "kifu_options.sync_test is for a model that is the state: it executes each event twice, and "
                           "cannot undo one outside of the state; leave out one of sync_test and reset");
    uint16_t one = 1;
    unsigned char first_byte;
    memcpy(&first_byte, &one, 1);
    if (first_byte != 1)
        return kifu__error(error, KIFU_MISUSE, "this machine is big-endian; Kifu runs on little-endian machines only");

    kifu__memory memory = kifu__memory_of(options->allocate, options->allocate_context);
    size_t state_size = kifu__state_room(rules);
    uint32_t transient_size = (most_transient_bytes(rules) + 7) & ~UINT32_C(7);
    kifu_timeline *made = (kifu_timeline *)kifu__new(&memory, sizeof *made);
    unsigned char *state = (unsigned char *)kifu__new(&memory, state_size);
    unsigned char *scratch = (unsigned char *)kifu__new(&memory, state_size);
    unsigned char *transient = (unsigned char *)kifu__new(&memory, 2 * (size_t)transient_size);
    kifu__sync *sync = options->sync_test ? kifu__sync_new(rules, &memory) : NULL;
    if (!made || !state || !scratch || !transient || (options->sync_test && !sync)) {
        kifu__sync_free(sync, &memory);
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
        .transient_size = transient_size,
        .sync = sync,
        .journal.keep_from = KIFU_NONE,
    };
    if (!made->options.max_consequences)
        made->options.max_consequences = DEFAULT_MAX_CONSEQUENCES;
    if (!made->options.max_alternates)
        made->options.max_alternates = DEFAULT_MAX_ALTERNATES;
    kifu__log_open(&made->log, rules, &memory);
    kifu__keyframes_open(&made->keyframes, rules->state_size, options->keyframe_bytes);
    made->hash_interval = options->hash_interval ? options->hash_interval : made->keyframes.interval;
    kifu__find_due(made);
    kifu_result result = prepare(made, error);
    if (result)
        kifu_destroy(made);
    else
        *timeline = made;
    return result;
}

void kifu_destroy(kifu_timeline *timeline)
{
    if (!timeline)
        return;
    KIFU_ASSERT(timeline->phase == KIFU__IDLE);
    kifu__memory memory = timeline->memory;
    kifu__log_file_free(timeline);
    for (uint32_t i = 0; i < timeline->undone_count; i++) {
        kifu__queue_free(&timeline->undone[i].consequences, &memory);
        kifu__queue_free(&timeline->undone[i].inputs, &memory);
    }
    kifu__free(&memory, timeline->undone);
    kifu__queue_free(&timeline->consequences, &memory);
    kifu__queue_free(&timeline->inputs, &memory);
    kifu__log_close(&timeline->log);
    kifu__os_release(&timeline->file, &memory);
    for (uint32_t i = 0; i < timeline->unpacked.count; i++)
        kifu__free(&memory, timeline->unpacked.items[i]);
    kifu__free(&memory, timeline->unpacked.items);
    kifu__journal_free(&timeline->journal, &memory);
    kifu__keyframes_free(&timeline->keyframes, &memory);
    kifu__free(&memory, timeline->checkpoints);
    kifu__transactions_free(timeline);
    kifu__listeners_free(&timeline->listeners, &memory);
    kifu__turns_free(timeline);
    kifu__records_free(timeline);
    kifu__free(&memory, timeline->hooks.items);
    kifu__free(&memory, timeline->followed);
    kifu__queue_free(&timeline->aside, &memory);
    kifu__queue_free(&timeline->alternate, &memory);
    kifu__sync_free(timeline->sync, &memory);
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
        timeline->phase != KIFU__IDLE && timeline->phase != KIFU__SHOWING; // The view is called without one, too.
    timeline->fault.result = result;
    timeline->fault.event = running ? timeline->core.event : KIFU_NONE;
    timeline->fault.offset = UINT64_MAX;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(timeline->fault.message, sizeof timeline->fault.message, format, arguments);
    va_end(arguments);
}

void kifu__fault_in(kifu_timeline *timeline, const char *what, const char *name)
{
    const kifu_error fault = timeline->fault;
    kifu__error_of_event(&timeline->fault, fault.result, fault.event, "in %s%s: %s", what, name, fault.message);
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
        return timeline->sync ? kifu__sync_begin(timeline) : KIFU_OK;
    kifu__fault(timeline, KIFU_MISUSE,
                "%s was called while an event runs (from Do, a check, a reaction or a view "
                "callback): call it from outside",
                call);
    return kifu__error(&timeline->error, KIFU_MISUSE, "%s was called while an event runs: call it from outside", call);
}

kifu_result kifu__require_calm(kifu_timeline *timeline, const char *call)
{
    kifu_result result = kifu__require_idle(timeline, call);
    return result ? result : kifu__take_fault(timeline);
}

const char *kifu__name_of(const kifu_timeline *timeline, uint32_t event)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
    return timeline->rules->types[segment->types[event - segment->first]].table->name;
}

kifu_result kifu_fail(kifu_timeline *timeline, const char *reason)
{
    timeline->fail_instead = 0;
    snprintf(timeline->fail_reason, sizeof timeline->fail_reason, "%s", reason ? reason : "no reason given");
    return KIFU_FAILED;
}

kifu_result kifu_fail_instead(kifu_timeline *timeline, kifu_ticket ticket)
{
    if (timeline->phase == KIFU__REPLAYING) // The sync test executes it again, where nothing is submitted.
        return KIFU_FAILED;
    if (timeline->phase != KIFU__DOING) {
        kifu__fault(timeline, KIFU_MISUSE,
                    "kifu_fail_instead was called outside of a Do function: a check or a hook returns kifu_instead");
        return KIFU_FAILED;
    }
    kifu_result result = kifu_fail(timeline, "what was to be tried instead could not be submitted");
    timeline->fail_instead = ticket;
    return result;
}

// --- Looking ---------------------------------------------------------------------------------------------------------

uint32_t kifu_event_count(const kifu_timeline *timeline)
{
    // In a replay, no event knows those after it; whoever looks from outside sees what seek has left behind, too.
    return timeline->sought && timeline->phase != KIFU__REPLAYING ? timeline->present : kifu__now(timeline);
}

uint32_t kifu_position(const kifu_timeline *timeline)
{
    return kifu__now(timeline);
}

bool kifu_event_at(const kifu_timeline *timeline, uint32_t index, kifu_event *event)
{
    if (index >= kifu_event_count(timeline))
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
    return timeline->speed > 0 ? timeline->delay / timeline->speed : timeline->delay;
}

void kifu_set_quiet(kifu_timeline *timeline, bool quiet)
{
    if (timeline->phase != KIFU__IDLE && timeline->phase != KIFU__SHOWING) {
        kifu__fault(timeline, KIFU_MISUSE,
                    "kifu_set_quiet was called from the rules: whether anybody looks is no concern of theirs");
        return;
    }
    timeline->quiet = quiet;
    if (quiet)
        timeline->delay = 0;
}

void kifu_reveal(kifu_timeline *timeline)
{
    if (timeline->phase == KIFU__DOING)
        timeline->running_flags |= KIFU_REVEALS;
    else if (timeline->phase != KIFU__REPLAYING)
        kifu__fault(timeline, KIFU_MISUSE,
                    "kifu_reveal was called outside of a Do function: an event reveals, in its Do");
}

kifu_result kifu__show_anew(kifu_timeline *timeline, kifu_result result)
{
    const kifu_view *view = timeline->options.view;
    const kifu_error error = timeline->error;
    if (view && view->redraw && !timeline->quiet) {
        timeline->running_player = -1;
        timeline->phase = KIFU__SHOWING;
        view->redraw(view->context, timeline);
        timeline->phase = KIFU__IDLE;
        if (timeline->sync)
            kifu__sync_unchanged(timeline, KIFU_NONE, "redraw", "");
    }
    kifu_result fault = kifu__take_fault(timeline);
    if (!result)
        return fault;
    timeline->error = error;
    return result;
}
