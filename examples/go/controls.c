// Keys: each calls a submit function of the game, goes somewhere in it, or changes what the view shows.

#include <curses.h>
#include <stdio.h>
#include <string.h>

#include "document.h"
#include "list.h"
#include "points.h"
#include "review.h"
#include "rules.h"
#include "walk.h"

enum { ESCAPE = 27 };

// --- Moves -----------------------------------------------------------------------------------------------------------

// The player who does what is not a matter of turns: black, but for a computer.
static int somebody(const app *app)
{
    const kifu_game *game = kifu_get_game(app->timeline);
    return game->order[app->computer[game->order[0]] ? 1 : 0];
}

static void use_cursor(app *app)
{
    if (go_get_state(app->timeline)->stage == GO_STAGE_COUNTING)
        go_submit_p_mark(app->timeline, somebody(app), (uint16_t)app->view.cursor);
    else if (app_to_move(app) >= 0 && !app_computer_to_move(app))
        go_submit_p_play(app->timeline, app_to_move(app), (uint16_t)app->view.cursor);
}

static void pass(app *app)
{
    if (app_to_move(app) >= 0 && !app_computer_to_move(app))
        go_submit_p_pass(app->timeline, app_to_move(app));
}

// For those who do not say it by themselves: the other person at this screen, and the computer.
static void agree(app *app)
{
    const go_state *state = go_get_state(app->timeline);
    for (int i = 0; i < 2; i++) {
        if (!state->agreed[i])
            go_submit_p_agree(app->timeline, state->game.order[i]);
    }
}

static void play_on(app *app)
{
    go_submit_p_play_on(app->timeline, somebody(app));
}

static void resign(app *app)
{
    const int player = app_to_move(app) >= 0 ? app_to_move(app) : somebody(app);
    if (app->view.reviewing)
        view_say(&app->view, "This is a review. Tab ends it: then the game goes on.");
    else
        go_submit_p_resign(app->timeline, player);
}

static void let_computer_move(app *app)
{
    app->wanted = true;
}

// --- Undo and redo ---------------------------------------------------------------------------------------------------

// Back to the last decision of a person: the computer would only repeat its own.
static void undo(app *app)
{
    char message[200];
    int steps = 0;
    while (walk_back(app->timeline, message)) {
        steps++;
        if (!app_computer_to_move(app))
            break;
    }
    if (steps && !app_computer_to_move(app)) {
        view_say(&app->view, "Taken back.");
        return;
    }
    while (steps-- > 0 && !kifu_redo(app->timeline))
        ;
    view_say(&app->view, "There is no move of yours to take back.");
}

static void redo(app *app)
{
    bool any = false;
    while (!kifu_redo(app->timeline)) {
        any = true;
        if (!app_computer_to_move(app))
            break;
    }
    view_say(&app->view, any ? "Played again." : "There is no move to play again.");
}

// --- Everything else -------------------------------------------------------------------------------------------------

static void ask_new_game(app *app)
{
    kifu_error error;
    if (app->sgf) {
        view_say(&app->view, "A new game has a file of its own: quit, and start go without %.60s.", app->sgf);
    } else if (app->asked != 'N') {
        app->asked = 'N';
        view_say(&app->view, "A new game? Press N again; this one will be lost.");
    } else if (!document_begin(app, &error)) {
        view_say(&app->view, "%.190s", error.message);
    }
}

static void help(app *app)
{
    static const char *const lines[] = {
        "Go: the keys. Small letters do as well; where one is a line of the board, press it twice: aa, gg",
        "",
        "arrows, mouse, d4    choose a point           enter   play there",
        "P                    pass                     B       let the computer play once",
        "U, R                 undo, redo               G       give up",
        "After two passes: enter: dead or alive, A agree, O play on",
        "W                    write SGF                N       a new game",
        "Tab                  begin or end a review    Q       save and quit",
        "?                    these keys",
        "",
        "In a review:",
        "left, right          a step back, a step on   up, down  other variations",
        "<, >                 the beginning, the end   M       make this the main line",
        "X twice              delete a variation       C, !, T write a comment, a glyph, mark the point",
        "",
        "With a file of SGF:",
        "[, ]                 the game before, the next one (also page up, page down)",
        "L                    a list of its games",
    };
    (void)app;
    view_show(lines, sizeof lines / sizeof *lines);
}

static void go_before(app *app)
{
    list_go(app, -1);
}

static void go_next(app *app)
{
    list_go(app, 1);
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
} commands[] = {
    {'\n', use_cursor}, {'\r', use_cursor},     {KEY_ENTER, use_cursor}, {' ', use_cursor},        {'P', pass},
    {'A', agree},       {'O', play_on},         {'G', resign},           {'B', let_computer_move}, {'U', undo},
    {'R', redo},        {'W', document_write},  {'N', ask_new_game},     {'\t', review_toggle},    {'?', help},
    {'[', go_before},   {KEY_PPAGE, go_before}, {']', go_next},          {KEY_NPAGE, go_next},     {'L', list_choose},
    {KEY_MOUSE, click}};

static void obey(app *app, int key)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (commands[i].key == key)
            commands[i].obey(app);
    }
}

static bool is_line(const app *app, int letter)
{
    return letter != 'i' && letter - 'a' - (letter > 'i') < go_get_state(app->timeline)->terms.size;
}

static bool press(app *app, int key)
{
    static const struct {
        int key, dx, dy;
    } arrows[] = {{KEY_LEFT, -1, 0}, {KEY_RIGHT, 1, 0}, {KEY_UP, 0, -1}, {KEY_DOWN, 0, 1}};
    if (app->writing) {
        comment_press(app, key);
        return true;
    }
    // No point begins with a letter that is no line of this board, and none with one that is typed twice.
    if (key >= 'a' && key <= 'z' && (key == app->letter || !is_line(app, key))) {
        key = key - 'a' + 'A';
        app->letter = app->digit = '\0';
    }
    if (type_point(app, key)) {
        if (key >= 'a' && key <= 't')
            view_say(&app->view, "%c and a number choose a point; %c once more is the key %c.", key, key,
                     key - 'a' + 'A');
        return true;
    }
    if (review_press(app, key))
        return true;
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        if (arrows[i].key == key)
            move_cursor(app, arrows[i].dx, arrows[i].dy);
    }
    obey(app, key);
    if (key == ESCAPE)
        view_say(&app->view, "Q saves the game and quits.");
    return key != 'Q';
}

bool controls_press(app *app, int key)
{
    const int asked = app->asked;
    const bool goes_on = press(app, key);
    if (app->asked == asked) // it was pressed again, or another one
        app->asked = 0;
    return goes_on;
}
