// The memory of a bot's trees: its limit, and what a bot with such trees chooses.

#include "bot_help.h"
#include "history_help.h"
#include "suite.h"

extern int threads_left; // few_threads.c

// --- The limit -------------------------------------------------------------------------------------------------------

// The most bytes in use at once while a bot thinks, above those in use before.
static size_t bytes_to_think(const kifu_thinking *thinking)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.quiet = true, .allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *timeline = hazard_new(1, &options);
    threads_left = 0; // because test_allocate is not for several threads
    const size_t before = memory.peak = memory.bytes;
    choice(timeline, &cheat, thinking);
    threads_left = -1;
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
    return memory.peak - before;
}

// Beside the trees there are copies of the game, their journals, lists of moves and the plan of a round: `beside` at
// most above what there is of them with the first moves alone.
static void check_limits(uint32_t tries, const uint32_t limits[3], size_t beside)
{
    kifu_thinking thinking = {.tries = tries, .threads = 3, .memory = 1};
    const size_t least = bytes_to_think(&thinking);
    for (size_t i = 0; i < 3; i++) {
        thinking.memory = limits[i];
        const size_t peak = bytes_to_think(&thinking);
        ck_assert_uint_le(peak, least + limits[i] + beside);
        ck_assert_uint_ge(peak, limits[i] / 4 * 3);
    }
    thinking.memory = 0;
    const size_t usual = bytes_to_think(&thinking);
    ck_assert_uint_gt(usual, least + limits[2] + beside);
    thinking.memory = 256 << 20;
    ck_assert_uint_eq(usual, bytes_to_think(&thinking));
}

START_TEST(X05_trees_take_no_more_bytes_than_they_may)
{
    check_limits(1000, (const uint32_t[]){5000, 33333, 100000}, 5000);
    check_limits(30000, (const uint32_t[]){50000, 777777, 2000000}, 200000);
}
END_TEST

// --- A full tree -----------------------------------------------------------------------------------------------------

START_TEST(X05_full_trees_choose_the_same_with_any_number_of_threads)
{
    static const uint32_t threads[] = {2, 4, 16};
    kifu_timeline *timeline = reversi_new(1);
    kifu_thinking thinking = {.tries = SLOW ? 8100 : 33000, .memory = 200000};
    const uint32_t alone = choice(timeline, &reversi_bot, &thinking);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        thinking.threads = threads[i];
        ck_assert_uint_eq(choice(timeline, &reversi_bot, &thinking), alone);
    }
    kifu_destroy(timeline);
}
END_TEST

// --- Moves that are listed twice -------------------------------------------------------------------------------------

static void list_one_twice(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)timeline, (void)player;
    for (int32_t i = 0; i < 3; i++)
        hazard_add_p_any(moves, i / 2);
}

static kifu_result score_by_number(kifu_timeline *timeline, const hazard_p_any *any)
{
    *hazard_edit_score(timeline, 0) += (uint16_t)(3 * any->number);
    return KIFU_OK;
}

START_TEST(X05_a_move_that_is_listed_twice_takes_no_other_ones_place)
{
    kifu_rules rules = hazard_rules;
    rules.list = only_any;
    kifu_timeline *timeline = create(&rules, NULL);
    must(timeline, hazard_begin(timeline, 1));
    hazard_test = (hazard_hooks){.list = list_one_twice, .act = score_by_number};
    ck_assert_uint_eq(choice(timeline, &cheat, &(kifu_thinking){.tries = 300}), 2);
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X05_trees_take_no_more_bytes_than_they_may,
        X05_full_trees_choose_the_same_with_any_number_of_threads,
        X05_a_move_that_is_listed_twice_takes_no_other_ones_place,
    };
    return run_suite("bot_memory", tests, sizeof tests / sizeof *tests);
}
