/// How much processor time kifuc takes for a game of many events, as CMake calls it.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "contest.h"
#include "measure.h"

#define FOLDER BENCH_GENERATE "/generate"

static void write_schema(const char *path, unsigned events)
{
    FILE *file = fopen(path, "w");
    must(file != NULL, "no file for a schema");
    fputs("include \"kifu.fbs\";\nnamespace many;\nstruct Place { x: short; y: short; }\n"
          "struct State (state) { game: kifu.Game; places: [Place: 9]; }\ntable Item { name: string; price: uint = 3; "
          "}\n",
          file);
    for (unsigned i = 0; i < events; i++)
        fprintf(file,
                "table P%u (player) { amount: uint; at: Place; text: string; items: [Item]; counts: [ushort]; }\n", i);
    fputs("union Event { kifu.EResetGame", file);
    for (unsigned i = 0; i < events; i++)
        fprintf(file, ", P%u", i);
    fputs(" }\n", file);
    must(fclose(file) == 0, "a schema was not written");
}

/// Seconds of processor time that finished child processes have had.
static double of_children(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/// Median of several runs of a shell command.
static double seconds_of(const char *command, uint32_t rounds)
{
    double seconds[MOST_ROUNDS];
    must(system(command) == 0, command); // Compiles what is compiled once.
    for (uint32_t i = 0; i < rounds; i++) {
        seconds[i] = -of_children();
        must(system(command) == 0, command);
        seconds[i] += of_children();
    }
    return quantile(seconds, rounds, 0.5);
}

void generate_rows(const scale *scale)
{
    heading("kifuc, seconds of processor time");
    char command[2000];
    must(system("mkdir -p '" FOLDER "'") == 0, "no folder");
    static const unsigned counts[] = {100, 250};
    static const double goals[] = {0.3, 0.5};
    write_schema(FOLDER "/many.fbs", counts[0]);
    snprintf(command, sizeof command,
             "cd '" FOLDER "' && '%s' -c 'import jinja2' && for i in 1 2; do '%s' -b --schema -I '%s' many.fbs; done",
             BENCH_PYTHON, BENCH_FLATC, BENCH_SOURCE "/schema");
    row("Python with Jinja, and flatc twice", "%6.3f s", seconds_of(command, scale->rounds));
    for (unsigned i = 0; i < 2; i++) {
        write_schema(FOLDER "/many.fbs", counts[i]);
        snprintf(command, sizeof command,
                 "cd '" FOLDER "' && KIFUC_CACHE=cache PYTHONPATH='%s' '%s' -m kifuc gen many.fbs -o out --flatc '%s'",
                 BENCH_SOURCE "/codegen/python", BENCH_PYTHON, BENCH_FLATC);
        double seconds = seconds_of(command, scale->rounds);
        snprintf(command, sizeof command, "a game of %u events", counts[i]);
        goal_row(command, seconds, true, goals[i], "%6.3f s", seconds);
    }
}
