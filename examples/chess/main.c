// chess: the game in a terminal. This file opens and saves the game, lets the computer think, and gives kifu_update its
// time.

#include <stdio.h>
#include <string.h>
#include <time.h>

#include <curses.h>
#include <kifu/main.h>

#include "ai.h"
#include "app.h"
#include "arguments.h"
#include "bot.h"
#include "evaluate.h"
#include "game.h"
#include "pgn_file.h"
#include "remarks.h"
#include "review.h"
#include "rules.h"

enum { KEY_WAIT_MS = 30, EASY_TRIES = 2000 };

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

// --- The game and its save -------------------------------------------------------------------------------------------

// From here on, the save has what happens as it happens.
static void begin_log(app *app)
{
    app->logged = kifu_log_open(app->timeline, app->path, NULL) == KIFU_OK;
    if (!app->logged)
        view_say(&app->view, "This game will not be saved before you quit: %s",
                 kifu_last_error(app->timeline)->message);
}

static void append_to_log(app *app)
{
    if (!app->logged || !kifu_log_append(app->timeline))
        return;
    app->logged = false;
    view_say(&app->view, "This game is not saved any more before you quit: %s",
             kifu_last_error(app->timeline)->message);
}

// PGN says who plays.
static void take_names(app *app)
{
    static const char *const sides[] = {"White", "Black"};
    const kifu_game *game = kifu_get_game(app->timeline);
    for (int side = 0; side < 2; side++) {
        const char *tag = pgn_tag(app->timeline, sides[side]), *name = !tag && app->pgn ? "?" : tag;
        const int player = game->order[side] != 0;
        if (!name)
            continue;
        snprintf(app->own_names[player], sizeof app->own_names[player], "%s", name);
        app->names[player] = app->own_names[player];
    }
}

// A new timeline takes the place of the old one.
static void replace_timeline(app *app, kifu_timeline *timeline)
{
    const kifu_game *game = kifu_get_game(timeline);
    kifu_destroy(app->timeline);
    app->timeline = timeline;
    app->promote = NO_SQUARE;
    app->view.turned = !app->computer[game->order[CHESS_SIDE_BLACK]] && app->computer[game->order[CHESS_SIDE_WHITE]];
    app->view.reviewing = kifu_note_at(timeline, KIFU_BEFORE_FIRST, REMARK_REVIEW) != NULL;
    app->view.functions.base.redraw(&app->view, timeline);
    take_names(app);
}

bool app_new_game(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    if (kifu_create(&chess_rules, &app->options, &timeline, error))
        return false;
    if (chess_begin(timeline, &(chess_setup){.white = app->white}, NULL)) {
        *error = *kifu_last_error(timeline);
        kifu_destroy(timeline);
        return false;
    }
    replace_timeline(app, timeline);
    begin_log(app);
    return true;
}

static bool load(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    kifu_recovery recovery;
    const kifu_load_options load_options = {.recover = kifu_recover,
                                            .recovery = &recovery}; // a game that was killed has left a log file
    if (kifu_load(&chess_rules, app->path, &app->options, &load_options, &timeline, error))
        return false;
    if (kifu_get_game(timeline)->player_count != 2) { // a save may come from anywhere
        *error = (kifu_error){.result = KIFU_DAMAGED, .message = "this is no game of two players"};
        kifu_destroy(timeline);
        return false;
    }
    replace_timeline(app, timeline);
    if (kifu_get_game(timeline)->phase == KIFU_PHASE_GAME_OVER)
        view_say(&app->view, "This game (%s) is over. N: a new game", app->path);
    else
        view_say(&app->view, "The game goes on where %s (%s). N: a new game",
                 recovery.dropped ? "its damaged save is whole" : "you left it", app->path);
    begin_log(app);
    return true;
}

static bool load_pgn(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    if (pgn_file_read(app->pgn, app->pgn_game, &app->options, &timeline, error))
        return false;
    replace_timeline(app, timeline);
    review_toggle(app);
    view_say(&app->view, "Game %u of %s. The save is %s.", (unsigned)app->pgn_game, app->pgn, app->path);
    begin_log(app);
    return true;
}

static kifu_result save(app *app)
{
    const kifu_save_options options = {.title = "Chess", .players = app->names, .player_count = 2};
    return app->logged ? kifu_log_close(app->timeline, &options) : kifu_save(app->timeline, app->path, &options);
}

// --- Playing ---------------------------------------------------------------------------------------------------------

// The easiest level is Kifu's own bot; on the others, `ai.c` looks so many half-moves ahead.
static void choose_move(app *app, int player)
{
    kifu_moves moves = {0};
    const kifu_move *easy = NULL;
    chess_move best;
    kifu_error error;
    if (app->level == 1) {
        if (kifu_choose_move(app->timeline, player, &chess_bot, &(kifu_thinking){.tries = EASY_TRIES}, &moves, &easy))
            view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
        else if (easy)
            kifu_submit_move(app->timeline, easy);
        kifu_free_moves(&moves);
    } else if (ai_choose(app->timeline, &(ai_limits){.depth = app->level, .seconds = 5}, &best, &error)) {
        view_say(&app->view, "%s", error.message);
    } else {
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
        if (key == ERR && view_input_has_ended())
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
        append_to_log(app);
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
        return kifu_main(&chess_rules, NULL, argc - 1, argv + 1);
#endif
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(arguments_usage, stdout);
        return 0;
    }
    if (!arguments_read(&app, argc, argv)) {
        fputs(arguments_usage, stderr);
        return 2;
    }
    if (!view_open(&app.view)) {
        fputs("chess: this is no terminal that I know; is TERM set?\n", stderr);
        return 1;
    }
    app.options.view = &app.view.functions.base;

    kifu_error error = {.result = KIFU_OK};
    // A FILE that is not there yet is where the new game will be saved; any other trouble with it should not be buried.
    bool good = load(&app, &error);
    if (!good && error.result == KIFU_IO)
        good = app.pgn ? load_pgn(&app, &error) : app_new_game(&app, &error);
    if (good) {
        play(&app);
        good = save(&app) == KIFU_OK;
        if (!good)
            error = *kifu_last_error(app.timeline);
    }
    view_close();
    if (good)
        printf("Saved as %s. The game goes on with: %s %s\n", app.path, argv[0], app.path);
    else
        fprintf(stderr, "chess: %s: %s\n", app.pgn && !app.timeline ? app.pgn : app.path, error.message);
    kifu_destroy(app.timeline);
    return good ? 0 : 1;
}
