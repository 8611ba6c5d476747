#include "tool/must.h"

#include <stdio.h>
#include <stdlib.h>

void *kifu__must(void *block)
{
    if (block)
        return block;
    fputs("kifu: out of memory\n", stderr);
    exit(2);
}

void *kifu__must_grow(void *old, size_t size)
{
    return kifu__must(realloc(old, size ? size : 1));
}
