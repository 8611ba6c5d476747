// An event becomes bytes: as a submit function built it, or out of the log.

#include "bytes/bytes.h"

#include "base/crc32c.h"
#include "core/put_out.h"
#include "wire/buffer.h"

static void free_bytes(kifu_timeline *timeline, kifu__part *part)
{
    kifu__bytes_part *own = (kifu__bytes_part *)part;
    kifu__queue_free(&own->built, &timeline->memory);
    kifu__queue_free(&own->batch, &timeline->memory);
    kifu__free(&timeline->memory, own->event.bytes);
    kifu__free(&timeline->memory, own->made.bytes);
}

static const kifu__part_table bytes_table = {
    .size = sizeof(kifu__bytes_part), .order = KIFU__BYTES, .freed = free_bytes};

static kifu_result no_memory_for_bytes(kifu_timeline *timeline)
{
    return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for an event as bytes");
}

kifu__bytes_part *kifu__bytes_attach(kifu_timeline *timeline)
{
    kifu__bytes_part *part = (kifu__bytes_part *)kifu__attach(timeline, &bytes_table);
    if (!part)
        no_memory_for_bytes(timeline);
    else if (!part->identifier)
        part->identifier = kifu_file_identifier(timeline->rules);
    return part;
}

// Bytes go to where the game is: a watcher makes those of its game.
static const kifu_rules *game_rules(const kifu_timeline *timeline)
{
    return timeline->rules->game ? timeline->rules->game : timeline->rules;
}

uint32_t kifu_file_identifier(const kifu_rules *rules)
{
    const char *name = rules->game ? rules->game->name : rules->name;
    return kifu__crc32c(0, name, strlen(name));
}

// --- The bytes -------------------------------------------------------------------------------------------------------

// What is in front of the vtables, as 32-bit words. All of it is the same in all events but IDENTIFIER, RULES_VERSION,
// EVENT and TYPE.
enum { IDENTIFIER_WORD = 1, ROOT_WORD = 5, VERSION_WORD = 9, EVENT_WORD = 13, TYPE_WORD = 15, HEAD_WORDS = 16 };
static const uint32_t head[HEAD_WORDS] = {
    [0] = 4 * ROOT_WORD,
    [2] = 12 | 20 << 16, // the root's vtable
    [3] = 4 | 8 << 16,
    [4] = 12 | 16 << 16,
    [ROOT_WORD] = 12, // to its vtable, types, events, marks
    [6] = 4 * 8,
    [7] = 4 * 5,
    [8] = 4 * 2,
    [10] = 1, // mark: no cause, no player, no flags
    [11] = UINT32_C(0xff0000),
    [12] = 1, // event
    [14] = 1, // type
};

// With the vtables of all tables, if the event leads to others; otherwise with its own.
static const uint16_t *vtables_of(const kifu_rules *rules, const kifu__table *of, uint32_t *size)
{
    for (uint32_t id = 0; id < of->field_count && !of->flat; id++) {
        if (of->fields[id].table) {
            *size = rules->vtables_size;
            return rules->vtables;
        }
    }
    *size = of->vtable[0];
    return of->vtable;
}

static uint32_t align_bytes(uint32_t position, uint32_t alignment)
{
    return (position + alignment - 1) & ~(alignment - 1);
}

// Makes the bytes of a blob in the part.
static kifu_result make_event_bytes(kifu__bytes_part *part, const kifu_rules *rules, uint32_t type,
                                    uint32_t rules_version, const void *blob, uint32_t size)
{
    kifu__blob *made = &part->made;
    const kifu__table *of = rules->types[type].table;
    uint32_t vtables_size;
    const uint16_t *vtables = vtables_of(rules, of, &vtables_size);
    const uint32_t at = align_bytes(sizeof head + vtables_size, of->align);
    kifu__build(made, 0, NULL, at, 8);
    kifu__build(made, 0, blob, size, 1);
    const uint32_t behind = kifu__build(made, 0, NULL, kifu__seal_room(of, blob), 2); // Where a vtable may start.
    if (made->result)
        return made->result;
    unsigned char *bytes = made->bytes, *end = bytes + behind;
    memcpy(bytes, head, sizeof head);
    kifu__put32(bytes + 4 * IDENTIFIER_WORD, part->identifier);
    kifu__put32(bytes + 4 * VERSION_WORD, rules_version);
    kifu__put32(bytes + 4 * EVENT_WORD, at - 4 * EVENT_WORD);
    kifu__put32(bytes + 4 * TYPE_WORD, type);
    memcpy(bytes + sizeof head, vtables, vtables_size);
    if (of->flat)
        kifu__put32(bytes + at, at - (uint32_t)sizeof head);
    else
        kifu__seal(vtables, of, bytes + at, bytes + sizeof head, &end);
    made->size = (uint32_t)(end - bytes);
    kifu__build(made, 0, NULL, 0, 4);
    return made->result;
}

const void *kifu__bytes_table(const void *bytes)
{
    const unsigned char *event = (const unsigned char *)bytes + 4 * EVENT_WORD;
    return event + kifu__load32(event);
}

const void *kifu__bytes_find_flat(const kifu_rules *rules, const unsigned char *bytes, size_t size, uint32_t *type,
                                  uint32_t *rules_version)
{
    uint32_t words[HEAD_WORDS];
    if (size < sizeof words)
        return NULL;
    memcpy(words, bytes, sizeof words);
    *type = words[TYPE_WORD];
    *rules_version = words[VERSION_WORD];
    if (*type == 0 || *type > rules->type_count || !rules->types[*type].table->flat)
        return NULL;
    const kifu__table *of = rules->types[*type].table;
    const uint32_t at = align_bytes(sizeof head + of->vtable[0], of->align);
    if (size != align_bytes(at + of->size, 4) || words[EVENT_WORD] != at - 4 * EVENT_WORD)
        return NULL;
    words[IDENTIFIER_WORD] = words[VERSION_WORD] = words[EVENT_WORD] = words[TYPE_WORD] = 0;
    const bool same = !memcmp(words, head, sizeof head) && !memcmp(bytes + sizeof head, of->vtable, of->vtable[0]) &&
                      kifu__load32(bytes + at) == at - sizeof head;
    return same ? bytes + at : NULL;
}

kifu_result kifu__bytes_write(kifu_timeline *timeline, kifu__bytes_part *part, uint32_t type, uint32_t rules_version,
                              const void *blob, uint32_t size, kifu_buffer *buffer)
{
    kifu__blob *made = &part->made;
    const char *name = timeline->rules->types[type].table->name;
    kifu__build_anew(made, &timeline->memory);
    const kifu_result result = make_event_bytes(part, game_rules(timeline), type, rules_version, blob, size);
    if (result == KIFU_TOO_LARGE)
        return kifu__error(&timeline->error, result, "%s has more than 1 GiB as bytes", name);
    return result ? no_memory_for_bytes(timeline) : kifu__put_out(timeline, name, made, buffer);
}

// --- Built -----------------------------------------------------------------------------------------------------------

static kifu_result write_built(kifu_timeline *timeline, kifu__bytes_part *part, uint32_t type, const void *blob,
                               uint32_t size, kifu_buffer *buffer)
{
    const kifu_rules *rules = game_rules(timeline);
    const kifu_result result = kifu__check_proposal(rules->types[type].table, blob, &timeline->error);
    return result ? result : kifu__bytes_write(timeline, part, type, rules->rules_version, blob, size, buffer);
}

kifu_result kifu__bytes_of(kifu_timeline *timeline, uint32_t type, const void *event, uint32_t size,
                           kifu_buffer *buffer)
{
    static const unsigned char zeros[8];
    const uint32_t least = timeline->rules->types[type].size;
    kifu__bytes_part *part = kifu__bytes_attach(timeline);
    if (!part)
        return KIFU_NO_MEMORY;
    if (size >= least)
        return write_built(timeline, part, type, event, size, buffer);
    kifu__blob *whole = &part->event; // rules of a watcher have one more field (core/submit.c)
    kifu__build_anew(whole, &timeline->memory);
    kifu__build(whole, 0, event, size, 8);
    kifu__build(whole, 0, zeros, least - size, 1);
    return whole->result ? no_memory_for_bytes(timeline)
                         : write_built(timeline, part, type, whole->bytes, least, buffer);
}

kifu_result kifu_move_bytes(kifu_timeline *timeline, const kifu_move *move, kifu_buffer *buffer)
{
    return kifu__bytes_of(timeline, move->type, move->table, move->size, buffer);
}

// As where moves are listed: what is submitted goes elsewhere.
bool kifu__bytes_open(kifu_timeline *timeline)
{
    kifu__bytes_part *part = kifu__bytes_attach(timeline);
    if (!part)
        return false;
    part->listing = timeline->building.list;
    part->last_ticket = timeline->last_ticket;
    part->phase = timeline->core.phase;
    part->slow = timeline->core.slow;
    part->fault = timeline->fault;
    timeline->building.list = &part->built;
    timeline->core.phase = KIFU__LISTING;
    timeline->fault.result = KIFU_OK;
    return true;
}

kifu_result kifu__bytes_end(kifu_timeline *timeline, kifu_buffer *buffer)
{
    kifu__bytes_part *part = kifu__bytes_attach(timeline); // It is there.
    timeline->building.list = part->listing;
    timeline->last_ticket = part->last_ticket;
    timeline->core.phase = part->phase;
    timeline->core.slow = part->slow;
    kifu_result result = kifu__report_fault(timeline);
    timeline->fault = part->fault;
    const kifu__proposal *built = kifu__queue_first(&part->built);
    if (!result)
        result = write_built(timeline, part, built->type, built + 1, built->size, buffer);
    kifu__queue_cut(&part->built, 0, 0);
    return result;
}

// --- Out of the queue ------------------------------------------------------------------------------------------------

kifu_result kifu_pending_bytes(kifu_timeline *timeline, uint32_t index, kifu_buffer *buffer)
{
    kifu_event event;
    if (timeline->core.phase == KIFU__TRYING)
        return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_pending_bytes was called while %s", kifu__try_is_open);
    if (!kifu_pending_at(timeline, index, &event))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_pending_bytes was called for proposal %u, but only %u wait", (unsigned)index,
                           (unsigned)kifu_pending_count(timeline));
    const uint32_t size = ((const kifu__proposal *)event.table - 1)->size; // kifu__proposal_blob
    return kifu__bytes_of(timeline, event.type, event.table, size, buffer);
}

// --- Out of the log --------------------------------------------------------------------------------------------------

kifu_result kifu_event_bytes(kifu_timeline *timeline, uint32_t index, kifu_buffer *buffer)
{
    kifu_event event;
    if (timeline->core.phase == KIFU__TRYING)
        return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_event_bytes was called while %s", kifu__try_is_open);
    if (!kifu_event_at(timeline, index, &event))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_event_bytes was called for event %u, but the log has the events from %u to before %u",
                           (unsigned)index, (unsigned)timeline->log.begin, (unsigned)kifu_event_count(timeline));
    kifu__bytes_part *part = kifu__bytes_attach(timeline);
    if (!part)
        return KIFU_NO_MEMORY;
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, index);
    part->event.memory = &timeline->memory;
    const kifu_result result = kifu__blob_of(game_rules(timeline), segment, index - segment->first, &part->event);
    if (result)
        return kifu__error(&timeline->error, result, "event %u (%s) as bytes: %s", (unsigned)index, event.name,
                           kifu_result_text(result));
    return kifu__bytes_write(timeline, part, event.type, event.rules_version, part->event.bytes, part->event.size,
                             buffer);
}
