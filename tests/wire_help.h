/// Segments of the game `wire`, for the suites of sealing, verifying and converting.
#ifndef TESTS_WIRE_HELP_H
#define TESTS_WIRE_HELP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_event.h"
#include "suite.h"
#include "wire/buffer.h"
#include "wire.h"

/// Every type of the game's union.
enum { EMPTY = 1, FLAT, ONE_ENUM, CHECKS, OPTIONAL, TEXT, VECTORS, NESTED, CHANGED };

/// A buffer of its exact size, so that a sanitizer sees what is read behind it.
typedef struct bytes {
    unsigned char *at;
    size_t size;
} bytes;

static inline kifu__memory wire_memory(void)
{
    return kifu__memory_of(NULL, NULL);
}

static inline bytes bytes_of(const void *at, size_t size)
{
    bytes copy = {(unsigned char *)malloc(size ? size : 1), size};
    memcpy(copy.at, at, size);
    return copy;
}

static inline kifu__segment wire_segment(uint32_t slots, uint32_t body)
{
    kifu__memory memory = wire_memory();
    kifu__segment segment;
    ck_assert_int_eq(kifu__segment_new(&memory, &wire_rules, 1, slots, body, &segment), KIFU_OK);
    return segment;
}

static inline void wire_append(kifu__segment *segment, uint32_t type, const void *blob, uint32_t size)
{
    const void *table;
    kifu__mark mark = {.player = -1, .flags = KIFU_UNDOABLE};
    ck_assert(kifu__segment_append(segment, &wire_rules, type, blob, size, mark, &table));
    kifu__segment_show(segment);
}

/// A segment of `count` random events, as the log would have it.
static inline bytes wire_random(kifu_rng *rng, uint32_t count)
{
    static uint64_t room[RANDOM_EVENT_ROOM / 8];
    unsigned char *blob = (unsigned char *)room;
    kifu__segment segment = wire_segment(count + kifu_rng_below(rng, 4), count * RANDOM_EVENT_ROOM);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t type = 1 + kifu_rng_below(rng, wire_rules.type_count);
        uint32_t size = random_event(rng, wire_rules.types[type].table, blob);
        kifu_error error;
        ck_assert_msg(!kifu__check_proposal(wire_rules.types[type].table, blob, &error), "%s", error.message);
        wire_append(&segment, type, blob, size);
    }
    bytes result = bytes_of(segment.bytes, segment.size);
    free(segment.bytes);
    return result;
}

/// Verifies a segment as one that a save has in front of all others.
static inline kifu_result wire_verify(bytes bytes, kifu__segment *segment, bool *castable, kifu_error *error)
{
    kifu__buffer buffer = {.bytes = bytes.at, .size = (uint32_t)bytes.size, .error = error};
    *castable = true;
    return kifu__verify_segment(&buffer, &wire_rules, 0, false, wire_rules.bfbs, wire_rules.bfbs_size, segment,
                                castable);
}

/// A segment where it lies in a file.
static inline kifu__segment wire_as_read(bytes old)
{
    const kifu__parts parts = kifu__segment_parts(old.at);
    return (kifu__segment){.bytes = old.at,
                           .size = (uint32_t)old.size,
                           .count = parts.count,
                           .rules_version = parts.rules_version,
                           .marks = (kifu__mark *)(void *)(old.at + parts.marks),
                           .offsets = (uint32_t *)(void *)(old.at + parts.offsets),
                           .types = old.at + parts.types,
                           .borrowed = true};
}

/// Converts a verified segment. The new one's bytes are to be freed.
static inline kifu_result wire_convert(bytes old, bytes *new_bytes, kifu_error *error)
{
    kifu__buffer buffer = {.bytes = old.at, .size = (uint32_t)old.size, .error = error};
    kifu__memory memory = wire_memory();
    kifu__segment segment;
    const kifu__segment from = wire_as_read(old);
    kifu_result result = kifu__convert_segment(&buffer, &wire_rules, &from, &memory, &segment);
    if (result)
        return result;
    *new_bytes = bytes_of(segment.bytes, segment.size);
    free(segment.bytes);
    return KIFU_OK;
}

#endif
