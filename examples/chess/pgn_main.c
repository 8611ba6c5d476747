// chess_pgn: reads games of PGN, and writes them as the standard wants them exported. What is wrong is said with its
// line and column, and the next game follows.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pgn.h"
#include "text.h"

// Where the next game begins, behind one that is wrong: at a tag that follows a line of something else. A comment may
// have "[%clk 0:10]" in a line of its own.
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

static bool copy(const char *name, const char *text)
{
    bool good = true;
    uint32_t lines = 0;
    for (const char *at = text, *counted = text; pgn_has_more(at);) {
        kifu_timeline *timeline;
        fault fault;
        lines += text_lines(counted, at);
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
    const char *fault = file ? text_read(&text, file) : strerror(errno);
    if (fault)
        fprintf(stderr, "chess_pgn: %s: %s\n", name, fault);
    const bool good = !fault && copy(name, text.length ? text.bytes : "");
    text_free(&text);
    if (file && file != stdin)
        fclose(file);
    return good ? 0 : 1;
}
