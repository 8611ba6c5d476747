// Actions of actors: set for later, refused, become others; what they cost, and who follows them.

#include "crawl_help.h"
#include "suite.h"

// --- Set for later ---------------------------------------------------------------------------------------------------

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
    must_step(crawl, crawl_hunt, BEGAN, ACTED(a), ACTED(b));
    ck_assert_uint_eq(crawl_at(crawl, a)->x, 2);
    ck_assert_uint_eq(crawl_at(crawl, b)->x, 2);
    kifu_event event;
    ck_assert(kifu_event_at(crawl, kifu_event_count(crawl) - 2, &event));
    ck_assert_int_eq(event.player, 1);
    must_step(crawl, crawl_hunt, BEGAN, ASKED(a)); // Once.
    // Replaced: the last one counts. A monster's, too.
    must(crawl, kifu_set_action(crawl, a, crawl_submit_p_move(crawl, 0, a, 1, 0)));
    must(crawl, kifu_set_action(crawl, a, crawl_submit_p_move(crawl, 0, a, 0, 1)));
    must_step(crawl, crawl_hunt, ACTED(a));
    ck_assert_uint_eq(crawl_at(crawl, a)->x, 2);
    ck_assert_uint_eq(crawl_at(crawl, a)->y, 2);
    // Removed.
    must(crawl, kifu_set_action(crawl, b, crawl_submit_p_move(crawl, 1, b, 1, 0)));
    must(crawl, kifu_set_action(crawl, b, 0));
    must(crawl, kifu_set_action(crawl, b, 0));
    must_step(crawl, crawl_hunt, ASKED(b));
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
    must_step(crawl, crawl_hunt, BEGAN, ASKED(hero));
    must_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero));
    must_step(crawl, crawl_hunt, ASKED(other)); // Not what the rat was to do.
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L04_undo_forgets_what_is_set_and_a_roll_back_brings_it_back)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    kifu_handle other = crawl_add(crawl, CRAWL_KIND_HERO, 1, 6, 100);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    crawl_picture before = crawl_look(crawl);
    must(crawl, kifu_set_action(crawl, hero, crawl_submit_p_move(crawl, 0, hero, 1, 0)));
    must(crawl, kifu_begin(crawl, KIFU_SEARCH)); // A search tries it out.
    must_step(crawl, crawl_hunt, ACTED(hero));
    must(crawl, kifu_set_action(crawl, other, crawl_submit_p_move(crawl, 1, other, 1, 0)));
    must(crawl, kifu_roll_back(crawl));
    must_be_same(crawl, &before);
    must_step(crawl, crawl_hunt, ACTED(hero));
    ck_assert_uint_eq(crawl_at(crawl, hero)->x, 2);
    must_step(crawl, crawl_hunt, ASKED(other));
    must(crawl, kifu_set_action(crawl, other, crawl_submit_p_move(crawl, 1, other, 1, 0)));
    must(crawl, kifu_undo(crawl));
    must_be_same(crawl, &before);
    must_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero));
    must_step(crawl, crawl_hunt, ASKED(other));
    kifu_destroy(crawl);
}
END_TEST

static kifu_verdict see_cause(void *context, kifu_timeline *crawl, const void *state, kifu_proposed *proposed)
{
    (void)crawl;
    (void)state;
    *(uint32_t *)context = proposed->cause;
    return kifu_accept();
}

START_TEST(L04_an_action_that_was_set_has_no_cause)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    uint32_t cause = 0;
    must(crawl, kifu_observe(crawl, &(kifu_observer){.hook = see_cause,
                                                     .scope = CRAWL_SCOPE_NUMBER,
                                                     .subject = KIFU_ANY_SUBJECT,
                                                     .name = "the causes",
                                                     .context = &cause}));
    must(crawl, kifu_set_action(crawl, rat, crawl_submit_e_any(crawl, 3, 15)));
    must_step(crawl, crawl_rest, BEGAN, ACTED(rat));
    ck_assert_uint_eq(cause, KIFU_NONE);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L04_without_memory_what_is_to_be_set_waits_as_an_input)
{
    bool failed = true;
    for (long failing = 0; failed; failing++) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *crawl = crawl_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
        kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
        const kifu_ticket ticket = crawl_submit_p_rest(crawl, 0, hero);
        memory.until_failure = failing;
        const kifu_result result = kifu_set_action(crawl, hero, ticket);
        failed = memory.failed;
        memory.until_failure = -1;
        ck_assert_int_eq(result, failed ? KIFU_NO_MEMORY : KIFU_OK);
        ck_assert_uint_eq(kifu_pending_count(crawl), failed);
        if (result) {
            must_say(crawl, "it waits as an input");
            must(crawl, kifu_set_action(crawl, hero, ticket));
        }
        must_step(crawl, crawl_hunt, BEGAN, ACTED(hero), BEGAN, ASKED(hero));
        kifu_destroy(crawl);
    }
}
END_TEST

// An action of which the Do has begun is gone, at no cost.
START_TEST(L04_without_memory_an_action_is_still_set)
{
    int still = 0;
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    must_step(crawl, crawl_hunt, BEGAN);
    must(crawl, kifu_set_action(crawl, hero, crawl_submit_p_pull(crawl, 0, hero, 2)));
    test_memory memory;
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .user = &test_hooks};
    for (long failing = 0; !failing || memory.failed; failing++) {
        memory = (test_memory){.until_failure = -1};
        kifu_timeline *fork = fork_of(crawl, KIFU_PRESENT, &options);
        const crawl_picture before = crawl_look(fork);
        memory.until_failure = failing;
        kifu_turn turn;
        kifu_result result = kifu_take_turn(fork, crawl_hunt, NULL, &turn);
        must_be(result == (memory.failed ? KIFU_NO_MEMORY : KIFU_OK));
        if (result) {
            must_be_same(fork, &before);
            const bool gone = strstr(kifu_last_error(fork)->message, "was taken back") != NULL;
            still += !gone;
            must(fork, kifu_take_turn(fork, crawl_hunt, NULL, &turn));
            if (gone) {
                must_be_turn(turn, KIFU_TURN_NEEDS_INPUT, hero);
                kifu_destroy(fork);
                continue;
            }
        }
        must_be_turn(turn, KIFU_TURN_ACTED, hero);
        must(fork, kifu_run(fork));
        ck_assert_str_eq(crawl_log(fork, before.events), "PPull ESchedule ESpendEnergy");
        must_step(fork, crawl_hunt, BEGAN, ASKED(hero));
        kifu_destroy(fork);
        ck_assert_int_eq(memory.blocks, 0);
        ck_assert_int_lt(failing, 100);
    }
    ck_assert_int_ge(still, 2);
    kifu_destroy(crawl);
}
END_TEST

// --- What cannot happen ----------------------------------------------------------------------------------------------

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
    crawl_picture before = crawl_look(crawl);
    test_hooks.in_check = go_round;
    must_be_turn(crawl_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 0, 0)), KIFU_TURN_REFUSED, hero);
    ck_assert_int_eq(kifu_last_error(crawl)->result, KIFU_RUNAWAY);
    must_say(crawl, "more than 16 events were tried in its place");
    ck_assert_uint_eq(asked, 17);
    must_be_same(crawl, &before);
    must_step(crawl, crawl_hunt, ASKED(hero));
    kifu_destroy(crawl);
}
END_TEST

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
        crawl_picture before = crawl_look(crawl);
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
        const kifu_ticket of_no_kind = crawl_submit_e_spawn(
            crawl,
            &(crawl_e_spawn_args){
                .kind = (crawl_kind)9, .item = CRAWL_ITEM_NONE, .x = 3, .y = 3, .hp = 5, .speed = 1, .energy = 0});
        must_be_turn(crawl_act(crawl, hero, of_no_kind), KIFU_TURN_REFUSED, hero);
        ck_assert_int_eq(kifu_last_error(crawl)->result, KIFU_INVALID_EVENT);
        must_be_same(crawl, &before);
        must_act(crawl, hero, crawl_submit_p_move(crawl, 0, hero, 1, 0));
        ck_assert_int_eq(crawl_energy(crawl, hero), 0); // Nothing is left of the other cost.
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
        must_step(crawl, crawl_any, BEGAN);
        uint32_t from = kifu_event_count(crawl);
        must_step(crawl, crawl_any, RESTED(rat));
        ck_assert_uint_eq(asked, 8);
        must_step(crawl, crawl_any, RESTED(ogre));
        ck_assert_str_eq(crawl_log(crawl, from), "ESpendEnergy ESpendEnergy");
        ck_assert_int_eq(crawl_energy(crawl, rat), 0);
    }
    ck_assert_int_eq(crawl_at(crawl, rat)->hp, 5);
    test_hooks.in_check = go_round; // L05, for an AI.
    must_step(crawl, crawl_any, BEGAN, RESTED(rat));
    kifu_destroy(crawl);
}
END_TEST

// --- What never ends -------------------------------------------------------------------------------------------------

static kifu_result never_ends(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    crawl_submit_e_any(crawl, number, crawl_what(never_ends));
    return KIFU_OK;
}

START_TEST(L07_who_never_ends_rests)
{
    const kifu_options options = {.max_consequences = 50};
    kifu_timeline *crawl = crawl_new(&options);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    test_hooks.in_do[0] = never_ends;
    for (int turn = 0; turn < 3; turn++) {
        must_step(crawl, crawl_any, BEGAN);
        crawl_picture before = crawl_look(crawl);
        kifu_turn step;
        for (uint32_t i = 0; i < 8; i++) {
            must(crawl, kifu_take_turn(crawl, crawl_any, NULL, &step));
            must_be_turn(step, KIFU_TURN_ACTED, rat);
            ck_assert_uint_eq(asked, i + 1);
            ck_assert_int_eq(kifu_run(crawl), KIFU_RUNAWAY); // Taken back whole, after it had begun.
            must_be_same(crawl, &before);
        }
        must_step(crawl, crawl_any, RESTED(rat));
        ck_assert_int_eq(crawl_energy(crawl, rat), 0);
    }
    // A search that tries the same again and again has not failed.
    test_hooks.in_do[0] = NULL;
    must_step(crawl, crawl_any, BEGAN);
    for (int i = 0; i < 20; i++) {
        must(crawl, kifu_begin(crawl, KIFU_SEARCH));
        must_step(crawl, crawl_any, ACTED(rat));
        ck_assert_uint_eq(asked, 1);
        must(crawl, kifu_roll_back(crawl));
    }
    kifu_destroy(crawl);
}
END_TEST

// Looks ahead with the loop itself, and does what never ends.
static kifu_ticket search_in_vain(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                                  uint32_t attempt)
{
    kifu_turn turn;
    must(crawl, kifu_begin(crawl, KIFU_SEARCH));
    for (int i = 0; i < 4; i++) {
        must(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &turn));
        must(crawl, kifu_run(crawl));
    }
    must(crawl, kifu_roll_back(crawl));
    return crawl_any(context, crawl, state, actor, attempt);
}

// Blocks, and submits more than there may be.
static kifu_verdict block_and_submit(void *context, kifu_timeline *crawl, const void *state, kifu_proposed *proposed)
{
    (void)context;
    (void)state;
    (void)proposed;
    for (uint32_t i = 0; i < 30; i++)
        crawl_submit_e_bell(crawl, i);
    return kifu_reject("it is too loud");
}

static const kifu_observer the_bells = {.hook = block_and_submit,
                                        .type = CRAWL_E_ANY,
                                        .scope = CRAWL_SCOPE_NUMBER,
                                        .subject = KIFU_ANY_SUBJECT,
                                        .name = "the bells",
                                        .rank = KIFU_RANK_INTERNAL};

START_TEST(L08_who_searches_with_the_loop_or_is_stopped_by_a_hook_rests_at_last_too)
{
    static const struct {
        kifu_decide *decide;
        uint32_t hooks;
    } cases[] = {{search_in_vain, 0}, {crawl_any, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const kifu_options options = {.max_consequences = 20};
        kifu_timeline *crawl = crawl_new(&options);
        must(crawl, kifu_observe_all(crawl, &the_bells, cases[i].hooks));
        kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
        crawl_add(crawl, CRAWL_KIND_RAT, 2, 1, 100);
        test_hooks.in_do[0] = never_ends;
        must_step(crawl, crawl_rest, BEGAN);
        for (uint32_t attempt = 0; attempt <= 8; attempt++) {
            kifu_turn turn;
            must(crawl, kifu_take_turn(crawl, cases[i].decide, NULL, &turn));
            must_be_turn(turn, attempt < 8 ? KIFU_TURN_ACTED : KIFU_TURN_RESTED, rat);
            ck_assert_int_eq(kifu_run(crawl), attempt < 8 ? KIFU_RUNAWAY : KIFU_OK);
            ck_assert_uint_eq(asked, attempt < 8 ? attempt + 1 : 8);
        }
        must_replay(crawl);
        kifu_destroy(crawl);
    }
}
END_TEST

// --- Costs -----------------------------------------------------------------------------------------------------------

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
    must(crawl, crawl_do(crawl, cost_number, hero, 30)); // Nobody has taken a turn yet.
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    // For nothing: the same actor goes on.
    must_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 0, what));
    ck_assert_int_eq(crawl_energy(crawl, hero), 100);
    must_step(crawl, crawl_hunt, ASKED(hero));
    // More than there is: it pays later.
    must_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 250, what));
    ck_assert_int_eq(crawl_energy(crawl, hero), -150);
    for (int i = 0; i < 3; i++)
        must_step(crawl, crawl_hunt, BEGAN);
    must_step(crawl, crawl_hunt, ASKED(hero));
    ck_assert_int_eq(crawl_energy(crawl, hero), 150);
    // The usual, where it says nothing; the cost of an event that is no action is nobody's.
    must(crawl, crawl_do(crawl, cost_number, hero, 30));
    ck_assert_int_eq(crawl_energy(crawl, hero), 150);
    must_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero));
    ck_assert_int_eq(crawl_energy(crawl, hero), 50);
    must(crawl, crawl_do(crawl, cost_number, hero, 30));
    ck_assert_int_eq(crawl_energy(crawl, hero), 50);
    // As much as can be, and no further.
    must_step(crawl, crawl_hunt, BEGAN);
    must_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, -1, what));
    ck_assert_int_eq(crawl_energy(crawl, hero), INT32_MIN);
    must_replay(crawl);
    kifu_set_cost(crawl, 3);
    must_refuse(crawl, kifu_run(crawl));
    kifu_destroy(crawl);
}
END_TEST

// --- What becomes another --------------------------------------------------------------------------------------------

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
        crawl_submit_e_spawn(crawl, &(crawl_e_spawn_args){.kind = CRAWL_KIND_HERO,
                                                          .item = CRAWL_ITEM_POTION,
                                                          .x = 2,
                                                          .y = 3,
                                                          .hp = 5,
                                                          .speed = 10000,
                                                          .energy = 0});
        must(crawl, kifu_run(crawl));
        const crawl_state *state = crawl_get_state(crawl);
        kifu_handle hero = crawl_who(state, 2, 3);
        kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 6, 3, 1);
        must_step(crawl, NULL, BEGAN);
        uint32_t from = kifu_event_count(crawl);
        take *take = ways[way];
        must_be_turn(take(crawl, hero, right), KIFU_TURN_ACTED, hero); // A step.
        must_be_turn(take(crawl, hero, right), KIFU_TURN_ACTED, hero); // Into a door, which opens for half the cost.
        ck_assert_int_eq(state->tiles[28], CRAWL_TILE_FLOOR);
        ck_assert_uint_eq(crawl_at(crawl, hero)->x, 3);
        ck_assert_int_eq(crawl_energy(crawl, hero), 10000 - 150);
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

static void count_redraw(void *context, kifu_timeline *crawl)
{
    (void)crawl;
    ++*(unsigned *)context;
}

// As if there were one.
static void reset(void *user)
{
    (void)user;
}

START_TEST(L05_a_model_that_an_alternate_has_made_anew_is_shown_anew)
{
    unsigned redraws = 0;
    const crawl_view view = {.base = {.context = &redraws, .redraw = count_redraw}};
    const kifu_options options = {.view = &view.base, .reset = reset};
    kifu_timeline *crawl = crawl_new(&options);
    crawl_submit_e_spawn(
        crawl,
        &(crawl_e_spawn_args){
            .kind = CRAWL_KIND_HERO, .item = CRAWL_ITEM_POTION, .x = 1, .y = 1, .hp = 5, .speed = 100, .energy = 0});
    must(crawl, kifu_run(crawl));
    kifu_handle hero = crawl_who(crawl_get_state(crawl), 1, 1);
    const uint32_t from = kifu_event_count(crawl);
    crawl_submit_p_use(crawl, 0, hero);
    must(crawl, kifu_run(crawl));
    ck_assert_str_eq(crawl_log(crawl, from), "EDrink");
    ck_assert_uint_eq(redraws, 1);
    kifu_destroy(crawl);
}
END_TEST

// --- Who follows them ------------------------------------------------------------------------------------------------

static void count_call(void *context, kifu_timeline *crawl, const kifu_outcome *outcome)
{
    (void)crawl;
    (void)outcome;
    ++*(unsigned *)context;
}

START_TEST(H08_who_follows_an_action_that_is_replaced_takes_no_room)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *crawl = crawl_new(&options);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    unsigned told = 0;
    long calls = 0;
    for (int i = 0; i < 500; i++) {
        if (i == 50)
            calls = memory.calls;
        kifu_ticket rest = crawl_submit_p_rest(crawl, 0, hero);
        must(crawl, kifu_follow(crawl, rest, count_call, &told));
        must(crawl, kifu_set_action(crawl, hero, rest));
    }
    ck_assert_int_eq(memory.calls, calls);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_ACTED);
    ck_assert_uint_eq(told, 1);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H04_undo_forgets_who_follows_an_action)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    unsigned told = 0;
    kifu_ticket rest = crawl_submit_p_rest(crawl, 0, hero);
    must(crawl, kifu_follow(crawl, rest, count_call, &told));
    must(crawl, kifu_set_action(crawl, hero, rest));
    must(crawl, kifu_begin(crawl, 0));
    crawl_submit_p_bell(crawl, 0, 1);
    must(crawl, kifu_run(crawl));
    must(crawl, kifu_undo(crawl));
    must(crawl, kifu_roll_back(crawl)); // It is set again, as an input would wait again.
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_ACTED);
    ck_assert_uint_eq(told, 0);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H04_what_was_followed_before_a_mark_is_told_when_it_really_happens)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    unsigned before = 0, within = 0;
    kifu_ticket move = crawl_submit_p_move(crawl, 0, hero, 1, 0);
    must(crawl, kifu_follow(crawl, move, count_call, &before));
    must(crawl, kifu_set_action(crawl, hero, move));
    for (unsigned i = 1; i <= 3; i++) { // Somebody searches, even with undo and what fails.
        must(crawl, kifu_begin(crawl, KIFU_SEARCH));
        ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_ACTED);
        if (i == 2)
            must(crawl, kifu_undo(crawl));
        must(crawl, kifu_begin(crawl, KIFU_SEARCH));
        must(crawl, kifu_follow(crawl, crawl_submit_e_bell(crawl, 1), count_call, &within));
        crawl_submit_e_open(crawl, hero, 64);
        must(crawl, kifu_step(crawl));
        ck_assert_int_eq(kifu_step(crawl), KIFU_FAILED);
        must(crawl, kifu_roll_back(crawl));
        must(crawl, kifu_roll_back(crawl));
        ck_assert_uint_eq(before, 0);
        ck_assert_uint_eq(within, i);
    }
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_ACTED);
    ck_assert_uint_eq(before, 1);
    kifu_destroy(crawl);
}
END_TEST

static void submit_and_override(void *context, kifu_timeline *crawl, const kifu_outcome *outcome)
{
    (void)outcome;
    kifu_ticket bell = crawl_submit_e_bell(crawl, 2);
    *(kifu_result *)context = kifu_override(crawl, bell, true, false);
}

START_TEST(H04_a_follower_overrides_what_it_submits)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_result result = KIFU_MISUSE;
    must(crawl, kifu_follow(crawl, crawl_submit_e_bell(crawl, 1), submit_and_override, &result));
    must(crawl, kifu_run(crawl));
    ck_assert_int_eq(result, KIFU_OK);
    ck_assert_uint_eq(kifu_can_undo(crawl, NULL), 1);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

static void ring_once_more(void *context, kifu_timeline *crawl, const kifu_outcome *outcome)
{
    (void)context;
    (void)outcome;
    crawl_submit_e_bell(crawl, 2);
}

static kifu_result follow_bell(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    (void)number;
    kifu_ticket bell = crawl_submit_e_bell(crawl, 1);
    return bell ? kifu_follow(crawl, bell, ring_once_more, NULL) : KIFU_OK;
}

START_TEST(H06_what_a_follower_submits_is_played_once)
{
    const kifu_options options = {.record_inputs = kifu_record_inputs};
    kifu_timeline *crawl = crawl_new(&options);
    for (int i = 0; i < 3; i++)
        must(crawl, crawl_do(crawl, follow_bell, KIFU_NO_HANDLE, 0));
    ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, 6);
    must(crawl, kifu_verify_rules(crawl, NULL, NULL, NULL));
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H06_memory_may_end_while_actions_of_actors_are_played_again)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {
        .record_inputs = kifu_record_inputs, .allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *crawl = crawl_new(&options);
    crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    for (int i = 0; i < 5; i++)
        crawl_step(crawl, crawl_rest);
    bool failed = true;
    for (long at = 0; failed; at++) {
        memory.until_failure = at;
        memory.failed = false;
        const kifu_result result = kifu_verify_rules(crawl, NULL, NULL, NULL);
        failed = memory.failed;
        memory.until_failure = -1;
        if (result) {
            ck_assert_int_eq(result, KIFU_NO_MEMORY);
            ck_assert_int_eq(kifu_last_error(crawl)->result, KIFU_NO_MEMORY);
        }
    }
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        L04_an_action_may_be_set_at_any_time_and_is_used_once,
        L04_what_is_set_for_the_dead_never_happens,
        L04_undo_forgets_what_is_set_and_a_roll_back_brings_it_back,
        L04_an_action_that_was_set_has_no_cause,
        L04_without_memory_what_is_to_be_set_waits_as_an_input,
        L04_without_memory_an_action_is_still_set,
        L05_a_cycle_of_alternates_stops_with_an_error,
        L06_a_failed_action_leaves_nothing_behind,
        L07_who_always_fails_rests,
        L07_who_never_ends_rests,
        L08_who_searches_with_the_loop_or_is_stopped_by_a_hook_rests_at_last_too,
        L10_each_action_has_its_cost,
        L12_actions_become_others_for_ai_and_players_alike,
        L05_a_model_that_an_alternate_has_made_anew_is_shown_anew,
        H08_who_follows_an_action_that_is_replaced_takes_no_room,
        H04_undo_forgets_who_follows_an_action,
        H04_what_was_followed_before_a_mark_is_told_when_it_really_happens,
        H04_a_follower_overrides_what_it_submits,
        H06_what_a_follower_submits_is_played_once,
        H06_memory_may_end_while_actions_of_actors_are_played_again,
    };
    return run_suite("actions", tests, sizeof tests / sizeof *tests);
}
