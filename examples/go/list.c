#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curses.h>

#include "document.h"
#include "sgf_file.h"

enum { PAGE = 18, ESCAPE = 27 };

static void describe(const sgf_entry *entry, char *line, size_t room)
{
    snprintf(line, room, "%5u  %s - %s  %s  %s  %s", (unsigned)entry->number, *entry->black ? entry->black : "?",
             *entry->white ? entry->white : "?", *entry->result ? entry->result : "?", entry->date, entry->event);
}

// All of it is looked at twice: first to count, since memory for the list depends on that.
int list_print(const char *path)
{
    fault fault;
    const uint32_t count = sgf_list(path, 1, NULL, 0, &fault);
    sgf_entry *entries = count ? calloc(count, sizeof *entries) : NULL;
    const uint32_t found = entries ? sgf_list(path, 1, entries, count, &fault) : 0;
    for (uint32_t i = 0; i < count && i < found; i++) {
        char line[200];
        describe(&entries[i], line, sizeof line);
        puts(line);
    }
    if (!found)
        fprintf(stderr, "go: %s: %s\n", path, count ? "memory ran out" : fault.message);
    free(entries);
    return found ? 0 : 1;
}

static bool can_open(const app *app, uint32_t number, kifu_error *error)
{
    kifu_timeline *timeline;
    fault fault;
    const kifu_result result = sgf_load(app->sgf, number, &(kifu_options){.quiet = true}, &timeline, &fault);
    *error = (kifu_error){.result = result};
    snprintf(error->message, sizeof error->message, "game %u: %s", (unsigned)number, fault.message);
    kifu_destroy(timeline);
    return !result;
}

static bool open_number(app *app, uint32_t number, kifu_error *error)
{
    app->logged = false;
    app->path = app->sgf;
    app->game = number;
    return document_open(app, error);
}

// Closes this game, as Q does, and opens another one of the file. If that cannot be, this one stays.
static bool open_game(app *app, uint32_t number)
{
    const uint32_t before = app->game;
    kifu_error error, ignored;
    const bool closed = can_open(app, number, &error) && document_close(app, &error);
    if (closed && open_number(app, number, &error))
        return true;
    if (closed)
        (void)open_number(app, before, &ignored);
    view_say(&app->view, "%.190s", error.message);
    return false;
}

void list_go(app *app, int step)
{
    kifu_error error = {.result = KIFU_REJECTED};
    char passed[60] = "";
    for (uint32_t number = app->game; app->sgf && number + (uint32_t)step > 0;) {
        number += (uint32_t)step;
        if (can_open(app, number, &error)) {
            if (open_game(app, number) && *passed)
                view_say(&app->view, "Game %u.%s", (unsigned)number, passed);
            return;
        }
        if (error.result == KIFU_NOT_FOUND || error.result == KIFU_IO || error.result == KIFU_NO_MEMORY)
            break;
        snprintf(passed, sizeof passed, " Passed over: %.40s", error.message);
    }
    view_say(&app->view, "%s%s",
             !app->sgf  ? "This is no game of an SGF file."
             : step < 0 ? "There is no game before this one."
                        : "There is no game behind this one.",
             passed);
}

static void draw(const sgf_entry *page, uint32_t first, uint32_t count, uint32_t chosen)
{
    char line[200];
    erase();
    mvprintw(0, 1, "%u games", (unsigned)count);
    for (uint32_t i = 0; i < PAGE && first + i <= count; i++) {
        describe(&page[i], line, sizeof line);
        attrset(first + i == chosen ? A_REVERSE : A_NORMAL);
        mvaddnstr((int)i + 2, 1, line, COLS - 2);
    }
    attrset(A_NORMAL);
    mvaddstr(PAGE + 3, 1, "up, down, page up, page down   enter: open this game   Esc: back");
    refresh();
}

void list_choose(app *app)
{
    fault fault;
    sgf_entry page[PAGE];
    uint32_t chosen = app->game, first = 0, count = 1;
    if (!app->sgf) {
        view_say(&app->view, "This is no game of an SGF file.");
        return;
    }
    for (int key = ERR; key != ESCAPE && key != 'q' && key != 'Q'; key = getch()) {
        const uint32_t before = (chosen - 1) / PAGE * PAGE + 1;
        chosen -= key == KEY_UP && chosen > 1;
        chosen += key == KEY_DOWN && chosen < count;
        chosen = key == KEY_PPAGE   ? (chosen > PAGE ? chosen - PAGE : 1)
                 : key == KEY_NPAGE ? (chosen + PAGE < count ? chosen + PAGE : count)
                                    : chosen;
        const uint32_t now = (chosen - 1) / PAGE * PAGE + 1;
        if (!first || now != before)
            count = sgf_list(app->sgf, first = now, page, PAGE, &fault);
        if (!count || view_interrupted() || (key == ERR && view_input_has_ended()))
            return;
        if (key == '\n' || key == '\r' || key == KEY_ENTER) {
            open_game(app, chosen);
            return;
        }
        draw(page, first, count, chosen);
        timeout(100);
    }
}
