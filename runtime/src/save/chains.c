// Going along the log in a log file: what redo will bring back, and what is there on arrival.

#include "save/reader.h"

bool kifu__remember_chains(kifu_timeline *timeline, uint32_t from)
{
    while (timeline->executed > from) {
        uint32_t first = timeline->executed - 1;
        if (!kifu__redo_push(timeline))
            return false;
        while (first > from && kifu__log_mark(&timeline->log, first)->flags & KIFU_CONTINUE_UNDO)
            first--;
        timeline->executed = first;
    }
    return true;
}

void kifu__arrive(kifu_timeline *timeline, uint32_t count)
{
    kifu__redo *redo = &timeline->redo;
    timeline->executed = count;
    while (redo->count && redo->items[redo->count - 1].executed <= count)
        redo->count--;
    kifu__queue_cut(&timeline->consequences, 0, 0);
    kifu__queue_cut(&timeline->inputs, 0, 0);
    if (timeline->parts)
        timeline->tell->clear(timeline);
}
