/// What the program in the terminal consists of.
#ifndef APP_H
#define APP_H

#include <stdbool.h>
#include <stdint.h>

#include "view.h"

typedef struct app {
    kifu_timeline *timeline;
    kifu_options options;
    view view;
    const char *path;     // of the save
    bool computer[2];     // by player number
    uint32_t level;       // of the computer
    const uint64_t *seed; // NULL: lots are really drawn
} app;

/// Whether the screen shows the past.
static inline bool app_in_past(const app *app)
{
    return kifu_position(app->timeline) != kifu_event_count(app->timeline);
}

/// The game goes on with another timeline: from a save, or a fork. Takes it over, or destroys it; false: `error` says
/// why.
bool app_go_on_with(app *app, kifu_timeline *timeline, kifu_error *error);

#endif
