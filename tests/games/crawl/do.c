// What happens in the crawl besides actions.

#include "hooks.h"

kifu_handle crawl_who(const crawl_state *state, uint32_t x, uint32_t y)
{
    for (kifu_handle each = 0; (each = crawl_next_actors(state, each)) != 0;) {
        const crawl_actor *actor = crawl_get_actors(state, each);
        if (actor->x == x && actor->y == y)
            return each;
    }
    return KIFU_NO_HANDLE;
}

void crawl_hurt(kifu_timeline *timeline, const crawl_state *state, kifu_handle actor, int amount)
{
    int hp = crawl_get_actors(state, actor)->hp - amount;
    *crawl_edit_actors_hp(timeline, actor) = (int16_t)hp;
    if (hp <= 0)
        crawl_submit_e_die(timeline, actor);
}

void crawl_count(kifu_timeline *timeline, const crawl_state *state, kifu_handle actor)
{
    const crawl_actor *who = crawl_get_actors(state, actor);
    if (who)
        *crawl_edit_actors_acted(timeline, actor) = who->acted + 1;
}

kifu_result crawl_do_e_build(kifu_timeline *timeline, const crawl_state *state, const crawl_e_build *build)
{
    (void)state;
    (void)build;
    for (uint32_t i = 0; i < 8; i++) {
        *crawl_edit_tiles(timeline, i) = CRAWL_TILE_WALL;
        *crawl_edit_tiles(timeline, 56 + i) = CRAWL_TILE_WALL;
        *crawl_edit_tiles(timeline, 8 * i) = CRAWL_TILE_WALL;
        *crawl_edit_tiles(timeline, 8 * i + 7) = CRAWL_TILE_WALL;
        *crawl_edit_tiles(timeline, 8 * i + 4) = i == 3 ? CRAWL_TILE_DOOR : CRAWL_TILE_WALL;
    }
    return KIFU_OK;
}

kifu_verdict crawl_check_e_spawn(kifu_timeline *timeline, const crawl_state *state, crawl_e_spawn *spawn)
{
    (void)timeline;
    return crawl_who(state, spawn->x, spawn->y) ? kifu_reject("somebody stands there") : kifu_accept();
}

kifu_result crawl_do_e_spawn(kifu_timeline *timeline, const crawl_state *state, const crawl_e_spawn *spawn)
{
    (void)state;
    kifu_handle actor = crawl_spawn_actors(timeline);
    if (!actor)
        return kifu_fail(timeline, "the dungeon is full");
    *crawl_edit_actors_kind(timeline, actor) = spawn->kind;
    *crawl_edit_actors_item(timeline, actor) = spawn->item;
    *crawl_edit_actors_x(timeline, actor) = spawn->x;
    *crawl_edit_actors_y(timeline, actor) = spawn->y;
    *crawl_edit_actors_hp(timeline, actor) = spawn->hp;
    *crawl_edit_actors_actor_speed(timeline, actor) = spawn->speed;
    *crawl_edit_actors_actor_energy(timeline, actor) = spawn->energy;
    return KIFU_OK;
}

kifu_result crawl_do_e_die(kifu_timeline *timeline, const crawl_state *state, const crawl_e_die *die)
{
    const crawl_actor *dead = crawl_get_actors(state, die->actor);
    if (!dead)
        return KIFU_OK; // Twice in one breath.
    bool last = dead->kind == CRAWL_KIND_HERO;
    crawl_despawn_actors(timeline, die->actor);
    for (kifu_handle each = 0; (each = crawl_next_actors(state, each)) != 0;)
        last = last && crawl_get_actors(state, each)->kind != CRAWL_KIND_HERO;
    if (last)
        crawl_submit_e_end_game(timeline);
    return KIFU_OK;
}

kifu_verdict crawl_check_e_any(kifu_timeline *timeline, const crawl_state *state, crawl_e_any *any)
{
    (void)state;
    const crawl_hooks *hooks = kifu_user(timeline);
    return hooks && hooks->in_check ? hooks->in_check(timeline, KIFU_NO_HANDLE, any->number) : kifu_accept();
}

void crawl_subjects_e_any(const kifu_timeline *timeline, const crawl_state *state, const crawl_e_any *any,
                          crawl_e_any_subjects *subjects)
{
    (void)timeline;
    (void)state;
    subjects->number = (uint64_t)any->number;
}

kifu_result crawl_do_e_any(kifu_timeline *timeline, const crawl_state *state, const crawl_e_any *any)
{
    (void)state;
    const crawl_hooks *hooks = kifu_user(timeline);
    return hooks && any->what < 16 && hooks->in_do[any->what]
               ? hooks->in_do[any->what](timeline, KIFU_NO_HANDLE, any->number)
               : KIFU_OK;
}

static void ring(kifu_timeline *timeline, const crawl_state *state, uint32_t number)
{
    *crawl_edit_bells(timeline, state->bell_count % 16) = number;
    *crawl_edit_bell_count(timeline) = state->bell_count + 1;
}

kifu_result crawl_do_e_bell(kifu_timeline *timeline, const crawl_state *state, const crawl_e_bell *bell)
{
    ring(timeline, state, bell->number);
    return KIFU_OK;
}

kifu_verdict crawl_check_p_bell(kifu_timeline *timeline, const crawl_state *state, crawl_p_bell *bell)
{
    (void)timeline;
    (void)state;
    return bell->number == 13 ? kifu_reject("not that number") : kifu_accept();
}

kifu_result crawl_do_p_bell(kifu_timeline *timeline, const crawl_state *state, const crawl_p_bell *bell)
{
    ring(timeline, state, 1000 * (uint32_t)(kifu_player(timeline) + 1) + bell->number);
    return KIFU_OK;
}

kifu_result crawl_do_e_words(kifu_timeline *timeline, const crawl_state *state, const crawl_e_words *words)
{
    (void)words;
    *crawl_edit_words(timeline) = state->words + 1;
    return KIFU_OK;
}
