/// Walks in processes of their own, so that a crash or a hang is a finding like any other, and makes what is found
/// short.
#ifndef WALK_RUN_H
#define WALK_RUN_H

#include "walk.h"

/// What a walk ended with.
typedef struct walk_end {
    bool failed;
    char kind[40];
    char message[900];
} walk_end;

/// One plan. `print` (may be NULL) gets the calls as C.
walk_end walk_one(const walk_plan *plan, FILE *print);

/// Plans number `first` to `first` + `count` - 1, of the kind that `config` says where it is not NULL (MOST: any).
/// Returns false at the first that fails: its number and end. `steps` counts.
bool walk_many(uint64_t first, uint64_t count, int game, uint64_t *number, walk_end *end, uint64_t *steps);

/// Leaves out what is not needed for the same end.
void walk_shrink(walk_plan *plan, const walk_end *end);

#endif
