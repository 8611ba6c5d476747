// chess: the game in a terminal. This file lets the computer think, and gives kifu_update its time.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <curses.h>
#include <kifu/main.h>

#include "ai.h"
#include "arguments.h"
#include "bot.h"
#include "document.h"
#include "draw.h"
#include "evaluate.h"
#include "game.h"
#include "list.h"
#include "rules.h"
#ifdef WITH_TOOL
#include "chess_web.h"
#endif

enum { KEY_WAIT_MS = 30, EASY_TRIES = 2000 };

static const double key_seconds = 0.03; // so often the easiest level looks for keys while it thinks

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int app_to_move(const app *app)
{
    const kifu_game *game = kifu_get_game(app->timeline);
    return game->phase == KIFU_PHASE_PLAY ? kifu_current_player(game) : -1;
}

bool app_computer_to_move(const app *app)
{
    const int player = app_to_move(app);
    return player >= 0 && app->computer[player] && !app->view.reviewing;
}

// --- Playing ---------------------------------------------------------------------------------------------------------

// The easiest level is Kifu's own bot; on the others, `ai.c` looks so many half-moves ahead.
static bool is_left(void *context)
{
    app *app = context;
    app->left |= view_left();
    return app->left;
}

// Kifu's bot hears this after each try.
static bool go_on_thinking(void *context, uint64_t done, uint64_t total)
{
    app *app = context;
    (void)done, (void)total;
    const double time = now();
    if (time - app->looked > key_seconds || time < app->looked) {
        app->looked = time;
        return !is_left(app);
    }
    return true;
}

static void choose_move(app *app, int player)
{
    kifu_moves moves = {0};
    const kifu_move *easy = NULL;
    chess_move best;
    kifu_error error;
    const ai_limits limits = {.depth = app->level, .seconds = 5, .stop = is_left, .context = app};
    if (app->level == 1) {
        const kifu_thinking thinking = {.tries = EASY_TRIES, .progress = go_on_thinking, .context = app};
        if (kifu_choose_move(app->timeline, player, &chess_bot, &thinking, &moves, &easy))
            view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
        else if (easy && !is_left(app))
            kifu_submit_move(app->timeline, easy);
        kifu_free_moves(&moves);
    } else if (ai_choose(app->timeline, &limits, &best, &error)) {
        view_say(&app->view, "%s", error.message);
    } else if (!is_left(app)) {
        chess_submit_p_move(app->timeline, player, best.from, best.to, best.promotion);
    }
}

static void let_computer_move(app *app)
{
    const chess_state *state = chess_get_state(app->timeline);
    const int player = app_to_move(app);
    const bool worse = evaluate(&state->position) < 0;
    if (worse && state->offer == other_side(position_to_move(&state->position))) {
        chess_submit_p_accept_draw(app->timeline, player);
        return;
    }
    if (worse && rules_claim(state)) {
        chess_submit_p_claim_draw(app->timeline, player, false, 0, 0, CHESS_KIND_NONE);
        return;
    }
    view_draw(&app->view, app->timeline, app->names, true);
    choose_move(app, player);
}

static void play(app *app)
{
    double last = now();
    for (bool changed = true;;) {
        if (changed)
            view_draw(&app->view, app->timeline, app->names, false);
        timeout(KEY_WAIT_MS);
        const int key = getch();
        if (app->left || view_interrupted() || (key == ERR && view_input_has_ended()))
            return;
        if (key != ERR && key != KEY_RESIZE && !controls_press(app, key))
            return;
        const double time = now();
        double dt = time - last;
        last = time;
        if (app_computer_to_move(app) && kifu_is_idle(app->timeline)) {
            let_computer_move(app);
            last = now(); // its thinking is no part of the animation
            dt = 0;
        }
        changed = key != ERR || !kifu_is_idle(app->timeline);
        // What goes wrong with an event is told to the view's `rejected`.
        kifu_update(app->timeline, dt);
        document_append(app);
    }
}

int main(int argc, char **argv)
{
    static app app = {.options = {.keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes},
                      .names = {"you", "computer"},
                      .computer = {false, true},
                      .level = 4,
                      .promote = NO_SQUARE,
                      .pgn_game = 1};
#ifdef WITH_TOOL
    if (argc > 1 && strcmp(argv[1], "tool") == 0)
        return kifu_main(&chess_rules, &(kifu_options){.draw = chess_draw, .web = &chess_web}, argc - 1, argv + 1);
#endif
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(arguments_usage, stdout);
        return 0;
    }
    if (!arguments_read(&app, argc, argv)) {
        fputs(arguments_usage, stderr);
        return 2;
    }
    if (app.list)
        return list_print(app.path);
    if (!view_open(&app.view)) {
        fputs("chess: this is no terminal that I know; is TERM set?\n", stderr);
        return 1;
    }
    app.options.view = &app.view.functions.base;
    app.options.draw = chess_draw;

    kifu_error error = {.result = KIFU_OK};
    bool good = document_open(&app, &error);
    if (good) {
        play(&app);
        good = document_close(&app, &error);
    }
    view_close();
    if (good && app.path == app.pgn)
        printf("%s has the whole game: %s %s opens it.\n", app.path, argv[0], app.path);
    else if (good)
        printf("Saved as %s. The game goes on with: %s %s\n", app.path, argv[0], app.path);
    else
        fprintf(stderr, "chess: %s: %s\n", app.pgn && !app.timeline ? app.pgn : app.path, error.message);
    free(app.text);
    kifu_destroy(app.timeline);
    return good ? 0 : 1;
}
