// The bot thinks in events: announce, tap, sacrifice, play. A move is all of them together.

#include "ai.h"

#include <string.h>

#include "rules.h"

// --- What a position is worth ----------------------------------------------------------------------------------------

// A card on the table, to whom it belongs.
static int card_worth(const duel_state *state, uint32_t card)
{
    const card_kind *kind = rules_kind(state, card);
    if (kind->type == CARD_LAND)
        return 6;
    return 3 * rules_power(state, card) + 2 * rules_toughness(state, card) + kind->lands;
}

// All that a player has; only what everybody can see.
static int strength(const duel_state *state, int player)
{
    int life = state->sides[player].life;
    int sum = 4 * life - (life < 5 ? 3 * (5 - life) : 0) + 4 * (int)rules_count(state, player, DUEL_ZONE_HAND);
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (rules_owner(card) == player && state->cards[card].zone == DUEL_ZONE_PLAY)
            sum += card_worth(state, card);
    }
    return sum;
}

// A game that is over is won or lost; before that, a lead is worth the more the larger it is, and never all.
static void judge(const kifu_timeline *timeline, double *worth)
{
    const duel_state *state = duel_get_state(timeline);
    int lead = strength(state, 0) - strength(state, 1);
    worth[0] = 0.5 + 0.5 * lead / (40 + (lead < 0 ? -lead : lead));
    if (state->game.phase == KIFU_PHASE_GAME_OVER) {
        int winner = rules_winner(state);
        worth[0] = winner < 0 ? 0.5 : winner == 0;
    }
    worth[1] = 1 - worth[0];
}

static kifu_result deal(kifu_timeline *timeline, int player)
{
    return duel_try_e_imagine(timeline, (uint8_t)player);
}

const kifu_bot duel_bot = {.judge = judge, .deal = deal, .depth = 8};

uint32_t duel_ai_tries(uint32_t level)
{
    return 60u << 2 * (level - 1); // 60, 240, 960, 3,840, 15,360
}

// --- A whole move ----------------------------------------------------------------------------------------------------

// The best step, which is then part of `move`.
static kifu_result choose_step(kifu_timeline *timeline, const kifu_thinking *thinking, duel_move *move)
{
    kifu_moves steps = {0};
    const kifu_move *step;
    int player = kifu_current_player(kifu_get_game(timeline));
    kifu_result result = kifu_choose_move(timeline, player, &duel_bot, thinking, &steps, &step);
    if (!result && step) {
        switch (step->type) {
        case DUEL_P_ANNOUNCE:
            move->kind = DUEL_PLAY;
            move->card = ((const duel_p_announce *)step->table)->card;
            break;
        case DUEL_P_SACRIFICE:
            move->sacrifice = ((const duel_p_sacrifice *)step->table)->card;
            break;
        case DUEL_P_PLAY:
            move->target = ((const duel_p_play *)step->table)->target;
            break;
        case DUEL_P_ATTACK: {
            const duel_p_attack *attack = step->table;
            move->kind = DUEL_ATTACK;
            move->target = attack->target;
            move->attacker_count = duel_p_attack_attackers_count(attack);
            memcpy(move->attackers, duel_p_attack_attackers(attack), move->attacker_count);
            break;
        }
        default: // a land is tapped, or the turn ends
            break;
        }
        kifu_submit_move(timeline, step);
        result = kifu_run(timeline);
    }
    kifu_free_moves(&steps);
    return result;
}

// The first step, and if a card is announced, all that pay for it.
static kifu_result choose_steps(kifu_timeline *timeline, const kifu_thinking *thinking, duel_move *move)
{
    const duel_state *state = duel_get_state(timeline);
    kifu_result result;
    do
        result = choose_step(timeline, thinking, move);
    while (!result && rules_paying(state) != NO_CARD);
    return result;
}

// Whether the rules allow what comes of a move.
static kifu_result is_allowed(kifu_timeline *timeline, const duel_move *move, bool *allowed)
{
    const char *why;
    kifu_result result = kifu_begin(timeline, KIFU_SEARCH);
    if (result)
        return result;
    result = duel_make_move(timeline, move, &why);
    *allowed = !result;
    kifu_result back = kifu_roll_back(timeline);
    return result == KIFU_REJECTED || !result ? back : result;
}

kifu_result duel_ai_move(kifu_timeline *timeline, const kifu_thinking *thinking, duel_move *move)
{
    const duel_state *state = duel_get_state(timeline);
    int me = kifu_current_player(&state->game);
    if (me < 0 || rules_why_not_act(state, me))
        return KIFU_MISUSE;
    const kifu_thinking usual = {.tries = duel_ai_tries(AI_USUAL_LEVEL)};
    *move = (duel_move){.kind = DUEL_END_TURN, .sacrifice = NO_CARD, .target = NO_TARGET};
    kifu_result result = kifu_begin(timeline, KIFU_SEARCH);
    if (result)
        return result;
    result = choose_steps(timeline, thinking ? thinking : &usual, move);
    kifu_result back = kifu_roll_back(timeline);
    bool allowed = true;
    if (!result && !back)
        result = is_allowed(timeline, move, &allowed);
    if (!allowed)
        *move = (duel_move){.kind = DUEL_END_TURN};
    return result ? result : back;
}
