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
        play_at_random(a);
        play_at_random(b);
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

// --- Messages go wrong, and the referee is killed
// -------------------------------------------------------------------------

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
            play_at_random(guest);
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
    for (uint32_t seed = 1; seed <= fuzz_steps(8000) / 1000; seed++) {
        world world = {.options.idle_ms = 3000};
        const kifu_loopback_faults faults = {.seed = seed + fuzz_seed(),
                                             .lost = seed * 37 % 300,
                                             .doubled = seed * 53 % 300,
                                             .late_ms = seed * 71 % 900};
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
    for (uint32_t seed = 1; seed <= fuzz_steps(8000) / 1000; seed++) {
        char folder[200];
        make_folder(folder);
        world world = {.options.idle_ms = 3000, .options.folder = folder};
        const kifu_loopback_faults faults = {.seed = seed + fuzz_seed(),
                                             .lost = seed * 37 % 300,
                                             .doubled = seed * 53 % 300,
                                             .late_ms = seed * 71 % 900};
        create_world(&world, &faults);
        begin_tables(&world);
        play_tables(&world, 8);
        expect_each_move_once(&world);
        destroy_world(&world);
        remove_folder(folder);
    }
}
END_TEST

// --- Undo ------------------------------------------------------------------------------------------------------------

/// Three players, who have made two rounds.
static void begin_three(world *world, const char *folder, guest *guests[3])
{
    kifu_token tokens[3];
    world->options.folder = folder;
    create_world(world, &(kifu_loopback_faults){.seed = 3});
    open_game(world, "three", 3, tokens);
    for (int i = 0; i < 3; i++)
        guests[i] = add_guest(world, "three", tokens[i].text);
    pass_all_until(world, world->now + 100);
    for (int i = 0; i < 6; i++) {
        const int player = kifu_current_player(kifu_get_game(game_of(world, "three")));
        take_stones(guests[player], 3, 1);
        pass_all_until(world, world->now + 100);
    }
}

static uint32_t events_of(world *world)
{
    return kifu_event_count(game_of(world, "three"));
}

START_TEST(W07_an_undo_needs_the_consent_of_all_others)
{
    world world = {0};
    guest *guests[3];
    begin_three(&world, NULL, guests);
    const uint32_t before = events_of(&world);
    const int player = kifu_current_player(kifu_get_game(game_of(&world, "three")));
    guest *asker = guests[player], *other = guests[(player + 1) % 3], *third = guests[(player + 2) % 3];
    must_be(!kifu_client_undo(asker->client, world.now));
    pass_all_until(&world, world.now + 100);
    ck_assert_int_eq(asker->answer, KIFU_ANSWER_ASKED);
    ck_assert_uint_eq(other->asked, before - 3); // the last move of the asker, and those of the others behind it
    ck_assert_uint_eq(third->asked, before - 3);
    must_be(!kifu_client_consent(other->client, true));
    pass_all_until(&world, world.now + 100);
    ck_assert_uint_eq(events_of(&world), before);
    ck_assert_uint_ne(kifu_client_waits(asker->client), 0);
    must_be(!kifu_client_consent(third->client, true));
    pass_all_until(&world, world.now + 100);
    ck_assert_uint_eq(events_of(&world), before - 3);
    ck_assert_int_eq(asker->answer, KIFU_ANSWER_DONE);
    for (int i = 0; i < 3; i++)
        expect_same_state(&world, "three", guests[i]);
    // A redo is asked for, too, as bytes; and one who does not agree is enough.
    kifu_buffer buffer = {0};
    must_be(!kifu_redo_bytes(kifu_client_timeline(asker->client), 1, &buffer));
    must_be(!kifu_client_request(asker->client, buffer.data, buffer.size, world.now));
    pass_all_until(&world, world.now + 100);
    ck_assert_uint_eq(other->asked, before - 2);
    must_be(!kifu_client_consent(third->client, false));
    pass_all_until(&world, world.now + 100);
    ck_assert_str_eq(asker->words, "the other players do not agree");
    ck_assert_uint_eq(events_of(&world), before - 3);
    must_be(!kifu_client_request(asker->client, buffer.data, buffer.size, world.now));
    pass_all_until(&world, world.now + 100);
    must_be(!kifu_client_consent(other->client, true) && !kifu_client_consent(third->client, true));
    pass_all_until(&world, world.now + 100);
    ck_assert_uint_eq(events_of(&world), before - 2);
    for (int i = 0; i < 3; i++)
        expect_same_state(&world, "three", guests[i]);
    kifu_free_buffer(&buffer);
    destroy_world(&world);
}
END_TEST

START_TEST(W07_an_undo_ends_by_its_deadline_by_a_move_and_where_kifu_refuses_it)
{
    world world = {.options.consent_ms = 5000};
    guest *guests[3];
    begin_three(&world, NULL, guests);
    const uint32_t before = events_of(&world);
    const int player = kifu_current_player(kifu_get_game(game_of(&world, "three")));
    guest *asker = guests[(player + 1) % 3];
    must_be(!kifu_client_undo(asker->client, world.now));
    pass_all_until(&world, world.now + 6000);
    ck_assert_str_eq(asker->words, "the other players did not agree in time");
    must_be(!kifu_client_undo(asker->client, world.now));
    pass_all_until(&world, world.now + 100);
    take_stones(guests[player], 3, 1);
    pass_all_until(&world, world.now + 1000);
    ck_assert_str_eq(asker->words, "the game has gone on");
    ck_assert_uint_eq(events_of(&world), before + 1);
    // An answer that comes late agrees to nothing.
    must_be(!kifu_client_consent(guests[player]->client, true));
    must_be(!kifu_client_consent(guests[(player + 2) % 3]->client, true));
    pass_all_until(&world, world.now + 1000);
    ck_assert_uint_eq(events_of(&world), before + 1);
    destroy_world(&world);
}
END_TEST

START_TEST(W07_a_predicted_move_is_seen_at_once_and_taken_back_if_it_does_not_happen)
{
    world world = {.predict = true};
    guest *guests[3];
    begin_three(&world, NULL, guests);
    const uint32_t before = events_of(&world);
    const int player = kifu_current_player(kifu_get_game(game_of(&world, "three")));
    guest *guest = guests[player], *last;
    kifu_timeline *timeline = kifu_client_timeline(guest->client);
    take_stones(guest, 2, 1);
    ck_assert_uint_eq(kifu_event_count(timeline), before + 1);
    pass_all_until(&world, world.now + 100);
    ck_assert_int_eq(guest->answer, KIFU_ANSWER_DONE);
    expect_same_state(&world, "three", guest);
    guest = guests[(player + 1) % 3], last = guests[player];
    timeline = kifu_client_timeline(guest->client);
    // The player before takes the last move back, while this one already plays on.
    must_be(!kifu_client_undo(last->client, world.now));
    pass_all_until(&world, world.now + 100);
    must_be(!kifu_client_consent(guests[(player + 2) % 3]->client, true));
    must_be(!kifu_client_consent(guest->client, true));
    take_stones(guest, 2, 1);
    ck_assert_uint_eq(kifu_event_count(timeline), before + 2);
    pass_all_until(&world, world.now + 2000);
    ck_assert_int_eq(guest->answer, KIFU_ANSWER_STALE);
    ck_assert_uint_eq(kifu_event_count(timeline), before);
    for (int i = 0; i < 3; i++)
        expect_same_state(&world, "three", guests[i]);
    destroy_world(&world);
}
END_TEST

// --- Clocks ----------------------------------------------------------------------------------------------------------

static kifu_result resign(void *context, kifu_timeline *timeline, uint32_t seat)
{
    (void)context;
    nim_submit_p_resign(timeline, (int)seat);
    return kifu_run(timeline);
}

START_TEST(W07_clocks_run_get_their_increment_survive_a_kill_and_fall)
{
    char folder[200];
    make_folder(folder);
    world world = {.options.folder = folder, .options.fallen = resign};
    kifu_token tokens[2];
    create_world(&world, &(kifu_loopback_faults){.seed = 3});
    must_be(!kifu_referee_open(world.referee, "fast", &(kifu_table){.seats = 2, .main_ms = 10000, .increment_ms = 500},
                               tokens, world.now, NULL));
    guest *guests[2] = {add_guest(&world, "fast", tokens[0].text), add_guest(&world, "fast", tokens[1].text)};
    pass_all_until(&world, world.now + 8000); // no clock runs before the first move
    const int player = kifu_current_player(kifu_get_game(game_of(&world, "fast")));
    take_stones(guests[player], 3, 1);
    pass_all_until(&world, world.now + 3000);
    const uint64_t before = kifu_client_clock(guests[0]->client, (uint32_t)!player, world.now);
    must_be(before > 6900 && before <= 7100);
    ck_assert_uint_eq(kifu_client_clock(guests[0]->client, (uint32_t)player, world.now), 10000);
    take_stones(guests[!player], 3, 1);
    pass_all_until(&world, world.now + 4000);
    const uint64_t after = kifu_client_clock(guests[1]->client, (uint32_t)!player, world.now);
    must_be(after > before && after <= before + 500);
    restart_referee(&world);
    pass_all_until(&world,
                   world.now + 8000); // this one's clock stands until a client comes again, and runs on from then
    const kifu_timeline *timeline = game_of(&world, "fast");
    must_be(!is_over(timeline));
    take_stones(guests[player], 3, 1);
    pass_all_until(&world, world.now + 5000);
    must_be(!is_over(game_of(&world, "fast")));
    pass_all_until(&world, world.now + 7000);
    must_be(is_over(game_of(&world, "fast")));
    pass_all_until(&world, world.now + 7000);
    for (int i = 0; i < 2; i++)
        expect_same_state(&world, "fast", guests[i]);
    destroy_world(&world);
    remove_folder(folder);
}
END_TEST

static kifu_result do_nothing(void *context, kifu_timeline *timeline, uint32_t seat)
{
    (void)timeline, (void)seat;
    ((world *)context)->fallen++;
    return KIFU_OK;
}

START_TEST(W07_a_clock_falls_once_whatever_the_game_makes_of_it)
{
    world world = {.options.fallen = do_nothing};
    kifu_token tokens[2];
    create_world(&world, &(kifu_loopback_faults){.seed = 3});
    must_be(
        !kifu_referee_open(world.referee, "fast", &(kifu_table){.seats = 2, .main_ms = 5000}, tokens, world.now, NULL));
    guest *guests[2] = {add_guest(&world, "fast", tokens[0].text), add_guest(&world, "fast", tokens[1].text)};
    pass_all_until(&world, world.now + 100);
    take_stones(guests[kifu_current_player(kifu_get_game(game_of(&world, "fast")))], 3, 1);
    pass_all_until(&world, world.now + 30000);
    ck_assert_uint_eq(world.fallen, 1);
    take_stones(guests[kifu_current_player(kifu_get_game(game_of(&world, "fast")))], 3, 1);
    pass_all_until(&world, world.now + 30000);
    ck_assert_uint_eq(world.fallen, 2);
    destroy_world(&world);
}
END_TEST

// --- Sessions and places ---------------------------------------------------------------------------------------------

START_TEST(W07_a_move_made_at_another_place_is_stale)
{
    world world = {0};
    guest *guests[3];
    begin_three(&world, NULL, guests);
    const uint32_t before = events_of(&world);
    const int player = kifu_current_player(kifu_get_game(game_of(&world, "three")));
    take_stones(guests[player], 3, 1);
    take_stones(guests[(player + 1) % 3], 2, 1); // it has not seen the other move yet
    pass_all_until(&world, world.now + 100);
    ck_assert_uint_eq(events_of(&world), before + 1);
    ck_assert_uint_eq(guests[(player + 1) % 3]->stale, 1);
    take_stones(guests[player], 2, 1);
    pass_all_until(&world, world.now + 100);
    ck_assert_str_eq(guests[player]->words, "it is the other player's turn");
    ck_assert_uint_eq(events_of(&world), before + 1);
    destroy_world(&world);
}
END_TEST

START_TEST(W07_a_later_session_of_a_seat_replaces_the_one_before_for_good)
{
    world world = {0};
    kifu_token tokens[2];
    create_world(&world, &(kifu_loopback_faults){.seed = 3});
    open_game(&world, "seats", 2, tokens);
    guest *first = add_guest(&world, "seats", tokens[0].text);
    pass_all_until(&world, world.now + 100);
    guest *second = add_guest(&world, "seats", tokens[0].text);
    pass_all_until(&world, world.now + 10000);
    ck_assert_int_eq(first->answer, KIFU_ANSWER_REPLACED); // its next question is answered so
    ck_assert_uint_eq(kifu_client_tick(first->client, world.now), UINT64_MAX);
    ck_assert_int_eq(second->answer, 0);
    must_be(!kifu_client_rejoin(first->client, world.now));
    pass_all_until(&world, world.now + 10000);
    ck_assert_int_eq(second->answer, KIFU_ANSWER_REPLACED);
    destroy_world(&world);
}
END_TEST

// --- Games that sleep, and folders
// ------------------------------------------------------------------------------------

START_TEST(W07_a_game_that_nobody_asks_for_is_put_away_and_taken_up_again)
{
    char folder[200];
    make_folder(folder);
    counted memory = {.allowed = SIZE_MAX / 2};
    world world = {.options.idle_ms = 30000,
                   .options.folder = folder,
                   .options.timeline = {.allocate = count_memory, .allocate_context = &memory}};
    guest *guests[3];
    kifu_token tokens[3];
    create_world(&world, &(kifu_loopback_faults){.seed = 3});
    open_game(&world, "before", 2, tokens); // so that what the referee has for all games is there
    add_guest(&world, "before", tokens[0].text);
    pass_all_until(&world, world.now + 50000);
    ck_assert_uint_eq(kifu_referee_awake(world.referee), 0);
    const counted without = memory;
    open_game(&world, "three", 3, tokens);
    for (int i = 0; i < 3; i++)
        guests[i] = add_guest(&world, "three", tokens[i].text);
    pass_all_until(&world, world.now + 10000);
    ck_assert_uint_eq(kifu_referee_awake(world.referee), 1);
    must_be(memory.bytes > without.bytes);
    pass_all_until(&world, world.now + 50000);
    ck_assert_uint_eq(kifu_referee_awake(world.referee), 0);
    ck_assert_uint_eq(memory.blocks, without.blocks);
    must_be(memory.bytes < without.bytes + 256); // the room for a message has grown, if anything
    const int player = kifu_current_player(kifu_get_game(kifu_client_timeline(guests[0]->client)));
    take_stones(guests[player], 3, 1);
    pass_all_until(&world, world.now + 10000);
    ck_assert_uint_eq(guests[player]->done, 1);
    for (int i = 0; i < 3; i++)
        expect_same_state(&world, "three", guests[i]);
    destroy_world(&world);
    ck_assert_uint_eq(memory.blocks, 0);
    remove_folder(folder);
}
END_TEST

START_TEST(W07_a_game_is_not_put_away_before_all_know_its_last_move)
{
    char folder[200];
    make_folder(folder);
    world world = {.options.idle_ms = 900, .options.folder = folder, .poll_ms = 5000};
    guest *guests[2];
    kifu_token tokens[2];
    kifu_arrival lost;
    create_world(&world, &(kifu_loopback_faults){.seed = 3});
    open_game(&world, "game", 2, tokens);
    for (int i = 0; i < 2; i++)
        guests[i] = add_guest(&world, "game", tokens[i].text);
    pass_all_until(&world, world.now + 400);
    const int player = kifu_current_player(kifu_get_game(kifu_client_timeline(guests[0]->client)));
    guest *other = guests[!player];
    other->deaf = true;
    take_stones(guests[player], 3, 1);
    pass_all_until(&world, world.now + 10);
    ck_assert_uint_eq(guests[player]->done, 1);
    uint32_t messages = 0;
    while (kifu_loopback_receive(world.loopback, other->address, world.now, &lost))
        messages++;
    ck_assert_uint_gt(messages, 0);
    other->deaf = false;
    pass_all_until(&world, world.now + 20000);
    ck_assert_uint_eq(kifu_referee_awake(world.referee), 0);
    expect_same_state(&world, "game", other);
    destroy_world(&world);
    remove_folder(folder);
}
END_TEST

START_TEST(W08_a_second_referee_of_a_folder_or_a_game_is_refused)
{
    char folder[200], path[300];
    make_folder(folder);
    world world = {0};
    guest *guests[3];
    kifu_referee *second;
    kifu_error error;
    begin_three(&world, folder, guests);
    ck_assert_int_eq(kifu_referee_create(&nim_rules, &world.options, &second, &error), KIFU_IN_USE);
    ck_assert_ptr_null(second);
    ck_assert_str_eq(error.message, "another referee has this folder: end it first, or choose another folder");
    restart_referee(&world);
    // A program that is no referee may have the log file of a game.
    kifu_timeline *other;
    snprintf(path, sizeof path, "%s/three.kifu", folder);
    const kifu_load_options load_options = {.recover = kifu_recover};
    const kifu_options options = {.keep_notes = kifu_keep_notes};
    must_be(!kifu_load(&nim_rules, path, &options, &load_options, &other, NULL));
    must_be(!kifu_log_open(other, path, NULL));
    ck_assert_ptr_null(kifu_referee_game(world.referee, "three", world.now, &error));
    ck_assert_int_eq(error.result, KIFU_IN_USE);
    pass_all_until(&world, world.now + 20000);
    ck_assert_uint_eq(kifu_referee_awake(world.referee), 0);
    kifu_destroy(other);
    pass_all_until(&world, world.now + 20000);
    for (int i = 0; i < 3; i++)
        expect_same_state(&world, "three", guests[i]);
    destroy_world(&world);
    remove_folder(folder);
}
END_TEST

START_TEST(W07_what_is_no_game_is_refused_in_words)
{
    world world = {0};
    kifu_token tokens[2];
    kifu_error error;
    kifu_referee *none;
    create_world(&world, &(kifu_loopback_faults){.seed = 3});
    const char *const names[] = {"", "A", "a b", "../a", "a/b", "a.b", "12345678901234567890123456789012345678901"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ck_assert_int_eq(kifu_referee_open(world.referee, names[i], &(kifu_table){.seats = 2}, tokens, 0, &error),
                         KIFU_MISUSE);
        ck_assert_str_eq(error.message, "a game's name has 1 to 40 characters of a-z, 0-9, _ and -");
        ck_assert_ptr_null(kifu_referee_game(world.referee, names[i], 0, &error));
    }
    ck_assert_int_eq(kifu_referee_open(world.referee, "a", &(kifu_table){.seats = 17}, tokens, 0, &error), KIFU_MISUSE);
    ck_assert_int_eq(kifu_referee_open(world.referee, "a", &(kifu_table){.seats = 0}, tokens, 0, &error), KIFU_MISUSE);
    ck_assert_int_eq(kifu_referee_open(world.referee, "a", &(kifu_table){.seats = 2, .main_ms = 1}, tokens, 0, &error),
                     KIFU_MISUSE);
    open_game(&world, "a", 2, tokens);
    ck_assert_int_eq(kifu_referee_open(world.referee, "a", &(kifu_table){.seats = 2}, tokens, 0, &error), KIFU_IN_USE);
    ck_assert_int_eq(kifu_referee_create(&nim_rules, &(kifu_referee_options){0}, &none, &error), KIFU_MISUSE);
    guest *stranger = add_guest(&world, "b", NULL);
    pass_all_until(&world, world.now + 1000);
    ck_assert_int_eq(stranger->answer, KIFU_ANSWER_NO_GAME);
    ck_assert_str_eq(stranger->words, "there is no such game");
    destroy_world(&world);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W07_two_clients_play_a_game_to_its_end,
        W07_games_come_to_the_same_end_for_all_whatever_happens_to_messages,
        W07_a_referee_that_was_killed_is_replaced_by_another_with_nothing_lost_and_nothing_twice,
        W07_an_undo_needs_the_consent_of_all_others,
        W07_an_undo_ends_by_its_deadline_by_a_move_and_where_kifu_refuses_it,
        W07_a_predicted_move_is_seen_at_once_and_taken_back_if_it_does_not_happen,
        W07_clocks_run_get_their_increment_survive_a_kill_and_fall,
        W07_a_clock_falls_once_whatever_the_game_makes_of_it,
        W07_a_move_made_at_another_place_is_stale,
        W07_a_later_session_of_a_seat_replaces_the_one_before_for_good,
        W07_a_game_that_nobody_asks_for_is_put_away_and_taken_up_again,
        W07_a_game_is_not_put_away_before_all_know_its_last_move,
        W08_a_second_referee_of_a_folder_or_a_game_is_refused,
        W07_what_is_no_game_is_refused_in_words,
    };
    return run_suite("referee", tests, sizeof tests / sizeof *tests);
}
