// Seek, and undo beyond the journal: by journal, by keyframe or from the beginning, it is one past, and what it costs.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "past_help.h"
#include "suite.h"

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

int main(void)
{
    const TTest *const tests[] = {
        U10_journal_keyframe_and_start_agree,
        U10_a_game_longer_than_the_journal_goes_anywhere,
        U10_undo_goes_past_the_journal_to_the_beginning,
        U10_a_loaded_game_has_the_same_past,
        U10_keyframes_are_denser_towards_the_end,
        U10_the_journal_is_bounded,
        U07_redo_behind_two_transactions_has_what_it_had,
        P05_roll_backs_of_ever_larger_events_leave_no_memory_behind,
        U10_many_transactions_and_many_undos_have_the_memory_that_they_need,
        U10_a_seek_costs_the_way_from_the_last_keyframe,
        U10_a_seek_without_memory_loses_nothing,
    };
    return run_suite("history", tests, sizeof tests / sizeof *tests);
}
