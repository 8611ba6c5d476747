#include "controls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game.h"

static uint32_t count_chosen(const view *view)
{
    uint32_t count = 0;
    for (uint32_t card = 0; card < CARD_COUNT; card++)
        count += view->chosen[card];
    return count;
}

static bool is_mine(const duel_state *state, int player, uint32_t target, duel_zone zone)
{
    return target < TARGET_PLAYER && rules_owner(target) == player && state->cards[target].zone == zone;
}

// --- What can be used ------------------------------------------------------------------------------------------------

// While a card is being paid for.
static const char *why_not_pay_with(const duel_state *state, int player, uint32_t target)
{
    const card_kind *kind = rules_kind(state, rules_paying(state));
    bool mine = is_mine(state, player, target, DUEL_ZONE_PLAY);
    if (rules_is_paid(state))
        return rules_why_not_target(state, state->cards[rules_paying(state)].kind, target);
    if (state->owed_lands && mine && rules_can_tap(state, player, target))
        return NULL;
    if (state->owed_creatures && mine && rules_is_creature(state, target))
        return NULL;
    return kind->creatures ? "first tap your lands and give up one of your creatures"
                           : "first tap your lands to pay (or Esc to take it back)";
}

// NULL: `player` can use `target` now.
static const char *why_not_use(const view *view, const duel_state *state, int player, uint32_t target)
{
    if (rules_paying(state) != NO_CARD)
        return why_not_pay_with(state, player, target);
    if (is_mine(state, player, target, DUEL_ZONE_HAND))
        return rules_why_not_announce(state, player, target);
    if (is_mine(state, player, target, DUEL_ZONE_PLAY)) {
        if (rules_is_creature(state, target))
            return rules_why_not_attack_with(state, player, target);
        return "a land pays for a card; choose one of your hand first";
    }
    if (target == TARGET_PLAYER + (uint32_t)player)
        return "this is you";
    if (count_chosen(view) == 0)
        return "choose your attackers first: Enter on each of them";
    return rules_why_not_attack_at(state, player, target);
}

static const char *what_use_does(const view *view, const duel_state *state, int player, uint32_t target)
{
    if (rules_paying(state) != NO_CARD) {
        if (rules_is_paid(state))
            return "Enter: aim at this.";
        return rules_is_creature(state, target) ? "Enter: give it up, as a part of the cost."
                                                : "Enter: tap it, to pay 1.";
    }
    if (is_mine(state, player, target, DUEL_ZONE_HAND))
        return "Enter: play it.";
    if (is_mine(state, player, target, DUEL_ZONE_PLAY))
        return view->chosen[target] ? "Enter: it stays at home." : "Enter: it joins the attack.";
    return "Enter: attack!";
}

// The cursor leaves what has gone, and what has just been used.
static void find_cursor(view *view, int player)
{
    const view_spot *spot = &view->spot[view->cursor];
    if (!spot->shown || (view->used && !view->usable[view->cursor]))
        controls_next(view);
    view->used = false;
    if (!view->spot[view->cursor].shown)
        view->cursor = TARGET_PLAYER + (uint32_t)player;
}

static void write_prompt(view *view, const duel_state *state, int player)
{
    char *prompt = view->prompt;
    uint32_t card = rules_paying(state), attackers = count_chosen(view);
    const char *name = card != NO_CARD ? rules_kind(state, card)->name : "";
    if (card != NO_CARD && rules_is_paid(state))
        snprintf(prompt, sizeof view->prompt, "%s: choose where it goes", name);
    else if (card != NO_CARD && state->owed_lands)
        snprintf(prompt, sizeof view->prompt, "%s: tap %u land%s to pay", name, state->owed_lands,
                 state->owed_lands > 1 ? "s" : "");
    else if (card != NO_CARD)
        snprintf(prompt, sizeof view->prompt, "%s: give up one of your creatures to pay", name);
    else if (attackers)
        snprintf(prompt, sizeof view->prompt, "%u ready to attack: now choose whom", attackers);
    else
        snprintf(prompt, sizeof view->prompt, "%s: play cards, attack, or end the turn", view->names[player]);
}

void controls_explain(view *view, const kifu_timeline *timeline, int player)
{
    const duel_state *state = duel_get_state(timeline);
    for (uint32_t card = 0; card < CARD_COUNT; card++) // what was chosen may have gone
        view->chosen[card] = view->chosen[card] && !rules_why_not_attack_with(state, player, card);
    for (uint32_t target = 0; target < TARGET_END; target++)
        view->usable[target] = view->spot[target].shown && !why_not_use(view, state, player, target);
    find_cursor(view, player);
    write_prompt(view, state, player);
    const char *why = why_not_use(view, state, player, view->cursor);
    if (why)
        snprintf(view->hint, sizeof view->hint, "Not now: %s.", why);
    else
        snprintf(view->hint, sizeof view->hint, "%s", what_use_does(view, state, player, view->cursor));
}

// --- The cursor ------------------------------------------------------------------------------------------------------

void controls_move(view *view, int dx, int dy)
{
    const view_spot *from = &view->spot[view->cursor];
    uint32_t best = view->cursor;
    int least = 10000;
    for (uint32_t target = 0; target < TARGET_END; target++) {
        const view_spot *to = &view->spot[target];
        int x = to->x - from->x, y = to->y - from->y;
        bool there = dx ? y == 0 && x * dx > 0 : y * dy > 0;
        int distance = dx ? abs(x) : abs(y) * 100 + abs(x);
        if (to->shown && there && distance < least) {
            least = distance;
            best = target;
        }
    }
    view->cursor = best;
}

void controls_next(view *view)
{
    for (uint32_t step = 1; step <= TARGET_END; step++) {
        uint32_t target = (view->cursor + step) % TARGET_END;
        if (view->usable[target]) {
            view->cursor = target;
            return;
        }
    }
}

// --- Doing it --------------------------------------------------------------------------------------------------------

// Says what went wrong, if anything.
static void report(view *view, const kifu_timeline *timeline, kifu_result result)
{
    if (result)
        view_say(view, "No: %s.", kifu_error_reason(kifu_last_error(timeline)));
}

static void attack(view *view, kifu_timeline *timeline, int player)
{
    uint8_t attackers[CARD_COUNT];
    uint32_t count = 0;
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (view->chosen[card])
            attackers[count++] = (uint8_t)card;
    }
    memset(view->chosen, 0, sizeof view->chosen);
    report(view, timeline, duel_begin_attack(timeline, player, attackers, count, view->cursor));
}

void controls_use(view *view, kifu_timeline *timeline, int player)
{
    const duel_state *state = duel_get_state(timeline);
    uint32_t target = view->cursor;
    const char *why = why_not_use(view, state, player, target);
    if (why) {
        view_say(view, "Not now: %s.", why);
        return;
    }
    view->used = true;
    if (rules_paying(state) != NO_CARD) {
        if (rules_is_paid(state))
            duel_submit_p_play(timeline, player, (uint8_t)target);
        else if (rules_is_creature(state, target))
            duel_submit_p_sacrifice(timeline, player, (uint8_t)target);
        else
            duel_submit_p_tap(timeline, player, (uint8_t)target);
    } else if (is_mine(state, player, target, DUEL_ZONE_HAND)) {
        report(view, timeline, duel_begin_play(timeline, player, target));
    } else if (is_mine(state, player, target, DUEL_ZONE_PLAY)) {
        view->chosen[target] = !view->chosen[target];
    } else {
        attack(view, timeline, player);
    }
}

void controls_pay(view *view, kifu_timeline *timeline, int player)
{
    if (rules_paying(duel_get_state(timeline)) == NO_CARD)
        view_say(view, "Not now: choose a card of your hand first.");
    else
        duel_tap_lands(timeline, player);
    view->used = true;
}

void controls_cancel(view *view, kifu_timeline *timeline)
{
    if (kifu_open_transactions(timeline)) {
        report(view, timeline, kifu_roll_back(timeline));
        view_say(view, "Taken back, with all that was paid.");
    }
    memset(view->chosen, 0, sizeof view->chosen);
}

void controls_go_on(view *view, kifu_timeline *timeline, int player, kifu_result result)
{
    const duel_state *state = duel_get_state(timeline);
    uint32_t card = rules_paying(state);
    if (card != NO_CARD && rules_is_paid(state) && rules_kind(state, card)->target == TARGET_NOTHING) {
        duel_submit_p_play(timeline, player, NO_TARGET);
        return;
    }
    const char *why;
    kifu_result settled = duel_settle(timeline, result, &why);
    if (why)
        view_say(view, "Taken back: %s.", why);
    else if (settled != result) // that one has been told
        report(view, timeline, settled);
}
