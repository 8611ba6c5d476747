// The levels of Reversi's computer player: a higher one is a better one. These games take seconds.

#include "bot.h"
#include "match.h"
#include "sanitizers.h"
#include "suite.h"

// Sanitizers take their time.
#ifdef HAS_SHADOW
enum { SLOW = 1 };
#else
enum { SLOW = 0 };
#endif

static void beats(uint32_t level, uint32_t other, uint32_t pairs)
{
    match_score score;
    kifu_error error;
    ck_assert_msg(!match_play(level, other, pairs, 1, &score, &error), "%s", error.message);
    ck_assert_uint_eq(score.won + score.drawn + score.lost, 2 * pairs);
    ck_assert_msg(10 * (2 * score.won + score.drawn) >= 6 * 2 * 2 * pairs,
                  "level %u won %u, drew %u and lost %u against level %u", level, score.won, score.drawn, score.lost,
                  other);
}

START_TEST(F80_each_level_of_reversi_wins_six_of_ten_games_against_the_one_below)
{
    beats(2, 1, SLOW ? 10 : 20);
    beats(3, 2, SLOW ? 3 : 8);
    if (!SLOW)
        beats(4, 3, 4);
    for (uint32_t level = 2; level <= BOT_LEVELS; level++)
        ck_assert_uint_ge(bot_tries(level), 4 * bot_tries(level - 1));
}
END_TEST

START_TEST(F80_a_match_can_be_played_again)
{
    match_score one, two;
    kifu_error error;
    ck_assert(!match_play(1, 1, 2, 5, &one, &error) && !match_play(1, 1, 2, 5, &two, &error));
    ck_assert_mem_eq(&one, &two, sizeof one);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F80_each_level_of_reversi_wins_six_of_ten_games_against_the_one_below,
        F80_a_match_can_be_played_again,
    };
    return run_suite("reversi_levels", tests, sizeof tests / sizeof *tests);
}
