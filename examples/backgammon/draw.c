#include "draw.h"

#include <kifu/drawing.h>

#include "board.h"

const char *const backgammon_names[] = {"White", "Red"};

// 24 points in two rows, the viewer's checkers as "o", the other's as "x".
void backgammon_draw(kifu_drawing *drawing)
{
    const backgammon_state *state = (const backgammon_state *)drawing->state;
    const backgammon_board *board = &state->board;
    const int player = kifu_current_player(&state->game), viewer = drawing->text ? player : 0;
    const uint8_t *mine = board->sides[viewer].places, *theirs = board->sides[1 - viewer].places;
    for (int row = 0; row < 4; row++) { // numbers, checkers, checkers, numbers
        for (int column = 0; column < 12; column++) {
            const int place = row < 2 ? 13 + column : 12 - column, enemies = theirs[BOARD_BAR - place];
            kifu_draw(drawing, "%s", column == 6 ? "  |" : "");
            if (row == 0 || row == 3)
                kifu_draw(drawing, " %3d", place);
            else if (mine[place] || enemies)
                kifu_draw(drawing, "  %c%x", mine[place] ? 'o' : 'x', mine[place] + enemies);
            else
                kifu_draw(drawing, "   .");
        }
        kifu_draw(drawing, "\n");
    }
    kifu_draw(drawing, "  o is %s: bar %u, off %u; x is %s: bar %u, off %u\n", backgammon_names[viewer],
              mine[BOARD_BAR], mine[BOARD_OFF], backgammon_names[1 - viewer], theirs[BOARD_BAR], theirs[BOARD_OFF]);
    kifu_draw(drawing, "  %s", backgammon_names[player]);
    if (state->game.phase == KIFU_PHASE_GAME_OVER)
        kifu_draw(drawing, " has won %u", board_won(board, player));
    else
        kifu_draw(drawing, "%s", board_has_dice(board) ? " plays" : " is to roll");
    for (int i = 0; i < 4; i++) {
        if (board->dice[i])
            kifu_draw(drawing, " %u", board->dice[i]);
    }
    kifu_draw(drawing, "\n");
}
