#include "base/holders.h"

#include <stddef.h>

#ifndef __STDC_NO_ATOMICS__

void kifu__hold_first(kifu__holders *holders)
{
    atomic_init(&holders->count, 1);
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

bool kifu__let_go(kifu__holders *holders)
{
    return !holders || atomic_fetch_sub_explicit(&holders->count, 1, memory_order_acq_rel) == 1;
}

#else

void kifu__hold_first(kifu__holders *holders)
{
    holders->count = 1;
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

bool kifu__let_go(kifu__holders *holders)
{
    (void)holders;
    return true;
}

#endif
