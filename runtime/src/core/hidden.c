#include "core/hidden.h"

#include "core/stand.h"

void kifu__hidden_begin(kifu_timeline *timeline, kifu__hidden *hidden, uint32_t from)
{
    hidden->left = timeline->log.branch;
    kifu__branch_begin(&hidden->branch, hidden->left, from);
    hidden->branch.number = KIFU__HIDDEN + hidden->branch.depth;
    kifu__enter(timeline, &hidden->branch);
}

void kifu__hidden_drop(kifu_timeline *timeline, kifu__hidden *hidden)
{
    kifu__cut_log(timeline, hidden->branch.from);
    kifu__log_enter(&timeline->log, hidden->left);
    hidden->left = NULL;
}

void kifu__hidden_join(kifu_timeline *timeline, kifu__hidden *hidden)
{
    kifu__log_enter(&timeline->log, hidden->left);
    if (kifu__has_handler(timeline, joins))
        timeline->dispatch->join(timeline, hidden->left, &hidden->branch);
    kifu__branch_cut(timeline, hidden->left, hidden->branch.from);
    kifu__branch_extend(timeline, hidden->left, &hidden->branch);
    hidden->left = NULL;
}
