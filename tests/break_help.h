/// Broken FlatBuffers, for the suites of what reads them.
#ifndef TESTS_BREAK_HELP_H
#define TESTS_BREAK_HELP_H

#include "wire_help.h"

/// Changes something. Bytes that mean something are rarely hit by chance, so most changes are small or look like
/// offsets and sizes.
static inline void break_once(kifu_rng *rng, bytes *bytes)
{
    uint32_t size = (uint32_t)bytes->size;
    uint32_t at = kifu_rng_below(rng, size);
    uint32_t word = at & ~3u, half = at & ~1u;
    uint32_t value32;
    uint16_t value16;
    switch (kifu_rng_below(rng, 9)) {
    case 0:
        bytes->at[at] = (unsigned char)kifu_rng_next(rng);
        break;
    case 1:
        bytes->at[at] ^= (unsigned char)(1u << kifu_rng_below(rng, 8));
        break;
    case 2:
        bytes->at[at] = 0;
        break;
    case 3: // an offset or length, a little off
        if (word + 4 > size)
            break;
        memcpy(&value32, bytes->at + word, 4);
        value32 += kifu_rng_below(rng, 33) - 16;
        memcpy(bytes->at + word, &value32, 4);
        break;
    case 4: // or far off
        if (word + 4 > size)
            break;
        value32 = kifu_rng_below(rng, 2) ? kifu_rng_below(rng, size + 16) : kifu_rng_next(rng) | UINT32_C(0x7fffff00);
        memcpy(bytes->at + word, &value32, 4);
        break;
    case 5: // an entry of a vtable
        if (half + 2 > size)
            break;
        value16 = (uint16_t)kifu_rng_below(rng, 48);
        memcpy(bytes->at + half, &value16, 2);
        break;
    case 6: // one word in another's place
        if (word + 4 > size || size < 8)
            break;
        memmove(bytes->at + word, bytes->at + 4 * kifu_rng_below(rng, size / 4), 4);
        break;
    case 7:
        if (word + 4 <= size)
            memset(bytes->at + word, 0, 4);
        break;
    default:
        bytes->size = kifu_rng_below(rng, 8) ? size - kifu_rng_below(rng, size < 8 ? size : 8) : at;
        break;
    }
}

#endif
