#include "ask.h"

#include <string.h>

#include <curses.h>

#include "view.h"

enum { ESCAPE = 27, DELETE = 127, BACKSPACE = 8 };

static bool continues(char c)
{
    return (c & 0xc0) == 0x80; // a character of UTF-8
}

static void draw(const char *question, const char *text)
{
    const char *shown = text;
    for (size_t length = strlen(text); length + 4 > (size_t)COLS; length--) { // its end
        do
            shown++;
        while (continues(*shown));
    }
    mvprintw(LINES - 3, 1, "%s (enter: keep it, escape: leave it)", question);
    clrtoeol();
    mvprintw(LINES - 2, 1, "%s", shown);
    clrtoeol();
    curs_set(1);
    refresh();
}

static void shorten(char *text)
{
    size_t length = strlen(text);
    while (length && continues(text[length - 1]))
        length--;
    text[length ? length - 1 : 0] = '\0';
}

bool ask_text(const char *question, char *text, size_t room)
{
    int key = 0;
    timeout(100);
    while (key != '\n' && key != '\r' && key != KEY_ENTER && key != ESCAPE && !(key == ERR && view_input_has_ended())) {
        const size_t length = strlen(text);
        draw(question, text);
        key = getch();
        if (key == KEY_BACKSPACE || key == DELETE || key == BACKSPACE) {
            shorten(text);
        } else if (key >= ' ' && key < 256 && length + 1 < room) {
            text[length] = (char)key;
            text[length + 1] = '\0';
        }
    }
    curs_set(0);
    return key != ESCAPE && key != ERR;
}
