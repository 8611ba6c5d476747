// chess_pgn: reads games of PGN, and writes them as the standard wants them exported. What is left out, and which games
// are refused, is said with line and column, and the next game follows.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pgn.h"
#include "text.h"

// What becomes of the games of a file.
typedef struct copier {
    const char *name;
    uint32_t lines; // before the game
    uint32_t read, refused, left;
} copier;

static void tell(void *context, const fault *fault)
{
    const copier *copier = context;
    fprintf(stderr, "%s:%u:%u: %s\n", copier->name, (unsigned)(copier->lines + fault->line), (unsigned)fault->column,
            fault->message);
}

static bool copy_game(copier *copier, const char *at)
{
    kifu_timeline *timeline;
    fault fault;
    pgn_report report = {.tell = tell, .context = copier};
    if (pgn_read(&at, &(kifu_options){.quiet = true}, &timeline, &report, &fault)) {
        fprintf(stderr, "%s:%u:%u: refused: %s\n", copier->name, (unsigned)(copier->lines + fault.line),
                (unsigned)fault.column, fault.message);
        copier->refused++;
        return false;
    }
    char *written = pgn_write(timeline);
    printf("%s\n", written ? written : "");
    copier->read++;
    copier->left += report.count != 0;
    free(written);
    kifu_destroy(timeline);
    return written != NULL;
}

static bool copy(const char *name, const char *text)
{
    copier copier = {.name = name};
    bool good = true;
    for (const char *at = text; pgn_has_more(at);) {
        const char *end = pgn_end(at);
        good &= copy_game(&copier, at);
        copier.lines += text_lines(at, end);
        at = end;
    }
    if (copier.left || copier.refused)
        fprintf(stderr, "%s: %u games were read, something was left out of %u of them; %u games were refused\n", name,
                (unsigned)copier.read, (unsigned)copier.left, (unsigned)copier.refused);
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
