#include "board.h"

#include <string.h>

uint32_t board_beside(const go_terms *terms, uint32_t point, uint16_t beside[4])
{
    const uint32_t size = terms->size, column = point % size;
    uint32_t count = 0;
    if (point >= size)
        beside[count++] = (uint16_t)(point - size);
    if (column > 0)
        beside[count++] = (uint16_t)(point - 1);
    if (column + 1 < size)
        beside[count++] = (uint16_t)(point + 1);
    if (point + size < size * size)
        beside[count++] = (uint16_t)(point + size);
    return count;
}

bool board_chain(const go_terms *terms, const go_stone *board, uint32_t point, uint32_t without, points *chain)
{
    bool seen[MOST_POINTS] = {false}, liberty = false;
    uint16_t beside[4];
    chain->count = 1;
    chain->items[0] = (uint16_t)point;
    seen[point] = true;
    for (uint32_t next = 0; next < chain->count; next++) {
        const uint32_t count = board_beside(terms, chain->items[next], beside);
        for (uint32_t i = 0; i < count; i++) {
            const uint16_t at = beside[i];
            liberty = liberty || (board[at] == GO_STONE_NONE && at != without);
            if (board[at] != board[point] || seen[at])
                continue;
            seen[at] = true;
            chain->items[chain->count++] = at;
        }
    }
    return liberty;
}

static bool has(const points *points, uint32_t point)
{
    for (uint32_t i = 0; i < points->count; i++) {
        if (points->items[i] == point)
            return true;
    }
    return false;
}

bool board_capture(const go_terms *terms, const go_stone *board, go_stone stone, uint32_t point, points *captured)
{
    bool liberty = false;
    uint16_t beside[4];
    points chain;
    const uint32_t count = board_beside(terms, point, beside);
    captured->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint16_t at = beside[i];
        if (board[at] == GO_STONE_NONE) {
            liberty = true;
        } else if (board[at] == stone) {
            liberty = liberty || board_chain(terms, board, at, point, &chain);
        } else if (!has(captured, at) && !board_chain(terms, board, at, point, &chain)) {
            memcpy(captured->items + captured->count, chain.items, chain.count * sizeof *chain.items);
            captured->count += chain.count;
        }
    }
    return liberty || captured->count;
}

// The output function of splitmix64 (Sebastiano Vigna, public domain).
static uint64_t mix(uint64_t number)
{
    number *= UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return (number ^ number >> 31) & ~KEY_TURNS;
}

uint64_t stone_key(go_stone stone, uint32_t point)
{
    return mix(stone * UINT64_C(512) + point);
}
