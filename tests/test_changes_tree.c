// Changes of a game with lines and notes: random games, and those who follow them.

#include <stdio.h>
#include <string.h>

#include "change_parts.h"
#include "history/lines.h"
#include "history/notes.h"
#include "log_file_help.h"
#include "suite.h"
#include "tree_help.h"

// --- Changes ---------------------------------------------------------------------------------------------------------

// The size of the changes.
static size_t follow_changes(kifu_timeline *from, kifu_timeline *to)
{
    const kifu_stream_position at = kifu_followed(to);
    kifu_changes changes = changes_since(from, &at);
    if (changes.size)
        lab_must(to, kifu_apply_changes(to, changes.bytes, changes.size));
    must_be(same_positions(kifu_followed(to), changes.until));
    free(changes.bytes);
    return changes.size;
}

static void follow_whole(kifu_timeline *from, kifu_timeline *to)
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

static void expect_same_notes(const kifu_timeline *one, const kifu_timeline *other)
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
static bool has_waiting(const record *record)
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
static bool is_compared(uint32_t kind)
{
    return kind != RECORD_EVENTS && kind != RECORD_HASHES;
}

static void list_commit(const save_frame *commit, const save_frame *segment, saved_records *saved)
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

static void list_records(const save *save, saved_records *saved)
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

static void expect_same_record(const saved_record *one, const saved_record *other)
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
static void expect_same_saves(kifu_timeline *one, kifu_timeline *other)
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

static kifu_result write_note(kifu_timeline *lab, uint32_t choice)
{
    kifu_line line;
    char text[12];
    const uint32_t id = pick_line(lab, choice >> 4, &line);
    const uint32_t event = (choice >> 12) % (line.from + line.count + 1) - 1;
    snprintf(text, sizeof text, "%u", (unsigned)(choice % 1000));
    return kifu_set_line_note(lab, id, event, keys[choice % 3], choice % 4 ? text : NULL);
}

static kifu_result walk_step(kifu_timeline *lab, uint32_t choice)
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
static void expect_follows(kifu_timeline *lab, const reader *reader)
{
    kifu_timeline *copy = reader->lab;
    expect_same_tree(lab, copy);
    if (reader->options->keep_notes && (reader->from < 0 || reader->from == 1))
        expect_same_notes(lab, copy);
    if (reader->options == &both)
        expect_same_saves(lab, copy);
}

// It goes on as the other one.
static void expect_goes_on(kifu_timeline *lab, const reader *reader, uint32_t seed)
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
static kifu_timeline *save_and_load(kifu_timeline *lab, const kifu_options *options)
{
    save save = save_of(lab, NULL);
    kifu_timeline *loaded = load_by(&save, options, NULL);
    kifu_destroy(lab);
    free(save.bytes);
    return loaded;
}

enum { READERS = 6 };

static void pass_to(kifu_timeline *lab, reader *all, int number, uint32_t choice)
{
    reader *reader = &all[number];
    kifu_timeline *from = reader->from < 0 ? lab : all[reader->from].lab;
    if (choice % 20 == 1 && reader->options->keep_notes)
        reader->lab = save_and_load(reader->lab, reader->options);
    if (choice % 20 == 0)
        follow_whole(from, reader->lab);
    else
        follow_changes(from, reader->lab);
    expect_follows(from, reader);
}

START_TEST(B04_changes_have_lines_and_notes)
{
    const unsigned long games = 1 + fuzz_steps(3000) / 150;
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        reader all[READERS] = {{&both, 1, -1, NULL},    {&both, 7, -1, NULL},      {&both, 3, 1, NULL},
                               {&keeping, 2, -1, NULL}, {&notes_only, 3, 1, NULL}, {&none, 2, -1, NULL}};
        kifu_timeline *lab = lab_new(&both);
        for (int k = 0; k < READERS; k++)
            all[k].lab = lab_new(all[k].options);
        for (int k = 0; k < 150; k++) {
            (void)walk_step(lab, next_random(&seed));
            for (int j = 0; j < READERS; j++) {
                if (next_random(&seed) % all[j].seldom == 0)
                    pass_to(lab, all, j, next_random(&seed));
            }
            if (k == 75) // Another stream begins.
                lab = save_and_load(lab, &both);
        }
        const int last = (int)(i % READERS);
        reader *reader = &all[last];
        kifu_timeline *from = reader->from < 0 ? lab : all[reader->from].lab;
        pass_to(lab, all, last, 2);
        expect_goes_on(from, reader, seed);
        for (int k = 0; k < READERS; k++)
            kifu_destroy(all[k].lab);
        kifu_destroy(lab);
    }
}
END_TEST

// The same bytes: of the game, of one that has followed commit by commit, and of one that got all of them at once.
START_TEST(R03_a_follower_by_commits_is_the_save_of_the_game)
{
    const unsigned long games = 1 + fuzz_steps(3000) / 150;
    char *folder = new_folder();
    const char *path = in_folder(folder, "leader.kifu");
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        kifu_timeline *lab = lab_new(&both), *each = lab_new(&both), *late = lab_new(&both), *whole = lab_new(&both);
        const bool logged = i % 2;
        if (logged)
            lab_must(lab, kifu_log_open(lab, path, NULL));
        follow_changes(lab, each);
        follow_changes(lab, late);
        for (int k = 0; k < 150; k++) {
            uint32_t choice;
            do
                choice = next_random(&seed);
            while (choice % 32 == 7 || choice % 32 == 6); // A transaction forgets hashes; and nothing is forgotten.
            (void)walk_step(lab, choice);
            follow_changes(lab, each);
            if (k % 15 != 14)
                continue;
            follow_changes(lab, late);
            follow_whole(lab, whole);
            save save = save_of(lab, NULL);
            kifu_timeline *loaded[2] = {load_by(&save, &both, NULL), NULL};
            const kifu_load_options recovering = {.recover = kifu_recover};
            if (logged)
                ck_assert_int_eq(kifu_load(&lab_rules, path, &both, &recovering, &loaded[1], NULL), KIFU_OK);
            kifu_timeline *all[] = {each, late, whole, loaded[0], loaded[1]};
            for (int n = 0; n < 2; n++) {
                struct save other = save_of(all[n], NULL);
                ck_assert_msg(save.size == other.size && !memcmp(save.bytes, other.bytes, save.size),
                              "game %lu, step %d, number %d: %zu and %zu bytes", i, k, n, save.size, other.size);
                free(other.bytes);
            }
            kifu_destroy(loaded[0]);
            kifu_destroy(loaded[1]);
            free(save.bytes);
        }
        kifu_destroy(lab), kifu_destroy(each), kifu_destroy(late), kifu_destroy(whole);
        (void)remove(path);
    }
    remove_folder(folder);
}
END_TEST

// A follower may have a log file of its own.
START_TEST(V09_a_log_file_of_a_follower_has_its_lines_and_notes)
{
    const unsigned long games = 1 + fuzz_steps(3000) / 150;
    char *folder = new_folder();
    const char *path = in_folder(folder, "follower.kifu");
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        kifu_timeline *lab = lab_new(&both), *copy = lab_new(&both), *loaded;
        lab_must(copy, kifu_log_open(copy, path, NULL));
        for (int k = 0; k < 100; k++) {
            for (uint32_t more = next_random(&seed) % 3; more > 0; more--)
                (void)walk_step(lab, next_random(&seed));
            if (k % 30 == 29)
                follow_whole(lab, copy);
            follow_changes(lab, copy);
            lab_must(copy, kifu_log_append(copy));
            if (k % 5)
                continue;
            kifu_recovery recovery;
            kifu_error error;
            const kifu_load_options ways = {.recover = kifu_recover, .recovery = &recovery};
            ck_assert_msg(!kifu_load(&lab_rules, path, &both, &ways, &loaded, &error), "%s", error.message);
            expect_same_tree(lab, loaded);
            expect_same_notes(lab, copy);
            expect_same_notes(lab, loaded);
            expect_same_saves(lab, loaded);
            kifu_destroy(loaded);
        }
        kifu_destroy(lab);
        kifu_destroy(copy);
        ck_assert_int_eq(remove(path), 0);
    }
    remove_folder(folder);
}
END_TEST

// A follower that has changed less than what it takes over: what it notes from then on is newer than all of that.
START_TEST(V09_a_log_file_has_notes_that_follow_a_whole_game)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "follower.kifu");
    kifu_timeline *lab = lab_new(&both), *copy = lab_new(&both), *loaded;
    lab_must(lab, lab_play(lab, "+"));
    for (int i = 0; i < 30; i++)
        lab_must(lab, kifu_set_note(lab, 0, i % 3 ? KIFU_NOTE_COMMENT : KIFU_NOTE_GLYPH, i % 2 ? "!" : "?"));
    lab_must(copy, kifu_log_open(copy, path, NULL));
    follow_whole(lab, copy);
    lab_must(copy, kifu_log_append(copy));
    for (int i = 0; i < 3; i++) {
        lab_must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, i % 2 ? "even" : "odd"));
        follow_changes(lab, copy);
        lab_must(copy, kifu_log_append(copy));
        kifu_error error;
        ck_assert_msg(
            !kifu_load(&lab_rules, path, &both, &(kifu_load_options){.recover = kifu_recover}, &loaded, &error), "%s",
            error.message);
        expect_same_notes(lab, copy);
        expect_same_notes(lab, loaded);
        kifu_destroy(loaded);
    }
    kifu_destroy(lab);
    kifu_destroy(copy);
    remove_folder(folder);
}
END_TEST

// --- One thing after the other ---------------------------------------------------------------------------------------

// Line 0 has three events. Line 1 begins behind the first one, and line 2 behind the second.
static kifu_timeline *three_lines(void)
{
    static const char *const scripts[] = {"+", "+", "+", "u", "u", "-", "-", NULL};
    kifu_timeline *lab = lab_new(&both);
    play_scripts(lab, scripts);
    lab_must(lab, kifu_go_to(lab, 0, 2, false));
    lab_must(lab, lab_play(lab, "2"));
    return lab;
}

START_TEST(B04_each_change_of_lines_and_notes_counts)
{
    kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
    uint64_t before, at;
    follow_changes(lab, copy);
    for (int i = 0; i < 8; i++) {
        before = kifu_change_count(lab);
        ck_assert_uint_eq(before, kifu_change_count(lab));
        if (i == 0)
            lab_must(lab, kifu_promote_line(lab, 2));
        else if (i == 1)
            lab_must(lab, kifu_go_to(lab, 1, 3, false));
        else if (i == 2)
            lab_must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "ready"));
        else if (i == 3)
            lab_must(lab, kifu_set_line_note(lab, 2, 2, KIFU_NOTE_GLYPH, "!"));
        else if (i == 4)
            lab_must(lab, kifu_set_line_note(lab, 2, 2, KIFU_NOTE_GLYPH, NULL));
        else if (i == 5)
            lab_must(lab, kifu_set_note_bytes(lab, 0, 2, "picture", "abc", 3));
        else if (i == 6)
            lab_must(lab, kifu_delete_line(lab, 2));
        else
            lab_must(lab, kifu_go_to(lab, 0, 1, false));
        ck_assert_msg(kifu_change_count(lab) > before, "step %d", i);
        at = kifu_change_count(lab);
        follow_changes(lab, copy);
        expect_follows(lab, &(reader){&both, 1, -1, copy});
        ck_assert_uint_eq(at, kifu_change_count(lab));
        lab_must(lab, kifu_promote_line(lab, i < 6 ? 2 : 0)); // It is.
        ck_assert_uint_eq(at, kifu_change_count(lab));
        ck_assert_uint_eq(follow_changes(lab, copy), 0);
    }
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// Notes that are removed travel, and what is too much is in the whole game.
START_TEST(B04_changes_have_notes_that_were_removed)
{
    kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
    char key[16], text[300] = "";
    memset(text, 'a', 250);
    for (int i = 0; i < 1500; i++) {
        snprintf(key, sizeof key, "%d", i);
        lab_must(lab, kifu_set_line_note(lab, i % 3 ? 1 : 0, (uint32_t)i % 3, key, key));
    }
    follow_changes(lab, copy);
    for (int i = 0; i < 1500; i += 1 + i % 5) {
        snprintf(key, sizeof key, "%d", i);
        lab_must(lab, kifu_set_line_note(lab, i % 3 ? 1 : 0, (uint32_t)i % 3, key, NULL));
        if (i == 600)
            follow_changes(lab, copy);
    }
    follow_changes(lab, copy);
    expect_follows(lab, &(reader){&both, 1, -1, copy});
    const kifu_stream_position at = kifu_followed(copy);
    for (int i = 0; i < 1500; i++) {
        snprintf(key, sizeof key, "%d", i);
        lab_must(lab, kifu_set_line_note(lab, i % 3 ? 1 : 0, (uint32_t)i % 3, key, text));
        free(changes_since(lab, &at).bytes);
    }
    kifu_changes changes = changes_since(lab, &at);
    ck_assert(changes.whole);
    free(changes.bytes);
    follow_changes(lab, copy);
    expect_follows(lab, &(reader){&both, 1, -1, copy});
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// A line that was begun and told is found to be another one, and gives its number to the next: a follower leaves a line
// that is gone, and its number is given anew.
START_TEST(B04_the_number_of_the_line_that_a_follower_left_is_given_anew)
{
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    lab_must(lab, lab_play(lab, "(+)"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    lab_must(lab, kifu_undo(lab));
    for (uint32_t i = 0; i < 3; i++) {
        lab_do(lab, 0, "(+)", 1);
        lab_must(lab, kifu_step(lab));
        ck_assert_uint_eq(kifu_current_line(lab), 2 + i); // Nothing says yet that it is line 0.
        follow_changes(lab, copy);
        lab_must(lab, kifu_run(lab));
        ck_assert_uint_eq(kifu_current_line(lab), 0);
        follow_changes(lab, copy);
        expect_follows(lab, &(reader){&both, 1, -1, copy});
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, i == 0 ? "3" : i == 1 ? "4" : "5"));
        ck_assert_uint_eq(kifu_current_line(lab), 2 + i);
        follow_changes(lab, copy);
        expect_follows(lab, &(reader){&both, 1, -1, copy});
        lab_must(lab, kifu_undo(lab));
    }
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// The same, and the follower's log file has it, whether it was appended meanwhile or not.
START_TEST(M08_V09_a_log_file_of_a_follower_has_numbers_that_are_given_anew)
{
    static const char *const moves[] = {"3", "4", "5"};
    const kifu_load_options recovering = {.recover = kifu_recover};
    char *folder = new_folder();
    const char *path = in_folder(folder, "follower.kifu");
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    lab_must(lab, lab_play(lab, "(+)"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    lab_must(copy, kifu_log_open(copy, path, NULL));
    for (int i = 0; i < 3; i++) {
        lab_must(lab, kifu_undo(lab));
        for (int step = 0; step < 4; step++) {
            if (step == 0) {
                lab_do(lab, 0, "(+)", 1);
                lab_must(lab, kifu_step(lab)); // A line begins,
            } else if (step == 1)
                lab_must(lab, kifu_run(lab)); // and turns out to be line 0.
            else if (step == 2)
                lab_must(lab, kifu_undo(lab));
            else
                lab_must(lab, lab_play(lab, moves[i]));
            follow_changes(lab, copy);
            if ((i + step) % 2 == 0 && step < 3)
                continue;
            lab_must(copy, kifu_log_append(copy));
            kifu_timeline *loaded;
            ck_assert_int_eq(kifu_load(&lab_rules, path, &both, &recovering, &loaded, NULL), KIFU_OK);
            expect_same_tree(lab, loaded);
            kifu_destroy(loaded);
        }
    }
    kifu_destroy(lab), kifu_destroy(copy);
    remove_folder(folder);
}
END_TEST

// The changes that give a number back are refused: then the line is in the log file nonetheless.
START_TEST(M08_V09_a_line_that_refused_changes_give_back_is_in_the_log_file)
{
    const kifu_load_options recovering = {.recover = kifu_recover};
    char *folder = new_folder();
    const char *path = in_folder(folder, "follower.kifu");
    for (int appended = 0; appended < 2; appended++) {
        kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both), *loaded;
        lab_must(lab, lab_play(lab, "(+)"));
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, "-"));
        lab_must(copy, kifu_log_open(copy, path, &(kifu_save_options){.overwrite = true}));
        lab_must(lab, kifu_undo(lab));
        follow_changes(lab, copy);
        lab_must(copy, kifu_log_append(copy));
        lab_do(lab, 0, "(+)", 1);
        lab_must(lab, kifu_step(lab));
        follow_changes(lab, copy);
        if (appended)
            lab_must(copy, kifu_log_append(copy));
        lab_must(lab, kifu_run(lab));
        const kifu_stream_position at = kifu_followed(copy);
        const kifu_changes changes = changes_since(lab, &at), bad = spoil_hash(&changes);
        ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_DIVERGED);
        for (int i = 0; i < 2; i++) {
            lab_must(copy, kifu_log_append(copy));
            ck_assert_int_eq(kifu_load(&lab_rules, path, &both, &recovering, &loaded, NULL), KIFU_OK);
            expect_same_tree(copy, loaded);
            kifu_destroy(loaded);
            if (!i)
                lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        }
        expect_same_tree(lab, copy);
        free(changes.bytes), free(bad.bytes);
        kifu_destroy(lab), kifu_destroy(copy);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(M08_B04_a_follower_without_lines_has_the_notes)
{
    kifu_timeline *lab = lab_started(&notes_only), *copy = lab_new(&notes_only);
    follow_changes(lab, copy);
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "before"));
    lab_must(lab, kifu_set_note(lab, 1, KIFU_NOTE_COMMENT, "one"));
    follow_changes(lab, copy);
    ck_assert_str_eq(kifu_note_at(copy, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT), "before");
    expect_same_notes(lab, copy);
    kifu_destroy(lab), kifu_destroy(copy);
}
END_TEST

// A game with one line pays nothing for lines or notes.
START_TEST(B04_a_game_without_variations_or_notes_says_nothing_of_them)
{
    const kifu_options keeps = {.keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes};
    kifu_timeline *one = lab_new(&none), *other = lab_new(&keeps), *first = lab_new(&none), *second = lab_new(&none);
    for (int i = 0; i < 30; i++) {
        ck_assert_uint_eq(follow_changes(one, first), follow_changes(other, second));
        ck_assert_uint_eq(kifu_change_count(one), kifu_change_count(other));
        lab_must(one, i % 4 == 3 ? kifu_undo(one) : i % 4 ? lab_play(one, "+(2)") : kifu_run(one));
        lab_must(other, i % 4 == 3 ? kifu_undo(other) : i % 4 ? lab_play(other, "+(2)") : kifu_run(other));
        if (i % 4 == 3) {
            lab_must(one, kifu_redo(one));
            lab_must(other, kifu_redo(other));
        }
    }
    kifu_destroy(one), kifu_destroy(other), kifu_destroy(first), kifu_destroy(second);
}
END_TEST

// --- What a follower did itself --------------------------------------------------------------------------------------

// The first event that differs, or KIFU_NONE; -1: it may do that.
static void expect_answer(kifu_timeline *lab, kifu_timeline *copy, int64_t event, int number)
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

START_TEST(R05_lines_that_the_changes_do_not_have_are_told)
{
    for (int i = 0; i < 9; i++) {
        kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
        int64_t event = -1;
        follow_changes(lab, copy);
        if (i == 0) { // A line began on both sides, the same,
            lab_must(copy, kifu_undo(copy));
            lab_must(copy, lab_play(copy, "3"));
            lab_must(lab, kifu_undo(lab));
            lab_must(lab, lab_play(lab, "3"));
            event = 2;
        } else if (i == 1) { // or another,
            lab_must(copy, kifu_undo(copy));
            lab_must(copy, lab_play(copy, "4"));
            lab_must(lab, kifu_undo(lab));
            lab_must(lab, lab_play(lab, "3"));
            event = 2;
        } else if (i == 2) { // or a longer one.
            lab_must(copy, kifu_go_to(copy, 1, 3, false));
            lab_must(copy, lab_play(copy, "3"));
            lab_must(lab, kifu_go_to(lab, 1, 3, false));
            lab_must(lab, lab_play(lab, "4"));
            event = 3;
        } else if (i == 3) { // The same goes on.
            lab_must(copy, kifu_go_to(copy, 1, 3, false));
            lab_must(copy, lab_play(copy, "3"));
            lab_must(lab, kifu_go_to(lab, 1, 3, false));
            lab_must(lab, lab_play(lab, "3"));
            lab_must(lab, lab_play(lab, "4"));
        } else if (i == 4) { // It was deleted here, and needed.
            lab_must(copy, kifu_delete_line(copy, 1));
            lab_must(lab, kifu_go_to(lab, 1, 3, false));
            event = KIFU_NONE;
        } else if (i == 5) // It went elsewhere.
            lab_must(copy, kifu_go_to(copy, 1, 3, false));
        else if (i == 6) { // Both deleted it.
            lab_must(copy, kifu_delete_line(copy, 1));
            lab_must(lab, kifu_delete_line(lab, 1));
            event = KIFU_NONE;
        } else if (i == 7) // It went where the other one goes.
            lab_must(copy, kifu_go_to(copy, 0, 1, false));
        else { // It has made another one the main line.
            lab_must(copy, kifu_promote_line(copy, 2));
            lab_must(lab, kifu_promote_line(lab, 1));
        }
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
        expect_answer(lab, copy, event, i);
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
}
END_TEST

START_TEST(V07_a_follower_may_write_notes_of_its_own)
{
    kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
    follow_changes(lab, copy);
    lab_must(copy, kifu_set_note(copy, 0, "mine", "here"));
    lab_must(copy, kifu_set_note(copy, 0, KIFU_NOTE_COMMENT, "bad"));
    lab_must(copy, kifu_set_line_note(copy, 1, 2, "mine", "there"));
    lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
    lab_must(lab, lab_play(lab, "+"));
    follow_changes(lab, copy);
    ck_assert_str_eq(kifu_note_at(copy, 0, "mine"), "here");
    ck_assert_str_eq(kifu_note_at(copy, 0, KIFU_NOTE_COMMENT), "good");
    kifu_note note;
    must_be(kifu_find_note(copy, 1, 2, "mine", &note));
    follow_whole(lab, copy);
    expect_follows(lab, &(reader){&both, 1, -1, copy}); // Now it has the game's.
    kifu_destroy(copy);
    const kifu_options few = {.keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes, .note_limit = 70};
    copy = lab_new(&few);
    ck_assert_int_eq(pass_on(lab, copy), KIFU_TOO_LARGE);
    must_say(copy, "take 75 bytes, but may take 70");
    ck_assert_uint_eq(kifu_event_count(copy), 0);
    lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, NULL));
    follow_changes(lab, copy);
    ck_assert_uint_eq(kifu_line_count(copy), 3);
    lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
    ck_assert_int_eq(pass_on(lab, copy), KIFU_TOO_LARGE);
    must_say(copy, "may take 70");
    ck_assert_ptr_null(kifu_note_at(copy, 0, KIFU_NOTE_COMMENT));
    kifu_destroy(copy);
    kifu_destroy(lab);
}
END_TEST

static size_t room_of_notes(const kifu_timeline *lab)
{
    return kifu__notes_of(lab)->used;
}

// With events that are replaced, and with a line that is deleted.
START_TEST(M08_V07_notes_that_a_follower_loses_take_no_room)
{
    for (int lines = 0; lines < 2; lines++) {
        const kifu_options *options = lines ? &both : &notes_only;
        kifu_timeline *lab = lab_started(options), *copy = lab_new(options);
        follow_changes(lab, copy);
        for (int i = 0; i < 3; i++) {
            lab_must(lab, lab_play(lab, i == 0 ? "+" : i == 1 ? "-" : "1"));
            lab_must(lab, kifu_set_note(lab, 1, KIFU_NOTE_COMMENT, "a note"));
            follow_changes(lab, copy);
            ck_assert_uint_gt(room_of_notes(copy), 0);
            lab_must(lab, kifu_undo(lab));
        }
        lab_must(lab, lab_play(lab, "2"));
        for (uint32_t id = 0; id < 3 && lines; id++)
            lab_must(lab, id ? kifu_delete_line(lab, id) : kifu_set_line_note(lab, 0, 1, KIFU_NOTE_COMMENT, NULL));
        follow_changes(lab, copy);
        expect_same_notes(lab, copy);
        ck_assert_uint_eq(room_of_notes(lab), 0);
        ck_assert_uint_eq(room_of_notes(copy), 0);
        kifu_destroy(lab), kifu_destroy(copy);
    }
}
END_TEST

START_TEST(M08_V07_notes_may_take_all_of_their_limit)
{
    kifu_timeline *lab = lab_started(&notes_only), *loaded;
    for (size_t less = 0; less < 2; less++) {
        kifu_options options = notes_only;
        kifu_timeline *copy;
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
        options.note_limit = room_of_notes(lab) - less;
        save save = save_of(lab, NULL);
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, save.bytes, save.size, &options, NULL, &loaded, NULL),
                         less ? KIFU_TOO_LARGE : KIFU_OK);
        kifu_destroy(loaded);
        free(save.bytes);
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, NULL));
        copy = lab_new(&options);
        follow_changes(lab, copy);
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
        ck_assert_int_eq(pass_on(lab, copy), less ? KIFU_TOO_LARGE : KIFU_OK);
        kifu_destroy(copy);
    }
    kifu_destroy(lab);
}
END_TEST

// --- Without memory, and from anywhere -------------------------------------------------------------------------------

// Something else waits where line 1 was left, or nothing does any more.
static void change_what_waits(kifu_timeline *lab, int32_t amount)
{
    lab_must(lab, kifu_go_to(lab, 1, 3, true));
    kifu_drop_inputs(lab);
    if (amount)
        lab_submit_p_add(lab, 0, amount);
    lab_must(lab, kifu_go_to(lab, 2, 3, true));
}

// Something of everything happens.
static void play_a_part(kifu_timeline *lab, uint32_t part)
{
    static const char *const scripts[] = {"3", "+(+)", "u", "4", NULL};
    if (part >= 5)
        change_what_waits(lab, part == 5 ? 6 : 0);
    lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
    lab_must(lab, kifu_set_line_note(lab, 1, 2, KIFU_NOTE_GLYPH, part ? NULL : "!"));
    if (part == 4)
        lab_must(lab, kifu_promote_line(lab, 1));
    if (part == 1)
        lab_must(lab, kifu_delete_line(lab, 1));
    play_scripts(lab, scripts);
    lab_must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, "event", "A game"));
    if (part == 4)
        lab_submit_p_add(lab, 0, 9); // It waits where the line is left.
    lab_must(lab, kifu_go_to(lab, part == 2 ? 1 : 0, part == 2 ? 3 : 1, false));
    lab_submit_p_add(lab, 0, 7);
}

// A follower without variations begins to keep them when the first line arrives. If memory ends then, it can go on
// later.
START_TEST(R04_memory_may_end_while_a_follower_begins_to_keep_variations)
{
    bool failed = true;
    for (long fail = 0; failed; fail++) {
        test_memory memory = {.until_failure = -1, .for_ever = true};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .hash_interval = 3};
        kifu_timeline *lab = lab_started(&(kifu_options){.hash_interval = 3}), *copy = lab_new(&options);
        lab_must(lab, lab_play(lab, "+"));
        follow_changes(lab, copy);
        lab_must(lab, kifu_keep_variations(lab));
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, "-"));
        const kifu_stream_position at = kifu_followed(copy);
        kifu_changes changes = changes_since(lab, &at);
        memory.until_failure = fail;
        const kifu_result result = kifu_apply_changes(copy, changes.bytes, changes.size);
        memory.until_failure = -1;
        failed = memory.failed;
        must_be(result == (failed ? KIFU_NO_MEMORY : KIFU_OK));
        if (failed)
            lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        free(changes.bytes);
        expect_same_tree(lab, copy);
        kifu_destroy(lab);
        kifu_destroy(copy);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

START_TEST(R04_memory_may_end_while_lines_and_notes_travel)
{
    for (uint32_t part = 0; part < 8; part++) {
        test_memory memory = {.until_failure = -1, .for_ever = part >= 4};
        kifu_options options = both;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        kifu_timeline *lab = three_lines(), *copy = lab_new(&options);
        lab_must(lab, kifu_set_line_note(lab, 1, 2, KIFU_NOTE_GLYPH, "?"));
        follow_changes(lab, copy);
        const kifu_stream_position at = kifu_followed(copy);
        save before = save_of(copy, NULL);
        play_a_part(lab, part % 4);
        kifu_changes changes = changes_since(lab, part % 4 == 3 ? NULL : &at);
        kifu_result result = KIFU_NO_MEMORY;
        for (long fail = 0; result; fail++) {
            memory.until_failure = fail;
            memory.failed = false;
            result = kifu_apply_changes(copy, changes.bytes, changes.size);
            memory.until_failure = -1;
            must_be(result == KIFU_OK || (memory.failed && result == KIFU_NO_MEMORY));
            if (result) {
                save after = save_of(copy, NULL);
                expect_same_bytes(&before, &after);
                must_be(same_positions(kifu_followed(copy), at));
                free(after.bytes);
            }
        }
        expect_follows(lab, &(reader){&both, 1, -1, copy});
        free(changes.bytes);
        kifu_stream_position told = {0};
        for (int again = 0; again < 2; again++) {
            result = KIFU_NO_MEMORY;
            for (long fail = 0; result; fail++) {
                memory.until_failure = fail;
                result = kifu_changes_since(copy, &told, &changes);
                memory.until_failure = -1;
                must_be(result == KIFU_OK || (result == KIFU_NO_MEMORY && !changes.bytes));
                kifu_free_bytes(copy, changes.bytes);
            }
            told = changes.until;
            if (!again) {
                lab_must(lab, lab_play(lab, "+"));
                follow_changes(lab, copy);
            }
        }
        expect_goes_on(lab, &(reader){&both, 1, -1, copy}, part);
        kifu_destroy(lab);
        kifu_destroy(copy);
        free(before.bytes);
        must_be(memory.blocks == 0);
    }
}
END_TEST

// A leader, one who follows it up to a place, the changes to there, and those of everything since.
typedef struct scene {
    kifu_timeline *lab, *copy;
    kifu_changes begin, good;
} scene;

static kifu_timeline *begin_following(const scene *scene, const kifu_options *options)
{
    kifu_timeline *copy = lab_new(options);
    lab_must(copy, kifu_apply_changes(copy, scene->begin.bytes, scene->begin.size));
    return copy;
}

static scene scene_of(const kifu_options *options, uint32_t part)
{
    scene scene = {.lab = three_lines()};
    lab_must(scene.lab, kifu_set_line_note(scene.lab, 1, 2, KIFU_NOTE_GLYPH, "?"));
    if (part >= 5)
        change_what_waits(scene.lab, 5);
    scene.begin = changes_since(scene.lab, NULL);
    scene.copy = begin_following(&scene, options);
    play_a_part(scene.lab, part);
    scene.good = changes_since(scene.lab, &scene.begin.until);
    return scene;
}

static void end_scene(const scene *scene)
{
    free(scene->begin.bytes);
    free(scene->good.bytes);
    kifu_destroy(scene->lab);
    kifu_destroy(scene->copy);
}

// The same changes, with other records in their last commit.
static kifu_changes with_last(const kifu_changes *changes, const records *records)
{
    change_parts parts = parts_of(changes->bytes, changes->size);
    uint32_t size;
    unsigned char *payload = payload_of_records(records, &size);
    parts.all[parts.count - 1] = (commit){payload + LINK_SIZE, size - LINK_SIZE};
    const kifu_changes made = changes_of(&parts);
    free(payload);
    return made;
}

// What is damaged is told as changes are, with advice that ends it, and with a byte of theirs.
static void expect_words(const kifu_error *error, size_t size)
{
    static const char ending[] = "; get them again";
    const char *advice = strstr(error->message, "; get ");
    ck_assert_uint_gt(strlen(error->message), 10);
    if (error->result != KIFU_DAMAGED && error->result != KIFU_NEWER_FORMAT && error->result != KIFU_UNKNOWN_EVENT)
        return;
    ck_assert_msg(!strncmp(error->message, "the changes are ", 16) && strstr(error->message, "nothing was changed") &&
                      advice && !strcmp(advice, ending),
                  "%s", error->message);
    ck_assert_msg(error->offset < size || error->offset == UINT64_MAX, "%s", error->message);
}

// Whether they were refused; then all is as it was.
static bool try_changes(kifu_timeline *copy, const kifu_changes *changes, const char *what)
{
    save before = save_of(copy, NULL);
    const kifu_stream_position at = kifu_followed(copy);
    const bool refused = kifu_apply_changes(copy, changes->bytes, changes->size) != KIFU_OK;
    if (refused) {
        const char *message = kifu_last_error(copy)->message;
        expect_words(kifu_last_error(copy), changes->size);
        save after = save_of(copy, NULL);
        ck_assert_msg(before.size == after.size && !memcmp(before.bytes, after.bytes, before.size), "%s: %s", what,
                      message);
        must_be(same_positions(kifu_followed(copy), at));
        free(after.bytes);
    }
    free(before.bytes);
    return refused;
}

enum { SHORTER, LONGER, GONE, TWICE, KINDS, BYTES = KINDS + RECORD_SHAPES + 2 };

static const unsigned char likely[] = {0, 1, 2, 3, 5, 90, 127, 255};

// `body` has the record's.
static void spoil_record(records *records, int at, uint32_t way, unsigned char *body)
{
    record *record = &records->all[at];
    record->body = body;
    if (way == SHORTER)
        record->size -= record->size != 0;
    else if (way == LONGER)
        record->size++;
    else if (way == GONE)
        memmove(record, record + 1, (size_t)(--records->count - at) * sizeof *record);
    else if (way == TWICE)
        insert_record(records, at, record->kind, body, record->size);
    else if (way < BYTES)
        record->kind = way - KINDS;
    else
        body[(way - BYTES) / sizeof likely] = likely[(way - BYTES) % sizeof likely];
}

// Each record of a commit: shorter, longer, gone, there twice, of another kind, and with each of its bytes changed.
START_TEST(R04_a_commit_with_any_wrong_record_is_taken_back)
{
    unsigned refused = 0, taken = 0;
    bool kinds[RECORD_SHAPES + 1] = {false};
    for (uint32_t part = 0; part < 7; part++) {
        scene scene = scene_of(&both, part);
        const change_parts parts = parts_of(scene.good.bytes, scene.good.size);
        const commit *last = &parts.all[parts.count - 1];
        const records all = records_in(last->records, last->records + last->size);
        for (int i = 0; i < all.count; i++) {
            const uint32_t size = all.all[i].size;
            kinds[all.all[i].kind] = true;
            for (uint32_t way = 0; way < BYTES + size * sizeof likely; way++) {
                unsigned char body[2000] = {0};
                records some = all;
                char what[100];
                ck_assert_uint_lt(size, sizeof body);
                memcpy(body, all.all[i].body, size);
                spoil_record(&some, i, way, body);
                snprintf(what, sizeof what, "part %u, record %d of kind %u, fault %u", (unsigned)part, i,
                         (unsigned)all.all[i].kind, (unsigned)way);
                kifu_changes bad = with_last(&scene.good, &some);
                const bool refuses = try_changes(scene.copy, &bad, what);
                free(bad.bytes);
                refused += refuses;
                taken += !refuses;
                if (refuses)
                    continue;
                use_tree(scene.copy); // It is another game that can be.
                kifu_destroy(scene.copy);
                scene.copy = begin_following(&scene, &both);
            }
        }
        expect_answer(scene.lab, scene.copy, -1, (int)part);
        end_scene(&scene);
    }
    for (uint32_t kind = RECORD_STAND; kind < RECORD_POSITION; kind++)
        ck_assert_msg(kinds[kind] || kind == RECORD_ACTIONS || kind == RECORD_CUT || kind == RECORD_RETURNED ||
                          kind == RECORD_BEGUN,
                      "no commit has a record of kind %u", (unsigned)kind);
    ck_assert_uint_gt(refused, taken);
}
END_TEST

// Right checksums, any records. The sanitizers watch.
START_TEST(R04_records_of_changes_with_right_checksums_and_wrong_contents_do_no_harm)
{
    enum { CHANGES = 3 };
    static unsigned char room[CHANGES][256];
    kifu_rng rng;
    unsigned long applied = 0, refused = 0;
    const unsigned long rounds = 40 + fuzz_steps(6000) / 4;
    kifu_rng_seed(&rng, fuzz_seed(), 17);
    for (unsigned long round = 0; round < rounds; round++) {
        const kifu_options *options = round % 7 == 6 ? &notes_only : &both;
        scene scene = scene_of(options, (uint32_t)(round % 4));
        bool refuses = true;
        for (int again = 0; again < 5 && refuses; again++) {
            const change_parts parts = parts_of(scene.good.bytes, scene.good.size);
            const commit *last = &parts.all[parts.count - 1];
            records records = records_in(last->records, last->records + last->size);
            for (uint32_t k = 1 + kifu_rng_below(&rng, CHANGES); k > 0; k--)
                change_records(&records, &rng, room[k - 1]);
            kifu_changes bad = with_last(&scene.good, &records);
            refuses = try_changes(scene.copy, &bad, "any records");
            free(bad.bytes);
            refused += refuses;
            applied += !refuses;
        }
        if (!refuses)
            use_tree(scene.copy);
        else if (options == &both) // After so many that were refused, the right ones are taken.
            expect_answer(scene.lab, scene.copy, -1, 0);
        end_scene(&scene);
    }
    ck_assert_msg(applied > rounds / 100 && refused > rounds / 4, "%lu applied, %lu refused", applied, refused);
}
END_TEST

// The same changes, but that the line that begins in them has another number.
static kifu_changes with_line(const kifu_changes *changes, uint32_t number)
{
    unsigned char room[300];
    change_parts parts = parts_of(changes->bytes, changes->size);
    commit *last = &parts.all[parts.count - 1];
    records records = records_in(last->records, last->records + last->size);
    const int at = find_record(&records, RECORD_BRANCH);
    ck_assert_int_ge(at, 0);
    set_number(&records.all[at], 0, number, room);
    unsigned char *payload = payload_of_records(&records, &last->size);
    last->records = payload + LINK_SIZE;
    last->size -= LINK_SIZE;
    const kifu_changes made = changes_of(&parts);
    free(payload);
    return made;
}

START_TEST(R04_a_line_for_whose_number_there_is_no_room_is_taken_back)
{
    static const uint32_t numbers[] = {0x7FFFFFFF, 0x7FFFFFFE, 0x1000000};
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    lab_must(lab, lab_play(lab, "+"));
    follow_changes(lab, copy);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    const kifu_stream_position at = kifu_followed(copy);
    const kifu_changes changes = changes_since(lab, &at);
    char *before = picture_of(copy);
    for (int i = 0; i < 3; i++) {
        const kifu_changes bad = with_line(&changes, numbers[i]);
        ck_assert_int_ne(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_OK);
        expect_picture(copy, before, "after a line without room");
        free(bad.bytes);
    }
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    expect_same_tree(lab, copy);
    free(before), free(changes.bytes);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// On its way to where the changes begin and back.
START_TEST(R04_a_follower_that_refuses_changes_elsewhere_leaves_each_line_where_it_was_left)
{
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    const uint32_t from = kifu_event_count(lab);
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_do(lab, 0, "+", 1); // It waits where the changes begin.
    follow_changes(lab, copy);
    lab_must(copy, kifu_go_to(copy, 0, from + 1, true));
    lab_must(copy, lab_play(copy, "-"));
    lab_must(lab, kifu_run(lab));
    const kifu_stream_position at = kifu_followed(copy);
    const kifu_changes changes = changes_since(lab, &at), bad = spoil_hash(&changes);
    ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_DIVERGED);
    ck_assert_uint_eq(kifu_current_line(copy), 1);
    lab_must(copy, kifu_go_to(copy, 0, KIFU_WHERE_LEFT, true));
    ck_assert_uint_eq(kifu_event_count(copy), from + 1);
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    ck_assert_uint_eq(kifu_state_hash(lab), kifu_state_hash(copy));
    free(changes.bytes), free(bad.bytes);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// --- Lines of one who has kept none ----------------------------------------------------------------------------------

// The last commit with one more record of a kind in front of its end, and a Stand where it stood.
static kifu_changes with_one_record(const kifu_changes *changes, uint32_t kind, const unsigned char *numbers,
                                    uint32_t count, uint32_t stand)
{
    const change_parts parts = parts_of(changes->bytes, changes->size);
    const commit *last = &parts.all[parts.count - 1];
    records records = records_in(last->records, last->records + last->size);
    const unsigned char place[] = {0, (unsigned char)stand};
    ck_assert_uint_eq(records.all[records.count - 1].kind, RECORD_HASH);
    insert_record(&records, records.count - 1, kind, numbers, count);
    insert_record(&records, records.count - 1, RECORD_STAND, place, sizeof place);
    return with_last(changes, &records);
}

// Whichever record is the only one of them: it does what it does to one who keeps lines, who also goes on as that one.
START_TEST(M08_B04_any_record_of_lines_makes_a_follower_keep_them)
{
    static const struct {
        uint32_t kind, count;
        unsigned char numbers[4];
        bool of_lines;
    } cases[] = {
        {RECORD_BRANCH, 3, {1, 0, 2}, true}, {RECORD_RETURNED, 1, {1}, true},       {RECORD_DELETED, 1, {1}, true},
        {RECORD_LEFT, 2, {0, 1}, true},      {RECORD_TREE, 2, {0, 2}, true},        {RECORD_BEGUN, 1, {0}, true},
        {RECORD_KEPT, 3, {0, 2, 0}, false},  {RECORD_NOTE, 4, {0, 1, 0, 0}, false}, {RECORD_HASHES, 0, {0}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *lab = lab_started(&none), *copies[2] = {lab_new(&none), lab_new(&keeping)};
        kifu_result results[2];
        lab_must(lab, lab_play(lab, "+"));
        follow_changes(lab, copies[0]);
        follow_changes(lab, copies[1]);
        lab_must(lab, lab_play(lab, "+"));
        const kifu_stream_position at = kifu_followed(copies[0]);
        const kifu_changes all = changes_since(lab, &at),
                           changes = with_one_record(&all, cases[i].kind, cases[i].numbers, cases[i].count,
                                                     kifu_event_count(lab));
        for (int k = 0; k < 2; k++) {
            results[k] = kifu_apply_changes(copies[k], changes.bytes, changes.size);
            lab_must(copies[k], kifu_undo(copies[k]));
            lab_must(copies[k], lab_play(copies[k], "-"));
        }
        ck_assert_msg(results[0] == results[1], "kind %u: %s", cases[i].kind, kifu_last_error(copies[0])->message);
        if (results[0])
            ck_assert_str_eq(kifu_last_error(copies[0])->message, kifu_last_error(copies[1])->message);
        if (cases[i].of_lines)
            expect_same_tree(copies[1], copies[0]);
        else
            ck_assert_uint_eq(kifu_line_count(copies[0]), 1);
        free(all.bytes), free(changes.bytes);
        kifu_destroy(lab), kifu_destroy(copies[0]), kifu_destroy(copies[1]);
    }
}
END_TEST

// It is not executed before the follower goes there: then its hashes are compared.
START_TEST(M08_B04_a_line_that_came_with_changes_is_compared_when_it_is_entered)
{
    for (int spoiled = 0; spoiled < 2; spoiled++) {
        kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
        for (int i = 0; i < 3; i++)
            lab_must(lab, lab_play(lab, "+"));
        follow_changes(lab, copy);
        lab_must(lab, kifu_go_to(lab, 0, 2, true));
        for (int i = 0; i < 6; i++)
            lab_must(lab, lab_play(lab, "-"));
        lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
        const kifu_stream_position at = kifu_followed(copy);
        const kifu_changes all = changes_since(lab, &at);
        const change_parts parts = parts_of(all.bytes, all.size);
        const commit *last = &parts.all[parts.count - 1];
        const records records = records_in(last->records, last->records + last->size);
        const int hashes = find_record(&records, RECORD_HASHES);
        ck_assert_int_gt(hashes, find_record(&records, RECORD_BRANCH));
        ((unsigned char *)(uintptr_t)records.all[hashes].body)[3] ^= (unsigned char)spoiled;
        const kifu_changes changes = changes_of(&parts);
        lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        ck_assert_int_eq(kifu_go_to(copy, 1, KIFU_WHERE_LEFT, true), spoiled ? KIFU_DIVERGED : KIFU_OK);
        free(all.bytes), free(changes.bytes);
        kifu_destroy(lab), kifu_destroy(copy);
    }
}
END_TEST

// No game gives the number of a line again that was deleted. Changes from elsewhere may: the lines stay in order.
START_TEST(M08_R04_a_line_with_a_number_between_others_is_listed_there)
{
    static const unsigned char line[] = {2, 0, 2};
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    kifu_line at;
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    for (int i = 0; i < 3; i++) {
        lab_must(lab, kifu_go_to(lab, 0, 2, true));
        lab_must(lab, lab_play(lab, i == 0 ? "-" : i == 1 ? "1" : "2"));
    }
    lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
    lab_must(lab, kifu_delete_line(lab, 2));
    follow_changes(lab, copy);
    lab_must(lab, lab_play(lab, "+"));
    const kifu_stream_position since = kifu_followed(copy);
    const kifu_changes all = changes_since(lab, &since),
                       changes = with_one_record(&all, RECORD_BRANCH, line, sizeof line, kifu_event_count(lab));
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    ck_assert_uint_eq(kifu_line_count(copy), 4);
    for (uint32_t i = 0; i < 4; i++) {
        must_be(kifu_line_at(copy, i, &at));
        ck_assert_uint_eq(at.id, i);
    }
    free(all.bytes), free(changes.bytes);
    kifu_destroy(lab), kifu_destroy(copy);
}
END_TEST

// A move looks for lines that begin with it in an index, which a line with a new number leaves as it is.
START_TEST(M08_R07_a_line_that_comes_behind_the_others_leaves_their_index)
{
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    for (uint32_t i = 1; i <= 2; i++) {
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, i == 1 ? "-" : "1"));
    }
    follow_changes(lab, copy);
    kifu__lines *lines = kifu__lines_of(copy);
    (void)kifu__line_same(copy, lines);
    ck_assert_ptr_nonnull(lines->buckets);
    const uint32_t *buckets = lines->buckets, indexed = lines->indexed;
    ck_assert_uint_gt(indexed, 0);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "2"));
    follow_changes(lab, copy);
    ck_assert_ptr_eq(lines->buckets, buckets);
    ck_assert_uint_eq(lines->indexed, indexed);
    expect_same_tree(lab, copy);
    kifu_destroy(lab), kifu_destroy(copy);
}
END_TEST

// --- What goes -------------------------------------------------------------------------------------------------------

// Line 1 leaves line 0 at its sixth event, and line 2 that one. The game stands in line 2.
static kifu_timeline *two_deep(void)
{
    static const char *const scripts[] = {"+", "+", "+", "+", "+", "u", "-", "-", "u", "1", NULL};
    kifu_timeline *lab = lab_started(&both);
    play_scripts(lab, scripts);
    ck_assert_uint_eq(kifu_current_line(lab), 2);
    return lab;
}

// Lines 2 and 1 go, and of line 0 what is behind its third event, on which they were.
START_TEST(M08_R04_a_follower_that_stands_behind_events_that_go_returns_there_if_they_stay)
{
    static const unsigned char two[] = {2}, one[] = {1}, third[] = {0, 3}, second[] = {0, 2};
    for (int way = 0; way < 3; way++) { // good; with another hash; cut off twice
        kifu_timeline *lab = two_deep(), *copy = lab_new(&both), *then = lab_started(&both);
        lab_must(then, lab_play(then, "+"));
        lab_must(then, lab_play(then, "+"));
        follow_changes(lab, copy);
        const kifu_stream_position at = kifu_followed(copy);
        const uint64_t hash = kifu_state_hash(then) ^ (way == 1);
        unsigned char end[sizeof hash];
        memcpy(end, &hash, sizeof hash);
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "something"));
        const kifu_changes changes = changes_since(lab, &at);
        records records = {.all = {{RECORD_DELETED, 1, two},
                                   {RECORD_DELETED, 1, one},
                                   {RECORD_STAND, 2, third},
                                   {RECORD_CUT, 0, NULL},
                                   {RECORD_HASH, sizeof end, end}},
                           .count = 5};
        if (way == 2) {
            insert_record(&records, 4, RECORD_STAND, second, sizeof second);
            insert_record(&records, 5, RECORD_CUT, NULL, 0);
        }
        const kifu_changes made = with_last(&changes, &records);
        const kifu_result result = kifu_apply_changes(copy, made.bytes, made.size);
        ck_assert_int_eq(result, way == 0 ? KIFU_OK : way == 1 ? KIFU_DIVERGED : KIFU_DAMAGED);
        if (way == 2)
            must_say(copy, "replaces events for a second time");
        if (result)
            lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, NULL));
        expect_same_tree(result ? lab : then, copy);
        while (!kifu_undo(copy))
            lab_must(result ? lab : then, kifu_undo(result ? lab : then));
        expect_same_tree(result ? lab : then, copy);
        while (!kifu_redo(copy))
            lab_must(result ? lab : then, kifu_redo(result ? lab : then));
        expect_same_tree(result ? lab : then, copy);
        free(changes.bytes), free(made.bytes);
        kifu_destroy(lab), kifu_destroy(copy), kifu_destroy(then);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B04_changes_have_lines_and_notes,
        R03_a_follower_by_commits_is_the_save_of_the_game,
        V09_a_log_file_of_a_follower_has_its_lines_and_notes,
        V09_a_log_file_has_notes_that_follow_a_whole_game,
        B04_each_change_of_lines_and_notes_counts,
        B04_changes_have_notes_that_were_removed,
        B04_the_number_of_the_line_that_a_follower_left_is_given_anew,
        M08_V09_a_log_file_of_a_follower_has_numbers_that_are_given_anew,
        M08_V09_a_line_that_refused_changes_give_back_is_in_the_log_file,
        M08_B04_a_follower_without_lines_has_the_notes,
        B04_a_game_without_variations_or_notes_says_nothing_of_them,
        R05_lines_that_the_changes_do_not_have_are_told,
        V07_a_follower_may_write_notes_of_its_own,
        M08_V07_notes_that_a_follower_loses_take_no_room,
        M08_V07_notes_may_take_all_of_their_limit,
        R04_memory_may_end_while_a_follower_begins_to_keep_variations,
        R04_memory_may_end_while_lines_and_notes_travel,
        R04_a_commit_with_any_wrong_record_is_taken_back,
        R04_records_of_changes_with_right_checksums_and_wrong_contents_do_no_harm,
        R04_a_line_for_whose_number_there_is_no_room_is_taken_back,
        R04_a_follower_that_refuses_changes_elsewhere_leaves_each_line_where_it_was_left,
        M08_B04_any_record_of_lines_makes_a_follower_keep_them,
        M08_B04_a_line_that_came_with_changes_is_compared_when_it_is_entered,
        M08_R04_a_line_with_a_number_between_others_is_listed_there,
        M08_R07_a_line_that_comes_behind_the_others_leaves_their_index,
        M08_R04_a_follower_that_stands_behind_events_that_go_returns_there_if_they_stay,
    };
    return run_suite("changes_tree", tests, sizeof tests / sizeof *tests);
}
