#include "document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "game.h"
#include "pgn_file.h"
#include "remarks.h"
#include "review.h"

// --- The log file ----------------------------------------------------------------------------------------------------

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

void document_append(app *app)
{
    if (!app->logged || !kifu_log_append(app->timeline))
        return;
    app->logged = false;
    view_say(&app->view, "This game is not saved any more before you quit: %s",
             kifu_last_error(app->timeline)->message);
}

// --- Games -----------------------------------------------------------------------------------------------------------

// PGN says who plays.
static void take_names(app *app)
{
    static const char *const sides[] = {"White", "Black"};
    const kifu_game *game = kifu_get_game(app->timeline);
    for (int side = 0; side < 2; side++) {
        const char *tag = pgn_tag(app->timeline, sides[side]), *name = !tag && app->pgn ? "?" : tag;
        const int player = game->order[side] != 0;
        if (!name)
            continue;
        snprintf(app->own_names[player], sizeof app->own_names[player], "%s", name);
        app->names[player] = app->own_names[player];
    }
}

// A new timeline takes the place of the old one.
static void replace_timeline(app *app, kifu_timeline *timeline)
{
    const kifu_game *game = kifu_get_game(timeline);
    kifu_destroy(app->timeline);
    free(app->text);
    app->timeline = timeline;
    app->text = NULL;
    app->written = false;
    app->promote = NO_SQUARE;
    app->view.turned = !app->computer[game->order[CHESS_SIDE_BLACK]] && app->computer[game->order[CHESS_SIDE_WHITE]];
    app->view.reviewing = kifu_note_at(timeline, KIFU_BEFORE_FIRST, REMARK_REVIEW) != NULL;
    app->view.functions.base.redraw(&app->view, timeline);
    take_names(app);
}

bool document_begin(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    if (kifu_create(&chess_rules, &app->options, &timeline, error))
        return false;
    if (chess_begin(timeline, &(chess_setup){.white = app->white}, NULL)) {
        *error = *kifu_last_error(timeline);
        kifu_destroy(timeline);
        return false;
    }
    replace_timeline(app, timeline);
    return begin_log(app, error);
}

static bool load_save(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    kifu_recovery recovery;
    const kifu_load_options load_options = {.recover = kifu_recover,
                                            .recovery = &recovery}; // a game that was killed has left a log file
    if (kifu_load(&chess_rules, app->path, &app->options, &load_options, &timeline, error))
        return false;
    if (kifu_get_game(timeline)->player_count != 2) { // a save may come from anywhere
        *error = (kifu_error){.result = KIFU_DAMAGED, .message = "this is no game of two players"};
        kifu_destroy(timeline);
        return false;
    }
    replace_timeline(app, timeline);
    if (app->pgn && !recovery.dropped)
        view_say(&app->view, "Here are your changes to %s, from %s. W writes PGN.", app->pgn, app->path);
    else if (kifu_get_game(timeline)->phase == KIFU_PHASE_GAME_OVER)
        view_say(&app->view, "This game (%s) is over. N: a new game", app->path);
    else
        view_say(&app->view, "The game goes on where %s (%s). N: a new game",
                 recovery.dropped ? "its damaged save is whole" : "you left it", app->path);
    return begin_log(app, error);
}

static bool load_pgn(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    pgn_report report = {0};
    if (pgn_file_read(app->pgn, app->pgn_game, &app->options, &timeline, &report, error))
        return false;
    replace_timeline(app, timeline);
    app->text = pgn_write(timeline);
    review_toggle(app);
    (void)review_press(app, '<'); // at its beginning
    view_say(&app->view, "Game %u of %s. Changes go to %s; W writes PGN.", (unsigned)app->pgn_game, app->pgn,
             app->path);
    if (report.count)
        view_say(&app->view, "Left out at %u place%s; line %u, column %u: %s", (unsigned)report.count,
                 report.count == 1 ? "" : "s", (unsigned)report.first.line, (unsigned)report.first.column,
                 report.first.message);
    return begin_log(app, error);
}

// The save of a game of PGN is another file, one for each game.
static bool choose_path(app *app)
{
    const size_t length = strlen(app->path);
    char number[16] = "";
    if (length <= 4 || strcmp(app->path + length - 4, ".pgn") != 0)
        return true;
    if (app->pgn_game > 1)
        snprintf(number, sizeof number, "-%u", (unsigned)app->pgn_game);
    app->pgn = app->path;
    app->path = app->own_path;
    return snprintf(app->own_path, sizeof app->own_path, "%.*s%s.kifu", (int)length - 4, app->pgn, number) <
           (int)sizeof app->own_path;
}

bool document_open(app *app, kifu_error *error)
{
    if (!choose_path(app)) {
        *error = (kifu_error){.result = KIFU_MISUSE, .message = "this path is too long"};
        return false;
    }
    if (load_save(app, error))
        return true;
    if (error->result != KIFU_NOT_FOUND) // other trouble with a save than that it is not there should not be buried
        return false;
    return app->pgn ? load_pgn(app, error) : document_begin(app, error);
}

bool document_close(app *app, kifu_error *error)
{
    const kifu_save_options options = {.title = "Chess", .players = app->names, .player_count = 2};
    if (app->logged ? kifu_log_close(app->timeline, &options) : kifu_save(app->timeline, app->path, &options)) {
        *error = *kifu_last_error(app->timeline);
        return false;
    }
    char *text = app->text ? pgn_write(app->timeline) : NULL;
    if (text && strcmp(text, app->text) == 0 && remove(app->path) == 0)
        app->path = app->pgn;
    free(text);
    return true;
}

// --- PGN -------------------------------------------------------------------------------------------------------------

// The game keeps what its tags say: the next time, they are there.
static void set_tags(app *app)
{
    static const char *const sides[] = {"White", "Black"};
    const kifu_game *game = kifu_get_game(app->timeline);
    char date[20];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y.%m.%d", localtime(&now));
    if (pgn_tag(app->timeline, "White"))
        return;
    (void)pgn_set_tag(app->timeline, "Event", "Casual game");
    (void)pgn_set_tag(app->timeline, "Date", date);
    for (int side = 0; side < 2; side++)
        (void)pgn_set_tag(app->timeline, sides[side], app->names[game->order[side] != 0]);
}

static bool is_there(const char *path)
{
    FILE *file = fopen(path, "rb");
    return file && fclose(file) == 0;
}

void document_write(app *app)
{
    char path[1100];
    size_t length = strlen(app->path);
    length -= length > 5 && strcmp(app->path + length - 5, ".kifu") == 0 ? 5 : 0;
    snprintf(path, sizeof path, "%.*s.pgn", length < 1024 ? (int)length : 1024, app->path);
    if (!app->written && app->asked != 'W' && is_there(path)) {
        app->asked = 'W';
        view_say(&app->view, "%s is there already. Press W again to write over all of it.", path);
        return;
    }
    set_tags(app);
    app->written = pgn_file_write(path, app->timeline);
    view_say(&app->view, app->written ? "The moves are in %s." : "%s could not be written.", path);
    if (!app->written || !app->pgn || strcmp(path, app->pgn) != 0)
        return;
    free(app->text);
    app->text = pgn_write(app->timeline);
}
