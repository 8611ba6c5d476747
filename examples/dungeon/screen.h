/// Drawing with curses. `view_draw` of view.h is here, too.
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>

/// Opens the terminal; false when there is none.
bool screen_open(void);
void screen_close(void);

#endif
