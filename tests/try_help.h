/// What the suites of tries share (kifu/search.h): tries of Reversi and of the lab's scripts, and memory that ends.
#ifndef TRY_HELP_H
#define TRY_HELP_H

#include "reversi_help.h"

#include <stdlib.h>

#include "fixed_time.h"
#include "lab_help.h"
#include "suite.h"

static inline kifu_result try_place(kifu_timeline *timeline, int player, int square)
{
    return reversi_try_p_place(timeline, player, &(reversi_p_place_args){.square = (uint8_t)square, .seconds = -1});
}

static inline bool can_place(kifu_timeline *timeline, int player, int square)
{
    return reversi_can_p_place(timeline, player, &(reversi_p_place_args){.square = (uint8_t)square, .seconds = -1});
}

static inline kifu_timeline *fork_of(const kifu_timeline *timeline)
{
    kifu_timeline *fork;
    ck_assert_int_eq(kifu_fork(timeline, KIFU_PRESENT, NULL, &fork, NULL), KIFU_OK);
    return fork;
}

/// As a save has it.
static inline void must_be_same(kifu_timeline *one, kifu_timeline *other)
{
    unsigned char *bytes[2];
    size_t sizes[2];
    must(one, save_to_memory_at(one, NULL, 1, &bytes[0], &sizes[0]));
    must(other, save_to_memory_at(other, NULL, 1, &bytes[1], &sizes[1]));
    ck_assert_uint_eq(sizes[0], sizes[1]);
    ck_assert_mem_eq(bytes[0], bytes[1], sizes[0]);
    kifu_free_bytes(one, bytes[0]);
    kifu_free_bytes(other, bytes[1]);
    same_game(one, other);
}

/// Memory that ends.
typedef struct larder {
    bool starving;
    unsigned meals;
    long blocks;
} larder;

static inline void *eat(void *context, void *block, size_t size)
{
    larder *larder = context;
    if (!size) {
        larder->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (larder->starving && !larder->meals)
        return NULL;
    larder->meals -= larder->starving;
    larder->blocks += !block;
    return realloc(block, size);
}

static inline kifu_options eating(larder *larder)
{
    return (kifu_options){.allocate = eat, .allocate_context = larder, .max_consequences = 50};
}

static inline kifu_timeline *lab_with(larder *larder)
{
    const kifu_options options = eating(larder);
    kifu_timeline *lab = lab_started(&options);
    lab_must(lab, lab_play(lab, "+1(2)"));
    lab_must(lab, lab_play(lab, "3"));
    return lab;
}

/// A PDo as it would be submitted, with what it refers to.
static inline kifu_result try_built(kifu_timeline *lab, const char *script, bool trusted)
{
    const uint32_t length = (uint32_t)strlen(script), size = (uint32_t)sizeof(lab_p_do) + (length + 8) / 4 * 4;
    unsigned char *built = (unsigned char *)calloc(size, 1), *text = built + sizeof(lab_p_do);
    ck_assert_ptr_nonnull(built);
    const lab_p_do table = {.script = {sizeof table - offsetof(lab_p_do, script)}, .times = 1};
    memcpy(built, &table, sizeof table);
    memcpy(text, &length, 4);
    memcpy(text + 4, script, length);
    const kifu_result result = kifu__try(lab, LAB_P_DO, 0, built, size, trusted);
    free(built);
    return result;
}

static inline kifu_result try_script(kifu_timeline *lab, const char *script, int way)
{
    return way ? try_built(lab, script, way == 2)
               : lab_try_p_do(lab, 0, &(lab_p_do_args){.script = script, .times = 1});
}

static inline kifu_result react_to_nothing(void *context, kifu_timeline *lab, const void *state,
                                           const kifu_event *event)
{
    (void)context, (void)lab, (void)state, (void)event;
    return KIFU_OK;
}

#endif
