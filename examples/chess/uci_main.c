// chess_uci: the engine. A GUI starts it; to try it, type "go movetime 1000".

#define _XOPEN_SOURCE 700 // poll

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "uci.h"

// What was read of the standard input, and not given away yet.
typedef struct lines {
    char *bytes;
    size_t begin, end, room;
    bool over;
} lines;

static char *line_end(const lines *lines)
{
    return lines->end > lines->begin ? memchr(lines->bytes + lines->begin, '\n', lines->end - lines->begin) : NULL;
}

static void read_more(lines *lines)
{
    memmove(lines->bytes, lines->bytes + lines->begin, lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->begin = 0;
    if (lines->room - lines->end < 2) {
        char *bytes = realloc(lines->bytes, lines->room * 2);
        if (!bytes) {
            lines->over = true;
            return;
        }
        lines->bytes = bytes;
        lines->room *= 2;
    }
    const ssize_t count = read(STDIN_FILENO, lines->bytes + lines->end, lines->room - lines->end - 1);
    lines->over = count <= 0;
    lines->end += count > 0 ? (size_t)count : 0;
}

// Where the next line ends; NULL: it is not whole. The last one need not have an end: there is room for a NUL.
static char *whole_line(const lines *lines)
{
    char *end = line_end(lines);
    return end || !lines->over || lines->begin == lines->end ? end : lines->bytes + lines->end;
}

static const char *peek_line(void *context)
{
    lines *lines = context;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    while (!line_end(lines) && !lines->over && poll(&input, 1, 0) == 1)
        read_more(lines);
    return whole_line(lines) ? lines->bytes + lines->begin : NULL;
}

static bool is_over(void *context)
{
    const lines *lines = context;
    return lines->over && lines->begin == lines->end;
}

static const char *next_line(void *context)
{
    lines *lines = context;
    while (!line_end(lines) && !lines->over)
        read_more(lines);
    char *end = whole_line(lines);
    if (!end)
        return NULL;
    char *line = lines->bytes + lines->begin;
    lines->begin = (size_t)(end - lines->bytes) + (end < lines->bytes + lines->end);
    *end = '\0';
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}

int main(void)
{
    lines lines = {.room = 4096, .bytes = malloc(4096)};
    if (!lines.bytes)
        return 1;
    const uci_input input = {.next_line = next_line, .peek_line = peek_line, .is_over = is_over, .context = &lines};
    const int status = uci_run(&input);
    free(lines.bytes);
    return status;
}
