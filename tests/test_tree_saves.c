// Variations in saves: what a game with a loaded tree does, a game that was never saved does as well.

#include <stdio.h>
#include <string.h>

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

// What an older reader makes of it: it skips these frames, and has nothing else.
START_TEST(V06_without_its_lines_a_save_is_that_of_the_current_line)
{
    for (uint32_t current = 0; current < 4; current++) {
        kifu_timeline *lab = small_tree(current);
        save save = save_of(lab, NULL);
        frames frames = frames_of(&save);
        for (int i = frames.count; i-- > 0;) {
            if (frames.all[i].kind == FRAME_LINE || frames.all[i].kind >= OF_LINE)
                remove_frame(&frames, i);
            else
                ck_assert_uint_le(frames.all[i].kind, FRAME_CHECKPOINTS);
        }
        struct save rest = save_of_linked_frames(&frames, true);
        kifu_timeline *loaded = load_again(&rest);
        expect_same(lab, loaded);
        ck_assert_uint_eq(save.bytes[8], PLAIN_VERSION);
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
        if (line.id == 0 && kifu_current_line(lab)) // It may have the events of lines that are missing.
            continue;
        for (uint32_t k = 0; !found && kifu_line_at(lab, k, &was); k++)
            found = was.id == line.id;
        must_be(kifu_line_count(part) == 1 || (found && was.from == line.from && was.count >= line.count));
        if (kifu_line_count(part) > 1)
            expect_same_line(lab, part, &line);
    }
}

START_TEST(V06_a_tree_that_was_cut_off_keeps_the_current_line_and_whole_others)
{
    for (uint32_t i = 0; i < 4; i++) {
        kifu_timeline *lab = small_tree(i), *part;
        save whole = save_of(lab, &(kifu_save_options){.without_schema = true});
        const frames frames = frames_of(&whole);
        const uint64_t first = frames.all[find_frame(&frames, FRAME_LINE)].offset;
        uint32_t lines = 0;
        for (size_t size = (size_t)first + 1; size < whole.size; size++) {
            const save cut = {whole.bytes, size};
            part = load_by(&cut, &keeping, &(kifu_load_options){.recover = kifu_recover});
            expect_part(lab, part);
            must_be(kifu_line_count(part) >= lines);
            lines = kifu_line_count(part);
            kifu_destroy(part);
        }
        ck_assert_uint_ge(lines, 3);
        kifu_destroy(lab);
        free(whole.bytes);
    }
}
END_TEST

// --- Damage ----------------------------------------------------------------------------------------------------------

enum { ID, PARENT, FROM, COUNT, FLAGS, NEXT, LEFT, BEFORE, TIP_HASH };

static void expect_refused(const frames *frames, kifu_result expected, const char *words)
{
    save bad = save_of_linked_frames(frames, true);
    kifu_timeline *timeline;
    kifu_error error;
    const kifu_result result =
        kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, &keeping, NULL, &timeline, &error);
    ck_assert_msg(result == expected, "%s: %s", words, result ? error.message : "it loads");
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

// Number of the frame that names a line.
static int frame_of_line(const frames *frames, uint32_t id)
{
    for (int i = 0; i < frames->count; i++) {
        const unsigned char *payload = frames->all[i].payload;
        if (frames->all[i].kind == FRAME_LINE && get32(payload + field_at(payload, get32(payload), ID)) == id)
            return i;
    }
    ck_abort_msg("line %u is not named", id);
}

// What follows from its first input still waits.
START_TEST(M08_V06_the_line_that_begins_is_named_and_no_other)
{
    enum { BEGINS = 4 };
    kifu_timeline *lab = small_tree(2);
    must(lab, kifu_undo(lab));
    lab_do(lab, 0, "(7)(8)", 1);
    must(lab, kifu_step(lab));
    ck_assert_uint_eq(kifu_current_line(lab), 4);
    save save = save_of(lab, &(kifu_save_options){.without_schema = true});
    const frames frames = frames_of(&save);
    for (uint32_t id = 0; id < 5; id++) {
        const unsigned char *payload = frames.all[frame_of_line(&frames, id)].payload;
        const uint32_t flags = field_at(payload, get32(payload), FLAGS);
        ck_assert_int_eq(flags && payload[flags] & BEGINS, id == 4);
    }
    kifu_destroy(lab);
    free(save.bytes);
}
END_TEST

START_TEST(V06_trees_that_make_no_sense_are_refused)
{
    static const struct {
        uint32_t current, line;
        int field;
        uint32_t value;
        const char *words;
    } cases[] = {
        {2, 1, ID, 2, "line 2 of the save, at byte"},
        {2, 1, ID, 3, "stands in the place of the one from which the line before it branches off"},
        {2, 1, ID, 2, "is there twice"},
        {0, 2, ID, 1, "is there twice"},
        {0, 1, ID, UINT32_MAX, "has a number that no line can have"},
        {0, 0, NEXT, UINT32_MAX, "has a number that no line can have"},
        {0, 2, PARENT, 9, "branches off from a line that was begun after it"},
        {2, 2, PARENT, 9, "branches off from a line that was begun after it"},
        {0, 2, PARENT, 2, "is the first one, and does not begin where the game does"},
        {2, 0, FROM, 1, "is the first one, and does not begin where the game does"},
        {2, 1, FROM, 100, "begins behind the place where another one branches off"},
        {0, 2, FROM, 100, "branches off behind the end of its parent"},
        {0, 2, FROM, 1, "branches off from events that its parent does not have"},
        {0, 3, ID, 7, NULL}, // It may have another number,
        {0, 3, PARENT, 2, "branches off from events that its parent does not have"},
        {0, 1, COUNT, 1, "events, and not 1"},
        {0, 1, COUNT, UINT32_MAX, "events, and not 4294967295"},
        {0, 0, COUNT, 9, "the current line of the save, line 0, has 6 events after 0, and not 9"},
        {2, 2, FROM, 1000, "begins behind its end"},
        {0, 1, LEFT, 1000, "was left behind its end"},
        {0, 3, FLAGS, 1, NULL}, // and be the main one, too.
        {0, 0, FLAGS, 4, NULL}, // None of these is a line that begins.
        {0, 1, FLAGS, 4, NULL},
        {3, 3, FLAGS, 5, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *lab = small_tree(cases[i].current);
        save save = save_of(lab, &(kifu_save_options){.without_schema = true});
        frames frames = frames_of(&save);
        unsigned char *payload = (unsigned char *)(uintptr_t)frames.all[frame_of_line(&frames, cases[i].line)].payload;
        set32(payload + field_at(payload, get32(payload), (uint32_t)cases[i].field), cases[i].value);
        expect_refused(&frames, cases[i].words ? KIFU_DAMAGED : KIFU_OK, cases[i].words ? cases[i].words : "");
        kifu_destroy(lab);
        free(save.bytes);
    }
}
END_TEST

START_TEST(V06_frames_of_lines_in_wrong_places_are_refused)
{
    kifu_timeline *lab = small_tree(2);
    save save = save_of(lab, &(kifu_save_options){.without_schema = true});
    const frames all = frames_of(&save);
    const int current = frame_of_line(&all, 2), one = frame_of_line(&all, 1), last = frame_of_line(&all, 3);
    frames some = all;
    const save_frame *events = &all.all[one + 1];
    ck_assert_uint_eq(events->kind, OF_LINE + FRAME_SEGMENT);
    insert_frame(&some, current, events->kind, events->payload, events->size);
    expect_refused(&some, KIFU_DAMAGED, "belongs to a line, and none was named");
    some = all;
    insert_frame(&some, current + 1, events->kind, events->payload, events->size);
    expect_refused(&some, KIFU_DAMAGED, "belongs to a line, and none was named");
    some = all;
    insert_frame(&some, one + 1, events->kind, events->payload, events->size);
    expect_refused(&some, KIFU_DAMAGED, "events, and not");
    some = all;
    remove_frame(&some, one + 1);
    expect_refused(&some, KIFU_DAMAGED, "the save has a checkpoint after");
    some = all;
    while (some.all[one].kind != FRAME_LINE || some.all[one].payload == all.all[one].payload)
        remove_frame(&some, one);
    expect_refused(&some, KIFU_DAMAGED, "stands in the place of the one from which");
    some = all;
    while (some.all[one].kind != FRAME_END)
        remove_frame(&some, one);
    expect_refused(&some, KIFU_DAMAGED, "the save has no line 1, from which the current one branches off");
    some = all;
    insert_frame(&some, last, OF_LINE + 200, "later", 5); // of a later Kifu
    expect_refused(&some, KIFU_OK, "");
    kifu_destroy(lab);
    free(save.bytes);
}
END_TEST

// A line of which the hashes are those of other states: nobody has executed it before it is entered.
START_TEST(V06_a_loaded_line_is_compared_when_it_is_entered)
{
    kifu_timeline *lab = small_tree(0);
    lab_must(lab, kifu_go_to(lab, 3, KIFU_WHERE_LEFT, true));
    lab_must(lab, kifu_go_to(lab, 0, 2, true));
    save save = save_of(lab, &(kifu_save_options){.without_schema = true});
    for (uint32_t line = 1; line < 4; line++) {
        frames frames = frames_of(&save);
        unsigned char *payload = (unsigned char *)(uintptr_t)frames.all[frame_of_line(&frames, line)].payload;
        unsigned char *hash = payload + field_at(payload, get32(payload), TIP_HASH);
        ck_assert_msg(get32(hash), "line %u has no hash", line);
        *hash ^= 1;
        struct save bad = save_of_linked_frames(&frames, true);
        kifu_timeline *loaded = load_tree(&bad, NULL);
        const uint64_t before = kifu_state_hash(loaded);
        ck_assert_int_eq(kifu_go_to(loaded, line, KIFU_WHERE_LEFT, true), KIFU_DIVERGED);
        char said[90];
        kifu_line left;
        for (uint32_t i = 0; kifu_line_at(loaded, i, &left) && left.id != line;)
            i++;
        const uint32_t compared = line < 3 ? 3 : 1; // There is a hash after every third event.
        snprintf(said, sizeof said, "one of the events %u to %u of line %u leads to another state than in the save.",
                 compared, left.from + left.count - 1, line);
        must_say(loaded, said);
        expect_same_tree(lab, loaded);
        ck_assert_uint_eq(kifu_state_hash(loaded), before);
        lab_must(loaded, kifu_go_to(loaded, line % 3 + 1, KIFU_WHERE_LEFT, true));
        kifu_destroy(loaded);
        free(bad.bytes);
        *hash ^= 1;
    }
    kifu_destroy(lab);
    free(save.bytes);
}
END_TEST

// The same where it is entered because its first move is made.
START_TEST(M08_a_loaded_line_is_compared_when_its_move_is_made)
{
    static const char *const zero[] = {"+", "+", NULL}, *const one[] = {"-", "+", "-", "+", NULL};
    kifu_timeline *lab = lab_new(&keeping);
    play_scripts(lab, zero);
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    play_scripts(lab, one);
    lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
    save save = save_of(lab, &(kifu_save_options){.without_schema = true});
    frames frames = frames_of(&save);
    unsigned char *payload = (unsigned char *)(uintptr_t)frames.all[frame_of_line(&frames, 1)].payload;
    unsigned char *hash = payload + field_at(payload, get32(payload), TIP_HASH);
    ck_assert(get32(hash));
    *hash ^= 1;
    struct save bad = save_of_linked_frames(&frames, true);
    kifu_timeline *loaded = load_tree(&bad, NULL);
    lab_must(loaded, kifu_go_to(loaded, 0, 1, true));
    const kifu_result played = lab_play(loaded, "-");
    ck_assert_int_eq(played ? played : kifu_run(loaded), KIFU_DIVERGED);
    must_say(loaded, "of line 1 leads to another state than in the save.");
    kifu_destroy(lab);
    kifu_destroy(loaded);
    free(save.bytes);
    free(bad.bytes);
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

START_TEST(V06_hostile_trees_do_no_harm)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    kifu_timeline *labs[4];
    save saves[4];
    unsigned long loaded = 0;
    for (uint32_t i = 0; i < 4; i++) {
        labs[i] = small_tree(i);
        saves[i] = save_of(labs[i], &(kifu_save_options){.without_schema = true});
    }
    const unsigned long rounds = fuzz_steps(6000);
    for (unsigned long round = 0; round < rounds; round++) {
        const save *from = &saves[next_random(&seed) % 4];
        save copy = {(unsigned char *)malloc(from->size), from->size};
        memcpy(copy.bytes, from->bytes, from->size);
        frames frames = frames_of(&copy);
        const int first = find_frame(&frames, FRAME_LINE);
        for (uint32_t k = 1 + next_random(&seed) % 3; k > 0; k--) {
            const int at = first + (int)(next_random(&seed) % (uint32_t)(frames.count - first));
            save_frame *frame = &frames.all[at];
            unsigned char *payload = (unsigned char *)(uintptr_t)frame->payload;
            const uint32_t what = next_random(&seed) % 8;
            if (what == 0 && frames.count < MOST_FRAMES)
                insert_frame(&frames, first + (int)(next_random(&seed) % (uint32_t)(frames.count - first)), frame->kind,
                             frame->payload, frame->size);
            else if (what == 1 && at + 1 < frames.count)
                remove_frame(&frames, at);
            else if (what == 2)
                frame->kind ^= OF_LINE;
            else if (what == 3)
                set32(payload + next_random(&seed) % (frame->size / 4) * 4, next_random(&seed) % 12);
            else if (frame->size)
                payload[next_random(&seed) % frame->size] ^= (unsigned char)(1 << next_random(&seed) % 8);
        }
        save bad = save_of_linked_frames(&frames, true);
        kifu_timeline *timeline;
        const kifu_load_options ways[] = {{.fast = true}, {.recover = kifu_recover}};
        if (!kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, &keeping, &ways[round % 2], &timeline, NULL)) {
            walk_all(timeline);
            loaded++;
        }
        kifu_destroy(timeline);
        free(bad.bytes);
        free(copy.bytes);
    }
    ck_assert_uint_gt(loaded, rounds / 100);
    for (uint32_t i = 0; i < 4; i++) {
        kifu_destroy(labs[i]);
        free(saves[i].bytes);
    }
}
END_TEST

// The states at the ends of lines are sought, in memory that goes again.
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
        V06_without_its_lines_a_save_is_that_of_the_current_line,
        V06_a_line_with_events_of_a_later_version_is_left_out,
        V06_a_game_of_one_line_is_saved_as_without_variations,
        V06_numbers_that_were_given_are_not_given_again,
        V11_a_line_that_shares_a_loaded_segment_keeps_its_events,
        V06_a_tree_that_was_cut_off_keeps_the_current_line_and_whole_others,
        M08_V06_the_line_that_begins_is_named_and_no_other,
        V06_trees_that_make_no_sense_are_refused,
        V06_frames_of_lines_in_wrong_places_are_refused,
        V06_a_loaded_line_is_compared_when_it_is_entered,
        M08_a_loaded_line_is_compared_when_its_move_is_made,
        V06_a_thousand_lines_are_loaded,
        V06_hostile_trees_do_no_harm,
        V06_memory_may_end_while_a_tree_is_saved_for_the_first_time,
        V06_memory_may_end_while_a_tree_is_saved_or_loaded,
    };
    return run_suite("tree_saves", tests, sizeof tests / sizeof *tests);
}
