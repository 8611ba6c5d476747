#define _XOPEN_SOURCE 700 // sigaction

// Draws the state, from nothing, each time: so there is nothing to keep in step with undo, load or a film.

#include "screen.h"

#include <curses.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "draw.h"
#include "game.h"
#include "kinds.h"
#include "map.h"
#include "view.h"
#include "words.h"

enum { SCREEN_WIDTH = 80, SCREEN_HEIGHT = 24 };
enum { MAP_Y = 1, SIDE_X = MAP_WIDTH + 2, SIDE_WIDTH = SCREEN_WIDTH - SIDE_X, MESSAGES_Y = 21, KEYS_Y = 23 };
enum { COLORS_HERO = 1, COLORS_MONSTER, COLORS_ITEM, COLORS_GROUND, COLORS_GOOD, COLORS_BLOW, COLORS_MAGIC };

// --- The map ---------------------------------------------------------------------------------------------------------

static attr_t colours_of_tile(dungeon_tile tile, bool visible)
{
    attr_t look = A_NORMAL;
    switch (tile) {
    case DUNGEON_TILE_DOOR:
    case DUNGEON_TILE_OPEN_DOOR:
    case DUNGEON_TILE_MUD:
        look |= (attr_t)COLOR_PAIR(COLORS_GROUND);
        break;
    case DUNGEON_TILE_SHRINE:
        look |= (attr_t)COLOR_PAIR(COLORS_MAGIC) | A_BOLD;
        break;
    case DUNGEON_TILE_STAIRS:
        look |= (attr_t)COLOR_PAIR(COLORS_GOOD) | A_BOLD;
        break;
    default:
        break;
    }
    return visible || tile == DUNGEON_TILE_STAIRS ? look : look | A_DIM;
}

static chtype look_of_item(dungeon_thing thing)
{
    return (unsigned char)things[thing].letter | (chtype)COLOR_PAIR(COLORS_ITEM) | A_BOLD;
}

static chtype look_of_being(const dungeon_state *state, kifu_handle handle)
{
    const dungeon_being *being = dungeon_get_actors(state, handle);
    chtype look = (unsigned char)beings[being->kind].letter;
    if (handle == state->hero)
        return look | (chtype)COLOR_PAIR(COLORS_HERO) | A_BOLD;
    return look | (chtype)COLOR_PAIR(COLORS_MONSTER) | (being->actor.speed ? A_BOLD : A_NORMAL);
}

static void colour(int x, int y, attr_t look)
{
    mvchgat(MAP_Y + y, x, 1, look & ~(attr_t)A_COLOR, (short)PAIR_NUMBER(look), NULL);
}

static kifu_result put(void *context, const char *text, size_t size)
{
    int *y = context;
    addnstr(text, (int)size);
    if (size && text[size - 1] == '\n')
        move(++*y, 0);
    return KIFU_OK;
}

// The game's own drawing, and colours on it.
static void draw_map(kifu_timeline *timeline)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    int y = MAP_Y;
    kifu_drawing drawing = {.write = put, .context = &y, .text = true, .user = ""};
    move(MAP_Y, 0);
    if (kifu_draw_state(timeline, &drawing))
        return;
    for (y = 0; y < MAP_HEIGHT; y++) {
        for (int x = 0; x < MAP_WIDTH; x++) {
            if (map_is_seen(state, x, y))
                colour(x, y, colours_of_tile(map_tile(state, x, y), map_hero_sees(state, x, y)));
        }
    }
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_items(state, handle))) {
        const dungeon_item *item = dungeon_get_items(state, handle);
        if (!item->owner && map_is_seen(state, item->x, item->y))
            colour(item->x, item->y, look_of_item(item->thing));
    }
    while ((handle = dungeon_next_actors(state, handle))) {
        const dungeon_being *being = dungeon_get_actors(state, handle);
        if (map_hero_sees(state, being->x, being->y) && map_inside(being->x, being->y))
            colour(being->x, being->y, look_of_being(state, handle));
    }
}

// A blow is a cell in red, a spell a row of stars.
static void draw_effects(const view *view)
{
    for (uint32_t i = 0; i < VIEW_EFFECTS; i++) {
        const view_effect *effect = &view->effects[i];
        if (effect->time <= 0)
            continue;
        int dx = effect->to_x - effect->x, dy = effect->to_y - effect->y;
        int steps = map_distance(effect->x, effect->y, effect->to_x, effect->to_y);
        for (int step = 1; step < steps; step++)
            mvaddch(MAP_Y + effect->y + dy * step / steps, effect->x + dx * step / steps,
                    '*' | (chtype)COLOR_PAIR(COLORS_MAGIC) | A_BOLD);
        mvchgat(MAP_Y + effect->to_y, effect->to_x, 1, A_BOLD, COLORS_BLOW, NULL);
    }
}

// --- Beside it -------------------------------------------------------------------------------------------------------

static void draw_life(const dungeon_state *state, const dungeon_being *hero)
{
    enum { BAR = 12 };
    int full = hero->most_hp > 0 ? (hero->hp * BAR + hero->most_hp - 1) / hero->most_hp : 0;
    bool low = 3 * hero->hp <= hero->most_hp;
    mvaddstr(1, SIDE_X, "Life ");
    attron(COLOR_PAIR(low ? COLORS_MONSTER : COLORS_GOOD) | A_BOLD);
    for (int i = 0; i < BAR; i++)
        addch(i < full ? '=' : ' ');
    printw(" %d of %d", hero->hp, hero->most_hp);
    attroff(COLOR_PAIR(low ? COLORS_MONSTER : COLORS_GOOD) | A_BOLD);

    dungeon_tile tile = map_tile(state, hero->x, hero->y);
    const char *ground = tile == DUNGEON_TILE_MUD      ? "in mud: it slows you"
                         : tile == DUNGEON_TILE_SHRINE ? "on a shrine: you hit harder"
                         : tile == DUNGEON_TILE_STAIRS ? "on the stairs: press >"
                                                       : "";
    mvprintw(2, SIDE_X, "%s%s%s", hero->fast ? "fast" : "", hero->fast && *ground ? ", " : "", ground);
}

static void draw_pack(const dungeon_state *state, const dungeon_being *hero)
{
    attron(A_UNDERLINE);
    mvaddstr(3, SIDE_X, "Pack (a number uses it)");
    attroff(A_UNDERLINE);
    for (uint32_t place = 0; place < PACK_SIZE; place++) {
        kifu_handle handle = map_item_of(state, state->hero, place);
        const dungeon_item *item = dungeon_get_items(state, handle);
        if (!item) {
            if (place == 0)
                mvaddstr(4, SIDE_X, "empty");
            break;
        }
        bool worn = handle == hero->weapon || handle == hero->armour;
        attron(worn ? A_BOLD : A_NORMAL);
        mvprintw(4 + (int)place, SIDE_X, "%u %s%s", place + 1, things[item->thing].name,
                 handle == hero->weapon   ? " (in hand)"
                 : handle == hero->armour ? " (worn)"
                                          : "");
        attroff(worn ? A_BOLD : A_NORMAL);
    }
}

// Who has only arrow keys cannot guess which key hits a monster that stands diagonally.
static void draw_key_for(const dungeon_being *hero, const dungeon_being *being)
{
    static const char keys[] = "y u   b n";
    int dx = being->x - hero->x, dy = being->y - hero->y;
    if (dx * dx == 1 && dy * dy == 1)
        printw(" (%c: hit)", keys[(dy + 1) * 3 + dx + 1]);
}

static int draw_monsters_in_sight(const dungeon_state *state, int y, int end)
{
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_actors(state, handle)) && y < end) {
        const dungeon_being *being = dungeon_get_actors(state, handle);
        if (handle == state->hero || !map_hero_sees(state, being->x, being->y))
            continue;
        mvaddch(y, SIDE_X, look_of_being(state, handle));
        printw(" %s%s%s", beings[being->kind].name,
               being->hp == being->most_hp      ? ""
               : 2 * being->hp > being->most_hp ? ", hurt"
                                                : ", nearly dead",
               being->actor.speed ? "" : ", asleep");
        draw_key_for(map_hero(state), being);
        y++;
    }
    return y;
}

static int draw_items_in_sight(const dungeon_state *state, int y, int end)
{
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_items(state, handle)) && y < end) {
        const dungeon_item *item = dungeon_get_items(state, handle);
        if (item->owner || !map_hero_sees(state, item->x, item->y))
            continue;
        mvaddch(y, SIDE_X, look_of_item(item->thing));
        printw(" %s", things[item->thing].name);
        y++;
    }
    return y;
}

static void draw_sight(const dungeon_state *state, const dungeon_being *hero)
{
    enum { TOP = 13, END = 20 };
    attron(A_UNDERLINE);
    mvaddstr(TOP, SIDE_X, "In sight");
    attroff(A_UNDERLINE);
    int y = draw_monsters_in_sight(state, TOP + 1, END);
    if (draw_items_in_sight(state, y, END) == TOP + 1)
        mvaddstr(TOP + 1, SIDE_X, "nothing");
    const dungeon_item *here = dungeon_get_items(state, map_item_at(state, hero->x, hero->y));
    if (here) {
        attron(A_BOLD);
        mvprintw(END, SIDE_X, "Here: %s (g: take)", things[here->thing].name);
        attroff(A_BOLD);
    }
}

// --- Texts -----------------------------------------------------------------------------------------------------------

static void draw_title(const view *view, const kifu_timeline *timeline, const dungeon_state *state)
{
    attron(A_BOLD);
    mvaddstr(0, 0, "Dungeon");
    attroff(A_BOLD);
    if (state->level)
        mvprintw(0, 9, "level %u of %d, %s: %s", state->level, LEVEL_COUNT, levels[state->level].name,
                 levels[state->level].text);
    char where[40];
    snprintf(where, sizeof where, "turn %u", state->turns.turn);
    mvaddstr(0, SCREEN_WIDTH - (int)strlen(where), where);
    if (view->film) {
        attron(A_REVERSE);
        mvprintw(MAP_Y + MAP_HEIGHT - 1, SIDE_X, " film: %2u%%%s ",
                 100 * kifu_position(timeline) / (kifu_event_count(timeline) + 1), view->stopped ? ", stopped" : "");
        if (!view->stopped)
            printw("%gx ", view->speed);
        attroff(A_REVERSE);
    }
}

// The last sentences, as many as there is room for, newest last. Those since the last key are bright.
static void draw_messages(const view *view, int rows)
{
    uint32_t first = view->message_count;
    int room = rows * SCREEN_WIDTH - 20; // lines break between words
    while (first > 0 && (room -= (int)strlen(view->messages[first - 1].text) + 1) > 0)
        first--;
    int y = MESSAGES_Y, x = 0;
    for (; first < view->message_count; first++) {
        char text[sizeof view->messages->text];
        snprintf(text, sizeof text, "%s", view->messages[first].text);
        attron(view->messages[first].fresh ? A_BOLD : A_DIM);
        for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
            if (x + (int)strlen(word) >= SCREEN_WIDTH) {
                x = 0;
                y++;
            }
            if (y < MESSAGES_Y + rows)
                mvaddstr(y, x, word);
            x += (int)strlen(word) + 1;
        }
        attroff(view->messages[first].fresh ? A_BOLD : A_DIM);
    }
}

static void draw_keys(const view *view, const dungeon_state *state)
{
    const char *keys = "arrows: walk, hit, open  x: explore  R: rest  g: take  z: undo  ?: help  q: quit";
    if (view->film)
        keys = "+ -: faster, slower  space: stop, go on  left, right: 10 turns  Esc: end it";
    else if (view->bot)
        keys = "The bot plays. Any key: you play on.";
    else if (dungeon_is_over(state))
        keys = view->no_undo ? "The game is over.  f: watch it as a film  S: new game  q: quit"
                             : "The game is over.  f: watch it as a film  S: new game  z: undo  q: quit";
    else if (view->no_undo)
        keys = "arrows: walk, hit, open  x: explore  R: rest  g: take  >: down  ?: help  q: quit";
    attron(view->note[0] ? A_BOLD : A_DIM);
    mvprintw(LINES - 1, 0, "%.*s", COLS - 1, view->note[0] ? view->note : keys);
    attroff(view->note[0] ? A_BOLD : A_DIM);
}

static void draw_end(const dungeon_state *state)
{
    char words[80];
    if (!dungeon_is_over(state))
        return;
    words_of_end(state, words, sizeof words);
    attron(COLOR_PAIR(state->won ? COLORS_GOOD : COLORS_MONSTER) | A_BOLD | A_REVERSE);
    mvprintw(0, 9, " You have %s.%*s", words, (int)(50 - strlen(words)), "");
    attroff(COLOR_PAIR(state->won ? COLORS_GOOD : COLORS_MONSTER) | A_BOLD | A_REVERSE);
}

static void draw_help(void)
{
    static const char *const lines[] = {
        "Find the amulet on level 3 and take it. Do not die. Any key ends what goes on.",
        "arrows, h j k l      walk; into a monster: attack; into a door: open it",
        "Home End PgUp PgDn, y b u n: the same diagonally",
        "Shift and any of these: run until something comes into sight",
        "x                    explore: walk on, and take what lies on the way",
        "w                    walk to the stairs, once you have seen them",
        "R                    rest until no wound is left;  . or space: rest for a turn",
        "g                    take what lies here",
        "1 to 8               use that item: drink, read, wield, put on or away",
        ">                    go down the stairs, when on them",
        "z, r                 undo to before your last action; redo",
        "f                    the whole game as a film",
        "Tab                  let a bot play; any key takes over again",
        "S                    a new game            q   save and quit",
        "",
        "@ you   letters: monsters, bright when they are awake (the list says which)",
        "# wall   + door   ' open door   > stairs   ~ mud: slow   _ shrine: hit harder",
        "! potion   ? scroll   ) weapon   [ armour   \" the amulet",
        "",
        "Level 2 forbids magic. On level 3 each of your blows wakes somebody.",
        "After 20 turns on a level you are ambushed, and later again.",
    };
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++)
        mvaddstr(1 + i, 2, lines[i]);
    attron(A_BOLD);
    mvaddstr(KEYS_Y - 1, 2, "Any key: back to the game");
    attroff(A_BOLD);
}

void view_draw(view *view, kifu_timeline *timeline)
{
    const dungeon_state *state = dungeon_get_state(timeline);
    const dungeon_being *hero = map_hero(state);
    erase();
    if (LINES < SCREEN_HEIGHT || COLS < SCREEN_WIDTH) {
        mvprintw(0, 0, "Please make this window larger: %d x %d, it is %d x %d.", SCREEN_WIDTH, SCREEN_HEIGHT, COLS,
                 LINES);
    } else if (view->help) {
        draw_help();
    } else {
        draw_title(view, timeline, state);
        if (hero) {
            draw_map(timeline);
            draw_effects(view);
            draw_life(state, hero);
            draw_pack(state, hero);
            draw_sight(state, hero);
        }
        draw_end(state);
        draw_messages(view, LINES - 1 - MESSAGES_Y);
        draw_keys(view, state);
    }
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
        init_pair(COLORS_HERO, COLOR_CYAN, -1);
        init_pair(COLORS_MONSTER, COLOR_RED, -1);
        init_pair(COLORS_ITEM, COLOR_YELLOW, -1);
        init_pair(COLORS_GROUND, COLOR_YELLOW, -1);
        init_pair(COLORS_GOOD, COLOR_GREEN, -1);
        init_pair(COLORS_BLOW, COLOR_WHITE, COLOR_RED);
        init_pair(COLORS_MAGIC, COLOR_MAGENTA, -1);
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
