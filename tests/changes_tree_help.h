/// What suites of changes with lines and notes share: random steps, who follows, and whether two are the same.
#ifndef CHANGES_TREE_HELP_H
#define CHANGES_TREE_HELP_H

#include <stdio.h>
#include <string.h>
#include "change_parts.h"
#include "log_file_help.h"
#include "suite.h"
#include "tree_help.h"

// --- Changes ---------------------------------------------------------------------------------------------------------

// The size of the changes.
static inline size_t follow_changes(kifu_timeline *from, kifu_timeline *to)
{
    const kifu_stream_position at = kifu_followed(to);
    kifu_changes changes = changes_since(from, &at);
    if (changes.size)
        lab_must(to, kifu_apply_changes(to, changes.bytes, changes.size));
    must_be(same_positions(kifu_followed(to), changes.until));
    free(changes.bytes);
    return changes.size;
}

static inline void follow_whole(kifu_timeline *from, kifu_timeline *to)
{
    lab_must(to, pass_changes(from, NULL, to));
}

// --- Comparing -------------------------------------------------------------------------------------------------------

static const kifu_options both = {.hash_interval = 3,
                                  .keep_variations = kifu_keep_variations,
                                  .keep_notes = kifu_keep_notes,
                                  .from_state = kifu_begin_from_state};
static const kifu_options notes_only = {.keep_notes = kifu_keep_notes, .from_state = kifu_begin_from_state};
static const kifu_options none = {.hash_interval = 0, .from_state = kifu_begin_from_state};

static inline void expect_same_notes(const kifu_timeline *one, const kifu_timeline *other)
{
    kifu_note a = {0}, b = {0};
    while (kifu_next_note(one, &a)) {
        must_be(kifu_next_note(other, &b));
        must_be(a.line == b.line && a.event == b.event && !strcmp(a.key, b.key));
        must_be((a.text == NULL) == (b.text == NULL) && a.size == b.size && !memcmp(a.bytes, b.bytes, a.size));
    }
    must_be(!kifu_next_note(other, &b));
}

static const char *const keys[] = {KIFU_NOTE_COMMENT, KIFU_NOTE_CLOCK, "other"};

// A record of a save, and the segment that it has of what waits.
typedef struct saved_record {
    record record;
    save_frame waiting;
} saved_record;

enum { MOST_SAVED = 4000 };

typedef struct saved_records {
    saved_record all[MOST_SAVED];
    int count;
} saved_records;

// Whether there is a run of events behind the numbers of a record.
static inline bool has_waiting(const record *record)
{
    const unsigned char *at = record->body;
    if (record->kind != RECORD_QUEUE && record->kind != RECORD_KEPT)
        return false;
    (void)number_at(&at);
    (void)number_at(&at);
    if (record->kind == RECORD_KEPT) {
        const uint32_t size = number_at(&at);
        at += size;
    }
    return at < record->body + record->size;
}

// Events may lie in other segments, and a timeline forgets some hashes in transactions.
static inline bool is_compared(uint32_t kind)
{
    return kind != RECORD_EVENTS && kind != RECORD_HASHES;
}

static inline void list_commit(const save_frame *commit, const save_frame *segment, saved_records *saved)
{
    for (const unsigned char *at = commit->payload + LINK_SIZE, *end = commit->payload + commit->size; at < end;) {
        record record = {.kind = number_at(&at)};
        record.size = number_at(&at);
        record.body = at;
        at += record.size;
        const unsigned char *body = record.body;
        if (record.kind == RECORD_EVENTS) {
            ck_assert_uint_eq(number_at(&body), 0);
            segment += number_at(&body);
        }
        if (!is_compared(record.kind))
            continue;
        ck_assert_int_lt(saved->count, MOST_SAVED);
        saved_record *one = &saved->all[saved->count++];
        *one = (saved_record){.record = record};
        if (has_waiting(&record))
            one->waiting = *segment++;
    }
}

static inline void list_records(const save *save, saved_records *saved)
{
    static save_frame segments[MOST_SAVED];
    int count = 0;
    saved->count = 0;
    for (uint64_t offset = FILE_HEAD; offset < save->size;) {
        const save_frame frame = read_frame(save->bytes, save->size, &offset);
        ck_assert_int_lt(count, MOST_SAVED);
        if (frame.kind == FRAME_SEGMENT)
            segments[count++] = frame;
        else if (frame.kind == FRAME_COMMIT) {
            list_commit(&frame, segments, saved);
            count = 0;
        }
    }
}

static inline void expect_same_record(const saved_record *one, const saved_record *other)
{
    ck_assert_uint_eq(one->record.kind, other->record.kind);
    ck_assert_uint_eq(one->record.size, other->record.size);
    ck_assert_msg(!one->record.size || !memcmp(one->record.body, other->record.body, one->record.size), "kind %u",
                  one->record.kind);
    ck_assert_uint_eq(one->waiting.size, other->waiting.size);
    must_be(!one->waiting.size || !memcmp(one->waiting.payload, other->waiting.payload, one->waiting.size));
}

// All records of their saves but the events, which `expect_same_tree` compares. A line that was played and left within
// one commit ends in a state of which the other one knows no hash.
static inline void expect_same_saves(kifu_timeline *one, kifu_timeline *other)
{
    static saved_records a, b;
    const kifu_save_options options = {.without_schema = true};
    save save_a = save_of(one, &options), save_b = save_of(other, &options);
    list_records(&save_a, &a);
    list_records(&save_b, &b);
    int at_b = 0;
    for (int at_a = 0; at_a < a.count; at_a++) {
        must_be(at_b < b.count);
        if (a.all[at_a].record.kind == RECORD_TIP && b.all[at_b].record.kind != RECORD_TIP)
            continue;
        expect_same_record(&a.all[at_a], &b.all[at_b++]);
    }
    ck_assert_int_eq(at_b, b.count);
    free(save_a.bytes);
    free(save_b.bytes);
}

// --- A walk ----------------------------------------------------------------------------------------------------------

static inline kifu_result write_note(kifu_timeline *lab, uint32_t choice)
{
    kifu_line line;
    char text[12];
    const uint32_t id = pick_line(lab, choice >> 4, &line);
    const uint32_t event = (choice >> 12) % (line.from + line.count + 1) - 1;
    snprintf(text, sizeof text, "%u", (unsigned)(choice % 1000));
    return kifu_set_line_note(lab, id, event, keys[choice % 3], choice % 4 ? text : NULL);
}

static inline kifu_result walk_step(kifu_timeline *lab, uint32_t choice)
{
    switch (choice % 32) {
    case 8:
    case 9:
        return kifu_can_undo(lab, NULL) ? kifu_undo(lab) : KIFU_OK;
    case 10:
    case 11:
    case 12:
    case 13:
        return write_note(lab, choice >> 5);
    default:
        return walk_trees(lab, choice);
    }
}

// --- Random games ----------------------------------------------------------------------------------------------------

typedef struct reader {
    const kifu_options *options;
    uint32_t seldom; // It gets changes after so many steps.
    int from;        // It follows that one; -1: the game itself.
    kifu_timeline *lab;
} reader;

// It has lines, whatever its options say.
static inline void expect_follows(kifu_timeline *lab, const reader *reader)
{
    kifu_timeline *copy = reader->lab;
    expect_same_tree(lab, copy);
    if (reader->options->keep_notes && (reader->from < 0 || reader->from == 1))
        expect_same_notes(lab, copy);
    if (reader->options == &both)
        expect_same_saves(lab, copy);
}

// It goes on as the other one.
static inline void expect_goes_on(kifu_timeline *lab, const reader *reader, uint32_t seed)
{
    kifu_line line;
    for (uint32_t i = 0; kifu_line_at(lab, i, &line); i++) {
        const kifu_result result = kifu_go_to(lab, line.id, KIFU_WHERE_LEFT, true);
        ck_assert_int_eq(kifu_go_to(reader->lab, line.id, KIFU_WHERE_LEFT, true), result);
        expect_same_tree(lab, reader->lab);
    }
    for (int i = 0; i < 60 && reader->options == &both; i++) {
        const uint32_t choice = next_random(&seed);
        ck_assert_int_eq(walk_step(lab, choice), walk_step(reader->lab, choice));
        expect_follows(lab, reader);
    }
}

// It is closed, and loaded again: where it was, it is still.
static inline kifu_timeline *save_and_load(kifu_timeline *lab, const kifu_options *options)
{
    save save = save_of(lab, NULL);
    kifu_timeline *loaded = load_by(&save, options, NULL);
    kifu_destroy(lab);
    free(save.bytes);
    return loaded;
}
// Line 0 has three events. Line 1 begins behind the first one, and line 2 behind the second.
static inline kifu_timeline *three_lines(void)
{
    static const char *const scripts[] = {"+", "+", "+", "u", "u", "-", "-", NULL};
    kifu_timeline *lab = lab_new(&both);
    play_scripts(lab, scripts);
    lab_must(lab, kifu_go_to(lab, 0, 2, false));
    lab_must(lab, lab_play(lab, "2"));
    return lab;
}

// The first event that differs, or KIFU_NONE; -1: it may do that.
static inline void expect_answer(kifu_timeline *lab, kifu_timeline *copy, int64_t event, int number)
{
    save before = save_of(copy, NULL);
    const kifu_stream_position at = kifu_followed(copy);
    const kifu_result result = pass_on(lab, copy);
    ck_assert_msg(result == (event < 0 ? KIFU_OK : KIFU_DIVERGED), "%d: %s", number, kifu_last_error(copy)->message);
    if (result) {
        ck_assert_msg(kifu_last_error(copy)->event == event, "%d: %s", number, kifu_last_error(copy)->message);
        must_say(copy, "since NULL");
        save after = save_of(copy, NULL);
        expect_same_bytes(&before, &after);
        free(after.bytes);
        must_be(same_positions(kifu_followed(copy), at));
        follow_whole(lab, copy);
    }
    expect_follows(lab, &(reader){&both, 1, -1, copy});
    free(before.bytes);
}

// --- Records of lines ------------------------------------------------------------------------------------------------

// The same changes, with other records in their last commit.
static inline kifu_changes with_last(const kifu_changes *changes, const records *records)
{
    change_parts parts = parts_of(changes->bytes, changes->size);
    uint32_t size;
    unsigned char *payload = payload_of_records(records, &size);
    parts.all[parts.count - 1] = (commit){payload + LINK_SIZE, size - LINK_SIZE};
    const kifu_changes made = changes_of(&parts);
    free(payload);
    return made;
}

// A record of lines: its numbers are smaller than 128.
typedef struct line_record {
    uint32_t kind, count;
    unsigned char numbers[3];
} line_record;

// The last commit of changes, of which only what these records say is left, with a hash to which it leads, or another.
static inline kifu_changes of_line_records(const kifu_changes *changes, const line_record *some, uint64_t hash)
{
    unsigned char end[sizeof hash];
    records records = {.count = 0};
    memcpy(end, &hash, sizeof hash);
    for (; some->kind; some++)
        insert_record(&records, records.count, some->kind, some->numbers, some->count);
    insert_record(&records, records.count, RECORD_HASH, end, sizeof end);
    return with_last(changes, &records);
}

#endif
