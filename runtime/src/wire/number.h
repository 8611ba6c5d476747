/// Whole numbers in as few bytes as they need (LEB128): seven bits a byte, the lowest first; the highest bit says that
/// more follow.
#ifndef KIFU_SRC_NUMBER_H
#define KIFU_SRC_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/builder.h"

enum { KIFU__MOST_NUMBER = 5 }; ///< The most bytes of a number below 2^32.

/// Writes a number at `to`; returns where the next byte goes.
static inline unsigned char *kifu__put_number(unsigned char *to, uint32_t number)
{
    for (; number > 127; number >>= 7)
        *to++ = (unsigned char)(number | 128);
    *to++ = (unsigned char)number;
    return to;
}

static inline void kifu__add_number(kifu__blob *blob, uint32_t number)
{
    unsigned char bytes[KIFU__MOST_NUMBER];
    kifu__build(blob, 0, bytes, (uint64_t)(kifu__put_number(bytes, number) - bytes), 1);
}

/// For qsort and bsearch: numbers in ascending order.
static inline int kifu__by_number(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

/// Bytes that are read from the front. Once something is wrong, `good` is false, and all that is read is 0.
typedef struct kifu__bytes {
    const unsigned char *at, *end;
    bool good;
} kifu__bytes;

/// The next `size` bytes; NULL: they are not there.
const unsigned char *kifu__parse_bytes(kifu__bytes *bytes, uint64_t size);

/// The next number.
uint32_t kifu__parse_number(kifu__bytes *bytes);

/// The same where it is done for each event: most numbers are one byte.
static inline uint32_t kifu__parse_short_number(kifu__bytes *bytes)
{
    return bytes->good && bytes->at < bytes->end && *bytes->at < 128 ? *bytes->at++ : kifu__parse_number(bytes);
}

#endif
