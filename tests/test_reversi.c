// The Reversi example: its rules, and that what a game needs of the timeline works in a real one. It links the rules
// and the search, no view.

#include <stdio.h>

#include "bot.h"
#include "perft.h"
#include "reversi_help.h"
#include "suite.h"

// --- Rules -----------------------------------------------------------------------------------------------------------

START_TEST(U10_perft_through_submit_run_and_undo)
{
    static const uint64_t known[] = {4, 12, 56, 244, 1396, 8200, 55092};
    kifu_timeline *timeline = reversi_new(1);
    reversi_state before = *reversi_get_state(timeline);
    uint32_t events = kifu_event_count(timeline);
    for (uint32_t depth = 1; depth <= sizeof known / sizeof *known; depth++) {
        kifu_result result = KIFU_OK;
        ck_assert_uint_eq(reversi_perft(timeline, depth, &result), known[depth - 1]);
        must(timeline, result);
    }
    ck_assert_mem_eq(&before, reversi_get_state(timeline), sizeof before);
    ck_assert_uint_eq(kifu_event_count(timeline), events);
    kifu_destroy(timeline);
}
END_TEST

// The well-known numbers count a pass as a move; the first come at depth 9.
START_TEST(U10_perft_of_the_other_implementation)
{
    plain position = plain_begin();
    ck_assert_uint_eq(plain_perft(&position, 7), 55092);
#ifdef SUITE_PART // With sanitizers, nine would take half a minute.
    ck_assert_uint_eq(plain_perft(&position, 8), 390216);
#else
    ck_assert_uint_eq(plain_perft(&position, 9), 3005288);
#endif
}
END_TEST

// Near the end of a game there are passes and ends in every line.
START_TEST(U10_perft_with_passes_and_ends)
{
    kifu_timeline *timeline = reversi_new(1);
    plain position = plain_begin();
    for (int i = 0; i < 51; i++) {
        ck_assert(plain_place(&position, board_square(recorded_game + 3 * i)));
        reversi_play_recorded(timeline, i, i + 1);
    }
    same_position(timeline, &position);
    for (uint32_t depth = 1; depth <= 12; depth++) {
        kifu_result result = KIFU_OK;
        ck_assert_uint_eq(reversi_perft(timeline, depth, &result), plain_perft(&position, (int)depth));
        must(timeline, result);
    }
    kifu_destroy(timeline);
}
END_TEST

START_TEST(E09_a_recorded_game_to_its_end)
{
    kifu_timeline *timeline = reversi_new(RECORDED_SEED);
    reversi_play_recorded(timeline, 0, RECORDED_MOVES);
    const reversi_state *state = reversi_get_state(timeline);
    ck_assert_int_eq(state->game.phase, KIFU_PHASE_GAME_OVER);
    ck_assert_uint_eq(board_count(state->board, REVERSI_DISC_BLACK), RECORDED_BLACK);
    ck_assert_uint_eq(board_count(state->board, REVERSI_DISC_WHITE), RECORDED_WHITE);
    ck_assert_int_eq(reversi_winner(state), REVERSI_DISC_BLACK);
    ck_assert_uint_eq(kifu_state_hash(timeline), RECORDED_HASH);
    uint32_t passes = 0;
    kifu_event event;
    for (uint32_t i = 0; kifu_event_at(timeline, i, &event); i++)
        passes += event.type == REVERSI_E_PASS;
    ck_assert_uint_eq(passes, 2);

    ck_assert_int_eq(reversi_place(timeline, 0), KIFU_REJECTED); // the game is over
    reversi_submit_p_resign(timeline, 0);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(T02_a_check_rejects_with_a_reason)
{
    kifu_timeline *timeline;
    ck_assert_int_eq(kifu_create(&reversi_rules, NULL, &timeline, NULL), KIFU_OK);
    reversi_submit_p_place(timeline, 0, &(reversi_p_place_args){.square = 0, .seconds = -1});
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    ck_assert_text(timeline, "has not begun");
    must(timeline, reversi_begin(timeline, NULL));

    int me = reversi_current(timeline);
    const struct {
        int player, square;
        const char *reason;
    } wrong[] = {
        {1 - me, board_square("f5"), "other player's turn"},
        {-1, board_square("f5"), "there is no player -1"},
        {me, 64, "not on the board"},
        {me, board_square("d4"), "a disc already"},
        {me, board_square("a1"), "no disc would turn over"},
    };
    uint32_t events = kifu_event_count(timeline);
    uint64_t hash = kifu_state_hash(timeline);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        reversi_submit_p_place(timeline, wrong[i].player,
                               &(reversi_p_place_args){.square = (uint8_t)wrong[i].square, .seconds = -1});
        ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
        ck_assert_text(timeline, wrong[i].reason);
        ck_assert_uint_eq(kifu_event_count(timeline), events);
        ck_assert_uint_eq(kifu_state_hash(timeline), hash);
    }
    reversi_submit_p_resign(timeline, 2);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    ck_assert_text(timeline, "there is no player 2");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(E08_black_is_drawn_by_lot)
{
    bool black[2] = {false, false};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        kifu_timeline *timeline = reversi_new(seed);
        black[reversi_current(timeline)] = true;
        ck_assert_int_eq(board_to_move(kifu_get_game(timeline)), REVERSI_DISC_BLACK);
        kifu_destroy(timeline);
    }
    ck_assert(black[0] && black[1]);
}
END_TEST

// --- Undo ------------------------------------------------------------------------------------------------------------

START_TEST(U04_one_undo_takes_back_a_move_with_all_that_followed)
{
    kifu_timeline *timeline = reversi_new(RECORDED_SEED);
    kifu_event event;
    for (int i = 0; i < RECORDED_MOVES; i++) {
        reversi_state before = *reversi_get_state(timeline);
        uint32_t events = kifu_event_count(timeline);
        reversi_play_recorded(timeline, i, i + 1);
        reversi_state after = *reversi_get_state(timeline);
        uint32_t chain = kifu_event_count(timeline) - events;

        ck_assert(kifu_event_at(timeline, events, &event));
        ck_assert_uint_eq(event.type, REVERSI_P_PLACE);
        ck_assert_uint_eq(event.cause, KIFU_NONE);
        for (uint32_t j = events + 1; j < events + chain; j++) {
            ck_assert(kifu_event_at(timeline, j, &event));
            ck_assert_uint_ne(event.cause, KIFU_NONE);
            ck_assert_uint_ge(event.cause, events);
        }
        ck_assert_uint_eq(kifu_can_undo(timeline, NULL), chain);
        must(timeline, kifu_undo(timeline));
        ck_assert_mem_eq(&before, reversi_get_state(timeline), sizeof before);
        ck_assert_uint_eq(kifu_event_count(timeline), events);
        must(timeline, kifu_redo(timeline));
        ck_assert_mem_eq(&after, reversi_get_state(timeline), sizeof after);
        ck_assert_uint_eq(kifu_event_count(timeline), events + chain);
    }
    for (int i = 0; i < RECORDED_MOVES; i++)
        must(timeline, kifu_undo(timeline));
    ck_assert_int_eq(kifu_undo(timeline), KIFU_NOTHING_TO_UNDO);
    plain begin = plain_begin();
    same_position(timeline, &begin);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U05_the_setup_is_not_undone)
{
    kifu_timeline *timeline = reversi_new(1);
    uint64_t hash = kifu_state_hash(timeline);
    ck_assert_uint_eq(kifu_can_undo(timeline, NULL), 0);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_NOTHING_TO_UNDO);
    ck_assert_uint_eq(kifu_state_hash(timeline), hash);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U04_a_resignation_is_taken_back)
{
    kifu_timeline *timeline = reversi_new(1);
    reversi_play_recorded(timeline, 0, 10);
    const reversi_state *state = reversi_get_state(timeline);
    reversi_state before = *state;
    int loser = 1 - reversi_current(timeline); // out of turn
    reversi_submit_p_resign(timeline, loser);
    must(timeline, kifu_run(timeline));
    ck_assert_int_eq(state->game.phase, KIFU_PHASE_GAME_OVER);
    ck_assert_int_eq(reversi_winner(state), board_disc_of(&state->game, 1 - loser));
    must(timeline, kifu_undo(timeline));
    ck_assert_mem_eq(&before, state, sizeof before);
    reversi_play_recorded(timeline, 10, RECORDED_MOVES);
    kifu_destroy(timeline);
}
END_TEST

// --- Saves -----------------------------------------------------------------------------------------------------------

START_TEST(S02_a_save_between_two_flips)
{
    kifu_timeline *timeline = reversi_new(RECORDED_SEED);
    reversi_play_recorded(timeline, 0, 30);
    reversi_submit_p_place(
        timeline, reversi_current(timeline),
        &(reversi_p_place_args){.square = (uint8_t)board_square(recorded_game + 3 * 30), .seconds = 7});
    must(timeline, kifu_step(timeline));
    must(timeline, kifu_step(timeline));
    ck_assert_uint_gt(kifu_pending_count(timeline), 0);
    kifu_timeline *loaded = reversi_reload(timeline);
    same_game(loaded, timeline);
    must(loaded, kifu_run(loaded));
    must(timeline, kifu_run(timeline));
    same_game(loaded, timeline);
    reversi_play_recorded(loaded, 31, RECORDED_MOVES);
    ck_assert_int_eq(kifu_get_game(loaded)->phase, KIFU_PHASE_GAME_OVER);
    kifu_destroy(loaded);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(S03_redo_after_load)
{
    kifu_timeline *timeline = reversi_new(RECORDED_SEED);
    reversi_play_recorded(timeline, 0, RECORDED_MOVES);
    reversi_state end = *reversi_get_state(timeline);
    for (int i = 0; i < 5; i++)
        must(timeline, kifu_undo(timeline));
    kifu_timeline *loaded = reversi_reload(timeline);
    same_game(loaded, timeline);
    for (int i = 0; i < 5; i++)
        must(loaded, kifu_redo(loaded));
    ck_assert_mem_eq(&end, reversi_get_state(loaded), sizeof end);
    ck_assert_int_eq(kifu_redo(loaded), KIFU_NOTHING_TO_REDO);
    kifu_destroy(loaded);
    kifu_destroy(timeline);
}
END_TEST

// v1/game.kifu was written by version 1 of the example.
START_TEST(S03_a_save_of_version_1)
{
    const char *source = getenv("KIFU_SOURCE_DIR");
    char path[1000];
    snprintf(path, sizeof path, "%s/examples/reversi/v1/game.kifu", source ? source : "..");
    kifu_timeline *old;
    kifu_error error;
    ck_assert_msg(!kifu_load(&reversi_rules, path, NULL, NULL, &old, &error), "%s", error.message);

    kifu_timeline *timeline = reversi_new(RECORDED_SEED);
    reversi_play_recorded(timeline, 0, RECORDED_V1_MOVES + 1);
    must(timeline, kifu_undo(timeline));
    same_game(old, timeline); // `seconds` has its default, -1
    must(old, kifu_redo(old));
    must(timeline, kifu_redo(timeline));
    same_game(old, timeline);

    reversi_play_recorded(old, RECORDED_V1_MOVES + 1, RECORDED_MOVES); // new events behind the old ones
    ck_assert_uint_eq(kifu_state_hash(old), RECORDED_HASH);
    kifu_timeline *again = reversi_reload(old);
    same_game(again, old);
    kifu_destroy(again);
    kifu_destroy(timeline);
    kifu_destroy(old);
}
END_TEST

// --- View and AI -----------------------------------------------------------------------------------------------------

typedef struct shown {
    reversi_view functions;
    int places, flips, rejections, refreshes;
} shown;

static double act_p_place(void *context, kifu_timeline *timeline, const reversi_state *state,
                          const reversi_p_place *place)
{
    (void)timeline;
    ck_assert_int_ne(state->board[place->square], REVERSI_DISC_NONE); // after Do
    ((shown *)context)->places++;
    return 1;
}

static double act_e_flip(void *context, kifu_timeline *timeline, const reversi_state *state, const reversi_e_flip *flip)
{
    (void)timeline;
    (void)state;
    (void)flip;
    ((shown *)context)->flips++;
    return 0.25;
}

static void count_refresh(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    ((shown *)context)->refreshes++;
}

static void count_rejection(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline;
    ck_assert_int_eq(outcome->error->result, KIFU_REJECTED);
    ((shown *)context)->rejections++;
}

START_TEST(T07_a_move_is_shown_in_its_time)
{
    shown shown = {.functions = {.base = {.context = &shown, .redraw = count_refresh, .rejected = count_rejection},
                                 .act_p_place = act_p_place,
                                 .act_e_flip = act_e_flip}};
    kifu_timeline *timeline;
    kifu_options options = {.view = &shown.functions.base};
    ck_assert_int_eq(kifu_create(&reversi_rules, &options, &timeline, NULL), KIFU_OK);
    must(timeline, reversi_begin(timeline, NULL));
    reversi_submit_p_place(timeline, reversi_current(timeline),
                           &(reversi_p_place_args){.square = (uint8_t)board_square("f5"), .seconds = -1});
    must(timeline, kifu_update(timeline, 0));
    ck_assert_int_eq(shown.places, 1);
    ck_assert_int_eq(shown.flips, 0);
    must(timeline, kifu_update(timeline, 0.9));
    ck_assert_int_eq(shown.flips, 0);
    must(timeline, kifu_update(timeline, 0.2));
    ck_assert_int_eq(shown.flips, 1);
    ck_assert(!kifu_is_idle(timeline));
    must(timeline, kifu_update(timeline, 0.25));
    ck_assert(kifu_is_idle(timeline));

    ck_assert_int_eq(reversi_place(timeline, 0), KIFU_REJECTED);
    ck_assert_int_eq(shown.rejections, 1);
    int refreshes = shown.refreshes;
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_redo(timeline));
    ck_assert_int_eq(shown.refreshes, refreshes + 2);
    ck_assert_int_eq(shown.places, 1); // Act is for live events
    kifu_destroy(timeline);
}
END_TEST

START_TEST(T08_the_computer_plays_whole_games_and_looks_only)
{
    kifu_timeline *timeline = reversi_new(3);
    plain position = plain_begin();
    const kifu_game *game = kifu_get_game(timeline);
    while (game->phase == KIFU_PHASE_PLAY) {
        const uint32_t events = kifu_event_count(timeline);
        const uint64_t hash = kifu_state_hash(timeline);
        kifu_moves moves = {0}, others = {0};
        const kifu_move *move, *again;
        const kifu_thinking thinking = {.tries = bot_tries(1)};
        const int player = reversi_current(timeline);
        must(timeline, kifu_choose_move(timeline, player, &reversi_bot, &thinking, &moves, &move));
        must(timeline, kifu_choose_move(timeline, player, &reversi_bot, &thinking, &others, &again));
        const int square = ((const reversi_p_place *)move->table)->square;
        ck_assert_int_eq(square, ((const reversi_p_place *)again->table)->square);
        ck_assert_uint_eq(kifu_state_hash(timeline), hash);
        ck_assert_uint_eq(kifu_event_count(timeline), events);
        kifu_free_moves(&moves);
        kifu_free_moves(&others);
        must(timeline, reversi_place(timeline, square));
        ck_assert(plain_place(&position, square));
        same_position(timeline, &position);
    }
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        U10_perft_through_submit_run_and_undo,
        U10_perft_of_the_other_implementation,
        U10_perft_with_passes_and_ends,
        E09_a_recorded_game_to_its_end,
        T02_a_check_rejects_with_a_reason,
        E08_black_is_drawn_by_lot,
        U04_one_undo_takes_back_a_move_with_all_that_followed,
        U05_the_setup_is_not_undone,
        U04_a_resignation_is_taken_back,
        S02_a_save_between_two_flips,
        S03_redo_after_load,
        S03_a_save_of_version_1,
        T07_a_move_is_shown_in_its_time,
        T08_the_computer_plays_whole_games_and_looks_only,
    };
    return run_suite("Reversi", tests, sizeof tests / sizeof *tests);
}
