/// Perft of chess: every move made through the timeline and taken back, against moves made and unmade by hand.
#include "contest.h"

#include "measure.h"

#ifdef BENCH_CHESS

#include <stdio.h>

#include "game.h"
#include "plain_chess.h"

/// Kiwipete (chessprogramming.org/Perft_Results), by depth.
static const char fen[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
static const uint64_t games[] = {1, 48, 2039, 97862, 4085603};

typedef struct perft {
    uint32_t depth;
    kifu_timeline *timeline;
    uint64_t made; ///< Moves.
} perft;

static uint64_t by_tries(perft *perft, uint32_t depth)
{
    const chess_state *state = chess_get_state(perft->timeline);
    const chess_side mine = position_to_move(&state->position);
    const int player = kifu_current_player(&state->game);
    chess_move moves[MOST_MOVES];
    uint64_t count = 0;
    if (depth == 0)
        return 1;
    const uint32_t move_count = moves_of(&state->position, moves);
    for (uint32_t i = 0; i < move_count; i++) {
        const chess_move move = moves[i];
        must(!chess_try_legal_p_move(perft->timeline, player, move.from, move.to, move.promotion), "a try failed");
        if (!position_in_check(&state->position, mine))
            count += by_tries(perft, depth - 1);
        must(!kifu_take_back(perft->timeline), "a move was not taken back");
    }
    return count;
}

static uint64_t by_checked_tries(perft *perft, uint32_t depth)
{
    const chess_state *state = chess_get_state(perft->timeline);
    const int player = kifu_current_player(&state->game);
    chess_move moves[MOST_MOVES];
    uint64_t count = 0;
    if (depth == 0)
        return 1;
    const uint32_t move_count = moves_of(&state->position, moves);
    for (uint32_t i = 0; i < move_count; i++) {
        if (chess_try_p_move(perft->timeline, player, moves[i].from, moves[i].to, moves[i].promotion))
            continue;
        count += by_checked_tries(perft, depth - 1);
        must(!kifu_take_back(perft->timeline), "a move was not taken back");
    }
    return count;
}

static uint64_t by_search(perft *perft, uint32_t depth)
{
    const chess_state *state = chess_get_state(perft->timeline);
    chess_move moves[MOST_MOVES];
    uint64_t count = 0;
    if (depth == 0)
        return 1;
    const uint32_t move_count = moves_of(&state->position, moves);
    for (uint32_t i = 0; i < move_count; i++) {
        must(!kifu_begin(perft->timeline, KIFU_SEARCH), "no search began");
        chess_submit_p_move(perft->timeline, kifu_current_player(&state->game), moves[i].from, moves[i].to,
                            moves[i].promotion);
        if (!kifu_run(perft->timeline))
            count += by_search(perft, depth - 1);
        must(!kifu_roll_back(perft->timeline), "a move was not taken back");
    }
    return count;
}

static double run_tries(void *context)
{
    perft *perft = context;
    const double start = now();
    must(by_tries(perft, perft->depth) == games[perft->depth], "a wrong perft by tries");
    return now() - start;
}

static double run_checked_tries(void *context)
{
    perft *perft = context;
    const double start = now();
    must(by_checked_tries(perft, perft->depth) == games[perft->depth], "a wrong perft by tries that check");
    return now() - start;
}

static double run_searches(void *context)
{
    perft *perft = context;
    const double start = now();
    must(by_search(perft, perft->depth) == games[perft->depth], "a wrong perft by searches");
    return now() - start;
}

static double by_hand(perft *perft, bool judged)
{
    chess_state state = *chess_get_state(perft->timeline);
    perft->made = 0;
    const double start = now();
    must(plain_perft(&state, perft->depth, judged, &perft->made) == games[perft->depth], "a wrong perft by hand");
    return now() - start;
}

static double run_by_hand(void *context)
{
    return by_hand(context, true);
}

static double run_blindly(void *context)
{
    return by_hand(context, false);
}

void chess_rows(const scale *scale)
{
    perft perft = {.depth = scale->rounds < 3 ? 2 : 3};
    char text[100];
    heading("Perft of chess: move generation, check, Do, what follows from it, all taken back");
    must(!kifu_create(&chess_rules, &(kifu_options){.quiet = true}, &perft.timeline, NULL), "no timeline");
    must(!chess_begin(perft.timeline, &(chess_setup){.fen = fen}, NULL), "the game did not begin");
    run_by_hand(&perft);
    contender contenders[] = {{"by hand", run_by_hand, 0},
                              {"tries", run_tries, 0},
                              {"tries that check", run_checked_tries, 0},
                              {"searches", run_searches, 0},
                              {"by hand, not judged", run_blindly, 0}};
    compare(contenders, 5, &perft, scale->rounds, (uint32_t)perft.made);
    snprintf(text, sizeof text, "tries of moves, Kiwipete, depth %u", perft.depth);
    row(text, "%6.1f ns/move, by hand %.1f: %5.2f x its time", contenders[1].ns, contenders[0].ns, last_ratio(1, 0));
    row("    tries that ask the check", "%6.1f ns/move: %5.2f x the time by hand", contenders[2].ns, last_ratio(2, 0));
    row("    by search and roll-back", "%6.1f ns/move: %5.2f x the time by hand", contenders[3].ns, last_ratio(3, 0));
    row("    by hand, not looking for the end", "%6.1f ns/move: %5.2f x the time by hand", contenders[4].ns,
        last_ratio(4, 0));
    kifu_destroy(perft.timeline);
}

#else

void chess_rows(const scale *scale)
{
    (void)scale;
    heading("Perft of chess: left out, the example was not built");
}

#endif
