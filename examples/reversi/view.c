#define _XOPEN_SOURCE 700 // nl_langinfo, sigaction

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

#include "board.h"
#include "draw.h"
#include "game.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" // a function uses what it needs of what it gets

// Seconds.
#define PLACE_TIME 0.35
#define FLIP_TIME 0.09
#define PASS_TIME 1.2

enum { BOARD_X = 3, BOARD_Y = 3, CELL_WIDTH = 4, CELL_HEIGHT = 2, PANEL_X = 41 };
enum { SCREEN_WIDTH = 78, SCREEN_HEIGHT = 23 };
enum { COLORS_GRID = 1, COLORS_BLACK, COLORS_WHITE, COLORS_HINT, COLORS_TURNING };

static const char *disc_name(reversi_disc disc)
{
    return disc == REVERSI_DISC_BLACK ? "Black" : "White";
}

// --- Act: called after each event
// -------------------------------------------------------------------------------------

static double act_p_place(void *context, kifu_timeline *timeline, const reversi_state *state,
                          const reversi_p_place *place)
{
    view *view = context;
    view->placed = place->square;
    view->turning = -1;
    view->message[0] = '\0';
    return PLACE_TIME;
}

static double act_e_flip(void *context, kifu_timeline *timeline, const reversi_state *state, const reversi_e_flip *flip)
{
    view *view = context;
    view->turning = flip->square;
    return FLIP_TIME;
}

static double act_e_end_turn(void *context, kifu_timeline *timeline, const reversi_state *state,
                             const reversi_e_end_turn *end_turn)
{
    view *view = context;
    view->turning = -1;
    return 0;
}

static double act_e_pass(void *context, kifu_timeline *timeline, const reversi_state *state, const reversi_e_pass *pass)
{
    view_say(context, "%s cannot move and passes.", disc_name(board_other(board_to_move(&state->game))));
    return PASS_TIME;
}

static double act_p_resign(void *context, kifu_timeline *timeline, const reversi_state *state,
                           const reversi_p_resign *resign)
{
    view_say(context, "%s resigns.", disc_name(state->resigned));
    return 0;
}

// After load, undo and redo: whatever was being shown is out of date.
static void refresh_all(void *context, kifu_timeline *timeline)
{
    view *view = context;
    view->placed = -1;
    view->turning = -1;
    view->message[0] = '\0';
    kifu_event event;
    for (uint32_t i = kifu_event_count(timeline); i > 0 && kifu_event_at(timeline, i - 1, &event); i--) {
        if (event.type == REVERSI_P_PLACE) {
            view->placed = ((const reversi_p_place *)event.table)->square;
            break;
        }
        if (event.type == REVERSI_E_RESET_GAME)
            break;
    }
}

static void rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    view_say(context, "Not there: %s.", kifu_error_reason(outcome->error));
}

// --- Drawing the state -----------------------------------------------------------------------------------------------

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

// One disc as text. Where there is no colour, the shape alone tells them apart.
static const char *disc_text(const view *view, reversi_disc disc)
{
    if (!view->utf8)
        return disc == REVERSI_DISC_BLACK ? "X" : "O";
    return disc == REVERSI_DISC_BLACK || has_colors() ? "●" : "○";
}

static void colour_square(const view *view, const reversi_state *state, uint32_t square)
{
    const reversi_disc disc = state->board[square];
    const bool turning = (int)square == view->turning;
    const int y = BOARD_Y + (int)square / BOARD_SIDE * CELL_HEIGHT + 1;
    const int x = BOARD_X + (int)square % BOARD_SIDE * CELL_WIDTH + 1;
    const short colors = turning                      ? COLORS_TURNING
                         : disc == REVERSI_DISC_NONE  ? COLORS_HINT
                         : disc == REVERSI_DISC_BLACK ? COLORS_BLACK
                                                      : COLORS_WHITE;
    mvchgat(y, x, 3, A_BOLD, turning ? COLORS_TURNING : COLORS_HINT, NULL);
    mvchgat(y, x + 1, 1, disc == REVERSI_DISC_WHITE ? A_BOLD : A_NORMAL, colors, NULL);
}

// The game's own drawing, and colours on it.
static void draw_board(const view *view, kifu_timeline *timeline, const draw_look *look)
{
    place place = {.y = BOARD_Y - 1, .x = BOARD_X - 2};
    kifu_drawing drawing = {.write = put, .context = &place, .text = true, .user = look};
    move(place.y, place.x);
    if (kifu_draw_state(timeline, &drawing))
        return;
    for (int line = 0; line <= BOARD_SIDE * CELL_HEIGHT; line++)
        mvchgat(BOARD_Y + line, BOARD_X, BOARD_SIDE * CELL_WIDTH + 1, A_NORMAL, COLORS_GRID, NULL);
    for (uint32_t square = 0; square < BOARD_SQUARES; square++)
        colour_square(view, reversi_get_state(timeline), square);
}

static void draw_players(const view *view, const reversi_state *state, const char *const *names)
{
    bool playing = state->game.phase == KIFU_PHASE_PLAY;
    for (int i = 0; i < 2; i++) {
        reversi_disc disc = i == 0 ? REVERSI_DISC_BLACK : REVERSI_DISC_WHITE;
        bool turn = playing && board_to_move(&state->game) == disc;
        int player = state->game.order[i];
        int y = BOARD_Y + i;
        attron(COLOR_PAIR(i == 0 ? COLORS_BLACK : COLORS_WHITE) | (i == 0 ? 0 : A_BOLD));
        mvprintw(y, PANEL_X, " %s ", disc_text(view, disc));
        attroff(COLOR_PAIR(i == 0 ? COLORS_BLACK : COLORS_WHITE) | (i == 0 ? 0 : A_BOLD));
        if (turn)
            attron(A_BOLD);
        mvprintw(y, PANEL_X + 4, "%s  %2u   %-12.12s %s", disc_name(disc), board_count(state->board, disc),
                 player < 2 ? names[player] : "", turn ? "<-" : "");
        if (turn)
            attroff(A_BOLD);
    }
}

static void draw_status(const reversi_state *state, const char *const *names, bool thinking)
{
    int y = BOARD_Y + 3;
    if (state->game.phase == KIFU_PHASE_SETUP)
        return;
    if (state->game.phase == KIFU_PHASE_PLAY) {
        int player = kifu_current_player(&state->game);
        mvprintw(y, PANEL_X, "%s to move: %s%s", disc_name(board_to_move(&state->game)),
                 player == 0 || player == 1 ? names[player] : "", thinking ? " (thinking...)" : "");
        return;
    }
    attron(A_BOLD);
    reversi_disc winner = reversi_winner(state);
    if (winner == REVERSI_DISC_NONE)
        mvaddstr(y, PANEL_X, "Game over: a draw");
    else if (state->resigned != REVERSI_DISC_NONE)
        mvprintw(y, PANEL_X, "%s resigned: %s wins", disc_name(state->resigned), disc_name(winner));
    else
        mvprintw(y, PANEL_X, "Game over: %s wins by %u", disc_name(winner),
                 board_count(state->board, winner) - board_count(state->board, board_other(winner)));
    attroff(A_BOLD);
}

// The moves, read from the log itself: it is the game's record.
static void draw_moves(const kifu_timeline *timeline, const reversi_state *state)
{
    enum { ROWS = 9, COLUMNS = 2, SHOWN = ROWS * COLUMNS };
    uint32_t count = kifu_event_count(timeline), moves = 0;
    kifu_event event;
    for (uint32_t i = 0; i < count && kifu_event_at(timeline, i, &event); i++) {
        if (event.type == REVERSI_E_RESET_GAME)
            moves = 0;
        moves += event.type == REVERSI_P_PLACE;
    }
    mvprintw(BOARD_Y + 5, PANEL_X, "Moves");
    uint32_t skip = moves > SHOWN ? (moves - SHOWN + COLUMNS - 1) / COLUMNS * COLUMNS : 0, number = moves;
    for (uint32_t i = count; i > 0 && number > skip && kifu_event_at(timeline, i - 1, &event); i--) {
        if (event.type != REVERSI_P_PLACE)
            continue;
        const reversi_p_place *place = event.table;
        number--;
        char name[3], time[16] = "";
        board_square_name(place->square, name);
        if (place->seconds > 0)
            snprintf(time, sizeof time, " %ds", place->seconds);
        uint32_t shown = number - skip;
        mvprintw(BOARD_Y + 6 + (int)(shown / COLUMNS), PANEL_X + (int)(shown % COLUMNS) * 18, "%2u. %s %s%s",
                 number + 1, board_disc_of(&state->game, event.player) == REVERSI_DISC_BLACK ? "black" : "white", name,
                 time);
    }
}

static void draw_keys(const kifu_timeline *timeline)
{
    bool undo = kifu_can_undo(timeline, NULL) != 0, redo = kifu_can_redo(timeline, NULL) != 0;
    mvaddstr(BOARD_Y + 18, 1, "arrows, mouse or f5: choose   enter: place");
    mvaddstr(BOARD_Y + 19, 1, "U undo");
    attr_t faint = A_DIM;
    mvchgat(BOARD_Y + 19, 1, 6, undo ? A_NORMAL : faint, 0, NULL);
    mvaddstr(BOARD_Y + 19, 10, "R redo");
    mvchgat(BOARD_Y + 19, 10, 6, redo ? A_NORMAL : faint, 0, NULL);
    mvaddstr(BOARD_Y + 19, 19, "N new   G give up   Q quit   ? keys");
}

// Where the player whose turn it is can put a disc. Without memory, nothing is shown.
static void find_hints(kifu_timeline *timeline, bool *hints)
{
    kifu_moves moves = {0};
    if (!kifu_list_moves(timeline, kifu_current_player(kifu_get_game(timeline)), &moves)) {
        for (uint32_t i = 0; i < moves.count; i++)
            hints[((const reversi_p_place *)moves.items[i].table)->square] = true;
    }
    kifu_free_moves(&moves);
}

void view_draw(view *view, kifu_timeline *timeline, const char *const *names, bool thinking)
{
    const reversi_state *state = reversi_get_state(timeline);
    draw_look look = {
        .ascii = !view->utf8, .colours = has_colors(), .cursor = (int)view->cursor, .placed = view->placed};
    if (state->game.phase == KIFU_PHASE_PLAY && kifu_is_idle(timeline) && !thinking)
        find_hints(timeline, look.hints);
    erase();
    if (LINES < SCREEN_HEIGHT || COLS < SCREEN_WIDTH) {
        mvprintw(0, 0, "Please make this window larger: %d x %d, it is %d x %d.", SCREEN_WIDTH, SCREEN_HEIGHT, COLS,
                 LINES);
        refresh();
        return;
    }
    attron(A_BOLD);
    mvaddstr(0, BOARD_X - 2, "Reversi");
    attroff(A_BOLD);
    draw_board(view, timeline, &look);
    draw_players(view, state, names);
    draw_status(state, names, thinking);
    draw_moves(timeline, state);
    draw_keys(timeline);
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

int view_square_at(int x, int y)
{
    int column = (x - BOARD_X) / CELL_WIDTH, row = (y - BOARD_Y) / CELL_HEIGHT;
    bool inside = x > BOARD_X && y > BOARD_Y && column < BOARD_SIDE && row < BOARD_SIDE;
    return inside ? row * BOARD_SIDE + column : -1;
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
                      .act_p_place = act_p_place,
                      .act_e_flip = act_e_flip,
                      .act_e_end_turn = act_e_end_turn,
                      .act_e_pass = act_e_pass,
                      .act_p_resign = act_p_resign},
        .cursor = (uint32_t)board_square("d3"),
        .placed = -1,
        .turning = -1,
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
    mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED, NULL);
    mouseinterval(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
        init_pair(COLORS_GRID, COLOR_BLACK, COLOR_GREEN);
        init_pair(COLORS_BLACK, COLOR_BLACK, COLOR_GREEN);
        init_pair(COLORS_WHITE, COLOR_WHITE, COLOR_GREEN);
        init_pair(COLORS_HINT, COLOR_YELLOW, COLOR_GREEN);
        init_pair(COLORS_TURNING, COLOR_BLACK, COLOR_YELLOW);
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

// Whether the player wants to leave while the computer thinks. Other keys are for nothing: nobody has seen the move.
bool view_left(void)
{
    bool left = view_interrupted() || view_input_has_ended();
    timeout(0);
    for (int key; !left && (key = getch()) != ERR;)
        left = key == 'q' || key == 'Q';
    return left;
}
