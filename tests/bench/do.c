/// The rules of the benchmark's game: what workload.h does by hand, through Kifu's edits.
#include "mix.h"

kifu_verdict mix_check_p_move(kifu_timeline *timeline, const mix_state *state, mix_p_move *move)
{
    (void)timeline;
    (void)state;
    if (move->unit >= 64)
        return kifu_reject("there is no such unit");
    return kifu_accept();
}

kifu_result mix_do_p_move(kifu_timeline *timeline, const mix_state *state, const mix_p_move *move)
{
    (void)state;
    mix_unit *unit = mix_edit_units(timeline, move->unit);
    unit->x = move->x;
    unit->y = move->y;
    return KIFU_OK;
}

kifu_result mix_do_e_damage(kifu_timeline *timeline, const mix_state *state, const mix_e_damage *damage)
{
    mix_unit *hit = mix_edit_units(timeline, damage->target);
    (void)state;
    hit->health = (int16_t)(hit->health > damage->amount ? hit->health - damage->amount : 1000);
    hit->hits++;
    return KIFU_OK;
}

kifu_result mix_do_e_draw(kifu_timeline *timeline, const mix_state *state, const mix_e_draw *draw)
{
    const uint16_t *cards = mix_e_draw_cards(draw);
    uint32_t count = mix_e_draw_cards_count(draw);
    uint32_t value = 0;
    (void)state;
    for (uint32_t i = 0; i < count; i++)
        value += cards[i];
    mix_hand *hand = mix_edit_hands(timeline, draw->hand);
    hand->cards += count;
    hand->value += value;
    return KIFU_OK;
}

kifu_result mix_do_e_round(kifu_timeline *timeline, const mix_state *state, const mix_e_round *round)
{
    (void)state;
    *mix_edit_number(timeline) = round->number;
    return KIFU_OK;
}

kifu_verdict mix_check_p_chat(kifu_timeline *timeline, const mix_state *state, mix_p_chat *chat)
{
    (void)timeline;
    (void)state;
    if (mix_p_chat_text_length(chat) > 200)
        return kifu_reject("that is too long");
    return kifu_accept();
}

kifu_result mix_do_p_chat(kifu_timeline *timeline, const mix_state *state, const mix_p_chat *chat)
{
    (void)state;
    *mix_edit_chat_bytes(timeline) += mix_p_chat_text_length(chat);
    return KIFU_OK;
}
