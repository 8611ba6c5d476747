#include "core/moment.h"

#include "core/go.h"
#include "core/part.h"
#include "core/timeline.h"

// `timeline->error` stays as it is, unless that fails. The journal alone does not touch it.
static kifu_result return_by_journal(kifu_timeline *timeline, uint32_t count)
{
    if (!kifu__has_handler(timeline, changed) && !timeline->options.reset &&
        kifu__journal_reaches(&timeline->journal, count))
        return kifu__go(timeline, count, KIFU__NOTIFY);
    const kifu_error error = timeline->error;
    kifu_result result = kifu__go(timeline, count, KIFU__NOTIFY);
    if (!result)
        timeline->error = error;
    return result;
}

kifu_result kifu__return_to(kifu_timeline *timeline, const kifu__moment *moment)
{
    kifu__queue_cut(&timeline->consequences, moment->queue_bytes, moment->queue_count);
    timeline->running.consequence_count = moment->consequence_count;
    if (timeline->core.phase != KIFU__IDLE) {
        kifu__journal_cut(&timeline->journal, &timeline->core, moment->journal_used);
        return KIFU_OK;
    }
    kifu_result result = return_by_journal(timeline, moment->executed);
    if (result) // Events that cannot be executed again are dropped, with what waits because of them.
        kifu__queue_cut(&timeline->consequences, 0, 0);
    kifu__cut_log(timeline, timeline->executed);
    if (result && timeline->parts)
        timeline->dispatch->cut(timeline);
    return result;
}

// --- All that waits --------------------------------------------------------------------------------------------------

static void restore_parts(kifu_timeline *timeline, const kifu__blob *parts)
{
    if (kifu__has_handler(timeline, returns))
        (void)timeline->dispatch->restore(timeline, parts); // They have room for what they had.
}

static KIFU__APART void free_parts(kifu__blob *parts, const kifu__memory *memory)
{
    if (parts)
        kifu__free(memory, parts->bytes);
    kifu__free(memory, parts);
}

bool kifu__keep(kifu_timeline *timeline, kifu__standing *standing)
{
    standing->input_first = timeline->running.input_first;
    standing->consequence_count = timeline->running.consequence_count;
    return !kifu__has_handler(timeline, keeps) || timeline->dispatch->keep(timeline, &standing->parts);
}

void kifu__bring_back(kifu_timeline *timeline, const kifu__standing *standing)
{
    timeline->running.input_first = standing->input_first;
    timeline->running.consequence_count = standing->consequence_count;
    restore_parts(timeline, standing->parts);
}

void kifu__standing_free(kifu__standing *standing, const kifu__memory *memory)
{
    free_parts(standing->parts, memory);
}

// --- By its place ----------------------------------------------------------------------------------------------------

// Tells parts that what waits at a place of a path has changed.
static void report_waits(kifu_timeline *timeline, kifu__branch *path, uint32_t place)
{
    if (kifu__has_handler(timeline, waits))
        timeline->dispatch->wait(timeline, kifu__owner(path, place, NULL), place);
}

kifu__kept *kifu__take_out_kept(kifu_timeline *timeline, kifu__branch *branch, uint32_t place)
{
    kifu__kept *kept = kifu__remove_kept(branch, place);
    if (!kept)
        return NULL;
    kept->below[0] = timeline->spare;
    kept->below[1] = NULL;
    timeline->tree.waits++;
    return timeline->spare = kept;
}

// The same at a place of the path.
static kifu__kept *take_out_here(kifu_timeline *timeline, uint32_t place)
{
    return kifu__take_out_kept(timeline, kifu__owner(timeline->log.branch, place, NULL), place);
}

// NULL without memory.
static kifu__kept *make_kept(kifu_timeline *timeline)
{
    const kifu__memory *memory = &timeline->memory;
    kifu__kept *kept = timeline->spare;
    if (!kept) {
        kept = (kifu__kept *)kifu__new(memory, sizeof *kept);
        if (!kept)
            return NULL;
        *kept = (kifu__kept){.executed = 0};
        timeline->spare = kept;
    }
    if ((kifu__has_handler(timeline, keeps) && !timeline->dispatch->keep(timeline, &kept->parts)) ||
        !kifu__queue_copy(&timeline->consequences, memory, &kept->consequences) ||
        !kifu__queue_copy(&timeline->inputs, memory, &kept->inputs))
        return NULL;
    timeline->spare = kept->below[0];
    kept->executed = timeline->executed;
    return kept;
}

bool kifu__store_kept(kifu_timeline *timeline)
{
    kifu__kept *kept = NULL;
    if ((timeline->consequences.count || timeline->inputs.count ||
         (kifu__has_handler(timeline, holds) && timeline->dispatch->hold(timeline, 0))) &&
        !(kept = make_kept(timeline)))
        return false;
    if (kept || kifu__may_keep(timeline)) {
        kifu__branch *branch = kifu__owner(timeline->log.branch, timeline->executed, NULL);
        const bool was = kifu__take_out_kept(timeline, branch, timeline->executed) != NULL;
        if (kept) {
            kifu__add_kept(branch, kept);
            kifu__log_keeps(&timeline->log, kept->executed);
            timeline->tree.waits++;
        }
        if (kept || was)
            report_waits(timeline, timeline->log.branch, timeline->executed);
    }
    kifu__queue_cut(&timeline->consequences, 0, 0);
    kifu__queue_cut(&timeline->inputs, 0, 0);
    if (kifu__has_handler(timeline, clears))
        timeline->dispatch->clear(timeline);
    if (kifu__has_handler(timeline, dropped))
        timeline->dispatch->dropped(timeline, 0);
    return true;
}

void kifu__restore_kept(kifu_timeline *timeline)
{
    const uint32_t place = timeline->executed;
    const kifu__kept *kept = kifu__may_keep(timeline) ? take_out_here(timeline, place) : NULL;
    if (kept) { // There is room.
        report_waits(timeline, timeline->log.branch, place);
        (void)kifu__queue_copy(&kept->consequences, &timeline->memory, &timeline->consequences);
        (void)kifu__queue_copy(&kept->inputs, &timeline->memory, &timeline->inputs);
        restore_parts(timeline, kept->parts);
        kifu__find_input(timeline);
    } else if (kifu__has_handler(timeline, clears))
        timeline->dispatch->clear(timeline);
}

void kifu__drop_kept(kifu_timeline *timeline, uint32_t place)
{
    if (kifu__may_keep(timeline) && take_out_here(timeline, place))
        report_waits(timeline, timeline->log.branch, place);
}

// Frees what is kept in a branch behind a place.
static void drop_kept_behind(kifu_timeline *timeline, kifu__branch *branch, uint32_t place)
{
    while (branch->kept && branch->kept->executed > place)
        (void)kifu__take_out_kept(timeline, branch, branch->kept->executed);
}

void kifu__drop_kept_up_to(kifu_timeline *timeline, kifu__branch *branch, uint32_t place)
{
    for (kifu__kept *first; (first = kifu__kept_from(branch, 0)) != NULL && first->executed <= place;)
        (void)kifu__take_out_kept(timeline, branch, first->executed);
}

// Nothing needs none: there may never have been any.
static bool has_room_for_kept(kifu__queue *queue, const kifu__queue *kept, const kifu__memory *memory)
{
    return !kept->count || kifu__queue_room(queue, memory, 0, kept->tail);
}

bool kifu__make_room_for_kept(kifu_timeline *timeline, kifu__branch *path, uint32_t place)
{
    const kifu__kept *kept = kifu__find_kept(kifu__owner(path, place, NULL), place);
    return !kept || (has_room_for_kept(&timeline->consequences, &kept->consequences, &timeline->memory) &&
                     has_room_for_kept(&timeline->inputs, &kept->inputs, &timeline->memory));
}

void kifu__free_kept(kifu__kept **kept, const kifu__memory *memory)
{
    while (*kept) {
        kifu__kept *gone = *kept;
        *kept = gone->below[0];
        kifu__free_kept(&gone->below[1], memory);
        kifu__queue_free(&gone->consequences, memory);
        kifu__queue_free(&gone->inputs, memory);
        free_parts(gone->parts, memory);
        kifu__free(memory, gone);
    }
}

void kifu__branch_cut(kifu_timeline *timeline, kifu__branch *branch, uint32_t count)
{
    drop_kept_behind(timeline, branch, count);
    branch->checkpoint_count = kifu__checkpoints_up_to(branch, count);
    kifu__branch_truncate(&timeline->log, branch, count);
}

void kifu__branch_extend(kifu_timeline *timeline, kifu__branch *branch, kifu__branch *more)
{
    if (more->segment_count)
        memcpy(branch->segments + branch->segment_count, more->segments, more->segment_count * sizeof *more->segments);
    branch->segment_count += more->segment_count;
    branch->end = more->end;
    more->segment_count = 0;
    const uint64_t hashes = (uint64_t)branch->checkpoint_count + more->checkpoint_count;
    kifu__checkpoint *all = NULL;
    if (more->checkpoint_count)
        all = (kifu__checkpoint *)kifu__grow(&timeline->memory, branch->checkpoints, &branch->checkpoint_capacity,
                                             hashes, sizeof *all);
    for (uint32_t i = 0; all && i < more->checkpoint_count; i++)
        all[branch->checkpoint_count++] = more->checkpoints[i];
    branch->checkpoints = all ? all : branch->checkpoints;
    while (more->kept) {
        report_waits(timeline, branch, more->kept->executed);
        kifu__add_kept(branch, kifu__remove_kept(more, more->kept->executed));
    }
    kifu__branch_free(timeline, more);
    kifu__log_close_gap(&timeline->log, branch, 0, 0);
}

void kifu__branch_free(kifu_timeline *timeline, kifu__branch *branch)
{
    kifu__branch_free_events(&timeline->log, branch);
    kifu__free_kept(&branch->kept, &timeline->memory);
    kifu__free(&timeline->memory, branch->checkpoints);
    branch->checkpoints = NULL;
    branch->checkpoint_count = branch->checkpoint_capacity = 0;
}

void kifu__redo_drop(kifu_timeline *timeline)
{
    kifu__cut_log(timeline, timeline->executed);
    if (kifu__has_handler(timeline, cut))
        timeline->dispatch->cut(timeline); // after an undo that could not execute the log again
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
    timeline->running.input_first = event;
    const uint32_t happened = event < timeline->executed ? timeline->executed - event - 1 : 0;
    timeline->running.consequence_count = (int64_t)happened + timeline->consequences.count;
    const kifu__turn_rules *turns = timeline->rules->turns;
    if (turns && turns->timers)
        timeline->running.consequence_count -= kifu__allowance(timeline) * turns->timed->fired(timeline, event);
}
