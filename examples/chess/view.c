#define _XOPEN_SOURCE 700 // nl_langinfo

// Two halves: Act functions, which say how an event looks and how long that takes, and a function that draws the state.
// Nothing here changes the model: everything is const.

#include "view.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "draw.h"
#include "game.h"
#include "moves.h"
#include "panel.h"
#include "rules.h"
#include "tree.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" // a function uses what it needs of what it gets

// Seconds.
#define MOVE_TIME 0.3

enum { SIDE = 8, BOARD_X = 3, BOARD_Y = 3, CELL_WIDTH = 4, CELL_HEIGHT = 2, PANEL_X = 41 };
enum { PANEL_HEIGHT = 13, SCREEN_WIDTH = 78, SCREEN_HEIGHT = 24 };
enum { COLORS_LIGHT = 1, COLORS_DARK, COLORS_LAST, COLORS_CHOSEN };

static const char *side_name(chess_side side)
{
    return side == CHESS_SIDE_WHITE ? "White" : "Black";
}

// --- Act: called after each event ------------------------------------------------------------------------------------

static double act_p_move(void *context, kifu_timeline *timeline, const chess_state *state, const chess_p_move *move)
{
    view *view = context;
    view->from = move->from;
    view->to = move->to;
    view->chosen = NO_SQUARE;
    view_say(view, "%s", position_in_check(&state->position, position_to_move(&state->position)) ? "Check!" : "");
    return MOVE_TIME;
}

static double act_p_offer_draw(void *context, kifu_timeline *timeline, const chess_state *state,
                               const chess_p_offer_draw *offer)
{
    view_say(context, "%s offers a draw. D accepts it, a move declines it.", side_name(state->offer));
    return 0;
}

static double act_e_finish(void *context, kifu_timeline *timeline, const chess_state *state,
                           const chess_e_finish *finish)
{
    view_say(context, "%s", chess_end_in_words(state));
    return 0;
}

// After load, undo and redo: whatever was being shown is out of date.
static void refresh_all(void *context, kifu_timeline *timeline)
{
    view *view = context;
    view->chosen = view->from = view->to = NO_SQUARE;
    view->message[0] = '\0';
    tree tree;
    if (!tree_build(&tree, timeline))
        return;
    if (tree.now) {
        view->from = tree.nodes[tree.now].move.from;
        view->to = tree.nodes[tree.now].move.to;
    }
    tree_free(&tree);
}

static void rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    view *view = context;
    view->chosen = NO_SQUARE;
    view_say(view, "Not possible: %s.", kifu_error_reason(outcome->error));
}

// --- Drawing the state -----------------------------------------------------------------------------------------------

// The square in a column and row of the screen, and the other way round.
static uint32_t square_in(const view *view, int column, int row)
{
    return (uint32_t)(view->turned ? row * SIDE + SIDE - 1 - column : (SIDE - 1 - row) * SIDE + column);
}

// Where a drawing goes: from a place of the screen on, line by line.
typedef struct place {
    int y, x;
} place;

static kifu_result put(void *context, const char *text, size_t size)
{
    place *place = context;
    for (size_t i = 0; i < size;) {
        const char *end = memchr(text + i, '\n', size - i);
        const size_t length = (end ? (size_t)(end - text) : size) - i;
        if (length)
            addnstr(text + i, (int)length);
        i += length + (end != NULL);
        if (end)
            move(++place->y, place->x);
    }
    return KIFU_OK;
}

// What a square has behind it.
static int colors_of(const view *view, uint32_t square)
{
    const bool dark = (file_of(square) + rank_of(square)) % 2 == 0;
    const bool last = square == view->from || square == view->to;
    return square == view->chosen ? COLORS_CHOSEN : last ? COLORS_LAST : dark ? COLORS_DARK : COLORS_LIGHT;
}

// Where the chosen piece may go; without one, nowhere.
static void find_hints(const view *view, const chess_position *position, bool hints[SQUARES])
{
    chess_move moves[32];
    const uint32_t count = view->chosen == NO_SQUARE ? 0 : moves_from(position, view->chosen, moves);
    for (uint32_t i = 0; i < count; i++)
        hints[moves[i].to] |= move_is_safe(position, moves[i]);
}

// The game's own drawing, and colours on it.
static void draw_board(const view *view, kifu_timeline *timeline)
{
    draw_look look = {.turned = view->turned,
                      .ascii = !view->utf8,
                      .colours = has_colors(),
                      .cursor = view->cursor,
                      .chosen = view->chosen,
                      .from = view->from,
                      .to = view->to};
    place place = {.y = BOARD_Y - 1, .x = BOARD_X - 2};
    kifu_drawing drawing = {.write = put, .context = &place, .text = true, .user = &look};
    find_hints(view, &chess_get_state(timeline)->position, look.hints);
    move(place.y, place.x);
    if (kifu_draw_state(timeline, &drawing))
        return;
    for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
            const short colors = (short)colors_of(view, square_in(view, column, row));
            for (int line = 0; line < CELL_HEIGHT; line++)
                mvchgat(BOARD_Y + row * CELL_HEIGHT + line, BOARD_X + column * CELL_WIDTH, CELL_WIDTH, A_BOLD, colors,
                        NULL);
        }
    }
}

static void draw_players(const chess_state *state, const char *const *names, bool thinking)
{
    for (int i = 0; i < 2; i++) {
        const chess_side side = i == 0 ? CHESS_SIDE_WHITE : CHESS_SIDE_BLACK;
        const bool turn = state->game.phase == KIFU_PHASE_PLAY && position_to_move(&state->position) == side;
        const int player = state->game.order[side];
        attron(turn ? A_BOLD : A_NORMAL);
        mvprintw(BOARD_Y + i, PANEL_X, "%s  %-14.14s %s", side_name(side), player < 2 ? names[player] : "",
                 turn ? "<-" : "");
        attroff(turn ? A_BOLD : A_NORMAL);
    }
    if (state->game.phase == KIFU_PHASE_PLAY)
        mvprintw(BOARD_Y + 2, PANEL_X, "%s to move%s", side_name(position_to_move(&state->position)),
                 thinking ? " (thinking...)" : "");
    else if (state->game.phase == KIFU_PHASE_GAME_OVER)
        mvprintw(BOARD_Y + 2, PANEL_X, "Game over: %s", chess_result(state));
}

static void draw_keys(const view *view)
{
    const int y = BOARD_Y + SIDE * CELL_HEIGHT + 2;
    mvaddstr(y, 1,
             view->reviewing ? "left, right: along the line   up, down: other variations   < >: its ends"
                             : "arrows, mouse or e2: choose   enter: take, put down   Tab: review");
    mvaddstr(y + 1, 1,
             view->reviewing ? "e2 enter: move  M main line  X delete  C comment  ! glyph  W PGN  Tab play  ? keys  Q"
                             : "U undo  R redo  D draw  G give up  F turn  W PGN  N new  Q quit  ? keys");
}

void view_draw(view *view, kifu_timeline *timeline, const char *const *names, bool thinking)
{
    const chess_state *state = chess_get_state(timeline);
    erase();
    if (LINES < SCREEN_HEIGHT || COLS < SCREEN_WIDTH) {
        mvprintw(0, 0, "Please make this window larger: %d x %d, it is %d x %d.", SCREEN_WIDTH, SCREEN_HEIGHT, COLS,
                 LINES);
        refresh();
        return;
    }
    attron(A_BOLD);
    mvaddstr(0, BOARD_X - 2, view->reviewing ? "Chess: review" : "Chess");
    attroff(A_BOLD);
    draw_board(view, timeline);
    draw_players(state, names, thinking);
    panel_draw((panel){.y = BOARD_Y + 4, .x = PANEL_X, .height = PANEL_HEIGHT, .width = COLS - PANEL_X - 1}, timeline);
    draw_keys(view);
    attron(A_BOLD);
    mvprintw(1, BOARD_X - 2, "%.76s", view->message);
    attroff(A_BOLD);
    refresh();
}

void view_say(view *view, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(view->message, sizeof view->message, format, arguments);
    va_end(arguments);
}

uint32_t view_square_at(const view *view, int x, int y)
{
    if (x < BOARD_X || y < BOARD_Y)
        return NO_SQUARE;
    const int column = (x - BOARD_X) / CELL_WIDTH, row = (y - BOARD_Y) / CELL_HEIGHT;
    return column < SIDE && row < SIDE ? square_in(view, column, row) : NO_SQUARE;
}

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    interrupted = number;
}

// Ctrl-C ends the game as Q does: curses would end the program without a word.
static void watch_interrupt(void)
{
    struct sigaction action = {.sa_handler = interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool view_interrupted(void)
{
    return interrupted;
}

bool view_open(view *view)
{
    *view = (struct view){
        .functions = {.base = {.context = view, .redraw = refresh_all, .rejected = rejected},
                      .act_p_move = act_p_move,
                      .act_p_offer_draw = act_p_offer_draw,
                      .act_e_finish = act_e_finish},
        .cursor = square_named("e2"),
        .chosen = NO_SQUARE,
        .from = NO_SQUARE,
        .to = NO_SQUARE,
    };
    setlocale(LC_CTYPE, "");
    view->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (!screen)
        return false;
    set_term(screen);
    watch_interrupt();
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    curs_set(0);
    set_escdelay(50);
    mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED, NULL);
    mouseinterval(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
        init_pair(COLORS_LIGHT, COLOR_BLACK, COLOR_WHITE);
        init_pair(COLORS_DARK, COLOR_BLACK, COLOR_GREEN);
        init_pair(COLORS_LAST, COLOR_BLACK, COLOR_YELLOW);
        init_pair(COLORS_CHOSEN, COLOR_BLACK, COLOR_CYAN);
    }
    return true;
}

void view_close(void)
{
    endwin();
}

// A key that did not come is ERR, and so is the end of the input: a closed terminal, or /dev/null. Then there is
// something to read, of no bytes.
bool view_input_has_ended(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    int bytes = 0;
    return poll(&input, 1, 0) == 1 && (ioctl(STDIN_FILENO, FIONREAD, &bytes) < 0 || bytes == 0);
}

// A screen of its own, until a key is pressed.
void view_show(const char *const *lines, size_t count)
{
    erase();
    for (size_t i = 0; i < count; i++)
        mvaddstr((int)i, 1, lines[i]);
    mvaddstr((int)count + 1, 1, "Any key: back to the game");
    refresh();
    timeout(100);
    while (getch() == ERR && !view_interrupted() && !view_input_has_ended())
        ;
}

// Whether the player wants to leave while the computer thinks. Other keys are for nothing: nobody has seen the move.
bool view_left(void)
{
    bool left = view_interrupted();
    timeout(0);
    for (int key; !left && (key = getch()) != ERR;)
        left = key == 'q' || key == 'Q';
    return left;
}
