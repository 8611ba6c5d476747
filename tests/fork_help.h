/// What suites of forks share: a game with random numbers, and inputs for it.
#ifndef FORK_HELP_H
#define FORK_HELP_H

#include "history_help.h"
#include "lab_help.h"

static const uint64_t seed = 5;

static const char *const inputs[] = {
    "1+r", "(2)(r+(3))", "b+rk-", "r[4][!]", "+b(5)c-", "0bk", "p(p(p))r", "bbrck6",
};
enum { INPUTS = sizeof inputs / sizeof *inputs };

static inline kifu_timeline *started(const kifu_options *options)
{
    kifu_timeline *lab = lab_new(options);
    lab_submit_e_initialize(lab, SEEDED(seed));
    must(lab, kifu_run(lab));
    return lab;
}

static inline void input(kifu_timeline *lab, int i)
{
    lab_do(lab, i % 3, inputs[i % INPUTS], 1);
}

#endif
