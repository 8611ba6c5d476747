/// Games of tally with variations and notes, each event an amount.
#ifndef TESTS_TALLY_HELP_H
#define TESTS_TALLY_HELP_H

#include "history_help.h"
#include "tally.h"

/// `memory` may be NULL.
static inline kifu_timeline *new_tally(test_memory *memory)
{
    kifu_timeline *timeline;
    const kifu_options options = {
        .keep_variations = kifu_keep_variations,
        .keep_notes = kifu_keep_notes,
        .allocate = memory ? test_allocate : NULL,
        .allocate_context = memory,
    };
    ck_assert_int_eq(kifu_create(&tally_rules, &options, &timeline, NULL), KIFU_OK);
    return timeline;
}

static inline void play(kifu_timeline *timeline, int amount)
{
    tally_submit_p_add(timeline, 0, amount, NULL);
    must(timeline, kifu_run(timeline));
}

#endif
