#include "match.h"

#include "board.h"
#include "bot.h"
#include "game.h"

enum { OPENING_MOVES = 4 };

// `black` and `white` are levels.
static kifu_result play_game(kifu_timeline *timeline, uint32_t black, uint32_t white, uint64_t seed)
{
    kifu_moves moves = {0};
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 1);
    kifu_result result = reversi_begin(timeline, &seed);
    for (uint32_t number = 0; !result && kifu_get_game(timeline)->phase == KIFU_PHASE_PLAY; number++) {
        const kifu_game *game = kifu_get_game(timeline);
        const uint32_t level = board_to_move(game) == REVERSI_DISC_BLACK ? black : white;
        const kifu_thinking thinking = {.tries = bot_tries(level), .seed = kifu_rng_next(&rng), .threads = 4};
        const int player = kifu_current_player(game);
        const kifu_move *move;
        if (number < OPENING_MOVES)
            result = kifu_choose_any_move(timeline, player, &rng, &moves, &move);
        else
            result = kifu_choose_move(timeline, player, &reversi_bot, &thinking, &moves, &move);
        if (!result)
            kifu_submit_move(timeline, move);
        if (!result)
            result = kifu_run(timeline);
    }
    kifu_free_moves(&moves);
    return result;
}

kifu_result match_play(uint32_t first, uint32_t second, uint32_t pairs, uint64_t seed, match_score *score,
                       kifu_error *error)
{
    const kifu_options options = {.quiet = true};
    kifu_timeline *timeline;
    kifu_result result = kifu_create(&reversi_rules, &options, &timeline, error);
    if (result)
        return result;
    *score = (match_score){0};
    for (uint32_t game = 0; game < 2 * pairs && !result; game++) {
        const bool is_black = game % 2 == 0;
        result = play_game(timeline, is_black ? first : second, is_black ? second : first, seed + game / 2);
        const reversi_disc winner = reversi_winner(reversi_get_state(timeline));
        score->drawn += winner == REVERSI_DISC_NONE;
        score->won += winner == (is_black ? REVERSI_DISC_BLACK : REVERSI_DISC_WHITE);
        score->lost += winner == (is_black ? REVERSI_DISC_WHITE : REVERSI_DISC_BLACK);
    }
    if (result)
        *error = *kifu_last_error(timeline);
    kifu_destroy(timeline);
    return result;
}
