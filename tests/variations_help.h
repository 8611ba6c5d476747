/// Games of tally with variations, each event an amount and perhaps a note.
#ifndef TESTS_VARIATIONS_HELP_H
#define TESTS_VARIATIONS_HELP_H

#include "history_help.h"
#include "tally.h"

/// `given` may be NULL.
static inline kifu_timeline *new_tally(const kifu_options *given)
{
    kifu_timeline *timeline;
    kifu_error error;
    kifu_options options = given ? *given : (kifu_options){.hash_interval = 3};
    options.keep_variations = kifu_keep_variations;
    ck_assert_msg(!kifu_create(&tally_rules, &options, &timeline, &error), "%s", error.message);
    return timeline;
}

static inline void play(kifu_timeline *timeline, int amount, const char *note)
{
    tally_submit_p_add(timeline, 0, amount, note);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
}

static inline int64_t total(const kifu_timeline *timeline)
{
    return tally_get_state(timeline)->total;
}

#endif
