// Two games with all their lines and notes: random trees against their ways, as texts, and each kind of difference.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seeded.h"
#include "suite.h"
#include "tally_help.h"

static void go_and_play(kifu_timeline *timeline, uint32_t line, uint32_t count, int amount)
{
    must(timeline, kifu_go_to(timeline, line, count, false));
    play(timeline, amount);
}

// --- What is told ----------------------------------------------------------------------------------------------------

enum { MOST_TOLD = 200 };
static kifu_tree_difference told[MOST_TOLD];
static char told_keys[MOST_TOLD][20];
static uint32_t told_count, told_most;

static bool hear(void *context, const kifu_tree_difference *difference)
{
    must_be(context == &told_count && told_count < MOST_TOLD);
    snprintf(told_keys[told_count], sizeof *told_keys, "%s", difference->key ? difference->key : "");
    told[told_count++] = *difference;
    return told_count < told_most;
}

static uint32_t compare(kifu_timeline *a, kifu_timeline *b)
{
    told_count = 0;
    told_most = MOST_TOLD;
    must(a, kifu_compare_trees(a, b, hear, &told_count));
    return told_count;
}

static void must_tell(kifu_timeline *a, kifu_timeline *b, uint32_t count, const char *const *messages)
{
    compare(a, b);
    for (uint32_t i = 0; i < told_count && i < count; i++)
        ck_assert_str_eq(told[i].message, messages[i]);
    ck_assert_uint_eq(told_count, count);
    told_count = 0;
    told_most = 1;
    must(a, kifu_compare_trees(a, b, hear, &told_count));
    ck_assert_uint_eq(told_count, count ? 1 : 0); // That was enough.
}

// --- Ways ------------------------------------------------------------------------------------------------------------
//
// Each event of a tree is the amounts on the way to it, as a text; so are its notes, and where the main line leads.

enum { MOST_WAYS = 300, WAY = 200 };

typedef struct ways {
    char items[MOST_WAYS][WAY]; // The way, a blank, its notes.
    bool main[MOST_WAYS];
    uint32_t count;
} ways;

static int amount_of(const kifu_timeline *timeline, uint32_t line, uint32_t index)
{
    kifu_event event;
    must_be(kifu_line_event(timeline, kifu_line_of_event(timeline, line, index), index, &event));
    return ((const tally_p_add *)event.table)->amount;
}

static void add_way(ways *ways, const kifu_timeline *timeline, const kifu_line *line, uint32_t index)
{
    char *way = ways->items[ways->count];
    kifu_note note = {.line = line->id, .event = index, .key = ""};
    size_t used = 0;
    must_be(ways->count < MOST_WAYS);
    for (uint32_t i = 0; i <= index; i++)
        used += (size_t)snprintf(way + used, WAY - used, ".%d", amount_of(timeline, line->id, i));
    used += (size_t)snprintf(way + used, WAY - used, " ");
    while (kifu_next_note(timeline, &note) && note.line == line->id && note.event == index)
        used += (size_t)snprintf(way + used, WAY - used, "%s=%s;", note.key, note.text);
    must_be(used < WAY);
    const uint32_t main = kifu_main_line(timeline);
    ways->main[ways->count++] = kifu_line_of_event(timeline, main, index) == line->id;
}

static void find_ways(const kifu_timeline *timeline, ways *ways)
{
    kifu_line line;
    ways->count = 0;
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++) {
        for (uint32_t index = line.from; index < line.from + line.count; index++)
            add_way(ways, timeline, &line, index);
    }
}

static size_t length_of(const char *way)
{
    return strcspn(way, " ");
}

// KIFU_NONE: none of them is this way.
static uint32_t find(const ways *ways, const char *way, size_t length)
{
    for (uint32_t i = 0; i < ways->count; i++) {
        if (length_of(ways->items[i]) == length && !memcmp(ways->items[i], way, length))
            return i;
    }
    return KIFU_NONE;
}

// How many ways only these have, of which the others have all but the last event.
static uint32_t count_missing(const ways *ways, const struct ways *others)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ways->count; i++) {
        const char *way = ways->items[i];
        size_t before = length_of(way);
        const bool missing = find(others, way, before) == KIFU_NONE;
        while (way[--before] != '.')
            ;
        count += missing && (!before || find(others, way, before) != KIFU_NONE);
    }
    return count;
}

static uint32_t count_notes(const char *notes, const char *others)
{
    uint32_t count = 0;
    for (const char *key = "abc"; *key; key++) {
        const char start[] = {*key, '=', 0}, *one = strstr(notes, start), *other = strstr(others, start);
        const size_t length = one ? strcspn(one, ";") : 0, length_other = other ? strcspn(other, ";") : 0;
        count += length != length_other || (length && memcmp(one, other, length) != 0);
    }
    return count;
}

static void must_agree(kifu_timeline *a, kifu_timeline *b)
{
    static ways ways_a, ways_b;
    uint32_t notes = 0, mains = 0, kinds[4] = {0}, in_a = 0, in_b = 0;
    find_ways(a, &ways_a);
    find_ways(b, &ways_b);
    for (uint32_t i = 0; i < ways_a.count; i++) {
        const size_t length = length_of(ways_a.items[i]);
        const uint32_t other = find(&ways_b, ways_a.items[i], length);
        if (other != KIFU_NONE)
            notes += count_notes(ways_a.items[i] + length, ways_b.items[other] + length);
        mains += other != KIFU_NONE && ways_a.main[i] != ways_b.main[other];
    }
    compare(a, b);
    for (uint32_t i = 0; i < told_count; i++) {
        kinds[told[i].what]++;
        in_a +=
            told[i].what != KIFU_NOTES_DIFFER && told[i].what != KIFU_MAIN_LINES_DIFFER && told[i].line_a != KIFU_NONE;
        in_b +=
            told[i].what != KIFU_NOTES_DIFFER && told[i].what != KIFU_MAIN_LINES_DIFFER && told[i].line_b != KIFU_NONE;
    }
    ck_assert_uint_eq(in_a, count_missing(&ways_a, &ways_b));
    ck_assert_uint_eq(in_b, count_missing(&ways_b, &ways_a));
    ck_assert_uint_eq(kinds[KIFU_NOTES_DIFFER], notes);
    ck_assert(!kinds[KIFU_MAIN_LINES_DIFFER] == !mains);
    ck_assert_uint_le(kinds[KIFU_MAIN_LINES_DIFFER], 2);
}

// --- Random trees ----------------------------------------------------------------------------------------------------

static void change(kifu_timeline *timeline, kifu_rng *rng)
{
    static const char *const keys[] = {"a", "b", "c"}, *const texts[] = {"x", "y", NULL};
    const uint32_t what = kifu_rng_below(rng, 12);
    kifu_line line;
    must_be(kifu_line_at(timeline, kifu_rng_below(rng, kifu_line_count(timeline)), &line));
    const uint32_t end = line.from + line.count;
    if (what < 6 && end < 12)
        go_and_play(timeline, line.id, kifu_rng_below(rng, end + 1), 1 + (int)kifu_rng_below(rng, 3));
    else if (what < 8)
        must(timeline, kifu_promote_line(timeline, line.id));
    else if (what == 8)
        (void)!kifu_delete_line(timeline, line.id);
    else if (what < 11 && line.count)
        must(timeline, kifu_set_line_note(timeline, line.id, line.from + kifu_rng_below(rng, line.count),
                                          keys[kifu_rng_below(rng, 3)], texts[kifu_rng_below(rng, 3)]));
}

START_TEST(B05_random_trees_differ_where_their_ways_do)
{
    for (unsigned long i = 0; i < fuzz_steps(20000) / 100; i++) {
        kifu_timeline *a = new_tally(NULL), *b = new_tally(NULL);
        kifu_rng rng, other;
        kifu_rng_seed(&rng, fuzz_seed() * 1000003 + i, 7);
        for (int step = 0; step < 15; step++) {
            other = rng;
            change(a, &rng);
            if (i % 4) // As the other one, and soon apart; else each by itself.
                change(b, &other);
        }
        for (int step = 0; step < 15; step++) {
            must_agree(a, b);
            change(kifu_rng_below(&rng, 2) ? a : b, &rng);
        }
        kifu_destroy(a);
        kifu_destroy(b);
    }
}
END_TEST

// --- One by one ------------------------------------------------------------------------------------------------------

START_TEST(B05_lines_are_found_by_their_events)
{
    kifu_timeline *a = new_tally(NULL), *b = new_tally(NULL);
    play(a, 1), play(a, 2), play(a, 3);
    go_and_play(a, 0, 1, 20); // line 1
    go_and_play(a, 0, 1, 30); // line 2
    play(b, 1), play(b, 30);
    go_and_play(b, 0, 1, 20); // line 1
    go_and_play(b, 0, 1, 2);  // line 2
    play(b, 3);
    static const char *const main[] = {
        "line 0 of the first game is its main line from event 1 on, and the same line of the other one, 2, is not",
        "line 0 of the second game is its main line from event 1 on, and the same line of the other one, 2, is not"};
    must_tell(a, b, 2, main);
    must(b, kifu_promote_line(b, 2));
    must_tell(a, b, 0, NULL);
    play(b, 4);
    static const char *const longer[] = {"line 2 goes on with event 3, tally.PAdd, only in the second game"};
    must_tell(a, b, 1, longer);
    ck_assert(told[0].what == KIFU_LINE_MISSING && told[0].line_a == KIFU_NONE && told[0].line_b == 2);
    ck_assert(told[0].event == 3 && told[0].current && !told[0].key);
    ck_assert_str_eq(told[0].name, "tally.PAdd");
    ck_assert_str_eq(told[0].a, "absent");
    ck_assert_str_eq(told[0].b, "tally.PAdd");
    must(a, kifu_go_to(a, 0, 3, false));
    play(a, 5);
    static const char *const parted[] = {"event 3, tally.PAdd, of line 0, which is line 2 in the second game, differs: "
                                         "amount is 5 in the one game and 4 in the other"};
    must_tell(a, b, 1, parted);
    ck_assert(told[0].what == KIFU_LINES_DIFFER && told[0].line_a == 0 && told[0].line_b == 2 && told[0].current);
    ck_assert_str_eq(told[0].field, "amount");
    ck_assert_str_eq(told[0].a, "5");
    ck_assert_str_eq(told[0].b, "4");
    go_and_play(a, 1, 2, 6);
    go_and_play(a, 1, 2, 7); // line 3
    static const char *const more[] = {NULL, "line 1 goes on with event 2, tally.PAdd, only in the first game",
                                       "line 3 begins with event 2, tally.PAdd, only in the first game"};
    ck_assert_uint_eq(compare(a, b), 3);
    ck_assert_str_eq(told[1].message, more[1]);
    ck_assert_str_eq(told[2].message, more[2]);
    ck_assert(!told[1].current && told[2].line_a == 3 && told[2].line_b == KIFU_NONE);
    ck_assert_str_eq(told[1].a, "tally.PAdd");
    ck_assert_str_eq(told[1].b, "absent");
    kifu_destroy(a);
    kifu_destroy(b);
}
END_TEST

// A player's move with its consequences, and transactions of several moves, may begin alike.
START_TEST(B05_lines_that_begin_alike_are_told_apart)
{
    kifu_timeline *games[] = {new_tally(NULL), new_tally(NULL)};
    static const int second[2][3] = {{2, 3, 4}, {2, 4, 3}};
    for (int game = 0; game < 2; game++) {
        play(games[game], 1);
        for (int i = 0; i < 3; i++) {
            must(games[game], kifu_go_to(games[game], 0, 1, false));
            must(games[game], kifu_begin(games[game], 0));
            play(games[game], 9);
            play(games[game], second[game][i]);
            must(games[game], kifu_commit(games[game]));
        }
        must(games[game], kifu_go_to(games[game], 0, 3, false));
    }
    ck_assert_uint_eq(kifu_line_count(games[0]), 3);
    must_tell(games[0], games[1], 0, NULL);
    must(games[0], kifu_delete_line(games[0], 1));
    static const char *const missing[] = {"line 2 begins with event 1, tally.PAdd, only in the second game"};
    must_tell(games[0], games[1], 1, missing);
    kifu_destroy(games[0]);
    kifu_destroy(games[1]);
}
END_TEST

START_TEST(B05_what_branches_off_from_a_missing_line_is_counted)
{
    kifu_timeline *a = new_tally(NULL), *b = new_tally(NULL);
    play(a, 1), play(a, 2), play(b, 1), play(b, 2);
    go_and_play(a, 0, 1, 20); // line 1
    play(a, 21), play(a, 22);
    go_and_play(a, 1, 2, 30); // line 2
    go_and_play(a, 1, 3, 40); // line 3
    go_and_play(a, 0, 2, 50);
    static const char *const messages[] = {
        "line 1 begins with event 1, tally.PAdd, only in the first game; so are all that branch off from it (2)",
        "line 0 goes on with event 2, tally.PAdd, only in the first game"};
    must_tell(a, b, 2, messages);
    kifu_destroy(a);
    kifu_destroy(b);
}
END_TEST

START_TEST(B05_notes_are_compared)
{
    static const char bytes[] = {0, 1, 2};
    kifu_timeline *a = new_tally(NULL), *b = new_tally(NULL);
    for (int i = 0; i < 2; i++) {
        kifu_timeline *timeline = i ? a : b;
        play(timeline, 1), play(timeline, 2);
        go_and_play(timeline, 0, 1, 20);
        must(timeline, kifu_set_note(timeline, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, i ? "One." : "Two."));
        must(timeline, kifu_set_line_note(timeline, 0, 1, KIFU_NOTE_COMMENT, "The same."));
        must(timeline, kifu_set_line_note(timeline, 1, 1, i ? KIFU_NOTE_GLYPH : KIFU_NOTE_CLOCK, i ? "!?" : "1:30"));
    }
    must(a, kifu_set_note_bytes(a, 0, 0, "picture", bytes, 3));
    must(b, kifu_set_note_bytes(b, 0, 0, "picture", bytes, 2));
    static const char *const messages[] = {
        "the note 'comment' before the first event differs: it is \"One.\" in the one game and \"Two.\" in the other",
        "the note 'picture' at event 0, tally.PAdd, of line 0 differs: it is 3 bytes in the one game and 2 bytes in "
        "the "
        "other",
        "the note 'clock' at event 1, tally.PAdd, of line 1 differs: it is absent in the one game and \"1:30\" in the "
        "other",
        "the note 'glyph' at event 1, tally.PAdd, of line 1 differs: it is \"!?\" in the one game and absent in the "
        "other"};
    must_tell(a, b, 4, messages);
    compare(a, b);
    ck_assert(told[0].event == KIFU_BEFORE_FIRST && told[0].line_a == 0 && told[2].line_a == KIFU_NONE);
    ck_assert_str_eq(told_keys[3], KIFU_NOTE_GLYPH);
    char text[300];
    memset(text, 'x', sizeof text - 1);
    memcpy(text + 87, "\xe5\x85\x88", 3); // A character would be cut.
    text[sizeof text - 1] = 0;
    must(a, kifu_set_note(a, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, text));
    compare(a, b);
    ck_assert_uint_eq(strlen(told[0].a), 87 + strlen("\"...\""));
    memset(text, '"', sizeof text - 1); // Each becomes two.
    must(a, kifu_set_note(a, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, text));
    compare(a, b);
    ck_assert_uint_eq(strlen(told[0].a), 2 * 57 + strlen("\"...\""));
    must(a, kifu_set_note(a, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "a \"b\"\n"));
    compare(a, b);
    ck_assert_str_eq(told[0].a, "\"a \\\"b\\\"\\n\"");
    kifu_destroy(a);
    kifu_destroy(b);
}
END_TEST

START_TEST(B05_trees_without_variations_or_memory)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *plain, *tree = new_tally(&memory);
    ck_assert_int_eq(kifu_create(&tally_rules, NULL, &plain, NULL), KIFU_OK);
    play(plain, 1), play(tree, 1);
    must_tell(plain, tree, 0, NULL);
    play(plain, 2), play(tree, 3);
    must_tell(tree, plain, 1,
              (const char *[]){"event 1, tally.PAdd, of line 0, differs: amount is 3 in the one game and "
                               "2 in the other"});
    for (int left = 0; left < 3; left++) {
        memory.until_failure = left;
        told_count = 0;
        ck_assert_int_eq(kifu_compare_trees(tree, plain, hear, &told_count), left < 3 ? KIFU_NO_MEMORY : KIFU_OK);
        ck_assert_uint_eq(told_count, 0);
    }
    memory.until_failure = -1;
    must(plain, kifu_seek(plain, 1));
    ck_assert_int_eq(kifu_compare_trees(tree, plain, hear, &told_count), KIFU_MISUSE);
    kifu_destroy(plain);
    kifu_destroy(tree);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// A game that has forgotten its past, and one that has not: what both have is compared.
START_TEST(B05_of_a_game_that_has_forgotten_the_rest_is_compared)
{
    kifu_timeline *whole = new_tally(NULL), *brief = new_tally(NULL);
    kifu_comparison found;
    for (int i = 0; i < 2; i++) {
        kifu_timeline *timeline = i ? whole : brief;
        for (int amount = 1; amount <= 8; amount++)
            play(timeline, amount);
        go_and_play(timeline, 0, 6, 20);
        go_and_play(timeline, 0, 2, 30);
        must(timeline, kifu_go_to(timeline, 0, 8, false));
    }
    must(brief, kifu_forget(brief, 4));
    must_tell(brief, whole, 0, NULL);
    must(brief, kifu_compare(brief, whole, &found));
    ck_assert_str_eq(found.message, "the games are equal");
    play(whole, 9);
    must(brief, kifu_compare(whole, brief, &found));
    ck_assert(found.what == KIFU_EVENT_MISSING && found.event == 8);
    go_and_play(brief, 1, 6, 40);
    must_tell(whole, brief, 2,
              (const char *[]){"line 3 begins with event 6, tally.PAdd, only in the second game",
                               "line 0 goes on with event 8, tally.PAdd, only in the first game"});
    kifu_destroy(whole);
    kifu_destroy(brief);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B05_random_trees_differ_where_their_ways_do,
        B05_lines_are_found_by_their_events,
        B05_lines_that_begin_alike_are_told_apart,
        B05_what_branches_off_from_a_missing_line_is_counted,
        B05_notes_are_compared,
        B05_trees_without_variations_or_memory,
        B05_of_a_game_that_has_forgotten_the_rest_is_compared,
    };
    return run_suite("compare_trees", tests, sizeof tests / sizeof *tests);
}
