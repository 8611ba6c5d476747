/// Two games that a later release reads: the barn, whose state has other fields then, and the quay, whose events are
/// superseded. What is played is the first release; `rules` are those of the later one.
#ifndef TESTS_LATER_GAMES_H
#define TESTS_LATER_GAMES_H

#include "barn1.h"
#include "barn2.h"
#include "harbour.h"
#include "quay.h"
#include "record_games.h"

/// All releases are those of one game, so the first one's rules and schema have the names of the later one.
static inline kifu_rules first_release(const kifu_rules *first, const kifu_rules *later)
{
    kifu_rules rules = *first;
    rules.name = later->name;
    rules.union_name = later->union_name;
    return rules;
}

static inline const kifu_rules *first_barn(void)
{
    static kifu_rules rules;
    static unsigned char schema[1 << 14];
    if (rules.name)
        return &rules;
    rules = first_release(&barn1_rules, &barn2_rules);
    ck_assert_uint_le(rules.bfbs_size, sizeof schema);
    memcpy(schema, rules.bfbs, rules.bfbs_size);
    for (uint32_t i = 0; i + 6 <= rules.bfbs_size; i++) {
        if (!memcmp(schema + i, "barn1.", 6))
            schema[i + 4] = '2';
    }
    rules.bfbs = schema;
    return &rules;
}

static inline kifu_timeline *begin_barn(const kifu_options *options)
{
    kifu_timeline *barn;
    ck_assert_int_eq(kifu_create(first_barn(), options, &barn, NULL), KIFU_OK);
    must(barn, kifu_postpone(barn, barn1_submit_e_bell(barn, 7), 2, 0));
    must(barn, kifu_run(barn));
    return barn;
}

static inline void set_in_barn(kifu_timeline *barn, uint8_t what, int value)
{
    barn1_submit_p_set(barn, 0, what, value);
    must(barn, kifu_run(barn));
}

static inline void step_barn(kifu_timeline *barn, uint32_t number)
{
    static const int sets[STEPS][2] = {{0, -5}, {2, 1}, {4, 2}, {5, 200}, {8, -30000},
                                       {3, 0},  {4, 3}, {0, 1}, {5, 9},   {2, 0}};
    set_in_barn(barn, (uint8_t)sets[number][0], sets[number][1]);
    if (number % 4 == 1) {
        must(barn, kifu_undo(barn));
        set_in_barn(barn, 4, (int)number % 4);
        must(barn, kifu_set_note(barn, kifu_event_count(barn) - 1, "a", "here"));
    }
    if (number == 2)
        must(barn, kifu_forget(barn, KIFU_PRESENT));
    if (number == 7) // What has no place in the later release.
        set_in_barn(barn, 7, 3);
    if (number == 8)
        must(barn, kifu_forget(barn, KIFU_PRESENT));
    if (number == 9)
        barn1_submit_p_set(barn, 0, 0, 12);
}

static inline void submit_in_barn(kifu_timeline *barn, bool other)
{
    barn2_submit_p_set(barn, 0, other, 4);
}

static inline kifu_timeline *begin_quay(const kifu_options *options)
{
    static kifu_rules rules;
    kifu_timeline *quay;
    rules = first_release(&quay_rules, &harbour_rules);
    ck_assert_int_eq(kifu_create(&rules, options, &quay, NULL), KIFU_OK);
    return quay;
}

static inline void step_quay(kifu_timeline *quay, uint32_t number)
{
    if (number == 3 || number == 8)
        must(quay, kifu_go_to(quay, 0, KIFU_WHERE_LEFT, true));
    while (number % 5 == 3 && !kifu_redo(quay)) // The line goes on at its end.
        continue;
    quay_submit_p_take(
        quay, (int)number % 3,
        &(quay_p_take_args){.heap = (uint8_t)(1 + number % 4), .count = 2, .note = number % 2 ? "n" : NULL});
    quay_submit_e_push(quay, (int8_t)(number % 3));
    quay_submit_e_bell(quay, number + 40);
    must(quay, kifu_run(quay));
    if (number % 4 == 2) {
        must(quay, kifu_undo(quay));
        quay_submit_p_hail(quay, 1);
        must(quay, kifu_run(quay));
    }
    if (number % 4 == 3)
        quay_submit_p_take(quay, 0, &(quay_p_take_args){.heap = 3, .count = 1, .note = "waits"});
}

static inline void submit_in_harbour(kifu_timeline *harbour, bool other)
{
    harbour_submit_p_wait(harbour, other);
}

static const subject later_subjects[] = {{"barn", &barn2_rules, begin_barn, step_barn, submit_in_barn},
                                         {"quay", &harbour_rules, begin_quay, step_quay, submit_in_harbour}};
enum { LATER_SUBJECTS = sizeof later_subjects / sizeof *later_subjects };

#endif
