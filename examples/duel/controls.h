/// What a person does at the keyboard in his or her turn: the cursor, and what Enter means where it is.
#ifndef CONTROLS_H
#define CONTROLS_H

#include "view.h"

/// Says what `player`, a person, can do now: marks it, and writes the prompt and the hint. Before each drawing.
void controls_explain(view *view, const kifu_timeline *timeline, int player);

/// Moves the cursor to what is next on the screen.
void controls_move(view *view, int dx, int dy);

/// Moves the cursor to the next thing that can be used now.
void controls_next(view *view);

/// Uses what the cursor is on: plays a card, pays with a land, chooses an attacker, attacks.
void controls_use(view *view, kifu_timeline *timeline, int player);

/// Pays with the first lands that are untapped.
void controls_pay(view *view, kifu_timeline *timeline, int player);

/// Cancels what has begun: a payment, however far it went, or the choice of attackers.
void controls_cancel(view *view, kifu_timeline *timeline);

/// To be called when nothing waits and a transaction is open, with what running the timeline gave last: goes on with
/// what is paid for, or settles it.
void controls_go_on(view *view, kifu_timeline *timeline, int player, kifu_result result);

#endif
