// Clocks: each player has a time for the whole game, and gets some of it back for each turn.

#include "referee/referee.h"

uint64_t kifu__time_left(const kifu_referee *referee, const kifu__game *game, uint32_t seat)
{
    const uint64_t left = game->seats[seat].left;
    const uint64_t used = game->running == (int)seat ? referee->now - game->since : 0;
    return used < left ? left - used : 0;
}

bool kifu__has_fallen(const kifu_referee *referee, const kifu__game *game)
{
    return game->running >= 0 && !kifu__time_left(referee, game, (uint32_t)game->running);
}

static int to_move(const kifu_referee *referee, const kifu__game *game)
{
    if (referee->options.to_move)
        return referee->options.to_move(referee->options.context, game->timeline);
    const kifu_game *standard = kifu_get_game(game->timeline);
    return standard->phase == KIFU_PHASE_GAME_OVER ? -1 : kifu_current_player(standard);
}

void kifu__turn_clock(kifu_referee *referee, kifu__game *game, int seat)
{
    if (!game->main_ms)
        return;
    const int before = game->running, next = to_move(referee, game);
    if (before >= 0)
        game->seats[before].left = kifu__time_left(referee, game, (uint32_t)before);
    if (before >= 0 && before == seat && next != before)
        game->seats[before].left += game->increment_ms;
    game->running = next >= 0 && next < (int)game->seat_count && game->seats[next].left ? next : -1;
    game->since = referee->now;
    if (game->running >= 0 && referee->now + game->seats[game->running].left < referee->due)
        referee->due = referee->now + game->seats[game->running].left;
}
