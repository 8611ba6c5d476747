// Calls what parts have in saves. Only a program with such a part links it.

#include "save/saved.h"

static void plan_parts(kifu__plan *plan, kifu__saving what)
{
    for (kifu__part *part = plan->timeline->parts; part && !plan->result; part = part->next) {
        if (part->table->saved && part->table->saved->plan)
            part->table->saved->plan(plan, part, what);
    }
}

static kifu_result take_frame(kifu__reader *reader, const kifu__frame *frame)
{
    bool taken = false;
    kifu_result result = KIFU_OK;
    for (kifu__part *part = reader->timeline->parts; part && !taken && !result; part = part->next) {
        if (part->table->saved && part->table->saved->take)
            result = part->table->saved->take(reader, part, frame, &taken);
    }
    return result || taken || !frame ? result : kifu__leave_frame(reader, frame);
}

kifu__part *kifu__attach_saved(kifu_timeline *timeline, const kifu__part_table *table)
{
    timeline->plan_parts = plan_parts;
    timeline->take_frame = take_frame;
    return kifu__attach(timeline, table);
}
