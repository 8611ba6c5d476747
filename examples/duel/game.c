#include "game.h"

// Of numbers that no one can guess, where no seed makes the game the same each time.
static void shuffle(kifu_timeline *timeline, uint8_t player, bool by_seed)
{
    uint64_t draws[DECK_SIZE - 1];
    const bool drawn = !by_seed && kifu_entropy(draws, sizeof draws);
    duel_submit_e_shuffle(timeline, player, drawn ? draws : NULL, drawn ? DECK_SIZE - 1 : 0);
}

kifu_result duel_begin(kifu_timeline *timeline, const uint64_t *seed)
{
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    initialize.has_seed = seed != NULL;
    initialize.seed = seed ? *seed : 0;
    duel_submit_e_reset_game(timeline);
    duel_submit_e_add_player(timeline, 0, 0x3060c0);
    duel_submit_e_add_player(timeline, 1, 0xc06030);
    duel_submit_e_initialize(timeline, &initialize);
    shuffle(timeline, 0, seed != NULL);
    shuffle(timeline, 1, seed != NULL);
    kifu_result result = kifu_run(timeline);
    if (result)
        return result;
    const kifu_game *game = kifu_get_game(timeline);
    for (uint32_t i = 0; i < START_HAND; i++) {
        duel_submit_e_draw(timeline, game->order[0]);
        duel_submit_e_draw(timeline, game->order[1]);
    }
    duel_submit_e_draw(timeline, game->order[1]);
    duel_submit_e_start_round(timeline);
    duel_submit_e_begin_turn(timeline, game->order[0]);
    return kifu_run(timeline);
}

kifu_result duel_begin_play(kifu_timeline *timeline, int player, uint32_t card)
{
    kifu_result result = kifu_begin(timeline, KIFU_DEFERRED);
    if (!result)
        duel_submit_p_announce(timeline, player, (uint8_t)card);
    return result;
}

// Taps the first `count` untapped lands.
static void tap_lands(kifu_timeline *timeline, int player, uint32_t count)
{
    const duel_state *state = duel_get_state(timeline);
    for (uint32_t card = 0; card < CARD_COUNT && count > 0; card++) {
        if (rules_can_tap(state, player, card)) {
            duel_submit_p_tap(timeline, player, (uint8_t)card);
            count--;
        }
    }
}

void duel_tap_lands(kifu_timeline *timeline, int player)
{
    tap_lands(timeline, player, duel_get_state(timeline)->owed_lands);
}

kifu_result duel_begin_attack(kifu_timeline *timeline, int player, const uint8_t *attackers, uint32_t count,
                              uint32_t target)
{
    kifu_result result = kifu_begin(timeline, 0);
    if (!result)
        duel_submit_p_attack(timeline, player, attackers, count, (uint8_t)target);
    return result;
}

kifu_result duel_begin_move(kifu_timeline *timeline, const duel_move *move)
{
    const duel_state *state = duel_get_state(timeline);
    int player = kifu_current_player(&state->game);
    if (move->kind == DUEL_END_TURN) {
        duel_submit_p_end_turn(timeline, player);
        return KIFU_OK;
    }
    if (move->kind == DUEL_ATTACK)
        return duel_begin_attack(timeline, player, move->attackers, move->attacker_count, move->target);

    kifu_result result = duel_begin_play(timeline, player, move->card);
    if (result)
        return result;
    tap_lands(timeline, player, rules_kind(state, move->card)->lands);
    if (move->sacrifice != NO_CARD)
        duel_submit_p_sacrifice(timeline, player, move->sacrifice);
    duel_submit_p_play(timeline, player, move->target);
    return KIFU_OK;
}

kifu_result duel_settle(kifu_timeline *timeline, kifu_result result, const char **why)
{
    const duel_state *state = duel_get_state(timeline);
    *why = NULL;
    if (rules_paying(state) != NO_CARD)
        return result; // the last step was refused, or it was not the last one
    if (!result)
        *why = rules_why_not_outcome(state, kifu_current_player(&state->game));
    if (!result && !*why)
        return kifu_commit(timeline);
    kifu_result back = kifu_roll_back(timeline);
    return back ? back : result ? result : KIFU_REJECTED;
}

kifu_result duel_make_move(kifu_timeline *timeline, const duel_move *move, const char **why)
{
    *why = NULL;
    kifu_result result = duel_begin_move(timeline, move);
    if (result)
        return result;
    result = kifu_run(timeline);
    if (move->kind == DUEL_END_TURN)
        return result;
    if (result) {
        kifu_result back = kifu_roll_back(timeline);
        return back ? back : result;
    }
    result = duel_settle(timeline, KIFU_OK, why);
    return result ? result : kifu_run(timeline); // what was triggered when it was paid
}

const char *duel_judge_request(const kifu_timeline *timeline, int player)
{
    return rules_why_not_outcome(duel_get_state(timeline), player);
}
