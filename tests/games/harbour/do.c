// The rules of the harbour: those of the quay (tests/games/quay/do.c), by events of another shape.

#include <stdio.h>
#include <stdlib.h>

#include "harbour.h"

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

static uint32_t add_crate(uint32_t words, const harbour_crate *crate)
{
    words = add_text(add(words, crate->kind), harbour_crate_name(crate));
    for (uint32_t i = 0; i < harbour_crate_tags_count(crate); i++)
        words = add_text(words, harbour_crate_tags(crate, i));
    return harbour_crate_inner(crate) ? add_crate(words, harbour_crate_inner(crate)) : words;
}

// --- Do --------------------------------------------------------------------------------------------------------------

static void stow(kifu_timeline *timeline, uint32_t count, const char *note)
{
    static const char *const tags[] = {"dry", "", "heavy"};
    const harbour_crate_args inner = {
        .kind = (harbour_kind)(count % 3), .name = "small", .tags = tags, .tags_count = 2};
    const harbour_crate_args middle = {.name = note, .inner = count % 5 ? &inner : NULL};
    const harbour_crate_args crates[] = {
        middle,
        {.kind = HARBOUR_KIND_WOOD, .name = "planks", .inner = &middle, .tags = tags, .tags_count = count % 4},
        {.kind = HARBOUR_KIND_GRAIN},
        inner,
    };
    const char *const labels[] = {note ? note : "none", "fragile"};
    const uint64_t weights[] = {count, UINT64_C(1) << 40, 3};
    const harbour_kind kind = (harbour_kind)(count % 3);
    const harbour_cargo_args cargo = {
        .crates = count % 2 ? crates : crates + 1,
        .crates_count = 1 + count % 3 + count % 2,
        .labels = count % 3 ? labels : NULL,
        .labels_count = count % 3,
        .weights = count % 4 ? weights : NULL,
        .weights_count = count % 4,
        .kinds = &kind,
        .kinds_count = 1,
    };
    const harbour_spot spot = {.x = (uint8_t)count, .far = (uint64_t)count << 33};
    char luck[12];
    snprintf(luck, sizeof luck, "%d", (int)count - 20);
    harbour_submit_e_stow(timeline, &cargo, &spot, 1, count % 7 ? luck : NULL);
}

kifu_verdict harbour_check_p_move(kifu_timeline *timeline, const harbour_state *state, harbour_p_move *move)
{
    (void)timeline;
    (void)state;
    return move->halves > 180 ? kifu_reject("too much") : kifu_accept();
}

kifu_result harbour_do_p_move(kifu_timeline *timeline, const harbour_state *state, const harbour_p_move *move)
{
    const uint32_t count = move->halves / 2;
    const char *note = harbour_p_move_why_count(move) ? harbour_p_move_why(move, 0) : NULL;
    *harbour_edit_heaps(timeline, move->from % LAST_HEAP) -= count;
    *harbour_edit_heaps(timeline, move->to) += count;
    *harbour_edit_words(timeline) = add_text(state->words, note);
    harbour_submit_e_nothing(timeline);
    if (count % 2)
        stow(timeline, count, note);
    if (move->from == 1)
        return kifu_postpone(timeline, harbour_submit_e_ring(timeline, &count, 1, "ding"), state->turns.turn + 2,
                             count);
    return KIFU_OK;
}

kifu_result harbour_do_e_stow(kifu_timeline *timeline, const harbour_state *state, const harbour_e_stow *stow)
{
    uint32_t words = state->words;
    const harbour_cargo *cargo = harbour_e_stow_cargo(stow);
    if (!harbour_cargo_kinds_count(cargo) || !harbour_e_stow_spots_count(stow))
        return kifu_fail(timeline, "no cargo, or nowhere");
    for (uint32_t i = 0; i < harbour_cargo_crates_count(cargo); i++)
        words = add_crate(words, harbour_cargo_crates(cargo, i));
    for (uint32_t i = 0; i < harbour_cargo_labels_count(cargo); i++)
        words = add_text(words, harbour_cargo_labels(cargo, i));
    for (uint32_t i = 0; i < harbour_cargo_weights_count(cargo); i++)
        words = add(words, harbour_cargo_weights(cargo)[i]);
    const harbour_spot *spot = harbour_e_stow_spots(stow);
    words = add(add(add(words, spot->x), spot->far), harbour_cargo_kinds(cargo)[0]);
    const char *luck = harbour_e_stow_luck(stow);
    *harbour_edit_words(timeline) = add(words, luck ? (uint64_t)strtol(luck, NULL, 10) + 100 : 7);
    return KIFU_OK;
}

kifu_result harbour_do_e_nothing(kifu_timeline *timeline, const harbour_state *state, const harbour_e_nothing *nothing)
{
    (void)timeline;
    (void)state;
    (void)nothing;
    return KIFU_OK;
}

kifu_result harbour_do_e_ring(kifu_timeline *timeline, const harbour_state *state, const harbour_e_ring *ring)
{
    if (!harbour_e_ring_numbers_count(ring))
        return kifu_fail(timeline, "no number");
    *harbour_edit_words(timeline) = add(state->words, harbour_e_ring_numbers(ring)[0]);
    return KIFU_OK;
}

kifu_result harbour_do_e_good(kifu_timeline *timeline, const harbour_state *state, const harbour_e_good *good)
{
    (void)timeline;
    (void)state;
    (void)good;
    return KIFU_OK;
}

kifu_verdict harbour_check_p_late(kifu_timeline *timeline, const harbour_state *state, harbour_p_late *late)
{
    (void)timeline;
    (void)state;
    (void)late;
    return kifu_accept();
}

kifu_result harbour_do_p_late(kifu_timeline *timeline, const harbour_state *state, const harbour_p_late *late)
{
    static const char *const why[] = {"late"};
    const uint32_t turn = state->turns.turn + late->turns;
    kifu_ticket ticket;
    switch (late->way % 5) {
    case 0:
        return kifu_postpone(timeline, harbour_submit_e_ring(timeline, &late->number, 1, "ding"), turn, late->number);
    case 1:
        ticket = harbour_submit_p_move(timeline, kifu_player(timeline), 2, LAST_HEAP, 14, why, 1);
        return kifu_postpone(timeline, ticket, turn, late->number);
    case 2:
        return kifu_postpone(timeline, harbour_submit_p_wait(timeline, 1), turn, late->number);
    case 3: // Timed to be timed.
        ticket = harbour_submit_e_ring(timeline, &late->number, 1, "ding");
        if (kifu_postpone(timeline, ticket, turn + 2, late->number))
            return KIFU_FAILED;
        return kifu_postpone(timeline, ticket, turn, 0);
    default:
        stow(timeline, late->number % 50, "much later");
        harbour_submit_e_cancel(timeline, late->number);
        return KIFU_OK;
    }
}

kifu_verdict harbour_check_p_wait(kifu_timeline *timeline, const harbour_state *state, harbour_p_wait *wait)
{
    (void)timeline;
    (void)state;
    (void)wait;
    return kifu_accept();
}

kifu_result harbour_do_p_wait(kifu_timeline *timeline, const harbour_state *state, const harbour_p_wait *wait)
{
    (void)wait;
    *harbour_edit_heaps(timeline, 0) = state->heaps[0] + (uint32_t)(kifu_player(timeline) + 1);
    return KIFU_OK;
}

kifu_result harbour_do_e_hail(kifu_timeline *timeline, const harbour_state *state, const harbour_e_hail *hail)
{
    (void)timeline;
    (void)state;
    (void)hail;
    return KIFU_OK;
}

kifu_verdict harbour_check_p_push(kifu_timeline *timeline, const harbour_state *state, harbour_p_push *push)
{
    (void)timeline;
    (void)state;
    (void)push;
    return kifu_accept();
}

kifu_result harbour_do_p_push(kifu_timeline *timeline, const harbour_state *state, const harbour_p_push *push)
{
    (void)state;
    (void)push;
    *harbour_edit_heaps(timeline, 5) = (uint32_t)kifu_player(timeline);
    return KIFU_OK;
}
