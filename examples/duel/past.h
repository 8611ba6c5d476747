/// Going back: undo and redo, and looking at the game as it was.
#ifndef PAST_H
#define PAST_H

#include "app.h"

/// Takes back the last thing that a person did, or says why that cannot be.
void past_undo(app *app);
void past_redo(app *app);

/// Begins to show the past.
void past_begin(app *app);

/// A key while the past is shown.
void past_press(app *app, int key);

#endif
