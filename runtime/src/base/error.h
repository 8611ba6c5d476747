/// Filling in a kifu_error.
#ifndef KIFU_SRC_ERROR_H
#define KIFU_SRC_ERROR_H

#include <kifu/result.h>
#include <stdarg.h>

#if defined(__GNUC__)
#define KIFU__NOINLINE __attribute__((noinline))
#else
#define KIFU__NOINLINE
#endif
#if defined(__GNUC__) && !defined(_WIN32) // There, gcc compares with what an old C library knows.
#define KIFU__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define KIFU__PRINTF(text, first)
#endif

/// How many results there are.
#define KIFU__ONE(name, text) +1
enum { KIFU__RESULT_COUNT = KIFU_RESULTS(KIFU__ONE) };
#undef KIFU__ONE

/// Sets `error`, where not NULL, to `result` with a message, no event and no offset; returns `result`.
kifu_result kifu__error(kifu_error *error, kifu_result result, const char *format, ...) KIFU__PRINTF(3, 4);

/// The same, with the byte of the file concerned.
kifu_result kifu__error_at(kifu_error *error, kifu_result result, uint64_t offset, const char *format, ...)
    KIFU__PRINTF(4, 5);

/// The same, with the number of the event concerned.
kifu_result kifu__error_of_event(kifu_error *error, kifu_result result, uint32_t event, const char *format, ...)
    KIFU__PRINTF(4, 5);

/// The same, of an event or a byte of the file (KIFU_NONE, UINT64_MAX: of none).
kifu_result kifu__error_with(kifu_error *error, kifu_result result, uint32_t event, uint64_t offset, const char *format,
                             va_list arguments) KIFU__PRINTF(5, 0);

/// Marks `reason`, with which the message of `error`, where not NULL, ends, as what to tell a player.
void kifu__error_ends_in(kifu_error *error, const char *reason);

#endif
