#include "past.h"

#include <curses.h>

#include "words.h"

enum { ESCAPE = 27 };

// --- Undo and redo ---------------------------------------------------------------------------------------------------

// Why undo is refused, in words of the game.
static const char *why_not_undo(const app *app, const kifu_error *error)
{
    kifu_event event;
    if (error->event == KIFU_NONE || !kifu_event_at(app->timeline, error->event, &event))
        return "there is nothing to undo";
    switch (event.type) {
    case DUEL_E_DRAW:
        return "a card was drawn: what has been seen stays seen";
    case DUEL_P_ANNOUNCE:
        return "the card was shown: what has been seen stays seen";
    case DUEL_P_PLAY:
    case DUEL_E_SPARK:
        return "a die was thrown";
    default:
        return "there is nothing to undo";
    }
}

void past_undo(app *app)
{
    kifu_error error;
    kifu_event first;
    uint32_t count = kifu_can_undo(app->timeline, &error);
    if (count == 0)
        view_say(&app->view, "Not undone: %s.", why_not_undo(app, &error));
    else if (kifu_event_at(app->timeline, kifu_event_count(app->timeline) - count, &first) &&
             (first.player == 0 || first.player == 1) && app->computer[first.player])
        view_say(&app->view, "Not undone: the computer did that.");
    else if (kifu_undo(app->timeline))
        view_say(&app->view, "Not undone: %s", kifu_last_error(app->timeline)->message);
    else
        view_say(&app->view, "Undone.");
}

void past_redo(app *app)
{
    view_say(&app->view, kifu_redo(app->timeline) ? "There is nothing to redo." : "Done again.");
}

// --- History ---------------------------------------------------------------------------------------------------------

// Whether the game as shown is worth a stop: something that can be said in words has just happened. `turns`: a turn has
// just begun.
static bool is_stop(const app *app, uint32_t count, bool turns)
{
    kifu_event event;
    char words[120];
    if (count == 0 || !kifu_event_at(app->timeline, count - 1, &event))
        return false;
    return turns ? event.type == DUEL_E_BEGIN_TURN
                 : words_of_event(app->timeline, &event, app->view.names, words, sizeof words);
}

static void seek(app *app, uint32_t count)
{
    if (kifu_seek(app->timeline, count))
        view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
}

// To the next stop from `count` on; the present is one.
static void look_later(app *app, uint32_t count, bool turns)
{
    seek(app, KIFU_PRESENT);
    while (count < kifu_event_count(app->timeline) && !is_stop(app, count, turns))
        count++;
    seek(app, count);
}

// To the last stop before where we are, if there is one.
static void look_earlier(app *app, bool turns)
{
    uint32_t count = kifu_position(app->timeline);
    while (count > 0 && !is_stop(app, --count, turns))
        ;
    if (count > 0)
        seek(app, count);
}

// A game of its own from here: from the end of the move that is being looked at.
static void play_on(app *app)
{
    uint32_t count = kifu_position(app->timeline);
    kifu_event next;
    seek(app, KIFU_PRESENT);
    for (; kifu_event_at(app->timeline, count, &next); count++) {
        // A payment is an input for each step; the game stands still only before it begins.
        if (next.cause == KIFU_NONE && next.player >= 0 && !kifu_has_tag(app->timeline, next.type, DUEL_TAG_PAYMENT))
            break;
    }
    kifu_timeline *fork;
    kifu_error error;
    if (kifu_fork(app->timeline, count, &app->options, &fork, &error) || !app_go_on_with(app, fork, &error))
        view_say(&app->view, "%s", error.message);
    else
        view_say(&app->view, "You play on from here. The game as it went before is gone, unless it was saved.");
}

void past_press(app *app, int key)
{
    switch (key) {
    case KEY_LEFT:
        look_earlier(app, false);
        break;
    case KEY_RIGHT:
        look_later(app, kifu_position(app->timeline) + 1, false);
        break;
    case KEY_UP:
        look_earlier(app, true);
        break;
    case KEY_DOWN:
        look_later(app, kifu_position(app->timeline) + 1, true);
        break;
    case KEY_HOME:
        look_later(app, 0, true);
        break;
    case 'f':
    case 'F':
        play_on(app);
        break;
    case ESCAPE:
    case KEY_END:
    case 'h':
    case 'H':
        seek(app, KIFU_PRESENT);
        break;
    default:
        break;
    }
}

void past_begin(app *app)
{
    if (kifu_open_transactions(app->timeline) || !kifu_is_idle(app->timeline))
        view_say(&app->view, "Not now: finish what you have begun, or cancel it (Esc).");
    else
        look_earlier(app, false);
}
