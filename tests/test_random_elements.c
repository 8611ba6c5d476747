// A mirror that listeners of elements alone keep is the state, whatever random games do.

#include "suite.h"
#include "zoo_help.h"

enum { MOST_OPEN = 3 };

typedef struct game {
    kifu_timeline *zoo;
    zoo_mirror *mirror;
    kifu_options options;
    kifu_rng rng;
    uint32_t open;
    bool searching[MOST_OPEN];
} game;

static uint32_t draw(game *game, uint32_t bound)
{
    return kifu_rng_below(&game->rng, bound);
}

// The listeners of what is made, loaded or forked next.
static zoo_mirror *next_mirror;

static kifu_result prepare(kifu_timeline *timeline)
{
    return zoo_reflect(next_mirror, timeline);
}

static zoo_mirror *new_mirror(void)
{
    next_mirror = malloc(sizeof *next_mirror);
    ck_assert_ptr_nonnull(next_mirror);
    return next_mirror;
}

static uint32_t random_script(game *game, uint8_t *script)
{
    static const char steps[] = "CCCccctttoBBBBbbmmapphhsssSxxggld>f";
    const uint32_t size = 4 * draw(game, 8);
    for (uint32_t i = 0; i < size; i++)
        script[i] =
            i % 4 == 0 ? (uint8_t)steps[draw(game, sizeof steps - 1)] : (uint8_t)draw(game, i % 4 == 3 ? 2 : 200);
    return size;
}

static void play(game *game)
{
    uint8_t script[40];
    for (uint32_t inputs = 1 + draw(game, 3); inputs; inputs--) {
        zoo_submit_p_do(game->zoo, 0, script, random_script(game, script));
        const kifu_result result = draw(game, 5) ? kifu_run(game->zoo) : kifu_step(game->zoo);
        must_be(result == KIFU_OK || result == KIFU_FAILED);
    }
}

static void walk(game *game)
{
    if (game->open)
        return;
    for (uint32_t steps = 1 + draw(game, 4); steps; steps--) {
        must(game->zoo, kifu_seek(game->zoo, draw(game, kifu_event_count(game->zoo) + 1)));
        zoo_must_reflect(game->mirror, game->zoo);
        must(game->zoo, kifu_play(game->zoo, kifu_position(game->zoo) < kifu_event_count(game->zoo)));
        if (draw(game, 2)) // a film of some events; in the present what waits happens
            must_be(kifu_update(game->zoo, 1.0) != KIFU_MISUSE);
        zoo_must_reflect(game->mirror, game->zoo);
    }
    must(game->zoo, kifu_seek(game->zoo, KIFU_PRESENT));
}

static void begin(game *game)
{
    if (game->open == MOST_OPEN || (game->open && game->searching[game->open - 1]))
        return;
    const uint32_t kind = draw(game, 3);
    must(game->zoo, kifu_begin(game->zoo, kind == 2 ? KIFU_SEARCH : kind ? KIFU_DEFERRED : 0));
    game->searching[game->open++] = kind == 2;
}

static void end(game *game, bool keep)
{
    if (!game->open)
        return;
    game->open--;
    must(game->zoo, keep && !game->searching[game->open] ? kifu_commit(game->zoo) : kifu_roll_back(game->zoo));
}

// The game goes on as what was loaded, or as its fork.
static void change_timeline(game *game, bool fork)
{
    if (game->open)
        return;
    kifu_timeline *old = game->zoo;
    zoo_mirror *old_mirror = game->mirror;
    game->mirror = new_mirror();
    game->zoo = fork ? fork_of(old, draw(game, kifu_event_count(old) + 1), &game->options)
                     : reload_fast(old, &game->options, draw(game, 2));
    kifu_destroy(old);
    free(old_mirror);
}

static void go_quiet(game *game)
{
    if (game->open)
        return;
    kifu_set_quiet(game->zoo, true);
    for (uint32_t steps = draw(game, 4); steps; steps--) {
        play(game);
        if (draw(game, 2))
            must_be(kifu_undo(game->zoo) != KIFU_MISUSE);
        if (draw(game, 3) == 0)
            must(game->zoo, kifu_seek(game->zoo, draw(game, kifu_event_count(game->zoo) + 1)));
        must(game->zoo, kifu_seek(game->zoo, KIFU_PRESENT));
    }
    while (kifu_run(game->zoo) != KIFU_OK)
        ;
    kifu_set_quiet(game->zoo, false);
    must(game->zoo, zoo_play(game->zoo, "d0=1")); // with it the listeners are told of all
}

static void one_step(game *game)
{
    const uint32_t choice = draw(game, 40);
    if (choice < 16)
        play(game);
    else if (choice < 21)
        must_be(kifu_undo(game->zoo) != KIFU_MISUSE);
    else if (choice < 25)
        must_be(kifu_redo(game->zoo) != KIFU_MISUSE);
    else if (choice < 28)
        walk(game);
    else if (choice < 31)
        begin(game);
    else if (choice < 36)
        end(game, choice < 33);
    else if (choice < 38)
        change_timeline(game, choice == 36);
    else
        go_quiet(game);
    if (!game->open || !game->searching[game->open - 1]) // which no view sees
        zoo_must_reflect(game->mirror, game->zoo);
}

static void play_one(uint64_t seed, unsigned long steps)
{
    static const size_t keyframe_bytes[] = {0, 1, 4 * sizeof(zoo_state)};
    game game = {.options = {.prepare = prepare}};
    kifu_rng_seed(&game.rng, seed, 17);
    game.options.keyframe_bytes = keyframe_bytes[draw(&game, 3)];
    game.options.sync_test = draw(&game, 8) == 0 ? kifu_sync_test : NULL;
    game.mirror = new_mirror();
    ck_assert_int_eq(kifu_create(&zoo_rules, &game.options, &game.zoo, NULL), KIFU_OK);
    if (draw(&game, 4) == 0) // further back than the journal reaches
        for (uint32_t i = 0; i < 1500; i++)
            must(game.zoo, zoo_play(game.zoo, i % 2 ? "C B t3=1" : "c3 b70 m9=3"));
    while (steps--)
        one_step(&game);
    while (game.open)
        end(&game, draw(&game, 2));
    zoo_must_reflect(game.mirror, game.zoo);
    must(game.zoo, kifu_verify_replay(game.zoo, NULL));
    zoo_must_reflect(game.mirror, game.zoo);
    kifu_destroy(game.zoo);
    free(game.mirror);
}

START_TEST(G08_a_mirror_kept_by_listeners_alone_is_the_state)
{
    unsigned long steps = fuzz_steps(20000);
    for (uint64_t seed = fuzz_seed(); steps > 0; seed++) {
        const unsigned long now = steps < 100 ? steps : 100;
        play_one(seed, now);
        steps -= now;
    }
    ck_assert(zoo_calls[0] && zoo_calls[1] && zoo_calls[2]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {G08_a_mirror_kept_by_listeners_alone_is_the_state};
    return run_suite("random elements", tests, sizeof tests / sizeof *tests);
}
