#include "tree_walk.h"

#include <stdlib.h>
#include <unistd.h>

#include "hooked.h"
#include "measure.h"

enum { EVENTS_PER_LINE = 100 };

static void step_on(kifu_timeline *timeline, uint32_t i)
{
    must(!kifu_override(timeline, hooked_submit_e_step(timeline, (uint16_t)(i & 15), (uint16_t)((i >> 4) + 1)), true,
                        false),
         "no flags");
    must(!kifu_run(timeline), "an event did not happen");
}

static kifu_timeline *begin_tree(void)
{
    const kifu_options options = {.quiet = true, .keep_variations = kifu_keep_variations};
    kifu_timeline *tree;
    must(!kifu_create(&hooked_rules, &options, &tree, NULL), "no timeline");
    return tree;
}

kifu_timeline *tree_begin(void)
{
    kifu_timeline *tree = begin_tree();
    step_on(tree, 0);
    return tree;
}

void tree_add_siblings(kifu_timeline *tree, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        step_on(tree, i);
        must(!kifu_undo(tree), "not undone");
    }
    must(kifu_line_count(tree) == count, "not as many lines");
}

kifu_timeline *tree_nest(uint32_t count)
{
    kifu_timeline *tree = begin_tree();
    for (uint32_t i = 0; i < count; i++) {
        step_on(tree, 2 * i);
        step_on(tree, 2 * i + 1);
        must(!kifu_undo(tree), "not undone");
    }
    must(kifu_line_count(tree) == count, "not as many lines");
    return tree;
}

void tree_go_there_and_back(kifu_timeline *tree, uint32_t count)
{
    tree_go_to_first(tree);
    must(!kifu_go_to(tree, count - 1, KIFU_WHERE_LEFT, false), "not gone to the last one");
}

void tree_go_to_and_fro(kifu_timeline *tree, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        must(!kifu_go_to(tree, count - 1 - (~i & 1), KIFU_WHERE_LEFT, false), "not gone to another line");
}

void tree_go_to_first(kifu_timeline *tree)
{
    must(!kifu_go_to(tree, 0, 1, false), "not gone to the first line");
}

void tree_delete_others(kifu_timeline *tree)
{
    must(!kifu_delete_line(tree, 1), "not deleted");
    must(kifu_line_count(tree) == 1, "lines are left");
}

kifu_timeline *play_with_variations(const item *items, uint32_t count)
{
    const kifu_options options = {.keep_variations = kifu_keep_variations};
    kifu_timeline *timeline = play_begin(&options);
    for (uint32_t i = 0; i + EVENTS_PER_LINE <= count; i += EVENTS_PER_LINE) {
        uint32_t other = i;
        play_on(timeline, items + i, EVENTS_PER_LINE);
        while (items[other].type == items[i + EVENTS_PER_LINE - 1].type)
            other++;
        must(!kifu_undo(timeline), "an undo was refused");
        play_on(timeline, items + other, 1);
    }
    must(kifu_line_count(timeline) == count / EVENTS_PER_LINE + 1, "not as many lines");
    return timeline;
}

void open_log_file(kifu_timeline *timeline, char *path)
{
    int file = mkstemp(path);
    must(file >= 0, "no temporary file");
    close(file);
    must(!kifu_log_open(timeline, path, NULL) && !kifu_log_append(timeline), "no log file");
}

void play_and_append(kifu_timeline *timeline, const item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        play_on(timeline, items + i, 1);
        must(!kifu_log_append(timeline), "not appended");
    }
}
