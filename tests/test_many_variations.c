// Variations, thousands of them: what is done costs what it costs with few. Shown by counting.

#include "many_lines_help.h"

// --- A new line ------------------------------------------------------------------------------------------------------

// Calls for memory of one more line beside so many.
static long calls_beside(uint32_t count)
{
    test_memory memory;
    kifu_timeline *timeline = new_tally(&memory);
    play(timeline, 0);
    fan_out_here(timeline, count);
    const long before = memory.calls;
    play(timeline, other(count));
    const long calls = memory.calls - before;
    must(timeline, kifu_undo(timeline));
    for (uint32_t i = 0; i < count; i += 7) { // Each is found.
        play(timeline, other(i));
        must_be(kifu_current_line(timeline) == i);
        must(timeline, kifu_undo(timeline));
    }
    must_be(kifu_line_count(timeline) == count + 1);
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
    return calls;
}

START_TEST(V10_one_more_variation_from_a_place_costs_what_the_first_did)
{
    ck_assert_int_le(calls_beside(5 * MANY), calls_beside(10) + 4);
}
END_TEST

START_TEST(V10_lines_that_were_deleted_are_not_looked_at)
{
    test_memory memory;
    kifu_timeline *timeline = new_tally(&memory);
    long calls = 0;
    play(timeline, 0);
    play(timeline, 1);
    must(timeline, kifu_undo(timeline));
    for (uint32_t i = 1; i < MANY; i++) {
        const long before = memory.calls;
        play(timeline, 2);
        calls = memory.calls - before;
        must_be(kifu_current_line(timeline) == i);
        must(timeline, kifu_go_to(timeline, 0, 1, false));
        must(timeline, kifu_delete_line(timeline, i));
    }
    ck_assert_int_le(calls, 30);
    kifu_destroy(timeline);
}
END_TEST

// A move beside the end of a long line.
START_TEST(V10_a_variation_of_one_move_needs_little_memory)
{
    test_memory memory;
    kifu_timeline *timeline = new_tally(&memory);
    play_many(timeline, 20 * MANY);
    must(timeline, kifu_undo(timeline));
    fan_out_here(timeline, 10);
    const size_t before = memory.bytes;
    for (uint32_t i = 0; i < 32; i++) {
        play(timeline, i);
        must(timeline, kifu_undo(timeline));
    }
    ck_assert_uint_le((memory.bytes - before) / 32, 2048);
    kifu_destroy(timeline);
}
END_TEST

// --- Ways ------------------------------------------------------------------------------------------------------------

// From some allocation on, all fail. Once there is memory again, redo leads from where the game is to the line's end.
START_TEST(V01_without_memory_on_the_way_redo_is_still_there)
{
    enum { MOVES = 20, FROM = 10 };
    test_memory memory = {.failed = true};
    for (long fail_at = 0; memory.failed; fail_at++) {
        kifu_timeline *timeline = new_tally(&memory);
        play_many(timeline, MOVES);
        must(timeline, kifu_go_to(timeline, 0, FROM, false));
        play(timeline, other(0));
        play(timeline, other(1));
        memory.until_failure = fail_at;
        memory.for_ever = true;
        const kifu_result result = kifu_go_to(timeline, 0, 0, false);
        must_be(!result || (result == KIFU_NO_MEMORY && memory.failed));
        memory.until_failure = -1;
        while (!kifu_redo(timeline))
            ;
        const uint32_t line = kifu_current_line(timeline);
        ck_assert_uint_eq(line, result ? 1 : 0);
        ck_assert_uint_eq(kifu_event_count(timeline), line ? FROM + 2 : MOVES);
        must(timeline, kifu_go_to(timeline, 1, FROM + 2, false));
        must(timeline, kifu_go_to(timeline, 0, MOVES, false));
        ck_assert_int_eq(tally_get_state(timeline)->total, MOVES * (MOVES + 1) / 2);
        kifu_destroy(timeline);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// --- Looking, and deleting -------------------------------------------------------------------------------------------

// Which lines branch off from which, as parents say it.
START_TEST(F93_what_branches_off_goes_after_lines_came_and_went)
{
    kifu_rng rng;
    kifu_line line, each;
    kifu_rng_seed(&rng, 93, 1);
    for (int game = 0; game < 40; game++) {
        kifu_timeline *timeline = new_tally(NULL);
        play(timeline, 0);
        for (uint32_t i = 0; i < 120; i++) {
            must_be(kifu_line_at(timeline, kifu_rng_below(&rng, kifu_line_count(timeline)), &line));
            if (kifu_rng_below(&rng, 3)) {
                must(timeline, kifu_go_to(timeline, line.id, kifu_rng_below(&rng, line.from + line.count + 1), false));
                play(timeline, kifu_rng_below(&rng, 6)); // Often, that is there.
                continue;
            }
            bool goes[200] = {false}, leads = false;
            uint32_t left = 0;
            for (uint32_t k = 0; kifu_line_at(timeline, k, &each); k++) {
                goes[each.id] = each.id == line.id || (each.parent != each.id && goes[each.parent]);
                left += !goes[each.id];
                leads |= goes[each.id] && each.current;
            }
            const kifu_result result = kifu_delete_line(timeline, line.id);
            must_be(result == (leads ? KIFU_MISUSE : KIFU_OK));
            must_be(result || kifu_line_count(timeline) == left);
            for (uint32_t k = 0; !result && kifu_line_at(timeline, k, &each); k++)
                must_be(!goes[each.id]);
            must_be(kifu_find_line(timeline, kifu_main_line(timeline), &each));
        }
        must(timeline, kifu_verify_replay(timeline, NULL));
        kifu_destroy(timeline);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V10_one_more_variation_from_a_place_costs_what_the_first_did,
        V10_lines_that_were_deleted_are_not_looked_at,
        V10_a_variation_of_one_move_needs_little_memory,
        V01_without_memory_on_the_way_redo_is_still_there,
        F93_what_branches_off_goes_after_lines_came_and_went,
    };
    return run_suite("many variations", tests, sizeof tests / sizeof *tests);
}
