/// A queue of proposals: mutable events in wire form, one behind the other in one growing block.
///
/// It remembers where the last look led to: a walk over what waits, or a change of each event right after its submit,
/// takes one step each time. An index of all that waits would cost every submit, and most queues are short.
///
/// A transaction holds a queue, and does not copy it: what waits when it begins stays where it lies, even if it runs,
/// and new proposals go behind it. A roll-back sets four numbers back. A check gets a copy of a held proposal, because
/// it may change it; other changes move what waits behind what is held. So a transaction costs what happens in it,
/// however much waits. An undo copies, because what waits is kept by its place until the game comes there again; most
/// often nothing waits.
#ifndef KIFU_SRC_QUEUE_H
#define KIFU_SRC_QUEUE_H

#include <kifu/detail/rules.h>

#include "base/memory.h"

/// A proposal's head; its blob follows (see `kifu__proposal_blob`).
typedef struct kifu__proposal {
    uint32_t size;  ///< Of the blob.
    uint32_t cause; ///< Number of the event that submitted it, or KIFU_NONE.
    kifu_ticket ticket;
    uint8_t type;
    int8_t player;
    uint8_t flags;
    bool overridden : 1; ///< `flags` are not its type's, but those of `kifu_override`.
    bool whole : 1; ///< The library has built it, of a type that no game checks or hooks: it holds, and no field is
                    ///< absent.
} kifu__proposal;

/// In the `flags` of an action that is set: it has begun and goes on. Of other proposals, the bit says nothing.
enum { KIFU__GOES_ON = KIFU_RANDOM };

/// Zeroed, it is empty and owns nothing.
typedef struct kifu__queue {
    unsigned char *bytes;
    uint32_t head; ///< Where the first proposal starts.
    uint32_t tail; ///< Where the next one will start.
    uint32_t capacity;
    uint32_t count;
    uint32_t found_at; ///< Where the proposal is that was looked for last, so that the next one is near; 0: nowhere.
    uint32_t found;    ///< Its number, from the first.
    uint32_t base;     ///< What lies before this place stays there, as it is: see kifu__queue_hold and search/search.h.
    uint32_t recorded; ///< For log files: what lies in front of this is in the file, as it is.
} kifu__queue;

void kifu__queue_free(kifu__queue *queue, const kifu__memory *memory);

/// As `kifu__queue_room`, where the block has to move or grow.
unsigned char *kifu__queue_grow(kifu__queue *queue, const kifu__memory *memory, uint32_t offset, uint32_t size);

/// Whether there is room for `size` bytes behind the tail, without moving anything.
static inline bool kifu__queue_fits(const kifu__queue *queue, uint32_t size)
{
    return (uint64_t)queue->tail + size + 8 <= queue->capacity;
}

/// Room for `size` bytes behind the tail, counted from `offset` behind it; the tail does not move. What was written
/// behind the tail before stays. NULL without memory.
static inline unsigned char *kifu__queue_room(kifu__queue *queue, const kifu__memory *memory, uint32_t offset,
                                              uint32_t size)
{
    if ((uint64_t)queue->tail + offset + size + 8 > queue->capacity)
        return kifu__queue_grow(queue, memory, offset, size);
    return queue->bytes + queue->tail + offset;
}

/// A proposal with its head, and what keeps the next one 8-aligned.
static inline uint32_t kifu__proposal_size(uint32_t blob_size)
{
    return (uint32_t)sizeof(kifu__proposal) + ((blob_size + 7) & ~UINT32_C(7));
}

/// The proposal that was written behind the tail becomes the last one.
static inline void kifu__queue_commit(kifu__queue *queue, uint32_t blob_size)
{
    queue->tail += kifu__proposal_size(blob_size);
    queue->count++;
}

/// Appends a whole proposal; `head.size` is the blob's. False without memory.
bool kifu__queue_push(kifu__queue *queue, const kifu__memory *memory, const kifu__proposal *head, const void *blob);

/// Makes `copy`, whose memory it goes on using, hold the same proposals. False, with `copy` empty, without memory.
bool kifu__queue_copy(const kifu__queue *queue, const kifu__memory *memory, kifu__queue *copy);

/// Keeps the first `count` proposals, which are `bytes` long.
void kifu__queue_cut(kifu__queue *queue, uint32_t bytes, uint32_t count);

/// A proposal changes that waits.
static inline void kifu__queue_change(kifu__queue *queue, const kifu__proposal *proposal)
{
    if ((uintptr_t)proposal - (uintptr_t)queue->bytes < queue->recorded)
        queue->recorded = 0;
}

/// How a queue was at a moment since which it is held.
typedef struct kifu__held {
    uint32_t head, tail, count, base;
} kifu__held;

/// What waits stays where it is, as it is, even if it runs. Nothing is copied.
static inline kifu__held kifu__queue_hold(kifu__queue *queue)
{
    const kifu__held held = {.head = queue->head, .tail = queue->tail, .count = queue->count, .base = queue->base};
    queue->base = queue->tail;
    return held;
}

/// Ends this, the last hold first: what waited then waits again; or what waits now goes on waiting.
void kifu__queue_return(kifu__queue *queue, const kifu__held *held);
void kifu__queue_release(kifu__queue *queue, const kifu__held *held);

/// Makes sure that `*proposal` is not held, so that it may change: it may move. False without memory.
bool kifu__queue_own(kifu__queue *queue, const kifu__memory *memory, kifu__proposal **proposal);

/// Removes any proposal that is not held.
void kifu__queue_remove(kifu__queue *queue, kifu__proposal *proposal);

/// The one that was submitted as `ticket`, or NULL. To look for one after the other takes one step each.
kifu__proposal *kifu__queue_find(kifu__queue *queue, kifu_ticket ticket);

/// The last one, or NULL. To ask after each submit takes one step.
kifu__proposal *kifu__queue_last(kifu__queue *queue);

/// Number `index` from the first, which must be below `count`. To go on from one to the next takes one step.
kifu__proposal *kifu__queue_at(kifu__queue *queue, uint32_t index);

/// The first proposal, or NULL.
static inline kifu__proposal *kifu__queue_first(const kifu__queue *queue)
{
    return queue->count ? (kifu__proposal *)(void *)(queue->bytes + queue->head) : NULL;
}

/// The one behind `proposal`, or NULL.
kifu__proposal *kifu__queue_next(const kifu__queue *queue, const kifu__proposal *proposal);

/// Removes all that is not held.
static inline void kifu__queue_clear(kifu__queue *queue)
{
    queue->head = queue->tail = queue->base;
    queue->count = queue->recorded = 0;
    queue->found_at = queue->found = 0;
}

/// Removes the first proposal; its bytes stay readable until the next push.
static inline void kifu__queue_pop(kifu__queue *queue)
{
    const kifu__proposal *first = (const kifu__proposal *)(const void *)(queue->bytes + queue->head);
    queue->head += kifu__proposal_size(first->size);
    queue->found_at = queue->found = 0;
    if (--queue->count == 0) {
        queue->head = queue->tail = queue->base;
        queue->recorded = 0;
    }
}

static inline void *kifu__proposal_blob(kifu__proposal *proposal)
{
    return proposal + 1;
}

#endif
