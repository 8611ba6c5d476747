// Seek, and undo beyond the journal: by journal, by keyframe or from the beginning, it is one past, and what it costs.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "past_help.h"
#include "suite.h"
#include "core/timeline.h"

// --- Games with a copy of the state after each event -----------------------------------------------------------------

// Goes to each event, there and back again, and looks at others meanwhile.
static void go_everywhere(kifu_timeline *lab, const copies *copies)
{
    uint32_t present = kifu_event_count(lab);
    for (uint32_t i = 0; i <= present; i++) {
        must(lab, kifu_seek(lab, i));
        must_be_at(lab, copies, i);
        ck_assert_uint_eq(kifu_event_count(lab), present);
        look_at(lab, copies, present - i);
    }
    for (uint32_t i = present + 1; i-- > 0;) {
        look_at(lab, copies, i);
        must(lab, kifu_seek(lab, i));
        must_be_at(lab, copies, i);
    }
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    must_be_at(lab, copies, present);
}

START_TEST(U10_journal_keyframe_and_start_agree)
{
    for (int i = 0; i < BUDGETS; i++) {
        copies copies;
        kifu_timeline *lab = lab_new(&budgets[i]);
        play(lab, &copies, 300);
        go_everywhere(lab, &copies);
        undo_and_redo_all(lab, &copies);
        go_everywhere(lab, &copies);
        must(lab, kifu_verify_replay(lab, NULL));
        free(copies.states);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(U10_a_game_longer_than_the_journal_goes_anywhere)
{
    for (int i = 0; i < BUDGETS; i++) {
        copies copies;
        kifu_timeline *lab = lab_new(&budgets[i]);
        play(lab, &copies, 5000);
        go_anywhere(lab, &copies, 100);
        must(lab, kifu_run(lab));
        free(copies.states);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(U10_undo_goes_past_the_journal_to_the_beginning)
{
    for (int i = 0; i < BUDGETS; i += 2) {
        copies copies;
        kifu_timeline *lab = lab_new(&budgets[i]);
        play(lab, &copies, 3000);
        undo_and_redo_all(lab, &copies);
        for (int j = 0; j < 700; j++)
            must(lab, kifu_undo(lab));
        must_be_at(lab, &copies, kifu_event_count(lab));
        go_anywhere(lab, &copies, 20); // with a tail to redo
        free(copies.states);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(U10_a_loaded_game_has_the_same_past)
{
    for (int i = 0; i < BUDGETS; i++) {
        copies copies;
        kifu_timeline *lab = lab_new(&budgets[i]);
        play(lab, &copies, 2500);
        for (int fast = 0; fast < 2; fast++) {
            const kifu_options *options = &budgets[(i + 1) % BUDGETS];
            kifu_timeline *loaded = reload_fast(lab, options, fast);
            must_be_at(loaded, &copies, 2500);
            if (i % 2)
                look_at(loaded, &copies, 1200);
            undo_and_redo_all(loaded, &copies);
            go_anywhere(loaded, &copies, 40);
            kifu_destroy(loaded);

            loaded = reload_fast(lab, options, fast);
            go_anywhere(loaded, &copies, 40);
            must(loaded, kifu_run(loaded));
            must(loaded, kifu_verify_replay(loaded, NULL));
            kifu_destroy(loaded);
        }
        free(copies.states);
        kifu_destroy(lab);
    }
}
END_TEST

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

// With a budget of 32 of them, the way from the last keyframe is short compared with how long ago the place is: near
// the end short, and no place so far back that it begins at the beginning.
START_TEST(U10_keyframes_are_denser_towards_the_end)
{
    enum { EVENTS = 200000 };
    unsigned long dos = 0;
    kifu_options options = {.user = &dos, .keyframe_bytes = 32 * sizeof(lab_state)};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < EVENTS; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    for (uint32_t age = 2100; age < EVENTS; age += age / 9) {
        lab_state state;
        dos = 0;
        must(lab, kifu_state_at(lab, EVENTS - age, &state, sizeof state));
        ck_assert_int_eq(state.total, EVENTS - age);
        ck_assert_msg(dos <= 400 + age / 2, "%u events ago: %lu events", age, dos);
    }
    kifu_destroy(lab);
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

static size_t memory_after(kifu_timeline *lab, const test_memory *memory, int events)
{
    for (int i = 0; i < events; i++)
        lab_do(lab, 0, "+r", 1);
    must(lab, kifu_run(lab));
    return memory->bytes;
}

// A longer log needs more memory, and that is all.
START_TEST(U10_the_journal_is_bounded)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = 20000};
    kifu_timeline *lab = lab_new(&options);
    lab_submit_e_initialize(lab, SEEDED(seed));
    for (int i = 0; i < 2; i++) {
        size_t before = memory_after(lab, &memory, 40000);
        size_t per_event = (memory_after(lab, &memory, 40000) - before) / 40000;
        ck_assert_msg(per_event < 45, "%zu bytes per event", per_event);
        must(lab, kifu_begin(lab, 0)); // must keep all it needs, and only as long
        memory_after(lab, &memory, 40000);
        must(lab, kifu_commit(lab));
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
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

// Nothing is written over what an outer one has set aside.
START_TEST(U07_redo_behind_two_transactions_has_what_it_had)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_undo(lab));
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "3"));
    must(lab, kifu_undo(lab));
    must(lab, kifu_begin(lab, 0));
    must(lab, kifu_roll_back(lab));
    must(lab, lab_play(lab, "4"));
    must(lab, kifu_roll_back(lab));
    must(lab, kifu_redo(lab));
    ck_assert_str_eq(lab_trace(lab), "12");
    kifu_destroy(lab);
}
END_TEST

// Of the segments that roll backs leave, the largest is kept for later.
START_TEST(P05_roll_backs_of_ever_larger_events_leave_no_memory_behind)
{
    static char script[2 * 20000 + 1];
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    must(lab, lab_play(lab, "+"));
    for (int length = 200; length <= 20000; length *= 10) {
        must(lab, kifu_begin(lab, 0));
        for (int i = 0; i < length; i++)
            memcpy(script + 2 * i, "+-", 2);
        script[2 * length] = '\0';
        must(lab, lab_play(lab, script));
        must(lab, kifu_roll_back(lab));
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
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

// No block is written behind its end while it grows, and each goes at the end.
START_TEST(U10_many_transactions_and_many_undos_have_the_memory_that_they_need)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    for (int i = 0; i < 40; i++) {
        must(lab, lab_play(lab, "+(+)"));
        must(lab, kifu_begin(lab, 0));
    }
    for (int i = 0; i < 40; i++)
        must(lab, kifu_commit(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 80);
    for (int i = 0; i < 40; i++)
        must(lab, lab_play(lab, "+"));
    for (int i = 0; i < 40; i++)
        must(lab, kifu_undo(lab));
    for (int i = 0; i < 40; i++)
        must(lab, kifu_redo(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 120);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
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

START_TEST(U10_a_seek_costs_the_way_from_the_last_keyframe)
{
    unsigned long dos = 0;
    kifu_options options = {.user = &dos};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 50000; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    ck_assert_uint_eq(dos, 50000);
    for (uint32_t count = 100; count < 50000; count += 7001) {
        must(lab, kifu_seek(lab, KIFU_PRESENT));
        dos = 0;
        must(lab, kifu_seek(lab, count));
        ck_assert_int_eq(lab_get_state(lab)->total, count);
        ck_assert_msg(dos < 10000, "to event %u: %lu events", count, dos);
        dos = 0;
        lab_state state;
        must(lab, kifu_state_at(lab, 50000 - count, &state, sizeof state));
        ck_assert_int_eq(state.total, 50000 - count);
        ck_assert_msg(dos < 10000, "to event %u: %lu events", 50000 - count, dos);
        must(lab, kifu_seek(lab, 0));
        dos = 0;
        must(lab, kifu_seek(lab, count)); // and forward
        ck_assert_msg(dos < 10000, "on to event %u: %lu events", count, dos);
    }
    kifu_destroy(lab);
}
END_TEST

// --- No memory -------------------------------------------------------------------------------------------------------

static bool try_to_seek(kifu_timeline *lab, const copies *copies, test_memory *memory, long n, uint32_t from,
                        uint32_t to)
{
    must(lab, kifu_seek(lab, from));
    *memory = (test_memory){.until_failure = n, .blocks = memory->blocks, .bytes = memory->bytes};
    kifu_result result = kifu_seek(lab, to);
    memory->until_failure = -1;
    if (!result) {
        must_be_at(lab, copies, to == KIFU_PRESENT ? copies->count : to);
        return memory->failed;
    }
    ck_assert(memory->failed);
    ck_assert_int_eq(result, KIFU_NO_MEMORY);
    must_say(lab, "memory");
    must_be_at(lab, copies, kifu_position(lab));
    ck_assert_uint_eq(kifu_event_count(lab), copies->count);
    must(lab, kifu_seek(lab, to));
    must_be_at(lab, copies, to == KIFU_PRESENT ? copies->count : to);
    return true;
}

START_TEST(U10_a_seek_without_memory_loses_nothing)
{
    for (int budget = 0; budget < BUDGETS; budget++) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = budgets[budget];
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        copies copies;
        kifu_timeline *lab = lab_new(&options);
        play(lab, &copies, 1500);
        static const uint32_t ways[][2] = {{KIFU_PRESENT, 1490}, {KIFU_PRESENT, 3}, {3, 700}, {700, KIFU_PRESENT}};
        for (int way = 0; way < 4; way++)
            for (int loaded = 0; loaded < 3; loaded++) {
                for (long n = 0, more = 1; more; n++) {
                    kifu_timeline *each = loaded ? reload_fast(lab, &options, loaded == 2) : lab;
                    more = try_to_seek(each, &copies, &memory, n, ways[way][0], ways[way][1]);
                    if (loaded)
                        kifu_destroy(each);
                    else
                        must(lab, kifu_seek(lab, KIFU_PRESENT));
                }
            }
        free(copies.states);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

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

int main(void)
{
    const TTest *const tests[] = {
        U10_journal_keyframe_and_start_agree,
        U10_a_game_longer_than_the_journal_goes_anywhere,
        U10_undo_goes_past_the_journal_to_the_beginning,
        U10_a_loaded_game_has_the_same_past,
        U10_keyframes_stay_in_their_budget,
        U10_keyframes_are_denser_towards_the_end,
        U10_keyframes_for_states_of_any_size,
        U10_few_keyframes_are_as_many_as_the_budget_allows,
        U10_a_seek_beyond_the_journal_begins_it_anew,
        U10_the_journal_is_bounded,
        U07_redo_behind_two_transactions_has_what_it_had,
        U07_events_go_behind_what_a_roll_back_and_redo_brought_back,
        U10_memory_may_end_where_a_keyframe_is_due,
        P05_roll_backs_of_ever_larger_events_leave_no_memory_behind,
        U10_many_transactions_and_many_undos_have_the_memory_that_they_need,
        U10_the_journal_of_a_long_transaction_begins_where_that_began,
        U10_the_journal_is_bounded_however_much_an_event_edits,
        U10_a_seek_costs_the_way_from_the_last_keyframe,
        U10_a_seek_without_memory_loses_nothing,
        M08_U08_an_undo_that_is_refused_searches_for_segments_and_not_for_each_event,
    };
    return run_suite("history", tests, sizeof tests / sizeof *tests);
}
