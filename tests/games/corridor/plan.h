#ifndef PLAN_H
#define PLAN_H

#include "corridor.h"

/// What a test says that PAny and EAny do.
typedef kifu_result corridor_in_do(kifu_timeline *timeline, int32_t number);
typedef kifu_verdict corridor_in_check(kifu_timeline *timeline, int32_t number);

/// What `kifu_options.user` points to, or NULL. An event's `what` is the index, so that a replay finds it, too.
typedef struct corridor_plan {
    corridor_in_do *in_do[16];
    corridor_in_check *in_check[16];
} corridor_plan;

#endif
