#include "base/holders.h"

#ifndef __STDC_NO_ATOMICS__

#include <stdatomic.h>

struct kifu__holders {
    atomic_uint count;
};

kifu__holders *kifu__holders_new(const kifu__memory *memory)
{
    kifu__holders *holders = (kifu__holders *)kifu__new(memory, sizeof *holders);
    if (holders)
        atomic_init(&holders->count, 1);
    return holders;
}

bool kifu__hold(kifu__holders *holders)
{
    if (holders)
        atomic_fetch_add_explicit(&holders->count, 1, memory_order_relaxed);
    return holders != NULL;
}

bool kifu__is_only_holder(const kifu__holders *holders)
{
    return !holders || atomic_load_explicit(&holders->count, memory_order_acquire) == 1;
}

bool kifu__let_go(kifu__holders *holders, const kifu__memory *memory)
{
    if (holders && atomic_fetch_sub_explicit(&holders->count, 1, memory_order_acq_rel) > 1)
        return false;
    kifu__free(memory, holders);
    return true;
}

#else

kifu__holders *kifu__holders_new(const kifu__memory *memory)
{
    (void)memory;
    return NULL;
}

bool kifu__hold(kifu__holders *holders)
{
    (void)holders;
    return false;
}

bool kifu__is_only_holder(const kifu__holders *holders)
{
    (void)holders;
    return true;
}

bool kifu__let_go(kifu__holders *holders, const kifu__memory *memory)
{
    (void)holders;
    (void)memory;
    return true;
}

#endif
