// Random games of an example, whose players are clients of a referee: messages go wrong, the referee is killed, players
// take moves back.

#include "referee_help.h"
#include "suite.h"

#include "kifu_fuzz.h"

#define PASTE(a, b) a##b
#define NAME(game, what) PASTE(game, what)
#define TEXT_OF(text) #text
#define TEXT(text) TEXT_OF(text)

extern const kifu_rules NAME(REFEREE_GAME, _rules);
extern const kifu_fuzz_hooks NAME(REFEREE_GAME, _fuzz_hooks);

static kifu_result begin(void *context, kifu_timeline *timeline, uint32_t seats)
{
    (void)seats;
    NAME(REFEREE_GAME, _fuzz_hooks).begin(timeline, &((world *)context)->rng);
    return kifu_run(timeline);
}

static void play(world *world, guest *guests[], bool undoes)
{
    for (int i = 0; i < 30000 && !is_over(kifu_client_timeline(guests[0]->client)); i++) {
        guest *guest = guests[kifu_rng_below(&world->rng, 2)], *other = guests[guest == guests[0]];
        play_at_random(guest);
        if (undoes && !kifu_rng_below(&world->rng, 20) && !kifu_client_waits(guest->client)) {
            const kifu_result ignored = kifu_client_undo(guest->client, world->now);
            (void)ignored;
        }
        if (other->asked && !kifu_rng_below(&world->rng, 4)) {
            must_be(!kifu_client_consent(other->client, kifu_rng_below(&world->rng, 2)));
            other->asked = 0;
        }
        if (world->options.folder && !kifu_rng_below(&world->rng, 200))
            restart_referee(world);
        pass_time(world, UINT64_MAX);
    }
    pass_all_until(world, world->now + 60000);
}

static void play_game(uint32_t seed, const char *folder)
{
    world world = {.options = {.begin = begin, .idle_ms = 20000, .folder = folder},
                   .rules = &NAME(REFEREE_GAME, _rules),
                   .predict = seed % 2};
    const kifu_loopback_faults faults = {
        .seed = seed, .lost = seed * 37 % 200, .doubled = seed * 53 % 200, .late_ms = seed * 71 % 300};
    const bool undoes = seed % 4 < 2;
    kifu_token tokens[2];
    guest *guests[3];
    create_world(&world, &faults);
    open_game(&world, "game", 2, tokens);
    for (int i = 0; i < 3; i++)
        guests[i] = add_guest(&world, "game", i < 2 ? tokens[i].text : NULL);
    play(&world, guests, undoes);
    const kifu_timeline *timeline = game_of(&world, "game");
    for (int i = 0; i < 3; i++) {
        expect_same_state(&world, "game", guests[i]);
        ck_assert_uint_eq(kifu_client_waits(guests[i]->client), 0);
    }
    for (int i = 0; i < 2 && !undoes; i++)
        ck_assert_uint_eq(count_moves(timeline, i), guests[i]->done);
    must_be(guests[0]->done > 5 && guests[1]->done > 5);
    if (getenv("REFEREE_REPORT"))
        printf("%u: %u events, %llu messages, %llu bytes, %u done, %u refused, %u stale\n", seed,
               kifu_event_count(timeline), (unsigned long long)world.messages, (unsigned long long)world.bytes,
               guests[0]->done + guests[1]->done, guests[0]->refused + guests[1]->refused,
               guests[0]->stale + guests[1]->stale);
    destroy_world(&world);
}

START_TEST(W07_random_games_over_bad_ways_are_the_same_for_all)
{
    for (unsigned long i = 0; i < fuzz_steps(8000) / 1000; i++)
        play_game((uint32_t)(fuzz_seed() + i), NULL);
}
END_TEST

START_TEST(W07_random_games_go_on_after_their_referee_was_killed)
{
    char folder[200];
    for (unsigned long i = 0; i < fuzz_steps(4000) / 1000; i++) {
        make_folder(folder);
        play_game((uint32_t)(fuzz_seed() + i), folder);
        remove_folder(folder);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W07_random_games_over_bad_ways_are_the_same_for_all,
        W07_random_games_go_on_after_their_referee_was_killed,
    };
    return run_suite("referee " TEXT(REFEREE_GAME), tests, sizeof tests / sizeof *tests);
}
