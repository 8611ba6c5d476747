#include "game.h"

#include "rules.h"

kifu_result eights_begin(kifu_timeline *timeline, unsigned players, const uint64_t *seed)
{
    static const uint32_t colors[] = {KIFU_WHITE, KIFU_RED, KIFU_BLUE, KIFU_YELLOW};
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    initialize.has_seed = seed != NULL;
    initialize.seed = seed ? *seed : 0;
    eights_submit_e_reset_game(timeline);
    for (uint8_t i = 0; i < players && i < 4; i++)
        eights_submit_e_add_player(timeline, i, colors[i]);
    eights_submit_e_initialize(timeline, &initialize);
    eights_submit_e_deal(timeline);
    eights_submit_e_start_round(timeline);
    return kifu_run(timeline);
}

// How many cards of a suit are in this player's hand.
static int count_of(const eights_state *seen, int player, eights_suit suit)
{
    int count = 0;
    for (uint32_t i = 0; i < EIGHTS_CARDS_COUNT; i++) {
        const eights_card *card = &seen->cards[i];
        count += card->place == EIGHTS_PLACE_HAND && card->owner == player && rules_suit(card->face) == suit;
    }
    return count;
}

// Keeps eights for later, and names or leads to the suit of which the hand has most.
static int worth(const eights_state *seen, const kifu_move *move)
{
    if (move->type != EIGHTS_P_PLAY)
        return move->type == EIGHTS_P_DRAW ? -1 : -2;
    const eights_p_play *play = move->table;
    const bool eight = rules_rank(seen->cards[play->card].face) == EIGHT;
    return count_of(seen, move->player, play->suit) + (eight ? 0 : 60);
}

kifu_result eights_play(kifu_timeline *timeline)
{
    const int player = kifu_current_player(kifu_get_game(timeline));
    eights_state seen;
    kifu_moves moves = {0};
    kifu_result result = kifu_list_moves(timeline, player, &moves);
    const kifu_move *best = moves.count ? &moves.items[0] : NULL;
    eights_seen(eights_get_state(timeline), player, &seen);
    for (uint32_t i = 1; i < moves.count; i++) {
        if (worth(&seen, &moves.items[i]) > worth(&seen, best))
            best = &moves.items[i];
    }
    if (best)
        kifu_submit_move(timeline, best);
    kifu_free_moves(&moves);
    return result ? result : kifu_run(timeline);
}
