// reversi: the game in a terminal. This file only turns keys into calls of the timeline, and time into kifu_update.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <curses.h>
#include <kifu/main.h>
#ifdef WITH_ONLINE
#include <kifu/online.h>
#endif

#include "board.h"
#include "bot.h"
#include "draw.h"
#include "game.h"
#include "view.h"
#ifdef WITH_TOOL
#include "reversi_web.h"
#endif

enum { KEY_WAIT_MS = 30, ESCAPE = 27 };

static const double key_seconds = 0.03; // so often a computer that thinks looks for keys

typedef struct app {
    kifu_timeline *timeline;
    kifu_options options;
    view view;
    const char *path;
    const char *names[2];
    bool computer[2]; // by player number
    uint32_t level;
    double waiting; // seconds since somebody has been to move
    double looked;  // when the last key was looked for in the computer's thinking
    bool left;      // the player has left meanwhile
    char column;    // typed: the first half of "f5"
    bool asked;     // N was pressed once
    bool logged;    // the save is a log file: nothing is lost when the program is killed

    struct kifu_online *online; // NULL: the game is played on this machine alone
} app;

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// Whose move the game waits for, or -1.
static int to_move(const app *app)
{
    const kifu_game *game = kifu_get_game(app->timeline);
    return game->phase == KIFU_PHASE_PLAY && kifu_is_idle(app->timeline) ? kifu_current_player(game) : -1;
}

static bool computer_to_move(const app *app)
{
    int player = kifu_current_player(kifu_get_game(app->timeline));
    return kifu_get_game(app->timeline)->phase == KIFU_PHASE_PLAY && player >= 0 && app->computer[player];
}

static int16_t seconds_waited(const app *app)
{
    return (int16_t)(app->waiting < INT16_MAX ? app->waiting : INT16_MAX);
}

// From here on, the save has what happens as it happens. False: another program plays this game, or has played it on.
static bool begin_log(app *app, kifu_error *error)
{
    app->logged = kifu_log_open(app->timeline, app->path, NULL) == KIFU_OK;
    const char *kept = kifu_kept_path(app->timeline);
    if (app->logged && kept)
        view_say(&app->view, "Not all of the save could be read: as it was, it stays in %.100s.", kept);
    if (app->logged)
        return true;
    *error = *kifu_last_error(app->timeline);
    view_say(&app->view, "This game will not be saved before you quit: %s", error->message);
    return error->result != KIFU_IN_USE && error->result != KIFU_CHANGED;
}

static void append_to_log(app *app)
{
    if (!app->logged || !kifu_log_append(app->timeline))
        return;
    app->logged = false;
    view_say(&app->view, "This game is not saved any more before you quit: %s",
             kifu_last_error(app->timeline)->message);
}

// --- Over a network --------------------------------------------------------------------------------------------------

#ifdef WITH_ONLINE

static kifu_result update(app *app, double dt)
{
    if (!app->online)
        return kifu_update(app->timeline, dt);
    const kifu_result result = kifu_online_update(app->online, dt);
    const char *words = kifu_online_words(app->online);
    if (words)
        view_say(&app->view, "%s%s", words, kifu_online_asker(app->online) < 0 ? "" : " (Y or N)");
    return result;
}

// Whether the player at this keyboard has to wait for others.
static bool must_wait(const app *app)
{
    return app->online && (!kifu_online_is_ready(app->online) ||
                           kifu_current_player(kifu_get_game(app->timeline)) != kifu_online_seat(app->online));
}

// A key that means something else over a network. False: it does not.
static bool press_online(app *app, int key)
{
    if (!app->online)
        return false;
    if ((key == 'y' || key == 'Y' || key == 'n' || key == 'N') && kifu_online_asker(app->online) >= 0)
        kifu_online_consent(app->online, key == 'y' || key == 'Y');
    else if (key == 'u' || key == 'U')
        kifu_online_undo(app->online);
    else if (key == 'n' || key == 'N' || key == 'r' || key == 'R')
        view_say(&app->view, "Not over a network: the game is where it is served.");
    else
        return false;
    return true;
}

#else

static kifu_result update(app *app, double dt)
{
    return kifu_update(app->timeline, dt);
}

static bool must_wait(const app *app)
{
    (void)app;
    return false;
}

static bool press_online(app *app, int key)
{
    (void)app;
    (void)key;
    return false;
}

#endif

// --- Games, new and old ----------------------------------------------------------------------------------------------

// A new timeline takes the place of the old one.
static void replace_timeline(app *app, kifu_timeline *timeline)
{
    kifu_destroy(app->timeline);
    app->timeline = timeline;
    app->waiting = 0;
    app->view.functions.base.redraw(&app->view, timeline);
}

static bool new_game(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    if (kifu_create(&reversi_rules, &app->options, &timeline, error))
        return false;
    if (reversi_begin(timeline, NULL)) {
        *error = *kifu_last_error(timeline);
        kifu_destroy(timeline);
        return false;
    }
    replace_timeline(app, timeline);
    return begin_log(app, error);
}

static bool load(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    kifu_recovery recovery;
    const kifu_load_options load_options = {.recover = kifu_recover,
                                            .recovery = &recovery}; // a game that was killed has left a log file
    if (kifu_load(&reversi_rules, app->path, &app->options, &load_options, &timeline, error))
        return false;
    if (kifu_get_game(timeline)->player_count != 2) { // a save may come from anywhere
        *error = (kifu_error){.result = KIFU_DAMAGED, .message = "this is no game of two players"};
        kifu_destroy(timeline);
        return false;
    }
    replace_timeline(app, timeline);
    if (kifu_get_game(timeline)->phase == KIFU_PHASE_GAME_OVER)
        view_say(&app->view, "This game (%s) is over. N: a new game", app->path);
    else
        view_say(&app->view, "The game goes on where %s (%s). N: a new game",
                 recovery.dropped ? "its damaged save is whole" : "you left it", app->path);
    return begin_log(app, error);
}

static kifu_result save(app *app)
{
    const kifu_save_options options = {.title = "Reversi", .players = app->names, .player_count = 2};
    return app->logged ? kifu_log_close(app->timeline, &options) : kifu_save(app->timeline, app->path, &options);
}

static void ask_new_game(app *app)
{
    kifu_error error;
    if (!app->asked && kifu_get_game(app->timeline)->phase == KIFU_PHASE_PLAY)
        view_say(&app->view, "A new game? Press N again; this one will be lost.");
    else if (!new_game(app, &error))
        view_say(&app->view, "%s", error.message);
}

// Back to the last decision of a person: the computer would only repeat its own.
static void undo(app *app)
{
    int chains = 0;
    while (!kifu_undo(app->timeline)) {
        chains++;
        if (!computer_to_move(app))
            break;
    }
    app->waiting = 0;
    if (chains && !computer_to_move(app)) {
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
        if (!computer_to_move(app))
            break;
    }
    app->waiting = 0;
    view_say(&app->view, any ? "Played again." : "There is no move to play again.");
}

static void place_at(app *app, uint32_t square, int16_t seconds)
{
    reversi_p_place_args place = reversi_p_place_defaults();
    place.square = (uint8_t)square;
    place.seconds = seconds;
    reversi_submit_p_place(app->timeline, to_move(app), &place);
}

static void place(app *app)
{
    if (to_move(app) >= 0 && !computer_to_move(app) && !must_wait(app))
        place_at(app, app->view.cursor, seconds_waited(app));
}

static void resign(app *app)
{
    if (to_move(app) >= 0 && !computer_to_move(app) && !must_wait(app))
        reversi_submit_p_resign(app->timeline, to_move(app));
}

// It hears this after each try, and stops when the player leaves.
static bool go_on_thinking(void *context, uint64_t done, uint64_t total)
{
    app *app = context;
    (void)done, (void)total;
    const double time = now();
    if (time - app->looked > key_seconds || time < app->looked) {
        app->looked = time;
        app->left = app->left || view_left();
    }
    return !app->left;
}

static void let_computer_move(app *app)
{
    kifu_moves moves = {0};
    const kifu_move *move;
    const kifu_thinking thinking = {.tries = bot_tries(app->level),
                                    .seed = (uint64_t)now(),
                                    .threads = 4,
                                    .progress = go_on_thinking,
                                    .context = app};
    view_draw(&app->view, app->timeline, app->names, true);
    double start = now();
    if (kifu_choose_move(app->timeline, to_move(app), &reversi_bot, &thinking, &moves, &move))
        view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
    else if (move && !app->left)
        place_at(app, ((const reversi_p_place *)move->table)->square, (int16_t)(now() - start));
    kifu_free_moves(&moves);
}

static void move_cursor(view *view, int dx, int dy)
{
    uint32_t column = (view->cursor % BOARD_SIDE + (uint32_t)(BOARD_SIDE + dx)) % BOARD_SIDE;
    uint32_t row = (view->cursor / BOARD_SIDE + (uint32_t)(BOARD_SIDE + dy)) % BOARD_SIDE;
    view->cursor = row * BOARD_SIDE + column;
}

static void click(app *app)
{
    MEVENT mouse;
    int square = getmouse(&mouse) == OK ? view_square_at(mouse.x, mouse.y) : -1;
    if (square >= 0) {
        app->view.cursor = (uint32_t)square;
        place(app);
    }
}

// False: quit.
static void show_keys(void)
{
    static const char *const lines[] = {
        "Reversi: the keys",
        "",
        "arrows, mouse, f5    choose a square",
        "enter, space         place a disc",
        "U, R                 undo, redo",
        "G                    give up",
        "N                    a new game",
        "Q                    save and quit",
        "?                    these keys",
        "",
        "Any key: back to the game",
    };
    erase();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        mvaddstr((int)i, 1, lines[i]);
    refresh();
    timeout(100);
    while (getch() == ERR && !view_interrupted() && !view_input_has_ended())
        ;
}

static bool press(app *app, int key)
{
    // "f5" typed is a square. Small letters up to h start one, so commands have capitals, and small letters beyond h.
    char name[2] = {app->column, (char)key};
    app->column = key >= 'a' && key <= 'h' ? (char)key : '\0';
    if (key >= '1' && key <= '8' && name[0]) {
        app->view.cursor = (uint32_t)board_square(name);
        return true;
    }
    const bool asks = key == 'n' || key == 'N';
    if (asks)
        ask_new_game(app);
    app->asked = asks;
    switch (key) {
    case KEY_LEFT:
        move_cursor(&app->view, -1, 0);
        break;
    case KEY_RIGHT:
        move_cursor(&app->view, 1, 0);
        break;
    case KEY_UP:
        move_cursor(&app->view, 0, -1);
        break;
    case KEY_DOWN:
        move_cursor(&app->view, 0, 1);
        break;
    case '\n':
    case '\r':
    case ' ':
    case KEY_ENTER:
        place(app);
        break;
    case KEY_MOUSE:
        click(app);
        break;
    case 'u':
    case 'U':
        undo(app);
        break;
    case 'r':
    case 'R':
        redo(app);
        break;
    case 'G':
        resign(app);
        break;
    case '?':
        show_keys();
        break;
    case 'q':
    case 'Q':
        return false;
    case ESCAPE:
        view_say(&app->view, "Q saves the game and quits.");
        break;
    default:
        break;
    }
    return true;
}

static void play(app *app)
{
    double last = now();
    for (;;) {
        view_draw(&app->view, app->timeline, app->names, false);
        timeout(KEY_WAIT_MS);
        int key = getch();
        if (app->left || view_interrupted() || (key == ERR && view_input_has_ended()))
            return;
        if (key != ERR && key != KEY_RESIZE && !press_online(app, key) && !press(app, key))
            return;
        double time = now(), dt = time - last;
        last = time;
        app->waiting = to_move(app) >= 0 ? app->waiting + dt : 0;
        if (to_move(app) >= 0 && computer_to_move(app)) {
            let_computer_move(app);
            last = now(); // its thinking is no part of the animation
            dt = 0;
        }
        // What goes wrong with an event is told to the view's `rejected`.
        update(app, dt);
        append_to_log(app);
    }
}

#ifdef WITH_ONLINE

static kifu_result begin_online(void *context, kifu_timeline *timeline, uint32_t seats)
{
    (void)context;
    (void)seats;
    return reversi_begin(timeline, NULL);
}

static int play_online(void *context, kifu_online *online)
{
    app *app = context;
    app->online = online;
    app->timeline = kifu_online_timeline(online);
    app->computer[1] = false;
    for (int i = 0; i < 2; i++)
        app->names[i] = i == kifu_online_seat(online) ? "you" : i == 0 ? "player 1" : "player 2";
    if (!view_open(&app->view)) {
        fputs("reversi: this is no terminal that I know; is TERM set?\n", stderr);
        return 1;
    }
    app->view.functions.base.redraw(&app->view, app->timeline);
    play(app);
    view_close();
    return 0;
}

static int main_online(app *app, int argc, char **argv)
{
    const kifu_online_game game = {.rules = &reversi_rules,
                                   .name = "reversi",
                                   .seats = 2,
                                   .options = {.view = &app->view.functions.base, .draw = reversi_draw},
                                   .begin = begin_online,
                                   .play = play_online,
                                   .players = (const char *const[]){"player 1", "player 2"},
                                   .context = app};
    return kifu_online_main(&game, argc, argv);
}

#endif

static const char usage[] =
    "usage: reversi [--two | --watch] [--level N] [FILE]\n"
#ifdef WITH_ONLINE
    "       reversi serve | join | watch | games …    over a network: reversi join --help\n"
#endif
    "\n"
    "  --two      two persons, one screen\n"
    "  --watch    the computer against itself\n"
    "  --level N  how well the computer plays: 1 to 7 (4)\n"
    "  FILE       the save: loaded at the start if it is there, written as you play (reversi.kifu)\n";

static bool read_arguments(app *app, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--two") == 0) {
            app->computer[1] = false;
            app->names[0] = "player 1";
            app->names[1] = "player 2";
        } else if (strcmp(argv[i], "--watch") == 0) {
            app->computer[0] = true;
            app->names[0] = "computer 1";
            app->names[1] = "computer 2";
        } else if (strcmp(argv[i], "--level") == 0 && i + 1 < argc) {
            long level = strtol(argv[++i], NULL, 10);
            if (level < 1 || level > BOT_LEVELS)
                return false;
            app->level = (uint32_t)level;
        } else if (argv[i][0] != '-' && !app->path) {
            app->path = argv[i];
        } else {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    static app app = {.names = {"you", "computer"}, .computer = {false, true}, .level = 4};
#ifdef WITH_TOOL
    if (argc > 1 && strcmp(argv[1], "tool") == 0)
        return kifu_main(&reversi_rules, &(kifu_options){.draw = reversi_draw, .web = &reversi_web}, argc - 1,
                         argv + 1);
#endif
#ifdef WITH_ONLINE
    if (argc > 1 && kifu_online_command(argv[1]))
        return main_online(&app, argc, argv);
#endif
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (!read_arguments(&app, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    if (!app.path)
        app.path = "reversi.kifu";
    if (!view_open(&app.view)) {
        fputs("reversi: this is no terminal that I know; is TERM set?\n", stderr);
        return 1;
    }
    app.options.view = &app.view.functions.base;
    app.options.draw = reversi_draw;

    kifu_error error = {.result = KIFU_OK};
    // A FILE that is not there yet is where the new game will be saved; any other trouble with it should not be buried.
    bool good = load(&app, &error);
    if (!good && error.result == KIFU_NOT_FOUND)
        good = new_game(&app, &error);
    if (good) {
        play(&app);
        good = save(&app) == KIFU_OK;
        if (!good)
            error = *kifu_last_error(app.timeline);
    }
    view_close();
    if (good)
        printf("Saved as %s. The game goes on with: %s %s\n", app.path, argv[0], app.path);
    else
        fprintf(stderr, "reversi: %s: %s\n", app.path, error.message);
    kifu_destroy(app.timeline);
    return good ? 0 : 1;
}
