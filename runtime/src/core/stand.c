#include "core/stand.h"

#include "core/timeline.h"

void kifu__enter(kifu_timeline *timeline, kifu__branch *branch)
{
    kifu__branch *left = timeline->log.branch;
    const uint32_t shared = kifu__common(left, branch);
    for (kifu__part *part = timeline->parts; part; part = part->next) {
        if (part->table->leaves)
            part->table->leaves(timeline, part, branch);
    }
    if (shared < left->end)
        kifu__log_changed(&timeline->log, shared);
    kifu__log_enter(&timeline->log, branch);
    kifu__drop_keyframes(timeline, shared); // They are of the events that are left.
}

kifu_result kifu__stand(kifu_timeline *timeline, kifu__branch *branch, uint32_t count, unsigned how)
{
    const uint32_t shared = kifu__common(timeline->log.branch, branch);
    const uint32_t back = count < shared ? count : shared;
    kifu_result result = KIFU_OK;
    if (timeline->executed > back)
        result = kifu__go(timeline, back, how);
    if (branch != timeline->log.branch)
        kifu__enter(timeline, branch);
    if (!result && timeline->executed < count)
        result = kifu__go(timeline, count, how);
    return result;
}

kifu_result kifu__stand_again(kifu_timeline *timeline, kifu__branch *branch, uint32_t count, kifu_result result)
{
    const kifu_error error = timeline->error;
    kifu_result worse = kifu__stand(timeline, branch, count, KIFU__NOTIFY);
    if (worse == KIFU_NO_MEMORY) {
        worse = kifu__stand(timeline, branch, count, KIFU__SILENT);
        kifu__moved(timeline, KIFU__JUMPED);
    }
    if (worse)
        return worse;
    timeline->error = error;
    return result;
}
