#include "words.h"

#include <stdio.h>

#include "rules.h"

const char *words_of_target(const duel_state *state, uint32_t target, const char *const *names)
{
    if (target < TARGET_PLAYER)
        return rules_kind(state, target)->name;
    return target < TARGET_END ? names[target - TARGET_PLAYER] : "nothing";
}

static const char *name_of(int player, const char *const *names)
{
    return player == 0 || player == 1 ? names[player] : "nobody";
}

// The card of a PPlay: the one announced last.
static uint32_t played_card(const kifu_timeline *timeline, uint32_t index)
{
    kifu_event event;
    while (index-- > 0 && kifu_event_at(timeline, index, &event)) {
        if (event.type == DUEL_P_ANNOUNCE)
            return ((const duel_p_announce *)event.table)->card;
    }
    return 0;
}

static void say_play(const kifu_timeline *timeline, const kifu_event *event, const char *const *names, char *words,
                     size_t size)
{
    const duel_state *state = duel_get_state(timeline);
    const duel_p_play *play = event->table;
    int length = snprintf(words, size, "%s plays %s", name_of(event->player, names),
                          rules_kind(state, played_card(timeline, event->index))->name);
    if (play->target != NO_TARGET && length > 0 && (size_t)length < size)
        snprintf(words + length, size - (size_t)length, " at %s", words_of_target(state, play->target, names));
}

bool words_of_event(const kifu_timeline *timeline, const kifu_event *event, const char *const *names, char *words,
                    size_t size)
{
    const duel_state *state = duel_get_state(timeline);
    union {
        const void *table;
        const duel_e_begin_turn *turn;
        const duel_e_draw *draw;
        const duel_p_sacrifice *sacrifice;
        const duel_e_attack *attack;
        const duel_e_grow *grow;
        const duel_e_damage *damage;
        const duel_e_die *die;
        const duel_e_lose_life *lose_life;
        const duel_e_gain_life *gain_life;
        const duel_e_lose *lose;
    } of = {.table = event->table};
    switch (event->type) {
    case DUEL_E_BEGIN_TURN:
        snprintf(words, size, "%s's turn", name_of(of.turn->player, names));
        return true;
    case DUEL_E_DRAW:
        snprintf(words, size, "%s draws a card", name_of(of.draw->player, names));
        return event->cause != KIFU_NONE; // the hands that are dealt in the beginning
    case DUEL_P_PLAY:
        say_play(timeline, event, names, words, size);
        return true;
    case DUEL_P_SACRIFICE:
        snprintf(words, size, "%s gives up %s", name_of(event->player, names),
                 words_of_target(state, of.sacrifice->card, names));
        return true;
    case DUEL_E_ATTACK:
        snprintf(words, size, "%s attacks %s", words_of_target(state, of.attack->card, names),
                 words_of_target(state, of.attack->target, names));
        return true;
    case DUEL_E_GROW:
        snprintf(words, size, "%s grows", words_of_target(state, of.grow->card, names));
        return true;
    case DUEL_E_DAMAGE:
        snprintf(words, size, "%s takes %u damage", words_of_target(state, of.damage->card, names), of.damage->amount);
        return of.damage->amount > 0;
    case DUEL_E_DIE:
        snprintf(words, size, "%s dies", words_of_target(state, of.die->card, names));
        return true;
    case DUEL_E_LOSE_LIFE:
        snprintf(words, size, "%s loses %u life", name_of(of.lose_life->player, names), of.lose_life->amount);
        return true;
    case DUEL_E_GAIN_LIFE:
        snprintf(words, size, "%s gains %u life", name_of(of.gain_life->player, names), of.gain_life->amount);
        return true;
    case DUEL_E_LOSE:
        snprintf(words, size, "%s has lost", name_of(of.lose->player, names));
        return true;
    case DUEL_P_RESIGN:
        snprintf(words, size, "%s gives up the game", name_of(event->player, names));
        return true;
    default:
        return false;
    }
}
