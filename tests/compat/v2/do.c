// The rules of the camp, version 2.

#include "camp.h"

kifu_verdict camp_check_p_gather(kifu_timeline *timeline, const camp_state *state, camp_p_gather *gather)
{
    (void)timeline;
    (void)state;
    return gather->amount ? kifu_accept() : kifu_reject("nothing to gather");
}

static void store(kifu_timeline *timeline, camp_kind kind, int amount)
{
    if (kind == CAMP_KIND_FOOD)
        *camp_edit_food(timeline) += amount;
    else
        *camp_edit_wood(timeline) += amount;
}

kifu_result camp_do_p_gather(kifu_timeline *timeline, const camp_state *state, const camp_p_gather *gather)
{
    (void)state;
    store(timeline, gather->kind, gather->amount);
    *camp_edit_skill(timeline) += gather->skill;
    *camp_edit_luck(timeline) += gather->has_luck ? gather->luck : 100;
    camp_submit_e_eat(timeline, &(camp_e_eat_args){.amount = 1, .who = "all"});
    return KIFU_OK;
}

static void store_item(kifu_timeline *timeline, const camp_item *item)
{
    store(timeline, item->kind, item->count);
    *camp_edit_spirits(timeline) += (int)camp_item_name_length(item);
}

kifu_verdict camp_check_p_find(kifu_timeline *timeline, const camp_state *state, camp_p_find *find)
{
    (void)timeline;
    (void)state;
    (void)find;
    return kifu_accept();
}

kifu_result camp_do_p_find(kifu_timeline *timeline, const camp_state *state, const camp_p_find *find)
{
    (void)state;
    for (uint32_t i = 0; i < camp_p_find_items_count(find); i++)
        store_item(timeline, camp_p_find_items(find, i));
    if (camp_p_find_best(find))
        store_item(timeline, camp_p_find_best(find));
    int spirits = (int)camp_p_find_place_length(find) + (int)camp_p_find_note_length(find);
    const camp_mate *mate = camp_p_find_mate(find);
    if (mate)
        spirits += 10 * (int)camp_mate_name_length(mate) + mate->level;
    *camp_edit_spirits(timeline) += spirits;
    return KIFU_OK;
}

kifu_result camp_do_e_eat(kifu_timeline *timeline, const camp_state *state, const camp_e_eat *eat)
{
    (void)state;
    *camp_edit_food(timeline) -= eat->amount;
    return KIFU_OK;
}

kifu_result camp_do_e_storm(kifu_timeline *timeline, const camp_state *state, const camp_e_storm *storm)
{
    *camp_edit_wood(timeline) -= storm->strength;
    *camp_edit_storms(timeline) = (uint8_t)(state->storms + 1);
    return KIFU_OK;
}
