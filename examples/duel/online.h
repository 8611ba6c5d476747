/// Duel over a network: the same loop, whose timeline has what one player sees. Without kifu::nats, it is left out.
#ifndef ONLINE_H
#define ONLINE_H

#include "app.h"

#ifdef WITH_ONLINE

/// Runs the command of kifu/online.h in `argv`. Returns the exit status.
int online_main(app *app, int argc, char **argv);

/// `kifu_update`, and if the game is played over a network, sends and receives.
kifu_result online_update(app *app, double dt);

/// Over a network, whether it is the turn of the player at this keyboard, and nothing waits for an answer.
bool online_is_ready(const app *app);

/// A key that means something else over a network. False: it does not.
bool online_press(app *app, int key);

#else

static inline kifu_result online_update(app *app, double dt)
{
    return kifu_update(app->timeline, dt);
}

static inline bool online_is_ready(const app *app)
{
    (void)app;
    return true;
}

static inline bool online_press(app *app, int key)
{
    (void)app;
    (void)key;
    return false;
}

#endif

#endif
