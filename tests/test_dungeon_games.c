// The bot plays dungeons of many seeds to the end. Now and then something is undone and done again; at the end the log
// is executed once more.

#include <stdio.h>

#include <check.h>

#include "bot.h"
#include "game.h"
#include "hooks.h"
#include "suite.h"

static void must(const kifu_timeline *timeline, kifu_result result)
{
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
}

// Some moves back, and forward again.
static void waver(kifu_timeline *timeline, kifu_rng *rng)
{
    uint64_t hash = kifu_state_hash(timeline);
    uint32_t undone = 0, most = 1 + kifu_rng_below(rng, 20);
    while (undone < most && kifu_can_undo(timeline, NULL)) {
        must(timeline, kifu_undo(timeline));
        undone++;
    }
    while (undone-- > 0)
        must(timeline, kifu_redo(timeline));
    ck_assert_uint_eq(kifu_state_hash(timeline), hash);
}

static void verify(kifu_timeline *timeline)
{
    unsigned char *bytes;
    size_t size;
    const kifu_options options = {.quiet = true};
    kifu_timeline *loaded;
    kifu_error error;
    must(timeline, kifu_verify_replay(timeline, NULL));
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    ck_assert_msg(!kifu_load_from_memory(&dungeon_rules, bytes, size, &options, NULL, &loaded, &error), "%s",
                  error.message);
    kifu_free_bytes(timeline, bytes);
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(timeline));
    kifu_destroy(loaded);
}

// Plays one dungeon and returns how many commands it took.
static uint32_t play(uint64_t seed)
{
    enum { MOST = 20000, PART = 100 };
    const kifu_options options = {.quiet = true, .observers = dungeon_hooks};
    kifu_timeline *timeline;
    kifu_error error;
    kifu_rng rng;
    uint32_t count = 0, part;
    kifu_rng_seed(&rng, seed, 1);
    ck_assert_msg(!kifu_create(&dungeon_rules, &options, &timeline, &error), "%s", error.message);
    must(timeline, dungeon_begin(timeline, &seed));
    const dungeon_state *state = dungeon_get_state(timeline);
    do {
        must(timeline, bot_play(timeline, PART, NULL, &part));
        count += part;
        waver(timeline, &rng);
    } while (!dungeon_is_over(state) && count < MOST);
    ck_assert_msg(dungeon_is_over(state), "the bot does not know what to do in dungeon %llu", (unsigned long long)seed);
    verify(timeline);
    kifu_destroy(timeline);
    return count;
}

// A step is a command of the bot: some 800 are a game, so that `./dev fuzz` plays more than a hundred.
START_TEST(U10_many_dungeons_are_played_to_their_ends)
{
    uint64_t seed = fuzz_seed();
    uint32_t games = 0;
    for (unsigned long steps = fuzz_steps(6000), done = 0; done < steps; games++)
        done += play(seed++);
    printf("%u dungeons from seed %lu on\n", games, fuzz_seed());
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {U10_many_dungeons_are_played_to_their_ends};
    return run_suite("dungeon games", tests, sizeof tests / sizeof *tests);
}
