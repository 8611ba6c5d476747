// What random games of the crawl (tests/games/crawl) begin with, and what a likely move is: pools, game turns, timers.

#include "crawl.h"
#include "kifu_fuzz.h"

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    const kifu_e_initialize_args initialize = {
        .has_seed = true, .seed = kifu_rng_next(rng), .starting_player = KIFU_BY_LOT};
    crawl_submit_e_reset_game(timeline);
    crawl_submit_e_initialize(timeline, &initialize);
    crawl_submit_e_build(timeline);
    for (uint32_t i = 0; i < 6; i++)
        crawl_submit_e_spawn(timeline, &(crawl_e_spawn_args){.kind = (crawl_kind)(i % 3),
                                                             .item = (crawl_item)(i % 3),
                                                             .x = (uint8_t)(1 + i % 3),
                                                             .y = (uint8_t)(1 + i),
                                                             .hp = 9,
                                                             .speed = 40 + 30 * (int32_t)i,
                                                             .energy = 0});
    crawl_submit_e_start_round(timeline);
}

// A live actor, or KIFU_NO_HANDLE.
static kifu_handle any_actor(const crawl_state *state, kifu_rng *rng)
{
    kifu_handle actor = KIFU_NO_HANDLE;
    for (uint32_t left = kifu_rng_below(rng, 8) + 1; left > 0; left--)
        actor = crawl_next_actors(state, actor);
    return actor ? actor : crawl_next_actors(state, KIFU_NO_HANDLE);
}

static int8_t any_step(kifu_rng *rng)
{
    return (int8_t)((int)kifu_rng_below(rng, 3) - 1);
}

static kifu_ticket any_move(kifu_timeline *timeline, int player, kifu_handle actor, kifu_rng *rng)
{
    const int8_t x = any_step(rng), y = any_step(rng); // In a call, a compiler chooses their order.
    return crawl_submit_p_move(timeline, player, actor, x, y);
}

static kifu_ticket later(kifu_timeline *timeline, kifu_ticket ticket, kifu_rng *rng)
{
    const uint32_t turn = crawl_get_state(timeline)->turns.turn + kifu_rng_below(rng, 4);
    return kifu_postpone(timeline, ticket, turn, kifu_rng_below(rng, 3)) ? 0 : ticket;
}

static kifu_ticket input(kifu_timeline *timeline, kifu_rng *rng)
{
    const crawl_state *state = crawl_get_state(timeline);
    const kifu_handle actor = any_actor(state, rng);
    const uint32_t number = kifu_rng_below(rng, 20);
    switch (kifu_rng_below(rng, 12)) {
    case 0:
        return crawl_submit_e_spawn(timeline, &(crawl_e_spawn_args){.kind = CRAWL_KIND_RAT,
                                                                    .item = CRAWL_ITEM_BOMB,
                                                                    .x = (uint8_t)(1 + number % 6),
                                                                    .y = (uint8_t)(1 + number / 6),
                                                                    .hp = 4,
                                                                    .speed = (int32_t)number * 10,
                                                                    .energy = 0});
    case 1:
        return crawl_submit_e_die(timeline, actor);
    case 2:
        return crawl_submit_p_use(timeline, 0, actor);
    case 3:
        return crawl_submit_p_pull(timeline, 0, actor, number % 5);
    case 4:
        return later(timeline, crawl_submit_e_bell(timeline, number), rng);
    case 5:
        return later(timeline, crawl_submit_p_bell(timeline, 1, number), rng);
    case 6:
        return crawl_submit_e_cancel(timeline, number % 3);
    case 7:
        return crawl_submit_e_spend_energy(timeline, actor, number);
    case 8:
    case 9:
        return crawl_submit_e_begin_turn(timeline);
    default:
        return any_move(timeline, 0, actor, rng);
    }
}

static kifu_ticket decide(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor,
                          uint32_t attempt)
{
    (void)state;
    (void)attempt;
    kifu_rng *rng = (kifu_rng *)context;
    if (kifu_rng_below(rng, 4) == 0)
        return 0; // somebody has to be asked
    return any_move(timeline, -1, actor, rng);
}

const kifu_fuzz_hooks crawl_fuzz_hooks = {.begin = begin, .input = input, .decide = decide};
