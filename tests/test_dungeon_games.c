// Whole games of the Dungeon example, which the bot plays: replayed, shown, verified, undone now and then.

#include "bot.h"
#include "dungeon_help.h"
#include "recorded_game.h"
#include "suite.h"

static kifu_timeline *bot_game(uint64_t seed, const kifu_options *options, uint32_t commands)
{
    kifu_timeline *timeline = new_game(seed, options);
    must(timeline, bot_play(timeline, commands, NULL, NULL));
    return timeline;
}

START_TEST(T03_replay_needs_no_hooks_and_no_bot)
{
    kifu_timeline *timeline = bot_game(20, NULL, 100000);
    ck_assert(dungeon_is_over(dungeon_get_state(timeline)));
    kifu_timeline *loaded = reload(timeline, NULL); // nothing is added to it
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(timeline));
    ck_assert_uint_eq(kifu_event_count(loaded), kifu_event_count(timeline));
    kifu_difference difference;
    kifu_result result = kifu_verify_replay(timeline, &difference);
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
    kifu_destroy(loaded);
    kifu_destroy(timeline);
}
END_TEST

static double count_step(void *context, kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_move *move)
{
    (void)timeline, (void)state, (void)move;
    ++*(uint32_t *)context;
    return 0.1;
}

START_TEST(T07_a_film_shows_every_step_and_ends_where_the_game_is)
{
    kifu_timeline *played = bot_game(21, NULL, 300);
    uint32_t steps = 0;
    const dungeon_view view = {.base.context = &steps, .act_p_move = count_step};
    const kifu_options options = {.view = &view.base};
    kifu_timeline *timeline = reload(played, &options);
    const uint64_t end = kifu_state_hash(timeline);
    ck_assert_uint_eq(steps, 0);
    must(timeline, kifu_seek(timeline, 0));
    ck_assert_uint_ne(kifu_state_hash(timeline), end);
    must(timeline, kifu_play(timeline, 8));
    double time = 0;
    for (; kifu_play_speed(timeline) > 0 && time < 1000; time += 0.05)
        must(timeline, kifu_update(timeline, 0.05));
    ck_assert_uint_eq(kifu_position(timeline), kifu_event_count(timeline));
    ck_assert_uint_eq(kifu_state_hash(timeline), end);
    ck_assert_uint_eq(steps, count_from(timeline, 0, DUNGEON_P_MOVE));
    ck_assert_double_ge(time, steps * 0.1 / 8 - 0.1);
    ck_assert_double_le(time, steps * 0.1 / 8 + 1);
    // And the game goes on.
    add_hooks(timeline);
    must(played, dungeon_play(played, '.'));
    must(timeline, dungeon_play(timeline, '.'));
    ck_assert_uint_eq(kifu_state_hash(timeline), kifu_state_hash(played));
    kifu_destroy(timeline);
    kifu_destroy(played);
}
END_TEST

static kifu_result prepare(void *context, kifu_timeline *timeline)
{
    (void)context;
    return kifu_observe_all(timeline, dungeon_hooks.items, dungeon_hooks.count);
}

START_TEST(H06_checks_and_hooks_run_again_give_the_same_log)
{
    const kifu_options options = {.quiet = true, .record_inputs = kifu_record_inputs};
    kifu_timeline *timeline = bot_game(22, &options, 400);
    kifu_difference difference;
    kifu_result result = kifu_verify_rules(timeline, prepare, NULL, &difference);
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
    ck_assert_int_eq(kifu_verify_rules(timeline, NULL, NULL, &difference), KIFU_DIVERGED); // without the hooks
    ck_assert_ptr_nonnull(strstr(kifu_last_error(timeline)->message, "give them in kifu_options.observers"));
    kifu_destroy(timeline);
}
END_TEST

// Actions of actors, with what they cost; timed events; and what hooks made of them.
START_TEST(F66_the_checks_of_a_loaded_game_are_asked)
{
    const kifu_options options = {.quiet = true};
    kifu_timeline *played = bot_game(22, &options, 400), *timeline = reload(played, &options);
    kifu_difference difference;
    kifu_result result = kifu_verify_checks(timeline, prepare, NULL, &difference);
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
    ck_assert_int_eq(kifu_verify_checks(timeline, NULL, NULL, &difference), KIFU_DIVERGED); // without the hooks
    ck_assert_ptr_nonnull(strstr(kifu_last_error(timeline)->message, "give them in kifu_options.observers"));
    kifu_destroy(timeline);
    kifu_destroy(played);
}
END_TEST

START_TEST(U10_a_game_of_the_bot_passes_the_sync_test)
{
    const kifu_options options = {.quiet = true, .sync_test = kifu_sync_test};
    for (uint64_t seed = 1; seed <= 3; seed++)
        kifu_destroy(bot_game(seed, &options, 300));
}
END_TEST

START_TEST(U10_the_recorded_games_end_as_ever)
{
    const kifu_options options = {.quiet = true};
    kifu_timeline *timeline;
    kifu_error error;
    uint32_t turns = 0;
    ck_assert_int_eq(kifu_create(&dungeon_rules, &options, &timeline, &error), KIFU_OK);
    add_hooks(timeline);
    for (uint32_t game = 0; game < RECORDED_GAMES; game++) {
        must(timeline, dungeon_begin(timeline, &recorded_games[game].seed));
        for (const char *command = recorded_games[game].commands; *command; command++)
            must(timeline, dungeon_play(timeline, *command));
        const dungeon_state *state = dungeon_get_state(timeline);
        ck_assert(dungeon_is_over(state));
        ck_assert_int_eq(state->won, recorded_games[game].won);
        turns += state->turns.turn;
    }
    ck_assert_uint_eq(turns, RECORDED_TURNS);
    ck_assert_uint_eq(kifu_event_count(timeline), RECORDED_EVENTS);
    ck_assert_uint_eq(kifu_state_hash(timeline), RECORDED_HASH);
    // The same, executed again.
    kifu_timeline *loaded = reload(timeline, NULL);
    ck_assert_uint_eq(kifu_state_hash(loaded), RECORDED_HASH);
    kifu_destroy(loaded);
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H08_levels_can_be_walked_through_whole)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        kifu_timeline *timeline = new_game(seed, NULL);
        const dungeon_state *state = dungeon_get_state(timeline);
        uint32_t open = 0, doors = 0;
        for (uint32_t i = 0; i < MAP_CELLS; i++) {
            open += tiles[state->map[i]].open || state->map[i] == DUNGEON_TILE_DOOR;
            doors += state->map[i] == DUNGEON_TILE_DOOR;
        }
        ck_assert_uint_gt(doors, 3);
        // From the hero, all of it can be reached: flood it.
        bool reached[MAP_CELLS] = {false};
        uint32_t stack[MAP_CELLS], top = 0, count = 0;
        stack[top++] = map_index(hero_of(timeline)->x, hero_of(timeline)->y);
        reached[stack[0]] = true;
        while (top) {
            uint32_t at = stack[--top];
            count++;
            for (int i = 1; i < 9; i += 2) { // straight ways only
                int x = (int)(at % MAP_WIDTH) + i % 3 - 1, y = (int)(at / MAP_WIDTH) + i / 3 - 1;
                dungeon_tile tile = map_tile(state, x, y);
                if (!(tiles[tile].open || tile == DUNGEON_TILE_DOOR) || reached[map_index(x, y)])
                    continue;
                reached[map_index(x, y)] = true;
                stack[top++] = map_index(x, y);
            }
        }
        ck_assert_msg(count == open, "seed %u: %u of %u cells", (unsigned)seed, count, open);
        kifu_destroy(timeline);
    }
}
END_TEST

// --- Many games ------------------------------------------------------------------------------------------------------

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
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_timeline *loaded = reload(timeline, NULL);
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(timeline));
    kifu_destroy(loaded);
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
    const TTest *const tests[] = {
        T03_replay_needs_no_hooks_and_no_bot,
        T07_a_film_shows_every_step_and_ends_where_the_game_is,
        H06_checks_and_hooks_run_again_give_the_same_log,
        F66_the_checks_of_a_loaded_game_are_asked,
        U10_a_game_of_the_bot_passes_the_sync_test,
        U10_the_recorded_games_end_as_ever,
        H08_levels_can_be_walked_through_whole,
        U10_many_dungeons_are_played_to_their_ends,
    };
    return run_suite("dungeon_games", tests, sizeof tests / sizeof *tests);
}
