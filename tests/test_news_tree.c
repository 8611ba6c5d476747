// News of a game with lines and notes: random games, and those who follow them.

#include <kifu/news.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"
#include "tree_help.h"

// --- News ------------------------------------------------------------------------------------------------------------

typedef struct news {
    unsigned char *bytes; // from malloc
    size_t size;
} news;

static news news_since(kifu_timeline *timeline, uint64_t change)
{
    unsigned char *bytes;
    news news;
    lab_must(timeline, kifu_news_since(timeline, change, &bytes, &news.size));
    news.bytes = malloc(news.size);
    ck_assert_ptr_nonnull(news.bytes);
    memcpy(news.bytes, bytes, news.size);
    kifu_free_bytes(timeline, bytes);
    return news;
}

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
    for (uint32_t event = KIFU_BEFORE_FIRST; event + 1 <= one->log.event_count; event++) {
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
    kind &= ~(uint32_t)KIFU__OF_LINE;
    return kind != KIFU__FRAME_SEGMENT && kind != KIFU__FRAME_CHECKPOINTS;
}

static bool next_frame(const save *save, uint64_t *offset, kifu__frame *frame)
{
    do {
        if (*offset == save->size)
            return false;
        ck_assert_int_eq(kifu__read_frame(save->bytes, save->size, offset, frame, NULL), KIFU_OK);
    } while (!is_compared(frame->kind));
    return true;
}

// All frames of their saves but the events, which `expect_same_tree` compares.
static void expect_same_saves(kifu_timeline *one, kifu_timeline *other)
{
    const kifu_save_options options = {.without_schema = true};
    save a = save_of(one, &options), b = save_of(other, &options);
    uint64_t at_a = KIFU__FILE_HEAD, at_b = KIFU__FILE_HEAD;
    kifu__frame frame_a, frame_b;
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
    const uint32_t id = any_line(lab, choice >> 4, &line);
    const uint32_t event = (choice >> 12) % (line.from + line.count + 1) - 1;
    snprintf(text, sizeof text, "%u", (unsigned)(choice % 1000));
    return kifu_set_line_note(lab, id, event, keys[choice % 3], choice % 4 ? text : NULL);
}

static kifu_result walk_step(kifu_timeline *lab, uint32_t choice)
{
    kifu_line line;
    const uint32_t id = any_line(lab, choice >> 8, &line), place = choice >> 5;
    switch (choice % 32) {
    case 0:
    case 1:
        return kifu_go_to(lab, id, KIFU_WHERE_LEFT, true);
    case 2:
        return kifu_go_to(lab, id, place % (line.from + line.count + 1), true);
    case 3:
        return kifu_go_to(lab, id, line.from + line.count, false);
    case 4:
        return kifu_promote_line(lab, id);
    case 5:
        return place % 3 ? KIFU_OK : kifu_delete_line(lab, id);
    case 6:
    case 7:
    case 8:
        return kifu_can_undo(lab, NULL) ? kifu_undo(lab) : KIFU_OK;
    case 9:
        if (kifu_begin(lab, place % 2 ? KIFU_SEARCH : 0))
            return KIFU_MISUSE;
        random_lab_step(lab, choice >> 3);
        random_lab_step(lab, choice >> 5);
        return place % 4 == 2 ? kifu_commit(lab) : kifu_roll_back(lab);
    case 10:
    case 11:
    case 12:
    case 13:
        return write_note(lab, place);
    default:
        random_lab_step(lab, choice);
        return KIFU_OK;
    }
}

// --- Random games ----------------------------------------------------------------------------------------------------

typedef struct reader {
    const kifu_options *options;
    uint32_t seldom; // It hears the news after so many steps.
    kifu_timeline *lab;
    uint64_t at;
} reader;

static void expect_follows(kifu_timeline *lab, reader *reader)
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
static void expect_goes_on(kifu_timeline *lab, reader *reader, uint32_t seed)
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

START_TEST(B04_news_have_lines_and_notes)
{
    static const kifu_options none = {.hash_interval = 0};
    const unsigned long games = 1 + fuzz_steps(9000) / 150;
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        reader all[] = {{&both, 1, NULL, 0},
                        {&both, 7, NULL, 0},
                        {&lines_only, 2, NULL, 0},
                        {&notes_only, 3, NULL, 0},
                        {&none, 2, NULL, 0}};
        enum { FOLLOWERS = sizeof all / sizeof *all };
        kifu_timeline *lab = lab_new(&both);
        for (int k = 0; k < FOLLOWERS; k++)
            all[k].lab = lab_new(all[k].options);
        for (int k = 0; k < 150; k++) {
            (void)walk_step(lab, next_random(&seed));
            for (int j = 0; j < FOLLOWERS; j++) {
                if (next_random(&seed) % all[j].seldom)
                    continue;
                if (next_random(&seed) % 20 == 0)
                    all[j].at = 0;
                must_pass_on(lab, &all[j].at, all[j].lab);
                expect_follows(lab, &all[j]);
            }
        }
        for (int k = 0; k < FOLLOWERS; k++) {
            if (k == (int)(i % FOLLOWERS)) {
                must_pass_on(lab, &all[k].at, all[k].lab);
                expect_goes_on(lab, &all[k], seed);
            }
            kifu_destroy(all[k].lab);
        }
        kifu_destroy(lab);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {B04_news_have_lines_and_notes};
    return run_suite("news_tree", tests, sizeof tests / sizeof *tests);
}
