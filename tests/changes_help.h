/// What the suites of changes share: changes, and two timelines of a game that must be the same.
#ifndef CHANGES_HELP_H
#define CHANGES_HELP_H

#include <kifu/changes.h>

#include "core/timeline.h"
#include "frame_help.h"
#include "history_help.h"
#include "text_help.h"
#include "wire/table.h"

// --- Changes ---------------------------------------------------------------------------------------------------------

/// The bytes are from malloc.
static inline kifu_changes changes_since(kifu_timeline *timeline, const kifu_stream_position *since)
{
    kifu_changes changes;
    const kifu_result result = kifu_changes_since(timeline, since, &changes);
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
    must_be((changes.size != 0) == (changes.bytes != NULL));
    unsigned char *bytes = (unsigned char *)malloc(changes.size + 1);
    ck_assert_ptr_nonnull(bytes);
    if (changes.size)
        memcpy(bytes, changes.bytes, changes.size);
    kifu_free_bytes(timeline, changes.bytes);
    changes.bytes = bytes;
    return changes;
}

static inline bool same_positions(kifu_stream_position one, kifu_stream_position other)
{
    return one.stream == other.stream && one.commit == other.commit && one.checksum == other.checksum;
}

/// What has changed since a position of `from`, applied to `to`. NULL: the whole game.
static inline kifu_result pass_changes(kifu_timeline *from, const kifu_stream_position *since, kifu_timeline *to)
{
    kifu_changes changes = changes_since(from, since);
    const kifu_result result = changes.size ? kifu_apply_changes(to, changes.bytes, changes.size) : KIFU_OK;
    if (!result)
        must_be(same_positions(kifu_followed(to), changes.until));
    free(changes.bytes);
    return result;
}

/// What has changed since what it has.
static inline kifu_result pass_on(kifu_timeline *from, kifu_timeline *to)
{
    const kifu_stream_position followed = kifu_followed(to);
    return pass_changes(from, &followed, to);
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
    kifu__branch *here = a->log.branch, *there = b->log.branch;
    kifu__kept_at one = kifu__kept_along(here, KIFU_NONE, here->from + 1),
                  other = kifu__kept_along(there, KIFU_NONE, there->from + 1);
    while (one.kept && other.kept && one.kept->executed == other.kept->executed) {
        kifu__kept_before(&one);
        kifu__kept_before(&other);
    }
    return !one.kept && !other.kept;
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

// --- Following -------------------------------------------------------------------------------------------------------

static inline void must_pass_on(kifu_timeline *from, kifu_timeline *to)
{
    must(to, pass_on(from, to));
    expect_equal(from, to, "a follower");
}

static inline void must_pass_whole(kifu_timeline *from, kifu_timeline *to)
{
    must(to, pass_changes(from, NULL, to));
    expect_equal(from, to, "a follower of the whole game");
}

#endif
