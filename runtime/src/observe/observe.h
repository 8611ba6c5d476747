/// Where each kind of observer is added and removed. What is given to these was found good by observe.c.
#ifndef KIFU_SRC_OBSERVE_H
#define KIFU_SRC_OBSERVE_H

#include <kifu/kifu.h>

kifu_result kifu__add_reaction(kifu_timeline *timeline, const kifu_observer *observer);
kifu_result kifu__add_trigger(kifu_timeline *timeline, const kifu_observer *observer);
kifu_result kifu__add_listener(kifu_timeline *timeline, const kifu_observer *observer);
kifu_result kifu__add_hook(kifu_timeline *timeline, const kifu_observer *observer);

/// Removes the reactions, triggers and listeners that were added with `context` (listen.c).
void kifu__remove_listeners(kifu_timeline *timeline, const void *context);

/// Removes the hooks that were added with `context` (hooks.c).
void kifu__remove_hooks(kifu_timeline *timeline, const void *context);

#endif
