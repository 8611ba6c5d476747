#include "wire/number.h"

const unsigned char *kifu__parse_bytes(kifu__bytes *bytes, uint64_t size)
{
    const unsigned char *at = bytes->at;
    bytes->good = bytes->good && size <= (uint64_t)(bytes->end - at);
    if (!bytes->good)
        return NULL;
    bytes->at = at + size;
    return at;
}

uint32_t kifu__parse_number(kifu__bytes *bytes)
{
    uint64_t number = 0;
    for (uint32_t shift = 0; shift < 7 * KIFU__MOST_NUMBER; shift += 7) {
        const unsigned char *byte = kifu__parse_bytes(bytes, 1);
        if (!byte)
            return 0;
        number |= (uint64_t)(*byte & 127) << shift;
        if (*byte < 128 && number <= UINT32_MAX)
            return (uint32_t)number;
    }
    bytes->good = false;
    return 0;
}
