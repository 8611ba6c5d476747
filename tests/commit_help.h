/// The records of commits, written from schema/FORMAT.md: taken apart, changed, and put together.
#ifndef TESTS_COMMIT_HELP_H
#define TESTS_COMMIT_HELP_H

#include "frame_help.h"

enum {
    RECORD_STAND = 1,
    RECORD_EVENTS,
    RECORD_CUT,
    RECORD_HASHES,
    RECORD_QUEUE,
    RECORD_ACTIONS,
    RECORD_KEPT,
    RECORD_BRANCH,
    RECORD_RETURNED,
    RECORD_DELETED,
    RECORD_LEFT,
    RECORD_TREE,
    RECORD_BEGUN,
    RECORD_NOTE,
    RECORD_HASH,
    RECORD_POSITION,
    RECORD_SHAPES,
    RECORD_TIP,
    RECORD_END
};

enum { MOST_RECORDS = 200, COMMIT_LINK = 4 };

typedef struct record {
    uint32_t kind, size;
    const unsigned char *body;
} record;

typedef struct records {
    record all[MOST_RECORDS];
    int count;
} records;

static inline unsigned char *put_number(unsigned char *to, uint32_t number)
{
    for (; number > 127; number >>= 7)
        *to++ = (unsigned char)(number | 128);
    *to++ = (unsigned char)number;
    return to;
}

static inline records records_in(const unsigned char *at, const unsigned char *end)
{
    records records = {.count = 0};
    while (at < end && records.count < MOST_RECORDS) {
        record *record = &records.all[records.count++];
        record->kind = number_at(&at);
        record->size = number_at(&at);
        record->body = at;
        at += record->size;
    }
    ck_assert_ptr_eq(at, end);
    return records;
}

static inline records records_of(const save_frame *commit)
{
    return records_in(commit->payload + LINK_SIZE, commit->payload + commit->size);
}

/// Number of the first record of a kind from number `from` on, or -1.
static inline int next_record(const records *records, int from, uint32_t kind)
{
    for (int i = from; i < records->count; i++) {
        if (records->all[i].kind == kind)
            return i;
    }
    return -1;
}

static inline int find_record(const records *records, uint32_t kind)
{
    return next_record(records, 0, kind);
}

static inline void remove_record(records *records, int at)
{
    records->count--;
    memmove(&records->all[at], &records->all[at + 1], (size_t)(records->count - at) * sizeof(record));
}

/// In front of record `place`. The body is the caller's.
static inline void insert_record(records *records, int place, uint32_t kind, const unsigned char *body, uint32_t size)
{
    ck_assert_int_lt(records->count, MOST_RECORDS);
    memmove(&records->all[place + 1], &records->all[place], (size_t)(records->count - place) * sizeof(record));
    records->all[place] = (record){kind, size, body};
    records->count++;
}

/// The payload of a commit; the caller's.
static inline unsigned char *payload_of_records(const records *records, uint32_t *size)
{
    size_t room = LINK_SIZE;
    for (int i = 0; i < records->count; i++)
        room += 10 + (size_t)records->all[i].size;
    unsigned char *payload = (unsigned char *)calloc(room, 1), *at = payload + LINK_SIZE;
    ck_assert_ptr_nonnull(payload);
    for (int i = 0; i < records->count; i++) {
        at = put_number(put_number(at, records->all[i].kind), records->all[i].size);
        if (records->all[i].size)
            memcpy(at, records->all[i].body, records->all[i].size);
        at += records->all[i].size;
    }
    *size = (uint32_t)(at - payload);
    return payload;
}

/// Another value for number `field` of those with which the body of a record begins. `room`: 300 bytes that last as
/// long as the record; the body is shorter.
static inline void set_number(record *record, int field, uint32_t value, unsigned char *room)
{
    const unsigned char *from = record->body, *end = from + record->size;
    unsigned char *to = room;
    ck_assert_uint_lt(record->size, 290);
    for (int i = 0; i < field; i++)
        to = put_number(to, number_at(&from));
    (void)number_at(&from);
    to = put_number(to, value);
    ck_assert(from <= end);
    memcpy(to, from, (size_t)(end - from));
    record->body = room;
    record->size = (uint32_t)(to - room + (end - from));
}

/// Changes something about the records. `room`: 256 bytes that last as long as they.
static inline void change_records(records *records, kifu_rng *rng, unsigned char *room)
{
    const int at = (int)kifu_rng_below(rng, (uint32_t)records->count);
    record *record = &records->all[at];
    switch (kifu_rng_below(rng, 6)) {
    case 0:
        if (records->count + 1 < MOST_RECORDS)
            insert_record(records, (int)kifu_rng_below(rng, (uint32_t)records->count), record->kind, record->body,
                          record->size);
        break;
    case 1:
        if (at + 1 < records->count)
            memmove(record, record + 1, (size_t)(--records->count - at) * sizeof *record);
        break;
    case 2:
        record->kind =
            kifu_rng_below(rng, 4) ? 1 + kifu_rng_below(rng, RECORD_END) : SKIPPED + kifu_rng_below(rng, 192);
        break;
    case 3:
        record->size = kifu_rng_below(rng, record->size + 1);
        break;
    default: // Another small number, or any byte.
        if (!record->size || record->size > 200)
            break;
        memcpy(room, record->body, record->size);
        room[kifu_rng_below(rng, record->size)] =
            (unsigned char)(kifu_rng_below(rng, 2) ? kifu_rng_below(rng, 12) : kifu_rng_below(rng, 256));
        record->body = room;
    }
}

#endif
