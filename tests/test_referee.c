// A referee and its clients: games over messages that are lost, doubled, late and out of order.

#include "referee_help.h"
#include "suite.h"

START_TEST(W07_two_clients_play_a_game_to_its_end)
{
    world world = {0};
    kifu_token tokens[2];
    create_world(&world, &(kifu_loopback_faults){.seed = 1});
    open_game(&world, "one", 2, tokens);
    guest *a = add_guest(&world, "one", tokens[0].text), *b = add_guest(&world, "one", tokens[1].text);
    guest *spectator = add_guest(&world, "one", NULL);
    for (int i = 0; i < 1000 && !is_over(kifu_client_timeline(a->client)); i++) {
        play_nim(a);
        play_nim(b);
        pass_time(&world, UINT64_MAX);
    }
    pass_all_until(&world, world.now + 20000);
    must_be(is_over(kifu_client_timeline(a->client)));
    ck_assert_int_eq(kifu_client_seat(a->client), 0);
    ck_assert_int_eq(kifu_client_seat(b->client), 1);
    ck_assert_int_eq(kifu_client_seat(spectator->client), -1);
    for (uint32_t i = 0; i < world.guest_count; i++)
        expect_same_state(&world, "one", &world.guests[i]);
    must_be(a->done + b->done > 3 && !a->refused && !b->refused && !a->stale && !b->stale);
    destroy_world(&world);
}
END_TEST

// --- Messages go wrong, and the referee is killed -------------------------------------------------------------------------

enum { TABLES = 4 };

static void begin_tables(world *world)
{
    for (uint32_t i = 0; i < TABLES; i++) {
        char name[20];
        kifu_token tokens[4];
        const uint32_t seats = 2 + i % 3;
        snprintf(name, sizeof name, "table-%u", i);
        open_game(world, name, seats, tokens);
        for (uint32_t j = 0; j < seats; j++)
            add_guest(world, name, tokens[j].text);
        add_guest(world, name, NULL);
    }
}

static bool are_over(world *world)
{
    bool over = true;
    for (uint32_t i = 0; i < world->guest_count; i++)
        over = over && is_over(kifu_client_timeline(world->guests[i].client));
    return over;
}

static void play_tables(world *world, uint32_t kills)
{
    for (int i = 0; i < 200000 && !are_over(world); i++) {
        guest *guest = &world->guests[kifu_rng_below(&world->rng, world->guest_count)];
        if (!kifu_rng_below(&world->rng, 4))
            play_nim(guest);
        if (kifu_rng_below(&world->rng, 1000) < kills)
            restart_referee(world);
        pass_time(world, UINT64_MAX);
    }
    pass_all_until(world, world->now + 60000);
}

static void expect_each_move_once(world *world)
{
    for (uint32_t i = 0; i < world->guest_count; i++) {
        guest *guest = &world->guests[i];
        kifu_timeline *timeline = kifu_client_timeline(guest->client);
        const int seat = kifu_client_seat(guest->client);
        must_be(is_over(timeline));
        expect_same_state(world, guest->game, guest);
        ck_assert_uint_eq(kifu_client_waits(guest->client), 0);
        if (seat >= 0)
            ck_assert_uint_eq(count_moves(game_of(world, guest->game), seat), guest->done);
    }
}

START_TEST(W07_games_come_to_the_same_end_for_all_whatever_happens_to_messages)
{
    for (uint32_t seed = 1; seed <= fuzz_steps(20); seed++) {
        world world = {.options.idle_ms = 3000};
        const kifu_loopback_faults faults = {
            .seed = seed + fuzz_seed(), .lost = seed * 37 % 300, .doubled = seed * 53 % 300, .late_ms = seed * 71 % 900};
        create_world(&world, &faults);
        begin_tables(&world);
        play_tables(&world, 0);
        expect_each_move_once(&world);
        destroy_world(&world);
    }
}
END_TEST

START_TEST(W07_a_referee_that_was_killed_is_replaced_by_another_with_nothing_lost_and_nothing_twice)
{
    for (uint32_t seed = 1; seed <= fuzz_steps(20); seed++) {
        char folder[200];
        make_folder(folder);
        world world = {.options.idle_ms = 3000, .options.folder = folder};
        const kifu_loopback_faults faults = {
            .seed = seed + fuzz_seed(), .lost = seed * 37 % 300, .doubled = seed * 53 % 300, .late_ms = seed * 71 % 900};
        create_world(&world, &faults);
        begin_tables(&world);
        play_tables(&world, 20);
        expect_each_move_once(&world);
        destroy_world(&world);
        remove_folder(folder);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W07_two_clients_play_a_game_to_its_end,
        W07_games_come_to_the_same_end_for_all_whatever_happens_to_messages,
        W07_a_referee_that_was_killed_is_replaced_by_another_with_nothing_lost_and_nothing_twice,
    };
    return run_suite("referee", tests, sizeof tests / sizeof *tests);
}
