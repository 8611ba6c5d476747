/// Text that is gathered, for the suites of text.
#ifndef TESTS_TEXT_HELP_H
#define TESTS_TEXT_HELP_H

#include <kifu/kifu.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

/// What was written; the test frees `text`. `refuse`: how many calls are to succeed before one fails; 0: all.
typedef struct gathered {
    char *text;
    size_t size;
    int refuse;
} gathered;

static inline kifu_result gather(void *context, const char *text, size_t size)
{
    gathered *gathered = context;
    if (gathered->refuse && --gathered->refuse == 0)
        return KIFU_IO;
    gathered->text = (char *)realloc(gathered->text, gathered->size + size + 1);
    ck_assert_ptr_nonnull(gathered->text);
    memcpy(gathered->text + gathered->size, text, size);
    gathered->size += size;
    gathered->text[gathered->size] = 0;
    return KIFU_OK;
}

#endif
