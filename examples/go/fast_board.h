/// A board for playing thousands of games a second: each move changes what is known of the chains around it. It knows
/// only the simple ko. Points are cells of a board with an edge, so that no point looks at its column.
#ifndef FAST_BOARD_H
#define FAST_BOARD_H

#include "board.h"

#define WIDTH (MOST_LINES + 2u)
#define CELLS (WIDTH * WIDTH)
enum { FAST_EDGE = 3 };

/// Of a chain, at its head. A liberty counts once for each stone that it touches: where all that touch are one point,
/// the sum of the squares says so.
typedef struct fast_chain {
    uint32_t liberties, sum, squares;
} fast_chain;

typedef struct fast_board {
    uint8_t cell[CELLS];  ///< A stone, GO_STONE_NONE or FAST_EDGE.
    uint16_t head[CELLS]; ///< Of the chain to which a stone belongs.
    uint16_t next[CELLS]; ///< The next stone of the chain, around.
    fast_chain chains[CELLS];
    uint16_t empty[MOST_POINTS], place[CELLS]; ///< The empty points in no order, and where each is among them.
    uint32_t empty_count;
    uint32_t ko; ///< May not be played on now; 0: none.
    uint8_t to_move;
    uint32_t last;   ///< The last move; 0: a pass, or none.
    uint32_t passes; ///< In a row.
} fast_board;

/// What leads from a cell to the four beside it, where sums wrap around.
extern const uint32_t fast_beside[4];

static inline uint32_t fast_cell(const go_terms *terms, uint32_t point)
{
    return (point / terms->size + 1) * WIDTH + point % terms->size + 1;
}

static inline uint32_t fast_point(const go_terms *terms, uint32_t cell)
{
    return (cell / WIDTH - 1) * terms->size + cell % WIDTH - 1;
}

static inline bool is_stone(uint8_t cell)
{
    return cell == GO_STONE_BLACK || cell == GO_STONE_WHITE;
}

/// Whether the chain of a stone has one liberty.
static inline bool fast_in_atari(const fast_board *board, uint32_t at)
{
    const fast_chain *chain = &board->chains[board->head[at]];
    return chain->liberties && (uint64_t)chain->liberties * chain->squares == (uint64_t)chain->sum * chain->sum;
}

/// Which one that is.
static inline uint32_t fast_last_liberty(const fast_board *board, uint32_t at)
{
    const fast_chain *chain = &board->chains[board->head[at]];
    return chain->sum / chain->liberties;
}

void fast_set_up(fast_board *board, const go_state *state);

/// Who is to move plays on a cell where that is legal, or passes: 0.
void fast_play(fast_board *board, uint32_t at);

/// Whether who is to move may play there: it is neither the ko nor suicide.
bool fast_is_legal(const fast_board *board, uint32_t at);

/// As `board_is_eye`.
bool fast_is_eye(const fast_board *board, uint8_t stone, uint32_t at);

#endif
