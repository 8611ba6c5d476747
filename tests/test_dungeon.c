// The Dungeon example, a real roguelike: actions that become others, timed events, pools, undo.

#include "dungeon_help.h"
#include "suite.h"

// --- L: actions that become others -----------------------------------------------------------------------------------

START_TEST(L12_a_step_into_a_door_opens_it)
{
    kifu_timeline *timeline = new_game(1, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    char command = go_beside(timeline, DUNGEON_TILE_DOOR);
    int x, y;
    ck_assert(is_beside(timeline, DUNGEON_TILE_DOOR, &x, &y));
    int from_x = hero_of(timeline)->x, from_y = hero_of(timeline)->y;
    uint32_t first = kifu_event_count(timeline);
    must_act(timeline, command);
    must_begin(names_from(timeline, first), "POpen");
    ck_assert_uint_eq(map_tile(state, x, y), DUNGEON_TILE_OPEN_DOOR);
    ck_assert_int_eq(hero_of(timeline)->x, from_x);
    ck_assert_int_eq(hero_of(timeline)->y, from_y);
    ck_assert_uint_eq(count_from(timeline, first, DUNGEON_E_SPEND_ENERGY), 1); // it is the hero's action
    kifu_destroy(timeline);
}
END_TEST

START_TEST(L12_a_monster_with_hands_opens_doors_by_the_same_step)
{
    for (int hands = 0; hands < 2; hands++) {
        kifu_timeline *timeline = new_game(1, NULL);
        const dungeon_state *state = dungeon_get_state(timeline);
        go_beside(timeline, DUNGEON_TILE_DOOR);
        int x, y;
        ck_assert(is_beside(timeline, DUNGEON_TILE_DOOR, &x, &y));
        // The hero makes room for a monster.
        uint8_t from_x = hero_of(timeline)->x, from_y = hero_of(timeline)->y;
        while (hero_of(timeline)->x == from_x && hero_of(timeline)->y == from_y) {
            dungeon_submit_e_blink(timeline, state->hero);
            must(timeline, kifu_run(timeline));
        }
        dungeon_submit_e_appear(timeline, hands ? DUNGEON_KIND_GOBLIN : DUNGEON_KIND_RAT, from_x, from_y);
        must(timeline, kifu_run(timeline));
        kifu_handle monster = map_being_at(state, from_x, from_y);
        kifu_ticket step = dungeon_submit_p_move(timeline, -1, monster, (int8_t)(x - from_x), (int8_t)(y - from_y), 0);
        kifu_turn_status status = act_as(timeline, monster, step);
        if (hands) {
            ck_assert_int_eq(status, KIFU_TURN_ACTED);
            ck_assert_uint_eq(map_tile(state, x, y), DUNGEON_TILE_OPEN_DOOR);
        } else {
            ck_assert_int_eq(status, KIFU_TURN_REFUSED);
            ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), "it has no hands to open a door");
            ck_assert_uint_eq(map_tile(state, x, y), DUNGEON_TILE_DOOR);
        }
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(L12_a_step_into_a_monster_strikes_and_a_step_nowhere_rests)
{
    kifu_timeline *timeline = new_game(2, NULL);
    kifu_handle goblin = put_beside(timeline, DUNGEON_KIND_GOBLIN);
    uint32_t first = kifu_event_count(timeline);
    must_act(timeline, way_to(timeline, goblin));
    must_begin(names_from(timeline, first), "PStrike EAttempt");

    // The goblin does the same to the hero.
    const dungeon_state *state = dungeon_get_state(timeline);
    const dungeon_being *from = dungeon_get_actors(state, goblin);
    ck_assert_ptr_nonnull(from);
    first = kifu_event_count(timeline);
    kifu_ticket step = dungeon_submit_p_move(timeline, -1, goblin, (int8_t)(hero_of(timeline)->x - from->x),
                                             (int8_t)(hero_of(timeline)->y - from->y), 0);
    ck_assert_int_eq(act_as(timeline, goblin, step), KIFU_TURN_ACTED);
    ck_assert_uint_eq(count_from(timeline, first, DUNGEON_P_STRIKE), 1);

    must(timeline, dungeon_go_on(timeline));
    first = kifu_event_count(timeline);
    must_act(timeline, '.');
    must_begin(names_from(timeline, first), "PRest");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(L12_using_an_item_becomes_what_it_does)
{
    kifu_timeline *timeline = new_game(3, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    static const struct {
        dungeon_thing thing;
        const char *becomes;
    } uses[] = {{DUNGEON_THING_HEALING, "PDrink"},
                {DUNGEON_THING_SPEED, "PDrink"},
                {DUNGEON_THING_BLINK, "PCast"},
                {DUNGEON_THING_SWORD, "PWear"},
                {DUNGEON_THING_MAIL, "PWear"}};
    dungeon_submit_e_damage(timeline, &(dungeon_e_damage_args){.performer = KIFU_NO_HANDLE,
                                                               .target = state->hero,
                                                               .amount = 5,
                                                               .magic = true,
                                                               .reflected = false}); // so that a potion makes sense
    must(timeline, kifu_run(timeline));
    for (uint32_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        kifu_handle item = give(timeline, state->hero, uses[i].thing);
        must(timeline, dungeon_go_on(timeline));
        uint32_t first = kifu_event_count(timeline);
        must_act(timeline, use(timeline, item));
        must_begin(names_from(timeline, first), uses[i].becomes);
    }
    ck_assert_uint_eq(count_from(timeline, 0, DUNGEON_P_USE), 0); // a Do that fails leaves nothing, not even itself
    kifu_destroy(timeline);
}
END_TEST

START_TEST(L12_monsters_use_items_too)
{
    kifu_timeline *timeline = new_game(4, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    kifu_handle goblin = put_beside(timeline, DUNGEON_KIND_GOBLIN);
    kifu_handle axe = give(timeline, goblin, DUNGEON_THING_AXE);
    for (int i = 0; i < 5 && dungeon_get_actors(state, goblin)->weapon != axe; i++)
        must(timeline, dungeon_play(timeline, '.'));
    ck_assert_uint_eq(dungeon_get_actors(state, goblin)->weapon, axe);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(T05_a_use_that_fails_in_its_do_leaves_nothing)
{
    kifu_timeline *timeline = new_game(4, NULL);
    kifu_handle amulet = give(timeline, handle_of_hero(timeline), DUNGEON_THING_AMULET);
    kifu_handle potion = give(timeline, handle_of_hero(timeline), DUNGEON_THING_HEALING);
    must(timeline, dungeon_go_on(timeline));
    must_not_act(timeline, use(timeline, amulet), "that is of no use, only beautiful");
    must_not_act(timeline, use(timeline, potion), "there is no wound to heal"); // What is tried in its place.
    kifu_destroy(timeline);
}
END_TEST

START_TEST(L06_what_cannot_be_done_costs_nothing)
{
    kifu_timeline *timeline = new_game(5, NULL);
    char command = go_beside(timeline, DUNGEON_TILE_WALL);
    must(timeline, dungeon_go_on(timeline));
    must_not_act(timeline, command, "there is a wall");
    for (const char *other = ">g8"; *other; other++)
        must_not_act(timeline, *other, NULL);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(L10_armour_takes_longer_and_who_is_fast_acts_twice)
{
    kifu_timeline *timeline = new_game(6, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    kifu_handle mail = give(timeline, state->hero, DUNGEON_THING_MAIL);
    uint32_t turn = state->turns.turn;
    must(timeline, dungeon_play(timeline, use(timeline, mail)));
    ck_assert_uint_eq(state->turns.turn, turn + 2);
    kifu_handle speed = give(timeline, state->hero, DUNGEON_THING_SPEED);
    must(timeline, dungeon_play(timeline, use(timeline, speed)));
    turn = state->turns.turn;
    for (int i = 0; i < 6; i++)
        must(timeline, dungeon_play(timeline, '.'));
    ck_assert_uint_eq(state->turns.turn, turn + 3);
    kifu_destroy(timeline);
}
END_TEST

// --- H: timed events -------------------------------------------------------------------------------------------------

// Rests until game turn `turn` has begun.
static void rest_until(kifu_timeline *timeline, uint32_t turn)
{
    while (dungeon_get_state(timeline)->turns.turn < turn)
        must(timeline, dungeon_play(timeline, '.'));
}

// A game in which nothing else happens for so long.
static kifu_timeline *quiet_game(void)
{
    for (uint64_t seed = 1;; seed++) {
        kifu_timeline *timeline = new_game(seed, NULL);
        rest_until(timeline, AMBUSH_TURNS - 1);
        if (hero_of(timeline)->hp == hero_of(timeline)->most_hp && !count_from(timeline, 0, DUNGEON_E_WAKE))
            return timeline;
        kifu_destroy(timeline);
    }
}

static uint32_t count_beings(const kifu_timeline *timeline)
{
    uint32_t count = 0;
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_actors(dungeon_get_state(timeline), handle)))
        count++;
    return count;
}

START_TEST(H07_the_ambush_comes_after_twenty_turns)
{
    kifu_timeline *timeline = quiet_game();
    uint32_t before = count_beings(timeline);
    ck_assert_uint_eq(count_from(timeline, 0, DUNGEON_E_AMBUSH), 0);
    rest_until(timeline, AMBUSH_TURNS);
    ck_assert_uint_eq(count_from(timeline, 0, DUNGEON_E_AMBUSH), 1);
    ck_assert_uint_eq(count_beings(timeline), before + 2);
    ck_assert_uint_eq(dungeon_get_state(timeline)->turns.turn, AMBUSH_TURNS);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H07_the_ambush_is_saved)
{
    kifu_timeline *timeline = quiet_game();
    kifu_timeline *loaded = reload(timeline, NULL);
    add_hooks(loaded);
    rest_until(timeline, AMBUSH_TURNS + 3);
    rest_until(loaded, AMBUSH_TURNS + 3);
    ck_assert_uint_eq(count_from(loaded, 0, DUNGEON_E_AMBUSH), 1);
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(timeline));
    kifu_destroy(loaded);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H07_the_ambush_is_undone_and_comes_again)
{
    kifu_timeline *timeline = quiet_game();
    uint64_t before = kifu_state_hash(timeline);
    rest_until(timeline, AMBUSH_TURNS);
    uint64_t after = kifu_state_hash(timeline);
    must(timeline, kifu_undo(timeline)); // the rest in which it came
    ck_assert_uint_eq(kifu_state_hash(timeline), before);
    ck_assert_uint_eq(count_from(timeline, 0, DUNGEON_E_AMBUSH), 0);
    must(timeline, kifu_redo(timeline));
    ck_assert_uint_eq(kifu_state_hash(timeline), after);
    must(timeline, kifu_undo(timeline));
    rest_until(timeline, AMBUSH_TURNS);
    ck_assert_uint_eq(kifu_state_hash(timeline), after);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H07_who_goes_down_leaves_the_ambush_behind)
{
    kifu_timeline *timeline = quiet_game();
    dungeon_submit_e_descend(timeline);
    must(timeline, kifu_run(timeline));
    rest_until(timeline, AMBUSH_TURNS + 5);
    ck_assert_uint_eq(count_from(timeline, 0, DUNGEON_E_AMBUSH), 0);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H07_a_second_potion_of_speed_begins_its_time_anew)
{
    kifu_timeline *timeline = new_game(15, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    dungeon_submit_e_haste(timeline, state->hero);
    must(timeline, kifu_run(timeline));
    uint32_t turn = state->turns.turn;
    rest_until(timeline, turn + 10);
    dungeon_submit_e_haste(timeline, state->hero);
    must(timeline, kifu_run(timeline));
    rest_until(timeline, turn + HASTE_TURNS + 5);
    ck_assert(hero_of(timeline)->fast);
    rest_until(timeline, turn + 10 + HASTE_TURNS);
    ck_assert(!hero_of(timeline)->fast);
    ck_assert_int_eq(hero_of(timeline)->actor.speed, beings[DUNGEON_KIND_HERO].speed);
    kifu_destroy(timeline);
}
END_TEST

// --- H: pools --------------------------------------------------------------------------------------------------------

START_TEST(H08_the_handle_of_who_has_died_leads_to_nobody_else)
{
    kifu_timeline *timeline = new_game(16, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    kifu_handle goblin = put_beside(timeline, DUNGEON_KIND_GOBLIN);
    kifu_handle sword = give(timeline, goblin, DUNGEON_THING_SWORD);
    uint8_t x = dungeon_get_actors(state, goblin)->x, y = dungeon_get_actors(state, goblin)->y;
    dungeon_submit_e_damage(
        timeline, &(dungeon_e_damage_args){
                      .performer = state->hero, .target = goblin, .amount = 100, .magic = false, .reflected = false});
    must(timeline, kifu_run(timeline));
    ck_assert_ptr_null(dungeon_get_actors(state, goblin));
    // What it had lies where it fell.
    const dungeon_item *fallen = dungeon_get_items(state, sword);
    ck_assert_ptr_nonnull(fallen);
    ck_assert_uint_eq(fallen->owner, KIFU_NO_HANDLE);
    ck_assert_uint_eq(fallen->x, x);
    ck_assert_uint_eq(fallen->y, y);
    // The next one takes its slot, and not its handle.
    kifu_handle rat = put_beside(timeline, DUNGEON_KIND_RAT);
    ck_assert_uint_eq(kifu_handle_index(rat), kifu_handle_index(goblin));
    ck_assert_uint_ne(rat, goblin);
    ck_assert_ptr_null(dungeon_get_actors(state, goblin));
    // A blow at who has died is refused.
    dungeon_submit_p_strike(timeline, HERO_PLAYER, state->hero, goblin);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    ck_assert_int_eq(dungeon_get_actors(state, rat)->hp, beings[DUNGEON_KIND_RAT].hp);
    kifu_destroy(timeline);
}
END_TEST

// --- U: undo ---------------------------------------------------------------------------------------------------------

START_TEST(U04_undo_leads_back_to_before_the_heros_own_action_with_all_replies)
{
    kifu_timeline *timeline = new_game(17, NULL);
    put_beside(timeline, DUNGEON_KIND_BAT);
    put_beside(timeline, DUNGEON_KIND_GOBLIN);
    uint64_t hashes[10];
    for (int i = 0; i < 10; i++) {
        hashes[i] = kifu_state_hash(timeline);
        uint32_t first = kifu_event_count(timeline);
        must(timeline, dungeon_play(timeline, '.'));
        if (i > 1) // the monsters did something
            ck_assert_uint_gt(kifu_event_count(timeline), first + 5);
    }
    for (int i = 10; i-- > 0;) {
        must(timeline, kifu_undo(timeline));
        ck_assert_uint_eq(kifu_state_hash(timeline), hashes[i]);
        kifu_turn turn;
        must(timeline, kifu_take_turn(timeline, dungeon_decide, NULL, &turn));
        ck_assert_int_eq(turn.status, KIFU_TURN_NEEDS_INPUT); // and it is the hero's turn at once
    }
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U02_without_undo_what_is_done_is_done_even_what_it_became)
{
    kifu_timeline *timeline = new_game(18, NULL);
    kifu_handle goblin = put_beside(timeline, DUNGEON_KIND_GOBLIN);
    kifu_turn turn;
    must(timeline, kifu_set_action(timeline, handle_of_hero(timeline),
                                   dungeon_submit_command(timeline, way_to(timeline, goblin), true)));
    must(timeline, kifu_take_turn(timeline, dungeon_decide, NULL, &turn));
    ck_assert_int_eq(turn.status, KIFU_TURN_ACTED);
    must(timeline, dungeon_go_on(timeline));
    ck_assert_uint_eq(kifu_can_undo(timeline, NULL), 0);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_NOT_UNDOABLE);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U04_death_and_victory_are_undone_too)
{
    kifu_timeline *timeline = new_game(19, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    must(timeline, dungeon_play(timeline, '.'));
    uint64_t before = kifu_state_hash(timeline);
    kifu_handle amulet = give(timeline, state->hero, DUNGEON_THING_AMULET);
    ck_assert_int_eq(act(timeline, use(timeline, amulet)), KIFU_TURN_REFUSED);
    dungeon_submit_e_damage(
        timeline,
        &(dungeon_e_damage_args){
            .performer = KIFU_NO_HANDLE, .target = state->hero, .amount = 1000, .magic = true, .reflected = false});
    must(timeline, kifu_run(timeline));
    ck_assert(dungeon_is_over(state) && !state->won);
    ck_assert_int_eq(hero_of(timeline)->hp, 0);
    kifu_turn turn;
    must(timeline, kifu_take_turn(timeline, dungeon_decide, NULL, &turn));
    ck_assert_int_eq(turn.status, KIFU_TURN_NO_ACTORS);
    must(timeline, kifu_undo(timeline));
    ck_assert(!dungeon_is_over(state));
    ck_assert_uint_ne(kifu_state_hash(timeline), before); // the rest before it went, too: these are engine events
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        L12_a_step_into_a_door_opens_it,
        L12_a_monster_with_hands_opens_doors_by_the_same_step,
        L12_a_step_into_a_monster_strikes_and_a_step_nowhere_rests,
        L12_using_an_item_becomes_what_it_does,
        L12_monsters_use_items_too,
        T05_a_use_that_fails_in_its_do_leaves_nothing,
        L06_what_cannot_be_done_costs_nothing,
        L10_armour_takes_longer_and_who_is_fast_acts_twice,
        H07_the_ambush_comes_after_twenty_turns,
        H07_the_ambush_is_saved,
        H07_the_ambush_is_undone_and_comes_again,
        H07_who_goes_down_leaves_the_ambush_behind,
        H07_a_second_potion_of_speed_begins_its_time_anew,
        H08_the_handle_of_who_has_died_leads_to_nobody_else,
        U04_undo_leads_back_to_before_the_heros_own_action_with_all_replies,
        U02_without_undo_what_is_done_is_done_even_what_it_became,
        U04_death_and_victory_are_undone_too,
    };
    return run_suite("dungeon", tests, sizeof tests / sizeof *tests);
}
