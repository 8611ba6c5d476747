/// What the suites of news share: news, and two timelines of a game that must be the same.
#ifndef NEWS_HELP_H
#define NEWS_HELP_H

#include <kifu/news.h>

#include "core/timeline.h"
#include "save/save_tables.h"
#include "frame_help.h"
#include "text_help.h"
#include "wire/table.h"

// --- News ------------------------------------------------------------------------------------------------------------

typedef struct news {
    unsigned char *bytes; // from malloc
    size_t size;
} news;

static inline news news_since(kifu_timeline *timeline, uint64_t change)
{
    unsigned char *bytes;
    news news;
    const kifu_result result = kifu_news_since(timeline, change, &bytes, &news.size);
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
    news.bytes = (unsigned char *)malloc(news.size);
    ck_assert_ptr_nonnull(news.bytes);
    memcpy(news.bytes, bytes, news.size);
    kifu_free_bytes(timeline, bytes);
    return news;
}

/// Makes all its checksums right again.
static inline void repair(news *news)
{
    const uint64_t first = frame_size_at(news->bytes, news->size, 0);
    for (int pass = 0; pass < 2; pass++) { // The first frame has the checksum of the others.
        for (uint64_t at = 0; at < news->size;) {
            const uint64_t size = frame_size_at(news->bytes, news->size, at);
            if (!size || size > news->size - at)
                break;
            unsigned char *head = news->bytes + at;
            const uint32_t crc = crc_of(crc_of(0, head + 8, 8), head + FRAME_HEAD, get32(head));
            set32(head + 4, crc);
            at += size;
        }
        unsigned char *payload = news->bytes + FRAME_HEAD;
        const uint64_t table = get32(payload), checksum = table + offsetof(kifu__save_news, checksum);
        if (first < news->size && checksum + 4 <= first - FRAME_HEAD)
            set32(payload + checksum, crc_of(0, news->bytes + first, news->size - first));
    }
}

// --- Two timelines ---------------------------------------------------------------------------------------------------

// The text from `begin` on, up to the end of the first `end` behind it, is removed.
static inline void remove_text(char *text, const char *begin, const char *end)
{
    char *from = strstr(text, begin);
    if (!from)
        return;
    const char *to = strstr(from, end) + strlen(end);
    memmove(from, to, strlen(to) + 1);
}

/// All of it as JSON: events with marks, what redo can bring back, what waits and is set, the state. But for the time,
/// and for the recorded hashes: a timeline forgets some in transactions. The test frees it.
static inline char *picture_of(kifu_timeline *timeline)
{
    gathered json = {0};
    const kifu_save_options options = {.without_schema = true};
    ck_assert_msg(!kifu_json_game(timeline, &options, gather, &json), "%s", kifu_last_error(timeline)->message);
    remove_text(json.text, "  \"saved_at\"", "\n");
    remove_text(json.text, ",\n  \"hashes\": [", "\n  ]");
    return json.text;
}

static inline void expect_picture(kifu_timeline *timeline, const char *expected, const char *what)
{
    char *now = picture_of(timeline);
    size_t at = 0;
    while (now[at] && now[at] == expected[at])
        at++;
    ck_assert_msg(!now[at] && !expected[at], "%s: here %.200s | there %.200s", what, now + at, expected + at);
    free(now);
}

/// Number of the first event that only one of two logs has, or the length of both.
static inline uint32_t first_difference(const kifu_timeline *a, const kifu_timeline *b)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__blob one = {.memory = &memory}, other = {.memory = &memory};
    uint32_t i = 0;
    for (; i < a->log.branch->end && i < b->log.branch->end; i++) {
        const kifu__segment *from = kifu__log_segment_of(&a->log, i), *to = kifu__log_segment_of(&b->log, i);
        ck_assert_int_eq(kifu__blob_of(a->rules, from, i - from->first, &one), KIFU_OK);
        ck_assert_int_eq(kifu__blob_of(b->rules, to, i - to->first, &other), KIFU_OK);
        if (kifu__log_type(&a->log, i) != kifu__log_type(&b->log, i) ||
            memcmp(kifu__log_mark(&a->log, i), kifu__log_mark(&b->log, i), sizeof(kifu__mark)) ||
            from->rules_version != to->rules_version || one.size != other.size ||
            memcmp(one.bytes, other.bytes, one.size))
            break;
    }
    kifu__free(&memory, one.bytes);
    kifu__free(&memory, other.bytes);
    return i;
}

/// Those that both have.
static inline void expect_same_hashes(const kifu_timeline *a, const kifu_timeline *b, const char *what)
{
    for (uint32_t i = 0, j = 0; i < a->log.branch->checkpoint_count && j < b->log.branch->checkpoint_count;) {
        const kifu__checkpoint *one = &a->log.branch->checkpoints[i], *other = &b->log.branch->checkpoints[j];
        ck_assert_msg(one->event_count != other->event_count || one->hash == other->hash, "%s: hashes differ", what);
        i += one->event_count <= other->event_count;
        j += other->event_count <= one->event_count;
    }
}

/// Whether something waits at the same places.
static inline bool keeps_alike(const kifu_timeline *a, const kifu_timeline *b)
{
    const kifu__kept *one = a->log.branch->kept, *other = b->log.branch->kept;
    for (; one && other && one->executed == other->executed; other = other->next)
        one = one->next;
    return !one && !other;
}

/// Log, state, redo and what waits.
static inline void expect_equal(kifu_timeline *a, kifu_timeline *b, const char *what)
{
    ck_assert_msg(a->log.branch->end == b->log.branch->end && first_difference(a, b) == a->log.branch->end,
                  "%s: the logs differ from event %u on (%u and %u)", what, first_difference(a, b), a->log.branch->end,
                  b->log.branch->end);
    ck_assert_msg(a->executed == b->executed && keeps_alike(a, b), "%s: undo differs", what);
    ck_assert_msg(!memcmp(a->core.state, b->core.state, a->rules->state_size), "%s: the states differ", what);
    ck_assert_msg(kifu_pending_count(a) == kifu_pending_count(b), "%s: %u events wait, and %u", what,
                  kifu_pending_count(a), kifu_pending_count(b));
    ck_assert_uint_eq(kifu_can_undo(a, NULL), kifu_can_undo(b, NULL));
    ck_assert_uint_eq(kifu_can_redo(a, NULL), kifu_can_redo(b, NULL));
    char *expected = picture_of(a);
    expect_picture(b, expected, what);
    free(expected);
    expect_same_hashes(a, b, what);
}

/// Both go the same way back and forth.
static inline void expect_equal_ways(kifu_timeline *a, kifu_timeline *b)
{
    for (int way = 0; way < 3; way++) {
        kifu_result result;
        do {
            result = way % 2 ? kifu_undo(a) : kifu_redo(a);
            ck_assert_int_eq(result, way % 2 ? kifu_undo(b) : kifu_redo(b));
            expect_equal(a, b, way % 2 ? "after an undo of both" : "after a redo of both");
        } while (!result);
    }
}

#endif
