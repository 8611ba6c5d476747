#ifndef HOOKS_H
#define HOOKS_H

#include "cards.h"

/// What `kifu_options.user` points to, or NULL.
typedef struct cards_hooks {
    void *context;
    /// In the check of PAny. A check sees a const timeline: what a test does with it is misuse.
    void (*in_check)(void *context, kifu_timeline *timeline);
    /// In its Do, after it took `number` of player 0's life and set its transient field.
    kifu_result (*in_do)(void *context, kifu_timeline *timeline, const cards_p_any *any);
    unsigned checks; ///< How often a check of EGainLife was asked.
    unsigned dos;    ///< How often a Do of PAny ran.
} cards_hooks;

#endif
