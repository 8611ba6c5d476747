// Bots in whole games: how strong they are, and threads. These take seconds; test_bot.c does not.

#include "ai.h"
#include "bot_help.h"
#include "suite.h"
#include "triggers.h"

// --- Strength --------------------------------------------------------------------------------------------------------

// What a whole game was worth for `player`, who thinks; the other one plays at random.
static double play_against_random(kifu_timeline *timeline, const kifu_bot *bot, const kifu_thinking *thinking,
                                  int player, kifu_rng *rng)
{
    kifu_moves moves = {0};
    const kifu_game *game = kifu_get_game(timeline);
    while (game->phase != KIFU_PHASE_GAME_OVER) {
        const kifu_move *move;
        const int turn = current(timeline);
        if (turn == player)
            must(timeline, kifu_choose_move(timeline, turn, bot, thinking, &moves, &move));
        else
            must(timeline, kifu_choose_any_move(timeline, turn, rng, &moves, &move));
        ck_assert_ptr_nonnull(move);
        kifu_submit_move(timeline, move);
        must(timeline, kifu_run(timeline));
    }
    kifu_free_moves(&moves);
    double worth[2] = {0};
    bot->judge(timeline, worth);
    return worth[player];
}

START_TEST(X05_it_beats_the_random_bot_of_reversi)
{
    const int games = SLOW ? 5 : 20;
    int won = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 1);
    for (int i = 0; i < games; i++) {
        kifu_timeline *timeline = reversi_new((uint64_t)i);
        const kifu_thinking thinking = {.tries = 1000, .seed = (uint64_t)i};
        won += play_against_random(timeline, &reversi_bot, &thinking, i & 1, &rng) == 1;
        kifu_destroy(timeline);
    }
    ck_assert_msg(won * 100 >= (SLOW ? 60 : 95) * games, "won %d of %d", won, games);
}
END_TEST

// By hidden cards and dice, Duel is a game of luck; and a hundred tries a step are few.
START_TEST(X05_it_beats_the_random_bot_of_duel)
{
    const kifu_options options = {.quiet = true, .observers = duel_triggers};
    const int games = SLOW ? 2 : 20;
    int won = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 1);
    for (int i = 0; i < games; i++) {
        kifu_timeline *timeline = create(&duel_rules, &options);
        must(timeline, duel_begin(timeline, &(uint64_t){(uint64_t)i}));
        const kifu_thinking thinking = {.tries = 100, .seed = (uint64_t)i};
        won += play_against_random(timeline, &duel_bot, &thinking, i & 1, &rng) == 1;
        kifu_destroy(timeline);
    }
    ck_assert_msg(won * 100 >= 80 * games, "won %d of %d", won, games);
}
END_TEST

// --- Threads ---------------------------------------------------------------------------------------------------------

START_TEST(X05_any_number_of_threads_chooses_the_same)
{
    static const uint32_t threads[] = {2, 3, 8, 100};
    bool differs = false;
    kifu_timeline *timelines[] = {hazard_new(1, NULL), reversi_new(1)};
    const kifu_bot *const bots[] = {&fair, &reversi_bot};
    for (int game = 0; game < 2; game++) {
        kifu_thinking thinking = {.tries = SLOW ? 8100 : 18400, .seed = 1};
        const uint32_t alone = choice(timelines[game], bots[game], &thinking);
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            thinking.threads = threads[i];
            ck_assert_uint_eq(choice(timelines[game], bots[game], &thinking), alone);
        }
        thinking.seed += 1000;
        differs = differs || choice(timelines[game], bots[game], &thinking) != alone;
        kifu_destroy(timelines[game]);
    }
    ck_assert(SLOW || differs); // so the choice is not the only one
}
END_TEST

START_TEST(X05_sixteen_threads_choose_the_same)
{
    static const uint32_t threads[] = {1, 2, 4};
    kifu_timeline *timeline = hazard_new(1, NULL);
    kifu_thinking thinking = {.tries = SLOW ? 8000 : 100000, .threads = 16};
    const uint32_t together = choice(timeline, &cheat, &thinking);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        thinking.threads = threads[i];
        ck_assert_uint_eq(choice(timeline, &cheat, &thinking), together);
    }
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X05_it_beats_the_random_bot_of_reversi,
        X05_it_beats_the_random_bot_of_duel,
        X05_any_number_of_threads_chooses_the_same,
        X05_sixteen_threads_choose_the_same,
    };
    return run_suite("bot games", tests, sizeof tests / sizeof *tests);
}
