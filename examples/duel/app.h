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
    bool has_path;        // no other game is saved there: this one is saved there when the player leaves
    bool computer[2];     // by player number
    uint32_t level;       // of the computer
    const uint64_t *seed; // NULL: lots are really drawn
    double looked;        // when the last key was looked for in the computer's thinking
    bool left;            // the player has left meanwhile

    struct kifu_online *online; // NULL: the game is played on this machine alone
} app;

/// Whether the screen shows the past.
static inline bool app_in_past(const app *app)
{
    return kifu_position(app->timeline) != kifu_event_count(app->timeline);
}

/// The game goes on with another timeline: from a save, or a fork. Takes it over, or destroys it; false: `error` says
/// why.
bool app_go_on_with(app *app, kifu_timeline *timeline, kifu_error *error);

/// Plays until the player leaves.
void app_play(app *app);

#endif
