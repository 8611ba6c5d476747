// The Do functions of the standard events.
//
// One number in kifu.EInitialize says who starts, not a list of the whole order: the others follow clockwise, and the
// game chooses their places at the table already. -1 draws lots, so events of old saves, which have no such field, mean
// what they meant.
//
// kifu.EResetGame edits only what is not zero, so the first event of a game journals nothing, however large the state
// is.

#include "base/os.h"
#include "core/timeline.h"

const kifu_game *kifu_get_game(const kifu_timeline *timeline)
{
    return (const kifu_game *)(const void *)timeline->core.state;
}

kifu_result kifu_do_e_reset_game(kifu_timeline *timeline, const kifu_game *game, const kifu_e_reset_game *event)
{
    (void)event;
    // Only what is not zero already is journaled: in a new game nothing, however large the state is. The size is a
    // multiple of 8, as a kifu_game's is.
    const unsigned char *state = (const unsigned char *)game;
    kifu__open_rng(timeline);
    kifu__state_unclear(&timeline->core);
    for (uint32_t offset = 0; offset < timeline->rules->state_size; offset += 8) {
        uint64_t word;
        memcpy(&word, state + offset, sizeof word);
        if (word)
            memset(kifu__edit_scalar(timeline, offset), 0, 8);
    }
    if (timeline->options.reset)
        timeline->options.reset(timeline->options.user);
    return KIFU_OK;
}

static bool is_taken(const kifu_game *game, uint8_t position)
{
    for (uint32_t i = 0; i < game->player_count; i++) {
        if (game->players[i].position == position)
            return true;
    }
    return false;
}

kifu_verdict kifu_check_e_add_player(kifu_timeline *timeline, const kifu_game *game, kifu_e_add_player *event)
{
    const uint32_t most = timeline->rules->max_players ? timeline->rules->max_players : KIFU_MAX_PLAYERS;
    if (game->player_count >= most)
        return kifu_reject("the table is full: no more players can join");
    return is_taken(game, event->position) ? kifu_reject("another player sits at that position") : kifu_accept();
}

// A save may have more players than this version of the game lets join, but never more than there is room for.
kifu_result kifu_do_e_add_player(kifu_timeline *timeline, const kifu_game *game, const kifu_e_add_player *event)
{
    uint32_t count = game->player_count;
    if (count >= KIFU_MAX_PLAYERS)
        return kifu_fail(timeline, "the table is full: a game has at most 16 players");
    if (is_taken(game, event->position))
        return kifu_fail(timeline, "another player sits at that position");
    uint32_t player = offsetof(kifu_game, players) + count * (uint32_t)sizeof(kifu_player_info);
    kifu_player_info *info = (kifu_player_info *)kifu__edit_bytes(timeline, player, (uint32_t)sizeof(kifu_player_info));
    info->color = event->color;
    info->position = event->position;
    *(uint8_t *)kifu__edit_scalar(timeline, offsetof(kifu_game, order) + count) = (uint8_t)count;
    *(uint8_t *)kifu__edit_scalar(timeline, offsetof(kifu_game, player_count)) = (uint8_t)(count + 1);
    return KIFU_OK;
}

static bool may_start(const kifu_game *game, int player)
{
    return player == KIFU_BY_LOT || (player >= 0 && player < game->player_count);
}

kifu_verdict kifu_check_e_initialize(kifu_timeline *timeline, const kifu_game *game, kifu_e_initialize *event)
{
    if (!may_start(game, event->starting_player))
        return kifu_reject("the player who is to start has not joined");
    if (!event->has_seed) {
        uint64_t seed = timeline->options.seed;
        if (!seed && !kifu__os_entropy(&seed, sizeof seed))
            return kifu_reject("the operating system gave no seed: set kifu_options.seed");
        event->has_seed = true;
        event->seed = seed;
    }
    return kifu_accept();
}

kifu_result kifu_do_e_initialize(kifu_timeline *timeline, const kifu_game *game, const kifu_e_initialize *event)
{
    if (!event->has_seed)
        return kifu_fail(timeline, "it was recorded without a seed");
    if (!may_start(game, event->starting_player))
        return kifu_fail(timeline, "the player who is to start has not joined");
    kifu_rng *rng = (kifu_rng *)kifu__edit_bytes(timeline, offsetof(kifu_game, rng), (uint32_t)sizeof(kifu_rng));
    kifu_rng_seed(rng, event->seed, 0);
    uint32_t count = game->player_count;
    if (!count)
        return KIFU_OK;

    uint8_t order[KIFU_MAX_PLAYERS];
    for (uint32_t i = 0; i < count; i++) { // by position: an insertion sort
        uint32_t at = i;
        for (; at > 0 && game->players[order[at - 1]].position > game->players[i].position; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)i;
    }
    uint32_t start = 0;
    if (event->starting_player == KIFU_BY_LOT)
        start = kifu_random_below(timeline, count);
    else
        while (order[start] != event->starting_player)
            start++;
    uint8_t *turns = (uint8_t *)kifu__edit_bytes(timeline, offsetof(kifu_game, order), KIFU_MAX_PLAYERS);
    for (uint32_t i = 0; i < count; i++)
        turns[i] = order[(start + i) % count];
    *kifu_edit_turn(timeline) = 0;
    return KIFU_OK;
}

void kifu_set_current_player(kifu_timeline *timeline, int player)
{
    const kifu_game *game = kifu_get_game(timeline);
    uint32_t place = 0;
    while (place < game->player_count && game->order[place] != player)
        place++;
    if (place < game->player_count)
        *kifu_edit_turn(timeline) = (uint8_t)place;
    else
        kifu__fault(timeline, KIFU_MISUSE, "kifu_set_current_player: player %d has not joined", player);
}

kifu_result kifu_do_e_start_round(kifu_timeline *timeline, const kifu_game *game, const kifu_e_start_round *event)
{
    (void)event;
    *kifu_edit_turn(timeline) = 0;
    *kifu_edit_phase(timeline) = KIFU_PHASE_PLAY;
    *kifu_edit_round(timeline) = game->round + 1;
    return KIFU_OK;
}

kifu_result kifu_do_e_end_game(kifu_timeline *timeline, const kifu_game *game, const kifu_e_end_game *event)
{
    (void)game;
    (void)event;
    *kifu_edit_phase(timeline) = KIFU_PHASE_GAME_OVER;
    return KIFU_OK;
}
