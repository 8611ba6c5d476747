#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buffer_put(buffer *buffer, const char *bytes, size_t count)
{
    if (count >= buffer->room - buffer->length) {
        const size_t room = 2 * (buffer->room + count) + 64;
        char *text = buffer->failed ? NULL : realloc(buffer->text, room);
        buffer->failed = !text;
        if (!text)
            return;
        buffer->text = text;
        buffer->room = room;
    }
    memcpy(buffer->text + buffer->length, bytes, count);
    buffer->length += count;
    buffer->text[buffer->length] = '\0';
}

void buffer_print(buffer *buffer, const char *format, ...)
{
    char text[201];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    buffer_put(buffer, text, strlen(text));
}
