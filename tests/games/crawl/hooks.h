#ifndef HOOKS_H
#define HOOKS_H

#include "crawl.h"

/// What a test says that PAny and EAny do: `actor` is PAny's, or KIFU_NO_HANDLE.
typedef kifu_result crawl_in_do(kifu_timeline *timeline, kifu_handle actor, int32_t number);

/// What `kifu_options.user` points to, or NULL.
typedef struct crawl_hooks {
    crawl_in_do *in_do[16]; ///< An event's `what` is its index, so that a replay finds it, too.
    kifu_verdict (*in_check)(kifu_timeline *timeline, kifu_handle actor, int32_t number);
} crawl_hooks;

/// Who stands there, or KIFU_NO_HANDLE.
kifu_handle crawl_who(const crawl_state *state, uint32_t x, uint32_t y);

/// Takes hit points, and with the last one life.
void crawl_hurt(kifu_timeline *timeline, const crawl_state *state, kifu_handle actor, int amount);

/// An action has been taken.
void crawl_count(kifu_timeline *timeline, const crawl_state *state, kifu_handle actor);

#endif
