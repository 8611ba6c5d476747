#include "play.h"

#include "seeded.h"

static void gather(kifu_timeline *timeline, int player, camp_kind kind, uint16_t amount, int16_t skill,
                   const int32_t *luck)
{
#if CAMP_VERSION >= 4
    const camp_good good = {.kind = kind, .amount = amount};
    camp_submit_p_harvest(timeline, player, &good, 1, skill, luck);
#elif CAMP_VERSION >= 2
    camp_submit_p_gather(
        timeline, player,
        &(camp_p_gather_args){
            .kind = kind, .amount = amount, .skill = skill, .has_luck = luck != NULL, .luck = luck ? *luck : 0});
#else
    (void)skill;
    (void)luck;
    camp_submit_p_gather(timeline, player, kind, amount);
#endif
}

static void find(kifu_timeline *timeline)
{
#if CAMP_VERSION >= 3
    static const char *const tags[] = {"red", "sweet"};
    static const uint16_t route[] = {1, 2, 3};
    const camp_item_args items[] = {
        {.kind = CAMP_KIND_FOOD, .count = 2, .name = "berries", .weight = 0.25f, .tags = tags, .tags_count = 2},
        {.kind = CAMP_KIND_WOOD, .count = 1, .weight = 1.5f},
    };
    const camp_item_args best = {.kind = CAMP_KIND_FOOD, .count = 4, .name = "fish", .weight = 2.0f};
    const camp_mate_args mate = {.name = "Ada", .level = 2};
#if CAMP_VERSION >= 4
    static const char *const signs[] = {"river", "dry"};
    const camp_item_args all[] = {items[0], items[1], best};
    const camp_loot_args loot = {.items = all, .items_count = 3, .route = route, .route_count = 3};
    camp_submit_p_discover(timeline, 0, &loot, signs, 2, &mate);
#else
    camp_submit_p_find(timeline, 0,
                       &(camp_p_find_args){.items = items,
                                           .items_count = 2,
                                           .best = &best,
                                           .place = "river",
                                           .note = "dry",
                                           .mate = &mate,
                                           .route = route,
                                           .route_count = 3});
#endif
#else
    const camp_item_args items[] = {
        {.kind = CAMP_KIND_FOOD, .count = 2, .name = "berries"},
        {.kind = CAMP_KIND_WOOD, .count = 1},
    };
    const camp_item_args best = {.kind = CAMP_KIND_FOOD, .count = 4, .name = "fish"};
#if CAMP_VERSION >= 2
    const camp_mate_args mate = {.name = "Ada", .level = 2};
    camp_submit_p_find(
        timeline, 0,
        &(camp_p_find_args){
            .items = items, .items_count = 2, .best = &best, .place = "river", .note = "dry", .mate = &mate});
#else
    camp_submit_p_find(timeline, 0, items, 2, &best, "river");
#endif
#endif
}

kifu_result play(kifu_timeline *timeline, play_kind kind)
{
    const int32_t luck = 8;
    camp_submit_e_reset_game(timeline);
    camp_submit_e_add_player(timeline, 0, 0xC00000);
    camp_submit_e_add_player(timeline, 1, 0x0000C0);
    camp_submit_e_initialize(timeline, SEEDED(42));
    gather(timeline, 0, CAMP_KIND_FOOD, 5, 4, &luck);
    gather(timeline, 1, CAMP_KIND_WOOD, 3, 5, NULL);
    find(timeline);
#if CAMP_VERSION >= 2
    if (kind == PLAY_STORM)
        camp_submit_e_storm(timeline, &(camp_e_storm_args){.strength = 2});
#endif
#if CAMP_VERSION >= 3
    if (kind == PLAY_STONE)
        gather(timeline, 1, CAMP_KIND_STONE, 2, 1, NULL);
#endif
    kifu_result result = kifu_run(timeline);
    if (result)
        return result;
    gather(timeline, 0, CAMP_KIND_FOOD, 2, 6, NULL);
    if (kind == PLAY_WAITING) {
        gather(timeline, 1, CAMP_KIND_WOOD, 9, 7, NULL);
        return kifu_step(timeline);
    }
    result = kifu_run(timeline);
    return result ? result : kifu_undo(timeline);
}
