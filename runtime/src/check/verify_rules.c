// Verifying the rules: what came from outside is recorded as it was submitted, and the game is played from it again,
// with every check, hook, reaction and trigger.

#include <stdio.h>

#include "wire/difference.h"
#include "save/regroup.h"
#include "wire/table.h"
#include "core/timeline.h"

// --- Recording -------------------------------------------------------------------------------------------------------

void kifu__record(kifu_timeline *timeline, kifu__record_kind kind, kifu__proposal *proposal)
{
    kifu__records *records = &timeline->records;
    if (!timeline->options.record_inputs || records->incomplete)
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
        .actor = proposal && timeline->turn.ticket == proposal->ticket ? timeline->turn.actor : KIFU_NO_HANDLE,
        .end = records->proposals.tail,
    };
}

static int depth_of(kifu__record_kind kind)
{
    return kind == KIFU__RECORD_COMMIT ? -1 : kind == KIFU__RECORD_BEGIN || kind == KIFU__RECORD_BEGIN_DEFERRED ? 1 : 0;
}

void kifu__cut_records(kifu_timeline *timeline, uint32_t count)
{
    kifu__records *records = &timeline->records;
    uint32_t dropped = 0;
    int depth = 0;
    for (uint32_t i = count; i < records->count; i++) {
        dropped += records->items[i].kind == KIFU__RECORD_INPUT;
        depth += depth_of(records->items[i].kind);
        if (depth < 0) // A redo of what was undone before its transaction was committed.
            records->incomplete = true;
    }
    if (count >= records->count)
        return;
    records->count = count;
    kifu__queue_cut(&records->proposals, count ? records->items[count - 1].end : 0, records->proposals.count - dropped);
}

void kifu__records_free(kifu_timeline *timeline)
{
    kifu__free(&timeline->memory, timeline->records.items);
    kifu__queue_free(&timeline->records.proposals, &timeline->memory);
}

// --- What counts -----------------------------------------------------------------------------------------------------

// The entries that led to the events of now, by their numbers; what was taken back is left out.
typedef struct kept {
    const kifu__record_entry *items;
    uint32_t *numbers;
    uint32_t count;
} kept;

// How many entries come before the first that belongs to a transaction that is open, and with its beginning.
static uint32_t behind_open(const kept *kept)
{
    int depth = 0;
    for (uint32_t i = kept->count; i > 0; i--) {
        depth += depth_of(kept->items[kept->numbers[i - 1]].kind);
        if (depth > 0)
            return i;
    }
    return 0;
}

// Leaves out what led to events from `executed` on, but not the end of a transaction whose beginning stays.
static void take_back(kept *kept, uint32_t executed)
{
    uint32_t begin = behind_open(kept), first = kept->count;
    while (first > begin && kept->items[kept->numbers[first - 1]].executed >= executed)
        first--;
    uint32_t count = first;
    int depth = 0, least = 0;
    for (uint32_t i = first; i < kept->count; i++) {
        depth += depth_of(kept->items[kept->numbers[i]].kind);
        if (depth < least) {
            least = depth;
            kept->numbers[count++] = kept->numbers[i];
        }
    }
    kept->count = count;
}

static void find_kept(const kifu__records *records, kept *kept)
{
    for (uint32_t i = 0; i < records->count; i++) {
        if (records->items[i].kind == KIFU__RECORD_BACK)
            take_back(kept, records->items[i].executed);
        kept->numbers[kept->count++] = i;
    }
}

// --- Comparing -------------------------------------------------------------------------------------------------------

typedef struct rehearsal {
    kifu_timeline *timeline; // the game,
    kifu_timeline *again;    // played again
    kifu_difference *difference;
    bool bare; // nobody has added hooks and so on to `again`, while `timeline` has some
    kept kept;
    uint32_t compared;  // so many events are the same
    kifu_error refusal; // the last one
    kifu__blob expected, actual;
} rehearsal;

static kifu_result differs(rehearsal *rehearsal, uint32_t event, const char *what)
{
    kifu_difference *difference = rehearsal->difference;
    kifu_event shown = {.name = NULL};
    difference->event = difference->first = event;
    if (kifu_event_at(rehearsal->timeline, event, &shown) || kifu_event_at(rehearsal->again, event, &shown))
        difference->name = shown.name;
    return kifu__error_of_event(
        &rehearsal->timeline->error, KIFU_DIVERGED, event,
        "played again from its inputs, the game differs at event %u (%s): %s%s%s was %s and is "
        "now %s; checks, hooks, reactions and triggers must depend on nothing but the state "
        "and the event, and be those of then%s",
        (unsigned)event, difference->name ? difference->name : "none", what, difference->field[0] ? " " : "",
        difference->field, difference->expected, difference->actual,
        rehearsal->bare ? "; none were added: give them in kifu_options.observers, or by kifu_options.prepare" : "");
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
    const int most = (int)sizeof difference->expected - 1;
    snprintf(difference->expected, sizeof difference->expected, "%.*s", most, expected);
    snprintf(difference->actual, sizeof difference->actual, "%.*s", most, actual);
    return differs(rehearsal, event, "its type");
}

// An event as a blob, which is the same for the same event wherever it lies.
static kifu_result blob_of(const kifu_timeline *timeline, uint32_t event, kifu__blob *blob)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
    return kifu__blob_of(timeline->rules, segment, event - segment->first, blob);
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
    // What the end of a transaction adds is compared then.
    const uint8_t later = rehearsal->again->transaction_count ? KIFU_CONTINUE_UNDO : 0;
    if ((expected.flags | later) != (actual.flags | later))
        return differs_in_number(rehearsal, event, "its flags", expected.flags, actual.flags);
    return compare_fields(rehearsal, event, expected.type);
}

// More happened than there was.
static kifu_result one_too_many(rehearsal *rehearsal, uint32_t event)
{
    kifu_result result = compare_event(rehearsal, event);
    kifu_event more = {.name = "none"};
    kifu_event_at(rehearsal->again, event, &more);
    return result ? result : differs_in_name(rehearsal, event, "no event at all", more.name);
}

// --- Playing again ---------------------------------------------------------------------------------------------------

// A seed that was chosen for an EInitialize which brought none is chosen again.
static void know_seed(rehearsal *rehearsal)
{
    kifu_event shown;
    if (kifu_event_at(rehearsal->timeline, rehearsal->again->executed, &shown) &&
        strcmp(shown.name, "kifu.EInitialize") == 0)
        rehearsal->again->options.seed = ((const kifu_e_initialize *)shown.table)->seed;
}

// One event runs, or is refused as it was then; of those that happened all are compared.
static kifu_result step(rehearsal *rehearsal)
{
    kifu_timeline *again = rehearsal->again;
    know_seed(rehearsal);
    kifu_result result = kifu_step(again);
    if (result == KIFU_NO_MEMORY) {
        rehearsal->timeline->error = again->error;
        return result;
    }
    kifu__queue_cut(&again->inputs, 0, 0); // What followers submit was recorded, too.
    if (result)
        rehearsal->refusal = again->error;
    if (rehearsal->compared > again->executed) // An input was taken back whole.
        rehearsal->compared = again->executed;
    for (result = KIFU_OK; rehearsal->compared < again->executed && !result; rehearsal->compared++)
        result = compare_event(rehearsal, rehearsal->compared);
    return result;
}

// Goes on until `count` events have happened.
static kifu_result play_to(rehearsal *rehearsal, uint32_t count)
{
    kifu_timeline *again = rehearsal->again;
    kifu_result result = KIFU_OK;
    while (again->executed < count && kifu_pending_count(again) && !result)
        result = step(rehearsal);
    if (result || again->executed >= count)
        return result;
    kifu_event missing = {.name = "none"};
    kifu_event_at(rehearsal->timeline, again->executed, &missing);
    differs_in_name(rehearsal, again->executed, missing.name, "no event at all");
    kifu_error *error = &rehearsal->timeline->error;
    const size_t length = strlen(error->message);
    if (rehearsal->refusal.result)
        snprintf(error->message + length, sizeof error->message - length, "; what was refused last: %s",
                 rehearsal->refusal.message);
    return KIFU_DIVERGED;
}

// `until`: how many events there were when the next thing came from outside.
static kifu_result play_input(rehearsal *rehearsal, const kifu__record_entry *entry, kifu__proposal *proposal,
                              uint32_t until)
{
    kifu_timeline *again = rehearsal->again;
    while (again->consequences.count) { // They were refused, or the input would not have run.
        kifu_result result = step(rehearsal);
        if (!result && again->executed > entry->executed)
            result = one_too_many(rehearsal, entry->executed);
        if (result)
            return result;
    }
    if (!kifu__queue_push(&again->inputs, &again->memory, proposal, kifu__proposal_blob(proposal)))
        return kifu__error(&rehearsal->timeline->error, KIFU_NO_MEMORY, "out of memory for playing the game again");
    again->turn.ticket = entry->actor ? proposal->ticket : 0;
    again->turn.actor = entry->actor;
    kifu_result result = step(rehearsal);
    again->turn.ticket = 0;
    if (!result && again->executed > until)
        result = one_too_many(rehearsal, until);
    return result ? result : play_to(rehearsal, until);
}

// The end of a transaction has chained its events.
static kifu_result compare_flags(rehearsal *rehearsal, uint32_t first)
{
    kifu_result result = KIFU_OK;
    for (; first < rehearsal->again->executed && !result; first++)
        result = compare_event(rehearsal, first);
    return result;
}

static kifu_result play_transaction(rehearsal *rehearsal, const kifu__record_entry *entry)
{
    kifu_timeline *again = rehearsal->again;
    const uint32_t first = again->transaction_count ? again->transactions[0].executed : again->executed;
    const uint32_t flags = entry->kind == KIFU__RECORD_BEGIN_DEFERRED ? KIFU_DEFERRED : 0;
    kifu_result result = entry->kind == KIFU__RECORD_COMMIT ? kifu_commit(again) : kifu_begin(again, flags);
    if (result == KIFU_FAILED) // A reaction that waited.
        return differs_in_name(rehearsal, again->executed ? again->executed - 1 : KIFU_NONE,
                               "a transaction that was committed", again->error.message);
    if (result) {
        rehearsal->timeline->error = again->error;
        return result;
    }
    return again->transaction_count ? KIFU_OK : compare_flags(rehearsal, first);
}

// How many events there were when what follows entry `i` came. An end of a transaction of which a part was taken back
// later may tell of more.
static uint32_t count_behind(const rehearsal *rehearsal, uint32_t i)
{
    const kept *kept = &rehearsal->kept;
    uint32_t count = rehearsal->timeline->executed;
    bool ends = true;
    for (i++; i < kept->count && ends; i++) {
        const kifu__record_entry *entry = &kept->items[kept->numbers[i]];
        count = entry->executed < count ? entry->executed : count;
        ends = entry->kind == KIFU__RECORD_COMMIT;
    }
    return count;
}

static kifu_result play_all(rehearsal *rehearsal)
{
    const kifu__records *records = &rehearsal->timeline->records;
    const kept *kept = &rehearsal->kept;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < kept->count && !result; i++) {
        const uint32_t number = kept->numbers[i];
        const kifu__record_entry *entry = &records->items[number];
        const uint32_t until = count_behind(rehearsal, i);
        if (entry->kind == KIFU__RECORD_INPUT) {
            unsigned char *at = records->proposals.bytes + (number ? records->items[number - 1].end : 0);
            result = play_input(rehearsal, entry, (kifu__proposal *)(void *)at, until);
        } else if (entry->kind == KIFU__RECORD_BACK)
            kifu__queue_cut(&rehearsal->again->consequences, 0, 0);
        else
            result = play_transaction(rehearsal, entry);
        if (!result)
            result = play_to(rehearsal, until);
    }
    if (result)
        return result;
    if (!kifu__describe_difference(rehearsal->timeline->rules, rehearsal->timeline->core.state,
                                   rehearsal->again->core.state, rehearsal->difference))
        return KIFU_OK;
    // The same events, and another state: a Do did it, or who wrote past the edit functions. Which, a replay may know.
    kifu_difference found;
    if (kifu_verify_replay(rehearsal->timeline, &found) != KIFU_DIVERGED)
        return differs(rehearsal, rehearsal->timeline->executed ? rehearsal->timeline->executed - 1 : KIFU_NONE,
                       "after it the state's");
    *rehearsal->difference = found;
    return KIFU_DIVERGED;
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
        .bare = !prepare && !options.prepare && !options.observers.count &&
                (timeline->hooks.count || timeline->listeners.rules.count),
        .expected = {.memory = &timeline->memory},
        .actual = {.memory = &timeline->memory},
    };
    rehearsal.kept.items = timeline->records.items;
    rehearsal.kept.numbers =
        (uint32_t *)kifu__new(&timeline->memory, ((size_t)timeline->records.count + 1) * sizeof(uint32_t));
    if (!rehearsal.kept.numbers)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for playing the game again");
    find_kept(&timeline->records, &rehearsal.kept);
    if (prepare)
        options.prepare = NULL;
    result = kifu_create(timeline->rules, &options, &rehearsal.again, &timeline->error);
    if (result) {
        kifu__free(&timeline->memory, rehearsal.kept.numbers);
        return result;
    }
    if (prepare)
        result = prepare(context, rehearsal.again);
    if (result)
        timeline->error = rehearsal.again->error;
    else
        result = play_all(&rehearsal);
    kifu__free(&timeline->memory, rehearsal.kept.numbers);
    kifu__free(&timeline->memory, rehearsal.expected.bytes);
    kifu__free(&timeline->memory, rehearsal.actual.bytes);
    kifu_destroy(rehearsal.again);
    return result;
}
