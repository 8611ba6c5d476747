/// What the suites that play the faulty game (games/faulty) share.
#ifndef FAULTY_HELP_H
#define FAULTY_HELP_H

#include <string.h>

#include <kifu/kifu.h>

#include "checks.h"
#include "seeded.h"
#include "world.h"

/// A timeline, or the test fails.
static inline kifu_timeline *faulty_new(const kifu_options *options)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(kifu_create(&faulty_rules, options, &timeline, &error) == KIFU_OK, "%s", error.message);
    return timeline;
}

static inline void faulty_must(kifu_timeline *timeline, kifu_result result)
{
    ck_assert_msg(result == KIFU_OK, "%s", kifu_last_error(timeline)->message);
}

/// Submits a PAdd and runs.
static inline void faulty_play(kifu_timeline *timeline, int amount)
{
    faulty_submit_p_add(timeline, 0, amount);
    faulty_must(timeline, kifu_run(timeline));
}

/// A game of three events: EInitialize, and two players' PAdd.
static inline kifu_timeline *faulty_begin(const kifu_options *options)
{
    kifu_timeline *timeline = faulty_new(options);
    faulty_submit_e_initialize(timeline, SEEDED(7));
    faulty_play(timeline, 5);
    faulty_play(timeline, 7);
    return timeline;
}

/// What nobody may do.
static inline faulty_state *faulty_writable(const void *state)
{
    return (faulty_state *)(uintptr_t)state;
}

static inline void faulty_says(const char *message, const char *part)
{
    ck_assert_msg(strstr(message, part) != NULL, "\"%s\" does not say \"%s\"", message, part);
}

#endif
