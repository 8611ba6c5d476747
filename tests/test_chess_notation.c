// FEN, SAN and PGN of the chess example: both ways, and what is said of a wrong one.

#include <stdio.h>

#include "chess_help.h"
#include "pgn.h"
#include "san.h"
#include "suite.h"

// --- FEN -------------------------------------------------------------------------------------------------------------

START_TEST(C05_fen_both_ways)
{
    static const char *const texts[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 12 345",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        "r3k3/8/8/8/8/8/8/4K2R w Kq - 150 9999",
        "k1K5/8/8/8/8/8/8/QQQQQQQQ b - - 3 60",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        chess_position position;
        fault fault;
        char text[FEN_LENGTH];
        ck_assert_msg(fen_read(texts[i], &position, &fault), "%s: %s", texts[i], fault.message);
        fen_write(&position, text);
        ck_assert_str_eq(text, texts[i]);
    }
}
END_TEST

START_TEST(C05_fen_that_is_read_and_written_in_another_way)
{
    static const struct {
        const char *text, *written;
    } cases[] = {
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b qkQK e3 0 1", // nobody can capture there
         "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
        {"8/8/8/8/8/8/k1K3Q1/8 w - - 5 0", "8/8/8/8/8/8/k1K3Q1/8 w - - 5 1"},
        {"11111111/8/8/8/8/8/k1K111Q1/8  w  -  -  5  6 ", "8/8/8/8/8/8/k1K3Q1/8 w - - 5 6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        chess_position position;
        fault fault;
        char text[FEN_LENGTH];
        ck_assert_msg(fen_read(cases[i].text, &position, &fault), "%s: %s", cases[i].text, fault.message);
        fen_write(&position, text);
        ck_assert_str_eq(text, cases[i].written);
    }
}
END_TEST

START_TEST(C05_wrong_fen_says_where)
{
    static const struct {
        const char *text;
        uint32_t column;
        const char *message;
    } cases[] = {
        {"", 1, "fewer than eight squares"},
        {"rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 19, "more than eight squares"},
        {"rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 20, "fewer than eight squares"},
        {"rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 18, "more than eight squares"},
        {"rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 14, "a piece is one of"},
        {"rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 42, "fewer than eight ranks"},
        {"rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 37, "more than eight ranks"},
        {"8/8/8/8/8/8/8/K7 w - - 0 1", 1, "black has 0 kings"},
        {"k7/8/8/8/8/8/8/KK6 w - - 0 1", 1, "white has 2 kings"},
        {"k6P/8/8/8/8/8/8/K7 w - - 0 1", 1, "a white pawn stands on the first or last rank"},
        {"k7/8/QQQQQQQQ/QQ6/8/8/8/K7 w - - 0 1", 1, "white has more pieces than eight pawns can become"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 44, "who is to move"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", 45, "w or b"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", 47, "Chess960"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1", 49, "castling is any of KQkq"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1", 52, "from a6 to h6"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", 52, "no pawn can just have advanced"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 151 1", 54, "from 0 to 150"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 10000", 56, "from 1 to 9999"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2", 58, "nothing comes behind"},
        {"K6r/8/8/8/8/8/8/k7 b - - 0 1", 20, "could capture the king"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        chess_position position;
        fault fault = {0};
        ck_assert_msg(!fen_read(cases[i].text, &position, &fault), "%s", cases[i].text);
        ck_assert_msg(strstr(fault.message, cases[i].message) && fault.column == cases[i].column, "%s: %u: %s",
                      cases[i].text, (unsigned)fault.column, fault.message);
        ck_assert_uint_eq(fault.line, 1);

        kifu_timeline *timeline;
        ck_assert_int_eq(kifu_create(&chess_rules, NULL, &timeline, NULL), KIFU_OK);
        ck_assert_int_eq(chess_begin(timeline, &(chess_setup){.fen = cases[i].text}, NULL), KIFU_REJECTED);
        ck_assert_uint_eq(kifu_event_count(timeline), 0);
        chess_submit_e_set_up(timeline, cases[i].text);
        ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
        ck_assert_text(timeline, "this is not FEN");
        kifu_destroy(timeline);
    }
}
END_TEST

// --- SAN -------------------------------------------------------------------------------------------------------------

START_TEST(C06_san_both_ways)
{
    static const struct {
        const char *fen, *move, *san;
    } cases[] = {
        {NULL, "e2e4", "e4"},
        {NULL, "g1f3", "Nf3"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"},
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
        {"1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8n", "axb8=N"},
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q+"},
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"},
        {"4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"},
        {"R7/4k3/8/8/8/8/4K3/R7 w - - 0 1", "a1a4", "R1a4"},
        {"2k5/8/8/8/Q6Q/8/4K3/Q7 w - - 0 1", "a4d4", "Qa4d4"}, // neither its file nor its rank is enough
        {"2k5/8/8/8/Q6Q/8/4K3/Q7 w - - 0 1", "h4d4", "Qhd4"},
        {"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"}, // the other one is pinned
        {"4k3/8/8/8/8/2n5/8/2N1K1N1 w - - 0 1", "g1e2", "Nge2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char letters[] = "..nbrq";
        kifu_timeline *timeline = chess_new(cases[i].fen);
        const chess_position *position = &chess_get_state(timeline)->position;
        const char *promotion = cases[i].move[4] ? strchr(letters, cases[i].move[4]) : letters;
        const chess_move wanted = {(uint8_t)square_named(cases[i].move), (uint8_t)square_named(cases[i].move + 2),
                                   (chess_kind)(promotion - letters)};
        char san[SAN_LENGTH];
        chess_move read;
        fault fault;
        san_write(position, wanted, san);
        ck_assert_str_eq(san, cases[i].san);
        ck_assert_msg(san_read(position, san, strlen(san), &read, &fault), "%s: %s", san, fault.message);
        ck_assert_mem_eq(&read, &wanted, sizeof read);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(C06_san_that_is_read_and_written_in_another_way)
{
    static const struct {
        const char *fen, *text, *san;
    } cases[] = {
        {NULL, "Ng1f3!?", "Nf3"},
        {NULL, "Ngf3", "Nf3"},
        {NULL, "N1f3", "Nf3"},
        {NULL, "e2e4", "e4"},
        {NULL, "e2-e4", "e4"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0-0", "O-O-O"},
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8Q", "a8=Q+"},
        {"1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "ab8=R", "axb8=R+"},
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8", "Ra8#"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *timeline = chess_new(cases[i].fen);
        const chess_position *position = &chess_get_state(timeline)->position;
        char san[SAN_LENGTH];
        chess_move read;
        fault fault;
        ck_assert_msg(san_read(position, cases[i].text, strlen(cases[i].text), &read, &fault), "%s: %s", cases[i].text,
                      fault.message);
        san_write(position, read, san);
        ck_assert_str_eq(san, cases[i].san);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(C06_wrong_san_says_why_and_where)
{
    static const struct {
        const char *fen, *text;
        uint32_t column;
        const char *message;
    } cases[] = {
        {NULL, "", 1, "this is no move"},
        {NULL, "hello", 4, "this is no move"},
        {NULL, "Nx", 2, "this is no move"},
        {NULL, "Ni3", 2, "this is no move"},
        {NULL, "Nzf3", 2, "this is no move"},
        {NULL, "Nf3x", 3, "this is no move"},
        {NULL, "Nf5", 1, "no knight of white can move to f5"},
        {NULL, "Nbf3", 1, "no knight of white can move to f3 from there"},
        {NULL, "e5", 1, "no pawn of white can move to e5"},
        {NULL, "e4=Q", 1, "no pawn of white can move to e4"},
        {NULL, "O-O", 1, "it cannot castle there now"},
        {"4k3/8/8/8/8/8/3K4/8 w - - 0 1", "O-O", 1, "cannot castle there now"},
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8", 1, "say what the pawn becomes on a8, as in a8=Q"},
        {"4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", 1, "two pieces can move there: write Rad1 or Rhd1"},
        {"4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1", "Ne2", 1, "the king would be in check"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *timeline = chess_new(cases[i].fen);
        chess_move read;
        fault fault = {0};
        ck_assert_msg(
            !san_read(&chess_get_state(timeline)->position, cases[i].text, strlen(cases[i].text), &read, &fault), "%s",
            cases[i].text);
        ck_assert_msg(strstr(fault.message, cases[i].message) && fault.column == cases[i].column, "%s: %u: %s",
                      cases[i].text, (unsigned)fault.column, fault.message);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(F78_a_wrong_move_says_what_is_wrong_with_it)
{
    static const char *const cases[][2] = {
        {"exd3", "no pawn of white can move to d3 from there"},
        {"O\u2013O", "it cannot castle there now"},
        {"O-P", "this is no move"},
        {"e3f4", "no piece of white can move to f4 from there"},
    };
    kifu_timeline *timeline = chess_new(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        chess_move read;
        fault fault = {0};
        ck_assert(!san_read(&chess_get_state(timeline)->position, cases[i][0], strlen(cases[i][0]), &read, &fault));
        ck_assert_msg(strstr(fault.message, cases[i][1]), "%s: %s", cases[i][0], fault.message);
    }
    kifu_destroy(timeline);
}
END_TEST

// --- PGN: more of it is in test_chess_pgn.c -------------------------------------------------------------------------

#define ROSTER(result)                                                                                                 \
    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n"                \
    "[Result \"" result "\"]\n"

static kifu_timeline *read_pgn(const char **text)
{
    kifu_timeline *timeline;
    fault fault = {0};
    const kifu_result result = pgn_read(text, &(kifu_options){.quiet = true}, &timeline, NULL, &fault);
    ck_assert_msg(!result, "%u:%u: %s", (unsigned)fault.line, (unsigned)fault.column, fault.message);
    return timeline;
}

static void must_write(kifu_timeline *timeline, const char *text)
{
    char *written = pgn_write(timeline);
    ck_assert_str_eq(written, text);
    free(written);
}

START_TEST(C07_pgn_with_all_that_may_be_between_the_moves)
{
    static const char text[] = "% what a program keeps for itself [\n"
                               "[White \"A \\\"B\" \\\\C\"]\n[ Black  \"D\" ]\n[Odd \"1\"]\n\n"
                               "{ before } 1. e4 $1 (1. d4 d5 (1... Nf6 {) [} 2. c4) 2. c4) 1... e5!? ; the rest (\n"
                               "2.Nf3\r\n2... Nc6 3 Bb5 {Ruy Lopez} a6\n%)(\n1/2-1/2  \n\n[White \"E\"]\n*\n";
    const char *at = text;
    kifu_timeline *timeline = read_pgn(&at);
    ck_assert_str_eq(pgn_tag(timeline, "White"), "A \"B\" \\C");
    ck_assert_str_eq(pgn_tag(timeline, "Black"), "D");
    ck_assert_ptr_null(pgn_tag(timeline, "Event"));
    ck_assert_uint_eq(chess_get_state(timeline)->ending, CHESS_ENDING_AGREEMENT);
    must_write(timeline, "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
                         "[White \"A \\\"B\\\" \\\\C\"]\n[Black \"D\"]\n[Result \"1/2-1/2\"]\n[Odd \"1\"]\n\n"
                         "{ before } 1. e4 $1 (1. d4 d5 (1... Nf6 {) [} 2. c4) 2. c4) 1... e5 $5 { the\n"
                         "rest (} 2. Nf3 Nc6 3. Bb5 {Ruy Lopez} 3... a6 1/2-1/2\n");
    kifu_destroy(timeline);
    ck_assert(pgn_has_more(at));
    timeline = read_pgn(&at);
    ck_assert_str_eq(pgn_tag(timeline, "White"), "E");
    ck_assert_str_eq(chess_result(chess_get_state(timeline)), "*");
    ck_assert(!pgn_has_more(at));
    kifu_destroy(timeline);
}
END_TEST

START_TEST(C07_pgn_from_another_position)
{
    static const char text[] = ROSTER("0-1") "[FEN \"8/8/8/8/8/5k2/4p3/4K3 b - - 0 40\"]\n[SetUp \"1\"]\n\n"
                                             "40... Kg2 41. Kd2 Kf2 0-1\n";
    const char *at = text;
    kifu_timeline *timeline = read_pgn(&at);
    ck_assert_uint_eq(chess_get_state(timeline)->ending, CHESS_ENDING_RESIGNATION);
    must_write(timeline, text);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(C07_wrong_pgn_says_where)
{
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *message;
    } cases[] = {
        {"", 1, 1, "here is no game of PGN"},
        {"1. e4 [White \"A\"] *", 1, 7, "here comes a move, a comment, a variation or the result"},
        {"\n1. Nf5 *", 2, 4, "move 1. Nf5: no knight of white can move to f5"},
        {"1.\n  e9 *", 2, 3, "move 1. e9: this is no move"},
        {"1. e4 {never", 1, 7, "this comment is not closed by }"},
        {"1. e4 (1. d4 {never\n) *", 1, 14, "this comment is not closed by }"},
        {"1. e4 (1. d4\n(1. c4) *", 1, 7, "this variation is not closed by )"},
        {"1. e4 (1. d4\n(1. c4)", 1, 7, "this variation is not closed by )"},
        {"1. e4 (1. d4\n[White \"A\"]", 1, 7, "this variation is not closed by )"},
        {"1. e4 ) *", 1, 7, "here comes ), and no variation is open"},
        {"1. e4 (1. d4)) *", 1, 14, "no variation is open"},
        {"(1. e4) *", 1, 1, "a variation stands behind the move that it replaces"},
        {"1. e4 ((1. d4) 1. c4) *", 1, 8, "a variation stands behind the move that it replaces"},
        {"1. e4\n () *", 2, 2, "this variation has no move"},
        {"1. e4\n ({only words}) *", 2, 2, "this variation has no move"},
        {"1. e4 e5 17$1 *", 1, 10, "move 2. 17: this is no move"},
        {"1. e4 e5 (1... c5 2. Bb6 } 3. a3) *", 1, 26, "here comes a move, a comment, a variation or the result"},
        {"1. e4 $256 *", 1, 7, "a glyph is one of"},
        {"1. e4 $ *", 1, 7, "a glyph is one of"},
        {"1. e4!!! *", 1, 6, "a glyph is one of"},
        {"1. e4 } *", 1, 7, "here comes a move, a comment, a variation or the result"},
        {"[White Anna]\n*", 1, 8, "a tag is a name and a text in quotation marks"},
        {"[White \"Anna]\n*", 1, 1, "quotation mark is not closed"},
        {"[White \"Anna\"\n\n*", 3, 1, "not closed by ]"},
        {"[White \"A\"]\n[FEN \"k7/8/8/8/8/8/8/8 w - - 0 1\"]\n*", 2, 2, "FEN, column 1: white has 0 kings"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *timeline = NULL;
        const char *at = cases[i].text;
        fault fault = {0};
        ck_assert_int_eq(pgn_read(&at, NULL, &timeline, NULL, &fault), KIFU_REJECTED);
        ck_assert_msg(strstr(fault.message, cases[i].message) && fault.line == cases[i].line &&
                          fault.column == cases[i].column,
                      "%s: %u:%u: %s", cases[i].text, (unsigned)fault.line, (unsigned)fault.column, fault.message);
        ck_assert_ptr_eq(at, cases[i].text);
        ck_assert_ptr_null(timeline);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        C05_fen_both_ways,
        C05_fen_that_is_read_and_written_in_another_way,
        C05_wrong_fen_says_where,
        C06_san_both_ways,
        C06_san_that_is_read_and_written_in_another_way,
        C06_wrong_san_says_why_and_where,
        F78_a_wrong_move_says_what_is_wrong_with_it,
        C07_pgn_with_all_that_may_be_between_the_moves,
        C07_pgn_from_another_position,
        C07_wrong_pgn_says_where,
    };
    return run_suite("chess: notation", tests, sizeof tests / sizeof *tests);
}
