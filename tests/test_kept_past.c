// What a timeline keeps of its past in memory, and its forks: copies of states (keyframes), the journal, the segments
// of the log. That it is enough is in test_history.c and test_fork.c; here is that it is no more, and where it ends.

#include "core/timeline.h"
#include "fork_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "suite.h"

// --- Keyframes -------------------------------------------------------------------------------------------------------

static size_t memory_of(size_t keyframe_bytes)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {
        .allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = keyframe_bytes, .hash_interval = 1};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 80000; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    size_t bytes = memory.bytes;
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
    ck_assert_uint_eq(memory.bytes, 0);
    return bytes;
}

START_TEST(U10_keyframes_stay_in_their_budget)
{
    kifu_timeline *lab = lab_new(NULL); // by default 1 MiB
    ck_assert_uint_le(lab->keyframes.most * sizeof(lab_state), 1 << 20);
    ck_assert_uint_gt((lab->keyframes.most + 1) * sizeof(lab_state), 1 << 20);
    kifu_destroy(lab);
    static const size_t budgets_of[] = {2000, 10000, 30000};
    size_t none = memory_of(1);
    for (int i = 0; i < 3; i++) {
        size_t some = memory_of(budgets_of[i]);
        ck_assert_uint_gt(some, none + budgets_of[i] / 2);    // it is used,
        ck_assert_uint_le(some, none + budgets_of[i] + 2048); // but for the list of them
    }
}
END_TEST

START_TEST(U10_keyframes_for_states_of_any_size)
{
    static const struct {
        uint32_t state_size;
        size_t budget;
        uint32_t most, interval;
    } cases[] = {
        {40, 0, (1 << 20) / 40, 128}, {62, 0, (1 << 20) / 62, 128}, // A keyframe costs half a byte for each event,
        {66, 0, (1 << 20) / 66, 132}, {32766, 0, 32, 65532},        // up to 32 KiB.
        {32770, 0, 31, 65536},        {1 << 17, 0, 8, 65536},
        {(1 << 17) + 1, 0, 8, 65536},                               // At least eight, whatever they cost,
        {UINT32_MAX, 0, 8, 65536},    {1 << 22, 1 << 20, 0, 65536}, // unless there is a budget.
        {1 << 22, 1 << 23, 2, 65536}, {1, SIZE_MAX, UINT32_MAX, 128},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu__keyframes keyframes;
        kifu__keyframes_open(&keyframes, cases[i].state_size, cases[i].budget);
        ck_assert_uint_eq(keyframes.most, cases[i].most);
        ck_assert_uint_eq(keyframes.interval, cases[i].interval);
    }
}
END_TEST

// The newest stays; of the others those go that leave narrow gaps.
START_TEST(U10_few_keyframes_are_as_many_as_the_budget_allows)
{
    for (uint32_t most = 1; most < 8; most++) {
        kifu_timeline *lab = lab_new(&(kifu_options){.keyframe_bytes = most * sizeof(lab_state), .quiet = true});
        const uint32_t interval = lab->keyframes.interval;
        ck_assert_uint_eq(lab->keyframes.most, most);
        for (uint32_t made = 1; made < 40; made++) {
            for (uint32_t i = 0; i < interval; i++)
                lab_submit_p_add(lab, 0, 1);
            must(lab, kifu_run(lab));
            const kifu__keyframes *all = &lab->keyframes;
            ck_assert_uint_le(all->count, most);
            ck_assert_uint_ge(all->count, made < most ? made : most == 1 ? 1 : 2);
            ck_assert_uint_eq(all->items[all->count - 1].event_count, made * interval);
            for (uint32_t i = 1; i < all->count; i++)
                ck_assert_uint_lt(all->items[i - 1].event_count, all->items[i].event_count);
        }
        kifu_destroy(lab);
    }
}
END_TEST

// The game goes on: with one keyframe less, or the event waits.
START_TEST(U10_memory_may_end_where_a_keyframe_is_due)
{
    for (long n = 0; n < 8; n++) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
        const uint32_t interval = lab->keyframes.interval;
        for (uint32_t i = 1; i < interval; i++)
            lab_submit_p_add(lab, 0, 1);
        must(lab, kifu_run(lab));
        lab_submit_p_add(lab, 0, 1);
        memory.until_failure = n;
        if (kifu_run(lab))
            ck_assert_int_eq(kifu_last_error(lab)->result, KIFU_NO_MEMORY);
        memory.until_failure = -1;
        must(lab, kifu_run(lab));
        ck_assert_int_eq(lab_get_state(lab)->total, interval);
        must(lab, kifu_seek(lab, interval / 2));
        must(lab, kifu_seek(lab, KIFU_PRESENT));
        ck_assert_int_eq(lab_get_state(lab)->total, interval);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

START_TEST(V11_copies_of_the_state_before_the_place_are_freed)
{
    kifu_timeline *lab = lab_started(NULL);
    for (int i = 0; i < 4000; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    const kifu__keyframes *keyframes = &lab->keyframes;
    const uint32_t before = keyframes->count, place = keyframes->items[before / 2].event_count;
    ck_assert_uint_gt(before, 4);
    must(lab, kifu_forget(lab, place));
    ck_assert_uint_eq(keyframes->count, before - before / 2 - 1);
    for (uint32_t i = 0; i < keyframes->count; i++)
        ck_assert_uint_gt(keyframes->items[i].event_count, place);
    kifu_destroy(lab);
}
END_TEST

// --- The journal -----------------------------------------------------------------------------------------------------

START_TEST(U10_a_seek_beyond_the_journal_begins_it_anew)
{
    kifu_timeline *lab = lab_new(&(kifu_options){.quiet = true});
    for (int i = 0; i < 3000; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    ck_assert_uint_ge(kifu__journal_used(&lab->journal, &lab->core), 1000);
    must(lab, kifu_seek(lab, 0));
    ck_assert_uint_eq(kifu__journal_used(&lab->journal, &lab->core), 0);
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    ck_assert_uint_le(kifu__journal_used(&lab->journal, &lab->core), KIFU__JOURNAL_EVENTS);
    must(lab, kifu_undo(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 2999);
    kifu_destroy(lab);
}
END_TEST

// What is older than an open transaction goes, and nothing else.
START_TEST(U10_the_journal_of_a_long_transaction_begins_where_that_began)
{
    kifu_timeline *lab = lab_new(NULL);
    for (uint32_t i = 0; i < 5000; i++) {
        if (i == 500)
            must(lab, kifu_begin(lab, 0));
        lab_submit_p_add(lab, 0, 1);
        must(lab, kifu_run(lab));
        ck_assert_uint_eq(lab->journal.first_event, i < KIFU__JOURNAL_MOST_EVENTS ? 0 : 500);
    }
    must(lab, kifu_roll_back(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 500);
    kifu_destroy(lab);
}
END_TEST

// Few events, each of which changes everything.
START_TEST(U10_the_journal_is_bounded_however_much_an_event_edits)
{
    kifu_timeline *lab = lab_new(NULL);
    const uint32_t each = (uint32_t)(sizeof(lab_state) + 7) / 8;
    for (int i = 0; i < 5000; i++) {
        lab_submit_e_reset_game(lab);
        must(lab, kifu_run(lab));
        ck_assert_int_le(lab->core.journal - lab->journal.entries, KIFU__JOURNAL_MOST_ENTRIES + each);
    }
    ck_assert_uint_le(lab->journal.capacity, 2 * KIFU__JOURNAL_MOST_ENTRIES);
    ck_assert_uint_ge(lab->journal.start_count, KIFU__JOURNAL_MOST_ENTRIES / 2 / each);
    kifu_destroy(lab);
}
END_TEST

// Room for one edit more is found before the event happens.
START_TEST(P01_an_event_waits_while_there_is_no_memory_for_its_first_edit)
{
    test_memory memory = {.until_failure = -1, .for_ever = true};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = lab_started(&options);
    const kifu__journal *journal = &lab->journal;
    do
        must(lab, lab_play(lab, journal->start_count % 3 ? "+" : "+r"));
    while (kifu__journal_used(journal, &lab->core) != journal->capacity ||
           journal->start_count == journal->start_capacity);
    const int64_t before = lab_get_state(lab)->total;
    lab_submit_p_add(lab, 0, 1);
    memory.until_failure = 0;
    ck_assert_int_eq(kifu_run(lab), KIFU_NO_MEMORY);
    ck_assert_uint_eq(kifu_pending_count(lab), 1);
    memory.until_failure = -1;
    must(lab, kifu_run(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, before + 1);
    kifu_destroy(lab);
}
END_TEST

// --- Segments --------------------------------------------------------------------------------------------------------

const kifu__segment *__real_kifu__segment_with(const kifu__segment *segments, uint32_t count, uint32_t index);
const kifu__segment *__wrap_kifu__segment_with(const kifu__segment *segments, uint32_t count, uint32_t index);

static uint32_t sought;

const kifu__segment *__wrap_kifu__segment_with(const kifu__segment *segments, uint32_t count, uint32_t index)
{
    sought++;
    return __real_kifu__segment_with(segments, count, index);
}

START_TEST(M08_U08_an_undo_that_is_refused_searches_for_segments_and_not_for_each_event)
{
    enum { EVENTS = 20000 };
    kifu_timeline *lab = lab_new(&(kifu_options){.quiet = true});
    for (int i = 0; i < EVENTS; i++)
        lab_submit_e_do(lab, "");
    must(lab, kifu_run(lab));
    kifu_error error;
    sought = 0;
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOTHING_TO_UNDO);
    ck_assert_uint_lt(sought, EVENTS / 100); // Once a segment.
    lab_submit_e_seal(lab);                  // It stops at the last event, and asks whether a player has done anything.
    must(lab, kifu_run(lab));
    sought = 0;
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOTHING_TO_UNDO);
    ck_assert_uint_lt(sought, EVENTS / 100);
    lab_submit_p_add(lab, 0, 1);
    for (int i = 0; i < EVENTS; i++)
        lab_submit_e_do(lab, "");
    lab_submit_e_seal(lab);
    must(lab, kifu_run(lab));
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOT_UNDOABLE);
    kifu_destroy(lab);
}
END_TEST

// What redo brought back from behind a transaction is at the end of the log again, and what comes next goes behind it.
START_TEST(U07_events_go_behind_what_a_roll_back_and_redo_brought_back)
{
    static char script[2 * 20000 + 1];
    for (int i = 0; i < 20000; i++)
        memcpy(script + 2 * i, "+-", 2);
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, script)); // in a segment of its own
    ck_assert_uint_eq(lab->log.branch->segment_count, 2);
    must(lab, kifu_undo(lab));
    must(lab, kifu_begin(lab, 0));
    must(lab, kifu_roll_back(lab));
    must(lab, kifu_redo(lab));
    must(lab, lab_play(lab, "2"));
    static const char *const scripts[] = {"1", script, "2"};
    for (uint32_t i = 0; i < 3; i++) {
        kifu_event event;
        ck_assert(kifu_event_at(lab, i, &event));
        ck_assert_str_eq(lab_p_do_script((const lab_p_do *)event.table), scripts[i]);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_V11_a_segment_that_ends_where_the_game_begins_now_is_gone)
{
    kifu_timeline *lab = lab_started(NULL);
    const kifu__branch *branch = lab->log.branch;
    while (branch->segment_count < 3) {
        lab_submit_p_add(lab, 0, 1);
        must(lab, kifu_run(lab));
    }
    const uint32_t second = branch->segments[1].first;
    must(lab, kifu_forget(lab, second));
    ck_assert_uint_eq(kifu_first_event(lab), second);
    ck_assert_uint_eq(branch->segment_count, 2);
    ck_assert_uint_eq(branch->segments[0].first, second);
    must(lab, kifu_verify_replay(lab, NULL));
    kifu_destroy(lab);
}
END_TEST

// --- Forks -----------------------------------------------------------------------------------------------------------

static void add_ones(kifu_timeline *lab, int count)
{
    for (int i = 0; i < count; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
}

static kifu_result submits_one(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    if (event->type == LAB_P_ADD)
        lab_submit_e_do(timeline, "7");
    return KIFU_OK;
}

static kifu_result with_reaction(kifu_timeline *timeline)
{
    return kifu_observe(timeline, &(kifu_observer){.react = submits_one});
}

// Hashes and keyframes are where the original has them.
START_TEST(U10_a_fork_records_its_way_as_the_original)
{
    const kifu_options options = {.hash_interval = 100, .quiet = true};
    kifu_timeline *lab = started(&options);
    add_ones(lab, 1000);
    static const uint32_t counts[] = {0, 1, 63, 64, 100, 931, 1000};
    for (unsigned at = 0; at < sizeof counts / sizeof *counts; at++) {
        const uint32_t count = counts[at];
        kifu_timeline *fork = fork_of(lab, count, NULL);
        if (!count)
            lab_submit_e_initialize(fork, SEEDED(seed));
        add_ones(fork, 1001 - (int)(count ? count : 1));
        ck_assert_uint_eq(kifu_event_count(fork), 1001);
        ck_assert_uint_eq(fork->log.branch->checkpoint_count, lab->log.branch->checkpoint_count);
        for (uint32_t i = 0; i < lab->log.branch->checkpoint_count; i++) {
            ck_assert_uint_eq(fork->log.branch->checkpoints[i].event_count,
                              lab->log.branch->checkpoints[i].event_count);
            ck_assert_uint_eq(fork->log.branch->checkpoints[i].hash, lab->log.branch->checkpoints[i].hash);
        }
        const kifu__keyframes *ours = &lab->keyframes, *its = &fork->keyframes;
        ck_assert_uint_eq(its->items[its->count - 1].event_count, ours->items[ours->count - 1].event_count);
        kifu_destroy(fork);
    }
    kifu_destroy(lab);
}
END_TEST

// If they cannot be shared, the bytes of a loaded file are brought into the fork's own layout.
START_TEST(T11_a_fork_of_a_loaded_game_without_memory_leaves_nothing)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = started(&options);
    for (int i = 0; i < 2 * INPUTS; i++)
        input(lab, i);
    must(lab, kifu_run(lab));
    kifu_timeline *loaded = reload(lab, &options);
    ck_assert(loaded->log.branch->segments[0].borrowed);
    const lab_picture picture = lab_look(loaded);
    for (long n = 0, more = 1; more; n++) {
        const long blocks = memory.blocks;
        memory.until_failure = n;
        memory.failed = false;
        kifu_error error;
        kifu_timeline *fork;
        const kifu_result result = kifu_fork(loaded, KIFU_PRESENT, NULL, &fork, n % 2 ? &error : NULL);
        memory.until_failure = -1;
        more = memory.failed;
        ck_assert(result == KIFU_OK || (more && result == KIFU_NO_MEMORY)); // It can copy what it cannot share.
        if (result && n % 2)
            ck_assert_msg(strstr(error.message, "memory") != NULL, "%s", error.message);
        if (!result)
            lab_same(fork, &picture);
        kifu_destroy(fork);
        ck_assert_int_eq(memory.blocks, blocks);
    }
    kifu_destroy(loaded);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// The events to which nothing has reacted yet are executed in the fork, and so are the reactions.
START_TEST(P06_a_fork_out_of_a_deferred_transaction_without_memory_leaves_nothing)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.prepare = with_reaction};
    kifu_timeline *lab = started(&options);
    for (int i = 0; i < 20; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    must(lab, kifu_begin(lab, KIFU_DEFERRED));
    for (int i = 0; i < 40; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    for (long n = 0, more = 1; more; n++) {
        memory.until_failure = n;
        memory.failed = false;
        kifu_error error;
        kifu_timeline *fork;
        const kifu_result result = kifu_fork(lab, KIFU_PRESENT, &options, &fork, &error);
        memory.until_failure = -1;
        more = memory.failed;
        if (result) {
            ck_assert(more);
            ck_assert_int_eq(result, KIFU_NO_MEMORY);
            ck_assert_msg(strstr(error.message, "memory") != NULL, "%s", error.message);
            ck_assert_ptr_null(fork);
        } else {
            ck_assert_uint_eq(kifu_pending_count(fork), 40);
            must(fork, kifu_run(fork));
            ck_assert_int_eq(lab_get_state(fork)->length, 20 + 40);
            lab_submit_e_reset_game(fork);
            for (int i = 0; i < 5000; i++)
                lab_submit_e_show(fork, 1);
            must(fork, kifu_run(fork));
            ck_assert_uint_le(fork->journal.start_count, KIFU__JOURNAL_MOST_EVENTS); // bounded again
        }
        kifu_destroy(fork);
        ck_assert_int_eq(memory.blocks, 0);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(P06_a_fork_has_only_the_segments_that_its_events_need)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 1000; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    ck_assert_uint_ge(lab->log.branch->segment_count, 3);
    for (uint32_t i = 1; i < lab->log.branch->segment_count; i++) {
        kifu_timeline *fork = fork_of(lab, lab->log.branch->segments[i].first, NULL);
        ck_assert_uint_eq(fork->log.branch->segment_count, i);
        kifu_destroy(fork);
    }
    kifu_destroy(lab);
    // What a transaction has set aside is not in the fork, which goes on in the same segment.
    lab = started(NULL);
    const uint32_t size = lab->log.branch->segments[0].size;
    must(lab, lab_play(lab, "1"));
    must(lab, kifu_undo(lab));
    must(lab, kifu_begin(lab, 0));
    kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL);
    ck_assert_uint_eq(fork->log.branch->segments[0].size, size);
    for (int i = 0; i < 2; i++) {
        kifu_timeline *loaded = reload(fork, NULL);
        lab_picture picture = lab_look(fork);
        lab_same(loaded, &picture);
        kifu_destroy(loaded);
        must(fork, lab_play(fork, "2"));
        ck_assert_uint_eq(fork->log.branch->segment_count, 1);
    }
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        U10_keyframes_stay_in_their_budget,
        U10_keyframes_for_states_of_any_size,
        U10_few_keyframes_are_as_many_as_the_budget_allows,
        U10_memory_may_end_where_a_keyframe_is_due,
        V11_copies_of_the_state_before_the_place_are_freed,
        U10_a_seek_beyond_the_journal_begins_it_anew,
        U10_the_journal_of_a_long_transaction_begins_where_that_began,
        U10_the_journal_is_bounded_however_much_an_event_edits,
        P01_an_event_waits_while_there_is_no_memory_for_its_first_edit,
        M08_U08_an_undo_that_is_refused_searches_for_segments_and_not_for_each_event,
        U07_events_go_behind_what_a_roll_back_and_redo_brought_back,
        M08_V11_a_segment_that_ends_where_the_game_begins_now_is_gone,
        U10_a_fork_records_its_way_as_the_original,
        T11_a_fork_of_a_loaded_game_without_memory_leaves_nothing,
        P06_a_fork_out_of_a_deferred_transaction_without_memory_leaves_nothing,
        P06_a_fork_has_only_the_segments_that_its_events_need,
    };
    return run_suite("kept past", tests, sizeof tests / sizeof *tests);
}
