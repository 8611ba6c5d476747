// What happens in the hive: everything that changes which slots are free, in any order.

#include "hive.h"

enum { BEES = 120 }; // The others stay free, so that not every search is long.

static uint32_t first_free(const hive_bee *bees, uint32_t count)
{
    uint32_t index = 0;
    while (index < count && (bees[index].slot.generation & 1 || bees[index].slot.generation == 65534))
        index++;
    return index;
}

static void spawn(kifu_timeline *timeline, const hive_state *state, bool drone)
{
    const uint32_t expected =
        drone ? first_free(state->drones, HIVE_DRONES_COUNT) : first_free(state->bees, HIVE_BEES_COUNT);
    const kifu_handle handle = drone ? hive_spawn_drones(timeline) : hive_spawn_bees(timeline);
    const uint32_t full = drone ? HIVE_DRONES_COUNT : HIVE_BEES_COUNT;
    const uint32_t found = handle ? kifu_handle_index(handle) : full;
    if (found != expected)
        *hive_edit_wrong(timeline) = state->wrong + 1;
}

static void despawn(kifu_timeline *timeline, const hive_state *state, uint32_t index, bool drone)
{
    if (drone) {
        const kifu_handle handle = kifu__pool_handle_at(state, &hive__pool_drones, index % HIVE_DRONES_COUNT);
        if (handle)
            hive_despawn_drones(timeline, handle);
        return;
    }
    const kifu_handle handle = kifu__pool_handle_at(state, &hive__pool_bees, index);
    if (handle)
        hive_despawn_bees(timeline, handle);
}

// What no game should do, and what has always worked: frees a slot, or takes it, through a pointer to all of it, now or
// later in the same Do.
static uint16_t *open_slot(kifu_timeline *timeline, const hive_state *state, uint32_t index)
{
    return &((hive_bee *)kifu__edit(timeline, &state->bees[index], sizeof state->bees[index]))->slot.generation;
}

static void step(kifu_timeline *timeline, const hive_state *state, kifu_rng *rng, uint16_t **opened)
{
    const uint32_t what = kifu_rng_below(rng, 100), index = kifu_rng_below(rng, BEES);
    if (what < 45)
        spawn(timeline, state, what % 4 == 0);
    else if (what < 85)
        despawn(timeline, state, index, what % 4 == 0);
    else if (what < 92 && hive_next_bees(state, KIFU_NO_HANDLE))
        *hive_edit_bees_cell(timeline, hive_next_bees(state, KIFU_NO_HANDLE)) += 1;
    else if (what < 96 && !*opened)
        *opened = open_slot(timeline, state, index);
    else if (*opened)
        *(*opened) = (uint16_t)(**opened ^ 1);
}

// Some steps in a transaction, which is kept or not.
static void some_steps(kifu_timeline *timeline, const hive_state *state, kifu_rng *rng)
{
    uint16_t *opened = NULL;
    if (kifu_begin(timeline, 0))
        return;
    for (uint32_t steps = kifu_rng_below(rng, 4); steps > 0; steps--)
        step(timeline, state, rng, &opened);
    if (kifu_rng_below(rng, 2) ? kifu_commit(timeline) : kifu_roll_back(timeline))
        return;
}

kifu_result hive_do_e_far(kifu_timeline *timeline, const hive_state *state, const hive_e_far *far)
{
    (void)timeline;
    (void)state;
    (void)far;
    return KIFU_OK;
}

kifu_result hive_do_e_tick(kifu_timeline *timeline, const hive_state *state, const hive_e_tick *tick)
{
    if (tick->number <= state->ticked)
        *hive_edit_out_of_order(timeline) = state->out_of_order + 1;
    *hive_edit_ticked(timeline) = tick->number;
    return KIFU_OK;
}

// The first slot is taken by hand, and free again after the first spawn.
static void take_by_hand(kifu_timeline *timeline, const hive_state *state)
{
    uint16_t *generation = open_slot(timeline, state, 0);
    *generation ^= 1;
    spawn(timeline, state, false);
    *generation ^= 1;
    spawn(timeline, state, false);
}

kifu_verdict hive_check_p_live(kifu_timeline *timeline, const hive_state *state, hive_p_live *live)
{
    (void)timeline;
    (void)state;
    (void)live;
    return kifu_accept();
}

kifu_result hive_do_p_live(kifu_timeline *timeline, const hive_state *state, const hive_p_live *live)
{
    kifu_rng rng;
    uint16_t *opened = NULL;
    kifu_rng_seed(&rng, live->seed, 9);
    if (live->seed == 0)
        take_by_hand(timeline, state);
    const bool wild = live->seed % 5 == 0; // also what is rare
    for (uint32_t i = 0; i < live->steps; i++) {
        const uint32_t what = wild ? kifu_rng_below(&rng, 12) : 11;
        if (what == 0) {
            opened = NULL; // A pointer is good until a transaction begins.
            some_steps(timeline, state, &rng);
        } else if (wild) {
            step(timeline, state, &rng, &opened);
        } else if (kifu_rng_below(&rng, 9) < 5) {
            spawn(timeline, state, kifu_rng_below(&rng, 4) == 0);
        } else {
            despawn(timeline, state, kifu_rng_below(&rng, BEES), kifu_rng_below(&rng, 4) == 0);
        }
    }
    return live->seed % 11 == 0 ? kifu_fail(timeline, "it fails in the end") : KIFU_OK;
}
