// Trying events and taking them back, and asking what may be played: kifu/search.h.

#include "reversi_help.h"
#include "save/writer.h"
#include "suite.h"

static kifu_result try_place(kifu_timeline *timeline, int player, int square)
{
    return reversi_try_p_place(timeline, player, &(reversi_p_place_args){.square = (uint8_t)square, .seconds = -1});
}

static bool can_place(kifu_timeline *timeline, int player, int square)
{
    return reversi_can_p_place(timeline, player, &(reversi_p_place_args){.square = (uint8_t)square, .seconds = -1});
}

static kifu_timeline *fork_of(const kifu_timeline *timeline)
{
    kifu_timeline *fork;
    ck_assert_int_eq(kifu_fork(timeline, KIFU_PRESENT, NULL, &fork, NULL), KIFU_OK);
    return fork;
}

// As a save has it.
static void must_be_same(kifu_timeline *one, kifu_timeline *other)
{
    unsigned char *bytes[2];
    size_t sizes[2];
    must(one, kifu__save_to_memory_at(one, NULL, 1, &bytes[0], &sizes[0]));
    must(other, kifu__save_to_memory_at(other, NULL, 1, &bytes[1], &sizes[1]));
    ck_assert_uint_eq(sizes[0], sizes[1]);
    ck_assert_mem_eq(bytes[0], bytes[1], sizes[0]);
    kifu_free_bytes(one, bytes[0]);
    kifu_free_bytes(other, bytes[1]);
    same_game(one, other);
}

// What happened in a try is what happened in a game where it was played.
static void must_have_happened(const kifu_timeline *tried, const kifu_timeline *played)
{
    ck_assert_mem_eq(kifu_state(tried), kifu_state(played), sizeof(reversi_state));
    ck_assert_uint_eq(kifu_event_count(tried), kifu_event_count(played));
    ck_assert_uint_eq(kifu_pending_count(tried), 0);
    for (uint32_t i = 0; i < kifu_event_count(tried); i++) {
        kifu_event one, other;
        ck_assert(kifu_event_at(tried, i, &one) && kifu_event_at(played, i, &other));
        ck_assert(one.type == other.type && one.player == other.player && one.cause == other.cause);
        ck_assert(one.flags == other.flags && one.rules_version == other.rules_version && one.index == other.index);
    }
    reversi_state states[2];
    const uint32_t before = kifu_event_count(tried) - 1;
    ck_assert_int_eq(kifu_state_at((kifu_timeline *)(uintptr_t)tried, before, &states[0], sizeof *states), KIFU_OK);
    ck_assert_int_eq(kifu_state_at((kifu_timeline *)(uintptr_t)played, before, &states[1], sizeof *states), KIFU_OK);
    ck_assert_mem_eq(&states[0], &states[1], sizeof *states);
}

START_TEST(X01_a_try_gives_the_state_that_playing_gives)
{
    kifu_timeline *timeline = reversi_new(1), *untouched = fork_of(timeline);
    for (int move = 0; move < 60; move++) {
        const int player = reversi_current(timeline);
        int legal = -1;
        for (int square = 0; square < 66; square++) {
            kifu_timeline *played = fork_of(timeline);
            reversi_submit_p_place(played, player, &(reversi_p_place_args){.square = (uint8_t)square, .seconds = -1});
            const kifu_result result = kifu_run(played);
            ck_assert_int_eq(can_place(timeline, player, square), !result);
            ck_assert(result || kifu_last_error(timeline)->message[0]);
            ck_assert_int_eq(try_place(timeline, player, square), result);
            must_have_happened(timeline, played);
            if (!result) {
                legal = square;
                ck_assert_uint_eq(kifu_open_tries(timeline), 1);
                must(timeline, kifu_take_back(timeline));
            }
            ck_assert_uint_eq(kifu_open_tries(timeline), 0);
            kifu_destroy(played);
        }
        must_be_same(timeline, untouched);
        if (legal < 0)
            break;
        must(timeline, reversi_place(timeline, legal));
        must(untouched, reversi_place(untouched, legal));
    }
    kifu_destroy(untouched);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(X02_while_a_try_is_open_nothing_else_may_happen)
{
    kifu_timeline *timeline = reversi_new(1), *fork;
    must(timeline, reversi_place(timeline, board_square("d3")));
    ck_assert_int_eq(kifu_take_back(timeline), KIFU_MISUSE);
    ck_assert_text(timeline, "no try is open");
    must(timeline, try_place(timeline, reversi_current(timeline), board_square("c3")));
    must(timeline, try_place(timeline, reversi_current(timeline), board_square("c4")));
    kifu_error error;
    unsigned char *bytes;
    size_t size;
    const kifu_result results[] = {
        kifu_run(timeline),
        kifu_step(timeline),
        kifu_update(timeline, 1),
        kifu_undo(timeline),
        kifu_redo(timeline),
        kifu_begin(timeline, 0),
        kifu_begin(timeline, KIFU_SEARCH),
        kifu_commit(timeline),
        kifu_roll_back(timeline),
        kifu_seek(timeline, 0),
        kifu_drop_inputs(timeline),
        kifu_save_to_memory(timeline, NULL, &bytes, &size),
        kifu_verify_replay(timeline, NULL),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        ck_assert_int_eq(results[i], KIFU_MISUSE);
    ck_assert_text(timeline, "while a try is open: call kifu_take_back first");
    ck_assert_int_eq(kifu_fork(timeline, KIFU_PRESENT, NULL, &fork, &error), KIFU_MISUSE);
    ck_assert(strstr(error.message, "while a try is open"));
    ck_assert_uint_eq(kifu_can_undo(timeline, &error), 0);
    ck_assert(strstr(error.message, "while a try is open"));
    ck_assert_uint_eq(reversi_submit_p_resign(timeline, 0), 0);
    ck_assert_int_eq(kifu_take_back(timeline), KIFU_MISUSE); // It reports the submit,
    ck_assert_text(timeline, "was submitted while a try is open");
    ck_assert_uint_eq(kifu_open_tries(timeline), 1); // and has done its work.
    must(timeline, kifu_take_back(timeline));
    ck_assert_uint_eq(kifu_open_tries(timeline), 0);
    must(timeline, kifu_undo(timeline));
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X01_a_try_gives_the_state_that_playing_gives,
        X02_while_a_try_is_open_nothing_else_may_happen,
    };
    return run_suite("try", tests, sizeof tests / sizeof *tests);
}
