#include "core/queue.h"

#include <string.h>

_Static_assert(sizeof(kifu__proposal) % 8 == 0, "blobs must stay 8-aligned");

void kifu__queue_free(kifu__queue *queue, const kifu__memory *memory)
{
    kifu__free(memory, queue->bytes);
    *queue = (kifu__queue){0};
}

unsigned char *kifu__queue_grow(kifu__queue *queue, const kifu__memory *memory, uint32_t offset, uint32_t size)
{
    uint64_t needed = (uint64_t)queue->tail + offset + size + 8;
    const uint32_t unused = queue->head > queue->base ? queue->head - queue->base : 0;
    if (unused >= needed / 2) {
        memmove(queue->bytes + queue->base, queue->bytes + queue->head, queue->tail + offset - queue->head);
        needed -= unused;
        queue->tail -= unused;
        queue->head = queue->base;
        queue->found_at = queue->found = 0;
        queue->recorded = queue->recorded > unused ? queue->recorded - unused : 0;
    }
    unsigned char *grown =
        (unsigned char *)kifu__grow(memory, queue->bytes, &queue->capacity, needed < 1024 ? 1024 : needed, 1);
    if (!grown)
        return NULL;
    queue->bytes = grown;
    return queue->bytes + queue->tail + offset;
}

void kifu__queue_cut(kifu__queue *queue, uint32_t bytes, uint32_t count)
{
    queue->tail = queue->head + bytes;
    queue->count = count;
    queue->found_at = queue->found = 0;
    if (count == 0)
        queue->head = queue->tail = queue->base;
    if (count == 0 || queue->recorded > queue->tail)
        queue->recorded = 0;
}

void kifu__queue_return(kifu__queue *queue, const kifu__held *held)
{
    queue->head = held->head;
    queue->tail = held->tail;
    queue->count = held->count;
    queue->base = held->base;
    queue->found_at = queue->found = 0;
    // Of what was held, as much is in a log file as before.
    if (!queue->count) // A cut of the log has dropped what was held.
        kifu__queue_cut(queue, 0, 0);
}

void kifu__queue_release(kifu__queue *queue, const kifu__held *held)
{
    queue->base = held->base;
    if (!queue->count)
        kifu__queue_cut(queue, 0, 0);
}

bool kifu__queue_own(kifu__queue *queue, const kifu__memory *memory, kifu__proposal **proposal)
{
    const uint32_t at = (uint32_t)((unsigned char *)*proposal - queue->bytes), size = queue->tail - queue->head;
    if (at >= queue->base)
        return true;
    unsigned char *room = kifu__queue_room(queue, memory, 0, size);
    if (!room)
        return false;
    memcpy(room, queue->bytes + queue->head, size);
    *proposal = (kifu__proposal *)(void *)(room + (at - queue->head));
    queue->head = queue->tail;
    queue->tail += size;
    return true;
}

bool kifu__queue_push(kifu__queue *queue, const kifu__memory *memory, const kifu__proposal *head, const void *blob)
{
    if (head->size > UINT32_MAX / 2)
        return false;
    unsigned char *room = kifu__queue_room(queue, memory, 0, kifu__proposal_size(head->size));
    if (!room)
        return false;
    memcpy(room, head, sizeof *head);
    memcpy(room + sizeof *head, blob, head->size);
    kifu__queue_commit(queue, head->size);
    return true;
}

bool kifu__queue_copy(const kifu__queue *queue, const kifu__memory *memory, kifu__queue *copy)
{
    kifu__queue_cut(copy, 0, 0);
    if (!queue->count)
        return true;
    uint32_t size = queue->tail - queue->head;
    unsigned char *room = kifu__queue_room(copy, memory, 0, size);
    if (!room)
        return false;
    memcpy(room, queue->bytes + queue->head, size);
    copy->tail += size;
    copy->count = queue->count;
    return true;
}

kifu__proposal *kifu__queue_next(const kifu__queue *queue, const kifu__proposal *proposal)
{
    uint32_t end = (uint32_t)((const unsigned char *)proposal - queue->bytes) + kifu__proposal_size(proposal->size);
    return end < queue->tail ? (kifu__proposal *)(void *)(queue->bytes + end) : NULL;
}

void kifu__queue_remove(kifu__queue *queue, kifu__proposal *proposal)
{
    uint32_t size = kifu__proposal_size(proposal->size);
    unsigned char *at = (unsigned char *)proposal;
    kifu__queue_change(queue, proposal);
    memmove(at, at + size, (size_t)(queue->bytes + queue->tail - at) - size);
    queue->tail -= size;
    queue->count--;
    queue->found_at = queue->found = 0;
}

// The proposal that was found last, or the first.
static kifu__proposal *last_found(kifu__queue *queue)
{
    if (queue->found_at <= queue->head) {
        queue->found_at = queue->head;
        queue->found = 0;
    }
    return queue->count ? (kifu__proposal *)(void *)(queue->bytes + queue->found_at) : NULL;
}

static kifu__proposal *remember_number(kifu__queue *queue, kifu__proposal *proposal, uint32_t number)
{
    queue->found_at = (uint32_t)((unsigned char *)proposal - queue->bytes);
    queue->found = number;
    return proposal;
}

kifu__proposal *kifu__queue_find(kifu__queue *queue, kifu_ticket ticket)
{
    kifu__proposal *const from = last_found(queue), *proposal = from;
    uint32_t number = queue->found;
    for (; proposal && proposal->ticket != ticket; proposal = kifu__queue_next(queue, proposal))
        number++;
    if (proposal)
        return remember_number(queue, proposal, number);
    proposal = kifu__queue_first(queue);
    for (number = 0; proposal != from && proposal->ticket != ticket; proposal = kifu__queue_next(queue, proposal))
        number++;
    return proposal != from ? remember_number(queue, proposal, number) : NULL;
}

kifu__proposal *kifu__queue_last(kifu__queue *queue)
{
    kifu__proposal *last = last_found(queue);
    if (!last)
        return NULL;
    const unsigned char *const end = queue->bytes + queue->tail;
    for (unsigned char *at = (unsigned char *)last; at < end; at += kifu__proposal_size(last->size))
        last = (kifu__proposal *)(void *)at;
    return remember_number(queue, last, queue->count - 1);
}

kifu__proposal *kifu__queue_at(kifu__queue *queue, uint32_t index)
{
    kifu__proposal *proposal = last_found(queue);
    uint32_t number = queue->found;
    if (index < number) {
        proposal = kifu__queue_first(queue);
        number = 0;
    }
    for (; number < index; number++)
        proposal = kifu__queue_next(queue, proposal);
    return remember_number(queue, proposal, index);
}
