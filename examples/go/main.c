// go: the game in a terminal. This file reads the arguments, lets the computer think, and gives kifu_update its time.

#include <curses.h>
#include <kifu/main.h>
#include <kifu/notes.h>
#include <kifu/variations.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "board.h"
#include "document.h"
#include "draw.h"
#include "list.h"
#include "think.h"
#ifdef WITH_TOOL
#include "go_web.h"
#endif

enum { KEY_WAIT_MS = 30 };

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int app_to_move(const app *app)
{
    const go_state *state = go_get_state(app->timeline);
    return state->stage == GO_STAGE_PLAYING ? kifu_current_player(&state->game) : -1;
}

bool app_computer_to_move(const app *app)
{
    const int player = app_to_move(app);
    return player >= 0 && app->computer[player] && !app->view.reviewing;
}

// --- Playing ---------------------------------------------------------------------------------------------------------

static void draw(app *app, bool thinking)
{
    char writing[COMMENT + 1];
    snprintf(writing, sizeof writing, "%s_", app->note);
    view_draw(&app->view, app->timeline,
              &(view_shown){.title = app->sgf ? app->sgf : app->path,
                            .names = app->names,
                            .writing = app->writing ? writing : NULL,
                            .thinking = thinking});
}

// Whether the computer thinks on: not after a key that quits.
static bool goes_on(void *context, uint64_t done, uint64_t all)
{
    app *app = context;
    (void)done, (void)all;
    app->left = app->left || view_left();
    return !app->left;
}

static void let_computer_move(app *app, int player)
{
    const kifu_thinking thinking = {.tries = app->tries,
                                    .seconds = 3,
                                    .seed = kifu_event_count(app->timeline),
                                    .progress = goes_on,
                                    .context = app};
    thought thought;
    draw(app, true);
    if (think(go_get_state(app->timeline), &thinking, &thought))
        view_say(&app->view, "There is no memory for the computer to think with.");
    else if (app->left)
        return;
    else if (thought.resigns && !app->view.reviewing)
        go_submit_p_resign(app->timeline, player);
    else if (thought.point == NO_POINT)
        go_submit_p_pass(app->timeline, player);
    else
        go_submit_p_play(app->timeline, player, (uint16_t)thought.point);
}

// The computer marks what seems dead to it; people may change that, and agree.
static void mark_dead(app *app)
{
    const go_state *state = go_get_state(app->timeline);
    bool dead[MOST_POINTS];
    points chain;
    think_of_dead(state, dead);
    for (uint32_t point = 0; point < point_count(&state->terms); point++) {
        if (!state->board[point] || state->dead[point] == dead[point])
            continue;
        board_chain(&state->terms, state->board, point, NO_POINT, &chain);
        for (uint32_t i = 0; i < chain.count; i++)
            dead[chain.items[i]] = state->dead[chain.items[i]];
        go_submit_p_mark(app->timeline, state->game.order[0], (uint16_t)point);
    }
    view_say(&app->view, "The computer has marked what seems dead. Enter marks a chain, A agrees, O plays on.");
}

// Whether the computer has still to say what is dead: not where somebody has, as in a game that was saved.
static bool is_to_mark(const app *app)
{
    const go_state *state = go_get_state(app->timeline);
    bool any = app->marked || state->agreed[0] || state->agreed[1];
    for (uint32_t point = 0; point < point_count(&state->terms); point++)
        any = any || state->dead[point];
    return !any && !app->view.reviewing && (app->computer[0] || app->computer[1]);
}

static void answer(app *app)
{
    const int player = app_to_move(app);
    const bool counting = go_get_state(app->timeline)->stage == GO_STAGE_COUNTING;
    if (!kifu_is_idle(app->timeline))
        return;
    if (counting && (app->wanted || is_to_mark(app)))
        mark_dead(app);
    else if (player >= 0 && (app->wanted || app_computer_to_move(app)))
        let_computer_move(app, player);
    app->marked = counting;
    app->wanted = false;
}

static void play(app *app)
{
    double last = now();
    for (;;) {
        draw(app, false);
        timeout(KEY_WAIT_MS);
        const int key = getch();
        if (app->left || view_interrupted() || (key == ERR && view_input_has_ended()))
            return;
        if (key != ERR && key != KEY_RESIZE && !controls_press(app, key))
            return;
        const double time = now();
        const double dt = time - last;
        last = time;
        kifu_update(app->timeline, dt); // What goes wrong with an event is told to the view's `rejected`.
        answer(app);
        document_append(app);
    }
}

// --- Arguments -------------------------------------------------------------------------------------------------------

static const char usage[] =
    "usage: go [--two | --watch] [--white] [--size N] [--handicap N] [--komi N] [--area] [--tries N] [--game N | "
    "--list] "
    "[FILE]\n"
    "\n"
    "  --two         two persons, one screen; also to look at games\n"
    "  --watch       the computer against itself\n"
    "  --white       you have white\n"
    "  --size N      lines of the board: 9 to 19 (9)\n"
    "  --handicap N  black stones at the beginning: 2 to 9\n"
    "  --komi N      what white gets (6.5; after --handicap 0.5)\n"
    "  --area        stones and what they surround are counted; otherwise what they surround, and captives\n"
    "  --tries N     how much the computer thinks for a move (10000; at most 3 seconds)\n"
    "  --game N      which game of an SGF file (1)\n"
    "  --list        prints which games an SGF file has\n"
    "  FILE          the save: loaded at the start if it is there, written as you play (go.kifu);\n"
    "                or FILE.sgf: one of its games opens, and what you change is saved as FILE.kifu\n";

static bool read_number(const char *text, double least, double most, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return *text && !*end && *number >= least && *number <= most;
}

// Options with a number. False: it is none of them, or the number is none.
static bool read_option(app *app, const char *name, const char *text)
{
    double number;
    if (!strcmp(name, "--size") && read_number(text, LEAST_LINES, MOST_LINES, &number))
        app->terms.size = (uint8_t)number;
    else if (!strcmp(name, "--handicap") && read_number(text, 2, 9, &number))
        app->terms.handicap = (uint8_t)number, app->terms.komi = 1;
    else if (!strcmp(name, "--komi") && read_number(text, -400, 400, &number))
        app->terms.komi = (int16_t)(2 * number);
    else if (!strcmp(name, "--tries") && read_number(text, 1, 1e6, &number))
        app->tries = (uint32_t)number;
    else if (!strcmp(name, "--game") && read_number(text, 1, 1e9, &number))
        app->game = (uint32_t)number;
    else
        return false;
    return true;
}

static void choose_players(app *app, bool first, bool second, const char *one, const char *other)
{
    app->computer[0] = first;
    app->computer[1] = second;
    app->names[0] = one;
    app->names[1] = other;
}

static bool read_arguments(app *app, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--two"))
            choose_players(app, false, false, "player 1", "player 2");
        else if (!strcmp(argv[i], "--watch"))
            choose_players(app, true, true, "computer 1", "computer 2");
        else if (!strcmp(argv[i], "--white"))
            app->black = 1;
        else if (!strcmp(argv[i], "--list"))
            app->list = true;
        else if (!strcmp(argv[i], "--area"))
            app->terms.counting = GO_COUNTING_AREA;
        else if (argv[i][0] == '-' && i + 1 < argc && read_option(app, argv[i], argv[i + 1]))
            i++;
        else if (argv[i][0] != '-' && !app->path)
            app->path = argv[i];
        else
            return false;
    }
    return true;
}

static bool wants_help(int argc, char **argv)
{
    return argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
}

int main(int argc, char **argv)
{
    static app app = {.tries = 10000, .game = 1};
#ifdef WITH_TOOL
    if (argc > 1 && !strcmp(argv[1], "tool"))
        return kifu_main(&go_rules, &(kifu_options){.draw = go_draw, .web = &go_web}, argc - 1, argv + 1);
#endif
    app.terms = go_usual_terms();
    app.terms.size = 9;
    choose_players(&app, false, true, "you", "computer");
    const bool help = wants_help(argc, argv);
    if (help || !read_arguments(&app, argc, argv)) {
        fputs(usage, help ? stdout : stderr);
        return help ? 0 : 2;
    }
    if (!app.path)
        app.path = "go.kifu";
    if (app.list)
        return list_print(app.path);
    if (!view_open(&app.view)) {
        fputs("go: this is no terminal that I know; is TERM set?\n", stderr);
        return 1;
    }
    app.options = (kifu_options){.view = &app.view.functions.base,
                                 .draw = go_draw,
                                 .keep_variations = kifu_keep_variations,
                                 .keep_notes = kifu_keep_notes};
    kifu_error error = {.result = KIFU_OK};
    bool good = document_open(&app, &error);
    if (good) {
        play(&app);
        good = document_close(&app, &error);
    }
    view_close();
    if (good && app.path == app.sgf)
        printf("%s has the whole game: %s %s opens it.\n", app.path, argv[0], app.path);
    else if (good)
        printf("Saved as %s. The game goes on with: %s %s\n", app.path, argv[0], app.path);
    else
        fprintf(stderr, "go: %s: %s\n", app.sgf && !app.timeline ? app.sgf : app.path, error.message);
    free(app.text);
    kifu_destroy(app.timeline);
    return good ? 0 : 1;
}
