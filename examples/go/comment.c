// Writing the comment of a step, or its glyph.

#include <curses.h>
#include <kifu/notes.h>
#include <stdio.h>
#include <string.h>

#include "app.h"

enum { ESCAPE = 27, BACKSPACE = 8, DELETE = 127 };

void comment_begin(app *app, const char *key)
{
    const uint32_t count = kifu_event_count(app->timeline);
    const char *before = count ? kifu_note_at(app->timeline, count - 1, key) : NULL;
    snprintf(app->note, sizeof app->note, "%s", before ? before : "");
    app->writing = key;
    view_say(&app->view, "%s",
             strcmp(key, KIFU_NOTE_GLYPH) == 0 ? "Glyph: ! ? !! ?? !? or ?!" : "Write the comment of this step.");
}

static bool is_glyph(const char *text)
{
    static const char *const glyphs[] = {"!", "?", "!!", "??", "!?", "?!"};
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++) {
        if (strcmp(text, glyphs[i]) == 0)
            return true;
    }
    return false;
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
    const char *key = app->writing, *text = *app->note ? app->note : NULL; // Nothing removes it.
    app->writing = NULL;
    if (text && strcmp(key, KIFU_NOTE_GLYPH) == 0 && !is_glyph(text))
        view_say(&app->view, "This is no glyph: %.100s", text);
    else if (kifu_set_note(app->timeline, kifu_event_count(app->timeline) - 1, key, text))
        view_say(&app->view, "%.190s", kifu_last_error(app->timeline)->message);
    else
        view_say(&app->view, "The %s is %s.", key, text ? "kept" : "gone");
}

void comment_press(app *app, int key)
{
    const size_t length = strlen(app->note);
    if (key == '\n' || key == '\r' || key == KEY_ENTER) {
        finish(app);
    } else if (key == ESCAPE) {
        view_say(&app->view, "The %s is as it was.", app->writing);
        app->writing = NULL;
    } else if (key == KEY_BACKSPACE || key == BACKSPACE || key == DELETE) {
        erase_last(app->note);
    } else if (length + 2 < sizeof app->note && (key == KEY_DOWN || (key >= ' ' && key < 256))) {
        app->note[length] = key == KEY_DOWN ? '\n' : (char)key; // Characters come byte by byte.
        app->note[length + 1] = '\0';
    }
}
