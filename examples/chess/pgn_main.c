// chess_pgn: reads games of PGN, and writes them as the standard wants them exported. What is wrong is said with its
// line and column, and the next game follows.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pgn.h"
#include "text.h"

static bool read_all(FILE *file, text *text)
{
    char part[4096];
    for (size_t length; (length = fread(part, 1, sizeof part, file)) > 0;)
        text_add(text, part, length);
    return !ferror(file) && !text->failed;
}

// Where the next game begins, behind one that is wrong: at a tag that follows a line of something else. A comment may
// have
// "[%clk 0:10]" in a line of its own.
static const char *next_game(const char *at)
{
    at += strspn(at, " \t\r\n");
    for (bool tags = true; *at;) {
        const bool tag = at[0] == '[' && at[1] >= 'A' && at[1] <= 'Z';
        if (tag && !tags)
            return at;
        tags = tag;
        at += strcspn(at, "\n");
        at += strspn(at, "\r\n");
    }
    return at;
}

// How many lines come before a place.
static uint32_t count_lines(const char *begin, const char *end)
{
    uint32_t lines = 0;
    for (; (begin = memchr(begin, '\n', (size_t)(end - begin))) != NULL; begin++)
        lines++;
    return lines;
}

static bool copy(const char *name, const char *text)
{
    bool good = true;
    uint32_t lines = 0;
    for (const char *at = text, *counted = text; pgn_has_more(at);) {
        kifu_timeline *timeline;
        fault fault;
        lines += count_lines(counted, at);
        counted = at;
        if (pgn_read(&at, &(kifu_options){.quiet = true}, &timeline, &fault)) {
            fprintf(stderr, "%s:%u:%u: %s\n", name, (unsigned)(lines + fault.line), (unsigned)fault.column,
                    fault.message);
            at = next_game(at);
            good = false;
            continue;
        }
        char *written = pgn_write(timeline);
        printf("%s\n", written ? written : "");
        good = good && written;
        free(written);
        kifu_destroy(timeline);
    }
    return good;
}

int main(int argc, char **argv)
{
    text text = {0};
    FILE *file = argc == 1 ? stdin : argc == 2 && argv[1][0] != '-' ? fopen(argv[1], "rb") : NULL;
    const char *name = argc == 2 ? argv[1] : "standard input";
    if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
        fputs(
            "usage: chess_pgn [FILE.pgn]\n\nWrites its games as PGN's export format, with all variations, comments and "
            "glyphs.\n",
            stderr);
        return 2;
    }
    const bool read = file && read_all(file, &text);
    if (!read)
        fprintf(stderr, "chess_pgn: %s cannot be read\n", name);
    const bool good = read && copy(name, text.length ? text.bytes : "");
    text_free(&text);
    if (file && file != stdin)
        fclose(file);
    return good ? 0 : 1;
}
