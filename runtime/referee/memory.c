// Memory and errors, for referee and client.

#include <stdio.h>
#include <stdlib.h>

#include "referee/referee.h"

void *kifu__referee_memory(const kifu_options *options, void *block, size_t size)
{
    if (options->allocate)
        return options->allocate(options->allocate_context, block, size);
    if (size)
        return realloc(block, size);
    free(block);
    return NULL;
}

void *kifu__referee_new(const kifu_options *options, size_t size)
{
    void *block = kifu__referee_memory(options, NULL, size);
    if (block)
        memset(block, 0, size);
    return block;
}

kifu_result kifu__referee_error(kifu_error *error, kifu_result result, const char *words)
{
    if (error) {
        memset(error, 0, sizeof *error);
        error->result = result;
        error->event = KIFU_NONE;
        error->offset = UINT64_MAX;
        snprintf(error->message, sizeof error->message, "%s", words);
    }
    return result;
}
