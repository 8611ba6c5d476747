#define _XOPEN_SOURCE 700 // sigaction

// Draws the state, from nothing, each time: so there is nothing to keep in step with undo, load or seek.

#include "screen.h"

#include <curses.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "draw.h"
#include "view.h"
#include "words.h"

enum { SCREEN_WIDTH = 80, SCREEN_HEIGHT = 24 };
enum { MESSAGE_Y = 1, TABLE_Y = 2, ABOUT_Y = 16, KEYS_Y = 20, LOG_X = TABLE_WIDTH + 2, LOG_Y = 2 };
enum { COLORS_RED = 1, COLORS_BLUE, COLORS_WORSE, COLORS_BETTER, COLORS_CHANGED };

static attr_t color_of_player(int player)
{
    return (attr_t)COLOR_PAIR(player == 0 ? COLORS_RED : COLORS_BLUE) | A_BOLD;
}

// --- Cards and players -----------------------------------------------------------------------------------------------

// Notes where something is that the cursor can be on, and how it is shown.
static void mark(view *view, uint32_t target, int y, int x, int width, attr_t attributes)
{
    view->spot[target] = (view_spot){.shown = true, .x = x, .y = y, .width = width};
    if (view->usable[target])
        attributes |= A_BOLD;
    if (view->flash[target] > 0 && target < TARGET_PLAYER)
        attributes = COLOR_PAIR(COLORS_CHANGED);
    if (view->cursor == target)
        attributes |= A_REVERSE;
    mvchgat(y, x, width, attributes & ~(attr_t)A_COLOR, (short)PAIR_NUMBER(attributes), NULL);
}

// Creatures or a hand in rows, and lands in one.
static void mark_cards(view *view, const duel_state *state, int player, duel_zone zone, bool lands, int y)
{
    uint32_t shown[DECK_SIZE];
    const int count = (int)draw_cards(state, player, zone, lands, shown);
    for (int i = 0; i < count; i++) {
        const attr_t attributes = state->cards[shown[i]].tapped && zone == DUEL_ZONE_PLAY ? A_DIM : A_NORMAL;
        if (lands)
            mark(view, shown[i], y, 1 + i * LAND_WIDTH, LAND_WIDTH - 1, attributes);
        else
            mark(view, shown[i], y + i / CELLS, 1 + i % CELLS * CELL_WIDTH, CELL_WIDTH - 1, attributes);
    }
    if (count == 0 && !lands && zone == DUEL_ZONE_PLAY)
        mvchgat(y, 1, TABLE_WIDTH - 1, A_DIM, 0, NULL);
}

static void mark_player(view *view, int player, const char *name, int y)
{
    const uint32_t target = TARGET_PLAYER + (uint32_t)player;
    mark(view, target, y, 1, (int)strlen(name), color_of_player(player));
    const short colours = view->flash[target] <= 0 ? 0 : view->gained[player] ? COLORS_BETTER : COLORS_WORSE;
    mvchgat(y, LIFE_X, (int)strlen("life 10"), A_BOLD, colours, NULL);
}

static kifu_result put(void *context, const char *text, size_t size)
{
    int *y = context;
    addnstr(text, (int)size);
    if (size && text[size - 1] == '\n')
        move(++*y, 0);
    return KIFU_OK;
}

// The game's own drawing; then it is marked what is where.
static void draw_table(view *view, kifu_timeline *timeline)
{
    const duel_state *state = duel_get_state(timeline);
    const int bottom = view->bottom, top = rules_enemy(bottom);
    const draw_look look = {.bottom = bottom, .face_up = view->face_up, .chosen = view->chosen, .prompt = view->prompt};
    char names[2][LIFE_X];
    for (int i = 0; i < 2; i++)
        snprintf(names[i], sizeof names[i], "%s%s%s%s", view->names[i], *view->roles[i] ? " (" : "", view->roles[i],
                 *view->roles[i] ? ")" : "");
    int y = TABLE_Y;
    kifu_drawing drawing = {.write = put,
                            .context = &y,
                            .text = true,
                            .user = &look,
                            .players = (const char *const[]){names[0], names[1]},
                            .player_count = 2};
    move(y, 0);
    if (kifu_draw_state(timeline, &drawing))
        return;
    mark_player(view, top, names[top], TABLE_Y + TOP_ROW);
    mark_cards(view, state, top, DUEL_ZONE_PLAY, true, TABLE_Y + TOP_ROW + 1);
    mark_cards(view, state, top, DUEL_ZONE_PLAY, false, TABLE_Y + TOP_ROW + 2);
    mark_cards(view, state, bottom, DUEL_ZONE_PLAY, false, TABLE_Y + BOTTOM_ROW);
    mark_cards(view, state, bottom, DUEL_ZONE_PLAY, true, TABLE_Y + BOTTOM_ROW + 3);
    mark_player(view, bottom, names[bottom], TABLE_Y + BOTTOM_ROW + 4);
    mark_cards(view, state, bottom, DUEL_ZONE_HAND, false, TABLE_Y + HAND_ROW);
}

// --- Texts -----------------------------------------------------------------------------------------------------------

static void draw_title(const view *view, const kifu_timeline *timeline, const duel_state *state, bool thinking)
{
    attron(A_BOLD);
    mvaddstr(0, 1, "Duel");
    attroff(A_BOLD);
    if (state->game.phase == KIFU_PHASE_PLAY) {
        int player = kifu_current_player(&state->game);
        mvprintw(0, 7, "turn %u: ", state->turn);
        attron(color_of_player(player));
        addstr(view->names[player]);
        attroff(color_of_player(player));
        if (thinking)
            addstr(" thinks ...");
    } else if (state->game.phase == KIFU_PHASE_GAME_OVER) {
        int winner = rules_winner(state);
        mvprintw(0, 7, "The game is over: %s%s.", winner < 0 ? "a draw" : view->names[winner],
                 winner < 0 ? "" : " has won");
    }
    uint32_t count = kifu_position(timeline), present = kifu_event_count(timeline);
    if (count != present) {
        attron(A_REVERSE);
        mvprintw(0, TABLE_WIDTH - 28, " the past: %u of %u events ", count, present);
        attroff(A_REVERSE);
    }
}

static void draw_about_card(const duel_state *state, uint32_t card)
{
    const card_kind *kind = rules_kind(state, card);
    const duel_card *of = &state->cards[card];
    attron(A_BOLD);
    mvaddstr(ABOUT_Y, 1, kind->name);
    attroff(A_BOLD);
    if (kind->type != CARD_LAND)
        printw(", costs %u land%s%s", kind->lands, kind->lands > 1 ? "s" : "",
               kind->creatures ? " and one of your creatures" : "");
    if (kind->type == CARD_CREATURE)
        printw(": power %u, toughness %u", rules_power(state, card), rules_toughness(state, card));
    if (of->damage)
        printw(", %u damage until the turn ends", of->damage);
    if (of->fresh)
        addstr(", attacks from the next turn on");
    mvprintw(ABOUT_Y + 1, 1, "%.*s", COLS - 2, kind->text);
}

static void draw_about(const view *view, const duel_state *state)
{
    uint32_t target = view->cursor;
    if (target < TARGET_END && !view->spot[target].shown)
        return;
    if (target >= TARGET_PLAYER) {
        mvprintw(ABOUT_Y, 1, "%s: who has no life left, or no card to draw, has lost.",
                 view->names[target - TARGET_PLAYER]);
    } else if (state->cards[target].zone == DUEL_ZONE_HAND && !view->face_up) {
        mvaddstr(ABOUT_Y, 1, "A card of a hand that is not shown now.");
    } else {
        draw_about_card(state, target);
    }
    attron(A_DIM);
    mvprintw(ABOUT_Y + 2, 1, "%.*s", COLS - 2, view->hint);
    attroff(A_DIM);
}

// Where the next line of a text begins that is `width` wide at most: behind a space, if there is one.
static const char *next_line(const char *text, int width)
{
    if ((int)strlen(text) <= width)
        return text + strlen(text);
    const char *end = text + width;
    while (end > text && *end != ' ')
        end--;
    return end > text ? end + 1 : text + width;
}

// What has happened, newest at the bottom; read from the log itself.
static void draw_log(const view *view, const kifu_timeline *timeline)
{
    const int rows = ABOUT_Y - 1 - LOG_Y, width = COLS - LOG_X - 1;
    int y = LOG_Y + rows;
    kifu_event event;
    for (uint32_t i = kifu_position(timeline); i > 0 && kifu_event_at(timeline, i - 1, &event); i--) {
        char words[120];
        if (!words_of_event(timeline, &event, view->names, words, sizeof words))
            continue;
        int lines = 0;
        for (const char *text = words; *text; text = next_line(text, width))
            lines++;
        y -= lines;
        if (y < LOG_Y)
            break;
        int line = y;
        for (const char *text = words, *next; *text; text = next) {
            next = next_line(text, width);
            mvaddnstr(line++, LOG_X, text, (int)(next - text));
        }
        if (event.type == DUEL_E_BEGIN_TURN)
            mvchgat(y, LOG_X, width, A_DIM, 0, NULL);
    }
    attron(A_DIM);
    mvvline(LOG_Y, LOG_X - 1, '|', rows);
    attroff(A_DIM);
}

static void draw_key(int y, int x, const char *text, bool possible)
{
    attr_t attributes = possible ? A_NORMAL : A_DIM;
    attron(attributes);
    mvaddstr(y, x, text);
    attroff(attributes);
}

static void draw_keys(const kifu_timeline *timeline)
{
    bool past = kifu_position(timeline) != kifu_event_count(timeline);
    if (past) {
        mvaddstr(KEYS_Y, 1, "left, right: one event    up, down: one turn    home: the beginning");
        mvaddstr(KEYS_Y + 1, 1, "Esc: back to the game     F: play on from here, as another game");
        return;
    }
    mvaddstr(KEYS_Y, 1, "arrows: look around    tab: to what can be used    Enter: use it    Esc: cancel");
    mvaddstr(KEYS_Y + 1, 1, "P: pay with lands    E: end the turn");
    draw_key(KEYS_Y + 1, 40, "U: undo", kifu_can_undo(timeline, NULL) != 0);
    draw_key(KEYS_Y + 1, 50, "R: redo", kifu_can_redo(timeline, NULL) != 0);
    mvaddstr(KEYS_Y + 1, 60, "H: history");
    mvaddstr(KEYS_Y + 2, 1, "S: save    L: load    N: new game    G: give up    Q: quit    ?: keys");
}

void view_draw(view *view, kifu_timeline *timeline, bool thinking)
{
    const duel_state *state = duel_get_state(timeline);
    erase();
    memset(view->spot, 0, sizeof view->spot);
    if (LINES < SCREEN_HEIGHT || COLS < SCREEN_WIDTH) {
        mvprintw(0, 0, "Please make this window larger: %d x %d, it is %d x %d.", SCREEN_WIDTH, SCREEN_HEIGHT, COLS,
                 LINES);
        refresh();
        return;
    }
    draw_title(view, timeline, state, thinking);
    draw_table(view, timeline);
    draw_about(view, state);
    draw_log(view, timeline);
    draw_keys(timeline);
    attron(A_BOLD);
    mvprintw(MESSAGE_Y, 1, "%.*s", COLS - 2, view->message);
    attroff(A_BOLD);
    refresh();
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

bool screen_open(void)
{
    setlocale(LC_CTYPE, "");
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (!screen)
        return false;
    set_term(screen);
    watch_interrupt();
    set_escdelay(25); // Esc alone is a key here
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    curs_set(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
        init_pair(COLORS_RED, COLOR_RED, -1);
        init_pair(COLORS_BLUE, COLOR_CYAN, -1);
        init_pair(COLORS_WORSE, COLOR_WHITE, COLOR_RED);
        init_pair(COLORS_BETTER, COLOR_BLACK, COLOR_GREEN);
        init_pair(COLORS_CHANGED, COLOR_BLACK, COLOR_YELLOW);
    }
    return true;
}

void screen_close(void)
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
