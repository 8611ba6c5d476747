/// The file of the program: a save, or SGF.
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "app.h"

/// Opens the file, or begins a new game if there is none. False: `error` says why not.
bool document_open(app *app, kifu_error *error);

/// Begins a new game in its place.
bool document_begin(app *app, kifu_error *error);

/// Writes what has happened, as far as the file is a log.
void document_append(app *app);

/// Writes the file at the end. False: `error` says why not.
bool document_close(app *app, kifu_error *error);

#endif
