// The commits of log files: records that are as they should be but for one thing, with right checksums; and what an
// append costs.

#include "save_help.h"
#include "log_file_help.h"
#include "suite.h"
#include "tree_help.h"

static const kifu_load_options recovering = {.recover = kifu_recover};

static save log_of(kifu_timeline *lab, void (*then)(kifu_timeline *lab))
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    save save = {.bytes = NULL};
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.without_schema = true}));
    then(lab);
    lab_must(lab, kifu_log_append(lab));
    save.bytes = read_bytes(path, &save.size);
    kifu_destroy(lab);
    remove_folder(folder);
    return save;
}

// The file with another last commit.
static save with_records(const save *file, const records *records)
{
    const frames frames = frames_of(file);
    return save_of_records(&frames, frames.count - 1, records);
}

// --- Wrong records ---------------------------------------------------------------------------------------------------

static void undo_twice(kifu_timeline *lab)
{
    for (int i = 0; i < 4; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab));
}

typedef struct wrong {
    const char *message;
    kifu_result result;
    uint32_t kind, count, numbers[18];
    uint32_t then[4]; // Further records: kind, and up to two numbers.
} wrong;

static void expect_refused(const save *file, const kifu_options *options, const wrong *wrong)
{
    const frames frames = frames_of(file);
    records records = records_of(&frames.all[frames.count - 1]);
    unsigned char body[64], *end = body, more[16];
    for (uint32_t i = 0; i < wrong->count; i++)
        end = put_number(end, wrong->numbers[i]);
    const int last = records.count - 1;
    ck_assert_uint_eq(records.all[last].kind, RECORD_HASH);
    insert_record(&records, last, wrong->kind, body, (uint32_t)(end - body));
    if (wrong->then[0]) {
        end = more;
        if (wrong->then[0] == RECORD_STAND)
            end = put_number(put_number(more, wrong->then[1]), wrong->then[2]);
        insert_record(&records, last + 1, wrong->then[0], more, (uint32_t)(end - more));
        if (wrong->then[3])
            insert_record(&records, last + 2, wrong->then[3], NULL, 0);
    }
    save bad = with_records(file, &records);
    kifu_timeline *loaded;
    kifu_error error = {.message = ""};
    const kifu_result result =
        kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, options, &recovering, &loaded, &error);
    ck_assert_msg(result == wrong->result && strstr(error.message, wrong->message), "%d, %s: %s", (int)result,
                  error.message, wrong->message);
    kifu_destroy(loaded);
    free(bad.bytes);
}

START_TEST(R04_a_record_that_cannot_be_is_refused)
{
    static const wrong both[] = {
        {"goes to events that are not there", KIFU_DAMAGED, RECORD_STAND, 2, {0, 5}, {0}},
        {"takes more events than wait", KIFU_DAMAGED, RECORD_QUEUE, 2, {1, 0}, {0}},
        {"takes more events than wait", KIFU_DAMAGED, RECORD_QUEUE, 2, {0, 1}, {0}},
        {"has another length than it says", KIFU_DAMAGED, RECORD_CUT, 1, {0}, {0}},
        {"has another length than it says", KIFU_DAMAGED, RECORD_STAND, 1, {0}, {0}},
        {"has another length than it says", KIFU_DAMAGED, RECORD_STAND, 3, {0, 2, 2}, {0}},
        {"of kind 20, which this program does not know", KIFU_NEWER_FORMAT, RECORD_END + 1, 0, {0}, {0}},
        {"has a record 'end' that ends a whole save", KIFU_DAMAGED, RECORD_END, 0, {0}, {0}},
        {"has a record 'position' that begins a file", KIFU_DAMAGED, RECORD_POSITION, 1, {0}, {0}},
        {"has a record 'events' that", KIFU_DAMAGED, RECORD_EVENTS, 1, {3}, {0}},
    };
    static const wrong lines[] = {
        {"is of a place that is not there", KIFU_DAMAGED, RECORD_KEPT, 3, {0, 5, 0}, {0}},
        {"has a hash that does not come behind the others",
         KIFU_DAMAGED,
         RECORD_HASHES,
         9,
         {9, 0, 0, 0, 0, 0, 0, 0},
         {0}},
        {"goes to a line that is not there", KIFU_DAMAGED, RECORD_STAND, 2, {1, 1}, {0}},
        {"branches off from events that are not there", KIFU_DAMAGED, RECORD_BRANCH, 3, {0, 0, 0}, {0}},
        {"branches off from events that are not there", KIFU_DAMAGED, RECORD_BRANCH, 3, {1, 0, 5}, {0}},
        {"branches off from events that are not there", KIFU_DAMAGED, RECORD_BRANCH, 3, {1, 2, 1}, {0}},
        {"branches off from events that are not there", KIFU_DAMAGED, RECORD_BRANCH, 3, {UINT32_MAX, 0, 1}, {0}},
        {"deletes a line that is not there", KIFU_DAMAGED, RECORD_DELETED, 1, {0}, {0}},
        {"deletes a line that is not there", KIFU_DAMAGED, RECORD_DELETED, 1, {1}, {0}},
        {"returns a number that was not given", KIFU_DAMAGED, RECORD_RETURNED, 1, {0}, {0}},
        {"returns a number that was not given", KIFU_DAMAGED, RECORD_RETURNED, 1, {2}, {0}},
        {"is of events that are not there", KIFU_DAMAGED, RECORD_LEFT, 2, {0, 5}, {0}},
        {"names a line that is not there", KIFU_DAMAGED, RECORD_TREE, 2, {1, 1}, {0}},
        {"has a record 'tip' that is only in whole saves", KIFU_DAMAGED, RECORD_TIP, 18, {0}, {0}},
        {"names a line that is not there", KIFU_DAMAGED, RECORD_TREE, 2, {0, 0}, {0}},
        {"replaces events that another line has",
         KIFU_DAMAGED,
         RECORD_BRANCH,
         3,
         {1, 0, 3},
         {RECORD_STAND, 0, 2, RECORD_CUT}},
    };
    const kifu_options plain = {.hash_interval = 0}, options = {.keep_variations = kifu_keep_variations};
    save file = log_of(lab_new(NULL), undo_twice);
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        expect_refused(&file, &options, &both[i]);
        if (i) // Without variations, it goes to events of no interest.
            expect_refused(&file, &plain, &both[i]);
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        expect_refused(&file, &options, &lines[i]);
    free(file.bytes);
}
END_TEST

// A line is deleted, or its number returned, and the reader stood there.
START_TEST(R04_a_record_in_a_line_that_is_gone_is_refused)
{
    static const unsigned char branch[] = {1, 0, 1}, number[] = {1}, hashes[9] = {1};
    static const uint32_t kinds[] = {RECORD_CUT, RECORD_HASHES, RECORD_EVENTS, RECORD_HASH};
    const kifu_options options = {.keep_variations = kifu_keep_variations};
    save file = log_of(lab_new(NULL), undo_twice);
    const frames frames = frames_of(&file);
    const records good = records_of(&frames.all[frames.count - 1]);
    int events = 0;
    while (good.all[events].kind != RECORD_EVENTS)
        events++;
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++) {
        records records = good;
        const uint32_t kind = kinds[i / 2];
        int last = records.count - 1;
        insert_record(&records, last++, RECORD_BRANCH, branch, sizeof branch);
        insert_record(&records, last++, i % 2 ? RECORD_RETURNED : RECORD_DELETED, number, sizeof number);
        if (kind == RECORD_EVENTS)
            insert_record(&records, last, kind, good.all[events].body, good.all[events].size);
        else if (kind != RECORD_HASH)
            insert_record(&records, last, kind, hashes, kind == RECORD_HASHES ? sizeof hashes : 0);
        save bad = with_records(&file, &records);
        kifu_timeline *loaded;
        kifu_error error = {.message = ""};
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, &options, &recovering, &loaded, &error),
                         KIFU_DAMAGED);
        if (kind != RECORD_EVENTS) // Its rows do not fit twice.
            ck_assert_msg(strstr(error.message, "is in a line that is gone") != NULL, "%s", error.message);
        free(bad.bytes);
    }
    free(file.bytes);
}
END_TEST

START_TEST(R04_a_commit_ends_with_the_hash_of_the_state)
{
    save file = log_of(lab_new(NULL), undo_twice);
    const frames frames = frames_of(&file);
    records records = records_of(&frames.all[frames.count - 1]);
    records.count--;
    save bad = with_records(&file, &records);
    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, NULL, &recovering, &loaded, &error),
                     KIFU_DAMAGED);
    must_be(strstr(error.message, "does not end with the hash of a state"));
    free(bad.bytes);
    free(file.bytes);
}
END_TEST

// --- Any records -----------------------------------------------------------------------------------------------------

static void go_around(kifu_timeline *lab)
{
    for (uint32_t line = 0; line < 4; line++)
        lab_must(lab, kifu_set_line_note(lab, line, 1, line % 2 ? "a" : KIFU_NOTE_COMMENT, "here"));
    for (uint32_t i = 0; i < 5; i++) {
        lab_must(lab, kifu_log_append(lab));
        (void)kifu_drop_inputs(lab);
        lab_must(lab, kifu_go_to(lab, i % 4, KIFU_WHERE_LEFT, true));
        (void)kifu_drop_inputs(lab);
        (void)!kifu_undo(lab);
        lab_must(lab, lab_play(lab, i % 2 ? "5(+)" : "-"));
        lab_do(lab, 0, "7", 1);
        lab_must(lab, i % 2 ? kifu_undo(lab) : KIFU_OK);
    }
    lab_must(lab, kifu_delete_line(lab, 3));
    lab_must(lab, kifu_set_line_note(lab, 0, 1, KIFU_NOTE_COMMENT, NULL));
}

// What loads can be played on and saved.
START_TEST(R04_records_with_right_checksums_and_wrong_contents_do_no_harm)
{
    enum { FILES = 4, CHANGES = 3 };
    save files[FILES];
    static unsigned char room[CHANGES][256];
    kifu_rng rng;
    unsigned long loaded = 0;
    const unsigned long rounds = fuzz_steps(6000);
    kifu_rng_seed(&rng, fuzz_seed(), 17);
    kifu_options options = keeping;
    options.keep_notes = kifu_keep_notes;
    for (uint32_t i = 0; i < FILES; i++)
        files[i] = log_of(small_tree_with(&options, i), go_around);
    for (unsigned long round = 0; round < rounds; round++) {
        const save *file = &files[kifu_rng_below(&rng, FILES)];
        frames frames = frames_of(file);
        const int at = 1 + (int)kifu_rng_below(&rng, (uint32_t)frames.count - 1);
        records records = records_of(&frames.all[at]);
        uint32_t size;
        for (uint32_t k = 1 + kifu_rng_below(&rng, CHANGES); k > 0; k--)
            change_records(&records, &rng, room[k - 1]);
        unsigned char *payload = payload_of_records(&records, &size);
        frames.all[at].payload = payload;
        frames.all[at].size = size;
        save bad = save_of_linked_frames(&frames, true);
        const uint32_t with = kifu_rng_below(&rng, 4);
        const kifu_options some = {.hash_interval = 3,
                                   .keep_variations = with & 1 ? kifu_keep_variations : NULL,
                                   .keep_notes = with & 2 ? kifu_keep_notes : NULL};
        kifu_timeline *lab;
        kifu_error error = {.message = ""};
        if (!kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, &some, &recovering, &lab, &error)) {
            use_tree(lab);
            loaded++;
        } else
            must_be(strlen(error.message) > 10);
        kifu_destroy(lab);
        free(payload);
        free(bad.bytes);
    }
    ck_assert_uint_gt(loaded, rounds / 50);
    for (uint32_t i = 0; i < FILES; i++)
        free(files[i].bytes);
}
END_TEST

// --- What it costs ---------------------------------------------------------------------------------------------------

static size_t appended(kifu_timeline *lab, const char *path)
{
    const size_t before = size_of(path);
    lab_must(lab, kifu_log_append(lab));
    return size_of(path) - before;
}

START_TEST(R07_an_undo_takes_40_bytes_and_a_switch_64_at_any_length)
{
    static const uint32_t lengths[] = {100, 1000, 8000};
    for (int i = 0; i < 3; i++) {
        char *folder = new_folder();
        const char *path = in_folder(folder, "log.kifu");
        kifu_timeline *lab = lab_new(&keeping);
        for (uint32_t k = 0; k < lengths[i]; k++)
            lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_go_to(lab, 0, 2, true));
        for (uint32_t k = 0; k < lengths[i]; k++)
            lab_must(lab, lab_play(lab, "-"));
        lab_must(lab, kifu_log_open(lab, path, NULL));
        for (int k = 0; k < 4; k++) {
            lab_must(lab, kifu_undo(lab));
            ck_assert_uint_le(appended(lab, path), 40);
        }
        lab_must(lab, kifu_redo(lab));
        ck_assert_uint_le(appended(lab, path), 40);
        for (uint32_t k = 0; k < 4; k++) {
            lab_must(lab, kifu_go_to(lab, k % 2, k < 2 ? KIFU_WHERE_LEFT : 1, true));
            ck_assert_uint_le(appended(lab, path), 64);
        }
        kifu_destroy(lab);
        remove_folder(folder);
    }
}
END_TEST

// How often a load of a log file with so many switches asks for memory.
static long load_of_switches(uint32_t switches)
{
    enum { EVENTS = 500, MANY = 1 << 30 };
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *lab = lab_new(&keeping), *loaded;
    for (uint32_t i = 0; i < EVENTS; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_go_to(lab, 0, 2, true));
    for (uint32_t i = 0; i < EVENTS; i++)
        lab_must(lab, lab_play(lab, "-"));
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (uint32_t i = 0; i < switches; i++) {
        lab_must(lab, kifu_go_to(lab, i % 2, i % 7 ? KIFU_WHERE_LEFT : 20 + i % 100, true));
        lab_must(lab, kifu_log_append(lab));
    }
    test_memory memory = {.until_failure = MANY};
    kifu_options options = keeping;
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    kifu_error error;
    ck_assert_msg(!kifu_load(&lab_rules, path, &options, &recovering, &loaded, &error), "%s", error.message);
    expect_same_tree(lab, loaded);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    remove_folder(folder);
    return MANY - memory.until_failure;
}

// A file of 16,000 switches over 40,000 events took 16 s before: each one remembered the chains on its way.
START_TEST(R07_a_load_of_many_switches_needs_no_memory_for_each)
{
    const long few = load_of_switches(100), many = load_of_switches(400), most = load_of_switches(1600);
    ck_assert_int_le(many, few + 10);
    ck_assert_int_le(most, few + 20);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R04_a_record_that_cannot_be_is_refused,
        R04_a_record_in_a_line_that_is_gone_is_refused,
        R04_a_commit_ends_with_the_hash_of_the_state,
        R04_records_with_right_checksums_and_wrong_contents_do_no_harm,
        R07_an_undo_takes_40_bytes_and_a_switch_64_at_any_length,
        R07_a_load_of_many_switches_needs_no_memory_for_each,
    };
    return run_suite("commits", tests, sizeof tests / sizeof *tests);
}
