#include "draw.h"

#include "game.h"

// --- As text ---------------------------------------------------------------------------------------------------------

// Characters for the places of a grid line: left, between, right, and the line itself.
typedef struct grid_line {
    const char *left, *between, *right, *line;
} grid_line;

static void draw_grid_line(kifu_drawing *drawing, int row, bool ascii)
{
    static const grid_line fine[] = {{"┌", "┬", "┐", "───"}, {"├", "┼", "┤", "───"}, {"└", "┴", "┘", "───"}};
    static const grid_line plain = {"+", "+", "+", "---"};
    const grid_line *line = ascii ? &plain : &fine[row == 0 ? 0 : row < BOARD_SIDE ? 1 : 2];
    kifu_draw(drawing, "  %s", line->left);
    for (int column = 0; column < BOARD_SIDE; column++)
        kifu_draw(drawing, "%s%s", line->line, column < BOARD_SIDE - 1 ? line->between : line->right);
    kifu_draw(drawing, "\n");
}

static const char *disc_text(const draw_look *look, reversi_disc disc)
{
    if (look->ascii)
        return disc == REVERSI_DISC_BLACK ? "X" : "O";
    return disc == REVERSI_DISC_BLACK || look->colours ? "●" : "○";
}

static void draw_row(kifu_drawing *drawing, const reversi_disc *board, const draw_look *look, int row)
{
    const char *wall = look->ascii ? "|" : "│";
    kifu_draw(drawing, "%d %s", row + 1, wall);
    for (int square = row * BOARD_SIDE; square < (row + 1) * BOARD_SIDE; square++) {
        const char *around = square == look->cursor ? "[]" : square == look->placed ? "()" : "  ";
        const char *inside = board[square]          ? disc_text(look, board[square])
                             : !look->hints[square] ? " "
                             : look->ascii          ? "."
                                                    : "·";
        kifu_draw(drawing, "%c%s%c%s", around[0], inside, around[1], wall);
    }
    kifu_draw(drawing, "\n");
}

static void draw_text(kifu_drawing *drawing, const reversi_disc *board, const draw_look *look)
{
    kifu_draw(drawing, "    a   b   c   d   e   f   g   h\n");
    for (int row = 0; row < BOARD_SIDE; row++) {
        draw_grid_line(drawing, row, look->ascii);
        draw_row(drawing, board, look, row);
    }
    draw_grid_line(drawing, BOARD_SIDE, look->ascii);
}

// --- As a picture ----------------------------------------------------------------------------------------------------

enum { CELL = 40, LEFT = 24, TOP = 8, SIDE = BOARD_SIDE * CELL };

static void draw_board(kifu_drawing *drawing)
{
    kifu_draw(drawing, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"#2e7d4f\"/>\n", LEFT, TOP,
              SIDE, SIDE);
    kifu_draw(drawing, "<path stroke=\"#1f5a38\" stroke-width=\"1.5\" d=\"");
    for (int i = 1; i < BOARD_SIDE; i++)
        kifu_draw(drawing, "M%d %dv%dM%d %dh%d", LEFT + i * CELL, TOP, SIDE, LEFT, TOP + i * CELL, SIDE);
    kifu_draw(drawing, "\"/>\n<g font-size=\"14\" text-anchor=\"middle\" opacity=\"0.7\">");
    for (int i = 0; i < BOARD_SIDE; i++)
        kifu_draw(drawing, "<text x=\"%d\" y=\"%d\">%c</text><text x=\"10\" y=\"%d\">%d</text>",
                  LEFT + CELL / 2 + i * CELL, TOP + SIDE + 17, 'a' + i, TOP + CELL / 2 + 5 + i * CELL, i + 1);
    kifu_draw(drawing, "</g>\n");
}

// A line for each square, so that few lines change with a move.
static void draw_discs(kifu_drawing *drawing, const reversi_disc *board, int placed)
{
    for (int square = 0; square < BOARD_SQUARES; square++) {
        const int x = LEFT + square % BOARD_SIDE * CELL + CELL / 2, y = TOP + square / BOARD_SIDE * CELL + CELL / 2;
        const bool black = board[square] == REVERSI_DISC_BLACK;
        if (board[square])
            kifu_draw(drawing, "<circle cx=\"%d\" cy=\"%d\" r=\"16\" fill=\"%s\" stroke=\"%s\"/>", x, y,
                      black ? "#1b1b1b" : "#f4f2ea", black ? "#000000" : "#b9b6aa");
        if (square == placed)
            kifu_draw(drawing, "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"#e0543e\"/>", x, y);
        if (drawing->clicks) {
            kifu_draw(drawing, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill-opacity=\"0\"", x - CELL / 2,
                      y - CELL / 2, CELL, CELL);
            kifu_draw_click(drawing, "square", square);
            kifu_draw(drawing, "/>");
        }
        kifu_draw(drawing, "\n");
    }
}

static void draw_words(kifu_drawing *drawing, const reversi_state *state)
{
    static const char *const names[] = {"Nobody", "Black", "White"};
    kifu_draw(drawing, "<text x=\"%d\" y=\"%d\" font-size=\"15\">Black %u, White %u", LEFT, TOP + SIDE + 40,
              (unsigned)board_count(state->board, REVERSI_DISC_BLACK),
              (unsigned)board_count(state->board, REVERSI_DISC_WHITE));
    if (state->game.phase == KIFU_PHASE_PLAY)
        kifu_draw(drawing, " · %s to move", names[board_to_move(&state->game)]);
    else if (state->game.phase == KIFU_PHASE_GAME_OVER)
        kifu_draw(drawing, " · %s", reversi_winner(state) ? names[reversi_winner(state)] : "a draw");
    kifu_draw(drawing, "%s</text>\n",
              state->game.phase == KIFU_PHASE_GAME_OVER && reversi_winner(state) ? " has won" : "");
}

static void draw_picture(kifu_drawing *drawing, const reversi_state *state, int placed)
{
    kifu_draw(drawing, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n", LEFT + SIDE + 10,
              TOP + SIDE + 50);
    draw_board(drawing);
    draw_discs(drawing, state->board, placed);
    draw_words(drawing, state);
    kifu_draw(drawing, "</svg>\n");
}

void reversi_draw(kifu_drawing *drawing)
{
    const reversi_state *state = drawing->state;
    draw_look look = {.cursor = -1, .placed = -1};
    if (drawing->move.type == REVERSI_P_PLACE)
        look.placed = ((const reversi_p_place *)drawing->move.table)->square;
    if (!drawing->text)
        draw_picture(drawing, state, look.placed);
    else
        draw_text(drawing, state->board, drawing->user ? drawing->user : &look);
}
