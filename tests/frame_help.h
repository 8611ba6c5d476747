/// The frames of a save, written from schema/FORMAT.md: taken apart, changed, and put together with right checksums.
#ifndef TESTS_FRAME_HELP_H
#define TESTS_FRAME_HELP_H

#include <stdlib.h>
#include <string.h>

#include <kifu/kifu.h>

#include "suite.h"

enum {
    FORMAT_VERSION = 5,
    FILE_HEAD = 16,  ///< Bytes in front of the first frame,
    FRAME_HEAD = 16, ///< and of a payload.
    LINK = 4,        ///< Where a payload has its link,
    LINK_SIZE = 4,
    SKIPPED = 64 ///< From this kind on, frames and records that are unknown are skipped.
};

enum { FRAME_HEADER = 1, FRAME_SEGMENT, FRAME_COMMIT, FRAME_PACKED, FRAME_SCHEMA, FRAME_ROOT, FRAME_SKIPPED = 64 };

#define CHAINED UINT32_C(0x4B4E494C) // "LINK"

typedef struct save {
    unsigned char *bytes; ///< From malloc.
    size_t size;
} save;

/// A payload is the save's.
typedef struct save_frame {
    uint64_t offset; ///< Of its head in the file.
    uint32_t kind;
    uint32_t size; ///< Of the payload.
    const unsigned char *payload;
} save_frame;

// --- Bytes -----------------------------------------------------------------------------------------------------------

static inline uint32_t get16(const void *bytes)
{
    uint16_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint32_t get32(const void *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline void set32(void *bytes, uint32_t value)
{
    memcpy(bytes, &value, sizeof value);
}

/// A number of a record: 7 bits in a byte, the lowest first.
static inline uint32_t number_at(const unsigned char **at)
{
    uint32_t number = 0;
    for (int shift = 0;; shift += 7) {
        number |= (uint32_t)(**at & 127) << shift;
        if (*(*at)++ < 128)
            return number;
    }
}

/// CRC-32C of more bytes; 0 is that of none.
static inline uint32_t crc_of(uint32_t crc, const void *bytes, size_t size)
{
    static uint32_t table[256];
    for (uint32_t i = 0; !table[255] && i < 256; i++) {
        uint32_t entry = i;
        for (int bit = 0; bit < 8; bit++)
            entry = entry >> 1 ^ (entry & 1 ? UINT32_C(0x82F63B78) : 0);
        table[i] = entry;
    }
    crc = ~crc;
    for (size_t i = 0; i < size; i++)
        crc = crc >> 8 ^ table[(crc ^ ((const unsigned char *)bytes)[i]) & 255];
    return ~crc;
}

/// The hash of a state of `size` bytes.
static inline uint64_t hash_of_state(const void *state, size_t size)
{
    uint64_t hash = 0;
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, (const unsigned char *)state + at, size - at < 8 ? size - at : 8);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

/// Where field `id` of the FlatBuffers table at `table` lies; 0: it is absent.
static inline uint32_t field_at(const unsigned char *bytes, uint32_t table, uint32_t id)
{
    const unsigned char *vtable = bytes + (table - get32(bytes + table));
    const uint32_t place = 4 + 2 * id, entry = place < get16(vtable) ? get16(vtable + place) : 0;
    return entry ? table + entry : 0;
}

/// The fields of a segment.
enum { SEGMENT_TYPES, SEGMENT_EVENTS, SEGMENT_MARKS, SEGMENT_VERSION };

/// Where the vector lies to which field `id` leads: its count, behind which its elements are.
static inline uint32_t vector_at(const unsigned char *bytes, uint32_t table, uint32_t id)
{
    const uint32_t field = field_at(bytes, table, id);
    return field + get32(bytes + field);
}

/// Where the mark of event `index` lies in a segment: its cause (2 bytes), its player and its flags.
static inline uint32_t mark_in(const unsigned char *segment, uint32_t index)
{
    return vector_at(segment, get32(segment), SEGMENT_MARKS) + 4 + 4 * index;
}

/// Where the offset is that leads to the table of event `index`.
static inline uint32_t offset_in(const unsigned char *segment, uint32_t index)
{
    return vector_at(segment, get32(segment), SEGMENT_EVENTS) + 4 + 4 * index;
}

/// Where the table of event `index` lies in a segment.
static inline uint32_t event_in(const unsigned char *segment, uint32_t index)
{
    const uint32_t offset = offset_in(segment, index);
    return offset + get32(segment + offset);
}

// --- Reading ---------------------------------------------------------------------------------------------------------

/// With head and padding, of a payload of `size` bytes.
static inline uint64_t frame_size(uint32_t size)
{
    return FRAME_HEAD + ((uint64_t)size + 7) / 8 * 8;
}

/// Of the frame at `offset`; 0: its head is not there.
static inline uint64_t frame_size_at(const unsigned char *bytes, uint64_t size, uint64_t offset)
{
    return offset + FRAME_HEAD <= size ? frame_size(get32(bytes + offset)) : 0;
}

/// The frame at `*offset`, which moves behind it. It is whole.
static inline save_frame read_frame(const unsigned char *bytes, uint64_t size, uint64_t *offset)
{
    const uint64_t whole = frame_size_at(bytes, size, *offset);
    ck_assert(whole && *offset + whole <= size);
    const unsigned char *head = bytes + *offset;
    const save_frame frame = {
        .offset = *offset, .kind = get32(head + 8), .size = get32(head), .payload = head + FRAME_HEAD};
    ck_assert_uint_eq(get32(head + 4), crc_of(0, head + 8, 8 + frame.size));
    ck_assert_uint_eq(get32(head + 12), 0);
    *offset += whole;
    return frame;
}

// --- Writing ---------------------------------------------------------------------------------------------------------

/// A save that is being put together. `to` has room.
typedef struct frame_writer {
    save *to;
    uint32_t heads; ///< Checksum of all heads so far, for links.
} frame_writer;

static inline void put_bytes(frame_writer *writer, const void *bytes, size_t size)
{
    memcpy(writer->to->bytes + writer->to->size, bytes, size);
    writer->to->size += size;
}

static inline void write_file_head(frame_writer *writer)
{
    unsigned char head[FILE_HEAD] = {0x89, 'K', 'I', 'F', 'U', '\r', '\n', 0x1A};
    set32(head + 8, FORMAT_VERSION);
    put_bytes(writer, head, sizeof head);
}

static inline void write_frame(frame_writer *writer, uint32_t kind, const void *payload, uint32_t size)
{
    static const unsigned char zeros[8] = {0};
    unsigned char head[FRAME_HEAD] = {0};
    set32(head, size);
    set32(head + 8, kind);
    set32(head + 4, crc_of(crc_of(0, head + 8, 8), payload, size));
    writer->heads = crc_of(writer->heads, head, sizeof head);
    put_bytes(writer, head, sizeof head);
    if (size)
        put_bytes(writer, payload, size);
    put_bytes(writer, zeros, (8 - size % 8) % 8);
}

/// Where a payload has its link; -1: nowhere.
static inline int link_of(uint32_t kind)
{
    return kind == FRAME_COMMIT ? 0 : kind == FRAME_HEADER || kind == FRAME_PACKED || kind == FRAME_ROOT ? LINK : -1;
}

/// Puts the link into the payload of a frame that has one, and is the next to be written.
static inline void put_link(const frame_writer *writer, uint32_t kind, unsigned char *payload)
{
    if (link_of(kind) >= 0)
        set32(payload + link_of(kind), kind == FRAME_HEADER && !writer->heads ? CHAINED : writer->heads);
}

#endif
