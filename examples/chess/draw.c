#include "draw.h"

#include "game.h"

enum { SIDE = 8 };

static bool is_dark(uint32_t square)
{
    return (file_of(square) + rank_of(square)) % 2 == 0;
}

// --- As text ---------------------------------------------------------------------------------------------------------

static uint32_t square_in(const draw_look *look, int column, int row)
{
    return (uint32_t)(look->turned ? row * SIDE + SIDE - 1 - column : (SIDE - 1 - row) * SIDE + column);
}

static void draw_files(kifu_drawing *drawing, const draw_look *look)
{
    kifu_draw(drawing, " ");
    for (int i = 0; i < SIDE; i++)
        kifu_draw(drawing, "   %c", 'a' + file_of(square_in(look, i, 0)));
    kifu_draw(drawing, "\n");
}

static const char *piece_text(const draw_look *look, chess_piece piece)
{
    static const char *const letters[] = {" ", "P", "N", "B", "R", "Q", "K", "", "", "p", "n", "b", "r", "q", "k"};
    static const char *const signs[] = {" ", "♙", "♘", "♗", "♖", "♕", "♔", "", "", "♟", "♞", "♝", "♜", "♛", "♚"};
    return look->ascii ? letters[piece] : signs[piece];
}

static void draw_square(kifu_drawing *drawing, const chess_position *position, const draw_look *look, uint32_t square)
{
    const chess_piece piece = position->board[square];
    const char *around = square == look->cursor                       ? "[]"
                         : square == look->chosen                     ? "<>"
                         : square == look->from || square == look->to ? "()"
                                                                      : "  ";
    const char *inside = piece ? piece_text(look, piece) : look->hints[square] ? look->ascii ? "." : "·" : " ";
    kifu_draw(drawing, "%c%c%s%c", is_dark(square) && !look->colours ? ':' : ' ', around[0], inside, around[1]);
}

// Four columns and two rows for each square.
static void draw_text(kifu_drawing *drawing, const chess_position *position, const draw_look *look)
{
    draw_files(drawing, look);
    for (int row = 0; row < SIDE; row++) {
        kifu_draw(drawing, "%d ", 1 + rank_of(square_in(look, 0, row)));
        for (int column = 0; column < SIDE; column++)
            draw_square(drawing, position, look, square_in(look, column, row));
        kifu_draw(drawing, "\n  ");
        for (int column = 0; column < SIDE; column++)
            kifu_draw(drawing, "%s", is_dark(square_in(look, column, row)) && !look->colours ? "::::" : "    ");
        kifu_draw(drawing, "\n");
    }
    draw_files(drawing, look);
}

// --- As a picture ----------------------------------------------------------------------------------------------------

enum { CELL = 40, LEFT = 24, TOP = 8 };

// Each in a square of 40.
static const char *const shapes[] = {
    [CHESS_KIND_PAWN] = "M20 9a5.2 5.2 0 0 1 3.4 9.1l2 1.4-1.6 2c.6 3.6 2 6 4.2 7.8V34H12v-4.7c2.2-1.8 3.6-4.2 "
                        "4.2-7.8l-1.6-2 2-1.4A5.2 5.2 0 0 1 20 9z",
    [CHESS_KIND_KNIGHT] = "M11.5 34v-3.5c1.3-5 6.3-7 6.7-12-2.2 1.8-4.3 2.5-6.7 2.7l-2.3-3 "
                          "5.8-8.7V5.5l3.6 2.7C26 8.7 30 14.5 30 23.5V34z",
    [CHESS_KIND_BISHOP] = "M20 5a2.3 2.3 0 0 1 1.7 3.8c3 2 5.1 5 5.1 8.2 0 2.6-1.5 4.4-3 5.5l1.5 4.5 "
                          "3 2.5V34H11.7v-4.5l3-2.5 1.5-4.5c-1.5-1.1-3-2.9-3-5.5 0-3.2 2.1-6.2 "
                          "5.1-8.2A2.3 2.3 0 0 1 20 5z",
    [CHESS_KIND_ROOK] = "M10.5 7.5h4.3v3h3v-3h4.4v3h3v-3h4.3v7.5l-3 2.5v9l3 3V34h-19v-4.5l3-3v-9l-3-2.5z",
    [CHESS_KIND_QUEEN] = "M7.5 11l5.8 7L15.5 8l4.5 9 4.5-9 2.2 10 5.8-7-3.5 16 1.5 3.5V34h-21v-3.5l1.5-3.5z",
    [CHESS_KIND_KING] = "M18.7 4h2.6v2.5h2.5v2.6h-2.5v3.2c4.8-2.8 10.7-.8 10.7 5 0 3.8-2.8 6.7-4 9.7l1.5 "
                        "3V34h-19v-4l1.5-3c-1.2-3-4-5.9-4-9.7 0-5.8 5.9-7.8 10.7-5V9.1h-2.5V6.5h2.5z",
};

static void draw_shapes(kifu_drawing *drawing)
{
    kifu_draw(drawing, "<defs>\n");
    for (chess_side side = 0; side < 2; side++) {
        for (chess_kind kind = CHESS_KIND_PAWN; kind <= CHESS_KIND_KING; kind++)
            kifu_draw(drawing,
                      "<path id=\"p%d\" fill=\"%s\" stroke=\"%s\" stroke-width=\"1.3\" stroke-linejoin=\"round\" "
                      "d=\"%s\"/>\n",
                      piece_of(side, kind), side ? "#2b2a28" : "#fffdf6", side ? "#0c0c0b" : "#3a3936", shapes[kind]);
    }
    kifu_draw(drawing, "</defs>\n");
}

static int x_of(uint32_t square)
{
    return LEFT + file_of(square) * CELL;
}

static int y_of(uint32_t square)
{
    return TOP + (SIDE - 1 - rank_of(square)) * CELL;
}

static void draw_board(kifu_drawing *drawing)
{
    kifu_draw(drawing, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#ecdfc6\"/>\n", LEFT, TOP,
              SIDE * CELL, SIDE * CELL);
    kifu_draw(drawing, "<path fill=\"#b58f6b\" d=\"");
    for (uint32_t square = 0; square < SQUARES; square++) {
        if (is_dark(square))
            kifu_draw(drawing, "M%d %dh%dv%dh-%dz", x_of(square), y_of(square), CELL, CELL, CELL);
    }
    kifu_draw(drawing, "\"/>\n<g font-size=\"14\" text-anchor=\"middle\" opacity=\"0.7\">");
    for (int i = 0; i < SIDE; i++)
        kifu_draw(drawing, "<text x=\"%d\" y=\"%d\">%c</text><text x=\"10\" y=\"%d\">%d</text>",
                  LEFT + CELL / 2 + i * CELL, TOP + SIDE * CELL + 17, 'a' + i, TOP + CELL / 2 + 5 + i * CELL, SIDE - i);
    kifu_draw(drawing, "</g>\n");
}

static void draw_marked(kifu_drawing *drawing, uint32_t square)
{
    if (square != NO_SQUARE)
        kifu_draw(drawing, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#e8c13a\" opacity=\"0.6\"/>",
                  x_of(square), y_of(square), CELL, CELL);
    kifu_draw(drawing, "\n");
}

static void draw_words(kifu_drawing *drawing, const chess_state *state)
{
    const chess_side side = position_to_move(&state->position);
    kifu_draw(drawing, "<text x=\"%d\" y=\"%d\" font-size=\"15\">", LEFT, TOP + SIDE * CELL + 40);
    if (state->game.phase == KIFU_PHASE_PLAY)
        kifu_draw(drawing, "%s to move%s", side == CHESS_SIDE_WHITE ? "White" : "Black",
                  position_in_check(&state->position, side) ? ", in check" : "");
    else
        kifu_draw_words(drawing, chess_end_in_words(state));
    kifu_draw(drawing, "</text>\n");
}

// For clicks: from where and to where.
static void draw_click(kifu_drawing *drawing, uint32_t square)
{
    kifu_draw(drawing, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill-opacity=\"0\"", x_of(square),
              y_of(square), CELL, CELL);
    kifu_draw_click(drawing, "from", (int)square);
    kifu_draw_click(drawing, "to", (int)square);
    kifu_draw(drawing, "/>");
}

// A line for each square, so that few lines change with a move.
static void draw_picture(kifu_drawing *drawing, const chess_state *state, const draw_look *look)
{
    kifu_draw(drawing, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n", LEFT + SIDE * CELL + 10,
              TOP + SIDE * CELL + 50);
    draw_shapes(drawing);
    draw_board(drawing);
    draw_marked(drawing, look->from);
    draw_marked(drawing, look->to);
    for (uint32_t square = 0; square < SQUARES; square++) {
        if (state->position.board[square])
            kifu_draw(drawing, "<use href=\"#p%d\" x=\"%d\" y=\"%d\"/>", state->position.board[square], x_of(square),
                      y_of(square));
        if (drawing->clicks)
            draw_click(drawing, square);
        kifu_draw(drawing, "\n");
    }
    draw_words(drawing, state);
    kifu_draw(drawing, "</svg>\n");
}

void chess_draw(kifu_drawing *drawing)
{
    const chess_state *state = drawing->state;
    draw_look look = {.cursor = NO_SQUARE, .chosen = NO_SQUARE, .from = NO_SQUARE, .to = NO_SQUARE};
    if (drawing->move.type == CHESS_P_MOVE) {
        const chess_p_move *move = drawing->move.table;
        look.from = move->from;
        look.to = move->to;
    }
    if (!drawing->text)
        draw_picture(drawing, state, &look);
    else
        draw_text(drawing, &state->position, drawing->user ? drawing->user : &look);
}
