#include "draw.h"

#include <stdio.h>
#include <string.h>

uint32_t draw_cards(const duel_state *state, int player, duel_zone zone, bool lands, uint32_t shown[DECK_SIZE])
{
    uint32_t count = 0;
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        const bool is_land = rules_kind(state, card)->type == CARD_LAND;
        if (rules_owner(card) == player && state->cards[card].zone == zone &&
            (zone == DUEL_ZONE_HAND || is_land == lands))
            shown[count++] = card;
    }
    return count;
}

// --- As text ---------------------------------------------------------------------------------------------------------

// Cells of one row, each as wide as it should be, and spaces behind the last.
typedef struct row {
    char text[TABLE_WIDTH + 1];
} row;

static row empty_row(void)
{
    row row;
    memset(row.text, ' ', TABLE_WIDTH);
    row.text[TABLE_WIDTH] = '\0';
    return row;
}

static void put(row *row, int x, int width, const char *text)
{
    for (int i = 0; i < width && text[i] && x + i < TABLE_WIDTH; i++)
        row->text[x + i] = text[i];
}

static void end_row(kifu_drawing *drawing, const row *row)
{
    int end = TABLE_WIDTH;
    while (end > 0 && row->text[end - 1] == ' ')
        end--;
    kifu_draw(drawing, "%.*s\n", end, row->text);
}

static void creature_text(const duel_state *state, uint32_t card, char *text, size_t size)
{
    const duel_card *of = &state->cards[card];
    snprintf(text, size, "%s %u/%d %s", rules_kind(state, card)->name, rules_power(state, card),
             rules_toughness(state, card) - of->damage,
             of->tapped  ? "tapped"
             : of->fresh ? "new"
                         : "");
}

static void hand_text(const duel_state *state, uint32_t card, bool face_up, char *text, size_t size)
{
    const card_kind *kind = rules_kind(state, card);
    if (!face_up)
        snprintf(text, size, "(a hidden card)");
    else if (kind->type == CARD_LAND)
        snprintf(text, size, "%s, land", kind->name);
    else
        snprintf(text, size, "%s, cost %u%s", kind->name, kind->lands, kind->creatures ? " +" : "");
}

// The creatures of a player, or the cards of the hand, in three rows.
static void draw_cells(kifu_drawing *drawing, const duel_state *state, const draw_look *look, int player,
                       duel_zone zone)
{
    uint32_t shown[DECK_SIZE];
    const uint32_t count = draw_cards(state, player, zone, false, shown);
    for (uint32_t line = 0; line < 3; line++) {
        row row = empty_row();
        if (!count && !line && zone == DUEL_ZONE_PLAY)
            put(&row, 1, TABLE_WIDTH, "(no creatures)");
        for (uint32_t i = line * CELLS; i < (line + 1) * CELLS && i < count; i++) {
            char text[40];
            const int x = (int)(i % CELLS) * CELL_WIDTH;
            if (zone == DUEL_ZONE_PLAY)
                creature_text(state, shown[i], text, sizeof text);
            else
                hand_text(state, shown[i], look->face_up, text, sizeof text);
            if (zone == DUEL_ZONE_PLAY && look->chosen && look->chosen[shown[i]])
                put(&row, x, 1, ">");
            put(&row, x + 1, CELL_WIDTH - 1, text);
        }
        end_row(drawing, &row);
    }
}

static void draw_lands(kifu_drawing *drawing, const duel_state *state, int player)
{
    uint32_t shown[DECK_SIZE];
    const uint32_t count = draw_cards(state, player, DUEL_ZONE_PLAY, true, shown);
    row row = empty_row();
    for (uint32_t i = 0; i < count; i++)
        put(&row, 1 + (int)i * LAND_WIDTH, LAND_WIDTH - 1,
            state->cards[shown[i]].tapped ? "tapped" : rules_kind(state, shown[i])->name);
    end_row(drawing, &row);
}

static void draw_player(kifu_drawing *drawing, const duel_state *state, int player)
{
    char room[20], name[LIFE_X];
    snprintf(name, sizeof name, "%s", kifu_draw_name(drawing, player, room));
    kifu_draw(drawing, " ");
    kifu_draw_words(drawing, name);
    kifu_draw(drawing, "%*slife %d   hand %u   deck %u\n", LIFE_X - 1 - (int)strlen(name), "",
              state->sides[player].life, rules_count(state, player, DUEL_ZONE_HAND),
              rules_count(state, player, DUEL_ZONE_DECK));
}

static void draw_middle(kifu_drawing *drawing, const char *prompt)
{
    row row;
    memset(row.text, '-', TABLE_WIDTH);
    row.text[0] = ' ';
    row.text[TABLE_WIDTH] = '\0';
    if (prompt && *prompt) {
        char text[TABLE_WIDTH];
        snprintf(text, sizeof text, " %.*s ", TABLE_WIDTH - 6, prompt);
        put(&row, 3, TABLE_WIDTH, text);
    }
    end_row(drawing, &row);
}

static void draw_text(kifu_drawing *drawing, const duel_state *state, const draw_look *look)
{
    const int top = rules_enemy(look->bottom);
    draw_player(drawing, state, top);
    draw_lands(drawing, state, top);
    draw_cells(drawing, state, look, top, DUEL_ZONE_PLAY);
    draw_middle(drawing, look->prompt);
    draw_cells(drawing, state, look, look->bottom, DUEL_ZONE_PLAY);
    draw_lands(drawing, state, look->bottom);
    draw_player(drawing, state, look->bottom);
    draw_cells(drawing, state, look, look->bottom, DUEL_ZONE_HAND);
}

// --- As a picture ----------------------------------------------------------------------------------------------------

enum { WIDTH = 420, GAP = 5, CARD_WIDTH = 78, CARD_HEIGHT = 36, IN_ROW = 5, ROWS = 2, SIDE_HEIGHT = 240 };

// A card: its name, and what stands below it. Cards of one's hand have a broken edge.
static void draw_card(kifu_drawing *drawing, const duel_state *state, uint32_t card, int x, int y)
{
    const duel_card *of = &state->cards[card];
    const card_kind *kind = rules_kind(state, card);
    const bool hand = of->zone == DUEL_ZONE_HAND;
    kifu_draw(drawing, "<g");
    kifu_draw_click(drawing, "card", (int)card);
    kifu_draw_click(drawing, "attackers", (int)card);
    kifu_draw_click(drawing, "target", (int)card);
    kifu_draw(drawing,
              "%s><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\" fill=\"%s\" fill-opacity=\"0.25\" "
              "stroke=\"currentColor\" stroke-opacity=\"0.5\"%s/>",
              of->tapped ? " opacity=\"0.5\"" : "", x, y, CARD_WIDTH, CARD_HEIGHT,
              kind->type == CARD_LAND       ? "#7f9a3c"
              : kind->type == CARD_CREATURE ? "#c98a2c"
                                            : "#5b7fd6",
              hand ? " stroke-dasharray=\"3 3\"" : "");
    kifu_draw(drawing, "<text x=\"%d\" y=\"%d\" font-size=\"13\">%s</text>", x + 6, y + 15, kind->name);
    kifu_draw(drawing, "<text x=\"%d\" y=\"%d\" font-size=\"11\">", x + 6, y + 30);
    if (hand && kind->type != CARD_LAND)
        kifu_draw(drawing, "cost %u%s", kind->lands, kind->creatures ? " +" : "");
    else if (kind->type == CARD_CREATURE)
        kifu_draw(drawing, "%u/%d ", rules_power(state, card), rules_toughness(state, card) - of->damage);
    kifu_draw(drawing, "%s</text></g>\n", of->tapped ? "tapped" : of->fresh ? "new" : "");
}

// So many lines, whether there are cards or not: then few lines change with an event.
static void draw_row_of_cards(kifu_drawing *drawing, const duel_state *state, int player, duel_zone zone, bool lands,
                              int y)
{
    uint32_t shown[DECK_SIZE];
    const uint32_t count = draw_cards(state, player, zone, lands, shown);
    const uint32_t room = lands ? IN_ROW : ROWS * IN_ROW;
    const uint32_t step = count > room && lands ? count : IN_ROW; // More lands than that overlap.
    for (uint32_t i = 0; i < DECK_SIZE; i++) {
        if (i < count && (lands || i < room))
            draw_card(drawing, state, shown[i],
                      lands ? (int)(i * (IN_ROW * (CARD_WIDTH + GAP)) / step) : (int)(i % IN_ROW) * (CARD_WIDTH + GAP),
                      y + (lands ? 0 : (int)(i / IN_ROW) * (CARD_HEIGHT + GAP)));
        else
            kifu_draw(drawing, "\n");
    }
}

static void draw_head(kifu_drawing *drawing, const duel_state *state, int player, int y)
{
    char room[20];
    const kifu_game *game = &state->game;
    const bool plays = game->phase == KIFU_PHASE_PLAY && kifu_current_player(game) == player;
    const bool won = game->phase == KIFU_PHASE_GAME_OVER && rules_winner(state) == player;
    kifu_draw(drawing, "<rect x=\"0\" y=\"%d\" width=\"6\" height=\"18\" fill=\"#%06x\"/>\n", y,
              (unsigned)game->players[player].color & 0xffffff);
    kifu_draw(drawing, "<text x=\"14\" y=\"%d\" font-size=\"15\" font-weight=\"%s\"", y + 14,
              plays ? "bold" : "normal");
    kifu_draw_click(drawing, "target", TARGET_PLAYER + player);
    kifu_draw(drawing, ">");
    kifu_draw_words(drawing, kifu_draw_name(drawing, player, room));
    kifu_draw(drawing, "%s</text>\n", won ? " has won" : plays ? ", to play" : "");
    kifu_draw(drawing,
              "<text x=\"%d\" y=\"%d\" font-size=\"14\" text-anchor=\"end\">life %d · hand %u · deck %u</text>\n",
              WIDTH - 10, y + 14, state->sides[player].life, rules_count(state, player, DUEL_ZONE_HAND),
              rules_count(state, player, DUEL_ZONE_DECK));
}

// Hand, head, lands and creatures, from the edge of the table to its middle.
static void draw_side(kifu_drawing *drawing, const duel_state *state, int player, bool top)
{
    enum { HAND = ROWS * (CARD_HEIGHT + GAP), HEAD = 26, LANDS = CARD_HEIGHT + GAP };
    const int edge = top ? 0 : 2 * SIDE_HEIGHT;
    draw_row_of_cards(drawing, state, player, DUEL_ZONE_HAND, false, top ? 0 : edge - HAND + GAP);
    draw_head(drawing, state, player, top ? HAND : edge - HAND - HEAD + 6);
    draw_row_of_cards(drawing, state, player, DUEL_ZONE_PLAY, true, top ? HAND + HEAD : edge - HAND - HEAD - LANDS + 2);
    draw_row_of_cards(drawing, state, player, DUEL_ZONE_PLAY, false,
                      top ? HAND + HEAD + LANDS : edge - HAND - HEAD - 2 * LANDS - HAND / ROWS + 2);
}

static void draw_picture(kifu_drawing *drawing, const duel_state *state)
{
    kifu_draw(drawing, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-4 -4 %d %d\">\n", WIDTH + 2,
              2 * SIDE_HEIGHT + 8);
    draw_side(drawing, state, 1, true);
    kifu_draw(drawing, "<path stroke=\"currentColor\" stroke-opacity=\"0.3\" d=\"M0 %dh%d\"/>\n", SIDE_HEIGHT,
              WIDTH - 10);
    draw_side(drawing, state, 0, false);
    kifu_draw(drawing, "</svg>\n");
}

void duel_draw(kifu_drawing *drawing)
{
    const duel_state *state = drawing->state;
    const draw_look look = {.face_up = true};
    if (drawing->text)
        draw_text(drawing, state, drawing->user ? drawing->user : &look);
    else
        draw_picture(drawing, state);
}
