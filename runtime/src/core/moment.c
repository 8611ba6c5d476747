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
    kifu__queue_free(&kept->consequences, memory);
    kifu__queue_free(&kept->inputs, memory);
    if (kept->parts)
        kifu__free(memory, kept->parts->bytes);
    kifu__free(memory, kept->parts);
}

// --- By its place ----------------------------------------------------------------------------------------------------

// From the last place to the first. Where the one is linked that waits there, or else the first before it.
static kifu__kept **find_kept(kifu_timeline *timeline, uint32_t place)
{
    kifu__kept **link = &timeline->kept;
    while (*link && (*link)->executed > place)
        link = &(*link)->next;
    return link;
}

static bool waits(const kifu_timeline *timeline)
{
    const kifu__turn_rules *turns = timeline->rules->turns;
    return timeline->consequences.count || timeline->inputs.count ||
           (turns && turns->actors && turns->timed->actions(timeline, NULL).count);
}

// NULL without memory.
static kifu__kept *make(kifu_timeline *timeline)
{
    const kifu__memory *memory = &timeline->memory;
    kifu__kept *kept = timeline->spare;
    if (!kept) {
        kept = (kifu__kept *)kifu__new(memory, sizeof *kept);
        if (!kept)
            return NULL;
        *kept = (kifu__kept){.next = NULL};
        timeline->spare = kept;
    }
    if (!kifu__keep(timeline, kept) || !kifu__queue_copy(&timeline->consequences, memory, &kept->consequences) ||
        !kifu__queue_copy(&timeline->inputs, memory, &kept->inputs))
        return NULL;
    timeline->spare = kept->next;
    kept->said = false;
    return kept;
}

bool kifu__put_away(kifu_timeline *timeline)
{
    const bool anything = waits(timeline);
    kifu__kept *kept = anything ? make(timeline) : NULL;
    if (anything && !kept)
        return false;
    kifu__drop_kept(timeline, timeline->executed);
    if (kept) {
        kifu__kept **link = find_kept(timeline, timeline->executed);
        kept->next = *link;
        *link = kept;
    }
    kifu__queue_cut(&timeline->consequences, 0, 0);
    kifu__queue_cut(&timeline->inputs, 0, 0);
    if (kifu__hears(timeline, clears))
        timeline->tell->clear(timeline);
    if (kifu__hears(timeline, dropped))
        timeline->tell->dropped(timeline, 0);
    return true;
}

// What waits again needs no memory: there is room where others are held, because it waited there, too.
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

void kifu__take_up(kifu_timeline *timeline)
{
    kifu__kept *kept = *find_kept(timeline, timeline->executed);
    if (kept && kept->executed == timeline->executed) {
        give(&kept->consequences, &timeline->memory, &timeline->consequences);
        give(&kept->inputs, &timeline->memory, &timeline->inputs);
        kifu__bring_back(timeline, kept);
        kifu__drop_kept(timeline, timeline->executed);
    } else if (kifu__hears(timeline, clears))
        timeline->tell->clear(timeline);
    kifu__find_input(timeline);
}

// Its memory is used again.
static void drop(kifu_timeline *timeline, kifu__kept **link)
{
    kifu__kept *kept = *link;
    *link = kept->next;
    kept->next = timeline->spare;
    timeline->spare = kept;
}

void kifu__drop_kept(kifu_timeline *timeline, uint32_t place)
{
    kifu__kept **link = find_kept(timeline, place);
    if (!*link || (*link)->executed != place)
        return;
    if ((*link)->said)
        kifu__unkeep(timeline, place);
    drop(timeline, link);
}

void kifu__unkeep(kifu_timeline *timeline, uint32_t place)
{
    if (timeline->unkept_count < KIFU__MOST_UNKEPT)
        timeline->unkept[timeline->unkept_count] = place;
    timeline->unkept_count += timeline->unkept_count <= KIFU__MOST_UNKEPT;
}

void kifu__drop_behind(kifu_timeline *timeline, uint32_t place)
{
    while (timeline->kept && timeline->kept->executed > place)
        drop(timeline, &timeline->kept);
}

kifu__kept *kifu__cut_kept(kifu_timeline *timeline, uint32_t place)
{
    kifu__kept **link = find_kept(timeline, place), *before = *link;
    *link = NULL;
    kifu__kept *behind = timeline->kept;
    timeline->kept = before;
    return behind;
}

void kifu__join_kept(kifu_timeline *timeline, kifu__kept **kept)
{
    kifu__kept **last = kept;
    while (*last)
        last = &(*last)->next;
    *last = timeline->kept;
    timeline->kept = *kept;
    *kept = NULL;
}

void kifu__free_kept(kifu__kept **kept, const kifu__memory *memory)
{
    while (*kept) {
        kifu__kept *first = *kept;
        *kept = first->next;
        kifu__kept_free(first, memory);
        kifu__free(memory, first);
    }
}

void kifu__redo_drop(kifu_timeline *timeline)
{
    kifu__cut_log(timeline, timeline->executed);
    if (kifu__hears(timeline, cut))
        timeline->tell->cut(timeline); // after an undo that could not execute the log again
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
