/// Go once more, without Kifu and without cleverness: all positions are remembered whole, and each play is made on a
/// copy of the board.
#ifndef PLAIN_GO_H
#define PLAIN_GO_H

#include <stdbool.h>
#include <stdint.h>

enum { PLAIN_LINES = 9, PLAIN_POINTS = 81, PLAIN_MOST = 1024 };

typedef struct plain_go {
    uint8_t board[PLAIN_POINTS]; // 0, 1 black, 2 white
    uint8_t to_move;
    uint32_t lost[3]; // by colour
    bool passed;      // the last move was a pass
    uint32_t count;
    struct {
        uint8_t board[PLAIN_POINTS];
        uint8_t to_move;
        uint32_t stones; // how many had been played then
    } positions[PLAIN_MOST];
    uint32_t stones;
} plain_go;

void plain_go_begin(plain_go *go, const uint8_t *board, uint8_t to_move);

/// Whether the one to move may play there. `ko`: 0 simple, 1 positional, 2 situational.
bool plain_go_may(const plain_go *go, uint32_t point, int ko);

/// Plays there; PLAIN_POINTS: passes.
void plain_go_play(plain_go *go, uint32_t point);

/// Area: stones and what they alone surround, black's less white's.
int32_t plain_go_area(const plain_go *go);

#endif
