// What of bytes is text: only UTF-8 is. FlatBuffers says so, and other tools cannot print anything else.

#include "wire/buffer.h"

// How many of `size` bytes are one character; 0: none begins there. Not even a longer form of a short character is one,
// nor half of one for UTF-16, nor anything above U+10FFFF.
static uint32_t character(const unsigned char *at, uint32_t size)
{
    const unsigned first = at[0];
    const uint32_t more = first < 0x80 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if ((first >= 0x80 && first < 0xC2) || first > 0xF4 || more >= size)
        return 0;
    for (uint32_t i = 1; i <= more; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    }
    const bool wrong = (first == 0xE0 && at[1] < 0xA0) || (first == 0xED && at[1] > 0x9F) ||
                       (first == 0xF0 && at[1] < 0x90) || (first == 0xF4 && at[1] > 0x8F);
    return wrong ? 0 : 1 + more;
}

uint32_t kifu__text_size(const unsigned char *text, uint32_t size)
{
    uint32_t at = 0;
    while (at < size) {
        uint64_t eight = 0x80;
        if (size - at >= sizeof eight)
            memcpy(&eight, text + at, sizeof eight);
        if (!(eight & UINT64_C(0x8080808080808080))) {
            at += (uint32_t)sizeof eight;
            continue;
        }
        const uint32_t length = character(text + at, size - at);
        if (!length)
            break;
        at += length;
    }
    return at;
}
