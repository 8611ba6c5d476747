// What redo will bring back where a save goes back along the log.

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
