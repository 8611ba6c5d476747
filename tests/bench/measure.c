#define _POSIX_C_SOURCE 199309L
#include "measure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double samples[MOST_CONTENDERS][MOST_ROUNDS];
static uint32_t sample_count;
static uint32_t missed;
static bool no_goals;

static double read_clock(clockid_t which)
{
    struct timespec time;
    clock_gettime(which, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

double now(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double wall_clock(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static int ascending(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

double quantile(double *values, uint32_t count, double which)
{
    qsort(values, count, sizeof *values, ascending);
    uint32_t index = (uint32_t)(which * count);
    return values[index < count ? index : count - 1];
}

void compare(contender *contenders, uint32_t count, void *context, uint32_t rounds, uint32_t events)
{
    double sorted[MOST_ROUNDS];
    must(count <= MOST_CONTENDERS && rounds <= MOST_ROUNDS && rounds > 0, "fewer contenders and rounds");
    for (uint32_t c = 0; c < count; c++)
        contenders[c].run(context);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t c = 0; c < count; c++)
            samples[c][round] = contenders[c].run(context) / events;
    }
    sample_count = rounds;
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t round = 0; round < rounds; round++)
            sorted[round] = samples[c][round];
        contenders[c].ns = quantile(sorted, rounds, 0.5);
    }
}

double last_ratio(uint32_t a, uint32_t b)
{
    double ratios[MOST_ROUNDS];
    for (uint32_t round = 0; round < sample_count; round++)
        ratios[round] = samples[a][round] / samples[b][round];
    return quantile(ratios, sample_count, 0.5);
}

void heading(const char *text)
{
    printf("\n%s\n", text);
}

static void print_row(const char *what, const char *format, va_list arguments)
{
    printf("  %-46s ", what);
    vprintf(format, arguments);
}

void row(const char *what, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_row(what, format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
}

void goal_row(const char *what, double value, bool at_most, double goal, const char *format, ...)
{
    bool reached = at_most ? value <= goal : value >= goal;
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (no_goals) {
        row(what, "%s", text);
        return;
    }
    printf("  %-46s %-62s goal %s %-5g %s\n", what, text, at_most ? "<=" : ">=", goal, reached ? "reached" : "MISSED");
    fflush(stdout);
    missed += !reached;
}

void forget_goals(void)
{
    no_goals = true;
}

uint32_t goals_missed(void)
{
    return missed;
}

void give_up(const char *what)
{
    fprintf(stderr, "kifu_bench: %s\n", what);
    exit(2);
}
