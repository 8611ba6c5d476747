#include "chess_walk.h"

#include <stdlib.h>

#include "measure.h"

#ifdef BENCH_CHESS

#include "game.h"
#include "plain_chess.h"

enum { PLIES = 60, GAMES_BEFORE = 20 };

/// Kiwipete (chessprogramming.org/Perft_Results), by depth.
static const char fen[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
static const uint64_t games[] = {1, 48, 2039, 97862, 4085603};

struct chess_walk {
    uint32_t depth;
    kifu_timeline *timeline; ///< In that position.
    uint64_t made;           ///< Moves of a perft.
    chess_state first;       ///< That position,
    chess_move moves[PLIES]; ///< and a game from there.
};

// --- Perft -----------------------------------------------------------------------------------------------------------

static uint64_t by_tries(kifu_timeline *timeline, uint32_t depth)
{
    const chess_state *state = chess_get_state(timeline);
    const chess_side mine = position_to_move(&state->position);
    const int player = kifu_current_player(&state->game);
    chess_move moves[MOST_MOVES];
    uint64_t count = 0;
    if (depth == 0)
        return 1;
    const uint32_t move_count = moves_of(&state->position, moves);
    for (uint32_t i = 0; i < move_count; i++) {
        const chess_move move = moves[i];
        must(!chess_try_legal_p_move(timeline, player, move.from, move.to, move.promotion), "a try failed");
        if (!position_in_check(&state->position, mine))
            count += by_tries(timeline, depth - 1);
        must(!kifu_take_back(timeline), "a move was not taken back");
    }
    return count;
}

static uint64_t by_checked_tries(chess_walk *walk, uint32_t depth)
{
    const chess_state *state = chess_get_state(walk->timeline);
    const int player = kifu_current_player(&state->game);
    chess_move moves[MOST_MOVES];
    uint64_t count = 0;
    if (depth == 0)
        return 1;
    const uint32_t move_count = moves_of(&state->position, moves);
    for (uint32_t i = 0; i < move_count; i++) {
        if (chess_try_p_move(walk->timeline, player, moves[i].from, moves[i].to, moves[i].promotion))
            continue;
        count += by_checked_tries(walk, depth - 1);
        must(!kifu_take_back(walk->timeline), "a move was not taken back");
    }
    return count;
}

static uint64_t by_search(chess_walk *walk, uint32_t depth)
{
    const chess_state *state = chess_get_state(walk->timeline);
    chess_move moves[MOST_MOVES];
    uint64_t count = 0;
    if (depth == 0)
        return 1;
    const uint32_t move_count = moves_of(&state->position, moves);
    for (uint32_t i = 0; i < move_count; i++) {
        must(!kifu_begin(walk->timeline, KIFU_SEARCH), "no search began");
        chess_submit_p_move(walk->timeline, kifu_current_player(&state->game), moves[i].from, moves[i].to,
                            moves[i].promotion);
        if (!kifu_run(walk->timeline))
            count += by_search(walk, depth - 1);
        must(!kifu_roll_back(walk->timeline), "a move was not taken back");
    }
    return count;
}

static uint64_t by_hand(const chess_walk *walk, bool judged)
{
    chess_state state = walk->first;
    uint64_t made = 0;
    return plain_perft(&state, walk->depth, judged, &made);
}

void chess_perft(chess_walk *walk, chess_way way)
{
    const uint64_t count = way == CHESS_TRIES           ? by_tries(walk->timeline, walk->depth)
                           : way == CHESS_CHECKED_TRIES ? by_checked_tries(walk, walk->depth)
                           : way == CHESS_SEARCHES      ? by_search(walk, walk->depth)
                                                        : by_hand(walk, way == CHESS_BY_HAND);
    must(count == games[walk->depth], "a wrong perft");
}

uint32_t chess_perft_moves(const chess_walk *walk)
{
    return (uint32_t)walk->made;
}

// --- A game that is played -------------------------------------------------------------------------------------------

static void play(kifu_timeline *timeline, chess_move move)
{
    const int player = kifu_current_player(kifu_get_game(timeline));
    must(!chess_play_p_move(timeline, player, move.from, move.to, move.promotion), "a move was refused");
}

uint32_t chess_play_directly(chess_walk *walk)
{
    for (uint32_t i = 0; i < PLIES; i++)
        play(walk->timeline, walk->moves[i]);
    return PLIES;
}

uint32_t chess_play_by_hand(chess_walk *walk)
{
    chess_state state = walk->first;
    plain_taken taken;
    for (uint32_t i = 0; i < PLIES; i++) {
        must(!move_fault(&state.position, walk->moves[i]), "a move was refused");
        plain_make(&state, walk->moves[i], true, &taken);
    }
    return PLIES;
}

// --- Around it -------------------------------------------------------------------------------------------------------

static void begin(kifu_timeline *timeline)
{
    must(!chess_begin(timeline, &(chess_setup){.fen = fen}, NULL), "the game did not begin");
}

static kifu_timeline *new_game(void)
{
    kifu_timeline *timeline;
    must(!kifu_create(&chess_rules, &(kifu_options){.quiet = true}, &timeline, NULL), "no timeline");
    begin(timeline);
    return timeline;
}

// Moves by lot.
static void find_game(chess_walk *walk)
{
    kifu_timeline *timeline = new_game();
    const chess_state *state = chess_get_state(timeline);
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 0);
    for (uint32_t i = 0; i < PLIES; i++) {
        chess_move moves[MOST_MOVES];
        const uint32_t count = moves_legal(&state->position, moves);
        must(count && !state->ending, "a game of chess ended too soon");
        play(timeline, walk->moves[i] = moves[kifu_rng_below(&rng, count)]);
    }
    kifu_destroy(timeline);
}

chess_walk *chess_walk_open(uint32_t depth)
{
    chess_walk *walk = calloc(1, sizeof *walk);
    must(walk != NULL, "out of memory");
    walk->depth = depth;
    walk->timeline = new_game();
    walk->first = *chess_get_state(walk->timeline);
    find_game(walk);
    for (uint32_t i = 0; i < GAMES_BEFORE; i++, begin(walk->timeline)) // so that no hash comes after every few events
        chess_play_directly(walk);
    chess_state state = walk->first;
    plain_perft(&state, depth, false, &walk->made);
    return walk;
}

void chess_walk_close(chess_walk *walk)
{
    kifu_destroy(walk->timeline);
    free(walk);
}

bool chess_is_there(void)
{
    return true;
}

#else

bool chess_is_there(void)
{
    return false;
}

#endif
