/// The file of the program: a save, which is a log file while the program runs. A game may come from an SGF file, and
/// go into one; that is written only when the player says so.
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "app.h"

/// Opens the save, or a game of the SGF file if there is no save yet, or begins a new game. False: `error` says why
/// not.
bool document_open(app *app, kifu_error *error);

/// Begins a new game in its place.
bool document_begin(app *app, kifu_error *error);

/// Writes what has happened to the save.
void document_append(app *app);

/// Writes SGF beside the save: game.kifu, game.sgf. If there is such a file, which the
/// program has not written itself, W has to be pressed twice.
void document_write(app *app);

/// Writes the save at the end. False: `error` says why not. A save that says no more than the SGF file from which it
/// was read goes: `app->path` becomes that file.
bool document_close(app *app, kifu_error *error);

#endif
