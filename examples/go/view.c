#define _XOPEN_SOURCE 700 // nl_langinfo

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
#include "marks.h"
#include "points.h"
#include "rules.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" // a function uses what it needs of what it gets

enum { BOARD_X = 4, BOARD_Y = 3, SCREEN_WIDTH = 80, SCREEN_HEIGHT = 24, KEYS_Y = 22 };
enum { COLORS_BOARD = 1, COLORS_BLACK, COLORS_WHITE, COLORS_MARK, COLORS_CURSOR };

// --- What the timeline calls -----------------------------------------------------------------------------------------

static double act_p_pass(void *context, kifu_timeline *timeline, const go_state *state, const go_p_pass *pass)
{
    view_say(context,
             state->stage == GO_STAGE_COUNTING ? "Both have passed. Mark dead stones by enter; A agrees, O plays on."
                                               : "%s passes.",
             rules_to_move(&state->game) == GO_STONE_WHITE ? "Black" : "White");
    return 0;
}

static double act_p_play(void *context, kifu_timeline *timeline, const go_state *state, const go_p_play *play,
                         const go_p_play_transient *transient)
{
    char point[POINT_LENGTH + 1], captured[24] = "";
    point_write(&state->terms, play->point, point);
    if (transient->captured)
        snprintf(captured, sizeof captured, " %u captured.", (unsigned)transient->captured);
    view_say(context, "%s plays %s.%s", rules_to_move(&state->game) == GO_STONE_WHITE ? "Black" : "White", point,
             captured);
    return 0;
}

static double act_e_finish(void *context, kifu_timeline *timeline, const go_state *state, const go_e_finish *finish)
{
    char text[RESULT_LENGTH];
    go_result(state, text);
    view_say(context, "The game is over: %s%s.", text, finish->ending == GO_ENDING_RESIGNATION ? " (resigned)" : "");
    return 0;
}

static void rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    view_say(context, "Not possible: %s.", kifu_error_reason(outcome->error));
}

// --- The board -------------------------------------------------------------------------------------------------------

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

static const char *mark_text(char sign, bool utf8)
{
    static const struct {
        char sign;
        const char *ascii, *sign_utf8;
    } signs[] = {{'T', "^", "△"}, {'S', "#", "□"}, {'C', "@", "◎"}, {'X', "x", "×"},
                 {'s', "*", "◆"}, {'b', "b", "▪"}, {'w', "w", "▫"}, {'-', " ", " "}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (signs[i].sign == sign)
            return utf8 ? signs[i].sign_utf8 : signs[i].ascii;
    }
    return "";
}

// A mark is on an empty point, or behind a stone.
static void draw_mark(const view *view, const marks *marks, uint32_t point, bool stone, int y, int x)
{
    const char *text = marks->signs[point] == 'L' ? marks->labels[point] : mark_text(marks->signs[point], view->utf8);
    attron(COLOR_PAIR(COLORS_MARK) | A_BOLD);
    mvprintw(y, x + stone, "%.*s", stone || marks->signs[point] != 'L' ? (view->utf8 ? 3 : 1) : 2, text);
    attroff(COLOR_PAIR(COLORS_MARK) | A_BOLD);
}

static void colour_point(const go_state *state, uint32_t point, int y, int x)
{
    const go_stone stone = state->board[point];
    const short colors = stone == GO_STONE_BLACK ? COLORS_BLACK : stone == GO_STONE_WHITE ? COLORS_WHITE : COLORS_BOARD;
    mvchgat(y, x, 1, stone == GO_STONE_WHITE ? A_BOLD : A_NORMAL, colors, NULL);
    if (point == state->last) {
        mvchgat(y, x - 1, 1, A_BOLD, COLORS_CURSOR, NULL);
        mvchgat(y, x + 1, 1, A_BOLD, COLORS_CURSOR, NULL);
    }
}

static void draw_cursor(int y, int x)
{
    attron(COLOR_PAIR(COLORS_CURSOR) | A_BOLD);
    mvaddch(y, x - 1, '[');
    mvaddch(y, x + 1, ']');
    attroff(COLOR_PAIR(COLORS_CURSOR) | A_BOLD);
}

// The game's own drawing, colours on it, the cursor and the marks.
static void draw_board(const view *view, kifu_timeline *timeline)
{
    const go_state *state = go_get_state(timeline);
    const int size = state->terms.size;
    const uint32_t count = kifu_event_count(timeline);
    const draw_look look = {.ascii = !view->utf8, .colours = has_colors()};
    place place = {.y = BOARD_Y - 1, .x = 0};
    kifu_drawing drawing = {.write = put, .context = &place, .text = true, .user = &look};
    marks marks;
    marks_read(timeline, count ? count - 1 : 0, &marks);
    move(place.y, place.x);
    if (kifu_draw_state(timeline, &drawing))
        return;
    for (int row = 0; row < size; row++)
        mvchgat(BOARD_Y + row, BOARD_X - 1, 2 * size + 1, A_NORMAL, COLORS_BOARD, NULL);
    for (uint32_t point = 0; point < point_count(&state->terms); point++)
        colour_point(state, point, BOARD_Y + (int)point / size, BOARD_X + 2 * ((int)point % size));
    for (uint32_t point = 0; point < point_count(&state->terms); point++) {
        const int y = BOARD_Y + (int)point / size, x = BOARD_X + 2 * ((int)point % size);
        if (point == view->cursor)
            draw_cursor(y, x);
        if (marks.signs[point])
            draw_mark(view, &marks, point, state->board[point] != GO_STONE_NONE, y, x);
    }
}

// --- The screen ------------------------------------------------------------------------------------------------------

static void draw_keys(const view *view, const kifu_timeline *timeline, bool writing)
{
    const bool counting = go_get_state(timeline)->stage == GO_STAGE_COUNTING;
    if (writing) {
        mvaddstr(KEYS_Y, 0, "enter: keep it   arrow down: a new line   Esc: leave it as it was");
        return;
    }
    mvaddstr(KEYS_Y, 0,
             view->reviewing ? "left, right: along the line   up, down: other variations   < >: its ends"
             : counting      ? "arrows or d4: choose   enter: dead or alive   A agree   O play on   Tab: review"
                             : "arrows, mouse or d4: choose   enter: play   P pass   Tab: review");
    mvaddstr(KEYS_Y + 1, 0,
             view->reviewing ? "d4 enter: move  M main  X delete  C comment  ! glyph  T mark  W SGF  Tab play  Q  ?"
                             : "U undo  R redo  B computer plays  G give up  W SGF  N new  Q quit  ? keys");
}

void view_draw(view *view, kifu_timeline *timeline, const view_shown *shown)
{
    erase();
    if (LINES < SCREEN_HEIGHT || COLS < SCREEN_WIDTH) {
        mvprintw(0, 0, "Please make this window larger: %d x %d, it is %d x %d.", SCREEN_WIDTH, SCREEN_HEIGHT, COLS,
                 LINES);
        refresh();
        return;
    }
    attron(A_BOLD);
    mvaddstr(0, 0, view->reviewing ? "Go: review" : "Go");
    attroff(A_BOLD);
    mvprintw(0, view->reviewing ? 12 : 4, "%.60s", shown->title);
    draw_board(view, timeline);
    panel_draw(timeline, shown);
    draw_keys(view, timeline, shown->writing != NULL);
    attron(A_BOLD);
    mvprintw(1, 0, "%.79s", view->message);
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

uint32_t view_point_at(const kifu_timeline *timeline, int x, int y)
{
    const int size = go_get_state(timeline)->terms.size;
    const int column = (x - BOARD_X + 1) / 2, row = y - BOARD_Y;
    return x < BOARD_X - 1 || row < 0 || column >= size || row >= size ? NO_POINT : (uint32_t)(row * size + column);
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
        .functions = {.base = {.context = view, .rejected = rejected},
                      .act_p_pass = act_p_pass,
                      .act_p_play = act_p_play,
                      .act_e_finish = act_e_finish},
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
        const bool many = COLORS >= 256;
        const short wood = many ? 179 : COLOR_YELLOW, black = many ? 16 : COLOR_BLACK;
        init_pair(COLORS_BOARD, many ? 94 : COLOR_BLACK, wood);
        init_pair(COLORS_BLACK, black, wood);
        init_pair(COLORS_WHITE, many ? 231 : COLOR_WHITE, wood);
        init_pair(COLORS_MARK, many ? 19 : COLOR_BLUE, wood);
        init_pair(COLORS_CURSOR, many ? 124 : COLOR_RED, wood);
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
