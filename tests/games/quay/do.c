// The rules of the quay. The harbour's do the same (tests/games/harbour/do.c), by events of another shape.

#include "quay.h"

enum { LAST_HEAP = 7 };

// --- The digest ------------------------------------------------------------------------------------------------------

static uint32_t add(uint32_t words, uint64_t number)
{
    return (uint32_t)((words ^ number ^ number >> 32) * 16777619u);
}

static uint32_t add_text(uint32_t words, const char *text)
{
    for (; text && *text; text++)
        words = add(words, (unsigned char)*text);
    return add(words, text ? 1 : 2);
}

static uint32_t add_crate(uint32_t words, const quay_crate *crate)
{
    words = add_text(add(words, crate->kind), quay_crate_name(crate));
    for (uint32_t i = 0; i < quay_crate_tags_count(crate); i++)
        words = add_text(words, quay_crate_tags(crate, i));
    return quay_crate_inner(crate) ? add_crate(words, quay_crate_inner(crate)) : words;
}

// --- Do --------------------------------------------------------------------------------------------------------------

static void load(kifu_timeline *timeline, uint32_t count, const char *note)
{
    static const char *const tags[] = {"dry", "", "heavy"};
    const quay_crate_args inner = {.kind = (quay_kind)(count % 3), .name = "small", .tags = tags, .tags_count = 2};
    const quay_crate_args middle = {.name = note, .inner = count % 5 ? &inner : NULL};
    const quay_crate_args crates[] = {
        {.kind = QUAY_KIND_WOOD, .name = "planks", .inner = &middle, .tags = tags, .tags_count = count % 4},
        {.kind = QUAY_KIND_GRAIN},
        inner,
    };
    const char *const labels[] = {note ? note : "none", "fragile"};
    const uint64_t weights[] = {count, UINT64_C(1) << 40, 3};
    quay_submit_e_load(timeline, &(quay_e_load_args){.crates = crates,
                                                     .crates_count = 1 + count % 3,
                                                     .best = count % 2 ? &middle : NULL,
                                                     .labels = labels,
                                                     .labels_count = count % 3,
                                                     .weights = weights,
                                                     .weights_count = count % 4,
                                                     .spot = {.x = (uint8_t)count, .far = (uint64_t)count << 33},
                                                     .kind = (quay_kind)(count % 3),
                                                     .has_luck = count % 7,
                                                     .luck = (int32_t)count - 20});
}

kifu_verdict quay_check_p_take(kifu_timeline *timeline, const quay_state *state, quay_p_take *take)
{
    (void)timeline;
    (void)state;
    return take->count > 90 ? kifu_reject("too much") : kifu_accept();
}

kifu_result quay_do_p_take(kifu_timeline *timeline, const quay_state *state, const quay_p_take *take)
{
    const char *note = quay_p_take_note(take);
    *quay_edit_heaps(timeline, take->heap % LAST_HEAP) -= take->count;
    *quay_edit_heaps(timeline, LAST_HEAP) += take->count;
    *quay_edit_words(timeline) = add_text(state->words, note);
    quay_submit_e_sound(timeline, note);
    if (take->count % 2)
        load(timeline, take->count, note);
    if (take->heap == 1)
        return kifu_postpone(timeline, quay_submit_e_bell(timeline, take->count), state->turns.turn + 2, take->count);
    return KIFU_OK;
}

kifu_result quay_do_e_load(kifu_timeline *timeline, const quay_state *state, const quay_e_load *load)
{
    uint32_t words = state->words;
    if (quay_e_load_best(load))
        words = add_crate(words, quay_e_load_best(load));
    for (uint32_t i = 0; i < quay_e_load_crates_count(load); i++)
        words = add_crate(words, quay_e_load_crates(load, i));
    for (uint32_t i = 0; i < quay_e_load_labels_count(load); i++)
        words = add_text(words, quay_e_load_labels(load, i));
    for (uint32_t i = 0; i < quay_e_load_weights_count(load); i++)
        words = add(words, quay_e_load_weights(load)[i]);
    words = add(add(add(words, load->spot.x), load->spot.far), load->kind);
    *quay_edit_words(timeline) = add(words, load->has_luck ? (uint64_t)load->luck + 100 : 7);
    return KIFU_OK;
}

kifu_result quay_do_e_sound(kifu_timeline *timeline, const quay_state *state, const quay_e_sound *sound)
{
    (void)timeline;
    (void)state;
    (void)sound;
    return KIFU_OK;
}

kifu_result quay_do_e_bell(kifu_timeline *timeline, const quay_state *state, const quay_e_bell *bell)
{
    *quay_edit_words(timeline) = add(state->words, bell->number);
    return KIFU_OK;
}

kifu_result quay_do_e_bad(kifu_timeline *timeline, const quay_state *state, const quay_e_bad *bad)
{
    (void)timeline;
    (void)state;
    (void)bad;
    return KIFU_OK;
}

kifu_verdict quay_check_p_late(kifu_timeline *timeline, const quay_state *state, quay_p_late *late)
{
    (void)timeline;
    (void)state;
    (void)late;
    return kifu_accept();
}

kifu_result quay_do_p_late(kifu_timeline *timeline, const quay_state *state, const quay_p_late *late)
{
    const uint32_t turn = state->turns.turn + late->turns;
    kifu_ticket ticket;
    switch (late->way % 5) {
    case 0:
        return kifu_postpone(timeline, quay_submit_e_bell(timeline, late->number), turn, late->number);
    case 1:
        ticket = quay_submit_p_take(timeline, kifu_player(timeline),
                                    &(quay_p_take_args){.heap = 2, .count = 7, .note = "late"});
        return kifu_postpone(timeline, ticket, turn, late->number);
    case 2:
        return kifu_postpone(timeline, quay_submit_p_wait(timeline, 1), turn, late->number);
    case 3: // Timed to be timed.
        ticket = quay_submit_e_bell(timeline, late->number);
        if (kifu_postpone(timeline, ticket, turn + 2, late->number))
            return KIFU_FAILED;
        return kifu_postpone(timeline, ticket, turn, 0);
    default:
        load(timeline, late->number % 50, "much later");
        quay_submit_e_cancel(timeline, late->number);
        return KIFU_OK;
    }
}

kifu_verdict quay_check_p_wait(kifu_timeline *timeline, const quay_state *state, quay_p_wait *wait)
{
    (void)timeline;
    (void)state;
    (void)wait;
    return kifu_accept();
}

kifu_result quay_do_p_wait(kifu_timeline *timeline, const quay_state *state, const quay_p_wait *wait)
{
    (void)wait;
    *quay_edit_heaps(timeline, 0) = state->heaps[0] + (uint32_t)(kifu_player(timeline) + 1);
    return KIFU_OK;
}

kifu_verdict quay_check_p_hail(kifu_timeline *timeline, const quay_state *state, quay_p_hail *hail)
{
    (void)timeline;
    (void)state;
    (void)hail;
    return kifu_accept();
}

kifu_result quay_do_p_hail(kifu_timeline *timeline, const quay_state *state, const quay_p_hail *hail)
{
    (void)timeline;
    (void)state;
    (void)hail;
    return KIFU_OK;
}

kifu_result quay_do_e_push(kifu_timeline *timeline, const quay_state *state, const quay_e_push *push)
{
    (void)state;
    *quay_edit_heaps(timeline, 5) = (uint32_t)push->player;
    return KIFU_OK;
}
