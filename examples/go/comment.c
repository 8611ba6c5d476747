// Writing the comment of a step.

#include <curses.h>
#include <kifu/notes.h>
#include <stdio.h>
#include <string.h>

#include "app.h"

enum { ESCAPE = 27, BACKSPACE = 8, DELETE = 127 };

void comment_begin(app *app)
{
    const uint32_t count = kifu_event_count(app->timeline);
    const char *before = count ? kifu_note_at(app->timeline, count - 1, KIFU_NOTE_COMMENT) : NULL;
    snprintf(app->comment, sizeof app->comment, "%s", before ? before : "");
    app->writing = true;
    view_say(&app->view, "Write the comment of this step.");
}

// The last character, which may have several bytes.
static void erase_last(char *text)
{
    size_t length = strlen(text);
    while (length && ((unsigned char)text[length - 1] & 0xc0) == 0x80)
        length--;
    text[length ? length - 1 : 0] = '\0';
}

static void finish(app *app)
{
    const char *text = *app->comment ? app->comment : NULL; // Nothing removes it.
    app->writing = false;
    if (kifu_set_note(app->timeline, kifu_event_count(app->timeline) - 1, KIFU_NOTE_COMMENT, text))
        view_say(&app->view, "%.190s", kifu_last_error(app->timeline)->message);
    else
        view_say(&app->view, text ? "The comment is kept." : "This step has no comment.");
    app->changed = true;
}

void comment_press(app *app, int key)
{
    const size_t length = strlen(app->comment);
    if (key == '\n' || key == '\r' || key == KEY_ENTER) {
        finish(app);
    } else if (key == ESCAPE) {
        app->writing = false;
        view_say(&app->view, "The comment is as it was.");
    } else if (key == KEY_BACKSPACE || key == BACKSPACE || key == DELETE) {
        erase_last(app->comment);
    } else if (length + 2 < sizeof app->comment && (key == KEY_DOWN || (key >= ' ' && key < 256))) {
        app->comment[length] = key == KEY_DOWN ? '\n' : (char)key; // Characters come byte by byte.
        app->comment[length + 1] = '\0';
    }
}
