/// What viewers and watchers cost (seen_games.c).
#include "contest.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

void seen_rows(const scale *scale)
{
#ifdef BENCH_SEEN
    char command[1000];
    heading("What a viewer sees: games of the examples, played at random");
    fflush(stdout);
    snprintf(command, sizeof command, "\"%s\" %u", BENCH_SEEN, (unsigned)scale->events / 20);
    must(system(command) == 0, "a goal was missed, or " BENCH_SEEN " did not run");
#else
    (void)scale;
#endif
}
