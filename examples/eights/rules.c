#include "rules.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" // a function uses what it needs of what it gets

// --- Questions -------------------------------------------------------------------------------------------------------

unsigned rules_count(const eights_state *state, eights_place place, int player)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < EIGHTS_CARDS_COUNT; i++)
        count += state->cards[i].place == place && (place != EIGHTS_PLACE_HAND || state->cards[i].owner == player);
    return count;
}

uint32_t rules_top_of_stock(const eights_state *state)
{
    for (uint32_t i = 0; i < EIGHTS_CARDS_COUNT; i++) {
        if (state->cards[i].place == EIGHTS_PLACE_STOCK)
            return i;
    }
    return NO_CARD;
}

bool rules_follows(const eights_state *state, int player, uint32_t card)
{
    if (card >= EIGHTS_CARDS_COUNT || state->cards[card].place != EIGHTS_PLACE_HAND ||
        state->cards[card].owner != player || !state->cards[card].face)
        return false;
    const unsigned face = state->cards[card].face, top = state->cards[state->top].face;
    return rules_rank(face) == EIGHT || rules_suit(face) == state->suit || rules_rank(face) == rules_rank(top);
}

bool rules_can_draw(const eights_state *state)
{
    return !state->drawn && rules_top_of_stock(state) != NO_CARD;
}

int rules_winner(const eights_state *state)
{
    int winner = 0;
    for (int player = 1; player < state->game.player_count; player++) {
        if (rules_count(state, EIGHTS_PLACE_HAND, player) < rules_count(state, EIGHTS_PLACE_HAND, winner))
            winner = player;
    }
    return winner;
}

/// A card is known to its owner in the hand, to all on the pile, and to no one in the stock.
bool eights_sees_cards_face(const eights_state *state, uint32_t card, int viewer)
{
    const eights_card *it = &state->cards[card];
    return it->place == EIGHTS_PLACE_PILE || (it->place == EIGHTS_PLACE_HAND && it->owner == viewer);
}

// --- The deal --------------------------------------------------------------------------------------------------------

/// The cards are shuffled and dealt, and one is turned up.
kifu_result eights_do_e_deal(kifu_timeline *timeline, const eights_state *state, const eights_e_deal *deal)
{
    const unsigned players = state->game.player_count, each = players == 2 ? 7 : 5;
    uint8_t faces[EIGHTS_CARDS_COUNT];
    if (!players)
        return kifu_fail(timeline, "no player has joined");
    for (uint8_t i = 0; i < EIGHTS_CARDS_COUNT; i++)
        faces[i] = (uint8_t)(i + 1);
    kifu_shuffle(timeline, faces, EIGHTS_CARDS_COUNT, 1);
    for (uint32_t i = 0; i < EIGHTS_CARDS_COUNT; i++) {
        const bool dealt = i < each * players;
        *eights_edit_cards(timeline, i) = (eights_card){
            .face = faces[i],
            .place = dealt ? EIGHTS_PLACE_HAND : EIGHTS_PLACE_STOCK,
            .owner = dealt ? (uint8_t)(i % players) : 0,
        };
    }
    const uint32_t top = each * players;
    *eights_edit_cards_place(timeline, top) = EIGHTS_PLACE_PILE;
    *eights_edit_top(timeline) = (uint8_t)top;
    *eights_edit_suit(timeline) = rules_suit(faces[top]);
    return KIFU_OK;
}

/// The pile becomes the stock, all but its top. These cards are new ones: no one knows where which of them lies.
kifu_result eights_do_e_turn_pile(kifu_timeline *timeline, const eights_state *state, const eights_e_turn_pile *turn)
{
    uint8_t faces[EIGHTS_CARDS_COUNT];
    uint32_t count = 0;
    for (uint32_t i = 0; i < EIGHTS_CARDS_COUNT; i++) {
        if (state->cards[i].place == EIGHTS_PLACE_PILE && i != state->top)
            faces[count++] = state->cards[i].face;
    }
    kifu_shuffle(timeline, faces, count, 1);
    for (uint32_t i = 0; i < EIGHTS_CARDS_COUNT; i++) {
        if (state->cards[i].place == EIGHTS_PLACE_PILE && i != state->top)
            *eights_edit_cards(timeline, i) = (eights_card){.face = faces[--count], .place = EIGHTS_PLACE_STOCK};
    }
    return KIFU_OK;
}

// --- Moves -----------------------------------------------------------------------------------------------------------

// There is a card to draw while there are any but those in the hands.
static void keep_stock(kifu_timeline *timeline, const eights_state *state)
{
    if (rules_top_of_stock(state) == NO_CARD && rules_count(state, EIGHTS_PLACE_PILE, -1) > 1)
        eights_submit_e_turn_pile(timeline);
}

static void end_turn(kifu_timeline *timeline, const eights_state *state)
{
    *eights_edit_drawn(timeline) = false;
    kifu_next_turn(timeline, &state->game);
}

/// A player plays a card of the hand.
kifu_verdict eights_check_p_play(kifu_timeline *timeline, const eights_state *state, eights_p_play *play)
{
    const int player = kifu_player(timeline);
    if (player != kifu_current_player(&state->game))
        return kifu_reject("it is another player's turn");
    if (play->card >= EIGHTS_CARDS_COUNT || state->cards[play->card].place != EIGHTS_PLACE_HAND ||
        state->cards[play->card].owner != player)
        return kifu_reject("this card is not in the player's hand");
    if (!rules_follows(state, player, play->card))
        return kifu_reject("the card has neither the suit nor the rank, and is no eight");
    if (rules_rank(state->cards[play->card].face) != EIGHT)
        play->suit = rules_suit(state->cards[play->card].face);
    return kifu_accept();
}

kifu_result eights_do_p_play(kifu_timeline *timeline, const eights_state *state, const eights_p_play *play)
{
    const int player = kifu_player(timeline);
    *eights_edit_cards_place(timeline, play->card) = EIGHTS_PLACE_PILE;
    *eights_edit_top(timeline) = play->card;
    *eights_edit_suit(timeline) = play->suit;
    *eights_edit_passes(timeline) = 0;
    keep_stock(timeline, state);
    if (rules_count(state, EIGHTS_PLACE_HAND, player))
        end_turn(timeline, state);
    else
        eights_submit_e_end_game(timeline);
    return KIFU_OK;
}

void eights_list_p_play(const kifu_timeline *timeline, const eights_state *state, int player, kifu_moves *moves)
{
    for (uint8_t card = 0; card < EIGHTS_CARDS_COUNT; card++) {
        if (!rules_follows(state, player, card))
            continue;
        const bool eight = rules_rank(state->cards[card].face) == EIGHT;
        const eights_suit own = rules_suit(state->cards[card].face);
        for (eights_suit suit = eight ? 0 : own; suit <= (eight ? EIGHTS_SUIT_SPADES : own); suit++)
            eights_add_p_play(moves, card, suit);
    }
}

/// A player draws the card on top of the stock.
kifu_verdict eights_check_p_draw(kifu_timeline *timeline, const eights_state *state, eights_p_draw *draw)
{
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is another player's turn");
    if (!rules_can_draw(state))
        return kifu_reject(state->drawn ? "a player draws once a turn" : "there is no card to draw");
    return kifu_accept();
}

kifu_result eights_do_p_draw(kifu_timeline *timeline, const eights_state *state, const eights_p_draw *draw)
{
    const uint32_t card = rules_top_of_stock(state); // of an event that was not checked, perhaps none
    if (card == NO_CARD)
        return kifu_fail(timeline, "the stock is empty");
    *eights_edit_cards_place(timeline, card) = EIGHTS_PLACE_HAND;
    *eights_edit_cards_owner(timeline, card) = (uint8_t)kifu_player(timeline);
    *eights_edit_drawn(timeline) = true;
    keep_stock(timeline, state);
    return KIFU_OK;
}

void eights_list_p_draw(const kifu_timeline *timeline, const eights_state *state, int player, kifu_moves *moves)
{
    eights_add_p_draw(moves);
}

/// A player who has drawn, or cannot, does not play.
kifu_verdict eights_check_p_pass(kifu_timeline *timeline, const eights_state *state, eights_p_pass *pass)
{
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is another player's turn");
    if (rules_can_draw(state))
        return kifu_reject("draw a card first");
    return kifu_accept();
}

kifu_result eights_do_p_pass(kifu_timeline *timeline, const eights_state *state, const eights_p_pass *pass)
{
    // With cards to draw, a round of passes ends nothing.
    const uint8_t passes = rules_top_of_stock(state) == NO_CARD ? (uint8_t)(state->passes + 1) : 0;
    *eights_edit_passes(timeline) = passes;
    end_turn(timeline, state);
    if (passes >= state->game.player_count)
        eights_submit_e_end_game(timeline); // no one can go on
    return KIFU_OK;
}

void eights_list_p_pass(const kifu_timeline *timeline, const eights_state *state, int player, kifu_moves *moves)
{
    eights_add_p_pass(moves);
}
