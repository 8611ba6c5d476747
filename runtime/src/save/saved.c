#include "save/saved.h"

kifu__part *kifu__saved_by(const kifu_timeline *timeline, uint32_t kind)
{
    kifu__part *part = timeline->parts;
    while (part && !(part->table->saved && part->table->saved->kinds >> kind & 1))
        part = part->next;
    return part;
}

kifu__branch *kifu__branch_numbered(kifu_timeline *timeline, uint32_t number)
{
    const kifu__part *keeper = kifu__saved_by(timeline, KIFU__BRANCH);
    if (keeper)
        return keeper->table->saved->branch(timeline, number);
    return number == timeline->log.branch->number ? timeline->log.branch : NULL;
}

void kifu__plan_parts(kifu__plan *plan, kifu__saving what)
{
    for (const kifu__part *part = plan->timeline->parts; part && !plan->result; part = part->next) {
        if (part->table->saved && part->table->saved->plan)
            part->table->saved->plan(plan, what);
    }
}

void kifu__plan_root(kifu__plan *plan)
{
    if (plan->timeline->log.begin)
        kifu__saved_by(plan->timeline, KIFU__ROOT)->table->saved->plan_root(plan);
}
