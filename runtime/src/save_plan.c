#include "save_plan.h"

#include "frame.h"

void kifu__plan_drop(kifu__save_plan *plan)
{
    const kifu__memory *memory = &plan->timeline->memory;
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].owned)
            kifu__free(memory, plan->pieces[i].payload);
    }
    kifu__free(memory, plan->pieces);
}

kifu_result kifu__plan_add(kifu__save_plan *plan, uint32_t kind, unsigned char *payload, uint32_t size, bool owned)
{
    const kifu__memory *memory = &plan->timeline->memory;
    kifu__piece *pieces =
        (kifu__piece *)kifu__grow(memory, plan->pieces, &plan->capacity, (uint64_t)plan->count + 1, sizeof *pieces);
    if (!pieces) {
        if (owned)
            kifu__free(memory, payload);
        return KIFU_NO_MEMORY;
    }
    plan->pieces = pieces;
    pieces[plan->count++] = (kifu__piece){.kind = kind, .size = size, .payload = payload, .owned = owned};
    plan->size += kifu__frame_size(size);
    return KIFU_OK;
}

uint32_t kifu__plan_version(const kifu__save_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].kind == KIFU__FRAME_PACKED)
            return KIFU__FORMAT_VERSION;
    }
    return KIFU__PLAIN_VERSION;
}
