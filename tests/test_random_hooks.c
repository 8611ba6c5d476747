// Random games in the corridor, with random hooks, alternates, failures, undo, redo, seek, films, transactions,
// searches, saves and forks. Whatever happened: executing the log again, which knows no hooks, gives the same states,
// and so does playing again from the inputs, which asks them all.

#include "corridor_help.h"
#include "suite.h"

enum { MOST_EVENTS = 1500, HOOKS = 8 };

typedef struct game {
    kifu_rng rng;
    kifu_timeline *corridor;
    kifu_options options;
    uint32_t hooks; // bits: which are there
    follower eye;
    told told;
    uint32_t last;                          // events when `states` was last written
    corridor_state states[MOST_EVENTS + 1]; // after so many events
} game;

static uint32_t draw(game *game, uint32_t below)
{
    return kifu_rng_below(&game->rng, below);
}

// --- Hooks: each depends on nothing but the state and the event ------------------------------------------------------

static corridor_e_strike *as_strike(kifu_proposed *proposed)
{
    return proposed->type == CORRIDOR_E_STRIKE ? (corridor_e_strike *)proposed->event : NULL;
}

static kifu_verdict ask(void *context, kifu_timeline *corridor, const void *opaque, kifu_proposed *proposed)
{
    const corridor_state *state = (const corridor_state *)opaque;
    const uint32_t number = *(const uint32_t *)context;
    corridor_e_strike *strike = as_strike(proposed);
    const bool odd = state->traced % 2, third = state->traced % 3 == 0;
    switch (number) {
    case 0: // a shield
        if (proposed->type == CORRIDOR_E_DAMAGE)
            ((corridor_e_damage *)proposed->event)->amount--;
        return kifu_accept();
    case 1: // a mirror
        if (strike && odd)
            strike->target = strike->performer < 6 ? strike->performer : 0;
        return kifu_accept();
    case 2: // a ban
        return strike && third ? kifu_reject("peace") : kifu_accept();
    case 3: // a blessing
        if (strike && odd)
            return kifu_instead(corridor_submit_e_heal(corridor, strike->target % 6, 2));
        return kifu_accept();
    case 4: // an echo
        if (strike || (proposed->type == CORRIDOR_E_HEAL && third))
            corridor_submit_e_any(corridor, 0, (int32_t)state->traced);
        return kifu_accept();
    case 5: // a bad smith
        if (strike && state->traced % 5 == 0)
            strike->manner = 1;
        return kifu_accept();
    case 6: // bounces a step back and forth
        if (proposed->type == CORRIDOR_P_SAY && odd)
            return kifu_instead(corridor_submit_p_move(corridor, kifu_player(corridor), 0, third ? 1 : -1));
        return kifu_accept();
    default: // talks, and forbids to
        if (proposed->type == CORRIDOR_P_SAY) {
            corridor_submit_e_heal(corridor, (uint8_t)(state->traced % 6), 1);
            return third ? kifu_reject("silence") : kifu_accept();
        }
        return kifu_accept();
    }
}

static kifu_result react(void *context, kifu_timeline *corridor, const void *state, const kifu_event *event)
{
    (void)context;
    if (event->type == CORRIDOR_P_REST && ((const corridor_state *)state)->acted % 4 == 0)
        corridor_submit_e_move(corridor, 1, 1);
    return event->type == CORRIDOR_P_OPEN && ((const corridor_state *)state)->acted % 3 == 0
               ? kifu_fail(corridor, "it creaks")
               : KIFU_OK;
}

static kifu_result prepare(void *context, kifu_timeline *corridor)
{
    static const uint32_t numbers[HOOKS] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint32_t scopes[HOOKS] = {CORRIDOR_SCOPE_TARGET,    CORRIDOR_SCOPE_LEVEL,    CORRIDOR_SCOPE_CELL,
                                           CORRIDOR_SCOPE_TARGET,    CORRIDOR_SCOPE_TARGET,   CORRIDOR_SCOPE_PERFORMER,
                                           CORRIDOR_SCOPE_PERFORMER, CORRIDOR_SCOPE_PERFORMER};
    kifu_result result = kifu_observe(corridor, &(kifu_observer){.react = react});
    for (uint32_t i = 0; i < HOOKS && !result; i++) {
        if (((game *)context)->hooks & (1u << i))
            result = kifu_observe(corridor, &(kifu_observer){.hook = ask,
                                                             .scope = scopes[i],
                                                             .subject = i == 0 ? 1 : KIFU_ANY_SUBJECT,
                                                             .name = "one of many",
                                                             .rank = i % 3 ? KIFU_RANK_ORDINARY : KIFU_RANK_INTERNAL,
                                                             .context = (void *)(uintptr_t)&numbers[i]});
    }
    return result;
}

static kifu_result two_more(kifu_timeline *corridor, int32_t number)
{
    corridor_submit_e_strike(corridor, (uint8_t)(number % 3 == 0 ? 255 : 0), 1, 1, CORRIDOR_MANNER_GENTLE);
    if (number > 0)
        corridor_submit_e_any(corridor, 1, number - 1);
    if (number % 7 == 5)
        return kifu_fail_instead(corridor, corridor_submit_e_any(corridor, 2, number));
    return number % 7 == 6 ? kifu_fail(corridor, "unlucky") : KIFU_OK;
}

static kifu_result without_end(kifu_timeline *corridor, int32_t number)
{
    corridor_submit_e_any(corridor, 3, number);
    return KIFU_OK;
}

static kifu_verdict circle(kifu_timeline *corridor, int32_t number)
{
    return kifu_instead(corridor_submit_p_any(corridor, 0, 4, number));
}

// --- The same? -------------------------------------------------------------------------------------------------------

// Notes the states of what is new; called after each step.
static void note(game *game)
{
    const uint32_t count = kifu_event_count(game->corridor);
    must_be(count <= MOST_EVENTS);
    must_be(count <= game->last + 1);
    game->states[count] = *corridor_get_state(game->corridor);
    game->last = count;
}

// Went back: what is noted is what it was.
static void went_back(game *game)
{
    const uint32_t count = kifu_event_count(game->corridor);
    must_be(count <= game->last);
    must_be(!memcmp(&game->states[count], kifu_state(game->corridor), sizeof(corridor_state)));
    game->last = count;
}

// May fail, and often does.
static void run(game *game)
{
    while (kifu_pending_count(game->corridor) && kifu_event_count(game->corridor) < MOST_EVENTS) {
        const uint32_t count = kifu_event_count(game->corridor);
        const kifu_result result = kifu_step(game->corridor);
        must_be(result == KIFU_OK || result == KIFU_REJECTED || result == KIFU_FAILED || result == KIFU_RUNAWAY ||
                result == KIFU_INVALID_EVENT);
        if (kifu_event_count(game->corridor) > count)
            note(game);
        else
            went_back(game);
        if (draw(game, 40) == 0)
            break; // The rest waits.
    }
}

static void must_follow(const game *game)
{
    must_have_followed(&game->eye, game->corridor);
}

static void submit(game *game)
{
    kifu_timeline *corridor = game->corridor;
    const uint8_t who = (uint8_t)draw(game, 2);
    const int player = (int)draw(game, 3);
    kifu_ticket ticket = 0;
    switch (draw(game, 12)) {
    case 0:
    case 1:
    case 2:
        ticket = corridor_submit_p_move(corridor, player, who, (int8_t)((int)draw(game, 4) - 1));
        break;
    case 3:
        ticket = corridor_submit_p_use(corridor, player, who, (uint8_t)draw(game, 6));
        break;
    case 4:
    case 5:
        ticket = corridor_submit_e_strike(corridor, who, 1 - who, (int16_t)draw(game, 4),
                                          draw(game, 2) ? CORRIDOR_MANNER_GENTLE : CORRIDOR_MANNER_ROUGH);
        break;
    case 6:
        ticket = corridor_submit_p_say(corridor, player, who, draw(game, 3) ? "a word" : NULL);
        break;
    case 7:
        ticket = corridor_submit_e_heal(corridor, who, (int16_t)draw(game, 9));
        break;
    case 8:
        ticket = corridor_submit_p_any(corridor, player, 4, 0);
        break;
    case 9:
        ticket = corridor_submit_p_any(corridor, player, draw(game, 4) ? 1 : 3, (int32_t)draw(game, 4));
        break;
    default:
        ticket = corridor_submit_p_any(corridor, player, 1, (int32_t)draw(game, 20));
        break;
    }
    if (draw(game, 4) == 0)
        must(corridor, kifu_override(corridor, ticket, draw(game, 4) > 0, draw(game, 2)));
    if (draw(game, 4) == 0) {
        game->told.calls = 0;
        must(corridor, kifu_follow(corridor, ticket, keep_outcome, &game->told));
    }
}

static void look_back(game *game)
{
    kifu_timeline *corridor = game->corridor;
    const uint32_t count = kifu_event_count(corridor), to = draw(game, count + 1);
    must(corridor, kifu_seek(corridor, to));
    must_be(!memcmp(&game->states[to], kifu_state(corridor), sizeof(corridor_state)));
    if (to < count && draw(game, 2)) { // as a film, to its end or not
        memcpy(game->eye.state, kifu_state(corridor), game->eye.size);
        must(corridor, kifu_play(corridor, 1));
        if (draw(game, 2))
            must(corridor, kifu_update(corridor, 1));
        must_follow(game);
    }
    must(corridor, kifu_seek(corridor, KIFU_PRESENT));
    memcpy(game->eye.state, kifu_state(corridor), game->eye.size);
    must_be(kifu_event_count(corridor) == count);
    went_back(game);
}

// Executed again by others, who know no hooks.
static void execute_again(game *game)
{
    kifu_timeline *corridor = game->corridor;
    const kifu_options options = {.user = &test_plan};
    const uint32_t count = kifu_event_count(corridor), to = draw(game, count + 1);
    kifu_timeline *other = reload(corridor, &options);
    must_be(kifu_event_count(other) == count);
    must_be(kifu_pending_count(other) == kifu_pending_count(corridor));
    must_be(kifu_can_undo(other, NULL) == kifu_can_undo(corridor, NULL));
    must_be(kifu_can_redo(other, NULL) == kifu_can_redo(corridor, NULL));
    must_be(!memcmp(kifu_state(other), kifu_state(corridor), sizeof(corridor_state)));
    must(other, kifu_seek(other, to));
    must_be(!memcmp(&game->states[to], kifu_state(other), sizeof(corridor_state)));
    kifu_destroy(other);
    other = fork_of(corridor, to, &options);
    must_be(!memcmp(&game->states[to], kifu_state(other), sizeof(corridor_state)));
    kifu_destroy(other);
    must(corridor, kifu_verify_replay(corridor, NULL));
}

static void step(game *game, uint32_t depth);

static void transaction(game *game, uint32_t depth)
{
    kifu_timeline *corridor = game->corridor;
    const corridor_moment before = corridor_now(corridor);
    const uint32_t kind = draw(game, 3);
    must(corridor, kifu_begin(corridor, kind == 0 ? 0 : kind == 1 ? KIFU_DEFERRED : KIFU_SEARCH));
    for (uint32_t i = draw(game, 8); i > 0; i--)
        step(game, depth + 1);
    if (kind == 2)
        must(corridor, kifu_roll_back(corridor));
    else if (draw(game, 2) || kifu_commit(corridor) != KIFU_OK)
        must(corridor, kifu_roll_back(corridor));
    else
        return;
    must_be_then(corridor, &before);
    went_back(game);
}

static void step(game *game, uint32_t depth)
{
    kifu_timeline *corridor = game->corridor;
    if (kifu_event_count(corridor) > MOST_EVENTS - 100)
        return;
    switch (draw(game, 16)) {
    case 0:
        if (kifu_undo(corridor) == KIFU_OK)
            went_back(game);
        break;
    case 1:
        if (kifu_can_redo(corridor, NULL)) {
            must(corridor, kifu_redo(corridor));
            while (game->last < kifu_event_count(corridor)) {
                corridor_state *state = &game->states[++game->last];
                must(corridor, kifu_state_at(corridor, game->last, state, sizeof *state));
            }
            went_back(game);
        }
        break;
    case 2:
        if (!depth)
            look_back(game);
        break;
    case 3:
        if (!depth)
            execute_again(game);
        break;
    case 4:
        if (depth < 3)
            transaction(game, depth);
        break;
    case 5:
        if (!depth) {
            kifu_result result = kifu_verify_rules(corridor, prepare, game, NULL);
            if (result != KIFU_OK && !(result == KIFU_MISUSE && strstr(kifu_last_error(corridor)->message, "known")))
                ck_abort_msg("%s", kifu_last_error(corridor)->message);
        }
        break;
    default:
        submit(game);
        run(game);
    }
    if (!depth)
        must_follow(game);
}

static void play(unsigned long seed)
{
    static game game;
    memset(&game, 0, sizeof game);
    kifu_rng_seed(&game.rng, seed, 7);
    game.hooks = draw(&game, 1u << HOOKS);
    game.options.record_inputs = kifu_record_inputs;
    game.options.sync_test = draw(&game, 4) == 0 ? kifu_sync_test : NULL;
    game.options.max_consequences = 30;
    game.options.hash_interval = 1 + draw(&game, 20);
    game.options.keyframe_bytes = draw(&game, 2) ? 1 : 4000;
    game.options.user = &test_plan;
    ck_assert_int_eq(kifu_create(&corridor_rules, &game.options, &game.corridor, NULL), KIFU_OK);
    must(game.corridor, prepare(&game, game.corridor));
    corridor_submit_e_initialize(game.corridor, NULL);
    corridor_submit_e_build(game.corridor);
    if (draw(&game, 2))
        corridor_submit_e_seal(game.corridor, 0);
    while (kifu_pending_count(game.corridor)) {
        must(game.corridor, kifu_step(game.corridor));
        note(&game);
    }
    follow_state(&game.eye, game.corridor);
    for (int i = 0; i < 120; i++)
        step(&game, 0);
    execute_again(&game);
    kifu_destroy(game.corridor);
}

START_TEST(H06_random_games_with_hooks)
{
    test_plan.in_do[1] = two_more;
    test_plan.in_do[3] = without_end;
    test_plan.in_check[4] = circle;
    const unsigned long first = fuzz_seed(), steps = fuzz_steps(36000) / 120;
    for (unsigned long seed = first; seed < first + steps; seed++)
        play(seed);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {H06_random_games_with_hooks};
    return run_suite("random_hooks", tests, sizeof tests / sizeof *tests);
}
