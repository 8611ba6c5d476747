// What the events of versions 1 to 3 are in version 4.

#include "camp.h"

enum { MOST = 8 };

kifu_result camp_upcast_p_gather(kifu_timeline *timeline, const camp_p_gather *gather)
{
    const camp_good good = {.kind = gather->kind, .amount = gather->amount};
    camp_submit_p_harvest(timeline, kifu_player(timeline), &good, 1, gather->skill,
                          gather->has_luck ? &gather->luck : NULL);
    return KIFU_OK;
}

static camp_item_args args_of(const camp_item *item, const char **tags)
{
    camp_item_args args = {
        .kind = item->kind, .count = item->count, .name = camp_item_name(item), .weight = item->weight};
    for (; args.tags_count < camp_item_tags_count(item) && args.tags_count < MOST; args.tags_count++)
        tags[args.tags_count] = camp_item_tags(item, args.tags_count);
    args.tags = tags;
    return args;
}

kifu_result camp_upcast_p_find(kifu_timeline *timeline, const camp_p_find *find)
{
    camp_item_args items[MOST];
    const char *tags[MOST][MOST], *signs[2];
    uint32_t count = camp_p_find_items_count(find), sign_count = 0;
    if (count >= MOST)
        return kifu_fail(timeline, "nobody ever found that many things");
    for (uint32_t i = 0; i < count; i++)
        items[i] = args_of(camp_p_find_items(find, i), tags[i]);
    if (camp_p_find_best(find))
        items[count] = args_of(camp_p_find_best(find), tags[count]), count++;
    if (camp_p_find_place(find))
        signs[sign_count++] = camp_p_find_place(find);
    if (camp_p_find_note(find))
        signs[sign_count++] = camp_p_find_note(find);
    const camp_mate *mate = camp_p_find_mate(find);
    const camp_mate_args the_mate = {.name = mate ? camp_mate_name(mate) : NULL, .level = mate ? mate->level : 0};
    const camp_loot_args loot = {.items = items,
                                 .items_count = count,
                                 .route = camp_p_find_route(find),
                                 .route_count = camp_p_find_route_count(find)};
    camp_submit_p_discover(timeline, kifu_player(timeline), &loot, signs, sign_count, mate ? &the_mate : NULL);
    return KIFU_OK;
}

/// From rules version 2 on, everyone ate double. What is eaten stands in the event now.
kifu_result camp_upcast_e_eat(kifu_timeline *timeline, const camp_e_eat *eat)
{
    const char *who = camp_e_eat_who(eat);
    const uint32_t each = kifu_rules_version(timeline) >= 2 ? 2 : 1;
    camp_submit_e_meal(timeline, (uint16_t)(eat->amount * each), who ? &who : NULL, who ? 1 : 0);
    return KIFU_OK;
}
