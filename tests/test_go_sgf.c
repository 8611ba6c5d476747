#define _XOPEN_SOURCE 700 // mkstemp

// The Go example's games as text: SGF with variations, markup and comments, both ways.

#include <kifu/notes.h>
#include <kifu/variations.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "points.h"
#include "random_sgf.h"
#include "rules.h"
#include "sgf_file.h"
#include "steps.h"
#include "suite.h"

static const kifu_options options = {.quiet = true};

static kifu_timeline *read_game(const char *text)
{
    kifu_timeline *timeline;
    fault fault;
    const kifu_result result = sgf_read(text, 1, &options, &timeline, &fault);
    ck_assert_msg(!result, "%u:%u: %s\n%s", fault.line, fault.column, fault.message, text);
    return timeline;
}

static void must_write(const kifu_timeline *timeline, const char *expected)
{
    char *text = sgf_write(timeline, true);
    size_t same = 0;
    while (text[same] && text[same] == expected[same])
        same++;
    const size_t begin = same > 60 ? same - 60 : 0;
    ck_assert_msg(!strcmp(text, expected), "after %zu bytes:\n%.200s\n--- expected:\n%.200s", same, text + begin,
                  expected + begin);
    free(text);
}

// --- The same text after import and export ---------------------------------------------------------------------------

START_TEST(random_trees_are_the_same_text_after_import_and_export)
{
    static const uint32_t sizes[] = {9, 13, 19};
    const unsigned long trees = fuzz_steps(21000) / 100;
    random_sgf_tree all = {.depth = 0};
    for (unsigned long i = 0; i < trees; i++) {
        const random_sgf_kind kind = {
            .size = sizes[i % 3], .nodes = 40 + (uint32_t)(i % 7) * 20, .depth = 4 + (uint32_t)(i % 3)};
        random_sgf_tree tree = random_sgf(fuzz_seed() * 1000003 + i, &kind);
        kifu_timeline *timeline = read_game(tree.text);
        must_write(timeline, tree.text);
        ck_assert_uint_ge(tree.depth, 4);
        all.variations += tree.variations;
        all.comments += tree.comments;
        all.edits += tree.edits;
        all.twins += tree.twins;
        all.nodes += tree.nodes;
        kifu_destroy(timeline);
        free(tree.text);
    }
    ck_assert_msg(all.variations && all.comments && all.edits && all.twins, "something never came");
    if (getenv("KIFU_VERBOSE"))
        printf("%lu trees, %u nodes, %u variations, %u comments, %u edits, %u twins\n", trees, all.nodes,
               all.variations, all.comments, all.edits, all.twins);
}
END_TEST

// --- What a text means -----------------------------------------------------------------------------------------------

static const char example[] =
    "a game: (;FF[3]GM[1]SZ[9]KM[6.5]HA[2]RU[Chinese]PBlack[A \\] B]PW[Bob]DT[1846-09-11]RE[W+R]\n"
    "AB[cg][gc] ;W[ee]Comment[a comment; with \\] and \\\nno \\: line break\r\nbut one]; B [ef]\n"
    "TE[1]BL[3605.5](;W[fe]TR[aa:cc] [dd](;B[];W[tt])(;B[aa]C[]))(;W[bb];B[cc]X[y\\]]C[1][2])) and more";

START_TEST(what_is_written_as_others_do_becomes_what_sgf_write_writes)
{
    kifu_timeline *timeline = read_game(example);
    const go_state *state = go_get_state(timeline);
    ck_assert_uint_eq(state->plays, 3);
    ck_assert_uint_eq(state->terms.handicap, 2);
    ck_assert_int_eq(state->terms.komi, 13);
    ck_assert_int_eq(state->terms.counting, GO_COUNTING_AREA);
    ck_assert_int_eq(state->board[4 * 9 + 5], GO_STONE_WHITE);
    ck_assert_int_eq(state->board[0], GO_STONE_NONE);
    ck_assert_int_eq(state->ending, GO_ENDING_RESIGNATION);
    ck_assert_int_eq(state->winner, GO_STONE_WHITE);
    const uint32_t root = game_begin(timeline);
    ck_assert_str_eq(kifu_note_at(timeline, root, "PB"), "[A \\] B]");
    ck_assert_str_eq(kifu_note_at(timeline, root + 1, KIFU_NOTE_COMMENT),
                     "a comment; with ] and no : line break\nbut one");
    ck_assert_str_eq(kifu_note_at(timeline, root + 2, KIFU_NOTE_GLYPH), "!");
    ck_assert_str_eq(kifu_note_at(timeline, root + 2, KIFU_NOTE_CLOCK), "1:00:05.5");
    ck_assert_uint_eq(kifu_line_count(timeline), 3);
    must_write(timeline, "(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[6.5]RU[Chinese]HA[2]RE[W+R]AB[cg][gc]DT[1846-09-11]PB[A \\] B]"
                         "PW[Bob]\n;W[ee]C[a comment; with \\] and no : line break\nbut one];B[ef]BL[3605.5]TE[1]\n"
                         "(;W[fe]TR[aa:cc][dd]\n(;B[];W[])\n(;B[aa]C[]))\n(;W[bb];B[cc]C[1][2]X[y\\]]))\n");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(texts_and_what_becomes_of_them)
{
    static const char head[] = "FF[4]GM[1]CA[UTF-8]SZ[9]";
    static const struct {
        const char *text, *rest;
    } cases[] = {
        {"(;SZ[9])", ")"},
        {"(;SZ[9]PL[B])", "PL[B])"},
        {"(;SZ[9]PL[2];W[aa])", "PL[2]\n;W[aa])"},
        {"(;SZ[9]PL[W])", "PL[W])"},
        {"(;SZ[9]AB[aa:cb]AW[ii])", "AB[aa][ba][ca][ab][bb][cb]AW[ii])"}, // a rectangle
        {"(;AB[aa]SZ[9];W[bb])", "AB[aa]\n;W[bb])"},                      // out of turn; the size comes late
        {"(;SZ[9];B[aa];B[bb];W[])", "\n;B[aa];B[bb];W[])"},
        {"(;SZ[9];B[];W[];B[aa])", "\n;B[];W[];B[aa])"}, // after the counting has begun
        {"(;SZ[9];AB[aa][bb];AE[aa]AW[cc]PL[W])", "\n;AB[aa][bb];AE[aa]AW[cc]PL[W])"},
        {"(;SZ[9];;C[x];;B[aa])", "\n;;C[x];;B[aa])"}, // nodes of nothing
        {"(;SZ[9];AB[aa]B[bb])", "\n;AB[aa]B[bb])"},
        {"(;SZ[9](;B[aa];W[cc])(;B[aa];W[dd])(;B[aa]))", "\n(;B[aa];W[cc])\n(;B[aa];W[dd])\n(;B[aa]))"},
        {"(;SZ[9](;B[aa]))", "\n;B[aa])"}, // a variation that is none
        {"(;SZ[9](;B[])(;W[aa]))", "\n(;B[])\n(;W[aa]))"},
        {"(;SZ[9]RE[W+Resign])", "RE[W+Resign])"},
        {"(;SZ[9]RE[B+3.50]HA[0])", "HA[0]RE[B+3.50])"},
        {"(;SZ[9]RE[])", ")"},
        {"(;SZ[9]AE[aa];B[bb])", "AE[aa]\n;B[bb])"},
        {"(;SZ[9]B[aa]C[root])", "C[root]\n;B[aa])"},
        {"(;SZ[9];B[aa]BL[007]TE[3]IT[x]C[a]C[b])", "\n;B[aa]C[a]BL[007]C[b]IT[x]TE[3])"}, // as they stand
        {"(;SZ[9];B[aa]KIFU[a\\:b:c\\]])", "\n;B[aa]KIFU[a\\:b:c\\]])"},
        {"(;SZ[9]CA[iso-8859-1]C[\xe9])", "C[\xc3\xa9])"},
        {"(;SZ[9]C[\xe9])", "C[\xc3\xa9])"},
        {"\xef\xbb\xbf(;SZ[9]C[\xc3\xa9])", "C[\xc3\xa9])"},
        // What other versions of SGF and other programs have.
        {"(;SZ[9:9])", ")"},
        {"(;FF[1]GaMe[1]SiZe[9]PlayerBlack[A];Black[ee]Comment[hi];White[cc])", "PB[A]\n;B[ee]C[hi];W[cc])"},
        {"(;FF[3]SZ[9]CH[1];B[aa]L[bb][cc]M[dd];W[tt])", "CH[1]\n;B[aa]L[bb][cc]M[dd];W[])"},
        {"(;SZ[9];B[aa]KO[]MN[7];W[bb]VW[aa:cc])", "\n;B[aa]KO[]MN[7];W[bb]VW[aa:cc])"},
        {"(;SZ[9]XYZZY[a\\]b:c\\:d\\\\][] [2])", "XYZZY[a\\]b:c\\:d\\\\][][2])"},
        {"(;\r\nSZ[9]\r\nC[a\r\nb\n\rc\\\r\nd]\r\n;B[aa]\r\n)\r\n", "C[a\nb\ncd]\n;B[aa])"},
        {"(;SZ[9];AB[cc:dd]AE[ee:ef]AW[gg])", "\n;AB[cc][dc][cd][dd]AE[ee][ef]AW[gg])"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[300];
        kifu_timeline *timeline = read_game(cases[i].text);
        snprintf(expected, sizeof expected, "(;%s%s\n", head, cases[i].rest);
        must_write(timeline, expected);
        kifu_destroy(timeline);
        timeline = read_game(expected);
        must_write(timeline, expected);
        kifu_destroy(timeline);
    }
}
END_TEST

// What files have, and what is written: nothing is lost, and nothing is added.
START_TEST(F79_what_others_write_is_read_and_written_as_they_did)
{
    static const char *const cases[][2] = {
        {"(;SZ[9];B[aa]PL[W]C[x];W[bb])", "\n;B[aa]C[x]PL[W];W[bb])"},
        {"(;SZ[9];B[aa])", "\n;B[aa])"},
        {"(;SZ[9]KM[0]RU[Japanese];B[aa])", "KM[0]RU[Japanese]\n;B[aa])"},
        {"(;SZ[9]KM[6,5])", "KM[6,5])"},
        {"(;SZ[9]KM[]HA[])", "KM[])"},
        {"(;SZ[9]PL[1])", "PL[1])"},
        {"(;SZ[9]PL[2];W[aa])", "PL[2]\n;W[aa])"},
        {"(;SZ[9]PL[white];W[aa])", "PL[white]\n;W[aa])"},
        {"(;SZ[9]CA[ISO8859_1]C[\xe9])", "C[\xc3\xa9])"},
        {"(;SZ[9]CA[ISO 8859-1]C[\xe9])", "C[\xc3\xa9])"},
        {"(;SZ[9]CA[utf 8]C[\xc3\xa9])", "C[\xc3\xa9])"},
        {"(;SZ[9]CA[]C[\xe9])", "C[\xc3\xa9])"},
        {"(;SZ[9]CA[Big5]C[plain])", "C[plain])"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[200];
        kifu_timeline *timeline = read_game(cases[i][0]);
        if (strstr(cases[i][0], "6,5"))
            ck_assert_int_eq(go_get_state(timeline)->terms.komi, 13);
        snprintf(expected, sizeof expected, "(;FF[4]GM[1]CA[UTF-8]SZ[9]%s\n", cases[i][1]);
        must_write(timeline, expected);
        kifu_destroy(timeline);
        timeline = read_game(expected);
        must_write(timeline, expected);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(rules_have_names_in_any_letters)
{
    kifu_timeline *unnamed = read_game("(;SZ[9]RU[])");
    must_write(unnamed, "(;FF[4]GM[1]CA[UTF-8]SZ[9]RU[])\n");
    kifu_destroy(unnamed);

    static const struct {
        const char *name;
        go_ko ko;
        go_counting counting;
    } cases[] = {{"chinese", GO_KO_POSITIONAL, GO_COUNTING_AREA},
                 {"AGA", GO_KO_SITUATIONAL, GO_COUNTING_TERRITORY},
                 {"nz", GO_KO_SITUATIONAL, GO_COUNTING_AREA},
                 {"Chines", GO_KO_SIMPLE, GO_COUNTING_TERRITORY},
                 {"", GO_KO_SIMPLE, GO_COUNTING_TERRITORY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[60];
        snprintf(text, sizeof text, "(;SZ[9]RU[%s])", cases[i].name);
        kifu_timeline *timeline = read_game(text);
        ck_assert_int_eq(go_get_state(timeline)->terms.ko, cases[i].ko);
        ck_assert_int_eq(go_get_state(timeline)->terms.counting, cases[i].counting);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(the_promoted_line_comes_first)
{
    kifu_timeline *timeline = read_game("(;SZ[9];B[aa](;W[bb])(;W[cc](;B[dd])(;B[ee])))");
    ck_assert_int_eq(kifu_promote_line(timeline, 2), KIFU_OK);
    must_write(timeline, "(;FF[4]GM[1]CA[UTF-8]SZ[9]\n;B[aa]\n(;W[cc]\n(;B[ee])\n(;B[dd]))\n(;W[bb]))\n");
    char *text = sgf_write(timeline, false); // It stands at the end of line 0.
    ck_assert_str_eq(text, "(;FF[4]GM[1]CA[UTF-8]SZ[9]\n;B[aa];W[bb])\n");
    free(text);
    kifu_destroy(timeline);
}
END_TEST

// What is played on in a game that was read, what a view deletes, and steps that are no nodes.
START_TEST(a_game_that_goes_on_is_written)
{
    kifu_timeline *timeline = read_game("(;SZ[9]KM[0.5];B[aa];W[bb])");
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_int_eq(go_play_p_play(timeline, 1, 20), KIFU_OK);
    ck_assert_int_eq(go_play_p_pass(timeline, 0), KIFU_OK);
    ck_assert_int_eq(go_play_p_pass(timeline, 1), KIFU_OK);
    ck_assert_int_eq(go_play_p_mark(timeline, 0, 20), KIFU_OK);
    ck_assert_int_eq(go_play_p_play_on(timeline, 1), KIFU_OK);
    ck_assert_int_eq(go_play_p_play(timeline, 0, 1), KIFU_OK);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_int_eq(go_play_p_agree(timeline, 0), KIFU_OK);
    ck_assert_int_eq(go_play_p_agree(timeline, 1), KIFU_OK);
    static const char head[] = "(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[0.5]";
    char expected[200];
    snprintf(expected, sizeof expected, "%s\n;B[aa]\n(;W[bb])\n(;W[cc];B[];W[];B[ba]))\n", head);
    must_write(timeline, expected);
    ck_assert_int_eq(kifu_promote_line(timeline, kifu_current_line(timeline)), KIFU_OK);
    ck_assert_int_eq(kifu_set_note(timeline, kifu_event_count(timeline) - 1, KIFU_NOTE_COMMENT, "counted"), KIFU_OK);
    snprintf(expected, sizeof expected, "%sRE[B+80.5]\n;B[aa]\n(;W[cc];B[];W[]\n(;C[counted])\n(;B[ba]))\n(;W[bb]))\n",
             head);
    must_write(timeline, expected);
    kifu_destroy(timeline);
}
END_TEST

// Lines and notes are in saves.
START_TEST(trees_are_saved_and_loaded)
{
    for (uint32_t i = 0; i < 12; i++) {
        const random_sgf_kind kind = {.size = 9 + i % 11, .nodes = 60, .depth = 4};
        random_sgf_tree tree = random_sgf(100 + i, &kind);
        kifu_timeline *timeline = read_game(tree.text), *loaded;
        unsigned char *bytes;
        size_t size;
        kifu_error error;
        ck_assert_int_eq(kifu_go_to(timeline, kifu_line_count(timeline) / 2, KIFU_WHERE_LEFT, true), KIFU_OK);
        ck_assert_int_eq(kifu_save_to_memory(timeline, NULL, &bytes, &size), KIFU_OK);
        const kifu_options kept = {
            .quiet = true, .keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes};
        ck_assert_msg(!kifu_load_from_memory(&go_rules, bytes, size, &kept, NULL, &loaded, &error), "%s",
                      error.message);
        must_write(loaded, tree.text);
        ck_assert_int_eq(kifu_verify_replay(loaded, NULL), KIFU_OK);
        kifu_free_bytes(timeline, bytes);
        kifu_destroy(loaded);
        kifu_destroy(timeline);
        free(tree.text);
    }
}
END_TEST

START_TEST(a_game_of_a_collection_is_read)
{
    static const char text[] = "(;SZ[9];B[aa]) (;SZ[13];B[bb](;W[cc])(;W[dd]))\n(;SZ[19]";
    kifu_timeline *timeline;
    fault fault;
    ck_assert_int_eq(sgf_read(text, 2, &options, &timeline, &fault), KIFU_OK);
    ck_assert_uint_eq(go_get_state(timeline)->terms.size, 13);
    ck_assert_uint_eq(kifu_line_count(timeline), 2);
    kifu_destroy(timeline);
    ck_assert_int_eq(sgf_read(text, 3, &options, &timeline, &fault), KIFU_REJECTED);
    ck_assert(fault.line == 2 && fault.column == 9);
    ck_assert_int_eq(sgf_read("(;SZ[9])\n", 2, &options, &timeline, &fault), KIFU_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(fault.message, "no game 2"));
}
END_TEST

// --- Wrong and hostile texts -----------------------------------------------------------------------------------------

START_TEST(a_wrong_text_says_where)
{
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *message;
    } cases[] = {
        {"hello", 1, 1, "no game"},
        {"(;GM[2])", 1, 6, "another game"},
        {"(;SZ[8])", 1, 6, "from 9 to 19"},
        {"(;SZ[19:13])", 1, 6, "no square; a square one has 9 to 19 lines"},
        {"(;SZ[9:])", 1, 6, "no square"},
        {"(;SZ[:])", 1, 6, "from 9 to 19"},
        {"(;SZ[7:7])", 1, 6, "from 9 to 19"},
        {"(;SZ[9]AB[da][eb][dc]AW[ca][bb][cc][db]\n;B[cb];W[db]KO[])", 2, 10, "bring back a position"},
        {"(;SZ[99999999999999999999999999999999999999999999999999999])", 1, 6, "from 9 to 19"},
        {"(;KM[x])", 1, 6, "a number"},
        {"(;KM[1e999])", 1, 6, "a number"},
        {"(;KM[nan])", 1, 6, "a number"},
        {"(;HA[-1])", 1, 6, "a number"},
        {"(;SZ[9]\n;B[jj])", 2, 4, "no point of the board"},
        {"(;SZ[9]\n;B[ee];W[ee])", 2, 10, "a stone already"},
        {"(;SZ[9]\n(;B[ee])(;W[aa]\n(;B[bb];W[bb])))", 3, 11, "a stone already"},
        {"(;SZ[9]AB[ba][ab]\n;W[aa])", 2, 4, "no liberty"},
        {"(;SZ[9]\n;B[ee", 2, 3, "not closed by ]"},
        {"(;SZ[9];B)", 1, 9, "in brackets"},
        {"(;SZ[9];b[aa])", 1, 9, "capital letters"},
        {"(;SZ[9];ABCDEFGHIJKLMNOP[aa])", 1, 9, "too long"},
        {"(;SZ[9];B[aa]", 1, 14, "a ) is missing"},
        {"(;SZ[9];B[aa] 5)", 1, 15, "a node"},
        {"(;SZ[9](;B[aa])(;B[bb]", 1, 23, "a ) is missing"},
        {"(;SZ[9](;B[aa]);W[bb])", 1, 16, "after a variation"},
        {"(;SZ[9];B[aa]())", 1, 14, "no node"},
        {"((;SZ[9]))", 1, 1, "no node"},
        {"(;SZ[9];B[aa]W[bb])", 1, 15, "one move"},
        {"(;SZ[9];B[aa][bb])", 1, 10, "one move"},
        {"(;AB[zz])", 1, 6, "no point of the board"},
        {"(;AB[])", 1, 6, "no point of the board"},
        {"(;AB[cc:aa])", 1, 6, "upper left"},
        {"(;AB[aa]AW[aa])", 1, 12, "twice"},
        {"(;SZ[9];AB[aa:bb][bb])", 1, 19, "twice"},
        {"(;PL[x])", 1, 6, "B or W"},
        {"(;SZ[9];PL[x])", 1, 12, "B or W"},
        {"(;CA[Big5]C[\xa4\xa4])", 1, 6, "iconv -f Big5"},
        {"(;CA[UTF-8]C[\xff])", 1, 6, "not in UTF-8"},
        {"()", 1, 1, "no node"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *timeline = (kifu_timeline *)&options;
        fault fault;
        ck_assert_msg(sgf_read(cases[i].text, 1, &options, &timeline, &fault) == KIFU_REJECTED, "%s", cases[i].text);
        ck_assert_msg(strstr(fault.message, cases[i].message), "%s: %s", cases[i].text, fault.message);
        ck_assert_msg(fault.line == cases[i].line && fault.column == cases[i].column, "%s: %u:%u", cases[i].text,
                      fault.line, fault.column);
        ck_assert_ptr_null(timeline);
    }
}
END_TEST

// Only sanitizers notice a conversion to a type that has no room for the number.
START_TEST(F92_numbers_that_are_too_large_are_refused_before_they_are_converted)
{
    static const char *const texts[] = {"(;KM[6E5])",   "(;KM[-1e300])", "(;HA[1e9])",
                                        "(;HA[1e300])", "(;SZ[1e300])",  "(;SZ[-1e300:-1e300])"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        kifu_timeline *timeline = NULL;
        fault fault;
        ck_assert_msg(sgf_read(texts[i], 1, &options, &timeline, &fault) == KIFU_REJECTED, "%s", texts[i]);
        ck_assert_msg(fault.column == 6 && strstr(fault.message, "a number from"), "%s: %s", texts[i], fault.message);
    }
}
END_TEST

START_TEST(F92_notes_with_numbers_that_are_too_large_are_not_what_the_game_says)
{
    static const char *const numbers[] = {"6E5", "-1e300", "nan", "inf", "800.5"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        kifu_timeline *timeline = read_game("(;SZ[9]KM[6.5]HA[3];W[ee])");
        const uint32_t event = game_begin(timeline);
        ck_assert_int_eq(kifu_set_note(timeline, event, "KM", numbers[i]), KIFU_OK);
        ck_assert_int_eq(kifu_set_note(timeline, event, "HA", numbers[i]), KIFU_OK);
        char *text = sgf_write(timeline, true);
        ck_assert_ptr_nonnull(text);
        ck_assert_msg(strstr(text, "KM[6.5]") && strstr(text, "HA[3]"), "%s", text);
        free(text);
        kifu_destroy(timeline);
    }
}
END_TEST

// Some text, then another so many times, then a third.
static char *repeated(const char *begin, const char *middle, uint32_t count, const char *end)
{
    buffer text = {0};
    buffer_print(&text, "%s", begin);
    for (uint32_t i = 0; i < count; i++)
        buffer_put(&text, middle, strlen(middle));
    buffer_print(&text, "%s", end);
    ck_assert(!text.failed);
    return text.text;
}

START_TEST(hostile_texts_are_read_or_refused)
{
    static const struct {
        const char *begin, *middle, *end;
        uint32_t count;
        const char *message; // NULL: it is read
        uint32_t line;
    } cases[] = {
        {"(;SZ[9]", "\n(;B[];W[]", "", 100000, "nested more than 1000 times", 1001},
        {"(;SZ[9]", "(", "", 100000, "no node", 1},
        {"(;SZ[9]", "(;", "", 100000, "nested", 1},
        {"(;SZ[9]", "(;B[]", ")", 999, "a ) is missing", 1},
        {"(;SZ[9]", ")", "", 100000, NULL, 0},
        {"(;SZ[9]", ";B[];W[]", ")", 50000, NULL, 0},
        {"(;SZ[9]", "(;B[aa])", ")", 3000, NULL, 0},
        {"(;SZ[9];AB", "[aa]", ")", 100000, "twice", 1},
        {"(;SZ[9];TR", "[aa]", ")", 100000, NULL, 0},
        {"(;SZ[9]\n;C[", "0123456789abcdef", "])", 2 << 20, "limit", 2},
        {"(;SZ[9];B[aa]", ";AE[aa];AB[aa]", ")", 600, "too many moves", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = repeated(cases[i].begin, cases[i].middle, cases[i].count, cases[i].end);
        kifu_timeline *timeline;
        fault fault;
        const kifu_result result = sgf_read(text, 1, &options, &timeline, &fault);
        ck_assert_msg(result == (cases[i].message ? KIFU_REJECTED : KIFU_OK), "case %zu: %s", i, fault.message);
        if (cases[i].message)
            ck_assert_msg(strstr(fault.message, cases[i].message) && fault.line == cases[i].line && !timeline,
                          "case %zu: %u: %s", i, fault.line, fault.message);
        kifu_destroy(timeline);
        free(text);
    }
}
END_TEST

// A text of which a byte is another, or which is cut off: it is read, and then written and read again, or refused.
START_TEST(damaged_texts_are_read_or_refused)
{
    static const char bytes[] = "()[];:\\\nBWACLPaxz0-\xc3";
    const unsigned long texts = fuzz_steps(60000) / 100;
    const random_sgf_kind kind = {.size = 9, .nodes = 12, .depth = 2};
    unsigned long refused = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 11);
    for (unsigned long i = 0; i < texts; i++) {
        random_sgf_tree tree = random_sgf(fuzz_seed() * 7919 + i % 20, &kind);
        const uint32_t length = (uint32_t)strlen(tree.text);
        tree.text[kifu_rng_below(&rng, length)] = bytes[kifu_rng_below(&rng, sizeof bytes)];
        kifu_timeline *timeline, *again;
        fault fault;
        const kifu_result result = sgf_read(tree.text, 1, &options, &timeline, &fault);
        ck_assert(result == KIFU_OK || (result == KIFU_REJECTED && fault.line && fault.column && !timeline));
        refused += result == KIFU_REJECTED;
        char *text = result ? NULL : sgf_write(timeline, true);
        if (text) {
            ck_assert_msg(sgf_read(text, 1, &options, &again, &fault) == KIFU_OK, "%s\n%s\n%s", fault.message,
                          tree.text, text);
            must_write(again, text);
            kifu_destroy(again);
        }
        kifu_destroy(timeline);
        free(text);
        free(tree.text);
    }
    ck_assert(refused && refused < texts);
}
END_TEST

// Words of SGF in any order.
START_TEST(random_words_are_read_or_refused)
{
    static const char *const words[] = {
        "(",   "(;",    ")",    ";",   "B[aa]",     "W[bb]",        "B[]",     "AB[aa:cc]",
        "AE",  "[ab]",  "C[",   "]",   "\\",        "SZ[9]",        "KM[6.5]", "RE[B+R]",
        "\n",  "PL[W]", "KO[]", "LB",  "[aa:\xc3]", "\xef\xbb\xbf", "TE[1]",   "KIFU[a:b]",
        "[:]", "HA[2]", "RU[",  "CA[", "UTF-8",     "W[tt]",        "BL[1]",   "[aa][aa]"};
    const unsigned long texts = fuzz_steps(200000) / 100;
    unsigned long read = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 12);
    for (unsigned long i = 0; i < texts; i++) {
        buffer text = {0};
        buffer_print(&text, "%s", i % 2 ? "(;SZ[9]" : "");
        for (uint32_t count = kifu_rng_below(&rng, 24); count; count--)
            buffer_print(&text, "%s", words[kifu_rng_below(&rng, sizeof words / sizeof *words)]);
        buffer_print(&text, "%s", i % 2 ? ")" : "");
        kifu_timeline *timeline;
        fault fault;
        if (!sgf_read(text.text, 1, &options, &timeline, &fault)) {
            char *written = sgf_write(timeline, true);
            kifu_timeline *again = read_game(written);
            must_write(again, written);
            kifu_destroy(again);
            free(written);
            read++;
        } else
            ck_assert_msg(fault.line && fault.column && !timeline, "%s", text.text);
        kifu_destroy(timeline);
        free(text.text);
    }
    ck_assert(read > 0 && read < texts);
}
END_TEST

START_TEST(files_are_read_and_written)
{
    char path[] = "/tmp/kifu-go-XXXXXX";
    kifu_timeline *timeline = read_game(example), *again;
    fault fault;
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    ck_assert(sgf_save(timeline, true, path));
    ck_assert_int_eq(sgf_load(path, 1, &options, &again, &fault), KIFU_OK);
    char *text = sgf_write(timeline, true);
    must_write(again, text);
    free(text);
    kifu_destroy(again);
    kifu_destroy(timeline);
    remove(path);
    ck_assert_int_eq(sgf_load(path, 1, &options, &again, &fault), KIFU_IO);
    ck_assert_ptr_nonnull(strstr(fault.message, ON_WINDOWS ? "not found" : "No such file"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        random_trees_are_the_same_text_after_import_and_export,
        what_is_written_as_others_do_becomes_what_sgf_write_writes,
        texts_and_what_becomes_of_them,
        F79_what_others_write_is_read_and_written_as_they_did,
        rules_have_names_in_any_letters,
        the_promoted_line_comes_first,
        a_game_that_goes_on_is_written,
        trees_are_saved_and_loaded,
        a_game_of_a_collection_is_read,
        a_wrong_text_says_where,
        F92_numbers_that_are_too_large_are_refused_before_they_are_converted,
        F92_notes_with_numbers_that_are_too_large_are_not_what_the_game_says,
        hostile_texts_are_read_or_refused,
        damaged_texts_are_read_or_refused,
        random_words_are_read_or_refused,
        files_are_read_and_written,
    };
    return run_suite("go_sgf", tests, sizeof tests / sizeof *tests);
}
