#include "save/saved.h"

bool kifu__has_saved(const kifu_timeline *timeline)
{
    const kifu__part *part = timeline->parts;
    while (part && !part->table->saved)
        part = part->next;
    return part != NULL;
}

// NULL: no part has branches.
static const kifu__saved *keeper_of_branches(const kifu_timeline *timeline)
{
    const kifu__part *part = timeline->parts;
    while (part && !(part->table->saved && part->table->saved->branch))
        part = part->next;
    return part ? part->table->saved : NULL;
}

bool kifu__has_branches(const kifu_timeline *timeline)
{
    return keeper_of_branches(timeline) != NULL;
}

kifu__branch *kifu__branch_numbered(kifu_timeline *timeline, uint32_t number)
{
    const kifu__saved *keeper = keeper_of_branches(timeline);
    if (keeper)
        return keeper->branch(timeline, number);
    return number == timeline->log.branch->number ? timeline->log.branch : NULL;
}

void kifu__plan_parts(kifu__plan *plan, kifu__saving what)
{
    for (kifu__part *part = plan->timeline->parts; part && !plan->result; part = part->next) {
        if (part->table->saved && part->table->saved->plan)
            part->table->saved->plan(plan, part, what);
    }
}

// NULL: no part does that.
static const kifu__saved *planner_of_root(const kifu_timeline *timeline)
{
    const kifu__part *part = timeline->parts;
    while (part && !(part->table->saved && part->table->saved->plan_root))
        part = part->next;
    return part ? part->table->saved : NULL;
}

bool kifu__can_plan_root(const kifu_timeline *timeline)
{
    return planner_of_root(timeline) != NULL;
}

void kifu__plan_root(kifu__plan *plan)
{
    planner_of_root(plan->timeline)->plan_root(plan);
}

kifu_result kifu__give_frame(kifu__reader *reader, const kifu__frame *frame, bool *taken)
{
    kifu_result result = KIFU_OK;
    *taken = false;
    for (kifu__part *part = reader->timeline->parts; part && !*taken && !result; part = part->next) {
        if (part->table->saved && part->table->saved->take)
            result = part->table->saved->take(reader, part, frame, taken);
    }
    return result;
}
