// The computer player of the chess example: it looks ahead on a copy of the game, and plays well enough to be fun.

#include "ai.h"
#include "bot.h"
#include "chess_help.h"
#include "coordinates.h"
#include "suite.h"

static const char *choose(const kifu_timeline *timeline, ai_limits limits)
{
    static char text[COORDINATES_LENGTH];
    chess_move best;
    kifu_error error;
    ck_assert_msg(!ai_choose(timeline, &limits, &best, &error), "%s", error.message);
    coordinates_write(best, text);
    return text;
}

START_TEST(C11_it_finds_the_only_move)
{
    static const struct {
        const char *fen;
        uint32_t depth;
        const char *move;
    } cases[] = {
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 2, "a1a8"},                                   // mate
        {"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 4, "a1a6"},                                   // mate in two, by zugzwang
        {"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4", 2, "h5f7"}, // the scholar's mate
        {"4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", 2, "e3d5"},                                   // takes what hangs
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", 3, "a7a8q"},
        {"8/8/8/8/8/1k6/p7/K7 w - - 0 1", 2, "0000"}, // stalemate
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *timeline = chess_new(cases[i].fen);
        if (strcmp(cases[i].move, "0000"))
            ck_assert_msg(!strcmp(choose(timeline, (ai_limits){.depth = cases[i].depth}), cases[i].move), "%s: %s",
                          cases[i].fen, choose(timeline, (ai_limits){.depth = cases[i].depth}));
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(C11_the_timeline_is_only_looked_at)
{
    kifu_timeline *timeline = chess_new(NULL);
    const chess_state before = *chess_get_state(timeline);
    const uint32_t events = kifu_event_count(timeline);
    char first[COORDINATES_LENGTH];
    strcpy(first, choose(timeline, (ai_limits){.tries = 5000}));
    ck_assert_str_eq(choose(timeline, (ai_limits){.tries = 5000}), first);
    ck_assert_mem_eq(&before, chess_get_state(timeline), sizeof before);
    ck_assert_uint_eq(kifu_event_count(timeline), events);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(C11_who_cannot_move_has_no_best_move)
{
    kifu_timeline *timeline = chess_new("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1");
    chess_move best;
    kifu_error error;
    ck_assert_int_eq(ai_choose(timeline, &(ai_limits){.depth = 2}, &best, &error), KIFU_MISUSE);
    ck_assert_str_eq(error.message, "nobody can move");
    kifu_destroy(timeline);
}
END_TEST

static bool stop_at_once(void *context)
{
    ++*(int *)context;
    return true;
}

static void count_report(void *context, const ai_report *report)
{
    ++*(int *)context;
    ck_assert_uint_ge(report->line_length, 1);
}

START_TEST(C11_it_stops_when_asked)
{
    int asked = 0, told = 0;
    kifu_timeline *timeline = chess_new(NULL);
    choose(timeline, (ai_limits){.stop = stop_at_once, .context = &asked});
    ck_assert_int_eq(asked, 1);
    choose(timeline, (ai_limits){.depth = 3, .report = count_report, .context = &told});
    ck_assert_int_eq(told, 3);
    choose(timeline, (ai_limits){.seconds = 0.01});
    kifu_destroy(timeline);
}
END_TEST

// It has white, and looks two half-moves ahead; black's moves are drawn by lot. It gives mate in all the games.
START_TEST(C11_it_beats_moves_drawn_by_lot)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        kifu_timeline *timeline = chess_new(NULL);
        kifu_rng rng;
        kifu_rng_seed(&rng, seed, 1);
        while (kifu_get_game(timeline)->phase == KIFU_PHASE_PLAY) {
            const chess_position *position = &chess_get_state(timeline)->position;
            chess_move moves[MOST_MOVES], best;
            kifu_error error;
            if (position_to_move(position) == CHESS_SIDE_WHITE) {
                ck_assert(!ai_choose(timeline, &(ai_limits){.depth = 3}, &best, &error));
            } else {
                const uint32_t count = moves_legal(position, moves);
                best = moves[kifu_rng_below(&rng, count)];
            }
            must(timeline, chess_play(timeline, best));
        }
        ck_assert_str_eq(chess_end_in_words(chess_get_state(timeline)), "Checkmate: white wins.");
        kifu_destroy(timeline);
    }
}
END_TEST

// Kifu's list of moves is that of the rules, in every position of games drawn by lot.
START_TEST(C11_the_moves_that_are_listed)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        kifu_timeline *timeline = chess_new(NULL);
        kifu_moves listed = {0};
        kifu_rng rng;
        kifu_rng_seed(&rng, seed, 2);
        for (int i = 0; i < 60 && kifu_get_game(timeline)->phase == KIFU_PHASE_PLAY; i++) {
            chess_move legal[MOST_MOVES];
            const uint32_t count = moves_legal(&chess_get_state(timeline)->position, legal);
            const int player = kifu_current_player(kifu_get_game(timeline));
            must(timeline, kifu_list_moves(timeline, 1 - player, &listed));
            ck_assert_uint_eq(listed.count, 0);
            must(timeline, kifu_list_moves(timeline, player, &listed));
            ck_assert_uint_eq(listed.count, count);
            for (uint32_t k = 0; k < count; k++) {
                const chess_p_move *each = listed.items[k].table;
                ck_assert_uint_eq(each->from, legal[k].from);
                ck_assert_uint_eq(each->to, legal[k].to);
                ck_assert_uint_eq(each->promotion, legal[k].promotion);
            }
            must(timeline, chess_play(timeline, legal[kifu_rng_below(&rng, count)]));
        }
        kifu_free_moves(&listed);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(C11_the_easy_level_is_kifus_bot)
{
    static const struct {
        const char *fen, *move;
    } cases[] = {
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"}, // mate
        {"4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5"}, // takes what hangs
        {"3rk3/8/8/8/8/8/4PPPP/3Q2K1 b - - 0 1", "d8d1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *timeline = chess_new(cases[i].fen);
        kifu_moves moves = {0};
        const kifu_move *move;
        char text[COORDINATES_LENGTH];
        must(timeline, kifu_choose_move(timeline, kifu_current_player(kifu_get_game(timeline)), &chess_bot,
                                        &(kifu_thinking){.tries = 2000}, &moves, &move));
        const chess_p_move *chosen = move->table;
        coordinates_write((chess_move){chosen->from, chosen->to, chosen->promotion}, text);
        ck_assert_str_eq(text, cases[i].move);
        kifu_free_moves(&moves);
        kifu_destroy(timeline);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        C11_it_finds_the_only_move,      C11_the_timeline_is_only_looked_at, C11_who_cannot_move_has_no_best_move,
        C11_it_stops_when_asked,         C11_it_beats_moves_drawn_by_lot,    C11_the_moves_that_are_listed,
        C11_the_easy_level_is_kifus_bot,
    };
    return run_suite("chess: computer", tests, sizeof tests / sizeof *tests);
}
