#include "core/log.h"

#include <string.h>

#include "wire/table.h"

// The most bytes one event may have, so that offsets in a segment stay far from overflow.
#define MOST_EVENT_BYTES (UINT32_C(1) << 30)

// The most events: so numbers that are a little larger than any event's fit into 32 bits, too, and are not KIFU_NONE.
#define MOST_EVENTS (KIFU_NONE - 1 - KIFU__MOST_SLOTS)

// Bytes of body for each slot of a new segment: what most events need.
enum { BODY_PER_SLOT = 24, ENOUGH_SLOTS = 1024 };

void kifu__log_open(kifu__log *log, const kifu_rules *rules, const kifu__memory *memory)
{
    *log = (kifu__log){.memory = *memory, .rules = rules, .keeps_from = KIFU_NONE};
    log->branch = log->first.far = &log->first;
}

// Finds the segment that may be appended to, after the last one of the current branch has changed.
static void find_open(kifu__log *log)
{
    kifu__log_forget_near(log);
    const kifu__branch *branch = log->branch;
    kifu__segment *last = branch->segment_count ? &branch->segments[branch->segment_count - 1] : NULL;
    const bool goes_on = last && !last->borrowed && !last->closed && kifu__is_unshared(last->refs) &&
                         last->rules_version == log->rules->rules_version;
    log->open = goes_on ? last : NULL;
}

void kifu__branch_free_events(kifu__log *log, kifu__branch *branch)
{
    kifu__log_forget_near(log);
    if (branch == log->branch)
        log->open = NULL;
    for (uint32_t i = 0; i < branch->segment_count; i++)
        kifu__segment_free(&branch->segments[i], &log->memory);
    kifu__free(&log->memory, branch->segments);
    branch->segments = NULL;
    branch->segment_count = branch->segment_capacity = 0;
    branch->end = branch->from;
}

void kifu__log_close(kifu__log *log)
{
    kifu__branch_free_events(log, &log->first);
    kifu__segment_free(&log->spare, &log->memory);
    if (log->lender && kifu__release(&log->lender->refs))
        log->lender->free(log->lender, &log->memory);
}

bool kifu__branch_room(kifu__log *log, kifu__branch *branch, uint32_t count)
{
    kifu__segment *segments;
    if (branch->parent && !branch->segments) { // One is enough for a variation of a few moves.
        segments = (kifu__segment *)kifu__new(&log->memory, (size_t)count * sizeof *segments);
        branch->segment_capacity = segments ? count : 0;
    } else
        segments = (kifu__segment *)kifu__grow(&log->memory, branch->segments, &branch->segment_capacity,
                                               (uint64_t)branch->segment_count + count, sizeof *segments);
    if (!segments)
        return false;
    branch->segments = segments;
    find_open(log);
    return true;
}

// Room where the branch, with one segment more, is to be joined: so that a commit needs none.
static bool can_join(kifu__log *log, const kifu__branch *branch)
{
    uint32_t count = 1;
    bool good = true;
    for (; branch->joins && good; branch = branch->joins) {
        count += branch->segment_count;
        good = kifu__branch_room(log, branch->joins, count);
    }
    return good;
}

kifu_result kifu__log_adopt(kifu__log *log, const kifu__segment *segment)
{
    kifu__branch *branch = log->branch;
    if ((uint64_t)branch->end + segment->count > MOST_EVENTS)
        return KIFU_TOO_LARGE;
    kifu__log_show(log); // The last one is full, or left: from now on, forks may share it.
    if (!kifu__branch_room(log, branch, 1) || !can_join(log, branch))
        return KIFU_NO_MEMORY;
    kifu__segment *adopted = &branch->segments[branch->segment_count++];
    *adopted = *segment;
    adopted->first = branch->end;
    branch->end += segment->count;
    find_open(log);
    return KIFU_OK;
}

// Bytes of body of a new segment. A full one before it that has many events shows what this game's events need: a
// quarter more than that, so that a segment ends where its slots end, as it would with more bytes.
static uint32_t body_of_next(const kifu__segment *before, uint32_t slots)
{
    const uint32_t most = slots * BODY_PER_SLOT;
    if (!before || before->borrowed || before->count < before->slots || before->count < ENOUGH_SLOTS)
        return most;
    const unsigned char *first = (const unsigned char *)kifu__segment_table(before, 0);
    const uint64_t used = before->size - (uint64_t)(first - before->bytes);
    const uint64_t body = used * slots / before->count * 5 / 4;
    return body < most ? (uint32_t)body : most;
}

kifu_result kifu__log_grow(kifu__log *log, uint64_t needed)
{
    uint32_t slots = KIFU__FIRST_SLOTS;
    const kifu__branch *branch = log->branch;
    const kifu__segment *before = branch->segment_count ? &branch->segments[branch->segment_count - 1] : NULL;
    if (before) {
        // A closed one was left before it was full: few may be enough, as in a variation of one move.
        const uint32_t last = before->closed ? 0 : before->slots;
        slots = last * 2 > slots ? last * 2 : slots;
        slots = slots > KIFU__MOST_SLOTS ? KIFU__MOST_SLOTS : slots;
    }
    uint32_t body = body_of_next(before, slots);
    if (needed > body)
        body = (uint32_t)needed;
    kifu__segment segment;
    if (log->spare.bytes && log->spare.slots >= slots && log->spare.capacity - log->spare.size >= body) {
        segment = log->spare;
        log->spare = (kifu__segment){0};
    } else if (kifu__segment_new(&log->memory, log->rules, log->rules->rules_version, slots, body, &segment)) {
        return KIFU_NO_MEMORY;
    }
    kifu_result result = kifu__log_adopt(log, &segment);
    if (result)
        kifu__segment_free(&segment, &log->memory);
    return result;
}

kifu_result kifu__log_append(kifu__log *log, uint32_t type, const void *blob, uint32_t size, kifu__mark mark,
                             const void **table)
{
    if (log->branch->end >= MOST_EVENTS || size > MOST_EVENT_BYTES)
        return KIFU_TOO_LARGE;
    if (!log->open || !kifu__segment_append(log->open, log->rules, type, blob, size, mark, table)) {
        const uint64_t needed = (uint64_t)size + 16 + kifu__seal_room(log->rules->types[type].table, blob);
        const kifu_result result = kifu__log_grow(log, needed);
        if (result)
            return result;
        kifu__segment_append(log->open, log->rules, type, blob, size, mark, table);
    }
    log->branch->end++;
    return KIFU_OK;
}

static void keep_as_spare(kifu__log *log, kifu__segment *segment)
{
    bool larger = segment->capacity > log->spare.capacity || !log->spare.bytes;
    // A closed one has the remains of other events in its slots, and is not to be appended to.
    if (!larger || segment->borrowed || segment->closed || !kifu__is_unshared(segment->refs) ||
        segment->rules_version != log->rules->rules_version) {
        kifu__segment_free(segment, &log->memory);
        return;
    }
    kifu__segment_free(&log->spare, &log->memory);
    kifu__segment_truncate(segment, 0);
    log->spare = *segment;
}

void kifu__branch_truncate(kifu__log *log, kifu__branch *branch, uint32_t count)
{
    count = count < branch->from ? branch->from : count;
    while (branch->segment_count) {
        kifu__segment *last = &branch->segments[branch->segment_count - 1];
        if (last->first < count)
            break;
        keep_as_spare(log, last);
        branch->segment_count--;
    }
    find_open(log);
    if (branch->segment_count) {
        kifu__segment *last = &branch->segments[branch->segment_count - 1];
        kifu__segment_truncate(last, count - last->first);
    }
    branch->end = count;
    branch->unchanged = count < branch->unchanged ? count : branch->unchanged;
    branch->followed = count < branch->followed ? count : branch->followed;
}

void kifu__log_truncate(kifu__log *log, uint32_t count)
{
    kifu__branch_truncate(log, log->branch, count);
    kifu__log_changed(log, count);
}

void kifu__log_close_gap(kifu__log *log, kifu__branch *branch, uint32_t begin, uint32_t end)
{
    if (begin < end)
        memmove(&branch->segments[begin], &branch->segments[end],
                (branch->segment_count - end) * sizeof *branch->segments);
    branch->segment_count -= end - begin;
    find_open(log);
}

void kifu__log_come_near(kifu__log *log, uint32_t place)
{
    if (place <= log->begin || kifu__log_near(log, place - 1))
        return;
    uint32_t end;
    log->near = kifu__path_segment(log->branch, place - 1, &end);
    log->near_from = log->near->first;
    log->near_count = end - log->near_from;
}

void kifu__log_enter(kifu__log *log, kifu__branch *branch)
{
    kifu__log_show(log); // Savers and forks look at those of other branches.
    log->branch = branch;
    find_open(log);
}
