#include "draw.h"

#include <stdio.h>
#include <string.h>

#include <kifu/drawing.h>

#include "rules.h"

const char *const eights_names[] = {"you", "Red", "Blue", "Yellow"};

const char *eights_card_name(unsigned face, char name[4])
{
    static const char *const ranks[] = {"A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"};
    if (face)
        snprintf(name, 4, "%s%c", ranks[rules_rank(face) - 1], "cdhs"[rules_suit(face)]);
    else
        strcpy(name, "??");
    return name;
}

// What this viewer sees: the cards that one does not know are "??".
void eights_draw_seen(kifu_drawing *drawing, const eights_state *state)
{
    char name[4];
    kifu_draw(drawing, "  on the pile: %s, suit %s; %u cards in the stock\n",
              eights_card_name(state->cards[state->top].face, name), eights_suit_name(state->suit),
              rules_count(state, EIGHTS_PLACE_STOCK, -1));
    for (int player = 0; player < state->game.player_count; player++) {
        kifu_draw(drawing, "  %c %s:", player == kifu_current_player(&state->game) ? '*' : ' ', eights_names[player]);
        for (uint32_t i = 0; i < EIGHTS_CARDS_COUNT; i++) {
            if (state->cards[i].place == EIGHTS_PLACE_HAND && state->cards[i].owner == player)
                kifu_draw(drawing, " %s", eights_card_name(state->cards[i].face, name));
        }
        kifu_draw(drawing, "\n");
    }
    if (state->game.phase == KIFU_PHASE_GAME_OVER)
        kifu_draw(drawing, "  %s won\n",
                  rules_winner(state) == PERSON ? "you have" : eights_names[rules_winner(state)]);
}

void eights_draw(kifu_drawing *drawing)
{
    eights_draw_seen(drawing, drawing->state);
}
