/// Keys that walk the steps of a game, and change what was written about them.
#ifndef REVIEW_H
#define REVIEW_H

#include "app.h"

#define REVIEW_NOTE "review" ///< The key of a note before the first event: the game is looked at, not played.

/// Begins, or ends: then the computer plays again.
void review_toggle(app *app);

/// Obeys a key; false: this is none of its own.
bool review_press(app *app, int key);

#endif
