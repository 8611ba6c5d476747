#include "check/scribble.h"

#include <stddef.h>

enum { STACK = 4096 };

void kifu__scribble(unsigned char pattern)
{
    volatile unsigned char stack[STACK];
    for (size_t i = 0; i < sizeof stack; i++)
        stack[i] = pattern;
}
