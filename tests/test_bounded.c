// Streams whose checksums are right and which were made to cost much: a reader takes time for each of their bytes
// alone. (record.md, "Bounded and linear".) A stream of twice the size may take three times as long, not four times.

#include <time.h>

#include "changes_tree_help.h"

// --- Records by the thousand -----------------------------------------------------------------------------------------

typedef struct stream {
    unsigned char *bytes; // From malloc. First there is room for a link.
    size_t size, room;
} stream;

static void add_bytes(stream *stream, const void *bytes, size_t size)
{
    if (stream->size + size > stream->room) {
        stream->room = 2 * (stream->size + size);
        stream->bytes = (unsigned char *)realloc(stream->bytes, stream->room);
        ck_assert_ptr_nonnull(stream->bytes);
    }
    memcpy(stream->bytes + stream->size, bytes, size);
    stream->size += size;
}

static void add_record(stream *stream, const record *record)
{
    unsigned char head[10];
    const unsigned char *end = put_number(put_number(head, record->kind), record->size);
    add_bytes(stream, head, (size_t)(end - head));
    if (record->size)
        add_bytes(stream, record->body, record->size);
}

static void add_numbers(stream *stream, uint32_t kind, const uint32_t *numbers, int count)
{
    unsigned char body[20], *end = body;
    for (int i = 0; i < count; i++)
        end = put_number(end, numbers[i]);
    add_record(stream, &(record){kind, (uint32_t)(end - body), body});
}

#define ADD(stream, kind, ...)                                                                                         \
    add_numbers(stream, kind, (const uint32_t[]){__VA_ARGS__},                                                         \
                (int)(sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)))

static const record cut = {RECORD_CUT, 0, NULL};

static stream begin_stream(void)
{
    stream stream = {.size = 0};
    add_bytes(&stream, (const unsigned char[LINK_SIZE]){0}, LINK_SIZE);
    return stream;
}

// --- A log file, and changes -----------------------------------------------------------------------------------------

// A log file of three events, the last of which is alone in the last commit.
static save short_log(void)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *lab = lab_started(&keeping);
    save log;
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.without_schema = true}));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab));
    ck_assert_uint_eq(kifu_event_count(lab), 3);
    log.bytes = read_bytes(path, &log.size);
    kifu_destroy(lab);
    remove_folder(folder);
    return log;
}

// The last record of a kind in a log file.
static record last_record(const save *log, uint32_t kind)
{
    const frames frames = frames_of(log);
    const records records = records_of(&frames.all[frames.count - 1]);
    const int at = find_record(&records, kind);
    ck_assert_int_ge(at, 0);
    return records.all[at];
}

// The log file with one more commit, after which the game is where it was.
static save log_with(const save *log, stream *stream)
{
    const record hash = last_record(log, RECORD_HASH);
    frames frames = frames_of(log);
    ADD(stream, RECORD_STAND, 0, 3);
    add_record(stream, &hash);
    insert_frame(&frames, frames.count, FRAME_COMMIT, stream->bytes, (uint32_t)stream->size);
    const save made = save_of_frames(&frames);
    free(stream->bytes);
    return made;
}

// Changes since what the timeline follows, of one commit. `plays` is what happens behind the place; NULL: nothing.
static kifu_changes changes_with(kifu_timeline *from, kifu_timeline *to, stream *stream, const char *plays,
                                 uint64_t hash)
{
    const kifu_stream_position at = kifu_followed(to);
    lab_must(from, kifu_set_note(from, 0, KIFU_NOTE_COMMENT, "something"));
    if (plays)
        lab_must(from, lab_play(from, plays));
    const kifu_changes some = changes_since(from, &at);
    change_parts parts = parts_of(some.bytes, some.size);
    const records records = records_in(parts.all[0].records, parts.all[0].records + parts.all[0].size);
    if (plays)
        add_record(stream, &records.all[find_record(&records, RECORD_EVENTS)]);
    add_record(stream, &(record){RECORD_HASH, sizeof hash, (const unsigned char *)&hash});
    parts.all[0] = (commit){stream->bytes + LINK_SIZE, (uint32_t)stream->size - LINK_SIZE};
    parts.count = 1;
    const kifu_changes made = changes_of(&parts);
    free(some.bytes);
    free(stream->bytes);
    return made;
}

// --- Time ------------------------------------------------------------------------------------------------------------

// `time` is called with `size` and twice that, a few times. What else the machine does can only add to what it finds.
static void expect_linear(clock_t (*time)(uint32_t size), uint32_t size)
{
    clock_t one = 0, two = 0;
    for (int i = 0; i < 5; i++) {
        const clock_t first = time(size), second = time(2 * size);
        one = i && one < first ? one : first;
        two = i && two < second ? two : second;
    }
    ck_assert_msg(two < 3 * one + CLOCKS_PER_SEC / 500, "%ld and %ld", (long)one, (long)two);
}

static clock_t time_to_load(const save *log, const kifu_options *options)
{
    const clock_t start = clock();
    kifu_timeline *loaded = load_by(log, options, &(kifu_load_options){.recover = kifu_recover});
    const clock_t time = clock() - start;
    ck_assert_uint_eq(kifu_event_count(loaded), 3);
    kifu_destroy(loaded);
    return time;
}

// --- Numbers of lines ------------------------------------------------------------------------------------------------

enum { LET_PASS = 4096, WAYS = 5 };
static const bool refuses[WAYS] = {true, true, true, false, false};

// Numbers of no line are given and returned: many at once, or some again and again, or as many as are let pass. In the
// end it is those of lines.
static stream numbers_that_return(int way)
{
    stream stream = begin_stream();
    if (way < 2)
        ADD(&stream, RECORD_BRANCH, LET_PASS + 2, 0, 1);
    if (way == 1)
        ADD(&stream, RECORD_DELETED, LET_PASS + 2);
    for (uint32_t i = 0; i <= LET_PASS / 16 && way == 2; i++) {
        ADD(&stream, RECORD_BRANCH, 17, 0, 1);
        ADD(&stream, RECORD_RETURNED, 1);
    }
    if (way == 3)
        ADD(&stream, RECORD_BRANCH, LET_PASS + 1, 0, 1);
    for (uint32_t i = 1; i <= 2 * LET_PASS && way == 4; i++)
        ADD(&stream, RECORD_BRANCH, i, 0, 1);
    ADD(&stream, RECORD_RETURNED, 1);
    return stream;
}

START_TEST(R07_a_file_does_not_return_many_numbers_that_no_line_has)
{
    for (int with = 0; with < 2 * WAYS; with++) {
        save log = short_log();
        kifu_timeline *lab;
        kifu_error error;
        stream stream = numbers_that_return(with / 2);
        save bad = log_with(&log, &stream);
        const kifu_result result = kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, with % 2 ? &keeping : NULL,
                                                         &(kifu_load_options){.recover = kifu_recover}, &lab, &error);
        if (refuses[with / 2])
            ck_assert_msg(result == KIFU_DAMAGED && strstr(error.message, "'returned' that returns too many"), "%d: %s",
                          with, error.message);
        else
            ck_assert_msg(!result, "%d: %s", with, error.message);
        kifu_destroy(lab);
        free(bad.bytes), free(log.bytes);
    }
}
END_TEST

START_TEST(R07_changes_do_not_return_many_numbers_that_no_line_has)
{
    for (int way = 0; way < WAYS; way++) {
        kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
        lab_must(lab, lab_play(lab, "+"));
        follow_changes(lab, copy);
        stream stream = numbers_that_return(way);
        ADD(&stream, RECORD_STAND, 0, 2);
        const kifu_changes changes = changes_with(lab, copy, &stream, NULL, kifu_state_hash(lab));
        ck_assert_int_eq(kifu_apply_changes(copy, changes.bytes, changes.size), refuses[way] ? KIFU_DAMAGED : KIFU_OK);
        free(changes.bytes);
        kifu_destroy(lab), kifu_destroy(copy);
    }
}
END_TEST

// --- Where lines begin -----------------------------------------------------------------------------------------------

// Many lines begin behind the first event. Then often one begins at the end and goes again, and so does the last event.
static clock_t time_of_events_that_go(uint32_t size)
{
    save log = short_log();
    const record events = last_record(&log, RECORD_EVENTS);
    stream stream = begin_stream();
    for (uint32_t i = 1; i <= size; i++)
        ADD(&stream, RECORD_BRANCH, i, 0, 1);
    for (uint32_t i = 0; i < size; i++) {
        ADD(&stream, RECORD_BRANCH, size + 1, 0, 3);
        ADD(&stream, RECORD_RETURNED, size + 1);
        ADD(&stream, RECORD_STAND, 0, 2);
        add_record(&stream, &cut);
        add_record(&stream, &events);
    }
    save many = log_with(&log, &stream);
    const clock_t time = time_to_load(&many, &keeping);
    free(many.bytes), free(log.bytes);
    return time;
}

START_TEST(R07_events_that_go_are_not_sought_in_all_lines)
{
    expect_linear(time_of_events_that_go, 8000);
}
END_TEST

// --- Lines that go ---------------------------------------------------------------------------------------------------

// A game in the last of many lines, each of which begins in the one before it, behind an event of that. `copy` follows
// it from the beginning on, if it is not NULL.
static kifu_timeline *lines_in_lines(uint32_t size, kifu_timeline *copy)
{
    kifu_timeline *lab = lab_started(&both);
    if (copy)
        follow_changes(lab, copy);
    for (uint32_t i = 0; i < size; i++) {
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, "-"));
        if (copy)
            follow_changes(lab, copy);
    }
    ck_assert_uint_eq(kifu_current_line(lab), size);
    return lab;
}

// From the last one on, each line goes, and so do the events of the one before it: from its first one on, or all.
static stream lines_that_go(uint32_t size, bool all)
{
    stream stream = begin_stream();
    for (uint32_t i = size; i > 0; i--) {
        ADD(&stream, RECORD_DELETED, i);
        ADD(&stream, RECORD_STAND, i - 1, i > 1 && all ? 2 * i - 2 : 2 * i - 1);
        add_record(&stream, &cut);
    }
    return stream;
}

static clock_t time_of_lines_that_go(uint32_t size)
{
    kifu_timeline *lab = lines_in_lines(size, NULL), *copy = lab_new(&both), *then = lab_started(&both);
    stream stream = lines_that_go(size, false);
    follow_changes(lab, copy);
    const kifu_changes changes = changes_with(lab, copy, &stream, NULL, kifu_state_hash(then));
    const clock_t start = clock();
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    const clock_t time = clock() - start;
    ck_assert_uint_eq(kifu_line_count(copy), 1);
    ck_assert_uint_eq(kifu_event_count(copy), 1);
    free(changes.bytes);
    kifu_destroy(lab), kifu_destroy(copy), kifu_destroy(then);
    return time;
}

START_TEST(R07_lines_that_go_with_the_events_before_them_are_linked_once)
{
    expect_linear(time_of_lines_that_go, 4000);
}
END_TEST

static void expect_same_way(kifu_timeline *lab, kifu_timeline *copy)
{
    expect_same_tree(lab, copy);
    while (!kifu_undo(copy)) {
        lab_must(lab, kifu_undo(lab));
        ck_assert_uint_eq(kifu_state_hash(lab), kifu_state_hash(copy));
    }
    while (!kifu_redo(copy)) {
        lab_must(lab, kifu_redo(lab));
        ck_assert_uint_eq(kifu_state_hash(lab), kifu_state_hash(copy));
    }
    expect_same_tree(lab, copy);
}

// The follower stands on the events that go, and another one comes; if the changes are refused, all of them stay.
START_TEST(R04_lines_that_go_with_the_events_before_them_return_if_they_stay)
{
    for (int way = 0; way < 4; way++) {
        kifu_timeline *copy = lab_new(&both), *lab = lines_in_lines(20, copy), *then = lab_started(&both);
        const bool refused = way % 2;
        stream stream = lines_that_go(20, way / 2);
        lab_must(then, lab_play(then, "-"));
        const kifu_changes changes = changes_with(lab, copy, &stream, "-", kifu_state_hash(then) ^ refused);
        ck_assert_int_eq(kifu_apply_changes(copy, changes.bytes, changes.size), refused ? KIFU_DIVERGED : KIFU_OK);
        kifu_destroy(lab), lab = lines_in_lines(20, NULL);
        expect_same_way(refused ? lab : then, copy);
        free(changes.bytes);
        kifu_destroy(lab), kifu_destroy(copy), kifu_destroy(then);
    }
}
END_TEST

// Many lines begin; then one more begins and goes again, often.
static clock_t time_of_lines_that_return(uint32_t size)
{
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    stream stream = begin_stream();
    lab_must(lab, lab_play(lab, "+"));
    follow_changes(lab, copy);
    for (uint32_t i = 1; i <= size; i++)
        ADD(&stream, RECORD_BRANCH, i, 0, 1);
    for (uint32_t i = 0; i < size; i++) {
        ADD(&stream, RECORD_BRANCH, size + 1, 0, 1);
        ADD(&stream, RECORD_RETURNED, size + 1);
    }
    ADD(&stream, RECORD_STAND, 0, 2);
    const kifu_changes changes = changes_with(lab, copy, &stream, NULL, kifu_state_hash(lab));
    const clock_t start = clock();
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    const clock_t time = clock() - start;
    ck_assert_uint_eq(kifu_line_count(copy), size + 1);
    free(changes.bytes);
    kifu_destroy(lab), kifu_destroy(copy);
    return time;
}

START_TEST(R07_a_number_that_is_returned_is_not_sought_in_all_that_changed)
{
    expect_linear(time_of_lines_that_return, 4000);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {R07_a_file_does_not_return_many_numbers_that_no_line_has,
                                  R07_changes_do_not_return_many_numbers_that_no_line_has,
                                  R07_events_that_go_are_not_sought_in_all_lines,
                                  R07_lines_that_go_with_the_events_before_them_are_linked_once,
                                  R04_lines_that_go_with_the_events_before_them_return_if_they_stay,
                                  R07_a_number_that_is_returned_is_not_sought_in_all_that_changed};
    return run_suite("bounded", tests, sizeof tests / sizeof *tests);
}
