/// Tries a second of computer players (bots_chess.c, bots_go.c).
#include "contest.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

#if defined(BENCH_BOTS_CHESS) || defined(BENCH_BOTS_GO)

static void run_program(const char *program, const scale *scale)
{
    char command[1000];
    fflush(stdout);
    snprintf(command, sizeof command, "\"%s\" %u %u", program, (unsigned)scale->events / 500, (unsigned)scale->rounds);
    must(system(command) == 0, "a bot did not think");
}

#endif

void bot_rows(const scale *scale)
{
    (void)scale;
    heading("Computer players: tries a second of one thread, from the beginning of a game");
#ifdef BENCH_BOTS_CHESS
    run_program(BENCH_BOTS_CHESS, scale);
#endif
#ifdef BENCH_BOTS_GO
    run_program(BENCH_BOTS_GO, scale);
#endif
}
