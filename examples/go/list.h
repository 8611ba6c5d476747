/// The games of an SGF file: a list of them, and the way from one to another.
#ifndef LIST_H
#define LIST_H

#include "app.h"

/// Prints a line for each game; returns the program's exit status.
int list_print(const char *path);

/// Lets the player choose a game, which opens.
void list_choose(app *app);

/// Opens the next game, or the one before (`step` -1). Those that cannot be read are passed over.
void list_go(app *app, int step);

#endif
