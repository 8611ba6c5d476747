// The part of a timeline that has its lines in saves.

#include "save/line_records.h"

static kifu_result take(kifu__reader *reader, kifu__part *part, const kifu__frame *frame, bool *taken)
{
    (void)part, (void)taken;
    if (!frame)
        kifu__end_line_records(reader);
    return KIFU_OK;
}

kifu_result kifu_keep_variations(kifu_timeline *timeline)
{
    static const kifu__saved saved = {.plan = kifu__plan_lines,
                                      .take = take,
                                      .branch = kifu__line_branch,
                                      .record = kifu__line_record,
                                      .follow = kifu__follow_lines,
                                      .followed = kifu__lines_followed};
    static const kifu__part_table table = {.size = sizeof(kifu__part), .order = KIFU__LINES, .saved = &saved};
    if (!kifu__attach(timeline, &table))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for variations");
    return kifu__lines_begin(timeline);
}
