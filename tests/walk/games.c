// The games that are walked through: one of the smallest kind, one whose scripts do what can be done in a Do function,
// one with pools, actors, timers and random numbers, and a card game with triggers and lists of moves.

#include "crawl.h"
#include "duel.h"
#include "game.h"
#include "kifu_fuzz.h"
#include "lab.h"
#include "script.h"
#include "seeded.h"
#include "tally.h"
#include "tally2.h"
#include "triggers.h"
#include "walk.h"

// By walk_how.
static const char *const calls[] = {"submit", "play", "try", "can"}, *const results[] = {"ticket = ", "(void)!",
                                                                                         "(void)!", "(void)!"};

// --- Tally -----------------------------------------------------------------------------------------------------------

static void begin_nothing(walk *walk)
{
    (void)walk;
}

static kifu_result tally_input(walk *walk, walk_how how, uint32_t a, uint32_t b)
{
    const int amount = (int)(a % 4), player = (int)(a / 4 % 2);
    const char *note = b % 2 ? "n" : NULL;
    walk_say(walk, "%stally_%s_p_add(timeline, %d, %d, %s);", results[how], calls[how], player, amount,
             note ? "\"n\"" : "NULL");
    kifu_timeline *timeline = walk->timeline;
    switch (how) {
    case WALK_SUBMIT:
        walk->ticket = tally_submit_p_add(timeline, player, amount, note);
        return KIFU_OK;
    case WALK_PLAY:
        return tally_play_p_add(timeline, player, amount, note);
    case WALK_TRY:
        return tally_try_p_add(timeline, player, amount, note);
    default:
        return tally_can_p_add(timeline, player, amount, note) ? KIFU_OK : KIFU_REJECTED;
    }
}

static void tally_engine(walk *walk, uint32_t a)
{
    walk_say(walk, "ticket = tally_submit_e_bonus(timeline, %u);", a % 3 + 1);
    walk->ticket = tally_submit_e_bonus(walk->timeline, (int32_t)(a % 3 + 1));
}

static const kifu_rules *tally_later(void)
{
    static kifu_rules rules;
    rules = tally2_rules;
    rules.name = tally_rules.name;
    rules.union_name = tally_rules.union_name;
    return &rules;
}

// --- Lab -------------------------------------------------------------------------------------------------------------

// The last ones begin a transaction in a Do, which needs memory: without it, an undo that has to execute the log again
// ends before that event (timeline.h).
static const char *const scripts[] = {"+",   "-",      "-(+)", "r",     "(+(r)(-))(p)", "+@+",    "[+][!]",
                                      "f",   "(f)+",   "v+",   "(-)",   "+(p)",         "(((r))", "+(+)(+)",
                                      "!",   "+(v)",   "+w",   "(w)-w", "s1+",          "s0(s1)", "s5",
                                      "(-)", "(+)(+)", "-(-)", "(@)",   "b+c(+)",       "b1k2",   "+[b2c]"};
enum { HUNGRY_SCRIPTS = 3 };

static const char *script_of(const walk *walk, uint32_t a)
{
    const uint32_t count = sizeof scripts / sizeof *scripts;
    return scripts[a % (walk->config.starves ? count - HUNGRY_SCRIPTS : count)];
}

static kifu_result lab_input(walk *walk, walk_how how, uint32_t a, uint32_t b)
{
    kifu_timeline *timeline = walk->timeline;
    const int player = (int)(a % 2);
    if (lab_get_state(timeline)->length > 50 && how == WALK_SUBMIT) {
        walk_say(walk, "ticket = lab_submit_e_reset_game(timeline);");
        walk->ticket = lab_submit_e_reset_game(timeline);
        return KIFU_OK;
    }
    if (b % 3 == 0) {
        walk_say(walk, "%slab_%s_p_add(timeline, %d, %u);", results[how], calls[how], player, a / 2 % 3);
        const int amount = (int)(a / 2 % 3);
        switch (how) {
        case WALK_SUBMIT:
            walk->ticket = lab_submit_p_add(timeline, player, amount);
            return KIFU_OK;
        case WALK_PLAY:
            return lab_play_p_add(timeline, player, amount);
        case WALK_TRY:
            return lab_try_p_add(timeline, player, amount);
        default:
            return KIFU_UNSUPPORTED; // It has no check.
        }
    }
    const char *script = script_of(walk, a / 2);
    const lab_p_do_args args = {.script = script, .times = (uint8_t)(b / 3 % 3)};
    walk_say(walk, "%slab_%s_p_do(timeline, %d, &(lab_p_do_args){.script = \"%s\", .times = %u});", results[how],
             calls[how], player, script, b / 3 % 3);
    switch (how) {
    case WALK_SUBMIT:
        walk->ticket = lab_submit_p_do(timeline, player, &args);
        return KIFU_OK;
    case WALK_PLAY:
        return lab_play_p_do(timeline, player, &args);
    case WALK_TRY:
        return lab_try_p_do(timeline, player, &args);
    default:
        return lab_can_p_do(timeline, player, &args) ? KIFU_OK : KIFU_REJECTED;
    }
}

static void lab_engine(walk *walk, uint32_t a)
{
    const char *script = script_of(walk, a / 4);
    switch (a % 4) {
    case 0:
        walk_say(walk, "ticket = lab_submit_e_seal(timeline);");
        walk->ticket = lab_submit_e_seal(walk->timeline);
        break;
    case 1:
        walk_say(walk, "ticket = lab_submit_e_try(timeline, \"%s\");", script);
        walk->ticket = lab_submit_e_try(walk->timeline, script);
        break;
    default:
        walk_say(walk, "ticket = lab_submit_e_do(timeline, \"%s\");", script);
        walk->ticket = lab_submit_e_do(walk->timeline, script);
    }
}

static void lab_begin(walk *walk)
{
    lab_submit_e_add_player(walk->timeline, 0, 1);
    lab_submit_e_add_player(walk->timeline, 1, 2);
    lab_submit_e_initialize(walk->timeline, SEEDED(7));
    walk_say(walk, "lab_submit_e_add_player(timeline, 0, 1); lab_submit_e_add_player(timeline, 1, 2); "
                   "lab_submit_e_initialize(timeline, SEEDED(7)); (void)!kifu_run(timeline);");
    (void)!kifu_run(walk->timeline);
}

// --- With the hooks of their fuzzers ---------------------------------------------------------------------------------

extern const kifu_fuzz_hooks crawl_fuzz_hooks;

static kifu_rng rng_of(uint32_t a, uint32_t b)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, a, b);
    return rng;
}

static void crawl_begin(walk *walk)
{
    kifu_rng rng = rng_of(1, 1);
    walk_say(walk, "paste_begin(timeline, &crawl_fuzz_hooks);");
    crawl_fuzz_hooks.begin(walk->timeline, &rng);
    (void)!kifu_run(walk->timeline);
}

static kifu_result crawl_input(walk *walk, walk_how how, uint32_t a, uint32_t b)
{
    if (how != WALK_SUBMIT)
        return KIFU_UNSUPPORTED;
    kifu_rng rng = rng_of(a % 64, b % 8);
    walk_say(walk, "ticket = paste_input(timeline, &crawl_fuzz_hooks, %u, %u);", a % 64, b % 8);
    walk->ticket = crawl_fuzz_hooks.input(walk->timeline, &rng);
    return KIFU_OK;
}

static kifu_ticket crawl_decide(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor,
                                uint32_t attempt)
{
    return crawl_fuzz_hooks.decide(context, timeline, state, actor, attempt);
}

static kifu_handle crawl_actor_of(const kifu_timeline *timeline, uint32_t a)
{
    kifu_handle actor = KIFU_NO_HANDLE;
    for (uint32_t left = a % 8 + 1; left > 0; left--)
        actor = crawl_next_actors(crawl_get_state(timeline), actor);
    return actor ? actor : crawl_next_actors(crawl_get_state(timeline), KIFU_NO_HANDLE);
}

static void crawl_engine(walk *walk, uint32_t a)
{
    switch (a % 3) {
    case 0:
        walk_say(walk, "ticket = crawl_submit_e_begin_turn(timeline);");
        walk->ticket = crawl_submit_e_begin_turn(walk->timeline);
        break;
    case 1:
        walk_say(walk, "ticket = crawl_submit_e_bell(timeline, %u);", a % 7);
        walk->ticket = crawl_submit_e_bell(walk->timeline, a % 7);
        break;
    default: {
        const kifu_handle actor = crawl_actor_of(walk->timeline, a / 3);
        walk_say(walk, "ticket = crawl_submit_p_sleep(timeline, 0, %u);", actor);
        walk->ticket = crawl_submit_p_sleep(walk->timeline, 0, actor);
    }
    }
}

static void duel_begin_walk(walk *walk)
{
    uint64_t seed = 5;
    walk_say(walk, "(void)!duel_begin(timeline, &(uint64_t){5});");
    (void)!duel_begin(walk->timeline, &seed);
}

static kifu_result duel_input(walk *walk, walk_how how, uint32_t a, uint32_t b)
{
    (void)b;
    kifu_moves moves = {0};
    const int player = kifu_current_player(kifu_get_game(walk->timeline));
    kifu_result result = kifu_list_moves(walk->timeline, player, &moves);
    if (!result && moves.count) {
        const kifu_move *move = &moves.items[a % moves.count];
        walk_say(walk, "%spaste_move(timeline, %d, %u, %d);", how == WALK_SUBMIT ? "ticket = " : "", player,
                 a % moves.count, how);
        if (how == WALK_SUBMIT)
            walk->ticket = kifu_submit_move(walk->timeline, move);
        else if (how == WALK_TRY)
            result = kifu_try_move(walk->timeline, move);
        else if (how == WALK_CAN)
            result = kifu_can_move(walk->timeline, move) ? KIFU_OK : KIFU_REJECTED;
        else
            result = KIFU_UNSUPPORTED;
    }
    kifu_free_moves(&moves);
    return result;
}

// Any move is as good as another.
static void judge_nothing(const kifu_timeline *timeline, double *worth)
{
    (void)timeline, (void)worth;
}

static const kifu_bot any_bot = {.judge = judge_nothing, .depth = KIFU_AT_ONCE};

const walk_game walk_games[] = {
    {.name = "tally",
     .rules = &tally_rules,
     .begin = begin_nothing,
     .input = tally_input,
     .engine = tally_engine,
     .later = tally_later},
    {.name = "lab", .rules = &lab_rules, .begin = lab_begin, .input = lab_input, .engine = lab_engine},
    {.name = "crawl",
     .rules = &crawl_rules,
     .begin = crawl_begin,
     .input = crawl_input,
     .engine = crawl_engine,
     .decide = crawl_decide,
     .actor = crawl_actor_of},
    {.name = "duel",
     .rules = &duel_rules,
     .begin = duel_begin_walk,
     .input = duel_input,
     .bot = &any_bot,
     .triggers = &duel_triggers},
};
const uint32_t walk_game_count = sizeof walk_games / sizeof *walk_games;
