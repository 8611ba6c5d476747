/// Who is told of what happens: see include/kifu/listen.h.
#ifndef KIFU_SRC_LISTEN_H
#define KIFU_SRC_LISTEN_H

#include <kifu/kifu.h>

#include "base/memory.h"

/// A reaction, a trigger or a listener: which one, its function says.
typedef struct kifu__listener {
    kifu_rank rank;
    uint32_t type; ///< Of a reaction; 0: all.
    uint32_t offset, size;
    kifu_reaction *react;
    kifu_trigger *trigger;
    kifu_listener *listen;
    void *context;
} kifu__listener;

/// In the order in which they run.
typedef struct kifu__listener_list {
    kifu__listener *items;
    uint32_t count;
    uint32_t capacity;
} kifu__listener_list;

typedef struct kifu__listeners {
    kifu__listener_list rules; ///< Reactions and triggers.
    kifu__listener_list view;
    unsigned char *told;   ///< The state as the view's listeners know it; NULL: there never was one.
    bool behind;           ///< They may know an older one, by more than the running event.
    unsigned char *values; ///< Room for a trigger's values, before and after.
    uint32_t values_size;  ///< Of one of the two.
} kifu__listeners;

void kifu__listeners_free(kifu__listeners *listeners, const kifu__memory *memory);

#endif
