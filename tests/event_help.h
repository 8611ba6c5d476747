/// The events of a log, compared byte by byte.
#ifndef TESTS_EVENT_HELP_H
#define TESTS_EVENT_HELP_H

#include <string.h>

#include <kifu/kifu.h>

#include "suite.h"

/// Event `index` by itself, wherever it lies in the log. To be freed; empty where that fails.
static inline kifu_buffer bytes_of_event(kifu_timeline *timeline, uint32_t index)
{
    kifu_buffer buffer = {0};
    if (kifu_event_bytes(timeline, index, &buffer))
        buffer.size = 0;
    return buffer;
}

/// How many bytes event `index` has by itself, with what it refers to: from its table on (schema/FORMAT.md,
/// "Segments").
static inline uint32_t size_of_event(kifu_timeline *timeline, uint32_t index)
{
    enum { AT = 52 }; // where its offset is
    kifu_buffer buffer = bytes_of_event(timeline, index);
    uint32_t offset;
    ck_assert_uint_gt(buffer.size, AT);
    memcpy(&offset, (const unsigned char *)buffer.data + AT, sizeof offset);
    const uint32_t size = buffer.size - AT - offset;
    kifu_free_buffer(&buffer);
    return size;
}

static inline bool are_same_buffers(const kifu_buffer *a, const kifu_buffer *b)
{
    return a->size && a->size == b->size && !memcmp(a->data, b->data, a->size);
}

/// Whether event `index` is the same in both: who, why, and all of its bytes.
static inline bool is_same_event(kifu_timeline *one, kifu_timeline *other, uint32_t index)
{
    kifu_event a, b;
    if (!kifu_event_at(one, index, &a) || !kifu_event_at(other, index, &b))
        return false;
    kifu_buffer first = bytes_of_event(one, index), second = bytes_of_event(other, index);
    const bool same = a.type == b.type && a.player == b.player && a.cause == b.cause && a.flags == b.flags &&
                      a.rules_version == b.rules_version && are_same_buffers(&first, &second);
    kifu_free_buffer(&first);
    kifu_free_buffer(&second);
    return same;
}

/// The same log, to the byte, and the same state.
static inline void expect_same_log(kifu_timeline *one, kifu_timeline *other)
{
    ck_assert_uint_eq(kifu_event_count(one), kifu_event_count(other));
    ck_assert_uint_eq(kifu_first_event(one), kifu_first_event(other));
    for (uint32_t i = kifu_first_event(one); i < kifu_event_count(one); i++)
        ck_assert_msg(is_same_event(one, other, i), "event %u differs", (unsigned)i);
    ck_assert(kifu_state_hash(one) == kifu_state_hash(other));
}

#endif
