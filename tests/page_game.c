// page_game_reversi SEED STEPS FILE: saves a random game of one example (PAGE_GAME), played by the hooks of its fuzzer.

#include <stdio.h>
#include <stdlib.h>

#include "random_game.h"

#define JOIN(a, b) a##b
#define NAME(game, what) JOIN(game, what)

extern const kifu_rules NAME(PAGE_GAME, _rules);
extern const kifu_fuzz_hooks NAME(PAGE_GAME, _fuzz_hooks);

static kifu_result play(kifu_timeline *timeline, kifu_rng *rng, long steps)
{
    const kifu_fuzz_hooks *hooks = &NAME(PAGE_GAME, _fuzz_hooks);
    hooks->begin(timeline, rng);
    const kifu_result result = kifu_run(timeline);
    for (long i = 0; i < steps && !result; i++)
        do_something(timeline, hooks, rng);
    return result;
}

int main(int argc, char **argv)
{
    static const char *const players[] = {"Ann", "Bob"};
    const kifu_fuzz_hooks *hooks = &NAME(PAGE_GAME, _fuzz_hooks);
    const kifu_save_options how = {.title = "A random game", .players = players, .player_count = 2};
    kifu_options options = {.quiet = true};
    kifu_timeline *timeline;
    kifu_error error;
    kifu_rng rng;
    if (argc != 4)
        return 2;
    kifu_rng_seed(&rng, strtoull(argv[1], NULL, 10), 7);
    if (hooks->options)
        hooks->options(&options);
    kifu_result result = kifu_create(&NAME(PAGE_GAME, _rules), &options, &timeline, &error);
    if (!result)
        result = play(timeline, &rng, strtol(argv[2], NULL, 10));
    if (!result)
        result = kifu_save(timeline, argv[3], &how);
    if (result)
        fprintf(stderr, "%s\n", timeline ? kifu_last_error(timeline)->message : error.message);
    kifu_destroy(timeline);
    if (hooks->dispose)
        hooks->dispose(&options);
    return result ? 1 : 0;
}
