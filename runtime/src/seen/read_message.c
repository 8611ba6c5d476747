// Reading a message: all of it is verified but for what only the state says. Its events go into a queue.

#include <inttypes.h>

#include "seen/watch.h"
#include "wire/buffer.h"

kifu_result kifu__message_damaged(const kifu__message *message, const char *what)
{
    const uint64_t offset = (uint64_t)(message->bytes.at - message->first);
    return kifu__error_at(&message->timeline->error, KIFU_DAMAGED, offset,
                          "the message is damaged at byte %" PRIu64 ": %s; nothing was changed: get it again", offset,
                          what);
}

kifu_result kifu__message_no_memory(const kifu__message *message)
{
    return kifu__error(&message->timeline->error, KIFU_NO_MEMORY, "out of memory for a message");
}

kifu_result kifu__message_too_large(const kifu__message *message)
{
    return kifu__error(&message->timeline->error, KIFU_TOO_LARGE,
                       "the message needs more than %" PRIu32
                       " bytes of memory, which is all that kifu_options.changes_memory allows; nothing was changed",
                       message->most);
}

// Whose it is.
static kifu_result read_owner(kifu__message *message)
{
    const kifu__watch_rules *rules = message->rules;
    const unsigned char *fingerprint = kifu__parse_bytes(&message->bytes, 8);
    const uint32_t version = kifu__parse_number(&message->bytes);
    const int viewer = (int)kifu__parse_number(&message->bytes) - 1;
    if (!message->bytes.good)
        return kifu__message_damaged(message, "it ends there");
    if (kifu__load64(fingerprint) != rules->rules.game->fingerprint || version != rules->rules.game->rules_version)
        return kifu__error(&message->timeline->error, KIFU_OTHER_GAME,
                           "the message is not of this version of %.100s: it says rules version %" PRIu32
                           ", and this is %" PRIu32,
                           rules->rules.game->name, version, rules->rules.game->rules_version);
    if (viewer != rules->viewer)
        return kifu__error(&message->timeline->error, KIFU_OTHER_GAME,
                           "the message is for viewer %d, and this watcher is of viewer %d", viewer, rules->viewer);
    return KIFU_OK;
}

kifu_result kifu__read_head(kifu__message *message)
{
    kifu__bytes *bytes = &message->bytes;
    if (bytes->end - bytes->at < 7)
        return kifu__message_damaged(message, "it ends there");
    bytes->end -= 4;
    const unsigned first = *kifu__parse_bytes(bytes, 1);
    if (first >> 4 > KIFU__SEEN_VERSION)
        return kifu__error(&message->timeline->error, KIFU_NEWER_FORMAT,
                           "the message is of a newer version of Kifu: update this program");
    if (first >> 4 != KIFU__SEEN_VERSION || (first & 15) >= KIFU__SEEN_HOWS)
        return kifu__message_damaged(message, "this is no message of what was seen");
    message->how = (kifu_seen_how)(first & 15);
    const kifu_result result = message->how == KIFU_SEEN_WHOLE ? read_owner(message) : KIFU_OK;
    if (result)
        return result;
    message->from = kifu__parse_number(bytes);
    message->count = kifu__parse_number(bytes);
    // An event takes at least 3 bytes.
    if (!bytes->good || message->count > (uint64_t)(bytes->end - bytes->at) / 3 ||
        (uint64_t)message->from + message->count >= KIFU_NONE - 2 * KIFU__MOST_SLOTS ||
        (message->how == KIFU_SEEN_UNDONE && message->count))
        return kifu__message_damaged(message, "it cannot have so many events");
    return KIFU_OK;
}

// How the state changes with an event becomes its last field.
static bool take_delta(kifu__message *message, const kifu__table *of)
{
    kifu__bytes *bytes = &message->bytes;
    const unsigned char *begin = bytes->at;
    kifu__stretch stretch = {0};
    while (kifu__next_stretch(bytes, &stretch, message->rules->rules.state_size))
        continue;
    const uint32_t size = (uint32_t)(bytes->at - begin);
    kifu__build_vector(&message->own->event, of->size - (uint32_t)sizeof(kifu_ref), begin, size, size, 1);
    kifu__build(&message->own->event, 0, NULL, 0, 4);
    return bytes->good;
}

// Whether the log has the same event here, but for its flags.
static bool is_here(const kifu__message *message, uint32_t number, const unsigned char *begin, unsigned flags)
{
    const kifu_timeline *timeline = message->timeline;
    kifu__blob *local = &message->own->local;
    if (number >= message->compares || number < timeline->log.begin)
        return false;
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, number);
    const kifu_event event = kifu__event_in(timeline, segment, number - segment->first);
    kifu__build_anew(local, &timeline->memory);
    kifu__add_event(local, timeline->rules, &event, flags & KIFU__SEES_HIDDEN);
    const uint32_t size = (uint32_t)(message->bytes.at - begin), at = event.type > 127 ? 2 : 1;
    if (local->result || local->size != size)
        return false;
    local->bytes[at] =
        (unsigned char)((local->bytes[at] & ~(unsigned)KIFU__SEEN_FLAGS) | (flags & (unsigned)KIFU__SEEN_FLAGS));
    return !memcmp(local->bytes, begin, size);
}

static kifu_result read_message_event(kifu__message *message, uint32_t number)
{
    kifu__bytes *bytes = &message->bytes;
    kifu__blob *blob = &message->own->event;
    const unsigned char *begin = bytes->at;
    const uint32_t type = kifu__parse_number(bytes);
    const unsigned char *at = kifu__parse_bytes(bytes, 1);
    const unsigned flags = at ? *at : 0;
    const uint32_t distance = flags & KIFU__HAS_CAUSE ? kifu__parse_number(bytes) : 0;
    const uint32_t player = flags & KIFU__HAS_PLAYER ? kifu__parse_number(bytes) : UINT32_MAX;
    if (!bytes->good || !type || type > message->rules->rules.type_count)
        return kifu__message_damaged(message, "there is no such event");
    if (distance > UINT16_MAX || distance > number || (flags & KIFU__HAS_CAUSE && !distance) ||
        (flags & KIFU__HAS_PLAYER && player > INT8_MAX))
        return kifu__message_damaged(message, "its event has a wrong cause or player");
    const kifu__table *of = message->rules->rules.types[type].table;
    kifu__build_anew(blob, &message->timeline->memory);
    kifu__build(blob, 0, NULL, of->size, 8);
    const bool taken = !blob->result && kifu__take_fields(bytes, of, blob, 0, flags & KIFU__SEES_HIDDEN, message->most,
                                                          KIFU__EVENT_DEPTH);
    if (taken && message->same == number - message->from)
        message->same += is_here(message, number, begin, flags);
    if (!taken || !take_delta(message, of) || blob->result)
        return blob->result == KIFU_NO_MEMORY   ? kifu__message_no_memory(message)
               : blob->result == KIFU_TOO_LARGE ? kifu__message_too_large(message)
                                                : kifu__message_damaged(message, "its event has a wrong field");
    kifu_error error;
    if (kifu__check_proposal(of, blob->bytes, &error))
        return kifu__message_damaged(message, error.message);
    const kifu__proposal head = {.size = blob->size,
                                 .cause = distance,
                                 .type = (uint8_t)type,
                                 .player = (int8_t)player,
                                 .flags = (uint8_t)(flags & KIFU__SEEN_FLAGS)};
    if ((uint64_t)message->own->incoming.tail + head.size > message->most)
        return kifu__message_too_large(message);
    return kifu__queue_push(&message->own->incoming, &message->timeline->memory, &head, blob->bytes)
               ? KIFU_OK
               : kifu__message_no_memory(message);
}

kifu_result kifu__read_message_events(kifu__message *message)
{
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < message->count && !result; i++)
        result = read_message_event(message, message->from + i);
    if (!result && message->bytes.at != message->bytes.end)
        result = kifu__message_damaged(message, "something is behind its end");
    return result;
}
