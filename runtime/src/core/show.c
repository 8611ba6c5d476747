// The view: what it is shown.

#include "core/timeline.h"

void kifu__show(kifu_timeline *timeline, uint32_t type, const void *event)
{
    const kifu_view *view = timeline->options.view;
    if (!view || timeline->quiet)
        return;
    timeline->core.phase = KIFU__SHOWING;
    double delay = timeline->rules->act(view, timeline, type, timeline->core.state, event, timeline->transient);
    timeline->core.phase = KIFU__IDLE;
    if (delay > 0 && !timeline->quiet) // Act may have turned it quiet
        timeline->delay += delay;
}

// `view`: it redraws; NULL: only a fault is reported.
static KIFU__CALLED kifu_result draw_anew(kifu_timeline *timeline, const kifu_view *view, kifu_result result)
{
    const kifu_error error = timeline->error;
    if (view) {
        timeline->core.player = -1;
        timeline->core.phase = KIFU__SHOWING;
        view->redraw(view->context, timeline);
        timeline->core.phase = KIFU__IDLE;
        if (kifu__has_handler(timeline, ran))
            timeline->dispatch->ran(timeline, KIFU_NONE, "redraw", "");
    }
    kifu_result fault = kifu__report_fault(timeline);
    if (!result)
        return fault;
    timeline->error = error;
    return result;
}

kifu_result kifu__show_anew(kifu_timeline *timeline, kifu_result result)
{
    const kifu_view *view = timeline->options.view;
    const bool redraws = view && view->redraw && !timeline->quiet;
    return redraws || timeline->fault.result ? draw_anew(timeline, redraws ? view : NULL, result) : result;
}
