/// Thousands of lines: from many places, from one, and each from the one before it.
#ifndef TESTS_MANY_LINES_HELP_H
#define TESTS_MANY_LINES_HELP_H

#include "history_help.h"
#include "suite.h"
#include "tally.h"

enum { MANY = 400 };

static inline kifu_timeline *new_tally(test_memory *memory)
{
    kifu_options options = {.keep_variations = kifu_keep_variations, .quiet = true};
    kifu_timeline *timeline;
    if (memory) {
        *memory = (test_memory){.until_failure = -1};
        options.allocate = test_allocate;
        options.allocate_context = memory;
    }
    must_be(!kifu_create(&tally_rules, &options, &timeline, NULL));
    return timeline;
}

static inline void play(kifu_timeline *timeline, uint32_t amount)
{
    tally_submit_p_add(timeline, 0, (int32_t)amount + 1, NULL);
    must(timeline, kifu_run(timeline));
}

static inline void play_many(kifu_timeline *timeline, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        play(timeline, i);
}

// Amounts that were not played at this place.
static inline uint32_t other(uint32_t i)
{
    return 1000000 + i;
}

// Each from another place of line 0.
static inline void fan_out(kifu_timeline *timeline, uint32_t count)
{
    play_many(timeline, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        must(timeline, kifu_go_to(timeline, 0, i, false));
        play(timeline, other(i));
    }
    must_be(kifu_line_count(timeline) == count + 1);
}

// Each from the one before it.
static inline void nest(kifu_timeline *timeline, uint32_t count)
{
    play(timeline, 0);
    for (uint32_t i = 1; i <= count; i++) {
        play(timeline, i);
        must(timeline, kifu_undo(timeline));
        play(timeline, other(i));
    }
    must_be(kifu_line_count(timeline) == count + 1);
}

// All from one place.
static inline void fan_out_here(kifu_timeline *timeline, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        play(timeline, other(i));
        must(timeline, kifu_undo(timeline));
    }
}

#endif
