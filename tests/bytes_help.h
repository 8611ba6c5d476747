/// Events as bytes, for the suites about them.
#ifndef TESTS_BYTES_HELP_H
#define TESTS_BYTES_HELP_H

#include <stdlib.h>
#include <string.h>

#include <kifu/kifu.h>

#include "event_help.h"
#include "suite.h"

/// Submits a copy that ends where the memory ends, so that a sanitizer sees what is read behind it, and that begins
/// `shift` bytes behind a multiple of 8.
static inline kifu_result submit_copy(kifu_timeline *timeline, int player, const void *bytes, size_t size,
                                      unsigned shift, kifu_ticket *ticket)
{
    unsigned char *copy = malloc(size + shift ? size + shift : 1);
    if (size)
        memcpy(copy + shift, bytes, size);
    const kifu_result result = kifu_submit_bytes(timeline, player, copy + shift, size, ticket);
    memset(copy, 0xa5, size + shift); // Nothing points into it.
    free(copy);
    return result;
}

static inline void same_buffers(const kifu_buffer *a, const kifu_buffer *b)
{
    ck_assert_uint_eq(a->size, b->size);
    ck_assert_mem_eq(a->data, b->data, a->size);
}

/// The game `wire`, whose events players may play here.
static inline kifu_rules rules_of_players(const kifu_rules *own, kifu__type *types)
{
    kifu_rules rules = *own;
    memcpy(types, own->types, (own->type_count + 1) * sizeof *types);
    for (uint32_t i = 1; i <= own->type_count; i++)
        types[i].is_player = true;
    rules.types = types;
    return rules;
}

#endif
