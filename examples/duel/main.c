// duel: the game in a terminal. This file turns keys into calls of the timeline, and time into kifu_update.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <curses.h>
#include <kifu/main.h>
#ifdef WITH_ONLINE
#include <kifu/online.h>
#endif

#include "ai.h"
#include "app.h"
#include "controls.h"
#include "draw.h"
#include "game.h"
#include "online.h"
#include "past.h"
#include "triggers.h"
#ifdef WITH_TOOL
#include "duel_web.h"
#endif

enum { KEY_WAIT_MS = 30, ESCAPE = 27, TAB = '\t' };

static const double key_seconds = 0.03; // so often a computer that thinks looks for keys

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// --- Where the game is -----------------------------------------------------------------------------------------------

static int current(const app *app)
{
    return kifu_current_player(kifu_get_game(app->timeline));
}

static bool is_playing(const app *app)
{
    return kifu_get_game(app->timeline)->phase == KIFU_PHASE_PLAY;
}

// Two persons share the screen, and it waits for the one whose turn it is to say so.
static bool waits_for_look(const app *app)
{
    return is_playing(app) && !app->view.face_up && !app->online;
}

static bool person_to_act(const app *app)
{
    return is_playing(app) && !app_in_past(app) && kifu_is_idle(app->timeline) && !app->computer[current(app)] &&
           !waits_for_look(app) && online_is_ready(app);
}

static bool computer_to_act(const app *app)
{
    return is_playing(app) && !app_in_past(app) && kifu_is_idle(app->timeline) && app->computer[current(app)] &&
           kifu_open_transactions(app->timeline) == 0;
}

// Whose side is shown below, and whether its hand is. With two persons, a hand is hidden until its owner asks for it.
static void turn_table(app *app)
{
    bool persons = !app->computer[0] && !app->computer[1];
    if (app->online)
        return;
    if (!persons) {
        app->view.bottom = app->computer[0] && !app->computer[1] ? 1 : 0;
        app->view.face_up = true;
    } else if (!app_in_past(app) && current(app) >= 0 && app->view.bottom != current(app) &&
               kifu_is_idle(app->timeline) && is_playing(app)) {
        app->view.bottom = current(app);
        app->view.face_up = false;
    }
}

// --- Games, new and old ----------------------------------------------------------------------------------------------

// A new timeline takes the place of the old one.
static bool replace_timeline(app *app, kifu_timeline *timeline, kifu_error *error)
{
    if (view_follow(&app->view, timeline)) {
        *error = *kifu_last_error(timeline);
        kifu_destroy(timeline);
        return false;
    }
    kifu_destroy(app->timeline);
    app->timeline = timeline;
    app->view.bottom = current(app);
    app->view.face_up = false;
    turn_table(app);
    return true;
}

static bool new_game(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    if (kifu_create(&duel_rules, &app->options, &timeline, error))
        return false;
    if (duel_begin(timeline, app->seed)) {
        *error = *kifu_last_error(timeline);
        kifu_destroy(timeline);
        return false;
    }
    return replace_timeline(app, timeline, error);
}

bool app_go_on_with(app *app, kifu_timeline *timeline, kifu_error *error)
{
    if (kifu_get_game(timeline)->player_count != 2) { // a save may come from anywhere
        *error = (kifu_error){.result = KIFU_DAMAGED, .message = "this is no game of two players"};
        kifu_destroy(timeline);
        return false;
    }
    return replace_timeline(app, timeline, error);
}

static bool load(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    if (kifu_load(&duel_rules, app->path, &app->options, NULL, &timeline, error) ||
        !app_go_on_with(app, timeline, error))
        return false;
    app->has_path = true;
    view_say(&app->view, "Loaded %s.", app->path);
    return true;
}

static kifu_result write_save(app *app)
{
    const kifu_save_options options = {.title = "Duel", .players = app->view.names, .player_count = 2};
    const kifu_result result = kifu_save(app->timeline, app->path, &options);
    app->has_path = app->has_path || !result;
    return result;
}

static void save(app *app)
{
    if (kifu_open_transactions(app->timeline))
        view_say(&app->view, "Not saved: finish what you have begun, or cancel it (Esc).");
    else if (write_save(app))
        view_say(&app->view, "Not saved: %s", kifu_last_error(app->timeline)->message);
    else
        view_say(&app->view, "Saved as %s.", app->path);
}

// A new game (N) does not replace the one that is saved, unless the player has said so (S).
static bool save_on_leaving(app *app, kifu_error *error)
{
    controls_cancel(&app->view, app->timeline);
    if (app->has_path && write_save(app)) {
        *error = *kifu_last_error(app->timeline);
        return false;
    }
    return true;
}

// --- Keys ------------------------------------------------------------------------------------------------------------

// Keys of the person whose turn it is.
static void press_in_turn(app *app, int key)
{
    switch (key) {
    case '\n':
    case '\r':
    case ' ':
    case KEY_ENTER:
        controls_use(&app->view, app->timeline, current(app));
        break;
    case 'p':
    case 'P':
        controls_pay(&app->view, app->timeline, current(app));
        break;
    case 'e':
    case 'E':
        duel_submit_p_end_turn(app->timeline, current(app));
        break;
    case ESCAPE:
        controls_cancel(&app->view, app->timeline);
        break;
    case 'G':
        controls_cancel(&app->view, app->timeline);
        duel_submit_p_resign(app->timeline, current(app));
        break;
    default:
        break;
    }
}

// Keys that always work. False: it is none of them.
static bool press_any_time(app *app, int key)
{
    kifu_error error;
    switch (key) {
    case KEY_LEFT:
        controls_move(&app->view, -1, 0);
        return true;
    case KEY_RIGHT:
        controls_move(&app->view, 1, 0);
        return true;
    case KEY_UP:
        controls_move(&app->view, 0, -1);
        return true;
    case KEY_DOWN:
        controls_move(&app->view, 0, 1);
        return true;
    case TAB:
        controls_next(&app->view);
        return true;
    case 's':
    case 'S':
        save(app);
        return true;
    case 'l':
    case 'L':
        if (!load(app, &error))
            view_say(&app->view, "Not loaded: %s", error.message);
        return true;
    case 'n':
    case 'N':
        if (new_game(app, &error))
            app->has_path = false;
        else
            view_say(&app->view, "%s", error.message);
        return true;
    case 'h':
    case 'H':
        past_begin(app);
        return true;
    default:
        return false;
    }
}

static void press(app *app, int key)
{
    app->view.message[0] = '\0';
    if (online_press(app, key)) {
        return;
    } else if (app_in_past(app)) {
        past_press(app, key);
    } else if (waits_for_look(app) && (key == '\n' || key == '\r' || key == KEY_ENTER)) {
        app->view.face_up = true;
    } else if (press_any_time(app, key)) {
        return;
    } else if ((key == 'u' || key == 'U') && !waits_for_look(app) && kifu_is_idle(app->timeline)) {
        past_undo(app);
    } else if ((key == 'r' || key == 'R') && !waits_for_look(app) && kifu_is_idle(app->timeline)) {
        past_redo(app);
    } else if (person_to_act(app)) {
        press_in_turn(app, key);
    }
}

// --- Time ------------------------------------------------------------------------------------------------------------

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
    duel_move move;
    const kifu_thinking thinking = {.tries = duel_ai_tries(app->level),
                                    .seed = (uint64_t)now(),
                                    .threads = 4,
                                    .progress = go_on_thinking,
                                    .context = app};
    kifu_result result = duel_ai_move(app->timeline, &thinking, &move);
    if (!result && !app->left)
        result = duel_begin_move(app->timeline, &move);
    if (result)
        view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
}

static void pass_time(app *app, double dt)
{
    view_pass_time(&app->view, dt);
    if (app_in_past(app))
        return;
    // What does not happen is told to the view's `rejected`.
    kifu_result result = online_update(app, dt);
    if (kifu_is_idle(app->timeline) && kifu_open_transactions(app->timeline))
        controls_go_on(&app->view, app->timeline, current(app), result);
    else if (computer_to_act(app))
        let_computer_move(app);
    turn_table(app);
}

static void explain(app *app)
{
    view *view = &app->view;
    memset(view->usable, 0, sizeof view->usable);
    view->hint[0] = view->prompt[0] = '\0';
    if (app_in_past(app))
        snprintf(view->prompt, sizeof view->prompt, "this is how it was");
    else if (waits_for_look(app) && kifu_is_idle(app->timeline))
        snprintf(view->prompt, sizeof view->prompt, "%s, press Enter to see your hand", view->names[view->bottom]);
    else if (person_to_act(app))
        controls_explain(view, app->timeline, current(app));
    else if (is_playing(app))
        snprintf(view->prompt, sizeof view->prompt, "%s plays", view->names[current(app)]);
    else
        snprintf(view->prompt, sizeof view->prompt, "N: a new game    H: look back");
}

static void show_keys(void)
{
    static const char *const lines[] = {
        "Duel: the keys",
        "",
        "arrows               look around            tab     to what can be used",
        "enter, space         use it                 Esc     cancel",
        "P                    pay with lands         E       end the turn",
        "U, R                 undo, redo             H       history",
        "S, L                 save, load             N       a new game",
        "G                    give up                Q       save and quit",
        "?                    these keys",
        "",
        "In the history:",
        "left, right          one event              up, down  one turn",
        "home                 the beginning          F       play on from here",
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

void app_play(app *app)
{
    double last = now();
    for (;;) {
        explain(app);
        view_draw(&app->view, app->timeline, computer_to_act(app));
        timeout(KEY_WAIT_MS);
        int key = getch();
        if (app->left || view_interrupted() || (key == ERR && view_input_has_ended()))
            return;
        if (key == 'q' || key == 'Q')
            return;
        if (key == '?')
            show_keys();
        else if (key != ERR && key != KEY_RESIZE)
            press(app, key);
        double time = now();
        pass_time(app, time - last);
        last = time;
    }
}

static const char usage[] =
    "usage: duel [--ai | --watch] [--level N] [--seed N] [FILE]\n"
#ifdef WITH_ONLINE
    "       duel serve | join | watch | games …    over a network: duel join --help\n"
#endif
    "\n"
    "  --ai       play against the computer; otherwise two persons share the screen\n"
    "  --watch    the computer against itself\n"
    "  --level N  how well the computer plays: 1 to 5 (3)\n"
    "  --seed N   shuffle as the number N says: the same number, the same game\n"
    "  FILE       the save: loaded at the start if it is there, written by S and when you quit (duel.kifu)\n"
    "\n"
    "README.md has the rules.\n";

static bool read_arguments(app *app, int argc, char **argv)
{
    static uint64_t seed;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--ai") == 0) {
            app->computer[1] = true;
        } else if (strcmp(argv[i], "--watch") == 0) {
            app->computer[0] = app->computer[1] = true;
        } else if (strcmp(argv[i], "--level") == 0 && i + 1 < argc) {
            long level = strtol(argv[++i], NULL, 10);
            if (level < 1 || level > AI_LEVELS)
                return false;
            app->level = (uint32_t)level;
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            seed = strtoull(argv[++i], NULL, 10);
            app->seed = &seed;
        } else if (argv[i][0] != '-' && !app->path) {
            app->path = argv[i];
        } else {
            return false;
        }
    }
    for (int i = 0; i < 2; i++)
        app->view.roles[i] = app->computer[i] ? "computer" : app->computer[1 - i] ? "you" : "";
    return true;
}

int main(int argc, char **argv)
{
    static app app = {.view = {.names = {"Red", "Blue"}}, .level = AI_USUAL_LEVEL};
#ifdef WITH_TOOL
    if (argc > 1 && strcmp(argv[1], "tool") == 0)
        return kifu_main(&duel_rules, &(kifu_options){.draw = duel_draw, .web = &duel_web}, argc - 1, argv + 1);
#endif
#ifdef WITH_ONLINE
    if (argc > 1 && kifu_online_command(argv[1]))
        return online_main(&app, argc, argv);
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
        app.path = "duel.kifu";
    if (!view_open(&app.view)) {
        fputs("duel: this is no terminal that I know; is TERM set?\n", stderr);
        return 1;
    }
    app.options.view = &app.view.functions.base;
    app.options.draw = duel_draw;
    app.options.observers = duel_triggers;

    kifu_error error = {.result = KIFU_OK};
    bool good = load(&app, &error);
    // A FILE that is not there yet is where the new game will be saved; any other trouble with it should not be buried.
    if (!good && error.result == KIFU_NOT_FOUND)
        good = app.has_path = new_game(&app, &error);
    if (good) {
        app_play(&app);
        good = save_on_leaving(&app, &error);
    }
    view_close();
    if (!good)
        fprintf(stderr, "duel: %s: %s\n", app.path, error.message);
    else if (app.has_path)
        printf("Saved as %s. The game goes on with: %s %s\n", app.path, argv[0], app.path);
    else
        printf("This game is not saved: %s has another one.\n", app.path);
    kifu_destroy(app.timeline);
    return good ? 0 : 1;
}
