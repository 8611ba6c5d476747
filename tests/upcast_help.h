/// A save of the quay is loaded by the harbour, its third release.
#ifndef TESTS_UPCAST_HELP_H
#define TESTS_UPCAST_HELP_H

#include "history_help.h"
#include "hooks.h"
#include "quay.h"
#include "save_help.h"

/// The numbers of what is superseded, which the header has no names for.
enum { P_TAKE = 8, E_BELL = 11 };

/// The quay's rules, called as the harbour's are: one game, as its first release had it.
static inline kifu_rules quay_as_released(void)
{
    kifu_rules rules = quay_rules;
    rules.name = harbour_rules.name;
    rules.union_name = harbour_rules.union_name;
    return rules;
}

static inline kifu_timeline *new_game(const kifu_rules *rules, const kifu_options *options)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(kifu_create(rules, options, &timeline, &error) == KIFU_OK, "%s", error.message);
    return timeline;
}

static inline kifu_timeline *load(const save *save, const kifu_options *options, bool fast)
{
    const kifu_load_options load_options = {.fast = fast};
    kifu_timeline *timeline;
    kifu_error error;
    kifu_result result =
        kifu_load_from_memory(&harbour_rules, save->bytes, save->size, options, &load_options, &timeline, &error);
    if (result)
        ck_abort_msg("%s: %s", kifu_result_text(result), error.message);
    return timeline;
}

/// The save of a quay, loaded by the harbour.
static inline kifu_timeline *brought_up_fast(kifu_timeline *quay, const kifu_options *options, bool fast)
{
    save save = save_of(quay, NULL);
    kifu_timeline *harbour = load(&save, options, fast);
    free(save.bytes);
    return harbour;
}

static inline kifu_timeline *brought_up(kifu_timeline *quay, const kifu_options *options)
{
    return brought_up_fast(quay, options, false);
}

static inline kifu_event event_of(const kifu_timeline *timeline, uint32_t index)
{
    kifu_event event;
    ck_assert(kifu_event_at(timeline, index, &event));
    return event;
}

// --- Random games of both, event by event the same -------------------------------------------------------------------

static const char *const texts[] = {NULL, "", "a", "stones", "a longer text than there is room for in a small event"};

static inline const char *any_text(kifu_rng *rng)
{
    return texts[kifu_rng_below(rng, sizeof texts / sizeof *texts)];
}

static inline void begin(kifu_timeline *quay, kifu_timeline *harbour)
{
    const uint64_t seed = 5;
    quay_submit_e_reset_game(quay);
    harbour_submit_e_reset_game(harbour);
    for (uint8_t player = 0; player < 2; player++) {
        quay_submit_e_add_player(quay, player, 7);
        harbour_submit_e_add_player(harbour, player, 7);
    }
    quay_submit_e_initialize(quay, SEEDED(seed));
    harbour_submit_e_initialize(harbour, SEEDED(seed));
    quay_submit_e_start_round(quay);
    harbour_submit_e_start_round(harbour);
    must(quay, kifu_run(quay));
    must(harbour, kifu_run(harbour));
}

/// The same happens to both.
static inline void submit_same(kifu_timeline *quay, kifu_timeline *harbour, kifu_rng *rng)
{
    kifu_ticket old = 0, new = 0;
    const int player = (int)kifu_rng_below(rng, 2);
    const uint32_t number = kifu_rng_below(rng, 100);
    const char *text = any_text(rng);
    const uint8_t heap = (uint8_t)kifu_rng_below(rng, 8), way = (uint8_t)kifu_rng_below(rng, 5);
    const uint32_t turns = kifu_rng_below(rng, 4);
    switch (kifu_rng_below(rng, 8)) {
    case 0:
        old = quay_submit_e_bell(quay, number);
        new = harbour_submit_e_ring(harbour, &number, 1, "ding");
        break;
    case 1:
        old = quay_submit_e_sound(quay, text);
        new = harbour_submit_e_nothing(harbour);
        break;
    case 2:
        old = quay_submit_p_wait(quay, player);
        new = harbour_submit_p_wait(harbour, player);
        break;
    case 3:
        old = quay_submit_e_begin_turn(quay);
        new = harbour_submit_e_begin_turn(harbour);
        break;
    case 4:
    case 5:
        old = quay_submit_p_late(quay, player, turns, number, way);
        new = harbour_submit_p_late(harbour, player, turns, number, way);
        break;
    default:
        old = quay_submit_p_take(quay, player,
                                 &(quay_p_take_args){.heap = heap, .count = (uint16_t)number, .note = text});
        new = harbour_submit_p_move(harbour, player, heap, 7, 2 * number, text ? &text : NULL, text ? 1 : 0);
    }
    const uint32_t flags = kifu_rng_below(rng, 16);
    if (flags < 4 && flags != 3) { // Now and then what undo cannot take back.
        must(quay, kifu_override(quay, old, flags & 1, flags & 2));
        must(harbour, kifu_override(harbour, new, flags & 1, flags & 2));
    }
}

static inline kifu_result move(kifu_timeline *timeline, uint32_t choice)
{
    switch (choice) {
    case 0:
        return kifu_undo(timeline);
    case 1:
        return kifu_redo(timeline);
    case 2:
        return kifu_step(timeline);
    default:
        return kifu_run(timeline);
    }
}

static inline void play_same(kifu_timeline *quay, kifu_timeline *harbour, kifu_rng *rng, uint32_t steps)
{
    for (uint32_t step = 0; step < steps; step++) {
        if (kifu_rng_below(rng, 3)) {
            submit_same(quay, harbour, rng);
            continue;
        }
        const uint32_t choice = kifu_rng_below(rng, 6);
        kifu_result result = move(quay, choice);
        if (result != move(harbour, choice))
            ck_abort_msg("%s, and %s", kifu_last_error(quay)->message, kifu_last_error(harbour)->message);
    }
}

static inline void no_old_ones(const kifu_timeline *timeline)
{
    const kifu__type *types = kifu_timeline_rules(timeline)->types;
    kifu_line line;
    for (uint32_t place = 0; kifu_line_at(timeline, place, &line); place++) {
        kifu_event event;
        for (uint32_t i = line.from; kifu_line_event(timeline, line.id, i, &event); i++) {
            must_be(!types[event.type].superseded_by);
            if (event.type == HARBOUR_E_SCHEDULE)
                must_be(!types[((const kifu_e_schedule *)event.table)->type].superseded_by);
        }
    }
}

#endif
