#include "base/refcount.h"

#include <stddef.h>

#ifndef __STDC_NO_ATOMICS__

void kifu__refcount_begin(kifu__refcount *refs)
{
    atomic_init(&refs->count, 1);
}

bool kifu__retain(kifu__refcount *refs)
{
    if (refs)
        atomic_fetch_add_explicit(&refs->count, 1, memory_order_relaxed);
    return refs != NULL;
}

bool kifu__is_unshared(const kifu__refcount *refs)
{
    return !refs || atomic_load_explicit(&refs->count, memory_order_acquire) == 1;
}

bool kifu__release(kifu__refcount *refs)
{
    return !refs || atomic_fetch_sub_explicit(&refs->count, 1, memory_order_acq_rel) == 1;
}

#else

void kifu__refcount_begin(kifu__refcount *refs)
{
    refs->count = 1;
}

bool kifu__retain(kifu__refcount *refs)
{
    (void)refs;
    return false;
}

bool kifu__is_unshared(const kifu__refcount *refs)
{
    (void)refs;
    return true;
}

bool kifu__release(kifu__refcount *refs)
{
    (void)refs;
    return true;
}

#endif
