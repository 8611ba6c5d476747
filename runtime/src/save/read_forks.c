// Where lines begin, while commits are read: no events go in front of which another line begins. Of each line, the last
// place at which one does is known, until that one goes. Then it is found in a heap, for which all lines are gone
// over once.

#include "history/lines.h"
#include "save/reader.h"
#include "save/saved.h"

// Makes one heap of two: a skew heap. D. Sleator, R. Tarjan, "Self-adjusting heaps", SIAM Journal on Computing 15
// (1986).
static uint32_t meld(kifu__fork_place *heaps, uint32_t one, uint32_t other)
{
    uint32_t top = 0, *place = &top;
    while (one && other) {
        const bool behind = heaps[one].from < heaps[other].from;
        const uint32_t last = behind ? other : one;
        other = behind ? one : other;
        one = heaps[last].right;
        heaps[last].right = heaps[last].left;
        *place = last;
        place = &heaps[last].left;
    }
    *place = one ? one : other;
    return top;
}

static void set_top(kifu__forks *forks, uint32_t top)
{
    forks->top = top & INT32_MAX;
}

static bool add_to_heap(kifu__commits *commits, const kifu__lines *lines, uint32_t id)
{
    const kifu__line *line = &lines->items[id];
    kifu__forks *forks = &commits->forks[line->parent];
    kifu__fork_place *heaps =
        (kifu__fork_place *)kifu__grow(&commits->reader->timeline->memory, commits->heaps, &commits->heap_capacity,
                                       (uint64_t)commits->heap_count + 1, sizeof *heaps);
    if (!heaps)
        return false;
    commits->heaps = heaps;
    heaps[commits->heap_count] = (kifu__fork_place){.line = id, .from = line->from};
    set_top(forks, meld(heaps, forks->top, commits->heap_count++));
    return true;
}

// Of the lines that there are. False without memory.
static bool make_heaps(kifu__commits *commits, const kifu__lines *lines)
{
    bool good = true;
    for (uint32_t id = 0; id < commits->fork_count; id++)
        commits->forks[id].top = 0;
    commits->heap_count = 1;
    for (uint32_t id = 0; id < lines->count && good; id++) {
        if (lines->items[id].branch && lines->items[id].parent != id)
            good = add_to_heap(commits, lines, id);
    }
    if (!good)
        commits->heap_count = 0;
    return good;
}

void kifu__add_fork(kifu__commits *commits, const kifu__lines *lines, uint32_t id)
{
    const kifu__line *line = &lines->items[id];
    kifu__forks *forks = &commits->forks[line->parent];
    forks->most = forks->count++ && forks->most > line->from ? forks->most : line->from;
    // They are made anew without those that went, or when there is memory.
    if (commits->heap_count > 2 * (uint64_t)lines->count + 64 ||
        (commits->heap_count && !add_to_heap(commits, lines, id)))
        commits->heap_count = 0;
}

// Not if it has gone; another line may have its number.
static bool is_there(const kifu__lines *lines, const kifu__fork_place *fork, uint32_t parent)
{
    const kifu__line *line = &lines->items[fork->line];
    return fork->line < lines->count && line->branch && line->parent == parent && line->from == fork->from;
}

bool kifu__find_last_fork(kifu__commits *commits, uint32_t line)
{
    const kifu__lines *lines = kifu__lines_of(commits->reader->timeline);
    kifu__forks *forks = &commits->forks[line];
    if (!commits->heap_count && !make_heaps(commits, lines))
        return false;
    kifu__fork_place *heaps = commits->heaps;
    while (forks->top && !is_there(lines, &heaps[forks->top], line))
        set_top(forks, meld(heaps, heaps[forks->top].left, heaps[forks->top].right));
    forks->most = forks->top ? heaps[forks->top].from : 0;
    return true;
}
