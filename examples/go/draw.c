#include "draw.h"

#include "game.h"
#include "rules.h"

static const char letters[] = "ABCDEFGHJKLMNOPQRST";

static bool is_star(const go_terms *terms, uint32_t point)
{
    uint16_t stars[9];
    const uint32_t count = go_handicap(terms->size, terms->size % 2 ? 9 : 4, stars);
    for (uint32_t i = 0; i < count; i++) {
        if (stars[i] == point)
            return true;
    }
    return false;
}

// --- As text ---------------------------------------------------------------------------------------------------------

static const char *point_text(const go_state *state, const draw_look *look, uint32_t point)
{
    const bool black = state->board[point] == GO_STONE_BLACK;
    if (!state->board[point])
        return is_star(&state->terms, point) ? "+" : look->ascii ? "." : "·";
    if (state->dead[point])
        return black ? "x" : "o";
    if (look->ascii)
        return black ? "X" : "O";
    return black || look->colours ? "●" : "○";
}

static void draw_text(kifu_drawing *drawing, const go_state *state, const draw_look *look)
{
    const int size = state->terms.size;
    kifu_draw(drawing, "   ");
    for (int column = 0; column < size; column++)
        kifu_draw(drawing, " %c", letters[column]);
    kifu_draw(drawing, "\n");
    for (int row = 0; row < size; row++) {
        kifu_draw(drawing, "%2d ", size - row);
        for (int column = 0; column < size; column++) {
            const int point = row * size + column;
            const bool behind = column > 0 && point - 1 == state->last;
            kifu_draw(drawing, "%c%s",
                      point == state->last ? '('
                      : behind             ? ')'
                                           : ' ',
                      point_text(state, look, (uint32_t)point));
        }
        kifu_draw(drawing, "%c\n", row * size + size - 1 == state->last ? ')' : ' ');
    }
}

// --- As a picture ----------------------------------------------------------------------------------------------------

enum { CELL = 20, LEFT = 40, TOP = 34 };

static int x_of(const go_state *state, uint32_t point)
{
    return LEFT + (int)(point % state->terms.size) * CELL;
}

static int y_of(const go_state *state, uint32_t point)
{
    return TOP + (int)(point / state->terms.size) * CELL;
}

static void draw_board(kifu_drawing *drawing, const go_state *state)
{
    const int size = state->terms.size, side = (size - 1) * CELL;
    kifu_draw(drawing, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" fill=\"#dcb26a\"/>\n", LEFT - 14,
              TOP - 14, side + 28, side + 28);
    kifu_draw(drawing, "<path stroke=\"#5c4420\" d=\"");
    for (int i = 0; i < size; i++)
        kifu_draw(drawing, "M%d %dv%dM%d %dh%d", LEFT + i * CELL, TOP, side, LEFT, TOP + i * CELL, side);
    kifu_draw(drawing, "\"/>\n<g fill=\"#5c4420\">");
    for (uint32_t point = 0; point < point_count(&state->terms); point++) {
        if (is_star(&state->terms, point))
            kifu_draw(drawing, "<circle cx=\"%d\" cy=\"%d\" r=\"2.2\"/>", x_of(state, point), y_of(state, point));
    }
    kifu_draw(drawing, "</g>\n<g font-size=\"11\" text-anchor=\"middle\" opacity=\"0.7\">");
    for (int i = 0; i < size; i++)
        kifu_draw(drawing, "<text x=\"%d\" y=\"14\">%c</text><text x=\"12\" y=\"%d\">%d</text>", LEFT + i * CELL,
                  letters[i], TOP + 4 + i * CELL, size - i);
    kifu_draw(drawing, "</g>\n");
}

static void draw_point(kifu_drawing *drawing, const go_state *state, uint32_t point)
{
    const bool black = state->board[point] == GO_STONE_BLACK;
    if (state->board[point])
        kifu_draw(drawing, "<circle cx=\"%d\" cy=\"%d\" r=\"9.3\" fill=\"%s\" stroke=\"%s\"%s/>", x_of(state, point),
                  y_of(state, point), black ? "#181818" : "#fbfaf5", black ? "#000000" : "#8d8674",
                  state->dead[point] ? " opacity=\"0.45\"" : "");
    if (state->board[point] && point == state->last)
        kifu_draw(drawing, "<circle cx=\"%d\" cy=\"%d\" r=\"4.5\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"/>",
                  x_of(state, point), y_of(state, point), black ? "#ffffff" : "#000000");
    if (drawing->clicks && !state->board[point]) {
        kifu_draw(drawing, "<circle cx=\"%d\" cy=\"%d\" r=\"9.3\" fill-opacity=\"0\"", x_of(state, point),
                  y_of(state, point));
        kifu_draw_click(drawing, "point", (int)point);
        kifu_draw(drawing, "/>");
    }
    kifu_draw(drawing, "\n");
}

static void draw_words(kifu_drawing *drawing, const go_state *state)
{
    const int y = TOP + (state->terms.size - 1) * CELL + 36;
    char result[RESULT_LENGTH];
    kifu_draw(drawing, "<text x=\"%d\" y=\"%d\" font-size=\"13\">", LEFT - 14, y);
    if (state->game.phase == KIFU_PHASE_GAME_OVER) {
        go_result(state, result);
        kifu_draw_words(drawing, result);
    } else
        kifu_draw(drawing, "%s",
                  state->stage == GO_STAGE_COUNTING               ? "Counting"
                  : rules_to_move(&state->game) == GO_STONE_BLACK ? "Black to move"
                                                                  : "White to move");
    kifu_draw(drawing, "</text>\n<text x=\"%d\" y=\"%d\" font-size=\"13\">lost: Black %u, White %u</text>\n", LEFT - 14,
              y + 18, state->lost[0], state->lost[1]);
}

// A line for each point, so that few lines change with a move.
static void draw_picture(kifu_drawing *drawing, const go_state *state)
{
    const int side = (state->terms.size - 1) * CELL;
    kifu_draw(drawing, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n", LEFT + side + 18,
              TOP + side + 62);
    draw_board(drawing, state);
    for (uint32_t point = 0; point < point_count(&state->terms); point++)
        draw_point(drawing, state, point);
    draw_words(drawing, state);
    kifu_draw(drawing, "</svg>\n");
}

void go_draw(kifu_drawing *drawing)
{
    const go_state *state = drawing->state;
    const draw_look look = {.ascii = false};
    if (!state->terms.size)
        kifu_draw(drawing, "There is no board yet.\n");
    else if (drawing->text)
        draw_text(drawing, state, drawing->user ? drawing->user : &look);
    else
        draw_picture(drawing, state);
}
