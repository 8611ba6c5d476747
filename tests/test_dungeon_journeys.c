// Dungeon's actions of several turns: run, rest until healed, walk, explore; by the hero and by monsters.

#include "bot.h"
#include "dungeon_help.h"
#include "recorded_journey.h"
#include "suite.h"

static bool hero_goes_on(const kifu_timeline *timeline)
{
    return kifu_goes_on(timeline, handle_of_hero(timeline));
}

// Why the hero's action of several turns ends, once it does by its check.
static const char *reason_of_end(kifu_timeline *timeline)
{
    for (int i = 0; i < 10000; i++) {
        kifu_turn turn;
        must(timeline, kifu_run(timeline));
        must(timeline, kifu_take_turn(timeline, dungeon_decide, NULL, &turn));
        if (turn.actor != handle_of_hero(timeline))
            continue;
        if (turn.status == KIFU_TURN_ENDED)
            return kifu_error_reason(kifu_last_error(timeline));
        if (turn.status == KIFU_TURN_NEEDS_INPUT)
            return "it was interrupted, or has done what it was for";
    }
    ck_abort_msg("it never ended");
    return NULL;
}

static void wound_hero(kifu_timeline *timeline, int16_t amount)
{
    dungeon_submit_e_damage(timeline, &(dungeon_e_damage_args){.performer = KIFU_NO_HANDLE,
                                                               .target = handle_of_hero(timeline),
                                                               .amount = amount,
                                                               .magic = true,
                                                               .reflected = false});
    must(timeline, kifu_run(timeline));
}

// Somebody awake, as far away in sight as there is place; the hero's turn is next.
static void appear_in_sight(kifu_timeline *timeline, dungeon_kind kind)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    int x = 0, y = 0, distance = 1;
    for (int i = 0; i < MAP_CELLS; i++) {
        const int column = i % MAP_WIDTH, row = i / MAP_WIDTH;
        const int to = map_distance(hero_of(timeline)->x, hero_of(timeline)->y, column, row);
        if (to > distance && map_is_open(state, column, row) && map_hero_sees(state, column, row) &&
            !map_being_at(state, column, row)) {
            distance = to;
            x = column;
            y = row;
        }
    }
    ck_assert_int_gt(distance, 1);
    dungeon_submit_e_appear(timeline, kind, (uint8_t)x, (uint8_t)y);
    must(timeline, kifu_run(timeline));
}

// --- Rest ------------------------------------------------------------------------------------------------------------

START_TEST(G09_the_hero_rests_until_healed_and_one_undo_takes_it_back)
{
    kifu_timeline *timeline = new_game(5, NULL);
    wound_hero(timeline, 6);
    const uint64_t before = kifu_state_hash(timeline);
    const uint32_t first = kifu_event_count(timeline);
    must_act(timeline, 'R');
    ck_assert(hero_goes_on(timeline));
    ck_assert_str_eq(reason_of_end(timeline), "all wounds are healed");
    ck_assert_int_eq(hero_of(timeline)->hp, hero_of(timeline)->most_hp);
    ck_assert_uint_ge(count_from(timeline, first, DUNGEON_P_REST), 11);
    ck_assert_uint_eq(count_from(timeline, 0, DUNGEON_P_RECOVER), 0); // Only its steps happen.
    must_not_act(timeline, 'R', "all wounds are healed");
    must(timeline, kifu_undo(timeline));
    ck_assert_uint_eq(kifu_state_hash(timeline), before);
    must(timeline, kifu_redo(timeline));
    ck_assert_int_eq(hero_of(timeline)->hp, hero_of(timeline)->most_hp);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(G09_a_monster_that_comes_into_sight_ends_the_rest)
{
    kifu_timeline *timeline = new_game(5, NULL);
    wound_hero(timeline, 20);
    must_act(timeline, 'R');
    for (int i = 0; i < 6; i++) {
        kifu_turn turn;
        must(timeline, kifu_take_turn(timeline, dungeon_decide, NULL, &turn));
        must(timeline, kifu_run(timeline));
    }
    appear_in_sight(timeline, DUNGEON_KIND_SLIME);
    ck_assert(hero_goes_on(timeline));
    const int16_t hp = hero_of(timeline)->hp;
    ck_assert_str_eq(reason_of_end(timeline), "an enemy is in sight");
    ck_assert_int_eq(hero_of(timeline)->hp, hp); // before the next step
    must(timeline, dungeon_go_on(timeline));
    static const char *const all[] = {"R", "x", "w", "H"};
    for (int i = 0; i < 4; i++)
        must_not_act(timeline, *all[i], "an enemy is in sight");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(G09_damage_interrupts_who_is_hurt)
{
    kifu_timeline *timeline = new_game(5, NULL);
    wound_hero(timeline, 10);
    must_act(timeline, 'R');
    ck_assert(hero_goes_on(timeline));
    wound_hero(timeline, 1); // by nobody who could be seen
    ck_assert(!hero_goes_on(timeline));
    const uint32_t first = kifu_event_count(timeline);
    must(timeline, dungeon_go_on(timeline));
    ck_assert_uint_eq(count_from(timeline, first, DUNGEON_P_REST), 0);
    kifu_destroy(timeline);
}
END_TEST

// --- Run -------------------------------------------------------------------------------------------------------------

// What the moves of a run were like.
typedef struct course {
    uint32_t corners;  // around which it ran,
    uint32_t far_on;   // and how often it had two steps or more behind one
    uint32_t straight; // steps since the last one
} course;

// Follows the hero's moves from event `from` on, which began at x, y.
static void follow(const kifu_timeline *timeline, uint32_t from, int x, int y, course *course)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    const dungeon_p_move *last = NULL;
    kifu_event event;
    bool turned = false;
    for (; kifu_event_at(timeline, from, &event); from++) {
        const dungeon_p_move *move = event.type == DUNGEON_P_MOVE ? event.table : NULL;
        if (!move || move->actor != state->hero)
            continue;
        if (last && (move->dx != last->dx || move->dy != last->dy)) {
            turned = true;
            course->corners++;
            course->straight = 0;
            ck_assert(move->dx * move->dy == 0 && (move->dx != -last->dx || move->dy != -last->dy));
            ck_assert(!map_is_open(state, x + last->dx, y + last->dy));                       // It had to,
            ck_assert(!map_is_open(state, x - last->dx + move->dx, y - last->dy + move->dy)); // and not in a room.
        }
        course->far_on += turned && ++course->straight == 3;
        x += move->dx;
        y += move->dy;
        last = move;
    }
}

START_TEST(G09_a_run_follows_a_corridor_and_ends_where_something_comes_into_sight)
{
    static const char *const ends[] = {"something lies here",
                                       "this is another ground",
                                       "the way ends here",
                                       "the way forks or opens",
                                       "there is a door",
                                       "an enemy is in sight",
                                       "it was interrupted, or has done what it was for"};
    enum { ENDS = sizeof ends / sizeof *ends };
    uint32_t counts[ENDS] = {0}, runs = 0, all = 0;
    course course = {.corners = 0};
    for (uint64_t seed = 1; seed <= 120; seed++) {
        kifu_timeline *timeline = new_game(seed, NULL);
        for (int i = 0; i < 6 && !dungeon_is_over(dungeon_get_state(timeline)); i++) {
            dungeon_submit_e_blink(timeline, handle_of_hero(timeline));
            must(timeline, kifu_run(timeline));
            const uint32_t from = kifu_event_count(timeline);
            const int x = hero_of(timeline)->x, y = hero_of(timeline)->y;
            if (act(timeline, "HJKLYUBN"[(seed + (uint64_t)i) % 8]) == KIFU_TURN_REFUSED)
                continue;
            runs++;
            const char *end = reason_of_end(timeline);
            for (int k = 0; k < ENDS; k++)
                counts[k] += !strcmp(end, ends[k]);
            follow(timeline, from, x, y, &course);
            must(timeline, dungeon_go_on(timeline));
        }
        kifu_destroy(timeline);
    }
    for (int k = 0; k < ENDS; k++) {
        all += counts[k];
        ck_assert_msg(counts[k] > 0, "no run ended because %s", ends[k]);
    }
    ck_assert_uint_eq(all, runs);
    ck_assert_uint_gt(course.corners, 5);
    ck_assert_uint_gt(course.far_on, 2);
}
END_TEST

START_TEST(G09_a_run_into_a_door_opens_it_and_no_more)
{
    uint32_t opened = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        kifu_timeline *timeline = new_game(seed, NULL);
        const char step = go_beside(timeline, DUNGEON_TILE_DOOR);
        const uint32_t first = kifu_event_count(timeline);
        if (act(timeline, (char)(step - 'a' + 'A')) == KIFU_TURN_ACTED) { // The way there may have woken somebody.
            must_begin(names_from(timeline, first), "POpen");
            ck_assert(!hero_goes_on(timeline));
            opened++;
        }
        kifu_destroy(timeline);
    }
    ck_assert_uint_gt(opened, 2);
}
END_TEST

START_TEST(G09_a_run_attacks_nobody)
{
    kifu_timeline *timeline = new_game(2, NULL);
    const kifu_handle goblin = put_beside(timeline, DUNGEON_KIND_GOBLIN);
    must_not_act(timeline, (char)(way_to(timeline, goblin) - 'a' + 'A'), "an enemy is in sight");
    kifu_destroy(timeline);
}
END_TEST

// --- Explore, and walk -----------------------------------------------------------------------------------------------

static uint32_t sleepers_in_sight(const kifu_timeline *timeline)
{
    return map_sleepers_in_sight(dungeon_get_state(timeline));
}

// Explores with all that comes of it; counts the interruptions by somebody who sleeps on.
static uint32_t explore(kifu_timeline *timeline, uint32_t *interrupted)
{
    uint32_t steps = 0;
    for (;;) {
        kifu_turn turn;
        const uint32_t before = sleepers_in_sight(timeline);
        const bool went_on = hero_goes_on(timeline);
        must(timeline, kifu_take_turn(timeline, dungeon_decide, NULL, &turn));
        must(timeline, kifu_run(timeline));
        if (turn.actor != handle_of_hero(timeline) || turn.status == KIFU_TURN_ENDED)
            continue;
        if (turn.status != KIFU_TURN_ACTED)
            return steps;
        steps++;
        if (sleepers_in_sight(timeline) & ~before) {
            ck_assert(!hero_goes_on(timeline));
            *interrupted += went_on;
        }
    }
}

START_TEST(G09_exploring_ends_when_somebody_asleep_comes_into_sight)
{
    uint32_t steps = 0, interrupted = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        kifu_timeline *timeline = new_game(seed, NULL);
        for (int i = 0; i < 60 && !dungeon_is_over(dungeon_get_state(timeline)); i++) {
            kifu_turn turn;
            must(timeline,
                 kifu_set_action(timeline, handle_of_hero(timeline), dungeon_submit_command(timeline, 'x', false)));
            must(timeline, kifu_take_turn(timeline, dungeon_decide, NULL, &turn));
            if (turn.status == KIFU_TURN_REFUSED)
                break;
            must(timeline, kifu_run(timeline));
            steps += 1 + explore(timeline, &interrupted);
        }
        ck_assert_uint_eq(count_from(timeline, 0, DUNGEON_P_EXPLORE), 0);
        kifu_destroy(timeline);
    }
    ck_assert_uint_gt(steps, 400);
    ck_assert_uint_gt(interrupted, 5);
}
END_TEST

START_TEST(G09_exploring_is_undone_step_by_step)
{
    kifu_timeline *timeline = new_game(5, NULL);
    uint64_t before[100];
    uint32_t steps = 0;
    must(timeline, kifu_set_action(timeline, handle_of_hero(timeline), dungeon_submit_command(timeline, 'x', false)));
    kifu_turn turn = {.status = KIFU_TURN_BUSY};
    while (turn.status != KIFU_TURN_NEEDS_INPUT && steps < 100) {
        const uint64_t now = kifu_state_hash(timeline);
        must(timeline, kifu_take_turn(timeline, dungeon_decide, NULL, &turn));
        must(timeline, kifu_run(timeline));
        if (turn.actor == handle_of_hero(timeline) && turn.status == KIFU_TURN_ACTED)
            before[steps++] = now;
    }
    ck_assert_uint_gt(steps, 1);
    while (steps-- > 0) {
        must(timeline, kifu_undo(timeline));
        ck_assert_uint_eq(kifu_state_hash(timeline), before[steps]);
        ck_assert(!hero_goes_on(timeline));
    }
    kifu_destroy(timeline);
}
END_TEST

START_TEST(G09_the_hero_walks_to_stairs_that_were_seen)
{
    uint32_t walks = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        kifu_timeline *timeline = new_game(seed, NULL);
        const dungeon_state *state = dungeon_get_state(timeline);
        must_not_act(timeline, 'w', "no way to there is known");
        for (int i = 0; i < 400 && state->level == 1 && !dungeon_is_over(state); i++) {
            const char command = bot_command(state);
            if (command == 'w')
                must_not_act(timeline, 'x', "there is nothing left to explore");
            const uint32_t first = kifu_event_count(timeline);
            kifu_result result = dungeon_play(timeline, command);
            ck_assert(!result || result == KIFU_REJECTED);
            if (result == KIFU_REJECTED)
                must(timeline, dungeon_play(timeline, '.'));
            if (command != 'w' || map_tile(state, hero_of(timeline)->x, hero_of(timeline)->y) != DUNGEON_TILE_STAIRS)
                continue;
            walks++;
            if (count_from(timeline, first, DUNGEON_E_BEGIN_TURN) < 3) // something has interrupted it before
                continue;
            must(timeline, kifu_undo(timeline)); // the whole walk
            ck_assert_uint_eq(kifu_event_count(timeline), first);
            must(timeline, kifu_redo(timeline));
        }
        kifu_destroy(timeline);
    }
    ck_assert_uint_gt(walks, 10);
}
END_TEST

// --- Monsters --------------------------------------------------------------------------------------------------------

typedef struct plan {
    kifu_handle monster;
    uint8_t x, y;
    uint32_t asked;
} plan;

// It walks away from the hero, and recovers there; others stand still.
static kifu_ticket walk_and_recover(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor,
                                    uint32_t attempt)
{
    plan *plan = context;
    const dungeon_being *being = dungeon_get_actors(state, actor);
    if (actor == handle_of_hero(timeline))
        return 0;
    if (actor != plan->monster || attempt)
        return dungeon_submit_p_move(timeline, -1, actor, 0, 0, 0);
    plan->asked++;
    if (being->x != plan->x || being->y != plan->y)
        return dungeon_submit_p_walk(timeline, -1, actor, plan->x, plan->y);
    return dungeon_submit_p_recover(timeline, -1, actor);
}

START_TEST(G09_a_monster_walks_to_a_place_and_rests_until_it_is_healed)
{
    kifu_timeline *timeline = new_game(3, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    // Two places that the hero does not see, some steps from each other.
    plan plan = {.asked = 0};
    int8_t dx, dy;
    int steps = 0;
    for (uint32_t i = 0; i < MAP_CELLS && steps < 4; i++) {
        const int x = (int)(i % MAP_WIDTH), y = (int)(i / MAP_WIDTH);
        if (map_tile(state, x, y) != DUNGEON_TILE_FLOOR || map_hero_sees(state, x, y) || map_being_at(state, x, y))
            continue;
        if (plan.monster) {
            plan.x = (uint8_t)x;
            plan.y = (uint8_t)y;
            steps = way_step(state, plan.monster, x, y, false, &dx, &dy);
            continue;
        }
        dungeon_submit_e_appear(timeline, DUNGEON_KIND_ORC, (uint8_t)x, (uint8_t)y);
        must(timeline, kifu_run(timeline));
        plan.monster = map_being_at(state, x, y);
        dungeon_submit_e_damage(
            timeline,
            &(dungeon_e_damage_args){
                .performer = KIFU_NO_HANDLE, .target = plan.monster, .amount = 3, .magic = true, .reflected = false});
        must(timeline, kifu_run(timeline));
    }
    ck_assert_int_ge(steps, 4);
    const dungeon_being *monster = dungeon_get_actors(state, plan.monster);
    uint32_t went_on = 0;
    for (int i = 0; i < 400 && (monster->hp < monster->most_hp || monster->x != plan.x); i++) {
        kifu_turn turn;
        must(timeline, kifu_take_turn(timeline, walk_and_recover, &plan, &turn));
        if (turn.status == KIFU_TURN_NEEDS_INPUT)
            must(timeline, kifu_set_action(timeline, turn.actor,
                                           dungeon_submit_p_move(timeline, HERO_PLAYER, turn.actor, 0, 0, 0)));
        must(timeline, kifu_run(timeline));
        if (monster->x == plan.x && monster->y == plan.y && plan.asked == 1)
            ck_assert(!kifu_goes_on(timeline, plan.monster)); // The last step is the last.
        if (i == 20) {                                        // in the middle
            kifu_timeline *loaded = reload(timeline, NULL);
            ck_assert(kifu_goes_on(timeline, plan.monster) && kifu_goes_on(loaded, plan.monster));
            kifu_destroy(loaded);
        }
        went_on += turn.actor == plan.monster && kifu_goes_on(timeline, plan.monster);
    }
    ck_assert_int_eq(monster->hp, monster->most_hp);
    ck_assert_uint_eq(plan.asked, 2); // to walk, and to rest
    ck_assert_uint_gt(went_on, 6);
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

// Somebody sleeps around a corner there, in sight and out of sight again.
START_TEST(G09_exploring_does_not_go_to_and_fro)
{
    kifu_timeline *timeline = new_game(62, NULL);
    uint32_t count;
    must(timeline, bot_play(timeline, 1500, NULL, &count));
    ck_assert(dungeon_is_over(dungeon_get_state(timeline)));
    kifu_destroy(timeline);
}
END_TEST

// --- Whole games -----------------------------------------------------------------------------------------------------

// Some turns of the loop, whoever acts; the bot decides for the hero.
static void take_turns(kifu_timeline *timeline, uint32_t count)
{
    kifu_turn turn;
    for (; count && !dungeon_is_over(dungeon_get_state(timeline)); count--) {
        must(timeline, kifu_take_turn(timeline, dungeon_decide, NULL, &turn));
        if (turn.status == KIFU_TURN_NEEDS_INPUT || turn.status == KIFU_TURN_REFUSED) {
            const char command = turn.status == KIFU_TURN_REFUSED ? '.' : bot_command(dungeon_get_state(timeline));
            must(timeline,
                 kifu_set_action(timeline, handle_of_hero(timeline), dungeon_submit_command(timeline, command, false)));
        }
        must(timeline, kifu_run(timeline));
    }
}

START_TEST(G09_a_game_saved_in_the_middle_of_a_journey_goes_on_in_the_same_way)
{
    const kifu_options options = {.quiet = true, .observers = dungeon_hooks};
    uint32_t in_the_middle = 0;
    for (uint64_t seed = 30; seed < 34; seed++) {
        kifu_timeline *played = new_game(seed, NULL), *saved = new_game(seed, NULL);
        while (!dungeon_is_over(dungeon_get_state(played))) {
            in_the_middle += hero_goes_on(saved);
            kifu_timeline *loaded = reload(saved, &options), *fork;
            kifu_destroy(saved);
            ck_assert_int_eq(kifu_fork(loaded, KIFU_PRESENT, &options, &fork, NULL), KIFU_OK);
            kifu_destroy(loaded);
            saved = fork;
            take_turns(played, 97);
            take_turns(saved, 97);
            ck_assert_uint_eq(kifu_state_hash(played), kifu_state_hash(saved));
            ck_assert_uint_eq(kifu_event_count(played), kifu_event_count(saved));
        }
        kifu_destroy(played);
        kifu_destroy(saved);
    }
    ck_assert_uint_gt(in_the_middle, 20);
}
END_TEST

START_TEST(G09_a_recorded_journey_ends_as_ever)
{
    const uint64_t seed = RECORDED_JOURNEY_SEED;
    kifu_timeline *timeline = new_game(seed, NULL);
    for (const char *command = recorded_journey; *command; command++)
        must(timeline, dungeon_play(timeline, *command));
    ck_assert(dungeon_is_over(dungeon_get_state(timeline)));
    ck_assert_uint_eq(kifu_event_count(timeline), RECORDED_JOURNEY_EVENTS);
    ck_assert_uint_eq(kifu_state_hash(timeline), RECORDED_JOURNEY_HASH);
    kifu_timeline *loaded = reload(timeline, NULL);
    ck_assert_uint_eq(kifu_state_hash(loaded), RECORDED_JOURNEY_HASH);
    kifu_destroy(loaded);
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        G09_the_hero_rests_until_healed_and_one_undo_takes_it_back,
        G09_a_monster_that_comes_into_sight_ends_the_rest,
        G09_damage_interrupts_who_is_hurt,
        G09_a_run_follows_a_corridor_and_ends_where_something_comes_into_sight,
        G09_a_run_into_a_door_opens_it_and_no_more,
        G09_a_run_attacks_nobody,
        G09_exploring_ends_when_somebody_asleep_comes_into_sight,
        G09_exploring_is_undone_step_by_step,
        G09_exploring_does_not_go_to_and_fro,
        G09_the_hero_walks_to_stairs_that_were_seen,
        G09_a_monster_walks_to_a_place_and_rests_until_it_is_healed,
        G09_a_game_saved_in_the_middle_of_a_journey_goes_on_in_the_same_way,
        G09_a_recorded_journey_ends_as_ever,
    };
    return run_suite("dungeon_journeys", tests, sizeof tests / sizeof *tests);
}
