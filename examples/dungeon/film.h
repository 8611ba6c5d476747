/// The whole game as a film.
#ifndef FILM_H
#define FILM_H

#include "view.h"

/// Begins at the first event.
void film_begin(view *view, kifu_timeline *timeline);

/// A key while it runs.
void film_press(view *view, kifu_timeline *timeline, int key);

/// Back to the present.
void film_end(view *view, kifu_timeline *timeline);

#endif
