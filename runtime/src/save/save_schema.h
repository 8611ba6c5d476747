/// How to write and read the payloads of schema/save.fbs.
#ifndef KIFU_SRC_SAVE_SCHEMA_H
#define KIFU_SRC_SAVE_SCHEMA_H

#include "save/save_tables.h"
#include "wire/table.h"

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
