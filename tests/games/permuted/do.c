#include "permuted.h"

void permuted_subjects_e_strike(const kifu_timeline *timeline, const kifu_game *game, const permuted_e_strike *strike,
                                permuted_e_strike_subjects *subjects)
{
    (void)timeline;
    (void)game;
    (void)strike;
    subjects->level = 1;
    subjects->cell = 2;
    subjects->target = 3;
    subjects->performer = 4;
}

kifu_result permuted_do_e_strike(kifu_timeline *timeline, const kifu_game *game, const permuted_e_strike *strike)
{
    (void)timeline;
    (void)game;
    (void)strike;
    return KIFU_OK;
}

void permuted_subjects_e_curse(const kifu_timeline *timeline, const kifu_game *game, const permuted_e_curse *curse,
                               permuted_e_curse_subjects *subjects)
{
    (void)timeline;
    (void)game;
    (void)curse;
    subjects->cell = 2;
    subjects->performer = 4;
}

kifu_result permuted_do_e_curse(kifu_timeline *timeline, const kifu_game *game, const permuted_e_curse *curse)
{
    (void)timeline;
    (void)game;
    (void)curse;
    return KIFU_OK;
}
