// Bytes from anywhere become events: verified, converted, upcast.
//
// Bytes that the program trusts may be of an engine event. Of others, what they are upcast to must be a player's event.
// A save may turn a player's old event into an engine event, because it happened; but old bytes can be made at any
// time, and no player may submit an engine event by them.

#include <stdio.h>

#include "bytes/bytes.h"
#include "core/upcast.h"

static kifu_error *error_of(const kifu__bytes_reading *reading)
{
    return &reading->timeline->error;
}

static kifu_result damaged_bytes(const kifu__bytes_reading *reading, const char *where)
{
    const uint32_t version = reading->parts.rules_version, own = reading->timeline->rules->rules_version;
    kifu_error *error = error_of(reading);
    kifu__report(&reading->verifier, &reading->buffer, where);
    const size_t length = strlen(error->message);
    if (reading->type && version != own)
        snprintf(error->message + length, sizeof error->message - length,
                 "; rules version %u of the game wrote it, and this is version %u, which may not know this",
                 (unsigned)version, (unsigned)own);
    return KIFU_DAMAGED;
}

static kifu_result refuse_bytes(const kifu__bytes_reading *reading, const char *name, const char *reason)
{
    return kifu__error(error_of(reading), KIFU_REJECTED, "the bytes of %s were not submitted: %s", name, reason);
}

// Bytes that are aligned, copied if they must be.
static kifu_result open_bytes(kifu__bytes_reading *reading, const void *bytes, size_t size)
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

// The segment around the events, of which there may be `most`.
static kifu_result verify_head(kifu__bytes_reading *reading, uint32_t most)
{
    kifu__verifier *verifier = &reading->verifier;
    reading->type = 0;
    if (!kifu__verifier_open(verifier, &reading->buffer) || !kifu__verify_head(verifier))
        return damaged_bytes(reading, "kifu.Segment");
    reading->parts = kifu__segment_parts(reading->buffer.bytes);
    if (reading->parts.count - 1 < most)
        return KIFU_OK;
    char reason[80];
    const char *format =
        most == 1 ? "there are %u events, and bytes are of one" : "there are %u events, and a batch has 1 to %u";
    snprintf(reason, sizeof reason, format, (unsigned)reading->parts.count, (unsigned)most);
    return refuse_bytes(reading, reading->timeline->rules->name, reason);
}

static kifu_result verify_type(kifu__bytes_reading *reading, uint32_t index)
{
    const kifu_rules *rules = reading->timeline->rules;
    const uint32_t at = reading->parts.types + index;
    reading->type = reading->buffer.bytes[at];
    if (reading->type == 0 || reading->type > rules->type_count)
        return kifu__error_at(error_of(reading), KIFU_UNKNOWN_EVENT, at,
                              "the bytes are of an event of type %u, and this version of %s knows types 1 to %u: a "
                              "newer version of the game wrote them",
                              (unsigned)reading->type, rules->name, (unsigned)rules->type_count);
    return KIFU_OK;
}

// Who made the event happen is nothing that the bytes may decide.
static kifu_result verify_mark(const kifu__bytes_reading *reading, uint32_t index)
{
    const char *name = reading->timeline->rules->types[reading->type].table->name;
    kifu__mark mark;
    memcpy(&mark, reading->buffer.bytes + reading->parts.marks + 4 * (size_t)index, sizeof mark);
    char reason[120];
    if (mark.cause || mark.flags)
        snprintf(reason, sizeof reason, "its mark has a cause (%u) or flags (0x%x), which bytes have not",
                 (unsigned)mark.cause, (unsigned)mark.flags);
    else if (mark.player != -1 && mark.player != reading->player)
        snprintf(reason, sizeof reason, "its mark names player %d, and it was to be submitted for player %d",
                 mark.player, reading->player);
    else
        return KIFU_OK;
    return refuse_bytes(reading, name, reason);
}

// A player's event, or one that is trusted, under rules that this program has.
static kifu_result require_own_bytes(const kifu__bytes_reading *reading)
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
    return refuse_bytes(reading, type->table->name, "it is an engine event, which only the rules of the game submit");
}

// The event itself, in the layout of this version then.
static kifu_result read_bytes_event(kifu__bytes_reading *reading, uint32_t index)
{
    kifu__blob *event = &reading->part->event;
    const kifu__table *table = reading->timeline->rules->types[reading->type].table;
    uint32_t position;
    if (!kifu__verify_offset(&reading->verifier, reading->parts.offsets + 4 * index, &position) ||
        !kifu__verify_any(&reading->verifier, table, position, KIFU__EVENT_DEPTH)) {
        char where[140];
        snprintf(where, sizeof where, "the bytes of %s", table->name);
        return damaged_bytes(reading, where);
    }
    event->memory = &reading->timeline->memory;
    return kifu__convert_table(&reading->buffer, table, position, event);
}

// What an event of a superseded type has become.
static kifu_result upcast_bytes(kifu__bytes_reading *reading)
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
        result = require_own_bytes(reading);
    if (!result && player != reading->player)
        result = refuse_bytes(reading, name, "its upcast function submits it for another player");
    return result;
}

// What most bytes are, and quick: an event without references, as this version of the game writes it.
static bool read_flat(kifu__bytes_reading *reading)
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

static kifu_result read_any(kifu__bytes_reading *reading, uint32_t index)
{
    kifu_result result = verify_type(reading, index);
    if (!result)
        result = require_own_bytes(reading);
    if (!result)
        result = verify_mark(reading, index);
    return result ? result : read_bytes_event(reading, index);
}

kifu_result kifu__bytes_read_head(kifu__bytes_reading *reading, kifu_timeline *timeline, kifu__bytes_part *part,
                                  const void *bytes, size_t size, uint32_t most)
{
    reading->timeline = timeline;
    reading->part = part;
    const kifu_result result = open_bytes(reading, bytes, size);
    if (result)
        return result;
    reading->parts.count = 1;
    reading->flat = read_flat(reading);
    return reading->flat ? KIFU_OK : verify_head(reading, most);
}

kifu_result kifu__bytes_read_event(kifu__bytes_reading *reading, uint32_t index)
{
    kifu_result result = reading->flat ? require_own_bytes(reading) : read_any(reading, index);
    if (!result)
        result = upcast_bytes(reading);
    // What the verifier cannot know: a file may have any text.
    return result ? result
                  : kifu__check_proposal(reading->timeline->rules->types[reading->type].table,
                                         reading->part->event.bytes, error_of(reading));
}
