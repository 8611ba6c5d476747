// From a log that was loaded to its state.

#include "save/reader.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/go.h"
#include "history/hashes.h"
#include "wire/buffer.h"
#include "wire/difference.h"

// --- What the save says ----------------------------------------------------------------------------------------------

// The state in a snapshot's payload, where it stays even if the payload's fields were rebuilt elsewhere.
static const unsigned char *state_in(const unsigned char *payload)
{
    enum { STATE = 2 }; // its id
    const uint32_t place = kifu__field_at(payload, kifu__load32(payload), STATE);
    return place ? payload + kifu__target(payload, place) + 4 : NULL;
}

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

kifu_result kifu__take_snapshot(kifu__reader *reader, const kifu__frame *frame, const void *read)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu__save_snapshot *fields = (const kifu__save_snapshot *)read;
    const kifu__saved_snapshot snapshot = {
        .offset = frame->offset,
        .hash = fields->hash,
        .event_count = fields->event_count,
        .state_size = kifu__length(&fields->state),
        .state = state_in(frame->payload),
    };
    if (snapshot.event_count != timeline->executed)
        return kifu__damaged(reader->error, frame->offset,
                             "the save has a snapshot after %" PRIu32 " events in a place after %" PRIu32,
                             snapshot.event_count, timeline->executed);
    kifu_result result = reader->comparable && snapshot.state ? verify_state(reader, &snapshot) : KIFU_OK;
    return result ? result : kifu__remember_snapshot(reader, &snapshot);
}

void kifu__forget_snapshots(kifu__reader *reader)
{
    while (reader->snapshot_count &&
           reader->snapshots[reader->snapshot_count - 1].event_count > reader->timeline->executed)
        reader->snapshot_count--;
}

kifu_result kifu__remember_snapshot(kifu__reader *reader, const kifu__saved_snapshot *snapshot)
{
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

bool kifu__is_sound(const kifu_rules *rules, const unsigned char *state)
{
    kifu_game game;
    memcpy(&game, state, sizeof game);
    bool sound = game.player_count <= KIFU_MAX_PLAYERS && game.turn < (game.player_count ? game.player_count : 1) &&
                 (!game.rng.increment || game.rng.increment & 1); // an even one may repeat one number for ever
    for (uint32_t i = 0; i < KIFU_MAX_PLAYERS; i++)
        sound = sound && game.order[i] < KIFU_MAX_PLAYERS;
    return sound && kifu__struct_holds(rules->state, state);
}

// Begins at the newest snapshot that will do; false where none does.
static bool begin_at_snapshot(const kifu__reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu_rules *rules = timeline->rules;
    if (!reader->fast || timeline->options.reset || !reader->comparable)
        return false;
    for (uint32_t i = reader->snapshot_count; i-- > 0;) {
        const kifu__saved_snapshot *snapshot = &reader->snapshots[i];
        if (!snapshot->state || !snapshot->event_count) // The beginning is known.
            continue;
        memcpy(timeline->scratch, snapshot->state, rules->state_size);
        if (!kifu__is_sound(rules, timeline->scratch))
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

// --- Comparing -------------------------------------------------------------------------------------------------------

typedef struct restoring {
    kifu__walk walk;
    const kifu__reader *reader;
    uint32_t snapshot; // the next one
    uint32_t unkept;   // so many events are executed without a journal
    uint32_t compared; // so many events led to the state that they should
} restoring;

static void look(kifu__walk *walk, kifu__place *place)
{
    restoring *restoring = (struct restoring *)walk;
    const kifu__reader *reader = restoring->reader;
    while (restoring->snapshot < reader->snapshot_count &&
           reader->snapshots[restoring->snapshot].event_count < walk->count)
        restoring->snapshot++; // A fast load began behind it.
    if (!reader->comparable || restoring->snapshot == reader->snapshot_count)
        return;
    const kifu__saved_snapshot *snapshot = &reader->snapshots[restoring->snapshot];
    if (snapshot->event_count <= place->count) {
        *place = (kifu__place){.count = snapshot->event_count, .has_hash = true, .hash = snapshot->hash};
        restoring->snapshot++;
    }
}

// On the state of now. What is left behind when an event fails, nobody looks at: the load fails.
static kifu_result execute(kifu__walk *walk, uint32_t count)
{
    kifu_timeline *timeline = walk->timeline;
    const uint32_t unkept = ((restoring *)walk)->unkept;
    const uint32_t end = count < unkept ? count : unkept;
    while (timeline->executed < end) {
        const uint32_t stop = timeline->due < end ? timeline->due : end;
        kifu_result result = kifu__replay_into(timeline, timeline->core.state, timeline->executed, stop);
        if (result)
            return result;
        timeline->executed = stop;
        if (stop == timeline->due)
            kifu__record_due(timeline);
    }
    return timeline->executed == count ? KIFU_OK : kifu__go(timeline, count, KIFU__SILENT);
}

static void agreed(kifu__walk *walk, const kifu__place *place)
{
    if (place->has_hash)
        ((restoring *)walk)->compared = place->count;
}

// After which of the events `first` to `end` - 1.
static void name_events(const kifu_timeline *timeline, uint32_t first, uint32_t end, char *text, size_t size)
{
    kifu_event event = {.name = ""};
    const bool none = end <= timeline->log.begin;
    if (!none)
        kifu_event_at(timeline, end - 1, &event);
    if (none)
        snprintf(text, size, "before the first event");
    else if (end - first <= 1)
        snprintf(text, size, "after event %" PRIu32 ", %s", end - 1, event.name);
    else
        snprintf(text, size, "after one of the events %" PRIu32 " to %" PRIu32 ", the last of which is %s", first,
                 end - 1, event.name);
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

static void diverged(const restoring *restoring)
{
    kifu_error *error = restoring->reader->error;
    kifu_timeline *timeline = restoring->walk.timeline;
    const uint32_t count = timeline->executed;
    const kifu__saved_snapshot *snapshot = find_other(restoring->reader, count, kifu_state_hash(timeline));
    char events[200], field[300] = "";
    kifu_difference difference;
    name_events(timeline, restoring->compared, count, events, sizeof events);
    if (snapshot && snapshot->state) {
        memcpy(timeline->scratch, snapshot->state, timeline->rules->state_size);
        kifu__describe_difference(timeline->rules, timeline->scratch, timeline->core.state, &difference);
        snprintf(field, sizeof field, ": %s was %s and is now %s", difference.field, difference.expected,
                 difference.actual);
    }
    kifu__error_at(error, KIFU_DIVERGED, snapshot ? snapshot->offset : UINT64_MAX,
                   "the replay of the save gave another state %s%s; a Do function depends on "
                   "something besides the state and its event (a clock, an address, memory never set), or was changed "
                   "without a new rules_version, or needs a deprecated field, or events were moved in the "
                   "union (`kifuc lock` guards it), or somebody edited the save",
                   events, field);
    if (error && count)
        error->event = count - 1;
}

kifu_result kifu__restore_state(const kifu__reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    const uint32_t count = timeline->executed;
    if (!reader->comparable)
        kifu__drop_records(timeline, 0);
    if (!begin_at_snapshot(reader))
        kifu__go(timeline, timeline->log.begin, KIFU__ANEW);
    const uint32_t first = timeline->executed;
    restoring restoring = {
        .walk = {timeline, timeline->core.state, first, first, 0, KIFU__HALF, KIFU__HALF, look, execute, agreed},
        .reader = reader,
        .unkept = count > KIFU__JOURNAL_EVENTS ? count - KIFU__JOURNAL_EVENTS : 0,
        .compared = first,
    };
    if (first < restoring.unkept)
        kifu__journal_clear(&timeline->journal, &timeline->core, restoring.unkept);
    kifu__place place;
    kifu_result result = kifu__walk_to(&restoring.walk, count, &place);
    kifu__moved(timeline, KIFU__AWAY);
    if (result == KIFU_DIVERGED)
        diverged(&restoring);
    return result;
}
