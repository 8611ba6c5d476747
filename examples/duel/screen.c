// Draws the state, from nothing, each time: so there is nothing to keep in step with undo, load or seek.

#include "screen.h"

#include <curses.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "view.h"
#include "words.h"

enum { SCREEN_WIDTH = 80, SCREEN_HEIGHT = 24 };
enum { CELL_WIDTH = 19, CELLS = 3, LAND_WIDTH = 7, TABLE_WIDTH = CELLS * CELL_WIDTH, LOG_X = TABLE_WIDTH + 2 };
enum { MESSAGE_Y = 1, TOP_Y = 2, MIDDLE_Y = 7, BOTTOM_Y = 8, HAND_Y = 13, ABOUT_Y = 16, KEYS_Y = 20, LOG_Y = 2 };
enum { COLORS_RED = 1, COLORS_BLUE, COLORS_WORSE, COLORS_BETTER, COLORS_CHANGED };

static attr_t color_of_player(int player)
{
    return (attr_t)COLOR_PAIR(player == 0 ? COLORS_RED : COLORS_BLUE) | A_BOLD;
}

// --- Cards and players -----------------------------------------------------------------------------------------------

// Writes something that the cursor can be on, and notes where.
static void put(view *view, uint32_t target, int y, int x, int width, attr_t attributes, const char *text)
{
    view->spot[target] = (view_spot){.shown = true, .x = x, .y = y, .width = width};
    if (view->usable[target])
        attributes |= A_BOLD;
    if (view->flash[target] > 0 && target < TARGET_PLAYER)
        attributes = COLOR_PAIR(COLORS_CHANGED);
    if (view->cursor == target)
        attributes |= A_REVERSE;
    attron(attributes);
    mvprintw(y, x, "%-*.*s", width, width, text);
    attroff(attributes);
}

static void put_creature(view *view, const duel_state *state, uint32_t card, int y, int x)
{
    const duel_card *of = &state->cards[card];
    char text[40];
    bool chosen = view->chosen[card];
    snprintf(text, sizeof text, "%s %u/%d %s", rules_kind(state, card)->name, rules_power(state, card),
             rules_toughness(state, card) - of->damage,
             of->tapped  ? "tapped"
             : of->fresh ? "new"
                         : "");
    mvaddstr(y, x, chosen ? ">" : " ");
    put(view, card, y, x + 1, CELL_WIDTH - 1, of->tapped ? A_DIM : A_NORMAL, text);
}

static void put_hand_card(view *view, const duel_state *state, uint32_t card, int y, int x)
{
    const card_kind *kind = rules_kind(state, card);
    char text[40];
    if (!view->face_up)
        snprintf(text, sizeof text, "(a hidden card)");
    else if (kind->type == CARD_LAND)
        snprintf(text, sizeof text, "%s, land", kind->name);
    else
        snprintf(text, sizeof text, "%s, cost %u%s", kind->name, kind->lands, kind->creatures ? " +" : "");
    put(view, card, y, x + 1, CELL_WIDTH - 1, A_NORMAL, text);
}

// The creatures of a player in rows, and the lands in one.
static void draw_cards(view *view, const duel_state *state, int player, int creatures_y, int lands_y)
{
    int creatures = 0, lands = 0;
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (rules_owner(card) != player || state->cards[card].zone != DUEL_ZONE_PLAY)
            continue;
        if (rules_kind(state, card)->type == CARD_CREATURE) {
            put_creature(view, state, card, creatures_y + creatures / CELLS, creatures % CELLS * CELL_WIDTH);
            creatures++;
        } else {
            bool tapped = state->cards[card].tapped;
            put(view, card, lands_y, 1 + lands * LAND_WIDTH, LAND_WIDTH - 1, tapped ? A_DIM : A_NORMAL,
                tapped ? "tapped" : rules_kind(state, card)->name);
            lands++;
        }
    }
    if (creatures == 0) {
        attron(A_DIM);
        mvaddstr(creatures_y, 1, "(no creatures)");
        attroff(A_DIM);
    }
}

static void draw_hand(view *view, const duel_state *state, int player)
{
    int count = 0;
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (rules_owner(card) != player || state->cards[card].zone != DUEL_ZONE_HAND)
            continue;
        put_hand_card(view, state, card, HAND_Y + count / CELLS, count % CELLS * CELL_WIDTH);
        count++;
    }
}

static void draw_player(view *view, const duel_state *state, int player, int y)
{
    uint32_t target = TARGET_PLAYER + (uint32_t)player;
    char text[40];
    snprintf(text, sizeof text, "%s%s%s%s", view->names[player], *view->roles[player] ? " (" : "", view->roles[player],
             *view->roles[player] ? ")" : "");
    put(view, target, y, 1, (int)strlen(text), color_of_player(player), text);
    attr_t life = A_BOLD;
    if (view->flash[target] > 0)
        life = (attr_t)COLOR_PAIR(view->gained[player] ? COLORS_BETTER : COLORS_WORSE) | A_BOLD;
    attron(life);
    mvprintw(y, 18, "life %d", state->sides[player].life);
    attroff(life);
    printw("   hand %u   deck %u", rules_count(state, player, DUEL_ZONE_HAND),
           rules_count(state, player, DUEL_ZONE_DECK));
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

static void draw_middle(const view *view)
{
    attron(A_DIM);
    mvhline(MIDDLE_Y, 1, '-', TABLE_WIDTH - 1);
    attroff(A_DIM);
    if (view->prompt[0])
        mvprintw(MIDDLE_Y, 3, " %.*s ", TABLE_WIDTH - 6, view->prompt);
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

void view_draw(view *view, const kifu_timeline *timeline, bool thinking)
{
    const duel_state *state = duel_get_state(timeline);
    int top = rules_enemy(view->bottom);
    erase();
    memset(view->spot, 0, sizeof view->spot);
    if (LINES < SCREEN_HEIGHT || COLS < SCREEN_WIDTH) {
        mvprintw(0, 0, "Please make this window larger: %d x %d, it is %d x %d.", SCREEN_WIDTH, SCREEN_HEIGHT, COLS,
                 LINES);
        refresh();
        return;
    }
    draw_title(view, timeline, state, thinking);
    draw_player(view, state, top, TOP_Y);
    draw_cards(view, state, top, TOP_Y + 2, TOP_Y + 1);
    draw_middle(view);
    draw_cards(view, state, view->bottom, BOTTOM_Y, BOTTOM_Y + 3);
    draw_player(view, state, view->bottom, BOTTOM_Y + 4);
    draw_hand(view, state, view->bottom);
    draw_about(view, state);
    draw_log(view, timeline);
    draw_keys(timeline);
    attron(A_BOLD);
    mvprintw(MESSAGE_Y, 1, "%.*s", COLS - 2, view->message);
    attroff(A_BOLD);
    refresh();
}

bool screen_open(void)
{
    setlocale(LC_CTYPE, "");
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (!screen)
        return false;
    set_term(screen);
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
