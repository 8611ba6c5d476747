#include "core/moment.h"

#include "core/go.h"
#include "core/part.h"
#include "core/timeline.h"

// `timeline->error` stays as it is, unless that fails. The journal alone does not touch it.
static kifu_result go_back(kifu_timeline *timeline, uint32_t count)
{
    if (!kifu__hears(timeline, changed) && !timeline->options.reset && kifu__journal_reaches(&timeline->journal, count))
        return kifu__go(timeline, count, KIFU__TOLD);
    const kifu_error error = timeline->error;
    kifu_result result = kifu__go(timeline, count, KIFU__TOLD);
    if (!result)
        timeline->error = error;
    return result;
}

kifu_result kifu__return_to(kifu_timeline *timeline, const kifu__moment *moment)
{
    kifu__queue_cut(&timeline->consequences, moment->queue_bytes, moment->queue_count);
    timeline->consequence_count = moment->consequence_count;
    if (timeline->core.phase != KIFU__IDLE) {
        kifu__journal_cut(&timeline->journal, &timeline->core, moment->journal_used);
        return KIFU_OK;
    }
    kifu_result result = go_back(timeline, moment->executed);
    if (result) // What cannot be executed again cannot stay, nor what waits because of it.
        kifu__queue_cut(&timeline->consequences, 0, 0);
    kifu__cut_log(timeline, timeline->executed);
    if (result && timeline->parts)
        timeline->tell->cut(timeline);
    return result;
}

// --- All that waits --------------------------------------------------------------------------------------------------

bool kifu__keep(kifu_timeline *timeline, kifu__kept *kept)
{
    kept->executed = timeline->executed;
    kept->input_first = timeline->input_first;
    kept->consequence_count = timeline->consequence_count;
    return !kifu__hears(timeline, keeps) || timeline->tell->keep(timeline, &kept->parts);
}

void kifu__bring_back(kifu_timeline *timeline, const kifu__kept *kept)
{
    timeline->input_first = kept->input_first;
    timeline->consequence_count = kept->consequence_count;
    if (kifu__hears(timeline, returns))
        (void)timeline->tell->give_back(timeline, kept->parts); // They have room for what they had.
}

void kifu__kept_free(kifu__kept *kept, const kifu__memory *memory)
{
    if (kept->waiting) {
        kifu__queue_free(&kept->waiting->consequences, memory);
        kifu__queue_free(&kept->waiting->inputs, memory);
    }
    kifu__free(memory, kept->waiting);
    if (kept->parts)
        kifu__free(memory, kept->parts->bytes);
    kifu__free(memory, kept->parts);
}

// --- Redo ------------------------------------------------------------------------------------------------------------

// Most often, nothing waits, and `kept` is new. False without memory.
static bool keep_waiting(kifu_timeline *timeline, kifu__kept *kept)
{
    const kifu__memory *memory = &timeline->memory;
    if (!kept->waiting) {
        if (!timeline->consequences.count && !timeline->inputs.count)
            return true;
        kept->waiting = (kifu__queues *)kifu__new(memory, sizeof *kept->waiting);
        if (!kept->waiting)
            return false;
        *kept->waiting = (kifu__queues){.inputs = {.count = 0}};
    }
    if (!kifu__queue_copy(&timeline->consequences, memory, &kept->waiting->consequences) ||
        !kifu__queue_copy(&timeline->inputs, memory, &kept->waiting->inputs))
        return false;
    kifu__queue_cut(&timeline->consequences, 0, 0);
    kifu__queue_cut(&timeline->inputs, 0, 0);
    return true;
}

bool kifu__redo_push(kifu_timeline *timeline)
{
    kifu__redo *redo = &timeline->redo;
    kifu__kept *items = (kifu__kept *)kifu__grow(&timeline->memory, redo->items, &redo->capacity,
                                                 (uint64_t)redo->count + 1, sizeof *items);
    if (!items)
        return false;
    redo->items = items;
    kifu__kept *last = &items[redo->count];
    if (redo->count == redo->made) {
        *last = (kifu__kept){.input_first = 0};
        redo->made++;
    }
    if (!kifu__keep(timeline, last) || !keep_waiting(timeline, last))
        return false;
    redo->count++;
    if (kifu__hears(timeline, clears))
        timeline->tell->clear(timeline);
    if (kifu__hears(timeline, dropped))
        timeline->tell->dropped(timeline, 0);
    return true;
}

// What waits again needs no memory: where what is held stands before it, it waited there, and there is room.
static void give(kifu__queue *kept, const kifu__memory *memory, kifu__queue *queue)
{
    const kifu__queue own = *queue;
    if (own.base) {
        (void)kifu__queue_copy(kept, memory, queue);
        return;
    }
    *queue = *kept;
    *kept = own;
}

void kifu__redo_pop(kifu_timeline *timeline)
{
    kifu__kept *kept = &timeline->redo.items[--timeline->redo.count];
    if (kept->waiting) {
        give(&kept->waiting->consequences, &timeline->memory, &timeline->consequences);
        give(&kept->waiting->inputs, &timeline->memory, &timeline->inputs);
    }
    kifu__bring_back(timeline, kept);
    kifu__find_input(timeline);
}

void kifu__redo_drop(kifu_timeline *timeline)
{
    timeline->redo.count = 0;
    kifu__cut_log(timeline, timeline->executed);
    if (kifu__hears(timeline, cut))
        timeline->tell->cut(timeline); // after an undo that could not execute the log again
}

void kifu__redo_free(kifu__redo *redo, const kifu__memory *memory)
{
    while (redo->made)
        kifu__kept_free(&redo->items[--redo->made], memory);
    kifu__free(memory, redo->items);
    *redo = (kifu__redo){0};
}

void kifu__find_input(kifu_timeline *timeline)
{
    const kifu__proposal *first = kifu__queue_first(&timeline->consequences);
    if (!first)
        return;
    uint32_t event = first->cause == KIFU_NONE ? timeline->executed : first->cause;
    while (event < timeline->executed && event >= timeline->log.begin) {
        const uint16_t distance = kifu__log_mark(&timeline->log, event)->cause;
        if (!distance)
            break;
        event -= distance;
    }
    timeline->input_first = event;
    const uint32_t happened = event < timeline->executed ? timeline->executed - event - 1 : 0;
    timeline->consequence_count = (int64_t)happened + timeline->consequences.count;
    const kifu__turn_rules *turns = timeline->rules->turns;
    if (turns && turns->timers)
        timeline->consequence_count -= kifu__allowance(timeline) * turns->timed->fired(timeline, event);
}
