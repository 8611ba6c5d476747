#include "document.h"

#include <kifu/notes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "review.h"
#include "rules.h"
#include "sgf_file.h"
#include "sgf_values.h"
#include "steps.h"
#include "walk.h"

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
    view_say(&app->view, "This game will not be saved before you quit: %.140s", error->message);
    return error->result != KIFU_IN_USE && error->result != KIFU_CHANGED;
}

void document_append(app *app)
{
    if (!app->logged || !kifu_log_append(app->timeline))
        return;
    app->logged = false;
    view_say(&app->view, "This game is not saved any more before you quit: %.140s",
             kifu_last_error(app->timeline)->message);
}

// --- Names -----------------------------------------------------------------------------------------------------------

// Who plays is a note at the beginning, as in SGF.
static bool write_names(app *app, kifu_timeline *timeline)
{
    static const char *const keys[] = {"PB", "PW", "DT"};
    const go_state *state = go_get_state(timeline);
    char date[16];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    const char *const texts[] = {app->names[state->game.order[0]], app->names[state->game.order[1]], date};
    kifu_result result = KIFU_OK;
    for (size_t i = 0; i < 3 && !result; i++) {
        char text[64];
        snprintf(text, sizeof text, "[%s]", texts[i]);
        result = kifu_set_note(timeline, game_begin(timeline), keys[i], text);
    }
    return !result;
}

static void read_name(app *app, int player, const char *key)
{
    const char *text = kifu_note_at(app->timeline, game_begin(app->timeline), key);
    buffer name = {0};
    app->names[player] = app->sgf ? "?" : app->names[player];
    if (!text || !sgf_are_values(text))
        return;
    const sgf_value value = sgf_next_value(&text);
    sgf_take_text(&name, &value);
    snprintf(app->read_names[player], sizeof app->read_names[player], "%s", name.text ? name.text : "");
    free(name.text);
    app->names[player] = app->read_names[player];
}

// A new timeline takes the place of the old one.
static void replace_timeline(app *app, kifu_timeline *timeline)
{
    kifu_destroy(app->timeline);
    free(app->text);
    app->timeline = timeline;
    app->text = NULL;
    app->written = false;
    app->terms = go_get_state(timeline)->terms;
    app->view.cursor = point_count(&app->terms) / 2;
    app->view.reviewing = kifu_note_at(timeline, KIFU_BEFORE_FIRST, REVIEW_NOTE) != NULL;
    read_name(app, kifu_get_game(timeline)->order[0], "PB");
    read_name(app, kifu_get_game(timeline)->order[1], "PW");
}

// --- New games -------------------------------------------------------------------------------------------------------

static kifu_result begin(app *app, kifu_timeline *timeline)
{
    uint16_t points[9];
    go_setup setup = {.terms = app->terms, .black = points, .black_player = app->black};
    setup.black_count = go_handicap(app->terms.size, app->terms.handicap, points);
    setup.terms.handicap = (uint8_t)setup.black_count;
    kifu_set_quiet(timeline, true);
    const kifu_result result = go_begin(timeline, &setup);
    kifu_set_quiet(timeline, false);
    return result;
}

bool document_begin(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    if (kifu_create(&go_rules, &app->options, &timeline, error))
        return false;
    if (begin(app, timeline) || !write_names(app, timeline)) {
        *error = *kifu_last_error(timeline);
        kifu_destroy(timeline);
        return false;
    }
    replace_timeline(app, timeline);
    view_say(&app->view, "A new game.");
    return begin_log(app, error);
}

// --- Files -----------------------------------------------------------------------------------------------------------

static bool load_sgf(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    fault fault;
    const kifu_result result = sgf_load(app->sgf, app->game, &app->options, &timeline, &fault);
    *error = (kifu_error){.result = result};
    if (result && fault.line)
        snprintf(error->message, sizeof error->message, "line %u, column %u: %s", (unsigned)fault.line,
                 (unsigned)fault.column, fault.message);
    else if (result)
        snprintf(error->message, sizeof error->message, "%s", fault.message);
    if (result)
        return false;
    replace_timeline(app, timeline);
    app->text = sgf_write(timeline, true);
    walk_to_begin(timeline, app->view.message);
    review_toggle(app);
    view_say(&app->view, "Game %u of %.50s. Changes go to %.50s; W writes SGF.", (unsigned)app->game, app->sgf,
             app->path);
    return begin_log(app, error);
}

static bool load_save(app *app, kifu_error *error)
{
    kifu_timeline *timeline;
    kifu_recovery recovery;
    const kifu_load_options load_options = {.recover = kifu_recover,
                                            .recovery = &recovery}; // a game that was killed has left a log file
    if (kifu_load(&go_rules, app->path, &app->options, &load_options, &timeline, error))
        return false;
    if (kifu_get_game(timeline)->player_count != 2 || game_begin(timeline) == KIFU_NONE) { // it may come from anywhere
        *error = (kifu_error){.result = KIFU_DAMAGED, .message = "this is no game of two players"};
        kifu_destroy(timeline);
        return false;
    }
    replace_timeline(app, timeline);
    if (app->sgf && !recovery.dropped)
        view_say(&app->view, "Here are your changes to %.50s, from %.50s. W writes SGF.", app->sgf, app->path);
    else
        view_say(&app->view, "The game goes on where %s (%.60s). N: a new game",
                 recovery.dropped ? "its damaged save is whole" : "you left it", app->path);
    return begin_log(app, error);
}

// The save of a game of SGF is another file, one for each game.
static bool choose_path(app *app)
{
    const size_t length = strlen(app->path);
    char number[16] = "";
    if (length <= 4 || strcmp(app->path + length - 4, ".sgf") != 0)
        return true;
    if (app->game > 1)
        snprintf(number, sizeof number, "-%u", (unsigned)app->game);
    app->sgf = app->path;
    app->path = app->own_path;
    return snprintf(app->own_path, sizeof app->own_path, "%.*s%s.kifu", (int)length - 4, app->sgf, number) <
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
    if (error->result !=
        KIFU_NOT_FOUND) // Any other trouble with a save than that it is not there should not be buried.
        return false;
    return app->sgf ? load_sgf(app, error) : document_begin(app, error);
}

bool document_close(app *app, kifu_error *error)
{
    const kifu_save_options options = {.title = "Go", .players = app->names, .player_count = 2};
    if (app->logged ? kifu_log_close(app->timeline, &options) : kifu_save(app->timeline, app->path, &options)) {
        *error = *kifu_last_error(app->timeline);
        return false;
    }
    char *text = app->text ? sgf_write(app->timeline, true) : NULL;
    if (text && strcmp(text, app->text) == 0 && remove(app->path) == 0)
        app->path = app->sgf;
    free(text);
    return true;
}

// --- SGF -------------------------------------------------------------------------------------------------------------

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
    snprintf(path, sizeof path, "%.*s.sgf", length < 1024 ? (int)length : 1024, app->path);
    if (!app->written && app->asked != 'W' && is_there(path)) {
        app->asked = 'W';
        view_say(&app->view, "%.100s is there already. Press W again to write over all of it.", path);
        return;
    }
    app->written = sgf_save(app->timeline, true, path);
    view_say(&app->view, app->written ? "The game is in %.150s." : "%.150s could not be written.", path);
    if (!app->written || !app->sgf || strcmp(path, app->sgf) != 0)
        return;
    free(app->text);
    app->text = sgf_write(app->timeline, true);
}
