// Looks ahead by moves that are tried and taken back (kifu/search.h): alpha-beta, deeper and deeper. The rules are not
// written twice.

#include "ai.h"

#include <limits.h>
#include <string.h>
#include <time.h>

#include "evaluate.h"
#include "moves.h"
#include "rules.h"

enum { ASK_EVERY = 512, MOST_CAPTURES = 12, INFINITE = 32000 };

typedef struct search {
    kifu_timeline *timeline;
    const chess_state *state; // of the timeline
    const ai_limits *limits;
    double begin;
    uint32_t depth; // of this round
    uint64_t tries;
    bool stopped;
    kifu_result result; // the first failure
    chess_move lines[AI_MOST_DEPTH + 1][AI_MOST_DEPTH + 1];
    uint32_t lengths[AI_MOST_DEPTH + 1];
    chess_move best_before[AI_MOST_DEPTH + 1]; // the line of the depth before: tried first
    uint32_t best_count;
} search;

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool must_stop(search *search)
{
    const ai_limits *limits = search->limits;
    if (search->depth == 1 || search->stopped || search->result) // the first round always finds a move
        return search->stopped || search->result;
    if (limits->tries && search->tries >= limits->tries)
        search->stopped = true;
    if (search->tries % ASK_EVERY == 0 && ((limits->seconds > 0 && now() - search->begin >= limits->seconds) ||
                                           (limits->stop && limits->stop(limits->context))))
        search->stopped = true;
    return search->stopped;
}

// --- Which moves come first ------------------------------------------------------------------------------------------

static bool is_quiet(const chess_position *position, chess_move move)
{
    return !position->board[move.to] && !move.promotion;
}

static bool is_same(chess_move a, chess_move b)
{
    return a.from == b.from && a.to == b.to && a.promotion == b.promotion;
}

// Captures of much by little, and promotions, before all others.
static int promise(const search *search, chess_move move, uint32_t ply)
{
    const chess_piece *board = search->state->position.board;
    if (ply < search->best_count && is_same(move, search->best_before[ply]))
        return INT_MAX;
    if (is_quiet(&search->state->position, move))
        return 0;
    return 10 * evaluate_worth[kind_of(board[move.to])] + 10 * evaluate_worth[move.promotion] -
           evaluate_worth[kind_of(board[move.from])] + 1000;
}

static void sort(const search *search, chess_move *moves, uint32_t count, uint32_t ply)
{
    int promises[MOST_MOVES];
    for (uint32_t i = 0; i < count; i++) {
        const chess_move move = moves[i];
        const int mine = promise(search, move, ply);
        uint32_t place = i;
        for (; place > 0 && promises[place - 1] < mine; place--) {
            promises[place] = promises[place - 1];
            moves[place] = moves[place - 1];
        }
        promises[place] = mine;
        moves[place] = move;
    }
}

// --- Looking ahead ---------------------------------------------------------------------------------------------------

static bool begin_try(search *search, chess_move move)
{
    search->tries++;
    search->result = chess_try_legal_p_move(search->timeline, kifu_current_player(&search->state->game), move.from,
                                            move.to, move.promotion);
    return !search->result;
}

static void end_try(search *search)
{
    const kifu_result result = kifu_take_back(search->timeline);
    if (!search->result)
        search->result = result;
}

// What a game that is over is worth for who would be to move.
static int worth_of_end(const chess_state *state, uint32_t ply)
{
    return state->ending == CHESS_ENDING_CHECKMATE ? (int)ply - AI_MATE : 0;
}

// Captures and promotions until nothing hangs; out of check, every move.
static int settle(search *search, uint32_t ply, uint32_t left, int alpha, int beta)
{
    const chess_state *state = search->state;
    if (state->ending)
        return worth_of_end(state, ply);
    const bool in_check = position_in_check(&state->position, position_to_move(&state->position));
    if (!in_check) {
        const int worth = evaluate(&state->position);
        alpha = worth > alpha ? worth : alpha;
    }
    if (alpha >= beta || !left)
        return in_check && !left ? evaluate(&state->position) : alpha;
    chess_move moves[MOST_MOVES];
    uint32_t count = moves_of(&state->position, moves), kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((in_check || !is_quiet(&state->position, moves[i])) && move_is_safe(&state->position, moves[i]))
            moves[kept++] = moves[i];
    }
    sort(search, moves, kept, AI_MOST_DEPTH);
    for (uint32_t i = 0; i < kept && alpha < beta && !must_stop(search) && begin_try(search, moves[i]); i++) {
        const int worth = -settle(search, ply + 1, left - 1, -beta, -alpha);
        end_try(search);
        alpha = worth > alpha ? worth : alpha;
    }
    return alpha;
}

static void keep_line(search *search, uint32_t ply, chess_move move)
{
    const uint32_t length = search->lengths[ply + 1];
    search->lines[ply][0] = move;
    memcpy(search->lines[ply] + 1, search->lines[ply + 1], length * sizeof move);
    search->lengths[ply] = length + 1;
}

// What the position is worth for the player to move: negamax with alpha and beta.
static int look(search *search, uint32_t ply, uint32_t depth, int alpha, int beta)
{
    const chess_state *state = search->state;
    search->lengths[ply] = 0;
    if (state->ending)
        return worth_of_end(state, ply);
    if (ply && (rules_repetitions(state) > 1 || rules_claim(state))) // nobody gets on
        return 0;
    if (depth == 0 || ply == AI_MOST_DEPTH)
        return settle(search, ply, MOST_CAPTURES, alpha, beta);
    chess_move moves[MOST_MOVES];
    uint32_t count = moves_legal(&state->position, moves);
    if (!ply && search->limits->only_count) {
        count = search->limits->only_count;
        memcpy(moves, search->limits->only, count * sizeof *moves);
    }
    sort(search, moves, count, ply);
    search->best_count = ply < search->best_count && count && is_same(moves[0], search->best_before[ply])
                             ? search->best_count
                             : 0; // off the line of before
    for (uint32_t i = 0; i < count && alpha < beta && !must_stop(search) && begin_try(search, moves[i]); i++) {
        const int worth = -look(search, ply + 1, depth - 1, -beta, -alpha);
        end_try(search);
        if (worth > alpha && !search->stopped) {
            alpha = worth;
            keep_line(search, ply, moves[i]);
        }
    }
    return alpha;
}

static void report(search *search, uint32_t depth, int score)
{
    ai_report report = {.depth = depth,
                        .score = score,
                        .tries = search->tries,
                        .seconds = now() - search->begin,
                        .line_length = search->best_count};
    memcpy(report.line, search->best_before, search->best_count * sizeof(chess_move));
    if (search->limits->report && search->best_count)
        search->limits->report(search->limits->context, &report);
}

// Deeper and deeper: the line of one depth is tried first in the next. What was cut short counts if it found a line,
// because the best move of before came first.
static void deepen(search *search, chess_move *best)
{
    const uint32_t deepest = search->limits->depth ? search->limits->depth : AI_MOST_DEPTH;
    uint32_t known = 1;
    for (uint32_t depth = 1; depth <= deepest && !search->stopped && !search->result; depth++) {
        search->depth = depth;
        search->best_count = known;
        const int score = look(search, 0, depth, -INFINITE, INFINITE);
        known = search->lengths[0];
        if (!known)
            break;
        memcpy(search->best_before, search->lines[0], known * sizeof(chess_move));
        search->best_count = known;
        *best = search->best_before[0];
        if (!search->stopped)
            report(search, depth, score);
        if (score > AI_MATE - AI_MOST_DEPTH || score < AI_MOST_DEPTH - AI_MATE)
            break; // nothing better, or no way out
    }
}

kifu_result ai_choose(const kifu_timeline *timeline, const ai_limits *limits, chess_move *best, kifu_error *error)
{
    static const char nobody[] = "nobody can move";
    const chess_state *state = chess_get_state(timeline);
    chess_move moves[MOST_MOVES];
    if (state->game.phase != KIFU_PHASE_PLAY || !moves_legal(&state->position, moves)) {
        *error = (kifu_error){.result = KIFU_MISUSE, .event = KIFU_NONE, .offset = UINT64_MAX};
        memcpy(error->message, nobody, sizeof nobody);
        return KIFU_MISUSE;
    }
    *best = limits->only_count ? limits->only[0] : moves[0];
    // On a copy, so that the game may go on being shown, by another thread for instance.
    search search = {.limits = limits, .begin = now(), .best_before = {*best}};
    kifu_result result = kifu_fork(timeline, KIFU_PRESENT, NULL, &search.timeline, error);
    if (result)
        return result;
    search.state = chess_get_state(search.timeline);
    deepen(&search, best);
    if (search.result)
        *error = *kifu_last_error(search.timeline);
    kifu_destroy(search.timeline);
    return search.result;
}
