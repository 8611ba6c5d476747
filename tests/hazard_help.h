/// What the suites of the test game hazard share.
#ifndef HAZARD_HELP_H
#define HAZARD_HELP_H

#include <string.h>

#include "checks.h"
#include "hazard.h"
#include "hazard_hooks.h"

static inline void must(const kifu_timeline *timeline, kifu_result result)
{
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
}

#define ck_assert_text(timeline, text)                                                                                 \
    ck_assert_msg(strstr(kifu_last_error(timeline)->message, text), "%s", kifu_last_error(timeline)->message)

static inline kifu_timeline *hazard_new(uint64_t seed, const kifu_options *options)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_create(&hazard_rules, options, &timeline, &error), "%s", error.message);
    must(timeline, hazard_begin(timeline, seed));
    return timeline;
}

static inline int current(const kifu_timeline *timeline)
{
    return kifu_current_player(kifu_get_game(timeline));
}

static inline uint32_t count_moves(const kifu_moves *moves, uint32_t type)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < moves->count; i++)
        count += moves->items[i].type == type;
    return count;
}

#endif
