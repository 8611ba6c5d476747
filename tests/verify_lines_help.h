/// What the suites of kifu_verify_replay with variations share: games with one fault, and how often events are
/// executed.
#ifndef TESTS_VERIFY_LINES_HELP_H
#define TESTS_VERIFY_LINES_HELP_H

#include "faulty_help.h"
#include "history_help.h"
#include "suite.h"

static int bonus; // of EUserData, which takes it from kifu_options.user

static unsigned long executed;

static inline kifu_result count_and_replay(kifu_timeline *timeline, const kifu__run *run, const void *state,
                                           void *transient, uint32_t *done)
{
    executed += run->count;
    const kifu_result result = faulty_rules.replay(timeline, run, state, transient, done);
    const uint32_t count = kifu_event_count(timeline);
    kifu_event before;
    if (count > kifu_first_event(timeline)) // The last Do function may look at the events before its own.
        must_be(kifu_event_at(timeline, count - 1, &before) && before.index == count - 1);
    return result;
}

static inline kifu_timeline *begin(uint32_t hash_interval, test_memory *memory)
{
    static kifu_rules counting;
    counting = faulty_rules;
    counting.replay = count_and_replay;
    const kifu_options options = {
        .keep_variations = kifu_keep_variations,
        .hash_interval = hash_interval,
        .keyframe_bytes = 1,
        .user = &bonus,
        .seed = 5,
        .allocate = memory ? test_allocate : NULL,
        .allocate_context = memory,
    };
    kifu_timeline *timeline;
    faulty_forget();
    bonus = 0;
    ck_assert_int_eq(kifu_create(&counting, &options, &timeline, NULL), KIFU_OK);
    faulty_submit_e_initialize(timeline, SEEDED(7));
    must(timeline, kifu_run(timeline));
    return timeline;
}

static inline void play_amount(kifu_timeline *timeline, int amount)
{
    faulty_submit_p_add(timeline, 0, amount);
    must(timeline, kifu_run(timeline));
}

static inline void play_fault(kifu_timeline *timeline)
{
    faulty_submit_e_user_data(timeline);
    must(timeline, kifu_run(timeline));
}

static inline unsigned long event_count(const kifu_timeline *timeline)
{
    kifu_line line;
    unsigned long count = 0;
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++)
        count += line.count;
    return count;
}

static inline void must_agree(kifu_timeline *timeline)
{
    kifu_difference difference;
    must(timeline, kifu_verify_replay(timeline, &difference));
    ck_assert_uint_eq(difference.event, KIFU_NONE);
}

// Line 1, from line 0 after 3 events, has a fault in its second event, and line 2 goes on from it after 6.
static inline kifu_timeline *with_fault(uint32_t hash_interval, void (*fault)(kifu_timeline *timeline),
                                        test_memory *memory)
{
    kifu_timeline *timeline = begin(hash_interval, memory);
    for (int i = 1; i < 9; i++)
        play_amount(timeline, i);
    must(timeline, kifu_go_to(timeline, 0, 3, false));
    play_amount(timeline, 20);
    fault(timeline);
    for (int i = 1; i < 5; i++)
        play_amount(timeline, i);
    must(timeline, kifu_go_to(timeline, 1, 6, false));
    play_amount(timeline, 30);
    return timeline;
}

static inline kifu_difference must_differ_at(kifu_timeline *timeline, uint32_t line, uint32_t first, uint32_t event)
{
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_DIVERGED);
    ck_assert_msg(difference.line == line && difference.first == first && difference.event == event, "%s",
                  kifu_last_error(timeline)->message);
    return difference;
}

static inline void count_up(kifu_timeline *timeline)
{
    faulty_submit_e_counter(timeline);
    must(timeline, kifu_run(timeline));
}

static inline void fail_again(kifu_timeline *timeline)
{
    faulty_submit_e_fail_again(timeline);
    must(timeline, kifu_run(timeline));
}

// What a Do function finds in a local that it does not set.
static inline void read_the_stack(kifu_timeline *timeline)
{
    faulty_submit_e_stack_left(timeline);
    must(timeline, kifu_run(timeline));
}

#endif
