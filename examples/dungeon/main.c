// dungeon: the game in a terminal. This file turns keys into calls of the timeline, and time into kifu_update.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <curses.h>
#include <kifu/main.h>

#include "ai.h"
#include "bot.h"
#include "draw.h"
#include "film.h"
#include "hooks.h"
#include "game.h"
#include "map.h"
#include "view.h"
#include "words.h"
#ifdef WITH_TOOL
#include "dungeon_web.h"
#endif

enum { KEY_WAIT_MS = 15, MOST_TURNS_AT_ONCE = 200, MOST_COMMANDS = 100000, TAB = '\t' };

typedef struct app {
    kifu_timeline *timeline;
    kifu_options options;
    view view;
    const char *path;     // of the save
    const uint64_t *seed; // NULL: any
    bool asked;           // S was pressed once
    bool logged;          // the save is a log file: nothing is lost when the terminal is closed
} app;

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// --- Games, new and old ----------------------------------------------------------------------------------------------

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

static bool new_game(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    if (kifu_create(&dungeon_rules, &app->options, &timeline, error))
        return false;
    view_clear(&app->view);
    if (dungeon_begin(timeline, app->seed)) {
        *error = *kifu_last_error(timeline);
        kifu_destroy(timeline);
        return false;
    }
    kifu_destroy(app->timeline);
    app->timeline = timeline;
    return begin_log(app, error);
}

static bool load(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    kifu_recovery recovery;
    const kifu_load_options load_options = {.recover = kifu_recover,
                                            .recovery = &recovery}; // a game that was killed has left a log file
    if (kifu_load(&dungeon_rules, app->path, &app->options, &load_options, &timeline, error))
        return false;
    if (!map_hero(dungeon_get_state(timeline))) { // a save may come from anywhere
        *error = (kifu_error){.result = KIFU_DAMAGED, .message = "nobody is in this dungeon"};
        kifu_destroy(timeline);
        return false;
    }
    app->timeline = timeline;
    if (dungeon_is_over(dungeon_get_state(timeline)))
        view_say(&app->view, "This game (%s) is over. f: watch it as a film  S: a new game", app->path);
    else
        view_say(&app->view, "The game goes on where %s (%s). S: a new game",
                 recovery.dropped ? "its damaged save is whole" : "you left it", app->path);
    return begin_log(app, error);
}

static kifu_result save(kifu_timeline *timeline, const char *path, bool logged)
{
    char words[80];
    words_of_end(dungeon_get_state(timeline), words, sizeof words);
    const kifu_save_options options = {.title = words};
    return logged ? kifu_log_close(timeline, &options) : kifu_save(timeline, path, &options);
}

// --- Keys ------------------------------------------------------------------------------------------------------------

// The command of game.h that a key means; 0: none.
static char command_of(int key)
{
    switch (key) {
    case KEY_UP:
        return 'k';
    case KEY_DOWN:
        return 'j';
    case KEY_LEFT:
        return 'h';
    case KEY_RIGHT:
        return 'l';
    case KEY_HOME:
    case KEY_A1:
        return 'y';
    case KEY_PPAGE:
    case KEY_A3:
        return 'u';
    case KEY_END:
    case KEY_C1:
        return 'b';
    case KEY_NPAGE:
    case KEY_C3:
        return 'n';
    case KEY_SR: // Shift and an arrow
        return 'K';
    case KEY_SF:
        return 'J';
    case KEY_SLEFT:
        return 'H';
    case KEY_SRIGHT:
        return 'L';
    case KEY_SHOME:
        return 'Y';
    case KEY_SPREVIOUS:
        return 'U';
    case KEY_SEND:
        return 'B';
    case KEY_SNEXT:
        return 'N';
    case ' ':
        return '.';
    case ',':
        return 'g';
    default:
        return dungeon_is_command(key) ? (char)key : 0;
    }
}

static void command(app *app, char command)
{
    const dungeon_state *state = dungeon_get_state(app->timeline);
    if (dungeon_is_over(state)) {
        view_say(&app->view, "The game is over. f: watch it as a film  S: a new game");
        return;
    }
    kifu_ticket ticket = dungeon_submit_command(app->timeline, command, app->view.no_undo);
    if (!ticket || kifu_set_action(app->timeline, state->hero, ticket))
        view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
}

// Any key ends what goes on; what was ordered and has not begun stays.
static void stop(app *app)
{
    const kifu_handle hero = dungeon_get_state(app->timeline)->hero;
    if (kifu_goes_on(app->timeline, hero) && kifu_set_action(app->timeline, hero, 0))
        view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
}

static void undo(app *app)
{
    if (app->view.no_undo)
        view_say(&app->view, "This game is played without undo: what is done is done.");
    else if (!kifu_can_undo(app->timeline, NULL))
        view_say(&app->view, "There is nothing that could be undone.");
    else if (kifu_undo(app->timeline))
        view_say(&app->view, "Not undone: %s", kifu_last_error(app->timeline)->message);
    else
        view_say(&app->view, "Undone, back to before your last action. r: redo");
}

static void redo(app *app)
{
    view_say(&app->view, kifu_redo(app->timeline) ? "There is nothing to redo." : "Done again.");
}

static void ask_new_game(app *app)
{
    kifu_error error;
    if (!app->asked && !dungeon_is_over(dungeon_get_state(app->timeline)))
        view_say(&app->view, "A new game? Press S again; this one will be lost.");
    else if (!new_game(app, &error))
        view_say(&app->view, "%s", error.message);
}

static void press(app *app, int key)
{
    view *view = &app->view;
    view_age(view);
    if (view->help || view->bot) {
        view->help = view->bot = false;
        return;
    }
    if (view->film) {
        film_press(view, app->timeline, key);
        return;
    }
    stop(app);
    if (key == 'S')
        ask_new_game(app);
    app->asked = key == 'S';
    if (key == '?')
        view->help = true;
    else if (key == 'f')
        film_begin(view, app->timeline);
    else if (key == 'z')
        undo(app);
    else if (key == 'r')
        redo(app);
    else if (key == TAB)
        view->bot = true;
    else if (command_of(key))
        command(app, command_of(key));
}

// --- Time ------------------------------------------------------------------------------------------------------------

// Takes turns until something is to be shown, or the hero is to act.
static void take_turns(app *app, double dt)
{
    for (uint32_t i = 0; i < MOST_TURNS_AT_ONCE; i++) {
        kifu_turn turn;
        (void)kifu_update(app->timeline, i == 0 ? dt : 0); // what does not happen is told to the view's `rejected`
        if (!kifu_is_idle(app->timeline))
            return;
        app->view.deciding = true;
        kifu_result result = kifu_take_turn(app->timeline, dungeon_decide, NULL, &turn);
        app->view.deciding = false;
        if (result)
            view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
        else if (turn.status == KIFU_TURN_REFUSED)
            view_say(&app->view, "No: %s.", kifu_error_reason(kifu_last_error(app->timeline)));
        else if (turn.status == KIFU_TURN_ENDED && turn.actor == dungeon_get_state(app->timeline)->hero)
            view_say(&app->view, "You stop: %s.", kifu_error_reason(kifu_last_error(app->timeline)));
        if (result || turn.status == KIFU_TURN_REFUSED || turn.status == KIFU_TURN_NO_ACTORS)
            return;
        if (turn.status == KIFU_TURN_NEEDS_INPUT) {
            if (app->view.bot)
                command(app, bot_command(dungeon_get_state(app->timeline)));
            return;
        }
    }
}

static void pass_time(app *app, double dt)
{
    view *view = &app->view;
    view_pass_time(view, dt);
    if (view->help)
        return;
    if (!view->film) {
        take_turns(app, dt);
        view->bot = view->bot && !dungeon_is_over(dungeon_get_state(app->timeline));
        return;
    }
    if (kifu_update(app->timeline, dt))
        view_say(view, "%s", kifu_last_error(app->timeline)->message);
    if (!view->stopped && kifu_play_speed(app->timeline) <= 0)
        film_end(view, app->timeline);
}

static void play(app *app)
{
    double last = now();
    for (;;) {
        view_draw(&app->view, app->timeline);
        timeout(KEY_WAIT_MS);
        int key = getch();
        if (view_interrupted() || (key == ERR && view_input_has_ended()))
            return;
        if (key == 'q' && !app->view.film && !app->view.help)
            return;
        if (key != ERR && key != KEY_RESIZE)
            press(app, key);
        double time = now();
        pass_time(app, time - last);
        append_to_log(app);
        last = time;
    }
}

// --- Without a terminal ----------------------------------------------------------------------------------------------

// The bot plays a whole game; where a path is given, it is saved there, to be watched.
static int play_bot(const app *app)
{
    const kifu_options options = {.quiet = true, .observers = dungeon_hooks};
    kifu_timeline *timeline;
    kifu_error error;
    char words[80];
    if (kifu_create(&dungeon_rules, &options, &timeline, &error)) {
        fprintf(stderr, "dungeon: %s\n", error.message);
        return 1;
    }
    kifu_result result = dungeon_begin(timeline, app->seed);
    if (!result)
        result = bot_play(timeline, MOST_COMMANDS, NULL, NULL);
    if (!result && app->path)
        result = save(timeline, app->path, false);
    const dungeon_state *state = dungeon_get_state(timeline);
    words_of_end(state, words, sizeof words);
    if (result)
        fprintf(stderr, "dungeon: %s\n", kifu_last_error(timeline)->message);
    else
        printf("%s; %u turns, %u events, state %016llx\n", words, state->turns.turn, kifu_event_count(timeline),
               (unsigned long long)kifu_state_hash(timeline));
    kifu_destroy(timeline);
    return result ? 1 : 0;
}

static const char usage[] =
    "usage: dungeon [--seed N] [--no-undo] [FILE]\n"
    "       dungeon --bot N [FILE]\n"
    "\n"
    "  --seed N    the dungeon of number N: the same number, the same dungeon\n"
    "  --no-undo   what is done is done\n"
    "  --bot N     a bot plays dungeon N, without a terminal, and says how it ended\n"
    "  FILE        the save: loaded at the start if it is there, written as you play (dungeon.kifu)\n"
    "\n"
    "Press ? in the game for its keys.\n";

static bool read_arguments(app *app, int argc, char **argv, bool *bot)
{
    static uint64_t seed;
    for (int i = 1; i < argc; i++) {
        bool number = strcmp(argv[i], "--seed") == 0 || strcmp(argv[i], "--bot") == 0;
        if (number && i + 1 < argc) {
            *bot |= strcmp(argv[i], "--bot") == 0;
            seed = strtoull(argv[++i], NULL, 10);
            app->seed = &seed;
        } else if (strcmp(argv[i], "--no-undo") == 0) {
            app->view.no_undo = true;
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
    static app app;
    bool bot = false;
#ifdef WITH_TOOL
    if (argc > 1 && strcmp(argv[1], "tool") == 0)
        return kifu_main(&dungeon_rules, &(kifu_options){.draw = dungeon_draw, .web = &dungeon_web}, argc - 1,
                         argv + 1);
#endif
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (!read_arguments(&app, argc, argv, &bot)) {
        fputs(usage, stderr);
        return 2;
    }
    if (bot)
        return play_bot(&app);
    if (!app.path)
        app.path = "dungeon.kifu";
    if (!view_open(&app.view)) {
        fputs("dungeon: this is no terminal that I know; is TERM set?\n", stderr);
        return 1;
    }
    app.options.view = &app.view.functions.base;
    app.options.draw = dungeon_draw;
    app.options.observers = dungeon_hooks;

    kifu_error error = {.result = KIFU_OK};
    // A FILE that is not there yet is where the game will be saved; any other trouble with it should not be buried.
    bool good = load(&app, &error);
    if (!good && error.result == KIFU_NOT_FOUND)
        good = new_game(&app, &error);
    if (good) {
        play(&app);
        good = save(app.timeline, app.path, app.logged) == KIFU_OK;
        if (!good)
            error = *kifu_last_error(app.timeline);
    }
    view_close();
    if (good)
        printf("Saved as %s. The game goes on with: %s %s\n", app.path, argv[0], app.path);
    else
        fprintf(stderr, "dungeon: %s: %s\n", app.path, error.message);
    kifu_destroy(app.timeline);
    return good ? 0 : 1;
}
