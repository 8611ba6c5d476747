/// What the suites of the chess example share.
#ifndef TESTS_CHESS_HELP_H
#define TESTS_CHESS_HELP_H

#include <string.h>

#include "checks.h"
#include "fen.h"
#include "game.h"
#include "moves.h"
#include "rules.h"

static inline void must(const kifu_timeline *timeline, kifu_result result)
{
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
}

#define ck_assert_text(timeline, text)                                                                                 \
    ck_assert_msg(strstr(kifu_last_error(timeline)->message, text), "%s", kifu_last_error(timeline)->message)

/// A game from a position (NULL: the beginning); player 0 has white.
static inline kifu_timeline *chess_new(const char *fen)
{
    kifu_timeline *timeline;
    kifu_error error;
    fault fault = {0};
    const uint64_t seed = 1;
    ck_assert_msg(!kifu_create(&chess_rules, &(kifu_options){.quiet = true}, &timeline, &error), "%s", error.message);
    const kifu_result result = chess_begin(timeline, &(chess_setup){.fen = fen, .seed = &seed}, &fault);
    ck_assert_msg(!result, "%s: column %u: %s %s", fen ? fen : "", (unsigned)fault.column, fault.message,
                  kifu_last_error(timeline)->message);
    return timeline;
}

static inline kifu_result chess_play(kifu_timeline *timeline, chess_move move)
{
    const int player = kifu_current_player(kifu_get_game(timeline));
    return chess_play_p_move(timeline, player, move.from, move.to, move.promotion);
}

#endif
