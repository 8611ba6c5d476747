// Hooks: who stands around an event may change it before it happens.

#include "corridor_help.h"
#include "permuted.h"
#include "suite.h"

// What was asked, in order: "level1 cell6 …", and what the one hook that is asked for `acts_on` does.
typedef struct station {
    char asked[2000];
    uint32_t acts_on; // a scope
    kifu_verdict (*act)(kifu_timeline *timeline, kifu_proposed *proposed);
} station;

static kifu_verdict ask(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    station *station = (struct station *)context;
    ck_assert_ptr_eq(state, kifu_state(timeline));
    ck_assert_int_eq(proposed->player, kifu_player(timeline));
    const char *const scope = kifu_timeline_rules(timeline)->scopes[proposed->scope];
    size_t used = strlen(station->asked);
    snprintf(station->asked + used, sizeof station->asked - used, "%s%s%d", used ? " " : "", scope,
             (int)proposed->subject);
    return station->act && station->acts_on == proposed->scope ? station->act(timeline, proposed) : kifu_accept();
}

static const char *asked(station *station)
{
    static char text[2000];
    strcpy(text, station->asked);
    station->asked[0] = '\0';
    return text;
}

static void add(kifu_timeline *timeline, uint32_t type, uint32_t scope, uint64_t subject, station *station)
{
    must(timeline, kifu_observe(timeline, &(kifu_observer){.hook = ask,
                                                           .type = type,
                                                           .scope = scope,
                                                           .subject = subject,
                                                           .name = "the station",
                                                           .context = station}));
}

static void add_to_all_scopes(kifu_timeline *timeline, station *station)
{
    for (uint32_t scope = kifu_timeline_rules(timeline)->scope_count; scope > 0; scope--)
        add(timeline, 0, scope - 1, KIFU_ANY_SUBJECT, station);
}

static kifu_result strike(kifu_timeline *corridor, told *told)
{
    kifu_ticket ticket = corridor_submit_e_strike(corridor, 0, 1, 2, CORRIDOR_MANNER_GENTLE);
    return corridor_run(corridor, ticket, told);
}

// --- Who is asked ----------------------------------------------------------------------------------------------------

START_TEST(H01_scopes_are_asked_in_the_order_of_the_schema)
{
    station station = {.asked = ""};
    kifu_timeline *corridor = corridor_new(NULL);
    add_to_all_scopes(corridor, &station); // the last scope first
    corridor_submit_e_strike(corridor, 0, 1, 2, CORRIDOR_MANNER_GENTLE);
    must(corridor, kifu_step(corridor));
    ck_assert_str_eq(asked(&station), "level1 cell6 target1 performer0");
    must(corridor, kifu_step(corridor)); // EDamage: "target performer"
    ck_assert_str_eq(asked(&station), "target1 performer0");
    kifu_destroy(corridor);

    kifu_timeline *permuted;
    ck_assert_int_eq(kifu_create(&permuted_rules, NULL, &permuted, NULL), KIFU_OK);
    add_to_all_scopes(permuted, &station);
    permuted_submit_e_strike(permuted, 1);
    must(permuted, kifu_run(permuted));
    ck_assert_str_eq(asked(&station), "performer4 target3 cell2 level1");
    permuted_submit_e_curse(permuted);
    must(permuted, kifu_run(permuted));
    ck_assert_str_eq(asked(&station), "cell2 performer4");
    kifu_destroy(permuted);
}
END_TEST

START_TEST(H03_a_scope_without_a_subject_is_skipped)
{
    station station = {.asked = ""};
    kifu_timeline *corridor = corridor_new(NULL);
    add_to_all_scopes(corridor, &station);
    corridor_submit_e_strike(corridor, 255, 1, 2, CORRIDOR_MANNER_GENTLE); // a falling stone
    must(corridor, kifu_step(corridor));
    ck_assert_str_eq(asked(&station), "level1 cell6 target1");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H01_hooks_of_a_subject_and_of_a_type)
{
    station level, target, other, damage;
    level = target = other = damage = (station){.asked = ""};
    kifu_timeline *corridor = corridor_new(NULL);
    add(corridor, CORRIDOR_E_STRIKE, CORRIDOR_SCOPE_LEVEL, 1, &level);
    add(corridor, 0, CORRIDOR_SCOPE_TARGET, 1, &target);
    add(corridor, 0, CORRIDOR_SCOPE_TARGET, 0, &other);
    add(corridor, CORRIDOR_E_DAMAGE, CORRIDOR_SCOPE_TARGET, KIFU_ANY_SUBJECT, &damage);
    told told;
    must(corridor, strike(corridor, &told));
    ck_assert_str_eq(level.asked, "level1");
    ck_assert_str_eq(target.asked, "target1 target1");
    ck_assert_str_eq(other.asked, "");
    ck_assert_str_eq(damage.asked, "target1");
    corridor_submit_e_heal(corridor, 0, 1);
    corridor_submit_p_any(corridor, 0, 0, 1);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(other.asked, "target0");
    ck_assert_str_eq(level.asked, "level1"); // PAny has the scope, and is another type
    // What is removed is asked no more.
    must(corridor, kifu_remove_observers(corridor, &target));
    must(corridor, strike(corridor, &told));
    ck_assert_str_eq(target.asked, "target1 target1");
    ck_assert_str_eq(damage.asked, "target1 target1");
    must(corridor, kifu_remove_observers(corridor, &level));
    must(corridor, kifu_remove_observers(corridor, &other));
    must(corridor, strike(corridor, &told)); // One is left.
    ck_assert_str_eq(damage.asked, "target1 target1 target1");
    kifu_destroy(corridor);
}
END_TEST

static void add_tagged(kifu_timeline *timeline, uint64_t tags, uint32_t scope, station *station)
{
    must(timeline, kifu_observe(timeline, &(kifu_observer){.hook = ask,
                                                           .tags = tags,
                                                           .scope = scope,
                                                           .subject = KIFU_ANY_SUBJECT,
                                                           .name = "the station",
                                                           .context = station}));
}

START_TEST(F38_any_event_of_a_tag_can_be_hooked)
{
    station violent, bodily, either, level;
    violent = bodily = either = level = (station){.asked = ""};
    kifu_timeline *corridor = corridor_new(NULL);
    add_tagged(corridor, CORRIDOR_TAG_VIOLENT, CORRIDOR_SCOPE_TARGET, &violent);
    add_tagged(corridor, CORRIDOR_TAG_BODILY, CORRIDOR_SCOPE_TARGET, &bodily);
    add_tagged(corridor, CORRIDOR_TAG_LOUD | CORRIDOR_TAG_BODILY, CORRIDOR_SCOPE_TARGET, &either);
    add_tagged(corridor, CORRIDOR_TAG_VIOLENT, CORRIDOR_SCOPE_LEVEL, &level); // EDamage has the tag without the scope
    told told;
    must(corridor, strike(corridor, &told));
    ck_assert_str_eq(asked(&violent), "target1 target1"); // EStrike, EDamage
    ck_assert_str_eq(asked(&bodily), "target1");          // EDamage
    ck_assert_str_eq(asked(&either), "target1");
    ck_assert_str_eq(asked(&level), "level1");
    corridor_submit_e_heal(corridor, 0, 1);
    corridor_submit_p_say(corridor, 0, 2, "au");
    corridor_submit_p_any(corridor, 0, 0, 1); // It has the scope level and no tag.
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(asked(&violent), "");
    ck_assert_str_eq(asked(&bodily), "target0");
    ck_assert_str_eq(asked(&either), "target0");
    ck_assert_str_eq(asked(&level), "");
    kifu_destroy(corridor);
}
END_TEST

static kifu_result react_to(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    station *station = (struct station *)context;
    (void)state;
    strcat(strcat(station->asked, station->asked[0] ? " " : ""), strchr(event->name, '.') + 1);
    if (kifu_has_tag(timeline, event->type, CORRIDOR_TAG_VIOLENT))
        strcat(station->asked, "!");
    return KIFU_OK;
}

START_TEST(G06_reactions_to_a_tag)
{
    station violent, bodily, all;
    violent = bodily = all = (station){.asked = ""};
    kifu_timeline *corridor = corridor_new(NULL);
    const kifu_observer reactions[] = {
        {.react = react_to, .tags = CORRIDOR_TAG_VIOLENT, .context = &violent},
        {.react = react_to, .tags = CORRIDOR_TAG_BODILY | CORRIDOR_TAG_LOUD, .context = &bodily},
        {.react = react_to, .context = &all},
    };
    must(corridor, kifu_observe_all(corridor, reactions, 3));
    told told;
    must(corridor, strike(corridor, &told));
    corridor_submit_e_heal(corridor, 0, 1);
    corridor_submit_p_say(corridor, 0, 2, "au");
    corridor_submit_p_any(corridor, 0, 0, 1);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(asked(&violent), "EStrike! EDamage!");
    ck_assert_str_eq(asked(&bodily), "EDamage! EHeal PSay");
    ck_assert_str_eq(asked(&all), "EStrike! EDamage! EHeal PSay PAny");
    ck_assert(!kifu_has_tag(corridor, 0, UINT64_MAX));
    ck_assert(!kifu_has_tag(corridor, corridor_rules.type_count + 1, UINT64_MAX));
    must(corridor, kifu_remove_observers(corridor, &violent));
    must(corridor, strike(corridor, &told));
    ck_assert_str_eq(asked(&violent), "");
    kifu_destroy(corridor);
}
END_TEST

// Each context is a letter.
static char *order;

static kifu_verdict sign(void *context, kifu_timeline *corridor, const void *state, kifu_proposed *proposed)
{
    (void)corridor;
    (void)state;
    (void)proposed;
    strcat(order, (const char *)context);
    return kifu_accept();
}

START_TEST(P09_internal_hooks_come_first)
{
    static char a[] = "a", b[] = "b", c[] = "c", d[] = "d";
    char text[20] = "";
    order = text;
    kifu_timeline *corridor = corridor_new(NULL);
    static const struct {
        kifu_rank rank;
        char *name;
    } hooks[] = {{KIFU_RANK_ORDINARY, a}, {KIFU_RANK_INTERNAL, b}, {KIFU_RANK_ORDINARY, c}, {KIFU_RANK_INTERNAL, d}};
    for (size_t i = 0; i < 4; i++)
        must(corridor, kifu_observe(corridor, &(kifu_observer){.hook = sign,
                                                               .scope = CORRIDOR_SCOPE_TARGET,
                                                               .subject = KIFU_ANY_SUBJECT,
                                                               .name = hooks[i].name,
                                                               .rank = hooks[i].rank,
                                                               .context = hooks[i].name}));
    corridor_submit_e_heal(corridor, 0, 1);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(text, "bdac");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H01_what_cannot_be_hooked)
{
    static char context[1];
    kifu_timeline *corridor = corridor_new(NULL);
    order = context;
    const struct {
        kifu_observer hook;
        const char *words;
    } wrong[] = {
        {{.hook = sign, .subject = KIFU_ANY_SUBJECT}, "no name"},
        {{.hook = sign, .subject = KIFU_NO_SUBJECT, .name = "name"}, "the subject of nothing"},
        {{.hook = sign, .scope = 4, .name = "name"}, "no scope 4"},
        {{.hook = sign, .type = 99, .name = "name"}, "no event type 99"},
        {{.hook = sign, .type = CORRIDOR_P_MOVE, .name = "name"}, "corridor.PMove has no scope level"},
        {{.hook = sign, .type = CORRIDOR_E_HEAL, .scope = CORRIDOR_SCOPE_PERFORMER, .name = "name"}, "has no scope"},
        {{.hook = sign, KIFU_PART(corridor_state, acted), .name = "name"}, "leave out the part"},
        {{.hook = sign, .tags = 1 << 3, .name = "name"}, "0x8 is no tag, the game has 3"},
        {{.hook = sign, .tags = CORRIDOR_TAG_LOUD | UINT64_C(1) << 63, .name = "name"}, "is no tag"},
        {{.hook = sign, .type = CORRIDOR_E_STRIKE, .tags = CORRIDOR_TAG_VIOLENT, .name = "name"}, "one of the two"},
        {{.hook = sign, .tags = CORRIDOR_TAG_LOUD, .scope = CORRIDOR_SCOPE_CELL, .name = "name"},
         "no event with these tags has the scope cell"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        must_refuse(corridor, kifu_observe(corridor, &wrong[i].hook));
        must_say(corridor, wrong[i].words);
    }
    kifu_destroy(corridor);
}
END_TEST

// --- What a hook may do ----------------------------------------------------------------------------------------------

static kifu_verdict halve(kifu_timeline *corridor, kifu_proposed *proposed)
{
    (void)corridor;
    if (proposed->type == CORRIDOR_E_DAMAGE) {
        ck_assert_str_eq(proposed->name, "corridor.EDamage");
        ck_assert_uint_ne(proposed->cause, KIFU_NONE);
        ((corridor_e_damage *)proposed->event)->amount /= 2;
    }
    return kifu_accept();
}

static kifu_verdict block(kifu_timeline *corridor, kifu_proposed *proposed)
{
    (void)corridor;
    return proposed->type == CORRIDOR_E_STRIKE ? kifu_reject("a shield") : kifu_accept();
}

static kifu_verdict heal_instead(kifu_timeline *corridor, kifu_proposed *proposed)
{
    if (proposed->type != CORRIDOR_E_STRIKE)
        return kifu_accept();
    const corridor_e_strike *strike = (const corridor_e_strike *)proposed->event;
    return kifu_instead(corridor_submit_e_heal(corridor, strike->target, strike->damage));
}

static kifu_verdict heal_besides(kifu_timeline *corridor, kifu_proposed *proposed)
{
    if (proposed->type == CORRIDOR_E_STRIKE)
        corridor_submit_e_heal(corridor, ((const corridor_e_strike *)proposed->event)->performer, 1);
    return kifu_accept();
}

START_TEST(H02_a_hook_passes_an_event_on)
{
    station station = {.asked = ""};
    kifu_timeline *corridor = corridor_new(NULL), *plain = corridor_new(NULL);
    add_to_all_scopes(corridor, &station);
    told told;
    must(corridor, strike(corridor, &told));
    must(plain, strike(plain, &told));
    ck_assert_uint_eq(kifu_state_hash(corridor), kifu_state_hash(plain));
    kifu_destroy(corridor);
    kifu_destroy(plain);
}
END_TEST

START_TEST(H09_a_blow_is_a_chain_of_hookable_events)
{
    station station = {.acts_on = CORRIDOR_SCOPE_TARGET, .act = halve};
    kifu_timeline *corridor = corridor_new(NULL);
    add_to_all_scopes(corridor, &station);
    const uint32_t from = kifu_event_count(corridor);
    told told;
    kifu_ticket ticket = corridor_submit_e_strike(corridor, 0, 1, 10, CORRIDOR_MANNER_ROUGH);
    must(corridor, corridor_run(corridor, ticket, &told));
    kifu_event event;
    ck_assert(kifu_event_at(corridor, from + 1, &event)); // H06: the log has it as the hook left it
    ck_assert_int_le(((const corridor_e_damage *)event.table)->amount, 7);
    ck_assert_int_eq(corridor_person_at(corridor, 1)->hp, 20 - ((const corridor_e_damage *)event.table)->amount);
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H04_nobody_is_asked_after_who_blocked_it)
{
    station first = {.acts_on = CORRIDOR_SCOPE_CELL, .act = block}, second = {.asked = ""};
    kifu_timeline *corridor = corridor_new(NULL);
    add(corridor, CORRIDOR_E_STRIKE, CORRIDOR_SCOPE_CELL, KIFU_ANY_SUBJECT, &first);
    add(corridor, CORRIDOR_E_STRIKE, CORRIDOR_SCOPE_CELL, KIFU_ANY_SUBJECT, &second); // of the same scope
    told told;
    ck_assert_int_eq(strike(corridor, &told), KIFU_REJECTED);
    ck_assert_str_eq(asked(&first), "cell6");
    ck_assert_str_eq(asked(&second), "");
    first.act = heal_instead;
    must(corridor, strike(corridor, &told));
    ck_assert_uint_eq(told.outcome.type, CORRIDOR_E_HEAL);
    ck_assert_str_eq(asked(&second), "");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H04_who_blocked_it_and_why)
{
    station station = {.acts_on = CORRIDOR_SCOPE_CELL, .act = block};
    kifu_timeline *corridor = corridor_new(NULL);
    add_to_all_scopes(corridor, &station);
    const corridor_moment before = corridor_now(corridor);
    told told;
    ck_assert_int_eq(strike(corridor, &told), KIFU_REJECTED);
    ck_assert_str_eq(kifu_last_error(corridor)->message,
                     "corridor.EStrike was rejected by the station (scope cell): a shield");
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(corridor)), "a shield");
    ck_assert(told.calls == 1 && told.outcome.result == KIFU_REJECTED && told.outcome.event == KIFU_NONE);
    ck_assert(told.outcome.scope == CORRIDOR_SCOPE_CELL && told.outcome.subject == 6);
    ck_assert_uint_eq(told.outcome.type, CORRIDOR_E_STRIKE);
    ck_assert_str_eq(asked(&station), "level1 cell6"); // and nobody after it
    must_be_then(corridor, &before);
    // An alternate is blocked, too: the step that was a blow.
    for (int i = 0; i < 4; i++)
        corridor_submit_p_move(corridor, 0, 0, 1);
    must(corridor, kifu_run(corridor));
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_move(corridor, 0, 0, 1), &told), KIFU_REJECTED);
    ck_assert(told.calls == 1 && told.outcome.scope == CORRIDOR_SCOPE_CELL);
    // Where an event fails, no hook is told.
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_e_damage(corridor, 6, 0, 1), &told), KIFU_FAILED);
    ck_assert(told.outcome.scope == KIFU_NONE && told.outcome.subject == KIFU_NO_SUBJECT);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H02_a_hook_replaces_an_event)
{
    station station = {.acts_on = CORRIDOR_SCOPE_TARGET, .act = heal_instead};
    kifu_timeline *corridor = corridor_new(NULL);
    add_to_all_scopes(corridor, &station);
    const uint32_t from = kifu_event_count(corridor);
    told told;
    must(corridor, strike(corridor, &told));
    ck_assert_str_eq(corridor_log(corridor, from), "EHeal");
    ck_assert_str_eq(asked(&station), "level1 cell6 target1 target1"); // hooked anew
    ck_assert(told.calls == 1 && told.outcome.type == CORRIDOR_E_HEAL && told.outcome.event == from);
    // And where it is the consequence of a step, or an alternate of one.
    for (int i = 0; i < 4; i++)
        corridor_submit_p_move(corridor, 0, 0, 1);
    must(corridor, corridor_run(corridor, corridor_submit_p_move(corridor, 2, 0, 1), &told));
    ck_assert_uint_eq(told.outcome.type, CORRIDOR_E_HEAL);
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H05_what_a_hook_submits_is_queued)
{
    station station = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = heal_besides};
    kifu_timeline *corridor = corridor_new(NULL);
    add_to_all_scopes(corridor, &station);
    const uint32_t from = kifu_event_count(corridor);
    corridor_submit_e_strike(corridor, 0, 1, 2, CORRIDOR_MANNER_GENTLE);
    corridor_submit_p_rest(corridor, 0, 0);
    must(corridor, kifu_step(corridor));
    ck_assert_uint_eq(kifu_event_count(corridor), from + 1);
    ck_assert_uint_eq(kifu_pending_count(corridor), 3);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(corridor_log(corridor, from), "EStrike EHeal EDamage PRest");
    kifu_event event;
    ck_assert(kifu_event_at(corridor, from + 1, &event) && event.cause == from);
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H05_what_a_hook_submits_stands_where_the_event_is_blocked)
{
    station first = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = heal_besides},
            second = {.acts_on = CORRIDOR_SCOPE_TARGET, .act = block};
    kifu_timeline *corridor = corridor_new(NULL);
    add_to_all_scopes(corridor, &first);
    add_to_all_scopes(corridor, &second);
    const uint32_t from = kifu_event_count(corridor);
    told told;
    ck_assert_int_eq(strike(corridor, &told), KIFU_REJECTED);
    ck_assert_uint_eq(kifu_event_count(corridor), from);
    ck_assert_uint_eq(kifu_pending_count(corridor), 1);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(corridor_log(corridor, from), "EHeal");
    kifu_event event;
    ck_assert(kifu_event_at(corridor, from, &event) && event.cause == KIFU_NONE);
    // Where it is replaced, it follows what happens instead.
    second.act = heal_instead;
    must(corridor, strike(corridor, &told));
    ck_assert_str_eq(corridor_log(corridor, from + 1), "EHeal EHeal");
    ck_assert(kifu_event_at(corridor, from + 2, &event) && event.cause == from + 1);
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

static kifu_verdict other_target(kifu_timeline *corridor, kifu_proposed *proposed)
{
    (void)corridor;
    if (proposed->type == CORRIDOR_E_STRIKE)
        ((corridor_e_strike *)proposed->event)->target = 0;
    return kifu_accept();
}

START_TEST(H02_a_hook_changes_who_is_asked_next)
{
    station station = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = other_target};
    kifu_timeline *corridor = corridor_new(NULL);
    add_to_all_scopes(corridor, &station);
    corridor_submit_e_strike(corridor, 3, 1, 2, CORRIDOR_MANNER_GENTLE);
    must(corridor, kifu_step(corridor));
    ck_assert_str_eq(asked(&station), "level1 cell2 target0 performer3");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H02_who_is_asked_in_one_scope_is_asked_about_the_same_subject)
{
    station first = {.acts_on = CORRIDOR_SCOPE_TARGET, .act = other_target}, second = {.asked = ""};
    kifu_timeline *corridor = corridor_new(NULL);
    add(corridor, CORRIDOR_E_STRIKE, CORRIDOR_SCOPE_TARGET, 1, &first);
    add(corridor, CORRIDOR_E_STRIKE, CORRIDOR_SCOPE_TARGET, 1, &second);
    corridor_submit_e_strike(corridor, 3, 1, 2, CORRIDOR_MANNER_GENTLE);
    must(corridor, kifu_step(corridor));
    ck_assert_str_eq(asked(&first), "target1");
    ck_assert_str_eq(asked(&second), "target1");
    kifu_destroy(corridor);
}
END_TEST

static kifu_verdict strange_manner(kifu_timeline *corridor, kifu_proposed *proposed)
{
    (void)corridor;
    if (proposed->type == CORRIDOR_E_STRIKE)
        ((corridor_e_strike *)proposed->event)->manner = 2;
    return kifu_accept();
}

START_TEST(H02_a_hook_breaks_the_schema)
{
    station station = {.acts_on = CORRIDOR_SCOPE_CELL, .act = strange_manner};
    kifu_timeline *corridor = corridor_new(NULL);
    add_to_all_scopes(corridor, &station);
    const corridor_moment before = corridor_now(corridor);
    told told;
    ck_assert_int_eq(strike(corridor, &told), KIFU_INVALID_EVENT);
    must_say(corridor, "the hook the station broke the event");
    must_say(corridor, "manner");
    ck_assert_str_eq(asked(&station), "level1 cell6");
    ck_assert(told.outcome.result == KIFU_INVALID_EVENT && told.outcome.scope == KIFU_NONE);
    must_be_then(corridor, &before);
    kifu_destroy(corridor);
}
END_TEST

static kifu_verdict read_text(kifu_timeline *corridor, kifu_proposed *proposed)
{
    corridor_p_say *say = (corridor_p_say *)proposed->event;
    if (!strcmp(corridor_p_say_text(say), "magic"))
        return kifu_instead(corridor_submit_p_say(corridor, 9, say->performer, "silence"));
    return kifu_accept();
}

START_TEST(H02_events_with_strings)
{
    station station = {.acts_on = CORRIDOR_SCOPE_PERFORMER, .act = read_text};
    kifu_timeline *corridor = corridor_new(NULL);
    add(corridor, CORRIDOR_P_SAY, CORRIDOR_SCOPE_PERFORMER, KIFU_ANY_SUBJECT, &station);
    corridor_submit_p_say(corridor, 5, 1, "magic");
    must(corridor, kifu_run(corridor));
    kifu_event event;
    ck_assert(kifu_event_at(corridor, kifu_event_count(corridor) - 1, &event));
    ck_assert_str_eq(corridor_p_say_text((const corridor_p_say *)event.table), "silence");
    ck_assert_int_eq(event.player, 5); // for the same player
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(H06_a_replay_needs_no_hooks)
{
    station station = {.acts_on = CORRIDOR_SCOPE_TARGET, .act = heal_instead};
    kifu_timeline *corridor = corridor_new(NULL);
    add_to_all_scopes(corridor, &station);
    told told;
    for (int i = 0; i < 10; i++) {
        must(corridor, strike(corridor, &told));
        corridor_submit_p_use(corridor, 0, 0, (uint8_t)(i % 3));
        (void)!kifu_run(corridor);
    }
    const unsigned length = (unsigned)strlen(station.asked);
    must(corridor, kifu_undo(corridor));
    must(corridor, kifu_redo(corridor));
    must(corridor, kifu_verify_replay(corridor, NULL));
    must_replay(corridor);
    ck_assert_uint_eq(strlen(station.asked), length); // nobody was asked
    kifu_destroy(corridor);
}
END_TEST

// --- Timed events ----------------------------------------------------------------------------------------------------

START_TEST(H07_hooks_of_a_timed_event_are_asked_when_it_happens)
{
    station station = {.acts_on = CORRIDOR_SCOPE_TARGET, .act = halve};
    const kifu_options options = {.record_inputs = kifu_record_inputs};
    kifu_timeline *corridor = corridor_new(&options);
    add_to_all_scopes(corridor, &station);
    const uint32_t from = kifu_event_count(corridor);
    must(corridor, kifu_postpone(corridor, corridor_submit_e_strike(corridor, 0, 1, 2, CORRIDOR_MANNER_ROUGH), 1, 7));
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(asked(&station), "");
    corridor_submit_e_begin_turn(corridor);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(asked(&station), "level1 cell6 target1 performer0 target1 performer0");
    ck_assert_str_eq(corridor_log(corridor, from), "ESchedule EBeginTurn EStrike EDamage");
    must_replay(corridor);
    // Blocked, it is gone with its timer.
    station.act = block;
    must(corridor, kifu_postpone(corridor, corridor_submit_e_strike(corridor, 0, 1, 2, CORRIDOR_MANNER_ROUGH), 2, 7));
    corridor_submit_e_begin_turn(corridor);
    corridor_submit_e_begin_turn(corridor);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(corridor_log(corridor, from + 4), "ESchedule EBeginTurn EBeginTurn");
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

static kifu_verdict later(kifu_timeline *corridor, kifu_proposed *proposed)
{
    if (proposed->type != CORRIDOR_E_STRIKE || proposed->cause != KIFU_NONE)
        return kifu_accept();
    const corridor_e_strike *strike = (const corridor_e_strike *)proposed->event;
    kifu_ticket echo = corridor_submit_e_any(corridor, 0, 5);
    must(corridor, kifu_postpone(corridor, echo, 1, 7));
    kifu_ticket ticket =
        corridor_submit_e_strike(corridor, strike->performer, strike->target, strike->damage, strike->manner);
    must(corridor, kifu_postpone(corridor, ticket, 2, 7));
    return kifu_instead(ticket);
}

START_TEST(H07_a_hook_puts_an_event_off)
{
    station station = {.acts_on = CORRIDOR_SCOPE_TARGET, .act = later};
    kifu_timeline *corridor = corridor_new(NULL);
    add_to_all_scopes(corridor, &station);
    const uint32_t from = kifu_event_count(corridor);
    told told;
    must(corridor, strike(corridor, &told));
    ck_assert_uint_eq(told.outcome.type, CORRIDOR_E_SCHEDULE);
    for (int i = 0; i < 2; i++)
        corridor_submit_e_begin_turn(corridor);
    must(corridor, kifu_run(corridor));
    ck_assert_str_eq(corridor_log(corridor, from), "ESchedule ESchedule EBeginTurn EAny EBeginTurn EStrike EDamage");
    must_replay(corridor);
    kifu_destroy(corridor);
}
END_TEST

// --- Without end, and what a hook chose or submitted -----------------------------------------------------------------

static kifu_verdict once_more(kifu_timeline *corridor, kifu_proposed *proposed)
{
    (void)proposed;
    corridor_submit_e_any(corridor, 0, 1);
    return kifu_accept();
}

static kifu_verdict blocked_once_more(kifu_timeline *corridor, kifu_proposed *proposed)
{
    (void)proposed;
    corridor_submit_e_any(corridor, 0, 1);
    return kifu_reject("and once more");
}

START_TEST(T10_hooks_that_submit_without_end)
{
    const kifu_options options = {.max_consequences = 40};
    for (int blocking = 0; blocking < 2; blocking++) {
        station station = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = blocking ? blocked_once_more : once_more};
        kifu_timeline *corridor = corridor_new(&options);
        corridor_submit_p_rest(corridor, 0, 0);
        must(corridor, kifu_run(corridor));
        add_to_all_scopes(corridor, &station);
        const corridor_moment before = corridor_now(corridor);
        told told;
        kifu_ticket ticket = corridor_submit_p_any(corridor, 0, 0, 5);
        kifu_result result = corridor_run(corridor, ticket, &told);
        if (blocking == 1) { // The input was blocked; what the hook submitted stands for itself, on and on.
            ck_assert_int_eq(result, KIFU_REJECTED);
            result = kifu_run(corridor);
        }
        ck_assert_int_eq(result, KIFU_RUNAWAY);
        must_say(corridor, "more than 40 consequences");
        must_be_then(corridor, &before);
        ck_assert_uint_eq(told.calls, 1);
        must(corridor, kifu_run(corridor));
        must(corridor, kifu_undo(corridor));
        kifu_destroy(corridor);
    }
}
END_TEST

// A check may rely on the schema: here it would reject the blow, for nobody is there.
START_TEST(T01_what_the_schema_forbids_is_refused_before_the_check)
{
    kifu_timeline *corridor = corridor_new(NULL);
    corridor_submit_e_strike(corridor, 0, 77, 4, CORRIDOR_MANNER_GENTLE);
    ck_assert_int_eq(kifu_run(corridor), KIFU_REJECTED);
    corridor_submit_e_strike(corridor, 0, 77, 4, (corridor_manner)2);
    ck_assert_int_eq(kifu_run(corridor), KIFU_INVALID_EVENT);
    kifu_destroy(corridor);
}
END_TEST

static kifu_ticket aside;
static uint8_t rather_what_is_aside;

static kifu_verdict instead_of_what_it_submits(kifu_timeline *corridor, kifu_proposed *proposed)
{
    if (proposed->type != CORRIDOR_P_ANY)
        return kifu_accept();
    aside = corridor_submit_e_any(corridor, 0, 1);
    return kifu_instead(corridor_submit_e_any(corridor, rather_what_is_aside, 2));
}

static kifu_verdict what_is_aside(kifu_timeline *corridor, int32_t number)
{
    (void)corridor;
    (void)number;
    return kifu_instead(aside);
}

START_TEST(L05_a_check_may_not_choose_what_a_hook_submitted_before)
{
    station station = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = instead_of_what_it_submits};
    kifu_timeline *corridor = corridor_new(NULL);
    rather_what_is_aside = corridor_what(what_is_aside, NULL);
    add_to_all_scopes(corridor, &station);
    const corridor_moment before = corridor_now(corridor);
    corridor_submit_p_any(corridor, 0, 0, 5);
    ck_assert_int_eq(kifu_run(corridor), KIFU_MISUSE);
    must_say(corridor, "names no event that was submitted there");
    must_be_then(corridor, &before);
    kifu_destroy(corridor);
}
END_TEST

static kifu_verdict instead_what_is_rejected(kifu_timeline *corridor, kifu_proposed *proposed)
{
    if (proposed->type != CORRIDOR_P_ANY)
        return kifu_accept();
    return kifu_instead(corridor_submit_e_any(corridor, rather_what_is_aside, 2));
}

static kifu_verdict too_late(kifu_timeline *corridor, int32_t number)
{
    (void)corridor;
    (void)number;
    return kifu_reject("it is too late");
}

START_TEST(L12_a_check_that_rejects_what_a_hook_chose_is_not_the_hook)
{
    station station = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = instead_what_is_rejected};
    kifu_timeline *corridor = corridor_new(NULL);
    rather_what_is_aside = corridor_what(too_late, NULL);
    add_to_all_scopes(corridor, &station);
    told told;
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_any(corridor, 0, 0, 5), &told), KIFU_REJECTED);
    must_say(corridor, "corridor.EAny was rejected: it is too late");
    ck_assert_uint_eq(told.outcome.scope, KIFU_NONE);
    kifu_destroy(corridor);
}
END_TEST

static int many;

static kifu_verdict blocked_with_many(kifu_timeline *corridor, kifu_proposed *proposed)
{
    (void)proposed;
    if (proposed->type != CORRIDOR_P_ANY)
        return kifu_accept();
    for (int i = 0; i < many; i++)
        corridor_submit_e_any(corridor, 0, 1);
    return kifu_reject("too often");
}

START_TEST(T10_a_hook_that_submits_too_much_for_an_input_that_it_blocks)
{
    const kifu_options options = {.max_consequences = 40};
    station station = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = blocked_with_many};
    kifu_timeline *corridor = corridor_new(&options);
    add_to_all_scopes(corridor, &station);
    const corridor_moment before = corridor_now(corridor);
    told told;
    many = 41;
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_any(corridor, 0, 0, 5), &told), KIFU_RUNAWAY);
    must_say(corridor, "taken back: a hook submitted one consequence too many; make fewer"); // There is no chain.
    must_be_then(corridor, &before);
    ck_assert_uint_eq(kifu_pending_count(corridor), 0);
    ck_assert_uint_eq(told.calls, 1);
    many = 40;
    ck_assert_int_eq(corridor_run(corridor, corridor_submit_p_any(corridor, 0, 0, 5), &told), KIFU_REJECTED);
    ck_assert_uint_eq(kifu_pending_count(corridor), 40);
    kifu_destroy(corridor);
}
END_TEST

static kifu_result for_ever(kifu_timeline *corridor, int32_t number)
{
    corridor_submit_e_any(corridor, corridor_what(NULL, for_ever), number);
    return KIFU_OK;
}

static kifu_verdict blocked_for_ever(kifu_timeline *corridor, kifu_proposed *proposed)
{
    if (proposed->type != CORRIDOR_P_ANY)
        return kifu_accept();
    (void)for_ever(corridor, 1);
    return kifu_reject("and now that, for ever");
}

// What a hook submitted for an input that it blocked has no cause, also in a save: no event of before goes with it.
START_TEST(T10_a_runaway_that_no_event_began_takes_back_nothing_of_before)
{
    const kifu_options options = {.max_consequences = 40, .user = &test_plan};
    for (int events = 0; events < 40; events++) { // The log's segments are full at some of these.
        station station = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = blocked_for_ever};
        kifu_timeline *corridor = corridor_new(&options);
        for (int i = 0; i < events; i++)
            corridor_submit_p_rest(corridor, 0, 0);
        must(corridor, kifu_run(corridor));
        add_to_all_scopes(corridor, &station);
        corridor_submit_p_any(corridor, 0, 0, 5);
        ck_assert_int_eq(kifu_step(corridor), KIFU_REJECTED);
        const uint32_t count = kifu_event_count(corridor);
        kifu_timeline *copies[] = {reload(corridor, &options), fork_of(corridor, KIFU_PRESENT, &options)};
        for (int i = 0; i < 2; i++) {
            ck_assert_int_eq(kifu_run(copies[i]), KIFU_RUNAWAY);
            ck_assert_uint_eq(kifu_event_count(copies[i]), count);
            kifu_destroy(copies[i]);
        }
        kifu_destroy(corridor);
    }
}
END_TEST

static unsigned resets;

static void count_reset(void *context)
{
    (void)context;
    resets++;
}

static kifu_result fail_if_reset(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    return resets ? kifu_fail(corridor, "not a second time") : KIFU_OK;
}

// What the hooks did cannot be taken back alone: the model outside is made anew, and the log is executed again.
START_TEST(T10_hooks_that_submit_without_end_after_what_cannot_be_executed_again)
{
    const kifu_options options = {.max_consequences = 40, .reset = count_reset};
    station station = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = blocked_once_more};
    kifu_timeline *corridor = corridor_new(&options);
    const uint32_t from = kifu_event_count(corridor);
    corridor_submit_p_any(corridor, 0, corridor_what(NULL, fail_if_reset), 1);
    corridor_submit_p_rest(corridor, 0, 0);
    must(corridor, kifu_run(corridor));
    add_to_all_scopes(corridor, &station);
    corridor_submit_p_any(corridor, 0, 0, 5);
    ck_assert_int_eq(kifu_run(corridor), KIFU_REJECTED);
    ck_assert_int_eq(kifu_run(corridor), KIFU_FAILED);
    must_say(corridor, "(corridor.PAny) could not be replayed: not a second time");
    ck_assert_uint_eq(kifu_event_count(corridor), from);
    ck_assert_uint_eq(kifu_pending_count(corridor), 0);
    must(corridor, kifu_run(corridor));
    kifu_destroy(corridor);
}
END_TEST

START_TEST(U07_what_a_hook_submitted_waits_before_a_redo)
{
    station station = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = blocked_once_more};
    kifu_timeline *corridor = corridor_new(NULL);
    corridor_submit_p_rest(corridor, 0, 0);
    must(corridor, kifu_run(corridor));
    must(corridor, kifu_undo(corridor));
    ck_assert_uint_eq(kifu_can_redo(corridor, NULL), 1);
    add(corridor, 0, CORRIDOR_SCOPE_LEVEL, KIFU_ANY_SUBJECT, &station);
    corridor_submit_p_any(corridor, 0, 0, 5);
    ck_assert_int_eq(kifu_step(corridor), KIFU_REJECTED);
    ck_assert_uint_eq(kifu_pending_count(corridor), 1);
    ck_assert_int_eq(kifu_redo(corridor), KIFU_NOTHING_TO_REDO);
    must_say(corridor, "an input waits");
    kifu_destroy(corridor);
}
END_TEST

// --- Misuse ----------------------------------------------------------------------------------------------------------

static kifu_ticket foreign;

// A hook that does what it may not, and accepts the event.
#define HOOK(name, statement)                                                                                          \
    static kifu_verdict name(kifu_timeline *corridor, kifu_proposed *proposed)                                         \
    {                                                                                                                  \
        (void)proposed;                                                                                                \
        statement;                                                                                                     \
        return kifu_accept();                                                                                          \
    }
#define REFUSED_HOOK(name, call) HOOK(name, ck_assert_int_eq(call, KIFU_MISUSE))
static const kifu_observer another = {.hook = ask, .subject = 1, .name = "another", .context = &foreign};
HOOK(a_foreign_ticket, if (corridor) return kifu_instead(foreign))
HOOK(its_own_ticket, if (corridor) return kifu_instead(proposed->ticket))
HOOK(an_edit, *corridor_edit_level(corridor) = 9)
HOOK(a_random_number, kifu_random_below(corridor, 9))
REFUSED_HOOK(an_undo, kifu_undo(corridor))
REFUSED_HOOK(a_run, kifu_update(corridor, 1))
REFUSED_HOOK(a_begin, kifu_begin(corridor, 0))
REFUSED_HOOK(a_hook, kifu_observe(corridor, &another))
REFUSED_HOOK(a_removal, kifu_remove_observers(corridor, &foreign))
REFUSED_HOOK(a_verification, kifu_verify_rules(corridor, NULL, NULL, NULL))
HOOK(a_write, ((corridor_state *)(uintptr_t)corridor_get_state(corridor))->level = 9) // only the sync test sees that

START_TEST(U13_misuse_in_a_hook_is_told)
{
    static kifu_verdict (*const misused[])(kifu_timeline *, kifu_proposed *) = {
        a_foreign_ticket, its_own_ticket, an_edit,   a_random_number, an_undo, a_run,
        a_begin,          a_hook,         a_removal, a_verification,  a_write,
    };
    const size_t count = sizeof misused / sizeof *misused;
    const kifu_options options = {.sync_test = kifu_sync_test};
    for (size_t i = 0; i < count; i++) {
        station station = {.acts_on = CORRIDOR_SCOPE_CELL, .act = misused[i]};
        kifu_timeline *corridor = corridor_new(&options);
        add(corridor, 0, CORRIDOR_SCOPE_CELL, KIFU_ANY_SUBJECT, &station);
        kifu_ticket ticket = corridor_submit_e_strike(corridor, 0, 1, 2, CORRIDOR_MANNER_GENTLE);
        foreign = corridor_submit_p_rest(corridor, 0, 0);
        corridor_moment before = corridor_now(corridor);
        before.pending = 1;
        told told;
        ck_assert_int_eq(corridor_run(corridor, ticket, &told), i + 1 < count ? KIFU_MISUSE : KIFU_DIVERGED);
        ck_assert_ptr_nonnull(strstr(kifu_last_error(corridor)->message, "the hook the station"));
        ck_assert_uint_eq(told.calls, 1);
        must_be_then(corridor, &before);
        must(corridor, kifu_run(corridor));
        kifu_destroy(corridor);
    }
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

static kifu_verdict all_at_once(kifu_timeline *corridor, kifu_proposed *proposed)
{
    for (int i = 0; i < 40; i++)
        corridor_submit_e_heal(corridor, 0, 1);
    if (proposed->type == CORRIDOR_E_STRIKE && ((corridor_e_strike *)proposed->event)->damage == 1)
        return kifu_reject("too weak");
    return kifu_accept();
}

START_TEST(H08_hooks_in_little_memory)
{
    bool failed = true;
    for (long i = 0; failed; i++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        station station = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = all_at_once};
        kifu_timeline *corridor = corridor_new(&options);
        memory.until_failure = i;
        kifu_result result = kifu_observe(
            corridor, &(kifu_observer){
                          .hook = ask, .scope = CORRIDOR_SCOPE_LEVEL, .subject = 1, .name = "h", .context = &station});
        if (result) {
            ck_assert_int_eq(result, KIFU_NO_MEMORY);
            add(corridor, 0, CORRIDOR_SCOPE_LEVEL, 1, &station);
        }
        for (int16_t damage = 1; damage < 3; damage++) { // blocked; not blocked
            const corridor_moment before = corridor_now(corridor);
            kifu_ticket ticket = corridor_submit_e_strike(corridor, 0, 1, damage, CORRIDOR_MANNER_GENTLE);
            result = kifu_step(corridor);
            if (result == KIFU_NO_MEMORY) { // All of it or nothing.
                must_be(memory.failed);
                must_be(!memcmp(&before.state, corridor_get_state(corridor), sizeof before.state));
                must_be(kifu_event_count(corridor) == before.count);
                must_be(kifu_pending_count(corridor) <= 1);
                if (!kifu_pending_count(corridor) || !ticket)
                    corridor_submit_e_strike(corridor, 0, 1, damage, CORRIDOR_MANNER_GENTLE);
                result = kifu_step(corridor);
            }
            must_be(result == (damage == 1 ? KIFU_REJECTED : KIFU_OK));
            must_be(kifu_pending_count(corridor) == (damage == 1 ? 40 : 41));
            while ((result = kifu_run(corridor)) != KIFU_OK)
                must_be(result == KIFU_NO_MEMORY && memory.failed);
        }
        failed = memory.failed;
        memory.until_failure = -1;
        must_replay(corridor);
        kifu_destroy(corridor);
        must_be(memory.blocks == 0);
    }
}
END_TEST

START_TEST(H08_hooks_that_were_removed_take_no_room)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *corridor = corridor_new(&options);
    station station = {.asked = ""};
    for (uint32_t i = 0; i < 100; i++) { // The journal has room for many.
        corridor_submit_e_heal(corridor, 1, 1);
        must(corridor, kifu_run(corridor));
    }
    add_to_all_scopes(corridor, &station);
    must(corridor, kifu_remove_observers(corridor, &station));
    const long calls = memory.calls;
    corridor_submit_e_heal(corridor, 1, 1);
    must(corridor, kifu_run(corridor));
    ck_assert_int_eq(memory.calls, calls); // The event is not copied for anybody.
    ck_assert_str_eq(station.asked, "");
    kifu_destroy(corridor);
}
END_TEST

static kifu_result strike_instead(kifu_timeline *corridor, int32_t number)
{
    return kifu_fail_instead(corridor,
                             corridor_submit_e_strike(corridor, 0, 1, (int16_t)number, CORRIDOR_MANNER_GENTLE));
}

enum { MANY = 100 }; // More than there is room for in a new queue.

static kifu_verdict many_besides_and_blocked(kifu_timeline *corridor, kifu_proposed *proposed)
{
    (void)proposed;
    for (int i = 0; i < MANY; i++)
        corridor_submit_e_heal(corridor, 0, 1);
    return kifu_reject("too weak");
}

// With all that it submitted; so the hook is asked again. An event whose Do has run already is gone.
START_TEST(H05_without_memory_for_what_a_hook_submitted_a_blocked_event_still_waits)
{
    for (int by_do = 0; by_do < 2; by_do++) {
        unsigned gone = 0;
        bool failed = true;
        for (long i = 0; failed; i++) {
            test_memory memory = {.until_failure = -1};
            const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
            station station = {.acts_on = CORRIDOR_SCOPE_TARGET, .act = many_besides_and_blocked};
            kifu_timeline *corridor = corridor_new(&options);
            add(corridor, 0, CORRIDOR_SCOPE_TARGET, 1, &station);
            kifu_ticket ticket = by_do ? corridor_submit_p_any(corridor, 0, corridor_what(NULL, strike_instead), 1)
                                       : corridor_submit_e_strike(corridor, 0, 1, 1, CORRIDOR_MANNER_GENTLE);
            told told = {.calls = 0};
            must(corridor, kifu_follow(corridor, ticket, keep_outcome, &told));
            memory.until_failure = i;
            kifu_result result = kifu_step(corridor);
            failed = memory.failed;
            ck_assert_int_eq(result, failed ? KIFU_NO_MEMORY : KIFU_REJECTED);
            ck_assert_uint_eq(kifu_pending_count(corridor), told.calls ? failed ? 0 : MANY : 1);
            must_be(!told.calls || !failed || by_do);
            gone += told.calls && failed;
            if (!told.calls)
                ck_assert_int_eq(kifu_step(corridor), KIFU_REJECTED);
            ck_assert_uint_eq(told.calls, 1);
            kifu_destroy(corridor);
            must_be(memory.blocks == 0);
        }
        ck_assert(by_do ? gone > 0 : !gone);
    }
}
END_TEST

START_TEST(H08_hooks_allocate_nothing_in_steady_state)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {
        .allocate = test_allocate, .allocate_context = &memory, .quiet = true, .keyframe_bytes = 1};
    station first = {.acts_on = CORRIDOR_SCOPE_LEVEL, .act = heal_besides},
            second = {.acts_on = CORRIDOR_SCOPE_TARGET, .act = heal_instead};
    kifu_timeline *corridor = corridor_new(&options);
    add_to_all_scopes(corridor, &first);
    add_to_all_scopes(corridor, &second);
    long calls = 0;
    for (int round = 0; round < 3; round++) {
        calls = memory.calls;
        must(corridor, kifu_begin(corridor, KIFU_SEARCH));
        for (int i = 0; i < 20; i++) {
            asked(&first);
            asked(&second);
            corridor_submit_e_strike(corridor, 0, 1, 2, CORRIDOR_MANNER_GENTLE);
            must(corridor, kifu_run(corridor));
        }
        must(corridor, kifu_roll_back(corridor));
    }
    ck_assert_int_eq(memory.calls, calls);
    kifu_destroy(corridor);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        H01_scopes_are_asked_in_the_order_of_the_schema,
        H03_a_scope_without_a_subject_is_skipped,
        H01_hooks_of_a_subject_and_of_a_type,
        F38_any_event_of_a_tag_can_be_hooked,
        G06_reactions_to_a_tag,
        P09_internal_hooks_come_first,
        H01_what_cannot_be_hooked,
        H02_a_hook_passes_an_event_on,
        H09_a_blow_is_a_chain_of_hookable_events,
        H04_nobody_is_asked_after_who_blocked_it,
        H04_who_blocked_it_and_why,
        H02_a_hook_replaces_an_event,
        H05_what_a_hook_submits_is_queued,
        H05_what_a_hook_submits_stands_where_the_event_is_blocked,
        H02_a_hook_changes_who_is_asked_next,
        H02_who_is_asked_in_one_scope_is_asked_about_the_same_subject,
        H02_a_hook_breaks_the_schema,
        H02_events_with_strings,
        H06_a_replay_needs_no_hooks,
        H07_hooks_of_a_timed_event_are_asked_when_it_happens,
        H07_a_hook_puts_an_event_off,
        T10_hooks_that_submit_without_end,
        L12_a_check_that_rejects_what_a_hook_chose_is_not_the_hook,
        T01_what_the_schema_forbids_is_refused_before_the_check,
        L05_a_check_may_not_choose_what_a_hook_submitted_before,
        T10_a_hook_that_submits_too_much_for_an_input_that_it_blocks,
        T10_a_runaway_that_no_event_began_takes_back_nothing_of_before,
        T10_hooks_that_submit_without_end_after_what_cannot_be_executed_again,
        U07_what_a_hook_submitted_waits_before_a_redo,
        U13_misuse_in_a_hook_is_told,
        H08_hooks_in_little_memory,
        H08_hooks_that_were_removed_take_no_room,
        H05_without_memory_for_what_a_hook_submitted_a_blocked_event_still_waits,
        H08_hooks_allocate_nothing_in_steady_state,
    };
    return run_suite("hooks", tests, sizeof tests / sizeof *tests);
}
