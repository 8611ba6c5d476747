// The tree of lines, as a view draws it.
//
// What branches off from a line is sorted by where. So one pass goes over the tree, each stretch once, and whatever is
// to be drawn later waits on a stack.

#include <stdlib.h>

#include "history/lines.h"

// Of a line.
typedef struct node {
    uint32_t id, end;
    uint32_t first_twig, last_twig; // What branches off from it: the last one is behind them.
    uint32_t main, current;         // Main and current line lead through its events before these; 0: not at all.
} node;

// That a line branches off.
typedef struct twig {
    uint32_t parent, from, place; // Places in the listing of the lines.
} twig;

// A stretch that is to be drawn.
typedef struct pending {
    uint32_t node, from, twig; // Of what branches off from its line, the first that may do so behind it.
    uint32_t parent, before;   // Places of stretches: the one that it follows, and the one that follows that before it.
    bool straight;
} pending;

typedef struct drawing {
    node *nodes;
    twig *twigs;
    pending *stack;
    uint32_t line_count, waiting;
    kifu_stretch *stretches;
    uint32_t count, rows;
} drawing;

// --- What branches off where -----------------------------------------------------------------------------------------

static int in_order(const void *a, const void *b)
{
    const twig *left = (const twig *)a, *right = (const twig *)b;
    const uint32_t l[] = {left->parent, left->from, left->place}, r[] = {right->parent, right->from, right->place};
    int at = 0;
    while (at < 2 && l[at] == r[at])
        at++;
    return (l[at] > r[at]) - (l[at] < r[at]);
}

// Of a line among the first ones, which are in order.
static uint32_t drawn_place(const drawing *drawing, uint32_t count, uint32_t id)
{
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (drawing->nodes[middle].id <= id)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// The first line branches off from none.
static void sort_twigs(drawing *drawing)
{
    twig *twigs = drawing->twigs + 1;
    const uint32_t count = drawing->line_count - 1;
    if (count)
        qsort(twigs, count, sizeof *twigs, in_order);
    for (uint32_t i = 0; i < count; i++) {
        node *parent = &drawing->nodes[twigs[i].parent];
        if (parent->first_twig == parent->last_twig)
            parent->first_twig = i + 1;
        parent->last_twig = i + 2;
        if (parent->end < twigs[i].from) // In a search, it may be shorter.
            parent->end = twigs[i].from;
    }
}

// How far a line leads through the events of another one.
static uint32_t led_by(const kifu__lines *lines, uint32_t line, const kifu__line *other)
{
    const kifu__branch *path = lines->items[line].branch;
    return kifu__leads_through(path, other->branch) ? kifu__leaves(path, other->branch) : 0;
}

static void take_lines(const kifu_timeline *timeline, const kifu__lines *lines, drawing *drawing)
{
    for (uint32_t i = 0; i < drawing->line_count; i++) {
        const uint32_t id = lines->listed[i];
        const kifu__line *line = &lines->items[id];
        const uint32_t end = kifu__shown_end(timeline, lines, line);
        drawing->nodes[i] = (node){.id = id,
                                   .end = end > line->from ? end : line->from,
                                   .main = led_by(lines, lines->main, line),
                                   .current = led_by(lines, lines->current, line)};
        drawing->twigs[i] = (twig){i ? drawn_place(drawing, i, line->parent) : 0, line->from, i};
    }
    sort_twigs(drawing);
}

// --- Drawing ---------------------------------------------------------------------------------------------------------

static void wait_to_draw(drawing *drawing, uint32_t node, uint32_t from, uint32_t twig, bool straight)
{
    drawing->stack[drawing->waiting++] = (pending){node, from, twig, drawing->count, KIFU_NONE, straight};
}

// Behind the stretch of `at`, lines part after event `fork`: the last one to be drawn waits first.
static void part(drawing *drawing, const pending *at, uint32_t fork)
{
    const node *node = &drawing->nodes[at->node];
    const twig *twigs = drawing->twigs;
    const bool goes_on = node->end > fork;
    uint32_t end = at->twig, straight = goes_on ? KIFU_NONE : at->twig;
    for (; end < node->last_twig && twigs[end].from == fork; end++) {
        if (drawing->nodes[twigs[end].place].main)
            straight = end;
    }
    for (uint32_t i = end; i-- > at->twig;) {
        const uint32_t place = twigs[i].place;
        if (i != straight)
            wait_to_draw(drawing, place, fork, drawing->nodes[place].first_twig, false);
    }
    if (goes_on)
        wait_to_draw(drawing, at->node, fork, end, straight == KIFU_NONE);
    if (straight != KIFU_NONE)
        wait_to_draw(drawing, twigs[straight].place, fork, drawing->nodes[twigs[straight].place].first_twig, true);
    drawing->stretches[drawing->count].parts = end - at->twig + goes_on;
}

// Whether a line that leads through events of this one before `until` leads through this stretch.
static bool leads_through(uint32_t until, const kifu_stretch *stretch)
{
    return until > stretch->from || (until == stretch->from && !stretch->count && until);
}

static void draw_next(drawing *drawing)
{
    const pending at = drawing->stack[--drawing->waiting];
    const node *node = &drawing->nodes[at.node];
    const bool forks = at.twig < node->last_twig;
    const uint32_t end = forks ? drawing->twigs[at.twig].from : node->end, place = drawing->count;
    const kifu_stretch *parent = at.parent == KIFU_NONE ? NULL : &drawing->stretches[at.parent];
    kifu_stretch *made = &drawing->stretches[place];
    *made = (kifu_stretch){
        .line = node->id,
        .from = at.from,
        .count = end > at.from ? end - at.from : 0,
        .row = at.straight ? parent ? parent->row : 0 : ++drawing->rows,
        .depth = parent ? parent->depth + !at.straight : 0,
        .parent = at.parent,
        .next = KIFU_NONE,
    };
    made->main = !parent || leads_through(node->main, made);
    made->current = !parent || leads_through(node->current, made);
    if (at.before != KIFU_NONE)
        drawing->stretches[at.before].next = place;
    if (drawing->waiting && drawing->stack[drawing->waiting - 1].parent == at.parent)
        drawing->stack[drawing->waiting - 1].before = place;
    if (forks)
        part(drawing, &at, end);
    drawing->count++;
}

kifu_result kifu__lines_draw(const kifu_timeline *timeline, const kifu__lines *lines, kifu_stretch *stretches,
                             uint32_t *count, kifu_error *error)
{
    const uint32_t lines_there = lines->listed_count;
    const size_t node_size = sizeof(node) + sizeof(twig) + sizeof(pending); // Of a line, one stretch waits.
    unsigned char *bytes =
        lines_there > SIZE_MAX / node_size ? NULL : kifu__new(&timeline->memory, lines_there * node_size);
    *count = 0;
    if (!bytes)
        return kifu__error(error, KIFU_NO_MEMORY, "out of memory for drawing %u lines", (unsigned)lines_there);
    drawing drawing = {.nodes = (node *)(void *)bytes, .line_count = lines_there, .stretches = stretches};
    drawing.twigs = (twig *)(void *)(drawing.nodes + lines_there);
    drawing.stack = (pending *)(void *)(drawing.twigs + lines_there);
    take_lines(timeline, lines, &drawing);
    drawing.stack[drawing.waiting++] =
        (pending){0, drawing.twigs[0].from, drawing.nodes[0].first_twig, KIFU_NONE, KIFU_NONE, true};
    while (drawing.waiting)
        draw_next(&drawing);
    kifu__free(&timeline->memory, bytes);
    *count = drawing.count;
    return KIFU_OK;
}
