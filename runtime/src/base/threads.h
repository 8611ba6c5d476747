/// Threads, and a clock that never goes back. Apart from the other files of the system, so that only a program that
/// thinks in threads links it.
#ifndef KIFU_SRC_THREADS_H
#define KIFU_SRC_THREADS_H

#include <stddef.h>
#include <stdint.h>

/// Calls `work` with each of `count` elements of `size` bytes: the first in this thread, the others in threads of their
/// own as far as the system has any, else behind the first. Returns when all are done.
void kifu__os_together(void (*work)(void *element), void *elements, size_t size, uint32_t count);

/// Seconds since some moment.
double kifu__os_seconds(void);

#endif
