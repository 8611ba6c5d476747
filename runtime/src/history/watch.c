#include "history/watch.h"

// The log has one number for all of them.
static void lower_all(kifu_timeline *timeline)
{
    for (kifu__watcher *each = timeline->watchers; each; each = each->next) {
        if (timeline->log.cut_at < each->cut)
            each->cut = timeline->log.cut_at;
    }
    timeline->log.cut_at = KIFU_NONE;
}

void kifu__watch(kifu_timeline *timeline, kifu__watcher *watcher)
{
    lower_all(timeline);
    *watcher = (kifu__watcher){.next = timeline->watchers, .cut = KIFU_NONE};
    timeline->watchers = watcher;
}

uint32_t kifu__ask_watcher(kifu_timeline *timeline, kifu__watcher *watcher)
{
    lower_all(timeline);
    const uint32_t cut = watcher->cut;
    watcher->cut = KIFU_NONE;
    return cut;
}
