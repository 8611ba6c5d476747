// News of a game with lines and notes: random games, and those who follow them.

#include <stdio.h>
#include <string.h>

#include "log_file_help.h"
#include "news_help.h"
#include "suite.h"
#include "tree_help.h"

// --- News ------------------------------------------------------------------------------------------------------------

// The size of the news.
static size_t must_pass_on(kifu_timeline *from, uint64_t *change, kifu_timeline *to)
{
    news news = news_since(from, *change);
    lab_must(to, kifu_apply_news(to, news.bytes, news.size));
    free(news.bytes);
    *change = kifu_change_count(from);
    return news.size;
}

// --- Comparing -------------------------------------------------------------------------------------------------------

static const kifu_options both = {
    .hash_interval = 3, .keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes};
static const kifu_options lines_only = {.keep_variations = kifu_keep_variations};
static const kifu_options notes_only = {.keep_notes = kifu_keep_notes};

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

// Those of the current line, in a timeline that has no other.
static void expect_notes_of_line(const kifu_timeline *one, const kifu_timeline *other)
{
    uint32_t count = 0, found = 0;
    kifu_note note = {0};
    for (uint32_t event = KIFU_BEFORE_FIRST; event + 1 <= one->log.branch->end; event++) {
        for (int key = 0; key < 3; key++) {
            const char *here = kifu_note_at(one, event, keys[key]);
            ck_assert_pstr_eq(here, kifu_note_at(other, event, keys[key]));
            count += here != NULL;
        }
    }
    while (kifu_next_note(other, &note))
        found++;
    ck_assert_uint_eq(count, found);
}

// Segments may be others, and a timeline forgets some hashes in transactions.
static bool is_compared(uint32_t kind)
{
    kind &= ~(uint32_t)OF_LINE;
    return kind != FRAME_SEGMENT && kind != FRAME_CHECKPOINTS;
}

static bool next_frame(const save *save, uint64_t *offset, save_frame *frame)
{
    do {
        if (*offset == save->size)
            return false;
        *frame = read_frame(save->bytes, save->size, offset);
    } while (!is_compared(frame->kind));
    return true;
}

// All frames of their saves but the events, which `expect_same_tree` compares.
static void expect_same_saves(kifu_timeline *one, kifu_timeline *other)
{
    const kifu_save_options options = {.without_schema = true};
    save a = save_of(one, &options), b = save_of(other, &options);
    uint64_t at_a = FILE_HEAD, at_b = FILE_HEAD;
    save_frame frame_a, frame_b;
    while (next_frame(&a, &at_a, &frame_a)) {
        must_be(next_frame(&b, &at_b, &frame_b));
        ck_assert_uint_eq(frame_a.kind, frame_b.kind);
        ck_assert_uint_eq(frame_a.size, frame_b.size);
        if (frame_a.size <= 8)
            continue;
        ck_assert_msg(!memcmp(frame_a.payload + 8, frame_b.payload + 8, frame_a.size - 8), "kind %u", frame_a.kind);
    }
    must_be(!next_frame(&b, &at_b, &frame_b));
    free(a.bytes);
    free(b.bytes);
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

// News are refused where the past is forgotten, so nothing is.
static kifu_result walk_step(kifu_timeline *lab, uint32_t choice)
{
    switch (choice % 32) {
    case 6:
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
    uint32_t seldom; // It hears the news after so many steps.
    int from;        // It follows that one; -1: the game itself.
    kifu_timeline *lab;
    uint64_t at;
} reader;

static void expect_follows(kifu_timeline *lab, const reader *reader)
{
    kifu_timeline *copy = reader->lab;
    expect_same(lab, copy);
    if (reader->options->keep_variations)
        expect_same_tree(lab, copy);
    else
        ck_assert_uint_eq(kifu_line_count(copy), 1);
    if (reader->options->keep_notes && reader->options->keep_variations)
        expect_same_notes(lab, copy);
    else if (reader->options->keep_notes)
        expect_notes_of_line(lab, copy);
    if (reader->options == &both)
        expect_same_saves(lab, copy);
}

// It goes on as the other one.
static void expect_goes_on(kifu_timeline *lab, const reader *reader, uint32_t seed)
{
    kifu_line line;
    for (uint32_t i = 0; reader->options->keep_variations && kifu_line_at(lab, i, &line); i++) {
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

static void pass_on(kifu_timeline *lab, reader *all, int number, uint32_t choice)
{
    reader *reader = &all[number];
    kifu_timeline *from = reader->from < 0 ? lab : all[reader->from].lab;
    if (choice % 20 == 0)
        reader->at = 0;
    if (choice % 20 == 1 && reader->options->keep_notes) {
        reader->lab = save_and_load(reader->lab, reader->options);
        for (int k = 0; k < READERS; k++) // It counts anew.
            all[k].at = all[k].from == number ? 0 : all[k].at;
    }
    must_pass_on(from, &reader->at, reader->lab);
    expect_follows(from, reader);
}

START_TEST(B04_news_have_lines_and_notes)
{
    static const kifu_options none = {.hash_interval = 0};
    const unsigned long games = 1 + fuzz_steps(3000) / 150;
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        reader all[READERS] = {{&both, 1, -1, NULL, 0},       {&both, 7, -1, NULL, 0},      {&both, 3, 1, NULL, 0},
                               {&lines_only, 2, -1, NULL, 0}, {&notes_only, 3, 1, NULL, 0}, {&none, 2, -1, NULL, 0}};
        kifu_timeline *lab = lab_new(&both);
        for (int k = 0; k < READERS; k++)
            all[k].lab = lab_new(all[k].options);
        for (int k = 0; k < 150; k++) {
            (void)walk_step(lab, next_random(&seed));
            for (int j = 0; j < READERS; j++) {
                if (next_random(&seed) % all[j].seldom == 0)
                    pass_on(lab, all, j, next_random(&seed));
            }
            if (k == 75) { // Those who follow need to know all of it.
                lab = save_and_load(lab, &both);
                for (int j = 0; j < READERS; j++)
                    all[j].at = all[j].from < 0 ? 0 : all[j].at;
            }
        }
        const int last = (int)(i % READERS);
        reader *reader = &all[last];
        kifu_timeline *from = reader->from < 0 ? lab : all[reader->from].lab;
        pass_on(lab, all, last, 2);
        expect_goes_on(from, reader, seed);
        for (int k = 0; k < READERS; k++)
            kifu_destroy(all[k].lab);
        kifu_destroy(lab);
    }
}
END_TEST

// Whoever follows may write a log file of it.
START_TEST(V09_a_log_file_of_a_follower_has_its_lines_and_notes)
{
    const unsigned long games = 1 + fuzz_steps(3000) / 150;
    char *folder = new_folder();
    const char *path = in_folder(folder, "follower.kifu");
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        kifu_timeline *lab = lab_new(&both), *copy = lab_new(&both), *loaded;
        uint64_t at = 0;
        lab_must(copy, kifu_log_open(copy, path, NULL));
        for (int k = 0; k < 100; k++) {
            for (uint32_t more = next_random(&seed) % 3; more > 0; more--)
                (void)walk_step(lab, next_random(&seed));
            must_pass_on(lab, &at, copy);
            lab_must(copy, kifu_log_append(copy));
            if (k % 5)
                continue;
            kifu_recovery recovery;
            kifu_error error;
            const kifu_load_options ways = {.recover = kifu_recover, .recovery = &recovery};
            ck_assert_msg(!kifu_load(&lab_rules, path, &both, &ways, &loaded, &error), "%s", error.message);
            ck_assert_uint_eq(kifu_line_count(lab), kifu_line_count(loaded));
            expect_same_events(lab, loaded, kifu_event_at);
            expect_same_notes(lab, copy);
            expect_same_notes(lab, loaded);
            kifu_destroy(loaded);
        }
        kifu_destroy(lab);
        kifu_destroy(copy);
        ck_assert_int_eq(remove(path), 0);
    }
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
    uint64_t at = 0, before;
    must_pass_on(lab, &at, copy);
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
        must_pass_on(lab, &at, copy);
        expect_follows(lab, &(reader){&both, 1, -1, copy, at});
        ck_assert_uint_eq(at, kifu_change_count(lab));
        before = kifu_change_count(copy);
        lab_must(lab, kifu_promote_line(lab, i < 6 ? 2 : 0)); // It is.
        ck_assert_uint_eq(at, kifu_change_count(lab));
    }
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// A tree of so many lines, with a note in each.
static kifu_timeline *wide_tree(uint32_t lines)
{
    kifu_timeline *lab = lab_new(&both);
    char script[12];
    for (uint32_t i = 0; i < lines; i++) {
        if (i)
            lab_must(lab, kifu_undo(lab));
        lab_do(lab, (int)(i % 4), NULL, (uint8_t)(i % 200));
        lab_must(lab, kifu_run(lab));
        snprintf(script, sizeof script, "%u", (unsigned)i);
        lab_do(lab, 1, script, 1);
        lab_must(lab, kifu_run(lab));
        lab_must(lab, kifu_set_note(lab, 1, KIFU_NOTE_COMMENT, script));
        lab_must(lab, kifu_undo(lab));
    }
    return lab;
}

START_TEST(B04_news_of_a_large_tree_are_small)
{
    kifu_timeline *lab = wide_tree(2000), *copy = lab_new(&both);
    const uint32_t lines = kifu_line_count(lab);
    uint64_t at = 0;
    ck_assert_uint_gt(lines, 700);
    const size_t all = must_pass_on(lab, &at, copy);
    for (int i = 0; i < 8; i++) {
        if (i < 2)
            lab_must(lab, lab_play(lab, "+"));
        else if (i == 2)
            lab_must(lab, kifu_set_line_note(lab, 300, 1, KIFU_NOTE_COMMENT, "good"));
        else if (i == 3)
            lab_must(lab, kifu_set_line_note(lab, 400, 1, KIFU_NOTE_COMMENT, NULL));
        else if (i == 4)
            lab_must(lab, kifu_promote_line(lab, 500));
        else if (i == 5)
            lab_must(lab, kifu_go_to(lab, 600, KIFU_WHERE_LEFT, false));
        else if (i == 6)
            lab_must(lab, kifu_delete_line(lab, 7));
        else
            lab_must(lab, lab_play(lab, "2"));
        const size_t size = must_pass_on(lab, &at, copy);
        ck_assert_msg(size < 2500 && all > 100 * size, "step %d: %zu bytes, and all %zu", i, size, all);
    }
    expect_follows(lab, &(reader){&both, 1, -1, copy, at});
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// More notes were removed than are remembered.
START_TEST(B04_news_since_too_many_removed_notes_are_all)
{
    kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
    uint64_t at = 0;
    char key[16];
    for (int i = 0; i < 1500; i++) {
        snprintf(key, sizeof key, "%d", i);
        lab_must(lab, kifu_set_line_note(lab, i % 3 ? 1 : 0, (uint32_t)i % 3, key, key));
    }
    must_pass_on(lab, &at, copy);
    for (int i = 0; i < 1500; i += 1 + i % 5) {
        snprintf(key, sizeof key, "%d", i);
        lab_must(lab, kifu_set_line_note(lab, i % 3 ? 1 : 0, (uint32_t)i % 3, key, NULL));
        if (i == 600)
            must_pass_on(lab, &at, copy);
    }
    for (int i = 0; i < 1500; i++) {
        snprintf(key, sizeof key, "%d", i);
        lab_must(lab, kifu_set_line_note(lab, i % 3 ? 1 : 0, (uint32_t)i % 3, key, NULL));
    }
    must_pass_on(lab, &at, copy);
    expect_follows(lab, &(reader){&both, 1, -1, copy, at});
    ck_assert_ptr_null(kifu_note_at(copy, 0, "0"));
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// --- What a follower did itself --------------------------------------------------------------------------------------

static void expect_refused(kifu_timeline *lab, uint64_t at, kifu_timeline *copy, const char *why, uint32_t event)
{
    news news = news_since(lab, at);
    save before = save_of(copy, NULL);
    kifu_timeline *twin = load_by(&before, &both, NULL);
    ck_assert_int_eq(kifu_apply_news(copy, news.bytes, news.size), KIFU_DIVERGED);
    must_say(copy, why);
    must_say(copy, "since 0");
    ck_assert_uint_eq(kifu_last_error(copy)->event, event);
    expect_follows(twin, &(reader){&both, 1, -1, copy, 0});
    kifu_destroy(twin);
    free(before.bytes);
    free(news.bytes);
}

START_TEST(B04_lines_of_which_the_news_do_not_know_are_refused)
{
    for (int i = 0; i < 5; i++) {
        kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
        uint64_t at = 0, all = 0;
        must_pass_on(lab, &at, copy);
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
        if (i == 0) { // One more,
            lab_must(copy, kifu_undo(copy));
            lab_must(copy, lab_play(copy, "3"));
            lab_must(copy, kifu_go_to(copy, 2, 3, false));
            expect_refused(lab, at, copy, "line 3, from event 2 on", 2);
        } else if (i == 1) { // which is the current one,
            lab_must(copy, kifu_undo(copy));
            lab_must(copy, lab_play(copy, "3"));
            expect_refused(lab, at, copy, "part at event 2", 2);
        } else if (i == 2) { // or one that is longer,
            lab_must(copy, kifu_go_to(copy, 1, 3, false));
            lab_must(copy, lab_play(copy, "3"));
            lab_must(copy, kifu_go_to(copy, 2, 3, false));
            expect_refused(lab, at, copy, "other lines than they know", KIFU_NONE);
        } else if (i == 3) { // or fewer.
            lab_must(copy, kifu_delete_line(copy, 1));
            expect_refused(lab, at, copy, "other lines than they know", KIFU_NONE);
        } else { // It went elsewhere.
            lab_must(copy, kifu_go_to(copy, 1, 3, false));
            expect_refused(lab, at, copy, "part at event 1", 1);
        }
        must_pass_on(lab, &all, copy);
        expect_follows(lab, &(reader){&both, 1, -1, copy, at});
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
}
END_TEST

// A game with one line, of which nobody wants to know anything else.
START_TEST(B04_a_game_without_variations_or_notes_says_nothing_of_them)
{
    static const kifu_options none = {.hash_interval = 3},
                              keeps = {.hash_interval = 3, .keep_variations = kifu_keep_variations};
    kifu_timeline *one = lab_new(&none), *other = lab_new(&keeps);
    uint64_t at = 0;
    for (int i = 0; i < 30; i++) {
        news a = news_since(one, at), b = news_since(other, at);
        ck_assert_uint_eq(a.size, b.size);
        ck_assert_mem_eq(a.bytes, b.bytes, a.size);
        free(a.bytes);
        free(b.bytes);
        at = i % 3 ? kifu_change_count(one) : at;
        ck_assert_uint_eq(kifu_change_count(one), kifu_change_count(other));
        lab_must(one, i % 4 == 3 ? kifu_undo(one) : i % 4 ? lab_play(one, "+(2)") : kifu_run(one));
        lab_must(other, i % 4 == 3 ? kifu_undo(other) : i % 4 ? lab_play(other, "+(2)") : kifu_run(other));
        if (i % 4 == 3) {
            lab_must(one, kifu_redo(one));
            lab_must(other, kifu_redo(other));
        }
    }
    kifu_destroy(one);
    kifu_destroy(other);
}
END_TEST

START_TEST(V07_a_follower_may_write_notes_of_its_own)
{
    kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
    uint64_t at = 0, all = 0;
    must_pass_on(lab, &at, copy);
    lab_must(copy, kifu_set_note(copy, 0, "mine", "here"));
    lab_must(copy, kifu_set_line_note(copy, 1, 2, "mine", "there"));
    lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
    lab_must(lab, lab_play(lab, "+"));
    must_pass_on(lab, &at, copy);
    ck_assert_str_eq(kifu_note_at(copy, 0, "mine"), "here");
    ck_assert_str_eq(kifu_note_at(copy, 0, KIFU_NOTE_COMMENT), "good");
    kifu_note note;
    must_be(kifu_find_note(copy, 1, 2, "mine", &note));
    must_pass_on(lab, &all, copy);
    expect_follows(lab, &(reader){&both, 1, -1, copy, at}); // Now it has the game's.
    kifu_destroy(copy);
    const kifu_options few = {.keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes, .note_limit = 70};
    news news = news_since(lab, 0);
    copy = lab_new(&few);
    ck_assert_int_eq(kifu_apply_news(copy, news.bytes, news.size), KIFU_TOO_LARGE);
    must_say(copy, "would take 75 bytes, but may take 70");
    ck_assert_uint_eq(kifu_event_count(copy), 0);
    lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, NULL));
    all = 0;
    must_pass_on(lab, &all, copy);
    ck_assert_uint_eq(kifu_line_count(copy), 3);
    kifu_destroy(copy);
    kifu_destroy(lab);
    free(news.bytes);
}
END_TEST

// --- Without memory, and from anywhere -------------------------------------------------------------------------------

// A game, and one who follows it, with news of everything between.
static void play_a_part(kifu_timeline *lab, uint32_t part)
{
    static const char *const scripts[] = {"3", "+(+)", "u", "4", NULL};
    lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
    lab_must(lab, kifu_set_line_note(lab, 1, 2, KIFU_NOTE_GLYPH, part ? NULL : "!"));
    if (part == 1)
        lab_must(lab, kifu_delete_line(lab, 1));
    play_scripts(lab, scripts);
    lab_must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, "event", "A game"));
    lab_must(lab, kifu_go_to(lab, part == 2 ? 1 : 0, part == 2 ? 3 : 1, false));
    lab_submit_p_add(lab, 0, 7);
}

START_TEST(B04_memory_may_end_while_lines_and_notes_travel)
{
    for (uint32_t part = 0; part < 4; part++) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = both;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        kifu_timeline *lab = three_lines(), *copy = lab_new(&options);
        uint64_t at = 0;
        lab_must(lab, kifu_set_line_note(lab, 1, 2, KIFU_NOTE_GLYPH, "?"));
        must_pass_on(lab, &at, copy);
        save before = save_of(copy, NULL);
        kifu_timeline *twin = load_by(&before, &both, NULL);
        play_a_part(lab, part);
        news news = news_since(lab, part == 3 ? 0 : at);
        kifu_result result = KIFU_NO_MEMORY;
        for (long fail = 0; result; fail++) {
            memory.until_failure = fail;
            memory.failed = false;
            result = kifu_apply_news(copy, news.bytes, news.size);
            memory.until_failure = -1;
            must_be(result == KIFU_OK || (memory.failed && result == KIFU_NO_MEMORY));
            if (result)
                expect_follows(twin, &(reader){&both, 1, -1, copy, 0});
        }
        expect_follows(lab, &(reader){&both, 1, -1, copy, 0});
        free(news.bytes);
        result = KIFU_NO_MEMORY;
        for (long fail = 0; result; fail++) {
            unsigned char *bytes = NULL;
            size_t size;
            memory.until_failure = fail;
            result = kifu_news_since(copy, 0, &bytes, &size);
            memory.until_failure = -1;
            must_be(result == KIFU_OK || (result == KIFU_NO_MEMORY && !bytes));
            kifu_free_bytes(copy, bytes);
        }
        expect_goes_on(lab, &(reader){&both, 1, -1, copy, 0}, part);
        kifu_destroy(twin);
        kifu_destroy(lab);
        kifu_destroy(copy);
        free(before.bytes);
        must_be(memory.blocks == 0);
    }
}
END_TEST

static void walk_all(kifu_timeline *lab)
{
    kifu_line line;
    kifu_note note = {0};
    for (uint32_t i = 0; kifu_line_at(lab, i, &line); i++) {
        (void)kifu_go_to(lab, line.id, i % 2 ? KIFU_WHERE_LEFT : line.from + line.count, true);
        (void)!kifu_undo(lab);
        (void)!kifu_redo(lab);
        (void)!lab_play(lab, "+");
    }
    while (kifu_next_note(lab, &note))
        must_be(note.size == 0 || ((const char *)note.bytes)[note.size] == 0);
}

// Some bytes of a frame, or another number where one is.
static void spoil(news *news, uint32_t *seed)
{
    uint64_t frames[64], count = 0;
    for (uint64_t at = 0; at < news->size && count < 64; at += frame_size_at(news->bytes, news->size, at))
        frames[count++] = at;
    for (uint32_t k = 1 + next_random(seed) % 3; k > 0; k--) {
        unsigned char *head = news->bytes + frames[1 + next_random(seed) % (count - 1)];
        unsigned char *payload = head + FRAME_HEAD;
        const uint32_t size = get32(head), what = next_random(seed) % 8;
        if (what == 0)
            set32(head + 8, get32(head + 8) ^ OF_LINE);
        else if (what < 4 && size >= 4)
            set32(payload + next_random(seed) % (size / 4) * 4, next_random(seed) % 12);
        else if (size)
            payload[next_random(seed) % size] ^= (unsigned char)(1 << next_random(seed) % 8);
    }
    repair(news);
}

START_TEST(B04_hostile_lines_and_notes_do_no_harm)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    unsigned long applied = 0, refused = 0;
    const unsigned long rounds = 40 + fuzz_steps(6000) / 4;
    for (unsigned long round = 0; round < rounds; round++) {
        const uint32_t part = (uint32_t)(round % 4);
        const kifu_options *options = round % 7 == 6 ? &notes_only : &both;
        kifu_timeline *lab = three_lines(), *copy = lab_new(options);
        uint64_t at = 0;
        must_pass_on(lab, &at, copy);
        play_a_part(lab, part);
        news news = news_since(lab, part == 3 ? 0 : at);
        spoil(&news, &seed);
        save before = save_of(copy, NULL);
        if (kifu_apply_news(copy, news.bytes, news.size)) {
            kifu_timeline *twin = load_by(&before, options, NULL);
            expect_follows(twin, &(reader){options, 1, -1, copy, 0});
            kifu_destroy(twin);
            refused++;
        } else {
            save after = save_of(copy, NULL);
            walk_all(copy);
            free(after.bytes);
            applied++;
        }
        free(before.bytes);
        free(news.bytes);
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
    ck_assert_msg(applied > rounds / 100 && refused > rounds / 4, "%lu applied, %lu refused", applied, refused);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B04_news_have_lines_and_notes,
        V09_a_log_file_of_a_follower_has_its_lines_and_notes,
        B04_each_change_of_lines_and_notes_counts,
        B04_news_of_a_large_tree_are_small,
        B04_news_since_too_many_removed_notes_are_all,
        B04_lines_of_which_the_news_do_not_know_are_refused,
        B04_a_game_without_variations_or_notes_says_nothing_of_them,
        V07_a_follower_may_write_notes_of_its_own,
        B04_memory_may_end_while_lines_and_notes_travel,
        B04_hostile_lines_and_notes_do_no_harm,
    };
    return run_suite("news_tree", tests, sizeof tests / sizeof *tests);
}
