// The commits of whole saves, plain and packed: frames and records that are as they should be but for one thing, with
// right checksums.

#include "save_help.h"
#include "suite.h"
#include "tree_help.h"

static const kifu_options all = {.hash_interval = 3,
                                 .keep_variations = kifu_keep_variations,
                                 .keep_notes = kifu_keep_notes,
                                 .from_state = kifu_begin_from_state};
static const kifu_options notes = {.keep_notes = kifu_keep_notes, .from_state = kifu_begin_from_state};
static const kifu_options none = {.from_state = kifu_begin_from_state};

// --- Games -----------------------------------------------------------------------------------------------------------

enum { GAMES = 5 };

// Trees with notes, of which one has forgotten its past, a game in which inputs and consequences wait, and one in which
// inputs do.
static kifu_timeline *game(uint32_t which)
{
    kifu_timeline *lab = which == 4 ? lab_new(&all) : which == 3 ? waiting_game(&all) : small_tree_with(&all, which);
    for (int i = 0; i < 6 && which == 4; i++) {
        lab_do(lab, 0, "5", 1);
        lab_must(lab, i < 3 ? kifu_run(lab) : KIFU_OK);
    }
    if (which >= 3)
        return lab;
    for (uint32_t line = 0; line < 4; line++)
        lab_must(lab, kifu_set_line_note(lab, line, 1, line % 2 ? "a" : KIFU_NOTE_COMMENT, "here"));
    if (which == 1)
        lab_must(lab, kifu_forget(lab, 2));
    if (which != 2)
        return lab;
    lab_must(lab, kifu_promote_line(lab, 3));
    lab_must(lab, kifu_undo(lab));
    lab_do(lab, 0, "(7)(8)", 1); // A line begins, and what follows from its first input waits.
    lab_must(lab, kifu_step(lab));
    return lab;
}

static save save_game(uint32_t which, const kifu_codec *codec)
{
    kifu_timeline *lab = game(which);
    const save save = save_of(lab, &(kifu_save_options){.without_schema = true, .codec = codec});
    kifu_destroy(lab);
    return save;
}

// --- One fault -------------------------------------------------------------------------------------------------------

static void expect_refused(const frames *frames, const char *words)
{
    static const kifu_options *const options[] = {&all, &notes, &none};
    save bad = save_of_frames(frames);
    for (int i = 0; i < 6; i++) {
        kifu_timeline *loaded;
        kifu_error error = {.message = ""};
        const kifu_load_options how = {.fast = i % 2};
        const kifu_result result =
            kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, options[i / 2], &how, &loaded, &error);
        ck_assert_msg(result == KIFU_DAMAGED && strstr(error.message, words), "%d, '%s', and not '%s'", (int)result,
                      error.message, words);
        kifu_destroy(loaded);
    }
    free(bad.bytes);
}

// The same frames, but for the records of one commit.
static void expect_records_refused(const frames *good, int commit, const records *records, const char *words)
{
    frames frames = *good;
    unsigned char *payload = payload_of_records(records, &frames.all[commit].size);
    frames.all[commit].payload = payload;
    expect_refused(&frames, words);
    free(payload);
}

START_TEST(R04_segments_that_are_missing_doubled_or_not_used_are_refused)
{
    for (uint32_t i = 0; i < GAMES; i++) {
        save save = save_game(i, NULL);
        const frames good = frames_of(&save);
        for (int at = 1; at < good.count; at++) {
            frames frames = good;
            const save_frame segment = good.all[at];
            if (segment.kind != FRAME_SEGMENT)
                continue;
            const bool last = good.all[at + 1].kind == FRAME_COMMIT;
            remove_frame(&frames, at);
            expect_refused(&frames, last ? "is of a segment that is not there" : "");
            frames = good;
            insert_frame(&frames, at, segment.kind, segment.payload, segment.size);
            expect_refused(&frames, "");
            frames = good;
            insert_frame(&frames, frames.count, segment.kind, segment.payload, segment.size);
            expect_refused(&frames, "but more bytes follow");
            frames.count -= 2; // There is one where the commit was.
            insert_frame(&frames, frames.count, segment.kind, segment.payload, segment.size);
            expect_refused(&frames, "the save was cut off at byte");
        }
        free(save.bytes);
    }
}
END_TEST

START_TEST(R04_a_segment_in_front_of_a_commit_that_does_not_use_it_is_refused)
{
    for (uint32_t i = 0; i < GAMES; i++) {
        save save = save_game(i, NULL);
        const frames good = frames_of(&save);
        const save_frame segment = good.all[find_frame(&good, FRAME_SEGMENT)];
        for (int at = 1; at < good.count; at++) {
            if (good.all[at].kind != FRAME_COMMIT)
                continue;
            frames frames = good;
            insert_frame(&frames, at, segment.kind, segment.payload, segment.size);
            expect_refused(&frames, "leaves segments in front of it unused");
        }
        free(save.bytes);
    }
}
END_TEST

START_TEST(R04_a_whole_save_ends_with_the_record_end_and_nowhere_else)
{
    for (uint32_t i = 0; i < GAMES; i++) {
        save save = save_game(i, NULL);
        const frames good = frames_of(&save);
        const int first = find_frame(&good, FRAME_COMMIT), last = good.count - 1;
        records records = records_of(&good.all[last]);
        ck_assert_uint_eq(records.all[records.count - 1].kind, RECORD_END);
        for (int at = 0; at < records.count; at++) {
            struct records with = records;
            insert_record(&with, at, RECORD_END, NULL, 0);
            expect_records_refused(&good, last, &with, "stands behind the end");
        }
        insert_record(&records, records.count, SKIPPED, NULL, 0);
        expect_records_refused(&good, last, &records, "stands behind the end");
        records.count -= 2;
        expect_records_refused(&good, last, &records, "the save was cut off at byte");
        const unsigned char zero[1] = {0};
        insert_record(&records, records.count, RECORD_END, zero, 1);
        expect_records_refused(&good, last, &records, "has another length than it says");
        if (first < last) {
            struct records middle = records_of(&good.all[first]);
            insert_record(&middle, middle.count, RECORD_END, NULL, 0);
            expect_records_refused(&good, first, &middle, "but more bytes follow");
        }
        free(save.bytes);
    }
}
END_TEST

// The rows are what they should be, as in a packed save.
START_TEST(R04_rows_in_a_plain_save_are_refused)
{
    static const unsigned char rows[] = {0, 0, 1, 1, 1, 1, 1, 1};
    static const char words[] = "is of a log file or a packed save, and this is none";
    for (uint32_t i = 0; i < GAMES; i++) {
        save save = save_game(i, NULL);
        const frames good = frames_of(&save);
        const int first = find_frame(&good, FRAME_COMMIT);
        struct records with = records_of(&good.all[first]);
        with.all[find_record(&with, RECORD_EVENTS)] = (record){RECORD_EVENTS, 4, rows + 2};
        expect_records_refused(&good, first, &with, words);
        with = records_of(&good.all[first]);
        insert_record(&with, 0, RECORD_QUEUE, rows, sizeof rows);
        expect_records_refused(&good, first, &with, words);
        with = records_of(&good.all[first]);
        insert_record(&with, 0, RECORD_EVENTS, rows + 2, 0);
        expect_records_refused(&good, first, &with, words);
        free(save.bytes);
    }
}
END_TEST

// The hash is that of the state, and both have the right size.
START_TEST(R04_a_state_and_a_hash_that_do_not_belong_together_are_refused)
{
    for (uint32_t i = 0; i < GAMES; i++) {
        save save = save_game(i, NULL);
        const frames good = frames_of(&save);
        const int first = find_frame(&good, FRAME_COMMIT);
        const records records = records_of(&good.all[first]);
        const int at = find_record(&records, RECORD_HASH);
        const record hash = records.all[at];
        unsigned char *body = (unsigned char *)calloc(hash.size + 8, 1);
        for (uint32_t k = 0; k < 3; k++) {
            struct records with = records;
            memcpy(body, hash.body, hash.size);
            body[k == 0 ? 0 : hash.size - 1] ^= k < 2;
            with.all[at].body = body;
            with.all[at].size += k == 2 ? 8 : 0;
            expect_records_refused(&good, first, &with,
                                   k < 2 ? "a state and a hash that do not belong together" : "has a state of");
            with.all[at].size = 7;
            expect_records_refused(&good, first, &with, "has another length than it says");
        }
        free(body);
        free(save.bytes);
    }
}
END_TEST

START_TEST(R04_a_commit_that_is_too_short_for_a_record_or_its_link_is_refused)
{
    for (uint32_t i = 0; i < GAMES; i++) {
        save save = save_game(i, NULL);
        const frames good = frames_of(&save);
        for (uint32_t size = 0; size < 6; size++) {
            frames frames = good;
            frames.all[frames.count - 1].size = size;
            expect_refused(&frames, "");
        }
        free(save.bytes);
    }
}
END_TEST

// Behind the first commit all of the current line is there; in front of it, the events of whole inputs.
START_TEST(R04_each_beginning_of_a_whole_save_has_the_current_line_or_its_first_events)
{
    for (uint32_t i = 0; i < GAMES; i++) {
        kifu_timeline *lab = game(i);
        save save = save_of(lab, &(kifu_save_options){.without_schema = true});
        const frames good = frames_of(&save);
        const int first = find_frame(&good, FRAME_COMMIT);
        const uint64_t commit = good.all[first].offset + frame_size(good.all[first].size);
        uint32_t last = 0, loads = 0;
        for (size_t size = 0; size < save.size; size++) {
            kifu_timeline *part;
            kifu_error error = {.message = ""};
            const kifu_load_options how = {.recover = kifu_recover, .fast = size % 3 == 0};
            if (kifu_load_from_memory(&lab_rules, save.bytes, size, size % 2 ? &all : &none, &how, &part, &error)) {
                must_be(size < commit && strlen(error.message) > 10 && !loads);
                continue;
            }
            loads++;
            kifu_event a, b;
            const uint32_t count = kifu_event_count(part);
            for (uint32_t k = kifu_first_event(part); k < count && kifu_event_at(lab, k, &a); k++)
                must_be(kifu_event_at(part, k, &b) && a.type == b.type && a.cause == b.cause && a.player == b.player);
            if (size >= commit)
                expect_same(lab, part);
            else
                must_be(count >= last && count < kifu_event_count(lab) && kifu_pending_count(part) == 0);
            last = count;
            kifu_destroy(part);
        }
        must_be(loads > save.size - commit || !i); // The first game stands behind its first input.
        kifu_destroy(lab);
        free(save.bytes);
    }
}
END_TEST

// Without a commit, the header says how many events were executed; here it says anything.
START_TEST(R04_a_header_with_another_number_of_events_does_no_harm)
{
    enum { EVENT_COUNT = 4 };
    static const uint32_t counts[] = {0, 1, 2, 3, 1000, UINT32_MAX};
    for (uint32_t i = 0; i < GAMES; i++) {
        save save = save_game(i, NULL);
        frames frames = frames_of(&save);
        frames.count = find_frame(&frames, FRAME_COMMIT);
        unsigned char *header = (unsigned char *)(uintptr_t)frames.all[0].payload;
        const uint32_t field = field_at(header, get32(header), EVENT_COUNT);
        for (size_t k = 0; field && k < sizeof counts / sizeof *counts; k++) {
            set32(header + field, counts[k]);
            struct save bad = save_of_frames(&frames);
            kifu_timeline *part;
            const kifu_load_options how = {.recover = kifu_recover, .fast = k % 2};
            if (!kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, &all, &how, &part, NULL)) {
                must_be(kifu_event_count(part) >= kifu_first_event(part));
                use_tree(part);
            }
            kifu_destroy(part);
            free(bad.bytes);
        }
        free(save.bytes);
    }
}
END_TEST

// --- Each thing ------------------------------------------------------------------------------------------------------

// How many numbers a body begins with, at most 4.
static int count_numbers(const record *record)
{
    int count = 0;
    if (record->size > 200)
        return 0;
    for (uint32_t i = 0; i < record->size && count < 4; i++)
        count += record->body[i] < 128;
    return count;
}

// In the `how`th way. False: there are no more.
static bool alter(records *records, int at, int how, unsigned char *room)
{
    enum { REMOVED, DOUBLED, MOVED, CUT, LONGER, OTHER_KIND, NUMBERS = OTHER_KIND + RECORD_END, VALUES = 6 };
    record *record = &records->all[at];
    const struct record was = *record;
    switch (how) {
    case REMOVED:
        remove_record(records, at);
        return true;
    case DOUBLED:
        insert_record(records, at, was.kind, was.body, was.size);
        return true;
    case MOVED:
        *record = records->all[(at + 1) % records->count];
        records->all[(at + 1) % records->count] = was;
        return true;
    case CUT:
        record->size -= record->size > 0;
        return true;
    case LONGER:
        if (was.size > 200)
            return true;
        memset(room, 0, 300);
        if (was.size)
            memcpy(room, was.body, was.size);
        record->body = room;
        record->size++;
        return true;
    default:
        break;
    }
    if (how < NUMBERS) {
        record->kind = (uint32_t)(how - OTHER_KIND) + 1;
        return true;
    }
    const int field = (how - NUMBERS) / VALUES, value = (how - NUMBERS) % VALUES;
    if (field >= count_numbers(&was))
        return false;
    const unsigned char *from = was.body;
    uint32_t number = 0;
    for (int i = 0; i <= field; i++)
        number = number_at(&from);
    const uint32_t values[VALUES] = {0, number - 1, number + 1, 127, UINT32_MAX - 1, UINT32_MAX};
    set_number(record, field, values[value], room);
    return true;
}

// What loads says the same as a fast load of it, and can be played on and saved.
static bool load_or_refuse(const save *save, uint32_t which)
{
    static const kifu_options *const options[] = {&all, &notes, &none, &all};
    kifu_timeline *lab, *fast;
    kifu_error error = {.message = ""};
    kifu_load_options how = {.codec = &kifu_compact, .recover = which % 5 ? NULL : kifu_recover};
    if (kifu_load_from_memory(&lab_rules, save->bytes, save->size, options[which % 4], &how, &lab, &error)) {
        must_be(strlen(error.message) > 10);
        return false;
    }
    how.fast = true;
    must_be(!kifu_load_from_memory(&lab_rules, save->bytes, save->size, options[which % 4], &how, &fast, &error));
    must_be(kifu_event_count(lab) == kifu_event_count(fast) && kifu_state_hash(lab) == kifu_state_hash(fast));
    must_be(kifu_line_count(lab) == kifu_line_count(fast));
    use_tree(fast);
    use_tree(lab);
    kifu_destroy(fast);
    kifu_destroy(lab);
    return true;
}

START_TEST(R04_each_record_of_a_whole_save_may_be_wrong_in_one_thing)
{
    uint32_t loaded = 0, refused = 0;
    for (uint32_t i = 0; i < 2 * GAMES; i++) {
        const bool packed = i % 2;
        save save = save_game(i / 2, packed ? &kifu_compact : NULL);
        const frames good = packed ? packed_frames(&save) : frames_of(&save);
        for (int commit = 1; commit < good.count; commit++) {
            if (good.all[commit].kind != FRAME_COMMIT)
                continue;
            const records records = records_of(&good.all[commit]);
            unsigned char room[300];
            for (int at = 0, how = 0; at < records.count; how++) {
                struct records with = records;
                if (!alter(&with, at, how, room)) {
                    at++;
                    how = -1;
                    continue;
                }
                frames frames = good;
                unsigned char *payload = payload_of_records(&with, &frames.all[commit].size);
                frames.all[commit].payload = payload;
                struct save bad = packed ? pack_frames(&frames) : save_of_frames(&frames);
                const bool loads = load_or_refuse(&bad, loaded + refused);
                loaded += loads;
                refused += !loads;
                free(bad.bytes);
                free(payload);
            }
        }
        free(save.bytes);
    }
    ck_assert_uint_gt(refused, loaded);
    ck_assert_uint_gt(loaded, 1000);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R04_segments_that_are_missing_doubled_or_not_used_are_refused,
        R04_a_segment_in_front_of_a_commit_that_does_not_use_it_is_refused,
        R04_a_whole_save_ends_with_the_record_end_and_nowhere_else,
        R04_rows_in_a_plain_save_are_refused,
        R04_a_state_and_a_hash_that_do_not_belong_together_are_refused,
        R04_a_commit_that_is_too_short_for_a_record_or_its_link_is_refused,
        R04_each_beginning_of_a_whole_save_has_the_current_line_or_its_first_events,
        R04_a_header_with_another_number_of_events_does_no_harm,
        R04_each_record_of_a_whole_save_may_be_wrong_in_one_thing,
    };
    return run_suite("whole commits", tests, sizeof tests / sizeof *tests);
}
