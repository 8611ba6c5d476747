// How far a long call is.
//
// It counts events or bytes, and no time, so a call that is cancelled in a test ends where it ended before. A walk
// along the log stops every 16,384 events; a load reports behind each frame of 256 KiB or more.

#include "core/timeline.h"

void kifu_set_progress(kifu_timeline *timeline, kifu_progress *progress, void *context)
{
    timeline->progress.function = progress;
    timeline->progress.context = context;
}

// The function may look at the timeline, as one of the view.
kifu_result kifu__tick(kifu_timeline *timeline, uint64_t done, uint64_t total)
{
    if (!timeline->progress.function)
        return KIFU_OK;
    const kifu__phase phase = timeline->core.phase;
    timeline->core.phase = KIFU__SHOWING;
    const bool goes_on = timeline->progress.function(timeline->progress.context, done, total);
    timeline->core.phase = phase;
    if (timeline->fault.result)
        return kifu__report_fault(timeline);
    return goes_on ? KIFU_OK
                   : kifu__error(&timeline->error, KIFU_CANCELLED, "%s; nothing was changed",
                                 kifu_result_text(KIFU_CANCELLED));
}
