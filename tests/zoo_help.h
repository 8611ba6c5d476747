/// What the suites about listeners of elements share: the zoo (games/zoo), and a mirror of its arrays that listeners
/// alone keep.
#ifndef ZOO_HELP_H
#define ZOO_HELP_H

#include "history_help.h"
#include "zoo.h"

/// One array of the zoo, as a listener of its elements knows it.
typedef struct zoo_shelf {
    uint32_t offset, stride, count;
    bool pool;
    kifu_handle handles[257]; ///< Of a pool: the entities that are there.
    unsigned char bytes[4000];
} zoo_shelf;

enum { ZOO_SHELVES = 7 };

/// How often something came, went and changed, in all mirrors.
static unsigned long zoo_calls[3];

typedef struct zoo_mirror {
    zoo_shelf shelves[ZOO_SHELVES];
} zoo_mirror;

#define ZOO_SHELF(member, is_pool)                                                                                     \
    {                                                                                                                  \
        .offset = offsetof(zoo_state, member), .stride = sizeof *((zoo_state *)0)->member,                             \
        .count = sizeof((zoo_state *)0)->member / sizeof *((zoo_state *)0)->member, .pool = is_pool                    \
    }

static inline void zoo_must_be_a_change(const kifu_element_change *change, uint32_t stride)
{
    must_be(memcmp(change->before, change->after, stride) != 0);
    // The fields that are named are those that differ, in their order.
    uint32_t next = 0;
    const char *name = change->structure ? kifu_changed_field(change, &next) : NULL;
    must_be(!change->structure || name);
    for (uint32_t i = 0; change->structure && i < change->structure->member_count; i++) {
        const kifu__member *member = &change->structure->members[i];
        const uint32_t size = member->size * (member->count ? member->count : 1);
        if (!memcmp((const char *)change->before + member->offset, (const char *)change->after + member->offset, size))
            continue;
        must_be(name == member->name);
        name = kifu_changed_field(change, &next);
    }
    must_be(!name);
}

static inline void zoo_follow(void *context, kifu_timeline *timeline, const void *state,
                              const kifu_element_change *change)
{
    zoo_shelf *shelf = (zoo_shelf *)context;
    must_be(state == kifu_state(timeline));
    must_be(change->offset == shelf->offset);
    must_be(change->index < shelf->count);
    unsigned char *mine = shelf->bytes + (size_t)change->index * shelf->stride;
    const unsigned char *now = (const unsigned char *)state + shelf->offset + (size_t)change->index * shelf->stride;
    if (!change->before) {
        must_be(shelf->pool && change->handle && !shelf->handles[change->index]);
        zoo_calls[0]++;
    } else {
        must_be(shelf->handles[change->index] == change->handle);
        must_be(!memcmp(mine, change->before, shelf->stride));
    }
    if (!change->after) {
        must_be(shelf->pool && change->handle);
        zoo_calls[1]++;
    }
    if (change->before && change->after) {
        zoo_must_be_a_change(change, shelf->stride);
        zoo_calls[2]++;
    }
    if (change->after) {
        must_be(change->after == now);
        memcpy(mine, change->after, shelf->stride);
    }
    shelf->handles[change->index] = change->after ? change->handle : KIFU_NO_HANDLE;
}

/// Adds the listeners of an empty mirror to a timeline on which nothing has happened yet.
static inline kifu_result zoo_reflect(zoo_mirror *mirror, kifu_timeline *timeline)
{
    static const zoo_shelf shelves[ZOO_SHELVES] = {
        ZOO_SHELF(cards, true),  ZOO_SHELF(beasts, true),   ZOO_SHELF(heaps, false),         ZOO_SHELF(spots, false),
        ZOO_SHELF(cages, false), ZOO_SHELF(letters, false), ZOO_SHELF(cages[2].spots, false)};
    kifu_result result = KIFU_OK;
    memset(mirror, 0, sizeof *mirror);
    for (uint32_t i = 0; i < ZOO_SHELVES && !result; i++) {
        zoo_shelf *shelf = &mirror->shelves[i];
        *shelf = shelves[i];
        result = kifu_observe(timeline, &(kifu_observer){.listen_each = zoo_follow,
                                                         .offset = shelf->offset,
                                                         .size = shelf->stride * shelf->count,
                                                         .context = shelf});
    }
    return result;
}

static inline void zoo_must_reflect(const zoo_mirror *mirror, const kifu_timeline *timeline)
{
    for (uint32_t i = 0; i < ZOO_SHELVES; i++) {
        const zoo_shelf *shelf = &mirror->shelves[i];
        const unsigned char *there = (const unsigned char *)kifu_state(timeline) + shelf->offset;
        for (uint32_t index = 0; index < shelf->count; index++, there += shelf->stride) {
            const uint16_t generation = *(const uint16_t *)(const void *)there;
            const bool live = !shelf->pool || generation & 1;
            if (shelf->pool)
                must_be(shelf->handles[index] == (live ? index | (kifu_handle)generation << 16 : KIFU_NO_HANDLE));
            must_be(!live || !memcmp(there, shelf->bytes + (size_t)index * shelf->stride, shelf->stride));
        }
    }
}

/// Submits a script and runs it: "t3=1 C b12" (do.c).
static inline kifu_result zoo_play(kifu_timeline *timeline, const char *script)
{
    uint8_t bytes[400];
    uint32_t size = 0;
    while (*script) {
        char what;
        unsigned where = 0, number = 0;
        int used = 0;
        ck_assert_int_ge(sscanf(script, " %c%n", &what, &used), 1);
        script += used;
        if (sscanf(script, "%u%n", &where, &used) >= 1)
            script += used;
        if (sscanf(script, "=%u%n", &number, &used) >= 1)
            script += used;
        ck_assert_uint_le(size + 4, sizeof bytes);
        bytes[size++] = (uint8_t)what;
        bytes[size++] = (uint8_t)where;
        bytes[size++] = (uint8_t)number;
        bytes[size++] = (uint8_t)(number >> 8);
        while (*script == ' ')
            script++;
    }
    zoo_submit_p_do(timeline, 0, bytes, size);
    return kifu_run(timeline);
}

#endif
