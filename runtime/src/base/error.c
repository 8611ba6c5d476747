#include "base/error.h"

#include <stdio.h>
#include <string.h>

const char *kifu_result_text(kifu_result result)
{
    // One after the other: pointers to them would take more bytes than most of the texts.
    static const char texts[] =
#define KIFU__TEXT(name, text) text "\0"
        KIFU_RESULTS(KIFU__TEXT)
#undef KIFU__TEXT
            "unknown result";
    const char *text = texts;
    for (unsigned i = 0; i < (unsigned)result && text < texts + sizeof texts - sizeof "unknown result"; i++)
        text += strlen(text) + 1;
    return text;
}

KIFU__NOINLINE kifu_result kifu__error_with(kifu_error *error, kifu_result result, uint32_t event, uint64_t offset,
                                            const char *format, va_list arguments)
{
    if (error) {
        error->result = result;
        error->event = event;
        error->offset = offset;
        error->reason = 0;
        vsnprintf(error->message, sizeof error->message, format, arguments);
    }
    return result;
}

kifu_result kifu__error(kifu_error *error, kifu_result result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kifu__error_with(error, result, KIFU_NONE, UINT64_MAX, format, arguments);
    va_end(arguments);
    return result;
}

kifu_result kifu__error_at(kifu_error *error, kifu_result result, uint64_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kifu__error_with(error, result, KIFU_NONE, offset, format, arguments);
    va_end(arguments);
    return result;
}

kifu_result kifu__error_of_event(kifu_error *error, kifu_result result, uint32_t event, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kifu__error_with(error, result, event, UINT64_MAX, format, arguments);
    va_end(arguments);
    return result;
}

void kifu__error_ends_in(kifu_error *error, const char *reason)
{
    if (!error)
        return;
    size_t whole = strlen(error->message), end = strlen(reason);
    if (whole >= end && memcmp(error->message + whole - end, reason, end) == 0) // else it was cut off
        error->reason = (uint32_t)(whole - end);
}
