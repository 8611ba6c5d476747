// A timeline's life.

#include "core/attempt.h"

enum {
    DEFAULT_MAX_CONSEQUENCES = 10000,
    MOST_CONSEQUENCES = 65535,
    DEFAULT_MAX_ALTERNATES = 16,
    DEFAULT_MAX_EDITS = 10000000
};

static uint32_t most_transient_bytes(const kifu_rules *rules)
{
    uint32_t most = 8;
    for (uint32_t type = 1; type <= rules->type_count; type++) {
        if (rules->types[type].transient_size > most)
            most = rules->types[type].transient_size;
    }
    return most;
}

// Attaches what the options ask for.
static kifu_result prepare_timeline(kifu_timeline *timeline, kifu_error *error)
{
    const kifu_options *options = &timeline->options;
    const kifu_observers *observers = &options->observers;
    kifu_result (*const attach[])(kifu_timeline *) = {timeline->rules->attach, options->sync_test,
                                                      options->record_inputs,  options->keep_variations,
                                                      options->keep_notes,     options->from_state};
    kifu_result result = KIFU_OK;
    for (size_t i = 0; i < sizeof attach / sizeof *attach && !result; i++) {
        if (attach[i])
            result = attach[i](timeline);
    }
    if (!result && observers->add)
        result = observers->add(timeline, observers->items, observers->count);
    if (!result && options->prepare)
        result = options->prepare(timeline);
    if (!result && timeline->inputs.count)
        result = kifu__error(&timeline->error, KIFU_MISUSE,
                             "kifu_options.prepare submitted an event: it may only add observers; submit later");
    if (result && result != timeline->error.result) // a result of its own
        kifu__error(&timeline->error, result, "kifu_options.prepare failed: %s", kifu_result_text(result));
    if (result && error)
        *error = timeline->error;
    return result;
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first_byte;
    memcpy(&first_byte, &one, 1);
    return first_byte == 1;
}

void kifu__stamp_again(kifu_timeline *timeline)
{
    timeline->files.loaded = (kifu__stamp){.tree = timeline->tree,
                                           .line = timeline->log.branch->number,
                                           .end = timeline->log.branch->end,
                                           .executed = timeline->executed,
                                           .inputs = timeline->inputs.count,
                                           .consequences = timeline->consequences.count,
                                           .ticket = timeline->last_ticket};
}

bool kifu__is_stamped(const kifu_timeline *timeline)
{
    const kifu__stamp *loaded = &timeline->files.loaded;
    return loaded->tree.waits && !memcmp(&loaded->tree, &timeline->tree, sizeof loaded->tree) &&
           loaded->line == timeline->log.branch->number && loaded->end == timeline->log.branch->end &&
           loaded->executed == timeline->executed && loaded->inputs == timeline->inputs.count &&
           loaded->consequences == timeline->consequences.count && loaded->ticket == timeline->last_ticket;
}

// Frees what a timeline that was never used has.
static void free_blocks(kifu_timeline *timeline, const kifu__memory *memory)
{
    kifu__free(memory, timeline->transient);
    kifu__free(memory, timeline->scratch);
    kifu__free(memory, timeline->core.state);
    kifu__free(memory, timeline);
}

// A timeline with its blocks of memory, all zeros; NULL without memory.
static kifu_timeline *new_blocks(const kifu_rules *rules, const kifu__memory *memory)
{
    const size_t state_size = kifu__state_room(rules);
    const uint32_t transient_size = (most_transient_bytes(rules) + 7) & ~UINT32_C(7);
    kifu_timeline *made = (kifu_timeline *)kifu__new(memory, sizeof *made);
    if (!made)
        return NULL;
    *made = (kifu_timeline){
        .core = {.slow = KIFU__UNSURE, .state = (unsigned char *)kifu__new(memory, state_size)},
        .scratch = (unsigned char *)kifu__new(memory, state_size),
        .transient = (unsigned char *)kifu__new(memory, 2 * (size_t)transient_size),
        .transient_size = transient_size,
    };
    if (!made->core.state || !made->scratch || !made->transient) {
        free_blocks(made, memory);
        return NULL;
    }
    memset(made->core.state, 0, state_size);
    memset(made->scratch, 0, state_size);
    return made;
}

kifu_result kifu_create(const kifu_rules *rules, const kifu_options *options, kifu_timeline **timeline,
                        kifu_error *error)
{
    const kifu_options defaults = {0}; // Made here, it takes fewer bytes than one that lies in the program.
    *timeline = NULL;
    if (!options)
        options = &defaults;
    if (options->max_consequences > MOST_CONSEQUENCES)
        return kifu__error(error, KIFU_MISUSE, "kifu_options.max_consequences is %u; it may be at most %u",
                           (unsigned)options->max_consequences, (unsigned)MOST_CONSEQUENCES);
    if (!is_little_endian())
        return kifu__error(error, KIFU_MISUSE, "this machine is big-endian; Kifu runs on little-endian machines only");
    const kifu__memory memory = kifu__memory_of(options->allocate, options->allocate_context);
    kifu_timeline *made = new_blocks(rules, &memory);
    if (!made)
        return kifu__error(error, KIFU_NO_MEMORY, "out of memory for a timeline");
    made->rules = rules;
    made->memory = memory;
    made->options = *options;
    made->quiet = options->quiet;
    made->core.player = -1;
    made->journal.keep_from = KIFU_NONE;
    if (!made->options.max_consequences)
        made->options.max_consequences = DEFAULT_MAX_CONSEQUENCES;
    if (!made->options.max_alternates)
        made->options.max_alternates = DEFAULT_MAX_ALTERNATES;
    // By default, each word of a large state may be edited eight times.
    const uint32_t most_edits = options->max_edits ? options->max_edits : rules->state_size + DEFAULT_MAX_EDITS;
    made->journal.most_edits = most_edits > KIFU__JOURNAL_MOST_ENTRIES ? most_edits : KIFU__JOURNAL_MOST_ENTRIES;
    kifu__log_open(&made->log, rules, &memory);
    kifu__keyframes_open(&made->keyframes, rules->state_size, options->keyframe_bytes);
    made->due.hash_interval = options->hash_interval ? options->hash_interval : made->keyframes.interval;
    kifu__find_due(made);
    kifu_result result = prepare_timeline(made, error);
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
    KIFU_ASSERT(timeline->core.phase == KIFU__IDLE || timeline->core.phase == KIFU__TRYING);
    const kifu__memory memory = timeline->memory;
    if (timeline->parts)
        timeline->dispatch->free(timeline);
    kifu__free_kept(&timeline->spare, &memory);
    kifu__queue_free(&timeline->consequences, &memory);
    kifu__queue_free(&timeline->inputs, &memory);
    kifu__queue_free(&timeline->aside, &memory);
    kifu__queue_free(&timeline->alternate, &memory);
    kifu__branch_free(timeline, &timeline->log.first);
    kifu__log_close(&timeline->log);
    kifu__free(&memory, timeline->origin);
    kifu__free(&memory, timeline->files.kept);
    kifu__journal_free(&timeline->journal, &memory);
    kifu__keyframes_free(&timeline->keyframes, &memory);
    free_blocks(timeline, &memory);
}
