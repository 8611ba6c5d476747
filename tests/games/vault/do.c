#include "vault.h"

// --- Who sees what ---------------------------------------------------------------------------------------------------

bool vault_sees_hands_cards_kind(const vault_state *state, uint32_t hand, uint32_t card, int viewer)
{
    return state->hands[hand].cards[card].open || viewer == (int)hand;
}

bool vault_sees_hands_cards_marks(const vault_state *state, uint32_t hand, uint32_t card, uint32_t mark, int viewer)
{
    return mark < 2 && vault_sees_hands_cards_kind(state, hand, card, viewer);
}

bool vault_sees_deck_kind(const vault_state *state, uint32_t deck_index, int viewer)
{
    (void)viewer;
    return state->deck[deck_index].open;
}

bool vault_sees_deck_marks(const vault_state *state, uint32_t deck_index, uint32_t mark, int viewer)
{
    (void)mark;
    return vault_sees_deck_kind(state, deck_index, viewer);
}

bool vault_sees_goal(const vault_state *state, int viewer)
{
    (void)state;
    return viewer < 0;
}

bool vault_sees_spot(const vault_state *state, int viewer)
{
    (void)state;
    return viewer == 1;
}

bool vault_sees_guards_strength(const vault_state *state, uint32_t guard, int viewer)
{
    return viewer == 0 && state->guards[guard].slot.generation % 2;
}

// --- Events ----------------------------------------------------------------------------------------------------------

kifu_result vault_do_e_deal(kifu_timeline *timeline, const vault_state *state, const vault_e_deal *deal)
{
    (void)state;
    if (deal->to < 0)
        *vault_edit_deck(timeline, deal->place) = deal->card;
    else
        *vault_edit_hands_cards(timeline, (uint32_t)deal->to, deal->place) = deal->card;
    return KIFU_OK;
}

kifu_verdict vault_check_p_open(kifu_timeline *timeline, const vault_state *state, vault_p_open *open)
{
    const int player = kifu_player(timeline); // anyone, where no player has joined
    if (player < 0 || player >= VAULT_HANDS_COUNT || open->card >= VAULT_HAND_CARDS_COUNT)
        return kifu_reject("there is no such card");
    return state->hands[player].cards[open->card].open ? kifu_reject("it is open") : kifu_accept();
}

void vault_list_p_open(const kifu_timeline *timeline, const vault_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    (void)state;
    (void)player;
    for (uint8_t card = 0; card < VAULT_HAND_CARDS_COUNT; card++)
        vault_add_p_open(moves, card);
}

kifu_result vault_do_p_open(kifu_timeline *timeline, const vault_state *state, const vault_p_open *open)
{
    (void)state;
    *vault_edit_hands_cards_open(timeline, (uint32_t)kifu_player(timeline), open->card) = true;
    return KIFU_OK;
}

kifu_verdict vault_check_p_choose(kifu_timeline *timeline, const vault_state *state, vault_p_choose *choose)
{
    (void)timeline;
    (void)state;
    (void)choose;
    return kifu_accept();
}

kifu_result vault_do_p_choose(kifu_timeline *timeline, const vault_state *state, const vault_p_choose *choose)
{
    (void)state;
    *vault_edit_goal(timeline) = choose->goal;
    return KIFU_OK;
}

kifu_verdict vault_check_p_peek(kifu_timeline *timeline, const vault_state *state, vault_p_peek *peek)
{
    (void)timeline;
    (void)state;
    return peek->card < VAULT_DECK_COUNT ? kifu_accept() : kifu_reject("there is no such card");
}

kifu_result vault_do_p_peek(kifu_timeline *timeline, const vault_state *state, const vault_p_peek *peek)
{
    (void)state;
    (void)peek;
    kifu_reveal(timeline);
    return KIFU_OK;
}
