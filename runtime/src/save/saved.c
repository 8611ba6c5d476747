#include "save/saved.h"

// What the part has that plans a root, or has branches. NULL: none does.
static const kifu__saved *find_saved(const kifu_timeline *timeline, bool root)
{
    for (const kifu__part *part = timeline->parts; part; part = part->next) {
        const kifu__saved *saved = part->table->saved;
        if (saved && (root ? saved->plan_root != NULL : saved->branch != NULL))
            return saved;
    }
    return NULL;
}

bool kifu__has_branches(const kifu_timeline *timeline)
{
    return find_saved(timeline, false) != NULL;
}

kifu__branch *kifu__branch_numbered(kifu_timeline *timeline, uint32_t number)
{
    const kifu__saved *keeper = find_saved(timeline, false);
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

bool kifu__can_plan_root(const kifu_timeline *timeline)
{
    return find_saved(timeline, true) != NULL;
}

void kifu__plan_root(kifu__plan *plan)
{
    find_saved(plan->timeline, true)->plan_root(plan);
}

kifu_result kifu__offer_frame(kifu__reader *reader, const kifu__frame *frame, bool *taken)
{
    kifu_result result = KIFU_OK;
    *taken = false;
    for (kifu__part *part = reader->timeline->parts; part && !*taken && !result; part = part->next) {
        if (part->table->saved && part->table->saved->take)
            result = part->table->saved->take(reader, part, frame, taken);
    }
    return result;
}

kifu_result kifu__end_parts(kifu__reader *reader)
{
    kifu_result result = KIFU_OK;
    for (kifu__part *part = reader->timeline->parts; part && !result; part = part->next) {
        if (part->table->saved && part->table->saved->end)
            result = part->table->saved->end(reader, part);
    }
    return result;
}
