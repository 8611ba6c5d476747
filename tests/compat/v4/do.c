// The rules of the camp, version 4.

#include "camp.h"

kifu_verdict camp_check_p_harvest(kifu_timeline *timeline, const camp_state *state, camp_p_harvest *harvest)
{
    (void)timeline;
    (void)state;
    uint32_t amount = 0;
    for (uint32_t i = 0; i < camp_p_harvest_goods_count(harvest); i++)
        amount += camp_p_harvest_goods(harvest)[i].amount;
    return amount ? kifu_accept() : kifu_reject("nothing to gather");
}

static void store(kifu_timeline *timeline, camp_kind kind, int amount)
{
    if (kind == CAMP_KIND_FOOD)
        *camp_edit_food(timeline) += amount;
    else if (kind == CAMP_KIND_WOOD)
        *camp_edit_wood(timeline) += amount;
    else
        *camp_edit_stone(timeline) += amount;
}

kifu_result camp_do_p_harvest(kifu_timeline *timeline, const camp_state *state, const camp_p_harvest *harvest)
{
    static const char *const guests[] = {"all"};
    (void)state;
    for (uint32_t i = 0; i < camp_p_harvest_goods_count(harvest); i++)
        store(timeline, camp_p_harvest_goods(harvest)[i].kind, camp_p_harvest_goods(harvest)[i].amount);
    *camp_edit_skill(timeline) += harvest->skill;
    *camp_edit_luck(timeline) += harvest->has_luck ? harvest->luck : 100;
    camp_submit_e_meal(timeline, 2, guests, 1);
    return KIFU_OK;
}

kifu_verdict camp_check_p_discover(kifu_timeline *timeline, const camp_state *state, camp_p_discover *discover)
{
    (void)timeline;
    (void)state;
    (void)discover;
    return kifu_accept();
}

kifu_result camp_do_p_discover(kifu_timeline *timeline, const camp_state *state, const camp_p_discover *discover)
{
    (void)state;
    const camp_loot *loot = camp_p_discover_loot(discover);
    int spirits = 0;
    for (uint32_t i = 0; i < camp_loot_items_count(loot); i++) {
        const camp_item *item = camp_loot_items(loot, i);
        store(timeline, item->kind, item->count);
        *camp_edit_weight(timeline) += (double)item->count * (double)item->weight;
        spirits += (int)camp_item_name_length(item) + (int)camp_item_tags_count(item);
    }
    for (uint32_t i = 0; i < camp_p_discover_signs_count(discover); i++)
        spirits += (int)camp_p_discover_signs_length(discover, i);
    const camp_mate *mate = camp_p_discover_mate(discover);
    if (mate)
        spirits += 10 * (int)camp_mate_name_length(mate) + mate->level;
    for (uint32_t i = 0; i < camp_loot_route_count(loot); i++)
        spirits += camp_loot_route(loot)[i];
    *camp_edit_spirits(timeline) += spirits;
    return KIFU_OK;
}

kifu_result camp_do_e_meal(kifu_timeline *timeline, const camp_state *state, const camp_e_meal *meal)
{
    (void)state;
    *camp_edit_food(timeline) -= meal->portions;
    return KIFU_OK;
}

kifu_result camp_do_e_storm(kifu_timeline *timeline, const camp_state *state, const camp_e_storm *storm)
{
    *camp_edit_wood(timeline) -= storm->strength;
    *camp_edit_storms(timeline) = (uint8_t)(state->storms + 1);
    return KIFU_OK;
}
