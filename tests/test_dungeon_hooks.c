// The hooks of the Dungeon example: weapons, armour, cells and levels change what happens, or forbid it.

#include "dungeon_help.h"
#include "suite.h"

// Writes down the scopes in which it is asked.
static kifu_verdict note_scope(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    (void)state;
    strcat(strcat(context, kifu_timeline_rules(timeline)->scopes[proposed->scope]), " ");
    return kifu_accept();
}

static void add_note(kifu_timeline *timeline, uint32_t type, uint32_t scope, char *trace)
{
    must(timeline, kifu_observe(timeline, &(kifu_observer){.hook = note_scope,
                                                           .type = type,
                                                           .scope = scope,
                                                           .subject = KIFU_ANY_SUBJECT,
                                                           .name = "note",
                                                           .context = trace}));
}

// Not in the order in which they are asked.
static const uint32_t scopes[] = {DUNGEON_SCOPE_PERFORMER, DUNGEON_SCOPE_LEVEL, DUNGEON_SCOPE_TARGET,
                                  DUNGEON_SCOPE_CELL};

START_TEST(H01_H03_scopes_are_asked_in_the_order_of_the_schema_and_without_a_subject_skipped)
{
    static const char *const asked[] = {"level cell target performer ", "level cell target "};
    for (int spikes = 0; spikes < 2; spikes++) { // They have no performer.
        kifu_timeline *timeline = new_game(7, NULL);
        const dungeon_state *state = dungeon_get_state(timeline);
        kifu_handle rat = put_beside(timeline, DUNGEON_KIND_RAT);
        char trace[200] = "";
        for (uint32_t i = 0; i < 4; i++)
            add_note(timeline, DUNGEON_E_DAMAGE, scopes[i], trace);
        dungeon_submit_e_damage(timeline, &(dungeon_e_damage_args){.performer = spikes ? KIFU_NO_HANDLE : state->hero,
                                                                   .target = rat,
                                                                   .amount = 1,
                                                                   .magic = false,
                                                                   .reflected = false});
        must(timeline, kifu_run(timeline));
        ck_assert_str_eq(trace, asked[spikes]);
        ck_assert_int_eq(dungeon_get_actors(state, rat)->hp, beings[DUNGEON_KIND_RAT].hp - 1);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(H02_mud_modifies_a_step)
{
    kifu_timeline *timeline = new_game(8, NULL);
    char command = go_beside(timeline, DUNGEON_TILE_MUD);
    must(timeline, dungeon_go_on(timeline));
    uint32_t first = kifu_event_count(timeline);
    int32_t energy = hero_of(timeline)->actor.energy;
    must_act(timeline, command);
    kifu_event event;
    ck_assert(kifu_event_at(timeline, first, &event));
    ck_assert_uint_eq(event.type, DUNGEON_P_MOVE);
    ck_assert_uint_eq(((const dungeon_p_move *)event.table)->cost, 2 * KIFU_USUAL_COST); // as the hook left it
    ck_assert_int_eq(hero_of(timeline)->actor.energy, energy - 2 * KIFU_USUAL_COST);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(H02_mirror_mail_replaces_the_damage_by_another)
{
    kifu_timeline *timeline = new_game(9, NULL);
    const dungeon_state *state = dungeon_get_state(timeline);
    kifu_handle witch = put_beside(timeline, DUNGEON_KIND_WITCH);
    kifu_handle mirror = give(timeline, state->hero, DUNGEON_THING_MIRROR_MAIL);
    must_act(timeline, use(timeline, mirror));
    int16_t hp = hero_of(timeline)->hp, witch_hp = dungeon_get_actors(state, witch)->hp;
    dungeon_submit_e_damage(
        timeline, &(dungeon_e_damage_args){
                      .performer = witch, .target = state->hero, .amount = 3, .magic = true, .reflected = false});
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
    must_act(timeline, command);
    must(timeline, dungeon_go_on(timeline));
    kifu_handle axe = give(timeline, state->hero, DUNGEON_THING_AXE);
    must(timeline, dungeon_play(timeline, use(timeline, axe)));
    ck_assert_uint_eq(map_tile(state, hero_of(timeline)->x, hero_of(timeline)->y), DUNGEON_TILE_SHRINE);
    kifu_handle troll = put_beside(timeline, DUNGEON_KIND_TROLL);
    uint32_t first = kifu_event_count(timeline);
    must_act(timeline, way_to(timeline, troll));
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
    // No turn has passed, and the scroll is still there.
    must_not_act(timeline, use(timeline, scroll), "the silence of this level swallows the spell");

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
    must_act(timeline, use(timeline, spikes));
    uint32_t first = kifu_event_count(timeline);
    dungeon_submit_e_damage(
        timeline, &(dungeon_e_damage_args){
                      .performer = goblin, .target = state->hero, .amount = 3, .magic = false, .reflected = false});
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
        char trace[200] = "";
        add_note(timeline, 0, DUNGEON_SCOPE_LEVEL, trace);
        uint32_t first = kifu_event_count(timeline);
        must_act(timeline, way_to(timeline, troll));
        const char *names = names_from(timeline, first);
        const bool hits = strcmp(names, "PStrike EAttempt ESpendEnergy EDamage") == 0;
        hit |= hits;
        missed |= strcmp(names, "PStrike EAttempt ESpendEnergy EMiss") == 0;
        ck_assert_str_eq(trace, hits ? "level level level " : "level level "); // No scope has a say in a miss.
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

int main(void)
{
    const TTest *const tests[] = {
        H01_H03_scopes_are_asked_in_the_order_of_the_schema_and_without_a_subject_skipped,
        H02_mud_modifies_a_step,
        H02_mirror_mail_replaces_the_damage_by_another,
        H02_weapon_armour_and_shrine_change_one_attack_together,
        H04_the_player_learns_why_a_level_forbids_magic,
        H04_a_witch_is_silenced_too_and_comes_nearer_instead,
        H05_what_a_hook_submits_comes_after_the_event_not_inside_it,
        H09_one_attack_is_a_chain_of_hookable_events,
    };
    return run_suite("dungeon_hooks", tests, sizeof tests / sizeof *tests);
}
