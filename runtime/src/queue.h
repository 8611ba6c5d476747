/// A queue of proposals: mutable events in wire form, one behind the other in one growing block.
#ifndef KIFU_SRC_QUEUE_H
#define KIFU_SRC_QUEUE_H

#include <kifu/rules.h>

#include "memory.h"

/// A proposal's head; its blob follows (see `kifu__proposal_blob`).
typedef struct kifu__proposal {
    uint32_t size;  ///< Of the blob.
    uint32_t cause; ///< Number of the event that submitted it, or KIFU_NONE.
    kifu_ticket ticket;
    uint8_t type;
    int8_t player;
    uint8_t flags;
    uint8_t unused;
} kifu__proposal;

/// Zeroed, it is empty and owns nothing.
typedef struct kifu__queue {
    unsigned char *bytes;
    uint32_t head; ///< Where the first proposal starts.
    uint32_t tail; ///< Where the next one will start.
    uint32_t capacity;
    uint32_t count;
} kifu__queue;

void kifu__queue_free(kifu__queue *queue, const kifu__memory *memory);

/// Room for `size` bytes behind the tail, counted from `offset` behind it; the tail does not move. What was written
/// behind the tail before stays. NULL without memory.
unsigned char *kifu__queue_room(kifu__queue *queue, const kifu__memory *memory, uint32_t offset, uint32_t size);

/// The proposal that was written behind the tail becomes the last one.
void kifu__queue_commit(kifu__queue *queue, uint32_t blob_size);

/// Appends a whole proposal; `head.size` is the blob's. False without memory.
bool kifu__queue_push(kifu__queue *queue, const kifu__memory *memory, const kifu__proposal *head, const void *blob);

/// Removes the first proposal; its bytes stay readable until the next push.
void kifu__queue_pop(kifu__queue *queue);

/// Keeps the first `count` proposals, the last of which ends at `tail`.
void kifu__queue_cut(kifu__queue *queue, uint32_t tail, uint32_t count);

/// The first proposal, or NULL; the one behind `proposal`, or NULL.
kifu__proposal *kifu__queue_first(const kifu__queue *queue);
kifu__proposal *kifu__queue_next(const kifu__queue *queue, const kifu__proposal *proposal);

static inline void *kifu__proposal_blob(kifu__proposal *proposal)
{
    return proposal + 1;
}

#endif
