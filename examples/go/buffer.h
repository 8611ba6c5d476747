/// Text that grows.
#ifndef BUFFER_H
#define BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/// Zeros begin an empty one. Free `text`.
typedef struct buffer {
    char *text; ///< With a NUL behind it; NULL as long as nothing was put there.
    size_t length, room;
    bool failed; ///< Memory ran out; what came then is not there.
} buffer;

void buffer_put(buffer *buffer, const char *bytes, size_t count);
void buffer_print(buffer *buffer, const char *format, ...); ///< At most 200 bytes.

#endif
