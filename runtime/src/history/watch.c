#include "history/watch.h"

typedef struct watchers {
    kifu__part part;
    kifu__watcher *first;
} watchers;

static const kifu__part_table table = {.size = sizeof(watchers), .order = KIFU__WATCHERS};

// The log has one number for all of them.
static void tell_all(kifu_timeline *timeline, const watchers *all)
{
    for (kifu__watcher *each = all->first; each; each = each->next) {
        if (timeline->log.cut_at < each->cut)
            each->cut = timeline->log.cut_at;
    }
    timeline->log.cut_at = KIFU_NONE;
}

bool kifu__watch(kifu_timeline *timeline, kifu__watcher *watcher)
{
    watchers *all = (watchers *)(void *)kifu__attach(timeline, &table);
    if (!all)
        return false;
    tell_all(timeline, all);
    *watcher = (kifu__watcher){.next = all->first, .cut = KIFU_NONE};
    all->first = watcher;
    return true;
}

uint32_t kifu__ask_watcher(kifu_timeline *timeline, kifu__watcher *watcher)
{
    tell_all(timeline, (const watchers *)(const void *)kifu__part_of(timeline, &table));
    const uint32_t cut = watcher->cut;
    watcher->cut = KIFU_NONE;
    return cut;
}
