// kifu_verify_replay with variations: random trees with one fault somewhere, and how often an event is executed.

#include "faulty_help.h"
#include "history_help.h"
#include "suite.h"
#include "core/timeline.h"
#include "history/lines.h"

static int bonus; // of EUserData, which takes it from kifu_options.user
static unsigned long executed;

static kifu_result count_and_replay(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                    uint32_t *done)
{
    executed += run->count;
    const kifu_result result = faulty_rules.replay(timeline, run, state, transient, done);
    const uint32_t count = kifu_event_count(timeline);
    kifu_event before;
    if (count > kifu_first_event(timeline)) // The last Do function may look at the events before its own.
        must_be(kifu_event_at(timeline, count - 1, &before) && before.index == count - 1);
    return result;
}

static kifu_timeline *begin(uint32_t hash_interval, test_memory *memory)
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

static void play(kifu_timeline *timeline, int amount)
{
    faulty_submit_p_add(timeline, 0, amount);
    must(timeline, kifu_run(timeline));
}

static void play_fault(kifu_timeline *timeline)
{
    faulty_submit_e_user_data(timeline);
    must(timeline, kifu_run(timeline));
}

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
            play(timeline, 1 + (int)kifu_rng_below(rng, 2));
        else
            go_somewhere(timeline, rng);
    }
    go_somewhere(timeline, rng);
}

static unsigned long event_count(const kifu_timeline *timeline)
{
    kifu_line line;
    unsigned long count = 0;
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++)
        count += line.count;
    return count;
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

static void must_agree(kifu_timeline *timeline)
{
    kifu_difference difference;
    must(timeline, kifu_verify_replay(timeline, &difference));
    ck_assert_uint_eq(difference.event, KIFU_NONE);
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
        play(timeline, 3);
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

// Line 1, from line 0 after 3 events, has a fault in its second event, and line 2 goes on from it after 6.
static kifu_timeline *with_fault(uint32_t hash_interval, void (*fault)(kifu_timeline *timeline), test_memory *memory)
{
    kifu_timeline *timeline = begin(hash_interval, memory);
    for (int i = 1; i < 9; i++)
        play(timeline, i);
    must(timeline, kifu_go_to(timeline, 0, 3, false));
    play(timeline, 20);
    fault(timeline);
    for (int i = 1; i < 5; i++)
        play(timeline, i);
    must(timeline, kifu_go_to(timeline, 1, 6, false));
    play(timeline, 30);
    return timeline;
}

static kifu_difference must_differ(kifu_timeline *timeline, uint32_t line, uint32_t first, uint32_t event)
{
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_DIVERGED);
    ck_assert_msg(difference.line == line && difference.first == first && difference.event == event, "%s",
                  kifu_last_error(timeline)->message);
    return difference;
}

START_TEST(V08_what_differs_in_the_current_line_comes_first)
{
    kifu_timeline *timeline = with_fault(1, play_fault, NULL);
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    play_fault(timeline);
    const uint32_t last = kifu_event_count(timeline) - 1, line = kifu_current_line(timeline);
    bonus = 2;
    must_differ(timeline, line, last, last);
    must(timeline, kifu_go_to(timeline, 0, 2, false));
    must_differ(timeline, 1, 4, 4); // Now both are beside what is executed.
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

static void count_up(kifu_timeline *timeline)
{
    faulty_submit_e_counter(timeline);
    must(timeline, kifu_run(timeline));
}

START_TEST(V08_an_event_that_never_does_the_same_is_found_in_a_line_without_hashes)
{
    kifu_timeline *timeline = with_fault(100000, count_up, NULL);
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    kifu_difference difference = must_differ(timeline, 1, 4, 4);
    ck_assert_str_eq(difference.name, "faulty.ECounter");
    faulty_says(kifu_last_error(timeline)->message,
                "event 4 of line 1 (faulty.ECounter) gives another state each time");
    kifu_destroy(timeline);

    timeline = begin(100000, NULL);
    play(timeline, 1);
    play(timeline, 2);
    count_up(timeline);
    must(timeline, kifu_go_to(timeline, 0, 2, true));
    play(timeline, 3);
    kifu__branch *branch = kifu__lines_of(timeline)->items[0].branch;
    branch->checkpoint_count = kifu__checkpoints_up_to(branch, 2); // not even at its end, as an older game saved it
    difference = must_differ(timeline, 0, 3, 3);
    ck_assert_str_eq(difference.name, "faulty.ECounter");
    kifu_destroy(timeline);
}
END_TEST

static void fail_again(kifu_timeline *timeline)
{
    faulty_submit_e_fail_again(timeline);
    must(timeline, kifu_run(timeline));
}

START_TEST(V08_a_do_that_fails_in_another_line_is_named_with_its_reason)
{
    kifu_timeline *timeline = with_fault(1, fail_again, NULL);
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    const kifu_difference difference = must_differ(timeline, 1, 4, 4);
    ck_assert_str_eq(difference.name, "faulty.EFailAgain");
    faulty_says(kifu_last_error(timeline)->message, "once is enough");
    kifu_destroy(timeline);
}
END_TEST

// Even where the state is the same without what it would have done.
START_TEST(M08_a_do_that_fails_only_when_it_is_compared_is_named_too)
{
    for (int taken_back = 0; taken_back < 2; taken_back++) {
        kifu_timeline *timeline = begin(100000, NULL);
        play(timeline, 1);
        play(timeline, 2);
        must(timeline, kifu_go_to(timeline, 0, 2, false));
        play(timeline, 3);
        fail_again(timeline);
        if (taken_back)
            play(timeline, -1);
        must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
        kifu__line *line = &kifu__lines_of(timeline)->items[1];
        line->branch->checkpoint_count = 0; // not even at its end, as in one that an older game saved
        line->tip_hash = 0;
        faulty_now.failures = 0; // So it happens once more.
        kifu_difference difference;
        ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_DIVERGED);
        ck_assert_uint_eq(difference.line, 1);
        ck_assert_uint_eq(difference.event, 3);
        kifu_destroy(timeline);
    }
}
END_TEST

// What a Do function finds in a local that it does not set.
static void read_the_stack(kifu_timeline *timeline)
{
    faulty_submit_e_stack_left(timeline);
    must(timeline, kifu_run(timeline));
}

START_TEST(V08_an_event_that_reads_what_was_left_on_the_stack_is_found_in_a_line_without_hashes)
{
    kifu_timeline *timeline = with_fault(100000, read_the_stack, NULL);
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    for (int i = 1; i < 3; i++) { // not even at its end, as in one that an older game saved
        kifu__lines_of(timeline)->items[i].branch->checkpoint_count = 0;
        kifu__lines_of(timeline)->items[i].tip_hash = 0;
    }
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_DIVERGED);
    ck_assert_uint_eq(difference.line, 1);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V08_what_redo_would_bring_back_is_executed_too)
{
    kifu_timeline *timeline = begin(1, NULL);
    play(timeline, 1);
    play_fault(timeline);
    play(timeline, 2);
    must(timeline, kifu_go_to(timeline, 0, 2, false));
    must_agree(timeline);
    bonus = 2;
    must_differ(timeline, 0, 2, 2);
    kifu_destroy(timeline);
}
END_TEST

// The current line may branch off behind where another one does.
START_TEST(M08_what_redo_would_bring_back_of_several_lines_is_executed_too)
{
    for (uint32_t first = 10; first < 200; first += 30) {
        kifu_timeline *timeline = begin(4, NULL);
        for (int i = 0; i < 250; i++)
            play(timeline, 1);
        must(timeline, kifu_go_to(timeline, 0, first, false));
        for (int i = 0; i < 150; i++)
            play(timeline, 2);
        must(timeline, kifu_go_to(timeline, 0, 240, false));
        for (int i = 0; i < 30; i++)
            play(timeline, 3);
        must(timeline, kifu_go_to(timeline, 2, 5, false));
        must_agree(timeline);
        kifu_destroy(timeline);
    }
}
END_TEST

// A hash that another version of the game found says nothing about this one.
START_TEST(M08_V08_the_hash_at_the_end_of_a_line_counts_for_the_version_that_found_it)
{
    static kifu_rules later;
    kifu_timeline *timeline = with_fault(100000, play_fault, NULL), *loaded;
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    unsigned char *bytes;
    size_t size;
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    later = *kifu_timeline_rules(timeline);
    for (int version = 0; version < 2; version++) {
        const kifu_options options = {.keep_variations = kifu_keep_variations, .user = &bonus};
        const kifu_load_options anything = {.allow_changed = true};
        kifu_error error;
        later.rules_version = kifu_timeline_rules(timeline)->rules_version + (uint32_t)version;
        bonus = 0;
        const kifu_result result =
            kifu_load_from_memory(&later, bytes, size, &options, version ? &anything : NULL, &loaded, &error);
        ck_assert_msg(!result, "%s", error.message);
        kifu_line line;
        for (uint32_t i = 1; kifu_line_at(loaded, i, &line); i++)
            kifu__lines_of(loaded)->items[i].branch->checkpoint_count = 0; // It is known of the end alone.
        must_agree(loaded);
        bonus = 2;
        if (version)
            must_agree(loaded);
        else
            must_differ(loaded, 2, 2, 6);
        kifu_destroy(loaded);
    }
    kifu_free_bytes(timeline, bytes);
    kifu_destroy(timeline);
}
END_TEST

// As one whose last events this version of the game cannot read.
START_TEST(M08_V08_what_follows_a_line_that_ends_where_another_one_branches_off_is_executed)
{
    kifu_timeline *timeline = with_fault(1, play_fault, NULL);
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    play(timeline, 40);
    kifu__branch *branch = kifu__lines_of(timeline)->items[0].branch;
    branch->end = 3;
    branch->checkpoint_count = kifu__checkpoints_up_to(branch, 3);
    executed = 0;
    must_agree(timeline);
    ck_assert_uint_eq(executed, event_count(timeline)); // each event once
    bonus = 2;
    must_differ(timeline, 1, 4, 4);
    kifu_destroy(timeline);
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
    const uint32_t own = kifu__lines_of(loaded)->items[1].branch->end - 3;
    ck_assert_uint_eq(each[0], each[1] + own);
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
        play(timeline, 1);
    for (uint32_t line = 0; line < 30; line++) {
        must(timeline, kifu_go_to(timeline, line, 2 + line, false));
        play(timeline, 2);
        play(timeline, 3);
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
    play(timeline, 1);
    play(timeline, 2);
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
        play(timeline, 1); // Its hashes need more room than those of other lines.
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
    play(timeline, 1);
    for (int line = 0; line < 3; line++) {
        for (int i = 0; i < 10000; i++)
            play(timeline, line + 1);
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
    play(timeline, 1);
    for (int i = 0; i < 40000; i++)
        play(timeline, 1);
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    play(timeline, 2);
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
    play(timeline, 1);
    for (int i = 1; i < 100; i++) {
        play(timeline, i);
        must(timeline, kifu_go_to(timeline, 0, 1, false));
    }
    for (int i = 0; i < 20000; i++)
        play(timeline, 1);
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
        play(timeline, 1);
        play(timeline, 2);
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
        V08_an_event_that_never_does_the_same_is_found_in_a_line_without_hashes,
        V08_a_do_that_fails_in_another_line_is_named_with_its_reason,
        V08_an_event_that_reads_what_was_left_on_the_stack_is_found_in_a_line_without_hashes,
        V08_what_redo_would_bring_back_is_executed_too,
        M08_a_do_that_fails_only_when_it_is_compared_is_named_too,
        M08_what_redo_would_bring_back_of_several_lines_is_executed_too,
        M08_V08_the_hash_at_the_end_of_a_line_counts_for_the_version_that_found_it,
        M08_V08_what_follows_a_line_that_ends_where_another_one_branches_off_is_executed,
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
