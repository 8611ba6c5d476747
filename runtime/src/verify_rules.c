// Verifying the rules: what came from outside is recorded as it was submitted, and the game is played from it again,
// with every check, hook, reaction and trigger.

#include "verify_rules.h"

#include <stdio.h>

#include "difference.h"
#include "table.h"

// --- Recording -------------------------------------------------------------------------------------------------------

void kifu__record(kifu_timeline *timeline, kifu__record_kind kind, kifu__proposal *proposal)
{
    kifu__records *records = &timeline->records;
    if (records->incomplete)
        return;
    kifu__record_entry *items = (kifu__record_entry *)kifu__grow(&timeline->memory, records->items, &records->capacity,
                                                                 (uint64_t)records->count + 1, sizeof *items);
    records->items = items ? items : records->items;
    bool kept = items && (!proposal || kifu__queue_push(&records->proposals, &timeline->memory, proposal,
                                                        kifu__proposal_blob(proposal)));
    if (!kept) { // The game goes on; it cannot be verified any more.
        records->incomplete = true;
        return;
    }
    items[records->count++] = (kifu__record_entry){
        .kind = kind,
        .executed = timeline->executed,
        .actor = kind == KIFU__RECORD_INPUT && timeline->turn.ticket == proposal->ticket ? timeline->turn.actor : 0,
        .end = records->proposals.tail,
    };
}

void kifu__cut_records(kifu_timeline *timeline, uint32_t count)
{
    kifu__records *records = &timeline->records;
    uint32_t kept = records->count, dropped = 0;
    while (kept && records->items[kept - 1].executed >= count)
        dropped += records->items[--kept].kind == KIFU__RECORD_INPUT;
    if (kept == records->count)
        return;
    records->count = kept;
    kifu__queue_cut(&records->proposals, kept ? records->items[kept - 1].end : 0, records->proposals.count - dropped);
}

void kifu__records_free(kifu_timeline *timeline)
{
    kifu__free(&timeline->memory, timeline->records.items);
    kifu__queue_free(&timeline->records.proposals, &timeline->memory);
}

// --- Comparing -------------------------------------------------------------------------------------------------------

typedef struct rehearsal {
    kifu_timeline *timeline; // the game,
    kifu_timeline *again;    // played again
    kifu_difference *difference;
    kifu__blob expected, actual;
} rehearsal;

static kifu_result differs(rehearsal *rehearsal, uint32_t event, const char *what)
{
    kifu_difference *difference = rehearsal->difference;
    kifu_event shown = {.name = NULL};
    difference->event = difference->first = event;
    if (kifu_event_at(rehearsal->timeline, event, &shown) || kifu_event_at(rehearsal->again, event, &shown))
        difference->name = shown.name;
    return kifu__error_of_event(&rehearsal->timeline->error, KIFU_DIVERGED, event,
                                "played again from its inputs, the game differs at event %u (%s): %s%s%s was %s and is "
                                "now %s; checks, hooks, reactions and triggers must depend on nothing but the state "
                                "and the event, and be those of then",
                                (unsigned)event, difference->name ? difference->name : "none", what,
                                difference->field[0] ? " " : "", difference->field, difference->expected,
                                difference->actual);
}

static kifu_result differs_in_number(rehearsal *rehearsal, uint32_t event, const char *what, int64_t expected,
                                     int64_t actual)
{
    kifu_difference *difference = rehearsal->difference;
    snprintf(difference->expected, sizeof difference->expected, "%lld", (long long)expected);
    snprintf(difference->actual, sizeof difference->actual, "%lld", (long long)actual);
    return differs(rehearsal, event, what);
}

static kifu_result differs_in_name(rehearsal *rehearsal, uint32_t event, const char *expected, const char *actual)
{
    kifu_difference *difference = rehearsal->difference;
    snprintf(difference->expected, sizeof difference->expected, "%s", expected);
    snprintf(difference->actual, sizeof difference->actual, "%s", actual);
    return differs(rehearsal, event, "its type");
}

// An event as a blob, which is the same for the same event wherever it lies.
static kifu_result blob_of(const kifu_timeline *timeline, uint32_t event, kifu__blob *blob)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    uint32_t slot = event - segment->first;
    uint32_t position = (uint32_t)((const unsigned char *)kifu__segment_table(segment, slot) - segment->bytes);
    blob->size = 0;
    return kifu__convert_table(&buffer, timeline->rules->types[segment->types[slot]].table, position, blob);
}

// The inline field that the byte at `offset` belongs to; NULL: something that a reference leads to.
static const kifu__field *field_at(const kifu__table *table, uint32_t offset)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const kifu__field *field = &table->fields[i];
        if (field->offset && field->kind == KIFU__SCALAR && offset >= field->offset &&
            offset < (uint32_t)field->offset + field->size)
            return field;
    }
    return NULL;
}

static int64_t number_at(const unsigned char *bytes, uint32_t size)
{
    int64_t number = 0;
    memcpy(&number, bytes, size < sizeof number ? size : sizeof number);
    return number;
}

static kifu_result compare_fields(rehearsal *rehearsal, uint32_t event, uint32_t type)
{
    kifu__blob *expected = &rehearsal->expected, *actual = &rehearsal->actual;
    kifu_result result = blob_of(rehearsal->timeline, event, expected);
    if (!result)
        result = blob_of(rehearsal->again, event, actual);
    if (result)
        return kifu__error(&rehearsal->timeline->error, result, "%s for comparing events", kifu_result_text(result));
    if (expected->size == actual->size && memcmp(expected->bytes, actual->bytes, expected->size) == 0)
        return KIFU_OK;
    uint32_t least = expected->size < actual->size ? expected->size : actual->size, at = 0;
    while (at < least && expected->bytes[at] == actual->bytes[at])
        at++;
    const kifu__table *table = rehearsal->timeline->rules->types[type].table;
    const kifu__field *field = at < least ? field_at(table, at) : NULL;
    if (!field)
        return differs_in_number(rehearsal, event, "the size or content of its strings, vectors or tables",
                                 expected->size, actual->size);
    snprintf(rehearsal->difference->field, sizeof rehearsal->difference->field, "%s", field->name);
    return differs_in_number(rehearsal, event, "its field", number_at(expected->bytes + field->offset, field->size),
                             number_at(actual->bytes + field->offset, field->size));
}

static kifu_result compare_event(rehearsal *rehearsal, uint32_t event)
{
    kifu_event expected, actual;
    if (!kifu_event_at(rehearsal->timeline, event, &expected) || !kifu_event_at(rehearsal->again, event, &actual))
        return KIFU_OK;
    if (expected.type != actual.type)
        return differs_in_name(rehearsal, event, expected.name, actual.name);
    if (expected.player != actual.player)
        return differs_in_number(rehearsal, event, "its player", expected.player, actual.player);
    if (expected.cause != actual.cause)
        return differs_in_number(rehearsal, event, "the number of its cause", expected.cause, actual.cause);
    if (expected.flags != actual.flags)
        return differs_in_number(rehearsal, event, "its flags", expected.flags, actual.flags);
    return compare_fields(rehearsal, event, expected.type);
}

// --- Playing again ---------------------------------------------------------------------------------------------------

static bool is_refusal(kifu_result result)
{
    return result == KIFU_REJECTED || result == KIFU_FAILED || result == KIFU_RUNAWAY || result == KIFU_INVALID_EVENT;
}

// Goes on until `count` events have happened, or nothing waits; compares them.
static kifu_result play_to(rehearsal *rehearsal, uint32_t count)
{
    kifu_timeline *again = rehearsal->again;
    uint32_t compared = again->executed;
    while (again->executed < count && kifu_pending_count(again)) {
        kifu_result result = kifu_step(again);
        if (result && !is_refusal(result)) {
            rehearsal->timeline->error = again->error;
            return result;
        }
        compared = compared < again->executed ? compared : again->executed; // A runaway input went back.
        for (; compared < again->executed; compared++) {
            result = compare_event(rehearsal, compared);
            if (result)
                return result;
        }
    }
    if (again->executed == count)
        return KIFU_OK;
    kifu_event missing = {.name = "none"};
    kifu_event_at(rehearsal->timeline, again->executed, &missing);
    return differs_in_name(rehearsal, again->executed, missing.name, "no event at all");
}

// The seed that was chosen for an EInitialize which brought none.
static uint64_t seed_of(const kifu_timeline *timeline, uint32_t event)
{
    kifu_event shown;
    if (!kifu_event_at(timeline, event, &shown) || strcmp(shown.name, "kifu.EInitialize") != 0)
        return timeline->options.seed;
    return ((const kifu_e_initialize *)shown.table)->seed;
}

// An input that was refused may have left nothing to run up to the next one.
static kifu_result play_input(rehearsal *rehearsal, const kifu__record_entry *entry, kifu__proposal *proposal,
                              uint32_t until)
{
    kifu_timeline *again = rehearsal->again;
    if (!kifu__queue_push(&again->inputs, &again->memory, proposal, kifu__proposal_blob(proposal)))
        return kifu__error(&rehearsal->timeline->error, KIFU_NO_MEMORY, "out of memory for playing the game again");
    again->options.seed = seed_of(rehearsal->timeline, entry->executed);
    again->turn.ticket = entry->actor ? proposal->ticket : 0;
    again->turn.actor = entry->actor;
    uint32_t before = again->executed;
    kifu_result result = kifu_step(again);
    again->turn.ticket = 0;
    if (result && !is_refusal(result)) {
        rehearsal->timeline->error = again->error;
        return result;
    }
    for (uint32_t event = before; event < again->executed; event++) {
        result = compare_event(rehearsal, event);
        if (result)
            return result;
    }
    return play_to(rehearsal, until);
}

static kifu_result play_all(rehearsal *rehearsal)
{
    const kifu__records *records = &rehearsal->timeline->records;
    kifu__proposal *proposal = kifu__queue_first(&records->proposals);
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < records->count && !result; i++) {
        const kifu__record_entry *entry = &records->items[i];
        uint32_t until = i + 1 < records->count ? records->items[i + 1].executed : rehearsal->timeline->executed;
        if (entry->kind == KIFU__RECORD_INPUT) {
            result = play_input(rehearsal, entry, proposal, until);
            proposal = kifu__queue_next(&records->proposals, proposal);
            continue;
        }
        result = entry->kind == KIFU__RECORD_COMMIT           ? kifu_commit(rehearsal->again)
                 : entry->kind == KIFU__RECORD_BEGIN_DEFERRED ? kifu_begin_deferred(rehearsal->again)
                                                              : kifu_begin(rehearsal->again);
        if (result)
            rehearsal->timeline->error = rehearsal->again->error;
        else
            result = play_to(rehearsal, until);
    }
    if (result)
        return result;
    if (kifu__describe_difference(rehearsal->timeline->rules, rehearsal->timeline->core.state,
                                  rehearsal->again->core.state, rehearsal->difference))
        return differs(rehearsal, rehearsal->timeline->executed ? rehearsal->timeline->executed - 1 : KIFU_NONE,
                       "after it the state's");
    return KIFU_OK;
}

kifu_result kifu_verify_rules(kifu_timeline *timeline, kifu_result (*prepare)(void *context, kifu_timeline *timeline),
                              void *context, kifu_difference *difference)
{
    kifu_difference unwanted;
    if (!difference)
        difference = &unwanted;
    *difference = (kifu_difference){.event = KIFU_NONE, .first = KIFU_NONE};
    kifu_result result = kifu__require_idle(timeline, "kifu_verify_rules");
    if (result)
        return result;
    if (timeline->options.reset || timeline->sought || timeline->transaction_count ||
        !timeline->options.record_inputs || timeline->records.incomplete)
        return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_verify_rules: %s",
                           timeline->options.reset       ? "this game keeps its model outside the state"
                           : timeline->sought            ? kifu__back_to_present
                           : timeline->transaction_count ? "a transaction is open: commit it or roll it back first"
                           : timeline->options.record_inputs
                               ? "not all inputs are known: the game was loaded or forked, or memory was short"
                               : "the inputs were not recorded: set kifu_options.record_inputs");
    kifu_options options = timeline->options;
    options.view = NULL;
    options.quiet = true;
    options.record_inputs = options.sync_test = false;
    rehearsal rehearsal = {
        .timeline = timeline,
        .difference = difference,
        .expected = {.memory = &timeline->memory},
        .actual = {.memory = &timeline->memory},
    };
    result = kifu_create(timeline->rules, &options, &rehearsal.again, &timeline->error);
    if (result)
        return result;
    if (prepare)
        result = prepare(context, rehearsal.again);
    if (result)
        timeline->error = rehearsal.again->error;
    else
        result = play_all(&rehearsal);
    kifu__free(&timeline->memory, rehearsal.expected.bytes);
    kifu__free(&timeline->memory, rehearsal.actual.bytes);
    kifu_destroy(rehearsal.again);
    return result;
}
