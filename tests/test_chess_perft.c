// The moves of chess, counted: all published counts are right only if every rule of movement is, and do and undo too.

#include "chess_help.h"
#include "perft.h"
#include "plain_chess.h"
#include "suite.h"

// The six positions of chessprogramming.org/Perft_Results: the start, Kiwipete, and positions 3 to 6.
static const struct {
    const char *fen;
    uint64_t games[6]; // by depth from 1; 0: not counted here
} published[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", {20, 400, 8902, 197281}},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", {48, 2039, 97862}},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {14, 191, 2812, 43238, 674624}},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", {6, 264, 9467, 422333}},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", {44, 1486, 62379}},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", {46, 2079, 89890}},
};
enum { PUBLISHED = sizeof published / sizeof *published };

START_TEST(C01_perft_of_the_six_standard_positions)
{
    for (size_t i = 0; i < PUBLISHED; i++) {
        kifu_timeline *timeline = chess_new(published[i].fen);
        const chess_state before = *chess_get_state(timeline);
        for (uint32_t depth = 1; published[i].games[depth - 1]; depth++) {
            kifu_result result = KIFU_OK;
            const uint64_t games = chess_perft(timeline, depth, &result);
            must(timeline, result);
            ck_assert_msg(games == published[i].games[depth - 1], "%s: %llu games of %u moves, not %llu",
                          published[i].fen, (unsigned long long)games, (unsigned)depth,
                          (unsigned long long)published[i].games[depth - 1]);
        }
        ck_assert_mem_eq(&before, chess_get_state(timeline), sizeof before);
        kifu_destroy(timeline);
    }
}
END_TEST

// What the benchmark compares with plays the same chess.
START_TEST(C01_perft_by_hand)
{
    for (size_t i = 0; i < PUBLISHED; i++) {
        kifu_timeline *timeline = chess_new(published[i].fen);
        chess_state state = *chess_get_state(timeline);
        for (uint32_t judged = 0; judged < 2; judged++) {
            uint64_t made = 0;
            ck_assert_uint_eq(plain_perft(&state, 3, judged, &made), published[i].games[2]);
            ck_assert_mem_eq(&state, chess_get_state(timeline), sizeof state);
        }
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(C01_divide_adds_up)
{
    for (size_t i = 0; i < PUBLISHED; i++) {
        kifu_timeline *timeline = chess_new(published[i].fen);
        kifu_result result = KIFU_OK;
        chess_move moves[MOST_MOVES];
        uint64_t counts[MOST_MOVES], games = 0;
        const uint32_t count = chess_divide(timeline, 2, moves, counts, &result);
        must(timeline, result);
        ck_assert_uint_eq(count, published[i].games[0]);
        for (uint32_t k = 0; k < count; k++)
            games += counts[k];
        ck_assert_uint_eq(games, published[i].games[1]);
        kifu_destroy(timeline);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {C01_perft_of_the_six_standard_positions, C01_perft_by_hand, C01_divide_adds_up};
    return run_suite("chess: perft", tests, sizeof tests / sizeof *tests);
}
