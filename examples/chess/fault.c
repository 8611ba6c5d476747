#include "fault.h"

#include <stdarg.h>
#include <stdio.h>

bool fault_say(fault *fault, uint32_t line, uint32_t column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault->line = line;
    fault->column = column;
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
    return false;
}
