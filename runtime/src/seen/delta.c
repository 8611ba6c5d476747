// How two states differ, as stretches of bytes.

#include "seen/seen.h"
#include "wire/buffer.h"

// So many equal bytes between two that differ take no more than a new stretch would.
enum { MOST_EQUAL = 1 };

// The next byte that differs.
static uint32_t next_difference(const unsigned char *before, const unsigned char *after, uint32_t at, uint32_t size)
{
    for (; at < size && at % 8; at++) {
        if (before[at] != after[at])
            return at;
    }
    while (at < size && !memcmp(before + at, after + at, 8))
        at += 8;
    while (at < size && before[at] == after[at])
        at++;
    return at;
}

void kifu__add_delta(kifu__blob *blob, const unsigned char *before, const unsigned char *after, uint32_t size)
{
    uint32_t end = 0, next = next_difference(before, after, 0, size);
    if (next == size)
        kifu__add_number(blob, 0);
    while (next < size) {
        const uint32_t at = next, gap = at - end;
        do {
            end = next + 1;
            while (end < size && before[end] != after[end])
                end++;
            next = next_difference(before, after, end, size);
        } while (next < size && next - end <= MOST_EQUAL);
        const uint32_t length = end - at, code = length > 3 ? 3 : length - 1;
        kifu__add_number(blob, 1 + (gap << 3 | code << 1 | (next < size)));
        if (code == 3)
            kifu__add_number(blob, length - 4);
        kifu__build(blob, 0, after + at, length, 1);
    }
}

bool kifu__next_stretch(kifu__bytes *delta, kifu__stretch *stretch, uint32_t state_size)
{
    const uint32_t head = stretch->last ? 0 : kifu__parse_short_number(delta), code = (head - 1) >> 1 & 3;
    if (!head) {
        delta->good = delta->good && (stretch->last || !stretch->bytes);
        return false;
    }
    const uint64_t at = (uint64_t)stretch->at + stretch->size + ((head - 1) >> 3);
    const uint64_t size = code < 3 ? code + 1 : 4 + (uint64_t)kifu__parse_short_number(delta);
    delta->good = delta->good && at + size <= state_size;
    stretch->bytes = delta->good ? kifu__parse_bytes(delta, size) : NULL;
    stretch->at = (uint32_t)at;
    stretch->size = (uint32_t)size;
    stretch->last = !((head - 1) & 1);
    return delta->good;
}

bool kifu__delta_holds(kifu__bytes delta, const kifu_rules *rules, const unsigned char *state)
{
    kifu__stretch stretch = {0};
    bool holds = true;
    while (holds && kifu__next_stretch(&delta, &stretch, rules->state_size))
        holds = kifu__state_holds(rules, state, stretch.at, stretch.at + stretch.size);
    return holds && delta.good;
}

bool kifu__apply_delta(kifu__bytes *delta, const kifu_rules *rules, unsigned char *state)
{
    const kifu__bytes whole = *delta;
    kifu__stretch stretch = {0};
    while (kifu__next_stretch(delta, &stretch, rules->state_size))
        memcpy(state + stretch.at, stretch.bytes, stretch.size);
    return delta->good && kifu__delta_holds(whole, rules, state);
}
