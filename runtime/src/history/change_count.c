// How much has happened: a number that is found when it is asked for, so that an event costs nothing, an undo neither.

#include <kifu/changes.h>

#include "history/watch.h"

typedef struct changes {
    kifu__part part;
    kifu__watcher watcher;
    uint64_t count;    // When it was asked for last; 0: never.
    uint32_t length;   // Of the log then,
    uint32_t executed; // and so many events of it were executed.
    uint64_t tree;     // How often lines and notes had changed then.
} changes;

static const kifu__part_table change_count_table = {.size = sizeof(changes), .order = KIFU__CHANGE_COUNT};

// How much has happened since it was asked for.
static uint64_t count_since(const kifu_timeline *timeline, const changes *changes, uint32_t cut)
{
    const uint32_t length = timeline->log.branch->end, before = changes->length, executed = kifu_event_count(timeline);
    if (cut < before)
        return 1 + (uint64_t)(length - cut);
    const uint32_t undone = length - executed;
    const bool other = undone != before - changes->executed || timeline->tree.changes != changes->tree ||
                       (undone && executed != changes->executed);
    return length - (uint64_t)before + other;
}

uint64_t kifu_change_count(kifu_timeline *timeline)
{
    changes *changes = (struct changes *)(void *)kifu__part_of(timeline, &change_count_table);
    if (timeline->core.phase != KIFU__IDLE || timeline->transactions.open)
        return changes ? changes->count : 0;
    if (!changes) {
        changes = (struct changes *)(void *)kifu__attach(timeline, &change_count_table);
        if (!changes)
            return 0; // Without memory.
        kifu__watch(timeline, &changes->watcher);
    }
    const uint32_t cut = kifu__ask_watcher(timeline, &changes->watcher);
    if (changes->count)
        changes->count += count_since(timeline, changes, cut);
    else
        changes->count = 1 + (uint64_t)timeline->log.branch->end; // 0 is none.
    changes->length = timeline->log.branch->end;
    changes->executed = kifu_event_count(timeline);
    changes->tree = timeline->tree.changes;
    return changes->count;
}
