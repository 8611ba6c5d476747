#include "base/scribble.h"

#include <stddef.h>

enum { STACK = 4096 };

void kifu__scribble(unsigned char pattern)
{
    volatile unsigned char stack[STACK];
    size_t left = sizeof stack;
    while (left)
        stack[--left] = pattern;
}
