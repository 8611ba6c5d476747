#include "save/budget.h"

#include <inttypes.h>

static void *allocate_in_budget(void *context, void *block, size_t size)
{
    kifu__budget *budget = (kifu__budget *)context;
    uint32_t at = 0;
    while (at < KIFU__BUDGET_KNOWN && (!block || budget->known[at].block != block))
        at++;
    if (!size && at == KIFU__BUDGET_KNOWN)
        return budget->memory.allocate(budget->memory.context, block, 0);
    const uint64_t left = budget->left + (at < KIFU__BUDGET_KNOWN ? budget->known[at].size : 0);
    if (size > left) {
        if (!budget->needed)
            budget->needed = budget->most - left + size;
        return NULL;
    }
    void *made = budget->memory.allocate(budget->memory.context, block, size);
    if (size && !made)
        return NULL;
    if (at == KIFU__BUDGET_KNOWN)
        at = budget->next++ % KIFU__BUDGET_KNOWN;
    budget->known[at].block = made;
    budget->known[at].size = size;
    budget->left = left - size;
    return made;
}

kifu__memory kifu__budget_begin(kifu__budget *budget, const kifu__memory *memory, uint64_t most)
{
    *budget = (kifu__budget){.memory = *memory, .most = most, .left = most};
    return (kifu__memory){allocate_in_budget, budget};
}

kifu_result kifu__budget_end(const kifu__budget *budget, const char *option, kifu_result result, kifu_error *error)
{
    if (result != KIFU_NO_MEMORY || !budget->needed)
        return result;
    return kifu__error_at(error, KIFU_TOO_LARGE, error ? error->offset : 0,
                          "the save needs %" PRIu64 " bytes of memory or more, and %s allows %" PRIu64
                          ": raise it if you trust the file",
                          budget->needed, option, budget->most);
}
