// The turn loop: whose turn it is, and that nothing of it is needed for undo and replay.

#include "crawl_help.h"
#include "suite.h"

// --- One step --------------------------------------------------------------------------------------------------------

START_TEST(L01_one_call_takes_one_step)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle first = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    kifu_handle second = crawl_add(crawl, CRAWL_KIND_OGRE, 2, 1, 200);
    const crawl_state *state = crawl_get_state(crawl);
    for (uint32_t turn = 1; turn <= 3; turn++) {
        uint32_t from = kifu_event_count(crawl);
        must_step(crawl, crawl_rest, BEGAN);
        ck_assert_uint_eq(state->turns.turn, turn);
        must_step(crawl, crawl_rest, ACTED(first));
        ck_assert_uint_eq(state->turns.current, 0);
        must_step(crawl, crawl_rest, ACTED(second));
        ck_assert_uint_eq(state->turns.current, 1);
        must_step(crawl, crawl_rest, ACTED(second));
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
    must_step(crawl, crawl_rest, BEGAN);
    kifu_turn turn;
    must(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
    must_be_turn(turn, KIFU_TURN_ACTED, rat);
    for (int i = 0; i < 4; i++) { // Its cost waits until it has been seen.
        must(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
        must_be_turn(turn, KIFU_TURN_BUSY, KIFU_NO_HANDLE);
        ck_assert_int_eq(crawl_energy(crawl, rat), 100);
        must(crawl, kifu_update(crawl, 0.1));
    }
    must(crawl, kifu_update(crawl, 0.2));
    ck_assert_int_eq(crawl_energy(crawl, rat), 0);
    must_step(crawl, crawl_rest, BEGAN);
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
    must_step(crawl, crawl_rest, NOBODY);
    crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 0);
    crawl_add(crawl, CRAWL_KIND_RAT, 1, 2, -5);
    crawl_submit_e_spawn(crawl, &(crawl_e_spawn_args){.kind = CRAWL_KIND_RAT,
                                                      .item = CRAWL_ITEM_NONE,
                                                      .x = 1,
                                                      .y = 3,
                                                      .hp = 5,
                                                      .speed = 0,
                                                      .energy = 1000}); // With energy, even.
    must(crawl, kifu_run(crawl));
    const uint32_t events = kifu_event_count(crawl);
    must_step(crawl, crawl_rest, NOBODY);
    ck_assert_uint_eq(kifu_event_count(crawl), events);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 2, 1, 60);
    must_step(crawl, crawl_rest, BEGAN, BEGAN, ACTED(rat));
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
            must_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero));
    }
    ck_assert_int_eq(kifu_get_game(crawl)->phase, KIFU_PHASE_GAME_OVER);
    must_step(crawl, crawl_hunt, NOBODY);
    ck_assert_ptr_nonnull(crawl_at(crawl, ogre));
    must_replay(crawl);
    must(crawl, kifu_undo(crawl)); // Alive again.
    ck_assert_ptr_nonnull(crawl_at(crawl, hero));
    must_step(crawl, crawl_hunt, ASKED(hero));
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
        must_step(crawl, crawl_hunt, BEGAN, ASKED(a));
        must_act(crawl, a, crawl_submit_p_rest(crawl, 0, a));
        must_step(crawl, crawl_hunt, ACTED(rat), ASKED(b));
        must_act(crawl, b, crawl_submit_p_rest(crawl, 1, b));
    }
    // Without a function that decides, all are asked.
    must_step(crawl, NULL, BEGAN, ASKED(a));
    must_act(crawl, a, crawl_submit_p_rest(crawl, 0, a));
    must_step(crawl, NULL, ASKED(rat));
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
            const crawl_picture before = crawl_look(crawl);
            const long calls = memory.calls;
            for (int times = 0; times < 100; times++)
                must_be_turn(crawl_step(crawl, times % 2 ? crawl_hunt : NULL), KIFU_TURN_NEEDS_INPUT, heroes[i]);
            must_be_same(crawl, &before);
            ck_assert_int_eq(memory.calls, calls);
            must(crawl, kifu_set_action(crawl, heroes[i], crawl_submit_p_rest(crawl, (int8_t)i, heroes[i])));
            must_step(crawl, crawl_hunt, ACTED(heroes[i]));
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
    crawl_picture before = crawl_look(crawl);
    for (int i = 0; i < 1000; i++) {
        must_step(crawl, crawl_hunt, ASKED(hero));
        must_be_same(crawl, &before);
    }
    ck_assert_int_eq(crawl_energy(crawl, hero), 100);
    kifu_destroy(crawl);
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

// --- Undo, saves, searches -------------------------------------------------------------------------------------------

// A game of some heroes against some monsters: `moves` moves, and what it was like before each.
static uint32_t play(kifu_timeline *crawl, uint32_t heroes, uint32_t moves, crawl_picture *before)
{
    crawl_submit_e_build(crawl);
    must(crawl, kifu_run(crawl));
    for (uint32_t i = 0; i < heroes; i++) {
        crawl_submit_e_spawn(crawl, &(crawl_e_spawn_args){.kind = CRAWL_KIND_HERO,
                                                          .item = CRAWL_ITEM_POTION,
                                                          .x = (uint8_t)(1 + i),
                                                          .y = 3,
                                                          .hp = 500,
                                                          .speed = 100 - 10 * (int)i,
                                                          .energy = 0});
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
        before[move] = crawl_look(crawl);
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
    static crawl_picture before[60];
    for (uint32_t heroes = 1; heroes <= 3; heroes++) {
        const kifu_options options = {.record_inputs = kifu_record_inputs};
        kifu_timeline *crawl = crawl_new(&options);
        uint32_t moves = play(crawl, heroes, 60, before);
        ck_assert_uint_eq(moves, 60);
        for (int i = 0; i < 20; i++) // What they answer.
            crawl_step(crawl, crawl_hunt);
        crawl_picture last = crawl_look(crawl);
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
    static crawl_picture before[60];
    const kifu_options options = {.sync_test = kifu_sync_test, .hash_interval = 1};
    kifu_timeline *crawl = crawl_new(&options);
    play(crawl, 2, 60, before);
    must(crawl, kifu_verify_replay(crawl, NULL));
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L02_a_game_goes_on_after_a_load)
{
    static crawl_picture before[40];
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
    ck_assert_int_eq(crawl_energy(loaded, rat), 0);
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
    crawl_picture before = crawl_look(crawl);
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
    return how == 0 ? 0 : how == 4 ? ticket + 1 : ticket;
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
    must_step(crawl, crawl_rest, BEGAN);
    static const char *const said[] = {"submitted an event and returned 0", "names no waiting event",
                                       "submitted more than one event", "names no waiting event",
                                       "another ticket than that of its event"};
    for (int how = 0; how < 5; how++) {
        must_refuse(crawl, kifu_take_turn(crawl, decide_badly, &how, &turn));
        must_say(crawl, said[how]);
        must(crawl, kifu_run(crawl));
        ck_assert_int_eq(crawl_energy(crawl, rat), 100);
    }
    must_refuse(crawl, kifu_take_turn(crawl, decide_without_player, NULL, &turn));
    must_say(crawl, "the function that decides");
    crawl_submit_p_rest(crawl, 500, rat); // What a submit could not do is told first.
    must_refuse(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
    must(crawl, kifu_seek(crawl, 3));
    must_refuse(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
    must_refuse(crawl, kifu_set_action(crawl, rat, 0));
    must(crawl, kifu_seek(crawl, KIFU_PRESENT));
    must_step(crawl, crawl_rest, ACTED(rat));
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
    must_step(crawl, crawl_rest, BEGAN);
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
        must_be(kifu_pending_count(crawl) <= (result && turn.status != KIFU_TURN_BEGAN ? 0 : 2)); // No action waits.
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
        F10_actors_that_nobody_plays_act_beside_players,
        L02_undo_leads_back_to_before_the_last_own_action,
        L02_a_game_passes_the_sync_test,
        L02_a_game_goes_on_after_a_load,
        L02_saved_between_an_action_and_its_cost,
        L02_a_search_may_take_turns,
        L01_misuse_is_told,
        L01_a_game_without_actors_has_no_loop,
        L01_every_allocation_may_fail,
    };
    return run_suite("turns", tests, sizeof tests / sizeof *tests);
}
