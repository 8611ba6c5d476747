/// The rules of the game with hooks, alternates and a pool.
#include "hooked.h"

enum { THINGS = 64, HEAPS = 16 };

static kifu_result add(kifu_timeline *timeline, uint16_t heap)
{
    *hooked_edit_heaps(timeline, heap % HEAPS) += 1;
    return KIFU_OK;
}

kifu_result hooked_do_e_step(kifu_timeline *timeline, const hooked_state *state, const hooked_e_step *step)
{
    (void)state;
    return add(timeline, step->heap);
}

void hooked_subjects_e_hookable(const kifu_timeline *timeline, const hooked_state *state,
                                const hooked_e_hookable *hookable, hooked_e_hookable_subjects *subjects)
{
    (void)timeline;
    (void)state;
    subjects->heap = hookable->heap;
    subjects->by = hookable->by;
}

kifu_result hooked_do_e_hookable(kifu_timeline *timeline, const hooked_state *state, const hooked_e_hookable *hookable)
{
    (void)state;
    return add(timeline, hookable->heap);
}

kifu_verdict hooked_check_e_checked(kifu_timeline *timeline, const hooked_state *state, hooked_e_checked *checked)
{
    (void)timeline;
    (void)state;
    return checked->by ? kifu_accept() : kifu_reject("nothing to add");
}

kifu_result hooked_do_e_checked(kifu_timeline *timeline, const hooked_state *state, const hooked_e_checked *checked)
{
    (void)state;
    return add(timeline, checked->heap);
}

kifu_verdict hooked_check_e_try(kifu_timeline *timeline, const hooked_state *state, hooked_e_try *try)
{
    (void)state;
    return kifu_instead(hooked_submit_e_step(timeline, try->heap, try->by));
}

kifu_result hooked_do_e_try(kifu_timeline *timeline, const hooked_state *state, const hooked_e_try *try)
{
    (void)state;
    return add(timeline, try->heap);
}

kifu_result hooked_do_e_fall(kifu_timeline *timeline, const hooked_state *state, const hooked_e_fall *fall)
{
    (void)state;
    return kifu_fail_instead(timeline, hooked_submit_e_step(timeline, fall->heap, fall->by));
}

kifu_result hooked_do_e_chain(kifu_timeline *timeline, const hooked_state *state, const hooked_e_chain *chain)
{
    (void)state;
    hooked_submit_e_step(timeline, chain->heap, chain->by);
    return KIFU_OK;
}

void hooked_subjects_e_other(const kifu_timeline *timeline, const hooked_state *state, const hooked_e_other *other,
                             hooked_e_other_subjects *subjects)
{
    (void)timeline;
    (void)state;
    subjects->heap = other->heap;
}

kifu_result hooked_do_e_other(kifu_timeline *timeline, const hooked_state *state, const hooked_e_other *other)
{
    (void)state;
    return add(timeline, other->heap);
}

static void replace_thing(kifu_timeline *timeline, const hooked_state *state, uint32_t i)
{
    if (state->names[i])
        hooked_despawn_things(timeline, state->names[i]);
    kifu_handle thing = hooked_spawn_things(timeline);
    *hooked_edit_names(timeline, i) = thing;
    *hooked_edit_things_hits(timeline, thing) = i;
}

/// As one would write it by hand: no generation, so that an index may lead to another entry. 0 names none, 1 the first.
static void replace_entry(kifu_timeline *timeline, const hooked_state *state, uint32_t i)
{
    const hooked_entry none = {0};
    if (state->names[i])
        *hooked_edit_entries(timeline, state->names[i] - 1) = none;
    uint32_t entry = 0;
    while (entry < THINGS && state->entries[entry].used)
        entry++;
    *hooked_edit_entries(timeline, entry) = (hooked_entry){.used = true};
    *hooked_edit_names(timeline, i) = entry + 1;
    *hooked_edit_entries_hits(timeline, entry) = i;
}

static void hit_each_thing(kifu_timeline *timeline, const hooked_state *state)
{
    kifu_handle thing = KIFU_NO_HANDLE;
    while ((thing = hooked_next_things(state, thing)) != KIFU_NO_HANDLE)
        *hooked_edit_things_hits(timeline, thing) = hooked_get_things(state, thing)->hits + 1;
}

static void hit_each_entry(kifu_timeline *timeline, const hooked_state *state)
{
    for (uint32_t i = 0; i < THINGS; i++) {
        if (state->entries[i].used)
            *hooked_edit_entries_hits(timeline, i) += 1;
    }
}

kifu_result hooked_do_e_work(kifu_timeline *timeline, const hooked_state *state, const hooked_e_work *work)
{
    switch (work->work) {
    case HOOKED_WORK_POOL_REPLACE:
        for (uint32_t i = 0; i < THINGS; i++)
            replace_thing(timeline, state, i);
        break;
    case HOOKED_WORK_ARRAY_REPLACE:
        for (uint32_t i = 0; i < THINGS; i++)
            replace_entry(timeline, state, i);
        break;
    case HOOKED_WORK_POOL_EDIT:
        for (uint32_t i = 0; i < THINGS; i++)
            *hooked_edit_things_hits(timeline, state->names[i]) = hooked_get_things(state, state->names[i])->hits + 1;
        break;
    case HOOKED_WORK_ARRAY_EDIT:
        for (uint32_t i = 0; i < THINGS; i++)
            *hooked_edit_entries_hits(timeline, state->names[i] - 1) += 1;
        break;
    case HOOKED_WORK_POOL_EACH:
        hit_each_thing(timeline, state);
        break;
    default:
        hit_each_entry(timeline, state);
    }
    return KIFU_OK;
}
