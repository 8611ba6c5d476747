#include "pgn_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static kifu_result fail(kifu_error *error, kifu_result result, const char *message)
{
    *error = (kifu_error){.result = result};
    snprintf(error->message, sizeof error->message, "%s", message);
    return result;
}

// NULL: all is well; else the reason why not.
static const char *read_file(const char *path, text *text)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return strerror(errno);
    const char *reason = text_read(text, file);
    fclose(file);
    return reason;
}

kifu_result pgn_file_read(const char *path, uint32_t number, const kifu_options *options, kifu_timeline **timeline,
                          kifu_error *error)
{
    text text = {0};
    fault fault;
    const char *reason = read_file(path, &text);
    if (reason) {
        text_free(&text);
        return fail(error, KIFU_IO, reason);
    }
    const char *begin = text.length ? text.bytes : "", *at = begin;
    kifu_timeline *game = NULL;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < number && !result; i++) {
        kifu_destroy(game);
        game = NULL;
        if (!pgn_has_more(at)) {
            result = fail(error, KIFU_IO, "this file has fewer games");
        } else if ((result = pgn_read(&at, options, &game, &fault)) != KIFU_OK) {
            char message[sizeof fault.message + 60];
            snprintf(message, sizeof message, "game %u, line %u, column %u: %s", (unsigned)(i + 1),
                     (unsigned)(text_lines(begin, at) + fault.line), (unsigned)fault.column, fault.message);
            fail(error, result, message);
        }
    }
    text_free(&text);
    *timeline = result ? *timeline : game;
    return result;
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
        written = fclose(file) == 0 && written && rename(made, path) == 0;
    }
    if (file && !written)
        remove(made);
    free(text);
    return written;
}
