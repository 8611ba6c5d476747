#include "playout.h"

#include <string.h>

// How likely a move beside the last one is looked for, of 256: what captures, what saves, what has a good shape.
enum { CAPTURES = 240, SAVES = 220, SHAPES = 200 };

// xorshift64* (George Marsaglia; Sebastiano Vigna).
uint32_t draw(uint64_t *random, uint32_t below)
{
    *random ^= *random >> 12;
    *random ^= *random << 25;
    *random ^= *random >> 27;
    return (uint32_t)(((*random * UINT64_C(0x2545f4914f6cdd1d)) >> 32) * below >> 32);
}

// --- Moves -----------------------------------------------------------------------------------------------------------

uint32_t playout_room(const fast_board *board, uint32_t at)
{
    const uint8_t stone = board->to_move;
    uint32_t room = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t to = at + fast_beside[i];
        room += board->cell[to] == GO_STONE_NONE;
        if ((board->cell[to] == stone && !fast_in_atari(board, to)) ||
            (board->cell[to] == (stone ^ 3) && fast_in_atari(board, to)))
            room += 2;
    }
    return room;
}

// A move by which a chain in atari gets away: it captures what surrounds it, or runs. 0: none.
static uint32_t save(const fast_board *board, uint32_t chain)
{
    const uint8_t other = board->to_move ^ 3;
    uint32_t at = chain;
    do {
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t to = at + fast_beside[i];
            if (board->cell[to] == other && fast_in_atari(board, to) &&
                fast_is_legal(board, fast_last_liberty(board, to)))
                return fast_last_liberty(board, to);
        }
        at = board->next[at];
    } while (at != chain);
    const uint32_t out = fast_last_liberty(board, chain);
    return fast_is_legal(board, out) && playout_room(board, out) > 1 ? out : 0;
}

// The last stone is in atari, or has put a chain into it. 0: neither, or it is not looked for.
static uint32_t answer_atari(const fast_board *board, uint64_t *random)
{
    if (draw(random, 256) < CAPTURES && fast_in_atari(board, board->last) &&
        fast_is_legal(board, fast_last_liberty(board, board->last)))
        return fast_last_liberty(board, board->last);
    if (draw(random, 256) >= SAVES)
        return 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t to = board->last + fast_beside[i];
        const bool own = board->cell[to] == board->to_move && fast_in_atari(board, to);
        const uint32_t move = own ? save(board, to) : 0;
        if (move)
            return move;
    }
    return 0;
}

// Good shapes within the eight neighbours, after MoGo (Gelly, Wang, Munos, Teytaud, "Modification of UCT with patterns
// in Monte-Carlo Go", 2006). `a` is a stone on one side of the point.
static bool is_shape(const fast_board *board, uint32_t at)
{
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t ahead = fast_beside[i], side = i == 0 || i == 3 ? 1 : WIDTH;
        const uint8_t a = board->cell[at + ahead], other = a ^ 3;
        if (!is_stone(a))
            continue;
        const uint8_t left = board->cell[at - side], right = board->cell[at + side], back = board->cell[at - ahead];
        const uint8_t ahead_left = board->cell[at + ahead - side], ahead_right = board->cell[at + ahead + side];
        // Hane: the other colour stands beside `a`, and the point has room.
        if (back == GO_STONE_NONE &&
            ((ahead_left == other && left == GO_STONE_NONE) || (ahead_right == other && right == GO_STONE_NONE)))
            return true;
        // A cut: `a` and its other stone meet only here.
        if (left == a && ahead_left == other && right != a && back != a)
            return true;
        if (right == a && ahead_right == other && left != a && back != a)
            return true;
        if (left == other && right == other && back != other)
            return true;
        // At the edge.
        if (back == FAST_EDGE && (left == other || right == other || ahead_left == other || ahead_right == other))
            return true;
    }
    return false;
}

static uint32_t find_shape(const fast_board *board, uint64_t *random)
{
    static const uint32_t around[8] = {0u - WIDTH - 1, 0u - WIDTH, 0u - WIDTH + 1, 0u - 1, 1,
                                       WIDTH - 1,      WIDTH,      WIDTH + 1};
    uint32_t found[8], count = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t at = board->last + around[i];
        if (board->cell[at] == GO_STONE_NONE && is_shape(board, at) && fast_is_legal(board, at) &&
            playout_room(board, at) > 1)
            found[count++] = at;
    }
    return count ? found[draw(random, count)] : 0;
}

uint32_t playout_answer(const fast_board *board, uint64_t *random)
{
    if (!board->last || !is_stone(board->cell[board->last]))
        return 0;
    const uint32_t move = answer_atari(board, random);
    return move || draw(random, 256) >= SHAPES ? move : find_shape(board, random);
}

// Any move that fills no eye, rather one that does not give itself up; 0: none is left.
static uint32_t find_any(const fast_board *board, uint64_t *random)
{
    const uint32_t count = board->empty_count, first = count ? draw(random, count) : 0;
    uint32_t poor = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = board->empty[first + i < count ? first + i : first + i - count];
        if (fast_is_eye(board, board->to_move, at) || !fast_is_legal(board, at))
            continue;
        if (playout_room(board, at) > 1)
            return at;
        poor = at;
    }
    return poor;
}

// --- Games -----------------------------------------------------------------------------------------------------------

void playout_play(fast_board *board, const go_terms *terms, uint64_t *random, uint16_t *moves, uint32_t *count)
{
    for (uint32_t left = 3 * point_count(terms); left && board->passes < 2; left--) {
        const uint32_t answer = playout_answer(board, random), move = answer ? answer : find_any(board, random);
        fast_play(board, move);
        moves[(*count)++] = (uint16_t)move;
    }
}

// Who has a point when nobody can move any more: 1 black, -1 white.
static int32_t owner_of(const fast_board *board, uint32_t at)
{
    uint8_t owner = board->cell[at];
    if (owner == GO_STONE_NONE) {
        const uint8_t beside = board->cell[at + 1] == FAST_EDGE ? board->cell[at - 1] : board->cell[at + 1];
        owner = is_stone(beside) && fast_is_eye(board, beside, at) ? beside : GO_STONE_NONE;
    }
    return owner == GO_STONE_BLACK ? 1 : owner == GO_STONE_WHITE ? -1 : 0;
}

int32_t playout_lead(const fast_board *board, const go_terms *terms)
{
    int32_t lead = terms->counting == GO_COUNTING_AREA ? -(int32_t)terms->handicap : 0;
    for (uint32_t point = 0; point < point_count(terms); point++)
        lead += owner_of(board, fast_cell(terms, point));
    return 2 * lead - terms->komi;
}

void playouts_play(const go_state *state, uint32_t games, uint64_t seed, playouts *played)
{
    fast_board first, board;
    uint16_t moves[MOST_MOVES];
    uint64_t random = (state->keys[state->plays] ^ seed * UINT64_C(0x9e3779b97f4a7c15)) | 1;
    memset(played, 0, sizeof *played);
    fast_set_up(&first, state);
    first.passes = 0;
    for (; played->games < games; played->games++) {
        uint32_t count = 0;
        board = first;
        playout_play(&board, &state->terms, &random, moves, &count);
        for (uint32_t point = 0; point < point_count(&state->terms); point++)
            played->black[point] += owner_of(&board, fast_cell(&state->terms, point));
    }
}

bool playouts_dead(const playouts *played, const go_state *state, uint32_t point)
{
    const int32_t black = played->black[point], half = (int32_t)played->games / 2;
    return state->board[point] == GO_STONE_BLACK ? black < -half : state->board[point] && black > half;
}
