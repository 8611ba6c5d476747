// Going along the log in a load, where nothing is executed.

#include "save/reader.h"

bool kifu__leave_place(kifu_timeline *timeline, uint32_t back)
{
    if (timeline->executed <= back)
        return true;
    const bool good = kifu__put_away(timeline);
    timeline->executed = back;
    return good;
}

void kifu__arrive(kifu_timeline *timeline, uint32_t count)
{
    timeline->executed = count;
    kifu__drop_kept(timeline, count);
    kifu__queue_cut(&timeline->consequences, 0, 0);
    kifu__queue_cut(&timeline->inputs, 0, 0);
    if (timeline->parts)
        timeline->tell->clear(timeline);
}
