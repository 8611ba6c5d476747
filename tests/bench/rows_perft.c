/// Perft of Reversi: every move, made through the timeline and undone or rolled back, against the make and unmake of a
/// program that knows nothing else.
#include "contest.h"

#include "measure.h"

#ifdef BENCH_REVERSI

#include <stdio.h>
#include <string.h>

#include "board.h"
#include "game.h"

/// Leaves of the game's tree by depth.
static const uint64_t leaves[] = {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288};

typedef struct perft {
    uint32_t depth;
    kifu_timeline *timeline;
    uint64_t nodes; ///< Moves made.
} perft;

static uint64_t through_timeline(perft *perft, uint32_t depth)
{
    const reversi_state *state = reversi_get_state(perft->timeline);
    uint8_t moves[BOARD_SQUARES];
    uint64_t count = 0;
    if (depth == 0)
        return 1;
    uint32_t move_count = board_moves(state->board, board_to_move(&state->game), moves);
    for (uint32_t i = 0; i < move_count; i++) {
        reversi_submit_p_place(perft->timeline, kifu_current_player(&state->game),
                               &(reversi_p_place_args){.square = moves[i], .seconds = -1});
        must(!kifu_run(perft->timeline), "a move was refused");
        perft->nodes++;
        count += through_timeline(perft, depth - 1);
        must(!kifu_undo(perft->timeline), "a move was not undone");
    }
    return count;
}

static uint64_t through_searches(perft *perft, uint32_t depth)
{
    const reversi_state *state = reversi_get_state(perft->timeline);
    uint8_t moves[BOARD_SQUARES];
    uint64_t count = 0;
    if (depth == 0)
        return 1;
    uint32_t move_count = board_moves(state->board, board_to_move(&state->game), moves);
    for (uint32_t i = 0; i < move_count; i++) {
        must(!kifu_begin(perft->timeline, KIFU_SEARCH), "no search began");
        reversi_submit_p_place(perft->timeline, kifu_current_player(&state->game),
                               &(reversi_p_place_args){.square = moves[i], .seconds = -1});
        must(!kifu_run(perft->timeline), "a move was refused");
        count += through_searches(perft, depth - 1);
        must(!kifu_roll_back(perft->timeline), "a move was not taken back");
    }
    return count;
}

static uint64_t through_tries(perft *perft, uint32_t depth)
{
    const reversi_state *state = reversi_get_state(perft->timeline);
    uint8_t moves[BOARD_SQUARES];
    uint64_t count = 0;
    if (depth == 0)
        return 1;
    uint32_t move_count = board_moves(state->board, board_to_move(&state->game), moves);
    for (uint32_t i = 0; i < move_count; i++) {
        const reversi_p_place_args place = {.square = moves[i], .seconds = -1};
        must(!reversi_try_legal_p_place(perft->timeline, kifu_current_player(&state->game), &place),
             "a move was refused");
        count += through_tries(perft, depth - 1);
        kifu_take_back(perft->timeline);
    }
    return count;
}

typedef struct position {
    reversi_disc board[BOARD_SQUARES];
    reversi_disc to_move;
    uint64_t nodes;
} position;

static uint64_t by_hand(position *position, uint32_t depth)
{
    uint8_t moves[BOARD_SQUARES], flips[BOARD_MOST_FLIPS];
    uint64_t count = 0;
    if (depth == 0)
        return 1;
    reversi_disc mine = position->to_move, other = board_other(mine);
    uint32_t move_count = board_moves(position->board, mine, moves);
    for (uint32_t i = 0; i < move_count; i++) {
        uint32_t flip_count = board_flips(position->board, mine, moves[i], flips);
        position->board[moves[i]] = mine;
        for (uint32_t k = 0; k < flip_count; k++)
            position->board[flips[k]] = mine;
        position->to_move = board_can_move(position->board, other) ? other : mine;
        position->nodes++;
        count += by_hand(position, depth - 1);
        position->to_move = mine;
        for (uint32_t k = 0; k < flip_count; k++)
            position->board[flips[k]] = other;
        position->board[moves[i]] = REVERSI_DISC_NONE;
    }
    return count;
}

static double run_timeline(void *context)
{
    perft *perft = context;
    perft->nodes = 0;
    double start = now();
    must(through_timeline(perft, perft->depth) == leaves[perft->depth], "a wrong perft through the timeline");
    return now() - start;
}

static double run_searches(void *context)
{
    perft *perft = context;
    double start = now();
    must(through_searches(perft, perft->depth) == leaves[perft->depth], "a wrong perft by searches");
    return now() - start;
}

static double run_tries(void *context)
{
    perft *perft = context;
    double start = now();
    must(through_tries(perft, perft->depth) == leaves[perft->depth], "a wrong perft by tries");
    return now() - start;
}

static double run_by_hand(void *context)
{
    perft *perft = context;
    position position = {.to_move = REVERSI_DISC_BLACK};
    memcpy(position.board, reversi_get_state(perft->timeline)->board, sizeof position.board);
    double start = now();
    must(by_hand(&position, perft->depth) == leaves[perft->depth], "a wrong perft by hand");
    double time = now() - start;
    must(position.nodes == perft->nodes, "not the same nodes");
    return time;
}

void perft_rows(const scale *scale)
{
    const kifu_options options = {.quiet = true};
    const uint64_t seed = 1;
    perft perft = {.depth = scale->perft_depth};
    char text[100];
    heading("Perft of Reversi: move generation, submit, check, Do with all consequences, undo");
    must(!kifu_create(&reversi_rules, &options, &perft.timeline, NULL), "no timeline");
    must(!reversi_begin(perft.timeline, &seed), "the game did not begin");
    run_timeline(&perft);
    contender contenders[] = {{"timeline", run_timeline, 0},
                              {"by hand", run_by_hand, 0},
                              {"searches", run_searches, 0},
                              {"tries", run_tries, 0}};
    compare(contenders, 4, &perft, scale->rounds < 3 ? 1 : 3, (uint32_t)perft.nodes);
    snprintf(text, sizeof text, "depth %u, %llu nodes", perft.depth, (unsigned long long)perft.nodes);
    row(text, "%6.2f million nodes/s, by hand %.2f: %5.2f x its time", 1e3 / contenders[0].ns, 1e3 / contenders[1].ns,
        last_ratio(0, 1));
    row("    by search and roll-back", "%6.2f million nodes/s, by undo %.2f: %5.2f x its time", 1e3 / contenders[2].ns,
        1e3 / contenders[0].ns, last_ratio(2, 0));
    goal_row("    by try and take-back", last_ratio(3, 1), true, 1.25,
             "%6.2f million nodes/s, by hand %.2f: %5.2f x its time", 1e3 / contenders[3].ns, 1e3 / contenders[1].ns,
             last_ratio(3, 1));
    kifu_destroy(perft.timeline);
}

#else

void perft_rows(const scale *scale)
{
    (void)scale;
    heading("Perft of Reversi: left out, the example was not built");
}

#endif
