// Random games of one example (JSON_GAME), played by the hooks of its fuzzer, become JSON and saves and come back.

#include "random_game.h"
#include "there_and_back.h"

#define JOIN(a, b) a##b
#define NAME(game, what) JOIN(game, what)

extern const kifu_rules NAME(JSON_GAME, _rules);
extern const kifu_fuzz_hooks NAME(JSON_GAME, _fuzz_hooks);

static void play_one(uint64_t seed, uint32_t steps)
{
    const kifu_fuzz_hooks *hooks = &NAME(JSON_GAME, _fuzz_hooks);
    static const char *const players[] = {"Ann \"the\" \xc3\xa4", "Bob"};
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 7);
    kifu_options options = {.quiet = true, .hash_interval = 1 + kifu_rng_below(&rng, 40)};
    if (hooks->options)
        hooks->options(&options);
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(kifu_create(&NAME(JSON_GAME, _rules), &options, &timeline, &error), KIFU_OK);
    hooks->begin(timeline, &rng);
    kifu_result ignored = kifu_run(timeline);
    for (uint32_t i = 0; i < steps; i++)
        do_something(timeline, hooks, &rng);
    for (uint32_t i = kifu_rng_below(&rng, 3); i > 0; i--)
        ignored = kifu_undo(timeline);
    if (kifu_rng_below(&rng, 2))
        submit_something(timeline, hooks, &rng);
    (void)ignored;
    const kifu_save_options how = {
        .title = kifu_rng_below(&rng, 2) ? "A game" : NULL,
        .players = players,
        .player_count = kifu_rng_below(&rng, 3),
        .thumbnail = "\0\1\2\3",
        .thumbnail_size = kifu_rng_below(&rng, 5),
        .without_snapshot = kifu_rng_below(&rng, 4) == 0,
    };
    there_and_back(timeline, &how);
    kifu_destroy(timeline);
    if (hooks->dispose)
        hooks->dispose(&options);
}

// 10,000 games in `./dev fuzz`.
START_TEST(B06_random_games_go_there_and_back)
{
    const unsigned long games = fuzz_steps(400) / 10;
    for (unsigned long i = 0; i < games; i++)
        play_one(fuzz_seed() * 1000003 + i, (uint32_t)(i * 37 % 120));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {B06_random_games_go_there_and_back};
    return run_suite("json_games", tests, sizeof tests / sizeof *tests);
}
