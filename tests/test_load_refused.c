// Loading what is damaged, hostile, another game's or in another order, and without memory: what is refused, and how.

#include <errno.h>
#include <sys/stat.h>

#include "history_help.h"
#include "save_help.h"
#include "shared_segment.h"
#include "suite.h"

// --- Refused ---------------------------------------------------------------------------------------------------------

static kifu_error refused(const save *save, kifu_result why, const char *words)
{
    kifu_timeline *timeline;
    kifu_error error;
    kifu_result result = kifu_load_from_memory(&lab_rules, save->bytes, save->size, NULL, NULL, &timeline, &error);
    ck_assert_msg(result == why, "%s", result ? error.message : "loaded");
    ck_assert_int_eq(error.result, why);
    ck_assert_ptr_null(timeline);
    ck_assert_msg(strstr(error.message, words) != NULL, "%s", error.message);
    return error;
}

START_TEST(S05_each_cut_is_refused)
{
    kifu_timeline *lab = waiting_game(NULL);
    const kifu_save_options options = {.without_schema = true};
    save whole = save_of(lab, &options);
    for (size_t size = 0; size < whole.size; size++) {
        // Bytes of their own, so that the sanitizer sees the end.
        save cut = {malloc(size ? size : 1), size};
        memcpy(cut.bytes, whole.bytes, size);
        kifu_error error = refused(&cut, size ? KIFU_DAMAGED : KIFU_NOT_A_SAVE, size ? "cut off" : "empty");
        ck_assert_uint_le(error.offset, size);
        free(cut.bytes);
    }
    free(whole.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(S05_each_flipped_byte_is_refused)
{
    kifu_timeline *lab = waiting_game(NULL);
    const kifu_save_options options = {.without_schema = true};
    save save = save_of(lab, &options);
    for (size_t i = 0; i < save.size; i++) {
        for (int bit = 0; bit < 8; bit += 3) {
            kifu_timeline *timeline;
            kifu_error error;
            save.bytes[i] ^= (unsigned char)(1 << bit);
            ck_assert_int_ne(kifu_load_from_memory(&lab_rules, save.bytes, save.size, NULL, NULL, &timeline, &error),
                             KIFU_OK);
            ck_assert_uint_le(error.offset, i);
            ck_assert_uint_gt(strlen(error.message), 20);
            save.bytes[i] ^= (unsigned char)(1 << bit);
        }
    }
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(S05_bytes_behind_the_end_are_refused)
{
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, NULL);
    save.bytes = realloc(save.bytes, save.size + 8);
    memset(save.bytes + save.size, 0, 8);
    save.size += 8;
    kifu_error error = refused(&save, KIFU_DAMAGED, "more bytes follow");
    ck_assert_uint_eq(error.offset, save.size - 8);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// Whoever writes a save with right checksums and wrong contents gets a reason too, or a game; never a crash. The
// sanitizers watch.
START_TEST(S05_hostile_payloads_do_no_harm)
{
    kifu_timeline *lab = waiting_game(NULL);
    const kifu_save_options options = {.without_schema = true};
    save original = save_of(lab, &options);
    uint32_t seed = (uint32_t)fuzz_seed() * 7919;
    unsigned long steps = fuzz_steps(4000), loaded_count = 0;
    for (unsigned long i = 0; i < steps; i++) {
        save mutant = {malloc(original.size), original.size};
        memcpy(mutant.bytes, original.bytes, original.size);
        frames frames = frames_of(&mutant);
        int changes = 1 + (int)(next_random(&seed) % 3);
        for (int change = 0; change < changes; change++) {
            const save_frame *frame = &frames.all[next_random(&seed) % (uint32_t)frames.count];
            uint32_t at = next_random(&seed) % frame->size;
            unsigned char *byte = mutant.bytes + frame->offset + FRAME_HEAD + at;
            static const unsigned char values[] = {0, 1, 2, 4, 0x7F, 0x80, 0xFE, 0xFF};
            *byte = next_random(&seed) % 2 ? values[next_random(&seed) % 8] : (unsigned char)next_random(&seed);
        }
        save sealed = save_of_frames(&frames);
        kifu_timeline *timeline;
        kifu_error error = {0};
        const kifu_options options = {.hash_interval = (uint32_t)(i % 3)};
        const kifu_load_options way = {.fast = i % 2, .memory = i % 5 ? 0 : 1 + i * i % 30011};
        kifu_result result =
            kifu_load_from_memory(&lab_rules, sealed.bytes, sealed.size, &options, &way, &timeline, &error);
        if (result == KIFU_OK) {
            loaded_count++;
            for (int step = 0; step < 6; step++)
                random_lab_step(timeline, next_random(&seed));
            save again = save_of(timeline, NULL);
            free(again.bytes);
            kifu_destroy(timeline);
        } else {
            ck_assert_uint_gt(strlen(error.message), 20);
        }
        free(sealed.bytes);
        free(mutant.bytes);
    }
    ck_assert_uint_gt(loaded_count, 0);
    free(original.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(S06_an_unknown_event_type_is_named)
{
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, NULL);
    kifu_rules older = lab_rules;
    older.type_count = LAB_P_DO - 1;
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&older, save.bytes, save.size, NULL, NULL, &timeline, &error),
                     KIFU_UNKNOWN_EVENT);
    ck_assert_ptr_nonnull(strstr(error.message, "lab.PDo"));
    ck_assert_uint_eq(error.event, 3);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(a_save_of_another_game_is_refused_by_both_names)
{
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, NULL);
    kifu_rules other = lab_rules;
    other.name = "chess";
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&other, save.bytes, save.size, NULL, NULL, &timeline, &error),
                     KIFU_OTHER_GAME);
    ck_assert_ptr_nonnull(strstr(error.message, "'lab'"));
    ck_assert_ptr_nonnull(strstr(error.message, "'chess'"));
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(a_newer_format_is_refused)
{
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, NULL);
    save.bytes[8] = FORMAT_VERSION + 1;
    refused(&save, KIFU_NEWER_FORMAT, "format version 6");
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// A game may begin anew where there is no file, and must not where one is there that cannot be read.
START_TEST(F63_no_file_is_told_from_one_that_cannot_be_read)
{
    char *folder = new_folder();
    kifu_timeline *timeline;
    kifu_error error;
    static const struct {
        const char *path;
        kifu_result result;
        int code;
    } cases[] = {{"none.kifu", KIFU_NOT_FOUND, ENOENT},
                 {"none/at/all.kifu", KIFU_NOT_FOUND, ENOENT},
                 {"link.kifu", KIFU_NOT_FOUND, ENOENT},
                 {"text/a.kifu", KIFU_IO, ENOTDIR},
                 {"circle.kifu", KIFU_IO, ELOOP}};
    write_bytes(in_folder(folder, "text"), "Dear diary", 10);
    if (!ON_WINDOWS) {
        ck_assert_int_eq(symlink("nowhere.kifu", in_folder(folder, "link.kifu")), 0);
        ck_assert_int_eq(symlink("circle.kifu", in_folder(folder, "circle.kifu")), 0);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (ON_WINDOWS && cases[i].result == KIFU_IO)
            continue; // What is below a file is not there; and there are no links.
        const char *path = in_folder(folder, cases[i].path);
        ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &timeline, &error), cases[i].result);
        ck_assert_int_eq(error.result, cases[i].result);
        ck_assert(names_path(error.message, path));
        ck_assert(ON_WINDOWS || strstr(error.message, strerror(cases[i].code)));
        ck_assert_ptr_null(timeline);
        ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &timeline, NULL), cases[i].result);
    }
    if (geteuid() && !ON_WINDOWS) { // No permission stops root.
        write_bytes(in_folder(folder, "mine.kifu"), "x", 1);
        ck_assert_int_eq(chmod(in_folder(folder, "mine.kifu"), 0), 0);
        ck_assert_int_eq(kifu_load(&lab_rules, in_folder(folder, "mine.kifu"), NULL, NULL, &timeline, &error), KIFU_IO);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(files_that_cannot_be_read_are_named)
{
    char *folder = new_folder();
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(kifu_load(&lab_rules, folder, NULL, NULL, &timeline, &error), KIFU_IO);
    ck_assert_ptr_nonnull(strstr(error.message, "folder"));
    write_bytes(in_folder(folder, "empty.kifu"), "", 0);
    ck_assert_int_eq(kifu_load(&lab_rules, in_folder(folder, "empty.kifu"), NULL, NULL, &timeline, &error),
                     KIFU_NOT_A_SAVE);
    write_bytes(in_folder(folder, "text.kifu"), "Dear diary, today we played", 27);
    ck_assert_int_eq(kifu_load(&lab_rules, in_folder(folder, "text.kifu"), NULL, NULL, &timeline, &error),
                     KIFU_NOT_A_SAVE);
    remove_folder(folder);
}
END_TEST

// --- Frames in another order, and other frames -----------------------------------------------------------------------

// The frames of a rich game with one change; refused with `words`, or loaded where those are NULL.
typedef void change(frames *frames);

// `changed` is released.
static kifu_error expect_of(save *changed, kifu_timeline *rich, kifu_result why, const char *words)
{
    kifu_error error = {0};
    if (words) {
        error = refused(changed, why, words);
    } else {
        kifu_timeline *loaded = load_again(changed);
        expect_same(rich, loaded);
        kifu_destroy(loaded);
    }
    free(changed->bytes);
    return error;
}

static kifu_error with_change(change *change, kifu_result why, const char *words)
{
    kifu_timeline *rich = rich_game(NULL);
    save save = save_of(rich, NULL);
    frames frames = frames_of(&save);
    change(&frames);
    struct save changed = save_of_frames(&frames);
    const kifu_error error = expect_of(&changed, rich, why, words);
    free(save.bytes);
    kifu_destroy(rich);
    return error;
}

// The same with a change of its records.
static kifu_error with_records(void (*change)(records *records), kifu_result why, const char *words)
{
    kifu_timeline *rich = rich_game(NULL);
    save save = save_of(rich, NULL);
    struct save changed = save_with_records(&save, change);
    const kifu_error error = expect_of(&changed, rich, why, words);
    free(save.bytes);
    kifu_destroy(rich);
    return error;
}

static void add_unknown(frames *frames)
{
    insert_frame(frames, 1, 0x4000, "whatever it is", 14);
    insert_frame(frames, 3, 0x80000001, "", 0);
}

static void add_unknown_record(records *records)
{
    insert_record(records, 0, 64, (const unsigned char *)"whatever it is", 14);
    insert_record(records, 3, 0x80000001, NULL, 0);
}

START_TEST(unknown_frames_and_records_are_skipped)
{
    with_change(add_unknown, KIFU_OK, NULL);
    with_records(add_unknown_record, KIFU_OK, NULL);
}
END_TEST

static void add_needed(frames *frames)
{
    insert_frame(frames, 2, FRAME_SKIPPED - 1, "it matters", 10);
}

static void add_needed_record(records *records)
{
    insert_record(records, 1, 63, (const unsigned char *)"it matters", 10);
}

static void add_record_of_no_kind(records *records)
{
    insert_record(records, 1, 0, NULL, 0);
}

START_TEST(unknown_frames_and_records_that_must_not_be_skipped_are_named)
{
    with_change(add_needed, KIFU_NEWER_FORMAT, "a frame of kind 63");
    with_records(add_needed_record, KIFU_NEWER_FORMAT, "a record of kind 63");
    with_records(add_record_of_no_kind, KIFU_NEWER_FORMAT, "a record of kind 0");
}
END_TEST

static void move_header(frames *frames)
{
    insert_frame(frames, 0, 0x4000, "first", 5);
}

static void repeat_header(frames *frames)
{
    insert_frame(frames, 2, FRAME_HEADER, frames->all[0].payload, frames->all[0].size);
}

static void drop_header(frames *frames)
{
    remove_frame(frames, 0);
}

START_TEST(the_header_is_the_first_frame_and_the_only_one)
{
    with_change(move_header, KIFU_DAMAGED, "not its header");
    with_change(drop_header, KIFU_DAMAGED, "not its header");
    with_change(repeat_header, KIFU_DAMAGED, "second header");
}
END_TEST

static void drop_commit(frames *frames)
{
    remove_frame(frames, frames->count - 1);
}

static void drop_end(records *records)
{
    remove_record(records, find_record(records, RECORD_END));
}

static void end_early(frames *frames)
{
    static const unsigned char end[] = {0, 0, 0, 0, RECORD_END, 0};
    insert_frame(frames, 1, FRAME_COMMIT, end, sizeof end);
}

static void end_early_in_commit(records *records)
{
    insert_record(records, 2, RECORD_END, NULL, 0);
}

START_TEST(the_end_is_the_last_record)
{
    with_change(drop_commit, KIFU_DAMAGED, "cut off");
    with_records(drop_end, KIFU_DAMAGED, "cut off");
    with_change(end_early, KIFU_DAMAGED, "more bytes follow");
    with_records(end_early_in_commit, KIFU_DAMAGED, "stands behind the end");
}
END_TEST

static void stand_too_far(records *records)
{
    static const unsigned char body[] = {0, 100};
    insert_record(records, find_record(records, RECORD_HASH), RECORD_STAND, body, sizeof body);
}

static void stand_in_no_line(records *records)
{
    static const unsigned char body[] = {7, 1};
    insert_record(records, find_record(records, RECORD_HASH), RECORD_STAND, body, sizeof body);
}

START_TEST(the_game_stands_where_there_are_events)
{
    with_records(stand_too_far, KIFU_DAMAGED, "is of a place that is not there");
    with_records(stand_in_no_line, KIFU_DAMAGED, "ends where there are no events");
}
END_TEST

static void drop_stand(records *records)
{
    remove_record(records, find_record(records, RECORD_STAND));
}

START_TEST(a_hash_is_of_where_the_game_stands)
{
    kifu_error error = with_records(drop_stand, KIFU_DIVERGED, "now leads to another state");
    ck_assert_uint_ne(error.offset, UINT64_MAX);
}
END_TEST

static void drop_hash(records *records)
{
    remove_record(records, find_record(records, RECORD_HASH));
}

START_TEST(a_save_may_have_no_hash)
{
    with_records(drop_hash, KIFU_OK, NULL);
}
END_TEST

// What waits is rebuilt, each event with a copy of its own of what another writer lets them share.
START_TEST(S05_what_waits_does_not_grow_without_limit)
{
    char script[30001];
    memset(script, '+', sizeof script - 1);
    script[sizeof script - 1] = '\0';
    save few = shared_save(RECORD_QUEUE, 20, script), many = shared_save(RECORD_QUEUE, 200, script);
    kifu_timeline *loaded = load_again(&few);
    ck_assert_uint_eq(kifu_pending_count(loaded), 20);
    kifu_error error = refused(&many, KIFU_TOO_LARGE, "while the events at byte");
    frames frames = frames_of(&many);
    ck_assert_uint_eq(error.offset, frames.all[find_frame(&frames, FRAME_SEGMENT)].offset);
    free(few.bytes);
    free(many.bytes);
    kifu_destroy(loaded);
}
END_TEST

START_TEST(a_cause_too_far_back_is_none)
{
    // A consequence waits while another writer's 70,000 events happen.
    kifu_timeline *lab = lab_new(NULL);
    lab_do(lab, 0, "1(2)", 1);
    lab_must(lab, kifu_step(lab));
    save waiting = save_of(lab, NULL);
    kifu_timeline *other = lab_new(NULL);
    for (int i = 0; i < 70000; i++)
        lab_submit_p_add(other, 0, 1);
    lab_must(other, kifu_run(other));
    save added = save_of(other, NULL);
    frames frames = frames_of(&waiting), more = frames_of(&added);
    unsigned char events[] = {0, 0};
    for (int i = 0; i < more.count; i++) {
        if (more.all[i].kind == FRAME_SEGMENT && ++events[1])
            insert_frame(&frames, frames.count - 1, FRAME_SEGMENT, more.all[i].payload, more.all[i].size);
    }
    records records = first_records(&frames);
    drop_hash(&records);
    insert_record(&records, find_record(&records, RECORD_QUEUE) + 1, RECORD_EVENTS, events, sizeof events);
    save whole = save_of_records(&frames, frames.count - 1, &records);
    kifu_timeline *loaded = load_again(&whole);
    save second = save_of(loaded, NULL);
    kifu_timeline *again = load_again(&second); // It waits there, too.
    kifu_timeline *const both[] = {loaded, again};
    for (int i = 0; i < 2; i++) {
        kifu_event event;
        lab_must(both[i], kifu_run(both[i]));
        ck_assert(kifu_event_at(both[i], 70001, &event));
        ck_assert_uint_eq(event.type, LAB_E_DO);
        ck_assert_uint_eq(event.cause, KIFU_NONE);
    }
    free(waiting.bytes);
    free(added.bytes);
    free(whole.bytes);
    free(second.bytes);
    kifu_destroy(lab);
    kifu_destroy(other);
    kifu_destroy(loaded);
    kifu_destroy(again);
}
END_TEST

// As in a log file: an undo, then other events. A whole save has only events that are there.
START_TEST(no_events_of_a_whole_save_replace_others)
{
    static const unsigned char events[] = {0, 1};
    kifu_timeline *rich = rich_game(NULL);
    save save = save_of(rich, NULL);
    frames frames = frames_of(&save);
    records records = first_records(&frames);
    const save_frame segment = frames.all[find_frame(&frames, FRAME_SEGMENT)];
    insert_frame(&frames, frames.count - 1, FRAME_SEGMENT, segment.payload, segment.size);
    drop_hash(&records);
    const int stand = find_record(&records, RECORD_STAND);
    insert_record(&records, stand + 1, RECORD_EVENTS, events, sizeof events);
    struct save changed = save_of_records(&frames, frames.count - 1, &records);
    refused(&changed, KIFU_DAMAGED, "does not come behind the events of its line");
    free(changed.bytes);
    insert_record(&records, stand + 1, RECORD_CUT, NULL, 0);
    changed = save_of_records(&frames, frames.count - 1, &records);
    refused(&changed, KIFU_DAMAGED, "'cut' that is only in log files and changes");
    free(changed.bytes);
    free(save.bytes);
    kifu_destroy(rich);
}
END_TEST

static void ask_for_more(records *records)
{
    static const unsigned char body[] = {0, 1};
    insert_record(records, find_record(records, RECORD_END), RECORD_EVENTS, body, sizeof body);
}

static void add_segment(frames *frames)
{
    const save_frame segment = frames->all[find_frame(frames, FRAME_SEGMENT)];
    insert_frame(frames, frames->count - 1, FRAME_SEGMENT, segment.payload, segment.size);
}

static void have_rows(records *records)
{
    static const unsigned char body[] = {1, 1};
    records->all[find_record(records, RECORD_EVENTS)].body = body;
}

START_TEST(a_commit_uses_the_segments_in_front_of_it_and_no_rows)
{
    with_records(ask_for_more, KIFU_DAMAGED, "is of a segment that is not there");
    with_change(add_segment, KIFU_DAMAGED, "leaves segments in front of it unused");
    with_records(have_rows, KIFU_DAMAGED, "'events' that is of a log file or a packed save");
}
END_TEST

// --- A header of another version of Kifu -----------------------------------------------------------------------------

// kifu.save.Header as a later Kifu might have it: fields behind, and all in another order.
typedef struct later_header {
    int32_t vtable;
    uint32_t event_count;
    uint32_t schema, thumbnail, players, title, union_name, game;
    uint64_t more[2];
    uint64_t fingerprint;
    int64_t saved_at;
    uint32_t rules_version;
    uint32_t padding;
    char game_string[8], union_string[16];
} later_header;

static bool see_later(void *context, const kifu_save_info *info)
{
    *(bool *)context = info->saved_at == 5;
    return true;
}

START_TEST(a_header_of_a_later_version_is_understood)
{
    struct {
        uint32_t root, link;
        uint16_t vtable[16]; // The last one fills it up.
        later_header table;
    } payload = {
        .root = 40,
        .vtable = {30, offsetof(later_header, game_string), offsetof(later_header, game),
                   offsetof(later_header, union_name), offsetof(later_header, rules_version),
                   offsetof(later_header, fingerprint), offsetof(later_header, event_count), 0,
                   offsetof(later_header, saved_at), 0, 0, 0, 0, offsetof(later_header, more[0]),
                   offsetof(later_header, more[1])},
        .table = {.vtable = 32,
                  .game = offsetof(later_header, game_string) - offsetof(later_header, game),
                  .union_name = offsetof(later_header, union_string) - offsetof(later_header, union_name),
                  .more = {77, 78},
                  .fingerprint = lab_rules.fingerprint,
                  .saved_at = 5,
                  .rules_version = lab_rules.rules_version,
                  .game_string = "\3\0\0\0lab",
                  .union_string = "\11\0\0\0lab.Event"},
    };
    ck_assert_uint_eq((uintptr_t)&payload.table - (uintptr_t)&payload, 40);
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, NULL);
    frames frames = frames_of(&save);
    frames.all[0].payload = (const unsigned char *)&payload;
    frames.all[0].size = sizeof payload;
    struct save changed = save_of_frames(&frames);
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *loaded = load_by(&changed, &options, NULL);
    expect_same(lab, loaded);
    kifu_destroy(lab);
    kifu_destroy(loaded);
    ck_assert_int_eq(memory.blocks, 0);

    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    write_bytes(path, changed.bytes, changed.size);
    bool seen = false;
    ck_assert_int_eq(kifu_read_save_info(path, see_later, &seen, LIST_WITH(&memory), NULL), KIFU_OK);
    ck_assert(seen);
    ck_assert_int_eq(memory.blocks, 0);
    remove_folder(folder);
    free(changed.bytes);
    free(save.bytes);
}
END_TEST

// --- Games that do not replay ----------------------------------------------------------------------------------------

static kifu_result refuse(kifu_timeline *timeline, uint32_t type, const void *state, const void *event, void *transient)
{
    if (type == LAB_P_ADD)
        return kifu_fail(timeline, "not in my house");
    return lab_rules.do_event(timeline, type, state, event, transient);
}

START_TEST(a_do_function_that_fails_is_named_with_its_event)
{
    kifu_timeline *lab = lab_new(NULL), *timeline;
    lab_must(lab, lab_play(lab, "+"));
    lab_submit_p_add(lab, 0, 5);
    lab_must(lab, kifu_run(lab));
    save save = save_of(lab, NULL);
    kifu_rules refusing = lab_rules;
    refusing.do_event = refuse;
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&refusing, save.bytes, save.size, NULL, NULL, &timeline, &error),
                     KIFU_FAILED);
    ck_assert_ptr_null(timeline);
    ck_assert_uint_eq(error.event, 1);
    ck_assert_ptr_nonnull(strstr(error.message, "not in my house"));
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// --- No memory -------------------------------------------------------------------------------------------------------

START_TEST(no_memory_at_any_allocation_of_a_load_leaks_nothing)
{
    kifu_timeline *lab = waiting_game(NULL);
    for (int i = 0; i < 40; i++)
        lab_do(lab, 0, "+", 1);
    save save = save_of(lab, NULL);
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    write_bytes(path, save.bytes, save.size);
    kifu_rules next = lab_rules;
    next.rules_version++;
    for (int way = 0; way < 6; way++) {
        bool failed = true; // A load can do without some of what it asks for.
        for (long at = 0; failed; at++) {
            test_memory memory = {.until_failure = at};
            kifu_difference changed;
            const kifu_rules *rules = way >= 4 ? &next : &lab_rules;
            const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .hash_interval = 3};
            const kifu_load_options fast = {.fast = way == 2 || way == 3, .changed = way >= 4 ? &changed : NULL};
            kifu_timeline *timeline;
            kifu_error error;
            const kifu_result result =
                way % 2 ? kifu_load(rules, path, &options, &fast, &timeline, &error)
                        : kifu_load_from_memory(rules, save.bytes, save.size, &options, &fast, &timeline, &error);
            failed = memory.failed;
            if (result) {
                ck_assert_msg(result == KIFU_NO_MEMORY, "%s", error.message);
                ck_assert_ptr_null(timeline);
                ck_assert_ptr_nonnull(strstr(error.message, "out of memory"));
            } else {
                ck_assert_uint_eq(kifu_state_hash(lab), kifu_state_hash(timeline));
                if (way < 4)
                    expect_same(lab, timeline);
                kifu_destroy(timeline);
                ck_assert_int_gt(at, 4);
            }
            ck_assert_int_eq(memory.blocks, 0);
        }
    }
    remove_folder(folder);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// The last segment moves to where the game goes on in it, or the load fails.
START_TEST(no_memory_for_the_last_segment_fails_the_load)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    save plain = save_of(lab, NULL);
    frames frames = frames_of(&plain);
    static const unsigned char events[] = {0, 4};
    records records = first_records(&frames);
    drop_hash(&records);
    records.all[find_record(&records, RECORD_EVENTS)].body = events;
    const int at_segment = find_frame(&frames, FRAME_SEGMENT);
    const save_frame segment = frames.all[at_segment];
    save earlier = old_shared_segment(3, "+");
    insert_frame(&frames, at_segment, FRAME_SEGMENT, segment.payload, segment.size);
    for (int i = 0; i < 2; i++)
        insert_frame(&frames, at_segment, FRAME_SEGMENT, earlier.bytes, (uint32_t)earlier.size);
    save many = save_of_records(&frames, frames.count - 1, &records);
    bool failed = true;
    long failures = 0;
    for (long at = 0; failed; at++) {
        test_memory memory = {.until_failure = at};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *loaded;
        kifu_error error;
        kifu_result result = kifu_load_from_memory(&lab_rules, many.bytes, many.size, &options, NULL, &loaded, &error);
        failed = memory.failed;
        failures += result != KIFU_OK;
        ck_assert_int_eq(result, result ? KIFU_NO_MEMORY : KIFU_OK);
        if (!result) {
            ck_assert_uint_eq(kifu_event_count(loaded), 12);
            memory.until_failure = -1;
            save again = save_of(loaded, NULL);
            ck_assert_int_eq(count_segments(&again), 4);
            free(again.bytes);
        }
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
    }
    ck_assert_int_gt(failures, 4);
    free(many.bytes);
    free(plain.bytes);
    free(earlier.bytes);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S05_each_cut_is_refused,
        S05_each_flipped_byte_is_refused,
        S05_bytes_behind_the_end_are_refused,
        S05_hostile_payloads_do_no_harm,
        S06_an_unknown_event_type_is_named,
        a_save_of_another_game_is_refused_by_both_names,
        a_newer_format_is_refused,
        F63_no_file_is_told_from_one_that_cannot_be_read,
        files_that_cannot_be_read_are_named,
        unknown_frames_and_records_are_skipped,
        unknown_frames_and_records_that_must_not_be_skipped_are_named,
        the_header_is_the_first_frame_and_the_only_one,
        the_end_is_the_last_record,
        the_game_stands_where_there_are_events,
        a_hash_is_of_where_the_game_stands,
        a_save_may_have_no_hash,
        S05_what_waits_does_not_grow_without_limit,
        a_cause_too_far_back_is_none,
        no_events_of_a_whole_save_replace_others,
        a_commit_uses_the_segments_in_front_of_it_and_no_rows,
        a_header_of_a_later_version_is_understood,
        a_do_function_that_fails_is_named_with_its_event,
        no_memory_at_any_allocation_of_a_load_leaks_nothing,
        no_memory_for_the_last_segment_fails_the_load,
    };
    return run_suite("load_refused", tests, sizeof tests / sizeof *tests);
}
