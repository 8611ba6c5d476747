// kifu_verify_replay with variations: random trees with one fault somewhere, and how often an event is executed.

#include "verify_lines_help.h"

static kifu_line any_line(const kifu_timeline *timeline, kifu_rng *rng)
{
    kifu_line line;
    ck_assert(kifu_line_at(timeline, kifu_rng_below(rng, kifu_line_count(timeline)), &line));
    return line;
}

static void go_somewhere(kifu_timeline *timeline, kifu_rng *rng)
{
    const kifu_line line = any_line(timeline, rng);
    must(timeline, kifu_go_to(timeline, line.id, 1 + kifu_rng_below(rng, line.from + line.count), true));
}

// A tree, with the fault after so many steps.
static void grow(kifu_timeline *timeline, kifu_rng *rng, uint32_t steps, uint32_t fault)
{
    for (uint32_t i = 0; i < steps; i++) {
        if (i == fault)
            play_fault(timeline);
        else if (kifu_rng_below(rng, 3))
            play_amount(timeline, 1 + (int)kifu_rng_below(rng, 2));
        else
            go_somewhere(timeline, rng);
    }
    go_somewhere(timeline, rng);
}

static bool find_fault(const kifu_timeline *timeline, kifu_line *line, uint32_t *at)
{
    kifu_event event;
    for (uint32_t i = 0; kifu_line_at(timeline, i, line); i++) {
        for (*at = line->from; kifu_line_event(timeline, line->id, *at, &event); ++*at) {
            if (event.type == FAULTY_E_USER_DATA)
                return true;
        }
    }
    return false;
}

// --- Random trees ----------------------------------------------------------------------------------------------------

START_TEST(V08_the_line_and_the_event_of_a_fault_are_named)
{
    for (unsigned long i = 0; i < fuzz_steps(40000) / 200; i++) {
        kifu_timeline *timeline = begin(1, NULL);
        kifu_difference difference;
        kifu_line line;
        kifu_rng rng;
        uint32_t event;
        char said[60];
        kifu_rng_seed(&rng, fuzz_seed() * 1000003 + i, 11);
        grow(timeline, &rng, 60, kifu_rng_below(&rng, 60));
        const faulty_state before = *faulty_get_state(timeline);
        executed = 0;
        must_agree(timeline);
        ck_assert_uint_eq(executed, event_count(timeline)); // each event once
        ck_assert(find_fault(timeline, &line, &event));
        bonus = 2;
        ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_DIVERGED);
        const kifu_error *error = kifu_last_error(timeline);
        ck_assert_msg(difference.line == line.id && difference.event == event && difference.first == event,
                      "line %u, event %u: %s", line.id, event, error->message);
        ck_assert_str_eq(difference.name, "faulty.EUserData");
        snprintf(said, sizeof said, "event %u of line %u (faulty.EUserData)", event, line.id);
        if (kifu_line_count(timeline) > 1)
            faulty_says(error->message, said);
        ck_assert_uint_eq(error->event, event);
        bonus = 0;
        must_agree(timeline);
        ck_assert_mem_eq(&before, faulty_get_state(timeline), sizeof before);
        go_somewhere(timeline, &rng);
        play_amount(timeline, 3);
        must_agree(timeline);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(V08_a_line_without_hashes_is_executed_twice)
{
    for (unsigned long i = 0; i < fuzz_steps(40000) / 400; i++) {
        kifu_timeline *timeline = begin(i % 2 ? 100000 : 5, NULL);
        kifu_rng rng;
        kifu_rng_seed(&rng, fuzz_seed() * 1000003 + i, 13);
        grow(timeline, &rng, 100, KIFU_NONE);
        executed = 0;
        must_agree(timeline);
        ck_assert_uint_le(executed, 2 * event_count(timeline));
        kifu_destroy(timeline);
    }
}
END_TEST

// --- One by one ------------------------------------------------------------------------------------------------------

START_TEST(V08_what_differs_in_the_current_line_comes_first)
{
    kifu_timeline *timeline = with_fault(1, play_fault, NULL);
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    play_fault(timeline);
    const uint32_t last = kifu_event_count(timeline) - 1, line = kifu_current_line(timeline);
    bonus = 2;
    must_differ_at(timeline, line, last, last);
    must(timeline, kifu_go_to(timeline, 0, 2, false));
    must_differ_at(timeline, 1, 4, 4); // Now both are beside what is executed.
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V08_where_hashes_are_rare_a_range_is_named)
{
    kifu_timeline *timeline = with_fault(6, play_fault, NULL);
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    bonus = 2;
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_DIVERGED);
    ck_assert_uint_eq(difference.line, 1);
    ck_assert_uint_le(difference.first, 4);
    ck_assert_uint_ge(difference.event, 4);
    faulty_says(kifu_last_error(timeline)->message, "of line 1 gave another state when it was executed again");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V08_a_do_that_fails_in_another_line_is_named_with_its_reason)
{
    kifu_timeline *timeline = with_fault(1, fail_again, NULL);
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    const kifu_difference difference = must_differ_at(timeline, 1, 4, 4);
    ck_assert_str_eq(difference.name, "faulty.EFailAgain");
    faulty_says(kifu_last_error(timeline)->message, "once is enough");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V08_what_redo_would_bring_back_is_executed_too)
{
    kifu_timeline *timeline = begin(1, NULL);
    play_amount(timeline, 1);
    play_fault(timeline);
    play_amount(timeline, 2);
    must(timeline, kifu_go_to(timeline, 0, 2, false));
    must_agree(timeline);
    bonus = 2;
    must_differ_at(timeline, 0, 2, 2);
    kifu_destroy(timeline);
}
END_TEST

// The current line may branch off behind where another one does.
START_TEST(M08_what_redo_would_bring_back_of_several_lines_is_executed_too)
{
    for (uint32_t first = 10; first < 200; first += 30) {
        kifu_timeline *timeline = begin(4, NULL);
        for (int i = 0; i < 250; i++)
            play_amount(timeline, 1);
        must(timeline, kifu_go_to(timeline, 0, first, false));
        for (int i = 0; i < 150; i++)
            play_amount(timeline, 2);
        must(timeline, kifu_go_to(timeline, 0, 240, false));
        for (int i = 0; i < 30; i++)
            play_amount(timeline, 3);
        must(timeline, kifu_go_to(timeline, 2, 5, false));
        must_agree(timeline);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(M08_V08_a_line_that_was_loaded_is_compared_when_it_is_entered_first)
{
    kifu_timeline *timeline = with_fault(1, play_fault, NULL);
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    kifu_timeline *loaded = reload(timeline, &(kifu_options){.keep_variations = kifu_keep_variations, .user = &bonus});
    unsigned long each[2];
    for (int i = 0; i < 2; i++) {
        must(loaded, kifu_go_to(loaded, 0, 3, false));
        executed = 0;
        must(loaded, kifu_go_to(loaded, 1, KIFU_WHERE_LEFT, false));
        each[i] = executed;
    }
    const kifu_line line = line_of(loaded, 1);
    ck_assert_uint_eq(each[0], each[1] + line.from + line.count - 3);
    kifu_destroy(loaded);
    kifu_destroy(timeline);
}
END_TEST

// At each place where a line goes on behind another one, a state is kept.
START_TEST(M08_V08_thirty_lines_inside_of_one_another_are_executed_once)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *timeline = begin(1, &memory);
    for (int i = 0; i < 5; i++)
        play_amount(timeline, 1);
    for (uint32_t line = 0; line < 30; line++) {
        must(timeline, kifu_go_to(timeline, line, 2 + line, false));
        play_amount(timeline, 2);
        play_amount(timeline, 3);
    }
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    executed = 0;
    must_agree(timeline);
    ck_assert_uint_eq(kifu_line_count(timeline), 31);
    ck_assert_uint_eq(executed, event_count(timeline));
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// Nothing of it is left to be compared: it has happened, by the rules of today.
START_TEST(M08_V05_a_line_that_was_loaded_and_is_played_again_to_its_end_is_entered)
{
    kifu_timeline *timeline = begin(100000, NULL);
    play_amount(timeline, 1);
    play_amount(timeline, 2);
    must(timeline, kifu_go_to(timeline, 0, 2, false));
    play_fault(timeline);
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    kifu_timeline *loaded = reload(timeline, &(kifu_options){.keep_variations = kifu_keep_variations, .user = &bonus});
    must(loaded, kifu_go_to(loaded, 0, 2, false));
    bonus = 2;
    play_fault(loaded);
    must(loaded, kifu_run(loaded));
    ck_assert_uint_eq(kifu_current_line(loaded), 1);
    ck_assert_uint_eq(kifu_line_count(loaded), 2);
    kifu_destroy(loaded);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V08_without_memory_nothing_changes)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *timeline = with_fault(1, play_fault, &memory);
    for (int i = 0; i < 20; i++)
        play_amount(timeline, 1); // Its hashes need more room than those of other lines.
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    for (int wrong = 0; wrong < 2; wrong++) {
        long failures = 0;
        for (bool failed = true; failed; failures++) {
            memory.until_failure = failures;
            memory.failed = false;
            bonus = 2 * wrong;
            const kifu_result result = kifu_verify_replay(timeline, NULL);
            failed = memory.failed;
            memory.until_failure = -1;
            ck_assert_int_eq(result, failed ? KIFU_NO_MEMORY : wrong ? KIFU_DIVERGED : KIFU_OK);
        }
        ck_assert_int_gt(failures, 3);
    }
    bonus = 0;
    must_agree(timeline);
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static bool cancel(void *context, uint64_t done, uint64_t total)
{
    ck_assert_uint_le(done, total);
    return --*(int *)context > 0;
}

typedef struct told {
    uint64_t done, total;
} told;

static bool hear_more(void *context, uint64_t done, uint64_t total)
{
    told *told = context;
    ck_assert_uint_gt(done, told->done);
    ck_assert_uint_le(done, total);
    *told = (struct told){done, total};
    return true;
}

START_TEST(V08_the_events_of_all_lines_are_progress)
{
    kifu_timeline *timeline = begin(0, NULL);
    told told = {0};
    play_amount(timeline, 1);
    for (int line = 0; line < 3; line++) {
        for (int i = 0; i < 10000; i++)
            play_amount(timeline, line + 1);
        must(timeline, kifu_go_to(timeline, 0, 1, false));
    }
    kifu_set_progress(timeline, hear_more, &told);
    must_agree(timeline);
    ck_assert_uint_eq(told.done, 16384);
    ck_assert_uint_eq(told.total, event_count(timeline));
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V08_it_can_be_cancelled_in_another_line)
{
    kifu_timeline *timeline = begin(0, NULL);
    int calls = 1;
    play_amount(timeline, 1);
    for (int i = 0; i < 40000; i++)
        play_amount(timeline, 1);
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    play_amount(timeline, 2);
    kifu_set_progress(timeline, cancel, &calls);
    ck_assert_int_eq(kifu_verify_replay(timeline, NULL), KIFU_CANCELLED);
    ck_assert_int_eq(calls, 0);
    kifu_set_progress(timeline, NULL, NULL);
    must_agree(timeline);
    kifu_destroy(timeline);
}
END_TEST

static bool count_calls(void *context, uint64_t done, uint64_t total)
{
    ck_assert_uint_le(done, total);
    ++*(unsigned *)context;
    return true;
}

START_TEST(M08_V08_short_lines_behind_a_long_one_are_no_progress)
{
    kifu_timeline *timeline = begin(0, NULL);
    unsigned calls = 0;
    play_amount(timeline, 1);
    for (int i = 1; i < 100; i++) {
        play_amount(timeline, i);
        must(timeline, kifu_go_to(timeline, 0, 1, false));
    }
    for (int i = 0; i < 20000; i++)
        play_amount(timeline, 1);
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    kifu_set_progress(timeline, count_calls, &calls);
    must_agree(timeline);
    ck_assert_uint_ge(calls, 1);
    ck_assert_uint_le(calls, 3);
    kifu_destroy(timeline);
}
END_TEST

static long to_come; // So many more allocations fail right after one that did.

static void *fail_again_and_again(void *context, void *block, size_t size)
{
    test_memory *memory = (test_memory *)context;
    void *given = test_allocate(context, block, size);
    if (size && memory->failed && memory->until_failure < 0 && to_come-- > 0)
        memory->until_failure = 0;
    return given;
}

// A transaction in a Do function wants memory, also where it is executed again; its first edit says so.
START_TEST(M08_V08_without_memory_in_a_do_of_another_line_nothing_is_said_of_it)
{
    for (int way = 0; way < 6; way++) {
        const uint32_t interval = way % 2 ? 1 : 100000;
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.keep_variations = kifu_keep_variations,
                                      .hash_interval = interval,
                                      .allocate = fail_again_and_again,
                                      .allocate_context = &memory};
        kifu_timeline *timeline;
        ck_assert_int_eq(kifu_create(&faulty_rules, &options, &timeline, NULL), KIFU_OK);
        faulty_submit_e_initialize(timeline, SEEDED(7));
        play_amount(timeline, 1);
        play_amount(timeline, 2);
        must(timeline, kifu_go_to(timeline, 0, 2, false));
        faulty_submit_p_try(timeline, 0, 3);
        must(timeline, kifu_run(timeline));
        must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
        long at = 0, refused = 0;
        for (bool failed = true; failed; at++) {
            memory.until_failure = at;
            memory.failed = false;
            to_come = way / 2;
            const kifu_result result = kifu_verify_replay(timeline, NULL);
            failed = memory.failed;
            memory.until_failure = -1;
            ck_assert_msg(!result || (failed && result == KIFU_NO_MEMORY), "%s", kifu_last_error(timeline)->message);
            refused += result != KIFU_OK;
        }
        ck_assert_int_gt(refused, 3);
        kifu_destroy(timeline);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V08_the_line_and_the_event_of_a_fault_are_named,
        V08_a_line_without_hashes_is_executed_twice,
        V08_what_differs_in_the_current_line_comes_first,
        V08_where_hashes_are_rare_a_range_is_named,
        V08_a_do_that_fails_in_another_line_is_named_with_its_reason,
        V08_what_redo_would_bring_back_is_executed_too,
        M08_what_redo_would_bring_back_of_several_lines_is_executed_too,
        M08_V08_a_line_that_was_loaded_is_compared_when_it_is_entered_first,
        M08_V08_thirty_lines_inside_of_one_another_are_executed_once,
        M08_V05_a_line_that_was_loaded_and_is_played_again_to_its_end_is_entered,
        V08_without_memory_nothing_changes,
        V08_the_events_of_all_lines_are_progress,
        V08_it_can_be_cancelled_in_another_line,
        M08_V08_short_lines_behind_a_long_one_are_no_progress,
        M08_V08_without_memory_in_a_do_of_another_line_nothing_is_said_of_it,
    };
    return run_suite("verify lines", tests, sizeof tests / sizeof *tests);
}
