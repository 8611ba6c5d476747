/// Changes, taken apart and put together as schema/FORMAT.md says.
#ifndef CHANGE_PARTS_H
#define CHANGE_PARTS_H

#include "changes_help.h"
#include "save_help.h"

/// It is what a save has.
static inline void expect_saves(kifu_timeline *copy, const save *expected)
{
    save now = save_of(copy, NULL);
    expect_same_bytes(expected, &now);
    free(now.bytes);
}

// --- Their parts -----------------------------------------------------------------------------------------------------

enum { MOST_COMMITS = 300 };

typedef struct commit {
    const unsigned char *records;
    uint32_t size;
} commit;

/// Changes taken apart: what is behind the head is commits, or a save. The bytes are those of the changes.
typedef struct change_parts {
    const unsigned char *head;
    size_t head_size; ///< With the checksum of a whole game.
    bool whole;
    kifu_stream_position at;
    uint32_t rules_version;
    save save;
    commit all[MOST_COMMITS];
    int count;
} change_parts;

static inline change_parts parts_of(const unsigned char *bytes, size_t size)
{
    change_parts parts = {.head = bytes, .whole = !memcmp(bytes, "KfCw", 4)};
    const unsigned char *at = bytes + 4, *end = bytes + size;
    must_be(parts.whole || !memcmp(bytes, "KfCh", 4));
    memcpy(&parts.at.stream, at, 8);
    at += 8;
    parts.at.commit = number_at(&at);
    parts.at.checksum = get32(at);
    at += 4;
    parts.rules_version = number_at(&at);
    at += 4;
    if (parts.whole) {
        (void)number_at(&at);
        must_be(get32(at) == crc_of(crc_of(0, bytes, (size_t)(at - bytes)), at + 4, (size_t)(end - at) - 4));
        parts.head_size = (size_t)(at - bytes) + 4;
        parts.save.bytes = (unsigned char *)(uintptr_t)(at + 4);
        parts.save.size = size - parts.head_size;
        return parts;
    }
    parts.head_size = (size_t)(at - bytes);
    uint32_t checksum = parts.at.checksum;
    while (at < end) {
        ck_assert_int_lt(parts.count, MOST_COMMITS);
        commit *commit = &parts.all[parts.count++];
        commit->size = number_at(&at);
        commit->records = at;
        checksum = crc_of(checksum, at, commit->size);
        must_be(get32(at + commit->size) == checksum);
        at += commit->size + 4;
    }
    must_be(at == end);
    return parts;
}

/// Changes of these parts, with checksums that are right.
static inline kifu_changes changes_of(const change_parts *parts)
{
    size_t size = parts->head_size + (parts->whole ? parts->save.size : 0);
    for (int i = 0; i < parts->count; i++)
        size += 9 + (size_t)parts->all[i].size;
    kifu_changes changes = {.bytes = (unsigned char *)malloc(size + 1), .whole = parts->whole};
    unsigned char *at = changes.bytes + parts->head_size;
    ck_assert_ptr_nonnull(changes.bytes);
    memcpy(changes.bytes, parts->head, parts->head_size);
    if (parts->whole) {
        memcpy(at, parts->save.bytes, parts->save.size);
        set32(at - 4, crc_of(crc_of(0, changes.bytes, parts->head_size - 4), at, parts->save.size));
        at += parts->save.size;
    }
    uint32_t checksum = parts->at.checksum;
    for (int i = 0; i < parts->count; i++) {
        at = put_number(at, parts->all[i].size);
        memcpy(at, parts->all[i].records, parts->all[i].size);
        checksum = crc_of(checksum, at, parts->all[i].size);
        at += parts->all[i].size;
        set32(at, checksum);
        at += 4;
    }
    changes.size = (size_t)(at - changes.bytes);
    return changes;
}

/// The same changes, but that they lead to another hash of the state: as if a Do depended on something else.
static inline kifu_changes spoil_hash(const kifu_changes *changes)
{
    change_parts parts = parts_of(changes->bytes, changes->size);
    unsigned char *copy;
    if (parts.whole) {
        frames frames = frames_of(&parts.save);
        const int first = find_frame(&frames, FRAME_COMMIT);
        records records = records_of(&frames.all[first]);
        record *hash = &records.all[find_record(&records, RECORD_HASH)];
        copy = (unsigned char *)malloc(hash->size);
        memcpy(copy, hash->body, hash->size);
        copy[0] ^= 1;
        hash->body = copy;
        parts.save = save_of_records(&frames, first, &records);
    } else {
        commit *last = &parts.all[parts.count - 1];
        copy = (unsigned char *)malloc(last->size);
        memcpy(copy, last->records, last->size);
        const records records = records_in(copy, copy + last->size);
        const record *hash = &records.all[records.count - 1];
        ck_assert_uint_eq(hash->kind, RECORD_HASH);
        copy[hash->body - copy] ^= 1;
        last->records = copy;
    }
    const kifu_changes spoiled = changes_of(&parts);
    free(parts.save.bytes && parts.whole ? parts.save.bytes : NULL);
    free(copy);
    return spoiled;
}

#endif
