/// What the suites that go to past events share: games of the lab with a copy of the state after each event.
#ifndef PAST_HELP_H
#define PAST_HELP_H

#include "history_help.h"
#include "lab_help.h"

static const uint64_t seed = 7;

/// states[i] is the state after i events.
typedef struct copies {
    lab_state *states;
    uint32_t count; ///< Of the events.
} copies;

static const char *const scripts[] = {
    "+", "r", "-(+r)(r)", "++(-(r))[+]", "b+rk+(+)", "b+(r)c", "r[!]+", "+b-b+rk(r)c-(-)", "+r+r+r+r", "bk(bbrk+c-)",
};

/// Plays until there are `events` events.
static inline void play(kifu_timeline *lab, copies *copies, uint32_t events)
{
    copies->states = calloc(events + 1, sizeof *copies->states);
    copies->count = events;
    memcpy(&copies->states[0], lab_get_state(lab), sizeof(lab_state));
    kifu_rng rng;
    kifu_rng_seed(&rng, events, 3);
    lab_submit_e_initialize(lab, SEEDED(seed));
    while (kifu_event_count(lab) < events) {
        if (!kifu_pending_count(lab)) {
            uint32_t kind = kifu_rng_below(&rng, 14);
            if (kind < 3)
                lab_submit_p_add(lab, 1, (int)kind + 1);
            else
                lab_do(lab, 0, scripts[(kind - 3) % 10], 1);
        }
        must(lab, kifu_step(lab));
        memcpy(&copies->states[kifu_event_count(lab)], lab_get_state(lab), sizeof(lab_state));
    }
}

static inline void must_be_at(const kifu_timeline *lab, const copies *copies, uint32_t count)
{
    ck_assert_uint_eq(kifu_position(lab), count);
    ck_assert_mem_eq(lab_get_state(lab), &copies->states[count], sizeof(lab_state));
}

static inline void look_at(kifu_timeline *lab, const copies *copies, uint32_t count)
{
    lab_state state;
    memset(&state, 0xA5, sizeof state);
    must(lab, kifu_state_at(lab, count, &state, sizeof state));
    ck_assert_mem_eq(&state, &copies->states[count], sizeof state);
}

static inline void go_anywhere(kifu_timeline *lab, const copies *copies, int times)
{
    uint32_t present = kifu_event_count(lab);
    kifu_rng rng;
    kifu_rng_seed(&rng, present, 5);
    for (int i = 0; i < times; i++) {
        uint32_t count = kifu_rng_below(&rng, present + 1);
        must(lab, kifu_seek(lab, count));
        must_be_at(lab, copies, count);
        look_at(lab, copies, kifu_rng_below(&rng, present + 1));
        must_be_at(lab, copies, count);
    }
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    must_be_at(lab, copies, present);
}

/// Undoes as far as it goes, redoes all of it.
static inline void undo_and_redo_all(kifu_timeline *lab, const copies *copies)
{
    uint32_t present = kifu_event_count(lab), undone = 0;
    for (uint32_t chain; (chain = kifu_can_undo(lab, NULL)) > 0; undone++) {
        uint32_t before = kifu_event_count(lab);
        must(lab, kifu_undo(lab));
        must_be_at(lab, copies, before - chain);
    }
    ck_assert_uint_eq(kifu_event_count(lab), 1); // EInitialize stays
    for (; undone > 0; undone--) {
        must(lab, kifu_redo(lab));
        must_be_at(lab, copies, kifu_event_count(lab));
    }
    ck_assert_uint_eq(kifu_event_count(lab), present);
}

/// No keyframes, some, many; a hash at each event, or now and then.
static const kifu_options budgets[] = {
    {.keyframe_bytes = 0},
    {.keyframe_bytes = 1},
    {.keyframe_bytes = sizeof(lab_state), .hash_interval = 16},
    {.keyframe_bytes = 3 * sizeof(lab_state), .hash_interval = 1},
    {.keyframe_bytes = 10 * sizeof(lab_state), .hash_interval = 3},
    {.keyframe_bytes = 1000 * sizeof(lab_state), .hash_interval = 1},
};
enum { BUDGETS = sizeof budgets / sizeof *budgets };

#endif
