/// What the suites about history share: memory that is counted and can fail, saves loaded again, and a view that keeps
/// a copy of the state by listening alone.
#ifndef HISTORY_HELP_H
#define HISTORY_HELP_H

#include <kifu/kifu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

/// The last error of `timeline` says `part` somewhere.
#define must_say(timeline, part)                                                                                       \
    ck_assert_msg(strstr(kifu_last_error(timeline)->message, (part)) != NULL, "'%s' is not in '%s'", (part),           \
                  kifu_last_error(timeline)->message)

/// As ck_assert, which writes a line to a file each time: for what is asked often.
#define must_be(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg("not so: %s", #condition);                                                                    \
    } while (0)

/// KIFU_OK, or the test fails with the message.
#define must(timeline, call)                                                                                           \
    do {                                                                                                               \
        kifu_result must_ = (call);                                                                                    \
        if (must_ != KIFU_OK)                                                                                          \
            ck_abort_msg("%s: %s: %s", #call, kifu_result_text(must_), kifu_last_error(timeline)->message);            \
    } while (0)

/// KIFU_MISUSE, told in a sentence.
#define must_refuse(timeline, call)                                                                                    \
    do {                                                                                                               \
        ck_assert_int_eq((call), KIFU_MISUSE);                                                                         \
        ck_assert_int_eq(kifu_last_error(timeline)->result, KIFU_MISUSE);                                              \
        ck_assert_msg(strlen(kifu_last_error(timeline)->message) > 20, "'%s'", kifu_last_error(timeline)->message);    \
    } while (0)

// --- Memory ----------------------------------------------------------------------------------------------------------

typedef struct test_memory {
    long until_failure; ///< 0: the next call fails, once; negative: none does.
    bool for_ever;      ///< All behind it fail, too.
    bool failed;
    long calls;
    long blocks;
    size_t bytes; ///< In use.
    size_t most;  ///< Of one block.
    size_t peak;  ///< In use at once.
} test_memory;

enum { TEST_FENCE = 16 };

/// A kifu_allocate. Each block has its size in front, and a fence behind it, to which nobody may write. One that grows
/// moves, and leaves nothing where it was.
static inline void *test_allocate(void *context, void *block, size_t size)
{
    static const unsigned char fence[TEST_FENCE] = "here is the end";
    static void *(*volatile const fill)(void *, int, size_t) = memset; // also what is freed right behind it
    test_memory *memory = (test_memory *)context;
    size_t *old = block ? (size_t *)block - 2 : NULL;
    must_be(!old || !memcmp((unsigned char *)block + *old, fence, TEST_FENCE));
    if (size == 0) {
        memory->blocks -= old != NULL;
        memory->bytes -= old ? *old : 0;
        if (old)
            fill(old, 0xDD, *old + 2 * sizeof *old);
        free(old);
        return NULL;
    }
    memory->calls++;
    if (memory->until_failure == 0) {
        memory->failed = true;
        if (!memory->for_ever)
            memory->until_failure = -1;
        return NULL;
    }
    memory->until_failure -= memory->until_failure > 0;
    size_t before = old ? *old : 0;
    size_t *now = (size_t *)malloc(size + 2 * sizeof *now + TEST_FENCE);
    if (!now)
        return NULL;
    memory->blocks += !block;
    memory->bytes += size - before;
    memory->peak = memory->bytes > memory->peak ? memory->bytes : memory->peak;
    memory->most = size > memory->most ? size : memory->most;
    memset(now + 2, 0xEE, size); // what nobody has written yet
    if (old) {
        memcpy(now + 2, block, size < before ? size : before);
        fill(old, 0xDD, before + 2 * sizeof *old);
        free(old);
    }
    memcpy((unsigned char *)(now + 2) + size, fence, TEST_FENCE);
    *now = size;
    return now + 2;
}

/// A listing that has its memory from there.
#define LIST_WITH(memory)                                                                                              \
    &(kifu_list_options)                                                                                               \
    {                                                                                                                  \
        .allocate = test_allocate, .allocate_context = (memory)                                                        \
    }

// --- Undo ------------------------------------------------------------------------------------------------------------

/// What undo is refused with: whether a player has done anything.
static inline kifu_result refusal_of_undo(const kifu_timeline *timeline)
{
    kifu_event event;
    for (uint32_t i = 0; kifu_event_at(timeline, i, &event); i++) {
        const bool stops = (event.flags & (KIFU_UNDOABLE | KIFU_CONTINUE_UNDO)) == KIFU_UNDOABLE;
        if (kifu_timeline_rules(timeline)->types[event.type].is_player || stops)
            return KIFU_NOT_UNDOABLE;
    }
    return KIFU_NOTHING_TO_UNDO;
}

// --- Saves -----------------------------------------------------------------------------------------------------------

/// The timeline's save, loaded: `fast` from its snapshot.
static inline kifu_timeline *reload_fast(kifu_timeline *timeline, const kifu_options *options, bool fast)
{
    const kifu_load_options load_options = {.fast = fast};
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    kifu_error error;
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    kifu_result result =
        kifu_load_from_memory(kifu_timeline_rules(timeline), bytes, size, options, &load_options, &loaded, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    kifu_free_bytes(timeline, bytes);
    return loaded;
}

static inline kifu_timeline *reload(kifu_timeline *timeline, const kifu_options *options)
{
    return reload_fast(timeline, options, false);
}

/// A fork, or the test fails.
static inline kifu_timeline *fork_of(const kifu_timeline *timeline, uint32_t count, const kifu_options *options)
{
    kifu_timeline *fork;
    kifu_error error;
    kifu_result result = kifu_fork(timeline, count, options, &fork, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    return fork;
}

// --- A view that follows ---------------------------------------------------------------------------------------------

/// A copy of the whole state, or a part of it, that a listener keeps. It must never miss a change.
typedef struct follower {
    uint32_t offset;
    size_t size;
    unsigned char state[1024];
    unsigned calls;
} follower;

static inline void follow(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    (void)state;
    follower *view = (follower *)context;
    const unsigned char *before = (const unsigned char *)change->before, *after = (const unsigned char *)change->after;
    must_be(change->offset == view->offset);
    must_be(change->size == view->size);
    must_be(!memcmp(before, view->state, view->size));
    must_be(change->length > 0);
    must_be(change->first + change->length <= view->size);
    uint32_t end = change->first + change->length;
    must_be(!memcmp(before, after, change->first));
    must_be(!memcmp(before + end, after + end, view->size - end));
    must_be(memcmp(before, after, view->size) != 0);
    memcpy(view->state, after, view->size);
    view->calls++;
}

/// Begins to follow these bytes of the state of `timeline`.
static inline void follow_part(follower *view, kifu_timeline *timeline, uint32_t offset, uint32_t size)
{
    ck_assert_uint_le(size, sizeof view->state);
    view->offset = offset;
    view->size = size;
    view->calls = 0;
    memcpy(view->state, (const unsigned char *)kifu_state(timeline) + offset, size);
    must(timeline,
         kifu_observe(timeline, &(kifu_observer){.listen = follow, .offset = offset, .size = size, .context = view}));
}

/// The same, of the whole state.
static inline void follow_state(follower *view, kifu_timeline *timeline)
{
    follow_part(view, timeline, 0, kifu_timeline_rules(timeline)->state_size);
}

static inline void must_have_followed(const follower *view, const kifu_timeline *timeline)
{
    must_be(!memcmp(view->state, (const unsigned char *)kifu_state(timeline) + view->offset, view->size));
}

/// A line of this number, which is there.
static inline kifu_line line_of(const kifu_timeline *timeline, uint32_t id)
{
    kifu_line line;
    ck_assert(kifu_find_line(timeline, id, &line) && line.id == id);
    return line;
}

#endif
