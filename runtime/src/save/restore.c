#include "save/restore.h"

#include <inttypes.h>
#include <stdio.h>

#include "history/hashes.h"
#include "wire/buffer.h"
#include "wire/difference.h"
#include "core/go.h"
#include "save/save_tables.h"

// --- What the save says ----------------------------------------------------------------------------------------------

static kifu__buffer buffer_of(const kifu__frame *frame, kifu_error *error)
{
    const kifu__buffer buffer = {
        .bytes = frame->payload, .size = frame->size, .offset = frame->offset + KIFU__FRAME_HEAD, .error = error};
    return buffer;
}

// The payload may lie anywhere, and end right behind the state: the hash, and what compares fields, want it elsewhere.
static void copy_state(const kifu_timeline *timeline, const kifu__save_snapshot *fields, unsigned char *state)
{
    memcpy(state, kifu__elements(&fields->state), timeline->rules->state_size);
}

// The state's bytes have the size and the hash that they must have. Their meaning counts only for a fast load.
static kifu_result verify_state(const kifu_timeline *timeline, const kifu__save_snapshot *fields,
                                const kifu__frame *frame, kifu_error *error)
{
    uint32_t size = timeline->rules->state_size, length = kifu__length(&fields->state);
    if (length != size)
        return kifu__error_at(error, KIFU_DAMAGED, frame->offset,
                              "the snapshot at byte %" PRIu64 " has a state of %" PRIu32
                              " bytes, this version of the game one of %" PRIu32 ": get another copy of the save",
                              frame->offset, length, size);
    copy_state(timeline, fields, timeline->scratch);
    if (kifu__hash_state(timeline->scratch, size) != fields->hash)
        return kifu__error_at(error, KIFU_DAMAGED, frame->offset,
                              "the snapshot at byte %" PRIu64
                              " has a state with another hash than the one it names: get another copy of the save",
                              frame->offset);
    return KIFU_OK;
}

static kifu_result remember(kifu__saved_states *saved, kifu_timeline *timeline, const kifu__save_snapshot *fields,
                            const kifu__frame *frame, kifu_error *error)
{
    kifu__saved_snapshot *snapshots =
        (kifu__saved_snapshot *)kifu__grow(&timeline->memory, saved->snapshots, &saved->snapshot_capacity,
                                           (uint64_t)saved->snapshot_count + 1, sizeof *snapshots);
    if (!snapshots)
        return kifu__error_at(error, KIFU_NO_MEMORY, frame->offset, "out of memory for a save to load");
    saved->snapshots = snapshots;
    snapshots[saved->snapshot_count++] = (kifu__saved_snapshot){
        .frame = *frame,
        .hash = fields->hash,
        .event_count = fields->event_count,
        .has_state = kifu__follow(&fields->state) != NULL,
    };
    return KIFU_OK;
}

kifu_result kifu__take_snapshot(kifu__saved_states *saved, kifu_timeline *timeline, const kifu__frame *frame,
                                kifu_error *error)
{
    kifu__buffer buffer = buffer_of(frame, error);
    kifu__blob room = {.memory = &timeline->memory};
    const void *read;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_snapshot_table, &room, &read);
    if (!result) {
        const kifu__save_snapshot *fields = (const kifu__save_snapshot *)read;
        if (fields->event_count != timeline->executed)
            result = kifu__error_at(error, KIFU_DAMAGED, frame->offset,
                                    "the save has a snapshot of %" PRIu32 " events where there are %" PRIu32
                                    ": get another copy of it",
                                    fields->event_count, timeline->executed);
        else if (saved->comparable && kifu__follow(&fields->state))
            result = verify_state(timeline, fields, frame, error);
        if (!result)
            result = remember(saved, timeline, fields, frame, error);
    }
    kifu__free(&timeline->memory, room.bytes);
    return result;
}

// They ascend, and no event is missing behind them.
static kifu_result add_checkpoints(kifu_timeline *timeline, const kifu__save_checkpoint *all, uint32_t count,
                                   const kifu__frame *frame, kifu_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t last =
            timeline->checkpoint_count ? timeline->checkpoints[timeline->checkpoint_count - 1].event_count : 0;
        uint32_t events = all[i].event_count;
        if (events <= last || events > timeline->log.event_count)
            return kifu__error_at(error, KIFU_DAMAGED, frame->offset,
                                  "the save has a checkpoint of %" PRIu32 " events after one of %" PRIu32
                                  ", where the log has %" PRIu32 ": get another copy of it",
                                  events, last, timeline->log.event_count);
        if (!kifu__add_checkpoint(timeline, events, all[i].hash))
            return kifu__error_at(error, KIFU_NO_MEMORY, frame->offset, "out of memory for a save to load");
    }
    return KIFU_OK;
}

kifu_result kifu__take_checkpoints(kifu_timeline *timeline, const kifu__frame *frame, kifu_error *error)
{
    kifu__buffer buffer = buffer_of(frame, error);
    kifu__blob room = {.memory = &timeline->memory};
    const void *read;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_checkpoints_table, &room, &read);
    if (!result) {
        const kifu_ref *ref = &((const kifu__save_checkpoints *)read)->checkpoints;
        const kifu__save_checkpoint *all = (const kifu__save_checkpoint *)kifu__elements(ref);
        result = add_checkpoints(timeline, all, kifu__length(ref), frame, error);
    }
    kifu__free(&timeline->memory, room.bytes);
    return result;
}

// What was undone never comes back to the branch that is executed: only a segment follows a rewind, and takes its
// place.
void kifu__saved_states_rewind(kifu__saved_states *saved, uint32_t count)
{
    while (saved->snapshot_count && saved->snapshots[saved->snapshot_count - 1].event_count > count)
        saved->snapshot_count--;
}

void kifu__saved_states_free(kifu__saved_states *saved, const kifu__memory *memory)
{
    kifu__free(memory, saved->snapshots);
}

// The state of a snapshot that was verified; false where it has none, or without memory.
static bool state_of(const kifu_timeline *timeline, const kifu__saved_snapshot *snapshot, unsigned char *state)
{
    if (!snapshot || !snapshot->has_state)
        return false;
    kifu__buffer buffer = buffer_of(&snapshot->frame, NULL);
    kifu__blob room = {.memory = &timeline->memory};
    const void *read;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_snapshot_table, &room, &read);
    if (!result)
        copy_state(timeline, (const kifu__save_snapshot *)read, state);
    kifu__free(&timeline->memory, room.bytes);
    return !result;
}

// --- From a snapshot -------------------------------------------------------------------------------------------------

// Whether the runtime can go on from a state that it did not make: what it takes for granted holds.
static bool is_sound(const kifu_rules *rules, const unsigned char *state)
{
    kifu_game game;
    memcpy(&game, state, sizeof game);
    bool sound = game.player_count <= KIFU_MAX_PLAYERS && game.turn < (game.player_count ? game.player_count : 1) &&
                 (!game.rng.increment || game.rng.increment & 1); // an even one may repeat one number for ever
    for (uint32_t i = 0; i < KIFU_MAX_PLAYERS; i++)
        sound = sound && game.order[i] < KIFU_MAX_PLAYERS;
    return sound && kifu__checks_hold(rules->state->checks, rules->state->check_count, state, NULL);
}

// Begins at the newest snapshot that will do; false where none does.
static bool begin_at_snapshot(const kifu__saved_states *saved, kifu_timeline *timeline)
{
    const kifu_rules *rules = timeline->rules;
    if (!saved->fast || timeline->options.reset || !saved->comparable)
        return false;
    for (uint32_t i = saved->snapshot_count; i-- > 0;) {
        const kifu__saved_snapshot *snapshot = &saved->snapshots[i];
        if (!snapshot->event_count) // the beginning is known
            break;
        if (!state_of(timeline, snapshot, timeline->scratch) || !is_sound(rules, timeline->scratch))
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
    const kifu__saved_states *saved;
    uint32_t snapshot; // the next one
    uint32_t unkept;   // so many events are executed without a journal
    uint32_t compared; // so many events led to the state that they should
} restoring;

static void look(kifu__walk *walk, kifu__place *place)
{
    restoring *restoring = (struct restoring *)walk;
    const kifu__saved_states *saved = restoring->saved;
    while (restoring->snapshot < saved->snapshot_count &&
           saved->snapshots[restoring->snapshot].event_count < walk->count)
        restoring->snapshot++; // A fast load began behind it.
    if (!saved->comparable || restoring->snapshot == saved->snapshot_count)
        return;
    const kifu__saved_snapshot *snapshot = &saved->snapshots[restoring->snapshot];
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
    kifu_result result = KIFU_OK;
    while (timeline->executed < end && !result) {
        const uint32_t stop = timeline->due < end ? timeline->due : end;
        result = kifu__replay_into(timeline, timeline->core.state, timeline->executed, stop);
        if (result)
            break;
        timeline->executed = stop;
        if (stop == timeline->due)
            kifu__record_due(timeline);
    }
    return result || timeline->executed == count ? result : kifu__go(timeline, count, KIFU__SILENT);
}

static void agreed(kifu__walk *walk, const kifu__place *place)
{
    ((restoring *)walk)->compared = place->count;
}

// After which of the events `first` to `end` - 1.
static void name_events(const kifu_timeline *timeline, uint32_t first, uint32_t end, char *text, size_t size)
{
    kifu_event event = {.name = ""};
    if (end)
        kifu_event_at(timeline, end - 1, &event);
    if (!end)
        snprintf(text, size, "before the first event");
    else if (end - first <= 1)
        snprintf(text, size, "after event %" PRIu32 ", %s", end - 1, event.name);
    else
        snprintf(text, size, "after one of the events %" PRIu32 " to %" PRIu32 ", the last of which is %s", first,
                 end - 1, event.name);
}

// The snapshot of these events that says otherwise, one with a state where there is one; NULL: a hash alone does.
static const kifu__saved_snapshot *find_other(const kifu__saved_states *saved, uint32_t count, uint64_t hash)
{
    const kifu__saved_snapshot *found = NULL;
    for (uint32_t i = 0; i < saved->snapshot_count; i++) {
        const kifu__saved_snapshot *snapshot = &saved->snapshots[i];
        if (snapshot->event_count == count && snapshot->hash != hash && (!found || snapshot->has_state))
            found = snapshot;
    }
    return found;
}

static void diverged(const restoring *restoring, kifu_error *error)
{
    kifu_timeline *timeline = restoring->walk.timeline;
    const uint32_t count = timeline->executed;
    const kifu__saved_snapshot *snapshot = find_other(restoring->saved, count, kifu_state_hash(timeline));
    char events[200], field[300] = "";
    kifu_difference difference;
    name_events(timeline, restoring->compared, count, events, sizeof events);
    if (state_of(timeline, snapshot, timeline->scratch) &&
        kifu__describe_difference(timeline->rules, timeline->scratch, timeline->core.state, &difference))
        snprintf(field, sizeof field, ": %s was %s and is now %s", difference.field, difference.expected,
                 difference.actual);
    kifu__error_at(error, KIFU_DIVERGED, snapshot ? snapshot->frame.offset : UINT64_MAX,
                   "replaying the save gave another state than it was saved with %s%s; a Do function depends on "
                   "something besides the state and its event (a clock, an address, memory never set), or was changed "
                   "without a new rules_version",
                   events, field);
    if (error && count)
        error->event = count - 1;
}

kifu_result kifu__restore_state(const kifu__saved_states *saved, kifu_timeline *timeline, kifu_error *error)
{
    const uint32_t count = timeline->executed;
    if (!saved->comparable)
        kifu__drop_records(timeline, 0);
    kifu_result result = begin_at_snapshot(saved, timeline) ? KIFU_OK : kifu__go(timeline, 0, KIFU__ANEW);
    const uint32_t first = timeline->executed;
    restoring restoring = {
        .walk = {timeline, timeline->core.state, first, first, 0, look, execute, agreed},
        .saved = saved,
        .unkept = count > KIFU__JOURNAL_EVENTS ? count - KIFU__JOURNAL_EVENTS : 0,
        .compared = first,
    };
    if (first < restoring.unkept)
        kifu__journal_clear(&timeline->journal, &timeline->core, restoring.unkept);
    kifu__place place;
    if (!result)
        result = kifu__walk_to(&restoring.walk, count, &place);
    kifu__moved(timeline, KIFU__AWAY);
    if (result == KIFU_DIVERGED)
        diverged(&restoring, error);
    else if (result && error)
        *error = timeline->error;
    return result;
}
