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

int main(void)
{
    const TTest *const tests[] = {W07_two_clients_play_a_game_to_its_end};
    return run_suite("referee", tests, sizeof tests / sizeof *tests);
}
