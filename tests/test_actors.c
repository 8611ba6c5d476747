// Who may act: energy, and actors that come and go in the middle of a game turn.

#include "crawl_help.h"
#include "suite.h"

// --- Energy ----------------------------------------------------------------------------------------------------------

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
    ck_assert_int_eq(crawl_energy(crawl, slow), 0);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L08_who_has_a_speed_gains_it)
{
    static const struct {
        int speed, gained;
    } cases[] = {{1, 1}, {0, 0}, {-1, 0}, {300, 300}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *crawl = crawl_new(NULL);
        kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, cases[i].speed);
        go_to_turn(crawl, 1);
        ck_assert_int_eq(crawl_energy(crawl, rat), cases[i].gained);
        must_step(crawl, crawl_rest,
                  {cases[i].gained < 100 ? cases[i].gained ? KIFU_TURN_BEGAN : KIFU_TURN_NO_ACTORS : KIFU_TURN_ACTED,
                   cases[i].gained < 100 ? KIFU_NO_HANDLE : rat});
        kifu_destroy(crawl);
    }
}
END_TEST

START_TEST(L08_energy_stays_in_its_range)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, INT32_MAX);
    must_step(crawl, crawl_rest, BEGAN);
    ck_assert_int_eq(crawl_energy(crawl, rat), INT32_MAX);
    for (int i = 0; i < 3; i++) { // Whoever begins the turn.
        crawl_submit_e_begin_turn(crawl);
        must(crawl, kifu_run(crawl));
        ck_assert_int_eq(crawl_energy(crawl, rat), INT32_MAX);
    }
    must_step(crawl, crawl_rest, ACTED(rat));
    ck_assert_int_eq(crawl_energy(crawl, rat), INT32_MAX - 100);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// --- Coming and going ------------------------------------------------------------------------------------------------

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
    must_act(crawl, a, crawl_submit_p_rest(crawl, 0, a));
    must_act(crawl, b, crawl_submit_p_any(crawl, 1, b, 0, what));
    ck_assert_ptr_null(crawl_at(crawl, b));
    must_step(crawl, crawl_hunt, ASKED(c));
    must_act(crawl, c, crawl_submit_p_rest(crawl, 2, c));
    must_step(crawl, crawl_hunt, BEGAN);
    // Its slot is another's in the same turn: a new actor, with energy of its own.
    must_act(crawl, a, crawl_submit_p_any(crawl, 0, a, 1, what));
    kifu_turn turn = crawl_step(crawl, crawl_rest);
    must_be_turn(turn, KIFU_TURN_ACTED, 0 | UINT32_C(3) << 16);
    must_step(crawl, crawl_rest, ACTED(c), BEGAN);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(L11_an_actor_dies_in_anothers_action)
{
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle bomber, near[3], far;
    near[0] = crawl_add(crawl, CRAWL_KIND_RAT, 2, 2, 100);
    crawl_submit_e_spawn(
        crawl,
        &(crawl_e_spawn_args){
            .kind = CRAWL_KIND_HERO, .item = CRAWL_ITEM_BOMB, .x = 2, .y = 3, .hp = 5, .speed = 100, .energy = 0});
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
    must_step(crawl, crawl_hunt, BEGAN);
    kifu_turn turn = crawl_step(crawl, crawl_rest);
    must_be_turn(turn, KIFU_TURN_ACTED, near[0]);
    must_step(crawl, crawl_hunt, ASKED(bomber));
    must_act(crawl, bomber, crawl_submit_p_use(crawl, 0, bomber));
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_null(crawl_at(crawl, near[i]));
    ck_assert_int_eq(crawl_at(crawl, bomber)->hp, 2);
    must_step(crawl, crawl_rest, ACTED(far), BEGAN);
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
    must_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero));
    for (uint32_t i = 0; i < 2; i++) // One before the hero, one behind, both with energy.
        crawl_submit_e_spawn(crawl, &(crawl_e_spawn_args){.kind = CRAWL_KIND_RAT,
                                                          .item = CRAWL_ITEM_NONE,
                                                          .x = (uint8_t)(5 + i),
                                                          .y = 1,
                                                          .hp = 5,
                                                          .speed = 100,
                                                          .energy = 100});
    must(crawl, kifu_run(crawl));
    kifu_handle before = crawl_who(crawl_get_state(crawl), 5, 1), behind = crawl_who(crawl_get_state(crawl), 6, 1);
    ck_assert_uint_eq(kifu_handle_index(before), 0);
    ck_assert_uint_eq(kifu_handle_index(behind), 2);
    must_act(crawl, hero, crawl_submit_p_rest(crawl, 0, hero));
    must_step(crawl, crawl_rest, ACTED(behind), BEGAN, ACTED(before)); // Nothing is lost.
    must_step(crawl, crawl_rest, ACTED(before), ACTED(hero));
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
            crawl_submit_e_spawn(crawl, &(crawl_e_spawn_args){.kind = CRAWL_KIND_RAT,
                                                              .item = CRAWL_ITEM_NONE,
                                                              .x = (uint8_t)(step / 8 % 200 + 20),
                                                              .y = 0,
                                                              .hp = 5,
                                                              .speed = (int)(step % 300),
                                                              .energy = (int)(step % 200)});
            kifu_result result = kifu_run(crawl);
            must_be(result == KIFU_OK || result == KIFU_FAILED || result == KIFU_REJECTED);
            take_in(crawl, slots);
        }
        kifu_turn turn = crawl_step(crawl, crawl_any);
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

int main(void)
{
    const TTest *const tests[] = {
        L08_five_moves_for_seven_are_exact,   L08_who_has_a_speed_gains_it,
        L08_energy_stays_in_its_range,        L11_an_actor_dies_in_its_own_action,
        L11_an_actor_dies_in_anothers_action, L11_who_comes_in_mid_turn_acts_in_it_where_the_turn_goes_on,
        L11_nobody_is_skipped_or_acts_twice,
    };
    return run_suite("actors", tests, sizeof tests / sizeof *tests);
}
