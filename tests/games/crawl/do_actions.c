// Actions: of heroes and monsters alike.

#include "hooks.h"

// Whoever acts must be there.
static kifu_verdict alive(const crawl_state *state, kifu_handle actor)
{
    return crawl_get_actors(state, actor) ? kifu_accept() : kifu_reject("it is dead");
}

kifu_verdict crawl_check_p_move(kifu_timeline *timeline, const crawl_state *state, crawl_p_move *move)
{
    const crawl_actor *who = crawl_get_actors(state, move->actor);
    if (!who)
        return kifu_reject("it is dead");
    if (!move->dx && !move->dy)
        return kifu_instead(crawl_submit_p_rest(timeline, kifu_player(timeline), move->actor));
    int x = who->x + move->dx, y = who->y + move->dy;
    if (x < 0 || x > 7 || y < 0 || y > 7 || state->tiles[8 * y + x] == CRAWL_TILE_WALL)
        return kifu_reject("there is a wall");
    if (state->tiles[8 * y + x] == CRAWL_TILE_DOOR)
        return kifu_instead(crawl_submit_e_open(timeline, move->actor, (uint8_t)(8 * y + x)));
    kifu_handle other = crawl_who(state, (uint32_t)x, (uint32_t)y);
    return other ? kifu_instead(crawl_submit_e_strike(timeline, move->actor, other)) : kifu_accept();
}

kifu_result crawl_do_p_move(kifu_timeline *timeline, const crawl_state *state, const crawl_p_move *move)
{
    const crawl_actor *who = crawl_get_actors(state, move->actor);
    *crawl_edit_actors_x(timeline, move->actor) = (uint8_t)(who->x + move->dx);
    *crawl_edit_actors_y(timeline, move->actor) = (uint8_t)(who->y + move->dy);
    crawl_count(timeline, state, move->actor);
    return KIFU_OK;
}

kifu_verdict crawl_check_p_rest(kifu_timeline *timeline, const crawl_state *state, crawl_p_rest *rest)
{
    (void)timeline;
    return alive(state, rest->actor);
}

kifu_result crawl_do_p_rest(kifu_timeline *timeline, const crawl_state *state, const crawl_p_rest *rest)
{
    crawl_count(timeline, state, rest->actor);
    return KIFU_OK;
}

kifu_verdict crawl_check_p_use(kifu_timeline *timeline, const crawl_state *state, crawl_p_use *use)
{
    (void)timeline;
    const crawl_actor *who = crawl_get_actors(state, use->actor);
    if (!who)
        return kifu_reject("it is dead");
    return who->item == CRAWL_ITEM_NONE ? kifu_reject("its hands are empty") : kifu_accept();
}

// What an item does, its use becomes: found out in Do, which has used it up by then, for the sake of the test.
kifu_result crawl_do_p_use(kifu_timeline *timeline, const crawl_state *state, const crawl_p_use *use)
{
    crawl_item item = (crawl_item)crawl_get_actors(state, use->actor)->item;
    *crawl_edit_actors_item(timeline, use->actor) = CRAWL_ITEM_NONE;
    kifu_random_below(timeline, 100);
    if (item == CRAWL_ITEM_POTION)
        return kifu_fail_instead(timeline, crawl_submit_e_drink(timeline, use->actor));
    return kifu_fail_instead(timeline, crawl_submit_e_burn(timeline, use->actor));
}

kifu_result crawl_do_e_open(kifu_timeline *timeline, const crawl_state *state, const crawl_e_open *open)
{
    if (open->tile >= 64)
        return kifu_fail(timeline, "there is no such tile");
    *crawl_edit_tiles(timeline, open->tile) = CRAWL_TILE_FLOOR;
    crawl_count(timeline, state, open->actor);
    kifu_set_cost(timeline, 50);
    return KIFU_OK;
}

kifu_result crawl_do_e_strike(kifu_timeline *timeline, const crawl_state *state, const crawl_e_strike *strike)
{
    if (!crawl_get_actors(state, strike->target))
        return kifu_fail(timeline, "nobody is there");
    crawl_hurt(timeline, state, strike->target, 1 + (int)kifu_random_below(timeline, 3));
    crawl_count(timeline, state, strike->actor);
    return KIFU_OK;
}

kifu_result crawl_do_e_drink(kifu_timeline *timeline, const crawl_state *state, const crawl_e_drink *drink)
{
    if (!crawl_get_actors(state, drink->actor))
        return kifu_fail(timeline, "it is dead");
    *crawl_edit_actors_item(timeline, drink->actor) = CRAWL_ITEM_NONE;
    *crawl_edit_actors_hp(timeline, drink->actor) = (int16_t)(crawl_get_actors(state, drink->actor)->hp + 5);
    crawl_count(timeline, state, drink->actor);
    return KIFU_OK;
}

kifu_result crawl_do_e_burn(kifu_timeline *timeline, const crawl_state *state, const crawl_e_burn *burn)
{
    const crawl_actor *who = crawl_get_actors(state, burn->actor);
    if (!who)
        return kifu_fail(timeline, "it is dead");
    *crawl_edit_actors_item(timeline, burn->actor) = CRAWL_ITEM_NONE;
    for (kifu_handle each = 0; (each = crawl_next_actors(state, each)) != 0;) {
        const crawl_actor *other = crawl_get_actors(state, each);
        int dx = other->x - who->x, dy = other->y - who->y;
        if (dx * dx <= 1 && dy * dy <= 1)
            crawl_hurt(timeline, state, each, 3);
    }
    crawl_count(timeline, state, burn->actor);
    return KIFU_OK;
}

kifu_verdict crawl_check_p_pull(kifu_timeline *timeline, const crawl_state *state, crawl_p_pull *pull)
{
    (void)timeline;
    return alive(state, pull->actor);
}

kifu_result crawl_do_p_pull(kifu_timeline *timeline, const crawl_state *state, const crawl_p_pull *pull)
{
    crawl_count(timeline, state, pull->actor);
    return kifu_postpone(timeline, crawl_submit_e_open_all(timeline), state->turns.turn + pull->turns, pull->actor);
}

kifu_result crawl_do_e_open_all(kifu_timeline *timeline, const crawl_state *state, const crawl_e_open_all *open)
{
    (void)open;
    for (uint32_t i = 0; i < 64; i++) {
        if (state->tiles[i] == CRAWL_TILE_DOOR)
            *crawl_edit_tiles(timeline, i) = CRAWL_TILE_FLOOR;
    }
    return KIFU_OK;
}

kifu_verdict crawl_check_p_any(kifu_timeline *timeline, const crawl_state *state, crawl_p_any *any)
{
    (void)state;
    const crawl_hooks *hooks = kifu_user(timeline);
    return hooks && hooks->in_check ? hooks->in_check(timeline, any->actor, any->number) : kifu_accept();
}

kifu_result crawl_do_p_any(kifu_timeline *timeline, const crawl_state *state, const crawl_p_any *any)
{
    crawl_count(timeline, state, any->actor);
    const crawl_hooks *hooks = kifu_user(timeline);
    return hooks && any->what < 16 && hooks->in_do[any->what]
               ? hooks->in_do[any->what](timeline, any->actor, any->number)
               : KIFU_OK;
}

static bool is_anybody_near(const crawl_state *state, kifu_handle actor)
{
    const crawl_actor *who = crawl_get_actors(state, actor);
    for (kifu_handle each = 0; (each = crawl_next_actors(state, each)) != 0;) {
        const crawl_actor *other = crawl_get_actors(state, each);
        int dx = other->x - who->x, dy = other->y - who->y;
        if (each != actor && dx * dx <= 1 && dy * dy <= 1)
            return true;
    }
    return false;
}

kifu_verdict crawl_check_p_run(kifu_timeline *timeline, const crawl_state *state, crawl_p_run *run)
{
    if (!crawl_get_actors(state, run->actor))
        return kifu_reject("it is dead");
    if (is_anybody_near(state, run->actor))
        return kifu_reject("somebody is near");
    if (run->left) {
        run->left--;
        kifu_go_on(timeline, run->by_step ? KIFU_UNDO_BY_STEP : KIFU_UNDO_BY_ACTION);
    }
    return kifu_instead(crawl_submit_p_move(timeline, kifu_player(timeline), run->actor, run->dx, run->dy));
}

kifu_result crawl_do_p_run(kifu_timeline *timeline, const crawl_state *state, const crawl_p_run *run)
{
    (void)state;
    (void)run;
    return kifu_fail(timeline, "a run is its steps");
}

kifu_verdict crawl_check_p_sleep(kifu_timeline *timeline, const crawl_state *state, crawl_p_sleep *sleep)
{
    const crawl_actor *who = crawl_get_actors(state, sleep->actor);
    if (!who)
        return kifu_reject("it is dead");
    if (who->hp >= 5)
        return kifu_reject("it is well");
    kifu_go_on(timeline, KIFU_UNDO_BY_ACTION);
    return kifu_accept();
}

kifu_result crawl_do_p_sleep(kifu_timeline *timeline, const crawl_state *state, const crawl_p_sleep *sleep)
{
    const crawl_actor *who = crawl_get_actors(state, sleep->actor);
    if (!who)
        return kifu_fail(timeline, "it is dead");
    *crawl_edit_actors_hp(timeline, sleep->actor) = (int16_t)(who->hp + 1);
    crawl_count(timeline, state, sleep->actor);
    return KIFU_OK;
}

kifu_result crawl_do_e_scare(kifu_timeline *timeline, const crawl_state *state, const crawl_e_scare *scare)
{
    (void)state;
    kifu_interrupt(timeline, scare->actor);
    return scare->flaw ? kifu_fail(timeline, "nobody is afraid of that") : KIFU_OK;
}
