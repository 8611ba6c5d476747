#include "online.h"

#include <ctype.h>
#include <stdio.h>

#include <kifu/online.h>

#include "draw.h"
#include "game.h"
#include "triggers.h"

kifu_result online_update(app *app, double dt)
{
    if (!app->online)
        return kifu_update(app->timeline, dt);
    const kifu_result result = kifu_online_update(app->online, dt);
    const char *words = kifu_online_words(app->online);
    if (words)
        view_say(&app->view, "%s%s", words, kifu_online_asker(app->online) < 0 ? "" : " (Y or N)");
    return result;
}

bool online_is_ready(const app *app)
{
    const int current = kifu_current_player(kifu_get_game(app->timeline));
    return !app->online || (kifu_online_is_ready(app->online) && current == kifu_online_seat(app->online));
}

bool online_press(app *app, int key)
{
    if (!app->online)
        return false;
    const int letter = key < 128 ? toupper(key) : 0;
    if ((letter == 'Y' || letter == 'N') && kifu_online_asker(app->online) >= 0)
        kifu_online_consent(app->online, letter == 'Y');
    else if (letter == 'U' && !kifu_open_transactions(app->timeline))
        kifu_online_undo(app->online);
    else if (letter == 'S' || letter == 'L' || letter == 'N' || letter == 'R' || (app_in_past(app) && letter == 'F'))
        view_say(&app->view, "Not over a network: the game is where it is served.");
    else
        return false;
    return true;
}

static kifu_result begin(void *context, kifu_timeline *timeline, uint32_t seats)
{
    (void)context;
    (void)seats;
    return duel_begin(timeline, NULL);
}

static int play(void *context, kifu_online *online)
{
    app *app = context;
    const int seat = kifu_online_seat(online);
    app->online = online;
    app->timeline = kifu_online_timeline(online);
    for (int i = 0; i < 2; i++)
        app->view.roles[i] = i == seat ? "you" : "";
    app->view.bottom = seat < 0 ? 0 : seat;
    app->view.face_up = seat >= 0;
    if (!view_open(&app->view) || view_follow(&app->view, app->timeline)) {
        fputs("duel: this is no terminal that I know; is TERM set?\n", stderr);
        return 1;
    }
    app_play(app);
    view_close();
    return 0;
}

int online_main(app *app, int argc, char **argv)
{
    const kifu_online_game game = {.rules = &duel_rules,
                                   .name = "duel",
                                   .seats = 2,
                                   .options = {.view = &app->view.functions.base,
                                               .draw = duel_draw,
                                               .observers = duel_triggers,
                                               .defer_batches = true,
                                               .judge_request = duel_judge_request},
                                   .begin = begin,
                                   .play = play,
                                   .players = app->view.names,
                                   .context = app};
    return kifu_online_main(&game, argc, argv);
}
