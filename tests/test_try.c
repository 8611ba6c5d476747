// Trying events and taking them back: kifu/search.h.

#include "try_help.h"

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

static const char *const scripts[] = {
    "",     "+",       "(+)(-)5", "((1)2)(3)", "f",   "(f)",  "+(f)2", "l",       "o",   "(o)",  "[!]", "1[!2](3)",
    "[4]5", "m",       "1bc2",    "1b(2)+k3",  "b",   "r",    "r(r)",  "v(v)",    "rv7", "a3",   "@+",  "u",
    "p(p)", "(1)(f)3", "(b1k)",   "(l)",       "[f]", "(r)f", "k",     "(((f)))", "rf",  "(m)2", "b(1", "12345",
};
enum { SCRIPTS = sizeof scripts / sizeof *scripts };

START_TEST(X01_what_a_script_does_it_does_in_a_try)
{
    larder larder = {.meals = 0};
    const kifu_options options = eating(&larder);
    for (int i = 0; i < 3 * SCRIPTS; i++) {
        const char *script = scripts[i / 3];
        kifu_timeline *lab = lab_with(&larder), *played;
        const lab_picture before = lab_look(lab);
        ck_assert_int_eq(kifu_fork(lab, KIFU_PRESENT, &options, &played, NULL), KIFU_OK);
        const kifu_result result = lab_play(played, script);
        ck_assert_msg(try_script(lab, script, i % 3) == result, "%s: %s", script, kifu_last_error(lab)->message);
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
}
END_TEST

START_TEST(X01_a_try_survives_without_memory)
{
    larder larder = {.meals = 0};
    for (int i = 0; i < 2 * SCRIPTS; i++) {
        kifu_result result = KIFU_NO_MEMORY, enough;
        kifu_timeline *lab = lab_with(&larder);
        enough = try_script(lab, scripts[i / 2], i % 2);
        kifu_destroy(lab);
        unsigned meals = 0;
        for (; result == KIFU_NO_MEMORY; meals++) {
            lab = lab_with(&larder);
            const lab_picture before = lab_look(lab);
            larder.starving = true;
            larder.meals = meals;
            result = try_script(lab, scripts[i / 2], i % 2);
            if (!result && try_script(lab, "+(1)", 1 - i % 2) == KIFU_OK)
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
}
END_TEST

START_TEST(X02_each_try_may_make_as_many_edits_as_an_input)
{
    static char many[40001]; // The least limit is 65536.
    memset(many, '+', sizeof many - 1);
    kifu_timeline *lab = lab_started(&(kifu_options){.max_edits = 1});
    for (int depth = 0; depth < 3; depth++)
        lab_must(lab, try_built(lab, many, true));
    for (int depth = 0; depth < 3; depth++)
        lab_must(lab, kifu_take_back(lab));
    kifu_destroy(lab);
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
static bool try_any(kifu_timeline *lab, kifu_timeline *mirror, kifu_rng *rng)
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
        result = try_built(lab, script, kifu_rng_below(rng, 2));
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
    kifu_timeline *lab = lab_started(&options);
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
            open += try_any(lab, mirror, &rng);
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
            result = try_script(lab, script, i % 2);
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

START_TEST(M08_X01_the_last_of_65535_consequences_of_a_try_knows_its_cause)
{
    enum { MANY = UINT16_MAX };
    char *script = calloc(2 * MANY + 1, 1);
    for (int i = 0; i < MANY; i++)
        memcpy(script + 2 * (size_t)i, "()", 2);
    const kifu_options options = {.max_consequences = MANY, .quiet = true};
    kifu_timeline *lab = lab_started(&options);
    const uint32_t input = kifu_event_count(lab);
    lab_must(lab, try_built(lab, script, true));
    for (int sealed = 0; sealed < 2; sealed++) {
        kifu_event event;
        ck_assert(kifu_event_at(lab, input + MANY, &event));
        ck_assert_uint_eq(event.cause, input);
        ck_assert_int_eq(try_script(lab, "f", 0), KIFU_FAILED); // which seals what is tried already
    }
    lab_must(lab, kifu_take_back(lab));
    kifu_destroy(lab);
    free(script);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X01_a_try_gives_the_state_that_playing_gives,
        X01_what_a_script_does_it_does_in_a_try,
        X01_a_try_survives_without_memory,
        X02_each_try_may_make_as_many_edits_as_an_input,
        X01_perft_by_tries,
        X02_tries_nest_as_deep_as_memory_allows,
        X02_random_tries_are_what_playing_them_is,
        X02_a_timeline_with_open_tries_is_destroyed,
        M08_X02_a_check_behind_a_short_try_may_not_edit,
        X02_what_cannot_be_tried_is_misuse,
        X02_while_a_try_is_open_nothing_else_may_happen,
        X02_a_try_in_a_transaction_leaves_what_waited_before_it,
        X02_a_try_in_the_middle_of_an_input_leaves_where_that_began,
        M08_X02_a_try_in_a_try_survives_without_memory,
        M08_X02_what_finds_no_memory_in_a_try_waits_in_none,
        M08_X01_the_last_of_65535_consequences_of_a_try_knows_its_cause,
    };
    return run_suite("try", tests, sizeof tests / sizeof *tests);
}
