#include "review.h"

#include <curses.h>
#include <kifu/notes.h>

#include "marks.h"
#include "walk.h"

// The save remembers it: else the computer would play on in a game that somebody looks at.
void review_toggle(app *app)
{
    app->view.reviewing = !app->view.reviewing;
    (void)kifu_set_note(app->timeline, KIFU_BEFORE_FIRST, REVIEW_NOTE, app->view.reviewing ? "yes" : NULL);
    view_say(&app->view, "%s",
             app->view.reviewing ? "Walk the moves. A move in another one's place begins a variation."
                                 : "The game goes on from here.");
}

static void delete_line(app *app)
{
    char what[200];
    if (!walk_can_delete(app->timeline, what)) {
        view_say(&app->view, "%s", what);
    } else if (app->asked != 'X') {
        app->asked = 'X';
        view_say(&app->view, "Delete %.60s? Press X again.", what);
    } else {
        walk_delete(app->timeline, app->view.message);
    }
}

static void write_comment(app *app)
{
    comment_begin(app, KIFU_NOTE_COMMENT);
}

static void write_glyph(app *app)
{
    comment_begin(app, KIFU_NOTE_GLYPH);
}

static void mark_point(app *app)
{
    const kifu_result result = marks_change(app->timeline, app->view.cursor);
    if (result)
        view_say(&app->view, "%.190s",
                 result == KIFU_NO_MEMORY ? "out of memory" : kifu_last_error(app->timeline)->message);
    else
        view_say(&app->view, "T again: another mark.");
}

static const struct {
    int key;
    walk *walk;
    bool arrow; // it has another task when there is no review
    void (*obey)(app *app);
} commands[] = {
    {KEY_LEFT, walk_back, true, NULL},   {KEY_RIGHT, walk_forward, true, NULL},  {KEY_UP, walk_up, true, NULL},
    {KEY_DOWN, walk_down, true, NULL},   {KEY_HOME, walk_to_begin, false, NULL}, {'<', walk_to_begin, false, NULL},
    {KEY_END, walk_to_end, false, NULL}, {'>', walk_to_end, false, NULL},        {'M', walk_promote, false, NULL},
    {'X', NULL, false, delete_line},     {'C', NULL, false, write_comment},      {'!', NULL, false, write_glyph},
    {'T', NULL, false, mark_point}};

bool review_press(app *app, int key)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (commands[i].key != key || (commands[i].arrow && !app->view.reviewing))
            continue;
        if (!app->view.reviewing)
            view_say(&app->view, "This key is for a review. Tab begins one.");
        else if (commands[i].walk)
            commands[i].walk(app->timeline, app->view.message);
        else
            commands[i].obey(app);
        return true;
    }
    return false;
}
