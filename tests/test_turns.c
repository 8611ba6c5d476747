// The turn loop: whose turn it is, what it costs, and that nothing of it is needed for undo and replay.

#include "crawl_help.h"
#include "suite.h"

static int energy_of(const kifu_timeline *crawl, kifu_handle actor)
{
    return crawl_at(crawl, actor)->actor.energy;
}

static void must_be_turn(kifu_turn turn, kifu_turn_status status, kifu_handle actor)
{
    ck_assert_int_eq(turn.status, status);
    ck_assert_uint_eq(turn.actor, actor);
}

typedef struct picture {
    crawl_state state;
    uint32_t events, pending;
} picture;

static picture look(const kifu_timeline *crawl)
{
    picture picture = {.events = kifu_event_count(crawl), .pending = kifu_pending_count(crawl)};
    memcpy(&picture.state, crawl_get_state(crawl), sizeof picture.state);
    return picture;
}

static void must_be_same(const kifu_timeline *crawl, const picture *before)
{
    must_be(!memcmp(crawl_get_state(crawl), &before->state, sizeof before->state));
    ck_assert_uint_eq(kifu_event_count(crawl), before->events);
    ck_assert_uint_eq(kifu_pending_count(crawl), before->pending);
}

// --- L01 to L04 ------------------------------------------------------------------------------------------------------

START_TEST(L01_one_call_takes_one_step)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle first = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    kifu_handle second = crawl_add(crawl, CRAWL_KIND_OGRE, 2, 1, 200);
    const crawl_state *state = crawl_get_state(crawl);
    for (uint32_t turn = 1; turn <= 3; turn++) {
        uint32_t from = kifu_event_count(crawl);
        must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
        ck_assert_uint_eq(state->turns.turn, turn);
        must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, first);
        ck_assert_uint_eq(state->turns.current, 0);
        must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, second);
        ck_assert_uint_eq(state->turns.current, 1);
        must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, second);
        ck_assert_str_eq(crawl_log(crawl, from), "EBeginTurn PRest ESpendEnergy PRest ESpendEnergy PRest ESpendEnergy");
    }
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

static double show_rest(void *context, kifu_timeline *crawl, const crawl_state *state, const crawl_p_rest *rest)
{
    (void)crawl;
    (void)state;
    (void)rest;
    ++*(int *)context;
    return 0.5;
}

START_TEST(L01_the_loop_waits_for_what_is_being_shown)
{
    int shown = 0;
    const crawl_view view = {.base = {.context = &shown}, .act_p_rest = show_rest};
    const kifu_options options = {.view = &view.base};
    kifu_timeline *crawl = crawl_new(&options);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    kifu_turn turn;
    must(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
    must_be_turn(turn, KIFU_TURN_ACTED, rat);
    for (int i = 0; i < 4; i++) { // Its cost waits until it has been seen.
        must(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
        must_be_turn(turn, KIFU_TURN_BUSY, KIFU_NO_HANDLE);
        ck_assert_int_eq(energy_of(crawl, rat), 100);
        must(crawl, kifu_update(crawl, 0.1));
    }
    must(crawl, kifu_update(crawl, 0.2));
    ck_assert_int_eq(energy_of(crawl, rat), 0);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    ck_assert_int_eq(shown, 1);
    crawl_submit_p_rest(crawl, 0, rat); // An input waits.
    must(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
    must_be_turn(turn, KIFU_TURN_BUSY, KIFU_NO_HANDLE);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L01_nobody_can_act)
{
    kifu_timeline *crawl = crawl_new(NULL);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_NO_ACTORS, KIFU_NO_HANDLE);
    crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 0);
    crawl_add(crawl, CRAWL_KIND_RAT, 1, 2, -5);
    crawl_submit_e_spawn(crawl, CRAWL_KIND_RAT, CRAWL_ITEM_NONE, 1, 3, 5, 0, 1000); // With energy, even.
    must(crawl, kifu_run(crawl));
    const uint32_t events = kifu_event_count(crawl);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_NO_ACTORS, KIFU_NO_HANDLE);
    ck_assert_uint_eq(kifu_event_count(crawl), events);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 2, 1, 60);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, rat);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L01_the_game_ends_in_mid_turn)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    kifu_handle ogre = crawl_add(crawl, CRAWL_KIND_OGRE, 2, 1, 300);
    crawl_add(crawl, CRAWL_KIND_RAT, 6, 6, 100);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    while (crawl_at(crawl, hero)) {
        kifu_turn turn = crawl_step(crawl, crawl_hunt);
        if (turn.status == KIFU_TURN_NEEDS_INPUT)
            must_be_turn(crawl_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero)), KIFU_TURN_ACTED, hero);
    }
    ck_assert_int_eq(kifu_get_game(crawl)->phase, KIFU_PHASE_GAME_OVER);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NO_ACTORS, KIFU_NO_HANDLE);
    ck_assert_ptr_nonnull(crawl_at(crawl, ogre));
    must_replay(crawl);
    must(crawl, kifu_undo(crawl)); // Alive again.
    ck_assert_ptr_nonnull(crawl_at(crawl, hero));
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, hero);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L02_several_heroes_and_monsters_in_the_order_of_the_pool)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle a = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 6, 6, 100);
    kifu_handle b = crawl_add(crawl, CRAWL_KIND_HERO, 1, 6, 100);
    for (int turn = 0; turn < 3; turn++) {
        must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
        must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, a);
        must_be_turn(crawl_act(crawl, a, crawl_submit_p_rest(crawl, 0, a)), KIFU_TURN_ACTED, a);
        must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_ACTED, rat);
        must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, b);
        must_be_turn(crawl_act(crawl, b, crawl_submit_p_rest(crawl, 1, b)), KIFU_TURN_ACTED, b);
    }
    // Without a function that decides, all are asked.
    must_be_turn(crawl_step(crawl, NULL), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_be_turn(crawl_step(crawl, NULL), KIFU_TURN_NEEDS_INPUT, a);
    must_be_turn(crawl_act(crawl, a, crawl_submit_p_rest(crawl, 0, a)), KIFU_TURN_ACTED, a);
    must_be_turn(crawl_step(crawl, NULL), KIFU_TURN_NEEDS_INPUT, rat);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L03_who_needs_input_is_named_as_often_as_one_asks)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *crawl = crawl_new(&options);
    crawl_add(crawl, CRAWL_KIND_RAT, 6, 6, 100);
    const kifu_handle heroes[] = {crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100),
                                  crawl_add(crawl, CRAWL_KIND_HERO, 1, 6, 100)};
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 2; i++) {
            // The rat and the other hero have acted: nobody but this one is asked for.
            ck_assert_uint_eq(crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT), heroes[i]);
            const picture before = look(crawl);
            const long calls = memory.calls;
            for (int times = 0; times < 100; times++)
                must_be_turn(crawl_step(crawl, times % 2 ? crawl_hunt : NULL), KIFU_TURN_NEEDS_INPUT, heroes[i]);
            must_be_same(crawl, &before);
            ck_assert_int_eq(memory.calls, calls);
            must(crawl, kifu_set_action(crawl, heroes[i], crawl_submit_p_rest(crawl, (int8_t)i, heroes[i])));
            must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_ACTED, heroes[i]);
        }
    }
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L09_asking_again_and_again_costs_and_grants_nothing)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    crawl_add(crawl, CRAWL_KIND_RAT, 6, 6, 100);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    picture before = look(crawl);
    for (int i = 0; i < 1000; i++) {
        must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, hero);
        must_be_same(crawl, &before);
    }
    ck_assert_int_eq(energy_of(crawl, hero), 100);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L04_an_action_may_be_set_at_any_time_and_is_used_once)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle a = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    kifu_handle b = crawl_add(crawl, CRAWL_KIND_HERO, 1, 6, 100);
    // Before any turn has begun; for who is not the next; another player's input between.
    kifu_ticket for_b = crawl_submit_p_move(crawl, 1, b, 1, 0);
    kifu_ticket for_a = crawl_submit_p_move(crawl, 0, a, 1, 0);
    ck_assert_uint_eq(kifu_pending_count(crawl), 2);
    must(crawl, kifu_set_action(crawl, b, for_b));
    must(crawl, kifu_set_action(crawl, a, for_a));
    ck_assert_uint_eq(kifu_pending_count(crawl), 0);
    ck_assert(kifu_is_idle(crawl));
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_ACTED, a);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_ACTED, b);
    ck_assert_uint_eq(crawl_at(crawl, a)->x, 2);
    ck_assert_uint_eq(crawl_at(crawl, b)->x, 2);
    kifu_event event;
    ck_assert(kifu_event_at(crawl, kifu_event_count(crawl) - 2, &event));
    ck_assert_int_eq(event.player, 1);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, a); // Once.
    // Replaced: the last one counts. A monster's, too.
    must(crawl, kifu_set_action(crawl, a, crawl_submit_p_move(crawl, 0, a, 1, 0)));
    must(crawl, kifu_set_action(crawl, a, crawl_submit_p_move(crawl, 0, a, 0, 1)));
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_ACTED, a);
    ck_assert_uint_eq(crawl_at(crawl, a)->x, 2);
    ck_assert_uint_eq(crawl_at(crawl, a)->y, 2);
    // Removed.
    must(crawl, kifu_set_action(crawl, b, crawl_submit_p_move(crawl, 1, b, 1, 0)));
    must(crawl, kifu_set_action(crawl, b, 0));
    must(crawl, kifu_set_action(crawl, b, 0));
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, b);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L04_what_is_set_for_the_dead_never_happens)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 2, 1, 100);
    must(crawl, kifu_set_action(crawl, rat, crawl_submit_p_rest(crawl, -1, rat)));
    crawl_submit_e_die(crawl, rat);
    must(crawl, kifu_run(crawl));
    kifu_ticket ticket = crawl_submit_p_rest(crawl, -1, rat);
    must_refuse(crawl, kifu_set_action(crawl, rat, ticket));
    must_say(crawl, "names no actor");
    ck_assert_uint_eq(kifu_pending_count(crawl), 1); // It still waits.
    ck_assert_int_eq(kifu_run(crawl), KIFU_REJECTED);
    kifu_handle other = crawl_add(crawl, CRAWL_KIND_HERO, 2, 1, 100);
    ck_assert_uint_eq(kifu_handle_index(other), kifu_handle_index(rat));
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, hero);
    must_be_turn(crawl_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero)), KIFU_TURN_ACTED, hero);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, other); // Not what the rat was to do.
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L04_undo_forgets_what_is_set_and_a_roll_back_brings_it_back)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    kifu_handle other = crawl_add(crawl, CRAWL_KIND_HERO, 1, 6, 100);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    picture before = look(crawl);
    must(crawl, kifu_set_action(crawl, hero, crawl_submit_p_move(crawl, 0, hero, 1, 0)));
    must(crawl, kifu_begin(crawl, KIFU_SEARCH)); // A search tries it out.
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_ACTED, hero);
    must(crawl, kifu_set_action(crawl, other, crawl_submit_p_move(crawl, 1, other, 1, 0)));
    must(crawl, kifu_roll_back(crawl));
    must_be_same(crawl, &before);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_ACTED, hero);
    ck_assert_uint_eq(crawl_at(crawl, hero)->x, 2);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, other);
    must(crawl, kifu_set_action(crawl, other, crawl_submit_p_move(crawl, 1, other, 1, 0)));
    must(crawl, kifu_undo(crawl));
    must_be_same(crawl, &before);
    must_be_turn(crawl_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero)), KIFU_TURN_ACTED, hero);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, other);
    kifu_destroy(crawl);
}
END_TEST

// --- L05 to L07: what cannot happen ----------------------------------------------------------------------------------

static uint32_t asked;

// Each number instead of the one before, round and round.
static kifu_verdict go_round(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    asked++;
    return kifu_instead(crawl_submit_p_any(crawl, 0, actor, (number + 1) % 3, 0));
}

START_TEST(L05_a_cycle_of_alternates_stops_with_an_error)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    picture before = look(crawl);
    test_hooks.in_check = go_round;
    must_be_turn(crawl_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 0, 0)), KIFU_TURN_REFUSED, hero);
    ck_assert_int_eq(kifu_last_error(crawl)->result, KIFU_RUNAWAY);
    must_say(crawl, "more than 16 events were tried in its place");
    ck_assert_uint_eq(asked, 17);
    must_be_same(crawl, &before);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, hero);
    kifu_destroy(crawl);
}
END_TEST

static kifu_ticket submit_any(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                              uint32_t attempt)
{
    (void)context;
    (void)state;
    asked = attempt + 1;
    return crawl_submit_p_any(crawl, -1, actor, (int32_t)attempt, 0);
}

// Everything that an action can do, and then it fails; with number 5, something else may be tried, which fails too.
static kifu_result do_all_and_fail(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    kifu_random_below(crawl, 6);
    kifu_handle born = crawl_spawn_actors(crawl);
    *crawl_edit_actors_hp(crawl, born) = 3;
    *crawl_edit_actors_hp(crawl, actor) = 1;
    *crawl_edit_tiles(crawl, 9) = CRAWL_TILE_WALL;
    crawl_submit_e_bell(crawl, 1);
    kifu_postpone(crawl, crawl_submit_e_bell(crawl, 2), 50, 1);
    kifu_set_cost(crawl, 7);
    crawl_despawn_actors(crawl, actor);
    if (number < 5)
        return kifu_fail(crawl, "it cannot be done");
    return kifu_fail_instead(crawl, crawl_submit_p_any(crawl, 0, actor, number - 1, 0));
}

START_TEST(L06_a_failed_action_leaves_nothing_behind)
{
    const kifu_options options = {.sync_test = kifu_sync_test};
    for (int with_sync = 0; with_sync < 2; with_sync++) {
        kifu_timeline *crawl = crawl_new(with_sync ? &options : NULL);
        kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
        crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
        test_hooks.in_do[0] = do_all_and_fail;
        picture before = look(crawl);
        for (int32_t number = 4; number < 12; number++) { // With so many alternates before it.
            must_be_turn(crawl_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, number, 0)), KIFU_TURN_REFUSED,
                         hero);
            ck_assert_int_eq(kifu_last_error(crawl)->result, KIFU_FAILED);
            ck_assert_str_eq(kifu_error_reason(kifu_last_error(crawl)), "it cannot be done");
            must_be_same(crawl, &before);
        }
        must_be_turn(crawl_act(crawl, hero, crawl_submit_p_move(crawl, 0, hero, -1, -2)), KIFU_TURN_REFUSED, hero);
        ck_assert_int_eq(kifu_last_error(crawl)->result, KIFU_REJECTED);
        must_be_same(crawl, &before);
        must_be_turn(crawl_act(crawl, hero, crawl_submit_p_move(crawl, 0, hero, 1, 0)), KIFU_TURN_ACTED, hero);
        ck_assert_int_eq(energy_of(crawl, hero), 0); // Nothing is left of the other cost.
        must_replay(crawl);
        kifu_destroy(crawl);
    }
}
END_TEST

START_TEST(L07_who_always_fails_rests)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    kifu_handle ogre = crawl_add(crawl, CRAWL_KIND_OGRE, 2, 1, 100);
    test_hooks.in_do[0] = do_all_and_fail;
    for (int turn = 0; turn < 10; turn++) {
        must_be_turn(crawl_step(crawl, submit_any), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
        uint32_t from = kifu_event_count(crawl);
        must_be_turn(crawl_step(crawl, submit_any), KIFU_TURN_RESTED, rat);
        ck_assert_uint_eq(asked, 8);
        must_be_turn(crawl_step(crawl, submit_any), KIFU_TURN_RESTED, ogre);
        ck_assert_str_eq(crawl_log(crawl, from), "ESpendEnergy ESpendEnergy");
        ck_assert_int_eq(energy_of(crawl, rat), 0);
    }
    ck_assert_int_eq(crawl_at(crawl, rat)->hp, 5);
    test_hooks.in_check = go_round; // L05, for an AI.
    must_be_turn(crawl_step(crawl, submit_any), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_be_turn(crawl_step(crawl, submit_any), KIFU_TURN_RESTED, rat);
    kifu_destroy(crawl);
}
END_TEST

static kifu_result ring_for_ever(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    crawl_submit_e_any(crawl, number, 0);
    return KIFU_OK;
}

START_TEST(L07_who_never_ends_rests)
{
    const kifu_options options = {.max_consequences = 50};
    kifu_timeline *crawl = crawl_new(&options);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    test_hooks.in_do[0] = ring_for_ever;
    for (int turn = 0; turn < 3; turn++) {
        must_be_turn(crawl_step(crawl, submit_any), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
        picture before = look(crawl);
        kifu_turn step;
        for (uint32_t i = 0; i < 8; i++) {
            must(crawl, kifu_take_turn(crawl, submit_any, NULL, &step));
            must_be_turn(step, KIFU_TURN_ACTED, rat);
            ck_assert_uint_eq(asked, i + 1);
            ck_assert_int_eq(kifu_run(crawl), KIFU_RUNAWAY); // Taken back whole, after it had begun.
            must_be_same(crawl, &before);
        }
        must_be_turn(crawl_step(crawl, submit_any), KIFU_TURN_RESTED, rat);
        ck_assert_int_eq(energy_of(crawl, rat), 0);
    }
    // A search that tries the same again and again has not failed.
    test_hooks.in_do[0] = NULL;
    must_be_turn(crawl_step(crawl, submit_any), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    for (int i = 0; i < 20; i++) {
        must(crawl, kifu_begin(crawl, KIFU_SEARCH));
        must_be_turn(crawl_step(crawl, submit_any), KIFU_TURN_ACTED, rat);
        ck_assert_uint_eq(asked, 1);
        must(crawl, kifu_roll_back(crawl));
    }
    kifu_destroy(crawl);
}
END_TEST

// --- L08 to L10: energy ----------------------------------------------------------------------------------------------

static kifu_result set_usual_cost(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    *crawl_edit_turns_cost(crawl) = (uint32_t)number;
    return KIFU_OK;
}

START_TEST(L08_five_moves_for_seven_are_exact)
{
    kifu_timeline *crawl = crawl_new(NULL);
    must(crawl, crawl_do(crawl, set_usual_cost, KIFU_NO_HANDLE, 7));
    kifu_handle slow = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 5);
    kifu_handle fast = crawl_add(crawl, CRAWL_KIND_RAT, 2, 1, 7);
    const crawl_state *state = crawl_get_state(crawl);
    while (state->turns.turn < 7000 || crawl_at(crawl, fast)->acted < 7000)
        crawl_step(crawl, crawl_rest);
    ck_assert_uint_eq(state->turns.turn, 7000);
    ck_assert_uint_eq(crawl_at(crawl, slow)->acted, 5000);
    ck_assert_uint_eq(crawl_at(crawl, fast)->acted, 7000);
    ck_assert_int_eq(energy_of(crawl, slow), 0);
    kifu_destroy(crawl);
}
END_TEST

// Costs its number.
static kifu_result cost_number(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    kifu_set_cost(crawl, (uint32_t)number);
    return KIFU_OK;
}

START_TEST(L10_each_action_has_its_cost)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    uint8_t what = crawl_what(cost_number);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    // For nothing: the same actor goes on.
    must_be_turn(crawl_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 0, what)), KIFU_TURN_ACTED, hero);
    ck_assert_int_eq(energy_of(crawl, hero), 100);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, hero);
    // More than there is: it pays later.
    must_be_turn(crawl_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 250, what)), KIFU_TURN_ACTED, hero);
    ck_assert_int_eq(energy_of(crawl, hero), -150);
    for (int i = 0; i < 3; i++)
        must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, hero);
    ck_assert_int_eq(energy_of(crawl, hero), 150);
    // The usual, where it says nothing; the cost of an event that is no action is nobody's.
    must_be_turn(crawl_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero)), KIFU_TURN_ACTED, hero);
    ck_assert_int_eq(energy_of(crawl, hero), 50);
    must(crawl, crawl_do(crawl, cost_number, hero, 30));
    ck_assert_int_eq(energy_of(crawl, hero), 50);
    // As much as can be, and no further.
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_be_turn(crawl_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, -1, what)), KIFU_TURN_ACTED, hero);
    ck_assert_int_eq(energy_of(crawl, hero), INT32_MIN);
    must_replay(crawl);
    kifu_set_cost(crawl, 3);
    must_refuse(crawl, kifu_run(crawl));
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L08_energy_stays_in_its_range)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, INT32_MAX);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    ck_assert_int_eq(energy_of(crawl, rat), INT32_MAX);
    for (int i = 0; i < 3; i++) { // Whoever begins the turn.
        crawl_submit_e_begin_turn(crawl);
        must(crawl, kifu_run(crawl));
        ck_assert_int_eq(energy_of(crawl, rat), INT32_MAX);
    }
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, rat);
    ck_assert_int_eq(energy_of(crawl, rat), INT32_MAX - 100);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// --- L11: coming and going -------------------------------------------------------------------------------------------

static kifu_handle born(kifu_timeline *crawl, int speed, int energy)
{
    kifu_handle actor = crawl_spawn_actors(crawl);
    if (actor) {
        *crawl_edit_actors_kind(crawl, actor) = CRAWL_KIND_RAT;
        *crawl_edit_actors_actor_speed(crawl, actor) = speed;
        *crawl_edit_actors_actor_energy(crawl, actor) = energy;
    }
    return actor;
}

// The actor dies, and another is born in its slot, with energy for one action.
static kifu_result be_born_again(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    crawl_despawn_actors(crawl, actor);
    if (number)
        born(crawl, 100, 100);
    return KIFU_OK;
}

START_TEST(L11_an_actor_dies_in_its_own_action)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle a = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    kifu_handle b = crawl_add(crawl, CRAWL_KIND_HERO, 2, 1, 100);
    kifu_handle c = crawl_add(crawl, CRAWL_KIND_HERO, 3, 1, 100);
    uint8_t what = crawl_what(be_born_again);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    must_be_turn(crawl_act(crawl, a, crawl_submit_p_rest(crawl, 0, a)), KIFU_TURN_ACTED, a);
    must_be_turn(crawl_act(crawl, b, crawl_submit_p_any(crawl, 1, b, 0, what)), KIFU_TURN_ACTED, b);
    ck_assert_ptr_null(crawl_at(crawl, b));
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, c);
    must_be_turn(crawl_act(crawl, c, crawl_submit_p_rest(crawl, 2, c)), KIFU_TURN_ACTED, c);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    // Its slot is another's in the same turn: a new actor, with energy of its own.
    must_be_turn(crawl_act(crawl, a, crawl_submit_p_any(crawl, 0, a, 1, what)), KIFU_TURN_ACTED, a);
    kifu_turn turn = crawl_step(crawl, crawl_rest);
    must_be_turn(turn, KIFU_TURN_ACTED, 0 | UINT32_C(3) << 16);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, c);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L11_an_actor_dies_in_anothers_action)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle bomber, near[3], far;
    near[0] = crawl_add(crawl, CRAWL_KIND_RAT, 2, 2, 100);
    crawl_submit_e_spawn(crawl, CRAWL_KIND_HERO, CRAWL_ITEM_BOMB, 2, 3, 5, 100, 0);
    must(crawl, kifu_run(crawl));
    bomber = crawl_who(crawl_get_state(crawl), 2, 3);
    near[1] = crawl_add(crawl, CRAWL_KIND_RAT, 3, 3, 100);
    far = crawl_add(crawl, CRAWL_KIND_RAT, 6, 6, 100);
    near[2] = crawl_add(crawl, CRAWL_KIND_RAT, 1, 4, 100);
    for (int i = 0; i < 3; i++) { // Two hit points each.
        crawl_submit_e_strike(crawl, far, near[i]);
        crawl_submit_e_strike(crawl, far, near[i]);
        must(crawl, kifu_run(crawl));
    }
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    kifu_turn turn = crawl_step(crawl, crawl_rest);
    must_be_turn(turn, KIFU_TURN_ACTED, near[0]);
    must_be_turn(crawl_step(crawl, crawl_hunt), KIFU_TURN_NEEDS_INPUT, bomber);
    must_be_turn(crawl_act(crawl, bomber, crawl_submit_p_use(crawl, 0, bomber)), KIFU_TURN_ACTED, bomber);
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_null(crawl_at(crawl, near[i]));
    ck_assert_int_eq(crawl_at(crawl, bomber)->hp, 2);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, far);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L11_who_comes_in_mid_turn_acts_in_it_where_the_turn_goes_on)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle gone = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 2, 1, 200);
    crawl_submit_e_die(crawl, gone);
    must(crawl, kifu_run(crawl));
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    must_be_turn(crawl_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero)), KIFU_TURN_ACTED, hero);
    for (uint32_t i = 0; i < 2; i++) // One before the hero, one behind, both with energy.
        crawl_submit_e_spawn(crawl, CRAWL_KIND_RAT, CRAWL_ITEM_NONE, (uint8_t)(5 + i), 1, 5, 100, 100);
    must(crawl, kifu_run(crawl));
    kifu_handle before = crawl_who(crawl_get_state(crawl), 5, 1), behind = crawl_who(crawl_get_state(crawl), 6, 1);
    ck_assert_uint_eq(kifu_handle_index(before), 0);
    ck_assert_uint_eq(kifu_handle_index(behind), 2);
    must_be_turn(crawl_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero)), KIFU_TURN_ACTED, hero);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, behind);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, before); // Nothing is lost.
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, before);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, hero);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// What is known of each slot: who is in it, and how often it still acts in this turn.
typedef struct expected {
    kifu_handle actor;
    int64_t left;
    bool whole; // It was there when the turn began.
} expected;

enum { SLOTS = 24, COST = 100 };

static int64_t actions_of(const crawl_actor *actor)
{
    return actor->actor.speed > 0 && actor->actor.energy > 0 ? actor->actor.energy / COST : 0;
}

// Takes in who came and who went.
static void take_in(const kifu_timeline *crawl, expected *slots)
{
    const uint32_t now = crawl_get_state(crawl)->turns.current; // Who comes before it waits for the next turn.
    for (uint32_t i = 0; i < SLOTS; i++) {
        const crawl_actor *at = &crawl_get_state(crawl)->actors[i];
        kifu_handle actor = at->slot.generation % 2 ? i | (kifu_handle)at->slot.generation << 16 : KIFU_NO_HANDLE;
        if (actor != slots[i].actor)
            slots[i] = (expected){.actor = actor, .left = actor && i >= now ? actions_of(at) : 0};
    }
}

// Some come, some go, at random; sometimes whoever acts.
static kifu_result come_and_go(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    const crawl_state *state = crawl_get_state(crawl);
    for (int32_t i = 0; i < number; i++) // What a failure drew is taken back: the next attempt is another.
        kifu_random_below(crawl, 2);
    uint32_t count = kifu_random_below(crawl, 4);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = kifu_random_below(crawl, SLOTS), what = kifu_random_below(crawl, 8);
        kifu_handle at = index | (kifu_handle)state->actors[index].slot.generation << 16;
        if (what == 0 && crawl_get_actors(state, actor))
            crawl_despawn_actors(crawl, actor);
        else if (what < 4 && crawl_get_actors(state, at))
            crawl_despawn_actors(crawl, at);
        else if (what >= 4)
            born(crawl, (int)kifu_random_below(crawl, 300), (int)kifu_random_below(crawl, 250) - 50);
    }
    kifu_set_cost(crawl, COST);
    bool never = (state->turns.turn + kifu_handle_index(actor)) % 13 == 0;
    return never || (number == 0 && state->turns.turn % 3 == 0) ? kifu_fail(crawl, "not this time") : KIFU_OK;
}

START_TEST(L11_nobody_is_skipped_or_acts_twice)
{
    const kifu_options options = {.record_inputs = kifu_record_inputs};
    kifu_timeline *crawl = crawl_new(&options);
    test_hooks.in_do[0] = come_and_go;
    static expected slots[SLOTS];
    uint32_t acted = 0, rested = 0, turns = 0, steps = (uint32_t)fuzz_steps(4000);
    for (uint32_t step = 0; step < steps; step++) {
        if (step % 16 == 0) { // From outside, too.
            crawl_submit_e_spawn(crawl, CRAWL_KIND_RAT, CRAWL_ITEM_NONE, (uint8_t)(step / 8 % 200 + 20), 0, 5,
                                 (int)(step % 300), (int)(step % 200));
            kifu_result result = kifu_run(crawl);
            must_be(result == KIFU_OK || result == KIFU_FAILED || result == KIFU_REJECTED);
            take_in(crawl, slots);
        }
        kifu_turn turn = crawl_step(crawl, submit_any);
        expected *slot = &slots[kifu_handle_index(turn.actor)];
        switch (turn.status) {
        case KIFU_TURN_ACTED:
        case KIFU_TURN_RESTED:
            must_be(slot->actor == turn.actor && slot->left > 0);
            slot->left--;
            acted += turn.status == KIFU_TURN_ACTED;
            rested += turn.status == KIFU_TURN_RESTED;
            take_in(crawl, slots);
            break;
        case KIFU_TURN_BEGAN:
            turns++;
            for (uint32_t i = 0; i < SLOTS; i++) {
                must_be(!slots[i].whole || !slots[i].left);
                slots[i] = (expected){.actor = slots[i].actor, .whole = slots[i].actor != KIFU_NO_HANDLE};
                if (slots[i].actor)
                    slots[i].left = actions_of(crawl_at(crawl, slots[i].actor));
            }
            break;
        default:
            must_be(turn.status == KIFU_TURN_NO_ACTORS);
            step += 15 - step % 16;
        }
    }
    must_be(acted > steps / 2 && turns > steps / 50 && rested > steps / 50);
    must(crawl, kifu_verify_rules(crawl, NULL, NULL, NULL));
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// --- L12: alternates -------------------------------------------------------------------------------------------------

typedef kifu_turn take(kifu_timeline *crawl, kifu_handle actor, kifu_ticket (*submit)(kifu_timeline *, kifu_handle));

static kifu_ticket right(kifu_timeline *crawl, kifu_handle actor)
{
    return crawl_submit_p_move(crawl, -1, actor, 1, 0);
}

static kifu_ticket stay(kifu_timeline *crawl, kifu_handle actor)
{
    return crawl_submit_p_move(crawl, -1, actor, 0, 0);
}

static kifu_ticket up(kifu_timeline *crawl, kifu_handle actor)
{
    return crawl_submit_p_move(crawl, -1, actor, 0, -1);
}

static kifu_ticket use(kifu_timeline *crawl, kifu_handle actor)
{
    return crawl_submit_p_use(crawl, -1, actor);
}

static kifu_turn as_player(kifu_timeline *crawl, kifu_handle actor, kifu_ticket (*submit)(kifu_timeline *, kifu_handle))
{
    return crawl_act(crawl, actor, submit(crawl, actor));
}

static kifu_ticket (*the_submit)(kifu_timeline *, kifu_handle);

static kifu_ticket decide_so(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                             uint32_t attempt)
{
    (void)context;
    (void)state;
    return attempt ? 0 : the_submit(crawl, actor);
}

static kifu_turn as_ai(kifu_timeline *crawl, kifu_handle actor, kifu_ticket (*submit)(kifu_timeline *, kifu_handle))
{
    (void)actor;
    the_submit = submit;
    return crawl_step(crawl, decide_so);
}

START_TEST(L12_actions_become_others_for_ai_and_players_alike)
{
    take *const ways[] = {as_player, as_ai};
    for (int way = 0; way < 2; way++) {
        kifu_timeline *crawl = crawl_new(NULL);
        crawl_submit_e_build(crawl);
        crawl_submit_e_spawn(crawl, CRAWL_KIND_HERO, CRAWL_ITEM_POTION, 2, 3, 5, 10000, 0);
        must(crawl, kifu_run(crawl));
        const crawl_state *state = crawl_get_state(crawl);
        kifu_handle hero = crawl_who(state, 2, 3);
        kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 6, 3, 1);
        must_be_turn(crawl_step(crawl, NULL), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
        uint32_t from = kifu_event_count(crawl);
        take *take = ways[way];
        must_be_turn(take(crawl, hero, right), KIFU_TURN_ACTED, hero); // A step.
        must_be_turn(take(crawl, hero, right), KIFU_TURN_ACTED, hero); // Into a door, which opens for half the cost.
        ck_assert_int_eq(state->tiles[28], CRAWL_TILE_FLOOR);
        ck_assert_uint_eq(crawl_at(crawl, hero)->x, 3);
        ck_assert_int_eq(energy_of(crawl, hero), 10000 - 150);
        must_be_turn(take(crawl, hero, right), KIFU_TURN_ACTED, hero);                              // Through it.
        must_be_turn(take(crawl, hero, up), way ? KIFU_TURN_NEEDS_INPUT : KIFU_TURN_REFUSED, hero); // A wall.
        must_be_turn(take(crawl, hero, right), KIFU_TURN_ACTED, hero);
        int hp = crawl_at(crawl, rat)->hp;
        must_be_turn(take(crawl, hero, right), KIFU_TURN_ACTED, hero); // Somebody stands there.
        ck_assert_int_lt(crawl_at(crawl, rat)->hp, hp);
        ck_assert_uint_eq(crawl_at(crawl, hero)->x, 5);
        must_be_turn(take(crawl, hero, stay), KIFU_TURN_ACTED, hero);
        const kifu_rng rng = state->game.rng;
        must_be_turn(take(crawl, hero, use), KIFU_TURN_ACTED, hero); // A potion.
        ck_assert_int_eq(crawl_at(crawl, hero)->hp, 10);
        ck_assert_mem_eq(&state->game.rng, &rng, sizeof rng); // What the use drew is taken back.
        must_be_turn(take(crawl, hero, use), way ? KIFU_TURN_NEEDS_INPUT : KIFU_TURN_REFUSED, hero); // It is empty.
        ck_assert_int_eq(crawl_at(crawl, hero)->acted, 7);
        ck_assert_str_eq(crawl_log(crawl, from),
                         "PMove ESpendEnergy EOpen ESpendEnergy PMove ESpendEnergy PMove ESpendEnergy EStrike "
                         "ESpendEnergy PRest ESpendEnergy EDrink ESpendEnergy");
        must_replay(crawl);
        kifu_destroy(crawl);
    }
}
END_TEST

// --- Undo ------------------------------------------------------------------------------------------------------------

// A game of some heroes against some monsters: `moves` moves, and what it was like before each.
static uint32_t play(kifu_timeline *crawl, uint32_t heroes, uint32_t moves, picture *before)
{
    crawl_submit_e_build(crawl);
    must(crawl, kifu_run(crawl));
    for (uint32_t i = 0; i < heroes; i++) {
        crawl_submit_e_spawn(crawl, CRAWL_KIND_HERO, CRAWL_ITEM_POTION, (uint8_t)(1 + i), 3, 500, 100 - 10 * (int)i, 0);
        must(crawl, kifu_run(crawl));
        crawl_add(crawl, CRAWL_KIND_RAT, 6, 1 + i, 130);
    }
    crawl_add(crawl, CRAWL_KIND_OGRE, 6, 6, 70);
    for (uint32_t move = 0; move < moves;) {
        kifu_turn turn = crawl_step(crawl, crawl_hunt);
        if (turn.status == KIFU_TURN_NO_ACTORS)
            return move;
        if (turn.status != KIFU_TURN_NEEDS_INPUT)
            continue;
        before[move] = look(crawl);
        int dx = move % 5 < 3, dy = move % 5 == 3 ? 1 : 0;
        kifu_ticket ticket = move % 11 == 6 ? crawl_submit_p_use(crawl, 0, turn.actor)
                                            : crawl_submit_p_move(crawl, 0, turn.actor, (int8_t)dx, (int8_t)dy);
        if (crawl_act(crawl, turn.actor, ticket).status == KIFU_TURN_REFUSED)
            crawl_act(crawl, turn.actor, crawl_submit_p_rest(crawl, 0, turn.actor));
        move++;
    }
    return moves;
}

START_TEST(L02_undo_leads_back_to_before_the_last_own_action)
{
    static picture before[60];
    for (uint32_t heroes = 1; heroes <= 3; heroes++) {
        const kifu_options options = {.record_inputs = kifu_record_inputs};
        kifu_timeline *crawl = crawl_new(&options);
        uint32_t moves = play(crawl, heroes, 60, before);
        ck_assert_uint_eq(moves, 60);
        for (int i = 0; i < 20; i++) // What they answer.
            crawl_step(crawl, crawl_hunt);
        picture last = look(crawl);
        must(crawl, kifu_verify_rules(crawl, NULL, NULL, NULL));
        must_replay(crawl);
        for (uint32_t move = moves; move-- > 0;) {
            must(crawl, kifu_undo(crawl));
            must_be_same(crawl, &before[move]);
        }
        ck_assert_int_eq(kifu_undo(crawl), KIFU_NOTHING_TO_UNDO);
        for (uint32_t move = 1; move < moves; move++) {
            must(crawl, kifu_redo(crawl));
            must_be_same(crawl, &before[move]);
        }
        must(crawl, kifu_redo(crawl));
        must_be_same(crawl, &last);
        kifu_destroy(crawl);
    }
}
END_TEST

START_TEST(L02_a_game_passes_the_sync_test)
{
    static picture before[60];
    const kifu_options options = {.sync_test = kifu_sync_test, .hash_interval = 1};
    kifu_timeline *crawl = crawl_new(&options);
    play(crawl, 2, 60, before);
    must(crawl, kifu_verify_replay(crawl, NULL));
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L02_a_game_goes_on_after_a_load)
{
    static picture before[40];
    kifu_timeline *crawl = crawl_new(NULL);
    play(crawl, 2, 20, before);
    const kifu_options options = {.user = &test_hooks};
    kifu_timeline *loaded = reload(crawl, &options);
    kifu_timeline *both[] = {crawl, loaded};
    for (int i = 0; i < 200; i++) {
        kifu_turn turns[2];
        for (int k = 0; k < 2; k++) {
            turns[k] = crawl_step(both[k], crawl_hunt);
            if (turns[k].status == KIFU_TURN_NEEDS_INPUT)
                crawl_act(both[k], turns[k].actor, crawl_submit_p_rest(both[k], 0, turns[k].actor));
        }
        must_be_turn(turns[0], turns[1].status, turns[1].actor);
    }
    ck_assert_uint_eq(kifu_state_hash(crawl), kifu_state_hash(loaded));
    kifu_destroy(crawl);
    kifu_destroy(loaded);
}
END_TEST

START_TEST(L02_saved_between_an_action_and_its_cost)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    crawl_step(crawl, crawl_rest);
    kifu_turn turn;
    must(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
    ck_assert_uint_eq(kifu_pending_count(crawl), 1);
    const kifu_options options = {.user = &test_hooks};
    kifu_timeline *loaded = reload(crawl, &options);
    must(loaded, kifu_take_turn(loaded, crawl_rest, NULL, &turn));
    ck_assert_int_eq(turn.status, KIFU_TURN_BUSY);
    must(loaded, kifu_run(loaded));
    ck_assert_int_eq(energy_of(loaded, rat), 0);
    must_be_turn(crawl_step(loaded, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    kifu_destroy(loaded);
    kifu_destroy(crawl);
}
END_TEST

// Looks three actions ahead before it acts.
static kifu_ticket decide_by_search(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                                    uint32_t attempt)
{
    (void)state;
    picture before = look(crawl);
    for (int8_t dx = -1; dx <= 1; dx++) {
        must(crawl, kifu_begin(crawl, KIFU_SEARCH));
        must(crawl, kifu_set_action(crawl, actor, crawl_submit_p_move(crawl, -1, actor, dx, 0)));
        for (int i = 0; i < 3; i++)
            crawl_step(crawl, crawl_rest);
        must(crawl, kifu_roll_back(crawl));
        must_be_same(crawl, &before);
    }
    return crawl_rest(context, crawl, state, actor, attempt);
}

START_TEST(L02_a_search_may_take_turns)
{
    kifu_timeline *searching = crawl_new(NULL), *plain = crawl_new(NULL);
    kifu_timeline *both[] = {searching, plain};
    for (int k = 0; k < 2; k++) {
        crawl_add(both[k], CRAWL_KIND_RAT, 2, 2, 70);
        crawl_add(both[k], CRAWL_KIND_RAT, 3, 2, 110);
    }
    for (int i = 0; i < 100; i++) {
        kifu_turn turn = crawl_step(searching, decide_by_search);
        must_be_turn(crawl_step(plain, crawl_rest), turn.status, turn.actor);
    }
    ck_assert_uint_eq(kifu_state_hash(searching), kifu_state_hash(plain));
    must_replay(searching);
    kifu_destroy(searching);
    kifu_destroy(plain);
}
END_TEST

// --- Misuse ----------------------------------------------------------------------------------------------------------

static kifu_result call_the_loop(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    kifu_turn turn;
    if (!kifu_is_replaying(crawl)) {
        must_refuse(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
        must_refuse(crawl, kifu_set_action(crawl, actor, (kifu_ticket)number));
    }
    return KIFU_OK;
}

static kifu_ticket decide_badly(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                                uint32_t attempt)
{
    (void)state;
    (void)attempt;
    int how = *(int *)context;
    kifu_ticket ticket = how == 1 ? 99 : crawl_submit_p_rest(crawl, -1, actor);
    if (how == 2)
        crawl_submit_p_rest(crawl, -1, actor);
    if (how == 3)
        must(crawl, kifu_run(crawl));
    return how == 0 ? 0 : ticket;
}

static kifu_ticket decide_without_player(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                                         uint32_t attempt)
{
    (void)context;
    (void)state;
    (void)attempt;
    return crawl_submit_p_rest(crawl, 500, actor);
}

START_TEST(L01_misuse_is_told)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    kifu_turn turn;
    must_refuse(crawl, kifu_set_action(crawl, rat, 4711));
    must_say(crawl, "no input with ticket 4711 waits");
    ck_assert_int_eq(crawl_do(crawl, call_the_loop, rat, 0), KIFU_MISUSE);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    static const char *const said[] = {"submitted an event and returned 0", "names no waiting event",
                                       "submitted more than one event", "names no waiting event"};
    for (int how = 0; how < 4; how++) {
        must_refuse(crawl, kifu_take_turn(crawl, decide_badly, &how, &turn));
        must_say(crawl, said[how]);
        must(crawl, kifu_run(crawl));
        ck_assert_int_eq(energy_of(crawl, rat), 100);
    }
    must_refuse(crawl, kifu_take_turn(crawl, decide_without_player, NULL, &turn));
    crawl_submit_p_rest(crawl, 500, rat); // What a submit could not do is told first.
    must_refuse(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
    must(crawl, kifu_seek(crawl, 3));
    must_refuse(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
    must_refuse(crawl, kifu_set_action(crawl, rat, 0));
    must(crawl, kifu_seek(crawl, KIFU_PRESENT));
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_ACTED, rat);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L01_a_game_without_actors_has_no_loop)
{
    kifu_rules plain = crawl_rules; // The same game, as if it had none.
    plain.turns = NULL;
    kifu_timeline *crawl;
    ck_assert_int_eq(kifu_create(&plain, NULL, &crawl, NULL), KIFU_OK);
    kifu_turn turn;
    must_refuse(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
    must_refuse(crawl, kifu_set_action(crawl, 1 << 16, 0));
    must_refuse(crawl, kifu_postpone(crawl, crawl_submit_e_bell(crawl, 1), 1, 1));
    kifu_destroy(crawl);
    kifu__turn_rules actors = *crawl_rules.turns; // Actors alone.
    actors.timers = NULL;
    plain.turns = &actors;
    ck_assert_int_eq(kifu_create(&plain, NULL, &crawl, NULL), KIFU_OK);
    crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    must_be_turn(crawl_step(crawl, crawl_rest), KIFU_TURN_BEGAN, KIFU_NO_HANDLE);
    must_refuse(crawl, kifu_postpone(crawl, crawl_submit_e_bell(crawl, 1), 1, 1));
    kifu_destroy(crawl);
    kifu__turn_rules timers = *crawl_rules.turns; // Timers alone.
    timers.actors = NULL;
    plain.turns = &timers;
    ck_assert_int_eq(kifu_create(&plain, NULL, &crawl, NULL), KIFU_OK);
    must_refuse(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
    must(crawl, kifu_postpone(crawl, crawl_submit_e_bell(crawl, 8), 1, 1));
    must(crawl, kifu_run(crawl));
    crawl_submit_e_begin_turn(crawl);
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(crawl_get_state(crawl)->bells[0], 8);
    kifu_destroy(crawl);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

// Forty steps with `until_failure` allowed allocations; each failure is told, loses at most the action that ran, and
// the game goes on.
static long play_short_of_memory(long until_failure)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *crawl = crawl_new(&options);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    crawl_add(crawl, CRAWL_KIND_RAT, 6, 6, 150);
    const long before = memory.calls;
    memory.until_failure = until_failure;
    for (int step = 0; step < 60; step++) {
        kifu_turn turn;
        kifu_result result = kifu_take_turn(crawl, crawl_hunt, NULL, &turn);
        must_be(result == KIFU_OK || (result == KIFU_NO_MEMORY && memory.failed));
        must_be(kifu_pending_count(crawl) <= 2);
        if (!result && turn.status == KIFU_TURN_NEEDS_INPUT) {
            kifu_ticket ticket =
                step % 4 ? crawl_submit_p_pull(crawl, 0, hero, 2) : crawl_submit_p_rest(crawl, 0, hero);
            if (ticket && kifu_set_action(crawl, hero, ticket) != KIFU_OK) {
                must_be(kifu_last_error(crawl)->result == KIFU_NO_MEMORY);
                must(crawl, kifu_set_action(crawl, hero, ticket)); // It still waits.
            }
            continue;
        }
        result = kifu_run(crawl);
        must_be(result == KIFU_OK || (result == KIFU_NO_MEMORY && memory.failed));
        must(crawl, kifu_run(crawl));
    }
    const long calls = memory.calls - before;
    memory.until_failure = -1;
    must_replay(crawl);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
    return calls;
}

START_TEST(L01_every_allocation_may_fail)
{
    long calls = play_short_of_memory(-1);
    ck_assert_int_gt(calls, 5);
    for (long i = 0; i < calls + 2; i++)
        play_short_of_memory(i);
}
END_TEST

START_TEST(F10_actors_that_nobody_plays_act_beside_players)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 2, 2, 100);
    crawl_submit_e_add_player(crawl, 0, 0);
    must(crawl, kifu_run(crawl));
    crawl_submit_p_rest(crawl, -1, rat);
    must(crawl, kifu_run(crawl));
    crawl_submit_p_rest(crawl, 1, rat);
    ck_assert_int_eq(kifu_run(crawl), KIFU_REJECTED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(crawl)), "there is no player 1, the game has 1 player");
    kifu_destroy(crawl);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        L01_one_call_takes_one_step,
        L01_the_loop_waits_for_what_is_being_shown,
        L01_nobody_can_act,
        L01_the_game_ends_in_mid_turn,
        L02_several_heroes_and_monsters_in_the_order_of_the_pool,
        L03_who_needs_input_is_named_as_often_as_one_asks,
        L09_asking_again_and_again_costs_and_grants_nothing,
        L04_an_action_may_be_set_at_any_time_and_is_used_once,
        L04_what_is_set_for_the_dead_never_happens,
        L04_undo_forgets_what_is_set_and_a_roll_back_brings_it_back,
        L05_a_cycle_of_alternates_stops_with_an_error,
        L06_a_failed_action_leaves_nothing_behind,
        L07_who_always_fails_rests,
        L07_who_never_ends_rests,
        L08_five_moves_for_seven_are_exact,
        L08_energy_stays_in_its_range,
        L10_each_action_has_its_cost,
        L11_an_actor_dies_in_its_own_action,
        L11_an_actor_dies_in_anothers_action,
        L11_who_comes_in_mid_turn_acts_in_it_where_the_turn_goes_on,
        L11_nobody_is_skipped_or_acts_twice,
        L12_actions_become_others_for_ai_and_players_alike,
        L02_undo_leads_back_to_before_the_last_own_action,
        L02_a_game_passes_the_sync_test,
        L02_a_game_goes_on_after_a_load,
        L02_saved_between_an_action_and_its_cost,
        L02_a_search_may_take_turns,
        L01_misuse_is_told,
        L01_a_game_without_actors_has_no_loop,
        L01_every_allocation_may_fail,
        F10_actors_that_nobody_plays_act_beside_players,
    };
    return run_suite("turns", tests, sizeof tests / sizeof *tests);
}
