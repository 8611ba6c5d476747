// Playing directly gives what submitting and running gives: in random games of chess.
#include "chess.h"
#include "twins_help.h"

extern const kifu_fuzz_hooks chess_fuzz_hooks;

static kifu_result play(kifu_timeline *timeline, const input *input)
{
    const chess_p_move *move = (const void *)input->table;
    if (input->type == CHESS_P_MOVE)
        return chess_play_p_move(timeline, input->player, move->from, move->to, move->promotion);
    if (input->type == CHESS_P_RESIGN)
        return chess_play_p_resign(timeline, input->player);
    return kifu__play(timeline, input->type, input->player, input->table, input->size);
}

static const game chess = {"chess", &chess_rules, &chess_fuzz_hooks, play, ARRAY(chess_state, keys), NULL};

START_TEST(X06_chess_played_directly)
{
    play_games(&chess, 1);
}
END_TEST

START_TEST(X06_chess_played_directly_without_memory)
{
    starve_game(&chess);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {X06_chess_played_directly, X06_chess_played_directly_without_memory};
    return run_suite("chess, directly", tests, sizeof tests / sizeof *tests);
}
