/// The time at which a suite saves, so that the same game gives the same bytes. The program's `time` is this one.
#ifndef TESTS_FIXED_TIME_H
#define TESTS_FIXED_TIME_H

#include <time.h>

#include <kifu/kifu.h>

static int64_t fixed_time; ///< 0: it is as late as it is.

#ifdef _WIN32 // There, `time` is inline, and calls what this pointer is for.
__time64_t fixed_or_now(__time64_t *into);
__time64_t (*__imp__time64)(__time64_t *) = fixed_or_now;
__time64_t fixed_or_now(__time64_t *into)
#else
time_t time(time_t *into)
#endif
{
    struct timespec now = {.tv_sec = (time_t)fixed_time};
    if (!fixed_time)
        clock_gettime(CLOCK_REALTIME, &now);
    if (into)
        *into = now.tv_sec;
    return now.tv_sec;
}

/// As kifu_save and kifu_save_to_memory, at that time.
static inline kifu_result save_at(kifu_timeline *timeline, const char *path, const kifu_save_options *options,
                                  int64_t when)
{
    fixed_time = when;
    const kifu_result result = kifu_save(timeline, path, options);
    fixed_time = 0;
    return result;
}

static inline kifu_result save_to_memory_at(kifu_timeline *timeline, const kifu_save_options *options, int64_t when,
                                            unsigned char **bytes, size_t *size)
{
    fixed_time = when;
    const kifu_result result = kifu_save_to_memory(timeline, options, bytes, size);
    fixed_time = 0;
    return result;
}

#endif
