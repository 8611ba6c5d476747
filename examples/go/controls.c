// Keys: each calls a submit function of the game, goes somewhere in it, or changes what the view shows.

#include <ctype.h>
#include <curses.h>
#include <stdio.h>
#include <string.h>

#include "document.h"
#include "points.h"
#include "rules.h"
#include "sgf_file.h"
#include "walk.h"

enum { ESCAPE = 27, TAB = '\t' };

// --- Moves -----------------------------------------------------------------------------------------------------------

// The player who does what is not a matter of turns: black, but for a computer.
static int somebody(const app *app)
{
    const kifu_game *game = kifu_get_game(app->timeline);
    return game->order[app->computer[game->order[0]] ? 1 : 0];
}

static void played(app *app)
{
    app->answers = app->changed = true;
}

static void use_cursor(app *app)
{
    if (go_get_state(app->timeline)->stage == GO_STAGE_COUNTING)
        go_submit_p_mark(app->timeline, somebody(app), (uint16_t)app->view.cursor);
    else if (app_to_move(app) >= 0)
        go_submit_p_play(app->timeline, app_to_move(app), (uint16_t)app->view.cursor);
    played(app);
}

static void pass(app *app)
{
    if (app_to_move(app) >= 0)
        go_submit_p_pass(app->timeline, app_to_move(app));
    played(app);
}

// For those who do not say it by themselves: the other person at this screen, and the computer.
static void agree(app *app)
{
    const go_state *state = go_get_state(app->timeline);
    for (int i = 0; i < 2; i++) {
        if (!state->agreed[i])
            go_submit_p_agree(app->timeline, state->game.order[i]);
    }
    app->changed = true;
}

static void play_on(app *app)
{
    go_submit_p_play_on(app->timeline, somebody(app));
    played(app);
}

static void resign(app *app)
{
    const int player = app_to_move(app) >= 0 ? app_to_move(app) : somebody(app);
    go_submit_p_resign(app->timeline, player);
    app->changed = true;
}

static void let_computer_move(app *app)
{
    app->wanted = true;
}

// --- Going along the game --------------------------------------------------------------------------------------------

static void go_along(app *app, walk *walk)
{
    app->answers = false;
    walk(app->timeline, app->view.message);
}

static void step_back(app *app)
{
    go_along(app, walk_back);
}

static void step_on(app *app)
{
    go_along(app, walk_forward);
}

static void go_to_begin(app *app)
{
    go_along(app, walk_to_begin);
}

static void go_to_end(app *app)
{
    go_along(app, walk_to_end);
}

static void go_to_other(app *app)
{
    go_along(app, walk_other);
}

static void promote(app *app)
{
    app->changed |= walk_promote(app->timeline, app->view.message);
}

// Back to the last decision of a person: the computer would only repeat its own.
static void undo(app *app)
{
    do {
        go_along(app, walk_back);
    } while (!*app->view.message && app_to_move(app) >= 0 && app->computer[app_to_move(app)]);
}

static void redo(app *app)
{
    do {
        go_along(app, walk_forward);
    } while (!*app->view.message && app_to_move(app) >= 0 && app->computer[app_to_move(app)]);
}

// --- What has to be asked twice --------------------------------------------------------------------------------------

static void delete_line(app *app)
{
    char what[200];
    if (!walk_can_delete(app->timeline, what))
        view_say(&app->view, "%s", what);
    else if (app->asked)
        app->changed |= walk_delete(app->timeline, app->view.message);
    else
        view_say(&app->view, "Delete %.60s? Press D again.", what);
}

static void begin_again(app *app)
{
    kifu_error error;
    if (!app->asked)
        view_say(&app->view, "A new game? Press N again; this one will be lost.");
    else if (!document_begin(app, &error))
        view_say(&app->view, "%.190s", error.message);
}

// --- Everything else -------------------------------------------------------------------------------------------------

static void write_sgf(app *app)
{
    char path[1024];
    const int length = snprintf(path, sizeof path, "%s%s", app->path, app->sgf ? "" : ".sgf");
    if (length < (int)sizeof path && sgf_save(app->timeline, true, path)) {
        view_say(&app->view, "The game is in %.150s.", path);
        app->changed &= !app->sgf;
    } else
        view_say(&app->view, "%.150s could not be written.", path);
}

static void move_cursor(app *app, int dx, int dy)
{
    const int size = go_get_state(app->timeline)->terms.size, cursor = (int)app->view.cursor;
    const int column = (cursor % size + size + dx) % size, row = (cursor / size + size + dy) % size;
    app->view.cursor = (uint32_t)(row * size + column);
}

static void click(app *app)
{
    MEVENT mouse;
    const uint32_t point = getmouse(&mouse) == OK ? view_point_at(app->timeline, mouse.x, mouse.y) : NO_POINT;
    if (point != NO_POINT) {
        app->view.cursor = point;
        use_cursor(app);
    }
}

// "d4" or "d16" typed is a point: so commands have capitals.
static bool type_point(app *app, int key)
{
    const char before[3] = {app->letter, app->digit, '\0'};
    char name[4];
    const bool digit = key >= '0' && key <= '9' && app->letter;
    snprintf(name, sizeof name, "%s%c", before, (char)key);
    app->letter = digit ? app->letter : key >= 'a' && key <= 't' ? (char)key : '\0';
    app->digit = digit && !app->digit ? (char)key : '\0';
    if (!digit)
        return app->letter != '\0';
    const uint32_t point = point_read(&go_get_state(app->timeline)->terms, name);
    if (point < NO_POINT)
        app->view.cursor = point;
    return true;
}

static const struct {
    int key;
    void (*obey)(app *app);
} commands[] = {{'\n', use_cursor},
                {'\r', use_cursor},
                {KEY_ENTER, use_cursor},
                {' ', use_cursor},
                {'P', pass},
                {'A', agree},
                {'O', play_on},
                {'X', resign},
                {'G', let_computer_move},
                {'U', undo},
                {'R', redo},
                {',', step_back},
                {'.', step_on},
                {'<', go_to_begin},
                {'>', go_to_end},
                {KEY_HOME, go_to_begin},
                {KEY_END, go_to_end},
                {KEY_PPAGE, step_back},
                {KEY_NPAGE, step_on},
                {TAB, go_to_other},
                {'M', promote},
                {'D', delete_line},
                {'N', begin_again},
                {'C', comment_begin},
                {'W', write_sgf},
                {KEY_MOUSE, click}};

static void obey(app *app, int key)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (commands[i].key == key)
            commands[i].obey(app);
    }
}

bool controls_press(app *app, int key)
{
    static const struct {
        int key, dx, dy;
    } arrows[] = {{KEY_LEFT, -1, 0}, {KEY_RIGHT, 1, 0}, {KEY_UP, 0, -1}, {KEY_DOWN, 0, 1}};
    if (app->writing) {
        comment_press(app, key);
        return true;
    }
    if (type_point(app, key))
        return true;
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        if (arrows[i].key == key)
            move_cursor(app, arrows[i].dx, arrows[i].dy);
    }
    app->asked = app->asked_key == key; // the same key as before
    app->asked_key = key;
    obey(app, key);
    if (app->asked)
        app->asked_key = 0;
    if (key == ESCAPE)
        view_say(&app->view, "Q saves the game and quits.");
    return key != 'Q';
}
