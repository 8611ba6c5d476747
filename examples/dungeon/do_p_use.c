#include "dungeon.h"
#include "kinds.h"
#include "rules.h"

kifu_verdict dungeon_check_p_use(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_use *use)
{
    const char *why = rules_why_not_act(timeline, state, use->actor);
    if (!why)
        why = rules_why_not_have(state, use->actor, use->item);
    return why ? kifu_reject(why) : kifu_accept();
}

/// Using an item becomes what the item does. A Do function can find that out, too: what it did so far is taken back,
/// and the other event is tried in its place. So no PUse is ever in the log.
kifu_result dungeon_do_p_use(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_use *use)
{
    const dungeon_item *item = dungeon_get_items(state, use->item);
    if (!item)
        return kifu_fail(timeline, "there is no such thing in the pack");
    const item_kind *kind = &things[item->thing];
    int player = kifu_player(timeline);
    switch (kind->use) {
    case USE_DRINK:
        return kifu_fail_instead(timeline, dungeon_submit_p_drink(timeline, player, use->actor, use->item));
    case USE_WEAPON:
    case USE_ARMOUR:
        return kifu_fail_instead(timeline, dungeon_submit_p_wear(timeline, player, use->actor, use->item));
    case USE_CAST:
        return kifu_fail_instead(timeline, dungeon_submit_p_cast(timeline, player, use->actor, kind->spell,
                                                                 rules_nearest_enemy(state, use->actor), use->item));
    case USE_NOTHING:
    default:
        return kifu_fail(timeline, "that is of no use, only beautiful");
    }
}
