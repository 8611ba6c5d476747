#include "check/records.h"

#include "core/timeline.h"

kifu__records *kifu__records_new(const kifu__memory *memory)
{
    kifu__records *records = (kifu__records *)kifu__new(memory, sizeof *records);
    if (records)
        *records = (kifu__records){.running = KIFU_NONE, .open = KIFU_NONE};
    return records;
}

void kifu__records_free(kifu__records *records, const kifu__memory *memory)
{
    if (records)
        kifu__free(memory, records->bytes);
    kifu__free(memory, records);
}

void kifu__records_lose(kifu_timeline *timeline, kifu__records *records)
{
    kifu__free(&timeline->memory, records->bytes);
    *records = (kifu__records){.lost = true};
}

static kifu__record *record_at(const kifu__records *records, uint32_t at)
{
    return (kifu__record *)(void *)(records->bytes + at);
}

// A new record with room for `size` bytes behind it. NULL, and everything is lost, without memory: the game goes on.
static kifu__record *add(kifu_timeline *timeline, kifu__records *records, kifu__call call, uint32_t size)
{
    const uint64_t end = (uint64_t)records->size + sizeof(kifu__record) + size;
    unsigned char *bytes = (unsigned char *)kifu__grow(&timeline->memory, records->bytes, &records->capacity, end, 1);
    if (!bytes) {
        kifu__records_lose(timeline, records);
        return NULL;
    }
    records->bytes = bytes;
    kifu__record *record = record_at(records, records->size);
    *record =
        (kifu__record){.call = (uint8_t)call, .executed = timeline->executed, .steps = records->steps, .size = size};
    records->steps = 0;
    records->size = (uint32_t)end;
    return record;
}

// Forgets the record at `at` and those behind it.
static void cut(kifu__records *records, uint32_t at)
{
    records->steps = record_at(records, at)->steps;
    records->size = at;
}

static void add_run(kifu_timeline *timeline, kifu__records *records, const kifu__proposal *input)
{
    const uint32_t at = records->size;
    kifu__record *record = add(timeline, records, KIFU__CALL_RUN, kifu__proposal_size(input->size));
    if (!record)
        return;
    memcpy(record + 1, input, sizeof *input + input->size);
    record->number = timeline->turn.ticket == input->ticket ? timeline->turn.actor : KIFU_NO_HANDLE;
    records->running = at;
}

static void add_override(kifu_timeline *timeline, kifu__records *records, const kifu__proposal *proposal)
{
    uint32_t place = 0;
    const kifu__proposal *at = kifu__queue_first(&timeline->consequences);
    for (; at && at != proposal; at = kifu__queue_next(&timeline->consequences, at))
        place++;
    kifu__record *record = at ? add(timeline, records, KIFU__CALL_OVERRIDE, 0) : NULL; // else it is an input
    if (record) {
        record->number = place;
        record->flags = proposal->flags;
    }
}

static void add_begin(kifu_timeline *timeline, kifu__records *records, unsigned flags)
{
    const uint32_t at = records->size;
    kifu__record *record = add(timeline, records, KIFU__CALL_BEGIN, 0);
    if (!record)
        return;
    record->flags = (uint8_t)flags;
    record->number = records->open;
    records->open = at;
}

void kifu__records_called(kifu_timeline *timeline, kifu__records *records, kifu__call call, kifu__proposal *proposal,
                          unsigned flags)
{
    if (records->lost)
        return;
    const uint32_t open = records->open;
    if (call == KIFU__CALL_COMMIT || call == KIFU__CALL_ROLL_BACK)
        records->open = (uint32_t)record_at(records, open)->number;
    if (call == KIFU__CALL_ROLL_BACK)
        cut(records, open);
    else if (call == KIFU__CALL_BEGIN)
        add_begin(timeline, records, flags);
    else if (call == KIFU__CALL_OVERRIDE)
        add_override(timeline, records, proposal);
    else if (call != KIFU__CALL_RUN)
        add(timeline, records, call, 0);
    else if (proposal)
        add_run(timeline, records, proposal);
    else {
        records->steps++;
        records->running = KIFU_NONE;
    }
}

void kifu__records_not_run(kifu_timeline *timeline, kifu__records *records, bool waits)
{
    if (records->lost)
        return;
    if (records->running != KIFU_NONE)
        cut(records, records->running);
    else if (waits)
        records->steps--;
    else
        kifu__records_lose(timeline, records);
}
