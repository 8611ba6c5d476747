/// The payloads of schema/save.fbs: as C structs, and how to write and read them.
#ifndef KIFU_SRC_SAVE_SCHEMA_H
#define KIFU_SRC_SAVE_SCHEMA_H

#include <kifu/event.h>

#include "wire/table.h"

typedef struct kifu__save_header {
    int32_t vtable_;
    kifu_ref game;
    uint64_t fingerprint;
    int64_t saved_at;
    kifu_ref union_name;
    uint32_t rules_version;
    uint32_t event_count;
    kifu_ref title;
    kifu_ref players;
    kifu_ref thumbnail;
    kifu_ref schema;
    uint8_t padding_[4];
} kifu__save_header;

typedef struct kifu__save_snapshot {
    int32_t vtable_;
    uint32_t event_count;
    uint64_t hash;
    kifu_ref state;
    uint8_t padding_[4];
} kifu__save_snapshot;

typedef struct kifu__save_rewind {
    int32_t vtable_;
    uint32_t count;
} kifu__save_rewind;

typedef struct kifu__save_end {
    int32_t vtable_;
} kifu__save_end;

/// A struct, not a table: an element of the next one's vector.
typedef struct kifu__save_checkpoint {
    uint64_t hash;
    uint32_t event_count;
    uint8_t padding_[4];
} kifu__save_checkpoint;

typedef struct kifu__save_checkpoints {
    int32_t vtable_;
    kifu_ref checkpoints;
} kifu__save_checkpoints;

/// A struct: an element of the next one's `parts`.
typedef struct kifu__save_part {
    uint32_t size;
    uint32_t packed_size;
} kifu__save_part;

typedef struct kifu__save_packed {
    int32_t vtable_;
    uint32_t kind;
    uint32_t size;
    kifu_ref codec;
    kifu_ref parts;
    kifu_ref bytes;
} kifu__save_packed;

typedef struct kifu__save_proposals {
    int32_t vtable_;
    kifu_ref part;
    kifu_ref keys;
    kifu_ref events;
} kifu__save_proposals;

extern const kifu__table kifu__save_header_table;
extern const kifu__table kifu__save_snapshot_table;
extern const kifu__table kifu__save_rewind_table;
extern const kifu__table kifu__save_end_table;
extern const kifu__table kifu__save_checkpoints_table;
extern const kifu__table kifu__save_packed_table;
extern const kifu__table kifu__save_proposals_table;

/// A payload that is being written: begin, add what the references lead to, end. A failure on the way shows at the end.
typedef struct kifu__payload {
    const kifu__memory *memory;
    const kifu__table *table;
    unsigned char *bytes; ///< The caller's from a successful end on.
    uint32_t size;
    uint32_t capacity;
    uint32_t start; ///< Where the table is.
    kifu_result result;
} kifu__payload;

/// `fields`: the table's struct.
void kifu__payload_begin(kifu__payload *payload, const kifu__memory *memory, const kifu__table *table,
                         const void *fields);

/// Adds what the reference at `ref` of the struct leads to. NULL leaves it absent.
void kifu__payload_string(kifu__payload *payload, size_t ref, const char *text);
void kifu__payload_bytes(kifu__payload *payload, size_t ref, const void *bytes, uint32_t size);

/// Adds a vector of `count` structs of `size` bytes, as zeros; the caller fills them in before anything else is added.
/// NULL after a failure. A vector of bytes is one, too.
void *kifu__payload_structs(kifu__payload *payload, size_t ref, uint32_t count, uint32_t size);
void kifu__payload_strings(kifu__payload *payload, size_t ref, const char *const *texts, uint32_t count);

/// KIFU_NO_MEMORY; KIFU_TOO_LARGE: more than 1 GiB. On failure there are no bytes.
kifu_result kifu__payload_end(kifu__payload *payload);

/// Verifies a payload. `*fields` is its table's struct: in place, or where another version of Kifu wrote it, rebuilt in
/// `room`, whose bytes the caller frees in any case.
kifu_result kifu__payload_read(const kifu__buffer *buffer, const kifu__table *table, kifu__blob *room,
                               const void **fields);

#endif
