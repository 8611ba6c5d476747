/// How large a program of the smallest game is (link.c): what `size` counts as text.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

#include "contest.h"
#include "measure.h"

#if defined(BENCH_LINK)
/// Bytes, or 0 where there is no `size`.
static unsigned text_of(const char *program)
{
    char command[1000];
    unsigned bytes = 0;
    snprintf(command, sizeof command, "size '%s' 2>/dev/null", program);
    FILE *said = popen(command, "r");
    must(said != NULL, "no process");
    if (fscanf(said, "%*[^\n] %u", &bytes) != 1)
        bytes = 0;
    pclose(said);
    return bytes;
}

static void link_row(const char *what, const char *program, double goal)
{
    const unsigned bytes = text_of(program);
    if (bytes)
        goal_row(what, bytes / 1024.0, true, goal, "%6.1f KiB of text", bytes / 1024.0);
    else
        row(what, "not measured: there is no `size`");
}

void link_rows(const scale *scale)
{
    (void)scale;
    heading("A program of the smallest game, gcc -Os");
    link_row("plays, undoes, redoes", BENCH_LINK "/link_small", 34);
    link_row("also saves and loads", BENCH_LINK "/link_small_save", 80);
}
#else
void link_rows(const scale *scale)
{
    (void)scale;
    heading("A program of the smallest game, gcc -Os");
    row("not measured", "this benchmark was not built by gcc as a release");
}
#endif
