// Trying events and taking them back, and asking what may be played: kifu/search.h.

#include "reversi_help.h"

#include <stdlib.h>

#include "core/timeline.h"
#include "lab_help.h"
#include "fixed_time.h"
#include "search/search.h"
#include "suite.h"

static kifu_result try_place(kifu_timeline *timeline, int player, int square)
{
    return reversi_try_p_place(timeline, player, &(reversi_p_place_args){.square = (uint8_t)square, .seconds = -1});
}

static bool can_place(kifu_timeline *timeline, int player, int square)
{
    return reversi_can_p_place(timeline, player, &(reversi_p_place_args){.square = (uint8_t)square, .seconds = -1});
}

static kifu_timeline *fork_of(const kifu_timeline *timeline)
{
    kifu_timeline *fork;
    ck_assert_int_eq(kifu_fork(timeline, KIFU_PRESENT, NULL, &fork, NULL), KIFU_OK);
    return fork;
}

// As a save has it.
static void must_be_same(kifu_timeline *one, kifu_timeline *other)
{
    unsigned char *bytes[2];
    size_t sizes[2];
    must(one, save_to_memory_at(one, NULL, 1, &bytes[0], &sizes[0]));
    must(other, save_to_memory_at(other, NULL, 1, &bytes[1], &sizes[1]));
    ck_assert_uint_eq(sizes[0], sizes[1]);
    ck_assert_mem_eq(bytes[0], bytes[1], sizes[0]);
    kifu_free_bytes(one, bytes[0]);
    kifu_free_bytes(other, bytes[1]);
    same_game(one, other);
}

// What happened in a try is what happened in a game where it was played.
static void must_have_happened(const kifu_timeline *tried, const kifu_timeline *played)
{
    ck_assert_mem_eq(kifu_state(tried), kifu_state(played), sizeof(reversi_state));
    ck_assert_uint_eq(kifu_event_count(tried), kifu_event_count(played));
    ck_assert_uint_eq(kifu_pending_count(tried), 0);
    for (uint32_t i = 0; i < kifu_event_count(tried); i++) {
        kifu_event one, other;
        ck_assert(kifu_event_at(tried, i, &one) && kifu_event_at(played, i, &other));
        ck_assert(one.type == other.type && one.player == other.player && one.cause == other.cause);
        ck_assert(one.flags == other.flags && one.rules_version == other.rules_version && one.index == other.index);
    }
    reversi_state states[2];
    const uint32_t before = kifu_event_count(tried) - 1;
    ck_assert_int_eq(kifu_state_at((kifu_timeline *)(uintptr_t)tried, before, &states[0], sizeof *states), KIFU_OK);
    ck_assert_int_eq(kifu_state_at((kifu_timeline *)(uintptr_t)played, before, &states[1], sizeof *states), KIFU_OK);
    ck_assert_mem_eq(&states[0], &states[1], sizeof *states);
}

START_TEST(X01_a_try_gives_the_state_that_playing_gives)
{
    kifu_timeline *timeline = reversi_new(1), *untouched = fork_of(timeline);
    for (int move = 0; move < 60; move++) {
        const int player = reversi_current(timeline);
        int legal = -1;
        for (int square = 0; square < 66; square++) {
            kifu_timeline *played = fork_of(timeline);
            reversi_submit_p_place(played, player, &(reversi_p_place_args){.square = (uint8_t)square, .seconds = -1});
            const kifu_result result = kifu_run(played);
            ck_assert_int_eq(can_place(timeline, player, square), !result);
            ck_assert(result || kifu_last_error(timeline)->message[0]);
            ck_assert_int_eq(try_place(timeline, player, square), result);
            must_have_happened(timeline, played);
            if (!result) {
                legal = square;
                ck_assert_uint_eq(kifu_open_tries(timeline), 1);
                must(timeline, kifu_take_back(timeline));
            }
            ck_assert_uint_eq(kifu_open_tries(timeline), 0);
            kifu_destroy(played);
        }
        must_be_same(timeline, untouched);
        if (legal < 0)
            break;
        must(timeline, reversi_place(timeline, legal));
        must(untouched, reversi_place(untouched, legal));
    }
    kifu_destroy(untouched);
    kifu_destroy(timeline);
}
END_TEST

// --- Scripts of the lab ----------------------------------------------------------------------------------------------

// Memory that ends.
typedef struct larder {
    bool starving;
    unsigned meals;
    long blocks;
} larder;

static void *eat(void *context, void *block, size_t size)
{
    larder *larder = context;
    if (!size) {
        larder->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (larder->starving && !larder->meals)
        return NULL;
    larder->meals -= larder->starving;
    larder->blocks += !block;
    return realloc(block, size);
}

static kifu_timeline *lab_with(larder *larder)
{
    kifu_timeline *lab =
        lab_started(&(kifu_options){.allocate = eat, .allocate_context = larder, .max_consequences = 50});
    lab_must(lab, lab_play(lab, "+1(2)"));
    lab_must(lab, lab_play(lab, "3"));
    return lab;
}

// A PDo as it would be submitted: `maker` is another timeline, which builds it.
static kifu_result try_built(kifu_timeline *lab, kifu_timeline *maker, const char *script, bool trusted)
{
    lab_do(maker, 0, script, 1);
    kifu__proposal *built = kifu__queue_first(&maker->inputs);
    const kifu_result result = kifu__try(lab, LAB_P_DO, 0, kifu__proposal_blob(built), built->size, trusted);
    ck_assert_int_eq(kifu_drop_inputs(maker), KIFU_OK);
    return result;
}

static kifu_result try_script(kifu_timeline *lab, kifu_timeline *maker, const char *script, int way)
{
    return way ? try_built(lab, maker, script, way == 2)
               : lab_try_p_do(lab, 0, &(lab_p_do_args){.script = script, .times = 1});
}

static const char *const scripts[] = {
    "",     "+",       "(+)(-)5", "((1)2)(3)", "f",   "(f)",  "+(f)2", "l",       "o",   "(o)",  "[!]", "1[!2](3)",
    "[4]5", "m",       "1bc2",    "1b(2)+k3",  "b",   "r",    "r(r)",  "v(v)",    "rv7", "a3",   "@+",  "u",
    "p(p)", "(1)(f)3", "(b1k)",   "(l)",       "[f]", "(r)f", "k",     "(((f)))", "rf",  "(m)2", "b(1", "12345",
};
enum { SCRIPTS = sizeof scripts / sizeof *scripts };

START_TEST(X01_what_a_script_does_it_does_in_a_try)
{
    larder larder = {.meals = 0};
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true});
    for (int i = 0; i < 3 * SCRIPTS; i++) {
        const char *script = scripts[i / 3];
        kifu_timeline *lab = lab_with(&larder), *played;
        const lab_picture before = lab_look(lab);
        ck_assert_int_eq(kifu_fork(lab, KIFU_PRESENT, &lab->options, &played, NULL), KIFU_OK);
        const kifu_result result = lab_play(played, script);
        ck_assert_msg(try_script(lab, maker, script, i % 3) == result, "%s: %s", script, kifu_last_error(lab)->message);
        if (result) {
            ck_assert_str_eq(kifu_last_error(lab)->message, kifu_last_error(played)->message);
            ck_assert_str_eq(kifu_error_reason(kifu_last_error(lab)), kifu_error_reason(kifu_last_error(played)));
        } else {
            const lab_picture tried = lab_look(lab);
            lab_same(played, &tried);
            for (uint32_t k = 0; k < kifu_event_count(lab); k++) {
                kifu_event one, other;
                ck_assert(kifu_event_at(lab, k, &one) && kifu_event_at(played, k, &other));
                ck_assert(one.flags == other.flags && one.cause == other.cause && one.player == other.player);
            }
            lab_must(lab, kifu_take_back(lab));
        }
        lab_same(lab, &before);
        ck_assert_uint_eq(kifu_open_tries(lab), 0);
        lab_must(lab, kifu_undo(lab));
        kifu_destroy(played);
        kifu_destroy(lab);
    }
    kifu_destroy(maker);
}
END_TEST

START_TEST(X01_a_try_survives_without_memory)
{
    larder larder = {.meals = 0};
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true});
    for (int i = 0; i < 2 * SCRIPTS; i++) {
        kifu_result result = KIFU_NO_MEMORY, enough;
        kifu_timeline *lab = lab_with(&larder);
        enough = try_script(lab, maker, scripts[i / 2], i % 2);
        kifu_destroy(lab);
        unsigned meals = 0;
        for (; result == KIFU_NO_MEMORY; meals++) {
            lab = lab_with(&larder);
            const lab_picture before = lab_look(lab);
            larder.starving = true;
            larder.meals = meals;
            result = try_script(lab, maker, scripts[i / 2], i % 2);
            if (!result && try_script(lab, maker, "+(1)", 1 - i % 2) == KIFU_OK)
                lab_must(lab, kifu_take_back(lab));
            if (!result)
                lab_must(lab, kifu_take_back(lab));
            larder.starving = false;
            lab_same(lab, &before);
            ck_assert_uint_eq(kifu_open_tries(lab), 0);
            lab_must(lab, lab_play(lab, "(7)"));
            kifu_destroy(lab);
        }
        ck_assert_int_eq(result, enough);
        ck_assert_uint_gt(meals, 1);
    }
    kifu_destroy(maker);
}
END_TEST

static kifu_result react_to_nothing(void *context, kifu_timeline *lab, const void *state, const kifu_event *event)
{
    (void)context, (void)lab, (void)state, (void)event;
    return KIFU_OK;
}

// What waits, hooks and reactions are set aside only where they may have a say.
START_TEST(X01_a_plain_try_goes_the_short_way)
{
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true}), *lab = lab_started(NULL);
    for (int reacting = 0; reacting < 2; reacting++) {
        if (reacting)
            lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = react_to_nothing, .type = LAB_E_DO}));
        lab_must(lab, try_built(lab, maker, "+1(2)", true));
        ck_assert(((const kifu__search *)lab->search)->play_is_aside == reacting);
        lab_must(lab, kifu_take_back(lab));
    }
    kifu_destroy(lab);
    kifu_destroy(maker);
}
END_TEST

// Where the journal grows, short ones become ordinary ones, and the next ones are short again.
START_TEST(M08_X01_a_try_from_which_nothing_follows_is_a_short_one)
{
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true}), *lab = lab_started(NULL);
    for (int round = 0; round < 2; round++) {
        int most = 0;
        lab_must(lab, lab_try_legal_p_add(lab, 0, 1));
        ck_assert(!round || (lab->core.next_short == lab->core.shorts + 1 && lab->core.tries == 0));
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, try_built(lab, maker, "+(1)", true));
        ck_assert(lab->core.next_short == lab->core.shorts && lab->core.tries == 1);
        for (int depth = 0; depth < 60; depth++) {
            lab_must(lab, lab_try_legal_p_add(lab, 0, 1));
            const int open = (int)(lab->core.next_short - lab->core.shorts);
            most = open > most ? open : most;
        }
        ck_assert_int_gt(most, 10);
        for (int more = 0; more < 2; more++)
            lab_must(lab, lab_try_legal_p_add(lab, 0, 1));
        const kifu__short *next = lab->core.next_short;
        ck_assert(lab_can_p_add(lab, 0, 1)); // After it, the next one would ask whether something has changed.
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, lab_try_legal_p_add(lab, 0, 1));
        ck_assert(lab->core.next_short == next && next > lab->core.shorts);
        for (int depth = 0; depth < 63; depth++)
            lab_must(lab, kifu_take_back(lab));
    }
    kifu_destroy(lab);
    kifu_destroy(maker);
}
END_TEST

START_TEST(X02_each_try_may_have_as_many_consequences_as_an_input)
{
    static const char twenty[] = "(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)";
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true});
    for (int reacting = 0; reacting < 2; reacting++) {
        kifu_timeline *lab = lab_started(&(kifu_options){.max_consequences = 30});
        if (reacting)
            lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = react_to_nothing, .type = LAB_E_DO}));
        for (int depth = 0; depth < 3; depth++) {
            lab_must(lab, try_built(lab, maker, twenty, true));
            ck_assert(((const kifu__search *)lab->search)->play_is_aside == reacting); // The short way counts anew.
        }
        for (int depth = 0; depth < 3; depth++)
            lab_must(lab, kifu_take_back(lab));
        kifu_destroy(lab);
    }
    kifu_destroy(maker);
}
END_TEST

START_TEST(X02_each_try_may_make_as_many_edits_as_an_input)
{
    static char many[40001]; // The least limit is 65536.
    memset(many, '+', sizeof many - 1);
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true});
    kifu_timeline *lab = lab_started(&(kifu_options){.max_edits = 1});
    for (int depth = 0; depth < 3; depth++)
        lab_must(lab, try_built(lab, maker, many, true));
    for (int depth = 0; depth < 3; depth++)
        lab_must(lab, kifu_take_back(lab));
    kifu_destroy(lab);
    kifu_destroy(maker);
}
END_TEST

START_TEST(X03_a_question_is_not_about_what_went_wrong_before)
{
    kifu_timeline *lab = lab_started(NULL);
    lab_submit_p_add(lab, 1000, 1); // misuse, which the next run reports
    ck_assert(lab_can_p_add(lab, 0, 1));
    ck_assert(!lab_can_p_add(lab, 0, 0));
    ck_assert_int_eq(kifu_last_error(lab)->result, KIFU_REJECTED);
    ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
    lab_must(lab, kifu_run(lab));
    kifu_destroy(lab);
}
END_TEST

// What redo would bring back is set aside first; several segments of it need memory.
START_TEST(X01_beside_what_redo_brings_back_a_try_survives_without_memory)
{
    larder larder = {.meals = 0};
    kifu_result result = KIFU_NO_MEMORY;
    unsigned meals = 0;
    for (; result == KIFU_NO_MEMORY; meals++) {
        kifu_timeline *lab = lab_with(&larder);
        for (int i = 0; i < 2000; i++)
            lab_submit_p_add(lab, 0, 1);
        lab_must(lab, kifu_run(lab));
        for (int i = 0; i < 1200; i++)
            lab_must(lab, kifu_undo(lab));
        ck_assert_uint_gt(lab->log.branch->segment_count, 1);
        const uint32_t hashes = lab->log.branch->checkpoint_count, keyframes = lab->keyframes.count;
        ck_assert(hashes > 1 && keyframes > 1);
        const lab_picture before = lab_look(lab);
        larder.starving = true;
        larder.meals = meals;
        result = lab_try_p_add(lab, 0, 3);
        larder.starving = false;
        ck_assert_uint_eq(kifu_open_tries(lab), result ? 0 : 1);
        if (!result)
            lab_must(lab, kifu_take_back(lab));
        lab_same(lab, &before);
        if (!result)
            ck_assert(lab->log.branch->checkpoint_count == hashes && lab->keyframes.count == keyframes);
        lab_must(lab, kifu_redo(lab));
        lab_must(lab, kifu_verify_replay(lab, NULL));
        kifu_destroy(lab);
    }
    ck_assert_int_eq(result, KIFU_OK);
    ck_assert_uint_gt(meals, 1);
}
END_TEST

// --- Who may not hear of it ------------------------------------------------------------------------------------------

typedef struct heard {
    unsigned acts, redraws, rejections, listens, outcomes, reactions;
} heard;

static double act_p_add(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_add *add)
{
    (void)timeline;
    (void)state;
    (void)add;
    ((heard *)context)->acts++;
    return 1;
}

static void redraw(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    ((heard *)context)->redraws++;
}

static void rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline;
    (void)outcome;
    ((heard *)context)->rejections++;
}

static void listen(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    (void)state;
    (void)change;
    ((heard *)context)->listens++;
}

static void follow(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline;
    (void)outcome;
    ((heard *)context)->outcomes++;
}

static kifu_result react(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    ((heard *)context)->reactions++;
    if (event->type == LAB_P_ADD)
        lab_submit_e_do(timeline, "9");
    return KIFU_OK;
}

// With reactions, a try takes the long way.
static void try_unheard(bool reacting)
{
    heard heard = {0};
    unsigned long calls = 0;
    lab_view view = {.base = {.context = &heard, .redraw = redraw, .rejected = rejected}, .act_p_add = act_p_add};
    kifu_timeline *lab = lab_started(
        &(kifu_options){.view = &view.base, .user = &calls, .record_inputs = kifu_record_inputs, .hash_interval = 1});
    const kifu_observer observers[] = {
        {.context = &heard, .listen = listen, KIFU_PART(lab_state, total)},
        {.context = &heard, .react = react},
    };
    lab_must(lab, kifu_observe_all(lab, observers, reacting ? 2 : 1));
    lab_submit_p_add(lab, 0, 1);
    lab_submit_p_add(lab, 0, 2);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_undo(lab));
    const kifu_ticket ticket = lab_submit_p_add(lab, 0, 50);
    lab_must(lab, kifu_follow(lab, ticket, follow, &heard));
    const lab_picture before = lab_look(lab);
    const uint32_t redo = kifu_can_redo(lab, NULL), hashes = lab->log.branch->checkpoint_count,
                   keyframes = lab->keyframes.count;
    heard = (struct heard){0};
    for (int i = 0; i < 300; i++) {
        lab_must(lab, lab_try_p_add(lab, 0, 10));
        ck_assert_int_eq((int)lab_get_state(lab)->total, 11);
        ck_assert_int_eq(lab_try_p_add(lab, i % 2 ? 300 : -2, 10), KIFU_MISUSE);
        lab_must(lab, kifu_take_back(lab));
    }
    ck_assert(heard.reactions == (reacting ? 600 : 0)); // the rules hear of it
    heard.reactions = 0;
    ck_assert_mem_eq(&heard, &(struct heard){0}, sizeof heard);
    lab_same(lab, &before);
    ck_assert(lab->log.branch->checkpoint_count == hashes && lab->keyframes.count == keyframes);
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), redo);
    lab_must(lab, kifu_run(lab));
    ck_assert(heard.acts == 1 && heard.listens == 1 && heard.outcomes == 1);
    lab_must(lab, kifu_verify_replay(lab, NULL));
    kifu_destroy(lab);
}

START_TEST(X01_nobody_hears_of_a_try)
{
    try_unheard(false);
    try_unheard(true);
}
END_TEST

START_TEST(X01_redo_is_there_after_a_try)
{
    kifu_timeline *timeline = reversi_new(1), *untouched;
    reversi_play_recorded(timeline, 0, 9);
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_undo(timeline));
    for (int square = 0; square < 64; square++) {
        if (try_place(timeline, reversi_current(timeline), square) == KIFU_OK)
            must(timeline, kifu_take_back(timeline));
    }
    must(timeline, kifu_redo(timeline));
    must(timeline, kifu_redo(timeline));
    untouched = reversi_new(1);
    reversi_play_recorded(untouched, 0, 9);
    must_be_same(timeline, untouched);
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(untouched);
    kifu_destroy(timeline);
}
END_TEST

static uint64_t perft(kifu_timeline *timeline, uint32_t depth, bool trusted)
{
    const reversi_state *state = reversi_get_state(timeline);
    uint8_t moves[BOARD_SQUARES];
    uint64_t count = 0;
    if (depth == 0)
        return 1;
    const uint32_t move_count = board_moves(state->board, board_to_move(&state->game), moves);
    for (uint32_t i = 0; i < move_count; i++) {
        const reversi_p_place_args place = {.square = moves[i], .seconds = -1};
        const int player = reversi_current(timeline);
        must(timeline, trusted ? reversi_try_legal_p_place(timeline, player, &place)
                               : reversi_try_p_place(timeline, player, &place));
        count += perft(timeline, depth - 1, trusted);
        must(timeline, kifu_take_back(timeline));
    }
    return count;
}

START_TEST(X01_perft_by_tries)
{
    kifu_timeline *timeline = reversi_new(1), *untouched = fork_of(timeline);
    ck_assert_uint_eq(perft(timeline, 5, false), 1396);
    ck_assert_uint_eq(perft(timeline, 5, true), 1396);
    must_be_same(timeline, untouched);
    kifu_destroy(untouched);
    kifu_destroy(timeline);
}
END_TEST

// --- Nesting, and what is not allowed --------------------------------------------------------------------------------

// Some by the long way.
static void nest(bool some)
{
    enum { DEPTH = 5000 };
    unsigned long calls = 0;
    kifu_timeline *lab = lab_started(&(kifu_options){.user = &calls, .quiet = true});
    lab_must(lab, lab_play(lab, "+"));
    const lab_picture before = lab_look(lab);
    for (int i = 0; i < DEPTH; i++) {
        if (some && i % 7 == 0)
            lab_must(lab, lab_try_p_do(lab, 0, &(lab_p_do_args){.script = "+(b-c)", .times = 1}));
        else
            lab_must(lab, i % 3 ? lab_try_legal_p_add(lab, 0, i + 1) : lab_try_p_add(lab, 0, i + 1));
    }
    ck_assert_uint_eq(kifu_open_tries(lab), DEPTH);
    lab_state state;
    kifu_event event;
    uint32_t count = kifu_event_count(lab);
    for (int i = DEPTH - 1; i >= 0; i--) {
        const bool script = some && i % 7 == 0;
        ck_assert(kifu_event_at(lab, count - 1, &event));
        ck_assert_uint_eq(event.type, script ? LAB_E_DO : LAB_P_ADD);
        if (!script)
            ck_assert_int_eq(((const lab_p_add *)event.table)->amount, i + 1);
        if (i % 100 == 0)
            lab_must(lab, kifu_state_at(lab, count - 1, &state, sizeof state));
        lab_must(lab, kifu_take_back(lab));
        count -= script ? 2 : 1;
        ck_assert_uint_eq(kifu_event_count(lab), count);
        if (i % 100 == 0 && !script)
            ck_assert_mem_eq(&state, lab_get_state(lab), sizeof state);
    }
    lab_same(lab, &before);
    lab_must(lab, kifu_undo(lab));
    kifu_destroy(lab);
}

START_TEST(X02_tries_nest_as_deep_as_memory_allows)
{
    nest(false);
    nest(true);
}
END_TEST

// What is open in `lab` is what has happened in `mirror`.
static void must_mirror(kifu_timeline *lab, kifu_timeline *mirror, kifu_rng *rng)
{
    lab_state states[2];
    const uint32_t count = kifu_event_count(lab);
    ck_assert_uint_eq(count, kifu_event_count(mirror));
    ck_assert_mem_eq(lab_get_state(lab), lab_get_state(mirror), sizeof *states);
    for (uint32_t back = 1; back <= 3 && back <= count; back++) {
        kifu_event one, other;
        ck_assert(kifu_event_at(lab, count - back, &one) && kifu_event_at(mirror, count - back, &other));
        ck_assert(one.type == other.type && one.flags == other.flags && one.cause == other.cause);
        ck_assert(one.player == other.player && one.index == other.index);
        if (one.type == LAB_P_ADD)
            ck_assert_int_eq(((const lab_p_add *)one.table)->amount, ((const lab_p_add *)other.table)->amount);
    }
    if (kifu_rng_below(rng, 8))
        return;
    const uint32_t past = count - kifu_rng_below(rng, count < 20 ? count + 1 : 20);
    lab_must(lab, kifu_state_at(lab, past, &states[0], sizeof *states));
    lab_must(mirror, kifu_state_at(mirror, past, &states[1], sizeof *states));
    ck_assert_mem_eq(&states[0], &states[1], sizeof *states);
    kifu_cursor *cursor;
    lab_must(lab, kifu_cursor_open(lab, past, &cursor));
    while (kifu_cursor_position(cursor) < count)
        lab_must(lab, kifu_cursor_forward(cursor));
    ck_assert_mem_eq(kifu_cursor_state(cursor), lab_get_state(lab), sizeof *states);
    kifu_cursor_close(cursor);
}

// One of many ways to try something, and the same as an input of `mirror`.
static bool try_any(kifu_timeline *lab, kifu_timeline *mirror, kifu_timeline *maker, kifu_rng *rng)
{
    static const char *const some[] = {"+", "(1)(2)", "r", "v3", "(r)+", "b+k5", "((+)-)", "f", "[!]7"};
    const int amount = (int)kifu_rng_below(rng, 1000) + 1;
    const char *script = some[kifu_rng_below(rng, sizeof some / sizeof *some)];
    kifu_result result = KIFU_OK;
    lab_must(mirror, kifu_begin(mirror, KIFU_SEARCH));
    switch (kifu_rng_below(rng, 10)) {
    case 0:
        result = lab_try_p_do(lab, 0, &(lab_p_do_args){.script = script, .times = 1});
        lab_do(mirror, 0, script, 1);
        break;
    case 1:
    case 2:
        result = try_built(lab, maker, script, kifu_rng_below(rng, 2));
        lab_do(mirror, 0, script, 1);
        break;
    case 3:
        result = lab_try_p_add(lab, 0, amount);
        lab_submit_p_add(mirror, 0, amount);
        break;
    case 4:
        result = lab_try_p_add(lab, 0, 0);
        lab_submit_p_add(mirror, 0, 0);
        break;
    default:
        result = lab_try_legal_p_add(lab, 0, amount);
        lab_submit_p_add(mirror, 0, amount);
    }
    ck_assert_int_eq(result, kifu_run(mirror));
    if (result)
        lab_must(mirror, kifu_roll_back(mirror));
    return !result;
}

START_TEST(X02_random_tries_are_what_playing_them_is)
{
    enum { STEPS = 20000, DEEP = 400 };
    larder larder = {.meals = 0};
    unsigned long calls[2] = {0};
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 7);
    kifu_options options = {.allocate = eat, .allocate_context = &larder, .user = &calls[0], .quiet = true};
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true}), *lab = lab_started(&options);
    kifu_timeline *mirror = lab_started(&(kifu_options){.user = &calls[1], .quiet = true});
    const lab_picture before = lab_look(lab);
    uint32_t open = 0, wide = 0;
    for (unsigned long step = 0; step < fuzz_steps(STEPS); step++) {
        wide = kifu_rng_below(&rng, 500) ? wide : kifu_rng_below(&rng, 5); // to great depth and back
        if (open < DEEP && kifu_rng_below(&rng, 5) >= wide) {
            larder.starving = kifu_rng_below(&rng, 20) == 0; // It is given more as soon as it says so.
            larder.meals = 0;
            if (larder.starving && lab_try_legal_p_add(lab, 0, 3) == KIFU_OK)
                lab_must(lab, kifu_take_back(lab));
            larder.starving = false;
            open += try_any(lab, mirror, maker, &rng);
        } else if (open) {
            lab_must(lab, kifu_take_back(lab));
            lab_must(mirror, kifu_roll_back(mirror));
            open--;
        }
        if (kifu_rng_below(&rng, 50) == 0)
            ck_assert(lab_can_p_add(lab, 0, 1) && !lab_can_p_add(lab, 0, 0));
        if (open && kifu_rng_below(&rng, 50) == 0) {
            ck_assert_uint_eq(lab_submit_p_add(lab, 0, 1), 0);
            ck_assert_int_eq(lab_try_legal_p_add(lab, 0, 1), KIFU_MISUSE);
            ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
        }
        ck_assert_uint_eq(kifu_open_tries(lab), open);
        must_mirror(lab, mirror, &rng);
    }
    for (; open; open--)
        lab_must(lab, kifu_take_back(lab));
    lab_same(lab, &before);
    lab_must(lab, lab_play(lab, "+(1)"));
    lab_must(lab, kifu_verify_replay(lab, NULL));
    kifu_destroy(mirror);
    kifu_destroy(maker);
    kifu_destroy(lab);
}
END_TEST

START_TEST(X02_a_timeline_with_open_tries_is_destroyed)
{
    kifu_timeline *timeline = reversi_new(1);
    for (int i = 0; i < 3; i++) {
        for (int square = 0; square < 64; square++) {
            if (try_place(timeline, reversi_current(timeline), square) == KIFU_OK)
                break;
        }
    }
    ck_assert_uint_eq(kifu_open_tries(timeline), 3);
    kifu_destroy(timeline);
    kifu_timeline *lab = lab_started(&(kifu_options){.quiet = true}); // The same by the long way, and with a redo.
    lab_must(lab, lab_play(lab, "+(1)"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_try_p_do(lab, 0, &(lab_p_do_args){.script = "(2)", .times = 1}));
    kifu_destroy(lab);
    larder larder = {.meals = 0}; // And while something waits where redo leads.
    lab = lab_with(&larder);
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, lab_play(lab, "-"));
    lab_do(lab, 0, "(3)", 1);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_try_p_do(lab, 0, &(lab_p_do_args){.script = "(2)", .times = 1}));
    kifu_destroy(lab);
    ck_assert_int_eq(larder.blocks, 0);
}
END_TEST

static uint32_t edited_in_check_of;

static kifu_verdict edit_in_check(kifu_timeline *timeline, uint32_t type, const void *state, void *event)
{
    if (type != edited_in_check_of)
        return type == REVERSI_E_FLIP || type == REVERSI_E_END_TURN ? kifu_accept()
                                                                    : reversi_rules.check(timeline, type, state, event);
    *reversi_edit_resigned(timeline) = REVERSI_DISC_WHITE;
    return kifu_accept();
}

// The Do of the try may edit, and that of what follows from it, and the check of what comes then may not any more.
START_TEST(M08_X02_a_check_behind_a_short_try_may_not_edit)
{
    static const uint32_t edited[] = {REVERSI_E_FLIP, REVERSI_E_END_TURN};
    kifu__type types[REVERSI_P_RESIGN + 1];
    memcpy(types, reversi_rules.types, sizeof types);
    types[REVERSI_E_FLIP].has_check = types[REVERSI_E_END_TURN].has_check = true;
    kifu_rules rules = reversi_rules;
    rules.types = types;
    rules.check = edit_in_check;
    for (int i = 0; i < 2; i++) {
        kifu_timeline *timeline;
        const uint64_t seed = 1;
        edited_in_check_of = 0;
        ck_assert_int_eq(kifu_create(&rules, NULL, &timeline, NULL), KIFU_OK);
        must(timeline, reversi_begin(timeline, &seed));
        const reversi_state before = *reversi_get_state(timeline);
        edited_in_check_of = edited[i];
        ck_assert_int_eq(try_place(timeline, reversi_current(timeline), board_square(recorded_game)), KIFU_MISUSE);
        ck_assert_uint_eq(kifu_open_tries(timeline), 0);
        ck_assert_mem_eq(&before, reversi_get_state(timeline), sizeof before);
        kifu_destroy(timeline);
    }
}
END_TEST

static void reset(void *user)
{
    (void)user;
}

START_TEST(X02_what_cannot_be_tried_is_misuse)
{
    unsigned long calls = 0;
    kifu_timeline *lab = lab_started(&(kifu_options){.user = &calls, .reset = reset});
    ck_assert_int_eq(lab_try_p_add(lab, 0, 1), KIFU_MISUSE);
    ck_assert_text(lab, "a model outside the state cannot be taken back");
    kifu_destroy(lab);
    kifu_timeline *timeline = reversi_new(1);
    const int square = board_square("d3"), player = reversi_current(timeline);
    must(timeline, kifu_seek(timeline, 2));
    ck_assert_int_eq(try_place(timeline, player, square), KIFU_MISUSE);
    ck_assert_text(timeline, "a try was called while the past is shown");
    ck_assert(!can_place(timeline, player, square));
    ck_assert_int_eq(kifu_last_error(timeline)->result, KIFU_MISUSE);
    must(timeline, kifu_seek(timeline, KIFU_PRESENT));
    reversi_submit_p_place(timeline, 1000, NULL);
    ck_assert_int_eq(try_place(timeline, player, square), KIFU_MISUSE); // It reports the submit, as a run would.
    must(timeline, try_place(timeline, player, square));
    must(timeline, kifu_take_back(timeline));
    kifu_destroy(timeline);
}
END_TEST

START_TEST(X02_while_a_try_is_open_nothing_else_may_happen)
{
    kifu_timeline *timeline = reversi_new(1), *fork;
    must(timeline, reversi_place(timeline, board_square("d3")));
    ck_assert_int_eq(kifu_take_back(timeline), KIFU_MISUSE);
    ck_assert_text(timeline, "no try is open");
    must(timeline, try_place(timeline, reversi_current(timeline), board_square("c3")));
    must(timeline, try_place(timeline, reversi_current(timeline), board_square("c4")));
    kifu_error error;
    unsigned char *bytes;
    size_t size;
    const kifu_result results[] = {
        kifu_run(timeline),
        kifu_step(timeline),
        reversi_play_p_resign(timeline, 0),
        kifu_update(timeline, 1),
        kifu_undo(timeline),
        kifu_redo(timeline),
        kifu_begin(timeline, 0),
        kifu_begin(timeline, KIFU_SEARCH),
        kifu_commit(timeline),
        kifu_roll_back(timeline),
        kifu_seek(timeline, 0),
        kifu_drop_inputs(timeline),
        kifu_save_to_memory(timeline, NULL, &bytes, &size),
        kifu_verify_replay(timeline, NULL),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        ck_assert_int_eq(results[i], KIFU_MISUSE);
    ck_assert_text(timeline, "while a try is open: call kifu_take_back first");
    ck_assert_int_eq(kifu_fork(timeline, KIFU_PRESENT, NULL, &fork, &error), KIFU_MISUSE);
    ck_assert(strstr(error.message, "while a try is open"));
    ck_assert_uint_eq(kifu_can_undo(timeline, &error), 0);
    ck_assert(strstr(error.message, "while a try is open"));
    ck_assert_uint_eq(reversi_submit_p_resign(timeline, 0), 0);
    ck_assert_int_eq(kifu_take_back(timeline), KIFU_MISUSE); // It reports the submit,
    ck_assert_text(timeline, "was submitted while a try is open");
    ck_assert_uint_eq(kifu_open_tries(timeline), 1); // and has done its work.
    must(timeline, kifu_take_back(timeline));
    ck_assert_uint_eq(kifu_open_tries(timeline), 0);
    must(timeline, kifu_undo(timeline));
    kifu_destroy(timeline);
}
END_TEST

// --- What may be played ----------------------------------------------------------------------------------------------

typedef struct hints {
    unsigned asked, legal;
} hints;

static void count_hints(hints *hints, kifu_timeline *timeline, const reversi_state *state)
{
    uint8_t moves[BOARD_SQUARES];
    unsigned legal = 0;
    const uint64_t hash = kifu_state_hash(timeline);
    for (int square = 0; square < 64; square++)
        legal += can_place(timeline, kifu_current_player(&state->game), square);
    ck_assert_uint_eq(legal, board_moves(state->board, board_to_move(&state->game), moves));
    ck_assert(hash == kifu_state_hash(timeline));
    hints->asked++;
    hints->legal += legal;
}

static double show_turn(void *context, kifu_timeline *timeline, const reversi_state *state,
                        const reversi_e_end_turn *end_turn)
{
    (void)end_turn;
    count_hints(context, timeline, state);
    return 0;
}

static void hear_of_board(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)state;
    (void)change;
    ck_assert(!can_place(timeline, 5, 0));
    ck_assert_int_eq(kifu_last_error(timeline)->result, KIFU_REJECTED);
    ((hints *)context)->asked++;
}

START_TEST(X03_a_view_asks_what_may_be_played)
{
    hints hints = {0};
    const reversi_view view = {.base = {.context = &hints}, .act_e_end_turn = show_turn};
    const uint64_t seed = 1;
    kifu_timeline *timeline;
    ck_assert_int_eq(kifu_create(&reversi_rules, &(kifu_options){.view = &view.base}, &timeline, NULL), KIFU_OK);
    must(timeline, reversi_begin(timeline, &seed));
    must(timeline,
         kifu_observe(timeline,
                      &(kifu_observer){.context = &hints, .listen = hear_of_board, KIFU_PART(reversi_state, board)}));
    reversi_play_recorded(timeline, 0, 9);
    ck_assert_uint_gt(hints.asked, 9 + 18);
    ck_assert_uint_gt(hints.legal, 9);
    kifu_timeline *other = reversi_new(1);
    reversi_play_recorded(other, 0, 9);
    must_be_same(timeline, other);
    kifu_destroy(other);
    kifu_destroy(timeline);
}
END_TEST

static kifu_result ask_and_submit(void *context, kifu_timeline *lab, const void *state, const kifu_event *event)
{
    (void)state;
    ck_assert(lab_can_p_add(lab, 1 - event->player, 7));
    ck_assert(!lab_can_p_add(lab, 1 - event->player, 0));
    ck_assert_int_eq(kifu_player(lab), event->player);
    lab_submit_e_mood(lab, LAB_MOOD_ANGRY);
    ++*(unsigned *)context;
    return KIFU_OK;
}

START_TEST(M07_X03_a_question_in_a_reaction_is_about_another_player_and_changes_nothing)
{
    unsigned asked = 0;
    kifu_timeline *lab = lab_started(NULL);
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = ask_and_submit, .type = LAB_P_ADD, .context = &asked}));
    for (int player = 0; player < 2; player++) {
        kifu_event event;
        lab_submit_p_add(lab, player, 3);
        lab_must(lab, kifu_run(lab));
        const uint32_t last = kifu_event_count(lab) - 1;
        ck_assert(kifu_event_at(lab, last, &event));
        ck_assert_uint_eq(event.type, LAB_E_MOOD);
        ck_assert_uint_eq(event.cause, last - 1);
    }
    ck_assert_uint_eq(asked, 2);
    kifu_destroy(lab);
}
END_TEST

START_TEST(X03_asking_changes_nothing_without_memory)
{
    larder larder = {.meals = 0};
    bool can = false;
    for (unsigned meals = 0; !can; meals++) {
        kifu_timeline *lab = lab_with(&larder);
        const lab_picture before = lab_look(lab);
        larder.starving = true;
        larder.meals = meals;
        can = lab_can_p_do(lab, 0, &(lab_p_do_args){.script = "+(1)", .times = 1});
        larder.starving = false;
        ck_assert(can || kifu_last_error(lab)->result == KIFU_NO_MEMORY);
        lab_same(lab, &before);
        ck_assert(lab_can_p_do(lab, 0, &(lab_p_do_args){.script = "+(1)", .times = 1}));
        ck_assert(!lab_can_p_add(lab, 0, 0));
        ck_assert_int_eq(kifu_last_error(lab)->result, KIFU_REJECTED);
        lab_same(lab, &before);
        kifu_destroy(lab);
    }
}
END_TEST

// The queue of a transaction that holds what waited cannot be the one in which what is tried waits.
START_TEST(X02_a_try_in_a_transaction_leaves_what_waited_before_it)
{
    kifu_timeline *lab = lab_started(NULL);
    lab_do(lab, 0, "(7)(8)", 1);
    lab_must(lab, kifu_step(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 2);
    lab_must(lab, kifu_begin(lab, 0));
    lab_must(lab, kifu_run(lab));
    lab_must(lab, lab_try_legal_p_add(lab, 0, 1));
    lab_must(lab, lab_try_p_do(lab, 0, &(lab_p_do_args){.script = "+", .times = 1}));
    lab_must(lab, kifu_take_back(lab));
    lab_must(lab, kifu_take_back(lab));
    lab_must(lab, kifu_roll_back(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 2);
    kifu_event event;
    for (uint32_t i = 0; i < 2; i++)
        ck_assert(kifu_pending_at(lab, i, &event) && event.type == LAB_E_DO);
    const uint32_t before = kifu_event_count(lab);
    lab_must(lab, kifu_run(lab));
    ck_assert_uint_eq(kifu_event_count(lab), before + 2);
    kifu_destroy(lab);
}
END_TEST

START_TEST(X02_a_try_in_the_middle_of_an_input_leaves_where_that_began)
{
    kifu_timeline *lab = lab_started(&(kifu_options){.max_consequences = 30, .quiet = true});
    lab_must(lab, lab_play(lab, "1"));
    const lab_picture before = lab_look(lab);
    lab_do(lab, 0, "2(3)(3)(3)(3)(3)(3)(3)(3)((4)(4)(4))", 3); // 27 consequences, and 9 of these
    for (int i = 0; i < 10; i++) {
        lab_must(lab, kifu_step(lab));
        lab_must(lab, lab_try_p_add(lab, 0, 1));
        lab_must(lab, lab_try_p_do(lab, 0, &(lab_p_do_args){.script = "(4)", .times = 1}));
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, kifu_take_back(lab));
    }
    ck_assert_uint_eq(kifu_event_count(lab), before.events + 10);
    ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY); // All of it is taken back.
    lab_same(lab, &before);
    kifu_destroy(lab);
}
END_TEST

// The long way needs the events of the tries that are open in the log.
START_TEST(M08_X02_a_try_in_a_try_survives_without_memory)
{
    larder larder = {.meals = 0};
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true});
    for (int i = 0; i < 4 * SCRIPTS; i += 5) {
        const char *script = scripts[i / 4];
        kifu_timeline *lab = lab_with(&larder);
        const lab_picture before = lab_look(lab);
        for (int32_t k = 2; k < 4; k++) // short ones, and others
            lab_must(lab, i & 2 ? lab_try_legal_p_add(lab, 0, k) : lab_try_p_add(lab, 0, k));
        const lab_state tried = *lab_get_state(lab);
        kifu_result result = KIFU_NO_MEMORY;
        for (unsigned meals = 0; result == KIFU_NO_MEMORY; meals++) {
            larder.starving = true;
            larder.meals = meals;
            result = try_script(lab, maker, script, i % 2);
            larder.starving = false;
            if (!result)
                lab_must(lab, kifu_take_back(lab));
            ck_assert_uint_eq(kifu_open_tries(lab), 2);
            ck_assert_uint_eq(kifu_pending_count(lab), 0);
            ck_assert_mem_eq(lab_get_state(lab), &tried, sizeof tried);
        }
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, kifu_take_back(lab));
        lab_same(lab, &before);
        kifu_destroy(lab);
    }
    ck_assert_int_eq(larder.blocks, 0);
    kifu_destroy(maker);
}
END_TEST

START_TEST(M08_X01_after_a_try_the_journal_may_forget_again)
{
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true}), *lab = lab_started(NULL);
    ck_assert_uint_eq(lab->journal.keep_from, KIFU_NONE);
    lab_must(lab, lab_try_legal_p_add(lab, 0, 1)); // a short one, in which the next one makes it an ordinary one
    lab_must(lab, try_built(lab, maker, "+(1)", true));
    ck_assert_uint_eq(lab->journal.keep_from, 1);
    lab_must(lab, kifu_take_back(lab));
    lab_must(lab, kifu_take_back(lab));
    ck_assert_uint_eq(lab->journal.keep_from, KIFU_NONE);
    lab_must(lab, try_built(lab, maker, "+(1)", true));
    ck_assert_uint_eq(lab->journal.keep_from, 1);
    lab_must(lab, kifu_take_back(lab));
    ck_assert_uint_eq(lab->journal.keep_from, KIFU_NONE);
    kifu_destroy(lab);
    kifu_destroy(maker);
}
END_TEST

// Where a large event finds no memory in the log, its input still waits in the queue of the try.
START_TEST(M08_X02_what_finds_no_memory_in_a_try_waits_in_none)
{
    static char large[20001];
    memset(large, '+', sizeof large - 1);
    larder larder = {.meals = 0};
    kifu_timeline *lab = lab_with(&larder);
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = react_to_nothing, .type = LAB_E_DO}));
    for (int32_t k = 2; k < 4; k++)
        lab_must(lab, lab_try_p_add(lab, 0, k));
    const lab_state tried = *lab_get_state(lab);
    kifu_result result = KIFU_NO_MEMORY;
    unsigned meals = 0;
    for (; result == KIFU_NO_MEMORY; meals++) {
        larder.starving = true;
        larder.meals = meals;
        result = lab_try_p_do(lab, 0, &(lab_p_do_args){.script = large, .times = 1});
        larder.starving = false;
        ck_assert_uint_eq(kifu_pending_count(lab), 0);
        ck_assert_mem_eq(lab_get_state(lab), &tried, result ? sizeof tried : 0);
    }
    ck_assert_int_eq(result, KIFU_OK);
    ck_assert_uint_gt(meals, 1);
    for (int k = 0; k < 3; k++)
        lab_must(lab, kifu_take_back(lab));
    kifu_destroy(lab);
    ck_assert_int_eq(larder.blocks, 0);
}
END_TEST

static kifu_verdict submit_in_check(kifu_timeline *timeline, uint32_t type, const void *state, void *event)
{
    if (type == LAB_P_ADD)
        lab_submit_e_do(timeline, "1"); // which it may not, without wanting it instead
    return lab_rules.check(timeline, type, state, event);
}

START_TEST(M08_X01_what_a_check_has_submitted_in_vain_leads_no_try_the_long_way)
{
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true}), *lab;
    kifu_rules rules = lab_rules;
    rules.check = submit_in_check;
    ck_assert_int_eq(kifu_create(&rules, NULL, &lab, NULL), KIFU_OK);
    lab_submit_p_add(lab, 0, 1);
    ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
    lab_must(lab, try_built(lab, maker, "+(2)", false));
    ck_assert(!((const kifu__search *)lab->search)->play_is_aside);
    lab_must(lab, kifu_take_back(lab));
    kifu_destroy(lab);
    kifu_destroy(maker);
}
END_TEST

START_TEST(M08_X01_while_a_try_is_open_lines_show_nothing_and_no_player_acts)
{
    kifu_timeline *lab = lab_started(NULL);
    kifu_event event;
    lab_must(lab, lab_play(lab, "1"));
    ck_assert(kifu_line_event(lab, 0, 1, &event));
    ck_assert(!kifu_line_event(lab, 1, 1, &event)); // There is no such line.
    lab_must(lab, lab_try_p_add(lab, 0, 1));
    ck_assert(!kifu_line_event(lab, 0, 1, &event));
    ck_assert_int_eq(kifu_player(lab), -1);
    lab_must(lab, kifu_take_back(lab));
    ck_assert(kifu_line_event(lab, 0, 1, &event));
    kifu_destroy(lab);
}
END_TEST

static double count_shown(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_add *add)
{
    (void)timeline, (void)state, (void)add;
    ++*(unsigned *)context;
    return 0;
}

START_TEST(M08_X01_what_is_played_after_a_try_is_shown)
{
    unsigned shown = 0;
    const lab_view view = {.base.context = &shown, .act_p_add = count_shown};
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true});
    kifu_timeline *lab = lab_started(&(kifu_options){.view = &view.base});
    for (unsigned i = 0; i < 2; i++) {
        lab_must(lab, try_built(lab, maker, "+(1)", true));
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, lab_play_p_add(lab, 0, 5));
        ck_assert_uint_eq(shown, i + 1);
    }
    kifu_destroy(lab);
    kifu_destroy(maker);
}
END_TEST

static double show_for_a_second(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_add *add)
{
    (void)context, (void)timeline, (void)state, (void)add;
    return 1;
}

START_TEST(M08_X01_a_try_does_not_end_the_time_for_which_an_event_is_shown)
{
    const lab_view view = {.act_p_add = show_for_a_second};
    kifu_timeline *lab = lab_started(&(kifu_options){.view = &view.base});
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = react_to_nothing, .type = LAB_E_DO}));
    lab_submit_p_add(lab, 0, 1);
    lab_submit_p_add(lab, 0, 2);
    lab_must(lab, kifu_update(lab, 0));
    ck_assert_int_eq((int)lab_get_state(lab)->total, 1);
    lab_must(lab, lab_try_p_add(lab, 0, 50));
    lab_must(lab, kifu_take_back(lab));
    ck_assert(lab_can_p_add(lab, 0, 50));
    lab_must(lab, kifu_update(lab, 0.5));
    ck_assert_int_eq((int)lab_get_state(lab)->total, 1);
    lab_must(lab, kifu_update(lab, 0.75));
    ck_assert_int_eq((int)lab_get_state(lab)->total, 3);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_X01_after_a_try_hashes_are_recorded_as_before)
{
    kifu_timeline *lab = lab_started(&(kifu_options){.hash_interval = 1});
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    for (int redo = 0; redo < 2; redo++) {
        if (redo) // Beside it, what is tried is in a hidden part of the log.
            lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_try_p_add(lab, 0, 1));
        ck_assert_int_eq(lab_try_p_do(lab, 0, &(lab_p_do_args){.script = "f", .times = 1}), KIFU_FAILED);
        lab_must(lab, lab_try_p_add(lab, 0, 1));
        ck_assert_uint_eq(lab->log.branch->checkpoint_count, 0); // none of what is only tried
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, kifu_undo(lab));
        for (int i = 0; i < 3; i++)
            lab_must(lab, lab_play(lab, "+"));
        ck_assert_uint_eq(lab->log.branch->checkpoint_count, kifu_event_count(lab));
    }
    lab_must(lab, kifu_verify_replay(lab, NULL));
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_X01_a_cursor_in_a_try_that_is_taken_back_is_lost)
{
    kifu_timeline *maker = lab_new(&(kifu_options){.quiet = true}), *lab = lab_started(NULL);
    kifu_cursor *cursor, *earlier;
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &earlier));
    lab_must(lab, try_built(lab, maker, "1(2)", true));
    lab_must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &cursor));
    lab_must(lab, kifu_take_back(lab));
    lab_must(lab, lab_play(lab, "3(4)"));
    ck_assert_int_eq(kifu_cursor_back(cursor), KIFU_MISUSE);
    ck_assert_text(lab, "were taken back");
    lab_must(lab, kifu_cursor_forward(earlier));
    kifu_cursor_close(cursor);
    kifu_cursor_close(earlier);
    kifu_destroy(lab);
    kifu_destroy(maker);
}
END_TEST

START_TEST(M08_X01_the_last_of_65535_consequences_of_a_try_knows_its_cause)
{
    enum { MANY = UINT16_MAX };
    char *script = calloc(2 * MANY + 1, 1);
    for (int i = 0; i < MANY; i++)
        memcpy(script + 2 * (size_t)i, "()", 2);
    const kifu_options options = {.max_consequences = MANY, .quiet = true};
    kifu_timeline *lab = lab_started(&options), *maker = lab_new(&options);
    const uint32_t input = kifu_event_count(lab);
    lab_must(lab, try_built(lab, maker, script, true));
    for (int sealed = 0; sealed < 2; sealed++) {
        kifu_event event;
        ck_assert(kifu_event_at(lab, input + MANY, &event));
        ck_assert_uint_eq(event.cause, input);
        ck_assert_int_eq(try_script(lab, maker, "f", 0), KIFU_FAILED); // which seals what is tried already
    }
    lab_must(lab, kifu_take_back(lab));
    kifu_destroy(lab);
    kifu_destroy(maker);
    free(script);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X01_a_try_gives_the_state_that_playing_gives,
        X01_what_a_script_does_it_does_in_a_try,
        X01_a_try_survives_without_memory,
        X01_a_plain_try_goes_the_short_way,
        M08_X01_a_try_from_which_nothing_follows_is_a_short_one,
        X02_each_try_may_have_as_many_consequences_as_an_input,
        X02_each_try_may_make_as_many_edits_as_an_input,
        X03_a_question_is_not_about_what_went_wrong_before,
        X01_beside_what_redo_brings_back_a_try_survives_without_memory,
        X01_nobody_hears_of_a_try,
        X01_redo_is_there_after_a_try,
        X01_perft_by_tries,
        X02_tries_nest_as_deep_as_memory_allows,
        X02_random_tries_are_what_playing_them_is,
        X02_a_timeline_with_open_tries_is_destroyed,
        X02_a_try_in_a_transaction_leaves_what_waited_before_it,
        X02_a_try_in_the_middle_of_an_input_leaves_where_that_began,
        X02_what_cannot_be_tried_is_misuse,
        X02_while_a_try_is_open_nothing_else_may_happen,
        X03_a_view_asks_what_may_be_played,
        M07_X03_a_question_in_a_reaction_is_about_another_player_and_changes_nothing,
        X03_asking_changes_nothing_without_memory,
        M08_X02_a_check_behind_a_short_try_may_not_edit,
        M08_X02_a_try_in_a_try_survives_without_memory,
        M08_X01_after_a_try_the_journal_may_forget_again,
        M08_X02_what_finds_no_memory_in_a_try_waits_in_none,
        M08_X01_what_a_check_has_submitted_in_vain_leads_no_try_the_long_way,
        M08_X01_while_a_try_is_open_lines_show_nothing_and_no_player_acts,
        M08_X01_what_is_played_after_a_try_is_shown,
        M08_X01_a_try_does_not_end_the_time_for_which_an_event_is_shown,
        M08_X01_after_a_try_hashes_are_recorded_as_before,
        M08_X01_a_cursor_in_a_try_that_is_taken_back_is_lost,
        M08_X01_the_last_of_65535_consequences_of_a_try_knows_its_cause,
    };
    return run_suite("try", tests, sizeof tests / sizeof *tests);
}
