#include "check/records.h"

// From now on nothing is recorded.
static void lose_records(kifu_timeline *timeline, kifu__records *records)
{
    kifu__free(&timeline->memory, records->bytes);
    records->bytes = NULL;
    records->lost = true;
}

static kifu__recorded_call *record_at(const kifu__records *records, uint32_t at)
{
    return (kifu__recorded_call *)(void *)(records->bytes + at);
}

// A new record with room for `size` bytes behind it. Without memory it returns NULL and gives up: the game goes on.
static kifu__recorded_call *add_call(kifu_timeline *timeline, kifu__records *records, kifu__call call, uint32_t size)
{
    const uint64_t end = (uint64_t)records->size + sizeof(kifu__recorded_call) + size;
    unsigned char *bytes = (unsigned char *)kifu__grow(&timeline->memory, records->bytes, &records->capacity, end, 1);
    if (!bytes) {
        lose_records(timeline, records);
        return NULL;
    }
    records->bytes = bytes;
    kifu__recorded_call *record = record_at(records, records->size);
    *record = (kifu__recorded_call){
        .call = (uint8_t)call, .executed = timeline->executed, .steps = records->steps, .size = size};
    records->steps = 0;
    records->size = (uint32_t)end;
    return record;
}

// Forgets the record at `at` and those behind it.
static void cut_records(kifu__records *records, uint32_t at)
{
    records->steps = record_at(records, at)->steps;
    records->size = at;
}

static void add_run(kifu_timeline *timeline, kifu__records *records, const kifu__proposal *input)
{
    const uint32_t at = records->size;
    kifu__recorded_call *record = add_call(timeline, records, KIFU__CALL_RUN, kifu__proposal_size(input->size));
    if (!record)
        return;
    memcpy(record + 1, input, sizeof *input + input->size);
    record->number = timeline->running.acting;
    records->running = at;
}

static void add_override(kifu_timeline *timeline, kifu__records *records, const kifu__proposal *proposal)
{
    uint32_t place = 0;
    const kifu__proposal *at = kifu__queue_first(&timeline->consequences);
    for (; at && at != proposal; at = kifu__queue_next(&timeline->consequences, at))
        place++;
    kifu__recorded_call *record =
        at ? add_call(timeline, records, KIFU__CALL_OVERRIDE, 0) : NULL; // else it is an input
    if (record) {
        record->number = place;
        record->flags = proposal->flags;
    }
}

static void add_begin(kifu_timeline *timeline, kifu__records *records, unsigned flags)
{
    const uint32_t at = records->size;
    kifu__recorded_call *record = add_call(timeline, records, KIFU__CALL_BEGIN, 0);
    if (!record)
        return;
    record->flags = (uint8_t)flags;
    record->number = records->open;
    records->open = at;
}

// What was about to run did not happen.
static void take_back_call(kifu_timeline *timeline, kifu__records *records, bool waits)
{
    if (records->running != KIFU_NONE)
        cut_records(records, records->running);
    else if (waits)
        records->steps--;
    else
        lose_records(timeline, records);
}

static void record_call(kifu_timeline *timeline, kifu__part *part, kifu__call call, const kifu__proposal *proposal,
                        unsigned flags)
{
    kifu__records *records = (kifu__records *)part;
    if (records->lost)
        return;
    const uint32_t open = records->open;
    switch (call) {
    case KIFU__CALL_RUN:
        records->running = KIFU_NONE;
        if (proposal)
            add_run(timeline, records, proposal);
        else
            records->steps++;
        break;
    case KIFU__CALL_NOT_RUN:
    case KIFU__CALL_STILL:
        take_back_call(timeline, records, call == KIFU__CALL_STILL);
        break;
    case KIFU__CALL_BEGIN:
        add_begin(timeline, records, flags);
        break;
    case KIFU__CALL_OVERRIDE:
        add_override(timeline, records, proposal);
        break;
    case KIFU__CALL_OTHER:
        lose_records(timeline, records);
        break;
    case KIFU__CALL_ROLL_BACK:
    case KIFU__CALL_COMMIT:
        records->open = (uint32_t)record_at(records, open)->number;
        if (call == KIFU__CALL_COMMIT)
            add_call(timeline, records, call, 0);
        else
            cut_records(records, open);
        break;
    default:
        add_call(timeline, records, call, 0);
    }
}

static void free_records(kifu_timeline *timeline, kifu__part *part)
{
    kifu__free(&timeline->memory, ((kifu__records *)part)->bytes);
}

static const kifu__part_table records_table = {
    .size = sizeof(kifu__records), .order = KIFU__RECORDS, .called = record_call, .freed = free_records};

const kifu__records *kifu__records_of(const kifu_timeline *timeline)
{
    return (const kifu__records *)kifu__part_of(timeline, &records_table);
}

kifu_result kifu_record_inputs(kifu_timeline *timeline)
{
    kifu__records *records = (kifu__records *)kifu__attach(timeline, &records_table);
    if (!records)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for recording inputs");
    records->lost = records->lost || timeline->executed || timeline->transactions.open;
    return KIFU_OK;
}
