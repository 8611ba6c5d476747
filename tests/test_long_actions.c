// Actions of several turns: they go on by themselves, end by their check, by an interruption or by another order, and
// are undone as the game says. Their steps are events as all are.

#include "crawl_help.h"
#include "save_help.h"
#include "suite.h"

static const kifu_options with_hooks = {.user = &test_hooks};

// A hero at 1, 3 whose turn it is, and far away a rat, which comes after.
static kifu_timeline *hero_and_rat(const kifu_options *options, kifu_handle *hero, kifu_handle *rat)
{
    kifu_timeline *crawl = crawl_new(options);
    *hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 3, 100);
    *rat = crawl_add(crawl, CRAWL_KIND_RAT, 7, 7, 100);
    must_step(crawl, crawl_hunt, BEGAN);
    return crawl;
}

static kifu_ticket submit_run(kifu_timeline *crawl, int player, kifu_handle actor, int8_t dx, int8_t dy, uint8_t left,
                              bool by_step)
{
    return crawl_submit_p_run(
        crawl, player, &(crawl_p_run_args){.actor = actor, .dx = dx, .dy = dy, .left = left, .by_step = by_step});
}

static kifu_ticket run(kifu_timeline *crawl, kifu_handle actor, uint8_t left, bool by_step)
{
    return submit_run(crawl, 0, actor, 1, 0, left, by_step);
}

// Heroes are asked, and monsters stand still.
static kifu_ticket stand_still(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                               uint32_t attempt)
{
    if (crawl_get_actors((const crawl_state *)state, actor)->kind == CRAWL_KIND_HERO)
        return 0;
    return crawl_rest(context, crawl, state, actor, attempt);
}

// --- Going on --------------------------------------------------------------------------------------------------------

START_TEST(G09_a_run_goes_on_by_itself_and_each_step_is_an_event)
{
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
    const uint32_t from = kifu_event_count(crawl);
    ck_assert(!kifu_goes_on(crawl, hero));
    must_act(crawl, hero, run(crawl, hero, 2, false));
    ck_assert(kifu_goes_on(crawl, hero));
    ck_assert(!kifu_goes_on(crawl, rat));
    must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero), ACTED(rat), BEGAN);
    ck_assert(kifu_goes_on(crawl, hero));
    must_step(crawl, stand_still, ACTED(hero));
    ck_assert(!kifu_goes_on(crawl, hero)); // Its check counted the steps.
    ck_assert_uint_eq(crawl_at(crawl, hero)->x, 4);
    must_step(crawl, stand_still, ACTED(rat), BEGAN, ASKED(hero), ASKED(hero));
    ck_assert_str_eq(crawl_log(crawl, from), "PMove ESpendEnergy PRest ESpendEnergy EBeginTurn "
                                             "PMove ESpendEnergy PRest ESpendEnergy EBeginTurn "
                                             "PMove ESpendEnergy PRest ESpendEnergy EBeginTurn");
    kifu_event event;
    ck_assert(kifu_event_at(crawl, from + 10, &event));
    ck_assert_int_eq(event.player, 0); // The player of the first step.
    ck_assert_uint_eq(event.flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

static uint32_t decided;

// Monsters sleep where they can; asked once for all of it.
static kifu_ticket sleep_or_rest(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                                 uint32_t attempt)
{
    decided++;
    if (!attempt)
        return crawl_submit_p_sleep(crawl, -1, actor);
    return crawl_rest(context, crawl, state, actor, attempt);
}

START_TEST(G09_a_monster_rests_until_it_is_healed)
{
    kifu_timeline *crawl = crawl_new(NULL);
    crawl_submit_e_spawn(
        crawl,
        &(crawl_e_spawn_args){
            .kind = CRAWL_KIND_RAT, .item = CRAWL_ITEM_NONE, .x = 1, .y = 1, .hp = 2, .speed = 100, .energy = 0});
    must(crawl, kifu_run(crawl));
    const kifu_handle rat = crawl_who(crawl_get_state(crawl), 1, 1);
    decided = 0;
    must_step(crawl, sleep_or_rest, BEGAN, ACTED(rat), BEGAN, ACTED(rat), BEGAN, ACTED(rat), BEGAN);
    ck_assert_int_eq(crawl_at(crawl, rat)->hp, 5);
    ck_assert_uint_eq(decided, 1);
    kifu_event event;
    for (uint32_t i = 3; i <= 9; i += 3) { // They carry no flag of their own.
        ck_assert(kifu_event_at(crawl, kifu_event_count(crawl) - i, &event));
        ck_assert_str_eq(crawl_name(&event), "PSleep");
        ck_assert_uint_eq(event.flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO);
    }
    const crawl_picture before = crawl_look(crawl);
    must_step(crawl, sleep_or_rest, ENDED(rat)); // Which costs nothing:
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(crawl)), "it is well");
    must_be_same(crawl, &before);
    ck_assert_uint_eq(decided, 1);
    must_step(crawl, sleep_or_rest, ACTED(rat)); // Now it has to think again.
    ck_assert_uint_eq(decided, 3);
    ck_assert_str_eq(crawl_name(&(kifu_event){.name = last_event(crawl).name}), "ESpendEnergy");
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(G09_a_first_step_that_cannot_be_is_refused_and_nothing_goes_on)
{
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
    const crawl_picture before = crawl_look(crawl);
    // The check of the run lets it go on; that of the step does not let it happen.
    must_be_turn(crawl_act(crawl, hero, submit_run(crawl, 0, hero, -2, 0, 3, false)), KIFU_TURN_REFUSED, hero);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(crawl)), "there is a wall");
    ck_assert(!kifu_goes_on(crawl, hero));
    must_be_same(crawl, &before);
    must_step(crawl, stand_still, ASKED(hero));
    // Neither does what a monster tries in vain.
    crawl_submit_e_spawn(
        crawl,
        &(crawl_e_spawn_args){
            .kind = CRAWL_KIND_OGRE, .item = CRAWL_ITEM_NONE, .x = 1, .y = 4, .hp = 5, .speed = 100, .energy = 100});
    must(crawl, kifu_run(crawl));
    must_be_turn(crawl_act(crawl, hero, run(crawl, hero, 3, false)), KIFU_TURN_REFUSED, hero);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(crawl)), "somebody is near");
    kifu_destroy(crawl);
}
END_TEST

// What is tried in the check's place goes on, wherever it lies meanwhile.
static kifu_verdict go_on_while_positive(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    asked += number > 10;
    if (number > 1)
        kifu_go_on(crawl, KIFU_UNDO_BY_ACTION);
    if (number > 10) // Both checks say so: the one of what happens counts.
        return kifu_instead(crawl_submit_e_any(crawl, number - 10, 0));
    if (number == 5)
        return kifu_instead(crawl_submit_p_rest(crawl, 0, actor));
    return kifu_accept();
}

static kifu_verdict count_down(void *context, kifu_timeline *crawl, const void *state, kifu_proposed *proposed)
{
    (void)context, (void)crawl, (void)state;
    ((crawl_e_any *)proposed->event)->number--; // After the check: what goes on does not have it.
    return kifu_accept();
}

START_TEST(G09_what_goes_on_is_the_event_whose_check_said_so)
{
    const kifu_observer hook = {.hook = count_down, .type = CRAWL_E_ANY, .subject = KIFU_ANY_SUBJECT, .name = "count"};
    for (int hooked = 0; hooked < 2; hooked++) {
        kifu_handle hero, rat;
        kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
        if (hooked)
            must(crawl, kifu_observe_all(crawl, &hook, 1));
        test_hooks.in_check = go_on_while_positive;
        asked = 0;
        must_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 13, 0));
        kifu_event event;
        for (int step = 0; step < 3; step++) {
            ck_assert(kifu_event_at(crawl, kifu_event_count(crawl) - 2, &event));
            ck_assert_str_eq(crawl_name(&event), "EAny");
            ck_assert_int_eq(((const crawl_e_any *)event.table)->number, 3 - hooked);
            must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero));
        }
        ck_assert_uint_eq(asked, 1);
        // A step that becomes another event of another type goes on as itself.
        must_step(crawl, stand_still, ACTED(rat), BEGAN);
        must_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 5, 0));
        must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero));
        ck_assert(kifu_event_at(crawl, kifu_event_count(crawl) - 2, &event));
        ck_assert_str_eq(crawl_name(&event), "PRest");
        test_hooks.in_check = NULL;
        kifu_destroy(crawl);
    }
}
END_TEST

// It needs what its Do finds out, and that goes on.
static kifu_result become_a_run(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    return kifu_fail_instead(crawl, submit_run(crawl, 0, actor, 1, 0, (uint8_t)number, false));
}

START_TEST(G09_what_a_Do_tries_instead_may_go_on)
{
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
    must_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 1, crawl_what(become_a_run)));
    must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero), ACTED(rat), BEGAN, ASKED(hero));
    ck_assert_uint_eq(crawl_at(crawl, hero)->x, 3);
    kifu_destroy(crawl);
}
END_TEST

static double look_whether_it_goes_on(void *context, kifu_timeline *crawl, const crawl_state *state,
                                      const crawl_p_move *move)
{
    (void)state;
    *(uint32_t *)context = *(uint32_t *)context * 10 + 1 + kifu_goes_on(crawl, move->actor);
    return 0;
}

START_TEST(G09_a_view_sees_at_each_step_whether_it_goes_on)
{
    uint32_t seen = 0;
    const crawl_view view = {.base = {.context = &seen}, .act_p_move = look_whether_it_goes_on};
    const kifu_options options = {.view = &view.base};
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(&options, &hero, &rat);
    must_act(crawl, hero, run(crawl, hero, 2, false));
    must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero), ACTED(rat), BEGAN, ACTED(hero));
    ck_assert_uint_eq(seen, 221);
    kifu_destroy(crawl);
}
END_TEST

// --- Ending ----------------------------------------------------------------------------------------------------------

// The question runs a check that says "go on", and means nobody's action.
static double ask_whether_it_may_run(void *context, kifu_timeline *crawl, const crawl_state *state,
                                     const crawl_p_move *move)
{
    (void)state;
    const bool before = kifu_goes_on(crawl, move->actor);
    ck_assert(crawl_can_p_run(crawl, 0, &(crawl_p_run_args){.actor = move->actor, .dx = 1, .left = 5}));
    ck_assert(kifu_goes_on(crawl, move->actor) == before);
    ++*(uint32_t *)context;
    return 0;
}

START_TEST(M08_G09_X03_a_question_of_a_view_lets_the_action_go_on)
{
    uint32_t seen = 0;
    const crawl_view view = {.base = {.context = &seen}, .act_p_move = ask_whether_it_may_run};
    const kifu_options options = {.view = &view.base};
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(&options, &hero, &rat);
    must_act(crawl, hero, run(crawl, hero, 2, false));
    must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero), ACTED(rat), BEGAN, ACTED(hero));
    ck_assert_uint_eq(seen, 3);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(G09_its_check_ends_it_when_somebody_comes_near)
{
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
    must_act(crawl, hero, run(crawl, hero, 5, false));
    must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero));
    crawl_add(crawl, CRAWL_KIND_OGRE, 4, 4, 0); // out of the dark
    must_step(crawl, stand_still, ACTED(rat), BEGAN);
    const crawl_picture before = crawl_look(crawl);
    must_step(crawl, stand_still, ENDED(hero));
    ck_assert_int_eq(kifu_last_error(crawl)->result, KIFU_REJECTED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(crawl)), "somebody is near");
    must_be_same(crawl, &before);
    ck_assert(!kifu_goes_on(crawl, hero));
    must_step(crawl, stand_still, ASKED(hero));
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(G09_an_event_interrupts_whom_it_names)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle heroes[3];
    for (uint8_t i = 0; i < 3; i++)
        heroes[i] = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1 + 2u * i, 100);
    must_step(crawl, crawl_hunt, BEGAN);
    for (int i = 0; i < 3; i++)
        must(crawl, kifu_set_action(crawl, heroes[i], run(crawl, heroes[i], 5, false)));
    must_step(crawl, crawl_hunt, ACTED(heroes[0]), ACTED(heroes[1]));
    for (int i = 0; i < 3; i++) {
        if (i == 1) // Who is not named, goes on.
            continue;
        crawl_submit_e_scare(crawl, heroes[i], false);
        must(crawl, kifu_run(crawl));
    }
    ck_assert(!kifu_goes_on(crawl, heroes[0]));
    ck_assert(kifu_goes_on(crawl, heroes[1]));
    must_step(crawl, crawl_hunt, ACTED(heroes[2])); // It was set and had not begun: nothing to interrupt.
    must_step(crawl, crawl_hunt, BEGAN, ASKED(heroes[0]));
    must_act(crawl, heroes[0], crawl_submit_p_rest(crawl, 0, heroes[0]));
    must_step(crawl, crawl_hunt, ACTED(heroes[1]), ACTED(heroes[2]), BEGAN);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

static kifu_result scare_all_and_fail(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    (void)number;
    for (kifu_handle each = 0; (each = crawl_next_actors(crawl_get_state(crawl), each)) != 0;)
        kifu_interrupt(crawl, each);
    return kifu_fail(crawl, "nobody is afraid of that");
}

static kifu_result stumble(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    (void)number;
    return kifu_fail(crawl, "it stumbles");
}

START_TEST(G09_a_Do_that_fails_interrupts_nothing)
{
    const kifu_options sync = {.sync_test = kifu_sync_test};
    for (int with_sync = 0; with_sync < 2; with_sync++) {
        kifu_handle hero, rat;
        kifu_timeline *crawl = hero_and_rat(with_sync ? &sync : NULL, &hero, &rat);
        must_act(crawl, hero, run(crawl, hero, 5, false));
        must_act(crawl, rat, submit_run(crawl, -1, rat, -1, 0, 5, false));
        ck_assert_int_eq(crawl_do(crawl, scare_all_and_fail, rat, 0), KIFU_FAILED);
        ck_assert(kifu_goes_on(crawl, hero) && kifu_goes_on(crawl, rat));
        for (int times = 0; times < 2; times++) {
            crawl_submit_e_scare(crawl, hero, true);
            ck_assert_int_eq(kifu_run(crawl), KIFU_FAILED);
            ck_assert(kifu_goes_on(crawl, hero));
        }
        // What was interrupted, and brought back, and is stopped, no failure brings back.
        must(crawl, kifu_begin(crawl, 0));
        crawl_submit_e_scare(crawl, hero, false);
        must(crawl, kifu_run(crawl));
        must(crawl, kifu_roll_back(crawl));
        must(crawl, kifu_set_action(crawl, hero, 0));
        ck_assert_int_eq(crawl_do(crawl, stumble, rat, 0), KIFU_FAILED);
        ck_assert(!kifu_goes_on(crawl, hero));
        must_step(crawl, stand_still, BEGAN, ASKED(hero));
        kifu_destroy(crawl);
    }
}
END_TEST

static kifu_result scare(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    kifu_interrupt(crawl, actor);
    return number == 3 ? kifu_fail(crawl, "it stumbles") : KIFU_OK;
}

START_TEST(M07_X01_a_try_that_interrupts_an_action_lets_it_go_on_afterwards)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(&options, &hero, &rat);
    must_act(crawl, hero, run(crawl, hero, 5, false));
    must_act(crawl, rat, submit_run(crawl, -1, rat, -1, 0, 5, false));
    const uint8_t what = crawl_what(scare);
    for (int twice = 0; twice < 2; twice++) {
        must(crawl, crawl_try_p_any(crawl, 0, hero, 1, what));
        ck_assert(!kifu_goes_on(crawl, hero) && kifu_goes_on(crawl, rat));
        must(crawl, crawl_try_p_any(crawl, 0, rat, 1, what)); // within the other one
        ck_assert(!kifu_goes_on(crawl, hero) && !kifu_goes_on(crawl, rat));
        must(crawl, kifu_take_back(crawl));
        ck_assert(!kifu_goes_on(crawl, hero) && kifu_goes_on(crawl, rat));
        ck_assert_int_eq(crawl_try_p_any(crawl, 0, rat, 3, what), KIFU_FAILED);
        ck_assert(!kifu_goes_on(crawl, hero) && kifu_goes_on(crawl, rat));
        must(crawl, kifu_take_back(crawl));
        ck_assert(kifu_goes_on(crawl, hero) && kifu_goes_on(crawl, rat));
    }
    must_step(crawl, stand_still, BEGAN, ACTED(hero), ACTED(rat));
    must_replay(crawl);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static double look_whether_any_goes_on(void *context, kifu_timeline *crawl, const crawl_state *state,
                                       const crawl_p_any *any)
{
    (void)state;
    *(uint32_t *)context += kifu_goes_on(crawl, any->actor);
    return 0;
}

static kifu_verdict go_on(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    (void)number;
    kifu_go_on(crawl, KIFU_UNDO_BY_STEP);
    return kifu_accept();
}

START_TEST(G09_a_step_may_interrupt_its_own_action)
{
    uint32_t seen = 0;
    const crawl_view view = {.base = {.context = &seen}, .act_p_any = look_whether_any_goes_on};
    const kifu_options options = {.view = &view.base};
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(&options, &hero, &rat);
    const uint8_t what = crawl_what(scare);
    test_hooks.in_check = go_on;
    for (int times = 0; times < 2; times++) { // The first step, and the second: it is what goes on already.
        if (times) {
            must_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 1, 9));
            must_be(kifu_goes_on(crawl, hero));
            test_hooks.in_do[9] = scare;
            must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero));
        } else {
            must_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 1, what));
        }
        ck_assert(!kifu_goes_on(crawl, hero));
        must_step(crawl, stand_still, ACTED(rat), BEGAN, ASKED(hero));
    }
    ck_assert_uint_eq(seen, 1);
    // It fails with it: refused.
    must_be_turn(crawl_act(crawl, hero, crawl_submit_p_any(crawl, 0, hero, 3, what)), KIFU_TURN_REFUSED, hero);
    ck_assert(!kifu_goes_on(crawl, hero));
    kifu_destroy(crawl);
}
END_TEST

START_TEST(G09_another_order_takes_its_place)
{
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
    must_act(crawl, hero, run(crawl, hero, 5, false));
    must(crawl, kifu_set_action(crawl, hero, crawl_submit_p_move(crawl, 0, hero, 0, 1)));
    ck_assert(!kifu_goes_on(crawl, hero));
    must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero), ACTED(rat), BEGAN, ASKED(hero));
    ck_assert_uint_eq(crawl_at(crawl, hero)->x, 2);
    ck_assert_uint_eq(crawl_at(crawl, hero)->y, 4);
    must_act(crawl, hero, run(crawl, hero, 5, false));
    must(crawl, kifu_set_action(crawl, hero, 0)); // Stop.
    must_step(crawl, stand_still, ACTED(rat), BEGAN, ASKED(hero));
    kifu_destroy(crawl);
}
END_TEST

static kifu_handle runner;

// Each has another one,
static kifu_result have_another(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    crawl_submit_e_any(crawl, number, crawl_what(have_another));
    return KIFU_OK;
}

// or one has too many at once, and interrupts besides what is not to go on anyway.
static kifu_result flood(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    kifu_interrupt(crawl, runner);
    for (int i = 0; i < 60; i++)
        crawl_submit_e_any(crawl, number, 15);
    return KIFU_OK;
}

static kifu_result have_a_flood(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    crawl_submit_e_any(crawl, number, crawl_what(flood));
    return KIFU_OK;
}

START_TEST(G09_a_step_without_end_is_not_tried_again)
{
    const kifu_options few = {.max_consequences = 50};
    crawl_in_do *const floods[] = {have_another, have_a_flood, flood};
    kifu_handle rat;
    kifu_timeline *crawl = hero_and_rat(&few, &runner, &rat);
    test_hooks.in_check = go_on;
    const crawl_picture before = crawl_look(crawl);
    for (int i = 0; i < 3; i++) {
        kifu_turn turn;
        must(crawl, kifu_set_action(crawl, runner, crawl_submit_p_any(crawl, 0, runner, 1, crawl_what(floods[i]))));
        must(crawl, kifu_take_turn(crawl, stand_still, NULL, &turn));
        ck_assert_int_eq(turn.status, floods[i] == flood ? KIFU_TURN_REFUSED : KIFU_TURN_ACTED);
        ck_assert_int_eq(kifu_goes_on(crawl, runner), floods[i] != flood);
        ck_assert_int_eq(kifu_run(crawl), floods[i] == flood ? KIFU_OK : KIFU_RUNAWAY);
        must_be_same(crawl, &before);
        ck_assert(!kifu_goes_on(crawl, runner));
        must_step(crawl, stand_still, ASKED(runner));
    }
    kifu_destroy(crawl);
}
END_TEST

START_TEST(G09_the_dead_do_not_go_on)
{
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
    must_act(crawl, hero, run(crawl, hero, 5, false));
    crawl_add(crawl, CRAWL_KIND_HERO, 7, 1, 100); // so that the game does not end
    crawl_submit_e_die(crawl, hero);
    must(crawl, kifu_run(crawl));
    must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(rat), ASKED(crawl_who(crawl_get_state(crawl), 7, 1)));
    kifu_destroy(crawl);
}
END_TEST

// --- Undo ------------------------------------------------------------------------------------------------------------

// Runs for five steps, the rat between them; what it was like before each.
static void run_far(kifu_timeline *crawl, kifu_handle hero, bool by_step, crawl_picture before[5])
{
    must(crawl, kifu_set_action(crawl, hero, run(crawl, hero, 5, by_step)));
    for (int step = 0; step < 5; step++) {
        before[step] = crawl_look(crawl);
        must_step(crawl, stand_still, ACTED(hero));
        for (int i = 0; i < 2; i++)
            crawl_step(crawl, stand_still);
    }
    ck_assert(kifu_goes_on(crawl, hero));
}

START_TEST(G09_one_undo_takes_back_the_whole_action_or_a_step)
{
    for (int by_step = 0; by_step < 2; by_step++) {
        kifu_handle hero, rat;
        kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
        crawl_picture before[5];
        run_far(crawl, hero, by_step, before);
        const crawl_picture last = crawl_look(crawl);
        must(crawl, kifu_undo(crawl));
        must_be_same(crawl, &before[by_step ? 4 : 0]);
        ck_assert(!kifu_goes_on(crawl, hero)); // Who undoes a step wants to do something else.
        must_step(crawl, stand_still, ASKED(hero));
        must(crawl, kifu_redo(crawl));
        must_be_same(crawl, &last);
        ck_assert(kifu_goes_on(crawl, hero));
        for (int step = 5; by_step && step-- > 0;) {
            must(crawl, kifu_undo(crawl));
            must_be_same(crawl, &before[step]);
        }
        while (kifu_can_redo(crawl, NULL))
            must(crawl, kifu_redo(crawl));
        must_step(crawl, stand_still, ACTED(hero)); // It goes on where it was undone.
        ck_assert_uint_eq(crawl_at(crawl, hero)->x, 7);
        must_replay(crawl);
        kifu_destroy(crawl);
    }
}
END_TEST

START_TEST(G09_undo_stops_at_what_another_player_decided_meanwhile)
{
    kifu_timeline *crawl = crawl_new(NULL);
    runner = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    kifu_handle other = crawl_add(crawl, CRAWL_KIND_HERO, 1, 6, 100);
    must_step(crawl, crawl_hunt, BEGAN);
    must_act(crawl, runner, run(crawl, runner, 3, false));
    const crawl_picture before = crawl_look(crawl);
    must_act(crawl, other, crawl_submit_p_rest(crawl, 1, other));
    must_step(crawl, crawl_hunt, BEGAN, ACTED(runner));
    must(crawl, kifu_undo(crawl));
    must_be_same(crawl, &before);
    kifu_destroy(crawl);
}
END_TEST

// As a game without undo submits it.
START_TEST(G09_what_was_submitted_as_final_is_final_in_all_steps)
{
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
    const kifu_ticket ticket = run(crawl, hero, 5, false);
    must(crawl, kifu_override(crawl, ticket, false, false));
    must_act(crawl, hero, ticket);
    for (int loaded = 0; loaded < 2; loaded++) {
        must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero));
        kifu_event event;
        ck_assert(kifu_event_at(crawl, kifu_event_count(crawl) - 2, &event));
        ck_assert_str_eq(crawl_name(&event), "PMove");
        ck_assert_uint_eq(event.flags & KIFU_UNDOABLE, 0);
        ck_assert_int_eq(kifu_undo(crawl), KIFU_NOT_UNDOABLE);
        kifu_timeline *next = reload(crawl, &with_hooks);
        kifu_destroy(crawl);
        crawl = next;
    }
    kifu_destroy(crawl);
}
END_TEST

// --- In the middle ---------------------------------------------------------------------------------------------------

START_TEST(G09_it_goes_on_after_a_load_and_in_a_fork)
{
    for (int by_step = 0; by_step < 2; by_step++) {
        kifu_handle hero, rat;
        kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
        crawl_picture before[5];
        run_far(crawl, hero, by_step, before);
        char *folder = new_folder();
        const char *path = in_folder(folder, "log.kifu");
        must(crawl, kifu_log_open(crawl, path, NULL));
        must(crawl, kifu_log_append(crawl));
        const crawl_picture now = crawl_look(crawl);
        kifu_timeline *others[4] = {reload_fast(crawl, &with_hooks, false), reload_fast(crawl, &with_hooks, true),
                                    fork_of(crawl, KIFU_PRESENT, &with_hooks)};
        const kifu_load_options recover = {.recover = kifu_recover};
        ck_assert_int_eq(kifu_load(&crawl_rules, path, &with_hooks, &recover, &others[3], NULL), KIFU_OK);
        for (int i = 0; i < 4; i++) {
            ck_assert(kifu_goes_on(others[i], hero));
            crawl_submit_e_scare(others[i], hero, true); // All that can be done with it:
            ck_assert_int_eq(kifu_run(others[i]), KIFU_FAILED);
            must_step(others[i], stand_still, ACTED(hero), ACTED(rat), BEGAN);
            ck_assert_uint_eq(crawl_at(others[i], hero)->x, 7);
            must_step(others[i], stand_still, ASKED(hero));
            must(others[i], kifu_undo(others[i]));
            must_be_same(others[i], by_step ? &now : &before[0]);
            kifu_destroy(others[i]);
        }
        kifu_timeline *past = fork_of(crawl, kifu_event_count(crawl) - 1, &with_hooks);
        ck_assert(!kifu_goes_on(past, hero));
        kifu_destroy(past);
        remove_folder(folder);
        kifu_destroy(crawl);
    }
}
END_TEST

START_TEST(G09_a_roll_back_brings_it_back)
{
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
    must_act(crawl, hero, run(crawl, hero, 5, false));
    const uint32_t kinds[] = {0, KIFU_SEARCH};
    for (int i = 0; i < 2; i++) {
        const crawl_picture before = crawl_look(crawl);
        must(crawl, kifu_begin(crawl, kinds[i]));
        must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero));
        crawl_submit_e_scare(crawl, hero, false);
        must(crawl, kifu_run(crawl));
        ck_assert(!kifu_goes_on(crawl, hero));
        must(crawl, kifu_roll_back(crawl));
        must_be_same(crawl, &before);
        ck_assert(kifu_goes_on(crawl, hero));
    }
    must_step(crawl, stand_still, ACTED(rat), BEGAN, ACTED(hero));
    ck_assert_uint_eq(crawl_at(crawl, hero)->x, 3);
    kifu_destroy(crawl);
}
END_TEST

// --- Misuse, and no memory -------------------------------------------------------------------------------------------

static kifu_result go_on_in_do(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    (void)number;
    kifu_go_on(crawl, KIFU_UNDO_BY_ACTION);
    return KIFU_OK;
}

static kifu_verdict interrupt_in_check(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)number;
    kifu_interrupt(crawl, actor);
    return kifu_accept();
}

START_TEST(G09_misuse_is_told)
{
    kifu_handle hero, rat;
    kifu_timeline *crawl = hero_and_rat(NULL, &hero, &rat);
    ck_assert_int_eq(crawl_do(crawl, go_on_in_do, hero, 0), KIFU_MISUSE);
    must_say(crawl, "kifu_go_on was called outside of a check");
    must_act(crawl, hero, run(crawl, hero, 5, false));
    test_hooks.in_check = interrupt_in_check;
    crawl_submit_p_any(crawl, 0, hero, 0, 9);
    ck_assert_int_eq(kifu_run(crawl), KIFU_MISUSE);
    must_say(crawl, "kifu_interrupt was called outside of a Do function");
    ck_assert(kifu_goes_on(crawl, hero));
    must(crawl, kifu_set_action(crawl, hero, 0));
    test_hooks.in_check = go_on;
    crawl_submit_p_any(crawl, 0, hero, 0, 9);
    must(crawl, kifu_run(crawl)); // Without the loop, it is no actor's action.
    ck_assert(!kifu_goes_on(crawl, hero));
    test_hooks.in_check = NULL;
    crawl_submit_e_scare(crawl, KIFU_NO_HANDLE, false); // Nobody is interrupted.
    must(crawl, kifu_run(crawl));
    kifu_timeline *idle = crawl_new(NULL); // No turn has been taken.
    crawl_submit_e_scare(idle, hero, false);
    must(idle, kifu_run(idle));
    ck_assert(!kifu_goes_on(idle, hero));
    kifu_destroy(idle);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(G09_memory_may_end_at_any_step)
{
    uint32_t went_on = 0;
    for (long at = 0; at < 40; at++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_handle hero, rat;
        kifu_timeline *crawl = hero_and_rat(&options, &hero, &rat);
        memory.until_failure = at;
        kifu_ticket ticket = run(crawl, hero, 3, false);
        kifu_result result = ticket ? kifu_set_action(crawl, hero, ticket) : KIFU_NO_MEMORY;
        kifu_turn turn = {.status = KIFU_TURN_BUSY};
        for (int i = 0; !result && i < 8; i++) {
            result = kifu_take_turn(crawl, stand_still, NULL, &turn);
            if (!result)
                result = kifu_run(crawl);
        }
        if (!result)
            crawl_submit_e_scare(crawl, hero, true);
        if (!result)
            result = kifu_run(crawl);
        memory.until_failure = -1;
        must_be(result == KIFU_NO_MEMORY || result == KIFU_FAILED);
        (void)!kifu_drop_inputs(crawl); // What waits there was not set; an error of the submit is reported here.
        (void)!kifu_run(crawl);
        const bool goes_on = kifu_goes_on(crawl, hero);
        went_on += goes_on;
        while (!kifu_take_turn(crawl, stand_still, NULL, &turn) && turn.status != KIFU_TURN_NEEDS_INPUT)
            must(crawl, kifu_run(crawl));
        must_be(crawl_at(crawl, hero)->x == 5 || (!goes_on && crawl_at(crawl, hero)->x < 5)); // No step is made twice.
        must_replay(crawl);
        kifu_destroy(crawl);
        ck_assert_int_eq(memory.blocks, 0);
    }
    ck_assert_uint_gt(went_on, 2);
}
END_TEST

// --- Random games ----------------------------------------------------------------------------------------------------

// What a monster does follows from where the game is.
static kifu_ticket wander(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor, uint32_t attempt)
{
    const crawl_actor *who = crawl_get_actors((const crawl_state *)state, actor);
    kifu_rng rng;
    kifu_rng_seed(&rng, kifu_event_count(crawl), actor + attempt);
    if (who->kind == CRAWL_KIND_HERO)
        return 0;
    if (who->hp < 5 && !attempt)
        return crawl_submit_p_sleep(crawl, -1, actor);
    if (kifu_rng_below(&rng, 2))
        return submit_run(crawl, -1, actor, (int8_t)((int)kifu_rng_below(&rng, 3) - 1),
                          (int8_t)((int)kifu_rng_below(&rng, 3) - 1), 4, false);
    return crawl_hunt(context, crawl, state, actor, attempt);
}

// An order for a hero; 0: to stop.
static kifu_ticket order(kifu_timeline *crawl, kifu_handle actor, uint32_t what)
{
    const int8_t dx = (int8_t)((int)(what / 8 % 3) - 1), dy = (int8_t)((int)(what / 24 % 3) - 1);
    return what % 8 < 4    ? submit_run(crawl, 0, actor, dx, dy, (uint8_t)(what / 72 % 8), what % 2)
           : what % 8 == 4 ? crawl_submit_p_sleep(crawl, 0, actor)
           : what % 8 == 5 ? crawl_submit_p_move(crawl, 0, actor, dx, dy)
           : what % 8 == 6 ? crawl_submit_p_rest(crawl, 0, actor)
                           : 0;
}

// Something that leaves the game as it was: the timeline with which it goes on.
static kifu_timeline *disturb(kifu_timeline *crawl, const kifu_options *options, kifu_rng *rng)
{
    kifu_timeline *next = crawl;
    switch (kifu_rng_below(rng, 6)) {
    case 0:
        next = reload_fast(crawl, options, kifu_rng_below(rng, 2));
        break;
    case 1:
        next = fork_of(crawl, KIFU_PRESENT, options);
        break;
    case 2: {
        uint32_t undone = 0;
        for (uint32_t most = 1 + kifu_rng_below(rng, 6); undone < most && kifu_can_undo(crawl, NULL); undone++)
            must(crawl, kifu_undo(crawl));
        for (; undone; undone--)
            must(crawl, kifu_redo(crawl));
        break;
    }
    case 3:
        must(crawl, kifu_begin(crawl, kifu_rng_below(rng, 2) ? KIFU_SEARCH : 0));
        for (uint32_t steps = kifu_rng_below(rng, 6); steps; steps--)
            crawl_step(crawl, wander);
        must(crawl, kifu_roll_back(crawl));
        break;
    case 4:
        crawl_submit_e_scare(crawl, crawl_next_actors(crawl_get_state(crawl), KIFU_NO_HANDLE), true);
        ck_assert_int_eq(kifu_run(crawl), KIFU_FAILED);
        break;
    default:
        must(crawl, kifu_seek(crawl, kifu_rng_below(rng, kifu_event_count(crawl) + 1)));
        must(crawl, kifu_seek(crawl, KIFU_PRESENT));
        break;
    }
    if (next != crawl)
        kifu_destroy(crawl);
    return next;
}

static void must_be_equal(const kifu_timeline *one, const kifu_timeline *other, uint32_t *from)
{
    must_be(!memcmp(kifu_state(one), kifu_state(other), sizeof(crawl_state)));
    must_be(kifu_event_count(one) == kifu_event_count(other));
    for (kifu_event a, b; kifu_event_at(one, *from, &a) && kifu_event_at(other, *from, &b); ++*from)
        must_be(a.type == b.type && a.player == b.player && a.cause == b.cause && a.flags == b.flags);
    for (kifu_handle each = 0; (each = crawl_next_actors(crawl_get_state(one), each)) != 0;)
        must_be(kifu_goes_on(one, each) == kifu_goes_on(other, each));
}

// The same decisions on two timelines; with one of them, much else happens meanwhile.
static uint32_t play_twice(unsigned long seed, uint32_t steps)
{
    const kifu_options recorded = {.record_inputs = kifu_record_inputs, .user = &test_hooks};
    const kifu_options synced = {.sync_test = kifu_sync_test, .user = &test_hooks};
    const kifu_options *options = seed % 2 ? &synced : &with_hooks;
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 9);
    kifu_timeline *both[2] = {crawl_new(&recorded), crawl_new(options)};
    uint32_t compared = 0, went_on = 0;
    for (int k = 0; k < 2; k++) {
        crawl_submit_e_build(both[k]);
        for (uint8_t i = 0; i < 2; i++)
            crawl_submit_e_spawn(both[k], &(crawl_e_spawn_args){.kind = CRAWL_KIND_HERO,
                                                                .item = CRAWL_ITEM_NONE,
                                                                .x = (uint8_t)(1 + i),
                                                                .y = (uint8_t)(1 + 4 * i),
                                                                .hp = 90,
                                                                .speed = 100 + 50 * i,
                                                                .energy = 0});
        crawl_submit_e_spawn(
            both[k],
            &(crawl_e_spawn_args){
                .kind = CRAWL_KIND_RAT, .item = CRAWL_ITEM_NONE, .x = 6, .y = 1, .hp = 3, .speed = 130, .energy = 0});
        crawl_submit_e_spawn(
            both[k],
            &(crawl_e_spawn_args){
                .kind = CRAWL_KIND_OGRE, .item = CRAWL_ITEM_NONE, .x = 6, .y = 6, .hp = 50, .speed = 70, .energy = 0});
        must(both[k], kifu_run(both[k]));
    }
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t what = kifu_rng_below(&rng, 8 * 9 * 8), then = kifu_rng_below(&rng, 40);
        const kifu_handle hero = crawl_next_actors(crawl_get_state(both[0]), KIFU_NO_HANDLE);
        kifu_turn turns[2];
        for (int k = 0; k < 2; k++) {
            if (then == 0)
                crawl_submit_e_scare(both[k], hero, false);
            if (then == 0)
                must(both[k], kifu_run(both[k]));
            if (then == 1) // before its turn, in the middle of something
                must(both[k], kifu_set_action(both[k], hero, order(both[k], hero, what)));
            turns[k] = crawl_step(both[k], wander);
            if (turns[k].status == KIFU_TURN_NEEDS_INPUT)
                must(both[k], kifu_set_action(both[k], turns[k].actor, order(both[k], turns[k].actor, what)));
        }
        must_be(turns[0].status == turns[1].status && turns[0].actor == turns[1].actor);
        went_on += turns[0].actor && kifu_goes_on(both[0], turns[0].actor);
        if (kifu_rng_below(&rng, 3) == 0)
            both[1] = disturb(both[1], options, &rng);
        must_be_equal(both[0], both[1], &compared);
        if (turns[0].status == KIFU_TURN_NO_ACTORS)
            break;
    }
    must(both[0], kifu_verify_rules(both[0], NULL, NULL, NULL));
    must_replay(both[0]);
    must_replay(both[1]);
    kifu_destroy(both[0]);
    kifu_destroy(both[1]);
    return went_on;
}

START_TEST(G09_random_games_with_undo_saves_and_forks_in_the_middle)
{
    const unsigned long games = fuzz_steps(40);
    unsigned long went_on = 0;
    for (unsigned long game = 0; game < games; game++)
        went_on += play_twice(fuzz_seed() + game, 120);
    ck_assert_uint_gt(went_on, 10 * games);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        G09_a_run_goes_on_by_itself_and_each_step_is_an_event,
        G09_a_monster_rests_until_it_is_healed,
        G09_a_first_step_that_cannot_be_is_refused_and_nothing_goes_on,
        G09_what_goes_on_is_the_event_whose_check_said_so,
        G09_what_a_Do_tries_instead_may_go_on,
        G09_a_view_sees_at_each_step_whether_it_goes_on,
        M08_G09_X03_a_question_of_a_view_lets_the_action_go_on,
        G09_its_check_ends_it_when_somebody_comes_near,
        G09_an_event_interrupts_whom_it_names,
        G09_a_Do_that_fails_interrupts_nothing,
        M07_X01_a_try_that_interrupts_an_action_lets_it_go_on_afterwards,
        G09_a_step_may_interrupt_its_own_action,
        G09_another_order_takes_its_place,
        G09_a_step_without_end_is_not_tried_again,
        G09_the_dead_do_not_go_on,
        G09_one_undo_takes_back_the_whole_action_or_a_step,
        G09_undo_stops_at_what_another_player_decided_meanwhile,
        G09_what_was_submitted_as_final_is_final_in_all_steps,
        G09_it_goes_on_after_a_load_and_in_a_fork,
        G09_a_roll_back_brings_it_back,
        G09_misuse_is_told,
        G09_memory_may_end_at_any_step,
        G09_random_games_with_undo_saves_and_forks_in_the_middle,
    };
    return run_suite("long actions", tests, sizeof tests / sizeof *tests);
}
