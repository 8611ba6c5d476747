/// How an event is read: its marks, and what its references lead to.
#ifndef KIFU_DETAIL_EVENT_H
#define KIFU_DETAIL_EVENT_H

#include <stdint.h>

#include "../event.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Of `kifu.MarkFlags`, too. In a pending segment only: the proposal waits as a consequence, not as an input.
enum { KIFU__CONSEQUENCE = 4 };

/// Who made an event happen, and why; `kifu.Mark` in schema/kifu.fbs.
typedef struct kifu__mark {
    uint16_t cause; ///< Distance back to the event that submitted this one, 0 for none.
    int8_t player;
    uint8_t flags;
} kifu__mark;

/// What a `kifu_ref` refers to, or NULL.
static inline const void *kifu__follow(const kifu_ref *ref)
{
    return ref->offset ? (const void *)((uintptr_t)ref + ref->offset) : (const void *)0;
}

/// Length of the string or vector that a `kifu_ref` refers to; 0 if it is absent.
static inline uint32_t kifu__length(const kifu_ref *ref)
{
    return ref->offset ? *(const uint32_t *)kifu__follow(ref) : 0;
}

/// First element (or character) of the string or vector that a `kifu_ref` leads to, or NULL. Elements start right
/// behind the 32-bit length.
static inline const void *kifu__elements(const kifu_ref *ref)
{
    return ref->offset ? (const void *)((uintptr_t)ref + ref->offset + 4) : (const void *)0;
}

/// The name of an enum's value: `names[index]`, or "?" if there are not so many.
static inline const char *kifu__name(const char *const *names, uint32_t count, uint64_t index)
{
    return index < count ? names[index] : "?";
}

#ifdef __cplusplus
}
#endif

#endif
