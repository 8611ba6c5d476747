// Keys: each calls a submit function of the game, or changes what the view shows.

#include <stdio.h>
#include <string.h>

#include <curses.h>

#include "document.h"
#include "list.h"
#include "moves.h"
#include "review.h"
#include "rules.h"

enum { ESCAPE = 27 };

// --- Moves -----------------------------------------------------------------------------------------------------------

static void submit_move(app *app, uint32_t to, chess_kind promotion)
{
    chess_submit_p_move(app->timeline, app_to_move(app), (uint8_t)app->view.chosen, (uint8_t)to, promotion);
    app->view.chosen = app->promote = NO_SQUARE;
}

static bool is_mine(const chess_position *position, uint32_t square)
{
    return position->board[square] && side_of(position->board[square]) == position_to_move(position);
}

// Whether the chosen piece is a pawn that may go to the last rank there.
static bool promotes(const chess_position *position, uint32_t from, uint32_t to)
{
    return kind_of(position->board[from]) == CHESS_KIND_PAWN && (rank_of(to) == 0 || rank_of(to) == 7) &&
           !move_fault(position, (chess_move){(uint8_t)from, (uint8_t)to, CHESS_KIND_QUEEN});
}

// Takes up the piece under the cursor, or puts it down there.
static void use_cursor(app *app)
{
    const chess_position *position = &chess_get_state(app->timeline)->position;
    view *view = &app->view;
    if (app_to_move(app) < 0 || app_computer_to_move(app))
        return;
    if (view->cursor == view->chosen) {
        view->chosen = NO_SQUARE;
    } else if (is_mine(position, view->cursor)) {
        view->chosen = view->cursor;
        view_say(view, "Where to?");
    } else if (view->chosen == NO_SQUARE) {
        view_say(view, "Choose one of your own pieces.");
    } else if (promotes(position, view->chosen, view->cursor)) {
        app->promote = view->cursor;
        view_say(view, "What does the pawn become? q: a queen, r: a rook, b: a bishop, n: a knight");
    } else {
        submit_move(app, view->cursor, CHESS_KIND_NONE);
    }
}

static void promote(app *app, int key)
{
    static const char letters[] = "..nbrq";
    const char *letter = key > 'a' && key < 'z' ? strchr(letters, key) : NULL;
    if (letter)
        submit_move(app, app->promote, (chess_kind)(letter - letters));
    else
        view_say(&app->view, "The pawn stays.");
    app->promote = app->view.chosen = NO_SQUARE;
}

static void move_cursor(view *view, int dx, int dy)
{
    const int turn = view->turned ? -1 : 1;
    const uint32_t file = (uint32_t)(file_of(view->cursor) + 8 + turn * dx) % 8;
    const uint32_t rank = (uint32_t)(rank_of(view->cursor) + 8 + turn * dy) % 8;
    view->cursor = rank * 8 + file;
}

static void click(app *app)
{
    MEVENT mouse;
    const uint32_t square = getmouse(&mouse) == OK ? view_square_at(&app->view, mouse.x, mouse.y) : NO_SQUARE;
    if (square != NO_SQUARE) {
        app->view.cursor = square;
        use_cursor(app);
    }
}

// --- Everything else -------------------------------------------------------------------------------------------------

// Back to the last decision of a person: the computer would only repeat its own.
static void undo(app *app)
{
    int chains = 0;
    while (!kifu_undo(app->timeline)) {
        chains++;
        if (!app_computer_to_move(app))
            break;
    }
    if (chains && !app_computer_to_move(app)) {
        view_say(&app->view, "Taken back.");
        return;
    }
    while (chains-- > 0 && !kifu_redo(app->timeline))
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

// Whichever way there is: the other player offers it, the rules give it, or the other player is asked.
static void draw(app *app)
{
    const chess_state *state = chess_get_state(app->timeline);
    const int player = app_to_move(app);
    if (state->offer == other_side(position_to_move(&state->position)))
        chess_submit_p_accept_draw(app->timeline, player);
    else if (rules_claim(state))
        chess_submit_p_claim_draw(app->timeline, player, false, 0, 0, CHESS_KIND_NONE);
    else
        chess_submit_p_offer_draw(app->timeline, player);
}

static void resign(app *app)
{
    chess_submit_p_resign(app->timeline, app_to_move(app));
}

static void ask_new_game(app *app)
{
    kifu_error error;
    const bool matters = app->view.reviewing || kifu_get_game(app->timeline)->phase == KIFU_PHASE_PLAY;
    if (app->pgn) {
        view_say(&app->view, "A new game has a file of its own: quit, and start chess without %.60s.", app->pgn);
    } else if (app->asked != 'N' && matters) {
        app->asked = 'N';
        view_say(&app->view, "A new game? Press N again; this one will be lost.");
    } else if (!document_begin(app, &error)) {
        view_say(&app->view, "%s", error.message);
    }
}

static void help(app *app)
{
    static const char *const lines[] = {
        "Chess: the keys. Small letters do as well; where one is a file, press it twice: dd, ff, gg, cc",
        "",
        "arrows, mouse, e2    choose a square          enter   take a piece, put it down",
        "U, R                 undo, redo               D       offer, accept or claim a draw",
        "G                    give up                  F       turn the board",
        "W                    write PGN                N       a new game",
        "Tab                  begin or end a review    Q       save and quit",
        "?                    these keys",
        "",
        "In a review:",
        "left, right          a step back, a step on   up, down  other variations",
        "<, >                 the beginning, the end   M       make this the main line",
        "X twice              delete a variation       C, !    write a comment, a glyph",
        "",
        "With a file of PGN:",
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

static void turn_board(app *app)
{
    app->view.turned = !app->view.turned;
}

static const struct {
    int key;
    void (*obey)(app *app);
    bool decides; // only for the player whose turn it is
} commands[] = {{'\n', use_cursor, false},
                {'\r', use_cursor, false},
                {KEY_ENTER, use_cursor, false},
                {' ', use_cursor, false},
                {'U', undo, false},
                {'R', redo, false},
                {'D', draw, true},
                {'G', resign, true},
                {'F', turn_board, false},
                {'?', help, false},
                {'[', go_before, false},
                {KEY_PPAGE, go_before, false},
                {']', go_next, false},
                {KEY_NPAGE, go_next, false},
                {'L', list_choose, false},
                {'W', document_write, false},
                {'N', ask_new_game, false},
                {'\t', review_toggle, false},
                {KEY_MOUSE, click, false}};

static void obey(app *app, int key)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (commands[i].key != key)
            continue;
        if (commands[i].decides && app->view.reviewing)
            view_say(&app->view, "This is a review. Tab ends it: then the game goes on.");
        else if (!commands[i].decides || (app_to_move(app) >= 0 && !app_computer_to_move(app)))
            commands[i].obey(app);
    }
}

static bool press(app *app, int key)
{
    if (app->promote != NO_SQUARE) {
        promote(app, key);
        return true;
    }
    // "e2" typed is a square: so commands have capitals. No square begins with the other small letters.
    // A file that is typed twice is a command, too: no square begins so.
    if ((key > 'h' && key <= 'z') || (key >= 'a' && key == app->file))
        key = key - 'a' + 'A';
    else if (key > 0 && key < 256 && strchr("cdfg", key))
        view_say(&app->view, "%c1 to %c8 choose a square; %c once more is the key %c.", key, key, key, key - 'a' + 'A');
    const char name[2] = {app->file, (char)key};
    app->file = key >= 'a' && key <= 'h' ? (char)key : '\0';
    if (key >= '1' && key <= '8' && name[0]) {
        app->view.cursor = square_named(name);
        return true;
    }
    if (review_press(app, key))
        return true;
    switch (key) {
    case KEY_LEFT:
        move_cursor(&app->view, -1, 0);
        return true;
    case KEY_RIGHT:
        move_cursor(&app->view, 1, 0);
        return true;
    case KEY_UP:
        move_cursor(&app->view, 0, 1);
        return true;
    case KEY_DOWN:
        move_cursor(&app->view, 0, -1);
        return true;
    case ESCAPE:
        app->view.chosen = NO_SQUARE;
        view_say(&app->view, "Q saves the game and quits.");
        return true;
    default:
        obey(app, key);
        return key != 'Q';
    }
}

bool controls_press(app *app, int key)
{
    const int asked = app->asked;
    const bool goes_on = press(app, key);
    if (app->asked == asked) // it was pressed again, or another one
        app->asked = 0;
    return goes_on;
}
