#include "pgn_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

#include "text.h"

enum { FIRST_PART = 1 << 18 }; // of a file, in bytes

static kifu_result fail(kifu_error *error, kifu_result result, const char *message)
{
    *error = (kifu_error){.result = result};
    snprintf(error->message, sizeof error->message, "%s", message);
    return result;
}

// --- Reading ---------------------------------------------------------------------------------------------------------

// A file as far as it was read, and the game that is wanted.
typedef struct search {
    text text;
    uint32_t number;
    const char *game; // NULL: it was not found
    uint32_t lines;   // before it
} search;

// Looks through what there is. A game that ends with the text may go on in the file.
static bool find(search *search, bool whole)
{
    const char *begin = search->text.length ? search->text.bytes : "", *at = begin;
    search->game = NULL;
    for (uint32_t i = 1; pgn_has_more(at); i++) {
        const char *end = pgn_end(at);
        const bool complete = whole || (size_t)(end - begin) + 64 < search->text.length;
        if (i == search->number && complete) {
            search->game = at;
            search->lines = text_lines(begin, at);
        }
        if (i == search->number || !complete)
            return complete;
        at = end;
    }
    return whole;
}

// Reads the file up to the end of the game, each time twice as much. NULL: all is well; else the reason why not.
static const char *read_up_to(search *search, FILE *file)
{
    for (size_t part = FIRST_PART;; part = search->text.length) {
        const char *reason = text_read_part(&search->text, file, part);
        if (reason || find(search, feof(file)))
            return reason;
    }
}

static kifu_result read_game(const search *search, const kifu_options *options, kifu_timeline **timeline,
                             pgn_report *report, kifu_error *error)
{
    const char *at = search->game;
    fault fault;
    pgn_report ignored = {0};
    report = report ? report : &ignored;
    const kifu_result result = pgn_read(&at, options, timeline, report, &fault);
    report->first.line += report->count ? search->lines : 0;
    if (!result)
        return result;
    char message[sizeof fault.message + 60];
    snprintf(message, sizeof message, "game %u, line %u, column %u: %s", (unsigned)search->number,
             (unsigned)(search->lines + fault.line), (unsigned)fault.column, fault.message);
    return fail(error, result, message);
}

kifu_result pgn_file_read(const char *path, uint32_t number, const kifu_options *options, kifu_timeline **timeline,
                          pgn_report *report, kifu_error *error)
{
    search search = {.number = number};
    FILE *file = fopen(path, "rb");
    const char *reason = file ? read_up_to(&search, file) : strerror(errno);
    if (file)
        fclose(file);
    kifu_result result;
    if (reason)
        result = fail(error, KIFU_IO, reason);
    else if (!search.game)
        result = fail(error, KIFU_NOT_FOUND, "this file has fewer games");
    else
        result = read_game(&search, options, timeline, report, error);
    text_free(&search.text);
    return result;
}

uint32_t pgn_file_list(const char *path, uint32_t first, pgn_entry *entries, uint32_t room, kifu_error *error)
{
    text text = {0};
    FILE *file = fopen(path, "rb");
    const char *reason = file ? text_read(&text, file) : strerror(errno);
    uint32_t count = 0;
    for (const char *at = reason || !text.length ? "" : text.bytes; pgn_has_more(at); at = pgn_end(at)) {
        count++;
        if (count < first || count - first >= room)
            continue;
        pgn_entry *entry = &entries[count - first];
        entry->number = count;
        pgn_look(at, "White", entry->white, sizeof entry->white);
        pgn_look(at, "Black", entry->black, sizeof entry->black);
        pgn_look(at, "Result", entry->result, sizeof entry->result);
        pgn_look(at, "Date", entry->date, sizeof entry->date);
        pgn_look(at, "Event", entry->event, sizeof entry->event);
    }
    if (!count)
        fail(error, KIFU_IO, reason ? reason : "this file has no games");
    if (file)
        fclose(file);
    text_free(&text);
    return count;
}

// --- Writing ---------------------------------------------------------------------------------------------------------

// Windows renames no file over another, unless it is told to.
static bool take_place(const char *made, const char *path)
{
#ifdef _WIN32
    return MoveFileExA(made, path, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
#else
    return rename(made, path) == 0;
#endif
}

// Another file takes the place of the one that is there when it is whole.
bool pgn_file_write(const char *path, kifu_timeline *timeline)
{
    char made[1200];
    char *text = snprintf(made, sizeof made, "%s.new", path) < (int)sizeof made ? pgn_write(timeline) : NULL;
    FILE *file = text ? fopen(made, "wb") : NULL;
    bool written = false;
    if (file) {
        written = fwrite(text, 1, strlen(text), file) == strlen(text);
        written = fclose(file) == 0 && written && take_place(made, path);
    }
    if (file && !written)
        remove(made);
    free(text);
    return written;
}
