/// Games of the lab that are compared (kifu/compare.h).
#ifndef TESTS_COMPARE_HELP_H
#define TESTS_COMPARE_HELP_H

#include "history_help.h"
#include "lab_help.h"
#include "suite.h"

/// All timelines here share it.
static test_memory memory = {.until_failure = -1};

static inline kifu_timeline *counted_lab(uint32_t hash_interval)
{
    return lab_new(
        &(kifu_options){.hash_interval = hash_interval, .allocate = test_allocate, .allocate_context = &memory});
}

/// The end of two games: comparing them took no memory for good (M08).
static inline void end(kifu_timeline *a, kifu_timeline *b)
{
    kifu_destroy(a);
    kifu_destroy(b);
    ck_assert_int_eq(memory.blocks, 0);
}

static inline kifu_comparison compare(kifu_timeline *a, kifu_timeline *b)
{
    kifu_comparison found, other;
    ck_assert_msg(kifu_compare(a, b, &found) == KIFU_OK, "%s", kifu_last_error(a)->message);
    ck_assert_int_eq(kifu_compare(b, a, &other), KIFU_OK);
    ck_assert_int_eq(found.what, other.what);
    ck_assert_uint_eq(found.event, other.event);
    ck_assert_str_eq(found.field, other.field);
    ck_assert_str_eq(found.a, other.b);
    ck_assert_str_eq(found.b, other.a);
    return found;
}

static inline kifu_timeline *lab_of(int count, int wrong)
{
    kifu_timeline *lab = counted_lab(0);
    lab_submit_e_add_player(lab, 0, 0);
    for (int i = 1; i < count; i++)
        lab_submit_p_add(lab, 0, i == wrong ? 1000 : i);
    lab_must(lab, kifu_run(lab));
    return lab;
}

static inline void add(kifu_timeline *lab, int count)
{
    for (int i = 0; i < count; i++)
        lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
}

#endif
