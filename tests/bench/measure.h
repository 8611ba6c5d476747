/// Timing contenders against each other, and the table that comes of it.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_CONTENDERS = 8, MOST_ROUNDS = 101 };

/// Does its work once and returns how many nanoseconds the part that counts took.
typedef double contender_run(void *context);

typedef struct contender {
    const char *name;
    contender_run *run;
    double ns; ///< Result: median, per event.
} contender;

/// Lets the contenders take turns (A B C, A B C, …), `rounds` times after one round that does not count; fills in the
/// medians. `events`: how many events each run works on.
void compare(contender *contenders, uint32_t count, void *context, uint32_t rounds, uint32_t events);

/// Median of `time of a / time of b` over the rounds of the last `compare`: a round's times lie close together, so that
/// a machine that is busy now and then disturbs this less than it does the medians.
double last_ratio(uint32_t a, uint32_t b);

/// Nanoseconds of processor time that this process has had: what it waited for others does not count.
double now(void);

/// Nanoseconds on the clock: quicker to read than `now`, for times of less than a microsecond.
double wall_clock(void);

/// Median, or any other quantile from 0 to 1; sorts `values`.
double quantile(double *values, uint32_t count, double which);

/// Prints a heading of the table.
void heading(const char *text);

/// Prints a row with no goal.
void row(const char *what, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/// Prints a row with a goal: `value` must be at least (or, with `at_most`, at most) `goal`.
void goal_row(const char *what, double value, bool at_most, double goal, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

/// From here on goals are not printed: the run is too small to say anything of them.
void forget_goals(void);

/// Rows whose goal was missed so far.
uint32_t goals_missed(void);

/// Ends the program.
void give_up(const char *what);

/// Ends the program unless `condition` holds: a contender did not do what it was measured for.
static inline void must(bool condition, const char *what)
{
    if (!condition)
        give_up(what);
}

#endif
