/// What the suites share that go from a save to its state.
#ifndef RESTORE_HELP_H
#define RESTORE_HELP_H

#include "history_help.h"
#include "model.h"
#include "run_codec.h"
#include "save_help.h"
#include "suite.h"

static const kifu_load_options fast = {.fast = true};

/// The body of a record of events that has one segment.
static const unsigned char one_segment[] = {0, 1};

static inline void free_save(save *save)
{
    free(save->bytes);
}

/// The log's first segment has 16 of them.
static inline kifu_timeline *adding_game(int count)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 1; i <= count; i++)
        lab_submit_p_add(lab, 0, i);
    lab_must(lab, kifu_run(lab));
    return lab;
}

static inline kifu_timeline *load_changed(const kifu_rules *rules, const save *save, kifu_difference *changed)
{
    const kifu_load_options options = {.changed = changed, .codec = &run_codec};
    kifu_timeline *timeline;
    kifu_error error;
    memset(changed, 1, sizeof *changed);
    ck_assert_msg(kifu_load_from_memory(rules, save->bytes, save->size, NULL, &options, &timeline, &error) == KIFU_OK,
                  "%s", error.message);
    return timeline;
}

#endif
