// From a log that was loaded to its state.

#include "save/reader.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/go.h"
#include "history/hashes.h"
#include "wire/buffer.h"
#include "wire/difference.h"

// --- What the save says ----------------------------------------------------------------------------------------------

// The state's bytes have the size and the hash that they must have. Their meaning counts only for a fast load. They may
// lie anywhere, and end right behind the state: the hash, and what compares fields, want them elsewhere.
static kifu_result verify_state(const kifu__reader *reader, const kifu__saved_snapshot *snapshot)
{
    const kifu_timeline *timeline = reader->timeline;
    const uint32_t size = timeline->rules->state_size;
    if (snapshot->state_size != size)
        return kifu__damaged(reader->error, snapshot->offset,
                             "the snapshot at byte %" PRIu64 " has a state of %" PRIu32
                             " bytes, this version of the game one of %" PRIu32,
                             snapshot->offset, snapshot->state_size, size);
    memcpy(timeline->scratch, snapshot->state, size);
    if (kifu__hash_state(timeline->scratch, size) != snapshot->hash)
        return kifu__damaged(reader->error, snapshot->offset,
                             "the snapshot at byte %" PRIu64 " has a state and a hash that do not belong together",
                             snapshot->offset);
    return KIFU_OK;
}

kifu_result kifu__take_snapshot(kifu__reader *reader, const kifu__saved_snapshot *snapshot)
{
    const kifu_result result = snapshot->state && reader->comparable ? verify_state(reader, snapshot) : KIFU_OK;
    if (result)
        return result;
    kifu__saved_snapshot *snapshots =
        (kifu__saved_snapshot *)kifu__grow(&reader->timeline->memory, reader->snapshots, &reader->snapshot_capacity,
                                           (uint64_t)reader->snapshot_count + 1, sizeof *snapshots);
    if (!snapshots)
        return kifu__not_loaded(reader->error, snapshot->offset, KIFU_NO_MEMORY);
    reader->snapshots = snapshots;
    snapshots[reader->snapshot_count++] = *snapshot;
    return KIFU_OK;
}

// --- From a snapshot -------------------------------------------------------------------------------------------------

// Begins at the newest snapshot that will do; false where none does.
static bool begin_at_snapshot(const kifu__reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu_rules *rules = timeline->rules;
    if (!reader->options->fast || timeline->options.reset || !reader->comparable)
        return false;
    for (uint32_t i = reader->snapshot_count; i-- > 0;) {
        const kifu__saved_snapshot *snapshot = &reader->snapshots[i];
        if (!snapshot->state || !snapshot->event_count) // The beginning is known.
            continue;
        memcpy(timeline->scratch, snapshot->state, rules->state_size);
        if (!kifu__state_holds(rules, timeline->scratch, 0, rules->state_size))
            continue;
        memcpy(timeline->core.state, timeline->scratch, rules->state_size);
        timeline->executed = snapshot->event_count;
        kifu__journal_clear(&timeline->journal, &timeline->core, timeline->executed);
        kifu__find_due(timeline);
        kifu__add_keyframe(timeline, timeline->executed, timeline->core.state);
        return true;
    }
    return false;
}

// --- What another version of the game has saved ----------------------------------------------------------------------

// The state's struct in the save's schema, whose fields can be compared with today's. 0: they cannot.
// A function of the game that carried over the state with which the save begins may have changed any field.
static uint32_t find_saved_struct(const kifu__reader *reader, kifu__schema *schema)
{
    const kifu_timeline *timeline = reader->timeline;
    const bool carried = timeline->log.begin && !reader->comparable && reader->options->carry_state;
    if (timeline->options.reset || carried || !kifu__schema_open(schema, reader->schema, reader->schema_size))
        return 0;
    return kifu__schema_struct(schema, timeline->rules->state->name);
}

// Compares the fields that `saved`, which is as the schema has it, and the timeline's state both have, by name. What of
// the saved state has a field in the compiled one is copied over the state of today: then a difference is one of two
// states of this version, which the schema's words describe.
static bool find_changed(kifu_timeline *timeline, const kifu__schema *schema, uint32_t structure,
                         const unsigned char *saved, kifu_difference *changed)
{
    const kifu_rules *rules = timeline->rules;
    memcpy(timeline->scratch, timeline->core.state, rules->state_size);
    kifu__schema_bring(schema, structure, saved, rules->state, timeline->scratch);
    return kifu__describe_difference(rules, timeline->scratch, timeline->core.state, changed);
}

// --- Comparing -------------------------------------------------------------------------------------------------------

typedef struct restoring {
    kifu__walk walk;
    const kifu__reader *reader;
    kifu_difference *changed;
    uint32_t snapshot;  // the next one
    uint32_t unkept;    // so many events are executed without a journal
    uint32_t compared;  // so many events led to the state that they should
    uint32_t most;      // more events than these say nothing of the save's
    bool by_hash;       // the bytes of states are compared
    bool stops;         // a difference fails the load
    uint32_t structure; // The state's in the save's schema; 0: nothing is compared by names.
    kifu__schema schema;
    uint64_t offset; // of the snapshot that differs
} restoring;

static bool is_compared(const restoring *restoring, const kifu__saved_snapshot *snapshot)
{
    if (snapshot->event_count > restoring->most)
        return false;
    return restoring->by_hash ||
           (restoring->structure && snapshot->state && snapshot->event_count > restoring->walk.timeline->log.begin &&
            snapshot->state_size == kifu__schema_size(&restoring->schema, restoring->structure));
}

static void next_saved_hash(kifu__walk *walk, kifu__place *place)
{
    restoring *restoring = (struct restoring *)walk;
    const kifu__reader *reader = restoring->reader;
    if (restoring->snapshot == reader->snapshot_count)
        return;
    const kifu__saved_snapshot *next = reader->snapshots + restoring->snapshot;
    for (; restoring->snapshot < reader->snapshot_count; restoring->snapshot++, next++) {
        if (next->event_count >= walk->count && is_compared(restoring, next)) // A fast load began behind others.
            break;
    }
    if (restoring->snapshot == reader->snapshot_count || next->event_count > place->count)
        return;
    if (restoring->by_hash) {
        *place = (kifu__place){.count = next->event_count, .has_hash = true, .hash = next->hash};
        restoring->snapshot++;
    } else if (next->event_count < place->count) {
        *place = (kifu__place){.count = next->event_count};
    }
}

// On the state of now. When an event fails, what is left of it does not matter: the load fails.
static kifu_result execute_saved(kifu__walk *walk, uint32_t count)
{
    const restoring *restoring = (struct restoring *)walk;
    kifu_timeline *timeline = walk->timeline;
    const kifu_result result = kifu__replay_unkept(timeline, count < restoring->unkept ? count : restoring->unkept);
    return result || timeline->executed == count ? result : kifu__go(timeline, count, KIFU__SILENT);
}

// After `count` events the state is another than in the save.
static void find_hash_place(restoring *restoring, uint32_t count, uint64_t offset)
{
    const kifu_timeline *timeline = restoring->walk.timeline;
    kifu_difference *changed = restoring->changed;
    changed->first = restoring->compared;
    changed->event = count - 1;
    changed->name = count > timeline->log.begin ? kifu__name_of(timeline, changed->event) : NULL;
    restoring->offset = offset;
}

static void hash_matched(kifu__walk *walk, const kifu__place *place)
{
    restoring *restoring = (struct restoring *)walk;
    const kifu__reader *reader = restoring->reader;
    if (place->has_hash && restoring->by_hash)
        restoring->compared = place->count;
    for (; restoring->structure && restoring->snapshot < reader->snapshot_count; restoring->snapshot++) {
        const kifu__saved_snapshot *snapshot = &reader->snapshots[restoring->snapshot];
        if (snapshot->event_count > place->count)
            return;
        if (snapshot->event_count < place->count || !is_compared(restoring, snapshot))
            continue;
        if (find_changed(walk->timeline, &restoring->schema, restoring->structure, snapshot->state,
                         restoring->changed)) {
            find_hash_place(restoring, place->count, snapshot->offset);
            restoring->structure = 0; // The first one counts.
        } else {
            restoring->compared = place->count;
        }
    }
}

// The snapshot of these events that says otherwise, one with a state where there is one; NULL: a hash alone does.
static const kifu__saved_snapshot *find_other(const kifu__reader *reader, uint32_t count, uint64_t hash)
{
    const kifu__saved_snapshot *found = NULL;
    for (uint32_t i = 0; i < reader->snapshot_count; i++) {
        const kifu__saved_snapshot *snapshot = &reader->snapshots[i];
        if (snapshot->event_count == count && snapshot->hash != hash && (!found || snapshot->state))
            found = snapshot;
    }
    return found;
}

// The hash of the state is another than in the save.
static void find_hashed(restoring *restoring)
{
    kifu_timeline *timeline = restoring->walk.timeline;
    const kifu__saved_snapshot *snapshot = find_other(restoring->reader, timeline->executed, kifu_state_hash(timeline));
    find_hash_place(restoring, timeline->executed, snapshot ? snapshot->offset : UINT64_MAX);
    if (!snapshot || !snapshot->state)
        return;
    memcpy(timeline->scratch, snapshot->state, timeline->rules->state_size);
    kifu__describe_difference(timeline->rules, timeline->scratch, timeline->core.state, restoring->changed);
}

static kifu_result report_divergence(const restoring *restoring)
{
    const kifu_difference *changed = restoring->changed;
    kifu_error *error = restoring->reader->error;
    char room[200], field[300] = "";
    const uint32_t last = changed->event;
    const char *events = changed->name ? room : "the game now begins with";
    if (changed->name && changed->first >= last)
        snprintf(room, sizeof room, "event %" PRIu32 " (%s) now leads to", last, changed->name);
    else if (changed->name)
        snprintf(room, sizeof room, "one of the events %" PRIu32 " to %" PRIu32 " now leads to", changed->first, last);
    if (changed->field[0])
        snprintf(field, sizeof field, ": %s was %s and is now %s", changed->field, changed->expected, changed->actual);
    kifu__error_at(error, KIFU_DIVERGED, restoring->offset, KIFU__ANOTHER_STATE, events, field);
    error->event = last;
    return KIFU_DIVERGED;
}

// Of a save by another schema: an upcast may change the game.
static uint32_t most_compared(const kifu__reader *reader)
{
    const uint32_t upcast = reader->upcaster.upcast;
    return upcast && reader->header->fingerprint != reader->timeline->rules->fingerprint ? upcast - 1 : KIFU_NONE;
}

static kifu_result restore_checked(restoring *restoring)
{
    kifu_timeline *timeline = restoring->walk.timeline;
    const uint32_t count = timeline->executed;
    kifu_difference *changed = restoring->changed;
    *changed = (kifu_difference){.event = KIFU_NONE, .first = KIFU_NONE};
    kifu__drop_records(timeline, restoring->by_hash ? restoring->most : 0);
    if (!begin_at_snapshot(restoring->reader))
        kifu__go(timeline, timeline->log.begin, KIFU__ANEW);
    const uint32_t first = timeline->executed;
    restoring->compared = restoring->walk.count = restoring->walk.hashed = first;
    if (first < restoring->unkept)
        kifu__journal_clear(&timeline->journal, &timeline->core, restoring->unkept);
    kifu__place place;
    kifu_result result = kifu__walk_to(&restoring->walk, count, &place);
    kifu__hashes_agree(restoring->walk.path, first, count); // Else there is no timeline.
    kifu__moved(timeline, KIFU__INTERNAL_MOVE);
    if (result == KIFU_DIVERGED && restoring->by_hash)
        find_hashed(restoring);
    if (changed->event == KIFU_NONE && restoring->compared != first)
        changed->first = restoring->compared;
    return restoring->stops && (result == KIFU_DIVERGED || changed->event != KIFU_NONE) ? report_divergence(restoring)
                                                                                        : result;
}

kifu_result kifu__restore_state(const kifu__reader *reader, kifu_difference *changed)
{
    kifu_timeline *timeline = reader->timeline;
    const uint32_t count = timeline->executed;
    const bool same_rules = reader->header->rules_version == timeline->rules->rules_version;
    kifu_difference unwanted;
    restoring restoring = {
        .walk = {timeline, timeline->log.branch, timeline->core.state, 0, 0, KIFU__HALF, next_saved_hash, execute_saved,
                 hash_matched},
        .reader = reader,
        .changed = changed ? changed : &unwanted,
        .unkept = count > KIFU__JOURNAL_EVENTS ? count - KIFU__JOURNAL_EVENTS : 0,
        .most = most_compared(reader),
        .by_hash = reader->comparable && !reader->options->allow_changed,
        .stops = same_rules && !reader->options->allow_changed,
    };
    if (!restoring.by_hash && (restoring.stops || changed))
        restoring.structure = find_saved_struct(reader, &restoring.schema);
    return restore_checked(&restoring);
}
