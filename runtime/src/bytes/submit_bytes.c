// Bytes from anywhere become an input: verified, converted, submitted.
//
// Bytes that the program trusts may be of an engine event. Of others, what they are upcast to must be a player's event.
// A save may turn a player's old event into an engine event, because it happened; but old bytes can be made at any
// time, and no player may submit an engine event by them.

#include <stdio.h>

#include "bytes/bytes.h"
#include "core/upcast.h"
#include "wire/buffer.h"

// What is being read.
typedef struct reading {
    kifu_timeline *timeline;
    kifu__bytes_part *part;
    int player;
    bool trusted; // Engine events, too.
    kifu__buffer buffer;
    kifu__verifier *verifier; // where one is needed
    kifu__parts parts;
    uint32_t type;
} reading;

static kifu_error *error_of(const reading *reading)
{
    return &reading->timeline->error;
}

static kifu_result damaged(const reading *reading, const char *where)
{
    const uint32_t version = reading->parts.rules_version, own = reading->timeline->rules->rules_version;
    kifu_error *error = error_of(reading);
    kifu__report(reading->verifier, &reading->buffer, where);
    const size_t length = strlen(error->message);
    if (reading->type && version != own)
        snprintf(error->message + length, sizeof error->message - length,
                 "; rules version %u of the game wrote it, and this is version %u, which may not know this",
                 (unsigned)version, (unsigned)own);
    return KIFU_DAMAGED;
}

static kifu_result refuse(const reading *reading, const char *name, const char *reason)
{
    return kifu__error(error_of(reading), KIFU_REJECTED, "the bytes of %s were not submitted: %s", name, reason);
}

// Bytes that are aligned, copied if they must be.
static kifu_result open_bytes(reading *reading, const void *bytes, size_t size)
{
    const kifu_rules *rules = reading->timeline->rules;
    uint32_t identifier = 0;
    if (size >= KIFU__MOST_BYTES)
        return kifu__error(error_of(reading), KIFU_TOO_LARGE, "an event has less than 2 GiB as bytes");
    if (size >= 8)
        memcpy(&identifier, (const unsigned char *)bytes + 4, sizeof identifier);
    if (size < 8 || identifier != reading->part->identifier)
        return kifu__error(error_of(reading), KIFU_OTHER_GAME,
                           "these are not the bytes of an event of %s: its file identifier is not at byte 4",
                           rules->name);
    if ((uintptr_t)bytes & 7) {
        kifu__blob *copy = &reading->part->made;
        kifu__build_anew(copy, &reading->timeline->memory);
        kifu__build(copy, 0, bytes, size, 8);
        if (copy->result)
            return kifu__error(error_of(reading), copy->result, "%s for the bytes of an event",
                               kifu_result_text(copy->result));
        bytes = copy->bytes;
    }
    reading->buffer =
        (kifu__buffer){.bytes = (const unsigned char *)bytes, .size = (uint32_t)size, .error = error_of(reading)};
    return KIFU_OK;
}

// The segment around the event.
static kifu_result verify_head(reading *reading)
{
    kifu__verifier *verifier = reading->verifier;
    const kifu_rules *rules = reading->timeline->rules;
    if (!kifu__verifier_open(verifier, &reading->buffer) || !kifu__verify_head(verifier))
        return damaged(reading, "kifu.Segment");
    reading->parts = kifu__segment_parts(reading->buffer.bytes);
    if (reading->parts.count != 1) {
        char reason[80];
        snprintf(reason, sizeof reason, "there are %u events, and bytes are of one", (unsigned)reading->parts.count);
        return refuse(reading, rules->name, reason);
    }
    reading->type = reading->buffer.bytes[reading->parts.types];
    if (reading->type == 0 || reading->type > rules->type_count)
        return kifu__error_at(error_of(reading), KIFU_UNKNOWN_EVENT, reading->parts.types,
                              "the bytes are of an event of type %u, and this version of %s knows types 1 to %u: a "
                              "newer version of the game wrote them",
                              (unsigned)reading->type, rules->name, (unsigned)rules->type_count);
    return KIFU_OK;
}

// Who made the event happen is nothing that the bytes may decide.
static kifu_result verify_mark(const reading *reading)
{
    const char *name = reading->timeline->rules->types[reading->type].table->name;
    kifu__mark mark;
    memcpy(&mark, reading->buffer.bytes + reading->parts.marks, sizeof mark);
    char reason[120];
    if (mark.cause || mark.flags)
        snprintf(reason, sizeof reason, "its mark has a cause (%u) or flags (0x%x), which bytes have not",
                 (unsigned)mark.cause, (unsigned)mark.flags);
    else if (mark.player != -1 && mark.player != reading->player)
        snprintf(reason, sizeof reason, "its mark names player %d, and it was to be submitted for player %d",
                 mark.player, reading->player);
    else
        return KIFU_OK;
    return refuse(reading, name, reason);
}

// A player's event, or one that is trusted, under rules that this program has.
static kifu_result require_own(const reading *reading)
{
    const kifu_rules *rules = reading->timeline->rules;
    const kifu__type *type = &rules->types[reading->type];
    const uint32_t version = reading->parts.rules_version;
    if (version > rules->rules_version)
        return kifu__error(error_of(reading), KIFU_NEWER_GAME,
                           "the bytes are of rules version %u of %.100s, and this program has rules version %u: update "
                           "the program",
                           (unsigned)version, rules->name, (unsigned)rules->rules_version);
    if (type->is_player || reading->trusted)
        return KIFU_OK;
    return refuse(reading, type->table->name, "it is an engine event, which only the rules of the game submit");
}

// The event itself, in the layout of this version then.
static kifu_result read_event(reading *reading)
{
    kifu__blob *event = &reading->part->event;
    const kifu__table *table = reading->timeline->rules->types[reading->type].table;
    uint32_t position;
    if (!kifu__verify_offset(reading->verifier, reading->parts.offsets, &position) ||
        !kifu__verify_any(reading->verifier, table, position, KIFU__EVENT_DEPTH)) {
        char where[140];
        snprintf(where, sizeof where, "the bytes of %s", table->name);
        return damaged(reading, where);
    }
    event->memory = &reading->timeline->memory;
    return kifu__convert_table(&reading->buffer, table, position, event);
}

// What an event of a superseded type has become.
static kifu_result upcast(reading *reading)
{
    kifu_timeline *timeline = reading->timeline;
    const kifu__type *types = timeline->rules->types;
    const struct kifu__upcasting *upcasting = timeline->rules->upcasting;
    const char *name = types[reading->type].table->name;
    if (!types[reading->type].superseded_by)
        return KIFU_OK;
    const kifu__segment segment = {.rules_version = reading->parts.rules_version};
    kifu__upcaster upcaster = {0};
    int8_t player = (int8_t)reading->player;
    upcasting->begin(&upcaster, timeline, &segment, false, &reading->buffer);
    upcaster.alone = true;
    kifu_result result = reading->buffer.upcast(&upcaster, 0, &reading->type, &player, &reading->part->event);
    upcasting->end(&upcaster);
    if (result == KIFU_NO_MEMORY)
        return kifu__error(error_of(reading), result, "out of memory while %s was converted to this version", name);
    if (!result)
        result = require_own(reading);
    if (!result && player != reading->player)
        result = refuse(reading, name, "its upcast function submits it for another player");
    return result;
}

// What most bytes are, and quick: an event without references, as this version of the game writes it.
static bool read_flat(reading *reading)
{
    const kifu_rules *rules = reading->timeline->rules;
    const kifu__buffer *buffer = &reading->buffer;
    kifu__blob *event = &reading->part->event;
    const void *found =
        kifu__bytes_find_flat(rules, buffer->bytes, buffer->size, &reading->type, &reading->parts.rules_version);
    if (!found)
        return false;
    const kifu__table *table = rules->types[reading->type].table;
    kifu__build_anew(event, &reading->timeline->memory);
    kifu__build(event, 0, found, table->size, 8);
    if (event->result || !kifu__checks_hold(table->checks, table->check_count, event->bytes, NULL))
        return false;
    kifu__put32(event->bytes, 0); // A proposal leads to no vtable yet.
    return true;
}

static kifu_result read_any(reading *reading)
{
    kifu__verifier verifier;
    reading->verifier = &verifier;
    reading->type = 0;
    kifu_result result = verify_head(reading);
    if (!result)
        result = require_own(reading);
    if (!result)
        result = verify_mark(reading);
    return result ? result : read_event(reading);
}

static kifu_result read_bytes(reading *reading, const void *bytes, size_t size)
{
    kifu_result result = open_bytes(reading, bytes, size);
    if (!result)
        result = read_flat(reading) ? require_own(reading) : read_any(reading);
    return result ? result : upcast(reading);
}

// Whether anything may be submitted now, by whom it was called.
static kifu_result require_outside(kifu_timeline *timeline, int player, const char *call)
{
    const kifu__phase phase = timeline->core.phase;
    if (phase == KIFU__TRYING)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s was called while %s", call, kifu__try_is_open);
    if (phase != KIFU__IDLE && phase != KIFU__TELLING)
        return kifu__misuse(timeline,
                            "%s was called while an event runs (from Do, a check, a reaction or a view "
                            "function): call it from outside",
                            call);
    if (player < -1 || player > INT8_MAX)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s was called for player %d: a player's number is 0 to 127, or -1 for none", call, player);
    const kifu_result result = kifu__require_present(timeline, call);
    return result ? result : kifu__report_fault(timeline);
}

static kifu_result submit(kifu_timeline *timeline, int player, bool trusted, const void *bytes, size_t size,
                          kifu_ticket *ticket)
{
    kifu_ticket unused;
    ticket = ticket ? ticket : &unused;
    *ticket = 0;
    kifu_result result = require_outside(timeline, player, trusted ? "kifu_submit_trusted_bytes" : "kifu_submit_bytes");
    if (result)
        return result;
    reading reading = {
        .timeline = timeline, .part = kifu__bytes_attach(timeline), .player = player, .trusted = trusted};
    if (!reading.part)
        return KIFU_NO_MEMORY;
    result = read_bytes(&reading, bytes, size);
    if (result)
        return result;
    const kifu__blob *event = &reading.part->event;
    // What the verifier cannot know: a file may have any text.
    result = kifu__check_proposal(timeline->rules->types[reading.type].table, event->bytes, &timeline->error);
    if (result)
        return result;
    *ticket = kifu__submit(timeline, reading.type, player, event->bytes, event->size);
    return *ticket ? KIFU_OK : kifu__report_fault(timeline);
}

kifu_result kifu_submit_bytes(kifu_timeline *timeline, int player, const void *bytes, size_t size, kifu_ticket *ticket)
{
    return submit(timeline, player, false, bytes, size, ticket);
}

kifu_result kifu_submit_trusted_bytes(kifu_timeline *timeline, int player, const void *bytes, size_t size,
                                      kifu_ticket *ticket)
{
    return submit(timeline, player, true, bytes, size, ticket);
}
