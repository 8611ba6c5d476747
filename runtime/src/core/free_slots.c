#include "core/free_slots.h"

#include "core/timeline.h"

enum {
    MOST_REMEMBERED = 256, // changes of slots
    WORD = 64,             // slots in one word of bits
    MOST_SUMS = 65536 / WORD / WORD
};

// One pool: a bit for each slot, set where it is free; and one for each word of these, set where it is not 0.
typedef struct vacancy {
    const kifu__pool *pool;
    uint64_t *words;
    uint64_t sums[MOST_SUMS];
    bool known; // The bits are those of the state.
} vacancy;

typedef struct slot_change {
    uint32_t event;
    uint32_t vacancy; // number of the pool
    uint32_t index;
} slot_change;

typedef struct kifu__free_slots {
    kifu__part part;
    vacancy *items;
    uint32_t count, capacity;
    uint32_t asked;             // Number of the pool that was asked for last.
    const unsigned char *state; // whose slots these are
    uint32_t forgotten;         // Of the events before this one, not all changes are remembered.
    uint32_t change_count;
    slot_change changes[MOST_REMEMBERED]; // by event
} free_slots;

static void free_free_slots(kifu_timeline *timeline, kifu__part *part)
{
    free_slots *all = (free_slots *)(void *)part;
    for (uint32_t i = 0; i < all->count; i++)
        kifu__free(&timeline->memory, all->items[i].words);
    kifu__free(&timeline->memory, all->items);
}

static const kifu__part_table free_slots_table;

static bool is_free(const kifu_timeline *timeline, const kifu__pool *pool, uint32_t index)
{
    return kifu__is_free(kifu__pool_slot(timeline->core.state, pool, index)->generation);
}

// --- Bits ------------------------------------------------------------------------------------------------------------

static uint32_t lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(word);
#else
    uint32_t bit = 0;
    while (!(word >> bit & 1))
        bit++;
    return bit;
#endif
}

static void put_slot(vacancy *vacancy, uint32_t index, bool is_free)
{
    const uint32_t number = index / WORD;
    uint64_t *word = &vacancy->words[number], *sum = &vacancy->sums[number / WORD];
    const uint64_t bit = UINT64_C(1) << index % WORD, sum_bit = UINT64_C(1) << number % WORD;
    *word = is_free ? *word | bit : *word & ~bit;
    *sum = *word ? *sum | sum_bit : *sum & ~sum_bit;
}

static uint32_t lowest(const vacancy *vacancy)
{
    for (uint32_t i = 0; i < MOST_SUMS; i++) {
        if (vacancy->sums[i]) {
            const uint32_t number = i * WORD + lowest_bit(vacancy->sums[i]);
            return number * WORD + lowest_bit(vacancy->words[number]);
        }
    }
    return vacancy->pool->count;
}

// --- Following the state ---------------------------------------------------------------------------------------------

static void forget_all(kifu_timeline *timeline, free_slots *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        all->items[i].known = false;
    all->state = timeline->core.state;
    const kifu__core *core = &timeline->core;
    all->forgotten = core->unclear > kifu__event(core) ? core->unclear : kifu__event(core);
    all->change_count = 0;
}

// Catches up with what was undone since the last time.
static void catch_up_slots(kifu_timeline *timeline, free_slots *all)
{
    const uint32_t undone = timeline->core.undone;
    if (undone < all->forgotten || all->state != timeline->core.state || !undone)
        forget_all(timeline, all);
    timeline->core.undone = KIFU_NONE;
    for (; all->change_count && all->changes[all->change_count - 1].event >= undone; all->change_count--) {
        const slot_change *last = &all->changes[all->change_count - 1];
        vacancy *vacancy = &all->items[last->vacancy];
        if (vacancy->known)
            put_slot(vacancy, last->index, is_free(timeline, vacancy->pool, last->index));
    }
}

static void remember_slot(const kifu_timeline *timeline, free_slots *all, uint32_t vacancy, uint32_t index)
{
    enum { HALF = MOST_REMEMBERED / 2 };
    if (all->change_count == MOST_REMEMBERED) {
        all->forgotten = all->changes[HALF - 1].event + 1;
        memmove(all->changes, all->changes + HALF, HALF * sizeof *all->changes);
        all->change_count = HALF;
    }
    all->changes[all->change_count++] =
        (slot_change){.event = kifu__event(&timeline->core), .vacancy = vacancy, .index = index};
}

// May it change a generation?
static void edited(kifu_timeline *timeline, kifu__part *part, uint32_t offset, uint32_t size)
{
    const free_slots *all = (const free_slots *)(const void *)part;
    for (uint32_t i = 0; i < all->count; i++) {
        const kifu__pool *pool = all->items[i].pool;
        const uint32_t end = pool->offset + pool->count * pool->stride;
        if (offset >= end || offset + size <= pool->offset)
            continue;
        const uint32_t within = offset < pool->offset ? 0 : (offset - pool->offset) % pool->stride;
        if (within < sizeof(kifu_slot) || within + size > pool->stride)
            kifu__state_unclear(&timeline->core);
    }
}

static const kifu__part_table free_slots_table = {
    .size = sizeof(free_slots), .order = KIFU__FREE_SLOTS, .freed = free_free_slots, .edited = edited};

// The pool's number, entered if it is new; KIFU_NONE without memory.
static uint32_t vacancy_number(kifu_timeline *timeline, free_slots *all, const kifu__pool *pool)
{
    if (all->count && all->items[all->asked].pool->offset == pool->offset)
        return all->asked;
    uint32_t number = 0; // Each file of a game may have a description of the pool.
    while (number < all->count && all->items[number].pool->offset != pool->offset)
        number++;
    if (number < all->count)
        return all->asked = number;
    vacancy *items =
        (vacancy *)kifu__grow(&timeline->memory, all->items, &all->capacity, (uint64_t)number + 1, sizeof *items);
    if (!items)
        return KIFU_NONE;
    all->items = items;
    const size_t size = (pool->count + WORD - 1) / WORD * sizeof(uint64_t);
    items[number] = (vacancy){.pool = pool, .words = (uint64_t *)kifu__new(&timeline->memory, size)};
    all->count += items[number].words != NULL;
    return items[number].words ? number : KIFU_NONE;
}

static void learn_vacancy(const kifu_timeline *timeline, vacancy *vacancy)
{
    const uint32_t count = vacancy->pool->count;
    memset(vacancy->words, 0, (count + WORD - 1) / WORD * sizeof *vacancy->words);
    memset(vacancy->sums, 0, sizeof vacancy->sums);
    for (uint32_t index = 0; index < count; index++) {
        if (is_free(timeline, vacancy->pool, index))
            put_slot(vacancy, index, true);
    }
    vacancy->known = true;
}

// What is known of all pools, up to date; NULL where that does not help: outside of a Do, and without
// memory. `*number` is the pool's.
static free_slots *free_slots_of(kifu_timeline *timeline, const kifu__pool *pool, uint32_t *number)
{
    const kifu__phase phase = timeline->core.phase;
    if ((phase != KIFU__DOING && phase != KIFU__REPLAYING))
        return NULL;
    if (!timeline->free_slots)
        timeline->free_slots = kifu__attach(timeline, &free_slots_table);
    free_slots *all = (free_slots *)(void *)timeline->free_slots;
    *number = all ? vacancy_number(timeline, all, pool) : KIFU_NONE;
    if (*number == KIFU_NONE) {
        kifu__state_unclear(&timeline->core);
        return NULL;
    }
    // Not in a short try, which would not say that it is taken back.
    if (phase == KIFU__DOING && kifu__has_handler(timeline, seals))
        kifu__changed(timeline);
    if (timeline->core.undone != KIFU_NONE || all->state != timeline->core.state)
        catch_up_slots(timeline, all);
    return all;
}

static uint16_t generation_of(const unsigned char *slot)
{
    return ((const kifu_slot *)(const void *)slot)->generation;
}

static uint32_t search(const kifu_timeline *timeline, const kifu__pool *pool)
{
    const unsigned char *slot = timeline->core.state + pool->offset;
    const size_t stride = pool->stride;
    uint32_t left = pool->count;
    for (; left > 1 && generation_of(slot) & generation_of(slot + stride) & 1; left -= 2) // Most are used.
        slot += 2 * stride;
    for (; left && !kifu__is_free(generation_of(slot)); left--)
        slot += stride;
    return pool->count - left;
}

static KIFU__CALLED uint32_t first_known(kifu_timeline *timeline, const kifu__pool *pool)
{
    uint32_t number;
    free_slots *all = free_slots_of(timeline, pool, &number);
    if (!all || timeline->core.unclear > kifu__event(&timeline->core))
        return search(timeline, pool);
    vacancy *vacancy = &all->items[number];
    if (!vacancy->known)
        learn_vacancy(timeline, vacancy);
    const uint32_t index = lowest(vacancy);
    return index == pool->count || is_free(timeline, pool, index) ? index : search(timeline, pool);
}

uint32_t kifu__first_free(kifu_timeline *timeline, const kifu__pool *pool)
{
    return pool->count < KIFU__LEAST_KNOWN ? search(timeline, pool) : first_known(timeline, pool);
}

void kifu__slot_changed(kifu_timeline *timeline, const kifu__pool *pool, uint32_t index)
{
    uint32_t number;
    free_slots *all = free_slots_of(timeline, pool, &number);
    if (!all)
        return;
    if (all->items[number].known)
        put_slot(&all->items[number], index, is_free(timeline, pool, index));
    remember_slot(timeline, all, number, index);
}
