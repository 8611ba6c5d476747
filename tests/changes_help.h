/// What the suites of changes share: changes, and two timelines of a game that must be the same.
#ifndef CHANGES_HELP_H
#define CHANGES_HELP_H

#include <kifu/changes.h>

#include "commit_help.h"
#include "event_help.h"
#include "history_help.h"
#include "text_help.h"

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

/// All of it as JSON: events with marks, what redo can bring back, what waits, is set and is kept, the state. But for
/// the time, and for the recorded hashes: a timeline forgets some in transactions. The test frees it.
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
static inline uint32_t first_difference(kifu_timeline *a, kifu_timeline *b)
{
    uint32_t i = kifu_first_event(a);
    while (i < kifu_event_count(a) && i < kifu_event_count(b) && is_same_event(a, b, i))
        i++;
    return i;
}

/// The hashes that a save has of states along the current line, and their places, which ascend.
typedef struct line_hashes {
    uint32_t count, *places;
    uint64_t *hashes;
} line_hashes;

static inline line_hashes hashes_along(kifu_timeline *timeline)
{
    save save;
    const kifu_save_options options = {.without_schema = true};
    ck_assert_msg(!kifu_save_to_memory(timeline, &options, &save.bytes, &save.size), "%s",
                  kifu_last_error(timeline)->message);
    line_hashes all = {.places = (uint32_t *)malloc(4 * save.size), .hashes = (uint64_t *)malloc(8 * save.size)};
    save_frame commit = {.kind = 0};
    for (uint64_t offset = FILE_HEAD; commit.kind != FRAME_COMMIT;)
        commit = read_frame(save.bytes, save.size, &offset);
    const unsigned char *at = commit.payload + LINK_SIZE, *end = commit.payload + commit.size;
    while (at < end) {
        const uint32_t kind = number_at(&at), size = number_at(&at);
        const unsigned char *body = at, *behind = at += size;
        for (uint32_t place = 0; kind == RECORD_HASHES && body < behind; body += 8) {
            all.places[all.count] = place += number_at(&body);
            memcpy(&all.hashes[all.count++], body, 8);
        }
    }
    kifu_free_bytes(timeline, save.bytes);
    return all;
}

/// Those that both have.
static inline void expect_same_hashes(kifu_timeline *a, kifu_timeline *b, const char *what)
{
    const line_hashes one = hashes_along(a), other = hashes_along(b);
    for (uint32_t i = 0, j = 0; i < one.count && j < other.count;) {
        const uint32_t here = one.places[i], there = other.places[j];
        ck_assert_msg(here != there || one.hashes[i] == other.hashes[j], "%s: hashes differ", what);
        i += here <= there;
        j += there <= here;
    }
    free(one.places), free(one.hashes);
    free(other.places), free(other.hashes);
}

/// Log, state, redo and what waits.
static inline void expect_equal(kifu_timeline *a, kifu_timeline *b, const char *what)
{
    const uint32_t same = first_difference(a, b);
    ck_assert_msg(kifu_event_count(a) == kifu_event_count(b) && same == kifu_event_count(a),
                  "%s: the logs differ from event %u on (%u and %u)", what, same, kifu_event_count(a),
                  kifu_event_count(b));
    ck_assert_msg(kifu_state_hash(a) == kifu_state_hash(b), "%s: the states differ", what);
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
