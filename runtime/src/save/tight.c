#include "save/tight.h"

#include <string.h>

#include "save/columns.h"
#include "save/frame.h"
#include "wire/buffer.h"

// How likely a bit is 0, as far as it was seen.
typedef struct node {
    uint16_t zero; // of 65,536
    uint8_t seen;  // so many bits
    uint8_t run;   // in which this was; other runs begin anew
} node;

enum { EVEN = 32768, MOST_SEEN = 250, CONTEXTS = 256, NODES = 256 };

// How the bytes of a run are told.
enum { SAME, ALONE, AFTER_LAST, DIFFERENCE, WAYS };

// Both ways: a range coder, and the statistics that the bytes so far have led to.
typedef struct coder {
    kifu__blob *to; // Packing: where the bytes go; NULL: unpacking
    uint64_t low;
    uint32_t carried; // so many bytes wait for a carry,
    uint8_t cache;    // the first of which is this
    const unsigned char *from, *end;
    uint32_t code;
    uint32_t range;
    uint8_t run;
    node ways[WAYS];  // for which way
    node same[NODES]; // for the one byte of a run
    node *nodes;      // CONTEXTS x NODES, for the others
} coder;

// --- Bits ------------------------------------------------------------------------------------------------------------

static void put(coder *coder, uint8_t byte)
{
    kifu__build(coder->to, 0, &byte, 1, 1);
}

static void shift(coder *coder)
{
    if (coder->low < UINT32_C(0xFF000000) || coder->low >> 32) {
        const uint8_t carry = (uint8_t)(coder->low >> 32);
        for (uint8_t byte = coder->cache; coder->carried; coder->carried--, byte = 0xFF)
            put(coder, (uint8_t)(byte + carry));
        coder->cache = (uint8_t)(coder->low >> 24);
    }
    coder->carried++;
    coder->low = (coder->low & 0x00FFFFFF) << 8;
}

static unsigned next_byte(coder *coder)
{
    return coder->from < coder->end ? *coder->from++ : 0;
}

static void learn(node *node, unsigned bit)
{
    const int32_t goal = bit ? 0 : 65535;
    node->seen = (uint8_t)(node->seen + (node->seen < MOST_SEEN));
    node->zero = (uint16_t)(node->zero + 2 * (goal - node->zero) / (2 * node->seen + 3));
}

// The bit, which is given when packing.
static unsigned code_bit(coder *coder, node *node, unsigned bit)
{
    const uint32_t zero = node->zero >> 4;
    const uint32_t bound = (coder->range >> 12) * (zero ? zero : 1);
    if (!coder->to)
        bit = coder->code >= bound;
    if (bit) {
        coder->low += bound;
        coder->code -= bound;
    }
    coder->range = bit ? coder->range - bound : bound;
    learn(node, bit);
    while (coder->range < UINT32_C(1) << 24) {
        coder->range <<= 8;
        if (coder->to)
            shift(coder);
        else
            coder->code = coder->code << 8 | next_byte(coder);
    }
    return bit;
}

// --- Bytes -----------------------------------------------------------------------------------------------------------

static node *fresh(coder *coder, node *node)
{
    if (node->run != coder->run)
        *node = (struct node){.zero = EVEN, .run = coder->run};
    return node;
}

static uint8_t code_byte(coder *coder, unsigned context, uint8_t byte)
{
    node *nodes = coder->nodes + (size_t)context * NODES;
    unsigned at = 1;
    for (int i = 7; i >= 0; i--)
        at = at << 1 | code_bit(coder, fresh(coder, &nodes[at]), byte >> i & 1U);
    return (uint8_t)at;
}

static uint8_t code_same(coder *coder, uint8_t byte)
{
    unsigned at = 1;
    for (int i = 7; i >= 0; i--)
        at = at << 1 | code_bit(coder, &coder->same[at], byte >> i & 1U);
    return (uint8_t)at;
}

static unsigned code_way(coder *coder, unsigned way)
{
    const unsigned high = code_bit(coder, &coder->ways[1], way >> 1);
    return high << 1 | code_bit(coder, &coder->ways[2 + high], way & 1);
}

// A run of bytes of one kind, in one way. Each `stride`-th is like the one before.
static void code_run(coder *coder, unsigned char *bytes, uint32_t size, uint32_t stride, unsigned way)
{
    way = code_way(coder, way);
    if (++coder->run == 0) { // Each number means one run.
        memset(coder->nodes, 0, (size_t)CONTEXTS * NODES * sizeof *coder->nodes);
        coder->run = 1;
    }
    if (way == SAME) {
        memset(bytes, code_same(coder, bytes[0]), size);
        return;
    }
    for (uint32_t i = 0; i < size; i++) {
        const uint8_t last = i < stride ? 0 : bytes[i - stride];
        const uint8_t base = way == DIFFERENCE ? last : 0;
        bytes[i] =
            (uint8_t)(base + code_byte(coder, way == AFTER_LAST ? last : i % stride, (uint8_t)(bytes[i] - base)));
    }
}

static bool all_same(const unsigned char *bytes, uint32_t size)
{
    return memcmp(bytes, bytes + 1, size - 1) == 0;
}

// Packing: in the way that needs the fewest bytes. The nodes need not go back: each run begins anew.
static void pack_run(coder *coder, unsigned char *bytes, uint32_t size, uint32_t stride)
{
    const struct coder before = *coder;
    const uint32_t begin = coder->to->size;
    unsigned best = all_same(bytes, size) ? SAME : ALONE;
    uint64_t least = UINT64_MAX;
    for (unsigned way = ALONE; best != SAME && size > 8 && way < WAYS; way++) {
        code_run(coder, bytes, size, stride, way);
        const uint64_t used = ((uint64_t)coder->to->size - begin + coder->carried) * 256 + (256 - (coder->range >> 24));
        best = used < least ? way : best;
        least = used < least ? used : least;
        const uint8_t run = coder->run;
        *coder = before;
        coder->run = run;
        coder->to->size = begin;
    }
    code_run(coder, bytes, size, stride, best);
}

// --- Frames ----------------------------------------------------------------------------------------------------------

// What is left of the frames to be told.
typedef struct rest {
    unsigned char *at;
    uint32_t size;
} rest;

// The next run, or what there is of it.
static void take_run(coder *coder, rest *rest, uint64_t size, uint32_t stride)
{
    const uint32_t run = size < rest->size ? (uint32_t)size : rest->size;
    if (!run)
        return;
    if (coder->to)
        pack_run(coder, rest->at, run, stride);
    else
        code_run(coder, rest->at, run, stride, SAME);
    rest->at += run;
    rest->size -= run;
}

static void take_columns(coder *coder, rest *rest)
{
    const unsigned char *columns = rest->at;
    const uint32_t size = rest->size;
    kifu__columns_head head = {0};
    take_run(coder, rest, sizeof head, 4);
    memcpy(&head, columns, size < sizeof head ? size : sizeof head);
    take_run(coder, rest, (uint64_t)head.types * KIFU__COLUMNS_ENTRY, KIFU__COLUMNS_ENTRY);
    const uint32_t entries = (size - rest->size) / KIFU__COLUMNS_ENTRY;
    take_run(coder, rest, head.vtables_size, 2);
    take_run(coder, rest, head.count, 1);
    for (uint32_t i = 1; i < entries && rest->size; i++) {
        kifu__column_entry entry = {.type = 0};
        memcpy(&entry, columns + (size_t)i * KIFU__COLUMNS_ENTRY, KIFU__COLUMNS_ENTRY);
        if (!entry.count)
            continue;
        for (uint32_t k = 0; k < kifu__column_count(&entry) && rest->size; k++)
            take_run(coder, rest, entry.count, 1);
        for (uint32_t k = 0; k < entry.lanes && rest->size; k++)
            take_run(coder, rest, entry.tails / entry.lanes, 1);
        if (entry.flags & KIFU__HAS_TABLES)
            take_run(coder, rest, entry.tails / 4, 1);
    }
}

static void take_frame(coder *coder, rest *rest)
{
    const unsigned char *start = rest->at;
    kifu__tight_head head = {0};
    take_run(coder, rest, sizeof head, 4);
    memcpy(&head, start, (size_t)(rest->at - start));
    struct rest payload = *rest;
    payload.size = head.size < rest->size ? head.size : rest->size;
    const uint32_t padded = payload.size + ((0 - payload.size) & 7);
    rest->at += padded < rest->size ? padded : rest->size;
    rest->size -= padded < rest->size ? padded : rest->size;
    if (head.kind == KIFU__FRAME_SEGMENT || head.kind == KIFU__FRAME_PENDING)
        take_columns(coder, &payload);
    take_run(coder, &payload, payload.size, head.kind == KIFU__FRAME_CHECKPOINTS ? 16 : 8);
}

static kifu_result take_all(const kifu__memory *memory, coder *coder, unsigned char *frames, uint32_t size)
{
    rest rest = {frames, size};
    const size_t room = (size_t)CONTEXTS * NODES * sizeof *coder->nodes;
    coder->nodes = (node *)kifu__new(memory, room);
    if (!coder->nodes)
        return KIFU_NO_MEMORY;
    memset(coder->nodes, 0, room);
    for (int i = 0; i < WAYS; i++)
        coder->ways[i].zero = EVEN;
    for (int i = 0; i < NODES; i++)
        coder->same[i].zero = EVEN;
    coder->range = UINT32_MAX;
    while (rest.size)
        take_frame(coder, &rest);
    kifu__free(memory, coder->nodes);
    return KIFU_OK;
}

// Zeros at the end need not be there.
kifu_result kifu__tighten(const kifu__memory *memory, const unsigned char *frames, uint32_t size, kifu__blob *to)
{
    coder coder = {.to = to};
    unsigned char *copy = (unsigned char *)kifu__new(memory, size);
    if (!copy)
        return KIFU_NO_MEMORY;
    memcpy(copy, frames, size);
    const kifu_result result = take_all(memory, &coder, copy, size);
    kifu__free(memory, copy);
    for (int i = 0; i < 5 && !result; i++)
        shift(&coder);
    while (!to->result && to->size && !to->bytes[to->size - 1])
        to->size--;
    return result ? result : to->result;
}

kifu_result kifu__loosen(const kifu__memory *memory, const unsigned char *bytes, uint32_t packed_size,
                         unsigned char *frames, uint32_t size)
{
    coder coder = {.from = bytes, .end = bytes + packed_size};
    for (int i = 0; i < 4; i++)
        coder.code = coder.code << 8 | next_byte(&coder);
    memset(frames, 0, size);
    return take_all(memory, &coder, frames, size);
}
