/// What the program is called with.
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "app.h"

extern const char arguments_usage[];

/// False: they are not understood.
bool arguments_read(app *app, int argc, char **argv);

#endif
