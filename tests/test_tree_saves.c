// Variations in saves: what a game with a loaded tree does, a game that was never saved does as well.

#include <stdio.h>
#include <string.h>

#include "save_help.h"
#include "run_codec.h"
#include "suite.h"
#include "tree_help.h"

static const kifu_codec *const codecs[] = {NULL, &run_codec, &kifu_compact};
enum { CODECS = sizeof codecs / sizeof *codecs };

static kifu_timeline *load_tree(const save *save, const kifu_codec *codec)
{
    kifu_left_out left_out;
    const kifu_load_options how = {.codec = codec, .left_out = &left_out};
    kifu_timeline *lab = load_by(save, &keeping, &how);
    ck_assert_uint_eq(left_out.lines, 0);
    ck_assert_int_eq(left_out.why.result, KIFU_OK);
    return lab;
}

// --- A walk ----------------------------------------------------------------------------------------------------------

static kifu_timeline *save_and_load(kifu_timeline *lab, uint32_t choice)
{
    const kifu_codec *codec = codecs[choice % CODECS];
    save save = save_of(lab, &(kifu_save_options){.codec = codec, .without_snapshot = choice % 7 == 0});
    kifu_timeline *loaded = load_tree(&save, codec);
    kifu_destroy(lab);
    free(save.bytes);
    return loaded;
}

START_TEST(V09_a_loaded_tree_goes_on_as_one_that_was_never_saved)
{
    const unsigned long games = 1 + fuzz_steps(3000) / 150;
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        test_memory memory = {.until_failure = -1}; // of the one that is saved first
        kifu_options options = keeping;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        kifu_timeline *lab = lab_new(&keeping), *saved = lab_new(&options);
        for (int k = 0; k < 150; k++) {
            const uint32_t choice = next_random(&seed);
            const kifu_result one = walk_trees(lab, choice), other = walk_trees(saved, choice);
            ck_assert_msg(one == other, "game %lu, step %d: %s or %s", i, k, kifu_last_error(lab)->message,
                          kifu_last_error(saved)->message);
            expect_same_tree(lab, saved);
            if (next_random(&seed) % 6 == 0) {
                saved = save_and_load(saved, next_random(&seed));
                expect_same_tree(lab, saved);
            }
        }
        kifu_destroy(lab);
        kifu_destroy(saved);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// --- Whole saves -----------------------------------------------------------------------------------------------------

START_TEST(V06_every_kind_of_save_has_the_whole_tree)
{
    for (uint32_t i = 0; i < 4 * CODECS; i++) {
        kifu_timeline *lab = small_tree(i / CODECS), *loaded;
        save save = save_of(lab, &(kifu_save_options){.codec = codecs[i % CODECS]});
        loaded = load_tree(&save, codecs[i % CODECS]);
        expect_same_tree(lab, loaded);
        for (uint32_t id = 0; id < 4; id++) {
            lab_must(loaded, kifu_go_to(loaded, id, KIFU_WHERE_LEFT, true));
            lab_must(lab, kifu_go_to(lab, id, KIFU_WHERE_LEFT, true));
            expect_same_tree(lab, loaded);
        }
        kifu_destroy(lab);
        kifu_destroy(loaded);
        free(save.bytes);
    }
}
END_TEST

START_TEST(F94_a_line_in_which_nothing_was_undone_is_saved)
{
    static const char *const zero[] = {"+", "+", NULL}, *const one[] = {"-", NULL};
    kifu_timeline *lab = lab_new(&keeping);
    play_scripts(lab, zero);
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    play_scripts(lab, one);
    save save = save_of(lab, NULL);
    kifu_timeline *loaded = load_tree(&save, NULL);
    expect_same_tree(lab, loaded);
    kifu_destroy(lab);
    kifu_destroy(loaded);
    free(save.bytes);
}
END_TEST

START_TEST(V06_without_variations_a_load_has_the_current_line_and_counts_the_others)
{
    for (uint32_t i = 0; i < CODECS; i++) {
        kifu_timeline *lab = small_tree(2);
        save save = save_of(lab, &(kifu_save_options){.codec = codecs[i]});
        kifu_left_out left_out = {.lines = 77};
        kifu_timeline *loaded = load_with(&save, &(kifu_load_options){.codec = codecs[i], .left_out = &left_out});
        expect_same(lab, loaded);
        ck_assert_uint_eq(kifu_line_count(loaded), 1);
        ck_assert_uint_eq(left_out.lines, 3);
        kifu_destroy(lab);
        kifu_destroy(loaded);
        free(save.bytes);
    }
}
END_TEST

// The first commit has the path of the current line, and what waits there. All of them are needed by no save.
START_TEST(V06_the_first_commit_alone_is_a_save_of_the_current_line)
{
    for (uint32_t current = 0; current < 4; current++) {
        kifu_timeline *lab = small_tree(current);
        save save = save_of(lab, NULL);
        frames frames = frames_of(&save);
        const int first = find_frame(&frames, FRAME_COMMIT);
        records records = records_of(&frames.all[first]);
        frames.count = first + 1;
        insert_record(&records, records.count, RECORD_END, NULL, 0);
        struct save rest = save_of_records(&frames, first, &records);
        kifu_timeline *loaded = load_again(&rest);
        expect_same(lab, loaded);
        kifu_destroy(loaded);
        loaded = load_by(&rest, &keeping, NULL);
        expect_same(lab, loaded);
        kifu_line line;
        for (uint32_t i = 0; kifu_line_at(loaded, i, &line); i++)
            expect_same_line(lab, loaded, &line);
        ck_assert_uint_eq(kifu_current_line(loaded), kifu_current_line(lab));
        kifu_destroy(lab);
        kifu_destroy(loaded);
        free(save.bytes);
        free(rest.bytes);
    }
}
END_TEST

static void add(kifu_timeline *lab, int amount)
{
    lab_submit_p_add(lab, 0, amount);
    lab_must(lab, kifu_run(lab));
}

// This version of the game does not have the type with which line 1 begins. Line 2 branches off from it, and line 3
// from line 0.
START_TEST(V06_a_line_with_events_of_a_later_version_is_left_out)
{
    kifu_rules older = lab_rules;
    older.type_count = LAB_P_ADD - 1;
    kifu_options often = keeping;
    often.hash_interval = 1;
    kifu_timeline *lab = lab_new(&often), *loaded;
    lab_submit_e_add_player(lab, 0, 0x112233);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, lab_play(lab, "-"));
    lab_must(lab, kifu_undo(lab));
    add(lab, 1);
    add(lab, 2);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_go_to(lab, 0, 2, true));
    lab_must(lab, lab_play(lab, "++"));
    lab_must(lab, kifu_go_to(lab, 0, 3, true));
    for (uint32_t i = 0; i < CODECS; i++) {
        save save = save_of(lab, &(kifu_save_options){.codec = codecs[i]});
        kifu_error error;
        kifu_left_out left_out;
        const kifu_load_options how = {.codec = codecs[i], .left_out = &left_out};
        const kifu_result result =
            kifu_load_from_memory(&older, save.bytes, save.size, &keeping, &how, &loaded, &error);
        ck_assert_msg(!result, "%s", error.message);
        ck_assert_uint_eq(left_out.lines, 2);
        ck_assert_int_eq(left_out.why.result, KIFU_UNKNOWN_EVENT);
        ck_assert_ptr_nonnull(strstr(left_out.why.message, "lab.PAdd"));
        ck_assert_uint_eq(kifu_line_count(loaded), 2);
        kifu_line line;
        must_be(kifu_line_at(loaded, 1, &line) && line.id == 3 && line.from == 2 && line.count == 1);
        ck_assert_uint_eq(kifu_state_hash(lab), kifu_state_hash(loaded));
        lab_must(loaded, kifu_go_to(loaded, 3, 3, true));
        kifu_destroy(loaded);
        free(save.bytes);
    }
    // On the way to the current line: it keeps what that one shares. And nobody can compare what older rules give.
    add(lab, 5);
    lab_must(lab, kifu_go_to(lab, 3, 3, true));
    older.rules_version++;
    for (uint32_t i = 0; i < CODECS; i++) {
        save save = save_of(lab, &(kifu_save_options){.codec = codecs[i]});
        test_memory memory = {.until_failure = -1};
        kifu_options options = keeping;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        const kifu_load_options how = {.codec = codecs[i]};
        kifu_line line;
        ck_assert_int_eq(kifu_load_from_memory(&older, save.bytes, save.size, &options, &how, &loaded, NULL), KIFU_OK);
        ck_assert_uint_eq(kifu_line_count(loaded), 2);
        must_be(kifu_line_at(loaded, 0, &line) && line.id == 0 && line.count == 2 && !line.current);
        must_be(kifu_line_at(loaded, 1, &line) && line.id == 3 && line.count == 1 && line.current);
        lab_must(loaded, kifu_go_to(loaded, 0, KIFU_WHERE_LEFT, true));
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
        free(save.bytes);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(V06_a_game_of_one_line_is_saved_as_without_variations)
{
    kifu_options options = keeping;
    options.keep_variations = NULL;
    kifu_timeline *plain = rich_game(&options), *keeps = rich_game(&keeping);
    save one = save_of(plain, NULL), other = save_of(keeps, NULL);
    expect_same_bytes(&one, &other);
    kifu_destroy(plain);
    kifu_destroy(keeps);
    free(one.bytes);
    free(other.bytes);
}
END_TEST

START_TEST(V06_numbers_that_were_given_are_not_given_again)
{
    kifu_timeline *lab = small_tree(0);
    lab_must(lab, kifu_delete_line(lab, 3));
    save save = save_of(lab, NULL);
    kifu_timeline *loaded = load_tree(&save, NULL);
    expect_same_tree(lab, loaded);
    lab_must(loaded, kifu_go_to(loaded, 0, 2, true));
    lab_must(loaded, lab_play(loaded, "4"));
    ck_assert_uint_eq(kifu_current_line(loaded), 4);
    kifu_destroy(lab);
    kifu_destroy(loaded);
    free(save.bytes);
}
END_TEST

// A loaded segment lies in the file. Two lines part inside of it, and what is before them is forgotten.
START_TEST(V11_a_line_that_shares_a_loaded_segment_keeps_its_events)
{
    kifu_timeline *lab = lab_new(&keeping), *loaded;
    for (int i = 0; i < 20; i++)
        lab_must(lab, lab_play(lab, "+"));
    save save = save_of(lab, NULL);
    loaded = load_tree(&save, NULL);
    for (int i = 0; i < 2; i++) {
        kifu_timeline *each = i ? loaded : lab;
        lab_must(each, kifu_go_to(each, 0, 10, true));
        lab_must(each, lab_play(each, "-"));
        lab_must(each, kifu_undo(each));
        lab_must(each, kifu_forget(each, 10));
        lab_must(each, kifu_go_to(each, 0, 20, true));
    }
    expect_same_tree(lab, loaded);
    kifu_destroy(lab);
    kifu_destroy(loaded);
    free(save.bytes);
}
END_TEST

// --- Recovery --------------------------------------------------------------------------------------------------------

// Each line that is there is as it was, or what is left of it.
static void expect_part(kifu_timeline *lab, kifu_timeline *part)
{
    kifu_line line, was;
    expect_same(lab, part);
    for (uint32_t i = 0; kifu_line_at(part, i, &line); i++) {
        bool found = false;
        for (uint32_t k = 0; !found && kifu_line_at(lab, k, &was); k++)
            found = was.id == line.id;
        must_be(found && was.from == line.from && was.count >= line.count && was.current == line.current);
        expect_same_line(lab, part, &line);
    }
}

// How many lines a part of the save has.
static uint32_t lines_of_part(kifu_timeline *lab, const save *whole, size_t size)
{
    const save cut = {whole->bytes, size};
    kifu_timeline *part = load_by(&cut, &keeping, &(kifu_load_options){.recover = kifu_recover});
    expect_part(lab, part);
    const uint32_t lines = kifu_line_count(part);
    kifu_destroy(part);
    return lines;
}

START_TEST(V06_a_tree_that_was_cut_off_keeps_the_current_line)
{
    static const uint32_t way[] = {1, 2, 3, 2}; // Lines on the way to the current one.
    for (uint32_t i = 0; i < 4; i++) {
        kifu_timeline *lab = small_tree(i);
        save whole = save_of(lab, &(kifu_save_options){.without_schema = true});
        const frames frames = frames_of(&whole);
        const uint64_t behind = frames.all[find_frame(&frames, FRAME_COMMIT) + 1].offset;
        for (size_t size = (size_t)behind; size < whole.size; size++)
            ck_assert_uint_eq(lines_of_part(lab, &whole, size), way[i]);
        kifu_destroy(lab);
        free(whole.bytes);
    }
}
END_TEST

// A commit of a large tree ends when it has become long.
START_TEST(V06_a_large_tree_that_was_cut_off_keeps_whole_lines)
{
    enum { LINES = 3000 };
    kifu_timeline *lab = lab_new(&keeping);
    lab_must(lab, lab_play(lab, "+"));
    for (uint32_t i = 0; i < LINES; i++) {
        char script[16];
        snprintf(script, sizeof script, "%u", i);
        lab_must(lab, lab_play(lab, script));
        lab_must(lab, kifu_undo(lab));
    }
    save whole = save_of(lab, &(kifu_save_options){.without_schema = true});
    uint32_t lines = 1, commits = 0;
    for (uint64_t offset = FILE_HEAD; offset < whole.size;) {
        const save_frame frame = read_frame(whole.bytes, whole.size, &offset);
        if (frame.kind != FRAME_COMMIT)
            continue;
        if (commits++)
            ck_assert_uint_eq(lines_of_part(lab, &whole, (size_t)offset - 1), lines);
        const uint32_t more = lines_of_part(lab, &whole, (size_t)offset);
        ck_assert(more > lines || commits == 1);
        lines = more;
    }
    ck_assert_uint_ge(commits, 3);
    ck_assert_uint_eq(lines, LINES);
    kifu_destroy(lab);
    free(whole.bytes);
}
END_TEST

// --- Damage ----------------------------------------------------------------------------------------------------------

// `words` NULL: it loads.
static void expect_refused(const frames *frames, const char *words)
{
    save bad = save_of_frames(frames);
    kifu_timeline *timeline;
    kifu_error error;
    const kifu_result result =
        kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, &keeping, NULL, &timeline, &error);
    ck_assert_msg(result == (words ? KIFU_DAMAGED : KIFU_OK), "%s: %s", words, result ? error.message : "it loads");
    ck_assert_msg(!result || strstr(error.message, words), "'%s' is not in '%s'", words, error.message);
    kifu_stretch stretches[16];
    uint32_t count;
    if (!result) {
        must(timeline, lab_play(timeline, "+"));
        must(timeline, kifu_draw_tree(timeline, stretches, 16, &count, NULL));
    }
    kifu_destroy(timeline);
    free(bad.bytes);
}

// What follows from its first input still waits.
START_TEST(M08_V06_the_line_that_begins_is_named_and_no_other)
{
    kifu_timeline *lab = small_tree(2);
    must(lab, kifu_undo(lab));
    lab_do(lab, 0, "(7)(8)", 1);
    must(lab, kifu_step(lab));
    ck_assert_uint_eq(kifu_current_line(lab), 4);
    for (int begins = 1; begins >= 0; begins--) {
        save save = save_of(lab, &(kifu_save_options){.without_schema = true});
        const frames frames = frames_of(&save);
        int count = 0;
        for (int i = 0; i < 2; i++) {
            const records records = records_of(&frames.all[commit_at(&frames, i)]);
            for (int at = -1; (at = next_record(&records, at + 1, RECORD_BEGUN)) >= 0; count++)
                must_be(records.all[at].size == 1 && *records.all[at].body == 2); // It is the last, and left line 2.
        }
        ck_assert_int_eq(count, begins);
        lab_must(lab, kifu_run(lab));
        free(save.bytes);
    }
    kifu_destroy(lab);
}
END_TEST

typedef struct wrong_number {
    uint32_t current; // The line.
    int commit;       // 0 or 1,
    uint32_t kind;    // of the record,
    int which, field; // of those of the kind, and of its numbers.
    uint32_t value;
    const char *words; // NULL: it loads.
} wrong_number;

static void expect_wrong(kifu_timeline *lab, const wrong_number *wrong)
{
    unsigned char room[300];
    save save = save_of(lab, &(kifu_save_options){.without_schema = true});
    frames frames = frames_of(&save);
    save_frame *commit = &frames.all[commit_at(&frames, wrong->commit)];
    records records = records_of(commit);
    int at = find_record(&records, wrong->kind);
    for (int i = 0; i < wrong->which; i++)
        at = next_record(&records, at + 1, wrong->kind);
    ck_assert_int_ge(at, 0);
    set_number(&records.all[at], wrong->field, wrong->value, room);
    unsigned char *payload = payload_of_records(&records, &commit->size);
    commit->payload = payload;
    expect_refused(&frames, wrong->words);
    free(payload);
    free(save.bytes);
}

START_TEST(V06_trees_that_make_no_sense_are_refused)
{
    static const char nowhere[] = "branches off from events that are not there";
    static const wrong_number cases[] = {
        {0, 1, RECORD_BRANCH, 0, 0, 0, nowhere},
        {0, 1, RECORD_BRANCH, 0, 0, UINT32_MAX, nowhere},
        {0, 1, RECORD_BRANCH, 1, 0, 1, nowhere},
        {2, 0, RECORD_BRANCH, 1, 0, 1, nowhere},
        {0, 1, RECORD_BRANCH, 0, 1, 1, nowhere},
        {0, 1, RECORD_BRANCH, 0, 1, 9, nowhere},
        {2, 0, RECORD_BRANCH, 0, 1, 9, nowhere},
        {0, 1, RECORD_BRANCH, 0, 2, 100, nowhere},
        {2, 0, RECORD_BRANCH, 0, 2, 100, nowhere},
        {0, 1, RECORD_BRANCH, 1, 2, 1, nowhere}, // Line 1 begins behind the second event.
        {0, 1, RECORD_BRANCH, 1, 2, 2, nowhere},
        {0, 1, RECORD_LEFT, 0, 1, 1000, "is of events that are not there"},
        {0, 1, RECORD_LEFT, 0, 0, 9, "is of events that are not there"},
        {0, 1, RECORD_TIP, 0, 0, 9, "is of a line that is not there"},
        {0, 1, RECORD_TIP, 0, 0, UINT32_MAX, "is of a line that is not there"},
        {0, 0, RECORD_KEPT, 0, 0, 9, "is of a place that is not there"},
        {0, 0, RECORD_KEPT, 0, 1, 100, "is of a place that is not there"},
        {0, 0, RECORD_STAND, 0, 0, 1, "goes to a line that is not there"},
        {0, 0, RECORD_STAND, 0, 1, 7, "goes to events that are not there"},
        {0, 1, RECORD_STAND, 0, 0, 4, "goes to a line that is not there"},
        {0, 1, RECORD_STAND, 0, 1, 7, "goes to events that are not there"},
        {0, 1, RECORD_STAND, 0, 1, 2, NULL}, // It goes there.
        {2, 1, RECORD_STAND, 0, 0, 2, "does not come behind the events of its line"},
        {2, 1, RECORD_STAND, 0, 1, 1, "does not come behind the events of its line"},
        {2, 1, RECORD_STAND, 1, 1, 3, "does not come behind the events of its line"},
    };
    static const wrong_number tree[] = {
        {0, 1, RECORD_TREE, 0, 0, 2, NULL}, // Another one is the main line.
        {0, 1, RECORD_TREE, 0, 0, 9, "names a line that is not there"},
        {0, 1, RECORD_TREE, 0, 1, 3, "names a line that is not there"},
        {0, 1, RECORD_TREE, 0, 1, UINT32_MAX, "names a line that is not there"},
        {0, 1, RECORD_TREE, 0, 1, 9, NULL}, // More numbers were given.
    };
    static const wrong_number begun[] = {
        {2, 1, RECORD_BEGUN, 0, 0, 0, NULL}, // Another one was left for it,
        {2, 1, RECORD_BEGUN, 0, 0, 4, NULL}, // or it is unknown which.
        {2, 1, RECORD_BEGUN, 0, 0, UINT32_MAX, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *lab = small_tree(cases[i].current);
        expect_wrong(lab, &cases[i]);
        kifu_destroy(lab);
    }
    kifu_timeline *lab = small_tree(0);
    lab_must(lab, kifu_promote_line(lab, 3));
    for (size_t i = 0; i < sizeof tree / sizeof *tree; i++)
        expect_wrong(lab, &tree[i]);
    kifu_destroy(lab);
    lab = small_tree(2);
    must(lab, kifu_undo(lab));
    lab_do(lab, 0, "(7)(8)", 1);
    must(lab, kifu_step(lab));
    for (size_t i = 0; i < sizeof begun / sizeof *begun; i++)
        expect_wrong(lab, &begun[i]);
    kifu_destroy(lab);
}
END_TEST

START_TEST(V06_records_of_lines_in_wrong_places_are_refused)
{
    kifu_timeline *lab = small_tree(2);
    save save = save_of(lab, &(kifu_save_options){.without_schema = true});
    const frames all = frames_of(&save);
    const int first = commit_at(&all, 0), second = commit_at(&all, 1);
    const records path = records_of(&all.all[first]), rest = records_of(&all.all[second]);
    const int branch = next_record(&path, find_record(&path, RECORD_BRANCH) + 1, RECORD_BRANCH);
    const struct {
        int commit, remove, insert; // The number of a record, or -1,
        const record *what;
        const char *words;
    } cases[] = {
        {first, branch, -1, NULL, "does not come behind the events of its line"}, // Line 1 has those of line 2.
        {first, -1, 0, &path.all[branch], "branches off from events that are not there"},
        {second, find_record(&rest, RECORD_STAND), -1, NULL, "does not come behind the others"},
        {second, find_record(&rest, RECORD_BRANCH), -1, NULL, "does not come behind the others"},
        {second, -1, 0, &path.all[branch], "branches off from events that are not there"},
        {second, -1, 0, &(record){SKIPPED + 200, 5, (const unsigned char *)"later"}, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        records records = cases[i].commit == first ? path : rest;
        if (cases[i].remove >= 0)
            remove_record(&records, cases[i].remove);
        else
            insert_record(&records, cases[i].insert, cases[i].what->kind, cases[i].what->body, cases[i].what->size);
        frames frames = all;
        save_frame *commit = &frames.all[cases[i].commit];
        unsigned char *payload = payload_of_records(&records, &commit->size);
        commit->payload = payload;
        expect_refused(&frames, cases[i].words);
        free(payload);
    }
    frames later = all;
    insert_frame(&later, second, SKIPPED + 200, "later", 5);
    expect_refused(&later, NULL);
    kifu_destroy(lab);
    free(save.bytes);
}
END_TEST

// A thousand lines from one event, and as many, each from the one before.
START_TEST(V06_a_thousand_lines_are_loaded)
{
    for (int deep = 0; deep < 2; deep++) {
        kifu_timeline *lab = lab_new(&keeping);
        lab_must(lab, lab_play(lab, "+"));
        for (uint32_t i = 0; i < 1000; i++) {
            char script[16];
            snprintf(script, sizeof script, "%u", i);
            if (deep)
                lab_must(lab, lab_play(lab, "+"));
            lab_must(lab, lab_play(lab, script));
            lab_must(lab, kifu_undo(lab));
            if (deep)
                lab_must(lab, lab_play(lab, "-"));
        }
        save save = save_of(lab, NULL);
        kifu_timeline *loaded = load_tree(&save, NULL);
        ck_assert_uint_ge(kifu_line_count(loaded), 1000);
        expect_same_tree(lab, loaded);
        kifu_destroy(lab);
        kifu_destroy(loaded);
        free(save.bytes);
    }
}
END_TEST

static void walk_all(kifu_timeline *lab)
{
    kifu_line line;
    kifu_event event;
    for (uint32_t i = 0; kifu_line_at(lab, i, &line); i++) {
        for (uint32_t k = line.from; k < line.from + line.count; k++)
            must_be(kifu_line_event(lab, line.id, k, &event));
        (void)!kifu_go_to(lab, line.id, i % 2 ? KIFU_WHERE_LEFT : line.from + line.count, true);
        (void)!kifu_undo(lab);
        (void)!kifu_redo(lab);
    }
    kifu_stretch stretches[16];
    uint32_t count;
    (void)!kifu_draw_tree(lab, stretches, 16, &count, NULL);
    (void)!kifu_verify_replay(lab, NULL);
    save save = save_of(lab, NULL);
    free(save.bytes);
}

// Records of lines, of which other suites change more.
START_TEST(V06_hostile_trees_do_no_harm)
{
    enum { CHANGES = 3 };
    static unsigned char room[CHANGES][256];
    kifu_rng rng;
    kifu_timeline *labs[4];
    save saves[4];
    unsigned long loaded = 0;
    kifu_rng_seed(&rng, fuzz_seed(), 19);
    for (uint32_t i = 0; i < 4; i++) {
        labs[i] = small_tree(i);
        saves[i] = save_of(labs[i], &(kifu_save_options){.without_schema = true});
    }
    const unsigned long rounds = fuzz_steps(6000);
    for (unsigned long round = 0; round < rounds; round++) {
        const frames frames = frames_of(&saves[kifu_rng_below(&rng, 4)]);
        const int at = commit_at(&frames, (int)kifu_rng_below(&rng, 2));
        records records = records_of(&frames.all[at]);
        for (uint32_t k = 1 + kifu_rng_below(&rng, CHANGES); k > 0; k--)
            change_records(&records, &rng, room[k - 1]);
        save bad = save_of_records(&frames, at, &records);
        kifu_timeline *timeline;
        const kifu_load_options ways[] = {{.fast = true}, {.recover = kifu_recover}};
        if (!kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, &keeping, &ways[round % 2], &timeline, NULL)) {
            walk_all(timeline);
            loaded++;
        }
        kifu_destroy(timeline);
        free(bad.bytes);
    }
    ck_assert_uint_gt(loaded, rounds / 100);
    for (uint32_t i = 0; i < 4; i++) {
        kifu_destroy(labs[i]);
        free(saves[i].bytes);
    }
}
END_TEST

// The states at the ends of lines are sought, in memory that goes again.
// A line that is not left at its end, so that no hash is known of it, and does not end where one is recorded.
static kifu_timeline *left_before_its_end(test_memory *memory)
{
    static const char *const scripts[] = {"+", "u", "-", "-", "-", "-", "-", "-", "u", NULL};
    kifu_options options = keeping;
    options.hash_interval = 100;
    options.allocate = test_allocate;
    options.allocate_context = memory;
    kifu_timeline *lab = lab_started(&options);
    play_scripts(lab, scripts);
    lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
    return lab;
}

START_TEST(M08_V06_memory_may_end_while_a_save_looks_for_the_hash_of_a_line)
{
    bool failed = true;
    for (long fail = 0; failed; fail++) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *lab = left_before_its_end(&memory);
        unsigned char *bytes = NULL;
        size_t size;
        memory.until_failure = fail;
        const kifu_result result = kifu_save_to_memory(lab, NULL, &bytes, &size);
        failed = memory.failed;
        ck_assert_int_eq(result, failed ? KIFU_NO_MEMORY : KIFU_OK);
        kifu_free_bytes(lab, bytes);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// It is saved without its hash, and not executed by each save.
START_TEST(M08_V06_a_line_that_cannot_be_executed_is_saved)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = left_before_its_end(&memory), *loaded;
    kifu_line line;
    kifu_event event;
    long took[3];
    must_be(kifu_line_at(lab, 1, &line) && kifu_line_event(lab, 1, line.from + 1, &event));
    char *script = (char *)(uintptr_t)lab_p_do_script((const lab_p_do *)event.table);
    ck_assert_int_eq(*script, '-');
    *script = 'f'; // Its Do fails from now on.
    const kifu_error before = *kifu_last_error(lab);
    for (int i = 0; i < 3; i++) {
        const long calls = memory.calls;
        save save = save_of(lab, NULL);
        took[i] = memory.calls - calls;
        ck_assert_mem_eq(kifu_last_error(lab), &before, sizeof before);
        loaded = load_by(&save, &keeping, NULL);
        expect_same_tree(lab, loaded);
        kifu_destroy(loaded);
        free(save.bytes);
    }
    ck_assert_int_lt(took[1], took[0]);
    ck_assert_int_eq(took[2], took[1]);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// To execute it for the hash of its end takes too long. The first save finds that, with memory for a state.
START_TEST(M08_V06_a_long_line_is_looked_at_once)
{
    enum { LONG = 4200 };
    test_memory memory = {.until_failure = -1};
    kifu_options options = keeping;
    options.hash_interval = LONG + 10;
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    kifu_timeline *lab = lab_started(&options);
    long took[3];
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_undo(lab));
    for (int i = 0; i < LONG; i++)
        lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_undo(lab)); // If it is left at its end, the hash is known.
    lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
    for (int i = 0; i < 3; i++) {
        const long before = memory.calls;
        save save = save_of(lab, NULL);
        took[i] = memory.calls - before;
        free(save.bytes);
    }
    ck_assert_int_eq(took[1], took[0] - 1);
    ck_assert_int_eq(took[2], took[1]);
    kifu_destroy(lab);
}
END_TEST

START_TEST(V06_memory_may_end_while_a_tree_is_saved_for_the_first_time)
{
    for (uint32_t i = 0; i < 4; i++) {
        test_memory memory = {.failed = true};
        for (long fail = 0; memory.failed; fail++) {
            memory = (test_memory){.until_failure = -1};
            kifu_options options = keeping;
            options.allocate = test_allocate;
            options.allocate_context = &memory;
            kifu_timeline *lab = small_tree_with(&options, i);
            unsigned char *bytes = NULL;
            size_t size;
            memory.until_failure = fail;
            const kifu_result result = kifu_save_to_memory(lab, NULL, &bytes, &size);
            must_be(result == (memory.failed ? KIFU_NO_MEMORY : KIFU_OK));
            kifu_free_bytes(lab, bytes);
            kifu_destroy(lab);
            must_be(memory.blocks == 0);
        }
    }
}
END_TEST

START_TEST(V06_memory_may_end_while_a_tree_is_saved_or_loaded)
{
    for (uint32_t i = 0; i < 2; i++) {
        kifu_timeline *lab = small_tree(i), *loaded = NULL;
        save save = save_of(lab, NULL);
        for (long fail = 0; !loaded; fail++) {
            test_memory memory = {.until_failure = fail};
            kifu_options options = keeping;
            options.allocate = test_allocate;
            options.allocate_context = &memory;
            const kifu_result result =
                kifu_load_from_memory(&lab_rules, save.bytes, save.size, &options, NULL, &loaded, NULL);
            must_be(result == (memory.failed && !loaded ? KIFU_NO_MEMORY : KIFU_OK));
            if (memory.failed && loaded) { // Without a keyframe, all works.
                kifu_destroy(loaded);
                loaded = NULL;
            }
            must_be(loaded || memory.blocks == 0);
            if (!loaded)
                continue;
            for (long save_fail = 0; fail >= 0; save_fail++) {
                unsigned char *bytes;
                size_t size;
                memory.failed = false;
                memory.until_failure = save_fail;
                const kifu_result saved = kifu_save_to_memory(loaded, NULL, &bytes, &size);
                must_be(saved == (memory.failed ? KIFU_NO_MEMORY : KIFU_OK));
                memory.until_failure = -1;
                kifu_free_bytes(loaded, bytes);
                expect_same_tree(lab, loaded);
                if (!memory.failed)
                    break;
            }
            for (uint32_t id = 4; id-- > 0;) { // Each line is executed when it is entered.
                kifu_result went = KIFU_NO_MEMORY;
                for (long go_fail = 0; went; go_fail++) {
                    memory.failed = false;
                    memory.until_failure = go_fail;
                    went = kifu_go_to(loaded, id, KIFU_WHERE_LEFT, true);
                    must_be(!went || (went == KIFU_NO_MEMORY && memory.failed));
                    memory.until_failure = -1;
                    if (!went)
                        lab_must(lab, kifu_go_to(lab, id, KIFU_WHERE_LEFT, true));
                    expect_same_tree(lab, loaded);
                }
            }
            kifu_destroy(loaded);
            must_be(memory.blocks == 0);
        }
        kifu_destroy(lab);
        free(save.bytes);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V09_a_loaded_tree_goes_on_as_one_that_was_never_saved,
        V06_every_kind_of_save_has_the_whole_tree,
        F94_a_line_in_which_nothing_was_undone_is_saved,
        V06_without_variations_a_load_has_the_current_line_and_counts_the_others,
        V06_the_first_commit_alone_is_a_save_of_the_current_line,
        V06_a_line_with_events_of_a_later_version_is_left_out,
        V06_a_game_of_one_line_is_saved_as_without_variations,
        V06_numbers_that_were_given_are_not_given_again,
        V11_a_line_that_shares_a_loaded_segment_keeps_its_events,
        V06_a_tree_that_was_cut_off_keeps_the_current_line,
        V06_a_large_tree_that_was_cut_off_keeps_whole_lines,
        M08_V06_the_line_that_begins_is_named_and_no_other,
        V06_trees_that_make_no_sense_are_refused,
        V06_records_of_lines_in_wrong_places_are_refused,
        V06_a_thousand_lines_are_loaded,
        V06_hostile_trees_do_no_harm,
        M08_V06_memory_may_end_while_a_save_looks_for_the_hash_of_a_line,
        M08_V06_a_line_that_cannot_be_executed_is_saved,
        M08_V06_a_long_line_is_looked_at_once,
        V06_memory_may_end_while_a_tree_is_saved_for_the_first_time,
        V06_memory_may_end_while_a_tree_is_saved_or_loaded,
    };
    return run_suite("tree_saves", tests, sizeof tests / sizeof *tests);
}
