// The Dungeon example: what a roguelike needs of the timeline works in a real one. It links the rules, the monsters and
// the bot, no view.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "ai.h"
#include "bot.h"
#include "game.h"
#include "hooks.h"
#include "kinds.h"
#include "map.h"
#include "recorded_game.h"
#include "rules.h"
#include "suite.h"

// --- Help ------------------------------------------------------------------------------------------------------------

static void must(const kifu_timeline *timeline, kifu_result result)
{
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
}

static void add_hooks(kifu_timeline *timeline)
{
    must(timeline, kifu_observe_all(timeline, dungeon_hooks.items, dungeon_hooks.count));
}

static kifu_timeline *new_game(uint64_t seed, const kifu_options *options)
{
    const kifu_options quiet = {.quiet = true};
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_create(&dungeon_rules, options ? options : &quiet, &timeline, &error), "%s", error.message);
    add_hooks(timeline);
    must(timeline, dungeon_begin(timeline, &seed));
    must(timeline, dungeon_go_on(timeline));
    return timeline;
}

static kifu_timeline *reload(kifu_timeline *timeline, const kifu_options *options)
{
    const kifu_options quiet = {.quiet = true};
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    kifu_error error;
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    ck_assert_msg(
        !kifu_load_from_memory(&dungeon_rules, bytes, size, options ? options : &quiet, NULL, &loaded, &error), "%s",
        error.message);
    kifu_free_bytes(timeline, bytes);
    return loaded;
}

static const dungeon_being *hero_of(const kifu_timeline *timeline)
{
    return map_hero(dungeon_get_state(timeline));
}

static kifu_handle handle_of_hero(const kifu_timeline *timeline)
{
    return dungeon_get_state(timeline)->hero;
}

// The hero's own action with all that follows from it; monsters do not reply yet.
static kifu_turn_status act(kifu_timeline *timeline, char command)
{
    kifu_turn turn;
    must(timeline,
         kifu_set_action(timeline, handle_of_hero(timeline), dungeon_submit_command(timeline, command, false)));
    must(timeline, kifu_take_turn(timeline, dungeon_decide, NULL, &turn));
    ck_assert_uint_eq(turn.actor, handle_of_hero(timeline));
    if (turn.status != KIFU_TURN_REFUSED)
        must(timeline, kifu_run(timeline));
    return turn.status;
}

// Which way to a neighbour of some being, as a command.
static char way(const dungeon_being *from, int x, int y)
{
    return "ykuh.lbjn"[(y - from->y + 1) * 3 + x - from->x + 1];
}

// Whether a cell beside the hero is of such a tile, with nobody on it.
static bool is_beside(const kifu_timeline *timeline, dungeon_tile tile, int *x, int *y)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    const dungeon_being *hero = map_hero(state);
    for (int i = 0; i < 9; i++) {
        *x = hero->x + i % 3 - 1;
        *y = hero->y + i / 3 - 1;
        if (map_tile(state, *x, *y) == tile && !map_being_at(state, *x, *y))
            return true;
    }
    return false;
}

// Puts the hero beside such a tile, by spells: engine events ask nobody. What sleeps around there stays asleep.
static char go_beside(kifu_timeline *timeline, dungeon_tile tile)
{
    int x, y;
    for (int i = 0; i < 10000; i++) {
        const dungeon_being *hero = hero_of(timeline);
        if (map_tile(dungeon_get_state(timeline), hero->x, hero->y) != tile && is_beside(timeline, tile, &x, &y))
            return way(hero, x, y);
        dungeon_submit_e_blink(timeline, handle_of_hero(timeline));
        must(timeline, kifu_run(timeline));
    }
    ck_abort_msg("there is no such place");
    return 0;
}

// A monster that is awake, beside the hero.
static kifu_handle put_beside(kifu_timeline *timeline, dungeon_kind kind)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    int x, y;
    while (!is_beside(timeline, DUNGEON_TILE_FLOOR, &x, &y)) {
        dungeon_submit_e_blink(timeline, state->hero);
        must(timeline, kifu_run(timeline));
    }
    dungeon_submit_e_appear(timeline, kind, (uint8_t)x, (uint8_t)y);
    must(timeline, kifu_run(timeline));
    kifu_handle monster = map_being_at(state, x, y);
    ck_assert_uint_ne(monster, KIFU_NO_HANDLE);
    return monster;
}

static char way_to(const kifu_timeline *timeline, kifu_handle being)
{
    const dungeon_being *to = dungeon_get_actors(dungeon_get_state(timeline), being);
    return way(hero_of(timeline), to->x, to->y);
}

// Somebody has such a thing; its handle.
static kifu_handle give(kifu_timeline *timeline, kifu_handle owner, dungeon_thing thing)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    dungeon_submit_e_give(timeline, owner, thing);
    must(timeline, kifu_run(timeline));
    kifu_handle item = KIFU_NO_HANDLE, found = KIFU_NO_HANDLE;
    while ((item = dungeon_next_items(state, item))) {
        if (dungeon_get_items(state, item)->owner == owner && dungeon_get_items(state, item)->thing == thing)
            found = item;
    }
    ck_assert_uint_ne(found, KIFU_NO_HANDLE);
    return found;
}

// The command with which the hero uses it.
static char use(const kifu_timeline *timeline, kifu_handle item)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    for (uint32_t place = 0; place < PACK_SIZE; place++) {
        if (map_item_of(state, state->hero, place) == item)
            return (char)('1' + place);
    }
    ck_abort_msg("the hero does not have it");
    return 0;
}

// Makes it a monster's turn, and lets it try `ticket`. Others stand still meanwhile.
static kifu_turn_status act_as(kifu_timeline *timeline, kifu_handle actor, kifu_ticket ticket)
{
    kifu_turn turn;
    kifu_result result = kifu_set_action(timeline, actor, ticket);
    must(timeline, result);
    for (int i = 0; i < 1000; i++) {
        must(timeline, kifu_take_turn(timeline, NULL, NULL, &turn));
        if (turn.status == KIFU_TURN_NEEDS_INPUT) { // not yet
            kifu_ticket rest =
                dungeon_submit_p_move(timeline, turn.actor == handle_of_hero(timeline) ? 0 : -1, turn.actor, 0, 0, 0);
            must(timeline, kifu_set_action(timeline, turn.actor, rest));
            continue;
        }
        if (turn.actor == actor && turn.status == KIFU_TURN_REFUSED)
            return turn.status;
        must(timeline, kifu_run(timeline));
        if (turn.actor == actor)
            return turn.status;
    }
    ck_abort_msg("its turn never came");
    return KIFU_TURN_BUSY;
}

// The names of the events from number `first` on, without their namespaces: "PStrike EAttempt".
static const char *names_from(const kifu_timeline *timeline, uint32_t first)
{
    static char names[2000];
    kifu_event event;
    names[0] = '\0';
    for (uint32_t i = first; kifu_event_at(timeline, i, &event) && strlen(names) + 100 < sizeof names; i++) {
        strcat(names, i == first ? "" : " ");
        strcat(names, strchr(event.name, '.') + 1);
    }
    return names;
}

static uint32_t count_from(const kifu_timeline *timeline, uint32_t first, uint32_t type)
{
    uint32_t count = 0;
    kifu_event event;
    for (uint32_t i = first; kifu_event_at(timeline, i, &event); i++)
        count += event.type == type;
    return count;
}

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
    ck_assert_int_eq(act(timeline, command), KIFU_TURN_ACTED);
    ck_assert_int_eq(strncmp(names_from(timeline, first), "POpen", 5), 0);
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
    ck_assert_int_eq(act(timeline, way_to(timeline, goblin)), KIFU_TURN_ACTED);
    ck_assert_int_eq(strncmp(names_from(timeline, first), "PStrike EAttempt", 16), 0);

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
    ck_assert_int_eq(act(timeline, '.'), KIFU_TURN_ACTED);
    ck_assert_int_eq(strncmp(names_from(timeline, first), "PRest", 5), 0);
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
    dungeon_submit_e_damage(timeline, KIFU_NO_HANDLE, state->hero, 5, true, false); // so that a potion makes sense
    must(timeline, kifu_run(timeline));
    for (uint32_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        kifu_handle item = give(timeline, state->hero, uses[i].thing);
        must(timeline, dungeon_go_on(timeline));
        uint32_t first = kifu_event_count(timeline);
        ck_assert_int_eq(act(timeline, use(timeline, item)), KIFU_TURN_ACTED);
        ck_assert_int_eq(strncmp(names_from(timeline, first), uses[i].becomes, strlen(uses[i].becomes)), 0);
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
    uint32_t count = kifu_event_count(timeline);
    uint64_t hash = kifu_state_hash(timeline);
    ck_assert_int_eq(act(timeline, use(timeline, amulet)), KIFU_TURN_REFUSED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), "that is of no use, only beautiful");
    // Or what is tried in its place is refused.
    ck_assert_int_eq(act(timeline, use(timeline, potion)), KIFU_TURN_REFUSED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), "there is no wound to heal");
    ck_assert_uint_eq(kifu_event_count(timeline), count);
    ck_assert_uint_eq(kifu_state_hash(timeline), hash);
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(L06_what_cannot_be_done_costs_nothing)
{
    kifu_timeline *timeline = new_game(5, NULL);
    char command = go_beside(timeline, DUNGEON_TILE_WALL);
    must(timeline, dungeon_go_on(timeline));
    uint32_t count = kifu_event_count(timeline);
    uint64_t hash = kifu_state_hash(timeline);
    ck_assert_int_eq(act(timeline, command), KIFU_TURN_REFUSED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), "there is a wall");
    ck_assert_uint_eq(kifu_event_count(timeline), count);
    ck_assert_uint_eq(kifu_state_hash(timeline), hash);
    ck_assert_int_eq(act(timeline, '>'), KIFU_TURN_REFUSED);
    ck_assert_int_eq(act(timeline, 'g'), KIFU_TURN_REFUSED);
    ck_assert_int_eq(act(timeline, '8'), KIFU_TURN_REFUSED);
    ck_assert_uint_eq(kifu_state_hash(timeline), hash);
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

// --- H: hooks --------------------------------------------------------------------------------------------------------

typedef struct trace {
    char scopes[200];
} trace;

static kifu_verdict note_scope(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    (void)state;
    trace *trace = context;
    strcat(strcat(trace->scopes, kifu_timeline_rules(timeline)->scopes[proposed->scope]), " ");
    return kifu_accept();
}

static void follow_scopes(kifu_timeline *timeline, uint32_t type, trace *trace)
{
    // Not in the order in which they are asked.
    static const uint32_t scopes[] = {DUNGEON_SCOPE_PERFORMER, DUNGEON_SCOPE_LEVEL, DUNGEON_SCOPE_TARGET,
                                      DUNGEON_SCOPE_CELL};
    trace->scopes[0] = '\0';
    for (uint32_t i = 0; i < 4; i++)
        must(timeline, kifu_observe(timeline, &(kifu_observer){.hook = note_scope,
                                                               .type = type,
                                                               .scope = scopes[i],
                                                               .subject = KIFU_ANY_SUBJECT,
                                                               .name = "note",
                                                               .context = trace}));
}

START_TEST(H01_scopes_are_asked_in_the_order_of_the_schema)
{
    kifu_timeline *timeline = new_game(7, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    kifu_handle goblin = put_beside(timeline, DUNGEON_KIND_GOBLIN);
    trace trace;
    follow_scopes(timeline, DUNGEON_E_DAMAGE, &trace);
    dungeon_submit_e_damage(timeline, state->hero, goblin, 1, false, false);
    must(timeline, kifu_run(timeline));
    ck_assert_str_eq(trace.scopes, "level cell target performer ");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H02_mud_modifies_a_step)
{
    kifu_timeline *timeline = new_game(8, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    char command = go_beside(timeline, DUNGEON_TILE_MUD);
    must(timeline, dungeon_go_on(timeline));
    uint32_t first = kifu_event_count(timeline);
    int32_t energy = hero_of(timeline)->actor.energy;
    ck_assert_int_eq(act(timeline, command), KIFU_TURN_ACTED);
    kifu_event event;
    ck_assert(kifu_event_at(timeline, first, &event));
    ck_assert_uint_eq(event.type, DUNGEON_P_MOVE);
    ck_assert_uint_eq(((const dungeon_p_move *)event.table)->cost, 2 * KIFU_USUAL_COST); // as the hook left it
    ck_assert_int_eq(hero_of(timeline)->actor.energy, energy - 2 * KIFU_USUAL_COST);
    (void)state;
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H02_mirror_mail_replaces_the_damage_by_another)
{
    kifu_timeline *timeline = new_game(9, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    kifu_handle witch = put_beside(timeline, DUNGEON_KIND_WITCH);
    kifu_handle mirror = give(timeline, state->hero, DUNGEON_THING_MIRROR_MAIL);
    ck_assert_int_eq(act(timeline, use(timeline, mirror)), KIFU_TURN_ACTED);
    int16_t hp = hero_of(timeline)->hp, witch_hp = dungeon_get_actors(state, witch)->hp;
    dungeon_submit_e_damage(timeline, witch, state->hero, 3, true, false);
    must(timeline, kifu_run(timeline));
    ck_assert_int_eq(hero_of(timeline)->hp, hp);
    ck_assert_int_eq(dungeon_get_actors(state, witch)->hp, witch_hp - 3);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H02_weapon_armour_and_shrine_change_one_attack_together)
{
    kifu_timeline *timeline = new_game(10, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    char command = go_beside(timeline, DUNGEON_TILE_SHRINE);
    must(timeline, dungeon_go_on(timeline));
    ck_assert_int_eq(act(timeline, command), KIFU_TURN_ACTED);
    must(timeline, dungeon_go_on(timeline));
    kifu_handle axe = give(timeline, state->hero, DUNGEON_THING_AXE);
    must(timeline, dungeon_play(timeline, use(timeline, axe)));
    ck_assert_uint_eq(map_tile(state, hero_of(timeline)->x, hero_of(timeline)->y), DUNGEON_TILE_SHRINE);
    kifu_handle troll = put_beside(timeline, DUNGEON_KIND_TROLL);
    uint32_t first = kifu_event_count(timeline);
    ck_assert_int_eq(act(timeline, way_to(timeline, troll)), KIFU_TURN_ACTED);
    kifu_event event;
    for (uint32_t i = first; kifu_event_at(timeline, i, &event) && event.type != DUNGEON_E_ATTEMPT; i++)
        ;
    ck_assert_uint_eq(event.type, DUNGEON_E_ATTEMPT);
    const dungeon_e_attempt *attempt = event.table;
    ck_assert_int_eq(attempt->skill, beings[DUNGEON_KIND_HERO].skill + things[DUNGEON_THING_AXE].skill);
    ck_assert_int_eq(attempt->damage, beings[DUNGEON_KIND_HERO].damage + things[DUNGEON_THING_AXE].damage + 2);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H03_spikes_have_no_performer_so_that_scope_is_skipped)
{
    kifu_timeline *timeline = new_game(11, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    kifu_handle rat = put_beside(timeline, DUNGEON_KIND_RAT);
    trace trace;
    follow_scopes(timeline, DUNGEON_E_DAMAGE, &trace);
    dungeon_submit_e_damage(timeline, KIFU_NO_HANDLE, rat, 1, false, false);
    must(timeline, kifu_run(timeline));
    ck_assert_str_eq(trace.scopes, "level cell target ");
    ck_assert_int_eq(dungeon_get_actors(state, rat)->hp, beings[DUNGEON_KIND_RAT].hp - 1);
    kifu_destroy(timeline);
}
END_TEST

static void keep_outcome(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline;
    kifu_outcome *kept = context;
    *kept = *outcome;
    ck_assert_ptr_nonnull(outcome->error);
    ck_assert_str_eq(kifu_error_reason(outcome->error), "the silence of this level swallows the spell");
    ck_assert_ptr_nonnull(strstr(outcome->error->message, "silence"));
}

START_TEST(H04_the_player_learns_why_a_level_forbids_magic)
{
    kifu_timeline *timeline = new_game(12, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    dungeon_submit_e_descend(timeline);
    must(timeline, kifu_run(timeline));
    must(timeline, dungeon_go_on(timeline));
    ck_assert_uint_eq(state->level, 2);
    kifu_handle scroll = give(timeline, state->hero, DUNGEON_THING_BLINK);
    uint32_t count = kifu_event_count(timeline);
    uint64_t hash = kifu_state_hash(timeline);
    ck_assert_int_eq(act(timeline, use(timeline, scroll)), KIFU_TURN_REFUSED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), "the silence of this level swallows the spell");
    ck_assert_uint_eq(kifu_event_count(timeline), count);
    ck_assert_uint_eq(kifu_state_hash(timeline), hash); // no turn has passed, and the scroll is still there

    // Whoever follows the ticket learns which scope it was, though the proposal was to use an item.
    kifu_outcome outcome = {0};
    kifu_ticket ticket = dungeon_submit_command(timeline, use(timeline, scroll), false);
    must(timeline, kifu_follow(timeline, ticket, keep_outcome, &outcome));
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    ck_assert_uint_eq(outcome.ticket, ticket);
    ck_assert_int_eq(outcome.result, KIFU_REJECTED);
    ck_assert_uint_eq(outcome.type, DUNGEON_P_CAST);
    ck_assert_uint_eq(outcome.scope, DUNGEON_SCOPE_LEVEL);
    ck_assert_uint_eq(outcome.subject, 2);
    ck_assert_uint_eq(outcome.event, KIFU_NONE);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H04_a_witch_is_silenced_too_and_comes_nearer_instead)
{
    kifu_timeline *timeline = new_game(13, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    dungeon_submit_e_descend(timeline);
    must(timeline, kifu_run(timeline));
    must(timeline, dungeon_go_on(timeline));
    put_beside(timeline, DUNGEON_KIND_WITCH);
    for (int i = 0; i < 5; i++)
        must(timeline, dungeon_play(timeline, '.'));
    ck_assert_uint_eq(count_from(timeline, 0, DUNGEON_P_CAST), 0);
    ck_assert_uint_gt(count_from(timeline, 0, DUNGEON_P_STRIKE), 0);
    ck_assert_uint_eq(state->level, 2);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H05_what_a_hook_submits_comes_after_the_event_not_inside_it)
{
    kifu_timeline *timeline = new_game(14, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    kifu_handle goblin = put_beside(timeline, DUNGEON_KIND_GOBLIN);
    kifu_handle spikes = give(timeline, state->hero, DUNGEON_THING_SPIKED_MAIL);
    ck_assert_int_eq(act(timeline, use(timeline, spikes)), KIFU_TURN_ACTED);
    uint32_t first = kifu_event_count(timeline);
    dungeon_submit_e_damage(timeline, goblin, state->hero, 3, false, false);
    must(timeline, kifu_run(timeline));
    ck_assert_str_eq(names_from(timeline, first), "EDamage EDamage");
    kifu_event event;
    ck_assert(kifu_event_at(timeline, first + 1, &event));
    ck_assert_uint_eq(event.cause, first);
    ck_assert_uint_eq(((const dungeon_e_damage *)event.table)->target, goblin);
    ck_assert_int_eq(dungeon_get_actors(state, goblin)->hp, beings[DUNGEON_KIND_GOBLIN].hp - 1);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H09_one_attack_is_a_chain_of_hookable_events)
{
    // Some seeds hit, some miss.
    bool hit = false, missed = false;
    for (uint64_t seed = 1; seed < 40 && !(hit && missed); seed++) {
        kifu_timeline *timeline = new_game(seed, NULL);
        kifu_handle troll = put_beside(timeline, DUNGEON_KIND_TROLL);
        trace trace;
        follow_scopes(timeline, 0, &trace);
        uint32_t first = kifu_event_count(timeline);
        ck_assert_int_eq(act(timeline, way_to(timeline, troll)), KIFU_TURN_ACTED);
        const char *names = names_from(timeline, first);
        hit |= strcmp(names, "PStrike EAttempt ESpendEnergy EDamage") == 0;
        missed |= strcmp(names, "PStrike EAttempt ESpendEnergy EMiss") == 0;
        kifu_event event;
        ck_assert(kifu_event_at(timeline, first + 1, &event));
        ck_assert_uint_eq(event.cause, first);
        ck_assert(kifu_event_at(timeline, first + 3, &event));
        ck_assert_uint_eq(event.cause, first + 1);
        kifu_destroy(timeline);
    }
    ck_assert(hit && missed);
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
    dungeon_submit_e_damage(timeline, state->hero, goblin, 100, false, false);
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

// --- Undo ------------------------------------------------------------------------------------------------------------

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
    dungeon_submit_e_damage(timeline, KIFU_NO_HANDLE, state->hero, 1000, true, false);
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

// --- Whole games -----------------------------------------------------------------------------------------------------

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

int main(void)
{
    const TTest *const tests[] = {L12_a_step_into_a_door_opens_it,
                                  L12_a_monster_with_hands_opens_doors_by_the_same_step,
                                  L12_a_step_into_a_monster_strikes_and_a_step_nowhere_rests,
                                  L12_using_an_item_becomes_what_it_does,
                                  L12_monsters_use_items_too,
                                  T05_a_use_that_fails_in_its_do_leaves_nothing,
                                  L06_what_cannot_be_done_costs_nothing,
                                  L10_armour_takes_longer_and_who_is_fast_acts_twice,
                                  H01_scopes_are_asked_in_the_order_of_the_schema,
                                  H02_mud_modifies_a_step,
                                  H02_mirror_mail_replaces_the_damage_by_another,
                                  H02_weapon_armour_and_shrine_change_one_attack_together,
                                  H03_spikes_have_no_performer_so_that_scope_is_skipped,
                                  H04_the_player_learns_why_a_level_forbids_magic,
                                  H04_a_witch_is_silenced_too_and_comes_nearer_instead,
                                  H05_what_a_hook_submits_comes_after_the_event_not_inside_it,
                                  H09_one_attack_is_a_chain_of_hookable_events,
                                  H07_the_ambush_comes_after_twenty_turns,
                                  H07_the_ambush_is_saved,
                                  H07_the_ambush_is_undone_and_comes_again,
                                  H07_who_goes_down_leaves_the_ambush_behind,
                                  H07_a_second_potion_of_speed_begins_its_time_anew,
                                  H08_the_handle_of_who_has_died_leads_to_nobody_else,
                                  H08_levels_can_be_walked_through_whole,
                                  U04_undo_leads_back_to_before_the_heros_own_action_with_all_replies,
                                  U02_without_undo_what_is_done_is_done_even_what_it_became,
                                  U04_death_and_victory_are_undone_too,
                                  T03_replay_needs_no_hooks_and_no_bot,
                                  T07_a_film_shows_every_step_and_ends_where_the_game_is,
                                  H06_checks_and_hooks_run_again_give_the_same_log,
                                  U10_a_game_of_the_bot_passes_the_sync_test,
                                  U10_the_recorded_games_end_as_ever};
    return run_suite("dungeon", tests, sizeof tests / sizeof *tests);
}
