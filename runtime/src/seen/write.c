// Messages: what a viewer sees of the events since some place.
//
// Most messages are of the last few events, whose old bytes the journal has: the writer goes back from now, and its
// parts of the message come out in reverse. Where the journal does not reach, it executes the events from a known state
// on.

#include "base/crc32c.h"
#include "core/go.h"
#include "core/put_out.h"
#include "history/seek.h"
#include "seen/seen.h"
#include "wire/buffer.h"

// The memory that it goes on using.
typedef struct seer {
    kifu__part part;
    unsigned char *state, *before, *after; // True, and masked before and after an event.
    kifu__blob message, reverse;
} seer;

static void free_seer(kifu_timeline *timeline, kifu__part *part)
{
    seer *own = (seer *)(void *)part;
    kifu__free(&timeline->memory, own->state);
    kifu__free(&timeline->memory, own->message.bytes);
    kifu__free(&timeline->memory, own->reverse.bytes);
}

static const kifu__part_table seer_table = {.size = sizeof(seer), .order = KIFU__SEEN, .freed = free_seer};

// NULL without memory.
static seer *attach(kifu_timeline *timeline)
{
    const size_t room = kifu__state_room(timeline->rules);
    seer *own = (seer *)(void *)kifu__attach(timeline, &seer_table);
    if (!own || own->state)
        return own;
    own->state = (unsigned char *)kifu__new(&timeline->memory, 3 * room);
    own->before = own->state ? own->state + room : NULL;
    own->after = own->state ? own->before + room : NULL;
    return own->state ? own : NULL;
}

typedef struct writing {
    kifu_timeline *timeline;
    seer *own;
    int viewer;
    kifu_seen_how how;
    uint32_t from, end;
} writing;

// Whether the viewer sees the hidden fields of an event.
static bool sees(const writing *writing, const kifu_event *event)
{
    const kifu__hiding *hiding = writing->timeline->rules->hiding;
    if (!hiding || !hiding->seen_by || writing->viewer < 0)
        return false;
    const kifu__seen_by *by = &hiding->seen_by[event->type];
    if (by->kind < 2)
        return by->kind && event->player == writing->viewer;
    return kifu__read_scalar((const unsigned char *)event->table + by->offset, by->scalar) == (uint64_t)writing->viewer;
}

// The event, between the masked states.
static void add_message_event(const writing *writing, kifu__blob *blob, uint32_t number)
{
    const kifu_timeline *timeline = writing->timeline;
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, number);
    const kifu_event event = kifu__event_in(timeline, segment, number - segment->first);
    kifu__add_event(blob, timeline->rules, &event, sees(writing, &event));
    kifu__add_delta(blob, writing->own->before, writing->own->after, timeline->rules->state_size);
}

static void mask(const writing *writing, unsigned char *masked)
{
    kifu__mask(writing->timeline->rules, writing->own->state, writing->viewer, masked);
}

static void exchange_seer(seer *own)
{
    unsigned char *after = own->after;
    own->after = own->before;
    own->before = after;
}

// Of KIFU_SEEN_WHOLE: the masked state with which the events begin, as its difference from zeros.
static void add_beginning(const writing *writing, unsigned char *zeros, const unsigned char *masked)
{
    const uint32_t size = writing->timeline->rules->state_size;
    if (writing->how != KIFU_SEEN_WHOLE)
        return;
    memset(zeros, 0, size);
    kifu__add_delta(&writing->own->message, zeros, masked, size);
}

static uint32_t seen_checksum(const writing *writing, const unsigned char *masked)
{
    return kifu__seen_checksum(writing->timeline->rules, writing->viewer, masked);
}

// Back from now, by the journal. Returns what the checksum begins with.
static uint32_t add_back(const writing *writing)
{
    kifu_timeline *timeline = writing->timeline;
    seer *own = writing->own;
    kifu__blob *reverse = &own->reverse;
    kifu__build_anew(reverse, &timeline->memory);
    memcpy(own->state, timeline->core.state, timeline->rules->state_size);
    mask(writing, own->after);
    const uint32_t begin = seen_checksum(writing, own->after);
    for (uint32_t event = writing->end; event-- > writing->from;) {
        const uint32_t at = reverse->size;
        kifu__journal_take_back(&timeline->journal, &timeline->core, event, own->state);
        mask(writing, own->before);
        add_message_event(writing, reverse, event);
        const uint32_t size = reverse->size - at;
        kifu__build(reverse, 0, &size, sizeof size, 1);
        exchange_seer(own);
    }
    add_beginning(writing, own->before, own->after);
    for (uint32_t at = reverse->result ? 0 : reverse->size, size; at; at -= size) {
        at -= (uint32_t)sizeof size;
        size = kifu__load32(reverse->bytes + at);
        kifu__build(&own->message, 0, reverse->bytes + at - size, size, 1);
    }
    if (reverse->result)
        own->message.result = reverse->result;
    return begin;
}

// On from a known state.
static kifu_result add_on(const writing *writing, uint32_t *begin)
{
    kifu_timeline *timeline = writing->timeline;
    seer *own = writing->own;
    kifu__branch *path = timeline->log.branch;
    const uint32_t known = kifu__known_state(timeline, path, writing->from, own->state);
    kifu_result result = kifu__replay_into(timeline, path, own->state, known, writing->from);
    mask(writing, own->before);
    add_beginning(writing, own->after, own->before);
    for (uint32_t event = writing->from; event < writing->end && !result; event++) {
        result = kifu__replay_into(timeline, path, own->state, event, event + 1);
        mask(writing, own->after);
        add_message_event(writing, &own->message, event);
        exchange_seer(own);
    }
    *begin = seen_checksum(writing, own->before);
    return result;
}

static void add_head(const writing *writing)
{
    const kifu_rules *rules = writing->timeline->rules;
    kifu__blob *message = &writing->own->message;
    const unsigned char first = (unsigned char)(KIFU__SEEN_VERSION << 4 | writing->how);
    kifu__build(message, 0, &first, 1, 1);
    if (writing->how == KIFU_SEEN_WHOLE) {
        kifu__build(message, 0, &rules->fingerprint, sizeof rules->fingerprint, 1);
        kifu__add_number(message, rules->rules_version);
        kifu__add_number(message, (uint32_t)(writing->viewer + 1));
    }
    kifu__add_number(message, writing->from);
    kifu__add_number(message, writing->end - writing->from);
}

static kifu_result write_seen(const writing *writing, kifu_buffer *buffer)
{
    kifu_timeline *timeline = writing->timeline;
    kifu__blob *message = &writing->own->message;
    uint32_t checksum = 0;
    kifu_result result = KIFU_OK;
    kifu__build_anew(message, &timeline->memory);
    add_head(writing);
    if (timeline->executed == writing->end && kifu__journal_reaches(&timeline->journal, writing->from))
        checksum = add_back(writing);
    else
        result = add_on(writing, &checksum);
    if (result)
        return result;
    if (!message->result)
        checksum = kifu__crc32c(checksum, message->bytes, message->size);
    kifu__build(message, 0, &checksum, sizeof checksum, 1);
    return kifu__put_out(timeline, "a message of what was seen", message, buffer);
}

static kifu_result require_seen(kifu_timeline *timeline, const writing *writing)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_seen_since");
    if (!result)
        result = kifu__require_readable(timeline, "kifu_seen_since", writing->from, writing->end);
    if (result)
        return result;
    if (timeline->rules->game)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_seen_since of a watcher, which has only what its own viewer sees: call it where the "
                           "whole game is");
    if (writing->viewer < -1 || writing->viewer > INT8_MAX)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_seen_since for viewer %d: a viewer is a player's number, 0 to 127, or -1 for a "
                           "spectator",
                           writing->viewer);
    if ((unsigned)writing->how >= (unsigned)KIFU__SEEN_HOWS ||
        (writing->how == KIFU_SEEN_UNDONE && writing->from != writing->end))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_seen_since of an undo to after %u events, but the game stands after %u",
                           (unsigned)writing->from, (unsigned)writing->end);
    return KIFU_OK;
}

kifu_result kifu_seen_since(kifu_timeline *timeline, int viewer, uint32_t from, kifu_seen_how how, kifu_buffer *buffer)
{
    writing writing = {.timeline = timeline, .viewer = viewer, .from = from, .how = how};
    writing.end = kifu_event_count(timeline);
    const kifu_result result = require_seen(timeline, &writing);
    if (result)
        return result;
    writing.own = attach(timeline);
    return writing.own ? write_seen(&writing, buffer)
                       : kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for what a viewer sees");
}
