// The commits of log files: records that are as they should be but for one thing, with right checksums; and what an
// append costs.

#include <inttypes.h>

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
        {"has a record 'end' that is only in whole saves", KIFU_DAMAGED, RECORD_END, 0, {0}, {0}},
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

// Without variations, the reader may stand anywhere: its number of events must not begin again at 0.
START_TEST(R04_events_behind_the_last_that_a_game_can_have_are_refused)
{
    static const unsigned char end[] = {0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F};
    save file = log_of(lab_new(NULL), undo_twice);
    const frames frames = frames_of(&file);
    records records = records_of(&frames.all[frames.count - 1]);
    insert_record(&records, find_record(&records, RECORD_EVENTS), RECORD_STAND, end, sizeof end);
    save bad = with_records(&file, &records);
    kifu_timeline *loaded;
    kifu_error error = {.message = ""};
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, NULL, &recovering, &loaded, &error),
                     KIFU_DAMAGED);
    ck_assert_msg(strstr(error.message, "has more events than a game can have") != NULL, "%s", error.message);
    free(bad.bytes), free(file.bytes);
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
        save bad = save_of_frames(&frames);
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

// --- Records by hand -------------------------------------------------------------------------------------------------

static void play_thrice(kifu_timeline *lab)
{
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab));
    lab_must(lab, lab_play(lab, "+"));
}

// The body of a record, from its letter and numbers: `E` has one more "+", `G` and `H` have the hashes of the states
// after two and three of them, `X` has a wrong one. `F` has the first two "+", and their shape; `U` an unknown event.
static record record_by_hand(const char **text, const records *before, const records *last, unsigned char *room)
{
    static const char letters[] = "SECAQ.KBRDLTN.HPMIZ";
    static const unsigned char wrong[8] = {1}, unknown[] = {1, 1, 1, 200, 1, 2, 0, 4, 0, 1};
    const char letter = *(*text)++;
    unsigned char *end = room;
    while (**text && **text != ' ') {
        end = put_number(end, (uint32_t)strtoul(*text, (char **)(uintptr_t)text, 10));
        *text += **text == ',';
    }
    while (**text == ' ')
        ++*text;
    const records *from = letter == 'G' ? before : last;
    if (letter == 'X')
        return (record){RECORD_HASH, 8, wrong};
    if (letter == 'G' || letter == 'H')
        return (record){RECORD_HASH, 8, from->all[find_record(from, RECORD_HASH)].body};
    if (letter == 'U')
        return (record){RECORD_EVENTS, sizeof unknown, unknown};
    if (letter == 'F')
        return before->all[find_record(before, RECORD_EVENTS)];
    if (letter == 'E')
        return last->all[find_record(last, RECORD_EVENTS)];
    if (letter == 'A' || letter == 'I') {
        memset(end, 7, letter == 'A' ? 8 : 17);
        end += letter == 'A' ? 8 : 17;
    }
    const char *at = strchr(letters, letter);
    must_be(at != NULL);
    return (record){(uint32_t)(at - letters) + RECORD_STAND, (uint32_t)(end - room), room};
}

// What is loaded, or why nothing is.
static const char *load_made(const save *made, const kifu_options *options, kifu_load_options how)
{
    static char said[1000];
    kifu_timeline *lab;
    kifu_error error = {.message = ""};
    kifu_line line;
    kifu_left_out left_out;
    how.left_out = &left_out;
    if (kifu_load_from_memory(&lab_rules, made->bytes, made->size, options, &how, &lab, &error)) {
        uint64_t at = error.offset;
        must_be(error.result && error.message[0]);
        (void)sscanf(error.message, "the commit at byte %" SCNu64, &at);
        ck_assert_uint_eq(error.offset, at);
        snprintf(said, sizeof said, "%s", error.message);
    } else {
        int used = snprintf(said, sizeof said, "%u -%u of", kifu_event_count(lab), left_out.lines);
        for (uint32_t i = 0; kifu_line_at(lab, i, &line); i++)
            used += snprintf(said + used, sizeof said - (size_t)used, " %u:%u,%u+%u%s%s", line.id, line.parent,
                             line.from, line.count, line.main ? "m" : "", line.current ? "c" : "");
        for (uint32_t i = 0; kifu_line_at(lab, i, &line); i++) {
            if (kifu_go_to(lab, line.id, line.from + line.count, true))
                used += snprintf(said + used, sizeof said - (size_t)used, " %u is wrong", line.id);
        }
        use_tree(lab);
    }
    kifu_destroy(lab);
    return said;
}

// The file with these records in front of the last hash.
static const char *load_by_hand(const save *file, const char *text, const kifu_options *options, bool fast)
{
    static unsigned char room[40][40];
    const frames frames = frames_of(file);
    const records before = records_of(&frames.all[frames.count - 2]), last = records_of(&frames.all[frames.count - 1]);
    records with = last;
    for (int i = 0; *text; i++) {
        const record made = record_by_hand(&text, &before, &last, room[i]);
        insert_record(&with, with.count - 1, made.kind, made.body, made.size);
    }
    save made = with_records(file, &with);
    const char *said = load_made(&made, options, (kifu_load_options){.recover = kifu_recover, .fast = fast});
    free(made.bytes);
    return said;
}

#define NO_END "the save ends where there are no events"
#define NOT_AT_END "does not branch off from the end of the line before it"
#define UNKNOWN "does not know"
#define BEHIND_END "stands behind the end"
#define WRONG_HASH "another state than in the save"
#define NO_LINE "goes to a line that is not there"
#define NO_EVENTS "goes to events that are not there"
#define NO_PLACE "is of a place that is not there"
#define NOT_BEHIND "is behind the events of its line, or in front of them"
#define SHARED "replaces events that another line has"
#define LOGGED "is only in log files and changes"
#define BAD_FORK "branches off from events that are not there"
#define GIVEN "begins a line with a number that was given before"
#define FIRST_LATE "names the first line behind others"
#define FORK_BEHIND "begins behind the events of the other one"
#define NO_NUMBER "has a number that no line can have"
#define BAD_HASH "has a hash that does not come behind the others"
#define NOT_GIVEN "returns a number that was not given"
#define KEEPS "deletes a line that is not there, or from which another one branches off"
#define NOT_LEFT "is of events that are not there"
#define BAD_NAME "names a line that is not there"
#define LENGTH "has another length than it says"
#define GONE "is in a line that is gone"
#define BEGINS "begins a file"
#define WHOLE "is only in whole saves"
#define ONLY_LOGS "is only in log files"

// Behind three events of line 0; without variations, only what leads to the end is read.
START_TEST(R04_M08_records_by_hand_say_what_becomes_of_each_line)
{
    static const struct {
        const char *records, *lines, *plain;
    } cases[] = {
        {"", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"B1,0,1 E E S0,1 C S1,3", "3 -0 of 0:0,0+1m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 R1 S1,1", NO_LINE, NO_LINE},
        {"B1,0,1 D1 S1,1", NO_LINE, NO_LINE},
        {"S1,0", NO_LINE, NO_LINE},
        {"S2,0", NO_LINE, NO_LINE},
        {"B1,0,1 E E X R1 B1,0,1 E E", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E X S0,3 R1 B1,0,1 E E", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E S0,3 X S1,3 D1 S0,3", WRONG_HASH, WRONG_HASH},
        {"X S0,2 G S0,3", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"X S0,2 S0,3", WRONG_HASH, WRONG_HASH},
        {"X S0,2 C E", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"S0,2 X S0,3", WRONG_HASH, WRONG_HASH},
        {"S0,2 X C E", WRONG_HASH, WRONG_HASH},
        {"S0,2 X S0,1 C E E", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"B1,0,1 E E X S0,1 C S1,3", WRONG_HASH, WRONG_HASH},
        {"B1,0,1 E E X S0,3 H S1,3", "3 -0 of 0:0,0+3m 1:0,1+2c", WRONG_HASH},
        {"B1,0,2 E X S0,2 C S1,3", WRONG_HASH, WRONG_HASH},
        {"B1,0,2 E S0,2 X S1,3", WRONG_HASH, WRONG_HASH},
        {"B1,0,2 E S0,3 X S1,3", "3 -0 of 0:0,0+3m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E B2,1,2 E S0,1 C S1,2 C S2,3", "3 -0 of 0:0,0+1m 1:0,1+1 2:1,2+1c", "3 -2 of 0:0,0+3mc"},
        {"B1,0,1 E E B2,1,2 E S0,1 E", WRONG_HASH, WRONG_HASH},
        {"B1,0,1 E E B2,1,2 E S1,1 C", SHARED, WRONG_HASH},
        {"B1,0,1 E E S1,0 C S1,3", NOT_BEHIND, NOT_BEHIND},
        {"B1,0,1 E E S1,0 E S1,3", NOT_BEHIND, NOT_BEHIND},
        {"B1,0,2 S1,2 E", "3 -0 of 0:0,0+3m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,2 S0,2 E S1,2 E", "3 -0 of 0:0,0+3m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,2 S0,1 E S0,3", SHARED, NO_PLACE},
        {"B1,0,3 S0,3", "3 -0 of 0:0,0+3mc 1:0,3+0", "3 -1 of 0:0,0+3mc"},
        {"B1,0,4", BAD_FORK, FORK_BEHIND},
        {"B1,0,0", WRONG_HASH, WRONG_HASH},
        {"B1,1,0", BAD_FORK, FIRST_LATE},
        {"B0,0,0", BAD_FORK, GIVEN},
        {"B3,0,1 E E", "3 -0 of 0:0,0+3m 3:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B2,0,1 E E B1,0,1 S0,3", GIVEN, GIVEN}, // A number is never given again,
        {"B1,0,1 D1 B1,0,1 E E", GIVEN, GIVEN},
        {"T0,3 B2,0,1 E E", GIVEN, GIVEN}, // or too late,
        {"T0,3 B3,0,1 E E", "3 -0 of 0:0,0+3m 3:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"T0,3 R2 B2,0,1 E E", "3 -0 of 0:0,0+3m 2:0,1+2c", "3 -1 of 0:0,0+3mc"}, // unless it was returned.
        {"B2,0,1 E E S0,3 D2 R1 B1,0,1 E E", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B3,0,1 E E R2 S0,3", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"B1,0,1 R2 S0,3", "3 -0 of 0:0,0+3mc 1:0,1+0", "3 -1 of 0:0,0+3mc"},
        {"R1", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"R0", NOT_GIVEN, NO_LINE},
        {"B1,0,1 B2,1,1 S0,3", BAD_FORK, "3 -2 of 0:0,0+3mc"},
        {"B1,0,1 E B2,1,1 S0,3", BAD_FORK, "3 -2 of 0:0,0+3mc"},
        {"B1,0,1 E B2,1,2 D1 S0,3", KEEPS, "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E B2,1,2 D2 D1 S0,3", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"B1,0,1 E B2,1,2 D2 S1,1 E E", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E B2,1,2 S1,1 E E", SHARED, "3 -2 of 0:0,0+3mc"},
        {"B1,0,2 B2,0,1 S0,2 E", "3 -0 of 0:0,0+3mc 1:0,2+0 2:0,1+0", "3 -2 of 0:0,0+3mc"},
        {"B1,0,2 B2,0,1 D1 S0,2 E", "3 -0 of 0:0,0+3mc 2:0,1+0", "3 -1 of 0:0,0+3mc"},
        {"B1,0,2 B2,0,1 D1 D2 S0,0 E E E", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"B1,0,2 B2,0,1 S0,1 C", SHARED, WRONG_HASH},
        {"B1,0,1 B2,0,2 R2 S0,1 E E", "3 -0 of 0:0,0+3mc 1:0,1+0", "3 -1 of 0:0,0+3mc"},
        {"A3", WRONG_HASH, WRONG_HASH},
        {"A2", BAD_HASH, "3 -0 of 0:0,0+3mc"},
        {"A1", BAD_HASH, "3 -0 of 0:0,0+3mc"},
        {"A4", BAD_HASH, BAD_HASH},
        {"A3 A3", BAD_HASH, WRONG_HASH},
        {"S0,2 C A3 E", BAD_HASH, BAD_HASH},
        {"B1,0,1 E E A1", BAD_HASH, "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E A2", WRONG_HASH, WRONG_HASH},
        {"B1,0,1 E E A3", WRONG_HASH, WRONG_HASH},
        {"B1,0,1 E E A4", BAD_HASH, BAD_HASH},
        {"A3 B1,0,1 E E", "3 -0 of 0:0,0+3m 1:0,1+2c 0 is wrong", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E A2 S0,3", "3 -0 of 0:0,0+3mc 1:0,1+2", "3 -1 of 0:0,0+3mc"},
        {"S0,3 C", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"S0,2 C S0,3", NO_EVENTS, NO_PLACE},
        {"S0,4", NO_EVENTS, NO_PLACE},
        {"S0,4 C", NO_EVENTS, NOT_BEHIND},
        {"S0,3 E S0,3", "3 -0 of 0:0,0+4mc", "3 -0 of 0:0,0+4mc"},
        {"L0,3", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"L0,4", NOT_LEFT, "3 -0 of 0:0,0+3mc"},
        {"B1,0,1 E E L1,1 S1,3", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E L1,4", NOT_LEFT, "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E T1,2", "3 -0 of 0:0,0+3 1:0,1+2mc", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E T1,1", BAD_NAME, "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E T1,3", "3 -0 of 0:0,0+3 1:0,1+2mc", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E T2,3", BAD_NAME, "3 -1 of 0:0,0+3mc"},
        {"T0,1", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"T0,5 B5,0,1 E E", "3 -0 of 0:0,0+3m 5:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"T0,5 B4,0,1 E E", GIVEN, GIVEN},
        {"T0,0", BAD_NAME, "3 -0 of 0:0,0+3mc"},
        {"B1,0,1 E E T1,2 D1 S0,3", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"B1,0,1 E E B2,1,2 E T2,3 D2 S1,3", "3 -0 of 0:0,0+3 1:0,1+2mc", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E N0", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E N1", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E S0,3 N0", "3 -0 of 0:0,0+3mc 1:0,1+2", "3 -1 of 0:0,0+3mc"},
        {"K0,3,0", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"K0,4,0", NO_PLACE, "3 -0 of 0:0,0+3mc"},
        {"K0,0,0", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"B1,0,1 E E K1,1,0", NO_PLACE, "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E K1,2,0", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E K0,2,0", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E K2,2,0", NO_PLACE, "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E K1,4,0", NO_PLACE, "3 -1 of 0:0,0+3mc"},
        {"K0,2,1", LENGTH, LENGTH},
        {"P0,0,0,0,0,0,0,0,0,0,0,0,0", BEGINS, BEGINS},
        {"I0", WHOLE, WHOLE},
        {"M", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"M E", "lies outside its table", "lies outside its table"},
        {"Q0,0", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"Q0", LENGTH, LENGTH},
        {"S0", LENGTH, LENGTH},
        {"L0", LENGTH, LENGTH},
        {"L0,3,1", LENGTH, "3 -0 of 0:0,0+3mc"},
        {"T0", LENGTH, LENGTH},
        {"B1,0,1 E E R1,1", LENGTH, NO_LINE},
        {"B1,0,1 E E D1,1", LENGTH, NO_LINE},
        {"B1,0", LENGTH, LENGTH},
        {"D", LENGTH, LENGTH},
        {"R", LENGTH, LENGTH},
        {"B1,0,1 E E S1,0 E E E", NOT_BEHIND, NOT_BEHIND},
        {"B1,0,1 E E S1,0 C E E E", NOT_BEHIND, NOT_BEHIND},
        {"B1,0,1 E E S1,1 C E E", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,2,1 E E", BAD_FORK, NO_NUMBER},
        {"B1,0,2 E B2,1,1 E E", BAD_FORK, FORK_BEHIND},
        {"B1,0,1 E E B2,1,3 E S2,3", "3 -0 of 0:0,0+3m 1:0,1+2 2:1,3+1c", "3 -2 of 0:0,0+4mc"},
        {"B1,0,1 E E B2,1,3 E S2,4 C S2,3", "3 -0 of 0:0,0+3m 1:0,1+2 2:1,3+1c", "3 -2 of 0:0,0+4mc"},
        {"B1,0,1 E E B3,0,2 E D1 S3,3", "3 -0 of 0:0,0+3m 3:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E B2,0,2 E R1 B1,0,2 E", "3 -0 of 0:0,0+3m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E B2,0,2 E S1,3 R2 S1,3", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E E B2,0,2 E S1,3 D2 R2 S1,3", "3 -0 of 0:0,0+3m 1:0,1+2c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 E D1 B2,0,2 E", "3 -0 of 0:0,0+3m 2:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"B1,0,1 C", WRONG_HASH, WRONG_HASH},
        {"B1,0,1 A2 E E", BAD_HASH, BAD_HASH},
        {"B1,0,1 D1 C", GONE, NO_LINE},
        {"B1,0,1 D1 E", GONE, NO_LINE},
        {"A3 B1,0,3", WRONG_HASH, WRONG_HASH},
        {"B1,0,2 B2,0,1 D1 S0,1 E E", "3 -0 of 0:0,0+3mc 2:0,1+0", "3 -1 of 0:0,0+3mc"},
        {"B1,0,2 B2,0,1 D2 S0,1 C", SHARED, WRONG_HASH},
        {"B1,0,2 E S0,2 E S1,3", "3 -0 of 0:0,0+3m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"B2147483648,0,1", BAD_FORK, NO_NUMBER},
        {"B1,0,1 E E S0,4294967294 E S1,3", NO_EVENTS, "has more events than a game can have"},
        {"B1,0,1 E E S0,4294967293 E S1,3", NO_EVENTS, "3 -1 of 0:0,0+3mc"},
        {"T0,2147483648", BAD_NAME, "3 -0 of 0:0,0+3mc"},
        {"B1,0,1 E E R1 S0,3", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"B1,0,1 E E R1 B1,0,2 E", "3 -0 of 0:0,0+3m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
    };
    const kifu_options plain = {.hash_interval = 0}, options = {.keep_variations = kifu_keep_variations};
    save file = log_of(lab_new(NULL), play_thrice);
    for (size_t i = 0; i < 4 * (sizeof cases / sizeof *cases); i++) {
        const bool lines = i % 2;
        const char *expected = lines ? cases[i / 4].lines : cases[i / 4].plain;
        const char *said = load_by_hand(&file, cases[i / 4].records, lines ? &options : &plain, i % 4 > 1);
        ck_assert_msg(strstr(said, expected) != NULL, "%s %s: '%s', and not '%s'", cases[i / 4].records,
                      lines ? "with lines" : "without", said, expected);
    }
    free(file.bytes);
}
END_TEST

static const char *load_whole_by_hand(const save *file, const save *whole, const char *text,
                                      const kifu_options *options, bool fast)
{
    static unsigned char room[40][40];
    unsigned char *payloads[4];
    const frames logged = frames_of(file);
    const records before = records_of(&logged.all[logged.count - 2]), last = records_of(&logged.all[logged.count - 1]);
    frames frames = frames_of(whole);
    frames.count = 1;
    for (int i = 0; *text;) {
        records records = {.count = 0};
        for (; *text && *text != ';'; i++)
            records.all[records.count++] = record_by_hand(&text, &before, &last, room[i]);
        text += strspn(text, "; ");
        save_frame *frame = &frames.all[frames.count];
        frame->payload = payloads[frames.count - 1] = payload_of_records(&records, &frame->size);
        frame->kind = FRAME_COMMIT;
        frames.count++;
    }
    save made = pack_frames(&frames);
    const char *said = load_made(&made, options, (kifu_load_options){.codec = &kifu_compact, .fast = fast});
    while (--frames.count)
        free(payloads[frames.count - 1]);
    free(made.bytes);
    return said;
}

// Whole saves, commit by commit. Of other lines than the current one, what is unknown is left out.
START_TEST(R04_M08_whole_saves_by_hand_have_the_lines_that_they_name)
{
    static const struct {
        const char *records, *lines, *plain;
    } cases[] = {
        {"F E H Z", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"F E H", "it has no end", "it has no end"},
        {"F E Z", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"F E S0,2 Z", "2 -0 of 0:0,0+3mc", "2 -0 of 0:0,0+3mc"},
        {"F E S0,4 Z", NO_EVENTS, NO_END},
        {"F E H Z Z", BEHIND_END, BEHIND_END},
        {"F E H ; Z", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"F E H ; Z ; Z", "it goes on behind its end", "it goes on behind its end"},
        {"F E H ; S0,2 Z", "2 -0 of 0:0,0+3mc", "2 -0 of 0:0,0+3mc"},
        {"F E X Z", WRONG_HASH, WRONG_HASH},
        {"F E H X Z", WRONG_HASH, WRONG_HASH},
        {"F S0,2 G E X Z", WRONG_HASH, WRONG_HASH},
        {"F E H ; B1,0,1 E E S0,3 Z", "3 -0 of 0:0,0+3mc 1:0,1+2", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E E Z", "3 -0 of 0:0,0+3m 1:0,1+2c", NO_END},
        {"F E H ; B1,0,1 E E S0,4 Z", NO_EVENTS, NO_END},
        {"F B1,0,2 E H ; S0,2 E S1,3 Z", "3 -0 of 0:0,0+3m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"F B1,0,2 E H ; S0,2 E Z", "3 -0 of 0:0,0+3mc 1:0,2+1", NO_END},
        {"F B1,0,1 E E H Z", "3 -0 of 0:0,0+2m 1:0,1+2c", NOT_AT_END},
        {"F B1,1,2 E H Z", BAD_FORK, NOT_AT_END},
        {"F B1,0,2 B2,1,2 E H Z", BAD_FORK, "3 -2 of 0:0,0+3mc"},
        {"F B1,0,2 E B2,1,3 H Z", "3 -0 of 0:0,0+2m 1:0,2+1 2:1,3+0c", "3 -2 of 0:0,0+3mc"},
        {"F B1,0,2 E B2,0,3 H Z", BAD_FORK, NOT_AT_END},
        {"F B2,0,2 E H ; B1,0,1 E E S2,3 Z", "3 -0 of 0:0,0+2m 1:0,1+2 2:0,2+1c", "3 -2 of 0:0,0+3mc"},
        {"F B2,0,2 E H ; T0,3 S2,3 Z", "3 -0 of 0:0,0+2m 2:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"F B2,0,2 E H ; T2,3 S2,3 Z", "3 -0 of 0:0,0+2 2:0,2+1mc", "3 -1 of 0:0,0+3mc"},
        {"B2,2,0 F E H Z", "3 -0 of 2:2,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"B2,2,0 F E H ; B3,2,1 E E S2,3 Z", "3 -0 of 2:2,0+3mc 3:2,1+2", "3 -1 of 0:0,0+3mc"},
        {"B2,2,1 F E H Z", BAD_FORK, NOT_AT_END},
        {"B2,2,0 F E H ; B1,2,1 E E S2,3 Z", BAD_FORK, NO_NUMBER},
        {"B2,2,0 F B3,2,2 E H ; T3,4 S3,3 Z", "3 -0 of 2:2,0+2 3:2,2+1mc", "3 -1 of 0:0,0+3mc"},
        {"B0,0,0 F E H Z", BAD_FORK, NOT_AT_END},
        {"B2,2,0 B2,2,0 F E H Z", BAD_FORK, NOT_AT_END},
        {"F B0,0,2 E H Z", BAD_FORK, NOT_AT_END},
        {"F E H ; S0,2 C S0,2 Z", LOGGED, LOGGED},
        {"F E P0 H Z", ONLY_LOGS, ONLY_LOGS},
        {"F E H ; B1,0,1 E E I1 S0,3 Z", "3 -0 of 0:0,0+3mc 1:0,1+2", "3 -1 of 0:0,0+3mc"},
        {"F E H ; S0,3 I0 Z", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"F E H ; I1 S0,3 Z", "is of a line that is not there", "3 -0 of 0:0,0+3mc"},
        {"F B1,0,2 E H ; S0,2 E I0 S1,3 Z", "3 -0 of 0:0,0+3m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"F U Z", UNKNOWN, UNKNOWN},
        {"F E U Z", UNKNOWN, UNKNOWN},
        {"F E H ; B1,0,1 U S0,3 Z", "3 -1 of 0:0,0+3mc", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U S0,3 Z", "3 -1 of 0:0,0+3mc 1:0,1+1", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U E S0,3 Z", "3 -1 of 0:0,0+3mc 1:0,1+1", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 U Z", NO_END, NO_END},
        {"F E H ; B1,0,1 U B2,1,3 E S0,3 Z", "3 -2 of 0:0,0+3mc", "3 -2 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 U B2,1,1 E S0,3 Z", BAD_FORK, "3 -2 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U B2,1,2 E S0,3 Z", "3 -1 of 0:0,0+3mc 1:0,1+1 2:1,2+1", "3 -2 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U B2,1,3 E S0,3 Z", "3 -2 of 0:0,0+3mc 1:0,1+1", "3 -2 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U B2,1,2 E S0,3 T2,3 Z", "3 -1 of 0:0,0+3c 1:0,1+1 2:1,2+1m", "3 -2 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 U T1,2 S0,3 Z", "3 -1 of 0:0,0+3mc", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U T1,2 S0,3 Z", "3 -1 of 0:0,0+3c 1:0,1+1m", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 U B2,1,3 E T2,3 S0,3 Z", "3 -2 of 0:0,0+3mc", "3 -2 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U B2,1,4 E T2,3 S0,3 Z", "3 -2 of 0:0,0+3c 1:0,1+1m", "3 -2 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U B2,1,4 B3,2,5 T3,4 S0,3 Z", "3 -3 of 0:0,0+3c 1:0,1+1m", "3 -3 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U L1,2 S0,3 Z", "3 -1 of 0:0,0+3mc 1:0,1+1", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U L1,4 S0,3 Z", "3 -1 of 0:0,0+3mc 1:0,1+1", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 U L1,4 S0,3 Z", "3 -1 of 0:0,0+3mc", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E L1,3 S0,3 Z", NOT_LEFT, "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U K1,2,0 S0,3 Z", "3 -1 of 0:0,0+3mc 1:0,1+1", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U K1,4,0 S0,3 Z", "3 -1 of 0:0,0+3mc 1:0,1+1", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U S1,4 A4 I1 N1 S0,3 Z", "3 -1 of 0:0,0+3mc 1:0,1+1", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 U A2 S1,2 S0,3 Z", "3 -1 of 0:0,0+3mc", "3 -1 of 0:0,0+3mc"},
        {"F B1,0,2 E H ; S0,2 U S1,3 Z", "3 -1 of 0:0,0+2m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"F B1,0,2 E H ; S0,2 E U S1,3 Z", "3 -1 of 0:0,0+3m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"F B1,0,2 E H ; S0,2 U T0,2 N0 S1,3 Z", "3 -1 of 0:0,0+2m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"F B1,0,2 E H ; S0,2 U B2,0,3 E S1,3 Z", "3 -2 of 0:0,0+2m 1:0,2+1c", "3 -2 of 0:0,0+3mc"},
        {"F B1,0,2 E H ; S0,2 U L0,4 I0 S1,3 Z", "3 -1 of 0:0,0+2m 1:0,2+1c", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E E N0 S0,3 Z", "3 -0 of 0:0,0+3mc 1:0,1+2", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E E B2,1,2 N0 S0,3 Z", "3 -0 of 0:0,0+3mc 1:0,1+2 2:1,2+0", "3 -2 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E E S0,3 A3 Z", WRONG_HASH, WRONG_HASH},
        {"F A2 E H Z", WRONG_HASH, WRONG_HASH},
        {"F E A1 H Z", WRONG_HASH, WRONG_HASH},
        {"F E H ; B1,0,1 E E A2 S0,3 Z", "3 -0 of 0:0,0+3mc 1:0,1+2 1 is wrong", "3 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E E A1 S0,3 Z", BAD_HASH, "3 -1 of 0:0,0+3mc"},
        {"F E H ; T0,2 S0,3 Z", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"F E H ; T1,2 S0,3 Z", BAD_NAME, "3 -0 of 0:0,0+3mc"},
        {"P0 F E H Z", "is a log file that was not closed", "is a log file that was not closed"},
        {"Q1,0 F E H Z", "takes more events than wait", "takes more events than wait"},
        {"F E Q0,0 H Z", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"F E H ; K0,3,0 Z", "3 -0 of 0:0,0+3mc", "3 -0 of 0:0,0+3mc"},
        {"F E H ; K0,4,0 Z", NO_PLACE, "3 -0 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 E U S1,2 E S0,3 Z", "3 -1 of 0:0,0+3mc 1:0,1+2", "3 -1 of 0:0,0+3mc"},
        {"F B1,0,2 E H ; S0,2 Z", "2 -0 of 0:0,0+2mc 1:0,2+1", "2 -1 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 U B2,1,3 B2,2,3 S0,3 Z", BAD_FORK, "3 -2 of 0:0,0+3mc"},
        {"F E H ; B1,0,1 U B2147483648,1,3 S0,3 Z", BAD_FORK, NO_NUMBER},
        {"F E H ; B1,0,1 E B2,0,2 U B3,1,2 U S0,3 Z", "3 -2 of 0:0,0+3mc 1:0,1+1", "3 -3 of 0:0,0+3mc"},
        {"F E H ; S0,1 Z", "1 -0 of 0:0,0+3mc", "1 -0 of 0:0,0+3mc"},
    };
    const kifu_options plain = {.hash_interval = 0}, options = {.keep_variations = kifu_keep_variations};
    kifu_timeline *lab = lab_new(NULL);
    save whole = save_of(lab, &(kifu_save_options){.without_schema = true, .codec = &kifu_compact});
    save file = log_of(lab, play_thrice);
    for (size_t i = 0; i < 4 * (sizeof cases / sizeof *cases); i++) {
        const bool lines = i % 2;
        const char *expected = lines ? cases[i / 4].lines : cases[i / 4].plain;
        const char *said =
            load_whole_by_hand(&file, &whole, cases[i / 4].records, lines ? &options : &plain, i % 4 > 1);
        ck_assert_msg(strstr(said, expected) != NULL, "%s %s: '%s', and not '%s'", cases[i / 4].records,
                      lines ? "with lines" : "without", said, expected);
    }
    free(whole.bytes);
    free(file.bytes);
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
        R04_events_behind_the_last_that_a_game_can_have_are_refused,
        R04_a_record_in_a_line_that_is_gone_is_refused,
        R04_a_commit_ends_with_the_hash_of_the_state,
        R04_M08_records_by_hand_say_what_becomes_of_each_line,
        R04_M08_whole_saves_by_hand_have_the_lines_that_they_name,
        R04_records_with_right_checksums_and_wrong_contents_do_no_harm,
        R07_an_undo_takes_40_bytes_and_a_switch_64_at_any_length,
        R07_a_load_of_many_switches_needs_no_memory_for_each,
    };
    return run_suite("commits", tests, sizeof tests / sizeof *tests);
}
