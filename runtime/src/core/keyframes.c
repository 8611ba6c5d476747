#include "core/keyframes.h"

enum { DEFAULT_BUDGET = 1 << 20, LEAST_BY_DEFAULT = 8 };

void kifu__keyframes_open(kifu__keyframes *keyframes, uint32_t state_size, size_t budget)
{
    size_t most = (budget ? budget : DEFAULT_BUDGET) / state_size;
    if (!budget && most < LEAST_BY_DEFAULT)
        most = LEAST_BY_DEFAULT;
    // A copy costs some 2 bytes for each event, however large the state, until it is 2 KiB.
    uint32_t interval = state_size / 2;
    interval = interval < 128 ? 128 : interval > 1024 ? 1024 : interval;
    *keyframes = (kifu__keyframes){
        .most = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most,
        .interval = interval,
        .state_size = state_size,
    };
}

void kifu__keyframes_free(kifu__keyframes *keyframes, const kifu__memory *memory)
{
    for (uint32_t i = 0; i < keyframes->made; i++)
        kifu__free(memory, keyframes->items[i].state);
    kifu__free(memory, keyframes->items);
}

// Takes one out; its block is kept for another.
static void drop(kifu__keyframes *keyframes, uint32_t index)
{
    kifu__keyframe dropped = keyframes->items[index];
    keyframes->count--;
    memmove(&keyframes->items[index], &keyframes->items[index + 1],
            (keyframes->count - index) * sizeof keyframes->items[0]);
    keyframes->items[keyframes->count] = dropped;
}

// Where the gap that is left may be as wide as the `share`th part of its age, a keyframe goes: so they are denser
// towards the end. One pass from the last to the first.
static void thin_once(kifu__keyframes *keyframes, uint32_t share)
{
    kifu__keyframe *items = keyframes->items;
    uint32_t end = items[keyframes->count - 1].event_count;
    uint32_t behind = end; // the last one that stays
    uint32_t kept = keyframes->count;
    // Those that stay gather at the end of the array, those that go in front of them.
    for (uint32_t i = keyframes->count; i-- > 0;) {
        uint32_t before = i ? items[i - 1].event_count : 0;
        bool goes = i + 1 < keyframes->count && (uint64_t)(behind - before) * share <= end - before;
        if (goes)
            continue;
        behind = items[i].event_count;
        kifu__keyframe stays = items[i];
        items[i] = items[--kept];
        items[kept] = stays;
    }
    // Now to the front; the dropped blocks come behind.
    uint32_t left = keyframes->count - kept;
    for (uint32_t i = 0; i < left; i++) {
        kifu__keyframe stays = items[kept + i];
        items[kept + i] = items[i];
        items[i] = stays;
    }
    keyframes->count = left;
}

// Makes room by dropping a quarter at once, so that each one added has to look at few.
static void thin(kifu__keyframes *keyframes)
{
    uint32_t enough = keyframes->most - (keyframes->most + 3) / 4;
    for (uint32_t share = keyframes->most; share > 0 && keyframes->count > enough; share = share * 3 / 4)
        thin_once(keyframes, share);
    if (keyframes->count > enough)
        drop(keyframes, 0);
}

static uint32_t count_up_to(const kifu__keyframes *keyframes, uint32_t event_count)
{
    uint32_t low = 0, high = keyframes->count;
    if (high && keyframes->items[high - 1].event_count <= event_count)
        return high;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (keyframes->items[middle].event_count <= event_count)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void kifu__keyframes_add(kifu__keyframes *keyframes, const kifu__memory *memory, uint32_t event_count,
                         const unsigned char *state)
{
    if (!keyframes->most || kifu__keyframes_has(keyframes, event_count))
        return;
    if (keyframes->count == keyframes->most)
        thin(keyframes);
    if (keyframes->count == keyframes->made) {
        kifu__keyframe *items = (kifu__keyframe *)kifu__grow(memory, keyframes->items, &keyframes->capacity,
                                                             (uint64_t)keyframes->made + 1, sizeof *items);
        if (!items)
            return;
        keyframes->items = items;
        unsigned char *block = (unsigned char *)kifu__new(memory, keyframes->state_size);
        if (!block)
            return;
        items[keyframes->made++].state = block;
    }
    uint32_t at = count_up_to(keyframes, event_count);
    kifu__keyframe added = {.event_count = event_count, .state = keyframes->items[keyframes->count].state};
    memmove(&keyframes->items[at + 1], &keyframes->items[at], (keyframes->count - at) * sizeof added);
    memcpy(added.state, state, keyframes->state_size);
    keyframes->items[at] = added;
    keyframes->count++;
}

bool kifu__keyframes_has(const kifu__keyframes *keyframes, uint32_t event_count)
{
    const kifu__keyframe *found = kifu__keyframes_find(keyframes, event_count);
    return found && found->event_count == event_count;
}

void kifu__keyframes_cut(kifu__keyframes *keyframes, uint32_t event_count)
{
    keyframes->count = count_up_to(keyframes, event_count);
}

const kifu__keyframe *kifu__keyframes_find(const kifu__keyframes *keyframes, uint32_t event_count)
{
    uint32_t count = count_up_to(keyframes, event_count);
    return count ? &keyframes->items[count - 1] : NULL;
}
