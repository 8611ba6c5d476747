#include "save/plan.h"

kifu_result kifu__plan_add(kifu__plan *plan, uint32_t kind, unsigned char *payload, uint32_t size, bool owned)
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

kifu_result kifu__plan_fail(const kifu__plan *plan, kifu_result result)
{
    return kifu__error(&plan->timeline->error, result, "%s while a save was put together; nothing was written",
                       kifu_result_text(result));
}

uint32_t kifu__plan_version(const kifu__plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].kind == KIFU__FRAME_PACKED)
            return KIFU__FORMAT_VERSION;
    }
    return KIFU__PLAIN_VERSION;
}

kifu_result kifu__plan_write(const kifu__plan *plan, kifu__sink *sink)
{
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < plan->count && !result; i++) {
        const kifu__piece *piece = &plan->pieces[i];
        result = kifu__write_frame(sink, piece->kind, piece->payload, piece->size);
    }
    return result ? result : kifu__flush(sink);
}

void kifu__plan_drop(kifu__plan *plan)
{
    const kifu__memory *memory = &plan->timeline->memory;
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].owned)
            kifu__free(memory, plan->pieces[i].payload);
    }
    kifu__free(memory, plan->pieces);
    *plan = (kifu__plan){.timeline = plan->timeline};
}
